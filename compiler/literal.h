/* literal.h - the values of literals: numbers with multipliers, quoted strings and bytes. */
#ifndef CUE_LITERAL_H
#define CUE_LITERAL_H

#include "runtime/value.h"

/* A whole string or bytes literal with its quotes, of any form. On failure returns
** bottom with cue's message. */
CueValue cue_literal_string(CueArena *a, CueStr lit);
/* The same for a token of a file, where the message opens with "invalid string". */
CueValue cue_literal_token(CueArena *a, CueStr lit);
/* A piece of an interpolation: `first` is the first piece, which has the opening quotes and
** tells quote form and indent; piece may be the first itself. */
CueValue cue_literal_piece(CueArena *a, CueStr first, CueStr last, CueStr piece);
/* An int or float literal; bottom with cue's message if malformed. */
CueValue cue_literal_number(CueArena *a, CueStr lit);

/* How to quote, as cue's formatter and exporter do. */
typedef enum {
  CUE_QUOTE_STRING,
  CUE_QUOTE_BYTES,
  CUE_QUOTE_LABEL,
  CUE_QUOTE_MULTILINE_STRING,
  CUE_QUOTE_MULTILINE_BYTES
} CueQuoteForm;
CueStr cue_literal_quote(CueArena *a, CueStr s, CueQuoteForm form, int indent_tabs);
/* Whether a field of this name must be written quoted. */
bool cue_label_needs_quotes(CueStr name);
bool cue_is_valid_ident(CueStr name);

#endif
