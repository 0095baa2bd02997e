/* compile.h - providers and modules lowered to what runtime/compiled.h describes. */
#ifndef OPM_RENDER_COMPILE_H
#define OPM_RENDER_COMPILE_H

#include "compiler/lower/lower.h"
#include "compiler/render/program.h"
#include "runtime/release/release.h"

/* The two functions of a transformer; false if its CUE cannot be built. */
typedef struct {
  Lowered transform, context;
} TransformerPlans;
bool compile_transformer(CueContext *c, const RenderProvider *from, CueStr key, TransformerPlans *out);

/* A provider whose transformers are known (render_provider). Functions that cannot be lowered say why. */
Compiled compile_provider(CueContext *c, const RenderTransformers *p);

/* The transformers as a description has them. */
CueValue render_described(CueArena *a, const RenderTransformers *p);
CueValue render_strings(CueArena *a, const RenderNames *names); /* a list of them */

/* What a description of a module has beside metadata and functions. */
enum { COMPILE_ABOUT = 5 };
uint32_t compile_about(CueContext *c, const RenderModule *m, CueField out[COMPILE_ABOUT]);
/* Metadata of the module of a release that is written out, with labels and annotations of the release. */
CueValue compile_given_metadata(CueContext *c, const RenderModule *m, CueValue metadata);

/* A module (render_module; values do not matter), or the module of a release that is written out, with its values. */
Compiled compile_module(CueContext *c, const RenderModule *m);

/* Values of a release, and its environment, evaluated by themselves for a module that was compiled. False if something is
** wrong with them, or if they are more than what compiled code can be given. */
typedef struct {
  CueValue values; /* merged with those of the environment; bottom if there are none */
  CueValue given;  /* the same without defaults of #config */
  ReleaseEnvironmentKnown environment;
  bool has_environment;
} EvaluatedValues;
bool evaluated_values(CueContext *c, const RenderOptions *o, EvaluatedValues *out);
bool evaluated_environment(CueContext *c, const RenderEnvironment *e,
                           ReleaseEnvironmentKnown *out); /* without values */
CueValue evaluated_at(CueContext *c, Vertex *v, const char *x,
                      const char *y); /* data at x.y; bottom if there is none */
bool evaluated_given(CueContext *c, const RenderModule *m, EvaluatedValues *out); /* of a release that is written out */

/* Runs what was compiled of the module beside what the evaluator gave: what differs, or empty. For tests. */
CueStr compile_check_module(CueContext *c, const RenderModule *m, const RenderRelease *r);

/* "a pattern that depends on inputs at ./x.cue:3:5" */
CueStr compile_why(CueContext *c, const Lowered *l);

#endif
