/* digest.h - message digests, HMAC and signatures; digest.c is the only user of OpenSSL.
**
** Algorithms: md5, sha1, sha224, sha256, sha384, sha512, sha512-224, sha512-256.
*/
#ifndef CUE_DIGEST_H
#define CUE_DIGEST_H

#include "runtime/str.h"

/* The raw digest in *out. False if the algorithm is not known. */
bool cue_digest(CueArena *a, const char *algo, CueStr data, CueStr *out);
bool cue_hmac(CueArena *a, const char *algo, CueStr key, CueStr data, CueStr *out);
/* Whether sig is the Ed25519 signature of data by the holder of the 32-byte public key. */
bool cue_ed25519_verify(CueStr key, CueStr data, CueStr sig);
CueStr cue_hex(CueArena *a, CueStr bytes); /* in small letters */

#endif
