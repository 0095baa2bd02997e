/* literal.c - what literals mean, and how to write values as literals.
**
** A string literal has three properties that all its pieces share: the quote character,
** the number of hashes (escapes then begin with a backslash and as many hashes), and for
** multiline strings the white space before the closing quotes, which every line must
** begin with and which is not part of the value. They are read once from the first and
** last piece; then each piece is decoded by itself.
**
** Strings without escapes are borrowed from the source text.
*/
#include "compiler/literal.h"

#include <string.h>

#include "runtime/unicode.h"

typedef struct {
  char ch;
  bool multiline;
  size_t nch, nhash;
  CueStr indent; /* white space before the closing quotes */
  size_t open;   /* bytes of the first piece before its text */
} Quotes;

static const char invalid_syntax[] = "invalid syntax";

static size_t decode_last(CueStr s, uint32_t *rune) {
  size_t from = s.n - 1;
  while (from > 0 && s.n - from < 4 && ((unsigned char)s.s[from] & 0xC0) == 0x80) from--;
  size_t i = from;
  *rune = cue_utf8_next(s, &i);
  if (i == s.n) return s.n - from;
  *rune = CUE_RUNE_ERROR;
  return 1;
}

/* Reads the quotes at the start of `first` and the end of `last`. NULL, or what is wrong. */
static const char *read_quotes(CueStr first, CueStr last, Quotes *q) {
  *q = (Quotes){0};
  while (q->nhash < first.n && first.s[q->nhash] == '#') q->nhash++;
  CueStr s = cue_str_sub(first, q->nhash, first.n);
  if (s.n == 0 || (s.s[0] != '"' && s.s[0] != '\'')) return invalid_syntax;
  q->ch = s.s[0];
  q->nch = 1;
  q->open = 1 + q->nhash;
  if (s.n > 3 && s.s[1] == q->ch && s.s[2] == q->ch && s.s[3] != '#') {
    size_t newline = s.s[3] == '\r' ? 4 : 3;
    if (newline >= s.n || s.s[newline] != '\n')
      return "invalid string: opening quote of multiline string must be followed by newline";
    q->multiline = true;
    q->nch = 3;
    q->open = q->nhash + newline + 1;
  }
  size_t close = q->nch + q->nhash; /* the closing quotes are the opening ones mirrored */
  for (size_t i = 0; i < close; i++)
    if (i >= last.n || first.s[i] != last.s[last.n - 1 - i]) return "invalid string: unmatched quote";
  if (!q->multiline) return NULL;

  size_t end = last.n - close, from = end;
  uint32_t r = 0;
  while (from > 0) {
    size_t w = decode_last(cue_str_sub(last, 0, from), &r);
    if (r == '\n' || !cue_uni_is_space(r)) break;
    from -= w;
  }
  if (from == 0 || r != '\n') return "invalid string: closing quote of multiline string must follow a newline";
  q->indent = cue_str_sub(last, from, end);
  if (first.n > q->open && first.s[q->open] != '\n') {
    if (!cue_str_has_prefix(cue_str_sub(first, q->open, first.n), q->indent))
      return "invalid string: invalid whitespace";
    q->open += q->indent.n;
  }
  return NULL;
}

/* ---- decoding ---- */

typedef enum { CH_BYTE, CH_RUNE, CH_JOIN, CH_QUOTE, CH_EXPR, CH_BAD } CharKind;

static int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

static CharKind hex_escape(CueStr s, size_t *i, int n, uint32_t *c) {
  uint32_t v = 0;
  for (; n > 0; n--) {
    int d = *i < s.n ? hex_value(s.s[(*i)++]) : -1;
    if (d < 0) return CH_BAD;
    v = v << 4 | (uint32_t)d;
  }
  *c = v;
  return v <= 0x10FFFF ? CH_RUNE : CH_BAD;
}

static CharKind octal_escape(CueStr s, size_t *i, uint32_t *c) {
  uint32_t v = 0;
  for (int n = 0; n < 3; n++) {
    if (*i >= s.n || s.s[*i] < '0' || s.s[*i] > '7') return CH_BAD;
    v = v << 3 | (uint32_t)(s.s[(*i)++] - '0');
  }
  *c = v;
  return v <= 255 ? CH_BYTE : CH_BAD;
}

