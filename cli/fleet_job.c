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

static bool take_number(Run *r, FlagId id, const char *flag, int64_t least, int64_t *out) {
  CueStr s = flag_text(&r->flags, id);
  int64_t n = 0;
  bool ok = s.n > 0 && s.n < 8;
  for (size_t i = 0; ok && i < s.n; i++) {
    ok = s.s[i] >= '0' && s.s[i] <= '9';
    n = n * 10 + (s.s[i] - '0');
  }
  if (!ok || n < least)
    return refuse(r, cue_strf(r->a, "%s is a number of at least %d, not \"%.*s\"", flag, (int)least, CUE_FMT(s)));
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
  while (i < s.n && s.s[i] >= '0' && s.s[i] <= '9') i++;
  if (!i) return false;
  for (size_t k = 0; k < sizeof units / sizeof *units; k++)
    if (cue_str_is(cue_str_sub(s, i, s.n), units[k])) return true;
  return false;
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
  bool claim = ok && cue_str_is(kind, "claim");
  if (claim || (ok && !written && (cue_str_is(kind, "configmap") || cue_str_is(kind, "image")))) return true;
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
  if (!take_number(r, FLAG_SHARDS, "--shards", 1, &j->shards)) return false;
  j->parallelism = j->shards;
  if (f->at[FLAG_PARALLELISM].given && !take_number(r, FLAG_PARALLELISM, "--parallelism", 1, &j->parallelism))
    return false;
  if (!take_number(r, FLAG_RETRIES, "--retries", 0, &j->retries)) return false;
  if (!thousandths(j->cpu, &cpu))
    return refuse(r, cue_strf(r->a, "--cpu is like 2 or 500m, not \"%.*s\"", CUE_FMT(j->cpu)));
  if (!is_quantity(j->memory))
    return refuse(r, cue_strf(r->a, "--memory is like 256Mi, not \"%.*s\"", CUE_FMT(j->memory)));
  if (!release_is_name(j->name)) return refuse(r, cue_strf(r->a, "a job cannot be named \"%.*s\"", CUE_FMT(j->name)));
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
