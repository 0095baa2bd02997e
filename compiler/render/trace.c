/* trace.c - from a field to the declarations that made it.
**
** A vertex knows the conjuncts that were unified into it, each with the environment in which its
** names are resolved. So a trace asks each conjunct what it says by itself (trace_expr.c) and what
** brought it (trace_via.c), and goes on with the vertices its references lead to, until there are
** only literals.
*/
#include <stdlib.h>

#include "compiler/render/trace_impl.h"

enum {
  TRACE_STEPS = 2000, /* of one trace: beyond it nobody reads on */
  TRACE_DEPTH = 60,
};

/* An environment may be any field of a package: what is said in its declarations is said by the environment. */
static void add_environment(Tracer *t, Env *env, Ir *x, int depth) {
  Trail to;
  if (x->kind == IR_BINARY && x->op == TOK_AND) {
    add_environment(t, env, IR_AS(IrBinary, x)->x, depth);
    add_environment(t, env, IR_AS(IrBinary, x)->y, depth);
    return;
  }
  if (depth > 8 || !ir_is_resolver(x) || !trail_resolve(t, env, x, &to)) return;
  SaidList all = said_of(t, trail_end(to));
  for (uint32_t i = 0; i < all.n; i++) {
    const Ast *src = all.at[i].decl->src;
    if (src && !said_in_program(t, all.at[i].decl) && trace_place(&t->places, src->pos).role != TRACE_DEFINITION)
      cue_push(t->a, &t->places.environment, src);
    add_environment(t, all.at[i].env, conjunct_elem(all.at[i].decl), depth + 1);
  }
}

Tracer *trace_new(CueContext *c, const RenderModule *m, const RenderRelease *r, const RenderTransformers *p) {
  Tracer *t = cue_new(c->a, Tracer);
  *t = (Tracer){.c = c, .e = c->eval, .a = c->a, .x = {.e = c->eval, .a = c->a}};
  t->places = (TracePlaces){.c = c, .module = m, .release = r};
  trace_places(&t->places, p);
  if (!r->env) return t;
  SaidList all = said_of(t, r->env->vertex);
  for (uint32_t i = 0; i < all.n; i++) add_environment(t, all.at[i].env, conjunct_elem(all.at[i].decl), 0);
  CueDiags none = {.a = c->a};
  CueStr text = cue_strf(c->a, "base: %.*s.values\n", CUE_FMT(m->release ? m->given : m->expr));
  Instance *base = program_make(c, text, (ProgramImport[]){{"module", m->package}}, 1, &none);
  t->base = base ? program_field(c, base->root, "base") : NULL;
  return t;
}

/* ---- fields ---- */

/* The value that an environment took the place of: ref is what a program says of it. */
static void add_overridden(Tracer *t, const Ir *ref, TraceSteps *out) {
  CUE_VEC(Label) path = {0};
  bool found = false;
  const Ir *x = ref;
  while (!found && (x->kind == IR_SELECTOR || x->kind == IR_INDEX)) {
    Label l =
        x->kind == IR_SELECTOR ? IR_AS(const IrSelector, x)->sel : trail_index(t, NULL, IR_AS(const IrIndex, x)->index);
    const Ir *of = x->kind == IR_SELECTOR ? IR_AS(const IrSelector, x)->x : IR_AS(const IrIndex, x)->x;
    found = x->kind == IR_SELECTOR && cue_str_is(label_name(t->c->labels, l), "values");
    if (!found) cue_push(t->a, &path, l);
    x = of;
  }
  while (x->kind == IR_SELECTOR || x->kind == IR_INDEX)
    x = x->kind == IR_SELECTOR ? IR_AS(const IrSelector, x)->x : IR_AS(const IrIndex, x)->x;
  if (!found || !t->base || x->kind != IR_IMPORT_REF ||
      !cue_str_is(label_name(t->c->labels, IR_AS(const IrImport, x)->label), "environments"))
    return;
  Trail trail = trail_to(t, t->base);
  for (uint32_t i = path.n; i-- > 0;) {
    Vertex *arc = trail_arc(t, trail_end(trail), path.at[i]);
    if (!arc) return;
    trail = trail_below(t, trail, arc);
  }
  TraceSteps lost = {0};
  steps_at(t, trail, &lost);
  for (uint32_t i = 0; i < lost.n; i++) {
    TraceStep *s = lost.at[i];
    while (s->kind == TRACE_PASSES) s = s->from.at[0];
    if (s->kind == TRACE_LIMITS || s->role == TRACE_CONFIG) continue; /* #config is told of where it is referred to */
    s->kind = TRACE_OVERRIDDEN;
    step_add(t, out, s);
  }
}

