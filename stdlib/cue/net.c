/* net.c - package net: addresses, host names and URLs.
**
** An IP address is a string, bytes that hold such a string, or a list of 4 or 16 bytes.
** Where cue's own code dereferences a missing prefix, the user sees Go's words for that;
** they are kept, as an error is due there in any case.
*/
#include <string.h>

#include "stdlib/cue/fqdn.h"
#include "stdlib/cue/gotext.h"
#include "stdlib/cue/ip.h"
#include "stdlib/cue/stdlib.h"
#include "stdlib/cue/url.h"

#define NO_PREFIX "runtime error: invalid memory address or nil pointer dereference"

/* ---- values as messages show them ---- */

static bool is_identifier(CueStr s) {
  if (s.n == 0 || (s.s[0] >= '0' && s.s[0] <= '9')) return false;
  for (size_t i = 0; i < s.n; i++) {
    char c = s.s[i];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '$')) return false;
  }
  return true;
}

/* v as CUE source with its structs on several lines. */
static void add_source(CueCall *c, CueBuf *b, CueValue v, unsigned depth) {
  if (v.form == CUE_LENT) v = c->ops->pick(c, v);
  if (depth > CUE_MAX_DEPTH || (v.kind != CUE_LIST && v.kind != CUE_STRUCT)) {
    cue_buf_str(b, c->ops->text(c, v));
  } else if (v.kind == CUE_LIST) {
    const CueList *l = v.form == CUE_LENT ? c->ops->elements(c, v) : v.as.list;
    cue_buf_ch(b, '[');
    for (uint32_t i = 0; l && i < l->n; i++) {
      if (i) cue_buf_z(b, ", ");
      add_source(c, b, l->at[i], depth);
    }
    cue_buf_ch(b, ']');
  } else {
    const CueStruct *s = v.form == CUE_LENT ? c->ops->fields(c, v) : v.as.fields;
    cue_buf_ch(b, '{');
    for (uint32_t i = 0; s && i < s->n; i++) {
      cue_buf_ch(b, '\n');
      cue_buf_repeat(b, '\t', depth + 1);
      if (is_identifier(s->at[i].key))
        cue_buf_str(b, s->at[i].key);
      else
        cue_go_quote(b, s->at[i].key, CUE_GO_PRINT);
      cue_buf_z(b, ": ");
      add_source(c, b, s->at[i].value, depth + 1);
    }
    if (s && s->n) {
      cue_buf_ch(b, '\n');
      cue_buf_repeat(b, '\t', depth);
    }
    cue_buf_ch(b, '}');
  }
}

/* Text of a value as Go's %s has it: strings and bytes are their contents. */
static CueStr shown(CueCall *c, CueValue v) {
  if (v.kind == CUE_STRING || v.kind == CUE_BYTES) return cue_value_str(v);
  CueBuf b = cue_buf(c->a);
  add_source(c, &b, v, 0);
  return cue_buf_done(&b);
}

static CueValue fail_ip(CueCall *c, CueValue v) {
  CueStr quoted = cue_go_quoted(c->a, shown(c, v));
  return cue_fail(c, "invalid IP %.*s", CUE_FMT(quoted));
}

static CueValue fail_type(CueCall *c, CueValue v, const char *wanted) {
  CueStr text = c->ops->text(c, v), kind = cue_kinds_text(c->a, v.kind);
  return cue_fail(c, "cannot use value %.*s (type %.*s) as %s", CUE_FMT(text), CUE_FMT(kind), wanted);
}

/* ---- addresses ---- */

/* A value as an address; one of 0 bits if it is none. */
static Ip value_ip(CueCall *c, CueValue v) {
  Ip ip = {0};
  CueStr why;
  if (v.kind == CUE_STRING || v.kind == CUE_BYTES) {
    ip_parse(c->a, cue_value_str(v), &ip, &why);
  } else if (v.kind == CUE_LIST) {
    const CueList *l = v.form == CUE_LENT ? c->ops->elements(c, v) : v.as.list;
    uint8_t bytes[16];
    if (!l || l->n > 16) return ip;
    for (uint32_t i = 0; i < l->n; i++) {
      CueValue e = l->at[i].form == CUE_LENT ? c->ops->pick(c, l->at[i]) : l->at[i];
      if (e.kind != CUE_INT || e.form != CUE_PLAIN || e.as.i < 0 || e.as.i > 255) return ip;
      bytes[i] = (uint8_t)e.as.i;
    }
    ip_from_bytes(bytes, l->n, &ip);
  }
  return ip;
}

