/* measure.c - see measure.h. */
#include "bench/measure.h"

#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/proc.h"

enum { MOST = 12, MOST_WORDS = 64, MOST_ROUNDS = 200 };

/* ---- the child: `self --turns FILE` ---- */

/* The file has a line for everything: "rounds N", "repeat N" (processes for one sample of the contender that follows),
** "cpu N", then of each contender "cwd DIR", "env K=V", "arg WORD", and "end". */
typedef struct {
  char *cwd, *argv[MOST_WORDS], *env[MOST_WORDS];
  int nargs, nenv;
  unsigned repeat;
} Spawned;

typedef struct {
  double ms, user, sys;
  long kb;
  bool failed;
} Sample;

static double ms_of(struct timeval t) { return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3; }

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static bool spawn_one(const Spawned *s, Sample *x) {
  struct rusage use;
  int status;
  pid_t pid;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  double from = now_ms();
  bool ok = posix_spawn(&pid, s->argv[0], &files, NULL, s->argv, s->env) == 0 && wait4(pid, &status, 0, &use) == pid;
  x->ms += now_ms() - from;
  posix_spawn_file_actions_destroy(&files);
  if (!ok) return false;
  x->user += ms_of(use.ru_utime);
  x->sys += ms_of(use.ru_stime);
  if (use.ru_maxrss > x->kb) x->kb = use.ru_maxrss;
  x->failed |= !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  return true;
}

/* Some milliseconds that should always take the same time. */
static double control_loop(void) {
  double from = now_ms();
  volatile uint32_t x = 1;
  for (uint32_t i = 0; i < 2000000; i++) x = x * 1664525 + 1013904223;
  return now_ms() - from;
}

static int take_turns(const char *file) {
  static Spawned at[MOST]; /* once in a process that does nothing else */
  char line[8192];
  unsigned n = 0, rounds = 0;
  FILE *f = fopen(file, "r");
  if (!f) return 2;
  while (n < MOST && fgets(line, sizeof line, f)) {
    line[strcspn(line, "\n")] = 0;
    char *value = strchr(line, ' ');
    value = value ? value + 1 : line + strlen(line);
    if (strncmp(line, "rounds ", 7) == 0) rounds = (unsigned)strtoul(value, NULL, 10);
    if (strncmp(line, "repeat ", 7) == 0) at[n].repeat = (unsigned)strtoul(value, NULL, 10);
    if (strncmp(line, "cwd ", 4) == 0) at[n].cwd = strdup(value);
    if (strncmp(line, "env ", 4) == 0 && at[n].nenv < MOST_WORDS - 1) at[n].env[at[n].nenv++] = strdup(value);
    if (strncmp(line, "arg ", 4) == 0 && at[n].nargs < MOST_WORDS - 1) at[n].argv[at[n].nargs++] = strdup(value);
    if (strcmp(line, "end") == 0) n++;
    if (strncmp(line, "cpu ", 4) == 0) {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(strtoul(value, NULL, 10), &one);
      sched_setaffinity(0, sizeof one, &one);
    }
  }
  fclose(f);
  uint32_t seed = 12345;
  for (unsigned r = 0; r < rounds; r++) {
    unsigned order[MOST];
    for (unsigned i = 0; i < n; i++) order[i] = i;
    for (unsigned i = n; i > 1; i--) {
      seed = seed * 1664525 + 1013904223;
      unsigned k = (seed >> 8) % i, x = order[i - 1];
      order[i - 1] = order[k], order[k] = x;
    }
    double control = control_loop();
    for (unsigned i = 0; i < n; i++) {
      const Spawned *s = &at[order[i]];
      Sample x = {0};
      if (s->cwd && chdir(s->cwd) != 0) return 2;
      for (unsigned k = 0; k < s->repeat; k++)
        if (!spawn_one(s, &x)) return 2;
      printf("%u %u %.5f %.5f %.5f %.5f %ld %d\n", r, order[i], control, x.ms / s->repeat, x.user / s->repeat,
             x.sys / s->repeat, x.kb, x.failed);
    }
  }
  return 0;
}

bool measure_child(int argc, char **argv, int *code) {
  if (argc != 3 || strcmp(argv[1], "--turns") != 0) return false;
  *code = take_turns(argv[2]);
  return true;
}

/* ---- numbers ---- */

