/* arena.c - a bump allocator over chunks that double in size.
**
** Small blocks are cut from the newest chunk; a block over LARGE bytes gets memory of its
** own, so it never wastes the rest of a chunk. Both come from mmap: pages that are not used
** cost nothing, and are zero without being written to. A reset clears what it takes back: memory
** not handed out is always zero.
**
** An arena takes its first chunk when it is first used, and chunks of that size are not given back to the system but
** kept for the next arena: many live only as long as a function, and the last ones as long as the process.
**
** Invariants: chunk numbers rise with age; `used` of every chunk but the newest is final. A
** large block notes where the newest chunk stood when it was made and takes ALIGN bytes of
** that chunk, so that a mark always lies strictly before or after it.
** Under AddressSanitizer all memory that is not handed out is poisoned, and blocks are kept
** apart by a poisoned gap.
*/
#include "runtime/arena.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef CUE_ARENA_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(p, n) ASAN_POISON_MEMORY_REGION((p), (n))
#define UNPOISON(p, n) ASAN_UNPOISON_MEMORY_REGION((p), (n))
#define GAP 16
#else
#define POISON(p, n) ((void)(p), (void)(n))
#define UNPOISON(p, n) ((void)(p), (void)(n))
#define GAP 0
#endif

#define ALIGN ((size_t)8) /* nothing of ours needs more */
#define FIRST_CHUNK ((size_t)64 << 10)
#define LAST_CHUNK ((size_t)4 << 20)
#define LARGE ((size_t)32 << 10)
#define WINDOW ((size_t)64 << 10)
#define PAGE ((uintptr_t)4096)

typedef struct Chunk Chunk;
struct Chunk {
  Chunk *older;
  size_t number, size;
  size_t used; /* of chunks that are not the newest; of that one a->at tells */
  _Alignas(16) char mem[];
};

typedef struct Block Block;
struct Block {
  Block *older;
  size_t chunk, used; /* where the newest chunk stood */
  size_t size;
  _Alignas(16) char mem[];
};

void cue_out_of_memory(void) {
  fputs("out of memory\n", stderr);
  exit(2);
}

static void check_limit(const CueArena *a, size_t size) {
  if (size <= CUE_ARENA_LIMIT - a->held) return;
  fprintf(stderr, "out of memory: more than %zu GiB needed\n", CUE_ARENA_LIMIT >> 30);
  exit(2);
}

static void *get_zeroed(CueArena *a, size_t head, size_t size) {
  check_limit(a, size);
  void *p = mmap(NULL, head + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) cue_out_of_memory();
  a->held += size;
  return p;
}

/* ---- chunks that are kept for the next arena: `used` tells what of them is to be cleared ---- */

#define KEPT 8
static _Atomic(Chunk *) kept[KEPT];

static Chunk *take_kept(void) {
  for (int i = 0; i < KEPT; i++) {
    Chunk *c = atomic_load_explicit(&kept[i], memory_order_relaxed) ? atomic_exchange(&kept[i], NULL) : NULL;
    if (!c) continue;
    UNPOISON(c->mem, c->used);
    memset(c->mem, 0, c->used);
    POISON(c->mem, c->used);
    return c;
  }
  return NULL;
}

static bool keep(Chunk *c) {
  for (int i = 0; c->size == FIRST_CHUNK && i < KEPT; i++) {
    Chunk *none = NULL;
    if (atomic_compare_exchange_strong(&kept[i], &none, c)) return true;
  }
  return false;
}

/* ---- chunks ---- */

static size_t used_of(const CueArena *a, const Chunk *c) { return c == a->newest ? (size_t)(a->at - c->mem) : c->used; }

