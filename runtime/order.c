/* order.c - the fields of a struct in order of their keys.
**
** Structs are not changed: what is sorted are the places of their fields. Small structs need no memory
** for it but the caller's, and one that is in order needs none at all.
*/
#include "runtime/value.h"

#include <string.h>

/* ---- few ---- */

/* The first eight bytes of a key as a number that is larger if they come later. */
static uint64_t prefix_of(CueStr s) {
  uint64_t w = 0;
  uint32_t a, b;
  if (s.n >= 8) {
    memcpy(&w, s.s, 8);
    return __builtin_bswap64(w);
  }
  if (s.n >= 4) {
    memcpy(&a, s.s, 4);
    memcpy(&b, s.s + s.n - 4, 4);
    return (uint64_t)__builtin_bswap32(a) << 32 | (uint64_t)__builtin_bswap32(b) << (64 - 8 * s.n);
  }
  for (size_t i = 0; i < s.n; i++) w |= (uint64_t)(unsigned char)s.s[i] << (56 - 8 * i);
  return w;
}

/* Whether these bytes of a key are all letters. In every order, what consists of letters is in that of its bytes. */
static bool is_letters(uint64_t prefix, size_t n) {
  const uint64_t ones = 0x0101010101010101u;
  uint64_t t = prefix | 0x20 * ones;
  if (n < 8) t |= 0x61 * ones >> 8 * n; /* what is behind the key counts as letters */
  return !(((t - 0x61 * ones) | (0x7a * ones - t)) & 0x80 * ones);
}

typedef struct {
  uint64_t prefix;
  bool decides; /* two keys of which both do are in the order of their prefixes, if these differ */
} Head;

/* Into at, unless the struct is in order. `bytes`: it is an order of bytes, so that prefixes always decide. */
static inline __attribute__((always_inline)) bool sort_heads(const CueStruct *s, CueKeyOrder *order, uint32_t *at,
                                                             bool bytes) {
  Head heads[CUE_ORDER_FEW];
  bool moved = false;
  for (uint32_t i = 0; i < s->n; i++) {
    CueStr key = s->at[i].key;
    Head one = {.prefix = prefix_of(key)};
    one.decides = bytes || is_letters(one.prefix, key.n);
    uint32_t k = i;
    for (; k; k--) {
      uint32_t before = at[k - 1];
      const Head *other = &heads[before];
      bool told = one.prefix != other->prefix && (bytes || (one.decides && other->decides));
      if (told ? one.prefix > other->prefix : order(key, s->at[before].key) >= 0) break;
      at[k] = before;
    }
    moved |= k != i;
    heads[i] = one;
    at[k] = i;
  }
  return moved;
}

static bool sort_few(const CueStruct *s, CueKeyOrder *order, uint32_t *at) {
  return order == cue_str_cmp ? sort_heads(s, order, at, true) : sort_heads(s, order, at, false);
}

/* ---- many ---- */

static bool in_order(const CueStruct *s, CueKeyOrder *order) {
  for (uint32_t i = 1; i < s->n; i++)
    if (order(s->at[i - 1].key, s->at[i].key) > 0) return false;
  return true;
}

static void insert_sort(const CueStruct *s, CueKeyOrder *order, uint32_t *at, uint32_t n) {
  for (uint32_t i = 1; i < n; i++) {
    uint32_t one = at[i], k = i;
    for (; k && order(s->at[one].key, s->at[at[k - 1]].key) < 0; k--) at[k] = at[k - 1];
    at[k] = one;
  }
}

/* spare has room for as many. */
static void merge_sort(const CueStruct *s, CueKeyOrder *order, uint32_t *at, uint32_t n, uint32_t *spare) {
  if (n <= CUE_ORDER_FEW) {
    insert_sort(s, order, at, n);
    return;
  }
  uint32_t half = n / 2, i = 0, k = half, to = 0;
  merge_sort(s, order, at, half, spare);
  merge_sort(s, order, at + half, n - half, spare);
  memcpy(spare, at, half * sizeof *at);
  while (i < half && k < n) at[to++] = order(s->at[at[k]].key, s->at[spare[i]].key) < 0 ? at[k++] : spare[i++];
  memcpy(at + to, spare + i, (half - i) * sizeof *at);
}

void cue_order(CueOrder *o, const CueStruct *s, CueKeyOrder *order) {
  o->at = NULL;
  o->own = NULL;
  if (!order || s->n < 2) return;
  if (s->n <= CUE_ORDER_FEW) {
    if (sort_few(s, order, o->few)) o->at = o->few;
    return;
  }
  if (in_order(s, order)) return;
  o->own = cue_arena_new();
  uint32_t *at = cue_array(o->own, uint32_t, s->n), *spare = cue_array(o->own, uint32_t, s->n);
  for (uint32_t i = 0; i < s->n; i++) at[i] = i;
  merge_sort(s, order, at, s->n, spare);
  o->at = at;
}

void cue_order_done(CueOrder *o) {
  if (o->own) cue_arena_free(o->own);
}
