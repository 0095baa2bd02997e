/* math_bits.c - package math/bits: bits of integers of any size, two's complement. */
#include "stdlib/cue/stdlib.h"

/* The int argument i as a Go uint; on failure sets c->error and returns false. */
static bool uint_arg(CueCall *c, uint32_t i, uint64_t *out) {
  const CueNum *n = cue_arg_num(c, i);
  if (cue_num_to_uint64(n, out)) return true;
  CueStr text = cue_num_text_plain(c->a, n);
  c->blame = cue_num_sign(n) < 0 ? i + 1 : 0;
  if (cue_num_sign(n) < 0)
    cue_fail_bare(c, "cannot use %.*s (type int) as uint64 in argument %u to %s.%s", CUE_FMT(text), i, c->package,
                  c->builtin->name);
  else
    cue_fail_bare(c, "int %.*s overflows uint64 in argument %u in call to %s.%s", CUE_FMT(text), i, c->package,
                  c->builtin->name);
  return false;
}

/* A result that would be larger than any use of it is refused rather than computed. */
static CueValue big_result(CueCall *c, const CueNum *x) { return x ? cue_int_num(x) : cue_fail(c, "result too large"); }

static bool bit_at(CueCall *c, const CueNum *x, uint32_t i) {
  const CueNum *bit = cue_num_and(c->a, cue_num_shr(c->a, x, i), cue_num_from_int(c->a, 1));
  return cue_num_sign(bit) != 0;
}

static CueValue bits_lsh(CueCall *c) {
  const CueNum *x = cue_arg_num(c, 0);
  uint64_t n;
  if (!uint_arg(c, 1, &n)) return c->error;
  if (cue_num_sign(x) == 0) return cue_int(0);
  return big_result(c, n > CUE_NUM_MAX_BITS ? NULL : cue_num_shl(c->a, x, (uint32_t)n));
}

static CueValue bits_rsh(CueCall *c) {
  uint64_t n;
  if (!uint_arg(c, 1, &n)) return c->error;
  return cue_int_num(cue_num_shr(c->a, cue_arg_num(c, 0), n > INT32_MAX ? INT32_MAX : (uint32_t)n));
}

static CueValue bits_at(CueCall *c) {
  uint64_t i;
  if (!uint_arg(c, 1, &i)) return c->error;
  if (i > INT32_MAX) return cue_fail(c, "bit index too large");
  return cue_int(bit_at(c, cue_arg_num(c, 0), (uint32_t)i));
}

static CueValue bits_set(CueCall *c) {
  const CueNum *x = cue_arg_num(c, 0);
  int64_t i;
  uint64_t bit;
  if (!cue_arg_int64(c, 1, &i) || !uint_arg(c, 2, &bit)) return c->error;
  if (i < 0) return cue_fail(c, "negative bit index");
  if (bit > 1) return cue_fail(c, "set bit is not 0 or 1");
  bool beyond = i > (int64_t)CUE_NUM_MAX_BITS;
  bool now = beyond ? cue_num_sign(x) < 0 : bit_at(c, x, (uint32_t)i);
  if (now == bit) return cue_int_num(x);
  if (beyond) return big_result(c, NULL);
  const CueNum *one = cue_num_shl(c->a, cue_num_from_int(c->a, 1), (uint32_t)i);
  return big_result(c, one ? cue_num_xor(c->a, x, one) : NULL);
}

static CueValue bits_and(CueCall *c) { return cue_int_num(cue_num_and(c->a, cue_arg_num(c, 0), cue_arg_num(c, 1))); }
static CueValue bits_or(CueCall *c) { return cue_int_num(cue_num_or(c->a, cue_arg_num(c, 0), cue_arg_num(c, 1))); }
static CueValue bits_xor(CueCall *c) { return cue_int_num(cue_num_xor(c->a, cue_arg_num(c, 0), cue_arg_num(c, 1))); }
static CueValue bits_clear(CueCall *c) {
  return cue_int_num(cue_num_andnot(c->a, cue_arg_num(c, 0), cue_arg_num(c, 1)));
}
static CueValue bits_ones_count(CueCall *c) { return cue_int((int64_t)cue_num_popcount(cue_arg_num(c, 0))); }
static CueValue bits_len(CueCall *c) { return cue_int(cue_num_bitlen(cue_arg_num(c, 0))); }

static const CueBuiltin functions[] = {
    {"Lsh", "ii", 'i', bits_lsh},  {"Rsh", "ii", 'i', bits_rsh},     {"At", "ii", 'i', bits_at},
    {"Set", "iii", 'i', bits_set}, {"And", "ii", 'i', bits_and},     {"Or", "ii", 'i', bits_or},
    {"Xor", "ii", 'i', bits_xor},  {"Clear", "ii", 'i', bits_clear}, {"OnesCount", "i", 'i', bits_ones_count},
    {"Len", "i", 'i', bits_len},
};

const CueBuiltinPackage cue_pkg_math_bits = {"math/bits", functions, CUE_COUNT(functions), NULL, false};
