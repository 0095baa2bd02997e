/* values_fuzz.c - any bytes as values of a module: what compiled code makes of them, plans and the evaluator make, too.
**
** The module is tests/fuzz/module. Its C is written and compiled when this program is built, with sanitizers and
** coverage, as that of the provider is. The bytes are one of three things: values as JSON; values that are right, with
** changes of tests/mutation.h; or the same with bytes of the input put into them. Code and plans are fast and both
** have every input, and must agree even on what they give up on. The evaluator is a thousand times slower, so it has
** those that were answered and are of a form that was not seen before, and some of the others.
**
** At the end stderr tells how many inputs got how far: a run in which nothing was answered has shown nothing.
*/
#include <stdio.h>
#include <stdlib.h>

#include "cli/render.h"
#include "cli/table.h"
#include "compiler/render/compile.h"
#include "providers/builtin.h"
#include "runtime/release/impl.h"
#include "stdlib/cue/stdlib.h"
#include "tests/fuzz/fuzz.h"
#include "tests/mutation.h"

#define MODULE "tests/fuzz/module"

extern const Compiled fuzzed_module; /* what was compiled of it */

enum { FORMS = 1 << 16, CHANGES = 6, ANSWERED_ONE_IN = 8, REFUSED_ONE_IN = 64 };

typedef struct {
  Run run; /* first, to be found from it */
  Command command;
  CueArena *a; /* has all that follows */
  Compiled code, plans, provider;
  CueValue values;
  ReleaseRenderer *coded, *planned;
  uint32_t forms[FORMS]; /* of values the evaluator had */
  unsigned inputs, answered, evaluated, confirmed, refused, slow;
} Fuzzed;

static void must(bool ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "values_fuzz: %s\n", what);
  abort();
}

/* ---- the module ---- */

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
  f->plans = compile_module(run->c, &r.module);
  f->values = lower_data(run->c, r.release.values);
  must(compiled_link(run->a, &fuzzed_module, cue_stdlib_find, &f->code, &missing), "the module is of another opm");
  must(compiled_link(run->a, builtin_kubernetes(), cue_stdlib_find, &f->provider, &missing), "no provider");
  f->coded = release_renderer_new(&f->code, &f->provider);
  f->planned = release_renderer_new(&f->plans, &f->provider);
  return EXIT_OK;
}

static Fuzzed fuzzed; /* libFuzzer hands nothing from one input to the next */

static void end(void) {
  Fuzzed *f = &fuzzed;
  fprintf(stderr,
          "values_fuzz: %u values, %u answered by compiled code; %u evaluated, of which %u with that answer, %u with "
          "an error that compiled code left to the evaluator, and %u with an answer it left to it\n",
          f->inputs, f->answered, f->evaluated, f->confirmed, f->refused, f->slow);
  if (f->coded) release_renderer_free(f->coded);
  if (f->planned) release_renderer_free(f->planned);
  cue_arena_free(f->a);
}

static Fuzzed *begin(void) {
  Fuzzed *f = &fuzzed;
  if (f->a) return f;
  setenv("OPM_PLANS", "none", 1);
  setenv("OPM_COMPILE", "never", 1);
  f->a = cue_arena_new();
  CueBuf *out = cue_new(f->a, CueBuf), *err = cue_new(f->a, CueBuf);
  *out = cue_buf(f->a), *err = cue_buf(f->a);
  f->command = *command_find(command_find(&cli_commands, CUE_STR("mod")), CUE_STR("build"));
  f->command.run = compile_parts;
  f->run = (Run){.a = f->a, .command = &f->command, .path = CUE_STR("opm mod build"), .out = out, .err = err};
  char module[] = MODULE;
  char *argv[] = {module, NULL};
  run_words(&f->run, 1, argv);
  atexit(end);
  must(f->coded && f->planned, MODULE " is not compiled whole");
  return f;
}

/* ---- values from bytes ---- */

typedef struct {
  CueArena *a;
  const uint8_t *at;
  size_t n;
} Bytes;

