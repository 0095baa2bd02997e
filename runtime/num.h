/* num.h - numbers: int64 where it fits, decimals (libmpdec) beyond it.
**
** A CueNum is an immutable decimal: sign, coefficient of any length, exponent. Integers
** are exact. Float arithmetic rounds half up to 34 digits, the context cue uses. A
** CueNum keeps the precision it was written with: 1.50 prints as 1.50.
** Only num.c and num_math.c use libmpdec; no other file sees its types.
**
** cue itself rounds integers to 34 digits in +, - and * as well: 10^40 + 1 is 1.000...E+40
** there. `exact` false gives that, `exact` true gives mathematics.
*/
#ifndef CUE_NUM_H
#define CUE_NUM_H

#include "runtime/str.h"

/* Why arithmetic failed, or CUE_NUM_OK. */
typedef enum {
  CUE_NUM_OK,
  CUE_NUM_DIV_ZERO,
  CUE_NUM_DIV_UNDEFINED,
  CUE_NUM_OVERFLOW,
  CUE_NUM_UNDERFLOW,
  CUE_NUM_INVALID,
  CUE_NUM_RANGE, /* an exponent past +-100000 */
  CUE_NUM_APART, /* terms of a sum with exponents that far apart */
  CUE_NUM_LOST,  /* an iteration did not converge */
} CueNumErr;
const char *cue_num_err_text(CueNumErr err); /* "division by zero", "exponent out of range", ... */

/* Overflow-checked int64 arithmetic for the common case; false: take the CueNum way. */
static inline bool cue_int_add(int64_t x, int64_t y, int64_t *out) { return !__builtin_add_overflow(x, y, out); }
static inline bool cue_int_sub(int64_t x, int64_t y, int64_t *out) { return !__builtin_sub_overflow(x, y, out); }
static inline bool cue_int_mul(int64_t x, int64_t y, int64_t *out) { return !__builtin_mul_overflow(x, y, out); }
/* Truncated quotient and remainder, and Euclidean ones; y must not be 0. */
static inline bool cue_int_quo(int64_t x, int64_t y, int64_t *q, int64_t *r) {
  if (y == -1) {
    *r = 0;
    return !__builtin_sub_overflow((int64_t)0, x, q);
  }
  *q = x / y;
  *r = x % y;
  return true;
}
static inline bool cue_int_div(int64_t x, int64_t y, int64_t *q, int64_t *r) {
  if (!cue_int_quo(x, y, q, r)) return false;
  if (*r < 0) {
    *q += y > 0 ? -1 : 1;
    *r += y > 0 ? y : -y;
  }
  return true;
}

/* text is [+-]digits[.digits][e[+-]digits], also "NaN", "Infinity". NULL if malformed. */
const CueNum *cue_num_parse(CueArena *a, CueStr text);
const CueNum *cue_num_parse_radix(CueArena *a, CueStr digits, unsigned radix); /* an int; radix 2..36 */
const CueNum *cue_num_from_int(CueArena *a, int64_t i);
const CueNum *cue_num_from_uint(CueArena *a, uint64_t i);
const CueNum *cue_num_from_double(CueArena *a, double d); /* shortest decimal that reads back */
/* x remembering its source text, for YAML (see cue_yaml_written); NULL if it has none. */
const CueNum *cue_num_as_written(CueArena *a, const CueNum *x, CueStr text);
const char *cue_num_written(const CueNum *x);
bool cue_num_to_int64(const CueNum *x, int64_t *out); /* false if not integral or too large */
bool cue_num_to_uint64(const CueNum *x, uint64_t *out);
double cue_num_to_double(const CueNum *x); /* nearest; +-Inf when out of range */

