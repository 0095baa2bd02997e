/* expr.c - evaluating expressions and following references.
**
** An error found on the way is added to e->errs; a function that then returns NULL leaves it there.
** eval_expr returns that error as the value. A reference to a value that is not known yet makes the
** running task wait (Flags.mode RUN_YIELD), which leaves this file by longjmp.
*/
#include "compiler/hole.h"

#include <string.h>

Env *env_new(Eval *e, Env *up, Vertex *v) {
  Env *env = cue_new(e->a, Env);
  env->up = up;
  env->vertex = v;
  return env;
}

Env *env_up(Eval *e, uint32_t n) {
  Env *env = e->env;
  while (n-- && env->up) env = env->up;
  return env;
}

static const Ast *ir_src(const Ir *x) {
  while (x && x->kind == IR_VERTEX) x = IR_AS(const Vertex, x)->base;
  return x ? x->src : NULL;
}

/* ---- places: what to put back after evaluating elsewhere ---- */

typedef struct {
  Env *env;
  Bottom *errs;
  const Ast *src;
  CloseInfo ci;
} Place;

static Place enter(Eval *e, Env *env, const Ast *src) {
  Place p = {e->env, e->errs, e->src, e->ci};
  e->errs = NULL;
  if (src) e->src = src;
  e->env = env;
  return p;
}

static Bottom *leave(Eval *e, Place p) {
  Bottom *b = e->errs;
  e->env = p.env;
  e->errs = p.errs;
  e->src = p.src;
  e->ci = p.ci;
  return b;
}

/* ---- defaults ---- */

Ir *eval_get_default(Eval *e, Ir *v, bool *ok) {
  *ok = true;
  for (;;) {
    IrDisjunction *d;
    if (v && v->kind == IR_VERTEX) {
      Ir *base = IR_AS(Vertex, v)->base;
      if (base && base->kind == IR_VERTEX) {
        v = base;
        continue;
      }
      if (!base || base->kind != IR_DISJUNCTION) return v;
      d = IR_AS(IrDisjunction, base);
    } else if (v && v->kind == IR_DISJUNCTION) {
      d = IR_AS(IrDisjunction, v);
    } else {
      return v;
    }
    if (d->ndefaults != 1) {
      eval_error(e, BOTTOM_INCOMPLETE, eval_pos(e), "unresolved disjunction %v (type %k)", (Ir *)d, ir_kinds((Ir *)d));
      *ok = false;
      return NULL;
    }
    v = d->at[0];
  }
}

/* ---- the value of a vertex reached by a reference ---- */

static Ir *evaluate_vertex(Eval *e, Vertex *v, Ir *ref, Flags f) {
  if (v->arc_type != ARC_MEMBER || !v->base || v->base == (Ir *)&e->cycle) {
    vertex_unify(e, v, f);
    if (v->arc_type == ARC_PENDING) {
      if (v->status == VERTEX_EVALUATING) {
        while (v->parent && v->arc_type == ARC_PENDING) v = v->parent;
        Bottom *b = bottom_new(e, BOTTOM_CYCLE, err_new(e, eval_pos(e), "cycle with field %v", ref));
        b->node = v;
        v->base = (Ir *)b;
        return (Ir *)b;
      }
      eval_error(e, BOTTOM_INCOMPLETE, eval_pos(e), "undefined field: %l", v->label);
      return NULL;
    }
  }
  NodeState *n = v->state;
  if (n) {
    if (n->errs && !bottom_incomplete(n->errs)) return (Ir *)n->errs;
    if (n->scalar && is_cycle_placeholder(e, v->base)) return n->scalar;
  }
  if (v->base && v->base->kind == IR_BOTTOM) {
    Bottom *b = IR_AS(Bottom, v->base);
    if (!bottom_incomplete(b)) return v->base;
    eval_add_bottom(e, b);
    return NULL;
  }
  if (!v->base) {
    if (!n) return NULL;
    return node_validators(n, true); /* of a node without value this is a type or bounds */
  }
  return (Ir *)v;
}

static Bottom *wrap_cycle(Eval *e, Bottom *b) {
  if (!e->src || b->code != BOTTOM_CYCLE) return b;
  if (b->nerrs && (cue_pos_known(b->errs[0]->pos) || b->errs[0]->aux.n)) return b;
  Bottom *c = cue_new(e->a, Bottom);
  *c = *b;
  c->flag = 0; /* no placeholder any more */
  Err *where = err_new(e, e->src->pos, "");
  where->node = NULL;
  return bottom_wrap(e, c, where);
}

static Ir *evaluate(Eval *e, Ir *x, Flags f);

