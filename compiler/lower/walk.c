/* walk.c - see walk.h. */
#include "compiler/lower/walk.h"

#include <string.h>

CuePos walk_pos(const Vertex *v) {
  for (uint32_t i = 0; v && i < v->conjuncts.n; i++) /* what stands for values has no place */
    if (v->conjuncts.at[i].x->pos) return v->conjuncts.at[i].x->pos;
  return 0;
}

const Plan *walk_fail(Walk *w, const Vertex *v, const char *what) {
  hole_fail(w->e, walk_pos(v), what);
  return hole_const(w->h, cue_null());
}

/* ---- contexts ---- */

/* items, where the steps of context hold that those of known do not imply. */
static PlanItem within(Walk *w, PlanItem *items, uint32_t n, uint16_t context, uint16_t known) {
  const HoleContext *c = &w->h->contexts.at[context];
  PlanItem it = {0};
  bool wrapped = false;
  for (uint32_t i = c->n; i > 0; i--) {
    uint16_t one = c->at[i - 1];
    bool is_known = false;
    for (uint32_t k = 0; k < w->h->contexts.at[known].n; k++) is_known |= w->h->contexts.at[known].at[k] == one;
    if (is_known) continue;
    const HoleStep *s = &w->h->steps.at[one];
    if (wrapped) {
      items = cue_new(w->a, PlanItem);
      *items = it;
      n = 1;
    }
    it = (PlanItem){.kind = s->guard ? PLAN_WHEN : PLAN_FOR,
                    .value = s->guard ? s->guard : s->source,
                    .items = items,
                    .n = n,
                    .key_slot = s->key_slot,
                    .value_slot = s->value_slot};
    wrapped = true;
  }
  if (wrapped) return it;
  if (n == 1) return items[0];
  return (PlanItem){.kind = PLAN_WHEN, .value = hole_const(w->h, cue_bool(true)), .items = items, .n = n};
}

uint16_t walk_context(Walk *w, Vertex *v, uint16_t known) {
  HoleContexts cs = {0};
  vertex_contexts(w->e, v, &cs);
  for (uint32_t i = 0; i < cs.n; i++)
    if (context_implies(w->h, known, cs.at[i])) return known;
  if (cs.n == 1) return context_and(w->h, known, cs.at[0]);
  const Plan *any = NULL;
  for (uint32_t i = 0; i < cs.n; i++) any = hole_or(w->h, any, context_condition(w->e, cs.at[i], known));
  return any ? context_guard(w->h, known, any) : known;
}

/* All that must hold for v to be there. */
static uint16_t whole_context(Walk *w, Vertex *v) {
  uint16_t up = v->parent ? whole_context(w, v->parent) : 0;
  return walk_context(w, v, up);
}

static bool has_loop(const Walk *w, uint16_t context) {
  const HoleContext *c = &w->h->contexts.at[context];
  for (uint32_t i = 0; i < c->n; i++)
    if (w->h->steps.at[c->at[i]].source) return true;
  return false;
}

const void *walk_turn(const Vertex *arc) {
  for (uint32_t i = 0; i < arc->conjuncts.n; i++) {
    const Conjunct *c = &arc->conjuncts.at[i];
    if (c->x->kind == IR_COMPREHENSION) return IR_AS(IrComprehension, c->x)->run;
    if (c->x->kind == IR_DYNAMIC && c->env) return c->env->up;
  }
  return arc;
}

const Env *walk_clause(const Vertex *arc) {
  for (uint32_t i = 0; i < arc->conjuncts.n; i++) {
    const Conjunct *c = &arc->conjuncts.at[i];
    if (c->x->kind == IR_COMPREHENSION) return NULL;
    if (c->x->kind == IR_DYNAMIC && c->env) return c->env->up;
  }
  return NULL;
}

