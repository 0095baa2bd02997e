/* mod_compile.c - opm mod compile, in the foreground and for opm mod build in the background.
**
** In the background nothing is said: nobody listens. What cannot be compiled is kept as such, so that it is tried again
** only when something of it has changed, or the C compiler has.
*/
#include "cli/mod_compile.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/compile.h"
#include "cli/compiled.h"
#include "cli/provider.h"
#include "cli/render.h"
#include "compiler/artefact/cc.h"
#include "compiler/load_fs.h"
#include "compiler/render/compile.h"
#include "stdlib/opm/catalog.h"

extern char **environ;

/* ---- from a folder to plans ---- */

typedef struct {
  RenderModule module;
  Compiled code;
  FsWatch watch;
  Compilation job;
} Source;

/* Why nothing can be compiled of it; "" if it can. Values that are more than data are evaluated when it is rendered; where
** it will be alone, without its CUE, they cannot be. */
static CueStr obstacle(Run *r, const Source *s, bool alone) {
  if (r->replaced.n) return CUE_STR("it asks for module versions that are not available");
  const CueStruct *about = s->code.about.as.fields;
  bool written = s->module.release;
  if (written && !cue_struct_get(about, CUE_STR("release"))) return CUE_STR("what the release says is not data");
  if (!written && !cue_struct_get(about, CUE_STR("values")) && alone)
    return CUE_STR("its files say more about values than that they are #config");
  static const char *const used[] = {"config", "components"};
  for (size_t i = 0; i < sizeof used / sizeof *used; i++) {
    const CueValue *at = cue_struct_get(about, cue_str(used[i]));
    const CompiledFunction *f = at ? &s->code.functions[at->as.i] : NULL;
    if (f && !f->plan) return cue_strf(r->a, "%.*s: %.*s", CUE_FMT(f->name), CUE_FMT(f->why));
  }
  return CUE_STR("");
}

/* Files of values are looked at to see what package they are of, and then left out: what they say does not count. */
static void forget_values(FsWatch *w, CueStr dir) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < w->notes.n; i++) {
    FsNote x = w->notes.at[i];
    CueStr name = cue_str_has_prefix(x.path, dir) ? cue_str_sub(x.path, dir.n, x.path.n) : CUE_STR("");
    if (x.question == FS_FILE && cue_str_has_prefix(name, CUE_STR("/values")) && !memchr(name.s + 1, '/', name.n - 1))
      continue;
    w->notes.at[n++] = x;
  }
  w->notes.n = n;
}

static bool load_as(Run *r, const CompiledPlace *at, bool written, Source *s, RenderFailure *why) {
  *s = (Source){.watch = {.a = r->a}};
  RenderOptions o = {.dir = at->dir, .name = at->release, .without_values = !written, .no_values_needed = !written};
  o.load = (LoadConfig){.package = CUE_STR(""),
                        .cache_dir = at->modules,
                        .embedded = catalog_modules,
                        .nembedded = catalog_count,
                        .replaced = log_replaced,
                        .replaced_user = r,
                        .watch = &s->watch};
  s->job = (Compilation){.kind = COMPILED_MODULE, .code = &s->code, .watch = &s->watch};
  s->job.at = cli_places(r->a, at->dir, at->modules);
  s->job.slot = compiled_slot(r->a, at, written);
  return render_module(r->c, &o, &s->module, why);
}

static bool load(Run *r, const CompiledPlace *at, Source *s, RenderFailure *why) {
  if (!load_as(r, at, false, s, why)) return false;
  bool written = s->module.release;
  if (written && !load_as(r, at, true, s, why)) return false; /* there, values are part of it */
  CueStr name = s->module.name.n ? s->module.name : CUE_STR("module"), given = s->module.given;
  /* Two releases of a package may have one name: then they differ in the field they are, written as module["x"]. */
  s->job.name = written ? cue_strf(r->a, "%.*s%.*s", CUE_FMT(name), (int)given.n - 6, given.s + 6) : name;
  s->job.version = s->module.version;
  s->code = compile_module(r->c, &s->module);
  if (!written) forget_values(&s->watch, at->dir);
  return true;
}

/* ---- into the cache ---- */

static void keep_none(Run *r, const Source *s, CueStr why) {
  ArtefactSeal seal = cli_seal(COMPILED_MODULE, s->job.name, 0);
  Cache cache = cli_cache(r->a);
  CueStr error;
  inputs_seal(r->a, &s->watch, &s->job.at, &seal);
  cache_add_none(r->a, &cache, s->job.slot, &seal, why, &error);
}

/* Both tiers, the first as soon as it can be had. */
static ExitCode compile_silently(Run *r, const CompiledPlace *at) {
  Cache cache = cli_cache(r->a);
  int lock = cache_lock(r->a, &cache, compiled_slot(r->a, at, false), false);
  if (lock < 0) return EXIT_OK; /* another is at it */
  if (nice(10) < 0) errno = 0;  /* people wait for other things; it is as well if this cannot be said */
  ArtefactSeal seal;
  Compiled found;
  CueStr why;
  CacheAnswer answer = compiled_module(r->a, at, &seal, &found, &why);
  bool first = answer == CACHE_MISSING;
  if (answer == CACHE_NONE || (answer == CACHE_FOUND && seal.tier > 0)) {
    close(lock);
    return EXIT_OK;
  }
  Source *s = cue_new(r->a, Source);
  RenderFailure failure = {.details = {.a = r->a}};
  if (load(r, at, s, &failure)) { /* what does not load is evaluated, and told, by every build */
    CueStr no = obstacle(r, s, false);
    if (no.n)
      keep_none(r, s, no);
    else if (!first || compile_kept(r, &s->job, 0, &why))
      compile_kept(r, &s->job, 1, &why);
  }
  close(lock);
  return EXIT_OK;
}

