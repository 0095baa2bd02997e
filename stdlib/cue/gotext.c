/* gotext.c - quoted text and numbers as Go reads and writes them.
**
** Floats are made of decimal digits that the C library computes (glibc rounds exactly, to
** nearest even, as Go does); only their arrangement is Go's.
*/
#include "stdlib/cue/gotext.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/unicode.h"

/* ---- quoting ----------------------------------------------------------------------------- */

static void quote_rune(CueBuf *out, uint32_t r, char quote, CueGoQuote keep) {
  if (r == (unsigned char)quote || r == '\\') {
    cue_buf_ch(out, '\\');
    cue_buf_ch(out, (char)r);
    return;
  }
  if (keep == CUE_GO_ASCII ? r >= 0x20 && r < 0x7F
                           : cue_uni_is_print(r) || (keep == CUE_GO_GRAPHIC && cue_uni_is_graphic(r))) {
    cue_buf_rune(out, r);
    return;
  }
  static const char names[] = "abtnvfr"; /* of U+0007 .. U+000D */
  if (r >= 7 && r <= 13) {
    cue_buf_ch(out, '\\');
    cue_buf_ch(out, names[r - 7]);
  } else if (r < ' ' || r == 0x7F) {
    cue_buf_f(out, "\\x%02x", r);
  } else if (r < 0x10000) {
    cue_buf_f(out, "\\u%04x", r);
  } else {
    cue_buf_f(out, "\\U%08x", r);
  }
}

void cue_go_quote(CueBuf *out, CueStr s, CueGoQuote keep) {
  cue_buf_ch(out, '"');
  for (size_t i = 0; i < s.n;) {
    size_t at = i;
    uint32_t r = cue_utf8_next(s, &i);
    if (r == CUE_RUNE_ERROR && i - at == 1)
      cue_buf_f(out, "\\x%02x", (unsigned char)s.s[at]);
    else
      quote_rune(out, r, '"', keep);
  }
  cue_buf_ch(out, '"');
}

void cue_go_quote_rune(CueBuf *out, int32_t r, CueGoQuote keep) {
  bool valid = r >= 0 && r <= 0x10FFFF && !(r >= 0xD800 && r < 0xE000);
  cue_buf_ch(out, '\'');
  quote_rune(out, valid ? (uint32_t)r : CUE_RUNE_ERROR, '\'', keep);
  cue_buf_ch(out, '\'');
}

CueStr cue_go_quoted(CueArena *a, CueStr s) {
  CueBuf out = cue_buf(a);
  cue_go_quote(&out, s, CUE_GO_PRINT);
  return cue_buf_done(&out);
}

static int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') return (c | 0x20) - 'a' + 10;
  return -1;
}

/* Digits of an escape: n of them in the base, at *i. */
static bool escape_value(CueStr s, size_t *i, size_t n, unsigned base, uint32_t *value) {
  *value = 0;
  for (size_t end = *i + n; *i < end; ++*i) {
    int d = *i < s.n ? hex_value(s.s[*i]) : -1;
    if (d < 0 || (unsigned)d >= base) return false;
    *value = *value * base + (uint32_t)d;
  }
  return true;
}

/* The character or byte at *i. Escapes are Go's; the other quote needs none and may have none. */
static bool unquote_char(CueStr s, size_t *i, char quote, uint32_t *r, bool *is_byte) {
  static const char names[] = "abfnrtv\\", values[] = "\a\b\f\n\r\t\v\\";
  *is_byte = false;
  if (s.s[*i] == quote) return false;
  if (s.s[*i] != '\\') {
    *r = cue_utf8_next(s, i);
    return true;
  }
  if (++*i >= s.n) return false;
  char c = s.s[(*i)++];
  const char *name = c ? strchr(names, c) : NULL;
  if (name) {
    *r = (unsigned char)values[name - names];
    return true;
  }
  switch (c) {
  case 'x': *is_byte = true; return escape_value(s, i, 2, 16, r);
  case 'u':
  case 'U': return escape_value(s, i, c == 'u' ? 4 : 8, 16, r) && *r <= 0x10FFFF && !(*r >= 0xD800 && *r < 0xE000);
  case '\'':
  case '"': *r = (unsigned char)c; return c == quote;
  default: break;
  }
  *is_byte = true;
  --*i;
  return escape_value(s, i, 3, 8, r) && *r <= 255;
}

