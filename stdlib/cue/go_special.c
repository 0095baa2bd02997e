/* go_special.c - error, gamma and Bessel functions of float64, as Go computes them.
**
** erf, erfc and the Bessel functions follow FreeBSD's msun, gamma follows Cephes, erfinv is
** Wichura's algorithm AS 241. See go_math.h for why the C library's will not do.
*/
#include "stdlib/cue/go_math.h"

#include <math.h>
#include <stdbool.h>

/* ---- error function ---- */

/* Rational approximations by interval; each denominator starts with 1. */
static const double erf_near_p[] = {1.28379167095512558561e-01, -3.25042107247001499370e-01,
                                    -2.84817495755985104766e-02, -5.77027029648944159157e-03,
                                    -2.37630166566501626084e-05};
static const double erf_near_q[] = {1.0,
                                    3.97917223959155352819e-01,
                                    6.50222499887672944485e-02,
                                    5.08130628187576562776e-03,
                                    1.32494738004321644526e-04,
                                    -3.96022827877536812320e-06};
static const double erf_one_p[] = {
    -2.36211856075265944077e-03, 4.14856118683748331666e-01, -3.72207876035701323847e-01, 3.18346619901161753674e-01,
    -1.10894694282396677476e-01, 3.54783043256182359371e-02, -2.16637559486879084300e-03};
static const double erf_one_q[] = {1.0,
                                   1.06420880400844228286e-01,
                                   5.40397917702171048937e-01,
                                   7.18286544141962662868e-02,
                                   1.26171219808761642112e-01,
                                   1.36370839120290507362e-02,
                                   1.19844998467991074170e-02};
static const double erf_mid_p[] = {
    -9.86494403484714822705e-03, -6.93858572707181764372e-01, -1.05586262253232909814e+01, -6.23753324503260060396e+01,
    -1.62396669462573470355e+02, -1.84605092906711035994e+02, -8.12874355063065934246e+01, -9.81432934416914548592e+00};
static const double erf_mid_q[] = {1.0,
                                   1.96512716674392571292e+01,
                                   1.37657754143519042600e+02,
                                   4.34565877475229228821e+02,
                                   6.45387271733267880336e+02,
                                   4.29008140027567833386e+02,
                                   1.08635005541779435134e+02,
                                   6.57024977031928170135e+00,
                                   -6.04244152148580987438e-02};
static const double erf_far_p[] = {
    -9.86494292470009928597e-03, -7.99283237680523006574e-01, -1.77579549177547519889e+01, -1.60636384855821916062e+02,
    -6.37566443368389627722e+02, -1.02509513161107724954e+03, -4.83519191608651397019e+02};
static const double erf_far_q[] = {1.0,
                                   3.03380607434824582924e+01,
                                   3.25792512996573918826e+02,
                                   1.53672958608443695994e+03,
                                   3.19985821950859553908e+03,
                                   2.55305040643316442583e+03,
                                   4.74528541206955367215e+02,
                                   -2.24409524465858183362e+01};
#define ERF_AT_ONE 8.45062911510467529297e-01           /* erf(1), to single precision */
#define ERF_MID_END 2.857142857142857142857142857142857 /* 1/0.35 */

/* What erf and erfc share beyond 1.25: erfc(x) for x > 0. */
static double erfc_tail(double x) {
  double s = 1 / (x * x);
  bool mid = x < ERF_MID_END;
  double r = mid ? GO_POLY(s, erf_mid_p) : GO_POLY(s, erf_far_p);
  double q = mid ? GO_POLY(s, erf_mid_q) : GO_POLY(s, erf_far_q);
  double z = go_from_bits(go_bits(x) & 0xFFFFFFFF00000000u); /* its square is exact */
  return go_exp(-z * z - 0.5625) * go_exp((z - x) * (z + x) + r / q) / x;
}

