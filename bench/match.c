/* match.c - what matching costs, per pair of a component and a transformer.
**
**   match [COMPONENTS TRANSFORMERS]        1000 and 200 if not said
**
** Components and transformers are made of a seed, a component with 12 names. What sets of bits find is first
** compared with what a scan of the names finds; then both are timed, in turns, and one JSON line says the medians,
** in nanoseconds for a pair. Nothing is kept from one component to the next: every name is looked up.
*/
#include <stdio.h>
#include <stdlib.h>

#include "runtime/release/impl.h"
#include "runtime/release/match.h"
#include "tests/proc.h"

enum { ROUNDS = 31, LABELS = 4, RESOURCES = 3, TRAITS = 5 };

typedef struct {
  CueValue labels, resources, traits;
} Thing;

typedef struct {
  CueArena *a;
  uint32_t seed, ncomponents, ntransformers;
  Thing *components, *transformers;
  CueValue about;
} Grid;

static uint32_t next(Grid *g, uint32_t below) {
  g->seed = g->seed * 1664525u + 1013904223u;
  return (g->seed >> 8) % below;
}

/* ---- making them ---- */

static CueValue names(Grid *g, const char *what, uint32_t n, uint32_t of) {
  CueList *l = cue_list_new(g->a, n);
  for (uint32_t i = 0; i < n; i++)
    l->at[i] = cue_string(cue_strf(g->a, "example.com/%s/workload@v0#Name%u", what, next(g, of)));
  return cue_list(l);
}

static CueValue labels(Grid *g, uint32_t n) {
  CueStruct *s = cue_struct_new(g->a, n);
  for (uint32_t i = 0; i < n; i++)
    s->at[i] =
        (CueField){cue_strf(g->a, "core.example.com/label-%u", i), cue_string(cue_strf(g->a, "v%u", next(g, 5)))};
  return cue_struct(s);
}

static void make(Grid *g) {
  uint32_t of = g->ntransformers / 2 + 2;
  g->components = cue_array(g->a, Thing, g->ncomponents + 1);
  g->transformers = cue_array(g->a, Thing, g->ntransformers + 1);
  for (uint32_t i = 0; i < g->ncomponents; i++)
    g->components[i] = (Thing){labels(g, LABELS), names(g, "resources", RESOURCES, of), names(g, "traits", TRAITS, of)};
  CueList *all = cue_list_new(g->a, g->ntransformers);
  for (uint32_t i = 0; i < g->ntransformers; i++) {
    Thing *t = &g->transformers[i];
    *t = (Thing){labels(g, next(g, 2)), names(g, "resources", 1, of), names(g, "traits", next(g, 3), of)};
    CueStruct *s = cue_struct_new(g->a, 4);
    s->at[0] = (CueField){CUE_STR("labels"), t->labels};
    s->at[1] = (CueField){CUE_STR("resources"), t->resources};
    s->at[2] = (CueField){CUE_STR("traits"), t->traits};
    s->at[3] = (CueField){CUE_STR("optionalTraits"), names(g, "traits", 2, of)};
    all->at[i] = cue_struct(s);
  }
  g->about = cue_list(all);
}

/* ---- the two ways ---- */

static bool has_all(CueValue there, CueValue wanted) {
  for (uint32_t i = 0; i < wanted.as.list->n; i++) {
    bool found = false;
    for (uint32_t k = 0; !found && k < there.as.list->n; k++)
      found = cue_str_eq(cue_value_str(wanted.as.list->at[i]), cue_value_str(there.as.list->at[k]));
    if (!found) return false;
  }
  return true;
}

static bool has_labels(CueValue there, CueValue wanted) {
  for (uint32_t i = 0; i < wanted.as.fields->n; i++) {
    const CueValue *v = cue_struct_get(there.as.fields, wanted.as.fields->at[i].key);
    if (!v || !cue_value_eq(*v, wanted.as.fields->at[i].value)) return false;
  }
  return true;
}

/* Both return a sum that depends on every match and its place. */
static uint64_t by_scan(Grid *g) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < g->ncomponents; i++)
    for (uint32_t k = 0; k < g->ntransformers; k++) {
      const Thing *c = &g->components[i], *t = &g->transformers[k];
      if (has_labels(c->labels, t->labels) && has_all(c->resources, t->resources) && has_all(c->traits, t->traits))
        sum = sum * 31 + (uint64_t)i * g->ntransformers + k;
    }
  return sum;
}

static uint64_t by_bits(Grid *g, const MatchTable *t) {
  uint64_t sum = 0;
  CueMark mark = cue_arena_mark(g->a);
  for (uint32_t i = 0; i < g->ncomponents; i++) {
    const Thing *c = &g->components[i];
    Matches m = match_component(t, g->a, c->labels, c->resources, c->traits);
    for (uint32_t k = 0; k < m.n; k++) sum = sum * 31 + (uint64_t)i * g->ntransformers + m.at[k];
    cue_arena_reset(g->a, mark);
  }
  return sum;
}

static int by_value(const void *x, const void *y) {
  double p = *(const double *)x, q = *(const double *)y;
  return p < q ? -1 : p > q;
}

int main(int argc, char **argv) {
  Grid g = {.a = cue_arena_new(), .seed = 1};
  g.ncomponents = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000;
  g.ntransformers = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 200;
  make(&g);
  MatchTable *t = match_table_new(g.a, g.about);
  uint64_t scanned = by_scan(&g);
  if (!t || !scanned || scanned != by_bits(&g, t)) {
    fputs("match: sets of bits and names do not agree\n", stderr);
    return 1;
  }
  double bits[ROUNDS], scan[ROUNDS], pairs = (double)g.ncomponents * g.ntransformers;
  for (int i = 0; i < ROUNDS; i++) {
    double from = now_seconds();
    bool same = by_bits(&g, t) == scanned;
    bits[i] = (now_seconds() - from) * 1e9 / pairs;
    from = now_seconds();
    same &= by_scan(&g) == scanned;
    scan[i] = (now_seconds() - from) * 1e9 / pairs;
    if (!same) return 1;
  }
  qsort(bits, ROUNDS, sizeof *bits, by_value);
  qsort(scan, ROUNDS, sizeof *scan, by_value);
  printf("{\"name\": \"matching\", \"components\": %u, \"transformers\": %u, \"ns_per_pair\": %.2f, "
         "\"ns_per_pair_by_name\": %.2f}\n",
         g.ncomponents, g.ntransformers, bits[ROUNDS / 2], scan[ROUNDS / 2]);
  cue_arena_free(g.a);
  return 0;
}
