/* hole.c - holes, the plans they stand for, and the contexts in which things are said. See hole.h. */
#include "compiler/hole.h"

#include <string.h>

void hole_fail(Eval *e, CuePos at, const char *what) {
  Holes *h = e->holes;
  if (h->why.n) return;
  h->why = cue_str(what);
  h->at = at ? at : eval_pos(e);
}

/* ---- plans ---- */

struct PlanTable {
  const Plan **at; /* open addressing */
  uint32_t n, cap;
};

static uint64_t mix(uint64_t h, uint64_t x) { return (h ^ x) * 0x9e3779b97f4a7c15ull + (h >> 29); }

static uint64_t value_hash(CueValue v) {
  uint64_t h = v.kind;
  if (v.kind == CUE_STRING || v.kind == CUE_BYTES) return mix(h, cue_str_hash(cue_value_str(v)));
  if (v.kind == CUE_BOOL) return mix(h, v.as.b);
  return v.kind == CUE_INT && v.form == CUE_PLAIN ? mix(h, (uint64_t)v.as.i) : h;
}

static uint64_t plan_hash(const Plan *p) {
  uint64_t h = mix((uint64_t)p->kind << 8 | p->op, p->slot);
  h = mix(h, cue_str_hash(p->key));
  h = mix(h, (uintptr_t)p->x);
  h = mix(h, (uintptr_t)p->y);
  h = mix(h, (uintptr_t)p->schema);
  h = mix(h, (uintptr_t)p->builtin);
  h = mix(h, value_hash(p->value));
  for (uint32_t i = 0; p->at && i < p->n; i++) h = mix(h, (uintptr_t)p->at[i]);
  return h ^ h >> 32;
}

static bool same_value(CueValue x, CueValue y) {
  return x.kind == y.kind &&
         (x.kind == CUE_BOTTOM || (!((x.kind | y.kind) & (CUE_LIST | CUE_STRUCT)) && cue_value_eq(x, y)) ||
          (x.kind & (CUE_LIST | CUE_STRUCT) && x.as.list == y.as.list));
}

static bool same_plan(const Plan *p, const Plan *q) {
  if (p->kind != q->kind || p->op != q->op || p->slot != q->slot || p->n != q->n || p->x != q->x || p->y != q->y ||
      p->schema != q->schema || p->builtin != q->builtin || !p->at != !q->at || !cue_str_eq(p->key, q->key) ||
      !same_value(p->value, q->value))
    return false;
  for (uint32_t i = 0; p->at && i < p->n; i++)
    if (p->at[i] != q->at[i]) return false;
  return true;
}

static void table_grow(Holes *h) {
  PlanTable *t = h->plans;
  PlanTable old = *t;
  t->cap = old.cap ? old.cap * 2 : 256;
  t->at = cue_array(h->a, const Plan *, t->cap);
  for (uint32_t i = 0; i < old.cap; i++) {
    if (!old.at[i]) continue;
    uint64_t k = plan_hash(old.at[i]) & (t->cap - 1);
    while (t->at[k]) k = (k + 1) & (t->cap - 1);
    t->at[k] = old.at[i];
  }
}

const Plan *hole_plan(Holes *h, Plan p) {
  if (!h->plans) h->plans = cue_new(h->a, PlanTable);
  PlanTable *t = h->plans;
  if (t->n * 2 >= t->cap) table_grow(h);
  uint64_t k = plan_hash(&p) & (t->cap - 1);
  for (; t->at[k]; k = (k + 1) & (t->cap - 1))
    if (same_plan(t->at[k], &p)) return t->at[k];
  Plan *made = cue_new(h->a, Plan);
  *made = p;
  t->at[k] = made;
  t->n++;
  return made;
}

const Plan *hole_const(Holes *h, CueValue v) { return hole_plan(h, (Plan){.kind = PLAN_CONST, .value = v}); }

const Plan *hole_get(Holes *h, const Plan *x, CueStr key) {
  return hole_plan(h, (Plan){.kind = PLAN_GET, .x = x, .key = key});
}

const Plan *hole_and(Holes *h, const Plan *x, const Plan *y) {
  if (!x || !y || x == y) return x ? x : y;
  return hole_plan(h, (Plan){.kind = PLAN_BOTH, .x = x, .y = y});
}