/* The closing quotes if they stand at i, else one quote character. */
static CharKind quote_char(CueStr s, size_t *i, const Quotes *q, uint32_t *c) {
  size_t n = q->nch + q->nhash;
  for (size_t k = 1; k < n; k++) {
    if (*i + k < s.n && s.s[*i + k] == (k < q->nch ? q->ch : '#')) continue;
    *c = (unsigned char)q->ch;
    ++*i;
    return CH_BYTE;
  }
  *i += n;
  return *i == s.n ? CH_QUOTE : CH_BAD;
}

static CharKind escape(CueStr s, size_t *i, const Quotes *q, uint32_t *c) {
  static const char from[] = "abfnrtv/\\", to[] = "\a\b\f\n\r\t\v/\\";
  size_t at = *i + 1;
  for (size_t k = 0; k <= q->nhash; k++) {
    if (at + k < s.n && (k == q->nhash || s.s[at + k] == '#')) continue;
    *c = '\\'; /* not an escape in this kind of string */
    ++*i;
    return CH_BYTE;
  }
  *i = at + q->nhash;
  char e = s.s[*i];
  const char *simple = e ? strchr(from, e) : NULL;
  if (e >= '0' && e <= '7') return q->ch == '"' ? CH_BAD : octal_escape(s, i, c);
  ++*i;
  if (simple) {
    *c = (unsigned char)to[simple - from];
    return CH_BYTE;
  }
  switch (e) {
  case 'x':
    if (q->ch == '"' || hex_escape(s, i, 2, c) == CH_BAD) return CH_BAD;
    return CH_BYTE;
  case 'u': return hex_escape(s, i, 4, c);
  case 'U': return hex_escape(s, i, 8, c);
  case '\'':
  case '"': *c = (unsigned char)e; return e == q->ch ? CH_BYTE : CH_BAD;
  case '(': return *i == s.n ? CH_EXPR : CH_BAD;
  case '\r':
    if (*i >= s.n || s.s[*i] != '\n') return CH_BAD;
    ++*i;
    return CH_JOIN;
  case '\n': return CH_JOIN;
  default: return CH_BAD;
  }
}

static CharKind next_char(CueStr s, size_t *i, const Quotes *q, uint32_t *c) {
  char b = s.s[*i];
  if (b == q->ch) return quote_char(s, i, q, c);
  if (b == '\\') return escape(s, i, q, c);
  if ((unsigned char)b >= 0x80) {
    *c = cue_utf8_next(s, i);
    return CH_RUNE;
  }
  *c = (unsigned char)b;
  ++*i;
  return CH_BYTE;
}

/* Behind a line end inside a multiline string: its indent, unless the line is empty. */
static bool skip_indent(CueStr s, size_t *i, const Quotes *q) {
  CueStr rest = cue_str_sub(s, *i, s.n);
  if (!q->multiline) return false;
  if (cue_str_has_prefix(rest, q->indent)) {
    *i += q->indent.n;
    return true;
  }
  return cue_str_has_prefix(rest, CUE_STR("\n")) || cue_str_has_prefix(rest, CUE_STR("\r\n"));
}

/* Decodes a piece behind its opening quotes, through closing quotes or "\(". */
static const char *unquote(CueArena *a, CueStr s, const Quotes *q, CueStr *out) {
  if (!q->multiline) {
    if (memchr(s.s, '\n', s.n) || memchr(s.s, '\r', s.n)) return invalid_syntax;
    if (q->nhash == 0 && s.n > 0 && s.s[s.n - 1] == q->ch && !memchr(s.s, '\\', s.n) && !memchr(s.s, q->ch, s.n - 1)) {
      *out = cue_str_sub(s, 0, s.n - 1);
      return NULL;
    }
  }
  CueBuf b = cue_buf(a);
  bool after_newline = false, after_join = false;
  for (size_t i = 0; i < s.n;) {
    if (s.s[i] == '\r') {
      after_join = false;
      i++;
      continue;
    }
    if (s.s[i] == '\n') {
      i++;
      if (!skip_indent(s, &i, q)) return "invalid string: invalid whitespace";
      cue_buf_ch(&b, '\n');
      after_newline = true;
      after_join = false;
      continue;
    }
    uint32_t c = 0;
    CharKind kind = next_char(s, &i, q, &c);
    if (kind == CH_RUNE && c >= 0xD800 && c < 0xE000) { /* two escapes for one character, as JSON has it */
      uint32_t low = 0;
      if (c >= 0xDC00 || i >= s.n || next_char(s, &i, q, &low) != CH_RUNE || low < 0xDC00 || low >= 0xE000)
        return "unmatched surrogate pair";
      c = 0x10000 + (c - 0xD800) * 0x400 + (low - 0xDC00);
    }
    switch (kind) {
    case CH_BAD: return invalid_syntax;
    case CH_JOIN:
      if (!skip_indent(s, &i, q)) return "invalid string: invalid whitespace";
      after_join = true;
      continue;
    case CH_QUOTE:
      if (after_join) return "last newline of multiline string cannot be escaped";
      if (after_newline) b.n--; /* the last line end belongs to the quotes */
      *out = cue_buf_done(&b);
      return NULL;
    case CH_EXPR: *out = cue_buf_done(&b); return NULL;
    case CH_BYTE: cue_buf_ch(&b, (char)c); break;
    case CH_RUNE: cue_buf_rune(&b, c); break;
    }
    after_newline = after_join = false;
  }
  return "invalid string: unmatched quote";
}

