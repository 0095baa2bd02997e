/* label.c - the table of field names.
**
** Entries are kept in one growing array; a label's index is the place of its entry. An
** open-addressing table of indices finds an entry by name and scope. Scope is the package
** of a hidden name or the number of a let or of a stand-in; for all other names it is empty, so "#x" as a
** definition and "#x" as a quoted field share one entry and differ in the label's kind.
*/
#include "compiler/label.h"

#include <assert.h>
#include <string.h>

#include "compiler/literal.h"

typedef struct {
  CueStr name;
  CueStr package; /* of hidden names */
  uint32_t let;   /* number of a let name or of a stand-in; 0 otherwise */
  uint32_t hash;
} Entry;

struct LabelTable {
  CueArena *a;
  CUE_VEC(Entry *) blocks; /* of BLOCK entries; entry 0 is unused: index 0 with any kind is never a name */
  uint32_t n;
  uint32_t *slots; /* index of an entry, 0 if free */
  uint32_t mask;
};

enum { BLOCK = 256 };

static Entry *entry_at(const LabelTable *t, uint32_t i) { return &t->blocks.at[i / BLOCK][i % BLOCK]; }

static void entry_add(LabelTable *t, Entry e) {
  if (t->n % BLOCK == 0) cue_push(t->a, &t->blocks, cue_array(t->a, Entry, BLOCK));
  *entry_at(t, t->n++) = e;
}

LabelTable *label_table_new(CueArena *a) {
  LabelTable *t = cue_new(a, LabelTable);
  t->a = a;
  t->mask = 1023;
  t->slots = cue_array(a, uint32_t, t->mask + 1);
  entry_add(t, (Entry){.name = CUE_STR("_")}); /* how 0 is shown */
  return t;
}

static void table_grow(LabelTable *t) {
  uint32_t mask = t->mask * 2 + 1;
  uint32_t *slots = cue_array(t->a, uint32_t, (size_t)mask + 1);
  for (uint32_t i = 1; i < t->n; i++) {
    uint32_t at = entry_at(t, i)->hash & mask;
    while (slots[at]) at = (at + 1) & mask;
    slots[at] = i;
  }
  t->slots = slots;
  t->mask = mask;
}

static uint32_t intern(LabelTable *t, CueStr name, CueStr package, uint32_t let) {
  uint32_t hash = cue_str_hash(name);
  if (package.n) hash = hash * 31 + cue_str_hash(package);
  hash += let * 0x9e3779b9u;
  uint32_t at = hash & t->mask;
  for (; t->slots[at]; at = (at + 1) & t->mask) {
    const Entry *e = entry_at(t, t->slots[at]);
    if (e->hash == hash && e->let == let && cue_str_eq(e->name, name) && cue_str_eq(e->package, package))
      return t->slots[at];
  }
  uint32_t index = t->n;
  assert(index < LABEL_MAX_INT);
  entry_add(t, (Entry){cue_str_copy(t->a, name), cue_str_copy(t->a, package), let, hash});
  t->slots[at] = index;
  if (t->n * 2 > t->mask) table_grow(t);
  return index;
}

static Label make(uint32_t index, LabelKind kind) { return (Label)(index << 3 | (uint32_t)kind); }

Label label_string(LabelTable *t, CueStr name) { return make(intern(t, name, CUE_STR(""), 0), LABEL_STRING); }

Label label_int(uint32_t i) {
  assert(i <= LABEL_MAX_INT);
  return make(i, LABEL_INT);
}

Label label_ident(LabelTable *t, CueStr name, CueStr pkg) {
  if (name.n && name.s[0] == '#') return make(intern(t, name, CUE_STR(""), 0), LABEL_DEF);
  if (!name.n || name.s[0] != '_') return label_string(t, name);
  return make(intern(t, name, pkg, 0), name.n > 1 && name.s[1] == '#' ? LABEL_HIDDEN_DEF : LABEL_HIDDEN);
}

Label label_let(LabelTable *t, CueStr name, uint32_t id) { return make(intern(t, name, CUE_STR(""), id), LABEL_LET); }

Label label_stand_in(LabelTable *t, CueStr name, uint32_t id) {
  assert(id);
  return make(intern(t, name, CUE_STR(""), id), LABEL_STRING);
}

static const Entry *entry_of(const LabelTable *t, Label l) {
  uint32_t i = label_index(l);
  return entry_at(t, i < t->n ? i : 0);
}

CueStr label_name(const LabelTable *t, Label l) { return label_is_int(l) ? CUE_STR("") : entry_of(t, l)->name; }

CueStr label_package(const LabelTable *t, Label l) {
  return label_is_hidden(l) ? entry_of(t, l)->package : CUE_STR("");
}

uint32_t label_let_id(const LabelTable *t, Label l) { return label_is_let(l) ? entry_of(t, l)->let : 0; }

CueStr label_selector(LabelTable *t, CueArena *a, Label l) {
  if (l == LABEL_ANY_STRING) return CUE_STR("_");
  if (label_is_int(l)) return label_index(l) == LABEL_MAX_INT ? CUE_STR("_") : cue_strf(a, "%u", label_index(l));
  CueStr name = label_name(t, l);
  if (label_is_string(l) && cue_label_needs_quotes(name)) return cue_literal_quote(a, name, CUE_QUOTE_LABEL, 0);
  return name;
}
