/* encoding_csv.c - CUE's package "encoding/csv": lists of lists of strings as RFC 4180 text.
**
** The reader works line by line, since errors name lines and columns and since a line end
** inside quotes is normalised like any other. Columns count bytes from 1.
*/
#include "stdlib/cue/stdlib.h"
#include "runtime/unicode.h"

#include <string.h>

/* ---- encoding ---------------------------------------------------------------------------- */

static bool needs_quotes(CueStr s) {
  if (s.n == 0) return false;
  if (cue_str_is(s, "\\.")) return true; /* ends the data for PostgreSQL's COPY */
  for (size_t i = 0; i < s.n; i++)
    if (s.s[i] == '\n' || s.s[i] == '\r' || s.s[i] == '"' || s.s[i] == ',') return true;
  size_t i = 0;
  return cue_uni_is_space(cue_utf8_next(s, &i));
}

static void put_field(CueBuf *out, CueStr s) {
  if (!needs_quotes(s)) {
    cue_buf_str(out, s);
    return;
  }
  cue_buf_ch(out, '"');
  for (size_t i = 0; i < s.n; i++) {
    if (s.s[i] == '"') cue_buf_ch(out, '"');
    cue_buf_ch(out, s.s[i]);
  }
  cue_buf_ch(out, '"');
}

/* Strings stand for themselves, anything else is written as JSON. On failure sets c->error. */
static bool cell_text(CueCall *c, CueValue cell, CueStr *text) {
  CueValue v;
  if (!cue_lent_data(c, cell, &v)) {
    c->wrapped = true;
    return false;
  }
  if (v.kind == CUE_STRING) {
    *text = cue_value_str(v);
    return true;
  }
  CueBuf json = cue_buf(c->a);
  cue_emit_json(&json, v, (CueJsonStyle){0});
  *text = cue_buf_done(&json);
  return true;
}

static CueValue fn_encode(CueCall *c) {
  const CueList *rows = cue_arg_elements(c, 0);
  if (!rows) return c->error;
  CueBuf out = cue_buf(c->a);
  for (uint32_t i = 0; i < rows->n; i++) {
    const CueList *row = cue_element_elements(c, 0, i + 1, rows->at[i]);
    if (!row) return c->error;
    for (uint32_t j = 0; j < row->n; j++) {
      CueStr text;
      if (!cell_text(c, row->at[j], &text)) return c->error;
      if (j) cue_buf_ch(&out, ',');
      put_field(&out, text);
    }
    cue_buf_ch(&out, '\n');
  }
  return cue_result_string(c->a, cue_buf_done(&out));
}

/* ---- decoding ---------------------------------------------------------------------------- */

typedef CUE_VEC(CueStr) Strings;

typedef struct {
  CueCall *c;
  CueStr text;
  size_t pos;      /* where the next line starts */
  uint32_t nlines; /* lines asked for, with the one past the end */
  CueStr line;     /* what is left of the current line; its end is \n or the end of the text */
  uint32_t record; /* line the record starts on */
} Reader;

/* Takes the next line with its \n; a \r before that, or before the end of the text, is dropped. */
static bool next_line(Reader *r) {
  r->nlines++;
  r->line = (CueStr){"", 0};
  if (r->pos >= r->text.n) return false;
  const char *from = r->text.s + r->pos;
  size_t left = r->text.n - r->pos;
  const char *nl = memchr(from, '\n', left);
  size_t n = nl ? (size_t)(nl - from) + 1 : left;
  r->pos += n;
  r->line = (CueStr){from, n};
  if (!nl && from[n - 1] == '\r') r->line.n--;
  if (nl && n >= 2 && from[n - 2] == '\r') {
    char *copy = cue_alloc(r->c->a, n);
    memcpy(copy, from, n - 2);
    copy[n - 2] = '\n';
    r->line = (CueStr){copy, n - 1};
  }
  return true;
}

static bool at_line_end(CueStr line) { return line.n == 0 || (line.n == 1 && line.s[0] == '\n'); }

