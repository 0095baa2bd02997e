/* dfa_syntax.c - reads a regular expression of Go's syntax into a tree.
**
** It takes less than RE2 does and nothing else: whatever is malformed, or means something only with tables of Unicode
** (classes like \pL, letters beyond ASCII where case is ignored), is refused. Lazy and greedy repetitions find the
** same texts, so the difference is dropped, as are the groups.
*/
#include "compiler/emit/dfa_impl.h"

#include <stdlib.h>
#include <string.h>

#define RUNE_MAX 0x10FFFFu
#define MOST_REPEATS 1000 /* RE2 refuses more, also as the product of nested ones */
#define MOST_DEPTH 100

enum { FLAG_FOLD = 1, FLAG_LINES = 2, FLAG_DOT_NL = 4 };

typedef CUE_VEC(DfaRange) Ranges;
typedef CUE_VEC(const Re *) Res;

typedef struct {
  CueArena *a;
  CueStr text;
  size_t i;
  unsigned flags;
  int depth;
  const char *why;
  CUE_VEC(CueStr) names; /* of groups */
} Parser;

/* Always false or NULL, for `return refuse(...)`. The first reason counts. */
static void *refuse(Parser *p, const char *why) {
  if (!p->why) p->why = why;
  return NULL;
}

static bool more(const Parser *p) { return p->i < p->text.n; }
static char peek(const Parser *p) { return more(p) ? p->text.s[p->i] : '\0'; }
static bool looking_at(const Parser *p, const char *z) {
  return cue_str_has_prefix(cue_str_sub(p->text, p->i, p->text.n), cue_str(z));
}
static bool take(Parser *p, const char *z) {
  if (!looking_at(p, z)) return false;
  p->i += strlen(z);
  return true;
}

/* ---- classes ---- */

static int by_lo(const void *x, const void *y) {
  const DfaRange *r = x, *s = y;
  return r->lo < s->lo ? -1 : r->lo > s->lo;
}

/* In order, apart, with no two that touch. */
static void ranges_clean(Ranges *rs) {
  if (!rs->n) return;
  qsort(rs->at, rs->n, sizeof *rs->at, by_lo);
  uint32_t n = 0;
  for (uint32_t i = 1; i < rs->n; i++) {
    DfaRange r = rs->at[i];
    if (r.lo <= rs->at[n].hi + 1)
      rs->at[n].hi = r.hi > rs->at[n].hi ? r.hi : rs->at[n].hi;
    else
      rs->at[++n] = r;
  }
  rs->n = n + 1;
}

static Ranges ranges_negate(CueArena *a, Ranges rs) {
  Ranges out = {0};
  uint32_t from = 0;
  ranges_clean(&rs);
  for (uint32_t i = 0; i < rs.n; i++) {
    if (rs.at[i].lo > from) cue_push(a, &out, (DfaRange){from, rs.at[i].lo - 1});
    from = rs.at[i].hi + 1;
  }
  if (from <= RUNE_MAX) cue_push(a, &out, (DfaRange){from, RUNE_MAX});
  return out;
}

/* With the letters that differ from those of lo...hi in case only. Two letters of ASCII have one beyond: the Kelvin sign and
** the long s. */
static bool ranges_add(Parser *p, Ranges *rs, uint32_t lo, uint32_t hi) {
  cue_push(p->a, rs, (DfaRange){lo, hi});
  if (!(p->flags & FLAG_FOLD)) return true;
  if (hi >= 0x80) return refuse(p, "ignores the case of letters beyond ASCII");
  for (uint32_t c = lo; c <= hi; c++) {
    uint32_t other = c ^ 0x20;
    if (!((c | 0x20) >= 'a' && (c | 0x20) <= 'z')) continue;
    cue_push(p->a, rs, (DfaRange){other, other});
    if ((c | 0x20) == 'k') cue_push(p->a, rs, (DfaRange){0x212A, 0x212A});
    if ((c | 0x20) == 's') cue_push(p->a, rs, (DfaRange){0x17F, 0x17F});
  }
  return true;
}