static CueValue decode(CueArena *a, CueStr s, const Quotes *q, const char *head) {
  CueStr out = {0};
  const char *wrong = unquote(a, s, q, &out);
  if (wrong) return cue_error(cue_strf(a, "%s%s", head, wrong));
  return q->ch == '"' ? cue_string(out) : cue_bytes(out);
}

static CueValue whole(CueArena *a, CueStr lit, const char *head) {
  Quotes q;
  const char *wrong = read_quotes(lit, lit, &q);
  if (wrong) return cue_error(cue_str(wrong));
  return decode(a, cue_str_sub(lit, q.open, lit.n), &q, head);
}

CueValue cue_literal_string(CueArena *a, CueStr lit) { return whole(a, lit, ""); }
CueValue cue_literal_token(CueArena *a, CueStr lit) { return whole(a, lit, "invalid string: "); }

CueValue cue_literal_piece(CueArena *a, CueStr first, CueStr last, CueStr piece) {
  Quotes q;
  const char *wrong = read_quotes(first, last, &q);
  if (wrong) return cue_error(cue_strf(a, "invalid interpolation: %s", wrong));
  if (piece.s == first.s) return decode(a, cue_str_sub(piece, q.open, piece.n), &q, "invalid string: ");
  if (piece.n == 0 || piece.s[0] != ')') return cue_error(CUE_STR("invalid interpolation: unmatched ')'"));
  return decode(a, cue_str_sub(piece, 1, piece.n), &q, "invalid string: ");
}

/* ---- numbers ---- */

typedef struct {
  CueStr src;
  size_t i;
  CueBuf digits; /* the number without underscores and prefix */
  bool dangling; /* a run of digits ended in an underscore */
} NumScan;

static char num_at(const NumScan *n) { return n->i < n->src.n ? n->src.s[n->i] : 0; }

/* Whether more follows the number. cue looks one character too far, so that a single one
** goes unnoticed: "1x" is 1 for strconv.ParseNumber. The scanner never makes such text. */
static bool num_junk(const NumScan *n) { return n->i + 1 < n->src.n || num_at(n) == '.'; }

static bool num_digits(NumScan *n, int base) {
  bool any = false;
  char last = 0;
  for (;; n->i++) {
    char c = num_at(n);
    if (c != '_') {
      int d = hex_value(c);
      if (d < 0 || d >= base) break;
      cue_buf_ch(&n->digits, c);
      any = true;
    }
    last = c;
  }
  if (last == '_') n->dangling = true;
  return any;
}

static CueValue num_error(CueArena *a, CueStr src, const char *what) {
  return cue_error(cue_strf(a, "%s \"%.*s\"", what, CUE_FMT(src)));
}

/* Digits in another base than ten, behind the prefix. */
static CueValue num_radix(CueArena *a, NumScan *n, int base, const char *what, bool negative) {
  n->i++;
  n->digits.n = 0;
  if (!num_digits(n, base)) return num_error(a, n->src, what);
  if (n->dangling) return cue_error(CUE_STR("illegal '_' in number"));
  if (num_junk(n)) return num_error(a, n->src, "invalid number");
  const CueNum *x = cue_num_parse_radix(a, cue_buf_done(&n->digits), (unsigned)base);
  if (!x) return num_error(a, n->src, "invalid number");
  return cue_int_num(negative ? cue_num_neg(a, x) : x);
}

