/* data.c - JSON, YAML and text files as syntax trees.
**
** The readers of runtime/ walk the text; a visitor builds the tree, keeping the open structs
** and lists on a stack of its own, so depth costs no C stack here.
*/
#include "compiler/data.h"

#include <string.h>

#include "compiler/literal.h"
#include "compiler/load_fs.h"
#include "runtime/read.h"

typedef struct {
  CueArena *a;
  CueSource *src;
  CUE_VEC(Ast *) open; /* structs and lists being filled */
  Ast *label;          /* of the field whose value comes next */
  Ast *root;
  CueEncoding format;
} Build;

static CuePos pos_at(const Build *b, size_t offset) {
  size_t at = offset < b->src->text.n ? offset : b->src->text.n;
  return cue_pos(b->src->base + (uint32_t)at, CUE_REL_NONE);
}

static Ast *node_at(Build *b, AstKind kind, size_t from, size_t to) {
  return ast_new(b->a, kind, pos_at(b, from), pos_at(b, to));
}

static Ast *literal(Build *b, Tok op, CueStr text, size_t from, size_t to) {
  Ast *n = node_at(b, AST_BASIC, from, to);
  n->op = (uint8_t)op;
  n->u.text = text;
  return n;
}

/* Puts a finished or just opened value where it belongs. */
static bool place(Build *b, Ast *x) {
  if (!b->open.n) {
    b->root = x;
    return true;
  }
  Ast *into = b->open.at[b->open.n - 1];
  if (into->kind == AST_LIST) {
    ast_list_add(b->a, &into->u.list, x);
    return true;
  }
  Ast *f = ast_new(b->a, AST_FIELD, b->label->pos, x->end);
  f->u.field.label = b->label;
  f->u.field.value = x;
  ast_list_add(b->a, &into->u.list, f);
  return true;
}

static bool on_begin(void *ctx, CueKind kind, size_t at) {
  Build *b = ctx;
  if (b->open.n >= AST_DEPTH_LIMIT) return false;
  Ast *x = node_at(b, kind == CUE_LIST ? AST_LIST : AST_STRUCT, at, at);
  x->open = x->pos;
  place(b, x);
  cue_push(b->a, &b->open, x);
  return true;
}

static bool on_end(void *ctx, CueKind kind, size_t at) {
  (void)kind;
  Build *b = ctx;
  Ast *x = b->open.at[--b->open.n];
  x->end = pos_at(b, at);
  x->close = pos_at(b, at ? at - 1 : 0);
  return true;
}

static CueStr quoted(Build *b, CueStr s, CueQuoteForm form) { return cue_literal_quote(b->a, s, form, 0); }

static bool on_key(void *ctx, CueStr key, size_t from, size_t to) {
  Build *b = ctx;
  /* cue makes an identifier of a JSON name that can be one: its place is that of the first letter. */
  if (b->format == CUE_ENC_JSON && !cue_label_needs_quotes(key)) from++;
  b->label = literal(b, TOK_STRING, quoted(b, key, CUE_QUOTE_STRING), from, to);
  return true;
}

static Ast *number(Build *b, const CueScalar *s) {
  CueStr text = s->literal;
  bool negative = text.n && text.s[0] == '-';
  if (text.n && (negative || text.s[0] == '+')) text = cue_str_sub(text, 1, text.n);
  Ast *n = literal(b, s->value.kind == CUE_INT ? TOK_INT : TOK_FLOAT, text, s->from + (negative ? 1 : 0), s->to);
  if (!negative) return n;
  Ast *minus = node_at(b, AST_UNARY, s->from, s->to);
  minus->op = TOK_SUB;
  minus->open = minus->pos;
  minus->u.unary.x = n;
  return minus;
}

