/* ir_dump.h - the core language as s-expressions, for tests and debugging. */
#ifndef CUE_IR_DUMP_H
#define CUE_IR_DUMP_H

#include "compiler/ir.h"

void ir_dump(CueBuf *out, LabelTable *labels, const Ir *x); /* one line; a vertex shows its conjuncts */

#endif