static Ir *evaluate_reference(Eval *e, Ir *x, Flags f) {
  Vertex *arc = eval_resolve(e, x, f);
  if (e->errs || !arc) return NULL;
  if (e->holes) hole_refer(e, arc);
  Vertex *orig = arc;
  arc = vertex_deref_non_shared(arc);
  NodeState *n = vertex_state(e, arc);
  if (n) {
    bool skip;
    e->ci = node_detect_cycle(n, arc, NULL, x, e->ci, &skip);
  }
  NodeState *s = vertex_state(e, arc);
  if (s) {
    node_retain(s);
    Cond needs = f.cond | COND_ARC_TYPE;
    Flags go = {.cond = needs, .mode = f.mode, .typos = true};
    switch (f.mode) {
    case RUN_FINALIZE:
      go.mode = RUN_ATTEMPT;
      vertex_unify(e, arc, go); /* sets the scalar */
      sched_freeze(s, needs);
      break;
    case RUN_ATTEMPT: vertex_unify(e, arc, go); break;
    case RUN_YIELD: {
      vertex_unify(e, arc, go);
      bool evaluating = arc->status == VERTEX_EVALUATING;
      if (f.concrete && orig != arc && orig->state && sched_meets(orig->state, COND_SCALAR) &&
          vertex_recursively_concrete(arc))
        evaluating = false;
      if (evaluating && orig != arc && arc->is_disjunct) {
        Task *t = eval_current(e);
        if (t && f.cond == COND_SCALAR && orig->state && !sched_meets(orig->state, COND_SCALAR)) {
          orig->state->default_attempt = t->node->node;
          task_wait_for(t, orig->state, needs);
          eval_yield(e);
        }
        eval_restore(e);
        return (Ir *)bottom_new(e, BOTTOM_CYCLE, err_new(e, eval_pos(e), "unresolved disjunction: %v", x));
      }
      if (evaluating && !s->has_field_value && is_cycle_placeholder(e, arc->base)) {
        eval_add_bottom(e, bottom_new(e, BOTTOM_CYCLE, err_new(e, eval_pos(e), "cycle with field: %v", x)));
        break;
      }
      Ir *v = evaluate_vertex(e, arc, x, f);
      eval_restore(e);
      return v;
    }
    default: break;
    }
    eval_restore(e);
  }
  return evaluate_vertex(e, vertex_deref(arc), x, f);
}

Ir *eval_expr_ci(Eval *e, Ir *x, Flags f, CloseInfo *ci) {
  const Ast *saved_src = e->src;
  Bottom *saved_errs = e->errs;
  CloseInfo saved_ci = e->ci;
  e->src = ir_src(x);
  e->errs = NULL;

  Ir *result;
  if (ir_is_value(x)) {
    result = x;
  } else if (x->kind == IR_OPEN) {
    CloseInfo inner;
    result = eval_expr_ci(e, IR_AS(IrUnary, x)->x, f, &inner);
    e->ci = inner;
    e->ci.opened = true;
  } else if (ir_is_resolver(x)) {
    result = evaluate_reference(e, x, f);
  } else {
    result = evaluate(e, x, f);
  }
  *ci = e->ci;

  e->errs = bottom_combine(e, (Ir *)e->errs, (Ir *)saved_errs);
  if (result && result->kind == IR_VERTEX) {
    Bottom *b = vertex_bottom(IR_AS(Vertex, result));
    if (b && !bottom_incomplete(b)) result = (Ir *)b;
  }
  if (result && result->kind == IR_BOTTOM) {
    Bottom *b = wrap_cycle(e, IR_AS(Bottom, result));
    if (e->errs != b) e->errs = bottom_combine(e, (Ir *)e->errs, (Ir *)b);
  }
  if (e->errs) result = (Ir *)e->errs;
  e->src = saved_src;
  e->ci = saved_ci;
  return result;
}

Ir *eval_expr(Eval *e, Ir *x, Flags f) {
  CloseInfo ci;
  return eval_expr_ci(e, x, f, &ci);
}

Ir *eval_value(Eval *e, Ir *x, Flags f) {
  f.concrete = true;
  bool ok;
  return ir_unwrap(eval_get_default(e, eval_expr(e, x, f), &ok));
}

Ir *eval_keep_state(Eval *e, Ir *x) {
  const Ast *src = e->src;
  CloseInfo ci;
  e->src = ir_src(x);
  Ir *v = eval_expr_ci(e, x, (Flags){.status = VERTEX_PARTIAL, .cond = COND_SCALAR, .mode = RUN_FINALIZE}, &ci);
  e->src = src;
  e->ci = ci;
  return v;
}

/* An operand that must be concrete. */
static Ir *concrete(Eval *e, Env *env, Ir *x, uint8_t op) {
  Place p = enter(e, env, x->src);
  Ir *w = eval_expr(e, x, (Flags){.status = VERTEX_PARTIAL, .cond = COND_SCALAR, .mode = RUN_YIELD});
  leave(e, p);
  bool ok;
  w = eval_get_default(e, w, &ok);
  if (!ok) return w;
  Ir *v = ir_unwrap(w);
  if (v && ir_is_concrete(v)) return v;
  return (Ir *)bottom_f(e, BOTTOM_INCOMPLETE, "non-concrete value %v in operand to %o", w, op);
}

/* ---- resolving ---- */

