/* planned.c - transformers run as plans.
**
** A transformer that several components match is lowered once and run on the data of each, which
** costs little beside evaluating it. Where there is no plan, or it gives up, the evaluator
** does what it would have done anyway.
*/
#include "compiler/render/compile.h"
#include "runtime/release/impl.h"

enum { ENOUGH = 2 }; /* matches that pay for the lowering */

typedef struct {
  CueContext *c;
  RenderResult *r;
  CueValue metadata, environment; /* of the release */
  CueValue *components;           /* data of each, once asked for */
} Planner;

static uint32_t count(const RenderResult *r, const RenderTransformer *t) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < r->matches.n; i++) n += r->matches.at[i].matched && r->matches.at[i].transformer == t;
  return n;
}

static CueValue *component_data(Planner *p, const RenderComponent *k) {
  CueValue *v = &p->components[k - p->r->release.components.at];
  if (v->kind == CUE_BOTTOM) *v = lower_data(p->c, k->vertex);
  return v;
}

static bool run(Planner *p, const Lowered *l, const CueValue *inputs, CueValue *out) {
  CueArena *a = p->c->a;
  PlanRun r = {.a = a, .regexes = p->c->regexes, .inputs = inputs};
  r.vars = cue_array(a, CueValue, l->slots + 1);
  return plan_run(&r, l->plan, out);
}

static void no_plan(Planner *p, const RenderTransformer *t, const Lowered *l) {
  CueStr why = compile_why(p->c, l);
  for (uint32_t i = 0; i < p->r->matches.n; i++)
    if (p->r->matches.at[i].transformer == t) p->r->matches.at[i].output = cue_error(why);
}

static void plan_transformer(Planner *p, const RenderTransformer *t) {
  TransformerPlans plans;
  if (!compile_transformer(p->c, &p->r->provider.from, t->key, &plans)) return;
  Lowered transform = plans.transform, around = plans.context;
  if (!transform.plan || !around.plan) {
    no_plan(p, t, transform.plan ? &around : &transform);
    return;
  }
  Release release = {.name = p->r->release.name, .namespace = p->r->release.namespace};
  for (uint32_t i = 0; i < p->r->matches.n; i++) {
    RenderMatch *m = &p->r->matches.at[i];
    if (!m->matched || m->transformer != t) continue;
    CueValue inputs[2], given;
    m->output = cue_error(CUE_STR("gave up"));
    inputs[0] = *component_data(p, m->component);
    if (inputs[0].kind == CUE_BOTTOM) continue;
    given = context_input(p->c->a, &release, p->metadata, p->environment, m->component->name,
                          release_at(inputs[0], CUE_STR("metadata")));
    m->planned = run(p, &around, &given, &inputs[1]) && run(p, &transform, inputs, &m->output);
    if (!m->planned) m->output = cue_error(CUE_STR("gave up"));
  }
}

void render_planned(CueContext *c, RenderPlans how, RenderResult *r) {
  Planner p = {.c = c, .r = r};
  p.components = cue_array(c->a, CueValue, r->release.components.n + 1);
  p.metadata = lower_data(c, program_field(c, r->release.program->root, "metadata"));
  if (r->release.env) p.environment = lower_data(c, program_field(c, r->release.program->root, "environment"));
  for (uint32_t i = 0; i < r->provider.transformers.n; i++) {
    const RenderTransformer *t = &r->provider.transformers.at[i];
    if (count(r, t) >= (how == PLANS_MANY ? ENOUGH : 1)) plan_transformer(&p, t);
  }
}