/* K, M, G, T, P are powers of 1000, with an "i" of 1024. The product must be a whole number. */
static CueValue num_multiplied(CueArena *a, NumScan *n, const CueNum *x) {
  static const char letters[] = "KMGTP";
  int power = (int)(strchr(letters, num_at(n)) - letters) + 1;
  n->i++;
  bool binary = num_at(n) == 'i';
  if (binary) n->i++;
  int64_t factor = 1;
  while (power-- > 0) factor *= binary ? 1024 : 1000;
  const CueNum *product = NULL;
  if (cue_num_mul(a, x, cue_num_from_int(a, factor), false, &product) != CUE_NUM_OK || !cue_num_is_int(product))
    return cue_error(CUE_STR("number cannot be represented as int"));
  if (n->dangling) return cue_error(CUE_STR("illegal '_' in number"));
  if (num_junk(n)) return num_error(a, n->src, "invalid number");
  return cue_int_num(cue_num_round_int(a, product, CUE_ROUND_DOWN));
}

CueValue cue_literal_number(CueArena *a, CueStr lit) {
  NumScan n = {.src = lit, .digits = cue_buf(a)};
  bool negative = num_at(&n) == '-', is_float = false;
  if (lit.n == 0) return num_error(a, lit, "invalid number");
  if (negative || num_at(&n) == '+') n.i++;
  if (negative) cue_buf_ch(&n.digits, '-');
  size_t sign = n.digits.n;
  if (num_at(&n) == '0') {
    n.i++;
    switch (num_at(&n)) {
    case 'x':
    case 'X': return num_radix(a, &n, 16, "illegal hexadecimal number", negative);
    case 'b': return num_radix(a, &n, 2, "illegal binary number", negative);
    case 'o': return num_radix(a, &n, 8, "illegal octal number", negative);
    default: break;
    }
    cue_buf_ch(&n.digits, '0');
    num_digits(&n, 10);
    char c = num_at(&n);
    /* Scanned text never has other digits here; strings that are parsed as numbers may. */
    if (n.digits.n - sign > 1 && c != '.' && c != 'e' && c != 'E') {
      for (size_t i = sign; i < n.digits.n; i++)
        if (n.digits.s[i] >= '8') return num_error(a, lit, "illegal integer number");
      if (num_junk(&n)) return num_error(a, lit, "invalid number");
      const CueNum *x = cue_num_parse_radix(a, cue_str_sub(cue_buf_done(&n.digits), sign, n.digits.n), 8);
      if (!x) return num_error(a, lit, "invalid number");
      return cue_int_num(negative ? cue_num_neg(a, x) : x);
    }
  } else if (num_at(&n) != '.' && !num_digits(&n, 10)) {
    return num_error(a, lit, "illegal number start");
  }
  if (num_at(&n) == '.') {
    n.i++;
    is_float = true;
    bool leading = n.digits.n == sign;
    if (leading) cue_buf_ch(&n.digits, '0');
    cue_buf_ch(&n.digits, '.');
    bool fraction = num_digits(&n, 10);
    if (!fraction && leading) return num_error(a, lit, "illegal fraction");
    if (!fraction) n.digits.n--;
  }
  char c = num_at(&n);
  if (c && strchr("KMGTP", c)) {
    const CueNum *x = cue_num_parse(a, cue_buf_done(&n.digits));
    return x ? num_multiplied(a, &n, x) : num_error(a, lit, "invalid number");
  }
  if (c == 'e' || c == 'E') {
    n.i++;
    is_float = true;
    cue_buf_ch(&n.digits, 'e');
    if (num_at(&n) == '-' || num_at(&n) == '+') cue_buf_ch(&n.digits, num_at(&n)), n.i++;
    if (!num_digits(&n, 10)) return num_error(a, lit, "illegal exponent");
  }
  if (n.dangling) return cue_error(CUE_STR("illegal '_' in number"));
  if (num_junk(&n)) return num_error(a, lit, "invalid number");
  const CueNum *x = cue_num_parse(a, cue_buf_done(&n.digits));
  if (!x) return num_error(a, lit, "invalid number");
  return is_float ? cue_float_num(x) : cue_int_num(x);
}

/* ---- quoting ---- */

typedef struct {
  char ch;
  bool multiline, exact; /* exact: bytes that are not text are kept, as \xNN */
  size_t nhash;
  CueStr indent;
} Form;

/* Hashes needed so that no run of three quotes inside ends the string. */
static size_t hashes_needed(CueStr s, char quote) {
  size_t most = 0;
  for (size_t i = 0; i + 2 < s.n;) {
    if (s.s[i] != quote || s.s[i + 1] != quote || s.s[i + 2] != quote) {
      i++;
      continue;
    }
    while (i < s.n && s.s[i] == quote) i++;
    size_t n = 1;
    while (i < s.n && s.s[i] == '#') i++, n++;
    if (n > most) most = n;
  }
  return most;
}

