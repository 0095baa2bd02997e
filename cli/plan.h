/* plan.h - from flags and arguments to the values a command works on.
**
** Arguments name packages, CUE files and data files. A plan decides what becomes of them: one
** value per package; or one value of all files; data files merged into that value, or each of
** their documents as a value of its own, checked against the CUE given with it. With -e each
** value is replaced by those of the expressions, evaluated in its scope.
*/
#ifndef OPM_PLAN_H
#define OPM_PLAN_H

#include "cli/run.h"

typedef enum { MODE_VET, MODE_EXPORT, MODE_EVAL, MODE_DEF } Mode;

typedef CUE_VEC(Ast *) AstNodes;

typedef struct {
  Run *r;
  Mode mode;
  LoadConfig load;
  LoadFile out;         /* where output goes and its encoding */
  AstNodes expressions; /* -e */
  Ast *schema_expr;     /* -d */
  AstNodes path;        /* -l: labels, or expressions in AST_PAREN */
  bool use_list, use_context;
  /* What was loaded. */
  LoadedList packages; /* values to be made, one each */
  Instance *base;      /* built; unified with each value, or the only value. May be NULL */
  Vertex *schema;      /* documents are unified with it. May be NULL */
  LoadFiles documents; /* data files whose documents are values of their own */
  /* Iteration. */
  bool begun;
  uint32_t next, next_document, next_expression;
  DataFiles open;  /* documents of the file being read */
  CueDiags broken; /* what is wrong with it after them */
  struct PlanValue *current;
} Plan;

typedef struct PlanValue {
  Vertex *value; /* finalized; NULL if the expression cannot be resolved: see errors */
  CueDiags errors;
  CueStr id;             /* of the package, "" if there is none */
  bool is_root;          /* the value is a package as it is */
  const Ast *expression; /* of -e, or NULL */
} PlanValue;

bool plan_make(Run *r, Mode mode, Plan *p, CueDiags *d);
/* The next value; false at the end, or with d filled on error. */
bool plan_next(Plan *p, PlanValue *out, CueDiags *d);

/* place.c: merges data files into an instance, where -l, --list and --with-context say. */
bool place_flags(Plan *p, CueDiags *d);
bool place_files(Plan *p, Loaded *into, const LoadFiles *files, CueDiags *d);

#endif
