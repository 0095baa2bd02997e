/* render_sizes.c - W4, W5, W10: modules of many components, large values, values made to break things. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/render.h"
#include "tests/peer.h"

#define MODULE_FILE(name) CUE_STR("module: \"example.com/" name "@v0\"\nlanguage: version: \"v0.15.0\"\n")

static void write_in(Bench *b, const char *dir, const char *name, CueStr text) {
  file_write(cue_strf(b->a, "%s/%s", dir, name).s, text);
}

static Contender cue_peer(Bench *b, const char *dir) {
  Contender c = contender(b, "cue", dir, b->cue, "export", "./" PEER_FOLDER, "-e", "objects", NULL);
  contender_env(b, &c, "CUE_CACHE_DIR", cue_strf(b->a, "%s/catalog", b->dir).s);
  contender_env(b, &c, "CUE_REGISTRY", "none");
  return c;
}

/* The ways of ours that there are, the fastest first, after all gave the same bytes; .n is 0 if they did not. */
static Contenders our_ways(Bench *b, const char *module, bool optimized, const char *values, CueStr *json) {
  Contenders all = {0};
  bool same = true, compiled = bench_compile(b, module, optimized);
  for (OpmWay way = OPM_EVALUATED; way <= (compiled ? OPM_COMPILED : OPM_INTERPRETED); way++) {
    Contender c = opm_contender(b, way, module, "mod", "build", ".", "-o", "json", values ? "-f" : NULL, values, NULL);
    ProcResult p = run_contender(b, &c);
    if (p.exit) printf("bench: %s fails in %s:\n%.*s", c.name, module, CUE_FMT(p.err));
    if (way == OPM_EVALUATED) *json = p.out;
    same &= p.exit == 0 && bench_same(b, c.name, *json, p.out, false);
    cue_push(b->a, &all, c);
  }
  for (uint32_t i = 0; i < all.n / 2; i++) {
    Contender x = all.at[i];
    all.at[i] = all.at[all.n - 1 - i], all.at[all.n - 1 - i] = x;
  }
  if (!same) all.n = 0;
  return all;
}

/* ---- W4: components ---- */

/* Each gets a Deployment, a Service and a ServiceAccount. */
static CueStr components(CueArena *a, uint32_t n) {
  CueBuf b = cue_buf(a);
  cue_buf_z(&b, "package main\n\nimport (\n\t\"opmodel.dev/core@v0\"\n\t\"opmodel.dev/resources/workload@v0\"\n"
                "\t\"opmodel.dev/traits/network@v0\"\n\t\"opmodel.dev/traits/security@v0\"\n"
                "\ttraits \"opmodel.dev/traits/workload@v0\"\n)\n\ncore.#Module\n\n"
                "metadata: {apiVersion: \"example.com/many@v0\", name: \"many\", version: \"1.0.0\"}\n"
                "#config: {registry: string, tag: string, replicas: int & >=1, level: \"info\" | \"debug\"}\n"
                "values: #config\n");
  for (uint32_t i = 0; i < n; i++)
    cue_buf_f(&b,
              "#components: \"service-%u\": {\n"
              "\tworkload.#Container\n\ttraits.#Scaling\n\tnetwork.#Expose\n\tsecurity.#WorkloadIdentity\n"
              "\tmetadata: labels: {\"core.opmodel.dev/workload-type\": \"stateless\", team: \"team-%u\"}\n"
              "\tspec: {\n\t\tcontainer: {\n\t\t\tname:  \"service\"\n"
              "\t\t\timage: \"\\(#config.registry)/service-%u:\\(#config.tag)\"\n"
              "\t\t\tports: {http: targetPort: %u, metrics: targetPort: 9090}\n"
              "\t\t\tenv: {LEVEL: value: #config.level, SELF: value: \"service-%u\"}\n\t\t}\n"
              "\t\tscaling: count: #config.replicas\n"
              "\t\texpose: ports: http: {targetPort: %u, exposedPort: 80}\n"
              "\t\tworkloadIdentity: name: \"service-%u\"\n\t}\n}\n",
              i, i % 7, i, 8000 + i, i, 8000 + i, i);
  return cue_buf_done(&b);
}

#define MANY_VALUES \
  "{\"registry\": \"registry.example.com\", \"tag\": \"1.2.3\", \"replicas\": 3, \"level\": \"debug\"}"

