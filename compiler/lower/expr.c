/* expr.c - expressions to plans. */
#include <string.h>

#include "compiler/hole.h"
#include "compiler/lower/sym.h"

static Sym failed(void) { return (Sym){.kind = SYM_FAILED}; }

static SymEnv *env_at(SymEnv *env, uint32_t up) {
  while (env && up--) env = env->up;
  return env;
}

/* ---- what depends on nothing ---- */

static bool list_depends(Lower *l, SymEnv *env, Ir *const *at, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (depends(l, env, at[i])) return true;
  return false;
}

bool depends(Lower *l, SymEnv *env, Ir *x) {
  if (!x) return false;
  switch (x->kind) {
  case IR_FIELD_REF:
  case IR_VALUE_REF:
  case IR_LET_REF:
  case IR_DYNAMIC_REF: {
    SymEnv *e = env_at(env, IR_AS(IrRef, x)->up);
    if (!e || e->node->kind != NODE_STATIC) return true;
    if (x->kind != IR_FIELD_REF) return false;
    Sym s = sym_field(l, e->node, IR_AS(IrRef, x)->label);
    return s.kind != SYM_VERTEX;
  }
  case IR_LABEL_REF: return false;
  case IR_SELECTOR: return depends(l, env, IR_AS(IrSelector, x)->x);
  case IR_INDEX: return depends(l, env, IR_AS(IrIndex, x)->x) || depends(l, env, IR_AS(IrIndex, x)->index);
  case IR_BOUND_EXPR:
  case IR_UNARY:
  case IR_OPEN: return depends(l, env, IR_AS(IrUnary, x)->x);
  case IR_BINARY: return depends(l, env, IR_AS(IrBinary, x)->x) || depends(l, env, IR_AS(IrBinary, x)->y);
  case IR_SLICE:
    return depends(l, env, IR_AS(IrSlice, x)->x) || depends(l, env, IR_AS(IrSlice, x)->lo) ||
           depends(l, env, IR_AS(IrSlice, x)->hi);
  case IR_INTERPOLATION: return list_depends(l, env, IR_AS(IrInterpolation, x)->parts, IR_AS(IrInterpolation, x)->n);
  case IR_CALL:
    return depends(l, env, IR_AS(IrCall, x)->fun) || list_depends(l, env, IR_AS(IrCall, x)->args, IR_AS(IrCall, x)->n);
  case IR_DISJUNCTION_EXPR:
    for (uint32_t i = 0; i < IR_AS(IrDisjunctionExpr, x)->n; i++)
      if (depends(l, env, IR_AS(IrDisjunctionExpr, x)->at[i].x)) return true;
    return false;
  case IR_STRUCT:
  case IR_LIST: return true; /* may; they are lowered anyway, and come to constants where they do not */
  default: return !ir_is_value(x) && x->kind != IR_IMPORT_REF;
  }
}

/* The environment as the evaluator wants it. Levels that are no vertices are never asked, since x does not depend on
** them. */
static Env *real_env(Lower *l, SymEnv *env) {
  if (!env) return &l->e->empty_env;
  Env *e = env_new(l->e, real_env(l, env->up), env->node->kind == NODE_STATIC ? env->node->vertex : &l->e->empty_node);
  e->dynamic_label = env->dynamic_label;
  return e;
}

Ir *static_value(Lower *l, SymEnv *env, Ir *x) {
  if (ir_is_value(x)) return x;
  Conjunct c = {.env = real_env(l, env), .x = x};
  Vertex *v = vertex_inline(l->e, &c);
  cue_finalize(l->e, v);
  Bottom *b = vertex_bottom(v);
  if (b) {
    lower_fail(l, x->pos, "an expression that does not evaluate");
    return NULL;
  }
  return vertex_value(vertex_deref(v));
}

static const Plan *static_plan(Lower *l, SymEnv *env, Ir *x) {
  Ir *v = static_value(l, env, x);
  if (!v) return NULL;
  CueValue data = lower_data(l->c, cue_vertex_of(l->e, v));
  if (data.kind != CUE_BOTTOM) return plan_const(l, data);
  lower_fail(l, x->pos, "a value that is not concrete");
  return NULL;
}

/* ---- references ---- */

static Sym sym_of_node(SymNode *n) {
  return n->kind == NODE_STATIC ? (Sym){.kind = SYM_VERTEX, .vertex = n->vertex} : (Sym){.kind = SYM_NODE, .node = n};
}

