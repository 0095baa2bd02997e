/* provider.c - the transformers of a provider, and what each asks of a component.
**
** Only what matching needs is evaluated here: asking a transformer for its keys does not run it.
*/
#include "compiler/render/program.h"
#include "runtime/release/impl.h"

#include <stdlib.h>

static bool is_loaded(const Instance *package, RenderFailure *why) {
  if (!package->errors || !package->errors->n) return true;
  cue_diags_append(&why->details, package->errors);
  return program_failed(why, RENDER_INVALID, CUE_STR("the Kubernetes provider does not load"), CUE_STR(""));
}

static void names(CueContext *c, Vertex *t, const char *field, RenderNames *out) {
  CueValue v = program_data(c, program_field(c, t, field));
  for (uint32_t i = 0; v.kind == CUE_LIST && i < v.as.list->n; i++)
    if (v.as.list->at[i].kind == CUE_STRING) cue_push(c->a, out, cue_value_str(v.as.list->at[i]));
}

static int by_key(const void *x, const void *y) {
  const RenderTransformer *p = x, *q = y;
  return cue_str_cmp(p->key, q->key);
}

/* ---- the one inside the program ---- */

static bool is_inside(const Instance *p, unsigned depth) {
  enum { DEEPEST = 64 }; /* imports are not circular, but a wrong package may be anything */
  if (!p->files.n || depth > DEEPEST) return false;
  for (uint32_t i = 0; i < p->files.n; i++)
    if (!p->files.at[i]->source->stubs) return false;
  for (uint32_t i = 0; i < p->imports.n; i++)
    if (p->imports.at[i].instance && !is_inside(p->imports.at[i].instance, depth + 1)) return false;
  return true;
}

bool provider_is_inside(const Instance *package) { return is_inside(package, 0); }

static void described_names(CueContext *c, CueValue t, CueStr key, RenderNames *out) {
  CueValue l = release_at(t, key);
  for (uint32_t i = 0; l.kind == CUE_LIST && i < l.as.list->n; i++)
    cue_push(c->a, out, cue_value_str(l.as.list->at[i]));
}

/* The transformers as compiled code describes them. */
static void take_described(CueContext *c, RenderTransformers *p) {
  CueValue all = release_at(p->code->about, CUE_STR("transformers")),
           version = release_at(p->code->about, CUE_STR("version"));
  p->version = cue_value_str(version);
  for (uint32_t i = 0; i < all.as.list->n; i++) {
    CueValue t = all.as.list->at[i];
    RenderTransformer one = {.key = cue_value_str(release_at(t, CUE_STR("key")))};
    one.id = cue_strf(c->a, "%.*s#%.*s", CUE_FMT(p->name), CUE_FMT(one.key));
    one.labels = release_at(t, CUE_STR("labels"));
    described_names(c, t, CUE_STR("resources"), &one.resources);
    described_names(c, t, CUE_STR("traits"), &one.traits);
    described_names(c, t, CUE_STR("optionalTraits"), &one.optional_traits);
    cue_push(c->a, &p->transformers, one);
  }
}

/* What was compiled into the program is known to be right, and says of itself what evaluating its keys would. That goes
** for the very packages it was compiled of alone, and not for others of their names that a cache may have. */
static bool take_builtin(CueContext *c, const RenderOptions *o, RenderTransformers *p) {
  CueStr missing;
  if (!o->builtin || o->plans == PLANS_ALL || o->plans == PLANS_NONE) return false;
  if (p->from.package && !provider_is_inside(p->from.package)) return false;
  Compiled *code = cue_new(c->a, Compiled);
  if (!compiled_link(c->a, o->builtin, c->find_builtin, code, &missing)) return false;
  p->code = code;
  if (o->plans == PLANS_CHECK) return false;
  take_described(c, p);
  return true;
}

/* What was compiled into a file; where its CUE is there too, that can be asked for. */
static bool take_file(CueContext *c, const RenderOptions *o, RenderTransformers *p) {
  bool evaluated = !p->from.no_cue && (o->plans == PLANS_ALL || o->plans == PLANS_NONE);
  if (!p->from.compiled || evaluated) return false;
  p->code = p->from.compiled;
  if (!p->from.no_cue && o->plans == PLANS_CHECK) return false;
  take_described(c, p);
  return true;
}

/* ---- others ---- */

static const char *const sets[] = {"requiredResources", "requiredTraits", "optionalTraits"};

