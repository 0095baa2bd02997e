/* toml_read.c - TOML documents.
**
** Headers and dotted keys say where a value goes; cue turns each into a field and lets
** unification merge them. Here the tables are merged while reading: a path is walked from
** the document, or from the newest element of the table array it leads through. Two sets
** guard the rules that unification would not: `seen` holds the full path of every key and
** header, `arrays` the table arrays that are open.
*/
#include "stdlib/cue/toml_read.h"

#include <string.h>

#include "stdlib/cue/gotext.h"
#include "stdlib/cue/stdlib.h"
#include "stdlib/cue/toml_scan.h"
#include "runtime/unicode.h"

#define MAX_NESTING 2000

typedef struct Node Node;
typedef struct {
  CueStr key;
  Node *value;
  size_t from, to; /* of the key */
} Entry;

/* A table or list under construction, or a finished leaf. */
struct Node {
  CueKind kind; /* CUE_STRUCT, CUE_LIST, or that of the leaf */
  CueValue leaf;
  CUE_VEC(Entry) entries; /* of a list, without keys */
  size_t from, to;
};

typedef struct {
  CueStr name;
  size_t from, to;
} Part;
typedef CUE_VEC(Part) Path;

typedef struct {
  CueStr key; /* the full path, as joined by join_key */
  uint32_t level;
  Node *list;
  Node *newest;
} TableArray;

typedef struct {
  TomlScan scan;
  CueArena *a;
  Node *root;
  Node *current; /* where `key = value` goes */
  CueStr current_key;
  int current_depth;
  bool literals; /* numbers are kept as they are written */
  bool doomed;   /* inside the value of a key that will be refused: its own keys are not judged */
  CueValue late; /* the first value that is malformed as CUE: told if the document is well-formed */
  CUE_VEC(CueStr) seen;
  uint32_t *slots; /* hash of seen: index + 1, 0 if free */
  uint32_t nslots;
  CUE_VEC(TableArray) arrays;
} Toml;

/* ---- the set of keys --------------------------------------------------------------------- */

static uint32_t slot_of(const Toml *t, CueStr key) {
  uint32_t i = cue_str_hash(key) & (t->nslots - 1);
  while (t->slots[i] && !cue_str_eq(t->seen.at[t->slots[i] - 1], key)) i = (i + 1) & (t->nslots - 1);
  return i;
}

static void rehash(Toml *t, uint32_t nslots) {
  t->slots = cue_array(t->a, uint32_t, nslots);
  t->nslots = nslots;
  for (uint32_t i = 0; i < t->seen.n; i++) t->slots[slot_of(t, t->seen.at[i])] = i + 1;
}

static bool was_seen(const Toml *t, CueStr key) { return t->nslots && t->slots[slot_of(t, key)]; }

static void mark_seen(Toml *t, CueStr key) {
  if (was_seen(t, key)) return;
  if ((t->seen.n + 1) * 2 > t->nslots) rehash(t, t->nslots ? t->nslots * 2 : 64);
  cue_push(t->a, &t->seen, key);
  t->slots[slot_of(t, key)] = t->seen.n;
}

static bool is_below(CueStr key, CueStr parent) {
  return key.n > parent.n && key.s[parent.n] == '.' && cue_str_has_prefix(key, parent);
}

/* A new element of a table array starts afresh: what was said below the old one is forgotten. */
static void forget_below(Toml *t, CueStr key) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < t->arrays.n; i++)
    if (!is_below(t->arrays.at[i].key, key)) t->arrays.at[kept++] = t->arrays.at[i];
  t->arrays.n = kept;
  kept = 0;
  for (uint32_t i = 0; i < t->seen.n; i++)
    if (!is_below(t->seen.at[i], key)) t->seen.at[kept++] = t->seen.at[i];
  if (kept == t->seen.n) return;
  t->seen.n = kept;
  memset(t->slots, 0, t->nslots * sizeof *t->slots);
  for (uint32_t i = 0; i < t->seen.n; i++) t->slots[slot_of(t, t->seen.at[i])] = i + 1;
}

static TableArray *find_array(Toml *t, CueStr key) {
  for (uint32_t i = 0; i < t->arrays.n; i++)
    if (cue_str_eq(t->arrays.at[i].key, key)) return &t->arrays.at[i];
  return NULL;
}

