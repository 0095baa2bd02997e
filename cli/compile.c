/* compile.c - see compile.h. */
#include "cli/compile.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "compiler/artefact/files.h"
#include "compiler/emit/emit.h"
#include "compiler/load_fs.h"

static CueStr title(CueArena *a, const Compilation *c) {
  return c->version.n ? cue_strf(a, "%.*s %.*s", CUE_FMT(c->name), CUE_FMT(c->version)) : c->name;
}

/* A name that is no path, whatever a module is called. */
static CueStr file_name(CueArena *a, CueStr name) {
  CueBuf b = cue_buf(a);
  for (size_t i = 0; i < name.n; i++) {
    char ch = name.s[i];
    bool plain = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '-';
    cue_buf_ch(&b, plain ? ch : '_');
  }
  cue_buf_z(&b, ".c");
  return cue_buf_done(&b);
}

CueStr compile_text(Run *r, CueStr name, const Compiled *code, bool lines) {
  EmitOptions o = {.symbol = ARTEFACT_ENTRY,
                   .file = file_name(r->a, name),
                   .sources = r->c->sources,
                   .root = r->cwd,
                   .lines = lines};
  return emit_c(r->a, code, &o);
}

ExitCode compile_emit(Run *r, CueStr name, const Compiled *code, CueStr dir) {
  CueStr error, path = cue_strf(r->a, "%.*s/%.*s", CUE_FMT(dir), CUE_FMT(file_name(r->a, name)));
  if (make_dirs(r->a, dir, 0777, &error) && write_file(r->a, path, compile_text(r, name, code, true), true, &error) &&
      write_file(r->a, cue_strf(r->a, "%.*s/abi.h", CUE_FMT(dir)), cue_str(emit_header), true, &error))
    return EXIT_OK;
  return run_fail(r, &(Problem){.code = exit_of_errno(),
                                .type = "cannot write",
                                .message = error,
                                .hint = CUE_STR("Name a folder that can be written to.")});
}

/* Where a C compiler can work: in the cache, so that gc finds what is left. A file that goes elsewhere needs no cache. */
static CueStr scratch_folder(Run *r, bool leaves) {
  Cache cache = cli_cache(r->a);
  CueStr in_cache = cache_scratch(r->a, &cache), why;
  bool usable = !leaves || (folder_make(r->a, in_cache, &why) && access(in_cache.s, W_OK) == 0);
  const char *tmp = getenv("TMPDIR");
  return cache.dir.n && usable ? in_cache : tmp && *tmp == '/' ? cue_str(tmp) : CUE_STR("/tmp");
}

/* A compiler that is fast may not be able to do everything: the next is asked then. What the last one says is told. */
static CcAnswer compile_c(Run *r, const CFile *files, uint32_t tier, bool leaves, CueStr *object, CueStr *why) {
  CCompiler cc;
  CcAnswer answer = CC_MISSING;
  CueStr scratch = scratch_folder(r, leaves), none;
  for (unsigned i = 0; answer != CC_DONE && cc_find(r->a, tier, i, &cc, i ? &none : why); i++)
    answer = cc_run(r->a, &cc, tier, scratch, files, 2, object, why);
  return answer;
}

/* The artefact of it: written as C, compiled, and sealed; `leaves`: it may go to another machine. CC_REFUSED if the C
** compilers there are cannot. The seal is there in any case. */
static CcAnswer compile_artefact(Run *r, const Compilation *c, uint32_t tier, bool leaves, ArtefactSeal *seal,
                                 CueStr *bytes, CueStr *why) {
  EmitOptions o = {.symbol = ARTEFACT_ENTRY, .file = file_name(r->a, c->name), .root = CUE_STR("")};
  CFile files[] = {{o.file, emit_c(r->a, c->code, &o)}, {CUE_STR("abi.h"), cue_str(emit_header)}};
  CueStr object;
  *seal = cli_seal(c->kind, title(r->a, c), tier);
  inputs_seal(r->a, c->watch, &c->at, seal);
  if (leaves) inputs_forget_lookups(seal);
  CcAnswer answer = compile_c(r, files, tier, leaves, &object, why);
  if (answer == CC_DONE) *bytes = artefact_sealed(r->a, object, seal);
  return answer;
}

bool compile_kept(Run *r, const Compilation *c, uint32_t tier, CueStr *why) {
  ArtefactSeal seal;
  CueStr bytes, error;
  Cache cache = cli_cache(r->a);
  CcAnswer answer = compile_artefact(r, c, tier, false, &seal, &bytes, why);
  if (answer == CC_REFUSED && !tier) cache_add_failed(r->a, &cache, c->slot, &seal, *why, &error);
  return answer == CC_DONE && cache_add(r->a, &cache, c->slot, &seal, bytes, why);
}

static ExitCode cannot(Run *r, const Compilation *c, ExitCode code, CueStr why, CueStr hint) {
  return run_fail(r, &(Problem){.code = code,
                                .type = "cannot compile",
                                .message = cue_strf(r->a, "%.*s: %.*s", CUE_FMT(title(r->a, c)), CUE_FMT(why)),
                                .hint = hint});
}

static CueStr hint_of(CcAnswer answer) {
  switch (answer) {
  case CC_MISSING: return CUE_STR("Install a C compiler, or name one with CC; without one opm evaluates, only slower.");
  case CC_REFUSED: return CUE_STR("Name another C compiler with CC; without one opm evaluates, only slower.");
  default: return CUE_STR("Compiling needs a folder to write to: XDG_CACHE_HOME names another one.");
  }
}

/* Where the user says: a link stays one, and a device or pipe is written to, not replaced. */
static bool deliver(CueArena *a, CueStr file, CueStr bytes, CueStr *why) {
  struct stat st;
  char real[PATH_MAX];
  if (stat(file.s, &st) == 0 && !S_ISREG(st.st_mode)) return write_file(a, file, bytes, true, why);
  return file_replace(a, realpath(file.s, real) ? cue_str(real) : file, bytes, 0644, why);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

ExitCode compile_to(Run *r, const Compilation *c, uint32_t tier, CueStr file) {
  ArtefactSeal seal;
  CueStr bytes, why;
  double from = seconds();
  CcAnswer answer = compile_artefact(r, c, tier, file.n > 0, &seal, &bytes, &why);
  if (answer != CC_DONE) return cannot(r, c, EXIT_GENERAL, why, hint_of(answer));
  Cache cache = cli_cache(r->a);
  errno = 0;
  bool ok = file.n ? deliver(r->a, file, bytes, &why) : cache_add(r->a, &cache, c->slot, &seal, bytes, &why);
  if (!ok) return cannot(r, c, exit_of_errno(), why, CUE_STR("The folder must be there and writable."));
  LogField fields[] = {{"tier", cue_int_text(r->a, tier)},
                       {"bytes", cue_int_text(r->a, (int64_t)bytes.n)},
                       {"inputs", cue_str_sub(cache_key(r->a, &seal), 0, 12)},
                       {"seconds", cue_strf(r->a, "%.2f", seconds() - from)}};
  log_line(r, LOG_INFO, c->name,
           file.n ? cue_strf(r->a, "compiled to %.*s", CUE_FMT(run_shown(r, file))) : CUE_STR("compiled"), fields, 4);
  return EXIT_OK;
}
