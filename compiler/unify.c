/* unify.c - bringing a vertex to a wanted state, and looking up its fields.
**
** vertex_unify is the heart: it schedules the conjuncts of a vertex, runs its tasks, settles its
** value, then its fields, then closedness. How far it goes is said by Flags: which conditions are
** wanted, and whether to try, to wait, or to force.
*/
#include "compiler/hole.h"

#include <assert.h>

bool vertex_in_progress(const Vertex *v) { return v->status != VERTEX_FINALIZED && v->state && v->state->initialized; }

static Vertex *vertex_root(Vertex *v) {
  while (v->parent) v = v->parent;
  return v;
}

void vertex_clear_arcs(Vertex *v) {
  if (v->state && v->state->cleared < v->arcs.n) v->state->cleared = v->arcs.n;
  v->arcs.n = 0;
  vertex_arcs_changed(v);
}

NodeState *vertex_bare_state(Eval *e, Vertex *v) {
  if (v->status == VERTEX_FINALIZED) return NULL;
  if (v->state) return v->state;
  NodeState *n = v->state = node_state_new(e, v);
  if (v->parent && v->parent->state) {
    n->depth = v->parent->state->depth + 1;
    n->provided |= COND_ANCESTORS;
  }
  n->provided |= COND_SCALAR | COND_ARC_TYPE;
  n->has_non_cyclic = v->non_cyclic;
  vertex_place(v);
  return n;
}

/* A field takes over at its first conjunct whether it lies in something closed. */
void vertex_place(Vertex *v) {
  if (v->is_placed) return;
  v->is_placed = true;
  if (label_is_def(v->label) || (v->parent && v->parent->closed_recursive)) v->closed_recursive = true;
}

NodeState *vertex_start(Eval *e, Vertex *v) {
  NodeState *n = vertex_bare_state(e, v);
  if (!n || n->initialized) return n;
  n->initialized = true;
  /* Until something better is known a reference to it is a cycle. */
  v->base = (Ir *)&e->cycle;
  Vertex *saved = e->vertex;
  e->vertex = v;
  for (uint32_t i = 0; i < v->conjuncts.n; i++) {
    Conjunct c = v->conjuncts.at[i];
    CloseInfo ci = c.ci;
    if (e->ci.cycle == CYCLE_IS) {
      ci.cycle = e->ci.cycle;
      ci.refs = e->ci.refs;
    }
    node_schedule_conjunct(n, c, ci);
  }
  e->vertex = saved;
  return n;
}

bool vertex_all_child_conjuncts_known(Eval *e, Vertex *v) {
  if (!v) return true;
  if (vertex_deref(v)->status == VERTEX_FINALIZED || (!v->state && v->status != VERTEX_UNPROCESSED)) return true;
  return sched_meets(vertex_state(e, v), COND_NEED_FIELD_CONJUNCTS);
}

void node_update_scalar(NodeState *n) {
  Vertex *v = n->node;
  if (!n->scalar) return;
  if (!vertex_bottom(v) || is_cycle_placeholder(n->e, v->base)) {
    if (!(v->base && v->base->kind == IR_VERTEX && IR_AS(Vertex, v->base)->is_disjunct)) v->base = n->scalar;
    sched_signal(n, COND_SCALAR);
  }
}

void node_complete_tasks(NodeState *n, RunMode mode) {
  Eval *e = n->e;
  Vertex *v = n->node;
  if (!n->initialized || n->completing > 0) return;
  eval_save(e, &n->completing);
  n->completing++;
  if (!label_is_let(v->label) && v->parent && v->parent->state && !v->is_dynamic && !(n->completed & COND_ANCESTORS))
    node_complete_tasks(v->parent->state, mode);
  if (v->is_dynamic || label_is_let(v->label) || vertex_all_child_conjuncts_known(e, v->parent))
    sched_signal(n, COND_ANCESTORS);
  if (n->tasks.n != n->task_pos) {
    sched_process(n, COND_VALUE | COND_FIELD_CONJUNCTS, mode);
    node_update_scalar(n);
  }
  eval_restore(e);
}

