/* htmltext.h - escaping text for HTML and JavaScript, shared by html and text/template. */
#ifndef CUE_STDLIB_HTMLTEXT_H
#define CUE_STDLIB_HTMLTEXT_H

#include "runtime/str.h"

/* < > & ' and " as references; with `nul`, also U+0000 as U+FFFD. */
void cue_html_escape(CueBuf *out, CueStr s, bool nul);
/* Fit to stand inside a quoted JavaScript string. */
void cue_js_escape(CueBuf *out, CueStr s);
/* As net/url's QueryEscape: fit to stand in a query. */
void cue_url_query_escape(CueBuf *out, CueStr s);

#endif
