/* values_fuzz.c - any bytes as values of a module: what compiled parts make of them the evaluator makes, too.
**
** The bytes are either a series of changes to values that are right (see mutation.h), or values as they are written
** in a file. Most of them are wrong: there compiled parts must give up, and only now and then the
** evaluator is asked whether it thinks so, too.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/render.h"
#include "cli/table.h"
#include "compiler/render/compile.h"
#include "runtime/release/impl.h"
#include "tests/fuzz/fuzz.h"
#include "tests/mutation.h"

#define MODULE "bench/modules/shop"

typedef struct {
  Run run; /* first, to be found from it */
  Command command;
  CueArena *a; /* has all that follows */
  Compiled module, provider;
  CueValue values;
  ReleaseRenderer *renderer;
} Fuzzed;

static void must(bool ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "values_fuzz: %s\n", what);
  abort();
}

/* In the place of `mod build`: compiles instead. */
static ExitCode compile_parts(Run *run) {
  Fuzzed *f = (Fuzzed *)run;
  RenderOptions o;
  RenderResult r;
  RenderFailure why = {0};
  ExitCode code;
  CueStr missing;
  must(render_options(run, &o, &code), "no options");
  o.plans = PLANS_NONE;
  must(render(run->c, &o, &r, &why), MODULE " does not render");
  f->module = compile_module(run->c, &r.module);
  f->values = lower_data(run->c, r.release.values);
  must(compiled_link(run->a, o.builtin, run->c->find_builtin, &f->provider, &missing), "no provider");
  f->renderer = release_renderer_new(&f->module, &f->provider);
  return EXIT_OK;
}

/* Once in the life of the process, which has no other use. */
static Fuzzed *fuzzed(void) {
  static Fuzzed f;
  if (f.a) return &f;
  setenv("OPM_PLANS", "none", 1);
  setenv("OPM_COMPILE", "never", 1);
  f.a = cue_arena_new();
  CueBuf *out = cue_new(f.a, CueBuf), *err = cue_new(f.a, CueBuf);
  *out = cue_buf(f.a), *err = cue_buf(f.a);
  f.command = *command_find(command_find(&cli_commands, CUE_STR("mod")), CUE_STR("build"));
  f.command.run = compile_parts;
  f.run = (Run){.a = f.a, .command = &f.command, .path = CUE_STR("opm mod build"), .out = out, .err = err};
  char module[] = MODULE;
  char *argv[] = {module, NULL};
  run_words(&f.run, 1, argv);
  must(f.renderer != NULL, MODULE " is not compiled whole");
  return &f;
}

/* Changes one after the other; each is two bytes. */
static CueValue changed(CueArena *a, CueValue v, const uint8_t *data, size_t size) {
  for (size_t i = 0; i + 1 < size && i < 16; i += 2) {
    Mutations all = mutations_of(a, v);
    v = mutation_apply(a, v, all.at[(data[i] << 8 | data[i + 1]) % all.n]);
  }
  return v;
}

static int evaluate(CueArena *a, CueStr input, CueBuf *out) {
  CueArena *own = cue_arena_new();
  CueBuf err = cue_buf(a);
  Run r = {.a = own, .command = &cli_commands, .path = CUE_STR("opm"), .input = input, .has_input = true};
  r.out = out, r.err = &err;
  char words[][32] = {"mod", "build", MODULE, "-f", "-"};
  char *argv[] = {words[0], words[1], words[2], words[3], words[4], NULL};
  int code = run_words(&r, 5, argv);
  cue_arena_free(own);
  return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Fuzzed *f = fuzzed();
  if (!size) return 0;
  CueArena *a = cue_arena_new();
  CueValue values;
  if (data[0] % 4) {
    values = changed(a, f->values, data + 1, size - 1);
  } else {
    size_t offset = 0;
    values = cue_read_json(a, (CueStr){(const char *)data + 1, size - 1}, &offset);
  }
  if (values.kind == CUE_STRUCT) {
    ReleaseInput in = {.values = values};
    Release rel;
    CueBuf parts = cue_buf(a), json = cue_buf(a), out = cue_buf(a);
    bool has = release_namespace(f->renderer, CUE_STR(""), CUE_STR(""), CUE_STR(""), CUE_STR(""), &in.namespace) &&
               release_render(f->renderer, a, &in, &rel);
    if (has) release_put_stream(&parts, &rel, false);
    if (has || data[size - 1] % 16 == 0) {
      cue_buf_z(&json, "{\"values\": ");
      cue_emit_json(&json, values, (CueJsonStyle){0});
      cue_buf_ch(&json, '}');
      int code = evaluate(a, cue_buf_done(&json), &out);
      if (has && (code || !cue_str_eq(cue_buf_done(&parts), cue_buf_done(&out)))) {
        fprintf(stderr, "values %s\nevaluated (%d):\n%s\ncompiled:\n%s\n", json.s, code, out.s, parts.s);
        abort();
      }
    }
  }
  cue_arena_free(a);
  return 0;
}
