/* list.c - package list.
**
** Functions that only move elements work on lent ones, so elements need not be concrete.
** Those that count or compare ask the evaluator. Sorting calls a comparer written in CUE,
** which is slow, so the sort is one that asks seldom: insertion in short runs, then merges.
*/
#include <string.h>

#include "stdlib/cue/stdlib.h"

/* ---- taking lists apart and putting them together ---- */

static const CueList empty = {.n = 0};

/* The elements of argument i; NULL with c->error set on failure. */
static CueList *list_arg(CueCall *c, uint32_t i) { return c->ops->elements(c, c->args[i]); }

static CueValue sublist(CueCall *c, const CueList *l, size_t from, size_t to) {
  CueList *out = cue_list_new(c->a, (uint32_t)(to - from));
  if (to > from) memcpy(out->at, l->at + from, (to - from) * sizeof l->at[0]);
  return cue_list(out);
}

/* The elements of a value that may turn out to be no list; NULL with c->error set then. The value is
** the first argument, or an element of it, counted from 1. */
static const CueList *as_list(CueCall *c, CueValue v, uint32_t element) {
  if (v.form == CUE_LENT) v = c->ops->pick(c, v);
  if (v.kind == CUE_LIST && c->ops->is_list(c, v)) return v.form == CUE_LENT ? c->ops->elements(c, v) : v.as.list;
  CueStr kinds = cue_kinds_text(c->a, v.kind);
  if (v.kind == CUE_BOTTOM && v.form == CUE_LENT) { /* its own error is told */
    c->wrapped = true;
    c->ops->data(c, v, false);
  } else if (v.kind & CUE_LIST) {
    cue_fail_incomplete(c, "non-concrete value %.*s", CUE_FMT(kinds));
  } else {
    CueStr text = c->ops->text(c, v);
    cue_fail(c, "cannot use value %.*s (type %.*s) as list", CUE_FMT(text), CUE_FMT(kinds));
    c->blame = 1;
    c->blame_element = element;
  }
  return NULL;
}

typedef CUE_VEC(CueValue) Values;

static CueValue values_list(CueCall *c, const Values *v) {
  CueList *out = cue_list_new(c->a, v->n);
  if (v->n) memcpy(out->at, v->at, v->n * sizeof v->at[0]);
  return cue_list(out);
}

static CueValue list_drop(CueCall *c) {
  int64_t n;
  CueList *l = list_arg(c, 0);
  if (!l || !cue_arg_int64(c, 1, &n)) return c->error;
  if (n < 0) return cue_fail(c, "negative index");
  return n > l->n ? cue_list(&empty) : sublist(c, l, (size_t)n, l->n);
}

static CueValue list_take(CueCall *c) {
  int64_t n;
  CueList *l = list_arg(c, 0);
  if (!l || !cue_arg_int64(c, 1, &n)) return c->error;
  if (n < 0) return cue_fail(c, "negative index");
  return sublist(c, l, 0, n > l->n ? l->n : (size_t)n);
}

static CueValue list_slice(CueCall *c) {
  int64_t i, j;
  CueList *l = list_arg(c, 0);
  if (!l || !cue_arg_int64(c, 1, &i) || !cue_arg_int64(c, 2, &j)) return c->error;
  if (i < 0) return cue_fail(c, "negative index");
  if (i > j) return cue_fail(c, "invalid index: %lld > %lld", (long long)i, (long long)j);
  if (j > l->n) return cue_fail(c, "slice bounds out of range");
  return sublist(c, l, (size_t)i, (size_t)j);
}

static CueValue list_reverse(CueCall *c) {
  CueList *l = list_arg(c, 0);
  if (!l) return c->error;
  CueList *out = cue_list_new(c->a, l->n);
  for (uint32_t i = 0; i < l->n; i++) out->at[i] = l->at[l->n - 1 - i];
  return cue_list(out);
}

enum { MAX_ELEMENTS = 1 << 24 }; /* of a list made of a number; the evaluator has memory for as many */

