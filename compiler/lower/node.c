/* node.c - structs that are known in part. */
#include "compiler/lower/sym.h"

/* ---- nodes and environments of the evaluator ---- */

typedef struct SymStatic {
  struct SymStatic *next;
  const void *of;
  void *made;
} SymStatic;

static void **static_slot(Lower *l, const void *of) {
  for (SymStatic *s = l->statics; s; s = s->next)
    if (s->of == of) return &s->made;
  SymStatic *s = cue_new(l->a, SymStatic);
  *s = (SymStatic){l->statics, of, NULL};
  l->statics = s;
  return &s->made;
}

SymNode *sym_node_new(Lower *l) {
  SymNode *n = cue_new(l->a, SymNode);
  n->kind = NODE_VIRTUAL;
  return n;
}

SymNode *sym_node_of(Lower *l, Vertex *v) {
  void **slot = static_slot(l, v);
  if (!*slot) {
    SymNode *n = cue_new(l->a, SymNode);
    n->kind = NODE_STATIC;
    n->vertex = v;
    *slot = n;
  }
  return *slot;
}

SymEnv *sym_env(Lower *l, SymEnv *up, SymNode *node) {
  SymEnv *e = cue_new(l->a, SymEnv);
  *e = (SymEnv){.up = up, .node = node};
  return e;
}

SymEnv *env_of(Lower *l, Env *env) {
  if (!env || !env->vertex) return NULL;
  void **slot = static_slot(l, env);
  if (!*slot) {
    SymEnv *e = sym_env(l, env_of(l, env->up), sym_node_of(l, env->vertex));
    e->dynamic_label = env->dynamic_label;
    *static_slot(l, env) = e;
    return e;
  }
  return *slot;
}

/* ---- what is said ---- */

static bool add(Lower *l, SymNode *n, SymEnv *env, Ir *x, const Plan *guard);

static SymField *field_of(Lower *l, SymNode *n, Label label, bool make) {
  for (uint32_t i = 0; i < n->fields.n; i++)
    if (n->fields.at[i].label == label) return &n->fields.at[i];
  if (!make) return NULL;
  cue_push(l->a, &n->fields, (SymField){.label = label});
  return &n->fields.at[n->fields.n - 1];
}

static void add_part(Lower *l, SymNode *n, Label label, SymEnv *env, Ir *x, uint8_t arc_type, const Plan *guard) {
  SymField *f = field_of(l, n, label, true);
  if (f->child) lower_fail(l, x->pos, "a field that is asked for before all is said about it");
  cue_push(l->a, &f->parts, (SymPart){guard, env, x, arc_type});
}

typedef struct {
  SymNode *n;
} IntoNode;

/* The value of a comprehension in a struct: its fields are the struct's. */
static bool comp_into_node(Lower *l, SymEnv *env, Ir *value, const Plan *guard, void *arg) {
  return add(l, ((IntoNode *)arg)->n, env, value, guard);
}

static bool add_dynamic(Lower *l, SymNode *n, SymEnv *env, IrDynamic *d, const Plan *guard) {
  const Plan *key = expr_plan(l, env, d->key);
  if (!key) return false;
  if (key->kind == PLAN_CONST) {
    if (key->value.kind != CUE_STRING) return lower_fail(l, d->pos, "the name of a field is no string");
    add_part(l, n, label_string(l->c->labels, cue_value_str(key->value)), env, d->value, d->arc_type, guard);
    return true;
  }
  if (d->arc_type != ARC_MEMBER) return lower_fail(l, d->pos, "an optional field whose name depends on inputs");
  const Plan *value = expr_plan(l, env, d->value);
  if (!value) return false;
  PlanItem *it = cue_new(l->a, PlanItem);
  *it = (PlanItem){.kind = PLAN_DYNAMIC, .name = key, .value = value};
  if (guard) {
    PlanItem when = {.kind = PLAN_WHEN, .value = guard, .items = it, .n = 1};
    cue_push(l->a, &n->items, when);
  } else {
    cue_push(l->a, &n->items, *it);
  }
  return true;
}

