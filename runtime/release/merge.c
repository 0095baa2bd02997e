/* merge.c - values of an environment over those of a release.
**
** What the environment says wins: structs are merged field by field, everything else is replaced.
** Fields of the release come first, in their order, as in the CUE that compiler/render/environment.c
** writes of the same.
*/
#include "runtime/fields.h"
#include "runtime/release/release.h"

CueValue release_merge(CueArena *a, CueValue base, CueValue over) {
  if (over.kind == CUE_BOTTOM) return base;
  if (base.kind != CUE_STRUCT || over.kind != CUE_STRUCT) return over;
  const CueStruct *b = base.as.fields, *o = over.as.fields;
  CueFields all = {0};
  if (!o->n) return base;
  for (uint32_t i = 0; i < b->n; i++) cue_fields_push(a, &all, b->at[i].key, b->at[i].value);
  for (uint32_t i = 0; i < o->n; i++) {
    CueValue *there = cue_fields_find(a, &all, o->at[i].key);
    if (there)
      *there = release_merge(a, *there, o->at[i].value);
    else
      cue_fields_push(a, &all, o->at[i].key, o->at[i].value);
  }
  return cue_fields_done(a, &all);
}
