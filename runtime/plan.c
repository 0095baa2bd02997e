/* plan.c - runs plans.
**
** Everything here either has the answer CUE has, or gives up. Numbers that are not plain ints are
** left to the evaluator wherever more than their text or their order matters.
*/
#include "runtime/plan.h"

#include <string.h>

#include "runtime/fields.h"

/* ---- structs and lists under construction ---- */

static bool field_add(CueArena *a, CueFields *f, CueStr key, CueValue v) {
  CueValue *there = cue_fields_find(a, f, key);
  if (there) return plan_unify(a, *there, v, there);
  cue_fields_push(a, f, key, v);
  return true;
}

static void element_push(CueArena *a, CueElements *e, CueValue v) {
  uint32_t n = e->l ? e->l->n : 0;
  if (n == e->cap) {
    uint32_t cap = n ? 2 * n : 8;
    e->l = cue_regrow(a, e->l, n ? sizeof *e->l + n * sizeof *e->l->at : 0, sizeof *e->l + cap * sizeof *e->l->at);
    e->cap = cap;
  }
  e->l->at[e->l->n++] = v;
}

static bool spread_fields(CueArena *a, CueFields *f, CueValue v) {
  for (uint32_t i = 0; v.kind == CUE_STRUCT && i < v.as.fields->n; i++)
    if (!field_add(a, f, v.as.fields->at[i].key, v.as.fields->at[i].value)) return false;
  return v.kind == CUE_STRUCT;
}

static bool spread_elements(CueArena *a, CueElements *e, CueValue v) {
  for (uint32_t i = 0; v.kind == CUE_LIST && i < v.as.list->n; i++) element_push(a, e, v.as.list->at[i]);
  return v.kind == CUE_LIST;
}

/* ---- unification of data ---- */

bool plan_unify(CueArena *a, CueValue x, CueValue y, CueValue *out) {
  *out = x;
  if (x.kind == CUE_STRUCT && y.kind == CUE_STRUCT) {
    if (x.as.fields == y.as.fields) return true;
    CueFields f = {0};
    for (uint32_t i = 0; i < x.as.fields->n; i++)
      cue_fields_push(a, &f, x.as.fields->at[i].key, x.as.fields->at[i].value);
    if (!spread_fields(a, &f, y)) return false;
    *out = cue_fields_done(a, &f);
    return true;
  }
  if (x.kind == CUE_LIST && y.kind == CUE_LIST) {
    if (x.as.list == y.as.list) return true;
    if (x.as.list->n != y.as.list->n) return false;
    CueList *l = cue_list_new(a, x.as.list->n);
    for (uint32_t i = 0; i < l->n; i++)
      if (!plan_unify(a, x.as.list->at[i], y.as.list->at[i], &l->at[i])) return false;
    *out = cue_list(l);
    return true;
  }
  /* 1 and 1.0 are equal and do not unify: kinds must be the same. */
  return x.kind == y.kind && cue_value_eq(x, y);
}

/* ---- operators ---- */

static bool is_plain_int(CueValue v) { return v.kind == CUE_INT && v.form == CUE_PLAIN; }
static bool is_number(CueValue v) { return v.kind == CUE_INT || v.kind == CUE_FLOAT; }

static bool order(CueValue x, CueValue y, int *c) {
  if (is_plain_int(x) && is_plain_int(y))
    *c = x.as.i < y.as.i ? -1 : x.as.i > y.as.i;
  else if (is_number(x) && is_number(y))
    *c = cue_value_num_cmp(x, y);
  else if (x.kind == y.kind && (x.kind == CUE_STRING || x.kind == CUE_BYTES))
    *c = cue_str_cmp(cue_value_str(x), cue_value_str(y));
  else
    return false;
  return true;
}

static bool matches(PlanRun *r, CueValue text, CueValue pattern, bool *hit) {
  CueStr err;
  if (text.kind != CUE_STRING || pattern.kind != CUE_STRING) return false;
  const CueRegex *re = cue_regex_get(r->regexes, r->a, cue_value_str(pattern), &err);
  if (!re) return false;
  *hit = cue_regex_test(re, cue_value_str(text));
  return true;
}

/* Scalars only: whether structs compare depends on the version of the language, and unlike kinds are an error that the
** evaluator tells. */
static bool equal(CueValue x, CueValue y, bool *same) {
  *same = x.as.i == y.as.i;
  if (is_plain_int(x) && is_plain_int(y)) return true;
  if ((x.kind | y.kind) & (CUE_STRUCT | CUE_LIST)) return false;
  bool alike = x.kind == y.kind || (is_number(x) && is_number(y)) || x.kind == CUE_NULL || y.kind == CUE_NULL;
  *same = cue_value_eq(x, y);
  return alike;
}