const Plan *hole_or(Holes *h, const Plan *x, const Plan *y) {
  if (!x || !y || x == y) return x ? x : y;
  return hole_plan(h, (Plan){.kind = PLAN_OP, .op = PLAN_OR, .x = x, .y = y});
}

const Plan *hole_raw(Holes *h, const Plan *p) {
  if (p->kind == PLAN_MUST) return hole_raw(h, p->x);
  if (p->kind == PLAN_INPUT) return hole_plan(h, (Plan){.kind = PLAN_INPUT, .slot = 1});
  const Plan *x = p->kind == PLAN_GET ? hole_raw(h, p->x) : NULL;
  return x ? hole_get(h, x, p->key) : NULL;
}

/* ---- holes ---- */

static Hole *hole_of_value(const Holes *h, CueValue v) {
  if (v.form != CUE_HOLE) return NULL;
  bool text = (v.kind & ~(unsigned)CUE_NUMBER) && v.kind != CUE_BOOL;
  return text ? (Hole *)(uintptr_t)v.as.s : h->holes.at[v.len];
}

Hole *hole_find(Eval *e, Ir *x) {
  if (!x) return NULL;
  if (x->kind == IR_VERTEX) {
    Vertex *v = vertex_deref(IR_AS(Vertex, x));
    x = v->base && v->base->kind == IR_SCALAR ? v->base : v->state ? v->state->scalar : NULL;
  }
  return x && x->kind == IR_SCALAR ? hole_of_value(e->holes, IR_AS(IrScalar, x)->v) : NULL;
}

static CueValue hole_value(Eval *e, Hole *x, uint32_t index) {
  CueValue v = {.kind = (uint16_t)x->kinds, .form = CUE_HOLE};
  if (x->kinds == CUE_BOOL) {
    v.len = index;
  } else if (!(x->kinds & ~(unsigned)CUE_NUMBER)) {
    v.len = index;
    v.as.num = cue_num_from_int(e->a, 0);
  } else {
    v.as.s = x->text;
  }
  return v;
}

Ir *hole_make(Eval *e, const Plan *p, uint32_t kinds, const PlanSchema *schema) {
  Holes *h = e->holes;
  for (uint32_t i = 0; i < h->holes.n; i++)
    if (h->holes.at[i]->plan == p && h->holes.at[i]->kinds == kinds && h->holes.at[i]->schema == schema)
      return h->holes.at[i]->scalar;
  Hole *x = cue_new(h->a, Hole);
  x->plan = p;
  x->schema = schema;
  x->kinds = kinds ? kinds : (unsigned)CUE_TOP;
  uint32_t index = h->holes.n;
  cue_push(h->a, &h->holes, x);
  x->scalar = ir_scalar(e, hole_value(e, x, index));
  x->vertex = cue_vertex_of(e, x->scalar);
  return x->scalar;
}

uint32_t hole_schema_kinds(const PlanSchema *s) {
  uint32_t kinds = 0;
  switch (s ? (SchemaKind)s->kind : SCHEMA_ANY) {
  case SCHEMA_SCALAR: return s->kinds;
  case SCHEMA_STRUCT: return CUE_STRUCT;
  case SCHEMA_LIST: return CUE_LIST;
  case SCHEMA_ENUM:
    for (uint32_t i = 0; i < s->n; i++) kinds |= s->values[i].kind;
    return kinds;
  case SCHEMA_ONE:
    for (uint32_t i = 0; i < s->n; i++) kinds |= hole_schema_kinds(s->of[i]);
    return kinds;
  default: return CUE_TOP;
  }
}

const PlanSchema *hole_schema_field(const PlanSchema *s, CueStr key, bool *there) {
  *there = false;
  if (!s || s->kind != SCHEMA_STRUCT) return NULL;
  for (uint32_t i = 0; i < s->n; i++) {
    if (!cue_str_eq(s->fields[i].key, key)) continue;
    *there = s->fields[i].presence != SCHEMA_OPTIONAL;
    return s->npatterns ? NULL : s->fields[i].schema;
  }
  return s->npatterns == 1 && !s->patterns[0].pattern.n ? s->patterns[0].schema : NULL;
}