/* The items of y go where those of x are, in the loop of which both are cases, so that they come element by element. */
static void join_cases(Walk *w, PlanItem *x, const PlanItem *y, uint32_t slot) {
  bool is_there = x->kind == PLAN_FOR && x->value_slot == slot;
  uint32_t n = is_there ? x->n + y->n : x->n;
  PlanItem *items = cue_array(w->a, PlanItem, n);
  memcpy(items, x->items, x->n * sizeof *items);
  if (is_there)
    memcpy(items + x->n, y->items, y->n * sizeof *items);
  else
    join_cases(w, &items[x->n - 1], &y->items[0], slot);
  x->items = items;
  x->n = n;
}

/* Whether the group at i goes on with the loop of those from `from`, which are other cases of the same run of it. */
static bool is_next_case(Walk *w, const PlacedItems *all, uint32_t from, uint32_t i, uint16_t *loop) {
  for (uint32_t k = from; k < i; k++) {
    uint16_t parts;
    if (!context_parts(w->h, all->at[k].context, all->at[i].context, &parts) ||
        !hole_same_turn(w->h, all->at[k].env, all->at[i].env, parts))
      return false;
    *loop = parts; /* the last is the innermost */
  }
  return i > from;
}

void walk_gather(Walk *w, const PlacedItems *all, uint16_t known, Items *out) {
  uint32_t first = 0; /* of those in the last item */
  for (uint32_t i = 0; i < all->n;) {
    uint32_t n = 0;
    while (i + n < all->n && all->at[i + n].context == all->at[i].context &&
           (all->at[i + n].origin == all->at[i].origin || !has_loop(w, all->at[i].context)))
      n++;
    PlanItem *items = cue_array(w->a, PlanItem, n);
    for (uint32_t k = 0; k < n; k++) items[k] = all->at[i + k].item;
    uint16_t loop;
    bool joins = is_next_case(w, all, first, i, &loop);
    if (!joins && i && all->at[i].origin && !all->at[i].env &&
        context_parts(w->h, all->at[i - 1].context, all->at[i].context, &loop))
      walk_fail(w, NULL, "a list made in the loop that decides which definitions a component has");
    if (!joins) first = i;
    PlanItem it = within(w, items, n, all->at[i].context, known);
    if (joins)
      join_cases(w, &out->at[out->n - 1], &it, w->h->steps.at[loop].value_slot);
    else if (all->at[i].context == known)
      for (uint32_t k = 0; k < n; k++) cue_push(w->a, out, items[k]);
    else
      cue_push(w->a, out, it);
    i += n;
  }
}

/* ---- holes ---- */

/* Whether v is only braces around its hole: {x}. */
static bool is_braces(const Vertex *v) {
  if (!v->base || v->base->kind != IR_STRUCT_MARK || v->more->patterns) return false;
  for (uint32_t i = 0; i < v->arcs.n; i++)
    if (label_is_regular(v->arcs.at[i]->label)) return false;
  for (uint32_t i = 0; i < v->more->structs.n; i++) {
    const IrStruct *s = v->more->structs.at[i].lit;
    bool embeds = false;
    for (uint32_t k = 0; k < s->n; k++) embeds |= s->decls[k]->kind < IR_FIELD;
    if (!embeds) return false;
  }
  return true;
}

static bool is_open_bound(Walk *w, Ir *x) { return x->kind == IR_BOUND && hole_of(w->e, IR_AS(IrBound, x)->value); }

static void assume_bound(Walk *w, Vertex *v, const IrBound *b, uint16_t known) {
  Plan p = {.kind = PLAN_OP, .op = (uint8_t)hole_op(b->op)};
  p.x = hole_plan_of(w->e, (Ir *)v);
  p.y = hole_plan_of(w->e, b->value);
  hole_assume(w->e, known, hole_plan(w->h, p));
}