bool cue_go_unquote(CueArena *a, CueStr s, CueStr *out) {
  if (s.n < 2 || s.s[0] != s.s[s.n - 1]) return false;
  char quote = s.s[0];
  CueStr body = cue_str_sub(s, 1, s.n - 1);
  CueBuf buf = cue_buf(a);
  if (quote == '`') {
    for (size_t i = 0; i < body.n; i++)
      if (body.s[i] != '\r') cue_buf_ch(&buf, body.s[i]);
    *out = cue_buf_done(&buf);
    return true;
  }
  size_t n = 0;
  for (size_t i = 0; i < body.n; n++) {
    uint32_t r;
    bool is_byte;
    if (body.s[i] == '\n' || !unquote_char(body, &i, quote, &r, &is_byte)) return false;
    if (is_byte)
      cue_buf_ch(&buf, (char)(unsigned char)r);
    else
      cue_buf_rune(&buf, r);
  }
  *out = cue_buf_done(&buf);
  return quote == '"' || (quote == '\'' && n == 1);
}

bool cue_go_unquote_rune(CueStr s, uint32_t *r, size_t *used) {
  bool is_byte;
  *used = 1;
  return s.n > 1 && unquote_char(s, used, s.s[0], r, &is_byte);
}

void cue_go_code_point(CueBuf *out, uint32_t r) {
  cue_buf_f(out, "U+%04X", r);
  if (!cue_uni_is_print(r)) return;
  cue_buf_z(out, " '");
  cue_buf_rune(out, r);
  cue_buf_ch(out, '\'');
}

/* ---- floats ------------------------------------------------------------------------------ */

/* 0.d1d2d3... * 10^point; n digits without trailing zeros, none for zero. */
typedef struct {
  const char *d;
  int n, point;
} Digits;

static double read_back(const char *z, int bits) { return bits == 32 ? (double)strtof(z, NULL) : strtod(z, NULL); }

/* Takes "d.ddde[+-]xx" apart; the digits overwrite the text. */
static Digits take_apart(char *z) {
  char *exp = strchr(z, 'e');
  Digits d = {z, 0, (int)strtol(exp + 1, NULL, 10) + 1};
  for (char *p = z; p < exp; p++)
    if (*p != '.') z[d.n++] = *p;
  while (d.n && z[d.n - 1] == '0') d.n--;
  if (d.n == 0) d.point = 0;
  return d;
}

/* Correctly rounded to n digits; f is finite and not negative. */
static Digits round_digits(CueArena *a, double f, int n) {
  return take_apart((char *)(uintptr_t)cue_strf(a, "%.*e", n - 1, f).s);
}

/* Next to a power of two the gap below is half the gap above, so the nearest n digits may
** not read back where the next larger ones do. */
static bool next_larger(char *z, double f, int bits) {
  char *exp = strchr(z, 'e');
  for (char *p = exp - 1; p >= z; p--) {
    if (*p == '.') continue;
    if (*p != '9') {
      ++*p;
      return read_back(z, bits) == f;
    }
    *p = '0';
  }
  return false;
}

static Digits shortest_digits(CueArena *a, double f, int bits) {
  if (f == 0) return (Digits){"", 0, 0};
  for (int n = 1;; n++) {
    char *z = (char *)(uintptr_t)cue_strf(a, "%.*e", n - 1, f).s;
    if (n == 17 || read_back(z, bits) == f || next_larger(z, f, bits)) return take_apart(z);
  }
}

