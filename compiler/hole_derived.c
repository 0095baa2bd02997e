/* hole_derived.c - defaults that are not known: *(first + 1) | int. See Holes.derived. */
#include "compiler/hole.h"

/* What is said in a context is a choice, here the only one, and the context is known to hold. */
static Hole *only_choice(Eval *e, Vertex *v, Hole *x) {
  const HoleCell *c = hole_cell(e->holes, v);
  if (!x || !c || c->hole != x) return x;
  return c->choices.n == 1 && context_implies(e->holes, e->holes->within, c->choices.at[0].context)
             ? hole_of(e, c->choices.at[0].value)
             : NULL;
}

/* The hole an alternative comes to, where what is bare is there; NULL if it is none. */
static Hole *unknown_value(NodeState *n, const DisjunctionTodo *d, uint32_t which) {
  Eval *e = n->e;
  Holes *h = e->holes;
  Vertex *bare = h->bare;
  Bottom *errs = e->errs;
  h->bare = NULL; /* what it refers to must be there */
  e->errs = NULL;
  Conjunct c = conjunct_make(e, d->env, d->at[which].x, (CloseInfo){.context = h->within});
  Vertex *v = vertex_inline(e, &c);
  cue_finalize(e, v);
  h->bare = bare;
  e->errs = errs;
  return vertex_bottom(v) ? NULL : only_choice(e, v, hole_of(e, (Ir *)v));
}

static bool only_default(const DisjunctionTodo *d, uint32_t *which) {
  uint32_t marked = 0;
  for (uint32_t i = 0; i < d->n; i++)
    if (d->at[i].mode == IS_DEFAULT) {
      *which = i;
      marked++;
    }
  return marked == 1;
}

static void leave_out(NodeState *n, DisjunctionTodo *d, uint32_t which) {
  DisjunctTry *others = cue_array(n->e->a, DisjunctTry, d->n);
  uint32_t k = 0;
  for (uint32_t i = 0; i < d->n; i++)
    if (i != which) others[k++] = (DisjunctTry){d->at[i].x, MAYBE_DEFAULT};
  d->at = others;
  d->n = k;
}

uint32_t hole_derive(NodeState *n, DisjunctionTodo *all, uint32_t count) {
  HoleDerived *to = n->e->holes->derived;
  uint32_t kept = 0, which = 0;
  for (uint32_t i = 0; i < count; i++) {
    DisjunctionTodo *d = &all[i];
    Hole *x = !to->value && only_default(d, &which) ? unknown_value(n, d, which) : NULL;
    if (x) to->value = x;
    if (x && to->alone) continue;
    if (x) leave_out(n, d, which);
    if (d->n) all[kept++] = *d;
  }
  return kept;
}
