/* config.c - settings from flags, variables and the configuration file.
**
** The registry must be known before the file's imports are resolved, so it is read from the file's
** syntax: a literal at config.registry. In a file that does not parse a line that sets a registry
** counts, so that the error that is shown in the end is not one of a missing module.
*/
#include "cli/config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cli/template.h"
#include "compiler/literal.h"
#include "compiler/load_fs.h"
#include "compiler/parse.h"
#include "stdlib/opm/catalog.h"

/* ---- settings ---- */

const char *origin_name(Origin o) {
  static const char *const names[] = {
      [FROM_NOWHERE] = "none",
      [FROM_FLAG] = "flag",
      [FROM_ENV] = "env",
      [FROM_ENVIRONMENT] = "environment",
      [FROM_RELEASE] = "release",
      [FROM_MODULE] = "module",
      [FROM_CONFIG] = "config",
      [FROM_ONLY] = "config-auto",
      [FROM_KUBECONFIG] = "KUBECONFIG",
      [FROM_DEFAULT] = "default",
  };
  return names[o];
}

void setting_try(Setting *s, Origin o, CueStr value) {
  if (!value.n) return;
  if (s->origin == FROM_NOWHERE) {
    s->value = value;
    s->origin = o;
  } else if (s->nhidden < sizeof s->hidden / sizeof *s->hidden) {
    s->hidden[s->nhidden].value = value;
    s->hidden[s->nhidden++].origin = o;
  }
}

CueStr setting_from(const Setting *s, Origin o) {
  if (s->origin == o) return s->value;
  for (size_t i = 0; i < s->nhidden; i++)
    if (s->hidden[i].origin == o) return s->hidden[i].value;
  return CUE_STR("");
}

void config_explain(Run *r, const Setting *s) {
  if (!r->verbose || s->origin == FROM_NOWHERE) return;
  CueBuf hidden = cue_buf(r->a);
  for (size_t i = 0; i < s->nhidden; i++)
    cue_buf_f(&hidden, "%s%s=%.*s", i ? "," : "", origin_name(s->hidden[i].origin), CUE_FMT(s->hidden[i].value));
  LogField fields[] = {
      {s->name, s->value}, {"source", cue_str(origin_name(s->origin))}, {"shadowed", cue_buf_done(&hidden)}};
  log_line(r, LOG_DEBUG, CUE_STR(""), CUE_STR("setting"), fields, s->nhidden ? 3 : 2);
}

static CueStr env_text(const char *name) {
  const char *v = getenv(name);
  return v ? cue_str(v) : CUE_STR("");
}

/* A flag if it was given, and the variable it stands for. */
static Setting setting_of(Run *r, const char *name, FlagId flag, const char *env) {
  Setting s = {.name = name, .value = CUE_STR("")};
  if (r->flags.at[flag].given) setting_try(&s, FROM_FLAG, flag_text(&r->flags, flag));
  setting_try(&s, FROM_ENV, env_text(env));
  return s;
}

CueStr config_cache_dir(void) { return env_text("OPM_CACHE_DIR"); }

static CueStr in_home(CueArena *a, CueStr path) {
  CueStr home = env_text("HOME");
  if (!home.n || !(cue_str_is(path, "~") || cue_str_has_prefix(path, CUE_STR("~/")))) return path;
  return cue_str_cat(a, home, cue_str_sub(path, 1, path.n));
}

/* ---- the file ---- */

void config_find(Run *r, Config *out) {
  *out = (Config){.api_warnings = CUE_STR("warn")};
  Setting s = setting_of(r, "config", FLAG_CONFIG, "OPM_CONFIG");
  out->named = s.origin != FROM_NOWHERE;
  setting_try(&s, FROM_DEFAULT, in_home(r->a, CUE_STR("~/.opm/config.cue")));
  out->path = s.value.s[0] == '/' ? path_clean(r->a, s.value) : path_join(r->a, r->cwd, s.value);
  LoadFs fs = {.a = r->a};
  CueStr error;
  out->exists = fs_exists(&fs, out->path) && !fs_is_dir(&fs, out->path);
  out->text = CUE_STR("");
  if (out->exists && !fs_read(&fs, out->path, &out->text, &error)) out->unreadable = error;
  config_explain(r, &s);
}

