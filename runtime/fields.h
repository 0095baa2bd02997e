/* fields.h - structs under construction.
**
** A few fields are found by looking at all of them. From the first look at many on there is an index beside them, so that a
** struct of a hundred thousand fields takes no longer for each than one of ten.
*/
#ifndef CUE_FIELDS_H
#define CUE_FIELDS_H

#include "runtime/value.h"

CueValue *cue_fields_find(CueArena *a, CueFields *f, CueStr key); /* NULL if there is none; until the next push */
void cue_fields_push(CueArena *a, CueFields *f, CueStr key, CueValue v); /* one that is not there */
CueValue cue_fields_done(CueArena *a, const CueFields *f);

#endif
