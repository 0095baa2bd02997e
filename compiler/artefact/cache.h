/* cache.h - artefacts kept for later runs, in $XDG_CACHE_HOME/opm or ~/.cache/opm.
**
**   objects/KEY.so   an artefact; KEY is the digest of its inputs, of who compiled it and for what
**   index/SLOT       for a folder: the KEY of what was last compiled of it, or why nothing was, and by which C compiler
**   locks/SLOT       held by whoever compiles it
**   tmp/PID-XXXXXX   where a C compiler is at work
**
** Files come into being whole (written elsewhere, synced, renamed), so runs may come and be killed as they like; what a
** killed one leaves is never used and taken away by cache_sweep. That an entry is right is not taken from its place: the
** seal of the artefact and the inputs it names are checked each time.
*/
#ifndef OPM_ARTEFACT_CACHE_H
#define OPM_ARTEFACT_CACHE_H

#include "compiler/artefact/inputs.h"

typedef struct {
  CueStr dir;      /* "" if there is no place for one */
  CueStr compiler; /* id of ours: what another made is not used */
  CueStr language;
} Cache;

Cache cache_open(CueArena *a, CueStr compiler, CueStr language);
bool cache_is_there(const Cache *c, CueStr *why); /* false if nothing says where it should be */
/* The name of a thing compiled of a folder: its kind, the folder, and what else decides about it. */
CueStr cache_slot(CueArena *a, CompiledKind kind, const InputPlaces *at, CueStr what);

typedef enum {
  CACHE_FOUND,
  CACHE_NONE,    /* it was tried, and cannot be had of these inputs, or not by the C compiler there is */
  CACHE_MISSING, /* never compiled, or of other inputs */
} CacheAnswer;
/* What was compiled of the inputs as they are now. Unless found, *why says why not. */
CacheAnswer cache_find(CueArena *a, const Cache *c, CueStr slot, const InputPlaces *at, CompiledFind *find,
                       ArtefactSeal *seal, Compiled *out, CueStr *why);

/* Keeps an artefact, and that it is what the slot stands for. */
bool cache_add(CueArena *a, const Cache *c, CueStr slot, const ArtefactSeal *seal, CueStr bytes, CueStr *why);
/* Keeps that there is nothing to be had. */
bool cache_add_none(CueArena *a, const Cache *c, CueStr slot, const ArtefactSeal *inputs, CueStr reason, CueStr *why);
/* ... by the C compiler that there is now: another is asked again, and after cache_choose this one as well. */
bool cache_add_failed(CueArena *a, const Cache *c, CueStr slot, const ArtefactSeal *inputs, CueStr reason, CueStr *why);
CueStr cache_key(CueArena *a, const ArtefactSeal *seal);
CueStr cache_scratch(CueArena *a, const Cache *c); /* for cc_run */

/* Compiling is for one at a time: a descriptor to close, or -1 if another is at it and `wait` is not set. */
int cache_lock(CueArena *a, const Cache *c, CueStr slot, bool wait);

/* ---- looking after it ---- */

typedef enum { CACHE_OBJECT, CACHE_INDEX, CACHE_LEFT_OVER } CacheKind;
typedef struct {
  CacheKind kind;
  CueStr path, name; /* name within the cache: "objects/..." */
  uint64_t size;
  int64_t used; /* seconds since 1970: last time it was made or looked at */
  bool doomed;  /* cache_choose wants it gone */
} CacheEntry;
typedef CUE_VEC(CacheEntry) CacheEntries;

/* By name. False if it cannot be looked into; a cache that is still empty can. */
bool cache_list(CueArena *a, const Cache *c, CacheEntries *out, CueStr *why);
/* Marks what is to go: left-overs, what was not used since `oldest`, and the oldest of the rest beyond `size` bytes in all;
** then index entries whose object is gone, or that tell of a C compiler that failed. */
void cache_choose(CueArena *a, CacheEntries *entries, int64_t oldest, uint64_t size);
bool cache_remove(CueArena *a, const CacheEntry *e);
/* Removes locks that nobody holds. */
void cache_sweep_locks(CueArena *a, const Cache *c);

#endif
