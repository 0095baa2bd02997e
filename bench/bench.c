/* bench.c - time and memory of opm beside the real cue's, on the same inputs.
**
**   bench [--rounds N] [--only TEXT] [--write FILE] [--json FILE] OPM CUE CASES
**   bench --train OPM ...            only runs OPM on the cases, to record a profile of it
**   bench --inputs DIR               only writes the inputs that are made here
**
** Every case is first answered by both and the answers are compared: a wrong answer is not
** timed. Then the two take turns, so that whatever else the machine does hits both. Times are
** wall clock of the whole process, medians over the rounds; memory is the median of the largest
** resident set. --write puts the table between the markers of FILE, --json one line a case.
**
** Cases: `export` on one line, for start-up; on a schema of 2,000 lines with 200 instances; on the
** `benchmarks` archives of the conformance suite in CASES (left out if it is not there); on n items
** through a comprehension with a definition, for three n. `mod build` on modules of n components,
** beside cue's export of the driver in tests/peer, which does the same work; there the objects are
** compared, whatever their order.
*/
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <yyjson.h>

#include "tests/peer.h"
#include "tests/proc.h"

typedef struct {
  const char *name, *dir;
  const char *args[40]; /* after `export`, NULL-terminated */
  unsigned components;  /* of a module to build; 0 for an export */
} Bench;

typedef struct {
  double ms;
  double mb;
} Cost;

typedef struct {
  Bench b;
  bool same;
  const char *verdict; /* of the reference: "value" or "error" */
  unsigned rounds;
  Cost ours, theirs;
} Measured;

typedef struct {
  CueArena *a;
  const char *self, *opm, *cue, *dir, *only;
  unsigned rounds;
  CUE_VEC(Bench) cases;
  CUE_VEC(Measured) results;
} Run;

/* ---- inputs -------------------------------------------------------------------------------------- */

static void add_text(Run *r, const char *name, CueStr text) {
  CueStr file = cue_strf(r->a, "%s.cue", name);
  for (size_t i = 0; i < file.n; i++)
    if (file.s[i] == ' ' || file.s[i] == ',') ((char *)(uintptr_t)file.s)[i] = '_';
  file_write(cue_strf(r->a, "%s/%s", r->dir, file.s).s, text);
  cue_push(r->a, &r->cases, (Bench){.name = name, .dir = r->dir, .args = {file.s}});
}

/* 100 definitions of 20 lines, 200 instances of them. */
static CueStr schema(CueArena *a) {
  CueBuf b = cue_buf(a);
  for (int i = 0; i < 100; i++) {
    cue_buf_f(&b, "#Service%d: {\n", i);
    cue_buf_f(&b, "\tname:      string & =~\"^[a-z][a-z0-9-]*$\"\n");
    cue_buf_f(&b, "\tkind:      \"Service%d\"\n", i);
    cue_buf_f(&b, "\treplicas:  *%d | (int & >0 & <=100)\n", i % 9 + 1);
    cue_buf_f(&b, "\tport:      *%d | (int & >1024 & <65536)\n", 8000 + i);
    cue_buf_f(&b, "\tprotocol:  *\"http\" | \"grpc\" | \"tcp\"\n");
    cue_buf_f(&b, "\taddress:   \"\\(protocol)://\\(name):\\(port)\"\n");
    cue_buf_f(&b, "\tlabels: [string]: string\n");
    cue_buf_f(&b, "\tlabels: {\n\t\tapp:  name\n\t\ttier: *\"back\" | \"front\"\n\t}\n");
    cue_buf_f(&b, "\tresources: {\n\t\tcpu:    *\"100m\" | string\n\t\tmemory: *\"128Mi\" | string\n");
    cue_buf_f(&b, "\t\tif replicas > 5 {\n\t\t\tburst: true\n\t\t}\n\t}\n");
    cue_buf_f(&b, "\tenv?: [...{name: string, value: string}]\n}\n");
  }
  for (int i = 0; i < 200; i++) {
    cue_buf_f(&b, "services: svc%d: #Service%d & {\n\tname: \"svc-%d\"\n", i, i % 100, i);
    if (i % 2) cue_buf_f(&b, "\treplicas: %d\n", i % 20 + 1);
    if (i % 3 == 0) cue_buf_f(&b, "\tprotocol: \"grpc\"\n\tlabels: owner: \"team-%d\"\n", i % 7);
    if (i % 4 == 0) cue_buf_f(&b, "\tenv: [{name: \"A\", value: \"%d\"}, {name: \"B\", value: name}]\n", i);
    cue_buf_f(&b, "}\n");
  }
  return cue_buf_done(&b);
}