/* The node x stands for, its conjuncts scheduled, for selecting into it. */
Ir *eval_unify_node(Eval *e, Ir *x, Flags f) {
  const Ast *saved_src = e->src;
  Bottom *saved_errs = e->errs;
  e->src = ir_src(x);
  e->errs = NULL;
  Ir *result = NULL;
  if (ir_is_value(x)) {
    result = x;
  } else if (ir_is_resolver(x)) {
    Vertex *v = eval_resolve(e, x, f);
    if (!e->errs && v) {
      v = vertex_deref(v);
      result = (Ir *)v;
      NodeState *n = vertex_state(e, v);
      if (n) {
        node_retain(n);
        /* A lookup counts as new structure. */
        if (e->ci.cycle != CYCLE_IS || label_is_let(v->label)) n->has_non_cycle = true;
        sched_process(n, COND_ARC_TYPE, RUN_YIELD);
        if (n->disjuncts.n > 0 || n->scalar_disjunction)
          vertex_unify(e, n->node, (Flags){.cond = COND_ARC_TYPE, .mode = RUN_YIELD});
        eval_restore(e);
      }
    }
  } else {
    result = evaluate(e, x, f);
  }
  e->errs = bottom_combine(e, (Ir *)e->errs, (Ir *)saved_errs);
  if (result && result->kind == IR_VERTEX) {
    Bottom *b = vertex_bottom(IR_AS(Vertex, result));
    if (b && !bottom_incomplete(b)) result = (Ir *)b;
  }
  if (result && result->kind == IR_BOTTOM)
    e->errs = bottom_combine(e, (Ir *)e->errs, (Ir *)wrap_cycle(e, IR_AS(Bottom, result)));
  if (e->errs) result = (Ir *)e->errs;
  e->src = saved_src;
  return result;
}

/* The vertex that `orig` selects from: a struct or list; the empty node with an error otherwise. */
static Vertex *node_of(Eval *e, Ir *orig, Ir *x, bool scalar, Hole **hole) {
  bool saved = e->ci.from_def;
  if (!ir_is_resolver(x)) e->ci.from_def = false;
  Ir *v = eval_unify_node(e, x, (Flags){.status = VERTEX_PARTIAL, .cond = COND_NEED_FIELD_SET, .mode = RUN_YIELD});
  Vertex *result = &e->empty_node;
  bool ok;
  Ir *all = v;
  v = eval_get_default(e, v, &ok);
  if (!ok || (*hole = hole_of(e, v))) goto done;
  if (v && v != all && (v->kind == IR_SCALAR || v->kind == IR_TYPE))
    v = (Ir *)cue_vertex_of(e, v); /* a disjunct is a node */
  if (scalar) {
    Ir *w = ir_unwrap(v);
    if (!is_cycle_placeholder(e, w)) v = w;
  }
  Vertex *node = v && v->kind == IR_VERTEX ? IR_AS(Vertex, v) : NULL;
  if (node && !is_cycle_placeholder(e, node->base)) v = vertex_value(node);
  if (!v) {
    eval_error(e, BOTTOM_INCOMPLETE, ir_pos(x), "%v undefined (%v is incomplete)", orig, x);
  } else if (v->kind == IR_BOTTOM) {
    eval_add_bottom(e, IR_AS(Bottom, v));
  } else if (v->kind == IR_VERTEX) {
    if (IR_AS(Vertex, v)->non_rooted) vertex_complete_arcs_only(e, IR_AS(Vertex, v));
    result = node;
  } else {
    uint32_t kinds = ir_kinds(v);
    if (kinds & CUE_STRUCT)
      eval_error(e, BOTTOM_INCOMPLETE, ir_pos(x), "%v undefined as %v is incomplete (type %k)", orig, x, kinds);
    else if (!node)
      eval_error(e, BOTTOM_EVAL, ir_pos(x), "invalid operand %a (found %k, want list or struct)", x->src, kinds);
    else
      result = node; /* a scalar may have definitions */
  }
done:
  if (!ir_is_resolver(x)) e->ci.from_def = saved;
  return result;
}

static Vertex *lookup_checked(Eval *e, Vertex *n, CuePos pos, Label l, Flags f, bool optional) {
  Bottom *saved = e->errs;
  e->errs = NULL;
  Vertex *v = vertex_lookup(e, n, pos, l, f);
  if (!v && optional && e->errs && bottom_incomplete(e->errs)) e->skip_try = true;
  e->errs = bottom_combine(e, (Ir *)e->errs, (Ir *)saved);
  return v;
}

static Vertex *resolve_let(Eval *e, IrRef *x, Flags f) {
  Env *env = env_up(e, x->up);
  Vertex *arc = vertex_lookup(e, env_vertex(e, env), x->pos, x->label, f);
  if (!arc) return NULL;
  Bottom *b = vertex_bottom(arc);
  NodeState *state = vertex_state(e, arc);
  if (!arc->multi_let && ((!b && !state) || (b && is_cycle_placeholder(e, (Ir *)b)))) return arc;
  if (arc->conjuncts.n == 0) return arc;
  Conjunct c = arc->conjuncts.at[0];
  Ir *expr = conjunct_expr(c.x);
  for (uint32_t i = env->lets; i; i = e->let_values.at[i - 1].next) {
    const LetValue *k = &e->let_values.at[i - 1];
    if (k->x == expr && k->arc == arc) return k->value;
  }
  c.env = env;
  c.x = expr;
  Vertex *n = vertex_new(e, arc->parent, x->label);
  n->is_dynamic = b && b->code == BOTTOM_STRUCTURAL_CYCLE;
  cue_push(e->a, &n->conjuncts, c);
  cue_push(e->a, &e->let_values, (LetValue){env->lets, expr, arc, n});
  env->lets = e->let_values.n;
  return n;
}

