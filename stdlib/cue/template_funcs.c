/* template_funcs.c - the functions that Go templates know by name.
**
** and, or and call are done by the execution: the first two evaluate their arguments one by
** one, and data holds no function that could be called.
*/
#include <math.h>

#include "stdlib/cue/gotext.h"
#include "stdlib/cue/htmltext.h"
#include "stdlib/cue/template.h"

static bool fail(CueArena *a, CueStr *error, const char *fmt, ...) CUE_PRINTF(3, 4);
static bool fail(CueArena *a, CueStr *error, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  *error = cue_strvf(a, fmt, ap);
  va_end(ap);
  return false;
}

bool template_is_true(GoValue v) {
  switch (v.type) {
  case GO_NONE:
  case GO_NIL: return false;
  case GO_BOOL: return v.v.as.b;
  case GO_INT:
  case GO_INT64:
  case GO_UINT8: return v.v.as.i != 0;
  case GO_FLOAT64: return cue_num_to_double(v.v.as.num) != 0;
  case GO_STRING:
  case GO_BYTES: return v.v.len > 0;
  case GO_LIST: return v.v.as.list->n > 0;
  case GO_MAP: return v.v.as.fields->n > 0;
  case GO_BIG_INT:
  case GO_BIG_FLOAT: break;
  }
  return true;
}

/* ---- looking into values ----------------------------------------------------------------- */

/* How many elements; -1 if it has none. */
static int64_t length(GoValue v) {
  switch (v.type) {
  case GO_STRING:
  case GO_BYTES: return v.v.len;
  case GO_LIST: return v.v.as.list->n;
  case GO_MAP: return v.v.as.fields->n;
  default: return -1;
  }
}

/* The type after following a pointer, which big numbers are. */
static const char *type_behind(GoValue v) {
  const char *name = go_type_name(v);
  return *name == '*' ? name + 1 : name;
}

static bool fn_len(CueArena *a, const GoValue *args, size_t n, GoValue *out, CueStr *error) {
  (void)n;
  if (args[0].type == GO_NIL) return fail(a, error, "len of nil pointer");
  if (args[0].type == GO_NONE) return fail(a, error, "reflect: call of reflect.Value.Type on zero Value");
  GoValue v = go_unbox(args[0]);
  if (length(v) < 0) return fail(a, error, "len of type %s", type_behind(v));
  *out = go_int(length(v));
  return true;
}

static bool is_integer(GoValue v) { return v.type == GO_INT || v.type == GO_INT64 || v.type == GO_UINT8; }

static bool index_arg(CueArena *a, GoValue index, int64_t limit, int64_t *out, CueStr *error) {
  if (index.type == GO_NONE) return fail(a, error, "cannot index slice/array with nil");
  if (index.boxed || !is_integer(index))
    return fail(a, error, "cannot index slice/array with type %s", go_type_name(index));
  *out = index.v.as.i;
  if (*out < 0 || *out > limit) return fail(a, error, "index out of range: %lld", (long long)*out);
  return true;
}

static bool index_map(CueArena *a, GoValue map, GoValue key, GoValue *out, CueStr *error) {
  if (key.type == GO_NONE) return fail(a, error, "value is nil; should be of type string");
  if (key.type != GO_STRING) return fail(a, error, "value has type %s; should be string", go_type_name(key));
  const CueValue *found = cue_struct_get(map.v.as.fields, cue_value_str(key.v));
  *out = go_value(found ? *found : cue_null(), true);
  return true;
}

