/* num_math.c - powers, cube roots, exponentials and logarithms of decimals.
**
** The last digit of such a function depends on how it is computed, and users compare our
** output with cue's. So the methods and their working precisions are those of the decimal
** library that cue uses: exp after Hull and Abrham (ACM TOMS 12.2), cube roots by Newton's
** method from Turkowski's start value, ln by Halley's iteration, or by a series near 1.
**
** A Work holds the precision, the rounding and the first error; once there is an error every
** step does nothing, so a computation reads straight through and is checked at its end.
*/
#include "runtime/num_dec.h"

#include <assert.h>
#include <math.h>
#include <mpdecimal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  mpd_t d;
  mpd_uint_t store[24];
} Dec;

typedef struct {
  mpd_context_t ctx;
  CueNumErr err;
} Work;

/* -- the steps ------------------------------------------------------------------------- */

static Work work(mpd_ssize_t prec, int round) {
  Work w = {.err = CUE_NUM_OK};
  mpd_maxcontext(&w.ctx);
  w.ctx.prec = prec;
  w.ctx.round = round;
  w.ctx.traps = 0;
  return w;
}

static void dec_init(Dec *x) {
  x->d = (mpd_t){MPD_STATIC | MPD_STATIC_DATA, 0, 1, 1, sizeof x->store / sizeof *x->store, x->store};
  x->store[0] = 0;
}

static void dec_free(Dec *x) { mpd_del(&x->d); }

static void check_memory(uint32_t status) {
  if (status & MPD_Malloc_error) cue_out_of_memory();
}

static void note(Work *w, const Dec *r, uint32_t status) {
  check_memory(status);
  if (status & MPD_Division_by_zero)
    w->err = CUE_NUM_DIV_ZERO;
  else if (status & MPD_Division_undefined)
    w->err = CUE_NUM_DIV_UNDEFINED;
  else if (status & MPD_IEEE_Invalid_operation)
    w->err = CUE_NUM_INVALID;
  else if (!num_in_range(&r->d))
    w->err = CUE_NUM_RANGE;
}

static void set(Dec *r, const mpd_t *x) {
  uint32_t status = 0;
  mpd_qcopy(&r->d, x, &status);
  check_memory(status);
}

static void set_int(Dec *r, int64_t i, mpd_ssize_t exp) {
  uint32_t status = 0;
  mpd_context_t ctx;
  mpd_maxcontext(&ctx);
  ctx.traps = 0;
  mpd_qset_i64(&r->d, i, &ctx, &status);
  r->d.exp = exp;
  check_memory(status);
}

static void set_text(Dec *r, const char *text) {
  uint32_t status = 0;
  mpd_qset_string_exact(&r->d, text, &status);
  check_memory(status);
}

static void add(Work *w, Dec *r, const Dec *x, const Dec *y) {
  uint32_t status = 0;
  if (w->err) return;
  mpd_qadd(&r->d, &x->d, &y->d, &w->ctx, &status);
  note(w, r, status);
}

static void sub(Work *w, Dec *r, const Dec *x, const Dec *y) {
  uint32_t status = 0;
  if (w->err) return;
  mpd_qsub(&r->d, &x->d, &y->d, &w->ctx, &status);
  note(w, r, status);
}

static void mul(Work *w, Dec *r, const Dec *x, const Dec *y) {
  uint32_t status = 0;
  if (w->err) return;
  mpd_qmul(&r->d, &x->d, &y->d, &w->ctx, &status);
  note(w, r, status);
}

/* A quotient of full precision: exact ones are padded with zeros. */
static void quo(Work *w, Dec *r, const Dec *x, const Dec *y) {
  uint32_t status = 0;
  if (w->err) return;
  mpd_qdiv(&r->d, &x->d, &y->d, &w->ctx, &status);
  mpd_ssize_t missing = w->ctx.prec - r->d.digits;
  if (!mpd_isspecial(&r->d) && !mpd_iszero(&r->d) && missing > 0) {
    mpd_qshiftl(&r->d, &r->d, missing, &status);
    r->d.exp -= missing;
  }
  note(w, r, status);
}

