/* merge.c - values of an environment over those of a release.
**
** What the environment says wins: structs are merged field by field, everything else is replaced.
** Fields of the release come first, in their order, as in the CUE that compiler/render/environment.c
** writes of the same.
*/
#include "runtime/release/release.h"

CueValue release_merge(CueArena *a, CueValue base, CueValue over) {
  if (over.kind == CUE_BOTTOM) return base;
  if (base.kind != CUE_STRUCT || over.kind != CUE_STRUCT) return over;
  const CueStruct *b = base.as.fields, *o = over.as.fields;
  if (!o->n) return base;
  CueStruct *s = cue_struct_new(a, b->n + o->n);
  uint32_t n = 0;
  for (uint32_t i = 0; i < b->n; i++) {
    const CueValue *wins = cue_struct_get(o, b->at[i].key);
    s->at[n++] = (CueField){b->at[i].key, wins ? release_merge(a, b->at[i].value, *wins) : b->at[i].value};
  }
  for (uint32_t i = 0; i < o->n; i++)
    if (!cue_struct_get(b, o->at[i].key)) s->at[n++] = o->at[i];
  s->n = n;
  return cue_struct(s);
}