/* What is said of v, without bounds that are not known: those are assumed. */
static Ir *known_bounds(Walk *w, Vertex *v, Ir *said, uint16_t known) {
  if (is_open_bound(w, said)) {
    assume_bound(w, v, IR_AS(IrBound, said), known);
    return ir_type(w->e, ir_kinds(said));
  }
  if (said->kind != IR_CONJUNCTION) return said;
  IrJunction *all = IR_AS(IrJunction, said), *rest = cue_new(w->a, IrJunction);
  *rest = *all;
  rest->at = cue_array(w->a, Ir *, all->n);
  rest->n = 0;
  for (uint32_t i = 0; i < all->n; i++) {
    if (is_open_bound(w, all->at[i]))
      assume_bound(w, v, IR_AS(IrBound, all->at[i]), known);
    else
      rest->at[rest->n++] = all->at[i];
  }
  return rest->n ? (Ir *)rest : &w->e->top;
}

const PlanSchema *walk_rest(Walk *w, Vertex *v, uint16_t known) {
  Holes *h = w->h;
  Vertex *t = vertex_new(w->e, v->parent, v->label);
  for (uint32_t i = 0; i < v->conjuncts.n; i++) cue_push(w->a, &t->conjuncts, v->conjuncts.at[i]);
  Vertex *bare = h->bare;
  uint16_t outer = h->within;
  h->bare = t;
  h->within = known;
  h->mixed = h->decides = h->chosen = false;
  h->dropped.n = 0;
  cue_push(w->a, &h->dropped, hole_of(w->e, (Ir *)v));
  cue_finalize(w->e, t);
  h->bare = bare;
  h->within = outer;
  if (h->mixed) walk_fail(w, v, "a constraint under a condition");
  if (h->decides && !h->chosen) walk_fail(w, v, "a disjunction of what is not known");
  t = vertex_deref(t);
  if (!t->base || t->base->kind == IR_TOP || is_braces(t)) return NULL;
  t->base = known_bounds(w, v, t->base, known);
  if (t->base->kind == IR_TOP) return NULL;
  const PlanSchema *s = h->given.n ? lower_values_schema(w->c, t) : lower_schema(w->c, t);
  if (!s) walk_fail(w, v, "a constraint of no simple kind");
  return s && s->kind != SCHEMA_ANY ? s : NULL;
}

static const Plan *compared(Holes *h, PlanOp op, const Plan *x, CueValue v) {
  return hole_plan(h, (Plan){.kind = PLAN_OP, .op = (uint8_t)op, .x = x, .y = hole_const(h, v)});
}

/* p, a hole with a default, beside another default. Two that differ leave no value, unless one is given. */
static const Plan *of_two_defaults(Holes *h, const Hole *x, const Plan *p, CueValue other) {
  const Plan *given = hole_raw(h, x->plan);
  const Plan *ok =
      default_is_derived(x->schema) ? compared(h, PLAN_EQ, p, other) : compared(h, PLAN_NE, p, x->schema->value);
  if (given) ok = hole_or(h, ok, hole_plan(h, (Plan){.kind = PLAN_PRESENT, .x = given}));
  ok = hole_plan(h, (Plan){.kind = PLAN_CHECK, .x = ok, .schema = &schema_true});
  return hole_plan(h, (Plan){.kind = PLAN_IF, .x = ok, .y = p});
}

/* p, the plan of a hole, where s is said of it, too. */
static const Plan *beside_default(Holes *h, const Hole *x, const Plan *p, const PlanSchema *s) {
  if (!s || !s->has_default || !x || !x->schema || !x->schema->has_default) return p;
  if (!default_is_derived(x->schema) && cue_value_eq(x->schema->value, s->value)) return p;
  return of_two_defaults(h, x, p, s->value);
}

