/* subsume.c - whether one value is an instance of another.
**
** x subsumes y if unifying y with x would leave y as it is. The answer is found by comparing
** finished values, never by unifying: it may be no where a proof would be costly (patterns that
** are not written alike, unions of bounds), but it is never a wrong yes. The default of the
** instance counts in its place.
*/
#include "compiler/export.h"

typedef struct {
  Eval *e;
} Subsume;

static bool subsume_values(Subsume *s, Ir *x, Ir *y);

static bool is_closed_list(const Vertex *v) {
  return v->base && v->base->kind == IR_LIST_MARK && !vertex_is_open_list(v);
}

Vertex *vertex_implied(Eval *e, Vertex *v, Label l) {
  Vertex *arc = vertex_new(e, NULL, l);
  if (vertex_accepts(e, v, l)) {
    for (uint32_t i = 0; v->more->patterns && i < v->more->patterns->at.n; i++) {
      Pattern *p = &v->more->patterns->at.at[i];
      if (!pattern_matches(e, p->pattern, l)) continue;
      for (uint32_t k = 0; k < p->constraint->conjuncts.n; k++) {
        Conjunct c = p->constraint->conjuncts.at[k];
        Env *env = cue_new(e->a, Env);
        if (c.env) *env = *c.env;
        if (label_index(l) < LABEL_MAX_INT) env->dynamic_label = l;
        c.env = env;
        vertex_add_conjunct(e, arc, c);
      }
    }
    if (!arc->conjuncts.n && v->has_ellipsis)
      vertex_add_conjunct(e, arc, conjunct_make(e, NULL, &e->top, (CloseInfo){0}));
  }
  cue_finalize(e, arc);
  return arc;
}

/* ---- bounds ---- */

static bool subsume_bound(Subsume *s, IrBound *x, Ir *y) {
  if (y->kind == IR_SCALAR) {
    unsigned k = IR_AS(IrScalar, y)->v.kind;
    return k & (CUE_NUMBER | CUE_STRING | CUE_BOOL) && ir_binop_bool(s->e, x->op, y, x->value);
  }
  if (y->kind != IR_BOUND) return false;
  IrBound *b = IR_AS(IrBound, y);
  if (!ir_is_concrete(b->value)) return false;
  Tok test = TOK_EOF; /* how the bounds must compare */
  switch (x->op) {
  case TOK_GTR:
    if (b->op == TOK_GEQ) test = TOK_LSS;
    if (b->op == TOK_GTR) test = TOK_LEQ;
    break;
  case TOK_GEQ:
    if (b->op == TOK_GEQ || b->op == TOK_GTR) test = TOK_LEQ;
    break;
  case TOK_LSS:
    if (b->op == TOK_LEQ) test = TOK_GTR;
    if (b->op == TOK_LSS) test = TOK_GEQ;
    break;
  case TOK_LEQ:
    if (b->op == TOK_LEQ || b->op == TOK_LSS) test = TOK_GEQ;
    break;
  case TOK_NEQ:
    if (b->op == TOK_NEQ) test = TOK_EQL;
    if (b->op == TOK_GEQ) test = TOK_LSS;
    if (b->op == TOK_GTR) test = TOK_LEQ;
    if (b->op == TOK_LSS) test = TOK_GEQ;
    if (b->op == TOK_LEQ) test = TOK_GTR;
    break;
  case TOK_MAT:
  case TOK_NMAT: /* the same expression: no language inclusion */
    if (b->op == x->op) test = TOK_EQL;
    break;
  default: break;
  }
  return test != TOK_EOF && ir_binop_bool(s->e, (uint8_t)test, x->value, b->value);
}

/* ---- vertices ---- */

static uint32_t list_len(const Vertex *v) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < v->arcs.n; i++) n += label_is_int(v->arcs.at[i]->label);
  return n;
}

static bool subsume_vertices(Subsume *s, Vertex *x, Vertex *y);

