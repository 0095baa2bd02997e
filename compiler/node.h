/* node.h - the evaluator's inside: the state of a vertex under evaluation, tasks, and what its files share.
**
** How evaluation works. A vertex is a set of conjuncts. Literal parts of a conjunct go straight
** into the vertex (conjunct.c); whatever needs other values becomes a task (tasks.c). A task may
** need to know something of another vertex: that is a condition (Cond). If the condition does not
** hold yet, the task waits and runs again when the other vertex signals it (sched.c). When all
** that is left waits in a circle, the vertices involved are frozen: what is not known then never
** will be, and the tasks run a last time and yield a value or an error. Disjunctions run last:
** each alternative is tried on a copy of the vertex (disjunct.c, overlay.c). Closedness is checked
** when all fields are known (typo.c); cycles are found by depth and by the references a conjunct
** has passed (cycle.c).
**
** A task that must wait leaves its C frames by longjmp to run_task. What those frames would have
** restored is restored there from the Eval snapshot and from the undo log (eval_save).
*/
#ifndef CUE_NODE_H
#define CUE_NODE_H

#include <setjmp.h>

#include "compiler/eval.h"

/* Evaluation recurses with the depth of values. Programs run it on a stack of at least this size
** plus a reserve (context.c); beyond it a value is an error, never a crash. */
#define EVAL_STACK_LIMIT (448L << 20)
#define EVAL_NESTING_LIMIT 25000 /* of values under evaluation: literals nest up to 10,000 deep */
#define EVAL_MEMORY_LIMIT ((size_t)4 << 30)
#define EVAL_TEXT_LIMIT ((size_t)1 << 28) /* bytes of a text made of others */
#define EVAL_TYPES 61                     /* prime: kinds are sets of bits */
#define EVAL_CALL_LIMIT 100
#define EVAL_DEEP_CALL 16          /* calls nested deeper than this ... */
#define EVAL_DEEP_CALL_LIMIT 20000 /* ... are counted: a schema that validates itself never ends */

/* What may be known of a vertex. A counted condition holds when no task that could change it is
** left; the others are signalled. */
typedef uint16_t Cond;
enum {
  COND_ANCESTORS = 1 << 0,       /* no ancestor will add conjuncts; signalled */
  COND_ARC_TYPE = 1 << 1,        /* regular, required, optional or absent; counted */
  COND_VALUE = 1 << 2,           /* the type of the value; counted */
  COND_SCALAR = 1 << 3,          /* the scalar, or that there is none; signalled */
  COND_FIELD_CONJUNCTS = 1 << 4, /* all conjuncts of all fields; counted */
  COND_FIELD_SET = 1 << 5,       /* which fields there are; derived */
  COND_TASKS = 1 << 6,           /* all tasks ran; counted */
  COND_SUBFIELDS = 1 << 7,       /* so have those of the fields below; signalled */
  COND_PENDING = 1 << 8,         /* comprehensions that decide whether the field exists ran; counted */
  COND_DISJUNCTION = 1 << 9,     /* disjunctions were computed; counted */
  COND_COUNT = 10,
  COND_ALL = 0x7fff,
  COND_NEVER = 0x8000,

  COND_COUNTED = COND_ARC_TYPE | COND_VALUE | COND_FIELD_CONJUNCTS | COND_TASKS | COND_PENDING | COND_DISJUNCTION,
  COND_GENERIC = COND_TASKS | COND_SCALAR | COND_VALUE | COND_FIELD_CONJUNCTS, /* what any conjunct may add to */
  COND_FIELD = COND_TASKS | COND_FIELD_CONJUNCTS,                              /* ... one that only adds fields */
  COND_SCALAR_VALUE = COND_SCALAR | COND_DISJUNCTION,
  COND_NEED_FIELD_CONJUNCTS = COND_FIELD_CONJUNCTS | COND_ANCESTORS,
  COND_NEED_FIELD_SET = COND_FIELD_SET | COND_ANCESTORS,
  COND_NEED_TASKS = COND_ANCESTORS | COND_TASKS,
  COND_AUTO_UNBLOCK = COND_SCALAR | COND_ARC_TYPE, /* known by default once a deadlock shows nothing more can come */
};

