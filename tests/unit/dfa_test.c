/* dfa_test.c - tables of regular expressions say what RE2 says: on texts that the table itself leads through, on those
** with a few bytes changed, on texts made of the pattern's own characters, and on ones that are not UTF-8. */
#include <greatest.h>

#include <string.h>

#include "compiler/emit/dfa.h"
#include "compiler/literal.h"
#include "runtime/regex.h"
#include "stdlib/opm/catalog.h"

SUITE(dfa_suite);

typedef struct {
  uint64_t state;
} Random;

static uint32_t any(Random *r, size_t n) {
  r->state = r->state * 6364136223846793005u + 1442695040888963407u;
  return n ? (uint32_t)((r->state >> 33) % n) : 0;
}

/* Bytes that break UTF-8, or are at the edge of what patterns tell apart. */
static const char odd[] = "\n\r \0_-aZ09zA{\x7f\x80\xbf\xc2\xc3\xe2\x84\xaa\xc5\xbf\xed\xa0\xef\xf0\xf4\x8f\xff";

static void add_odd(CueBuf *b, Random *r) { cue_buf_ch(b, odd[any(r, sizeof odd - 1)]); }

/* Follows the table from its start, mostly to states from which a match can still come. */
static CueStr walk(CueArena *a, Random *r, const CueDfa *d) {
  CueBuf b = cue_buf(a);
  uint32_t at = d->start;
  while (b.n < 80) {
    if ((at <= d->width && any(r, 2)) || (at >= d->accepting && any(r, 4) == 0)) break;
    uint8_t byte = (uint8_t)any(r, 256);
    for (int tries = 0; tries < 400 && d->next[at + d->classes[byte]] == 0; tries++) byte = (uint8_t)any(r, 256);
    cue_buf_ch(&b, (char)byte);
    at = d->next[at + d->classes[byte]];
  }
  return cue_buf_done(&b);
}

static CueStr change(CueArena *a, Random *r, CueStr s) {
  CueBuf b = cue_buf(a);
  size_t at = any(r, s.n + 1);
  cue_buf_str(&b, cue_str_sub(s, 0, at));
  uint32_t how = any(r, 3);
  if (how != 0) add_odd(&b, r);
  if (how != 1 && at < s.n) at++;
  cue_buf_str(&b, cue_str_sub(s, at, s.n));
  return cue_buf_done(&b);
}

static CueStr of_pattern(CueArena *a, Random *r, CueStr pattern) {
  CueBuf b = cue_buf(a);
  for (uint32_t n = any(r, 12); n--;) {
    if (any(r, 4) == 0 || !pattern.n) {
      add_odd(&b, r);
      continue;
    }
    size_t from = any(r, pattern.n), to = from + 1 + any(r, 4);
    cue_buf_str(&b, cue_str_sub(pattern, from, to < pattern.n ? to : pattern.n));
  }
  return cue_buf_done(&b);
}

static void show(FILE *f, CueStr s) {
  for (size_t i = 0; i < s.n; i++) fprintf(f, s.s[i] >= ' ' && s.s[i] <= '~' ? "%c" : "\\x%02x", (unsigned char)s.s[i]);
}

static bool agree(const CueDfa *d, const CueRegex *re, CueStr pattern, CueStr text) {
  bool ours = cue_dfa_test(d, text.s, text.n), theirs = cue_regex_test(re, text);
  if (ours == theirs) return true;
  fprintf(stderr, "pattern ");
  show(stderr, pattern);
  fprintf(stderr, "\ntext    ");
  show(stderr, text);
  fprintf(stderr, "\n%s\n", ours ? "only the table matches" : "only RE2 matches");
  return false;
}

/* Whether table and RE2 agree on the empty text and `cases` others. */
static bool agree_on_all(CueArena *a, Random *r, const CueDfa *d, CueStr pattern, int cases) {
  CueRegexCache *c = cue_regex_cache_new();
  CueStr err;
  const CueRegex *re = cue_regex_get(c, a, pattern, &err);
  bool good = re && agree(d, re, pattern, CUE_STR(""));
  if (!re) fprintf(stderr, "RE2 does not take %.*s: %s\n", CUE_FMT(pattern), err.s);
  for (int i = 0; good && i < cases; i++) {
    CueMark m = cue_arena_mark(a);
    CueStr s = any(r, 3) ? walk(a, r, d) : of_pattern(a, r, pattern);
    good = agree(d, re, pattern, s);
    for (uint32_t n = any(r, 3); good && n--;) good = agree(d, re, pattern, s = change(a, r, s));
    cue_arena_reset(a, m);
  }
  cue_regex_cache_free(c);
  return good;
}

