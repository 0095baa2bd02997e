/* token.h - the tokens of CUE, made from token.def. */
#ifndef CUE_TOKEN_H
#define CUE_TOKEN_H

typedef enum {
#define TOK(name, text, prec) TOK_##name,
#include "compiler/token.def"
#undef TOK
  TOK_COUNT,
} Tok;

const char *tok_text(Tok t); /* as shown in error messages */
int tok_precedence(Tok t);   /* 1..7 for binary operators, 0 otherwise */

#endif