static Chunk *push_chunk(CueArena *a, size_t need) {
  Chunk *c;
  bool fresh = false;
  if (a->newest) a->newest->used = used_of(a, a->newest);
  if (a->spare && a->spare->size >= need) {
    c = a->spare;
    a->spare = NULL;
  } else {
    size_t size = need > a->next ? need : a->next;
    c = size == FIRST_CHUNK ? take_kept() : NULL;
    if (c) {
      a->held += size;
    } else {
      c = get_zeroed(a, sizeof *c, size);
      c->size = size;
      fresh = true;
      POISON(c->mem, c->size);
    }
    if (a->next < LAST_CHUNK) a->next *= 2;
  }
  c->older = a->newest;
  c->number = c->older ? c->older->number + 1 : 0;
  a->newest = c;
  a->at = c->mem;
  a->end = c->mem + (fresh && c->size > WINDOW ? 0 : c->size);
  return c;
}

/* Room for need bytes behind a->at. Of a large new chunk only a window is open: its pages are asked for together, which
** takes a third less than to meet them one by one. */
static void make_room(CueArena *a, size_t need) {
  Chunk *c = a->newest;
  char *limit = c ? c->mem + c->size : NULL;
  if (!c || (size_t)(limit - a->at) < need) {
    c = push_chunk(a, need);
    limit = c->mem + c->size;
    if ((size_t)(a->end - a->at) >= need) return;
  }
  char *to = (size_t)(limit - a->at) - need > WINDOW ? a->at + need + WINDOW : limit;
#ifdef MADV_POPULATE_WRITE
  uintptr_t from = ((uintptr_t)a->end + PAGE - 1) & ~(PAGE - 1), upto = (uintptr_t)to & ~(PAGE - 1);
  if (upto > from) (void)madvise((void *)from, upto - from, MADV_POPULATE_WRITE); /* older kernels refuse; no harm */
#endif
  a->end = to;
}

CueArena *cue_arena_new(void) {
  CueArena *a = calloc(1, sizeof *a);
  if (!a) cue_out_of_memory();
  a->next = FIRST_CHUNK;
  return a;
}

static void free_chunk(Chunk *c, size_t used) {
  c->used = used;
  POISON(c->mem, c->size); /* also if it is kept: whoever still uses what was in it is wrong */
  if (keep(c)) return;
  UNPOISON(c->mem, c->size);
  munmap(c, sizeof *c + c->size);
}

void cue_arena_free(CueArena *a) {
  if (!a) return;
  for (Chunk *c = a->newest, *older; c; c = older) {
    older = c->older;
    free_chunk(c, used_of(a, c));
  }
  for (Block *b = a->blocks, *older; b; b = older) {
    older = b->older;
    munmap(b, sizeof *b + b->size);
  }
  if (a->spare) free_chunk(a->spare, 0);
  free(a);
}

/* Takes mem[from, to) of the chunk back. */
static void close_range(Chunk *c, size_t from, size_t to) {
  UNPOISON(c->mem + from, to - from);
  memset(c->mem + from, 0, to - from);
  POISON(c->mem + from, to - from);
}

static void *alloc_large(CueArena *a, size_t size) {
  Block *b = get_zeroed(a, sizeof *b, size);
  if ((size_t)(a->end - a->at) < ALIGN) make_room(a, ALIGN);
  b->older = a->blocks;
  b->chunk = a->newest->number;
  b->used = used_of(a, a->newest);
  b->size = size;
  a->at += ALIGN;
  a->blocks = b;
  a->last = NULL;
  return b->mem;
}

void *cue_alloc_slow(CueArena *a, size_t size) {
  if (size > LARGE) return alloc_large(a, size);
  size_t need = ((size ? size : 1) + GAP + ALIGN - 1) & ~(ALIGN - 1);
  if ((size_t)(a->end - a->at) < need) make_room(a, need);
  char *p = a->at;
  UNPOISON(p, size);
  a->at += need;
  a->last = p;
  return p;
}

void *cue_alloc_array(CueArena *a, size_t size, size_t n) {
  if (size && n > SIZE_MAX / size) cue_out_of_memory();
  return cue_alloc(a, size * n);
}