static unsigned next(Bytes *b) {
  if (!b->n) return 0;
  b->n--;
  return *b->at++;
}

/* What JSON could say: no text that is none. */
static CueStr next_text(Bytes *b) {
  size_t n = next(b) % 24;
  if (n > b->n) n = b->n;
  CueBuf t = cue_buf(b->a);
  for (size_t i = 0; i < n; i++) {
    unsigned ch = next(b);
    cue_buf_f(&t, ch < 0x80 ? "%c" : "\xc3%c", ch < 0x80 ? (char)(ch ? ch : 1) : (char)(0x80 | (ch & 0x3f)));
  }
  return cue_buf_done(&t);
}

static CueValue next_number(Bytes *b) {
  static const char *const odd[] = {"0.1",  "-0.0",    "1e3",     "1.0",        "9223372036854775808",
                                    "1e-7", "100.000", "12.3e40", "4294967295", "-1"};
  unsigned how = next(b);
  if (how < 128) return cue_int((int64_t)how - 8);
  if (how < 192) return cue_int((int64_t)(next(b) << 8 | next(b)));
  size_t offset = 0;
  return cue_read_json(b->a, cue_str(odd[how % (sizeof odd / sizeof *odd)]), &offset);
}

static CueValue next_value(Bytes *b) {
  switch (next(b) % 8) {
  case 0: return cue_null();
  case 1: return cue_bool(next(b) % 2);
  case 2:
  case 3: return next_number(b);
  case 4: return cue_list(cue_list_new(b->a, 0));
  case 5: return cue_struct(cue_struct_new(b->a, 0));
  default: return cue_string(next_text(b));
  }
}

/* A value of the same type if there is no great reason for another; a byte of zero leaves things as they are. */
static CueValue redrawn(Bytes *b, CueValue v) {
  unsigned how = next(b);
  if (how >= 250) return next_value(b);
  switch (v.kind) {
  case CUE_STRING: return how % 4 == 1 ? cue_string(next_text(b)) : v;
  case CUE_INT:
  case CUE_FLOAT: return how % 4 == 1 ? next_number(b) : v;
  case CUE_BOOL: return how % 4 == 1 ? cue_bool(!v.as.b) : v;
  case CUE_LIST: {
    uint32_t n = v.as.list->n, drop = how % 8 == 1 && n, more = how % 8 == 2 && n;
    CueList *l = cue_list_new(b->a, n - drop + more);
    for (uint32_t i = 0; i < l->n; i++) l->at[i] = redrawn(b, v.as.list->at[i < n ? i : 0]);
    return cue_list(l);
  }
  case CUE_STRUCT: {
    const CueStruct *from = v.as.fields;
    CueStruct *s = cue_struct_new(b->a, from->n + 1);
    s->n = 0;
    for (uint32_t i = 0; i < from->n; i++) {
      if (how % 8 == 1 && next(b) % 4 == 1) continue; /* it goes */
      s->at[s->n++] = (CueField){from->at[i].key, redrawn(b, from->at[i].value)};
    }
    if (how % 8 == 2 && from->n) {
      CueStr key = next_text(b);
      if (!cue_struct_get(s, key)) s->at[s->n++] = (CueField){key, redrawn(b, from->at[0].value)};
    }
    return cue_struct(s);
  }
  default: return v;
  }
}

/* Changes one after the other; each is two bytes. */
static CueValue changed(Bytes *b, CueValue v) {
  for (unsigned i = 0; b->n > 1 && i < CHANGES; i++) {
    Mutations all = mutations_of(b->a, v);
    unsigned which = next(b) << 8;
    v = mutation_apply(b->a, v, all.at[(which | next(b)) % all.n]);
  }
  return v;
}

static CueValue values_of(Bytes *b, CueValue right) {
  size_t offset = 0;
  switch (next(b) % 4) {
  case 0: return cue_read_json(b->a, (CueStr){(const char *)b->at, b->n}, &offset);
  case 1: return changed(b, right);
  default: return redrawn(b, right);
  }
}

