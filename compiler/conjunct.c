/* conjunct.c - taking a conjunct into a vertex.
**
** Literal parts are inserted at once; parts that need other values are scheduled as tasks. This is
** also where environments are made: the fields of a struct literal get an environment that points
** to the vertex the literal is unified into, so references inside it see the unified result.
*/
#include "compiler/hole.h"

#include <string.h>

Conjunct conjunct_make(Eval *e, Env *env, Ir *x, CloseInfo ci) { return (Conjunct){env ? env : &e->empty_env, x, ci}; }

static Ir the_top = {.kind = IR_TOP};

Ir *conjunct_elem(Ir *x) {
  switch (x->kind) {
  case IR_FIELD:
  case IR_LET: return IR_AS(IrField, x)->value;
  case IR_DYNAMIC: return IR_AS(IrDynamic, x)->value;
  case IR_PATTERN: return IR_AS(IrPattern, x)->value;
  case IR_ELLIPSIS: return IR_AS(IrUnary, x)->x ? IR_AS(IrUnary, x)->x : &the_top;
  default: return x;
  }
}

Ir *conjunct_expr(Ir *x) {
  for (;;) {
    if (x->kind == IR_GROUP) {
      IrGroup *g = IR_AS(IrGroup, x);
      if (g->at.n != 1) return x;
      x = g->at.at[0].x;
    } else if (x->kind == IR_COMPREHENSION) {
      x = IR_AS(IrComprehension, x)->value;
    } else {
      Ir *y = conjunct_elem(x);
      if (y == x) return x;
      x = y;
    }
  }
}

/* Whether evaluating x may follow a reference. */
static bool has_resolver(Ir *x) {
  if (ir_is_resolver(x)) return true;
  if (ir_is_value(x)) return false;
  switch (x->kind) {
  case IR_BINARY: return has_resolver(IR_AS(IrBinary, x)->x) || has_resolver(IR_AS(IrBinary, x)->y);
  case IR_UNARY: return has_resolver(IR_AS(IrUnary, x)->x);
  case IR_CALL:
    for (uint32_t i = 0; i < IR_AS(IrCall, x)->n; i++)
      if (has_resolver(IR_AS(IrCall, x)->args[i])) return true;
    return false;
  case IR_LIST:
    for (uint32_t i = 0; i < IR_AS(IrList, x)->n; i++) {
      Ir *elem = IR_AS(IrList, x)->elems[i];
      if (elem->kind != IR_COMPREHENSION && elem->kind != IR_ELLIPSIS && has_resolver(elem)) return true;
    }
    return false;
  default: return true;
  }
}

static DefaultMode default_mode(bool has_defaults, bool marked) {
  return !has_defaults ? MAYBE_DEFAULT : marked ? IS_DEFAULT : NOT_DEFAULT;
}

static void schedule_disjunction_expr(NodeState *n, Env *env, IrDisjunctionExpr *x, CloseInfo id) {
  close_set_optional(&id);
  if (!x->tries) {
    x->tries = cue_array(n->e->a, DisjunctTry, x->n);
    for (uint32_t i = 0; i < x->n; i++)
      x->tries[i] = (DisjunctTry){x->at[i].x, default_mode(x->has_defaults, x->at[i].is_default)};
  }
  node_schedule_disjunction(n, (DisjunctionTodo){.env = env, .id = id, .src = (Ir *)x, .n = x->n, .at = x->tries});
  node_conjunct_info(n, CUE_TOP, id, 0);
}

static void schedule_disjunction_value(NodeState *n, Env *env, IrDisjunction *x, CloseInfo id) {
  close_set_optional(&id);
  DisjunctTry *tries = cue_array(n->e->a, DisjunctTry, x->n);
  for (uint32_t i = 0; i < x->n; i++)
    tries[i] = (DisjunctTry){x->at[i], default_mode(x->has_defaults, i < x->ndefaults)};
  node_schedule_disjunction(n, (DisjunctionTodo){.env = env, .id = id, .src = (Ir *)x, .n = x->n, .at = tries});
}