double go_erf(double x) {
  if (isnan(x)) return NAN;
  double size = x < 0 ? -x : x, y;
  if (size < 0.84375) {
    if (size < 0x1p-28) {
      y = size < 2.848094538889218e-306 ? 0.125 * (8.0 * size + 1.02703333676410069053e+00 * size)
                                        : size + 1.28379167095512586316e-01 * size;
    } else {
      double z = size * size;
      y = size + size * (GO_POLY(z, erf_near_p) / GO_POLY(z, erf_near_q));
    }
  } else if (size < 1.25) {
    double s = size - 1;
    y = ERF_AT_ONE + GO_POLY(s, erf_one_p) / GO_POLY(s, erf_one_q);
  } else {
    y = size >= 6 ? 1 : 1 - erfc_tail(size);
  }
  return x < 0 ? -y : y;
}

double go_erfc(double x) {
  if (isnan(x)) return NAN;
  double size = fabs(x);
  bool negative = x < 0;
  if (size < 0.84375) {
    double y = size;
    if (size >= 0x1p-56) {
      double z = size * size;
      double r = GO_POLY(z, erf_near_p) / GO_POLY(z, erf_near_q);
      y = size < 0.25 ? size + size * r : 0.5 + (size * r + (size - 0.5));
    }
    return negative ? 1 + y : 1 - y;
  }
  if (size < 1.25) {
    double s = size - 1;
    double r = GO_POLY(s, erf_one_p) / GO_POLY(s, erf_one_q);
    return negative ? 1 + ERF_AT_ONE + r : 1 - ERF_AT_ONE - r;
  }
  if (size >= 28 || (negative && size > 6)) return negative ? 2 : 0;
  return negative ? 2 - erfc_tail(size) : erfc_tail(size);
}

double go_erfinv(double x) {
  static const double a[] = {1.1975323115670912564578e0, 4.7072688112383978012285e1, 6.9706266534389598238465e2,
                             4.8548868893843886794648e3, 1.6235862515167575384252e4, 2.3782041382114385731252e4,
                             1.1819493347062294404278e4, 8.8709406962545514830200e2};
  static const double b[] = {1.0000000000000000000e0, 4.2313330701600911252e1, 6.8718700749205790830e2,
                             5.3941960214247511077e3, 2.1213794301586595867e4, 3.9307895800092710610e4,
                             2.8729085735721942674e4, 5.2264952788528545610e3};
  static const double c[] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                             3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                             2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static const double d[] = {1.4142135623730950488016887e0,  2.9036514445419946173133295e0,
                             2.3707661626024532365971225e0,  9.7547832001787427186894837e-1,
                             2.0945065210512749128288442e-1, 2.1494160384252876777097297e-2,
                             7.7441459065157709165577218e-4, 1.4859850019840355905497876e-9};
  static const double e[] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                             2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                             2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static const double f[] = {1.414213562373095048801689e0,  8.482908416595164588112026e-1,
                             1.936480946950659106176712e-1, 2.103693768272068968719679e-2,
                             1.112800997078859844711555e-3, 2.611088405080593625138020e-5,
                             2.010321207683943062279931e-7, 2.891024605872965461538222e-15};
  if (isnan(x) || x < -1 || x > 1) return NAN;
  if (x == 1 || x == -1) return x > 0 ? INFINITY : -INFINITY;
  double size = x < 0 ? -x : x, y;
  if (size <= 0.85) {
    double r = 0.180625 - 0.25 * size * size;
    y = size * GO_POLY(r, a) / GO_POLY(r, b);
  } else {
    double r = sqrt(GO_LN2 - go_log(1.0 - size));
    if (r <= 5.0) {
      r -= 1.6;
      y = GO_POLY(r, c) / GO_POLY(r, d);
    } else {
      r -= 5.0;
      y = GO_POLY(r, e) / GO_POLY(r, f);
    }
  }
  return x < 0 ? -y : y;
}

double go_erfcinv(double x) { return go_erfinv(1 - x); }

/* ---- gamma ---- */

