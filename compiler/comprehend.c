/* comprehend.c - comprehensions.
**
** The static fields of a comprehension's value are inserted at once, as pending arcs, each with a
** partial comprehension as its conjunct: `if c {a: 1, b: 2}` acts as if a and b each had its own
** condition. So a field made by one comprehension can be read by the condition of another. The
** clauses are evaluated once for all of them (CompRun). What is not a static field is added by a
** task of the vertex itself.
*/
#include "compiler/hole.h"

static IrComprehension *partial(Eval *e, IrComprehension *c, IrField *f, CompRun *run, Vertex *arc) {
  IrComprehension *p = cue_new(e->a, IrComprehension);
  p->kind = IR_COMPREHENSION;
  p->src = c->src;
  p->pos = c->pos;
  p->clauses = c->clauses;
  p->n = c->n;
  p->value = (Ir *)f;
  p->arc_type = f->kind == IR_FIELD ? f->arc_type : ARC_MEMBER;
  p->run = run;
  p->parent = c;
  p->arc = arc;
  return p;
}

static IrStruct *struct_of(Eval *e, const IrStruct *from, Ir **decls, uint32_t n) {
  IrStruct *s = cue_new(e->a, IrStruct);
  s->kind = IR_STRUCT;
  s->flag = IR_STRUCT_COMPREHENSION;
  if (from) {
    s->src = from->src;
    s->pos = from->pos;
  }
  s->decls = decls;
  s->n = n;
  return s;
}

/* How the value of a comprehension splits into fields and the rest: found once for each literal. */
struct CompShape {
  IrField **fields;
  uint32_t n;
  uint32_t kinds;  /* what the fields say of the kind of the node */
  IrStruct *fixed; /* the fields alone */
  IrStruct *rest;  /* the rest alone; NULL if there is none */
};

static CompShape *shape_of(Eval *e, IrStruct *v) {
  if (v->shape) return v->shape;
  CompShape *s = v->shape = cue_new(e->a, CompShape);
  Ir **fields = cue_array(e->a, Ir *, v->n), **others = cue_array(e->a, Ir *, v->n);
  uint32_t nothers = 0;
  s->kinds = CUE_TOP;
  s->fields = cue_array(e->a, IrField *, v->n);
  for (uint32_t i = 0; i < v->n; i++) {
    Ir *d = v->decls[i];
    if (d->kind != IR_FIELD && d->kind != IR_LET) {
      others[nothers++] = d;
      continue;
    }
    IrField *f = IR_AS(IrField, d);
    fields[s->n] = d;
    s->fields[s->n++] = f;
    if (d->kind == IR_LET) continue;
    if (label_is_int(f->label))
      s->kinds &= CUE_LIST;
    else if (label_is_string(f->label))
      s->kinds &= CUE_STRUCT;
  }
  if (s->n > 0) {
    s->fixed = s->n < v->n ? struct_of(e, v, fields, s->n) : v;
    s->rest = struct_of(e, NULL, others, nothers);
  }
  return s;
}

void node_insert_comprehension(NodeState *n, Env *env, IrComprehension *c, CloseInfo ci) {
  Eval *e = n->e;
  CompRun *run = c->run;
  if (!run) {
    run = cue_new(e->a, CompRun);
    run->comp = c;
    run->vertex = n->node;
  }
  Ir *x = c->value;
  Vertex *node = vertex_deref_disjunct(n->node);
  Ir *value = conjunct_expr(x);
  if (value->kind == IR_STRUCT) {
    IrStruct *v = IR_AS(IrStruct, value);
    ci = node_split_struct(n, v, ci);
    CompShape *s = shape_of(e, v);
    c->kinds = s->n == v->n && s->kinds == CUE_TOP && v->n > 0 ? (uint32_t)CUE_STRUCT : s->kinds;
    for (uint32_t i = 0; i < s->n; i++) {
      IrField *f = s->fields[i];
      Conjunct pc = conjunct_make(e, env, (Ir *)partial(e, c, f, run, node), ci);
      bool let = f->kind == IR_LET;
      Vertex *arc = node_insert_arc(n, f->label, let ? ARC_MEMBER : ARC_PENDING, pc, ci, false);
      if (let) arc->multi_let = true;
    }
    if (s->n > 0) {
      vertex_add_struct(e, node, s->fixed);
      if (!run->done) {
        if (!run->structs.cap) cue_reserve(e->a, &run->structs, 1);
        cue_push(e->a, &run->structs, s->fixed);
      } else if (run->envs.n > 0) {
        s->fixed->flag |= IR_STRUCT_INIT;
        if (s->kinds == CUE_STRUCT || s->kinds == CUE_LIST) node_update_type(n, s->kinds, (Ir *)s->fixed, ci);
      }
      if (s->rest->n == 0 && !c->fallback) return; /* all was said field by field */
      x = (Ir *)s->rest;
    }
  }
  Task *t = task_schedule(n, RUN_COMPREHENSION, env, x, ci);
  t->comp = run;
  t->leaf = c;
}