/* The value of a field among declarations; NULL if there is none, or more than one. */
static const Ast *field_named(CueArena *a, const AstList *decls, const char *name) {
  const Ast *found = NULL;
  for (uint32_t i = 0; i < decls->n; i++) {
    const Ast *f = decls->at[i];
    CueStr label;
    bool ident;
    if (f->kind != AST_FIELD || !ast_label_name(a, f->u.field.label, &label, &ident) || !cue_str_is(label, name))
      continue;
    if (found) return NULL;
    found = f->u.field.value;
  }
  return found;
}

/* The text between quotes on the first line that is `registry: "..."`. */
static CueStr registry_line(CueStr text) {
  for (size_t i = 0, end; i < text.n; i = end + 1) {
    end = i;
    while (end < text.n && text.s[end] != '\n') end++;
    CueStr line = cue_str_sub(text, i, end);
    size_t k = strspn(line.s, " \t");
    if (k >= line.n || !cue_str_has_prefix(cue_str_sub(line, k, line.n), CUE_STR("registry:"))) continue;
    k += strlen("registry:");
    while (k < line.n && (line.s[k] == ' ' || line.s[k] == '\t')) k++;
    if (k == line.n || line.s[k] != '"') continue;
    ptrdiff_t close = cue_str_find(cue_str_sub(line, k + 1, line.n), CUE_STR("\""));
    if (close >= 0) return cue_str_sub(line, k + 1, k + 1 + (size_t)close);
  }
  return CUE_STR("");
}

/* What the file says for its registry, without evaluating it: "" if nothing. */
static CueStr registry_of(Run *r, CueStr text) {
  CueDiags d = run_diags(r);
  CueSource *src = cue_source_add(r->c->sources, CUE_STR("config"), text);
  if (!src) return CUE_STR("");
  AstFile *f = cue_parse_file(r->a, src, (ParseOptions){0}, &d);
  if (d.n) return registry_line(text);
  const Ast *config = field_named(r->a, &f->root->u.list, "config");
  const Ast *x = config && config->kind == AST_STRUCT ? field_named(r->a, &config->u.list, "registry") : NULL;
  if (!x || x->kind != AST_BASIC || x->op != TOK_STRING) return CUE_STR("");
  CueValue v = cue_literal_string(r->a, x->u.text);
  return v.kind == CUE_STRING ? cue_value_str(v) : CUE_STR("");
}

static LoadConfig load_config(const Config *c, CueStr dir) {
  return (LoadConfig){.cwd = dir,
                      .package = CUE_STR(""),
                      .cache_dir = c->cache_dir.value,
                      .embedded = catalog_modules,
                      .nembedded = catalog_count};
}

/* Names the package of the file, as an argument of the loader: files beside it belong to it too. */
static CueStr package_of(Run *r, CueStr path, CueStr text) {
  CueDiags d = run_diags(r);
  CueSource *src = cue_source_add(r->c->sources, path, text);
  AstFile *f = src ? cue_parse_file(r->a, src, (ParseOptions){.imports_only = true}, &d) : NULL;
  return f && f->package.n ? cue_strf(r->a, ".:%.*s", CUE_FMT(f->package)) : path;
}

bool config_evaluate(Run *r, Config *c, Vertex **root, CueDiags *d) {
  CueStr arg = package_of(r, c->path, c->text);
  LoadConfig cfg = load_config(c, path_dir(r->a, c->path));
  LoadedList all = load_args(r->c, &cfg, &arg, 1);
  r->c->cwd = r->cwd;
  Instance *inst = all.at[0]->instance;
  if (inst->errors->n) {
    *d = *inst->errors;
    return false;
  }
  if (!cue_build(r->c, inst, d)) return false;
  cue_finalize(r->c->eval, inst->root);
  Bottom *why = cue_validate(r->c->eval, inst->root, (ValidateOptions){.all_errors = true});
  if (why) cue_bottom_report(r->c->eval, why, d);
  *root = inst->root;
  c->package = inst;
  return !why;
}

#define SCHEMA_NAME "opm/config.cue"

