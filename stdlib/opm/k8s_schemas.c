/* k8s_schemas.c - writes the CUE of stdlib/opm/schemas_kubernetes: run by `make k8s-schemas`, no part of the program.
**
** usage: k8s_schemas VERSION swagger.json FOLDER
**
** The OpenAPI document of Kubernetes names a type group by group: io.k8s.api.apps.v1.Deployment. Each row of the
** table below is one such group and becomes one package; a type of another group is a reference by import, so the
** rows must hold whatever the rows refer to. Definitions keep the document's order, which is alphabetical; fields have
** the order in which manifests are written.
** A definition without properties (Quantity, Time, IntOrString) is a scalar and is written where it is used.
** Nothing has a default, every definition is closed, and a kind fixes its apiVersion and kind. The text is laid out
** by `opm cue fmt` afterwards.
*/
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/value.h"

typedef struct {
  const char *group; /* the start of the document's names */
  const char *path;  /* folder, and the end of the import path */
  const char *name;  /* of the import */
} Package;

static const Package PACKAGES[] = {
    {"io.k8s.apimachinery.pkg.apis.meta.v1.", "meta/v1", "metav1"},
    {"io.k8s.api.core.v1.", "core/v1", "corev1"},
    {"io.k8s.api.apps.v1.", "apps/v1", "appsv1"},
    {"io.k8s.api.batch.v1.", "batch/v1", "batchv1"},
    {"io.k8s.api.networking.v1.", "networking/v1", "networkingv1"},
    {"io.k8s.api.autoscaling.v2.", "autoscaling/v2", "autoscalingv2"},
    {"io.k8s.api.policy.v1.", "policy/v1", "policyv1"},
};
enum { NPACKAGES = sizeof PACKAGES / sizeof PACKAGES[0] };

/* Fields that come first, wherever they are; others follow in the order of the document. CUE shows a manifest in the order
** that it and its type agree on, and by name where they do not. */
static const char *const ORDER[] = {
    /* objects */ "apiVersion",
    "kind",
    "metadata",
    "name",
    "generateName",
    "namespace",
    "labels",
    "annotations",
    "type",
    "data",
    "items",
    /* workloads */ "schedule",
    "concurrencyPolicy",
    "startingDeadlineSeconds",
    "successfulJobsHistoryLimit",
    "failedJobsHistoryLimit",
    "jobTemplate",
    "serviceName",
    "replicas",
    "completions",
    "parallelism",
    "backoffLimit",
    "activeDeadlineSeconds",
    "ttlSecondsAfterFinished",
    "minAvailable",
    "maxUnavailable",
    "maxSurge",
    "partition",
    "selector",
    "template",
    "strategy",
    "updateStrategy",
    /* containers */ "image",
    "imagePullPolicy",
    "command",
    "args",
    "port",
    "targetPort",
    "containerPort",
    "protocol",
    "nodePort",
    "hostIP",
    "hostPort",
    "ports",
    "env",
    "accessModes",
    "resources",
    "requests",
    "limits",
    "volumeMounts",
    "mountPath",
    "subPath",
    "readOnly",
    "livenessProbe",
    "readinessProbe",
    "startupProbe",
    "lifecycle",
    /* probes */ "httpGet",
    "exec",
    "tcpSocket",
    "initialDelaySeconds",
    "periodSeconds",
    "timeoutSeconds",
    "successThreshold",
    "failureThreshold",
    /* pods */ "containers",
    "initContainers",
    "restartPolicy",
    "terminationGracePeriodSeconds",
    "readOnlyRootFilesystem",
    "allowPrivilegeEscalation",
    "capabilities",
    "runAsNonRoot",
    "runAsUser",
    "runAsGroup",
    "securityContext",
    "serviceAccountName",
    "volumes",
    "nodeSelector",
    "maxSkew",
    "topologyKey",
    "whenUnsatisfiable",
    "labelSelector",
    "topologySpreadConstraints",
    /* routes */ "ingressClassName",
    "hosts",
    "secretName",
    "rules",
    "tls",
    "key",
    "path",
    "pathType",
    "backend",
    /* scaling */ "scaleTargetRef",
    "minReplicas",
    "maxReplicas",
    "metrics",
    "behavior",
    "scaleUp",
    "scaleDown"};

typedef struct {
  CueArena *a;
  const CueStruct *definitions;
  const Package *here;     /* the package being written */
  CueBuf body;             /* its definitions */
  bool imports[NPACKAGES]; /* what they refer to */
  bool imports_time;
} Gen;

static void die(const char *what, CueStr detail) {
  fputs("k8s_schemas: ", stderr);
  fputs(what, stderr);
  fputs(": ", stderr);
  fwrite(detail.s, 1, detail.n, stderr);
  fputs("\n", stderr);
  exit(1);
}

