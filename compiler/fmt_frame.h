/* fmt_frame.h - the printer of nodes: what its parts share (internal to fmt*.c).
**
** fmt_frame.c prints tokens and comments, fmt_expr.c expressions, fmt.c declarations.
*/
#ifndef CUE_FMT_FRAME_H
#define CUE_FMT_FRAME_H

#include "compiler/fmt_pen.h"
#include "compiler/fmt_tree.h"

/* The node being printed. */
typedef struct {
  const CommentGroup *comments; /* those still to be printed, by position */
  int slot;                     /* parts printed so far */
  Gap sep, outer_sep;           /* between elements of this node and of the one around it: GAP_BLANK or GAP_LINE */
} Frame;

typedef struct {
  CueArena *a; /* scratch: gone when the text is written */
  Pen pen;
  Frame cur;
  FmtTree tree;
  int depth;
  bool failed; /* met something that cannot be printed */
} Printer;

enum { FMT_MAX_DEPTH = AST_DEPTH_LIMIT + 10 }; /* of nested nodes; deeper ones are not printed */
/* Precedences beyond those of binary operators. */
enum { PREC_NONE = 0, PREC_UNARY = 8, PREC_PRIMARY = 9 };

void fmt_gap(Printer *f, Gap g);
void fmt_tok(Printer *f, CuePos at, Tok t);
void fmt_word(Printer *f, CuePos at, CueStr word);
/* Begins a node, or with NULL a list of nodes that counts as one part of the node around
** it: prints the comments before it. Returns what to give to fmt_leave. */
Frame fmt_enter(Printer *f, const Ast *n);
void fmt_leave(Printer *f, Frame outer);
void fmt_comments(Printer *f, int slot); /* those that stand before part number slot */
void fmt_group(Printer *f, const CommentGroup *g);
void fmt_skip(Printer *f);           /* a part that this node could have and has not */
Gap fmt_break_gap(const Printer *f); /* the line break between elements, if there is one; columns end there */
bool fmt_descend(Printer *f);        /* one level down; false if that is too deep */

/* prec: binary operators of a lower precedence need parentheses. depth: above 1 the
** operators are set tight, as fits an index or an argument. */
void fmt_expr(Printer *f, const Ast *n, int prec, int depth);
void fmt_expr_bare(Printer *f, const Ast *n, int prec, int depth); /* whose frame the caller has entered */
void fmt_name(Printer *f, const Ast *n);                           /* a label, or a name being declared */
void fmt_clause(Printer *f, const Ast *n);
void fmt_comprehension(Printer *f, const Ast *n);
void fmt_ellipsis(Printer *f, const Ast *n);
void fmt_decl(Printer *f, const Ast *n);
void fmt_decls(Printer *f, const AstList *list);

#endif