static bool compare(PlanRun *r, PlanOp op, CueValue x, CueValue y, bool *yes) {
  int c = 0;
  switch (op) {
  case PLAN_EQ:
  case PLAN_NE:
    if (!equal(x, y, yes)) return false;
    *yes ^= op == PLAN_NE;
    return true;
  case PLAN_MATCH:
  case PLAN_NO_MATCH:
    if (!matches(r, x, y, yes)) return false;
    *yes ^= op == PLAN_NO_MATCH;
    return true;
  default: break;
  }
  if (!order(x, y, &c)) return false;
  *yes = op == PLAN_LT ? c < 0 : op == PLAN_LE ? c <= 0 : op == PLAN_GT ? c > 0 : c >= 0;
  return true;
}

/* What fits into a word is computed there. False if it does not: a zero of which one side was negative may be -0. */
static bool in_a_word(PlanOp op, int64_t x, int64_t y, int64_t *out) {
  switch (op) {
  case PLAN_ADD: return !__builtin_add_overflow(x, y, out);
  case PLAN_SUB: return !__builtin_sub_overflow(x, y, out);
  case PLAN_MUL: return !__builtin_mul_overflow(x, y, out) && (*out || (x >= 0 && y >= 0));
  case PLAN_IDIV:
  case PLAN_IMOD:
  case PLAN_IQUO:
  case PLAN_IREM: break;
  default: return false;
  }
  if (y == 0 || y == -1) return false;
  int64_t quotient = x / y, rest = x % y;
  *out = op == PLAN_IDIV || op == PLAN_IQUO ? quotient : rest;
  if (op == PLAN_IDIV && rest < 0) *out += y > 0 ? -1 : 1; /* what is left over is never negative */
  if (op == PLAN_IMOD && rest < 0) *out = y > 0 ? rest + y : rest - y;
  return *out || (x >= 0 && y > 0);
}

static bool int_division(PlanRun *r, PlanOp op, CueValue x, CueValue y, CueValue *out) {
  if (x.kind != CUE_INT || y.kind != CUE_INT) return false;
  const CueNum *a = cue_value_num(r->a, x), *b = cue_value_num(r->a, y), *n = NULL;
  if (cue_num_sign(b) == 0) return false;
  CueNumErr err = op == PLAN_IDIV   ? cue_num_int_div(r->a, a, b, &n)
                  : op == PLAN_IMOD ? cue_num_int_mod(r->a, a, b, &n)
                  : op == PLAN_IQUO ? cue_num_int_quo(r->a, a, b, &n)
                                    : cue_num_int_rem(r->a, a, b, &n);
  if (err == CUE_NUM_OK) *out = cue_int_num(n);
  return err == CUE_NUM_OK;
}

static bool arithmetic(PlanRun *r, PlanOp op, CueValue x, CueValue y, CueValue *out) {
  if (x.kind == CUE_STRING && y.kind == CUE_STRING && op == PLAN_ADD) {
    *out = cue_string(cue_str_cat(r->a, cue_value_str(x), cue_value_str(y)));
    return true;
  }
  if (!is_number(x) || !is_number(y)) return false;
  bool ints = x.kind == CUE_INT && y.kind == CUE_INT;
  const CueNum *a = cue_value_num(r->a, x), *b = cue_value_num(r->a, y), *n = NULL;
  CueNumErr err = op == PLAN_ADD   ? cue_num_add(r->a, a, b, ints, &n)
                  : op == PLAN_SUB ? cue_num_sub(r->a, a, b, ints, &n)
                  : op == PLAN_MUL ? cue_num_mul(r->a, a, b, ints, &n)
                                   : cue_num_quo(r->a, a, b, &n);
  if (err == CUE_NUM_OK) *out = ints && op != PLAN_DIV ? cue_int_num(n) : cue_float_num(n);
  return err == CUE_NUM_OK;
}

static bool operate(PlanRun *r, PlanOp op, CueValue x, CueValue y, CueValue *out) {
  bool yes;
  int64_t word;
  if (is_plain_int(x) && is_plain_int(y) && in_a_word(op, x.as.i, y.as.i, &word)) {
    *out = cue_int(word);
    return true;
  }
  switch (op) {
  case PLAN_NOT:
    if (x.kind != CUE_BOOL) return false;
    *out = cue_bool(!x.as.b);
    return true;
  case PLAN_AND:
  case PLAN_OR:
    if (x.kind != CUE_BOOL || y.kind != CUE_BOOL) return false;
    *out = cue_bool(op == PLAN_AND ? x.as.b && y.as.b : x.as.b || y.as.b);
    return true;
  case PLAN_IDIV:
  case PLAN_IMOD:
  case PLAN_IQUO:
  case PLAN_IREM: return int_division(r, op, x, y, out);
  case PLAN_NEG:
    if (!(x.kind & CUE_NUMBER)) return false;
    *out = (x.kind == CUE_INT ? cue_int_num : cue_float_num)(cue_num_neg(r->a, cue_value_num(r->a, x)));
    return true;
  case PLAN_ADD:
  case PLAN_SUB:
  case PLAN_MUL:
  case PLAN_DIV: return arithmetic(r, op, x, y, out);
  default:
    if (!compare(r, op, x, y, &yes)) return false;
    *out = cue_bool(yes);
    return true;
  }
}

