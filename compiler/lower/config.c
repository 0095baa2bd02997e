/* config.c - #config as a function of the values that are given: checked, and complete.
**
** Most are types, and become a schema. Where fields of #config depend on each other (max: >=min, if kind == "x" {...})
** it is evaluated with every value a hole that may be there or not. Which fields there are is found by
** doing so: some show only when the conditions they stand under are no longer unknown.
*/
#include "compiler/lower/walk.h"

#include <stdlib.h>

enum { MAX_ROUNDS = 6, MAX_NESTING = 32 };

/* A field that values may have. */
typedef struct Shape Shape;
struct Shape {
  CueStr key;
  bool is_struct;
  bool ordered; /* has fields that stand where values have them: so these must have them as they are declared */
  CUE_VEC(Shape *) fields;
};

typedef struct {
  CueContext *c;
  Holes h;
  LowerProgram *make;
  void *arg;
} Config;

/* ---- values, as a literal: if it is there {field: hole} ---- */

static Ir *literal(Config *k, const Shape *s, const Plan *raw);

static Ir *field_literal(Config *k, const Shape *f, const Plan *raw) {
  CueContext *c = k->c;
  const Plan *value = hole_get(&k->h, raw, f->key);
  IrField *field = cue_new(c->a, IrField);
  *field = (IrField){.kind = IR_FIELD, .label = label_string(c->labels, f->key)};
  field->value = f->is_struct ? literal(k, f, value) : hole_make(c->eval, value, CUE_TOP, NULL);
  IrStruct *body = cue_new(c->a, IrStruct);
  *body = (IrStruct){.kind = IR_STRUCT, .decls = cue_array(c->a, Ir *, 1), .n = 1};
  body->decls[0] = (Ir *)field;
  IrUnary *clause = cue_new(c->a, IrUnary);
  *clause = (IrUnary){.kind = IR_IF};
  clause->x = hole_make(c->eval, hole_plan(&k->h, (Plan){.kind = PLAN_PRESENT, .x = value}), CUE_BOOL, NULL);
  IrComprehension *comp = cue_new(c->a, IrComprehension);
  *comp = (IrComprehension){.kind = IR_COMPREHENSION, .clauses = cue_array(c->a, Ir *, 1), .n = 1, .value = (Ir *)body};
  comp->clauses[0] = (Ir *)clause;
  cue_push(c->a, &k->h.given, comp);
  return (Ir *)comp;
}

static Ir *literal(Config *k, const Shape *s, const Plan *raw) {
  IrStruct *st = cue_new(k->c->a, IrStruct);
  *st = (IrStruct){.kind = IR_STRUCT, .decls = cue_array(k->c->a, Ir *, s->fields.n + 1), .n = s->fields.n};
  for (uint32_t i = 0; i < s->fields.n; i++) st->decls[i] = field_literal(k, s->fields.at[i], raw);
  return (Ir *)st;
}

/* ---- which fields there are ---- */

static Shape *shape_field(Config *k, Shape *s, CueStr key, bool *grew) {
  for (uint32_t i = 0; i < s->fields.n; i++)
    if (cue_str_eq(s->fields.at[i]->key, key)) return s->fields.at[i];
  Shape *f = cue_new(k->c->a, Shape);
  f->key = key;
  cue_push(k->c->a, &s->fields, f);
  *grew = true;
  return f;
}

static bool has_fields(const Vertex *v) {
  for (uint32_t i = 0; i < v->arcs.n; i++)
    if (label_is_string(v->arcs.at[i]->label)) return true;
  return false;
}

