/* strings.c - CUE's package "strings".
**
** Strings of CUE are valid UTF-8, so searching is bytewise and only the functions that
** speak of runes decode. Indices are byte offsets, as in Go; only SliceRunes, MinRunes and
** MaxRunes count runes.
*/
#include <string.h>

#include "stdlib/cue/stdlib.h"
#include "runtime/unicode.h"

/* Larger results are refused: CueValue holds 32-bit lengths, and nobody wants them. */
#define MAX_RESULT ((uint64_t)1 << 30)

static CueValue fn_byte_at(CueCall *c) {
  CueStr s = cue_arg_str(c, 0);
  int64_t i;
  if (!cue_arg_int64(c, 1, &i)) return c->error;
  if (i < 0 || (uint64_t)i >= s.n) return cue_fail(c, "index out of range");
  return cue_int((unsigned char)s.s[i]);
}

static CueValue fn_byte_slice(CueCall *c) {
  CueStr s = cue_arg_str(c, 0);
  int64_t from, to;
  if (!cue_arg_int64(c, 1, &from) || !cue_arg_int64(c, 2, &to)) return c->error;
  if (from < 0 || from > to || (uint64_t)to > s.n) return cue_fail(c, "index out of range");
  return cue_bytes(cue_str_sub(s, (size_t)from, (size_t)to));
}

static CueValue fn_runes(CueCall *c) {
  CueStr s = cue_arg_str(c, 0);
  CueList *l = cue_list_new(c->a, (uint32_t)cue_utf8_count(s));
  uint32_t n = 0;
  for (size_t i = 0; i < s.n;) l->at[n++] = cue_int(cue_utf8_next(s, &i));
  return cue_list(l);
}

static CueValue fn_min_runes(CueCall *c) {
  int64_t min;
  if (!cue_arg_int64(c, 1, &min)) return c->error;
  return cue_bool((int64_t)cue_utf8_count(cue_arg_str(c, 0)) >= min);
}

static CueValue fn_max_runes(CueCall *c) {
  int64_t max;
  if (!cue_arg_int64(c, 1, &max)) return c->error;
  return cue_bool((int64_t)cue_utf8_count(cue_arg_str(c, 0)) <= max);
}

/* Byte offset of rune n, or s.n if there are fewer runes. */
static size_t rune_offset(CueStr s, size_t n) {
  size_t i = 0;
  while (n-- && i < s.n) cue_utf8_next(s, &i);
  return i;
}

static CueValue fn_slice_runes(CueCall *c) {
  CueStr s = cue_arg_str(c, 0);
  int64_t from, to;
  if (!cue_arg_int64(c, 1, &from) || !cue_arg_int64(c, 2, &to)) return c->error;
  if (from < 0 || from > to || (uint64_t)to > cue_utf8_count(s)) return cue_fail(c, "index out of range");
  return cue_string(cue_str_sub(s, rune_offset(s, (size_t)from), rune_offset(s, (size_t)to)));
}

typedef uint32_t RuneMap(uint32_t r);

static CueValue map_all(CueCall *c, RuneMap *to) {
  CueStr s = cue_arg_str(c, 0);
  CueBuf out = cue_buf(c->a);
  for (size_t i = 0; i < s.n;) cue_buf_rune(&out, to(cue_utf8_next(s, &i)));
  return cue_string(cue_buf_done(&out));
}

/* Maps the first rune of each word: the one that starts the text or follows a space. */
static CueValue map_words(CueCall *c, RuneMap *to) {
  CueStr s = cue_arg_str(c, 0);
  CueBuf out = cue_buf(c->a);
  uint32_t before = ' ';
  for (size_t i = 0; i < s.n;) {
    uint32_t r = cue_utf8_next(s, &i);
    cue_buf_rune(&out, cue_uni_is_space(before) ? to(r) : r);
    before = r;
  }
  return cue_string(cue_buf_done(&out));
}

static CueValue fn_to_title(CueCall *c) { return map_words(c, cue_uni_title); }
static CueValue fn_to_camel(CueCall *c) { return map_words(c, cue_uni_lower); }
static CueValue fn_to_upper(CueCall *c) { return map_all(c, cue_uni_upper); }
static CueValue fn_to_lower(CueCall *c) { return map_all(c, cue_uni_lower); }

