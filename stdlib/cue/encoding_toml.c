/* encoding_toml.c - CUE's package "encoding/toml".
**
** Writing follows go-toml: keys are sorted, plain values come before tables, a list of
** tables becomes a table array, and whatever stands inside a value is written inline. null
** cannot be written: as a field it is left out, elsewhere it is an error.
*/
#include "stdlib/cue/gotext.h"
#include "stdlib/cue/stdlib.h"
#include "stdlib/cue/toml_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NESTING 5000

typedef struct {
  CueCall *c;
  CueBuf out;
  CUE_VEC(CueStr) path; /* of the table being written */
} Writer;

/* Where a value is written. */
typedef struct {
  bool inline_only; /* after "key =": tables are written in braces */
  bool header_done; /* the table array has named this table */
  bool root;
  int depth;
} Place;

/* Whether a literal string cannot hold s. */
static bool needs_escapes(CueStr s) {
  for (size_t i = 0; i < s.n; i++) {
    unsigned char ch = (unsigned char)s.s[i];
    if (ch == '\'' || (ch < 0x20 && ch != '\t') || ch == 0x7F) return true;
  }
  return false;
}

static void put_basic(CueBuf *out, CueStr s) {
  static const char names[] = "btnfr\"\\", values[] = "\b\t\n\f\r\"\\";
  cue_buf_ch(out, '"');
  for (size_t i = 0; i < s.n; i++) {
    unsigned char ch = (unsigned char)s.s[i];
    const char *at = ch ? strchr(values, ch) : NULL;
    if (at)
      cue_buf_f(out, "\\%c", names[at - values]);
    else if (ch < 0x20 || ch == 0x7F)
      cue_buf_f(out, "\\u%04X", ch);
    else
      cue_buf_ch(out, (char)ch);
  }
  cue_buf_ch(out, '"');
}

static void put_literal(CueBuf *out, CueStr s) {
  cue_buf_ch(out, '\'');
  cue_buf_str(out, s);
  cue_buf_ch(out, '\'');
}

static void put_string(CueBuf *out, CueStr s) {
  if (needs_escapes(s))
    put_basic(out, s);
  else
    put_literal(out, s);
}

static void put_key(CueBuf *out, CueStr key) {
  bool bare = key.n > 0;
  for (size_t i = 0; i < key.n; i++) {
    char ch = key.s[i];
    if (!((ch >= '0' && ch <= '9') || ((ch | 0x20) >= 'a' && (ch | 0x20) <= 'z') || ch == '-' || ch == '_'))
      bare = false;
  }
  if (bare)
    cue_buf_str(out, key);
  else
    put_string(out, key);
}

static void put_header(Writer *w, const char *open, const char *close) {
  cue_buf_z(&w->out, open);
  for (uint32_t i = 0; i < w->path.n; i++) {
    if (i) cue_buf_ch(&w->out, '.');
    put_key(&w->out, w->path.at[i]);
  }
  cue_buf_z(&w->out, close);
}

static void put_float(CueBuf *out, double f) {
  if (isnan(f))
    cue_buf_z(out, "nan");
  else if (isinf(f))
    cue_buf_z(out, f < 0 ? "-inf" : "inf");
  else
    cue_go_float(out, f, 'f', trunc(f) == f ? 1 : -1, 64);
}

/* A list that is written as a table array. */
static bool all_tables(CueValue v) {
  if (v.kind != CUE_LIST || v.as.list->n == 0) return false;
  for (uint32_t i = 0; i < v.as.list->n; i++)
    if (v.as.list->at[i].kind != CUE_STRUCT) return false;
  return true;
}

static int by_key(const void *x, const void *y) {
  return cue_str_cmp(((const CueField *)x)->key, ((const CueField *)y)->key);
}

static bool put_value(Writer *w, CueValue v, Place at);

static bool put_inline_table(Writer *w, const CueField *fields, uint32_t n, Place at) {
  cue_buf_ch(&w->out, '{');
  bool first = true;
  for (uint32_t i = 0; i < n; i++) {
    if (fields[i].value.kind == CUE_NULL) continue;
    if (!first) cue_buf_z(&w->out, ", ");
    first = false;
    put_key(&w->out, fields[i].key);
    cue_buf_z(&w->out, " = ");
    if (!put_value(w, fields[i].value, at)) return false;
  }
  cue_buf_ch(&w->out, '}');
  return true;
}

