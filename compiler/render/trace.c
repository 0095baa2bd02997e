/* trace.c - from a field to the declarations that made it.
**
** A vertex knows the conjuncts that were unified into it, each with the environment in which its
** names are resolved. So a trace asks each conjunct what it says by itself, and goes on with the
** vertices its references lead to, until there are only literals.
**
** A conjunct of a field may have come from afar: of `labels: #context.labels` each field below has
** the conjuncts of #context.labels, and none that tells of the reference. What brought a conjunct
** is found by going up from its field: some conjunct of each vertex above either has the
** declaration in its text, perhaps in a comprehension, whose clauses then are conditions, or
** refers to a vertex that has.
*/
#include "compiler/render/trace.h"

#include "compiler/export.h"
#include "compiler/render/program.h"

enum {
  TRACE_STEPS = 2000, /* of one trace: beyond it nobody reads on */
  TRACE_DEPTH = 60,
  VIA_DEPTH = 8, /* references within references from one struct to another */
};

typedef CUE_VEC(Vertex *) Trail; /* from a root down to a field; fields as found, not dereferenced */

struct Tracer {
  CueContext *c;
  Eval *e;
  CueArena *a;
  Exporter x; /* for its ways to resolve and evaluate */
  TracePlaces places;
  Vertex *base; /* values before an environment had its say; NULL if there is none */
  CUE_VEC(Vertex *) active;
  uint32_t made;
};

static void steps_at(Tracer *t, Trail trail, TraceSteps *out);

Tracer *trace_new(CueContext *c, const RenderModule *m, const RenderRelease *r, const RenderTransformers *p) {
  Tracer *t = cue_new(c->a, Tracer);
  *t = (Tracer){.c = c, .e = c->eval, .a = c->a, .x = {.e = c->eval, .a = c->a}, .places = {c, m, r}};
  trace_places(&t->places, p);
  if (!r->env) return t;
  CueDiags none = {.a = c->a};
  CueStr text = cue_strf(c->a, "base: %.*s.values\n", CUE_FMT(m->release ? m->given : m->expr));
  Instance *base = program_make(c, text, (ProgramImport[]){{"module", m->package}}, 1, &none);
  t->base = base ? program_field(c, base->root, "base") : NULL;
  return t;
}

/* ---- trails ---- */

static Trail trail_to(Tracer *t, Vertex *v) {
  Trail up = {0}, down = {0};
  /* The variable of a for clause has nothing but a value: the field it stands for. */
  while (!v->conjuncts.n && v->base && v->base->kind == IR_VERTEX) v = IR_AS(Vertex, v->base);
  for (Vertex *p = v; p && up.n < CUE_MAX_DEPTH; p = p->parent) cue_push(t->a, &up, p);
  for (uint32_t i = up.n; i-- > 0;) cue_push(t->a, &down, up.at[i]);
  return down;
}

static Trail trail_below(Tracer *t, Trail above, Vertex *arc) {
  Trail d = {0};
  for (uint32_t i = 0; i < above.n; i++) cue_push(t->a, &d, above.at[i]);
  cue_push(t->a, &d, arc);
  return d;
}

static Vertex *trail_end(Trail t) { return t.at[t.n - 1]; }

static Vertex *find_arc(Tracer *t, Vertex *v, Label l) {
  Vertex *arc = vertex_arc(vertex_deref(vertex_default(t->e, v)), l);
  return arc && vertex_defined(t->e, arc) ? arc : NULL;
}

static Label index_label(Tracer *t, Env *env, Ir *index) {
  Ir *i = export_eval(&t->x, env, index);
  if (i) i = ir_unwrap(i);
  if (!i || i->kind != IR_SCALAR) return 0;
  CueValue v = IR_AS(IrScalar, i)->v;
  if (v.kind == CUE_STRING) return label_string(t->c->labels, cue_value_str(v));
  bool small = v.kind == CUE_INT && v.form == CUE_PLAIN && v.as.i >= 0 && v.as.i < (int64_t)LABEL_MAX_INT;
  return small ? label_int((uint32_t)v.as.i) : 0;
}

/* Where a reference leads. Selections are made one by one: each field passed may be a reference itself. */
static bool resolve(Tracer *t, Env *env, Ir *ref, Trail *out) {
  Ir *of = ref->kind == IR_SELECTOR ? IR_AS(IrSelector, ref)->x : ref->kind == IR_INDEX ? IR_AS(IrIndex, ref)->x : NULL;
  Trail above;
  if (of && ir_is_resolver(of) && resolve(t, env, of, &above)) {
    Label l = ref->kind == IR_SELECTOR ? IR_AS(IrSelector, ref)->sel : index_label(t, env, IR_AS(IrIndex, ref)->index);
    Vertex *arc = l ? find_arc(t, trail_end(above), l) : NULL;
    if (arc) {
      *out = trail_below(t, above, arc);
      return true;
    }
  }
  Vertex *v = export_resolve(&t->x, env, ref);
  if (!v || v == &t->e->empty_node) return false;
  *out = trail_to(t, v);
  cue_finalize(t->e, trail_end(*out));
  return true;
}

