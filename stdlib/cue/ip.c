/* ip.c - reading, writing and sorting out IP addresses, as Go's net/netip does.
**
** Errors carry Go's texts, since cue shows them. An IPv4 address keeps its IPv6-mapped
** form in sixteen bytes; `bits` tells which of the two it is.
*/
#include "stdlib/cue/ip.h"

#include <string.h>

#include "stdlib/cue/gotext.h"

/* ---- reading ---- */

static bool fail(CueArena *a, CueStr in, const char *what, CueStr at, CueStr *why) {
  CueBuf b = cue_buf(a);
  cue_buf_z(&b, "ParseAddr(");
  cue_go_quote(&b, in, CUE_GO_PRINT);
  cue_buf_f(&b, "): %s", what);
  if (at.n) {
    cue_buf_z(&b, " (at ");
    cue_go_quote(&b, at, CUE_GO_PRINT);
    cue_buf_ch(&b, ')');
  }
  *why = cue_buf_done(&b);
  return false;
}

static const CueStr nowhere = {NULL, 0};

static CueStr rest(CueStr s, size_t from) { return cue_str_sub(s, from, s.n); }

/* Four decimal fields that are all of s, a part of `in`. */
static bool parse_fields(CueArena *a, CueStr in, CueStr s, uint8_t *out, CueStr *why) {
  unsigned value = 0, digits = 0, field = 0;
  for (size_t i = 0; i < s.n; i++) {
    char c = s.s[i];
    if (c >= '0' && c <= '9') {
      if (digits == 1 && value == 0) return fail(a, in, "IPv4 field has octet with leading zero", nowhere, why);
      value = value * 10 + (unsigned)(c - '0');
      digits++;
      if (value > 255) return fail(a, in, "IPv4 field has value >255", nowhere, why);
    } else if (c == '.') {
      if (i == 0 || i == s.n - 1 || s.s[i - 1] == '.')
        return fail(a, in, "IPv4 field must have at least one digit", rest(s, i), why);
      if (field == 3) return fail(a, in, "IPv4 address too long", nowhere, why);
      out[field++] = (uint8_t)value;
      value = digits = 0;
    } else {
      return fail(a, in, "unexpected character", rest(s, i), why);
    }
  }
  if (field < 3) return fail(a, in, "IPv4 address too short", nowhere, why);
  out[3] = (uint8_t)value;
  return true;
}

static int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The fields of an IPv6 address without its zone. */
static bool parse_groups(CueArena *a, CueStr in, CueStr s, uint8_t *out, CueStr *why) {
  size_t n = 0, gap = SIZE_MAX; /* bytes so far, and how many came before the :: */
  if (cue_str_has_prefix(s, CUE_STR("::"))) {
    gap = 0;
    s = rest(s, 2);
    if (s.n == 0) return true;
  }
  while (n < 16) {
    uint32_t value = 0;
    size_t len = 0;
    for (; len < s.n && hex_value(s.s[len]) >= 0; len++) {
      value = value << 4 | (uint32_t)hex_value(s.s[len]);
      if (len > 3) return fail(a, in, "each group must have 4 or less digits", s, why);
    }
    if (len == 0) return fail(a, in, "each colon-separated field must have at least one digit", s, why);
    if (len < s.n && s.s[len] == '.') { /* the last four bytes in IPv4 form */
      if (gap == SIZE_MAX && n != 12)
        return fail(a, in, "embedded IPv4 address must replace the final 2 fields of the address", s, why);
      if (n + 4 > 16)
        return fail(a, in, "too many hex fields to fit an embedded IPv4 at the end of the address", s, why);
      if (!parse_fields(a, in, s, out + n, why)) return false;
      s = nowhere;
      n += 4;
      break;
    }
    out[n] = (uint8_t)(value >> 8);
    out[n + 1] = (uint8_t)value;
    n += 2;
    s = rest(s, len);
    if (s.n == 0) break;
    if (s.s[0] != ':') return fail(a, in, "unexpected character, want colon", s, why);
    if (s.n == 1) return fail(a, in, "colon must be followed by more characters", s, why);
    s = rest(s, 1);
    if (s.s[0] == ':') {
      if (gap != SIZE_MAX) return fail(a, in, "multiple :: in address", s, why);
      gap = n;
      s = rest(s, 1);
      if (s.n == 0) break;
    }
  }
  if (s.n) return fail(a, in, "trailing garbage after address", s, why);
  if (n == 16) return gap == SIZE_MAX || fail(a, in, "the :: must expand to at least one field of zeros", nowhere, why);
  if (gap == SIZE_MAX) return fail(a, in, "address string too short", nowhere, why);
  memmove(out + 16 - (n - gap), out + gap, n - gap);
  memset(out + gap, 0, 16 - n);
  return true;
}

