/* diag.h - messages for people, as data: what is wrong, where, and the further places that matter.
**
** Parser, loader and evaluator report here; cli/print.c turns a list into text. A list is
** sorted and freed of repetitions when printed, in the order cue prints.
*/
#ifndef CUE_DIAG_H
#define CUE_DIAG_H

#include "compiler/source.h"

typedef struct CueDiag {
  struct CueDiag *next;
  CueStr path;              /* dotted path of the field; empty for syntax errors */
  CueStr message;
  CUE_VEC(CuePos) at;       /* first is the main place; may be empty */
} CueDiag;

typedef struct {
  CueArena *a;
  CueDiag *first, *last;
  uint32_t n;
} CueDiags;

/* Records a diagnostic; returns false, so that callers can `return cue_report(...)`. */
bool cue_report(CueDiags *d, CuePos at, const char *fmt, ...) CUE_PRINTF(3, 4);
CueDiag *cue_diag_add(CueDiags *d, CueStr path, CueStr message);
/* Text as cue prints it: "path: message:\n    ./file.cue:1:2\n"; names are made relative to cwd. */
void cue_diags_print(CueBuf *out, const CueDiags *d, const CueSources *ss, CueStr cwd);

#endif
