/* dfa_minimize.c - states that no text tells apart become one, and what is left becomes a table.
**
** Hopcroft's algorithm: states are in blocks; a block whose members differ in whether they get into another one is split, and
** of the two halves the smaller one is used to split further. States are then numbered in the order in which they are met from
** the first, those that accept behind the others, so that equal patterns have equal tables and acceptance is a comparison.
*/
#include "compiler/emit/dfa_impl.h"

/* Blocks are stretches of `order`; marked members of a block are in front. */
typedef struct {
  uint32_t *order, *place; /* states, and where each is */
  uint32_t *block;         /* by state */
  uint32_t *from, *to, *marked;
  uint32_t n;
} Partition;

static void move_to(Partition *p, uint32_t state, uint32_t place) {
  uint32_t other = p->order[place], old = p->place[state];
  p->order[place] = state;
  p->order[old] = other;
  p->place[state] = place;
  p->place[other] = old;
}

static void mark(Partition *p, uint32_t state) {
  uint32_t b = p->block[state], front = p->from[b] + p->marked[b];
  if (p->place[state] < front) return;
  move_to(p, state, front);
  p->marked[b]++;
}

/* The marked members of b become a block if others are left. Returns its number, or b. */
static uint32_t split(Partition *p, uint32_t b) {
  uint32_t n = p->marked[b];
  p->marked[b] = 0;
  if (n == 0 || n == p->to[b] - p->from[b]) return b;
  uint32_t made = p->n++;
  p->from[made] = p->from[b];
  p->to[made] = p->from[b] += n;
  for (uint32_t i = p->from[made]; i < p->to[made]; i++) p->block[p->order[i]] = made;
  return made;
}

static Partition partition_new(CueArena *a, uint32_t n) {
  uint32_t *all = cue_array(a, uint32_t, 6 * (size_t)n);
  Partition p = {all, all + n, all + 2 * n, all + 3 * n, all + 4 * n, all + 5 * n, 1};
  for (uint32_t i = 0; i < n; i++) p.order[i] = p.place[i] = i;
  p.to[0] = n;
  return p;
}

/* Who leads to a state by a class of bytes: states[from[e]...from[e + 1]) with e = state * width + class. */
typedef struct {
  uint32_t *from, *states;
} Inverse;

static Inverse invert(CueArena *a, const DfaDraft *d) {
  size_t n = (size_t)d->n * d->width;
  Inverse v = {cue_array(a, uint32_t, n + 2), cue_array(a, uint32_t, n)};
  uint32_t *count = v.from + 1;
  for (size_t e = 0; e < n; e++) count[(size_t)d->next.at[e] * d->width + e % d->width + 1]++;
  for (size_t e = 1; e <= n; e++) count[e] += count[e - 1];
  /* count[e] is where the next one goes; in the end, where the next entry begins: from[e + 1]. */
  for (size_t e = 0; e < n; e++)
    v.states[count[(size_t)d->next.at[e] * d->width + e % d->width]++] = (uint32_t)(e / d->width);
  return v;
}

static Partition refine(CueArena *a, const DfaDraft *d) {
  Partition p = partition_new(a, d->n);
  Inverse v = invert(a, d);
  CUE_VEC(uint32_t) todo = {0}, members = {0}, touched = {0};
  bool *waiting = cue_array(a, bool, d->n);
  for (uint32_t i = 0; i < d->n; i++)
    if (d->accepting.at[i]) mark(&p, i);
  split(&p, 0);
  for (uint32_t b = 0; b < p.n; b++) {
    cue_push(a, &todo, b);
    waiting[b] = true;
  }
  while (todo.n) {
    uint32_t by = todo.at[--todo.n];
    waiting[by] = false;
    /* The block may be split while it is used. */
    members.n = 0;
    for (uint32_t i = p.from[by]; i < p.to[by]; i++) cue_push(a, &members, p.order[i]);
    for (uint32_t c = 0; c < d->width; c++) {
      touched.n = 0;
      for (uint32_t i = 0; i < members.n; i++) {
        size_t e = (size_t)members.at[i] * d->width + c;
        for (uint32_t k = v.from[e]; k < v.from[e + 1]; k++) {
          uint32_t b = p.block[v.states[k]];
          if (!p.marked[b]) cue_push(a, &touched, b);
          mark(&p, v.states[k]);
        }
      }
      for (uint32_t i = 0; i < touched.n; i++) {
        uint32_t b = touched.at[i], made = split(&p, b);
        if (made == b) continue;
        uint32_t smaller = p.to[made] - p.from[made] < p.to[b] - p.from[b] ? made : b;
        if (waiting[b]) smaller = made;
        cue_push(a, &todo, smaller);
        waiting[smaller] = true;
      }
    }
  }
  return p;
}