static void schedule_struct(NodeState *n, Env *env, IrStruct *s, CloseInfo ci) {
  Eval *e = n->e;
  ir_struct_read(s);
  node_update_cyclic(n, ci);
  node_conjunct_info(n, CUE_STRUCT, ci, CONJUNCT_STRUCT);
  Env *child = env_new(e, env, n->node);
  n->has_struct = true;
  s->flag |= IR_STRUCT_INIT;
  vertex_add_struct(e, n->node, s);

  bool has_embed = false, has_ellipsis = false, has_pattern = false;
  for (uint32_t i = 0; i < s->n && !has_embed; i++) {
    uint8_t k = s->decls[i]->kind;
    has_embed = k == IR_COMPREHENSION || k < IR_FIELD;
  }
  if (has_embed && !(s->flag & IR_STRUCT_COMPREHENSION)) ci = node_split_struct(n, s, ci);

  vertex_reserve_arcs(e, n->node, s->n);
  for (uint32_t i = 0; i < s->n; i++) {
    Ir *x = s->decls[i];
    CloseInfo sub = close_sub_field(ci);
    switch (x->kind) {
    case IR_FIELD: {
      IrField *f = IR_AS(IrField, x);
      if (label_is_string(f->label) && x->arc_type == ARC_MEMBER) {
        n->a_struct = true;
        node_update_type(n, CUE_STRUCT, (Ir *)s, ci);
      }
      if (x->arc_type == ARC_OPTIONAL) close_set_optional(&sub);
      node_insert_arc(n, f->label, (ArcType)x->arc_type, conjunct_make(e, child, x, sub), sub, true);
      break;
    }
    case IR_LET:
      node_insert_arc(n, IR_AS(IrField, x)->label, ARC_MEMBER, conjunct_make(e, child, x, sub), sub, true);
      break;
    case IR_COMPREHENSION: node_insert_comprehension(n, child, IR_AS(IrComprehension, x), node_embed(n, x, ci)); break;
    case IR_ELLIPSIS: has_ellipsis = has_pattern = true; break;
    case IR_DYNAMIC:
      if (x->arc_type == ARC_MEMBER) {
        n->a_struct = true;
        node_update_type(n, CUE_STRUCT, (Ir *)s, sub);
      }
      task_schedule(n, RUN_DYNAMIC, child, x, sub);
      break;
    case IR_PATTERN:
      has_pattern = true;
      close_set_optional(&sub);
      task_schedule(n, RUN_PATTERN, child, x, sub);
      break;
    default: {
      CloseInfo emb = node_embed(n, x, ci);
      node_schedule_conjunct(n, conjunct_make(e, child, x, emb), emb);
      break;
    }
    }
  }
  if (ci.context && has_pattern) hole_closes(n, ci);
  if (has_ellipsis) {
    n->node->has_ellipsis = true;
    node_conjunct_info(n, CUE_TOP, ci, CONJUNCT_ELLIPSIS);
  }
  if (!has_embed) {
    n->a_struct = true;
    node_update_type(n, CUE_STRUCT, (Ir *)s, ci);
  }
}

/* `c: close(c) & {}` embedded: what the expression yields holds the expression itself, perhaps within others. Once is
** enough, and again would never end. */
static void schedule_expr(NodeState *n, Env *env, Ir *x, CloseInfo id) {
  enum { MAX_YIELDED = 1000 };
  Task *by = eval_current(n->e);
  if (by && by->node != n) by = NULL;
  uint32_t same = 0;
  for (Task *t = by; t; t = t->by) {
    if (t->x != x) continue;
    if (t->env == env) return;
    if (++same >= MAX_YIELDED) { /* each time of another place */
      n->e->over_limit = "value is nested too deeply";
      return;
    }
  }
  task_schedule(n, RUN_EXPR, env, x, id)->by = by;
}