/* A literal of a program: something the user has not written in CUE. */
static TraceStep *release_step(Tracer *t, const Ir *decl, CueValue value) {
  const RenderRelease *r = t->places.release;
  TraceStep *s = cue_new(t->a, TraceStep);
  CueStr label = decl->kind == IR_FIELD ? label_name(t->c->labels, IR_AS(const IrField, decl)->label) : CUE_STR("");
  s->role = TRACE_RELEASE;
  s->value = value;
  s->path = label;
  s->text = cue_str_is(label, "name") ? r->name_from : cue_str_is(label, "namespace") ? r->namespace_from : CUE_STR("");
  t->made++;
  return s;
}

typedef struct {
  TraceSteps steps;
  CUE_VEC(Says) says; /* of each */
  Says most;
} Sum;

/* What a program says is told as if it stood where it is used: with what brought it there around it. */
static TraceSteps program_steps(Tracer *t, Trail trail, const Said *said, const Part *p) {
  Ir *x = conjunct_elem(said->decl);
  TraceSteps got = p->from, out = {0};
  Refs refs = {0};
  refs_copied(t, x, 0, &refs);
  if (x->kind == IR_LIST || x->kind == IR_STRUCT)
    for (uint32_t i = 0; i < refs.n; i++) steps_of_refs(t, said->env, refs.at[i], &got);
  for (uint32_t i = 0; i < refs.n; i++) add_overridden(t, refs.at[i], &got);
  if (!got.n && x->kind == IR_SCALAR) cue_push(t->a, &got, release_step(t, said->decl, p->value));
  if (!got.n || trail.n < 2) return got;
  TraceStep here = {.kind = TRACE_GIVES}, *s = steps_brought(t, trail, trail.n - 1, *said, &here, 0, false);
  for (uint32_t i = 0; i < here.conditions.n; i++) cue_push(t->a, &got.at[0]->conditions, here.conditions.at[i]);
  if (s == &here) return got;
  cue_push(t->a, &out, s);
  while (s->from.at[0] != &here) s = s->from.at[0];
  s->from = got;
  return out;
}

static void say(Tracer *t, Trail trail, const Said *said, Sum *sum) {
  Ir *x = conjunct_elem(said->decl);
  Part p = part_of(t, said->env, x, trail_end(trail));
  TraceSteps got = {0};
  if (said_in_program(t, said->decl)) {
    got = program_steps(t, trail, said, &p);
  } else {
    TraceStep *s = step_new(t, said->decl);
    s->from = p.from;
    s->value = p.value;
    s->is_default = p.literal && p.says == SAYS_DEFAULT;
    s->kind = p.says == SAYS_NOTHING ? TRACE_LIMITS : s->is_default ? TRACE_DEFAULT : TRACE_GIVES;
    if (s->kind != TRACE_LIMITS && trail.n > 1) s = steps_brought(t, trail, trail.n - 1, *said, s, 0, false);
    cue_push(t->a, &got, s);
  }
  for (uint32_t i = 0; i < got.n; i++) cue_push(t->a, &sum->steps, got.at[i]);
  while (sum->says.n < sum->steps.n) cue_push(t->a, &sum->says, p.says);
  if (p.says > sum->most) sum->most = p.says;
}

/* What lost: a default beside a value. */
static void settle(Sum *sum) {
  for (uint32_t i = 0; i < sum->steps.n; i++)
    if (sum->says.at[i] < sum->most && sum->says.at[i] != SAYS_NOTHING) {
      TraceStep *s = sum->steps.at[i];
      while (s->kind == TRACE_PASSES) s = s->from.at[0];
      s->kind = TRACE_OVERRIDDEN;
    }
}

static bool is_active(const Tracer *t, const Vertex *v) {
  for (uint32_t i = 0; i < t->active.n; i++)
    if (t->active.at[i] == v) return true;
  return false;
}

