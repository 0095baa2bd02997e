/* peer.h - a module rendered by the real cue, to be compared with what opm makes of it.
**
** tests/peer does in CUE what the render pipeline does in C. It is laid out in a folder of the module,
** so that it can import the module's package, and exported by cue with the modules of the catalog as
** its cache.
*/
#ifndef TESTS_PEER_H
#define TESTS_PEER_H

#include "runtime/value.h"

#define PEER_FOLDER "opm_peer"

/* Both change the module in `dir`, and are false if it does not look like one. First, everything of the catalog can be
** imported by it; then its values files go, for input has the values, and the driver comes. */
bool peer_deps(CueArena *a, const char *dir);
bool peer_install(CueArena *a, const char *dir, CueValue input);

/* Compares two lists of objects, in whatever order, and prints each difference on a line of its own. */
bool peer_same(CueArena *a, CueStr ours, CueStr theirs);

CueValue peer_json(CueArena *a, CueStr text);                    /* bottom if it is none */
const CueValue *peer_at(const CueValue *v, const char *key);     /* NULL if v is no struct or has no such field */
CueValue peer_merge(CueArena *a, CueValue under, CueValue over); /* structs merge, all else is replaced */
CueValue peer_with(CueArena *a, CueValue v, const char *key, CueValue x); /* a struct and one more field */

#endif