/* The table array at the key, else the deepest one it leads through, else NULL. */
static TableArray *find_array_on_way(Toml *t, CueStr key) {
  if (find_array(t, key)) {
    forget_below(t, key);
    return find_array(t, key);
  }
  TableArray *found = NULL;
  for (uint32_t i = 0; i < t->arrays.n; i++) {
    TableArray *array = &t->arrays.at[i];
    if (is_below(key, array->key) && (!found || array->level > found->level)) found = array;
  }
  return found;
}

/* ---- the tree ---------------------------------------------------------------------------- */

static Node *new_node(Toml *t, CueKind kind) {
  Node *n = cue_new(t->a, Node);
  n->kind = kind;
  return n;
}

static CueValue node_value(Toml *t, const Node *n) {
  if (n->kind == CUE_STRUCT) {
    CueStruct *s = cue_struct_new(t->a, n->entries.n);
    for (uint32_t i = 0; i < n->entries.n; i++)
      s->at[i] = (CueField){n->entries.at[i].key, node_value(t, n->entries.at[i].value)};
    return cue_struct(s);
  }
  if (n->kind == CUE_LIST) {
    CueList *l = cue_list_new(t->a, n->entries.n);
    for (uint32_t i = 0; i < n->entries.n; i++) l->at[i] = node_value(t, n->entries.at[i].value);
    return cue_list(l);
  }
  return n->leaf;
}

static Entry *find_entry(const Node *table, CueStr key) {
  for (uint32_t i = 0; i < table->entries.n; i++)
    if (cue_str_eq(table->entries.at[i].key, key)) return &table->entries.at[i];
  return NULL;
}

/* Two values for one field: an error, unless the text turns out to be malformed. */
static void conflict(Toml *t, CueStr key, const Node *x, const Node *y) {
  if (t->late.len) return;
  CueBuf first = cue_buf(t->a), second = cue_buf(t->a);
  cue_emit_json(&first, node_value(t, x), (CueJsonStyle){0});
  cue_emit_json(&second, node_value(t, y), (CueJsonStyle){0});
  CueStr kinds = CUE_STR("");
  if (x->kind != y->kind)
    kinds = cue_strf(t->a, " (mismatched types %s and %s)", cue_kind_name((unsigned)x->kind),
                     cue_kind_name((unsigned)y->kind));
  t->late = cue_error(cue_strf(t->a, "%.*s: conflicting values %.*s and %.*s%.*s", CUE_FMT(key),
                               CUE_FMT(cue_buf_done(&first)), CUE_FMT(cue_buf_done(&second)), CUE_FMT(kinds)));
}

/* Unifies y into the entry: tables merge, equal leaves stay, all else is a conflict. */
static void merge(Toml *t, Entry *into, Node *y) {
  Node *x = into->value;
  if (x->kind == CUE_STRUCT && y->kind == CUE_STRUCT) {
    for (uint32_t i = 0; i < y->entries.n; i++) {
      Entry *old = find_entry(x, y->entries.at[i].key);
      if (!old)
        cue_push(t->a, &x->entries, y->entries.at[i]);
      else
        merge(t, old, y->entries.at[i].value);
    }
  } else if (!cue_value_eq(node_value(t, x), node_value(t, y))) {
    conflict(t, into->key, x, y);
  }
}

/* Adds value to the table at the end of the path, making tables on the way. Returns the node it ended up in. */
static Node *put(Toml *t, Node *table, const Part *path, uint32_t n, Node *value) {
  for (uint32_t i = 0; i < n; i++) {
    Entry *e = find_entry(table, path[i].name);
    Node *next = i + 1 == n ? value : new_node(t, CUE_STRUCT);
    if (i + 1 < n) next->from = next->to = path[i + 1].from;
    if (e) {
      merge(t, e, next);
      table = e->value;
    } else {
      cue_push(t->a, &table->entries, (Entry){path[i].name, next, path[i].from, path[i].to});
      table = next;
    }
  }
  return table;
}

/* ---- keys -------------------------------------------------------------------------------- */

/* Whether cue writes the name without quotes. */
static bool is_plain_label(CueStr name) {
  for (size_t i = 0; i < name.n;) {
    bool first = i == 0;
    uint32_t r = cue_utf8_next(name, &i);
    if (first && (r == '_' || cue_uni_is_digit(r))) return false;
    if (r != '_' && r != '$' && !cue_uni_is_letter(r) && !cue_uni_is_digit(r)) return false;
  }
  return name.n > 0;
}

