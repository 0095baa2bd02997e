/* address.c - see address.h.
**
** Names are matched against what there is, the longest first: so a name or a key may have dots
** without being quoted.
*/
#include "cli/address.h"

#include <stdlib.h>

enum { NEAREST = 3, SHOWN = 12 };

/* ---- text ---- */

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c; }

static CueStr lowered(CueArena *a, CueStr s) {
  CueBuf b = cue_buf(a);
  for (size_t i = 0; i < s.n; i++) cue_buf_ch(&b, lower(s.s[i]));
  return cue_buf_done(&b);
}

/* Whether text begins with name and then a field follows, or nothing. */
static bool begins(CueStr text, CueStr name) {
  return name.n && cue_str_has_prefix(text, name) &&
         (text.n == name.n || text.s[name.n] == '.' || text.s[name.n] == '[');
}

/* Insertions, deletions and replacements from x to y. */
static uint32_t distance(CueArena *a, CueStr x, CueStr y) {
  uint32_t *row = cue_array(a, uint32_t, y.n + 1);
  for (uint32_t j = 0; j <= y.n; j++) row[j] = j;
  for (size_t i = 0; i < x.n; i++) {
    uint32_t before = row[0];
    row[0] = (uint32_t)i + 1;
    for (size_t j = 0; j < y.n; j++) {
      uint32_t best = before + (lower(x.s[i]) != lower(y.s[j]));
      before = row[j + 1];
      if (row[j] + 1 < best) best = row[j] + 1;
      if (before + 1 < best) best = before + 1;
      row[j + 1] = best;
    }
  }
  return row[y.n];
}

typedef struct {
  CueStr text;
  uint32_t distance, place;
} Near;
typedef CUE_VEC(Near) NearList;

static int nearer(const void *x, const void *y) {
  const Near *p = x, *q = y;
  if (p->distance != q->distance) return p->distance < q->distance ? -1 : 1;
  return p->place < q->place ? -1 : p->place > q->place;
}

static void add_near(CueArena *a, NearList *l, CueStr text, CueStr wanted) {
  for (uint32_t i = 0; i < l->n; i++)
    if (cue_str_eq(l->at[i].text, text)) return;
  cue_push(a, l, (Near){text, distance(a, wanted, text), l->n});
}

/* "did you mean a, b or c?", or all there is if nothing comes near. */
static CueStr nearest(CueArena *a, NearList *l, CueStr wanted, NearList *all) {
  CueBuf b = cue_buf(a);
  if (!l->n) return CUE_STR("");
  qsort(l->at, l->n, sizeof *l->at, nearer);
  uint32_t n = 0;
  while (n < l->n && n < NEAREST && l->at[n].distance <= 1 + wanted.n / 3) n++;
  bool any = n > 0;
  if (!any) {
    l = all;
    n = l->n < SHOWN ? l->n : SHOWN;
  }
  cue_buf_z(&b, any ? "did you mean " : n == 1 ? "there is only " : "there are ");
  for (uint32_t i = 0; i < n; i++)
    cue_buf_f(&b, "%s%.*s", !i ? "" : any && i + 1 == n ? " or " : ", ", CUE_FMT(l->at[i].text));
  cue_buf_z(&b, any ? "?" : n < l->n ? ", ..." : "");
  return cue_buf_done(&b);
}

/* ---- objects ---- */

CueStr address_name(CueArena *a, const RenderObject *o) {
  return cue_strf(a, "%.*s/%.*s%s%.*s", CUE_FMT(o->kind), CUE_FMT(o->namespace), o->namespace.n ? "/" : "",
                  CUE_FMT(o->name));
}

static const struct {
  const char *letters, *kind;
} short_names[] = {
    {"cm", "configmap"},
    {"deploy", "deployment"},
    {"ds", "daemonset"},
    {"hpa", "horizontalpodautoscaler"},
    {"ing", "ingress"},
    {"netpol", "networkpolicy"},
    {"ns", "namespace"},
    {"cj", "cronjob"},
    {"pdb", "poddisruptionbudget"},
    {"pvc", "persistentvolumeclaim"},
    {"sa", "serviceaccount"},
    {"sts", "statefulset"},
    {"svc", "service"},
};

/* How much of the text names the object; 0 if it does not. */
static size_t match_kind(CueArena *a, const RenderObject *o, CueStr text, CueStr kind) {
  const CueStr spellings[] = {
      cue_strf(a, "%.*s/%.*s/%.*s", CUE_FMT(o->namespace), CUE_FMT(kind), CUE_FMT(o->name)),
      cue_strf(a, "%.*s/%.*s/%.*s", CUE_FMT(kind), CUE_FMT(o->namespace), CUE_FMT(o->name)),
      cue_strf(a, "%.*s/%.*s", CUE_FMT(kind), CUE_FMT(o->name)),
      cue_strf(a, "%.*s/%.*s", CUE_FMT(o->namespace), CUE_FMT(kind)),
      kind,
  };
  for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
    if (begins(text, spellings[i])) return spellings[i].n;
  return 0;
}

