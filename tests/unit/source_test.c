/* source_test.c - positions: which file, line and column an offset is in. */
#include <greatest.h>

#include "compiler/source.h"

SUITE(source_suite);

static CueArena *a;
static CueSources ss;

static void begin(void *arg) {
  (void)arg;
  a = cue_arena_new();
  cue_sources_init(&ss, a);
}

static void end(void *arg) {
  (void)arg;
  cue_arena_free(a);
}

static CueSource *add(const char *name, const char *text) { return cue_source_add(&ss, cue_str(name), cue_str(text)); }

static CuePos at(const CueSource *s, uint32_t offset) { return cue_pos(s->base + offset, CUE_REL_NONE); }

#define LINE_COL(s, offset, want_line, want_col)             \
  do {                                                       \
    CueLineCol lc = cue_source_line(&ss, at((s), (offset))); \
    ASSERT_EQ_FMT((unsigned)(want_line), lc.line, "%u");     \
    ASSERT_EQ_FMT((unsigned)(want_col), lc.col, "%u");       \
  } while (0)

TEST zero_is_no_position(void) {
  add("a.cue", "x");
  ASSERT_FALSE(cue_pos_known(0));
  ASSERT_EQ(NULL, cue_source_of(&ss, 0));
  ASSERT_EQ(0, cue_source_line(&ss, 0).line);
  PASS();
}

TEST space_before_a_token_does_not_move_it(void) {
  CueSource *s = add("a.cue", "x: 1");
  CuePos p = cue_pos(s->base + 3, CUE_REL_NEWLINE);
  ASSERT_EQ(CUE_REL_NEWLINE, cue_pos_rel(p));
  ASSERT_EQ(s->base + 3, cue_pos_offset(p));
  CuePos q = cue_pos_with_rel(p, CUE_REL_BLANK);
  ASSERT_EQ(CUE_REL_BLANK, cue_pos_rel(q));
  ASSERT_EQ(cue_pos_offset(p), cue_pos_offset(q));
  PASS();
}

TEST each_position_knows_its_file(void) {
  CueSource *x = add("a.cue", "one"), *none = add("b.cue", ""), *y = add("c.cue", "two");
  for (uint32_t i = 0; i <= 3; i++) ASSERT_EQ(x, cue_source_of(&ss, at(x, i)));
  ASSERT_EQ(none, cue_source_of(&ss, at(none, 0)));
  for (uint32_t i = 0; i <= 3; i++) ASSERT_EQ(y, cue_source_of(&ss, at(y, i)));
  ASSERT_EQ(NULL, cue_source_of(&ss, at(y, 4)));
  PASS();
}

TEST lines_and_columns_count_bytes_from_one(void) {
  CueSource *s = add("a.cue", "a: 1\n\nß: 2\n");
  LINE_COL(s, 0, 1, 1);
  LINE_COL(s, 3, 1, 4);
  LINE_COL(s, 4, 1, 5); /* the newline ends its line */
  LINE_COL(s, 5, 2, 1);
  LINE_COL(s, 6, 3, 1);
  LINE_COL(s, 10, 3, 5); /* the letter has two bytes */
  PASS();
}

TEST end_of_file_is_behind_the_last_line(void) {
  CueSource *with = add("a.cue", "a\nb\n"), *without = add("b.cue", "a\nb"), *none = add("c.cue", "");
  LINE_COL(with, 4, 2, 3);
  LINE_COL(without, 3, 2, 2);
  LINE_COL(none, 0, 1, 1);
  PASS();
}

TEST carriage_returns_are_columns(void) {
  CueSource *s = add("a.cue", "a\r\nb");
  LINE_COL(s, 1, 1, 2);
  LINE_COL(s, 3, 2, 1);
  PASS();
}

TEST text_is_copied_and_ends_in_nul(void) {
  char text[] = "abc";
  CueSource *s = cue_source_add(&ss, CUE_STR("a.cue"), (CueStr){text, 2});
  text[0] = 'x';
  ASSERT_EQ(2, s->text.n);
  ASSERT_STR_EQ("ab", s->text.s);
  PASS();
}

/* Nothing is copied when the set is full, so the text need not be there. */
TEST a_set_too_large_is_refused(void) {
  add("a.cue", "x");
  ASSERT_EQ(NULL, cue_source_add(&ss, CUE_STR("b.cue"), (CueStr){"", (size_t)1 << 29}));
  ASSERT_EQ(NULL, cue_source_add(&ss, CUE_STR("b.cue"), (CueStr){"", ((size_t)1 << 29) - 3}));
  ASSERT_EQ(NULL, cue_source_add(&ss, CUE_STR("b.cue"), (CueStr){"", SIZE_MAX}));
  ASSERT_EQ(1, ss.files.n);
  PASS();
}

SUITE(source_suite) {
  SET_SETUP(begin, NULL);
  SET_TEARDOWN(end, NULL);
  RUN_TEST(zero_is_no_position);
  RUN_TEST(space_before_a_token_does_not_move_it);
  RUN_TEST(each_position_knows_its_file);
  RUN_TEST(lines_and_columns_count_bytes_from_one);
  RUN_TEST(end_of_file_is_behind_the_last_line);
  RUN_TEST(carriage_returns_are_columns);
  RUN_TEST(text_is_copied_and_ends_in_nul);
  RUN_TEST(a_set_too_large_is_refused);
}