/* The literal of a string, which is shown again where CUE is printed: of several lines if the value has them. Short ones of
** JSON stay as they are written. */
static CueStr string_text(Build *b, const CueScalar *s) {
  CueStr value = cue_value_str(s->value);
  if (b->format == CUE_ENC_JSON && s->to - s->from <= 10) return cue_str_sub(b->src->text, s->from, s->to);
  if (b->format == CUE_ENC_TOML || !memchr(value.s, '\n', value.n)) return quoted(b, value, CUE_QUOTE_STRING);
  int tabs = b->format == CUE_ENC_JSON ? (int)b->open.n + 1 : 1;
  return cue_literal_quote(b->a, value, CUE_QUOTE_MULTILINE_STRING, tabs);
}

static bool on_scalar(void *ctx, const CueScalar *s) {
  Build *b = ctx;
  Ast *x;
  switch (s->value.kind) {
  case CUE_NULL: x = literal(b, TOK_NULL, CUE_STR("null"), s->from, s->to); break;
  case CUE_BOOL:
    x = literal(b, s->value.as.b ? TOK_TRUE : TOK_FALSE, s->value.as.b ? CUE_STR("true") : CUE_STR("false"), s->from,
                s->to);
    break;
  case CUE_STRING: x = literal(b, TOK_STRING, string_text(b, s), s->from, s->to); break;
  case CUE_BYTES:
    x = literal(b, TOK_STRING, quoted(b, cue_value_str(s->value), CUE_QUOTE_BYTES), s->from, s->to);
    break;
  default: x = number(b, s); break;
  }
  return place(b, x);
}

static CueVisitor visitor(Build *b) { return (CueVisitor){b, on_begin, on_key, on_scalar, on_end}; }

static bool report_depth(CueDiags *d, CueStr path) {
  return cue_report(d, 0, "%.*s: values nested deeper than %d", CUE_FMT(path), AST_DEPTH_LIMIT);
}

/* ---- JSON ---- */

static bool read_json(CueContext *c, CueSource *src, CueStr path, DataExprs *out, CueDiags *d) {
  Build b = {.a = c->a, .src = src, .format = CUE_ENC_JSON};
  CueReadError err = {0};
  CueVisitor v = visitor(&b);
  if (cue_visit_json(c->a, src->text, &v, &err)) {
    cue_push(c->a, out, b.root);
    return true;
  }
  if (!err.message.n) return report_depth(d, path);
  return cue_report(d, pos_at(&b, err.offset), "invalid JSON for file \"%.*s\": %.*s", CUE_FMT(path),
                    CUE_FMT(err.message));
}

/* One value after another. A value ends where its brackets are closed, or at white space. */
static size_t json_value_end(CueStr s, size_t i) {
  int depth = 0;
  bool in_string = false;
  for (; i < s.n; i++) {
    char c = s.s[i];
    if (in_string) {
      if (c == '\\')
        i++;
      else if (c == '"')
        in_string = false;
      if (!in_string && !depth) return i + 1;
      continue;
    }
    if (c == '"')
      in_string = true;
    else if (c == '{' || c == '[')
      depth++;
    else if ((c == '}' || c == ']') && --depth <= 0)
      return i + 1;
    else if (!depth && cue_char_is(c, " \t\r\n"))
      return i;
  }
  return s.n;
}

/* Each value is read as a source that begins where it does, so that positions are those of the file. */
static bool read_jsonl(CueContext *c, CueSource *src, CueStr path, DataExprs *out, CueDiags *d) {
  CueStr s = src->text;
  for (size_t i = 0; i < s.n;) {
    if (cue_char_is(s.s[i], " \t\r\n")) {
      i++;
      continue;
    }
    size_t end = json_value_end(s, i);
    CueSource part = *src;
    part.base += (uint32_t)i;
    part.text = cue_str_sub(s, i, end);
    if (!read_json(c, &part, path, out, d)) return false;
    i = end;
  }
  return true;
}

/* ---- YAML ---- */

/* Without any document the value is null, but may be anything: `*null | _`. */
static bool has_document(CueStr s) {
  for (size_t i = 0; i < s.n;) {
    size_t end = i;
    while (end < s.n && s.s[end] != '\n') end++;
    size_t k = i;
    while (k < end && cue_char_is(s.s[k], " \t\r")) k++;
    if (k < end && s.s[k] != '#') return true;
    i = end + 1;
  }
  return false;
}

