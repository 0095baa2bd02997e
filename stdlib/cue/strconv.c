/* strconv.c - CUE's package "strconv": numbers and quoted text.
**
** Integers are of any size. Bases go to 62 as in Go's math/big; the number layer knows bases
** to 36 only, the rest is done here.
*/
#include "stdlib/cue/gotext.h"
#include "stdlib/cue/stdlib.h"
#include "runtime/unicode.h"

#include <string.h>

#define MAX_PRECISION (1 << 24) /* of FormatFloat; beyond it memory would be the limit */

/* strconv.Func: parsing "text": why */
static CueValue num_error(CueCall *c, const char *func, CueStr text, CueStr why) {
  return cue_fail(c, "strconv.%s: parsing %s: %.*s", func, cue_go_quoted(c->a, text).s, CUE_FMT(why));
}

static CueValue syntax_error(CueCall *c, const char *func, CueStr text) {
  return num_error(c, func, text, CUE_STR("invalid syntax"));
}

static CueValue range_error(CueCall *c, const char *func, CueStr text) {
  return num_error(c, func, text, CUE_STR("value out of range"));
}

/* ---- literals of CUE --------------------------------------------------------------------- */

/* In a program, what is wrong inside a string is told as "invalid string: ...", which some of
** the messages already begin with; here it is told as it is. */
static CueStr unquote_error(CueStr why) {
  static const char *const inside[] = {"invalid syntax", "unmatched surrogate pair",
                                       "last newline of multiline string cannot be escaped"};
  CueStr prefix = CUE_STR("invalid string: ");
  if (!cue_str_has_prefix(why, prefix)) return why;
  CueStr rest = cue_str_sub(why, prefix.n, why.n);
  if (cue_str_has_prefix(rest, prefix)) return rest;
  for (size_t i = 0; i < CUE_COUNT(inside); i++)
    if (cue_str_is(rest, inside[i])) return rest;
  return why;
}

static CueValue fn_unquote(CueCall *c) {
  CueStr s = cue_arg_str(c, 0);
  size_t hashes = 0;
  while (hashes < s.n && s.s[hashes] == '#') hashes++;
  if (hashes == s.n) return cue_fail(c, "runtime error: index out of range [0] with length 0");
  if (s.s[hashes] != '"' && s.s[hashes] != '\'') return cue_fail(c, "invalid syntax");
  CueValue v = c->ops->literal(c, s);
  if (v.kind == CUE_BOTTOM) { return cue_fail(c, "%.*s", CUE_FMT(unquote_error(cue_value_str(v)))); }
  return cue_result_string(c->a, cue_value_str(v));
}

static CueValue fn_parse_number(CueCall *c) {
  CueStr s = cue_arg_str(c, 0);
  CueValue v = cue_signed_literal(c, s);
  if (v.kind == CUE_BOTTOM) return num_error(c, "ParseNumber", s, cue_value_str(v));
  const CueNum *n = cue_value_num(c->a, v);
  return cue_num_is_int(n) ? cue_int_num(cue_num_round_int(c->a, n, CUE_ROUND_HALF_UP)) : cue_float_num(n);
}

/* ---- bool and float ---------------------------------------------------------------------- */

static CueValue fn_parse_bool(CueCall *c) {
  static const char *const yes[] = {"1", "t", "T", "true", "TRUE", "True"};
  static const char *const no[] = {"0", "f", "F", "false", "FALSE", "False"};
  CueStr s = cue_arg_str(c, 0);
  for (size_t i = 0; i < CUE_COUNT(yes); i++) {
    if (cue_str_is(s, yes[i])) return cue_bool(true);
    if (cue_str_is(s, no[i])) return cue_bool(false);
  }
  return syntax_error(c, "ParseBool", s);
}

static CueValue fn_format_bool(CueCall *c) { return cue_string(c->args[0].as.b ? CUE_STR("true") : CUE_STR("false")); }