void workload_components(Bench *b) {
  CueArena *a = b->a;
  static const uint32_t sizes[] = {1, 5, 20, 100, 500};
  uint32_t count = b->quick ? 3 : 5;
  double x[5], ms[5], first = 0;
  bool compiled = false;
  for (uint32_t i = 0; i < count; i++) {
    const char *dir = cue_strf(a, "%s/many-%u", b->dir, sizes[i]).s;
    write_in(b, dir, "cue.mod/module.cue", MODULE_FILE("many"));
    write_in(b, dir, "module.cue", components(a, sizes[i]));
    write_in(b, dir, "values.cue", CUE_STR("package main\n\nvalues: " MANY_VALUES "\n"));
    CueStr json;
    Contenders all = our_ways(b, dir, sizes[i] <= 20, NULL, &json); /* optimizing more takes minutes */
    if (!all.n) return;
    if (sizes[i] <= 100) {
      Contender cue = cue_peer(b, bench_peer(b, dir, CUE_STR(MANY_VALUES)));
      ProcResult p = run_contender(b, &cue);
      if (bench_same(b, "cue", json, p.out, true)) cue_push(a, &all, cue);
    }
    compiled = strcmp(all.at[0].name, "opm, compiled") == 0;
    Cost *c = bench_measure(b, "W4", cue_strf(a, "mod build, %u component%s", sizes[i], i ? "s" : "").s, &all, false);
    x[i] = sizes[i], ms[i] = c[0].ms;
    if (i == 0) first = c[0].ms;
  }
  CueStr what = CUE_STR("500 components in one module, compiled");
  if (!compiled || count < 5)
    need_missing(b, "W4", what, "15 ms");
  else
    need(b, "W4", ms[4] < 15, what, cue_strf(a, "%.2f ms", ms[4]), "15 ms");
  cue_push(a, &b->notes,
           cue_strf(a, "W4: time grows with the power %.2f of the number of components, from %.0f to %.0f.",
                    scaling_exponent(x + 1, ms + 1, count - 1, first), x[1], x[count - 1]));
}

/* ---- W5: values ---- */

static const char values_module[] =
    "package main\n\nimport (\n\t\"opmodel.dev/core@v0\"\n\t\"opmodel.dev/resources/config@v0\"\n)\n\ncore.#Module\n\n"
    "metadata: {apiVersion: \"example.com/wide@v0\", name: \"wide\", version: \"1.0.0\"}\n"
    "#config: items: [string]: {\n\tname: string & =~\"^[a-z][a-z0-9-]*$\"\n\tport: int & >0 & <65536\n"
    "\tlevel: *\"info\" | \"debug\"\n\ttags: [...string]\n}\n"
    "values: #config\n"
    "#components: settings: {\n\tconfig.#ConfigMaps\n\tspec: configMaps: settings: data: count: \"\\(len(#config.items))\"\n}\n";

enum { YAML, JSON, CUE_FORM };
static const char *const endings[] = {"yaml", "json", "cue"};

static void put_item(CueBuf *b, int form, uint32_t i, bool wrong) {
  unsigned port = wrong ? 99999 : i % 60000 + 1;
  if (form == YAML)
    cue_buf_f(b, "    item-%u:\n      name: name-%u\n      port: %u\n      tags:\n        - a\n        - tag-%u\n", i,
              i, port, i);
  else
    cue_buf_f(b, "%s\"item-%u\": {\"name\": \"name-%u\", \"port\": %u, \"tags\": [\"a\", \"tag-%u\"]}%s\n",
              form == CUE_FORM ? "\t\t" : "", i, i, port, i, form == JSON ? "," : "");
}

/* k files of `bytes` in all; the last item of the last one may be wrong. Returns the words that name them. */
static Words values_files(Bench *b, const char *dir, int form, uint32_t k, size_t bytes, bool wrong) {
  Words words = {0};
  uint32_t i = 0;
  for (uint32_t f = 0; f < k; f++) {
    CueBuf t = cue_buf(b->a);
    cue_buf_z(&t, form == YAML   ? "values:\n  items:\n"
                  : form == JSON ? "{\"values\": {\"items\": {\n"
                                 : "package main\n\nvalues: items: {\n");
    while (t.n < bytes / k) put_item(&t, form, i++, false);
    if (wrong && f + 1 == k) put_item(&t, form, i++, true);
    if (form == JSON) t.n -= 2; /* the last comma */
    if (form != YAML) cue_buf_z(&t, form == JSON ? "}}}\n" : "}\n");
    const char *name = cue_strf(b->a, "values-%u.%s", f, endings[form]).s;
    write_in(b, dir, name, cue_buf_done(&t));
    cue_push(b->a, &words, "-f");
    cue_push(b->a, &words, name);
  }
  return words;
}

