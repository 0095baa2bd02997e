/* disjunct_scalar.c - disjunctions of scalars and types, without copies.
**
** Most disjunctions are enumerations and defaults: "a" | "b", *1 | int. When all that a vertex has
** is such disjunctions, a type, a scalar and bounds, the combinations can be computed on values
** alone. Nothing is changed unless it succeeds with at least one survivor: errors are left to the
** general way (disjunct.c), so there is one source of messages.
*/
#include "compiler/node.h"

enum { MAX_WORK = 100000000 }; /* combinations of two disjunctions */

typedef struct {
  Ir *scalar; /* NULL: a type */
  uint32_t kinds;
  Ir *expr; /* what narrowed the kinds last */
  uint8_t mode, orig_mode;
} Candidate;
typedef struct {
  Candidate *at;
  uint32_t n;
} Candidates;

static bool is_simple(Ir *x) {
  if (x->kind == IR_SCALAR) return true;
  return x->kind == IR_TYPE && !(IR_AS(IrType, x)->kinds & (CUE_STRUCT | CUE_LIST | CUE_FUNC));
}

/* An element of a list that or() was given is the scalar it holds. */
static Ir *plain(Ir *x) {
  if (x->kind != IR_VERTEX) return x;
  Vertex *v = vertex_deref(IR_AS(Vertex, x));
  return v->status == VERTEX_FINALIZED && !v->arcs.n && v->base && v->base->kind == IR_SCALAR ? v->base : x;
}

/* A type with limits, all written out: int & >0 & <100. Only a scalar is decided by it here: what such an
** alternative is by itself is left to the general way. */
static bool is_limited(Eval *e, Ir *x, int depth) {
  if (is_simple(x)) return true;
  if (x->kind == IR_BINARY && x->op == TOK_AND && depth < 100)
    return is_limited(e, IR_AS(IrBinary, x)->x, depth + 1) && is_limited(e, IR_AS(IrBinary, x)->y, depth + 1);
  if (x->kind != IR_BOUND_EXPR || IR_AS(IrUnary, x)->x->kind != IR_SCALAR) return false;
  Ir *b = eval_expr(e, x, (Flags){.cond = COND_SCALAR, .mode = RUN_ATTEMPT});
  return b && b->kind == IR_BOUND && b->op != TOK_EQL && b->op != TOK_NEQ;
}

/* Whether nothing but scalars, types and bounds is known of n, and nothing more will be. */
static bool undecided(const NodeState *n) {
  Vertex *v = n->node;
  if (v->arcs.n || v->more->patterns || v->more->structs.n || v->is_disjunct || n->is_shared || n->errs || n->e->errs ||
      n->cyclic.n)
    return false;
  if (n->scalar && n->scalar->kind != IR_SCALAR) return false;
  uint32_t at_work = 0; /* one is the caller; another began before it and goes on after it */
  for (uint32_t i = 0; i < n->tasks.n; i++) {
    uint8_t state = n->tasks.at[i]->state;
    if (state == TASK_READY || state == TASK_WAITING ||
        (state == TASK_RUNNING && (n->tasks.at[i]->run != RUN_DISJUNCTIONS || ++at_work > 1)))
      return false;
  }
  for (uint32_t i = 0; i < n->checks.n; i++)
    if (n->checks.at[i].x->kind != IR_BOUND) return false;
  return true;
}

static bool all_simple(NodeState *n, const DisjunctionTodo *a, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < a[i].n; k++)
      if (!is_simple(plain(a[i].at[k].x)) && !(n->scalar && is_limited(n->e, a[i].at[k].x, 0))) return false;
  return true;
}

static bool in_bound(Eval *e, IrBound *b, Ir *scalar) {
  if (b->op == TOK_MAT || b->op == TOK_NMAT) {
    CueValue s = IR_AS(IrScalar, scalar)->v;
    return s.kind == CUE_STRING && bound_test_str(e, b, cue_value_str(s));
  }
  return ir_binop_bool(e, b->op, scalar, b->value);
}

static bool in_bounds(NodeState *n, Ir *scalar) {
  Eval *e = n->e;
  if (n->lower && !in_bound(e, n->lower, scalar)) return false;
  if (n->upper && !in_bound(e, n->upper, scalar)) return false;
  for (uint32_t i = 0; i < n->checks.n; i++)
    if (!in_bound(e, IR_AS(IrBound, n->checks.at[i].x), scalar)) return false;
  return true;
}

