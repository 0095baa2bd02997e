/* disjunct.c - disjunctions.
**
** All disjunctions of a vertex are computed by one task, after its other tasks: left to right,
** the cross product of what came so far with the next disjunction. Each combination is tried on a
** copy of the vertex (overlay.c) and dropped when it fails or equals another. What is left becomes
** the value: one disjunct, or an IrDisjunction with its defaults first.
*/
#include "compiler/hole.h"

#include <string.h>

/* A combination costs a copy. Beyond this many in one run the disjunction is an error of its own. */
enum { MAX_DISJUNCT_WORK = 3000000, MAX_DISJUNCTS = 1 << 14, MAX_DISJUNCT_NESTING = 1000 };

void node_schedule_disjunction(NodeState *n, DisjunctionTodo d) {
  if (n->disjunctions.n == 0) task_schedule(n, RUN_DISJUNCTIONS, NULL, NULL, (CloseInfo){0});
  cue_push(n->e->a, &n->disjunctions, d);
  n->has_disjunction = true;
}

/* Schedules the conjuncts of all fields below; false if a regular field is already wrong. */
static bool init_arcs(Eval *e, Vertex *v) {
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    Vertex *a = v->arcs.at[i];
    NodeState *s = vertex_state(e, a);
    if (s && s->errs) {
      if (a->arc_type == ARC_MEMBER) return false;
    } else if (!init_arcs(e, a)) {
      return false;
    }
  }
  return true;
}

static Bottom *node_error(NodeState *n) {
  Bottom *b = vertex_bottom(n->node);
  if (b && !is_cycle_placeholder(n->e, (Ir *)b)) return b;
  if (n->node->more->child_errors) return n->node->more->child_errors;
  if (n->errs) return n->errs;
  return n->e->errs;
}

static Bottom *node_error_all(NodeState *n) {
  Bottom *b = node_error(n);
  if (b) return b;
  for (uint32_t i = 0; i < n->node->arcs.n; i++) {
    Vertex *a = n->node->arcs.at[i];
    if (a->arc_type > ARC_REQUIRED || label_is_let(a->label)) return NULL;
    NodeState *s = vertex_state(n->e, a);
    if (s && (b = node_error_all(s))) return b;
  }
  return NULL;
}

/* False if the task that computes the disjunctions has to wait: what a checked comparison needs may not be known yet. */
static bool unify_or_wait(Eval *e, Vertex *v, RunMode mode) {
  jmp_buf here, *outer = e->yield_to;
  if (_setjmp(here)) {
    e->yield_to = outer;
    return false;
  }
  e->yield_to = &here;
  vertex_unify(e, v, (Flags){.cond = COND_ALL, .mode = (uint8_t)mode, .typos = true});
  e->yield_to = outer;
  return true;
}

/* n with the disjunct c added, on a copy; NULL with *err if that fails. */
static NodeState *try_disjunct(NodeState *n, Conjunct c, DefaultMode m, RunMode mode, Vertex *orig, Bottom **err) {
  Eval *e = n->e;
  *err = NULL;
  if (++e->disjunct_work > MAX_DISJUNCT_WORK) {
    e->over_limit = "disjunctions are too large: more than 3000000 combinations of alternatives";
    *err = bottom_f(e, BOTTOM_EVAL, "%s", e->over_limit);
    return NULL;
  }
  if (e->overlays.n >= MAX_DISJUNCT_NESTING) {
    e->over_limit = "value is nested too deeply";
    *err = bottom_f(e, BOTTOM_EVAL, "%s", e->over_limit);
    return NULL;
  }
  node_complete_tasks(n, mode);
  n->blocking.n = 0;
  TaskList saved = e->blocking;
  e->blocking = (TaskList){0};
  Ir *orig_base = orig->base;
  PtrMap *map;
  NodeState *d = overlay_clone(e, n, &map);
  Ir *was = d->node->base;
  if (!orig->is_disjunct) orig->base = (Ir *)d->node;
  cue_push(e->a, &e->overlays, (OverlayFrame){map, n->node});
  d->run_mode = (uint8_t)mode;
  Vertex *v = d->node;
  Ir *node_base = n->node->base;
  n->node->base = (Ir *)v;
  v->status = VERTEX_UNPROCESSED;
  node_schedule_conjunct(d, c, c.ci);
  d->default_mode = n->default_mode;
  d->orig_default_mode = (uint8_t)m;
  bool waits = !unify_or_wait(e, v, mode);
  Bottom *b = waits ? NULL : node_error_all(d);
  NodeState *result = NULL;
  if (waits) {
    /* what was changed is put back first */
  } else if (b && !is_cycle_placeholder(e, (Ir *)b)) {
    *err = b;
    vertex_drop(e, v, was);
  } else {
    result = vertex_deref_disjunct(v)->state;
    result->orig_default_mode = d->orig_default_mode;
  }
  n->node->base = node_base;
  e->overlays.n--;
  overlay_done(e, map);
  if (!orig->is_disjunct) orig->base = orig_base;
  e->blocking = saved;
  if (waits) eval_yield(e);
  return result;
}