static Contender vet(Bench *b, OpmWay way, const char *dir, const Words *files) {
  Contender c = opm_contender(b, way, dir, "mod", "vet", ".", NULL);
  for (uint32_t i = 0; i < files->n; i++) cue_push(b->a, &c.argv, files->at[i]);
  return c;
}

/* cue checks the same data against the same schema; it renders nothing. */
static Contender cue_vet(Bench *b, const char *dir, const Words *files) {
  Contender c = contender(b, "cue vet", dir, b->cue, "vet", "-c", "schema.cue", NULL);
  for (uint32_t i = 1; i < files->n; i += 2) cue_push(b->a, &c.argv, files->at[i]);
  contender_env(b, &c, "CUE_REGISTRY", "none");
  return c;
}

void workload_values(Bench *b) {
  CueArena *a = b->a;
  const char *dir = cue_strf(a, "%s/wide", b->dir).s;
  write_in(b, dir, "cue.mod/module.cue", MODULE_FILE("wide"));
  write_in(b, dir, "module.cue", cue_str(values_module));
  const char *alone = cue_strf(a, "%s/wide-cue", b->dir).s; /* the schema without the module */
  write_in(
      b, alone, "schema.cue",
      CUE_STR(
          "package main\n\n#Item: {\n\tname: string & =~\"^[a-z][a-z0-9-]*$\"\n\tport: int & >0 & <65536\n\tlevel: *\"info\" | "
          "\"debug\"\n\ttags: [...string]\n}\nvalues: items: [string]: #Item\n"));
  static const struct {
    uint32_t files;
    size_t bytes;
    const char *text;
  } sizes[] = {{1, 1024, "1 KB in 1 file"}, {4, 65536, "64 KB in 4 files"}, {16, 1048576, "1 MB in 16 files"}};
  bool compiled = bench_compile(b, dir, true);
  OpmWay way = compiled ? OPM_COMPILED : OPM_INTERPRETED;
  for (int form = YAML; form <= CUE_FORM; form++)
    for (size_t s = 0; s < (b->quick ? 2 : 3); s++) {
      double ms[2];
      for (int wrong = 0; wrong < 2; wrong++) {
        Words files = values_files(b, dir, form, sizes[s].files, sizes[s].bytes, wrong);
        values_files(b, alone, form, sizes[s].files, sizes[s].bytes, wrong);
        Contenders all = {0};
        Contender ours = vet(b, way, dir, &files), evaluated = vet(b, OPM_EVALUATED, dir, &files);
        Contender theirs = cue_vet(b, alone, &files);
        ProcResult x = run_contender(b, &ours), y = run_contender(b, &evaluated), z = run_contender(b, &theirs);
        const char *task = cue_strf(a, "vet, %s of %s%s", sizes[s].text, endings[form], wrong ? ", one wrong" : "").s;
        if ((x.exit != 0) != wrong || (y.exit != 0) != wrong || (z.exit != 0) != wrong) {
          printf("bench: %s: verdicts differ: %d, %d, cue %d\n%.*s", task, x.exit, y.exit, z.exit, CUE_FMT(x.err));
          b->wrong = true;
          continue;
        }
        cue_push(a, &all, ours);
        cue_push(a, &all, theirs);
        Cost *c = bench_measure(b, "W5", task, &all, false);
        ms[wrong] = c[0].ms;
        for (uint32_t i = 0; i < all.n && wrong; i++) b->rows.at[b->rows.n - all.n + i].note = "finds the error";
      }
      if (s == 2)
        cue_push(a, &b->notes,
                 cue_strf(a, "W5: %s: %.1f MB/s as a whole process; the failing case takes %.2f times as long.",
                          endings[form], 1.048576 / ms[0] * 1e3, ms[1] / ms[0]));
    }
}

/* ---- W10: adversarial ---- */

static const char odd_module[] =
    "package main\n\nimport (\n\t\"opmodel.dev/core@v0\"\n\t\"opmodel.dev/resources/config@v0\"\n"
    "\t\"opmodel.dev/resources/workload@v0\"\n)\n\n"
    "core.#Module\n\nmetadata: {apiVersion: \"example.com/odd@v0\", name: \"odd\", version: \"1.0.0\"}\n"
    "#config: {\n\tdata: [string]: string\n\targs: [...string]\n\tdeep?: _\n}\nvalues: #config\n"
    "#components: settings: {\n\tconfig.#ConfigMaps\n\tspec: configMaps: settings: data: #config.data\n}\n"
    "#components: app: {\n\tworkload.#Container\n\tmetadata: labels: \"core.opmodel.dev/workload-type\": \"stateless\"\n"
    "\tspec: container: {name: \"app\", image: \"app:1\", args: #config.args}\n}\n";