static const char *patterns[] = {
    "",
    "a",
    "abc",
    "^$",
    "^",
    "$",
    "^a",
    "a$",
    "^abc$",
    "a|b",
    "|",
    "a||b",
    "(|a)b",
    "()",
    "(?:)",
    "a*",
    "a+",
    "a?",
    "a*?",
    "a+?",
    "a??",
    "a{3}",
    "a{0}",
    "a{0,0}",
    "a{2,}",
    "a{0,}",
    "a{2,4}",
    "a{2,4}?",
    "(ab){2,3}c",
    "(a|b)*abb",
    "(a*)*",
    "(a*)+",
    "(a|ab)(c|bcd)$",
    "x{",
    "x{,3}",
    "x{a}",
    "{",
    "}",
    "]",
    "a{2",
    "a{2,x}",
    ".",
    "^.$",
    "^..$",
    "a.c",
    "(?s).",
    "(?s)^.$",
    "(?s:^.$)",
    "(?s)a.c",
    "[abc]",
    "[^abc]",
    "^[^abc]$",
    "[a-z]",
    "[]a]",
    "[^]a]",
    "[a-]",
    "[-a]",
    "[a-c-e]",
    "[\\d-z]",
    "[\\]]",
    "[\\-a]",
    "[a\\-z]",
    "[\\n]",
    "[[:alpha:]]",
    "^[[:^alpha:]]+$",
    "[[:alnum:][:space:]]",
    "[[:word:]]",
    "[[:punct:]]+",
    "^[[:graph:]]*$",
    "^[[:print:]]*$",
    "[[:cntrl:]]",
    "[[:ascii:]]",
    "^[[:^ascii:]]$",
    "[[:blank:]]",
    "[[:xdigit:]]{2}",
    "[[:lower:]][[:upper:]]",
    "[[:digit]]",
    "\\d",
    "\\D",
    "\\w",
    "\\W",
    "\\s",
    "\\S",
    "^\\w+$",
    "^\\W+$",
    "[\\w.]",
    "[^\\w.]",
    "[\\W]",
    "[^\\W]",
    "\\x41",
    "\\x{e9}",
    "\\x{1F600}",
    "\\101",
    "\\012",
    "\\0",
    "\\a\\f\\t\\n\\r\\v",
    "\\.",
    "\\\\",
    "\\/",
    "\\_",
    "\\-",
    "\\Qa.b*\\E+",
    "\\Qab",
    "(?i)abc",
    "(?i)k",
    "(?i)s",
    "(?i)[ks]",
    "(?i)[^ks]",
    "(?i)[a-m]+$",
    "(?i)\\w$",
    "(?i)^\\W$",
    "(?i)[[:upper:]]",
    "(?i)[[:^upper:]]",
    "a(?i)b",
    "a(?i:b)c",
    "(?i)a(?-i)b",
    "(a(?i)b|c)d",
    "(?U)a+",
    "(?U)a+?b",
    "(?P<x>a)(?<y>b)",
    "\\bfoo\\b",
    "\\Bfoo",
    "foo\\B",
    "\\b",
    "\\B",
    "^\\b",
    "\\b$",
    "\\B\\B",
    "\\b\\B",
    "(?m)^a",
    "(?m)a$",
    "(?m)^a$",
    "(?m)^$",
    "(?m)^",
    "(?m)\\Aa\\z",
    "(?m)^a$\\n^b$",
    "(?ms)^.b$",
    "(?m)(^|x)a($|y)",
    "\\Aab\\z",
    "^*",
    "(^)*a",
    "($)*",
    "(^a|b)c",
    "(a$|b)c",
    "a^b",
    "a$b",
    "^^a$$",
    "(?:^a)+",
    "(\\ba)*",
    "é",
    "^[é-ü]$",
    "^[^é]$",
    "^[^é-ü]+$",
    "[日本]",
    "^日本語?$",
    "[\\x{0}-\\x{10FFFF}]",
    "^[\\x{80}-\\x{10FFFF}]$",
    "^[\\x{81}-\\x{10FFFF}]$",
    "^[\\x{80}-\\x{7FF}]+$",
    "^[\\x{800}-\\x{FFFF}]$",
    "^[\\x{10000}-\\x{10FFFF}]$",
    "[\\x{1F600}-\\x{1F64F}]",
    "^[a-zé\\x{1000}-\\x{2000}]*$",
    "[^\\x{0}-\\x{10FFFF}]",
    "a[^\\x{0}-\\x{10FFFF}]|b",
    "^([0-9]{1,3}\\.){3}[0-9]{1,3}$",
    "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
    "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$",
    "^(\\d{4})-(\\d{2})-(\\d{2})T(\\d{2}):(\\d{2}):(\\d{2})(Z|[+-]\\d{2}:\\d{2})$",
    "^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$",
    "^https?://[^\\s/$.?#].[^\\s]*$",
    "^(?:/[^/]+)*$",
    "^[A-Za-z_][A-Za-z0-9_]*$",
    "(a|b)*a(a|b){6}$",
    "(?i)^(get|put|post|delete)$",
    "^#([A-Fa-f0-9]{6}|[A-Fa-f0-9]{3})$",
    "^v\\d+((alpha|beta)\\d+)?$",
    "[.][.]",
    "secret|token|password",
    "^.{1,63}$",
    "^(?:[a-z]{1,3}|\\d{2,5}){1,4}$",
};