CueNumErr cue_num_add(CueArena *a, const CueNum *x, const CueNum *y, bool exact, const CueNum **out);
CueNumErr cue_num_sub(CueArena *a, const CueNum *x, const CueNum *y, bool exact, const CueNum **out);
CueNumErr cue_num_mul(CueArena *a, const CueNum *x, const CueNum *y, bool exact, const CueNum **out);
/* The quotient of `/`: 34 digits, trailing zeros dropped but one decimal kept (4.0). */
CueNumErr cue_num_quo(CueArena *a, const CueNum *x, const CueNum *y, const CueNum **out);
/* Integer division of exact integers: Euclidean div and mod, truncated quo and rem. */
CueNumErr cue_num_int_div(CueArena *a, const CueNum *x, const CueNum *y, const CueNum **out);
CueNumErr cue_num_int_mod(CueArena *a, const CueNum *x, const CueNum *y, const CueNum **out);
CueNumErr cue_num_int_quo(CueArena *a, const CueNum *x, const CueNum *y, const CueNum **out);
CueNumErr cue_num_int_rem(CueArena *a, const CueNum *x, const CueNum *y, const CueNum **out);
/* Decimal functions of the math package, in the 34-digit context. */
CueNumErr cue_num_pow(CueArena *a, const CueNum *x, const CueNum *y, const CueNum **out);
CueNumErr cue_num_cbrt(CueArena *a, const CueNum *x, const CueNum **out);
CueNumErr cue_num_exp(CueArena *a, const CueNum *x, const CueNum **out);
CueNumErr cue_num_ln(CueArena *a, const CueNum *x, const CueNum **out);
CueNumErr cue_num_log10(CueArena *a, const CueNum *x, const CueNum **out);

const CueNum *cue_num_neg(CueArena *a, const CueNum *x);
const CueNum *cue_num_abs(CueArena *a, const CueNum *x);
int cue_num_sign(const CueNum *x);                 /* -1, 0, 1 */
bool cue_num_is_negative(const CueNum *x);         /* also of -0 */
int cue_num_cmp(const CueNum *x, const CueNum *y); /* numeric: 1.0 equals 1 */
bool cue_num_is_int(const CueNum *x);              /* integral value, whatever its exponent */
bool cue_num_is_finite(const CueNum *x);
bool cue_num_is_nan(const CueNum *x);
int32_t cue_num_exponent(const CueNum *x);
uint32_t cue_num_digits(const CueNum *x); /* digits of the coefficient, at least 1 */
int cue_num_cmp_int(const CueNum *x, int64_t y);
typedef enum {
  CUE_ROUND_DOWN,
  CUE_ROUND_UP,
  CUE_ROUND_FLOOR,
  CUE_ROUND_CEIL,
  CUE_ROUND_HALF_UP,
  CUE_ROUND_HALF_EVEN
} CueRounding;
const CueNum *cue_num_round_int(CueArena *a, const CueNum *x, CueRounding how); /* to an integer, exponent 0 */

/* Text. `plain` is apd's %f: never an exponent. The other is apd's %g/String: scientific
** when the exponent is positive or the adjusted exponent is below -6 ("1E+3", "1.50"). */
CueStr cue_num_text(CueArena *a, const CueNum *x);
CueStr cue_num_text_plain(CueArena *a, const CueNum *x);
void cue_buf_num(CueBuf *b, const CueNum *x, char format); /* 'G' as cue_num_text, 'g' with a small e, 'f' plain */
CueStr cue_num_text_radix(CueArena *a, const CueNum *x, unsigned radix); /* x integral */

/* Bitwise operations on integers of any size, two's complement as Go's big.Int. */
const CueNum *cue_num_and(CueArena *a, const CueNum *x, const CueNum *y);
const CueNum *cue_num_or(CueArena *a, const CueNum *x, const CueNum *y);
const CueNum *cue_num_xor(CueArena *a, const CueNum *x, const CueNum *y);
const CueNum *cue_num_andnot(CueArena *a, const CueNum *x, const CueNum *y);
const CueNum *cue_num_shl(CueArena *a, const CueNum *x, uint32_t n); /* NULL past CUE_NUM_MAX_BITS */
const CueNum *cue_num_shr(CueArena *a, const CueNum *x, uint32_t n);
uint32_t cue_num_bitlen(const CueNum *x);
uint64_t cue_num_popcount(const CueNum *x);
#define CUE_NUM_MAX_BITS (1u << 20)
/* The magnitude of an integer in base 2^CUE_LIMB_BITS, least significant first; *n may be 0. */
#define CUE_LIMB_BITS 30
uint32_t *cue_num_limbs(CueArena *a, const CueNum *x, size_t *n);
const CueNum *cue_num_from_limbs(CueArena *a, const uint32_t *limbs, size_t n, bool negative);

#endif
