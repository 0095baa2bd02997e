/* parse.h - text to syntax tree. */
#ifndef CUE_PARSE_H
#define CUE_PARSE_H

#include "compiler/ast.h"
#include "compiler/diag.h"

typedef struct {
  int language;      /* minor of language.version: 16 for v0.16.1; 0 means the latest we know (16 forms) */
  bool comments;     /* keep comments (formatter, export of docs) */
  bool imports_only; /* stop after the imports */
} ParseOptions;

/* Always returns a tree, as complete as recovery allows; errors go to d. */
AstFile *cue_parse_file(CueArena *a, CueSource *src, ParseOptions opt, CueDiags *d);
/* Reads the declarations of a struct of f that was left unread. */
void cue_parse_stub(CueArena *a, const AstFile *f, Ast *st, int language);
/* One expression and nothing after it; NULL if there was an error. */
Ast *cue_parse_expr(CueArena *a, CueSource *src, ParseOptions opt, CueDiags *d);

#endif