static Ip arg_ip(CueCall *c, uint32_t i) { return value_ip(c, c->args[i]); }

typedef enum { PREFIX_OK, PREFIX_BAD, PREFIX_NONE } PrefixResult;

/* PREFIX_NONE: the argument is of a kind that cannot hold one. */
static PrefixResult arg_prefix(CueCall *c, uint32_t i, IpPrefix *out, CueStr *why) {
  CueValue v = c->args[i];
  if (v.kind != CUE_STRING && v.kind != CUE_BYTES) return PREFIX_NONE;
  return ip_parse_prefix(c->a, cue_value_str(v), out, why) ? PREFIX_OK : PREFIX_BAD;
}

static CueValue byte_list(CueCall *c, const uint8_t *bytes, uint32_t n) {
  CueList *l = cue_list_new(c->a, n);
  for (uint32_t i = 0; i < n; i++) l->at[i] = cue_int(bytes[i]);
  return cue_list(l);
}

static CueValue net_parse_ip(CueCall *c) {
  Ip ip;
  CueStr why;
  if (ip_parse(c->a, cue_arg_str(c, 0), &ip, &why)) return byte_list(c, ip_bytes(&ip), ip.bits / 8);
  CueStr quoted = cue_go_quoted(c->a, cue_arg_str(c, 0));
  return cue_fail(c, "invalid IP address %.*s", CUE_FMT(quoted));
}

#define IP_TEST(name, test)          \
  static CueValue name(CueCall *c) { \
    Ip ip = arg_ip(c, 0);            \
    return cue_bool(test);           \
  }
IP_TEST(net_ipv4, ip.bits == 32)
IP_TEST(net_ipv6, ip.bits == 128)
IP_TEST(net_ip, ip.bits != 0)
IP_TEST(net_loopback, ip_is_loopback(&ip))
IP_TEST(net_multicast, ip_is_multicast(&ip))
IP_TEST(net_interface_local_multicast, ip_is_interface_local_multicast(&ip))
IP_TEST(net_link_local_multicast, ip_is_link_local_multicast(&ip))
IP_TEST(net_link_local_unicast, ip_is_link_local_unicast(&ip))
IP_TEST(net_global_unicast, ip_is_global_unicast(&ip))
IP_TEST(net_unspecified, ip_is_unspecified(&ip))

static CueValue net_ip_cidr(CueCall *c) {
  IpPrefix p;
  CueStr why;
  if (arg_prefix(c, 0, &p, &why) == PREFIX_BAD) return cue_fail(c, "%.*s", CUE_FMT(why));
  return cue_bool(true);
}

static CueValue net_to_ip4(CueCall *c) {
  Ip ip = arg_ip(c, 0);
  if (!ip.bits) return fail_ip(c, c->args[0]);
  if (ip.bits == 32) return byte_list(c, ip_bytes(&ip), 4);
  CueStr quoted = cue_go_quoted(c->a, ip_text(c->a, &ip));
  return cue_fail(c, "cannot convert %.*s to IPv4", CUE_FMT(quoted));
}

static CueValue net_to_ip16(CueCall *c) {
  Ip ip = arg_ip(c, 0);
  return ip.bits ? byte_list(c, ip.at, 16) : fail_ip(c, c->args[0]);
}

static CueValue net_ip_string(CueCall *c) {
  Ip ip = arg_ip(c, 0);
  return ip.bits ? cue_result_string(c->a, ip_text(c->a, &ip)) : fail_ip(c, c->args[0]);
}

