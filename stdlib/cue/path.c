/* path.c - package path: file names of Unix, Windows and Plan 9, by text alone.
**
** Each function takes the operating system as its last argument. A System holds what
** differs: separators, volume names, what is absolute, and when two names are the same.
** Everything is borrowed from Go's path/filepath as cue keeps it, old rules for Windows included.
*/
#include <string.h>

#include "stdlib/cue/stdlib.h"
#include "runtime/unicode.h"

typedef enum { UNIX, WINDOWS, PLAN9 } System;

static const char *const system_names[] = {"unix",      "windows", "plan9",  "aix",     "android", "darwin",
                                           "dragonfly", "freebsd", "hurd",   "illumos", "ios",     "js",
                                           "linux",     "nacl",    "netbsd", "openbsd", "solaris", "zos"};

static char separator(System os) { return os == WINDOWS ? '\\' : '/'; }
static bool is_separator(System os, char c) { return c == '/' || (os == WINDOWS && c == '\\'); }

/* The argument i names the system. It is checked here, since it is a disjunction with a default and no mere string. */
static bool system_arg(CueCall *c, uint32_t i, System by_default, bool required, System *os) {
  *os = by_default;
  if (i >= c->nargs) return true;
  CueStr name = cue_arg_str(c, i);
  for (size_t k = 0; k < CUE_COUNT(system_names); k++)
    if (cue_str_is(name, system_names[k])) {
      *os = k <= PLAN9 ? (System)k : UNIX;
      return true;
    }
  CueBuf b = cue_buf(c->a);
  for (size_t k = 0; k < CUE_COUNT(system_names); k++) {
    size_t at = by_default == WINDOWS && k < 2 ? 1 - k : k; /* the default comes first */
    cue_buf_f(&b, "%s%s\"%s\"", k ? " | " : "", k == 0 && !required ? "*" : "", system_names[at]);
  }
  CueStr given = c->ops->text(c, c->args[i]), wanted = cue_buf_done(&b);
  c->blame = i + 1;
  c->blame_alone = true;
  cue_fail_bare(c, "cannot use %.*s as %.*s in argument %u to path.%s", CUE_FMT(given), CUE_FMT(wanted), i + 1,
                c->builtin->name);
  return false;
}

/* ---- what differs between systems ---- */

static uint32_t folded(uint32_t r) { return cue_uni_lower(cue_uni_upper(r)); }

static bool equal_fold(CueStr x, CueStr y) {
  size_t i = 0, k = 0;
  while (i < x.n && k < y.n)
    if (folded(cue_utf8_next(x, &i)) != folded(cue_utf8_next(y, &k))) return false;
  return i == x.n && k == y.n;
}

static bool same_name(System os, CueStr x, CueStr y) { return os == WINDOWS ? equal_fold(x, y) : cue_str_eq(x, y); }

/* The length of a drive letter and colon, or of \\host\share; 0 if there is none. */
static size_t volume_length(System os, CueStr p) {
  if (os != WINDOWS || p.n < 2) return 0;
  char c = p.s[0];
  if (p.s[1] == ':' && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) return 2;
  bool unc =
      p.n >= 5 && is_separator(os, p.s[0]) && is_separator(os, p.s[1]) && !is_separator(os, p.s[2]) && p.s[2] != '.';
  if (!unc) return 0;
  size_t n = 3;
  while (n < p.n - 1 && !is_separator(os, p.s[n])) n++;
  if (n >= p.n - 1) return 0;
  n++;
  if (is_separator(os, p.s[n]) || p.s[n] == '.') return 0;
  while (n < p.n && !is_separator(os, p.s[n])) n++;
  return n;
}

static CueStr volume(System os, CueStr p) { return cue_str_sub(p, 0, volume_length(os, p)); }
static CueStr after(CueStr p, size_t n) { return cue_str_sub(p, n, p.n); }

static bool is_reserved(CueStr p) {
  static const char *const names[] = {"CON", "PRN", "AUX", "NUL"};
  static const char *const numbered[] = {"COM", "LPT"};
  for (size_t i = 0; i < CUE_COUNT(names); i++)
    if (equal_fold(p, cue_str(names[i]))) return true;
  if (p.n == 0 || p.s[p.n - 1] < '1' || p.s[p.n - 1] > '9') return false;
  for (size_t i = 0; i < CUE_COUNT(numbered); i++)
    if (equal_fold(cue_str_sub(p, 0, p.n - 1), cue_str(numbered[i]))) return true;
  return false;
}

