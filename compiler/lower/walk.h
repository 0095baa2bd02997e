/* walk.h - what an evaluation with holes (compiler/hole.h) came to, walked into plans. */
#ifndef OPM_LOWER_WALK_H
#define OPM_LOWER_WALK_H

#include "compiler/hole.h"
#include "compiler/lower/lower.h"

typedef CUE_VEC(PlanItem) Items;

typedef struct { /* an item, and where it is built */
  uint16_t context;
  PlanItem item;
  const void *origin; /* items of one come from the same turn of a loop */
  const Env *env;     /* ... of one that may be split: that in which it was made; NULL of others */
} Placed;
typedef CUE_VEC(Placed) PlacedItems;

typedef struct {
  CueContext *c;
  Eval *e;
  Holes *h;
  CueArena *a;
  CUE_VEC(Vertex *) seen; /* checked where they are built */
  uint32_t cells, later;  /* that are finished */
} Walk;

Walk walk_begin(CueContext *c,
                Holes *h); /* forgets what an earlier evaluation left, and makes the evaluator have holes */
void walk_end(Walk *w);

/* The data of v, where `known` holds. */
const Plan *walk_plan(Walk *w, Vertex *v, uint16_t known);
const Plan *walk_built(Walk *w, PlanKind kind, const Items *items, CuePos pos); /* a struct or a list */
/* Neighbours of the same context and origin are built in one go: so loops keep the order of what they make. */
void walk_gather(Walk *w, const PlacedItems *all, uint16_t known, Items *out);
/* The turn of the clause that made a field: it makes an environment each time it yields, in which all it makes lies. */
const void *walk_turn(const Vertex *arc);
/* Where v is there, given `known`; contexts of several alternatives become one condition. */
uint16_t walk_context(Walk *w, Vertex *v, uint16_t known);
/* What is said of v beside its hole. NULL for nothing. */
const PlanSchema *walk_rest(Walk *w, Vertex *v, uint16_t known);
const Plan *walk_fail(Walk *w, const Vertex *v, const char *what);
Vertex *walk_field(Walk *w, Vertex *v, const char *name); /* NULL if it is not there */
CuePos walk_pos(const Vertex *v);

/* Plans that were put off. */
void walk_finish(Walk *w);
/* p, which gives up where something does not hold that was taken for granted. NULL if the evaluation failed. */
const Plan *walk_granted(Walk *w, const Plan *p);
typedef struct {     /* a condition that decides what a vertex may contain, and not only whether it is there */
  const Plan *guard; /* NULL: there is none */
  bool varies;       /* it is another one for each element of a loop */
  uint16_t context;  /* of the component that the vertex is in, if it varies */
} Fork;
Fork walk_undecided(Walk *w);
/* The environment of the clause that made a field whose name is not known; NULL of other fields. */
const Env *walk_clause(const Vertex *arc);

/* ---- implied.c ---- */
/* Whether whatever the hole turns out to be satisfies s. */
bool schema_is_implied(const Hole *x, const PlanSchema *s);
/* Whether s may add a field to what satisfies `closed`, which is a definition and does not allow it. */
bool schema_may_add(const PlanSchema *closed, const PlanSchema *s, int depth);

/* ---- derived.c ---- */
typedef struct {
  const Hole *value;         /* the default */
  const PlanSchema *others;  /* what else the field may be */
  const PlanSchema *besides; /* what it must be in any case; NULL for nothing */
} Derived;
/* Whether v, a field of #config, has a default that depends on other fields. */
bool walk_derived(Walk *w, Vertex *v, uint16_t known, Derived *out);
/* The value of its cell, of which p is what is given. */
const Plan *derived_plan(Walk *w, const HoleCell *c, const Plan *p, const Derived *d);
/* What it satisfies. Its default is none that a schema could have. */
const PlanSchema *derived_schema(Walk *w, const Derived *d);
bool default_is_derived(const PlanSchema *s);

/* ---- endless.c ---- */
bool plan_is_endless(CueArena *a, const Plan *p);

extern const PlanSchema schema_true; /* of what holds */

#endif
