/* core.c - the language's own functions: len, close, and, or, div, mod, quo, rem, error, matchN, matchIf. */
#include "compiler/call.h"

#include <string.h>

/* Unifies two values away from any field: what validators do with the value they test. */
Vertex *eval_unify(Eval *e, Ir *x, Ir *y) {
  Vertex *v = vertex_new(e, NULL, 0);
  Vertex *at = e->vertex;
  if (at) {
    v->parent = at->parent;
    v->label = at->label;
  }
  Ir *both[] = {x, y};
  for (int i = 0; i < 2; i++) {
    CloseInfo ci = e->ci;
    ci.from_def = false;
    Conjunct c = conjunct_make(e, NULL, both[i], ci);
    if (both[i]->kind == IR_VERTEX) {
      c.ci = node_split_scope(vertex_bare_state(e, v), NULL, c.ci);
      for (Vertex *p = IR_AS(Vertex, both[i]); p; p = p->parent)
        if (label_is_def(p->label)) {
          c.ci.top_def = true;
          break;
        }
    }
    vertex_add_conjunct(e, v, c);
  }
  NodeState *s = vertex_state(e, v);
  s->drop_parent_reqs = true;
  if (at && at->state) s->has_non_cyclic = at->state->has_non_cyclic;
  cue_finalize(e, v);
  return v;
}

static Ir *core_len(Eval *e, Call *c) {
  Ir *v = c->args[0];
  if (v->kind == IR_VERTEX) {
    Vertex *x = IR_AS(Vertex, v);
    if (!x->base) return (Ir *)bottom_f(e, BOTTOM_EVAL, "unevaluated vertex");
    if (x->base->kind == IR_LIST_MARK || x->base->kind == IR_STRUCT_MARK) {
      bool list = x->base->kind == IR_LIST_MARK;
      int64_t n = 0;
      for (uint32_t i = 0; i < x->arcs.n; i++) {
        Vertex *a = x->arcs.at[i];
        if (list ? label_is_int(a->label) : label_is_regular(a->label) && vertex_defined(e, a)) n++;
      }
      return ir_int(e, n);
    }
    v = vertex_value(x);
  }
  if (v->kind == IR_SCALAR && (IR_AS(IrScalar, v)->v.kind & (CUE_STRING | CUE_BYTES)))
    return ir_int(e, (int64_t)IR_AS(IrScalar, v)->v.len);
  unsigned k = ir_kinds(v);
  if (!(k & (CUE_STRUCT | CUE_LIST | CUE_STRING | CUE_BYTES)))
    return (Ir *)bottom_f(e, BOTTOM_EVAL, "invalid argument type %k", k);
  return (Ir *)bottom_f(e, BOTTOM_INCOMPLETE, "incomplete argument %v (type %k)", v, k);
}

static Ir *core_close(Eval *e, Call *c) {
  if (c->args[0]->kind != IR_VERTEX) return (Ir *)bottom_f(e, BOTTOM_EVAL, "struct argument must be concrete");
  Vertex *v = vertex_wrap(e, IR_AS(Vertex, c->args[0]), e->ci);
  v->closed_once = true;
  return (Ir *)v;
}

/* The list an argument holds; NULL with an error. */
static Vertex *list_of(Eval *e, Ir *v) {
  bool ok;
  Ir *d = eval_get_default(e, v, &ok);
  if (ok && d) v = d;
  if (v->kind == IR_VERTEX && vertex_is_list(IR_AS(Vertex, v))) return IR_AS(Vertex, v);
  if (!ir_is_concrete(v) && (ir_kinds(v) & CUE_LIST))
    eval_error(e, BOTTOM_INCOMPLETE, ir_pos(v), "incomplete %k: %v", CUE_LIST, v);
  else
    eval_error(e, BOTTOM_EVAL, eval_pos(e), "cannot use %v (type %k) as type %k", v, ir_kinds(v), CUE_LIST);
  return NULL;
}

static Ir *core_and(Eval *e, Call *c) {
  Vertex *l = list_of(e, c->args[0]);
  if (!l) return NULL;
  IrJunction *j = cue_new(e->a, IrJunction);
  j->kind = IR_CONJUNCTION;
  j->at = cue_array(e->a, Ir *, l->arcs.n);
  for (uint32_t i = 0; i < l->arcs.n; i++)
    if (label_is_int(l->arcs.at[i]->label)) j->at[j->n++] = (Ir *)l->arcs.at[i];
  return j->n ? (Ir *)j : &e->top;
}

