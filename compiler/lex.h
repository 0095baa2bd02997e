/* lex.h - text to tokens.
**
** The lexer works on a whole file in memory that has a NUL past its end. It puts in the
** commas that line ends stand for, counts the white space before every token (the
** formatter needs it), and takes an attribute as one token. What it cannot know is where
** the expression inside an interpolation ends: it hands out the string up to "\(" as
** TOK_INTERPOLATION, and the parser calls lex_resume at the matching parenthesis.
*/
#ifndef CUE_LEX_H
#define CUE_LEX_H

#include "compiler/diag.h"
#include "compiler/token.h"

typedef struct {
  Tok tok;
  bool newline;    /* a TOK_COMMA that a line end, comment or file end stands for */
  CuePos pos, end; /* pos has the white space before the token */
  CueStr text;     /* slice of the source; without carriage returns for comments and multiline strings */
} Token;

/* The quotes of a string whose interpolation is open. */
typedef struct {
  char ch;     /* " or ' */
  uint8_t nch; /* 1, or 3 for multiline strings */
  uint32_t nhash;
} LexQuote;

typedef struct {
  CueArena *a;
  CueDiags *d;
  uint32_t base;                 /* of the source in its set */
  const char *text, *at, *limit; /* *limit is NUL */
  const char *checked;           /* if suspect: bytes before this were searched for bad ones */
  bool suspect;                  /* the file has a NUL, a stray byte order mark or bytes that are not UTF-8 */
  bool comments;                 /* hand out TOK_COMMENT */
  bool zero_multiplier;          /* "0M" is a number: language version v0.17 */
  bool in_attribute;
  bool insert_comma;        /* a line end here is a comma */
  uint32_t lines, blanks;   /* line ends and blanks since the last token */
  CUE_VEC(LexQuote) quotes; /* open interpolations, innermost last */
  CUE_VEC(uint8_t) closers; /* inside an attribute: the Tok that closes each bracket */
} Lexer;

void lex_init(Lexer *lx, CueArena *a, const CueSource *src, bool comments, CueDiags *d);
void lex_next(Lexer *lx, Token *t);
/* Goes on with the innermost string whose interpolation is open; the lexer stands right
** behind the parenthesis that ends the expression. The piece runs from that parenthesis
** to the closing quotes, or through the "(" of the next expression: then the return is
** true and that "(" is also the next token. */
bool lex_resume(Lexer *lx, Token *piece);

#endif
