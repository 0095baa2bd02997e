/* dfa.c - from the tree of a pattern to a deterministic automaton over bytes.
**
** First Thompson's construction, backwards: a state is made knowing where it goes on. A class of code points becomes
** sequences of ranges of bytes, UTF-8. Before the pattern stands a loop over any byte, for a match may begin anywhere; so RE2
** does it, also inside of a character. Then sets of states become states. A set is kept as it is after a byte, together with
** what that byte was to ^, $ and \b; what such conditions let through is found out when the next byte is known. A match ends
** everything, for nobody asks where it is.
*/
#include "compiler/emit/dfa_impl.h"

#include <string.h>

#define MOST_NFA 8192
#define MOST_WORK 30000000 /* visits of states, all in all: some tenths of a second */

typedef enum { NFA_BYTES, NFA_SPLIT, NFA_PLACE, NFA_MATCH, NFA_FAIL } NfaKind;

typedef struct {
  uint8_t kind;
  uint8_t lo, hi; /* bytes */
  uint8_t place;
  uint32_t to, or_to; /* or_to: of splits */
} NfaState;

/* What was before a place between two bytes, and what is behind it. */
typedef enum { SIDE_NONE, SIDE_NEWLINE, SIDE_WORD, SIDE_OTHER } Side;

typedef struct {
  uint32_t *states; /* in order */
  uint32_t n;
  uint8_t before; /* Side */
  uint32_t hash;
} StateSet;

typedef struct {
  CueArena *a;
  const char *why;
  CUE_VEC(NfaState) nfa;
  unsigned places; /* all that the pattern asks about */
  uint8_t classes[256];
  uint8_t samples[256]; /* a byte of each class */
  uint32_t width;
  CUE_VEC(StateSet) sets;
  uint32_t *slots; /* of the hash table: number of a set plus one */
  uint32_t nslots;
  uint64_t *bits;     /* a set of states of the nfa being made; empty in between */
  uint32_t *lists[4]; /* states that read a byte, by the Side behind */
  uint32_t *list, *stack;
  uint32_t *seen, mark; /* a state was visited if seen is mark */
  uint32_t work;
} Builder;

/* ---- the nondeterministic automaton ---- */

static uint32_t nfa_add(Builder *b, NfaState s) {
  if (b->nfa.n >= MOST_NFA) {
    b->why = "becomes too large";
    return 0;
  }
  cue_push(b->a, &b->nfa, s);
  return b->nfa.n - 1;
}

/* A range of bytes; one of the same class that goes on in the same way is used again. */
static uint32_t bytes_to(Builder *b, uint32_t from, uint8_t lo, uint8_t hi, uint32_t to) {
  for (uint32_t i = from; i < b->nfa.n; i++) {
    const NfaState *s = &b->nfa.at[i];
    if (s->kind == NFA_BYTES && s->lo == lo && s->hi == hi && s->to == to) return i;
  }
  return nfa_add(b, (NfaState){.kind = NFA_BYTES, .lo = lo, .hi = hi, .to = to});
}

typedef struct {
  uint32_t from; /* states of this class begin here */
  uint32_t to;   /* what follows it */
  uint32_t all;  /* splits over what was made so far */
  bool any;
} ClassBuilder;

static void class_add(Builder *b, ClassBuilder *c, uint32_t state) {
  c->all = c->any ? nfa_add(b, (NfaState){.kind = NFA_SPLIT, .to = state, .or_to = c->all}) : state;
  c->any = true;
}

/* A sequence of ranges of bytes. */
static void class_add_bytes(Builder *b, ClassBuilder *c, const uint8_t *lo, const uint8_t *hi, size_t n) {
  uint32_t at = c->to;
  while (n--) at = bytes_to(b, c->from, lo[n], hi[n], at);
  class_add(b, c, at);
}