/* Stirling's formula as two factors, whose product may overflow. */
static double stirling(double x, double *second) {
  static const double s[] = {1.0,
                             8.33333333333482257126e-02,
                             3.47222221605458667310e-03,
                             -2.68132617805781232825e-03,
                             -2.29549961613378126380e-04,
                             7.87311395793093628397e-04};
  *second = 1;
  if (x > 200) return INFINITY;
  double w = GO_POLY(1 / x, s), e = go_exp(x), first, rest = 1;
  if (x > 143.01608) { /* pow(x, x - 0.5) would overflow */
    first = go_pow(x, 0.5 * x - 0.25);
    rest = first / e;
  } else {
    first = go_pow(x, x - 0.5) / e;
  }
  *second = 2.506628274631000502417 * w * rest;
  return first;
}

/* By reflection: gamma(x) gamma(1-x) = pi / sin(pi x). */
static double gamma_far_negative(double x) {
  double q = -x, p = floor(q);
  double sign = (int64_t)p & 1 ? 1 : -1; /* x is no integer, so p is far below 2**53 */
  double z = q - p;
  if (z > 0.5) {
    p += 1;
    z = q - p;
  }
  z = q * go_sin(GO_PI * z);
  if (z == 0) return sign * INFINITY;
  double second, first = stirling(q, &second), size = fabs(z);
  double d = size * first * second;
  return sign * (isinf(d) ? GO_PI / size / first / second : GO_PI / d);
}

double go_gamma(double x) {
  static const double p[] = {9.99999999999999996796e-01, 4.94214826801497100753e-01, 2.07448227648435975150e-01,
                             4.76367800457137231464e-02, 1.04213797561761569935e-02, 1.19135147006586384913e-03,
                             1.60119522476751861407e-04};
  static const double q[] = {1.00000000000000000320e+00, 7.14304917030273074085e-02, -2.34591795718243348568e-01,
                             3.58236398605498653373e-02, 1.18139785222060435552e-02, -4.45641913851797240494e-03,
                             5.39605580493303397842e-04, -2.31581873324120129819e-05};
  if (isnan(x) || (x < 0 && x == trunc(x))) return NAN;
  if (isinf(x)) return x;
  if (x == 0) return signbit(x) ? -INFINITY : INFINITY;
  if (x > 33) {
    double second, first = stirling(x, &second);
    return first * second;
  }
  if (x < -33) return gamma_far_negative(x);
  /* Bring x into [2, 3) by the recurrence; near a pole use the first terms of the series. */
  double z = 1;
  while (x >= 3) {
    x -= 1;
    z *= x;
  }
  while (x < 2) {
    if (x < 0 ? x > -1e-09 : x < 1e-09) {
      if (x == 0) return INFINITY;
      return z / ((1 + 0.57721566490153286060651209008240243104215933593992 * x) * x);
    }
    z /= x;
    x += 1;
  }
  if (x == 2) return z;
  x -= 2;
  return z * GO_POLY(x, p) / GO_POLY(x, q);
}

/* ---- Bessel functions ---- */

/* Asymptotic factors for x >= 2, by interval: the numerator and denominator in 1/x**2. */
typedef struct {
  double from;
  double p[6];
  double q[7]; /* starts with 1; a last 0 pads and changes nothing */
} Asymptote;

