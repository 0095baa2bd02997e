/* go_math.h - float64 functions with the very digits of Go's math package.
**
** The C library may differ from Go in the last digit, and cue prints all seventeen. These
** follow the same published approximations (Cephes, FreeBSD's msun, SLEEF for exp) with
** the same order of operations. What IEEE 754 fixes (sqrt, fma, fmod, remainder, floor) is
** taken from the C library. Build without contraction to fma, as ISO C mode does.
*/
#ifndef CUE_STDLIB_GO_MATH_H
#define CUE_STDLIB_GO_MATH_H

#include <stddef.h>
#include <stdint.h>

#define GO_PI 3.14159265358979323846264338327950288
#define GO_LN2 0.693147180559945309417232121458176568

/* c[0] + x*(c[1] + x*(c[2] + ...)), by Horner's scheme. */
double go_poly(double x, const double *c, size_t n);
#define GO_POLY(x, table) go_poly((x), (table), sizeof(table) / sizeof((table)[0]))

uint64_t go_bits(double x);
double go_from_bits(uint64_t b);

/* go_math.c: elementary functions. */
double go_exp(double x);
double go_expm1(double x);
double go_log(double x);
double go_log1p(double x);
double go_pow(double x, double y);
double go_ldexp(double x, int64_t exp);
int64_t go_ilogb(double x);
double go_logb(double x);
double go_hypot(double p, double q);
double go_sin(double x);
double go_cos(double x);
double go_tan(double x);
void go_sincos(double x, double *sin, double *cos);
double go_asin(double x);
double go_acos(double x);
double go_atan(double x);
double go_atan2(double y, double x);
double go_sinh(double x);
double go_cosh(double x);
double go_tanh(double x);
double go_asinh(double x);
double go_acosh(double x);
double go_atanh(double x);
double go_mod(double x, double y);
double go_remainder(double x, double y);

/* go_special.c: error, gamma and Bessel functions. */
double go_erf(double x);
double go_erfc(double x);
double go_erfinv(double x);
double go_erfcinv(double x);
double go_gamma(double x);
double go_j0(double x);
double go_y0(double x);
double go_j1(double x);
double go_y1(double x);
double go_jn(int64_t n, double x);
double go_yn(int64_t n, double x);

#endif
