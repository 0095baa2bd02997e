/* render.c - rendering, beside other tools: cold starts, fleets, large modules, compiling, matching.
**
**   bench-render [--rounds N] [--seconds S] [--quick] [--only W1,W3] [--write FILE] [--json FILE] [--samples FILE]
**                OPM CUE PEERS LIMIT MATCH
**
** PEERS is a folder with tools as bench/peers.sh installs them; those that are not there are left out.
** --write puts the tables between the markers "render" of FILE, --json a line for each row.
*/
#include "bench/render.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "tests/peer.h"

/* ---- contenders ---- */

static void add_words(Bench *b, Words *w, va_list ap) {
  for (const char *x; (x = va_arg(ap, const char *));) cue_push(b->a, w, x);
}

Contender contender(Bench *b, const char *name, const char *cwd, const char *program, ...) {
  Contender c = {.name = name, .cwd = cwd};
  va_list ap;
  cue_push(b->a, &c.argv, program);
  va_start(ap, program);
  add_words(b, &c.argv, ap);
  va_end(ap);
  return c;
}

void contender_env(Bench *b, Contender *c, const char *name, const char *value) {
  cue_push(b->a, &c->env, cue_strf(b->a, "%s=%s", name, value).s);
}

Contender opm_contender(Bench *b, OpmWay way, const char *cwd, ...) {
  static const char *const names[] = {"opm, evaluated", "opm, interpreted", "opm, compiled"};
  Contender c = {.name = names[way], .cwd = cwd};
  va_list ap;
  cue_push(b->a, &c.argv, b->opm);
  va_start(ap, cwd);
  add_words(b, &c.argv, ap);
  va_end(ap);
  if (way == OPM_EVALUATED) contender_env(b, &c, "OPM_PLANS", "none");
  contender_env(b, &c, "OPM_COMPILE", "never");
  /* A cache of their own, so that neither finds what was compiled for the other. */
  contender_env(b, &c, "XDG_CACHE_HOME",
                cue_strf(b->a, "%s/cache-%s", b->dir, way == OPM_COMPILED ? "full" : "empty").s);
  return c;
}

ProcResult run_contender(Bench *b, const Contender *c) {
  Words argv = {0}, env = {0};
  for (uint32_t i = 0; i < c->argv.n; i++) cue_push(b->a, &argv, c->argv.at[i]);
  for (uint32_t i = 0; i < c->env.n; i++) cue_push(b->a, &env, c->env.at[i]);
  cue_push(b->a, &argv, NULL);
  cue_push(b->a, &env, NULL);
  return proc_run(b->a, argv.at, (ProcOptions){.cwd = c->cwd, .env = env.at, .timeout = 600});
}

bool opm_has(Bench *b, const char *group, const char *command) {
  Contender c = contender(b, "opm", b->dir, b->opm, group, command, "--help", NULL);
  return run_contender(b, &c).exit == 0;
}

/* ---- results ---- */

Cost *bench_measure(Bench *b, const char *workload, const char *task, const Contenders *c, bool both) {
  Cost *costs = cue_array(b->a, Cost, c->n);
  Turns t = {.self = b->self,
             .dir = b->dir,
             .rounds = b->rounds,
             .seconds = b->seconds,
             .both = both,
             .samples = b->samples,
             .workload = workload};
  measure(b->a, &t, c->at, c->n, costs);
  for (uint32_t i = 0; i < c->n; i++) {
    Row r = {.workload = workload,
             .task = task,
             .tool = c->at[i].name,
             .cost = costs[i],
             .faster = costs[i].ms / costs[0].ms,
             .note = costs[i].failed ? "exits with an error" : ""};
    cue_push(b->a, &b->rows, r);
    printf("%-4s %-34s %-24s %9.3f ms  %7.1f MB  %7.2fx  %s\n", workload, task, r.tool, r.cost.ms, r.cost.mb, r.faster,
           r.note);
    fflush(stdout);
  }
  return costs;
}

bool bench_same(Bench *b, const char *what, CueStr ours, CueStr theirs, bool objects) {
  bool same = objects ? peer_same(b->a, ours, theirs) : cue_str_eq(ours, theirs);
  if (same) return true;
  printf("bench: %s: answers differ, not measured\n", what);
  b->wrong = true;
  return false;
}

void need(Bench *b, const char *workload, bool holds, CueStr what, CueStr measured, const char *required) {
  cue_push(b->a, &b->needs, (Need){workload, what, measured, cue_str(required), holds ? "yes" : "no"});
  printf("%-4s %.*s: %.*s (required %s): %s\n", workload, CUE_FMT(what), CUE_FMT(measured), required,
         holds ? "holds" : "does not hold");
}

void need_missing(Bench *b, const char *workload, CueStr what, const char *required) {
  cue_push(b->a, &b->needs, (Need){workload, what, CUE_STR(""), cue_str(required), "not there yet"});
  printf("%-4s %.*s: not there yet\n", workload, CUE_FMT(what));
}

