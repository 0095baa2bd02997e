/* sched.c - tasks and the conditions they wait for.
**
** Each vertex under evaluation is a small scheduler: a queue of tasks, counters of the tasks that
** may still change each condition, and the tasks (of any vertex) that wait for it. A task that
** cannot go on is left by longjmp and run again from its start, so tasks must be repeatable up to
** the point where they change a vertex.
*/
#include "compiler/node.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

typedef struct {
  Cond completes;
  int8_t priority;
} RunnerInfo;

static const RunnerInfo runners[] = {
    [RUN_EXPR] = {COND_GENERIC, 0},
    [RUN_RESOLVER] = {COND_GENERIC, 0},
    [RUN_DYNAMIC] = {COND_FIELD, 0},
    [RUN_PATTERN] = {COND_FIELD, 0},
    [RUN_COMPREHENSION] = {COND_VALUE | COND_TASKS | COND_FIELD_CONJUNCTS | COND_PENDING, 0},
    [RUN_LIST] = {COND_FIELD, 0},
    [RUN_LIST_VERTEX] = {COND_FIELD, 0},
    [RUN_DISJUNCTIONS] = {COND_GENERIC | COND_DISJUNCTION, 1},
};

typedef CUE_VEC(char) AnyVec;
enum { FIRST_VEC = offsetof(NodeState, tasks), VECS = (sizeof(NodeState) - FIRST_VEC) / sizeof(AnyVec) };
_Static_assert((sizeof(NodeState) - FIRST_VEC) % sizeof(AnyVec) == 0, "only vectors behind the first");

NodeState *node_state_new(Eval *e, Vertex *v) {
  NodeState *n = e->free_states;
  if (n) {
    e->free_states = n->next_free;
    memset(n, 0, FIRST_VEC);
    AnyVec *vecs = (AnyVec *)(void *)&n->tasks;
    for (size_t i = 0; i < VECS; i++) vecs[i].n = 0;
  } else {
    n = cue_new(e->a, NodeState);
  }
  n->e = e;
  n->node = v;
  n->underlying = v;
  n->kinds = CUE_TOP;
  if (v->parent && v->parent->state) n->is_disjunct = v->parent->state->is_disjunct;
  return n;
}

static Task *task_new(Eval *e) {
  Task *t = e->free_tasks;
  if (!t) return cue_new(e->a, Task);
  e->free_tasks = t->next_free;
  *t = (Task){0};
  return t;
}

Task *task_copy(Eval *e, const Task *from) {
  Task *t = task_new(e);
  *t = *from;
  t->next_free = NULL;
  return t;
}

void node_state_free(NodeState *n) {
  Eval *e = n->e;
  n->node->state = NULL;
  for (uint32_t i = 0; i < n->blocking.n; i++)
    if (n->blocking.at[i]->blocked_on == n) return;
  for (uint32_t i = 0; i < n->tasks.n; i++) {
    Task *t = n->tasks.at[i];
    if (t->state == TASK_WAITING || t->state == TASK_RUNNING) return;
  }
  for (uint32_t i = 0; i < n->tasks.n; i++) {
    Task *t = n->tasks.at[i];
    if (t->waited) continue;
    t->next_free = e->free_tasks;
    e->free_tasks = t;
  }
  n->next_free = e->free_states;
  e->free_states = n;
}

static void reclaim_tree(Eval *e, Vertex *v);

static void reclaim_base(Eval *e, Vertex *v) {
  Ir *base = v->base;
  if (!base) return;
  if (base->kind == IR_VERTEX && IR_AS(Vertex, base)->is_disjunct) {
    reclaim_tree(e, IR_AS(Vertex, base));
  } else if (base->kind == IR_DISJUNCTION) {
    IrDisjunction *d = IR_AS(IrDisjunction, base);
    for (uint32_t i = 0; i < d->n; i++)
      if (d->at[i]->kind == IR_VERTEX) reclaim_tree(e, IR_AS(Vertex, d->at[i]));
  }
}

static void reclaim_tree(Eval *e, Vertex *v) {
  NodeState *n = v->state;
  if (v->visited) return; /* a disjunct may hold a vertex whose value it is */
  v->visited = true;
  if (n && n->retained == 0 && v->status == VERTEX_FINALIZED) node_state_free(n);
  reclaim_base(e, v);
  for (uint32_t i = 0; i < v->arcs.n; i++) reclaim_tree(e, v->arcs.at[i]);
  v->visited = false;
}

