/* slots.c - perfect hashes: a table in which every one of some names has a place of its own.
**
** Seeds are tried in a fixed order until one sends all names to different places (cue_name_slot). A table of the next larger
** size is tried when many did not do it: few names need a table twice as large as they are many. Names of one length that
** begin and end with the same eight bytes cannot be told apart so, and have none.
*/
#include <string.h>

#include "compiler/emit/emit_impl.h"

enum { TRIES = 3000, MOST_BITS = 10, MOST_NAMES = 254 };

/* The i-th of the numbers that a linear sequence becomes when its bits are mixed; odd, so that nothing is lost. */
static uint64_t nth_seed(uint64_t i) {
  uint64_t x = i * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return (x ^ x >> 31) | 1;
}

static bool fill(uint8_t *slots, unsigned bits, const SchemaField *fields, uint32_t n, uint64_t seed) {
  memset(slots, 0, (size_t)1 << bits);
  for (uint32_t i = 0; i < n; i++) {
    uint8_t *slot = &slots[cue_name_slot(fields[i].key, seed, 64 - bits)];
    if (*slot) return false;
    *slot = (uint8_t)(i + 1);
  }
  return true;
}

bool emit_slots(CueArena *a, const SchemaField *fields, uint32_t n, NameSlots *out) {
  unsigned bits = 1;
  if (!n || n > MOST_NAMES) return false;
  while ((1u << bits) < n) bits++;
  uint8_t *slots = cue_alloc(a, (size_t)1 << MOST_BITS);
  for (; bits <= MOST_BITS; bits++)
    for (uint64_t i = 1; i <= TRIES; i++)
      if (fill(slots, bits, fields, n, nth_seed(i))) {
        *out = (NameSlots){.slots = slots, .seed = nth_seed(i), .bits = bits};
        return true;
      }
  return false;
}
