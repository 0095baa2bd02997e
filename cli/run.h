/* run.h - one command under way: its flags, its context, where its output goes.
**
** Commands never print. They add to `out` and `err`, or collect diagnostics and hand them to
** run_report; print.c writes the buffers when the command has ended.
*/
#ifndef OPM_RUN_H
#define OPM_RUN_H

#include "cli/command.h"
#include "compiler/load.h"

struct Run {
  CueArena *a;
  CueContext *c; /* NULL for commands that evaluate nothing */
  const Command *command;
  CueStr path; /* how the command is called: "opm cue export" */
  Flags flags;
  CueStr cwd;
  CueStr input; /* what stdin holds, if has_input */
  bool has_input;
  CueBuf *out, *err;
  bool failed; /* something was reported: the exit code will be 1 */
};

static inline CueDiags run_diags(const Run *r) { return (CueDiags){.a = r->a}; }
/* Prints diagnostics to err, and returns false. */
bool run_report(Run *r, const CueDiags *d);

/* The commands. */
bool run_export(Run *r);
bool run_eval(Run *r);
bool run_vet(Run *r);
bool run_def(Run *r);
bool run_fmt(Run *r);
bool run_version(Run *r);
bool run_catalog_list(Run *r);
bool run_catalog_extract(Run *r);

/* Puts text in place of a file at once: whoever reads it sees the old or the new text. Without
** `replace` a regular file that exists is an error; *error is worded as Go does. */
bool write_file(CueArena *a, CueStr path, CueStr text, bool replace, CueStr *error);
/* Makes a folder and those above it; one that is there already is fine. */
bool make_dirs(CueArena *a, CueStr path, unsigned mode, CueStr *error);

#endif
