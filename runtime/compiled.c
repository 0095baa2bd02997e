/* compiled.c - see compiled.h. */
#include "runtime/compiled.h"

#include <string.h>

static const CueBuiltin *function_of(const CueBuiltinPackage *p, const char *name) {
  for (uint32_t i = 0; p && i < p->n; i++)
    if (!strcmp(p->functions[i].name, name)) return &p->functions[i];
  return NULL;
}

bool compiled_link(CueArena *a, const Compiled *code, CompiledFind *find, Compiled *out, CueStr *missing) {
  *missing = CUE_STR("runtime ABI");
  if (code->abi != CUE_ABI) return false;
  CueUse *uses = cue_array(a, CueUse, code->nuses + 1);
  for (uint32_t i = 0; i < code->nuses; i++) {
    const CueBuiltinPackage *p = find(cue_str(code->use_names[i].package));
    uses[i] = (CueUse){function_of(p, code->use_names[i].name), code->use_names[i].package};
    *missing = cue_strf(a, "%s.%s", code->use_names[i].package, code->use_names[i].name);
    if (!uses[i].builtin) return false;
  }
  *out = *code;
  out->uses = uses;
  return true;
}

bool compiled_run(const Compiled *c, uint32_t function, CueArena *a, CueRegexCache *regexes, const CueValue *inputs,
                  CueValue *out) {
  if (function >= c->n) return false;
  const CompiledFunction *f = &c->functions[function];
  PlanRun r = {.a = a, .regexes = regexes, .inputs = inputs, .rt = &cue_runtime, .uses = c->uses};
  CueValue few[128]; /* what a function keeps is of no use to anyone after it */
  r.vars = f->slots <= sizeof few / sizeof *few ? few : cue_array(a, CueValue, f->slots);
  if (r.vars == few) memset(few, 0, f->slots * sizeof *few);
  return f->code ? f->code(&r, out) : f->plan && plan_run(&r, f->plan, out);
}
