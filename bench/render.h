/* render.h - what the workloads of the rendering bench share.
**
** A workload is a function that lays out its inputs, has every contender answer once and compares the
** answers, and only then measures. What it finds are rows, and needs: numbers that are asked for, each with
** what was measured and whether it holds. A command that the program does not have (yet) makes its rows say
** so; nothing here knows which commands there are.
*/
#ifndef BENCH_RENDER_H
#define BENCH_RENDER_H

#include "bench/measure.h"
#include "bench/templates.h"
#include "tests/proc.h"

typedef struct {
  const char *workload; /* "W1" */
  const char *task;     /* "mod build, 1 component" */
  const char *tool;
  Cost cost;
  double faster;         /* how often contender 0 would be done meanwhile */
  uint64_t instructions; /* 0 if not counted */
  const char *note;      /* "" or what is to be known */
} Row;

typedef struct {
  const char *workload;
  CueStr what, measured, required;
  const char *holds; /* "yes", "no", "not there yet" */
} Need;

typedef struct {
  CueArena *a;
  const char *self, *opm, *cue, *limit, *match;  /* programs */
  const char *kustomize, *helm, *jrsonnet, *pkl; /* NULL where not installed */
  const char *program;                           /* opm as it was named: the ordinary build or the release */
  const char *repo;                              /* its root */
  const char *dir;                               /* scratch */
  const char *samples;
  unsigned rounds;
  double seconds; /* for one measurement */
  bool quick;     /* small inputs: to see that all works */
  bool wrong;     /* some answers differ */
  bool compiles;  /* opm has `mod compile` */
  CUE_VEC(Row) rows;
  CUE_VEC(Need) needs;
  CUE_VEC(CueStr) notes; /* sentences below the tables */
} Bench;

/* ---- contenders ---- */
typedef CUE_VEC(Contender) Contenders;
/* Words end with NULL. */
Contender contender(Bench *b, const char *name, const char *cwd, const char *program, ...);
void contender_env(Bench *b, Contender *c, const char *name, const char *value);
/* opm three ways: by the evaluator alone, as it comes, and with what `mod compile` left in the cache. */
typedef enum { OPM_EVALUATED, OPM_INTERPRETED, OPM_COMPILED } OpmWay;
Contender opm_contender(Bench *b, OpmWay way, const char *cwd, ...);

ProcResult run_contender(Bench *b, const Contender *c);
/* Whether `opm WORDS... --help` says that there is such a command. */
bool opm_has(Bench *b, const char *group, const char *command);

/* Measures and adds a row each; returns the costs. */
Cost *bench_measure(Bench *b, const char *workload, const char *task, const Contenders *c, bool both);
/* "" or an error that is printed: then nothing of this is measured. */
bool bench_same(Bench *b, const char *what, CueStr ours, CueStr theirs, bool objects);
void need(Bench *b, const char *workload, bool holds, CueStr what, CueStr measured, const char *required);
void need_missing(Bench *b, const char *workload, CueStr what, const char *required);

/* A folder below dir with the module of bench/modules in it. */
const char *bench_module(Bench *b, const char *name, const char *as);
/* Compiles a module into the cache; false if that cannot be done. */
bool bench_compile(Bench *b, const char *module, bool optimized);
/* A copy of the module that the real cue can render: for cue export ./opm_peer -e objects. */
const char *bench_peer(Bench *b, const char *module, CueStr values);

/* ---- workloads ---- */
void workload_cold(Bench *b);        /* W1, W2: render_cold.c */
void workload_fleet(Bench *b);       /* W3: render_fleet.c */
void workload_components(Bench *b);  /* W4: render_sizes.c */
void workload_values(Bench *b);      /* W5: render_sizes.c */
void workload_compile(Bench *b);     /* W7: render_compile.c */
void workload_match(Bench *b);       /* W8: render_compile.c */
void workload_adversarial(Bench *b); /* W10: render_sizes.c */
void workload_libraries(Bench *b);   /* what is loaded: render_cold.c */

#endif
