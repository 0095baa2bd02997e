/* plain.h - data that is written as CUE, read off its syntax.
**
** Most values files are data and no more: for these nothing needs to be evaluated. Whatever says more than data can
** (references, constraints, defaults, attributes) is refused, and so is what is wrong: the evaluator knows what to say.
*/
#ifndef CUE_PLAIN_H
#define CUE_PLAIN_H

#include "compiler/ast.h"
#include "runtime/value.h"

bool plain_data(CueArena *a, const Ast *x, CueValue *out);
/* What a file says of `values`; bottom if nothing. Refused if it says anything else at its top level, but for its package. */
bool plain_values(CueArena *a, const AstFile *f, CueValue *out);

#endif
