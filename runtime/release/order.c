/* order.c - the order in which a cluster wants objects, and writers the keys within them.
**
** What others depend on comes first. The weights are those of the OPM CLI specification; a kind it
** does not name, as any custom resource, comes last.
*/
#include <stdlib.h>
#include <string.h>

#include "runtime/release/impl.h"

#define KIND(name, weight) \
  { {(name), sizeof(name) - 1}, (weight) }
static const struct {
  CueStr kind;
  int weight;
} weights[] = {
    KIND("CustomResourceDefinition", -100),
    KIND("Namespace", 0),
    KIND("ClusterRole", 5),
    KIND("ClusterRoleBinding", 5),
    KIND("ResourceQuota", 5),
    KIND("LimitRange", 5),
    KIND("ServiceAccount", 10),
    KIND("Role", 10),
    KIND("RoleBinding", 10),
    KIND("Secret", 15),
    KIND("ConfigMap", 15),
    KIND("StorageClass", 20),
    KIND("PersistentVolume", 20),
    KIND("PersistentVolumeClaim", 20),
    KIND("Service", 50),
    KIND("DaemonSet", 100),
    KIND("Deployment", 100),
    KIND("ReplicaSet", 100),
    KIND("StatefulSet", 100),
    KIND("CronJob", 110),
    KIND("Job", 110),
    KIND("Ingress", 150),
    KIND("NetworkPolicy", 150),
    KIND("HorizontalPodAutoscaler", 200),
    KIND("PodDisruptionBudget", 200),
    KIND("VerticalPodAutoscaler", 200),
    KIND("MutatingWebhookConfiguration", 500),
    KIND("ValidatingWebhookConfiguration", 500),
};

int release_weight(CueStr kind) {
  for (size_t i = 0; i < sizeof weights / sizeof *weights; i++)
    if (cue_str_eq(kind, weights[i].kind)) return weights[i].weight;
  return 1000;
}

/* ---- objects ---- */

static CueStr group(CueStr api_version) {
  ptrdiff_t slash = cue_str_find(api_version, CUE_STR("/"));
  return slash < 0 ? CUE_STR("") : cue_str_sub(api_version, 0, (size_t)slash);
}

ObjectRank object_rank(const ReleaseObject *o) {
  return (ObjectRank){
      .weight = release_weight(o->kind),
      .api_version = o->api_version,
      .group = group(o->api_version),
      .kind = o->kind,
      .namespace = o->namespace,
      .name = o->name,
      .component = o->component,
      .number = o->number,
  };
}

static int by_rank(const void *x, const void *y) {
  const ObjectRank *p = x, *q = y;
  int c = p->weight - q->weight;
  if (!c) c = cue_str_cmp(p->group, q->group);
  if (!c) c = cue_str_cmp(p->kind, q->kind);
  if (!c) c = cue_str_cmp(p->namespace, q->namespace);
  if (!c) c = cue_str_cmp(p->name, q->name);
  if (!c) c = cue_str_cmp(p->component, q->component);
  if (c) return c;
  return p->number < q->number ? -1 : p->number > q->number;
}

void object_ranks_sort(ObjectRank *at, uint32_t n) {
  enum { FEW = 8 }; /* qsort would take longer, and memory */
  if (n > FEW) {
    qsort(at, n, sizeof *at, by_rank);
    return;
  }
  for (uint32_t i = 1; i < n; i++) {
    ObjectRank one = at[i];
    uint32_t k = i;
    for (; k && by_rank(&one, &at[k - 1]) < 0; k--) at[k] = at[k - 1];
    at[k] = one;
  }
}

bool object_ranks_alike(const ObjectRank *x, const ObjectRank *y) {
  return cue_str_eq(x->kind, y->kind) && cue_str_eq(x->name, y->name) && cue_str_eq(x->namespace, y->namespace) &&
         cue_str_eq(x->api_version, y->api_version);
}

CueStr object_ranks_warning(CueArena *a, const ObjectRank *x, const ObjectRank *y) {
  return cue_strf(a, "%.*s %.*s/%.*s is rendered twice, by components %.*s and %.*s: the last one applied wins",
                  CUE_FMT(y->kind), CUE_FMT(y->namespace), CUE_FMT(y->name), CUE_FMT(x->component),
                  CUE_FMT(y->component));
}

/* Roles may have colons, too. */
bool object_rank_is_named(const ObjectRank *x) {
  CueStr s = x->name;
  bool ok = s.n <= 253 && !strchr("-.", s.s[0]) && !strchr("-.", s.s[s.n - 1]);
  for (size_t i = 0; i < s.n; i++)
    ok &= (s.s[i] >= 'a' && s.s[i] <= 'z') || (s.s[i] >= '0' && s.s[i] <= '9') || s.s[i] == '-' || s.s[i] == '.';
  return ok || cue_str_is(x->group, "rbac.authorization.k8s.io");
}

CueStr object_rank_unnamed(CueArena *a, const ObjectRank *x) {
  return cue_strf(a,
                  "%.*s %.*s/%.*s: no cluster takes that name: they have lower case letters, digits, \"-\" and \".\", "
                  "at most 253",
                  CUE_FMT(x->kind), CUE_FMT(x->namespace), CUE_FMT(x->name));
}

/* ---- keys ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80); }

/* How many bytes both begin with. */
static size_t common(CueStr x, CueStr y) {
  size_t n = x.n < y.n ? x.n : y.n, i = 0;
  for (uint64_t p, q; n - i >= 8; i += 8) {
    memcpy(&p, x.s + i, 8);
    memcpy(&q, y.s + i, 8);
    if (p != q) break;
  }
  while (i < n && x.s[i] == y.s[i]) i++;
  return i;
}

int release_natural_cmp(CueStr x, CueStr y) {
  size_t i = common(x, y);
  if (i == x.n || i == y.n) return x.n < y.n ? -1 : x.n > y.n;
  char a = x.s[i], b = y.s[i];
  bool digits = i && is_digit(x.s[i - 1]);
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