/* Adds an integer to an address of 4 or 16 bytes; on failure sets c->error. The zone is lost. */
static bool add_to_ip(CueCall *c, Ip *ip, const CueNum *offset) {
  size_t size = ip->bits / 8;
  char hex[33];
  for (size_t i = 0; i < size; i++) {
    hex[2 * i] = "0123456789abcdef"[ip_bytes(ip)[i] >> 4];
    hex[2 * i + 1] = "0123456789abcdef"[ip_bytes(ip)[i] & 15];
  }
  const CueNum *sum = cue_num_parse_radix(c->a, (CueStr){hex, 2 * size}, 16);
  /* An offset too large for arithmetic is far out of range all the same. */
  bool huge = !offset || cue_num_add(c->a, sum, offset, true, &sum) != CUE_NUM_OK;
  if (!huge && cue_num_sign(sum) < 0) {
    cue_fail(c, "IP address arithmetic resulted in out-of-range address (underflow)");
    return false;
  }
  if (huge || cue_num_bitlen(sum) > ip->bits) {
    cue_fail(c, "IP address arithmetic resulted in out-of-range address (overflow)");
    return false;
  }
  CueStr digits = cue_num_text_radix(c->a, sum, 16);
  uint8_t bytes[16] = {0};
  for (size_t i = 0; i < digits.n; i++) { /* from the last digit on */
    char d = digits.s[digits.n - 1 - i];
    unsigned value = (unsigned)(d <= '9' ? d - '0' : d - 'a' + 10);
    bytes[size - 1 - i / 2] |= (uint8_t)(value << (i % 2 ? 4 : 0));
  }
  return ip_from_bytes(bytes, size, ip);
}

static CueValue net_add_ip(CueCall *c) {
  const CueNum *offset = cue_arg_num(c, 1);
  IpPrefix p;
  CueStr why;
  switch (arg_prefix(c, 0, &p, &why)) {
  case PREFIX_NONE: return cue_fail(c, NO_PREFIX);
  case PREFIX_OK:
    if (!add_to_ip(c, &p.ip, offset)) return c->error;
    return cue_string(ip_prefix_text(c->a, &p));
  default: break;
  }
  Ip ip = arg_ip(c, 0);
  if (!ip.bits) return fail_ip(c, c->args[0]);
  if (!add_to_ip(c, &ip, offset)) return c->error;
  return cue_string(ip_text(c->a, &ip));
}

/* Moves on by whole networks. */
static CueValue net_add_ip_cidr(CueCall *c) {
  IpPrefix p;
  CueStr why;
  switch (arg_prefix(c, 0, &p, &why)) {
  case PREFIX_NONE: return cue_fail(c, NO_PREFIX);
  case PREFIX_BAD: return cue_fail(c, "%.*s", CUE_FMT(why));
  default: break;
  }
  if (!add_to_ip(c, &p.ip, cue_num_shl(c->a, cue_arg_num(c, 1), p.ip.bits - p.bits))) return c->error;
  return cue_string(ip_prefix_text(c->a, &p));
}

static CueValue net_parse_cidr(CueCall *c) {
  IpPrefix p;
  CueStr why;
  if (!ip_parse_prefix(c->a, cue_arg_str(c, 0), &p, &why)) return cue_fail(c, "%.*s", CUE_FMT(why));
  uint8_t ones[16];
  memset(ones, 0xFF, sizeof ones);
  IpPrefix all = {.bits = p.bits};
  ip_from_bytes(ones, p.ip.bits / 8, &all.ip);
  Ip mask = ip_mask(&all), network = ip_mask(&p);
  bool v4 = p.ip.bits == 32;
  CueStruct *s = cue_struct_new(c->a, v4 ? 4 : 3);
  s->at[0] = (CueField){CUE_STR("prefix_mask"), cue_string(ip_text(c->a, &mask))};
  s->at[1] = (CueField){CUE_STR("prefix_len"), cue_int(p.bits)};
  s->at[2] = (CueField){CUE_STR("prefix_addr"), cue_string(ip_text(c->a, &network))};
  if (v4) {
    for (unsigned i = 12; i < 16; i++) network.at[i] |= (uint8_t)~mask.at[i];
    s->at[3] = (CueField){CUE_STR("broadcast_addr"), cue_string(ip_text(c->a, &network))};
  }
  return cue_struct(s);
}

