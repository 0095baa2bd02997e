/* toml_scan.c - tokens of TOML, with the error texts of the parser cue uses (go-toml).
**
** A string is first delimited and then decoded: what is wrong with its extent is told
** before what is wrong with its contents.
*/
#include "stdlib/cue/toml_scan.h"

#include <string.h>

#include "stdlib/cue/gotext.h"

static bool fail_at(TomlScan *t, size_t place, const char *fmt, va_list ap) {
  CueStr message = cue_strvf(t->c->a, fmt, ap);
  cue_fail(t->c, "%.*s", CUE_FMT(message));
  t->c->blame = 1;
  t->c->blame_byte = place + 1;
  return false;
}

bool toml_fail(TomlScan *t, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  fail_at(t, t->pos, fmt, ap);
  va_end(ap);
  return false;
}

bool toml_fail_at(TomlScan *t, size_t place, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  fail_at(t, place, fmt, ap);
  va_end(ap);
  return false;
}

bool toml_follows(const TomlScan *t, const char *word) {
  size_t n = strlen(word);
  return t->text.n - t->pos >= n && memcmp(t->text.s + t->pos, word, n) == 0;
}

bool toml_expect(TomlScan *t, char want) {
  if (toml_at_end(t)) return toml_fail(t, "expected character %c but the document ended here", want);
  if (t->text.s[t->pos] != want) return toml_fail(t, "expected character %c", want);
  t->pos++;
  return true;
}

void toml_skip_blanks(TomlScan *t) {
  while (!toml_at_end(t) && (t->text.s[t->pos] == ' ' || t->text.s[t->pos] == '\t')) t->pos++;
}

static const char *code_point(TomlScan *t, char byte) {
  CueBuf shown = cue_buf(t->c->a);
  cue_go_code_point(&shown, (unsigned char)byte);
  return cue_buf_done(&shown).s;
}

bool toml_newline(TomlScan *t) {
  char ch = toml_peek(t, 0);
  if (ch == '\n') {
    t->pos++;
    return true;
  }
  if (ch != '\r') return toml_fail(t, "expected newline but got %s", code_point(t, ch));
  if (t->pos + 1 >= t->text.n) return toml_fail(t, "windows new line expected");
  if (toml_peek(t, 1) != '\n') return toml_fail(t, "windows new line should be \\r\\n");
  t->pos += 2;
  return true;
}

/* Length of the character at i, 0 if it may not stand in a document. */
static size_t char_size(CueStr s, size_t i) {
  unsigned char ch = (unsigned char)s.s[i];
  if (ch < 0x80) return (ch < 0x20 && ch != '\t' && ch != '\n' && ch != '\r') || ch == 0x7F ? 0 : 1;
  size_t next = i;
  uint32_t r = cue_utf8_next(s, &next);
  return r == CUE_RUNE_ERROR && next - i == 1 ? 0 : next - i;
}

bool toml_comment(TomlScan *t) {
  for (t->pos++; !toml_at_end(t);) {
    char ch = toml_peek(t, 0);
    if (ch == '\n' || (ch == '\r' && toml_peek(t, 1) == '\n')) return true;
    size_t n = ch == '\r' ? 0 : char_size(t->text, t->pos);
    if (!n) return toml_fail(t, "invalid character in comment");
    t->pos += n;
  }
  return true;
}

bool toml_skip_lines(TomlScan *t) {
  for (;;) {
    toml_skip_blanks(t);
    if (toml_peek(t, 0) == '#' && !toml_comment(t)) return false;
    if (toml_at_end(t) || (toml_peek(t, 0) != '\n' && toml_peek(t, 0) != '\r')) return true;
    if (!toml_newline(t)) return false;
  }
}

/* ---- strings ----------------------------------------------------------------------------- */

/* Past three quotes inside a multiline string: up to two more belong to the text. */
static bool close_multiline(TomlScan *t, char quote, const char *kind) {
  t->pos += 3;
  for (int extra = 0; toml_peek(t, 0) == quote; extra++) {
    if (extra == 2)
      return toml_fail_at(t, t->pos - 3, "%c%c%c not allowed in multiline %s string", quote, quote, quote, kind);
    t->pos++;
  }
  return true;
}

