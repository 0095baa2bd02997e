/* fleet_job.c - opm fleet job: an Indexed Job of Kubernetes that renders a fleet, a shard in each of its pods.
**
** The index of a pod is the number of its shard. The fleet and the modules come from volumes that are only
** read; files go to a claim, or objects to the log of the pod. A pod that was rendered to the end and
** found something wrong is not tried again, one that was lost is.
*/
#include "cli/log.h"
#include "compiler/load_fs.h"
#include "runtime/release/impl.h"

#define FLEET_AT "/fleet"
#define MODULES_AT "/modules"
#define OUT_AT "/out"

typedef struct {
  CueArena *a;
  CUE_VEC(CueField) at;
} Fields;

static void set(Fields *f, const char *key, CueValue v) { cue_push(f->a, &f->at, (CueField){cue_str(key), v}); }

static CueValue done(const Fields *f) {
  CueStruct *s = cue_struct_new(f->a, f->at.n);
  for (uint32_t i = 0; i < f->at.n; i++) s->at[i] = f->at.at[i];
  return cue_struct(s);
}

typedef struct {
  CueArena *a;
  CUE_VEC(CueValue) at;
} Items;

static void add(Items *l, CueValue v) { cue_push(l->a, &l->at, v); }
static void add_text(Items *l, CueStr s) { add(l, cue_string(s)); }

static CueValue listed(const Items *l) {
  CueList *out = cue_list_new(l->a, l->at.n);
  for (uint32_t i = 0; i < l->at.n; i++) out->at[i] = l->at.at[i];
  return cue_list(out);
}

static CueValue text(const char *s) { return cue_string(cue_str(s)); }
static CueValue one(CueArena *a, const char *key, CueValue v) {
  Fields f = {.a = a};
  set(&f, key, v);
  return done(&f);
}
static CueValue only(CueArena *a, CueValue v) {
  Items l = {.a = a};
  add(&l, v);
  return listed(&l);
}

/* ---- flags ---- */

enum { MOST_PODS = 100000 }; /* of an Indexed Job whose parts are tried again one by one */

typedef struct {
  Run *r;
  CueStr fleet, image, name, namespace, cpu, memory, account, form;
  int64_t shards, parallelism, retries, jobs;
  CueStr fleet_from, modules_from, out_to;
} Job;

static bool refuse(Run *r, CueStr message) {
  run_fail(r, &(Problem){.code = EXIT_GENERAL,
                         .type = "usage",
                         .message = message,
                         .hint = cue_strf(r->a, "%.*s --help", CUE_FMT(r->path))});
  return false;
}

static bool take_number(Run *r, FlagId id, const char *flag, int64_t least, int64_t most, int64_t *out) {
  CueStr s = flag_text(&r->flags, id);
  int64_t n = 0;
  bool ok = s.n > 0 && s.n < 11;
  for (size_t i = 0; ok && i < s.n; i++) {
    ok = s.s[i] >= '0' && s.s[i] <= '9';
    n = n * 10 + (s.s[i] - '0');
  }
  if (!ok || n < least || n > most)
    return refuse(r, cue_strf(r->a, "%s is a number from %lld to %lld, not \"%.*s\"", flag, (long long)least,
                              (long long)most, CUE_FMT(s)));
  *out = n;
  return true;
}

/* Processors in thousandths: "2", "1.5", "500m". */
static bool thousandths(CueStr s, int64_t *out) {
  bool milli = cue_str_has_suffix(s, CUE_STR("m")), any = false;
  int64_t n = 0, scale = milli ? 1 : 1000;
  if (milli) s.n--;
  if (!s.n || s.n > 9) return false;
  bool point = false;
  for (size_t i = 0; i < s.n; i++) {
    if (s.s[i] == '.' && !point && !milli) {
      point = true;
      continue;
    }
    if (s.s[i] < '0' || s.s[i] > '9') return false;
    any = true;
    if (point) {
      if (scale == 1) return false;
      scale /= 10;
    }
    n = n * 10 + (s.s[i] - '0');
  }
  *out = n * scale;
  return any && *out > 0;
}

