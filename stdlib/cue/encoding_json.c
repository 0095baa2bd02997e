/* encoding_json.c - CUE's package "encoding/json".
**
** Text to text functions run on json_scan, which has Go's error messages; values are read
** and written by the runtime. Text that the reader does not take as data (equal keys,
** which unify, may conflict) and text to be validated is given to the evaluator, whose errors
** then point into it.
*/
#include "stdlib/cue/json_scan.h"
#include "stdlib/cue/stdlib.h"

#include <string.h>

static CueValue fn_valid(CueCall *c) {
  CueStr why;
  return cue_bool(json_valid(c->a, cue_arg_str(c, 0), &why));
}

static CueValue fn_compact(CueCall *c) {
  CueStr s = cue_arg_str(c, 0);
  CueBuf out = cue_buf(c->a);
  JsonScan scan = json_scan(c->a);
  for (size_t i = 0; i < s.n; i++) {
    JsonByte was = json_step(&scan, s.s[i]);
    if (was == JSON_ERROR) break;
    if (was < JSON_SPACE) cue_buf_ch(&out, s.s[i]);
  }
  if (!json_finish(&scan)) return cue_fail(c, "%.*s", CUE_FMT(scan.error));
  return cue_result_string(c->a, cue_buf_done(&out));
}

#define MAX_INDENTED ((size_t)1 << 30)

static void new_line(CueBuf *out, CueStr prefix, CueStr indent, size_t depth) {
  cue_buf_ch(out, '\n');
  cue_buf_str(out, prefix);
  for (size_t i = 0; i < depth; i++) cue_buf_str(out, indent);
}

static CueValue fn_indent(CueCall *c) {
  CueStr s = cue_arg_str(c, 0), prefix = cue_arg_str(c, 1), indent = cue_arg_str(c, 2);
  CueBuf out = cue_buf(c->a);
  JsonScan scan = json_scan(c->a);
  size_t depth = 0;
  bool opened = false; /* the line after { or [ waits for what comes: {} stays on one line */
  for (size_t i = 0; i < s.n; i++) {
    JsonByte was = json_step(&scan, s.s[i]);
    if (was == JSON_SPACE) continue;
    if (was == JSON_ERROR) break;
    if (opened && was != JSON_CLOSE) {
      opened = false;
      new_line(&out, prefix, indent, ++depth);
    }
    if (was == JSON_CLOSE) {
      if (!opened) new_line(&out, prefix, indent, --depth);
      opened = false;
    }
    cue_buf_ch(&out, s.s[i]);
    if (was == JSON_OPEN) opened = true;
    if (was == JSON_SEPARATOR && s.s[i] == ',') new_line(&out, prefix, indent, depth);
    if (was == JSON_SEPARATOR && s.s[i] == ':') cue_buf_ch(&out, ' ');
    if (out.n > MAX_INDENTED) return cue_fail(c, "json: indented text is too long");
  }
  if (!json_finish(&scan)) return cue_fail(c, "%.*s", CUE_FMT(scan.error));
  return cue_result_string(c->a, cue_buf_done(&out));
}

/* Works on any text: what it escapes can only stand inside the strings of valid JSON. */
static CueValue fn_html_escape(CueCall *c) {
  CueStr s = cue_arg_str(c, 0);
  CueBuf out = cue_buf(c->a);
  for (size_t i = 0; i < s.n; i++) {
    char ch = s.s[i];
    bool separator =
        ch == '\xE2' && i + 2 < s.n && s.s[i + 1] == '\x80' && (s.s[i + 2] == '\xA8' || s.s[i + 2] == '\xA9');
    if (separator) {
      cue_buf_z(&out, s.s[i + 2] == '\xA8' ? "\\u2028" : "\\u2029");
      i += 2;
    } else if (ch == '<' || ch == '>' || ch == '&') {
      cue_buf_f(&out, "\\u%04x", (unsigned)ch);
    } else {
      cue_buf_ch(&out, ch);
    }
  }
  return cue_result_string(c->a, cue_buf_done(&out));
}

/* ---- values to text ---------------------------------------------------------------------- */

/* On failure sets c->error. */
static bool marshal(CueCall *c, CueBuf *out, CueValue lent) {
  CueValue v;
  if (!cue_lent_data(c, lent, &v)) return false;
  cue_emit_json(out, v, (CueJsonStyle){0});
  return true;
}

static CueValue fn_marshal(CueCall *c) {
  CueBuf out = cue_buf(c->a);
  if (!marshal(c, &out, c->args[0])) return c->error;
  return cue_result_string(c->a, cue_buf_done(&out));
}

