/* uuid.c - CUE's package "uuid": UUIDs of RFC 4122 as text.
**
** Four spellings are read: the usual one, with "urn:uuid:" before it, in braces, and 32
** plain hex digits. What is written is the usual one in small letters.
*/
#include "runtime/digest.h"
#include "stdlib/cue/gotext.h"
#include "stdlib/cue/stdlib.h"

#include <string.h>

typedef struct {
  uint8_t b[16];
} Uuid;

#define TEXT_LEN 36

static int hex_value(char ch) {
  if (ch >= '0' && ch <= '9') return ch - '0';
  if ((ch | 0x20) >= 'a' && (ch | 0x20) <= 'f') return (ch | 0x20) - 'a' + 10;
  return -1;
}

static bool bad_format(CueCall *c) {
  cue_fail(c, "invalid UUID format");
  return false;
}

static bool has_urn_prefix(CueStr s) {
  static const char prefix[] = "urn:uuid:";
  for (size_t i = 0; i < sizeof prefix - 1; i++)
    if ((s.s[i] >= 'A' && s.s[i] <= 'Z' ? s.s[i] | 0x20 : s.s[i]) != prefix[i]) return false;
  return true;
}

/* On failure sets c->error. Go reads any character in place of the braces; `strict` does not. */
static bool parse(CueCall *c, CueStr s, bool strict, Uuid *u) {
  bool dashes = s.n != 32;
  if (s.n == TEXT_LEN + 9) {
    if (!has_urn_prefix(s)) {
      cue_fail(c, "invalid urn prefix: %s", cue_go_quoted(c->a, cue_str_sub(s, 0, 9)).s);
      return false;
    }
    s = cue_str_sub(s, 9, s.n);
  } else if (s.n == TEXT_LEN + 2) {
    if (strict && (s.s[0] != '{' || s.s[s.n - 1] != '}')) {
      cue_fail(c, "invalid bracketed UUID format");
      return false;
    }
    s = cue_str_sub(s, 1, s.n - 1);
  } else if (dashes && s.n != TEXT_LEN) {
    cue_fail(c, "invalid UUID length: %zu", s.n);
    return false;
  }
  if (dashes && (s.s[8] != '-' || s.s[13] != '-' || s.s[18] != '-' || s.s[23] != '-')) return bad_format(c);
  size_t i = 0;
  for (size_t n = 0; n < 16; n++, i += 2) {
    if (dashes && (n == 4 || n == 6 || n == 8 || n == 10)) i++;
    int high = hex_value(s.s[i]), low = hex_value(s.s[i + 1]);
    if (high < 0 || low < 0) return bad_format(c);
    u->b[n] = (uint8_t)(high << 4 | low);
  }
  return true;
}

static CueStr text(CueArena *a, const Uuid *u) {
  CueBuf out = cue_buf(a);
  for (size_t n = 0; n < 16; n++) {
    if (n == 4 || n == 6 || n == 8 || n == 10) cue_buf_ch(&out, '-');
    cue_buf_f(&out, "%02x", u->b[n]);
  }
  return cue_buf_done(&out);
}

static CueValue fn_valid(CueCall *c) {
  Uuid u;
  if (parse(c, cue_arg_str(c, 0), true, &u)) return cue_bool(true);
  /* cue shows why without naming the function. */
  CueStr why = cue_value_str(c->error);
  ptrdiff_t at = cue_str_find(why, CUE_STR(": "));
  return cue_fail_bare(c, "%.*s", CUE_FMT(cue_str_sub(why, at < 0 ? 0 : (size_t)at + 2, why.n)));
}

static CueValue fn_parse(CueCall *c) {
  Uuid u;
  return parse(c, cue_arg_str(c, 0), false, &u) ? cue_string(text(c->a, &u)) : c->error;
}

static CueValue fn_urn(CueCall *c) {
  Uuid u;
  if (!parse(c, cue_arg_str(c, 0), false, &u)) return c->error;
  return cue_string(cue_str_cat(c->a, CUE_STR("urn:uuid:"), text(c->a, &u)));
}