/* Code points whose UTF-8 differs in the last `tail` bytes only, or that can be split so. */
static void class_add_range(Builder *b, ClassBuilder *c, uint32_t lo, uint32_t hi) {
  static const uint32_t last[] = {0x7F, 0x7FF, 0xFFFF};
  if (b->why) return;
  if (lo == 0x80 && hi == 0x10FFFF) {
    /* As RE2 does it for these alone: some overlong forms and some too large pass for characters. */
    static const uint8_t any[][2][4] = {
        {{0xC2, 0x80}, {0xDF, 0xBF}},
        {{0xE0, 0x80, 0x80}, {0xEF, 0xBF, 0xBF}},
        {{0xF0, 0x80, 0x80, 0x80}, {0xF4, 0xBF, 0xBF, 0xBF}},
    };
    for (size_t i = 0; i < 3; i++) class_add_bytes(b, c, any[i][0], any[i][1], i + 2);
    return;
  }
  for (size_t i = 0; i < 3; i++)
    if (lo <= last[i] && last[i] < hi) {
      class_add_range(b, c, lo, last[i]);
      class_add_range(b, c, last[i] + 1, hi);
      return;
    }
  for (uint32_t tail = 1; hi >= 0x80 && tail < 4; tail++) {
    uint32_t m = (1u << (6 * tail)) - 1;
    if ((lo & ~m) == (hi & ~m)) continue;
    if (lo & m) {
      class_add_range(b, c, lo, lo | m);
      class_add_range(b, c, (lo | m) + 1, hi);
      return;
    }
    if ((hi & m) != m) {
      class_add_range(b, c, lo, (hi & ~m) - 1);
      class_add_range(b, c, hi & ~m, hi);
      return;
    }
  }
  if ((lo >= 0xD800 && lo <= 0xDFFF) || (hi >= 0xD800 && hi <= 0xDFFF)) {
    b->why = "has a range that ends among surrogates"; /* RE2 has no bytes for these either */
    return;
  }
  char from[4], to[4];
  size_t n = cue_utf8_encode(from, lo);
  cue_utf8_encode(to, hi);
  class_add_bytes(b, c, (const uint8_t *)from, (const uint8_t *)to, n);
}

/* The state where re begins, if `to` is what follows it. */
static uint32_t nfa_build(Builder *b, const Re *re, uint32_t to) {
  if (b->why) return 0;
  switch ((ReKind)re->kind) {
  case RE_EMPTY: return to;
  case RE_PLACE: b->places |= re->place; return nfa_add(b, (NfaState){.kind = NFA_PLACE, .place = re->place, .to = to});
  case RE_CLASS: {
    ClassBuilder c = {.from = b->nfa.n, .to = to};
    for (uint32_t i = 0; i < re->n; i++) class_add_range(b, &c, re->ranges[i].lo, re->ranges[i].hi);
    return c.any ? c.all : nfa_add(b, (NfaState){.kind = NFA_FAIL});
  }
  case RE_CAT:
    for (uint32_t i = re->n; i--;) to = nfa_build(b, re->at[i], to);
    return to;
  case RE_ALT: {
    uint32_t all = nfa_build(b, re->at[re->n - 1], to);
    for (uint32_t i = re->n - 1; i--;) {
      uint32_t one = nfa_build(b, re->at[i], to);
      all = nfa_add(b, (NfaState){.kind = NFA_SPLIT, .to = one, .or_to = all});
    }
    return all;
  }
  case RE_REPEAT: {
    uint32_t end = to;
    int required = re->min;
    if (re->max < 0) {
      /* The last required one is that of the loop. */
      uint32_t loop = nfa_add(b, (NfaState){.kind = NFA_SPLIT, .or_to = end});
      uint32_t once = nfa_build(b, re->at[0], loop);
      if (b->why) return 0;
      b->nfa.at[loop].to = once;
      to = required ? once : loop;
      if (required) required--;
    }
    for (int i = re->min; i < re->max && !b->why; i++) {
      uint32_t once = nfa_build(b, re->at[0], to);
      to = nfa_add(b, (NfaState){.kind = NFA_SPLIT, .to = once, .or_to = end});
    }
    for (int i = 0; i < required && !b->why; i++) to = nfa_build(b, re->at[0], to);
    return to;
  }
  }
  return 0;
}

/* ---- classes of bytes ---- */

