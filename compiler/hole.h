/* hole.h - evaluation with values that are not known yet.
**
** A module is compiled by evaluating it once with its #config unknown. An unknown value is a hole: a
** scalar of the evaluator (IR_SCALAR whose value has the form CUE_HOLE) that stands for what a plan
** (runtime/plan.h) will yield. Holes take part in evaluation as concrete values do: unifying,
** closedness, references, order of fields are the evaluator's own. Only where a value would be looked
** at something else happens:
**
**   - operators, interpolations, calls, selectors on a hole make another hole, with a larger plan;
**   - what a value must satisfy (types, bounds, disjunctions beside it) is left out, and checked when
**     the plan is run (lower/module.c: the vertex is evaluated again without the hole);
**   - `if` on a hole, and `for` over one, yield once, in a context: a condition or a loop. Conjuncts
**     carry the context they were made in (CloseInfo.context), so what is said under a condition is
**     known to hold only then;
**   - whatever else would have to be decided is an assumption, which is checked when the plan is run,
**     or makes the compilation fail, with the reason.
**
** An assumption that does not hold makes the plan give up, and the evaluator does the work: so it is always
** right to assume. All of this exists only while Eval.holes is set.
*/
#ifndef CUE_HOLE_H
#define CUE_HOLE_H

#include "compiler/node.h"
#include "runtime/plan.h"

typedef struct {
  char text[8];             /* what careless code would take for the value; first, see hole_of */
  const Plan *plan;         /* absent where it is not there */
  const PlanSchema *schema; /* what it is known to satisfy, or NULL */
  Ir *scalar;
  Vertex *vertex; /* that has it as its value */
  uint32_t kinds;
} Hole;

/* One step of a context: a condition, or a loop. */
typedef struct {
  const Plan *guard;  /* a truth value; NULL of a loop */
  const Plan *source; /* of a loop */
  uint32_t key_slot, value_slot;
  uint16_t loop; /* of a case: the step that is the whole loop; of others, itself */
} HoleStep;

typedef struct { /* steps, outermost first; shared, never changed */
  uint16_t *at;  /* indices of steps */
  uint32_t n;
} HoleContext;

/* A value that was made under contexts, or beside other ones: which is known when all is evaluated. */
typedef struct {
  uint16_t context;
  Ir *value; /* a scalar, perhaps a hole; or a vertex, of lists */
} HoleChoice;
typedef struct {
  Vertex *vertex;
  Plan *plan; /* filled in at the end */
  Hole *hole;
  CUE_VEC(HoleChoice) choices;
} HoleCell;

typedef struct {
  uint16_t context;
  Ir *element; /* vertex */
} HoleElement;

/* Plans that are made when all is evaluated: of the data of a vertex, or of a list. */
typedef struct {
  Plan *plan;
  Vertex *vertex;
  uint16_t context;              /* where it is asked for */
  CUE_VEC(HoleElement) elements; /* of a list, if there is no vertex */
  CuePos pos;
} HoleLater;

typedef struct { /* must hold in the context */
  uint16_t context;
  const Plan *holds;
} HoleAssumption;

typedef CUE_VEC(uint16_t) HoleContexts;
typedef struct { /* the vertex was found to be there in these contexts; that must not change */
  Vertex *vertex;
  HoleContexts contexts;
} HolePresence;

typedef struct {
  Vertex *vertex;
  uint16_t context;
} HoleClosed;

typedef struct {
  const Plan *guard;
  bool holds;
} HoleDecision;

/* A loop that makes components is run once for all its elements. Where a condition on the element decides which
** definitions a component has, it is split: run for each outcome, as if there were two loops, each over the elements it is
** about. These are its cases, which have the variables of the loop, and may be split in turn. */
typedef struct {
  uint16_t step; /* a loop, or a case */
  const Plan *guard;
  uint16_t cases[2]; /* where guard holds, where it does not */
} HoleSplit;

typedef struct {          /* one run of a clause that is split: what its cases make comes element by element */
  const Env *env, *first; /* of a case, of the first one */
  uint16_t loop;
} HoleTurn;

typedef struct {
  Label label;
  Hole *hole;
  uint16_t cases; /* the context of those it is for: fields of one name, made in different cases, are different ones */
} HoleName;

/* Of a disjunction whose default is not known. */
typedef struct {
  Hole *value; /* the default; NULL: there was none */
  bool alone;  /* to be left out with its other alternatives */
} HoleDerived;

