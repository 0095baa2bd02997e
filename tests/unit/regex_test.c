/* regex_test.c - patterns of Go's syntax, and its words for bad ones. */
#include <greatest.h>

#include <string.h>

#include "runtime/regex.h"

SUITE(regex_suite);

TEST matches_give_groups(void) {
  CueArena *a = cue_arena_new();
  CueRegexCache *c = cue_regex_cache_new();
  CueStr err;
  const CueRegex *re = cue_regex_get(c, a, CUE_STR("(?P<k>[a-z]+)=(?<v>\\d+)?(x)?"), &err);
  ASSERT(re);
  ASSERT_EQ(re, cue_regex_get(c, a, CUE_STR("(?P<k>[a-z]+)=(?<v>\\d+)?(x)?"), &err));
  ASSERT_EQ(3, cue_regex_groups(re));
  ASSERT_STR_EQ("v", cue_regex_group_name(re, 2).s);
  ASSERT_STR_EQ("", cue_regex_group_name(re, 3).s);
  CueMatch m[4];
  CueStr text = CUE_STR("  ab=12 cd=");
  ASSERT(cue_regex_find(re, text, 0, m));
  ASSERT(m[0].from == 2 && m[0].to == 7 && m[2].from == 5 && m[3].from == -1);
  ASSERT(cue_regex_find(re, text, 7, m));
  ASSERT(m[0].from == 8 && m[2].from == -1);
  ASSERT_FALSE(cue_regex_find(re, text, 11, m));
  ASSERT(cue_regex_test(cue_regex_get(c, a, CUE_STR("^$"), &err), (CueStr){NULL, 0}));
  cue_regex_cache_free(c);
  cue_arena_free(a);
  PASS();
}

static bool has_x(const char *text, size_t n) { return n && memchr(text, 'x', n); }
static bool nothing(const char *text, size_t n) { return (void)text, (void)n, false; }

/* What was compiled before is asked whether a text matches, and RE2 the rest. */
TEST known_patterns_are_asked(void) {
  static const CueKnownPattern known[] = {{{"", 0}, nothing}, {{"(x)", 3}, has_x}, {{"y", 1}, nothing}};
  CueArena *a = cue_arena_new();
  CueRegexCache *c = cue_regex_cache_new();
  CueStr err;
  CueMatch m[2];
  cue_regex_cache_know(c, known, 3);
  const CueRegex *x = cue_regex_get(c, a, CUE_STR("(x)"), &err), *y = cue_regex_get(c, a, CUE_STR("y"), &err);
  ASSERT(x && y && x == cue_regex_get(c, a, CUE_STR("(x)"), &err));
  ASSERT(cue_regex_test(x, CUE_STR("axb")));
  ASSERT_FALSE(cue_regex_test(x, CUE_STR("")));
  ASSERT_FALSE(cue_regex_test(y, CUE_STR("y")));
  ASSERT_EQ(1, cue_regex_groups(x));
  ASSERT(cue_regex_find(x, CUE_STR("axb"), 0, m) && m[1].from == 1);
  ASSERT(cue_regex_find(y, CUE_STR("y"), 0, m));
  ASSERT(cue_regex_test(cue_regex_get(c, a, CUE_STR("z"), &err), CUE_STR("z")));
  cue_regex_cache_free(c);
  cue_arena_free(a);
  PASS();
}

TEST errors_are_worded_as_go_words_them(void) {
  static const char *rows[][2] = {
      {"[a", "missing closing ]: `[a`"},
      {"(a", "missing closing ): `(a`"},
      {"a)", "unexpected ): `a)`"},
      {"a**", "invalid nested repetition operator: `**`"},
      {"*", "missing argument to repetition operator: `*`"},
      {"a{1001}", "invalid repeat count: `{1001}`"},
      {"a{99999999999}", "invalid repeat count: `{99999999999}`"},
      {"\\C", "invalid escape sequence: `\\C`"},
      {"(?=a)", "invalid or unsupported Perl syntax: `(?=`"},
      {"(?<=a)", "invalid named capture: `(?<=a)`"},
      {"a\\", "trailing backslash at end of expression: ``"},
      {"[b-a]", "invalid character class range: `b-a`"},
  };
  CueArena *a = cue_arena_new();
  CueRegexCache *c = cue_regex_cache_new();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    CueStr err;
    ASSERTm(rows[i][0], cue_regex_get(c, a, cue_str(rows[i][0]), &err) == NULL);
    ASSERT_STR_EQ(cue_strf(a, "error parsing regexp: %s", rows[i][1]).s, err.s);
  }
  cue_regex_cache_free(c);
  cue_arena_free(a);
  PASS();
}

SUITE(regex_suite) {
  RUN_TEST(matches_give_groups);
  RUN_TEST(known_patterns_are_asked);
  RUN_TEST(errors_are_worded_as_go_words_them);
}
