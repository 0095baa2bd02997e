/* release.c - see release.h: the pipeline from values to objects. */
#include "runtime/fields.h"
#include "runtime/release/impl.h"
#include "runtime/release/match.h"

#include <stdlib.h>

#define NO_FUNCTION UINT32_MAX

typedef struct {
  CueStr key;
  uint32_t transform, context; /* functions of the provider */
} Transformer;

struct ReleaseRenderer {
  CueArena *a;
  CueRegexCache *regexes;
  const Compiled *module, *provider;
  ModuleMetadata metadata;
  uint32_t config, components, partial; /* functions of the module; NO_FUNCTION where there is none */
  MatchTable *matches;
  Transformer *transformers;
  uint32_t ntransformers;
};

/* ---- what was compiled ---- */

static uint32_t function_at(const Compiled *c, CueValue about, CueStr key) {
  CueValue v = release_at(about, key);
  if (v.kind != CUE_INT || v.form != CUE_PLAIN || v.as.i < 0 || v.as.i >= c->n) return NO_FUNCTION;
  return (uint32_t)v.as.i;
}

/* The first function that is the same: contexts mostly are, and are made once then. */
static uint32_t first_like(const Compiled *c, uint32_t function) {
  if (function == NO_FUNCTION) return function;
  const CompiledFunction *f = &c->functions[function], *like = c->functions;
  while (like->code != f->code || like->plan != f->plan) like++;
  return (uint32_t)(like - c->functions);
}

static bool take_provider(ReleaseRenderer *r) {
  CueValue all = release_at(r->provider->about, CUE_STR("transformers"));
  r->matches = match_table_new(r->a, all);
  if (!r->matches) return false;
  r->ntransformers = all.as.list->n;
  r->transformers = cue_array(r->a, Transformer, r->ntransformers + 1);
  for (uint32_t i = 0; i < r->ntransformers; i++) {
    CueValue one = all.as.list->at[i];
    Transformer *t = &r->transformers[i];
    t->key = release_text(one, CUE_STR("key"));
    t->transform = function_at(r->provider, one, CUE_STR("transform"));
    t->context = first_like(r->provider, function_at(r->provider, one, CUE_STR("context")));
  }
  return true;
}

ReleaseRenderer *release_renderer_new(const Compiled *module, const Compiled *provider) {
  if (module->kind != COMPILED_MODULE || provider->kind != COMPILED_PROVIDER) return NULL;
  CueArena *a = cue_arena_new();
  ReleaseRenderer *r = cue_new(a, ReleaseRenderer);
  *r = (ReleaseRenderer){.a = a, .module = module, .provider = provider, .regexes = cue_regex_cache_new()};
  r->metadata = module_metadata(module->about);
  r->config = function_at(module, module->about, CUE_STR("config"));
  r->components = function_at(module, module->about, CUE_STR("components"));
  r->partial = function_at(module, module->about, CUE_STR("partial"));
  if (r->components != NO_FUNCTION && take_provider(r)) return r;
  release_renderer_free(r);
  return NULL;
}

void release_renderer_free(ReleaseRenderer *r) {
  if (!r) return;
  cue_regex_cache_free(r->regexes);
  cue_arena_free(r->a);
}

CueStr release_transformer_key(const ReleaseRenderer *r, uint32_t transformer) {
  return transformer < r->ntransformers ? r->transformers[transformer].key : CUE_STR("");
}

bool release_partial(ReleaseRenderer *r, CueArena *a, CueValue values) {
  CueValue out;
  return r->partial != NO_FUNCTION && compiled_run(r->module, r->partial, a, r->regexes, &values, &out);
}

bool release_environment(const ReleaseRenderer *r, CueStr name, ReleaseEnvironmentKnown *out) {
  CueValue e = release_at(release_at(r->module->about, CUE_STR("environments")), name);
  if (e.kind != CUE_STRUCT) return false;
  *out = (ReleaseEnvironmentKnown){
      .is = {.name = name,
             .labels = release_at(e, CUE_STR("labels")),
             .annotations = release_at(e, CUE_STR("annotations"))},
      .namespace = release_text(e, CUE_STR("namespace")),
      .values = release_at(e, CUE_STR("values")),
  };
  return true;
}

bool release_namespace(const ReleaseRenderer *r, CueStr asked, CueStr environment, CueStr preferred, CueStr fallback,
                       CueStr *out) {
  CueStr choices[] = {asked, environment, preferred, r->metadata.namespace, fallback, CUE_STR("default")};
  size_t i = 0;
  while (!choices[i].n) i++;
  *out = choices[i];
  return !asked.n || !environment.n || cue_str_eq(asked, environment);
}