/* Whether nothing leads out of a block. */
static bool is_end(const DfaDraft *d, const Partition *p, uint32_t b) {
  const uint32_t *row = d->next.at + (size_t)p->order[p->from[b]] * d->width;
  for (uint32_t c = 0; c < d->width; c++)
    if (p->block[row[c]] != b) return false;
  return true;
}

/* The row of every block, by number; returns how many there are. *accepting is the first of those that do. */
static uint32_t number(CueArena *a, const DfaDraft *d, const Partition *p, uint32_t *rows, uint32_t *accepting) {
  uint32_t *met = cue_array(a, uint32_t, p->n), n = 1, rest = 2;
  bool *known = cue_array(a, bool, p->n);
  met[0] = p->block[0];
  known[met[0]] = true;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t *row = d->next.at + (size_t)p->order[p->from[met[i]]] * d->width;
    for (uint32_t c = 0; c < d->width; c++) {
      uint32_t b = p->block[row[c]];
      if (!known[b]) met[n++] = b;
      known[b] = true;
    }
  }
  for (int pass = 0; pass < 2; pass++) {
    if (pass) *accepting = rest;
    for (uint32_t i = 0; i < n; i++) {
      bool accepts = d->accepting.at[p->order[p->from[met[i]]]];
      if (accepts != (pass == 1)) continue;
      rows[met[i]] = is_end(d, p, met[i]) ? accepts : rest++;
    }
  }
  /* What is not met has no row. */
  for (uint32_t b = 0; b < p->n; b++)
    if (!known[b]) rows[b] = UINT32_MAX;
  return rest;
}

/* Classes of bytes that lead to the same from everywhere are one as well. Fills in the new class of every old one, and
** `kept`, an old one of every new; returns how many there are. */
static uint32_t merge_classes(const DfaDraft *d, const Partition *p, uint8_t *merged, uint8_t *kept) {
  uint32_t width = 0;
  for (uint32_t c = 0; c < d->width; c++) {
    uint32_t same = 0;
    for (; same < width; same++) {
      uint32_t b = 0;
      for (; b < p->n; b++) {
        const uint32_t *row = d->next.at + (size_t)p->order[p->from[b]] * d->width;
        if (p->block[row[c]] != p->block[row[kept[same]]]) break;
      }
      if (b == p->n) break;
    }
    if (same == width) kept[width++] = (uint8_t)c;
    merged[c] = (uint8_t)same;
  }
  return width;
}

const CueDfa *dfa_minimize(CueArena *a, CueArena *scratch, const DfaDraft *d) {
  Partition p = refine(scratch, d);
  uint8_t merged[256], kept[256], *classes = cue_array(a, uint8_t, 256);
  uint32_t width = merge_classes(d, &p, merged, kept);
  for (size_t i = 0; i < 256; i++) classes[i] = merged[d->classes[i]];

  uint32_t *rows = cue_array(scratch, uint32_t, p.n), accepting = 0;
  uint32_t n = number(scratch, d, &p, rows, &accepting);
  if ((size_t)n * width > DFA_TABLE / sizeof(uint16_t)) return NULL;
  uint16_t *next = cue_array(a, uint16_t, (size_t)n * width);
  for (uint32_t c = 0; c < width; c++) next[width + c] = (uint16_t)width;
  for (uint32_t b = 0; b < p.n; b++) {
    const uint32_t *from = d->next.at + (size_t)p.order[p.from[b]] * d->width;
    for (uint32_t c = 0; c < width && rows[b] != UINT32_MAX; c++)
      next[(size_t)rows[b] * width + c] = (uint16_t)(rows[p.block[from[kept[c]]]] * width);
  }
  CueDfa *dfa = cue_new(a, CueDfa);
  *dfa = (CueDfa){.width = (uint16_t)width,
                  .start = (uint16_t)(rows[p.block[0]] * width),
                  .accepting = (uint16_t)(accepting * width),
                  .rows = (uint16_t)n,
                  .next = next,
                  .classes = classes};
  return dfa;
}