/* ---- modules ---- */

const char *bench_module(Bench *b, const char *name, const char *as) {
  const char *to = cue_strf(b->a, "%s/%s", b->dir, as).s;
  dir_copy(cue_strf(b->a, "%s/bench/modules/%s", b->repo, name).s, to);
  return to;
}

bool bench_compile(Bench *b, const char *module, bool optimized) {
  if (!b->compiles) return false;
  Contender c = opm_contender(b, OPM_COMPILED, module, "mod", "compile", ".", optimized ? "--release" : NULL, NULL);
  ProcResult p = run_contender(b, &c);
  if (p.exit) printf("bench: opm mod compile fails in %s:\n%.*s", module, CUE_FMT(p.err));
  return p.exit == 0;
}

const char *bench_peer(Bench *b, const char *module, CueStr values) {
  const char *to = cue_strf(b->a, "%s-cue", module).s;
  dir_copy(module, to);
  CueValue input = peer_json(b->a, cue_strf(b->a, "{\"values\": %.*s}", CUE_FMT(values)));
  if (!peer_deps(b->a, to) || !peer_install(b->a, to, input)) proc_die("bench: no driver in %s", to);
  return to;
}

/* ---- tables ---- */

static void put_needs(Bench *b, CueBuf *out) {
  cue_buf_z(out, "| workload | what | measured | required | holds |\n|---|---|---|---|---|\n");
  for (uint32_t i = 0; i < b->needs.n; i++) {
    const Need *n = &b->needs.at[i];
    cue_buf_f(out, "| %s | %.*s | %.*s | %.*s | %s |\n", n->workload, CUE_FMT(n->what), CUE_FMT(n->measured),
              CUE_FMT(n->required), n->holds);
  }
}

static void put_rows(Bench *b, CueBuf *out) {
  cue_buf_z(
      out,
      "| workload | task | tool | median | 10th to 90th percentile | processor | memory | time, first row = 1 (95 %) | instructions |\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  for (uint32_t i = 0; i < b->rows.n; i++) {
    const Row *r = &b->rows.at[i];
    cue_buf_f(out, "| %s | %s | %s%s%s | %.2f ms | %.2f to %.2f | %.2f ms | %.1f MB | %.2f (%.2f to %.2f) | ",
              r->workload, r->task, r->tool, *r->note ? ": " : "", r->note, r->cost.ms, r->cost.low, r->cost.high,
              r->cost.user + r->cost.sys, r->cost.mb, r->faster, r->cost.faster_low, r->cost.faster_high);
    if (r->instructions) cue_buf_f(out, "%.2f million", (double)r->instructions / 1e6);
    cue_buf_z(out, " |\n");
  }
}

static CueStr tables(Bench *b) {
  CueBuf out = cue_buf(b->a);
  struct utsname host;
  uname(&host);
  double load = 0;
  if (getloadavg(&load, 1) != 1) load = 0;
  cue_buf_f(&out, "`%s` on %s %s, %ld cores; load %.1f at the end (1 is this bench itself%s).\n\n", b->program,
            host.sysname, host.machine, sysconf(_SC_NPROCESSORS_ONLN), load,
            load > 2 ? ": others were at work, so times are longer than they need be" : "");
  put_needs(b, &out);
  cue_buf_ch(&out, '\n');
  put_rows(b, &out);
  if (b->notes.n) cue_buf_ch(&out, '\n');
  for (uint32_t i = 0; i < b->notes.n; i++) cue_buf_f(&out, "- %.*s\n", CUE_FMT(b->notes.at[i]));
  return cue_buf_done(&out);
}

static CueStr json_lines(Bench *b) {
  CueBuf out = cue_buf(b->a);
  for (uint32_t i = 0; i < b->rows.n; i++) {
    const Row *r = &b->rows.at[i];
    cue_buf_f(&out,
              "{\"workload\": \"%s\", \"task\": \"%s\", \"tool\": \"%s\", \"rounds\": %u, \"ms\": %.4f, \"p10\": %.4f, "
              "\"p90\": %.4f, \"user_ms\": %.3f, \"sys_ms\": %.3f, \"mb\": %.2f, \"times_first\": %.3f, "
              "\"times_low\": %.3f, \"times_high\": %.3f, \"instructions\": %llu}\n",
              r->workload, r->task, r->tool, r->cost.rounds, r->cost.ms, r->cost.low, r->cost.high, r->cost.user,
              r->cost.sys, r->cost.mb, r->faster, r->cost.faster_low, r->cost.faster_high,
              (unsigned long long)r->instructions);
  }
  for (uint32_t i = 0; i < b->needs.n; i++) {
    const Need *n = &b->needs.at[i];
    cue_buf_f(&out, "{\"workload\": \"%s\", \"need\": ", n->workload);
    cue_emit_json_string(&out, n->what, false);
    cue_buf_z(&out, ", \"measured\": ");
    cue_emit_json_string(&out, n->measured, false);
    cue_buf_z(&out, ", \"required\": ");
    cue_emit_json_string(&out, n->required, false);
    cue_buf_f(&out, ", \"holds\": \"%s\"}\n", n->holds);
  }
  return cue_buf_done(&out);
}