static bool bad_return(TomlScan *t) {
  return toml_fail_at(t, t->pos + 1 < t->text.n ? t->pos : t->text.n, "need a \\n after \\r");
}

static bool literal_extent(TomlScan *t) {
  for (t->pos++; !toml_at_end(t);) {
    char ch = toml_peek(t, 0);
    if (ch == '\'') {
      t->pos++;
      return true;
    }
    if (ch == '\n' || ch == '\r') return toml_fail(t, "literal strings cannot have new lines");
    size_t n = char_size(t->text, t->pos);
    if (!n) return toml_fail(t, "invalid character");
    t->pos += n;
  }
  return toml_fail(t, "unterminated literal string");
}

static bool multiline_literal_extent(TomlScan *t) {
  for (t->pos += 3; !toml_at_end(t);) {
    if (toml_follows(t, "'''")) return close_multiline(t, '\'', "literal");
    if (toml_peek(t, 0) == '\r') {
      if (toml_peek(t, 1) != '\n') return bad_return(t);
      t->pos += 2;
      continue;
    }
    size_t n = char_size(t->text, t->pos);
    if (!n) return toml_fail(t, "invalid character");
    t->pos += n;
  }
  return toml_fail(t, "multiline literal string not terminated by '''");
}

static bool basic_extent(TomlScan *t, bool *escaped) {
  for (t->pos++; !toml_at_end(t); t->pos++) {
    char ch = toml_peek(t, 0);
    if (ch == '"') {
      t->pos++;
      return true;
    }
    if (ch == '\n' || ch == '\r') return toml_fail(t, "basic strings cannot have new lines");
    if (ch == '\\') {
      if (t->pos + 1 >= t->text.n) return toml_fail(t, "need a character after \\");
      *escaped = true;
      t->pos++;
    }
  }
  return toml_fail(t, "basic string not terminated by \"");
}

static bool multiline_basic_extent(TomlScan *t, bool *escaped) {
  for (t->pos += 3; !toml_at_end(t); t->pos++) {
    if (toml_follows(t, "\"\"\"")) return close_multiline(t, '"', "basic");
    char ch = toml_peek(t, 0);
    if (ch == '\\') {
      if (t->pos + 1 >= t->text.n) return toml_fail_at(t, t->text.n, "need a character after \\");
      *escaped = true;
      t->pos++;
    } else if (ch == '\r') {
      if (toml_peek(t, 1) != '\n') return bad_return(t);
      t->pos++;
    }
  }
  return toml_fail(t, "multiline basic string not terminated by \"\"\"");
}

/* Where byte i of s, a part of the text, is in the text. */
static size_t place_in(const TomlScan *t, CueStr s, size_t i) { return (size_t)(s.s - t->text.s) + i; }

/* `digits` hex digits at i, of which `left` bytes may be read. */
static bool hex_escape(TomlScan *t, CueStr s, size_t i, size_t left, size_t digits, CueBuf *out) {
  if (left < digits)
    return toml_fail_at(t, place_in(t, s, i), "unicode point needs %zu character, not %zu", digits, left);
  uint32_t r = 0;
  for (size_t j = i; j < i + digits; j++) {
    char ch = s.s[j];
    uint32_t d;
    if (ch >= '0' && ch <= '9')
      d = (uint32_t)(ch - '0');
    else if ((ch | 0x20) >= 'a' && (ch | 0x20) <= 'f')
      d = (uint32_t)((ch | 0x20) - 'a') + 10;
    else
      return toml_fail_at(t, place_in(t, s, j), "non-hex character");
    r = r * 16 + d;
  }
  if (r > 0x10FFFF || (r >= 0xD800 && r < 0xE000))
    return toml_fail_at(t, place_in(t, s, i), "escape sequence is invalid Unicode code point");
  cue_buf_rune(out, r);
  return true;
}

/* If the backslash at i is the last thing on its line: where the text goes on after the blanks and line ends. */
static size_t line_continuation(CueStr s, size_t i, size_t end) {
  size_t j = i + 1;
  while (j < end && (s.s[j] == ' ' || s.s[j] == '\t' || (s.s[j] == '\r' && s.s[j + 1] == '\n'))) j++;
  if (j >= end || s.s[j] != '\n') return i;
  while (j < end && strchr("\n\r \t", s.s[j]) && s.s[j]) j++;
  return j;
}

