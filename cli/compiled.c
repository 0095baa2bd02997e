/* compiled.c - see compiled.h. */
#include "cli/compiled.h"

#include "cli/provider.h"
#include "stdlib/cue/stdlib.h"

static bool refused(Run *r, const Config *c, CueStr name, CueStr file, CueStr why, ExitCode *code) {
  *code = run_fail(
      r,
      &(Problem){.code = EXIT_INVALID,
                 .type = "compiled code refused",
                 .location = run_shown(r, c->path),
                 .field = cue_strf(r->a, "config.providers.%.*s.compiled", CUE_FMT(name)),
                 .message = cue_strf(r->a, "%.*s: %.*s", CUE_FMT(run_shown(r, file)), CUE_FMT(why)),
                 .hint = CUE_STR("opm provider compile -o FILE makes such a file, opm cache verify FILE checks it.")});
  return false;
}

/* What was made of nothing but the catalog that is inside this program, too: then its CUE is here. */
static bool is_ours(Run *r, const ArtefactSeal *s) {
  CueStr catalog = cli_places(r->a, CUE_STR("/"), CUE_STR("")).catalog;
  return s->inputs.n == 1 && cue_str_is(s->inputs.at[0].kind, "catalog") && cue_str_eq(s->inputs.at[0].digest, catalog);
}

CueStr compiled_slot(CueArena *a, const CompiledPlace *p, bool release) {
  InputPlaces at = cli_places(a, p->dir, p->modules);
  CueStr what = release ? cue_strf(a, "release %.*s", CUE_FMT(p->release)) : CUE_STR("");
  return cache_slot(a, COMPILED_MODULE, &at, what);
}

CacheAnswer compiled_module(CueArena *a, const CompiledPlace *p, ArtefactSeal *seal, Compiled *out, CueStr *why) {
  Cache c = cli_cache(a);
  InputPlaces at = cli_places(a, p->dir, p->modules);
  CacheAnswer answer = cache_find(a, &c, compiled_slot(a, p, false), &at, cue_stdlib_find, seal, out, why);
  if (answer != CACHE_MISSING) return answer;
  return cache_find(a, &c, compiled_slot(a, p, true), &at, cue_stdlib_find, seal, out, why);
}

bool compiled_module_file(CueArena *a, CueStr file, Compiled *out, CueStr *why) {
  ArtefactFile *f = cue_new(a, ArtefactFile);
  if (!artefact_open(a, file, f, why)) return false;
  *why = CUE_STR("it is a provider, not a module");
  return f->seal.kind == COMPILED_MODULE && artefact_enter(a, f, cue_stdlib_find, out, why);
}

/* What was compiled of a provider that is configured as CUE. */
static void take_cached(Run *r, const Config *c, RenderProvider *p) {
  if (!p->package) return;
  Cache cache = cli_cache(r->a);
  InputPlaces at;
  ArtefactSeal seal;
  CueStr why, slot = provider_slot(r->a, c, p->name, &at);
  Compiled *compiled = cue_new(r->a, Compiled);
  CacheAnswer answer = cache_find(r->a, &cache, slot, &at, cue_stdlib_find, &seal, compiled, &why);
  if (answer == CACHE_FOUND) p->compiled = compiled;
  if (answer == CACHE_NONE) p->why_evaluated = why;
}

bool compiled_provider(Run *r, const Config *c, RenderProvider *p, ExitCode *code) {
  bool alone;
  CueStr file = config_compiled(r, c, p->name, &alone), why;
  if (!file.n) {
    take_cached(r, c, p);
    return true;
  }
  ArtefactFile *f = cue_new(r->a, ArtefactFile);
  Compiled *compiled = cue_new(r->a, Compiled);
  if (!artefact_open(r->a, file, f, &why)) return refused(r, c, p->name, file, why, code);
  if (f->seal.kind != COMPILED_PROVIDER)
    return refused(r, c, p->name, file, CUE_STR("it is a module, not a provider"), code);
  if (!artefact_enter(r->a, f, cue_stdlib_find, compiled, &why)) return refused(r, c, p->name, file, why, code);
  p->compiled = compiled;
  if (!alone) return true;
  p->package = NULL;
  p->no_cue = !is_ours(r, &f->seal);
  return true;
}