static void put_e(CueBuf *out, Digits d, int prec, char e) {
  cue_buf_ch(out, d.n ? d.d[0] : '0');
  if (prec > 0) {
    int have = d.n - 1 < 0 ? 0 : d.n - 1 < prec ? d.n - 1 : prec;
    cue_buf_ch(out, '.');
    cue_buf_add(out, d.d + (d.n ? 1 : 0), (size_t)have);
    cue_buf_repeat(out, '0', (size_t)(prec - have));
  }
  int exp = d.n ? d.point - 1 : 0;
  cue_buf_f(out, "%c%c%02d", e, exp < 0 ? '-' : '+', abs(exp));
}

static void put_f(CueBuf *out, Digits d, int prec) {
  for (int i = 0; i < d.point; i++) cue_buf_ch(out, i < d.n ? d.d[i] : '0');
  if (d.point <= 0) cue_buf_ch(out, '0');
  if (prec > 0) cue_buf_ch(out, '.');
  for (int i = 0; i < prec; i++) {
    int j = d.point + i;
    cue_buf_ch(out, j >= 0 && j < d.n ? d.d[j] : '0');
  }
}

/* Sign, exponent and mantissa: f = mantissa * 2^(exp - mantissa bits). */
typedef struct {
  uint64_t mant;
  int exp, mant_bits;
} Parts;

static Parts float_parts(double f, int bits) {
  if (bits == 32) {
    float g = (float)f;
    uint32_t u;
    memcpy(&u, &g, sizeof u);
    int exp = (int)(u >> 23 & 0xFF);
    uint32_t mant = u & 0x7FFFFF;
    return (Parts){exp ? mant | 0x800000 : mant, (exp ? exp : 1) - 127, 23};
  }
  uint64_t u;
  memcpy(&u, &f, sizeof u);
  int exp = (int)(u >> 52 & 0x7FF);
  uint64_t mant = u & (((uint64_t)1 << 52) - 1);
  return (Parts){exp ? mant | (uint64_t)1 << 52 : mant, (exp ? exp : 1) - 1023, 52};
}

static void put_hex(CueBuf *out, Parts p, char form, int prec) {
  const char *hex = form == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  const uint64_t one = (uint64_t)1 << 60; /* the leading 1 is moved here */
  uint64_t mant = p.mant << (60 - p.mant_bits);
  int exp = p.mant ? p.exp : 0;
  while (mant && !(mant & one)) mant <<= 1, exp--;
  if (prec >= 0 && prec < 15) {
    int shift = prec * 4;
    uint64_t extra = mant << shift & (one - 1);
    mant >>= 60 - shift;
    if ((extra | (mant & 1)) > one >> 1) mant++;
    mant <<= 60 - shift;
    if (mant & one << 1) mant >>= 1, exp++;
  }
  cue_buf_ch(out, '0');
  cue_buf_ch(out, form);
  cue_buf_ch(out, mant & one ? '1' : '0');
  mant <<= 4;
  if (prec < 0 ? mant != 0 : prec > 0) cue_buf_ch(out, '.');
  for (int i = 0; prec < 0 ? mant != 0 : i < prec; i++, mant <<= 4) cue_buf_ch(out, hex[mant >> 60 & 15]);
  cue_buf_f(out, "%c%c%02d", form == 'X' ? 'P' : 'p', exp < 0 ? '-' : '+', abs(exp));
}

static bool put_special(CueBuf *out, double f) {
  if (isfinite(f)) return false;
  cue_buf_z(out, isnan(f) ? "NaN" : f < 0 ? "-Inf" : "+Inf");
  return true;
}

