/* cache.c - see cache.h. */
#include "cli/cache.h"

#include "cli/identity.h" /* written by make: digests of what this program is made of */
#include "cli/version.h"

Cache cli_cache(CueArena *a) { return cache_open(a, CUE_STR(OPM_CODE_ID), CUE_STR(CUE_LANGUAGE_VERSION)); }

InputPlaces cli_places(CueArena *a, CueStr dir, CueStr modules) {
  return inputs_places(a, dir, modules, CUE_STR(OPM_CATALOG_ID));
}

ArtefactSeal cli_seal(CompiledKind kind, CueStr name, uint32_t tier) {
  return (ArtefactSeal){.abi = CUE_ABI,
                        .kind = kind,
                        .tier = tier,
                        .name = name,
                        .language = CUE_STR(CUE_LANGUAGE_VERSION),
                        .compiler = CUE_STR(OPM_CODE_ID)};
}
