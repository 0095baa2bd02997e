/* struct.c - package struct: how many regular fields a struct has. */
#include "stdlib/cue/stdlib.h"

/* Too few fields is a permanent failure only where no more can come. */
static CueValue struct_min_fields(CueCall *c) {
  int64_t n;
  CueStruct *fields = c->ops->fields(c, c->args[0]);
  if (!fields || !cue_arg_int64(c, 1, &n)) return c->error;
  if (fields->n >= n) return cue_bool(true);
  bool can_grow = c->ops->is_open(c, c->args[0]) || (int64_t)fields->n + c->ops->constraints(c, c->args[0]) >= n;
  return cue_invalid(c, can_grow, "len(fields) < MinFields(%lld) (%u < %lld)", (long long)n, fields->n, (long long)n);
}

static CueValue struct_max_fields(CueCall *c) {
  int64_t n;
  CueStruct *fields = c->ops->fields(c, c->args[0]);
  if (!fields || !cue_arg_int64(c, 1, &n)) return c->error;
  if (fields->n <= n) return cue_bool(true);
  return cue_invalid(c, false, "len(fields) > MaxFields(%lld) (%u > %lld)", (long long)n, fields->n, (long long)n);
}

static const CueBuiltin functions[] = {
    {"MinFields", "ti", 'b', struct_min_fields},
    {"MaxFields", "ti", 'b', struct_max_fields},
};

const CueBuiltinPackage cue_pkg_struct = {"struct", functions, CUE_COUNT(functions), NULL, false};
