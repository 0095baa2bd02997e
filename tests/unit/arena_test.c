/* arena_test.c - memory that dies together. */
#include <fcntl.h>
#include <greatest.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/arena.h"
#ifdef CUE_ARENA_ASAN
#include <sanitizer/asan_interface.h>
#endif

SUITE(arena_suite);

TEST memory_is_zeroed_and_aligned(void) {
  CueArena *a = cue_arena_new();
  for (size_t n = 1; n < 3000; n += 7) {
    unsigned char *p = cue_alloc(a, n);
    ASSERT_EQ(0, (uintptr_t)p % 8);
    for (size_t i = 0; i < n; i++) ASSERT_EQ(0, p[i]);
    memset(p, 0xab, n);
  }
  cue_arena_free(a);
  PASS();
}

TEST memory_is_zeroed_again_after_reset(void) {
  CueArena *a = cue_arena_new();
  CueMark m = cue_arena_mark(a);
  memset(cue_alloc(a, 100), 0xff, 100);
  cue_arena_reset(a, m);
  unsigned char *p = cue_alloc(a, 100);
  for (int i = 0; i < 100; i++) ASSERT_EQ(0, p[i]);
  cue_arena_free(a);
  PASS();
}

TEST reset_gives_back_whole_chunks(void) {
  CueArena *a = cue_arena_new();
  CueMark m = cue_arena_mark(a);
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 100; i++) memset(cue_alloc(a, 100000), 1, 100000);
    cue_arena_reset(a, m);
  }
  cue_arena_free(a);
  PASS();
}

/* What an arena leaves behind may be what the next one begins with. */
TEST memory_is_zeroed_again_in_the_next_arena(void) {
  for (size_t n = 1; n < 200000; n *= 3)
    for (int round = 0; round < 3; round++) {
      CueArena *a = cue_arena_new(), *b = cue_arena_new();
      for (int i = 0; i < 20; i++) {
        unsigned char *p = cue_alloc(i % 2 ? a : b, n);
        for (size_t k = 0; k < n; k++) ASSERT_EQ(0, p[k]);
        memset(p, 0xff, n);
      }
      cue_arena_free(a);
      cue_arena_free(b);
    }
  PASS();
}

TEST an_arena_may_stay_empty(void) {
  CueArena *a = cue_arena_new();
  ASSERT_EQ(0, cue_arena_bytes(a));
  cue_arena_free(a);
  a = cue_arena_new();
  CueMark m = cue_arena_mark(a);
  cue_arena_reset(a, m);
  ASSERT_EQ(0, cue_arena_bytes(a));
  memset(cue_alloc(a, 100000), 1, 100000); /* a block of its own comes first */
  cue_arena_reset(a, m);
  ASSERT_EQ(0, cue_arena_bytes(a));
  cue_arena_free(a);
  PASS();
}

TEST regrow_keeps_what_was_there_and_zeroes_the_rest(void) {
  CueArena *a = cue_arena_new();
  char *p = cue_alloc(a, 8);
  memcpy(p, "abcdefg", 8);
  p = cue_regrow(a, p, 8, 64);
  (void)cue_alloc(a, 8);
  p = cue_regrow(a, p, 64, 4096);
  ASSERT_STR_EQ("abcdefg", p);
  for (int i = 8; i < 4096; i++) ASSERT_EQ(0, p[i]);
  cue_arena_free(a);
  PASS();
}

TEST vectors_grow_by_pushing(void) {
  CueArena *a = cue_arena_new();
  CUE_VEC(int) v = {0};
  for (int i = 0; i < 1000; i++) cue_push(a, &v, i);
  ASSERT_EQ(1000, v.n);
  for (int i = 0; i < 1000; i++) ASSERT_EQ(i, v.at[i]);
  cue_arena_free(a);
  PASS();
}

/* In a child, since it exits; what it says on the way is not for the reader of the tests. */
TEST more_than_the_limit_is_out_of_memory(void) {
  pid_t pid = fork();
  if (pid == 0) {
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    cue_alloc(cue_arena_new(), CUE_ARENA_LIMIT + 1);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(pid, waitpid(pid, &status, 0));
  ASSERT(WIFEXITED(status));
  ASSERT_EQ(2, WEXITSTATUS(status));
  PASS();
}

/* A chunk that is kept for the next arena is nobody's until then. */
TEST what_is_freed_is_poisoned(void) {
#ifdef CUE_ARENA_ASAN
  CueArena *a = cue_arena_new();
  char *p = cue_alloc(a, 100);
  ASSERT(!__asan_address_is_poisoned(p));
  cue_arena_free(a);
  ASSERT(__asan_address_is_poisoned(p));
  PASS();
#else
  SKIPm("only the address sanitizer knows");
#endif
}

SUITE(arena_suite) {
  RUN_TEST(what_is_freed_is_poisoned);
  RUN_TEST(memory_is_zeroed_and_aligned);
  RUN_TEST(memory_is_zeroed_again_after_reset);
  RUN_TEST(reset_gives_back_whole_chunks);
  RUN_TEST(memory_is_zeroed_again_in_the_next_arena);
  RUN_TEST(an_arena_may_stay_empty);
  RUN_TEST(regrow_keeps_what_was_there_and_zeroes_the_rest);
  RUN_TEST(vectors_grow_by_pushing);
  RUN_TEST(more_than_the_limit_is_out_of_memory);
}