static CueValue fn_marshal_stream(CueCall *c) {
  const CueList *l = cue_arg_elements(c, 0);
  if (!l) return c->error;
  CueBuf out = cue_buf(c->a);
  for (uint32_t i = 0; i < l->n; i++) {
    if (!marshal(c, &out, l->at[i])) return c->error;
    cue_buf_ch(&out, '\n');
  }
  return cue_result_string(c->a, cue_buf_done(&out));
}

/* ---- text to values ---------------------------------------------------------------------- */

static CueValue read_value(CueCall *c, CueStr json) {
  size_t offset = 0;
  CueValue v = cue_read_json(c->a, json, &offset);
  if (v.kind != CUE_BOTTOM) return v;
  const CueList *one = c->ops->documents(c, CUE_STR("json"), json, false);
  return one ? one->at[0] : c->error;
}

static CueValue fn_unmarshal(CueCall *c) {
  CueStr text = cue_arg_str(c, 0), why;
  if (!json_valid(c->a, text, &why)) return cue_fail(c, "json: invalid JSON");
  return read_value(c, text);
}

static bool is_blank(CueStr s) {
  for (size_t i = 0; i < s.n; i++)
    if (!strchr(" \t\r\n", s.s[i]) || !s.s[i]) return false;
  return true;
}

/* The end of the value at the start of s, which is not blank; on failure sets c->error. s is the end of argument 0. */
static bool next_value(CueCall *c, CueStr s, size_t *end) {
  JsonScan scan = json_scan(c->a);
  for (size_t i = 0; i < s.n; i++) {
    JsonByte was = json_step(&scan, s.s[i]);
    if (was == JSON_END || scan.state == JSON_AFTER_TOP) {
      *end = was == JSON_END ? i : i + 1;
      return true;
    }
    if (was == JSON_ERROR) {
      cue_fail(c, "invalid JSON for file \"\": %.*s", CUE_FMT(scan.error));
      c->blame = 1;
      c->blame_byte = cue_arg_str(c, 0).n - s.n + i + 1;
      return false;
    }
  }
  *end = s.n;
  if (json_finish(&scan)) return true;
  cue_fail(c, "invalid JSON for file \"\": unexpected EOF");
  return false;
}

static CueValue fn_unmarshal_stream(CueCall *c) {
  CueStr left = cue_arg_str(c, 0);
  CUE_VEC(CueValue) found = {0};
  while (!is_blank(left)) {
    size_t end;
    if (!next_value(c, left, &end)) return c->error;
    CueValue v = read_value(c, cue_str_copy(c->a, cue_str_sub(left, 0, end)));
    if (v.kind == CUE_BOTTOM && v.form != CUE_LENT) return v;
    cue_push(c->a, &found, v);
    left = cue_str_sub(left, end, left.n);
  }
  CueList *l = cue_list_new(c->a, found.n);
  if (found.n) memcpy(l->at, found.at, found.n * sizeof *found.at);
  return cue_list(l);
}

static CueValue fn_validate(CueCall *c) {
  CueStr text = cue_arg_str(c, 0), why;
  if (!json_valid(c->a, text, &why)) return cue_fail(c, "json: invalid JSON");
  /* Read as CUE, as cue does; where a line end would be taken for a comma, as JSON. */
  CueValue data = c->ops->eval_text(c, CUE_STR("json.Validate"), text);
  if (data.kind == CUE_BOTTOM && data.form != CUE_LENT) {
    c->wrapped = true;
    if (c->error.as.s) return data;
    const CueList *one = c->ops->documents(c, CUE_STR("json.Validate"), text, false);
    if (!one) return c->error;
    data = one->at[0];
  }
  CueValue v = c->ops->validate(c, c->args[1], data, CUE_VALIDATE_FINAL);
  return v.kind == CUE_BOTTOM ? v : cue_bool(true);
}

static const CueBuiltin functions[] = {
    {"Valid", "S", 'b', fn_valid},
    {"Compact", "S", 's', fn_compact},
    {"Indent", "Sss", 's', fn_indent},
    {"HTMLEscape", "S", 's', fn_html_escape},
    {"Marshal", "v", 's', fn_marshal},
    {"MarshalStream", "v", 's', fn_marshal_stream},
    {"UnmarshalStream", "S", '_', fn_unmarshal_stream},
    {"Unmarshal", "S", '_', fn_unmarshal},
    {"Validate", "S*", 'b', fn_validate},
};

const CueBuiltinPackage cue_pkg_encoding_json = {"encoding/json", functions, CUE_COUNT(functions), NULL, false};