static void drop_disjunct(Eval *e, Vertex *of, Ir *x, Ir *was) {
  if (x->kind != IR_VERTEX) return;
  Vertex *d = IR_AS(Vertex, x);
  if (d->is_disjunct && d->parent == of->parent) vertex_drop(e, d, was); /* otherwise the original's */
}

void vertex_drop(Eval *e, Vertex *v, Ir *was) {
  if (v->visited) return;
  v->visited = true;
  uint32_t narcs = v->arcs.n;
  if (v->state && narcs < v->state->cleared) narcs = v->state->cleared;
  if (v->state && v->state->retained == 0) node_state_free(v->state);
  if (v->base && v->base != was) {
    drop_disjunct(e, v, v->base, was);
    IrDisjunction *d = v->base->kind == IR_DISJUNCTION ? IR_AS(IrDisjunction, v->base) : NULL;
    for (uint32_t i = 0; d && i < d->n; i++) drop_disjunct(e, v, d->at[i], was);
  }
  for (uint32_t i = 0; i < narcs; i++) vertex_drop(e, v->arcs.at[i], was);
  v->visited = false;
}

void vertex_reclaim(Eval *e, Vertex *v) {
  NodeState *n = v->state;
  if (!n || n->retained > 0 || v->status != VERTEX_FINALIZED || n->is_disjunct) return;
  if (n->errs) return; /* came after the value was final: references still see it */
  reclaim_base(e, v);
  node_state_free(n);
}

/* ---- leaving and resuming ---- */

Task *eval_current(Eval *e) { return e->stack.n ? e->stack.at[e->stack.n - 1] : NULL; }

void eval_yield(Eval *e) {
  assert(e->yield_to);
  longjmp(*e->yield_to, 1);
}

/* ---- conditions ---- */

/* What follows from what is known: adds the derived conditions. */
static Cond derived(NodeState *s) {
  Cond x = s->completed;
  Vertex *v = s->node;
  if (x & COND_ANCESTORS) {
    x |= COND_COUNTED & (Cond)~s->provided;
    /* A pending field may still turn regular through a field below it, so its type is known
    ** only when those are done, and no task can say more of the value. */
    if (s->counters[2] == 0 && (x & COND_SUBFIELDS)) x |= COND_ARC_TYPE;
  }
  if (v->arc_type == ARC_MEMBER || v->arc_type == ARC_NOT_PRESENT) {
    x |= COND_ARC_TYPE;
  } else if ((x & COND_ARC_TYPE) && v->arc_type == ARC_PENDING) {
    v->arc_type = ARC_NOT_PRESENT;
  }
  if ((x & COND_VALUE) && (v->arc_type == ARC_MEMBER || v->arc_type == ARC_NOT_PRESENT)) x |= COND_SCALAR;
  const Cond done = COND_NEED_FIELD_CONJUNCTS | COND_NEED_TASKS;
  if ((x & done) == done) {
    if (!(x & COND_SUBFIELDS)) {
      for (uint32_t i = 0; i < v->arcs.n; i++)
        if (v->arcs.at[i]->arc_type == ARC_PENDING) return x;
    }
    x |= COND_FIELD_SET;
  }
  return x;
}

bool sched_meets(NodeState *s, Cond needs) {
  /* What no task provides is met once the node has begun. */
  if (s->sched != SCHED_READY) needs &= s->provided;
  return (s->completed & needs) == needs;
}

static void run_task(Task *t, RunMode mode);

void sched_signal(NodeState *s, Cond completed) {
  Cond was = s->completed;
  s->completed |= completed;
  if (was == s->completed) {
    s->frozen |= completed;
    return;
  }
  s->completed |= derived(s);
  s->frozen |= completed;
  uint32_t n = s->blocking.n;
  for (uint32_t i = 0; i < n && i < s->blocking.n; i++) {
    Task *t = s->blocking.at[i];
    if ((t->block_cond & s->completed) == t->block_cond) {
      t->block_cond = COND_NEVER;
      t->blocked_on = NULL;
      run_task(t, RUN_ATTEMPT);
    }
  }
}