static bool run_op(PlanRun *r, const Plan *p, CueValue *out) {
  CueValue x, y = {0};
  if (!plan_run(r, p->x, &x) || plan_absent(x)) return false;
  if (p->y && (!plan_run(r, p->y, &y) || plan_absent(y))) return false;
  return operate(r, p->op, x, y, out);
}

/* "\(x)" is x, if that is a string. */
static bool is_alone(const CueValue *parts, uint32_t n, CueValue *out) {
  const CueValue *one = NULL;
  for (uint32_t i = 0; i < n; i++) {
    if (parts[i].kind != CUE_STRING) return false;
    if (!parts[i].len) continue;
    if (one) return false;
    one = &parts[i];
  }
  if (one) *out = cue_string(cue_value_str(*one));
  return one != NULL;
}

static bool join(PlanRun *r, const CueValue *parts, uint32_t n, CueValue *out) {
  if (is_alone(parts, n, out)) return true;
  CueBuf b = cue_buf(r->a);
  if (n == 1 && parts[0].kind == CUE_STRING) {
    *out = cue_string(cue_value_str(parts[0]));
    return true;
  }
  for (uint32_t i = 0; i < n; i++) {
    CueValue v = parts[i];
    switch (v.kind) {
    case CUE_STRING: cue_buf_str(&b, cue_value_str(v)); break;
    case CUE_BOOL: cue_buf_z(&b, v.as.b ? "true" : "false"); break;
    case CUE_INT:
      if (v.form == CUE_PLAIN)
        cue_buf_int(&b, v.as.i);
      else
        cue_buf_str(&b, cue_num_text(r->a, v.as.num));
      break;
    case CUE_FLOAT: cue_buf_str(&b, cue_num_text(r->a, v.as.num)); break;
    default: return false;
    }
  }
  *out = cue_string(cue_buf_done(&b));
  return true;
}

static bool run_text(PlanRun *r, const Plan *p, CueValue *out) {
  CueValue some[8], *parts = p->n <= 8 ? some : cue_array(r->a, CueValue, p->n);
  for (uint32_t i = 0; i < p->n; i++)
    if (!plan_run(r, p->at[i], &parts[i])) return false;
  return join(r, parts, p->n, out);
}

/* ---- functions ---- */

/* What data can answer. A function that asks for more is refused, and so gives up. */
static CueValue refuse(CueCall *c) {
  c->error = cue_error(CUE_STR("needs the evaluator"));
  return c->error;
}
static CueValue give_data(CueCall *c, CueValue v, bool written) {
  (void)c, (void)written;
  return v;
}
static CueList *give_elements(CueCall *c, CueValue v) {
  CueList *l = cue_list_new(c->a, v.kind == CUE_LIST ? v.as.list->n : 0);
  if (v.kind != CUE_LIST) refuse(c);
  if (l->n) memcpy(l->at, v.as.list->at, l->n * sizeof *l->at);
  return l;
}
static CueStruct *give_fields(CueCall *c, CueValue v) {
  CueStruct *s = cue_struct_new(c->a, v.kind == CUE_STRUCT ? v.as.fields->n : 0);
  if (v.kind != CUE_STRUCT) refuse(c);
  if (s->n) memcpy(s->at, v.as.fields->at, s->n * sizeof *s->at);
  return s;
}
static bool give_is_list(CueCall *c, CueValue v) {
  (void)c;
  return v.kind == CUE_LIST;
}
static bool refuse_equal(CueCall *c, CueValue x, CueValue y, bool regular) {
  (void)x, (void)y, (void)regular;
  return refuse(c).kind != CUE_BOTTOM;
}
static CueValue refuse_unify(CueCall *c, CueValue x, CueValue y) {
  (void)x, (void)y;
  return refuse(c);
}
static bool refuse_subsumes(CueCall *c, CueValue x, CueValue y) {
  (void)x, (void)y;
  return refuse(c).kind != CUE_BOTTOM;
}
static CueValue refuse_validate(CueCall *c, CueValue x, CueValue y, CueValidate how) {
  (void)x, (void)y, (void)how;
  return refuse(c);
}
static CueValue refuse_value(CueCall *c, CueValue v) {
  (void)v;
  return refuse(c);
}
static bool refuse_less(CueCall *c, CueValue f, CueValue x, CueValue y) {
  (void)f, (void)x, (void)y;
  return refuse(c).kind != CUE_BOTTOM;
}
static CueValue refuse_text(CueCall *c, CueStr name, CueStr text) {
  (void)name, (void)text;
  return refuse(c);
}
static CueList *refuse_documents(CueCall *c, CueStr name, CueStr text, bool yaml) {
  (void)name, (void)text, (void)yaml;
  refuse(c);
  return NULL;
}
static CueStr refuse_shown(CueCall *c, CueValue v) {
  (void)v;
  refuse(c);
  return CUE_STR("");
}
static bool refuse_bool(CueCall *c, CueValue v) {
  (void)v;
  return refuse(c).kind != CUE_BOTTOM;
}
static uint32_t refuse_count(CueCall *c, CueValue v) {
  (void)v;
  refuse(c);
  return 0;
}
static CueValue refuse_literal(CueCall *c, CueStr text) {
  (void)text;
  return refuse(c);
}