static CueStr items(CueArena *a, int n) {
  CueBuf b = cue_buf(a);
  cue_buf_z(
      &b,
      "import \"list\"\n\n#Item: {\n\tid:     int\n\tname:   string\n\tlabel:  \"\\(name)-\\(id)\"\n\tweight: *1 | int\n\tif id > 50 {\n\t\tlarge: true\n\t}\n}\n\n");
  cue_buf_f(
      &b, "items: {\n\tfor i in list.Range(0, %d, 1) {\n\t\t\"item\\(i)\": #Item & {id: i, name: \"n\\(i)\"}\n\t}\n}\n",
      n);
  return cue_buf_done(&b);
}

/* The suite's own benchmarks, as case.json says they are run. */
static void add_archives(Run *r, const char *cases) {
  CueStr text;
  if (!file_read(r->a, cue_strf(r->a, "%s/cases.txt", cases).s, &text)) {
    printf("bench: no %s, its benchmarks are left out\n", cases);
    return;
  }
  for (size_t i = 0, from = 0; i < text.n; i++) {
    if (text.s[i] != '\n') continue;
    CueStr id = cue_str_sub(text, from, i), json;
    from = i + 1;
    if (!cue_str_has_prefix(id, CUE_STR("eval/benchmarks/"))) continue;
    Bench b = {.name = cue_strf(r->a, "benchmarks/%.*s", (int)id.n - 16, id.s + 16).s,
               .dir = cue_strf(r->a, "%s/%.*s/in", cases, CUE_FMT(id)).s};
    if (!file_read(r->a, cue_strf(r->a, "%s/%.*s/case.json", cases, CUE_FMT(id)).s, &json)) continue;
    yyjson_doc *doc = yyjson_read(json.s, json.n, 0);
    yyjson_val *v;
    size_t k, n;
    yyjson_arr_foreach(yyjson_obj_get(yyjson_doc_get_root(doc), "args"), k, n, v) if (k < 39) b.args[k] =
        cue_str_copy(r->a, cue_str(yyjson_get_str(v))).s;
    yyjson_doc_free(doc);
    cue_push(r->a, &r->cases, b);
  }
}

/* Components as those of a shop: 4 transformers match each, and make 3 objects of it. */
static CueStr fleet(CueArena *a, unsigned n) {
  CueBuf b = cue_buf(a);
  cue_buf_z(&b, "package main\n\nimport (\n\t\"opmodel.dev/core@v0\"\n\t\"opmodel.dev/resources/workload@v0\"\n"
                "\t\"opmodel.dev/traits/network@v0\"\n\t\"opmodel.dev/traits/security@v0\"\n"
                "\ttraits \"opmodel.dev/traits/workload@v0\"\n)\n\ncore.#Module\n\n"
                "metadata: {apiVersion: \"example.com/fleet@v0\", name: \"fleet\", version: \"1.0.0\"}\n"
                "#config: {registry: string, tag: string, replicas: int & >=1, level: \"info\" | \"debug\"}\n"
                "values: #config\n");
  for (unsigned i = 0; i < n; i++) {
    cue_buf_f(&b,
              "#components: \"service-%u\": {\n"
              "\tworkload.#Container\n\ttraits.#Scaling\n\tnetwork.#Expose\n\tsecurity.#WorkloadIdentity\n"
              "\tmetadata: labels: {\"core.opmodel.dev/workload-type\": \"stateless\", team: \"team-%u\"}\n"
              "\tspec: {\n\t\tcontainer: {\n\t\t\tname:  \"service\"\n"
              "\t\t\timage: \"\\(#config.registry)/service-%u:\\(#config.tag)\"\n"
              "\t\t\tports: {http: targetPort: %u, metrics: targetPort: 9090}\n",
              i, i % 7, i, 8000 + i);
    cue_buf_f(&b,
              "\t\t\tenv: {LEVEL: value: #config.level, SELF: value: \"service-%u\", PORT: value: \"%u\"}\n"
              "\t\t\tresources: {cpu: {request: 0.%u, limit: 1}, memory: {request: \"%uMi\", limit: \"1Gi\"}}\n\t\t}\n"
              "\t\tscaling: count: #config.replicas\n"
              "\t\texpose: ports: http: {targetPort: %u, exposedPort: 80}\n"
              "\t\tworkloadIdentity: name: \"service-%u\"\n\t}\n}\n",
              i, 8000 + i, i % 9 + 1, 64 + i, 8000 + i, i);
  }
  return cue_buf_done(&b);
}

