/* values.c - reading values: kinds, concreteness, defaults; and making simple ones. */
#include "compiler/hole.h"

Ir *ir_scalar(Eval *e, CueValue v) {
  IrScalar *s = cue_new(e->a, IrScalar);
  s->kind = IR_SCALAR;
  s->src = e->src;
  s->pos = e->src ? e->src->pos : 0;
  s->v = v;
  return (Ir *)s;
}

Ir *ir_int(Eval *e, int64_t i) { return ir_scalar(e, cue_int(i)); }

Ir *ir_bool(Eval *e, bool b) { return e->src ? ir_scalar(e, cue_bool(b)) : (Ir *)(b ? &e->true_ : &e->false_); }

Ir *ir_type(Eval *e, uint32_t kinds) {
  IrType **recent = &e->types[kinds % EVAL_TYPES];
  if (*recent && (*recent)->kinds == kinds) return (Ir *)*recent;
  IrType *t = *recent = cue_new(e->a, IrType);
  t->kind = IR_TYPE;
  t->kinds = kinds;
  return (Ir *)t;
}

unsigned ir_kinds(Ir *x) {
  if (!x) return CUE_BOTTOM;
  switch (x->kind) {
  case IR_SCALAR: return IR_AS(IrScalar, x)->v.kind;
  case IR_TOP: return CUE_TOP;
  case IR_TYPE: return IR_AS(IrType, x)->kinds;
  case IR_BOUND: {
    unsigned k = ir_kinds(IR_AS(IrBound, x)->value);
    if (k & CUE_NUMBER) return CUE_NUMBER;
    if (k == CUE_NULL && x->op == TOK_NEQ) return CUE_TOP & ~(unsigned)CUE_NULL;
    return k;
  }
  case IR_BUILTIN: return CUE_FUNC;
  case IR_VALIDATOR: return IR_AS(IrValidator, x)->builtin->params[0];
  case IR_CONJUNCTION: {
    unsigned k = CUE_TOP;
    for (uint32_t i = 0; i < IR_AS(IrJunction, x)->n; i++) k &= ir_kinds(IR_AS(IrJunction, x)->at[i]);
    return k;
  }
  case IR_DISJUNCTION: {
    unsigned k = 0;
    for (uint32_t i = 0; i < IR_AS(IrDisjunction, x)->n; i++) k |= ir_kinds(IR_AS(IrDisjunction, x)->at[i]);
    return k;
  }
  case IR_STRUCT_MARK: return CUE_STRUCT;
  case IR_LIST_MARK: return CUE_LIST;
  case IR_VERTEX: {
    /* Through what is shared, without recursion: such chains may be long. */
    Vertex *v = IR_AS(Vertex, x);
    bool known = v->base && !is_cycle_placeholder(v->state ? v->state->e : NULL, v->base);
    for (;; v = IR_AS(Vertex, v->base)) {
      if (v->state && v->state->kinds == 0) return CUE_BOTTOM;
      if (!known || !v->base || v->base->kind != IR_VERTEX) break;
    }
    if (known && v->base) return ir_kinds(v->base);
    return v->state ? v->state->kinds : (unsigned)CUE_TOP;
  }
  default: return CUE_BOTTOM;
  }
}

int ir_concreteness(Ir *x) {
  switch (x->kind) {
  case IR_BOTTOM: return 0;
  case IR_CONJUNCTION:
  case IR_DISJUNCTION:
  case IR_BOUND:
  case IR_VALIDATOR: return 2;
  case IR_TYPE: return 3;
  case IR_TOP: return 4;
  case IR_VERTEX: return IR_AS(Vertex, x)->base ? ir_concreteness(IR_AS(Vertex, x)->base) : 1;
  default: return 1;
  }
}

bool ir_is_concrete(Ir *x) { return x && ir_concreteness(x) <= 1; }
bool ir_is_error(const Ir *x) { return !x || x->kind == IR_BOTTOM; }

Bottom *ir_bottom(Ir *x) { return x && x->kind == IR_BOTTOM ? IR_AS(Bottom, x) : NULL; }

/* ---- vertices ---- */

Ir *vertex_value(Vertex *v) {
  if (!v->base) return NULL;
  return v->base->kind == IR_STRUCT_MARK || v->base->kind == IR_LIST_MARK ? (Ir *)v : v->base;
}

Bottom *vertex_bottom(Vertex *v) { return ir_bottom(vertex_deref(v)->base); }

