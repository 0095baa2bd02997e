/* read_value.c - the visitor that builds a CueValue from what a reader meets.
**
** Items wait on a stack until their list or struct ends and are then copied into it, so a
** value is built without knowing its size beforehand and without recursion. A key that
** comes twice is unified with its earlier value, as cue does: equal scalars and disjoint
** structs merge, anything else is a conflict. A hash finds repeats in wide structs.
*/
#include "runtime/read.h"

#include <string.h>

typedef struct {
  CueKind kind;
  uint32_t first; /* index of its first waiting item */
} Open;

struct CueBuilder {
  CueArena *a;
  CUE_VEC(CueField) items; /* of lists, only the value counts */
  CUE_VEC(Open) open;
  CueStr key;
  CueValue result;
  CueValue error;
  bool failed;
};

CueBuilder *cue_builder(CueArena *a) {
  CueBuilder *b = cue_new(a, CueBuilder);
  b->a = a;
  return b;
}

static bool fail(CueBuilder *b, CueStr message) {
  b->error = cue_error(message);
  b->failed = true;
  return false;
}

static CueStr show(CueBuilder *b, CueValue v) {
  if (v.kind == CUE_STRUCT || v.kind == CUE_LIST) return v.kind == CUE_STRUCT ? CUE_STR("{...}") : CUE_STR("[...]");
  CueBuf out = cue_buf(b->a);
  cue_emit_json(&out, v, (CueJsonStyle){0});
  return cue_buf_done(&out);
}

static bool merge(CueBuilder *b, CueValue *into, CueValue v, unsigned depth);

static bool merge_structs(CueBuilder *b, CueValue *into, CueValue v, unsigned depth) {
  const CueStruct *x = into->as.fields, *y = v.as.fields;
  CueStruct *both = cue_struct_new(b->a, x->n + y->n);
  if (x->n) memcpy(both->at, x->at, x->n * sizeof x->at[0]);
  both->n = x->n;
  for (uint32_t i = 0; i < y->n; i++) {
    CueValue *old = (CueValue *)(uintptr_t)cue_struct_get(both, y->at[i].key); /* both is ours to change */
    if (!old)
      both->at[both->n++] = y->at[i];
    else if (!merge(b, old, y->at[i].value, depth + 1))
      return false;
  }
  *into = cue_struct(both);
  return true;
}

static bool merge(CueBuilder *b, CueValue *into, CueValue v, unsigned depth) {
  if (depth < 1000 && into->kind == CUE_STRUCT && v.kind == CUE_STRUCT) return merge_structs(b, into, v, depth);
  if (into->kind == v.kind && cue_value_eq(*into, v)) return true;
  if (into->kind == CUE_LIST && v.kind == CUE_LIST && into->as.list->n == v.as.list->n && depth < 1000) {
    CueList *l = cue_list_new(b->a, v.as.list->n);
    for (uint32_t i = 0; i < l->n; i++) {
      l->at[i] = into->as.list->at[i];
      if (!merge(b, &l->at[i], v.as.list->at[i], depth + 1)) return false;
    }
    *into = cue_list(l);
    return true;
  }
  CueStr x = show(b, v), y = show(b, *into);
  return fail(b, cue_strf(b->a, "conflicting values %.*s and %.*s", CUE_FMT(x), CUE_FMT(y)));
}

static bool add(CueBuilder *b, CueValue v) {
  if (b->open.n == 0)
    b->result = v;
  else
    cue_push(b->a, &b->items, (CueField){b->key, v});
  return true;
}

static bool on_begin(void *ctx, CueKind kind, size_t at) {
  (void)at;
  CueBuilder *b = ctx;
  if (b->open.n >= CUE_MAX_DEPTH) return fail(b, CUE_STR("exceeded max depth"));
  /* The key of this value waits with it, as a place holder for the finished value. */
  cue_push(b->a, &b->items, (CueField){b->key, cue_null()});
  cue_push(b->a, &b->open, (Open){kind, b->items.n});
  return true;
}

