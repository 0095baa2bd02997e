/* num.c - decimals of any size over libmpdec: reading, text, exact and 34-digit arithmetic.
**
** A CueNum is a libmpdec decimal whose words follow it in the arena, marked constant, so
** it can be an operand without a copy. Results are computed in a Temp on the stack, which
** spills to the heap inside libmpdec only for long numbers, and are then copied into the
** arena by num_keep.
**
** Invariant: every CueNum is normalized (no leading zero words) and, if finite, has an
** adjusted exponent within +-100000; arithmetic that would leave this range fails with
** CUE_NUM_RANGE, so later steps can expand exponents without fear of their size.
** libmpdec runs with an unlimited exponent; the range is checked here.
*/
#include "runtime/num.h"

#include <assert.h>
#include <limits.h>
#include <mpdecimal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/num_dec.h"

_Static_assert(MPD_RDIGITS == 19, "words hold nineteen digits");
#define WORD_BASE MPD_RADIX

struct CueNum {
  mpd_t d;
  const char *written; /* how the source wrote it, where YAML repeats that; or NULL */
  mpd_uint_t words[];
};
_Static_assert(sizeof(CueNum) == sizeof(CueNumLayout) && sizeof(mpd_uint_t) == 8 &&
                   offsetof(CueNum, d.flags) == offsetof(CueNumLayout, flags) &&
                   offsetof(CueNum, d.exp) == offsetof(CueNumLayout, exp) &&
                   offsetof(CueNum, d.digits) == offsetof(CueNumLayout, digits) &&
                   offsetof(CueNum, d.len) == offsetof(CueNumLayout, len) &&
                   offsetof(CueNum, d.alloc) == offsetof(CueNumLayout, alloc) &&
                   offsetof(CueNum, d.data) == offsetof(CueNumLayout, data) &&
                   offsetof(CueNum, written) == offsetof(CueNumLayout, written),
               "CueNum is part of the ABI");

/* A result under construction. */
typedef struct {
  mpd_t d;
  mpd_uint_t store[12];
} Temp;

static mpd_t *temp(Temp *t) {
  t->d = (mpd_t){MPD_STATIC | MPD_STATIC_DATA, 0, 0, 0, sizeof t->store / sizeof *t->store, t->store};
  return &t->d;
}

static mpd_context_t context(mpd_ssize_t prec, int round) {
  mpd_context_t c;
  mpd_maxcontext(&c);
  c.prec = prec;
  c.round = round;
  c.traps = 0;
  return c;
}
static mpd_context_t exact_context(void) { return context(MPD_MAX_PREC, MPD_ROUND_HALF_UP); }

const struct mpd_t *num_view(const CueNum *x) { return &x->d; }

bool num_in_range(const struct mpd_t *d) {
  if (mpd_isspecial(d)) return true;
  mpd_ssize_t adjusted = d->exp + d->digits - 1;
  return adjusted <= NUM_MAX_EXPONENT && adjusted >= -NUM_MAX_EXPONENT;
}

static CueNum *new_num(CueArena *a, size_t words) {
  CueNum *x = cue_alloc(a, sizeof *x + words * sizeof x->words[0]);
  x->d.flags = MPD_STATIC | MPD_CONST_DATA;
  x->d.data = x->words;
  x->d.alloc = x->d.len = (mpd_ssize_t)words;
  return x;
}

static CueNum *copy_num(CueArena *a, const mpd_t *d) {
  size_t words = mpd_isspecial(d) ? 0 : (size_t)d->len;
  CueNum *x = new_num(a, words ? words : 1);
  if (words) memcpy(x->words, d->data, words * sizeof x->words[0]);
  x->d.flags = (uint8_t)(x->d.flags | (d->flags & (MPD_NEG | MPD_INF | MPD_NAN | MPD_SNAN)));
  x->d.exp = mpd_isspecial(d) ? 0 : d->exp;
  x->d.digits = mpd_isspecial(d) ? 1 : d->digits;
  return x;
}

