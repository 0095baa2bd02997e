/* gotext.h - text in the forms of Go's strconv: quoted strings, numbers.
**
** Many results and error messages of cue are made by Go's formatting functions; these
** make the same bytes.
*/
#ifndef CUE_STDLIB_GOTEXT_H
#define CUE_STDLIB_GOTEXT_H

#include "runtime/num.h"

/* What a quoted text may hold unescaped beyond printable ASCII. */
typedef enum {
  CUE_GO_PRINT,   /* printable characters: Go's Quote and %q */
  CUE_GO_ASCII,   /* nothing: QuoteToASCII, %+q */
  CUE_GO_GRAPHIC, /* printable characters and all spaces: QuoteToGraphic */
} CueGoQuote;

void cue_go_quote(CueBuf *out, CueStr s, CueGoQuote keep);
void cue_go_quote_rune(CueBuf *out, int32_t r, CueGoQuote keep); /* 'x' */
CueStr cue_go_quoted(CueArena *a, CueStr s);                     /* %q */

/* The text of a Go string literal, with its quotes: "..." or `...`. False if malformed. */
bool cue_go_unquote(CueArena *a, CueStr s, CueStr *out);
/* The first character of a 'x' literal; *used is how much of s it took, with the opening quote. */
bool cue_go_unquote_rune(CueStr s, uint32_t *r, size_t *used);
void cue_go_code_point(CueBuf *out, uint32_t r); /* %#U: U+0041 'A', without the quotes if not printable */

/* f as Go's FormatFloat writes it: form is one of e E f g G b x X, prec < 0 asks for the fewest
** digits that read back as f, bits is 32 or 64. */
void cue_go_float(CueBuf *out, double f, char form, int prec, int bits);

/* An integer as math/big reads it: base 2 to 62, with digits above z written A..Z, or 0: then a prefix
** tells the base and underscores may stand between digits. NULL if malformed. */
const CueNum *cue_go_parse_int(CueArena *a, CueStr s, unsigned base);

typedef enum { CUE_GO_FLOAT_OK, CUE_GO_FLOAT_SYNTAX, CUE_GO_FLOAT_RANGE } CueGoFloat;
CueGoFloat cue_go_parse_float(CueArena *a, CueStr s, int bits, double *out);

#endif