static const CueCallOps data_ops = {
    .data = give_data,
    .elements = give_elements,
    .fields = give_fields,
    .equal = refuse_equal,
    .unify = refuse_unify,
    .subsumes = refuse_subsumes,
    .validate = refuse_validate,
    .concrete = refuse_value,
    .less = refuse_less,
    .eval_text = refuse_text,
    .documents = refuse_documents,
    .text = refuse_shown,
    .pick = refuse_value,
    .is_list = give_is_list,
    .is_open = refuse_bool,
    .is_final = refuse_bool,
    .constraints = refuse_count,
    .literal = refuse_literal,
};

static bool all_of(CueValue v, unsigned kinds) {
  for (uint32_t i = 0; v.kind == CUE_LIST && i < v.as.list->n; i++)
    if (!(v.as.list->at[i].kind & kinds)) return false;
  return v.kind == CUE_LIST;
}

/* Functions rely on arguments of the kinds their params name (builtin.h). */
static bool takes(const char *params, const CueValue *args, uint32_t n) {
  for (uint32_t i = 0; i < n; params++) {
    unsigned kind = args[i].kind;
    bool ok = false;
    switch (*params) {
    case '?': continue;
    case 's': ok = kind == CUE_STRING; break;
    case 'y': ok = kind == CUE_BYTES; break;
    case 'S': ok = kind & (CUE_STRING | CUE_BYTES); break;
    case 'i': ok = kind == CUE_INT; break;
    case 'n': ok = kind & CUE_NUMBER; break;
    case 'b': ok = kind == CUE_BOOL; break;
    case 'l':
    case 'w': ok = kind == CUE_LIST; break;
    case 'L': ok = all_of(args[i], CUE_STRING); break;
    case 'I': ok = all_of(args[i], CUE_NUMBER); break;
    case 't': ok = kind == CUE_STRUCT; break;
    case '_':
    case '*':
    case 'v': ok = true; break;
    default: break; /* too many */
    }
    if (!ok) return false;
    i++;
  }
  return true;
}

bool plan_call(CueArena *a, CueRegexCache *regexes, const CueBuiltin *f, const char *package, CueValue *args,
               uint32_t n, CueValue *out) {
  CueCall c = {
      .a = a, .builtin = f, .package = package, .nargs = n, .args = args, .regexes = regexes, .ops = &data_ops};
  if (!takes(f->params, args, n)) return false;
  *out = f->fn(&c);
  return out->kind != CUE_BOTTOM && out->form != CUE_LENT && c.error.kind == CUE_BOTTOM && !c.error.len;
}

static bool run_call(PlanRun *r, const Plan *p, CueValue *out) {
  CueValue args[8];
  if (p->n > 8) return false;
  for (uint32_t i = 0; i < p->n; i++)
    if (!plan_run(r, p->at[i], &args[i]) || plan_absent(args[i])) return false;
  return plan_call(r->a, r->regexes, p->builtin, p->package, args, p->n, out);
}

/* ---- items ---- */

typedef struct {
  CueFields fields;
  CueElements elements;
  bool list;
} Builder;

static bool run_items(PlanRun *r, const PlanItem *items, uint32_t n, Builder *b);

static CueValue get_var(const PlanRun *r, uint32_t slot) {
  return slot != PLAN_NO_SLOT ? r->vars[slot] : (CueValue){0};
}

static void set_var(PlanRun *r, uint32_t slot, CueValue v) {
  if (slot != PLAN_NO_SLOT) r->vars[slot] = v;
}