CueNumErr num_keep(CueArena *a, struct mpd_t *d, uint32_t status, const CueNum **out) {
  CueNumErr err = CUE_NUM_OK;
  if (status & MPD_Malloc_error)
    cue_out_of_memory();
  else if (status & MPD_Division_by_zero)
    err = CUE_NUM_DIV_ZERO;
  else if (status & MPD_Division_undefined)
    err = CUE_NUM_DIV_UNDEFINED;
  else if (status & MPD_IEEE_Invalid_operation)
    err = CUE_NUM_INVALID;
  else if (!num_in_range(d))
    err = CUE_NUM_RANGE;
  if (err == CUE_NUM_OK) *out = copy_num(a, d);
  mpd_del(d);
  return err;
}

const char *cue_num_err_text(CueNumErr err) {
  switch (err) {
  case CUE_NUM_OK: return "";
  case CUE_NUM_DIV_ZERO: return "division by zero";
  case CUE_NUM_DIV_UNDEFINED: return "division undefined";
  case CUE_NUM_OVERFLOW: return "overflow";
  case CUE_NUM_UNDERFLOW: return "underflow, subnormal";
  case CUE_NUM_INVALID: return "invalid operation";
  case CUE_NUM_RANGE: return "exponent out of range";
  case CUE_NUM_APART: return "add: exponent out of range";
  case CUE_NUM_LOST: return "did not converge";
  }
  return "";
}

/* -- making numbers -------------------------------------------------------------------- */

static mpd_ssize_t count_digits(uint64_t u) {
  mpd_ssize_t n = 1;
  for (; u >= 10; u /= 10) n++;
  return n;
}

static CueNum *from_coefficient(CueArena *a, uint64_t coefficient, mpd_ssize_t exp, bool negative) {
  CueNum *x = new_num(a, coefficient >= WORD_BASE ? 2 : 1);
  x->words[0] = coefficient % WORD_BASE;
  if (coefficient >= WORD_BASE) x->words[1] = coefficient / WORD_BASE;
  x->d.digits = count_digits(coefficient);
  x->d.exp = exp;
  if (negative) x->d.flags |= MPD_NEG;
  return x;
}

const CueNum *cue_num_from_int(CueArena *a, int64_t i) {
  return from_coefficient(a, i < 0 ? -(uint64_t)i : (uint64_t)i, 0, i < 0);
}

const CueNum *cue_num_from_uint(CueArena *a, uint64_t i) { return from_coefficient(a, i, 0, false); }

static const CueNum *special(CueArena *a, uint8_t flags) {
  CueNum *x = new_num(a, 1);
  x->d.flags |= flags;
  x->d.digits = 1;
  return x;
}

static bool same_word(CueStr s, const char *word) {
  if (s.n != strlen(word)) return false;
  for (size_t i = 0; i < s.n; i++)
    if ((s.s[i] | 0x20) != word[i]) return false;
  return true;
}

/* Reads a long coefficient: digits of text without its point, most significant first. */
static CueNum *from_digits(CueArena *a, const char *digits, size_t n) {
  CueNum *x = new_num(a, (n + 18) / 19);
  size_t end = n;
  for (mpd_ssize_t w = 0; w < x->d.len; w++) {
    size_t start = end > 19 ? end - 19 : 0;
    mpd_uint_t word = 0;
    for (size_t i = start; i < end; i++) word = word * 10 + (mpd_uint_t)(digits[i] - '0');
    x->words[w] = word;
    end = start;
  }
  x->d.digits = (mpd_ssize_t)n;
  return x;
}