static CueStr join_key(Toml *t, CueStr parent, const Part *path, uint32_t n) {
  CueBuf out = cue_buf(t->a);
  cue_buf_str(&out, parent);
  for (uint32_t i = 0; i < n; i++) {
    if (out.n) cue_buf_ch(&out, '.');
    if (is_plain_label(path[i].name))
      cue_buf_str(&out, path[i].name);
    else
      cue_emit_json_string(&out, path[i].name, false);
  }
  return cue_buf_done(&out);
}

static bool read_key(Toml *t, Path *path) {
  for (;;) {
    Part part = {.from = t->scan.pos};
    if (path->n > MAX_NESTING) return toml_fail(&t->scan, "exceeded max depth");
    if (!toml_simple_key(&t->scan, &part.name)) return false;
    part.to = t->scan.pos;
    cue_push(t->a, path, part);
    toml_skip_blanks(&t->scan);
    if (toml_peek(&t->scan, 0) != '.') return true;
    t->scan.pos++;
    toml_skip_blanks(&t->scan);
  }
}

/* ---- values ------------------------------------------------------------------------------ */

static Node *leaf(Toml *t, CueValue v) {
  Node *n = new_node(t, (CueKind)v.kind);
  n->leaf = v;
  return n;
}

static bool is_digit(char ch) { return ch >= '0' && ch <= '9'; }

static bool is_float(CueStr text) {
  bool radix = text.n > 1 && text.s[0] == '0' && strchr("xob", text.s[1]);
  for (size_t i = 0; i < text.n && !radix; i++)
    if (strchr(".eEin", text.s[i])) return true;
  return false;
}

static bool number_leaf(Toml *t, size_t start, Node **out) {
  CueStr text = cue_str_sub(t->scan.text, start, t->scan.pos);
  if (t->literals) {
    *out = leaf(t, cue_string(text));
    (*out)->kind = is_float(text) ? CUE_FLOAT : CUE_INT;
    return true;
  }
  CueValue v = cue_signed_literal(t->scan.c, text);
  if (v.kind == CUE_BOTTOM && !t->late.len)
    t->late = cue_error(cue_strf(t->a, "parse error: %.*s", CUE_FMT(cue_value_str(v))));
  *out = leaf(t, v);
  return true;
}

static bool is_radix_digit(char ch, char radix) {
  if (ch == '_') return true;
  if (radix == 'b') return ch == '0' || ch == '1';
  if (radix == 'o') return ch >= '0' && ch <= '7';
  return is_digit(ch) || ((ch | 0x20) >= 'a' && (ch | 0x20) <= 'f');
}

static bool read_number(Toml *t, Node **out) {
  TomlScan *s = &t->scan;
  size_t start = s->pos;
  char second = toml_peek(s, 1);
  if (s->text.n - start > 2 && toml_peek(s, 0) == '0' && second != '.' && (second | 0x20) != 'e') {
    bool radix = second == 'x' || second == 'o' || second == 'b';
    s->pos += radix ? 2 : 1; /* no number starts with 0 and another digit: what follows is no line end */
    while (radix && !toml_at_end(s) && is_radix_digit(toml_peek(s, 0), second)) s->pos++;
    return number_leaf(t, start, out);
  }
  for (; !toml_at_end(s); s->pos++) {
    char ch = toml_peek(s, 0);
    if (is_digit(ch) || (ch && strchr("+-_.eE", ch))) continue;
    if (ch != 'i' && ch != 'n') break;
    if (!toml_follows(s, ch == 'i' ? "inf" : "nan"))
      return toml_fail(s, "unexpected character '%c' while scanning for a number", ch);
    s->pos += 3;
    return number_leaf(t, start, out);
  }
  if (s->pos == start) return toml_fail(s, "incomplete number");
  return number_leaf(t, start, out);
}