/* ---- clauses ---- */

typedef struct {
  IrComprehension *comp;
  uint32_t i; /* next clause */
  uint8_t status;
  CompYield *f;
  void *arg;
} CompState;

static void run_clause(Eval *e, CompState *s, Ir *clause);

/* One result of a clause: goes on with the next, or yields. False if there was an error. */
static bool clause_yield(Eval *e, CompState *s, Env *env) {
  if (s->i >= s->comp->n) {
    s->f(e, env, s->arg);
    return true;
  }
  Ir *next = s->comp->clauses[s->i];
  Env *saved_env = e->env;
  Bottom *saved_errs = e->errs;
  const Ast *saved_src = e->src;
  CloseInfo saved_ci = e->ci;
  e->errs = NULL;
  if (next->src) e->src = next->src;
  e->env = env;
  s->i++;
  run_clause(e, s, next);
  s->i--;
  Bottom *b = e->errs;
  e->env = saved_env;
  e->errs = saved_errs;
  e->src = saved_src;
  e->ci = saved_ci;
  if (b) {
    eval_add_bottom(e, b);
    return false;
  }
  return !e->errs;
}

/* What a for clause ranges over: a vertex whose fields are known; the empty node with an error
** otherwise. */
static Vertex *for_source(Eval *e, Ir *x, Hole **hole) {
  e->in_detached++;
  Ir *v = eval_unify_node(e, x, (Flags){.status = VERTEX_CONJUNCTS, .cond = COND_NEED_FIELD_SET, .mode = RUN_ATTEMPT});
  e->in_detached--;
  if (v && v->kind == IR_VERTEX)
    vertex_unify(e, IR_AS(Vertex, v), (Flags){.cond = COND_NEED_FIELD_SET, .mode = RUN_FINALIZE, .typos = true});
  bool ok;
  v = eval_get_default(e, v, &ok);
  if (!ok) return &e->empty_node;
  if (e->holes && (*hole = hole_of(e, v))) return &e->empty_node;
  Ir *w = ir_unwrap(v);
  if (!is_cycle_placeholder(e, w)) v = w;
  Vertex *node = v && v->kind == IR_VERTEX ? IR_AS(Vertex, v) : NULL;
  if (node && !is_cycle_placeholder(e, node->base)) v = vertex_value(node);
  if (!v) {
    eval_error(e, BOTTOM_INCOMPLETE, ir_pos(x), "cannot range over %v (incomplete)", x);
    return &e->empty_node;
  }
  if (v->kind == IR_BOTTOM) {
    eval_add_bottom(e, IR_AS(Bottom, v));
    return &e->empty_node;
  }
  uint32_t kinds = ir_kinds(v);
  if (v->kind != IR_VERTEX) {
    if (kinds & (CUE_STRUCT | CUE_LIST)) {
      eval_error(e, BOTTOM_INCOMPLETE, ir_pos(x), "cannot range over %v (incomplete type %k)", x, kinds);
      return &e->empty_node;
    }
    if (!node) {
      eval_error(e, BOTTOM_EVAL, ir_pos(x), "cannot range over %a (found %k, want list or struct)", x->src, kinds);
      return &e->empty_node;
    }
  }
  if ((kinds & (CUE_STRUCT | CUE_LIST)) && kinds != CUE_STRUCT && kinds != CUE_LIST) {
    eval_error(e, BOTTOM_INCOMPLETE, ir_pos(x), "cannot range over %v (incomplete type %k)", x, kinds);
    return &e->empty_node;
  }
  return node ? node : &e->empty_node;
}

