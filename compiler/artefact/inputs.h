/* inputs.h - what an artefact was made of, and whether that is still so.
**
** The loader notes every question it asks of the disk and the answer (FsWatch): what it read, which CUE files a folder
** has, what it looked for and did not find. The same answers mean the same artefact, so a file that is new, gone or
** changed is noticed, and one that is merely newer is not. What is inside the program counts as one input, by its
** digest.
*/
#ifndef OPM_ARTEFACT_INPUTS_H
#define OPM_ARTEFACT_INPUTS_H

#include "compiler/load_fs.h"
#include "runtime/artefact.h"

/* Names of inputs do not tell where on a disk they are: they are relative to these. */
typedef struct {
  CueStr dir;     /* of the module, or of the configuration that has the provider; absolute */
  CueStr modules; /* cache of downloaded modules; "" for none */
  CueStr catalog; /* digest of the modules inside the program */
} InputPlaces;

/* The default, if the cache of modules is nowhere configured. */
InputPlaces inputs_places(CueArena *a, CueStr dir, CueStr modules, CueStr catalog);
/* Sets the inputs of a seal, in order of their names. */
void inputs_seal(CueArena *a, const FsWatch *watch, const InputPlaces *at, ArtefactSeal *out);
/* For a file that leaves this machine: without what was looked for in the cache of modules, and only that it was there or
** not. What else is in that cache would decide about the bytes. */
void inputs_forget_lookups(ArtefactSeal *s);
/* Whether all inputs are as they were. False with the first that is not in *changed. */
bool inputs_hold(CueArena *a, const ArtefactSeal *s, const InputPlaces *at, CueStr *changed);

#endif
