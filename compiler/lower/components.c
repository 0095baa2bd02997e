/* components.c - the components of a module as a function of its #config.
**
** The module is evaluated with #config a hole (compiler/hole.h). What comes out is walked into a plan: known values are
** constants, holes are what they stand for, checked against what is said beside them, and what was said
** under conditions or in loops is built under them.
**
** A condition that decides which definitions a component has (if x {#Trait}) changes what it may
** contain. Then the module is evaluated twice, once for each outcome. If the condition is another for each element of the
** loop that makes the component, the loop is split instead (HoleSplit).
*/
#include "compiler/lower/walk.h"

enum { MAX_DECISIONS = 5, MAX_SPLITS = (1 << MAX_DECISIONS) - 1 };

/* ---- components ---- */

/* The names of the fields of v, as a list. */
static const Plan *keys_plan(Walk *w, Vertex *v, uint16_t known) {
  PlacedItems all = {0};
  Items items = {0};
  Vertex *d = v ? vertex_deref(v) : NULL;
  uint16_t base = v ? walk_context(w, v, known) : known;
  for (uint32_t i = 0; d && i < d->arcs.n; i++) {
    Vertex *arc = d->arcs.at[i];
    if (!label_is_string(arc->label) || !vertex_defined(w->e, arc)) continue;
    Hole *name = label_hole(w->e, arc->label);
    const Plan *p = name ? name->plan : hole_const(w->h, cue_string(label_name(w->c->labels, arc->label)));
    cue_push(w->a, &all, (Placed){walk_context(w, arc, base), {.kind = PLAN_ELEMENT, .value = p}, arc, NULL});
  }
  walk_gather(w, &all, known, &items);
  return walk_built(w, PLAN_LIST, &items, 0);
}

static void put(Walk *w, Items *items, const char *key, const Plan *value) {
  PlanItem it = {.kind = PLAN_FIELD, .key = cue_str(key), .value = value};
  cue_push(w->a, items, it);
}

static const Plan *component_plan(Walk *w, Vertex *v, uint16_t known) {
  Bottom *b = cue_validate(w->e, v, (ValidateOptions){.concrete = true, .final = true});
  if (b) return walk_fail(w, v, "a component that is not valid, or not complete, for some values");
  Items items = {0}, none = {0};
  Hole *name = label_hole(w->e, v->label);
  const Plan *key = name ? name->plan : hole_const(w->h, cue_string(label_name(w->c->labels, v->label)));
  Vertex *meta = walk_field(w, v, "metadata"), *named = walk_field(w, meta, "name"),
         *labels = walk_field(w, meta, "labels");
  put(w, &items, "key", key);
  put(w, &items, "name", named ? walk_plan(w, named, known) : key);
  put(w, &items, "labels", labels ? walk_plan(w, labels, known) : walk_built(w, PLAN_STRUCT, &none, 0));
  if ((named && walk_context(w, named, known) != known) || (labels && walk_context(w, labels, known) != known))
    return walk_fail(w, v, "a name or labels under a condition");
  put(w, &items, "resources", keys_plan(w, walk_field(w, v, "#resources"), known));
  put(w, &items, "traits", keys_plan(w, walk_field(w, v, "#traits"), known));
  put(w, &items, "component", walk_plan(w, v, known));
  return walk_built(w, PLAN_STRUCT, &items, walk_pos(v));
}

