/* fleet.c - opm fleet build as a process: memory, workers, shards, signals, files that stay as they are.
**
**   fleet OPM
**
** What archives can say is in tests/cli/fleet_*.txtar. Here is what needs many releases, or another process beside the
** program. Nothing depends on how long it takes.
*/
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/proc.h"

typedef struct {
  CueArena *a;
  const char *opm, *dir;
  unsigned passed, failed;
} Suite;

static void check(Suite *s, bool ok, const char *what, const ProcResult *r) {
  s->passed += ok;
  s->failed += !ok;
  if (ok) return;
  printf("fleet: not true: %s\n", what);
  if (r)
    printf("  exit code %d\n%.*s%.*s\n", r->exit, (int)(r->out.n < 2000 ? r->out.n : 2000), r->out.s, CUE_FMT(r->err));
}

/* With $OPM for the program. */
static ProcResult sh(Suite *s, const char *command) {
  const char *argv[] = {"/bin/sh", "-c", command, NULL};
  const char *env[] = {cue_strf(s->a, "OPM=%s", s->opm).s, NULL};
  return proc_run(s->a, argv, (ProcOptions){.cwd = s->dir, .env = env, .timeout = 120});
}

static bool same(CueStr x, CueStr y) { return cue_str_eq(x, y); }

/* ---- fleets ---- */

static void write_module(Suite *s, const char *name) {
  file_write(cue_strf(s->a, "%s/%s/cue.mod/module.cue", s->dir, name).s,
             cue_strf(s->a, "module: \"example.com/%s@v0\"\nlanguage: version: \"v0.15.0\"\n", name));
  file_write(
      cue_strf(s->a, "%s/%s/module.cue", s->dir, name).s,
      cue_strf(s->a,
               "package main\n"
               "import (\n\t\"opmodel.dev/core@v0\"\n\trw \"opmodel.dev/resources/workload@v0\"\n"
               "\ttn \"opmodel.dev/traits/network@v0\"\n)\n"
               "core.#Module\n"
               "metadata: {apiVersion: \"example.com/%s@v0\", name: \"%s\", version: \"0.1.0\"}\n"
               "#config: {image: string, port: int & >0 & <65536 | *80}\n"
               "values: #config\n"
               "#components: web: {\n\trw.#Container\n\ttn.#Expose\n"
               "\tmetadata: labels: \"core.opmodel.dev/workload-type\": \"stateless\"\n"
               "\tspec: container: {name: \"web\", image: #config.image, ports: http: targetPort: #config.port}\n"
               "\tspec: expose: ports: http: {targetPort: #config.port, exposedPort: 80}\n}\n",
               name, name));
}

/* n releases of three modules; those whose number `bad` divides have values that do not fit. */
static const char *write_fleet(Suite *s, const char *name, unsigned n, unsigned bad) {
  CueBuf b = cue_buf(s->a);
  for (unsigned i = 0; i < n; i++)
    cue_buf_f(
        &b,
        "{\"module\": \"./m%u\", \"name\": \"r-%u\", \"namespace\": \"ns-%u\", \"values\": {\"image\": \"i:%u\", \"port\": %u}}\n",
        i % 3, i, i % 7, i, bad && i % bad == bad - 1 ? 70000 : i % 1000 + 1);
  file_write(cue_strf(s->a, "%s/%s", s->dir, name).s, cue_buf_done(&b));
  return name;
}

/* ---- what must be true ---- */

static void workers(Suite *s) {
  write_fleet(s, "some.jsonl", 60, 19);
  ProcResult one = sh(s, "$OPM fleet build some.jsonl --timestamps=false --jobs 1");
  check(s, one.exit == 2 && cue_str_find(one.err, CUE_STR("57 releases rendered, 3 failed")) >= 0,
        "some of the releases fail", &one);
  for (unsigned n = 2; n <= 8; n *= 2) {
    ProcResult r = sh(s, cue_strf(s->a, "$OPM fleet build some.jsonl --timestamps=false --jobs %u", n).s);
    check(s, r.exit == 2 && same(one.out, r.out) && same(one.err, r.err), "the number of workers changes nothing", &r);
  }
  ProcResult none = sh(s, "OPM_PLANS=none $OPM fleet build some.jsonl --timestamps=false --jobs 2");
  check(s, same(one.out, none.out) && same(one.err, none.err), "the evaluator alone gives the same", &none);
  ProcResult first = sh(s, "$OPM fleet build some.jsonl --timestamps=false --jobs 4 --fail-fast");
  check(s, first.exit == 2 && cue_str_find(first.err, CUE_STR("18 releases rendered, 1 failed")) >= 0,
        "with --fail-fast, what is before the first failure is put out, and nothing else", &first);
}

static void shards(Suite *s) {
  write_fleet(s, "whole.jsonl", 40, 0);
  ProcResult r =
      sh(s, "$OPM fleet build whole.jsonl -o json 2>/dev/null | sort >whole\n"
            "for i in 0 1 2 3 4; do $OPM fleet build whole.jsonl -o json --shard $i/5 2>/dev/null; done | sort >parts\n"
            "[ -s whole ] && cmp whole parts");
  check(s, r.exit == 0, "shards are all of a fleet, and share nothing", &r);
  r = sh(s, "grep -v '\"r-7\"' whole.jsonl >fewer.jsonl\n"
            "for i in 0 1 2 3 4; do\n"
            "$OPM fleet build fewer.jsonl --shard $i/5 --out-dir a$i 2>/dev/null\n"
            "$OPM fleet build whole.jsonl --shard $i/5 --out-dir b$i 2>/dev/null\n"
            "diff -r -x '.opm-fleet*' a$i b$i; done; true");
  bool one = cue_str_has_prefix(r.out, CUE_STR("Only in ")) && cue_str_has_suffix(r.out, CUE_STR(": r-7\n"));
  check(s, one && !memchr(r.out.s, '\n', r.out.n - 1), "a release that goes moves no other", &r);
}