/* ---- conjuncts ---- */

typedef struct {
  Env *env;              /* in which the value of the declaration is evaluated */
  Ir *decl;              /* a declaration, or an expression */
  IrComprehension *part; /* the field is part of this comprehension; NULL if of none */
  Env *outer;            /* in which the comprehension stands */
} Said;
typedef CUE_VEC(Said) SaidList;

/* The environments of the structs that a part of a comprehension lies in, as the evaluator makes them. */
static Env *part_env(Tracer *t, Env *env, const IrComprehension *c) {
  return c->parent ? env_new(t->e, part_env(t, env, c->parent), c->arc) : env;
}

typedef struct {
  Tracer *t;
  SaidList *out;
} SaidVisit;

static void add_said(void *arg, const Conjunct *c) {
  SaidVisit *s = arg;
  Tracer *t = s->t;
  if (c->x->kind == IR_VERTEX) {
    Vertex *v = IR_AS(Vertex, c->x);
    conjuncts_each(v->conjuncts.at, v->conjuncts.n, add_said, arg);
  } else if (c->x->kind == IR_COMPREHENSION) {
    IrComprehension *p = IR_AS(IrComprehension, c->x);
    for (uint32_t i = 0; p->run && i < p->run->envs.n; i++)
      cue_push(t->a, s->out, (Said){part_env(t, p->run->envs.at[i], p), p->value, p, c->env});
  } else {
    cue_push(t->a, s->out, (Said){c->env, c->x, NULL, NULL});
  }
}

static SaidList said_of(Tracer *t, Vertex *v) {
  SaidList out = {0};
  conjuncts_each(v->conjuncts.at, v->conjuncts.n, add_said, &(SaidVisit){t, &out});
  return out;
}

static bool in_program(const Tracer *t, const Ir *x) { return program_place(t->c, x->src ? x->src->pos : x->pos); }

/* ---- steps ---- */

static TraceStep *step_new(Tracer *t, const Ir *x) {
  TraceStep *s = cue_new(t->a, TraceStep);
  s->pos = x->src ? x->src->pos : x->pos;
  s->text = trace_text(&t->places, x->src);
  TracePlace p = trace_place(&t->places, s->pos);
  s->role = p.role;
  s->path = p.path;
  s->value = cue_error(CUE_STR(""));
  t->made++;
  return s;
}

static bool same_step(const TraceStep *x, const TraceStep *y) {
  return cue_pos_offset(x->pos) == cue_pos_offset(y->pos) && cue_pos_known(x->pos);
}

static void add_steps(Tracer *t, TraceSteps *out, const TraceSteps *more);

/* Once is enough. What is passed on in the same way is told together. */
static void add_step(Tracer *t, TraceSteps *out, TraceStep *s) {
  for (uint32_t i = 0; i < out->n; i++)
    if (same_step(out->at[i], s)) {
      if (s->kind == TRACE_PASSES && out->at[i]->kind == TRACE_PASSES) add_steps(t, &out->at[i]->from, &s->from);
      return;
    }
  cue_push(t->a, out, s);
}

static void add_steps(Tracer *t, TraceSteps *out, const TraceSteps *more) {
  for (uint32_t i = 0; i < more->n; i++) add_step(t, out, more->at[i]);
}

/* ---- what an expression says by itself ---- */

typedef enum { SAYS_NOTHING, SAYS_DEFAULT, SAYS_VALUE } Says; /* ORDER: the larger wins */

typedef struct {
  Says says;
  bool literal; /* a value written here, not found by a reference */
  CueValue value;
  TraceSteps from;
} Part;

static Says says(Ir *v, CueValue *out) {
  *out = cue_error(CUE_STR(""));
  if (!v) return SAYS_NOTHING;
  v = ir_unwrap(v);
  Says s = SAYS_VALUE;
  if (v && v->kind == IR_DISJUNCTION) {
    if (IR_AS(IrDisjunction, v)->ndefaults != 1) return SAYS_NOTHING;
    v = ir_unwrap(IR_AS(IrDisjunction, v)->at[0]);
    s = SAYS_DEFAULT;
  }
  if (v && v->kind == IR_SCALAR)
    *out = IR_AS(IrScalar, v)->v;
  else if (!v || v->kind != IR_VERTEX || vertex_bottom(IR_AS(Vertex, v)))
    return SAYS_NOTHING;
  return s;
}

static void refs_of(Tracer *t, Env *env, Ir *x, TraceSteps *out);

