/* module.c - import paths and versions taken apart.
*/
#include "compiler/module.h"

#include <string.h>

#include "compiler/literal.h"

CueStr path_base(CueStr path) {
  size_t i = path.n;
  while (i && path.s[i - 1] != '/') i--;
  return cue_str_sub(path, i, path.n);
}

CueStr implied_qualifier(CueStr path) {
  CueStr q = path_base(path);
  if (!cue_is_valid_ident(q) || q.s[0] == '#' || cue_str_is(q, "_")) return CUE_STR("");
  return q;
}

ImportPath import_path_parse(CueStr p) {
  ImportPath parts = {.path = p, .version = CUE_STR(""), .qualifier = CUE_STR("")};
  size_t i = p.n;
  while (i && p.s[i - 1] != '/' && p.s[i - 1] != ':') i--;
  if (i && p.s[i - 1] == ':') {
    parts.path = i == 1 ? CUE_STR(".") : cue_str_sub(p, 0, i - 1);
    parts.qualifier = cue_str_sub(p, i, p.n);
    parts.explicit_qualifier = true;
  }
  ptrdiff_t at = cue_str_find(parts.path, CUE_STR("@"));
  if (at >= 0 && (size_t)at + 1 < parts.path.n) {
    parts.version = cue_str_sub(parts.path, (size_t)at + 1, parts.path.n);
    parts.path = cue_str_sub(parts.path, 0, (size_t)at);
  }
  if (!parts.explicit_qualifier) parts.qualifier = implied_qualifier(parts.path);
  return parts;
}

ImportPath import_path_canonical(ImportPath p) {
  CueStr q = implied_qualifier(p.path);
  if (!q.n) {
    p.explicit_qualifier = p.qualifier.n > 0;
  } else if (cue_str_eq(q, p.qualifier)) {
    p.explicit_qualifier = false;
  } else if (!p.qualifier.n && !p.explicit_qualifier) {
    p.qualifier = q;
  } else {
    p.explicit_qualifier = true;
  }
  return p;
}

CueStr import_path_text(CueArena *a, ImportPath p) {
  bool qualified = p.explicit_qualifier || (p.qualifier.n && !cue_str_eq(implied_qualifier(p.path), p.qualifier));
  CueBuf b = cue_buf(a);
  cue_buf_str(&b, p.path);
  if (p.version.n) {
    cue_buf_ch(&b, '@');
    cue_buf_str(&b, p.version);
  }
  if (qualified) {
    cue_buf_ch(&b, ':');
    cue_buf_str(&b, p.qualifier);
  }
  return cue_buf_done(&b);
}

bool import_is_stdlib(CueStr path) {
  for (size_t i = 0; i < path.n && path.s[i] != '/'; i++)
    if (path.s[i] == '.') return false;
  return path.n && path.s[0] != '/';
}

static bool import_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("-._+~", c);
}

static CueStr check_element(CueArena *a, CueStr e) {
  if (!e.n) return CUE_STR("empty path element");
  size_t dots = 0;
  for (size_t i = 0; i < e.n; i++) dots += e.s[i] == '.';
  if (dots == e.n) return cue_strf(a, "invalid path element \"%.*s\"", CUE_FMT(e));
  if (e.s[e.n - 1] == '.') return CUE_STR("trailing dot in path element");
  for (size_t i = 0; i < e.n; i++) {
    if (import_char(e.s[i])) continue;
    size_t end = i;
    cue_utf8_next(e, &end);
    return cue_strf(a, "invalid char '%.*s'", (int)(end - i), e.s + i);
  }
  return CUE_STR("");
}

CueStr import_path_check(CueArena *a, CueStr path) {
  ImportPath parts = import_path_parse(path);
  CueStr p = parts.path, why = CUE_STR("");
  if (parts.version.n && !cue_str_eq(semver_major(parts.version), parts.version))
    why = CUE_STR("import paths can only contain a major version specifier");
  else if (!p.n)
    why = CUE_STR("empty string");
  else if (p.s[0] == '-')
    why = CUE_STR("leading dash");
  else if (cue_str_find(p, CUE_STR("//")) >= 0)
    why = CUE_STR("double slash");
  else if (p.s[p.n - 1] == '/')
    why = CUE_STR("trailing slash");
  for (size_t from = 0; !why.n && from <= p.n;) {
    size_t to = from;
    while (to < p.n && p.s[to] != '/') to++;
    why = check_element(a, cue_str_sub(p, from, to));
    from = to + 1;
  }
  if (!why.n) return why;
  return cue_strf(a, "malformed import path \"%.*s\": %.*s", CUE_FMT(path), CUE_FMT(why));
}

