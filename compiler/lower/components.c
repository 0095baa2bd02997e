/* components.c - the components of a module as a function of its #config.
**
** The module is evaluated with #config a hole (compiler/hole.h). What comes out is walked into a plan: known values are
** constants, holes are what they stand for, checked against what is said beside them, and what was said
** under conditions or in loops is built under them.
**
** A condition that decides which definitions a component has (if x {#Trait}) changes what it may
** contain. Then the module is evaluated twice, once for each outcome.
*/
#include <string.h>

#include "compiler/hole.h"
#include "compiler/lower/lower.h"

enum { MAX_DECISIONS = 5 };

typedef CUE_VEC(PlanItem) Items;

typedef struct {
  CueContext *c;
  Eval *e;
  Holes *h;
  CueArena *a;
  CUE_VEC(Vertex *) seen; /* checked where they are built */
} Walk;

static const Plan *plan_of(Walk *w, Vertex *v, uint16_t known);

static CuePos vertex_pos(const Vertex *v) { return v->conjuncts.n ? v->conjuncts.at[0].x->pos : 0; }

static const Plan *fail(Walk *w, const Vertex *v, const char *what) {
  hole_fail(w->e, vertex_pos(v), what);
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

/* Where v is there, given `known`; contexts of several alternatives become one condition. */
static uint16_t context_of(Walk *w, Vertex *v, uint16_t known) {
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
  return context_of(w, v, up);
}

typedef struct {
  uint16_t context;
  PlanItem item;
} Placed;
typedef CUE_VEC(Placed) PlacedItems;

/* Neighbours in the same context are built in one go: so loops keep the order of what they make. */
static void gather(Walk *w, const PlacedItems *all, uint16_t known, Items *out) {
  for (uint32_t i = 0; i < all->n;) {
    uint32_t n = 0;
    while (i + n < all->n && all->at[i + n].context == all->at[i].context) n++;
    PlanItem *items = cue_array(w->a, PlanItem, n);
    for (uint32_t k = 0; k < n; k++) items[k] = all->at[i + k].item;
    if (all->at[i].context == known)
      for (uint32_t k = 0; k < n; k++) cue_push(w->a, out, items[k]);
    else
      cue_push(w->a, out, within(w, items, n, all->at[i].context, known));
    i += n;
  }
}

/* ---- holes ---- */

/* What is said of v beside its hole. NULL for nothing. */
static const PlanSchema *rest_of(Walk *w, Vertex *v, uint16_t known) {
  Holes *h = w->h;
  Vertex *t = vertex_new(w->e, v->parent, v->label);
  for (uint32_t i = 0; i < v->conjuncts.n; i++) cue_push(w->a, &t->conjuncts, v->conjuncts.at[i]);
  bool dropping = h->dropping;
  uint16_t outer = h->within;
  h->dropping = true;
  h->within = known;
  h->mixed = false;
  cue_finalize(w->e, t);
  h->dropping = dropping;
  h->within = outer;
  if (h->mixed) fail(w, v, "a constraint under a condition");
  t = vertex_deref(t);
  if (!t->base || t->base->kind == IR_TOP) return NULL;
  const PlanSchema *s = lower_schema(w->c, t);
  if (!s) fail(w, v, "a constraint of no simple kind");
  return s && s->kind != SCHEMA_ANY ? s : NULL;
}

static bool same_schema(const PlanSchema *x, const PlanSchema *y, int depth);

static bool same_schemas(const PlanSchema *const *x, const PlanSchema *const *y, uint32_t n, int depth) {
  for (uint32_t i = 0; i < n; i++)
    if (!same_schema(x[i], y[i], depth)) return false;
  return true;
}

static bool same_test(const SchemaTest *x, const SchemaTest *y) {
  return x->op == y->op && x->builtin == y->builtin && x->value.kind == y->value.kind &&
         cue_value_eq(x->value, y->value);
}

static bool same_schema(const PlanSchema *x, const PlanSchema *y, int depth) {
  if (x == y) return true;
  if (!x || !y || depth > 16 || x->kind != y->kind || x->open != y->open || x->has_default != y->has_default ||
      x->kinds != y->kinds || x->n != y->n || x->npatterns != y->npatterns ||
      (x->has_default && !cue_value_eq(x->value, y->value)))
    return false;
  switch ((SchemaKind)x->kind) {
  case SCHEMA_ANY: return true;
  case SCHEMA_SCALAR:
    for (uint32_t i = 0; i < x->n; i++)
      if (!same_test(&x->tests[i], &y->tests[i])) return false;
    return true;
  case SCHEMA_ENUM:
    for (uint32_t i = 0; i < x->n; i++)
      if (x->values[i].kind != y->values[i].kind || !cue_value_eq(x->values[i], y->values[i])) return false;
    return true;
  case SCHEMA_STRUCT:
    for (uint32_t i = 0; i < x->n; i++)
      if (!cue_str_eq(x->fields[i].key, y->fields[i].key) || x->fields[i].presence != y->fields[i].presence ||
          !same_schema(x->fields[i].schema, y->fields[i].schema, depth + 1))
        return false;
    for (uint32_t i = 0; i < x->npatterns; i++)
      if (!cue_str_eq(x->patterns[i].pattern, y->patterns[i].pattern) ||
          !same_schema(x->patterns[i].schema, y->patterns[i].schema, depth + 1))
        return false;
    return true;
  case SCHEMA_LIST: return same_schema(x->rest, y->rest, depth + 1) && same_schemas(x->of, y->of, x->n, depth + 1);
  case SCHEMA_ONE: return same_schemas(x->of, y->of, x->n, depth + 1);
  }
  return false;
}

static const PlanSchema *field_schema(const PlanSchema *s, CueStr key) {
  for (uint32_t i = 0; i < s->n; i++)
    if (cue_str_eq(s->fields[i].key, key)) return s->fields[i].schema;
  return s->npatterns ? s->patterns[0].schema : NULL;
}

/* Whether s may add a field to what satisfies `closed`, which is a definition and does not allow it. */
static bool may_add(const PlanSchema *closed, const PlanSchema *s, int depth) {
  if (!closed || !s || closed->kind != s->kind || depth > 16) return false;
  if (s->kind == SCHEMA_LIST) return may_add(closed->rest, s->rest, depth + 1);
  if (s->kind != SCHEMA_STRUCT) return false;
  for (uint32_t i = 0; i < s->n; i++) {
    const SchemaField *f = &s->fields[i];
    const PlanSchema *own = field_schema(closed, f->key);
    if (own ? may_add(own, f->schema, depth + 1) : !closed->open && f->presence == SCHEMA_REGULAR) return true;
  }
  for (uint32_t i = 0; i < s->npatterns; i++)
    for (uint32_t k = 0; k < closed->n + closed->npatterns; k++)
      if (may_add(k < closed->n ? closed->fields[k].schema : closed->patterns[k - closed->n].schema,
                  s->patterns[i].schema, depth + 1))
        return true;
  return false;
}

/* Whether whatever the hole turns out to be satisfies s. */
static bool is_implied(const Hole *x, const PlanSchema *s) {
  if (!(x->kinds & ~(unsigned)s->kinds) && s->kind == SCHEMA_SCALAR && !s->n) return true;
  return x->schema && same_schema(x->schema, s, 0);
}

static const Plan *not_equal(Holes *h, const Plan *x, CueValue v) {
  return hole_plan(h, (Plan){.kind = PLAN_OP, .op = PLAN_NE, .x = x, .y = hole_const(h, v)});
}

static const CueValue the_true = {.kind = CUE_BOOL, .as.b = true};
static const PlanSchema holds = {.kind = SCHEMA_ENUM, .n = 1, .values = &the_true};

/* The same path in the values as they were given (input 1); NULL if it is none. */
static const Plan *raw_path(Holes *h, const Plan *p) {
  if (p->kind == PLAN_MUST) return raw_path(h, p->x);
  if (p->kind == PLAN_INPUT) return hole_plan(h, (Plan){.kind = PLAN_INPUT, .slot = 1});
  const Plan *x = p->kind == PLAN_GET ? raw_path(h, p->x) : NULL;
  return x ? hole_get(h, x, p->key) : NULL;
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
    if (cell->choices.n == 1 && !may_be_absent) p = hole_plan_of(w->e, cell->choices.at[0].value);
  }
  const PlanSchema *s = v == x->vertex ? NULL : rest_of(w, v, known);
  if (s && s->has_default && x->schema && x->schema->has_default && !cue_value_eq(x->schema->value, s->value)) {
    /* Two defaults that differ leave no value. */
    const Plan *given = raw_path(h, x->plan), *differs = not_equal(h, p, x->schema->value);
    if (given) differs = hole_or(h, differs, hole_plan(h, (Plan){.kind = PLAN_PRESENT, .x = given}));
    differs = hole_plan(h, (Plan){.kind = PLAN_CHECK, .x = differs, .schema = &holds});
    p = hole_plan(h, (Plan){.kind = PLAN_IF, .x = differs, .y = p});
  }
  if (s && may_add(x->schema, s, 0)) fail(w, v, "a field that #config does not have");
  if (s && !is_implied(x, s)) p = hole_plan(h, (Plan){.kind = PLAN_CHECK, .x = p, .schema = s, .pos = vertex_pos(v)});
  if (may_be_absent)
    p = s && s->has_default ? hole_plan(h, (Plan){.kind = PLAN_ELSE, .x = p, .y = hole_const(h, s->value)})
                            : hole_plan(h, (Plan){.kind = PLAN_MUST, .x = p});
  return p;
}

