/* metadata.c - what a release is called, and what transformers are told of it.
**
** The same as metadata of core.#ModuleRelease, and as compiler/render/release.c has the evaluator make
** it: order of fields included, since loops see it.
*/
#include "runtime/release/impl.h"
#include "runtime/uuid.h"

#include <string.h>

bool release_is_name(CueStr s) {
  bool ok = s.n > 0 && s.n <= 63 && s.s[0] != '-' && s.s[s.n - 1] != '-';
  for (size_t i = 0; i < s.n; i++)
    ok &= (s.s[i] >= 'a' && s.s[i] <= 'z') || (s.s[i] >= '0' && s.s[i] <= '9') || s.s[i] == '-';
  return ok;
}

ModuleMetadata module_metadata(CueValue about) {
  CueValue m = release_at(about, CUE_STR("metadata"));
  return (ModuleMetadata){
      .name = release_text(m, CUE_STR("name")),
      .version = release_text(m, CUE_STR("version")),
      .fqn = release_text(m, CUE_STR("fqn")),
      .namespace = release_text(m, CUE_STR("defaultNamespace")),
      .labels = release_at(m, CUE_STR("labels")),
      .annotations = release_at(m, CUE_STR("annotations")),
  };
}

/* ---- structs of known fields ---- */

static void put(CueStruct *s, CueStr key, CueValue v) { s->at[s->n++] = (CueField){key, v}; }
static void put_text(CueStruct *s, CueStr key, CueStr text) { put(s, key, cue_string(text)); }
static void put_if(CueStruct *s, CueStr key, CueValue v) {
  if (v.kind != CUE_BOTTOM) put(s, key, v);
}
static CueStruct *room_for(CueArena *a, uint32_t n) {
  CueStruct *s = cue_struct_new(a, n);
  s->n = 0;
  return s;
}

/* ---- the release ---- */

static CueStr identity(CueArena *a, const Release *r, const ReleaseEnvironment *e) {
  CueStr parts[] = {r->fqn, r->name, r->namespace, e ? e->name : CUE_STR("")};
  CueBuf text = cue_buf(a);
  for (size_t i = 0; i < (e && e->name.n ? 4 : 3); i++) {
    if (i) cue_buf_ch(&text, ':');
    cue_buf_str(&text, parts[i]);
  }
  CueUuid root;
  if (!cue_uuid_parse(CUE_STR(RELEASE_IDENTITY), &root)) return CUE_STR("");
  CueUuid own = cue_uuid_sha1(a, root, cue_buf_done(&text));
  return cue_uuid_text(a, &own);
}

/* The value of a label cannot have the + of build metadata. */
static CueStr label_version(CueArena *a, CueStr version) {
  if (cue_str_find(version, CUE_STR("+")) < 0) return version;
  char *s = cue_alloc(a, version.n + 1);
  for (size_t i = 0; i < version.n; i++) s[i] = version.s[i] == '+' ? '_' : version.s[i];
  return (CueStr){s, version.n};
}

static bool labels(CueArena *a, const ModuleMetadata *m, const Release *r, const ReleaseEnvironment *e, CueValue *out) {
  CueStr own = CUE_STR(RELEASE_LABEL);
  uint32_t n = m->labels.kind == CUE_STRUCT ? m->labels.as.fields->n : 0;
  CueStruct *s = room_for(a, n + 4);
  put_text(s, CUE_STR(RELEASE_LABEL "name"), r->name);
  put_text(s, CUE_STR(RELEASE_LABEL "version"), label_version(a, r->version));
  put_text(s, CUE_STR(RELEASE_LABEL "uuid"), r->identity);
  if (e) put_text(s, CUE_STR(RELEASE_LABEL "environment"), e->name);
  for (uint32_t i = 0; i < n; i++) {
    if (cue_str_has_prefix(m->labels.as.fields->at[i].key, own)) return false; /* may say otherwise */
    s->at[s->n++] = m->labels.as.fields->at[i];
  }
  *out = cue_struct(s);
  return true;
}

bool release_metadata(CueArena *a, const ModuleMetadata *m, const ReleaseInput *in, Release *out, CueValue *metadata) {
  CueValue all;
  out->name = in->name.n ? in->name : m->name;
  out->namespace = in->namespace;
  if (!release_is_name(out->name) || !release_is_name(out->namespace)) return false;
  out->fqn = m->fqn.n ? m->fqn : out->name;
  out->version = m->version.n ? m->version : CUE_STR("0.0.0");
  out->identity = identity(a, out, in->environment);
  if (!labels(a, m, out, in->environment, &all)) return false;
  CueStruct *s = room_for(a, 7);
  put_text(s, CUE_STR("name"), out->name);
  put_text(s, CUE_STR("namespace"), out->namespace);
  put_text(s, CUE_STR("fqn"), out->fqn);
  put_text(s, CUE_STR("version"), out->version);
  put_text(s, CUE_STR("identity"), out->identity);
  put(s, CUE_STR("labels"), all);
  put_if(s, CUE_STR("annotations"), m->annotations);
  *metadata = cue_struct(s);
  return true;
}

CueValue environment_metadata(CueArena *a, const ReleaseEnvironment *e) {
  if (!e) return (CueValue){0};
  CueStruct *s = room_for(a, 3);
  put_text(s, CUE_STR("name"), e->name);
  put_if(s, CUE_STR("labels"), e->labels);
  put_if(s, CUE_STR("annotations"), e->annotations);
  return cue_struct(s);
}

CueValue context_input(CueArena *a, const Release *r, CueValue metadata, CueValue environment, CueStr component,
                       CueValue component_metadata) {
  CueStruct *own = room_for(a, 3), *all = room_for(a, 5);
  put_text(own, CUE_STR("name"), component);
  put_if(own, CUE_STR("labels"), release_at(component_metadata, CUE_STR("labels")));
  put_if(own, CUE_STR("annotations"), release_at(component_metadata, CUE_STR("annotations")));
  put_text(all, CUE_STR("name"), r->name);
  put_text(all, CUE_STR("namespace"), r->namespace);
  put(all, CUE_STR("#moduleReleaseMetadata"), metadata);
  put(all, CUE_STR("#componentMetadata"), cue_struct(own));
  put_if(all, CUE_STR("#environmentMetadata"), environment);
  return cue_struct(all);
}
