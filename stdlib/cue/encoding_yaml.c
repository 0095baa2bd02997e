/* encoding_yaml.c - CUE's package "encoding/yaml", over the runtime's reader and writer.
**
** Messages about malformed text start with a file name and line; Unmarshal has no name, so
** they start with the colon.
*/
#include "runtime/read.h"
#include "stdlib/cue/stdlib.h"

#include <string.h>

/* ---- values to text ---------------------------------------------------------------------- */

/* On failure sets c->error. */
static bool marshal(CueCall *c, CueBuf *out, CueValue lent) {
  CueValue v;
  if (!cue_lent_written(c, lent, &v)) return false;
  cue_emit_yaml(out, v);
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
    if (i) cue_buf_z(&out, "---\n");
    if (!marshal(c, &out, l->at[i])) return c->error;
  }
  return cue_result_string(c->a, cue_buf_done(&out));
}

/* ---- text to values ---------------------------------------------------------------------- */

typedef struct {
  CueCall *c;
  const char *name; /* what stands for a file name in messages */
  CueStr text;
  size_t offset;
  CueReadError err;
} Stream;

typedef enum { READ_VALUE, READ_END, READ_FAILED } Read;

static Read next_document(Stream *s, CueValue *out) {
  CueBuilder *builder = cue_builder(s->c->a);
  CueVisitor visitor = cue_builder_visitor(builder);
  bool done = false;
  bool ok = cue_visit_yaml(s->c->a, s->text, &s->offset, &done, &visitor, &s->err);
  if (!ok && s->err.message.n) return READ_FAILED;
  if (done) return READ_END;
  *out = cue_built(builder);
  return READ_VALUE;
}

static CueStr error_text(const Stream *s) {
  if (s->err.line) return cue_strf(s->c->a, "%s:%u: %.*s", s->name, s->err.line, CUE_FMT(s->err.message));
  return cue_strf(s->c->a, "%s: %.*s", s->name, CUE_FMT(s->err.message));
}

/* Blanks and comments only. */
static bool is_blank(CueStr s) {
  for (size_t i = 0; i < s.n; i++) {
    if (s.s[i] == '#')
      while (i + 1 < s.n && s.s[i + 1] != '\n') i++;
    else if (!s.s[i] || !strchr(" \t\r\n", s.s[i]))
      return false;
  }
  return true;
}

/* An empty text is null, but leaves the choice to whoever wants something else. */
static CueValue nothing(CueCall *c) { return c->ops->eval_text(c, CUE_STR(""), CUE_STR("*null | _")); }

/* Where the content of the document at offset starts, as line:column. */
static CueStr content_position(const Stream *s, size_t at) {
  CueStr t = s->text;
  for (bool line_start = at == 0 || t.s[at - 1] == '\n'; at < t.n;) {
    if (line_start && cue_str_has_prefix(cue_str_sub(t, at, t.n), CUE_STR("---"))) {
      at += 3;
    } else if (t.s[at] == '#') {
      while (at < t.n && t.s[at] != '\n') at++;
    } else if (strchr(" \t\r\n", t.s[at]) && t.s[at]) {
      line_start = t.s[at++] == '\n';
      continue;
    } else {
      break;
    }
    line_start = false;
  }
  size_t line = 1, start = 0;
  for (size_t i = 0; i < at && i + 1 < t.n; i++) /* the end of the text belongs to its last line */
    if (t.s[i] == '\n') line++, start = i + 1;
  return cue_strf(s->c->a, "%zu:%zu", line, at - start + 1);
}

static CueValue fn_unmarshal(CueCall *c) {
  Stream s = {.c = c, .name = "", .text = cue_arg_str(c, 0)};
  CueValue v = cue_null(), second;
  if (is_blank(s.text)) return nothing(c);
  Read got = next_document(&s, &v);
  if (got == READ_FAILED) return cue_fail(c, "%.*s", CUE_FMT(error_text(&s)));
  if (got == READ_END) return nothing(c);
  if (v.kind == CUE_BOTTOM) {
    const CueList *docs = c->ops->documents(c, CUE_STR(""), s.text, true);
    return docs ? docs->at[0] : c->error;
  }
  size_t behind = s.offset;
  switch (next_document(&s, &second)) {
  case READ_VALUE: return cue_fail(c, "%.*s: expected a single YAML document", CUE_FMT(content_position(&s, behind)));
  case READ_FAILED: return cue_fail(c, "expected a single YAML document: %.*s", CUE_FMT(error_text(&s)));
  case READ_END: break;
  }
  return v;
}

static CueValue fn_unmarshal_stream(CueCall *c) {
  Stream s = {.c = c, .name = "", .text = cue_arg_str(c, 0)};
  CUE_VEC(CueValue) found = {0};
  for (;;) {
    CueValue v;
    Read got = is_blank(s.text) && found.n == 0 ? READ_END : next_document(&s, &v);
    if (got == READ_FAILED) return cue_fail(c, "%.*s", CUE_FMT(error_text(&s)));
    if (got == READ_END && found.n) break;
    if (got == READ_END) v = nothing(c);
    if (v.kind == CUE_BOTTOM) {
      const CueList *docs = c->ops->documents(c, CUE_STR(""), s.text, true);
      return docs ? cue_list(docs) : c->error;
    }
    cue_push(c->a, &found, v);
    if (got == READ_END) break;
  }
  CueList *l = cue_list_new(c->a, found.n);
  memcpy(l->at, found.at, found.n * sizeof *found.at);
  return cue_list(l);
}

/* Every document of the text must fit the schema. */
static CueValue validate(CueCall *c, const char *name, CueValidate how) {
  Stream s = {.c = c, .name = name, .text = cue_arg_str(c, 0)};
  if (is_blank(s.text)) {
    CueValue v = c->ops->validate(c, c->args[1], nothing(c), how);
    return v.kind == CUE_BOTTOM ? v : cue_bool(true);
  }
  for (Read got = READ_VALUE; got != READ_END;) {
    CueValue v;
    got = next_document(&s, &v);
    if (got == READ_FAILED) return cue_fail(c, "%.*s", CUE_FMT(error_text(&s)));
    if (got == READ_VALUE && v.kind == CUE_BOTTOM) break; /* a conflict inside: told by the evaluator */
  }
  const CueList *docs = c->ops->documents(c, cue_str(name), s.text, true);
  if (!docs) return c->error;
  for (uint32_t i = 0; i < docs->n; i++) {
    CueValue v = c->ops->validate(c, c->args[1], docs->at[i], how);
    if (v.kind == CUE_BOTTOM) return v;
  }
  return cue_bool(true);
}

static CueValue fn_validate(CueCall *c) { return validate(c, "yaml.Validate", CUE_VALIDATE_CONCRETE); }
static CueValue fn_validate_partial(CueCall *c) { return validate(c, "yaml.ValidatePartial", CUE_VALIDATE_PARTIAL); }

static const CueBuiltin functions[] = {
    {"Marshal", "v", 's', fn_marshal},     {"MarshalStream", "v", 's', fn_marshal_stream},
    {"Unmarshal", "S", '_', fn_unmarshal}, {"UnmarshalStream", "S", '_', fn_unmarshal_stream},
    {"Validate", "S*", 'b', fn_validate},  {"ValidatePartial", "S*", 'b', fn_validate_partial},
};

const CueBuiltinPackage cue_pkg_encoding_yaml = {"encoding/yaml", functions, CUE_COUNT(functions), NULL, false};
