/* go_math.c - elementary float64 functions, bit for bit as Go computes them on amd64.
**
** Each function names the approximation it follows. The coefficients are those published
** with it; what matters here is the order of operations, since every one rounds. All
** polynomials go through go_poly: nested and unrolled Horner forms round alike.
*/
#include "stdlib/cue/go_math.h"

#include <math.h>
#include <string.h>

#define EXPONENT_SHIFT 52
#define EXPONENT_MASK 0x7FFu
#define EXPONENT_BIAS 1023

double go_poly(double x, const double *c, size_t n) {
  double sum = c[n - 1];
  for (size_t i = n - 1; i-- > 0;) sum = sum * x + c[i];
  return sum;
}

uint64_t go_bits(double x) {
  uint64_t b;
  memcpy(&b, &x, sizeof b);
  return b;
}

double go_from_bits(uint64_t b) {
  double x;
  memcpy(&x, &b, sizeof x);
  return x;
}

/* Adds k to the exponent field, without a look at overflow. */
static double add_exponent(double x, int64_t k) { return go_from_bits(go_bits(x) + ((uint64_t)k << EXPONENT_SHIFT)); }

/* Brings a subnormal into the normal range; *exp is what to add to its exponent. */
static double normalize(double x, int *exp) {
  *exp = 0;
  if (fabs(x) >= 0x1p-1022) return x;
  *exp = -52;
  return x * 0x1p52;
}

/* ---- exponentials and logarithms ---- */

/* SLEEF's scheme: reduce by ln 2 and by 16, Taylor, square back up. Go uses fma here
** wherever the processor has it, so fma it is. */
double go_exp(double x) {
  static const double taylor[] = {1.0,
                                  0.5,
                                  1.6666666666666666667e-1,
                                  4.1666666666666666667e-2,
                                  8.3333333333333333333e-3,
                                  1.3888888888888888889e-3,
                                  1.9841269841269841270e-4,
                                  2.4801587301587301587e-5};
  if (isnan(x)) return x;
  if (x > 7.09782712893384e+02) return INFINITY;
  if (x < -1000) return 0; /* far below the least subnormal; keeps lrint in range */
  long k = lrint(x * 1.4426950408889634073599246810018920);
  double kf = (double)k;
  x = fma(-kf, 0.69314718055966295651160180568695068359375, x);
  x = fma(-kf, 0.28235290563031577122588448175013436025525412068e-12, x);
  x *= 0.0625;
  double sum = taylor[7];
  for (int i = 6; i >= 0; i--) sum = fma(sum, x, taylor[i]);
  x *= sum;
  x *= x + 2.0;
  x *= x + 2.0;
  x *= x + 2.0;
  x = fma(x, x + 2.0, 1.0);
  k += EXPONENT_BIAS;
  if (k >= (long)EXPONENT_MASK) return INFINITY;
  if (k <= 0) {
    if (k < -52) return 0;
    x *= go_from_bits((uint64_t)(k + EXPONENT_BIAS - 1) << EXPONENT_SHIFT);
    k = 1;
  }
  return x * go_from_bits((uint64_t)k << EXPONENT_SHIFT);
}

/* The polynomial that msun's log and log1p share: log(1+f) by way of s = f/(2+f). */
static const double log_odd[] = {6.666666666666735130e-01, 2.857142874366239149e-01, 1.818357216161805012e-01,
                                 1.479819860511658591e-01};
static const double log_even[] = {3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01};
static const double log_all[] = {6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01,
                                 2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01,
                                 1.479819860511658591e-01};
#define LN2_HI 6.93147180369123816490e-01
#define LN2_LO 1.90821492927058770002e-10

/* msun's log, as Go's amd64 assembly has it: the bits of a subnormal are taken as they
** are, so its logarithm is off. Kept, since the digits are what is wanted. */
double go_log(double x) {
  uint64_t b = go_bits(x);
  if (x == 0) return -INFINITY;
  if (b >> 63) return NAN;
  if (isinf(x) || isnan(x)) return x;
  double f = go_from_bits((b & 0x000FFFFFFFFFFFFFu) | 0x3FE0000000000000u);
  double k = (double)((int64_t)(b >> EXPONENT_SHIFT & EXPONENT_MASK) - 0x3FE);
  if (f <= 7.07106781186547524401e-01) {
    k -= 1;
    f *= 2;
  }
  f -= 1;
  double s = f / (2 + f);
  double s2 = s * s;
  double s4 = s2 * s2;
  double r = s2 * GO_POLY(s4, log_odd) + s4 * GO_POLY(s4, log_even);
  double half = 0.5 * f * f;
  return k * LN2_HI - ((half - (s * (half + r) + k * LN2_LO)) - f);
}