void sched_freeze(NodeState *s, Cond c) {
  s->frozen |= c;
  s->completed |= c;
  derived(s); /* may settle the type of a pending arc */
  s->is_frozen = true;
}

static void sched_increment(NodeState *s, Cond x) {
  for (unsigned left = x & COND_COUNTED; left; left &= left - 1) s->counters[__builtin_ctz(left)]++;
}

static void sched_decrement(NodeState *s, Cond x) {
  Cond completed = 0;
  for (unsigned left = x & COND_COUNTED; left; left &= left - 1) {
    int i = __builtin_ctz(left);
    if (--s->counters[i] == 0) completed |= (Cond)(1 << i);
  }
  sched_signal(s, completed);
}

/* ---- tasks ---- */

void task_wait_for(Task *t, NodeState *s, Cond needs) {
  Eval *e = s->e;
  s->needs |= needs;
  t->waited = true;
  t->state = TASK_WAITING;
  t->block_cond = needs;
  t->blocked_on = s;
  cue_push(e->a, &s->blocking, t);
  cue_push(e->a, &e->blocking, t);
}

Task *task_schedule(NodeState *n, Runner run, Env *env, Ir *x, CloseInfo ci) {
  Eval *e = n->e;
  Task *t = task_new(e);
  t->run = (uint8_t)run;
  t->node = n;
  t->env = env;
  t->id = ci;
  t->x = x;
  t->completes = runners[run].completes;
  n->provided |= t->completes;
  sched_increment(n, t->completes);
  cue_push(e->a, &n->tasks, t);
  /* Few tasks have a higher priority number: this loop nearly always stops at once. */
  for (uint32_t i = n->tasks.n - 1; i > n->task_pos; i--) {
    Task **q = n->tasks.at;
    if (runners[q[i - 1]->run].priority <= runners[q[i]->run].priority) break;
    Task *swap = q[i];
    q[i] = q[i - 1];
    q[i - 1] = swap;
  }
  return t;
}

/* Everything a yielding task would have restored on its way out. */
typedef struct {
  Env *env;
  CloseInfo ci;
  const Ast *src;
  Bottom *errs;
  Vertex *vertex;
  int32_t eval_depth, nesting, in_detached, in_validator, call_depth;
  bool is_validator;
  uint32_t overlays, alt_path, positions, undo, stack;
  jmp_buf *yield_to;
} Snapshot;

static void snapshot_take(Eval *e, Snapshot *s) {
  *s = (Snapshot){e->env,        e->ci,          e->src,          e->errs,       e->vertex,       e->eval_depth,
                  e->nesting,    e->in_detached, e->in_validator, e->call_depth, e->is_validator, e->overlays.n,
                  e->alt_path.n, e->positions.n, e->undo.n,       e->stack.n,    e->yield_to};
}

static void snapshot_restore(Eval *e, const Snapshot *s) {
  while (e->undo.n > s->undo) eval_restore(e);
  e->env = s->env;
  e->ci = s->ci;
  e->src = s->src;
  e->errs = s->errs;
  e->vertex = s->vertex;
  e->eval_depth = s->eval_depth;
  e->nesting = s->nesting;
  e->in_detached = s->in_detached;
  e->in_validator = s->in_validator;
  e->call_depth = s->call_depth;
  e->is_validator = s->is_validator;
  e->overlays.n = s->overlays;
  e->alt_path.n = s->alt_path;
  e->positions.n = s->positions;
  e->stack.n = s->stack;
  e->yield_to = s->yield_to;
}

/* An expression in one place that is evaluated within itself again and again, each time for another vertex: without this
** it would go on down to the limit of nesting, at a cost that grows with the square of the depth. */
static bool recurs(const Eval *e, const Task *t) {
  enum { DEEP = 512, OFTEN = 64 };
  if (e->stack.n < DEEP || e->stack.n % OFTEN || !t->env) return false;
  uint32_t same = 0;
  for (uint32_t i = e->stack.n - DEEP; i < e->stack.n; i++)
    same += e->stack.at[i]->x == t->x && e->stack.at[i]->env == t->env;
  return same >= OFTEN;
}

