/* module.h - names of modules and packages: import paths taken apart, and cue.mod/module.cue. */
#ifndef CUE_MODULE_H
#define CUE_MODULE_H

#include "compiler/diag.h"

/* "example.com/x/y@v1:name". */
typedef struct {
  CueStr path;            /* without version and qualifier */
  CueStr version;         /* "v1", or empty */
  CueStr qualifier;       /* package name: given, or implied by the last element; empty if that is no identifier */
  bool explicit_qualifier;
} ImportPath;

ImportPath import_path_parse(CueStr p);
CueStr import_path_text(CueArena *a, ImportPath p);
CueStr implied_qualifier(CueStr path);
CueStr path_base(CueStr path);     /* after the last slash */

#endif
