/* arena.h - memory that dies together.
**
** Every object belongs to the arena that was passed to the function that made it. There
** is no free: an arena is released whole, or reset to a mark. Out of memory prints one
** line and exits, so no caller checks for NULL. An arena that would hold more than
** CUE_ARENA_LIMIT counts as out of memory: input that multiplies without end must not take
** the machine with it.
*/
#ifndef CUE_ARENA_H
#define CUE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#define CUE_ARENA_LIMIT ((size_t)6 << 30)

typedef struct CueArena CueArena;
typedef struct {
  void *chunk;
  size_t used;
} CueMark;

void cue_out_of_memory(void) __attribute__((noreturn)); /* the line and the exit, for owners of other memory */
CueArena *cue_arena_new(void);
void cue_arena_free(CueArena *a);
static inline void *cue_alloc(CueArena *a, size_t size);   /* zeroed, aligned to 8, never NULL */
void *cue_alloc_array(CueArena *a, size_t size, size_t n); /* checks size * n */
/* Grows a block from old to size bytes, in place when it is the newest one. */
void *cue_regrow(CueArena *a, void *p, size_t old, size_t size);
/* The same for a block nobody else points to: a large one is moved rather than copied. What is new is not cleared. */
void *cue_regrow_own(CueArena *a, void *p, size_t old, size_t size);
/* Gives back what a block has behind its first `size` bytes, if it is the newest one. Returns how many it has then. */
size_t cue_shrink(CueArena *a, void *p, size_t old, size_t size);
CueMark cue_arena_mark(CueArena *a);
void cue_arena_reset(CueArena *a, CueMark m);
size_t cue_arena_bytes(const CueArena *a); /* bytes handed out so far */

/* Private: what cue_alloc needs to be inlined. Memory from `at` to `end` is zero. */
struct CueArena {
  char *at, *end; /* of the newest chunk */
  char *last;     /* the newest small block, the one that can grow in place */
  struct Chunk *newest;
  struct Block *blocks;
  struct Chunk *spare;
  size_t next;
  size_t held; /* of the system's memory */
};
void *cue_alloc_slow(CueArena *a, size_t size);
/* With the address sanitizer every block is unpoisoned as it is handed out; gcc and clang say differently that it is on. */
#if defined(__SANITIZE_ADDRESS__)
#define CUE_ARENA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CUE_ARENA_ASAN 1
#endif
#endif
static inline void *cue_alloc(CueArena *a, size_t size) {
#if !defined(CUE_ARENA_ASAN)
  size_t need = (size + 7) & ~(size_t)7;
  if (size && need && need <= (size_t)(a->end - a->at)) {
    char *p = a->at;
    a->at = p + need;
    a->last = p;
    return p;
  }
#endif
  return cue_alloc_slow(a, size);
}

#define cue_new(a, T) ((T *)cue_alloc((a), sizeof(T)))
#define cue_array(a, T, n) ((T *)cue_alloc_array((a), sizeof(T), (n)))

/* A growing array in an arena: CUE_VEC(T) v = {0}; cue_push(a, &v, item). */
#define CUE_VEC(T) \
  struct {         \
    T *at;         \
    uint32_t n;    \
    uint32_t cap;  \
  }
#define cue_push(a, v, ...)                                                                                   \
  (((v)->n == (v)->cap ? (void)((v)->at = cue_vec_grow((a), (v)->at, &(v)->cap, sizeof *(v)->at)) : (void)0), \
   (v)->at[(v)->n++] = (__VA_ARGS__))
void *cue_vec_grow(CueArena *a, void *at, uint32_t *cap, size_t size); /* doubles *cap */
/* Room for exactly `want` items in all, if there is less. */
#define cue_reserve(a, v, want)                                                                           \
  ((v)->cap < (want)                                                                                      \
       ? (void)((v)->at = cue_regrow((a), (v)->at, (v)->cap * sizeof *(v)->at, (want) * sizeof *(v)->at), \
                (v)->cap = (want))                                                                        \
       : (void)0)

#endif
