/* schema.c - evaluated definitions as schemas: what data must satisfy, told without the evaluator. */
#include <stdlib.h>

#include "compiler/lower/sym.h"

typedef struct {
  CueContext *c;
  CueArena *a;
  int depth;
  uint32_t made; /* a type that is part of itself has no end */
  bool closed;   /* part of a closed struct: then patterns and elements are, too, though their vertices do not know */
  bool values;   /* of what will be given for #config: where fields stand matters */
  bool late;     /* ... part of something that joins a value after what is given for it */
} Schemer;

enum { MAX_DEPTH = 64, MAX_MADE = 20000 };

static const PlanSchema *schema_of(Schemer *s, Vertex *v);

static bool scalar_data(Ir *x, CueValue *out) {
  x = ir_unwrap(x);
  if (!x || x->kind != IR_SCALAR) return false;
  *out = IR_AS(IrScalar, x)->v;
  return out->form != CUE_HOLE;
}

static int bound_op(uint8_t tok) {
  switch (tok) {
  case TOK_LSS: return PLAN_LT;
  case TOK_LEQ: return PLAN_LE;
  case TOK_GTR: return PLAN_GT;
  case TOK_GEQ: return PLAN_GE;
  case TOK_NEQ: return PLAN_NE;
  case TOK_MAT: return PLAN_MATCH;
  case TOK_NMAT: return PLAN_NO_MATCH;
  default: return -1;
  }
}

/* A test of a scalar; kinds become those it allows. */
static bool test_of(Schemer *s, Ir *x, SchemaTest *t, uint16_t *kinds) {
  if (x->kind == IR_BOUND) {
    int op = bound_op(x->op);
    if (op < 0 || !scalar_data(IR_AS(IrBound, x)->value, &t->value)) return false;
    if (op == PLAN_NE && t->value.kind == CUE_NULL) return false;
    t->op = (uint8_t)op;
    *kinds &= (uint16_t)ir_kinds(x);
    return true;
  }
  if (x->kind != IR_VALIDATOR) return false;
  IrValidator *v = IR_AS(IrValidator, x);
  if (!v->builtin->fn || v->n > 6) return false;
  CueList *args = cue_list_new(s->a, v->n);
  for (uint32_t i = 0; i < v->n; i++)
    if (!scalar_data(v->args[i], &args->at[i])) return false;
  t->value = cue_list(args);
  t->builtin = v->builtin->fn;
  t->package = v->builtin->package;
  *kinds &= (uint16_t)ir_kinds(x);
  return true;
}

static PlanSchema *schema_new(Schemer *s, SchemaKind kind) {
  PlanSchema *p = cue_new(s->a, PlanSchema);
  p->kind = (uint8_t)kind;
  return p;
}

enum { SCALARS = CUE_NULL | CUE_BOOL | CUE_NUMBER | CUE_STRING | CUE_BYTES };

static const PlanSchema *conjunction(Schemer *s, Ir *const *at, uint32_t n) {
  PlanSchema *p = schema_new(s, SCHEMA_SCALAR);
  SchemaTest *tests = cue_array(s->a, SchemaTest, n);
  p->kinds = SCALARS;
  for (uint32_t i = 0; i < n; i++) {
    if (at[i]->kind == IR_TYPE) {
      p->kinds &= (uint16_t)IR_AS(IrType, at[i])->kinds;
      continue;
    }
    if (!test_of(s, at[i], &tests[p->n], &p->kinds)) return NULL;
    p->n++;
  }
  p->tests = tests;
  return p->kinds ? p : NULL;
}

static const PlanSchema *value_schema(Schemer *s, Ir *x);

/* The kinds of what satisfies a schema. */
static unsigned schema_kinds(const PlanSchema *p) {
  unsigned kinds = 0;
  switch ((SchemaKind)p->kind) {
  case SCHEMA_SCALAR: return p->kinds;
  case SCHEMA_STRUCT: return CUE_STRUCT;
  case SCHEMA_LIST: return CUE_LIST;
  case SCHEMA_ENUM:
    for (uint32_t i = 0; i < p->n; i++) kinds |= p->values[i].kind;
    return kinds;
  case SCHEMA_ONE:
    for (uint32_t i = 0; i < p->n; i++) kinds |= schema_kinds(p->of[i]);
    return kinds;
  default: return CUE_TOP;
  }
}

/* Nothing is added to a list of scalars: it does not matter which alternative it is. */
static bool is_plain_list(const PlanSchema *p) {
  bool plain = p->kind == SCHEMA_LIST && (!p->rest || p->rest->kind == SCHEMA_SCALAR || p->rest->kind == SCHEMA_ENUM);
  for (uint32_t i = 0; plain && i < p->n; i++) plain = p->of[i]->kind == SCHEMA_SCALAR || p->of[i]->kind == SCHEMA_ENUM;
  return plain;
}

