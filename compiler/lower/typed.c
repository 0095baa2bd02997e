/* typed.c - what is built against definitions.
**
** Most of a Kubernetes type is about fields that a transformer never writes. So a type is looked at
** along what is built: names and constants are checked here and now, values that are not known yet
** get the test of their own field. Only where a value is passed on as it is, its whole type becomes a
** schema.
*/
#include "compiler/lower/sym.h"

Vertex *vertex_known(Lower *l, Vertex *v) {
  for (;;) {
    if (v->status != VERTEX_FINALIZED)
      vertex_unify(l->e, v, (Flags){.cond = COND_NEED_FIELD_SET, .mode = RUN_FINALIZE, .typos = true});
    Vertex *d = vertex_deref(v);
    if (d == v) return v;
    v = d;
  }
}

static const Plan *whole(Lower *l, const Plan *p, Vertex *type, CuePos at) {
  cue_finalize(l->e, type);
  const PlanSchema *s = lower_schema(l->c, vertex_deref(type));
  if (!s) {
    lower_fail(l, at, "a type that is not of a simple kind");
    return NULL;
  }
  if (s->kind == SCHEMA_ANY) return p;
  if (s->has_default && p->kind != PLAN_CONST && s->kind != SCHEMA_ENUM) {
    lower_fail(l, at, "a value that may meet a default");
    return NULL;
  }
  Plan *c = plan_begin(l);
  c->kind = PLAN_CHECK;
  c->x = p;
  c->schema = s;
  return plan_fold(l, c);
}

/* ---- structs ---- */

/* Fields one by one, each maybe under conditions: the names are all known. */
static bool is_static(const PlanItem *items, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (items[i].kind == PLAN_WHEN ? !is_static(items[i].items, items[i].n) : items[i].kind != PLAN_FIELD) return false;
  return true;
}

static bool always_has(const Plan *p, CueStr key) {
  for (uint32_t i = 0; i < p->n; i++)
    if (p->items[i].kind == PLAN_FIELD && cue_str_eq(p->items[i].key, key)) return true;
  return false;
}

/* What the type wants to be there is always there. */
static bool is_complete(Lower *l, const Plan *p, const Vertex *type) {
  for (uint32_t i = 0; i < type->arcs.n; i++) {
    const Vertex *arc = type->arcs.at[i];
    if (!label_is_string(arc->label) || (arc->arc_type != ARC_MEMBER && arc->arc_type != ARC_REQUIRED)) continue;
    if (!always_has(p, label_name(l->c->labels, arc->label))) return false;
  }
  return true;
}

static bool has_simple_patterns(const Vertex *type) {
  const Patterns *patterns = type->more->patterns;
  for (uint32_t i = 0; patterns && i < patterns->at.n; i++) {
    Ir *x = patterns->at.at[i].pattern;
    if (x->kind != IR_TYPE || IR_AS(IrType, x)->kinds != CUE_STRING) return false;
  }
  return true;
}

static const Plan *typed_field(Lower *l, const Plan *v, Vertex *type, CueStr key, CuePos at) {
  Vertex *arc = vertex_arc(type, label_string(l->c->labels, key));
  bool known = arc && arc->arc_type <= ARC_OPTIONAL;
  if (known) v = plan_typed(l, v, arc, at);
  const Patterns *patterns = type->more->patterns;
  for (uint32_t i = 0; v && patterns && i < patterns->at.n; i++, known = true)
    v = plan_typed(l, v, patterns->at.at[i].constraint, at);
  if (v && !known && !type->has_ellipsis && vertex_is_closed_struct(l->e, type)) {
    lower_fail(l, at, "field %.*s, which its type has not", CUE_FMT(key));
    return NULL;
  }
  return v;
}

static const PlanItem *typed_items(Lower *l, const PlanItem *items, uint32_t n, Vertex *type, CuePos at) {
  PlanItem *out = cue_array(l->a, PlanItem, n ? n : 1);
  for (uint32_t i = 0; i < n; i++) {
    out[i] = items[i];
    if (items[i].kind == PLAN_WHEN)
      out[i].items = typed_items(l, items[i].items, items[i].n, type, at);
    else
      out[i].value = typed_field(l, items[i].value, type, items[i].key, at);
    if (items[i].kind == PLAN_WHEN ? !out[i].items : !out[i].value) return NULL;
  }
  return out;
}

static const Plan *with_items(Lower *l, const Plan *p, const PlanItem *items) {
  if (!items) return NULL;
  Plan *q = plan_begin(l);
  *q = *p;
  q->items = items;
  return q;
}

/* ---- lists ---- */

static const PlanItem *typed_elements(Lower *l, const PlanItem *items, uint32_t n, Vertex *type, Vertex *element,
                                      CuePos at) {
  PlanItem *out = cue_array(l->a, PlanItem, n ? n : 1);
  for (uint32_t i = 0; i < n; i++) {
    out[i] = items[i];
    switch (items[i].kind) {
    case PLAN_WHEN:
    case PLAN_FOR: out[i].items = typed_elements(l, items[i].items, items[i].n, type, element, at); break;
    case PLAN_SPREAD: out[i].value = plan_typed(l, items[i].value, type, at); break;
    default: out[i].value = plan_typed(l, items[i].value, element, at); break;
    }
    if (!out[i].value || (items[i].n && !out[i].items)) return NULL;
  }
  return out;
}

/* What every element of an open list must be; NULL if the list is of another kind. */
static Vertex *element_of(const Vertex *type) {
  const Patterns *patterns = type->more->patterns;
  return patterns && patterns->at.n == 1 && !type->arcs.n ? patterns->at.at[0].constraint : NULL;
}

const Plan *plan_typed(Lower *l, const Plan *p, Vertex *v, CuePos at) {
  if (l->why.n) return NULL;
  Vertex *type = vertex_known(l, v);
  bool of_struct = type->more->structs.n > 0 && !vertex_is_list(type);
  if (p->kind == PLAN_IF) {
    const Plan *y = plan_typed(l, p->y, type, at);
    return y ? plan_new(l, PLAN_IF, p->x, y) : NULL;
  }
  if (p->kind == PLAN_STRUCT && of_struct && schema_is_type(type) && is_static(p->items, p->n) &&
      is_complete(l, p, type) && has_simple_patterns(type))
    return with_items(l, p, typed_items(l, p->items, p->n, type, at));
  if (p->kind == PLAN_LIST && vertex_is_list(type) && vertex_is_open_list(type) && element_of(type))
    return with_items(l, p, typed_elements(l, p->items, p->n, type, element_of(type), at));
  return whole(l, p, type, at);
}