static void quote_escape(CueBuf *b, const Form *f) {
  cue_buf_ch(b, '\\');
  cue_buf_repeat(b, '#', f->nhash);
}

static void quote_rune(CueBuf *b, const Form *f, uint32_t r) {
  static const char from[] = "\a\b\f\n\r\t\v", to[] = "abfnrtv";
  if ((!f->multiline && r == (unsigned char)f->ch) || r == '\\') {
    quote_escape(b, f);
    cue_buf_ch(b, (char)r);
    return;
  }
  if (cue_uni_is_print(r)) {
    cue_buf_rune(b, r);
    return;
  }
  quote_escape(b, f);
  const char *simple = r && r < 0x80 ? strchr(from, (int)r) : NULL;
  if (simple)
    cue_buf_ch(b, to[simple - from]);
  else if (r < ' ' && f->exact)
    cue_buf_f(b, "x%02x", r);
  else if (r < 0x10000)
    cue_buf_f(b, "u%04x", r);
  else
    cue_buf_f(b, "U%08x", r);
}

static void quote_body(CueBuf *b, const Form *f, CueStr s) {
  for (size_t i = 0; i < s.n;) {
    size_t at = i;
    uint32_t r = cue_utf8_next(s, &i);
    if (f->exact && r == CUE_RUNE_ERROR && i == at + 1) {
      quote_escape(b, f);
      cue_buf_f(b, "x%02x", (unsigned char)s.s[at]);
    } else if (f->multiline && r == '\n') {
      cue_buf_ch(b, '\n');
      if (i < s.n && s.s[i] != '\n') cue_buf_str(b, f->indent);
    } else {
      quote_rune(b, f, r);
    }
  }
}

CueStr cue_literal_quote(CueArena *a, CueStr s, CueQuoteForm form, int indent_tabs) {
  bool bytes = form == CUE_QUOTE_BYTES || form == CUE_QUOTE_MULTILINE_BYTES;
  Form f = {.ch = bytes ? '\'' : '"',
            .exact = bytes,
            .multiline = form == CUE_QUOTE_MULTILINE_STRING || form == CUE_QUOTE_MULTILINE_BYTES};
  CueBuf b = cue_buf(a);
  if (!f.multiline) {
    cue_buf_ch(&b, f.ch);
    quote_body(&b, &f, s);
    cue_buf_ch(&b, f.ch);
    return cue_buf_done(&b);
  }
  CueBuf tabs = cue_buf(a);
  cue_buf_repeat(&tabs, '\t', indent_tabs > 0 ? (size_t)indent_tabs : 0);
  f.indent = cue_buf_done(&tabs);
  f.nhash = hashes_needed(s, f.ch);
  cue_buf_repeat(&b, '#', f.nhash);
  cue_buf_repeat(&b, f.ch, 3);
  cue_buf_ch(&b, '\n');
  if (s.n > 0) {
    if (s.s[0] != '\n') cue_buf_str(&b, f.indent);
    quote_body(&b, &f, s);
    cue_buf_ch(&b, '\n');
  }
  cue_buf_str(&b, f.indent);
  cue_buf_repeat(&b, f.ch, 3);
  cue_buf_repeat(&b, '#', f.nhash);
  return cue_buf_done(&b);
}

/* ---- names ---- */

static bool is_digit(uint32_t r) { return r < 0x80 ? r >= '0' && r <= '9' : cue_uni_is_digit(r); }

static bool is_letter(uint32_t r) { return r < 0x80 ? (r | 32) >= 'a' && (r | 32) <= 'z' : cue_uni_is_letter(r); }

bool cue_is_valid_ident(CueStr name) {
  if (name.n == 0) return false;
  size_t i = 0;
  bool digit_ok = false; /* _0 is a name, 0 and #0 are not */
  if (name.s[0] == '_') {
    i++;
    digit_ok = true;
    if (i == name.n) return true;
  }
  if (name.s[i] == '#') {
    i++;
    digit_ok = false;
  }
  for (; i < name.n; digit_ok = true) {
    uint32_t r = cue_utf8_next(name, &i);
    if (is_digit(r)) {
      if (!digit_ok) return false;
    } else if (!is_letter(r) && r != '_' && r != '$') {
      return false;
    }
  }
  return true;
}

bool cue_label_needs_quotes(CueStr name) {
  return (name.n > 0 && (name.s[0] == '#' || name.s[0] == '_')) || !cue_is_valid_ident(name);
}
