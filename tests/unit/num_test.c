/* num_test.c - decimals: text, arithmetic as cue rounds it, functions digit for digit. */
#include <greatest.h>
#include <math.h>
#include <string.h>

#include "runtime/num.h"

SUITE(num_suite);

static CueArena *a;
static void set_up(void *unused) {
  (void)unused;
  a = cue_arena_new();
}
static void tear_down(void *unused) {
  (void)unused;
  cue_arena_free(a);
}

static const CueNum *num(const char *text) { return cue_num_parse(a, cue_str(text)); }
static const char *text(const CueNum *x) { return cue_num_text(a, x).s; }

TEST text_keeps_what_was_written(void) {
  static const char *same[] = {
      "0",           "1",    "-1",   "1.50", "0.000001", "1E+3", "1E-7", "12345678901234567890123456789.5",
      "0.000000000", "0E+3", "-0.0", "NaN",  "-Infinity"};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) ASSERT_STR_EQ(same[i], text(num(same[i])));
  ASSERT_STR_EQ("1E-8", text(num("0.00000001")));
  ASSERT_STR_EQ("1.5E+300", text(num("1.5e300")));
  ASSERT_STR_EQ("123", text(num("000123")));
  ASSERT_STR_EQ("12345678901234567890.5", text(num("0012345678901234567890.5")));
  ASSERT_STR_EQ("1000", cue_num_text_plain(a, num("1e3")).s);
  ASSERT_STR_EQ("0.0000001", cue_num_text_plain(a, num("1e-7")).s);
  PASS();
}

TEST malformed_text_is_refused(void) {
  static const char *bad[] = {
      "", "-", "+", ".", "e3", "1e", "1e+", "1x", "1.2.3", "--1", "1e100001", "1e99999999999999999999", "0x10"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) ASSERTm(bad[i], num(bad[i]) == NULL);
  PASS();
}

TEST radix_text_goes_both_ways(void) {
  const CueNum *x = cue_num_parse_radix(a, CUE_STR("ffffffffffffffffffff"), 16);
  ASSERT_STR_EQ("1208925819614629174706175", text(x));
  ASSERT_STR_EQ("ffffffffffffffffffff", cue_num_text_radix(a, x, 16).s);
  ASSERT_STR_EQ("-1010", cue_num_text_radix(a, num("-10"), 2).s);
  ASSERT_STR_EQ("0", cue_num_text_radix(a, num("0"), 8).s);
  ASSERT(cue_num_parse_radix(a, CUE_STR("12"), 2) == NULL);
  PASS();
}

TEST floats_round_to_34_digits_and_ints_can_be_exact(void) {
  const CueNum *x = num("10000000000000000000000000000000000000001"), *r;
  ASSERT_EQ(CUE_NUM_OK, cue_num_add(a, x, num("1"), true, &r));
  ASSERT_STR_EQ("10000000000000000000000000000000000000002", text(r));
  ASSERT_EQ(CUE_NUM_OK, cue_num_add(a, x, num("1"), false, &r));
  ASSERT_STR_EQ("1.000000000000000000000000000000000E+40", text(r));
  ASSERT_EQ(CUE_NUM_OK, cue_num_add(a, num("0.1"), num("0.2"), false, &r));
  ASSERT_STR_EQ("0.3", text(r));
  PASS();
}

TEST quotients_keep_one_decimal(void) {
  static const char *rows[][3] = {{"4", "2", "2.0"},    {"1", "3", "0.3333333333333333333333333333333333"},
                                  {"100", "2", "50"},   {"400", "2", "2.0E+2"},
                                  {"0", "3", "0"},      {"0.0", "3", "0.0"},
                                  {"-1", "8", "-0.125"}};
  const CueNum *r;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    ASSERT_EQ(CUE_NUM_OK, cue_num_quo(a, num(rows[i][0]), num(rows[i][1]), &r));
    ASSERT_STR_EQ(rows[i][2], text(r));
  }
  ASSERT_EQ(CUE_NUM_DIV_ZERO, cue_num_quo(a, num("1"), num("0"), &r));
  ASSERT_EQ(CUE_NUM_DIV_UNDEFINED, cue_num_quo(a, num("0"), num("0"), &r));
  ASSERT_EQ(CUE_NUM_RANGE, cue_num_mul(a, num("1e90000"), num("1e90000"), false, &r));
  PASS();
}

