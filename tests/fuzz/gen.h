/* gen.h - random CUE programs, for comparing engines. */
#ifndef TESTS_FUZZ_GEN_H
#define TESTS_FUZZ_GEN_H

#include "runtime/str.h"

/* The program of a seed: always the same text for the same seed. Most programs evaluate to a value; some are
** incomplete or wrong on purpose. */
CueStr gen_program(CueArena *a, uint64_t seed);

/* The same without regard for types: few labels, many conjuncts, errors in most programs. wild.c */
CueStr gen_wild(CueArena *a, uint64_t seed);

#endif
