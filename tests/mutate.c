/* mutate.c - inputs with one thing changed, rendered in every way there is: same bytes, or same error.
**
**   mutate [--seed S] [--functions N] [--builds N] [-t SUBSTRING] ARCHIVE...
**
** Every `exec opm mod build` of an archive that is to succeed is rendered once by the evaluator. Then
**
**   - the data that went into each transformer, component and context, is changed in one place (see
**     mutation.h) and given to the evaluator, to the plan, and to the code that the plan became: where they
**     have an answer it must be the same, and a function may have none where the evaluator has one, but not
**     the other way round;
**   - the effective values are changed in one place and the module is built with them, by the
**     evaluator alone and in every other way: output, messages and exit code must be the same. The module
**     itself is compiled as well, and what rendering from compiled parts gives must be the same again.
**
** Of the changes that are possible, N for each transformer and N for each build are made (0: all), by
** the seed. Everything happens in this process, a child for each archive, so that a crash costs one.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/render.h"
#include "cli/table.h"
#include "compiler/render/compile.h"
#include "runtime/release/impl.h"
#include "tests/build_line.h"
#include "tests/mutation.h"
#include "tests/proc.h"
#include "tests/txtar.h"

#define MUTATED "mutated-values.json"

typedef struct {
  uint64_t seed;
  uint32_t functions, builds; /* changes for each; 0 for all */
} Amount;

typedef struct {
  uint32_t same, differ;
  uint32_t gave_up; /* of same: where the evaluator had an answer, and something compiled had none */
  uint32_t values;  /* of same: where there was an answer at all */
} Count;

typedef struct {
  Run run; /* of the command this hooks into; first, so that one is found from the other */
  Command command;
  const Amount *amount;
  uint64_t seed;
  const char *archive;
  Count functions;
  bool rendered;
  Compiled code;              /* of the provider inside the program; without functions if another is used */
  CueStr values;              /* effective, as JSON */
  Mutations changes;          /* of values, to be built */
  CUE_VEC(CueStr) from_parts; /* what rendering from compiled parts gives for each; NULL where it gave up */
} Rendering;

typedef struct {
  CueArena *a;
  const Amount *amount;
  const char *path;
  Txtar t;
} Archive;

/* ---- functions ---- */

/* What one transformer gets: {component, context}, so that a change is a change of one value. */
static CueValue inputs_of(CueContext *c, const RenderResult *r, const RenderComponent *k) {
  CueArena *a = c->a;
  CueValue component = lower_data(c, k->vertex);
  if (component.kind != CUE_STRUCT) return component;
  const CueValue *meta = cue_struct_get(component.as.fields, CUE_STR("metadata"));
  static const char *const copied[] = {"labels", "annotations"};
  CueStruct *own = cue_struct_new(a, 3), *context = cue_struct_new(a, 5), *both = cue_struct_new(a, 2);
  own->n = 0;
  own->at[own->n++] = (CueField){CUE_STR("name"), cue_string(k->name)};
  for (size_t i = 0; i < 2 && meta && meta->kind == CUE_STRUCT; i++) {
    const CueValue *x = cue_struct_get(meta->as.fields, cue_str(copied[i]));
    if (x) own->at[own->n++] = (CueField){cue_str(copied[i]), *x};
  }
  context->n = 4;
  context->at[0] = (CueField){CUE_STR("name"), cue_string(r->release.name)};
  context->at[1] = (CueField){CUE_STR("namespace"), cue_string(r->release.namespace)};
  context->at[2] = (CueField){CUE_STR("#moduleReleaseMetadata"),
                              lower_data(c, program_field(c, r->release.program->root, "metadata"))};
  context->at[3] = (CueField){CUE_STR("#componentMetadata"), cue_struct(own)};
  if (r->release.env)
    context->at[context->n++] = (CueField){CUE_STR("#environmentMetadata"),
                                           lower_data(c, program_field(c, r->release.program->root, "environment"))};
  both->at[0] = (CueField){CUE_STR("component"), component};
  both->at[1] = (CueField){CUE_STR("context"), cue_struct(context)};
  return cue_struct(both);
}