void cue_go_float(CueBuf *out, double f, char form, int prec, int bits) {
  if (bits == 32) f = (double)(float)f;
  if (put_special(out, f)) return;
  if (!strchr("eEfgGbxX", form) || !form) {
    cue_buf_ch(out, '%');
    cue_buf_ch(out, form);
    return;
  }
  if (signbit(f)) cue_buf_ch(out, '-');
  f = fabs(f);
  if (form == 'b') {
    Parts p = float_parts(f, bits);
    cue_buf_f(out, "%llup%+d", (unsigned long long)p.mant, p.exp - p.mant_bits);
    return;
  }
  if (form == 'x' || form == 'X') {
    put_hex(out, float_parts(f, bits), form, prec);
    return;
  }
  bool shortest = prec < 0;
  if (!shortest && form != 'g' && form != 'G') {
    cue_buf_str(out, cue_strf(out->a, form == 'f' ? "%.*f" : form == 'e' ? "%.*e" : "%.*E", prec, f));
    return;
  }
  if (prec == 0) prec = 1; /* only g is left */
  Digits d = shortest ? shortest_digits(out->a, f, bits) : round_digits(out->a, f, prec);
  if (form == 'f') {
    put_f(out, d, d.n > d.point ? d.n - d.point : 0);
    return;
  }
  if (form == 'e' || form == 'E') {
    put_e(out, d, d.n > 0 ? d.n - 1 : 0, form);
    return;
  }
  if (shortest) prec = d.n;
  int limit = shortest ? 6 : prec > d.n && d.n >= d.point ? d.n : prec;
  if (d.point - 1 < -4 || d.point - 1 >= limit)
    put_e(out, d, (prec > d.n ? d.n : prec) - 1, form == 'g' ? 'e' : 'E');
  else
    put_f(out, d, (prec > d.point ? d.n : prec) - d.point);
}

/* ---- reading floats ---------------------------------------------------------------------- */

