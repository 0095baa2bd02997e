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
  CueStr path; /* dotted path of the field; empty for syntax errors */
  CueStr message;
  CUE_VEC(CuePos) at; /* first is the main place, unless no_main; may be empty */
  bool no_main;       /* all places are further ones: such messages come first */
} CueDiag;

typedef struct {
  CueArena *a;
  CueDiag *first, *last;
  uint32_t n;
} CueDiags;

/* Records a diagnostic; returns false, so that callers can `return cue_report(...)`. */
bool cue_report(CueDiags *d, CuePos at, const char *fmt, ...) CUE_PRINTF(3, 4);
CueDiag *cue_diag_add(CueDiags *d, CueStr path, CueStr message);
/* Copies all of from to the end of to. */
static inline void cue_diags_append(CueDiags *to, const CueDiags *from) {
  for (const CueDiag *x = from->first; x; x = x->next) {
    CueDiag *d = cue_diag_add(to, x->path, x->message);
    d->no_main = x->no_main;
    for (uint32_t i = 0; i < x->at.n; i++) cue_push(to->a, &d->at, x->at.at[i]);
  }
}
int cue_pos_compare(const CueSources *ss, CuePos x, CuePos y); /* no place first, then by file name and offset */
/* "./file.cue:1:2" */
void cue_place_print(CueBuf *out, CuePos at, const CueSources *ss, CueStr cwd);
/* Text as cue prints it: "path: message:\n    ./file.cue:1:2\n"; names are made relative to cwd. */
void cue_diags_print(CueBuf *out, const CueDiags *d, const CueSources *ss, CueStr cwd);

#endif
