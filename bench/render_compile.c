/* render_compile.c - W7, W8: how long compiling takes; what matching costs for a pair. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/render.h"

/* Seconds a command takes; the median of three, for those that take too long for more. 0 if it fails. */
static double thrice(Bench *b, const Contender *c) {
  double s[3];
  for (int i = 0; i < 3; i++) {
    ProcResult p = run_contender(b, c);
    if (p.exit) printf("bench: %s fails:\n%.*s", c->name, CUE_FMT(p.err));
    if (p.exit) return 0;
    s[i] = p.seconds;
    if (b->quick) return s[0];
  }
  double low = s[0] < s[1] ? s[0] : s[1], high = s[0] < s[1] ? s[1] : s[0];
  return s[2] < low ? low : s[2] > high ? high : s[2];
}

/* Files are written each time: nothing of it comes from a cache. */
static void compile_provider(Bench *b) {
  CueArena *a = b->a;
  CueStr changed = CUE_STR("changed transformer to usable .so (the whole provider, tier 0)"),
         whole = CUE_STR("whole provider, optimized");
  if (!opm_has(b, "provider", "compile")) {
    need_missing(b, "W7", changed, "500 ms");
    need_missing(b, "W7", whole, "10 s");
    return;
  }
  Contenders all = {0};
  Contender fast = opm_contender(b, OPM_COMPILED, b->dir, "provider", "compile", "-o", "fast.so", NULL);
  fast.name = "opm provider compile";
  cue_push(a, &all, fast);
  Cost *c = bench_measure(b, "W7", "provider, tier 0", &all, true);
  need(b, "W7", !c[0].failed && c[0].ms < 500, changed, cue_strf(a, "%.0f ms", c[0].ms), "500 ms");
  Contender slow = opm_contender(b, OPM_COMPILED, b->dir, "provider", "compile", "--release", "-o", "slow.so", NULL);
  double seconds = thrice(b, &slow);
  need(b, "W7", seconds > 0 && seconds<10, whole, seconds> 0 ? cue_strf(a, "%.1f s", seconds) : CUE_STR("it fails"),
       "10 s");
}

void workload_compile(Bench *b) {
  CueArena *a = b->a;
  compile_provider(b);
  if (!b->compiles) return;
  const char *module = bench_module(b, "shop", "compiled-shop");
  Contenders all = {0};
  for (int tier = 0; tier < 2; tier++) {
    Contender c = opm_contender(b, OPM_COMPILED, module, "mod", "compile", ".", "-o", "../shop.so",
                                tier ? "--release" : NULL, NULL);
    c.name = tier ? "opm mod compile --release" : "opm mod compile";
    cue_push(a, &all, c);
  }
  Cost *c = bench_measure(b, "W7", "module of 5 components", &all, true);
  double evaluated = 0, compiled = 0;
  for (uint32_t i = 0; i < b->rows.n; i++) {
    if (strcmp(b->rows.at[i].workload, "W2") != 0) continue;
    if (strcmp(b->rows.at[i].tool, "opm, evaluated") == 0) evaluated = b->rows.at[i].cost.ms;
    if (strcmp(b->rows.at[i].tool, "opm, compiled") == 0) compiled = b->rows.at[i].cost.ms;
  }
  if (compiled > 0 && evaluated > compiled)
    cue_push(
        a, &b->notes,
        cue_strf(
            a, "W7: compiling a module of 5 components pays for itself after %.0f renders (tier 0), %.0f if optimized.",
            c[0].ms / (evaluated - compiled), c[1].ms / (evaluated - compiled)));
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
