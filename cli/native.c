/* native.c - see native.h.
**
** Values files that are data are read here: CUE off its syntax, YAML and JSON by their readers. What they say is
** merged with the values of the environment, and goes through what was compiled. Wherever something is
** odd, the evaluator is asked, which may find that it is right, or say what is wrong with it.
*/
#include "cli/native.h"

#include "cli/compiled.h"
#include "cli/mod_compile.h"

#include <sys/stat.h>

#include "compiler/load_fs.h"
#include "compiler/parse.h"
#include "compiler/plain.h"
#include "compiler/render/compile.h"
#include "runtime/release/impl.h"
#include "stdlib/cue/stdlib.h"

typedef struct {
  Run *r;
  const RenderOptions *o;
  Compiled module, provider;
  bool has_cue; /* the module's folder is there, too */
} Native;

/* ---- values ---- */

static bool read_cue(CueArena *a, CueStr path, CueStr text, CueStr package, CueValue *out) {
  CueSources sources;
  CueDiags d = {.a = a};
  cue_sources_init(&sources, a);
  CueSource *src = cue_source_keep(&sources, path, text);
  if (!src) return false;
  AstFile *f = cue_parse_file(a, src, (ParseOptions){0}, &d);
  values_unwrap(a, f);
  /* A file of another package is no part of the module. */
  return !d.n && (!package.n || cue_str_eq(f->package, package)) && plain_values(a, f, out);
}

static bool only_values(CueValue document, CueValue *out) {
  if (document.kind != CUE_STRUCT || document.as.fields->n != 1) return false;
  *out = document.as.fields->at[0].value;
  return cue_str_is(document.as.fields->at[0].key, "values");
}

static bool read_yaml(CueArena *a, CueStr text, CueValue *out) {
  size_t offset = 0;
  bool done = false;
  if (!only_values(cue_read_yaml(a, text, &offset, &done), out)) return false;
  cue_read_yaml(a, text, &offset, &done);
  return done; /* there is one document */
}

/* Standard input says itself what it is; JSON is CUE. */
static bool read_input(CueArena *a, CueStr text, CueValue *out) {
  return values_are_block_yaml(text) ? read_yaml(a, text, out) : read_cue(a, CUE_STR("-"), text, CUE_STR(""), out);
}

static bool read_values(CueArena *a, CueStr path, CueStr package, CueValue *out) {
  CueStr text, error;
  size_t offset;
  *out = (CueValue){0};
  if (!fs_read(&(LoadFs){.a = a}, path, &text, &error)) return false;
  if (cue_str_has_suffix(path, CUE_STR(".cue"))) return read_cue(a, path, text, package, out);
  if (cue_str_has_suffix(path, CUE_STR(".json"))) return only_values(cue_read_json(a, text, &offset), out);
  if (cue_str_has_suffix(path, CUE_STR(".yaml")) || cue_str_has_suffix(path, CUE_STR(".yml")))
    return read_yaml(a, text, out);
  return false;
}

/* Two structs made one are looped over in the order in which fields were first said; written they are in one that keeps
** the order of both. Only where these are the same, data can stand for the struct. */
static bool in_order(CueValue x, CueValue y) {
  if (x.kind != CUE_STRUCT || y.kind != CUE_STRUCT) return true;
  bool more = false;
  const CueValue *last = NULL;
  for (uint32_t i = 0; i < y.as.fields->n; i++) {
    const CueValue *known = cue_struct_get(x.as.fields, y.as.fields->at[i].key);
    if (known && (more || (last && known < last) || !in_order(*known, y.as.fields->at[i].value))) return false;
    if (known) last = known;
    more |= !known;
  }
  return true;
}

static bool add_values(CueArena *a, CueValue one, CueValue *out) {
  if (one.kind != CUE_STRUCT) return false;
  if (out->kind == CUE_STRUCT) return in_order(*out, one) && plan_unify(a, *out, one, out);
  *out = one;
  return true;
}

