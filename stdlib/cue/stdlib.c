/* stdlib.c - finding a builtin package, and helpers every package may use. */
#include "stdlib/cue/stdlib.h"

#include <string.h>

static const CueBuiltinPackage *const packages[] = {
#define PACKAGE(name, path) &cue_pkg_##name,
#include "stdlib/cue/packages.def"
#undef PACKAGE
};

const CueBuiltinPackage *const *cue_stdlib_all(uint32_t *n) {
  *n = CUE_COUNT(packages);
  return packages;
}

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

/* Go rejects a negative number as an argument that should be unsigned before it looks at its size. */
bool cue_arg_byte(CueCall *c, uint32_t i, uint8_t *out) {
  const CueNum *n = cue_arg_num(c, i);
  CueStr text = cue_num_text_plain(c->a, n);
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
