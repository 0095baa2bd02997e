/* gofmt.c - Go's fmt package for the values of gofmt.h.
**
** A Printer holds the flags of the verb at hand. Maps and lists hand their verb and flags
** on to what they hold, so that %5d pads every element. A verb that does not fit a value
** prints %!verb(type=value), which is not an error.
*/
#include "stdlib/cue/gofmt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stdlib/cue/gotext.h"
#include "runtime/unicode.h"

#define MAX_NESTING 10000

typedef struct {
  CueBuf *out;
  bool plus, minus, sharp, space, zero;
  bool plus_v, sharp_v; /* %+v and %#v: plus and sharp mean something else then */
  bool has_width, has_prec;
  int width, prec;
  int depth;
} Printer;

/* ---- values ------------------------------------------------------------------------------ */

GoValue go_value(CueValue v, bool boxed) {
  GoValue g = {GO_NONE, boxed, v};
  switch ((CueKind)v.kind) {
  case CUE_NULL: g.type = boxed ? GO_NIL : GO_NONE; break;
  case CUE_BOOL: g.type = GO_BOOL; break;
  case CUE_INT: g.type = v.form == CUE_BIG ? GO_BIG_INT : GO_INT64; break;
  case CUE_FLOAT:
    g.type = isinf(cue_num_to_double(v.as.num)) && cue_num_is_finite(v.as.num) ? GO_BIG_FLOAT : GO_FLOAT64;
    break;
  case CUE_STRING: g.type = GO_STRING; break;
  case CUE_BYTES: g.type = GO_BYTES; break;
  case CUE_LIST: g.type = GO_LIST; break;
  case CUE_STRUCT: g.type = GO_MAP; break;
  default: break;
  }
  return g;
}

GoValue go_unbox(GoValue v) {
  v.boxed = false;
  if (v.type == GO_NIL) v.type = GO_NONE;
  return v;
}

static const char *const type_names[] = {
    [GO_NONE] = "<nil>",
    [GO_NIL] = "interface {}",
    [GO_BOOL] = "bool",
    [GO_INT] = "int",
    [GO_INT64] = "int64",
    [GO_UINT8] = "uint8",
    [GO_BIG_INT] = "*big.Int",
    [GO_FLOAT64] = "float64",
    [GO_BIG_FLOAT] = "*big.Float",
    [GO_STRING] = "string",
    [GO_BYTES] = "[]uint8",
    [GO_LIST] = "[]interface {}",
    [GO_MAP] = "map[string]interface {}",
};

const char *go_type_name(GoValue v) { return v.boxed ? "interface {}" : type_names[v.type]; }

static int by_key(const void *x, const void *y) {
  return cue_str_cmp(((const CueField *)x)->key, ((const CueField *)y)->key);
}

const CueField *go_sorted_fields(CueArena *a, const CueStruct *s) {
  CueField *f = cue_array(a, CueField, s->n ? s->n : 1);
  if (s->n) memcpy(f, s->at, s->n * sizeof *f);
  qsort(f, s->n, sizeof *f, by_key);
  return f;
}

/* ---- padding ----------------------------------------------------------------------------- */

static void put_padding(Printer *p, int n) {
  if (n > 0) cue_buf_repeat(p->out, p->zero && !p->minus ? '0' : ' ', (size_t)n);
}

static void put_padded(Printer *p, CueStr s) {
  int n = p->has_width ? p->width - (int)cue_utf8_count(s) : 0;
  if (!p->minus) put_padding(p, n);
  cue_buf_str(p->out, s);
  if (p->minus) put_padding(p, n);
}

/* Padding with blanks whatever the zero flag says. */
static void put_blank_padded(Printer *p, CueStr s) {
  bool zero = p->zero;
  p->zero = false;
  put_padded(p, s);
  p->zero = zero;
}

static CueStr truncated(const Printer *p, CueStr s) {
  if (!p->has_prec) return s;
  size_t i = 0;
  for (int n = p->prec; n > 0 && i < s.n; n--) cue_utf8_next(s, &i);
  return cue_str_sub(s, 0, i);
}

/* ---- scalars ----------------------------------------------------------------------------- */

