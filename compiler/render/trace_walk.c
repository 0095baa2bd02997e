/* trace_walk.c - from reference to field, from field to conjuncts, from conjunct to step. */
#include "compiler/render/trace_impl.h"

/* ---- trails ---- */

Trail trail_to(Tracer *t, Vertex *v) {
  Trail up = {0}, down = {0};
  /* The variable of a for clause has nothing but a value: the field it stands for. */
  while (!v->conjuncts.n && v->base && v->base->kind == IR_VERTEX) v = IR_AS(Vertex, v->base);
  for (Vertex *p = v; p && up.n < CUE_MAX_DEPTH; p = p->parent) cue_push(t->a, &up, p);
  for (uint32_t i = up.n; i-- > 0;) cue_push(t->a, &down, up.at[i]);
  return down;
}

Trail trail_below(Tracer *t, Trail above, Vertex *arc) {
  Trail d = {0};
  for (uint32_t i = 0; i < above.n; i++) cue_push(t->a, &d, above.at[i]);
  cue_push(t->a, &d, arc);
  return d;
}

Vertex *trail_arc(Tracer *t, Vertex *v, Label l) {
  Vertex *arc = vertex_arc(vertex_deref(vertex_default(t->e, v)), l);
  return arc && vertex_defined(t->e, arc) ? arc : NULL;
}

Label trail_index(Tracer *t, Env *env, Ir *index) {
  Ir *i = export_eval(&t->x, env, index);
  if (i) i = ir_unwrap(i);
  if (!i || i->kind != IR_SCALAR) return 0;
  CueValue v = IR_AS(IrScalar, i)->v;
  if (v.kind == CUE_STRING) return label_string(t->c->labels, cue_value_str(v));
  bool small = v.kind == CUE_INT && v.form == CUE_PLAIN && v.as.i >= 0 && v.as.i < (int64_t)LABEL_MAX_INT;
  return small ? label_int((uint32_t)v.as.i) : 0;
}

/* Where a reference leads. Selections are made one by one: each field passed may be a reference itself. */
bool trail_resolve(Tracer *t, Env *env, Ir *ref, Trail *out) {
  Ir *of = ref->kind == IR_SELECTOR ? IR_AS(IrSelector, ref)->x : ref->kind == IR_INDEX ? IR_AS(IrIndex, ref)->x : NULL;
  Trail above;
  if (of && ir_is_resolver(of) && trail_resolve(t, env, of, &above)) {
    Label l = ref->kind == IR_SELECTOR ? IR_AS(IrSelector, ref)->sel : trail_index(t, env, IR_AS(IrIndex, ref)->index);
    Vertex *arc = l ? trail_arc(t, trail_end(above), l) : NULL;
    if (arc) {
      *out = trail_below(t, above, arc);
      return true;
    }
  }
  Vertex *v = export_resolve(&t->x, env, ref);
  if (!v || v == &t->e->empty_node) return false;
  *out = trail_to(t, v);
  cue_finalize(t->e, trail_end(*out));
  return true;
}

/* ---- conjuncts ---- */

/* The environments of the structs that a part of a comprehension lies in, as the evaluator makes them. */
static Env *part_env(Tracer *t, Env *env, const IrComprehension *c) {
  return c->parent ? env_new(t->e, part_env(t, env, c->parent), c->arc) : env;
}

typedef struct {
  Tracer *t;
  SaidList *out;
} SaidVisit;

static void add_said(void *arg, const Conjunct *c) {
  SaidVisit *s = arg;
  Tracer *t = s->t;
  if (c->x->kind == IR_VERTEX) {
    Vertex *v = IR_AS(Vertex, c->x);
    conjuncts_each(v->conjuncts.at, v->conjuncts.n, add_said, arg);
  } else if (c->x->kind == IR_COMPREHENSION) {
    IrComprehension *p = IR_AS(IrComprehension, c->x);
    for (uint32_t i = 0; p->run && i < p->run->envs.n; i++)
      cue_push(t->a, s->out, (Said){part_env(t, p->run->envs.at[i], p), p->value, p, c->env});
  } else {
    cue_push(t->a, s->out, (Said){c->env, c->x, NULL, NULL});
  }
}

SaidList said_of(Tracer *t, Vertex *v) {
  SaidList out = {0};
  conjuncts_each(v->conjuncts.at, v->conjuncts.n, add_said, &(SaidVisit){t, &out});
  return out;
}

/* ---- steps ---- */

TraceStep *step_new(Tracer *t, const Ir *x) {
  TraceStep *s = cue_new(t->a, TraceStep);
  s->pos = x->src ? x->src->pos : x->pos;
  s->text = trace_text(&t->places, x->src);
  TracePlace p = trace_place(&t->places, s->pos);
  s->role = p.role;
  s->path = p.path;
  s->value = cue_error(CUE_STR(""));
  t->made++;
  return s;
}

bool step_same(const TraceStep *x, const TraceStep *y) {
  if (!cue_pos_known(x->pos) || cue_pos_offset(x->pos) != cue_pos_offset(y->pos)) return false;
  /* A comprehension may say one thing of each of its values. */
  return x->value.kind == CUE_BOTTOM || y->value.kind == CUE_BOTTOM || cue_value_eq(x->value, y->value);
}

/* Once is enough. What is passed on in the same way is told together. */
void step_add(Tracer *t, TraceSteps *out, TraceStep *s) {
  for (uint32_t i = 0; i < out->n; i++)
    if (step_same(out->at[i], s)) {
      if (s->kind == TRACE_PASSES && out->at[i]->kind == TRACE_PASSES) steps_add(t, &out->at[i]->from, &s->from);
      return;
    }
  cue_push(t->a, out, s);
}

void steps_add(Tracer *t, TraceSteps *out, const TraceSteps *more) {
  for (uint32_t i = 0; i < more->n; i++) step_add(t, out, more->at[i]);
}