static Vertex *resolve_dynamic(Eval *e, IrDynamicRef *x, Flags f) {
  Env *env = env_up(e, x->up);
  Place p = enter(e, env, x->src);
  Ir *v = eval_value(e, x->label, (Flags){.status = VERTEX_PARTIAL, .cond = COND_SCALAR, .mode = RUN_YIELD});
  leave(e, p);
  Label l = eval_label(e, x->label, v);
  return vertex_lookup(e, env_vertex(e, env), x->pos, l, f);
}

/* A package of builtins is complete whenever it is looked into: it is evaluated as if on its own. */
static void finalize_apart(Eval *e, Vertex *v) {
  Eval saved = *e;
  e->env = &e->empty_env;
  e->ci = (CloseInfo){0};
  e->src = NULL;
  e->errs = NULL;
  e->vertex = NULL;
  e->eval_depth = e->in_detached = e->in_validator = 0;
  e->is_validator = false;
  memset(&e->overlays, 0, sizeof e->overlays);
  memset(&e->alt_path, 0, sizeof e->alt_path);
  memset(&e->positions, 0, sizeof e->positions);
  memset(&e->stack, 0, sizeof e->stack);
  memset(&e->blocking, 0, sizeof e->blocking);
  cue_finalize(e, v);
  e->env = saved.env;
  e->ci = saved.ci;
  e->src = saved.src;
  e->errs = saved.errs;
  e->vertex = saved.vertex;
  e->eval_depth = saved.eval_depth;
  e->in_detached = saved.in_detached;
  e->in_validator = saved.in_validator;
  e->is_validator = saved.is_validator;
  e->overlays.at = saved.overlays.at, e->overlays.n = saved.overlays.n, e->overlays.cap = saved.overlays.cap;
  e->alt_path.at = saved.alt_path.at, e->alt_path.n = saved.alt_path.n, e->alt_path.cap = saved.alt_path.cap;
  e->positions.at = saved.positions.at, e->positions.n = saved.positions.n, e->positions.cap = saved.positions.cap;
  e->stack = saved.stack;
  e->blocking = saved.blocking;
}

Vertex *eval_resolve(Eval *e, Ir *x, Flags f) {
  f.exists = x->op != 0;
  switch (x->kind) {
  case IR_FIELD_REF: {
    IrRef *r = IR_AS(IrRef, x);
    return lookup_checked(e, env_vertex(e, env_up(e, r->up)), x->pos, r->label, f, x->flag);
  }
  case IR_VALUE_REF: {
    uint32_t up = IR_AS(IrRef, x)->up;
    return up == 0 ? e->vertex : env_vertex(e, env_up(e, up - 1));
  }
  case IR_DYNAMIC_REF: return resolve_dynamic(e, IR_AS(IrDynamicRef, x), f);
  case IR_LET_REF: return resolve_let(e, IR_AS(IrRef, x), f);
  case IR_IMPORT_REF: {
    IrImport *i = IR_AS(IrImport, x);
    Vertex *v = i->instance ? i->instance->root : i->builtin ? cue_builtin_vertex(e->ctx, i->builtin) : NULL;
    if (v && i->builtin && v->status != VERTEX_FINALIZED) finalize_apart(e, v);
    if (!v) eval_error(e, BOTTOM_EVAL, x->pos, "cannot find package \"%S\"", i->path);
    return v;
  }
  case IR_SELECTOR: {
    IrSelector *s = IR_AS(IrSelector, x);
    Hole *hole = NULL;
    Vertex *n = node_of(e, x, s->x, label_is_regular(s->sel), &hole);
    if (hole) return hole_select(e, hole, s->sel, s->sel_pos);
    if (n == &e->empty_node) return n;
    return lookup_checked(e, n, s->sel_pos, s->sel, f, x->flag);
  }
  case IR_INDEX: {
    IrIndex *ix = IR_AS(IrIndex, x);
    Hole *hole = NULL;
    Vertex *n = node_of(e, x, ix->x, true, &hole);
    Ir *i = eval_value(e, ix->index, (Flags){.status = VERTEX_PARTIAL, .cond = COND_SCALAR, .mode = RUN_YIELD});
    if (i && (hole || (n != &e->empty_node && hole_of(e, i)))) return hole_index(e, hole ? hole->scalar : (Ir *)n, i);
    if (n == &e->empty_node) return n;
    Label l = eval_label(e, ix->index, i);
    if (e->errs) return NULL;
    Vertex *v = vertex_lookup(e, n, ir_pos(ix->index), l, f);
    if (!v && x->flag && e->errs && bottom_incomplete(e->errs)) e->skip_try = true;
    return v;
  }
  case IR_NODE_LINK: return IR_AS(IrNodeLink, x)->node;
  default: return NULL;
  }
}