static const Asymptote p_zero[] = {
    {8,
     {0.0, -7.03124999999900357484e-02, -8.08167041275349795626e+00, -2.57063105679704847262e+02,
      -2.48521641009428822144e+03, -5.25304380490729545272e+03},
     {1.0, 1.16534364619668181717e+02, 3.83374475364121826715e+03, 4.05978572648472545552e+04,
      1.16752972564375915681e+05, 4.76277284146730962675e+04, 0.0}},
    {4.5454,
     {-1.14125464691894502584e-11, -7.03124940873599280078e-02, -4.15961064470587782438e+00,
      -6.76747652265167261021e+01, -3.31231299649172967747e+02, -3.46433388365604912451e+02},
     {1.0, 6.07539382692300335975e+01, 1.05125230595704579173e+03, 5.97897094333855784498e+03,
      9.62544514357774460223e+03, 2.40605815922939109441e+03, 0.0}},
    {2.8571,
     {-2.54704601771951915620e-09, -7.03119616381481654654e-02, -2.40903221549529611423e+00,
      -2.19659774734883086467e+01, -5.80791704701737572236e+01, -3.14479470594888503854e+01},
     {1.0, 3.58560338055209726349e+01, 3.61513983050303863820e+02, 1.19360783792111533330e+03,
      1.12799679856907414432e+03, 1.73580930813335754692e+02, 0.0}},
    {2,
     {-8.87534333032526411254e-08, -7.03030995483624743247e-02, -1.45073846780952986357e+00,
      -7.63569613823527770791e+00, -1.11931668860356747786e+01, -3.23364579351335335033e+00},
     {1.0, 2.22202997532088808441e+01, 1.36206794218215208048e+02, 2.70470278658083486789e+02,
      1.53875394208320329881e+02, 1.46576176948256193810e+01, 0.0}},
};
static const Asymptote q_zero[] = {
    {8,
     {0.0, 7.32421874999935051953e-02, 1.17682064682252693899e+01, 5.57673380256401856059e+02,
      8.85919720756468632317e+03, 3.70146267776887834771e+04},
     {1.0, 1.63776026895689824414e+02, 8.09834494656449805916e+03, 1.42538291419120476348e+05,
      8.03309257119514397345e+05, 8.40501579819060512818e+05, -3.43899293537866615225e+05}},
    {4.5454,
     {1.84085963594515531381e-11, 7.32421766612684765896e-02, 5.83563508962056953777e+00, 1.35111577286449829671e+02,
      1.02724376596164097464e+03, 1.98997785864605384631e+03},
     {1.0, 8.27766102236537761883e+01, 2.07781416421392987104e+03, 1.88472887785718085070e+04,
      5.67511122894947329769e+04, 3.59767538425114471465e+04, -5.35434275601944773371e+03}},
    {2.8571,
     {4.37741014089738620906e-09, 7.32411180042911447163e-02, 3.34423137516170720929e+00, 4.26218440745412650017e+01,
      1.70808091340565596283e+02, 1.66733948696651168575e+02},
     {1.0, 4.87588729724587182091e+01, 7.09689221056606015736e+02, 3.70414822620111362994e+03,
      6.46042516752568917582e+03, 2.51633368920368957333e+03, -1.49247451836156386662e+02}},
    {2,
     {1.50444444886983272379e-07, 7.32234265963079278272e-02, 1.99819174093815998816e+00, 1.44956029347885735348e+01,
      3.16662317504781540833e+01, 1.62527075710929267416e+01},
     {1.0, 3.03655848355219184498e+01, 2.69348118608049844624e+02, 8.44783757595320139444e+02,
      8.82935845112488550512e+02, 2.12666388511798828631e+02, -5.31095493882666946917e+00}},
};
static const Asymptote p_one[] = {
    {8,
     {0.0, 1.17187499999988647970e-01, 1.32394806593073575129e+01, 4.12051854307378562225e+02,
      3.87474538913960532227e+03, 7.91447954031891731574e+03},
     {1.0, 1.14207370375678408436e+02, 3.65093083420853463394e+03, 3.69562060269033463555e+04,
      9.76027935934950801311e+04, 3.08042720627888811578e+04, 0.0}},
    {4.5454,
     {1.31990519556243522749e-11, 1.17187493190614097638e-01, 6.80275127868432871736e+00, 1.08308182990189109773e+02,
      5.17636139533199752805e+02, 5.28715201363337541807e+02},
     {1.0, 5.92805987221131331921e+01, 9.91401418733614377743e+02, 5.35326695291487976647e+03,
      7.84469031749551231769e+03, 1.50404688810361062679e+03, 0.0}},
    {2.8571,
     {3.02503916137373618024e-09, 1.17186865567253592491e-01, 3.93297750033315640650e+00, 3.51194035591636932736e+01,
      9.10550110750781271918e+01, 4.85590685197364919645e+01},
     {1.0, 3.47913095001251519989e+01, 3.36762458747825746741e+02, 1.04687139975775130551e+03,
      8.90811346398256432622e+02, 1.03787932439639277504e+02, 0.0}},
    {2,
     {1.07710830106873743082e-07, 1.17176219462683348094e-01, 2.36851496667608785174e+00, 1.22426109148261232917e+01,
      1.76939711271687727390e+01, 5.07352312588818499250e+00},
     {1.0, 2.14364859363821409488e+01, 1.25290227168402751090e+02, 2.32276469057162813669e+02,
      1.17679373287147100768e+02, 8.36463893371618283368e+00, 0.0}},
};
static const Asymptote q_one[] = {
    {8,
     {0.0, -1.02539062499992714161e-01, -1.62717534544589987888e+01, -7.59601722513950107896e+02,
      -1.18498066702429587167e+04, -4.84385124285750353010e+04},
     {1.0, 1.61395369700722909556e+02, 7.82538599923348465381e+03, 1.33875336287249578163e+05,
      7.19657723683240939863e+05, 6.66601232617776375264e+05, -2.94490264303834643215e+05}},
    {4.5454,
     {-2.08979931141764104297e-11, -1.02539050241375426231e-01, -8.05644828123936029840e+00,
      -1.83669607474888380239e+02, -1.37319376065508163265e+03, -2.61244440453215656817e+03},
     {1.0, 8.12765501384335777857e+01, 1.99179873460485964642e+03, 1.74684851924908907677e+04,
      4.98514270910352279316e+04, 2.79480751638918118260e+04, -4.71918354795128470869e+03}},
    {2.8571,
     {-5.07831226461766561369e-09, -1.02537829820837089745e-01, -4.61011581139473403113e+00,
      -5.78472216562783643212e+01, -2.28244540737631695038e+02, -2.19210128478909325622e+02},
     {1.0, 4.76651550323729509273e+01, 6.73865112676699709482e+02, 3.38015286679526343505e+03,
      5.54772909720722782367e+03, 1.90311919338810798763e+03, -1.35201191444307340817e+02}},
    {2,
     {-1.78381727510958865572e-07, -1.02517042607985553460e-01, -2.75220568278187460720e+00,
      -1.96636162643703720221e+01, -4.23253133372830490089e+01, -2.13719211703704061733e+01},
     {1.0, 2.95333629060523854548e+01, 2.52981549982190529136e+02, 7.57502834868645436472e+02,
      7.39393205320467245656e+02, 1.55949003336666123687e+02, -4.95949898822628210127e+00}},
};