static void put_integer(Printer *p, uint64_t u, bool negative, unsigned base, uint32_t verb) {
  if (p->has_prec && p->prec == 0 && u == 0) {
    put_blank_padded(p, CUE_STR(""));
    return;
  }
  int digits = p->has_prec ? p->prec : 0;
  if (!p->has_prec && p->zero && !p->minus && p->has_width)
    digits = p->width - (negative || p->plus || p->space ? 1 : 0);
  const char *names = verb == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  char back[64];
  int n = 0;
  do back[n++] = names[u % base];
  while ((u /= base) > 0);
  CueBuf text = cue_buf(p->out->a);
  if (negative || p->plus || p->space) cue_buf_ch(&text, negative ? '-' : p->plus ? '+' : ' ');
  if (verb == 'O') cue_buf_z(&text, "0o");
  if (p->sharp && base == 2) cue_buf_z(&text, "0b");
  if (p->sharp && base == 8 && back[n - 1] != '0' && digits <= n) cue_buf_ch(&text, '0');
  if (p->sharp && base == 16) cue_buf_z(&text, verb == 'X' ? "0X" : "0x");
  if (digits > n) cue_buf_repeat(&text, '0', (size_t)(digits - n));
  while (n > 0) cue_buf_ch(&text, back[--n]);
  put_blank_padded(p, cue_buf_done(&text));
}

static void put_code_point(Printer *p, uint64_t u) {
  CueBuf text = cue_buf(p->out->a);
  cue_buf_f(&text, "U+%0*llX", p->has_prec && p->prec > 4 ? p->prec : 4, (unsigned long long)u);
  if (p->sharp && u <= 0x10FFFF && cue_uni_is_print((uint32_t)u)) {
    cue_buf_z(&text, " '");
    cue_buf_rune(&text, (uint32_t)u);
    cue_buf_ch(&text, '\'');
  }
  put_blank_padded(p, cue_buf_done(&text));
}

static void put_rune(Printer *p, uint64_t u, bool quoted) {
  CueBuf text = cue_buf(p->out->a);
  bool valid = u <= 0x10FFFF && !(u >= 0xD800 && u < 0xE000);
  uint32_t r = valid ? (uint32_t)u : CUE_RUNE_ERROR;
  if (quoted)
    cue_go_quote_rune(&text, (int32_t)r, p->plus ? CUE_GO_ASCII : CUE_GO_PRINT);
  else
    cue_buf_rune(&text, r);
  put_padded(p, cue_buf_done(&text));
}

static bool print_int(Printer *p, int64_t i, bool is_signed, uint32_t verb) {
  bool negative = is_signed && i < 0;
  uint64_t u = negative ? -(uint64_t)i : (uint64_t)i;
  bool sharp = p->sharp;
  switch (verb) {
  case 'v':
    if (p->sharp_v && !is_signed) {
      p->sharp = true;
      put_integer(p, u, false, 16, 'v');
      p->sharp = sharp;
      return true;
    }
    put_integer(p, u, negative, 10, verb);
    return true;
  case 'd': put_integer(p, u, negative, 10, verb); return true;
  case 'b': put_integer(p, u, negative, 2, verb); return true;
  case 'o':
  case 'O': put_integer(p, u, negative, 8, verb); return true;
  case 'x':
  case 'X': put_integer(p, u, negative, 16, verb); return true;
  case 'c': put_rune(p, (uint64_t)i, false); return true;
  case 'q': put_rune(p, (uint64_t)i, true); return true;
  case 'U': put_code_point(p, (uint64_t)i); return true;
  default: return false;
  }
}

/* # keeps the decimal point and the trailing zeros that the shortest form lacks. text has a sign. */
static CueStr with_point(CueArena *a, CueStr text, uint32_t verb, int prec) {
  int digits = verb == 'g' || verb == 'G' || verb == 'x' ? (prec < 0 ? 6 : prec) : 0;
  bool point = false, seen = false, hex = verb == 'x' || verb == 'X';
  size_t end = 1;
  for (; end < text.n; end++) {
    char ch = text.s[end];
    if (ch == 'p' || ch == 'P' || (!hex && (ch == 'e' || ch == 'E'))) break;
    if (ch == '.') {
      point = true;
      continue;
    }
    if (ch != '0') seen = true;
    if (seen) digits--;
  }
  CueBuf out = cue_buf(a);
  cue_buf_add(&out, text.s, end);
  if (!point) {
    if (end == 2 && text.s[1] == '0') digits--;
    cue_buf_ch(&out, '.');
  }
  if (digits > 0) cue_buf_repeat(&out, '0', (size_t)digits);
  cue_buf_add(&out, text.s + end, text.n - end);
  return cue_buf_done(&out);
}

