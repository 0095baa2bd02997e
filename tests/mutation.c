/* mutation.c - see mutation.h. */
#include "tests/mutation.h"

/* ---- one value ---- */

static CueValue empty(CueArena *a, CueValue v) {
  switch (v.kind) {
  case CUE_BOOL: return cue_bool(false);
  case CUE_INT:
  case CUE_FLOAT: return cue_int(0);
  case CUE_LIST: return cue_list(cue_list_new(a, 0));
  case CUE_STRUCT: return cue_struct(cue_struct_new(a, 0));
  default: return cue_string(CUE_STR(""));
  }
}

static CueValue list_of(CueArena *a, const CueValue *at, uint32_t n) {
  CueList *l = cue_list_new(a, n);
  for (uint32_t i = 0; i < n; i++) l->at[i] = at[i];
  return cue_list(l);
}

static CueValue retyped(CueArena *a, CueValue v) {
  switch (v.kind) {
  case CUE_STRING: return cue_int(7);
  case CUE_BOOL: return cue_string(v.as.b ? CUE_STR("true") : CUE_STR("false"));
  case CUE_LIST: {
    CueStruct *s = cue_struct_new(a, v.as.list->n);
    for (uint32_t i = 0; i < s->n; i++) s->at[i] = (CueField){cue_int_text(a, i), v.as.list->at[i]};
    return cue_struct(s);
  }
  case CUE_STRUCT: {
    CueList *l = cue_list_new(a, v.as.fields->n);
    for (uint32_t i = 0; i < l->n; i++) l->at[i] = v.as.fields->at[i].value;
    return cue_list(l);
  }
  default: {
    CueBuf b = cue_buf(a);
    cue_emit_json(&b, v, (CueJsonStyle){0});
    return cue_string(cue_buf_done(&b));
  }
  }
}

static CueValue flat(CueArena *a, CueValue v) {
  if (v.kind == CUE_STRING) return cue_bool(true);
  if (v.kind == CUE_INT) return cue_float_num(cue_num_parse(a, CUE_STR("1.5")));
  return cue_string(CUE_STR("flat"));
}

/* Numbers get out of every range, strings stop being names; which way depends on what was there. */
static CueValue odd(CueArena *a, CueValue v) {
  static const char *const texts[] = {"Not A Name", "-", "a\n b: \"c\"\t", "\xe2\x82\xac \xf0\x9f\x90\x99",
                                      "0x1F",       "~"};
  if (v.kind == CUE_INT) return v.as.i % 2 ? cue_int(-1) : cue_int(INT64_C(4294967296));
  if (v.kind == CUE_BOOL) return cue_bool(!v.as.b);
  if (v.kind != CUE_STRING) return v;
  CueStr s = cue_value_str(v);
  uint32_t pick = cue_str_hash(s) % 7;
  if (pick < 6) return cue_string(cue_str(texts[pick]));
  CueBuf b = cue_buf(a);
  while (b.n < 300) cue_buf_z(&b, "long-");
  return cue_string(cue_buf_done(&b));
}

static CueValue longer(CueArena *a, CueValue v) {
  if (v.kind == CUE_LIST) {
    CueList *l = cue_list_new(a, v.as.list->n + 1);
    for (uint32_t i = 0; i + 1 < l->n; i++) l->at[i] = v.as.list->at[i];
    l->at[l->n - 1] = l->n > 1 ? l->at[l->n - 2] : cue_string(CUE_STR("more"));
    return cue_list(l);
  }
  CueStruct *s = cue_struct_new(a, v.as.fields->n + 1);
  for (uint32_t i = 0; i + 1 < s->n; i++) s->at[i] = v.as.fields->at[i];
  s->at[s->n - 1] = (CueField){CUE_STR("oneMore"), s->n > 1 ? s->at[0].value : cue_string(CUE_STR("more"))};
  return cue_struct(s);
}

static CueValue turned(CueArena *a, CueValue v) {
  if (v.kind == CUE_LIST) {
    CueList *l = cue_list_new(a, v.as.list->n);
    for (uint32_t i = 0; i < l->n; i++) l->at[i] = v.as.list->at[l->n - 1 - i];
    return cue_list(l);
  }
  CueStruct *s = cue_struct_new(a, v.as.fields->n);
  for (uint32_t i = 0; i < s->n; i++) s->at[i] = v.as.fields->at[s->n - 1 - i];
  return cue_struct(s);
}

static CueValue changed(CueArena *a, CueValue v, MutationKind kind) {
  switch (kind) {
  case MUTATION_EMPTY: return empty(a, v);
  case MUTATION_NULL: return cue_null();
  case MUTATION_RETYPED: return retyped(a, v);
  case MUTATION_FLAT: return flat(a, v);
  case MUTATION_WRAPPED: return list_of(a, &v, 1);
  case MUTATION_ODD: return odd(a, v);
  case MUTATION_LONGER: return longer(a, v);
  case MUTATION_TURNED: return turned(a, v);
  default: return v;
  }
}

static uint32_t size(CueValue v) {
  return v.kind == CUE_LIST ? v.as.list->n : v.kind == CUE_STRUCT ? v.as.fields->n : 0;
}

