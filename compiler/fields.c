/* fields.c - the fields of a vertex: finding, adding, and matching them with patterns. */
#include "compiler/hole.h"

#include <string.h>

/* Vertices with many arcs get a hash table from label to place. It is made again when arcs were
** removed (vertex_arcs_changed). */
struct ArcIndex {
  CueArena *a;
  uint32_t *slots; /* place + 1, 0 if free */
  uint32_t cap;    /* power of two */
  bool stale;
};
enum { INDEX_FROM = 12 };

static uint32_t slot_of(Label l, uint32_t cap) { return (l * 2654435761u) >> 7 & (cap - 1); }

static void index_put(ArcIndex *ix, const Vertex *v, uint32_t place) {
  uint32_t i = slot_of(v->arcs.at[place]->label, ix->cap);
  while (ix->slots[i]) i = (i + 1) & (ix->cap - 1);
  ix->slots[i] = place + 1;
}

static void index_build(ArcIndex *ix, const Vertex *v) {
  uint32_t cap = 64;
  while (cap < v->arcs.n * 4) cap *= 2;
  if (cap > ix->cap) {
    ix->slots = cue_array(ix->a, uint32_t, cap);
    ix->cap = cap;
  } else {
    memset(ix->slots, 0, ix->cap * sizeof *ix->slots);
  }
  for (uint32_t i = 0; i < v->arcs.n; i++) index_put(ix, v, i);
  ix->stale = false;
}

Vertex *vertex_arc(const Vertex *v, Label l) {
  if (label_is_int(l)) {
    uint32_t i = label_index(l);
    if (i < v->arcs.n && v->arcs.at[i]->label == l) return v->arcs.at[i];
  }
  ArcIndex *ix = v->more->index;
  if (!ix || v->arcs.n < INDEX_FROM) {
    for (uint32_t i = 0; i < v->arcs.n; i++)
      if (v->arcs.at[i]->label == l) return v->arcs.at[i];
    return NULL;
  }
  if (ix->stale) index_build(ix, v);
  for (uint32_t i = slot_of(l, ix->cap); ix->slots[i]; i = (i + 1) & (ix->cap - 1)) {
    Vertex *arc = v->arcs.at[ix->slots[i] - 1];
    if (arc->label == l) return arc;
  }
  return NULL;
}

void vertex_arcs_changed(Vertex *v) {
  if (v->more->index) v->more->index->stale = true;
}

void vertex_add_arc(Eval *e, Vertex *v, Vertex *arc) {
  cue_push(e->a, &v->arcs, arc);
  if (v->arcs.n < INDEX_FROM) return;
  ArcIndex *ix = v->more->index;
  if (!ix) {
    ix = vertex_more(e, v)->index = cue_new(e->a, ArcIndex);
    ix->a = e->a;
    ix->stale = true;
  }
  if (ix->stale) return;
  if (v->arcs.n * 2 > ix->cap)
    ix->stale = true;
  else
    index_put(ix, v, v->arcs.n - 1);
}

/* Room for n more arcs: most structs are one or two literals. */
void vertex_reserve_arcs(Eval *e, Vertex *v, uint32_t n) {
  if (n <= INDEX_FROM) cue_reserve(e->a, &v->arcs, v->arcs.n + n);
}

const VertexMore vertex_no_more = {0};

VertexMore *vertex_more(Eval *e, Vertex *v) {
  if (v->more == &vertex_no_more) v->more = cue_new(e->a, VertexMore);
  return (VertexMore *)(uintptr_t)v->more;
}

Vertex *vertex_new(Eval *e, Vertex *parent, Label l) {
  Vertex *v = cue_new(e->a, Vertex);
  v->kind = IR_VERTEX;
  v->parent = parent;
  v->label = l;
  v->more = &vertex_no_more;
  return v;
}

