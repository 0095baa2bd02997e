/* builtin.c - how a builtin function reads its arguments and fails.
**
** A failure is the bottom that the function returns, also kept in c->error, so that a
** helper deep inside a builtin can fail and its caller need only look at the call.
*/
#include "runtime/builtin.h"

#include <assert.h>

static CueValue fail(CueCall *c, bool incomplete, const char *fmt, va_list ap) {
  CueStr text = cue_strvf(c->a, fmt, ap);
  c->error = cue_error(cue_strf(c->a, "error in call to %s.%s: %.*s", c->package, c->builtin->name, CUE_FMT(text)));
  c->incomplete = incomplete;
  return c->error;
}

CueValue cue_fail(CueCall *c, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  CueValue v = fail(c, false, fmt, ap);
  va_end(ap);
  return v;
}

CueValue cue_fail_incomplete(CueCall *c, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  CueValue v = fail(c, true, fmt, ap);
  va_end(ap);
  return v;
}

/* cue measures 64 bits of magnitude and then clips to the int64 range. */
bool cue_arg_int64(CueCall *c, uint32_t i, int64_t *out) {
  assert(i < c->nargs && c->args[i].kind == CUE_INT);
  if (c->args[i].form == CUE_PLAIN) {
    *out = c->args[i].as.i;
    return true;
  }
  const CueNum *n = c->args[i].as.num;
  if (cue_num_to_int64(n, out)) return true;
  if (cue_num_bitlen(n) <= 64) {
    *out = cue_num_sign(n) < 0 ? INT64_MIN : INT64_MAX;
    return true;
  }
  CueStr text = cue_num_text(c->a, n);
  cue_fail_bare(c, "int %.*s overflows int64 in argument %u in call to %s.%s", CUE_FMT(text), i, c->package,
                c->builtin->name);
  return false;
}

const CueNum *cue_arg_num(CueCall *c, uint32_t i) {
  assert(i < c->nargs);
  return cue_value_num(c->a, c->args[i]);
}

double cue_arg_double(CueCall *c, uint32_t i) {
  CueValue v = c->args[i];
  return v.kind == CUE_INT && v.form == CUE_PLAIN ? (double)v.as.i : cue_num_to_double(v.as.num);
}
