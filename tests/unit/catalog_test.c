/* catalog_test.c - the modules inside the program are right: what is left unread until it is used (compiler/source.h)
** must not hold errors. */
#include <greatest.h>

#include <string.h>

#include "stdlib/cue/stdlib.h"
#include "stdlib/opm/catalog.h"

SUITE(catalog_suite);

/* The first error of a package that is read whole, or NULL. */
static const char *wrong_with(CueArena *a, const char *package) {
  CueContext *c = cue_context_new(a, cue_stdlib_find);
  LoadConfig cfg = {.cwd = CUE_STR("/"),
                    .package = CUE_STR(""),
                    .cache_dir = CUE_STR("/nowhere"),
                    .comments = true,
                    .embedded = catalog_modules,
                    .nembedded = catalog_count};
  CueStr arg = cue_str(package);
  CueDiags d = {.a = a};
  Loaded *l = load_args(c, &cfg, &arg, 1).at[0];
  if (l->instance->errors->n)
    cue_diags_append(&d, l->instance->errors);
  else
    cue_build(c, l->instance, &d);
  CueBuf out = cue_buf(a);
  cue_diags_print(&out, &d, c->sources, CUE_STR("/"));
  cue_context_free(c);
  return d.n ? cue_buf_done(&out).s : NULL;
}

static CueStr dir_of(const char *name) {
  const char *slash = strrchr(name, '/');
  return (CueStr){name, slash ? (size_t)(slash - name) : 0};
}

/* Every folder with a file is a package. */
TEST packages_have_no_errors(void) {
  for (size_t i = 0; i < catalog_count; i++) {
    const LoadEmbedded *m = &catalog_modules[i];
    CueStr last = CUE_STR("cue.mod");
    for (size_t k = 0; k < m->n; k++) {
      CueStr dir = dir_of(m->files[k].name);
      if (cue_str_eq(dir, last) || cue_str_is(dir, "cue.mod")) continue;
      last = dir;
      CueArena *a = cue_arena_new();
      CueStr base = {m->path, strcspn(m->path, "@")};
      CueStr package = cue_strf(a, "%.*s%s%.*s@%s", CUE_FMT(base), dir.n ? "/" : "", CUE_FMT(dir), m->version);
      const char *wrong = wrong_with(a, package.s);
      if (wrong) fprintf(stderr, "%s: %s\n", package.s, wrong);
      ASSERT_FALSE(wrong);
      cue_arena_free(a);
    }
  }
  PASS();
}

SUITE(catalog_suite) { RUN_TEST(packages_have_no_errors); }