const PlanSchema *hole_schema_element(const PlanSchema *s) {
  if (!s) return NULL;
  if (s->kind == SCHEMA_LIST) return s->n ? NULL : s->rest;
  if (s->kind != SCHEMA_STRUCT || s->n || s->npatterns != 1 || s->patterns[0].pattern.n) return NULL;
  return s->patterns[0].schema;
}

const Plan *hole_plan_of(Eval *e, Ir *x) {
  Holes *h = e->holes;
  Hole *hole = hole_of(e, x);
  if (hole) return hole->plan;
  Ir *u = ir_unwrap(x);
  if (u && u->kind == IR_SCALAR) return hole_const(h, IR_AS(IrScalar, u)->v);
  Vertex *v = cue_vertex_of(e, x);
  uint16_t context = eval_context(e);
  for (uint32_t i = 0; i < h->later.n; i++)
    if (h->later.at[i]->vertex == v && h->later.at[i]->context == context) return h->later.at[i]->plan;
  HoleLater *l = cue_new(h->a, HoleLater);
  l->plan = cue_new(h->a, Plan);
  l->vertex = v;
  l->context = context;
  cue_push(h->a, &h->later, l);
  return l->plan;
}

/* ---- contexts ---- */

static bool has_step(const HoleContext *c, uint16_t step) {
  for (uint32_t i = 0; i < c->n; i++)
    if (c->at[i] == step) return true;
  return false;
}

bool context_implies(const Holes *h, uint16_t x, uint16_t y) {
  const HoleContext *c = &h->contexts.at[y];
  for (uint32_t i = 0; i < c->n; i++)
    if (!has_step(&h->contexts.at[x], c->at[i])) return false;
  return true;
}

static uint16_t intern_context(Holes *h, const uint16_t *at, uint32_t n) {
  for (uint32_t i = 0; i < h->contexts.n; i++)
    if (h->contexts.at[i].n == n && (!n || !memcmp(h->contexts.at[i].at, at, n * sizeof *at))) return (uint16_t)i;
  if (h->contexts.n == UINT16_MAX) {
    if (!h->why.n) h->why = CUE_STR("too many conditions");
    return 0;
  }
  HoleContext c = {cue_array(h->a, uint16_t, n + 1), n};
  if (n) memcpy(c.at, at, n * sizeof *at);
  cue_push(h->a, &h->contexts, c);
  return (uint16_t)(h->contexts.n - 1);
}

static bool is_loop(const Holes *h, uint16_t step) { return !h->steps.at[step].guard; }

/* Two cases are never in one context: an element belongs to one of them. */
static void check_cases(Holes *h, const uint16_t *at, uint32_t n) {
  for (uint32_t i = 0; h->splits.n && i < n; i++)
    for (uint32_t k = 0; k < i; k++)
      if (is_loop(h, at[i]) && is_loop(h, at[k]) && h->steps.at[at[i]].loop == h->steps.at[at[k]].loop && !h->why.n)
        h->why = CUE_STR("a loop that decides which definitions a component has, within itself");
}

uint16_t context_and(Holes *h, uint16_t x, uint16_t y) {
  if (!y || x == y || context_implies(h, x, y)) return x;
  if (!x) return y;
  const HoleContext *a = &h->contexts.at[x], *b = &h->contexts.at[y];
  uint16_t *at = cue_array(h->a, uint16_t, a->n + b->n);
  uint32_t n = a->n;
  if (n) memcpy(at, a->at, n * sizeof *at);
  for (uint32_t i = 0; i < b->n; i++)
    if (!has_step(a, b->at[i])) at[n++] = b->at[i];
  check_cases(h, at, n);
  return intern_context(h, at, n);
}

uint16_t context_step(Holes *h, uint16_t x, uint32_t step) {
  uint16_t one = (uint16_t)step;
  return context_and(h, x, intern_context(h, &one, 1));
}

uint16_t context_guard(Holes *h, uint16_t x, const Plan *guard) {
  for (uint32_t i = 0; i < h->steps.n; i++)
    if (h->steps.at[i].guard == guard) return context_step(h, x, i);
  HoleStep step = {.guard = guard, .loop = (uint16_t)h->steps.n};
  cue_push(h->a, &h->steps, step);
  return context_step(h, x, h->steps.n - 1);
}