Vertex *vertex_inline(Eval *e, Conjunct *c) {
  Vertex *v = vertex_new(e, NULL, 0);
  v->is_dynamic = true;
  if (c) cue_push(e->a, &v->conjuncts, *c);
  if (e->in_detached > 0) v->anonymous = true;
  return v;
}

void vertex_add_struct(Eval *e, Vertex *v, IrStruct *s) {
  VertexMore *m = vertex_more(e, v);
  for (uint32_t i = 0; i < m->structs.n; i++)
    if (m->structs.at[i].lit == s) {
      m->structs.at[i].repeats++;
      return;
    }
  if (!m->structs.cap) cue_reserve(e->a, &m->structs, 1); /* one literal is the rule, with a definition two or three */
  if (m->structs.n == 1) cue_reserve(e->a, &m->structs, 3);
  cue_push(e->a, &m->structs, (StructInfo){s, 0});
}

void vertex_update_arc_type(Eval *e, Vertex *v, ArcType t) {
  if (t >= v->arc_type || v->arc_type == ARC_NOT_PRESENT) return;
  NodeState *s = v->state;
  if (s && vertex_deref(v)->status == VERTEX_FINALIZED && (s->frozen & COND_ARC_TYPE)) {
    vertex_report_field_error(e, v->parent, eval_pos(e), v->label, true);
    return;
  }
  if (v->parent && v->parent->arc_type == ARC_PENDING && v->parent->state) node_unshare(v->parent->state);
  v->arc_type = (uint8_t)t;
}

/* ---- conjuncts ---- */

static bool env_equal(Eval *e, Env *x, Env *y) {
  return x == y || (x->up == y->up && (x->vertex ? env_vertex(e, x) : NULL) == (y->vertex ? env_vertex(e, y) : NULL));
}

static Conjunct *find_conjunct(Eval *e, Vertex *v, Conjunct c) {
  for (uint32_t i = 0; i < v->conjuncts.n; i++) {
    Conjunct *x = &v->conjuncts.at[i];
    if (x->x == c.x && x->ci.context == c.ci.context && env_equal(e, x->env, c.env)) return x;
  }
  return NULL;
}

void vertex_add_conjunct(Eval *e, Vertex *v, Conjunct c) {
  if (v->base && !is_cycle_placeholder(e, v->base)) return;
  switch (c.x->kind) {
  case IR_PATTERN:
  case IR_ELLIPSIS: break;
  case IR_FIELD:
  case IR_DYNAMIC: vertex_update_arc_type(e, v, (ArcType)c.x->arc_type); break;
  default: v->arc_type = ARC_MEMBER;
  }
  if (!find_conjunct(e, v, c)) cue_push(e->a, &v->conjuncts, c);
}

/* Most fields have one conjunct or two. */
static void push_conjunct(Eval *e, Vertex *v, Conjunct c) {
  if (v->conjuncts.n == v->conjuncts.cap && v->conjuncts.cap < 2)
    cue_reserve(e->a, &v->conjuncts, v->conjuncts.cap + 1);
  cue_push(e->a, &v->conjuncts, c);
}

static bool same_place(CloseInfo x, CloseInfo y) {
  return x.def == y.def && x.embed == y.embed && x.outer == y.outer && x.from_embed == y.from_embed &&
         x.from_def == y.from_def && x.top_def == y.top_def && x.opened == y.opened && x.cycle == y.cycle &&
         x.refs == y.refs;
}