typedef struct PlanTable PlanTable;

struct Holes {
  CueArena *a;
  PlanTable *plans; /* every plan once, so that equal ones are the same */
  uint32_t slots;
  CUE_VEC(HoleStep) steps;
  CUE_VEC(HoleContext) contexts; /* the first is empty */
  CUE_VEC(Hole *) holes;
  CUE_VEC(HoleCell *) cells;
  CUE_VEC(HoleLater *) later;
  CUE_VEC(HoleAssumption) assumptions;
  CUE_VEC(HolePresence) presences;
  CUE_VEC(HoleClosed) closed;             /* definitions that were joined to a vertex in a context */
  CUE_VEC(Vertex *) vertices;             /* whose value is a hole */
  CUE_VEC(HoleName) names;                /* of fields, that are not known */
  CUE_VEC(HoleDecision) decisions;        /* conditions that are taken for known in this run */
  Label split_in;                         /* loops that make fields of such a struct may be split; 0 for none */
  CUE_VEC(HoleSplit) splits;              /* in this run */
  CUE_VEC(HoleTurn) turns;                /* of loops that are split */
  Vertex *bare;                           /* for which holes do not count: only what is said beside them */
  CUE_VEC(const Hole *) dropped;          /* ... those that did not count; the first is the value */
  bool decides;                           /* ... and another was an alternative: it decides what the value may be */
  bool chosen;                            /* ... unless the value itself is one */
  bool mixed;                             /* ... and some of that was said in a context */
  uint16_t within;                        /* ... other than this one */
  HoleDerived *derived;                   /* ... a default that is not known is left out, and told here; or NULL */
  CUE_VEC(const IrComprehension *) given; /* values of a #config: they do not decide whether it has a field */
  CueStr why;                             /* compilation failed */
  CuePos at;
};

/* ---- holes ---- */
static inline bool value_is_hole(CueValue v) { return v.form == CUE_HOLE; }
Hole *hole_find(Eval *e, Ir *x);
static inline Hole *hole_of(Eval *e, Ir *x) { return e->holes ? hole_find(e, x) : NULL; } /* of a scalar, or a vertex */
Ir *hole_make(Eval *e, const Plan *p, uint32_t kinds, const PlanSchema *schema);
void hole_fail(Eval *e, CuePos at, const char *what);
void hole_assume(Eval *e, uint16_t context, const Plan *holds);
/* What a schema says of the value of a field, of every element; *there: it has that field in any case. */
const PlanSchema *hole_schema_field(const PlanSchema *s, CueStr key, bool *there);
const PlanSchema *hole_schema_element(const PlanSchema *s);
uint32_t hole_schema_kinds(const PlanSchema *s);

/* ---- plans, each made once ---- */
const Plan *hole_plan(Holes *h, Plan p);
const Plan *hole_plan_of(Eval *e, Ir *x); /* of a value: constant, hole, or made later of a vertex */
const Plan *hole_const(Holes *h, CueValue v);
const Plan *hole_get(Holes *h, const Plan *x, CueStr key);
const Plan *hole_and(Holes *h, const Plan *x, const Plan *y); /* NULL is true */
const Plan *hole_or(Holes *h, const Plan *x, const Plan *y);
const Plan *hole_raw(Holes *h,
                     const Plan *p); /* the same path in values as they were given (input 1); NULL if it is none */
HoleCell *hole_cell(const Holes *h, const Vertex *v); /* NULL */

/* ---- contexts ---- */
uint16_t context_and(Holes *h, uint16_t x, uint16_t y);
uint16_t context_step(Holes *h, uint16_t x, uint32_t step);
uint16_t context_guard(Holes *h, uint16_t x, const Plan *guard);
uint16_t context_loop(Holes *h, uint16_t x, const Plan *source, HoleStep *step);
bool context_implies(const Holes *h, uint16_t x, uint16_t y); /* all steps of y are among those of x */
/* Where `known` holds, what else must: NULL for nothing. */
const Plan *context_condition(Eval *e, uint16_t context, uint16_t known);
bool hole_varies(const Holes *h, const Plan *p); /* with the variables of a loop that p itself does not have */
/* The innermost of the loops of a context whose variables p has. False if p has none, or others. */
bool hole_loop_of(const Holes *h, const Plan *p, uint16_t context, uint16_t *step);