const CueNum *cue_num_parse(CueArena *a, CueStr text) {
  size_t i = 0;
  bool negative = false;
  if (i < text.n && (text.s[i] == '-' || text.s[i] == '+')) negative = text.s[i++] == '-';
  CueStr rest = cue_str_sub(text, i, text.n);
  uint8_t sign = negative ? MPD_NEG : 0;
  if (same_word(rest, "infinity") || same_word(rest, "inf")) return special(a, MPD_INF | sign);
  if (same_word(rest, "nan")) return special(a, MPD_NAN | sign);

  /* The coefficient is the run of digits around the point, leading zeros left out. */
  size_t first = i, point = SIZE_MAX;
  for (; i < text.n; i++) {
    char c = text.s[i];
    if (c == '.' && point == SIZE_MAX)
      point = i;
    else if (c < '0' || c > '9')
      break;
  }
  size_t end = i;
  size_t digits = end - first - (point != SIZE_MAX);
  if (digits == 0) return NULL;
  int64_t exp = point == SIZE_MAX ? 0 : -(int64_t)(end - point - 1);
  if (i < text.n) {
    if ((text.s[i] | 0x20) != 'e') return NULL;
    i++;
    bool minus = false;
    if (i < text.n && (text.s[i] == '-' || text.s[i] == '+')) minus = text.s[i++] == '-';
    if (i == text.n) return NULL;
    int64_t e = 0;
    for (; i < text.n; i++) {
      if (text.s[i] < '0' || text.s[i] > '9') return NULL;
      if (e < 1000000000) e = e * 10 + (text.s[i] - '0');
    }
    if (e > NUM_MAX_EXPONENT) return NULL;
    exp += minus ? -e : e;
  }
  while (first < end && (text.s[first] == '0' || text.s[first] == '.')) first++;
  digits = end - first - (point != SIZE_MAX && point >= first && first < end);

  CueNum *x;
  if (digits <= 18) {
    uint64_t u = 0;
    for (size_t k = first; k < end; k++)
      if (text.s[k] != '.') u = u * 10 + (uint64_t)(text.s[k] - '0');
    x = from_coefficient(a, u, exp, negative);
  } else {
    const char *p = text.s + first;
    if (point != SIZE_MAX && point >= first) {
      char *q = cue_alloc(a, digits + 1);
      memcpy(q, p, point - first);
      memcpy(q + (point - first), text.s + point + 1, end - point - 1);
      p = q;
    }
    x = from_digits(a, p, digits);
    x->d.exp = exp;
    if (negative) x->d.flags |= MPD_NEG;
  }
  return num_in_range(&x->d) ? x : NULL;
}

const CueNum *cue_num_parse_radix(CueArena *a, CueStr digits, unsigned radix) {
  if (digits.n == 0 || radix < 2 || radix > 36) return NULL;
  uint64_t u = 0;
  bool fits = true;
  for (size_t i = 0; i < digits.n; i++) {
    char c = digits.s[i];
    unsigned v = c >= '0' && c <= '9'                     ? (unsigned)(c - '0')
                 : (c | 0x20) >= 'a' && (c | 0x20) <= 'z' ? (unsigned)((c | 0x20) - 'a') + 10
                                                          : 36u;
    if (v >= radix) return NULL;
    if (fits && (__builtin_mul_overflow(u, (uint64_t)radix, &u) || __builtin_add_overflow(u, (uint64_t)v, &u)))
      fits = false;
  }
  if (fits) return cue_num_from_uint(a, u);
  if (radix == 10) return cue_num_parse(a, digits);
  while (digits.s[0] == '0') digits = cue_str_sub(digits, 1, digits.n);
  unsigned bits = 31 - (unsigned)__builtin_clz(radix), each = 0;            /* at least so many per digit */
  if ((digits.n - 1) * bits > (NUM_MAX_EXPONENT + 1) * 10 / 3) return NULL; /* 2^10 is more than 10^3 */
  /* The conversion is quadratic in its words, so these take as many digits as fit. */
  uint32_t base = 1, *values = cue_array(a, uint32_t, digits.n);
  for (; base <= UINT32_MAX / radix; each++) base *= radix;
  size_t n = 0;
  for (size_t end = digits.n; end > 0; n++) {
    size_t from = end > each ? end - each : 0;
    for (size_t i = from; i < end; i++) {
      char c = digits.s[i];
      values[n] = values[n] * radix + (c <= '9' ? (uint32_t)(c - '0') : (uint32_t)((c | 0x20) - 'a') + 10);
    }
    end = from;
  }
  Temp t;
  mpd_context_t ctx = exact_context();
  uint32_t status = 0;
  const CueNum *x;
  mpd_qimport_u32(temp(&t), values, n, MPD_POS, base, &ctx, &status);
  return num_keep(a, &t.d, status, &x) == CUE_NUM_OK ? x : NULL;
}