/* The member of an object; null if absent. */
static CueValue get(CueValue object, const char *key) {
  const CueValue *v = object.kind == CUE_STRUCT ? cue_struct_get(object.as.fields, cue_str(key)) : NULL;
  return v ? *v : cue_null();
}
static bool is(CueValue v, const char *text) { return v.kind == CUE_STRING && cue_str_is(cue_value_str(v), text); }
static bool holds(CueValue list, CueStr text) {
  for (uint32_t i = 0; list.kind == CUE_LIST && i < list.as.list->n; i++)
    if (cue_str_eq(cue_value_str(list.as.list->at[i]), text)) return true;
  return false;
}

/* A label that an expression of the same file may name would hide it from the fields beside it; so would a label that
** is no identifier be no label at all. Both are quoted. */
static void add_label(Gen *g, CueStr label) {
  static const char *const used[] = {"string", "number", "int", "int32", "int64", "bool", "time"};
  bool quoted = label.n == 0 || (label.s[0] >= '0' && label.s[0] <= '9') || label.s[0] == '_';
  for (size_t i = 0; i < sizeof used / sizeof used[0]; i++) quoted |= cue_str_is(label, used[i]);
  for (size_t i = 0; i < NPACKAGES; i++) quoted |= cue_str_is(label, PACKAGES[i].name);
  for (size_t i = 0; i < label.n; i++)
    quoted |= !strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", label.s[i]);
  if (quoted)
    cue_emit_json_string(&g->body, label, false);
  else
    cue_buf_str(&g->body, label);
}

static void add_type(Gen *g, CueValue schema);

static void add_reference(Gen *g, CueStr ref) {
  static const CueStr before = {"#/definitions/", 14};
  CueStr name = cue_str_sub(ref, before.n, ref.n);
  const CueValue *target = cue_str_has_prefix(ref, before) ? cue_struct_get(g->definitions, name) : NULL;
  if (!target) die("no such definition", ref);
  if (cue_str_is(name, "io.k8s.apimachinery.pkg.api.resource.Quantity")) {
    cue_buf_z(&g->body, "number | string"); /* a string by the document, but numbers are read as well */
    return;
  }
  if (get(*target, "properties").kind == CUE_NULL) {
    add_type(g, *target);
    return;
  }
  for (size_t i = 0; i < NPACKAGES; i++) {
    const Package *p = &PACKAGES[i];
    CueStr group = cue_str(p->group);
    if (!cue_str_has_prefix(name, group)) continue;
    if (p != g->here) {
      g->imports[i] = true;
      cue_buf_f(&g->body, "%s.", p->name);
    }
    cue_buf_f(&g->body, "#%.*s", CUE_FMT(cue_str_sub(name, group.n, name.n)));
    return;
  }
  die("a definition of a group that is not in the table", name);
}

static void add_object(Gen *g, CueValue schema) {
  CueValue elements = get(schema, "additionalProperties");
  if (elements.kind == CUE_NULL) {
    cue_buf_z(&g->body, "{...}");
    return;
  }
  cue_buf_z(&g->body, "{[string]: ");
  add_type(g, elements);
  cue_buf_z(&g->body, "}");
}

static void add_type(Gen *g, CueValue schema) {
  CueValue type = get(schema, "type"), format = get(schema, "format"), ref = get(schema, "$ref");
  if (ref.kind == CUE_STRING) {
    add_reference(g, cue_value_str(ref));
  } else if (is(type, "array")) {
    cue_buf_z(&g->body, "[...");
    add_type(g, get(schema, "items"));
    cue_buf_z(&g->body, "]");
  } else if (is(type, "object")) {
    add_object(g, schema);
  } else if (is(type, "integer") && format.kind == CUE_STRING) {
    cue_buf_f(&g->body, "%.*s & int", CUE_FMT(cue_value_str(format)));
  } else if (is(type, "number")) {
    cue_buf_z(&g->body, "number");
  } else if (is(type, "boolean")) {
    cue_buf_z(&g->body, "bool");
  } else if (is(format, "int-or-string")) {
    cue_buf_z(&g->body, "int | string");
  } else if (is(format, "date-time")) {
    g->imports_time = true;
    cue_buf_z(&g->body, "time.Time");
  } else if (is(type, "string")) {
    cue_buf_z(&g->body, "string");
  } else {
    die("a type the generator does not know", type.kind == CUE_STRING ? cue_value_str(type) : CUE_STR("none"));
  }
}

static void add_field(Gen *g, CueValue definition, CueValue kind, const CueField *field) {
  CueStr name = field->key;
  cue_buf_z(&g->body, "\t");
  add_label(g, name);
  if (kind.kind == CUE_STRUCT && cue_str_is(name, "apiVersion")) {
    CueStr group = cue_value_str(get(kind, "group")), version = cue_value_str(get(kind, "version"));
    cue_buf_f(&g->body, ": \"%.*s%s%.*s\"", CUE_FMT(group), group.n ? "/" : "", CUE_FMT(version));
  } else if (kind.kind == CUE_STRUCT && cue_str_is(name, "kind")) {
    cue_buf_f(&g->body, ": \"%.*s\"", CUE_FMT(cue_value_str(get(kind, "kind"))));
  } else {
    cue_buf_z(&g->body, holds(get(definition, "required"), name) ? "!: " : "?: ");
    add_type(g, field->value);
  }
  cue_buf_z(&g->body, "\n");
}

