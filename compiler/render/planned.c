/* planned.c - transformers run as functions on data.
**
** Those of the provider inside the program are compiled into it. Of another, one that several components match is
** lowered once and run on the data of each, which costs little beside evaluating it. Where there is no
** function, or it gives up, the evaluator does what it would have done anyway.
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

/* Runs the two functions of a transformer on each component that matches it. */
typedef bool RunMatch(Planner *p, const void *with, const CueValue *given, CueValue *inputs, CueValue *out);

static void run_matches(Planner *p, const RenderTransformer *t, RunMatch *run_match, const void *with) {
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
    m->planned = run_match(p, with, &given, inputs, &m->output);
    if (!m->planned) m->output = cue_error(CUE_STR("gave up"));
  }
}

static bool run_plans(Planner *p, const void *with, const CueValue *given, CueValue *inputs, CueValue *out) {
  const TransformerPlans *plans = with;
  return run(p, &plans->context, given, &inputs[1]) && run(p, &plans->transform, inputs, out);
}

static void plan_transformer(Planner *p, const RenderTransformer *t) {
  TransformerPlans plans;
  if (!compile_transformer(p->c, &p->r->provider.from, t->key, &plans)) return;
  if (plans.transform.plan && plans.context.plan)
    run_matches(p, t, run_plans, &plans);
  else
    no_plan(p, t, plans.transform.plan ? &plans.context : &plans.transform);
}

/* ---- compiled ---- */

static uint32_t function_at(CueValue transformer, CueStr key) { return (uint32_t)release_at(transformer, key).as.i; }

static bool run_code(Planner *p, const void *with, const CueValue *given, CueValue *inputs, CueValue *out) {
  const CueValue *t = with;
  const Compiled *code = p->r->provider.code;
  return compiled_run(code, function_at(*t, CUE_STR("context")), p->c->a, p->c->regexes, given, &inputs[1]) &&
         compiled_run(code, function_at(*t, CUE_STR("transform")), p->c->a, p->c->regexes, inputs, out);
}

static const CueValue *described(const Planner *p, uint32_t i) {
  return &release_at(p->r->provider.code->about, CUE_STR("transformers")).as.list->at[i];
}

static CueStr shown(CueArena *a, const RenderMatch *m) {
  CueBuf b = cue_buf(a);
  if (m->planned) cue_emit_json(&b, m->output, (CueJsonStyle){0});
  return m->planned ? cue_buf_done(&b) : CUE_STR("gave up");
}

/* For tests: what code makes must be what plans make, in the same order. A difference is told as if the plan had given up. */
static void check_code(Planner *p, uint32_t number) {
  CueArena *a = p->c->a;
  const RenderTransformer *t = &p->r->provider.transformers.at[number];
  RenderMatch *before = cue_array(a, RenderMatch, p->r->matches.n + 1);
  for (uint32_t i = 0; i < p->r->matches.n; i++) before[i] = p->r->matches.at[i];
  run_matches(p, t, run_code, described(p, number));
  for (uint32_t i = 0; i < p->r->matches.n; i++) {
    RenderMatch *m = &p->r->matches.at[i];
    if (!m->matched || m->transformer != t) continue;
    CueStr planned = shown(a, &before[i]), coded = shown(a, m);
    if (cue_str_eq(planned, coded)) continue;
    m->planned = false;
    m->output = cue_error(cue_strf(a, "plan: %.*s, code: %.*s", CUE_FMT(planned), CUE_FMT(coded)));
  }
}

void render_planned(CueContext *c, RenderPlans how, RenderResult *r) {
  Planner p = {.c = c, .r = r};
  bool code = r->provider.code != NULL, check = how == PLANS_CHECK;
  p.components = cue_array(c->a, CueValue, r->release.components.n + 1);
  p.metadata = lower_data(c, program_field(c, r->release.program->root, "metadata"));
  if (r->release.env) p.environment = lower_data(c, program_field(c, r->release.program->root, "environment"));
  for (uint32_t i = 0; i < r->provider.transformers.n; i++) {
    const RenderTransformer *t = &r->provider.transformers.at[i];
    uint32_t n = count(r, t);
    if (!n) continue;
    if (!code || check) {
      if (how != PLANS_MANY || n >= ENOUGH) plan_transformer(&p, t);
      if (code) check_code(&p, i);
    } else {
      run_matches(&p, t, run_code, described(&p, i));
    }
  }
}
