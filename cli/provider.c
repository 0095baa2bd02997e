/* provider.c - opm provider compile: from the CUE of a provider to C. */
#include "cli/provider.h"

#include <string.h>
#include <unistd.h>

#include "cli/compile.h"
#include "cli/log.h"
#include "cli/render.h"
#include "compiler/emit/emit.h"
#include "compiler/literal.h"
#include "compiler/load_fs.h"
#include "compiler/render/compile.h"
#include "stdlib/cue/stdlib.h"
#include "stdlib/opm/catalog.h"

/* ---- the provider ---- */

/* The one inside the program, whatever lies in a cache. */
static ExitCode load_inside(Run *r, Instance **package) {
  static const char path[] = "opmodel.dev/providers/kubernetes", module[] = "opmodel.dev/providers@v0";
  const char *version = "";
  for (size_t i = 0; i < catalog_count; i++)
    if (!strcmp(catalog_modules[i].path, module)) version = catalog_modules[i].version;
  LoadConfig load = {.cwd = CUE_STR("/"),
                     .package = CUE_STR(""),
                     .cache_dir = CUE_STR("/dev/null"),
                     .embedded = catalog_modules,
                     .nembedded = catalog_count};
  CueStr arg = cue_strf(r->a, "%s@%s", path, version);
  *package = load_args(r->c, &load, &arg, 1).at[0]->instance;
  if (!(*package)->errors || !(*package)->errors->n) return EXIT_OK;
  return run_fail_diags(r, (Problem){.code = EXIT_INVALID, .message = CUE_STR("the Kubernetes provider does not load")},
                        (*package)->errors);
}

typedef struct {
  RenderTransformers transformers;
  InputPlaces at;
  CueStr slot; /* "" for the one inside the program */
  FsWatch watch;
} Provider;

CueStr provider_slot(CueArena *a, const Config *c, CueStr name, InputPlaces *at) {
  *at = cli_places(a, path_dir(a, c->path), c->cache_dir.value);
  return cache_slot(a, COMPILED_PROVIDER, at, cue_strf(a, "%.*s %.*s", CUE_FMT(c->path), CUE_FMT(name)));
}

/* What is configured as compiled code alone has nothing that could be compiled. */
static ExitCode check_sources(Run *r, const Config *c, CueStr name) {
  ConfigCompiled said = config_compiled(r, c, name);
  if (!said.alone || !said.file.n) return EXIT_OK;
  return run_fail(r, &(Problem){.code = EXIT_INVALID,
                                .type = "cannot compile",
                                .location = run_shown(r, c->path),
                                .field = cue_strf(r->a, "config.providers.%.*s", CUE_FMT(name)),
                                .message = CUE_STR("the provider is configured as compiled code, without its CUE"),
                                .hint = CUE_STR("opm cache verify FILE shows what that code was made of; another "
                                                "configuration, named with --config, can have the CUE.")});
}

static ExitCode take_provider(Run *r, Provider *p) {
  Config config;
  RenderOptions o = {0};
  RenderModule m = {0};
  RenderFailure why = {.details = {.a = r->a}};
  *p = (Provider){.slot = CUE_STR(""), .watch = {.a = r->a}};
  r->watch = &p->watch;
  ExitCode code = config_load(r, &config);
  r->watch = NULL;
  if (code == EXIT_OK) code = config_provider(r, &config, &o.provider.name, &o.provider.package);
  if (code == EXIT_OK && o.provider.package) code = check_sources(r, &config, o.provider.name);
  if (code == EXIT_OK && !o.provider.package) code = load_inside(r, &m.kubernetes);
  if (code != EXIT_OK) return code;
  p->at = cli_places(r->a, CUE_STR("/"), CUE_STR(""));
  if (o.provider.package)
    p->slot = provider_slot(r->a, &config, o.provider.name, &p->at);
  else
    p->watch.notes.n = 0; /* a configuration that says nothing of providers does not matter */
  o.provider.expr = cue_strf(r->a, "package.config.providers[%.*s]",
                             CUE_FMT(cue_literal_quote(r->a, o.provider.name, CUE_QUOTE_STRING, 0)));
  if (!render_provider(r->c, &o, &m, &p->transformers, &why)) return render_failed(r, o.provider.name, &why);
  return EXIT_OK;
}