static bool is_word(unsigned c) {
  return c == '_' || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

static Side side_of(uint8_t c) { return c == '\n' ? SIDE_NEWLINE : is_word(c) ? SIDE_WORD : SIDE_OTHER; }

/* Bytes that no range and no condition tells apart are one. */
static void classes_find(Builder *b) {
  bool begins[257] = {false};
  for (uint32_t i = 0; i < b->nfa.n; i++) {
    const NfaState *s = &b->nfa.at[i];
    if (s->kind == NFA_BYTES) begins[s->lo] = begins[s->hi + 1] = true;
  }
  if (b->places & (AT_LINE_BEGIN | AT_LINE_END)) begins['\n'] = begins['\n' + 1] = true;
  for (unsigned c = 1; c < 256 && b->places & (AT_WORD_EDGE | AT_NO_WORD_EDGE); c++)
    if (is_word(c) != is_word(c - 1)) begins[c] = true;
  for (unsigned c = 0; c < 256; c++) {
    if (c && begins[c]) b->width++;
    b->classes[c] = (uint8_t)b->width;
    b->samples[b->width] = (uint8_t)c;
  }
  b->width++;
}

/* ---- sets of states ---- */

/* What holds between two bytes. */
static unsigned places_between(Side before, Side behind) {
  unsigned at = 0;
  if (before == SIDE_NONE) at |= AT_TEXT_BEGIN | AT_LINE_BEGIN;
  if (before == SIDE_NEWLINE) at |= AT_LINE_BEGIN;
  if (behind == SIDE_NONE) at |= AT_TEXT_END | AT_LINE_END;
  if (behind == SIDE_NEWLINE) at |= AT_LINE_END;
  return at | ((before == SIDE_WORD) != (behind == SIDE_WORD) ? AT_WORD_EDGE : AT_NO_WORD_EDGE);
}

typedef struct {
  bool known, matched; /* matched: the match is among what a set leads to */
  uint32_t n;          /* of b->lists[behind] */
} Closure;

/* What a set leads to without reading, if `behind` is next. */
static Closure closure_of(Builder *b, const StateSet *set, Side behind) {
  unsigned places = places_between((Side)set->before, behind);
  uint32_t *list = b->lists[behind], n = 0, depth = 0;
  bool matched = false;
  b->mark++;
  for (uint32_t i = 0; i < set->n; i++) {
    b->stack[depth++] = set->states[i];
    while (depth) {
      uint32_t at = b->stack[--depth];
      const NfaState *s = &b->nfa.at[at];
      if (b->seen[at] == b->mark) continue;
      b->seen[at] = b->mark;
      b->work++;
      if (s->kind == NFA_MATCH) matched = true;
      if (s->kind == NFA_BYTES) list[n++] = at;
      if (s->kind == NFA_SPLIT) b->stack[depth++] = s->or_to;
      if (s->kind == NFA_SPLIT || (s->kind == NFA_PLACE && s->place & places)) b->stack[depth++] = s->to;
    }
  }
  return (Closure){true, matched, n};
}

/* The number of the set of the states in b->bits, which are cleared. */
static uint32_t set_number(Builder *b, Side before) {
  uint32_t words = (b->nfa.n + 63) / 64, n = 0;
  /* Only what is asked about makes a difference. */
  if (before == SIDE_NEWLINE && !(b->places & AT_LINE_BEGIN)) before = SIDE_OTHER;
  if (before == SIDE_WORD && !(b->places & (AT_WORD_EDGE | AT_NO_WORD_EDGE))) before = SIDE_OTHER;
  uint32_t hash = before;
  for (uint32_t w = 0; w < words; w++) {
    for (uint64_t bits = b->bits[w]; bits; bits &= bits - 1) {
      uint32_t at = w * 64 + (uint32_t)__builtin_ctzll(bits);
      b->list[n++] = at;
      hash = (hash ^ at) * 0x9E3779B1u;
      hash ^= hash >> 15;
    }
    b->bits[w] = 0;
  }
  uint32_t slot = hash % b->nslots;
  for (; b->slots[slot]; slot = (slot + 1) % b->nslots) {
    const StateSet *s = &b->sets.at[b->slots[slot] - 1];
    if (s->hash == hash && s->before == before && s->n == n && !memcmp(s->states, b->list, n * sizeof *b->list))
      return b->slots[slot] - 1;
  }
  StateSet set = {.states = cue_array(b->a, uint32_t, n), .n = n, .before = (uint8_t)before, .hash = hash};
  if (n) memcpy(set.states, b->list, n * sizeof *b->list);
  cue_push(b->a, &b->sets, set);
  b->slots[slot] = b->sets.n;
  return b->sets.n - 1;
}

static void bits_add(Builder *b, uint32_t state) { b->bits[state / 64] |= (uint64_t)1 << (state % 64); }

/* The row of a set; sets it leads to for the first time become new ones. `found` is that of a match. */
static void add_row(Builder *b, StateSet set, uint32_t found, DfaDraft *d) {
  bool looks_ahead = b->places & (AT_LINE_END | AT_WORD_EDGE | AT_NO_WORD_EDGE);
  Closure all[4] = {{0}};
  for (uint32_t c = 0; c < b->width; c++) {
    uint8_t byte = b->samples[c];
    Side behind = looks_ahead ? side_of(byte) : SIDE_OTHER;
    Closure *now = &all[behind];
    if (!now->known) *now = closure_of(b, &set, behind);
    uint32_t to = found;
    if (!now->matched) {
      for (uint32_t k = 0; k < now->n; k++) {
        const NfaState *s = &b->nfa.at[b->lists[behind][k]];
        if (s->lo <= byte && byte <= s->hi) bits_add(b, s->to);
      }
      b->work += now->n;
      to = set_number(b, side_of(byte));
    }
    cue_push(b->a, &d->next, to);
  }
  cue_push(b->a, &d->accepting, closure_of(b, &set, SIDE_NONE).matched);
}

/* Rows of all sets, which become more while they are looked at. */
static bool determinize(Builder *b, uint32_t start, uint32_t match, DfaDraft *d) {
  bits_add(b, start);
  set_number(b, SIDE_NONE);
  bits_add(b, match);
  uint32_t found = set_number(b, SIDE_OTHER);
  for (uint32_t i = 0; i < b->sets.n; i++) {
    if (b->sets.n > DFA_STATES || b->work > MOST_WORK) return false;
    add_row(b, b->sets.at[i], found, d);
  }
  d->n = b->sets.n;
  d->width = b->width;
  memcpy(d->classes, b->classes, sizeof d->classes);
  return true;
}

static const CueDfa *compile(CueArena *a, CueArena *scratch, CueStr pattern, const char **why) {
  const Re *re = dfa_parse(scratch, pattern, why);
  if (!re) return NULL;
  Builder b = {.a = scratch};
  uint32_t loop = nfa_add(&b, (NfaState){.kind = NFA_SPLIT});
  uint32_t any = nfa_add(&b, (NfaState){.kind = NFA_BYTES, .lo = 0, .hi = 0xFF, .to = loop});
  uint32_t match = nfa_add(&b, (NfaState){.kind = NFA_MATCH});
  uint32_t first = nfa_build(&b, re, match);
  *why = b.why;
  if (b.why) return NULL;
  b.nfa.at[loop] = (NfaState){.kind = NFA_SPLIT, .to = first, .or_to = any};

  classes_find(&b);
  b.nslots = 4 * DFA_STATES;
  b.slots = cue_array(scratch, uint32_t, b.nslots);
  b.bits = cue_array(scratch, uint64_t, (b.nfa.n + 63) / 64);
  b.list = cue_array(scratch, uint32_t, b.nfa.n);
  b.stack = cue_array(scratch, uint32_t, 2 * b.nfa.n + 1);
  b.seen = cue_array(scratch, uint32_t, b.nfa.n);
  for (size_t i = 0; i < 4; i++) b.lists[i] = cue_array(scratch, uint32_t, b.nfa.n);
  DfaDraft d = {0};
  const CueDfa *dfa = determinize(&b, loop, match, &d) ? dfa_minimize(a, scratch, &d) : NULL;
  if (!dfa) *why = "becomes too large";
  return dfa;
}

const CueDfa *dfa_compile(CueArena *a, CueStr pattern, const char **why) {
  CueArena *scratch = cue_arena_new();
  const CueDfa *dfa = compile(a, scratch, pattern, why);
  cue_arena_free(scratch);
  return dfa;
}
