/* match.c - see match.h.
**
** Names are found in a table with four times as many places as names, so mostly at the first look; a place
** has the number of a name, so that the table is small: it is made anew by every process. Of the bits a transformer needs, the one that the fewest others need is its lead: a component is tried
** against the transformers that its own bits lead to, which are few, however many there are in all.
*/
#include "runtime/release/match.h"
#include "runtime/release/impl.h"

#define NO_BIT UINT32_MAX

typedef enum { LABEL, RESOURCE, TRAIT } NameKind;

typedef struct {
  NameKind kind;
  uint32_t hash;
  CueStr name;
  CueStr value; /* of a label */
} Name;

struct MatchTable {
  uint32_t n;       /* transformers */
  uint32_t nnames;  /* as many bits has a set */
  uint32_t words;   /* of a set */
  uint32_t mask;    /* of places */
  uint32_t *places; /* 1 + the number of a name; 0: free */
  Name *names;      /* by number, which is also their bit */
  uint64_t *need;   /* a set for each transformer */
  uint64_t *knows;  /* likewise: its traits, required and optional */
  uint32_t *led;    /* transformers by lead, then those that need nothing */
  uint32_t *leads;  /* where those of each bit begin in led; and where those that need nothing do, and the end */
};

CueStr match_label_text(CueArena *a, CueValue v) {
  if (v.kind == CUE_STRING) return cue_value_str(v);
  CueBuf b = cue_buf(a);
  cue_emit_json(&b, v, (CueJsonStyle){0});
  return cue_buf_done(&b);
}

CueStr match_unhandled(CueArena *a, CueStr component, CueStr trait) {
  return cue_strf(a, "component %.*s: unhandled trait %.*s", CUE_FMT(component), CUE_FMT(trait));
}

CueStr match_idle_text(CueArena *a, CueStr component, CueStr trait, CueStr key) {
  return cue_strf(a, "component %.*s: nothing is rendered of trait %.*s by %.*s", CUE_FMT(component), CUE_FMT(trait),
                  CUE_FMT(key));
}

bool match_is_component_field(CueStr key, bool of_metadata) {
  switch (key.n) {
  case 4: return cue_str_is(key, of_metadata ? "name" : "kind") || (!of_metadata && cue_str_is(key, "spec"));
  case 6: return of_metadata && cue_str_is(key, "labels");
  case 8: return !of_metadata && cue_str_is(key, "metadata");
  case 10: return !of_metadata && cue_str_is(key, "apiVersion");
  case 11: return of_metadata && cue_str_is(key, "annotations");
  default: return false;
  }
}

CueStr match_unknown_field(CueArena *a, CueStr component, CueStr key, bool of_metadata) {
  return cue_strf(a, "component %.*s: %s%.*s is no field of a component, and nothing is rendered of it",
                  CUE_FMT(component), of_metadata ? "metadata." : "", CUE_FMT(key));
}

CueStr match_idle_label(CueArena *a, CueStr component, const IdleLabel *l, CueStr key) {
  return cue_strf(a, "component %.*s: label %.*s=%.*s has no effect: %.*s needs %.*s", CUE_FMT(component),
                  CUE_FMT(l->label), CUE_FMT(l->value), CUE_FMT(key), CUE_FMT(l->lacks));
}

/* ---- names ---- */

static uint32_t name_hash(NameKind kind, CueStr name, CueStr value) {
  uint32_t h = cue_str_hash(name) + (uint32_t)kind;
  return kind == LABEL ? h * 31 + cue_str_hash(value) : h;
}

/* The place of a name, or the free one where it would be. */
static uint32_t *name_place(const MatchTable *t, uint32_t hash, NameKind kind, CueStr name, CueStr value) {
  for (uint32_t i = hash;; i++) {
    uint32_t *place = &t->places[i & t->mask];
    const Name *p = &t->names[*place ? *place - 1 : 0];
    if (!*place || (p->hash == hash && p->kind == kind && cue_str_eq(p->name, name) && cue_str_eq(p->value, value)))
      return place;
  }
}

static uint32_t bit_of(const MatchTable *t, NameKind kind, CueStr name, CueStr value) {
  return *name_place(t, name_hash(kind, name, value), kind, name, value) - 1;
}