static CueValue fn_parse_float(CueCall *c) {
  CueStr s = cue_arg_str(c, 0);
  int64_t bits;
  if (!cue_arg_int64(c, 1, &bits)) return c->error;
  double f = 0;
  switch (cue_go_parse_float(c->a, s, bits == 32 ? 32 : 64, &f)) {
  case CUE_GO_FLOAT_SYNTAX: return syntax_error(c, "ParseFloat", s);
  case CUE_GO_FLOAT_RANGE: return range_error(c, "ParseFloat", s);
  case CUE_GO_FLOAT_OK: break;
  }
  return cue_float_num(cue_num_from_double(c->a, f));
}

static CueValue fn_format_float(CueCall *c) {
  double f = cue_arg_double(c, 0);
  uint8_t form;
  int64_t prec, bits;
  if (!cue_arg_byte(c, 1, &form) || !cue_arg_int64(c, 2, &prec) || !cue_arg_int64(c, 3, &bits)) return c->error;
  if (bits != 32 && bits != 64) return cue_fail(c, "strconv: illegal AppendFloat/FormatFloat bitSize");
  if (prec > MAX_PRECISION) return cue_fail(c, "runtime error: makeslice: cap out of range");
  CueBuf out = cue_buf(c->a);
  cue_go_float(&out, f, (char)form, prec < 0 ? -1 : (int)prec, (int)bits);
  return cue_result_string(c->a, cue_buf_done(&out));
}

/* ---- integers ---------------------------------------------------------------------------- */

/* The two parsers differ in the range that a bit size allows; bits 0 allows all. */
static CueValue parse_int(CueCall *c, const char *func, int64_t base, int64_t bits, bool is_signed) {
  CueStr s = cue_arg_str(c, 0);
  if (bits < 0) return range_error(c, func, s);
  if (s.n == 0) return syntax_error(c, func, s);
  if (base != 0 && (base < 2 || base > 62)) return cue_fail(c, "invalid number base %lld", (long long)base);
  const CueNum *n = cue_go_parse_int(c->a, s, (unsigned)base);
  if (!n) return syntax_error(c, func, s);
  bool negative = cue_num_sign(n) < 0;
  if (negative && !is_signed) return range_error(c, func, s);
  if (bits > 0) {
    /* The smallest negative number is one further from zero than the largest positive one. */
    const CueNum *m = n;
    if (negative) cue_num_add(c->a, n, cue_num_from_int(c->a, 1), true, &m);
    if ((int64_t)cue_num_bitlen(m) > (is_signed ? bits - 1 : bits)) return range_error(c, func, s);
  }
  return cue_int_num(n);
}

static CueValue fn_parse_int(CueCall *c) {
  int64_t base, bits;
  if (!cue_arg_int64(c, 1, &base) || !cue_arg_int64(c, 2, &bits)) return c->error;
  return parse_int(c, "ParseInt", base, bits, true);
}

static CueValue fn_parse_uint(CueCall *c) {
  int64_t base, bits;
  if (!cue_arg_int64(c, 1, &base) || !cue_arg_int64(c, 2, &bits)) return c->error;
  return parse_int(c, "ParseUint", base, bits, false);
}

static CueValue fn_atoi(CueCall *c) { return parse_int(c, "Atoi", 10, 0, true); }

