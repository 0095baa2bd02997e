/* compiled.c - see compiled.h. */
#include "cli/compiled.h"

#include <errno.h>

#include "cli/provider.h"
#include "stdlib/cue/stdlib.h"

bool compiled_open(CueArena *a, CueStr file, ArtefactFile *out, CueStr *why, ExitCode *code) {
  errno = 0;
  *code = EXIT_OK;
  if (artefact_open(a, file, out, why)) return true;
  *code = errno == ENOENT || errno == ENOTDIR ? EXIT_MISSING
          : errno == EACCES || errno == EPERM ? EXIT_DENIED
                                              : EXIT_INVALID;
  return false;
}

static ExitCode refused(Run *r, const Config *c, CueStr name, CueStr why, ExitCode code) {
  return run_fail(
      r,
      &(Problem){.code = code,
                 .type = "compiled code refused",
                 .location = run_shown(r, c->path),
                 .field = cue_strf(r->a, "config.providers.%.*s.compiled", CUE_FMT(name)),
                 .message = why,
                 .hint = CUE_STR("opm provider compile -o FILE makes such a file, opm cache verify FILE checks it.")});
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

bool compiled_module_file(CueArena *a, CueStr file, Compiled *out, CueStr *why, ExitCode *code) {
  ArtefactFile *f = cue_new(a, ArtefactFile);
  if (!compiled_open(a, file, f, why, code)) return false;
  *code = EXIT_INVALID;
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

static bool open_provider(CueArena *a, CueStr file, ArtefactFile *f, Compiled *out, CueStr *why, ExitCode *code) {
  if (!compiled_open(a, file, f, why, code)) return false;
  *code = EXIT_INVALID;
  *why = CUE_STR("it is a module, not a provider");
  return f->seal.kind == COMPILED_PROVIDER && artefact_enter(a, f, cue_stdlib_find, out, why);
}

bool compiled_provider(Run *r, const Config *c, RenderProvider *p, ExitCode *code) {
  ConfigCompiled said = config_compiled(r, c, p->name);
  CueStr why;
  if (said.unclear) {
    *code = refused(r, c, p->name, CUE_STR("compiled must be the path of a file, written as one string"), EXIT_INVALID);
    return false;
  }
  if (!said.file.n) {
    take_cached(r, c, p);
    return true;
  }
  ArtefactFile *f = cue_new(r->a, ArtefactFile);
  Compiled *compiled = cue_new(r->a, Compiled);
  if (!open_provider(r->a, said.file, f, compiled, &why, code)) {
    why = cue_strf(r->a, "%.*s: %.*s", CUE_FMT(run_shown(r, said.file)), CUE_FMT(why));
    *code = refused(r, c, p->name, why, *code);
    return false;
  }
  p->compiled = compiled;
  if (!said.alone) return true;
  p->package = NULL;
  p->no_cue = !is_ours(r, &f->seal);
  return true;
}
