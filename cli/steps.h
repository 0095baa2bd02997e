/* steps.h - how the steps of a trace are told: in words, and as data. */
#ifndef OPM_STEPS_H
#define OPM_STEPS_H

#include "cli/render.h"
#include "compiler/render/trace.h"

const char *step_role(const TraceStep *s);                  /* "transformer", "values", ... */
CueStr step_origin(Run *r, const TraceStep *s);             /* role and place in one line; "" for NULL */
CueValue step_data(Run *r, const TraceStep *s, bool alone); /* alone: without what it came from */
CueValue steps_data(Run *r, const TraceSteps *steps);

static inline bool value_known(CueValue v) { return v.kind != CUE_BOTTOM; }
CueStr value_text(CueArena *a, CueValue v); /* in one line */
CueStr value_cut(CueArena *a, CueValue v);  /* ... that fits in a table */

/* A struct put together field by field. */
typedef CUE_VEC(CueField) FieldList;
void fields_add(CueArena *a, FieldList *l, const char *key, CueValue v);
void fields_text(CueArena *a, FieldList *l, const char *key, CueStr text); /* nothing if it is empty */
CueValue fields_struct(CueArena *a, const FieldList *l);

void steps_put(Run *r, CueValue v, bool json); /* as the output of the command: JSON or YAML */

#endif
