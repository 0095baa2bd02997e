/* fmt_literal.c - the spelling of literals in formatted text.
**
** Literals are printed as written, but for three things: numbers get a digit on both sides
** of the point and a small e, multi-line strings move with the code around them, and a
** label never spans lines.
*/
#include "compiler/fmt_literal.h"

#include <string.h>

#include "compiler/literal.h"
#include "runtime/unicode.h"

/* Bytes of the white space rune that ends s, or 0. */
static size_t space_before(CueStr s) {
  if (!s.n) return 0;
  size_t from = s.n - 1;
  while (from > 0 && s.n - from < 4 && ((unsigned char)s.s[from] & 0xC0) == 0x80) from--;
  size_t i = from;
  uint32_t r = cue_utf8_next(s, &i);
  return i == s.n && cue_uni_is_space(r) ? s.n - from : 0;
}

/* The indentation of a multi-line string, which its closing quotes give. False if s is of
** another form or malformed: those are printed as they are. */
static bool multiline_indent(CueStr s, CueStr *indent) {
  size_t hashes = 0;
  while (hashes < s.n && s.s[hashes] == '#') hashes++;
  const char *q = s.s + hashes;
  size_t n = s.n - hashes, quotes = hashes + 3;
  if (n < 5 || (q[0] != '"' && q[0] != '\'') || q[1] != q[0] || q[2] != q[0]) return false;
  bool cr = q[3] == '\r' && q[4] == '\n';
  if (q[3] != '\n' && !cr) return false;
  for (size_t i = 0; i < quotes; i++)
    if (s.s[i] != s.s[s.n - 1 - i]) return false;
  CueStr head = cue_str_sub(s, 0, s.n - quotes);
  while (head.n && head.s[head.n - 1] != '\n') {
    size_t space = space_before(head);
    if (!space) return false;
    head.n -= space;
  }
  if (!head.n) return false;
  *indent = cue_str_sub(s, head.n, s.n - quotes);
  size_t body = quotes + (cr ? 2 : 1);
  CueStr rest = cue_str_sub(s, body < s.n ? body : s.n, s.n);
  return !rest.n || rest.s[0] == '\n' || cue_str_has_prefix(rest, *indent);
}

static CueStr reindent(CueArena *a, CueStr s, int tabs) {
  CueStr old;
  if (!multiline_indent(s, &old)) return s;
  CueBuf b = cue_buf(a);
  for (size_t i = 0; i < s.n;) {
    char c = s.s[i++];
    cue_buf_ch(&b, c);
    if (c == '\n' && cue_str_has_prefix(cue_str_sub(s, i, s.n), old)) {
      cue_buf_repeat(&b, '\t', (size_t)tabs);
      i += old.n;
    }
  }
  return cue_buf_done(&b);
}

static CueStr lower(CueArena *a, CueStr s) {
  CueBuf b = cue_buf(a);
  for (size_t i = 0; i < s.n; i++)
    cue_buf_ch(&b, s.s[i] >= 'A' && s.s[i] <= 'Z' ? (char)(s.s[i] + ('a' - 'A')) : s.s[i]);
  return cue_buf_done(&b);
}

static ptrdiff_t find(CueStr s, char c) {
  const char *p = s.n ? memchr(s.s, c, s.n) : NULL;
  return p ? p - s.s : -1;
}

static CueStr number(CueArena *a, CueStr s, bool is_int) {
  if (is_int && s.n > 1 && s.s[0] == '0' && s.s[1] >= '0' && s.s[1] <= '9')
    s = cue_str_cat(a, CUE_STR("0o"), cue_str_sub(s, 1, s.n));
  ptrdiff_t point = find(s, '.');
  if (point == 0 && !is_int) {
    s = cue_str_cat(a, CUE_STR("0"), s);
  } else if (point >= 0) {
    size_t after = (size_t)point + 1;
    if (after == s.n ? !is_int : s.s[after] > '9')
      s = cue_strf(a, "%.*s0%.*s", CUE_FMT(cue_str_sub(s, 0, after)), CUE_FMT(cue_str_sub(s, after, s.n)));
  }
  /* A final E may one day be a multiplier. */
  ptrdiff_t e = find(s, 'E');
  if (e >= 0 && (!is_int || (size_t)e + 1 < s.n)) s = lower(a, s);
  return s;
}

CueStr fmt_literal(CueArena *a, const Ast *lit, int tabs) {
  switch (lit->op) {
  case TOK_STRING: return tabs < 0 ? lit->u.text : reindent(a, lit->u.text, tabs);
  case TOK_INT: return number(a, lit->u.text, true);
  case TOK_FLOAT: return number(a, lit->u.text, false);
  default: return lit->u.text;
  }
}

CueStr fmt_label_literal(CueArena *a, CueStr lit) {
  if (!cue_str_has_prefix(lit, CUE_STR("\"\"\"")) && !cue_str_has_prefix(lit, CUE_STR("#"))) return lit;
  CueValue v = cue_literal_string(a, lit);
  return v.kind == CUE_BOTTOM ? lit : cue_literal_quote(a, cue_value_str(v), CUE_QUOTE_LABEL, 0);
}

/* Value of the hexadecimal or octal digits at *i; false if there are not n of them. */
static bool digits(CueStr s, size_t *i, int n, unsigned base, uint32_t *out) {
  uint32_t v = 0;
  for (; n > 0; n--, (*i)++) {
    if (*i >= s.n) return false;
    char c = s.s[*i];
    unsigned d = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                 : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                 : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                        : 99;
    if (d >= base) return false;
    v = v * base + d;
  }
  *out = v;
  return true;
}

bool fmt_label_unquote(CueArena *a, CueStr lit, CueStr *name) {
  if (lit.n < 2 || lit.s[0] != lit.s[lit.n - 1] || (lit.s[0] != '"' && lit.s[0] != '\'')) return false;
  char quote = lit.s[0];
  CueStr s = cue_str_sub(lit, 1, lit.n - 1);
  CueBuf b = cue_buf(a);
  size_t runes = 0;
  for (size_t i = 0; i < s.n; runes++) {
    if (s.s[i] == quote || s.s[i] == '\n') return false;
    if (s.s[i] != '\\') {
      cue_buf_rune(&b, cue_utf8_next(s, &i));
      continue;
    }
    if (++i >= s.n) return false;
    char c = s.s[i++];
    uint32_t v;
    switch (c) {
    case 'u':
      if (!digits(s, &i, 4, 16, &v) || (v >= 0xD800 && v < 0xE000)) return false;
      cue_buf_rune(&b, v);
      break;
    case 'U':
      if (!digits(s, &i, 8, 16, &v) || v > 0x10FFFF || (v >= 0xD800 && v < 0xE000)) return false;
      cue_buf_rune(&b, v);
      break;
    case 'x':
      if (!digits(s, &i, 2, 16, &v)) return false;
      cue_buf_ch(&b, (char)v);
      break;
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
      i--;
      if (!digits(s, &i, 3, 8, &v) || v > 255) return false;
      cue_buf_ch(&b, (char)v);
      break;
    case 'a':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
    case 'v':
    case '\\':
    case '"':
    case '\'':
      if ((c == '"' || c == '\'') && c != quote) return false;
      cue_buf_ch(&b, ' '); /* not in any name: which one does not matter */
      break;
    default: return false;
    }
  }
  if (quote == '\'' && runes != 1) return false;
  *name = cue_buf_done(&b);
  return true;
}