static bool subsume_lists(Subsume *s, Vertex *x, Vertex *y) {
  bool closed = is_closed_list(x);
  uint32_t nx = list_len(x), ny = list_len(y);
  if (!vertex_is_data(y) && closed && !is_closed_list(y)) return false;
  if (nx > ny || (nx < ny && closed)) return false;
  Vertex *more = nx < ny ? vertex_implied(s->e, x, LABEL_ANY_INDEX) : NULL;
  for (uint32_t i = 0; i < ny; i++) {
    Vertex *a = i < nx ? vertex_arc(x, label_int(i)) : more, *b = vertex_arc(y, label_int(i));
    if (!a || !b || !subsume_vertices(s, a, b)) return false;
  }
  return true;
}

static bool subsume_patterns(Subsume *s, Vertex *x, Vertex *y) {
  if (!x->more->patterns) return true;
  if (!y->more->patterns) return vertex_is_data(y) || vertex_is_closed_struct(s->e, y) || is_closed_list(y);
  if (x->more->patterns->at.n > y->more->patterns->at.n) return false;
  for (uint32_t i = 0; i < x->more->patterns->at.n; i++) {
    Pattern *p = &x->more->patterns->at.at[i];
    bool found = false;
    for (uint32_t k = 0; k < y->more->patterns->at.n && !found; k++) {
      Pattern *q = &y->more->patterns->at.at[k];
      if (!cue_equal(s->e, p->pattern, q->pattern, 0)) continue;
      found = true;
      cue_finalize(s->e, p->constraint);
      cue_finalize(s->e, q->constraint);
      if (!subsume_values(s, (Ir *)p->constraint, (Ir *)q->constraint)) return false;
    }
    if (!found) return false;
  }
  return true;
}

static bool subsume_arcs(Subsume *s, Vertex *x, Vertex *y) {
  for (uint32_t i = 0; i < x->arcs.n; i++) {
    Vertex *a = x->arcs.at[i];
    bool constraint = a->arc_type == ARC_OPTIONAL || a->arc_type == ARC_REQUIRED;
    /* A constraint that admits everything cannot fail, present or not. */
    if (constraint && ir_kinds((Ir *)a) == CUE_TOP) continue;
    Vertex *b = vertex_arc(y, a->label);
    if (!b) {
      if (!constraint) return false;
      if (!vertex_accepts(s->e, y, a->label) || vertex_is_data(y)) continue; /* absent for good */
      b = vertex_implied(s->e, y, a->label);
    }
    if (!subsume_values(s, (Ir *)a, (Ir *)b)) return false;
  }
  for (uint32_t i = 0; i < y->arcs.n; i++) {
    Vertex *b = y->arcs.at[i];
    if (vertex_arc(x, b->label)) continue;
    if (!vertex_accepts(s->e, x, b->label)) return false;
    Vertex *a = vertex_implied(s->e, x, b->label);
    if (a->conjuncts.n && !subsume_vertices(s, a, b)) return false;
  }
  return true;
}

static bool subsume_vertices(Subsume *s, Vertex *x, Vertex *y) {
  if (x == y) return true;
  if (x->arc_type < y->arc_type) return false;
  x = vertex_deref(x);
  y = vertex_deref(vertex_default(s->e, y));
  if (x == y) return true;
  Bottom *b = vertex_bottom(y);
  if (b) return !bottom_incomplete(b);
  if (!x->base || !y->base) return false;
  bool final = vertex_is_data(y);
  switch (x->base->kind) {
  case IR_BOTTOM: return false;
  case IR_LIST_MARK: return vertex_is_list(y) && subsume_lists(s, x, y);
  case IR_STRUCT_MARK:
    if (y->base->kind != IR_STRUCT_MARK) return false;
    break;
  default:
    if (!subsume_values(s, x->base, vertex_value(y))) return false;
    if (final) return true; /* embedded scalars of schemas may have fields beside */
  }
  return subsume_arcs(s, x, y) && subsume_patterns(s, x, y);
}