static bool is_digit(char c, bool hex) {
  return (c >= '0' && c <= '9') || (hex && (c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

static bool equals_fold(CueStr s, const char *lower) {
  if (s.n != strlen(lower)) return false;
  for (size_t i = 0; i < s.n; i++)
    if ((s.s[i] | 0x20) != lower[i]) return false;
  return true;
}

/* Underscores stand between digits, or between a base prefix and a digit. */
static bool underscores_ok(CueStr s) {
  size_t i = s.n && (s.s[0] == '-' || s.s[0] == '+');
  bool hex = i + 1 < s.n && s.s[i] == '0' && (s.s[i + 1] | 0x20) == 'x';
  if (hex) i += 2;
  char saw = hex ? '0' : '^';
  for (; i < s.n; i++) {
    if (is_digit(s.s[i], hex)) {
      saw = '0';
    } else if (s.s[i] == '_') {
      if (saw != '0') return false;
      saw = '_';
    } else {
      if (saw == '_') return false;
      saw = '!';
    }
  }
  return saw != '_';
}

CueGoFloat cue_go_parse_float(CueArena *a, CueStr s, int bits, double *out) {
  size_t i = s.n && (s.s[0] == '-' || s.s[0] == '+');
  CueStr word = cue_str_sub(s, i, s.n);
  if (equals_fold(word, "inf") || equals_fold(word, "infinity")) {
    *out = s.s[0] == '-' ? -(double)INFINITY : (double)INFINITY;
    return CUE_GO_FLOAT_OK;
  }
  if (equals_fold(s, "nan")) {
    *out = (double)NAN;
    return CUE_GO_FLOAT_OK;
  }
  CueBuf plain = cue_buf(a); /* without underscores, for the C library */
  if (i) cue_buf_ch(&plain, s.s[0]);
  bool hex = i + 2 < s.n && s.s[i] == '0' && (s.s[i + 1] | 0x20) == 'x';
  if (hex) {
    cue_buf_z(&plain, "0x");
    i += 2;
  }
  bool digits = false, dot = false, underscores = false;
  for (; i < s.n; i++) {
    if (s.s[i] == '_') {
      underscores = true;
      continue;
    }
    if (s.s[i] == '.') {
      if (dot) return CUE_GO_FLOAT_SYNTAX;
      dot = true;
    } else if (is_digit(s.s[i], hex)) {
      digits = true;
    } else {
      break;
    }
    cue_buf_ch(&plain, s.s[i]);
  }
  if (!digits) return CUE_GO_FLOAT_SYNTAX;
  if (i < s.n && (s.s[i] | 0x20) == (hex ? 'p' : 'e')) {
    cue_buf_ch(&plain, s.s[i++]);
    if (i < s.n && (s.s[i] == '-' || s.s[i] == '+')) cue_buf_ch(&plain, s.s[i++]);
    if (i == s.n || !is_digit(s.s[i], false)) return CUE_GO_FLOAT_SYNTAX;
    for (; i < s.n && (is_digit(s.s[i], false) || s.s[i] == '_'); i++) {
      if (s.s[i] == '_')
        underscores = true;
      else
        cue_buf_ch(&plain, s.s[i]);
    }
  } else if (hex) {
    return CUE_GO_FLOAT_SYNTAX;
  }
  if (i != s.n || (underscores && !underscores_ok(s))) return CUE_GO_FLOAT_SYNTAX;
  *out = read_back(cue_buf_done(&plain).s, bits);
  return isinf(*out) ? CUE_GO_FLOAT_RANGE : CUE_GO_FLOAT_OK;
}

/* ---- integers ---------------------------------------------------------------------------- */

/* The value of a digit in Go's bases, where upper case is the same as lower case up to 36; 99 if none. */
static unsigned digit_value(char ch, unsigned base) {
  if (ch >= '0' && ch <= '9') return (unsigned)(ch - '0');
  if (ch >= 'a' && ch <= 'z') return (unsigned)(ch - 'a') + 10;
  if (ch >= 'A' && ch <= 'Z') return (unsigned)(ch - 'A') + (base <= 36 ? 10 : 36);
  return 99;
}

/* digits are valid in base. NULL if they are too many. */
static const CueNum *from_digits(CueArena *a, CueStr digits, unsigned base) {
  if (base <= 36) return cue_num_parse_radix(a, digits, base);
  const CueNum *sum = cue_num_from_int(a, 0);
  for (size_t i = 0; i < digits.n;) { /* ten digits at a time: 62 to the tenth fits */
    int64_t part = 0, scale = 1;
    for (size_t end = i + 10; i < end && i < digits.n; i++) {
      part = part * base + digit_value(digits.s[i], base);
      scale *= base;
    }
    if (cue_num_mul(a, sum, cue_num_from_int(a, scale), true, &sum) != CUE_NUM_OK) return NULL;
    if (cue_num_add(a, sum, cue_num_from_int(a, part), true, &sum) != CUE_NUM_OK) return NULL;
  }
  return sum;
}

const CueNum *cue_go_parse_int(CueArena *a, CueStr s, unsigned base) {
  if (s.n == 0) return NULL;
  size_t i = s.s[0] == '-' || s.s[0] == '+';
  bool separators = base == 0, octal_zero = false;
  char before = '.'; /* '0' after a digit or prefix, '_' after a separator */
  if (base == 0) {
    base = 10;
    if (i < s.n && s.s[i] == '0') {
      before = '0';
      char kind = i + 1 < s.n ? (char)(s.s[i + 1] | 0x20) : '\0';
      if (i + 1 < s.n) base = kind == 'b' ? 2 : kind == 'x' ? 16 : 8;
      octal_zero = base == 8 && kind != 'o';
      if (base != 10) i += octal_zero ? 1 : 2;
    }
  }
  CueBuf digits = cue_buf(a);
  for (; i < s.n; i++) {
    if (s.s[i] == '_' && separators) {
      if (before != '0') return NULL;
      before = '_';
      continue;
    }
    if (digit_value(s.s[i], base) >= base) return NULL;
    cue_buf_ch(&digits, s.s[i]);
    before = '0';
  }
  if (before == '_' || (!digits.n && !octal_zero)) return NULL;
  if (!digits.n) cue_buf_ch(&digits, '0');
  const CueNum *n = from_digits(a, cue_buf_done(&digits), base);
  return n && s.s[0] == '-' ? cue_num_neg(a, n) : n;
}
