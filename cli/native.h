/* native.h - rendering with what was compiled, for commands. */
#ifndef OPM_CLI_NATIVE_H
#define OPM_CLI_NATIVE_H

#include "cli/render.h"

/* Renders the module that options name from compiled parts alone. False if there are none, or they gave up, or more is
** asked for than objects: nothing was printed then, and the evaluator is to do it. */
bool native_render(Run *r, const RenderOptions *o, Release *out);

/* What is given in place of values.cue: data, or files, or nothing. */
typedef struct {
  CueValue data;       /* a struct; bottom for none */
  const CueStr *files; /* "-" is the input */
  uint32_t nfiles;
  CueStr input;
} NativeValues;
/* Values for the #config of a compiled module: of its files, and of values.cue or what takes its place. False if they
** are more than data. */
bool native_values(CueArena *a, const Compiled *module, CueStr dir, const NativeValues *given, CueValue *out);
/* Whether the environments compiled with a module are those it has: there may be more, by a folder that was not there. */
bool native_environments(CueArena *a, const Compiled *module, CueStr dir);

/* Whether what is named as a module is one that was compiled to a file. */
bool native_is_file(CueStr path);
/* Renders such a module. There is no CUE to ask if it gives up: tells what is wrong. */
ExitCode native_render_file(Run *r, const RenderOptions *o, Release *out);

#endif