static void round_to(Work *w, Dec *r) {
  uint32_t status = 0;
  if (w->err) return;
  mpd_qfinalize(&r->d, &w->ctx, &status);
  note(w, r, status);
}

static int compare(const Dec *x, const Dec *y) {
  uint32_t status = 0;
  return mpd_qcmp(&x->d, &y->d, &status);
}

static int compare_abs(const Dec *x, const Dec *y) {
  mpd_t abs = x->d;
  abs.flags = (uint8_t)((abs.flags & ~(MPD_NEG | MPD_DATAFLAGS)) | MPD_CONST_DATA);
  uint32_t status = 0;
  return mpd_qcmp(&abs, &y->d, &status);
}

/* The nearest double; also tells that the value is beyond the doubles. */
static bool to_double(const Dec *x, double *out) {
  char *text = mpd_to_sci(&x->d, 1);
  if (!text) cue_out_of_memory();
  *out = strtod(text, NULL);
  mpd_free(text);
  return isfinite(*out);
}

static CueNumErr finish(CueArena *a, const Work *w, Dec *r, const CueNum **out) {
  if (w->err) {
    dec_free(r);
    return w->err;
  }
  return num_keep(a, &r->d, 0, out);
}

static CueNumErr give(CueArena *a, const char *text, CueNumErr err, const CueNum **out) {
  *out = cue_num_parse(a, cue_str(text));
  return err;
}

/* Whether an iteration has come to rest: two results differ by less than one in digit `digits`. */
typedef struct {
  Dec last;
  mpd_ssize_t digits;
  long turns;
} Rest;

static bool at_rest(Work *w, Rest *l, const Dec *z) {
  Dec delta, eps;
  dec_init(&delta);
  dec_init(&eps);
  sub(w, &delta, &l->last, z);
  set_int(&eps, 1, -l->digits + z->d.digits + z->d.exp);
  bool done = w->err || mpd_iszero(&delta.d) || compare_abs(&delta, &eps) <= 0;
  if (!done) {
    if (++l->turns == 10 + l->digits) {
      w->err = CUE_NUM_LOST;
      done = true;
    }
    set(&l->last, &z->d);
  }
  dec_free(&delta);
  dec_free(&eps);
  return done;
}

/* -- integer powers and exp ------------------------------------------------------------ */

/* r = x ** n by squaring; bits has the bits of |n|, least significant limb first. */
static void power(Work *w, Dec *r, const Dec *x, const uint32_t *limbs, size_t n, bool negative) {
  Dec square, one;
  dec_init(&square);
  dec_init(&one);
  set(&square, &x->d);
  set_int(&one, 1, 0);
  set_int(r, 1, 0);
  size_t bits = n ? (n - 1) * CUE_LIMB_BITS + 32 - (size_t)__builtin_clz(limbs[n - 1]) : 0;
  for (size_t i = 0; i < bits && !w->err; i++) {
    if (limbs[i / CUE_LIMB_BITS] >> (i % CUE_LIMB_BITS) & 1) mul(w, r, r, &square);
    if (i + 1 < bits) mul(w, &square, &square, &square);
  }
  if (negative) quo(w, r, &one, r);
  dec_free(&square);
  dec_free(&one);
}

static void power_of_ten(Work *w, Dec *r, const Dec *x, mpd_ssize_t t) {
  CueArena *scratch = cue_arena_new();
  char text[16];
  snprintf(text, sizeof text, "1e%d", (int)t);
  size_t n;
  uint32_t *limbs = cue_num_limbs(scratch, cue_num_parse(scratch, cue_str(text)), &n);
  power(w, r, x, limbs, n, false);
  cue_arena_free(scratch);
}