/* What to do when a condition does not hold. */
typedef enum { RUN_IGNORE = 1, RUN_ATTEMPT, RUN_YIELD, RUN_FINALIZE } RunMode;

typedef struct {
  uint8_t status; /* VertexStatus asked for; matters for comparisons with bottom only */
  uint8_t mode;   /* RunMode */
  bool concrete;  /* a concrete result is wanted */
  bool typos;     /* check closedness */
  bool exists;    /* of a lookup: an error is not shown */
  Cond cond;
} Flags;

typedef enum { TASK_READY, TASK_RUNNING, TASK_WAITING, TASK_SUCCESS, TASK_FAILED, TASK_CANCELLED } TaskState;
typedef enum {
  RUN_EXPR,
  RUN_RESOLVER,
  RUN_DYNAMIC,
  RUN_PATTERN,
  RUN_COMPREHENSION,
  RUN_LIST,
  RUN_LIST_VERTEX,
  RUN_DISJUNCTIONS
} Runner;

/* The evaluation of one comprehension, shared by the fields its value was split into. */
typedef struct CompRun {
  IrComprehension *comp;
  Vertex *vertex;             /* where it stands: errors go here */
  CUE_VEC(Env *) envs;        /* one for each time its clauses yielded */
  CUE_VEC(uint16_t) contexts; /* ... and in which context, where there are holes */
  bool done;
  CUE_VEC(IrStruct *) structs; /* count as taking part once something was yielded */
} CompRun;

/* The value of a let in one environment; next is the place + 1 of another one there. */
typedef struct {
  uint32_t next;
  Ir *x;
  Vertex *arc, *value;
} LetValue;

typedef struct Task {
  uint8_t state;  /* TaskState */
  uint8_t run;    /* Runner */
  bool defunct;   /* a copy runs in a disjunct */
  bool unblocked; /* was released by force */
  bool waited;    /* other vertices may know it: never used again */
  Cond completes;
  Cond block_cond;
  NodeState *blocked_on;
  Bottom *err;
  NodeState *node;
  Env *env;
  Ir *x;
  CloseInfo id;
  CompRun *comp; /* of comprehensions */
  IrComprehension *leaf;
  union {
    struct Task *by; /* of expressions: the one of the same node that yielded it */
    struct Task *next_free;
  };
} Task;
typedef CUE_VEC(Task *) TaskList;

typedef enum { MAYBE_DEFAULT, IS_DEFAULT, NOT_DEFAULT } DefaultMode; /* ORDER: the larger wins when unified */
typedef struct DisjunctTry DisjunctTry;
struct DisjunctTry {
  Ir *x;
  DefaultMode mode;
};
typedef struct {
  Env *env;
  CloseInfo id;
  Ir *src;
  const DisjunctTry *at;
  uint32_t n;
  Bottom **errs; /* why each failed; NULL if none did */
} DisjunctionTodo;

typedef struct {
  Conjunct c;
  Vertex *arc;
} CyclicConjunct;
typedef struct {
  Vertex *v;
  CloseInfo ci;
} Receiver;
typedef struct {
  Env *env;
  Ir *x;
  bool expect_error;
} PostCheck;

/* Closedness; see typo.c. */
typedef enum { DEF_UNKNOWN, DEF_EMBEDDING, DEF_REFERENCE, DEF_STRUCT } DefKind;
typedef struct {
  Vertex *v;
  uint32_t id, parent, embed;
  bool ignore, recursive;
  uint8_t kind;
} RefInfo;
typedef struct {
  uint32_t from, to;
} Replacement;
enum { CONJUNCT_ELLIPSIS = 1, CONJUNCT_TOP = 2, CONJUNCT_STRUCT = 4, CONJUNCT_OPEN_VALIDATOR = 8 };
typedef struct {
  uint32_t id, embed;
  uint16_t kinds;
  uint8_t flags;
} ConjunctInfo;
typedef struct {
  uint32_t id, parent, embed;
  uint8_t kind;
  bool once, ignored, removed;
  bool open; /* by an ellipsis */
  bool any;  /* conjuncts within it, and their flags together */
  uint8_t flags;
} ReqSet;
typedef CUE_VEC(ReqSet) ReqSets;