static double asymptote(const Asymptote *t, double x) {
  while (x < t->from && t->from > 2) t++;
  double z = 1 / (x * x);
  return GO_POLY(z, t->p) / GO_POLY(z, t->q);
}

#define ONE_OVER_SQRT_PI 0.564189583547756286948079451560772586
#define TWO_OVER_PI 0.636619772367581343075535053490057448
#define LARGE 0x1p129 /* beyond it the asymptotic factors are 1 and 0 */

/* J or Y of order 0 or 1 for x >= 2: sqrt(2/(pi x)) times a rotation of the asymptotic factors.
** The sum or difference of sin and cos that would cancel comes from cos(2x). */
static double bessel_large(double x, int order, bool second_kind) {
  double s, c;
  go_sincos(x, &s, &c);
  double ss = order ? -s - c : s - c;
  double cc = order ? s - c : s + c;
  if (x < 0x1.fffffffffffffp+1022) {
    double z = order ? go_cos(x + x) : -go_cos(x + x);
    if (order ? s * c > 0 : s * c < 0)
      cc = z / ss;
    else
      ss = z / cc;
  }
  double y;
  if (x > LARGE) {
    y = second_kind ? ss : cc;
  } else {
    double u = 1 + asymptote(order ? p_one : p_zero, x);
    double v = ((order ? 0.375 : -0.125) + asymptote(order ? q_one : q_zero, x)) / x;
    y = second_kind ? u * ss + v * cc : u * cc - v * ss;
  }
  return ONE_OVER_SQRT_PI * y / sqrt(x);
}

