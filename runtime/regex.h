/* regex.h - regular expressions with Go's syntax, in linear time (RE2).
**
** Compiled patterns are cached in the CueRegexCache that made them, so asking twice for
** one pattern costs a lookup. regex.cc is the only user of RE2 and the only C++ file.
*/
#ifndef CUE_REGEX_H
#define CUE_REGEX_H

#include "runtime/str.h"

typedef struct CueRegex CueRegex;
typedef struct {
  ptrdiff_t from, to; /* -1, -1: the group took no part */
} CueMatch;

/* A pattern that was compiled before, to code that says whether a text has a match. */
typedef struct {
  CueStr pattern;
  bool (*test)(const char *text, size_t n);
} CueKnownPattern;

CueRegexCache *cue_regex_cache_new(void);
/* The cache need not compile these, which are in order, as long as only cue_regex_test is asked. */
void cue_regex_cache_know(CueRegexCache *c, const CueKnownPattern *patterns, size_t n);
void cue_regex_cache_free(CueRegexCache *c);
/* NULL if the pattern is malformed; *err then is Go's text: "error parsing regexp: ...". */
const CueRegex *cue_regex_get(CueRegexCache *c, CueArena *a, CueStr pattern, CueStr *err);
bool cue_regex_test(const CueRegex *re, CueStr text);
int cue_regex_groups(const CueRegex *re);                   /* capturing groups, without group 0 */
CueStr cue_regex_group_name(const CueRegex *re, int group); /* empty if unnamed */
/* Leftmost-first match at or after `from`; m has groups+1 entries. */
bool cue_regex_find(const CueRegex *re, CueStr text, size_t from, CueMatch *m);

#endif