Ir *ir_unwrap(Ir *x) {
  if (!x || x->kind != IR_VERTEX) return x;
  Vertex *v = vertex_deref(IR_AS(Vertex, x));
  NodeState *n = v->state;
  if (n && is_cycle_placeholder(n->e, v->base)) {
    if (n->errs && !bottom_incomplete(n->errs)) return (Ir *)n->errs;
    if (n->scalar) return n->scalar;
  }
  return vertex_value(v);
}

bool vertex_is_data(const Vertex *v) { return v->is_data || v->conjuncts.n == 0; }
bool vertex_is_list(const Vertex *v) { return v->base && v->base->kind == IR_LIST_MARK; }
bool vertex_is_open_list(const Vertex *v) { return vertex_is_list(v) && IR_AS(IrListMark, v->base)->open; }

bool vertex_defined(Eval *e, Vertex *v) {
  if (v->arc_type == ARC_MEMBER) return true;
  if (v->parent && v->parent->status == VERTEX_FINALIZED) return false;
  cue_finalize(e, v);
  return v->arc_type == ARC_MEMBER;
}

bool vertex_recursively_concrete(Vertex *v) {
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    Vertex *a = v->arcs.at[i];
    if (!label_is_regular(a->label)) continue;
    if (a->arc_type == ARC_REQUIRED || !vertex_recursively_concrete(a)) return false;
  }
  return ir_is_concrete((Ir *)v);
}

bool vertex_is_closed_struct(Eval *e, Vertex *v) {
  (void)e;
  if (!v->base) return false;
  if (v->base->kind == IR_VERTEX) return v->closed_recursive && !v->has_ellipsis;
  if (v->base->kind != IR_STRUCT_MARK && v->base->kind != IR_DISJUNCTION) return false;
  return v->closed_recursive || v->closed_once;
}

bool vertex_accepts(Eval *e, Vertex *v, Label l) {
  if (label_is_def(l) || label_is_hidden(l) || label_is_let(l)) return true;
  v = vertex_deref(v);
  if (v->base && v->base->kind == IR_DISJUNCTION) {
    IrDisjunction *d = IR_AS(IrDisjunction, v->base);
    for (uint32_t i = 0; i < d->n; i++)
      if (d->at[i]->kind == IR_VERTEX && vertex_accepts(e, IR_AS(Vertex, d->at[i]), l)) return true;
    return false;
  }
  unsigned k = ir_kinds((Ir *)v);
  if (label_is_int(l)) {
    if (!vertex_is_list(v)) return (k & CUE_LIST) != 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < v->arcs.n; i++) count += label_is_int(v->arcs.at[i]->label);
    return vertex_is_open_list(v) || label_index(l) < count;
  }
  if (!(k & CUE_STRUCT) && (k != CUE_BOTTOM || v->more->structs.n == 0)) return false;
  bool open = v->has_ellipsis || (!v->closed_once && !vertex_is_closed_struct(e, v));
  return open || vertex_arc(v, l) || vertex_matches_pattern(e, v, l);
}

/* ---- defaults ---- */

Ir *value_default(Eval *e, Ir *x) {
  if (!x) return x;
  if (x->kind == IR_VERTEX) return (Ir *)vertex_default(e, IR_AS(Vertex, x));
  if (x->kind != IR_DISJUNCTION) return x;
  IrDisjunction *d = IR_AS(IrDisjunction, x);
  if (d->ndefaults == 0) return x;
  if (d->ndefaults == 1) return d->at[0];
  IrDisjunction *w = cue_new(e->a, IrDisjunction);
  *w = *d;
  w->n = d->ndefaults;
  w->ndefaults = 0;
  w->has_defaults = false;
  return (Ir *)w;
}

IrScalar *ir_default_scalar(const Ir *base) {
  if (!base || base->kind != IR_DISJUNCTION || IR_AS(const IrDisjunction, base)->ndefaults != 1) return NULL;
  Ir *x = IR_AS(const IrDisjunction, base)->at[0];
  if (x->kind == IR_VERTEX) {
    const Vertex *v = vertex_deref(IR_AS(Vertex, x));
    if (v->arcs.n || !v->base) return NULL;
    x = v->base;
  }
  return x->kind == IR_SCALAR ? IR_AS(IrScalar, x) : NULL;
}

