/* bounds.c - bounds such as >5, !=null, =~"^x": testing values, and simplifying pairs. */
#include "compiler/hole.h"

/* The category of a bound: two of one category compare, +1 and -1 are opposite. *cmp is the
** operator that tells which of two of one category is the tighter. */
static int category(uint8_t op, uint8_t *cmp) {
  *cmp = op;
  switch (op) {
  case TOK_GTR: *cmp = TOK_GEQ; return 1;
  case TOK_GEQ: *cmp = TOK_GTR; return 1;
  case TOK_LSS: *cmp = TOK_LEQ; return -1;
  case TOK_LEQ: *cmp = TOK_LSS; return -1;
  case TOK_EQL: return 4;
  case TOK_NEQ: return 0;
  case TOK_MAT: return 2;
  default: return 3;
  }
}

static Ir *incompatible(Eval *e, const char *what, IrBound *x, IrBound *y) {
  return (Ir *)bottom_f(e, BOTTOM_EVAL, "incompatible %s bounds %v and %v", what, (Ir *)x, (Ir *)y);
}

/* lo is > or >=, hi is < or <=, both on text. */
static Ir *simplify_text(Eval *e, IrBound *lo, IrBound *hi, unsigned kind) {
  if (lo->value->kind != IR_SCALAR || hi->value->kind != IR_SCALAR) return NULL;
  CueValue a = IR_AS(IrScalar, lo->value)->v, b = IR_AS(IrScalar, hi->value)->v;
  if (a.kind != kind || b.kind != kind) return NULL;
  int d = cue_str_cmp(cue_value_str(a), cue_value_str(b));
  if (d < 0 || (d == 0 && lo->op == TOK_GEQ && hi->op == TOK_LEQ)) return NULL;
  return incompatible(e, kind == CUE_STRING ? "string" : "bytes", hi, lo);
}

/* The bounds are `diff` apart, not less than 0: what little may lie between them. */
static Ir *narrow(Eval *e, IrBound *lo, IrBound *hi, bool ints, int64_t diff, const char *what) {
  bool open = lo->op == TOK_GTR && hi->op == TOK_LSS;
  if (diff == 1 && ints && open)
    return (Ir *)bottom_f(e, BOTTOM_EVAL, "incompatible integer bounds %v and %v", (Ir *)lo, (Ir *)hi);
  if (diff == 0 && !(lo->op == TOK_GEQ && hi->op == TOK_LEQ)) return incompatible(e, what, hi, lo);
  return NULL;
}

