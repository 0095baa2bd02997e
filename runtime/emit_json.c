/* emit_json.c - values as JSON, byte for byte as cue export writes it.
**
** Everything is appended to one buffer. Strings that need no attention are copied whole, others in runs: a table tells
** which bytes need some, and the rest pass untouched. U+2028 and U+2029 are always escaped and
** bytes that are not UTF-8 become \ufffd, the habits of Go's encoder.
*/
#include "runtime/value.h"

#include <string.h>

#include "runtime/scan.h"

/* What a byte inside a string needs: nothing, an escape, an escape for HTML, a look at UTF-8. */
enum { PASS, ESCAPE, HTML, WIDE };

#define R4(x) x, x, x, x
#define R16(x) R4(x), R4(x), R4(x), R4(x)
static const unsigned char byte_class[256] = {
    R16(ESCAPE), R16(ESCAPE), /* controls */
    PASS,        PASS,        ESCAPE,    PASS,      PASS,      PASS,      HTML,      PASS,
    R4(PASS),    R4(PASS),                                                                 /* " and & */
    R4(PASS),    R4(PASS),    R4(PASS),  HTML,      PASS,      HTML,      PASS,            /* < and > */
    R16(PASS),   R4(PASS),    R4(PASS),  R4(PASS),  ESCAPE,    PASS,      PASS,      PASS, /* backslash */
    R16(PASS),   R16(PASS),   R16(WIDE), R16(WIDE), R16(WIDE), R16(WIDE), R16(WIDE), R16(WIDE),
    R16(WIDE),   R16(WIDE),
};

static void escape_byte(CueBuf *out, unsigned char c) {
  static const char hex[] = "0123456789abcdef";
  char e = 0;
  switch (c) {
  case '"': e = '"'; break;
  case '\\': e = '\\'; break;
  case '\b': e = 'b'; break;
  case '\f': e = 'f'; break;
  case '\n': e = 'n'; break;
  case '\r': e = 'r'; break;
  case '\t': e = 't'; break;
  default: break;
  }
  char *p = cue_buf_room(out, 6);
  p[0] = '\\';
  if (e) {
    p[1] = e;
    out->n += 2;
  } else {
    memcpy(p + 1, "u00", 3);
    p[4] = hex[c >> 4];
    p[5] = hex[c & 15];
    out->n += 6;
  }
}

/* At p, with room for it and two bytes more; NULL if it needs attention. */
static char *put_quoted(char *p, CueStr s) {
  if (!scan_copy_json(p + 1, s)) return NULL;
  p[0] = p[s.n + 1] = '"';
  return p + s.n + 2;
}

void cue_emit_json_string(CueBuf *out, CueStr s, bool escape_html) {
  if (put_quoted(cue_buf_room(out, s.n + 2), s)) {
    out->n += s.n + 2;
    return;
  }
  cue_buf_ch(out, '"');
  size_t run = 0, i = 0;
  while (i < s.n) {
    unsigned char c = (unsigned char)s.s[i];
    unsigned class = byte_class[c];
    if (class == PASS || (class == HTML && !escape_html)) {
      i++;
      continue;
    }
    if (class == WIDE) {
      size_t next = i;
      uint32_t rune = cue_utf8_next(s, &next);
      bool bad = rune == CUE_RUNE_ERROR && next == i + 1;
      if (!bad && rune != 0x2028 && rune != 0x2029) {
        i = next;
        continue;
      }
      cue_buf_add(out, s.s + run, i - run);
      cue_buf_add(out, bad ? "\\ufffd" : rune == 0x2028 ? "\\u2028" : "\\u2029", 6);
      run = i = next;
      continue;
    }
    cue_buf_add(out, s.s + run, i - run);
    escape_byte(out, c);
    run = ++i;
  }
  cue_buf_add(out, s.s + run, s.n - run);
  cue_buf_ch(out, '"');
}