static bool comes_first(CueStr name) {
  for (size_t i = 0; i < sizeof ORDER / sizeof ORDER[0]; i++)
    if (cue_str_is(name, ORDER[i])) return true;
  return false;
}

static void add_fields(Gen *g, CueValue definition) {
  /* DeleteOptions and WatchEvent belong to every group: only what belongs to one is fixed. */
  CueValue kinds = get(definition, "x-kubernetes-group-version-kind");
  CueValue kind = kinds.kind == CUE_LIST && kinds.as.list->n == 1 ? kinds.as.list->at[0] : cue_null();
  const CueStruct *fields = get(definition, "properties").as.fields;
  for (size_t i = 0; i < sizeof ORDER / sizeof ORDER[0]; i++)
    for (uint32_t k = 0; k < fields->n; k++)
      if (cue_str_is(fields->at[k].key, ORDER[i])) add_field(g, definition, kind, &fields->at[k]);
  for (uint32_t k = 0; k < fields->n; k++)
    if (!comes_first(fields->at[k].key)) add_field(g, definition, kind, &fields->at[k]);
}

static void add_definitions(Gen *g) {
  CueStr group = cue_str(g->here->group);
  for (uint32_t i = 0; i < g->definitions->n; i++) {
    const CueField *d = &g->definitions->at[i];
    if (!cue_str_has_prefix(d->key, group)) continue;
    cue_buf_f(&g->body, "\n#%.*s: ", CUE_FMT(cue_str_sub(d->key, group.n, d->key.n)));
    if (get(d->value, "properties").kind == CUE_STRUCT) {
      cue_buf_z(&g->body, "{\n");
      add_fields(g, d->value);
      cue_buf_z(&g->body, "}\n");
    } else {
      add_type(g, d->value);
      cue_buf_z(&g->body, "\n");
    }
  }
}

static CueStr whole_file(Gen *g, const char *version) {
  CueBuf b = cue_buf(g->a);
  cue_buf_f(&b,
            "// Generated by stdlib/opm/k8s_schemas.c from the OpenAPI document of Kubernetes %s.\n"
            "// `make k8s-schemas` writes it again.\n"
            "package %s\n",
            version, strrchr(g->here->path, '/') + 1);
  cue_buf_z(&b, "\nimport (\n");
  if (g->imports_time) cue_buf_z(&b, "\t\"time\"\n");
  for (size_t i = 0; i < NPACKAGES; i++)
    if (g->imports[i])
      cue_buf_f(&b, "\t%s \"opmodel.dev/schemas/kubernetes/%s\"\n", PACKAGES[i].name, PACKAGES[i].path);
  cue_buf_z(&b, ")\n");
  cue_buf_str(&b, cue_buf_done(&g->body));
  return cue_buf_done(&b);
}

static void write_file(CueArena *a, const char *folder, const Package *p, CueStr text) {
  for (const char *slash = strchr(p->path, '/'); slash; slash = strchr(slash + 1, '/'))
    mkdir(cue_strf(a, "%s/%.*s", folder, (int)(slash - p->path), p->path).s, 0777);
  mkdir(cue_strf(a, "%s/%s", folder, p->path).s, 0777);
  CueStr path = cue_strf(a, "%s/%s/types.cue", folder, p->path);
  FILE *f = fopen(path.s, "wb");
  if (!f || fwrite(text.s, 1, text.n, f) != text.n || fclose(f)) die(strerror(errno), path);
}

static CueStr read_whole(CueArena *a, const char *path) {
  CueBuf b = cue_buf(a);
  FILE *f = fopen(path, "rb");
  if (!f) die(strerror(errno), cue_str(path));
  for (size_t n = 1; n;) {
    n = fread(cue_buf_room(&b, 1 << 16), 1, 1 << 16, f);
    b.n += n;
  }
  if (ferror(f)) die(strerror(errno), cue_str(path));
  fclose(f);
  return cue_buf_done(&b);
}

int main(int argc, char **argv) {
  if (argc != 4) die("usage", CUE_STR("k8s_schemas VERSION swagger.json FOLDER"));
  CueArena *a = cue_arena_new();
  size_t offset = 0;
  CueValue document = cue_read_json(a, read_whole(a, argv[2]), &offset);
  if (document.kind == CUE_BOTTOM) die(argv[2], cue_value_str(document));
  CueValue definitions = get(document, "definitions");
  if (definitions.kind != CUE_STRUCT) die(argv[2], CUE_STR("has no definitions"));
  for (size_t i = 0; i < NPACKAGES; i++) {
    Gen g = {.a = a, .definitions = definitions.as.fields, .here = &PACKAGES[i], .body = cue_buf(a)};
    add_definitions(&g);
    write_file(a, argv[3], g.here, whole_file(&g, argv[1]));
  }
  cue_arena_free(a);
  return 0;
}
