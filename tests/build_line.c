/* build_line.c - see build_line.h. */
#include "tests/build_line.h"

#include <string.h>

enum { VALUES, NAME, NAMESPACE, ENVIRONMENT, ENVIRONMENTS, OTHER, OUTPUT, NO_FLAG };

static int flag_of(const char *word, size_t n) {
  static const struct {
    const char *name;
    int what;
  } flags[] = {
      {"-f", VALUES},        {"--values", VALUES},
      {"--name", NAME},      {"--release-name", NAME},
      {"-n", NAMESPACE},     {"--namespace", NAMESPACE},
      {"--config", OTHER},   {"--environment", ENVIRONMENT},
      {"--provider", OTHER}, {"--environments", ENVIRONMENTS},
      {"-o", OUTPUT},        {"--output", OUTPUT},
      {"--out-dir", OUTPUT},
  };
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (strlen(flags[i].name) == n && strncmp(flags[i].name, word, n) == 0) return flags[i].what;
  return NO_FLAG;
}

bool build_line_is(const Words *w) {
  return w->n >= 4 && strcmp(w->at[0], "exec") == 0 && strcmp(w->at[2], "mod") == 0 && strcmp(w->at[3], "build") == 0;
}

bool build_line_parse(CueArena *a, const Words *w, BuildLine *b) {
  *b = (BuildLine){.dir = "."};
  for (uint32_t i = 4; i < w->n; i++) {
    const char *word = w->at[i], *eq = word[0] == '-' && word[1] == '-' ? strchr(word, '=') : NULL;
    size_t n = eq ? (size_t)(eq - word) : strlen(word);
    int what = flag_of(word, n);
    if (what == NO_FLAG) {
      if (word[0] != '-') b->dir = word;
      if (strcmp(word, "--split") == 0) continue;
      cue_push(a, &b->args, word);
      cue_push(a, &b->others, word);
      continue;
    }
    const char *value = eq ? eq + 1 : i + 1 < w->n ? w->at[++i] : NULL;
    if (!value) return false;
    if (what == VALUES) cue_push(a, &b->values, value);
    if (what == NAME) b->name = value;
    if (what == NAMESPACE) b->namespace = value;
    if (what == ENVIRONMENT) b->environment = value;
    if (what == ENVIRONMENTS) b->environments = value;
    if (what == OUTPUT) continue;
    const char *flag = cue_strf(a, "%.*s", (int)n, word).s;
    cue_push(a, &b->args, flag);
    cue_push(a, &b->args, value);
    if (what == VALUES) continue;
    cue_push(a, &b->others, flag);
    cue_push(a, &b->others, value);
  }
  return true;
}