static const Plan *leaf_plan(Walk *w, Vertex *v, const Hole *x, uint16_t known) {
  Holes *h = w->h;
  cue_push(w->a, &w->seen, v);
  const HoleCell *cell = hole_cell(h, v);
  const Plan *p = x->plan;
  bool may_be_absent = false;
  if (cell && cell->hole == x) {
    may_be_absent = true;
    for (uint32_t i = 0; i < cell->choices.n; i++)
      if (context_implies(h, known, cell->choices.at[i].context)) may_be_absent = false;
    if (cell->choices.n > 1 || may_be_absent) /* see finish_cell */
      return hole_plan(h, (Plan){.kind = PLAN_MUST, .x = p});
    p = hole_plan_of(w->e, cell->choices.at[0].value);
    const Hole *chosen = hole_of(w->e, cell->choices.at[0].value);
    if (chosen) x = chosen;
  }
  const PlanSchema *s = v == x->vertex ? NULL : walk_rest(w, v, known);
  p = beside_default(h, x, p, s);
  if (s && schema_may_add(x->schema, s, 0)) walk_fail(w, v, "a field that #config does not have");
  if (s && !schema_is_implied(x, s))
    p = hole_plan(h, (Plan){.kind = PLAN_CHECK, .x = p, .schema = s, .pos = walk_pos(v)});
  return p;
}

/* ---- vertices ---- */

static bool all_const(const Items *items, uint8_t kind) {
  for (uint32_t i = 0; i < items->n; i++)
    if (items->at[i].kind != kind || items->at[i].value->kind != PLAN_CONST) return false;
  return true;
}

const Plan *walk_built(Walk *w, PlanKind kind, const Items *items, CuePos pos) {
  Plan *p = cue_new(w->a, Plan);
  *p = (Plan){.kind = (uint8_t)kind, .items = items->at, .n = items->n, .pos = pos};
  if (!all_const(items, kind == PLAN_STRUCT ? PLAN_FIELD : PLAN_ELEMENT)) return p;
  PlanRun r = {.a = w->a, .regexes = w->c->regexes};
  CueValue v;
  return plan_run(&r, p, &v) ? hole_plan(w->h, (Plan){.kind = PLAN_CONST, .value = v, .pos = pos}) : p;
}

static bool is_loop_within(const Walk *w, uint16_t context, uint16_t known) {
  const HoleContext *c = &w->h->contexts.at[context], *k = &w->h->contexts.at[known];
  for (uint32_t i = 0; i < c->n; i++) {
    bool is_known = false;
    for (uint32_t j = 0; j < k->n; j++) is_known |= k->at[j] == c->at[i];
    if (!is_known && w->h->steps.at[c->at[i]].source) return true;
  }
  return false;
}

/* Whether a field was written elsewhere than in the body of the clause that makes it. */
static bool is_embedded(Walk *w, const Vertex *arc) {
  for (uint32_t i = 0; i < arc->conjuncts.n; i++) {
    const Conjunct *c = &arc->conjuncts.at[i];
    if (c->x->kind != IR_DYNAMIC || !c->env) continue;
    const Env *up = c->env->up;
    const Vertex *scope = up && up->vertex ? env_vertex(w->e, (Env *)up) : NULL;
    if (!scope || scope->label || scope->conjuncts.n) return true; /* no scope of a clause */
  }
  return false;
}

static PlanItem field_item(Walk *w, Vertex *arc, uint16_t context) {
  PlanItem it = {.value = walk_plan(w, arc, context)};
  Hole *name = label_hole(w->e, arc->label);
  if (label_is_int(arc->label)) {
    it.kind = PLAN_ELEMENT;
  } else if (name) {
    it.kind = PLAN_DYNAMIC;
    it.name = name->plan;
  } else {
    it.kind = PLAN_FIELD;
    it.key = label_name(w->c->labels, arc->label);
  }
  return it;
}

static const Plan *arcs_plan(Walk *w, Vertex *v, uint16_t known) {
  PlacedItems all = {0};
  Items items = {0};
  bool list = vertex_is_list(v);
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    Vertex *arc = v->arcs.at[i];
    if (!(list ? label_is_int(arc->label) : label_is_string(arc->label)) || !vertex_defined(w->e, arc)) continue;
    uint16_t context = walk_context(w, arc, known);
    if (is_loop_within(w, context, known) && is_embedded(w, arc))
      return walk_fail(w, arc, "fields whose names are not known, embedded in a loop: these come in another order");
    cue_push(w->a, &all, (Placed){context, field_item(w, arc, context), walk_turn(arc), NULL});
  }
  walk_gather(w, &all, known, &items);
  return walk_built(w, list ? PLAN_LIST : PLAN_STRUCT, &items, walk_pos(v));
}