/* ---- values ---- */

static bool all_of(Subsume *s, Ir *x, Ir **at, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (!subsume_values(s, x, at[i])) return false;
  return true;
}

static bool any_of(Subsume *s, Ir *x, Ir **at, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (subsume_values(s, x, at[i])) return true;
  return false;
}

static bool subsume_disjunction(Subsume *s, IrDisjunction *x, Ir *y) {
  if (y->kind != IR_DISJUNCTION) {
    for (uint32_t i = 0; i < x->n; i++)
      if (subsume_values(s, x->at[i], y)) return true;
    return false;
  }
  IrDisjunction *d = IR_AS(IrDisjunction, y);
  for (uint32_t i = 0; i < d->n; i++) {
    /* A default of the instance must be covered by a default. */
    uint32_t n = i < d->ndefaults ? x->ndefaults : x->n, k = 0;
    while (k < n && !subsume_values(s, x->at[k], d->at[i])) k++;
    if (k == n) return false;
  }
  return true;
}

static bool subsume_conjunction(Subsume *s, IrJunction *x, Ir *y) {
  for (uint32_t i = 0; i < x->n; i++) {
    bool ok = y->kind == IR_CONJUNCTION ? any_of(s, x->at[i], IR_AS(IrJunction, y)->at, IR_AS(IrJunction, y)->n)
                                        : subsume_values(s, x->at[i], y);
    if (!ok) return false;
  }
  return true;
}

static bool subsume_scalar(CueValue x, CueValue y) {
  if (x.kind != y.kind) return false;
  return cue_value_eq(x, y);
}

static bool subsume_values(Subsume *s, Ir *x, Ir *y) {
  if (x == y) return true;
  y = value_default(s->e, y);
  switch (y->kind) {
  case IR_BOTTOM: return !bottom_incomplete(IR_AS(Bottom, y));
  case IR_VERTEX:
    if (x->kind == IR_VERTEX) return subsume_vertices(s, IR_AS(Vertex, x), IR_AS(Vertex, y));
    y = vertex_value(vertex_deref(IR_AS(Vertex, y)));
    if (y->kind != IR_VERTEX) return subsume_values(s, x, y);
    break;
  case IR_CONJUNCTION:
    if (x->kind != IR_CONJUNCTION) return any_of(s, x, IR_AS(IrJunction, y)->at, IR_AS(IrJunction, y)->n);
    break;
  case IR_DISJUNCTION:
    if (x->kind != IR_DISJUNCTION) return all_of(s, x, IR_AS(IrDisjunction, y)->at, IR_AS(IrDisjunction, y)->n);
    break;
  default: break;
  }
  switch (x->kind) {
  case IR_TOP: return true;
  case IR_TYPE: return (ir_kinds(y) & ~IR_AS(IrType, x)->kinds) == 0;
  case IR_BOUND: return subsume_bound(s, IR_AS(IrBound, x), y);
  case IR_VALIDATOR: return !validator_run(s->e, IR_AS(IrValidator, x), y);
  case IR_SCALAR: return y->kind == IR_SCALAR && subsume_scalar(IR_AS(IrScalar, x)->v, IR_AS(IrScalar, y)->v);
  case IR_VERTEX: {
    Ir *v = vertex_value(vertex_deref(IR_AS(Vertex, x)));
    return v->kind != IR_VERTEX && subsume_values(s, v, y);
  }
  case IR_CONJUNCTION: return subsume_conjunction(s, IR_AS(IrJunction, x), y);
  case IR_DISJUNCTION: return subsume_disjunction(s, IR_AS(IrDisjunction, x), y);
  default: return false;
  }
}

bool cue_subsumes(Eval *e, Vertex *schema, Vertex *v) { return subsume_vertices(&(Subsume){e}, schema, v); }