static bool print_float(Printer *p, double f, uint32_t verb) {
  int prec = -1;
  if (verb == 'v') verb = 'g';
  if (verb == 'F') verb = 'f';
  if (verb == 'f' || verb == 'e' || verb == 'E')
    prec = 6;
  else if (!(verb < 0x80 && verb && strchr("bgGxX", (int)verb)))
    return false;
  if (p->has_prec) prec = p->prec;
  CueBuf text = cue_buf(p->out->a);
  if (!(signbit(f) && !isnan(f)) && !isinf(f)) cue_buf_ch(&text, '+'); /* infinities come with a sign */
  cue_go_float(&text, f, (char)verb, prec, 64);
  if (p->space && text.s[0] == '+' && !p->plus) text.s[0] = ' ';
  CueStr s = cue_buf_done(&text);
  if (!isfinite(f)) {
    put_blank_padded(p, isnan(f) && !p->space && !p->plus ? cue_str_sub(s, 1, s.n) : s);
    return true;
  }
  if (p->sharp && verb != 'b') s = with_point(p->out->a, s, verb, prec);
  if (!p->plus && s.s[0] == '+') {
    put_padded(p, cue_str_sub(s, 1, s.n));
    return true;
  }
  if (p->zero && !p->minus && p->has_width && (size_t)p->width > s.n) { /* the sign goes before the zeros */
    cue_buf_ch(p->out, s.s[0]);
    put_padding(p, p->width - (int)s.n);
    cue_buf_add(p->out, s.s + 1, s.n - 1);
    return true;
  }
  put_padded(p, s);
  return true;
}

static void put_hex(Printer *p, CueStr s, bool upper) {
  const char *names = upper ? "0123456789ABCDEF" : "0123456789abcdef", *prefix = upper ? "0X" : "0x";
  CueBuf text = cue_buf(p->out->a);
  size_t n = p->has_prec && (size_t)p->prec < s.n ? (size_t)p->prec : s.n;
  for (size_t i = 0; i < n; i++) {
    if (p->space && i) cue_buf_ch(&text, ' ');
    if (p->sharp && (i == 0 || p->space)) cue_buf_z(&text, prefix);
    cue_buf_ch(&text, names[(unsigned char)s.s[i] >> 4]);
    cue_buf_ch(&text, names[(unsigned char)s.s[i] & 15]);
  }
  put_padded(p, cue_buf_done(&text));
}

static bool can_backquote(CueStr s) {
  for (size_t i = 0; i < s.n;) {
    size_t from = i;
    uint32_t r = cue_utf8_next(s, &i);
    if (r == 0xFEFF || (r == CUE_RUNE_ERROR && i - from == 1) || (r < ' ' && r != '\t') || r == '`' || r == 0x7F)
      return false;
  }
  return true;
}

static void put_quoted(Printer *p, CueStr s) {
  s = truncated(p, s);
  CueBuf text = cue_buf(p->out->a);
  if (p->sharp && can_backquote(s))
    cue_buf_f(&text, "`%.*s`", CUE_FMT(s));
  else
    cue_go_quote(&text, s, p->plus ? CUE_GO_ASCII : CUE_GO_PRINT);
  put_padded(p, cue_buf_done(&text));
}

static bool print_string(Printer *p, CueStr s, uint32_t verb) {
  switch (verb) {
  case 'v':
    if (p->sharp_v)
      put_quoted(p, s);
    else
      put_padded(p, truncated(p, s));
    return true;
  case 's': put_padded(p, truncated(p, s)); return true;
  case 'x':
  case 'X': put_hex(p, s, verb == 'X'); return true;
  case 'q': put_quoted(p, s); return true;
  default: return false;
  }
}