/* What is asked for in a loop may itself run over the same values, with the same variables. */
static bool run_for(PlanRun *r, const PlanItem *it, CueValue src, Builder *b) {
  CueValue key = get_var(r, it->key_slot), value = get_var(r, it->value_slot);
  uint32_t n = src.kind == CUE_STRUCT ? src.as.fields->n : src.kind == CUE_LIST ? src.as.list->n : 0;
  if (src.kind != CUE_STRUCT && src.kind != CUE_LIST) return false;
  for (uint32_t i = 0; i < n; i++) {
    bool st = src.kind == CUE_STRUCT;
    set_var(r, it->key_slot, st ? cue_string(src.as.fields->at[i].key) : cue_int(i));
    set_var(r, it->value_slot, st ? src.as.fields->at[i].value : src.as.list->at[i]);
    if (!run_items(r, it->items, it->n, b)) return false;
  }
  set_var(r, it->key_slot, key);
  set_var(r, it->value_slot, value);
  return true;
}

/* Fields are for structs, elements for lists. */
static bool spread(PlanRun *r, CueValue v, Builder *b) {
  return b->list ? spread_elements(r->a, &b->elements, v) : spread_fields(r->a, &b->fields, v);
}

static bool run_items(PlanRun *r, const PlanItem *items, uint32_t n, Builder *b) {
  for (uint32_t i = 0; i < n; i++) {
    const PlanItem *it = &items[i];
    CueValue v, name;
    if (it->kind == PLAN_DYNAMIC && (!plan_run(r, it->name, &name) || name.kind != CUE_STRING)) return false;
    if (!plan_run(r, it->value, &v)) return false;
    switch (it->kind) {
    case PLAN_FIELD:
      if (!plan_absent(v) && !field_add(r->a, &b->fields, it->key, v)) return false;
      break;
    case PLAN_DYNAMIC:
      if (plan_absent(v) || !field_add(r->a, &b->fields, cue_value_str(name), v)) return false;
      break;
    case PLAN_ELEMENT:
      if (plan_absent(v)) return false;
      element_push(r->a, &b->elements, v);
      break;
    case PLAN_SPREAD:
      if (!plan_absent(v) && !spread(r, v, b)) return false;
      break;
    case PLAN_WHEN:
      if (v.kind != CUE_BOOL) return false;
      if (v.as.b && !run_items(r, it->items, it->n, b)) return false;
      break;
    case PLAN_FOR:
      if (plan_absent(v) || !run_for(r, it, v, b)) return false;
      break;
    default: return false;
    }
  }
  return true;
}

/* ---- plans ---- */

static bool element(CueValue x, CueValue y, CueValue *out) {
  *out = (CueValue){0};
  if (plan_absent(x)) return true;
  if (x.kind == CUE_STRUCT && y.kind == CUE_STRING) {
    const CueValue *v = cue_struct_get(x.as.fields, cue_value_str(y));
    if (v) *out = *v;
    return true;
  }
  if (x.kind != CUE_LIST || y.kind != CUE_INT || y.form != CUE_PLAIN || y.as.i < 0) return false;
  if (y.as.i < (int64_t)x.as.list->n) *out = x.as.list->at[y.as.i];
  return true;
}

static bool run_index(PlanRun *r, const Plan *p, CueValue *out) {
  CueValue x, y;
  return plan_run(r, p->x, &x) && plan_run(r, p->y, &y) && element(x, y, out);
}

static bool run_len(PlanRun *r, const Plan *p, CueValue *out) {
  CueValue x;
  if (!plan_run(r, p->x, &x)) return false;
  switch (x.kind) {
  case CUE_STRING:
  case CUE_BYTES: *out = cue_int(x.len); return true;
  case CUE_LIST: *out = cue_int(x.as.list->n); return true;
  case CUE_STRUCT: *out = cue_int(x.as.fields->n); return true;
  default: return false;
  }
}

static bool run_unify(PlanRun *r, const Plan *p, CueValue *out) {
  *out = (CueValue){0};
  for (uint32_t i = 0; i < p->n; i++) {
    CueValue v;
    if (!plan_run(r, p->at[i], &v)) return false;
    if (plan_absent(v)) continue;
    if (plan_absent(*out))
      *out = v;
    else if (!plan_unify(r->a, *out, v, out))
      return false;
  }
  return true;
}

