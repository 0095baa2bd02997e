/* fqdn.h - domain names. */
#ifndef CUE_STDLIB_FQDN_H
#define CUE_STDLIB_FQDN_H

#include "runtime/str.h"

/* Whether s, all ASCII, is a domain name with labels of allowed length and characters. */
bool fqdn_valid(CueStr s);

#endif
