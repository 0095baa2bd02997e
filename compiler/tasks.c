/* tasks.c - what each kind of task does when it runs. */
#include "compiler/hole.h"

static void run_expr(Eval *e, Task *t, RunMode mode) {
  CloseInfo ci;
  Ir *v = eval_expr_ci(e, t->x, (Flags){.cond = COND_SCALAR, .mode = (uint8_t)mode}, &ci);
  if (ci.cycle == CYCLE_IS && t->node->node->is_pattern) return; /* a cycle in a pattern is one that never starts */
  if (v) node_insert_value(t->node, t->env, v, ci);
}

static void run_resolver(Eval *e, Task *t, RunMode mode) {
  NodeState *n = t->node;
  Vertex *arc = eval_resolve(e, t->x, (Flags){.cond = COND_FIELD_SET, .mode = (uint8_t)mode});
  if (!arc || arc == &e->empty_node) return;
  if (e->holes) hole_refer(e, arc);
  CloseInfo ci = e->ci;
  if (arc->opened_shared) ci.opened = true;
  arc = vertex_deref_non_disjunct(arc);
  Vertex *d = vertex_deref_disjunct(arc);

  bool skip;
  ci = node_detect_cycle(n, d, t->env, t->x, ci, &skip);
  if (skip) {
    node_unshare(n);
    return;
  }
  if (t->defunct) return;
  if (d->base && d->base->kind == IR_BOTTOM && IR_AS(Bottom, d->base)->code == BOTTOM_STRUCTURAL_CYCLE) {
    eval_add_bottom(e, IR_AS(Bottom, d->base));
    return;
  }
  node_schedule_vertex(n, conjunct_make(e, t->env, t->x, ci), arc, ci);
}

static void run_dynamic(Eval *e, Task *t, RunMode mode) {
  NodeState *n = t->node;
  IrDynamic *field = IR_AS(IrDynamic, t->x);
  Ir *v = eval_value(e, field->key, (Flags){.cond = COND_SCALAR_VALUE, .mode = (uint8_t)mode});
  if (!v) return;
  if (ir_concreteness(v) != 1) {
    Bottom *b = bottom_new(e, BOTTOM_INCOMPLETE,
                           err_new(e, ir_pos(field->key), "key value of dynamic field must be concrete, found %v", v));
    b->node = n->node;
    node_add_bottom(n, b);
    return;
  }
  Label l = eval_label(e, field->key, v);
  if (label_is_int(l)) {
    node_add_err(n, err_new(e, ir_pos(field->key), "integer fields not supported"));
    return;
  }
  if (e->holes) l = hole_case_label(n, l, t->id.context);
  /* Without a label, with the error in e->errs, the value is evaluated all the same: what is wrong in it is told. */
  Env *env = t->env;
  if (field->has_label_alias) {
    env = cue_new(e->a, Env);
    *env = *t->env;
    env->dynamic_label = l;
  }
  node_insert_arc(n, l, (ArcType)field->arc_type, conjunct_make(e, env, t->x, t->id), t->id, true);
}

static void run_pattern(Eval *e, Task *t) {
  IrPattern *field = IR_AS(IrPattern, t->x);
  /* The filter may be a disjunction: all of it counts, not its default. */
  Ir *v = eval_expr(e, field->filter, (Flags){.cond = COND_SCALAR_VALUE, .mode = RUN_YIELD});
  if (!v) return;
  node_insert_pattern(t->node, v, conjunct_make(e, t->env, t->x, t->id));
}

static void run_comprehension(Eval *e, Task *t) {
  Bottom *err = node_process_comprehension(t->node, t);
  t->err = bottom_combine(e, (Ir *)t->err, (Ir *)err);
  if (t->comp->vertex->state) node_add_bottom(t->comp->vertex->state, err);
}

static void list_length_error(NodeState *n, uint32_t x, uint32_t y) {
  node_add_err(n, err_new(n->e, eval_pos(n->e), "incompatible list lengths (%d and %d)", (int64_t)x, (int64_t)y));
}

void node_update_list_type(NodeState *n, Ir *list, CloseInfo id, bool closed) {
  if (n->kinds == 0) return;
  IrListMark *m;
  if (n->node->base && n->node->base->kind == IR_LIST_MARK) {
    m = IR_AS(IrListMark, n->node->base);
  } else {
    m = cue_new(n->e->a, IrListMark);
    m->kind = IR_LIST_MARK;
    m->open = true;
    n->node->base = (Ir *)m;
  }
  m->open = m->open && !closed;
  if (n->kinds != CUE_LIST) node_update_type(n, CUE_LIST, list, id);
}

typedef struct {
  NodeState *n;
  IrComprehension *comp;
  CloseInfo id;
  uint32_t index;
} ListYield;

static void list_add(NodeState *n, uint32_t index, Env *env, Ir *x, CloseInfo id) {
  node_insert_arc(n, label_int(index), ARC_MEMBER, conjunct_make(n->e, env, x, id), id, true);
}