/* ---- equality of partly evaluated nodes ---- */

static bool same_value(Eval *e, Ir *x, Ir *y) { return x == y || (x && y && cue_equal(e, x, y, EQUAL_STRUCTURAL)); }

static bool same_tasks(NodeState *x, NodeState *y) {
  if ((x->tasks.n != x->task_pos || y->tasks.n != y->task_pos) && x->tasks.n != y->tasks.n) return false;
  for (uint32_t i = x->task_pos, k = 0; i < x->tasks.n; i++, k++)
    if (k >= y->tasks.n || y->tasks.at[k]->x != x->tasks.at[i]->x) return false;
  return true;
}

static bool same_node_value(NodeState *x, NodeState *y) {
  Eval *e = x->e;
  if (x->kinds != y->kinds || x->has_top != y->has_top || !same_value(e, x->scalar, y->scalar) ||
      x->checks.n != y->checks.n)
    return false;
  if (!same_value(e, (Ir *)x->lower, (Ir *)y->lower) || !same_value(e, (Ir *)x->upper, (Ir *)y->upper)) return false;
  for (uint32_t i = 0; i < x->checks.n; i++)
    if (!cue_equal(e, x->checks.at[i].x, y->checks.at[i].x, EQUAL_STRUCTURAL)) return false;
  return same_tasks(x, y);
}

static bool same_partial(Eval *e, Vertex *x, Vertex *y) {
  NodeState *nx = x->state, *ny = y->state;
  bool fx = x->status == VERTEX_FINALIZED && !x->is_disjunct, fy = y->status == VERTEX_FINALIZED && !y->is_disjunct;
  if ((!nx && !ny) || (fx && fy)) return cue_equal(e, (Ir *)x, (Ir *)y, EQUAL_STRUCTURAL);
  if (!nx || !ny || !same_node_value(nx, ny)) return false;
  Patterns *px = x->more->patterns, *py = y->more->patterns;
  if ((px ? px->at.n : 0) != (py ? py->at.n : 0)) return false;
  for (uint32_t i = 0; px && i < px->at.n; i++) {
    cue_finalize(e, px->at.at[i].constraint);
    cue_finalize(e, py->at.at[i].constraint);
    if (!cue_equal(e, (Ir *)px->at.at[i].constraint, (Ir *)py->at.at[i].constraint, EQUAL_STRUCTURAL)) return false;
  }
  if (x->arcs.n != y->arcs.n) return false;
  for (uint32_t i = 0; i < x->arcs.n; i++) {
    Vertex *b = vertex_arc(y, x->arcs.at[i]->label);
    if (!b || !same_partial(e, x->arcs.at[i], b)) return false;
  }
  return true;
}

/* Disjuncts in the order they came, with a hash table over their fingerprints. */
typedef struct {
  NodeState **at;
  uint32_t n, cap;
  uint32_t *slots, mask; /* place + 1; 0 is free */
} NodeList;

