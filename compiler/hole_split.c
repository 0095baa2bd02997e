/* hole_split.c - loops that are run for each outcome of a condition on their elements. See HoleSplit. */
#include "compiler/hole.h"

/* Whether p needs a plan that is filled in at the end: another one in each run. */
static bool is_put_off(const Holes *h, const Plan *p) {
  if (!p) return false;
  for (uint32_t i = 0; i < h->cells.n; i++)
    if (h->cells.at[i]->plan == p) return true;
  for (uint32_t i = 0; i < h->later.n; i++)
    if (h->later.at[i]->plan == p) return true;
  for (uint32_t i = 0; p->at && i < p->n; i++)
    if (is_put_off(h, p->at[i])) return true;
  return is_put_off(h, p->x) || is_put_off(h, p->y);
}

static const HoleSplit *split_of(const Holes *h, uint16_t step) {
  for (uint32_t i = 0; i < h->splits.n; i++)
    if (h->splits.at[i].step == step) return &h->splits.at[i];
  return NULL;
}

static uint16_t new_case(Holes *h, uint16_t step) {
  HoleStep s = h->steps.at[step];
  cue_push(h->a, &h->steps, s);
  return (uint16_t)(h->steps.n - 1);
}

bool hole_split(Holes *h, const Plan *p, uint16_t context) {
  uint16_t step = 0;
  if (is_put_off(h, p) || !hole_loop_of(h, p, context, &step) || split_of(h, step)) return false;
  HoleSplit s = {.step = step, .guard = p};
  for (int i = 0; i < 2; i++) s.cases[i] = new_case(h, step);
  cue_push(h->a, &h->splits, s);
  return true;
}

static void add_cases(Holes *h, uint16_t outer, uint16_t step, uint16_t guards, HoleContexts *out) {
  const HoleSplit *s = split_of(h, step);
  if (!s) {
    cue_push(h->a, out, context_and(h, context_step(h, outer, step), guards));
    return;
  }
  const Plan *outcomes[2] = {s->guard, hole_not(h, s->guard)};
  for (int i = 0; i < 2; i++) add_cases(h, outer, s->cases[i], context_guard(h, guards, outcomes[i]), out);
}

void hole_cases(Eval *e, uint16_t outer, const HoleStep *loop, HoleContexts *out) {
  Holes *h = e->holes;
  if (h->split_in && e->vertex && e->vertex->label == h->split_in)
    add_cases(h, outer, loop->loop, 0, out);
  else
    cue_push(h->a, out, context_step(h, outer, loop->loop));
}

void hole_turn(Holes *h, const Env *env, const Env *first, const HoleStep *loop) {
  cue_push(h->a, &h->turns, (HoleTurn){env, first, loop->loop});
}

static const Env *first_env(const Holes *h, const Env *env, uint16_t loop) {
  for (; env; env = env->up)
    for (uint32_t i = 0; i < h->turns.n; i++)
      if (h->turns.at[i].env == env && h->turns.at[i].loop == loop) return h->turns.at[i].first;
  return NULL;
}

bool hole_same_turn(const Holes *h, const Env *x, const Env *y, uint16_t loop) {
  const Env *first = first_env(h, x, loop);
  return first && first == first_env(h, y, loop);
}

bool context_parts(const Holes *h, uint16_t x, uint16_t y, uint16_t *loop) {
  const HoleContext *a = &h->contexts.at[x], *b = &h->contexts.at[y];
  uint32_t i = 0;
  while (i < a->n && i < b->n && a->at[i] == b->at[i]) i++;
  if (i == a->n || i == b->n || h->steps.at[a->at[i]].guard || h->steps.at[b->at[i]].guard) return false;
  *loop = h->steps.at[a->at[i]].loop;
  return *loop == h->steps.at[b->at[i]].loop;
}

/* ---- names ---- */

Label hole_case_label(NodeState *n, Label l, uint16_t context) {
  Holes *h = n->e->holes;
  Hole *x = h->splits.n && n->node->label == h->split_in ? label_hole(n->e, l) : NULL;
  uint16_t cases = 0;
  const HoleContext c = h->contexts.at[context];
  for (uint32_t i = 0; x && i < c.n; i++)
    if (h->steps.at[c.at[i]].loop != c.at[i]) cases = context_step(h, cases, c.at[i]);
  return cases ? hole_label(n->e, x, cases) : l;
}
