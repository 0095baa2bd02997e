/* endless.c - plans that need themselves. What is put off (HoleCell, HoleLater) is referred to before it is made, so values
** that depend on each other in a circle become plans that do. The evaluator may know a way out; a plan has no end. */
#include "compiler/lower/walk.h"

typedef struct {
  const Plan *plan;
  bool done; /* all that it needs was looked at */
} Mark;

typedef struct {
  CueArena *a;
  Mark *at; /* open addressing */
  uint32_t n, cap;
} Marks;

static Mark *mark_find(const Marks *m, const Plan *p) {
  uint64_t k = ((uintptr_t)p >> 4) * 0x9e3779b97f4a7c15ull >> 32 & (m->cap - 1);
  while (m->at[k].plan && m->at[k].plan != p) k = (k + 1) & (m->cap - 1);
  return &m->at[k];
}

static void marks_grow(Marks *m) {
  Marks old = *m;
  m->cap = old.cap ? old.cap * 2 : 256;
  m->at = cue_array(m->a, Mark, m->cap);
  for (uint32_t i = 0; i < old.cap; i++)
    if (old.at[i].plan) *mark_find(m, old.at[i].plan) = old.at[i];
}

static bool endless(Marks *m, const Plan *p);

static bool items_endless(Marks *m, const PlanItem *items, uint32_t n) {
  for (uint32_t i = 0; items && i < n; i++)
    if (endless(m, items[i].name) || endless(m, items[i].value) || items_endless(m, items[i].items, items[i].n))
      return true;
  return false;
}

static bool endless(Marks *m, const Plan *p) {
  if (!p) return false;
  if (m->n * 2 >= m->cap) marks_grow(m);
  Mark *mark = mark_find(m, p);
  if (mark->plan) return !mark->done;
  mark->plan = p;
  m->n++;
  if (endless(m, p->x) || endless(m, p->y) || items_endless(m, p->items, p->n)) return true;
  for (uint32_t i = 0; p->at && i < p->n; i++)
    if (endless(m, p->at[i])) return true;
  mark_find(m, p)->done = true;
  return false;
}

bool plan_is_endless(CueArena *a, const Plan *p) {
  Marks m = {.a = a};
  return endless(&m, p);
}