/* The schema as a value. It is ours: it cannot be wrong. */
static Vertex *schema(Run *r) {
  const LoadEmbeddedFile *text = &template_find(CUE_STR("schema"))->files[0];
  CueDiags d = run_diags(r);
  CueSource *src = cue_source_keep(r->c->sources, CUE_STR(SCHEMA_NAME), (CueStr){text->text, text->len});
  Instance *inst = cue_new(r->a, Instance);
  *inst = (Instance){
      .path = CUE_STR("opm/config"), .package = CUE_STR("config"), .dir = CUE_STR(""), .module = CUE_STR("")};
  cue_push(r->a, &inst->files, cue_parse_file(r->a, src, (ParseOptions){0}, &d));
  bool ok = cue_build(r->c, inst, &d);
  assert(ok && !d.n);
  (void)ok;
  cue_finalize(r->c->eval, inst->root);
  return inst->root;
}

/* Drops the places in the schema: nobody can open that file. */
static void hide_schema(Run *r, CueDiags *d) {
  for (CueDiag *x = d->first; x; x = x->next) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->at.n; i++) {
      const CueSource *src = cue_source_of(r->c->sources, x->at.at[i]);
      if (!src || !cue_str_is(src->name, SCHEMA_NAME)) x->at.at[n++] = x->at.at[i];
    }
    x->at.n = n;
  }
}

/* The value at a path of field names; NULL if it is absent. */
static Vertex *find(Run *r, Vertex *v, const char *const *path) {
  for (; v && *path; path++) {
    v = vertex_arc(vertex_deref(v), label_string(r->c->labels, cue_str(*path)));
    if (v && !vertex_defined(r->c->eval, v)) v = NULL;
  }
  return v ? vertex_default(r->c->eval, vertex_deref(v)) : NULL;
}
#define PATH(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Validated before: a string or nothing. */
static CueStr text_at(Run *r, Vertex *config, const char *const *path) {
  CueDiags d = run_diags(r);
  CueStr out = CUE_STR("");
  Vertex *v = find(r, config, path);
  if (v) cue_export_raw(r->c->eval, r->a, v, false, &out, &d);
  return out;
}

bool config_read(Run *r, Config *c, Vertex *root, CueDiags *d) {
  Eval *e = r->c->eval;
  Vertex *all = cue_unify_vertices(e, root, schema(r));
  cue_finalize(e, all);
  Bottom *why = cue_validate(e, all, (ValidateOptions){.concrete = true, .final = true, .all_errors = true});
  if (why) {
    cue_bottom_report(e, why, d);
    hide_schema(r, d);
    return false;
  }
  Vertex *config = find(r, all, PATH("config"));
  if (!c->registry_read) setting_try(&c->registry, FROM_CONFIG, text_at(r, config, PATH("registry")));
  setting_try(&c->cache_dir, FROM_CONFIG, in_home(r->a, text_at(r, config, PATH("cacheDir"))));
  setting_try(&c->kubeconfig, FROM_CONFIG, text_at(r, config, PATH("kubernetes", "kubeconfig")));
  setting_try(&c->context, FROM_CONFIG, text_at(r, config, PATH("kubernetes", "context")));
  setting_try(&c->namespace, FROM_CONFIG, text_at(r, config, PATH("kubernetes", "namespace")));
  CueStr warnings = text_at(r, config, PATH("log", "kubernetes", "apiWarnings"));
  if (warnings.n) c->api_warnings = warnings;
  c->providers = find(r, config, PATH("providers"));
  Vertex *flag = find(r, config, PATH("log", "timestamps"));
  if (flag && !r->flags.at[FLAG_TIMESTAMPS].given) r->timestamps = cue_export_data(e, r->a, flag, d).as.b;
  return true;
}

/* ---- all of it ---- */

void config_settings(Run *r, Config *c) {
  c->registry = setting_of(r, "registry", FLAG_REGISTRY, "OPM_REGISTRY");
  c->kubeconfig = setting_of(r, "kubeconfig", FLAG_KUBECONFIG, "OPM_KUBECONFIG");
  c->context = setting_of(r, "context", FLAG_CONTEXT, "OPM_CONTEXT");
  c->namespace = setting_of(r, "namespace", FLAG_NAMESPACE, "OPM_NAMESPACE");
  c->cache_dir = (Setting){.name = "cacheDir", .value = CUE_STR("")};
  setting_try(&c->cache_dir, FROM_ENV, config_cache_dir());
  c->provider = (Setting){.name = "provider", .value = CUE_STR("")};
  setting_try(&c->provider, FROM_FLAG, flag_text(&r->flags, FLAG_PROVIDER));
  CueStr registry = registry_of(r, c->text);
  c->registry_read = registry.n > 0;
  setting_try(&c->registry, FROM_CONFIG, registry);
}