typedef struct PtrMap PtrMap; /* vertex to its copy; overlay.c */

typedef enum { SCHED_READY, SCHED_RUNNING, SCHED_FINALIZING, SCHED_SUCCESS, SCHED_FAILED } SchedState;

/* The state of a vertex while it is under evaluation. States are used again (node_state_free), with
** the memory of their vectors: those come last, in one block. */
struct NodeState {
  Eval *e;
  Vertex *node;
  Vertex *parent;     /* where a shared inline vertex will be attached */
  Vertex *underlying; /* of a copy: the original; otherwise the node itself */
  NodeState *next_free;
  /* scheduling */
  uint8_t sched; /* SchedState */
  bool is_frozen;
  Cond completed, needs, provided, frozen;
  int32_t counters[COND_COUNT];
  uint32_t task_pos;
  /* progress */
  bool initialized : 1, to_complete : 1, embeds_closed : 1, is_disjunct : 1;
  bool has_top : 1, has_cyclic_conjunct : 1, has_ancestor_cycle : 1, has_non_cycle : 1, has_non_cyclic : 1;
  bool has_struct : 1, is_def : 1, drop_parent_reqs : 1, computed_close : 1, computed_flat : 1;
  bool is_shared : 1, no_sharing : 1, share_decremented : 1, has_field_value : 1, a_struct : 1;
  bool list_closed : 1, has_disjunction : 1, typos_checked : 1;
  uint8_t run_mode;    /* of a disjunct */
  uint8_t share_cycle; /* CycleType */
  uint8_t default_mode, orig_default_mode;
  uint32_t cleared; /* how many arcs it had before vertex_clear_arcs: for vertex_drop */
  int32_t completing;
  int32_t retained; /* frames at work on it: its state must stay */
  int32_t eval_depth;
  int32_t depth;
  /* what is known of the value */
  uint32_t kinds;
  Ir *kind_expr;
  uint32_t kind_id; /* CloseInfo.def of what set it */
  uint32_t scalar_id;
  Ir *scalar;
  IrBound *lower, *upper;
  uint32_t max_list_len;
  uint32_t min_flat_to;
  Ir *max_node;
  Bottom *errs;
  Vertex *default_attempt;           /* node that asked for our default in a cycle */
  uint64_t fingerprint;              /* of a disjunct: disjunct.c */
  IrDisjunction *scalar_disjunction; /* the result of disjunct_scalar.c */
  IrDisjunctionExpr *alone;          /* the expression whose value ours is */
  Conjunct shared;
  Ir *orig_base;
  /* vectors; the first of them is `tasks` */
  TaskList tasks;
  TaskList blocking;        /* tasks waiting for this vertex */
  CUE_VEC(Conjunct) checks; /* validators */
  CUE_VEC(PostCheck) post_checks;
  CUE_VEC(CloseInfo) shared_ids;
  CUE_VEC(Vertex *) arc_map;      /* references seen */
  CUE_VEC(uint16_t) arc_contexts; /* ... and in which context, where there are holes */
  CUE_VEC(Receiver) notify;
  CUE_VEC(CyclicConjunct) cyclic;
  CUE_VEC(RefInfo) refs; /* closedness */
  CUE_VEC(Replacement) replacements;
  CUE_VEC(Replacement) flat;
  CUE_VEC(ConjunctInfo) infos;
  ReqSets reqs;
  CUE_VEC(DisjunctionTodo) disjunctions;
  CUE_VEC(DisjunctionTodo) decided; /* what scalar_disjunction was computed of */
  CUE_VEC(NodeState *) disjuncts;
  CUE_VEC(Bottom *) disjunct_errs;
  CUE_VEC(Bottom *) user_errs;
};

struct CycleRef {
  Ir *ref;
  Vertex *arc;  /* where ref leads */
  Vertex *node; /* whose conjunct ref is */
  CycleRef *next;
  int32_t depth;
};

typedef struct {
  PtrMap *map;
  Vertex *root;
} OverlayFrame;
typedef struct {
  int32_t *at;
  int32_t old;
} Undo;
typedef struct {
  uint32_t parent;
  CuePos pos;
  uint32_t walk, mark; /* the last search that came by, and the last that marked it: typo.c */
} Containment;

