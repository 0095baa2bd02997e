/* sym.h - values that are known in part: what the files of the lowering share.
**
** A Sym is what an expression comes to: a plan, if it depends on an input; a vertex of the
** evaluator, if it does not; or a node, a struct made of literals some of whose fields may depend on
** an input. Nodes are needed where a definition is used as a function: in
** (#Container & {#in: c}).ports the fields of the definition refer to what the literal beside it
** says. A node collects, for every label, all that is said about it (SymPart), each under the
** condition that guards it, and is made a plan when somebody wants its data.
**
** Names are resolved as the evaluator does: SymEnv is its Env, with a node in place of the vertex.
*/
#ifndef OPM_SYM_H
#define OPM_SYM_H

#include "compiler/lower/lower.h"
#include "compiler/node.h"

typedef struct SymNode SymNode;
typedef struct SymEnv SymEnv;

struct SymEnv {
  SymEnv *up;
  SymNode *node;
  Label dynamic_label;
};

typedef enum { SYM_FAILED, SYM_ABSENT, SYM_PLAN, SYM_NODE, SYM_VERTEX } SymKind;
typedef struct {
  SymKind kind;
  const Plan *plan;
  SymNode *node;
  Vertex *vertex;
  const Plan *guard; /* it is there if this holds; NULL for always */
} Sym;

typedef struct { /* something said, where guard holds */
  const Plan *guard;
  SymEnv *env;
  Ir *x;
  uint8_t arc_type;
} SymPart;
typedef CUE_VEC(SymPart) SymParts;

typedef struct {
  Label label;
  SymParts parts;
  SymNode *child; /* once asked for */
} SymField;

typedef struct {
  const Plan *guard, *plan;
} SymData;

typedef enum { NODE_STATIC, NODE_VIRTUAL, NODE_SCOPE } SymNodeKind;

struct SymNode {
  SymNodeKind kind;
  Vertex *vertex;           /* static */
  CUE_VEC(SymField) fields; /* virtual */
  CUE_VEC(SymField) lets;
  CUE_VEC(SymData) data;   /* values that depend on inputs */
  CUE_VEC(PlanItem) items; /* loops, and fields whose names depend on inputs */
  CUE_VEC(SymPart) values; /* what is no struct */
  CUE_VEC(const PlanSchema *) schemas;
  CUE_VEC(Vertex *) types; /* definitions that what is built must satisfy */
  SymParts said;           /* everything that was added, to be added to another */
  SymParts embeds, later;  /* declarations that may ask for other fields: looked at when all are known */
  bool settling;
  bool is_struct; /* a literal was added */
  bool under_way;
  const Plan *plan;
  Label key, value; /* scope of a for clause: its variables */
  Sym key_sym, value_sym;
};

typedef struct {
  CueContext *c;
  Eval *e;
  CueArena *a;
  uint32_t slots;
  CueStr why; /* set once */
  CuePos at;
  CuePos pos;                /* of the expression that is being lowered: plans remember it */
  struct SymStatic *statics; /* nodes of vertices and environments */
  uint32_t depth;
} Lower;

/* ---- plan.c ---- */
Plan *plan_begin(Lower *l); /* empty, at the place that is being lowered */
const Plan *plan_const(Lower *l, CueValue v);
const Plan *plan_new_get(Lower *l, const Plan *x, CueStr key);
const Plan *plan_new_op(Lower *l, PlanOp op, const Plan *x, const Plan *y);
const Plan *plan_and(Lower *l, const Plan *x, const Plan *y); /* either may be NULL, for true */
const Plan *plan_new(Lower *l, PlanKind kind, const Plan *x, const Plan *y);
const Plan *plan_when(Lower *l, const Plan *guard, const Plan *x); /* absent unless guard holds */
const Plan *plan_must(Lower *l, const Plan *p);                    /* gives up where p is absent */
const Plan *plan_fold(Lower *l, Plan *p);                          /* run now if all it needs is known */
bool plan_is_true(const Plan *p), plan_is_false(const Plan *p);
bool lower_fail(Lower *l, CuePos at, const char *fmt, ...) CUE_PRINTF(3, 4); /* false */

/* ---- node.c ---- */
SymNode *sym_node_new(Lower *l);
SymNode *sym_node_of(Lower *l, Vertex *v);
SymEnv *sym_env(Lower *l, SymEnv *up, SymNode *node);
SymEnv *env_of(Lower *l, Env *env); /* of the evaluator */
bool sym_add(Lower *l, SymNode *n, SymEnv *env, Ir *x, const Plan *guard);
Sym sym_field(Lower *l, SymNode *n, Label label);
const Plan *sym_node_plan(Lower *l, SymNode *n); /* its data */

/* ---- schema.c ---- */
bool schema_is_type(Vertex *v); /* a struct that says what data must be, and no function; its fields are known */
/* [filter]: value, of any struct. */
const PlanSchema *lower_pattern(CueContext *c, Ir *filter, Vertex *value);

/* ---- typed.c ---- */
/* p, checked to be what a definition says: now as far as it is known, and otherwise when it is run. */
const Plan *plan_typed(Lower *l, const Plan *p, Vertex *type, CuePos at);
/* A vertex of which no more is evaluated than what fields it has. */
Vertex *vertex_known(Lower *l, Vertex *v);

/* ---- expr.c ---- */
bool depends(Lower *l, SymEnv *env, Ir *x); /* on an input, or on a node */
Sym sym_eval(Lower *l, SymEnv *env, Ir *x);
Sym sym_select(Lower *l, Sym s, Label label, CuePos at);
const Plan *sym_plan(Lower *l, Sym s, CuePos at); /* data; may be absent when run */
const Plan *expr_plan(Lower *l, SymEnv *env, Ir *x);
Ir *static_value(Lower *l, SymEnv *env, Ir *x); /* of what depends on nothing; evaluated */
/* Runs the clauses of a comprehension; yield gets the environment of its value and the condition. dynamic loops are
** handed to `loop` with the item that stands for them. */
typedef bool CompBody(Lower *l, SymEnv *env, Ir *value, const Plan *guard, void *arg);
bool comp_each(Lower *l, SymEnv *env, IrComprehension *x, uint32_t from, const Plan *guard, CompBody *body, void *arg,
               bool in_list);

#endif