bool plan_run(PlanRun *r, const Plan *p, CueValue *out) {
  Builder b = {.list = p->kind == PLAN_LIST};
  CueValue x;
  switch ((PlanKind)p->kind) {
  case PLAN_CONST: *out = p->value; return true;
  case PLAN_INPUT: *out = r->inputs[p->slot]; return true;
  case PLAN_VAR: *out = r->vars[p->slot]; return true;
  case PLAN_GET: {
    if (!plan_run(r, p->x, &x)) return false;
    *out = (CueValue){0};
    if (plan_absent(x)) return true;
    if (x.kind != CUE_STRUCT) return false;
    const CueValue *v = cue_struct_get(x.as.fields, p->key);
    if (v) *out = *v;
    return true;
  }
  case PLAN_INDEX: return run_index(r, p, out);
  case PLAN_PRESENT:
    if (!plan_run(r, p->x, &x)) return false;
    *out = cue_bool(!plan_absent(x));
    return true;
  case PLAN_IF:
    if (!plan_run(r, p->x, &x) || x.kind != CUE_BOOL) return false;
    *out = (CueValue){0};
    return !x.as.b || plan_run(r, p->y, out);
  case PLAN_BOTH:
    if (!plan_run(r, p->x, out) || out->kind != CUE_BOOL) return false;
    return !out->as.b || (plan_run(r, p->y, out) && out->kind == CUE_BOOL);
  case PLAN_STRUCT:
    if (!run_items(r, p->items, p->n, &b)) return false;
    *out = cue_fields_done(r->a, &b.fields);
    return true;
  case PLAN_LIST:
    if (!run_items(r, p->items, p->n, &b)) return false;
    *out = cue_list(b.elements.l ? b.elements.l : cue_list_new(r->a, 0));
    return true;
  case PLAN_UNIFY: return run_unify(r, p, out);
  case PLAN_TEST:
    if (!plan_run(r, p->x, &x)) return false;
    *out = cue_bool(!plan_absent(x) && plan_check(r, p->schema, x, &x));
    return true;
  case PLAN_CHECK:
    if (!plan_run(r, p->x, &x)) return false;
    *out = x;
    return plan_absent(x) || plan_check(r, p->schema, x, out);
  case PLAN_OP: return run_op(r, p, out);
  case PLAN_TEXT: return run_text(r, p, out);
  case PLAN_CALL: return run_call(r, p, out);
  case PLAN_LEN: return run_len(r, p, out);
  case PLAN_MUST: return plan_run(r, p->x, out) && !plan_absent(*out);
  case PLAN_ELSE: return plan_run(r, p->x, out) && (!plan_absent(*out) || plan_run(r, p->y, out));
  }
  return false;
}

/* ---- schemas ---- */

static bool check_tests(PlanRun *r, const PlanSchema *s, CueValue v) {
  for (uint32_t i = 0; i < s->n; i++) {
    const SchemaTest *t = &s->tests[i];
    bool yes;
    const CueBuiltin *f = t->use ? r->uses[t->use - 1].builtin : t->builtin;
    if (f) {
      const char *package = t->use ? r->uses[t->use - 1].package : t->package;
      CueValue args[8] = {v}, got;
      uint32_t n = 1;
      for (uint32_t k = 0; t->value.kind == CUE_LIST && k < t->value.as.list->n && n < 8; k++)
        args[n++] = t->value.as.list->at[k];
      if (!plan_call(r->a, r->regexes, f, package, args, n, &got) || got.kind != CUE_BOOL || !got.as.b) return false;
    } else if (t->dfa) {
      if (v.kind != CUE_STRING || cue_dfa_test(t->dfa, v.as.s, v.len) != (t->op == PLAN_MATCH)) return false;
    } else if (!compare(r, t->op, v, t->value, &yes) || !yes) {
      return false;
    }
  }
  return true;
}

/* Fields of a schema are in order of their keys, which mostly differ in their first byte; compiled ones have a table. */
static const SchemaField *schema_field(const PlanSchema *s, CueStr key) {
  if (s->slots) {
    uint32_t slot = s->slots[cue_name_slot(key, s->seed, s->shift)];
    const SchemaField *f = &s->fields[slot ? slot - 1 : 0];
    return slot && f->key.n == key.n && cue_same_bytes(f->key.s, key.s, key.n) ? f : NULL;
  }
  uint32_t lo = 0, hi = s->n;
  unsigned first = key.n ? (unsigned char)key.s[0] : 0;
  while (lo < hi) {
    uint32_t mid = (lo + hi) / 2;
    const SchemaField *f = &s->fields[mid];
    unsigned its = f->key.n ? (unsigned char)f->key.s[0] : 0;
    int c = its != first ? (int)its - (int)first : cue_str_cmp(f->key, key);
    if (!c) return f;
    if (c < 0)
      lo = mid + 1;
    else
      hi = mid;
  }
  return NULL;
}

