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
#include "compiler/render/program.h"
#include "stdlib/opm/catalog.h"

/* ---- settings ---- */

static const char *origin_name(Origin o) {
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
  out->homeless = !out->named && s.value.s[0] == '~'; /* not a folder of that name in this one */
  out->path = out->homeless         ? s.value
              : s.value.s[0] == '/' ? path_clean(r->a, s.value)
                                    : path_join(r->a, r->cwd, s.value);
  LoadFs fs = {.a = r->a};
  CueStr error;
  out->exists = !out->homeless && fs_exists(&fs, out->path) && !fs_is_dir(&fs, out->path);
  out->text = CUE_STR("");
  if (out->exists && !fs_read(&fs, out->path, &out->text, &error)) out->unreadable = error;
  config_explain(r, &s);
}

/* The literal at a path of fields, each of which may be declared several times; "" if there is none. */
static CueStr literal_at(CueArena *a, const AstList *decls, const char *const *path) {
  for (uint32_t i = 0; i < decls->n; i++) {
    const Ast *f = decls->at[i], *v = f->kind == AST_FIELD ? f->u.field.value : NULL;
    CueStr label, found = CUE_STR("");
    bool ident;
    if (!v || !ast_label_name(a, f->u.field.label, &label, &ident) || !cue_str_is(label, path[0])) continue;
    if (path[1] && v->kind == AST_STRUCT) found = literal_at(a, &v->u.list, path + 1);
    CueValue text =
        !path[1] && v->kind == AST_BASIC && v->op == TOK_STRING ? cue_literal_string(a, v->u.text) : cue_null();
    if (text.kind == CUE_STRING) found = cue_value_str(text);
    if (found.n) return found;
  }
  return CUE_STR("");
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
  return literal_at(r->a, &f->root->u.list, (const char *const[]){"config", "registry", NULL});
}

static LoadConfig load_config(Run *r, const Config *c, CueStr dir) {
  return (LoadConfig){.cwd = dir,
                      .package = CUE_STR(""),
                      .cache_dir = c->cache_dir.value,
                      .embedded = catalog_modules,
                      .nembedded = catalog_count,
                      .replaced = log_replaced,
                      .replaced_user = r,
                      .watch = r->watch};
}

/* Names the package of the file, as an argument of the loader: files beside it belong to it too. */
static CueStr package_of(Run *r, CueStr path, CueStr text) {
  CueDiags d = run_diags(r);
  CueSource *src = cue_source_add(r->c->sources, path, text);
  AstFile *f = src ? cue_parse_file(r->a, src, (ParseOptions){.imports_only = true}, &d) : NULL;
  return f && f->package.n ? cue_strf(r->a, ".:%.*s", CUE_FMT(f->package)) : path;
}

/* The package the file belongs to, built and not evaluated: providers are large, and a command may not need them. */
static bool load_package(Run *r, Config *c, CueDiags *d) {
  if (c->package) return true;
  CueStr arg = package_of(r, c->path, c->text);
  LoadConfig cfg = load_config(r, c, path_dir(r->a, c->path));
  Instance *inst = load_args(r->c, &cfg, &arg, 1).at[0]->instance;
  r->c->cwd = r->cwd;
  if (inst->errors->n) cue_diags_append(d, inst->errors);
  if (d->n || !cue_build(r->c, inst, d)) return false;
  c->package = inst;
  return true;
}

bool config_evaluate(Run *r, Config *c, CueDiags *d) {
  if (!load_package(r, c, d)) return false;
  cue_finalize(r->c->eval, c->package->root);
  Bottom *why = cue_validate(r->c->eval, c->package->root, (ValidateOptions){.all_errors = true});
  if (why) cue_bottom_report(r->c->eval, why, d);
  return !why;
}

/* ---- what it says ---- */

#define SCHEMA_NAME "opm/config.cue"

