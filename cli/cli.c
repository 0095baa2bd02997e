/* cli.c - from the words of a command line to a command that runs.
*/
#include "cli/cli.h"

#include <stdlib.h>
#include <unistd.h>

#include "cli/print.h"
#include "cli/run.h"
#include "stdlib/cue/stdlib.h"

bool run_report(Run *r, const CueDiags *d) {
  r->failed = true;
  cue_diags_print(r->err, d, r->c->sources, r->cwd);
  return false;
}

static CueStr working_directory(CueArena *a) {
  for (size_t size = 4096;; size *= 2) {
    char *buf = cue_alloc(a, size);
    if (getcwd(buf, size)) return cue_str(buf);
    if (size > 1 << 20) return CUE_STR("/");
  }
}

static int run_job(void *arg) {
  Run *r = arg;
  r->c = cue_context_new(r->a, cue_stdlib_find);
  bool ok = r->command->run(r) && !r->failed;
  cue_context_free(r->c);
  return ok ? 0 : 1;
}

static int run_command(Run *r, int argc, char **argv) {
  CueStr error;
  if (!flags_parse(r->a, r->command, argc, argv, &r->flags, &error)) {
    cue_buf_f(r->err, "%.*s\n", CUE_FMT(error));
    return 1;
  }
  if (flag_on(&r->flags, FLAG_HELP)) {
    help_text(r->out, r->command, r->path);
    return 0;
  }
  r->cwd = working_directory(r->a);
  return cue_run_on_big_stack(run_job, r);
}

int cli_cue(int argc, char **argv, CueStr input, CueBuf *out, CueBuf *err) {
  const Command *cue = command_find(&cli_commands, CUE_STR("cue"));
  const Command *c = argc > 0 ? command_find(cue, cue_str(argv[0])) : NULL;
  if (!c) {
    cue_buf_f(err, "unknown command \"%s\" for \"opm cue\"\n", argc > 0 ? argv[0] : "");
    return 1;
  }
  CueArena *a = cue_arena_new();
  Run r = {.a = a, .command = c, .path = cue_strf(a, "opm cue %s", c->name), .input = input, .has_input = input.s != NULL, .out = out, .err = err};
  int code = run_command(&r, argc - 1, argv + 1);
  cue_arena_free(a);
  return code;
}

int cli_run(int argc, char **argv) {
  CueArena *a = cue_arena_new();
  CueBuf out = cue_buf(a), err = cue_buf(a);
  int code = cli_cue(argc - 2, argv + 2, (CueStr){0}, &out, &err);
  print_all(1, cue_buf_done(&out));
  print_all(2, cue_buf_done(&err));
  cue_arena_free(a);
  return code;
}