/* An element that is a scalar and nothing else stands for itself: enumerations stay cheap. */
static Ir *plain_element(Vertex *v) {
  if (v->arcs.n || v->more->structs.n || v->more->patterns) return (Ir *)v;
  if (v->status == VERTEX_FINALIZED) return v->base && v->base->kind == IR_SCALAR ? v->base : (Ir *)v;
  Ir *x = v->conjuncts.n == 1 ? conjunct_elem(v->conjuncts.at[0].x) : (Ir *)v;
  return x->kind == IR_SCALAR ? x : (Ir *)v;
}

static Ir *core_or(Eval *e, Call *c) {
  Vertex *l = list_of(e, c->args[0]);
  if (!l) return NULL;
  IrDisjunctionExpr *d = cue_new(e->a, IrDisjunctionExpr);
  d->kind = IR_DISJUNCTION_EXPR;
  d->at = cue_array(e->a, IrDisjunct, l->arcs.n);
  for (uint32_t i = 0; i < l->arcs.n; i++)
    if (label_is_int(l->arcs.at[i]->label)) d->at[d->n++] = (IrDisjunct){plain_element(l->arcs.at[i]), false};
  if (d->n == 0) {
    Err *err = err_new(e, eval_pos(e), "empty list in call to or");
    err->node = NULL;
    return (Ir *)bottom_new(e, BOTTOM_INCOMPLETE, err);
  }
  Vertex *v = vertex_new(e, NULL, 0);
  cue_push(e->a, &v->conjuncts, conjunct_make(e, NULL, (Ir *)d, e->ci));
  vertex_complete_arcs(e, v);
  return (Ir *)v;
}

static Ir *int_division(Eval *e, Call *c, uint8_t op, const char *as) {
  CueValue x, y;
  if (!eval_scalar(e, c->args[0], CUE_NUMBER, as, 0, &x) || !eval_scalar(e, c->args[1], CUE_NUMBER, as, 0, &y))
    return NULL;
  return ir_int_div(e, op, x, y);
}

static Ir *core_div(Eval *e, Call *c) { return int_division(e, c, TOK_IDIV, "argument to div builtin"); }
static Ir *core_mod(Eval *e, Call *c) { return int_division(e, c, TOK_IMOD, "argument to mod builtin"); }
static Ir *core_quo(Eval *e, Call *c) { return int_division(e, c, TOK_IQUO, "argument to quo builtin"); }
static Ir *core_rem(Eval *e, Call *c) { return int_division(e, c, TOK_IREM, "argument to rem builtin"); }

/* error("..."): the message is the user's. An interpolation that fails shows its parts as written. */
static Ir *core_error(Eval *e, Call *c) {
  Ir *arg = c->call->args[0];
  CueBuf b = cue_buf(e->a);
  uint32_t mark = e->positions.n;
  if (arg->kind == IR_INTERPOLATION) {
    IrInterpolation *x = IR_AS(IrInterpolation, arg);
    for (uint32_t i = 0; i < x->n; i++) {
      Ir *part = x->parts[i];
      if (i % 2 == 0) {
        cue_buf_str(&b, cue_value_str(IR_AS(IrScalar, part)->v));
        continue;
      }
      Ir *y = eval_keep_state(e, part);
      if (eval_take_err(e) || !y) {
        ir_text(&b, e->ctx, part);
        cue_push(e->a, &e->positions, part);
      } else if (ir_concreteness(y) == 1 && (ir_kinds(y) & (CUE_NUMBER | CUE_STRING | CUE_BYTES | CUE_BOOL))) {
        cue_buf_str(&b, eval_to_string(e, y));
      } else {
        ir_text(&b, e->ctx, y);
        cue_push(e->a, &e->positions, y);
      }
    }
  } else {
    cue_buf_str(&b, eval_to_string(e, eval_keep_state(e, arg)));
  }
  Bottom *err = bottom_f(e, BOTTOM_USER, "%S", cue_buf_done(&b));
  e->positions.n = mark;
  return (Ir *)err;
}

/* ---- matchN, matchIf ---- */

static const ValidateOptions final_options = {.report_incomplete = true, .final = true, .within = true};