void steps_at(Tracer *t, Trail trail, TraceSteps *out) {
  Vertex *v = trail_end(trail);
  if (is_active(t, v) || t->active.n > TRACE_DEPTH || t->made > TRACE_STEPS) return;
  cue_push(t->a, &t->active, v);
  Vertex *saved = t->e->vertex;
  t->e->vertex = v;
  Sum sum = {0};
  SaidList all = said_of(t, v);
  for (uint32_t i = 0; i < all.n && t->made <= TRACE_STEPS; i++) say(t, trail, &all.at[i], &sum);
  settle(&sum);
  steps_add(t, out, &sum.steps);
  t->e->vertex = saved;
  t->active.n--;
  /* Data that a function made has no text of its own: what made the whole is told. */
  if (!sum.steps.n && !all.n && trail.n > 1) {
    trail.n--;
    steps_at(t, trail, out);
  }
}

static int by_label(const void *x, const void *y) {
  const CueStr *p = x, *q = y;
  return cue_str_cmp(*p, *q);
}

/* The field behind an element of a list that normal.c made of a map, in the order of its keys. */
static Vertex *mapped_arc(Tracer *t, Vertex *v, uint32_t index) {
  Vertex *d = vertex_deref(vertex_default(t->e, v));
  CUE_VEC(CueStr) keys = {0};
  for (uint32_t i = 0; i < d->arcs.n && !vertex_is_list(d); i++) {
    Vertex *arc = d->arcs.at[i];
    if (label_is_string(arc->label) && vertex_defined(t->e, arc) && program_data(t->c, arc).kind == CUE_STRUCT)
      cue_push(t->a, &keys, label_name(t->c->labels, arc->label));
  }
  if (index >= keys.n) return NULL;
  qsort(keys.at, keys.n, sizeof *keys.at, by_label);
  return trail_arc(t, v, label_string(t->c->labels, keys.at[index]));
}

static Vertex *keyed_arc(Tracer *t, Vertex *v, const TraceKey *k) {
  Vertex *arc = trail_arc(t, v, k->name.s ? label_string(t->c->labels, k->name) : label_int(k->index));
  if (arc) return arc;
  if (!k->name.s) return mapped_arc(t, v, k->index);
  return cue_str_is(k->name, "containerPort") ? trail_arc(t, v, label_string(t->c->labels, CUE_STR("targetPort")))
                                              : NULL;
}

TraceSteps trace_path(Tracer *t, Vertex *v, const TraceKey *path, uint32_t n, uint32_t *found) {
  TraceSteps out = {0};
  Trail trail = trail_to(t, v);
  for (*found = 0; *found < n; ++*found) {
    Vertex *arc = keyed_arc(t, trail_end(trail), &path[*found]);
    if (!arc) break;
    trail = trail_below(t, trail, arc);
  }
  t->made = 0;
  steps_at(t, trail, &out);
  return out;
}

/* ---- reading ---- */

const TraceStep *trace_behind(const TraceStep *s) {
  if (s->kind != TRACE_PASSES) return s;
  const TraceStep *best = NULL;
  for (uint32_t i = 0; i < s->from.n; i++) {
    const TraceStep *x = trace_behind(s->from.at[i]);
    if (!best || x->kind < best->kind) best = x;
  }
  return best;
}

/* Of those that give a value, the user's own count more; and #config less than what is said of values: a list or struct in
** it may be what they can be. */
static int weight(const TraceStep *s) {
  if (s->role == TRACE_TRANSFORMER || s->role == TRACE_DEFINITION) return 0;
  return s->role == TRACE_CONFIG ? 1 : 2;
}

/* The first that gives the value, of those that count most. *same: all that give one give the same. */
static const TraceStep *winner(const TraceSteps *s, bool *same) {
  const TraceStep *best = NULL;
  *same = true;
  for (uint32_t i = 0; i < s->n; i++) {
    const TraceStep *x = trace_behind(s->at[i]);
    if (x->kind != TRACE_GIVES && x->kind != TRACE_DEFAULT) continue;
    if (best) *same = *same && best->value.kind != CUE_BOTTOM && cue_value_eq(best->value, x->value);
    if (!best || weight(x) > weight(best)) best = x;
  }
  return best;
}

const TraceStep *trace_winner(const TraceSteps *s) {
  bool same;
  return winner(s, &same);
}

const TraceStep *trace_origin(const TraceSteps *s) {
  bool same;
  const TraceStep *x = winner(s, &same), *next;
  for (; x && (next = winner(&x->from, &same)) && same; x = next) continue;
  return x;
}