TEST integer_division_is_euclidean_or_truncated(void) {
  static const int64_t rows[][6] = {
      {7, 3, 2, 1, 2, 1}, {-7, 3, -3, 2, -2, -1}, {7, -3, -2, 1, -2, 1}, {-7, -3, 3, 2, 2, -1}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const CueNum *x = cue_num_from_int(a, rows[i][0]), *y = cue_num_from_int(a, rows[i][1]), *r;
    int64_t n, q, m;
    ASSERT_EQ(CUE_NUM_OK, cue_num_int_div(a, x, y, &r));
    ASSERT(cue_num_to_int64(r, &n) && n == rows[i][2]);
    ASSERT_EQ(CUE_NUM_OK, cue_num_int_mod(a, x, y, &r));
    ASSERT(cue_num_to_int64(r, &n) && n == rows[i][3]);
    ASSERT_EQ(CUE_NUM_OK, cue_num_int_quo(a, x, y, &r));
    ASSERT(cue_num_to_int64(r, &n) && n == rows[i][4]);
    ASSERT_EQ(CUE_NUM_OK, cue_num_int_rem(a, x, y, &r));
    ASSERT(cue_num_to_int64(r, &n) && n == rows[i][5]);
    ASSERT(cue_int_div(rows[i][0], rows[i][1], &q, &m) && q == rows[i][2] && m == rows[i][3]);
  }
  int64_t q, r;
  ASSERT_FALSE(cue_int_quo(INT64_MIN, -1, &q, &r));
  PASS();
}

TEST functions_agree_with_cue(void) {
  const CueNum *r;
  ASSERT_EQ(CUE_NUM_OK, cue_num_exp(a, num("1"), &r));
  ASSERT_STR_EQ("2.718281828459045235360287471352662", text(r));
  ASSERT_EQ(CUE_NUM_OK, cue_num_ln(a, num("10"), &r));
  ASSERT_STR_EQ("2.302585092994045684017991454684364", text(r));
  ASSERT_EQ(CUE_NUM_OK, cue_num_log10(a, num("1001"), &r));
  ASSERT_STR_EQ("3.000434077479318640668921387777989", text(r));
  ASSERT_EQ(CUE_NUM_OK, cue_num_cbrt(a, num("28"), &r));
  ASSERT_STR_EQ("3.036588971875662519420809578505670", text(r));
  ASSERT_EQ(CUE_NUM_OK, cue_num_pow(a, num("2"), num("-1"), &r));
  ASSERT_STR_EQ("0.5000000000000000000000000000000000", text(r));
  ASSERT_EQ(CUE_NUM_INVALID, cue_num_ln(a, num("-1"), &r));
  ASSERT_EQ(CUE_NUM_OVERFLOW, cue_num_exp(a, num("1e9"), &r));
  ASSERT_EQ(CUE_NUM_RANGE, cue_num_pow(a, num("10"), num("1e100000"), &r));
  PASS();
}

