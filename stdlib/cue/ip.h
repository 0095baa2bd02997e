/* ip.h - IP addresses and prefixes in the text forms of Go's net/netip. */
#ifndef CUE_STDLIB_IP_H
#define CUE_STDLIB_IP_H

#include "runtime/str.h"

typedef struct {
  uint8_t at[16]; /* an IPv4 address is held as ::ffff:a.b.c.d */
  unsigned bits;  /* 32, 128, or 0 for no address */
  CueStr zone;    /* of an IPv6 address; empty if it has none */
} Ip;

typedef struct {
  Ip ip; /* not masked, without zone */
  unsigned bits;
} IpPrefix;

/* On failure *why is Go's text and the address has 0 bits. */
bool ip_parse(CueArena *a, CueStr text, Ip *out, CueStr *why);
bool ip_parse_prefix(CueArena *a, CueStr text, IpPrefix *out, CueStr *why);
bool ip_from_bytes(const uint8_t *bytes, size_t n, Ip *out); /* n must be 4 or 16 */
CueStr ip_text(CueArena *a, const Ip *ip);
CueStr ip_prefix_text(CueArena *a, const IpPrefix *p);
/* The bytes of the address proper: 4 or 16. */
static inline const uint8_t *ip_bytes(const Ip *ip) { return ip->at + (ip->bits == 32 ? 12 : 0); }

bool ip_is_4in6(const Ip *ip);
bool ip_is_loopback(const Ip *ip);
bool ip_is_multicast(const Ip *ip);
bool ip_is_interface_local_multicast(const Ip *ip);
bool ip_is_link_local_multicast(const Ip *ip);
bool ip_is_link_local_unicast(const Ip *ip);
bool ip_is_global_unicast(const Ip *ip);
bool ip_is_unspecified(const Ip *ip);
int ip_compare(const Ip *x, const Ip *y); /* IPv4 before IPv6, then by number, then by zone */

Ip ip_mask(const IpPrefix *p); /* the network's own address */
bool ip_prefix_contains(const IpPrefix *p, const Ip *ip);

#endif