static bool insert_conjunct(Eval *e, Vertex *v, Conjunct c, CloseInfo id, ArcType t, bool check) {
  /* A field that nobody has looked at yet only collects: its state is made when it is evaluated. */
  if (!v->state && v->status == VERTEX_UNPROCESSED && same_place(c.ci, id)) {
    vertex_place(v);
    vertex_update_arc_type(e, v, t);
    if (id.cycle == CYCLE_NONE || id.cycle == CYCLE_OPTIONAL) v->non_cyclic = true;
    if (!check || !find_conjunct(e, v, c)) {
      push_conjunct(e, v, c);
      return true;
    }
  }
  NodeState *n = vertex_bare_state(e, v);
  if (!n) return false;
  node_mark_non_cyclic(n, id);
  vertex_update_arc_type(e, v, t);
  bool added = false;
  Conjunct *same = check ? find_conjunct(e, v, c) : NULL;
  if (!same) {
    push_conjunct(e, v, c);
    added = true;
  } else if (same->ci.def) {
    node_add_replacement(n, id.def, same->ci.def);
  }
  if (vertex_in_progress(v)) node_schedule_conjunct(n, c, id);
  for (uint32_t i = 0; i < n->notify.n; i++) {
    Receiver r = n->notify.at[i];
    if (!r.v->state || r.v->status == VERTEX_FINALIZED) continue;
    vertex_state(e, r.v);
    node_schedule_conjunct(r.v->state, c, r.ci);
  }
  return added;
}

static Vertex *get_arc(NodeState *n, Label l, ArcType t, bool *is_new) {
  Eval *e = n->e;
  Vertex *v = n->node;
  Vertex *arc = vertex_arc(v, l);
  *is_new = !arc;
  if (arc) {
    if (label_is_let(l)) arc->multi_let = true;
    vertex_update_arc_type(e, arc, t);
    return arc;
  }
  arc = vertex_new(e, v, l);
  arc->arc_type = (uint8_t)t;
  arc->non_rooted = v->is_dynamic || v->non_rooted;
  arc->anonymous = v->anonymous || label_is_let(v->label);
  if (n->frozen & COND_FIELD_SET) {
    eval_add_bottom(e, bottom_f(e, BOTTOM_EVAL, "adding field %l not allowed as field set was already referenced", l));
    arc->arc_type = ARC_NOT_PRESENT;
  }
  vertex_add_arc(e, v, arc);
  return arc;
}

/* A constraint of a pattern joins arc; references to the matched label find it in the environment. */
static void add_constraint(NodeState *n, Vertex *arc, ArcType t, Conjunct c, bool check) {
  Env *env = cue_new(n->e->a, Env);
  *env = *c.env;
  env->lets = 0;
  env->dynamic_label = arc->label;
  c.env = env;
  insert_conjunct(n->e, arc, c, c.ci, t, check);
}

Vertex *node_insert_arc(NodeState *n, Label l, ArcType t, Conjunct c, CloseInfo id, bool check) {
  Eval *e = n->e;
  bool is_new;
  Vertex *v = get_arc(n, l, t, &is_new);
  Vertex *saved = e->vertex;
  e->vertex = v;
  bool added = insert_conjunct(e, v, c, id, t, check);
  Patterns *ps = n->node->more->patterns;
  if (added && is_new && ps)
    for (uint32_t i = 0; i < ps->at.n; i++) {
      if (!pattern_matches(e, ps->at.at[i].pattern, l)) continue;
      Vertex *con = ps->at.at[i].constraint;
      for (uint32_t k = 0; k < con->conjuncts.n; k++) add_constraint(n, v, t, con->conjuncts.at[k], check);
    }
  e->vertex = saved;
  return v;
}

/* ---- patterns ---- */

/* Records a pattern with its constraint; false if it was there. */
static bool insert_constraint(NodeState *n, Ir *pattern, Conjunct c) {
  Eval *e = n->e;
  Vertex *v = n->node;
  Patterns *ps = v->more->patterns;
  if (!ps) ps = vertex_more(e, v)->patterns = cue_new(e->a, Patterns);
  Vertex *con = NULL;
  for (uint32_t i = 0; i < ps->at.n && !con; i++)
    if (cue_equal(e, ps->at.at[i].pattern, pattern, 0)) con = ps->at.at[i].constraint;
  if (!con) {
    con = vertex_new(e, NULL, 0);
    con->is_pattern = true;
    if (!ps->at.cap) cue_reserve(e->a, &ps->at, 1);
    cue_push(e->a, &ps->at, (Pattern){pattern, con});
  } else {
    for (uint32_t i = 0; i < con->conjuncts.n; i++) {
      Conjunct x = con->conjuncts.at[i];
      if (x.x == c.x && env_equal(e, x.env, c.env)) {
        node_add_replacement(n, c.ci.def, x.ci.def);
        return false;
      }
    }
  }
  push_conjunct(e, con, c);
  return true;
}