/* Its number, which it may get now. */
static uint32_t number(MatchTable *t, NameKind kind, CueStr name, CueStr value) {
  uint32_t hash = name_hash(kind, name, value);
  uint32_t *place = name_place(t, hash, kind, name, value);
  if (!*place) {
    t->names[t->nnames] = (Name){kind, hash, name, value};
    *place = ++t->nnames;
  }
  return *place - 1;
}

static void set(uint64_t *to, uint32_t bit) {
  if (bit != NO_BIT) to[bit / 64] |= (uint64_t)1 << bit % 64;
}
static bool has(const uint64_t *in, uint32_t bit) { return bit != NO_BIT && (in[bit / 64] >> bit % 64 & 1); }

/* ---- transformers ---- */

static bool are_names(CueValue v) {
  for (uint32_t i = 0; v.kind == CUE_LIST && i < v.as.list->n; i++)
    if (v.as.list->at[i].kind != CUE_STRING) return false;
  return v.kind == CUE_LIST;
}

/* What a transformer is matched by. */
typedef struct {
  const CueStruct *labels;
  const CueList *resources, *traits, *optional;
} Needs;

static bool read_needs(CueValue one, Needs *out) {
  CueValue labels = release_at(one, CUE_STR("labels")), resources = release_at(one, CUE_STR("resources")),
           traits = release_at(one, CUE_STR("traits")), optional = release_at(one, CUE_STR("optionalTraits"));
  if (labels.kind != CUE_STRUCT || !are_names(resources) || !are_names(traits) || !are_names(optional)) return false;
  *out = (Needs){labels.as.fields, resources.as.list, traits.as.list, optional.as.list};
  return true;
}

static uint32_t count_names(const Needs *x) { return x->labels->n + x->resources->n + x->traits->n + x->optional->n; }

/* Gives numbers to the names of a transformer that have none, and notes the numbers of all of them. */
static uint32_t *number_names(MatchTable *t, CueArena *a, const Needs *x, uint32_t *bits) {
  for (uint32_t i = 0; i < x->labels->n; i++)
    *bits++ = number(t, LABEL, x->labels->at[i].key, match_label_text(a, x->labels->at[i].value));
  for (uint32_t i = 0; i < x->resources->n; i++)
    *bits++ = number(t, RESOURCE, cue_value_str(x->resources->at[i]), CUE_STR(""));
  for (uint32_t i = 0; i < x->traits->n; i++) *bits++ = number(t, TRAIT, cue_value_str(x->traits->at[i]), CUE_STR(""));
  for (uint32_t i = 0; i < x->optional->n; i++)
    *bits++ = number(t, TRAIT, cue_value_str(x->optional->at[i]), CUE_STR(""));
  return bits;
}

/* The sets of a transformer, of the numbers that were noted. */
static const uint32_t *fill_sets(const Needs *x, const uint32_t *bits, uint64_t *need, uint64_t *knows) {
  uint32_t traits = x->labels->n + x->resources->n, optional = traits + x->traits->n, n = count_names(x);
  for (uint32_t i = 0; i < optional; i++) set(need, bits[i]);
  for (uint32_t i = traits; i < n; i++) set(knows, bits[i]);
  return bits + n;
}

/* The lowest number in a set from `bit` on; the number of names if there is none. */
static uint32_t next_bit(const MatchTable *t, const uint64_t *in, uint32_t bit) {
  while (bit < t->nnames) {
    uint64_t left = in[bit / 64] >> bit % 64;
    if (left) return bit + (uint32_t)__builtin_ctzll(left);
    bit = (bit / 64 + 1) * 64;
  }
  return t->nnames;
}

/* Puts each transformer behind its lead: those that need nothing come last. */
static void find_leads(MatchTable *t, CueArena *a) {
  uint32_t *needed_by = cue_array(a, uint32_t, t->nnames + 1), *lead = cue_array(a, uint32_t, t->n + 1);
  for (uint32_t i = 0; i < t->n; i++) {
    const uint64_t *need = t->need + (size_t)i * t->words;
    for (uint32_t b = next_bit(t, need, 0); b < t->nnames; b = next_bit(t, need, b + 1)) needed_by[b]++;
  }
  t->led = cue_array(a, uint32_t, t->n + 1);
  t->leads = cue_array(a, uint32_t, t->nnames + 2);
  for (uint32_t i = 0; i < t->n; i++) {
    const uint64_t *need = t->need + (size_t)i * t->words;
    lead[i] = next_bit(t, need, 0);
    for (uint32_t b = lead[i]; b < t->nnames; b = next_bit(t, need, b + 1))
      if (needed_by[b] < needed_by[lead[i]]) lead[i] = b;
    t->leads[lead[i] + 1]++;
  }
  for (uint32_t b = 0; b <= t->nnames; b++) t->leads[b + 1] += t->leads[b];
  uint32_t *next = needed_by; /* of each lead, the place for one more */
  for (uint32_t b = 0; b <= t->nnames; b++) next[b] = t->leads[b];
  for (uint32_t i = 0; i < t->n; i++) t->led[next[lead[i]]++] = i;
}

