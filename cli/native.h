/* native.h - rendering with what was compiled, for commands. */
#ifndef OPM_CLI_NATIVE_H
#define OPM_CLI_NATIVE_H

#include "cli/render.h"

/* Renders the module that options name from compiled parts alone. False if there are none, or they gave up, or more is
** asked for than objects: nothing was printed then, and the evaluator is to do it. */
bool native_render(Run *r, const RenderOptions *o, Release *out);

#endif