static CueValue list_repeat(CueCall *c) {
  int64_t count;
  CueList *l = list_arg(c, 0);
  if (!l || !cue_arg_int64(c, 1, &count)) return c->error;
  if (count < 0) return cue_fail(c, "negative count");
  uint64_t n;
  if (__builtin_mul_overflow((uint64_t)l->n, (uint64_t)count, &n) || n > MAX_ELEMENTS)
    return cue_fail(c, "the result of (len(x) * count) overflows");
  CueList *out = cue_list_new(c->a, (uint32_t)n);
  for (uint64_t i = 0; i < n; i += l->n) memcpy(out->at + i, l->at, l->n * sizeof l->at[0]);
  return cue_list(out);
}

static CueValue list_concat(CueCall *c) {
  CueList *lists = list_arg(c, 0);
  if (!lists) return c->error;
  Values all = {0};
  for (uint32_t i = 0; i < lists->n; i++) {
    const CueList *l = as_list(c, lists->at[i], i + 1);
    if (!l) return c->error;
    for (uint32_t k = 0; k < l->n; k++) cue_push(c->a, &all, l->at[k]);
  }
  return values_list(c, &all);
}

/* Adds the elements of l, with lists up to `depth` levels down opened; below 0 there is no limit. */
static bool flatten(CueCall *c, Values *out, const CueList *l, int64_t depth, unsigned level) {
  if (level > CUE_MAX_DEPTH) {
    cue_fail(c, "lists nested too deeply");
    return false;
  }
  for (uint32_t i = 0; i < l->n; i++) {
    CueValue v = l->at[i].form == CUE_LENT ? c->ops->pick(c, l->at[i]) : l->at[i];
    if (v.kind != CUE_LIST || depth == 0 || !c->ops->is_list(c, v)) {
      cue_push(c->a, out, v);
      continue;
    }
    const CueList *inner = as_list(c, v, 0);
    if (!inner || !flatten(c, out, inner, depth < 0 ? depth : depth - 1, level + 1)) return false;
  }
  return true;
}

static CueValue list_flatten_n(CueCall *c) {
  int64_t depth;
  if (!cue_arg_int64(c, 1, &depth)) return c->error;
  const CueList *l = as_list(c, c->args[0], 0);
  Values out = {0};
  if (!l || !flatten(c, &out, l, depth, 0)) return c->error;
  return values_list(c, &out);
}

/* ---- validators ---- */

static bool same(CueCall *c, CueValue x, CueValue y, bool regular) {
  if (x.form == CUE_LENT) x = c->ops->pick(c, x);
  if (y.form == CUE_LENT) y = c->ops->pick(c, y);
  if (x.form == CUE_LENT || y.form == CUE_LENT) return c->ops->equal(c, x, y, regular);
  return x.kind == y.kind && cue_value_eq(x, y); /* 1 is not 1.0 here */
}

static CueList *pick_all(CueCall *c, const CueList *l) {
  CueList *picked = cue_list_new(c->a, l->n);
  for (uint32_t i = 0; i < l->n; i++) picked->at[i] = l->at[i].form == CUE_LENT ? c->ops->pick(c, l->at[i]) : l->at[i];
  return picked;
}

static CueValue list_min_items(CueCall *c) {
  int64_t n;
  CueList *l = list_arg(c, 0);
  if (!l || !cue_arg_int64(c, 1, &n)) return c->error;
  if (l->n >= n) return cue_bool(true);
  return cue_invalid(c, c->ops->is_open(c, c->args[0]), "len(list) < MinItems(%lld) (%u < %lld)", (long long)n, l->n,
                     (long long)n);
}

static CueValue list_max_items(CueCall *c) {
  int64_t n;
  CueList *l = list_arg(c, 0);
  if (!l || !cue_arg_int64(c, 1, &n)) return c->error;
  if (l->n <= n) return cue_bool(true);
  return cue_invalid(c, false, "len(list) > MaxItems(%lld) (%u > %lld)", (long long)n, l->n, (long long)n);
}

