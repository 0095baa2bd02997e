/* emit_yaml.c - values as YAML, byte for byte as cue export --out yaml writes it.
**
** Lists and structs are in block style, two spaces a level, also for a list in a field;
** empty ones are [] and {}. What remains is the style of a scalar. A string with a line feed
** is a literal block where YAML allows one. Another one is plain if it reads back as the
** same string under YAML 1.2 and is no word, date or base-60 number of YAML 1.1; otherwise it
** is quoted: in single quotes where only indicators stand in the way, else in double ones.
** No line is ever folded. Most strings are words that need none of these questions, and are told at one look. A key is "simple" up to 128 bytes on one line; longer ones and those
** with line breaks take the "? key" form.
*/
#include "runtime/value.h"

#include <string.h>

#include "runtime/scan.h"
#include "runtime/yaml_scalar.h"

typedef enum { PLAIN, SINGLE, DOUBLE, LITERAL } Style;

/* -- what a string looks like to a YAML reader ------------------------------------------ */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* Words of YAML 1.1, anything like a date, a time or a base-60 number, and hexadecimals. */
static bool is_legacy(CueStr s) {
  if (s.n == 0) return false;
  bool numeric =
      is_digit(s.s[0]) || s.s[0] == '-' || s.s[0] == '+' || s.s[0] == ':' || s.s[0] == '.' || is_blank(s.s[0]);
  if (!numeric && (s.n > 5 || !memchr("yYnNtTfFoO", s.s[0], 10))) return false;
  if (s.n <= 5 && !is_digit(s.s[0]) &&
      cue_one_of(s, "y Y yes Yes YES n N t T f F no No NO true True TRUE false False FALSE on On ON off Off OFF .Nan"))
    return true;
  char c = s.s[0];
  if (c == '0' && s.n > 2 && s.s[1] == 'x') {
    size_t i = 2;
    while (i < s.n && (is_digit(s.s[i]) || ((s.s[i] | 0x20) >= 'a' && (s.s[i] | 0x20) <= 'f'))) i++;
    if (i == s.n) return true;
  }
  size_t n = s.n, letters = 0, cut = 0;
  if ((s.s[n - 1] | 0x20) == 'z') n--;
  for (size_t i = 0; i < n; i++) {
    c = s.s[i];
    bool inner = i > 0 && i + 1 < n;
    if (c == 't' || c == 'T') {
      if (++letters > 1 || !inner) return false;
    } else if (c == '-' || c == ':') {
      cut += inner;
    } else if (!is_digit(c) && c != '+' && c != '.' && c != ' ' && c != '\t') {
      return false;
    }
  }
  return letters || cut;
}

/* -- which styles the characters allow --------------------------------------------------- */

typedef struct {
  bool multiline, plain, single, block;
} Allowed;

/* The length of the line break at p: CR, LF, NEL, LS or PS; 0 if there is none. */
static size_t break_len(const char *p, size_t n) {
  if (*p == '\n' || *p == '\r') return 1;
  if (n >= 2 && memcmp(p, "\xC2\x85", 2) == 0) return 2;
  if (n >= 3 && (memcmp(p, "\xE2\x80\xA8", 3) == 0 || memcmp(p, "\xE2\x80\xA9", 3) == 0)) return 3;
  return 0;
}

/* YAML's printable characters, less those past the basic plane; s is valid UTF-8. */
static bool is_printable(uint32_t r) {
  if (r < 0x7F) return r >= 0x20 || r == '\n';
  return r >= 0xA0 && r < 0xFFFE && r != 0xFEFF;
}

/* Bytes that never matter where they stand: letters, digits and some signs. */
static bool is_ordinary(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '_' || c == '/' || c == '.';
}