void node_schedule_conjunct(NodeState *n, Conjunct c, CloseInfo id) {
  Eval *e = n->e;
  if (c.ci.from_def) n->node->closed_recursive = true;
  node_mark_non_cyclic(n, id);
  if (c.ci.context != id.context) id.context = context_and(e->holes, id.context, c.ci.context);
  Ir *x = conjunct_elem(c.x);
  if (id.context && hole_skips(n, x, id)) return;
  switch (x->kind) {
  case IR_GROUP:
    for (uint32_t i = 0; i < IR_AS(IrGroup, x)->at.n; i++) node_schedule_conjunct(n, IR_AS(IrGroup, x)->at.at[i], id);
    return;
  case IR_VERTEX:
    if (vertex_is_data(IR_AS(Vertex, x))) {
      node_unshare(n);
      node_insert_value(n, c.env, x, id);
    } else {
      node_schedule_vertex(n, c, IR_AS(Vertex, x), id);
    }
    return;
  case IR_OPEN:
    c.x = IR_AS(IrUnary, x)->x;
    c.ci.opened = true;
    id.opened = true;
    node_schedule_conjunct(n, c, id);
    return;
  case IR_BINARY: {
    IrBinary *b = IR_AS(IrBinary, x);
    if (b->op == TOK_AND) { /* may still share: ref & ref */
      node_schedule_conjunct(n, conjunct_make(e, c.env, b->x, id), id);
      node_schedule_conjunct(n, conjunct_make(e, c.env, b->y, id), id);
      return;
    }
    node_unshare(n);
    schedule_expr(n, c.env, x, id);
    return;
  }
  case IR_STRUCT:
    node_unshare(n);
    schedule_struct(n, c.env, IR_AS(IrStruct, x), id);
    return;
  case IR_LIST:
    node_unshare(n);
    node_update_cyclic(n, id);
    node_update_type(n, CUE_LIST, x, id);
    task_schedule(n, RUN_LIST, env_new(e, c.env, n->node), x, id);
    return;
  case IR_DISJUNCTION_EXPR:
    node_unshare(n);
    schedule_disjunction_expr(n, c.env, IR_AS(IrDisjunctionExpr, x), id);
    return;
  case IR_COMPREHENSION: node_insert_comprehension(n, c.env, IR_AS(IrComprehension, x), id); return;
  default: break;
  }
  if (ir_is_value(x)) {
    node_insert_value(n, c.env, x, id);
  } else if (ir_is_resolver(x)) {
    task_schedule(n, RUN_RESOLVER, c.env, x, id);
  } else {
    node_unshare(n);
    /* A call in a cycle could feed itself for ever: it waits until something else shows that the
    ** node has substance. Calls without references are harmless. */
    if (x->kind == IR_CALL && id.cycle == CYCLE_IS && !n->has_non_cycle && !n->has_non_cyclic && has_resolver(x)) {
      n->has_ancestor_cycle = true;
      cue_push(e->a, &n->cyclic, (CyclicConjunct){c, NULL});
      return;
    }
    schedule_expr(n, c.env, x, id);
  }
}

/* Whether a reference names a definition anywhere on its path. */
static bool names_def(Ir *x) {
  switch (x->kind) {
  case IR_FIELD_REF: return label_is_def(IR_AS(IrRef, x)->label);
  case IR_SELECTOR: return label_is_def(IR_AS(IrSelector, x)->sel) || names_def(IR_AS(IrSelector, x)->x);
  case IR_INDEX: return names_def(IR_AS(IrIndex, x)->x);
  default: return false;
  }
}

static void add_notify(NodeState *n, Vertex *v, CloseInfo c) {
  Vertex *node = n->node;
  if (vertex_deref(node)->status == VERTEX_FINALIZED) return;
  if (vertex_in_progress(node) && sched_meets(n, COND_ANCESTORS)) return;
  for (uint32_t i = 0; i < n->notify.n; i++)
    if (n->notify.at[i].v == v) return;
  cue_push(n->e->a, &n->notify, (Receiver){v, c});
}