/* Equal elements that may still come to differ are reported, as incomplete, only if no
** final ones are equal. Quadratic, as elements have no order or hash that evaluation keeps. */
static CueValue list_unique_items(CueCall *c) {
  CueList *l = list_arg(c, 0);
  if (!l) return c->error;
  uint32_t x = 0, y = 0;
  bool final = false;
  const CueList *picked = pick_all(c, l);
  for (uint32_t i = 0; i < l->n && !final; i++)
    for (uint32_t k = i + 1; k < l->n && !final; k++)
      if (same(c, picked->at[i], picked->at[k], true)) {
        x = i;
        y = k;
        final = l->at[k].form != CUE_LENT || c->ops->is_final(c, l->at[k]);
      }
  if (x == y) return cue_bool(true);
  CueValue v = picked->at[x];
  if (v.kind & ~(unsigned)(CUE_LIST | CUE_STRUCT) && v.form != CUE_LENT) {
    CueStr text = c->ops->text(c, v);
    return cue_invalid(c, !final, "equal value (%.*s) at position %u and %u", CUE_FMT(text), x, y);
  }
  return cue_invalid(c, !final, "equal values at position %u and %u", x, y);
}

static CueValue list_contains(CueCall *c) {
  CueList *l = list_arg(c, 0);
  if (!l) return c->error;
  for (uint32_t i = 0; i < l->n; i++)
    if (same(c, c->args[1], l->at[i], false)) return cue_bool(true);
  return cue_bool(false);
}

static CueValue list_match_n(CueCall *c) {
  CueList *l = list_arg(c, 0);
  if (!l) return c->error;
  int64_t matched = 0;
  for (uint32_t i = 0; i < l->n; i++)
    matched += c->ops->validate(c, c->args[2], l->at[i], CUE_VALIDATE_FINAL).kind != CUE_BOTTOM;
  if (c->ops->unify(c, c->args[1], cue_int(matched)).kind != CUE_BOTTOM) return cue_bool(true);
  CueStr wanted = c->ops->text(c, c->args[1]);
  c->error = (CueValue){0};
  return cue_invalid(c, false, "number of matched elements is %lld: does not satisfy %.*s", (long long)matched,
                     CUE_FMT(wanted));
}

/* ---- numbers ---- */

static CueValue decimal(CueCall *c, CueNumErr err, const CueNum *x) {
  return err == CUE_NUM_OK ? cue_decimal(c->a, x) : cue_fail(c, "%s", cue_num_err_text(err));
}

typedef CueNumErr FoldFn(CueArena *a, const CueNum *x, const CueNum *y, bool exact, const CueNum **out);

static CueNumErr fold(CueCall *c, int64_t start, FoldFn *f, const CueNum **out) {
  const CueList *l = c->args[0].as.list;
  *out = cue_num_from_int(c->a, start);
  for (uint32_t i = 0; i < l->n; i++) {
    CueNumErr err = f(c->a, cue_value_num(c->a, l->at[i]), *out, false, out);
    if (err != CUE_NUM_OK) return err;
  }
  return CUE_NUM_OK;
}

static CueValue list_sum(CueCall *c) {
  const CueNum *sum;
  CueNumErr err = fold(c, 0, cue_num_add, &sum);
  return decimal(c, err, sum);
}

static CueValue list_product(CueCall *c) {
  const CueNum *product;
  CueNumErr err = fold(c, 1, cue_num_mul, &product);
  return decimal(c, err, product);
}

static CueValue list_avg(CueCall *c) {
  uint32_t n = c->args[0].as.list->n;
  if (n == 0) return cue_fail(c, "empty list");
  const CueNum *sum;
  CueNumErr err = fold(c, 0, cue_num_add, &sum);
  if (err == CUE_NUM_OK) err = cue_num_quo(c->a, sum, cue_num_from_int(c->a, n), &sum);
  return decimal(c, err, sum);
}

/* Of several equal ones the first counts: it decides between 1 and 1.0. */
static CueValue extreme(CueCall *c, int wanted) {
  const CueList *l = c->args[0].as.list;
  if (l->n == 0) return cue_fail(c, "empty list");
  const CueNum *best = cue_value_num(c->a, l->at[0]);
  for (uint32_t i = 1; i < l->n; i++) {
    const CueNum *x = cue_value_num(c->a, l->at[i]);
    if (cue_num_cmp(x, best) == wanted) best = x;
  }
  return cue_decimal(c->a, best);
}

static CueValue list_max(CueCall *c) { return extreme(c, 1); }
static CueValue list_min(CueCall *c) { return extreme(c, -1); }

