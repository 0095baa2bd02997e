/* validate.c - walking an evaluated value for what is wrong or missing in it. */
#include "compiler/node.h"

typedef struct Seen {
  struct Seen *next;
  Vertex *v;
} Seen;
typedef struct {
  Eval *e;
  ValidateOptions opt;
  Bottom *err;
  int in_definition;
  CUE_VEC(Ir *) shared; /* references that led here, named in messages */
  Vertex **seen;        /* targets of sharing already walked: open addressing */
  uint32_t nseen, cap;
} Validator;

static void add(Validator *v, Bottom *b) {
  if (!v->opt.all_errors || !b->child_error) v->err = bottom_combine(v->e, (Ir *)v->err, (Ir *)b);
}

static uint32_t seen_slot(const Vertex *x, uint32_t cap) {
  return (uint32_t)((uintptr_t)x >> 4) * 2654435761u & (cap - 1);
}

static bool first_time(Validator *v, Vertex *x) {
  if (v->nseen * 2 >= v->cap) {
    uint32_t cap = v->cap ? v->cap * 2 : 64;
    Vertex **grown = cue_array(v->e->a, Vertex *, cap);
    for (uint32_t i = 0; i < v->cap; i++) {
      if (!v->seen[i]) continue;
      uint32_t k = seen_slot(v->seen[i], cap);
      while (grown[k]) k = (k + 1) & (cap - 1);
      grown[k] = v->seen[i];
    }
    v->seen = grown;
    v->cap = cap;
  }
  uint32_t k = seen_slot(x, v->cap);
  for (; v->seen[k]; k = (k + 1) & (v->cap - 1))
    if (v->seen[k] == x) return false;
  v->seen[k] = x;
  v->nseen++;
  return true;
}

static void required_missing(Validator *v, Vertex *a) {
  Eval *e = v->e;
  Vertex *saved = e->vertex;
  cue_push(e->a, &e->alt_path, a);
  e->vertex = a;
  Err *err = err_new(e, eval_pos(e), "field is required but not present");
  for (uint32_t i = 0; i < v->shared.n; i++) err_add_ir(e, err, v->shared.at[i]);
  for (uint32_t i = 0; i < a->conjuncts.n; i++) {
    Conjunct c = a->conjuncts.at[i];
    if (c.x->kind == IR_FIELD && c.x->arc_type == ARC_REQUIRED) err_add_ir(e, err, c.x);
    if (v->opt.within) err_add_pos(e, err, e->containments.at[c.ci.def].pos);
  }
  Bottom *b = bottom_new(e, BOTTOM_INCOMPLETE, err);
  b->node = a;
  add(v, b);
  e->vertex = saved;
  e->alt_path.n--;
}

static void walk(Validator *v, Vertex *x);

static void walk_value(Validator *v, Vertex *x) {
  Eval *e = v->e;
  bool concrete = v->opt.concrete && v->in_definition == 0;
  bool final = (v->opt.concrete || v->opt.final) && v->in_definition == 0;
  Bottom *b = vertex_bottom(x);
  if (b) {
    if (b->code == BOTTOM_CYCLE) {
      if (final || v->opt.disallow_cycles) add(v, b);
    } else if (b->code == BOTTOM_INCOMPLETE) {
      if (v->opt.report_incomplete || concrete) add(v, b);
    } else {
      add(v, b);
    }
    if (!b->has_recursive) return;
  } else if (concrete && ir_default_scalar(x->base)) {
    return;
  } else if (concrete) {
    x = vertex_default(e, x);
    if (!ir_is_concrete((Ir *)x)) {
      Err *err = err_new(e, eval_pos(e), "incomplete value %v", vertex_value(x));
      for (uint32_t i = 0; i < v->shared.n; i++) err_add_ir(e, err, v->shared.at[i]);
      add(v, bottom_new(e, BOTTOM_INCOMPLETE, err));
    }
  }
  for (uint32_t i = 0; i < x->arcs.n; i++) {
    Vertex *a = x->arcs.at[i];
    if (a->arc_type == ARC_REQUIRED && v->opt.final && v->in_definition == 0) {
      required_missing(v, a);
      continue;
    }
    if (label_is_let(a->label) || !vertex_defined(e, a)) continue;
    if (!v->opt.all_errors && v->err) break;
    bool regular = label_is_regular(a->label);
    v->in_definition += !regular;
    walk(v, a);
    v->in_definition -= !regular;
  }
}

static void walk(Validator *v, Vertex *x) {
  Eval *e = v->e;
  Vertex *saved = e->vertex;
  e->vertex = x;
  cue_push(e->a, &e->alt_path, x);
  uint32_t shared = v->shared.n;
  if (x->is_shared && x->conjuncts.n) /* of several, cue names the second */
    cue_push(e->a, &v->shared, conjunct_elem(x->conjuncts.at[x->conjuncts.n > 1].x));
  Vertex *y = vertex_deref(x);
  if (y == x || (v->in_definition == 0 && first_time(v, y))) walk_value(v, y);
  v->shared.n = shared;
  e->alt_path.n--;
  e->vertex = saved;
}

Bottom *cue_validate(Eval *e, Vertex *v, ValidateOptions opt) {
  Validator w = {.e = e, .opt = opt};
  walk(&w, v);
  return w.err;
}

Bottom *validate_value(Eval *e, Ir *v, ValidateOptions opt) {
  if (ir_concreteness(v) > 1) {
    Bottom *b = bottom_new(e, BOTTOM_INCOMPLETE, err_new(e, eval_pos(e), "non-concrete value '%v'", v));
    b->node = e->vertex;
    return b;
  }
  if (v->kind != IR_VERTEX) return NULL;
  if (ir_kinds(v) & (CUE_STRUCT | CUE_LIST)) cue_finalize(e, IR_AS(Vertex, v));
  return cue_validate(e, IR_AS(Vertex, v), opt);
}