/* What is said of every field is checked when all are there. */
static bool add_pattern(Lower *l, SymNode *n, SymEnv *env, IrPattern *p, const Plan *guard) {
  if (!plan_is_true(guard) || p->label || depends(l, env, p->filter) || depends(l, env, p->value))
    return lower_fail(l, p->pos, "a pattern that depends on inputs");
  Ir *filter = static_value(l, env, p->filter), *value = filter ? static_value(l, env, p->value) : NULL;
  if (!value) return false;
  const PlanSchema *s = lower_pattern(l->c, filter, cue_vertex_of(l->e, value));
  if (!s) return lower_fail(l, p->pos, "a pattern that is not of a simple kind");
  cue_push(l->a, &n->schemas, s);
  return true;
}

static bool add_literal(Lower *l, SymNode *n, SymEnv *up, IrStruct *s, const Plan *guard) {
  ir_struct_read(s);
  SymEnv *env = sym_env(l, up, n);
  n->is_struct = true;
  for (uint32_t i = 0; i < s->n; i++) {
    Ir *d = s->decls[i];
    switch (d->kind) {
    case IR_FIELD: add_part(l, n, IR_AS(IrField, d)->label, env, IR_AS(IrField, d)->value, d->arc_type, guard); break;
    case IR_LET: {
      SymField f = {.label = IR_AS(IrField, d)->label};
      cue_push(l->a, &f.parts, (SymPart){NULL, env, IR_AS(IrField, d)->value, ARC_MEMBER});
      cue_push(l->a, &n->lets, f);
      break;
    }
    case IR_DYNAMIC:
    case IR_COMPREHENSION: cue_push(l->a, &n->later, (SymPart){guard, env, d, ARC_MEMBER}); break;
    case IR_ELLIPSIS: break; /* what is built is not checked for what it may have: schemas do that */
    case IR_PATTERN:
      if (!add_pattern(l, n, env, IR_AS(IrPattern, d), guard)) return false;
      break;
    default: cue_push(l->a, &n->embeds, (SymPart){guard, env, d, ARC_MEMBER}); break;
    }
  }
  return true;
}

/* Looks at what was put off. Fields that are written out are all known by then, and may be asked for. */
static bool settle(Lower *l, SymNode *n) {
  if (n->settling || n->kind != NODE_VIRTUAL) return true;
  n->settling = true;
  bool ok = true;
  for (uint32_t e = 0, c = 0; ok && (e < n->embeds.n || c < n->later.n);) {
    if (e < n->embeds.n) {
      SymPart p = n->embeds.at[e++];
      ok = add(l, n, p.env, p.x, p.guard);
      continue;
    }
    SymPart p = n->later.at[c++];
    IntoNode into = {n};
    ok = p.x->kind == IR_DYNAMIC
             ? add_dynamic(l, n, p.env, IR_AS(IrDynamic, p.x), p.guard)
             : comp_each(l, p.env, IR_AS(IrComprehension, p.x), 0, p.guard, comp_into_node, &into, false);
  }
  n->embeds.n = n->later.n = 0;
  n->settling = false;
  return ok && !l->why.n;
}

/* A vertex that is a schema is kept as one; otherwise it is a function, and what is said about it is added. */
static bool add_vertex(Lower *l, SymNode *n, Vertex *v, const Plan *guard, CuePos at) {
  Vertex *d = vertex_known(l, v);
  if (schema_is_type(d)) {
    if (!plan_is_true(guard)) return lower_fail(l, at, "a type under a condition");
    cue_push(l->a, &n->types, d);
    return true;
  }
  if (!d->more->structs.n) {
    cue_finalize(l->e, d);
    d = vertex_deref(d);
    const PlanSchema *s = lower_schema(l->c, d);
    if (s && s->has_default && (!plan_is_true(guard) || s->kind == SCHEMA_ENUM)) {
      /* Where something else is said as well, the two must agree, or the plan gives up. */
      cue_push(l->a, &n->data, (SymData){guard, plan_const(l, s->value)});
      return true;
    }
    if (s && !plan_is_true(guard)) return lower_fail(l, at, "a constraint under a condition");
    if (s) {
      cue_push(l->a, &n->schemas, s);
      return true;
    }
  }
  if (++l->depth > 200) return lower_fail(l, at, "definitions nested too deep");
  for (uint32_t i = 0; i < d->conjuncts.n; i++) {
    Conjunct *c = &d->conjuncts.at[i];
    Ir *x = conjunct_elem(c->x);
    if (x->kind == IR_COMPREHENSION || x->kind == IR_GROUP) return lower_fail(l, at, "a field made by a comprehension");
    if (!add(l, n, env_of(l, c->env), x, guard)) return false;
  }
  l->depth--;
  return true;
}