/* out = e ** x, rounded half even to prec digits. */
static void exp_digits(Work *outer, Dec *out, const Dec *x, mpd_ssize_t prec) {
  if (outer->err) return;
  if (mpd_iszero(&x->d)) {
    set_int(out, 1, 0);
    return;
  }
  mpd_ssize_t cp = prec;
  Dec size, bound, r, k, sum, term, one;
  Dec *all[] = {&size, &bound, &r, &k, &sum, &term, &one};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) dec_init(all[i]);
  set_int(&one, 1, 0);
  set(&size, &x->d);
  size.d.flags = (uint8_t)(size.d.flags & ~MPD_NEG);
  double f;
  if (to_double(&size, &f) && f / 23 > (double)cp && f / 23 < 1000) cp = (mpd_ssize_t)ceil(f / 23);

  Work w = work(cp, MPD_ROUND_HALF_EVEN);
  set_int(&bound, cp * 23, 0);
  if (compare(&size, &bound) > 0) {
    outer->err = mpd_isnegative(&x->d) ? CUE_NUM_UNDERFLOW : CUE_NUM_OVERFLOW;
    goto done;
  }
  set_int(&bound, 9, -cp - 1);
  if (compare(&size, &bound) <= 0) {
    set_int(out, 1, 0);
    goto done;
  }

  /* x = r * 10^t with |r| < 1; e^r by its series in Horner form, then to the power of 10^t. */
  mpd_ssize_t t = x->d.exp + x->d.digits;
  if (t < 0) t = 0;
  set_int(&k, 1, t);
  quo(&w, &r, x, &k);
  mpd_ssize_t p = cp + t + 2;
  set(&size, &r.d);
  size.d.flags = (uint8_t)(size.d.flags & ~MPD_NEG);
  double rf = 0;
  to_double(&size, &rf);
  double terms = ceil((1.435 * (double)p - 1.182) / log10((double)p / rf));
  if (!(terms <= 1000)) {
    outer->err = CUE_NUM_LOST;
    goto done;
  }
  w.ctx.prec = p;
  set_int(&sum, 1, 0);
  for (int64_t i = (int64_t)terms - 1; i > 0; i--) {
    set_int(&k, i, 0);
    quo(&w, &term, &r, &k);
    mul(&w, &sum, &term, &sum);
    add(&w, &sum, &sum, &one);
  }
  power_of_ten(&w, out, &sum, t);
  w.ctx.prec = prec;
  round_to(&w, out);
  outer->err = w.err;

done:
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) dec_free(all[i]);
}

/* -- logarithms ------------------------------------------------------------------------ */

static const char ln10_text[] = "2.302585092994045684017991454684364207601101488628772976033327901";
static const char inv_ln10_text[] = "0.4342944819032518276511289189166050822943970058036665661144537832";

/* ln(10) or its inverse, to a power of two of digits that is at least prec. */
static void log_constant(Dec *r, mpd_ssize_t prec, bool inverse) {
  if (prec <= 64) {
    set_text(r, inverse ? inv_ln10_text : ln10_text);
    return;
  }
  mpd_ssize_t digits = 128;
  while (digits < prec) digits *= 2;
  Work w = work(digits + 10, MPD_ROUND_HALF_UP);
  Dec ten, one;
  dec_init(&ten);
  dec_init(&one);
  set_int(&ten, 10, 0);
  set_int(&one, 1, 0);
  uint32_t status = 0;
  mpd_qln(&r->d, &ten.d, &w.ctx, &status);
  check_memory(status);
  if (inverse) quo(&w, r, &one, r);
  w.ctx.prec = digits;
  round_to(&w, r);
  dec_free(&ten);
  dec_free(&one);
}

/* 2 * sum (q^(2n+1) / (2n+1)) with q = x / (x + 2): ln(1 + x) for a small x. */
static void log_series(Work *w, Dec *r, const Dec *x, mpd_ssize_t prec) {
  Dec q, term, part, eps, k;
  Dec *all[] = {&q, &term, &part, &eps, &k};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) dec_init(all[i]);
  set_int(&k, 2, 0);
  add(w, &term, x, &k);
  quo(w, &q, x, &term);
  add(w, &term, &q, &q);
  set(r, &term.d);
  set_int(&eps, 1, -prec);
  for (int64_t n = 1; !w->err; n++) {
    mul(w, &term, &term, &q);
    mul(w, &term, &term, &q);
    set_int(&k, 2 * n + 1, 0);
    quo(w, &part, &term, &k);
    add(w, r, r, &part);
    if (w->err || compare_abs(&part, &eps) <= 0) break;
  }
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) dec_free(all[i]);
}