static Vertex *clause_vertex(Eval *e, Label l) {
  Vertex *v = vertex_new(e, NULL, l);
  v->is_dynamic = true;
  v->anonymous = true;
  return v;
}

/* The scope of a for clause: its variables. */
static Vertex *for_scope(Eval *e, const IrFor *x, Env *env) {
  Vertex *scope = clause_vertex(e, 0);
  scope->parent = env_vertex(e, env);
  scope->status = VERTEX_FINALIZED;
  vertex_reserve_arcs(e, scope, (x->value ? 1u : 0u) + (x->key ? 1u : 0u));
  return scope;
}

static void for_variable(Eval *e, Vertex *scope, Label name, Env *env, Ir *value) {
  Vertex *k = clause_vertex(e, name);
  cue_push(e->a, &k->conjuncts, conjunct_make(e, env, value, (CloseInfo){0}));
  k->base = value;
  k->status = VERTEX_FINALIZED;
  vertex_add_arc(e, scope, k);
}

/* Its variables, of a value that is not known. */
static Env *for_hole_env(Eval *e, const IrFor *x, const Hole *hole, const HoleStep *step) {
  Env *env = e->env;
  Vertex *scope = for_scope(e, x, env);
  const PlanSchema *element = hole_schema_element(hole->schema);
  uint32_t key =
      (hole->kinds & CUE_LIST ? (unsigned)CUE_INT : 0) | (hole->kinds & CUE_STRUCT ? (unsigned)CUE_STRING : 0);
  if (x->value)
    for_variable(e, scope, x->value, env,
                 hole_make(e, hole_plan(e->holes, (Plan){.kind = PLAN_VAR, .slot = step->value_slot}),
                           hole_schema_kinds(element), element));
  if (x->key)
    for_variable(e, scope, x->key, env,
                 hole_make(e, hole_plan(e->holes, (Plan){.kind = PLAN_VAR, .slot = step->key_slot}), key, NULL));
  return env_new(e, env, scope);
}

/* Over a value that is not known: once, or once for each case, with variables that are not known either. */
static void run_for_hole(Eval *e, CompState *s, const IrFor *x, const Hole *hole) {
  uint16_t outer = e->ci.context;
  HoleStep step;
  HoleContexts cases = {0};
  context_loop(e->holes, outer, hole->plan, &step);
  hole_cases(e, outer, &step, &cases);
  const Env *first = NULL;
  bool ok = true;
  for (uint32_t i = 0; ok && i < cases.n; i++) {
    Env *env = for_hole_env(e, x, hole, &step);
    if (!first) first = env;
    if (cases.n > 1) hole_turn(e->holes, env, first, &step);
    e->ci.context = cases.at[i];
    ok = clause_yield(e, s, env);
  }
}

/* The context in which a field is there, of a for clause that runs over it. */
static uint16_t for_context(Eval *e, Vertex *a) {
  HoleContexts cs = {0};
  vertex_contexts(e, a, &cs);
  cue_push(e->a, &e->holes->presences, (HolePresence){a, cs});
  if (cs.n == 1) return context_and(e->holes, e->ci.context, cs.at[0]);
  const Plan *p = vertex_presence(e, a, eval_context(e));
  return p ? context_guard(e->holes, e->ci.context, p) : e->ci.context;
}

