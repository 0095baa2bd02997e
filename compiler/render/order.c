/* order.c - the order in which a cluster wants objects, and keys within them.
**
** What others depend on comes first. The weights are those of the OPM CLI specification; a kind it
** does not name, as any custom resource, comes last.
*/
#include <stdlib.h>

#include "compiler/render/render.h"

static const struct {
  const char *kind;
  int weight;
} weights[] = {
    {"CustomResourceDefinition", -100},
    {"Namespace", 0},
    {"ClusterRole", 5},
    {"ClusterRoleBinding", 5},
    {"ResourceQuota", 5},
    {"LimitRange", 5},
    {"ServiceAccount", 10},
    {"Role", 10},
    {"RoleBinding", 10},
    {"Secret", 15},
    {"ConfigMap", 15},
    {"StorageClass", 20},
    {"PersistentVolume", 20},
    {"PersistentVolumeClaim", 20},
    {"Service", 50},
    {"DaemonSet", 100},
    {"Deployment", 100},
    {"ReplicaSet", 100},
    {"StatefulSet", 100},
    {"CronJob", 110},
    {"Job", 110},
    {"Ingress", 150},
    {"NetworkPolicy", 150},
    {"HorizontalPodAutoscaler", 200},
    {"PodDisruptionBudget", 200},
    {"VerticalPodAutoscaler", 200},
    {"MutatingWebhookConfiguration", 500},
    {"ValidatingWebhookConfiguration", 500},
};

int render_weight(CueStr kind) {
  for (size_t i = 0; i < sizeof weights / sizeof *weights; i++)
    if (cue_str_is(kind, weights[i].kind)) return weights[i].weight;
  return 1000;
}

static CueStr group(CueStr api_version) {
  ptrdiff_t slash = cue_str_find(api_version, CUE_STR("/"));
  return slash < 0 ? CUE_STR("") : cue_str_sub(api_version, 0, (size_t)slash);
}

static int by_weight(const void *x, const void *y) {
  const RenderObject *p = x, *q = y;
  int c = render_weight(p->kind) - render_weight(q->kind);
  if (!c) c = cue_str_cmp(group(p->api_version), group(q->api_version));
  if (!c) c = cue_str_cmp(p->kind, q->kind);
  if (!c) c = cue_str_cmp(p->namespace, q->namespace);
  if (!c) c = cue_str_cmp(p->name, q->name);
  if (!c) c = cue_str_cmp(p->from->component->name, q->from->component->name);
  return c ? c : cue_str_cmp(p->expr, q->expr);
}

void render_order(RenderResult *r) {
  if (r->objects.n) qsort(r->objects.at, r->objects.n, sizeof *r->objects.at, by_weight);
}

/* ---- keys ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80); }

/* As YAML writers of Kubernetes tools sort: letters after other characters, runs of digits by their number. */
static int natural_cmp(CueStr x, CueStr y) {
  bool digits = false;
  for (size_t i = 0; i < x.n && i < y.n; i++) {
    char a = x.s[i], b = y.s[i];
    if (a == b) {
      digits = is_digit(a);
      continue;
    }
    bool la = is_letter(a), lb = is_letter(b);
    if (la && lb) return (unsigned char)a < (unsigned char)b ? -1 : 1;
    if (la || lb) return (digits ? la : lb) ? -1 : 1;
    size_t xi = i, yi = i, nx = 0, ny = 0;
    if (a == '0' || b == '0') /* leading zeroes: part of a number only if one stands before */
      for (size_t j = i; j-- > 0 && is_digit(x.s[j]);)
        if (x.s[j] != '0') {
          nx = ny = 1;
          break;
        }
    uint64_t vx = nx, vy = ny;
    for (; xi < x.n && is_digit(x.s[xi]) && xi - i < 18; xi++) vx = vx * 10 + (uint64_t)(x.s[xi] - '0');
    for (; yi < y.n && is_digit(y.s[yi]) && yi - i < 18; yi++) vy = vy * 10 + (uint64_t)(y.s[yi] - '0');
    if (vx != vy) return vx < vy ? -1 : 1;
    if (xi != yi) return xi < yi ? -1 : 1;
    return (unsigned char)a < (unsigned char)b ? -1 : 1;
  }
  return x.n < y.n ? -1 : x.n > y.n;
}

static int by_natural_key(const void *x, const void *y) {
  return natural_cmp(((const CueField *)x)->key, ((const CueField *)y)->key);
}
static int by_key(const void *x, const void *y) {
  return cue_str_cmp(((const CueField *)x)->key, ((const CueField *)y)->key);
}

CueValue render_sorted(CueArena *a, CueValue v, bool natural) {
  if (v.kind == CUE_LIST) {
    CueList *l = cue_list_new(a, v.as.list->n);
    for (uint32_t i = 0; i < l->n; i++) l->at[i] = render_sorted(a, v.as.list->at[i], natural);
    return cue_list(l);
  }
  if (v.kind != CUE_STRUCT) return v;
  CueStruct *s = cue_struct_new(a, v.as.fields->n);
  for (uint32_t i = 0; i < s->n; i++)
    s->at[i] = (CueField){v.as.fields->at[i].key, render_sorted(a, v.as.fields->at[i].value, natural)};
  if (s->n) qsort(s->at, s->n, sizeof *s->at, natural ? by_natural_key : by_key);
  return cue_struct(s);
}