/* ---- loops that are split ---- */
/* Splits the loop in the context whose element decides p. False if there is none, or if more than the element does. */
bool hole_split(Holes *h, const Plan *p, uint16_t context);
/* The contexts of a loop's cases, within one: a single one if the loop is not split. */
void hole_cases(Eval *e, uint16_t outer, const HoleStep *loop, HoleContexts *out);
void hole_turn(Holes *h, const Env *env, const Env *first, const HoleStep *loop);
/* Whether what two environments made comes from one run of the loop. */
bool hole_same_turn(const Holes *h, const Env *x, const Env *y, uint16_t loop);
/* The first steps in which the contexts differ are cases of one loop, which is told. */
bool context_parts(const Holes *h, uint16_t x, uint16_t y, uint16_t *loop);

/* ---- decisions ---- */
const Plan *hole_not(Holes *h, const Plan *p);
/* Whether a condition is known: decided for this run, or part of the context. */
bool hole_decided(const Holes *h, const Plan *guard, uint16_t context, bool *holds);

/* When a vertex is there, of those that are: contexts, of which one must hold. Empty context: always. */
void vertex_contexts(Eval *e, Vertex *v, HoleContexts *out);
bool hole_is_given(const Holes *h, const Conjunct *c); /* see Holes.given */
/* Whether v, and all it lies in, is there: NULL for always. Fails if that is more than a condition. */
const Plan *vertex_presence(Eval *e, Vertex *v, uint16_t known);

/* What holds where e is: the context of what is evaluated, and that of the field it is for. */
uint16_t eval_context(Eval *e);
uint16_t vertex_context(Eval *e, Vertex *v); /* that must hold for v and all it lies in, as far as that is one */

/* ---- what the evaluator does in place of looking at a value ---- */
bool hole_insert(NodeState *n, Ir *v, CloseInfo id); /* a scalar joins a node. False: as usual */
bool hole_insert_list(NodeState *n, Task *t);        /* a list, of which some may not be known. False: as usual */
Ir *hole_binop(Eval *e, Ir *node, uint8_t op, Ir *x, Ir *y);
int hole_op(uint8_t tok); /* PlanOp; -1 if there is none */
Ir *hole_unary(Eval *e, uint8_t op, Ir *x);
Ir *hole_text(Eval *e, Ir **parts, uint32_t n, bool bytes, CuePos pos);
Ir *hole_call(Eval *e, const IrBuiltin *b, const IrCall *call, Ir **args, uint32_t n); /* NULL: all is known */
Vertex *hole_select(Eval *e, Hole *x, Label l, CuePos pos);
Vertex *hole_index(Eval *e, Ir *x, Ir *index);
Label hole_label(Eval *e, Hole *x, uint16_t cases);             /* see HoleName */
Label hole_case_label(NodeState *n, Label l, uint16_t context); /* of a field of n that is made in a context */
Hole *label_hole(Eval *e, Label l);                             /* of a name that is not known; NULL */
bool vertex_has_names(Eval *e, Vertex *v);                      /* some of its fields have names that are not known */
/* ... and no two of these can be the same: there is one field, for each key of a loop. */
bool vertex_names_differ(Eval *e, Vertex *v);
/* x != _|_ (wanted) or x == _|_, of what was found or not: NULL if all about it is known. */
Ir *hole_exists(Eval *e, Ir *x, bool found, bool wanted);
bool node_is_bare(NodeState *n); /* see Holes.bare */
void hole_drop(NodeState *n, const Hole *x);
/* A reference to v joins a bare node. Where v may have a value or not, what else is said of v is said of the node, too:
** then the node has no value of its own, and must not take that of v. */
bool hole_drops(NodeState *n, Vertex *v);
/* The disjunctions of a bare node, without what Holes.derived is told; returns how many are left. */
uint32_t hole_derive(NodeState *n, DisjunctionTodo *all, uint32_t count);
/* Where an expression makes a vertex of its own: all in it holds where the expression does. */
static inline CloseInfo hole_inline(Eval *e, CloseInfo ci) {
  if (e->holes) ci.context = eval_context(e);
  return ci;
}
/* Whether x, said in a context, does not count; see Holes.bare. */
bool hole_skips(NodeState *n, const Ir *x, CloseInfo id);
/* What joined a node in one context needs not join it in another, where the first holds as well. */
bool hole_has_joined(NodeState *n, uint16_t context, uint16_t again);
/* What joins a node in a context may close it, or open it. */
void hole_closes(NodeState *n, CloseInfo ci);
/* A reference to v was followed, where e is. */
void hole_refer(Eval *e, Vertex *v);

#endif