/* A *big.Int formats itself, and no verb makes it a character. */
static void print_big_int(Printer *p, GoValue v, uint32_t verb) {
  CueArena *a = p->out->a;
  CueStr decimal = cue_num_text_plain(a, v.v.as.num);
  unsigned base = verb == 'b' ? 2 : verb == 'o' || verb == 'O' ? 8 : verb == 'x' || verb == 'X' ? 16 : 10;
  if (base == 10 && verb != 'd' && verb != 's' && verb != 'v') {
    cue_buf_z(p->out, "%!");
    cue_buf_rune(p->out, verb);
    cue_buf_f(p->out, "(big.Int=%.*s)", CUE_FMT(decimal));
    return;
  }
  bool negative = cue_num_sign(v.v.as.num) < 0;
  CueStr digits = cue_num_text_radix(a, cue_num_abs(a, v.v.as.num), base);
  const char *sign = negative ? "-" : p->plus || p->plus_v ? "+" : p->space ? " " : "";
  bool sharp = p->sharp || p->sharp_v;
  const char *prefix = verb == 'O'   ? "0o"
                       : !sharp      ? ""
                       : verb == 'b' ? "0b"
                       : verb == 'o' ? "0"
                       : verb == 'x' ? "0x"
                       : verb == 'X' ? "0X"
                                     : "";
  int zeros = p->has_prec && (int)digits.n < p->prec ? p->prec - (int)digits.n : 0;
  int length = (int)(strlen(sign) + strlen(prefix) + digits.n) + zeros;
  int pad = p->has_width && length < p->width ? p->width - length : 0;
  if (p->zero && !p->has_prec && !p->minus) zeros += pad, pad = 0;
  if (!p->minus) cue_buf_repeat(p->out, ' ', (size_t)pad);
  cue_buf_z(p->out, sign);
  cue_buf_z(p->out, prefix);
  cue_buf_repeat(p->out, '0', (size_t)zeros);
  for (size_t i = 0; i < digits.n; i++)
    cue_buf_ch(p->out, verb == 'X' && digits.s[i] >= 'a' ? (char)(digits.s[i] - 0x20) : digits.s[i]);
  if (p->minus) cue_buf_repeat(p->out, ' ', (size_t)pad);
}

/* ---- containers -------------------------------------------------------------------------- */

static void print_inner(Printer *p, GoValue v, uint32_t verb);

static void bad_verb(Printer *p, GoValue v, uint32_t verb) {
  cue_buf_z(p->out, "%!");
  cue_buf_rune(p->out, verb);
  cue_buf_ch(p->out, '(');
  if (v.type == GO_NONE || v.type == GO_NIL) {
    cue_buf_z(p->out, "<nil>");
  } else {
    cue_buf_f(p->out, "%s=", type_names[v.type]);
    print_inner(p, v, 'v');
  }
  cue_buf_ch(p->out, ')');
}

static void print_map(Printer *p, const CueStruct *s, uint32_t verb) {
  const CueField *f = go_sorted_fields(p->out->a, s);
  cue_buf_z(p->out, p->sharp_v ? "map[string]interface {}{" : "map[");
  for (uint32_t i = 0; i < s->n; i++) {
    if (i) cue_buf_z(p->out, p->sharp_v ? ", " : " ");
    print_inner(p, go_string(f[i].key), verb);
    cue_buf_ch(p->out, ':');
    print_inner(p, go_value(f[i].value, true), verb);
  }
  cue_buf_ch(p->out, p->sharp_v ? '}' : ']');
}

static void print_list(Printer *p, const CueList *l, uint32_t verb) {
  cue_buf_z(p->out, p->sharp_v ? "[]interface {}{" : "[");
  for (uint32_t i = 0; i < l->n; i++) {
    if (i) cue_buf_z(p->out, p->sharp_v ? ", " : " ");
    print_inner(p, go_value(l->at[i], true), verb);
  }
  cue_buf_ch(p->out, p->sharp_v ? '}' : ']');
}

static void print_bytes(Printer *p, CueStr s, uint32_t verb) {
  if (verb == 's' || verb == 'x' || verb == 'X' || verb == 'q') {
    print_string(p, s, verb);
    return;
  }
  cue_buf_z(p->out, p->sharp_v ? "[]byte{" : "[");
  for (size_t i = 0; i < s.n; i++) {
    if (i) cue_buf_z(p->out, p->sharp_v ? ", " : " ");
    GoValue byte = {GO_UINT8, false, cue_int((unsigned char)s.s[i])};
    if (!print_int(p, byte.v.as.i, false, verb)) bad_verb(p, byte, verb);
  }
  cue_buf_ch(p->out, p->sharp_v ? '}' : ']');
}

