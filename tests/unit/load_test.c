/* load_test.c - what the command line cannot show of the loader: modules inside the program, and fetching. */
#include <greatest.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/load.h"
#include "stdlib/cue/stdlib.h"

SUITE(load_suite);

#define FILE_OF(name, text) \
  { (name), (text), sizeof(text) - 1, NULL }
static const LoadEmbeddedFile files[] = {
    FILE_OF("cue.mod/module.cue", "module: \"emb.example/m@v0\"\nlanguage: version: \"v0.15.0\"\n"),
    FILE_OF("m.cue", "package m\nimport \"emb.example/m/sub\"\nx: sub.y\n"),
    FILE_OF("sub/s.cue", "package sub\ny: 7\n"),
};
static const LoadEmbedded modules[] = {{"emb.example/m@v0", "v0.1.0", files, 3}};

static void put(CueArena *a, CueStr dir, const char *name, const char *text) {
  CueStr path = cue_strf(a, "%.*s/%s", CUE_FMT(dir), name);
  FILE *f = fopen(path.s, "w");
  if (!f) return;
  fputs(text, f);
  fclose(f);
}

/* A module in a scratch folder with one file that imports `import`. */
static CueStr make_module(CueArena *a, const char *deps, const char *import) {
  CueStr dir = cue_str_copy(a, CUE_STR("/tmp/load_test_XXXXXX"));
  if (!mkdtemp((char *)(uintptr_t)dir.s)) return CUE_STR("");
  mkdir(cue_strf(a, "%.*s/cue.mod", CUE_FMT(dir)).s, 0700);
  put(a, dir, "cue.mod/module.cue",
      cue_strf(a, "module: \"main.example\"\nlanguage: version: \"v0.15.0\"\n%s", deps).s);
  put(a, dir, "a.cue", cue_strf(a, "package a\nimport \"%s\"\nz: m.x\n", import).s);
  return dir;
}

static void remove_module(CueArena *a, CueStr dir) {
  static const char *const names[] = {"a.cue", "cue.mod/module.cue"};
  for (size_t i = 0; i < 2; i++) unlink(cue_strf(a, "%.*s/%s", CUE_FMT(dir), names[i]).s);
  rmdir(cue_strf(a, "%.*s/cue.mod", CUE_FMT(dir)).s);
  rmdir(dir.s);
}

/* The value of z, or the first error. */
static const char *load(CueArena *a, CueStr dir, LoadConfig cfg) {
  CueContext *c = cue_context_new(a, cue_stdlib_find);
  cfg.cwd = dir;
  cfg.package = CUE_STR("");
  cfg.cache_dir = cue_strf(a, "%.*s/cache", CUE_FMT(dir));
  CueDiags d = {.a = a};
  Loaded *l = load_args(c, &cfg, NULL, 0).at[0];
  const char *says = NULL;
  if (l->instance->errors->n)
    says = l->instance->errors->first->message.s;
  else if (!cue_build(c, l->instance, &d))
    says = d.first->message.s;
  else {
    CueValue v = cue_export_data(c->eval, a, l->instance->root, &d);
    CueBuf b = cue_buf(a);
    if (d.n)
      cue_buf_str(&b, d.first->message);
    else
      cue_emit_json(&b, v, (CueJsonStyle){0});
    says = cue_buf_done(&b).s;
  }
  cue_context_free(c);
  return says;
}

TEST modules_inside_the_program_are_found(void) {
  CueArena *a = cue_arena_new();
  LoadConfig cfg = {.embedded = modules, .nembedded = 1};
  CueStr named = make_module(a, "deps: \"emb.example/m@v0\": v: \"v0.1.0\"\n", "emb.example/m");
  CueStr unnamed = make_module(a, "", "emb.example/m@v0");
  ASSERT_STR_EQ("{\"z\":7}", load(a, named, cfg));
  ASSERT_STR_EQ("{\"z\":7}", load(a, unnamed, cfg));
  remove_module(a, named);
  remove_module(a, unnamed);
  cue_arena_free(a);
  PASS();
}

typedef struct {
  int calls;
  CueStr module, version;
} Asked;

static bool fetch(void *user, CueArena *a, CueStr module, CueStr version, CueStr cache_dir, CueStr *why) {
  (void)cache_dir;
  Asked *asked = user;
  asked->calls++;
  asked->module = cue_str_copy(a, module);
  asked->version = cue_str_copy(a, version);
  *why = CUE_STR("no network");
  return false;
}

TEST modules_that_are_nowhere_are_fetched(void) {
  CueArena *a = cue_arena_new();
  Asked asked = {0};
  CueStr dir = make_module(a, "deps: \"far.example/m@v1\": v: \"v1.2.3\"\n", "far.example/m");
  const char *says = load(a, dir, (LoadConfig){.fetch = fetch, .fetch_user = &asked});
  ASSERT_STR_EQ("import failed: cannot find package \"far.example/m\": cannot fetch far.example/m@v1.2.3: no network",
                says);
  ASSERT_EQ(1, asked.calls);
  ASSERT(cue_str_is(asked.module, "far.example/m@v1") && cue_str_is(asked.version, "v1.2.3"));
  remove_module(a, dir);
  cue_arena_free(a);
  PASS();
}

SUITE(load_suite) {
  RUN_TEST(modules_inside_the_program_are_found);
  RUN_TEST(modules_that_are_nowhere_are_fetched);
}