static Sym eval_let(Lower *l, SymNode *n, IrRef *r) {
  if (n->kind == NODE_SCOPE && n->value == r->label) return n->value_sym;
  for (uint32_t i = 0; n->kind == NODE_VIRTUAL && i < n->lets.n; i++)
    if (n->lets.at[i].label == r->label) return sym_eval(l, n->lets.at[i].parts.at[0].env, n->lets.at[i].parts.at[0].x);
  lower_fail(l, r->pos, "a let of a definition around it");
  return failed();
}

Sym sym_select(Lower *l, Sym s, Label label, CuePos at) {
  switch (s.kind) {
  case SYM_FAILED:
  case SYM_ABSENT: return s;
  case SYM_PLAN: return (Sym){.kind = SYM_PLAN, .plan = plan_new_get(l, s.plan, label_name(l->c->labels, label))};
  case SYM_VERTEX: return sym_field(l, sym_node_of(l, s.vertex), label);
  case SYM_NODE: break;
  }
  (void)at;
  Sym f = sym_field(l, s.node, label);
  if (!s.guard) return f;
  if (f.kind == SYM_PLAN) f.plan = plan_when(l, s.guard, f.plan);
  if (f.kind == SYM_NODE) f.guard = plan_and(l, s.guard, f.guard);
  if (f.kind == SYM_VERTEX) {
    lower_fail(l, at, "a field that is there under a condition");
    return failed();
  }
  return f;
}

static Sym eval_index(Lower *l, SymEnv *env, IrIndex *x) {
  const Plan *key = expr_plan(l, env, x->index);
  if (!key) return failed();
  Sym base = sym_eval(l, env, x->x);
  if (key->kind == PLAN_CONST && key->value.kind == CUE_STRING)
    return sym_select(l, base, label_string(l->c->labels, cue_value_str(key->value)), x->pos);
  const Plan *b = sym_plan(l, base, x->pos);
  if (!b) return failed();
  return (Sym){.kind = SYM_PLAN, .plan = plan_new(l, PLAN_INDEX, b, key)};
}

Sym sym_eval(Lower *l, SymEnv *env, Ir *x) {
  switch (x->kind) {
  case IR_FIELD_REF: {
    SymEnv *e = env_at(env, IR_AS(IrRef, x)->up);
    if (e) return sym_field(l, e->node, IR_AS(IrRef, x)->label);
    break;
  }
  case IR_VALUE_REF: {
    SymEnv *e = env_at(env, IR_AS(IrRef, x)->up);
    if (e) return sym_of_node(e->node);
    break;
  }
  case IR_LET_REF: {
    SymEnv *e = env_at(env, IR_AS(IrRef, x)->up);
    if (e) return eval_let(l, e->node, IR_AS(IrRef, x));
    break;
  }
  case IR_IMPORT_REF:
    if (IR_AS(IrImport, x)->instance) return (Sym){.kind = SYM_VERTEX, .vertex = IR_AS(IrImport, x)->instance->root};
    if (IR_AS(IrImport, x)->builtin)
      return (Sym){.kind = SYM_VERTEX, .vertex = cue_builtin_vertex(l->c, IR_AS(IrImport, x)->builtin)};
    break;
  case IR_SELECTOR: return sym_select(l, sym_eval(l, env, IR_AS(IrSelector, x)->x), IR_AS(IrSelector, x)->sel, x->pos);
  case IR_INDEX: return eval_index(l, env, IR_AS(IrIndex, x));
  case IR_VERTEX: return (Sym){.kind = SYM_VERTEX, .vertex = IR_AS(Vertex, x)};
  case IR_STRUCT:
  case IR_BINARY:
    if (x->kind == IR_STRUCT || x->op == TOK_AND) {
      SymNode *n = sym_node_new(l);
      if (!sym_add(l, n, env, x, NULL)) return failed();
      return (Sym){.kind = SYM_NODE, .node = n};
    }
    break;
  default: break;
  }
  if (ir_is_resolver(x)) { /* expr_plan would ask here again */
    lower_fail(l, x->pos, "a reference that is left to the evaluator");
    return failed();
  }
  const Plan *p = expr_plan(l, env, x);
  return p ? (Sym){.kind = SYM_PLAN, .plan = p} : failed();
}