/* ---- vertices ---- */

static bool all_const(const Items *items, uint8_t kind) {
  for (uint32_t i = 0; i < items->n; i++)
    if (items->at[i].kind != kind || items->at[i].value->kind != PLAN_CONST) return false;
  return true;
}

static const Plan *built(Walk *w, PlanKind kind, const Items *items, CuePos pos) {
  Plan *p = cue_new(w->a, Plan);
  *p = (Plan){.kind = (uint8_t)kind, .items = items->at, .n = items->n, .pos = pos};
  if (!all_const(items, kind == PLAN_STRUCT ? PLAN_FIELD : PLAN_ELEMENT)) return p;
  PlanRun r = {.a = w->a, .regexes = w->c->regexes};
  CueValue v;
  return plan_run(&r, p, &v) ? hole_plan(w->h, (Plan){.kind = PLAN_CONST, .value = v, .pos = pos}) : p;
}

static PlanItem field_item(Walk *w, Vertex *arc, uint16_t context) {
  PlanItem it = {.value = plan_of(w, arc, context)};
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
    uint16_t context = context_of(w, arc, known);
    cue_push(w->a, &all, (Placed){context, field_item(w, arc, context)});
  }
  gather(w, &all, known, &items);
  return built(w, list ? PLAN_LIST : PLAN_STRUCT, &items, vertex_pos(v));
}