static Ir *finalize_self(Eval *e, Ir *self) {
  return self->kind == IR_VERTEX ? (Ir *)vertex_to_data(e, IR_AS(Vertex, self)) : self;
}

static bool self_is_wrong(Eval *e, Ir *self) {
  if (self->kind != IR_VERTEX) return self->kind == IR_BOTTOM;
  cue_finalize(e, IR_AS(Vertex, self));
  return vertex_bottom(IR_AS(Vertex, self)) != NULL;
}

static Vertex *unify_scalars(Eval *e, Ir **values, uint32_t n) {
  Vertex *v = vertex_new(e, NULL, 0);
  for (uint32_t i = 0; i < n; i++) vertex_add_conjunct(e, v, conjunct_make(e, NULL, values[i], e->ci));
  cue_finalize(e, v);
  return v;
}

static IrBound *count_bound(Eval *e, uint8_t op, int64_t n) {
  IrBound *b = cue_new(e->a, IrBound);
  b->kind = IR_BOUND;
  b->op = op;
  b->value = ir_int(e, n);
  return b;
}

/* Whether `count` satisfies bound, where up to max might match with more data. */
static Bottom *check_count(Eval *e, Ir *bound, int64_t count, int64_t max) {
  /* What an earlier validator of the same value left counts as no match, as in cue. */
  Ir *two[] = {bound, e->errs ? (Ir *)eval_take_err(e) : ir_int(e, count)};
  Vertex *n = unify_scalars(e, two, 2);
  if (!ir_bottom(n->base)) return NULL;
  Bottom *b = bottom_f(e, BOTTOM_EVAL, "%d matched, expected %v", count, bound);
  if (bound->kind == IR_SCALAR) {
    CueValue v = IR_AS(IrScalar, bound)->v;
    if (v.kind == CUE_INT && v.form == CUE_PLAIN && v.as.i > count && v.as.i <= max) b->code = BOTTOM_INCOMPLETE;
  } else if (bound->kind == IR_BOUND) {
    Ir *three[] = {bound, (Ir *)count_bound(e, TOK_GEQ, count), (Ir *)count_bound(e, TOK_LEQ, max)};
    if (!ir_bottom(unify_scalars(e, three, 3)->base)) b->code = BOTTOM_INCOMPLETE;
  } else {
    b->code = BOTTOM_INCOMPLETE;
  }
  return b;
}

static Ir *core_match_n(Eval *e, Call *c) {
  if (!e->is_validator)
    return (Ir *)bottom_f(e, BOTTOM_EVAL, "matchN is a validator and should not be used as a function");
  Ir *self = finalize_self(e, c->args[0]);
  if (self_is_wrong(e, self)) return (Ir *)&e->false_;
  Vertex *l = list_of(e, c->args[2]);
  if (!l) return NULL;
  cue_finalize(e, l);
  int64_t count = 0, possible = 0;
  CUE_VEC(Bottom *) errs = {0};
  for (uint32_t i = 0; i < l->arcs.n; i++) {
    if (!label_is_int(l->arcs.at[i]->label)) continue;
    Vertex *v = eval_unify(e, self, (Ir *)l->arcs.at[i]);
    Bottom *b = cue_validate(e, v, final_options);
    if (!b) {
      count++;
      continue;
    }
    cue_push(e->a, &errs, b);
    possible += bottom_incomplete(b);
  }
  Bottom *b = check_count(e, c->args[1], count, count + possible);
  if (!b) return (Ir *)&e->true_;
  for (uint32_t i = 0; i < errs.n; i++)
    if (!bottom_incomplete(b) || bottom_incomplete(errs.at[i])) eval_add_bottom(e, errs.at[i]);
  return (Ir *)b;
}

static Ir *core_match_if(Eval *e, Call *c) {
  if (!e->is_validator)
    return (Ir *)bottom_f(e, BOTTOM_EVAL, "matchIf is a validator and should not be used as a function");
  Ir *self = finalize_self(e, c->args[0]);
  if (self_is_wrong(e, self)) return (Ir *)&e->false_;
  bool match = !cue_validate(e, eval_unify(e, self, c->args[1]), final_options);
  Bottom *b = cue_validate(e, eval_unify(e, self, c->args[match ? 2 : 3]), final_options);
  return b ? (Ir *)b : (Ir *)&e->true_;
}

/* ---- experiments ---- */

