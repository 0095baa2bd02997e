/* template_lex.c - the lexical items of Go templates.
**
** Outside actions all is text up to the next "{{"; a "{{- " trims the blanks before it and
** a " -}}" those after it, and both are taken care of here, so that the parser never sees
** them. Inside actions blanks are items of their own, because they separate arguments.
** After an error the input is empty.
*/
#include <string.h>

#include "stdlib/cue/gotext.h"
#include "stdlib/cue/template.h"
#include "runtime/unicode.h"

#define END UINT32_MAX /* peek and next at the end of the input */

TemplateLexer template_lexer(CueArena *a, CueStr text) {
  return (TemplateLexer){.a = a, .input = text, .line = 1, .start_line = 1};
}

static bool is_space(uint32_t r) { return r == ' ' || r == '\t' || r == '\r' || r == '\n'; }
static bool is_alnum(uint32_t r) { return r == '_' || (r != END && (cue_uni_is_letter(r) || cue_uni_is_digit(r))); }

static CueStr rest(const TemplateLexer *l) { return cue_str_sub(l->input, l->pos, l->input.n); }
static bool follows(const TemplateLexer *l, const char *z) { return cue_str_has_prefix(rest(l), cue_str(z)); }

static uint32_t peek(const TemplateLexer *l) {
  size_t i = l->pos;
  return i < l->input.n ? cue_utf8_next(l->input, &i) : END;
}

static uint32_t next(TemplateLexer *l) {
  if (l->pos >= l->input.n) return END;
  uint32_t r = cue_utf8_next(l->input, &l->pos);
  if (r == '\n') l->line++;
  return r;
}

static bool accept(TemplateLexer *l, const char *set) {
  uint32_t r = peek(l);
  if (r >= 0x80 || !r || !strchr(set, (int)r)) return false;
  next(l);
  return true;
}

static void accept_run(TemplateLexer *l, const char *set) {
  while (accept(l, set)) continue;
}

static uint32_t count_lines(CueStr s) {
  uint32_t n = 0;
  for (size_t i = 0; i < s.n; i++) n += s.s[i] == '\n';
  return n;
}

static Item emit(TemplateLexer *l, ItemType type) {
  Item i = {type, l->start, cue_str_sub(l->input, l->start, l->pos), l->start_line};
  l->start = l->pos;
  l->start_line = l->line;
  return i;
}

/* Drops what was passed without next(), counting its lines. */
static void ignore(TemplateLexer *l) {
  l->line += count_lines(cue_str_sub(l->input, l->start, l->pos));
  l->start = l->pos;
  l->start_line = l->line;
}

static Item fail(TemplateLexer *l, const char *fmt, ...) CUE_PRINTF(2, 3);
static Item fail(TemplateLexer *l, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  Item i = {ITEM_ERROR, l->start, cue_strvf(l->a, fmt, ap), l->start_line};
  va_end(ap);
  l->input.n = l->pos = l->start = 0;
  return i;
}

static Item fail_char(TemplateLexer *l, const char *what, uint32_t r) {
  CueBuf shown = cue_buf(l->a);
  cue_go_code_point(&shown, r);
  return fail(l, "%s %s", what, cue_buf_done(&shown).s);
}

/* ---- text and comments ------------------------------------------------------------------- */

static bool trims_left(CueStr s) { return s.n >= 2 && s.s[0] == '-' && is_space((unsigned char)s.s[1]); }
static bool trims_right(CueStr s) { return s.n >= 2 && is_space((unsigned char)s.s[0]) && s.s[1] == '-'; }

/* At "}}", possibly as " -}}". */
static bool at_right_delim(const TemplateLexer *l, bool *trim) {
  CueStr s = rest(l);
  *trim = trims_right(s) && cue_str_has_prefix(cue_str_sub(s, 2, s.n), CUE_STR("}}"));
  return *trim || cue_str_has_prefix(s, CUE_STR("}}"));
}

static void skip_spaces(TemplateLexer *l) {
  while (l->pos < l->input.n && is_space((unsigned char)l->input.s[l->pos])) l->pos++;
}

