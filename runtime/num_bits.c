/* num_bits.c - bitwise operations on integers of any size.
**
** Integers behave as two's complement with endless sign bits. The work is done on limbs of
** thirty bits; a negative number -m is ~(m - 1), so each operand is brought to limbs plus a
** fill limb that stands for all limbs above it.
*/
#include "runtime/num.h"

#include <string.h>

#define LIMB_MASK ((1u << CUE_LIMB_BITS) - 1)

typedef struct {
  uint32_t *at;
  size_t n;
  uint32_t fill; /* 0 or LIMB_MASK */
} Bits;

static Bits bits_of(CueArena *a, const CueNum *x, size_t width) {
  size_t n;
  uint32_t *limbs = cue_num_limbs(a, x, &n);
  Bits b = {cue_array(a, uint32_t, width > n ? width : n + 1), width > n ? width : n, 0};
  if (n) memcpy(b.at, limbs, n * sizeof *limbs);
  if (cue_num_sign(x) < 0) {
    uint32_t borrow = 1;
    for (size_t i = 0; i < b.n; i++) {
      uint32_t limb = b.at[i] - borrow;
      borrow = b.at[i] < borrow;
      b.at[i] = ~limb & LIMB_MASK;
    }
    b.fill = LIMB_MASK;
  }
  return b;
}

static const CueNum *num_of(CueArena *a, Bits b) {
  if (!b.fill) return cue_num_from_limbs(a, b.at, b.n, false);
  uint32_t *m = cue_array(a, uint32_t, b.n + 1);
  uint32_t carry = 1;
  for (size_t i = 0; i < b.n; i++) {
    uint32_t limb = (~b.at[i] & LIMB_MASK) + carry;
    m[i] = limb & LIMB_MASK;
    carry = limb >> CUE_LIMB_BITS;
  }
  m[b.n] = carry;
  return cue_num_from_limbs(a, m, b.n + 1, true);
}

typedef enum { AND, OR, XOR, AND_NOT } BitOp;

static uint32_t combine(BitOp op, uint32_t x, uint32_t y) {
  switch (op) {
  case AND: return x & y;
  case OR: return x | y;
  case XOR: return x ^ y;
  case AND_NOT: return x & ~y & LIMB_MASK;
  }
  return 0;
}

static const CueNum *bitwise(CueArena *a, BitOp op, const CueNum *x, const CueNum *y) {
  /* A digit is less than four bits; one limb more holds the carry of the sign. */
  size_t width =
      (cue_num_digits(x) > cue_num_digits(y) ? cue_num_digits(x) : cue_num_digits(y)) * 4 / CUE_LIMB_BITS + 2;
  Bits p = bits_of(a, x, width), q = bits_of(a, y, width);
  for (size_t i = 0; i < width; i++) p.at[i] = combine(op, p.at[i], q.at[i]);
  p.n = width;
  p.fill = combine(op, p.fill, q.fill);
  return num_of(a, p);
}

const CueNum *cue_num_and(CueArena *a, const CueNum *x, const CueNum *y) { return bitwise(a, AND, x, y); }
const CueNum *cue_num_or(CueArena *a, const CueNum *x, const CueNum *y) { return bitwise(a, OR, x, y); }
const CueNum *cue_num_xor(CueArena *a, const CueNum *x, const CueNum *y) { return bitwise(a, XOR, x, y); }
const CueNum *cue_num_andnot(CueArena *a, const CueNum *x, const CueNum *y) { return bitwise(a, AND_NOT, x, y); }

const CueNum *cue_num_shl(CueArena *a, const CueNum *x, uint32_t n) {
  size_t len;
  uint32_t *limbs = cue_num_limbs(a, x, &len);
  if (len == 0) return cue_num_from_int(a, 0);
  if (n > CUE_NUM_MAX_BITS || len * CUE_LIMB_BITS > CUE_NUM_MAX_BITS - n) return NULL;
  size_t whole = n / CUE_LIMB_BITS;
  unsigned part = n % CUE_LIMB_BITS;
  uint32_t *out = cue_array(a, uint32_t, len + whole + 1);
  for (size_t i = 0; i < len; i++) {
    uint64_t wide = (uint64_t)limbs[i] << part;
    out[i + whole] |= (uint32_t)(wide & LIMB_MASK);
    out[i + whole + 1] = (uint32_t)(wide >> CUE_LIMB_BITS);
  }
  return cue_num_from_limbs(a, out, len + whole + 1, cue_num_sign(x) < 0);
}

const CueNum *cue_num_shr(CueArena *a, const CueNum *x, uint32_t n) {
  size_t len;
  (void)cue_num_limbs(a, x, &len);
  Bits b = bits_of(a, x, len + 1); /* rounds toward minus infinity, as the sign bits come in */
  size_t whole = n / CUE_LIMB_BITS;
  unsigned part = n % CUE_LIMB_BITS;
  for (size_t i = 0; i < b.n; i++) {
    uint64_t lo = i + whole < b.n ? b.at[i + whole] : b.fill;
    uint64_t hi = i + whole + 1 < b.n ? b.at[i + whole + 1] : b.fill;
    b.at[i] = (uint32_t)((lo | hi << CUE_LIMB_BITS) >> part) & LIMB_MASK;
  }
  return num_of(a, b);
}

uint32_t cue_num_bitlen(const CueNum *x) {
  CueArena *scratch = cue_arena_new();
  size_t n;
  uint32_t *limbs = cue_num_limbs(scratch, x, &n), bits = 0;
  if (n) bits = (uint32_t)(n - 1) * CUE_LIMB_BITS + 32 - (uint32_t)__builtin_clz(limbs[n - 1]);
  cue_arena_free(scratch);
  return bits;
}

uint64_t cue_num_popcount(const CueNum *x) {
  CueArena *scratch = cue_arena_new();
  size_t n;
  uint32_t *limbs = cue_num_limbs(scratch, x, &n);
  uint64_t bits = 0;
  for (size_t i = 0; i < n; i++) bits += (uint64_t)__builtin_popcount(limbs[i]);
  cue_arena_free(scratch);
  return bits;
}
