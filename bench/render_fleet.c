/* render_fleet.c - W3: many releases of one module, of two objects each, from a file of JSON lines. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/render.h"
#include "tests/peer.h"

/* Every release has other values, so that nothing can be remembered from one to the next. */
static void put_values(CueBuf *b, uint32_t i) {
  cue_buf_f(
      b,
      "{\"registry\": \"registry-%u.example.com\", \"tag\": \"1.%u.%u\", \"replicas\": %u, \"host\": \"%u.example.com\", "
      "\"env\": {}}",
      i % 7, i % 50, i % 9, i % 12 + 1, i);
}

static void put_release(CueBuf *b, uint32_t i) {
  cue_buf_f(b, "{\"module\": \"hello\", \"name\": \"app-%u\", \"namespace\": \"team-%u\", \"values\": ", i, i % 40);
  put_values(b, i);
  cue_buf_z(b, "}\n");
}

static const char *fleet_file(Bench *b, uint32_t n) {
  CueArena *own = cue_arena_new();
  CueBuf t = cue_buf(own);
  for (uint32_t i = 0; i < n; i++) put_release(&t, i);
  const char *name = cue_strf(b->a, "fleet-%u.jsonl", n).s;
  file_write(cue_strf(b->a, "%s/%s", b->dir, name).s, cue_buf_done(&t));
  cue_arena_free(own);
  return name;
}

/* With --jobs N of releases as JSON or YAML. */
static Contender fleet_of(Bench *b, uint32_t n, const char *form, const char *jobs) {
  OpmWay way = b->compiles ? OPM_COMPILED : OPM_INTERPRETED;
  Contender c = opm_contender(b, way, b->dir, "fleet", "build", fleet_file(b, n), "-o", form, "--jobs", jobs, NULL);
  c.name = cue_strf(b->a, "opm, %s, --jobs %s, %u releases", form, jobs, n).s;
  return c;
}

/* JSON lines as one array. */
static CueStr array_of(CueArena *a, CueStr lines) {
  CueBuf b = cue_buf(a);
  cue_buf_ch(&b, '[');
  for (size_t i = 0; i < lines.n; i++) cue_buf_ch(&b, lines.s[i] == '\n' && i + 1 < lines.n ? ',' : lines.s[i]);
  cue_buf_ch(&b, ']');
  return cue_buf_done(&b);
}

/* A few releases of the fleet must be what mod build makes of each, by the evaluator. */
static bool verified(Bench *b, CueStr *json) {
  enum { SOME = 12 };
  CueArena *a = b->a;
  CueBuf objects = cue_buf(a), yaml = cue_buf(a);
  cue_buf_ch(&objects, '[');
  for (uint32_t i = 0; i < SOME; i++) {
    CueBuf values = cue_buf(a);
    cue_buf_z(&values, "{\"values\": ");
    put_values(&values, i);
    cue_buf_ch(&values, '}');
    const char *file = cue_strf(a, "%s/values-%u.json", b->dir, i).s;
    file_write(file, cue_buf_done(&values));
    static const char *const forms[] = {"json", "yaml"};
    for (int f = 0; f < 2; f++) {
      Contender c =
          opm_contender(b, OPM_EVALUATED, b->dir, "mod", "build", "hello", "-f", file, "--name",
                        cue_strf(a, "app-%u", i).s, "-n", cue_strf(a, "team-%u", i % 40).s, "-o", forms[f], NULL);
      CueStr text = run_contender(b, &c).out;
      if (f == 0) cue_buf_f(&objects, "%s%.*s", i ? "," : "", (int)text.n - 4, text.s + 2); /* without [ and ] */
      if (f == 1) cue_buf_f(&yaml, "%s%.*s", i ? "---\n" : "", CUE_FMT(text));
    }
  }
  cue_buf_ch(&objects, ']');
  Contender as_json = fleet_of(b, SOME, "json", "1"), as_yaml = fleet_of(b, SOME, "yaml", "1");
  Contender two = fleet_of(b, SOME, "json", "2");
  ProcResult x = run_contender(b, &as_json), y = run_contender(b, &as_yaml), z = run_contender(b, &two);
  *json = x.out;
  return bench_same(b, "fleet as JSON", cue_buf_done(&objects), array_of(a, x.out), true) &&
         bench_same(b, "fleet as YAML", cue_buf_done(&yaml), y.out, false) &&
         bench_same(b, "fleet with --jobs 2", x.out, z.out, false);
}

/* ---- other tools ---- */

enum { RELEASE, NAMESPACE, UUID, REGISTRY, TAG, HOST, REPLICAS, HOLES };

static CueStr text_at(const CueValue *v, const char *key) {
  const CueValue *x = peer_at(v, key);
  return x && x->kind == CUE_STRING ? cue_value_str(*x) : CUE_STR("");
}