static const Plan *plan_of(Walk *w, Vertex *v, uint16_t known) {
  if (w->h->why.n) return hole_const(w->h, cue_null());
  cue_finalize(w->e, v);
  v = vertex_deref(vertex_default(w->e, v));
  const Hole *x = hole_of(w->e, (Ir *)v);
  if (x) return leaf_plan(w, v, x, known);
  if (!v->base) return fail(w, v, "a field without a value");
  switch (v->base->kind) {
  case IR_LIST_MARK:
  case IR_STRUCT_MARK: return arcs_plan(w, v, known);
  case IR_SCALAR: return hole_const(w->h, IR_AS(IrScalar, v->base)->v);
  default: return fail(w, v, "a field that has no value for some values");
  }
}

/* ---- plans that were put off ---- */

static void finish_cell(Walk *w, const HoleCell *c) {
  Holes *h = w->h;
  const Plan **at = cue_array(h->a, const Plan *, c->choices.n + 1);
  for (uint32_t i = 0; i < c->choices.n; i++) {
    const HoleChoice *x = &c->choices.at[i];
    const HoleContext *ctx = &h->contexts.at[x->context];
    const Plan *guard = NULL;
    for (uint32_t k = 0; k < ctx->n; k++) /* who asks is in the same loops */
      if (h->steps.at[ctx->at[k]].guard) guard = hole_and(h, guard, h->steps.at[ctx->at[k]].guard);
    at[i] = hole_plan_of(w->e, x->value);
    if (guard) at[i] = hole_plan(h, (Plan){.kind = PLAN_IF, .x = guard, .y = at[i]});
  }
  *c->plan = (Plan){.kind = PLAN_UNIFY, .at = at, .n = c->choices.n};
}

