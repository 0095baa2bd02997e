/* run.h - one command under way: its flags, its context, where its output goes.
**
** Commands never print. Data they add to `out`; what they have to say they hand to log.h, or they
** collect diagnostics and hand them to run_report. print.c writes the buffers when the command has
** ended.
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
  CueDrain *drain;           /* of out, with the run as its argument, if it need not be kept whole; or NULL */
  bool unprinted;            /* what was drained could not be written */
  bool color_out, color_err; /* whether who reads them sees colours */
  bool verbose, timestamps;  /* of the log */
  CUE_VEC(CueStr) replaced;  /* modules whose version was said to be another */
  CueStr compile;            /* what to do with modules that are not compiled: "never", "background", "wait" */
  void (*later)(Run *r);     /* what is to be done when all is printed; NULL for nothing */
  CueStr later_dir;          /* ... with the module in this folder */
  FsWatch *watch;            /* notes what is read of the disk; NULL if nobody wants to know */
  bool failed;               /* something was reported: the exit code will not be 0 */
};

/* Words to a command at or below r->command, which is run; returns the exit code. Where output goes and what stdin holds
** is in r already. */
int run_words(Run *r, int argc, char **argv);
static inline CueDiags run_diags(const Run *r) { return (CueDiags){.a = r->a}; }
/* Prints diagnostics to err, and returns false. */
bool run_report(Run *r, const CueDiags *d);
static inline ExitCode run_exit(bool ok) { return ok ? EXIT_OK : EXIT_GENERAL; }

/* The commands. */
ExitCode run_export(Run *r);
ExitCode run_eval(Run *r);
ExitCode run_vet(Run *r);
ExitCode run_def(Run *r);
ExitCode run_fmt(Run *r);
ExitCode run_version(Run *r);
ExitCode run_completion(Run *r);
ExitCode run_docs_man(Run *r);
ExitCode run_docs_commands(Run *r);
ExitCode run_config_init(Run *r);
ExitCode run_config_vet(Run *r);
ExitCode run_mod_init(Run *r);
ExitCode run_mod_tidy(Run *r);
ExitCode run_cache_ls(Run *r);
ExitCode run_cache_verify(Run *r);
ExitCode run_cache_gc(Run *r);
ExitCode run_catalog_list(Run *r);
ExitCode run_catalog_extract(Run *r);
ExitCode run_mod_build(Run *r);
ExitCode run_mod_compile(Run *r);
ExitCode run_mod_vet(Run *r);
ExitCode run_provider_compile(Run *r);
ExitCode run_explain(Run *r);
ExitCode run_env_list(Run *r);
ExitCode run_env_show(Run *r);
ExitCode run_env_diff(Run *r);
ExitCode run_fleet_build(Run *r);
ExitCode run_fleet_job(Run *r);

/* Puts text in place of a file at once: whoever reads it sees the old or the new text. Without
** `replace` a regular file that exists is an error; *error is worded as Go does. This and make_dirs leave the reason
** in errno. */
bool write_file(CueArena *a, CueStr path, CueStr text, bool replace, CueStr *error);
bool write_file_mode(CueArena *a, CueStr path, CueStr text, bool replace, unsigned mode, CueStr *error);
/* Makes a folder and those above it; one that is there already is fine. */
bool make_dirs(CueArena *a, CueStr path, unsigned mode, CueStr *error);
ExitCode exit_of_errno(void); /* what a failure of files is to the caller of opm */

#endif
