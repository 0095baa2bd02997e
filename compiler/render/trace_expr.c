/* trace_expr.c - what an expression says by itself: a value, a default, or only what values may be; and the steps that its
** references lead to.
*/
#include "compiler/render/trace_impl.h"

static Says says(Ir *v, CueValue *out) {
  *out = cue_error(CUE_STR(""));
  if (!v) return SAYS_NOTHING;
  v = ir_unwrap(v);
  Says s = SAYS_VALUE;
  if (v && v->kind == IR_DISJUNCTION) {
    if (IR_AS(IrDisjunction, v)->ndefaults != 1) return SAYS_NOTHING;
    v = ir_unwrap(IR_AS(IrDisjunction, v)->at[0]);
    s = SAYS_DEFAULT;
  }
  if (v && v->kind == IR_SCALAR)
    *out = IR_AS(IrScalar, v)->v;
  else if (!v || v->kind != IR_VERTEX || vertex_bottom(IR_AS(Vertex, v)))
    return SAYS_NOTHING;
  return s;
}

static void refs_all(Tracer *t, Env *env, Ir **at, uint32_t n, TraceSteps *out) {
  for (uint32_t i = 0; i < n; i++) steps_of_refs(t, env, at[i], out);
}

/* A struct or list made on the spot: what its fields are made of. */
static void refs_inside(Tracer *t, Env *env, Ir *x, TraceSteps *out) {
  Ir *v = export_eval(&t->x, env, x);
  if (!v || v->kind != IR_VERTEX) return;
  cue_finalize(t->e, IR_AS(Vertex, v));
  Vertex *d = vertex_deref(IR_AS(Vertex, v));
  for (uint32_t i = 0; i < d->arcs.n; i++)
    if (label_is_regular(d->arcs.at[i]->label) && vertex_defined(t->e, d->arcs.at[i]))
      steps_at(t, trail_to(t, d->arcs.at[i]), out);
}

void refs_copied(Tracer *t, Ir *x, uint32_t below, Refs *out) {
  if (ir_is_resolver(x)) {
    for (; below && (x->kind == IR_SELECTOR || x->kind == IR_INDEX); below--)
      x = x->kind == IR_SELECTOR ? IR_AS(IrSelector, x)->x : IR_AS(IrIndex, x)->x;
    if (!below) cue_push(t->a, out, x);
  } else if (x->kind == IR_LIST && IR_AS(IrList, x)->n) {
    refs_copied(t, IR_AS(IrList, x)->elems[0], below + 1, out);
  } else if (x->kind == IR_STRUCT) {
    IrStruct *s = IR_AS(IrStruct, x);
    for (uint32_t i = 0; i < s->n; i++)
      if (s->decls[i]->kind == IR_FIELD) refs_copied(t, IR_AS(IrField, s->decls[i])->value, below + 1, out);
  }
}

/* Where a field is declared, for its name. */
static void add_declared(Tracer *t, const SaidList *all, TraceSteps *out) {
  for (uint32_t i = 0; i < all->n; i++) {
    Ir *d = all->at[i].decl;
    if (d->kind == IR_PATTERN || !d->src) continue;
    if (!said_in_program(t, d)) {
      step_add(t, out, step_new(t, d));
      continue;
    }
    Refs refs = {0};
    Trail to;
    refs_copied(t, conjunct_elem(d), 0, &refs);
    for (uint32_t k = 0; k < refs.n; k++)
      if (trail_resolve(t, all->at[i].env, refs.at[k], &to)) {
        SaidList there = said_of(t, trail_end(to));
        for (uint32_t j = 0; j < there.n; j++)
          if (there.at[j].decl->src && !said_in_program(t, there.at[j].decl))
            step_add(t, out, step_new(t, there.at[j].decl));
      }
  }
}

/* The key of a for clause is the name of a field: where that is declared. */
static bool key_steps(Tracer *t, Env *env, const IrRef *r, TraceSteps *out) {
  for (uint32_t i = 0; i < r->up && env->up; i++) env = env->up;
  Vertex *scope = env->vertex, *key = scope && scope->anonymous ? vertex_arc(scope, r->label) : NULL;
  if (!key || !key->conjuncts.n || key->conjuncts.at[0].x->kind != IR_SCALAR) return false;
  for (uint32_t i = 0; i < scope->arcs.n; i++) {
    Vertex *v = scope->arcs.at[i];
    if (v == key || !v->base || v->base->kind != IR_VERTEX) continue;
    SaidList all = said_of(t, IR_AS(Vertex, v->base));
    add_declared(t, &all, out);
  }
  return true;
}