static bool default_data(Schemer *s, Ir *x, CueValue *out) {
  if (scalar_data(x, out)) return true;
  if (x->kind != IR_VERTEX || !vertex_is_list(vertex_deref(IR_AS(Vertex, x)))) return false;
  *out = lower_data(s->c, IR_AS(Vertex, x));
  return out->kind == CUE_LIST;
}

/* Alternatives that data can tell apart: scalars, and at most one for lists and one for structs. */
static const PlanSchema *disjunction(Schemer *s, IrDisjunction *d) {
  PlanSchema *p = schema_new(s, SCHEMA_ONE);
  const PlanSchema **of = cue_array(s->a, const PlanSchema *, d->n);
  unsigned seen = 0;
  bool around = s->late;
  for (uint32_t i = 0; i < d->n; i++) {
    s->late = true;
    of[i] = value_schema(s, d->at[i]);
    s->late = around;
    unsigned kinds = of[i] ? schema_kinds(of[i]) & (CUE_LIST | CUE_STRUCT) : CUE_TOP;
    if (kinds == CUE_LIST && is_plain_list(of[i])) kinds = 0;
    if (!of[i] || of[i]->kind == SCHEMA_ANY || (kinds & seen)) return NULL;
    seen |= kinds;
  }
  p->of = of;
  p->n = d->n;
  if (d->has_defaults && d->ndefaults == 1 && default_data(s, d->at[0], &p->value)) p->has_default = true;
  if (d->has_defaults && !p->has_default) return NULL;
  return p;
}

static const PlanSchema *value_schema(Schemer *s, Ir *x) {
  PlanSchema *p;
  switch (x->kind) {
  case IR_SCALAR: {
    if (IR_AS(IrScalar, x)->v.form == CUE_HOLE) return NULL;
    CueValue *one = cue_new(s->a, CueValue);
    p = schema_new(s, SCHEMA_ENUM);
    *one = IR_AS(IrScalar, x)->v;
    p->values = one;
    p->n = 1;
    p->value = *one;
    p->has_default = true;
    return p;
  }
  case IR_TOP: return schema_new(s, SCHEMA_ANY);
  case IR_TYPE:
    p = schema_new(s, IR_AS(IrType, x)->kinds == CUE_TOP ? SCHEMA_ANY : SCHEMA_SCALAR);
    p->kinds = (uint16_t)IR_AS(IrType, x)->kinds;
    return p;
  case IR_BOUND:
  case IR_VALIDATOR: return conjunction(s, &x, 1);
  case IR_CONJUNCTION: return conjunction(s, IR_AS(IrJunction, x)->at, IR_AS(IrJunction, x)->n);
  case IR_DISJUNCTION: return disjunction(s, IR_AS(IrDisjunction, x));
  case IR_VERTEX: return schema_of(s, IR_AS(Vertex, x));
  default: return NULL;
  }
}

/* ---- structs and lists ---- */

static int by_key(const void *x, const void *y) {
  return cue_str_cmp(((const SchemaField *)x)->key, ((const SchemaField *)y)->key);
}

static bool filter_text(Ir *x, CueStr *out) {
  if (x->kind == IR_VERTEX) x = vertex_value(vertex_deref(IR_AS(Vertex, x)));
  *out = CUE_STR("");
  if (x->kind == IR_TYPE) return IR_AS(IrType, x)->kinds == CUE_STRING;
  if (x->kind != IR_BOUND || x->op != TOK_MAT || IR_AS(IrBound, x)->value->kind != IR_SCALAR) return false;
  *out = cue_value_str(IR_AS(IrScalar, IR_AS(IrBound, x)->value)->v);
  return true;
}

static bool pattern_of(Schemer *s, Ir *filter, Vertex *value, SchemaPattern *to) {
  if (!filter_text(filter, &to->pattern)) return false;
  cue_finalize(s->c->eval, value);
  to->schema = schema_of(s, value);
  return to->schema != NULL;
}

const PlanSchema *lower_pattern(CueContext *c, Ir *filter, Vertex *value) {
  Schemer s = {.c = c, .a = c->a};
  PlanSchema *p = schema_new(&s, SCHEMA_STRUCT);
  SchemaPattern *one = cue_new(c->a, SchemaPattern);
  p->open = true;
  p->patterns = one;
  p->npatterns = 1;
  return pattern_of(&s, filter, value, one) ? p : NULL;
}