static bool is_absolute(System os, CueStr p) {
  if (os == UNIX) return p.n && p.s[0] == '/';
  if (os == PLAN9) return p.n && (p.s[0] == '/' || p.s[0] == '#');
  if (is_reserved(p)) return true;
  size_t n = volume_length(os, p);
  return n > 0 && n < p.n && is_separator(os, p.s[n]);
}

/* ---- cleaning and joining ---- */

static CueStr replaced(CueArena *a, CueStr s, char from, char to) {
  if (from == to) return s;
  char *out = cue_alloc(a, s.n + 1);
  for (size_t i = 0; i < s.n; i++) out[i] = s.s[i] == from ? to : s.s[i];
  return (CueStr){out, s.n};
}

static CueStr from_slash(CueArena *a, System os, CueStr s) { return replaced(a, s, '/', separator(os)); }

/* The shortest name for the same file. Elements are copied to out; ".." takes the last one
** back unless it is itself a ".." (before `floor`) or the root. */
static CueStr clean(CueArena *a, System os, CueStr whole) {
  size_t vol = volume_length(os, whole), n = 0, floor = 0, r = 0;
  CueStr p = after(whole, vol);
  if (p.n == 0) {
    if (vol > 1 && whole.s[1] != ':') return from_slash(a, os, whole);
    return cue_str_cat(a, whole, CUE_STR("."));
  }
  char *out = cue_alloc(a, whole.n + 2); /* a lone "." is the one case that may grow */
  memcpy(out, whole.s, vol);
  char *path = out + vol;
  bool rooted = is_separator(os, p.s[0]);
  if (rooted) {
    path[n++] = separator(os);
    r = floor = 1;
  }
  while (r < p.n) {
    size_t end = r;
    while (end < p.n && !is_separator(os, p.s[end])) end++;
    CueStr element = cue_str_sub(p, r, end);
    if (element.n == 0) {
      r++;
      continue;
    }
    r = end;
    if (cue_str_is(element, ".")) continue;
    if (cue_str_is(element, "..")) {
      if (n > floor) {
        n--;
        while (n > floor && !is_separator(os, path[n])) n--;
      } else if (!rooted) {
        if (n > 0) path[n++] = separator(os);
        path[n++] = '.';
        path[n++] = '.';
        floor = n;
      }
      continue;
    }
    if (n != (rooted ? 1 : 0)) path[n++] = separator(os);
    memcpy(path + n, element.s, element.n);
    n += element.n;
  }
  if (n == 0) path[n++] = '.';
  return from_slash(a, os, (CueStr){out, vol + n});
}

static CueStr joined(CueArena *a, const CueStr *at, size_t n, char between) {
  CueBuf b = cue_buf(a);
  for (size_t i = 0; i < n; i++) {
    if (i) cue_buf_ch(&b, between);
    cue_buf_str(&b, at[i]);
  }
  return cue_buf_done(&b);
}

static bool is_unc(CueStr p) { return volume_length(WINDOWS, p) > 2; }

/* at[0] is not empty. */
static CueStr join_windows(CueArena *a, const CueStr *at, size_t n) {
  if (at[0].n == 2 && at[0].s[1] == ':') { /* stays relative to the current folder of that drive */
    size_t i = 1;
    while (i < n && at[i].n == 0) i++;
    return clean(a, WINDOWS, cue_str_cat(a, at[0], joined(a, at + i, n - i, '\\')));
  }
  CueStr p = clean(a, WINDOWS, joined(a, at, n, '\\'));
  CueStr head = clean(a, WINDOWS, at[0]);
  if (!is_unc(p) || is_unc(head)) return p;
  /* Two names that are not UNC must not become one. */
  CueStr tail = clean(a, WINDOWS, joined(a, at + 1, n - 1, '\\'));
  if (head.s[head.n - 1] == '\\') return cue_str_cat(a, head, tail);
  return cue_str_cat(a, cue_str_cat(a, head, CUE_STR("\\")), tail);
}

static CueStr join(CueArena *a, System os, const CueStr *at, size_t n) {
  while (n > 0 && at[0].n == 0) at++, n--;
  if (n == 0) return CUE_STR("");
  return os == WINDOWS ? join_windows(a, at, n) : clean(a, os, joined(a, at, n, '/'));
}

/* The index after the last separator, not inside the volume. */
static size_t last_element(System os, CueStr p) {
  size_t i = p.n, vol = volume_length(os, p);
  while (i > vol && !is_separator(os, p.s[i - 1])) i--;
  return i;
}

/* ---- matching ---- */

typedef enum { MATCH_NO, MATCH_YES, MATCH_BAD } Match;

