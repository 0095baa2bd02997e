/* dfa_fuzz.c - a pattern, NUL, a text: its table and RE2 agree on whether it matches, and only patterns that RE2 takes
** have tables. */
#include <stdlib.h>
#include <string.h>

#include "compiler/emit/dfa.h"
#include "runtime/regex.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const uint8_t *nul = size ? memchr(data, 0, size) : NULL;
  CueStr pattern = {(const char *)data, nul ? (size_t)(nul - data) : size}, text = {"", 0};
  if (nul) text = (CueStr){(const char *)nul + 1, size - pattern.n - 1};
  CueArena *a = cue_arena_new();
  const char *why;
  const CueDfa *d = dfa_compile(a, pattern, &why);
  if (d) {
    CueRegexCache *c = cue_regex_cache_new();
    CueStr err;
    const CueRegex *re = cue_regex_get(c, a, pattern, &err);
    if (!re || cue_regex_test(re, text) != cue_dfa_test(d, text.s, text.n)) abort();
    cue_regex_cache_free(c);
  }
  cue_arena_free(a);
  return 0;
}