const Plan *sym_plan(Lower *l, Sym s, CuePos at) {
  switch (s.kind) {
  case SYM_FAILED: lower_fail(l, at, "a reference that cannot be followed"); return NULL;
  case SYM_ABSENT: return plan_const(l, (CueValue){0});
  case SYM_PLAN: return s.plan;
  case SYM_NODE: {
    const Plan *p = sym_node_plan(l, s.node);
    return p ? plan_when(l, s.guard, p) : NULL;
  }
  case SYM_VERTEX: break;
  }
  cue_finalize(l->e, s.vertex);
  CueValue data = lower_data(l->c, s.vertex);
  if (data.kind != CUE_BOTTOM) return plan_const(l, data);
  lower_fail(l, at, "a value that is not concrete");
  return NULL;
}

/* ---- conditions ---- */

static bool is_bottom_literal(const Ir *x) { return x->kind == IR_BOTTOM; }

/* (x & number) != _|_: whether what is to be checked would pass. */
static const Plan *satisfies(Lower *l, const Plan *p, CuePos at) {
  if (!p) return NULL;
  if (p->kind == PLAN_CONST) return plan_const(l, cue_bool(!plan_absent(p->value)));
  if (p->kind != PLAN_CHECK) {
    lower_fail(l, at, "a unification that is compared with bottom");
    return NULL;
  }
  Plan *t = plan_begin(l);
  *t = *p;
  t->kind = PLAN_TEST;
  return t;
}

/* What is only put together of what is there: it has no errors of its own. */
static bool cannot_fail(const Plan *p) {
  switch ((PlanKind)p->kind) {
  case PLAN_CONST: return !plan_absent(p->value);
  case PLAN_INPUT:
  case PLAN_VAR: return true;
  case PLAN_GET:
  case PLAN_PRESENT:
  case PLAN_MUST: return cannot_fail(p->x);
  case PLAN_STRUCT:
  case PLAN_LIST:
    for (uint32_t i = 0; i < p->n; i++) {
      const PlanItem *it = &p->items[i];
      bool one = it->kind == PLAN_FIELD || it->kind == PLAN_ELEMENT || (it->kind == PLAN_WHEN && !it->n);
      if (!one || !cannot_fail(it->value)) return false;
    }
    return true;
  default: return false;
  }
}

/* x != _|_: whether x is there. Its own value is not asked for, where that can be told otherwise. */
static const Plan *present(Lower *l, SymEnv *env, Ir *x, bool negated) {
  Sym s = sym_eval(l, env, x);
  const Plan *p = NULL;
  switch (s.kind) {
  case SYM_FAILED: return NULL;
  case SYM_ABSENT: p = plan_const(l, cue_bool(false)); break;
  case SYM_PLAN: p = plan_new(l, PLAN_PRESENT, s.plan, NULL); break;
  case SYM_NODE: {
    const Plan *value = sym_node_plan(l, s.node);
    if (!value) return NULL;
    p = cannot_fail(value) ? plan_const(l, cue_bool(true)) : satisfies(l, value, x->pos);
    if (!p) return NULL;
    p = plan_and(l, s.guard, p);
    if (!p) p = plan_const(l, cue_bool(true));
    break;
  }
  case SYM_VERTEX:
    cue_finalize(l->e, s.vertex);
    p = plan_const(l, cue_bool(!vertex_bottom(s.vertex) && vertex_defined(l->e, s.vertex)));
    break;
  }
  return negated ? plan_new_op(l, PLAN_NOT, p, NULL) : p;
}

static const Plan *binary_plan(Lower *l, SymEnv *env, IrBinary *x) {
  bool ne = x->op == TOK_NEQ;
  if ((ne || x->op == TOK_EQL) && is_bottom_literal(x->y)) return present(l, env, x->x, !ne);
  if ((ne || x->op == TOK_EQL) && is_bottom_literal(x->x)) return present(l, env, x->y, !ne);
  int op = hole_op(x->op);
  if (op < 0) {
    lower_fail(l, x->pos, "an operator that is left to the evaluator");
    return NULL;
  }
  const Plan *a = expr_plan(l, env, x->x), *b = a ? expr_plan(l, env, x->y) : NULL;
  return b ? plan_new_op(l, (PlanOp)op, a, b) : NULL;
}

/* ---- calls ---- */

/* Functions that look at their arguments as data only. */
static bool takes_data(const char *params) {
  for (; *params; params++)
    if (!strchr("sySinbLI_?", *params)) return false;
  return true;
}