/* One character of a class, maybe escaped; something must follow it. */
static bool class_char(System os, CueStr *chunk, uint32_t *r) {
  if (chunk->n == 0 || chunk->s[0] == '-' || chunk->s[0] == ']') return false;
  if (chunk->s[0] == '\\' && os != WINDOWS) {
    *chunk = after(*chunk, 1);
    if (chunk->n == 0) return false;
  }
  size_t i = 0;
  *r = cue_utf8_next(*chunk, &i);
  if (*r == CUE_RUNE_ERROR && i == 1) return false;
  *chunk = after(*chunk, i);
  return chunk->n > 0;
}

/* A class, after its '[', against r; moves past its ']'. */
static Match match_class(System os, CueStr *chunk, uint32_t r) {
  bool negated = chunk->n && chunk->s[0] == '^', found = false;
  if (negated) *chunk = after(*chunk, 1);
  for (size_t ranges = 0;; ranges++) {
    if (chunk->n && chunk->s[0] == ']' && ranges > 0) break;
    uint32_t lo, hi;
    if (!class_char(os, chunk, &lo)) return MATCH_BAD;
    hi = lo;
    if (chunk->s[0] == '-') {
      *chunk = after(*chunk, 1);
      if (!class_char(os, chunk, &hi)) return MATCH_BAD;
    }
    if (lo <= r && r <= hi) found = true;
  }
  *chunk = after(*chunk, 1);
  return found != negated ? MATCH_YES : MATCH_NO;
}

/* Whether the chunk, which has no star, matches the beginning of s; *s moves past the match. A
** chunk that does not match is still read to its end, as it may be malformed. */
static Match match_chunk(System os, CueStr chunk, CueStr *s) {
  bool failed = false;
  CueStr t = *s;
  while (chunk.n) {
    if (t.n == 0) failed = true;
    char c = chunk.s[0];
    size_t width = 0;
    if (c == '[') {
      uint32_t r = failed ? 0 : cue_utf8_next(t, &width);
      chunk = after(chunk, 1);
      Match m = match_class(os, &chunk, r);
      if (m == MATCH_BAD) return MATCH_BAD;
      if (m == MATCH_NO) failed = true;
    } else if (c == '?') {
      if (!failed && t.s[0] == separator(os)) failed = true;
      if (!failed) cue_utf8_next(t, &width);
      chunk = after(chunk, 1);
    } else {
      if (c == '\\' && os != WINDOWS) {
        chunk = after(chunk, 1);
        if (chunk.n == 0) return MATCH_BAD;
      }
      if (!failed && chunk.s[0] != t.s[0]) failed = true;
      width = 1;
      chunk = after(chunk, 1);
    }
    if (!failed) t = after(t, width);
  }
  if (failed) return MATCH_NO;
  *s = t;
  return MATCH_YES;
}

/* Splits off a star, if there is one, and what follows it up to the next. False for two stars. */
static bool next_chunk(System os, CueStr *pattern, bool *star, CueStr *chunk) {
  *star = pattern->n && pattern->s[0] == '*';
  if (*star) *pattern = after(*pattern, 1);
  if (*star && pattern->n && pattern->s[0] == '*') return false;
  bool in_class = false;
  size_t i = 0;
  for (; i < pattern->n; i++) {
    char c = pattern->s[i];
    if (c == '\\' && os != WINDOWS && i + 1 < pattern->n) i++;
    if (c == '[') in_class = true;
    if (c == ']') in_class = false;
    if (c == '*' && !in_class) break;
  }
  *chunk = cue_str_sub(*pattern, 0, i);
  *pattern = after(*pattern, i);
  return true;
}

#define TWO_STARS "'**' is not supported in patterns as of yet"
#define BAD_PATTERN "syntax error in pattern"

static CueValue path_match(CueCall *c) {
  System os;
  if (!system_arg(c, 2, UNIX, false, &os)) return c->error;
  CueStr pattern = cue_arg_str(c, 0), name = cue_arg_str(c, 1), chunk;
  bool star;
  while (pattern.n) {
    if (!next_chunk(os, &pattern, &star, &chunk)) return cue_fail(c, TWO_STARS);
    if (star && chunk.n == 0) return cue_bool(!(name.n && memchr(name.s, separator(os), name.n)));
    CueStr t = name;
    Match m = match_chunk(os, chunk, &t);
    if (m == MATCH_BAD) return cue_fail(c, BAD_PATTERN);
    bool ok = m == MATCH_YES && (t.n == 0 || pattern.n); /* the last chunk must take all */
    /* A star may take more, but no separator. */
    for (size_t i = 0; !ok && star && i < name.n && name.s[i] != separator(os); i++) {
      t = after(name, i + 1);
      m = match_chunk(os, chunk, &t);
      ok = m == MATCH_YES && (t.n == 0 || pattern.n);
    }
    if (ok) {
      name = t;
      continue;
    }
    while (pattern.n) /* no match; what is left must at least be well-formed up to its stars */
      if (!next_chunk(os, &pattern, &star, &chunk)) return cue_fail(c, TWO_STARS);
    return cue_bool(false);
  }
  return cue_bool(name.n == 0);
}

