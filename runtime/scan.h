/* scan.h - strings whose bytes are all harmless, copied sixteen at a time.
**
** What is written is mostly names and numbers, which no format has to quote or to escape. Writers try this first,
** and look at single characters only if it does not go. The vectors are the compiler's own: every machine has them,
** with or without instructions for it.
*/
#ifndef CUE_SCAN_H
#define CUE_SCAN_H

#include <string.h>

#include "runtime/str.h"

typedef signed char ScanBytes __attribute__((vector_size(16)));

/* Up to 16 bytes, some of them twice where there are fewer; n > 0. */
static inline ScanBytes scan_load(const char *s, size_t n) {
  union {
    ScanBytes v;
    uint64_t u[2];
  } x;
  if (n >= 16) {
    memcpy(&x, s, 16);
  } else if (n >= 8) {
    memcpy(&x.u[0], s, 8);
    memcpy(&x.u[1], s + n - 8, 8);
  } else if (n >= 4) {
    uint32_t a, b;
    memcpy(&a, s, 4);
    memcpy(&b, s + n - 4, 4);
    x.u[0] = x.u[1] = (uint64_t)a << 32 | b;
  } else {
    uint64_t a = (unsigned char)s[0], b = (unsigned char)s[n / 2], c = (unsigned char)s[n - 1];
    x.u[0] = x.u[1] = (a | b << 8 | c << 16 | a << 24) * 0x100000001u;
  }
  return x.v;
}

static inline bool scan_none(ScanBytes hit) {
  union {
    ScanBytes v;
    uint64_t u[2];
  } x = {hit};
  return !(x.u[0] | x.u[1]);
}

/* Bytes past ASCII are negative. */
static inline ScanBytes scan_not_json(ScanBytes v) {
  return (v < 0x20) | ((v | 4) == '&') | ((v | 2) == '>') | (v == '\\'); /* " and &, < and > differ in one bit */
}
static inline ScanBytes scan_not_visible(ScanBytes v) { return (v < 0x21) | (v == 0x7F); }

static inline ScanBytes scan_sixteen(const char *s) {
  ScanBytes v;
  memcpy(&v, s, sizeof v);
  return v;
}

/* Copies s if all its bytes are harmless; `to` may be written to, up to its length, in any case. Short strings are read
** and written as two halves that overlap. */
#define SCAN_COPY(name, wrong)                   \
  static inline bool name(char *to, CueStr s) {  \
    if (s.n >= 16) {                             \
      for (size_t i = 0; i < s.n; i += 16) {     \
        size_t at = s.n - i < 16 ? s.n - 16 : i; \
        ScanBytes v = scan_sixteen(s.s + at);    \
        if (!scan_none(wrong(v))) return false;  \
        memcpy(to + at, &v, sizeof v);           \
      }                                          \
      return true;                               \
    }                                            \
    if (!s.n) return true;                       \
    ScanBytes v = scan_load(s.s, s.n);           \
    if (!scan_none(wrong(v))) return false;      \
    if (s.n >= 8) {                              \
      memcpy(to, s.s, 8);                        \
      memcpy(to + s.n - 8, s.s + s.n - 8, 8);    \
    } else if (s.n >= 4) {                       \
      memcpy(to, s.s, 4);                        \
      memcpy(to + s.n - 4, s.s + s.n - 4, 4);    \
    } else {                                     \
      to[0] = s.s[0];                            \
      to[s.n / 2] = s.s[s.n / 2];                \
      to[s.n - 1] = s.s[s.n - 1];                \
    }                                            \
    return true;                                 \
  }
SCAN_COPY(scan_copy_json, scan_not_json)       /* ASCII that JSON shows as it is, inside HTML too */
SCAN_COPY(scan_copy_visible, scan_not_visible) /* ASCII from ! to ~ */
#undef SCAN_COPY

#endif