static void print_inner(Printer *p, GoValue v, uint32_t verb) {
  bool fits = true;
  if (++p->depth > MAX_NESTING) {
    p->depth--;
    cue_buf_z(p->out, "...");
    return;
  }
  switch (v.type) {
  case GO_NONE:
  case GO_NIL:
    if (p->depth > 1) /* an element: the verb does not matter */
      cue_buf_z(p->out, p->sharp_v ? "interface {}(nil)" : "<nil>");
    else if (verb == 'v')
      put_padded(p, CUE_STR("<nil>"));
    else
      fits = false;
    break;
  case GO_BOOL:
    fits = verb == 't' || verb == 'v';
    if (fits) put_padded(p, v.v.as.b ? CUE_STR("true") : CUE_STR("false"));
    break;
  case GO_INT:
  case GO_INT64: fits = print_int(p, v.v.as.i, true, verb); break;
  case GO_UINT8: fits = print_int(p, v.v.as.i, false, verb); break;
  case GO_BIG_INT: print_big_int(p, v, verb); break;
  case GO_FLOAT64: fits = print_float(p, cue_num_to_double(v.v.as.num), verb); break;
  case GO_BIG_FLOAT: put_padded(p, cue_num_text(p->out->a, v.v.as.num)); break;
  case GO_STRING: fits = print_string(p, cue_value_str(v.v), verb); break;
  case GO_BYTES: print_bytes(p, cue_value_str(v.v), verb); break;
  case GO_LIST: print_list(p, v.v.as.list, verb); break;
  case GO_MAP: print_map(p, v.v.as.fields, verb); break;
  }
  if (!fits) bad_verb(p, v, verb);
  p->depth--;
}

static void print_arg(Printer *p, GoValue v, uint32_t verb) {
  p->depth = 0;
  if (verb == 'T')
    put_padded(p, truncated(p, cue_str(type_names[v.type == GO_NIL ? GO_NONE : v.type])));
  else if (verb == 'p')
    bad_verb(p, v, verb);
  else
    print_inner(p, v, verb);
}

void go_print(CueBuf *out, const GoValue *args, size_t n) {
  bool was_string = false;
  for (size_t i = 0; i < n; i++) {
    bool is_string = args[i].type == GO_STRING;
    if (i && !is_string && !was_string) cue_buf_ch(out, ' ');
    print_arg(&(Printer){.out = out}, args[i], 'v');
    was_string = is_string;
  }
}

void go_println(CueBuf *out, const GoValue *args, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (i) cue_buf_ch(out, ' ');
    print_arg(&(Printer){.out = out}, args[i], 'v');
  }
  cue_buf_ch(out, '\n');
}

/* ---- Sprintf ----------------------------------------------------------------------------- */

#define MAX_NUMBER 1000000 /* of a width or precision */

typedef struct {
  CueStr s;
  size_t i;
  const GoValue *args;
  size_t nargs, next;
  bool reordered, good_index;
} Format;

/* Digits at f->i; *present tells whether there were any. A number too large ends the format. */
static int take_number(Format *f, bool *present) {
  int n = 0;
  *present = false;
  for (; f->i < f->s.n && f->s.s[f->i] >= '0' && f->s.s[f->i] <= '9'; f->i++) {
    if (n > MAX_NUMBER) {
      f->i = f->s.n;
      *present = false;
      return 0;
    }
    n = n * 10 + (f->s.s[f->i] - '0');
    *present = true;
  }
  return n;
}

/* [n] chooses the argument. Returns whether one was there. */
static bool take_index(Format *f) {
  if (f->i >= f->s.n || f->s.s[f->i] != '[') return false;
  f->reordered = true;
  size_t start = f->i, close = start + 1;
  while (close < f->s.n && f->s.s[close] != ']') close++;
  if (close >= f->s.n) {
    f->i = start + 1;
    f->good_index = false;
    return false;
  }
  bool present;
  Format inside = {.s = cue_str_sub(f->s, 0, close), .i = start + 1};
  int n = take_number(&inside, &present);
  bool ok = present && inside.i == close;
  f->i = close + 1;
  if (ok && n >= 1 && (size_t)n <= f->nargs) {
    f->next = (size_t)n - 1;
    return true;
  }
  f->good_index = false;
  return ok;
}