/* At p: what comes before an item, and the line it is on. */
static char *put_line(const CueJson *j, char *p, bool comma) {
  if (comma) *p++ = ',';
  if (!j->style.indent) return p;
  *p++ = '\n';
  memset(p, ' ', j->depth * j->width);
  return p + j->depth * j->width;
}

static void new_line(CueJson *j, bool comma) {
  char *p = cue_buf_room(j->out, j->depth * j->width + 2);
  j->out->n += (size_t)(put_line(j, p, comma) - p);
}

CueJson cue_json(CueBuf *out, CueJsonStyle style) {
  return (CueJson){.out = out, .style = style, .width = style.indent ? strlen(style.indent) : 0};
}

void cue_json_begin(CueJson *j, CueKind kind) {
  cue_buf_ch(j->out, kind == CUE_STRUCT ? '{' : '[');
  j->depth++;
  j->empty = true;
}

void cue_json_item(CueJson *j) {
  new_line(j, !j->empty);
  j->empty = false;
}

void cue_json_key(CueJson *j, CueStr key) {
  char *from = cue_buf_room(j->out, j->depth * j->width + key.n + 6);
  char *p = put_quoted(put_line(j, from, !j->empty), key);
  if (p) {
    j->empty = false;
    *p++ = ':';
    if (j->style.indent) *p++ = ' ';
    j->out->n += (size_t)(p - from);
    return;
  }
  cue_json_item(j);
  cue_emit_json_string(j->out, key, j->style.escape_html);
  cue_buf_add(j->out, ": ", j->style.indent ? 2 : 1);
}

void cue_json_end(CueJson *j, CueKind kind) {
  j->depth--;
  if (!j->empty) new_line(j, false);
  j->empty = false;
  cue_buf_ch(j->out, kind == CUE_STRUCT ? '}' : ']');
}

static void emit_struct(CueJson *j, const CueStruct *s) {
  CueOrder o;
  unsigned margin = j->style.indent ? j->depth : 0;
  size_t from = j->out->n;
  if (seen_again(j->style.seen, j->out, s, margin, &j->empty)) return;
  cue_order(&o, s, j->style.order);
  cue_json_begin(j, CUE_STRUCT);
  for (uint32_t i = 0; i < s->n; i++) {
    const CueField *f = cue_order_field(&o, s, i);
    cue_json_key(j, f->key);
    cue_json_value(j, f->value);
  }
  cue_json_end(j, CUE_STRUCT);
  cue_order_done(&o);
  seen_note(j->style.seen, j->out, s, margin, from, j->empty);
}

void cue_json_value(CueJson *j, CueValue v) {
  CueBuf *out = j->out;
  if (v.form == CUE_LENT || j->depth > CUE_MAX_DEPTH) v = cue_null(); /* not data; callers have checked */
  switch ((CueKind)v.kind) {
  case CUE_BOOL: cue_buf_z(out, v.as.b ? "true" : "false"); break;
  case CUE_INT:
    if (v.form == CUE_PLAIN)
      cue_buf_int(out, v.as.i);
    else
      cue_buf_num(out, v.as.num, 'G');
    break;
  case CUE_FLOAT: cue_buf_num(out, v.as.num, 'G'); break;
  case CUE_STRING: cue_emit_json_string(out, cue_value_str(v), j->style.escape_html); break;
  case CUE_BYTES:
    cue_buf_ch(out, '"');
    cue_buf_base64(out, cue_value_str(v));
    cue_buf_ch(out, '"');
    break;
  case CUE_LIST:
    cue_json_begin(j, CUE_LIST);
    for (uint32_t i = 0; i < v.as.list->n; i++) {
      cue_json_item(j);
      cue_json_value(j, v.as.list->at[i]);
    }
    cue_json_end(j, CUE_LIST);
    break;
  case CUE_STRUCT: emit_struct(j, v.as.fields); break;
  default: cue_buf_add(out, "null", 4); break;
  }
}

void cue_emit_json(CueBuf *out, CueValue v, CueJsonStyle style) {
  CueJson j = cue_json(out, style);
  cue_json_value(&j, v);
}