/* The label a value stands for; 0 with an error if it stands for none. */
Label eval_label(Eval *e, Ir *src, Ir *v) {
  bool ok;
  v = eval_get_default(e, v, &ok);
  if (ir_is_error(v)) return 0;
  uint32_t kinds = ir_kinds(v);
  Ir *u = ir_unwrap(v);
  Hole *hole = hole_of(e, u);
  if (hole) return hole_label(e, hole, 0);
  bool scalar = u && u->kind == IR_SCALAR;
  if (kinds == CUE_STRING) {
    if (!scalar) {
      eval_error(e, BOTTOM_INCOMPLETE, ir_pos(v), "invalid non-ground value %v (must be concrete %s)", v, "string");
      return 0;
    }
    return label_string(e->labels, cue_value_str(IR_AS(IrScalar, u)->v));
  }
  if (kinds == CUE_INT || kinds == CUE_NUMBER) {
    if (!scalar) {
      eval_error(e, BOTTOM_INCOMPLETE, ir_pos(v), "invalid non-ground value %v (must be concrete %s)", v, "int");
      return 0;
    }
    CueValue i = IR_AS(IrScalar, u)->v;
    if (i.kind == CUE_INT && i.form == CUE_BIG && cue_num_sign(i.as.num) == 0) i = cue_int(0); /* -0 */
    if (i.kind != CUE_INT || i.form != CUE_PLAIN) {
      eval_error(e, BOTTOM_EVAL, eval_pos(e), "invalid index %v: %s", src ? src : v,
                 i.kind == CUE_INT ? "value too large" : "<nil>");
      return 0;
    }
    if (i.as.i < 0) {
      bool constant = !src || src->kind == IR_SCALAR || src->kind == IR_UNARY;
      if (constant)
        eval_error(e, BOTTOM_EVAL, eval_pos(e), "invalid index %v (index must be non-negative)", u);
      else
        eval_error(e, BOTTOM_EVAL, eval_pos(e), "index %v out of range [%v]", src, u);
      return 0;
    }
    if (i.as.i >= LABEL_MAX_INT) {
      eval_error(e, BOTTOM_EVAL, eval_pos(e), "int label out of range (%d not >=0 and <= %d)", i.as.i,
                 (int64_t)LABEL_MAX_INT - 1);
      return 0;
    }
    return label_int((uint32_t)i.as.i);
  }
  if (src)
    eval_error(e, BOTTOM_EVAL, eval_pos(e), "invalid index %v (invalid type %k)", src, kinds);
  else
    eval_error(e, BOTTOM_EVAL, eval_pos(e), "invalid index type %k", kinds);
  return 0;
}

/* ---- evaluating ---- */

static Ir *evaluate_bound(Eval *e, IrUnary *x) {
  if (x->known) return x->known;
  Ir *v = eval_value(e, x->x, (Flags){.status = VERTEX_PARTIAL, .cond = COND_SCALAR, .mode = RUN_YIELD});
  if (ir_is_error(v)) return v;
  uint32_t k =
      hole_of(e, v) ? (unsigned)CUE_INT : ir_kinds(v); /* what is not known will be of the right kind, or wrong */
  bool eq = x->op == TOK_NEQ || x->op == TOK_EQL;
  switch (k) {
  case CUE_INT:
  case CUE_FLOAT:
  case CUE_NUMBER:
  case CUE_STRING:
  case CUE_BYTES: break;
  case CUE_NULL:
  case CUE_STRUCT:
  case CUE_LIST:
    if (!eq) return (Ir *)bottom_new(e, BOTTOM_EVAL, err_new(e, ir_pos(x->x), "cannot use %k for bound %o", k, x->op));
    break;
  default:
    if (k & (CUE_NUMBER | CUE_STRING | CUE_BYTES | (eq ? CUE_NULL | CUE_STRUCT | CUE_LIST : 0))) {
      eval_error(e, BOTTOM_INCOMPLETE, 0, "non-concrete value %v for bound %o", x->x, x->op);
      return NULL;
    }
    return (Ir *)bottom_new(e, BOTTOM_EVAL,
                            err_new(e, ir_pos(x->x), "invalid value %v (type %k) for bound %o", v, k, x->op));
  }
  if (ir_concreteness(v) > 1) {
    if (ir_is_value(x->x)) return (Ir *)bottom_f(e, BOTTOM_EVAL, "bound has fixed non-concrete value");
    eval_error(e, BOTTOM_INCOMPLETE, 0, "non-concrete value %v for bound %o", x->x, x->op);
    return NULL;
  }
  IrBound *b = cue_new(e->a, IrBound);
  b->kind = IR_BOUND;
  b->op = x->op;
  b->src = x->src;
  b->pos = x->pos;
  b->value = v;
  if (x->x->kind == IR_SCALAR) x->known = (Ir *)b;
  return (Ir *)b;
}