/* ---- the program ---- */

static const struct {
  const char *name;
  void (*run)(Bench *b);
} workloads[] = {{"W1,W2", workload_cold},      {"W3", workload_fleet},           {"W4", workload_components},
                 {"W5", workload_values},       {"W7", workload_compile},         {"W8", workload_match},
                 {"W10", workload_adversarial}, {"libraries", workload_libraries}};

static bool wanted(const char *only, const char *name) {
  if (!only) return true;
  for (const char *at = name; *at; at += strcspn(at, ","), at += *at == ',') {
    size_t n = strcspn(at, ",");
    for (const char *o = only; *o; o += strcspn(o, ","), o += *o == ',')
      if (strcspn(o, ",") == n && strncmp(o, at, n) == 0) return true;
  }
  return false;
}

static const char *absolute(CueArena *a, const char *path) {
  char full[PATH_MAX];
  return realpath(path, full) ? cue_str_copy(a, cue_str(full)).s : NULL;
}

static const char *installed(Bench *b, const char *peers, const char *name, const char *version) {
  const char *path = absolute(b->a, cue_strf(b->a, "%s/%s-%s/%s", peers, name, version, name).s);
  if (!path) printf("bench: no %s %s: left out (make bench-peers installs it)\n", name, version);
  return path ? program_copy(b->a, path, b->dir) : NULL;
}

int main(int argc, char **argv) {
  int code;
  if (measure_child(argc, argv, &code)) return code;
  CueArena *a = cue_arena_new();
  Bench b = {.a = a, .rounds = 50, .seconds = 20};
  const char *only = NULL, *write = NULL, *json = NULL, *paths[5];
  int n = 0;
  for (int i = 1; i < argc; i++) {
    const char *next = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(argv[i], "--quick") == 0)
      b.quick = true, b.rounds = 5, b.seconds = 1;
    else if (strcmp(argv[i], "--rounds") == 0)
      b.rounds = (unsigned)strtoul(next, NULL, 10), i++;
    else if (strcmp(argv[i], "--seconds") == 0)
      b.seconds = strtod(next, NULL), i++;
    else if (strcmp(argv[i], "--only") == 0)
      only = next, i++;
    else if (strcmp(argv[i], "--write") == 0)
      write = next, i++;
    else if (strcmp(argv[i], "--json") == 0)
      json = next, i++;
    else if (strcmp(argv[i], "--samples") == 0)
      b.samples = next, i++;
    else if (n < 5)
      paths[n++] = argv[i];
    else
      n = 9;
  }
  if (n != 5) {
    fprintf(stderr,
            "usage: bench-render [--rounds N] [--seconds S] [--quick] [--only W1,W3] [--write FILE] [--json FILE]\n"
            "                    [--samples FILE] OPM CUE PEERS LIMIT MATCH\n");
    return 2;
  }
  b.self = absolute(a, "/proc/self/exe");
  b.repo = absolute(a, ".");
  b.program = paths[0];
  b.opm = absolute(a, paths[0]), b.cue = absolute(a, paths[1]), b.limit = absolute(a, paths[3]);
  b.match = absolute(a, paths[4]);
  if (!b.opm || !b.cue || !b.limit) proc_die("bench: opm, cue or limit is not there");
  b.dir = scratch_dir(a);
  b.opm = program_copy(a, b.opm, b.dir), b.cue = program_copy(a, b.cue, b.dir);
  b.limit = program_copy(a, b.limit, b.dir);
  b.kustomize = installed(&b, paths[2], "kustomize", "v5.7.1");
  b.helm = installed(&b, paths[2], "helm", "v3.18.6");
  b.jrsonnet = installed(&b, paths[2], "jrsonnet", "0.5.0-pre98");
  b.pkl = installed(&b, paths[2], "pkl", "0.30.2");
  const char *cache = cue_strf(a, "%s/catalog", b.dir).s;
  ProcResult made = proc_run(a, (const char *const[]){b.opm, "catalog", "extract", cache, NULL}, (ProcOptions){0});
  if (made.exit) proc_die("bench: opm catalog extract fails");
  if (b.samples) unlink(b.samples);
  b.compiles = opm_has(&b, "mod", "compile");
  for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++)
    if (wanted(only, workloads[i].name)) workloads[i].run(&b);
  dir_remove(b.dir);
  CueStr before, inside, behind;
  if (json) file_write(json, json_lines(&b));
  if (write && file_marked(a, write, "render", &before, &inside, &behind))
    file_write(write, cue_strf(a, "%.*s%.*s%.*s", CUE_FMT(before), CUE_FMT(tables(&b)), CUE_FMT(behind)));
  bool wrong = b.wrong;
  cue_arena_free(a);
  return wrong;
}