static Ast *nothing(Build *b) {
  Ast *star = node_at(b, AST_UNARY, 0, 0), *top = node_at(b, AST_IDENT, 0, 0), * or = node_at(b, AST_BINARY, 0, 0);
  star->op = TOK_MUL;
  star->u.unary.x = literal(b, TOK_NULL, CUE_STR("null"), 0, 0);
  top->u.text = CUE_STR("_");
  or->op = TOK_OR;
  or->u.binary.x = star;
  or->u.binary.y = top;
  return or ;
}

static bool read_yaml(CueContext *c, CueSource *src, CueStr path, DataExprs *out, CueDiags *d) {
  if (!has_document(src->text)) {
    Build b = {.a = c->a, .src = src, .format = CUE_ENC_YAML};
    cue_push(c->a, out, nothing(&b));
    return true;
  }
  size_t offset = 0;
  for (;;) {
    Build b = {.a = c->a, .src = src, .format = CUE_ENC_YAML};
    CueReadError err = {0};
    CueVisitor v = visitor(&b);
    bool done = false;
    if (!cue_visit_yaml(c->a, src->text, &offset, &done, &v, &err)) {
      if (!err.message.n) return report_depth(d, path);
      if (c->yaml_places) return cue_report(d, pos_at(&b, err.offset), "%.*s", CUE_FMT(err.message));
      if (err.line)
        return cue_report(d, 0, "%.*s:%u: %.*s", CUE_FMT(path), err.line + src->line0, CUE_FMT(err.message));
      return cue_report(d, 0, "%.*s: %.*s", CUE_FMT(path), CUE_FMT(err.message));
    }
    if (done) return true;
    cue_push(c->a, out, b.root);
  }
}

/* ---- TOML ---- */

static bool read_toml(CueContext *c, CueSource *src, CueStr path, DataExprs *out, CueDiags *d) {
  Build b = {.a = c->a, .src = src, .format = CUE_ENC_TOML};
  CueReadError err = {0};
  CueVisitor v = visitor(&b);
  if (!c->visit_toml) return cue_report(d, 0, "unsupported encoding \"toml\"");
  if (c->visit_toml(c->a, src->text, &v, &err)) {
    cue_push(c->a, out, b.root);
    return true;
  }
  if (!err.message.n) return report_depth(d, path);
  return cue_report(d, pos_at(&b, err.offset), "%.*s", CUE_FMT(err.message));
}

/* ---- files ---- */

bool data_read(CueContext *c, CueSource *src, CueEncoding encoding, CueStr path, DataExprs *out, CueDiags *d) {
  Build b = {.a = c->a, .src = src};
  switch (encoding) {
  case CUE_ENC_JSON: return read_json(c, src, path, out, d);
  case CUE_ENC_JSONL: return read_jsonl(c, src, path, out, d);
  case CUE_ENC_YAML: return read_yaml(c, src, path, out, d);
  case CUE_ENC_TOML: return read_toml(c, src, path, out, d);
  case CUE_ENC_TEXT:
  case CUE_ENC_BINARY: { /* cue gives the text of a file no place */
    Ast *x = ast_new(c->a, AST_BASIC, 0, 0);
    x->op = TOK_STRING;
    x->u.text = quoted(&b, src->text, encoding == CUE_ENC_TEXT ? CUE_QUOTE_STRING : CUE_QUOTE_BYTES);
    cue_push(c->a, out, x);
    return true;
  }
  case CUE_ENC_XML: return cue_report(d, 0, "xml requires a variant, such as: xml+koala");
  default: return cue_report(d, 0, "unsupported encoding \"%s\"", cue_encoding_name(encoding));
  }
}