static Ir *strip_non_defaults(Eval *e, Ir *x) {
  if (x->kind == IR_DISJUNCTION_EXPR && IR_AS(IrDisjunctionExpr, x)->has_defaults) {
    IrDisjunctionExpr *d = IR_AS(IrDisjunctionExpr, x), *w = cue_new(e->a, IrDisjunctionExpr);
    *w = *d;
    w->at = cue_array(e->a, IrDisjunct, d->n);
    w->n = 0;
    for (uint32_t i = 0; i < d->n; i++)
      if (d->at[i].is_default) w->at[w->n++] = d->at[i];
    return w->n == 1 ? w->at[0].x : (Ir *)w;
  }
  if (x->kind == IR_BINARY && x->op == TOK_AND) {
    IrBinary *b = IR_AS(IrBinary, x);
    Ir *l = strip_non_defaults(e, b->x), *r = strip_non_defaults(e, b->y);
    if (l == b->x && r == b->y) return x;
    IrBinary *w = cue_new(e->a, IrBinary);
    *w = *b;
    w->x = l;
    w->y = r;
    return (Ir *)w;
  }
  if (x->kind == IR_FIELD || x->kind == IR_LET) {
    IrField *f = IR_AS(IrField, x);
    Ir *v = strip_non_defaults(e, f->value);
    if (v == f->value) return x;
    IrField *w = cue_new(e->a, IrField);
    *w = *f;
    w->value = v;
    return (Ir *)w;
  }
  return x;
}

static Vertex *vertex_copy(Eval *e, Vertex *v) {
  Vertex *w = cue_new(e->a, Vertex);
  *w = *v;
  w->state = NULL;
  w->status = VERTEX_FINALIZED; /* a copy is for reading */
  return w;
}

Vertex *vertex_default(Eval *e, Vertex *v) {
  v = vertex_deref(v);
  if (!v->base) return v;
  if (v->base->kind == IR_LIST_MARK) {
    if (!vertex_is_open_list(v)) return v;
    IrListMark *m = cue_new(e->a, IrListMark);
    *m = *IR_AS(IrListMark, v->base);
    m->open = false;
    Vertex *w = vertex_copy(e, v);
    w->base = (Ir *)m;
    return w;
  }
  if (v->base->kind != IR_DISJUNCTION) return v;
  IrDisjunction *d = IR_AS(IrDisjunction, v->base);
  Vertex *w;
  if (d->ndefaults == 0) return v;
  if (d->ndefaults == 1) {
    w = cue_vertex_of(e, value_default(e, d->at[0]));
    if (w->conjuncts.n) return w;
    w = vertex_copy(e, w);
  } else {
    w = vertex_copy(e, v);
    w->base = value_default(e, v->base);
  }
  uint32_t n = v->conjuncts.n;
  Conjunct *at = cue_array(e->a, Conjunct, n);
  for (uint32_t i = 0; i < n; i++)
    at[i] = conjunct_make(e, v->conjuncts.at[i].env, strip_non_defaults(e, v->conjuncts.at[i].x), (CloseInfo){0});
  w->conjuncts.at = at;
  w->conjuncts.n = w->conjuncts.cap = n;
  return w;
}

Vertex *cue_vertex_of(Eval *e, Ir *value) {
  if (value->kind == IR_VERTEX) return IR_AS(Vertex, value);
  Vertex *v = vertex_new(e, NULL, 0);
  v->status = VERTEX_FINALIZED;
  v->base = value;
  cue_push(e->a, &v->conjuncts, conjunct_make(e, NULL, value, (CloseInfo){0}));
  return v;
}

/* ---- data ---- */

static Ir *value_to_data(Eval *e, Ir *x);

Vertex *vertex_to_data(Eval *e, Vertex *v) {
  cue_finalize(e, v);
  Vertex *w = vertex_copy(e, v);
  w->status = VERTEX_FINALIZED;
  w->arcs.at = NULL;
  w->arcs.n = w->arcs.cap = 0;
  if (v->more->index) {
    w->more = &vertex_no_more;
    VertexMore *m = vertex_more(e, w);
    *m = *v->more;
    m->index = NULL;
  }
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    Vertex *a = v->arcs.at[i];
    if (vertex_defined(e, a) && label_is_regular(a->label)) vertex_add_arc(e, w, vertex_to_data(e, a));
  }
  if (w->base) w->base = value_to_data(e, w->base);
  w->is_data = true;
  w->closed_recursive = w->closed_once = false;
  Conjunct *at = cue_array(e->a, Conjunct, v->conjuncts.n);
  for (uint32_t i = 0; i < v->conjuncts.n; i++) {
    at[i] = v->conjuncts.at[i];
    at[i].ci = close_clear(at[i].ci);
  }
  w->conjuncts.at = at;
  w->conjuncts.cap = w->conjuncts.n;
  return w;
}