/* A width or precision given as * is an argument. */
static int take_star(Format *f, bool *present) {
  *present = false;
  if (f->next >= f->nargs) return 0;
  GoValue v = f->args[f->next++];
  if (v.type != GO_INT && v.type != GO_INT64 && v.type != GO_UINT8) return 0;
  if (v.v.as.i > MAX_NUMBER || v.v.as.i < -MAX_NUMBER) return 0;
  *present = true;
  return (int)v.v.as.i;
}

static void take_flags(Format *f, Printer *p) {
  for (; f->i < f->s.n; f->i++) {
    switch (f->s.s[f->i]) {
    case '#': p->sharp = true; break;
    case '0': p->zero = true; break;
    case '+': p->plus = true; break;
    case '-': p->minus = true; break;
    case ' ': p->space = true; break;
    default: return;
    }
  }
}

static void take_width_and_precision(Format *f, Printer *p) {
  bool indexed = take_index(f);
  if (f->i < f->s.n && f->s.s[f->i] == '*') {
    f->i++;
    p->width = take_star(f, &p->has_width);
    if (!p->has_width) cue_buf_z(p->out, "%!(BADWIDTH)");
    if (p->width < 0) {
      p->width = -p->width;
      p->minus = true;
      p->zero = false;
    }
    indexed = false;
  } else {
    p->width = take_number(f, &p->has_width);
    if (indexed && p->has_width) f->good_index = false;
  }
  if (f->i + 1 < f->s.n && f->s.s[f->i] == '.') {
    f->i++;
    if (indexed) f->good_index = false;
    indexed = take_index(f);
    if (f->i < f->s.n && f->s.s[f->i] == '*') {
      f->i++;
      p->prec = take_star(f, &p->has_prec);
      if (p->prec < 0) p->prec = 0, p->has_prec = false;
      if (!p->has_prec) cue_buf_z(p->out, "%!(BADPREC)");
      indexed = false;
    } else {
      p->prec = take_number(f, &p->has_prec);
      if (!p->has_prec) p->prec = 0;
      p->has_prec = true;
    }
  }
  if (!indexed) take_index(f);
}

static void print_verb(Format *f, Printer *p, uint32_t verb) {
  if (verb == '%') {
    cue_buf_ch(p->out, '%');
    return;
  }
  if (!f->good_index || f->next >= f->nargs) {
    cue_buf_z(p->out, "%!");
    cue_buf_rune(p->out, verb);
    cue_buf_z(p->out, f->good_index ? "(MISSING)" : "(BADINDEX)");
    return;
  }
  if (verb == 'v') {
    p->sharp_v = p->sharp;
    p->plus_v = p->plus;
    p->sharp = p->plus = false;
  }
  print_arg(p, f->args[f->next++], verb);
}

void go_printf(CueBuf *out, CueStr format, const GoValue *args, size_t n) {
  Format f = {.s = format, .args = args, .nargs = n};
  while (f.i < format.n) {
    if (format.s[f.i] != '%') {
      cue_buf_ch(out, format.s[f.i++]);
      continue;
    }
    f.i++;
    f.good_index = true;
    Printer p = {.out = out};
    take_flags(&f, &p);
    take_width_and_precision(&f, &p);
    if (f.i >= format.n) {
      cue_buf_z(out, "%!(NOVERB)");
      break;
    }
    uint32_t verb = cue_utf8_next(format, &f.i);
    print_verb(&f, &p, verb);
  }
  if (f.reordered || f.next >= n) return;
  cue_buf_z(out, "%!(EXTRA ");
  for (size_t i = f.next; i < n; i++) {
    if (i > f.next) cue_buf_z(out, ", ");
    if (args[i].type == GO_NONE || args[i].type == GO_NIL) {
      cue_buf_z(out, "<nil>");
      continue;
    }
    cue_buf_f(out, "%s=", type_names[args[i].type]);
    print_arg(&(Printer){.out = out}, args[i], 'v');
  }
  cue_buf_ch(out, ')');
}