#define FLEET_VALUES \
  "{\"registry\": \"registry.example.com\", \"tag\": \"1.2.3\", \"replicas\": 3, \"level\": \"debug\"}"

/* The module for opm, and the same with the driver in it for cue. */
static void add_fleet(Run *r, unsigned n) {
  CueArena *a = r->a;
  const char *dir = cue_strf(a, "%s/fleet-%u", r->dir, n).s;
  for (int peer = 0; peer < 2; peer++) {
    const char *to = peer ? cue_strf(a, "%s/peer", dir).s : cue_strf(a, "%s/opm", dir).s;
    file_write(cue_strf(a, "%s/cue.mod/module.cue", to).s,
               CUE_STR("module: \"example.com/fleet@v0\"\nlanguage: version: \"v0.15.0\"\n"));
    file_write(cue_strf(a, "%s/module.cue", to).s, fleet(a, n));
    if (!peer) file_write(cue_strf(a, "%s/values.cue", to).s, CUE_STR("package main\n\nvalues: " FLEET_VALUES "\n"));
    CueValue input = peer_json(a, CUE_STR("{\"values\": " FLEET_VALUES "}"));
    if (peer && !(peer_deps(a, to) && peer_install(a, to, input))) proc_die("bench: no driver in %s", to);
  }
  cue_push(a, &r->cases,
           (Bench){.name = cue_strf(a, "mod build, %u component%s", n, n == 1 ? "" : "s").s,
                   .dir = cue_strf(a, "%s/peer", dir).s,
                   .components = n});
}

/* ---- measuring -------------------------------------------------------------------------------------- */

/* `bench --turns N COMMAND... -- COMMAND...`: the two in turns, N times, their output thrown away; prints milliseconds and
** kilobytes of each. A process of its own, because the kernel counts what a process was before exec as its memory, too:
** this one has none to speak of. */
static bool time_one(char **argv, double *ms, long *kb) {
  struct timespec from, to;
  struct rusage use;
  int status;
  pid_t pid;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  clock_gettime(CLOCK_MONOTONIC, &from);
  bool ok = posix_spawn(&pid, argv[0], &files, NULL, argv, environ) == 0 && wait4(pid, &status, 0, &use) == pid;
  clock_gettime(CLOCK_MONOTONIC, &to);
  posix_spawn_file_actions_destroy(&files);
  *ms = (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) / 1e6;
  *kb = use.ru_maxrss;
  return ok;
}

static int take_turns(int argc, char **argv) {
  unsigned long rounds = strtoul(argv[0], NULL, 10);
  char **who[2] = {argv + 1, NULL};
  for (int i = 1; i < argc && !who[1]; i++)
    if (strcmp(argv[i], "--") == 0) {
      argv[i] = NULL;
      who[1] = argv + i + 1;
    }
  for (unsigned long i = 0; who[1] && i < 2 * rounds; i++) {
    double ms;
    long kb;
    if (!time_one(who[i % 2], &ms, &kb)) return 1;
    printf("%.4f %ld\n", ms, kb);
  }
  return 0;
}

/* The command of a case, from argv[n] on; returns the next n. */
static int command(const Run *r, const Bench *b, bool ours, const char **argv, int n) {
  static const char *const build[] = {"mod", "build", "../opm", "-o", "json", NULL};
  static const char *const driver[] = {"export", "./" PEER_FOLDER, "-e", "objects", NULL};
  argv[n++] = ours ? r->opm : r->cue;
  if (b->components) {
    for (const char *const *w = ours ? build : driver; *w; w++) argv[n++] = *w;
    return n;
  }
  if (ours) argv[n++] = "cue";
  argv[n++] = "export";
  for (int i = 0; b->args[i]; i++) argv[n++] = b->args[i];
  return n;
}

