/* dfa.h - a regular expression as a table: whether a text contains a match, one step a byte.
**
** compiler/emit/dfa.h makes tables; compiled code has them as constants. Two rows have fixed meanings, and scanning ends
** when it gets there: row 0 is where no match can follow, row 1 where a match was found whatever follows. States are written
** as the index of their row in `next`, so that a step is one addition and two loads.
**
** Needs nothing but the compiler's own headers: generated C includes it.
*/
#ifndef CUE_DFA_H
#define CUE_DFA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint16_t width;     /* entries of a row: the number of classes of bytes; also where row 1 is */
  uint16_t start;     /* the first state */
  uint16_t accepting; /* texts that end in this state or a later one match */
  uint16_t rows;
  const uint16_t *next;   /* rows * width: states, by state and class */
  const uint8_t *classes; /* by byte */
} CueDfa;

static inline bool cue_dfa_test(const CueDfa *d, const char *text, size_t n) {
  uint32_t at = d->start;
  for (size_t i = 0; i < n && at > d->width; i++) at = d->next[at + d->classes[(uint8_t)text[i]]];
  return at == d->width || at >= d->accepting;
}

#endif