static bool slice_index(Eval *e, Ir *x, uint64_t *out) {
  Ir *v = eval_value(e, x, (Flags){.status = VERTEX_PARTIAL, .cond = COND_SCALAR, .mode = RUN_YIELD});
  v = ir_unwrap(v);
  if (ir_is_error(v)) return false;
  if (hole_of(e, v)) hole_fail(e, x->pos, "a slice of which the ends are not known");
  CueValue i = v->kind == IR_SCALAR ? IR_AS(IrScalar, v)->v : (CueValue){0};
  if (v->kind != IR_SCALAR || !(i.kind & CUE_NUMBER)) {
    if (!ir_is_concrete(v) && (ir_kinds(v) & CUE_INT))
      eval_error(e, BOTTOM_INCOMPLETE, ir_pos(v), "incomplete %k in %s: %v", CUE_INT, "slice index", v);
    else
      eval_error(e, BOTTOM_EVAL, eval_pos(e), "cannot use %v (type %k) as type %k in %s", v, ir_kinds(v), CUE_INT,
                 "slice index");
    return false;
  }
  const CueNum *num = cue_value_num(e->a, i);
  if (cue_num_sign(num) < 0) {
    eval_error(e, BOTTOM_EVAL, eval_pos(e), "cannot convert negative number to uint64");
    return false;
  }
  if (!cue_num_to_uint64(num, out)) {
    eval_error(e, BOTTOM_EVAL, eval_pos(e), "cannot convert number %S to uint64", cue_num_text(e->a, num));
    return false;
  }
  return true;
}

static Ir *evaluate_slice(Eval *e, IrSlice *x) {
  Ir *v = eval_value(e, x->x, (Flags){.status = VERTEX_PARTIAL, .cond = COND_FIELD_SET, .mode = RUN_YIELD});
  if (!v) {
    eval_error(e, BOTTOM_INCOMPLETE, eval_pos(e), "non-concrete slice subject %v", x->x);
    return NULL;
  }
  if (v->kind == IR_BOTTOM) return v;
  if (hole_of(e, v)) {
    hole_fail(e, x->pos, "a slice of what is not known");
    return &e->top;
  }
  Vertex *list = v->kind == IR_VERTEX && vertex_is_list(IR_AS(Vertex, v)) ? IR_AS(Vertex, v) : NULL;
  CueStr bytes = {0};
  bool is_bytes = v->kind == IR_SCALAR && IR_AS(IrScalar, v)->v.kind == CUE_BYTES;
  if (is_bytes) bytes = cue_value_str(IR_AS(IrScalar, v)->v);
  if (!list && !is_bytes) return (Ir *)bottom_f(e, BOTTOM_EVAL, "cannot slice %v (type %k)", v, ir_kinds(v));
  uint64_t lo = 0, len = list ? list->arcs.n : bytes.n, hi = len;
  if (x->lo && !slice_index(e, x->lo, &lo)) return NULL;
  if (x->hi) {
    if (!slice_index(e, x->hi, &hi)) return NULL;
    if (hi > len) return (Ir *)bottom_f(e, BOTTOM_EVAL, "index %d out of range", (int64_t)hi);
  }
  if (lo > hi) return (Ir *)bottom_f(e, BOTTOM_EVAL, "invalid slice index: %d > %d", (int64_t)lo, (int64_t)hi);
  if (is_bytes) return ir_scalar(e, cue_bytes(cue_str_sub(bytes, lo, hi)));
  Vertex *n = vertex_inline(e, NULL);
  IrListMark *m = cue_new(e->a, IrListMark);
  m->kind = IR_LIST_MARK;
  n->base = (Ir *)m;
  for (uint64_t i = lo; i < hi; i++) {
    Vertex *from = list->arcs.at[i], *arc = vertex_new(e, n, label_int((uint32_t)(i - lo)));
    if (from->status == VERTEX_FINALIZED) {
      Label l = arc->label;
      *arc = *from;
      arc->state = NULL;
      arc->parent = n;
      arc->label = l;
    } else { /* evaluated where it will stand */
      for (uint32_t k = 0; k < from->conjuncts.n; k++) cue_push(e->a, &arc->conjuncts, from->conjuncts.at[k]);
    }
    vertex_add_arc(e, n, arc);
  }
  n->status = VERTEX_FINALIZED;
  return (Ir *)n;
}

static Ir *evaluate_interpolation(Eval *e, IrInterpolation *x) {
  CueStr few[8], *parts = x->n <= 8 ? few : cue_array(e->a, CueStr, x->n);
  Ir **values = e->holes ? cue_array(e->a, Ir *, x->n) : NULL;
  uint32_t n = 0;
  size_t len = 0;
  bool unknown = false;
  while (n < x->n) {
    Ir *v = eval_value(e, x->parts[n], (Flags){.status = VERTEX_PARTIAL, .cond = COND_SCALAR, .mode = RUN_YIELD});
    if (values) values[n] = v;
    if (hole_of(e, v)) {
      unknown = true;
      n++;
      continue;
    }
    parts[n] = x->bytes ? eval_to_bytes(e, v) : eval_to_string(e, v);
    len += parts[n++].n;
    if (len > EVAL_TEXT_LIMIT) {
      eval_error(e, BOTTOM_EVAL, x->pos, "result is too large");
      break;
    }
  }
  Bottom *err = eval_take_err(e);
  if (err) {
    Bottom *b = cue_new(e->a, Bottom);
    b->kind = IR_BOTTOM;
    b->code = err->code;
    b->node = e->vertex;
    b->errs = err->errs;
    b->nerrs = err->nerrs;
    b->joined = err->joined;
    Err *outer = err_new(e, x->pos, "invalid interpolation");
    outer->node = NULL; /* the path is that of what went wrong */
    return (Ir *)bottom_wrap(e, b, outer);
  }
  if (unknown) return hole_text(e, values, x->n, x->bytes, x->pos);
  char *text = cue_alloc(e->a, len + 1);
  size_t at = 0;
  for (uint32_t i = 0; i < n; at += parts[i++].n)
    if (parts[i].n) memcpy(text + at, parts[i].s, parts[i].n);
  CueStr s = {text, len};
  Ir *v = ir_scalar(e, x->bytes ? cue_bytes(s) : cue_string(s));
  v->src = x->src;
  v->pos = x->pos;
  return v;
}