static void run_for(Eval *e, CompState *s, IrFor *x) {
  Env *env = e->env;
  Hole *hole = NULL;
  Vertex *n = for_source(e, x->source, &hole);
  if (hole) {
    uint16_t saved = e->ci.context;
    run_for_hole(e, s, x, hole);
    e->ci.context = saved;
    return;
  }
  if (e->holes && vertex_has_names(e, n) && !vertex_names_differ(e, n))
    hole_fail(e, ir_pos(x->source), "a loop over fields of which some may have one name");
  NodeState *state = vertex_state(e, n);
  if (state) sched_freeze(state, COND_FIELD_SET);
  uint32_t count = n->arcs.n; /* fields that come later are errors: the set is frozen */
  for (uint32_t i = 0; i < count && i < n->arcs.n; i++) {
    Vertex *a = n->arcs.at[i];
    if (!label_is_regular(a->label)) continue;
    NodeState *as = vertex_state(e, a);
    if (as) sched_process(as, COND_ARC_TYPE, RUN_ATTEMPT);
    if (a->arc_type == ARC_REQUIRED) {
      Err *err = err_new(e, eval_pos(e), "missing required field in for comprehension: %l", a->label);
      err_add_ir(e, err, x->source);
      for (uint32_t k = 0; k < a->conjuncts.n; k++) {
        if (a->conjuncts.at[k].x->kind == IR_FIELD) err_add_ir(e, err, a->conjuncts.at[k].x);
        err_add_pos(e, err, e->containments.at[a->conjuncts.at[k].ci.def].pos);
      }
      eval_add_bottom(e, bottom_new(e, BOTTOM_INCOMPLETE, err));
      continue;
    }
    if (a->arc_type != ARC_MEMBER) continue;

    Vertex *scope = for_scope(e, x, env);
    if (x->value) {
      Vertex *v = clause_vertex(e, x->value);
      v->base = (Ir *)a;
      v->arc_type = ARC_PENDING;
      vertex_add_arc(e, scope, v);
    }
    if (x->key) {
      Ir *key = label_is_string(a->label) ? ir_scalar(e, cue_string(label_name(e->labels, a->label)))
                                          : ir_int(e, label_index(a->label));
      if (e->holes && label_hole(e, a->label)) key = label_hole(e, a->label)->scalar;
      for_variable(e, scope, x->key, env, key);
    }
    uint16_t saved = e->ci.context;
    if (e->holes) e->ci.context = for_context(e, a);
    bool ok = clause_yield(e, s, env_new(e, env, scope));
    e->ci.context = saved;
    if (!ok) break;
  }
}

static Env *bind(Eval *e, Label l, Ir *x) {
  Vertex *v = clause_vertex(e, l);
  cue_push(e->a, &v->conjuncts, conjunct_make(e, e->env, x, e->ci));
  Vertex *scope = vertex_new(e, NULL, 0);
  vertex_reserve_arcs(e, scope, 1);
  vertex_add_arc(e, scope, v);
  return env_new(e, e->env, scope);
}

static void run_try(Eval *e, CompState *s, IrField *x) {
  bool saved = e->skip_try;
  e->skip_try = false;
  Conjunct c = conjunct_make(e, e->env, x->value ? x->value : s->comp->value, e->ci);
  Vertex *v = vertex_inline(e, &c);
  cue_finalize(e, v);
  bool skipped = e->skip_try;
  e->skip_try = saved;
  if (skipped) return;
  clause_yield(e, s, x->value ? bind(e, x->label, x->value) : e->env);
}

static void run_if_hole(Eval *e, CompState *s, const Hole *hole) {
  uint16_t saved = e->ci.context;
  bool holds = true;
  if (!hole_decided(e->holes, hole->plan, saved, &holds)) e->ci.context = context_guard(e->holes, saved, hole->plan);
  if (holds) clause_yield(e, s, e->env);
  e->ci.context = saved;
}

static void run_clause(Eval *e, CompState *s, Ir *clause) {
  switch (clause->kind) {
  case IR_FOR: run_for(e, s, IR_AS(IrFor, clause)); break;
  case IR_IF: {
    Ir *v =
        eval_value(e, IR_AS(IrUnary, clause)->x, (Flags){.status = s->status, .cond = COND_SCALAR, .mode = RUN_YIELD});
    Hole *hole = hole_of(e, v);
    if (hole)
      run_if_hole(e, s, hole);
    else if (eval_bool(e, v, NULL, 0))
      clause_yield(e, s, e->env);
    break;
  }
  case IR_LET_CLAUSE: clause_yield(e, s, bind(e, IR_AS(IrField, clause)->label, IR_AS(IrField, clause)->value)); break;
  case IR_TRY: run_try(e, s, IR_AS(IrField, clause)); break;
  default: break;
  }
}

