/* provider.h - providers of the configuration, compiled when they are first used. */
#ifndef OPM_CLI_PROVIDER_H
#define OPM_CLI_PROVIDER_H

#include "cli/cache.h"
#include "cli/config.h"

/* Where the cache has what was compiled of a provider of the configuration. */
CueStr provider_slot(CueArena *a, const Config *c, CueStr name, InputPlaces *at);
/* Compiles the provider of the configuration into the cache, unless it is there or inside the program; says nothing. */
void provider_compile_silently(Run *r);

#endif
