/* export_bounds.c - conjunctions of types and bounds, written as people write them.
**
** int & >=0 & <=255 is uint8. A lower and an upper bound on numbers are looked up among the
** ranges that have a name; what the name does not say is kept beside it. All else of the
** conjunction follows in the order of kinds of conjuncts: types, references, atoms, bounds,
** other expressions, structs.
*/
#include "compiler/export.h"

/* ---- order ---- */

static int kind_rank(const Ir *x) {
  switch ((IrKind)x->kind) {
  case IR_TOP: return 0;
  case IR_TYPE: return 1;
  case IR_FIELD_REF: return 2;
  case IR_SCALAR: return 10;
  case IR_BOUND: return 20;
  case IR_STRUCT:
  case IR_LIST: return 500;
  default: return 25;
  }
}

static int pos_cmp(Eval *e, CuePos p, CuePos q) {
  if (cue_pos_offset(p) == cue_pos_offset(q)) return 0;
  if (!cue_pos_known(p)) return 1;
  if (!cue_pos_known(q)) return -1;
  const CueSource *f = cue_source_of(e->ctx->sources, p), *g = cue_source_of(e->ctx->sources, q);
  if (f != g && f && g) {
    int c = cue_str_cmp(f->name, g->name);
    if (c) return c;
  }
  return cue_pos_offset(p) < cue_pos_offset(q) ? -1 : 1;
}

int leaf_cmp(Eval *e, const Ir *x, const Ir *y) {
  int p = kind_rank(x), q = kind_rank(y);
  if (p != q) return p < q ? -1 : 1;
  if (!x->src || !y->src) return 0;
  return pos_cmp(e, ir_pos(x), ir_pos(y));
}

void leaf_sort(Eval *e, CueArena *a, Ir **at, uint32_t n) {
  /* Merge sort: stable, and conjuncts may be many. */
  Ir **from = at, **to = cue_array(a, Ir *, n);
  for (uint32_t width = 1; width < n; width *= 2) {
    for (uint32_t lo = 0; lo < n; lo += 2 * width) {
      uint32_t mid = lo + width < n ? lo + width : n, hi = lo + 2 * width < n ? lo + 2 * width : n;
      for (uint32_t i = lo, j = mid, k = lo; k < hi; k++)
        to[k] = i < mid && (j >= hi || leaf_cmp(e, from[j], from[i]) >= 0) ? from[i++] : from[j++];
    }
    Ir **t = from;
    from = to;
    to = t;
  }
  for (uint32_t i = 0; from != at && i < n; i++) at[i] = from[i];
}

/* ---- ranges ---- */

typedef struct {
  const char *name, *lo, *hi;
} Range;

static const Range int_ranges[] = {
    {"int8", "-128", "127"},
    {"int16", "-32768", "32767"},
    {"int32", "-2147483648", "2147483647"},
    {"int64", "-9223372036854775808", "9223372036854775807"},
    {"int128", "-170141183460469231731687303715884105728", "170141183460469231731687303715884105727"},
    {"uint8", "0", "255"},
    {"uint16", "0", "65535"},
    {"uint32", "0", "4294967295"},
    {"uint64", "0", "18446744073709551615"},
    {"uint128", "0", "340282366920938463463374607431768211455"},
    {0},
};
static const Range float_ranges[] = {
    {"float32", "-3.40282346638528859811704183484516925440e+38", "3.40282346638528859811704183484516925440e+38"},
    {"float64", "-1.797693134862315708145274237317043567981e+308", "1.797693134862315708145274237317043567981e+308"},
    {0},
};

typedef struct {
  CueArena *a;
  bool is_int;
  IrBound *min, *max; /* NULL once a name says it */
  const CueNum *min_num, *max_num;
} Bounds;