static void finish_list(Walk *w, const HoleLater *l) {
  PlacedItems all = {0};
  Items items = {0};
  for (uint32_t i = 0; i < l->elements.n; i++) {
    uint16_t context = context_and(w->h, l->context, l->elements.at[i].context);
    Vertex *v = IR_AS(Vertex, l->elements.at[i].element);
    cue_push(w->a, &all, (Placed){context, {.kind = PLAN_ELEMENT, .value = plan_of(w, v, context)}});
  }
  gather(w, &all, l->context, &items);
  *l->plan = (Plan){.kind = PLAN_LIST, .items = items.at, .n = items.n, .pos = l->pos};
}

/* What is finished may put off more. */
static void finish(Walk *w, uint32_t *cells, uint32_t *later) {
  Holes *h = w->h;
  while (!h->why.n && (*cells < h->cells.n || *later < h->later.n)) {
    if (*later < h->later.n) {
      HoleLater *l = h->later.at[(*later)++];
      if (!l->vertex)
        finish_list(w, l);
      else
        *l->plan = *plan_of(w, l->vertex, l->context);
    } else {
      finish_cell(w, h->cells.at[(*cells)++]);
    }
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
    if (!same_contexts(&now, &p.contexts)) fail(w, p.vertex, "a field that is asked for before all is said about it");
  }
}

/* A condition that decides what a vertex may contain, and not only whether it is there; NULL if there is none. */
static const Plan *undecided(Walk *w) {
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
      if (s->guard) return s->guard;
      fail(w, c->vertex, "definitions that are joined in a loop");
    }
  }
  return NULL;
}

static bool was_seen(const Walk *w, const Vertex *v) {
  for (uint32_t i = 0; i < w->seen.n; i++)
    if (w->seen.at[i] == v) return true;
  return false;
}

/* A list of all that was taken for granted: to build it gives up where one does not hold. */
static const Plan *granted(Walk *w) {
  Holes *h = w->h;
  PlacedItems all = {0};
  Items items = {0};
  for (uint32_t i = 0; i < h->assumptions.n; i++) {
    const HoleAssumption *a = &h->assumptions.at[i];
    const Plan *p = hole_plan(h, (Plan){.kind = PLAN_CHECK, .x = a->holds, .schema = &holds});
    cue_push(w->a, &all, (Placed){a->context, {.kind = PLAN_ELEMENT, .value = p}});
  }
  for (uint32_t i = 0; i < h->vertices.n && !h->why.n; i++) {
    Vertex *v = h->vertices.at[i];
    const Hole *x = hole_of(w->e, (Ir *)v);
    if (v->status != VERTEX_FINALIZED || vertex_deref(v) != v || !x || x->plan->kind == PLAN_INPUT || was_seen(w, v))
      continue;
    uint16_t context = whole_context(w, v);
    const Plan *p = leaf_plan(w, v, x, context);
    if (p != x->plan) cue_push(w->a, &all, (Placed){context, {.kind = PLAN_ELEMENT, .value = p}});
  }
  gather(w, &all, 0, &items);
  if (!items.n) return NULL;
  Plan *p = cue_new(w->a, Plan);
  *p = (Plan){.kind = PLAN_LIST, .items = items.at, .n = items.n};
  return p;
}

/* ---- components ---- */

static Vertex *field(Walk *w, Vertex *v, const char *name) {
  Vertex *arc = v ? vertex_arc(vertex_deref(v), label_ident(w->c->labels, cue_str(name), CUE_STR(""))) : NULL;
  return arc && vertex_defined(w->e, arc) ? arc : NULL;
}

