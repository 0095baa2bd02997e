/* script.h - lines of the scripts in archives, for the programs that read them. */
#ifndef TESTS_SCRIPT_H
#define TESTS_SCRIPT_H

#include "runtime/str.h"

typedef CUE_VEC(const char *) Words;

Words script_words(CueArena *a, CueStr line);            /* split at blanks; '...' and "..." keep theirs */
bool script_next(CueStr text, size_t *at, CueStr *line); /* the line at *at, which is moved behind it */

#endif
