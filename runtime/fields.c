/* fields.c - see fields.h. */
#include "runtime/fields.h"

enum { FEW = 16 };

static void put_in_index(CueFields *f, uint32_t i) {
  uint32_t at = cue_str_hash(f->s->at[i].key);
  while (f->index[at & f->mask]) at++;
  f->index[at & f->mask] = i + 1;
}

/* Takes in what was pushed since, and keeps half of the places free. */
static void index_all(CueArena *a, CueFields *f) {
  if (!f->index || 2 * f->s->n > f->mask) {
    uint32_t size = 4 * FEW;
    while (size < 4 * f->s->n) size *= 2;
    f->index = cue_array(a, uint32_t, size);
    f->mask = size - 1;
    f->indexed = 0;
  }
  while (f->indexed < f->s->n) put_in_index(f, f->indexed++);
}

CueValue *cue_fields_find(CueArena *a, CueFields *f, CueStr key) {
  if (!f->s) return NULL;
  if (f->s->n <= FEW) {
    const CueField *found = cue_field(f->s, key);
    return found ? &f->s->at[found - f->s->at].value : NULL;
  }
  index_all(a, f);
  for (uint32_t at = cue_str_hash(key); f->index[at & f->mask]; at++) {
    CueField *x = &f->s->at[f->index[at & f->mask] - 1];
    if (cue_str_eq(x->key, key)) return &x->value;
  }
  return NULL;
}

void cue_fields_push(CueArena *a, CueFields *f, CueStr key, CueValue v) {
  uint32_t n = f->s ? f->s->n : 0;
  if (n == f->cap) {
    uint32_t cap = n ? 2 * n : 8;
    f->s = cue_regrow(a, f->s, n ? sizeof *f->s + n * sizeof *f->s->at : 0, sizeof *f->s + cap * sizeof *f->s->at);
    f->cap = cap;
  }
  f->s->at[f->s->n++] = (CueField){key, v};
}

CueValue cue_fields_done(CueArena *a, const CueFields *f) { return cue_struct(f->s ? f->s : cue_struct_new(a, 0)); }