/* msun's log1p. c holds what 1+x lost to rounding. */
double go_log1p(double x) {
  if (x < -1 || isnan(x)) return NAN;
  if (x == -1) return -INFINITY;
  if (isinf(x)) return x;
  double size = fabs(x), f = 0, c = 0;
  uint64_t mantissa = 0;
  int64_t k = 1;
  if (size < 4.142135623730950488017e-01) {
    if (size < 0x1p-29) return size < 0x1p-54 ? x : x - x * x * 0.5;
    if (x > -2.928932188134524755992e-01) {
      k = 0;
      f = x;
      mantissa = 1;
    }
  }
  if (k != 0) {
    double u = x;
    if (size < 0x1p53) {
      u = 1.0 + x;
      k = (int64_t)(go_bits(u) >> EXPONENT_SHIFT) - EXPONENT_BIAS;
      c = (k > 0 ? 1.0 - (u - x) : x - (u - 1.0)) / u;
    } else {
      k = (int64_t)(go_bits(u) >> EXPONENT_SHIFT) - EXPONENT_BIAS;
    }
    mantissa = go_bits(u) & 0x000FFFFFFFFFFFFFu;
    if (mantissa < 0x0006A09E667F3BCDu) { /* below the mantissa of sqrt 2 */
      u = go_from_bits(mantissa | 0x3FF0000000000000u);
    } else {
      k++;
      u = go_from_bits(mantissa | 0x3FE0000000000000u);
      mantissa = (0x0010000000000000u - mantissa) >> 2;
    }
    f = u - 1.0;
  }
  double kf = (double)k, half = 0.5 * f * f;
  if (mantissa == 0) { /* |f| < 2**-20 */
    if (f == 0) {
      if (k == 0) return 0;
      c += kf * LN2_LO;
      return kf * LN2_HI + c;
    }
    double r = half * (1.0 - 0.66666666666666666 * f);
    return k == 0 ? f - r : kf * LN2_HI - ((r - (kf * LN2_LO + c)) - f);
  }
  double s = f / (2.0 + f);
  double z = s * s;
  double r = z * GO_POLY(z, log_all);
  if (k == 0) return f - (half - s * (half + r));
  return kf * LN2_HI - ((half - (s * (half + r) + (kf * LN2_LO + c))) - f);
}

/* msun's expm1: reduce by ln 2, rational approximation, then undo with care for digits. */
double go_expm1(double x) {
  static const double q[] = {1.0,
                             -3.33333333333331316428e-02,
                             1.58730158725481460165e-03,
                             -7.93650757867487942473e-05,
                             4.00821782732936239552e-06,
                             -2.01099218183624371326e-07};
  if (isnan(x)) return x;
  if (isinf(x)) return x > 0 ? x : -1;
  double size = fabs(x);
  int negative = x < 0;
  if (size >= 3.88162421113569373274e+01) {
    if (negative) return -1;
    if (size >= 7.09782712893383973096e+02) return INFINITY;
  }
  double c = 0;
  int64_t k = 0;
  if (size > 3.46573590279972654709e-01) {
    double hi, lo;
    if (size < 1.03972077083991796413e+00) {
      k = negative ? -1 : 1;
      hi = negative ? x + LN2_HI : x - LN2_HI;
      lo = negative ? -LN2_LO : LN2_LO;
    } else {
      k = (int64_t)(1.44269504088896338700e+00 * x + (negative ? -0.5 : 0.5));
      double t = (double)k;
      hi = x - t * LN2_HI;
      lo = t * LN2_LO;
    }
    x = hi - lo;
    c = (hi - x) - lo;
  } else if (size < 0x1p-54) {
    return x;
  }
  double half = 0.5 * x;
  double square = x * half;
  double r = GO_POLY(square, q);
  double t = 3 - r * half;
  double e = square * ((r - t) / (6.0 - x * t));
  if (k == 0) return x - (x * e - square);
  e = x * (e - c) - c;
  e -= square;
  if (k == -1) return 0.5 * (x - e) - 0.5;
  if (k == 1) return x < -0.25 ? -2 * (e - (x + 0.5)) : 1 + 2 * (x - e);
  if (k <= -2 || k > 56) return add_exponent(1 - (e - x), k) - 1;
  if (k < 20) return add_exponent(go_from_bits(0x3FF0000000000000u - (0x20000000000000u >> k)) - (e - x), k);
  double y = x - (e + go_from_bits((uint64_t)(EXPONENT_BIAS - k) << EXPONENT_SHIFT));
  y += 1;
  return add_exponent(y, k);
}