/* Adds the conjuncts of arc to n: what unifying with a reference to arc means. If arc may still
** get more, n is told of them later. */
void node_schedule_vertex(NodeState *n, Conjunct c, Vertex *arc, CloseInfo ci) {
  Eval *e = n->e;
  if (e->holes && hole_drops(n, arc)) return;
  if (!arc->closed_recursive && !arc->closed_once && ci.embed != 0) ci.from_def = false;
  if (arc->closed_recursive && c.ci.opened) n->embeds_closed = true;
  if (vertex_identity(n->node) == vertex_identity(arc)) {
    if (n->is_shared) node_add_shared(n, ci);
    return;
  }
  if (node_share_if_possible(n, c, arc, ci)) {
    vertex_state(e, arc);
    return;
  }
  if (names_def(conjunct_expr(c.x)) || label_is_def(arc->label) || ci.top_def) {
    if (c.ci.opened) n->embeds_closed = true;
    n->is_def = true;
    ci.from_def = true;
    ci.top_def = false;
    ci = node_add_resolver(n, c.x, arc, ci, false);
  } else {
    ci = node_add_resolver(n, c.x, arc, ci, true);
  }
  if (ci.context && (ci.from_def || arc->closed_recursive || arc->closed_once)) hole_closes(n, ci);
  /* Unification is idempotent: each vertex is added once, or disjunctions would multiply. */
  for (uint32_t i = 0; i < n->arc_map.n; i++)
    if (n->arc_map.at[i] == arc && (!e->holes || hole_has_joined(n, n->arc_contexts.at[i], ci.context))) return;
  cue_push(e->a, &n->arc_map, arc);
  if (e->holes) cue_push(e->a, &n->arc_contexts, ci.context);

  if (arc->parent && (!n->node->non_rooted || n->node->is_dynamic)) {
    NodeState *ps = vertex_state(e, arc->parent);
    NodeState *s = vertex_bare_state(e, arc);
    if (ps && s && !sched_meets(ps, COND_NEED_FIELD_CONJUNCTS)) add_notify(s, n->node, ci);
  }
  for (uint32_t i = 0; i < arc->conjuncts.n; i++) node_schedule_conjunct(n, arc->conjuncts.at[i], ci); /* may grow */
  if (vertex_bare_state(e, arc)) n->to_complete = true;
}

bool node_update_type(NodeState *n, uint32_t kinds, Ir *v, CloseInfo id) {
  node_conjunct_info(n, kinds, id, 0);
  uint32_t both = n->kinds & kinds;
  if (n->kinds == 0 || kinds == 0) return false;
  if (both == 0) {
    if (n->kind_expr)
      node_report_conflict(n, n->kind_expr, v, n->kinds, kinds, n->kind_id, id.def);
    else
      node_add_err(
          n, err_new(n->e, eval_pos(n->e), "conflicting value %v (mismatched types %k and %k)", v, n->kinds, kinds));
  }
  if (n->kinds != both || !n->kind_expr) n->kind_expr = v;
  n->kinds = both;
  n->kind_id = id.def;
  return both != 0;
}

/* The type that expr narrowed a value to, which messages place there. */
static Ir *type_at(Eval *e, uint32_t kinds, Ir *expr) {
  if (expr->kind == IR_TYPE && IR_AS(IrType, expr)->kinds == kinds) return expr;
  IrType *t = cue_new(e->a, IrType);
  t->kind = IR_TYPE;
  t->kinds = kinds;
  t->src = expr->src;
  t->pos = ir_pos(expr);
  return (Ir *)t;
}

/* The value of a vertex that is no scalar, struct or list: bounds, validators and type together. */
Ir *node_validators(NodeState *n, bool final) {
  Eval *e = n->e;
  CUE_VEC(Ir *) a = {0};
  uint32_t kinds = CUE_TOP;
  if (n->lower) {
    cue_push(e->a, &a, (Ir *)n->lower);
    kinds &= ir_kinds((Ir *)n->lower);
  }
  if (n->upper) {
    cue_push(e->a, &a, (Ir *)n->upper);
    kinds &= ir_kinds((Ir *)n->upper);
  }
  for (uint32_t i = 0; i < n->checks.n; i++) {
    Ir *v = n->checks.at[i].x;
    if (v->kind == IR_BOUND && v->op == TOK_NEQ) {
      IrBound *b = IR_AS(IrBound, v);
      if ((n->upper && bounds_simplify(e, n->kinds, n->upper, b)) ||
          (n->lower && bounds_simplify(e, n->kinds, n->lower, b)))
        continue;
    }
    cue_push(e->a, &a, v);
    kinds &= ir_kinds(v);
  }
  if (kinds & ~n->kinds) {
    cue_push(e->a, &a, n->kind_expr ? type_at(e, n->kinds, n->kind_expr) : ir_type(e, n->kinds));
  }
  if (a.n == 0) return final || !(n->kinds & ~(uint32_t)(CUE_STRUCT | CUE_LIST)) ? ir_type(e, n->kinds) : NULL;
  if (a.n == 1) return a.at[0];
  IrJunction *j = cue_new(e->a, IrJunction);
  j->kind = IR_CONJUNCTION;
  j->at = a.at;
  j->n = a.n;
  return (Ir *)j;
}