static void put_input(CueBuf *t, const char *name, const CueValue *v) {
  if (!v) return;
  cue_buf_f(t, "\t%s: ", name);
  if (strcmp(name, "#context") != 0 || v->kind != CUE_STRUCT) {
    cue_emit_json(t, *v, (CueJsonStyle){0});
  } else { /* its fields are definitions, which JSON has not */
    cue_buf_ch(t, '{');
    for (uint32_t i = 0; i < v->as.fields->n; i++) {
      const CueField *f = &v->as.fields->at[i];
      if (f->key.s[0] == '#')
        cue_buf_str(t, f->key);
      else
        program_quote(t, f->key);
      cue_buf_z(t, ": ");
      cue_emit_json(t, f->value, (CueJsonStyle){0});
      cue_buf_z(t, ", ");
    }
    cue_buf_ch(t, '}');
  }
  cue_buf_ch(t, '\n');
}

/* The objects in what a transformer gave, as they are printed. */
static CueStr objects_text(CueArena *a, CueValue v) {
  CueBuf b = cue_buf(a);
  bool many = v.kind == CUE_LIST || (v.kind == CUE_STRUCT && !cue_struct_get(v.as.fields, CUE_STR("apiVersion")));
  uint32_t n = !many ? 1 : v.kind == CUE_LIST ? v.as.list->n : v.as.fields->n;
  for (uint32_t i = 0; i < n; i++) {
    CueValue x = !many ? v : v.kind == CUE_LIST ? v.as.list->at[i] : v.as.fields->at[i].value;
    release_put_json(&b, release_normalized(a, x), NULL);
  }
  return cue_buf_done(&b);
}

/* What the evaluator makes of a run; false if that is an error. */
static bool evaluated(CueContext *c, Vertex *run, CueStr *out) {
  Vertex *output = run && !vertex_bottom(vertex_deref(run)) ? program_field(c, run, "output") : NULL;
  if (!output || cue_validate(c->eval, output, (ValidateOptions){.concrete = true, .final = true, .all_errors = true}))
    return false;
  *out = objects_text(c->a, lower_data(c, output));
  return true;
}

static bool run_plan(CueContext *c, const Lowered *l, const CueValue *inputs, CueValue *out) {
  PlanRun r = {.a = c->a, .regexes = c->regexes, .inputs = inputs};
  r.vars = cue_array(c->a, CueValue, l->slots + 1);
  return plan_run(&r, l->plan, out);
}

static bool planned(CueContext *c, const TransformerPlans *p, CueValue changed, CueStr *out) {
  const CueValue *component = cue_struct_get(changed.as.fields, CUE_STR("component"));
  const CueValue *context = cue_struct_get(changed.as.fields, CUE_STR("context"));
  CueValue inputs[2], v;
  if (!component || !context) return false;
  inputs[0] = *component;
  if (!run_plan(c, &p->context, context, &inputs[1]) || !run_plan(c, &p->transform, inputs, &v)) return false;
  *out = objects_text(c->a, v);
  return true;
}

/* The same by code. */
static bool coded(CueContext *c, const Compiled *code, CueStr key, CueValue changed, CueStr *out) {
  CueValue all = release_at(code->about, CUE_STR("transformers")), t = {0}, inputs[2], v;
  for (uint32_t i = 0; all.kind == CUE_LIST && i < all.as.list->n; i++)
    if (cue_str_eq(release_text(all.as.list->at[i], CUE_STR("key")), key)) t = all.as.list->at[i];
  CueValue component = release_at(changed, CUE_STR("component")), context = release_at(changed, CUE_STR("context"));
  if (t.kind != CUE_STRUCT || plan_absent(component) || plan_absent(context)) return false;
  inputs[0] = component;
  if (!compiled_run(code, (uint32_t)release_at(t, CUE_STR("context")).as.i, c->a, c->regexes, &context, &inputs[1]) ||
      !compiled_run(code, (uint32_t)release_at(t, CUE_STR("transform")).as.i, c->a, c->regexes, inputs, &v))
    return false;
  *out = objects_text(c->a, v);
  return true;
}

static void show(CueStr text, const char *who) {
  int n = text.n > 600 ? 600 : (int)text.n;
  printf("    %s %.*s%s", who, n, text.s, n && text.s[n - 1] == '\n' ? "" : "\n");
}

enum { BATCH = 50 }; /* runs in one program */

