/* trace.h - where the value of a field came from, as data.
**
** A step is one declaration that took part: its text and place, and the steps that its references
** lead to. The steps of a field are those of all that was said about it: what gave the value, what
** would have given another, what only limited it. Places in the programs of the pipeline are left
** out: their references are followed as if they stood where they are used.
*/
#ifndef OPM_TRACE_H
#define OPM_TRACE_H

#include "compiler/render/render.h"

typedef enum {
  TRACE_TRANSFORMER, /* the provider's CUE */
  TRACE_DEFINITION,  /* of another package: the catalog, as a rule */
  TRACE_COMPONENT,   /* the module's #components */
  TRACE_CONFIG,      /* ... #config */
  TRACE_VALUES,      /* ... values, or a file given with -f */
  TRACE_ENVIRONMENT,
  TRACE_MODULE,  /* what else the module says */
  TRACE_RELEASE, /* said on the command line, or by the configuration: no place */
} TraceRole;

typedef enum {                   /* ORDER: what counts more comes first */
               TRACE_GIVES,      /* the value, or a reference that leads to it */
               TRACE_DEFAULT,    /* the value, which another would have won over */
               TRACE_OVERRIDDEN, /* another value or default, which lost */
               TRACE_LIMITS,     /* what values may be */
               TRACE_PASSES,     /* a reference of a struct that the value lies in */
} TraceKind;

typedef struct TraceStep TraceStep;
typedef CUE_VEC(TraceStep *) TraceSteps;
struct TraceStep {
  TraceRole role;
  TraceKind kind;
  CuePos pos;
  CueStr text;           /* as written, cut to a line */
  CueStr path;           /* of the declaration, as written: "#config.replicas"; may be empty */
  CueValue value;        /* what it says; bottom if that is no scalar */
  bool is_default;       /* ... and another value would win over it */
  bool parameter;        /* binds a definition or hidden field inside a provider or a definition */
  TraceSteps conditions; /* clauses that enabled it: for, if, let; outermost first */
  TraceSteps from;       /* what its references lead to */
};

typedef struct Tracer Tracer;
/* p may be NULL if no objects are traced. */
Tracer *trace_new(CueContext *c, const RenderModule *m, const RenderRelease *r, const RenderTransformers *p);

typedef struct {
  CueStr name; /* of a field; empty for an element of a list */
  uint32_t index;
} TraceKey;
/* The steps of the value at a path below v. *found is how much of the path there was: less than n where data was made of
** values in a way CUE does not know. */
TraceSteps trace_path(Tracer *t, Vertex *v, const TraceKey *path, uint32_t n, uint32_t *found);

const TraceStep *trace_behind(const TraceStep *s); /* through what only passes it on, to what counts most */
/* Where values were said first: the steps without the references behind them. The one that counts, or NULL. */
const TraceStep *trace_winner(const TraceSteps *s);
/* ... with references followed as long as there is one input: a literal, or what was computed of several. */
const TraceStep *trace_origin(const TraceSteps *s);

#endif