static void refs_all(Tracer *t, Env *env, Ir **at, uint32_t n, TraceSteps *out) {
  for (uint32_t i = 0; i < n; i++) refs_of(t, env, at[i], out);
}

/* A struct or list made on the spot: what its fields are made of. */
static void refs_inside(Tracer *t, Env *env, Ir *x, TraceSteps *out) {
  Ir *v = export_eval(&t->x, env, x);
  if (!v || v->kind != IR_VERTEX) return;
  cue_finalize(t->e, IR_AS(Vertex, v));
  Vertex *d = vertex_deref(IR_AS(Vertex, v));
  for (uint32_t i = 0; i < d->arcs.n; i++)
    if (label_is_regular(d->arcs.at[i]->label) && vertex_defined(t->e, d->arcs.at[i]))
      steps_at(t, trail_to(t, d->arcs.at[i]), out);
}

typedef CUE_VEC(Ir *) Refs;

/* A struct or list that a program has written out to its leaves: what it is a copy of, in part or as a whole. */
static void copied(Tracer *t, Ir *x, uint32_t below, Refs *out) {
  if (ir_is_resolver(x)) {
    for (; below && (x->kind == IR_SELECTOR || x->kind == IR_INDEX); below--)
      x = x->kind == IR_SELECTOR ? IR_AS(IrSelector, x)->x : IR_AS(IrIndex, x)->x;
    if (!below) cue_push(t->a, out, x);
  } else if (x->kind == IR_LIST && IR_AS(IrList, x)->n) {
    copied(t, IR_AS(IrList, x)->elems[0], below + 1, out);
  } else if (x->kind == IR_STRUCT) {
    IrStruct *s = IR_AS(IrStruct, x);
    for (uint32_t i = 0; i < s->n; i++)
      if (s->decls[i]->kind == IR_FIELD) copied(t, IR_AS(IrField, s->decls[i])->value, below + 1, out);
  }
}

/* Where a field is declared, for its name. */
static void add_declared(Tracer *t, const SaidList *all, TraceSteps *out) {
  for (uint32_t i = 0; i < all->n; i++) {
    Ir *d = all->at[i].decl;
    if (d->kind == IR_PATTERN || !d->src) continue;
    if (!in_program(t, d)) {
      add_step(t, out, step_new(t, d));
      continue;
    }
    Refs refs = {0};
    Trail to;
    copied(t, conjunct_elem(d), 0, &refs);
    for (uint32_t k = 0; k < refs.n; k++)
      if (resolve(t, all->at[i].env, refs.at[k], &to)) {
        SaidList there = said_of(t, trail_end(to));
        for (uint32_t j = 0; j < there.n; j++)
          if (there.at[j].decl->src && !in_program(t, there.at[j].decl))
            add_step(t, out, step_new(t, there.at[j].decl));
      }
  }
}

/* The key of a for clause is the name of a field: where that is declared. */
static bool key_steps(Tracer *t, Env *env, const IrRef *r, TraceSteps *out) {
  for (uint32_t i = 0; i < r->up && env->up; i++) env = env->up;
  Vertex *scope = env->vertex, *key = scope && scope->anonymous ? vertex_arc(scope, r->label) : NULL;
  if (!key || !key->conjuncts.n || key->conjuncts.at[0].x->kind != IR_SCALAR) return false;
  for (uint32_t i = 0; i < scope->arcs.n; i++) {
    Vertex *v = scope->arcs.at[i];
    if (v == key || !v->base || v->base->kind != IR_VERTEX) continue;
    SaidList all = said_of(t, IR_AS(Vertex, v->base));
    add_declared(t, &all, out);
  }
  return true;
}

/* The name that an alias of a pattern stands for: where the field of that name is declared. */
static void label_steps(Tracer *t, Env *env, const IrRef *r, TraceSteps *out) {
  Vertex *v = env->vertex;
  for (uint32_t i = 0; i < r->up && env->up; i++) {
    v = env->vertex;
    env = env->up;
  }
  while (v && v->label != env->dynamic_label) v = v->parent;
  SaidList all = {0};
  if (v) all = said_of(t, v);
  add_declared(t, &all, out);
}