MatchTable *match_table_new(CueArena *a, CueValue transformers) {
  if (transformers.kind != CUE_LIST) return NULL;
  const CueList *all = transformers.as.list;
  MatchTable *t = cue_new(a, MatchTable);
  uint32_t names = 0;
  Needs *needs = cue_array(a, Needs, all->n + 1);
  for (uint32_t i = 0; i < all->n; i++) {
    if (!read_needs(all->at[i], &needs[i])) return NULL;
    names += count_names(&needs[i]);
  }
  t->n = all->n;
  for (t->mask = 15; t->mask < 4 * names;) t->mask = 2 * t->mask + 1;
  t->places = cue_array(a, uint32_t, t->mask + 1);
  t->names = cue_array(a, Name, names + 1);
  uint32_t *bits = cue_array(a, uint32_t, names + 1), *end = bits;
  const uint32_t *from = bits;
  for (uint32_t i = 0; i < t->n; i++) end = number_names(t, a, &needs[i], end);
  t->words = (t->nnames + 63) / 64;
  if (!t->words) t->words = 1;
  t->need = cue_array(a, uint64_t, (size_t)t->n * t->words + 1);
  t->knows = cue_array(a, uint64_t, (size_t)t->n * t->words + 1);
  for (uint32_t i = 0; i < t->n; i++)
    from = fill_sets(&needs[i], from, t->need + (size_t)i * t->words, t->knows + (size_t)i * t->words);
  find_leads(t, a);
  return t;
}

/* ---- components ---- */

typedef struct {
  const MatchTable *t;
  uint64_t *have;
  uint64_t *hits; /* transformers that match */
  uint32_t *bits; /* of the component, those it has once */
  uint32_t n;
} Trial;

static uint32_t add_name(Trial *x, NameKind kind, CueStr name, CueStr value) {
  uint32_t bit = bit_of(x->t, kind, name, value);
  if (bit != NO_BIT && !has(x->have, bit)) x->bits[x->n++] = bit;
  set(x->have, bit);
  return bit;
}

static bool contains(const uint64_t *have, const uint64_t *need, uint32_t words) {
  uint64_t lacking = 0;
  for (uint32_t i = 0; i < words; i++) lacking |= need[i] & ~have[i];
  return !lacking;
}

static uint32_t try_led(Trial *x, uint32_t bit) {
  const MatchTable *t = x->t;
  uint32_t n = 0;
  for (uint32_t i = t->leads[bit]; i < t->leads[bit + 1]; i++) {
    uint32_t one = t->led[i];
    if (!contains(x->have, t->need + (size_t)one * t->words, t->words)) continue;
    set(x->hits, one);
    n++;
  }
  return n;
}

static uint32_t list_len(CueValue v) { return v.kind == CUE_LIST ? v.as.list->n : 0; }

static CueStr lacking(CueArena *a, const MatchTable *t, const uint64_t *have, const uint64_t *need) {
  static const char *const kinds[] = {[LABEL] = "label", [RESOURCE] = "resource", [TRAIT] = "trait"};
  CueBuf b = cue_buf(a);
  for (uint32_t i = 0; i < t->nnames; i++) {
    const Name *x = &t->names[i];
    if (!has(need, i) || has(have, i)) continue;
    cue_buf_f(&b, "%s%s %.*s", b.n ? ", " : "", kinds[x->kind], CUE_FMT(x->name));
    if (x->kind == LABEL) cue_buf_f(&b, "=%.*s", CUE_FMT(x->value));
  }
  return cue_buf_done(&b);
}