/* Decodes s[i..end) with its escapes; `close` is the length of the quotes behind it. */
static bool unescape(TomlScan *t, CueStr s, size_t i, size_t end, size_t close, CueBuf *out) {
  static const char names[] = "\"\\bfnrte", values[] = "\"\\\b\f\n\r\t\x1b";
  while (i < end) {
    if (s.s[i] != '\\') {
      size_t n = char_size(s, i);
      if (!n) return toml_fail_at(t, place_in(t, s, i), "invalid character %s", code_point(t, s.s[i]));
      cue_buf_add(out, s.s + i, n);
      i += n;
      continue;
    }
    size_t joined = close == 3 ? line_continuation(s, i, end) : i;
    if (joined != i) {
      i = joined;
      continue;
    }
    char ch = s.s[++i];
    const char *name = ch ? strchr(names, ch) : NULL;
    if (name) {
      cue_buf_ch(out, values[name - names]);
      i++;
    } else if (ch == 'u' || ch == 'U') {
      size_t digits = ch == 'u' ? 4 : 8;
      /* A multiline string may run into its closing quotes: they are no hex digits. */
      size_t left = (close == 3 ? s.n : end) - i - 1;
      if (!hex_escape(t, s, i + 1, left, digits, out)) return false;
      i += 1 + digits;
    } else {
      return toml_fail_at(t, place_in(t, s, i), "invalid escaped character %s", code_point(t, ch));
    }
  }
  return true;
}

/* s, a part of the text, has no escapes: it is what it says. */
static bool check_plain(TomlScan *t, CueStr s) {
  for (size_t i = 0; i < s.n;) {
    size_t n = char_size(s, i);
    if (!n) return toml_fail_at(t, place_in(t, s, i), "invalid UTF-8");
    i += n;
  }
  return true;
}

/* The string at its quote; a key cannot be multiline, there two quotes are an empty string. */
static bool quoted(TomlScan *t, bool multiline, CueStr *out) {
  bool basic = toml_peek(t, 0) == '"', escaped = false;
  size_t start = t->pos, close = multiline ? 3 : 1;
  bool ok = basic ? (multiline ? multiline_basic_extent(t, &escaped) : basic_extent(t, &escaped))
                  : (multiline ? multiline_literal_extent(t) : literal_extent(t));
  if (!ok) return false;
  CueStr token = cue_str_sub(t->text, start, t->pos);
  size_t i = close, end = token.n - close;
  if (multiline && token.s[i] == '\n')
    i++;
  else if (multiline && token.s[i] == '\r' && token.s[i + 1] == '\n')
    i += 2;
  *out = cue_str_sub(token, i, end);
  if (!basic) return true;
  if (!escaped) return check_plain(t, *out);
  CueBuf text = cue_buf(t->c->a);
  if (!unescape(t, token, i, end, close, &text)) return false;
  *out = cue_buf_done(&text);
  return true;
}

bool toml_string(TomlScan *t, CueStr *out) {
  return quoted(t, toml_follows(t, toml_peek(t, 0) == '"' ? "\"\"\"" : "'''"), out);
}

static bool is_bare(char ch) {
  return (ch >= '0' && ch <= '9') || ((ch | 0x20) >= 'a' && (ch | 0x20) <= 'z') || ch == '-' || ch == '_';
}

bool toml_simple_key(TomlScan *t, CueStr *out) {
  if (toml_at_end(t)) return toml_fail(t, "expected key but found none");
  char ch = toml_peek(t, 0);
  size_t start = t->pos;
  if (ch == '\'' || ch == '"') return quoted(t, false, out);
  if (!is_bare(ch)) {
    char utf8[5] = {0};
    cue_utf8_encode(utf8, (unsigned char)ch);
    return toml_fail(t, "invalid character at start of key: %s", utf8);
  }
  while (!toml_at_end(t) && is_bare(toml_peek(t, 0))) t->pos++;
  *out = cue_str_sub(t->text, start, t->pos);
  return true;
}