/* A number that is the same for equal disjuncts, made of their scalars and names: most unequal ones
** are told apart by it. */
static uint64_t fingerprint(Vertex *v, int depth) {
  v = vertex_deref(v);
  Ir *x = v->base && v->base->kind == IR_SCALAR ? v->base : v->state ? v->state->scalar : NULL;
  uint64_t h = 0;
  if (x && x->kind == IR_SCALAR) {
    CueValue s = IR_AS(IrScalar, x)->v;
    if (s.kind == CUE_STRING || s.kind == CUE_BYTES)
      h = cue_str_hash(cue_value_str(s));
    else if (s.kind == CUE_INT && s.form == CUE_PLAIN)
      h = (uint64_t)s.as.i;
    else if (s.kind == CUE_BOOL)
      h = s.as.b;
    h = (h + s.kind) * 0x9e3779b97f4a7c15ull;
  }
  for (uint32_t i = 0; depth < 4 && i < v->arcs.n; i++) { /* in any order */
    Vertex *a = v->arcs.at[i];
    if (a->arc_type > ARC_REQUIRED || label_is_let(a->label))
      continue; /* required or not, unfinished ones may be equal */
    uint64_t c = (fingerprint(a, depth + 1) ^ a->label) * 0xff51afd7ed558ccdull;
    h += c ^ c >> 31;
  }
  return h;
}

static bool same_disjunct(Eval *e, NodeState *x, NodeState *y) {
  Vertex *xv = vertex_deref(x->node), *yv = vertex_deref(y->node);
  if (xv->status == VERTEX_FINALIZED && yv->status == VERTEX_FINALIZED)
    return cue_equal(e, (Ir *)yv, (Ir *)xv, EQUAL_STRUCTURAL);
  if (!same_partial(e, x->node, y->node) || !same_tasks(y, x)) return false;
  Ir *bx = xv->base, *by = yv->base;
  if (!bx || is_cycle_placeholder(e, bx)) bx = node_validators(x, true);
  if (!by || is_cycle_placeholder(e, by)) by = node_validators(x, true);
  bool vx = bx && bx->kind != IR_STRUCT_MARK && bx->kind != IR_LIST_MARK,
       vy = by && by->kind != IR_STRUCT_MARK && by->kind != IR_LIST_MARK;
  return !(vx && vy) || cue_equal(e, bx, by, EQUAL_STRUCTURAL);
}

static void grow_slots(Eval *e, NodeList *a) {
  a->mask = a->mask ? a->mask * 2 + 1 : 15;
  a->slots = cue_array(e->a, uint32_t, a->mask + 1);
  for (uint32_t i = 0; i < a->n; i++) {
    uint32_t k = (uint32_t)a->at[i]->fingerprint & a->mask;
    while (a->slots[k]) k = (k + 1) & a->mask;
    a->slots[k] = i + 1;
  }
}

static void append_disjunct(Eval *e, NodeList *a, NodeState *x) {
  x->fingerprint = fingerprint(x->node, 0);
  if (a->n * 2 >= a->mask) grow_slots(e, a);
  uint32_t k = (uint32_t)x->fingerprint & a->mask;
  for (; a->slots[k]; k = (k + 1) & a->mask) {
    NodeState *y = a->at[a->slots[k] - 1];
    if (y == x) return;
    if (y->fingerprint != x->fingerprint || !same_disjunct(e, x, y)) continue;
    if (x->default_mode == IS_DEFAULT) y->default_mode = IS_DEFAULT;
    node_merge_close_info(y, x);
    vertex_drop(e, x->node, NULL);
    return;
  }
  cue_push(e->a, a, x);
  a->slots[k] = a->n;
}

/* ---- the cross product ---- */

static DefaultMode combine_default(uint8_t a, uint8_t b) { return (DefaultMode)(a > b ? a : b); }