int64_t go_ilogb(double x) {
  if (x == 0) return INT32_MIN;
  if (isnan(x) || isinf(x)) return INT32_MAX;
  int shift;
  x = normalize(x, &shift);
  return (int64_t)(go_bits(x) >> EXPONENT_SHIFT & EXPONENT_MASK) - EXPONENT_BIAS + shift;
}

double go_logb(double x) {
  if (x == 0) return -INFINITY;
  if (isinf(x)) return INFINITY;
  return isnan(x) ? x : (double)go_ilogb(x);
}

/* Exponents wrap around at 64 bits, as ints do in Go. */
double go_ldexp(double x, int64_t exp) {
  if (x == 0 || isinf(x) || isnan(x)) return x;
  int shift;
  x = normalize(x, &shift);
  uint64_t b = go_bits(x);
  exp = (int64_t)((uint64_t)exp + (uint64_t)(int64_t)shift + (b >> EXPONENT_SHIFT & EXPONENT_MASK) - EXPONENT_BIAS);
  if (exp < -1075) return copysign(0, x);
  if (exp > 1023) return x < 0 ? -INFINITY : INFINITY;
  double scale = 1;
  if (exp < -1022) {
    exp += 53;
    scale = 0x1p-53;
  }
  b &= ~((uint64_t)EXPONENT_MASK << EXPONENT_SHIFT);
  b |= (uint64_t)(exp + EXPONENT_BIAS) << EXPONENT_SHIFT;
  return scale * go_from_bits(b);
}

static int is_odd_int(double x) {
  if (fabs(x) >= 0x1p53 || x != trunc(x)) return 0;
  return ((int64_t)x & 1) == 1;
}

static double pow_special(double x, double y, int *done) {
  *done = 1;
  if (y == 0 || x == 1) return 1;
  if (y == 1) return x;
  if (isnan(x) || isnan(y)) return NAN;
  if (x == 0) {
    int odd = signbit(x) && is_odd_int(y);
    if (y < 0) return odd ? -INFINITY : INFINITY;
    return odd ? x : 0;
  }
  if (isinf(y)) {
    if (x == -1) return 1;
    return (fabs(x) < 1) == (y > 0) ? 0 : INFINITY;
  }
  if (isinf(x)) {
    if (x < 0) return pow_special(1 / x, -y, done);
    return y < 0 ? 0 : INFINITY;
  }
  if (y == 0.5) return sqrt(x);
  if (y == -0.5) return 1 / sqrt(x);
  *done = 0;
  return 0;
}

/* The whole part of y by repeated squaring of the mantissa, the rest by exp and log. */
double go_pow(double x, double y) {
  int done;
  double special = pow_special(x, y, &done);
  if (done) return special;
  double whole = trunc(fabs(y)), part = fabs(y) - whole;
  if (part != 0 && x < 0) return NAN;
  if (whole >= 0x1p63) {
    if (x == -1) return 1;
    return (fabs(x) < 1) == (y > 0) ? 0 : INFINITY;
  }
  double result = 1;
  int64_t exp = 0;
  if (part != 0) {
    if (part > 0.5) {
      part -= 1;
      whole += 1;
    }
    result = go_exp(part * go_log(x));
  }
  int e;
  double mantissa = frexp(x, &e);
  int64_t step = e;
  for (int64_t i = (int64_t)whole; i != 0; i >>= 1) {
    if (step < -4096 || step > 4096) { /* already far out of range */
      exp += step;
      break;
    }
    if (i & 1) {
      result *= mantissa;
      exp += step;
    }
    mantissa *= mantissa;
    step *= 2;
    if (mantissa < .5) {
      mantissa += mantissa;
      step--;
    }
  }
  if (y < 0) {
    result = 1 / result;
    exp = -exp;
  }
  return go_ldexp(result, exp);
}