/* The name that an alias of a pattern stands for: where the field of that name is declared. */
static void label_steps(Tracer *t, Env *env, const IrRef *r, TraceSteps *out) {
  Vertex *v = env->vertex;
  for (uint32_t i = 0; i < r->up && env->up; i++) {
    v = env->vertex;
    env = env->up;
  }
  while (v && v->label != env->dynamic_label) v = v->parent;
  SaidList all = {0};
  if (v) all = said_of(t, v);
  add_declared(t, &all, out);
}

void steps_of_refs(Tracer *t, Env *env, Ir *x, TraceSteps *out) {
  if (ir_is_resolver(x)) {
    Trail to;
    if (x->kind == IR_FIELD_REF && key_steps(t, env, IR_AS(IrRef, x), out)) return;
    if (trail_resolve(t, env, x, &to) && trail_end(to)->parent) steps_at(t, to, out);
    if (x->kind == IR_INDEX) steps_of_refs(t, env, IR_AS(IrIndex, x)->index, out);
    return;
  }
  switch (x->kind) {
  case IR_LABEL_REF: label_steps(t, env, IR_AS(IrRef, x), out); break;
  case IR_INTERPOLATION: refs_all(t, env, IR_AS(IrInterpolation, x)->parts, IR_AS(IrInterpolation, x)->n, out); break;
  case IR_CALL: refs_all(t, env, IR_AS(IrCall, x)->args, IR_AS(IrCall, x)->n, out); break;
  case IR_UNARY:
  case IR_OPEN:
  case IR_BOUND_EXPR: steps_of_refs(t, env, IR_AS(IrUnary, x)->x, out); break;
  case IR_BINARY:
    steps_of_refs(t, env, IR_AS(IrBinary, x)->x, out);
    steps_of_refs(t, env, IR_AS(IrBinary, x)->y, out);
    break;
  case IR_SLICE:
    steps_of_refs(t, env, IR_AS(IrSlice, x)->x, out);
    if (IR_AS(IrSlice, x)->lo) steps_of_refs(t, env, IR_AS(IrSlice, x)->lo, out);
    if (IR_AS(IrSlice, x)->hi) steps_of_refs(t, env, IR_AS(IrSlice, x)->hi, out);
    break;
  case IR_DISJUNCTION_EXPR:
    for (uint32_t i = 0; i < IR_AS(IrDisjunctionExpr, x)->n; i++)
      if (IR_AS(IrDisjunctionExpr, x)->at[i].is_default)
        steps_of_refs(t, env, IR_AS(IrDisjunctionExpr, x)->at[i].x, out);
    break;
  case IR_STRUCT:
  case IR_LIST: refs_inside(t, env, x, out); break;
  default: break;
  }
}

static void merge_part(Tracer *t, Part *into, const Part *p) {
  if (p->says > into->says) {
    into->says = p->says;
    into->value = p->value;
    into->literal = p->literal;
  }
  steps_add(t, &into->from, &p->from);
}

Part part_of(Tracer *t, Env *env, Ir *x, Vertex *node) {
  Part p = {.value = cue_error(CUE_STR(""))};
  if (x->kind == IR_OPEN) return part_of(t, env, IR_AS(IrUnary, x)->x, node);
  if (x->kind == IR_BINARY && x->op == TOK_AND) {
    p = part_of(t, env, IR_AS(IrBinary, x)->x, node);
    Part q = part_of(t, env, IR_AS(IrBinary, x)->y, node);
    merge_part(t, &p, &q);
    return p;
  }
  if (x->kind == IR_STRUCT || x->kind == IR_LIST) {
    p.says = SAYS_VALUE;
    p.literal = true;
    if (x->kind == IR_LIST) return p;
    IrStruct *s = IR_AS(IrStruct, x);
    ir_struct_read(s);
    Env *inner = env_new(t->e, env, node);
    for (uint32_t i = 0; i < s->n; i++) { /* a scalar in braces: {x} */
      if (s->decls[i]->kind >= IR_FIELD) continue;
      Part q = part_of(t, inner, s->decls[i], node);
      p.value = q.value;
      steps_add(t, &p.from, &q.from);
    }
    return p;
  }
  if (ir_is_resolver(x)) {
    Trail to;
    if (trail_resolve(t, env, x, &to)) p.says = says(vertex_value(vertex_deref(trail_end(to))), &p.value);
  } else {
    p.says = says(ir_is_value(x) ? x : export_eval(&t->x, env, x), &p.value);
    p.literal = x->kind == IR_SCALAR || x->kind == IR_DISJUNCTION_EXPR;
  }
  /* What only limits is told in its own words: what it refers to would be too much. */
  if (p.says != SAYS_NOTHING) steps_of_refs(t, env, x, &p.from);
  return p;
}