/* False: its fields cannot be told one by one. `late`: see Schemer. */
static bool learn(Config *k, Walk *w, Shape *s, Vertex *v, int depth, bool late, bool *grew) {
  if (depth > MAX_NESTING) return false;
  late |= depth && vertex_deref(v) != v;
  v = vertex_deref(v);
  if (v->more->patterns && v->more->patterns->at.n) return false;
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    Vertex *arc = v->arcs.at[i];
    if (!label_is_string(arc->label) || arc->arc_type > ARC_OPTIONAL || label_hole(w->e, arc->label)) continue;
    Shape *f = shape_field(k, s, label_name(k->c->labels, arc->label), grew);
    cue_finalize(w->e, arc);
    Vertex *d = vertex_deref(arc);
    bool is_struct = d->base && has_fields(d) && !hole_of(w->e, (Ir *)d) &&
                     (d->base->kind == IR_STRUCT_MARK || bottom_incomplete(vertex_bottom(d))); /* conditions: not yet */
    bool early = !depth || (!late && schema_is_early(v, arc->label));
    s->ordered |= !early;
    if (!is_struct) continue;
    if (!f->is_struct) *grew = f->is_struct = true;
    if (!learn(k, w, f, arc, depth + 1, !early, grew)) return false;
  }
  return true;
}

/* ---- checks ---- */

/* A field that #config has under a condition may be given only where that holds. */
static void allow(Walk *w, Vertex *v) {
  v = vertex_deref(v);
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    Vertex *arc = v->arcs.at[i];
    if (!label_is_string(arc->label)) continue;
    Vertex declared = *arc; /* without what values say */
    declared.conjuncts.at = cue_array(w->a, Conjunct, arc->conjuncts.n + 1);
    declared.conjuncts.n = declared.conjuncts.cap = 0;
    bool optional = false;
    uint16_t given = 0;
    for (uint32_t j = 0; j < arc->conjuncts.n; j++) {
      const Conjunct *c = &arc->conjuncts.at[j];
      if (hole_is_given(w->h, c)) {
        const CompRun *run = IR_AS(IrComprehension, c->x)->run;
        if (run && run->contexts.n) given = run->contexts.at[0];
        continue;
      }
      optional |= c->x->kind == IR_FIELD && c->x->arc_type != ARC_MEMBER && !c->ci.context;
      declared.conjuncts.at[declared.conjuncts.n++] = *c;
    }
    HoleContexts cs = {0};
    vertex_contexts(w->e, &declared, &cs);
    const Plan *any = NULL;
    for (uint32_t j = 0; j < cs.n && !optional; j++) {
      const Plan *one = context_condition(w->e, cs.at[j], 0);
      if (!one) optional = true;
      any = hole_or(w->h, any, one);
    }
    if (!optional && declared.conjuncts.n && any) hole_assume(w->e, given, any);
    if (!optional && !any) walk_fail(w, arc, "a field that #config may not have");
    if (!hole_of(w->e, (Ir *)arc)) allow(w, arc);
  }
}

static int by_key(const void *x, const void *y) {
  return cue_str_cmp(((const SchemaField *)x)->key, ((const SchemaField *)y)->key);
}

static const PlanSchema any_schema = {.kind = SCHEMA_ANY};

/* Of values: no other fields. */
static const PlanSchema *shape_schema(CueArena *a, const Shape *s) {
  if (!s->is_struct) return &any_schema;
  PlanSchema *p = cue_new(a, PlanSchema);
  SchemaField *fields = cue_array(a, SchemaField, s->fields.n + 1);
  for (uint32_t i = 0; i < s->fields.n; i++)
    fields[i] = (SchemaField){.key = s->fields.at[i]->key,
                              .presence = SCHEMA_OPTIONAL,
                              .place = i,
                              .schema = shape_schema(a, s->fields.at[i])};
  qsort(fields, s->fields.n, sizeof *fields, by_key);
  *p = (PlanSchema){.kind = SCHEMA_STRUCT, .n = s->fields.n, .fields = fields, .ordered = s->ordered};
  return p;
}

