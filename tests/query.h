/* query.h - what the conformance runner asks of the engine linked into it.
**
** Both functions write their answer to standard output and return an exit code; the runner
** calls them in a child process.
*/
#ifndef TESTS_QUERY_H
#define TESTS_QUERY_H

#include "runtime/str.h"

/* `cue ARGV...`, from the command word on. */
int query_command(int argc, const char **argv);

typedef struct {
  const char **args; /* files, NULL-terminated */
  CueStr path;       /* a.b.0."c-d"; empty for the whole */
  CueStr selector;   /* of `allows`: a field name, or string or int for any; empty if not asked */
} Query;

/* Writes, one a line: "code C" and "message M" if the value is an error; "below C M" for each error at or below it;
** "json TEXT" if it is concrete;
** "closed true|false"; "allows true|false" if a selector is given; "kind a|b". Nothing if there is no such value. */
int query_value(const Query *q);

#endif
