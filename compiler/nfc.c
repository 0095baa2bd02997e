/* nfc.c - Unicode normal form C: taken apart, marks put in order, put together again.
**
** Text without marks or characters that come apart is by far the most common and is only
** looked at. Bytes that are no UTF-8 stay as they are: a label with such bytes is no text.
*/
#include "compiler/nfc.h"

typedef struct {
  uint32_t code, first, second;
} NfcPair;
typedef struct {
  uint32_t from, to;
  uint8_t class;
} NfcClass;

#include "compiler/nfc_tables.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

enum { /* Hangul: syllables are computed from their parts */
       SYLLABLE = 0xAC00,
       LEAD = 0x1100,
       VOWEL = 0x1161,
       TRAIL = 0x11A7,
       LEADS = 19,
       VOWELS = 21,
       TRAILS = 28,
       SYLLABLES = LEADS * VOWELS * TRAILS
};

typedef CUE_VEC(uint32_t) Runes;

static const NfcPair *pair_of(uint32_t c) {
  size_t lo = 0, hi = COUNT(nfc_pairs);
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if (nfc_pairs[mid].code == c) return &nfc_pairs[mid];
    if (nfc_pairs[mid].code < c)
      lo = mid + 1;
    else
      hi = mid;
  }
  return NULL;
}

static uint8_t class_of(uint32_t c) {
  size_t lo = 0, hi = COUNT(nfc_classes);
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if (nfc_classes[mid].to < c)
      lo = mid + 1;
    else if (nfc_classes[mid].from > c)
      hi = mid;
    else
      return nfc_classes[mid].class;
  }
  return 0;
}

static void decompose(CueArena *a, uint32_t c, Runes *out) {
  if (c >= SYLLABLE && c < SYLLABLE + SYLLABLES) {
    uint32_t i = c - SYLLABLE;
    cue_push(a, out, LEAD + i / (VOWELS * TRAILS));
    cue_push(a, out, VOWEL + i % (VOWELS * TRAILS) / TRAILS);
    if (i % TRAILS) cue_push(a, out, TRAIL + i % TRAILS);
    return;
  }
  const NfcPair *p = pair_of(c);
  if (!p) {
    cue_push(a, out, c);
    return;
  }
  decompose(a, p->first, out); /* at most four levels in Unicode's tables */
  if (p->second) decompose(a, p->second, out);
}

/* Marks that do not interact are sorted by class; the sort is stable. */
static void reorder(Runes *r) {
  for (uint32_t i = 1; i < r->n; i++) {
    uint32_t c = r->at[i], k = i;
    uint8_t class = class_of(c);
    if (!class) continue;
    while (k && class_of(r->at[k - 1]) > class) {
      r->at[k] = r->at[k - 1];
      k--;
    }
    r->at[k] = c;
  }
}

/* 0 if x and y do not go together. */
static uint32_t together(uint32_t x, uint32_t y) {
  if (x >= LEAD && x < LEAD + LEADS && y >= VOWEL && y < VOWEL + VOWELS)
    return SYLLABLE + ((x - LEAD) * VOWELS + (y - VOWEL)) * TRAILS;
  if (x >= SYLLABLE && x < SYLLABLE + SYLLABLES && (x - SYLLABLE) % TRAILS == 0 && y > TRAIL && y < TRAIL + TRAILS)
    return x + (y - TRAIL);
  size_t lo = 0, hi = COUNT(nfc_by_parts);
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    const NfcPair *p = &nfc_pairs[nfc_by_parts[mid]];
    if (p->first == x && p->second == y) return p->code;
    if (p->first < x || (p->first == x && p->second < y))
      lo = mid + 1;
    else
      hi = mid;
  }
  return 0;
}

static void compose(Runes *r) {
  uint32_t n = 0, starter = 0;
  bool has_starter = false;
  for (uint32_t i = 0; i < r->n; i++) {
    uint32_t c = r->at[i];
    uint8_t class = class_of(c), last = n ? class_of(r->at[n - 1]) : 0;
    bool next_to = has_starter && (n == starter + 1 || (last && last < class));
    uint32_t made = next_to ? together(r->at[starter], c) : 0;
    if (made) {
      r->at[starter] = made;
      continue;
    }
    if (!class) {
      starter = n;
      has_starter = true;
    }
    r->at[n++] = c;
  }
  r->n = n;
}

static bool is_ascii(CueStr s) {
  for (size_t i = 0; i < s.n; i++)
    if ((unsigned char)s.s[i] >= 0x80) return false;
  return true;
}

CueStr nfc_normalize(CueArena *a, CueStr s) {
  if (is_ascii(s) || !cue_utf8_valid(s)) return s;
  Runes r = {0};
  for (size_t i = 0; i < s.n;) decompose(a, cue_utf8_next(s, &i), &r);
  reorder(&r);
  compose(&r);
  CueBuf b = cue_buf(a);
  for (uint32_t i = 0; i < r.n; i++) cue_buf_rune(&b, r.at[i]);
  return cue_buf_done(&b);
}
