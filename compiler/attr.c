/* attr.c - attribute bodies: fields split at commas, keys at the first "=".
**
** The scanner has made sure that brackets and quotes match, so splitting needs to know only
** how to step over them.
*/
#include "compiler/attr.h"

#include <string.h>

#include "compiler/literal.h"

CueStr attr_name(const Ast *attribute) {
  CueStr t = attribute->u.text;
  size_t i = 1;
  while (i < t.n && t.s[i] != '(') i++;
  return cue_str_sub(t, t.n ? 1 : 0, i);
}

/* One past the string that starts at i, with its hashes and however many quotes. */
static size_t skip_string(CueStr s, size_t i) {
  size_t hashes = 0;
  while (i < s.n && s.s[i] == '#') hashes++, i++;
  if (i >= s.n || (s.s[i] != '"' && s.s[i] != '\'')) return i;
  char q = s.s[i];
  size_t quotes = i + 2 < s.n && s.s[i + 1] == q && s.s[i + 2] == q ? 3 : 1;
  for (i += quotes; i < s.n; i++) {
    if (s.s[i] == '\\') {
      size_t k = i + 1, h = 0;
      while (k < s.n && h < hashes && s.s[k] == '#') k++, h++;
      if (h == hashes) i = k;
      continue;
    }
    size_t k = i, n = 0;
    while (k < s.n && n < quotes && s.s[k] == q) k++, n++;
    if (n < quotes) continue;
    size_t h = 0;
    while (k < s.n && h < hashes && s.s[k] == '#') k++, h++;
    if (h == hashes) return k;
  }
  return s.n;
}

static bool is_bind(CueStr s, size_t i) {
  char before = i ? s.s[i - 1] : 0, after = i + 1 < s.n ? s.s[i + 1] : 0;
  return after != '=' && after != '~' && !(before && strchr("=<>!", before));
}

/* Where the field that starts at i ends; *eq is the place of its "=", or the end. */
static size_t field_end(CueStr s, size_t i, size_t *eq) {
  int depth = 0;
  bool found = false;
  while (i < s.n) {
    char c = s.s[i];
    if (c == '"' || c == '\'') {
      i = skip_string(s, i);
      continue;
    }
    if (c == '#') {
      size_t next = skip_string(s, i);
      i = next > i ? next : i + 1;
      continue;
    }
    if (c == '(' || c == '[' || c == '{') depth++;
    if (c == ')' || c == ']' || c == '}') depth--;
    if (c == ',' && depth <= 0) break;
    if (c == '=' && depth <= 0 && !found && is_bind(s, i)) {
      *eq = i;
      found = true;
    }
    i++;
  }
  if (!found) *eq = i;
  return i;
}

static CueStr trim(CueStr s) {
  while (s.n && strchr(" \t\r\n", s.s[0])) s.s++, s.n--;
  while (s.n && strchr(" \t\r\n", s.s[s.n - 1])) s.n--;
  return s;
}

static CueStr unquote(CueArena *a, CueStr s) {
  if (s.n < 2 || s.s[0] != s.s[s.n - 1] || !strchr("#\"'", s.s[0])) return s;
  CueValue v = cue_literal_string(a, s);
  return v.kind == CUE_BOTTOM ? s : cue_value_str(v);
}

Attr attr_parse(CueArena *a, const Ast *attribute) {
  Attr at = {.name = attr_name(attribute)};
  CueStr t = attribute->u.text;
  if (at.name.n + 2 < t.n)
    at.body = cue_str_sub(t, at.name.n + 2, t.n - 1);
  else
    at.body = CUE_STR("");
  for (size_t from = 0;; from++) {
    size_t eq, end = field_end(at.body, from, &eq);
    AttrField f = {.key = CUE_STR(""), .text = cue_str_sub(at.body, from, end)};
    if (eq < end) f.key = trim(cue_str_sub(at.body, from, eq));
    f.value = unquote(a, trim(eq < end ? cue_str_sub(at.body, eq + 1, end) : f.text));
    cue_push(a, &at.fields, f);
    if (end >= at.body.n) return at;
    from = end;
  }
}

CueStr attr_string(const Attr *at, uint32_t i) {
  if (i >= at->fields.n) return CUE_STR("");
  return at->fields.at[i].key.n ? at->fields.at[i].text : at->fields.at[i].value;
}

bool attr_lookup(const Attr *at, uint32_t from, const char *key, CueStr *value) {
  *value = CUE_STR("");
  for (uint32_t i = from; i < at->fields.n; i++) {
    if (!cue_str_is(at->fields.at[i].key, key)) continue;
    *value = at->fields.at[i].value;
    return true;
  }
  return false;
}

bool attr_flag(const Attr *at, uint32_t from, const char *name) {
  for (uint32_t i = from; i < at->fields.n; i++)
    if (!at->fields.at[i].key.n && cue_str_is(at->fields.at[i].value, name)) return true;
  return false;
}