typedef struct {
  Vertex *of, *id; /* neither `of` nor what it lies in is `id` */
} NotAncestor;
enum { EVAL_NOT_ANCESTORS = 16 };

struct Eval {
  CueContext *ctx;
  CueArena *a;
  CueArena *scratch; /* for what does not outlive a function: mark and reset */
  LabelTable *labels;
  /* where evaluation is: saved and restored around tasks */
  Env *env;
  CloseInfo ci;
  const Ast *src;
  Bottom *errs;
  Vertex *vertex;
  int32_t eval_depth, nesting, in_detached, in_validator;
  bool is_validator, skip_try;
  CUE_VEC(OverlayFrame) overlays;
  CUE_VEC(Vertex *) alt_path;
  CUE_VEC(Ir *) positions; /* further places for the next error */
  TaskList stack;
  TaskList blocking; /* every task that waits, in this round */
  CUE_VEC(Undo) undo;
  jmp_buf *yield_to; /* of the innermost task */
  /* closedness */
  CUE_VEC(Containment) containments;
  uint32_t walks;
  NotAncestor not_ancestors[EVAL_NOT_ANCESTORS]; /* cycle.c */
  /* limits */
  char *stack_base; /* for the depth limit */
  uint64_t disjunct_work, steps;
  const char *over_limit; /* why evaluation was given up, or NULL */
  int32_t call_depth;     /* of functions within functions */
  uint32_t deep_calls;
  int32_t text_depth;        /* of messages within messages */
  struct OrderCache *orders; /* toposort.c */
  CUE_VEC(LetValue) let_values;
  IrType *types[EVAL_TYPES]; /* made of late, by kinds: ir_type */
  NodeState *free_states;
  PtrMap *free_maps;
  Task *free_tasks;
  /* constants */
  Env empty_env;
  Vertex empty_node;
  Bottom cycle; /* base of a vertex whose value is not known yet */
  Bottom no_share;
  Bottom missing, forbidden; /* there is no such field, and there can be none; said of nobody, see Flags.exists */
  Ir top, struct_mark;
  IrScalar true_, false_;
  Holes *holes; /* values that are not known, while a module is compiled */
};

/* ---- sched.c ---- */
NodeState *node_state_new(Eval *e, Vertex *v);
void node_state_free(NodeState *n); /* drops it from its vertex; used again if nobody waits for it */
/* A disjunct that failed or is a double: nothing will look at it again but messages. `was` is the base it had as a copy:
** not its own. */
void vertex_drop(Eval *e, Vertex *v, Ir *was);
void vertex_reclaim(Eval *e, Vertex *v); /* the states of a finalized vertex and of its disjuncts */
bool sched_process(NodeState *s, Cond needs, RunMode mode);
bool sched_meets(NodeState *s, Cond needs);
void sched_signal(NodeState *s, Cond completed);
void sched_freeze(NodeState *s, Cond c);
Task *task_schedule(NodeState *n, Runner run, Env *env, Ir *x, CloseInfo ci);
Task *task_copy(Eval *e, const Task *from);
void task_wait_for(Task *t, NodeState *s, Cond needs);
_Noreturn void eval_yield(Eval *e);
Task *eval_current(Eval *e);
/* Logs a counter or depth to be put back when a task yields. */
static inline void eval_save(Eval *e, int32_t *at) { cue_push(e->a, &e->undo, (Undo){at, *at}); }
/* Puts the newest one back. */
static inline void eval_restore(Eval *e) {
  Undo u = e->undo.at[--e->undo.n];
  *u.at = u.old;
}
static inline void node_retain(NodeState *n) {
  eval_save(n->e, &n->retained);
  n->retained++;
}

/* ---- tasks.c ---- */
void task_run_body(Task *t, RunMode mode);
void node_update_list_type(NodeState *n, Ir *list, CloseInfo id, bool closed);

