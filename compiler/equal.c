/* equal.c - equality of evaluated values. */
#include "compiler/node.h"

static bool equal_terminal(Eval *e, Ir *x, Ir *y, unsigned flags) {
  if (x == y) return true;
  if (!x || !y || x->kind != y->kind) return false;
  switch (x->kind) {
  case IR_BOTTOM:
  case IR_TOP: return true;
  case IR_SCALAR: return ir_binop_bool(e, TOK_EQL, x, y);
  case IR_BOUND: return x->op == y->op && cue_equal(e, IR_AS(IrBound, x)->value, IR_AS(IrBound, y)->value, flags);
  case IR_TYPE: return IR_AS(IrType, x)->kinds == IR_AS(IrType, y)->kinds;
  case IR_CONJUNCTION: {
    IrJunction *a = IR_AS(IrJunction, x), *b = IR_AS(IrJunction, y);
    if (a->n != b->n) return false;
    for (uint32_t i = 0; i < a->n; i++)
      if (!cue_equal(e, a->at[i], b->at[i], flags)) return false;
    return true;
  }
  case IR_DISJUNCTION: {
    IrDisjunction *a = IR_AS(IrDisjunction, x), *b = IR_AS(IrDisjunction, y);
    if (a->n != b->n) return false;
    for (uint32_t i = 0; i < a->n; i++)
      if (!cue_equal(e, a->at[i], b->at[i], flags)) return false;
    return true;
  }
  default: return false;
  }
}

static bool skipped(const Vertex *a, unsigned flags, ArcType max) {
  return ((flags & EQUAL_REGULAR_ONLY) && !label_is_regular(a->label)) || a->arc_type > max;
}

static bool equal_vertex(Eval *e, Vertex *x, Vertex *y, unsigned flags) {
  if (x->arc_type != y->arc_type) return false;
  x = vertex_deref(x);
  y = vertex_deref(y);
  if (x == y) return true;
  if (ir_kinds((Ir *)x) != ir_kinds((Ir *)y)) return false;
  ArcType max = ARC_REQUIRED;
  if (flags & EQUAL_STRUCTURAL) {
    max = ARC_OPTIONAL;
    if (vertex_is_closed_struct(e, x) != vertex_is_closed_struct(e, y)) return false;
    if ((vertex_is_list(x) && !vertex_is_open_list(x)) != (vertex_is_list(y) && !vertex_is_open_list(y))) return false;
  }
  for (uint32_t i = 0; i < x->arcs.n; i++) {
    Vertex *a = x->arcs.at[i];
    if (skipped(a, flags, max)) continue;
    Vertex *b = vertex_arc(y, a->label);
    if (!b || a->arc_type != b->arc_type || !cue_equal(e, (Ir *)a, (Ir *)b, flags)) return false;
  }
  for (uint32_t i = 0; i < y->arcs.n; i++) {
    Vertex *b = y->arcs.at[i];
    if (skipped(b, flags, max)) continue;
    Vertex *a = vertex_arc(x, b->label);
    if (!a || a->arc_type > max) return false;
  }
  bool vx = x->base && x->base->kind != IR_STRUCT_MARK && x->base->kind != IR_LIST_MARK;
  bool vy = y->base && y->base->kind != IR_STRUCT_MARK && y->base->kind != IR_LIST_MARK;
  if (!vx && !vy) return true;
  return equal_terminal(e, vx ? x->base : NULL, vy ? y->base : NULL, flags);
}

bool cue_equal(Eval *e, Ir *x, Ir *y, unsigned flags) {
  if (!(flags & EQUAL_STRUCTURAL)) {
    x = value_default(e, x);
    y = value_default(e, y);
  }
  bool vx = x && x->kind == IR_VERTEX, vy = y && y->kind == IR_VERTEX;
  if (vx && vy) return equal_vertex(e, IR_AS(Vertex, x), IR_AS(Vertex, y), flags);
  if (vx || vy) return false;
  return equal_terminal(e, x, y, flags);
}