static CueValue list_range(CueCall *c) {
  const CueNum *x = cue_arg_num(c, 0), *limit = cue_arg_num(c, 1), *step = cue_arg_num(c, 2);
  int direction = cue_num_sign(step);
  if (direction == 0) return cue_fail(c, "step must be non zero");
  int order = cue_num_cmp(x, limit);
  if (direction > 0 && order > 0) return cue_fail(c, "end must be greater than start when step is positive");
  if (direction < 0 && order < 0) return cue_fail(c, "end must be less than start when step is negative");
  /* With an infinite bound, or a step lost to rounding, there is no end to it. */
  if (!cue_num_is_finite(x) || !cue_num_is_finite(limit) || !cue_num_is_finite(step))
    return cue_fail(c, "range has no end");
  Values out = {0};
  int64_t i, end, by;
  if (cue_num_to_int64(x, &i) && cue_num_to_int64(limit, &end) && cue_num_to_int64(step, &by)) {
    double about = ((double)end - (double)i) / (double)by + 1;
    cue_reserve(c->a, &out, (uint32_t)(about < 1 ? 1 : about < MAX_ELEMENTS ? about : MAX_ELEMENTS));
    while (by > 0 ? i < end : i > end) {
      if (out.n >= MAX_ELEMENTS) return cue_fail(c, "range has too many elements");
      cue_push(c->a, &out, cue_int(i));
      if (!cue_int_add(i, by, &i)) break; /* past the int64 range is past the end */
    }
    return values_list(c, &out);
  }
  while (cue_num_cmp(x, limit) == -direction) {
    const CueNum *next;
    CueNumErr err = cue_num_add(c->a, step, x, false, &next);
    if (err != CUE_NUM_OK) return cue_fail(c, "%s", cue_num_err_text(err));
    if (cue_num_cmp(x, next) == 0) return cue_fail(c, "range has no end");
    if (out.n >= MAX_ELEMENTS) return cue_fail(c, "range has too many elements");
    cue_push(c->a, &out, cue_decimal(c->a, x));
    x = next;
  }
  return values_list(c, &out);
}

/* ---- sorting ---- */

typedef struct {
  CueCall *c;
  CueValue comparer; /* a bottom: bytewise on strings */
  bool failed;       /* the comparer failed; c->error says how */
} Order;

static bool less(Order *o, CueValue x, CueValue y) {
  if (o->failed) return false;
  if (o->comparer.kind == CUE_BOTTOM) return cue_str_cmp(cue_value_str(x), cue_value_str(y)) < 0;
  o->c->error = (CueValue){0};
  bool is = o->c->ops->less(o->c, o->comparer, x, y);
  o->failed = o->c->error.as.s != NULL;
  return is && !o->failed;
}

#define RUN 20 /* as in Go: elements of a run are compared in the order Go compares them */

static void sort_run(Order *o, CueValue *at, size_t n) {
  for (size_t i = 1; i < n; i++)
    for (size_t k = i; k > 0 && less(o, at[k], at[k - 1]); k--) {
      CueValue v = at[k];
      at[k] = at[k - 1];
      at[k - 1] = v;
    }
}

/* Merges the sorted halves [0, mid) and [mid, n) of at; scratch has room for the first. */
static void merge(Order *o, CueValue *at, size_t mid, size_t n, CueValue *scratch) {
  memcpy(scratch, at, mid * sizeof *at);
  size_t i = 0, k = mid, to = 0;
  while (i < mid && k < n) at[to++] = less(o, at[k], scratch[i]) ? at[k++] : scratch[i++];
  memcpy(at + to, scratch + i, (mid - i) * sizeof *at);
}

static void sort_stable(Order *o, CueValue *at, size_t n) {
  for (size_t from = 0; from < n; from += RUN) sort_run(o, at + from, n - from < RUN ? n - from : RUN);
  CueValue *scratch = cue_array(o->c->a, CueValue, n);
  for (size_t half = RUN; half < n; half *= 2)
    for (size_t from = 0; n - from > half; from += 2 * half) {
      size_t len = n - from < 2 * half ? n - from : 2 * half;
      merge(o, at + from, half, len, scratch);
      if (from + len == n) break;
    }
}

/* Whether the comparer has what it takes; a failure is kept in c->error. */
static bool check_comparer(CueCall *c, CueValue comparer) {
  if (comparer.kind != CUE_STRUCT) {
    cue_fail(c, "field not found: less");
    return false;
  }
  CueStruct *fields = c->ops->fields(c, comparer);
  if (!fields) return false;
  if (cue_struct_get(fields, CUE_STR("less"))) return true;
  cue_fail_incomplete(c, "field not found: less");
  return false;
}