static void compare_batch(Rendering *m, const RenderResult *r, const RenderMatch *match, const TransformerPlans *plans,
                          CueValue inputs, const Mutation *at, uint32_t n) {
  CueContext *c = m->run.c;
  CueBuf text = cue_buf(c->a);
  CueDiags d = {.a = c->a};
  CueValue changed[BATCH];
  for (uint32_t i = 0; i < n; i++) {
    changed[i] = mutation_apply(c->a, inputs, at[i]);
    cue_buf_f(&text, "run%u: %.*s.transformers", i, CUE_FMT(r->provider.from.expr));
    program_index(&text, match->transformer->key);
    cue_buf_z(&text, ".#transform & {\n");
    put_input(&text, "#component", cue_struct_get(changed[i].as.fields, CUE_STR("component")));
    put_input(&text, "#context", cue_struct_get(changed[i].as.fields, CUE_STR("context")));
    cue_buf_z(&text, "}\n");
  }
  ProgramImport imports[] = {{"package", r->provider.from.package}};
  Instance *p = program_make(c, cue_buf_done(&text), imports, 1, &d);
  if (!p) proc_die("mutate: a program does not build");
  for (uint32_t i = 0; i < n; i++) {
    CueStr want = CUE_STR("an error"), got = CUE_STR("gave up"), code = got;
    bool ok = evaluated(c, program_field(c, p->root, cue_strf(c->a, "run%u", i).s), &want);
    bool has = planned(c, plans, changed[i], &got), has_code = m->code.n > 0;
    if (has_code) coded(c, &m->code, match->transformer->key, changed[i], &code);
    m->functions.values += ok;
    m->functions.gave_up += ok && !has;
    if ((!has || (ok && cue_str_eq(want, got))) && (!has_code || cue_str_eq(got, code))) {
      m->functions.same++;
      if (ok && !has && getenv("GAVE_UP"))
        printf("  gave up: %.*s: %.*s\n", CUE_FMT(match->transformer->key),
               CUE_FMT(mutation_text(c->a, inputs, at[i])));
      continue;
    }
    m->functions.differ++;
    printf("%s: %.*s on \"%.*s\", %.*s:\n", m->archive, CUE_FMT(match->transformer->key),
           CUE_FMT(match->component->name), CUE_FMT(mutation_text(c->a, inputs, at[i])));
    show(want, "evaluated");
    show(got, "planned  ");
    if (has_code) show(code, "coded    ");
  }
}

/* Of a context, the renderer makes everything but labels and annotations, which people write; and an environment has
** been checked before. */
static bool can_happen(CueArena *a, CueValue inputs, Mutation m) {
  CueStr text = mutation_text(a, inputs, m);
  if (!cue_str_has_prefix(text, CUE_STR("context"))) return true;
  return !cue_str_has_prefix(text, CUE_STR("context.#environment")) &&
         (cue_str_find(text, CUE_STR(".labels")) > 0 || cue_str_find(text, CUE_STR(".annotations")) > 0);
}

static void compare_function(Rendering *m, const RenderResult *r, const RenderMatch *match) {
  CueContext *c = m->run.c;
  TransformerPlans plans;
  CueValue inputs = inputs_of(c, r, match->component);
  if (inputs.kind != CUE_STRUCT || !compile_transformer(c, &r->provider.from, match->transformer->key, &plans) ||
      !plans.transform.plan || !plans.context.plan)
    return;
  Mutations every = mutations_of(c->a, inputs), all = {0};
  for (uint32_t i = 0; i < every.n; i++)
    if (every.at[i].place && can_happen(c->a, inputs, every.at[i])) cue_push(c->a, &all, every.at[i]);
  if (m->amount->functions) mutations_sample(&all, m->amount->functions, &m->seed);
  for (uint32_t i = 0; i < all.n; i += BATCH)
    compare_batch(m, r, match, &plans, inputs, &all.at[i], all.n - i < BATCH ? all.n - i : BATCH);
}

/* ---- compiled parts ---- */

