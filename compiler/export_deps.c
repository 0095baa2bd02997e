/* export_deps.c - finds the references of a value, and of what they lead to.
**
** Conjuncts are walked as written. The fields of a literal have no vertex here (its environment
** holds the empty node), so that only references that lead out of the literal resolve; those are
** told. A reference into a struct made on the spot is followed to the references that made it.
*/
#include "compiler/export.h"
#include "compiler/export_deps.h"

typedef struct {
  Env *env;
  Ir *ref;
} Step;

typedef struct {
  Exporter *x;
  DepVisit *found;
  void *arg;
  Vertex *node;           /* whose conjuncts are walked */
  const IrImport *import; /* the package in which the walk is, NULL for the own one */
  bool all;               /* also what becomes part of other fields */
  Ir *top_ref;
  CUE_VEC(Step) path; /* selections still to be made in what is found */
  uint32_t count;
  uint32_t lets; /* lets whose values are being walked */
  Table seen;    /* references of conjuncts, by environment */
  Table seen_inner;
} Deps;

static void dep_expr(Deps *d, Env *env, Ir *v);

static Env *env_inner(Deps *d, Env *env) { return env_new(d->x->e, env, &d->x->e->empty_node); }

static const IrImport *import_of(const Ir *r) {
  for (;;) {
    if (r->kind == IR_IMPORT_REF) return IR_AS(const IrImport, r);
    if (r->kind == IR_SELECTOR)
      r = IR_AS(const IrSelector, r)->x;
    else if (r->kind == IR_INDEX)
      r = IR_AS(const IrIndex, r)->x;
    else
      return NULL;
  }
}

static bool has_let_parent(const Vertex *v) {
  for (; v; v = v->parent)
    if (label_is_let(v->label)) return true;
  return false;
}

static bool is_detached(const Vertex *v) {
  for (; v; v = v->parent)
    if (!v->non_rooted && !label_is_let(v->label) && !v->is_dynamic) return false;
  return true;
}

/* Does r begin with a name of a literal that is being walked? */
static bool is_local(const Deps *d, Env *env, const Ir *r) {
  while (r->kind == IR_SELECTOR || r->kind == IR_INDEX) {
    const Ir *of = r->kind == IR_SELECTOR ? IR_AS(const IrSelector, r)->x : IR_AS(const IrIndex, r)->x;
    if (!ir_is_resolver(of)) break;
    r = of;
  }
  if (r->kind == IR_FIELD_REF)
    for (uint32_t i = 0; env && i < IR_AS(const IrRef, r)->up; i++) env = env->up;
  return env && env->vertex == &d->x->e->empty_node;
}

static Label selected(Deps *d, const Step *s) {
  if (s->ref->kind == IR_SELECTOR) return IR_AS(IrSelector, s->ref)->sel;
  if (s->ref->kind != IR_INDEX) return 0;
  Ir *i = export_eval(d->x, s->env, IR_AS(IrIndex, s->ref)->index);
  if (i) i = ir_unwrap(i);
  if (!i || i->kind != IR_SCALAR) return 0;
  CueValue v = IR_AS(IrScalar, i)->v;
  if (v.kind == CUE_STRING) return label_string(d->x->e->labels, cue_value_str(v));
  bool index = v.kind == CUE_INT && v.form == CUE_PLAIN && v.as.i >= 0 && v.as.i < (int64_t)LABEL_MAX_INT;
  return index ? label_int((uint32_t)v.as.i) : 0;
}

static void dep_conjunct(void *arg, const Conjunct *c) { dep_expr(arg, c->env, conjunct_elem(c->x)); }

static void dep_conjuncts(Deps *d, Vertex *v) { conjuncts_each(v->conjuncts.at, v->conjuncts.n, dep_conjunct, d); }