static CueValue list_sort(CueCall *c) {
  CueList *l = list_arg(c, 0);
  if (!l || !check_comparer(c, c->args[1])) return c->error;
  CueList *out = cue_list_new(c->a, l->n);
  if (l->n) memcpy(out->at, l->at, l->n * sizeof l->at[0]);
  Order o = {.c = c, .comparer = c->args[1]};
  sort_stable(&o, out->at, out->n);
  if (!o.failed) return cue_list(out);
  c->wrapped = true;
  c->incomplete = false;
  return c->error;
}

/* Whether no element is less than the one before, asked from the end as Go asks. */
static bool is_sorted(Order *o, const CueList *l) {
  for (uint32_t i = l->n; i-- > 1;)
    if (less(o, l->at[i], l->at[i - 1]) || o->failed) return false;
  return true;
}

/* It has no way to fail: without a usable comparer a list is sorted, and where the comparer
** fails it is not. */
static CueValue list_is_sorted(CueCall *c) {
  CueList *l = list_arg(c, 0);
  if (!l) return c->error;
  Order o = {.c = c, .comparer = c->args[1]};
  bool sorted = !check_comparer(c, c->args[1]) || is_sorted(&o, l);
  c->error = (CueValue){0};
  c->incomplete = false;
  return cue_bool(sorted);
}

static CueValue list_sort_strings(CueCall *c) {
  const CueList *l = c->args[0].as.list;
  CueList *out = cue_list_new(c->a, l->n);
  if (l->n) memcpy(out->at, l->at, l->n * sizeof l->at[0]);
  Order o = {.c = c};
  sort_stable(&o, out->at, out->n);
  return cue_list(out);
}

static CueValue list_is_sorted_strings(CueCall *c) {
  Order o = {.c = c};
  return cue_bool(is_sorted(&o, c->args[0].as.list));
}

/* ---- the package ---- */

/* Laid out as in cue, where a brace precedes it: errors show places in it. */
static const char definitions[] = "\n"
                                  "\tComparer: {\n"
                                  "\t\tT:    _\n"
                                  "\t\tx:    T\n"
                                  "\t\ty:    T\n"
                                  "\t\tless: bool\n"
                                  "\t}\n"
                                  "\tAscending: {\n"
                                  "\t\tComparer\n"
                                  "\t\tT:    number | string\n"
                                  "\t\tx:    T\n"
                                  "\t\ty:    T\n"
                                  "\t\tless: x < y\n"
                                  "\t}\n"
                                  "\tDescending: {\n"
                                  "\t\tComparer\n"
                                  "\t\tT:    number | string\n"
                                  "\t\tx:    T\n"
                                  "\t\ty:    T\n"
                                  "\t\tless: x > y\n"
                                  "\t}\n";

static const CueBuiltin functions[] = {
    {"Drop", "li", 'l', list_drop},
    {"FlattenN", "vi", 'l', list_flatten_n},
    {"Repeat", "li", 'l', list_repeat},
    {"Concat", "l", 'l', list_concat},
    {"Take", "li", 'l', list_take},
    {"Slice", "lii", 'l', list_slice},
    {"Reverse", "l", 'l', list_reverse},
    {"MinItems", "wi", 'b', list_min_items},
    {"MaxItems", "wi", 'b', list_max_items},
    {"UniqueItems", "l", 'b', list_unique_items},
    {"Contains", "lv", 'b', list_contains},
    {"MatchN", "l**", 'b', list_match_n},
    {"Avg", "I", 'n', list_avg},
    {"Max", "I", 'n', list_max},
    {"Min", "I", 'n', list_min},
    {"Product", "I", 'n', list_product},
    {"Range", "nnn", 'l', list_range},
    {"Sum", "I", 'n', list_sum},
    {"Sort", "lv", 'l', list_sort},
    {"SortStable", "lv", 'l', list_sort},
    {"SortStrings", "L", 'l', list_sort_strings},
    {"IsSorted", "lv", 'b', list_is_sorted},
    {"IsSortedStrings", "L", 'b', list_is_sorted_strings},
};

const CueBuiltinPackage cue_pkg_list = {"list", functions, CUE_COUNT(functions), definitions, false};