/* Halley: a' = a - 2 (e^a - z) / (e^a + z). */
static void log_iterate(Work *w, Dec *r, const Dec *z, mpd_ssize_t prec) {
  Dec e, up, down;
  Rest rest = {.digits = prec + 1};
  dec_init(&e);
  dec_init(&up);
  dec_init(&down);
  dec_init(&rest.last);
  double start;
  char text[40];
  to_double(z, &start);
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*e", digits - 1, log(start));
    if (strtod(text, NULL) == log(start)) break;
  }
  set_text(r, text);
  do {
    exp_digits(w, &e, r, w->ctx.prec);
    sub(w, &up, &e, z);
    add(w, &up, &up, &up);
    add(w, &down, &e, z);
    quo(w, &e, &up, &down);
    sub(w, r, r, &e);
  } while (!at_rest(w, &rest, r));
  dec_free(&e);
  dec_free(&up);
  dec_free(&down);
  dec_free(&rest.last);
}

/* out = ln x for a finite positive x that is not 1, rounded half up or even to prec digits. */
static void ln_digits(Work *outer, Dec *out, const Dec *x, mpd_ssize_t prec, int round) {
  if (outer->err) return;
  mpd_ssize_t p = prec + 2;
  Work w = work(p, MPD_ROUND_HALF_EVEN);
  Dec z, one, tenth, diff, adjust;
  Dec *all[] = {&z, &one, &tenth, &diff, &adjust};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) dec_init(all[i]);
  set(&z, &x->d);
  set_int(&one, 1, 0);
  set_int(&tenth, 1, -1);
  sub(&w, &diff, &z, &one);
  bool near_one = compare_abs(&diff, &tenth) <= 0;
  if (!near_one) {
    /* Bring z into [0.1, 1); the decimal shift returns as a multiple of ln 10. */
    mpd_ssize_t shift = z.d.digits + z.d.exp;
    z.d.exp -= shift;
    Dec k;
    dec_init(&k);
    set_int(&k, shift, 0);
    log_constant(&adjust, p, false);
    mul(&w, &adjust, &k, &adjust);
    dec_free(&k);
    sub(&w, &diff, &z, &one);
    near_one = compare_abs(&diff, &tenth) <= 0;
  }
  if (near_one)
    log_series(&w, out, &diff, p);
  else
    log_iterate(&w, out, &z, prec);
  add(&w, out, out, &adjust);
  w.ctx.prec = prec;
  w.ctx.round = round;
  round_to(&w, out);
  outer->err = w.err;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) dec_free(all[i]);
}

/* Arguments whose logarithm needs no computing. */
static bool log_special(CueArena *a, const CueNum *x, CueNumErr *err, const CueNum **out) {
  *err = CUE_NUM_OK;
  if (cue_num_is_nan(x)) {
    *out = x;
  } else if (cue_num_sign(x) < 0) {
    *err = give(a, "NaN", CUE_NUM_INVALID, out);
  } else if (!cue_num_is_finite(x)) {
    *out = x;
  } else if (cue_num_sign(x) == 0) {
    give(a, "-Infinity", CUE_NUM_OK, out);
  } else if (cue_num_cmp_int(x, 1) == 0) {
    give(a, "0", CUE_NUM_OK, out);
  } else {
    return false;
  }
  return true;
}

static CueNumErr load(Dec *r, const CueNum *x) {
  dec_init(r);
  set(r, num_view(x));
  return CUE_NUM_OK;
}

CueNumErr cue_num_ln(CueArena *a, const CueNum *x, const CueNum **out) {
  CueNumErr err;
  if (log_special(a, x, &err, out)) return err;
  Work w = work(NUM_PRECISION, MPD_ROUND_HALF_UP);
  Dec z, r;
  load(&z, x);
  dec_init(&r);
  ln_digits(&w, &r, &z, NUM_PRECISION, MPD_ROUND_HALF_UP);
  dec_free(&z);
  return finish(a, &w, &r, out);
}