static CueValue fn_compare(CueCall *c) {
  int order = cue_str_cmp(cue_arg_str(c, 0), cue_arg_str(c, 1));
  return cue_int(order < 0 ? -1 : order > 0);
}

/* Offset of sub in s at or after from, or -1. */
static ptrdiff_t find_from(CueStr s, CueStr sub, size_t from) {
  ptrdiff_t at = cue_str_find(cue_str_sub(s, from, s.n), sub);
  return at < 0 ? -1 : at + (ptrdiff_t)from;
}

/* Occurrences that do not overlap; the empty string occurs around every rune. */
static size_t count(CueStr s, CueStr sub) {
  if (sub.n == 0) return cue_utf8_count(s) + 1;
  size_t n = 0;
  for (ptrdiff_t at = find_from(s, sub, 0); at >= 0; at = find_from(s, sub, (size_t)at + sub.n)) n++;
  return n;
}

static CueValue fn_count(CueCall *c) { return cue_int((int64_t)count(cue_arg_str(c, 0), cue_arg_str(c, 1))); }
static CueValue fn_contains(CueCall *c) { return cue_bool(cue_str_find(cue_arg_str(c, 0), cue_arg_str(c, 1)) >= 0); }
static CueValue fn_index(CueCall *c) { return cue_int(cue_str_find(cue_arg_str(c, 0), cue_arg_str(c, 1))); }

static CueValue fn_last_index(CueCall *c) {
  CueStr s = cue_arg_str(c, 0), sub = cue_arg_str(c, 1);
  for (size_t at = s.n + 1; sub.n <= s.n && at-- > 0;)
    if (at + sub.n <= s.n && memcmp(s.s + at, sub.s, sub.n) == 0) return cue_int((int64_t)at);
  return cue_int(-1);
}

static bool has_rune(CueStr set, uint32_t r) {
  for (size_t i = 0; i < set.n;)
    if (cue_utf8_next(set, &i) == r) return true;
  return false;
}

/* Offset of the first or last rune of s that is in set, or -1. */
static ptrdiff_t find_any(CueStr s, CueStr set, bool last) {
  ptrdiff_t found = -1;
  for (size_t i = 0; i < s.n;) {
    size_t at = i;
    if (!has_rune(set, cue_utf8_next(s, &i))) continue;
    found = (ptrdiff_t)at;
    if (!last) break;
  }
  return found;
}

static CueValue fn_contains_any(CueCall *c) {
  return cue_bool(find_any(cue_arg_str(c, 0), cue_arg_str(c, 1), false) >= 0);
}
static CueValue fn_index_any(CueCall *c) { return cue_int(find_any(cue_arg_str(c, 0), cue_arg_str(c, 1), false)); }
static CueValue fn_last_index_any(CueCall *c) { return cue_int(find_any(cue_arg_str(c, 0), cue_arg_str(c, 1), true)); }

/* At most max parts (all if negative); with `keep` each part ends with its separator. */
static CueValue split(CueCall *c, CueStr s, CueStr sep, bool keep, int64_t max) {
  CUE_VEC(CueStr) parts = {0};
  if (max == 0 || (sep.n == 0 && s.n == 0)) return cue_list(cue_list_new(c->a, 0));
  size_t start = 0;
  while (max < 0 || (int64_t)parts.n + 1 < max) {
    size_t end, next;
    if (sep.n == 0) {
      end = start;
      cue_utf8_next(s, &end);
      next = end;
      if (next == s.n) break;
    } else {
      ptrdiff_t at = find_from(s, sep, start);
      if (at < 0) break;
      next = (size_t)at + sep.n;
      end = keep ? next : (size_t)at;
    }
    cue_push(c->a, &parts, cue_str_sub(s, start, end));
    start = next;
  }
  cue_push(c->a, &parts, cue_str_sub(s, start, s.n));
  return cue_result_strings(c->a, parts.at, parts.n);
}

static CueValue fn_split(CueCall *c) { return split(c, cue_arg_str(c, 0), cue_arg_str(c, 1), false, -1); }
static CueValue fn_split_after(CueCall *c) { return split(c, cue_arg_str(c, 0), cue_arg_str(c, 1), true, -1); }