static bool add(Lower *l, SymNode *n, SymEnv *env, Ir *x, const Plan *guard) {
  switch (x->kind) {
  case IR_STRUCT: return add_literal(l, n, env, IR_AS(IrStruct, x), guard);
  case IR_TOP: return true;
  case IR_BINARY:
    if (x->op != TOK_AND) break;
    if (!plan_is_true(guard)) { /* a value of its own: what is said in it holds for it alone */
      const Plan *whole = expr_plan(l, env, x);
      if (whole) cue_push(l->a, &n->data, (SymData){guard, whole});
      n->is_struct = true;
      return whole != NULL;
    }
    return add(l, n, env, IR_AS(IrBinary, x)->x, guard) && add(l, n, env, IR_AS(IrBinary, x)->y, guard);
  case IR_VERTEX: return add_vertex(l, n, IR_AS(Vertex, x), guard, x->pos);
  default: break;
  }
  if (!depends(l, env, x) && !ir_is_resolver(x)) {
    cue_push(l->a, &n->values, (SymPart){guard, env, x, ARC_MEMBER});
    return true;
  }
  Sym s = sym_eval(l, env, x);
  switch (s.kind) {
  case SYM_FAILED: return false;
  case SYM_VERTEX: return add_vertex(l, n, s.vertex, guard, x->pos);
  case SYM_NODE: {
    const Plan *both = plan_and(l, guard, s.guard);
    if (!settle(l, s.node)) return false;
    if (!s.node->is_struct || s.node->items.n || s.node->data.n) break;
    SymParts said = s.node->said; /* may be the same node */
    for (uint32_t i = 0; i < said.n; i++)
      if (!add(l, n, said.at[i].env, said.at[i].x, plan_and(l, both, said.at[i].guard))) return false;
    return true;
  }
  default: break;
  }
  const Plan *p = sym_plan(l, s, x->pos);
  if (!p) return false;
  cue_push(l->a, &n->data, (SymData){guard, p});
  return true;
}

bool sym_add(Lower *l, SymNode *n, SymEnv *env, Ir *x, const Plan *guard) {
  cue_push(l->a, &n->said, (SymPart){guard, env, x, ARC_MEMBER});
  return add(l, n, env, x, guard);
}

/* ---- fields ---- */

static SymNode *child_of(Lower *l, SymField *f) {
  if (f->child) return f->child;
  SymNode *c = sym_node_new(l);
  f->child = c;
  SymParts parts = f->parts;
  for (uint32_t i = 0; i < parts.n; i++) {
    /* Where a field is not there, what is said about it does not count; guards of one part alone say when it counts. */
    const Plan *guard = parts.n > 1 ? parts.at[i].guard : NULL;
    if (!sym_add(l, c, parts.at[i].env, parts.at[i].x, guard)) return NULL;
  }
  return c;
}

/* When a field is there: NULL for always; false if nothing says so. */
static const Plan *presence(Lower *l, const SymField *f) {
  const Plan *any = plan_const(l, cue_bool(false));
  for (uint32_t i = 0; i < f->parts.n; i++) {
    if (f->parts.at[i].arc_type != ARC_MEMBER) continue;
    if (plan_is_true(f->parts.at[i].guard)) return NULL;
    any = plan_is_false(any) ? f->parts.at[i].guard : plan_new_op(l, PLAN_OR, any, f->parts.at[i].guard);
  }
  return any;
}

/* Nothing but one value that depends on inputs. */
static bool is_plain(const SymNode *n) {
  return n->kind == NODE_VIRTUAL && n->data.n == 1 && !n->data.at[0].guard && !n->is_struct && !n->values.n &&
         !n->schemas.n && !n->types.n && !n->items.n;
}