/* ---- components ---- */

typedef struct {
  CueStr name;
  uint32_t number; /* in #components */
  CueValue labels, resources, traits, data;
} Component;

static bool is_list(CueValue v) { return v.kind == CUE_LIST; }

static bool take_component(CueValue v, Component *out) {
  *out = (Component){
      .name = release_text(v, CUE_STR("name")),
      .labels = release_at(v, CUE_STR("labels")),
      .resources = release_at(v, CUE_STR("resources")),
      .traits = release_at(v, CUE_STR("traits")),
      .data = release_at(v, CUE_STR("component")),
  };
  return out->name.n && is_list(out->resources) && is_list(out->traits) && out->data.kind == CUE_STRUCT;
}

static int by_name(const void *x, const void *y) {
  const Component *p = x, *q = y;
  int c = cue_str_cmp(p->name, q->name);
  return c ? c : p->number < q->number ? -1 : p->number > q->number;
}

/* What two loops say of one component is one component; only the evaluator makes one of it. */
static bool is_another(CueArena *a, CueFields *keys, CueValue component) {
  CueStr key = release_text(component, CUE_STR("key"));
  if (cue_fields_find(a, keys, key)) return false;
  cue_fields_push(a, keys, key, cue_null());
  return true;
}

/* In order of their names, as they are told of. */
static bool take_components(CueArena *a, CueValue list, Component **out, uint32_t *n) {
  if (!is_list(list)) return false;
  Component *at = cue_array(a, Component, list.as.list->n + 1);
  CueFields keys = {0};
  bool in_order = true;
  for (uint32_t i = 0; i < list.as.list->n; i++) {
    if (!take_component(list.as.list->at[i], &at[i]) || !is_another(a, &keys, list.as.list->at[i])) return false;
    at[i].number = i;
    in_order &= !i || by_name(&at[i - 1], &at[i]) < 0;
  }
  *out = at;
  *n = list.as.list->n;
  if (!in_order) qsort(at, *n, sizeof *at, by_name);
  return true;
}

/* ---- objects ---- */

typedef struct {
  ReleaseRenderer *r;
  CueArena *a;
  Release *out;
  CueValue metadata, environment;
  CUE_VEC(ReleaseObject) objects;
  CUE_VEC(ReleaseMatch) matches;
  CUE_VEC(CueStr) warnings, idle; /* idle: those about traits, which come behind the others of all components */
} Rendering;

bool release_object(CueArena *a, CueValue given, ReleaseObject *out) {
  out->object = release_normalized(a, given);
  out->api_version = release_text(out->object, CUE_STR("apiVersion"));
  out->kind = release_text(out->object, CUE_STR("kind"));
  CueValue metadata = release_at(out->object, CUE_STR("metadata"));
  out->name = release_text(metadata, CUE_STR("name"));
  out->namespace = release_text(metadata, CUE_STR("namespace"));
  return out->api_version.n && out->kind.n && out->name.n;
}

static bool add_object(Rendering *x, const Component *k, uint32_t transformer, CueValue given) {
  ReleaseObject o = {.component = k->name, .transformer = transformer, .number = x->objects.n};
  if (!release_object(x->a, given, &o)) return false;
  cue_push(x->a, &x->objects, o);
  return true;
}

/* One object, a list of objects, or a struct of objects whose keys do not count. */
static bool add_output(Rendering *x, const Component *k, uint32_t transformer, CueValue v) {
  if (v.kind == CUE_STRUCT && cue_struct_get(v.as.fields, CUE_STR("apiVersion")))
    return add_object(x, k, transformer, v);
  bool ok = v.kind == CUE_STRUCT || v.kind == CUE_LIST;
  for (uint32_t i = 0; v.kind == CUE_STRUCT && ok && i < v.as.fields->n; i++)
    ok = add_object(x, k, transformer, v.as.fields->at[i].value);
  for (uint32_t i = 0; v.kind == CUE_LIST && ok && i < v.as.list->n; i++)
    ok = add_object(x, k, transformer, v.as.list->at[i]);
  return ok;
}

static void warn_of_unknown(Rendering *x, const Component *k, CueValue v, bool of_metadata) {
  for (uint32_t i = 0; v.kind == CUE_STRUCT && i < v.as.fields->n; i++) {
    CueStr key = v.as.fields->at[i].key;
    if (!match_is_component_field(key, of_metadata))
      cue_push(x->a, &x->warnings, match_unknown_field(x->a, k->name, key, of_metadata));
  }
}

