/* math.c - package math: decimals where cue has decimals, float64 where it has float64.
**
** Rounding, powers and logarithms work on decimals of 34 digits and give an int whenever
** the result is integral. The rest converts to float64, and gives a float even for 2.0.
*/
#include <math.h>

#include "stdlib/cue/go_math.h"
#include "stdlib/cue/stdlib.h"

/* ---- decimals ---- */

#define PRECISION 34

static CueValue decimal(CueCall *c, CueNumErr err, const CueNum *x) {
  return err == CUE_NUM_OK ? cue_decimal(c->a, x) : cue_fail(c, "%s", cue_num_err_text(err));
}

static bool is_negative(CueCall *c, const CueNum *x) { return cue_num_text(c->a, x).s[0] == '-'; /* -0 too */ }

/* Rounds to PRECISION digits: adding 0 does. */
static CueNumErr to_precision(CueCall *c, const CueNum *x, const CueNum **out) {
  return cue_num_add(c->a, x, cue_num_from_int(c->a, 0), false, out);
}

static CueValue rounded(CueCall *c, CueRounding how) {
  const CueNum *x = cue_arg_num(c, 0);
  if (!cue_num_is_finite(x)) return cue_int(0);
  x = cue_num_round_int(c->a, x, how);
  return cue_num_sign(x) == 0 ? cue_int(0) : cue_int_num(x); /* an int of Go has no -0 */
}

/* Floor and Ceil go through a quantize that fails beyond 34 digits; cue then says 0. */
static CueValue rounded_in_precision(CueCall *c, CueRounding how) {
  const CueNum *x = cue_arg_num(c, 0);
  if (!cue_num_is_finite(x)) return cue_int(0);
  x = cue_num_round_int(c->a, x, how);
  return cue_num_sign(x) == 0 || cue_num_digits(x) > PRECISION ? cue_int(0) : cue_int_num(x);
}

static CueValue math_floor(CueCall *c) { return rounded_in_precision(c, CUE_ROUND_FLOOR); }
static CueValue math_ceil(CueCall *c) { return rounded_in_precision(c, CUE_ROUND_CEIL); }
static CueValue math_trunc(CueCall *c) { return rounded(c, CUE_ROUND_DOWN); }
static CueValue math_round(CueCall *c) { return rounded(c, CUE_ROUND_HALF_UP); }
static CueValue math_round_to_even(CueCall *c) { return rounded(c, CUE_ROUND_HALF_EVEN); }

static CueValue math_multiple_of(CueCall *c) {
  const CueNum *x = cue_arg_num(c, 0), *y = cue_arg_num(c, 1), *q;
  if (cue_num_is_nan(x) || cue_num_is_nan(y)) return cue_bool(true);
  if (!cue_num_is_finite(x) || !cue_num_is_finite(y)) {
    bool both = !cue_num_is_finite(x) && !cue_num_is_finite(y);
    return both ? cue_fail(c, "%s", cue_num_err_text(CUE_NUM_INVALID)) : cue_bool(true);
  }
  CueNumErr err = cue_num_quo(c->a, x, y, &q);
  if (err != CUE_NUM_OK) return cue_fail(c, "%s", cue_num_err_text(err));
  return cue_bool(cue_num_is_int(q));
}

static CueValue math_abs(CueCall *c) {
  const CueNum *x = cue_num_abs(c->a, cue_arg_num(c, 0));
  if (!cue_num_is_finite(x)) return cue_decimal(c->a, x);
  CueNumErr err = to_precision(c, x, &x);
  return decimal(c, err, x);
}

static CueValue math_copysign(CueCall *c) {
  const CueNum *x = cue_num_abs(c->a, cue_arg_num(c, 0));
  if (is_negative(c, cue_arg_num(c, 1))) {
    CueStr text = cue_num_text(c->a, x);
    x = cue_num_parse(c->a, cue_strf(c->a, "-%.*s", CUE_FMT(text))); /* cue_num_neg knows no -0 */
  }
  return cue_decimal(c->a, x);
}

static CueValue math_signbit(CueCall *c) { return cue_bool(is_negative(c, cue_arg_num(c, 0))); }

static CueValue math_dim(CueCall *c) {
  const CueNum *d;
  CueNumErr err = cue_num_sub(c->a, cue_arg_num(c, 0), cue_arg_num(c, 1), false, &d);
  if (err == CUE_NUM_OK && cue_num_sign(d) < 0) return cue_int(0);
  return decimal(c, err, d);
}

