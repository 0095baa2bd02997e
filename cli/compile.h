/* compile.h - what commands that compile share: plans to C, C to an artefact, that to a file or to the cache.
**
** Tier 0 is compiled fast, tier 1 is optimized.
*/
#ifndef OPM_CLI_COMPILE_H
#define OPM_CLI_COMPILE_H

#include "cli/cache.h"
#include "cli/log.h"
#include "compiler/artefact/cc.h"

/* What is to be compiled. */
typedef struct {
  CompiledKind kind;
  CueStr name;          /* for people, and of the C: "kubernetes" */
  CueStr version;       /* or "" */
  const Compiled *code; /* plans */
  const FsWatch *watch; /* what was read for them */
  InputPlaces at;
  CueStr slot;
} Compilation;

/* The C of it, for people: with the CUE it came from, and with #line if `lines`. */
CueStr compile_text(Run *r, CueStr name, const Compiled *code, bool lines);
/* The same with #line into a folder, beside the header it includes. */
ExitCode compile_emit(Run *r, CueStr name, const Compiled *code, CueStr dir);

/* Into the cache, or else that it cannot be had; says nothing. */
bool compile_kept(Run *r, const Compilation *c, uint32_t tier, CueStr *why);
/* The same into a file, or into the cache if `file` is empty; tells what it did, or what went wrong. */
ExitCode compile_to(Run *r, const Compilation *c, uint32_t tier, CueStr file);

#endif