double go_hypot(double p, double q) {
  p = fabs(p);
  q = fabs(q);
  if (isinf(p) || isinf(q)) return INFINITY;
  if (isnan(p) || isnan(q)) return NAN;
  double max = p > q ? p : q, min = p > q ? q : p;
  if (max == 0) return 0;
  min /= max;
  return max * sqrt(1 + min * min);
}

/* Both are exact, so any correct library agrees; only the cases at the border are spelled out. */
double go_mod(double x, double y) {
  if (y == 0 || isinf(x) || isnan(x) || isnan(y)) return NAN;
  return fmod(x, y);
}

double go_remainder(double x, double y) {
  if (y == 0 || isinf(x) || isnan(x) || isnan(y)) return NAN;
  if (isinf(y)) return x;
  double r = remainder(x, y);
  return r == 0 ? copysign(r, x) : r; /* glibc loses the sign when y is subnormal */
}

/* ---- circular functions (Cephes) ---- */

#define HIGH_128(a, b) ((uint64_t)(((unsigned __int128)(a) * (b)) >> 64))

/* Payne and Hanek: x mod pi/4 for large x, with 4/pi to 1217 bits. *octant is modulo 8 and even. */
static double reduce_large(double x, uint64_t *octant) {
  static const uint64_t four_over_pi[] = {
      0x0000000000000001, 0x45f306dc9c882a53, 0xf84eafa3ea69bb81, 0xb6c52b3278872083, 0xfca2c757bd778ac3,
      0x6e48dc74849ba5c0, 0x0c925dd413a32439, 0xfc3bd63962534e7d, 0xd1046bea5d768909, 0xd338e04d68befc82,
      0x7323ac7306a673e9, 0x3908bf177bf25076, 0x3ff12fffbc0b301f, 0xde5e2316b414da3e, 0xda6cfd9e4f96136e,
      0x9e8c7ecd3cbfd45a, 0xea4f758fd7cbe2f6, 0x7a0e73ef14a525d4, 0xd7f6bf623f1aba10, 0xac06608df8f6d757,
  };
  uint64_t mantissa = go_bits(x);
  unsigned offset = (unsigned)((int)(mantissa >> EXPONENT_SHIFT & EXPONENT_MASK) - EXPONENT_BIAS - EXPONENT_SHIFT + 61);
  mantissa = (mantissa & 0x000FFFFFFFFFFFFFu) | 0x0010000000000000u;
  unsigned word = offset / 64, shift = offset % 64;
  uint64_t z[3];
  for (unsigned i = 0; i < 3; i++) {
    z[i] = four_over_pi[word + i] << shift;
    if (shift) z[i] |= four_over_pi[word + i + 1] >> (64 - shift);
  }
  uint64_t low = z[1] * mantissa + HIGH_128(z[2], mantissa);
  uint64_t carry = low < z[1] * mantissa;
  uint64_t high = z[0] * mantissa + HIGH_128(z[1], mantissa) + carry;
  *octant = high >> 61;
  high = high << 3 | low >> 61;
  /* The fraction as a double: find its magnitude, drop the leading one. */
  unsigned zeros = high ? (unsigned)__builtin_clzll(high) : 64;
  uint64_t exponent = EXPONENT_BIAS - (zeros + 1);
  high = (zeros + 1 < 64 ? high << (zeros + 1) : 0) | (zeros + 1 <= 64 ? low >> (64 - (zeros + 1)) : low);
  high >>= 64 - EXPONENT_SHIFT;
  double r = go_from_bits(high | exponent << EXPONENT_SHIFT);
  if (*octant & 1) {
    *octant = (*octant + 1) & 7;
    r -= 1;
  }
  return r * (GO_PI / 4);
}