TEST tables_agree_with_re2(void) {
  CueArena *a = cue_arena_new();
  Random r = {1};
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
    const char *why;
    const CueDfa *d = dfa_compile(a, cue_str(patterns[i]), &why);
    if (!d) fprintf(stderr, "%s: %s\n", patterns[i], why);
    ASSERT(d);
    ASSERTm(patterns[i], agree_on_all(a, &r, d, cue_str(patterns[i]), 150));
  }
  cue_arena_free(a);
  PASS();
}

/* Small pieces put together anyhow: most are patterns. */
static void add_random(CueBuf *b, Random *r, int depth) {
  static const char *atoms[] = {
      "a",   "b", "ab",     ".",   "[ab]", "[^a]", "\\d",  "\\W",   "é", "[^é]",         "^",   "$", "\\b", "\\B",
      "\\n", "_", "[a-zé]", "\\s", "(?i)", "(?m)", "(?s)", "(?-i)", "k", "[[:^alpha:]]", "\\z", "-", "{",   "]"};
  static const char *repeats[] = {"*", "+", "?", "*?", "{2}", "{0,2}", "{1,}", "{3,4}?", "|", "|"};
  for (uint32_t n = 1 + any(r, 4); n--;) {
    if (depth && any(r, 3) == 0) {
      cue_buf_z(b, any(r, 2) ? "(" : "(?:");
      add_random(b, r, depth - 1);
      cue_buf_z(b, ")");
    } else {
      cue_buf_z(b, atoms[any(r, sizeof atoms / sizeof *atoms)]);
    }
    if (any(r, 3) == 0) cue_buf_z(b, repeats[any(r, sizeof repeats / sizeof *repeats)]);
  }
}

TEST random_patterns_agree_with_re2(void) {
  Random r = {2};
  int with_table = 0;
  for (int i = 0; i < 1500; i++) {
    CueArena *a = cue_arena_new();
    CueBuf b = cue_buf(a);
    const char *why;
    add_random(&b, &r, 3);
    CueStr pattern = cue_buf_done(&b);
    const CueDfa *d = dfa_compile(a, pattern, &why);
    if (d) ASSERTm(pattern.s, agree_on_all(a, &r, d, pattern, 12));
    with_table += d != NULL;
    cue_arena_free(a);
  }
  ASSERT(with_table > 500);
  PASS();
}

/* The literal at s, with its quotes; nothing if s does not begin with one. */
static CueStr literal_at(const char *s) {
  size_t n = 1;
  if (*s != '"') return (CueStr){NULL, 0};
  while (s[n] != '"') n += s[n] == '\\' ? 2 : 1;
  return (CueStr){s, n + 1};
}

static bool is_known(CueStr pattern) {
  for (size_t i = 0; i < catalog_npatterns; i++)
    if (cue_str_eq(catalog_patterns[i].pattern, pattern)) return true;
  return false;
}

