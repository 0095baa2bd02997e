/* scores.c - counting the conformance runner's answers, and the tables made of them. */
#include "tests/scores.h"

#include <stdlib.h>
#include <string.h>

static const char *const level_names[] = {
#define X(name, text) text,
    LEVELS(X)
#undef X
};

bool next_line(CueStr *rest, CueStr *line) {
  if (!rest->n) return false;
  size_t end = 0;
  while (end < rest->n && rest->s[end] != '\n') end++;
  *line = cue_str_sub(*rest, 0, end);
  *rest = cue_str_sub(*rest, end < rest->n ? end + 1 : end, rest->n);
  return true;
}

/* ---- counting ------------------------------------------------------------------------------------------ */

static Row *table_row(Table *t, CueStr name) {
  for (uint32_t i = 0; i < t->rows.n; i++)
    if (cue_str_eq(t->rows.at[i]->name, name)) return t->rows.at[i];
  Row *r = cue_new(t->a, Row);
  r->name = cue_str_copy(t->a, name);
  cue_push(t->a, &t->rows, r);
  return r;
}

/* eval/cycle of eval/cycle/004_x; scripts are one row. */
static CueStr folder_of(CueStr id) {
  size_t slashes = 0, i = 0;
  if (cue_str_has_prefix(id, CUE_STR("script/"))) return CUE_STR("script");
  for (; i < id.n; i++)
    if (id.s[i] == '/' && ++slashes == 2) break;
  return cue_str_sub(id, 0, i);
}

void table_count(Table *t, FILE *f, bool list) {
  char *line = NULL;
  size_t cap = 0;
  ssize_t n;
  Row *row = NULL;
  CueStr id = {0};
  while ((n = getline(&line, &cap, f)) > 0) {
    line[--n] = 0;
    if (strncmp(line, "case ", 5) == 0) {
      id = cue_str_copy(t->a, cue_str(line + 5));
      row = table_row(t, folder_of(id));
      continue;
    }
    char *rest;
    long level = strtol(line, &rest, 10), ok = strtol(rest, &rest, 10);
    if (!row || level < 0 || level >= LEVEL_COUNT) continue;
    row->ok[level] += ok != 0, row->all[level]++;
    t->all.ok[level] += ok != 0, t->all.all[level]++;
    if (!list || ok) continue;
    char *what = rest + (*rest == ' '), *want = strchr(what, '\t'), *got = want ? strchr(want + 1, '\t') : NULL;
    if (!got) continue;
    *want++ = 0, *got++ = 0;
    printf("%s %.*s: %s\n  want %s\n  got  %s\n", level_names[level], CUE_FMT(id), what, want, got);
  }
  free(line); /* getline's */
}

static int by_row_name(const void *x, const void *y) {
  return cue_str_cmp((*(Row *const *)x)->name, (*(Row *const *)y)->name);
}

/* ---- tables --------------------------------------------------------------------------------------------- */

static void put_cell(CueBuf *b, const Row *r, Level l) {
  if (r->all[l])
    cue_buf_f(b, " %u/%u |", r->ok[l], r->all[l]);
  else
    cue_buf_z(b, " |");
}