/* Only those that the arguments name. */
static ExitCode choose(Run *r, RenderTransformers *p) {
  if (!r->flags.args.n) return EXIT_OK;
  uint32_t n = 0;
  for (uint32_t k = 0; k < r->flags.args.n; k++) {
    CueStr want = r->flags.args.at[k];
    bool found = false;
    for (uint32_t i = 0; i < p->transformers.n; i++) found |= cue_str_has_suffix(p->transformers.at[i].key, want);
    if (!found)
      return run_fail(r, &(Problem){.code = EXIT_MISSING,
                                    .message = cue_strf(r->a, "provider \"%.*s\" has no transformer \"%.*s\"",
                                                        CUE_FMT(p->name), CUE_FMT(want)),
                                    .hint = CUE_STR("opm provider compile --dump keys lists them.")});
  }
  for (uint32_t i = 0; i < p->transformers.n; i++) {
    bool wanted = false;
    for (uint32_t k = 0; k < r->flags.args.n; k++)
      wanted |= cue_str_has_suffix(p->transformers.at[i].key, r->flags.args.at[k]);
    if (wanted) p->transformers.at[n++] = p->transformers.at[i];
  }
  p->transformers.n = n;
  return EXIT_OK;
}

/* ---- what is shown ---- */

static void explain(Run *r, const Compiled *c) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < c->n; i++) {
    const CompiledFunction *f = &c->functions[i];
    left += !f->plan;
    cue_buf_f(r->out, "%-10s %.*s%s%.*s\n", f->plan ? "compiled" : "evaluated", CUE_FMT(f->name), f->plan ? "" : ": ",
              CUE_FMT(f->why));
  }
  cue_buf_f(r->out, "%u of %u functions are compiled\n", c->n - left, c->n);
}

static Compilation compilation(const Provider *p, const Compiled *code) {
  return (Compilation){.kind = COMPILED_PROVIDER,
                       .name = p->transformers.name,
                       .version = p->transformers.version,
                       .code = code,
                       .watch = &p->watch,
                       .at = p->at,
                       .slot = p->slot};
}

static ExitCode compile(Run *r, const Provider *p, const Compiled *code) {
  CueStr file = flag_text(&r->flags, FLAG_OUTFILE);
  if (r->flags.at[FLAG_OUTFILE].given && !file.n) return run_usage(r, "the value of --output is empty");
  if (file.n && file.s[0] != '/') file = path_join(r->a, r->cwd, file);
  if (r->flags.args.n && !file.n) return run_usage(r, "single transformers can only be compiled to a file, with -o");
  if (!p->slot.n && !file.n)
    return run_usage(r, "the provider built into opm is already compiled: -o FILE compiles it for another machine");
  Compilation c = compilation(p, code);
  return compile_to(r, &c, flag_on(&r->flags, FLAG_RELEASE), file);
}

void provider_compile_silently(Run *r) {
  Provider *p = cue_new(r->a, Provider);
  if (take_provider(r, p) != EXIT_OK || !p->slot.n) return;
  Cache cache = cli_cache(r->a);
  int lock = cache_lock(r->a, &cache, p->slot, false);
  if (lock < 0) return;
  ArtefactSeal seal;
  Compiled found, code;
  CueStr why;
  CacheAnswer answer = cache_find(r->a, &cache, p->slot, &p->at, cue_stdlib_find, &seal, &found, &why);
  uint32_t from = answer == CACHE_MISSING ? 0 : answer == CACHE_NONE ? 2 : seal.tier + 1;
  if (from < 2) code = compile_provider(r->c, &p->transformers);
  for (uint32_t tier = from; tier < 2; tier++) {
    Compilation c = compilation(p, &code);
    if (!compile_kept(r, &c, tier, &why)) break;
  }
  close(lock);
}

ExitCode run_provider_compile(Run *r) {
  CueStr pass = flag_text(&r->flags, FLAG_DUMP), dir = flag_text(&r->flags, FLAG_EMIT_C);
  bool keys = cue_str_is(pass, "keys"), plans = cue_str_is(pass, "plans"), c = cue_str_is(pass, "c");
  bool told = flag_on(&r->flags, FLAG_EXPLAIN);
  if (pass.n && !keys && !plans && !c)
    return run_usage(r, "there is no pass \"%.*s\" (valid: keys, plans, c)", CUE_FMT(pass));
  Provider from;
  ExitCode code = take_provider(r, &from);
  RenderTransformers p = from.transformers;
  if (code == EXIT_OK) code = choose(r, &p);
  if (code != EXIT_OK) return code;
  Compiled compiled = compile_provider(r->c, &p);
  if (told) explain(r, &compiled);
  if (keys) {
    cue_emit_json(r->out, compiled.about, (CueJsonStyle){.indent = "  "});
    cue_buf_ch(r->out, '\n');
  }
  if (plans) emit_dump_plans(r->out, &compiled);
  if (c) cue_buf_str(r->out, compile_text(r, p.name, &compiled, false));
  if (!pass.n && !dir.n && !told) return compile(r, &from, &compiled);
  return dir.n ? compile_emit(r, p.name, &compiled, dir) : EXIT_OK;
}