/* ---- unify.c ---- */
NodeState *vertex_start(Eval *e, Vertex *v);                /* ... makes it */
static inline NodeState *vertex_state(Eval *e, Vertex *v) { /* with its conjuncts scheduled; NULL if finalized */
  if (v->status == VERTEX_FINALIZED) return NULL;
  return v->state && v->state->initialized ? v->state : vertex_start(e, v);
}
NodeState *vertex_bare_state(Eval *e, Vertex *v);
void vertex_place(Vertex *v);
bool vertex_unify(Eval *e, Vertex *v, Flags f);
void node_complete_tasks(NodeState *n, RunMode mode);
void node_update_scalar(NodeState *n);
Vertex *vertex_lookup(Eval *e, Vertex *v, CuePos pos, Label l, Flags f);
void vertex_complete_arcs(Eval *e, Vertex *v);
void vertex_complete_arcs_only(Eval *e, Vertex *v);
void vertex_clear_arcs(Vertex *v);
bool vertex_in_progress(const Vertex *v);
bool vertex_all_child_conjuncts_known(Eval *e, Vertex *v);

/* ---- conjunct.c ---- */
void node_schedule_conjunct(NodeState *n, Conjunct c, CloseInfo id);
void node_schedule_vertex(NodeState *n, Conjunct c, Vertex *arc, CloseInfo ci);
void node_insert_value(NodeState *n, Env *env, Ir *v, CloseInfo id);
bool node_update_type(NodeState *n, uint32_t kinds, Ir *v, CloseInfo id);
Ir *node_validators(NodeState *n, bool final);
Ir *conjunct_elem(Ir *x); /* the expression of a declaration */
Ir *conjunct_expr(Ir *x); /* ... also of comprehensions and groups of one */
Conjunct conjunct_make(Eval *e, Env *env, Ir *x, CloseInfo ci);

/* ---- fields.c ---- */
Vertex *node_insert_arc(NodeState *n, Label l, ArcType t, Conjunct c, CloseInfo id, bool check);
void node_insert_pattern(NodeState *n, Ir *pattern, Conjunct c);
bool pattern_matches(Eval *e, Ir *pattern, Label l);
bool vertex_matches_pattern(Eval *e, Vertex *v, Label l);
void vertex_update_arc_type(Eval *e, Vertex *v, ArcType t);
void vertex_add_arc(Eval *e, Vertex *v, Vertex *arc);
void vertex_reserve_arcs(Eval *e, Vertex *v, uint32_t n);
void vertex_arcs_changed(Vertex *v);                      /* after arcs were removed or replaced */
void vertex_add_conjunct(Eval *e, Vertex *v, Conjunct c); /* unless it has it */
void vertex_add_struct(Eval *e, Vertex *v, IrStruct *s);
Vertex *vertex_new(Eval *e, Vertex *parent, Label l);
VertexMore *vertex_more(Eval *e, Vertex *v); /* its own, to be changed */
Vertex *vertex_inline(Eval *e, Conjunct *c); /* dynamic, with one conjunct or none */

/* ---- share.c ---- */
void node_unshare(NodeState *n);
void node_finalize_sharing(NodeState *n);
bool node_share_if_possible(NodeState *n, Conjunct c, Vertex *arc, CloseInfo id);
void node_add_shared(NodeState *n, CloseInfo id);
Vertex *vertex_wrap(Eval *e, Vertex *v, CloseInfo id);
Vertex *vertex_deref_disjunct(Vertex *v);
Vertex *vertex_deref_non_disjunct(Vertex *v);
Vertex *vertex_deref_non_rooted(Vertex *v);
Vertex *vertex_deref_non_shared(Vertex *v);
Vertex *vertex_identity(Vertex *v); /* what counts when two vertices are compared */
bool vertex_rooted(const Vertex *v);

/* ---- cycle.c ---- */
CloseInfo node_detect_cycle(NodeState *n, Vertex *arc, Env *env, Ir *ref, CloseInfo ci, bool *skip);
void node_mark_non_cyclic(NodeState *n, CloseInfo id);
void node_update_cyclic(NodeState *n, CloseInfo c);
void close_set_optional(CloseInfo *c);
bool node_has_ancestor(NodeState *n, Vertex *arc);
bool eval_has_depth_cycle(Eval *e, Vertex *v);
bool node_assert_structural_cycle(NodeState *n);
void node_report_cycle(NodeState *n);