Bottom *eval_yield_comprehension(Eval *e, Vertex *node, Env *env, IrComprehension *c, uint8_t status, CompYield *f,
                                 void *arg) {
  CompState s = {c, 0, status, f, arg};
  Env *saved_env = e->env;
  Bottom *saved_errs = e->errs;
  const Ast *saved_src = e->src;
  CloseInfo saved_ci = e->ci;
  Vertex *saved_vertex = e->vertex;
  e->errs = NULL;
  if (c->clauses[0]->src) e->src = c->clauses[0]->src;
  e->env = env;
  if (node) e->vertex = node;
  s.i++;
  run_clause(e, &s, c->clauses[0]);
  Bottom *b = e->errs;
  e->env = saved_env;
  e->errs = saved_errs;
  e->src = saved_src;
  e->ci = saved_ci;
  e->vertex = saved_vertex;
  return b;
}

/* ---- results ---- */

static void add_env(Eval *e, Env *env, void *arg) {
  CompRun *r = arg;
  if (!r->envs.cap) cue_reserve(e->a, &r->envs, 1); /* most are conditions */
  cue_push(e->a, &r->envs, env);
  if (e->holes) cue_push(e->a, &r->contexts, e->ci.context);
}

/* The environments of the structs a partial comprehension lies in, on top of a result's. */
static Env *link_children(Eval *e, Env *env, IrComprehension *c) {
  if (!c->parent) return env;
  return env_new(e, link_children(e, env, c->parent), c->arc);
}

enum { MANY = 64 }; /* results that are better made room for at once */

/* Returns an incomplete error; other errors are added to where the comprehension stands. */
Bottom *node_process_comprehension(NodeState *n, Task *t) {
  Eval *e = n->e;
  CompRun *r = t->comp;
  if (!r->done) {
    r->envs.n = r->contexts.n = 0; /* an earlier try may have left some */
    Bottom *err = eval_yield_comprehension(e, r->vertex, t->env, r->comp, 0, add_env, r);
    if (err) {
      if (bottom_incomplete(err)) return err;
      r->done = true;
      if (r->vertex->state) node_add_bottom(r->vertex->state, err);
      return NULL;
    }
    if (r->envs.n > 0)
      for (uint32_t i = 0; i < r->structs.n; i++) r->structs.at[i]->flag |= IR_STRUCT_INIT;
    r->structs.n = 0;
    r->done = true;
  }
  if (r->envs.n == 0) {
    if (t->leaf->fallback) {
      Env *env = link_children(e, t->env, t->leaf);
      node_schedule_conjunct(n, conjunct_make(e, env, t->leaf->fallback, t->id), t->id);
      return NULL;
    }
    vertex_update_arc_type(e, n->node, ARC_NOT_PRESENT);
    return NULL;
  }
  Vertex *v = n->node;
  for (IrComprehension *c = t->leaf; c->parent; c = c->parent) {
    v = eval_deref(e, v);
    vertex_update_arc_type(e, v, (ArcType)c->arc_type);
    if (v->arc_type == ARC_NOT_PRESENT) {
      Bottom *b = vertex_report_field_error(e, v->parent, r->comp->pos, v->label, true);
      if (r->vertex->state) node_add_bottom(r->vertex->state, b);
      t->err = b;
      t->state = TASK_FAILED;
      return NULL;
    }
    if (c->kinds == CUE_STRUCT || c->kinds == CUE_LIST) {
      NodeState *s = vertex_bare_state(e, vertex_deref_disjunct(v));
      if (s) node_update_type(s, c->kinds, conjunct_expr(c->value), t->id);
    }
    v = c->arc;
  }
  if (r->envs.n >= MANY) { /* each result will likely be a field, which a task makes */
    cue_reserve(e->a, &n->tasks, n->tasks.n + r->envs.n);
    cue_reserve(e->a, &n->node->arcs, n->node->arcs.n + r->envs.n);
  }
  for (uint32_t i = 0; i < r->envs.n; i++) {
    if (n->node->arc_type == ARC_NOT_PRESENT) {
      t->err = vertex_report_field_error(e, n->node, r->comp->pos, n->node->label, true);
      eval_yield(e);
    }
    Env *env = link_children(e, r->envs.at[i], t->leaf);
    CloseInfo id = t->id;
    if (e->holes) id.context = context_and(e->holes, id.context, r->contexts.at[i]);
    node_schedule_conjunct(n, conjunct_make(e, env, t->x, id), id);
  }
  return NULL;
}