static Allowed analyze(CueStr s) {
  Allowed a = {false, true, true, true};
  if (s.n == 0) return (Allowed){false, true, true, false};
  bool indicator = false, special = false, tab = false, before_blank = true, was_space = false, was_break = false;
  bool space_break = false, break_space = false;
  if (s.n >= 3 && (memcmp(s.s, "---", 3) == 0 || memcmp(s.s, "...", 3) == 0)) indicator = true;
  for (size_t i = 0; i < s.n;) {
    char c = s.s[i];
    if (is_ordinary((unsigned char)c)) {
      was_space = was_break = before_blank = false;
      i++;
      continue;
    }
    size_t next = i;
    uint32_t rune = cue_utf8_next(s, &next);
    bool after_blank = next == s.n || is_blank(s.s[next]);
    if (i == 0 && strchr("#,[]{}&*!|>'\"%@`", c) && c) indicator = true;
    if (c == ':' || (i == 0 && (c == '?' || c == '-'))) indicator |= after_blank;
    if (c == '#' && before_blank) indicator = true;
    if (c == '\t')
      tab = true;
    else if (!is_printable(rune))
      special = true;
    size_t is_break = break_len(s.s + i, s.n - i);
    if (c == ' ') {
      if (i == 0 || next == s.n) a.plain = false;
      if (next == s.n) a.block = false;
      break_space |= was_break;
    } else if (is_break) {
      a.multiline = true;
      space_break |= was_space;
    }
    was_space = c == ' ';
    was_break = is_break != 0;
    before_blank = is_blank(c) || is_break || c == '\0';
    i = next;
  }
  if (break_space || space_break || tab || special) a.plain = a.single = false;
  if (space_break || special) a.block = false;
  if (a.multiline || indicator) a.plain = false;
  return a;
}

/* One of the short words of YAML 1.1 and 1.2, in whatever letters. */
static bool is_keyword(CueStr s) {
  char lower[8] = {0};
  if (s.n > 5) return false;
  for (size_t i = 0; i < s.n; i++) lower[i] = (char)(s.s[i] | 0x20);
  static const char words[][8] = {"y", "n", "t", "f", "no", "on", "yes", "off", "true", "null", "false"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!memcmp(lower, words[i], 8)) return true;
  return false;
}

/* The common case: a string without blanks that is plain, and nothing else to YAML, by its first and last characters.
** What is left out here is not wrong, only slower. Written to a place with room for it; false if it is no such string. */
static bool put_word(char *to, CueStr s) {
  if (!s.n) return false;
  char first = s.s[0], last = s.s[s.n - 1], lower = (char)(first | 0x20);
  bool letter = lower >= 'a' && lower <= 'z';
  if (letter || first == '/') {
    if ((lower == 'y' || lower == 'n' || lower == 't' || lower == 'f' || lower == 'o') && is_keyword(s)) return false;
    return last != ':' && scan_copy_visible(to, s);
  }
  /* "100m", "1Gi": no digit of any base is behind f, and of what dates have, only a z may be last. */
  lower = (char)(last | 0x20);
  return is_digit(first) && lower >= 'g' && lower <= 'y' && scan_copy_visible(to, s);
}

/* -- writing scalars --------------------------------------------------------------------- */

static void write_double(CueBuf *out, CueStr s) {
  static const char hex[] = "0123456789ABCDEF";
  /* cue's YAML library takes every character of a string that starts with a BOM for a BOM. */
  bool all = s.n >= 3 && memcmp(s.s, "\xEF\xBB\xBF", 3) == 0;
  cue_buf_ch(out, '"');
  for (size_t i = 0, run = 0; i <= s.n;) {
    if (i == s.n) {
      cue_buf_add(out, s.s + run, i - run);
      break;
    }
    size_t next = i;
    uint32_t r = cue_utf8_next(s, &next);
    if (!all && is_printable(r) && r != '"' && r != '\\' && !break_len(s.s + i, s.n - i)) {
      i = next;
      continue;
    }
    cue_buf_add(out, s.s + run, i - run);
    run = i = next;
    char e = 0;
    switch (r) {
    case 0x00: e = '0'; break;
    case 0x07: e = 'a'; break;
    case 0x08: e = 'b'; break;
    case 0x09: e = 't'; break;
    case 0x0A: e = 'n'; break;
    case 0x0B: e = 'v'; break;
    case 0x0C: e = 'f'; break;
    case 0x0D: e = 'r'; break;
    case 0x1B: e = 'e'; break;
    case 0x22: e = '"'; break;
    case 0x5C: e = '\\'; break;
    case 0x85: e = 'N'; break;
    case 0xA0: e = '_'; break;
    case 0x2028: e = 'L'; break;
    case 0x2029: e = 'P'; break;
    default: break;
    }
    cue_buf_ch(out, '\\');
    if (e) {
      cue_buf_ch(out, e);
      continue;
    }
    int digits = r <= 0xFF ? 2 : r <= 0xFFFF ? 4 : 8;
    cue_buf_ch(out, digits == 2 ? 'x' : digits == 4 ? 'u' : 'U');
    for (int k = digits - 1; k >= 0; k--) cue_buf_ch(out, hex[r >> (4 * k) & 15]);
  }
  cue_buf_ch(out, '"');
}