/* Most of what is checked is of a kind, and no more is asked of it. */
static bool check_value(PlanRun *r, const PlanSchema *s, CueValue *v) {
  if (s->kind == SCHEMA_SCALAR && !s->n) return (s->kinds & v->kind) != 0;
  return plan_check(r, s, *v, v);
}

static bool check_field(PlanRun *r, const PlanSchema *s, const SchemaField *known, CueStr key, CueValue *v) {
  bool allowed = s->open || known;
  if (known && !check_value(r, known->schema, v)) return false;
  for (uint32_t i = 0; i < s->npatterns; i++) {
    bool hit = true;
    const SchemaPattern *p = &s->patterns[i];
    if (p->dfa)
      hit = cue_dfa_test(p->dfa, key.s, key.n);
    else if (p->pattern.n && !matches(r, cue_string(key), cue_string(p->pattern), &hit))
      return false;
    if (!hit) continue;
    allowed = true;
    if (!check_value(r, p->schema, v)) return false;
  }
  return allowed;
}

static bool same(CueValue x, CueValue y) { return memcmp(&x, &y, sizeof x) == 0; }

/* What a field is if nothing is said: its default; a struct has those of its fields, and an open list no elements. */
static bool unsaid(PlanRun *r, const PlanSchema *s, CueValue *out) {
  *out = s->value;
  if (s->has_default) return true;
  if (s->kind == SCHEMA_LIST && !s->n && s->open) {
    *out = cue_list(cue_list_new(r->a, 0));
    return true;
  }
  return s->kind == SCHEMA_STRUCT && plan_check(r, s, cue_struct(cue_struct_new(r->a, 0)), out);
}

/* A struct and what is to become of it. It is copied only if that is something else. */
typedef struct {
  const CueStruct *given;
  CueStruct *now;           /* given with other values; NULL while they are the same */
  CueField *unsaid;         /* fields to add */
  uint32_t *from;           /* by place: 1 + which of given, or, behind those, of unsaid; 0 for none */
  uint32_t few[48];         /* from, if it fits */
  uint32_t nunsaid, nearly; /* nearly: of given, those whose place does not depend on where they are given */
  bool in_order;            /* as it is to be, but for fields to add */
} Checked;

static bool check_given(PlanRun *r, const PlanSchema *s, Checked *c) {
  const CueStruct *given = c->given;
  uint32_t last = 0, early = s->n - s->late;
  for (uint32_t i = 0; i < given->n; i++) {
    const SchemaField *known = schema_field(s, given->at[i].key);
    CueValue v = given->at[i].value;
    if (!check_field(r, s, known, given->at[i].key, &v)) return false;
    if (known) {
      c->from[known->place] = i + 1;
      if (known->place < early) {
        c->in_order &= c->nearly == i && (!i || known->place > last);
        last = known->place;
        c->nearly++;
      }
    }
    if (same(v, given->at[i].value)) continue;
    if (!c->now) {
      c->now = cue_struct_new(r->a, given->n);
      memcpy(c->now->at, given->at, given->n * sizeof *given->at);
    }
    c->now->at[i].value = v;
  }
  return true;
}

static bool add_unsaid(PlanRun *r, const PlanSchema *s, Checked *c) {
  for (uint32_t i = 0; i < s->n; i++) {
    const SchemaField *k = &s->fields[i];
    CueValue v;
    if (k->presence == SCHEMA_OPTIONAL || c->from[k->place]) continue;
    if (k->presence == SCHEMA_REQUIRED || !unsaid(r, k->schema, &v)) return false;
    if (!c->unsaid) c->unsaid = cue_array(r->a, CueField, s->n - i);
    c->unsaid[c->nunsaid++] = (CueField){k->key, v};
    c->from[k->place] = c->given->n + c->nunsaid;
  }
  return true;
}

/* Whether fields that are late come as they are declared: given in that order, and none of those not given is before one
** that is. */
static bool late_in_order(const PlanSchema *s, const Checked *c) {
  uint32_t last = 0;
  for (uint32_t i = s->n - s->late; i < s->n; i++) {
    if (c->from[i] && c->from[i] < last) return false;
    if (c->from[i]) last = c->from[i];
  }
  return true;
}

/* Any number of fields of one kind: labels, for the most part. */
static bool is_map_of_kinds(const PlanSchema *s) {
  const SchemaPattern *p = s->patterns;
  return s->npatterns == 1 && !p->pattern.n && p->schema->kind == SCHEMA_SCALAR && !p->schema->n;
}

