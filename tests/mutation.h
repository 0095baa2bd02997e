/* mutation.h - data with one thing wrong, or merely different, in it. */
#ifndef TESTS_MUTATION_H
#define TESTS_MUTATION_H

#include "runtime/value.h"

/* What can happen to a field or an element. Not everything can happen to everything. */
typedef enum {
  MUTATION_DELETED,
  MUTATION_RENAMED, /* a field, to a name that nobody knows */
  MUTATION_EMPTY,   /* "", 0, false, [], {} */
  MUTATION_NULL,
  MUTATION_RETYPED, /* "x" to 7, 8 to "8", true to "true", {a: 1} to [1], [1] to {"0": 1} */
  MUTATION_FLAT,    /* structs and lists to a string, ints to a float, strings to true */
  MUTATION_WRAPPED, /* x to [x] */
  MUTATION_ODD,     /* a value of the same type that bounds and patterns may not like */
  MUTATION_LONGER,  /* a struct with one more field, a list with one more element */
  MUTATION_TURNED,  /* fields or elements in the opposite order */
  MUTATION_COUNT
} MutationKind;

typedef struct {
  uint32_t place; /* the place-th value below the root, from 1, in the order of writing; 0 is the root itself */
  MutationKind kind;
} Mutation;
typedef CUE_VEC(Mutation) Mutations;

/* All that change v. At the root only what leaves it a struct. */
Mutations mutations_of(CueArena *a, CueValue v);
CueValue mutation_apply(CueArena *a, CueValue v, Mutation m);
/* "spec.container.image retyped" */
CueStr mutation_text(CueArena *a, CueValue v, Mutation m);

/* At most n of them, any ones, by the seed; the order stays. */
void mutations_sample(Mutations *m, uint32_t n, uint64_t *seed);

#endif