typedef CueNumErr DecimalFn(CueArena *a, const CueNum *x, const CueNum **out);

static CueValue decimal_of(CueCall *c, DecimalFn *f) {
  const CueNum *y;
  CueNumErr err = f(c->a, cue_arg_num(c, 0), &y);
  return decimal(c, err, y);
}

static CueValue math_cbrt(CueCall *c) { return decimal_of(c, cue_num_cbrt); }
static CueValue math_exp(CueCall *c) { return decimal_of(c, cue_num_exp); }
static CueValue math_log(CueCall *c) { return decimal_of(c, cue_num_ln); }
static CueValue math_log10(CueCall *c) { return decimal_of(c, cue_num_log10); }

static CueValue math_pow(CueCall *c) {
  const CueNum *y;
  CueNumErr err = cue_num_pow(c->a, cue_arg_num(c, 0), cue_arg_num(c, 1), &y);
  return decimal(c, err, y);
}

static CueValue math_exp2(CueCall *c) {
  const CueNum *y;
  CueNumErr err = cue_num_pow(c->a, cue_num_from_int(c->a, 2), cue_arg_num(c, 0), &y);
  return decimal(c, err, y);
}

static CueValue math_log2(CueCall *c) {
  const CueNum *ln2, *ln, *y = NULL;
  CueNumErr err = cue_num_ln(c->a, cue_num_from_int(c->a, 2), &ln2);
  if (err == CUE_NUM_OK) err = cue_num_ln(c->a, cue_arg_num(c, 0), &ln);
  if (err == CUE_NUM_OK) err = cue_num_quo(c->a, ln, ln2, &y);
  return decimal(c, err, y);
}

/* The argument is a Go int32, but cue lets 32 bits of magnitude through and drops the rest. */
static CueValue math_pow10(CueCall *c) {
  const CueNum *n = cue_arg_num(c, 0);
  int64_t wide;
  if (!cue_num_to_int64(n, &wide) || cue_num_bitlen(n) > 32) {
    CueStr text = cue_num_text_plain(c->a, n);
    return cue_fail_bare(c, "int %.*s overflows int32 in argument 0 in call to math.Pow10", CUE_FMT(text));
  }
  const CueNum *y = cue_num_parse(c->a, cue_strf(c->a, "1e%d", (int)(int32_t)(uint32_t)wide));
  return y ? cue_decimal(c->a, y) : cue_fail(c, "%s", cue_num_err_text(CUE_NUM_RANGE));
}

/* Whole numbers whose least bits the Jacobi symbol looks at. */
static unsigned low_bits(CueCall *c, const CueNum *x, unsigned mask) {
  int64_t v;
  cue_num_to_int64(cue_num_and(c->a, x, cue_num_from_int(c->a, mask)), &v);
  return (unsigned)v;
}

static CueValue math_jacobi(CueCall *c) {
  const CueNum *x = cue_arg_num(c, 0), *y = cue_arg_num(c, 1);
  if (low_bits(c, y, 1) == 0) {
    CueStr text = cue_num_text_plain(c->a, y);
    return cue_fail(c, "big: invalid 2nd argument to Int.Jacobi: need odd integer but got %.*s", CUE_FMT(text));
  }
  int sign = cue_num_sign(x) < 0 && cue_num_sign(y) < 0 ? -1 : 1;
  y = cue_num_abs(c->a, y);
  /* Quadratic reciprocity, with the powers of two taken out of x each time. */
  while (cue_num_cmp_int(y, 1) != 0) {
    cue_num_int_mod(c->a, x, y, &x);
    if (cue_num_sign(x) == 0) return cue_int(0);
    uint32_t twos = 0;
    for (; low_bits(c, x, 1) == 0; twos++) x = cue_num_shr(c->a, x, 1);
    unsigned y8 = low_bits(c, y, 7);
    if ((twos & 1) && (y8 == 3 || y8 == 5)) sign = -sign;
    if ((y8 & 3) == 3 && low_bits(c, x, 3) == 3) sign = -sign;
    const CueNum *next = x;
    x = y;
    y = next;
  }
  return cue_int(sign);
}

/* ---- float64 ---- */