/* What the changed values become without the evaluator, if the module has none of its own. */
static void render_from_parts(Rendering *m, const RenderOptions *o, const RenderResult *r, CueValue values) {
  CueContext *c = m->run.c;
  CueArena *keep = m->run.out->a;
  RenderOptions alone = *o; /* a module is compiled without the values that are given */
  RenderModule *loaded = cue_new(c->a, RenderModule);
  RenderFailure why = {.details = {.a = c->a}};
  alone.without_values = true;
  alone.values = NULL;
  alone.nvalues = 0;
  if (!render_module(c, &alone, loaded, &why) || loaded->release) return;
  Compiled module = compile_module(c, loaded), plans;
  if (!m->code.n) plans = compile_provider(c, &r->provider);
  ReleaseRenderer *renderer = release_renderer_new(&module, m->code.n ? &m->code : &plans);
  ReleaseEnvironmentKnown e = {.namespace = CUE_STR("")};
  bool can = renderer && release_at(module.about, CUE_STR("values")).kind == CUE_STRING &&
             (!o->environment.n || (!o->environments.n && release_environment(renderer, o->environment, &e)));
  for (uint32_t i = 0; i < m->changes.n; i++) {
    CueArena *a = cue_arena_new();
    ReleaseInput in = {.name = o->name, .values = mutation_apply(a, values, m->changes.at[i])};
    if (can && o->environment.n) {
      in.environment = &e.is;
      if (!release_partial(renderer, a, in.values))
        in.values = (CueValue){0}; /* for the evaluator to say */
      else
        in.values = release_merge(a, in.values, e.values);
    }
    Release out;
    CueStr text = {0};
    if (can && in.values.kind == CUE_STRUCT &&
        release_namespace(renderer, o->namespace, e.namespace, o->preferred, o->fallback, &in.namespace) &&
        release_render(renderer, a, &in, &out)) {
      CueBuf b = cue_buf(keep);
      release_put_stream(&b, &out, false, NULL, NULL);
      text = cue_buf_done(&b);
    }
    cue_push(keep, &m->from_parts, text);
    cue_arena_free(a);
  }
  if (renderer) release_renderer_free(renderer);
}

/* In the place of `mod build`: renders, and then does the same again with other data. */
static ExitCode render_and_compare(Run *run) {
  Rendering *m = (Rendering *)run;
  RenderOptions o;
  RenderResult r;
  RenderFailure why = {0};
  ExitCode code;
  if (!render_options(run, &o, &code)) return code;
  o.plans = PLANS_NONE;
  if (!render(run->c, &o, &r, &why) || r.errors.n || r.unmatched.n) return EXIT_INVALID;
  CueValue values = r.release.values ? lower_data(run->c, r.release.values) : cue_null();
  if (values.kind != CUE_STRUCT) values = cue_struct(cue_struct_new(run->a, 0));
  CueBuf text = cue_buf(run->out->a); /* outlives the run */
  cue_emit_json(&text, values, (CueJsonStyle){0});
  m->values = cue_buf_done(&text);
  m->rendered = true;
  m->changes = mutations_of(run->out->a, values);
  uint64_t seed = m->seed;
  if (m->amount->builds) mutations_sample(&m->changes, m->amount->builds, &seed);
  CueStr missing;
  bool inside = o.builtin && r.module.kubernetes && provider_is_inside(r.module.kubernetes);
  if (!inside || !compiled_link(run->a, o.builtin, run->c->find_builtin, &m->code, &missing)) m->code.n = 0;
  if (!r.module.given.n) render_from_parts(m, &o, &r, values);
  for (uint32_t i = 0; i < r.matches.n; i++)
    if (r.matches.at[i].matched) compare_function(m, &r, &r.matches.at[i]);
  return EXIT_OK;
}

/* ---- commands ---- */

typedef struct {
  int code;
  CueStr out, err;
} Said;

/* A command line of opm, run here. */
static Said opm(CueArena *a, const Words *words) {
  CueArena *own = cue_arena_new();
  CueBuf out = cue_buf(a), err = cue_buf(a);
  Run r = {.a = own, .command = &cli_commands, .path = CUE_STR("opm"), .out = &out, .err = &err};
  int code = run_words(&r, (int)words->n, (char **)(uintptr_t)words->at);
  cue_arena_free(own);
  return (Said){code, cue_buf_done(&out), cue_buf_done(&err)};
}

/* Ways to render besides the evaluator's. */
static const struct {
  const char *name, *plans;
} ways[] = {{"plans", "all"}, {"code", "many"}, {"compiled parts", "compiled"}};

