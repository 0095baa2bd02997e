/* measure.h - programs started in turns, and what they cost.
**
** All contenders of a measurement take turns, in an order that is shuffled anew in each round, so that
** whatever else the machine does hits all of them. A round begins with a loop that always does the
** same; rounds in which that took much longer than usual are left out. Everything is started by
** posix_spawn from a process that has next to no memory, for the kernel counts what a process was
** before exec as its memory, too. Output goes to /dev/null.
*/
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "tests/script.h"

typedef struct {
  const char *name; /* "opm, compiled" */
  const char *cwd;
  Words argv, env; /* env: additions, "K=V" */
} Contender;

typedef struct {
  double ms, low, high;           /* wall clock: median, 10th and 90th percentile */
  double user, sys;               /* milliseconds, medians */
  double mb;                      /* the largest resident set, median */
  double faster_low, faster_high; /* how many times faster contender 0 is: an interval of 95 % by 2,000 resamples */
  unsigned rounds;                /* that count */
  bool failed;                    /* it exited with something else than 0 */
} Cost;

typedef struct {
  const char *self; /* this program */
  const char *dir;  /* for a file of its own */
  unsigned rounds;
  double seconds;       /* about that long at most, but at least five rounds */
  bool both;            /* may use all cores; otherwise pinned to the last one */
  const char *samples;  /* file that gets a line of JSON for every sample, or NULL */
  const char *workload; /* for these lines */
} Turns;

void measure(CueArena *a, const Turns *t, const Contender *at, uint32_t n, Cost *out);

/* How `self` is started again to do so: true if these are its arguments; then *code is what to exit with. */
bool measure_child(int argc, char **argv, int *code);

/* Instructions that callgrind counts; 0 if there is no valgrind, or the program fails. */
uint64_t instructions(CueArena *a, const Contender *c);

/* The power of n with which `ms` grows: the slope of a line through the logarithms of what is left without the fixed cost
** of the smallest. */
double scaling_exponent(const double *n, const double *ms, uint32_t count, double fixed);

#endif