/* Dates and times are strings that time.Format accepts. */
static Node *time_leaf(Toml *t, CueStr text, const char *layout) {
  CueCall *c = t->scan.c;
  const CueBuiltinPackage *time = cue_stdlib_find(CUE_STR("time"));
  for (uint32_t i = 0; time && i < time->n; i++) {
    if (strcmp(time->functions[i].name, "Format") != 0) continue;
    CueValue args[] = {cue_string(text), cue_string(cue_str(layout))};
    CueCall call = *c;
    call.package = time->path;
    call.builtin = &time->functions[i];
    call.args = args;
    call.nargs = 2;
    call.error = (CueValue){0};
    CueValue v = call.builtin->fn(&call);
    if ((v.kind == CUE_BOOL && v.as.b) || t->late.len) break;
    CueStr why = v.kind == CUE_BOTTOM ? cue_strf(c->a, ": %.*s", CUE_FMT(cue_value_str(v))) : CUE_STR("");
    t->late = cue_error(cue_strf(c->a, "invalid value %s (does not satisfy time.Format(\"%s\"))%.*s",
                                 cue_go_quoted(c->a, text).s, layout, CUE_FMT(why)));
  }
  return leaf(t, cue_string(text));
}

static bool read_time(Toml *t, Node **out) {
  TomlScan *s = &t->scan;
  size_t start = s->pos;
  bool date = false, time = false, zone = false, space = false;
  for (; !toml_at_end(s); s->pos++) {
    char ch = toml_peek(s, 0);
    if (is_digit(ch)) continue;
    if (ch == '-') {
      date = true;
      if (s->pos - start >= 8) zone = true;
    } else if (ch == 'T' || ch == 't' || ch == ':' || ch == '.') {
      time = true;
    } else if (ch == '+' || ch == 'Z' || ch == 'z') {
      zone = true;
    } else if (ch == ' ' && !space && is_digit(toml_peek(s, 1))) {
      s->pos += s->pos + 2 < s->text.n ? 2 : 1;
      space = time = true;
    } else {
      break;
    }
  }
  const char *layout = !time   ? "2006-01-02"
                       : !date ? "15:04:05"
                       : zone  ? "2006-01-02T15:04:05Z07:00"
                               : "2006-01-02T15:04:05";
  *out = time_leaf(t, cue_str_sub(s->text, start, s->pos), layout);
  return true;
}

static bool looks_like_time(const TomlScan *s) {
  if (s->text.n - s->pos < 3) return false;
  for (size_t i = 0; i < 5; i++) {
    char ch = toml_peek(s, i);
    if (is_digit(ch)) continue;
    return (i == 2 && ch == ':') || (i == 4 && ch == '-');
  }
  return false;
}

static bool read_value(Toml *t, CueStr key, int depth, Node **out);
static bool read_pair(Toml *t, Node *table, CueStr parent, int depth);

static bool read_array(Toml *t, CueStr key, int depth, Node **out) {
  TomlScan *s = &t->scan;
  Node *list = *out = new_node(t, CUE_LIST);
  bool first = true;
  size_t start = s->pos;
  for (s->pos++; !toml_at_end(s); first = false) {
    if (!toml_skip_lines(s)) return false;
    if (toml_at_end(s)) return toml_fail_at(s, start, "array is incomplete");
    char ch = toml_peek(s, 0);
    if (ch == ']') break;
    if (ch == ',') {
      if (first) return toml_fail(s, "array cannot start with comma");
      s->pos++;
      if (!toml_skip_lines(s)) return false;
    } else if (!first) {
      return toml_fail(s, "array elements must be separated by commas");
    }
    if (toml_peek(s, 0) == ']') break;
    Node *element;
    if (!read_value(t, cue_strf(t->a, "%.*s.%u", CUE_FMT(key), list->entries.n), depth + 1, &element)) return false;
    cue_push(t->a, &list->entries, (Entry){.key = CUE_STR(""), .value = element});
    if (!toml_skip_lines(s)) return false;
  }
  return toml_expect(s, ']');
}

static bool read_inline_table(Toml *t, CueStr key, int depth, Node **out) {
  TomlScan *s = &t->scan;
  Node *table = *out = new_node(t, CUE_STRUCT);
  bool first = true;
  for (s->pos++; !toml_at_end(s); first = false) {
    size_t before = s->pos;
    toml_skip_blanks(s);
    if (toml_at_end(s)) return toml_fail_at(s, before, "inline table is incomplete");
    if (toml_peek(s, 0) == '}') break;
    if (!first) {
      if (!toml_expect(s, ',')) return false;
      toml_skip_blanks(s);
    }
    if (!read_pair(t, table, key, depth + 1)) return false;
  }
  return toml_expect(s, '}');
}