static bool same_said(const Said *x, const Said *y) {
  return x->code == y->code && cue_str_eq(x->out, y->out) && cue_str_eq(x->err, y->err);
}

static void compare_build(Archive *ar, const Words *words, CueValue values, const Mutation *m, CueStr parts,
                          Count *count) {
  CueArena *a = cue_arena_new();
  CueBuf text = cue_buf(a);
  cue_buf_z(&text, "{\"values\": ");
  cue_emit_json(&text, mutation_apply(a, values, *m), (CueJsonStyle){0});
  cue_buf_ch(&text, '}');
  file_write(MUTATED, cue_buf_done(&text));
  setenv("OPM_PLANS", "none", 1);
  Said want = opm(a, words);
  bool same = true;
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    setenv("OPM_PLANS", ways[i].plans, 1);
    Said got = opm(a, words);
    if (same_said(&want, &got)) continue;
    same = false;
    printf("%s: values with %.*s: %s exits with %d, the evaluator with %d\n", ar->path,
           CUE_FMT(mutation_text(a, values, *m)), ways[i].name, got.code, want.code);
    show(want.code ? want.err : want.out, "evaluated");
    show(got.code ? got.err : got.out, "otherwise");
  }
  if (parts.s && (want.code || !cue_str_eq(want.out, parts))) {
    same = false;
    printf("%s: values with %.*s: compiled parts have an answer, the evaluator exits with %d\n", ar->path,
           CUE_FMT(mutation_text(a, values, *m)), want.code);
    show(want.code ? want.err : want.out, "evaluated");
    show(parts, "parts    ");
  }
  count->gave_up += want.code == 0 && !parts.s;
  count->same += same;
  count->differ += !same;
  count->values += want.code == 0;
  cue_arena_free(a);
}

static void compare_builds(Archive *ar, const BuildLine *b, const Rendering *m, Count *count) {
  size_t offset = 0;
  CueValue values = cue_read_json(ar->a, m->values, &offset);
  Words words = {0};
  cue_push(ar->a, &words, "mod");
  cue_push(ar->a, &words, "build");
  for (uint32_t i = 0; i < b->others.n; i++) cue_push(ar->a, &words, b->others.at[i]);
  static const char *const more[] = {"--timestamps=false", "-f", MUTATED};
  for (size_t i = 0; i < 3; i++) cue_push(ar->a, &words, more[i]);
  for (uint32_t i = 0; i < m->changes.n; i++)
    compare_build(ar, &words, values, &m->changes.at[i], i < m->from_parts.n ? m->from_parts.at[i] : (CueStr){0},
                  count);
}

/* ---- archives ---- */

static void add(Count *to, const Count *x) {
  to->same += x->same;
  to->differ += x->differ;
  to->gave_up += x->gave_up;
  to->values += x->values;
}

static void run_line(Archive *ar, const Words *w, CueStr input, Count *functions, Count *builds) {
  BuildLine b;
  if (!build_line_parse(ar->a, w, &b)) return;
  CueArena *own = cue_arena_new();
  CueBuf out = cue_buf(ar->a), err = cue_buf(ar->a);
  Rendering m = {.command = *command_find(command_find(&cli_commands, CUE_STR("mod")), CUE_STR("build")),
                 .amount = ar->amount,
                 .seed = ar->amount->seed ^ cue_str_hash(cue_str(ar->path)),
                 .archive = ar->path};
  m.command.run = render_and_compare;
  m.run = (Run){.a = own,
                .command = &m.command,
                .path = CUE_STR("opm mod build"),
                .input = input,
                .has_input = input.s != NULL,
                .out = &out,
                .err = &err};
  run_words(&m.run, (int)b.args.n, (char **)(uintptr_t)b.args.at);
  cue_arena_free(own);
  add(functions, &m.functions);
  if (m.rendered) compare_builds(ar, &b, &m, builds);
}