static CueValue net_in_cidr(CueCall *c) {
  Ip ip = arg_ip(c, 0);
  if (!ip.bits) return fail_ip(c, c->args[0]);
  IpPrefix p;
  CueStr why;
  switch (arg_prefix(c, 1, &p, &why)) {
  case PREFIX_NONE: return cue_fail(c, NO_PREFIX);
  case PREFIX_BAD: return cue_fail(c, "%.*s", CUE_FMT(why));
  default: return cue_bool(ip_prefix_contains(&p, &ip));
  }
}

static CueValue net_compare_ip(CueCall *c) {
  Ip x = arg_ip(c, 0), y = arg_ip(c, 1);
  if (!x.bits) return fail_ip(c, c->args[0]);
  if (!y.bits) return fail_ip(c, c->args[1]);
  return cue_int(ip_compare(&x, &y));
}

/* ---- hosts ---- */

static bool has_char(CueStr s, char ch) { return s.n && memchr(s.s, ch, s.n); }

static CueValue fail_address(CueCall *c, CueStr address, const char *why) {
  if (address.n == 0) return cue_fail(c, "%s", why);
  return cue_fail(c, "address %.*s: %s", CUE_FMT(address), why);
}

static CueValue net_split_host_port(CueCall *c) {
  CueStr s = cue_arg_str(c, 0), host;
  size_t colon = s.n;
  while (colon > 0 && s.s[colon - 1] != ':') colon--;
  if (colon == 0) return fail_address(c, s, "missing port in address");
  colon--;
  size_t open_from = 0, close_from = 0; /* where a bracket would be one too many */
  if (s.s[0] == '[') {
    ptrdiff_t end = cue_str_find(s, CUE_STR("]"));
    if (end < 0) return fail_address(c, s, "missing ']' in address");
    size_t after = (size_t)end + 1;
    if (after != colon) {
      bool more = after < s.n && s.s[after] == ':';
      return fail_address(c, s, more ? "too many colons in address" : "missing port in address");
    }
    host = cue_str_sub(s, 1, (size_t)end);
    open_from = 1;
    close_from = after;
  } else {
    host = cue_str_sub(s, 0, colon);
    if (has_char(host, ':')) return fail_address(c, s, "too many colons in address");
  }
  if (has_char(cue_str_sub(s, open_from, s.n), '[')) return fail_address(c, s, "unexpected '[' in address");
  if (has_char(cue_str_sub(s, close_from, s.n), ']')) return fail_address(c, s, "unexpected ']' in address");
  CueStr parts[] = {host, cue_str_sub(s, colon + 1, s.n)};
  return cue_result_strings(c->a, parts, 2);
}

static CueValue net_join_host_port(CueCall *c) {
  CueValue h = c->args[0], p = c->args[1];
  CueStr host, port;
  if (h.kind == CUE_LIST) {
    Ip ip = value_ip(c, h);
    host = ip.bits ? ip_text(c->a, &ip) : shown(c, h);
    if (!ip.bits) return cue_fail(c, "invalid host %.*s", CUE_FMT(host));
  } else if (h.kind == CUE_STRING || h.kind == CUE_BYTES) {
    host = cue_value_str(h);
  } else {
    return fail_type(c, h, "string");
  }
  if (p.kind == CUE_STRING || p.kind == CUE_BYTES) {
    port = cue_value_str(p);
  } else if (p.kind == CUE_INT && p.form == CUE_PLAIN) {
    port = cue_strf(c->a, "%lld", (long long)p.as.i);
  } else if (p.kind == CUE_INT) {
    return cue_fail(c, "value was rounded %s", cue_num_sign(p.as.num) < 0 ? "up" : "down");
  } else {
    return fail_type(c, p, "int");
  }
  bool brackets = has_char(host, ':');
  CueBuf b = cue_buf(c->a);
  if (brackets) cue_buf_ch(&b, '[');
  cue_buf_str(&b, host);
  cue_buf_z(&b, brackets ? "]:" : ":");
  cue_buf_str(&b, port);
  return cue_result_string(c->a, cue_buf_done(&b));
}