static bool run_component(Rendering *x, const Component *k) {
  ReleaseRenderer *r = x->r;
  Matches m = match_component(r->matches, x->a, k->labels, k->resources, k->traits);
  if (!m.n) return false;
  for (uint32_t i = 0; i < m.nunhandled; i++)
    cue_push(x->a, &x->warnings, match_unhandled(x->a, k->name, m.unhandled[i]));
  for (uint32_t i = 0; i < m.nlabels; i++)
    cue_push(x->a, &x->warnings,
             match_idle_label(x->a, k->name, &m.labels[i], release_transformer_key(r, m.labels[i].transformer)));
  if (cue_str_is(release_text(k->data, CUE_STR("kind")), "Component")) {
    warn_of_unknown(x, k, k->data, false);
    warn_of_unknown(x, k, release_at(k->data, CUE_STR("metadata")), true);
  }
  CueValue given =
      context_input(x->a, x->out, x->metadata, x->environment, k->name, release_at(k->data, CUE_STR("metadata")));
  CueValue inputs[2] = {k->data}, output;
  uint32_t made = NO_FUNCTION; /* the function that made the context at hand */
  bool *gave = cue_array(x->a, bool, m.n);
  for (uint32_t i = 0; i < m.n; i++) {
    const Transformer *t = &r->transformers[m.at[i]];
    uint32_t before = x->objects.n;
    if (t->context != made && !compiled_run(r->provider, t->context, x->a, r->regexes, &given, &inputs[1]))
      return false;
    made = t->context;
    if (!compiled_run(r->provider, t->transform, x->a, r->regexes, inputs, &output) ||
        !add_output(x, k, m.at[i], output))
      return false;
    gave[i] = x->objects.n > before;
    cue_push(x->a, &x->matches, (ReleaseMatch){k->name, m.at[i]});
  }
  MatchIdle idle = match_idle(r->matches, x->a, &m, gave, k->traits);
  for (uint32_t i = 0; i < idle.n; i++)
    cue_push(x->a, &x->idle,
             match_idle_text(x->a, k->name, idle.at[i].trait, release_transformer_key(r, idle.at[i].transformer)));
  return true;
}

static void put_in_order(Rendering *x) {
  uint32_t n = x->objects.n;
  ObjectRank *ranks = cue_array(x->a, ObjectRank, n + 1);
  ReleaseObject *sorted = cue_array(x->a, ReleaseObject, n + 1);
  for (uint32_t i = 0; i < n; i++) ranks[i] = object_rank(&x->objects.at[i]);
  object_ranks_sort(ranks, n);
  for (uint32_t i = 0; i < n; i++) {
    sorted[i] = x->objects.at[ranks[i].number];
    if (i && object_ranks_alike(&ranks[i - 1], &ranks[i]))
      cue_push(x->a, &x->warnings, object_ranks_warning(x->a, &ranks[i - 1], &ranks[i]));
    if (!object_rank_is_named(&ranks[i])) cue_push(x->a, &x->warnings, object_rank_unnamed(x->a, &ranks[i]));
  }
  x->objects.at = sorted;
}

bool release_render(ReleaseRenderer *r, CueArena *a, const ReleaseInput *in, Release *out) {
  Rendering x = {.r = r, .a = a, .out = out, .environment = environment_metadata(a, in->environment)};
  CueValue values = in->values, inputs[2] = {cue_null(), plan_absent(in->given) ? values : in->given}, list;
  Component *components;
  uint32_t n;
  *out = (Release){0};
  if (!release_metadata(a, &r->metadata, in, out, &x.metadata)) return false;
  if (r->config != NO_FUNCTION && !compiled_run(r->module, r->config, a, r->regexes, &values, &inputs[0])) return false;
  if (!compiled_run(r->module, r->components, a, r->regexes, inputs, &list) ||
      !take_components(a, list, &components, &n))
    return false;
  if (!n) cue_push(a, &x.warnings, CUE_STR(MATCH_NO_COMPONENTS));
  for (uint32_t i = 0; i < n; i++)
    if (!run_component(&x, &components[i])) return false;
  for (uint32_t i = 0; i < x.idle.n; i++) cue_push(a, &x.warnings, x.idle.at[i]);
  put_in_order(&x);
  out->objects = x.objects.at, out->nobjects = x.objects.n;
  out->matches = x.matches.at, out->nmatches = x.matches.n;
  out->warnings = x.warnings.at, out->nwarnings = x.warnings.n;
  return true;
}