/* Whether a context is in a loop, or in a case of it. */
static bool is_within(const Holes *h, uint16_t context, uint16_t loop) {
  const HoleContext *c = &h->contexts.at[context];
  for (uint32_t i = 0; i < c->n; i++)
    if (h->steps.at[c->at[i]].loop == loop) return true;
  return false;
}

/* The same loop is one: what is said in two places for each element of a list meets in one field. A loop within itself
** is another. */
uint16_t context_loop(Holes *h, uint16_t x, const Plan *source, HoleStep *step) {
  for (uint32_t i = 0; i < h->steps.n; i++)
    if (h->steps.at[i].source == source && h->steps.at[i].loop == i && !is_within(h, x, (uint16_t)i)) {
      *step = h->steps.at[i];
      return context_step(h, x, i);
    }
  *step = (HoleStep){.source = source, .key_slot = h->slots, .value_slot = h->slots + 1, .loop = (uint16_t)h->steps.n};
  h->slots += 2;
  cue_push(h->a, &h->steps, *step);
  return context_step(h, x, h->steps.n - 1);
}

/* ---- what depends on a loop ---- */

typedef struct Bound { /* variables of loops within a plan */
  const PlanItem *loop;
  const struct Bound *outer;
} Bound;

static bool is_free(uint32_t slot, const Bound *b) {
  for (; b; b = b->outer)
    if (b->loop->key_slot == slot || b->loop->value_slot == slot) return false;
  return true;
}

static bool is_looped(const Holes *h, uint16_t context) {
  const HoleContext *c = &h->contexts.at[context];
  for (uint32_t i = 0; i < c->n; i++)
    if (is_loop(h, c->at[i])) return true;
  return false;
}

/* Of a plan that is filled in at the end: where it is made in a loop, it may. */
static bool is_made_in_loop(const Holes *h, const Plan *p) {
  for (uint32_t i = 0; i < h->cells.n; i++) {
    const HoleCell *c = h->cells.at[i];
    for (uint32_t k = 0; c->plan == p && k < c->choices.n; k++)
      if (is_looped(h, c->choices.at[k].context)) return true;
  }
  for (uint32_t i = 0; i < h->later.n; i++)
    if (h->later.at[i]->plan == p && is_looped(h, h->later.at[i]->context)) return true;
  return false;
}

static bool varies(const Holes *h, const Plan *p, const Bound *b);

static bool items_vary(const Holes *h, const PlanItem *at, uint32_t n, const Bound *b) {
  for (uint32_t i = 0; i < n; i++) {
    Bound in = {&at[i], b};
    if (varies(h, at[i].name, b) || varies(h, at[i].value, b)) return true;
    if (items_vary(h, at[i].items, at[i].items ? at[i].n : 0, at[i].kind == PLAN_FOR ? &in : b)) return true;
  }
  return false;
}

static bool varies(const Holes *h, const Plan *p, const Bound *b) {
  if (!p) return false;
  if (p->kind == PLAN_VAR) return is_free(p->slot, b);
  if (varies(h, p->x, b) || varies(h, p->y, b) || is_made_in_loop(h, p)) return true;
  for (uint32_t i = 0; p->at && i < p->n; i++)
    if (varies(h, p->at[i], b)) return true;
  return items_vary(h, p->items, p->items ? p->n : 0, b);
}

bool hole_varies(const Holes *h, const Plan *p) { return varies(h, p, NULL); }

bool hole_loop_of(const Holes *h, const Plan *p, uint16_t context, uint16_t *step) {
  const HoleContext *c = &h->contexts.at[context];
  PlanItem *loops = cue_array(h->a, PlanItem, c->n + 1);
  Bound *bounds = cue_array(h->a, Bound, c->n + 1), *outer = NULL;
  for (uint32_t i = 0; i < c->n; i++) {
    if (!is_loop(h, c->at[i])) continue;
    const HoleStep *s = &h->steps.at[c->at[i]];
    loops[i] = (PlanItem){.kind = PLAN_FOR, .key_slot = s->key_slot, .value_slot = s->value_slot};
    bounds[i] = (Bound){&loops[i], outer};
    outer = &bounds[i];
    *step = c->at[i];
    if (!varies(h, p, outer)) return true;
  }
  return false;
}

/* ---- decisions ---- */