static void refs_of(Tracer *t, Env *env, Ir *x, TraceSteps *out) {
  if (ir_is_resolver(x)) {
    Trail to;
    if (x->kind == IR_FIELD_REF && key_steps(t, env, IR_AS(IrRef, x), out)) return;
    if (resolve(t, env, x, &to) && trail_end(to)->parent) steps_at(t, to, out);
    if (x->kind == IR_INDEX) refs_of(t, env, IR_AS(IrIndex, x)->index, out);
    return;
  }
  switch (x->kind) {
  case IR_LABEL_REF: label_steps(t, env, IR_AS(IrRef, x), out); break;
  case IR_INTERPOLATION: refs_all(t, env, IR_AS(IrInterpolation, x)->parts, IR_AS(IrInterpolation, x)->n, out); break;
  case IR_CALL: refs_all(t, env, IR_AS(IrCall, x)->args, IR_AS(IrCall, x)->n, out); break;
  case IR_UNARY:
  case IR_OPEN:
  case IR_BOUND_EXPR: refs_of(t, env, IR_AS(IrUnary, x)->x, out); break;
  case IR_BINARY:
    refs_of(t, env, IR_AS(IrBinary, x)->x, out);
    refs_of(t, env, IR_AS(IrBinary, x)->y, out);
    break;
  case IR_SLICE:
    refs_of(t, env, IR_AS(IrSlice, x)->x, out);
    if (IR_AS(IrSlice, x)->lo) refs_of(t, env, IR_AS(IrSlice, x)->lo, out);
    if (IR_AS(IrSlice, x)->hi) refs_of(t, env, IR_AS(IrSlice, x)->hi, out);
    break;
  case IR_DISJUNCTION_EXPR:
    for (uint32_t i = 0; i < IR_AS(IrDisjunctionExpr, x)->n; i++)
      if (IR_AS(IrDisjunctionExpr, x)->at[i].is_default) refs_of(t, env, IR_AS(IrDisjunctionExpr, x)->at[i].x, out);
    break;
  case IR_STRUCT:
  case IR_LIST: refs_inside(t, env, x, out); break;
  default: break;
  }
}

static void merge_part(Tracer *t, Part *into, const Part *p) {
  if (p->says > into->says) {
    into->says = p->says;
    into->value = p->value;
    into->literal = p->literal;
  }
  add_steps(t, &into->from, &p->from);
}

static Part part_of(Tracer *t, Env *env, Ir *x, Vertex *node) {
  Part p = {.value = cue_error(CUE_STR(""))};
  if (x->kind == IR_OPEN) return part_of(t, env, IR_AS(IrUnary, x)->x, node);
  if (x->kind == IR_BINARY && x->op == TOK_AND) {
    p = part_of(t, env, IR_AS(IrBinary, x)->x, node);
    Part q = part_of(t, env, IR_AS(IrBinary, x)->y, node);
    merge_part(t, &p, &q);
    return p;
  }
  if (x->kind == IR_STRUCT || x->kind == IR_LIST) {
    p.says = SAYS_VALUE;
    p.literal = true;
    if (x->kind == IR_LIST) return p;
    IrStruct *s = IR_AS(IrStruct, x);
    ir_struct_read(s);
    Env *inner = env_new(t->e, env, node);
    for (uint32_t i = 0; i < s->n; i++) { /* a scalar in braces: {x} */
      if (s->decls[i]->kind >= IR_FIELD) continue;
      Part q = part_of(t, inner, s->decls[i], node);
      p.value = q.value;
      add_steps(t, &p.from, &q.from);
    }
    return p;
  }
  if (ir_is_resolver(x)) {
    Trail to;
    if (resolve(t, env, x, &to)) p.says = says(vertex_value(vertex_deref(trail_end(to))), &p.value);
  } else {
    p.says = says(ir_is_value(x) ? x : export_eval(&t->x, env, x), &p.value);
    p.literal = x->kind == IR_SCALAR || x->kind == IR_DISJUNCTION_EXPR;
  }
  /* What only limits is told in its own words: what it refers to would be too much. */
  if (p.says != SAYS_NOTHING) refs_of(t, env, x, &p.from);
  return p;
}

/* ---- what brought a declaration ---- */

typedef struct {
  IrComprehension *comp;
  uint32_t levels; /* environments from its value to the declaration */
} Around;

typedef struct {
  const Tracer *t;
  const Ir *target;
  CUE_VEC(Around) comps; /* innermost first */
} Search;

static bool binds(const Ir *clause) {
  return clause->kind == IR_FOR || clause->kind == IR_LET_CLAUSE ||
         (clause->kind == IR_TRY && IR_AS(const IrField, clause)->value);
}

static uint32_t bindings_from(const IrComprehension *c, uint32_t i) {
  uint32_t n = 0;
  for (; i < c->n; i++) n += binds(c->clauses[i]);
  return n;
}

static bool may_hold(const Ir *x, const Ir *target) {
  if (!x->src || !target->src || !cue_pos_known(x->src->end)) return true;
  uint32_t at = cue_pos_offset(target->src->pos);
  return cue_pos_offset(x->src->pos) <= at && at < cue_pos_offset(x->src->end);
}

static bool search(Search *s, Ir *x, uint32_t *levels);

static bool search_all(Search *s, Ir **at, uint32_t n, uint32_t *levels) {
  for (uint32_t i = 0; i < n; i++)
    if (search(s, at[i], levels)) return true;
  return false;
}