/* Whether what is_limited accepted allows scalar. */
static bool allows(Eval *e, Ir *x, Ir *scalar) {
  switch (x->kind) {
  case IR_TYPE: return (IR_AS(IrType, x)->kinds & ir_kinds(scalar)) != 0;
  case IR_BINARY: return allows(e, IR_AS(IrBinary, x)->x, scalar) && allows(e, IR_AS(IrBinary, x)->y, scalar);
  case IR_BOUND_EXPR: {
    IrBound *b = IR_AS(IrBound, IR_AS(IrUnary, x)->known);
    return (ir_kinds((Ir *)b) & ir_kinds(scalar)) && in_bound(e, b, scalar);
  }
  default: return ir_binop_bool(e, TOK_EQL, x, scalar);
  }
}

/* p with x; false if they exclude each other. */
static bool combine(NodeState *n, const Candidate *p, Ir *x, Candidate *out) {
  *out = *p;
  x = plain(x);
  if (!is_simple(x)) return allows(n->e, x, p->scalar);
  out->kinds = p->kinds & ir_kinds(x);
  if (!out->kinds) return false;
  if (out->kinds != p->kinds) out->expr = x;
  if (x->kind == IR_TYPE) return true;
  if (p->scalar) return ir_binop_bool(n->e, TOK_EQL, p->scalar, x);
  out->scalar = x;
  return in_bounds(n, x);
}

static bool same(Eval *e, const Candidate *x, const Candidate *y) {
  if (!x->scalar || !y->scalar) return !x->scalar && !y->scalar && x->kinds == y->kinds;
  if (x->kinds != y->kinds) return false;
  const CueValue *a = &IR_AS(IrScalar, x->scalar)->v, *b = &IR_AS(IrScalar, y->scalar)->v;
  if ((a->kind == CUE_STRING || a->kind == CUE_BYTES) && a->len != b->len) return false; /* long enumerations */
  return ir_binop_bool(e, TOK_EQL, x->scalar, y->scalar);
}

/* Equal candidates have equal ones. Numbers that are not small integers are few. */
static uint32_t hash_of(const Candidate *c) {
  if (!c->scalar) return c->kinds;
  CueValue v = IR_AS(IrScalar, c->scalar)->v;
  uint64_t h = c->kinds;
  if (v.kind == CUE_STRING || v.kind == CUE_BYTES)
    h ^= cue_str_hash(cue_value_str(v));
  else if (v.kind == CUE_INT && v.form == CUE_PLAIN)
    h ^= (uint64_t)v.as.i * 0x9e3779b97f4a7c15u;
  return (uint32_t)(h ^ h >> 32);
}

typedef struct {
  Candidates l;
  uint32_t *slots; /* index in l and 1, or 0 if free; more than twice as many as candidates */
  uint32_t mask;
} Distinct;

static Distinct distinct_new(CueArena *a, uint32_t most) {
  uint32_t size = 16;
  while (size < most * 2) size *= 2;
  return (Distinct){{cue_array(a, Candidate, most), 0}, cue_array(a, uint32_t, size), size - 1};
}

static void distinct_add(Eval *e, Distinct *d, Candidate c) {
  uint32_t i = hash_of(&c) & d->mask;
  for (; d->slots[i]; i = (i + 1) & d->mask) {
    Candidate *known = &d->l.at[d->slots[i] - 1];
    if (!same(e, known, &c)) continue;
    if (c.mode == IS_DEFAULT) known->mode = IS_DEFAULT;
    return;
  }
  d->l.at[d->l.n++] = c;
  d->slots[i] = d->l.n;
}

static uint8_t larger(uint8_t a, uint8_t b) { return a > b ? a : b; }

static Candidates product(NodeState *n, const Candidates *cross, const DisjunctionTodo *d) {
  CueArena *a = n->e->scratch;
  CUE_VEC(Candidate) all = {0};
  bool left_drops = true, right_drops = true;
  for (uint32_t i = 0; i < cross->n; i++) {
    const Candidate *p = &cross->at[i];
    for (uint32_t k = 0; k < d->n; k++) {
      Candidate r;
      if (!combine(n, p, d->at[k].x, &r)) continue;
      r.orig_mode = (uint8_t)d->at[k].mode;
      cue_push(a, &all, r);
      if (p->mode == IS_DEFAULT || p->orig_mode == IS_DEFAULT) left_drops = false;
      if (d->at[k].mode == IS_DEFAULT) right_drops = false;
    }
  }
  Distinct out = distinct_new(a, all.n);
  for (uint32_t i = 0; i < all.n; i++) {
    Candidate r = all.at[i];
    r.mode = larger(left_drops ? MAYBE_DEFAULT : r.mode, right_drops ? MAYBE_DEFAULT : r.orig_mode);
    distinct_add(n->e, &out, r);
  }
  return out.l;
}