/* The identity of a release is data to the others: they cannot compute it. */
static CueStr uuid_of(const CueValue *object) {
  return text_at(peer_at(peer_at(object, "metadata"), "labels"), "module-release.opmodel.dev/uuid");
}

static void other_tools(Bench *b, uint32_t n) {
  CueArena *a = b->a;
  Hole holes[HOLES] = {[RELEASE] = {CUE_STR("release-hole"), "release", CUE_STR("")},
                       [NAMESPACE] = {CUE_STR("namespace-hole"), "namespace", CUE_STR("")},
                       [UUID] = {CUE_STR(""), "uuid", CUE_STR("")},
                       [REGISTRY] = {CUE_STR("registry-hole.example.com"), "registry", CUE_STR("")},
                       [TAG] = {CUE_STR("tag-hole"), "tag", CUE_STR("")},
                       [HOST] = {CUE_STR("host-hole.example.com"), "host", CUE_STR("")},
                       [REPLICAS] = {CUE_STR("997"), "replicas", CUE_STR("")}};
  file_write(cue_strf(a, "%s/holes.json", b->dir).s,
             CUE_STR("{\"values\": {\"registry\": \"registry-hole.example.com\", \"tag\": \"tag-hole\", \"host\": "
                     "\"host-hole.example.com\", \"replicas\": 997, \"env\": {}}}"));
  Contender holed = opm_contender(b, OPM_INTERPRETED, b->dir, "mod", "build", "hello", "-f", "holes.json", "--name",
                                  "release-hole", "-n", "namespace-hole", "-o", "json", NULL);
  Template t = {.dir = cue_strf(a, "%s/fleet-tools", b->dir).s, .holes = holes, .n = HOLES};
  t.objects = peer_json(a, run_contender(b, &holed).out);
  if (t.objects.kind != CUE_LIST) proc_die("bench: no objects with holes");
  holes[UUID].hole = uuid_of(&t.objects.as.list->at[0]);
  Contender ours = fleet_of(b, n, "json", "1");
  CueStr made = array_of(a, run_contender(b, &ours).out);
  CueValue objects = peer_json(a, made);
  if (objects.kind != CUE_LIST || objects.as.list->n != 2 * n)
    proc_die("bench: a fleet of %u has not two objects each", n);
  CueBuf data = cue_buf(a);
  cue_buf_ch(&data, '[');
  for (uint32_t i = 0; i < n; i++) {
    cue_buf_f(&data, "%s{\"release\": \"app-%u\", \"namespace\": \"team-%u\", \"uuid\": \"%.*s\", ", i ? ",\n" : "", i,
              i % 40, CUE_FMT(uuid_of(&objects.as.list->at[2 * i])));
    CueBuf values = cue_buf(a);
    put_values(&values, i);
    cue_buf_str(&data, cue_str_sub(cue_buf_done(&values), 1, values.n));
  }
  cue_buf_ch(&data, ']');
  template_jsonnet(a, &t, true), template_pkl(a, &t, true);
  file_write(cue_strf(a, "%s/jsonnet/releases.json", t.dir).s, cue_buf_done(&data));
  file_write(cue_strf(a, "%s/pkl/releases.json", t.dir).s, cue_buf_done(&data));
  Contenders all = {0};
  cue_push(a, &all, ours);
  Contender tools[] = {contender(b, "jrsonnet", t.dir, b->jrsonnet, "jsonnet/objects.jsonnet", NULL),
                       contender(b, "Pkl", t.dir, b->pkl, "eval", "pkl/objects.pkl", NULL)};
  for (int i = 0; i < 2; i++) {
    if (!(i ? b->pkl : b->jrsonnet)) continue;
    ProcResult p = run_contender(b, &tools[i]);
    if (p.exit) printf("bench: %s fails on a fleet, left out: %.*s\n", tools[i].name, CUE_FMT(p.err));
    if (!p.exit && bench_same(b, tools[i].name, made, p.out, true)) cue_push(a, &all, tools[i]);
  }
  bench_measure(b, "W3", cue_strf(a, "fleet of %u, other tools", n).s, &all, false);
}

/* ---- rates ---- */

static double per_second(uint32_t n, const Cost *c) { return (double)n / c->ms * 1e3; }

/* What is measured by the clock, and by the processor alone, which others do not slow down. */
static CueStr rate_text(CueArena *a, uint32_t n, const Cost *c) {
  return cue_strf(a, "%.0f (%.0f by processor time)", per_second(n, c), (double)n / (c->user + c->sys) * 1e3);
}

