/* fmt_tree.h - questions about nodes that the formatter asks (internal to fmt*.c).
**
** Positions are found by going down to the first or last token of a node, since nodes made
** by the exporter have them only there.
*/
#ifndef CUE_FMT_TREE_H
#define CUE_FMT_TREE_H

#include "compiler/fmt_simplify.h"

typedef struct {
  bool simplify;
  FmtLabels labels;        /* empty unless simplifying */
  const CueSource *source; /* may be NULL */
} FmtTree;

const Ast *fmt_label_of(const FmtTree *t, const Ast *field); /* the label to print */
CuePos fmt_start_of(const FmtTree *t, const Ast *n);
CuePos fmt_brace_of(const Ast *n);   /* "{" of a struct; 0 if it has none */
CuePos fmt_bracket_of(const Ast *n); /* of a list or parentheses */
bool fmt_on_one_line(const FmtTree *t, const Ast *n);
bool fmt_starts_line(CuePos p);
bool fmt_may_start_line(const FmtTree *t, const Ast *n); /* would it, for all the source says? */
bool fmt_comes_before(CuePos x, const CommentGroup *g);
bool fmt_is_top(const Ast *n); /* _ */
bool fmt_is_definition(const FmtTree *t, const Ast *field);
int fmt_labels_in_row(const Ast *n);
bool fmt_has_comments(const FmtTree *t, const Ast *n);
bool fmt_says_open(const Ast *n);
bool fmt_is_bulky(const Ast *n);
const Ast *fmt_inline_field(const FmtTree *t, const Ast *field);

#endif