static void cross_product(NodeState *n, NodeList *dst, NodeList *cross, DisjunctionTodo *dn, RunMode mode) {
  Eval *e = n->e;
  NodeList tmp = {0};
  bool left_drops = true, right_drops = true;
  eval_save(e, &n->eval_depth);
  n->eval_depth = e->eval_depth;
  for (uint32_t i = 0; i < cross->n; i++) {
    NodeState *p = cross->at[i];
    init_arcs(e, p->node);
    if (tmp.n > MAX_DISJUNCTS * 2) e->over_limit = "disjunction is too large: more than 16384 alternatives are left";
    for (uint32_t j = 0; j < dn->n && !e->over_limit; j++) {
      const DisjunctTry *d = &dn->at[j];
      Bottom *err;
      NodeState *r = try_disjunct(p, conjunct_make(e, dn->env, d->x, dn->id), d->mode, mode, n->node, &err);
      if (!r) {
        if (err->code == BOTTOM_USER) cue_push(e->a, &n->user_errs, err);
        if (!dn->errs) dn->errs = cue_array(e->a, Bottom *, dn->n);
        dn->errs[j] = err;
        if (e->over_limit) break;
        continue;
      }
      cue_push(e->a, &tmp, r);
      if (p->default_mode == IS_DEFAULT || p->orig_default_mode == IS_DEFAULT) left_drops = false;
      if (d->mode == IS_DEFAULT) right_drops = false;
    }
    if (e->over_limit) break;
    if (p != n) vertex_drop(e, p->node, p->node->base); /* its copies go on, with its base */
  }
  bool has_non_maybe = false;
  for (uint32_t i = 0; i < tmp.n; i++) {
    NodeState *r = tmp.at[i];
    if (r->disjuncts.n == 0) {
      r->default_mode = (uint8_t)combine_default(left_drops ? MAYBE_DEFAULT : r->default_mode,
                                                 right_drops ? MAYBE_DEFAULT : r->orig_default_mode);
      append_disjunct(e, dst, r);
      continue;
    }
    for (uint32_t k = 0; k < r->disjuncts.n; k++) { /* a nested disjunction */
      NodeState *x = r->disjuncts.at[k];
      DefaultMode m = combine_default(r->orig_default_mode, x->default_mode);
      x->default_mode = (uint8_t)combine_default(left_drops ? MAYBE_DEFAULT : r->default_mode, (uint8_t)m);
      if (x->default_mode != MAYBE_DEFAULT) has_non_maybe = true;
      append_disjunct(e, dst, x);
    }
    vertex_drop(e, r->node, r->node->base); /* its disjuncts go on */
  }
  for (uint32_t i = 0; has_non_maybe && i < dst->n; i++)
    if (dst->at[i]->default_mode == MAYBE_DEFAULT) dst->at[i]->default_mode = NOT_DEFAULT;
  eval_restore(e);
}

/* ---- errors ---- */

typedef CUE_VEC(CuePos) PosList;

static bool add_if_new(Eval *e, Bottom *l, PosList *seen, const Bottom *b, CuePos p) {
  for (uint32_t i = 0; i < seen->n; i++)
    if (cue_pos_offset(seen->at[i]) == cue_pos_offset(p)) return false;
  cue_push(e->a, seen, p);
  bottom_append(e, l, b);
  return true;
}

/* Of many errors keep those that point to different places. */
static Bottom *select_errors(Eval *e, BottomCode code, Bottom **a, uint32_t n) {
  Bottom *l = bottom_new(e, code, NULL);
  if (n <= 2) {
    for (uint32_t i = 0; i < n; i++) bottom_append(e, l, a[i]);
    return l;
  }
  uint32_t k = 0;
  bool incomplete = false;
  for (uint32_t i = 0; i < n; i++) {
    if (!incomplete && a[i]->code >= BOTTOM_INCOMPLETE) {
      k = 0;
      incomplete = true;
    }
    a[k++] = a[i];
  }
  PosList seen = {0};
  for (uint32_t i = 0; i < k; i++) {
    if (a[i]->nerrs == 0) continue;
    Err *err = a[i]->errs[0];
    if (add_if_new(e, l, &seen, a[i], err_main_pos(err))) continue;
    for (bool added = false; err && !added; err = err->wrapped) {
      if (err != a[i]->errs[0] && cue_pos_known(err->pos)) added = add_if_new(e, l, &seen, a[i], err->pos);
      for (uint32_t j = 0; j < err->aux.n && !added; j++) added = add_if_new(e, l, &seen, a[i], err->aux.at[j]);
    }
  }
  return l;
}