/* Whether x holds the target; *levels then is how many environments the target's is below that of x. */
static bool search(Search *s, Ir *x, uint32_t *levels) {
  *levels = 0;
  if (x == s->target) return true;
  if (!may_hold(x, s->target)) return false;
  switch (x->kind) {
  case IR_FIELD:
  case IR_LET:
  case IR_DYNAMIC:
  case IR_PATTERN: return search(s, conjunct_elem(x), levels);
  case IR_ELLIPSIS: return IR_AS(IrUnary, x)->x && search(s, IR_AS(IrUnary, x)->x, levels);
  case IR_OPEN:
  case IR_UNARY: return search(s, IR_AS(IrUnary, x)->x, levels);
  case IR_BINARY: return search(s, IR_AS(IrBinary, x)->x, levels) || search(s, IR_AS(IrBinary, x)->y, levels);
  case IR_CALL: return search_all(s, IR_AS(IrCall, x)->args, IR_AS(IrCall, x)->n, levels);
  case IR_DISJUNCTION_EXPR:
    for (uint32_t i = 0; i < IR_AS(IrDisjunctionExpr, x)->n; i++)
      if (search(s, IR_AS(IrDisjunctionExpr, x)->at[i].x, levels)) return true;
    return false;
  case IR_STRUCT:
    /* What has not been read made nothing. */
    if ((x->flag & IR_STRUCT_UNREAD) || !search_all(s, IR_AS(IrStruct, x)->decls, IR_AS(IrStruct, x)->n, levels))
      return false;
    ++*levels;
    return true;
  case IR_LIST:
    if (!search_all(s, IR_AS(IrList, x)->elems, IR_AS(IrList, x)->n, levels)) return false;
    ++*levels;
    return true;
  case IR_COMPREHENSION: {
    IrComprehension *c = IR_AS(IrComprehension, x);
    if (c->fallback && search(s, c->fallback, levels)) return true;
    if (!search(s, c->value, levels)) return false;
    cue_push(s->t->a, &s->comps, (Around){c, *levels});
    *levels += bindings_from(c, 0);
    return true;
  }
  default: return false;
  }
}

static Env *up(Env *env, uint32_t n) {
  while (n-- && env->up) env = env->up;
  return env;
}

/* That something exists is told by the text of the condition: not where it all came from. */
static void condition_refs(Tracer *t, Env *env, Ir *x, TraceSteps *out) {
  if (x->kind == IR_BINARY) {
    IrBinary *b = IR_AS(IrBinary, x);
    if (b->x->kind == IR_BOTTOM || b->y->kind == IR_BOTTOM) return;
    if (x->op == TOK_LAND || x->op == TOK_LOR) {
      condition_refs(t, env, b->x, out);
      condition_refs(t, env, b->y, out);
      return;
    }
  }
  refs_of(t, env, x, out);
}

/* Adds the clauses of a comprehension before the conditions a step has; env is that of the comprehension's value. */
static void add_conditions(Tracer *t, TraceStep *s, const IrComprehension *c, Env *env) {
  TraceSteps all = {0};
  if (in_program(t, (const Ir *)c)) return;
  for (uint32_t i = 0; i < c->n; i++) {
    TraceStep *k = step_new(t, c->clauses[i]);
    if (c->clauses[i]->kind == IR_IF)
      condition_refs(t, up(env, bindings_from(c, i)), IR_AS(IrUnary, c->clauses[i])->x, &k->from);
    cue_push(t->a, &all, k);
  }
  for (uint32_t i = 0; i < s->conditions.n; i++) cue_push(t->a, &all, s->conditions.at[i]);
  s->conditions = all;
}

typedef struct {
  Env *env;
  Ir *ref;
  bool embedded; /* in a struct, beside others */
} Via;
typedef CUE_VEC(Via) Vias;
typedef struct {
  Tracer *t;
  Vertex *node;
  IrComprehension *comp;
  Vias *out;
} ViaVisit;

static void vias_of(Tracer *t, Env *env, Ir *x, Vertex *node, bool embedded, Vias *out);

static void via_yield(Eval *e, Env *env, void *arg) {
  (void)e;
  ViaVisit *v = arg;
  vias_of(v->t, env, v->comp->value, v->node, true, v->out);
}