const CueNum *cue_num_from_double(CueArena *a, double d) {
  if (d != d) return special(a, MPD_NAN);
  if (d - d != 0) return special(a, (uint8_t)(MPD_INF | (d < 0 ? MPD_NEG : 0)));
  char text[40];
  int n = 0;
  for (int digits = 1; digits <= 17; digits++) {
    n = snprintf(text, sizeof text, "%.*e", digits - 1, d);
    if (strtod(text, NULL) == d) break;
  }
  return cue_num_parse(a, (CueStr){text, (size_t)n});
}

const CueNum *cue_num_as_written(CueArena *a, const CueNum *x, CueStr text) {
  CueNum *y = copy_num(a, &x->d);
  y->written = cue_str_copy(a, text).s;
  return y;
}

const char *cue_num_written(const CueNum *x) { return x->written; }

/* -- out of numbers -------------------------------------------------------------------- */

bool cue_num_to_int64(const CueNum *x, int64_t *out) {
  const mpd_t *d = &x->d;
  if (mpd_isspecial(d)) return false;
  if (d->exp == 0 && d->len == 1 && d->data[0] <= INT64_MAX) {
    int64_t i = (int64_t)d->data[0];
    *out = mpd_isnegative(d) ? -i : i;
    return true;
  }
  uint32_t status = 0;
  int64_t i = mpd_qget_i64(d, &status);
  if (status & MPD_Errors) return false;
  *out = i;
  return true;
}

bool cue_num_to_uint64(const CueNum *x, uint64_t *out) {
  if (mpd_isspecial(&x->d)) return false;
  if (mpd_isnegative(&x->d) && !mpd_iszero(&x->d)) return false;
  uint32_t status = 0;
  uint64_t u = mpd_qget_u64(&x->d, &status);
  if (status & MPD_Errors) return false;
  *out = u;
  return true;
}

double cue_num_to_double(const CueNum *x) {
  const mpd_t *d = &x->d;
  if (d->len == 1 && !mpd_isspecial(d)) {
    char text[64];
    snprintf(text, sizeof text, "%s%llue%lld", mpd_isnegative(d) ? "-" : "", (unsigned long long)d->data[0],
             (long long)d->exp);
    return strtod(text, NULL);
  }
  CueArena *scratch = cue_arena_new();
  double near = strtod(cue_num_text(scratch, x).s, NULL);
  cue_arena_free(scratch);
  return near;
}

/* -- arithmetic ------------------------------------------------------------------------ */

typedef void Op(mpd_t *, const mpd_t *, const mpd_t *, const mpd_context_t *, uint32_t *);

static CueNumErr apply(CueArena *a, Op *op, const CueNum *x, const CueNum *y, bool exact, const CueNum **out) {
  Temp t;
  mpd_context_t ctx = exact ? exact_context() : context(NUM_PRECISION, MPD_ROUND_HALF_UP);
  uint32_t status = 0;
  op(temp(&t), &x->d, &y->d, &ctx, &status);
  return num_keep(a, &t.d, status, out);
}

/* Terms whose exponents lie too far apart are refused, as there, rather than padded. */
static bool too_far(const CueNum *x, const CueNum *y) {
  mpd_ssize_t apart = x->d.exp - y->d.exp;
  return apart > NUM_MAX_EXPONENT || apart < -NUM_MAX_EXPONENT;
}

CueNumErr cue_num_add(CueArena *a, const CueNum *x, const CueNum *y, bool exact, const CueNum **out) {
  if (too_far(x, y)) return CUE_NUM_APART;
  return apply(a, mpd_qadd, x, y, exact, out);
}
CueNumErr cue_num_sub(CueArena *a, const CueNum *x, const CueNum *y, bool exact, const CueNum **out) {
  if (too_far(x, y)) return CUE_NUM_APART;
  return apply(a, mpd_qsub, x, y, exact, out);
}
CueNumErr cue_num_mul(CueArena *a, const CueNum *x, const CueNum *y, bool exact, const CueNum **out) {
  return apply(a, mpd_qmul, x, y, exact, out);
}

/* Takes n trailing zeros off a finite decimal that has them. */
static void drop_zeros(mpd_t *d, mpd_ssize_t n) {
  if (n == 0) return;
  uint32_t status = 0;
  mpd_qshiftr(d, d, n, &status);
  d->exp += n;
  if (status & MPD_Malloc_error) cue_out_of_memory();
}