/* Line and paragraph separators start a new line, so what follows one is indented. */
static void write_single(CueBuf *out, CueStr s, unsigned indent) {
  cue_buf_ch(out, '\'');
  size_t run = 0;
  for (size_t i = 0; i < s.n;) {
    size_t len = break_len(s.s + i, s.n - i);
    if (!len && s.s[i] != '\'') {
      i++;
      continue;
    }
    i += len ? len : 1;
    cue_buf_add(out, s.s + run, i - run);
    run = i;
    if (!len)
      cue_buf_ch(out, '\'');
    else if (i < s.n && !break_len(s.s + i, s.n - i))
      cue_buf_repeat(out, ' ', indent);
  }
  cue_buf_add(out, s.s + run, s.n - run);
  cue_buf_ch(out, '\'');
}

/* Leaves the buffer at the end of the text: after its last line break if it has one there. */
static void write_literal(CueBuf *out, CueStr s, unsigned indent) {
  cue_buf_ch(out, '|');
  if (s.s[0] == ' ' || break_len(s.s, s.n)) cue_buf_ch(out, '2');
  size_t last = s.n - 1;
  while (((unsigned char)s.s[last] & 0xC0) == 0x80) last--;
  if (!break_len(s.s + last, s.n - last)) {
    cue_buf_ch(out, '-');
  } else if (last == 0) {
    cue_buf_ch(out, '+');
  } else {
    size_t before = last - 1;
    while (((unsigned char)s.s[before] & 0xC0) == 0x80) before--;
    if (break_len(s.s + before, s.n - before)) cue_buf_ch(out, '+');
  }
  cue_buf_ch(out, '\n');
  bool at_start = true;
  for (size_t i = 0; i < s.n;) {
    size_t len = break_len(s.s + i, s.n - i);
    if (len) {
      cue_buf_add(out, s.s + i, len);
      i += len;
      at_start = true;
      continue;
    }
    if (at_start) cue_buf_repeat(out, ' ', indent);
    at_start = false;
    size_t run = i;
    do i++;
    while (i < s.n && !break_len(s.s + i, s.n - i));
    cue_buf_add(out, s.s + run, i - run);
  }
}

/* -- values ------------------------------------------------------------------------------ */

/* Where the emitter stands: on a fresh line, or behind what it wrote. */
typedef struct {
  CueBuf *out;
  CueArena *scratch;
  CueKeyOrder *order;
  CueSeen *seen;
  bool fresh;
} Yaml;

static void end_line(Yaml *y) {
  if (!y->fresh) cue_buf_ch(y->out, '\n');
  y->fresh = true;
}

/* At p, with room for it: spaces, and maybe some more. */
static char *put_indent(char *p, unsigned n) {
  for (unsigned i = 0; i < n; i += 8) memcpy(p + i, "        ", 8);
  return p + n;
}
enum { INDENT_SLACK = 8 };

/* A new line for an item, or the rest of this one. */
static void start_item(Yaml *y, unsigned indent, bool here) {
  if (here) return;
  char *from = cue_buf_room(y->out, indent + INDENT_SLACK + 1), *p = from;
  if (!y->fresh) *p++ = '\n';
  p = put_indent(p, indent);
  y->out->n += (size_t)(p - from);
  y->fresh = false;
}

/* The same and a key; false, and nothing is written, if it is no word. */
static bool put_key(Yaml *y, unsigned indent, bool here, CueStr key) {
  char *from = cue_buf_room(y->out, indent + INDENT_SLACK + key.n + 2), *p = from;
  if (!here) {
    if (!y->fresh) *p++ = '\n';
    p = put_indent(p, indent);
  }
  if (!put_word(p, key)) return false;
  p += key.n;
  *p++ = ':';
  y->out->n += (size_t)(p - from);
  y->fresh = false;
  return true;
}

static CueStr valid_utf8(Yaml *y, CueStr s) {
  if (cue_utf8_valid(s)) return s;
  CueBuf b = cue_buf(y->scratch);
  for (size_t i = 0; i < s.n;) cue_buf_rune(&b, cue_utf8_next(s, &i));
  return cue_buf_done(&b);
}