/* ---- typo.c ---- */
CloseInfo node_add_resolver(NodeState *n, Ir *p, Vertex *v, CloseInfo id, bool force_ignore);
bool eval_explicit_open(Eval *e, const Ir *x);
CloseInfo node_embed(NodeState *n, Ir *x, CloseInfo id);
CloseInfo node_split_struct(NodeState *n, IrStruct *s, CloseInfo id);
CloseInfo node_split_scope(NodeState *n, Ir *p, CloseInfo id);
CloseInfo close_sub_field(CloseInfo ci);
CloseInfo close_clear(CloseInfo ci);
void node_conjunct_info(NodeState *n, uint32_t kinds, CloseInfo id, uint8_t flags);
void node_add_replacement(NodeState *n, uint32_t from, uint32_t to);
void node_check_typos(NodeState *n);
bool node_may_close(NodeState *n);
void node_merge_close_info(NodeState *nv, NodeState *nw);

/* ---- disjunct.c, overlay.c ---- */
void node_schedule_disjunction(NodeState *n, DisjunctionTodo d);
Bottom *node_process_disjunctions(NodeState *n);
void node_finalize_disjunctions(NodeState *n);
bool node_scalar_disjunctions(NodeState *n, DisjunctionTodo *a,
                              uint32_t count); /* false: not of that kind, or no survivor */
/* A disjunction of constants that is all n has: its value may be kept with its text. NULL otherwise. */
IrDisjunctionExpr *node_disjunction_alone(NodeState *n, const DisjunctionTodo *a, uint32_t count);
NodeState *overlay_clone(Eval *e, NodeState *root, PtrMap **map);
void overlay_done(Eval *e, PtrMap *map);        /* it will not be asked again */
Vertex *ptrmap_get(const PtrMap *m, Vertex *v); /* NULL if absent */
Vertex *eval_deref(Eval *e, Vertex *v);         /* to its copy in the disjunct at work, but not at its root */
Vertex *eval_deref_root(Eval *e, Vertex *v);
static inline Vertex *env_vertex(Eval *e, Env *env) {
  return e->overlays.n ? eval_deref_root(e, env->vertex) : env->vertex;
}

/* ---- comprehend.c ---- */
void node_insert_comprehension(NodeState *n, Env *env, IrComprehension *c, CloseInfo ci);
Bottom *node_process_comprehension(NodeState *n, Task *t);
typedef void CompYield(Eval *e, Env *env, void *arg);
Bottom *eval_yield_comprehension(Eval *e, Vertex *node, Env *env, IrComprehension *c, uint8_t status, CompYield *f,
                                 void *arg);

/* ---- expr.c ---- */
Ir *eval_expr(Eval *e, Ir *x, Flags f); /* NULL: see e->errs */
Ir *eval_expr_ci(Eval *e, Ir *x, Flags f, CloseInfo *ci);
Ir *eval_value(Eval *e, Ir *x, Flags f); /* ... its default, unwrapped */
Ir *eval_keep_state(Eval *e, Ir *x);
Vertex *eval_resolve(Eval *e, Ir *x, Flags f);
Ir *eval_unify_node(Eval *e, Ir *x, Flags f);
Ir *eval_get_default(Eval *e, Ir *v, bool *ok);
Label eval_label(Eval *e, Ir *src, Ir *v);
Env *env_new(Eval *e, Env *up, Vertex *v);
Env *env_up(Eval *e, uint32_t n);
Bottom *eval_check(Eval *e, Conjunct check, Ir *value);