static void insert_bound(NodeState *n, Env *env, IrBound *x, CloseInfo id) {
  Eval *e = n->e;
  if (x->op == TOK_EQL || x->op == TOK_NEQ) node_conjunct_info(n, CUE_TOP, id, CONJUNCT_OPEN_VALIDATOR | CONJUNCT_TOP);
  bool match = false;
  uint32_t keep = 0;
  for (uint32_t i = 0; i < n->checks.n; i++) {
    Conjunct c = n->checks.at[i];
    if (c.x->kind == IR_BOUND) {
      Ir *s = bounds_simplify(e, n->kinds, x, IR_AS(IrBound, c.x));
      if (s == c.x)
        match = true;
      else if (s == (Ir *)x)
        continue;
    }
    n->checks.at[keep++] = c;
  }
  n->checks.n = keep;
  if (!match) cue_push(e->a, &n->checks, conjunct_make(e, env, (Ir *)x, id));
}

static void insert_validator(NodeState *n, Env *env, IrValidator *x, CloseInfo id) {
  Eval *e = n->e;
  node_unshare(n);
  uint32_t k = ir_kinds((Ir *)x);
  /* A field that has only a validator is left open: the validator decides what is allowed. */
  if (k & (CUE_LIST | CUE_STRUCT))
    node_conjunct_info(n, CUE_TOP, id,
                       x->builtin->non_concrete ? CONJUNCT_OPEN_VALIDATOR | CONJUNCT_TOP : CONJUNCT_TOP);
  Conjunct cx = conjunct_make(e, env, (Ir *)x, id);
  for (uint32_t i = 0; i < n->checks.n; i++) {
    Ir *y = n->checks.at[i].x;
    if (y->kind == IR_VALIDATOR && validator_same(e, x, IR_AS(IrValidator, y))) {
      if (i < n->checks.n) n->checks.at[i] = cx;
      return;
    }
  }
  cue_push(e->a, &n->checks, cx);
  if (k == CUE_TOP) n->has_top = true;
  node_update_type(n, k, (Ir *)x, id);
}

/* A vertex that came as a value: a struct or list computed by an expression, or data. */
static void insert_vertex_value(NodeState *n, Env *env, Vertex *x, CloseInfo id) {
  Eval *e = n->e;
  if (x->closed_once || x->closed_recursive) {
    if (x->closed_once)
      n->node->closed_once = true;
    else
      n->node->closed_recursive = true;
    bool from_disjunction = x->base && x->base->kind == IR_DISJUNCTION;
    for (Vertex *v = x; !from_disjunction;) {
      if (v->is_disjunct) from_disjunction = true;
      if (!v->base || v->base->kind != IR_VERTEX) break;
      v = IR_AS(Vertex, v->base);
    }
    if (!from_disjunction) id = node_add_resolver(n, (Ir *)x, x, id, false);
  }
  if (x->base && x->base->kind == IR_STRUCT_MARK) {
    n->a_struct = true;
    node_update_type(n, CUE_STRUCT, (Ir *)x, id);
  }
  if (!vertex_is_data(x)) {
    node_update_cyclic(n, id);
    node_schedule_vertex(n, conjunct_make(e, env, (Ir *)x, id), x, id);
    return;
  }
  if (!x->base) return;
  switch (x->base->kind) {
  case IR_LIST_MARK:
    node_update_cyclic(n, id);
    task_schedule(n, RUN_LIST_VERTEX, env ? env : &e->empty_env, (Ir *)x, id);
    return;
  case IR_STRUCT_MARK:
    for (uint32_t i = 0; i < x->arcs.n; i++) {
      Vertex *a = x->arcs.at[i];
      if (a->arc_type != ARC_MEMBER) continue;
      node_insert_arc(n, a->label, ARC_MEMBER, conjunct_make(e, NULL, (Ir *)a, id), id, true);
    }
    for (uint32_t i = 0; i < x->more->structs.n; i++)
      cue_push(e->a, &vertex_more(e, n->node)->structs, x->more->structs.at[i]);
    return;
  default: node_insert_value(n, env, x->base, id);
  }
}