/* Whether a pending field exists may be decided by comprehensions far below it. */
static void complete_pending(NodeState *n, RunMode mode) {
  Vertex *v = n->node;
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    NodeState *s = vertex_state(n->e, v->arcs.at[i]);
    if (s) complete_pending(s, mode);
  }
  sched_process(n, COND_PENDING, mode);
}

static void eval_arc_types(NodeState *n, RunMode mode) {
  Vertex *v = n->node;
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    Vertex *a = v->arcs.at[i];
    if (a->arc_type != ARC_PENDING) continue;
    vertex_unify(n->e, a, (Flags){.cond = COND_ARC_TYPE, .mode = (uint8_t)mode});
    if (a->arc_type == ARC_PENDING) a->arc_type = ARC_NOT_PRESENT;
  }
}

static void report_field_mismatch(NodeState *n, CuePos p, Label l, Ir *scalar) {
  node_add_err(n, err_new(n->e, p, "cannot combine regular field %q with %v", l, scalar));
}

static void run_post_checks(NodeState *n) {
  Eval *e = n->e;
  for (uint32_t i = 0; i < n->post_checks.n; i++) {
    PostCheck c = n->post_checks.at[i];
    Env *env = e->env;
    Bottom *errs = e->errs;
    const Ast *src = e->src;
    CloseInfo ci = e->ci;
    e->errs = NULL;
    e->env = c.env;
    if (c.x->src) e->src = c.x->src;
    bool ok;
    Ir *v = eval_expr(e, c.x, (Flags){.status = VERTEX_FINALIZED, .cond = COND_ALL, .mode = RUN_IGNORE});
    v = eval_get_default(e, v, &ok);
    v = ir_unwrap(v);
    if ((v && v->kind == IR_BOTTOM) != c.expect_error) {
      Bottom *b =
          bottom_new(e, BOTTOM_CYCLE,
                     err_new(e, ir_pos(c.x),
                             "circular dependency in evaluation of conditionals: %v changed after evaluation", c.x));
      b->node = n->node;
      n->node->base = (Ir *)bottom_combine(e, vertex_value(n->node), (Ir *)b);
      n->node->status = VERTEX_FINALIZED;
    }
    e->env = env;
    e->errs = errs;
    e->src = src;
    e->ci = ci;
  }
}

static void complete_all_arcs(NodeState *n, Cond needs, RunMode mode, bool typos) {
  Eval *e = n->e;
  Vertex *v = n->node;
  node_complete_tasks(n, RUN_FINALIZE);
  if (hole_of(e, n->scalar)) { /* fields beside it are what it must satisfy, and not its own */
    vertex_clear_arcs(v);
    return;
  }
  e->eval_depth++;
  if (n->has_disjunction) typos = false;
  /* Where nothing is closed no field is asked for evidence: their states can go at once. */
  bool keep_states = mode != RUN_FINALIZE || n->is_disjunct || node_may_close(n);
  for (uint32_t i = 0; i < v->arcs.n; i++) { /* may grow meanwhile */
    Vertex *a = v->arcs.at[i];
    vertex_unify(e, a, (Flags){.cond = needs, .mode = (uint8_t)mode, .typos = typos});
    if (!keep_states && !node_may_close(n)) vertex_reclaim(e, a);
    if (a->arc_type == ARC_PENDING) {
      a->arc_type = ARC_NOT_PRESENT;
      continue;
    }
    if (a->arc_type > ARC_REQUIRED || !label_is_string(a->label)) continue;
    if (!(n->kinds & CUE_STRUCT) && !vertex_bottom(v) && !vertex_bottom(a))
      report_field_mismatch(n, ir_pos(vertex_value(a)), a->label, vertex_value(v));
  }
  uint32_t keep = 0;
  for (uint32_t i = 0; i < v->arcs.n; i++)
    if (v->arcs.at[i]->arc_type != ARC_NOT_PRESENT) v->arcs.at[keep++] = v->arcs.at[i];
  if (keep != v->arcs.n) {
    v->arcs.n = keep;
    vertex_arcs_changed(v);
  }
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    Vertex *a = v->arcs.at[i];
    if (label_is_let(a->label) || a->arc_type > ARC_REQUIRED) continue; /* lets may be wrong */
    Bottom *b = vertex_bottom(a);
    if (b) node_add_child_error(n, b);
  }
  run_post_checks(n);
  /* Only now: whether sharing holds may depend on how pending arcs came out. */
  node_finalize_sharing(n);
  if (v->more->structs.n) {
    VertexMore *m = vertex_more(e, v);
    keep = 0;
    for (uint32_t i = 0; i < m->structs.n; i++)
      if (m->structs.at[i].lit->flag & IR_STRUCT_INIT) m->structs.at[keep++] = m->structs.at[i];
    m->structs.n = keep;
  }
  e->eval_depth--;
}