/* What every transformer asks for. To ask whether a set is there evaluates all that is in it, and almost always it is
** there: `guarded` is for providers that leave some out. */
static Instance *make_keys(CueContext *c, const RenderTransformers *p, bool guarded, RenderFailure *why) {
  CueBuf t = cue_buf(c->a);
  CueStr x = p->from.expr;
  cue_buf_f(&t,
            "metadata: {if %.*s.metadata.version != _|_ {version: %.*s.metadata.version}}\n"
            "transformers: {for k, t in %.*s.transformers {(k): {\n"
            "\tlabels: {if t.requiredLabels != _|_ {for a, b in t.requiredLabels {(a): b}}}\n",
            CUE_FMT(x), CUE_FMT(x), CUE_FMT(x));
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    cue_buf_f(&t, "\t%s: [", sets[i]);
    if (guarded) cue_buf_f(&t, "if t.%s != _|_ ", sets[i]);
    cue_buf_f(&t, "for a, _ in t.%s {a}]\n", sets[i]);
  }
  cue_buf_z(&t, "}}}\n");
  return program_make(c, cue_buf_done(&t), (ProgramImport[]){{"package", p->from.package}}, 1, &why->details);
}

static Bottom *wrong_with(CueContext *c, Instance *keys) {
  Vertex *all = program_field(c, keys->root, "transformers");
  return cue_validate(c->eval, all ? all : keys->root, (ValidateOptions){.concrete = true, .all_errors = true});
}

#define PROVIDER_HINT "a provider is a core.#Provider; opm config vet checks what config.providers says"

static bool no_transformers(CueContext *c, const RenderTransformers *p, RenderFailure *why) {
  return program_failed(why, RENDER_INVALID,
                        cue_strf(c->a, "provider \"%.*s\" has no transformer definitions", CUE_FMT(p->name)),
                        CUE_STR(PROVIDER_HINT));
}

bool render_provider(CueContext *c, const RenderOptions *o, RenderModule *m, RenderTransformers *p,
                     RenderFailure *why) {
  *p = (RenderTransformers){.from = o->provider};
  why->details.a = c->a;
  bool given = p->from.package || p->from.compiled, ours = !p->from.package && !p->from.no_cue;
  if (ours) {
    p->from.package = m->kubernetes; /* maybe none: if it is not loaded, it would be what was compiled */
    p->from.expr = CUE_STR("package.#Provider");
    p->from.name = CUE_STR("kubernetes");
    if (m->kubernetes && !is_loaded(m->kubernetes, why)) return false;
  }
  p->name = p->from.name;
  if (given ? take_file(c, o, p) : take_builtin(c, o, p)) return true;
  if (ours) {
    p->from.package = render_kubernetes(c, m);
    if (!is_loaded(p->from.package, why)) return false;
  }
  Instance *keys = make_keys(c, p, false, why);
  if (keys && wrong_with(c, keys)) keys = make_keys(c, p, true, why);
  if (!keys)
    return program_failed(why, RENDER_INVALID, cue_strf(c->a, "provider \"%.*s\" does not load", CUE_FMT(p->name)),
                          CUE_STR(""));
  Bottom *wrong = wrong_with(c, keys);
  if (wrong) {
    cue_value_report(c->eval, keys->root, wrong, &why->details);
    const CueDiag *first = why->details.first;
    if (why->details.n == 1 && cue_str_is(first->message, "undefined field: transformers")) {
      why->details = (CueDiags){.a = c->a};
      return no_transformers(c, p, why);
    }
    return program_failed(why, RENDER_INVALID, cue_strf(c->a, "provider \"%.*s\" is not valid", CUE_FMT(p->name)),
                          CUE_STR(PROVIDER_HINT));
  }
  p->version = program_string(c, keys->root, (const char *const[]){"metadata", "version", NULL});
  Vertex *all = program_field(c, keys->root, "transformers"), *d = all ? vertex_deref(all) : NULL;
  for (uint32_t i = 0; d && i < d->arcs.n; i++) {
    RenderTransformer one = {.key = label_name(c->labels, d->arcs.at[i]->label)};
    one.id = cue_strf(c->a, "%.*s#%.*s", CUE_FMT(p->name), CUE_FMT(one.key));
    one.labels = program_data(c, program_field(c, d->arcs.at[i], "labels"));
    names(c, d->arcs.at[i], sets[0], &one.resources);
    names(c, d->arcs.at[i], sets[1], &one.traits);
    names(c, d->arcs.at[i], sets[2], &one.optional_traits);
    cue_push(c->a, &p->transformers, one);
  }
  if (!p->transformers.n) return no_transformers(c, p, why);
  qsort(p->transformers.at, p->transformers.n, sizeof *p->transformers.at, by_key);
  return true;
}