void node_insert_value(NodeState *n, Env *env, Ir *v, CloseInfo id) {
  Eval *e = n->e;
  switch (v->kind) {
  case IR_VERTEX: insert_vertex_value(n, env, IR_AS(Vertex, v), id); return;
  case IR_BOTTOM:
    node_unshare(n);
    if (v != (Ir *)&e->no_share) node_add_bottom(n, IR_AS(Bottom, v));
    return;
  case IR_BUILTIN: {
    node_unshare(n);
    IrValidator *bare = builtin_bare_validator(e, IR_AS(IrBuiltin, v));
    if (bare) {
      node_insert_value(n, env, (Ir *)bare, id);
      return;
    }
    break;
  }
  default: break;
  }
  if (!node_update_type(n, ir_kinds(v), v, id)) return;
  switch (v->kind) {
  case IR_DISJUNCTION:
    node_update_cyclic(n, id);
    node_unshare(n);
    schedule_disjunction_value(n, env, IR_AS(IrDisjunction, v), id);
    break;
  case IR_CONJUNCTION:
    for (uint32_t i = 0; i < IR_AS(IrJunction, v)->n; i++) node_insert_value(n, env, IR_AS(IrJunction, v)->at[i], id);
    break;
  case IR_TOP:
    node_update_cyclic(n, id);
    n->has_top = true;
    node_conjunct_info(n, CUE_TOP, id, CONJUNCT_TOP);
    break;
  case IR_TYPE:
    node_unshare(n);
    node_update_cyclic(n, id);
    if (IR_AS(IrType, v)->kinds != CUE_TOP) node_conjunct_info(n, CUE_TOP, id, CONJUNCT_TOP);
    break;
  case IR_BOUND: {
    IrBound *x = IR_AS(IrBound, v);
    node_unshare(n);
    node_update_cyclic(n, id);
    if (x->op == TOK_EQL || x->op == TOK_NEQ || x->op == TOK_MAT || x->op == TOK_NMAT || hole_of(e, x->value)) {
      insert_bound(n, env, x, id);
      return;
    }
    IrBound **bound = x->op == TOK_GTR || x->op == TOK_GEQ ? &n->lower : &n->upper;
    if (*bound) {
      Ir *s = bounds_simplify(e, n->kinds, x, *bound);
      if (s) {
        *bound = NULL;
        node_insert_value(n, env, s, id);
        return;
      }
    }
    *bound = x;
    break;
  }
  case IR_VALIDATOR: insert_validator(n, env, IR_AS(IrValidator, v), id); break;
  default: /* scalars and functions */
    node_unshare(n);
    node_update_cyclic(n, id);
    if (e->holes && hole_insert(n, v, id)) break;
    if (n->scalar) {
      bool same = n->scalar == v ||
                  (v->kind == IR_SCALAR && n->scalar->kind == IR_SCALAR && ir_binop_bool(e, TOK_EQL, v, n->scalar));
      if (!same) node_report_conflict(n, v, n->scalar, ir_kinds(v), ir_kinds(n->scalar), n->scalar_id, id.def);
      break;
    }
    n->scalar = v;
    n->scalar_id = id.def;
    sched_signal(n, COND_SCALAR);
    break;
  }
  if (n->lower && n->upper) {
    Ir *u = bounds_simplify(e, n->kinds, n->lower, n->upper);
    if (u) {
      n->lower = n->upper = NULL;
      node_insert_value(n, env, u, id);
    }
  }
}
