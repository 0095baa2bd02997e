/* compile_provider.c - a provider as functions on data. */
#include "compiler/render/compile.h"

bool compile_transformer(CueContext *c, const RenderProvider *from, CueStr key, TransformerPlans *out) {
  CueBuf text = cue_buf(c->a);
  CueDiags d = {.a = c->a};
  static const char *const fields[][2] = {{"function", ""}, {"context", ".#context"}};
  for (size_t i = 0; i < 2; i++) {
    cue_buf_f(&text, "%s: %.*s.transformers", fields[i][0], CUE_FMT(from->expr));
    program_index(&text, key);
    cue_buf_f(&text, ".#transform%s\n", fields[i][1]);
  }
  Instance *f = program_build(c, cue_buf_done(&text), (ProgramImport[]){{"package", from->package}}, 1, &d);
  if (!f) return false;
  out->transform = lower_transform(c, f, "function");
  out->context = lower_context(c, f, "context");
  return true;
}

CueStr compile_why(CueContext *c, const Lowered *l) {
  CueLineCol lc = cue_source_line(c->sources, l->at);
  if (!lc.line) return l->why; /* of something that nobody wrote */
  return cue_strf(c->a, "%.*s at %.*s:%u:%u", CUE_FMT(l->why), CUE_FMT(lc.file), lc.line, lc.col);
}

/* ---- the description ---- */

CueValue render_strings(CueArena *a, const RenderNames *names) {
  CueList *l = cue_list_new(a, names->n);
  for (uint32_t i = 0; i < l->n; i++) l->at[i] = cue_string(names->at[i]);
  return cue_list(l);
}

static CueValue struct_of(CueArena *a, const CueField *at, uint32_t n) {
  CueStruct *s = cue_struct_new(a, n);
  for (uint32_t i = 0; i < n; i++) s->at[i] = at[i];
  return cue_struct(s);
}

/* The part of an FQN that people know: what follows the last "#". */
static CueStr short_name(CueStr key) {
  for (size_t i = key.n; i > 0; i--)
    if (key.s[i - 1] == '#') return cue_str_sub(key, i, key.n);
  return key;
}

static CompiledFunction function(CueContext *c, const char *what, CueStr key, bool built, const Lowered *l) {
  CompiledFunction f = {.name = cue_strf(c->a, "%s of %.*s", what, CUE_FMT(short_name(key)))};
  f.why = CUE_STR("");
  if (!built)
    f.why = CUE_STR("its CUE does not load");
  else if (!l->plan)
    f.why = compile_why(c, l);
  f.plan = built ? l->plan : NULL;
  f.slots = built ? l->slots : 0;
  return f;
}

static CueValue describe(CueArena *a, const RenderTransformer *t, uint32_t transform) {
  CueField at[] = {
      {CUE_STR("key"), cue_string(t->key)},
      {CUE_STR("labels"), t->labels.kind == CUE_STRUCT ? t->labels : cue_struct(cue_struct_new(a, 0))},
      {CUE_STR("resources"), render_strings(a, &t->resources)},
      {CUE_STR("traits"), render_strings(a, &t->traits)},
      {CUE_STR("optionalTraits"), render_strings(a, &t->optional_traits)},
      {CUE_STR("transform"), cue_int(transform)},
      {CUE_STR("context"), cue_int(transform + 1)},
  };
  return struct_of(a, at, sizeof at / sizeof *at);
}

CueValue render_described(CueArena *a, const RenderTransformers *p) {
  CueList *l = cue_list_new(a, p->transformers.n);
  for (uint32_t i = 0; i < l->n; i++) l->at[i] = describe(a, &p->transformers.at[i], 2 * i);
  return cue_list(l);
}

Compiled compile_provider(CueContext *c, const RenderTransformers *p) {
  uint32_t n = p->transformers.n;
  CompiledFunction *functions = cue_array(c->a, CompiledFunction, 2 * n + 1);
  for (uint32_t i = 0; i < n; i++) {
    const RenderTransformer *t = &p->transformers.at[i];
    TransformerPlans plans;
    bool built = compile_transformer(c, &p->from, t->key, &plans);
    functions[2 * i] = function(c, "transform", t->key, built, &plans.transform);
    functions[2 * i + 1] = function(c, "context", t->key, built, &plans.context);
  }
  CueField at[] = {
      {CUE_STR("name"), cue_string(p->name)},
      {CUE_STR("version"), cue_string(p->version)},
      {CUE_STR("transformers"), render_described(c->a, p)},
  };
  return (Compiled){.kind = COMPILED_PROVIDER,
                    .about = struct_of(c->a, at, sizeof at / sizeof *at),
                    .functions = functions,
                    .n = 2 * n};
}
