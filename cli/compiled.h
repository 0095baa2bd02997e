/* compiled.h - compiled code that commands use: found, checked, and refused where it is not right. */
#ifndef OPM_CLI_COMPILED_H
#define OPM_CLI_COMPILED_H

#include "cli/cache.h"
#include "cli/config.h"
#include "compiler/render/render.h"

/* The provider that is configured as a file: sets what the options say of it. Without effect if it is not. False with
** *code set, and told, if the file is refused. */
bool compiled_provider(Run *r, const Config *c, RenderProvider *p, ExitCode *code);

/* What was compiled of the module in a folder. Quick: it reads what there is and compares, and compiles nothing.
** `modules` is the configured cache of modules, or "". */
CacheAnswer compiled_module(CueArena *a, CueStr dir, CueStr modules, ArtefactSeal *seal, Compiled *out, CueStr *why);

/* A module that was compiled to a file. */
bool compiled_module_file(CueArena *a, CueStr file, Compiled *out, CueStr *why);

#endif