static bool concrete_is_possible(Eval *e, uint8_t op, Ir *x) {
  bool ok = true;
  if (x->kind == IR_BOUND_EXPR)
    ok = false;
  else if (ir_is_value(x) && x->kind != IR_BOTTOM)
    ok = ir_concreteness(x) == 1;
  if (!ok) eval_error(e, BOTTOM_EVAL, 0, "invalid operand %v ('%o' requires concrete value)", x, op);
  return ok;
}

static Ir *evaluate_unary(Eval *e, IrUnary *x) {
  if (!concrete_is_possible(e, x->op, x->x)) return NULL;
  Ir *v = eval_value(e, x->x, (Flags){.status = VERTEX_PARTIAL, .cond = COND_SCALAR, .mode = RUN_YIELD});
  if (ir_is_error(v)) return v;
  if (hole_of(e, v)) return hole_unary(e, x->op, v);
  uint32_t k = ir_kinds(v), expected = k;
  CueValue s = v->kind == IR_SCALAR ? IR_AS(IrScalar, v)->v : (CueValue){0};
  if (x->op == TOK_NOT) {
    if (s.kind == CUE_BOOL) return ir_bool(e, !s.as.b);
    expected = CUE_BOOL;
  } else {
    if (s.kind & CUE_NUMBER) {
      if (x->op == TOK_ADD) return v;
      if (s.kind == CUE_INT && s.form == CUE_PLAIN && s.as.i != INT64_MIN)
        s.as.i = -s.as.i;
      else if (s.kind == CUE_INT)
        s = cue_int_num(cue_num_neg(e->a, cue_value_num(e->a, s)));
      else
        s = cue_float_num(cue_num_neg(e->a, cue_value_num(e->a, s)));
      Ir *r = ir_scalar(e, s);
      r->src = x->src;
      r->pos = x->pos;
      return r;
    }
    expected = CUE_NUMBER;
  }
  if (k & expected) {
    eval_error(e, BOTTOM_INCOMPLETE, ir_pos(x->x), "operand %v of '%o' not concrete (was %k)", x->x, x->op, k);
    return NULL;
  }
  return (Ir *)bottom_f(e, BOTTOM_EVAL, "invalid operation %v (%o %k)", (Ir *)x, x->op, k);
}

/* A result that depends on a value being absent (or present) now is checked again at the end. */
static void check_later(Eval *e, Env *env, Ir *x, bool expect_error) {
  NodeState *n = env->vertex ? env_vertex(e, env)->state : NULL;
  if (n) cue_push(e->a, &n->post_checks, (PostCheck){env, x, expect_error});
}

/* x == _|_ and x != _|_: whether x is an error. Never fails, but may wait. */
static Ir *compare_bottom(Eval *e, Env *env, const Ast *src, Ir *x, uint8_t op, Flags f) {
  Place p = enter(e, env, src);
  bool match = op != TOK_EQL;
  e->in_validator++;
  Ir *v = eval_expr(e, x, (Flags){.status = f.status, .cond = COND_NEED_TASKS, .mode = RUN_FINALIZE});
  bool ok;
  Ir *u = ir_unwrap(eval_get_default(e, v, &ok));
  if (u && (ir_kinds(u) & (CUE_STRUCT | CUE_LIST))) u = v; /* keep the disjunction */
  bool cycle = false;
  if (!u) {
    /* no value: counts as present */
  } else if (u->kind == IR_BOTTOM) {
    Bottom *b = IR_AS(Bottom, u);
    if (b->code == BOTTOM_CYCLE) {
      cycle = true;
      leave(e, p);
      eval_add_bottom(e, b);
    } else {
      if (b->code == BOTTOM_INCOMPLETE) {
        eval_expr(e, x, (Flags){.status = VERTEX_FINALIZED, .cond = COND_ALL, .mode = RUN_IGNORE});
        check_later(e, env, x, true);
      }
      match = op == TOK_EQL;
    }
  } else if (u->kind == IR_VERTEX) {
    Vertex *n = IR_AS(Vertex, u);
    if (eval_has_depth_cycle(e, n)) {
      check_later(e, env, x, true);
      match = op == TOK_EQL;
    } else {
      cue_finalize(e, n);
      Ir *w = ir_unwrap((Ir *)vertex_deref(n));
      if (w && w->kind == IR_BOTTOM && IR_AS(Bottom, w)->code < BOTTOM_INCOMPLETE) match = op == TOK_EQL;
    }
  } else {
    if ((ir_kinds(u) & (CUE_STRUCT | CUE_LIST)) && ir_concreteness(u) > 1 && f.status < VERTEX_CONJUNCTS) {
      cycle = true;
      leave(e, p);
      eval_add_bottom(e, &e->cycle);
    } else {
      check_later(e, env, x, false);
      if (ir_concreteness(u) > 1) match = op == TOK_EQL;
      eval_expr(e, x, (Flags){.status = f.status, .cond = COND_NEED_TASKS, .mode = RUN_YIELD});
    }
  }
  e->in_validator--;
  if (cycle) return NULL;
  Ir *r = e->holes ? hole_exists(e, x, match == (op != TOK_EQL), op != TOK_EQL) : NULL;
  leave(e, p);
  return r ? r : ir_bool(e, match);
}