/* x >= 0 less the even number of octants in *octant. Below 2**29 three parts of pi/4 suffice. */
static double reduce(double x, uint64_t *octant) {
  if (x >= 0x1p29) return reduce_large(x, octant);
  uint64_t j = (uint64_t)(x * 1.27323954473516268615107010698140931);
  if (j & 1) j++;
  double y = (double)j;
  *octant = j & 7;
  return ((x - y * 7.85398125648498535156e-1) - y * 3.77489470793079817668e-8) - y * 2.69515142907905952645e-15;
}

static double sin_near_zero(double z) {
  static const double c[] = {-1.66666666666666307295e-1, 8.33333333332211858878e-3,  -1.98412698295895385996e-4,
                             2.75573136213857245213e-6,  -2.50507477628578072866e-8, 1.58962301576546568060e-10};
  double zz = z * z;
  return z + z * zz * GO_POLY(zz, c);
}

static double cos_near_zero(double z) {
  static const double c[] = {4.16666666666665929218e-2,  -1.38888888888730564116e-3, 2.48015872888517045348e-5,
                             -2.75573141792967388112e-7, 2.08757008419747316778e-9,  -1.13585365213876817300e-11};
  double zz = z * z;
  return 1.0 - 0.5 * zz + zz * zz * GO_POLY(zz, c);
}

void go_sincos(double x, double *sin, double *cos) {
  *sin = *cos = NAN;
  if (isnan(x) || isinf(x)) return;
  if (x == 0) {
    *sin = x;
    *cos = 1;
    return;
  }
  uint64_t octant;
  double z = reduce(fabs(x), &octant);
  double s = sin_near_zero(z), c = cos_near_zero(z);
  int sin_negative = x < 0, cos_negative = 0;
  if (octant > 3) {
    octant -= 4;
    sin_negative = !sin_negative;
    cos_negative = 1;
  }
  if (octant > 1) cos_negative = !cos_negative;
  int swapped = octant == 1 || octant == 2;
  *sin = swapped ? c : s;
  *cos = swapped ? s : c;
  if (sin_negative) *sin = -*sin;
  if (cos_negative) *cos = -*cos;
}

double go_sin(double x) {
  double s, c;
  go_sincos(x, &s, &c);
  return s;
}

double go_cos(double x) {
  double s, c;
  go_sincos(x, &s, &c);
  return c;
}

double go_tan(double x) {
  static const double p[] = {-1.79565251976484877988e7, 1.15351664838587416140e6, -1.30936939181383777646e4};
  static const double q[] = {-5.38695755929454629881e7, 2.50083801823357915839e7, -1.32089234440210967447e6,
                             1.36812963470692954678e4, 1.0};
  if (x == 0 || isnan(x)) return x;
  if (isinf(x)) return NAN;
  uint64_t octant;
  double z = reduce(fabs(x), &octant);
  double zz = z * z;
  double y = zz > 1e-14 ? z + z * (zz * GO_POLY(zz, p) / GO_POLY(zz, q)) : z;
  if (octant & 2) y = -1 / y;
  return x < 0 ? -y : y;
}

static double atan_near_zero(double x) {
  static const double p[] = {-6.485021904942025371773e+01, -1.228866684490136173410e+02, -7.500855792314704667340e+01,
                             -1.615753718733365076637e+01, -8.750608600031904122785e-01};
  static const double q[] = {1.945506571482613964425e+02, 4.853903996359136964868e+02, 4.328810604912902668951e+02,
                             1.650270098316988542046e+02, 2.485846490142306297962e+01, 1.0};
  double z = x * x;
  z = z * GO_POLY(z, p) / GO_POLY(z, q);
  return x * z + x;
}

/* Of x > 0. */
static double atan_positive(double x) {
  const double more_bits = 6.123233995736765886130e-17; /* pi/2 less its double */
  if (x <= 0.66) return atan_near_zero(x);
  if (x > 2.41421356237309504880) return GO_PI / 2 - atan_near_zero(1 / x) + more_bits;
  return GO_PI / 4 + atan_near_zero((x - 1) / (x + 1)) + 0.5 * more_bits;
}

double go_atan(double x) {
  if (x == 0) return x;
  return x > 0 ? atan_positive(x) : -atan_positive(-x);
}