static const Plan *negated(const Plan *p) { return p->kind == PLAN_OP && p->op == PLAN_NOT ? p->x : NULL; }

const Plan *hole_not(Holes *h, const Plan *p) {
  return negated(p) ? negated(p) : hole_plan(h, (Plan){.kind = PLAN_OP, .op = PLAN_NOT, .x = p});
}

bool hole_decided(const Holes *h, const Plan *guard, uint16_t context, bool *holds) {
  for (uint32_t i = 0; i < h->decisions.n; i++) {
    const HoleDecision *d = &h->decisions.at[i];
    if (d->guard != guard && negated(guard) != d->guard && negated(d->guard) != guard) continue;
    *holds = (d->guard == guard) == d->holds;
    return true;
  }
  const HoleContext *c = &h->contexts.at[context];
  for (uint32_t i = 0; i < c->n; i++) {
    const Plan *g = h->steps.at[c->at[i]].guard;
    if (!g || (g != guard && negated(guard) != g && negated(g) != guard)) continue;
    *holds = g == guard;
    return true;
  }
  return false;
}

/* ---- when a vertex is there ---- */

static void add_context(Holes *h, HoleContexts *out, uint16_t c) {
  if (out->n == 1 && out->at[0] == 0) return;
  if (c == 0) out->n = 0;
  for (uint32_t i = 0; i < out->n; i++)
    if (context_implies(h, c, out->at[i])) return;
  uint32_t n = 0;
  for (uint32_t i = 0; i < out->n; i++)
    if (!context_implies(h, out->at[i], c)) out->at[n++] = out->at[i];
  out->n = n;
  cue_push(h->a, out, c);
}

bool hole_is_given(const Holes *h, const Conjunct *c) {
  if (!h->given.n || c->x->kind != IR_COMPREHENSION) return false;
  const IrComprehension *p = IR_AS(IrComprehension, c->x);
  for (uint32_t i = 0; i < h->given.n; i++)
    if (p == h->given.at[i] || p->parent == h->given.at[i]) return true;
  return false;
}

static void contexts_of(Eval *e, const Vertex *v, bool given, HoleContexts *out) {
  Holes *h = e->holes;
  for (uint32_t i = 0; i < v->conjuncts.n; i++) {
    const Conjunct *c = &v->conjuncts.at[i];
    if (hole_is_given(h, c) != given) continue;
    switch (c->x->kind) {
    case IR_PATTERN:
    case IR_ELLIPSIS: break;
    case IR_FIELD:
    case IR_DYNAMIC:
      if (c->x->arc_type == ARC_MEMBER) add_context(h, out, c->ci.context);
      break;
    case IR_COMPREHENSION: {
      const IrComprehension *comp = IR_AS(IrComprehension, c->x);
      const CompRun *run = comp->run;
      if (!run) {
        add_context(h, out, c->ci.context);
        break;
      }
      for (uint32_t k = 0; comp->arc_type == ARC_MEMBER && k < run->contexts.n && k < run->envs.n; k++)
        add_context(h, out, context_and(h, c->ci.context, run->contexts.at[k]));
      break;
    }
    default: add_context(h, out, c->ci.context); break;
    }
  }
}

void vertex_contexts(Eval *e, Vertex *v, HoleContexts *out) {
  out->n = 0;
  contexts_of(e, v, false, out);
  if (!out->n) contexts_of(e, v, true, out);
  if (!v->conjuncts.n) add_context(e->holes, out, 0);
}

const Plan *context_condition(Eval *e, uint16_t context, uint16_t known) {
  Holes *h = e->holes;
  const HoleContext *c = &h->contexts.at[context];
  const Plan *all = NULL;
  for (uint32_t i = 0; i < c->n; i++) {
    if (has_step(&h->contexts.at[known], c->at[i])) continue;
    const HoleStep *s = &h->steps.at[c->at[i]];
    if (!s->guard) hole_fail(e, 0, "a value that is one of many");
    all = hole_and(h, all, s->guard);
  }
  return all;
}