static const struct {
  const char *name;
  char pairs[12]; /* first and last byte of each range, and two zeros behind them */
} named_classes[] = {
    {"d", "09"},          {"s", "\t\n\f\r  "},  {"w", "09AZ__az"},           {"alnum", "09AZaz"}, {"alpha", "AZaz"},
    {"ascii", "\0\x7f"},  {"blank", "\t\t  "},  {"cntrl", "\0\x1f\x7f\x7f"}, {"digit", "09"},     {"graph", "!~"},
    {"lower", "az"},      {"print", " ~"},      {"punct", "!/:@[`{~"},       {"space", "\t\r  "}, {"upper", "AZ"},
    {"word", "09AZ__az"}, {"xdigit", "09AFaf"},
};

static bool ranges_add_named(Parser *p, Ranges *rs, CueStr name, bool negated) {
  for (size_t i = 0; i < sizeof named_classes / sizeof *named_classes; i++) {
    if (!cue_str_is(name, named_classes[i].name)) continue;
    Ranges its = {0};
    const char *pair = named_classes[i].pairs;
    for (; pair[0] || pair[1]; pair += 2)
      if (!ranges_add(p, &its, (uint8_t)pair[0], (uint8_t)pair[1])) return false;
    if (negated) its = ranges_negate(p->a, its);
    for (uint32_t k = 0; k < its.n; k++) cue_push(p->a, rs, its.at[k]);
    return true;
  }
  return refuse(p, "has a class of an unknown name");
}

/* ---- single code points ---- */