static void write_string(Yaml *y, CueStr s, unsigned indent, bool as_key, bool simple, bool multi, Allowed may) {
  Style style = PLAIN;
  if (multi)
    style = LITERAL;
  else if (!as_key && memchr(s.s ? s.s : "", '\n', s.n))
    style = LITERAL;
  else if (is_legacy(s))
    style = DOUBLE;
  else if (as_key && memchr(s.s ? s.s : "", '\n', s.n))
    style = LITERAL;
  else if (cue_yaml_resolve(s) != CUE_YAML_STR)
    style = DOUBLE;
  if (style == PLAIN && !may.plain) style = SINGLE;
  if (style == SINGLE && !may.single) style = DOUBLE;
  if (style == LITERAL && (!may.block || simple)) style = DOUBLE;
  y->fresh = false;
  switch (style) {
  case PLAIN: cue_buf_str(y->out, s); break;
  case SINGLE: write_single(y->out, s, indent); break;
  case DOUBLE: write_double(y->out, s); break;
  case LITERAL:
    write_literal(y->out, s, indent);
    y->fresh = y->out->s[y->out->n - 1] == '\n' || break_len(s.s + s.n - 1, 1) ||
               (s.n >= 2 && break_len(s.s + s.n - 2, 2) == 2) || (s.n >= 3 && break_len(s.s + s.n - 3, 3) == 3);
    break;
  }
}

static void write_bytes(Yaml *y, CueStr s, unsigned indent) {
  cue_buf_z(y->out, "!!binary");
  y->fresh = false;
  if (s.n == 0) return;
  CueBuf *out = y->out;
  /* A quirk kept: text with line feeds, or long data that is no text, goes on a line of its own. */
  bool block = cue_utf8_valid(s) ? memchr(s.s, '\n', s.n) != NULL : (s.n + 2) / 3 * 4 >= 70;
  cue_buf_ch(out, ' ');
  if (block) {
    cue_buf_add(out, "|-\n", 3);
    cue_buf_repeat(out, ' ', indent);
  }
  cue_buf_base64(out, s);
}

CueValue cue_yaml_written(CueArena *a, CueValue v, CueStr literal) {
  if (v.kind == CUE_STRING) {
    size_t i = 0;
    while (i < literal.n && literal.s[i] == '#') i++;
    if (literal.n - i >= 6 && memcmp(literal.s + i, "\"\"\"\n", 4) == 0) v.form = CUE_MULTI;
    return v;
  }
  if (!(v.kind & CUE_NUMBER) || literal.n == 0 || !is_digit(literal.s[0])) {
    if (!(v.kind & CUE_NUMBER) || literal.n == 0 || literal.s[0] != '.') return v;
  }
  /* Numbers with a multiplier (1K, 1.5Gi) are written out. */
  char last = literal.s[literal.n - 1];
  bool hex = literal.n > 1 && literal.s[0] == '0' && (literal.s[1] | 0x20) == 'x';
  if (!hex && (last == 'i' || (last >= 'A' && last <= 'Z'))) return v;
  const CueNum *x = cue_num_as_written(a, cue_value_num(a, v), literal);
  return v.kind == CUE_INT ? (CueValue){.kind = CUE_INT, .form = CUE_BIG, .as.num = x} : cue_float_num(x);
}

static void write_num(CueBuf *out, const CueNum *x, bool is_int) {
  if (cue_num_written(x)) {
    cue_buf_z(out, cue_num_written(x));
    return;
  }
  size_t from = out->n;
  cue_buf_num(out, x, is_int ? 'g' : 'G');
  if (is_int) return;
  for (size_t i = from; i < out->n; i++)
    if (out->s[i] == '.' || out->s[i] == 'E') return;
  cue_buf_ch(out, '.');
}

static void emit(Yaml *y, CueValue v, unsigned indent, unsigned depth);

static void emit_list(Yaml *y, const CueList *l, unsigned indent, bool inside, unsigned depth) {
  for (uint32_t i = 0; i < l->n; i++) {
    start_item(y, indent, !i && inside);
    cue_buf_ch(y->out, '-');
    y->fresh = false;
    emit(y, l->at[i], indent, depth + 1);
  }
}