static bool fn_index(CueArena *a, const GoValue *args, size_t n, GoValue *out, CueStr *error) {
  GoValue item = go_unbox(args[0]);
  if (item.type == GO_NONE) return fail(a, error, "index of untyped nil");
  for (size_t i = 1; i < n; i++) {
    GoValue key = go_unbox(args[i]);
    if (item.type == GO_NIL) return fail(a, error, "index of nil pointer");
    item = go_unbox(item);
    if (item.type == GO_MAP) {
      if (!index_map(a, item, key, &item, error)) return false;
      continue;
    }
    if (length(item) < 0) return fail(a, error, "can't index item of type %s", type_behind(item));
    int64_t at = 0;
    if (!index_arg(a, key, length(item), &at, error)) return false;
    if (at == length(item))
      return fail(a, error, "reflect: %s index out of range", item.type == GO_STRING ? "string" : "slice");
    if (item.type == GO_LIST)
      item = go_value(item.v.as.list->at[at], true);
    else
      item = (GoValue){GO_UINT8, false, cue_int((unsigned char)item.v.as.s[at])};
  }
  *out = item;
  return true;
}

static bool fn_slice(CueArena *a, const GoValue *args, size_t n, GoValue *out, CueStr *error) {
  GoValue item = go_unbox(args[0]);
  if (item.type == GO_NONE) return fail(a, error, "slice of untyped nil");
  if (n > 4) return fail(a, error, "too many slice indexes: %zu", n - 1);
  if (item.type == GO_STRING && n == 4) return fail(a, error, "cannot 3-index slice a string");
  if (length(item) < 0 || item.type == GO_MAP) return fail(a, error, "can't slice item of type %s", type_behind(item));
  int64_t at[3] = {0, length(item), 0};
  for (size_t i = 1; i < n; i++)
    if (!index_arg(a, args[i], length(item), &at[i - 1], error)) return false;
  for (size_t i = 0; i + 1 < (n == 4 ? 3 : 2); i++)
    if (at[i] > at[i + 1])
      return fail(a, error, "invalid slice index: %lld > %lld", (long long)at[i], (long long)at[i + 1]);
  *out = item;
  if (item.type == GO_LIST) {
    CueList *l = cue_list_new(a, (uint32_t)(at[1] - at[0]));
    for (uint32_t i = 0; i < l->n; i++) l->at[i] = item.v.as.list->at[at[0] + i];
    out->v = cue_list(l);
    return true;
  }
  CueStr part = cue_str_sub(cue_value_str(item.v), (size_t)at[0], (size_t)at[1]);
  out->v = item.type == GO_STRING ? cue_string(part) : cue_bytes(part);
  return true;
}

/* ---- comparing --------------------------------------------------------------------------- */

typedef enum { BASIC_NONE, BASIC_BOOL, BASIC_INT, BASIC_FLOAT, BASIC_STRING, BASIC_UINT } Basic;

static Basic basic(GoValue v) {
  switch (v.type) {
  case GO_BOOL: return BASIC_BOOL;
  case GO_INT:
  case GO_INT64: return BASIC_INT;
  case GO_UINT8: return BASIC_UINT;
  case GO_FLOAT64: return BASIC_FLOAT;
  case GO_STRING: return BASIC_STRING;
  default: return BASIC_NONE;
  }
}

/* Integers compare whatever their sign: those without one are bytes here and fit an int64. */
static bool comparable(GoValue x, GoValue y) { return basic(x) == basic(y) || (is_integer(x) && is_integer(y)); }

static CueStr show(CueArena *a, GoValue v) {
  CueBuf out = cue_buf(a);
  go_printf(&out, CUE_STR("%s"), &v, 1);
  return cue_buf_done(&out);
}

static CueStr show_v(CueArena *a, GoValue v) {
  CueBuf out = cue_buf(a);
  go_print(&out, &v, 1);
  return cue_buf_done(&out);
}

/* Go's kinds of what is not basic: lists and bytes are slices, big numbers are pointers. */
static int kind(GoValue v) { return v.type == GO_BYTES ? GO_LIST : v.type == GO_BIG_FLOAT ? GO_BIG_INT : (int)v.type; }

