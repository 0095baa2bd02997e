/* regexp.c - CUE's package "regexp".
**
** The engine finds one match; which matches make up "all" of them, and how a replacement
** is expanded, follows Go's regexp package: an empty match that touches the match before
** it does not count.
*/
#include "stdlib/cue/stdlib.h"
#include "runtime/unicode.h"

#include <stdlib.h>
#include <string.h>

/* A pattern at work on a text. */
typedef struct {
  const CueRegex *re;
  CueStr text;
  int groups;   /* with group 0 */
  CueMatch *at; /* of the last match: `groups` entries */
} Search;

/* Compiles argument 0 for the text in argument 1; on failure sets c->error. */
static bool search_open(CueCall *c, Search *s) {
  CueStr why = {0};
  s->re = cue_regex_get(c->regexes, c->a, cue_arg_str(c, 0), &why);
  if (!s->re) {
    c->error = cue_fail(c, "%.*s", CUE_FMT(why));
    return false;
  }
  s->text = c->nargs > 1 ? cue_arg_str(c, 1) : CUE_STR("");
  s->groups = cue_regex_groups(s->re) + 1;
  s->at = cue_array(c->a, CueMatch, (size_t)s->groups);
  return true;
}

static CueStr group_text(CueStr text, CueMatch m) {
  return m.from < 0 ? CUE_STR("") : cue_str_sub(text, (size_t)m.from, (size_t)m.to);
}

/* Where the rune at pos ends; past the end of the text, one further. */
static size_t after_rune(CueStr text, size_t pos) {
  if (pos >= text.n) return pos + 1;
  cue_utf8_next(text, &pos);
  return pos;
}

static CueValue whole_match(CueCall *c, const Search *s) {
  return cue_result_string(c->a, group_text(s->text, s->at[0]));
}

static CueValue submatches(CueCall *c, const Search *s) {
  CueList *l = cue_list_new(c->a, (uint32_t)s->groups);
  for (int i = 0; i < s->groups; i++) l->at[i] = cue_result_string(c->a, group_text(s->text, s->at[i]));
  return cue_list(l);
}

static int by_key(const void *x, const void *y) {
  return cue_str_cmp(((const CueField *)x)->key, ((const CueField *)y)->key);
}

static CueValue named_submatches(CueCall *c, const Search *s) {
  CueStruct *st = cue_struct_new(c->a, (uint32_t)s->groups);
  st->n = 0;
  for (int i = 1; i < s->groups; i++) {
    CueStr name = cue_regex_group_name(s->re, i);
    if (name.n) st->at[st->n++] = (CueField){name, cue_result_string(c->a, group_text(s->text, s->at[i]))};
  }
  qsort(st->at, st->n, sizeof *st->at, by_key);
  return cue_struct(st);
}

typedef CueValue Deliver(CueCall *c, const Search *s);

static CueValue find_one(CueCall *c, Deliver *deliver) {
  Search s;
  if (!search_open(c, &s)) return c->error;
  if (!cue_regex_find(s.re, s.text, 0, s.at)) return cue_fail(c, "no match");
  return deliver(c, &s);
}

static CueValue find_all(CueCall *c, Deliver *deliver) {
  Search s;
  int64_t max;
  if (!cue_arg_int64(c, 2, &max)) return c->error;
  if (!search_open(c, &s)) return c->error;
  CUE_VEC(CueValue) found = {0};
  ptrdiff_t last_end = -1;
  for (size_t pos = 0; pos <= s.text.n && (max < 0 || found.n < (uint64_t)max);) {
    if (!cue_regex_find(s.re, s.text, pos, s.at)) break;
    bool empty = s.at[0].to == (ptrdiff_t)pos;
    bool counts = !empty || s.at[0].from != last_end;
    pos = empty ? after_rune(s.text, pos) : (size_t)s.at[0].to;
    last_end = s.at[0].to;
    if (!counts) continue;
    CueValue v = deliver(c, &s);
    cue_push(c->a, &found, v);
  }
  if (!found.n) return cue_fail(c, "no match");
  CueList *l = cue_list_new(c->a, found.n);
  memcpy(l->at, found.at, found.n * sizeof *found.at);
  return cue_list(l);
}

static CueValue fn_find(CueCall *c) { return find_one(c, whole_match); }
static CueValue fn_find_submatch(CueCall *c) { return find_one(c, submatches); }
static CueValue fn_find_named(CueCall *c) { return find_one(c, named_submatches); }
static CueValue fn_find_all(CueCall *c) { return find_all(c, whole_match); }
static CueValue fn_find_all_submatch(CueCall *c) { return find_all(c, submatches); }
static CueValue fn_find_all_named(CueCall *c) { return find_all(c, named_submatches); }

/* ---- replacing --------------------------------------------------------------------------- */