static Bottom *disjunct_error(NodeState *n, BottomCode code) {
  Eval *e = n->e;
  Bottom *b = select_errors(e, code, n->disjunct_errs.at, n->disjunct_errs.n), *more = NULL;
  if (n->user_errs.n > 0) {
    more = b;
    b = select_errors(e, code, n->user_errs.at, n->user_errs.n);
  }
  b->node = n->node;
  if (b->nerrs == 0) {
    bottom_append(e, b, bottom_new(e, code, err_new(e, eval_pos(e), "empty disjunction")));
    return b;
  }
  if (b->joined) {
    Err **own = cue_array(e->a, Err *, b->nerrs);
    memcpy(own, b->errs, b->nerrs * sizeof *own);
    b->errs = own;
    b->nerrs = b->cap = err_sanitize(e, own, b->nerrs);
    b->joined = b->nerrs > 1;
  }
  Err *head = b->errs[0];
  if (b->nerrs > 1) {
    head = err_new(e, eval_pos(e), "%d errors in empty disjunction:", (int64_t)b->nerrs);
    Bottom *all = bottom_new(e, code, head);
    all->node = n->node;
    bottom_append(e, all, b);
    b = all;
  }
  if (more && more->nerrs)
    for (uint32_t i = 0; i < more->errs[0]->aux.n; i++) err_add_pos(e, head, more->errs[0]->aux.at[i]);
  return b;
}

static Bottom *collect_errors(NodeState *n, DisjunctionTodo *d) {
  BottomCode code = BOTTOM_EVAL;
  for (uint32_t i = 0; i < d->n; i++) {
    Bottom *b = d->errs ? d->errs[i] : NULL;
    if (!b || b->code == BOTTOM_USER) continue;
    if (b->code > code) code = b->code;
    cue_push(n->e->a, &n->disjunct_errs, b);
  }
  return disjunct_error(n, code);
}

static Bottom *default_cycle(NodeState *n, const char *fmt) {
  Eval *e = n->e;
  uint32_t mark = e->positions.n;
  cue_push(e->a, &e->positions, (Ir *)n->default_attempt);
  Bottom *b = bottom_new(e, BOTTOM_CYCLE, err_new(e, eval_pos(e), fmt, vertex_path(e, e->a, n->default_attempt)));
  e->positions.n = mark;
  n->node->base = (Ir *)b;
  return b;
}

/* The next one to need memory for disjunctions may use that of those which are done. */
static void give_back(NodeState *n, DisjunctionTodo *at, uint32_t cap) {
  if (n->disjunctions.at) return;
  n->disjunctions.at = at;
  n->disjunctions.cap = cap;
}

Bottom *node_process_disjunctions(NodeState *n) {
  Eval *e = n->e;
  if (n->disjunctions.n == 0) return NULL; /* they were taken by a run that had to wait */
  if (hole_of(e, n->scalar)) {             /* it will be one of the alternatives, or wrong */
    n->disjunctions.n = 0;
    return NULL;
  }
  if (n->scalar_disjunction) { /* more came after some had been decided: all count */
    for (uint32_t i = 0; i < n->disjunctions.n; i++) cue_push(e->a, &n->decided, n->disjunctions.at[i]);
    n->disjunctions.n = 0;
    for (uint32_t i = 0; i < n->decided.n; i++) cue_push(e->a, &n->disjunctions, n->decided.at[i]);
    n->decided.n = 0;
    n->scalar_disjunction = NULL;
  }
  uint32_t count = n->disjunctions.n, cap = n->disjunctions.cap;
  DisjunctionTodo *a = n->disjunctions.at;
  n->disjunctions = (__typeof__(n->disjunctions)){0}; /* evaluation may add more */
  if (!init_arcs(e, n->node)) return node_error(n);
  if (e->holes && e->holes->derived && n->node == e->holes->bare && !(count = hole_derive(n, a, count))) {
    give_back(n, a, cap);
    return NULL;
  }

  /* Within a disjunct that may still grow nothing may be finalized. */
  uint8_t outer_mode = 0;
  for (Vertex *p = n->node; p; p = p->parent)
    if (p->is_disjunct) {
      outer_mode = p->state ? p->state->run_mode : RUN_FINALIZE;
      break;
    }

  if ((outer_mode == 0 || outer_mode == RUN_FINALIZE) && node_scalar_disjunctions(n, a, count)) {
    give_back(n, n->decided.at, n->decided.cap);
    n->decided = (__typeof__(n->decided)){a, count, cap};
    return NULL;
  }

  if (outer_mode == 0) n->alone = node_disjunction_alone(n, a, count);
  NodeList cross = {0};
  cue_push(e->a, &cross, n);
  for (uint32_t i = 0; i < count; i++) {
    RunMode mode = RUN_ATTEMPT;
    if (i == count - 1) mode = outer_mode ? (RunMode)outer_mode : RUN_FINALIZE;
    NodeList results = {0};
    cross_product(n, &results, &cross, &a[i], mode);
    if (results.n == 0) {
      Bottom *b = collect_errors(n, &a[i]);
      give_back(n, a, cap);
      return b;
    }
    if (results.n > MAX_DISJUNCTS) {
      e->over_limit = "disjunction is too large: more than 16384 alternatives are left";
      return bottom_f(e, BOTTOM_EVAL, "%s", e->over_limit);
    }
    cross = results;
  }
  if (cross.n == 1) {
    n->node->base = (Ir *)cross.at[0]->node;
    if (n->default_mode == MAYBE_DEFAULT) n->default_mode = cross.at[0]->default_mode;
    if (n->default_attempt && n->default_mode != IS_DEFAULT)
      return default_cycle(n, "ambiguous default elimination by referencing %S");
  } else {
    for (uint32_t i = 0; i < cross.n; i++) cue_push(e->a, &n->disjuncts, cross.at[i]);
  }
  Cond completed = 0;
  uint32_t defaults = 0;
  if (n->disjuncts.n == 1) completed = n->disjuncts.at[0]->completed;
  for (uint32_t i = 0; i < n->disjuncts.n; i++)
    if (n->disjuncts.at[i]->default_mode == IS_DEFAULT) {
      defaults++;
      completed = n->disjuncts.at[i]->completed;
    }
  give_back(n, a, cap);
  if (defaults == 1 || n->disjuncts.n == 1) sched_signal(n, completed);
  return NULL;
}