bool native_values(CueArena *a, const Compiled *module, CueStr dir, const NativeValues *given, CueValue *out) {
  CueValue said = release_at(module->about, CUE_STR("values")), one;
  CueStr own = path_join(a, dir, CUE_STR("values.cue"));
  struct stat st;
  if (said.kind == CUE_BOTTOM) return false;
  *out = said.kind == CUE_STRUCT ? said : (CueValue){0};
  if (given->data.kind == CUE_STRUCT) return add_values(a, given->data, out);
  for (uint32_t i = 0; i < given->nfiles; i++)
    if (!(cue_str_is(given->files[i], "-") ? read_input(a, given->input, &one)
                                           : read_values(a, given->files[i], CUE_STR(""), &one)) ||
        !add_values(a, one, out))
      return false;
  if (!given->nfiles && stat(own.s, &st) == 0) {
    if (!read_values(a, own, release_text(module->about, CUE_STR("package")), &one)) return false;
    if (one.kind != CUE_BOTTOM && !add_values(a, one, out)) return false;
  }
  if (out->kind == CUE_STRUCT) return true;
  /* Nothing is said: that is enough if #config is not asked for, or all of it has defaults. */
  bool none_needed = release_at(module->about, CUE_STR("config")).kind == CUE_BOTTOM;
  if (!none_needed) *out = cue_struct(cue_struct_new(a, 0));
  return none_needed || (said.kind == CUE_STRING && cue_str_is(cue_value_str(said), "config"));
}

/* ---- the release ---- */

bool native_environments(CueArena *a, const Compiled *module, CueStr dir) {
  struct stat st;
  bool folder = stat(path_join(a, dir, CUE_STR("environments")).s, &st) == 0;
  CueValue known = release_at(module->about, CUE_STR("environmentsFolder"));
  return known.kind == CUE_BOOL && known.as.b == folder;
}

/* What is given to compiled code. */
typedef struct {
  CueStr name;      /* "" for that of the module */
  CueStr namespace; /* of a release that is written out; "" if it says none */
  EvaluatedValues is;
} Given;

/* A release that is written out says it all, and was compiled with that. */
static bool given_in_release(const Native *n, ReleaseRenderer *r, CueValue release, Given *g) {
  CueStr environment = release_text(release, CUE_STR("environment")), none;
  g->name = release_text(release, CUE_STR("name"));
  g->namespace = release_text(release, CUE_STR("namespace"));
  g->is.values = release_at(release, CUE_STR("values"));
  g->is.given = release_at(release, CUE_STR("given"));
  g->is.has_environment = environment.n > 0;
  if (n->o->nvalues || n->o->values_file || (environment.n && !release_environment(r, environment, &g->is.environment)))
    return false;
  /* Both must be what is asked for, if something is. */
  return (!n->o->environment.n || cue_str_eq(n->o->environment, environment)) &&
         release_namespace(r, n->o->namespace, g->is.environment.namespace, CUE_STR(""), CUE_STR(""), &none);
}

/* Off the files, without the evaluator. */
static bool given_as_data(const Native *n, ReleaseRenderer *r, Given *g) {
  CueArena *a = n->r->a;
  const RenderOptions *o = n->o;
  NativeValues given = {.files = o->values, .nfiles = o->nvalues, .input = o->load.input};
  if (o->values_file || !native_values(a, &n->module, o->dir, &given, &g->is.values)) return false;
  if (!o->environment.n) return true;
  g->is.has_environment = true;
  if (o->environments.n || !native_environments(a, &n->module, o->dir)) return false;
  if (!release_environment(r, o->environment, &g->is.environment)) return false;
  if (g->is.values.kind == CUE_STRUCT && !release_partial(r, a, g->is.values))
    return false; /* also where it is replaced */
  g->is.values = release_merge(a, g->is.values, g->is.environment.values);
  return true;
}

