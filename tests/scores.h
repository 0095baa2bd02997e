/* scores.h - what the conformance runner counts, and the tables made of it. */
#ifndef TESTS_SCORES_H
#define TESTS_SCORES_H

#include <stdio.h>

#include "runtime/str.h"

#define LEVELS(X)                                                                          \
  X(VALUE, "value")       /* JSON of the whole and of each field */                        \
  X(EQ, "eq")             /* JSON of what an eq assertion names */                         \
  X(VERDICT, "verdict")   /* value, incomplete or error, of the whole and of each field */ \
  X(ERR, "err")           /* the same of err and kind assertions */                        \
  X(CLOSED, "closed")     /* closed and allows assertions */                               \
  X(ORDER, "order")       /* exact output */                                               \
  X(CODE, "code")         /* the code of err assertions */                                 \
  X(MESSAGE, "message")   /* first line, where the verdict is right */                     \
  X(CONTAINS, "contains") /* what the message of an err assertion must have */             \
  X(SCRIPT, "script")     /* steps of scripts */                                           \
  X(STDOUT, "stdout")     /* those of export, eval and vet whose output is given */        \
  X(ALIVE, "alive")       /* questions answered without a crash and in time */
typedef enum {
#define X(name, text) LEVEL_##name,
  LEVELS(X)
#undef X
      LEVEL_COUNT
} Level;

typedef struct {
  CueStr name; /* of the folder */
  unsigned ok[LEVEL_COUNT], all[LEVEL_COUNT];
} Row;

typedef struct {
  CueArena *a;
  CUE_VEC(Row *) rows;
  Row all;
} Table;

/* Adds what a worker wrote: "case ID" lines, each followed by lines of level, 0 or 1, and what was asked, wanted and got. With
** `list`, prints those that are 0. */
void table_count(Table *t, FILE *f, bool list);
CueStr table_text(Table *t); /* in Markdown: the levels of the issue, then each folder */
/* How many numbers of `now` are lower than in `committed`, both texts of tables; prints each. */
unsigned table_fallen(CueStr committed, CueStr now);

/* Cuts the first line off rest; false at the end. */
bool next_line(CueStr *rest, CueStr *line);

#endif
