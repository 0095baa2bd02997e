/* fqdn.c - whether a text is a fully qualified domain name, by the rules of UTS 46 as cue applies them.
**
** ASCII labels are checked for length and hyphens only: cue's profile asks for strict
** names, but its library does not look at ASCII, so "under_score" and even "a b" pass.
** Labels in punycode are decoded and every character is looked up. Whether the decoded
** label is in normal form is not checked; joiners are not allowed at all.
*/
#include "stdlib/cue/fqdn.h"

#include "stdlib/cue/idna_tables.h"

#define MAX_LABEL 63
#define MAX_NAME 253
#define COUNT(table) (sizeof(table) / sizeof *(table))

static bool in_runs(const IdnaRun *runs, size_t n, uint32_t r) {
  size_t lo = 0, hi = n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (r < runs[mid].first)
      hi = mid;
    else if (r > runs[mid].last)
      lo = mid + 1;
    else
      return true;
  }
  return false;
}

/* Inside punycode the strict rules do hold. */
static bool valid_decoded(uint32_t r) {
  if (r < 0x80) return (r >= 'a' && r <= 'z') || (r >= '0' && r <= '9') || r == '-';
  return in_runs(idna_valid, COUNT(idna_valid), r);
}

/* Counts bytes, of UTF-8 too: a two-byte letter before "--" is refused like two letters. */
static bool hyphens_ok(CueStr s) {
  if (s.n > 4 && s.s[2] == '-' && s.s[3] == '-') return false;
  return s.s[0] != '-' && s.s[s.n - 1] != '-';
}

/* ---- punycode, RFC 3492 ---- */

enum { BASE = 36, TMIN = 1, TMAX = 26, SKEW = 38, DAMP = 700, INITIAL_BIAS = 72, INITIAL_N = 128 };

static int32_t adapt(int32_t delta, int32_t points, bool first) {
  delta /= first ? DAMP : 2;
  delta += delta / points;
  int32_t k = 0;
  for (; delta > (BASE - TMIN) * TMAX / 2; k += BASE) delta /= BASE - TMIN;
  return k + (BASE - TMIN + 1) * delta / (delta + SKEW);
}

static int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0' + 26;
  if (c >= 'A' && c <= 'Z') return c - 'A';
  return c >= 'a' && c <= 'z' ? c - 'a' : -1;
}

/* Decodes one number of the encoding at *pos into *i; false if it is malformed or too large. */
static bool next_delta(CueStr s, size_t *pos, int32_t bias, int32_t *i) {
  int32_t weight = 1;
  for (int32_t k = BASE;; k += BASE) {
    int digit = *pos < s.n ? digit_value(s.s[*pos]) : -1;
    if (digit < 0) return false;
    (*pos)++;
    int32_t step;
    if (__builtin_mul_overflow(digit, weight, &step) || __builtin_add_overflow(*i, step, i)) return false;
    int32_t t = k <= bias ? TMIN : k >= bias + TMAX ? TMAX : k - bias;
    if (digit < t) return true;
    if (__builtin_mul_overflow(weight, BASE - t, &weight)) return false;
  }
}

/* Decodes what follows "xn--" of a label into out, which has room for MAX_LABEL; *n may be 0. */
static bool punycode_decode(CueStr s, uint32_t *out, size_t *n) {
  size_t dash = s.n;
  while (dash > 0 && s.s[dash - 1] != '-') dash--; /* just after the last '-', or 0 */
  *n = 0;
  if (s.n == 0) return true;
  if (dash == 1) return false;
  for (size_t k = 0; k + 1 < dash; k++) out[(*n)++] = (unsigned char)s.s[k];
  int32_t i = 0, code = INITIAL_N, bias = INITIAL_BIAS;
  for (size_t pos = dash; pos < s.n;) {
    int32_t before = i;
    if (!next_delta(s, &pos, bias, &i)) return false;
    int32_t len = (int32_t)*n + 1;
    bias = adapt(i - before, len, before == 0);
    if (__builtin_add_overflow(code, i / len, &code) || code > 0x10FFFF) return false;
    i %= len;
    for (size_t k = *n; k > (size_t)i; k--) out[k] = out[k - 1];
    out[i++] = (uint32_t)code;
    (*n)++;
  }
  return true;
}

/* ---- labels ---- */

static bool label_valid(CueStr label) {
  if (label.n == 0 || label.n > MAX_LABEL) return false;
  if (!cue_str_has_prefix(label, CUE_STR("xn--"))) return hyphens_ok(label);
  uint32_t r[MAX_LABEL];
  size_t n, bytes = 0;
  if (!punycode_decode(cue_str_sub(label, 4, label.n), r, &n) || n == 0) return false;
  char utf8[4 * MAX_LABEL];
  for (size_t i = 0; i < n; i++) {
    if (!valid_decoded(r[i])) return false;
    bytes += cue_utf8_encode(utf8 + bytes, r[i]);
  }
  return hyphens_ok((CueStr){utf8, bytes}) && !in_runs(idna_marks, COUNT(idna_marks), r[0]);
}

/* One dot may end the name, and by a slip of the original that is kept, so may two. */
bool fqdn_valid(CueStr s) {
  if (s.n == 0) return false;
  for (size_t from = 0; from < s.n;) {
    size_t to = from;
    while (to < s.n && s.s[to] != '.') to++;
    if (!label_valid(cue_str_sub(s, from, to))) return false;
    from = to + 1;
    if (from + 1 == s.n && s.s[from] == '.') break;
  }
  return s.n - (s.s[s.n - 1] == '.') <= MAX_NAME;
}