/* A $name or ${name} at the start of s (after the $). Returns its length, 0 if malformed. */
static size_t take_name(CueStr s, CueStr *name) {
  bool brace = s.n && s.s[0] == '{';
  size_t from = brace, i = from;
  while (i < s.n) {
    size_t next = i;
    uint32_t r = cue_utf8_next(s, &next);
    if (r != '_' && !cue_uni_is_letter(r) && !cue_uni_is_digit(r)) break;
    i = next;
  }
  if (i == from) return 0;
  *name = cue_str_sub(s, from, i);
  if (!brace) return i;
  return i < s.n && s.s[i] == '}' ? i + 1 : 0;
}

/* The group a name stands for, -1 if none: a number without leading zeros, or a named group. */
static int find_group(const Search *s, CueStr name) {
  int64_t n = 0;
  for (size_t i = 0; i < name.n && n >= 0; i++)
    n = name.s[i] < '0' || name.s[i] > '9' || n >= 100000000 ? -1 : n * 10 + (name.s[i] - '0');
  if (name.s[0] == '0' && name.n > 1) n = -1;
  if (n >= 0) return n < s->groups ? (int)n : -1;
  for (int i = 1; i < s->groups; i++)
    if (cue_str_eq(cue_regex_group_name(s->re, i), name) && s->at[i].from >= 0) return i;
  return -1;
}

static void expand(CueBuf *out, const Search *s, CueStr repl) {
  for (size_t i = 0; i < repl.n;) {
    char ch = repl.s[i++];
    if (ch != '$') {
      cue_buf_ch(out, ch);
      continue;
    }
    if (i < repl.n && repl.s[i] == '$') {
      cue_buf_ch(out, '$');
      i++;
      continue;
    }
    CueStr name;
    size_t n = take_name(cue_str_sub(repl, i, repl.n), &name);
    if (!n) {
      cue_buf_ch(out, '$');
      continue;
    }
    int group = find_group(s, name);
    if (group >= 0) cue_buf_str(out, group_text(s->text, s->at[group]));
    i += n;
  }
}

static CueValue replace_all(CueCall *c, bool literal) {
  Search s;
  if (!search_open(c, &s)) return c->error;
  CueStr repl = cue_arg_str(c, 2);
  CueBuf out = cue_buf(c->a);
  size_t done = 0;
  for (size_t pos = 0; pos <= s.text.n && cue_regex_find(s.re, s.text, pos, s.at);) {
    size_t from = (size_t)s.at[0].from, to = (size_t)s.at[0].to;
    cue_buf_add(&out, s.text.s + done, from - done);
    if (to > done || from == 0) {
      if (literal)
        cue_buf_str(&out, repl);
      else
        expand(&out, &s, repl);
    }
    done = to;
    size_t next = after_rune(s.text, pos);
    pos = next > to ? next : to;
  }
  cue_buf_add(&out, s.text.s + done, s.text.n - done);
  return cue_result_string(c->a, cue_buf_done(&out));
}

static CueValue fn_replace_all(CueCall *c) { return replace_all(c, false); }
static CueValue fn_replace_all_literal(CueCall *c) { return replace_all(c, true); }

/* ---- the rest ---------------------------------------------------------------------------- */

static CueValue fn_valid(CueCall *c) {
  Search s;
  return search_open(c, &s) ? cue_bool(true) : c->error;
}

static CueValue fn_match(CueCall *c) {
  Search s;
  return search_open(c, &s) ? cue_bool(cue_regex_test(s.re, s.text)) : c->error;
}

static CueValue fn_quote_meta(CueCall *c) {
  CueStr s = cue_arg_str(c, 0);
  CueBuf out = cue_buf(c->a);
  for (size_t i = 0; i < s.n; i++) {
    if (s.s[i] && strchr("\\.+*?()|[]{}^$", s.s[i])) cue_buf_ch(&out, '\\');
    cue_buf_ch(&out, s.s[i]);
  }
  return cue_string(cue_buf_done(&out));
}

static const CueBuiltin functions[] = {
    {"Find", "ss", 's', fn_find},
    {"FindAll", "ssi", 'l', fn_find_all},
    {"FindAllNamedSubmatch", "ssi", 'l', fn_find_all_named},
    {"FindAllSubmatch", "ssi", 'l', fn_find_all_submatch},
    {"FindNamedSubmatch", "ss", 't', fn_find_named},
    {"FindSubmatch", "ss", 'l', fn_find_submatch},
    {"ReplaceAll", "sss", 's', fn_replace_all},
    {"ReplaceAllLiteral", "sss", 's', fn_replace_all_literal},
    {"Valid", "s", 'b', fn_valid},
    {"Match", "ss", 'b', fn_match},
    {"QuoteMeta", "s", 's', fn_quote_meta},
};

const CueBuiltinPackage cue_pkg_regexp = {"regexp", functions, CUE_COUNT(functions), NULL, false};
