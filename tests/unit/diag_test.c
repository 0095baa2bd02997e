/* diag_test.c - messages: their order, repetitions, and how places are written. */
#include <greatest.h>

#include "compiler/diag.h"

SUITE(diag_suite);

static CueArena *a;
static CueSources ss;
static CueDiags ds;
static CueSource *x, *y;

static void begin(void *arg) {
  (void)arg;
  a = cue_arena_new();
  cue_sources_init(&ss, a);
  ds = (CueDiags){.a = a};
  y = cue_source_add(&ss, CUE_STR("/w/y.cue"), CUE_STR("b: 2\nc: 3\n"));
  x = cue_source_add(&ss, CUE_STR("/w/x.cue"), CUE_STR("a: 1\n"));
}

static void end(void *arg) {
  (void)arg;
  cue_arena_free(a);
}

static CuePos at(const CueSource *s, uint32_t offset) { return cue_pos(s->base + offset, CUE_REL_NONE); }

static CueDiag *add(const char *path, const char *message, CuePos p) {
  CueDiag *d = cue_diag_add(&ds, cue_str(path), cue_str(message));
  if (p) cue_push(a, &d->at, p);
  return d;
}

#define PRINTS(cwd, want)                        \
  do {                                           \
    CueBuf b = cue_buf(a);                       \
    cue_diags_print(&b, &ds, &ss, CUE_STR(cwd)); \
    ASSERT_STR_EQ((want), cue_buf_done(&b).s);   \
  } while (0)

TEST report_returns_false_and_keeps_the_place(void) {
  ASSERT_FALSE(cue_report(&ds, at(x, 3), "no %s %d", "value", 7));
  ASSERT_EQ(1, ds.n);
  PRINTS("/w", "no value 7:\n    ./x.cue:1:4\n");
  PASS();
}

TEST no_place_means_no_colon(void) {
  add("a.b", "wrong", 0);
  PRINTS("/w", "a.b: wrong\n");
  PASS();
}

/* Files are ordered by name, not by when they were read. */
TEST messages_are_in_the_order_of_their_places(void) {
  add("c", "third", at(y, 8));
  add("b", "second", at(y, 3));
  add("a", "first", at(x, 3));
  add("d", "nowhere", 0);
  PRINTS("/w", "d: nowhere\n"
               "a: first:\n    ./x.cue:1:4\n"
               "b: second:\n    ./y.cue:1:4\n"
               "c: third:\n    ./y.cue:2:4\n");
  PASS();
}

TEST one_place_orders_by_path_and_text(void) {
  add("a-b", "m", 0);
  add("a.b", "n", 0);
  add("a.b", "m", 0);
  add("a", "m", 0);
  PRINTS("/w", "a: m\na.b: m\na.b: n\na-b: m\n");
  PASS();
}

TEST the_same_place_and_path_are_told_once(void) {
  add("a", "one", at(x, 3));
  add("a", "two", at(x, 3));
  add("b", "one", at(x, 3));
  add("c", "one", 0);
  add("c", "one", 0);
  PRINTS("/w", "c: one\na: one:\n    ./x.cue:1:4\nb: one:\n    ./x.cue:1:4\n");
  PASS();
}

TEST the_main_place_comes_first_then_the_others_in_order(void) {
  CueDiag *d = add("a", "m", at(y, 3));
  cue_push(a, &d->at, at(y, 8));
  cue_push(a, &d->at, at(x, 0));
  cue_push(a, &d->at, at(y, 3));
  cue_push(a, &d->at, at(x, 0));
  PRINTS("/w", "a: m:\n    ./y.cue:1:4\n    ./x.cue:1:1\n    ./y.cue:2:4\n");
  PASS();
}

TEST without_a_main_place_all_are_in_order(void) {
  CueDiag *d = add("a", "m", at(y, 3));
  d->no_main = true;
  cue_push(a, &d->at, at(x, 0));
  add("b", "m", at(x, 0));
  PRINTS("/w", "a: m:\n    ./x.cue:1:1\n    ./y.cue:1:4\nb: m:\n    ./x.cue:1:1\n");
  PASS();
}

TEST files_are_named_from_the_working_folder(void) {
  add("a", "m", at(x, 0));
  PRINTS("/w", "a: m:\n    ./x.cue:1:1\n");
  PRINTS("/", "a: m:\n    ./w/x.cue:1:1\n");
  PRINTS("/w/v/u", "a: m:\n    ../../x.cue:1:1\n");
  PRINTS("/other", "a: m:\n    ../w/x.cue:1:1\n");
  PASS();
}

TEST names_that_are_no_paths_stay_and_come_last(void) {
  CueSource *s = cue_source_add(&ss, CUE_STR("--expression"), CUE_STR("x"));
  add("a", "m", at(s, 0));
  add("b", "m", at(y, 0));
  PRINTS("/w", "b: m:\n    ./y.cue:1:1\na: m:\n    --expression:1:1\n");
  PASS();
}

TEST many_messages_are_sorted_stably(void) {
  for (int i = 0; i < 1000; i++) add(i % 2 ? "a" : "b", i < 998 ? "m" : "n", 0);
  PRINTS("/w", "a: m\na: n\nb: m\nb: n\n");
  PASS();
}

TEST appended_messages_are_copies(void) {
  CueDiags more = {.a = a};
  CueDiag *d = cue_diag_add(&more, CUE_STR("p"), CUE_STR("m"));
  cue_push(a, &d->at, at(x, 3));
  d->no_main = true;
  cue_diags_append(&ds, &more);
  ASSERT_EQ(1, ds.n);
  ASSERT(ds.first != d && ds.first->no_main);
  PRINTS("/w", "p: m:\n    ./x.cue:1:4\n");
  PASS();
}

SUITE(diag_suite) {
  SET_SETUP(begin, NULL);
  SET_TEARDOWN(end, NULL);
  RUN_TEST(report_returns_false_and_keeps_the_place);
  RUN_TEST(no_place_means_no_colon);
  RUN_TEST(messages_are_in_the_order_of_their_places);
  RUN_TEST(one_place_orders_by_path_and_text);
  RUN_TEST(the_same_place_and_path_are_told_once);
  RUN_TEST(the_main_place_comes_first_then_the_others_in_order);
  RUN_TEST(without_a_main_place_all_are_in_order);
  RUN_TEST(files_are_named_from_the_working_folder);
  RUN_TEST(names_that_are_no_paths_stay_and_come_last);
  RUN_TEST(many_messages_are_sorted_stably);
  RUN_TEST(appended_messages_are_copies);
}
