/* derived.c - defaults of #config that depend on other fields of it: next: *(first + 1) | int.
**
** A value that is given counts if it satisfies another alternative, or is the default; if none is given, the default does.
** The default is computed in any case: where it fails, the evaluator knows what that means for the field. Whatever else
** there could be, such as another alternative in place of a default that does not fit, is left to the evaluator, too.
*/
#include "compiler/lower/walk.h"

enum { SCALARS = CUE_NULL | CUE_BOOL | CUE_NUMBER | CUE_STRING | CUE_BYTES };

/* Equal numbers that are no integers may be written in different ways: which one it is the evaluator knows. */
static const PlanSchema written_one_way = {.kind = SCHEMA_SCALAR, .kinds = SCALARS & ~CUE_FLOAT};
static const PlanSchema any_scalar = {.kind = SCHEMA_SCALAR, .kinds = SCALARS};

static bool is_scalar(const PlanSchema *s) {
  if (s->kind == SCHEMA_ENUM) return true;
  if (s->kind == SCHEMA_SCALAR) return !(s->kinds & ~SCALARS);
  if (s->kind != SCHEMA_ONE || s->has_default) return false;
  for (uint32_t i = 0; i < s->n; i++)
    if (!is_scalar(s->of[i])) return false;
  return true;
}

/* What is said of v but for a default that is not known. */
static const PlanSchema *rest(Walk *w, Vertex *v, uint16_t known, HoleDerived *left_out) {
  w->h->derived = left_out;
  const PlanSchema *s = walk_rest(w, v, known);
  w->h->derived = NULL;
  return s;
}

/* Whether what is not known about v is no more than what is given for it. */
static bool is_data(const Walk *w, const HoleCell *c) {
  for (uint32_t i = 0; i < c->choices.n; i++) {
    const Hole *x = hole_of(w->e, c->choices.at[i].value);
    if (x ? !hole_raw(w->h, x->plan) : c->choices.at[i].value->kind != IR_SCALAR) return false;
  }
  return true;
}

bool walk_derived(Walk *w, Vertex *v, uint16_t known, Derived *out) {
  const HoleCell *c = hole_cell(w->h, v);
  if (!w->h->given.n || !c || c->hole != hole_of(w->e, (Ir *)v)) return false;
  HoleDerived one = {0}, all = {.alone = true};
  out->others = rest(w, v, known, &one);
  out->value = one.value;
  if (w->h->why.n || !one.value) return false;
  out->besides = rest(w, v, known, &all);
  if (!is_data(w, c) || !out->others || !is_scalar(out->others) || all.value != one.value ||
      (out->besides && (out->besides->has_default || !is_scalar(out->besides))))
    walk_fail(w, v, "a disjunction of what is not known");
  return !w->h->why.n;
}

static const Plan *checked(Holes *h, const Plan *p, const PlanSchema *s, CuePos pos) {
  return hole_plan(h, (Plan){.kind = PLAN_CHECK, .x = p, .schema = s, .pos = pos});
}

/* Whether a field has its value from what is said of it, and not from a default. NULL for always. */
static const Plan *is_said(Walk *w, const HoleCell *c) {
  const Plan *any = NULL;
  for (uint32_t i = 0; i < c->choices.n; i++) {
    const Plan *one = context_condition(w->e, c->choices.at[i].context, 0);
    if (!one) return NULL;
    any = hole_or(w->h, any, one);
  }
  return any;
}

enum { MAX_TYPES = 8 };

typedef struct {
  uint16_t kinds[MAX_TYPES];
  uint32_t n;
} Types;

/* A type and nothing else, that is one of those seen before, or has nothing in common with any of them. */
static bool add_type(Types *types, const PlanSchema *s) {
  if (s->kind != SCHEMA_SCALAR || s->n || types->n == MAX_TYPES) return false;
  for (uint32_t i = 0; i < types->n; i++)
    if (types->kinds[i] != s->kinds && types->kinds[i] & s->kinds) return false;
  types->kinds[types->n++] = s->kinds;
  return true;
}

