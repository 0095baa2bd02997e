/* order.c - the fields of a struct in order of their keys.
**
** Structs are not changed: what is sorted are the places of their fields. Small structs need no memory
** for it but the caller's, and one that is in order needs none at all.
*/
#include "runtime/value.h"

#include <string.h>

/* Orders of keys agree about letters, which mostly decide at once. */
static int compare(CueKeyOrder *order, CueStr x, CueStr y) {
  if (x.n && y.n && x.s[0] != y.s[0] && x.s[0] >= 'a' && x.s[0] <= 'z' && y.s[0] >= 'a' && y.s[0] <= 'z')
    return x.s[0] - y.s[0];
  return order(x, y);
}

static bool in_order(const CueStruct *s, CueKeyOrder *order) {
  for (uint32_t i = 1; i < s->n; i++)
    if (compare(order, s->at[i - 1].key, s->at[i].key) > 0) return false;
  return true;
}

static void insert_sort(const CueStruct *s, CueKeyOrder *order, uint32_t *at, uint32_t n) {
  for (uint32_t i = 1; i < n; i++) {
    uint32_t one = at[i], k = i;
    for (; k && compare(order, s->at[one].key, s->at[at[k - 1]].key) < 0; k--) at[k] = at[k - 1];
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
  while (i < half && k < n) at[to++] = compare(order, s->at[at[k]].key, s->at[spare[i]].key) < 0 ? at[k++] : spare[i++];
  memcpy(at + to, spare + i, (half - i) * sizeof *at);
}

void cue_order(CueOrder *o, const CueStruct *s, CueKeyOrder *order) {
  o->at = NULL;
  o->own = NULL;
  if (!order || in_order(s, order)) return;
  uint32_t *at = o->few, *spare = NULL;
  if (s->n > CUE_ORDER_FEW) {
    o->own = cue_arena_new();
    at = cue_array(o->own, uint32_t, s->n);
    spare = cue_array(o->own, uint32_t, s->n);
  }
  for (uint32_t i = 0; i < s->n; i++) at[i] = i;
  merge_sort(s, order, at, s->n, spare);
  o->at = at;
}

void cue_order_done(CueOrder *o) {
  if (o->own) cue_arena_free(o->own);
}
