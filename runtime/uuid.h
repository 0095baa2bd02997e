/* uuid.h - UUIDs of RFC 4122. */
#ifndef CUE_UUID_H
#define CUE_UUID_H

#include "runtime/str.h"

#define CUE_UUID_LEN 36 /* of the usual text: 8-4-4-4-12 hex digits */

typedef struct {
  uint8_t b[16];
} CueUuid;

bool cue_uuid_parse(CueStr s, CueUuid *out);         /* the usual text, or 32 hex digits */
CueStr cue_uuid_text(CueArena *a, const CueUuid *u); /* in small letters */
/* A name within a name space, hashed: version 5, and 3. */
CueUuid cue_uuid_sha1(CueArena *a, CueUuid space, CueStr name);
CueUuid cue_uuid_md5(CueArena *a, CueUuid space, CueStr name);

#endif
