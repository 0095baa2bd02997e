/* value_test.c - values: equality, order of numbers, names of kinds; digests. */
#include <greatest.h>

#include "runtime/digest.h"
#include "runtime/value.h"

SUITE(value_suite);

static CueValue read(CueArena *a, const char *json) {
  size_t offset;
  return cue_read_json(a, cue_str(json), &offset);
}

TEST equality_is_deep_and_ignores_order(void) {
  CueArena *a = cue_arena_new();
  static const char *same[][2] = {{"1", "1.0"},
                                  {"1e3", "1000"},
                                  {"{\"a\":1,\"b\":[1,{}]}", "{\"b\":[1.0,{}],\"a\":1}"},
                                  {"[]", "[]"},
                                  {"100000000000000000000", "1e20"}};
  static const char *other[][2] = {{"1", "\"1\""},
                                   {"[1]", "[1,2]"},
                                   {"{\"a\":1}", "{\"a\":1,\"b\":1}"},
                                   {"null", "false"},
                                   {"{\"a\":1}", "{\"b\":1}"}};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    ASSERTm(same[i][0], cue_value_eq(read(a, same[i][0]), read(a, same[i][1])));
  for (size_t i = 0; i < sizeof other / sizeof *other; i++)
    ASSERT_FALSEm(other[i][0], cue_value_eq(read(a, other[i][0]), read(a, other[i][1])));
  ASSERT_FALSE(cue_value_eq(cue_string(CUE_STR("x")), cue_bytes(CUE_STR("x"))));
  cue_arena_free(a);
  PASS();
}

TEST numbers_compare_across_forms(void) {
  CueArena *a = cue_arena_new();
  ASSERT(cue_value_num_cmp(cue_int(1), read(a, "1.5")) < 0);
  ASSERT(cue_value_num_cmp(read(a, "100000000000000000000"), cue_int(INT64_MAX)) > 0);
  ASSERT(cue_value_num_cmp(cue_int(INT64_MIN), cue_int(INT64_MAX)) < 0);
  ASSERT_EQ(CUE_PLAIN, read(a, "9223372036854775807").form);
  ASSERT_EQ(CUE_PLAIN, read(a, "-9223372036854775808").form);
  ASSERT_EQ(CUE_BIG, read(a, "9223372036854775808").form);
  ASSERT_EQ(CUE_INT, cue_decimal(a, cue_num_parse(a, CUE_STR("2.000"))).kind);
  ASSERT_EQ(CUE_FLOAT, cue_decimal(a, cue_num_parse(a, CUE_STR("2.5"))).kind);
  cue_arena_free(a);
  PASS();
}

TEST kinds_have_names(void) {
  CueArena *a = cue_arena_new();
  ASSERT_STR_EQ("int", cue_kind_name(CUE_INT));
  ASSERT_STR_EQ("(string|number)", cue_kinds_text(a, CUE_STRING | CUE_NUMBER).s);
  ASSERT_STR_EQ("(int|string)", cue_kinds_text(a, CUE_STRING | CUE_INT).s);
  ASSERT_STR_EQ("number", cue_kinds_text(a, CUE_NUMBER).s);
  ASSERT_STR_EQ("_|_", cue_kinds_text(a, 0).s);
  ASSERT_STR_EQ("_", cue_kinds_text(a, CUE_TOP).s);
  cue_arena_free(a);
  PASS();
}

TEST digests_are_the_known_ones(void) {
  CueArena *a = cue_arena_new();
  CueStr d;
  ASSERT(cue_digest(a, "md5", CUE_STR("abc"), &d));
  ASSERT_STR_EQ("900150983cd24fb0d6963f7d28e17f72", cue_hex(a, d).s);
  ASSERT(cue_digest(a, "sha256", CUE_STR(""), &d));
  ASSERT_STR_EQ("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", cue_hex(a, d).s);
  ASSERT(cue_hmac(a, "sha256", CUE_STR("key"), CUE_STR("The quick brown fox jumps over the lazy dog"), &d));
  ASSERT_STR_EQ("f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8", cue_hex(a, d).s);
  ASSERT_FALSE(cue_digest(a, "sha0", CUE_STR(""), &d));
  cue_arena_free(a);
  PASS();
}

SUITE(value_suite) {
  RUN_TEST(equality_is_deep_and_ignores_order);
  RUN_TEST(numbers_compare_across_forms);
  RUN_TEST(kinds_have_names);
  RUN_TEST(digests_are_the_known_ones);
}