static Ir *evaluate_binary(Eval *e, IrBinary *x, Flags f) {
  Env *env = e->env;
  if (x->op == TOK_AND) {
    Conjunct c = conjunct_make(e, env, (Ir *)x, hole_inline(e, (CloseInfo){.refs = e->ci.refs}));
    Vertex *v = vertex_inline(e, &c);
    Vertex *ev = env->vertex ? env_vertex(e, env) : NULL;
    if ((e->in_detached == 0 && ev && ev->is_dynamic) || e->in_validator > 0)
      cue_finalize(e, v);
    else
      vertex_complete_arcs_only(e, v);
    if (hole_of(e, (Ir *)v)) cue_finalize(e, v); /* what is said beside it is to be checked */
    return (Ir *)v;
  }
  if (!concrete_is_possible(e, x->op, x->x) || !concrete_is_possible(e, x->op, x->y)) return NULL;
  if (x->op == TOK_EQL || x->op == TOK_NEQ) {
    if (ir_is_literal_bottom(x->x)) return compare_bottom(e, env, x->src, x->y, x->op, f);
    if (ir_is_literal_bottom(x->y)) return compare_bottom(e, env, x->src, x->x, x->op, f);
  }
  Ir *l = concrete(e, env, x->x, x->op);
  Ir *r = concrete(e, env, x->y, x->op);
  Bottom *err = bottom_combine(e, l, r);
  if (err) return (Ir *)err;
  err = eval_take_err(e);
  if (err) return (Ir *)err;
  return ir_binop(e, (Ir *)x, x->op, l, r);
}

static Ir *evaluate(Eval *e, Ir *x, Flags f) {
  switch (x->kind) {
  case IR_STRUCT:
  case IR_LIST: {
    Conjunct c = conjunct_make(e, e->env, x, hole_inline(e, e->ci));
    Vertex *v = vertex_inline(e, &c);
    vertex_complete_arcs_only(e, v);
    return (Ir *)v;
  }
  case IR_DISJUNCTION_EXPR: {
    Conjunct c = conjunct_make(e, e->env, x, hole_inline(e, e->ci));
    Vertex *v = vertex_inline(e, &c);
    cue_finalize(e, v);
    return (Ir *)v;
  }
  case IR_LABEL_REF: {
    Label l = env_up(e, IR_AS(IrRef, x)->up)->dynamic_label;
    if (!l) return ir_type(e, CUE_STRING);
    if (label_hole(e, l)) return label_hole(e, l)->scalar;
    Ir *v = label_is_string(l) ? ir_scalar(e, cue_string(label_name(e->labels, l))) : ir_int(e, label_index(l));
    return v;
  }
  case IR_BOUND_EXPR: return evaluate_bound(e, IR_AS(IrUnary, x));
  case IR_SLICE: return evaluate_slice(e, IR_AS(IrSlice, x));
  case IR_INTERPOLATION: return evaluate_interpolation(e, IR_AS(IrInterpolation, x));
  case IR_UNARY: return evaluate_unary(e, IR_AS(IrUnary, x));
  case IR_BINARY: return evaluate_binary(e, IR_AS(IrBinary, x), f);
  case IR_CALL: return eval_call(e, IR_AS(IrCall, x), f);
  case IR_OPEN: e->ci.opened = true; return eval_expr(e, IR_AS(IrUnary, x)->x, f);
  default: return (Ir *)bottom_f(e, BOTTOM_EVAL, "cannot evaluate %v", x);
  }
}

/* Runs a validator (bound or function) on a value. */
Bottom *eval_check(Eval *e, Conjunct check, Ir *value) {
  if (hole_of(e, value)) return NULL; /* when it is known */
  const Ast *src = e->src;
  CloseInfo ci = e->ci;
  Env *env = e->env;
  e->src = check.x->src;
  e->ci = check.ci;
  e->env = check.env;
  Bottom *b = check.x->kind == IR_BOUND ? bound_validate(e, IR_AS(IrBound, check.x), value)
                                        : validator_run(e, IR_AS(IrValidator, check.x), value);
  e->src = src;
  e->ci = ci;
  e->env = env;
  return b;
}