static int by_value(const void *x, const void *y) {
  double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

static double quantile(double *v, unsigned n, double q) { /* sorts v */
  qsort(v, n, sizeof *v, by_value);
  double at = q * (double)(n - 1);
  unsigned i = (unsigned)at;
  return i + 1 < n ? v[i] + (at - (double)i) * (v[i + 1] - v[i]) : v[i];
}

/* Ratio of the medians of y and x, resampled with replacement. */
static void ratio_interval(const double *x, const double *y, unsigned n, double *low, double *high) {
  enum { RESAMPLES = 2000 };
  double ratios[RESAMPLES], p[MOST_ROUNDS], q[MOST_ROUNDS];
  uint32_t seed = 99;
  for (int i = 0; i < RESAMPLES; i++) {
    for (unsigned k = 0; k < n; k++) {
      seed = seed * 1664525 + 1013904223;
      p[k] = x[(seed >> 8) % n];
      seed = seed * 1664525 + 1013904223;
      q[k] = y[(seed >> 8) % n];
    }
    ratios[i] = quantile(q, n, 0.5) / quantile(p, n, 0.5);
  }
  *low = quantile(ratios, RESAMPLES, 0.025);
  *high = quantile(ratios, RESAMPLES, 0.975);
}

double scaling_exponent(const double *n, const double *ms, uint32_t count, double fixed) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0, k = 0;
  for (uint32_t i = 0; i < count; i++) {
    double left = ms[i] - fixed;
    if (left <= 0.02 * ms[i]) continue; /* noise */
    double x = log(n[i]), y = log(left);
    sx += x, sy += y, sxx += x * x, sxy += x * y, k++;
  }
  return k < 2 ? NAN : (k * sxy - sx * sy) / (k * sxx - sx * sx);
}

/* ---- the parent ---- */

/* Below some milliseconds one process is too short to be told from another. */
static unsigned repeats(double ms) { return ms < 1 ? 8 : ms < 2.5 ? 4 : ms < 5 ? 2 : 1; }

static ProcResult turns(CueArena *a, const Turns *t, const Contender *at, uint32_t n, unsigned rounds,
                        const unsigned *repeat, const char *file) {
  CueBuf b = cue_buf(a);
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  cue_buf_f(&b, "rounds %u\n", rounds);
  if (!t->both && cores > 1) cue_buf_f(&b, "cpu %ld\n", cores - 1);
  for (uint32_t i = 0; i < n; i++) {
    cue_buf_f(&b, "repeat %u\ncwd %s\nenv PATH=%s\nenv HOME=%s\n", repeat[i], at[i].cwd, getenv("PATH"), at[i].cwd);
    for (uint32_t k = 0; k < at[i].env.n; k++) cue_buf_f(&b, "env %s\n", at[i].env.at[k]);
    for (uint32_t k = 0; k < at[i].argv.n; k++) cue_buf_f(&b, "arg %s\n", at[i].argv.at[k]);
    cue_buf_z(&b, "end\n");
  }
  file_write(file, cue_buf_done(&b));
  const char *argv[] = {t->self, "--turns", file, NULL};
  return proc_run(a, argv, (ProcOptions){.timeout = 1800});
}

static void put_sample(FILE *f, const Turns *t, const char *tool, unsigned round, const Sample *x) {
  fprintf(f,
          "{\"workload\": \"%s\", \"tool\": \"%s\", \"round\": %u, \"wall_ns\": %.0f, \"user_ns\": %.0f, "
          "\"sys_ns\": %.0f, \"maxrss_kb\": %ld}\n",
          t->workload, tool, round, x->ms * 1e6, x->user * 1e6, x->sys * 1e6, x->kb);
}