bool data_read_file(CueContext *c, CueSource *src, const LoadFile *f, CueStr path, DataExprs *out, CueDiags *d) {
  if (f->encoding != CUE_ENC_XML || !f->koala) return data_read(c, src, f->encoding, path, out, d);
  Ast *x = data_read_xml(c->a, src, d);
  if (x) cue_push(c->a, out, x);
  return x != NULL;
}

AstFile *data_file(CueArena *a, CueSource *src, Ast *x) {
  AstFile *f = cue_new(a, AstFile);
  f->source = src;
  f->package = CUE_STR("");
  f->root = ast_new(a, AST_FILE, x->pos, x->end);
  if (x->kind == AST_STRUCT) {
    f->root->u.list = x->u.list;
    f->root->pos = x->u.list.n ? x->u.list.at[0]->pos : 0; /* a file is where its first field is */
    return f;
  }
  Ast *embed = ast_new(a, AST_EMBED, x->pos, x->end);
  embed->u.x = x;
  ast_list_add(a, &f->root->u.list, embed);
  return f;
}

/* The string value of a field of a struct. */
static CueStr string_field(CueArena *a, const Ast *x, const char *name) {
  for (uint32_t i = 0; x->kind == AST_STRUCT && i < x->u.list.n; i++) {
    const Ast *f = x->u.list.at[i], *v = f->u.field.value;
    CueValue key = cue_literal_string(a, f->u.field.label->u.text);
    if (key.kind != CUE_STRING || !cue_str_is(cue_value_str(key), name)) continue;
    if (v->kind != AST_BASIC || v->op != TOK_STRING) break;
    CueValue s = cue_literal_string(a, v->u.text);
    if (s.kind == CUE_STRING) return cue_value_str(s);
  }
  return CUE_STR("");
}

/* Data that says it is a schema of another language must not be taken for data. */
static const char *schema_language(CueArena *a, const LoadFile *f, const DataExprs *docs) {
  if (cue_str_is(f->interpretation, "jsonschema")) return "jsonschema";
  if (cue_str_is(f->interpretation, "openapi")) return "openapi";
  if (!cue_str_is(f->interpretation, "auto") || docs->n != 1) return NULL;
  CueStr schema = string_field(a, docs->at[0], "$schema");
  if (cue_str_has_prefix(schema, CUE_STR("http://json-schema.org/")) ||
      cue_str_has_prefix(schema, CUE_STR("https://json-schema.org/")))
    return "jsonschema";
  if (cue_str_has_prefix(string_field(a, docs->at[0], "openapi"), CUE_STR("3."))) return "openapi";
  return NULL;
}

DataFiles load_data(CueContext *c, const LoadConfig *cfg, const LoadFile *f, CueDiags *d) {
  DataFiles out = {0};
  CueStr text, error;
  LoadFs fs = {c->a, cfg->embedded, cfg->nembedded, cfg->watch};
  bool ok = true;
  if (!cue_str_is(f->path, "-"))
    ok = fs_read(&fs, f->path, &text, &error);
  else if (cfg->has_input)
    text = cfg->input;
  else
    ok = fs_read_stdin(c->a, &text, &error);
  if (!ok) {
    cue_report(d, 0, "%.*s", CUE_FMT(error));
    return out;
  }
  CueSource *src = cue_source_add(c->sources, path_source_name(c->a, f->path),
                                  f->encoding == CUE_ENC_BINARY ? text : text_decode(c->a, text));
  if (!src) {
    cue_report(d, 0, "%.*s: sources are larger than 512 MiB together", CUE_FMT(f->path));
    return out;
  }
  DataExprs docs = {0};
  bool whole = data_read_file(c, src, f, f->path, &docs, d);
  const char *schema = whole ? schema_language(c->a, f, &docs) : NULL;
  if (schema) {
    cue_report(d, 0, "unsupported interpretation \"%s\"", schema);
    return out;
  }
  for (uint32_t i = 0; i < docs.n; i++) cue_push(c->a, &out, data_file(c->a, src, docs.at[i]));
  return out;
}