/* A comment at its slash; false if it is malformed, with the error in *err. */
static bool skip_comment(TemplateLexer *l, Item *err) {
  l->pos += 2;
  ptrdiff_t end = cue_str_find(rest(l), CUE_STR("*/"));
  if (end < 0) {
    *err = fail(l, "unclosed comment");
    return false;
  }
  l->pos += (size_t)end + 2;
  bool trim;
  if (!at_right_delim(l, &trim)) {
    *err = fail(l, "comment ends before closing delimiter");
    return false;
  }
  l->pos += trim ? 4 : 2;
  if (trim) skip_spaces(l);
  ignore(l);
  return true;
}

static Item lex_text(TemplateLexer *l) {
  for (;;) {
    ptrdiff_t at = cue_str_find(rest(l), CUE_STR("{{"));
    if (at < 0) {
      l->pos = l->input.n;
      l->line += count_lines(cue_str_sub(l->input, l->start, l->pos));
      return l->pos > l->start ? emit(l, ITEM_TEXT) : (Item){ITEM_EOF, l->pos, CUE_STR("EOF"), l->start_line};
    }
    if (at > 0) {
      size_t delim = l->pos + (size_t)at;
      l->pos = delim;
      if (trims_left(cue_str_sub(l->input, delim + 2, l->input.n)))
        while (l->pos > l->start && is_space((unsigned char)l->input.s[l->pos - 1])) l->pos--;
      l->line += count_lines(cue_str_sub(l->input, l->start, l->pos));
      Item text = emit(l, ITEM_TEXT);
      l->pos = delim;
      ignore(l);
      if (text.val.n) return text;
    }
    l->pos += 2;
    size_t marker = trims_left(rest(l)) ? 2 : 0;
    if (!cue_str_has_prefix(cue_str_sub(l->input, l->pos + marker, l->input.n), CUE_STR("/*"))) {
      Item delim = emit(l, ITEM_LEFT_DELIM);
      l->inside_action = true;
      l->pos += marker;
      ignore(l);
      l->paren_depth = 0;
      return delim;
    }
    l->pos += marker;
    ignore(l);
    Item err;
    if (!skip_comment(l, &err)) return err;
  }
}

/* ---- inside actions ---------------------------------------------------------------------- */

static Item lex_right_delim(TemplateLexer *l) {
  bool trim;
  at_right_delim(l, &trim);
  if (trim) {
    l->pos += 2;
    ignore(l);
  }
  l->pos += 2;
  Item i = emit(l, ITEM_RIGHT_DELIM);
  if (trim) {
    skip_spaces(l);
    ignore(l);
  }
  l->inside_action = false;
  return i;
}

static Item lex_space(TemplateLexer *l) {
  size_t n = 0;
  size_t last = l->pos;
  while (is_space(peek(l))) {
    last = l->pos;
    next(l);
    n++;
  }
  CueStr from_last = cue_str_sub(l->input, last, l->input.n);
  if (trims_right(from_last) && cue_str_has_prefix(cue_str_sub(from_last, 2, from_last.n), CUE_STR("}}"))) {
    l->pos = last; /* the last blank belongs to the delimiter */
    if (l->input.s[last] == '\n') l->line--;
    if (n == 1) return lex_right_delim(l);
  }
  return emit(l, ITEM_SPACE);
}

/* Whether an identifier may end here. */
static bool at_terminator(const TemplateLexer *l) {
  uint32_t r = peek(l);
  if (r == END || is_space(r) || (r < 0x80 && r && strchr(".,|:)(", (int)r))) return true;
  return follows(l, "}}");
}

