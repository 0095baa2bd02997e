/* stdlib.c - finding a builtin package, and helpers every package may use. */
#include "stdlib/cue/stdlib.h"

#include <string.h>

#include "stdlib/cue/gotext.h"

static const CueBuiltinPackage *const packages[] = {
#define PACKAGE(name, path) &cue_pkg_##name,
#include "stdlib/cue/packages.def"
#undef PACKAGE
};

const CueBuiltinPackage *cue_stdlib_find(CueStr path) {
  size_t lo = 0, hi = CUE_COUNT(packages);
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    int order = cue_str_cmp(path, cue_str(packages[mid]->path));
    if (order == 0) return packages[mid];
    if (order < 0)
      hi = mid;
    else
      lo = mid + 1;
  }
  return NULL;
}

CueValue cue_result_string(CueArena *a, CueStr s) {
  if (cue_utf8_valid(s)) return cue_string(s);
  CueBuf out = cue_buf(a);
  bool bad = false;
  for (size_t i = 0; i < s.n;) {
    size_t from = i;
    uint32_t r = cue_utf8_next(s, &i);
    if (r == CUE_RUNE_ERROR && i - from == 1) {
      if (!bad) cue_buf_rune(&out, CUE_RUNE_ERROR);
      bad = true;
      continue;
    }
    bad = false;
    cue_buf_add(&out, s.s + from, i - from);
  }
  return cue_string(cue_buf_done(&out));
}

CueValue cue_result_strings(CueArena *a, const CueStr *at, size_t n) {
  CueList *l = cue_list_new(a, (uint32_t)n);
  for (size_t i = 0; i < n; i++) l->at[i] = cue_result_string(a, at[i]);
  return cue_list(l);
}

bool cue_bad_call(CueCall *c, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  c->error = cue_error(cue_strvf(c->a, fmt, ap));
  va_end(ap);
  return false;
}

/* Nesting beyond this is not searched: the failure then is told without its cause. */
#define MAX_SEARCH 4000

/* The first value inside v that is not concrete, as text; empty if there is none. */
static CueStr find_culprit(CueCall *c, CueValue v, int depth) {
  if (v.form == CUE_LENT) v = c->ops->pick(c, v);
  CueStr found = {0};
  if (v.form != CUE_LENT || v.kind == CUE_BOTTOM || depth > MAX_SEARCH) return found;
  if (v.kind == CUE_LIST) {
    const CueList *l = c->ops->elements(c, v);
    for (uint32_t i = 0; l && i < l->n && !found.n; i++) found = find_culprit(c, l->at[i], depth + 1);
  } else if (v.kind == CUE_STRUCT) {
    const CueStruct *s = c->ops->fields(c, v);
    for (uint32_t i = 0; s && i < s->n && !found.n; i++) found = find_culprit(c, s->at[i].value, depth + 1);
  } else {
    found = c->ops->text(c, v);
  }
  return found;
}

static bool lent_data(CueCall *c, CueValue v, bool written, CueValue *out) {
  *out = v.form == CUE_LENT ? c->ops->data(c, v, written) : v;
  if (out->kind != CUE_BOTTOM) return true;
  c->error = *out;
  return false;
}

bool cue_lent_data(CueCall *c, CueValue v, CueValue *out) { return lent_data(c, v, false, out); }

static bool lent_data_valid(CueCall *c, CueValue v, bool written, CueValue *out) {
  if (lent_data(c, v, written, out)) return true;
  CueValue why = c->ops->concrete(c, v);
  if (why.kind == CUE_BOTTOM) *out = c->error = why;
  return false;
}

bool cue_lent_data_valid(CueCall *c, CueValue v, CueValue *out) { return lent_data_valid(c, v, false, out); }

bool cue_lent_written(CueCall *c, CueValue v, CueValue *out) { return lent_data_valid(c, v, true, out); }