static bool given_as_cue(const Native *n, Given *g) { return n->has_cue && evaluated_values(n->r->c, n->o, &g->is); }

static bool render_with(const Native *n, ReleaseRenderer *r, Release *out) {
  const RenderOptions *o = n->o;
  CueValue release = release_at(n->module.about, CUE_STR("release"));
  Given g = {.name = o->name, .namespace = CUE_STR(""), .is.environment.namespace = CUE_STR("")};
  bool written = release.kind == CUE_STRUCT;
  if (written ? !given_in_release(n, r, release, &g) : !given_as_data(n, r, &g) && !given_as_cue(n, &g)) return false;
  ReleaseInput in = {.name = g.name,
                     .values = g.is.values,
                     .given = g.is.given,
                     .environment = g.is.has_environment ? &g.is.environment.is : NULL};
  CueStr said = g.namespace.n ? g.namespace : g.is.environment.namespace;
  return release_namespace(r, o->namespace, said, o->preferred, o->fallback, &in.namespace) &&
         release_render(r, n->r->a, &in, out);
}

/* ---- what was compiled ---- */

/* For tests: here and now, as plans. */
static bool compile_now(Native *n) {
  RenderOptions o = *n->o;
  RenderModule *m = cue_new(n->r->a, RenderModule);
  RenderFailure why = {.details = {.a = n->r->a}};
  o.without_values = true;
  o.values = NULL;
  o.nvalues = 0;
  if (!render_module(n->r->c, &o, m, &why) || m->release) return false;
  n->module = compile_module(n->r->c, m);
  return true;
}

static void later(Run *r) { mod_compile_later(r, r->later_dir); }

/* What an earlier run compiled. If there is none, the user decides whether it is compiled now, for the next time, or not
** at all. */
static bool take_cached(Native *n) {
  Run *r = n->r;
  ArtefactSeal seal;
  CueStr why;
  CompiledPlace at = {n->o->dir, n->o->load.cache_dir, n->o->name};
  CacheAnswer answer = compiled_module(r->a, &at, &seal, &n->module, &why);
  if (answer == CACHE_MISSING && cue_str_is(r->compile, "wait") && mod_compile_now(r, &at))
    answer = compiled_module(r->a, &at, &seal, &n->module, &why);
  const RenderProvider *p = &n->o->provider;
  bool provider = p->package && !p->compiled && !p->why_evaluated.n; /* of the configuration, and not compiled */
  if ((answer == CACHE_MISSING || provider) && cue_str_is(r->compile, "background")) {
    r->later = later;
    r->later_dir = at.dir;
  }
  return answer == CACHE_FOUND;
}

static bool may_take(const Native *n) { return n->o->plans == PLANS_MANY || n->o->plans == PLANS_CODE; }

static bool take_provider(Native *n) {
  CueStr missing;
  if (n->o->provider.compiled) {
    n->provider = *n->o->provider.compiled;
    return true;
  }
  CueValue inside = release_at(n->module.about, CUE_STR("builtinProvider"));
  return !n->o->provider.package && n->o->builtin && inside.kind == CUE_BOOL && inside.as.b &&
         compiled_link(n->r->a, n->o->builtin, cue_stdlib_find, &n->provider, &missing);
}

static bool take_parts(Native *n) {
  bool module = n->o->plans == PLANS_COMPILED ? compile_now(n) : may_take(n) && take_cached(n);
  return module && take_provider(n);
}

static bool render_parts(const Native *n, Release *out) {
  ReleaseRenderer *renderer = release_renderer_new(&n->module, &n->provider);
  bool ok = renderer && render_with(n, renderer, out);
  if (ok) render_tell(n->r, out, n->o->provider.name, renderer);
  release_renderer_free(renderer);
  return ok;
}

bool native_render(Run *r, const RenderOptions *o, Release *out) {
  Native n = {.r = r, .o = o, .has_cue = true};
  return !r->verbose && take_parts(&n) && render_parts(&n, out);
}