/* Whether it took the simple form. */
static bool put_any_key(Yaml *y, unsigned indent, bool here, CueStr key) {
  if (key.n <= 128 && put_key(y, indent, here, key)) return true;
  key = valid_utf8(y, key);
  start_item(y, indent, here);
  Allowed may = analyze(key);
  bool simple = !may.multiline && key.n <= 128;
  if (!simple) cue_buf_add(y->out, "? ", 2);
  write_string(y, key, indent + 2, true, simple, false, may);
  if (!simple) {
    end_line(y);
    cue_buf_repeat(y->out, ' ', indent);
  }
  cue_buf_ch(y->out, ':');
  y->fresh = false;
  return simple;
}

static void emit_struct(Yaml *y, const CueStruct *s, unsigned indent, bool inside, unsigned depth) {
  CueOrder o;
  cue_order(&o, s, y->order);
  for (uint32_t i = 0; i < s->n; i++) {
    const CueField *f = cue_order_field(&o, s, i);
    bool simple = put_any_key(y, indent, !i && inside, f->key);
    CueValue v = f->value;
    if (!simple && ((v.kind == CUE_LIST && v.as.list->n) || (v.kind == CUE_STRUCT && v.as.fields->n))) {
      cue_buf_ch(y->out, ' ');
      if (v.kind == CUE_LIST)
        emit_list(y, v.as.list, indent + 2, true, depth + 1);
      else
        emit_struct(y, v.as.fields, indent + 2, true, depth + 1);
    } else if (v.kind == CUE_STRUCT && v.as.fields->n && depth < CUE_MAX_DEPTH) {
      size_t from = y->out->n;
      if (seen_again(y->seen, y->out, v.as.fields, indent, &y->fresh)) continue;
      emit_struct(y, v.as.fields, indent + 2, false, depth + 1);
      seen_note(y->seen, y->out, v.as.fields, indent, from, y->fresh);
    } else if (v.kind == CUE_LIST && v.as.list->n && depth < CUE_MAX_DEPTH) {
      emit_list(y, v.as.list, indent + 2, false, depth + 1);
    } else {
      emit(y, v, indent, depth + 1);
    }
  }
  cue_order_done(&o);
}

/* Writes v behind "-" or "key:", or at the start; indent is that of its parent. */
static void emit(Yaml *y, CueValue v, unsigned indent, unsigned depth) {
  CueBuf *out = y->out;
  bool inside = depth > 0;
  if (v.kind == CUE_STRING && v.form == CUE_PLAIN && inside) {
    char *p = cue_buf_room(out, v.len + 1u);
    if (put_word(p + 1, (CueStr){v.as.s, v.len})) {
      *p = ' ';
      out->n += v.len + 1u;
      y->fresh = false;
      return;
    }
  }
  if (v.form == CUE_LENT || depth > CUE_MAX_DEPTH) v = cue_null();
  if (inside) {
    cue_buf_ch(out, ' ');
    indent += 2;
  }
  y->fresh = false;
  switch ((CueKind)v.kind) {
  case CUE_BOOL: cue_buf_z(out, v.as.b ? "true" : "false"); break;
  case CUE_INT:
    if (v.form == CUE_PLAIN)
      cue_buf_int(out, v.as.i);
    else
      write_num(out, v.as.num, true);
    break;
  case CUE_FLOAT: write_num(out, v.as.num, false); break;
  case CUE_STRING: {
    CueStr s = valid_utf8(y, cue_value_str(v));
    write_string(y, s, inside ? indent : 2, false, false, v.form == CUE_MULTI, analyze(s));
    break;
  }
  case CUE_BYTES: write_bytes(y, cue_value_str(v), inside ? indent : 2); break;
  case CUE_LIST:
    if (v.as.list->n)
      emit_list(y, v.as.list, indent, true, depth);
    else
      cue_buf_add(out, "[]", 2);
    break;
  case CUE_STRUCT:
    if (v.as.fields->n)
      emit_struct(y, v.as.fields, indent, true, depth);
    else
      cue_buf_add(out, "{}", 2);
    break;
  default: cue_buf_add(out, "null", 4); break;
  }
}

void cue_emit_yaml_ordered(CueBuf *out, CueValue v, CueKeyOrder *order, CueSeen *seen) {
  Yaml y = {.out = out, .scratch = out->a, .order = order, .seen = seen, .fresh = true};
  emit(&y, v, 0, 0);
  end_line(&y);
}

void cue_emit_yaml(CueBuf *out, CueValue v) { cue_emit_yaml_ordered(out, v, NULL, NULL); }