CueNumErr cue_num_log10(CueArena *a, const CueNum *x, const CueNum **out) {
  CueNumErr err;
  if (log_special(a, x, &err, out)) return err;
  Work w = work(NUM_PRECISION, MPD_ROUND_HALF_EVEN);
  Dec z, r, k;
  load(&z, x);
  dec_init(&r);
  dec_init(&k);
  ln_digits(&w, &r, &z, NUM_PRECISION + 2, MPD_ROUND_HALF_EVEN);
  log_constant(&k, NUM_PRECISION + 2, true);
  mul(&w, &r, &r, &k);
  dec_free(&z);
  dec_free(&k);
  return finish(a, &w, &r, out);
}

CueNumErr cue_num_exp(CueArena *a, const CueNum *x, const CueNum **out) {
  if (cue_num_is_nan(x)) {
    *out = x;
    return CUE_NUM_OK;
  }
  if (!cue_num_is_finite(x)) return give(a, cue_num_sign(x) < 0 ? "0" : "Infinity", CUE_NUM_OK, out);
  Work w = work(NUM_PRECISION, MPD_ROUND_HALF_UP);
  Dec z, r;
  load(&z, x);
  dec_init(&r);
  exp_digits(&w, &r, &z, NUM_PRECISION);
  dec_free(&z);
  return finish(a, &w, &r, out);
}

/* -- powers ---------------------------------------------------------------------------- */

/* x ** y where x or y is infinite, zero or not a number. */
static bool pow_special(CueArena *a, const CueNum *x, const CueNum *y, bool y_int, bool odd, CueNumErr *err,
                        const CueNum **out) {
  int sx = cue_num_sign(x), sy = cue_num_sign(y);
  bool negative = odd && mpd_isnegative(num_view(x));
  *err = CUE_NUM_OK;
  if (cue_num_is_nan(x) || cue_num_is_nan(y)) {
    *out = cue_num_is_nan(x) ? x : y;
  } else if (!cue_num_is_finite(x)) {
    if (sy == 0)
      give(a, "1", CUE_NUM_OK, out);
    else if (sx < 0 && !y_int)
      *err = give(a, "NaN", CUE_NUM_INVALID, out);
    else
      give(a, sy < 0 ? (negative ? "-0" : "0") : (negative ? "-Infinity" : "Infinity"), CUE_NUM_OK, out);
  } else if (sx == 0) {
    if (sy == 0)
      *err = give(a, "NaN", CUE_NUM_INVALID, out);
    else
      give(a, sy > 0 ? (negative ? "-0" : "0") : (negative ? "-Infinity" : "Infinity"), CUE_NUM_OK, out);
  } else if (sy == 0) {
    give(a, "1", CUE_NUM_OK, out);
  } else if (sx < 0 && !y_int) {
    *err = give(a, "NaN", CUE_NUM_INVALID, out);
  } else if (!cue_num_is_finite(y)) {
    *err = CUE_NUM_RANGE;
  } else {
    return false;
  }
  return true;
}

CueNumErr cue_num_pow(CueArena *a, const CueNum *x, const CueNum *y, const CueNum **out) {
  CueArena *scratch = cue_arena_new();
  bool y_int = cue_num_is_int(y);
  const CueNum *whole = cue_num_is_finite(y) ? cue_num_round_int(scratch, y, CUE_ROUND_DOWN) : y;
  size_t n = 0;
  uint32_t *limbs = cue_num_is_finite(y) ? cue_num_limbs(scratch, whole, &n) : NULL;
  bool odd = y_int && n && (limbs[0] & 1);
  CueNumErr err;
  if (pow_special(a, x, y, y_int, odd, &err, out)) {
    cue_arena_free(scratch);
    return err;
  }
  mpd_ssize_t p = num_view(x)->digits > NUM_PRECISION ? num_view(x)->digits : NUM_PRECISION;
  p += 10;
  Work w = work(p, MPD_ROUND_HALF_UP);
  Dec base, r, part, fraction;
  load(&base, x);
  dec_init(&r);
  dec_init(&part);
  dec_init(&fraction);
  power(&w, &r, &base, limbs, n, cue_num_sign(y) < 0);
  if (!y_int && !w.err) {
    /* x^y = x^whole * e^(fraction * ln x) */
    const CueNum *f;
    w.err = cue_num_sub(scratch, y, whole, true, &f);
    if (!w.err) set(&fraction, num_view(f));
    if (cue_num_cmp_int(x, 1) == 0)
      set_int(&part, 0, 0);
    else
      ln_digits(&w, &part, &base, p, MPD_ROUND_HALF_UP);
    mul(&w, &part, &part, &fraction);
    exp_digits(&w, &fraction, &part, p);
    mul(&w, &r, &r, &fraction);
  }
  w.ctx.prec = NUM_PRECISION;
  round_to(&w, &r);
  dec_free(&base);
  dec_free(&part);
  dec_free(&fraction);
  cue_arena_free(scratch);
  return finish(a, &w, &r, out);
}