static void rates(Bench *b, uint32_t n, CueStr some) {
  CueArena *a = b->a;
  const char *bytes = cue_strf(a, "%s/some.json", b->dir).s;
  file_write(bytes, some); /* 12 releases */
  Contenders all = {0};
  cue_push(a, &all, fleet_of(b, n, "json", "1"));
  cue_push(a, &all, fleet_of(b, n, "yaml", "1"));
  cue_push(a, &all,
           contender(b, "the bytes alone, written", b->dir, b->limit, bytes, cue_strf(a, "%u", n / 12).s, NULL));
  Cost *c = bench_measure(b, "W3", "fleet, one core", &all, false);
  need(b, "W3", per_second(n, &c[0]) >= 100000, cue_strf(a, "releases a second as JSON, one core, of %u", n),
       rate_text(a, n, &c[0]), "100000");
  need(b, "W3", per_second(n, &c[1]) >= 50000, cue_strf(a, "releases a second as YAML, one core, of %u", n),
       rate_text(a, n, &c[1]), "50000");
  cue_push(a, &b->notes,
           cue_strf(a, "W3: a loop that only writes the bytes of the JSON does %.0f releases a second: the limit.",
                    per_second(n / 12 * 12, &c[2])));
  if (n >= 100000)
    need(b, "W3", c[0].mb < 64, cue_strf(a, "memory at %u releases", n), cue_strf(a, "%.1f MB", c[0].mb), "64 MB");
  else
    need(b, "W3", false, cue_strf(a, "memory at 100000 releases"),
         cue_strf(a, "%.1f MB at %u: more take too long", c[0].mb, n), "64 MB");
  Contenders two = {0};
  cue_push(a, &two, fleet_of(b, n, "json", "1"));
  cue_push(a, &two, fleet_of(b, n, "json", "2"));
  c = bench_measure(b, "W3", "fleet, both cores", &two, true);
  need(b, "W3", c[0].ms >= 1.7 * c[1].ms, cue_strf(a, "times faster with --jobs 2"),
       cue_strf(a, "%.2f", c[0].ms / c[1].ms), "1.7");
}

static void growth(Bench *b, uint32_t most) {
  CueArena *a = b->a;
  Contenders all = {0};
  double sizes[5], ms[5];
  for (int i = 0; i < 5; i++) {
    sizes[i] = floor((double)most / pow(most < 1000 ? 1.7783 : 3.1623, 4 - i));
    cue_push(a, &all, fleet_of(b, (uint32_t)sizes[i], "json", "1"));
  }
  cue_push(a, &all, fleet_of(b, 4, "json", "1"));
  Cost *c = bench_measure(b, "W3", "fleet, growth", &all, false);
  for (int i = 0; i < 5; i++) ms[i] = c[i].ms;
  double e = scaling_exponent(sizes, ms, 5, c[5].ms);
  need(b, "W3", e <= 1.05, cue_strf(a, "exponent from %.0f to %.0f releases", sizes[0], sizes[4]),
       cue_strf(a, "%.3f", e), "1.05");
  uint64_t one = 0, twice = 0;
  uint32_t some = most < 400 ? most / 2 : 200;
  Contender x = fleet_of(b, some, "json", "1"), y = fleet_of(b, 2 * some, "json", "1");
  if ((one = instructions(a, &x)) && (twice = instructions(a, &y)))
    cue_push(a, &b->notes,
             cue_strf(a, "W3: %.0f instructions a release (%u releases less %u, by callgrind).",
                      (double)(twice - one) / some, 2 * some, some));
}

void workload_fleet(Bench *b) {
  CueArena *a = b->a;
  if (!opm_has(b, "fleet", "build")) {
    need_missing(b, "W3", CUE_STR("releases a second as JSON, one core"), "100000");
    need_missing(b, "W3", CUE_STR("releases a second as YAML, one core"), "50000");
    need_missing(b, "W3", CUE_STR("memory at 100000 releases"), "64 MB");
    need_missing(b, "W3", CUE_STR("exponent"), "1.05");
    need_missing(b, "W3", CUE_STR("times faster with --jobs 2"), "1.7");
    return;
  }
  const char *module = bench_module(b, "hello", "hello");
  bench_compile(b, module, true);
  CueStr some;
  if (!verified(b, &some)) return;
  uint32_t tried = 40;
  double seconds;
  for (;; tried *= 10) { /* until what a start costs does not count any more */
    Contender probe = fleet_of(b, tried, "json", "1");
    seconds = run_contender(b, &probe).seconds;
    if (seconds > (b->quick ? 0.2 : 1) || tried >= 40000) break;
  }
  double affordable = tried / seconds * (b->quick ? 0.3 : 4); /* releases in so many seconds */
  uint32_t n = affordable > 60000 ? 100000 : affordable < 48 ? 48 : (uint32_t)(affordable / 12) * 12;
  rates(b, n, some);
  growth(b, n);
  if (b->jrsonnet || b->pkl) other_tools(b, n < 1000 ? n : 1000);
  cue_push(a, &b->notes, CUE_STR("W3: jrsonnet and Pkl get the identity of each release as data, and check nothing."));
}
