/* url.h - URLs and their escapes, by the rules of Go's net/url. */
#ifndef CUE_STDLIB_URL_H
#define CUE_STDLIB_URL_H

#include "runtime/str.h"

/* Which part of a URL a text is for: it decides what must be escaped. */
typedef enum { URL_PATH_SEGMENT, URL_QUERY, URL_HOST, URL_ZONE, URL_OTHER } UrlPart;

/* URL_PATH_SEGMENT or URL_QUERY. */
CueStr url_escape(CueArena *a, CueStr s, UrlPart part);
/* On failure *why is Go's text. */
bool url_unescape(CueArena *a, CueStr s, UrlPart part, CueStr *out, CueStr *why);
/* Whether s is a URL reference; *absolute tells that it has a scheme. */
bool url_parse(CueArena *a, CueStr s, bool *absolute, CueStr *why);

#endif