double go_atan2(double y, double x) {
  if (isnan(y) || isnan(x)) return NAN;
  if (y == 0) return copysign(x >= 0 && !signbit(x) ? 0 : GO_PI, y);
  if (x == 0) return copysign(GO_PI / 2, y);
  if (isinf(x)) {
    if (x > 0) return copysign(isinf(y) ? GO_PI / 4 : 0, y);
    return copysign(isinf(y) ? 2.35619449019234492884698253745962716 : GO_PI, y);
  }
  if (isinf(y)) return copysign(GO_PI / 2, y);
  double q = go_atan(y / x);
  if (x >= 0) return q;
  return q <= 0 ? q + GO_PI : q - GO_PI;
}

double go_asin(double x) {
  if (x == 0) return x;
  double size = x < 0 ? -x : x;
  if (size > 1) return NAN;
  double other = sqrt(1 - size * size);
  double angle = size > 0.7 ? GO_PI / 2 - atan_positive(other / size) : atan_positive(size / other);
  return x < 0 ? -angle : angle;
}

double go_acos(double x) { return GO_PI / 2 - go_asin(x); }

/* ---- hyperbolic functions ---- */

double go_sinh(double x) {
  /* Hart and Cheney, number 2029. */
  static const double p[] = {-0.6307673640497716991184787251e+6, -0.8991272022039509355398013511e+5,
                             -0.2894211355989563807284660366e+4, -0.2630563213397497062819489e+2};
  static const double q[] = {-0.6307673640497716991212077277e+6, 0.1521517378790019070696485176e+5,
                             -0.173678953558233699533450911e+3, 1.0};
  double size = x < 0 ? -x : x, y;
  if (size > 21) {
    y = go_exp(size) * 0.5;
  } else if (size > 0.5) {
    double e = go_exp(size);
    y = (e - 1 / e) * 0.5;
  } else {
    double sq = size * size;
    y = GO_POLY(sq, p) * size / GO_POLY(sq, q);
  }
  return x < 0 ? -y : y;
}

double go_cosh(double x) {
  x = fabs(x);
  double e = go_exp(x);
  return x > 21 ? e * 0.5 : (e + 1 / e) * 0.5;
}

double go_tanh(double x) {
  static const double p[] = {-1.61468768441708447952e3, -9.92877231001918586564e1, -9.64399179425052238628e-1};
  static const double q[] = {4.84406305325125486048e3, 2.23548839060100448583e3, 1.12811678491632931402e2, 1.0};
  double size = fabs(x);
  if (size > 0.5 * 8.8029691931113054295988e+01) return x < 0 ? -1 : 1;
  if (size >= 0.625) {
    double y = 1 - 2 / (go_exp(2 * size) + 1);
    return x < 0 ? -y : y;
  }
  if (x == 0) return x;
  double s = x * x;
  return x + x * s * GO_POLY(s, p) / GO_POLY(s, q);
}

double go_acosh(double x) {
  if (x < 1 || isnan(x)) return NAN;
  if (x == 1) return 0;
  if (x >= 0x1p28) return go_log(x) + GO_LN2;
  if (x > 2) return go_log(2 * x - 1 / (x + sqrt(x * x - 1)));
  double t = x - 1;
  return go_log1p(t + sqrt(2 * t + t * t));
}

double go_asinh(double x) {
  if (isnan(x) || isinf(x)) return x;
  double size = x < 0 ? -x : x, y;
  if (size > 0x1p28) {
    y = go_log(size) + GO_LN2;
  } else if (size > 2) {
    y = go_log(2 * size + 1 / (sqrt(size * size + 1) + size));
  } else if (size < 0x1p-28) {
    y = size;
  } else {
    y = go_log1p(size + size * size / (1 + sqrt(1 + size * size)));
  }
  return x < 0 ? -y : y;
}

double go_atanh(double x) {
  if (x < -1 || x > 1 || isnan(x)) return NAN;
  if (x == 1 || x == -1) return x > 0 ? INFINITY : -INFINITY;
  double size = x < 0 ? -x : x, y;
  if (size < 0x1p-28) {
    y = size;
  } else if (size < 0.5) {
    y = size + size;
    y = 0.5 * go_log1p(y + y * size / (1 - size));
  } else {
    y = 0.5 * go_log1p((size + size) / (1 - size));
  }
  return x < 0 ? -y : y;
}
