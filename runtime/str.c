/* str.c - strings with a length, the growing buffer, and UTF-8 with Go's rules.
**
** A buffer lives in an arena and never frees what it outgrew, so a slice handed out by
** cue_buf_done stays good while the buffer goes on growing.
*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem */
#endif
#include "runtime/str.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

CueStr cue_str(const char *z) { return (CueStr){z, strlen(z)}; }

CueStr cue_str_copy(CueArena *a, CueStr s) {
  char *p = cue_alloc(a, s.n + 1);
  if (s.n) memcpy(p, s.s, s.n);
  return (CueStr){p, s.n};
}

CueStr cue_strvf(CueArena *a, const char *fmt, va_list ap) {
  char small[256];
  va_list again;
  va_copy(again, ap);
  int n = vsnprintf(small, sizeof small, fmt, again);
  va_end(again);
  assert(n >= 0);
  if (n < 0) return CUE_STR("");
  size_t len = (size_t)n;
  char *p = cue_alloc(a, len + 1);
  if (len < sizeof small)
    memcpy(p, small, len);
  else
    vsnprintf(p, len + 1, fmt, ap);
  return (CueStr){p, len};
}

CueStr cue_strf(CueArena *a, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  CueStr s = cue_strvf(a, fmt, ap);
  va_end(ap);
  return s;
}

CueStr cue_str_cat(CueArena *a, CueStr x, CueStr y) {
  char *p = cue_alloc(a, x.n + y.n + 1);
  if (x.n) memcpy(p, x.s, x.n);
  if (y.n) memcpy(p + x.n, y.s, y.n);
  return (CueStr){p, x.n + y.n};
}

bool cue_str_eq(CueStr x, CueStr y) { return x.n == y.n && (x.n == 0 || memcmp(x.s, y.s, x.n) == 0); }

bool cue_str_is(CueStr x, const char *z) { return cue_str_eq(x, cue_str(z)); }

int cue_str_cmp(CueStr x, CueStr y) {
  size_t n = x.n < y.n ? x.n : y.n;
  int c = n ? memcmp(x.s, y.s, n) : 0;
  if (c) return c < 0 ? -1 : 1;
  return x.n < y.n ? -1 : x.n > y.n;
}

bool cue_str_has_prefix(CueStr s, CueStr prefix) {
  return s.n >= prefix.n && (prefix.n == 0 || memcmp(s.s, prefix.s, prefix.n) == 0);
}

bool cue_str_has_suffix(CueStr s, CueStr suffix) {
  return s.n >= suffix.n && (suffix.n == 0 || memcmp(s.s + s.n - suffix.n, suffix.s, suffix.n) == 0);
}

ptrdiff_t cue_str_find(CueStr s, CueStr sub) {
  if (sub.n == 0) return 0;
  if (sub.n > s.n) return -1;
  const char *p = memmem(s.s, s.n, sub.s, sub.n);
  return p ? p - s.s : -1;
}

CueStr cue_str_sub(CueStr s, size_t from, size_t to) {
  assert(from <= to && to <= s.n);
  return (CueStr){s.s ? s.s + from : s.s, to - from};
}

uint32_t cue_str_hash(CueStr s) {
  const uint64_t k = 0x9E3779B97F4A7C15u;
  uint64_t h = s.n * k, w;
  const char *p = s.s;
  size_t n = s.n;
  for (; n >= 8; n -= 8, p += 8) {
    memcpy(&w, p, 8);
    h = (h ^ w) * k;
    h ^= h >> 29;
  }
  if (n) {
    w = 0;
    memcpy(&w, p, n);
    h = (h ^ w) * k;
    h ^= h >> 29;
  }
  h *= k;
  return (uint32_t)(h >> 32);
}

/* -- the buffer ------------------------------------------------------------------------ */

CueBuf cue_buf(CueArena *a) { return (CueBuf){a, NULL, 0, 0}; }

void cue_buf_grow(CueBuf *b, size_t n) {
  size_t cap = b->cap ? b->cap * 2 : 128;
  while (cap - b->n <= n && cap <= SIZE_MAX / 2) cap *= 2;
  b->s = cue_regrow_own(b->a, b->s, b->cap, cap);
  b->cap = cap;
}

void cue_buf_add(CueBuf *b, const void *bytes, size_t n) {
  if (n == 0) return;
  memcpy(cue_buf_room(b, n), bytes, n);
  b->n += n;
}

void cue_buf_str(CueBuf *b, CueStr s) { cue_buf_add(b, s.s, s.n); }

void cue_buf_z(CueBuf *b, const char *z) { cue_buf_add(b, z, strlen(z)); }

void cue_buf_repeat(CueBuf *b, char c, size_t n) {
  if (n == 0) return;
  memset(cue_buf_room(b, n), c, n);
  b->n += n;
}

void cue_buf_rune(CueBuf *b, uint32_t rune) { b->n += cue_utf8_encode(cue_buf_room(b, 4), rune); }

void cue_buf_f(CueBuf *b, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  char *p = cue_buf_room(b, 128);
  int n = vsnprintf(p, 128, fmt, ap);
  va_end(ap);
  assert(n >= 0);
  if (n < 0) return;
  if (n >= 128) {
    p = cue_buf_room(b, (size_t)n + 1);
    va_start(ap, fmt);
    vsnprintf(p, (size_t)n + 1, fmt, ap);
    va_end(ap);
  }
  b->n += (size_t)n;
}