/* The names of the fields of v, as a list. */
static const Plan *keys_plan(Walk *w, Vertex *v, uint16_t known) {
  PlacedItems all = {0};
  Items items = {0};
  Vertex *d = v ? vertex_deref(v) : NULL;
  uint16_t base = v ? context_of(w, v, known) : known;
  for (uint32_t i = 0; d && i < d->arcs.n; i++) {
    Vertex *arc = d->arcs.at[i];
    if (!label_is_string(arc->label) || !vertex_defined(w->e, arc)) continue;
    Hole *name = label_hole(w->e, arc->label);
    const Plan *p = name ? name->plan : hole_const(w->h, cue_string(label_name(w->c->labels, arc->label)));
    cue_push(w->a, &all, (Placed){context_of(w, arc, base), {.kind = PLAN_ELEMENT, .value = p}});
  }
  gather(w, &all, known, &items);
  return built(w, PLAN_LIST, &items, 0);
}

static void put(Walk *w, Items *items, const char *key, const Plan *value) {
  PlanItem it = {.kind = PLAN_FIELD, .key = cue_str(key), .value = value};
  cue_push(w->a, items, it);
}

static const Plan *component_plan(Walk *w, Vertex *v, uint16_t known) {
  Bottom *b = cue_validate(w->e, v, (ValidateOptions){.concrete = true, .final = true});
  if (b) return fail(w, v, "a component that is not valid, or not complete, for some values");
  Items items = {0}, none = {0};
  Hole *name = label_hole(w->e, v->label);
  const Plan *key = name ? name->plan : hole_const(w->h, cue_string(label_name(w->c->labels, v->label)));
  Vertex *meta = field(w, v, "metadata"), *named = field(w, meta, "name"), *labels = field(w, meta, "labels");
  put(w, &items, "key", key);
  put(w, &items, "name", named ? plan_of(w, named, known) : key);
  put(w, &items, "labels", labels ? plan_of(w, labels, context_of(w, labels, known)) : built(w, PLAN_STRUCT, &none, 0));
  put(w, &items, "resources", keys_plan(w, field(w, v, "#resources"), known));
  put(w, &items, "traits", keys_plan(w, field(w, v, "#traits"), known));
  put(w, &items, "component", plan_of(w, v, known));
  return built(w, PLAN_STRUCT, &items, vertex_pos(v));
}

static const Plan *components_plan(Walk *w, Vertex *release) {
  Vertex *map = field(w, release, "#components");
  if (!map) return fail(w, release, "no #components");
  Bottom *b = vertex_bottom(map);
  if (b) return fail(w, map, "components that are not valid");
  PlacedItems all = {0};
  Items items = {0};
  Vertex *d = vertex_deref(map);
  for (uint32_t i = 0; i < d->arcs.n; i++) {
    Vertex *arc = d->arcs.at[i];
    if (!label_is_string(arc->label) || !vertex_defined(w->e, arc)) continue;
    uint16_t context = context_of(w, arc, 0);
    cue_push(w->a, &all, (Placed){context, {.kind = PLAN_ELEMENT, .value = component_plan(w, arc, context)}});
  }
  gather(w, &all, 0, &items);
  return built(w, PLAN_LIST, &items, 0);
}

/* ---- runs ---- */

/* The value that `release: module & {#config: 0}` gives #config. */
static IrField *config_field(CueContext *c, const Instance *program) {
  IrStruct *file = IR_AS(IrStruct, program->root->conjuncts.at[0].x);
  ir_struct_read(file);
  for (uint32_t i = 0; i < file->n; i++) {
    Ir *d = file->decls[i];
    if (d->kind != IR_FIELD || IR_AS(IrField, d)->label != label_ident(c->labels, CUE_STR("release"), CUE_STR("")))
      continue;
    Ir *both = IR_AS(IrField, d)->value;
    if (both->kind != IR_BINARY || IR_AS(IrBinary, both)->y->kind != IR_STRUCT) return NULL;
    return IR_AS(IrField, IR_AS(IrStruct, IR_AS(IrBinary, both)->y)->decls[0]);
  }
  return NULL;
}

typedef struct {
  CueContext *c;
  LowerProgram *make;
  void *arg;
  const PlanSchema *config;
  Holes h;
} Runs;

