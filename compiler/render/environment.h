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

/* Gives messages that have no place the one where the field they are about is declared; path is how they call v. */
void fields_places(CueContext *c, Vertex *v, CueStr path, CueDiags *d);
/* Gives messages about "values.x" that have no place the one where the environment says x. */
void environment_places(CueContext *c, const RenderEnvironment *e, CueDiags *d);

/* The environment that an expression in a package is; name is for messages. */
bool environment_at(CueContext *c, const RenderModule *m, Instance *package, CueStr expr, CueStr name,
                    RenderEnvironment *out, RenderFailure *why);

/* ---- unknown.c ---- */
/* Adds what values have and #config has not, unless d tells of it. */
void unknown_values(CueContext *c, Vertex *values, Vertex *config, CueStr path, CueDiags *d);

/* ---- given.c ---- */
/* Finds the release of a package that is no module. `name` chooses among several. */
bool given_find(CueContext *c, RenderModule *m, CueStr name, RenderFailure *why);

/* Fields of a struct that say they are of a kind, also one level below: visit gets how a program refers to each. */
typedef void KindVisit(void *arg, Vertex *v, CueStr expr);
void kind_each(CueContext *c, Vertex *root, CueStr expr, const char *kind, const char *map, KindVisit *visit,
               void *arg);

#endif
