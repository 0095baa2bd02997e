/* toml_read.h - TOML text to a value and back, as cue reads and writes it. */
#ifndef CUE_STDLIB_TOML_READ_H
#define CUE_STDLIB_TOML_READ_H

#include "runtime/builtin.h"
#include "runtime/read.h"

/* The document as a struct, or the bottom that fails the call. Dates and times become strings
** that must pass time.Format. */
CueValue toml_read(CueCall *c, CueStr text);
/* The same as events with places in the text, for files. */
bool cue_visit_toml(CueArena *a, CueStr text, const CueVisitor *v, CueReadError *err);
/* Data as TOML. False with *error set if it has no such form. */
bool cue_emit_toml(CueBuf *out, CueValue v, CueStr *error);

/* Why a call failed, without what is said about the call. */
CueStr toml_reason(const CueCall *c);

#endif
