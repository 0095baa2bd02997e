/* fmt.h - syntax tree to text, laid out as `cue fmt` does. */
#ifndef CUE_FMT_H
#define CUE_FMT_H

#include "compiler/ast.h"

typedef struct {
  bool simplify;        /* cue fmt -s */
  bool use_spaces;      /* four spaces in place of a tab (cue eval, export --out cue) */
  int indent;           /* tabs before every line */
} CueFmtOptions;

void cue_format_file(CueBuf *out, const Ast *file, CueFmtOptions opt);
void cue_format_node(CueBuf *out, const Ast *n, CueFmtOptions opt); /* an expression or declaration */

#endif
