/* plan.h - what the compiler makes of CUE whose inputs will be data: expressions that build data.
**
** A plan is a tree. Running one yields data, or nothing where a field is absent, or it gives up:
** then the evaluator does the same piece again, and whatever is wrong is said in its words. So a
** plan never explains anything, and giving up is always right, only slow.
**
** Values of plans are CueValues. CUE_BOTTOM stands for "absent"; it only comes from a field that is
** not there or a condition that does not hold, and everything but PLAN_PRESENT, PLAN_ELSE and the
** fields of structs gives up on it.
*/
#ifndef CUE_PLAN_H
#define CUE_PLAN_H

#include "runtime/builtin.h"

typedef struct Plan Plan;
typedef struct PlanItem PlanItem;

typedef enum {
  PLAN_CONST,   /* value */
  PLAN_INPUT,   /* the slot-th argument of the function */
  PLAN_VAR,     /* the slot-th variable, of a loop */
  PLAN_GET,     /* x.key: absent if x is, or has no such field */
  PLAN_INDEX,   /* x[y], y a string or an int */
  PLAN_PRESENT, /* whether x is there: true or false */
  PLAN_IF,      /* y where x is true, else absent */
  PLAN_BOTH,    /* x, and if that holds y, is true: how conditions nest */
  PLAN_STRUCT,  /* items */
  PLAN_LIST,    /* items */
  PLAN_UNIFY,   /* all of at, which must agree; absent ones do not count */
  PLAN_TEST,    /* whether x is there and satisfies schema: true or false */
  PLAN_CHECK,   /* x, which must satisfy schema; with the schema's defaults */
  PLAN_OP,      /* x op y, or op x */
  PLAN_TEXT,    /* at joined: strings, and numbers, truth values as CUE writes them into strings */
  PLAN_CALL,    /* builtin(at) */
  PLAN_LEN,     /* of a string, bytes, list or struct */
  PLAN_MUST,    /* x, which must be there */
  PLAN_ELSE,    /* x, or y where x is absent */
} PlanKind;

struct Plan {
  uint8_t kind, op;
  uint32_t n;    /* of at or items */
  uint32_t slot; /* input or variable */
  uint32_t pos;  /* where in the sources it was written; the compiler's business */
  CueStr key;
  CueValue value;
  const Plan *x, *y;
  const Plan *const *at;
  const PlanItem *items;
  const PlanSchema *schema;
  const CueBuiltin *builtin;
  const char *package; /* of builtin */
};

typedef enum {
  PLAN_FIELD,   /* key: value, unless value is absent */
  PLAN_DYNAMIC, /* (name): value */
  PLAN_ELEMENT, /* of a list: value */
  PLAN_SPREAD,  /* the fields or elements of value, if it is there */
  PLAN_WHEN,    /* items, where value is true */
  PLAN_FOR,     /* items for every field or element of value; slots key and value, NO_SLOT if not asked for */
} PlanItemKind;
#define PLAN_NO_SLOT UINT32_MAX

struct PlanItem {
  uint8_t kind;
  uint32_t n;
  uint32_t key_slot, value_slot;
  CueStr key;
  const Plan *name, *value;
  const PlanItem *items;
};

/* ---- running ---- */

/* False: given up. *out may be absent. */
bool plan_run(PlanRun *r, const Plan *p, CueValue *out);
/* Data against a schema; *out has its defaults filled in. False: given up, or it does not satisfy. */
bool plan_check(PlanRun *r, const PlanSchema *s, CueValue v, CueValue *out);
/* A function on data; false if it fails. */
bool plan_call(CueArena *a, CueRegexCache *regexes, const CueBuiltin *f, const char *package, CueValue *args,
               uint32_t n, CueValue *out);
/* Two pieces of data that must agree. */
bool plan_unify(CueArena *a, CueValue x, CueValue y, CueValue *out);

extern const CueRuntime cue_runtime; /* what these and the steps of plan_run are to generated code */

static inline bool plan_absent(CueValue v) { return v.kind == CUE_BOTTOM; }

#endif
