/* binop.c - binary operators on concrete values. */
#include "compiler/hole.h"

#include <string.h>

static Ir *compare_result(Eval *e, uint8_t op, int r) {
  bool b = false;
  switch (op) {
  case TOK_LSS: b = r < 0; break;
  case TOK_LEQ: b = r <= 0; break;
  case TOK_EQL: b = r == 0; break;
  case TOK_NEQ: b = r != 0; break;
  case TOK_GEQ: b = r >= 0; break;
  case TOK_GTR: b = r > 0; break;
  default: break;
  }
  return ir_bool(e, b);
}

static Ir *num_failed(Eval *e, CueNumErr err) {
  return (Ir *)bottom_f(e, BOTTOM_EVAL, "failed arithmetic: %s", cue_num_err_text(err));
}

static Ir *arithmetic(Eval *e, uint8_t op, CueValue x, CueValue y) {
  bool ints = x.kind == CUE_INT && y.kind == CUE_INT;
  if (ints && x.form == CUE_PLAIN && y.form == CUE_PLAIN && op != TOK_QUO) {
    int64_t r;
    bool over = op == TOK_ADD   ? __builtin_add_overflow(x.as.i, y.as.i, &r)
                : op == TOK_SUB ? __builtin_sub_overflow(x.as.i, y.as.i, &r)
                                : __builtin_mul_overflow(x.as.i, y.as.i, &r);
    bool negative_zero = r == 0 && op == TOK_MUL && (x.as.i < 0 || y.as.i < 0);
    if (!over && !negative_zero) return ir_int(e, r);
  }
  const CueNum *a = cue_value_num(e->a, x), *b = cue_value_num(e->a, y), *r = NULL;
  CueNumErr err;
  switch (op) {
  case TOK_ADD: err = cue_num_add(e->a, a, b, ints, &r); break;
  case TOK_SUB: err = cue_num_sub(e->a, a, b, ints, &r); break;
  case TOK_MUL: err = cue_num_mul(e->a, a, b, ints, &r); break;
  default: err = cue_num_quo(e->a, a, b, &r); break;
  }
  if (err != CUE_NUM_OK) return num_failed(e, err);
  return ir_scalar(e, ints && op != TOK_QUO ? cue_int_num(r) : cue_float_num(r));
}

/* div, mod, quo and rem, as operators and as functions. */
Ir *ir_int_div(Eval *e, uint8_t op, CueValue x, CueValue y) {
  const CueNum *a = cue_value_num(e->a, x), *b = cue_value_num(e->a, y), *r = NULL;
  if (cue_num_sign(b) == 0) return (Ir *)bottom_f(e, BOTTOM_EVAL, "division by zero");
  CueNumErr err = op == TOK_IDIV   ? cue_num_int_div(e->a, a, b, &r)
                  : op == TOK_IMOD ? cue_num_int_mod(e->a, a, b, &r)
                  : op == TOK_IQUO ? cue_num_int_quo(e->a, a, b, &r)
                                   : cue_num_int_rem(e->a, a, b, &r);
  if (err != CUE_NUM_OK) return num_failed(e, err);
  return ir_scalar(e, cue_int_num(r));
}

enum { MAX_REPEAT = 1 << 27 }; /* bytes; the real cue runs out of memory a little above */

static Ir *repeat(Eval *e, CueValue s, CueValue times) {
  CueStr t = cue_value_str(s);
  const char *as = s.kind == CUE_STRING ? "string multiplication" : "bytes multiplication";
  (void)as;
  const CueNum *n = cue_value_num(e->a, times);
  if (cue_num_sign(n) < 0) return (Ir *)bottom_f(e, BOTTOM_EVAL, "cannot convert negative number to uint64");
  uint64_t k;
  if (!cue_num_to_uint64(n, &k))
    return (Ir *)bottom_f(e, BOTTOM_EVAL, "cannot convert number %S to uint64", cue_num_text(e->a, n));
  if (t.n == 0) k = 0;
  if (k && t.n > MAX_REPEAT / k) return (Ir *)bottom_f(e, BOTTOM_EVAL, "result of repetition is too large");
  char *p = cue_alloc(e->a, t.n * k + 1);
  size_t done = k ? t.n : 0;
  if (k) memcpy(p, t.s, t.n);
  for (; done < t.n * k; done += done < t.n * k - done ? done : t.n * k - done)
    memcpy(p + done, p, done < t.n * k - done ? done : t.n * k - done);
  CueStr r = {p, t.n * k};
  return ir_scalar(e, s.kind == CUE_STRING ? cue_string(r) : cue_bytes(r));
}