static ProcResult answer(Run *r, const Bench *b, bool ours) {
  const char *argv[48] = {0};
  command(r, b, ours, argv, 0);
  return proc_run(r->a, argv, (ProcOptions){.cwd = b->dir, .timeout = 60});
}

static int by_value(const void *x, const void *y) {
  double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

static double median(double *v, unsigned n) {
  qsort(v, n, sizeof *v, by_value);
  return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static void measure(Run *r, const Bench *b) {
  double ms[2][100], mb[2][100];
  ProcResult x = answer(r, b, true), y = answer(r, b, false);
  Measured m = {.b = *b, .verdict = y.exit ? "error" : "value"};
  m.same =
      x.exit == y.exit && (b->components ? x.exit == 0 && peer_same(r->a, x.out, y.out) : cue_str_eq(x.out, y.out));
  /* About ten seconds a case, at least five rounds. */
  double each = x.seconds + y.seconds;
  m.rounds = each * r->rounds > 10 ? (unsigned)(10 / each) : r->rounds;
  if (m.rounds < 5) m.rounds = 5;
  if (m.same) {
    const char *argv[96] = {r->self, "--turns", cue_strf(r->a, "%u", m.rounds).s};
    int n = command(r, b, true, argv, 3);
    argv[n++] = "--";
    command(r, b, false, argv, n);
    ProcResult p = proc_run(r->a, argv, (ProcOptions){.cwd = b->dir, .timeout = 300});
    const char *at = p.out.s;
    char *end;
    for (unsigned i = 0; i < 2 * m.rounds; i++, at = end) {
      ms[i % 2][i / 2] = strtod(at, &end);
      mb[i % 2][i / 2] = (double)strtol(end, &end, 10) / 1024;
      if (end == at) proc_die("bench: %s could not be timed", b->name);
    }
  }
  if (m.same) {
    m.ours = (Cost){median(ms[0], m.rounds), median(mb[0], m.rounds)};
    m.theirs = (Cost){median(ms[1], m.rounds), median(mb[1], m.rounds)};
  }
  printf("%-44s %s\n", b->name,
         m.same ? cue_strf(r->a, "%8.2f ms %8.2f ms  %5.1fx   %6.1f MB %6.1f MB  1/%.1f", m.ours.ms, m.theirs.ms,
                           m.theirs.ms / m.ours.ms, m.ours.mb, m.theirs.mb, m.theirs.mb / m.ours.mb)
                      .s
                : "answers differ");
  fflush(stdout);
  cue_push(r->a, &r->results, m);
}

/* ---- reporting ---------------------------------------------------------------------------------------- */

static CueStr table(Run *r) {
  CueBuf b = cue_buf(r->a);
  cue_buf_z(&b, "| case | opm | cue | faster | opm memory | cue memory | less |\n|---|---|---|---|---|---|---|\n");
  for (uint32_t i = 0; i < r->results.n; i++) {
    const Measured *m = &r->results.at[i];
    if (!m->same)
      cue_buf_f(&b, "| %s | answers differ | | | | | |\n", m->b.name);
    else
      cue_buf_f(&b, "| %s | %.2f ms | %.2f ms | %.1fx | %.1f MB | %.1f MB | %.1fx |\n", m->b.name, m->ours.ms,
                m->theirs.ms, m->theirs.ms / m->ours.ms, m->ours.mb, m->theirs.mb, m->theirs.mb / m->ours.mb);
  }
  return cue_buf_done(&b);
}

/* How time grows between two modules: 1 is in proportion to their components. */
static double exponent(const Measured *x, const Measured *y, bool ours) {
  double t = ours ? y->ours.ms / x->ours.ms : y->theirs.ms / x->theirs.ms;
  return log(t) / log((double)y->b.components / x->b.components);
}

static CueStr growth(Run *r) {
  const Measured *x = NULL, *y = NULL;
  for (uint32_t i = 0; i < r->results.n; i++) {
    const Measured *m = &r->results.at[i];
    if (m->b.components && m->same) x = y, y = m;
  }
  if (!x) return CUE_STR("");
  return cue_strf(r->a, "From %u to %u components, time grows with the power %.2f of their number; cue's with %.2f.\n",
                  x->b.components, y->b.components, exponent(x, y, true), exponent(x, y, false));
}

static CueStr json_lines(Run *r) {
  CueBuf b = cue_buf(r->a);
  for (uint32_t i = 0; i < r->results.n; i++) {
    const Measured *m = &r->results.at[i];
    cue_buf_f(
        &b,
        "{\"case\": \"%s\", \"same\": %s, \"verdict\": \"%s\", \"rounds\": %u, \"opm_ms\": %.3f, \"cue_ms\": %.3f, \"opm_mb\": %.2f, \"cue_mb\": %.2f}\n",
        m->b.name, m->same ? "true" : "false", m->verdict, m->rounds, m->ours.ms, m->theirs.ms, m->ours.mb,
        m->theirs.mb);
  }
  return cue_buf_done(&b);
}

static void add_inputs(Run *r) {
  add_text(r, "start-up", CUE_STR("a: 1\n"));
  add_text(r, "schema of 2,000 lines, 200 instances", schema(r->a));
  for (int size = 100; size <= 10000; size *= 10) add_text(r, cue_strf(r->a, "%d items", size).s, items(r->a, size));
}

int main(int argc, char **argv) {
  if (argc > 3 && strcmp(argv[1], "--turns") == 0) return take_turns(argc - 2, argv + 2);
  CueArena *a = cue_arena_new();
  Run r = {.a = a, .rounds = 25, .only = ""};
  if (argc == 3 && strcmp(argv[1], "--inputs") == 0) {
    r.dir = argv[2];
    add_inputs(&r);
    return 0;
  }
  const char *write = NULL, *json = NULL, *cases = NULL;
  bool train = false;
  char full[3][PATH_MAX];
  int n = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
      r.rounds = (unsigned)strtoul(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
      r.only = argv[++i];
    else if (strcmp(argv[i], "--train") == 0)
      train = true;
    else if (strcmp(argv[i], "--write") == 0 && i + 1 < argc)
      write = argv[++i];
    else if (strcmp(argv[i], "--json") == 0 && i + 1 < argc)
      json = argv[++i];
    else if (n < 3 && (realpath(argv[i], full[n]) || n == 2))
      n++;
    else
      n = 9;
  }
  if (n != 3 || r.rounds < 1 || r.rounds > 100) {
    fprintf(stderr, "usage: bench [--rounds N] [--only TEXT] [--write FILE] [--json FILE] OPM CUE CASES\n");
    return 2;
  }
  r.self = "/proc/self/exe";
  cases = full[2];
  r.dir = scratch_dir(a);
  r.opm = program_copy(a, full[0], r.dir), r.cue = train ? r.opm : program_copy(a, full[1], r.dir);
  add_inputs(&r);
  add_archives(&r, cases);
  const char *cache = cue_strf(a, "%s/cache", r.dir).s;
  ProcResult made = proc_run(a, (const char *const[]){r.opm, "catalog", "extract", cache, NULL}, (ProcOptions){0});
  if (made.exit) proc_die("bench: opm catalog extract fails");
  setenv("CUE_CACHE_DIR", cache, 1);
  setenv("CUE_REGISTRY", "none", 1);
  static const unsigned sizes[] = {1, 5, 20, 100};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) add_fleet(&r, sizes[i]);
  for (uint32_t i = 0; i < r.cases.n; i++)
    if (train)
      answer(&r, &r.cases.at[i], true);
    else if (strstr(r.cases.at[i].name, r.only))
      measure(&r, &r.cases.at[i]);
  dir_remove(r.dir);
  CueStr grows = growth(&r);
  printf("%.*s", CUE_FMT(grows));
  CueStr before, inside, behind;
  if (json) file_write(json, json_lines(&r));
  if (write && file_marked(a, write, "bench", &before, &inside, &behind)) {
    CueStr rows = table(&r);
    file_write(write, cue_strf(a, "%.*s%.*s%s%.*s%.*s", CUE_FMT(before), CUE_FMT(rows), grows.n ? "\n" : "",
                               CUE_FMT(grows), CUE_FMT(behind)));
  }
  bool wrong = false;
  for (uint32_t i = 0; i < r.results.n; i++) wrong = wrong || !r.results.at[i].same;
  cue_arena_free(a);
  return wrong;
}
