/* tidy.h - the dependencies a module file names, brought in line with what the module imports. */
#ifndef OPM_TIDY_H
#define OPM_TIDY_H

#include "cli/run.h"

typedef struct {
  CueStr path;             /* of cue.mod/module.cue; "" if dir is in no module */
  CueStr before, after;    /* its text; equal if it is tidy */
  CUE_VEC(CueStr) changes; /* for people: "add opmodel.dev/core@v0 v0.1.27" */
  bool whole_disk;         /* what is wrong is that the module is all there is */
} Tidy;

/* cfg->cwd is in the module. Nothing is written. False with d filled. */
bool tidy_module(Run *r, const LoadConfig *cfg, Tidy *out, CueDiags *d);

#endif