Sym sym_field(Lower *l, SymNode *n, Label label) {
  switch (n->kind) {
  case NODE_STATIC: {
    Vertex *arc = vertex_arc(vertex_known(l, n->vertex), label);
    return arc ? (Sym){.kind = SYM_VERTEX, .vertex = arc} : (Sym){.kind = SYM_ABSENT};
  }
  case NODE_SCOPE:
    if (label == n->key) return n->key_sym;
    if (label == n->value) return n->value_sym;
    return (Sym){.kind = SYM_FAILED};
  case NODE_VIRTUAL: break;
  }
  if (!settle(l, n)) return (Sym){.kind = SYM_FAILED};
  SymField *f = field_of(l, n, label, false);
  if (!f) {
    if (!n->data.n) return (Sym){.kind = SYM_ABSENT};
    const Plan *whole = sym_node_plan(l, n);
    if (!whole) return (Sym){.kind = SYM_FAILED};
    return (Sym){.kind = SYM_PLAN, .plan = plan_new_get(l, whole, label_name(l->c->labels, label))};
  }
  const Plan *guard = presence(l, f);
  if (plan_is_false(guard)) return (Sym){.kind = SYM_ABSENT};
  SymNode *c = child_of(l, f);
  if (!c) return (Sym){.kind = SYM_FAILED};
  if (is_plain(c)) return (Sym){.kind = SYM_PLAN, .plan = plan_when(l, guard, c->data.at[0].plan)};
  return (Sym){.kind = SYM_NODE, .node = c, .guard = guard};
}

/* ---- data ---- */

static const Plan *checked(Lower *l, const SymNode *n, const Plan *p) {
  for (uint32_t i = 0; i < n->schemas.n; i++) {
    if (n->schemas.at[i]->kind == SCHEMA_ANY) continue;
    Plan *c = plan_begin(l);
    c->kind = PLAN_CHECK;
    c->x = p;
    c->schema = n->schemas.at[i];
    p = plan_fold(l, c);
  }
  for (uint32_t i = 0; p && i < n->types.n; i++)
    p = plan_typed(l, p, n->types.at[i], n->said.n ? n->said.at[0].x->pos : 0);
  return p;
}

/* What is said must be there where its guard holds: a reference to nothing is an error. */
static const Plan *data_plan(Lower *l, const SymData *d) { return plan_when(l, d->guard, plan_must(l, d->plan)); }

static const Plan *struct_plan(Lower *l, SymNode *n) {
  CUE_VEC(PlanItem) items = {0};
  for (uint32_t i = 0; i < n->fields.n; i++) {
    Label label = n->fields.at[i].label;
    if (!label_is_string(label)) {
      /* Not written, but what it refers to must be there all the same. */
      const SymNode *c = n->fields.at[i].child;
      const Plan *must = c && is_plain(c) ? plan_must(l, c->data.at[0].plan) : NULL;
      if (must && must->kind == PLAN_MUST && !presence(l, &n->fields.at[i]))
        cue_push(l->a, &items, (PlanItem){.kind = PLAN_WHEN, .value = plan_new(l, PLAN_PRESENT, must, NULL)});
      continue;
    }
    const Plan *guard = presence(l, &n->fields.at[i]);
    if (plan_is_false(guard)) {
      for (uint32_t k = 0; k < n->fields.at[i].parts.n; k++)
        if (n->fields.at[i].parts.at[k].arc_type == ARC_REQUIRED) {
          lower_fail(l, n->fields.at[i].parts.at[k].x->pos, "a required field that is not set");
          return NULL;
        }
      continue;
    }
    SymNode *c = child_of(l, &n->fields.at[i]);
    const Plan *v = c ? sym_node_plan(l, c) : NULL;
    if (!v) return NULL;
    PlanItem it = {.kind = PLAN_FIELD, .key = label_name(l->c->labels, label), .value = plan_must(l, v)};
    if (guard) {
      PlanItem *inner = cue_new(l->a, PlanItem);
      *inner = it;
      it = (PlanItem){.kind = PLAN_WHEN, .value = guard, .items = inner, .n = 1};
    }
    cue_push(l->a, &items, it);
  }
  for (uint32_t i = 0; i < n->items.n; i++) cue_push(l->a, &items, n->items.at[i]);
  for (uint32_t i = 0; i < n->data.n; i++)
    cue_push(l->a, &items, (PlanItem){.kind = PLAN_SPREAD, .value = data_plan(l, &n->data.at[i])});
  Plan *p = plan_begin(l);
  p->kind = PLAN_STRUCT;
  p->items = items.at;
  p->n = items.n;
  bool known = true;
  for (uint32_t i = 0; i < p->n; i++) known &= items.at[i].kind == PLAN_FIELD && items.at[i].value->kind == PLAN_CONST;
  return known ? plan_fold(l, p) : p;
}