ExitCode run_mod_compile(Run *r) {
  Config config;
  Source *s = cue_new(r->a, Source);
  RenderFailure why = {.details = {.a = r->a}};
  if (r->flags.args.n > 1)
    return run_usage(r, "opm mod compile takes one module, but got %u arguments", r->flags.args.n);
  CueStr dir = r->flags.args.n ? r->flags.args.at[0] : r->cwd, file = flag_text(&r->flags, FLAG_OUTFILE);
  CueStr c = flag_text(&r->flags, FLAG_EMIT_C);
  dir = dir.n && dir.s[0] == '/' ? path_clean(r->a, dir) : path_join(r->a, r->cwd, dir);
  if (r->flags.at[FLAG_OUTFILE].given && !file.n) return run_usage(r, "the value of --output is empty");
  if (file.n && file.s[0] != '/') file = path_join(r->a, r->cwd, file);
  ExitCode code = config_load(r, &config);
  if (code != EXIT_OK) return code;
  CompiledPlace at = {dir, config.cache_dir.value, flag_text(&r->flags, FLAG_NAME)};
  if (flag_on(&r->flags, FLAG_BACKGROUND)) {
    compile_silently(r, &at);
    provider_compile_silently(r);
    return EXIT_OK;
  }
  if (!load(r, &at, s, &why)) return render_failed(r, s->module.name, &why);
  CueStr no = obstacle(r, s, file.n > 0);
  if (no.n) {
    if (!file.n && !c.n) keep_none(r, s, no);
    return run_fail(r, &(Problem){.code = EXIT_INVALID,
                                  .type = "cannot compile",
                                  .location = run_shown(r, dir),
                                  .message = no,
                                  .hint = CUE_STR("opm mod build evaluates it, with the same result.")});
  }
  if (c.n) return compile_emit(r, s->module.name.n ? s->module.name : CUE_STR("module"), &s->code, c);
  uint32_t tier = flag_on(&r->flags, FLAG_RELEASE);
  if (file.n) return compile_to(r, &s->job, tier, file);
  Cache cache = cli_cache(r->a);
  int lock = cache_lock(r->a, &cache, compiled_slot(r->a, &at, false), true);
  code = compile_to(r, &s->job, tier, file);
  if (lock >= 0) close(lock);
  return code;
}

/* ---- for opm mod build ---- */

bool mod_compile_now(Run *r, const CompiledPlace *at) {
  CCompiler cc;
  Source *s = cue_new(r->a, Source);
  RenderFailure why = {.details = {.a = r->a}};
  CueStr error;
  size_t said = r->err->n;
  Cache cache = cli_cache(r->a);
  if (!cc_find(r->a, 0, 0, &cc, &error)) return false;
  int lock = cache_lock(r->a, &cache, compiled_slot(r->a, at, false), true);
  ArtefactSeal seal;
  Compiled found;
  bool ok = compiled_module(r->a, at, &seal, &found, &error) == CACHE_FOUND; /* who waited may be served */
  if (!ok && load(r, at, s, &why)) {
    CueStr no = obstacle(r, s, false);
    if (no.n)
      keep_none(r, s, no);
    else
      ok = compile_kept(r, &s->job, 0, &error);
  }
  if (lock >= 0) close(lock);
  r->err->n = said; /* the evaluator will say it */
  r->replaced.n = 0;
  return ok;
}

/* By a process that belongs to nobody: it holds no terminal and no pipe of ours, and goes on when we are gone. */
static void start(Run *r, CueStr dir) {
  static const struct {
    FlagId id;
    const char *name;
  } passed[] = {{FLAG_CONFIG, "--config"}, {FLAG_PROVIDER, "--provider"}, {FLAG_NAME, "--name"}};
  CUE_VEC(const char *) argv = {0};
  const char *const words[] = {"opm", "mod", "compile", "--background", cue_str_copy(r->a, dir).s};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) cue_push(r->a, &argv, words[i]);
  for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) {
    if (!r->flags.at[passed[i].id].given) continue;
    cue_push(r->a, &argv, passed[i].name);
    cue_push(r->a, &argv, cue_str_copy(r->a, flag_text(&r->flags, passed[i].id)).s);
  }
  cue_push(r->a, &argv, NULL);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  pid_t pid;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&how);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSID);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
#if defined(__GLIBC_PREREQ) && __GLIBC_PREREQ(2, 34)
  posix_spawn_file_actions_addclosefrom_np(&files, 3); /* a caller may wait for the end of a pipe it has left open */
#endif
  (void)posix_spawn(&pid, "/proc/self/exe", &files, &how, (char *const *)(uintptr_t)argv.at,
                    environ); /* without it nothing is lost */
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
}

void mod_compile_later(Run *r, CueStr dir) {
  CCompiler cc;
  CueStr why;
  Cache cache = cli_cache(r->a);
  if (!cache.dir.n || !cc_find(r->a, 0, 0, &cc, &why)) return;
  start(r, dir);
}