/* A number too large for float64 is an error of the argument, not of the call. */
static bool float_arg(CueCall *c, uint32_t i, double *out) {
  *out = cue_arg_double(c, i);
  const CueNum *x = isinf(*out) ? cue_arg_num(c, i) : NULL;
  if (!x || !cue_num_is_finite(x)) return true;
  CueStr text = cue_num_text(c->a, x);
  c->blame = i + 1;
  cue_fail_bare(c, "cannot use %.*s (type %s) as float64 in argument %u to math.%s: value was rounded %s",
                CUE_FMT(text), cue_kind_name(c->args[i].kind), i, c->builtin->name, *out < 0 ? "down" : "up");
  return false;
}

static CueValue float_result(CueCall *c, double y) { return cue_float_num(cue_num_from_double(c->a, y)); }

#define FLOAT_OF_ONE(name, f)                  \
  static CueValue name(CueCall *c) {           \
    double x;                                  \
    if (!float_arg(c, 0, &x)) return c->error; \
    return float_result(c, f(x));              \
  }
#define FLOAT_OF_TWO(name, f)                                          \
  static CueValue name(CueCall *c) {                                   \
    double x, y;                                                       \
    if (!float_arg(c, 0, &x) || !float_arg(c, 1, &y)) return c->error; \
    return float_result(c, f(x, y));                                   \
  }
#define FLOAT_OF_ORDER(name, f)                                            \
  static CueValue name(CueCall *c) {                                       \
    int64_t n;                                                             \
    double x;                                                              \
    if (!cue_arg_int64(c, 0, &n) || !float_arg(c, 1, &x)) return c->error; \
    return float_result(c, f(n, x));                                       \
  }

FLOAT_OF_ONE(math_acosh, go_acosh)
FLOAT_OF_ONE(math_asin, go_asin)
FLOAT_OF_ONE(math_acos, go_acos)
FLOAT_OF_ONE(math_asinh, go_asinh)
FLOAT_OF_ONE(math_atan, go_atan)
FLOAT_OF_TWO(math_atan2, go_atan2)
FLOAT_OF_ONE(math_atanh, go_atanh)
FLOAT_OF_ONE(math_erf, go_erf)
FLOAT_OF_ONE(math_erfc, go_erfc)
FLOAT_OF_ONE(math_erfinv, go_erfinv)
FLOAT_OF_ONE(math_erfcinv, go_erfcinv)
FLOAT_OF_ONE(math_expm1, go_expm1)
FLOAT_OF_ONE(math_gamma, go_gamma)
FLOAT_OF_TWO(math_hypot, go_hypot)
FLOAT_OF_ONE(math_j0, go_j0)
FLOAT_OF_ONE(math_y0, go_y0)
FLOAT_OF_ONE(math_j1, go_j1)
FLOAT_OF_ONE(math_y1, go_y1)
FLOAT_OF_ORDER(math_jn, go_jn)
FLOAT_OF_ORDER(math_yn, go_yn)
FLOAT_OF_ONE(math_log1p, go_log1p)
FLOAT_OF_ONE(math_logb, go_logb)
FLOAT_OF_TWO(math_mod, go_mod)
FLOAT_OF_TWO(math_remainder, go_remainder)
FLOAT_OF_ONE(math_cos, go_cos)
FLOAT_OF_ONE(math_sin, go_sin)
FLOAT_OF_ONE(math_sinh, go_sinh)
FLOAT_OF_ONE(math_cosh, go_cosh)
FLOAT_OF_ONE(math_sqrt, sqrt)
FLOAT_OF_ONE(math_tan, go_tan)
FLOAT_OF_ONE(math_tanh, go_tanh)

static CueValue math_ldexp(CueCall *c) {
  double x;
  int64_t exp;
  if (!float_arg(c, 0, &x) || !cue_arg_int64(c, 1, &exp)) return c->error;
  return float_result(c, go_ldexp(x, exp));
}

static CueValue math_ilogb(CueCall *c) {
  double x;
  if (!float_arg(c, 0, &x)) return c->error;
  return cue_int(go_ilogb(x));
}

/* ---- the package ---- */

