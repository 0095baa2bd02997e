/* suggest.c - what a word that means nothing may have meant. */
#include "cli/command.h"

#include <string.h>

enum { LONGEST = 32 }; /* of words that are compared */

static size_t least(size_t x, size_t y) { return x < y ? x : y; }

/* Edits that make one word of another; two letters that changed places are one. */
static size_t distance(CueStr x, CueStr y) {
  size_t at[LONGEST + 1][LONGEST + 1];
  if (x.n > LONGEST || y.n > LONGEST) return LONGEST;
  for (size_t i = 0; i <= x.n; i++)
    for (size_t k = 0; k <= y.n; k++) {
      if (i == 0 || k == 0) {
        at[i][k] = i + k;
        continue;
      }
      bool same = x.s[i - 1] == y.s[k - 1];
      at[i][k] = least(least(at[i - 1][k], at[i][k - 1]) + 1, at[i - 1][k - 1] + !same);
      if (i > 1 && k > 1 && x.s[i - 1] == y.s[k - 2] && x.s[i - 2] == y.s[k - 1])
        at[i][k] = least(at[i][k], at[i - 2][k - 2] + 1);
    }
  return at[x.n][y.n];
}

/* Near enough: a third of the word may be wrong. */
static void consider(CueStr word, const char *name, size_t *best, const char **found) {
  size_t d = distance(word, cue_str(name));
  if (d >= *best || d * 3 > strlen(name)) return;
  *best = d;
  *found = name;
}

const char *suggest_command(const Command *in, CueStr word) {
  size_t best = LONGEST;
  const char *found = NULL;
  for (const Command *c = in->commands; c && c->name; c++)
    if (!c->hidden) consider(word, c->name, &best, &found);
  return found;
}

const char *suggest_flag(const Command *c, CueStr word) {
  size_t best = LONGEST;
  const char *found = NULL;
  EACH_FLAG (f, c) {
    if (f->help) consider(word, f->name, &best, &found);
  }
  return found;
}

const char *suggest_word(const char *const *words, size_t n, CueStr word) {
  size_t best = LONGEST;
  const char *found = NULL;
  for (size_t i = 0; i < n; i++) consider(word, words[i], &best, &found);
  return found;
}