/* Writes the digits of i before end; returns where they begin. */
static char *digits_of(int64_t i, char *end) {
  uint64_t u = i < 0 ? -(uint64_t)i : (uint64_t)i;
  do *--end = (char)('0' + u % 10);
  while (u /= 10);
  if (i < 0) *--end = '-';
  return end;
}

void cue_buf_int(CueBuf *b, int64_t i) {
  char digits[24], *end = digits + sizeof digits, *p = digits_of(i, end);
  cue_buf_add(b, p, (size_t)(end - p));
}

CueStr cue_int_text(CueArena *a, int64_t i) {
  char digits[24], *end = digits + sizeof digits, *p = digits_of(i, end);
  return cue_str_copy(a, (CueStr){p, (size_t)(end - p)});
}

void cue_buf_base64(CueBuf *b, CueStr bytes) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  size_t len = (bytes.n + 2) / 3 * 4;
  char *out = cue_buf_room(b, len);
  const unsigned char *p = (const unsigned char *)bytes.s;
  size_t i = 0;
  for (; bytes.n - i >= 3; i += 3, out += 4) {
    uint32_t w = (uint32_t)p[i] << 16 | (uint32_t)p[i + 1] << 8 | p[i + 2];
    out[0] = letters[w >> 18];
    out[1] = letters[w >> 12 & 63];
    out[2] = letters[w >> 6 & 63];
    out[3] = letters[w & 63];
  }
  if (i < bytes.n) {
    uint32_t w = (uint32_t)p[i] << 16 | (i + 1 < bytes.n ? (uint32_t)p[i + 1] << 8 : 0);
    out[0] = letters[w >> 18];
    out[1] = letters[w >> 12 & 63];
    out[2] = i + 1 < bytes.n ? letters[w >> 6 & 63] : '=';
    out[3] = '=';
  }
  b->n += len;
}

CueStr cue_buf_done(CueBuf *b) {
  *cue_buf_room(b, 1) = '\0';
  b->cap = cue_shrink(b->a, b->s, b->cap, b->n + 1);
  return (CueStr){b->s, b->n};
}

/* -- UTF-8 ----------------------------------------------------------------------------- */

/* The length of the sequence at p and its rune; 1 and CUE_RUNE_ERROR if it is not valid. */
static size_t decode(const unsigned char *p, size_t n, uint32_t *rune) {
  unsigned c = p[0];
  *rune = CUE_RUNE_ERROR;
  if (c < 0x80) {
    *rune = c;
    return 1;
  }
  if (c < 0xC2 || c > 0xF4 || n < 2) return 1;
  unsigned lo = 0x80, hi = 0xBF; /* bounds of the second byte exclude overlong forms and surrogates */
  if (c == 0xE0) lo = 0xA0;
  if (c == 0xED) hi = 0x9F;
  if (c == 0xF0) lo = 0x90;
  if (c == 0xF4) hi = 0x8F;
  if (p[1] < lo || p[1] > hi) return 1;
  if (c < 0xE0) {
    *rune = (c & 0x1Fu) << 6 | (p[1] & 0x3Fu);
    return 2;
  }
  if (n < 3 || (p[2] & 0xC0) != 0x80) return 1;
  if (c < 0xF0) {
    *rune = (c & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
    return 3;
  }
  if (n < 4 || (p[3] & 0xC0) != 0x80) return 1;
  *rune = (c & 0x07u) << 18 | (p[1] & 0x3Fu) << 12 | (p[2] & 0x3Fu) << 6 | (p[3] & 0x3Fu);
  return 4;
}

uint32_t cue_utf8_next(CueStr s, size_t *i) {
  uint32_t rune;
  assert(*i < s.n);
  *i += decode((const unsigned char *)s.s + *i, s.n - *i, &rune);
  return rune;
}

size_t cue_utf8_count(CueStr s) {
  size_t n = 0;
  for (size_t i = 0; i < s.n; n++) {
    if ((unsigned char)s.s[i] < 0x80)
      i++;
    else
      cue_utf8_next(s, &i);
  }
  return n;
}

bool cue_utf8_valid(CueStr s) {
  size_t i = 0;
  while (i < s.n) {
    uint64_t w;
    if (s.n - i >= 8 && (memcpy(&w, s.s + i, 8), (w & 0x8080808080808080u) == 0)) {
      i += 8;
      continue;
    }
    uint32_t rune;
    size_t len = decode((const unsigned char *)s.s + i, s.n - i, &rune);
    if (len == 1 && rune == CUE_RUNE_ERROR) return false;
    i += len;
  }
  return true;
}

size_t cue_utf8_encode(char out[4], uint32_t rune) {
  if (rune > 0x10FFFF || (rune >= 0xD800 && rune <= 0xDFFF)) rune = CUE_RUNE_ERROR;
  if (rune < 0x80) {
    out[0] = (char)rune;
    return 1;
  }
  if (rune < 0x800) {
    out[0] = (char)(0xC0 | rune >> 6);
    out[1] = (char)(0x80 | (rune & 0x3F));
    return 2;
  }
  if (rune < 0x10000) {
    out[0] = (char)(0xE0 | rune >> 12);
    out[1] = (char)(0x80 | (rune >> 6 & 0x3F));
    out[2] = (char)(0x80 | (rune & 0x3F));
    return 3;
  }
  out[0] = (char)(0xF0 | rune >> 18);
  out[1] = (char)(0x80 | (rune >> 12 & 0x3F));
  out[2] = (char)(0x80 | (rune >> 6 & 0x3F));
  out[3] = (char)(0x80 | (rune & 0x3F));
  return 4;
}
