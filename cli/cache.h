/* cache.h - the cache of compiled code as commands see it: the one of this program. */
#ifndef OPM_CLI_CACHE_H
#define OPM_CLI_CACHE_H

#include "cli/run.h"
#include "compiler/artefact/cache.h"

Cache cli_cache(CueArena *a);
/* Where the inputs of what is compiled of a folder are; `modules` is the configured cache of modules, or "". */
InputPlaces cli_places(CueArena *a, CueStr dir, CueStr modules);
/* A seal of this program's, without inputs. */
ArtefactSeal cli_seal(CompiledKind kind, CueStr name, uint32_t tier);

#endif