static void files_stay(Suite *s) {
  write_fleet(s, "few.jsonl", 4, 0);
  ProcResult r =
      sh(s, "$OPM fleet build few.jsonl --out-dir out && find out -type f | sort | xargs stat -c '%n %i %.Y' >before");
  check(s, r.exit == 0, "files are written", &r);
  r = sh(
      s,
      "$OPM fleet build few.jsonl --out-dir out && find out -type f | sort | xargs stat -c '%n %i %.Y' | cmp - before");
  check(s, r.exit == 0, "files that are right already are not touched", &r);
  r = sh(
      s,
      "touch -d 2020-01-01 out/ns-0/r-0/*.yaml && echo >>out/ns-1/r-1/service-web.yaml && $OPM fleet build few.jsonl --out-dir out &&"
      " find out -name '*.yaml' -newermt 2021-01-01 | grep -c r-0; cmp out/ns-1/r-1/service-web.yaml out/ns-1/r-1/service-web.yaml");
  check(s, same(r.out, CUE_STR("0\n")) && r.exit == 0, "one that was changed is mended, and no other touched", &r);
}

static void memory(Suite *s) {
  write_fleet(s, "small.jsonl", 2000, 0);
  write_fleet(s, "large.jsonl", 20000, 0);
  const char *small[] = {s->opm, "fleet", "build", "small.jsonl", "-o", "json", NULL};
  const char *large[] = {s->opm, "fleet", "build", "large.jsonl", "-o", "json", NULL};
  /* Output goes nowhere: only what the program holds is measured. */
  ProcOptions opt = {.cwd = s->dir, .timeout = 120};
  ProcResult x = proc_run(s->a, small, opt), y = proc_run(s->a, large, opt);
  check(s, x.exit == 0 && y.exit == 0 && y.out.n > 9 * x.out.n, "a fleet ten times as large has ten times the output",
        NULL);
  /* How many blocks wait for each other differs from run to run; what was written must not be held. */
  long more_kb = (long)((y.out.n - x.out.n) >> 10);
  check(s, y.max_rss_kb < x.max_rss_kb + more_kb / 4,
        cue_strf(s->a, "memory does not grow with the fleet: %ld KB, then %ld KB for %ld KB more", x.max_rss_kb,
                 y.max_rss_kb, more_kb)
            .s,
        NULL);
}

static void endings(Suite *s) {
  ProcResult r = sh(s, "mkfifo in && exec 3<>in && cat few.jsonl >in\n"
                       "$OPM fleet build - --out-dir stopped --timestamps=false <in 2>said & pid=$!\n"
                       "while ! [ -f stopped/ns-3/r-3/deployment-web.yaml ]; do sleep 0.1; done\n"
                       "kill -TERM $pid; wait $pid; echo $?; find stopped -name '*.tmp'; cat stopped/.opm-fleet said");
  check(s,
        cue_str_has_prefix(r.out, CUE_STR("130\nns-0/r-0/")) &&
            cue_str_find(r.out, CUE_STR("4 releases rendered, 0 failed")) > 0 &&
            cue_str_find(r.out, CUE_STR("interrupted")) > 0,
        "a signal ends it in order: all files whole, and listed", &r);
  r = sh(s, "$OPM fleet build large.jsonl 2>/dev/null | head -1");
  check(s, r.exit == 0 && same(r.out, CUE_STR("apiVersion: v1\n")), "who reads may go away", &r);
  r = sh(s,
         "[ -c /dev/full ] || { echo 'No space left on device' >&2; exit 1; }; $OPM fleet build few.jsonl >/dev/full");
  check(s, r.exit == 1 && cue_str_find(r.err, CUE_STR("No space left on device")) >= 0, "a full disk is told", &r);
  r = sh(s, "$OPM fleet build - <&-");
  check(s, r.exit == 1 && cue_str_find(r.err, CUE_STR("read stdin: Bad file descriptor")) >= 0,
        "so is an input that is closed", &r);
  r = sh(s, "$OPM fleet build few.jsonl --progress -o json | wc -l");
  check(s, same(r.out, CUE_STR("8\n")) && cue_str_find(r.err, CUE_STR("\r")) < 0, "no bar where there is no terminal",
        &r);
  r = sh(
      s,
      "command -v script >/dev/null || { printf '%%  '; exit; }; script -qec '$OPM fleet build few.jsonl --progress >/dev/null' /dev/null </dev/null");
  check(s, cue_str_find(r.out, CUE_STR("%  ")) >= 0, "a bar on a terminal", &r);
}

int main(int argc, char **argv) {
  if (argc != 2) proc_die("usage: fleet OPM");
  CueArena *a = cue_arena_new();
  Suite s = {.a = a, .opm = realpath(argv[1], cue_alloc(a, PATH_MAX)), .dir = scratch_dir(a)};
  for (unsigned i = 0; i < 3; i++) write_module(&s, cue_strf(a, "m%u", i).s);
  workers(&s);
  shards(&s);
  files_stay(&s);
  memory(&s);
  endings(&s);
  dir_remove(s.dir);
  printf("fleet: %u passed, %u failed\n", s.passed, s.failed);
  cue_arena_free(a);
  return s.failed != 0;
}
