/* mod_compile.h - modules compiled when they are built for the first time. */
#ifndef OPM_CLI_MOD_COMPILE_H
#define OPM_CLI_MOD_COMPILE_H

#include "cli/compiled.h"

/* Compiles a module into the cache, fast rather than well, and says nothing. True if it is there then. */
bool mod_compile_now(Run *r, const CompiledPlace *at);
/* Has it compiled by a process of its own that this one does not wait for. */
void mod_compile_later(Run *r, CueStr dir);

#endif
