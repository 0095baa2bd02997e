/* str_test.c - slices, the builder, and UTF-8 as Go decodes it. */
#include <greatest.h>

#include "runtime/str.h"

SUITE(str_suite);

TEST find_returns_the_first_place_or_minus_one(void) {
  ASSERT_EQ(2, cue_str_find(CUE_STR("abcabc"), CUE_STR("ca")));
  ASSERT_EQ(-1, cue_str_find(CUE_STR("abc"), CUE_STR("x")));
  ASSERT_EQ(0, cue_str_find(CUE_STR("abc"), CUE_STR("")));
  PASS();
}

TEST compare_is_bytewise_and_prefix_is_less(void) {
  ASSERT(cue_str_cmp(CUE_STR("a"), CUE_STR("b")) < 0);
  ASSERT(cue_str_cmp(CUE_STR("a"), CUE_STR("ab")) < 0);
  ASSERT(cue_str_cmp(CUE_STR("\xff"), CUE_STR("a")) > 0);
  ASSERT_EQ(0, cue_str_cmp(CUE_STR("ab"), CUE_STR("ab")));
  PASS();
}

TEST buffer_grows_and_ends_with_nul(void) {
  CueArena *a = cue_arena_new();
  CueBuf b = cue_buf(a);
  for (int i = 0; i < 10000; i++) cue_buf_f(&b, "%d,", i % 10);
  CueStr s = cue_buf_done(&b);
  ASSERT_EQ(20000, s.n);
  ASSERT_EQ(0, s.s[s.n]);
  ASSERT_EQ('9', s.s[19998]);
  cue_arena_free(a);
  PASS();
}

TEST invalid_utf8_decodes_to_one_error_rune_a_byte(void) {
  CueStr s = CUE_STR("a\xc3\x28\xe2\x82");
  size_t i = 0;
  ASSERT_EQ('a', cue_utf8_next(s, &i));
  ASSERT_EQ(CUE_RUNE_ERROR, cue_utf8_next(s, &i));
  ASSERT_EQ('(', cue_utf8_next(s, &i));
  ASSERT_EQ(CUE_RUNE_ERROR, cue_utf8_next(s, &i));
  ASSERT_EQ(4, i);
  ASSERT_FALSE(cue_utf8_valid(s));
  PASS();
}

TEST surrogates_and_overlong_forms_are_invalid(void) {
  ASSERT_FALSE(cue_utf8_valid(CUE_STR("\xed\xa0\x80")));
  ASSERT_FALSE(cue_utf8_valid(CUE_STR("\xc0\x80")));
  ASSERT(cue_utf8_valid(CUE_STR("\xf0\x9f\x98\x80")));
  ASSERT_EQ(1, cue_utf8_count(CUE_STR("\xf0\x9f\x98\x80")));
  PASS();
}

SUITE(str_suite) {
  RUN_TEST(find_returns_the_first_place_or_minus_one);
  RUN_TEST(compare_is_bytewise_and_prefix_is_less);
  RUN_TEST(buffer_grows_and_ends_with_nul);
  RUN_TEST(invalid_utf8_decodes_to_one_error_rune_a_byte);
  RUN_TEST(surrogates_and_overlong_forms_are_invalid);
}