/* Sets the base value when tasks are done: struct, or the conjunction of types and bounds; checks
** a concrete value against its bounds. */
static void validate_node_value(NodeState *n) {
  Eval *e = n->e;
  Vertex *v = n->node;
  bool mark = false;
  if (n->a_struct) {
    mark = true;
  } else if (v->more->structs.n > 0) {
    mark = (n->kinds & CUE_STRUCT) && !n->has_top;
    for (uint32_t i = 0; i < v->arcs.n && !mark; i++)
      mark = label_is_regular(v->arcs.at[i]->label) && v->arcs.at[i]->arc_type != ARC_OPTIONAL;
  }
  Ir *value = vertex_value(vertex_deref(v));
  if (!v->base && mark) {
    v->base = &e->struct_mark;
    value = (Ir *)v;
  }
  if (value && ir_is_concrete(value)) {
    IrBound *bounds[] = {n->lower, n->upper};
    for (int i = 0; i < 2; i++) {
      if (!bounds[i]) continue;
      if (v->base == &e->struct_mark && !n->errs) { /* to compare it would evaluate it again, without end */
        Ir *st = v->more->structs.n ? (Ir *)v->more->structs.at[0].lit : value;
        node_report_conflict(n, (Ir *)bounds[i], st, ir_kinds((Ir *)bounds[i]), CUE_STRUCT, 0, 0);
        break;
      }
      Conjunct c = conjunct_make(e, NULL, (Ir *)bounds[i], (CloseInfo){0});
      Bottom *b = eval_check(e, c, value);
      if (!b) continue;
      for (uint32_t k = 0; k < b->nerrs; k++) {
        err_add_ir(e, b->errs[k], (Ir *)bounds[i]);
        err_add_ir(e, b->errs[k], value);
      }
      node_add_bottom(n, b);
    }
  } else {
    v->base = node_validators(n, true);
  }
}

/* Runs the validators of a concrete value. The first function takes a scalar with the errors it has by then. If it has
** any, it is an error from there on, of which plain functions have nothing to say; if not, what is found later is no
** matter of the functions behind it. Those that look at values that are not concrete are not plain. */
static void run_checks(NodeState *n, const Ir *value) {
  uint32_t count = n->checks.n;
  n->checks.n = 0; /* not run again when the value is used in a validator */
  bool called = n->is_disjunct || value->kind != IR_SCALAR, wrong = false;
  for (uint32_t i = 0; i < count; i++) {
    Conjunct check = n->checks.at[i];
    bool call = check.x->kind != IR_BOUND, plain = call && !IR_AS(IrValidator, check.x)->builtin->non_concrete;
    if (plain && !called && n->errs) {
      n->node->base = (Ir *)n->errs;
      n->errs = NULL;
      wrong = true;
    }
    if (plain && wrong) continue;
    Bottom *later = NULL;
    if (call && called && !wrong) later = n->errs, n->errs = NULL;
    called |= call;
    Bottom *b = eval_check(n->e, check, (Ir *)n->node);
    if (later) n->errs = later;
    if (b) node_add_bottom(n, b);
  }
}

/* Values that do not end, or take all memory to find out, are errors. */
static bool over_limit(Eval *e) {
  if (e->over_limit) return true;
  char here;
  ptrdiff_t used = e->stack_base - &here;
  if (used > EVAL_STACK_LIMIT || -used > EVAL_STACK_LIMIT || e->nesting > EVAL_NESTING_LIMIT)
    e->over_limit = "value is nested too deeply";
  else if ((++e->steps & 1023) == 0 && cue_arena_bytes(e->a) > EVAL_MEMORY_LIMIT)
    e->over_limit = "evaluation takes too much memory: more than 4 GiB";
  return e->over_limit != NULL;
}

