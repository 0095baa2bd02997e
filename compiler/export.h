/* export.h - what the files that turn results into data and syntax share. */
#ifndef CUE_EXPORT_H
#define CUE_EXPORT_H

#include "compiler/node.h"

/* ---- subsume.c ---- */
/* The label that stands for every index of a list. */
#define LABEL_ANY_INDEX ((Label)((LABEL_MAX_INT << 3) | LABEL_INT))
/* What patterns and ellipses of v say about a field that is not there, finalized; its conjuncts are none if nothing. */
Vertex *vertex_implied(Eval *e, Vertex *v, Label l);

#endif