/* Both sides are looked at, whatever is wrong with the first. */
static Ir *match(Eval *e, uint8_t op, Ir *left, Ir *right) {
  CueValue pattern, text;
  const CueRegex *re = NULL;
  if (eval_scalar(e, right, CUE_STRING | CUE_BYTES, NULL, 0, &pattern)) {
    CueStr err;
    re = cue_regex_get(e->ctx->regexes, e->a, cue_value_str(pattern), &err);
    if (!re) eval_error(e, BOTTOM_EVAL, eval_pos(e), "invalid regexp: %S", err);
  }
  if (!eval_scalar(e, left, CUE_STRING, NULL, op, &text) || !re) return NULL;
  return ir_bool(e, cue_regex_test(re, cue_value_str(text)) == (op == TOK_MAT));
}

/* Before language v0.15 only null compared with other kinds, and structs not at all. */
static bool old_compare(Eval *e, const Ir *node) {
  CueSources *ss = e->ctx->sources;
  CueSource *src = ss->any_old_compare && node ? cue_source_of(ss, node->pos) : NULL;
  return src && src->old_compare;
}

static Ir *equality(Eval *e, Ir *node, uint8_t op, Ir *left, Ir *right, unsigned lk, unsigned rk) {
  if (old_compare(e, node)) {
    bool numbers = (lk & CUE_NUMBER) && (rk & CUE_NUMBER);
    if ((lk != rk && !numbers && lk != CUE_NULL && rk != CUE_NULL) || (lk == rk && lk == CUE_STRUCT)) return NULL;
  }
  CueValue x = left->kind == IR_SCALAR ? IR_AS(IrScalar, left)->v : (CueValue){0};
  CueValue y = right->kind == IR_SCALAR ? IR_AS(IrScalar, right)->v : (CueValue){0};
  bool eq;
  if ((lk & CUE_NUMBER) && (rk & CUE_NUMBER))
    eq = cue_value_num_cmp(x, y) == 0;
  else if (lk != rk)
    eq = false;
  else if (lk == CUE_NULL)
    eq = true;
  else if (lk == CUE_BOOL)
    eq = x.as.b == y.as.b;
  else if (lk == CUE_STRING || lk == CUE_BYTES)
    eq = cue_str_eq(cue_value_str(x), cue_value_str(y));
  else if (lk == CUE_LIST || lk == CUE_STRUCT)
    eq = cue_equal(e, left, right, EQUAL_REGULAR_ONLY | EQUAL_IGNORE_OPTIONAL);
  else
    return NULL;
  return ir_bool(e, eq == (op == TOK_EQL));
}

