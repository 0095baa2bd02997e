/* plan.c - plans made: each is run at once where all it needs is known. */
#include "compiler/lower/sym.h"

bool lower_fail(Lower *l, CuePos at, const char *fmt, ...) {
  if (l->why.n) return false;
  va_list ap;
  va_start(ap, fmt);
  l->why = cue_strvf(l->a, fmt, ap);
  va_end(ap);
  l->at = at;
  return false;
}

Plan *plan_begin(Lower *l) {
  Plan *p = cue_new(l->a, Plan);
  p->pos = l->pos;
  return p;
}

const Plan *plan_const(Lower *l, CueValue v) {
  Plan *p = plan_begin(l);
  p->kind = PLAN_CONST;
  p->value = v;
  return p;
}

static bool is_const(const Plan *p) { return !p || p->kind == PLAN_CONST; }
bool plan_is_true(const Plan *p) { return !p || (p->kind == PLAN_CONST && p->value.kind == CUE_BOOL && p->value.as.b); }
bool plan_is_false(const Plan *p) { return p && p->kind == PLAN_CONST && p->value.kind == CUE_BOOL && !p->value.as.b; }

const Plan *plan_fold(Lower *l, Plan *p) {
  if (!is_const(p->x) || !is_const(p->y)) return p;
  for (uint32_t i = 0; p->at && i < p->n; i++)
    if (!is_const(p->at[i])) return p;
  PlanRun r = {.a = l->a, .regexes = l->c->regexes};
  CueValue v;
  return plan_run(&r, p, &v) ? plan_const(l, v) : p;
}

const Plan *plan_new(Lower *l, PlanKind kind, const Plan *x, const Plan *y) {
  Plan *p = plan_begin(l);
  p->kind = (uint8_t)kind;
  p->x = x;
  p->y = y;
  return plan_fold(l, p);
}

const Plan *plan_new_get(Lower *l, const Plan *x, CueStr key) {
  Plan *p = plan_begin(l);
  p->kind = PLAN_GET;
  p->x = x;
  p->key = key;
  return plan_fold(l, p);
}

const Plan *plan_new_op(Lower *l, PlanOp op, const Plan *x, const Plan *y) {
  Plan *p = plan_begin(l);
  p->kind = PLAN_OP;
  p->op = (uint8_t)op;
  p->x = x;
  p->y = y;
  return plan_fold(l, p);
}

const Plan *plan_and(Lower *l, const Plan *x, const Plan *y) {
  if (!x || plan_is_true(x)) return y && !plan_is_true(y) ? y : NULL;
  if (!y || plan_is_true(y)) return x;
  if (plan_is_false(x) || plan_is_false(y)) return plan_const(l, cue_bool(false));
  return plan_new(l, PLAN_BOTH, x, y);
}

const Plan *plan_must(Lower *l, const Plan *p) {
  switch ((PlanKind)p->kind) {
  case PLAN_CONST:
  case PLAN_GET:
  case PLAN_INDEX:
  case PLAN_IF:
  case PLAN_UNIFY:
  case PLAN_ELSE: break;
  default: return p; /* these are never absent */
  }
  return p->kind == PLAN_CONST && !plan_absent(p->value) ? p : plan_new(l, PLAN_MUST, p, NULL);
}

const Plan *plan_when(Lower *l, const Plan *guard, const Plan *x) {
  if (plan_is_true(guard)) return x;
  return plan_new(l, PLAN_IF, guard, x);
}
