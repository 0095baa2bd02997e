/* render.h - what commands that render a module share: options of flags, and how results are told. */
#ifndef OPM_CLI_RENDER_H
#define OPM_CLI_RENDER_H

#include "cli/run.h"
#include "compiler/render/render.h"

/* The module a command is about (its argument, or this folder) and what its flags say. False, with *code set, if they
** make no sense. */
bool render_options(Run *r, RenderOptions *o, ExitCode *code);
/* Renders and tells what matched, what was found odd, what failed. EXIT_OK if everything was rendered. */
ExitCode render_run(Run *r, const RenderOptions *o, RenderResult *out);
/* Tells the same of what was rendered from compiled parts, by a provider of this name. */
void render_tell(Run *r, const Release *rel, CueStr provider, const ReleaseRenderer *with);
/* Prints which components were not rendered; EXIT_OK if all were. */
ExitCode render_errors(Run *r, const RenderResult *res);
/* "./file.cue:1:2" as seen from here; "" if it is not known. */
CueStr render_place(Run *r, CuePos pos);
/* Prints why a stage failed; returns its exit code. `name` is that of the module, or "". */
ExitCode render_failed(Run *r, CueStr name, const RenderFailure *why);

#endif