static void forget(Holes *h) {
  h->cells.n = h->later.n = h->assumptions.n = h->presences.n = h->closed.n = h->vertices.n = 0;
}

/* One evaluation; *fork is a condition that it should be done for twice. */
static const Plan *run(Runs *r, const Plan **fork) {
  CueContext *c = r->c;
  Holes *h = &r->h;
  Walk w = {.c = c, .e = c->eval, .h = h, .a = c->a};
  *fork = NULL;
  forget(h);
  Instance *program = r->make(c, r->arg);
  IrField *f = program && r->config ? config_field(c, program) : NULL;
  if (!program || (r->config && !f)) {
    h->why = CUE_STR("its CUE does not load");
    return NULL;
  }
  c->eval->holes = h;
  if (f)
    f->value = hole_make(c->eval, hole_plan(h, (Plan){.kind = PLAN_INPUT}), hole_schema_kinds(r->config), r->config);
  cue_finalize(c->eval, program->root);
  Vertex *release = field(&w, program->root, "release");
  const Plan *list = NULL, *all = NULL;
  if (!release || vertex_bottom(release)) {
    if (!h->why.n) h->why = CUE_STR("the module is not valid for some values");
  } else {
    *fork = undecided(&w);
    uint32_t cells = 0, later = 0;
    list = *fork || h->why.n ? NULL : components_plan(&w, release);
    if (list) finish(&w, &cells, &later);
    if (list && !h->why.n) all = granted(&w);
    if (list) finish(&w, &cells, &later);
    if (list) check_presences(&w);
  }
  c->eval->holes = NULL;
  if (!list || h->why.n) return NULL;
  if (!all) return list;
  Plan *p = cue_new(c->a, Plan), *n = cue_new(c->a, Plan), *ok = cue_new(c->a, Plan);
  *n = (Plan){.kind = PLAN_LEN, .x = all};
  *ok = (Plan){.kind = PLAN_OP, .op = PLAN_GE, .x = n, .y = hole_const(h, cue_int(0))};
  *p = (Plan){.kind = PLAN_IF, .x = ok, .y = list};
  return p;
}

/* Both outcomes of a condition, as one list. */
static const Plan *either(Runs *r, const Plan *guard, const Plan *yes, const Plan *no) {
  PlanItem *items = cue_array(r->c->a, PlanItem, 4);
  const Plan *not = hole_plan(&r->h, (Plan){.kind = PLAN_OP, .op = PLAN_NOT, .x = guard});
  items[2] = (PlanItem){.kind = PLAN_SPREAD, .value = yes};
  items[3] = (PlanItem){.kind = PLAN_SPREAD, .value = no};
  items[0] = (PlanItem){.kind = PLAN_WHEN, .value = guard, .items = &items[2], .n = 1};
  items[1] = (PlanItem){.kind = PLAN_WHEN, .value = not, .items = &items[3], .n = 1};
  Plan *p = cue_new(r->c->a, Plan);
  *p = (Plan){.kind = PLAN_LIST, .items = items, .n = 2};
  return p;
}

static const Plan *runs(Runs *r) {
  const Plan *fork, *p = run(r, &fork);
  if (p || !fork) return p;
  if (r->h.decisions.n == MAX_DECISIONS) {
    r->h.why = CUE_STR("too many conditions that decide which definitions a component has");
    return NULL;
  }
  const Plan *both[2] = {NULL, NULL};
  for (int i = 0; i < 2; i++) {
    cue_push(r->c->a, &r->h.decisions, (HoleDecision){fork, i == 0});
    r->h.why = CUE_STR("");
    both[i] = runs(r);
    r->h.decisions.n--;
    if (!both[i]) return NULL;
  }
  return either(r, fork, both[0], both[1]);
}

Lowered lower_components(CueContext *c, LowerProgram *make, void *arg, const PlanSchema *config) {
  Runs r = {.c = c, .make = make, .arg = arg, .config = config, .h = {.a = c->a}};
  cue_push(c->a, &r.h.contexts, (HoleContext){0});
  const Plan *p = runs(&r);
  return (Lowered){.plan = r.h.why.n ? NULL : p, .slots = r.h.slots, .why = r.h.why, .at = r.h.at};
}