static const Plan *call_plan(Lower *l, SymEnv *env, IrCall *x) {
  Ir *f = static_value(l, env, x->fun);
  if (!f) return NULL;
  if (f->kind == IR_BUILTIN && IR_AS(IrBuiltin, f)->core) {
    const char *name = IR_AS(IrBuiltin, f)->name;
    if (!strcmp(name, "len") && x->n == 1) {
      const Plan *a = expr_plan(l, env, x->args[0]);
      return a ? plan_new(l, PLAN_LEN, a, NULL) : NULL;
    }
    static const char *const divisions[] = {"div", "mod", "quo", "rem"};
    for (int i = 0; i < 4 && x->n == 2; i++) {
      if (strcmp(name, divisions[i])) continue;
      const Plan *a = expr_plan(l, env, x->args[0]), *b = a ? expr_plan(l, env, x->args[1]) : NULL;
      return b ? plan_new_op(l, (PlanOp)(PLAN_IDIV + i), a, b) : NULL;
    }
    if (!strcmp(name, "close") && x->n == 1) return expr_plan(l, env, x->args[0]);
  }
  if (f->kind != IR_BUILTIN || !IR_AS(IrBuiltin, f)->fn || !takes_data(IR_AS(IrBuiltin, f)->fn->params)) {
    lower_fail(l, x->pos, "a function that is left to the evaluator");
    return NULL;
  }
  const CueBuiltin *fn = IR_AS(IrBuiltin, f)->fn;
  Plan *p = plan_begin(l);
  p->kind = PLAN_CALL;
  p->builtin = fn;
  p->package = IR_AS(IrBuiltin, f)->package;
  CUE_VEC(const Plan *) args = {0};
  for (uint32_t i = 0; i < x->n; i++) {
    const Plan *a = expr_plan(l, env, x->args[i]);
    if (!a) return NULL;
    cue_push(l->a, &args, a);
  }
  if (args.n < strcspn(fn->params, "?")) {
    lower_fail(l, x->pos, "a function used as a constraint");
    return NULL;
  }
  p->at = args.at;
  p->n = args.n;
  return plan_fold(l, p);
}

static const Plan *text_plan(Lower *l, SymEnv *env, IrInterpolation *x) {
  if (x->bytes) {
    lower_fail(l, x->pos, "an interpolation of bytes");
    return NULL;
  }
  Plan *p = plan_begin(l);
  CUE_VEC(const Plan *) parts = {0};
  for (uint32_t i = 0; i < x->n; i++) {
    const Plan *a = expr_plan(l, env, x->parts[i]);
    if (!a) return NULL;
    cue_push(l->a, &parts, a);
  }
  p->kind = PLAN_TEXT;
  p->at = parts.at;
  p->n = parts.n;
  return plan_fold(l, p);
}

/* ---- comprehensions ---- */

typedef struct {
  CUE_VEC(PlanItem) items;
} Items;

/* What later_loop hands to the body in place of the value. */
static bool is_loop(const SymEnv *env, const Ir *value) {
  return value->kind == IR_FIELD_REF && env->node->kind == NODE_SCOPE &&
         ((const IrRef *)(const void *)value)->label == label_int(0);
}

/* The value of a comprehension in a loop that is run later: fields of a struct, or an element of a list. */
static bool loop_body(Lower *l, SymEnv *env, Ir *value, const Plan *guard, Items *out, bool in_list) {
  const Plan *v = expr_plan(l, env, value);
  if (!v) return false;
  PlanItem it = {.kind = in_list && !is_loop(env, value) ? PLAN_ELEMENT : PLAN_SPREAD, .value = v};
  if (!plan_is_true(guard)) {
    PlanItem *inner = cue_new(l->a, PlanItem);
    *inner = it;
    it = (PlanItem){.kind = PLAN_WHEN, .value = guard, .items = inner, .n = 1};
  }
  cue_push(l->a, &out->items, it);
  return true;
}

typedef struct {
  Items *items;
  bool in_list;
} LoopArg;

static bool into_loop(Lower *l, SymEnv *env, Ir *value, const Plan *guard, void *arg) {
  LoopArg *a = arg;
  return loop_body(l, env, value, guard, a->items, a->in_list);
}

static Sym var_sym(Lower *l, uint32_t slot) {
  Plan *p = plan_begin(l);
  p->kind = PLAN_VAR;
  p->slot = slot;
  return (Sym){.kind = SYM_PLAN, .plan = p};
}

static SymNode *scope_node(Lower *l) {
  SymNode *n = cue_new(l->a, SymNode);
  n->kind = NODE_SCOPE;
  return n;
}

