/* fmt_simplify.h - which quoted labels can lose their quotes (internal to fmt*.c). */
#ifndef CUE_FMT_SIMPLIFY_H
#define CUE_FMT_SIMPLIFY_H

#include "compiler/ast.h"

typedef struct {
  const Ast **from; /* open addressing by address of the label; NULL is free */
  Ast **to;
  uint32_t n, cap;
} FmtLabels;

FmtLabels fmt_simplify(CueArena *a, const Ast *root);
const Ast *fmt_plain_label(const FmtLabels *l, const Ast *label); /* what to print for label: maybe itself */

#endif
