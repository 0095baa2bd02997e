/* build_line.h - `exec opm mod build ...` lines of archives, for the programs that build the same in other ways. */
#ifndef TESTS_BUILD_LINE_H
#define TESTS_BUILD_LINE_H

#include "tests/script.h"

typedef struct {
  const char *dir, *name, *namespace, *environment, *environments;
  Words values;
  Words args;   /* without how and where to print */
  Words others; /* these without values files */
} BuildLine;

/* Whether a line of a script is one that is to succeed. */
bool build_line_is(const Words *w);
/* False if a flag lacks its value. */
bool build_line_parse(CueArena *a, const Words *w, BuildLine *b);

#endif