/* -- cube root ------------------------------------------------------------------------- */

static bool cbrt_special(CueArena *a, const CueNum *x, CueNumErr *err, const CueNum **out) {
  *err = CUE_NUM_OK;
  if (cue_num_is_nan(x)) {
    *out = x;
  } else if (cue_num_sign(x) < 0 && !cue_num_is_finite(x)) {
    *err = give(a, "NaN", CUE_NUM_INVALID, out);
  } else if (!cue_num_is_finite(x)) {
    *out = x;
  } else if (cue_num_sign(x) == 0) {
    Dec zero;
    load(&zero, x);
    zero.d.exp /= 3;
    *err = num_keep(a, &zero.d, 0, out);
  } else {
    return false;
  }
  return true;
}

CueNumErr cue_num_cbrt(CueArena *a, const CueNum *x, const CueNum **out) {
  CueNumErr err;
  if (cbrt_special(a, x, &err, out)) return err;
  Work w = work(NUM_PRECISION * 2 + 2, MPD_ROUND_HALF_UP);
  Dec size, z, z0, k, one, eighth;
  Dec *all[] = {&size, &z0, &k, &one, &eighth};
  load(&size, x);
  load(&z, x);
  for (size_t i = 1; i < sizeof all / sizeof *all; i++) dec_init(all[i]);
  size.d.flags = (uint8_t)(size.d.flags & ~MPD_NEG);
  z.d.flags = (uint8_t)(z.d.flags & ~MPD_NEG);
  set_int(&one, 1, 0);
  set_int(&eighth, 125, -3);
  /* Bring z into [1/8, 1] by powers of eight; a parabola gives the start there. */
  long eights = 0;
  set_int(&k, 8, 0);
  for (; !w.err && compare(&z, &eighth) < 0; eights--) mul(&w, &z, &z, &k);
  for (; !w.err && compare(&z, &one) > 0; eights++) mul(&w, &z, &z, &eighth);
  set(&z0, &z.d);
  set_text(&k, "-0.46946116");
  mul(&w, &z, &z, &k);
  set_text(&k, "1.072302");
  add(&w, &z, &z, &k);
  mul(&w, &z, &z, &z0);
  set_text(&k, "0.3812513");
  add(&w, &z, &z, &k);
  set_text(&k, eights < 0 ? "0.5" : "2");
  for (; eights != 0; eights += eights < 0 ? 1 : -1) mul(&w, &z, &z, &k);

  Rest rest = {.digits = NUM_PRECISION + 1};
  dec_init(&rest.last);
  set_int(&k, 3, 0);
  do {
    set(&z0, &z.d);
    mul(&w, &z, &z, &z0);
    quo(&w, &z, &size, &z);
    add(&w, &z, &z, &z0);
    add(&w, &z, &z, &z0);
    quo(&w, &z, &z, &k);
  } while (!at_rest(&w, &rest, &z));
  w.ctx.prec = NUM_PRECISION;
  round_to(&w, &z);
  if (cue_num_sign(x) < 0) z.d.flags |= MPD_NEG;
  dec_free(&rest.last);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) dec_free(all[i]);
  return finish(a, &w, &z, out);
}