Ir *ir_binop(Eval *e, Ir *node, uint8_t op, Ir *left, Ir *right) {
  Ir *from[] = {left, right};
  left = ir_unwrap(left);
  right = ir_unwrap(right);
  if (e->holes && (hole_of(e, left) || hole_of(e, right))) return hole_binop(e, node, op, left, right);
  unsigned lk = ir_kinds(left), rk = ir_kinds(right);
  if (left->kind != IR_SCALAR || right->kind != IR_SCALAR) {
    const ValidateOptions opt = {.concrete = true, .final = true};
    Bottom *b = validate_value(e, from[0], opt);
    if (b) return (Ir *)bottom_f(e, b->code, "invalid left-hand value to '%o' (type %k): %e", op, lk, b);
    b = validate_value(e, from[1], opt);
    if (b) return (Ir *)bottom_f(e, b->code, "invalid right-hand value to '%o' (type %k): %e", op, lk, b);
    b = bottom_combine(e, left, right);
    if (b) return (Ir *)b;
  }
  CueValue x = left->kind == IR_SCALAR ? IR_AS(IrScalar, left)->v : (CueValue){0};
  CueValue y = right->kind == IR_SCALAR ? IR_AS(IrScalar, right)->v : (CueValue){0};
  bool numbers = (lk & CUE_NUMBER) && (rk & CUE_NUMBER);
  Ir *r = NULL;
  switch (op) {
  case TOK_EQL:
  case TOK_NEQ: r = equality(e, node, op, left, right, lk, rk); break;
  case TOK_LSS:
  case TOK_LEQ:
  case TOK_GEQ:
  case TOK_GTR:
    if (lk == rk && (lk == CUE_STRING || lk == CUE_BYTES))
      r = compare_result(e, op, cue_str_cmp(cue_value_str(x), cue_value_str(y)));
    else if (numbers)
      r = compare_result(e, op, cue_value_num_cmp(x, y));
    break;
  case TOK_LAND:
  case TOK_LOR: {
    /* The right side is looked at unless the left decides; what is no bool counts as false. */
    bool b = eval_bool(e, left, NULL, op);
    if (b == (op == TOK_LAND)) b = eval_bool(e, right, NULL, op);
    Bottom *err = eval_take_err(e);
    return err ? (Ir *)err : ir_bool(e, b);
  }
  case TOK_MAT:
  case TOK_NMAT: r = match(e, op, left, right); return r ? r : (Ir *)eval_take_err(e);
  case TOK_ADD:
    if (numbers) return arithmetic(e, op, x, y);
    if (lk == rk && (lk == CUE_STRING || lk == CUE_BYTES)) {
      CueStr head = cue_value_str(x), tail = cue_value_str(y);
      if (head.n + tail.n > EVAL_TEXT_LIMIT)
        return (Ir *)bottom_f(e, BOTTOM_EVAL, "result of concatenation is too large");
      CueStr s = cue_str_cat(e->a, head, tail);
      return ir_scalar(e, lk == CUE_STRING ? cue_string(s) : cue_bytes(s));
    }
    if (lk == CUE_LIST && rk == CUE_LIST)
      return (Ir *)bottom_f(
          e, BOTTOM_EVAL,
          "Addition of lists is superseded by list.Concat; see https://cuelang.org/e/v0.11-list-arithmetic");
    break;
  case TOK_SUB: {
    CueValue a, b;
    bool both = eval_scalar(e, left, CUE_NUMBER, NULL, op, &a);
    both &= eval_scalar(e, right, CUE_NUMBER, NULL, op, &b); /* both sides are told of */
    return both ? arithmetic(e, op, a, b) : (Ir *)eval_take_err(e);
  }
  case TOK_MUL:
    if (numbers) return arithmetic(e, op, x, y);
    if ((lk == CUE_STRING || lk == CUE_BYTES) && rk == CUE_INT) return repeat(e, x, y);
    if (lk == CUE_INT && (rk == CUE_STRING || rk == CUE_BYTES)) return repeat(e, y, x);
    if ((lk == CUE_INT && rk == CUE_LIST) || (lk == CUE_LIST && rk == CUE_INT))
      return (Ir *)bottom_f(
          e, BOTTOM_EVAL,
          "Multiplication of lists is superseded by list.Repeat; see https://cuelang.org/e/v0.11-list-arithmetic");
    break;
  case TOK_QUO:
    if (numbers) return arithmetic(e, op, x, y);
    break;
  case TOK_IDIV:
  case TOK_IMOD:
  case TOK_IQUO:
  case TOK_IREM:
    if (lk == CUE_INT && rk == CUE_INT) return ir_int_div(e, op, x, y);
    break;
  default: break;
  }
  if (r) return r;
  return (Ir *)bottom_f(e, BOTTOM_EVAL, "invalid operands %v and %v to '%o' (type %k and %k)", left, right, op, lk, rk);
}

bool ir_binop_bool(Eval *e, uint8_t op, Ir *x, Ir *y) {
  if (e->holes && (hole_of(e, x) || hole_of(e, y))) return x == y && op == TOK_EQL; /* what is not known is no other */
  if (x->kind == IR_SCALAR && y->kind == IR_SCALAR) { /* the common case, without making values */
    CueValue a = IR_AS(IrScalar, x)->v, b = IR_AS(IrScalar, y)->v;
    if ((a.kind & CUE_NUMBER) && (b.kind & CUE_NUMBER)) {
      int r = cue_value_num_cmp(a, b);
      switch (op) {
      case TOK_EQL: return r == 0;
      case TOK_NEQ: return r != 0;
      case TOK_LSS: return r < 0;
      case TOK_LEQ: return r <= 0;
      case TOK_GTR: return r > 0;
      case TOK_GEQ: return r >= 0;
      default: break;
      }
    } else if (op == TOK_EQL && a.kind == b.kind && (a.kind == CUE_STRING || a.kind == CUE_BYTES)) {
      return cue_str_eq(cue_value_str(a), cue_value_str(b));
    }
  }
  const Ast *src = e->src;
  e->src = NULL;
  Ir *v = ir_binop(e, NULL, op, x, y);
  e->src = src;
  return v && v->kind == IR_SCALAR && IR_AS(IrScalar, v)->v.kind == CUE_BOOL && IR_AS(IrScalar, v)->v.as.b;
}