/* A loop over what is known only when the plan is run. */
static bool later_loop(Lower *l, SymEnv *env, IrComprehension *x, uint32_t at, const Plan *src, const Plan *guard,
                       CompBody *body, void *arg, bool in_list) {
  IrFor *f = IR_AS(IrFor, x->clauses[at]);
  SymNode *scope = scope_node(l);
  PlanItem loop = {.kind = PLAN_FOR, .value = src, .key_slot = PLAN_NO_SLOT, .value_slot = PLAN_NO_SLOT};
  if (f->key) {
    scope->key = f->key;
    loop.key_slot = l->slots++;
    scope->key_sym = var_sym(l, loop.key_slot);
  }
  if (f->value) {
    scope->value = f->value;
    loop.value_slot = l->slots++;
    scope->value_sym = var_sym(l, loop.value_slot);
  }
  Items items = {0};
  LoopArg inner = {&items, in_list};
  if (!comp_each(l, sym_env(l, env, scope), x, at + 1, NULL, into_loop, &inner, in_list)) return false;
  loop.items = items.items.at;
  loop.n = items.items.n;
  /* The caller gets the whole loop as one value: a struct or list of what it yields. */
  Plan *p = plan_begin(l);
  PlanItem *one = cue_new(l->a, PlanItem);
  *one = loop;
  p->kind = in_list ? PLAN_LIST : PLAN_STRUCT;
  p->items = one;
  p->n = 1;
  SymNode *whole = scope_node(l);
  IrRef *ref = cue_new(l->a, IrRef);
  *ref = (IrRef){.kind = IR_FIELD_REF, .pos = f->pos, .up = 0, .label = label_int(0)};
  whole->value = ref->label;
  whole->value_sym = (Sym){.kind = SYM_PLAN, .plan = p};
  return body(l, sym_env(l, env, whole), (Ir *)ref, guard, arg);
}

/* A loop over what is known: the body once for every field or element. */
static bool known_loop(Lower *l, SymEnv *env, IrComprehension *x, uint32_t at, CueValue src, const Plan *guard,
                       CompBody *body, void *arg, bool in_list) {
  IrFor *f = IR_AS(IrFor, x->clauses[at]);
  uint32_t n = src.kind == CUE_STRUCT ? src.as.fields->n : src.kind == CUE_LIST ? src.as.list->n : 0;
  if (src.kind != CUE_STRUCT && src.kind != CUE_LIST)
    return lower_fail(l, f->pos, "a loop over what is no struct or list");
  for (uint32_t i = 0; i < n; i++) {
    SymNode *scope = scope_node(l);
    bool st = src.kind == CUE_STRUCT;
    scope->key = f->key;
    scope->value = f->value;
    scope->key_sym =
        (Sym){.kind = SYM_PLAN, .plan = plan_const(l, st ? cue_string(src.as.fields->at[i].key) : cue_int(i))};
    scope->value_sym =
        (Sym){.kind = SYM_PLAN, .plan = plan_const(l, st ? src.as.fields->at[i].value : src.as.list->at[i])};
    if (!comp_each(l, sym_env(l, env, scope), x, at + 1, guard, body, arg, in_list)) return false;
  }
  return true;
}

static bool for_each(Lower *l, SymEnv *env, IrComprehension *x, uint32_t at, const Plan *guard, CompBody *body,
                     void *arg, bool in_list) {
  const Plan *src = expr_plan(l, env, IR_AS(IrFor, x->clauses[at])->source);
  if (!src) return false;
  if (src->kind == PLAN_CONST) return known_loop(l, env, x, at, src->value, guard, body, arg, in_list);
  return later_loop(l, env, x, at, src, guard, body, arg, in_list);
}

bool comp_each(Lower *l, SymEnv *env, IrComprehension *x, uint32_t from, const Plan *guard, CompBody *body, void *arg,
               bool in_list) {
  if (x->fallback) return lower_fail(l, x->pos, "a comprehension with else");
  if (from == x->n) return body(l, env, x->value, guard, arg);
  Ir *clause = x->clauses[from];
  switch (clause->kind) {
  case IR_IF: {
    const Plan *cond = expr_plan(l, env, IR_AS(IrUnary, clause)->x);
    if (!cond) return false;
    if (plan_is_false(cond)) return true;
    return comp_each(l, env, x, from + 1, plan_and(l, guard, cond), body, arg, in_list);
  }
  case IR_FOR: return for_each(l, env, x, from, guard, body, arg, in_list);
  case IR_LET_CLAUSE: {
    SymNode *scope = scope_node(l);
    scope->value = IR_AS(IrField, clause)->label;
    scope->value_sym = sym_eval(l, env, IR_AS(IrField, clause)->value);
    return scope->value_sym.kind != SYM_FAILED &&
           comp_each(l, sym_env(l, env, scope), x, from + 1, guard, body, arg, in_list);
  }
  default: return lower_fail(l, clause->pos, "a clause that is left to the evaluator");
  }
}