void node_insert_pattern(NodeState *n, Ir *pattern, Conjunct c) {
  Vertex *v = n->node;
  if (!insert_constraint(n, pattern, c)) return;
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    Vertex *a = v->arcs.at[i];
    if (pattern_matches(n->e, pattern, a->label)) add_constraint(n, a, (ArcType)a->arc_type, c, true);
  }
}

static bool pattern_value_matches(Eval *e, Ir *pattern, Label l) {
  if (pattern->kind == IR_VERTEX)
    vertex_unify(e, IR_AS(Vertex, pattern), (Flags){.cond = COND_SCALAR, .mode = RUN_FINALIZE});
  pattern = ir_unwrap(pattern);
  if (!pattern) return false;
  bool is_string = label_is_string(l);
  if (e->holes && label_hole(e, l) && pattern->kind != IR_TYPE && pattern->kind != IR_TOP)
    hole_fail(e, 0, "a pattern on names that are not known");
  uint32_t k = is_string ? CUE_STRING : CUE_INT;
  if (!(k & ir_kinds(pattern))) return false; /* so do errors: they are told where they are made */
  switch (pattern->kind) {
  case IR_TOP: return true;
  case IR_TYPE: return (IR_AS(IrType, pattern)->kinds & k) == k;
  case IR_BOUND: {
    uint32_t bk = ir_kinds(pattern);
    if (bk == CUE_STRING)
      return is_string && l != LABEL_ANY_STRING && bound_test_str(e, IR_AS(IrBound, pattern), label_name(e->labels, l));
    if (bk == CUE_NUMBER) return bound_test_int(e, IR_AS(IrBound, pattern), label_index(l));
    break;
  }
  case IR_SCALAR: {
    CueValue v = IR_AS(IrScalar, pattern)->v;
    if (v.kind == CUE_STRING)
      return is_string && l != LABEL_ANY_STRING && cue_str_eq(cue_value_str(v), label_name(e->labels, l));
    if (v.kind == CUE_INT) return !is_string && v.form == CUE_PLAIN && v.as.i == (int64_t)label_index(l);
    break;
  }
  case IR_CONJUNCTION:
    for (uint32_t i = 0; i < IR_AS(IrJunction, pattern)->n; i++)
      if (!pattern_value_matches(e, IR_AS(IrJunction, pattern)->at[i], l)) return false;
    return true;
  case IR_DISJUNCTION:
    for (uint32_t i = 0; i < IR_AS(IrDisjunction, pattern)->n; i++)
      if (pattern_value_matches(e, IR_AS(IrDisjunction, pattern)->at[i], l)) return true;
    return false;
  default: break;
  }
  /* Anything else is decided by unification. */
  Ir *name = is_string ? ir_scalar(e, cue_string(label_name(e->labels, l))) : ir_int(e, label_index(l));
  Conjunct c = conjunct_make(e, e->env, pattern, e->ci);
  Vertex *v = vertex_inline(e, &c);
  cue_push(e->a, &v->conjuncts, conjunct_make(e, e->env, name, e->ci));
  cue_finalize(e, v);
  return !vertex_bottom(v);
}

bool pattern_matches(Eval *e, Ir *pattern, Label l) {
  return pattern && label_is_regular(l) && pattern_value_matches(e, pattern, l);
}

bool vertex_matches_pattern(Eval *e, Vertex *v, Label l) {
  v = vertex_deref(v);
  const Patterns *ps = v->more->patterns;
  for (uint32_t i = 0; ps && i < ps->at.n; i++)
    if (pattern_matches(e, ps->at.at[i].pattern, l)) return true;
  return false;
}