const Plan *walk_plan(Walk *w, Vertex *v, uint16_t known) {
  if (w->h->why.n) return hole_const(w->h, cue_null());
  cue_finalize(w->e, v);
  v = vertex_deref(vertex_default(w->e, v));
  const Hole *x = hole_of(w->e, (Ir *)v);
  if (x) return leaf_plan(w, v, x, known);
  if (!v->base) return walk_fail(w, v, "a field without a value");
  switch (v->base->kind) {
  case IR_LIST_MARK:
  case IR_STRUCT_MARK: return arcs_plan(w, v, known);
  case IR_SCALAR: return hole_const(w->h, IR_AS(IrScalar, v->base)->v);
  default: return walk_fail(w, v, "a field that has no value for some values");
  }
}

/* ---- plans that were put off ---- */

/* All that a cell is, beside s. */
static const Plan *choices_plan(Walk *w, const HoleCell *c, const PlanSchema *s) {
  Holes *h = w->h;
  const Plan **at = cue_array(h->a, const Plan *, c->choices.n + 1);
  for (uint32_t i = 0; i < c->choices.n; i++) {
    const HoleChoice *x = &c->choices.at[i];
    const HoleContext *ctx = &h->contexts.at[x->context];
    const Plan *guard = NULL;
    for (uint32_t k = 0; k < ctx->n; k++) /* who asks is in the same loops */
      if (h->steps.at[ctx->at[k]].guard) guard = hole_and(h, guard, h->steps.at[ctx->at[k]].guard);
    at[i] = beside_default(h, hole_of(w->e, x->value), hole_plan_of(w->e, x->value), s);
    if (guard) at[i] = hole_plan(h, (Plan){.kind = PLAN_IF, .x = guard, .y = at[i]});
  }
  return c->choices.n == 1 ? at[0] : hole_plan(h, (Plan){.kind = PLAN_UNIFY, .at = at, .n = c->choices.n});
}

static void finish_cell(Walk *w, const HoleCell *c) {
  Holes *h = w->h;
  uint16_t known = vertex_context(w->e, c->vertex);
  Derived derived;
  if (walk_derived(w, c->vertex, known, &derived)) {
    *c->plan = *derived_plan(w, c, choices_plan(w, c, NULL), &derived);
    return;
  }
  const PlanSchema *s = walk_rest(w, c->vertex, known);
  const Plan *p = choices_plan(w, c, s);
  if (s && !s->has_default && (s->kind == SCHEMA_LIST || s->kind == SCHEMA_STRUCT)) { /* a type that is a value, too */
    CueValue empty = s->kind == SCHEMA_LIST ? cue_list(cue_list_new(h->a, 0)) : cue_struct(cue_struct_new(h->a, 0));
    p = hole_plan(h, (Plan){.kind = PLAN_ELSE, .x = p, .y = hole_const(h, empty)});
  }
  if (s) p = hole_plan(h, (Plan){.kind = PLAN_CHECK, .x = p, .schema = s, .pos = walk_pos(c->vertex)});
  if (s && s->has_default) p = hole_plan(h, (Plan){.kind = PLAN_ELSE, .x = p, .y = hole_const(h, s->value)});
  *c->plan = *p;
}

static void finish_list(Walk *w, const HoleLater *l) {
  PlacedItems all = {0};
  Items items = {0};
  for (uint32_t i = 0; i < l->elements.n; i++) {
    uint16_t context = context_and(w->h, l->context, l->elements.at[i].context);
    Vertex *v = IR_AS(Vertex, l->elements.at[i].element);
    cue_push(w->a, &all, (Placed){context, {.kind = PLAN_ELEMENT, .value = walk_plan(w, v, context)}, v, NULL});
  }
  walk_gather(w, &all, l->context, &items);
  *l->plan = (Plan){.kind = PLAN_LIST, .items = items.at, .n = items.n, .pos = l->pos};
}

