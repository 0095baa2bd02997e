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
  Label stand_in = label_stand_in(t, CUE_STR("x"), 1);
  ASSERT(label_is_string(stand_in));
  ASSERT(stand_in != label_string(t, CUE_STR("x")));
  ASSERT_EQ(stand_in, label_stand_in(t, CUE_STR("x"), 1));
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

TEST indices_are_labels_without_a_table(void) {
  ASSERT_EQ(7, label_index(label_int(7)));
  ASSERT(label_int(0) != 0);
  ASSERT_EQ(LABEL_MAX_INT, label_index(label_int(LABEL_MAX_INT)));
  ASSERT(label_is_int(label_int(3)) && label_is_regular(label_int(3)) && !label_is_string(label_int(3)));
  PASS();
}

TEST kinds_are_told_by_prefix(void) {
  static const struct {
    const char *name;
    bool regular, def, hidden;
  } rows[] = {{"x", true, false, false},
              {"$x", true, false, false},
              {"#x", false, true, false},
              {"_x", false, false, true},
              {"_#x", false, true, true}};
  CueArena *a = cue_arena_new();
  LabelTable *t = label_table_new(a);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Label l = label_ident(t, cue_str(rows[i].name), CUE_STR("p"));
    ASSERT_EQ(rows[i].regular, label_is_regular(l));
    ASSERT_EQ(rows[i].def, label_is_def(l));
    ASSERT_EQ(rows[i].hidden, label_is_hidden(l));
    ASSERT(!label_is_let(l));
    ASSERT(cue_str_is(label_name(t, l), rows[i].name));
  }
  ASSERT(label_is_let(label_let(t, CUE_STR("x"), 3)));
  ASSERT_EQ(3, label_let_id(t, label_let(t, CUE_STR("x"), 3)));
  cue_arena_free(a);
  PASS();
}

/* Names are byte strings: the empty one and those with a NUL are names like others. */
TEST odd_names_are_kept_apart(void) {
  CueArena *a = cue_arena_new();
  LabelTable *t = label_table_new(a);
  Label none = label_string(t, CUE_STR("")), nul = label_string(t, CUE_STR("a\0b")),
        plain = label_string(t, CUE_STR("a"));
  ASSERT(none && none != nul && nul != plain && none != plain);
  ASSERT(none != LABEL_ANY_STRING && label_is_string(LABEL_ANY_STRING));
  ASSERT(cue_str_is(label_selector(t, a, none), "\"\""));
  ASSERT_EQ(3, label_name(t, nul).n);
  cue_arena_free(a);
  PASS();
}

SUITE(label_suite) {
  RUN_TEST(equal_names_are_equal_labels);
  RUN_TEST(hidden_names_of_two_packages_differ);
  RUN_TEST(lets_differ_by_number);
  RUN_TEST(labels_survive_growth_of_the_table);
  RUN_TEST(selectors_are_quoted_when_they_must_be);
  RUN_TEST(indices_are_labels_without_a_table);
  RUN_TEST(kinds_are_told_by_prefix);
  RUN_TEST(odd_names_are_kept_apart);
}