/* The names of the providers, in their order. */
static CueStr provider_names(Run *r, const Config *c, uint32_t *n) {
  CueBuf names = cue_buf(r->a);
  Vertex **arcs;
  uint32_t all;
  *n = 0;
  cue_field_order(r->c->eval, r->a, vertex_deref(c->providers), &arcs, &all);
  for (uint32_t i = 0; i < all; i++)
    if (label_is_string(arcs[i]->label) && vertex_defined(r->c->eval, arcs[i])) {
      CueStr name = label_name(r->c->labels, arcs[i]->label);
      cue_buf_f(&names, "%s%.*s", (*n)++ ? " " : "", CUE_FMT(name));
    }
  return cue_buf_done(&names);
}

#define DEFAULT_PROVIDER "kubernetes"

static void config_defaults(Run *r, Config *c) {
  uint32_t n = 0;
  CueStr names = c->providers ? provider_names(r, c, &n) : CUE_STR("");
  if (!n) c->providers = NULL;
  if (n == 1) setting_try(&c->provider, FROM_ONLY, names);
  if (!n) setting_try(&c->provider, FROM_DEFAULT, CUE_STR(DEFAULT_PROVIDER));
  setting_try(&c->kubeconfig, FROM_KUBECONFIG, env_text("KUBECONFIG"));
  setting_try(&c->kubeconfig, FROM_DEFAULT, CUE_STR("~/.kube/config"));
  c->kubeconfig.value = in_home(r->a, c->kubeconfig.value);
  setting_try(&c->namespace, FROM_DEFAULT, CUE_STR("default"));
  const Setting *all[] = {&c->registry, &c->cache_dir, &c->kubeconfig, &c->context, &c->provider};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) config_explain(r, all[i]);
}

ExitCode config_load(Run *r, Config *out) {
  CueDiags d = run_diags(r);
  Vertex *root;
  config_find(r, out);
  Problem p = {.code = EXIT_MISSING, .location = run_shown(r, out->path)};
  if (!out->exists && out->named) {
    p.message = CUE_STR("configuration file not found");
    p.hint = CUE_STR("Name another one, or make it: opm config init");
    return run_fail(r, &p);
  }
  if (out->unreadable.n) {
    p.code = EXIT_DENIED;
    p.message = out->unreadable;
    p.hint = CUE_STR("The file must be readable for the user who runs opm.");
    return run_fail(r, &p);
  }
  config_settings(r, out);
  p.code = EXIT_INVALID;
  p.type = "configuration error";
  p.hint = CUE_STR("opm config vet checks the file alone; opm config init --force writes a new one.");
  if (out->exists && (!config_evaluate(r, out, &root, &d) || !config_read(r, out, root, &d)))
    return run_fail_diags(r, p, &d);
  config_defaults(r, out);
  return EXIT_OK;
}

static ExitCode no_provider(Run *r, const Config *c, CueStr names) {
  Problem p = {.code = EXIT_INVALID, .location = run_shown(r, c->path), .field = CUE_STR("config.providers")};
  if (c->provider.value.n)
    p.message =
        cue_strf(r->a, "provider \"%.*s\" not found (available: [%.*s])", CUE_FMT(c->provider.value), CUE_FMT(names));
  else
    p.message = cue_strf(r->a, "provider name must be specified (available: [%.*s])", CUE_FMT(names));
  p.hint = c->provider.value.n ? CUE_STR("Configure it under config.providers, or name one of those available.")
                               : CUE_STR("Choose one with --provider NAME.");
  if (!c->providers) p.location = p.field = CUE_STR("");
  return run_fail(r, &p);
}

ExitCode config_provider(Run *r, const Config *c, CueStr *name, Instance **package) {
  uint32_t n;
  *name = c->provider.value;
  *package = NULL;
  if (!c->providers)
    return cue_str_is(*name, DEFAULT_PROVIDER) ? EXIT_OK : no_provider(r, c, CUE_STR(DEFAULT_PROVIDER));
  CueStr names = provider_names(r, c, &n);
  if (!name->n) return no_provider(r, c, names);
  if (!find(r, c->providers, PATH(name->s))) return no_provider(r, c, names);
  *package = c->package;
  return EXIT_OK;
}
