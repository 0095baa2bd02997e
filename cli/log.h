/* log.h - what a command has to say, on stderr: lines of a log, and errors with their place and a hint.
**
** A line is "15:04:05 INFO m:name: message key=value". The time is left out with --timestamps=false,
** lines of level debug without --verbose.
*/
#ifndef OPM_LOG_H
#define OPM_LOG_H

#include "cli/run.h"

typedef enum { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR } LogLevel;

typedef struct {
  const char *key;
  CueStr value;
} LogField;

/* `name` stands before the message as "m:name:"; "" for none. The message may be styled (pen_on). */
void log_line(Run *r, LogLevel level, CueStr name, CueStr message, const LogField *fields, size_t n);
/* A message alone. */
void log_f(Run *r, LogLevel level, const char *fmt, ...) CUE_PRINTF(3, 4);

CueStr log_replaced_text(CueArena *a, CueStr module, CueStr version, CueStr used);
/* A LoadReplaced that warns, once for each module; `run` is a Run. */
void log_replaced(void *run, CueStr module, CueStr version, CueStr used);

/* What went wrong, for a person: printed as
**
**   Error: validation failed
**     Location: ./config.cue:3:2
**     Field: config.registry
**
**     what is wrong
**
**   Hint: what to do
*/
typedef struct {
  ExitCode code;
  const char *type; /* NULL: that of the exit code */
  CueStr location;  /* may be "", as may field and hint */
  CueStr field;
  CueStr message; /* may have several lines */
  CueStr hint;
} Problem;

/* Prints what is wrong with a command line, and where to read on; returns EXIT_GENERAL. */
ExitCode run_usage(Run *r, const char *fmt, ...) CUE_PRINTF(2, 3);

/* A path as messages show it: relative to the working directory if it is below it. */
CueStr run_shown(Run *r, CueStr path);

/* Prints it; returns its exit code, so that commands can `return run_fail(...)`. */
ExitCode run_fail(Run *r, const Problem *p);
/* The same with diagnostics as its message. */
ExitCode run_fail_diags(Run *r, Problem p, const CueDiags *d);

#endif