static CueStr plural(CueArena *a, CueStr kind) {
  char last = kind.n ? kind.s[kind.n - 1] : 0;
  if (last == 'y') return cue_strf(a, "%.*sies", (int)kind.n - 1, kind.s);
  return cue_strf(a, "%.*s%s", CUE_FMT(kind), last == 's' ? "es" : "s");
}

static size_t match(CueArena *a, const RenderObject *o, CueStr text) {
  CueStr kind = lowered(a, o->kind), small = lowered(a, text);
  size_t n = match_kind(a, o, small, kind), k = match_kind(a, o, small, plural(a, kind));
  if (k > n) n = k;
  for (size_t i = 0; i < sizeof short_names / sizeof *short_names; i++)
    if (cue_str_is(kind, short_names[i].kind)) {
      k = match_kind(a, o, small, cue_str(short_names[i].letters));
      if (k > n) n = k;
    }
  const CueStr alone[] = {o->name, cue_strf(a, "%.*s/%.*s", CUE_FMT(o->namespace), CUE_FMT(o->name))};
  for (size_t i = 0; i < 2; i++)
    if (begins(text, alone[i]) && alone[i].n > n) n = alone[i].n;
  return n;
}

/* ---- fields ---- */

static bool is_plain(CueStr key) {
  for (size_t i = 0; i < key.n; i++) {
    char c = key.s[i];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_'))
      return false;
  }
  return key.n > 0;
}

CueStr address_below(CueArena *a, CueStr path, CueStr key) {
  CueBuf b = cue_buf(a);
  cue_buf_f(&b, "%.*s%s", CUE_FMT(path), path.n ? "." : "");
  if (is_plain(key))
    cue_buf_str(&b, key);
  else
    cue_emit_json_string(&b, key, false);
  return cue_buf_done(&b);
}

CueStr address_element(CueArena *a, CueStr path, uint32_t index) {
  return cue_strf(a, "%.*s[%u]", CUE_FMT(path), index);
}

static CueStr element_name(CueValue v) {
  const CueValue *name = v.kind == CUE_STRUCT ? cue_struct_get(v.as.fields, CUE_STR("name")) : NULL;
  return name && name->kind == CUE_STRING ? cue_value_str(*name) : CUE_STR("");
}

/* The next key of a path as written: in brackets, in quotes, or up to a dot or bracket. */
static CueStr next_word(CueStr rest, size_t *end) {
  size_t i = 0;
  bool bracket = rest.n && rest.s[0] == '[';
  if (bracket || (rest.n && rest.s[0] == '.')) i++;
  char quote = i < rest.n && (rest.s[i] == '"' || rest.s[i] == '\'') ? rest.s[i] : 0;
  size_t from = i += quote != 0;
  while (i < rest.n && (quote ? rest.s[i] != quote : bracket ? rest.s[i] != ']' : rest.s[i] != '.' && rest.s[i] != '['))
    i++;
  CueStr word = cue_str_sub(rest, from, i);
  if (quote && i < rest.n) i++;
  if (bracket && i < rest.n && rest.s[i] == ']') i++;
  *end = i;
  return word;
}

/* The field of a struct that the rest of a path begins with: a key with dots may stand there as it is. */
static const CueField *next_field(const CueStruct *s, CueStr rest, size_t *end) {
  const CueField *best = NULL;
  size_t word_end;
  CueStr word = next_word(rest, &word_end), bare = rest.n && rest.s[0] == '.' ? cue_str_sub(rest, 1, rest.n) : rest;
  for (uint32_t i = 0; i < s->n; i++) {
    if (cue_str_eq(s->at[i].key, word) && (!best || word.n > best->key.n)) {
      best = &s->at[i];
      *end = word_end;
    } else if (begins(bare, s->at[i].key) && (!best || s->at[i].key.n > best->key.n)) {
      best = &s->at[i];
      *end = rest.n - bare.n + s->at[i].key.n;
    }
  }
  return best;
}

static bool next_element(const CueList *l, CueStr word, uint32_t *index) {
  bool digits = word.n > 0 && word.n < 10;
  *index = 0;
  for (size_t i = 0; i < word.n && digits; i++) {
    digits = word.s[i] >= '0' && word.s[i] <= '9';
    if (digits) *index = *index * 10 + (uint32_t)(word.s[i] - '0');
  }
  if (digits) return *index < l->n;
  for (*index = 0; *index < l->n; ++*index)
    if (cue_str_eq(element_name(l->at[*index]), word)) return true;
  return false;
}