static CueValue fn_from_int(CueCall *c) {
  const CueNum *n = cue_num_abs(c->a, cue_arg_num(c, 0));
  uint32_t bytes = (cue_num_bitlen(n) + 7) / 8;
  if (bytes > 16) return cue_fail(c, "invalid UUID (got %u bytes)", bytes);
  Uuid u;
  for (int i = 15; i >= 0; i--) {
    uint64_t byte = 0;
    cue_num_to_uint64(cue_num_and(c->a, n, cue_num_from_int(c->a, 255)), &byte);
    u.b[i] = (uint8_t)byte;
    n = cue_num_shr(c->a, n, 8);
  }
  return cue_string(text(c->a, &u));
}

/* The bytes of the text, not of the UUID it names: cue does so too. */
static CueValue fn_to_int(CueCall *c) {
  CueStr s = cue_arg_str(c, 0);
  if (!s.n) return cue_int(0);
  return cue_int_num(cue_num_parse_radix(c->a, cue_hex(c->a, s), 16));
}

static CueValue fn_variant(CueCall *c) {
  Uuid u;
  if (!parse(c, cue_arg_str(c, 0), false, &u)) return c->error;
  uint8_t bits = u.b[8];
  if ((bits & 0xC0) == 0x80) return cue_int(1); /* RFC 4122 */
  if ((bits & 0xE0) == 0xC0) return cue_int(3); /* Microsoft */
  if ((bits & 0xE0) == 0xE0) return cue_int(4); /* future */
  return cue_int(2);                            /* reserved */
}

static CueValue fn_version(CueCall *c) {
  Uuid u;
  return parse(c, cue_arg_str(c, 0), false, &u) ? cue_int(u.b[6] >> 4) : c->error;
}

/* A name within a name space, hashed. */
static CueValue hashed(CueCall *c, const char *algo, uint8_t version) {
  Uuid u;
  if (!parse(c, cue_arg_str(c, 0), false, &u)) return c->error;
  CueStr sum;
  if (!cue_digest(c->a, algo, cue_str_cat(c->a, (CueStr){(const char *)u.b, 16}, cue_arg_str(c, 1)), &sum))
    return cue_fail(c, "unsupported hash function");
  memcpy(u.b, sum.s, 16);
  u.b[6] = (uint8_t)((u.b[6] & 0x0F) | version << 4);
  u.b[8] = (uint8_t)((u.b[8] & 0x3F) | 0x80);
  return cue_string(text(c->a, &u));
}

static CueValue fn_sha1(CueCall *c) { return hashed(c, "sha1", 5); }
static CueValue fn_md5(CueCall *c) { return hashed(c, "md5", 3); }

static const CueBuiltin functions[] = {
    {"Valid", "s", 'b', fn_valid},      {"Parse", "s", 's', fn_parse},  {"URN", "s", 's', fn_urn},
    {"FromInt", "i", 's', fn_from_int}, {"ToInt", "s", 'i', fn_to_int}, {"Variant", "s", 'i', fn_variant},
    {"Version", "s", 'i', fn_version},  {"SHA1", "sS", 's', fn_sha1},   {"MD5", "sS", 's', fn_md5},
};

const CueBuiltinPackage cue_pkg_uuid = {
    "uuid",
    functions,
    CUE_COUNT(functions),
    "{\n"
    "\tns: {\n"
    "\t\tDNS:  \"6ba7b810-9dad-11d1-80b4-00c04fd430c8\"\n"
    "\t\tURL:  \"6ba7b811-9dad-11d1-80b4-00c04fd430c8\"\n"
    "\t\tOID:  \"6ba7b812-9dad-11d1-80b4-00c04fd430c8\"\n"
    "\t\tX500: \"6ba7b814-9dad-11d1-80b4-00c04fd430c8\"\n"
    "\t\tNil:  \"00000000-0000-0000-0000-000000000000\"\n"
    "\t}\n"
    "\tvariants: Invalid:   0\n"
    "\tvariants: RFC4122:   1\n"
    "\tvariants: Reserved:  2\n"
    "\tvariants: Microsoft: 3\n"
    "\tvariants: Future:    4\n"
    "}",
    false,
};