/* ---- versions ---- */

typedef struct {
  CueStr num[3]; /* digits; empty if left out */
  int numbers;
  CueStr pre, build; /* without - and + */
  bool ok;
} Semver;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool idents_ok(CueStr s, bool numbers_strict) {
  for (size_t from = 0; from <= s.n;) {
    size_t to = from;
    bool digits = true;
    for (; to < s.n && s.s[to] != '.'; to++) {
      char c = s.s[to];
      if (!is_digit(c) && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && c != '-') return false;
      digits &= is_digit(c);
    }
    if (to == from || (numbers_strict && digits && to - from > 1 && s.s[from] == '0')) return false;
    from = to + 1;
  }
  return true;
}

static Semver semver_parse(CueStr v) {
  Semver x = {0};
  if (!v.n || v.s[0] != 'v') return x;
  size_t i = 1;
  for (; x.numbers < 3; x.numbers++) {
    if (x.numbers) {
      if (i >= v.n || v.s[i] != '.') break;
      i++;
    }
    size_t from = i;
    while (i < v.n && is_digit(v.s[i])) i++;
    if (i == from || (i - from > 1 && v.s[from] == '0')) return x;
    x.num[x.numbers] = cue_str_sub(v, from, i);
  }
  if (i < v.n && v.s[i] == '-' && x.numbers == 3) {
    size_t from = ++i;
    while (i < v.n && v.s[i] != '+') i++;
    x.pre = cue_str_sub(v, from, i);
    if (!idents_ok(x.pre, true)) return x;
  }
  if (i < v.n && v.s[i] == '+' && x.numbers == 3) {
    x.build = cue_str_sub(v, i + 1, v.n);
    if (!idents_ok(x.build, false)) return x;
    i = v.n;
  }
  x.ok = i == v.n;
  return x;
}

bool semver_valid(CueStr v) { return semver_parse(v).ok; }

CueStr semver_major(CueStr v) {
  Semver x = semver_parse(v);
  return x.ok ? cue_str_sub(v, 0, x.num[0].n + 1) : CUE_STR("");
}

bool semver_canonical(CueStr v) {
  Semver x = semver_parse(v);
  return x.ok && x.numbers == 3 && !x.build.n;
}

int semver_minor(CueStr v) {
  Semver x = semver_parse(v);
  int n = 0;
  for (size_t i = 0; i < x.num[1].n && n < 100000; i++) n = n * 10 + (x.num[1].s[i] - '0');
  return n;
}

static int number_cmp(CueStr x, CueStr y) {
  if (!x.n) x = CUE_STR("0");
  if (!y.n) y = CUE_STR("0");
  if (x.n != y.n) return x.n < y.n ? -1 : 1;
  return cue_str_cmp(x, y);
}

static bool all_digits(CueStr s) {
  for (size_t i = 0; i < s.n; i++)
    if (!is_digit(s.s[i])) return false;
  return true;
}

static int pre_cmp(CueStr x, CueStr y) {
  if (!x.n || !y.n) return x.n ? -1 : y.n ? 1 : 0; /* a release comes after its candidates */
  size_t i = 0, k = 0;
  while (i <= x.n && k <= y.n) {
    size_t ie = i, ke = k;
    while (ie < x.n && x.s[ie] != '.') ie++;
    while (ke < y.n && y.s[ke] != '.') ke++;
    CueStr p = cue_str_sub(x, i, ie), q = cue_str_sub(y, k, ke);
    bool pd = all_digits(p), qd = all_digits(q);
    int c = pd && qd ? number_cmp(p, q) : pd != qd ? (pd ? -1 : 1) : cue_str_cmp(p, q);
    if (c) return c;
    i = ie + 1;
    k = ke + 1;
  }
  return i <= x.n ? 1 : k <= y.n ? -1 : 0;
}

int semver_cmp(CueStr v, CueStr w) {
  Semver x = semver_parse(v), y = semver_parse(w);
  if (!x.ok || !y.ok) return x.ok - y.ok;
  for (int i = 0; i < 3; i++) {
    int c = number_cmp(x.num[i], y.num[i]);
    if (c) return c;
  }
  return pre_cmp(x.pre, y.pre);
}
