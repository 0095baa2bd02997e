/* fmt.h - syntax tree to text, laid out as `cue fmt` does.
**
** A tree comes from the parser, and then keeps the line breaks of its source, or from the
** exporter, and then has no positions. The exporter may still ask for white space before a
** token by setting CueRel bits: in `pos` of leaves, in `open` and `close` of brackets (an
** `open` of 0 on a struct with one field lets `a: {b: 1}` become `a: b: 1`).
*/
#ifndef CUE_FMT_H
#define CUE_FMT_H

#include "compiler/ast.h"
#include "compiler/diag.h"

typedef struct {
  bool simplify;           /* cue fmt -s */
  bool use_spaces;         /* four spaces in place of a tab (cue eval, export --out cue) */
  int indent;              /* tabs before every line */
  const CueSource *source; /* what the positions of the tree are in; NULL if it has none, or roughly known will do */
} CueFmtOptions;

/* Both return false if the tree cannot be written as CUE: it is nested too deeply, or holds
** an identifier that is none. The text up to there is in out. */
bool cue_format_file(CueBuf *out, const Ast *file, CueFmtOptions opt); /* ends with a newline */
bool cue_format_node(CueBuf *out, const Ast *n, CueFmtOptions opt);    /* an expression or declaration */

#endif