static void dep_inner(Deps *d, Env *env, Ir *r, Vertex *v) {
  if (table_has(&d->seen_inner, KEY(r))) return;
  *table_slot(d->x->a, &d->seen_inner, KEY(r)) = r;
  bool all = d->all, let = label_is_let(v->label);
  d->lets += let;
  dep_conjuncts(d, v);
  d->lets -= let;
  d->all = false;
  Ir *of = r->kind == IR_SELECTOR ? IR_AS(IrSelector, r)->x : r->kind == IR_INDEX ? IR_AS(IrIndex, r)->x : NULL;
  Vertex *w = NULL;
  if (of && ir_is_resolver(of)) {
    w = export_resolve(d->x, env, of);
  } else if (of) {
    Ir *value = export_eval(d->x, env, of);
    if (value && value->kind == IR_VERTEX) w = IR_AS(Vertex, value);
  }
  if (w) {
    cue_finalize(d->x->e, w);
    cue_push(d->x->a, &d->path, (Step){env, r});
    dep_conjuncts(d, w);
    d->path.n--;
  }
  d->all = all;
}

static void dep_report(Deps *d, Env *env, Ir *ref, Vertex *v) {
  if (v == d->node || v == &d->x->e->empty_node) return;
  Ir *top_ref = d->top_ref, *means = ref;
  if (!d->top_ref && !d->path.n) d->top_ref = ref;
  bool inspect = is_detached(v) || label_is_let(v->label) || v->anonymous;
  bool done = false;
  if (inspect) {
    uint32_t before = d->count;
    dep_inner(d, env, ref, v);
    done = (ref->kind != IR_FIELD_REF && is_local(d, env, ref)) || d->count > before;
  }
  /* What a let takes from the struct it stands in, which was made on the spot, stays with that struct. */
  bool own = d->lets && inspect && is_detached(v);
  if (!done && !own && !has_let_parent(v)) {
    for (uint32_t i = d->path.n; i-- > 0;) {
      Label l = selected(d, &d->path.at[i]);
      Vertex *w = l ? vertex_arc(v, l) : NULL;
      if (!w) break;
      means = i == 0 && d->top_ref ? d->top_ref : d->path.at[i].ref;
      v = vertex_deref(w);
    }
    if (inspect && !d->path.n && d->top_ref) means = d->top_ref;
    const IrImport *saved = d->import, *import = import_of(ref);
    if (import) d->import = import;
    d->count++;
    cue_finalize(d->x->e, v);
    if (d->found(d->arg, v, means, d->import)) {
      bool all = d->all;
      Vertex *node = d->node;
      d->all = true;
      d->node = v;
      dep_conjuncts(d, v);
      d->all = all;
      d->node = node;
    }
    d->import = saved;
  }
  d->top_ref = top_ref;
}

static void dep_reference(Deps *d, Env *env, Ir *r) {
  uint64_t key = KEY(r) * 31 + KEY(env) + 1;
  if (table_has(&d->seen, key)) return;
  Vertex *v = export_resolve(d->x, env, r);
  *table_slot(d->x->a, &d->seen, key) = r;
  if (v) {
    dep_report(d, env, r, vertex_deref_non_rooted(v));
  } else if (r->kind == IR_INDEX) { /* not known yet: its parts may be */
    dep_expr(d, env, IR_AS(IrIndex, r)->x);
    dep_expr(d, env, IR_AS(IrIndex, r)->index);
  } else if (r->kind == IR_SELECTOR) {
    dep_expr(d, env, IR_AS(IrSelector, r)->x);
  }
}

static void dep_field(Deps *d, Env *env, Ir *v) {
  if (v && d->all) dep_expr(d, env, v);
}

static void dep_comprehension(Deps *d, Env *env, IrComprehension *c) {
  Env *outer = env;
  for (uint32_t i = 0; i < c->n; i++) {
    Ir *cl = c->clauses[i];
    if (cl->kind == IR_IF) {
      dep_expr(d, env, IR_AS(IrUnary, cl)->x);
      continue;
    }
    if (cl->kind == IR_TRY && !IR_AS(IrField, cl)->value) continue;
    dep_expr(d, env, cl->kind == IR_FOR ? IR_AS(IrFor, cl)->source : IR_AS(IrField, cl)->value);
    env = env_inner(d, env);
  }
  if (c->run && c->run->envs.n) env = c->run->envs.at[0];
  for (uint32_t i = comprehension_nest(c); i > 0; i--) env = env_inner(d, env);
  dep_expr(d, env, conjunct_expr(c->value));
  if (c->fallback) dep_expr(d, outer, c->fallback);
}

