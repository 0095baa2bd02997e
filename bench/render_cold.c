/* render_cold.c - W1 and W2: one module in a fresh process, beside tools that make the same objects. */
#include <stdio.h>
#include <string.h>

#include "bench/render.h"
#include "tests/peer.h"

/* Values that are found again in what is rendered, and what takes their place. */
static const Hole holes[] = {
    {{"registry-hole.example.com", 25}, "registry", {"registry.example.com", 20}},
    {{"tag-hole", 8}, "tag", {"1.2.3", 5}},
    {{"host-hole.example.com", 21}, "host", {"www.example.com", 15}},
    {{"997", 3}, "replicas", {"3", 1}},
};
enum { HOLES = sizeof holes / sizeof *holes };

static CueStr values_json(CueArena *a, bool with_holes, const char *more) {
  CueBuf b = cue_buf(a);
  cue_buf_ch(&b, '{');
  for (size_t i = 0; i < HOLES; i++) {
    CueStr v = with_holes ? holes[i].hole : holes[i].value;
    const char *quote = strcmp(holes[i].name, "replicas") == 0 ? "" : "\"";
    cue_buf_f(&b, "%s\"%s\": %s%.*s%s", i ? ", " : "", holes[i].name, quote, CUE_FMT(v), quote);
  }
  cue_buf_f(&b, ", %s}", more);
  return cue_buf_done(&b);
}

static CueStr as_json(CueArena *a, CueValue v) {
  CueBuf b = cue_buf(a);
  cue_emit_json(&b, v, (CueJsonStyle){0});
  return cue_buf_done(&b);
}

/* Its answer must be our objects; then it takes part. */
static void try_tool(Bench *b, Contenders *all, Contender c, CueStr ours, bool yaml) {
  ProcResult p = run_contender(b, &c);
  if (p.exit) printf("bench: %s fails, left out: %.*s\n", c.name, CUE_FMT(p.err));
  if (p.exit) return;
  CueStr theirs = yaml ? as_json(b->a, template_read_yaml(b->a, p.out)) : p.out;
  if (bench_same(b, c.name, ours, theirs, true)) cue_push(b->a, all, c);
}

typedef struct {
  const char *workload, *module, *task, *more;
  unsigned components;
} Cold;

static void cold_needs(Bench *b, const Cold *w, const Contenders *c, const Cost *cost) {
  const Cost *ours = NULL, *cue = NULL, *nothing = NULL;
  for (uint32_t i = 0; i < c->n; i++) {
    if (strcmp(c->at[i].name, "opm, compiled") == 0) ours = &cost[i];
    if (strcmp(c->at[i].name, "cue") == 0) cue = &cost[i];
    if (strcmp(c->at[i].name, "/bin/true") == 0) nothing = &cost[i];
  }
  CueArena *a = b->a;
  CueStr wall =
      cue_strf(a, "cold `opm mod build`, %u component%s, compiled", w->components, w->components == 1 ? "" : "s");
  CueStr memory = cue_strf(a, "its memory"), times = cue_strf(a, "times faster than cue");
  if (!ours || !nothing) {
    need_missing(b, w->workload, wall, "3x /bin/true + 1 ms");
    need_missing(b, w->workload, memory, "8 MB");
    need_missing(b, w->workload, times, "100");
    return;
  }
  double most = 3 * nothing->ms + 1;
  need(b, w->workload, ours->ms <= most, wall, cue_strf(a, "%.2f ms", ours->ms),
       cue_strf(a, "3x /bin/true + 1 ms = %.2f ms", most).s);
  need(b, w->workload, ours->mb <= 8, memory, cue_strf(a, "%.1f MB", ours->mb), "8 MB");
  if (cue) need(b, w->workload, cue->ms >= 100 * ours->ms, times, cue_strf(a, "%.0f", cue->ms / ours->ms), "100");
}