static Ir *simplify_numbers(Eval *e, unsigned kinds, IrBound *lo, IrBound *hi) {
  if (lo->value->kind != IR_SCALAR || hi->value->kind != IR_SCALAR) return NULL;
  CueValue va = IR_AS(IrScalar, lo->value)->v, vb = IR_AS(IrScalar, hi->value)->v;
  if (!(va.kind & CUE_NUMBER) || !(vb.kind & CUE_NUMBER)) return NULL;
  bool ints = !(kinds & CUE_FLOAT);
  const char *what = kinds == CUE_INT ? "integer" : "number";
  int64_t diff;
  if (va.kind == CUE_INT && vb.kind == CUE_INT && va.form == CUE_PLAIN && vb.form == CUE_PLAIN &&
      cue_int_sub(vb.as.i, va.as.i, &diff)) {
    if (diff < 0) return incompatible(e, what, hi, lo);
    return narrow(e, lo, hi, ints, diff, what);
  }
  const CueNum *a = cue_value_num(e->a, va), *b = cue_value_num(e->a, vb);
  if (!cue_num_is_finite(a) || !cue_num_is_finite(b)) return NULL;
  if (ints && cue_num_exponent(a) < 0)
    a = cue_num_round_int(e->a, a, lo->op == TOK_GEQ ? CUE_ROUND_CEIL : CUE_ROUND_FLOOR);
  if (ints && cue_num_exponent(b) < 0)
    b = cue_num_round_int(e->a, b, hi->op == TOK_LEQ ? CUE_ROUND_FLOOR : CUE_ROUND_CEIL);
  const CueNum *d;
  if (cue_num_sub(e->a, b, a, true, &d) != CUE_NUM_OK) return NULL;
  if (cue_num_sign(d) < 0) return incompatible(e, what, hi, lo);
  return cue_num_to_int64(d, &diff) ? narrow(e, lo, hi, ints, diff, what) : NULL;
}
/* x and y as one: x or y if it implies the other, a bottom if they exclude each other, NULL if both
** are to be kept. */
Ir *bounds_simplify(Eval *e, uint32_t kinds, IrBound *x, IrBound *y) {
  if (hole_of(e, x->value) || hole_of(e, y->value)) return x->op == y->op && x->value == y->value ? (Ir *)x : NULL;
  uint8_t cmp, other;
  int cx = category(x->op, &cmp), cy = category(y->op, &other);
  if (cx == cy) {
    if (cx == 1 || cx == -1) return (Ir *)(ir_binop_bool(e, cmp, x->value, y->value) ? x : y);
    return ir_binop_bool(e, TOK_EQL, x->value, y->value) ? (Ir *)x : NULL;
  }
  if (cx == -cy) {
    IrBound *lo = cx == 1 ? x : y, *hi = cx == 1 ? y : x;
    if (kinds == CUE_STRING || kinds == CUE_BYTES) return simplify_text(e, lo, hi, kinds);
    return simplify_numbers(e, kinds, lo, hi);
  }
  if (x->op == TOK_EQL) return ir_binop_bool(e, y->op, x->value, y->value) ? (Ir *)x : NULL;
  if (y->op == TOK_EQL) return ir_binop_bool(e, x->op, y->value, x->value) ? (Ir *)y : NULL;
  if (x->op == TOK_NEQ) return !ir_binop_bool(e, y->op, x->value, y->value) ? (Ir *)y : NULL;
  if (y->op == TOK_NEQ) return !ir_binop_bool(e, x->op, y->value, x->value) ? (Ir *)x : NULL;
  return NULL;
}

Bottom *bound_validate(Eval *e, IrBound *x, Ir *y) {
  if (e->errs) return eval_take_err(e);
  Ir *v = ir_binop(e, (Ir *)x, x->op, y, x->value);
  if (v->kind == IR_BOTTOM) return IR_AS(Bottom, v);
  if (hole_of(e, v)) {
    hole_assume(e, eval_context(e), hole_of(e, v)->plan);
    return NULL;
  }
  if (IR_AS(IrScalar, v)->v.as.b) return NULL;
  Err *err = err_new(e, eval_pos(e), "invalid value %v (out of bound %v)", y, (Ir *)x);
  err_add_ir(e, err, y);
  Bottom *b = bottom_new(e, BOTTOM_EVAL, err);
  b->node = e->vertex;
  return b;
}

bool bound_test_str(Eval *e, IrBound *x, CueStr a) {
  if (x->value->kind == IR_SCALAR && IR_AS(IrScalar, x->value)->v.kind == CUE_STRING) {
    CueStr b = cue_value_str(IR_AS(IrScalar, x->value)->v);
    switch (x->op) {
    case TOK_LEQ: return cue_str_cmp(a, b) <= 0;
    case TOK_LSS: return cue_str_cmp(a, b) < 0;
    case TOK_GEQ: return cue_str_cmp(a, b) >= 0;
    case TOK_GTR: return cue_str_cmp(a, b) > 0;
    case TOK_EQL: return cue_str_eq(a, b);
    case TOK_NEQ: return !cue_str_eq(a, b);
    default: {
      CueStr err;
      const CueRegex *re = cue_regex_get(e->ctx->regexes, e->a, b, &err);
      if (re) return cue_regex_test(re, a) == (x->op == TOK_MAT);
      eval_error(e, BOTTOM_EVAL, eval_pos(e), "invalid regexp: %S", err);
      return false;
    }
    }
  }
  return !bound_validate(e, x, ir_scalar(e, cue_string(a)));
}

bool bound_test_int(Eval *e, IrBound *x, int64_t a) {
  if (x->op != TOK_MAT && x->op != TOK_NMAT && x->value->kind == IR_SCALAR) {
    IrScalar s = {.kind = IR_SCALAR, .v = cue_int(a)};
    return ir_binop_bool(e, x->op, (Ir *)&s, x->value);
  }
  return !bound_validate(e, x, ir_int(e, a));
}
