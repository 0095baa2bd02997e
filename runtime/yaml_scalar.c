/* yaml_scalar.c - what a plain scalar of YAML is.
**
** These are the rules of Go's YAML 3: the booleans and nulls of YAML 1.2, integers of every
** prefix Go knows, floats that a double can hold. Both directions need them: the reader to
** type a scalar, the emitter to know which strings need quotes.
*/
#include "runtime/yaml_scalar.h"

#include <stdlib.h>
#include <string.h>

bool cue_one_of(CueStr s, const char *words) {
  /* words are separated by one space */
  for (const char *p = words; *p;) {
    size_t n = strcspn(p, " ");
    if (n == s.n && memcmp(p, s.s, n) == 0) return true;
    p += n;
    if (*p) p++;
  }
  return false;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Digits of the base after an optional sign, worth at most 64 bits (63 and a sign). */
static bool is_int_in_base(CueStr s, unsigned base) {
  size_t i = 0;
  bool sign = s.n && (s.s[0] == '-' || s.s[0] == '+'), minus = sign && s.s[0] == '-';
  if (sign) i++;
  if (i == s.n) return false;
  uint64_t u = 0, limit = minus ? (uint64_t)1 << 63 : sign ? (uint64_t)INT64_MAX : UINT64_MAX;
  for (; i < s.n; i++) {
    char c = s.s[i];
    unsigned v = is_digit(c)                              ? (unsigned)(c - '0')
                 : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (unsigned)((c | 0x20) - 'a') + 10
                                                          : 99u;
    if (v >= base || __builtin_mul_overflow(u, (uint64_t)base, &u) || __builtin_add_overflow(u, (uint64_t)v, &u))
      return false;
  }
  return u <= limit;
}

/* An integer as Go reads it with its base in the prefix: 0x, 0b, 0o or just 0. */
static bool is_go_int(CueStr s) {
  size_t i = s.n && (s.s[0] == '-' || s.s[0] == '+') ? 1 : 0;
  unsigned base = 10, skip = 0;
  if (s.n - i >= 2 && s.s[i] == '0') {
    char c = (char)(s.s[i + 1] | 0x20);
    base = c == 'x' ? 16 : c == 'b' ? 2 : 8;
    skip = c == 'x' || c == 'b' || c == 'o' ? 2 : 1;
  }
  if (skip == 0) return is_int_in_base(s, 10);
  CueStr digits = cue_str_sub(s, i + skip, s.n);
  if (digits.n == 0 || digits.s[0] == '-' || digits.s[0] == '+') return false;
  char *signed_digits = (char[80]){0};
  if (digits.n > 78) { /* only leading zeros could make this fit */
    while (digits.n > 1 && digits.s[0] == '0') digits = cue_str_sub(digits, 1, digits.n);
    if (digits.n > 78) return false;
  }
  signed_digits[0] = i ? s.s[0] : '0';
  memcpy(signed_digits + 1, digits.s, digits.n);
  return is_int_in_base((CueStr){signed_digits, digits.n + 1}, base);
}

/* [-+]? ( .digits | digits [. digits*] ) [ e [-+]? digits ], and a double can hold it. */
static bool is_float(CueStr s) {
  size_t i = 0, digits = 0;
  if (i < s.n && (s.s[i] == '-' || s.s[i] == '+')) i++;
  for (; i < s.n && is_digit(s.s[i]); i++) digits++;
  bool lead = digits > 0;
  if (i < s.n && s.s[i] == '.') {
    i++;
    for (; i < s.n && is_digit(s.s[i]); i++) digits += lead ? 0 : 1;
  }
  if (digits == 0) return false;
  bool exponent = i < s.n;
  if (exponent) {
    if ((s.s[i++] | 0x20) != 'e') return false;
    if (i < s.n && (s.s[i] == '-' || s.s[i] == '+')) i++;
    if (i == s.n) return false;
    for (; i < s.n; i++)
      if (!is_digit(s.s[i])) return false;
  }
  if (!exponent && s.n < 300) return true;
  CueArena *scratch = cue_arena_new();
  double d = strtod(cue_str_copy(scratch, s).s, NULL);
  cue_arena_free(scratch);
  return d - d == 0;
}

static CueYamlTag resolve_number(CueStr s) {
  if (s.n == 0) return CUE_YAML_STR;
  if (is_go_int(s)) return CUE_YAML_INT;
  if (is_float(s)) return CUE_YAML_FLOAT;
  size_t sign = s.s[0] == '-';
  if (s.n > sign + 2 && s.s[sign] == '0' && (s.s[sign + 1] == 'b' || s.s[sign + 1] == 'o')) {
    /* Here Go also reads a sign after the prefix. */
    CueStr rest = cue_str_sub(s, sign + 2, s.n);
    if (sign && (rest.s[0] == '-' || rest.s[0] == '+')) return CUE_YAML_STR;
    if (is_int_in_base(rest, s.s[sign + 1] == 'b' ? 2 : 8)) return CUE_YAML_INT;
  }
  return CUE_YAML_STR;
}

CueYamlTag cue_yaml_resolve(CueStr s) {
  if (s.n == 0) return CUE_YAML_NULL;
  char c = s.s[0];
  if (!is_digit(c) && c != '+' && c != '-' && c != '.') {
    if (s.n > 5 || !memchr("tTfFnN~", c, 7)) return CUE_YAML_STR;
    if (cue_one_of(s, "true True TRUE false False FALSE")) return CUE_YAML_BOOL;
    return cue_one_of(s, "null Null NULL ~") ? CUE_YAML_NULL : CUE_YAML_STR;
  }
  if (s.n <= 5 && !is_digit(c) && cue_one_of(s, ".nan .NaN .NAN .inf .Inf .INF +.inf +.Inf +.INF -.inf -.Inf -.INF"))
    return CUE_YAML_FLOAT;
  if (c == '.') return is_float(s) ? CUE_YAML_FLOAT : CUE_YAML_STR;
  if (!memchr(s.s, '_', s.n)) return resolve_number(s);
  CueArena *scratch = cue_arena_new();
  char *p = cue_alloc(scratch, s.n);
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++)
    if (s.s[i] != '_') p[n++] = s.s[i];
  CueYamlTag tag = resolve_number((CueStr){p, n});
  cue_arena_free(scratch);
  return tag;
}