/* ---- what becomes of them ---- */

static bool render_parts(ReleaseRenderer *by, CueArena *a, CueValue values, bool json, CueStr *text) {
  ReleaseInput in = {.values = values};
  Release out;
  CueBuf b = cue_buf(a);
  *text = CUE_STR("given up");
  if (!release_namespace(by, CUE_STR(""), CUE_STR(""), CUE_STR(""), CUE_STR(""), &in.namespace) ||
      !release_render(by, a, &in, &out))
    return false;
  release_put_stream(&b, &out, json, NULL, NULL);
  *text = cue_buf_done(&b);
  return true;
}

static bool evaluate(CueArena *a, CueStr input, bool json, CueStr *text) {
  CueArena *own = cue_arena_new();
  CueBuf out = cue_buf(a), err = cue_buf(a);
  Run r = {.a = own, .command = &cli_commands, .path = CUE_STR("opm"), .input = input, .has_input = true};
  r.out = &out, r.err = &err;
  char words[][32] = {"mod", "build", MODULE, "-f", "-", "-o", "yaml", "json"};
  char *argv[] = {words[0], words[1], words[2], words[3], words[4], words[5], words[json ? 7 : 6], NULL};
  int code = run_words(&r, 7, argv);
  cue_arena_free(own);
  *text = cue_buf_done(code ? &err : &out);
  return !code;
}

/* Keys and types, without what strings and numbers are. */
static uint32_t form_of(CueValue v, uint32_t h) {
  h = (h ^ v.kind) * 0x9e3779b1u;
  if (v.kind == CUE_LIST)
    for (uint32_t i = 0; i < v.as.list->n; i++) h = form_of(v.as.list->at[i], h);
  if (v.kind == CUE_STRUCT)
    for (uint32_t i = 0; i < v.as.fields->n; i++)
      h = form_of(v.as.fields->at[i].value, h ^ (uint32_t)cue_str_hash(v.as.fields->at[i].key));
  return h ^ h >> 15;
}

static bool new_form(Fuzzed *f, CueValue values) {
  uint32_t form = form_of(values, 0) | 1, *slot = &f->forms[(form >> 4) % FORMS];
  bool is_new = *slot != form;
  *slot = form;
  return is_new;
}

static void differ(CueStr values, const char *who, CueStr x, const char *other, CueStr y) {
  fprintf(stderr, "values_fuzz: values %.*s\n%s:\n%.*s\n%s:\n%.*s\n", CUE_FMT(values), who, CUE_FMT(x), other,
          CUE_FMT(y));
  abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Fuzzed *f = begin();
  CueArena *a = cue_arena_new();
  Bytes bytes = {a, data, size};
  CueValue values = values_of(&bytes, f->values);
  if (values.kind == CUE_STRUCT) {
    CueBuf given = cue_buf(a);
    CueStr coded, planned, evaluated;
    bool json = size % 2;
    cue_buf_z(&given, "{\"values\": ");
    cue_emit_json(&given, values, (CueJsonStyle){0});
    cue_buf_ch(&given, '}');
    CueStr text = cue_buf_done(&given);
    bool has = render_parts(f->coded, a, values, json, &coded);
    f->inputs++;
    f->answered += has;
    if (has != render_parts(f->planned, a, values, json, &planned) || !cue_str_eq(coded, planned))
      differ(text, "by code", coded, "by plans", planned);
    if (cue_str_hash(text) % (has ? ANSWERED_ONE_IN : REFUSED_ONE_IN) == 0 || (has && new_form(f, values))) {
      bool valid = evaluate(a, text, json, &evaluated);
      if (has && (!valid || !cue_str_eq(coded, evaluated))) differ(text, "by code", coded, "evaluated", evaluated);
      f->evaluated++;
      f->confirmed += has;
      f->refused += !has && !valid;
      f->slow += !has && valid;
    }
  }
  cue_arena_free(a);
  return 0;
}