static bool equal_others(CueArena *a, GoValue x, GoValue y, bool *equal, CueStr *error) {
  if (x.type == GO_NONE || y.type == GO_NONE) {
    *equal = x.type == y.type;
    return true;
  }
  if (kind(x) != kind(y))
    return fail(a, error, "non-comparable types %.*s: %s, %s: %.*s", CUE_FMT(show(a, x)), go_type_name(x),
                go_type_name(y), CUE_FMT(show_v(a, y)));
  if (kind(y) != GO_BIG_INT)
    return fail(a, error, "non-comparable type %.*s: %s", CUE_FMT(show(a, y)), go_type_name(y));
  *equal = x.v.as.num == y.v.as.num; /* pointers */
  return true;
}

static bool equal_one(CueArena *a, GoValue x, GoValue y, bool *equal, CueStr *error) {
  *equal = false;
  if (basic(x) == BASIC_NONE && basic(y) == BASIC_NONE) return equal_others(a, x, y, equal, error);
  if (!comparable(x, y)) {
    if (x.type == GO_NONE || y.type == GO_NONE) return true;
    return fail(a, error, "incompatible types for comparison: %s and %s", go_type_name(x), go_type_name(y));
  }
  if (basic(x) == BASIC_BOOL)
    *equal = x.v.as.b == y.v.as.b;
  else if (is_integer(x))
    *equal = x.v.as.i == y.v.as.i;
  else if (basic(x) == BASIC_FLOAT)
    *equal = cue_num_to_double(x.v.as.num) == cue_num_to_double(y.v.as.num);
  else
    *equal = cue_str_eq(cue_value_str(x.v), cue_value_str(y.v));
  return true;
}

/* eq x y z: whether x is one of the others. */
static bool any_equal(CueArena *a, const GoValue *args, size_t n, bool *equal, CueStr *error) {
  *equal = false;
  if (n < 2) return fail(a, error, "missing argument for comparison");
  GoValue x = go_unbox(args[0]);
  for (size_t i = 1; i < n && !*equal; i++)
    if (!equal_one(a, x, go_unbox(args[i]), equal, error)) return false;
  return true;
}

static bool less(CueArena *a, const GoValue *args, bool *is_less, CueStr *error) {
  GoValue x = go_unbox(args[0]), y = go_unbox(args[1]);
  if (basic(x) == BASIC_NONE || basic(y) == BASIC_NONE) return fail(a, error, "invalid type for comparison");
  if (!comparable(x, y))
    return fail(a, error, "incompatible types for comparison: %s and %s", go_type_name(x), go_type_name(y));
  if (basic(x) == BASIC_BOOL) return fail(a, error, "invalid type for comparison");
  if (is_integer(x))
    *is_less = x.v.as.i < y.v.as.i;
  else if (basic(x) == BASIC_FLOAT)
    *is_less = cue_num_to_double(x.v.as.num) < cue_num_to_double(y.v.as.num);
  else
    *is_less = cue_str_cmp(cue_value_str(x.v), cue_value_str(y.v)) < 0;
  return true;
}

static bool fn_eq(CueArena *a, const GoValue *args, size_t n, GoValue *out, CueStr *error) {
  bool yes;
  if (!any_equal(a, args, n, &yes, error)) return false;
  *out = go_bool(yes);
  return true;
}

static bool fn_ne(CueArena *a, const GoValue *args, size_t n, GoValue *out, CueStr *error) {
  bool yes;
  if (!any_equal(a, args, n, &yes, error)) return false;
  *out = go_bool(!yes);
  return true;
}

static bool fn_lt(CueArena *a, const GoValue *args, size_t n, GoValue *out, CueStr *error) {
  (void)n;
  bool yes = false;
  if (!less(a, args, &yes, error)) return false;
  *out = go_bool(yes);
  return true;
}

static bool fn_ge(CueArena *a, const GoValue *args, size_t n, GoValue *out, CueStr *error) {
  if (!fn_lt(a, args, n, out, error)) return false;
  *out = go_bool(!out->v.as.b);
  return true;
}

static bool fn_le(CueArena *a, const GoValue *args, size_t n, GoValue *out, CueStr *error) {
  if (!fn_lt(a, args, n, out, error)) return false;
  return out->v.as.b || fn_eq(a, args, n, out, error);
}