static const HoleCell *cell_of(const Holes *h, const Hole *x) {
  for (uint32_t i = 0; i < h->cells.n; i++)
    if (h->cells.at[i]->hole == x) return h->cells.at[i];
  return NULL;
}

static bool is_plain(Walk *w, const Derived *d, Types *types);

/* ... of what a default refers to. */
static bool is_plain_cell(Walk *w, const HoleCell *c, Types *types) {
  uint16_t known = vertex_context(w->e, c->vertex);
  Derived derived;
  if (walk_derived(w, c->vertex, known, &derived)) return is_plain(w, &derived, types);
  const PlanSchema *s = walk_rest(w, c->vertex, known);
  if (!s || s->kind != SCHEMA_ONE || !s->has_default || s->n != 2) return false;
  return s->of[0]->kind == SCHEMA_ENUM && s->of[0]->n == 1 && add_type(types, s->of[1]);
}

/* Whether all that the field may be is the default, and types that do not overlap. */
static bool is_plain(Walk *w, const Derived *d, Types *types) {
  const HoleCell *c = cell_of(w->h, d->value);
  return !d->besides && add_type(types, d->others) && (!c || is_plain_cell(w, c, types));
}

/* A reference to another field brings all that this one may be, and #config is unified with itself: alternatives of both
** meet, and what they have in common may be a default, too. So either they have nothing in common, or what is referred to
** must be said. */
static const Plan *only_default(Walk *w, const Derived *d, const Plan *p, CuePos pos) {
  Holes *h = w->h;
  Types types = {0};
  const HoleCell *c = cell_of(h, d->value);
  const Plan *said = c && !is_plain(w, d, &types) ? is_said(w, c) : NULL;
  return said ? hole_plan(h, (Plan){.kind = PLAN_IF, .x = checked(h, said, &schema_true, pos), .y = p}) : p;
}

const Plan *derived_plan(Walk *w, const HoleCell *c, const Plan *p, const Derived *d) {
  Holes *h = w->h;
  CuePos pos = walk_pos(c->vertex);
  const Plan *x = checked(h, hole_plan(h, (Plan){.kind = PLAN_MUST, .x = d->value->plan}), &any_scalar, pos);
  p = checked(h, p, &written_one_way, pos);
  const Plan *works = hole_plan(h, (Plan){.kind = PLAN_PRESENT, .x = x}); /* or gives up */
  const Plan *fits = hole_plan(h, (Plan){.kind = PLAN_TEST, .x = p, .schema = d->others});
  const Plan *given = hole_plan(h, (Plan){.kind = PLAN_IF, .x = hole_and(h, works, fits), .y = p});
  const Plan **at = cue_array(h->a, const Plan *, 2);
  at[0] = p;
  at[1] = only_default(w, d, d->besides ? checked(h, x, d->besides, pos) : x, pos);
  const Plan *same = hole_plan(h, (Plan){.kind = PLAN_UNIFY, .at = at, .n = 2});
  return hole_plan(h, (Plan){.kind = PLAN_ELSE, .x = given, .y = same, .pos = pos});
}

const PlanSchema *derived_schema(Walk *w, const Derived *d) {
  PlanSchema *one = cue_new(w->a, PlanSchema), *value = cue_new(w->a, PlanSchema);
  const PlanSchema **of = cue_array(w->a, const PlanSchema *, 2);
  *value = (PlanSchema){.kind = SCHEMA_SCALAR, .kinds = (uint16_t)(d->value->kinds & SCALARS)};
  of[0] = value;
  of[1] = d->others;
  *one = (PlanSchema){.kind = SCHEMA_ONE, .n = 2, .of = of, .has_default = true};
  return one;
}

bool default_is_derived(const PlanSchema *s) { return s->has_default && s->value.kind == CUE_BOTTOM; }