/* Turns the surviving disjuncts into the value of n. */
void node_finalize_disjunctions(NodeState *n) {
  Eval *e = n->e;
  if (n->scalar_disjunction) {
    if (!n->default_attempt || n->scalar_disjunction->ndefaults == 1)
      n->node->base = (Ir *)n->scalar_disjunction;
    else
      default_cycle(n, "cycle across unresolved disjunction referenced by %S");
    return;
  }
  if (n->disjuncts.n == 0) return;
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < n->disjuncts.n; i++) {
    NodeState *x = n->disjuncts.at[i];
    x->node->conjuncts = (__typeof__(x->node->conjuncts)){0};
    x->errs = bottom_combine(e, (Ir *)x->errs, (Ir *)eval_take_err(e));
    if (!x->errs) continue;
    if (x->errs->code == BOTTOM_USER)
      cue_push(e->a, &n->user_errs, x->errs);
    else
      cue_push(e->a, &n->disjunct_errs, x->errs);
    wrong++;
  }
  if (wrong == n->disjuncts.n) {
    BottomCode code = BOTTOM_INCOMPLETE;
    for (uint32_t i = 0; i < n->disjunct_errs.n; i++) {
      if (i == 0) code = BOTTOM_EVAL;
      if (n->disjunct_errs.at[i]->code > code) code = n->disjunct_errs.at[i]->code;
    }
    n->node->base = (Ir *)disjunct_error(n, code);
    n->node->status = VERTEX_FINALIZED;
    return;
  }
  IrDisjunction *d = cue_new(e->a, IrDisjunction);
  d->kind = IR_DISJUNCTION;
  d->at = cue_array(e->a, Ir *, n->disjuncts.n);
  d->n = n->disjuncts.n;
  for (uint32_t i = 0; i < d->n; i++) {
    NodeState *x = n->disjuncts.at[i];
    if (x->default_mode == IS_DEFAULT) {
      d->at[i] = d->at[d->ndefaults];
      d->at[d->ndefaults++] = (Ir *)x->node;
    } else {
      d->at[i] = (Ir *)x->node;
    }
    if (x->default_mode != MAYBE_DEFAULT) d->has_defaults = true;
  }
  if (!n->default_attempt || d->ndefaults == 1)
    n->node->base = (Ir *)d;
  else
    default_cycle(n, "cycle across unresolved disjunction referenced by %S");
  if (n->alone && n->node->base == (Ir *)d && !wrong) n->alone->alone = d;
  vertex_clear_arcs(n->node);
  if (n->node->more->child_errors) vertex_more(n->e, n->node)->child_errors = NULL;
}
