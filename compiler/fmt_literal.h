/* fmt_literal.h - the spelling of literals in formatted text (internal to fmt*.c). */
#ifndef CUE_FMT_LITERAL_H
#define CUE_FMT_LITERAL_H

#include "compiler/ast.h"

/* Text of an AST_BASIC: numbers in their plain form, multi-line strings indented by tabs
** (negative: left alone). */
CueStr fmt_literal(CueArena *a, const Ast *lit, int tabs);
/* Text of a string used as a label: always on one line and without #. */
CueStr fmt_label_literal(CueArena *a, CueStr lit);
/* What a plain quoted label says, if Go could read it too; false otherwise. */
bool fmt_label_unquote(CueArena *a, CueStr lit, CueStr *name);

#endif