static CueValue fn_split_n(CueCall *c) {
  int64_t n;
  if (!cue_arg_int64(c, 2, &n)) return c->error;
  return split(c, cue_arg_str(c, 0), cue_arg_str(c, 1), false, n);
}

static CueValue fn_split_after_n(CueCall *c) {
  int64_t n;
  if (!cue_arg_int64(c, 2, &n)) return c->error;
  return split(c, cue_arg_str(c, 0), cue_arg_str(c, 1), true, n);
}

static CueValue fn_fields(CueCall *c) {
  CueStr s = cue_arg_str(c, 0);
  CUE_VEC(CueStr) parts = {0};
  size_t start = 0;
  bool inside = false;
  for (size_t i = 0; i < s.n;) {
    size_t at = i;
    bool space = cue_uni_is_space(cue_utf8_next(s, &i));
    if (space && inside) cue_push(c->a, &parts, cue_str_sub(s, start, at));
    if (!space && !inside) start = at;
    inside = !space;
  }
  if (inside) cue_push(c->a, &parts, cue_str_sub(s, start, s.n));
  return cue_result_strings(c->a, parts.at, parts.n);
}

static CueValue fn_join(CueCall *c) {
  const CueList *l = c->args[0].as.list;
  CueStr sep = cue_arg_str(c, 1);
  CueBuf out = cue_buf(c->a);
  for (uint32_t i = 0; i < l->n; i++) {
    if (i) cue_buf_str(&out, sep);
    cue_buf_str(&out, cue_value_str(l->at[i]));
    if (out.n > MAX_RESULT) return cue_fail(c, "strings: Join output length overflow");
  }
  return cue_string(cue_buf_done(&out));
}

static CueValue fn_has_prefix(CueCall *c) { return cue_bool(cue_str_has_prefix(cue_arg_str(c, 0), cue_arg_str(c, 1))); }
static CueValue fn_has_suffix(CueCall *c) { return cue_bool(cue_str_has_suffix(cue_arg_str(c, 0), cue_arg_str(c, 1))); }

static CueValue fn_repeat(CueCall *c) {
  CueStr s = cue_arg_str(c, 0);
  int64_t n;
  if (!cue_arg_int64(c, 1, &n)) return c->error;
  if (n < 0) return cue_fail(c, "strings: negative Repeat count");
  if (s.n == 0 || n == 0) return cue_string(CUE_STR(""));
  if ((uint64_t)n > MAX_RESULT / s.n) return cue_fail(c, "strings: Repeat output length overflow");
  size_t total = s.n * (size_t)n;
  char *out = cue_alloc(c->a, total + 1);
  memcpy(out, s.s, s.n);
  for (size_t have = s.n; have < total;) {
    size_t step = have < total - have ? have : total - have;
    memcpy(out + have, out, step);
    have += step;
  }
  return cue_string((CueStr){out, total});
}

static CueStr trim_left(CueStr s, CueStr set) {
  size_t i = 0;
  while (i < s.n) {
    size_t next = i;
    if (!has_rune(set, cue_utf8_next(s, &next))) break;
    i = next;
  }
  return cue_str_sub(s, i, s.n);
}

/* Start of the last rune of s, which is not empty. */
static size_t last_rune(CueStr s) {
  size_t at = s.n - 1;
  while (at > 0 && s.n - at < 4 && ((unsigned char)s.s[at] & 0xC0) == 0x80) at--;
  return at;
}

static CueStr trim_right(CueStr s, CueStr set) {
  while (s.n) {
    size_t at = last_rune(s), next = at;
    if (!has_rune(set, cue_utf8_next(s, &next))) break;
    s.n = at;
  }
  return s;
}

static CueValue fn_trim(CueCall *c) {
  CueStr set = cue_arg_str(c, 1);
  return cue_string(trim_right(trim_left(cue_arg_str(c, 0), set), set));
}
static CueValue fn_trim_left(CueCall *c) { return cue_string(trim_left(cue_arg_str(c, 0), cue_arg_str(c, 1))); }
static CueValue fn_trim_right(CueCall *c) { return cue_string(trim_right(cue_arg_str(c, 0), cue_arg_str(c, 1))); }