CueStr table_text(Table *t) {
  if (t->rows.n) qsort(t->rows.at, t->rows.n, sizeof *t->rows.at, by_row_name);
  t->all.name = CUE_STR("all");
  CueBuf b = cue_buf(t->a);
  static const struct {
    const char *name, *required;
    Level x, y;
    const char *folders; /* prefix of the rows counted */
  } sums[] = {
      {"values (fields, eq assertions)", "98 %", LEVEL_VALUE, LEVEL_EQ, ""},
      {"verdicts (fields, err assertions)", "97 %", LEVEL_VERDICT, LEVEL_ERR, ""},
      {"closed, allows", "98 %", LEVEL_CLOSED, LEVEL_CLOSED, ""},
      {"key order", "95 %", LEVEL_ORDER, LEVEL_ORDER, ""},
      {"values of pkg", "95 %", LEVEL_VALUE, LEVEL_EQ, "pkg/"},
      {"error codes", "", LEVEL_CODE, LEVEL_CODE, ""},
      {"messages (first line, contains)", "", LEVEL_MESSAGE, LEVEL_CONTAINS, ""},
      {"script steps of export, eval, vet with stdout", "85 %", LEVEL_STDOUT, LEVEL_STDOUT, ""},
      {"script steps, all", "", LEVEL_SCRIPT, LEVEL_SCRIPT, ""},
      {"answered without crash or timeout", "", LEVEL_ALIVE, LEVEL_ALIVE, ""},
  };
  cue_buf_z(&b, "| level | agrees | of | rate | required |\n|---|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
    unsigned ok = 0, n = 0;
    for (uint32_t k = 0; k < t->rows.n; k++) {
      Row *r = t->rows.at[k];
      if (!cue_str_has_prefix(r->name, cue_str(sums[i].folders))) continue;
      ok += r->ok[sums[i].x], n += r->all[sums[i].x];
      if (sums[i].y != sums[i].x) ok += r->ok[sums[i].y], n += r->all[sums[i].y];
    }
    cue_buf_f(&b, "| %s | %u | %u | %.1f %% | %s |\n", sums[i].name, ok, n, n ? 100.0 * ok / n : 0.0, sums[i].required);
  }
  cue_buf_z(&b, "\n| folder |");
  for (int l = 0; l < LEVEL_ALIVE; l++) cue_buf_f(&b, " %s |", level_names[l]);
  cue_buf_z(&b, "\n|---|");
  for (int l = 0; l < LEVEL_ALIVE; l++) cue_buf_z(&b, "---|");
  for (uint32_t i = 0; i <= t->rows.n; i++) {
    const Row *r = i < t->rows.n ? t->rows.at[i] : &t->all;
    cue_buf_f(&b, "\n| %.*s |", CUE_FMT(r->name));
    for (int l = 0; l < LEVEL_ALIVE; l++) put_cell(&b, r, (Level)l);
  }
  cue_buf_ch(&b, '\n');
  return cue_buf_done(&b);
}

/* Numerators of a table row, in order; -1 for an empty cell. Returns how many. */
static int row_numbers(CueStr line, long out[LEVEL_COUNT]) {
  int n = 0;
  size_t bars = 0;
  for (size_t i = 0; i < line.n && n < LEVEL_COUNT; i++) {
    if (line.s[i] != '|' || ++bars < 2 || i + 1 >= line.n) continue;
    char *end;
    long v = strtol(line.s + i + 1, &end, 10);
    out[n++] = end == line.s + i + 1 || *end != '/' ? -1 : v;
  }
  return n;
}

/* Compares row by row with the committed table; prints what fell. */
unsigned table_fallen(CueStr committed, CueStr now) {
  unsigned bad = 0;
  CueStr line;
  while (next_line(&committed, &line)) {
    ptrdiff_t bar = line.n > 2 ? cue_str_find(cue_str_sub(line, 2, line.n), CUE_STR(" |")) : -1;
    if (bar < 0) continue;
    CueStr key = cue_str_sub(line, 0, (size_t)bar + 4), rest = now, other;
    while (next_line(&rest, &other)) {
      long want[LEVEL_COUNT], got[LEVEL_COUNT];
      if (!cue_str_has_prefix(other, key)) continue;
      int n = row_numbers(line, want), m = row_numbers(other, got);
      for (int i = 0; i < n && i < m && i < LEVEL_ALIVE; i++)
        if (got[i] < want[i]) {
          printf("conformance: %.*s %s fell from %ld to %ld\n", CUE_FMT(key), level_names[i], want[i], got[i]);
          bad++;
        }
    }
  }
  return bad;
}