static bool on_key(void *ctx, CueStr key, size_t from, size_t to) {
  (void)from, (void)to;
  ((CueBuilder *)ctx)->key = key;
  return true;
}

static bool on_scalar(void *ctx, const CueScalar *s) { return add(ctx, s->value); }

/* Merges repeated keys of the waiting fields [first, n) and returns how many remain. */
static bool merge_repeats(CueBuilder *b, CueField *f, uint32_t *n) {
  if (*n < 2) return true;
  bool many = *n > 8, ok = true;
  uint32_t mask = 15, kept = 0, few[128], *slots = few;
  CueArena *scratch = NULL;
  while (many && mask < *n * 2) mask = mask * 2 + 1;
  if (mask < sizeof few / sizeof *few) {
    if (many) memset(few, 0, sizeof few);
  } else {
    scratch = cue_arena_new();
    slots = cue_array(scratch, uint32_t, (size_t)mask + 1);
  }
  for (uint32_t i = 0; i < *n && ok; i++) {
    uint32_t twin = UINT32_MAX;
    if (many) {
      uint32_t h = cue_str_hash(f[i].key) & mask;
      for (; slots[h]; h = (h + 1) & mask) {
        if (cue_str_eq(f[slots[h] - 1].key, f[i].key)) {
          twin = slots[h] - 1;
          break;
        }
      }
      if (twin == UINT32_MAX) slots[h] = kept + 1;
    } else {
      for (uint32_t k = 0; k < kept; k++)
        if (cue_str_eq(f[k].key, f[i].key)) twin = k;
    }
    if (twin == UINT32_MAX)
      f[kept++] = f[i];
    else
      ok = merge(b, &f[twin].value, f[i].value, 0);
  }
  *n = kept;
  cue_arena_free(scratch);
  return ok;
}

static bool on_end(void *ctx, CueKind kind, size_t at) {
  (void)at;
  CueBuilder *b = ctx;
  Open o = b->open.at[--b->open.n];
  uint32_t n = b->items.n - o.first;
  CueField *f = b->items.at + o.first;
  CueValue v;
  if (kind == CUE_STRUCT) {
    if (!merge_repeats(b, f, &n)) return false;
    CueStruct *s = cue_struct_new(b->a, n);
    if (n) memcpy(s->at, f, n * sizeof *f);
    v = cue_struct(s);
  } else {
    CueList *l = cue_list_new(b->a, n);
    for (uint32_t i = 0; i < n; i++) l->at[i] = f[i].value;
    v = cue_list(l);
  }
  b->items.n = o.first - 1;
  b->key = b->items.at[o.first - 1].key;
  return add(b, v);
}

CueVisitor cue_builder_visitor(CueBuilder *b) { return (CueVisitor){b, on_begin, on_key, on_scalar, on_end}; }

CueValue cue_built(CueBuilder *b) { return b->failed ? b->error : b->result; }

static CueValue with_place(CueArena *a, CueReadError err) {
  if (err.line) return cue_error(cue_strf(a, ":%u: %.*s", err.line, CUE_FMT(err.message)));
  return cue_error(cue_strf(a, ": %.*s", CUE_FMT(err.message)));
}

CueValue cue_read_json(CueArena *a, CueStr text, size_t *offset) {
  CueBuilder *b = cue_builder(a);
  CueVisitor v = cue_builder_visitor(b);
  CueReadError err = {0};
  bool ok = cue_visit_json(a, text, &v, &err);
  *offset = err.offset;
  return ok || b->failed ? cue_built(b) : cue_error(err.message);
}

CueValue cue_read_yaml(CueArena *a, CueStr text, size_t *offset, bool *done) {
  CueBuilder *b = cue_builder(a);
  CueVisitor v = cue_builder_visitor(b);
  CueReadError err = {0};
  if (cue_visit_yaml(a, text, offset, done, &v, &err) || b->failed) return cue_built(b);
  *offset = err.offset;
  return with_place(a, err);
}
