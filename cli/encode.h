/* encode.h - values to text in the encoding asked for, to stdout or a file. */
#ifndef OPM_ENCODE_H
#define OPM_ENCODE_H

#include "cli/plan.h"

typedef struct {
  Run *r;
  Plan *p;
  CueBuf *to; /* stdout, or the text of a file */
  CueBuf file;
  bool concrete; /* the encoding has no way to say less */
  bool spaces;   /* CUE is indented by four spaces */
  bool begun;    /* something was encoded */
} Encoder;

bool encoder_open(Encoder *e, Plan *p, CueDiags *d);
/* Validates and encodes. False with d filled. */
bool encoder_value(Encoder *e, const PlanValue *v, CueDiags *d);
/* Writes syntax, for CUE only; `name` is shown above it when there are several expressions. */
bool encoder_syntax(Encoder *e, Ast *file, CueStr name, bool simplify, CueDiags *d);
bool encoder_close(Encoder *e, CueDiags *d);

/* Reports what is wrong with a value; true if nothing is. */
bool value_check(Run *r, Vertex *v, ValidateOptions opt, CueDiags *d);

#endif