/* ---- files ---- */

bool native_is_file(CueStr path) {
  struct stat st;
  return cue_str_has_suffix(path, CUE_STR(".so")) && (stat(path.s, &st) != 0 || !S_ISDIR(st.st_mode));
}

/* A file of values that is not there, or is no data: the reader of it says no more than that. */
static bool bad_file(const Native *n, Problem *p) {
  CueArena *a = n->r->a;
  CueValue one;
  struct stat st;
  for (uint32_t i = 0; i < n->o->nvalues; i++) {
    CueStr file = n->o->values[i];
    bool stdin_ = cue_str_is(file, "-");
    if (stdin_ ? read_input(a, n->o->load.input, &one) : read_values(a, file, CUE_STR(""), &one)) continue;
    bool there = stdin_ || stat(file.s, &st) == 0;
    p->code = there ? EXIT_INVALID : EXIT_MISSING;
    p->location = run_shown(n->r, file);
    p->message = there ? CUE_STR("this has no values that are data: a compiled module has no CUE to evaluate others")
                       : CUE_STR("there is no such file of values");
    p->hint = CUE_STR("A values file has the form: values: { ... }");
    return true;
  }
  return false;
}

static bool bad_environment(const Native *n, Problem *p) {
  CueArena *a = n->r->a;
  CueValue all = release_at(n->module.about, CUE_STR("environments"));
  CueBuf names = cue_buf(a);
  for (uint32_t i = 0; all.kind == CUE_STRUCT && i < all.as.fields->n; i++)
    cue_buf_f(&names, "%s%.*s", i ? ", " : "", CUE_FMT(all.as.fields->at[i].key));
  if (!n->o->environment.n || release_at(all, n->o->environment).kind != CUE_BOTTOM) return false;
  p->code = EXIT_MISSING;
  p->message = cue_strf(a, "environment \"%.*s\" is not in the compiled module (available: %.*s)",
                        CUE_FMT(n->o->environment), names.n ? (int)names.n : 4, names.n ? names.s : "none");
  p->hint = CUE_STR("Compile the module again if it has it now: opm mod compile -o FILE");
  return true;
}

/* Why it gave up, as far as that can be told without the module's CUE. */
static ExitCode gave_up(const Native *n, bool provider, Problem *p) {
  p->code = EXIT_INVALID;
  if (!provider) {
    p->message = CUE_STR("the compiled module uses another provider than the one inside opm");
    p->hint = CUE_STR("Configure that one as compiled code: config: providers: NAME: compiled: \"FILE\"");
  } else if (!bad_file(n, p) && !bad_environment(n, p)) {
    bool given = n->o->nvalues || release_at(n->module.about, CUE_STR("release")).kind == CUE_STRUCT;
    p->message =
        given ? CUE_STR("the compiled module gave up: its values do not fit #config, or a component does not fit "
                        "the provider; the module's CUE, which would tell, is not here")
              : CUE_STR("the compiled module gave up without values: those of values.cue are not part of it");
    p->hint =
        given ? CUE_STR("Give the folder of the module instead of the file, and the evaluator will say what is wrong.")
              : CUE_STR("Give them with -f FILE.");
  }
  return run_fail(n->r, p);
}

ExitCode native_render_file(Run *r, const RenderOptions *o, Release *out) {
  Native n = {.r = r, .o = o};
  Problem p = {.location = run_shown(r, o->dir)};
  if (!compiled_module_file(r->a, o->dir, &n.module, &p.message, &p.code)) {
    p.type = "compiled code refused";
    p.hint = CUE_STR("opm mod compile -o FILE makes such a file, opm cache verify FILE checks it.");
    return run_fail(r, &p);
  }
  bool provider = take_provider(&n);
  return provider && render_parts(&n, out) ? EXIT_OK : gave_up(&n, provider, &p);
}
