/* uuid.c - see uuid.h. */
#include "runtime/uuid.h"

#include <assert.h>
#include <string.h>

#include "runtime/digest.h"

static int hex_value(char ch) {
  if (ch >= '0' && ch <= '9') return ch - '0';
  if ((ch | 0x20) >= 'a' && (ch | 0x20) <= 'f') return (ch | 0x20) - 'a' + 10;
  return -1;
}

/* Whether a dash stands before the n-th byte. */
static bool has_dash(size_t n) { return n == 4 || n == 6 || n == 8 || n == 10; }

bool cue_uuid_parse(CueStr s, CueUuid *out) {
  bool dashes = s.n == CUE_UUID_LEN;
  if (!dashes && s.n != 32) return false;
  size_t i = 0;
  for (size_t n = 0; n < 16; n++, i += 2) {
    if (dashes && has_dash(n) && s.s[i++] != '-') return false;
    int high = hex_value(s.s[i]), low = hex_value(s.s[i + 1]);
    if (high < 0 || low < 0) return false;
    out->b[n] = (uint8_t)(high << 4 | low);
  }
  return true;
}

CueStr cue_uuid_text(CueArena *a, const CueUuid *u) {
  static const char hex[] = "0123456789abcdef";
  char *text = cue_alloc(a, CUE_UUID_LEN + 1), *p = text;
  for (size_t n = 0; n < 16; n++) {
    if (has_dash(n)) *p++ = '-';
    *p++ = hex[u->b[n] >> 4];
    *p++ = hex[u->b[n] & 15];
  }
  return (CueStr){text, CUE_UUID_LEN};
}

static CueUuid hashed(CueArena *a, const char *algo, unsigned version, CueUuid space, CueStr name) {
  CueStr sum = {0};
  bool known = cue_digest(a, algo, cue_str_cat(a, (CueStr){(const char *)space.b, sizeof space.b}, name), &sum);
  assert(known && sum.n >= sizeof space.b);
  if (known) memcpy(space.b, sum.s, sizeof space.b);
  space.b[6] = (uint8_t)((space.b[6] & 0x0F) | version << 4);
  space.b[8] = (uint8_t)((space.b[8] & 0x3F) | 0x80);
  return space;
}

CueUuid cue_uuid_sha1(CueArena *a, CueUuid space, CueStr name) { return hashed(a, "sha1", 5, space, name); }
CueUuid cue_uuid_md5(CueArena *a, CueUuid space, CueStr name) { return hashed(a, "md5", 3, space, name); }