static bool put_table(Writer *w, CueValue v, Place at) {
  const CueStruct *s = v.as.fields;
  CueField *fields = cue_array(w->c->a, CueField, s->n ? s->n : 1);
  if (s->n) memcpy(fields, s->at, s->n * sizeof *fields);
  qsort(fields, s->n, sizeof *fields, by_key);
  if (at.inline_only) return put_inline_table(w, fields, s->n, at);
  if (!at.header_done && w->path.n) put_header(w, "[", "]\n");
  Place below = {.depth = at.depth + 1};
  bool gap = false; /* something was written that the next table must stand off from */
  for (uint32_t i = 0; i < s->n; i++) {
    CueValue x = fields[i].value;
    if (x.kind == CUE_NULL || x.kind == CUE_STRUCT || all_tables(x)) continue;
    put_key(&w->out, fields[i].key);
    cue_buf_z(&w->out, " = ");
    if (!put_value(w, x, (Place){.inline_only = true, .depth = at.depth + 1})) return false;
    cue_buf_ch(&w->out, '\n');
    gap = true;
  }
  for (uint32_t i = 0; i < s->n; i++) {
    CueValue x = fields[i].value;
    if (x.kind != CUE_STRUCT && !all_tables(x)) continue;
    if (gap) cue_buf_ch(&w->out, '\n');
    gap = true;
    cue_push(w->c->a, &w->path, fields[i].key);
    if (!put_value(w, x, below)) return false;
    w->path.n--;
  }
  return true;
}

static bool put_list(Writer *w, CueValue v, Place at) {
  const CueList *l = v.as.list;
  Place below = at;
  below.depth++;
  if (!at.inline_only && all_tables(v)) {
    below.header_done = true;
    below.root = false;
    for (uint32_t i = 0; i < l->n; i++) {
      if (i) cue_buf_ch(&w->out, '\n');
      put_header(w, "[[", "]]\n");
      if (!put_table(w, l->at[i], below)) return false;
    }
    return true;
  }
  cue_buf_ch(&w->out, '[');
  for (uint32_t i = 0; i < l->n; i++) {
    if (i) cue_buf_z(&w->out, ", ");
    if (!put_value(w, l->at[i], below)) return false;
  }
  cue_buf_ch(&w->out, ']');
  return true;
}

/* A number that Go has no type for is text to go-toml, which cannot be all of a document. */
static bool put_big(Writer *w, CueValue v, Place at, const char *type) {
  if (at.root) {
    cue_fail(w->c, "toml: type *big.%s implementing the TextMarshaler interface cannot be a root element", type);
    return false;
  }
  put_string(&w->out, cue_num_text(w->c->a, v.as.num));
  return true;
}

static bool put_value(Writer *w, CueValue v, Place at) {
  if (at.depth > MAX_NESTING) {
    cue_fail(w->c, "toml: exceeded max depth");
    return false;
  }
  CueStr s;
  switch ((CueKind)v.kind) {
  case CUE_NULL:
    cue_fail(w->c, at.root && at.depth == 0 ? "toml: cannot encode a nil interface"
                                            : "toml: encoding a nil interface is not supported");
    return false;
  case CUE_BOOL: cue_buf_z(&w->out, v.as.b ? "true" : "false"); return true;
  case CUE_INT:
    if (v.form == CUE_BIG) return put_big(w, v, at, "Int");
    cue_buf_int(&w->out, v.as.i);
    return true;
  case CUE_FLOAT: {
    double f = cue_num_to_double(v.as.num);
    if (isinf(f) && cue_num_is_finite(v.as.num)) return put_big(w, v, at, "Float");
    put_float(&w->out, f);
    return true;
  }
  case CUE_STRING: put_string(&w->out, cue_value_str(v)); return true;
  case CUE_BYTES:
    s = cue_value_str(v);
    cue_buf_ch(&w->out, '[');
    for (size_t i = 0; i < s.n; i++) cue_buf_f(&w->out, "%s%u", i ? ", " : "", (unsigned char)s.s[i]);
    cue_buf_ch(&w->out, ']');
    return true;
  case CUE_LIST: return put_list(w, v, at);
  case CUE_STRUCT: return put_table(w, v, at);
  default: cue_fail(w->c, "toml: cannot encode value"); return false;
  }
}

bool cue_emit_toml(CueBuf *out, CueValue v, CueStr *error) {
  static const CueBuiltin writer = {"Marshal", "", 's', NULL};
  CueCall c = {.a = out->a, .package = "encoding/toml", .builtin = &writer};
  Writer w = {.c = &c, .out = cue_buf(out->a)};
  bool ok = put_value(&w, v, (Place){.root = true});
  if (ok)
    cue_buf_str(out, cue_buf_done(&w.out));
  else
    *error = toml_reason(&c);
  return ok;
}

static CueValue fn_marshal(CueCall *c) {
  CueValue v;
  if (!cue_lent_data_valid(c, c->args[0], &v)) return c->error;
  Writer w = {.c = c, .out = cue_buf(c->a)};
  if (!put_value(&w, v, (Place){.root = true})) return c->error;
  return cue_result_string(c->a, cue_buf_done(&w.out));
}

static CueValue fn_unmarshal(CueCall *c) { return toml_read(c, cue_arg_str(c, 0)); }

static const CueBuiltin functions[] = {
    {"Marshal", "v", 's', fn_marshal},
    {"Unmarshal", "S", '_', fn_unmarshal},
};

const CueBuiltinPackage cue_pkg_encoding_toml = {"encoding/toml", functions, CUE_COUNT(functions), NULL, false};