/* Words are told from their first letter; what follows them is the caller's concern. */
static bool read_word(Toml *t, const char *word, CueValue v, Node **out) {
  if (!toml_follows(&t->scan, word)) return toml_fail(&t->scan, "expected '%s'", word);
  t->scan.pos += strlen(word);
  *out = leaf(t, v);
  return true;
}

static bool read_bare_value(Toml *t, CueStr key, int depth, Node **out) {
  TomlScan *s = &t->scan;
  if (depth > MAX_NESTING) return toml_fail(s, "exceeded max depth");
  if (toml_at_end(s)) return toml_fail(s, "expected value, not eof");
  CueStr text;
  switch (toml_peek(s, 0)) {
  case '"':
  case '\'':
    if (!toml_string(s, &text)) return false;
    *out = leaf(t, cue_string(text));
    return true;
  case 't': return read_word(t, "true", cue_bool(true), out);
  case 'f': return read_word(t, "false", cue_bool(false), out);
  case '[': return read_array(t, key, depth, out);
  case '{': return read_inline_table(t, key, depth, out);
  case 'i':
    if (!toml_follows(s, "inf")) return toml_fail(s, "expected 'inf'");
    return read_number(t, out);
  case 'n':
    if (!toml_follows(s, "nan")) return toml_fail(s, "expected 'nan'");
    return read_number(t, out);
  default: return looks_like_time(s) ? read_time(t, out) : read_number(t, out);
  }
}

static bool read_value(Toml *t, CueStr key, int depth, Node **out) {
  size_t from = t->scan.pos;
  if (!read_bare_value(t, key, depth, out)) return false;
  (*out)->from = from;
  (*out)->to = t->scan.pos;
  return true;
}

/* key = value, into a table whose own full path is `parent`. */
static bool read_pair(Toml *t, Node *table, CueStr parent, int depth) {
  TomlScan *s = &t->scan;
  Path path = {0};
  size_t start = s->pos;
  if (!read_key(t, &path)) return false;
  if (toml_at_end(s)) return toml_fail(s, "expected = after a key, but the document ends there");
  if (!toml_expect(s, '=')) return false;
  toml_skip_blanks(s);
  CueStr key = join_key(t, parent, path.at, path.n);
  /* The parser reads the whole line before its keys are judged, so errors of the value come first. */
  bool judge = !t->doomed, is_array = judge && find_array(t, key), repeated = judge && was_seen(t, key);
  if (is_array || repeated)
    t->doomed = true;
  else
    mark_seen(t, key);
  Node *value;
  if (!read_value(t, key, depth + (int)path.n, &value)) return false;
  if (is_array || repeated) s->pos = path.at[0].from;
  if (is_array) return toml_fail_at(s, start, "cannot redeclare table array %s as a table", cue_go_quoted(t->a, key).s);
  if (repeated) return toml_fail_at(s, start, "duplicate key: %.*s", CUE_FMT(key));
  put(t, table, path.at, path.n, value);
  return true;
}

/* ---- headers ----------------------------------------------------------------------------- */

static bool read_table_header(Toml *t) {
  TomlScan *s = &t->scan;
  Path path = {0};
  s->pos++;
  toml_skip_blanks(s);
  size_t start = s->pos;
  if (!read_key(t, &path) || !toml_expect(s, ']')) return false;
  CueStr key = join_key(t, CUE_STR(""), path.at, path.n);
  if (was_seen(t, key)) return toml_fail_at(s, start, "duplicate key: %.*s", CUE_FMT(key));
  mark_seen(t, key);
  TableArray *array = find_array_on_way(t, key);
  if (array && cue_str_eq(array->key, key))
    return toml_fail_at(s, start, "cannot redeclare table array %s as a table", cue_go_quoted(t->a, key).s);
  uint32_t skip = array ? array->level : 0;
  t->current_key = key;
  t->current_depth = (int)path.n;
  t->current = put(t, array ? array->newest : t->root, path.at + skip, path.n - skip, new_node(t, CUE_STRUCT));
  return true;
}