static void run_task(Task *t, RunMode mode) {
  if (t->defunct) {
    t->state = TASK_CANCELLED;
    return;
  }
  if (t->state == TASK_SUCCESS || t->state == TASK_FAILED) return;

  NodeState *n = t->node;
  Eval *e = n->e;
  if (e->stack.n > EVAL_NESTING_LIMIT || recurs(e, t)) e->over_limit = "value is nested too deeply";
  Snapshot saved;
  snapshot_take(e, &saved);
  node_retain(n);
  jmp_buf here;
  if (_setjmp(here) == 0) {
    e->yield_to = &here;
    e->vertex = n->node;
    cue_push(e->a, &e->stack, t);
    if (t->env) {
      Ir *x = conjunct_expr(t->x);
      e->errs = NULL;
      if (x->src) e->src = x->src;
      e->env = t->env;
      e->ci = t->id;
    }
    t->state = TASK_RUNNING;
    t->err = NULL; /* of an earlier try */
    if (e->over_limit)
      t->err = bottom_f(e, BOTTOM_EVAL, "%s", e->over_limit);
    else
      task_run_body(t, mode);
    if (t->state != TASK_WAITING) {
      t->blocked_on = NULL;
      t->block_cond = COND_NEVER;
      t->err = bottom_combine(e, (Ir *)t->err, (Ir *)eval_take_err(e));
      t->state = t->err ? TASK_FAILED : TASK_SUCCESS;
      node_add_bottom(n, t->err);
      Cond done = t->completes;
      t->completes = 0;
      sched_decrement(n, done);
    }
    /* The disjunction task has no conjunct of its own: it takes over the errors it found. */
    if (!t->env) saved.errs = e->errs;
  } else if (t->state == TASK_RUNNING) {
    t->state = t->err ? TASK_FAILED : TASK_SUCCESS;
  }
  snapshot_restore(e, &saved);
  if (n->to_complete) {
    n->to_complete = false;
    node_complete_tasks(n, RUN_ATTEMPT);
  }
}

/* Runs the queue of s. Returns whether needs hold then; in RUN_YIELD mode it does not return if
** they do not and a task asked, in RUN_FINALIZE mode it forces what is blocked. */
static bool process(NodeState *s, Cond needs, RunMode mode);

bool sched_process(NodeState *s, Cond needs, RunMode mode) {
  node_retain(s);
  bool met = process(s, needs, mode);
  eval_restore(s->e);
  return met;
}

static bool process(NodeState *s, Cond needs, RunMode mode) {
  Eval *e = s->e;
  sched_signal(s, derived(s));
  s->sched = SCHED_RUNNING;
  for (;;) {
    while (s->task_pos < s->tasks.n) {
      Task *t = s->tasks.at[s->task_pos++];
      if (t->state == TASK_READY) run_task(t, mode);
    }
    if (mode == RUN_YIELD) {
      if (sched_meets(s, needs)) return true;
      Task *t = eval_current(e);
      if (t) {
        task_wait_for(t, s, needs);
        eval_yield(e);
      }
    } else if (mode != RUN_FINALIZE) {
      return sched_meets(s, needs);
    }

    /* Deadlock, or nothing to do. Release in three steps, each over all blocked tasks, so that
    ** the result does not depend on their order. */
    uint32_t n;
    do {
      n = e->blocking.n;
      if (n == 0) break;
      Task **blocked = cue_array(e->a, Task *, n);
      memcpy(blocked, e->blocking.at, n * sizeof *blocked);
      for (uint32_t i = 0; i < n; i++)
        if (blocked[i]->blocked_on) sched_signal(blocked[i]->blocked_on, COND_AUTO_UNBLOCK);
      for (uint32_t i = 0; i < n; i++)
        if (blocked[i]->blocked_on) {
          sched_freeze(blocked[i]->blocked_on, blocked[i]->block_cond);
          blocked[i]->unblocked = true;
        }
      for (uint32_t i = 0; i < n; i++) {
        Task *t = blocked[i];
        if (!t->blocked_on || t->defunct) continue;
        NodeState *on = t->blocked_on;
        Cond cond = t->block_cond;
        t->blocked_on = NULL;
        t->block_cond = COND_NEVER;
        sched_signal(on, cond);
        run_task(t, RUN_ATTEMPT);
      }
    } while (s->task_pos >= s->tasks.n && n < e->blocking.n);
    if (s->task_pos < s->tasks.n) continue;
    e->blocking.n = 0;
    return true;
  }
}