static void cold(Bench *b, const Cold *w) {
  CueArena *a = b->a;
  const char *module = bench_module(b, w->module, w->module);
  CueStr values = values_json(a, false, w->more), with_holes = values_json(a, true, w->more);
  file_write(cue_strf(a, "%s/values.json", module).s, cue_strf(a, "{\"values\": %.*s}", CUE_FMT(values)));
  file_write(cue_strf(a, "%s/holes.json", module).s, cue_strf(a, "{\"values\": %.*s}", CUE_FMT(with_holes)));
  static const char *const forms[] = {"json", "yaml"};
  Contenders all = {0};
  CueStr said[2];
  for (int f = 0; f < 2; f++) { /* every way of ours gives the same bytes in both forms */
    for (OpmWay way = OPM_EVALUATED; way <= OPM_COMPILED; way++) {
      if (way == OPM_COMPILED && f == 0 && !bench_compile(b, module, true)) break;
      if (way == OPM_COMPILED && !b->compiles) break;
      Contender c = opm_contender(b, way, module, "mod", "build", ".", "-f", "values.json", "-o", forms[f], NULL);
      ProcResult p = run_contender(b, &c);
      if (p.exit) proc_die("bench: %s fails:\n%.*s", c.name, CUE_FMT(p.err));
      if (way == OPM_EVALUATED) said[f] = p.out;
      if (bench_same(b, c.name, said[f], p.out, false) && f == 0) cue_push(a, &all, c);
    }
  }
  if (all.n == 3) { /* the fastest first: ratios are to it */
    Contender compiled = all.at[2];
    all.at[2] = all.at[0], all.at[0] = compiled;
  }
  Contender cue =
      contender(b, "cue", bench_peer(b, module, values), b->cue, "export", "./" PEER_FOLDER, "-e", "objects", NULL);
  contender_env(b, &cue, "CUE_CACHE_DIR", cue_strf(a, "%s/catalog", b->dir).s);
  contender_env(b, &cue, "CUE_REGISTRY", "none");
  try_tool(b, &all, cue, said[0], false);
  Contender holed =
      opm_contender(b, OPM_INTERPRETED, module, "mod", "build", ".", "-f", "holes.json", "-o", "json", NULL);
  Template t = {.dir = cue_strf(a, "%s-tools", module).s, .holes = holes, .n = HOLES};
  t.objects = peer_json(a, run_contender(b, &holed).out);
  if (t.objects.kind != CUE_LIST) proc_die("bench: no objects with holes");
  template_helm(a, &t), template_kustomize(a, &t), template_jsonnet(a, &t, false), template_pkl(a, &t, false);
  if (b->kustomize)
    try_tool(b, &all, contender(b, "kustomize v5.7.1", t.dir, b->kustomize, "build", "kustomize", NULL), said[0], true);
  if (b->helm)
    try_tool(b, &all, contender(b, "helm v3.18.6", t.dir, b->helm, "template", "hello", "helm", NULL), said[0], true);
  if (b->jrsonnet)
    try_tool(b, &all, contender(b, "jrsonnet", t.dir, b->jrsonnet, "jsonnet/objects.jsonnet", NULL), said[0], false);
  if (b->pkl) try_tool(b, &all, contender(b, "Pkl", t.dir, b->pkl, "eval", "pkl/objects.pkl", NULL), said[0], false);
  const char *bytes = cue_strf(a, "%s/bytes.json", t.dir).s;
  file_write(bytes, said[0]);
  cue_push(a, &all, contender(b, "/bin/true", t.dir, "/bin/true", NULL));
  cue_push(a, &all, contender(b, "the bytes alone, written", t.dir, b->limit, bytes, "1", NULL));
  cue_push(a, &all, contender(b, "cat of the bytes", t.dir, "/bin/cat", bytes, NULL));
  uint32_t first = b->rows.n;
  Cost *cost = bench_measure(b, w->workload, w->task, &all, false);
  for (uint32_t i = 0; i < all.n; i++)
    if (strncmp(all.at[i].name, "opm", 3) == 0) b->rows.at[first + i].instructions = instructions(a, &all.at[i]);
  cold_needs(b, w, &all, cost);
}

void workload_cold(Bench *b) {
  Contenders version = {0};
  cue_push(b->a, &version, opm_contender(b, OPM_INTERPRETED, b->dir, "version", NULL));
  version.at[0].name = "opm";
  cue_push(b->a, &version, contender(b, "cue", b->dir, b->cue, "version", NULL));
  cue_push(b->a, &version, contender(b, "/bin/true", b->dir, "/bin/true", NULL));
  uint32_t first = b->rows.n;
  bench_measure(b, "W1", "version", &version, false);
  b->rows.at[first].instructions = instructions(b->a, &version.at[0]);
  static const Cold all[] = {{"W1", "hello", "mod build, 1 component, 2 objects", "\"env\": {}", 1},
                             {"W2", "shop", "mod build, 5 components, 11 objects", "\"password\": \"c2VjcmV0\"", 5}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) cold(b, &all[i]);
}

/* ---- libraries ---- */

/* What the dynamic loader says that it looks for while a command runs; of a static program it never hears. */
static void loaded(Bench *b, const char *what, Contender c) {
  static const char *const network[] = {"libcurl", "libssl", "libcrypto", "libresolv", "libnss"};
  contender_env(b, &c, "LD_DEBUG", "libs");
  ProcResult p = run_contender(b, &c);
  const char *found = NULL;
  for (size_t i = 0; i < sizeof network / sizeof *network; i++)
    if (cue_str_find(p.err, cue_str(network[i])) >= 0) found = network[i];
  bool any = cue_str_find(p.err, CUE_STR("find library=")) >= 0;
  need(b, "-", p.exit == 0 && !found, cue_strf(b->a, "libraries that `%s` loads", what),
       cue_str(p.exit  ? "it fails"
               : found ? found
               : any   ? "none of the network"
                       : "none at all"),
       "no libcurl, no OpenSSL, nothing of the network");
}

void workload_libraries(Bench *b) {
  const char *module = bench_module(b, "hello", "libraries");
  file_write(cue_strf(b->a, "%s/fleet.jsonl", b->dir).s, CUE_STR("{\"module\": \"libraries\"}\n"));
  loaded(b, "opm version", opm_contender(b, OPM_INTERPRETED, b->dir, "version", NULL));
  loaded(b, "opm mod build", opm_contender(b, OPM_INTERPRETED, module, "mod", "build", ".", NULL));
  loaded(b, "opm fleet build", opm_contender(b, OPM_INTERPRETED, b->dir, "fleet", "build", "fleet.jsonl", NULL));
}
