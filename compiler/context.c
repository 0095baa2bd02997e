/* context.c - the evaluator's state for a run, and the stack it runs on. */
#include "compiler/call.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

CueContext *cue_context_new(CueArena *a, CueFindPackage *find) {
  CueContext *c = cue_new(a, CueContext);
  c->a = a;
  c->sources = cue_new(a, CueSources);
  cue_sources_init(c->sources, a);
  c->labels = label_table_new(a);
  c->find_builtin = find;
  c->regexes = cue_regex_cache_new();

  Eval *e = c->eval = cue_new(a, Eval);
  e->ctx = c;
  e->a = a;
  e->scratch = cue_arena_new();
  e->labels = c->labels;
  e->env = &e->empty_env;
  e->stack_base = (char *)__builtin_frame_address(0);
  cue_push(a, &e->containments, (Containment){0}); /* id 0 is none */
  e->empty_node.kind = IR_VERTEX;
  e->empty_node.status = VERTEX_FINALIZED;
  e->empty_node.more = &vertex_no_more;
  e->top.kind = IR_TOP;
  e->struct_mark.kind = IR_STRUCT_MARK;
  e->true_ = (IrScalar){.kind = IR_SCALAR, .v = cue_bool(true)};
  e->false_ = (IrScalar){.kind = IR_SCALAR, .v = cue_bool(false)};
  bottom_init_cycle(&e->cycle);
  Err **one = cue_new(a, Err *);
  *one = err_new(e, 0, "cycle error");
  e->cycle.errs = one;
  e->cycle.nerrs = 1;
  e->missing.kind = e->forbidden.kind = IR_BOTTOM;
  e->no_share = *bottom_new(e, BOTTOM_EVAL, err_new(e, 0, "no sharing"));
  e->missing.code = BOTTOM_INCOMPLETE;
  e->forbidden.code = BOTTOM_EVAL;
  return c;
}

void cue_context_free(CueContext *c) {
  cue_regex_cache_free(c->regexes);
  cue_arena_free(c->eval->scratch);
}

/* ---- entry points that are not a vertex's own evaluation ---- */

Vertex *cue_eval_expr(Eval *e, Vertex *scope, Ir *x) {
  Env *env = scope ? env_new(e, NULL, scope) : &e->empty_env;
  Env *saved = e->env;
  Vertex *at = e->vertex;
  const Ast *src = e->src;
  e->env = env;
  e->vertex = scope;
  e->src = x->src;
  Vertex *v;
  if (scope) cue_finalize(e, scope);
  if (ir_is_resolver(x)) {
    /* A reference is the field itself: errors then name its path. */
    v = eval_resolve(e, x, (Flags){.status = VERTEX_FINALIZED, .cond = COND_ALL, .mode = RUN_FINALIZE});
    Bottom *err = eval_take_err(e);
    if (err)
      v = cue_vertex_of(e, (Ir *)err);
    else if (!v)
      v = cue_vertex_of(e, (Ir *)bottom_f(e, BOTTOM_EVAL, "unresolved value %v", x));
    else if (v->more->child_errors && v->more->child_errors->code == BOTTOM_STRUCTURAL_CYCLE)
      v = cue_vertex_of(e, (Ir *)v->more->child_errors);
    else
      v = vertex_deref_non_rooted(v);
  } else {
    Ir *r = eval_expr(e, x, (Flags){.status = VERTEX_PARTIAL, .cond = COND_SCALAR, .mode = RUN_FINALIZE});
    e->errs = NULL;
    if (!r) r = (Ir *)bottom_f(e, BOTTOM_INCOMPLETE, "cannot evaluate %v", x);
    v = cue_vertex_of(e, r);
  }
  e->src = NULL; /* what is found from here on has its own place */
  cue_finalize(e, v);
  e->env = saved;
  e->vertex = at;
  e->src = src;
  return v;
}

Vertex *cue_unify_vertices(Eval *e, Vertex *x, Vertex *y) {
  Vertex *at = e->vertex;
  CloseInfo ci = e->ci;
  e->vertex = x;
  e->ci = (CloseInfo){0};
  Vertex *v = eval_unify(e, (Ir *)x, (Ir *)y);
  e->vertex = at;
  e->ci = ci;
  return v;
}

/* ---- the stack ---- */

#define STACK_SIZE ((size_t)EVAL_STACK_LIMIT + (64u << 20))

typedef struct {
  int (*fn)(void *);
  void *arg;
  int rc;
} Job;

#if defined(CUE_ARENA_ASAN)
/* The address sanitizer must know all stacks: it knows those of threads. Signals are for the job, as if there were no
** other thread. */
typedef struct {
  Job job;
  sigset_t signals;
} Thread;

static void *run_job(void *p) {
  Thread *t = p;
  pthread_sigmask(SIG_SETMASK, &t->signals, NULL);
  t->job.rc = t->job.fn(t->job.arg);
  return NULL;
}

int cue_run_on_big_stack(int (*fn)(void *), void *arg) {
  Thread j = {.job = {fn, arg, 1}};
  pthread_attr_t attr;
  pthread_t t;
  sigset_t all;
  sigfillset(&all);
  pthread_attr_init(&attr);
  pthread_attr_setstacksize(&attr, STACK_SIZE);
  pthread_sigmask(SIG_SETMASK, &all, &j.signals);
  int failed = pthread_create(&t, &attr, run_job, &j);
  pthread_attr_destroy(&attr);
  if (!failed) pthread_join(t, NULL);
  pthread_sigmask(SIG_SETMASK, &j.signals, NULL);
  return failed ? fn(arg) : j.job.rc;
}
#else
/* The last stack is kept for the next job. Mostly there is none, and the end of the process is the cheapest way to free it. */
static _Atomic(char *) idle_stack;

static char *stack_new(void) {
  enum { GUARD = 64 << 10 };
  char *stack = atomic_exchange(&idle_stack, NULL);
  if (stack) return stack;
  stack =
      mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  return stack == MAP_FAILED || mprotect(stack, GUARD, PROT_NONE) ? NULL : stack;
}

static void stack_free(char *stack) {
  stack = atomic_exchange(&idle_stack, stack);
  if (stack) munmap(stack, STACK_SIZE);
}

/* Another stack for the same thread: to make a thread takes a tenth of a start. makecontext passes ints. */
static void run_job(unsigned high, unsigned low) {
  Job *j = (Job *)((uintptr_t)high << 32 | low);
  j->rc = j->fn(j->arg);
}

int cue_run_on_big_stack(int (*fn)(void *), void *arg) {
  Job j = {fn, arg, 1};
  uintptr_t p = (uintptr_t)&j;
  ucontext_t here, there;
  if (getcontext(&there)) return fn(arg);
  there.uc_stack.ss_sp = stack_new();
  if (!there.uc_stack.ss_sp) return fn(arg);
  there.uc_stack.ss_size = STACK_SIZE;
  there.uc_link = &here;
  makecontext(&there, (void (*)(void))run_job, 2, (unsigned)(p >> 32), (unsigned)p);
  if (swapcontext(&here, &there)) return fn(arg);
  stack_free(there.uc_stack.ss_sp);
  return j.rc;
}
#endif