/* ---- lists ---- */

typedef struct {
  CUE_VEC(PlanItem) items;
} ListArg;

/* A loop that is run later comes as a list of its elements; anything else is an element. */
static bool into_list(Lower *l, SymEnv *env, Ir *value, const Plan *guard, void *arg) {
  ListArg *a = arg;
  bool loop = is_loop(env, value);
  const Plan *v = expr_plan(l, env, value);
  if (!v) return false;
  PlanItem it = {.kind = loop ? PLAN_SPREAD : PLAN_ELEMENT, .value = v};
  if (!plan_is_true(guard)) {
    PlanItem *inner = cue_new(l->a, PlanItem);
    *inner = it;
    it = (PlanItem){.kind = PLAN_WHEN, .value = guard, .items = inner, .n = 1};
  }
  cue_push(l->a, &a->items, it);
  return true;
}

static const Plan *list_plan(Lower *l, SymEnv *up, IrList *x) {
  ListArg arg = {0};
  SymEnv *env = sym_env(l, up, scope_node(l));
  for (uint32_t i = 0; i < x->n; i++) {
    Ir *e = x->elems[i];
    if (e->kind == IR_ELLIPSIS) {
      lower_fail(l, e->pos, "an open list");
      return NULL;
    }
    if (e->kind == IR_COMPREHENSION ? !comp_each(l, env, IR_AS(IrComprehension, e), 0, NULL, into_list, &arg, true)
                                    : !into_list(l, env, e, NULL, &arg))
      return NULL;
  }
  Plan *p = plan_begin(l);
  p->kind = PLAN_LIST;
  p->items = arg.items.at;
  p->n = arg.items.n;
  for (uint32_t i = 0; i < p->n; i++)
    if (p->items[i].kind != PLAN_ELEMENT || p->items[i].value->kind != PLAN_CONST) return p;
  return plan_fold(l, p);
}

/* ---- expressions ---- */

static const Plan *expr_made(Lower *l, SymEnv *env, Ir *x) {
  switch (x->kind) {
  case IR_STRUCT:
  case IR_FIELD_REF:
  case IR_VALUE_REF:
  case IR_LET_REF:
  case IR_IMPORT_REF:
  case IR_SELECTOR:
  case IR_INDEX:
  case IR_VERTEX: return sym_plan(l, sym_eval(l, env, x), x->pos);
  case IR_LIST: return list_plan(l, env, IR_AS(IrList, x));
  case IR_BINARY:
    if (x->op == TOK_AND) return sym_plan(l, sym_eval(l, env, x), x->pos);
    return binary_plan(l, env, IR_AS(IrBinary, x));
  case IR_UNARY: {
    const Plan *a = expr_plan(l, env, IR_AS(IrUnary, x)->x);
    if (!a) return NULL;
    if (x->op == TOK_NOT) return plan_new_op(l, PLAN_NOT, a, NULL);
    if (x->op == TOK_SUB) return plan_new_op(l, PLAN_NEG, a, NULL);
    break;
  }
  case IR_INTERPOLATION: return text_plan(l, env, IR_AS(IrInterpolation, x));
  case IR_CALL: return call_plan(l, env, IR_AS(IrCall, x));
  case IR_LABEL_REF: {
    SymEnv *e = env_at(env, IR_AS(IrRef, x)->up);
    if (e && e->dynamic_label) return plan_const(l, cue_string(label_name(l->c->labels, e->dynamic_label)));
    break;
  }
  default: break;
  }
  if (!depends(l, env, x)) return static_plan(l, env, x);
  lower_fail(l, x->pos, "an expression that is left to the evaluator");
  return NULL;
}

const Plan *expr_plan(Lower *l, SymEnv *env, Ir *x) {
  CuePos around = l->pos;
  if (l->why.n) return NULL;
  if (cue_pos_known(x->pos)) l->pos = x->pos;
  const Plan *p = expr_made(l, env, x);
  l->pos = around;
  return p;
}