bool cue_lent_data_or(CueCall *c, CueValue v, const char *what, CueValue *out) {
  if (cue_lent_data(c, v, out)) return true;
  CueStr culprit = find_culprit(c, v, 0);
  if (culprit.n)
    cue_fail_incomplete(c, "%s %.*s", what, CUE_FMT(culprit));
  else
    c->wrapped = true;
  return false;
}

const CueList *cue_element_elements(CueCall *c, uint32_t i, uint32_t element, CueValue v) {
  if (v.kind == CUE_LIST) return v.form == CUE_LENT ? c->ops->elements(c, v) : v.as.list;
  CueStr text = c->ops->text(c, v);
  cue_fail(c, "cannot use value %.*s (type %.*s) as list", CUE_FMT(text), CUE_FMT(cue_kinds_text(c->a, v.kind)));
  c->blame = i + 1;
  c->blame_element = element;
  return NULL;
}

const CueList *cue_arg_elements(CueCall *c, uint32_t i) { return cue_element_elements(c, i, 0, c->args[i]); }

CueValue cue_signed_literal(CueCall *c, CueStr text) {
  if (!text.n) return cue_error(CUE_STR("invalid number \"\""));
  bool sign = text.s[0] == '-' || text.s[0] == '+';
  CueStr digits = cue_str_sub(text, sign, text.n);
  bool starts = digits.n && ((digits.s[0] >= '0' && digits.s[0] <= '9') || digits.s[0] == '.' || digits.s[0] == '_');
  CueValue v = starts ? c->ops->literal(c, digits) : cue_error(CUE_STR("illegal number start \"\""));
  if (v.kind == CUE_BOTTOM) {
    /* The message ends with the text it is about, which here has its sign. */
    CueStr why = cue_value_str(v);
    ptrdiff_t quote = cue_str_find(why, CUE_STR("\""));
    return quote < 0 ? v : cue_error(cue_str_cat(c->a, cue_str_sub(why, 0, (size_t)quote), cue_go_quoted(c->a, text)));
  }
  if (text.s[0] != '-') return v;
  const CueNum *n = cue_num_neg(c->a, cue_value_num(c->a, v));
  return v.kind == CUE_INT ? cue_int_num(n) : cue_float_num(n);
}

/* Go rejects a negative number as an argument that should be unsigned before it looks at its size. */
bool cue_arg_byte(CueCall *c, uint32_t i, uint8_t *out) {
  const CueNum *n = cue_arg_num(c, i);
  CueStr text = cue_num_text_plain(c->a, n);
  if (cue_num_sign(n) < 0) c->blame = i + 1;
  if (cue_num_sign(n) < 0)
    return cue_bad_call(c, "cannot use %.*s (type int) as byte in argument %u to %s.%s", CUE_FMT(text), i, c->package,
                        c->builtin->name);
  uint64_t v;
  if (!cue_num_to_uint64(n, &v) || v > 255)
    return cue_bad_call(c, "int %.*s overflows byte in argument %u in call to %s.%s", CUE_FMT(text), i, c->package,
                        c->builtin->name);
  *out = (uint8_t)v;
  return true;
}

/* A rune is an int32, but cue lets 32 bits of magnitude through and drops the rest. */
bool cue_arg_rune(CueCall *c, uint32_t i, int32_t *out) {
  const CueNum *n = cue_arg_num(c, i);
  int64_t v;
  if (!cue_num_to_int64(n, &v) || v > (int64_t)UINT32_MAX || v < -(int64_t)UINT32_MAX) {
    CueStr text = cue_num_text_plain(c->a, n);
    return cue_bad_call(c, "int %.*s overflows rune in argument %u in call to %s.%s", CUE_FMT(text), i, c->package,
                        c->builtin->name);
  }
  *out = (int32_t)(uint32_t)v;
  return true;
}

CueValue cue_invalid(CueCall *c, bool incomplete, const char *fmt, ...) {
  if (!c->validator) return cue_bool(false);
  va_list ap;
  va_start(ap, fmt);
  c->error = cue_error(cue_strvf(c->a, fmt, ap));
  va_end(ap);
  c->incomplete = incomplete;
  c->verdict = true;
  return c->error;
}