/* A struct without fields that are declared stays in its order. */
static bool check_map(PlanRun *r, const PlanSchema *s, CueValue v, CueValue *out) {
  Checked c = {.given = v.as.fields, .in_order = true};
  *out = v;
  if (is_map_of_kinds(s)) {
    for (uint32_t i = 0; i < c.given->n; i++)
      if (!(c.given->at[i].value.kind & s->patterns->schema->kinds)) return false;
    return true;
  }
  if (!check_given(r, s, &c)) return false;
  if (c.now) *out = cue_struct(c.now);
  return true;
}

/* Declared fields come first, in their order; then those that are late, or that patterns or ... allow, as they were given;
** then what was not given of those that are late. */
static bool check_struct(PlanRun *r, const PlanSchema *s, CueValue v, CueValue *out) {
  if (v.kind != CUE_STRUCT) return false;
  if (!s->n) return check_map(r, s, v, out);
  const CueStruct *given = v.as.fields;
  Checked c; /* few is large, and mostly little of it is used */
  c.given = given, c.now = NULL, c.unsaid = NULL, c.nunsaid = c.nearly = 0, c.in_order = true;
  c.from = s->n <= sizeof c.few / sizeof *c.few ? c.few : cue_array(r->a, uint32_t, s->n);
  if (c.from == c.few) memset(c.few, 0, s->n * sizeof *c.few);
  if (!check_given(r, s, &c) || !add_unsaid(r, s, &c)) return false;
  if (s->ordered && !(c.in_order && late_in_order(s, &c))) return false;
  *out = v;
  if (!c.now && !c.nunsaid && c.in_order) return true;
  const CueField *at = c.now ? c.now->at : given->at;
  CueStruct *all = cue_struct_new(r->a, given->n + c.nunsaid);
  uint32_t n = 0;
  uint32_t early = s->n - s->late;
  for (uint32_t i = 0; i < early; i++)
    if (c.from[i]) all->at[n++] = c.from[i] <= given->n ? at[c.from[i] - 1] : c.unsaid[c.from[i] - given->n - 1];
  for (uint32_t i = 0; c.nearly < given->n && i < given->n; i++) {
    const SchemaField *known = schema_field(s, at[i].key);
    if (!known || known->place >= early) all->at[n++] = at[i];
  }
  for (uint32_t i = early; i < s->n; i++)
    if (c.from[i] > given->n) all->at[n++] = c.unsaid[c.from[i] - given->n - 1];
  *out = cue_struct(all);
  return true;
}

static bool check_list(PlanRun *r, const PlanSchema *s, CueValue v, CueValue *out) {
  if (v.kind != CUE_LIST || v.as.list->n < s->n || (!s->open && v.as.list->n != s->n)) return false;
  const CueList *in = v.as.list;
  CueList *copy = NULL;
  for (uint32_t i = 0; i < in->n; i++) {
    const PlanSchema *e = i < s->n ? s->of[i] : s->rest;
    CueValue now = in->at[i];
    if (e && !check_value(r, e, &now)) return false;
    if (same(now, in->at[i])) continue;
    if (!copy) {
      copy = cue_list_new(r->a, in->n);
      memcpy(copy->at, in->at, in->n * sizeof *in->at);
    }
    copy->at[i] = now;
  }
  *out = copy ? cue_list(copy) : v;
  return true;
}

bool plan_check(PlanRun *r, const PlanSchema *s, CueValue v, CueValue *out) {
  *out = v;
  switch ((SchemaKind)s->kind) {
  case SCHEMA_ANY: return true;
  case SCHEMA_SCALAR: return (s->kinds & v.kind) && check_tests(r, s, v);
  case SCHEMA_ENUM:
    for (uint32_t i = 0; i < s->n; i++)
      if (s->values[i].kind == v.kind && cue_value_eq(s->values[i], v)) return true;
    return false;
  case SCHEMA_STRUCT: return check_struct(r, s, v, out);
  case SCHEMA_LIST: return check_list(r, s, v, out);
  case SCHEMA_ONE:
    for (uint32_t i = 0; i < s->n; i++)
      if (plan_check(r, s->of[i], v, out)) return true;
    return false;
  }
  return false;
}

/* ---- for generated code ---- */

static void *alloc(CueArena *a, size_t size) { return cue_alloc(a, size); }
static bool call(PlanRun *r, uint32_t use, CueValue *args, uint32_t n, CueValue *out) {
  return plan_call(r->a, r->regexes, r->uses[use].builtin, r->uses[use].package, args, n, out);
}

const CueRuntime cue_runtime = {
    .abi = CUE_ABI,
    .size = sizeof cue_runtime,
    .alloc = alloc,
    .unify = plan_unify,
    .check = plan_check,
    .op = operate,
    .compare = compare,
    .index = element,
    .text = join,
    .call = call,
    .add_field = field_add,
    .add_fields = spread_fields,
    .add_element = element_push,
    .add_elements = spread_elements,
};