/* In a child, in the scratch folder of the archive. The last line of what it prints are the numbers. */
static int run_archive(void *arg) {
  Archive *ar = arg;
  CueStr line, input = {0};
  Count functions = {0}, builds = {0};
  Section *cmd = txtar_find(&ar->t, CUE_STR("cmd"));
  for (size_t at = 0; cmd && script_next(cmd->text, &at, &line);) {
    Words w = script_words(ar->a, line);
    if (w.n == 2 && strcmp(w.at[0], "cd") == 0 && chdir(w.at[1]) != 0) return 1;
    if (w.n == 2 && strcmp(w.at[0], "stdin") == 0) file_read(ar->a, w.at[1], &input);
    if (w.n == 2 && strcmp(w.at[0], "env") == 0) putenv((char *)(uintptr_t)w.at[1]);
    if (!build_line_is(&w)) continue;
    run_line(ar, &w, input, &functions, &builds);
    input = (CueStr){0};
  }
  printf("counted %u %u %u %u %u %u %u %u\n", functions.same, functions.differ, functions.gave_up, functions.values,
         builds.same, builds.differ, builds.gave_up, builds.values);
  fflush(stdout);
  return 0;
}

/* What a child printed: differences, and numbers. False if it did not get to the end. */
static bool take(const ProcResult *p, Count *functions, Count *builds) {
  ptrdiff_t at = cue_str_find(p->out, CUE_STR("counted "));
  Count f = {0}, b = {0};
  if (p->exit || at < 0 ||
      sscanf(p->out.s + at, "counted %u %u %u %u %u %u %u %u", &f.same, &f.differ, &f.gave_up, &f.values, &b.same,
             &b.differ, &b.gave_up, &b.values) != 8) {
    printf("%.*s%.*s", CUE_FMT(p->out), CUE_FMT(p->err));
    return false;
  }
  printf("%.*s", (int)at, p->out.s);
  add(functions, &f);
  add(builds, &b);
  return true;
}

int main(int argc, char **argv) {
  CueArena *a = cue_arena_new();
  Amount amount = {.seed = 1, .functions = 20, .builds = 10};
  const char *filter = "";
  Count functions = {0}, builds = {0};
  uint32_t broken = 0;
  int i = 1;
  for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
    if (strcmp(argv[i], "--seed") == 0)
      amount.seed = strtoull(argv[i + 1], NULL, 10);
    else if (strcmp(argv[i], "--functions") == 0)
      amount.functions = (uint32_t)strtoul(argv[i + 1], NULL, 10);
    else if (strcmp(argv[i], "--builds") == 0)
      amount.builds = (uint32_t)strtoul(argv[i + 1], NULL, 10);
    else if (strcmp(argv[i], "-t") == 0)
      filter = argv[i + 1];
    else
      break;
  }
  if (i >= argc || argv[i][0] == '-') {
    fprintf(stderr, "usage: mutate [--seed S] [--functions N] [--builds N] [-t SUBSTRING] ARCHIVE...\n");
    return 2;
  }
  for (; i < argc; i++) {
    CueStr text;
    if (!strstr(argv[i], filter)) continue;
    if (!file_read(a, argv[i], &text)) proc_die("read %s", argv[i]);
    Archive ar = {.a = a, .amount = &amount, .path = argv[i], .t = txtar_parse(a, text)};
    const char *dir = scratch_dir(a);
    for (uint32_t k = 0; k < ar.t.sections.n; k++) {
      const Section *s = &ar.t.sections.at[k];
      if (!cue_str_is(s->name, "cmd") && !cue_str_has_prefix(s->name, CUE_STR("expect/")))
        file_write(cue_strf(a, "%s/%.*s", dir, CUE_FMT(s->name)).s, s->text);
    }
    ProcResult p = proc_call(a, run_archive, &ar, (ProcOptions){.cwd = dir, .timeout = 3600});
    if (!take(&p, &functions, &builds)) {
      printf("%s: did not get to the end (%d)\n", argv[i], p.exit);
      broken++;
    }
    dir_remove(dir);
  }
  printf("mutate: transformers: %u changes, %u with an answer (the plan gave up on %u of these), %u differ\n",
         functions.same + functions.differ, functions.values, functions.gave_up, functions.differ);
  printf("mutate: builds: %u changes, %u with an answer (compiled parts gave up on %u of these), %u differ\n",
         builds.same + builds.differ, builds.values, builds.gave_up, builds.differ);
  printf("mutate: %u passed, %u failed\n", functions.same + builds.same, functions.differ + builds.differ + broken);
  cue_arena_free(a);
  return functions.differ + builds.differ + broken != 0;
}