/* The schema is ours: it cannot be wrong. */
static Instance *schema(Run *r) {
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
  return inst;
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

static const ValidateOptions all_concrete = {.concrete = true, .final = true, .all_errors = true};

bool config_check(Run *r, Config *c, CueDiags *d) {
  Eval *e = r->c->eval;
  Instance *s = schema(r);
  cue_finalize(e, s->root);
  Vertex *all = cue_unify_vertices(e, c->package->root, s->root);
  cue_finalize(e, all);
  Bottom *why = cue_validate(e, all, all_concrete);
  if (!why) return true;
  cue_bottom_report(e, why, d);
  hide_schema(r, d);
  return false;
}

/* Everything but the providers themselves, of which the names are enough. False if something is wrong: config_check
** knows what. */
static bool read_settings(Run *r, Config *c) {
  static const char text[] = "config: schema.#Config & {for k, v in package.config if k != \"providers\" {(k): v}}\n"
                             "providers: [for k, v in package.config if k == \"providers\" for name, _ in v {name}]\n";
  CueDiags d = run_diags(r);
  ProgramImport imports[] = {{"schema", schema(r)}, {"package", c->package}};
  Instance *program = program_make(r->c, CUE_STR(text), imports, 2, &d);
  if (!program || cue_validate(r->c->eval, program->root, all_concrete)) return false;
  CueContext *x = r->c;
  Vertex *config = program_field(x, program->root, "config");
#define AT(...) program_string(x, config, (const char *const[]){__VA_ARGS__, NULL})
  if (!c->registry_read) setting_try(&c->registry, FROM_CONFIG, AT("registry"));
  setting_try(&c->cache_dir, FROM_CONFIG, in_home(r->a, AT("cacheDir")));
  setting_try(&c->compile, FROM_CONFIG, AT("compile"));
  setting_try(&c->kubeconfig, FROM_CONFIG, AT("kubernetes", "kubeconfig"));
  setting_try(&c->context, FROM_CONFIG, AT("kubernetes", "context"));
  setting_try(&c->namespace, FROM_CONFIG, AT("kubernetes", "namespace"));
  CueStr warnings = AT("log", "kubernetes", "apiWarnings");
#undef AT
  if (warnings.n) c->api_warnings = warnings;
  CueValue stamps = program_data(x, program_path(x, config, (const char *const[]){"log", "timestamps", NULL}));
  if (stamps.kind == CUE_BOOL && !r->flags.at[FLAG_TIMESTAMPS].given) r->timestamps = stamps.as.b;
  CueValue names = program_data(x, program_field(x, program->root, "providers"));
  for (uint32_t i = 0; names.kind == CUE_LIST && i < names.as.list->n; i++)
    cue_push(r->a, &c->providers, cue_value_str(names.as.list->at[i]));
  return true;
}

/* ---- all of it ---- */

void config_settings(Run *r, Config *c) {
  c->registry = setting_of(r, "registry", FLAG_REGISTRY, "OPM_REGISTRY");
  c->kubeconfig = setting_of(r, "kubeconfig", FLAG_KUBECONFIG, "OPM_KUBECONFIG");
  c->context = setting_of(r, "context", FLAG_CONTEXT, "OPM_CONTEXT");
  c->namespace = setting_of(r, "namespace", FLAG_NAMESPACE, "OPM_NAMESPACE");
  c->compile = setting_of(r, "compile", FLAG_COMPILE, "OPM_COMPILE");
  c->cache_dir = (Setting){.name = "cacheDir", .value = CUE_STR("")};
  setting_try(&c->cache_dir, FROM_ENV, env_text("OPM_CACHE_DIR"));
  c->provider = (Setting){.name = "provider", .value = CUE_STR("")};
  setting_try(&c->provider, FROM_FLAG, flag_text(&r->flags, FLAG_PROVIDER));
  CueStr registry = registry_of(r, c->text);
  c->registry_read = registry.n > 0;
  setting_try(&c->registry, FROM_CONFIG, registry);
}

#define DEFAULT_PROVIDER "kubernetes"

static void config_defaults(Run *r, Config *c) {
  if (c->providers.n == 1) setting_try(&c->provider, FROM_ONLY, c->providers.at[0]);
  if (!c->providers.n) setting_try(&c->provider, FROM_DEFAULT, CUE_STR(DEFAULT_PROVIDER));
  setting_try(&c->compile, FROM_DEFAULT, CUE_STR("background"));
  setting_try(&c->kubeconfig, FROM_KUBECONFIG, env_text("KUBECONFIG"));
  setting_try(&c->kubeconfig, FROM_DEFAULT, CUE_STR("~/.kube/config"));
  c->kubeconfig.value = in_home(r->a, c->kubeconfig.value);
  setting_try(&c->namespace, FROM_DEFAULT, CUE_STR("default"));
  const Setting *all[] = {&c->registry, &c->cache_dir, &c->kubeconfig, &c->context, &c->provider};
  for (size_t i = c->registry_read; i < sizeof all / sizeof *all; i++) config_explain(r, all[i]);
}

ExitCode config_load(Run *r, Config *out) {
  CueDiags d = run_diags(r);
  config_find(r, out);
  Problem p = {.code = EXIT_MISSING, .location = run_shown(r, out->path)};
  if (!out->exists && out->named) {
    p.message = CUE_STR("configuration file not found");
    p.hint = CUE_STR("Name another file, or create one with: opm config init");
    return run_fail(r, &p);
  }
  if (out->unreadable.n) {
    p.code = EXIT_DENIED;
    p.message = out->unreadable;
    p.hint = CUE_STR("The file must be readable by the user who runs opm.");
    return run_fail(r, &p);
  }
  config_settings(r, out);
  if (out->registry_read) config_explain(r, &out->registry); /* before what it is for can fail */
  p.code = EXIT_INVALID;
  p.type = "configuration error";
  p.hint = CUE_STR("opm config vet checks the file alone; opm config init --force writes a new one.");
  if (out->exists && (!load_package(r, out, &d) || !read_settings(r, out))) {
    if (!d.n && config_evaluate(r, out, &d) && config_check(r, out, &d)) cue_report(&d, 0, "cannot be read");
    return run_fail_diags(r, p, &d);
  }
  config_defaults(r, out);
  return EXIT_OK;
}

/* Read off the syntax as the registry is: evaluated, a provider is large. */
typedef struct {
  CueArena *a;
  CueStr file;
  bool other;   /* something else is said */
  bool unclear; /* a file is named, but not in one string */
} SaidOfProvider;

static void said_of_provider(SaidOfProvider *s, const AstList *decls, const char *const *path) {
  for (uint32_t i = 0; i < decls->n; i++) {
    const Ast *f = decls->at[i], *v = f->kind == AST_FIELD ? f->u.field.value : NULL;
    CueStr label;
    bool ident, named = v && ast_label_name(s->a, f->u.field.label, &label, &ident);
    if (!*path) {
      bool compiled = named && cue_str_is(label, "compiled");
      bool text = compiled && v->kind == AST_BASIC && v->op == TOK_STRING;
      CueValue x = text ? cue_literal_string(s->a, v->u.text) : cue_null();
      if (x.kind == CUE_STRING && cue_value_str(x).n)
        s->file = cue_value_str(x);
      else
        *(compiled ? &s->unclear : &s->other) = true;
    } else if (named && cue_str_is(label, *path)) {
      if (v->kind == AST_STRUCT)
        said_of_provider(s, &v->u.list, path + 1);
      else
        s->other = true;
    }
  }
}

ConfigCompiled config_compiled(Run *r, const Config *c, CueStr name) {
  CueDiags d = run_diags(r);
  CueSource *src = c->exists ? cue_source_add(r->c->sources, CUE_STR("config"), c->text) : NULL;
  AstFile *f = src ? cue_parse_file(r->a, src, (ParseOptions){0}, &d) : NULL;
  SaidOfProvider s = {.a = r->a, .file = CUE_STR("")};
  const char *path[] = {"config", "providers", cue_str_copy(r->a, name).s, NULL};
  if (f && !d.n) said_of_provider(&s, &f->root->u.list, path);
  CueStr file = in_home(r->a, s.file);
  if (file.n && file.s[0] != '/') file = path_join(r->a, path_dir(r->a, c->path), file);
  return (ConfigCompiled){.file = file, .alone = !s.other, .unclear = s.unclear};
}

static ExitCode no_provider(Run *r, const Config *c) {
  Problem p = {.code = EXIT_INVALID};
  CueBuf names = cue_buf(r->a);
  for (uint32_t i = 0; i < c->providers.n; i++) cue_buf_f(&names, "%s%.*s", i ? " " : "", CUE_FMT(c->providers.at[i]));
  if (!c->providers.n) cue_buf_z(&names, DEFAULT_PROVIDER);
  CueStr available = cue_buf_done(&names), name = c->provider.value;
  if (name.n) {
    p.message = cue_strf(r->a, "provider \"%.*s\" not found (available: [%.*s])", CUE_FMT(name), CUE_FMT(available));
    p.hint = CUE_STR("Configure it under config.providers, or name one of those available.");
  } else {
    p.message = cue_strf(r->a, "provider name must be specified (available: [%.*s])", CUE_FMT(available));
    p.hint = CUE_STR("Choose one with --provider NAME.");
  }
  if (c->providers.n) {
    p.location = run_shown(r, c->path);
    p.field = CUE_STR("config.providers");
  }
  return run_fail(r, &p);
}

ExitCode config_provider(Run *r, const Config *c, CueStr *name, Instance **package) {
  *name = c->provider.value;
  *package = NULL;
  if (!c->providers.n) return cue_str_is(*name, DEFAULT_PROVIDER) ? EXIT_OK : no_provider(r, c);
  for (uint32_t i = 0; i < c->providers.n; i++)
    if (cue_str_eq(*name, c->providers.at[i])) *package = c->package;
  return *package ? EXIT_OK : no_provider(r, c);
}