/* References whose fields become those of the node. */
static void vias_of(Tracer *t, Env *env, Ir *x, Vertex *node, bool embedded, Vias *out) {
  if (ir_is_resolver(x)) {
    cue_push(t->a, out, (Via){env, x, embedded});
    return;
  }
  switch (x->kind) {
  case IR_OPEN: vias_of(t, env, IR_AS(IrUnary, x)->x, node, embedded, out); break;
  case IR_BINARY:
    if (x->op != TOK_AND) break;
    vias_of(t, env, IR_AS(IrBinary, x)->x, node, embedded, out);
    vias_of(t, env, IR_AS(IrBinary, x)->y, node, embedded, out);
    break;
  case IR_CALL: /* close(x) */
    for (uint32_t i = 0; i < IR_AS(IrCall, x)->n; i++) vias_of(t, env, IR_AS(IrCall, x)->args[i], node, embedded, out);
    break;
  case IR_DISJUNCTION_EXPR:
    for (uint32_t i = 0; i < IR_AS(IrDisjunctionExpr, x)->n; i++)
      vias_of(t, env, IR_AS(IrDisjunctionExpr, x)->at[i].x, node, embedded, out);
    break;
  case IR_STRUCT: {
    IrStruct *s = IR_AS(IrStruct, x);
    Env *inner = env_new(t->e, env, node);
    if (x->flag & IR_STRUCT_UNREAD) break;
    for (uint32_t i = 0; i < s->n; i++) {
      Ir *d = s->decls[i];
      if (d->kind < IR_FIELD) {
        vias_of(t, inner, d, node, true, out);
      } else if (d->kind == IR_COMPREHENSION) {
        IrComprehension *c = IR_AS(IrComprehension, d);
        bool embeds = false;
        IrStruct *value = c->value->kind == IR_STRUCT ? IR_AS(IrStruct, c->value) : NULL;
        for (uint32_t k = 0; value && k < value->n; k++) embeds |= value->decls[k]->kind < IR_FIELD;
        if (embeds)
          eval_yield_comprehension(t->e, node, inner, c, VERTEX_PARTIAL, via_yield, &(ViaVisit){t, node, c, out});
      }
    }
    break;
  }
  default: break;
  }
}

static bool holds(Tracer *t, Vertex *v, const Ir *decl, int depth);

/* The conjunct of v whose text has the declaration. */
static bool find_text(Tracer *t, Vertex *v, const Ir *decl, Said *out, Search *s, uint32_t *levels) {
  SaidList all = said_of(t, v);
  for (uint32_t i = 0; i < all.n; i++) {
    *s = (Search){.t = t, .target = decl};
    *out = all.at[i];
    if (search(s, conjunct_elem(out->decl), levels)) return true;
  }
  return false;
}

/* The conjunct of v that refers to where the declaration is, and where that is. */
static bool find_via(Tracer *t, Vertex *v, const Ir *decl, int depth, Said *out, Via *via, Trail *to) {
  SaidList all = said_of(t, v);
  for (uint32_t i = 0; i < all.n; i++) {
    Vias vias = {0};
    *out = all.at[i];
    vias_of(t, out->env, conjunct_elem(out->decl), v, false, &vias);
    for (uint32_t k = 0; k < vias.n; k++) {
      *via = vias.at[k];
      if (resolve(t, via->env, via->ref, to) && trail_end(*to) != v && holds(t, trail_end(*to), decl, depth + 1))
        return true;
    }
  }
  return false;
}

static bool holds(Tracer *t, Vertex *v, const Ir *decl, int depth) {
  Said said;
  Search s;
  uint32_t levels;
  Trail to;
  Via via;
  return depth < VIA_DEPTH &&
         (find_text(t, v, decl, &said, &s, &levels) || find_via(t, v, decl, depth, &said, &via, &to));
}

static bool is_parameter(const TraceStep *s, const Ir *decl) {
  if (decl->kind != IR_FIELD || (s->role != TRACE_TRANSFORMER && s->role != TRACE_DEFINITION)) return false;
  return !label_is_regular(IR_AS(const IrField, decl)->label);
}

/* Adds to a step what brought its declaration: conditions, and the references of the structs it lies in, which become
** steps around it. The declaration stands in trail.at[k - 1] or is brought to it. */
static TraceStep *brought(Tracer *t, Trail trail, uint32_t k, Said said, TraceStep *s, int depth, bool quiet) {
  while (k > 0 && depth < VIA_DEPTH) {
    const Ir *decl = said.decl;
    if (said.part) {
      add_conditions(t, s, said.part, up(said.env, comprehension_nest(said.part)));
      uint32_t nest = comprehension_nest(said.part);
      decl = (const Ir *)said.part->run->comp;
      said = (Said){said.outer, (Ir *)decl, NULL, NULL};
      if (nest >= k + 1) break;
      k -= nest ? nest - 1 : 0;
      if (!k) break;
    }
    Said by;
    Search found;
    uint32_t levels;
    Trail to;
    Via via;
    Vertex *v = trail.at[k - 1];
    if (find_text(t, v, decl, &by, &found, &levels)) {
      for (uint32_t i = 0; i < found.comps.n; i++)
        add_conditions(t, s, found.comps.at[i].comp, up(said.env, found.comps.at[i].levels));
    } else if (find_via(t, v, decl, 0, &by, &via, &to)) {
      bool program = in_program(t, by.decl);
      /* A field at the top of a program runs a transformer: that its provider lists it is no news. */
      s = brought(t, to, to.n, said, s, depth + 1, quiet || (program && k == 2));
      if (program) break;
      TraceStep *around = step_new(t, via.embedded ? via.ref : by.decl);
      around->kind = TRACE_PASSES;
      around->parameter = quiet || is_parameter(around, by.decl);
      if (!same_step(around, s)) {
        cue_push(t->a, &around->from, s);
        s = around;
      }
      if (around->parameter) break; /* it stands where the reference to it does */
    } else {
      break;
    }
    said = by;
    k--;
  }
  return s;
}

