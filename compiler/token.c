/* token.c - what token.def says about each token, as tables. */
#include "compiler/token.h"

static const struct {
  const char *text;
  int precedence;
} tokens[TOK_COUNT] = {
#define TOK(name, text, prec) [TOK_##name] = {text, prec},
#include "compiler/token.def"
#undef TOK
};

const char *tok_text(Tok t) { return (unsigned)t < TOK_COUNT ? tokens[t].text : "ILLEGAL"; }

int tok_precedence(Tok t) { return (unsigned)t < TOK_COUNT ? tokens[t].precedence : 0; }