void *cue_regrow(CueArena *a, void *p, size_t old, size_t size) {
  if (size <= old) return p;
  if (p && p == (void *)a->last && size <= LARGE) {
    size_t need = (size + GAP + ALIGN - 1) & ~(ALIGN - 1);
    if ((size_t)(a->end - (char *)p) >= need) {
      UNPOISON(p, size);
      a->at = (char *)p + need;
      return p;
    }
  }
  void *q = cue_alloc(a, size);
  if (old) memcpy(q, p, old);
  return q;
}

size_t cue_shrink(CueArena *a, void *p, size_t old, size_t size) {
  if (!p || p != (void *)a->last || size >= old) return old;
  size_t need = (size + GAP + ALIGN - 1) & ~(ALIGN - 1);
  char *end = (char *)p + need;
  if (end >= a->at) return old;
  UNPOISON(p, (size_t)(a->at - (char *)p));
  memset(end, 0, (size_t)(a->at - end));
  POISON((char *)p + size, (size_t)(a->at - (char *)p) - size);
  a->at = end;
  return size;
}

void *cue_regrow_own(CueArena *a, void *p, size_t old, size_t size) {
  if (size <= old || old <= LARGE || !a->blocks || p != (void *)a->blocks->mem) return cue_regrow(a, p, old, size);
  size_t more = size - a->blocks->size;
  check_limit(a, more);
  Block *b = mremap(a->blocks, sizeof *b + a->blocks->size, sizeof *b + size, MREMAP_MAYMOVE);
  if (b == MAP_FAILED) cue_out_of_memory();
  a->held += more;
  b->size = size;
  a->blocks = b;
  return b->mem;
}

CueMark cue_arena_mark(CueArena *a) {
  if (!a->newest) push_chunk(a, 0);
  a->last = NULL; /* a block from before the mark must not grow across it */
  return (CueMark){a->newest, used_of(a, a->newest)};
}

void cue_arena_reset(CueArena *a, CueMark m) {
  Chunk *target = m.chunk;
  while (a->blocks &&
         (a->blocks->chunk > target->number || (a->blocks->chunk == target->number && a->blocks->used >= m.used))) {
    Block *b = a->blocks;
    a->blocks = b->older;
    a->held -= b->size;
    munmap(b, sizeof *b + b->size);
  }
  while (a->newest != target) {
    Chunk *c = a->newest;
    assert(c && c->number > target->number);
    size_t used = used_of(a, c);
    a->newest = c->older;
    a->at = a->newest->mem + a->newest->used;
    if (a->spare && a->spare->size >= c->size) {
      a->held -= c->size;
      free_chunk(c, used);
    } else {
      if (a->spare) {
        a->held -= a->spare->size;
        free_chunk(a->spare, 0);
      }
      close_range(c, 0, used);
      a->spare = c;
    }
  }
  size_t used = used_of(a, target);
  assert(m.used <= used);
  close_range(target, m.used, used);
  a->at = target->mem + m.used;
  a->end = target->mem + target->size;
  a->last = NULL;
}

size_t cue_arena_bytes(const CueArena *a) {
  size_t n = 0;
  for (const Chunk *c = a->newest; c; c = c->older) n += used_of(a, c);
  for (const Block *b = a->blocks; b; b = b->older) n += b->size;
  return n;
}

void *cue_vec_grow(CueArena *a, void *at, uint32_t *cap, size_t size) {
  uint32_t old = *cap;
  if (old > UINT32_MAX / 2) cue_out_of_memory();
  /* Small arrays of large things are the rule: two conjuncts, three arcs. */
  uint32_t cap2 = old ? old * 2 : size >= 16 ? 2 : 4;
  if (size && cap2 > SIZE_MAX / size) cue_out_of_memory();
  *cap = cap2;
  return cue_regrow(a, at, old * size, cap2 * size);
}