typedef enum { LONG_STRING, MANY_KEYS, DEEP, ESCAPES, LONG_LIST, SHAPES } Shape;

static CueStr odd_values(CueArena *a, Shape shape, uint32_t n) {
  CueBuf data = cue_buf(a), args = cue_buf(a), deep = cue_buf(a);
  if (shape == LONG_STRING) {
    cue_buf_z(&data, "\"long\": \"");
    cue_buf_repeat(&data, 'x', n);
    cue_buf_ch(&data, '"');
  }
  for (uint32_t i = 0; shape == MANY_KEYS && i < n; i++)
    cue_buf_f(&data, "%s\"key-%u\": \"value %u\"", i ? ", " : "", i, i);
  if (shape == ESCAPES) {
    cue_buf_z(&data, "\"odd\": \"");
    for (uint32_t i = 0; i < n; i++) cue_buf_z(&data, i % 2 ? "\\\"\\u0001" : "\\\\\\n\\t");
    cue_buf_ch(&data, '"');
  }
  for (uint32_t i = 0; shape == LONG_LIST && i < n; i++) cue_buf_f(&args, "%s\"argument %u\"", i ? ", " : "", i);
  for (uint32_t i = 0; shape == DEEP && i < n; i++) cue_buf_z(&deep, "{\"a\": ");
  if (shape == DEEP) cue_buf_ch(&deep, '1');
  for (uint32_t i = 0; shape == DEEP && i < n; i++) cue_buf_ch(&deep, '}');
  return cue_strf(a, "{\"data\": {%s}, \"args\": [%s]%s%s}", cue_buf_done(&data).s, cue_buf_done(&args).s,
                  shape == DEEP ? ", \"deep\": " : "", cue_buf_done(&deep).s);
}

void workload_adversarial(Bench *b) {
  CueArena *a = b->a;
  static const struct {
    const char *name;
    uint32_t most;
  } shapes[SHAPES] = {[LONG_STRING] = {"a string of %u bytes", 1u << 20},
                      [MANY_KEYS] = {"a map of %u keys", 100000},
                      [DEEP] = {"structs %u deep", 1000},
                      [ESCAPES] = {"%u escapes", 200000},
                      [LONG_LIST] = {"a list of %u", 10000}};
  const char *dir = cue_strf(a, "%s/odd", b->dir).s;
  write_in(b, dir, "cue.mod/module.cue", MODULE_FILE("odd"));
  write_in(b, dir, "module.cue", cue_str(odd_module));
  for (int s = 0; s < SHAPES; s++) {
    double x[3], ms[3], fixed = 0;
    for (int step = 0; step < 3; step++) {
      uint32_t n = shapes[s].most / (b->quick ? 64 : 1) >> (2 * (2 - step));
      CueStr values = odd_values(a, (Shape)s, n), json;
      write_in(b, dir, "odd.json", cue_strf(a, "{\"values\": %.*s}", CUE_FMT(values)));
      char name[64];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
      snprintf(name, sizeof name, shapes[s].name, n);
#pragma GCC diagnostic pop
      Contenders all = our_ways(b, dir, true, "odd.json", &json);
      if (!all.n) {
        b->wrong = true;
        break;
      }
      const char *peer = cue_strf(a, "%s-cue", dir).s;
      if (step == 0) {
        bench_peer(b, dir, values);
        Contender cue = cue_peer(b, peer);
        ProcResult p = run_contender(b, &cue);
        if (p.exit == 0 && bench_same(b, "cue", json, p.out, true)) cue_push(a, &all, cue);
      }
      Cost *c = bench_measure(b, "W10", cue_str_copy(a, cue_str(name)).s, &all, false);
      x[step] = n, ms[step] = c[0].ms;
      if (step == 0) {
        dir_remove(peer);
        write_in(b, dir, "none.json", CUE_STR("{\"values\": {\"data\": {}, \"args\": []}}"));
        Contenders none = {0};
        Contender least = all.at[0];
        least.argv = (Words){0};
        for (uint32_t i = 0; i < all.at[0].argv.n; i++)
          cue_push(a, &least.argv, strcmp(all.at[0].argv.at[i], "odd.json") ? all.at[0].argv.at[i] : "none.json");
        cue_push(a, &none, least);
        fixed = bench_measure(b, "W10", "nothing", &none, false)[0].ms;
        b->rows.n--;
      }
      if (step < 2) continue;
      double e = scaling_exponent(x, ms, 3, fixed);
      need(b, "W10", !(e > 1.1), cue_strf(a, "exponent of %s", name),
           isnan(e) ? CUE_STR("nothing to see") : cue_strf(a, "%.2f", e), "1.1");
    }
  }
}