/* Whether x refers to the literal `up` levels around it: then what is written beside it matters. */
static bool refers(Ir *x, uint32_t up) {
  if (!x) return false;
  switch (x->kind) {
  case IR_FIELD_REF:
  case IR_VALUE_REF:
  case IR_LET_REF:
  case IR_DYNAMIC_REF: return IR_AS(IrRef, x)->up == up;
  case IR_SELECTOR: return refers(IR_AS(IrSelector, x)->x, up);
  case IR_INDEX: return refers(IR_AS(IrIndex, x)->x, up) || refers(IR_AS(IrIndex, x)->index, up);
  case IR_BOUND_EXPR:
  case IR_UNARY:
  case IR_OPEN:
  case IR_ELLIPSIS: return refers(IR_AS(IrUnary, x)->x, up);
  case IR_BINARY: return refers(IR_AS(IrBinary, x)->x, up) || refers(IR_AS(IrBinary, x)->y, up);
  case IR_INTERPOLATION:
    for (uint32_t i = 0; i < IR_AS(IrInterpolation, x)->n; i++)
      if (refers(IR_AS(IrInterpolation, x)->parts[i], up)) return true;
    return false;
  case IR_CALL:
    for (uint32_t i = 0; i < IR_AS(IrCall, x)->n; i++)
      if (refers(IR_AS(IrCall, x)->args[i], up)) return true;
    return false;
  case IR_DISJUNCTION_EXPR:
    for (uint32_t i = 0; i < IR_AS(IrDisjunctionExpr, x)->n; i++)
      if (refers(IR_AS(IrDisjunctionExpr, x)->at[i].x, up)) return true;
    return false;
  case IR_LIST:
    for (uint32_t i = 0; i < IR_AS(IrList, x)->n; i++)
      if (refers(IR_AS(IrList, x)->elems[i], up + 1)) return true;
    return false;
  case IR_STRUCT: {
    IrStruct *s = IR_AS(IrStruct, x);
    ir_struct_read(s);
    for (uint32_t i = 0; i < s->n; i++)
      if (refers(s->decls[i]->kind == IR_COMPREHENSION ? NULL : conjunct_elem(s->decls[i]), up + 1)) return true;
    return false;
  }
  default: return false;
  }
}

/* A struct whose fields depend on each other, or on conditions, is a function and no schema. */
static bool is_function(const Vertex *v) {
  for (uint32_t i = 0; i < v->more->structs.n; i++) {
    IrStruct *lit = v->more->structs.at[i].lit;
    ir_struct_read(lit);
    for (uint32_t k = 0; k < lit->n; k++) {
      Ir *d = lit->decls[k];
      if (d->kind == IR_COMPREHENSION || d->kind == IR_DYNAMIC || d->kind == IR_LET) return true;
      if (refers(conjunct_elem(d), 0)) return true;
    }
  }
  return false;
}

bool schema_is_type(Vertex *v) {
  if (!v->more->structs.n || vertex_is_list(v) || is_function(v)) return false;
  for (uint32_t i = 0; i < v->arcs.n; i++)
    if (label_is_def(v->arcs.at[i]->label) || label_is_hidden(v->arcs.at[i]->label)) return false;
  return true;
}

static bool writes_field(Ir *x, Label l) {
  if (x->kind == IR_BINARY && x->op == TOK_AND)
    return writes_field(IR_AS(IrBinary, x)->x, l) || writes_field(IR_AS(IrBinary, x)->y, l);
  if (x->kind != IR_STRUCT) return false;
  IrStruct *lit = IR_AS(IrStruct, x);
  ir_struct_read(lit);
  for (uint32_t i = 0; i < lit->n; i++)
    if (lit->decls[i]->kind == IR_FIELD && IR_AS(IrField, lit->decls[i])->label == l) return true;
  return false;
}

bool schema_is_early(const Vertex *v, Label l) {
  for (uint32_t i = 0; i < v->conjuncts.n; i++)
    if (writes_field(conjunct_elem(v->conjuncts.at[i].x), l)) return true;
  return false;
}

