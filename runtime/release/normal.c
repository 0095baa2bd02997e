/* normal.c - objects as Kubernetes wants them, from transformers that leave maps where it has lists.
**
** The transformers of our catalog need none of it; others may rely on it, as the render pipeline's
** specification says. What is a list already stays as it is. Parts of an object may be constants of
** compiled code, so what changes is copied, from the change up to the object.
*/
#include <stdlib.h>
#include <string.h>

#include "runtime/release/impl.h"

typedef CueValue Change(CueArena *a, CueValue v);

static bool same(CueValue x, CueValue y) { return memcmp(&x, &y, sizeof x) == 0; }

/* v with what `change` makes of one field, if it is there. */
static CueValue changed(CueArena *a, CueValue v, CueStr key, Change *change) {
  const CueValue *old = v.kind == CUE_STRUCT ? cue_struct_get(v.as.fields, key) : NULL;
  if (!old) return v;
  CueValue now = change(a, *old);
  if (same(now, *old)) return v;
  CueStruct *s = cue_struct_new(a, v.as.fields->n);
  memcpy(s->at, v.as.fields->at, s->n * sizeof *s->at);
  s->at[(const CueField *)((const char *)old - offsetof(CueField, value)) - v.as.fields->at].value = now;
  return cue_struct(s);
}

/* ---- maps ---- */

static int by_key(const void *x, const void *y) {
  return cue_str_cmp(((const CueField *)x)->key, ((const CueField *)y)->key);
}

static CueValue with_name(CueArena *a, CueValue v, CueStr name) {
  if (cue_struct_get(v.as.fields, CUE_STR("name"))) return v;
  CueStruct *s = cue_struct_new(a, v.as.fields->n + 1);
  s->at[0] = (CueField){CUE_STR("name"), cue_string(name)};
  for (uint32_t i = 0; i < v.as.fields->n; i++) s->at[i + 1] = v.as.fields->at[i];
  return cue_struct(s);
}

static CueValue port(CueArena *a, CueValue v, CueStr name) {
  const CueValue *target = cue_struct_get(v.as.fields, CUE_STR("targetPort")),
                 *protocol = cue_struct_get(v.as.fields, CUE_STR("protocol"));
  uint32_t n = 1;
  CueStruct *s = cue_struct_new(a, 3);
  s->at[0] = (CueField){CUE_STR("name"), cue_string(name)};
  if (target) s->at[n++] = (CueField){CUE_STR("containerPort"), *target};
  if (protocol) s->at[n++] = (CueField){CUE_STR("protocol"), *protocol};
  s->n = n;
  return cue_struct(s);
}

static CueValue as_it_is(CueArena *a, CueValue v, CueStr name) {
  (void)a, (void)name;
  return v;
}

/* A map of structs becomes a list in order of its keys. */
static CueValue to_list(CueArena *a, CueValue v, CueValue (*entry)(CueArena *, CueValue, CueStr)) {
  if (v.kind != CUE_STRUCT) return v;
  const CueStruct *s = v.as.fields;
  CueField *sorted = cue_array(a, CueField, s->n + 1);
  for (uint32_t i = 0; i < s->n; i++) sorted[i] = s->at[i];
  qsort(sorted, s->n, sizeof *sorted, by_key);
  CueList *l = cue_list_new(a, s->n);
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->n; i++)
    if (sorted[i].value.kind == CUE_STRUCT) l->at[n++] = entry(a, sorted[i].value, sorted[i].key);
  l->n = n;
  return cue_list(l);
}

static CueValue ports(CueArena *a, CueValue v) { return to_list(a, v, port); }
static CueValue env(CueArena *a, CueValue v) { return to_list(a, v, as_it_is); }
static CueValue named(CueArena *a, CueValue v) { return to_list(a, v, with_name); }

/* ---- pods, and where they are ---- */

static CueValue container(CueArena *a, CueValue v) {
  v = changed(a, v, CUE_STR("ports"), ports);
  v = changed(a, v, CUE_STR("env"), env);
  return changed(a, v, CUE_STR("volumeMounts"), named);
}

static CueValue containers(CueArena *a, CueValue v) {
  CueList *copy = NULL;
  for (uint32_t i = 0; v.kind == CUE_LIST && i < v.as.list->n; i++) {
    CueValue now = container(a, v.as.list->at[i]);
    if (!copy && same(now, v.as.list->at[i])) continue;
    if (!copy) {
      copy = cue_list_new(a, v.as.list->n);
      memcpy(copy->at, v.as.list->at, copy->n * sizeof *copy->at);
    }
    copy->at[i] = now;
  }
  return copy ? cue_list(copy) : v;
}

static CueValue pod(CueArena *a, CueValue v) {
  v = changed(a, v, CUE_STR("containers"), containers);
  v = changed(a, v, CUE_STR("initContainers"), containers);
  return changed(a, v, CUE_STR("volumes"), named);
}

static CueValue template(CueArena *a, CueValue v) { return changed(a, v, CUE_STR("spec"), pod); }
static CueValue job(CueArena *a, CueValue v) { return changed(a, v, CUE_STR("template"), template); }
static CueValue job_template(CueArena *a, CueValue v) { return changed(a, v, CUE_STR("spec"), job); }

static CueValue spec(CueArena *a, CueValue v) {
  v = changed(a, pod(a, v), CUE_STR("template"), template);
  return changed(a, v, CUE_STR("jobTemplate"), job_template);
}

/* ---- annotations are strings ---- */

static CueValue strings(CueArena *a, CueValue v) {
  CueStruct *copy = NULL;
  for (uint32_t i = 0; v.kind == CUE_STRUCT && i < v.as.fields->n; i++) {
    if (v.as.fields->at[i].value.kind == CUE_STRING) continue;
    if (!copy) {
      copy = cue_struct_new(a, v.as.fields->n);
      memcpy(copy->at, v.as.fields->at, copy->n * sizeof *copy->at);
    }
    CueBuf b = cue_buf(a);
    cue_emit_json(&b, copy->at[i].value, (CueJsonStyle){0});
    copy->at[i].value = cue_string(cue_buf_done(&b));
  }
  return copy ? cue_struct(copy) : v;
}

static CueValue metadata(CueArena *a, CueValue v) { return changed(a, v, CUE_STR("annotations"), strings); }

CueValue release_normalized(CueArena *a, CueValue object) {
  object = changed(a, object, CUE_STR("metadata"), metadata);
  return changed(a, object, CUE_STR("spec"), spec);
}