/* ---- the other functions ---- */

static CueValue path_split(CueCall *c) {
  System os;
  if (!system_arg(c, 1, UNIX, false, &os)) return c->error;
  CueStr p = cue_arg_str(c, 0);
  size_t i = last_element(os, p);
  CueStr parts[] = {cue_str_sub(p, 0, i), after(p, i)};
  return cue_result_strings(c->a, parts, 2);
}

/* On Windows quotes protect a separator and are then dropped. */
static CueValue path_split_list(CueCall *c) {
  System os;
  if (!system_arg(c, 1, UNIX, true, &os)) return c->error;
  CueStr p = cue_arg_str(c, 0);
  char between = os == WINDOWS ? ';' : os == PLAN9 ? '\0' : ':';
  CUE_VEC(CueStr) parts = {0};
  CueBuf part = cue_buf(c->a);
  bool quoted = false;
  for (size_t i = 0; i < p.n; i++) {
    if (os == WINDOWS && p.s[i] == '"') {
      quoted = !quoted;
    } else if (p.s[i] == between && !quoted) {
      cue_push(c->a, &parts, cue_buf_done(&part));
      part = cue_buf(c->a);
    } else {
      cue_buf_ch(&part, p.s[i]);
    }
  }
  if (p.n) cue_push(c->a, &parts, cue_buf_done(&part));
  return cue_result_strings(c->a, parts.at, parts.n);
}

static CueValue path_join(CueCall *c) {
  System os;
  if (!system_arg(c, 1, UNIX, false, &os)) return c->error;
  const CueList *l = c->args[0].as.list;
  CueStr *at = cue_array(c->a, CueStr, l->n ? l->n : 1);
  for (uint32_t i = 0; i < l->n; i++) at[i] = cue_value_str(l->at[i]);
  return cue_string(join(c->a, os, at, l->n));
}

static CueValue path_clean(CueCall *c) {
  System os;
  if (!system_arg(c, 1, UNIX, false, &os)) return c->error;
  return cue_string(clean(c->a, os, cue_arg_str(c, 0)));
}

static CueValue path_to_slash(CueCall *c) {
  System os;
  if (!system_arg(c, 1, UNIX, true, &os)) return c->error;
  return cue_string(replaced(c->a, cue_arg_str(c, 0), separator(os), '/'));
}

static CueValue path_from_slash(CueCall *c) {
  System os;
  if (!system_arg(c, 1, UNIX, true, &os)) return c->error;
  return cue_string(from_slash(c->a, os, cue_arg_str(c, 0)));
}

static CueValue path_ext(CueCall *c) {
  System os;
  if (!system_arg(c, 1, UNIX, false, &os)) return c->error;
  CueStr p = cue_arg_str(c, 0);
  for (size_t i = p.n; i-- > 0 && !is_separator(os, p.s[i]);)
    if (p.s[i] == '.') return cue_string(after(p, i));
  return cue_string(CUE_STR(""));
}

static CueValue path_resolve(CueCall *c) {
  System os;
  if (!system_arg(c, 2, UNIX, false, &os)) return c->error;
  CueStr sub = cue_arg_str(c, 1);
  if (is_absolute(os, sub)) return cue_string(clean(c->a, os, sub));
  CueStr parts[] = {clean(c->a, os, cue_arg_str(c, 0)), sub};
  return cue_string(join(c->a, os, parts, 2));
}

static size_t element_end(System os, CueStr p, size_t from) {
  while (from < p.n && p.s[from] != separator(os)) from++;
  return from;
}