static bool unify_arcs_and_close(Eval *e, Vertex *v, NodeState *n, Flags f);
static void done_with(Eval *e, Vertex *v);

bool vertex_unify(Eval *e, Vertex *v, Flags f) {
  if (f.mode == RUN_IGNORE) return false;
  NodeState *n = vertex_state(e, v);
  if (!n) return true;
  if (!vertex_rooted(v) || vertex_all_child_conjuncts_known(e, v->parent) || f.mode == RUN_FINALIZE)
    sched_signal(n, COND_ANCESTORS);
  Cond node_needs = f.cond & (Cond)~COND_SUBFIELDS;
  if (!v->base) v->base = (Ir *)&e->cycle;
  node_update_scalar(n);
  if (node_needs == (COND_SCALAR | COND_ARC_TYPE) && sched_meets(n, node_needs)) return true;
  /* Under evaluation at the same depth: a reference to itself, perhaps through an expression. */
  if (v->status == VERTEX_EVALUATING && n->eval_depth == e->eval_depth && f.mode == RUN_ATTEMPT &&
      !(f.cond & COND_FIELD_SET))
    return false;
  v->status = VERTEX_EVALUATING;

  if (over_limit(e)) {
    v->base = (Ir *)bottom_f(e, BOTTOM_EVAL, "%s", e->over_limit);
    v->status = VERTEX_FINALIZED;
    return true;
  }

  node_retain(n);
  eval_save(e, &n->eval_depth);
  n->eval_depth = e->eval_depth;
  e->nesting++;
  if (v->arc_type == ARC_PENDING) {
    sched_process(n, COND_PENDING, RUN_ATTEMPT);
    if (v->arc_type == ARC_PENDING)
      for (uint32_t i = 0; i < v->arcs.n; i++)
        vertex_unify(e, v->arcs.at[i], (Flags){.cond = f.cond, .mode = RUN_ATTEMPT, .typos = f.typos});
  }
  sched_process(n, node_needs, (RunMode)f.mode);
  if (v->arc_type != ARC_PENDING && sched_meets(n, COND_ANCESTORS) && n->tasks.n == n->task_pos)
    sched_signal(n, COND_ARC_TYPE);

  Vertex *saved = e->vertex;
  e->vertex = v;
  bool ok = unify_arcs_and_close(e, v, n, f);
  e->vertex = saved;
  e->nesting--;
  eval_restore(e);
  eval_restore(e);
  if (v->status == VERTEX_FINALIZED && v->state) done_with(e, v);
  return ok;
}

/* v is final: the states of its fields are not needed any more, nor its own if it is nobody's field. */
static void done_with(Eval *e, Vertex *v) {
  if (v->state->is_disjunct || v->state->retained > 0) return;
  for (uint32_t i = 0; i < v->arcs.n; i++) vertex_reclaim(e, v->arcs.at[i]);
  if (!v->parent || label_is_let(v->label)) vertex_reclaim(e, v);
}