/* What the result satisfies. */
static const PlanSchema *result_schema(Walk *w, Vertex *v, uint16_t known) {
  cue_finalize(w->e, v);
  v = vertex_deref(vertex_default(w->e, v));
  if (hole_of(w->e, (Ir *)v)) {
    Derived derived;
    if (walk_derived(w, v, known, &derived)) return derived_schema(w, &derived);
    const PlanSchema *s = walk_rest(w, v, known);
    return s ? s : &any_schema;
  }
  if (!v->base || v->base->kind != IR_STRUCT_MARK) {
    const PlanSchema *s = lower_schema(w->c, v);
    return s ? s : &any_schema;
  }
  PlanSchema *p = cue_new(w->a, PlanSchema);
  SchemaField *fields = cue_array(w->a, SchemaField, v->arcs.n + 1);
  uint32_t n = 0;
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    Vertex *arc = v->arcs.at[i];
    if (!label_is_string(arc->label) || !vertex_defined(w->e, arc)) continue;
    uint16_t context = walk_context(w, arc, known);
    fields[n] = (SchemaField){.key = label_name(w->c->labels, arc->label),
                              .presence = context == known ? SCHEMA_REGULAR : SCHEMA_OPTIONAL,
                              .place = n,
                              .schema = result_schema(w, arc, context)};
    n++;
  }
  qsort(fields, n, sizeof *fields, by_key);
  *p = (PlanSchema){.kind = SCHEMA_STRUCT, .n = n, .fields = fields};
  return p;
}

/* ---- rounds ---- */

static IrBinary *unified(CueContext *c, const Instance *program) {
  IrStruct *file = IR_AS(IrStruct, program->root->conjuncts.at[0].x);
  ir_struct_read(file);
  Label release = label_ident(c->labels, CUE_STR("release"), CUE_STR(""));
  for (uint32_t i = 0; i < file->n; i++) {
    Ir *d = file->decls[i];
    if (d->kind == IR_FIELD && IR_AS(IrField, d)->label == release && IR_AS(IrField, d)->value->kind == IR_BINARY)
      return IR_AS(IrBinary, IR_AS(IrField, d)->value);
  }
  return NULL;
}

Lowered lower_config(CueContext *c, LowerProgram *make, void *arg, const PlanSchema **schema) {
  Config k = {.c = c, .make = make, .arg = arg, .h = {.a = c->a}};
  cue_push(c->a, &k.h.contexts, (HoleContext){0});
  Shape root = {.is_struct = true};
  const Plan *in = hole_plan(&k.h, (Plan){.kind = PLAN_INPUT}), *result = NULL;
  *schema = NULL;
  for (int round = 0; round < MAX_ROUNDS && !result; round++) {
    Instance *program = make(c, arg);
    IrBinary *both = program ? unified(c, program) : NULL;
    if (!both) return (Lowered){.why = CUE_STR("its CUE does not load")};
    Walk w = walk_begin(c, &k.h);
    k.h.given.n = 0;
    both->y = literal(&k, &root, in);
    cue_finalize(c->eval, program->root);
    Vertex *v = walk_field(&w, program->root, "release");
    Bottom *b = v ? vertex_bottom(v) : NULL;
    bool grew = false, waits = b && bottom_incomplete(b); /* a condition on a field that is not known yet to be given */
    if (!v || (b && !waits))
      k.h.why = CUE_STR("#config is not valid for some values");
    else if (!learn(&k, &w, &root, v, 0, false, &grew))
      walk_fail(&w, v, "patterns beside fields that depend on each other");
    else if (waits && !grew)
      k.h.why = CUE_STR("#config is not valid for some values");
    if (!k.h.why.n && !grew) {
      allow(&w, v);
      if (walk_undecided(&w).guard) walk_fail(&w, v, "a condition that decides which definitions #config has");
      const Plan *p = k.h.why.n ? NULL : walk_plan(&w, v, 0);
      *schema = p ? result_schema(&w, v, 0) : NULL;
      const Plan *known = hole_plan(&k.h, (Plan){.kind = PLAN_CHECK, .x = in, .schema = shape_schema(c->a, &root)});
      const Plan *there = hole_plan(&k.h, (Plan){.kind = PLAN_PRESENT, .x = known});
      if (p) p = walk_granted(&w, p);
      if (p) result = hole_plan(&k.h, (Plan){.kind = PLAN_IF, .x = there, .y = p});
    }
    walk_end(&w);
    if (k.h.why.n) break;
  }
  if (!result && !k.h.why.n) k.h.why = CUE_STR("fields that depend on each other without end");
  return (Lowered){.plan = k.h.why.n ? NULL : result, .slots = k.h.slots, .why = k.h.why, .at = k.h.at};
}