static bool possible(CueValue v, MutationKind kind, bool is_field, bool is_root) {
  bool many = v.kind == CUE_LIST || v.kind == CUE_STRUCT;
  if (is_root && kind != MUTATION_EMPTY && kind != MUTATION_LONGER && kind != MUTATION_TURNED) return false;
  switch (kind) {
  case MUTATION_RENAMED: return is_field;
  case MUTATION_EMPTY:
    return many ? size(v) > 0 : v.kind == CUE_STRING ? v.len > 0 : v.kind == CUE_BOOL ? v.as.b : v.kind != CUE_NULL;
  case MUTATION_NULL: return v.kind != CUE_NULL;
  case MUTATION_RETYPED: return v.kind != CUE_STRUCT || size(v) > 0;
  case MUTATION_FLAT: return v.kind != CUE_BOOL;
  case MUTATION_ODD: return v.kind == CUE_INT || v.kind == CUE_BOOL || v.kind == CUE_STRING;
  case MUTATION_LONGER: return many;
  case MUTATION_TURNED: return size(v) > 1;
  default: return true;
  }
}

/* ---- all of them ---- */

static void collect(CueArena *a, Mutations *out, CueValue v, uint32_t *place, bool is_field, bool is_root) {
  uint32_t here = (*place)++;
  for (int k = 0; k < MUTATION_COUNT; k++)
    if (possible(v, (MutationKind)k, is_field, is_root)) cue_push(a, out, (Mutation){here, (MutationKind)k});
  for (uint32_t i = 0; i < size(v); i++)
    collect(a, out, v.kind == CUE_LIST ? v.as.list->at[i] : v.as.fields->at[i].value, place, v.kind == CUE_STRUCT,
            false);
}

Mutations mutations_of(CueArena *a, CueValue v) {
  Mutations all = {0};
  uint32_t place = 0;
  collect(a, &all, v, &place, false, true);
  return all;
}

static uint32_t places(CueValue v) {
  uint32_t n = 1;
  for (uint32_t i = 0; i < size(v); i++) n += places(v.kind == CUE_LIST ? v.as.list->at[i] : v.as.fields->at[i].value);
  return n;
}

/* m.place counts from v. */
static CueValue apply(CueArena *a, CueValue v, Mutation m) {
  if (m.place == 0) return changed(a, v, m.kind);
  uint32_t n = size(v), at = 1, i = 0;
  CueValue x = cue_null();
  for (;; i++) { /* which of the fields or elements it is in */
    x = v.kind == CUE_LIST ? v.as.list->at[i] : v.as.fields->at[i].value;
    if (m.place < at + places(x)) break;
    at += places(x);
  }
  bool itself = m.place == at, gone = itself && m.kind == MUTATION_DELETED;
  x = apply(a, x, (Mutation){m.place - at, m.kind});
  CueList *l = cue_list_new(a, v.kind == CUE_LIST ? n - gone : 0);
  CueStruct *s = cue_struct_new(a, v.kind == CUE_STRUCT ? n - gone : 0);
  for (uint32_t k = 0, to = 0; k < n; k++) {
    if (gone && k == i) continue;
    if (v.kind == CUE_LIST) {
      l->at[to++] = k == i ? x : v.as.list->at[k];
      continue;
    }
    s->at[to] = v.as.fields->at[k];
    if (k == i) s->at[to].value = x;
    if (k == i && itself && m.kind == MUTATION_RENAMED)
      s->at[to].key = cue_str_cat(a, s->at[to].key, CUE_STR("Renamed"));
    to++;
  }
  return v.kind == CUE_LIST ? cue_list(l) : cue_struct(s);
}

CueValue mutation_apply(CueArena *a, CueValue v, Mutation m) { return apply(a, v, m); }

CueStr mutation_text(CueArena *a, CueValue v, Mutation m) {
  static const char *const names[] = {"deleted", "renamed", "empty", "null",       "retyped",
                                      "flat",    "wrapped", "odd",   "one longer", "turned"};
  CueBuf b = cue_buf(a);
  for (uint32_t left = m.place; left;) {
    uint32_t at = 1, i = 0;
    CueValue x;
    for (;; i++) {
      x = v.kind == CUE_LIST ? v.as.list->at[i] : v.as.fields->at[i].value;
      if (left < at + places(x)) break;
      at += places(x);
    }
    if (b.n) cue_buf_ch(&b, '.');
    cue_buf_str(&b, v.kind == CUE_LIST ? cue_int_text(a, i) : v.as.fields->at[i].key);
    v = x;
    left -= at;
  }
  cue_buf_f(&b, "%s%s", b.n ? " " : "", names[m.kind]);
  return cue_buf_done(&b);
}

/* ---- some of them ---- */

static uint64_t next_random(uint64_t *seed) { /* splitmix64 */
  uint64_t x = *seed += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

void mutations_sample(Mutations *m, uint32_t n, uint64_t *seed) {
  uint32_t to = 0;
  for (uint32_t i = 0, left = m->n; i < m->n; i++, left--)
    if (next_random(seed) % left < n) m->at[to++] = m->at[i], n--;
  m->n = to;
}