static bool is_quantity(CueStr s) {
  static const char *const units[] = {"", "k", "M", "G", "T", "Ki", "Mi", "Gi", "Ti"};
  size_t i = 0;
  bool some = false;
  for (; i < s.n && s.s[i] >= '0' && s.s[i] <= '9'; i++) some |= s.s[i] != '0';
  if (!some) return false;
  for (size_t k = 0; k < sizeof units / sizeof *units; k++)
    if (cue_str_is(cue_str_sub(s, i, s.n), units[k])) return true;
  return false;
}

/* ---- names, as Kubernetes and registries take them ---- */

static bool is_lower(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
static bool is_alnum(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }

/* Of claims, config maps and accounts: labels with dots between them. */
static bool is_subdomain(CueStr s) {
  if (!s.n || s.n > 253) return false;
  for (size_t i = 0; i < s.n; i++) {
    bool edge = i == 0 || i + 1 == s.n || s.s[i - 1] == '.' || s.s[i + 1] == '.';
    if (!is_lower(s.s[i]) && (edge || (s.s[i] != '-' && s.s[i] != '.'))) return false;
  }
  return true;
}

/* Part of the path of an image: words of small letters, with ".", "_", "__" or dashes between them. */
static bool is_path_part(CueStr s) {
  size_t marks = 0;
  for (size_t i = 0; i < s.n; i++) {
    char c = s.s[i];
    marks = is_lower(c) ? 0 : marks + 1;
    if (!marks) continue;
    bool more = marks > 1 && (c != s.s[i - 1] || c == '.' || (c == '_' && marks > 2));
    if ((c != '.' && c != '_' && c != '-') || i + 1 == s.n || i + 1 == marks || more) return false;
  }
  return s.n > 0;
}

static bool is_host(CueStr s) {
  ptrdiff_t colon = cue_str_find(s, CUE_STR(":"));
  size_t n = colon < 0 ? s.n : (size_t)colon;
  bool ok = n > 0 && (colon < 0 || n + 1 < s.n);
  for (size_t i = 0; i < n; i++) ok &= is_alnum(s.s[i]) || (i && (s.s[i] == '.' || s.s[i] == '-'));
  for (size_t i = n + 1; i < s.n; i++) ok &= s.s[i] >= '0' && s.s[i] <= '9';
  return ok;
}

static bool is_tag(CueStr s) {
  bool ok = s.n > 0 && s.n <= 128;
  for (size_t i = 0; i < s.n; i++) ok &= is_alnum(s.s[i]) || s.s[i] == '_' || (i && (s.s[i] == '.' || s.s[i] == '-'));
  return ok;
}

static bool is_digest(CueStr s) {
  ptrdiff_t colon = cue_str_find(s, CUE_STR(":"));
  bool ok = colon > 0 && s.n - (size_t)colon > 32;
  for (size_t i = 0; ok && i < s.n; i++)
    ok = i < (size_t)colon ? is_alnum(s.s[i]) || s.s[i] == '+' : i == (size_t)colon || is_alnum(s.s[i]);
  return ok;
}

/* [HOST[:PORT]/]PATH[:TAG][@DIGEST] */
static bool is_image(CueStr s) {
  ptrdiff_t at = cue_str_find(s, CUE_STR("@"));
  if (at >= 0 && !is_digest(cue_str_sub(s, (size_t)at + 1, s.n))) return false;
  if (at >= 0) s.n = (size_t)at;
  size_t from = 0, colon = s.n;
  while (colon && s.s[colon - 1] != ':' && s.s[colon - 1] != '/') colon--;
  bool tagged = colon && s.s[colon - 1] == ':';
  if (tagged && !is_tag(cue_str_sub(s, colon, s.n))) return false;
  if (tagged) s.n = colon - 1;
  for (;;) {
    ptrdiff_t slash = cue_str_find(cue_str_sub(s, from, s.n), CUE_STR("/"));
    CueStr part = cue_str_sub(s, from, slash < 0 ? s.n : from + (size_t)slash);
    if (!is_path_part(part) && (from || slash < 0 || !is_host(part))) return false;
    if (slash < 0) return true;
    from += (size_t)slash + 1;
  }
}

/* "claim:NAME", "configmap:NAME", "image:REFERENCE". */
static bool split_source(CueStr s, CueStr *kind, CueStr *name) {
  ptrdiff_t colon = cue_str_find(s, CUE_STR(":"));
  if (colon <= 0 || (size_t)colon + 1 == s.n) return false;
  *kind = cue_str_sub(s, 0, (size_t)colon);
  *name = cue_str_sub(s, (size_t)colon + 1, s.n);
  return true;
}

static bool take_source(Run *r, FlagId id, const char *flag, bool written, CueStr *out) {
  CueStr kind, name;
  *out = flag_text(&r->flags, id);
  if (!r->flags.at[id].given) return true;
  bool ok = split_source(*out, &kind, &name);
  bool claim = ok && cue_str_is(kind, "claim"), image = ok && cue_str_is(kind, "image");
  if (claim || (!written && (image || (ok && cue_str_is(kind, "configmap"))))) {
    if (image ? is_image(name) : is_subdomain(name)) return true;
    return refuse(r, cue_strf(r->a, "%s: %s cannot be named \"%.*s\"", flag,
                              image   ? "an image"
                              : claim ? "a claim"
                                      : "a config map",
                              CUE_FMT(name)));
  }
  return refuse(r, cue_strf(r->a, "%s is %s, not \"%.*s\"", flag,
                            written ? "claim:NAME" : "claim:NAME, configmap:NAME or image:REFERENCE", CUE_FMT(*out)));
}

static bool take_flags(Run *r, Job *j) {
  const Flags *f = &r->flags;
  *j = (Job){.r = r,
             .image = flag_text(f, FLAG_IMAGE),
             .name = flag_text(f, FLAG_NAME),
             .namespace = flag_text(f, FLAG_NAMESPACE),
             .cpu = flag_text(f, FLAG_CPU),
             .memory = flag_text(f, FLAG_MEMORY),
             .account = flag_text(f, FLAG_SERVICE_ACCOUNT),
             .form = flag_text(f, FLAG_OUTPUT)};
  int64_t cpu;
  if (f->args.n != 1 || !f->args.at[0].n)
    return refuse(r, cue_strf(r->a, "%.*s takes one fleet, got %u arguments", CUE_FMT(r->path), f->args.n));
  j->fleet = f->args.at[0];
  if (cue_str_is(j->fleet, "-")) return refuse(r, CUE_STR("the pods of a job have no standard input: name a file"));
  if (!j->image.n) return refuse(r, CUE_STR("--image is required: an image that contains opm"));
  if (!is_image(j->image)) return refuse(r, cue_strf(r->a, "an image cannot be named \"%.*s\"", CUE_FMT(j->image)));
  if (!take_number(r, FLAG_SHARDS, "--shards", 1, MOST_PODS, &j->shards)) return false;
  j->parallelism = j->shards;
  if (f->at[FLAG_PARALLELISM].given &&
      !take_number(r, FLAG_PARALLELISM, "--parallelism", 1, MOST_PODS, &j->parallelism))
    return false;
  if (!take_number(r, FLAG_RETRIES, "--retries", 0, INT32_MAX, &j->retries)) return false;
  if (!thousandths(j->cpu, &cpu))
    return refuse(r, cue_strf(r->a, "--cpu is like 2 or 500m, not \"%.*s\"", CUE_FMT(j->cpu)));
  if (!is_quantity(j->memory))
    return refuse(r, cue_strf(r->a, "--memory is like 256Mi, not \"%.*s\"", CUE_FMT(j->memory)));
  if (!release_is_name(j->name)) return refuse(r, cue_strf(r->a, "a job cannot be named \"%.*s\"", CUE_FMT(j->name)));
  size_t host = j->name.n + 1 + cue_int_text(r->a, j->shards - 1).n;
  if (host > 63)
    return refuse(r, cue_strf(r->a,
                              "a job of %lld pods cannot be named \"%.*s\": with their numbers the names of pods are "
                              "longer than 63 characters",
                              (long long)j->shards, CUE_FMT(j->name)));
  if (j->account.n && !is_subdomain(j->account))
    return refuse(r, cue_strf(r->a, "a service account cannot be named \"%.*s\"", CUE_FMT(j->account)));
  if (j->namespace.n && !release_is_name(j->namespace))
    return refuse(r, cue_strf(r->a, "a namespace cannot be named \"%.*s\"", CUE_FMT(j->namespace)));
  j->jobs = (cpu + 999) / 1000;
  return take_source(r, FLAG_FLEET_FROM, "--fleet-from", false, &j->fleet_from) &&
         take_source(r, FLAG_MODULES_FROM, "--modules-from", false, &j->modules_from) &&
         take_source(r, FLAG_OUT_TO, "--out-to", true, &j->out_to);
}

/* ---- the job ---- */

static void mount(Job *j, Items *volumes, Items *mounts, const char *name, CueStr source, const char *at, bool write) {
  CueArena *a = j->r->a;
  CueStr kind, of;
  if (!source.n || !split_source(source, &kind, &of)) return;
  Fields v = {.a = a}, in = {.a = a}, m = {.a = a};
  set(&v, "name", text(name));
  if (cue_str_is(kind, "claim")) {
    set(&in, "claimName", cue_string(of));
    if (!write) set(&in, "readOnly", cue_bool(true));
    set(&v, "persistentVolumeClaim", done(&in));
  } else if (cue_str_is(kind, "configmap")) {
    set(&v, "configMap", one(a, "name", cue_string(of)));
  } else {
    set(&v, "image", one(a, "reference", cue_string(of)));
  }
  add(volumes, done(&v));
  set(&m, "name", text(name));
  set(&m, "mountPath", text(at));
  if (!write) set(&m, "readOnly", cue_bool(true));
  add(mounts, done(&m));
}

static CueValue command(Job *j) {
  CueArena *a = j->r->a;
  Items l = {.a = a};
  add_text(&l, CUE_STR("opm"));
  add_text(&l, CUE_STR("fleet"));
  add_text(&l, CUE_STR("build"));
  add_text(&l, j->fleet.s[0] == '/' ? j->fleet : path_join(a, CUE_STR(FLEET_AT), j->fleet));
  /* Kubernetes puts the index in place of its variable. */
  add_text(&l, cue_strf(a, "--shard=$(JOB_COMPLETION_INDEX)/%lld", (long long)j->shards));
  add_text(&l, cue_strf(a, "--jobs=%lld", (long long)j->jobs));
  add_text(&l, cue_strf(a, "--output=%.*s", CUE_FMT(j->form)));
  if (j->out_to.n) add_text(&l, CUE_STR("--out-dir=" OUT_AT));
  return listed(&l);
}

static CueValue container(Job *j, const Items *mounts) {
  CueArena *a = j->r->a;
  Fields c = {.a = a}, res = {.a = a}, requests = {.a = a}, safe = {.a = a};
  set(&c, "name", text("opm"));
  set(&c, "image", cue_string(j->image));
  set(&c, "command", command(j));
  set(&requests, "cpu", cue_string(j->cpu));
  set(&requests, "memory", cue_string(j->memory));
  set(&res, "requests", done(&requests));
  set(&res, "limits", one(a, "memory", cue_string(j->memory)));
  set(&c, "resources", done(&res));
  set(&safe, "allowPrivilegeEscalation", cue_bool(false));
  set(&safe, "readOnlyRootFilesystem", cue_bool(true));
  set(&safe, "capabilities", one(a, "drop", only(a, text("ALL"))));
  set(&c, "securityContext", done(&safe));
  if (mounts->at.n) set(&c, "volumeMounts", listed(mounts));
  return done(&c);
}

static CueValue pod(Job *j) {
  CueArena *a = j->r->a;
  Items volumes = {.a = a}, mounts = {.a = a};
  Fields s = {.a = a}, safe = {.a = a};
  mount(j, &volumes, &mounts, "fleet", j->fleet_from, FLEET_AT, false);
  mount(j, &volumes, &mounts, "modules", j->modules_from, MODULES_AT, false);
  mount(j, &volumes, &mounts, "out", j->out_to, OUT_AT, true);
  set(&s, "restartPolicy", text("Never"));
  if (j->account.n)
    set(&s, "serviceAccountName", cue_string(j->account));
  else
    set(&s, "automountServiceAccountToken", cue_bool(false));
  set(&safe, "runAsNonRoot", cue_bool(true));
  set(&safe, "seccompProfile", one(a, "type", text("RuntimeDefault")));
  set(&s, "securityContext", done(&safe));
  set(&s, "containers", only(a, container(j, &mounts)));
  if (volumes.at.n) set(&s, "volumes", listed(&volumes));
  return done(&s);
}

/* What is wrong with a fleet stays so; what befell a pod does not count. */
static CueValue failure_policy(CueArena *a) {
  Items rules = {.a = a}, codes = {.a = a};
  Fields wrong = {.a = a}, on = {.a = a}, lost = {.a = a}, gone = {.a = a};
  add(&codes, cue_int(EXIT_INVALID));
  add(&codes, cue_int(EXIT_MISSING));
  set(&on, "containerName", text("opm"));
  set(&on, "operator", text("In"));
  set(&on, "values", listed(&codes));
  set(&wrong, "action", text("FailIndex"));
  set(&wrong, "onExitCodes", done(&on));
  set(&gone, "type", text("DisruptionTarget"));
  set(&gone, "status", text("True"));
  set(&lost, "action", text("Ignore"));
  set(&lost, "onPodConditions", only(a, done(&gone)));
  add(&rules, done(&wrong));
  add(&rules, done(&lost));
  return one(a, "rules", listed(&rules));
}

static CueValue labels(CueArena *a, CueStr name) {
  Fields f = {.a = a};
  set(&f, "app.kubernetes.io/managed-by", text("open-platform-model"));
  set(&f, "app.kubernetes.io/name", cue_string(name));
  return done(&f);
}

static CueValue job(Job *j) {
  CueArena *a = j->r->a;
  Fields all = {.a = a}, meta = {.a = a}, spec = {.a = a}, template = {.a = a};
  set(&meta, "name", cue_string(j->name));
  if (j->namespace.n) set(&meta, "namespace", cue_string(j->namespace));
  set(&meta, "labels", labels(a, j->name));
  set(&template, "metadata", one(a, "labels", labels(a, j->name)));
  set(&template, "spec", pod(j));
  set(&spec, "completionMode", text("Indexed"));
  set(&spec, "completions", cue_int(j->shards));
  set(&spec, "parallelism", cue_int(j->parallelism));
  set(&spec, "backoffLimitPerIndex", cue_int(j->retries));
  set(&spec, "podFailurePolicy", failure_policy(a));
  set(&spec, "template", done(&template));
  set(&all, "apiVersion", text("batch/v1"));
  set(&all, "kind", text("Job"));
  set(&all, "metadata", done(&meta));
  set(&all, "spec", done(&spec));
  return done(&all);
}

ExitCode run_fleet_job(Run *r) {
  Job j;
  if (!take_flags(r, &j)) return EXIT_GENERAL;
  if (!cue_str_is(j.form, "yaml") && !cue_str_is(j.form, "json")) {
    refuse(r, cue_strf(r->a, "invalid output format \"%.*s\" (valid: yaml, json)", CUE_FMT(j.form)));
    return EXIT_GENERAL;
  }
  (cue_str_is(j.form, "json") ? release_put_json : release_put_yaml)(r->out, job(&j), NULL);
  return EXIT_OK;
}
