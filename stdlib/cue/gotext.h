/* gotext.h - text in the forms of Go's strconv: quoted strings, floats.
**
** Many results and error messages of cue are made by Go's formatting functions; these
** make the same bytes.
*/
#ifndef CUE_STDLIB_GOTEXT_H
#define CUE_STDLIB_GOTEXT_H

#include "runtime/str.h"

/* What a quoted text may hold unescaped beyond printable ASCII. */
typedef enum {
  CUE_GO_PRINT,   /* printable characters: Go's Quote and %q */
  CUE_GO_ASCII,   /* nothing: QuoteToASCII, %+q */
  CUE_GO_GRAPHIC, /* printable characters and all spaces: QuoteToGraphic */
} CueGoQuote;

void cue_go_quote(CueBuf *out, CueStr s, CueGoQuote keep);
void cue_go_quote_rune(CueBuf *out, int32_t r, CueGoQuote keep); /* 'x' */
CueStr cue_go_quoted(CueArena *a, CueStr s);                     /* %q */

void cue_go_code_point(CueBuf *out, uint32_t r);                 /* %#U: U+0041 'A', without the quotes if not printable */

/* f as Go's FormatFloat writes it: form is one of e E f g G b x X, prec < 0 asks for the fewest
** digits that read back as f, bits is 32 or 64. */
void cue_go_float(CueBuf *out, double f, char form, int prec, int bits);
/* The shortest form, with an exponent only below 1e-4 and from 10^limit on: %v has limit 21. */
void cue_go_float_v(CueBuf *out, double f, int limit);

typedef enum { CUE_GO_FLOAT_OK, CUE_GO_FLOAT_SYNTAX, CUE_GO_FLOAT_RANGE } CueGoFloat;
CueGoFloat cue_go_parse_float(CueArena *a, CueStr s, int bits, double *out);

#endif