static ItemType keyword(CueStr word) {
  static const struct {
    const char *name;
    ItemType type;
  } words[] = {
      {"block", ITEM_BLOCK},
      {"break", ITEM_BREAK},
      {"continue", ITEM_CONTINUE},
      {"define", ITEM_DEFINE},
      {"else", ITEM_ELSE},
      {"end", ITEM_END},
      {"if", ITEM_IF},
      {"range", ITEM_RANGE},
      {"nil", ITEM_NIL},
      {"template", ITEM_TEMPLATE},
      {"with", ITEM_WITH},
      {"true", ITEM_BOOL},
      {"false", ITEM_BOOL},
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (cue_str_is(word, words[i].name)) return words[i].type;
  return ITEM_IDENTIFIER;
}

static Item lex_word(TemplateLexer *l, ItemType type) {
  while (is_alnum(peek(l))) next(l);
  if (!at_terminator(l)) return fail_char(l, "bad character", peek(l));
  if (type == ITEM_IDENTIFIER) type = keyword(cue_str_sub(l->input, l->start, l->pos));
  return emit(l, type);
}

static Item lex_quoted(TemplateLexer *l, uint32_t quote, ItemType type, const char *what) {
  for (;;) {
    uint32_t r = next(l);
    if (r == quote) return emit(l, type);
    if (r == '\\') r = next(l);
    if (r == END || r == '\n') return fail(l, "unterminated %s", what);
  }
}

static Item lex_raw(TemplateLexer *l) {
  for (;;) {
    uint32_t r = next(l);
    if (r == '`') return emit(l, ITEM_RAW_STRING);
    if (r == END) return fail(l, "unterminated raw quoted string");
  }
}

static bool scan_number(TemplateLexer *l) {
  const char *digits = "0123456789_";
  bool hex = false, decimal = true;
  accept(l, "+-");
  if (accept(l, "0")) {
    if (accept(l, "xX"))
      digits = "0123456789abcdefABCDEF_", hex = true, decimal = false;
    else if (accept(l, "oO"))
      digits = "01234567_", decimal = false;
    else if (accept(l, "bB"))
      digits = "01_", decimal = false;
  }
  accept_run(l, digits);
  if (accept(l, ".")) accept_run(l, digits);
  if ((decimal && accept(l, "eE")) || (hex && accept(l, "pP"))) {
    accept(l, "+-");
    accept_run(l, "0123456789_");
  }
  accept(l, "i");
  if (!is_alnum(peek(l))) return true;
  next(l);
  return false;
}

static Item lex_number(TemplateLexer *l) {
  bool ok = scan_number(l);
  if (ok && (peek(l) == '+' || peek(l) == '-')) ok = scan_number(l) && l->input.s[l->pos - 1] == 'i';
  if (ok) return emit(l, ITEM_NUMBER);
  return fail(l, "bad number syntax: %s", cue_go_quoted(l->a, cue_str_sub(l->input, l->start, l->pos)).s);
}

static Item lex_action(TemplateLexer *l) {
  bool trim;
  if (at_right_delim(l, &trim)) return l->paren_depth == 0 ? lex_right_delim(l) : fail(l, "unclosed left paren");
  uint32_t r = peek(l);
  if (is_space(r)) return lex_space(l);
  if (r == '+' || r == '-' || (r >= '0' && r <= '9')) return lex_number(l);
  if (is_alnum(r)) return lex_word(l, ITEM_IDENTIFIER);
  if (next(l) == END) return fail(l, "unclosed action");
  switch (r) {
  case '=': return emit(l, ITEM_ASSIGN);
  case ':': return next(l) == '=' ? emit(l, ITEM_DECLARE) : fail(l, "expected :=");
  case '|': return emit(l, ITEM_PIPE);
  case '"': return lex_quoted(l, '"', ITEM_STRING, "quoted string");
  case '`': return lex_raw(l);
  case '\'': return lex_quoted(l, '\'', ITEM_CHAR_CONSTANT, "character constant");
  case '$': return at_terminator(l) ? emit(l, ITEM_VARIABLE) : lex_word(l, ITEM_VARIABLE);
  case '.':
    if (l->pos == l->input.n || (peek(l) >= '0' && peek(l) <= '9')) {
      l->pos--;
      return lex_number(l);
    }
    return at_terminator(l) ? emit(l, ITEM_DOT) : lex_word(l, ITEM_FIELD);
  case '(': l->paren_depth++; return emit(l, ITEM_LEFT_PAREN);
  case ')':
    if (--l->paren_depth < 0) return fail(l, "unexpected right paren");
    return emit(l, ITEM_RIGHT_PAREN);
  default: break;
  }
  return r >= ' ' && r < 0x7F ? emit(l, ITEM_CHAR) : fail_char(l, "unrecognized character in action:", r);
}

Item template_next(TemplateLexer *l) { return l->inside_action ? lex_action(l) : lex_text(l); }
