/* normal.c - objects as Kubernetes wants them, from transformers that leave maps where it has lists.
**
** The transformers of our catalog need none of it; others may rely on it, as the render pipeline's
** specification says. What is a list already stays as it is.
*/
#include <stdlib.h>

#include "compiler/render/render.h"

static CueValue *at(CueValue v, const char *key) {
  return v.kind == CUE_STRUCT ? (CueValue *)cue_struct_get(v.as.fields, cue_str(key)) : NULL;
}

static int by_key(const void *x, const void *y) {
  return cue_str_cmp(((const CueField *)x)->key, ((const CueField *)y)->key);
}

static CueValue with_name(CueArena *a, CueValue v, CueStr name) {
  if (at(v, "name")) return v;
  CueStruct *s = cue_struct_new(a, v.as.fields->n + 1);
  s->at[0] = (CueField){CUE_STR("name"), cue_string(name)};
  for (uint32_t i = 0; i < v.as.fields->n; i++) s->at[i + 1] = v.as.fields->at[i];
  return cue_struct(s);
}

static CueValue port(CueArena *a, CueValue v, CueStr name) {
  const CueValue *target = at(v, "targetPort"), *protocol = at(v, "protocol");
  uint32_t n = 1;
  CueStruct *s = cue_struct_new(a, 3);
  s->at[0] = (CueField){CUE_STR("name"), cue_string(name)};
  if (target) s->at[n++] = (CueField){CUE_STR("containerPort"), *target};
  if (protocol) s->at[n++] = (CueField){CUE_STR("protocol"), *protocol};
  s->n = n;
  return cue_struct(s);
}

static CueValue same(CueArena *a, CueValue v, CueStr name) {
  (void)a, (void)name;
  return v;
}

/* A map of structs becomes a list in order of its keys. */
static void to_list(CueArena *a, CueValue *v, CueValue (*entry)(CueArena *, CueValue, CueStr)) {
  if (!v || v->kind != CUE_STRUCT) return;
  const CueStruct *s = v->as.fields;
  CueField *sorted = cue_array(a, CueField, s->n ? s->n : 1);
  for (uint32_t i = 0; i < s->n; i++) sorted[i] = s->at[i];
  qsort(sorted, s->n, sizeof *sorted, by_key);
  CueList *l = cue_list_new(a, s->n);
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->n; i++)
    if (sorted[i].value.kind == CUE_STRUCT) l->at[n++] = entry(a, sorted[i].value, sorted[i].key);
  l->n = n;
  *v = cue_list(l);
}

static void containers(CueArena *a, const CueValue *list) {
  for (uint32_t i = 0; list && list->kind == CUE_LIST && i < list->as.list->n; i++) {
    CueValue v = list->as.list->at[i];
    to_list(a, at(v, "ports"), port);
    to_list(a, at(v, "env"), same);
    to_list(a, at(v, "volumeMounts"), with_name);
  }
}

static void pod(CueArena *a, const CueValue *spec) {
  if (!spec) return;
  containers(a, at(*spec, "containers"));
  containers(a, at(*spec, "initContainers"));
  to_list(a, at(*spec, "volumes"), with_name);
}

static void strings(CueArena *a, const CueValue *map) {
  for (uint32_t i = 0; map && map->kind == CUE_STRUCT && i < map->as.fields->n; i++) {
    CueValue *v = (CueValue *)&map->as.fields->at[i].value;
    if (v->kind == CUE_STRING) continue;
    CueBuf b = cue_buf(a);
    cue_emit_json(&b, *v, (CueJsonStyle){0});
    *v = cue_string(cue_buf_done(&b));
  }
}

static const CueValue *path(const CueValue *p, const char *const *names) {
  for (; p && *names; names++) p = at(*p, *names);
  return p;
}

CueValue render_normalized(CueArena *a, CueValue v) {
  /* The object was made for us alone, so it is changed in place. */
  static const char *const pods[][6] = {
      {"spec", NULL},
      {"spec", "template", "spec", NULL},
      {"spec", "jobTemplate", "spec", "template", "spec", NULL},
  };
  for (size_t i = 0; i < sizeof pods / sizeof *pods; i++) pod(a, path(&v, pods[i]));
  strings(a, path(&v, (const char *const[]){"metadata", "annotations", NULL}));
  return v;
}