static Ir *value_of(Eval *e, const Candidate *c) {
  return c->scalar                                                               ? c->scalar
         : c->expr->kind == IR_TYPE && IR_AS(IrType, c->expr)->kinds == c->kinds ? c->expr
                                                                                 : ir_type(e, c->kinds);
}

static void set_single(NodeState *n, const Candidate *c) {
  if (n->default_mode == MAYBE_DEFAULT) n->default_mode = c->mode;
  n->kinds = c->kinds;
  n->kind_expr = c->expr;
  if (!c->scalar) return;
  n->scalar = c->scalar;
  sched_signal(n, COND_SCALAR);
}

static void set_disjunction(NodeState *n, IrDisjunction *d) {
  n->scalar_disjunction = d;
  if (d->ndefaults == 1) sched_signal(n, COND_ANCESTORS | COND_ARC_TYPE | COND_SCALAR | COND_SUBFIELDS);
}

static void note_conjuncts(NodeState *n, const DisjunctionTodo *a, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    node_update_cyclic(n, a[i].id);
    node_conjunct_info(n, CUE_TOP, a[i].id, 0);
  }
}

static void set_many(NodeState *n, const Candidates *l) {
  Eval *e = n->e;
  IrDisjunction *d = cue_new(e->a, IrDisjunction);
  d->kind = IR_DISJUNCTION;
  d->at = cue_array(e->a, Ir *, l->n);
  d->n = l->n;
  for (uint32_t i = 0; i < l->n; i++) {
    const Candidate *c = &l->at[i];
    d->at[i] = value_of(e, c);
    if (c->mode == IS_DEFAULT) {
      Ir *x = d->at[i];
      d->at[i] = d->at[d->ndefaults];
      d->at[d->ndefaults++] = x;
    }
    if (c->mode != MAYBE_DEFAULT) d->has_defaults = true;
  }
  set_disjunction(n, d);
}

static bool compute(NodeState *n, DisjunctionTodo *a, uint32_t count);

/* The expression whose value is the same wherever it stands, if that is all there is. */
IrDisjunctionExpr *node_disjunction_alone(NodeState *n, const DisjunctionTodo *a, uint32_t count) {
  if (count != 1 || a->src->kind != IR_DISJUNCTION_EXPR || n->scalar || n->kinds != CUE_TOP || n->lower || n->upper ||
      n->checks.n || n->default_mode || n->orig_default_mode || n->default_attempt || !undecided(n))
    return NULL;
  for (uint32_t i = 0; i < a->n; i++)
    if (!is_limited(n->e, a->at[i].x, 0)) return NULL;
  return IR_AS(IrDisjunctionExpr, a->src);
}

bool node_scalar_disjunctions(NodeState *n, DisjunctionTodo *a, uint32_t count) {
  IrDisjunctionExpr *x = node_disjunction_alone(n, a, count);
  if (x && x->alone) {
    note_conjuncts(n, a, count);
    set_disjunction(n, x->alone);
    return true;
  }
  if (!undecided(n) || !all_simple(n, a, count)) return false;
  CueMark mark = cue_arena_mark(n->e->scratch);
  bool done = compute(n, a, count);
  cue_arena_reset(n->e->scratch, mark);
  if (done && x) x->alone = n->scalar_disjunction;
  return done;
}

static bool compute(NodeState *n, DisjunctionTodo *a, uint32_t count) {
  if (n->scalar && !in_bounds(n, n->scalar)) return false; /* no alternative is left: each has its error */
  Candidate first = {n->scalar, n->kinds, n->kind_expr, n->default_mode, n->orig_default_mode};
  Candidates cross = {&first, 1};
  for (uint32_t i = 0; i < count; i++) {
    if ((uint64_t)cross.n * a[i].n > MAX_WORK) return false;
    cross = product(n, &cross, &a[i]);
  }
  if (cross.n == 0 || (cross.n == 1 && n->default_attempt)) return false;
  if (n->lower || n->upper || n->checks.n) /* a type would have to keep the bounds */
    for (uint32_t i = 0; i < cross.n; i++)
      if (!cross.at[i].scalar) return false;
  note_conjuncts(n, a, count);
  if (cross.n == 1) {
    set_single(n, &cross.at[0]);
  } else {
    set_many(n, &cross);
  }
  return true;
}
