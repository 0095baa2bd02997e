/* module_test.c - import paths, versions and paths of files. */
#include <greatest.h>

#include "compiler/attr.h"
#include "compiler/load_fs.h"
#include "compiler/module.h"

SUITE(module_suite);

static bool clean_is(CueArena *arena, const char *path, const char *want) {
  return cue_str_is(path_clean(arena, cue_str(path)), want);
}
static bool rel_is(CueArena *arena, const char *base, const char *target, const char *want) {
  return cue_str_is(path_rel(arena, cue_str(base), cue_str(target)), want);
}
static int cmp(const char *x, const char *y) { return semver_cmp(cue_str(x), cue_str(y)); }

TEST import_paths_come_apart(void) {
  ImportPath p = import_path_parse(CUE_STR("a.b/c-d@v1:e"));
  ASSERT(cue_str_is(p.path, "a.b/c-d") && cue_str_is(p.version, "v1") && cue_str_is(p.qualifier, "e") &&
         p.explicit_qualifier);
  p = import_path_parse(CUE_STR("a.b/c"));
  ASSERT(cue_str_is(p.qualifier, "c") && !p.explicit_qualifier && !p.version.n);
  ASSERT(!import_path_parse(CUE_STR("a.b/c-d")).qualifier.n);
  ASSERT(cue_str_is(import_path_parse(CUE_STR(":x")).path, "."));
  PASS();
}

TEST import_paths_show_the_qualifier_when_it_is_not_implied(CueArena *arena) {
  ASSERT(
      cue_str_is(import_path_text(arena, import_path_canonical(import_path_parse(CUE_STR("a.b/c@v0:c")))), "a.b/c@v0"));
  ASSERT(cue_str_is(import_path_text(arena, import_path_parse(CUE_STR("a.b/c@v0:d"))), "a.b/c@v0:d"));
  PASS();
}

TEST versions_compare_as_semver(void) {
  ASSERT(cmp("v0.9.0", "v0.10.0") < 0);
  ASSERT(cmp("v1.0.0-alpha.1", "v1.0.0") < 0);
  ASSERT(cmp("v1.0.0-alpha.2", "v1.0.0-alpha.10") < 0);
  ASSERT(cmp("v1.0.0-alpha", "v1.0.0-alpha.1") < 0);
  ASSERT(cmp("v1.0.0-1", "v1.0.0-a") < 0);
  ASSERT_EQ(0, cmp("v1", "v1.0.0"));
  ASSERT(!semver_valid(CUE_STR("1.0.0")) && !semver_valid(CUE_STR("v01.0.0")) && !semver_valid(CUE_STR("v1.0.0-")));
  ASSERT(semver_valid(CUE_STR("v1.2")) && !semver_canonical(CUE_STR("v1.2")) &&
         semver_canonical(CUE_STR("v1.2.3-a.b")));
  ASSERT(cue_str_is(semver_major(CUE_STR("v12.3.4")), "v12"));
  ASSERT_EQ(15, semver_minor(CUE_STR("v0.15.4")));
  PASS();
}

TEST paths_are_cleaned_as_go_does(CueArena *arena) {
  ASSERT(clean_is(arena, "", ".") && clean_is(arena, "./a//b/", "a/b") && clean_is(arena, "a/../..", "..") &&
         clean_is(arena, "/../a", "/a"));
  ASSERT(clean_is(arena, "../../a", "../../a") && clean_is(arena, "a/b/../../../c", "../c") &&
         clean_is(arena, "/", "/"));
  PASS();
}

TEST relative_paths_go_up_and_down(CueArena *arena) {
  ASSERT(rel_is(arena, "/a/b", "/a/b", ".") && rel_is(arena, "/a/b", "/a/b/c/d", "c/d") &&
         rel_is(arena, "/a/b", "/a", ".."));
  ASSERT(rel_is(arena, "/a/b", "/a/bc", "../bc") && rel_is(arena, "/a/b/c", "/a/x/y", "../../x/y") &&
         rel_is(arena, "/", "/a", "a"));
  PASS();
}

TEST attributes_split_at_commas_outside_of_quotes(CueArena *arena) {
  Ast *n = ast_new(arena, AST_ATTRIBUTE, 0, 0);
  n->u.text = CUE_STR("@x(a, b=\"c,d\", e=[1,2], #\"f\"#)");
  Attr at = attr_parse(arena, n);
  CueStr value;
  ASSERT_EQ(4u, at.fields.n);
  ASSERT(cue_str_is(at.name, "x") && cue_str_is(attr_string(&at, 0), "a"));
  ASSERT(attr_lookup(&at, 1, "b", &value) && cue_str_is(value, "c,d"));
  ASSERT(attr_lookup(&at, 1, "e", &value) && cue_str_is(value, "[1,2]"));
  ASSERT(attr_flag(&at, 1, "f") && !attr_lookup(&at, 0, "z", &value));
  PASS();
}

SUITE(module_suite) {
  CueArena *arena = cue_arena_new();
  RUN_TEST(import_paths_come_apart);
  RUN_TESTp(import_paths_show_the_qualifier_when_it_is_not_implied, arena);
  RUN_TEST(versions_compare_as_semver);
  RUN_TESTp(paths_are_cleaned_as_go_does, arena);
  RUN_TESTp(relative_paths_go_up_and_down, arena);
  RUN_TESTp(attributes_split_at_commas_outside_of_quotes, arena);
  cue_arena_free(arena);
}