/* The second half of vertex_unify: tasks have run as far as they could. */
static bool unify_arcs_and_close(Eval *e, Vertex *v, NodeState *n, Flags f) {
  Cond needs = f.cond, node_needs = f.cond & (Cond)~COND_SUBFIELDS;
  Vertex *w = vertex_deref_disjunct(v);
  if (w != v) { /* resolved to one disjunct */
    v->closed_recursive = w->closed_recursive;
    v->status = w->status;
    if (w->more->child_errors)
      vertex_more(e, v)->child_errors = bottom_combine(e, (Ir *)v->more->child_errors, (Ir *)w->more->child_errors);
    vertex_clear_arcs(v);
    return w->status == VERTEX_FINALIZED || !w->state || sched_meets(w->state, needs);
  }
  node_update_scalar(n);
  if (!sched_meets(n, node_needs) && f.mode != RUN_FINALIZE) return false;

  if (n->is_shared) {
    if (is_cycle_placeholder(e, n->orig_base)) n->orig_base = NULL;
  } else if (is_cycle_placeholder(e, v->base)) {
    v->base = NULL;
  }
  if (!n->is_shared) validate_node_value(n);

  if (v->base && v->base->kind == IR_VERTEX && n->share_cycle == CYCLE_NONE) {
    Vertex *to = IR_AS(Vertex, v->base);
    if (eval_has_depth_cycle(e, to)) {
      node_report_cycle(n);
      return true;
    }
    vertex_unify(e, to, f); /* finds cycles early */
  }

  if (n->completed & COND_SUBFIELDS) {
    /* done */
  } else if (needs & COND_SUBFIELDS) {
    if (!node_assert_structural_cycle(n) && v->status != VERTEX_FINALIZED && n->kinds != 0)
      complete_all_arcs(n, needs, (RunMode)f.mode, f.typos);
    if (f.mode == RUN_FINALIZE) sched_signal(n, COND_SUBFIELDS);
    Ir *value = vertex_value(v);
    if (value && ir_is_concrete(value)) run_checks(n, value);
  } else if (needs & COND_FIELD_SET) {
    eval_arc_types(n, (RunMode)f.mode);
  }

  n->errs = bottom_combine(e, (Ir *)n->errs, (Ir *)eval_take_err(e));
  if (n->errs) {
    Bottom *err = n->errs;
    n->errs = NULL;
    Bottom *b = vertex_bottom(v);
    if (b) err = bottom_combine(e, (Ir *)b, (Ir *)err);
    v->base = (Ir *)err;
  }
  node_finalize_disjunctions(n);
  if (f.mode == RUN_ATTEMPT) return sched_meets(n, needs);
  if (n->completed & needs) sched_signal(n, n->completed & needs);

  w = vertex_deref(v);
  if (w != v) {
    vertex_clear_arcs(v);
    if (v->more->child_errors) vertex_more(e, v)->child_errors = NULL;
    if (!(n->completed & COND_SUBFIELDS)) {
      if (w->status == VERTEX_UNPROCESSED) vertex_unify(e, w, (Flags){.cond = needs, .mode = f.mode});
      return sched_meets(n, needs);
    }
    if (w->closed_recursive) v->closed_recursive = true;
    if (w->has_ellipsis) v->has_ellipsis = true;
    v->status = w->status;
    node_finalize_sharing(n);
    if (node_has_ancestor(n, w)) {
      node_report_cycle(n);
      return true;
    }
    vertex_unify(e, w, f);
    return true;
  }
  if (!(n->completed & COND_SUBFIELDS)) return sched_meets(n, needs);

  e->eval_depth++;
  /* A bare `_` leaves the field open, unless a struct stands beside it. */
  if (n->is_def && !(n->has_top && !n->has_struct)) v->closed_recursive = true;
  if (f.typos) node_check_typos(n);
  v->status = VERTEX_FINALIZED;
  e->eval_depth--;
  return sched_meets(n, needs);
}

void cue_finalize(Eval *e, Vertex *v) {
  Bottom *errs = e->errs;
  e->errs = NULL;
  vertex_unify(e, v, (Flags){.status = VERTEX_FINALIZED, .cond = COND_ALL, .mode = RUN_FINALIZE, .typos = true});
  e->errs = errs;
}

void vertex_complete_arcs(Eval *e, Vertex *v) {
  vertex_unify(e, v, (Flags){.status = VERTEX_CONJUNCTS, .cond = COND_ALL, .mode = RUN_FINALIZE, .typos = true});
}

void vertex_complete_arcs_only(Eval *e, Vertex *v) {
  vertex_unify(e, v, (Flags){.status = VERTEX_CONJUNCTS, .cond = COND_FIELD_SET, .mode = RUN_FINALIZE});
}

/* Finds field l of v. While v is not complete the field may still come: then a pending arc is made
** for it, and the caller's task waits, tries or forces according to f. NULL with an error in
** e->errs if there is no such field. */
static Vertex *lookup(Eval *e, Vertex *v, CuePos pos, Label l, Flags f, NodeState *state);

static void report_missing(Eval *e, Vertex *v, CuePos pos, Label l, Flags f) {
  if (f.exists)
    vertex_report_absence(e, v, pos, l);
  else
    vertex_report_field_error(e, v, pos, l, false);
}