/* ---- fields ---- */

/* The value that an environment took the place of: ref is what a program says of it. */
static void add_overridden(Tracer *t, const Ir *ref, TraceSteps *out) {
  CUE_VEC(Label) path = {0};
  bool found = false;
  const Ir *x = ref;
  while (!found && (x->kind == IR_SELECTOR || x->kind == IR_INDEX)) {
    Label l =
        x->kind == IR_SELECTOR ? IR_AS(const IrSelector, x)->sel : index_label(t, NULL, IR_AS(const IrIndex, x)->index);
    const Ir *of = x->kind == IR_SELECTOR ? IR_AS(const IrSelector, x)->x : IR_AS(const IrIndex, x)->x;
    found = x->kind == IR_SELECTOR && cue_str_is(label_name(t->c->labels, l), "values");
    if (!found) cue_push(t->a, &path, l);
    x = of;
  }
  while (x->kind == IR_SELECTOR || x->kind == IR_INDEX)
    x = x->kind == IR_SELECTOR ? IR_AS(const IrSelector, x)->x : IR_AS(const IrIndex, x)->x;
  if (!found || !t->base || x->kind != IR_IMPORT_REF ||
      !cue_str_is(label_name(t->c->labels, IR_AS(const IrImport, x)->label), "environments"))
    return;
  Trail trail = trail_to(t, t->base);
  for (uint32_t i = path.n; i-- > 0;) {
    Vertex *arc = find_arc(t, trail_end(trail), path.at[i]);
    if (!arc) return;
    trail = trail_below(t, trail, arc);
  }
  TraceSteps lost = {0};
  steps_at(t, trail, &lost);
  for (uint32_t i = 0; i < lost.n; i++) {
    TraceStep *s = lost.at[i];
    while (s->kind == TRACE_PASSES) s = s->from.at[0];
    if (s->kind == TRACE_LIMITS) continue;
    s->kind = TRACE_OVERRIDDEN;
    add_step(t, out, s);
  }
}

/* A literal of a program: something the user has not written in CUE. */
static TraceStep *release_step(Tracer *t, const Ir *decl, CueValue value) {
  const RenderRelease *r = t->places.release;
  TraceStep *s = cue_new(t->a, TraceStep);
  CueStr label = decl->kind == IR_FIELD ? label_name(t->c->labels, IR_AS(const IrField, decl)->label) : CUE_STR("");
  s->role = TRACE_RELEASE;
  s->value = value;
  s->path = label;
  s->text = cue_str_is(label, "name") ? r->name_from : cue_str_is(label, "namespace") ? r->namespace_from : CUE_STR("");
  t->made++;
  return s;
}

typedef struct {
  TraceSteps steps;
  CUE_VEC(Says) says; /* of each */
  Says most;
} Sum;

/* What a program says is told as if it stood where it is used: with what brought it there around it. */
static TraceSteps program_steps(Tracer *t, Trail trail, const Said *said, const Part *p) {
  Ir *x = conjunct_elem(said->decl);
  TraceSteps got = p->from, out = {0};
  Refs refs = {0};
  copied(t, x, 0, &refs);
  if (x->kind == IR_LIST || x->kind == IR_STRUCT)
    for (uint32_t i = 0; i < refs.n; i++) refs_of(t, said->env, refs.at[i], &got);
  for (uint32_t i = 0; i < refs.n; i++) add_overridden(t, refs.at[i], &got);
  if (!got.n && x->kind == IR_SCALAR) cue_push(t->a, &got, release_step(t, said->decl, p->value));
  if (!got.n || trail.n < 2) return got;
  TraceStep here = {.kind = TRACE_GIVES}, *s = brought(t, trail, trail.n - 1, *said, &here, 0, false);
  for (uint32_t i = 0; i < here.conditions.n; i++) cue_push(t->a, &got.at[0]->conditions, here.conditions.at[i]);
  if (s == &here) return got;
  cue_push(t->a, &out, s);
  while (s->from.at[0] != &here) s = s->from.at[0];
  s->from = got;
  return out;
}

