/* cli.h - the commands of opm, as functions.
**
** cli_run is the program: it reads its arguments, runs a command and writes what came out.
** cli_cue is one command of `opm cue` without a process around it, for tests and fuzzing.
*/
#ifndef OPM_CLI_H
#define OPM_CLI_H

#include "runtime/str.h"

int cli_run(int argc, char **argv);

/* argv[0] is the command ("export", "vet", ...), the rest are its flags and arguments. `input`
** is what stdin holds; if its .s is NULL, stdin is read when needed. What the command prints is
** added to out and err. Returns the exit code: 0, or 1 if something was wrong. Every call has
** memory and context of its own. */
int cli_cue(int argc, char **argv, CueStr input, CueBuf *out, CueBuf *err);

#endif
