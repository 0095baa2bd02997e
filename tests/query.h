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
  CueStr path;     /* a.b.0."c-d"; empty for the whole */
  CueStr selector; /* of `allows`: a field name, or string or int for any; empty if not asked */
} Query;

typedef struct {
  const char **args; /* files, NULL-terminated */
  const Query *at;
  uint32_t n;
} Queries;

/* Evaluates the package once and answers in order. Each answer begins with a line "query I"; then come, one a line, "code C" and
** "message M" if the value is an error; "closed true|false"; "allows true|false" if a selector is given; "kind a|b"; "json
** TEXT" if it is concrete; "below C M" for each error at or below it. Nothing if there is no such value. Returns 1, without
** any answer, if the package could not be built. */
int query_values(const Queries *q);

#endif
