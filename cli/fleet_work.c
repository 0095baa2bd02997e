/* fleet_work.c - workers: each reads a block, renders it, and sees to it that what is done is put out.
**
** There is a lock on the input, so that blocks are numbered as they are read, and one on what is done.
** A worker that has finished a block leaves it there; the one that leaves the next in order puts out all
** that follow without a gap, outside of the lock, while the others go on. There are only so many blocks:
** who finds none free waits, and the holder of the oldest never does.
**
** How many items a block has depends on how long they take: few, so that all workers have something to
** do and what is done is soon seen; many, so that locks cost nothing beside the work.
*/
#include <signal.h>
#include <time.h>

#include "cli/fleet.h"

enum { BLOCKS_EACH = 3, MOST_ITEMS = 128 };

typedef struct {
  const FleetOptions *o;
  FleetReader *in;
  FleetPutter *out;
  FleetModules *modules;
  pthread_mutex_t reading, lock;
  pthread_cond_t freed;
  /* with `reading` */
  uint64_t read; /* blocks */
  bool over;
  /* with `lock` */
  FleetBlock *idle;
  FleetBlock **waiting; /* by number, modulo how many there are */
  unsigned nblocks;
  uint64_t put; /* blocks */
  bool putting;
  bool shut; /* nothing more is put */
  atomic_bool stop;
} Work;

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

bool fleet_interrupted(void) {
  sigset_t set;
  return sigpending(&set) == 0 && (sigismember(&set, SIGINT) || sigismember(&set, SIGTERM));
}

Run fleet_run(const FleetOptions *o, CueContext *c, CueBuf *err) {
  Run r = *o->apart;
  r.a = c->a;
  r.c = c;
  r.out = NULL;
  r.err = err;
  r.replaced.cap = r.replaced.n; /* what is added goes to memory of its own */
  return r;
}

/* ---- blocks ---- */

static FleetBlock *block_new(void) {
  CueArena *keep = cue_arena_new();
  FleetBlock *b = cue_new(keep, FleetBlock);
  b->keep = keep;
  b->a = cue_arena_new();
  b->empty = cue_arena_mark(b->a);
  b->text = cue_buf(keep);
  b->out = cue_buf(keep);
  b->err = cue_buf(keep);
  return b;
}

static void block_free(FleetBlock *b) {
  cue_arena_free(b->a);
  cue_arena_free(b->keep);
}

/* Buffers keep their room; what is in the arena goes. */
static void block_empty(FleetBlock *b) {
  b->text.n = b->out.n = b->err.n = 0;
  b->items.at = NULL, b->items.n = b->items.cap = 0;
  b->done.at = NULL, b->done.n = b->done.cap = 0;
  b->files.at = NULL, b->files.n = b->files.cap = 0;
  b->warnings.at = NULL, b->warnings.n = b->warnings.cap = 0;
  cue_arena_reset(b->a, b->empty);
}

static FleetBlock *take_idle(Work *w) {
  pthread_mutex_lock(&w->lock);
  while (!w->idle) pthread_cond_wait(&w->freed, &w->lock);
  FleetBlock *b = w->idle;
  w->idle = b->next;
  pthread_mutex_unlock(&w->lock);
  return b;
}

static void give_back(Work *w, FleetBlock *b) { /* with the lock */
  b->next = w->idle;
  w->idle = b;
  pthread_cond_signal(&w->freed);
}

static bool read_block(Work *w, FleetBlock *b, uint32_t most) {
  pthread_mutex_lock(&w->reading);
  if (fleet_interrupted()) atomic_store(&w->stop, true);
  if (atomic_load(&w->stop)) w->over = true;
  if (!w->over) w->over = !fleet_next(w->in, b, most);
  bool got = !w->over;
  if (got) b->number = w->read++;
  pthread_mutex_unlock(&w->reading);
  return got;
}

/* Leaves a block; puts out all that are next. */
static void put_blocks(Work *w, FleetBlock *b) {
  pthread_mutex_lock(&w->lock);
  w->waiting[b->number % w->nblocks] = b;
  while (!w->putting && (b = w->waiting[w->put % w->nblocks])) {
    w->putting = true;
    w->waiting[w->put % w->nblocks] = NULL;
    bool shut = w->shut;
    pthread_mutex_unlock(&w->lock);
    /* When the user stops, a block may be short: what is in it is put out, and nothing behind it. */
    if (!shut) shut = !fleet_put(w->out, b) || b->done.n < b->items.n;
    if (shut) atomic_store(&w->stop, true);
    block_empty(b);
    pthread_mutex_lock(&w->lock);
    w->shut = shut;
    w->putting = false;
    w->put++;
    give_back(w, b);
  }
  pthread_mutex_unlock(&w->lock);
}

/* ---- workers ---- */

static int work(void *arg) {
  Work *w = arg;
  FleetWorker *worker = fleet_worker_new(w->o, w->modules);
  uint32_t most = 1;
  for (;;) {
    FleetBlock *b = take_idle(w);
    if (!read_block(w, b, most)) {
      pthread_mutex_lock(&w->lock);
      give_back(w, b);
      pthread_mutex_unlock(&w->lock);
      break;
    }
    double from = seconds();
    fleet_render(worker, b, &w->stop);
    double took = seconds() - from;
    if (took < 0.001 && most < MOST_ITEMS) most *= 2;
    if (took > 0.02 && most > 1) most /= 2;
    put_blocks(w, b);
  }
  fleet_worker_free(worker);
  return 0;
}

static void *work_in_thread(void *arg) {
  cue_run_on_big_stack(work, arg);
  return NULL;
}

FleetEnd fleet_work(const FleetOptions *o, FleetReader *in, FleetPutter *out) {
  CueArena *a = o->r->a;
  Work w = {.o = o, .in = in, .out = out, .modules = fleet_modules_new(o)};
  pthread_t *threads = cue_array(a, pthread_t, o->jobs);
  unsigned started = 0;
  pthread_mutex_init(&w.reading, NULL);
  pthread_mutex_init(&w.lock, NULL);
  pthread_cond_init(&w.freed, NULL);
  w.nblocks = o->jobs * BLOCKS_EACH;
  w.waiting = cue_array(a, FleetBlock *, w.nblocks);
  for (unsigned i = 0; i < w.nblocks; i++) {
    FleetBlock *b = block_new();
    b->next = w.idle;
    w.idle = b;
  }
  while (started + 1 < o->jobs && pthread_create(&threads[started], NULL, work_in_thread, &w) == 0) started++;
  work(&w);
  for (unsigned i = 0; i < started; i++) pthread_join(threads[i], NULL);
  for (FleetBlock *b = w.idle, *next; b; b = next) {
    next = b->next;
    block_free(b);
  }
  fleet_modules_free(w.modules);
  pthread_cond_destroy(&w.freed);
  pthread_mutex_destroy(&w.lock);
  pthread_mutex_destroy(&w.reading);
  if (fleet_interrupted()) return FLEET_INTERRUPTED;
  return w.shut ? FLEET_STOPPED : FLEET_DONE;
}