double go_j0(double x) {
  static const double r[] = {1.56249999999999947958e-02, -1.89979294238854721751e-04, 1.82954049532700665670e-06,
                             -4.61832688532103189199e-09};
  static const double s[] = {1.0, 1.56191029464890010492e-02, 1.16926784663337450260e-04, 5.13546550207318111446e-07,
                             1.16614003333790000205e-09};
  if (isnan(x)) return x;
  if (isinf(x)) return 0;
  x = fabs(x);
  if (x >= 2) return bessel_large(x, 0, false);
  if (x < 0x1p-27) return 1;
  if (x < 0x1p-13) return 1 - 0.25 * x * x;
  double z = x * x;
  double q = z * GO_POLY(z, r) / GO_POLY(z, s);
  if (x < 1) return 1 + z * (-0.25 + q);
  double u = 0.5 * x;
  return (1 + u) * (1 - u) + z * q;
}

double go_y0(double x) {
  static const double u[] = {-7.38042951086872317523e-02, 1.76666452509181115538e-01,  -1.38185671945596898896e-02,
                             3.47453432093683650238e-04,  -3.81407053724364161125e-06, 1.95590137035022920206e-08,
                             -3.98205194132103398453e-11};
  static const double v[] = {1.0, 1.27304834834123699328e-02, 7.60068627350353253702e-05, 2.59150851840457805467e-07,
                             4.41110311332675467403e-10};
  if (x < 0 || isnan(x)) return NAN;
  if (isinf(x)) return 0;
  if (x == 0) return -INFINITY;
  if (x >= 2) return bessel_large(x, 0, true);
  if (x <= 0x1p-27) return u[0] + TWO_OVER_PI * go_log(x);
  double z = x * x;
  return GO_POLY(z, u) / GO_POLY(z, v) + TWO_OVER_PI * go_j0(x) * go_log(x);
}

double go_j1(double x) {
  static const double r[] = {-6.25000000000000000000e-02, 1.40705666955189706048e-03, -1.59955631084035597520e-05,
                             4.96727999609584448412e-08};
  static const double s[] = {1.0,
                             1.91537599538363460805e-02,
                             1.85946785588630915560e-04,
                             1.17718464042623683263e-06,
                             5.04636257076217042715e-09,
                             1.23542274426137913908e-11};
  if (isnan(x)) return x;
  if (isinf(x) || x == 0) return 0;
  double size = fabs(x), y;
  if (size >= 2) {
    y = bessel_large(size, 1, false);
  } else if (size < 0x1p-27) {
    return 0.5 * size; /* without the sign, as Go has it */
  } else {
    double z = size * size;
    y = 0.5 * size + z * GO_POLY(z, r) * size / GO_POLY(z, s);
  }
  return x < 0 ? -y : y;
}

double go_y1(double x) {
  static const double u[] = {-1.96057090646238940668e-01, 5.04438716639811282616e-02, -1.91256895875763547298e-03,
                             2.35252600561610495928e-05, -9.19099158039878874504e-08};
  static const double v[] = {1.0,
                             1.99167318236649903973e-02,
                             2.02552581025135171496e-04,
                             1.35608801097516229404e-06,
                             6.22741452364621501295e-09,
                             1.66559246207992079114e-11};
  if (x < 0 || isnan(x)) return NAN;
  if (isinf(x)) return 0;
  if (x == 0) return -INFINITY;
  if (x >= 2) return bessel_large(x, 1, true);
  if (x <= 0x1p-54) return -TWO_OVER_PI / x;
  double z = x * x;
  return x * (GO_POLY(z, u) / GO_POLY(z, v)) + TWO_OVER_PI * (go_j1(x) * go_log(x) - 1 / x);
}

