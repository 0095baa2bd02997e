/* value.c - making, comparing and naming concrete values.
**
** Lists and structs are compared by recursion; CUE_MAX_DEPTH keeps a hostile nesting from
** overflowing the stack (readers and the evaluator refuse to build anything deeper).
*/
#include "runtime/value.h"

#include <assert.h>
#include <string.h>

CueValue cue_float_num(const CueNum *x) { return (CueValue){.kind = CUE_FLOAT, .as.num = x}; }

CueValue cue_int_num(const CueNum *x) {
  int64_t i;
  if (cue_num_to_int64(x, &i) && !(i == 0 && cue_num_is_negative(x))) return cue_int(i); /* -0 is printed as such */
  return (CueValue){.kind = CUE_INT, .form = CUE_BIG, .as.num = x};
}

CueValue cue_decimal(CueArena *a, const CueNum *x) {
  if (cue_num_is_finite(x) && !cue_num_is_int(x)) return cue_float_num(x);
  return cue_int_num(cue_num_round_int(a, x, CUE_ROUND_DOWN));
}

static CueValue text_value(CueKind kind, CueStr s) {
  assert(s.n <= UINT32_MAX);
  return (CueValue){.kind = (uint16_t)kind, .len = (uint32_t)s.n, .as.s = s.s};
}

CueValue cue_string(CueStr s) { return text_value(CUE_STRING, s); }
CueValue cue_bytes(CueStr s) { return text_value(CUE_BYTES, s); }
CueValue cue_error(CueStr message) { return text_value(CUE_BOTTOM, message); }

CueList *cue_list_new(CueArena *a, uint32_t n) {
  CueList *l = cue_alloc(a, sizeof *l + (size_t)n * sizeof l->at[0]);
  l->n = n;
  return l;
}

CueStruct *cue_struct_new(CueArena *a, uint32_t n) {
  CueStruct *s = cue_alloc(a, sizeof *s + (size_t)n * sizeof s->at[0]);
  s->n = n;
  return s;
}

CueStr cue_value_str(CueValue v) {
  assert((v.kind & ~(CUE_STRING | CUE_BYTES)) == 0 && v.form != CUE_LENT);
  return (CueStr){v.as.s, v.len};
}

const CueNum *cue_value_num(CueArena *a, CueValue v) {
  assert(v.kind & CUE_NUMBER);
  if (v.kind == CUE_INT && v.form == CUE_PLAIN) return cue_num_from_int(a, v.as.i);
  return v.as.num;
}

int cue_value_num_cmp(CueValue x, CueValue y) {
  bool small_x = x.kind == CUE_INT && x.form == CUE_PLAIN, small_y = y.kind == CUE_INT && y.form == CUE_PLAIN;
  if (small_x && small_y) return x.as.i < y.as.i ? -1 : x.as.i > y.as.i;
  if (small_y) return cue_num_cmp_int(x.as.num, y.as.i);
  if (small_x) return -cue_num_cmp_int(y.as.num, x.as.i);
  return cue_num_cmp(x.as.num, y.as.num);
}

const CueValue *cue_struct_get(const CueStruct *s, CueStr key) {
  const CueField *f = cue_field(s, key);
  return f ? &f->value : NULL;
}

static bool equal(CueValue x, CueValue y, unsigned depth);

static bool equal_lists(const CueList *x, const CueList *y, unsigned depth) {
  if (x == y) return true;
  if (x->n != y->n) return false;
  for (uint32_t i = 0; i < x->n; i++)
    if (!equal(x->at[i], y->at[i], depth + 1)) return false;
  return true;
}

static bool equal_structs(const CueStruct *x, const CueStruct *y, unsigned depth) {
  if (x == y) return true;
  if (x->n != y->n) return false;
  for (uint32_t i = 0; i < x->n; i++) {
    /* Mostly the orders agree, so the field of the same index is tried first. */
    const CueField *f = &x->at[i];
    const CueValue *v = cue_str_eq(f->key, y->at[i].key) ? &y->at[i].value : cue_struct_get(y, f->key);
    if (!v || !equal(f->value, *v, depth + 1)) return false;
  }
  return true;
}

static bool equal(CueValue x, CueValue y, unsigned depth) {
  if (depth > CUE_MAX_DEPTH) return false;
  if ((x.kind & CUE_NUMBER) && (y.kind & CUE_NUMBER)) return cue_value_num_cmp(x, y) == 0;
  if (x.kind != y.kind) return false;
  switch ((CueKind)x.kind) {
  case CUE_NULL: return true;
  case CUE_BOOL: return x.as.b == y.as.b;
  case CUE_STRING:
  case CUE_BYTES: return cue_str_eq(cue_value_str(x), cue_value_str(y));
  case CUE_LIST: return equal_lists(x.as.list, y.as.list, depth);
  case CUE_STRUCT: return equal_structs(x.as.fields, y.as.fields, depth);
  default: return false;
  }
}

bool cue_value_eq(CueValue x, CueValue y) { return equal(x, y, 0); }

static const struct {
  unsigned kind;
  const char *name;
} kind_names[] = {
    /* in the order in which cue lists them */
    {CUE_NULL, "null"},   {CUE_BOOL, "bool"}, {CUE_INT, "int"},   {CUE_FLOAT, "float"},   {CUE_STRING, "string"},
    {CUE_BYTES, "bytes"}, {CUE_FUNC, "func"}, {CUE_LIST, "list"}, {CUE_STRUCT, "struct"},
};

const char *cue_kind_name(unsigned kind) {
  for (size_t i = 0; i < sizeof kind_names / sizeof *kind_names; i++)
    if (kind_names[i].kind == kind) return kind_names[i].name;
  return kind == CUE_BOTTOM ? "_|_" : kind == CUE_NUMBER ? "number" : kind == CUE_TOP ? "_" : "(unknown)";
}

CueStr cue_kinds_text(CueArena *a, unsigned kinds) {
  if (kinds == CUE_BOTTOM) return CUE_STR("_|_");
  if (kinds == CUE_TOP) return CUE_STR("_");
  CueBuf b = cue_buf(a);
  bool number = (kinds & CUE_NUMBER) == CUE_NUMBER; /* listed last, as one */
  bool many = (kinds & (kinds - 1)) != 0 && kinds != CUE_NUMBER;
  const char *between = many ? "(" : "";
  for (size_t i = 0; i < sizeof kind_names / sizeof *kind_names; i++) {
    unsigned k = kind_names[i].kind;
    if (!(kinds & k) || (number && (k & CUE_NUMBER))) continue;
    cue_buf_z(&b, between);
    cue_buf_z(&b, kind_names[i].name);
    between = "|";
  }
  if (number) {
    cue_buf_z(&b, between);
    cue_buf_z(&b, "number");
  }
  if (many) cue_buf_ch(&b, ')');
  return cue_buf_done(&b);
}