TEST rounding_to_integers(void) {
  static const char *rows[][3] = {{"2.5", "3", "2"},       {"-2.5", "-3", "-2"}, {"0.5", "1", "0"},
                                  {"1e3", "1000", "1000"}, {"0.05", "0", "0"},   {"3.5", "4", "4"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    ASSERT_STR_EQ(rows[i][1], text(cue_num_round_int(a, num(rows[i][0]), CUE_ROUND_HALF_UP)));
    ASSERT_STR_EQ(rows[i][2], text(cue_num_round_int(a, num(rows[i][0]), CUE_ROUND_HALF_EVEN)));
  }
  ASSERT_STR_EQ("-3", text(cue_num_round_int(a, num("-2.1"), CUE_ROUND_FLOOR)));
  ASSERT_STR_EQ("-2", text(cue_num_round_int(a, num("-2.9"), CUE_ROUND_CEIL)));
  ASSERT_STR_EQ("-2", text(cue_num_round_int(a, num("-2.9"), CUE_ROUND_DOWN)));
  PASS();
}

TEST comparison_ignores_exponents(void) {
  ASSERT_EQ(0, cue_num_cmp(num("1.0"), num("1")));
  ASSERT_EQ(0, cue_num_cmp_int(num("1e3"), 1000));
  ASSERT(cue_num_cmp(num("-1e50000"), num("1e-50000")) < 0);
  ASSERT(cue_num_is_int(num("1.00")) && cue_num_is_int(num("1e5")) && !cue_num_is_int(num("1.5")));
  PASS();
}

TEST conversions_to_c_types(void) {
  int64_t i;
  uint64_t u;
  ASSERT(cue_num_to_int64(num("-9223372036854775808"), &i) && i == INT64_MIN);
  ASSERT_FALSE(cue_num_to_int64(num("9223372036854775808"), &i));
  ASSERT(cue_num_to_uint64(num("18446744073709551615"), &u) && u == UINT64_MAX);
  ASSERT_FALSE(cue_num_to_uint64(num("-1"), &u));
  ASSERT_FALSE(cue_num_to_int64(num("1.5"), &i));
  ASSERT(cue_num_to_int64(num("1.50e1"), &i) && i == 15);
  ASSERT_STR_EQ("18446744073709551615", text(cue_num_from_uint(a, UINT64_MAX)));
  ASSERT_STR_EQ("-9223372036854775808", text(cue_num_from_int(a, INT64_MIN)));
  ASSERT(cue_num_to_double(num("0.1")) == 0.1);
  ASSERT(isinf(cue_num_to_double(num("1e400"))));
  ASSERT_STR_EQ("0.1", text(cue_num_from_double(a, 0.1)));
  ASSERT_STR_EQ("1E+2", text(cue_num_from_double(a, 100)));
  PASS();
}

TEST bits_are_twos_complement(void) {
  const CueNum *x = num("-123456789012345678901234567890"), *y = num("987654321098765432109876543210");
  ASSERT_STR_EQ("3", text(cue_num_and(a, num("-5"), num("3"))));
  ASSERT_STR_EQ("-5", text(cue_num_or(a, num("-5"), num("3"))));
  ASSERT_STR_EQ("-8", text(cue_num_xor(a, num("-5"), num("3"))));
  ASSERT_STR_EQ("-8", text(cue_num_andnot(a, num("-5"), num("3"))));
  ASSERT_EQ(0, cue_num_cmp(x, cue_num_xor(a, cue_num_xor(a, x, y), y)));
  ASSERT_EQ(0, cue_num_cmp(x, cue_num_shr(a, cue_num_shl(a, x, 77), 77)));
  ASSERT_STR_EQ("-1", text(cue_num_shr(a, num("-1"), 500)));
  ASSERT_STR_EQ("-3", text(cue_num_shr(a, num("-5"), 1)));
  ASSERT_EQ(97u, cue_num_bitlen(x));
  ASSERT_EQ(0u, cue_num_bitlen(num("0")));
  ASSERT_EQ(2u, cue_num_popcount(num("-5")));
  ASSERT(cue_num_shl(a, num("1"), UINT32_MAX) == NULL);
  PASS();
}

SUITE(num_suite) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(text_keeps_what_was_written);
  RUN_TEST(malformed_text_is_refused);
  RUN_TEST(radix_text_goes_both_ways);
  RUN_TEST(floats_round_to_34_digits_and_ints_can_be_exact);
  RUN_TEST(quotients_keep_one_decimal);
  RUN_TEST(integer_division_is_euclidean_or_truncated);
  RUN_TEST(functions_agree_with_cue);
  RUN_TEST(rounding_to_integers);
  RUN_TEST(comparison_ignores_exponents);
  RUN_TEST(conversions_to_c_types);
  RUN_TEST(bits_are_twos_complement);
  SET_SETUP(NULL, NULL);
  SET_TEARDOWN(NULL, NULL);
}
