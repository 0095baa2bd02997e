/* render.c - see render.h. */
#include "cli/render.h"

#include <stdlib.h>
#include <string.h>

#include "cli/compiled.h"
#include "cli/style.h"
#include "compiler/literal.h"
#include "compiler/load_fs.h"
#include "providers/builtin.h"
#include "stdlib/opm/catalog.h"

/* ---- options ---- */

static CueStr absolute(Run *r, CueStr path) {
  return path.s[0] == '/' ? path_clean(r->a, path) : path_join(r->a, r->cwd, path);
}

static ExitCode check_compile(Run *r, const Config *c) {
  static const char *const all[] = {"never", "background", "wait"};
  r->compile = c->compile.value;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (cue_str_is(r->compile, all[i])) return EXIT_OK;
  return run_fail(r, &(Problem){.code = EXIT_GENERAL,
                                .type = "usage",
                                .message = cue_strf(
                                    r->a, "invalid value \"%.*s\" of %s (valid: never, background, wait)",
                                    CUE_FMT(r->compile), c->compile.origin == FROM_FLAG ? "--compile" : "OPM_COMPILE"),
                                .hint = cue_strf(r->a, "%.*s --help", CUE_FMT(r->path))});
}

/* What flags leave open: variables, configuration, defaults. */
static bool take_config(Run *r, RenderOptions *o, ExitCode *code) {
  Config *c = cue_new(r->a, Config);
  *code = config_load(r, c);
  if (*code == EXIT_OK) *code = config_provider(r, c, &o->provider.name, &o->provider.package);
  if (*code == EXIT_OK) *code = check_compile(r, c);
  if (*code != EXIT_OK || !compiled_provider(r, c, &o->provider, code)) return false;
  if (o->provider.package)
    o->provider.expr = cue_strf(r->a, "package.config.providers[%.*s]",
                                CUE_FMT(cue_literal_quote(r->a, o->provider.name, CUE_QUOTE_STRING, 0)));
  o->namespace = setting_from(&c->namespace, FROM_FLAG);
  o->preferred = setting_from(&c->namespace, FROM_ENV);
  o->fallback = setting_from(&c->namespace, FROM_CONFIG);
  o->load.cache_dir = c->cache_dir.value;
  return true;
}

/* An empty name is most likely a variable of a script that is not set: what it stands for must not be left out. */
static bool is_empty(Run *r, FlagId id, const char *flag, ExitCode *code) {
  const FlagValue *v = &r->flags.at[id];
  bool empty = v->given && !v->texts.n && !flag_text(&r->flags, id).n;
  for (uint32_t i = 0; i < v->texts.n; i++) empty |= !v->texts.at[i].n;
  if (empty)
    *code = run_fail(r, &(Problem){.code = EXIT_GENERAL,
                                   .type = "usage",
                                   .message = cue_strf(r->a, "the value of %s is empty", flag),
                                   .hint = cue_strf(r->a, "%.*s --help", CUE_FMT(r->path))});
  return empty;
}

/* Standard input is read once, however often a command renders; two files cannot be in it. */
static bool take_input(Run *r, RenderOptions *o, ExitCode *code) {
  uint32_t n = 0;
  CueStr error;
  for (uint32_t i = 0; i < o->nvalues; i++) n += cue_str_is(o->values[i], "-");
  if (n > 1) {
    *code = run_fail(r, &(Problem){.code = EXIT_GENERAL,
                                   .type = "usage",
                                   .message = CUE_STR("standard input can be given as a values file only once"),
                                   .hint = cue_strf(r->a, "%.*s --help", CUE_FMT(r->path))});
    return false;
  }
  if (!n || o->load.has_input) return true;
  o->load.has_input = true;
  if (fs_read_stdin(r->a, &o->load.input, &error)) return true;
  *code = run_fail(r, &(Problem){.code = EXIT_GENERAL, .type = "cannot read", .message = error});
  return false;
}