static Ir *value_to_data(Eval *e, Ir *x) {
  if (x->kind == IR_VERTEX) return (Ir *)vertex_to_data(e, IR_AS(Vertex, x));
  if (x->kind == IR_DISJUNCTION) {
    IrDisjunction *d = IR_AS(IrDisjunction, x);
    if (d->ndefaults == 1) return value_to_data(e, d->at[0]);
    IrDisjunction *w = cue_new(e->a, IrDisjunction);
    *w = *d;
    if (d->ndefaults) w->n = d->ndefaults;
    w->at = cue_array(e->a, Ir *, w->n);
    for (uint32_t i = 0; i < w->n; i++) w->at[i] = d->at[i]->kind == IR_VERTEX ? value_to_data(e, d->at[i]) : d->at[i];
    return (Ir *)w;
  }
  if (x->kind == IR_CONJUNCTION) {
    IrJunction *d = IR_AS(IrJunction, x), *w = cue_new(e->a, IrJunction);
    *w = *d;
    w->at = cue_array(e->a, Ir *, w->n);
    for (uint32_t i = 0; i < w->n; i++) w->at[i] = value_to_data(e, d->at[i]);
    return (Ir *)w;
  }
  return x;
}

/* A list is given the literal it could have come from as its conjunct, so that its elements are
** closed by what it is unified into; a struct hands its fields on one by one. */
Vertex *cue_from_data(Eval *e, CueValue v) {
  if (v.form == CUE_LENT) return cue_vertex_of(e, v.as.lent);
  if (v.kind != CUE_LIST && v.kind != CUE_STRUCT) return cue_vertex_of(e, ir_scalar(e, v));
  bool is_list = v.kind == CUE_LIST;
  Vertex *w = vertex_new(e, NULL, 0);
  w->is_dynamic = true;
  w->status = VERTEX_FINALIZED;
  uint32_t n = is_list ? v.as.list->n : v.as.fields->n;
  Ir **elems = cue_array(e->a, Ir *, n);
  cue_reserve(e->a, &w->arcs, n);
  for (uint32_t i = 0; i < n; i++) {
    CueValue x = is_list ? v.as.list->at[i] : v.as.fields->at[i].value;
    Vertex *from = NULL, *arc = vertex_new(e, NULL, 0);
    if (x.form != CUE_LENT && x.kind != CUE_LIST && x.kind != CUE_STRUCT) {
      arc->base = ir_scalar(e, x);
      arc->status = VERTEX_FINALIZED;
      arc->conjuncts.at = cue_new(e->a, Conjunct);
      arc->conjuncts.at[0] = conjunct_make(e, NULL, arc->base, (CloseInfo){0});
      arc->conjuncts.n = arc->conjuncts.cap = 1;
    } else {
      from = cue_from_data(e, x);
      *arc = *from;
    }
    arc->label = is_list ? label_int(i) : label_string(e->labels, v.as.fields->at[i].key);
    arc->arc_type = ARC_MEMBER;
    /* A lent value keeps its own place in the tree; new data belongs here. */
    if (x.form != CUE_LENT) arc->parent = w;
    vertex_add_arc(e, w, arc);
    Ir *u = x.form == CUE_LENT ? x.as.lent : from ? (Ir *)from : arc->base;
    if (is_list) {
      elems[i] = u;
      continue;
    }
    IrField *f = cue_new(e->a, IrField);
    f->kind = IR_FIELD;
    f->label = arc->label;
    f->value = u;
    elems[i] = (Ir *)f;
  }
  if (is_list) {
    IrListMark *m = cue_new(e->a, IrListMark);
    m->kind = IR_LIST_MARK;
    w->base = (Ir *)m;
    IrList *l = cue_new(e->a, IrList);
    l->kind = IR_LIST;
    l->elems = elems;
    l->n = n;
    cue_push(e->a, &w->conjuncts, conjunct_make(e, e->env, (Ir *)l, (CloseInfo){0}));
  } else {
    w->base = &e->struct_mark;
    IrStruct *st = cue_new(e->a, IrStruct);
    st->kind = IR_STRUCT;
    st->flag = IR_STRUCT_INIT;
    st->decls = elems;
    st->n = n;
    vertex_add_struct(e, w, st);
  }
  return w;
}