static void dep_decl(Deps *d, Env *env, Ir *v) {
  switch (v->kind) {
  case IR_FIELD: dep_field(d, env, IR_AS(IrField, v)->value); return;
  case IR_PATTERN:
    dep_expr(d, env, IR_AS(IrPattern, v)->filter);
    dep_field(d, env, IR_AS(IrPattern, v)->value);
    return;
  case IR_DYNAMIC:
    dep_expr(d, env, IR_AS(IrDynamic, v)->key);
    dep_field(d, env, IR_AS(IrDynamic, v)->value);
    return;
  case IR_ELLIPSIS: dep_field(d, env, IR_AS(IrUnary, v)->x); return;
  case IR_LET: return;
  default: dep_expr(d, env, v);
  }
}

static void dep_parts(Deps *d, Env *env, Ir *v) {
  switch (v->kind) {
  case IR_BINARY:
    dep_expr(d, env, IR_AS(IrBinary, v)->x);
    dep_expr(d, env, IR_AS(IrBinary, v)->y);
    return;
  case IR_UNARY:
  case IR_OPEN:
  case IR_BOUND_EXPR: dep_expr(d, env, IR_AS(IrUnary, v)->x); return;
  case IR_INTERPOLATION:
    for (uint32_t i = 1; i < IR_AS(IrInterpolation, v)->n; i += 2)
      dep_expr(d, env, IR_AS(IrInterpolation, v)->parts[i]);
    return;
  case IR_CALL: {
    IrCall *c = IR_AS(IrCall, v);
    bool all = d->all;
    dep_expr(d, env, c->fun);
    d->all = true;
    for (uint32_t i = 0; i < c->n; i++) dep_expr(d, env, c->args[i]);
    d->all = all;
    return;
  }
  case IR_DISJUNCTION_EXPR:
    for (uint32_t i = 0; i < IR_AS(IrDisjunctionExpr, v)->n; i++)
      dep_expr(d, env, IR_AS(IrDisjunctionExpr, v)->at[i].x);
    return;
  case IR_SLICE:
    dep_expr(d, env, IR_AS(IrSlice, v)->x);
    dep_expr(d, env, IR_AS(IrSlice, v)->lo);
    dep_expr(d, env, IR_AS(IrSlice, v)->hi);
    return;
  case IR_LIST: {
    IrList *l = IR_AS(IrList, v);
    Env *inner = env_inner(d, env);
    for (uint32_t i = 0; i < l->n; i++) {
      Ir *el = l->elems[i];
      if (el->kind == IR_COMPREHENSION)
        dep_comprehension(d, inner, IR_AS(IrComprehension, el));
      else
        dep_field(d, inner, el->kind == IR_ELLIPSIS ? IR_AS(IrUnary, el)->x : el);
    }
    return;
  }
  case IR_STRUCT: {
    Env *inner = env_inner(d, env);
    IrStruct *s = IR_AS(IrStruct, v);
    ir_struct_read(s);
    for (uint32_t i = 0; i < s->n; i++) dep_decl(d, inner, s->decls[i]);
    return;
  }
  case IR_COMPREHENSION: dep_comprehension(d, env, IR_AS(IrComprehension, v)); return;
  default: return;
  }
}

static void dep_expr(Deps *d, Env *env, Ir *v) {
  if (!v) return;
  if (ir_is_resolver(v)) {
    if (v->kind != IR_NODE_LINK) dep_reference(d, env, v);
    return;
  }
  Ir *top_ref = d->top_ref;
  d->top_ref = NULL;
  dep_parts(d, env, v);
  d->top_ref = top_ref;
}

void deps_visit(Exporter *x, Vertex *v, DepVisit *found, void *arg) {
  Deps d = {.x = x, .found = found, .arg = arg, .node = v, .all = true};
  dep_conjuncts(&d, v);
}