static void say(Tracer *t, Trail trail, const Said *said, Sum *sum) {
  Ir *x = conjunct_elem(said->decl);
  Part p = part_of(t, said->env, x, trail_end(trail));
  TraceSteps got = {0};
  if (in_program(t, said->decl)) {
    got = program_steps(t, trail, said, &p);
  } else {
    TraceStep *s = step_new(t, said->decl);
    s->from = p.from;
    s->value = p.value;
    s->is_default = p.literal && p.says == SAYS_DEFAULT;
    s->kind = p.says == SAYS_NOTHING ? TRACE_LIMITS : s->is_default ? TRACE_DEFAULT : TRACE_GIVES;
    if (s->kind != TRACE_LIMITS && trail.n > 1) s = brought(t, trail, trail.n - 1, *said, s, 0, false);
    cue_push(t->a, &got, s);
  }
  for (uint32_t i = 0; i < got.n; i++) cue_push(t->a, &sum->steps, got.at[i]);
  while (sum->says.n < sum->steps.n) cue_push(t->a, &sum->says, p.says);
  if (p.says > sum->most) sum->most = p.says;
}

/* What lost: a default beside a value. */
static void settle(Sum *sum) {
  for (uint32_t i = 0; i < sum->steps.n; i++)
    if (sum->says.at[i] < sum->most && sum->says.at[i] != SAYS_NOTHING) {
      TraceStep *s = sum->steps.at[i];
      while (s->kind == TRACE_PASSES) s = s->from.at[0];
      s->kind = TRACE_OVERRIDDEN;
    }
}

static bool is_active(const Tracer *t, const Vertex *v) {
  for (uint32_t i = 0; i < t->active.n; i++)
    if (t->active.at[i] == v) return true;
  return false;
}

static void steps_at(Tracer *t, Trail trail, TraceSteps *out) {
  Vertex *v = trail_end(trail);
  if (is_active(t, v) || t->active.n > TRACE_DEPTH || t->made > TRACE_STEPS) return;
  cue_push(t->a, &t->active, v);
  Vertex *saved = t->e->vertex;
  t->e->vertex = v;
  Sum sum = {0};
  SaidList all = said_of(t, v);
  for (uint32_t i = 0; i < all.n && t->made <= TRACE_STEPS; i++) say(t, trail, &all.at[i], &sum);
  settle(&sum);
  add_steps(t, out, &sum.steps);
  t->e->vertex = saved;
  t->active.n--;
  /* Data that a function made has no text of its own: what made the whole is told. */
  if (!sum.steps.n && !all.n && trail.n > 1) {
    trail.n--;
    steps_at(t, trail, out);
  }
}

TraceSteps trace_path(Tracer *t, Vertex *v, const TraceKey *path, uint32_t n, uint32_t *found) {
  TraceSteps out = {0};
  Trail trail = trail_to(t, v);
  for (*found = 0; *found < n; ++*found) {
    const TraceKey *k = &path[*found];
    Vertex *arc = find_arc(t, trail_end(trail), k->name.s ? label_string(t->c->labels, k->name) : label_int(k->index));
    if (!arc) break;
    trail = trail_below(t, trail, arc);
  }
  t->made = 0;
  steps_at(t, trail, &out);
  return out;
}

/* ---- reading ---- */

const TraceStep *trace_behind(const TraceStep *s) {
  if (s->kind != TRACE_PASSES) return s;
  const TraceStep *best = NULL;
  for (uint32_t i = 0; i < s->from.n; i++) {
    const TraceStep *x = trace_behind(s->from.at[i]);
    if (!best || x->kind < best->kind) best = x;
  }
  return best;
}

static bool is_foreign(const TraceStep *s) { return s->role == TRACE_TRANSFORMER || s->role == TRACE_DEFINITION; }

/* The first that gives the value, one of the user's own if there is one. *same: all that give one give the same. */
static const TraceStep *winner(const TraceSteps *s, bool *same) {
  const TraceStep *best = NULL;
  *same = true;
  for (uint32_t i = 0; i < s->n; i++) {
    const TraceStep *x = trace_behind(s->at[i]);
    if (x->kind != TRACE_GIVES && x->kind != TRACE_DEFAULT) continue;
    if (best) *same = *same && best->value.kind != CUE_BOTTOM && cue_value_eq(best->value, x->value);
    if (!best || (is_foreign(best) && !is_foreign(x))) best = x;
  }
  return best;
}

const TraceStep *trace_winner(const TraceSteps *s) {
  bool same;
  return winner(s, &same);
}

const TraceStep *trace_origin(const TraceSteps *s) {
  bool same;
  const TraceStep *x = winner(s, &same), *next;
  for (; x && (next = winner(&x->from, &same)) && same; x = next) continue;
  return x;
}