static bool read_rune(Parser *p, uint32_t *c) {
  size_t from = p->i;
  *c = cue_utf8_next(p->text, &p->i);
  return *c != CUE_RUNE_ERROR || p->i - from > 1 || refuse(p, "is not UTF-8");
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Behind \x: two digits, or some in braces. */
static bool read_hex(Parser *p, uint32_t *c) {
  bool braces = take(p, "{");
  size_t n = 0;
  *c = 0;
  for (; more(p) && hex_digit(peek(p)) >= 0 && (braces || n < 2); n++, p->i++) {
    *c = *c * 16 + (uint32_t)hex_digit(peek(p));
    if (*c > RUNE_MAX) return refuse(p, "has a code point too large");
  }
  if (braces ? n == 0 || !take(p, "}") : n != 2) return refuse(p, "has a malformed escape");
  /* RE2 takes half a surrogate pair for U+FFFD in some places. */
  return (*c < 0xD800 || *c > 0xDFFF) || refuse(p, "has half of a surrogate pair");
}

/* Behind a backslash: what stands for one code point. */
static bool read_escape(Parser *p, uint32_t *c) {
  static const char letters[] = "a\af\fn\nr\rt\tv\v";
  char e = peek(p);
  if (!more(p) || (uint8_t)e >= 0x80) return refuse(p, "has a malformed escape");
  p->i++;
  if (e == 'x') return read_hex(p, c);
  if (e >= '0' && e <= '7') {
    if (e != '0' && !(peek(p) >= '0' && peek(p) <= '7')) return refuse(p, "refers to a group");
    *c = (uint32_t)(e - '0');
    for (int n = 0; n < 2 && peek(p) >= '0' && peek(p) <= '7'; n++, p->i++) *c = *c * 8 + (uint32_t)(peek(p) - '0');
    return true;
  }
  for (size_t k = 0; k < sizeof letters - 1; k += 2)
    if (letters[k] == e) {
      *c = (uint32_t)letters[k + 1];
      return true;
    }
  if (e == '8' || e == '9' || ((e | 0x20) >= 'a' && (e | 0x20) <= 'z')) return refuse(p, "has an unknown escape");
  *c = (uint32_t)e;
  return true;
}

/* \d and its kin at the backslash. */
static bool at_perl_class(const Parser *p) {
  if (p->i + 1 >= p->text.n || p->text.s[p->i] != '\\') return false;
  char c = p->text.s[p->i + 1];
  return c && strchr("dDsSwW", c);
}
static bool read_perl_class(Parser *p, Ranges *rs) {
  char c = p->text.s[p->i + 1], name = (char)(c | 0x20);
  p->i += 2;
  return ranges_add_named(p, rs, (CueStr){&name, 1}, c != name);
}

static bool read_class_rune(Parser *p, uint32_t *c) {
  if (!more(p)) return refuse(p, "has a class without end");
  return take(p, "\\") ? read_escape(p, c) : read_rune(p, c);
}

/* [:name:] at its bracket; without a closing :] it is a bracket like any other character. */
static bool at_posix_class(const Parser *p) {
  return looking_at(p, "[:") && cue_str_find(cue_str_sub(p->text, p->i + 2, p->text.n), CUE_STR(":]")) >= 0;
}
static bool read_posix_class(Parser *p, Ranges *rs) {
  p->i += 2;
  bool negated = take(p, "^");
  size_t n = (size_t)cue_str_find(cue_str_sub(p->text, p->i, p->text.n), CUE_STR(":]"));
  CueStr name = cue_str_sub(p->text, p->i, p->i + n);
  p->i += n + 2;
  /* \d and its kin have names of one letter here. */
  if (name.n < 2) return refuse(p, "has a class of an unknown name");
  return ranges_add_named(p, rs, name, negated);
}

static const Re *class_new(CueArena *a, Ranges rs) {
  Re *re = cue_new(a, Re);
  ranges_clean(&rs);
  *re = (Re){.kind = RE_CLASS, .ranges = rs.at, .n = rs.n, .copies = 1};
  return re;
}

static const Re *rune_new(Parser *p, uint32_t c) {
  Ranges rs = {0};
  return ranges_add(p, &rs, c, c) ? class_new(p->a, rs) : NULL;
}

/* Behind the bracket. */
static const Re *read_class(Parser *p) {
  Ranges rs = {0};
  bool negated = take(p, "^");
  for (bool first = true; first || peek(p) != ']'; first = false) {
    uint32_t lo, hi;
    if (at_posix_class(p)) {
      if (!read_posix_class(p, &rs)) return NULL;
    } else if (at_perl_class(p)) {
      if (!read_perl_class(p, &rs)) return NULL;
    } else {
      if (!read_class_rune(p, &lo)) return NULL;
      hi = lo;
      if (looking_at(p, "-") && !looking_at(p, "-]")) {
        p->i++;
        if (!read_class_rune(p, &hi)) return NULL;
      }
      if (hi < lo) return refuse(p, "has a range that is upside down");
      if (!ranges_add(p, &rs, lo, hi)) return NULL;
    }
  }
  p->i++;
  return class_new(p->a, negated ? ranges_negate(p->a, rs) : rs);
}

/* ---- expressions ---- */

static const Re *place_new(CueArena *a, DfaPlace place) {
  Re *re = cue_new(a, Re);
  *re = (Re){.kind = RE_PLACE, .place = (uint8_t)place, .copies = 1};
  return re;
}

static const Re *many_new(CueArena *a, ReKind kind, Res parts) {
  if (parts.n == 1) return parts.at[0];
  Re *re = cue_new(a, Re);
  *re = (Re){.kind = (uint8_t)(parts.n ? kind : RE_EMPTY), .at = parts.at, .n = parts.n, .copies = 1};
  for (uint32_t i = 0; i < parts.n; i++)
    if (parts.at[i]->copies > re->copies) re->copies = parts.at[i]->copies;
  return re;
}

/* -1 if there is none; too many if RE2 would not read it as a count, for it has a leading zero. */
static int read_count(Parser *p) {
  int n = -1;
  size_t from = p->i;
  for (; peek(p) >= '0' && peek(p) <= '9'; p->i++)
    if (n <= MOST_REPEATS) n = (n < 0 ? 0 : n) * 10 + (peek(p) - '0');
  return p->i - from > 1 && p->text.s[from] == '0' ? MOST_REPEATS + 1 : n;
}

/* *, +, ?, {n}, {n,}, {n,m}. False: none is here. Braces that hold no count stand for themselves. */
static bool read_repeat(Parser *p, int *min, int *max) {
  size_t from = p->i;
  *min = 0, *max = -1;
  if (take(p, "*")) return true;
  if (take(p, "+")) return *min = 1, true;
  if (take(p, "?")) return *max = 1, true;
  if (!take(p, "{")) return false;
  *min = *max = read_count(p);
  if (*min >= 0 && take(p, ",")) *max = peek(p) == '}' ? -1 : read_count(p);
  bool open = *min >= 0 && p->text.s[p->i - 1] == ',';
  if (*min >= 0 && (*max >= 0 || open) && take(p, "}")) return true;
  p->i = from;
  return false;
}

static const Re *repeat_new(Parser *p, const Re *x, int min, int max) {
  if (min > MOST_REPEATS || max > MOST_REPEATS || (max >= 0 && max < min)) return refuse(p, "repeats too often");
  Re *re = cue_new(p->a, Re);
  const Re **at = cue_array(p->a, const Re *, 1);
  at[0] = x;
  *re = (Re){.kind = RE_REPEAT, .min = min, .max = max, .at = at, .n = 1, .copies = x->copies};
  int written = max > 0 ? max : min;
  if (written > 0) re->copies *= written;
  return re->copies <= MOST_REPEATS ? re : refuse(p, "repeats too often");
}

static const Re *read_alternatives(Parser *p);

/* Behind (? of flags; *group: they are those of a group, which is to be read. */
static bool read_flags(Parser *p, bool *group) {
  bool off = false, any = false;
  for (;; p->i++) {
    unsigned flag = 0;
    switch (peek(p)) {
    case 'i': flag = FLAG_FOLD; break;
    case 'm': flag = FLAG_LINES; break;
    case 's': flag = FLAG_DOT_NL; break;
    case 'U': break;
    case '-':
      if (off) return refuse(p, "has malformed flags");
      off = true;
      any = false;
      continue;
    case ':':
    case ')':
      *group = peek(p) == ':';
      p->i++;
      /* RE2 takes (?:...) but not (?) or (?i-). */
      return any || (*group && !off) || refuse(p, "has malformed flags");
    default: return refuse(p, "has an unknown kind of group");
    }
    any = true;
    p->flags = off ? p->flags & ~flag : p->flags | flag;
  }
}

static bool read_name(Parser *p) {
  size_t from = p->i;
  for (char c = peek(p); c == '_' || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'); c = peek(p))
    p->i++;
  CueStr name = cue_str_sub(p->text, from, p->i);
  if (!name.n || !take(p, ">")) return refuse(p, "has a malformed name");
  for (uint32_t k = 0; k < p->names.n; k++)
    if (cue_str_eq(p->names.at[k], name)) return refuse(p, "has two groups of one name");
  cue_push(p->a, &p->names, name);
  return true;
}

/* Behind the parenthesis. *flags_only: it was (?i), which ends with what encloses it. */
static const Re *read_group(Parser *p, bool *flags_only) {
  unsigned outer = p->flags;
  bool group = true;
  if (take(p, "?P<") || take(p, "?<")) {
    if (!read_name(p)) return NULL;
  } else if (take(p, "?")) {
    if (!read_flags(p, &group)) return NULL;
  }
  *flags_only = !group;
  if (!group) return NULL;
  if (++p->depth > MOST_DEPTH) return refuse(p, "nests too deeply");
  const Re *re = read_alternatives(p);
  p->depth--;
  p->flags = outer;
  if (re && !take(p, ")")) return refuse(p, "has a group without end");
  return re;
}

/* A backslash outside of classes. */
static const Re *read_backslash(Parser *p) {
  static const struct {
    const char *text;
    DfaPlace place;
  } places[] = {
      {"\\A", AT_TEXT_BEGIN},
      {"\\z", AT_TEXT_END},
      {"\\b", AT_WORD_EDGE},
      {"\\B", AT_NO_WORD_EDGE},
  };
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (take(p, places[i].text)) return place_new(p->a, places[i].place);
  if (at_perl_class(p)) {
    Ranges rs = {0};
    return read_perl_class(p, &rs) ? class_new(p->a, rs) : NULL;
  }
  uint32_t c;
  p->i++;
  return read_escape(p, &c) ? rune_new(p, c) : NULL;
}

/* One item of a sequence; *flags_only: it was none. */
static const Re *read_item(Parser *p, bool *flags_only) {
  bool lines = p->flags & FLAG_LINES;
  switch (peek(p)) {
  case '(': p->i++; return read_group(p, flags_only);
  case '[': p->i++; return read_class(p);
  case '\\': return read_backslash(p);
  case '^': p->i++; return place_new(p->a, lines ? AT_LINE_BEGIN : AT_TEXT_BEGIN);
  case '$': p->i++; return place_new(p->a, lines ? AT_LINE_END : AT_TEXT_END);
  case '.': {
    Ranges none = {0};
    p->i++;
    if (!(p->flags & FLAG_DOT_NL)) cue_push(p->a, &none, (DfaRange){'\n', '\n'});
    return class_new(p->a, ranges_negate(p->a, none));
  }
  default: {
    uint32_t c;
    return read_rune(p, &c) ? rune_new(p, c) : NULL;
  }
  }
}

/* Literal characters between \Q and \E, which is behind the former; the last can be repeated. */
static bool read_quoted(Parser *p, Res *parts) {
  while (more(p) && !take(p, "\\E")) {
    uint32_t c;
    const Re *re = read_rune(p, &c) ? rune_new(p, c) : NULL;
    if (!re) return false;
    cue_push(p->a, parts, re);
  }
  return true;
}

static const Re *read_sequence(Parser *p) {
  Res parts = {0};
  bool repeatable = false; /* the last of parts was written just before */
  while (more(p) && peek(p) != '|' && peek(p) != ')') {
    int min, max;
    if (read_repeat(p, &min, &max)) {
      if (!repeatable) return refuse(p, "repeats nothing");
      take(p, "?");
      parts.at[parts.n - 1] = repeat_new(p, parts.at[parts.n - 1], min, max);
      if (!parts.at[parts.n - 1]) return NULL;
      repeatable = false;
    } else if (take(p, "\\Q")) {
      uint32_t before = parts.n;
      if (!read_quoted(p, &parts)) return NULL;
      repeatable = parts.n > before;
    } else {
      bool flags_only = false;
      const Re *re = read_item(p, &flags_only);
      if (p->why) return NULL;
      if (!flags_only) cue_push(p->a, &parts, re);
      repeatable = !flags_only;
    }
  }
  return many_new(p->a, RE_CAT, parts);
}

static const Re *read_alternatives(Parser *p) {
  Res parts = {0};
  do {
    const Re *re = read_sequence(p);
    if (!re) return NULL;
    cue_push(p->a, &parts, re);
  } while (take(p, "|"));
  return many_new(p->a, RE_ALT, parts);
}

const Re *dfa_parse(CueArena *a, CueStr pattern, const char **why) {
  Parser p = {.a = a, .text = pattern};
  const Re *re = read_alternatives(&p);
  if (re && more(&p)) re = refuse(&p, "closes a group that is not open");
  *why = p.why;
  return re;
}