CueNumErr cue_num_quo(CueArena *a, const CueNum *x, const CueNum *y, const CueNum **out) {
  Temp t;
  mpd_context_t ctx = context(NUM_PRECISION, MPD_ROUND_HALF_UP);
  uint32_t status = 0;
  mpd_qdiv(temp(&t), &x->d, &y->d, &ctx, &status);
  mpd_t *q = &t.d;
  if (!mpd_isspecial(q) && !(status & MPD_Errors)) {
    /* The exponent a quotient of all 34 digits has tells whether it shows a decimal point. */
    mpd_ssize_t full = q->exp + q->digits - NUM_PRECISION;
    if (mpd_iszero(q)) {
      full = x->d.exp - y->d.exp;
      if (full > NUM_MAX_EXPONENT || full < -NUM_MAX_EXPONENT) return CUE_NUM_RANGE;
      q->exp = full < 0 ? -1 : 0;
      q->flags = (uint8_t)(q->flags & ~MPD_NEG);
    } else {
      drop_zeros(q, mpd_trail_zeros(q));
      if (full < 0 && q->exp >= 0) {
        mpd_qshiftl(q, q, 1, &status);
        q->exp--;
      }
    }
  }
  return num_keep(a, q, status, out);
}

typedef enum { DIV, MOD, QUO, REM } Division;

static CueNumErr divide_ints(CueArena *a, const CueNum *x, const CueNum *y, Division what, const CueNum **out) {
  if (mpd_isspecial(&x->d) || mpd_isspecial(&y->d)) return CUE_NUM_INVALID;
  if (mpd_iszero(&y->d)) return CUE_NUM_DIV_ZERO;
  Temp tq, tr;
  mpd_t *q = temp(&tq), *r = temp(&tr);
  mpd_context_t ctx = exact_context();
  uint32_t status = 0;
  mpd_qdivmod(q, r, &x->d, &y->d, &ctx, &status);
  if ((what == DIV || what == MOD) && mpd_isnegative(r) && !mpd_iszero(r)) {
    Temp t1;
    mpd_t *one = temp(&t1);
    mpd_qset_i64(one, mpd_isnegative(&y->d) ? 1 : -1, &ctx, &status);
    mpd_qadd(q, q, one, &ctx, &status);
    if (mpd_isnegative(&y->d))
      mpd_qsub(r, r, &y->d, &ctx, &status);
    else
      mpd_qadd(r, r, &y->d, &ctx, &status);
    mpd_del(one);
  }
  mpd_t *keep = what == DIV || what == QUO ? q : r, *drop = keep == q ? r : q;
  bool euclidean = what == DIV || what == MOD; /* cue computes quo and rem with decimals, which know -0 */
  if (euclidean && mpd_iszero(keep)) keep->flags = (uint8_t)(keep->flags & ~MPD_NEG);
  mpd_del(drop);
  return num_keep(a, keep, status, out);
}

CueNumErr cue_num_int_div(CueArena *a, const CueNum *x, const CueNum *y, const CueNum **out) {
  return divide_ints(a, x, y, DIV, out);
}
CueNumErr cue_num_int_mod(CueArena *a, const CueNum *x, const CueNum *y, const CueNum **out) {
  return divide_ints(a, x, y, MOD, out);
}
CueNumErr cue_num_int_quo(CueArena *a, const CueNum *x, const CueNum *y, const CueNum **out) {
  return divide_ints(a, x, y, QUO, out);
}
CueNumErr cue_num_int_rem(CueArena *a, const CueNum *x, const CueNum *y, const CueNum **out) {
  return divide_ints(a, x, y, REM, out);
}

const CueNum *cue_num_neg(CueArena *a, const CueNum *x) {
  CueNum *y = copy_num(a, &x->d);
  if (mpd_iszero(&y->d))
    y->d.flags = (uint8_t)(y->d.flags & ~MPD_NEG);
  else
    y->d.flags ^= MPD_NEG;
  return y;
}

const CueNum *cue_num_abs(CueArena *a, const CueNum *x) {
  if (!mpd_isnegative(&x->d)) return x;
  CueNum *y = copy_num(a, &x->d);
  y->d.flags = (uint8_t)(y->d.flags & ~MPD_NEG);
  return y;
}