/* ---- values.c, binop.c, bounds.c, equal.c, validate.c ---- */
Ir *ir_binop(Eval *e, Ir *node, uint8_t op, Ir *x, Ir *y);
Ir *ir_int_div(Eval *e, uint8_t op, CueValue x, CueValue y);
bool ir_binop_bool(Eval *e, uint8_t op, Ir *x, Ir *y);
Ir *bounds_simplify(Eval *e, uint32_t kinds, IrBound *x, IrBound *y);
bool bound_test_str(Eval *e, IrBound *b, CueStr s);
bool bound_test_int(Eval *e, IrBound *b, int64_t i);
Bottom *bound_validate(Eval *e, IrBound *b, Ir *y);
Ir *ir_unwrap(Ir *x);          /* the value of a vertex, through everything */
int ir_concreteness(Ir *x);    /* 0 bottom, 1 concrete, 2 constraint, 3 type, 4 any */
bool ir_is_error(const Ir *x); /* NULL or bottom */
Ir *ir_int(Eval *e, int64_t i);
Ir *ir_scalar(Eval *e, CueValue v);
Ir *ir_bool(Eval *e, bool b);
Ir *ir_type(Eval *e, uint32_t kinds); /* shared: not to be changed */
bool eval_bool(Eval *e, Ir *v, const char *as, uint8_t as_op);
bool eval_scalar(Eval *e, Ir *v, uint32_t kinds, const char *as, uint8_t as_op, CueValue *out);
CueStr eval_to_string(Eval *e, Ir *v);
CueStr eval_to_bytes(Eval *e, Ir *v);
bool vertex_is_data(const Vertex *v);
bool vertex_recursively_concrete(Vertex *v);
Vertex *vertex_to_data(Eval *e, Vertex *v); /* all below, patterns and validators dropped */
Bottom *validate_value(Eval *e, Ir *v, ValidateOptions opt);

/* ---- call.c: builtins ---- */
Ir *eval_call(Eval *e, IrCall *x, Flags f);
Bottom *validator_run(Eval *e, IrValidator *v, Ir *value);
IrValidator *builtin_bare_validator(Eval *e, IrBuiltin *b);
bool validator_same(Eval *e, IrValidator *x, IrValidator *y);

/* ---- bottom.c: errors ---- */
/* Formats: %v Ir*, %k kinds, %l label, %s C string, %S CueStr, %d int64, %a Ast*, %o Tok, %e Bottom*, %% */
Err *err_new(Eval *e, CuePos pos, const char *fmt, ...);
uint32_t err_sanitize(Eval *e, Err **at, uint32_t n); /* sorts, drops repetitions; returns how many are left */
void err_add_pos(Eval *e, Err *err, CuePos p);
void err_add_ir(Eval *e, Err *err, Ir *x);
void err_add_closed(Eval *e, Err *err, uint32_t def); /* where def and its containers came from */
Err *err_wrap(Eval *e, Err *outer, Err *inner);
Bottom *bottom_new(Eval *e, BottomCode code, Err *err);
Bottom *bottom_f(Eval *e, BottomCode code, const char *fmt, ...);            /* at the current place */
void eval_error(Eval *e, BottomCode code, CuePos pos, const char *fmt, ...); /* adds to e->errs */
void eval_add_bottom(Eval *e, Bottom *b);
Bottom *eval_take_err(Eval *e);
void bottom_append(Eval *e, Bottom *into, const Bottom *b);
CuePos err_main_pos(const Err *err);
Bottom *bottom_combine_any(Eval *e, Ir *x, Ir *y);
static inline Bottom *bottom_combine(Eval *e, Ir *x, Ir *y) { return x || y ? bottom_combine_any(e, x, y) : NULL; }
Bottom *bottom_wrap(Eval *e, Bottom *b, Err *outer); /* every error of b behind outer */
static inline bool bottom_incomplete(const Bottom *b) {
  return b && (b->code == BOTTOM_INCOMPLETE || b->code == BOTTOM_CYCLE);
}
void node_add_bottom(NodeState *n, Bottom *b);
void node_add_err(NodeState *n, Err *err);
void node_add_child_error(NodeState *n, Bottom *b);
void node_report_conflict(NodeState *n, Ir *x, Ir *y, uint32_t kx, uint32_t ky, uint32_t def_x, uint32_t def_y);
Bottom *vertex_report_field_error(Eval *e, Vertex *v, CuePos pos, Label l, bool cycle);
void vertex_report_absence(Eval *e, Vertex *v, CuePos pos, Label l); /* the same where nobody asks for the reason */
CueStr err_path(Eval *e, CueArena *a, const Err *err);
void bottom_init_cycle(Bottom *b);
CuePos ir_pos(const Ir *x);
CuePos eval_pos(const Eval *e);
bool is_cycle_placeholder(Eval *e, Ir *x);
Bottom *ir_bottom(Ir *x); /* x as a bottom, or NULL */

#endif