/* Values that are no structs: data must agree, and satisfy what is no data. */
static const Plan *scalar_plan(Lower *l, SymNode *n) {
  CUE_VEC(const Plan *) data = {0};
  Vertex *all = vertex_inline(l->e, NULL);
  uint32_t abstract = 0;
  bool alone = n->data.n == 1 && !n->data.at[0].guard && !n->values.n;
  for (uint32_t i = 0; i < n->data.n; i++)
    cue_push(l->a, &data, alone ? n->data.at[i].plan : data_plan(l, &n->data.at[i]));
  for (uint32_t i = 0; i < n->values.n; i++) {
    SymPart *v = &n->values.at[i];
    Ir *x = static_value(l, v->env, v->x);
    if (!x) return NULL;
    Bottom *why = NULL;
    CueValue got = cue_vertex_data(l->e, l->a, cue_vertex_of(l->e, x), false, &why);
    /* A default is one only as long as nothing else is said. */
    bool is_data = !why && ir_is_concrete(x);
    if (is_data) {
      cue_push(l->a, &data, plan_when(l, v->guard, plan_const(l, got)));
      continue;
    }
    if (v->guard && !plan_is_true(v->guard)) {
      lower_fail(l, v->x->pos, "a constraint under a condition");
      return NULL;
    }
    cue_push(l->a, &all->conjuncts, (Conjunct){.env = &l->e->empty_env, .x = x});
    abstract++;
  }
  const PlanSchema *s = NULL;
  if (abstract) {
    cue_finalize(l->e, all);
    s = lower_schema(l->c, all);
    if (!s) {
      lower_fail(l, n->values.at[0].x->pos, "a constraint that is not of a simple kind");
      return NULL;
    }
  }
  if (!data.n) {
    for (uint32_t i = 0; i < n->schemas.n; i++) s = s ? s : n->schemas.at[i];
    if (s && s->has_default && n->schemas.n + abstract == 1) return plan_const(l, s->value);
    lower_fail(l, n->said.n ? n->said.at[0].x->pos : 0, "a field without a value");
    return NULL;
  }
  const Plan *p = data.at[0];
  if (data.n > 1) {
    Plan *u = plan_begin(l);
    u->kind = PLAN_UNIFY;
    u->at = data.at;
    u->n = data.n;
    p = plan_fold(l, u);
  }
  if (s) {
    if (s->has_default) {
      lower_fail(l, n->values.at[0].x->pos, "a value that may meet a default");
      return NULL;
    }
    Plan *c = plan_begin(l);
    c->kind = PLAN_CHECK;
    c->x = p;
    c->schema = s;
    p = plan_fold(l, c);
  }
  return p;
}

const Plan *sym_node_plan(Lower *l, SymNode *n) {
  if (n->plan) return n->plan;
  if (n->under_way) {
    lower_fail(l, n->said.n ? n->said.at[0].x->pos : 0, "a value that depends on itself");
    return NULL;
  }
  if (!settle(l, n)) return NULL;
  n->under_way = true;
  const Plan *p = NULL;
  CuePos around = l->pos;
  if (n->said.n && cue_pos_known(n->said.at[0].x->pos)) l->pos = n->said.at[0].x->pos;
  if (n->is_struct && n->values.n)
    lower_fail(l, n->values.at[0].x->pos, "a struct and something else at once");
  else if (n->is_struct && !n->fields.n && !n->items.n && n->data.n == 1 && !n->data.at[0].guard)
    p = scalar_plan(l, n); /* {x} is x */
  else
    p = n->is_struct ? struct_plan(l, n) : scalar_plan(l, n);
  n->under_way = false;
  n->plan = p ? checked(l, n, p) : NULL;
  l->pos = around;
  return n->plan;
}