bool ip_parse(CueArena *a, CueStr text, Ip *out, CueStr *why) {
  *out = (Ip){0};
  size_t mark = 0;
  while (mark < text.n && text.s[mark] != '.' && text.s[mark] != ':' && text.s[mark] != '%') mark++;
  if (mark == text.n) return fail(a, text, "unable to parse IP", nowhere, why);
  if (text.s[mark] == '%') return fail(a, text, "missing IPv6 address", nowhere, why);
  uint8_t bytes[16] = {0};
  if (text.s[mark] == '.') return parse_fields(a, text, text, bytes, why) && ip_from_bytes(bytes, 4, out);
  CueStr zone = nowhere, groups = text;
  ptrdiff_t percent = cue_str_find(text, CUE_STR("%"));
  if (percent >= 0) {
    zone = rest(text, (size_t)percent + 1);
    groups = cue_str_sub(text, 0, (size_t)percent);
    if (zone.n == 0) return fail(a, text, "zone must be a non-empty string", nowhere, why);
  }
  if (!parse_groups(a, text, groups, bytes, why)) return false;
  ip_from_bytes(bytes, 16, out);
  out->zone = zone;
  return true;
}

static bool fail_prefix(CueArena *a, CueStr in, CueStr what, CueStr *why) {
  CueStr quoted = cue_go_quoted(a, in);
  *why = cue_strf(a, "netip.ParsePrefix(%.*s): %.*s", CUE_FMT(quoted), CUE_FMT(what));
  return false;
}

bool ip_parse_prefix(CueArena *a, CueStr text, IpPrefix *out, CueStr *why) {
  size_t slash = text.n;
  while (slash > 0 && text.s[slash - 1] != '/') slash--;
  if (slash == 0) return fail_prefix(a, text, CUE_STR("no '/'"), why);
  CueStr reason;
  if (!ip_parse(a, cue_str_sub(text, 0, slash - 1), &out->ip, &reason)) return fail_prefix(a, text, reason, why);
  if (out->ip.zone.n) return fail_prefix(a, text, CUE_STR("IPv6 zones cannot be present in a prefix"), why);
  CueStr bits = rest(text, slash);
  unsigned value = 0;
  bool digits = bits.n > 0 && bits.n <= 18 && !(bits.n > 1 && bits.s[0] == '0');
  for (size_t i = 0; i < bits.n && digits; i++) {
    digits = bits.s[i] >= '0' && bits.s[i] <= '9';
    if (value <= 128) value = value * 10 + (unsigned)(bits.s[i] - '0');
  }
  if (!digits) {
    CueStr quoted = cue_go_quoted(a, bits);
    return fail_prefix(a, text, cue_strf(a, "bad bits after slash: %.*s", CUE_FMT(quoted)), why);
  }
  if (value > out->ip.bits) return fail_prefix(a, text, CUE_STR("prefix length out of range"), why);
  out->bits = value;
  return true;
}

bool ip_from_bytes(const uint8_t *bytes, size_t n, Ip *out) {
  *out = (Ip){0};
  if (n != 4 && n != 16) return false;
  out->bits = n == 4 ? 32 : 128;
  if (n == 4) out->at[10] = out->at[11] = 0xFF;
  memcpy(out->at + 16 - n, bytes, n);
  return true;
}

/* ---- writing ---- */

static unsigned group(const Ip *ip, size_t i) { return (unsigned)ip->at[2 * i] << 8 | ip->at[2 * i + 1]; }

/* The longest run of two zero groups or more is left out. */
static void add_groups(CueBuf *b, const Ip *ip) {
  size_t from = 8, to = 8;
  for (size_t i = 0; i < 8; i++) {
    size_t k = i;
    while (k < 8 && group(ip, k) == 0) k++;
    if (k - i >= 2 && k - i > to - from) {
      from = i;
      to = k;
    }
  }
  for (size_t i = 0; i < 8; i++) {
    if (i == from) {
      cue_buf_z(b, "::");
      i = to;
      if (i >= 8) break;
    } else if (i > 0) {
      cue_buf_ch(b, ':');
    }
    cue_buf_f(b, "%x", group(ip, i));
  }
}

