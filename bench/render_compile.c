/* render_compile.c - W7, W8: how long compiling takes; what matching costs for a pair. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/render.h"

void workload_compile(Bench *b) {
  CueArena *a = b->a;
  const char *dir = cue_strf(a, "%s/compile", b->dir).s;
  file_write(cue_strf(a, "%s/here", dir).s, CUE_STR(""));
  if (!opm_has(b, "provider", "compile")) {
    need_missing(b, "W7", CUE_STR("changed transformer to usable .so"), "500 ms");
    need_missing(b, "W7", CUE_STR("whole provider"), "10 s");
  }
  if (!b->compiles) return;
  const char *module = bench_module(b, "shop", "compiled-shop");
  Contenders all = {0};
  Contender c = opm_contender(b, OPM_COMPILED, module, "mod", "compile", ".", NULL);
  c.name = "opm mod compile, 5 components";
  cue_push(a, &all, c);
  bench_measure(b, "W7", "module", &all, true);
}

/* One grid, measured by the program that has the matcher in it. */
static bool match(Bench *b, const char *components, const char *transformers, double *bits, double *names) {
  Contender c = contender(b, "match", b->dir, b->match, components, transformers, NULL);
  ProcResult p = run_contender(b, &c);
  if (p.exit == 0 &&
      sscanf(p.out.s,
             "{\"name\": \"matching\", \"components\": %*u, \"transformers\": %*u, \"ns_per_pair\": %lf, "
             "\"ns_per_pair_by_name\": %lf",
             bits, names) == 2)
    return true;
  printf("bench: match fails:\n%.*s", CUE_FMT(p.err));
  b->wrong = true;
  return false;
}

void workload_match(Bench *b) {
  CueArena *a = b->a;
  CueStr what = CUE_STR("matching, nanoseconds a pair at 1,000 x 200");
  if (!b->match) {
    need_missing(b, "W8", what, "5");
    return;
  }
  static const char *const grids[][2] = {{"10", "10"}, {"100", "60"}, {"1000", "200"}, {"10000", "1000"}};
  for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
    double bits, names;
    if (!match(b, grids[i][0], grids[i][1], &bits, &names)) return;
    if (i == 2) need(b, "W8", bits < 5, what, cue_strf(a, "%.2f", bits), "5");
    cue_push(a, &b->notes,
             cue_strf(a, "W8: %s components, %s transformers: %.2f ns a pair; comparing names takes %.2f.", grids[i][0],
                      grids[i][1], bits, names));
  }
}