static bool syntax_error(Reader *r, uint32_t line, size_t column, const char *why) {
  if (r->record != line)
    cue_fail(r->c, "record on line %u; parse error on line %u, column %zu: %s", r->record, line, column, why);
  else
    cue_fail(r->c, "parse error on line %u, column %zu: %s", line, column, why);
  return false;
}

static void advance(Reader *r, size_t n, size_t *column) {
  r->line = cue_str_sub(r->line, n, r->line.n);
  *column += n;
}

/* A field after its opening quote. *more: a comma followed. */
static bool read_quoted(Reader *r, uint32_t *line, size_t *column, CueStr *field, bool *more) {
  static const char why[] = "extraneous or missing \" in quoted-field";
  CueBuf out = cue_buf(r->c->a);
  for (;;) {
    const char *quote = r->line.n ? memchr(r->line.s, '"', r->line.n) : NULL;
    if (!quote) {
      if (r->line.n == 0) return syntax_error(r, *line, *column, why);
      cue_buf_str(&out, r->line);
      *column += r->line.n;
      if (next_line(r) && r->line.n) {
        ++*line;
        *column = 1;
      }
      continue;
    }
    size_t before = (size_t)(quote - r->line.s);
    cue_buf_add(&out, r->line.s, before);
    advance(r, before + 1, column);
    if (r->line.n && r->line.s[0] == '"') {
      cue_buf_ch(&out, '"');
      advance(r, 1, column);
      continue;
    }
    *more = r->line.n && r->line.s[0] == ',';
    if (*more)
      advance(r, 1, column);
    else if (!at_line_end(r->line))
      return syntax_error(r, r->nlines, *column - 1, why);
    *field = cue_buf_done(&out);
    return true;
  }
}

static bool read_plain(Reader *r, size_t *column, CueStr *field, bool *more) {
  const char *comma = r->line.n ? memchr(r->line.s, ',', r->line.n) : NULL;
  *more = comma != NULL;
  size_t n = comma ? (size_t)(comma - r->line.s) : r->line.n;
  if (!comma && n && r->line.s[n - 1] == '\n') n--;
  const char *quote = n ? memchr(r->line.s, '"', n) : NULL;
  if (quote) return syntax_error(r, r->nlines, *column + (size_t)(quote - r->line.s), "bare \" in non-quoted-field");
  *field = cue_str_sub(r->line, 0, n);
  if (comma) advance(r, n + 1, column);
  return true;
}

static bool read_record(Reader *r, Strings *fields) {
  uint32_t line = r->nlines;
  size_t column = 1;
  r->record = line;
  bool more = true;
  while (more) {
    CueStr field;
    if (r->line.n && r->line.s[0] == '"') {
      advance(r, 1, &column);
      if (!read_quoted(r, &line, &column, &field, &more)) return false;
    } else if (!read_plain(r, &column, &field, &more)) {
      return false;
    }
    cue_push(r->c->a, fields, field);
  }
  return true;
}

static CueValue fn_decode(CueCall *c) {
  Reader r = {.c = c, .text = cue_arg_str(c, 0)};
  CUE_VEC(CueValue) rows = {0};
  uint32_t width = 0;
  while (next_line(&r)) {
    if (at_line_end(r.line)) continue;
    Strings fields = {0};
    if (!read_record(&r, &fields)) return c->error;
    if (rows.n == 0) width = fields.n;
    if (fields.n != width) return cue_fail(c, "record on line %u: wrong number of fields", r.record);
    CueValue row = cue_result_strings(c->a, fields.at, fields.n);
    cue_push(c->a, &rows, row);
  }
  CueList *l = cue_list_new(c->a, rows.n);
  if (rows.n) memcpy(l->at, rows.at, rows.n * sizeof *rows.at);
  return cue_list(l);
}

static const CueBuiltin functions[] = {
    {"Encode", "v", 's', fn_encode},
    {"Decode", "S", 'l', fn_decode},
};

const CueBuiltinPackage cue_pkg_encoding_csv = {"encoding/csv", functions, CUE_COUNT(functions), NULL, false};
