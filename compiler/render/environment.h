/* environment.h - what release.c needs of environments. */
#ifndef OPM_ENVIRONMENT_H
#define OPM_ENVIRONMENT_H

#include "compiler/render/program.h"

/* The one of that name, checked to be valid. */
bool environment_find(CueContext *c, const RenderEnvironments *all, CueStr name, const RenderEnvironment **out,
                      RenderFailure *why);
/* Writes the values of an environment as CUE; expr is how the text refers to them. */
void environment_values(CueContext *c, CueBuf *out, CueStr expr, Vertex *v);
/* Writes the merge of two structs as CUE; the expressions are how the text refers to them. base may be NULL. */
void environment_merge(CueContext *c, CueBuf *out, CueStr base_expr, Vertex *base, CueStr env_expr, Vertex *env);

/* Gives messages about "values.x" that have no place the one where the environment says x. */
void environment_places(CueContext *c, const RenderEnvironment *e, CueDiags *d);

#endif