static bool read_array_header(Toml *t) {
  TomlScan *s = &t->scan;
  Path path = {0};
  s->pos += 2;
  toml_skip_blanks(s);
  size_t start = s->pos;
  if (!read_key(t, &path) || !toml_expect(s, ']') || !toml_expect(s, ']')) return false;
  CueStr key = join_key(t, CUE_STR(""), path.at, path.n);
  if (was_seen(t, key))
    return toml_fail_at(s, start, "cannot redeclare key %s as a table array", cue_go_quoted(t->a, key).s);
  TableArray *array = find_array_on_way(t, key);
  t->current = new_node(t, CUE_STRUCT);
  t->current_depth = (int)path.n;
  if (array && array->level == path.n) {
    t->current_key = cue_strf(t->a, "%.*s.%u", CUE_FMT(key), array->list->entries.n);
    array->newest = t->current;
    cue_push(t->a, &array->list->entries, (Entry){.key = CUE_STR(""), .value = t->current});
    return true;
  }
  uint32_t skip = array ? array->level : 0;
  Node *list = new_node(t, CUE_LIST);
  cue_push(t->a, &list->entries, (Entry){.key = CUE_STR(""), .value = t->current});
  t->current_key = cue_strf(t->a, "%.*s.0", CUE_FMT(key));
  put(t, array ? array->newest : t->root, path.at + skip, path.n - skip, list);
  cue_push(t->a, &t->arrays, (TableArray){key, path.n, list, t->current});
  return true;
}

/* A line: blank, comment, header or pair, and a comment after it. */
static bool read_line(Toml *t) {
  TomlScan *s = &t->scan;
  toml_skip_blanks(s);
  if (toml_at_end(s)) return true;
  char ch = toml_peek(s, 0);
  if (ch == '\n' || ch == '\r') return true;
  if (ch == '#') return toml_comment(s);
  bool ok = ch != '['                ? read_pair(t, t->current, t->current_key, t->current_depth)
            : toml_peek(s, 1) == '[' ? read_array_header(t)
                                     : read_table_header(t);
  if (!ok) return false;
  toml_skip_blanks(s);
  return toml_peek(s, 0) != '#' || toml_comment(s);
}

static bool read_document(Toml *t) {
  t->root = t->current = new_node(t, CUE_STRUCT);
  for (bool first = true; !toml_at_end(&t->scan); first = false) {
    if (!first && !toml_newline(&t->scan)) return false;
    if (!read_line(t)) return false;
  }
  return true;
}

CueValue toml_read(CueCall *c, CueStr text) {
  Toml t = {.scan = {.c = c, .text = text}, .a = c->a};
  if (!read_document(&t)) return c->error;
  if (t.late.len) return c->error = t.late;
  return node_value(&t, t.root);
}

/* ---- visiting ---------------------------------------------------------------------------- */

static bool visit(const Node *n, const CueVisitor *v) {
  if (n->kind != CUE_STRUCT && n->kind != CUE_LIST) {
    CueScalar s = {.value = n->leaf, .literal = CUE_STR(""), .from = n->from, .to = n->to};
    if (n->kind == CUE_INT || n->kind == CUE_FLOAT) {
      s.literal = cue_value_str(n->leaf);
      s.value.kind = (uint16_t)n->kind;
    }
    return v->scalar(v->ctx, &s);
  }
  if (!v->begin(v->ctx, n->kind, n->from)) return false;
  for (uint32_t i = 0; i < n->entries.n; i++) {
    const Entry *e = &n->entries.at[i];
    if (n->kind == CUE_STRUCT && !v->key(v->ctx, e->key, e->from, e->to)) return false;
    if (!visit(e->value, v)) return false;
  }
  return v->end(v->ctx, n->kind, n->to);
}

CueStr toml_reason(const CueCall *c) {
  CueStr message = cue_value_str(c->error);
  CueStr intro = cue_strf(c->a, "error in call to %s.%s: ", c->package, c->builtin->name);
  return cue_str_has_prefix(message, intro) ? cue_str_sub(message, intro.n, message.n) : message;
}

bool cue_visit_toml(CueArena *a, CueStr text, const CueVisitor *v, CueReadError *err) {
  static const CueBuiltin reader = {"Unmarshal", "", '_', NULL};
  CueCall c = {.a = a, .package = "encoding/toml", .builtin = &reader};
  Toml t = {.scan = {.c = &c, .text = text}, .a = a, .literals = true};
  bool ok = read_document(&t);
  if (!ok || t.late.len) {
    *err = (CueReadError){.message = ok ? cue_value_str(t.late) : toml_reason(&c),
                          .offset = c.blame_byte ? c.blame_byte - 1 : 0};
    return false;
  }
  t.root->to = text.n;
  return visit(t.root, v);
}