/* Beyond 2**302 only the leading term is left, and it depends on n modulo 4. */
static double bessel_huge(uint64_t n, double x, bool second_kind) {
  double s, c, y;
  go_sincos(x, &s, &c);
  switch ((n + second_kind) & 3) { /* Yn is a quarter turn ahead of Jn */
  case 0: y = c + s; break;
  case 1: y = s - c; break;
  case 2: y = -c - s; break;
  default: y = c - s; break;
  }
  return ONE_OVER_SQRT_PI * y / sqrt(x);
}

/* Twice i as a double, with the wrap-around of Go's ints. */
static double twice(uint64_t i) { return (double)(int64_t)(i + i); }

/* Jn for n > x: a continued fraction gives J(n)/J(n-1), recurrence downwards gives J(n)/J(0). */
static double jn_downwards(uint64_t n, double x) {
  if (x < 0x1p-29) { /* the first term of the series, (x/2)**n / n! */
    if (n > 33) return 0;
    double b = x * 0.5, a = 1;
    for (uint64_t i = 2; i <= n; i++) {
      a *= (double)i;
      b *= x * 0.5;
    }
    return b / a;
  }
  double h = 2 / x, q0 = twice(n) / x, z = q0 + h, q1 = q0 * z - 1;
  uint64_t k = 1;
  while (q1 < 1e9) {
    k++;
    z += h;
    double next = z * q1 - q0;
    q0 = q1;
    q1 = next;
  }
  double t = 0;
  for (int64_t i = (int64_t)(2 * (n + k)); i >= (int64_t)(n + n); i -= 2) t = 1 / ((double)i / x - t);
  double a = t, b = 1, order = (double)n;
  bool may_overflow = !(order * go_log(fabs(h * order)) < 7.09782712893383973096e+02);
  for (uint64_t i = n - 1; i > 0; i--) {
    double next = b * twice(i) / x - a;
    a = b;
    b = next;
    if (may_overflow && b > 1e100) {
      a /= b;
      t /= b;
      b = 1;
    }
  }
  return t * go_j0(x) / b;
}

double go_jn(int64_t order, double x) {
  if (isnan(x)) return x;
  if (isinf(x)) return 0;
  if (order == 0) return go_j0(x);
  if (x == 0) return 0;
  uint64_t n = (uint64_t)order;
  if (order < 0) {
    n = -n;
    x = -x;
  }
  if (n == 1) return go_j1(x);
  bool negative = x < 0 && (n & 1);
  x = fabs(x);
  double b;
  if (!((double)(int64_t)n <= x)) {
    b = jn_downwards(n, x);
  } else if (x >= 0x1p302) {
    b = bessel_huge(n, x, false);
  } else {
    double a = go_j0(x);
    b = go_j1(x);
    for (uint64_t i = 1; i < n; i++) {
      double next = b * (twice(i) / x) - a;
      a = b;
      b = next;
    }
  }
  return negative ? -b : b;
}

double go_yn(int64_t order, double x) {
  if (x < 0 || isnan(x)) return NAN;
  if (isinf(x)) return 0;
  if (order == 0) return go_y0(x);
  uint64_t n = order < 0 ? -(uint64_t)order : (uint64_t)order;
  bool negative = order < 0 && (n & 1);
  if (x == 0) return negative ? INFINITY : -INFINITY;
  double b;
  if (n == 1) {
    b = go_y1(x);
  } else if (x >= 0x1p302) {
    b = bessel_huge(n, x, true);
  } else {
    double a = go_y0(x);
    b = go_y1(x);
    for (uint64_t i = 1; i < n && !(isinf(b) && b < 0); i++) {
      double next = twice(i) / x * b - a;
      a = b;
      b = next;
    }
  }
  return negative ? -b : b;
}