static void idle_labels(const Trial *x, CueArena *a, const uint64_t *needed, Matches *m) {
  const MatchTable *t = x->t;
  CUE_VEC(IdleLabel) idle = {0};
  for (uint32_t i = 0; i < x->n; i++) {
    const Name *l = &t->names[x->bits[i]];
    if (l->kind != LABEL || has(needed, x->bits[i])) continue;
    uint32_t one = 0; /* some transformer needs it, or it had no number */
    while (!has(t->need + (size_t)one * t->words, x->bits[i])) one++;
    CueStr lacks = lacking(a, t, x->have, t->need + (size_t)one * t->words);
    cue_push(a, &idle, (IdleLabel){l->name, l->value, one, lacks});
  }
  m->labels = idle.at;
  m->nlabels = idle.n;
}

Matches match_component(const MatchTable *t, CueArena *a, CueValue labels, CueValue resources, CueValue traits) {
  uint32_t nlabels = labels.kind == CUE_STRUCT ? labels.as.fields->n : 0, nresources = list_len(resources),
           ntraits = list_len(traits), hit_words = t->n / 64 + 1, n = 0;
  Trial x = {.t = t, .have = cue_array(a, uint64_t, t->words), .hits = cue_array(a, uint64_t, hit_words)};
  x.bits = cue_array(a, uint32_t, (size_t)nlabels + nresources + ntraits + 1);
  uint32_t *trait_bits = cue_array(a, uint32_t, ntraits + 1);
  for (uint32_t i = 0; i < nlabels; i++)
    add_name(&x, LABEL, labels.as.fields->at[i].key, match_label_text(a, labels.as.fields->at[i].value));
  for (uint32_t i = 0; i < nresources; i++)
    add_name(&x, RESOURCE, cue_value_str(resources.as.list->at[i]), CUE_STR(""));
  for (uint32_t i = 0; i < ntraits; i++)
    trait_bits[i] = add_name(&x, TRAIT, cue_value_str(traits.as.list->at[i]), CUE_STR(""));
  n = try_led(&x, t->nnames);
  for (uint32_t i = 0; i < x.n; i++) n += try_led(&x, x.bits[i]);

  uint32_t *matched = cue_array(a, uint32_t, n + 1);
  uint64_t *known = cue_array(a, uint64_t, t->words), *needed = cue_array(a, uint64_t, t->words);
  Matches m = {.at = matched, .n = n};
  n = 0;
  for (uint32_t w = 0; w < hit_words; w++)
    for (uint64_t left = x.hits[w]; left; left &= left - 1) {
      uint32_t one = w * 64 + (uint32_t)__builtin_ctzll(left);
      matched[n++] = one;
      for (uint32_t i = 0; i < t->words; i++) {
        known[i] |= t->knows[(size_t)one * t->words + i];
        needed[i] |= t->need[(size_t)one * t->words + i];
      }
    }
  CueStr *unhandled = cue_array(a, CueStr, ntraits + 1);
  m.unhandled = unhandled;
  for (uint32_t i = 0; i < ntraits; i++)
    if (!has(known, trait_bits[i])) unhandled[m.nunhandled++] = cue_value_str(traits.as.list->at[i]);
  if (n) idle_labels(&x, a, needed, &m);
  return m;
}

MatchIdle match_idle(const MatchTable *t, CueArena *a, const Matches *m, const bool *made, CueValue traits) {
  uint64_t *used = cue_array(a, uint64_t, t->words);
  bool all = true;
  for (uint32_t i = 0; i < m->n; i++) {
    const uint64_t *need = t->need + (size_t)m->at[i] * t->words, *knows = t->knows + (size_t)m->at[i] * t->words;
    all &= made[i];
    for (uint32_t w = 0; w < t->words; w++) used[w] |= made[i] ? knows[w] : knows[w] & ~need[w];
  }
  if (all) return (MatchIdle){0};
  CUE_VEC(IdleTrait) idle = {0};
  for (uint32_t k = 0; k < list_len(traits); k++) {
    CueStr trait = cue_value_str(traits.as.list->at[k]);
    uint32_t bit = bit_of(t, TRAIT, trait, CUE_STR("")), by = NO_BIT;
    for (uint32_t i = 0; i < m->n; i++)
      if (has(t->need + (size_t)m->at[i] * t->words, bit)) by = m->at[i];
    if (by != NO_BIT && !has(used, bit)) cue_push(a, &idle, (IdleTrait){trait, by});
  }
  return (MatchIdle){idle.at, idle.n};
}
