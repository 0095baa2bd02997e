/* call.h - a call under way, shared by call.c and core.c. */
#ifndef CUE_CALL_H
#define CUE_CALL_H

#include "compiler/literal.h"
#include "compiler/node.h"
#include "compiler/parse.h"

typedef struct {
  IrCall *call; /* NULL for a function that stands as a validator uncalled */
  IrBuiltin *builtin;
  Ir **args; /* evaluated; of raw functions NULL: they look at call->args */
  uint32_t n;
  bool is_validator; /* args[0] is the value being validated */
} Call;

/* One of the language's own functions. A raw one evaluates its arguments itself. */
struct EvalCore {
  Ir *(*fn)(Eval *e, Call *call);
  bool raw;
};

typedef struct {
  CueCall c;        /* first: a CueCall lent to stdlib is an EvalCall */
  Bottom *why;      /* the failure of an operation, as a bottom */
  const char *told; /* its text as the function got it: a function that returns it fails for that reason */
} EvalCall;

bool call_check_args(Eval *e, const IrBuiltin *b, CuePos pos, uint32_t n);
CueStr builtin_name(CueArena *a, const IrBuiltin *b);
Vertex *eval_unify(Eval *e, Ir *x, Ir *y); /* two values unified in a fresh, finalized vertex */

#endif