static void list_yield(Eval *e, Env *env, void *arg) {
  (void)e;
  ListYield *y = arg;
  list_add(y->n, y->index++, env, y->comp->value, y->id);
}

static void run_list(Eval *e, Task *t) {
  NodeState *n = t->node;
  IrList *l = IR_AS(IrList, t->x);
  if (e->holes && hole_insert_list(n, t)) return;
  node_update_cyclic(n, t->id);
  CloseInfo id = close_sub_field(t->id);
  uint32_t index = 0;
  bool has_comprehension = false, closed = true;
  for (uint32_t j = 0; j < l->n; j++) {
    Ir *x = l->elems[j];
    if (x->kind == IR_COMPREHENSION) {
      IrComprehension *comp = IR_AS(IrComprehension, x);
      ListYield y = {n, comp, id, index};
      Bottom *err = eval_yield_comprehension(e, NULL, t->env, comp, VERTEX_PARTIAL, list_yield, &y);
      has_comprehension = true;
      if (err) {
        node_add_bottom(n, err);
        return;
      }
      if (y.index == index && comp->fallback) list_add(n, y.index++, t->env, comp->fallback, id);
      index = y.index;
    } else if (x->kind == IR_ELLIPSIS) {
      if (j != l->n - 1) {
        node_add_err(n, err_new(e, eval_pos(e), "ellipsis must be last element in list"));
        return;
      }
      Ir *elem = IR_AS(IrUnary, x)->x ? IR_AS(IrUnary, x)->x : &e->top;
      CloseInfo opt = id;
      close_set_optional(&opt);
      IrBound *pat = cue_new(e->a, IrBound);
      pat->kind = IR_BOUND;
      pat->op = TOK_GEQ;
      pat->value = ir_int(e, index);
      node_insert_pattern(n, (Ir *)pat, conjunct_make(e, t->env, elem, opt));
      closed = false;
    } else {
      list_add(n, index++, t->env, x, id);
    }
    if (n->list_closed && index > n->max_list_len) {
      list_length_error(n, n->max_list_len, l->n);
      return;
    }
  }
  if (index < n->max_list_len) {
    if (closed) {
      list_length_error(n, index, n->max_list_len);
      return;
    }
  } else if (index > n->max_list_len || (closed && !n->list_closed) ||
             (closed == n->list_closed && !has_comprehension)) {
    n->max_list_len = index;
    n->max_node = t->x;
    n->list_closed = closed;
  }
  node_update_list_type(n, t->x, id, closed);
}

static void run_list_vertex(Eval *e, Task *t) {
  NodeState *n = t->node;
  Vertex *l = IR_AS(Vertex, t->x);
  bool closed = vertex_is_list(l) && !vertex_is_open_list(l);
  uint32_t len = 0;
  for (uint32_t i = 0; i < l->arcs.n; i++) len += label_is_int(l->arcs.at[i]->label);
  if (len < n->max_list_len) {
    if (closed) {
      list_length_error(n, len, n->max_list_len);
      return;
    }
  } else if (len > n->max_list_len) {
    if (n->list_closed) {
      list_length_error(n, n->max_list_len, len);
      return;
    }
    n->list_closed = closed;
    n->max_list_len = len;
    n->max_node = t->x;
  } else if (closed) {
    n->list_closed = true;
    n->max_node = t->x;
  }
  for (uint32_t i = 0; i < l->arcs.n; i++) {
    Vertex *a = l->arcs.at[i];
    if (!label_is_int(a->label)) continue;
    if (a->conjuncts.n == 0) {
      CloseInfo none = {0};
      node_insert_arc(n, a->label, ARC_MEMBER, conjunct_make(e, NULL, (Ir *)a, none), none, true);
      continue;
    }
    for (uint32_t k = 0; k < a->conjuncts.n; k++)
      node_insert_arc(n, a->label, ARC_MEMBER, a->conjuncts.at[k], t->id, true);
  }
  node_update_list_type(n, t->x, t->id, closed);
}

void task_run_body(Task *t, RunMode mode) {
  Eval *e = t->node->e;
  switch ((Runner)t->run) {
  case RUN_EXPR: run_expr(e, t, mode); break;
  case RUN_RESOLVER: run_resolver(e, t, mode); break;
  case RUN_DYNAMIC: run_dynamic(e, t, mode); break;
  case RUN_PATTERN: run_pattern(e, t); break;
  case RUN_COMPREHENSION: run_comprehension(e, t); break;
  case RUN_LIST: run_list(e, t); break;
  case RUN_LIST_VERTEX: run_list_vertex(e, t); break;
  case RUN_DISJUNCTIONS: t->err = bottom_combine(e, (Ir *)t->err, (Ir *)node_process_disjunctions(t->node)); break;
  }
}