bool cue_num_is_negative(const CueNum *x) { return mpd_isnegative(&x->d); }
int cue_num_sign(const CueNum *x) { return mpd_iszero(&x->d) ? 0 : mpd_isnegative(&x->d) ? -1 : 1; }

int cue_num_cmp(const CueNum *x, const CueNum *y) {
  if (mpd_isnan(&x->d) || mpd_isnan(&y->d)) {
    int sx = cue_num_sign(x), sy = cue_num_sign(y);
    return sx < sy ? -1 : sx > sy;
  }
  uint32_t status = 0;
  return mpd_qcmp(&x->d, &y->d, &status);
}

int cue_num_cmp_int(const CueNum *x, int64_t y) {
  if (mpd_isnan(&x->d)) return mpd_isnegative(&x->d) ? -1 : 1;
  Temp t;
  mpd_context_t ctx = exact_context();
  uint32_t status = 0;
  mpd_qset_i64(temp(&t), y, &ctx, &status);
  return mpd_qcmp(&x->d, &t.d, &status);
}

bool cue_num_is_int(const CueNum *x) { return !mpd_isspecial(&x->d) && mpd_isinteger(&x->d); }
bool cue_num_is_finite(const CueNum *x) { return !mpd_isspecial(&x->d); }
bool cue_num_is_nan(const CueNum *x) { return mpd_isnan(&x->d); }
int32_t cue_num_exponent(const CueNum *x) { return (int32_t)x->d.exp; }
uint32_t cue_num_digits(const CueNum *x) { return (uint32_t)x->d.digits; }

const CueNum *cue_num_round_int(CueArena *a, const CueNum *x, CueRounding how) {
  static const int modes[] = {
      [CUE_ROUND_DOWN] = MPD_ROUND_DOWN,       [CUE_ROUND_UP] = MPD_ROUND_UP,
      [CUE_ROUND_FLOOR] = MPD_ROUND_FLOOR,     [CUE_ROUND_CEIL] = MPD_ROUND_CEILING,
      [CUE_ROUND_HALF_UP] = MPD_ROUND_HALF_UP, [CUE_ROUND_HALF_EVEN] = MPD_ROUND_HALF_EVEN,
  };
  if (mpd_isspecial(&x->d) || x->d.exp == 0) return x;
  Temp t;
  uint32_t status = 0;
  const CueNum *y;
  temp(&t);
  if (x->d.exp > 0) {
    if (mpd_iszero(&x->d)) return cue_num_from_int(a, 0);
    mpd_qshiftl(&t.d, &x->d, x->d.exp, &status);
    t.d.exp = 0;
  } else {
    mpd_context_t ctx = context(MPD_MAX_PREC, modes[how]);
    mpd_qround_to_int(&t.d, &x->d, &ctx, &status);
  }
  return num_keep(a, &t.d, status, &y) == CUE_NUM_OK ? y : x;
}

/* -- text ------------------------------------------------------------------------------ */

/* Writes the coefficient, d->digits characters. */
static void write_digits(const mpd_t *d, char *out) {
  char *end = out + d->digits;
  for (mpd_ssize_t w = 0; w < d->len; w++) {
    mpd_uint_t word = d->data[w];
    for (int i = 0; i < 19 && end > out; i++, word /= 10) *--end = (char)('0' + word % 10);
  }
}

static void add_plain(CueBuf *b, const mpd_t *d) {
  size_t digits = (size_t)d->digits;
  if (d->exp >= 0) {
    write_digits(d, cue_buf_room(b, digits));
    b->n += digits;
    cue_buf_repeat(b, '0', (size_t)d->exp);
    return;
  }
  size_t fraction = (size_t)-d->exp;
  if (fraction >= digits) {
    cue_buf_add(b, "0.", 2);
    cue_buf_repeat(b, '0', fraction - digits);
    write_digits(d, cue_buf_room(b, digits));
    b->n += digits;
    return;
  }
  char *p = cue_buf_room(b, digits + 1);
  write_digits(d, p);
  memmove(p + digits - fraction + 1, p + digits - fraction, fraction);
  p[digits - fraction] = '.';
  b->n += digits + 1;
}