/* What is finished may put off more. */
void walk_finish(Walk *w) {
  Holes *h = w->h;
  while (!h->why.n && (w->cells < h->cells.n || w->later < h->later.n)) {
    if (w->later == h->later.n) {
      finish_cell(w, h->cells.at[w->cells++]);
      continue;
    }
    HoleLater *l = h->later.at[w->later++];
    if (l->vertex)
      *l->plan = *walk_plan(w, l->vertex, l->context);
    else
      finish_list(w, l);
  }
}

/* ---- what must hold ---- */

static bool same_contexts(const HoleContexts *x, const HoleContexts *y) {
  if (x->n != y->n) return false;
  for (uint32_t i = 0; i < x->n; i++) {
    bool found = false;
    for (uint32_t k = 0; k < y->n; k++) found |= x->at[i] == y->at[k];
    if (!found) return false;
  }
  return true;
}

static void check_presences(Walk *w) {
  for (uint32_t i = 0; i < w->h->presences.n; i++) {
    HolePresence p = w->h->presences.at[i];
    HoleContexts now = {0};
    vertex_contexts(w->e, p.vertex, &now);
    if (!same_contexts(&now, &p.contexts))
      walk_fail(w, p.vertex, "a field that is asked for before all is said about it");
  }
}

/* The context of the component that v is, or is in; the empty one if it is in none. */
static uint16_t component_context(Walk *w, Vertex *v) {
  for (; v->parent && w->h->split_in; v = v->parent)
    if (v->parent->label == w->h->split_in) return whole_context(w, v);
  return 0;
}

Fork walk_undecided(Walk *w) {
  Holes *h = w->h;
  for (uint32_t i = 0; i < h->closed.n; i++) {
    const HoleClosed *c = &h->closed.at[i];
    uint16_t there = whole_context(w, c->vertex);
    const HoleContext *said = &h->contexts.at[c->context];
    for (uint32_t k = 0; k < said->n; k++) {
      bool is_known = false;
      for (uint32_t j = 0; j < h->contexts.at[there].n; j++) is_known |= h->contexts.at[there].at[j] == said->at[k];
      if (is_known) continue;
      const HoleStep *s = &h->steps.at[said->at[k]];
      if (!s->guard) {
        walk_fail(w, c->vertex, "definitions that are joined in a loop");
        continue;
      }
      bool varies = hole_varies(h, s->guard);
      h->at = walk_pos(c->vertex);
      return (Fork){s->guard, varies, varies ? component_context(w, c->vertex) : 0};
    }
  }
  return (Fork){0};
}

static bool was_seen(const Walk *w, const Vertex *v) {
  for (uint32_t i = 0; i < w->seen.n; i++)
    if (w->seen.at[i] == v) return true;
  return false;
}

/* What v is in, nearest first, and has fields of which two may have one name; NULL. Components are told apart elsewhere. */
static Vertex *with_names(Walk *w, const Vertex *v) {
  Label components = label_ident(w->c->labels, CUE_STR("#components"), CUE_STR(""));
  for (Vertex *p = v->parent; p && p->label != components; p = p->parent)
    if (vertex_has_names(w->e, p))
      return p->status == VERTEX_FINALIZED && !p->non_rooted && !vertex_names_differ(w->e, p) ? p : NULL;
  return NULL;
}

/* Structs that nobody asks for are built where their fields may be in conflict. */
static void build_unseen(Walk *w, PlacedItems *all) {
  Holes *h = w->h;
  for (uint32_t i = 0; i < h->vertices.n && !h->why.n; i++) {
    Vertex *v = h->vertices.at[i], *p = was_seen(w, v) ? NULL : with_names(w, v);
    if (!p || was_seen(w, p)) continue;
    cue_push(w->a, &w->seen, p);
    uint16_t context = whole_context(w, p);
    cue_push(w->a, all, (Placed){context, {.kind = PLAN_ELEMENT, .value = walk_plan(w, p, context)}, NULL, NULL});
  }
}

