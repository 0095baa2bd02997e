/* compiled.c - see compiled.h. */
#include "runtime/compiled.h"

bool compiled_run(const Compiled *c, uint32_t function, CueArena *a, CueRegexCache *regexes, const CueValue *inputs,
                  CueValue *out) {
  if (function >= c->n) return false;
  const CompiledFunction *f = &c->functions[function];
  PlanRun r = {.a = a, .regexes = regexes, .inputs = inputs};
  r.vars = cue_array(a, CueValue, f->slots + 1);
  return f->code ? f->code(&r, out) : f->plan && plan_run(&r, f->plan, out);
}
