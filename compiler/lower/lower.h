/* lower.h - CUE whose inputs will be data, made into plans.
**
** Lowering evaluates CUE with some fields unknown. What does not depend on them is evaluated here
** and now; what does becomes a plan (runtime/plan.h). Not all CUE can be lowered: then `why` says
** which construct stands in the way, and the evaluator does that piece at run time.
*/
#ifndef OPM_LOWER_H
#define OPM_LOWER_H

#include "compiler/eval.h"
#include "runtime/plan.h"

typedef struct {
  const Plan *plan; /* NULL if it could not be lowered */
  uint32_t slots;   /* variables it needs */
  CueStr why;       /* why not */
  CuePos at;
} Lowered;

/* Programs are packages that were built and not evaluated; `field` is one of their fields, a reference to what is lowered.
**
** The output of a transformer, given its #transform, as a function of the component (input 0) and the context (input 1). */
Lowered lower_transform(CueContext *c, const Instance *program, const char *field);
/* The context of a transformer, given its #context, as a function of what the renderer knows (input 0): name, namespace,
** #moduleReleaseMetadata, #componentMetadata and maybe #environmentMetadata, by these names. */
Lowered lower_context(CueContext *c, const Instance *program, const char *field);

/* #config of a module as a function of values (input 0), where its fields depend on each other; *schema is what the result
** satisfies. `make` as below, of a program whose field `release` is #config & 0. */
typedef Instance *LowerProgram(CueContext *c, void *arg);
Lowered lower_config(CueContext *c, LowerProgram *make, void *arg, const PlanSchema **schema);

/* #components of a module as a function of its #config (input 0), which satisfies `config`: a list as runtime/compiled.h
** describes it. Without a config it has no input. `make` builds a program whose field `release` is the module & {#config: 0}, anew at each call. */
Lowered lower_components(CueContext *c, LowerProgram *make, void *arg, const PlanSchema *config);

/* Concrete data with the fields of structs in the order in which they came to be, which is the order in which loops see
** them. Bottom if it is not concrete. */
CueValue lower_data(CueContext *c, Vertex *v);
CueValue lower_given(CueContext *c, Vertex *v); /* without fields that are what they are by default */

/* What a finalized vertex asks of data; NULL if that cannot be said without evaluating. */
const PlanSchema *lower_schema(CueContext *c, Vertex *v);
/* The same of #config. A struct has first the fields that are written where it is declared, then what values give, then what
** it has by reference: that is the order in which the evaluator comes upon them. */
const PlanSchema *lower_values_schema(CueContext *c, Vertex *v);
bool schema_is_early(const Vertex *v, Label l); /* of those written where v is declared */
/* The same of data that may lack fields. */
const PlanSchema *lower_partial(CueArena *a, const PlanSchema *s);

#endif