/* A list of all that was taken for granted: to build it gives up where one does not hold. */
static const Plan *assumed(Walk *w) {
  Holes *h = w->h;
  PlacedItems all = {0};
  Items items = {0};
  for (uint32_t i = 0; i < h->assumptions.n; i++) {
    const HoleAssumption *a = &h->assumptions.at[i];
    const Plan *p = hole_plan(h, (Plan){.kind = PLAN_CHECK, .x = a->holds, .schema = &schema_true});
    cue_push(w->a, &all, (Placed){a->context, {.kind = PLAN_ELEMENT, .value = p}, NULL, NULL});
  }
  build_unseen(w, &all);
  for (uint32_t i = 0; i < h->vertices.n && !h->why.n; i++) {
    Vertex *v = h->vertices.at[i];
    const Hole *x = hole_of(w->e, (Ir *)v);
    if (v->status != VERTEX_FINALIZED || vertex_deref(v) != v || !x || x->plan->kind == PLAN_INPUT || was_seen(w, v))
      continue;
    uint16_t context = whole_context(w, v);
    const Plan *p = leaf_plan(w, v, x, context);
    if (p != x->plan) cue_push(w->a, &all, (Placed){context, {.kind = PLAN_ELEMENT, .value = p}, NULL, NULL});
  }
  walk_gather(w, &all, 0, &items);
  if (!items.n) return NULL;
  Plan *p = cue_new(w->a, Plan);
  *p = (Plan){.kind = PLAN_LIST, .items = items.at, .n = items.n};
  return p;
}

/* A field in a circle, or that needs one. */
static const Vertex *circular(const Walk *w) {
  const Holes *h = w->h;
  for (uint32_t i = 0; i < h->cells.n; i++)
    if (plan_is_endless(w->a, h->cells.at[i]->plan)) return h->cells.at[i]->vertex;
  return NULL;
}

const Plan *walk_granted(Walk *w, const Plan *p) {
  Holes *h = w->h;
  walk_finish(w);
  const Plan *all = h->why.n ? NULL : assumed(w);
  walk_finish(w);
  check_presences(w);
  if (!h->why.n && (plan_is_endless(w->a, p) || plan_is_endless(w->a, all)))
    walk_fail(w, circular(w), "values that depend on each other in a circle");
  if (h->why.n || !all) return h->why.n ? NULL : p;
  Plan *q = cue_new(w->a, Plan), *n = cue_new(w->a, Plan), *ok = cue_new(w->a, Plan);
  *n = (Plan){.kind = PLAN_LEN, .x = all};
  *ok = (Plan){.kind = PLAN_OP, .op = PLAN_GE, .x = n, .y = hole_const(h, cue_int(0))};
  *q = (Plan){.kind = PLAN_IF, .x = ok, .y = p};
  return q;
}

/* ---- the evaluation ---- */

Walk walk_begin(CueContext *c, Holes *h) {
  h->cells.n = h->later.n = h->assumptions.n = h->presences.n = h->closed.n = h->vertices.n = 0;
  h->turns.n = 0;
  h->why = CUE_STR("");
  c->eval->holes = h;
  return (Walk){.c = c, .e = c->eval, .h = h, .a = c->a};
}

void walk_end(Walk *w) { w->e->holes = NULL; }

Vertex *walk_field(Walk *w, Vertex *v, const char *name) {
  Vertex *arc = v ? vertex_arc(vertex_deref(v), label_ident(w->c->labels, cue_str(name), CUE_STR(""))) : NULL;
  return arc && vertex_defined(w->e, arc) ? arc : NULL;
}

/* The names of the fields of v, as a list. */
