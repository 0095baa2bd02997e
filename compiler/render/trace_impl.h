/* trace_impl.h - what the files of the trace share. */
#ifndef OPM_TRACE_IMPL_H
#define OPM_TRACE_IMPL_H

#include "compiler/export.h"
#include "compiler/render/program.h"
#include "compiler/render/trace.h"

/* ---- trace_place.c ---- */
typedef struct {
  TraceRole role;
  CueStr path;
} TracePlace;
typedef struct {
  CueContext *c;
  const RenderModule *module;
  const RenderRelease *release;
  CueStr provider; /* folder of its files, or empty */
  CUE_VEC(const Instance *) packages;
  CUE_VEC(const Ast *) environment; /* declarations of the one that was chosen */
} TracePlaces;
void trace_places(TracePlaces *p, const RenderTransformers *provider);
TracePlace trace_place(const TracePlaces *p, CuePos pos);
CueStr trace_text(const TracePlaces *p, const Ast *n);

typedef CUE_VEC(Vertex *) Trail; /* from a root down to a field; fields as found, not dereferenced */

struct Tracer {
  CueContext *c;
  Eval *e;
  CueArena *a;
  Exporter x; /* for its ways to resolve and evaluate */
  TracePlaces places;
  Vertex *base; /* values before an environment had its say; NULL if there is none */
  CUE_VEC(Vertex *) active;
  uint32_t made;
};

/* ---- trace_walk.c ---- */
static inline Vertex *trail_end(Trail t) { return t.at[t.n - 1]; }
Trail trail_to(Tracer *t, Vertex *v);
Trail trail_below(Tracer *t, Trail above, Vertex *arc);
Vertex *trail_arc(Tracer *t, Vertex *v, Label l);  /* a field of v, or of its default; NULL if there is none */
Label trail_index(Tracer *t, Env *env, Ir *index); /* the label an index stands for; 0 if it is not known */
/* Where a reference leads. */
bool trail_resolve(Tracer *t, Env *env, Ir *ref, Trail *out);

/* A conjunct of a field, one for each time that a comprehension yielded it. */
typedef struct {
  Env *env;              /* in which the value of the declaration is evaluated */
  Ir *decl;              /* a declaration, or an expression */
  IrComprehension *part; /* the field is part of this comprehension; NULL if of none */
  Env *outer;            /* in which the comprehension stands */
} Said;
typedef CUE_VEC(Said) SaidList;
SaidList said_of(Tracer *t, Vertex *v);
static inline bool said_in_program(const Tracer *t, const Ir *x) {
  return program_place(t->c, x->src ? x->src->pos : x->pos);
}

TraceStep *step_new(Tracer *t, const Ir *x);
bool step_same(const TraceStep *x, const TraceStep *y);
/* Once is enough. What is passed on in the same way is told together. */
void step_add(Tracer *t, TraceSteps *out, TraceStep *s);
void steps_add(Tracer *t, TraceSteps *out, const TraceSteps *more);

/* ---- trace_expr.c ---- */
typedef enum { SAYS_NOTHING, SAYS_DEFAULT, SAYS_VALUE } Says; /* ORDER: the larger wins */

typedef struct {
  Says says;
  bool literal; /* a value written here, not found by a reference */
  CueValue value;
  TraceSteps from;
} Part;
/* What an expression says by itself; node is the vertex it is a conjunct of. */
Part part_of(Tracer *t, Env *env, Ir *x, Vertex *node);
void steps_of_refs(Tracer *t, Env *env, Ir *x, TraceSteps *out); /* of every reference in x */
typedef CUE_VEC(Ir *) Refs;
/* A struct or list that a program has written out to its leaves: what it is a copy of, in part or as a whole. */
void refs_copied(Tracer *t, Ir *x, uint32_t below, Refs *out);

/* ---- trace_via.c ---- */
/* Adds to a step what brought its declaration: conditions, and the references of the structs it lies in, which become
** steps around it. The declaration stands in trail.at[k - 1] or is brought to it. */
TraceStep *steps_brought(Tracer *t, Trail trail, uint32_t k, Said said, TraceStep *s, int depth, bool quiet);

/* ---- trace.c ---- */
void steps_at(Tracer *t, Trail trail, TraceSteps *out); /* of the field at the end of a trail */

#endif