CueStr ip_text(CueArena *a, const Ip *ip) {
  CueBuf b = cue_buf(a);
  bool mapped = ip_is_4in6(ip);
  if (mapped) cue_buf_z(&b, "::ffff:");
  if (mapped || ip->bits == 32)
    cue_buf_f(&b, "%u.%u.%u.%u", ip->at[12], ip->at[13], ip->at[14], ip->at[15]);
  else
    add_groups(&b, ip);
  if (ip->zone.n) {
    cue_buf_ch(&b, '%');
    cue_buf_str(&b, ip->zone);
  }
  return cue_buf_done(&b);
}

CueStr ip_prefix_text(CueArena *a, const IpPrefix *p) {
  CueStr ip = ip_text(a, &p->ip);
  return cue_strf(a, "%.*s/%u", CUE_FMT(ip), p->bits);
}

/* ---- what kind of address it is ---- */

static const uint8_t mapped_prefix[12] = {[10] = 0xFF, [11] = 0xFF};
static const uint8_t zeros[16];

/* Whether the address is IPv4, be it mapped into IPv6. */
static bool has_4(const Ip *ip) { return ip->bits && memcmp(ip->at, mapped_prefix, sizeof mapped_prefix) == 0; }

bool ip_is_4in6(const Ip *ip) { return ip->bits == 128 && has_4(ip); }

bool ip_is_loopback(const Ip *ip) {
  if (has_4(ip)) return ip->at[12] == 127;
  return ip->bits && memcmp(ip->at, zeros, 15) == 0 && ip->at[15] == 1;
}

bool ip_is_multicast(const Ip *ip) {
  if (has_4(ip)) return (ip->at[12] & 0xF0) == 0xE0;
  return ip->bits && ip->at[0] == 0xFF;
}

bool ip_is_interface_local_multicast(const Ip *ip) {
  return ip->bits == 128 && !has_4(ip) && (group(ip, 0) & 0xFF0F) == 0xFF01;
}

bool ip_is_link_local_multicast(const Ip *ip) {
  if (has_4(ip)) return ip->at[12] == 224 && ip->at[13] == 0 && ip->at[14] == 0;
  return ip->bits && (group(ip, 0) & 0xFF0F) == 0xFF02;
}

bool ip_is_link_local_unicast(const Ip *ip) {
  if (has_4(ip)) return ip->at[12] == 169 && ip->at[13] == 254;
  return ip->bits && (group(ip, 0) & 0xFFC0) == 0xFE80;
}

bool ip_is_global_unicast(const Ip *ip) {
  static const uint8_t broadcast[4] = {255, 255, 255, 255};
  if (!ip->bits) return false;
  if (has_4(ip) && (memcmp(ip->at + 12, zeros, 4) == 0 || memcmp(ip->at + 12, broadcast, 4) == 0)) return false;
  bool unspecified = memcmp(ip->at, zeros, 16) == 0 && !ip->zone.n;
  return !unspecified && !ip_is_loopback(ip) && !ip_is_multicast(ip) && !ip_is_link_local_unicast(ip);
}

bool ip_is_unspecified(const Ip *ip) {
  return ip->bits && !ip->zone.n && memcmp(ip_bytes(ip), zeros, ip->bits / 8) == 0;
}

int ip_compare(const Ip *x, const Ip *y) {
  if (x->bits != y->bits) return x->bits < y->bits ? -1 : 1;
  int order = memcmp(x->at, y->at, sizeof x->at);
  if (order == 0) order = cue_str_cmp(x->zone, y->zone);
  return order < 0 ? -1 : order > 0;
}

/* ---- prefixes ---- */

Ip ip_mask(const IpPrefix *p) {
  Ip ip = p->ip;
  unsigned keep = p->bits + 128 - ip.bits; /* counted in the sixteen bytes */
  for (unsigned i = 0; i < 16; i++) {
    unsigned bits = keep > 8 * i ? keep - 8 * i : 0;
    if (bits < 8) ip.at[i] &= (uint8_t)(0xFF00u >> bits);
  }
  return ip;
}

bool ip_prefix_contains(const IpPrefix *p, const Ip *ip) {
  if (ip->zone.n || ip->bits != p->ip.bits) return false;
  IpPrefix other = {*ip, p->bits};
  Ip x = ip_mask(p), y = ip_mask(&other);
  return memcmp(x.at, y.at, sizeof x.at) == 0;
}
