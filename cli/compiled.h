/* compiled.h - compiled code that commands use: found, checked, and refused where it is not right. */
#ifndef OPM_CLI_COMPILED_H
#define OPM_CLI_COMPILED_H

#include "cli/cache.h"
#include "cli/config.h"
#include "compiler/render/render.h"

/* The provider that is configured as a file: sets what the options say of it. Without effect if it is not. False with
** *code set, and told, if the file is refused. */
bool compiled_provider(Run *r, const Config *c, RenderProvider *p, ExitCode *code);

/* A module, or a release that is written out, by where it is. */
typedef struct {
  CueStr dir;
  CueStr modules; /* the configured cache of modules, or "" */
  CueStr release; /* --name: which of several, or "" */
} CompiledPlace;

/* What was compiled of it. Quick: it reads what there is and compares, and compiles nothing. */
CacheAnswer compiled_module(CueArena *a, const CompiledPlace *p, ArtefactSeal *seal, Compiled *out, CueStr *why);
/* Modules are kept by their folder: how a release of one is called does not matter. Releases that are written out are
** kept by what was asked for. */
CueStr compiled_slot(CueArena *a, const CompiledPlace *p, bool release);

/* As artefact_open does, with the exit code of a refusal: a file may be wrong, not there, or not for us to read. */
bool compiled_open(CueArena *a, CueStr file, ArtefactFile *out, CueStr *why, ExitCode *code);
/* A module that was compiled to a file. */
bool compiled_module_file(CueArena *a, CueStr file, Compiled *out, CueStr *why, ExitCode *code);

#endif