const Plan *vertex_presence(Eval *e, Vertex *v, uint16_t known) {
  Holes *h = e->holes;
  const Plan *all = NULL;
  for (; v; v = v->parent) {
    HoleContexts cs = {0};
    vertex_contexts(e, v, &cs);
    bool always = false;
    for (uint32_t i = 0; i < cs.n && !always; i++) always = context_implies(h, known, cs.at[i]);
    if (always || !cs.n) continue;
    const Plan *any = NULL;
    for (uint32_t i = 0; i < cs.n; i++) any = hole_or(h, any, context_condition(e, cs.at[i], known));
    cue_push(h->a, &h->presences, (HolePresence){v, cs});
    all = hole_and(h, all, any);
  }
  return all;
}

uint16_t vertex_context(Eval *e, Vertex *v) {
  uint16_t all = 0;
  for (; v; v = v->parent) {
    HoleContexts cs = {0};
    vertex_contexts(e, v, &cs);
    if (cs.n == 1) all = context_and(e->holes, cs.at[0], all); /* what is outside comes first */
  }
  return all;
}

uint16_t eval_context(Eval *e) {
  uint16_t all = vertex_context(e, e->vertex);
  for (Env *env = e->env; env && env->vertex; env = env->up) /* an expression may be evaluated away from its field */
    all = context_and(e->holes, vertex_context(e, env_vertex(e, env)), all);
  return context_and(e->holes, all, e->ci.context);
}

HoleCell *hole_cell(const Holes *h, const Vertex *v) {
  for (uint32_t i = h->cells.n; i > 0; i--)
    if (h->cells.at[i - 1]->vertex == v) return h->cells.at[i - 1];
  return NULL;
}

void hole_assume(Eval *e, uint16_t context, const Plan *holds) {
  Holes *h = e->holes;
  for (uint32_t i = 0; i < h->assumptions.n; i++)
    if (h->assumptions.at[i].context == context && h->assumptions.at[i].holds == holds) return;
  cue_push(h->a, &h->assumptions, (HoleAssumption){context, holds});
}

/* ---- names ---- */

Label hole_label(Eval *e, Hole *x, uint16_t cases) {
  Holes *h = e->holes;
  for (uint32_t i = 0; i < h->names.n; i++)
    if (h->names.at[i].hole == x && h->names.at[i].cases == cases) return h->names.at[i].label;
  Label l = label_stand_in(e->labels, cue_strf(e->a, "\001%u", h->names.n), h->names.n + 1);
  cue_push(h->a, &h->names, (HoleName){l, x, cases});
  return l;
}

Hole *label_hole(Eval *e, Label l) {
  const Holes *h = e->holes;
  for (uint32_t i = 0; h && i < h->names.n; i++)
    if (h->names.at[i].label == l) return h->names.at[i].hole;
  return NULL;
}

bool vertex_has_names(Eval *e, Vertex *v) {
  for (uint32_t i = 0; e->holes->names.n && i < v->arcs.n; i++)
    if (label_hole(e, v->arcs.at[i]->label)) return true;
  return false;
}

/* The variable that a name is made of, and no more than one: the plan of it, or NULL. */
static const Plan *only_variable(const Plan *name) {
  const Plan *found = name->kind == PLAN_VAR ? name : NULL;
  for (uint32_t i = 0; name->kind == PLAN_TEXT && i < name->n; i++) {
    const Plan *part = name->at[i];
    if (part->kind == PLAN_CONST) continue;
    if (found || part->kind != PLAN_VAR) return NULL;
    found = part;
  }
  return found;
}

bool vertex_names_differ(Eval *e, Vertex *v) {
  const Holes *h = e->holes;
  const Vertex *only = NULL;
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    if (!label_is_regular(v->arcs.at[i]->label)) continue;
    if (only) return false;
    only = v->arcs.at[i];
  }
  const Hole *name = only ? label_hole(e, only->label) : NULL;
  const Plan *key = name ? only_variable(name->plan) : NULL;
  HoleContexts cs = {0};
  if (!key) return false;
  vertex_contexts(e, (Vertex *)only, &cs);
  if (cs.n != 1) return false;
  const HoleContext *said = &h->contexts.at[cs.at[0]], *here = &h->contexts.at[e->ci.context];
  for (uint32_t i = 0; i < said->n; i++) {
    const HoleStep *s = &h->steps.at[said->at[i]];
    if (!s->guard && s->key_slot != key->slot && !has_step(here, said->at[i])) return false;
  }
  return true;
}