bool render_options(Run *r, RenderOptions *o, ExitCode *code) {
  const Flags *f = &r->flags;
  if (is_empty(r, FLAG_VALUES, "--values", code) || is_empty(r, FLAG_ENVIRONMENT, "--environment", code) ||
      is_empty(r, FLAG_ENVIRONMENTS, "--environments", code) || is_empty(r, FLAG_OUT_DIR, "--out-dir", code))
    return false;
  if (f->args.n > 1) {
    *code = run_fail(
        r, &(Problem){.code = EXIT_GENERAL,
                      .type = "usage",
                      .message = cue_strf(r->a, "%.*s takes one module, got %u arguments", CUE_FMT(r->path), f->args.n),
                      .hint = cue_strf(r->a, "%.*s --help", CUE_FMT(r->path))});
    return false;
  }
  *o = (RenderOptions){
      .dir = f->args.n && f->args.at[0].n ? absolute(r, f->args.at[0]) : r->cwd,
      .name = flag_text(f, FLAG_NAME),
      .environment = flag_text(f, FLAG_ENVIRONMENT),
      .load = {.package = CUE_STR(""),
               .cache_dir = CUE_STR(""),
               .embedded = catalog_modules,
               .nembedded = catalog_count,
               .watch = r->watch,
               .replaced = log_replaced,
               .replaced_user = r,
               .input = r->input,
               .has_input = r->has_input},
  };
  if (flag_text(f, FLAG_ENVIRONMENTS).n) o->environments = absolute(r, flag_text(f, FLAG_ENVIRONMENTS));
  const FlagValue *values = &f->at[FLAG_VALUES];
  CueStr *files = cue_array(r->a, CueStr, values->texts.n ? values->texts.n : 1);
  for (uint32_t i = 0; i < values->texts.n; i++)
    files[i] = cue_str_is(values->texts.at[i], "-") ? values->texts.at[i] : absolute(r, values->texts.at[i]);
  const char *plans = getenv("OPM_PLANS"); /* for tests: both ways of rendering give the same */
  static const char *const ways[] = {[PLANS_MANY] = "many",   [PLANS_NONE] = "none",         [PLANS_ALL] = "all",
                                     [PLANS_CHECK] = "check", [PLANS_COMPILED] = "compiled", [PLANS_CODE] = "code"};
  for (size_t i = 0; plans && i < sizeof ways / sizeof *ways; i++)
    if (strcmp(plans, ways[i]) == 0) o->plans = (RenderPlans)i;
  o->builtin = builtin_kubernetes();
  o->values = files;
  o->nvalues = values->texts.n;
  return take_input(r, o, code) && take_config(r, o, code);
}

/* ---- results ---- */

/* Diagnostics as cue prints them, with an arrow before each place. */
static void put_details(Run *r, const CueDiags *d) {
  CueBuf text = cue_buf(r->a);
  Pen p = pen_err(r);
  cue_diags_print(&text, d, r->c->sources, r->cwd);
  CueStr all = cue_buf_done(&text);
  for (size_t i = 0, end; i < all.n; i = end + 1) {
    for (end = i; end < all.n && all.s[end] != '\n';) end++;
    CueStr line = cue_str_sub(all, i, end);
    if (cue_str_has_prefix(line, CUE_STR("    "))) {
      style_put(p, STYLE_FAINT, CUE_STR("    → "));
      style_put(p, STYLE_NOTICE, cue_str_sub(line, 4, line.n));
    } else {
      cue_buf_str(p.to, line);
    }
    cue_buf_ch(p.to, '\n');
  }
}

CueStr render_place(Run *r, CuePos pos) {
  CueBuf b = cue_buf(r->a);
  if (cue_pos_known(pos)) cue_place_print(&b, pos, r->c->sources, r->cwd);
  return cue_buf_done(&b);
}

static void put_hint(Run *r, CueStr hint) {
  if (!hint.n) return;
  style_put(pen_err(r), STYLE_NOTICE, CUE_STR("Hint:"));
  cue_buf_f(r->err, " %.*s\n", CUE_FMT(hint));
}

ExitCode render_failed(Run *r, CueStr name, const RenderFailure *why) {
  r->failed = true;
  log_line(r, LOG_ERROR, name, cue_strf(r->a, "render failed: %.*s", CUE_FMT(why->summary)), NULL, 0);
  put_details(r, &why->details);
  put_hint(r, why->hint);
  switch (why->verdict) {
  case RENDER_NOT_FOUND: return EXIT_MISSING;
  case RENDER_DENIED: return EXIT_DENIED;
  default: return EXIT_INVALID;
  }
}

/* "provider#transformer" in two parts: the key of a transformer may have a # itself. */
static void put_match(Run *r, CueStr name, const RenderMatch *m) {
  CueBuf b = cue_buf(r->a);
  CueStr id = m->transformer->id;
  size_t hash = (size_t)cue_str_find(id, CUE_STR("#"));
  Pen p = pen_on(&b, r);
  style_match(p, m->component->name, cue_str_sub(id, 0, hash), cue_str_sub(id, hash + 1, id.n));
  if (r->verbose) {
    cue_buf_z(&b, "\n     ");
    style_put(p, STYLE_FAINT, render_reason(r->a, m));
  }
  log_line(r, LOG_INFO, name, cue_buf_done(&b), NULL, 0);
}

/* Where the namespace of the release came from. */
static void explain_namespace(Run *r, const RenderOptions *o, const RenderResult *res) {
  Setting s = {.name = "namespace", .value = CUE_STR("")};
  setting_try(&s, FROM_FLAG, o->namespace);
  setting_try(&s, FROM_RELEASE, res->release.by_release);
  setting_try(&s, FROM_ENVIRONMENT, res->release.by_environment);
  setting_try(&s, FROM_ENV, o->preferred);
  setting_try(&s, FROM_MODULE, res->release.by_module);
  setting_try(&s, FROM_CONFIG, o->fallback);
  setting_try(&s, FROM_DEFAULT, CUE_STR("default"));
  config_explain(r, &s);
}

