/* compile.c - see compile.h. */
#include "cli/compile.h"

#include <time.h>

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

/* A compiler that is fast may not be able to do everything: the next is asked then. What the last one says is told. */
static CcAnswer compile_c(Run *r, const CFile *files, uint32_t tier, CueStr *object, CueStr *why) {
  CCompiler cc;
  CcAnswer answer = CC_FAILED;
  Cache cache = cli_cache(r->a);
  CueStr scratch = cache.dir.n ? cache_scratch(r->a, &cache) : CUE_STR("/tmp"), none;
  for (unsigned i = 0; answer != CC_DONE && cc_find(r->a, tier, i, &cc, i ? &none : why); i++)
    answer = cc_run(r->a, &cc, tier, scratch, files, 2, object, why);
  return answer;
}

CcAnswer compile_artefact(Run *r, const Compilation *c, uint32_t tier, ArtefactSeal *seal, CueStr *bytes, CueStr *why) {
  EmitOptions o = {.symbol = ARTEFACT_ENTRY, .file = file_name(r->a, c->name), .root = CUE_STR("")};
  CFile files[] = {{o.file, emit_c(r->a, c->code, &o)}, {CUE_STR("abi.h"), cue_str(emit_header)}};
  CueStr object;
  ArtefactObject checked;
  *seal = cli_seal(c->kind, title(r->a, c), tier);
  inputs_seal(r->a, c->watch, &c->at, seal);
  CcAnswer answer = compile_c(r, files, tier, &object, why);
  if (answer != CC_DONE) return answer;
  *bytes = artefact_sealed(r->a, object, seal);
  if (artefact_object(r->a, object, &checked, why)) return CC_DONE;
  *why = cue_strf(r->a, "the C compiler made something that opm does not load: %.*s", CUE_FMT(*why));
  return CC_REFUSED;
}

bool compile_kept(Run *r, const Compilation *c, uint32_t tier, CueStr *why) {
  ArtefactSeal seal;
  CueStr bytes, error;
  Cache cache = cli_cache(r->a);
  CcAnswer answer = compile_artefact(r, c, tier, &seal, &bytes, why);
  if (answer == CC_REFUSED && !tier) cache_add_failed(r->a, &cache, c->slot, &seal, *why, &error);
  return answer == CC_DONE && cache_add(r->a, &cache, c->slot, &seal, bytes, why);
}

static ExitCode cannot(Run *r, const Compilation *c, CueStr why, const char *hint) {
  return run_fail(r, &(Problem){.code = EXIT_GENERAL,
                                .type = "cannot compile",
                                .message = cue_strf(r->a, "%.*s: %.*s", CUE_FMT(title(r->a, c)), CUE_FMT(why)),
                                .hint = cue_str(hint)});
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
  if (compile_artefact(r, c, tier, &seal, &bytes, &why) != CC_DONE)
    return cannot(r, c, why, "Install a C compiler, or name one with CC; without one opm evaluates, only slower.");
  Cache cache = cli_cache(r->a);
  bool ok = file.n ? file_replace(r->a, file, bytes, 0644, &why) : cache_add(r->a, &cache, c->slot, &seal, bytes, &why);
  if (!ok) return cannot(r, c, why, "The folder must be there and writable.");
  LogField fields[] = {{"tier", cue_int_text(r->a, tier)},
                       {"bytes", cue_int_text(r->a, (int64_t)bytes.n)},
                       {"inputs", cue_str_sub(cache_key(r->a, &seal), 0, 12)},
                       {"seconds", cue_strf(r->a, "%.2f", seconds() - from)}};
  log_line(r, LOG_INFO, c->name,
           file.n ? cue_strf(r->a, "compiled to %.*s", CUE_FMT(run_shown(r, file))) : CUE_STR("compiled"), fields, 4);
  return EXIT_OK;
}