static bool is_literal(const Call *c) {
  return c->call && (c->call->args[0]->kind == IR_STRUCT || c->call->args[0]->kind == IR_LIST);
}

static Ir *core_close_all(Eval *e, Call *c) {
  if (!is_literal(c)) return (Ir *)bottom_f(e, BOTTOM_EVAL, "argument must be a struct or list literal");
  if (!eval_explicit_open(e, c->call->args[0]))
    return (Ir *)bottom_f(e, BOTTOM_EVAL, "__closeAll may only be used when explicitopen is enabled");
  if (c->args[0]->kind != IR_VERTEX) return (Ir *)bottom_f(e, BOTTOM_EVAL, "struct argument must be concrete");
  IR_AS(Vertex, c->args[0])->closed_recursive = true;
  return c->args[0];
}

static Ir *core_reclose(Eval *e, Call *c) {
  if (!is_literal(c)) return (Ir *)bottom_f(e, BOTTOM_EVAL, "argument must be a struct or list literal");
  if (!eval_explicit_open(e, c->call->args[0]))
    return (Ir *)bottom_f(e, BOTTOM_EVAL, "__reclose may only be used when explicitopen is enabled");
  Vertex *v = c->args[0]->kind == IR_VERTEX ? IR_AS(Vertex, c->args[0]) : NULL;
  if (v && v->state && v->state->embeds_closed) v->closed_recursive = true;
  return c->args[0];
}

/* What tests see of an experiment that is there for them. */
static Ir *core_testing(Eval *e, Call *c) {
  (void)e;
  return c->args[0];
}

static Ir *core_not_testing(Eval *e, Call *c) {
  (void)c;
  return (Ir *)bottom_f(e, BOTTOM_EVAL, "testing experiment disabled");
}

/* ---- the table ---- */

typedef struct {
  const char *name;
  EvalCore core;
  uint32_t n;
  uint16_t params[4];
  uint16_t result;
  bool non_concrete;
} CoreRow;

static const CoreRow core_rows[] = {
    {"len", {core_len, false}, 1, {CUE_STRUCT | CUE_BYTES | CUE_STRING | CUE_LIST}, CUE_INT, false},
    {"close", {core_close, false}, 1, {CUE_STRUCT}, CUE_STRUCT, false},
    {"and", {core_and, false}, 1, {CUE_LIST}, CUE_INT, false},
    {"or", {core_or, false}, 1, {CUE_LIST}, CUE_INT, true},
    {"div", {core_div, false}, 2, {CUE_INT, CUE_INT}, CUE_INT, false},
    {"mod", {core_mod, false}, 2, {CUE_INT, CUE_INT}, CUE_INT, false},
    {"quo", {core_quo, false}, 2, {CUE_INT, CUE_INT}, CUE_INT, false},
    {"rem", {core_rem, false}, 2, {CUE_INT, CUE_INT}, CUE_INT, false},
    {"error", {core_error, true}, 1, {CUE_STRING}, CUE_BOTTOM, false},
    {"matchN", {core_match_n, false}, 3, {CUE_TOP, CUE_INT, CUE_LIST}, CUE_BOOL, true},
    {"matchIf", {core_match_if, false}, 4, {CUE_TOP, CUE_TOP, CUE_TOP, CUE_TOP}, CUE_BOOL, true},
    {"__closeAll", {core_close_all, false}, 1, {CUE_TOP}, CUE_TOP, false},
    {"__reclose", {core_reclose, false}, 1, {CUE_TOP}, CUE_TOP, false},
    /* not names that can be written: predeclared() chooses */
    {"is testing", {core_testing, false}, 1, {CUE_TOP}, CUE_TOP, false},
    {"not testing", {core_not_testing, false}, 1, {CUE_TOP}, CUE_TOP, false},
};

IrBuiltin *eval_core_builtin(CueContext *c, CueStr name) {
  for (size_t i = 0; i < sizeof core_rows / sizeof *core_rows; i++) {
    const CoreRow *r = &core_rows[i];
    if (!cue_str_is(name, r->name)) continue;
    IrBuiltin *b = cue_new(c->a, IrBuiltin);
    b->kind = IR_BUILTIN;
    b->core = &r->core;
    b->name = r->name;
    b->nparams = r->n;
    memcpy(b->params, r->params, sizeof r->params);
    b->result = r->result;
    b->non_concrete = r->non_concrete;
    return b;
  }
  return NULL;
}