static void put_plan(Run *r, const RenderOptions *o, const RenderResult *res) {
  CueStr name = res->release.name;
  if (r->verbose) {
    explain_namespace(r, o, res);
    CueBuf names = cue_buf(r->a);
    for (uint32_t i = 0; i < res->release.components.n; i++)
      cue_buf_f(&names, "%s%.*s", i ? ", " : "", CUE_FMT(res->release.components.at[i].name));
    LogField fields[] = {{"namespace", res->release.namespace},
                         {"version", res->release.version},
                         {"components", cue_buf_done(&names)},
                         {"environment", res->release.environment}};
    log_line(r, LOG_INFO, name, CUE_STR("release"), fields, res->release.env ? 4 : 3);
  }
  for (uint32_t i = 0; i < res->matches.n; i++) {
    const RenderMatch *m = &res->matches.at[i];
    if (m->matched)
      put_match(r, name, m);
    else if (r->verbose)
      log_line(r, LOG_DEBUG, name,
               cue_strf(r->a, "%.*s does not get %.*s: %.*s", CUE_FMT(m->component->name), CUE_FMT(m->transformer->key),
                        CUE_FMT(render_reason(r->a, m))),
               NULL, 0);
  }
  for (uint32_t i = 0; i < res->unmatched.n; i++) {
    CueBuf b = cue_buf(r->a);
    style_match(pen_on(&b, r), res->unmatched.at[i]->name, CUE_STR(""), CUE_STR(""));
    log_line(r, LOG_WARN, name, cue_buf_done(&b), NULL, 0);
  }
  for (uint32_t i = 0; i < res->warnings.n; i++) log_line(r, LOG_WARN, name, res->warnings.at[i], NULL, 0);
}

void render_tell(Run *r, const Release *rel, CueStr provider, const ReleaseRenderer *with) {
  for (uint32_t i = 0; i < rel->nmatches; i++) {
    CueBuf b = cue_buf(r->a);
    style_match(pen_on(&b, r), rel->matches[i].component, provider,
                release_transformer_key(with, rel->matches[i].transformer));
    log_line(r, LOG_INFO, rel->name, cue_buf_done(&b), NULL, 0);
  }
  for (uint32_t i = 0; i < rel->nwarnings; i++) log_line(r, LOG_WARN, rel->name, rel->warnings[i], NULL, 0);
}

static void put_names(Run *r, const char *what, const RenderNames *names) {
  if (!names->n) return;
  cue_buf_f(r->err, "      %s: [", what);
  for (uint32_t i = 0; i < names->n; i++) cue_buf_f(r->err, "%s%.*s", i ? " " : "", CUE_FMT(names->at[i]));
  cue_buf_z(r->err, "]\n");
}

static void put_available(Run *r, const RenderTransformers *p) {
  log_line(r, LOG_INFO, CUE_STR(""), CUE_STR("Available transformers:"), NULL, 0);
  for (uint32_t i = 0; i < p->transformers.n; i++) {
    const RenderTransformer *t = &p->transformers.at[i];
    cue_buf_f(r->err, "    %.*s\n", CUE_FMT(t->id));
    if (t->labels.kind == CUE_STRUCT && t->labels.as.fields->n) {
      cue_buf_z(r->err, "      requiredLabels: ");
      cue_emit_json(r->err, t->labels, (CueJsonStyle){0});
      cue_buf_ch(r->err, '\n');
    }
    put_names(r, "requiredResources", &t->resources);
    put_names(r, "requiredTraits", &t->traits);
  }
}

ExitCode render_errors(Run *r, const RenderResult *res) {
  if (!res->unmatched.n && !res->errors.n) return EXIT_OK;
  CueStr name = res->release.name;
  r->failed = true;
  log_line(r, LOG_ERROR, name, CUE_STR("render completed with errors"), NULL, 0);
  for (uint32_t i = 0; i < res->unmatched.n; i++)
    log_line(r, LOG_ERROR, name,
             cue_strf(r->a, "component \"%.*s\": no matching transformer", CUE_FMT(res->unmatched.at[i]->name)), NULL,
             0);
  for (uint32_t i = 0; i < res->errors.n; i++) {
    const RenderError *e = &res->errors.at[i];
    log_line(r, LOG_ERROR, name,
             cue_strf(r->a, "component \"%.*s\": transform failed with %.*s - %.*s", CUE_FMT(e->from->component->name),
                      CUE_FMT(res->provider.name), CUE_FMT(e->from->transformer->key)),
             NULL, 0);
    put_details(r, &e->details);
  }
  if (res->unmatched.n) {
    put_available(r, &res->provider);
    put_hint(r, CUE_STR("a component needs the labels, resources and traits that a transformer requires; the label "
                        "core.opmodel.dev/workload-type decides for containers"));
  } else {
    put_hint(r, CUE_STR("the fields of a component must fit the objects that transformers make from them"));
  }
  return EXIT_INVALID;
}

ExitCode render_run(Run *r, const RenderOptions *o, RenderResult *out) {
  RenderFailure why = {0};
  if (!render(r->c, o, out, &why)) return render_failed(r, out->module.name, &why);
  put_plan(r, o, out);
  return render_errors(r, out);
}