/* ---- reading scalars, with errors ---- */

static void type_error(Eval *e, Ir *v, uint32_t kinds, const char *as, uint8_t as_op) {
  if (ir_is_error(v)) return;
  bool incomplete = !ir_is_concrete(v) && (ir_kinds(v) & kinds);
  if (!as && !as_op) {
    if (incomplete)
      eval_error(e, BOTTOM_INCOMPLETE, ir_pos(v), "incomplete %k: %v", kinds, v);
    else
      eval_error(e, BOTTOM_EVAL, eval_pos(e), "cannot use %v (type %k) as type %k", v, ir_kinds(v), kinds);
  } else if (as) {
    if (incomplete)
      eval_error(e, BOTTOM_INCOMPLETE, ir_pos(v), "incomplete %k in %s: %v", kinds, as, v);
    else
      eval_error(e, BOTTOM_EVAL, eval_pos(e), "cannot use %v (type %k) as type %k in %s", v, ir_kinds(v), kinds, as);
  } else {
    if (incomplete)
      eval_error(e, BOTTOM_INCOMPLETE, ir_pos(v), "incomplete %k in %o: %v", kinds, as_op, v);
    else
      eval_error(e, BOTTOM_EVAL, eval_pos(e), "cannot use %v (type %k) as type %k in %o", v, ir_kinds(v), kinds, as_op);
  }
}

/* The scalar of one of these kinds in v; false with an error if there is none. */
bool eval_scalar(Eval *e, Ir *v, uint32_t kinds, const char *as, uint8_t as_op, CueValue *out) {
  v = ir_unwrap(v);
  if (ir_is_error(v)) return false;
  if (hole_of(e, v)) hole_fail(e, 0, "a value that is looked at");
  if (v->kind == IR_SCALAR && (IR_AS(IrScalar, v)->v.kind & kinds)) {
    *out = IR_AS(IrScalar, v)->v;
    return true;
  }
  type_error(e, v, kinds, as, as_op);
  return false;
}

bool eval_bool(Eval *e, Ir *v, const char *as, uint8_t as_op) {
  CueValue b;
  return eval_scalar(e, v, CUE_BOOL, as, as_op, &b) && b.as.b;
}

CueStr eval_to_string(Eval *e, Ir *v) {
  v = ir_unwrap(v);
  if (ir_is_error(v)) return CUE_STR("");
  if (hole_of(e, v)) hole_fail(e, 0, "a value that is made text");
  const uint32_t kinds = CUE_STRING | CUE_NUMBER | CUE_BYTES | CUE_BOOL;
  if (!(ir_kinds(v) & kinds)) {
    type_error(e, v, kinds, NULL, 0);
    return CUE_STR("");
  }
  if (v->kind != IR_SCALAR) {
    eval_error(e, BOTTOM_INCOMPLETE, eval_pos(e), "non-concrete value %v (type %k)", v, ir_kinds(v));
    return CUE_STR("");
  }
  CueValue s = IR_AS(IrScalar, v)->v;
  switch (s.kind) {
  case CUE_BOOL: return s.as.b ? CUE_STR("true") : CUE_STR("false");
  case CUE_INT:
    if (s.form == CUE_PLAIN) return cue_int_text(e->a, s.as.i);
    return cue_num_text(e->a, s.as.num);
  case CUE_FLOAT: return cue_num_text(e->a, s.as.num);
  case CUE_BYTES: { /* invalid UTF-8 becomes one replacement character a run */
    CueStr t = cue_value_str(s);
    if (cue_utf8_valid(t)) return t;
    CueBuf b = cue_buf(e->a);
    bool bad = false;
    for (size_t i = 0; i < t.n;) {
      size_t from = i;
      uint32_t r = cue_utf8_next(t, &i);
      if (r == CUE_RUNE_ERROR && i - from == 1) {
        if (!bad) cue_buf_rune(&b, CUE_RUNE_ERROR);
        bad = true;
      } else {
        cue_buf_add(&b, t.s + from, i - from);
        bad = false;
      }
    }
    return cue_buf_done(&b);
  }
  default: return cue_value_str(s);
  }
}

CueStr eval_to_bytes(Eval *e, Ir *v) {
  Ir *u = ir_unwrap(v);
  if (u && u->kind == IR_SCALAR && IR_AS(IrScalar, u)->v.kind == CUE_BYTES) return cue_value_str(IR_AS(IrScalar, u)->v);
  return eval_to_string(e, v);
}
