/* check.c - for tests: what was rendered by the evaluator rendered once more from compiled parts.
**
** The provider is compiled; the components are those the evaluator made, as if a compiled module had
** made them. Everything behind that, from the metadata of the release to the text of its objects,
** is done by both, and must be the same to the byte. What the evaluator finds an error in, compiled
** parts must give up on.
*/
#include "compiler/render/compile.h"
#include "runtime/release/impl.h"

typedef struct {
  CueContext *c;
  const RenderResult *r;
  RenderFailure *why;
} Check;

static bool differs(Check *k, const char *what, CueStr evaluated, CueStr compiled) {
  if (cue_str_eq(evaluated, compiled)) return false;
  cue_report(&k->why->details, 0, "evaluated:\n%.*s\ncompiled:\n%.*s", CUE_FMT(evaluated), CUE_FMT(compiled));
  program_failed(k->why, RENDER_INVALID, cue_strf(k->c->a, "compiled and evaluated differ: %s", what), CUE_STR(""));
  return true;
}

static CueStruct *struct_for(CueArena *a, uint32_t n) {
  CueStruct *s = cue_struct_new(a, n);
  s->n = 0;
  return s;
}

static void put(CueStruct *s, CueStr key, CueValue v) {
  if (v.kind != CUE_BOTTOM) s->at[s->n++] = (CueField){key, v};
}

static const Plan *constant(CueArena *a, CueValue v) {
  Plan *p = cue_new(a, Plan);
  p->kind = PLAN_CONST;
  p->value = v;
  return p;
}

/* ---- the module ---- */

static CueValue component(Check *k, const RenderComponent *x) {
  CueArena *a = k->c->a;
  CueStruct *s = struct_for(a, 6);
  put(s, CUE_STR("key"), cue_string(x->key));
  put(s, CUE_STR("name"), cue_string(x->name));
  put(s, CUE_STR("labels"), x->labels);
  put(s, CUE_STR("resources"), render_strings(a, &x->resources));
  put(s, CUE_STR("traits"), render_strings(a, &x->traits));
  put(s, CUE_STR("component"), lower_data(k->c, x->vertex));
  return cue_struct(s);
}

static Compiled module(Check *k) {
  CueArena *a = k->c->a;
  const RenderRelease *rel = &k->r->release;
  CueList *components = cue_list_new(a, rel->components.n);
  for (uint32_t i = 0; i < components->n; i++) components->at[i] = component(k, &rel->components.at[i]);
  CompiledFunction *f = cue_array(a, CompiledFunction, 2);
  f[0].plan = constant(a, cue_null());
  f[1].plan = constant(a, cue_list(components));
  CueStruct *about = struct_for(a, 3);
  put(about, CUE_STR("metadata"), rel->metadata ? lower_data(k->c, rel->metadata) : (CueValue){0});
  put(about, CUE_STR("config"), cue_int(0));
  put(about, CUE_STR("components"), cue_int(1));
  return (Compiled){.kind = COMPILED_MODULE, .about = cue_struct(about), .functions = f, .n = 2};
}

/* ---- both ---- */

static CueStr lines(CueArena *a, const CueStr *at, uint32_t n) {
  CueBuf b = cue_buf(a);
  for (uint32_t i = 0; i < n; i++) cue_buf_f(&b, "%.*s\n", CUE_FMT(at[i]));
  return cue_buf_done(&b);
}

static CueStr stream(CueArena *a, const Release *rel, bool json) {
  CueBuf b = cue_buf(a);
  release_put_stream(&b, rel, json, NULL, NULL);
  return cue_buf_done(&b);
}

static CueStr evaluated_matches(const Check *k) {
  CueBuf b = cue_buf(k->c->a);
  for (uint32_t i = 0; i < k->r->matches.n; i++) {
    const RenderMatch *m = &k->r->matches.at[i];
    if (m->matched) cue_buf_f(&b, "%.*s %.*s\n", CUE_FMT(m->component->name), CUE_FMT(m->transformer->key));
  }
  return cue_buf_done(&b);
}

static CueStr compiled_matches(const Check *k, const ReleaseRenderer *r, const Release *rel) {
  CueBuf b = cue_buf(k->c->a);
  for (uint32_t i = 0; i < rel->nmatches; i++)
    cue_buf_f(&b, "%.*s %.*s\n", CUE_FMT(rel->matches[i].component),
              CUE_FMT(release_transformer_key(r, rel->matches[i].transformer)));
  return cue_buf_done(&b);
}

static bool same(Check *k, ReleaseRenderer *renderer, const ReleaseInput *in) {
  CueArena *a = k->c->a;
  const RenderResult *r = k->r;
  Release out, want = render_released(a, r);
  bool ours = r->provider.from.package == r->module.kubernetes, good = !r->unmatched.n && !r->errors.n;
  bool rendered = release_render(renderer, a, in, &out);
  if (!rendered && !good) return true;
  if (!rendered && !ours) return true; /* transformers of others may be beyond lowering */
  if (rendered != good) return !differs(k, "verdict", good ? CUE_STR("ok") : CUE_STR("failed"), CUE_STR("otherwise"));
  return !differs(k, "identity", r->release.identity, out.identity) &&
         !differs(k, "matches", evaluated_matches(k), compiled_matches(k, renderer, &out)) &&
         !differs(k, "warnings", lines(a, r->warnings.at, r->warnings.n), lines(a, out.warnings, out.nwarnings)) &&
         !differs(k, "YAML", stream(a, &want, false), stream(a, &out, false)) &&
         !differs(k, "JSON", stream(a, &want, true), stream(a, &out, true));
}

bool render_check(CueContext *c, const RenderResult *r, RenderFailure *why) {
  if (r->module.release) return true; /* written out: it may say more of itself than a module does */
  Check k = {c, r, why};
  Compiled compiled = module(&k), provider = compile_provider(c, &r->provider);
  ReleaseEnvironmentKnown env;
  ReleaseInput in = {.name = r->release.name, .namespace = r->release.namespace};
  if (r->release.env && evaluated_environment(c, r->release.env, &env)) in.environment = &env.is;
  ReleaseRenderer *renderer = release_renderer_new(&compiled, &provider);
  if (!renderer) return program_failed(why, RENDER_INVALID, CUE_STR("compiled parts are not valid"), CUE_STR(""));
  bool ok = same(&k, renderer, &in);
  release_renderer_free(renderer);
  return ok;
}
