/* builtin.h - how a builtin function is declared and called.
**
** stdlib/ writes functions against this header alone; the evaluator and, later, compiled
** code call them. A package is a table of functions plus CUE text for its constants and
** definitions. Arguments arrive checked against `params`; what is not scalar arrives
** "lent" (CUE_LENT): a handle that the functions below can look into, or that can be
** returned as it is (so list.Concat works on elements that are not concrete).
**
** params, one letter an argument; result, one letter:
**   s string   y bytes   S string or bytes   i int   n number (int or float)   b bool
**   l list of values (lent)   w list as a whole (lent)   L list of strings (data)   I list of ints/numbers (data)   t struct (lent)
**   _ any value, made concrete data    * any value, lent as it is, concrete or not
**   v any value that is concrete at its top (a list or struct may hold incomplete values), lent
**   ? is no argument: those after it may be left out (nargs tells), which never makes a validator
** A function with a * is "non-concrete": a failing validator shows its name without arguments.
** A function with result b can be called without its first argument: it then is a validator.
*/
#ifndef CUE_BUILTIN_H
#define CUE_BUILTIN_H

#include "runtime/regex.h"
#include "runtime/value.h"

typedef struct CueCall CueCall;
typedef CueValue CueBuiltinFn(CueCall *c);

struct CueBuiltin {
  const char *name;
  const char *params;
  char result;
  CueBuiltinFn *fn;
};

typedef struct {
  const char *path; /* import path: "encoding/json" */
  const CueBuiltin *functions;
  uint32_t n;
  const char *cue; /* CUE text of constants and definitions, or NULL */
  bool constants;  /* the text has constants only; messages name them, and not a place in it */
} CueBuiltinPackage;

/* How much a validated value must be. */
typedef enum {
  CUE_VALIDATE_CONCRETE, /* data throughout */
  CUE_VALIDATE_FINAL,    /* values may be incomplete, but no required field may be missing */
  CUE_VALIDATE_PARTIAL,  /* only conflicts fail */
} CueValidate;

/* What the evaluator does for builtins. */
typedef struct {
  /* Deep, concrete; bottom if it is not (the call then is incomplete). `written`: for YAML, see cue_yaml_written. */
  CueValue (*data)(CueCall *c, CueValue v, bool written);
  CueList *(*elements)(CueCall *c, CueValue list); /* shallow; elements lent unless scalar */
  CueStruct *(*fields)(CueCall *c, CueValue st);   /* regular fields, shallow */
  /* Structural equality of finalized values; `regular` leaves hidden fields and definitions aside. */
  bool (*equal)(CueCall *c, CueValue x, CueValue y, bool regular);
  CueValue (*unify)(CueCall *c, CueValue x, CueValue y);     /* lent, or bottom */
  bool (*subsumes)(CueCall *c, CueValue schema, CueValue v); /* v is an instance of schema */
  /* Unifies schema with data and validates the result; bottom explains. */
  CueValue (*validate)(CueCall *c, CueValue schema, CueValue data, CueValidate how);
  CueValue (*concrete)(CueCall *c,
                       CueValue v); /* validates that it is data throughout; bottom tells all that is missing */
  bool (*less)(CueCall *c, CueValue comparer, CueValue x,
               CueValue y); /* {x, y, less} of list.Comparer; on failure sets c->error */
  /* An expression without references, evaluated; one with a name is a file, and errors point into it. */
  CueValue (*eval_text)(CueCall *c, CueStr name, CueStr cue);
  /* The documents of a text (JSON has one), evaluated; errors point into it by this name. NULL on failure, with c->error. */
  CueList *(*documents)(CueCall *c, CueStr name, CueStr text, bool yaml);
  CueStr (*text)(CueCall *c, CueValue v);           /* as error messages show it */
  CueValue (*pick)(CueCall *c, CueValue v);         /* the default where there is one; lent unless scalar */
  bool (*is_list)(CueCall *c, CueValue v);          /* a list, not only what lists may satisfy */
  bool (*is_open)(CueCall *c, CueValue v);          /* a list with ..., a struct that is not closed or has patterns */
  bool (*is_final)(CueCall *c, CueValue v);         /* no more data can change it */
  uint32_t (*constraints)(CueCall *c, CueValue st); /* optional and required fields that are not present */
  CueValue (*literal)(CueCall *c, CueStr lit); /* of a string, bytes or number literal; bottom with cue's message */
} CueCallOps;

struct CueCall {
  CueArena *a; /* results live here */
  const CueBuiltin *builtin;
  const char *package;
  uint32_t nargs;
  CueValue *args;
  CueRegexCache *regexes;
  const CueCallOps *ops;
  void *eval;      /* the evaluator, for ops */
  CueValue error;  /* set by a failing op: return it as it is; shown without "error in call to" */
  bool incomplete; /* the failure may be mended by more data */
  bool validator;  /* the first argument is being validated */
  /* What the failure is about, if its place is to be shown after, or instead of, that of the call. */
  uint32_t blame;         /* 1 + the index of an argument, 0 for none */
  uint32_t blame_element; /* 1 + the index of one of its elements, 0 for the whole */
  size_t blame_byte;      /* 1 + the place in the text of that argument, 0 for none */
  bool blame_alone;       /* instead of the call */
  bool verdict;           /* a validator's "no" and not a failure: it has no path of its own */
  bool wrapped;           /* error, set by a failing op, is returned and shown after "error in call to PKG.NAME: " */
};

/* Fails the call: the user sees "error in call to PKG.NAME: <message>". Returns the bottom to return. */
CueValue cue_fail(CueCall *c, const char *fmt, ...) CUE_PRINTF(2, 3);
CueValue cue_fail_incomplete(CueCall *c, const char *fmt, ...) CUE_PRINTF(2, 3);

/* Fails as cue_fail does, but the user sees the message alone. */
static inline CueValue CUE_PRINTF(2, 3) cue_fail_bare(CueCall *c, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  c->error = cue_error(cue_strvf(c->a, fmt, ap));
  va_end(ap);
  return c->error;
}

static inline CueStr cue_arg_str(const CueCall *c, uint32_t i) { return cue_value_str(c->args[i]); }
/* Ints that must fit a C type, as Go's builtins demand; on overflow fails the call and returns false. */
bool cue_arg_int64(CueCall *c, uint32_t i, int64_t *out);
const CueNum *cue_arg_num(CueCall *c, uint32_t i);
double cue_arg_double(CueCall *c, uint32_t i);

#endif