static bool fn_gt(CueArena *a, const GoValue *args, size_t n, GoValue *out, CueStr *error) {
  if (!fn_le(a, args, n, out, error)) return false;
  *out = go_bool(!out->v.as.b);
  return true;
}

static bool fn_not(CueArena *a, const GoValue *args, size_t n, GoValue *out, CueStr *error) {
  (void)a, (void)n, (void)error;
  *out = go_bool(!template_is_true(args[0]));
  return true;
}

/* ---- printing ---------------------------------------------------------------------------- */

static bool fn_print(CueArena *a, const GoValue *args, size_t n, GoValue *out, CueStr *error) {
  (void)error;
  CueBuf text = cue_buf(a);
  go_print(&text, args, n);
  *out = go_string(cue_buf_done(&text));
  return true;
}

static bool fn_println(CueArena *a, const GoValue *args, size_t n, GoValue *out, CueStr *error) {
  (void)error;
  CueBuf text = cue_buf(a);
  go_println(&text, args, n);
  *out = go_string(cue_buf_done(&text));
  return true;
}

static bool fn_printf(CueArena *a, const GoValue *args, size_t n, GoValue *out, CueStr *error) {
  (void)error;
  CueBuf text = cue_buf(a);
  go_printf(&text, cue_value_str(args[0].v), args + 1, n - 1);
  *out = go_string(cue_buf_done(&text));
  return true;
}

/* The escaping functions take what print would make of their arguments; here a nil is no value. */
static CueStr printed(CueArena *a, const GoValue *args, size_t n) {
  CueBuf text = cue_buf(a);
  GoValue *shown = cue_array(a, GoValue, n ? n : 1);
  for (size_t i = 0; i < n; i++)
    shown[i] = args[i].type == GO_NONE || args[i].type == GO_NIL ? go_string(CUE_STR("<no value>")) : args[i];
  go_print(&text, shown, n);
  return cue_buf_done(&text);
}

static bool fn_html(CueArena *a, const GoValue *args, size_t n, GoValue *out, CueStr *error) {
  (void)error;
  CueBuf text = cue_buf(a);
  cue_html_escape(&text, printed(a, args, n), true);
  *out = go_string(cue_buf_done(&text));
  return true;
}

static bool fn_js(CueArena *a, const GoValue *args, size_t n, GoValue *out, CueStr *error) {
  (void)error;
  CueBuf text = cue_buf(a);
  cue_js_escape(&text, printed(a, args, n));
  *out = go_string(cue_buf_done(&text));
  return true;
}

static bool fn_urlquery(CueArena *a, const GoValue *args, size_t n, GoValue *out, CueStr *error) {
  (void)error;
  CueBuf text = cue_buf(a);
  cue_url_query_escape(&text, printed(a, args, n));
  *out = go_string(cue_buf_done(&text));
  return true;
}

const TemplateFunction *template_function(CueStr name) {
  static const TemplateFunction functions[] = {
      /* name, nparams, variadic, any, format */
      {"and", 2, true, false, false, NULL},
      {"or", 2, true, false, false, NULL},
      {"call", 2, true, false, false, NULL},
      {"html", 1, true, true, false, fn_html},
      {"index", 2, true, false, false, fn_index},
      {"slice", 2, true, false, false, fn_slice},
      {"js", 1, true, true, false, fn_js},
      {"len", 1, false, false, false, fn_len},
      {"not", 1, false, false, false, fn_not},
      {"print", 1, true, true, false, fn_print},
      {"printf", 2, true, true, true, fn_printf},
      {"println", 1, true, true, false, fn_println},
      {"urlquery", 1, true, true, false, fn_urlquery},
      {"eq", 2, true, false, false, fn_eq},
      {"ge", 2, false, false, false, fn_ge},
      {"gt", 2, false, false, false, fn_gt},
      {"le", 2, false, false, false, fn_le},
      {"lt", 2, false, false, false, fn_lt},
      {"ne", 2, false, false, false, fn_ne},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (cue_str_is(name, functions[i].name)) return &functions[i];
  return NULL;
}
