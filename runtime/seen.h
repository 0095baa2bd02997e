/* seen.h - structs that were written a moment ago.
**
** The labels of a release stand in each of its objects, some of them more than once. Who writes a struct again, as far from
** the margin as before, copies what was written then. That is so only as long as what was written stays where it is in its
** buffer, and structs where they are in memory: a CueSeen is for the objects of one release.
*/
#ifndef CUE_SEEN_H
#define CUE_SEEN_H

#include <string.h>

#include "runtime/str.h"

enum { SEEN_MANY = 8, SEEN_FIELDS = 4 }; /* smaller structs are written as fast as they are found */

typedef struct {
  struct {
    const CueStruct *s;
    size_t from, n; /* what was written */
    unsigned margin;
    bool ended; /* with a line feed */
  } at[SEEN_MANY];
  unsigned next;
} CueSeen;

/* Writes it if it was seen. */
static inline bool seen_again(CueSeen *x, CueBuf *out, const CueStruct *s, unsigned margin, bool *ended) {
  if (!x || s->n < SEEN_FIELDS) return false;
  for (unsigned i = 0; i < SEEN_MANY; i++) {
    if (x->at[i].s != s || x->at[i].margin != margin) continue;
    char *to = cue_buf_room(out, x->at[i].n);
    memcpy(to, out->s + x->at[i].from, x->at[i].n);
    out->n += x->at[i].n;
    *ended = x->at[i].ended;
    return true;
  }
  return false;
}

/* It was written just now, from there to the end. */
static inline void seen_note(CueSeen *x, const CueBuf *out, const CueStruct *s, unsigned margin, size_t from,
                             bool ended) {
  if (!x || s->n < SEEN_FIELDS) return;
  unsigned i = x->next++ % SEEN_MANY;
  x->at[i].s = s;
  x->at[i].from = from;
  x->at[i].n = out->n - from;
  x->at[i].margin = margin;
  x->at[i].ended = ended;
}

#endif
