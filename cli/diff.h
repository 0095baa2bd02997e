/* diff.h - two texts as a unified diff. */
#ifndef OPM_DIFF_H
#define OPM_DIFF_H

#include "runtime/str.h"

/* Nothing if the texts are equal. */
void diff_text(CueBuf *out, CueStr old_name, CueStr old, CueStr new_name, CueStr new);

#endif