static CueValue path_rel(CueCall *c) {
  System os;
  if (!system_arg(c, 2, UNIX, false, &os)) return c->error;
  CueStr base_path = cue_arg_str(c, 0), target_path = cue_arg_str(c, 1);
  CueStr base_volume = volume(os, base_path), target_volume = volume(os, target_path);
  CueStr base = clean(c->a, os, base_path), target = clean(c->a, os, target_path);
  if (same_name(os, target, base)) return cue_string(CUE_STR("."));
  base = after(base, base_volume.n);
  target = after(target, target_volume.n);
  if (cue_str_is(base, ".")) base.n = 0;
  bool base_rooted = base.n && base.s[0] == separator(os), target_rooted = target.n && target.s[0] == separator(os);
  bool possible = base_rooted == target_rooted && same_name(os, base_volume, target_volume);
  /* Skip the elements both begin with. */
  size_t b0 = 0, b1 = 0, t0 = 0, t1 = 0;
  while (possible) {
    b1 = element_end(os, base, b1);
    t1 = element_end(os, target, t1);
    if (!same_name(os, cue_str_sub(target, t0, t1), cue_str_sub(base, b0, b1))) break;
    if (b1 < base.n) b1++;
    if (t1 < target.n) t1++;
    b0 = b1;
    t0 = t1;
    if (b0 == base.n && t0 == target.n) break;
  }
  if (!possible || cue_str_is(cue_str_sub(base, b0, b1), ".."))
    return cue_fail(c, "Rel: can't make %.*s relative to %.*s", CUE_FMT(target_path), CUE_FMT(base_path));
  if (b0 == base.n) return cue_result_string(c->a, after(target, t0));
  CueBuf out = cue_buf(c->a);
  cue_buf_z(&out, "..");
  for (size_t i = b0; i < base.n; i++)
    if (base.s[i] == separator(os)) cue_buf_f(&out, "%c..", separator(os));
  if (t0 != target.n) {
    cue_buf_ch(&out, separator(os));
    cue_buf_str(&out, after(target, t0));
  }
  return cue_string(cue_buf_done(&out));
}

static CueValue path_base(CueCall *c) {
  System os;
  if (!system_arg(c, 1, UNIX, false, &os)) return c->error;
  CueStr p = cue_arg_str(c, 0);
  if (p.n == 0) return cue_string(CUE_STR("."));
  while (p.n && is_separator(os, p.s[p.n - 1])) p.n--;
  p = after(p, volume_length(os, p));
  size_t i = p.n;
  while (i > 0 && !is_separator(os, p.s[i - 1])) i--;
  p = after(p, i);
  return cue_string(p.n ? p : os == WINDOWS ? CUE_STR("\\") : CUE_STR("/"));
}

static CueValue path_dir(CueCall *c) {
  System os;
  if (!system_arg(c, 1, UNIX, false, &os)) return c->error;
  CueStr p = cue_arg_str(c, 0), vol = volume(os, p);
  CueStr dir = clean(c->a, os, cue_str_sub(p, vol.n, last_element(os, p)));
  if (cue_str_is(dir, ".") && vol.n > 2) return cue_string(vol); /* \\host\share */
  return cue_string(cue_str_cat(c->a, vol, dir));
}

static CueValue path_is_abs(CueCall *c) {
  System os;
  if (!system_arg(c, 1, UNIX, false, &os)) return c->error;
  return cue_bool(is_absolute(os, cue_arg_str(c, 0)));
}

static CueValue path_volume_name(CueCall *c) {
  System os;
  if (!system_arg(c, 1, WINDOWS, false, &os)) return c->error;
  return cue_string(volume(os, cue_arg_str(c, 0)));
}

/* ---- the package ---- */

/* Laid out as in cue, where a brace precedes it: errors show places in it. */
static const char constants[] = "\n"
                                "\t\tUnix:    \"unix\"\n"
                                "\t\tWindows: \"windows\"\n"
                                "\t\tPlan9:   \"plan9\"\n";

static const CueBuiltin functions[] = {
    {"Split", "s?s", 'l', path_split},         {"SplitList", "ss", 'l', path_split_list},
    {"Join", "L?s", 's', path_join},           {"Match", "ss?s", 'b', path_match},
    {"Clean", "s?s", 's', path_clean},         {"ToSlash", "ss", 's', path_to_slash},
    {"FromSlash", "ss", 's', path_from_slash}, {"Ext", "s?s", 's', path_ext},
    {"Resolve", "ss?s", 's', path_resolve},    {"Rel", "ss?s", 's', path_rel},
    {"Base", "s?s", 's', path_base},           {"Dir", "s?s", 's', path_dir},
    {"IsAbs", "s?s", 'b', path_is_abs},        {"VolumeName", "s?s", 's', path_volume_name},
};

const CueBuiltinPackage cue_pkg_path = {"path", functions, CUE_COUNT(functions), constants, false};