static void add_scientific(CueBuf *b, const mpd_t *d, char e) {
  size_t digits = (size_t)d->digits;
  char *p = cue_buf_room(b, digits + 1);
  write_digits(d, p);
  if (digits > 1) {
    memmove(p + 2, p + 1, digits - 1);
    p[1] = '.';
    b->n++;
  }
  b->n += digits;
  cue_buf_f(b, "%c%+lld", e, (long long)(d->exp + d->digits - 1));
}

void cue_buf_num(CueBuf *b, const CueNum *x, char format) {
  const mpd_t *d = &x->d;
  if (mpd_isnegative(d)) cue_buf_ch(b, '-');
  if (mpd_isnan(d)) {
    cue_buf_add(b, "NaN", 3);
  } else if (mpd_isspecial(d)) {
    cue_buf_add(b, "Infinity", 8);
  } else if (format == 'f') {
    add_plain(b, d);
  } else {
    mpd_ssize_t digits = d->digits;
    if (mpd_iszero(d) && d->exp < 0 && d->exp >= -2000) digits -= d->exp; /* zeros show all their decimals */
    if (d->exp <= 0 && d->exp + digits - 1 >= -6)
      add_plain(b, d);
    else
      add_scientific(b, d, format == 'g' ? 'e' : 'E');
  }
}

CueStr cue_num_text(CueArena *a, const CueNum *x) {
  CueBuf b = cue_buf(a);
  cue_buf_num(&b, x, 'G');
  return cue_buf_done(&b);
}

CueStr cue_num_text_plain(CueArena *a, const CueNum *x) {
  CueBuf b = cue_buf(a);
  cue_buf_num(&b, x, 'f');
  return cue_buf_done(&b);
}

/* The magnitude in the given base, least significant first, in an arena. */
static uint32_t *export_base(CueArena *a, const CueNum *x, uint32_t base, size_t *n) {
  *n = 0;
  if (mpd_iszero(&x->d) || !cue_num_is_int(x)) return NULL;
  Temp t;
  uint32_t status = 0, *digits = NULL;
  mpd_qcopy_abs(temp(&t), &x->d, &status);
  size_t len = mpd_qexport_u32(&digits, 0, base, &t.d, &status);
  mpd_del(&t.d);
  if (status & MPD_Malloc_error || !digits) cue_out_of_memory();
  uint32_t *out = cue_array(a, uint32_t, len);
  memcpy(out, digits, len * sizeof *out);
  mpd_free(digits);
  *n = len;
  return out;
}

CueStr cue_num_text_radix(CueArena *a, const CueNum *x, unsigned radix) {
  assert(radix >= 2 && radix <= 36);
  if (radix == 10) return cue_num_text_plain(a, cue_num_round_int(a, x, CUE_ROUND_DOWN));
  size_t n;
  uint32_t *digits = export_base(a, x, radix, &n);
  CueBuf b = cue_buf(a);
  if (cue_num_sign(x) < 0) cue_buf_ch(&b, '-');
  if (n == 0) cue_buf_ch(&b, '0');
  for (; n > 0; n--) cue_buf_ch(&b, "0123456789abcdefghijklmnopqrstuvwxyz"[digits[n - 1]]);
  return cue_buf_done(&b);
}

uint32_t *cue_num_limbs(CueArena *a, const CueNum *x, size_t *n) { return export_base(a, x, 1u << CUE_LIMB_BITS, n); }

const CueNum *cue_num_from_limbs(CueArena *a, const uint32_t *limbs, size_t n, bool negative) {
  while (n > 0 && limbs[n - 1] == 0) n--;
  if (n <= 2) {
    uint64_t u = n > 0 ? limbs[0] : 0;
    if (n > 1) u |= (uint64_t)limbs[1] << CUE_LIMB_BITS;
    return from_coefficient(a, u, 0, negative && u);
  }
  Temp t;
  mpd_context_t ctx = exact_context();
  uint32_t status = 0;
  const CueNum *x;
  mpd_qimport_u32(temp(&t), limbs, n, negative ? MPD_NEG : MPD_POS, 1u << CUE_LIMB_BITS, &ctx, &status);
  if (num_keep(a, &t.d, status & MPD_Malloc_error, &x) != CUE_NUM_OK) return NULL;
  return x;
}