/* The strings behind =~ in the files of a module. */
static enum greatest_test_res check_module(const LoadEmbedded *m, Random *r, int *found) {
  for (size_t k = 0; k < m->n; k++)
    for (const char *at = strstr(m->files[k].text, "=~"); at; at = strstr(at + 2, "=~")) {
      CueArena *a = cue_arena_new();
      CueStr lit = literal_at(at + 2 + strspn(at + 2, " "));
      ASSERT(lit.n);
      CueStr pattern = cue_value_str(cue_literal_string(a, lit));
      const char *why;
      const CueDfa *d = dfa_compile(a, pattern, &why);
      ASSERTm(pattern.s, d);
      ASSERTm(pattern.s, agree_on_all(a, r, d, pattern, 1000));
      ASSERTm(pattern.s, is_known(pattern));
      ++*found;
      cue_arena_free(a);
    }
  PASS();
}

TEST patterns_of_the_catalog_have_tables(void) {
  Random r = {3};
  int found = 0;
  for (size_t i = 0; i < catalog_count; i++) CHECK_CALL(check_module(&catalog_modules[i], &r, &found));
  ASSERT(found >= 10);
  PASS();
}

TEST what_is_not_supported_has_a_reason(void) {
  static const char *rows[][2] = {
      {"[a", "has a class without end"},
      {"(a", "has a group without end"},
      {"a)", "closes a group that is not open"},
      {"*", "repeats nothing"},
      {"a**", "repeats nothing"},
      {"a|*", "repeats nothing"},
      {"(?i)*", "repeats nothing"},
      {"a{1001}", "repeats too often"},
      {"a{99999999999}", "repeats too often"},
      {"a{3,2}", "repeats too often"},
      {"(a{100}){100}", "repeats too often"},
      {"\\pL", "has an unknown escape"},
      {"\\C", "has an unknown escape"},
      {"\\1", "refers to a group"},
      {"a\\", "has a malformed escape"},
      {"\\x{110000}", "has a code point too large"},
      {"\\x{D800}", "has half of a surrogate pair"},
      {"[b-a]", "has a range that is upside down"},
      {"[[:foo:]]", "has a class of an unknown name"},
      {"(?=a)", "has an unknown kind of group"},
      {"(?P<x>a)(?P<x>b)", "has two groups of one name"},
      {"(?P<x-y>a)", "has a malformed name"},
      {"(?i)é", "ignores the case of letters beyond ASCII"},
      {"\xff", "is not UTF-8"},
      {"(a|b)*a(a|b){20}$", "becomes too large"},
      {"[^a]{1000}x[^b]{1000}", "becomes too large"},
  };
  CueArena *a = cue_arena_new();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *why = NULL;
    ASSERTm(rows[i][0], dfa_compile(a, cue_str(rows[i][0]), &why) == NULL);
    ASSERT_STR_EQ(rows[i][1], why);
  }
  cue_arena_free(a);
  PASS();
}

/* As few states as there can be: beside the two rows that end a scan, one for every prefix that matters. */
TEST tables_are_small(void) {
  static const struct {
    const char *pattern;
    unsigned rows, width;
  } want[] = {{"", 2, 1},         {"abc", 5, 4},      {"^abc$", 6, 4},
              {"^[a-z]+$", 4, 2}, {"(a|b|c)*", 2, 1}, {"(a|aa|aaa)b", 4, 3}};
  CueArena *a = cue_arena_new();
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    const char *why;
    const CueDfa *d = dfa_compile(a, cue_str(want[i].pattern), &why);
    ASSERT(d);
    ASSERT_EQ_FMTm(want[i].pattern, want[i].rows, (unsigned)d->rows, "%u");
    ASSERT_EQ_FMTm(want[i].pattern, want[i].width, (unsigned)d->width, "%u");
  }
  cue_arena_free(a);
  PASS();
}

SUITE(dfa_suite) {
  RUN_TEST(tables_agree_with_re2);
  RUN_TEST(random_patterns_agree_with_re2);
  RUN_TEST(patterns_of_the_catalog_have_tables);
  RUN_TEST(what_is_not_supported_has_a_reason);
  RUN_TEST(tables_are_small);
}
