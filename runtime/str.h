/* str.h - strings that carry their length, a builder for them, and UTF-8.
**
** A CueStr is a borrowed slice; functions that take an arena copy into it. Text made by
** these functions is NUL-terminated past its end, so .s can be given to C functions
** when the text has no NUL inside.
*/
#ifndef CUE_STR_H
#define CUE_STR_H

#include <stdarg.h>
#include <string.h>

#include "runtime/abi.h"
#include "runtime/arena.h"

#define CUE_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define CUE_FMT(str) (int)(str).n, (str).s /* for "%.*s" */

CueStr cue_str(const char *z);              /* borrows a C string */
CueStr cue_str_copy(CueArena *a, CueStr s); /* a copy, NUL-terminated */
CueStr cue_strf(CueArena *a, const char *fmt, ...) CUE_PRINTF(2, 3);
CueStr cue_strvf(CueArena *a, const char *fmt, va_list ap);
CueStr cue_str_cat(CueArena *a, CueStr x, CueStr y);
bool cue_str_eq(CueStr x, CueStr y);
bool cue_str_is(CueStr x, const char *z);
int cue_str_cmp(CueStr x, CueStr y); /* bytewise, as Go compares */
bool cue_str_has_prefix(CueStr s, CueStr prefix);
bool cue_str_has_suffix(CueStr s, CueStr suffix);
ptrdiff_t cue_str_find(CueStr s, CueStr sub);         /* -1 if absent */
CueStr cue_str_sub(CueStr s, size_t from, size_t to); /* borrowed slice [from, to) */
uint32_t cue_str_hash(CueStr s);
static inline bool cue_char_is(char c, const char *of) { return c && strchr(of, c); } /* one of those; NUL never is */

/* A buffer that grows by doubling in an arena. */
typedef struct {
  CueArena *a;
  char *s;
  size_t n, cap;
} CueBuf;

CueBuf cue_buf(CueArena *a);
void cue_buf_add(CueBuf *b, const void *bytes, size_t n);
void cue_buf_str(CueBuf *b, CueStr s);
void cue_buf_z(CueBuf *b, const char *z);
void cue_buf_repeat(CueBuf *b, char c, size_t n);
void cue_buf_rune(CueBuf *b, uint32_t rune); /* as UTF-8 */
void cue_buf_int(CueBuf *b, int64_t i);      /* in decimal */
CueStr cue_int_text(CueArena *a, int64_t i);
void cue_buf_base64(CueBuf *b, CueStr bytes); /* standard alphabet, padded */
void cue_buf_f(CueBuf *b, const char *fmt, ...) CUE_PRINTF(2, 3);
CueStr cue_buf_done(CueBuf *b); /* NUL-terminates; b may go on growing */
void cue_buf_grow(CueBuf *b, size_t n);
/* Room for n more bytes at the end; add what was written to b->n. */
static inline char *cue_buf_room(CueBuf *b, size_t n) {
  if (b->cap - b->n <= n) cue_buf_grow(b, n);
  return b->s + b->n;
}
static inline void cue_buf_ch(CueBuf *b, char c) {
  *cue_buf_room(b, 1) = c;
  b->n++;
}

/* Takes what is in a buffer that need not be kept whole, and empties it. */
typedef void CueDrain(void *arg, CueBuf *out);

/* UTF-8 as Go decodes it: an invalid byte is one U+FFFD of width 1. */
#define CUE_RUNE_ERROR 0xFFFDu
uint32_t cue_utf8_next(CueStr s, size_t *i); /* decodes at *i (< s.n) and advances */
size_t cue_utf8_count(CueStr s);             /* runes, as utf8.RuneCountInString */
bool cue_utf8_valid(CueStr s);
size_t cue_utf8_encode(char out[4], uint32_t rune);

#endif