Vertex *vertex_lookup(Eval *e, Vertex *v, CuePos pos, Label l, Flags f) {
  v = vertex_deref(v);
  NodeState *state = vertex_state(e, v);
  if (!state) return lookup(e, v, pos, l, f, NULL);
  node_retain(state);
  Vertex *arc = lookup(e, v, pos, l, f, state);
  eval_restore(e);
  return arc;
}

static Vertex *lookup(Eval *e, Vertex *v, CuePos pos, Label l, Flags f, NodeState *state) {
  Cond needs = f.cond;
  if (state) {
    /* An error in another package is passed on: that package is not evaluated as a whole. */
    if (v->more->child_errors || (v->status > VERTEX_EVALUATING && vertex_bottom(v)) || e->errs || state->errs) {
      state->errs = bottom_combine(e, (Ir *)state->errs, (Ir *)eval_take_err(e));
      Bottom *b = state->errs;
      if (b && b->node && vertex_root(b->node) != vertex_root(v)) eval_add_bottom(e, b);
    }
    node_complete_tasks(state, RUN_ATTEMPT);
  }

  Vertex *found = vertex_arc(v, l), *arc = found;
  if (arc) arc = vertex_deref_non_rooted(arc);
  NodeState *arc_state;
  if (arc) {
    if (arc->arc_type == ARC_MEMBER) return found;
    arc_state = vertex_state(e, arc);
  } else if (!state || sched_meets(state, COND_NEED_TASKS)) {
    if (e->holes && vertex_has_names(e, v)) hole_fail(e, pos, "a field among fields whose names are not known");
    report_missing(e, v, pos, l, f);
    return NULL;
  } else {
    arc = vertex_new(e, state->node, l);
    arc->arc_type = ARC_PENDING;
    vertex_add_arc(e, v, arc);
    arc_state = vertex_state(e, arc);
  }

  if (arc_state && (!sched_meets(arc_state, COND_NEED_TASKS) || !sched_meets(arc_state, COND_ARC_TYPE))) {
    node_retain(arc_state);
    complete_pending(arc_state, RUN_ATTEMPT);
    node_complete_tasks(arc_state, RUN_YIELD);
    needs |= COND_ARC_TYPE;
    switch (f.mode) {
    case RUN_IGNORE:
    case RUN_ATTEMPT:
      if (arc->arc_type == ARC_PENDING) {
        eval_restore(e);
        return found;
      }
      break;
    case RUN_YIELD: sched_process(arc_state, needs, RUN_YIELD); break;
    case RUN_FINALIZE:
      if (needs == (COND_ARC_TYPE | COND_FIELD_SET)) {
        vertex_unify(e, arc, (Flags){.cond = needs, .mode = RUN_FINALIZE});
      } else if (!vertex_unify(e, arc, (Flags){.cond = needs, .mode = RUN_ATTEMPT})) {
        sched_process(arc_state, needs, RUN_YIELD);
      }
      if (arc->arc_type == ARC_PENDING) arc->arc_type = ARC_NOT_PRESENT;
      break;
    default: break;
    }
    eval_restore(e);
  }

  switch ((ArcType)arc->arc_type) {
  case ARC_MEMBER: return found;
  case ARC_REQUIRED: {
    if (f.exists) {
      eval_add_bottom(e, &e->missing);
      return found;
    }
    Bottom *b = bottom_new(e, BOTTOM_INCOMPLETE, err_new(e, pos, "required field missing: %l", l));
    b->node = v;
    eval_add_bottom(e, b);
    return found;
  }
  case ARC_OPTIONAL: {
    if (f.exists) {
      eval_add_bottom(e, &e->missing);
      return NULL;
    }
    Bottom *b = bottom_new(e, BOTTOM_INCOMPLETE, err_new(e, pos, "cannot reference optional field: %l", l));
    b->node = v;
    eval_add_bottom(e, b);
    return NULL;
  }
  case ARC_PENDING:
  case ARC_NOT_PRESENT: break;
  }
  report_missing(e, v, pos, l, f);
  return NULL;
}