static const PlanSchema *struct_schema(Schemer *s, Vertex *v) {
  if (is_function(v)) return NULL;
  bool outside = s->closed, around = s->late;
  s->closed |= vertex_is_closed_struct(s->c->eval, v);
  PlanSchema *p = schema_new(s, SCHEMA_STRUCT);
  p->open = v->has_ellipsis || !s->closed;
  SchemaField *fields = cue_array(s->a, SchemaField, v->arcs.n ? v->arcs.n : 1);
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    Vertex *arc = v->arcs.at[i];
    if (label_is_def(arc->label) || label_is_hidden(arc->label)) return NULL; /* it may be meant to be set */
    if (!label_is_string(arc->label) || arc->arc_type == ARC_NOT_PRESENT) continue;
    if (arc->arc_type == ARC_PENDING) return NULL;
    SchemaField *f = &fields[p->n++];
    f->key = label_name(s->c->labels, arc->label);
    f->place = p->n - 1;
    f->presence = arc->arc_type == ARC_MEMBER     ? SCHEMA_REGULAR
                  : arc->arc_type == ARC_REQUIRED ? SCHEMA_REQUIRED
                                                  : SCHEMA_OPTIONAL;
    /* Values are unified with all of #config at once, so there it makes no difference. */
    bool early = !s->values || s->depth == 1 || (!around && schema_is_early(v, arc->label));
    if (early && p->late) return NULL;
    p->late += !early;
    s->late = !early;
    cue_finalize(s->c->eval, arc);
    f->schema = schema_of(s, arc);
    s->late = around;
    if (!f->schema) return NULL;
  }
  qsort(fields, p->n, sizeof *fields, by_key);
  p->fields = fields;
  const Patterns *patterns = v->more->patterns;
  if (patterns && patterns->at.n) {
    s->late = true;
    SchemaPattern *at = cue_array(s->a, SchemaPattern, patterns->at.n);
    for (uint32_t i = 0; i < patterns->at.n; i++)
      if (!pattern_of(s, patterns->at.at[i].pattern, patterns->at.at[i].constraint, &at[p->npatterns++])) return NULL;
    p->patterns = at;
  }
  s->closed = outside;
  s->late = around;
  return p;
}

static const PlanSchema *list_schema(Schemer *s, Vertex *v) {
  PlanSchema *p = schema_new(s, SCHEMA_LIST);
  const PlanSchema **of = cue_array(s->a, const PlanSchema *, v->arcs.n ? v->arcs.n : 1);
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    if (!label_is_int(v->arcs.at[i]->label)) continue;
    of[p->n] = schema_of(s, v->arcs.at[i]);
    if (!of[p->n++]) return NULL;
  }
  p->of = of;
  p->open = vertex_is_open_list(v);
  const Patterns *patterns = v->more->patterns;
  if (!patterns || !patterns->at.n) return p;
  if (patterns->at.n > 1) return NULL;
  cue_finalize(s->c->eval, patterns->at.at[0].constraint);
  bool around = s->late;
  s->late = true;
  p->rest = schema_of(s, patterns->at.at[0].constraint);
  s->late = around;
  return p->rest ? p : NULL;
}

static const PlanSchema *schema_of(Schemer *s, Vertex *v) {
  if (s->depth > MAX_DEPTH || s->made++ > MAX_MADE) return NULL;
  Vertex *said = v;
  v = vertex_deref(v);
  if (vertex_bottom(v)) return NULL;
  bool around = s->late;
  s->late |= v != said; /* a reference */
  s->depth++;
  const PlanSchema *p;
  if (vertex_is_list(v))
    p = list_schema(s, v);
  else if (v->base && v->base->kind == IR_STRUCT_MARK)
    p = struct_schema(s, v);
  else
    p = v->base ? value_schema(s, v->base) : NULL;
  s->depth--;
  s->late = around;
  return p;
}

const PlanSchema *lower_partial(CueArena *a, const PlanSchema *s) {
  PlanSchema *p = cue_new(a, PlanSchema);
  *p = *s;
  p->has_default = false;
  if (s->kind == SCHEMA_STRUCT) {
    SchemaField *fields = cue_array(a, SchemaField, s->n + 1);
    SchemaPattern *patterns = cue_array(a, SchemaPattern, s->npatterns + 1);
    for (uint32_t i = 0; i < s->n; i++) {
      fields[i] = s->fields[i];
      fields[i].presence = SCHEMA_OPTIONAL;
      fields[i].schema = lower_partial(a, s->fields[i].schema);
    }
    for (uint32_t i = 0; i < s->npatterns; i++) {
      patterns[i] = s->patterns[i];
      patterns[i].schema = lower_partial(a, s->patterns[i].schema);
    }
    p->fields = fields;
    p->patterns = patterns;
  }
  if (s->kind == SCHEMA_LIST) {
    const PlanSchema **of = cue_array(a, const PlanSchema *, s->n + 1);
    for (uint32_t i = 0; i < s->n; i++) of[i] = lower_partial(a, s->of[i]);
    p->of = of;
    if (s->rest) p->rest = lower_partial(a, s->rest);
  }
  return p;
}

const PlanSchema *lower_schema(CueContext *c, Vertex *v) {
  Schemer s = {.c = c, .a = c->a};
  return schema_of(&s, v);
}

const PlanSchema *lower_values_schema(CueContext *c, Vertex *v) {
  Schemer s = {.c = c, .a = c->a, .values = true};
  return schema_of(&s, v);
}