static CueValue net_fqdn(CueCall *c) {
  CueStr s = cue_arg_str(c, 0);
  for (size_t i = 0; i < s.n; i++)
    if (s.s[i] & 0x80) return cue_bool(false);
  return cue_bool(fqdn_valid(s));
}

/* ---- URLs ---- */

static CueValue net_path_escape(CueCall *c) {
  return cue_string(url_escape(c->a, cue_arg_str(c, 0), URL_PATH_SEGMENT));
}
static CueValue net_query_escape(CueCall *c) { return cue_string(url_escape(c->a, cue_arg_str(c, 0), URL_QUERY)); }

static CueValue unescaped(CueCall *c, UrlPart part) {
  CueStr out, why;
  if (!url_unescape(c->a, cue_arg_str(c, 0), part, &out, &why)) return cue_fail(c, "%.*s", CUE_FMT(why));
  return cue_result_string(c->a, out);
}

static CueValue net_path_unescape(CueCall *c) { return unescaped(c, URL_PATH_SEGMENT); }
static CueValue net_query_unescape(CueCall *c) { return unescaped(c, URL_QUERY); }

static CueValue net_url(CueCall *c) {
  bool absolute;
  CueStr why;
  if (!url_parse(c->a, cue_arg_str(c, 0), &absolute, &why)) return cue_fail(c, "%.*s", CUE_FMT(why));
  return cue_bool(true);
}

static CueValue net_abs_url(CueCall *c) {
  bool absolute;
  CueStr why;
  if (!url_parse(c->a, cue_arg_str(c, 0), &absolute, &why)) return cue_fail(c, "%.*s", CUE_FMT(why));
  return absolute ? cue_bool(true) : cue_fail(c, "URL is not absolute");
}

/* ---- the package ---- */

static const char constants[] = "IPv4len: 4\n"
                                "IPv6len: 16\n";

static const CueBuiltin functions[] = {
    {"SplitHostPort", "s", 'l', net_split_host_port},
    {"JoinHostPort", "vv", 's', net_join_host_port},
    {"FQDN", "s", 'b', net_fqdn},
    {"ParseIP", "s", 'l', net_parse_ip},
    {"IPv4", "v", 'b', net_ipv4},
    {"IPv6", "v", 'b', net_ipv6},
    {"IP", "v", 'b', net_ip},
    {"IPCIDR", "v", 'b', net_ip_cidr},
    {"LoopbackIP", "v", 'b', net_loopback},
    {"MulticastIP", "v", 'b', net_multicast},
    {"InterfaceLocalMulticastIP", "v", 'b', net_interface_local_multicast},
    {"LinkLocalMulticastIP", "v", 'b', net_link_local_multicast},
    {"LinkLocalUnicastIP", "v", 'b', net_link_local_unicast},
    {"GlobalUnicastIP", "v", 'b', net_global_unicast},
    {"UnspecifiedIP", "v", 'b', net_unspecified},
    {"ToIP4", "v", 'l', net_to_ip4},
    {"ToIP16", "v", 'l', net_to_ip16},
    {"IPString", "v", 's', net_ip_string},
    {"AddIP", "vi", 's', net_add_ip},
    {"AddIPCIDR", "vi", 's', net_add_ip_cidr},
    {"ParseCIDR", "s", 't', net_parse_cidr},
    {"InCIDR", "vv", 'b', net_in_cidr},
    {"CompareIP", "vv", 'i', net_compare_ip},
    {"PathEscape", "s", 's', net_path_escape},
    {"PathUnescape", "s", 's', net_path_unescape},
    {"QueryEscape", "s", 's', net_query_escape},
    {"QueryUnescape", "s", 's', net_query_unescape},
    {"URL", "s", 'b', net_url},
    {"AbsURL", "s", 'b', net_abs_url},
};

const CueBuiltinPackage cue_pkg_net = {"net", functions, CUE_COUNT(functions), constants, true};