void measure(CueArena *a, const Turns *t, const Contender *at, uint32_t n, Cost *out) {
  static double ms[MOST][MOST_ROUNDS], user[MOST][MOST_ROUNDS], sys[MOST][MOST_ROUNDS], mb[MOST][MOST_ROUNDS];
  double control[MOST_ROUNDS], sorted[MOST_ROUNDS];
  if (n > MOST) proc_die("measure: too many contenders");
  const char *file = cue_strf(a, "%s/turns", t->dir).s;
  unsigned repeat[MOST] = {0}, round, who;
  double each = 0;
  for (uint32_t i = 0; i < n; i++) repeat[i] = 1;
  ProcResult p = turns(a, t, at, n, 1, repeat, file); /* to know how long they take; and the page cache is warm then */
  Sample x;
  int failed;
  const char *line = p.out.s;
  for (uint32_t i = 0; i < n; i++, line = strchr(line, '\n') + 1) {
    if (p.exit || sscanf(line, "%u %u %lf %lf", &round, &who, &control[0], &x.ms) != 4)
      proc_die("measure %s", at[0].name);
    repeat[who] = repeats(x.ms);
    each += x.ms * repeat[who] / 1e3 + 0.005 / n;
  }
  unsigned rounds = each * t->rounds > t->seconds ? (unsigned)(t->seconds / each) : t->rounds;
  if (rounds < 5) rounds = 5;
  if (rounds > MOST_ROUNDS) rounds = MOST_ROUNDS;
  p = turns(a, t, at, n, rounds, repeat, file);
  FILE *samples = t->samples ? fopen(t->samples, "a") : NULL;
  bool wrong[MOST] = {0};
  line = p.out.s;
  for (uint32_t i = 0; i < n * rounds; i++, line = strchr(line, '\n') + 1) {
    double c;
    if (sscanf(line, "%u %u %lf %lf %lf %lf %ld %d", &round, &who, &c, &x.ms, &x.user, &x.sys, &x.kb, &failed) != 8)
      proc_die("measure %s", at[0].name);
    control[round] = c;
    ms[who][round] = x.ms, user[who][round] = x.user, sys[who][round] = x.sys, mb[who][round] = (double)x.kb / 1024;
    wrong[who] |= failed != 0;
    if (samples) put_sample(samples, t, at[who].name, round, &x);
  }
  if (samples) fclose(samples);
  /* Rounds in which the machine did something else. */
  unsigned kept = 0, keep[MOST_ROUNDS];
  memcpy(sorted, control, sizeof *control * rounds);
  double usual = quantile(sorted, rounds, 0.5);
  for (unsigned r = 0; r < rounds; r++)
    if (control[r] < 1.15 * usual) keep[kept++] = r;
  for (uint32_t i = 0; i < n; i++) {
    double v[MOST_ROUNDS], first[MOST_ROUNDS];
#define KEPT(from) \
  for (unsigned k = 0; k < kept; k++) v[k] = (from)[keep[k]]
    KEPT(user[i]);
    out[i] = (Cost){.rounds = kept, .failed = wrong[i], .user = quantile(v, kept, 0.5)};
    KEPT(sys[i]);
    out[i].sys = quantile(v, kept, 0.5);
    KEPT(mb[i]);
    out[i].mb = quantile(v, kept, 0.5);
    KEPT(ms[i]);
    for (unsigned k = 0; k < kept; k++) first[k] = ms[0][keep[k]];
    ratio_interval(first, v, kept, &out[i].faster_low, &out[i].faster_high);
    out[i].low = quantile(v, kept, 0.1);
    out[i].ms = quantile(v, kept, 0.5);
    out[i].high = quantile(v, kept, 0.9);
#undef KEPT
  }
}

uint64_t instructions(CueArena *a, const Contender *c) {
  Words argv = {0}, env = {0};
  static const char *const how[] = {"/usr/bin/valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"};
  if (access(how[0], X_OK) != 0) return 0;
  cue_push(a, &argv, "/usr/bin/env");
  cue_push(a, &argv, "-i"); /* the size of the environment moves the stack */
  cue_push(a, &argv, "LC_ALL=C");
  for (uint32_t i = 0; i < c->env.n; i++) cue_push(a, &argv, c->env.at[i]);
  for (size_t i = 0; i < sizeof how / sizeof *how; i++) cue_push(a, &argv, how[i]);
  for (uint32_t i = 0; i < c->argv.n; i++) cue_push(a, &argv, c->argv.at[i]);
  cue_push(a, &argv, NULL);
  cue_push(a, &env, NULL);
  ProcResult p = proc_run(a, argv.at, (ProcOptions){.cwd = c->cwd, .timeout = 300, .env = env.at});
  ptrdiff_t at = cue_str_find(p.err, CUE_STR("Collected : "));
  return p.exit == 0 && at > 0 ? strtoull(p.err.s + at + 12, NULL, 10) : 0;
}
