/* diff.c - an anchored diff.
**
** Lines that occur once in each text and come in the same order in both are anchors: the
** longest such sequence. Around each anchor equal lines are matched as far as they go; the rest
** is the difference. This takes n log n, and keeps apart what a shortest diff would tear up to
** save a line.
*/
#include "cli/diff.h"

#include <stdlib.h>
#include <string.h>

enum { CONTEXT = 3 };

typedef CUE_VEC(CueStr) Lines;
typedef struct {
  uint32_t x, y; /* lines of the old and the new text */
} Pair;

static Lines lines_of(CueArena *a, CueStr s) {
  Lines l = {0};
  for (size_t i = 0; i < s.n;) {
    const char *nl = memchr(s.s + i, '\n', s.n - i);
    size_t end = nl ? (size_t)(nl - s.s) + 1 : s.n;
    CueStr line = cue_str_sub(s, i, end);
    if (!nl) line = cue_strf(a, "%.*s\n\\ No newline at end of file\n", CUE_FMT(line));
    cue_push(a, &l, line);
    i = end;
  }
  return l;
}

/* ---- anchors ---- */

typedef struct {
  CueStr line;
  uint32_t count[2]; /* in the old and the new text */
  uint32_t at[2];
} Entry;

static int entry_cmp(const void *p, const void *q) {
  const Entry *x = p, *y = q;
  int c = cue_str_cmp(x->line, y->line);
  if (c) return c;
  return x->count[0] != y->count[0] ? (x->count[0] ? -1 : 1) : 0;
}

static int pair_cmp(const void *p, const void *q) {
  const Pair *x = p, *y = q;
  return x->x < y->x ? -1 : x->x > y->x;
}

/* Lines that occur once in each text, in the order of the old one. */
static uint32_t unique_pairs(CueArena *a, const Lines *x, const Lines *y, Pair **out) {
  uint32_t n = x->n + y->n, found = 0;
  Entry *all = cue_array(a, Entry, n + 1);
  for (uint32_t i = 0; i < x->n; i++) all[i] = (Entry){x->at[i], {1, 0}, {i, 0}};
  for (uint32_t i = 0; i < y->n; i++) all[x->n + i] = (Entry){y->at[i], {0, 1}, {0, i}};
  qsort(all, n, sizeof *all, entry_cmp);
  Pair *pairs = cue_array(a, Pair, n + 1);
  for (uint32_t i = 0; i < n;) {
    Entry sum = {.line = all[i].line};
    for (; i < n && cue_str_eq(all[i].line, sum.line); i++)
      for (int k = 0; k < 2; k++) {
        if (!all[i].count[k]) continue;
        sum.count[k]++;
        sum.at[k] = all[i].at[k];
      }
    if (sum.count[0] == 1 && sum.count[1] == 1) pairs[found++] = (Pair){sum.at[0], sum.at[1]};
  }
  qsort(pairs, found, sizeof *pairs, pair_cmp);
  *out = pairs;
  return found;
}

/* The longest subsequence that ascends in both texts, between {0, 0} and the two ends. */
static uint32_t anchors(CueArena *a, const Lines *x, const Lines *y, Pair **out) {
  Pair *pairs;
  uint32_t n = unique_pairs(a, x, y, &pairs), longest = 0;
  uint32_t *tail = cue_array(a, uint32_t, n + 1); /* tail[k]: the pair that ends the best sequence of k + 1 */
  uint32_t *before = cue_array(a, uint32_t, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t lo = 0, hi = longest;
    while (lo < hi) {
      uint32_t mid = (lo + hi) / 2;
      if (pairs[tail[mid]].y < pairs[i].y)
        lo = mid + 1;
      else
        hi = mid;
    }
    before[i] = lo ? tail[lo - 1] : 0;
    tail[lo] = i;
    if (lo == longest) longest++;
  }
  Pair *seq = cue_array(a, Pair, longest + 2);
  seq[longest + 1] = (Pair){x->n, y->n};
  for (uint32_t k = longest, i = longest ? tail[longest - 1] : 0; k > 0; k--, i = before[i]) seq[k] = pairs[i];
  *out = seq;
  return longest + 2;
}

/* ---- chunks ---- */

typedef struct {
  CueBuf *out, text;
  Pair from, count; /* of the chunk being gathered */
} Chunk;

static void chunk_add(Chunk *c, char mark, const Lines *l, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    cue_buf_ch(&c->text, mark);
    cue_buf_str(&c->text, l->at[i]);
    c->count.x += mark != '+';
    c->count.y += mark != '-';
  }
}

static void chunk_end(Chunk *c) {
  /* Lines are counted from one, but an empty side is shown as 0,0. */
  cue_buf_f(c->out, "@@ -%u,%u +%u,%u @@\n", c->from.x + (c->count.x > 0), c->count.x, c->from.y + (c->count.y > 0),
            c->count.y);
  cue_buf_str(c->out, cue_buf_done(&c->text));
  c->text.n = 0;
  c->count = (Pair){0, 0};
}

void diff_text(CueBuf *out, CueStr old_name, CueStr old, CueStr new_name, CueStr new) {
  if (cue_str_eq(old, new)) return;
  cue_buf_f(out, "diff %.*s %.*s\n--- %.*s\n+++ %.*s\n", CUE_FMT(old_name), CUE_FMT(new_name), CUE_FMT(old_name),
            CUE_FMT(new_name));
  Lines x = lines_of(out->a, old), y = lines_of(out->a, new);
  Pair *seq, done = {0, 0};
  uint32_t n = anchors(out->a, &x, &y, &seq);
  Chunk c = {.out = out, .text = cue_buf(out->a)};
  for (uint32_t i = 0; i < n; i++) {
    if (seq[i].x < done.x) continue; /* matched by an earlier anchor */
    Pair start = seq[i], end = seq[i];
    while (start.x > done.x && start.y > done.y && cue_str_eq(x.at[start.x - 1], y.at[start.y - 1]))
      start.x--, start.y--;
    while (end.x < x.n && end.y < y.n && cue_str_eq(x.at[end.x], y.at[end.y])) end.x++, end.y++;
    chunk_add(&c, '-', &x, done.x, start.x);
    chunk_add(&c, '+', &y, done.y, start.y);
    uint32_t common = end.x - start.x;
    bool at_end = end.x == x.n && end.y == y.n;
    if (!at_end && (common < CONTEXT || (c.text.n && common < 2 * CONTEXT))) {
      chunk_add(&c, ' ', &x, start.x, end.x); /* too near to the next difference to end here */
      done = end;
      continue;
    }
    if (c.text.n) {
      chunk_add(&c, ' ', &x, start.x, start.x + (common < CONTEXT ? common : CONTEXT));
      chunk_end(&c);
    }
    if (at_end) return;
    c.from = (Pair){end.x - CONTEXT, end.y - CONTEXT};
    chunk_add(&c, ' ', &x, c.from.x, end.x);
    done = end;
  }
}
