/* label_test.c - field names as numbers. */
#include <greatest.h>

#include "compiler/label.h"

SUITE(label_suite);

TEST equal_names_are_equal_labels(void) {
  CueArena *a = cue_arena_new();
  LabelTable *t = label_table_new(a);
  ASSERT_EQ(label_string(t, CUE_STR("x")), label_ident(t, CUE_STR("x"), CUE_STR("p")));
  ASSERT(label_string(t, CUE_STR("#x")) != label_ident(t, CUE_STR("#x"), CUE_STR("p")));
  ASSERT_EQ(LABEL_DEF, label_kind(label_ident(t, CUE_STR("#x"), CUE_STR("p"))));
  cue_arena_free(a);
  PASS();
}

TEST hidden_names_of_two_packages_differ(void) {
  CueArena *a = cue_arena_new();
  LabelTable *t = label_table_new(a);
  Label x = label_ident(t, CUE_STR("_x"), CUE_STR("p")), y = label_ident(t, CUE_STR("_x"), CUE_STR("q"));
  ASSERT(x != y);
  ASSERT(cue_str_is(label_name(t, x), "_x"));
  ASSERT(cue_str_is(label_package(t, y), "q"));
  ASSERT_EQ(LABEL_HIDDEN_DEF, label_kind(label_ident(t, CUE_STR("_#x"), CUE_STR("p"))));
  ASSERT_EQ(x, label_ident(t, CUE_STR("_x"), CUE_STR("p")));
  cue_arena_free(a);
  PASS();
}

TEST lets_differ_by_number(void) {
  CueArena *a = cue_arena_new();
  LabelTable *t = label_table_new(a);
  ASSERT(label_let(t, CUE_STR("x"), 1) != label_let(t, CUE_STR("x"), 2));
  ASSERT(cue_str_is(label_name(t, label_let(t, CUE_STR("x"), 2)), "x"));
  cue_arena_free(a);
  PASS();
}

TEST labels_survive_growth_of_the_table(void) {
  CueArena *a = cue_arena_new();
  LabelTable *t = label_table_new(a);
  Label first = label_string(t, CUE_STR("n0"));
  for (int i = 0; i < 5000; i++) label_string(t, cue_strf(a, "n%d", i));
  ASSERT_EQ(first, label_string(t, CUE_STR("n0")));
  ASSERT(cue_str_is(label_name(t, label_string(t, CUE_STR("n4999"))), "n4999"));
  cue_arena_free(a);
  PASS();
}

TEST selectors_are_quoted_when_they_must_be(void) {
  CueArena *a = cue_arena_new();
  LabelTable *t = label_table_new(a);
  ASSERT(cue_str_is(label_selector(t, a, label_string(t, CUE_STR("a-b"))), "\"a-b\""));
  ASSERT(cue_str_is(label_selector(t, a, label_string(t, CUE_STR("#x"))), "\"#x\""));
  ASSERT(cue_str_is(label_selector(t, a, label_ident(t, CUE_STR("#x"), CUE_STR(""))), "#x"));
  ASSERT(cue_str_is(label_selector(t, a, label_int(7)), "7"));
  cue_arena_free(a);
  PASS();
}

SUITE(label_suite) {
  RUN_TEST(equal_names_are_equal_labels);
  RUN_TEST(hidden_names_of_two_packages_differ);
  RUN_TEST(lets_differ_by_number);
  RUN_TEST(labels_survive_growth_of_the_table);
  RUN_TEST(selectors_are_quoted_when_they_must_be);
}
