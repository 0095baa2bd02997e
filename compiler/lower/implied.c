/* implied.c - what is known of a value without looking at it. */
#include "compiler/lower/walk.h"

static const CueValue the_true = {.kind = CUE_BOOL, .as.b = true};
const PlanSchema schema_true = {.kind = SCHEMA_ENUM, .n = 1, .values = &the_true};

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

bool schema_may_add(const PlanSchema *closed, const PlanSchema *s, int depth) {
  if (!closed || !s || closed->kind != s->kind || depth > 16) return false;
  if (s->kind == SCHEMA_LIST) return schema_may_add(closed->rest, s->rest, depth + 1);
  if (s->kind != SCHEMA_STRUCT) return false;
  for (uint32_t i = 0; i < s->n; i++) {
    const SchemaField *f = &s->fields[i];
    const PlanSchema *own = field_schema(closed, f->key);
    if (own ? schema_may_add(own, f->schema, depth + 1) : !closed->open && f->presence == SCHEMA_REGULAR) return true;
  }
  for (uint32_t i = 0; i < s->npatterns; i++)
    for (uint32_t k = 0; k < closed->n + closed->npatterns; k++)
      if (schema_may_add(k < closed->n ? closed->fields[k].schema : closed->patterns[k - closed->n].schema,
                         s->patterns[i].schema, depth + 1))
        return true;
  return false;
}

bool schema_is_implied(const Hole *x, const PlanSchema *s) {
  if (!(x->kinds & ~(unsigned)s->kinds) && s->kind == SCHEMA_SCALAR && !s->n) return true;
  return x->schema && same_schema(x->schema, s, 0);
}
