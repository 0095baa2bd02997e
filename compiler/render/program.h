/* program.h - small CUE packages that the pipeline writes, builds and evaluates. */
#ifndef OPM_PROGRAM_H
#define OPM_PROGRAM_H

#include "compiler/render/render.h"

typedef struct {
  const char *name; /* by which the text refers to it */
  Instance *package;
} ProgramImport;

/* The package that `text` makes, built and evaluated. NULL, with d filled, if it cannot be built: what is wrong with
** its values is in them. Builtin packages may be imported by name. */
Instance *program_make(CueContext *c, CueStr text, const ProgramImport *imports, uint32_t n, CueDiags *d);

/* The same, not evaluated. */
Instance *program_build(CueContext *c, CueStr text, const ProgramImport *imports, uint32_t n, CueDiags *d);

/* A field of an evaluated struct by a name as in CUE: "x", "#x"; NULL if there is none. */
Vertex *program_field(CueContext *c, Vertex *v, const char *name);
Vertex *program_path(CueContext *c, Vertex *v, const char *const *names); /* ended by NULL */
CueStr program_string(CueContext *c, Vertex *v, const char *const *path); /* "" if it is no concrete string */
CueValue program_data(CueContext *c, Vertex *v);                          /* bottom if it is not concrete */

bool program_place(const CueContext *c, CuePos pos); /* it is in the text of a program */
/* Drops the places in programs: people have not written these. */
void program_hide(CueContext *c, CueDiags *d);

void program_quote(CueBuf *out, CueStr s);                                                   /* a string literal */
void program_index(CueBuf *out, CueStr name);                                                /* ["name"] */
bool program_failed(RenderFailure *why, RenderVerdict verdict, CueStr summary, CueStr hint); /* false */
/* For CUE that does not load, as why->details say; denied, if a file may not be read. */
bool program_load_failed(RenderFailure *why, CueStr summary);

/* ---- provider.c ---- */
bool provider_is_inside(const Instance *package); /* it and all it imports is what the program has inside */

/* ---- release.c ---- */
/* Whether what an environment says of values is of the types of #config. */
bool release_environment_fits(CueContext *c, const RenderModule *m, const RenderEnvironment *e);
/* The module with its values said to be #config. Where an environment overrides a value, that of the module must not
** stand beside it. */
Instance *release_without_values(CueContext *c, const Instance *module, RenderFailure *why);

bool program_is_field(const Ast *decl, const char *name);
bool program_covers(const Ast *n, uint32_t offset); /* whether the text of n has the byte at that offset of the set */
const Ast *program_declared_in(const AstList *decls, const char *name);
/* The value that a file's top level gives a field; NULL if it does not. */
const Ast *program_declared(const AstFile *f, const char *name);
bool program_declares(const Instance *inst, const char *name);

#endif