static CueValue fn_trim_space(CueCall *c) {
  CueStr s = cue_arg_str(c, 0);
  size_t from = 0;
  while (from < s.n) {
    size_t next = from;
    if (!cue_uni_is_space(cue_utf8_next(s, &next))) break;
    from = next;
  }
  s = cue_str_sub(s, from, s.n);
  while (s.n) {
    size_t at = last_rune(s), next = at;
    if (!cue_uni_is_space(cue_utf8_next(s, &next))) break;
    s.n = at;
  }
  return cue_string(s);
}

static CueValue fn_trim_prefix(CueCall *c) {
  CueStr s = cue_arg_str(c, 0), prefix = cue_arg_str(c, 1);
  return cue_string(cue_str_has_prefix(s, prefix) ? cue_str_sub(s, prefix.n, s.n) : s);
}

static CueValue fn_trim_suffix(CueCall *c) {
  CueStr s = cue_arg_str(c, 0), suffix = cue_arg_str(c, 1);
  return cue_string(cue_str_has_suffix(s, suffix) ? cue_str_sub(s, 0, s.n - suffix.n) : s);
}

static CueValue fn_replace(CueCall *c) {
  CueStr s = cue_arg_str(c, 0), old = cue_arg_str(c, 1), by = cue_arg_str(c, 2);
  int64_t max;
  if (!cue_arg_int64(c, 3, &max)) return c->error;
  size_t todo = count(s, old);
  if (max >= 0 && (uint64_t)max < todo) todo = (size_t)max;
  CueBuf out = cue_buf(c->a);
  size_t done = 0;
  for (size_t i = 0; i < todo; i++) {
    size_t at = done;
    if (old.n)
      at = (size_t)find_from(s, old, done);
    else if (i > 0)
      cue_utf8_next(s, &at);
    cue_buf_add(&out, s.s + done, at - done);
    cue_buf_str(&out, by);
    if (out.n > MAX_RESULT) return cue_fail(c, "strings: Replace output length overflow");
    done = at + old.n;
  }
  cue_buf_add(&out, s.s + done, s.n - done);
  return cue_string(cue_buf_done(&out));
}

static const CueBuiltin functions[] = {
    {"ByteAt", "Si", 'i', fn_byte_at},
    {"ByteSlice", "Sii", 'S', fn_byte_slice},
    {"Runes", "s", 'l', fn_runes},
    {"MinRunes", "si", 'b', fn_min_runes},
    {"MaxRunes", "si", 'b', fn_max_runes},
    {"ToTitle", "s", 's', fn_to_title},
    {"ToCamel", "s", 's', fn_to_camel},
    {"SliceRunes", "sii", 's', fn_slice_runes},
    {"Compare", "ss", 'i', fn_compare},
    {"Count", "ss", 'i', fn_count},
    {"Contains", "ss", 'b', fn_contains},
    {"ContainsAny", "ss", 'b', fn_contains_any},
    {"LastIndex", "ss", 'i', fn_last_index},
    {"IndexAny", "ss", 'i', fn_index_any},
    {"LastIndexAny", "ss", 'i', fn_last_index_any},
    {"SplitN", "ssi", 'l', fn_split_n},
    {"SplitAfterN", "ssi", 'l', fn_split_after_n},
    {"Split", "ss", 'l', fn_split},
    {"SplitAfter", "ss", 'l', fn_split_after},
    {"Fields", "s", 'l', fn_fields},
    {"Join", "Ls", 's', fn_join},
    {"HasPrefix", "ss", 'b', fn_has_prefix},
    {"HasSuffix", "ss", 'b', fn_has_suffix},
    {"Repeat", "si", 's', fn_repeat},
    {"ToUpper", "s", 's', fn_to_upper},
    {"ToLower", "s", 's', fn_to_lower},
    {"Trim", "ss", 's', fn_trim},
    {"TrimLeft", "ss", 's', fn_trim_left},
    {"TrimRight", "ss", 's', fn_trim_right},
    {"TrimSpace", "s", 's', fn_trim_space},
    {"TrimPrefix", "ss", 's', fn_trim_prefix},
    {"TrimSuffix", "ss", 's', fn_trim_suffix},
    {"Replace", "sssi", 's', fn_replace},
    {"Index", "ss", 'i', fn_index},
};

const CueBuiltinPackage cue_pkg_strings = {"strings", functions, CUE_COUNT(functions), NULL, false};
