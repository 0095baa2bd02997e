/* unicode.c - lookups in the tables of unicode_tables.h, by binary search.
**
** ASCII is answered without a table, since nearly all text asked about is ASCII.
*/
#include "runtime/unicode.h"

#include <stddef.h>

#include "runtime/unicode_tables.h"

#define LEN(table) (sizeof(table) / sizeof *(table))

static bool in_ranges(const UniRange *table, size_t n, uint32_t r) {
  size_t lo = 0, hi = n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (r < table[mid].first)
      hi = mid;
    else if (r > table[mid].last)
      lo = mid + 1;
    else
      return true;
  }
  return false;
}

/* The row that maps r, or NULL. */
static const UniCase *find_case(const UniCase *table, size_t n, uint32_t r) {
  size_t lo = 0, hi = n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    const UniCase *row = &table[mid];
    if (r < row->first)
      hi = mid;
    else if (r > row->last)
      lo = mid + 1;
    else
      return (r - row->first) % (uint32_t)row->step == 0 ? row : NULL;
  }
  return NULL;
}

static uint32_t mapped(const UniCase *row, uint32_t r) { return row ? (uint32_t)((int32_t)r + row->delta) : r; }

bool cue_uni_is_letter(uint32_t r) {
  if (r < 0x80) return (r | 0x20) >= 'a' && (r | 0x20) <= 'z';
  return in_ranges(uni_letter, LEN(uni_letter), r);
}

bool cue_uni_is_digit(uint32_t r) {
  if (r < 0x80) return r >= '0' && r <= '9';
  return in_ranges(uni_digit, LEN(uni_digit), r);
}

bool cue_uni_is_space(uint32_t r) {
  if (r < 0x80) return r == ' ' || (r >= '\t' && r <= '\r');
  return r == 0x85 || r == 0xA0 || r == 0x1680 || (r >= 0x2000 && r <= 0x200A) || r == 0x2028 || r == 0x2029 ||
         r == 0x202F || r == 0x205F || r == 0x3000;
}

bool cue_uni_is_print(uint32_t r) {
  if (r < 0x80) return r >= 0x20 && r < 0x7F;
  return in_ranges(uni_print, LEN(uni_print), r);
}

bool cue_uni_is_graphic(uint32_t r) {
  if (cue_uni_is_print(r)) return true;
  return r != 0x85 && r != 0x2028 && r != 0x2029 && r >= 0x80 && cue_uni_is_space(r);
}

uint32_t cue_uni_upper(uint32_t r) {
  if (r < 0x80) return r >= 'a' && r <= 'z' ? r - 0x20 : r;
  return mapped(find_case(uni_upper, LEN(uni_upper), r), r);
}

uint32_t cue_uni_lower(uint32_t r) {
  if (r < 0x80) return r >= 'A' && r <= 'Z' ? r + 0x20 : r;
  return mapped(find_case(uni_lower, LEN(uni_lower), r), r);
}

uint32_t cue_uni_title(uint32_t r) {
  const UniCase *row = find_case(uni_title, LEN(uni_title), r);
  return row ? mapped(row, r) : cue_uni_upper(r);
}
