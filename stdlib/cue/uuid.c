/* uuid.c - CUE's package "uuid": UUIDs of RFC 4122 as text.
**
** Four spellings are read: the usual one, with "urn:uuid:" before it, in braces, and 32
** plain hex digits. What is written is the usual one in small letters.
*/
#include "runtime/digest.h"
#include "runtime/uuid.h"
#include "stdlib/cue/gotext.h"
#include "stdlib/cue/stdlib.h"

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
static bool parse(CueCall *c, CueStr s, bool strict, CueUuid *u) {
  if (s.n == CUE_UUID_LEN + 9) {
    if (!has_urn_prefix(s)) {
      cue_fail(c, "invalid urn prefix: %s", cue_go_quoted(c->a, cue_str_sub(s, 0, 9)).s);
      return false;
    }
    s = cue_str_sub(s, 9, s.n);
  } else if (s.n == CUE_UUID_LEN + 2) {
    if (strict && (s.s[0] != '{' || s.s[s.n - 1] != '}')) {
      cue_fail(c, "invalid bracketed UUID format");
      return false;
    }
    s = cue_str_sub(s, 1, s.n - 1);
  } else if (s.n != 32 && s.n != CUE_UUID_LEN) {
    cue_fail(c, "invalid UUID length: %zu", s.n);
    return false;
  }
  return cue_uuid_parse(s, u) || bad_format(c);
}

static CueValue fn_valid(CueCall *c) {
  CueUuid u;
  if (parse(c, cue_arg_str(c, 0), true, &u)) return cue_bool(true);
  /* cue shows why without naming the function. */
  CueStr why = cue_value_str(c->error);
  ptrdiff_t at = cue_str_find(why, CUE_STR(": "));
  return cue_fail_bare(c, "%.*s", CUE_FMT(cue_str_sub(why, at < 0 ? 0 : (size_t)at + 2, why.n)));
}

static CueValue fn_parse(CueCall *c) {
  CueUuid u;
  return parse(c, cue_arg_str(c, 0), false, &u) ? cue_string(cue_uuid_text(c->a, &u)) : c->error;
}

static CueValue fn_urn(CueCall *c) {
  CueUuid u;
  if (!parse(c, cue_arg_str(c, 0), false, &u)) return c->error;
  return cue_string(cue_str_cat(c->a, CUE_STR("urn:uuid:"), cue_uuid_text(c->a, &u)));
}

static CueValue fn_from_int(CueCall *c) {
  const CueNum *n = cue_num_abs(c->a, cue_arg_num(c, 0));
  uint32_t bytes = (cue_num_bitlen(n) + 7) / 8;
  if (bytes > 16) return cue_fail(c, "invalid UUID (got %u bytes)", bytes);
  CueUuid u;
  for (int i = 15; i >= 0; i--) {
    uint64_t byte = 0;
    cue_num_to_uint64(cue_num_and(c->a, n, cue_num_from_int(c->a, 255)), &byte);
    u.b[i] = (uint8_t)byte;
    n = cue_num_shr(c->a, n, 8);
  }
  return cue_string(cue_uuid_text(c->a, &u));
}

/* The bytes of the text, not of the UUID it names: cue does so too. */
static CueValue fn_to_int(CueCall *c) {
  CueStr s = cue_arg_str(c, 0);
  if (!s.n) return cue_int(0);
  return cue_int_num(cue_num_parse_radix(c->a, cue_hex(c->a, s), 16));
}

static CueValue fn_variant(CueCall *c) {
  CueUuid u;
  if (!parse(c, cue_arg_str(c, 0), false, &u)) return c->error;
  uint8_t bits = u.b[8];
  if ((bits & 0xC0) == 0x80) return cue_int(1); /* RFC 4122 */
  if ((bits & 0xE0) == 0xC0) return cue_int(3); /* Microsoft */
  if ((bits & 0xE0) == 0xE0) return cue_int(4); /* future */
  return cue_int(2);                            /* reserved */
}

static CueValue fn_version(CueCall *c) {
  CueUuid u;
  return parse(c, cue_arg_str(c, 0), false, &u) ? cue_int(u.b[6] >> 4) : c->error;
}

static CueValue fn_sha1(CueCall *c) {
  CueUuid space;
  if (!parse(c, cue_arg_str(c, 0), false, &space)) return c->error;
  CueUuid u = cue_uuid_sha1(c->a, space, cue_arg_str(c, 1));
  return cue_string(cue_uuid_text(c->a, &u));
}

static CueValue fn_md5(CueCall *c) {
  CueUuid space;
  if (!parse(c, cue_arg_str(c, 0), false, &space)) return c->error;
  CueUuid u = cue_uuid_md5(c->a, space, cue_arg_str(c, 1));
  return cue_string(cue_uuid_text(c->a, &u));
}

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