static const char constants[] = "MaxExp: 2147483647\n"
                                "MinExp: -2147483648\n"
                                "MaxPrec: 4294967295\n"
                                "ToNearestEven: 0\n"
                                "ToNearestAway: 1\n"
                                "ToZero: 2\n"
                                "AwayFromZero: 3\n"
                                "ToNegativeInf: 4\n"
                                "ToPositiveInf: 5\n"
                                "Below: -1\n"
                                "Exact: 0\n"
                                "Above: 1\n"
                                "MaxBase: 62\n"
                                "E: 2.71828182845904523536028747135266249775724709369995957496696763\n"
                                "Pi: 3.14159265358979323846264338327950288419716939937510582097494459\n"
                                "Phi: 1.61803398874989484820458683436563811772030917980576286213544861\n"
                                "Sqrt2: 1.41421356237309504880168872420969807856967187537694807317667974\n"
                                "SqrtE: 1.64872127070012814684865078781416357165377610071014801157507931\n"
                                "SqrtPi: 1.77245385090551602729816748334114518279754945612238712821380779\n"
                                "SqrtPhi: 1.27201964951406896425242246173749149171560804184009624861664038\n"
                                "Ln2: 0.693147180559945309417232121458176568075500134360255254120680009\n"
                                "Log2E: 1.442695040888963407359924681001892137426645954152985934135449408\n"
                                "Ln10: 2.3025850929940456840179914546843642076011014886287729760333278\n"
                                "Log10E: 0.43429448190325182765112891891660508229439700580366656611445378\n";

static const CueBuiltin functions[] = {
    {"Jacobi", "ii", 'i', math_jacobi},
    {"Floor", "n", 'i', math_floor},
    {"Ceil", "n", 'i', math_ceil},
    {"Trunc", "n", 'i', math_trunc},
    {"Round", "n", 'i', math_round},
    {"RoundToEven", "n", 'i', math_round_to_even},
    {"MultipleOf", "nn", 'b', math_multiple_of},
    {"Abs", "n", 'n', math_abs},
    {"Acosh", "n", 'n', math_acosh},
    {"Asin", "n", 'n', math_asin},
    {"Acos", "n", 'n', math_acos},
    {"Asinh", "n", 'n', math_asinh},
    {"Atan", "n", 'n', math_atan},
    {"Atan2", "nn", 'n', math_atan2},
    {"Atanh", "n", 'n', math_atanh},
    {"Cbrt", "n", 'n', math_cbrt},
    {"Copysign", "nn", 'n', math_copysign},
    {"Dim", "nn", 'n', math_dim},
    {"Erf", "n", 'n', math_erf},
    {"Erfc", "n", 'n', math_erfc},
    {"Erfinv", "n", 'n', math_erfinv},
    {"Erfcinv", "n", 'n', math_erfcinv},
    {"Exp", "n", 'n', math_exp},
    {"Exp2", "n", 'n', math_exp2},
    {"Expm1", "n", 'n', math_expm1},
    {"Gamma", "n", 'n', math_gamma},
    {"Hypot", "nn", 'n', math_hypot},
    {"J0", "n", 'n', math_j0},
    {"Y0", "n", 'n', math_y0},
    {"J1", "n", 'n', math_j1},
    {"Y1", "n", 'n', math_y1},
    {"Jn", "in", 'n', math_jn},
    {"Yn", "in", 'n', math_yn},
    {"Ldexp", "ni", 'n', math_ldexp},
    {"Log", "n", 'n', math_log},
    {"Log10", "n", 'n', math_log10},
    {"Log2", "n", 'n', math_log2},
    {"Log1p", "n", 'n', math_log1p},
    {"Logb", "n", 'n', math_logb},
    {"Ilogb", "n", 'i', math_ilogb},
    {"Mod", "nn", 'n', math_mod},
    {"Pow", "nn", 'n', math_pow},
    {"Pow10", "i", 'n', math_pow10},
    {"Remainder", "nn", 'n', math_remainder},
    {"Signbit", "n", 'b', math_signbit},
    {"Cos", "n", 'n', math_cos},
    {"Sin", "n", 'n', math_sin},
    {"Sinh", "n", 'n', math_sinh},
    {"Cosh", "n", 'n', math_cosh},
    {"Sqrt", "n", 'n', math_sqrt},
    {"Tan", "n", 'n', math_tan},
    {"Tanh", "n", 'n', math_tanh},
};

const CueBuiltinPackage cue_pkg_math = {"math", functions, CUE_COUNT(functions), constants, true};