/* False with what was asked for, and what there is instead. */
static bool walk(CueArena *a, Address *out, CueStr rest, CueStr *wanted, NearList *there) {
  out->value = out->object->object;
  out->text = CUE_STR("");
  out->path.n = 0;
  while (rest.n) {
    size_t end = 0;
    CueStr word = next_word(rest, &end);
    CueValue v = out->value;
    uint32_t index;
    const CueField *f = v.kind == CUE_STRUCT ? next_field(v.as.fields, rest, &end) : NULL;
    if (f) {
      cue_push(a, &out->path, (TraceKey){.name = f->key});
      out->text = address_below(a, out->text, f->key);
      out->value = f->value;
    } else if (v.kind == CUE_LIST && next_element(v.as.list, word, &index)) {
      cue_push(a, &out->path, (TraceKey){.index = index});
      out->text = address_element(a, out->text, index);
      out->value = v.as.list->at[index];
    } else {
      *wanted = word;
      there->n = 0;
      for (uint32_t i = 0; v.kind == CUE_STRUCT && i < v.as.fields->n; i++)
        add_near(a, there, address_below(a, CUE_STR(""), v.as.fields->at[i].key), word);
      for (uint32_t i = 0; v.kind == CUE_LIST && i < v.as.list->n; i++) {
        CueStr name = element_name(v.as.list->at[i]);
        add_near(a, there, name.n ? name : cue_strf(a, "%u", i), word);
      }
      return false;
    }
    rest = cue_str_sub(rest, end, rest.n);
  }
  return true;
}

static size_t last_slash(CueStr s) {
  size_t i = s.n;
  while (i > 0 && s.s[i - 1] != '/') i--;
  return i - 1;
}

static bool no_object(CueArena *a, const RenderResult *res, CueStr text, CueStr *message, CueStr *hint) {
  size_t end = 0;
  while (end < text.n && text.s[end] != '.' && text.s[end] != '[') end++;
  CueStr name = cue_str_sub(text, 0, end);
  CueStr last = cue_str_sub(name, last_slash(name) + 1, name.n);
  NearList near = {0}, all = {0};
  bool kinds = cue_str_find(name, CUE_STR("/")) < 0;
  for (uint32_t i = 0; i < res->objects.n; i++) {
    const RenderObject *o = &res->objects.at[i];
    CueStr kind = lowered(a, o->kind);
    if (kinds) {
      add_near(a, &near, kind, name);
      add_near(a, &near, o->name, name);
    }
    CueStr both = cue_strf(a, "%.*s/%.*s", CUE_FMT(kind), CUE_FMT(o->name));
    add_near(a, &all, both, name);
    if (!kinds) { /* it is the name that people get wrong; kinds have many spellings */
      add_near(a, &near, both, name);
      near.at[near.n - 1].distance = distance(a, last, o->name);
    }
  }
  *message = cue_strf(a, "no rendered object is called \"%.*s\"", CUE_FMT(name));
  *hint = res->objects.n ? nearest(a, &near, last, &all) : CUE_STR("the module renders no objects");
  return false;
}

bool address_find(CueArena *a, const RenderResult *res, CueStr text, Address *out, CueStr *message, CueStr *hint) {
  size_t most = 0;
  for (uint32_t i = 0; i < res->objects.n; i++) {
    size_t n = match(a, &res->objects.at[i], text);
    if (n > most) most = n;
  }
  if (!most) return no_object(a, res, text, message, hint);
  CueBuf names = cue_buf(a);
  NearList there = {0};
  CueStr wanted = CUE_STR(""), rest = cue_str_sub(text, most, text.n);
  uint32_t named = 0, reached = 0;
  for (uint32_t i = 0; i < res->objects.n; i++) {
    Address one = {.object = &res->objects.at[i]};
    if (match(a, one.object, text) != most) continue;
    cue_buf_f(&names, "%s%.*s/%.*s", named++ ? ", " : "", CUE_FMT(lowered(a, one.object->kind)),
              CUE_FMT(one.object->name));
    if (walk(a, &one, rest, &wanted, &there)) {
      /* Of two that are called the same the last one applied wins. */
      if (!reached || !cue_str_eq(address_name(a, out->object), address_name(a, one.object))) reached++;
      *out = one;
    } else if (!reached) {
      *out = one;
    }
  }
  if (reached == 1) return true;
  CueStr name = cue_str_sub(text, 0, most);
  if (named > 1) {
    *message =
        cue_strf(a, "\"%.*s\" is the name of several objects: %.*s", CUE_FMT(name), CUE_FMT(cue_buf_done(&names)));
    *hint = CUE_STR("write KIND/NAME, or NAMESPACE/KIND/NAME");
    return false;
  }
  CueStr in = address_name(a, out->object);
  *message = cue_strf(a, "%.*s has no field \"%.*s\"%s%.*s", CUE_FMT(in), CUE_FMT(wanted), out->text.n ? " in " : "",
                      CUE_FMT(out->text));
  *hint = nearest(a, &there, wanted, &there);
  return false;
}