static CueStr large_base_text(CueArena *a, const CueNum *x, int64_t base) {
  static const char names[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (cue_num_sign(x) == 0) return CUE_STR("0");
  CueBuf back = cue_buf(a);
  const CueNum *left = cue_num_abs(a, x), *scale = cue_num_from_int(a, base);
  while (cue_num_sign(left) > 0) {
    const CueNum *digit;
    int64_t d = 0;
    cue_num_int_rem(a, left, scale, &digit);
    cue_num_int_quo(a, left, scale, &left);
    cue_num_to_int64(digit, &d);
    cue_buf_ch(&back, names[d]);
  }
  if (cue_num_sign(x) < 0) cue_buf_ch(&back, '-');
  for (size_t i = 0, j = back.n - 1; i < j; i++, j--) {
    char t = back.s[i];
    back.s[i] = back.s[j];
    back.s[j] = t;
  }
  return cue_buf_done(&back);
}

static CueValue fn_format_int(CueCall *c) {
  int64_t base;
  if (!cue_arg_int64(c, 1, &base)) return c->error;
  if (base < 2 || base > 62) return cue_fail(c, "invalid base");
  const CueNum *x = cue_arg_num(c, 0);
  return cue_string(base <= 36 ? cue_num_text_radix(c->a, x, (unsigned)base) : large_base_text(c->a, x, base));
}

/* ---- quoting ----------------------------------------------------------------------------- */

static CueValue quote(CueCall *c, CueGoQuote keep) {
  CueBuf out = cue_buf(c->a);
  cue_go_quote(&out, cue_arg_str(c, 0), keep);
  return cue_string(cue_buf_done(&out));
}

static CueValue fn_quote(CueCall *c) { return quote(c, CUE_GO_PRINT); }
static CueValue fn_quote_ascii(CueCall *c) { return quote(c, CUE_GO_ASCII); }
static CueValue fn_quote_graphic(CueCall *c) { return quote(c, CUE_GO_GRAPHIC); }

static CueValue quote_rune(CueCall *c, CueGoQuote keep) {
  int32_t r;
  if (!cue_arg_rune(c, 0, &r)) return c->error;
  CueBuf out = cue_buf(c->a);
  cue_go_quote_rune(&out, r, keep);
  return cue_string(cue_buf_done(&out));
}

static CueValue fn_quote_rune(CueCall *c) { return quote_rune(c, CUE_GO_PRINT); }
static CueValue fn_quote_rune_ascii(CueCall *c) { return quote_rune(c, CUE_GO_ASCII); }
static CueValue fn_quote_rune_graphic(CueCall *c) { return quote_rune(c, CUE_GO_GRAPHIC); }

static CueValue fn_is_print(CueCall *c) {
  int32_t r;
  if (!cue_arg_rune(c, 0, &r)) return c->error;
  return cue_bool(r >= 0 && cue_uni_is_print((uint32_t)r));
}

static CueValue fn_is_graphic(CueCall *c) {
  int32_t r;
  if (!cue_arg_rune(c, 0, &r)) return c->error;
  return cue_bool(r >= 0 && cue_uni_is_graphic((uint32_t)r));
}

static const CueBuiltin functions[] = {
    {"Unquote", "s", 's', fn_unquote},
    {"ParseBool", "s", 'b', fn_parse_bool},
    {"FormatBool", "b", 's', fn_format_bool},
    {"ParseFloat", "si", 'n', fn_parse_float},
    {"ParseNumber", "s", 'n', fn_parse_number},
    {"ParseUint", "sii", 'i', fn_parse_uint},
    {"ParseInt", "sii", 'i', fn_parse_int},
    {"Atoi", "s", 'i', fn_atoi},
    {"FormatFloat", "niii", 's', fn_format_float},
    {"FormatUint", "ii", 's', fn_format_int},
    {"FormatInt", "ii", 's', fn_format_int},
    {"Quote", "s", 's', fn_quote},
    {"QuoteToASCII", "s", 's', fn_quote_ascii},
    {"QuoteToGraphic", "s", 's', fn_quote_graphic},
    {"QuoteRune", "i", 's', fn_quote_rune},
    {"QuoteRuneToASCII", "i", 's', fn_quote_rune_ascii},
    {"QuoteRuneToGraphic", "i", 's', fn_quote_rune_graphic},
    {"IsPrint", "i", 'b', fn_is_print},
    {"IsGraphic", "i", 'b', fn_is_graphic},
};

const CueBuiltinPackage cue_pkg_strconv = {"strconv", functions, CUE_COUNT(functions), "IntSize: 64", true};