/* Whether v is told by the bounds; then it is not written on its own. */
static bool bounds_add(Bounds *b, Ir *v) {
  if (v->kind == IR_TYPE) {
    bool is_int = (IR_AS(IrType, v)->kinds & ~(uint32_t)(CUE_LIST | CUE_STRUCT | CUE_FUNC)) == CUE_INT;
    b->is_int |= is_int;
    return is_int;
  }
  if (v->kind != IR_BOUND) return false;
  IrBound *x = IR_AS(IrBound, v);
  if (x->value->kind != IR_SCALAR || !(IR_AS(IrScalar, x->value)->v.kind & CUE_NUMBER)) return false;
  const CueNum *n = cue_value_num(b->a, IR_AS(IrScalar, x->value)->v);
  switch (x->op) {
  case TOK_GTR:
  case TOK_GEQ: {
    int c = b->min ? cue_num_cmp(b->min_num, n) : -1;
    if (c < 0 || (c == 0 && x->op == TOK_GTR)) {
      b->min = x;
      b->min_num = n;
    }
    return true;
  }
  case TOK_LSS:
  case TOK_LEQ: {
    int c = b->max ? cue_num_cmp(b->max_num, n) : 1;
    if (c > 0 || (c == 0 && x->op == TOK_LSS)) {
      b->max = x;
      b->max_num = n;
    }
    return true;
  }
  default: return false;
  }
}

/* The name of a range that one side matches, and the other lies within. Drops what it says. */
static const char *bounds_match(Bounds *b, const Range *ranges) {
  for (const Range *r = ranges; r->name; r++) {
    const CueNum *lo = cue_num_parse(b->a, cue_str(r->lo)), *hi = cue_num_parse(b->a, cue_str(r->hi));
    bool from_zero = cue_num_sign(b->min_num) == 0;
    if (!from_zero && b->min->op == TOK_GEQ && cue_num_cmp(b->min_num, lo) == 0) {
      int c = cue_num_cmp(b->max_num, hi);
      if (c > 0) continue;
      if (c == 0 && b->max->op == TOK_LEQ) b->max = NULL;
      b->min = NULL;
      return r->name;
    }
    if (b->max->op == TOK_LEQ && cue_num_cmp(b->max_num, hi) == 0) {
      int c = cue_num_cmp(b->min_num, lo);
      if (c < 0) continue;
      if (c == 0 && b->min->op == TOK_GEQ) b->min = NULL;
      b->max = NULL;
      return r->name;
    }
  }
  return NULL;
}

static Ast *name_node(CueArena *a, const char *name) { return name ? tree_ident(a, cue_str(name)) : NULL; }

static Ast *bounds_syntax(Exporter *x, Bounds *b) {
  if (!b->min || !b->max) return NULL;
  Ast *out = NULL;
  bool more = true;
  if (b->is_int) {
    out = name_node(x->a, bounds_match(b, int_ranges));
    more = !out;
    if (!out) {
      int sign = cue_num_sign(b->min_num);
      out = name_node(x->a, sign < 0 ? "int" : "uint");
      if (sign == 0 && b->min->op == TOK_GEQ) {
        b->min = NULL;
        more = false;
      }
    }
  }
  if (more) out = tree_binary(x->a, TOK_AND, out, name_node(x->a, bounds_match(b, float_ranges)));
  if (b->min) out = tree_binary(x->a, TOK_AND, out, export_expr(x, NULL, (Ir *)b->min));
  if (b->max) out = tree_binary(x->a, TOK_AND, out, export_expr(x, NULL, (Ir *)b->max));
  return out;
}

Ast *export_conjunction(Exporter *x, const IrJunction *j) {
  if (j->n == 0) return tree_ident(x->a, CUE_STR("_"));
  if (j->n == 1) return export_expr(x, NULL, j->at[0]);
  Bounds b = {.a = x->a};
  Ir **rest = cue_array(x->a, Ir *, j->n);
  uint32_t n = 0;
  for (uint32_t i = 0; i < j->n; i++)
    if (!bounds_add(&b, j->at[i])) rest[n++] = j->at[i];
  Ast *out = bounds_syntax(x, &b);
  if (!out)
    for (n = 0; n < j->n; n++) rest[n] = j->at[n];
  leaf_sort(x->e, x->a, rest, n);
  for (uint32_t i = 0; i < n; i++) {
    Ir *v = rest[i];
    out = tree_binary(x->a, TOK_AND, out,
                      v->kind == IR_VERTEX ? export_vertex(x, IR_AS(Vertex, v)) : export_value(x, v, NULL, 0));
  }
  return out;
}
