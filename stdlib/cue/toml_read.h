/* toml_read.h - TOML text to a value, as cue reads it. */
#ifndef CUE_STDLIB_TOML_READ_H
#define CUE_STDLIB_TOML_READ_H

#include "runtime/builtin.h"

/* The document as a struct, or the bottom that fails the call. Dates and times become strings
** that must pass time.Format. */
CueValue toml_read(CueCall *c, CueStr text);

#endif