static const Plan *components_plan(Walk *w, Vertex *release) {
  Vertex *map = walk_field(w, release, "#components");
  if (!map) return walk_fail(w, release, "no #components");
  Bottom *b = vertex_bottom(map);
  if (b) return walk_fail(w, map, "components that are not valid");
  PlacedItems all = {0};
  Items items = {0};
  Vertex *d = vertex_deref(map);
  for (uint32_t i = 0; i < d->arcs.n; i++) {
    Vertex *arc = d->arcs.at[i];
    if (!label_is_string(arc->label) || !vertex_defined(w->e, arc)) continue;
    uint16_t context = walk_context(w, arc, 0);
    cue_push(w->a, &all,
             (Placed){context,
                      {.kind = PLAN_ELEMENT, .value = component_plan(w, arc, context)},
                      walk_turn(arc),
                      walk_clause(arc)});
  }
  walk_gather(w, &all, 0, &items);
  return walk_built(w, PLAN_LIST, &items, 0);
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

/* What is wrong may be so only because outcomes that exclude each other were taken together: a condition to do one by
** one, best of those where it went wrong. NULL if there is none. */
static const Plan *suspect(Walk *w, const Bottom *b) {
  Holes *h = w->h;
  Vertex *v = b && b->nerrs ? b->errs[0]->node : NULL;
  const HoleContext *c = v ? &h->contexts.at[vertex_context(w->e, v)] : NULL;
  for (uint32_t i = 0; i < (c ? c->n : 0) + h->steps.n; i++) {
    uint32_t step = c && i < c->n ? c->at[i] : i - (c ? c->n : 0);
    const Plan *g = h->steps.at[step].guard;
    bool known;
    if (g && g->kind != PLAN_UNIFY && !hole_varies(h, g) && !hole_decided(h, g, 0, &known)) return g;
  }
  return NULL;
}

/* One evaluation; *fork is a condition that it should be done for twice, for all or where one of its loops is. */
static const Plan *run(Runs *r, Fork *fork) {
  CueContext *c = r->c;
  Holes *h = &r->h;
  *fork = (Fork){0};
  Instance *program = r->make(c, r->arg);
  IrField *f = program && r->config ? config_field(c, program) : NULL;
  if (!program || (r->config && !f)) {
    h->why = CUE_STR("its CUE does not load");
    return NULL;
  }
  Walk w = walk_begin(c, h);
  if (f)
    f->value = hole_make(c->eval, hole_plan(h, (Plan){.kind = PLAN_INPUT}), hole_schema_kinds(r->config), r->config);
  cue_finalize(c->eval, program->root);
  Vertex *release = walk_field(&w, program->root, "release");
  const Plan *list = NULL;
  if (!release || vertex_bottom(release)) {
    Bottom *b = release ? vertex_bottom(release) : NULL;
    if (!h->why.n && b) fork->guard = suspect(&w, b);
    if (!h->why.n && b && b->nerrs) h->at = err_main_pos(b->errs[0]);
    if (!h->why.n && !fork->guard)
      h->why = b && b->nerrs ? cue_strf(c->a, "evaluated with its values unknown: %.*s",
                                        CUE_FMT(err_message(c->eval, c->a, b->errs[0])))
                             : CUE_STR("no module");
  } else {
    *fork = walk_undecided(&w);
    if (!fork->guard && !h->why.n) list = walk_granted(&w, components_plan(&w, release));
  }
  walk_end(&w);
  return list;
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

static const char *const too_many = "too many conditions that decide which definitions a component has";

/* Evaluations, until no loop needs to be split any more. */
static const Plan *splits(Runs *r, Fork *fork) {
  Holes *h = &r->h;
  const Plan *p = run(r, fork);
  while (fork->varies && h->splits.n < MAX_SPLITS && hole_split(h, fork->guard, fork->context)) p = run(r, fork);
  if (!fork->varies) return p;
  h->why = cue_str(h->splits.n == MAX_SPLITS
                       ? too_many
                       : "a condition on one element of many that decides which definitions a component has");
  *fork = (Fork){0};
  return NULL;
}

static const Plan *runs(Runs *r) {
  Holes *h = &r->h;
  Fork fork;
  const Plan *p = splits(r, &fork);
  if (p || !fork.guard) return p;
  if (h->decisions.n == MAX_DECISIONS) {
    h->why = cue_str(too_many);
    return NULL;
  }
  const Plan *both[2] = {NULL, NULL};
  uint32_t nsplits = h->splits.n;
  for (int i = 0; i < 2; i++) {
    cue_push(r->c->a, &h->decisions, (HoleDecision){fork.guard, i == 0});
    both[i] = runs(r);
    h->decisions.n--;
    h->splits.n = nsplits; /* conditions that are looked at for one outcome may make no sense for the other */
    if (!both[i]) return NULL;
  }
  return either(r, fork.guard, both[0], both[1]);
}

Lowered lower_components(CueContext *c, LowerProgram *make, void *arg, const PlanSchema *config) {
  Runs r = {.c = c, .make = make, .arg = arg, .config = config, .h = {.a = c->a}};
  cue_push(c->a, &r.h.contexts, (HoleContext){0});
  r.h.split_in = label_ident(c->labels, CUE_STR("#components"), CUE_STR(""));
  const Plan *p = runs(&r);
  return (Lowered){.plan = r.h.why.n ? NULL : p, .slots = r.h.slots, .why = r.h.why, .at = r.h.at};
}
