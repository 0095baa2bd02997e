/* impl.h - what rendering by the evaluator and rendering from compiled parts share, and what the files of this folder
** share with each other. */
#ifndef CUE_RELEASE_IMPL_H
#define CUE_RELEASE_IMPL_H

#include "runtime/release/release.h"

/* The field of a struct; bottom if it is not there, or v is no struct. */
static inline CueValue release_at(CueValue v, CueStr key) {
  const CueValue *f = v.kind == CUE_STRUCT ? cue_struct_get(v.as.fields, key) : NULL;
  return f ? *f : (CueValue){0};
}
static inline CueStr release_text(CueValue v, CueStr key) {
  CueValue f = release_at(v, key);
  return f.kind == CUE_STRING ? cue_value_str(f) : CUE_STR("");
}

/* ---- release.c ---- */
/* One object of what a transformer gave. False if it is no Kubernetes object. */
bool release_object(CueArena *a, CueValue given, ReleaseObject *out);

/* ---- metadata.c ---- */
#define RELEASE_IDENTITY "11bc6112-a6e8-4021-bec9-b3ad246f9466" /* core's root of every identity */
#define RELEASE_LABEL "module-release.opmodel.dev/"

typedef struct {
  CueStr name, version, fqn, namespace; /* "" where the module says nothing */
  CueValue labels, annotations;         /* bottom likewise */
} ModuleMetadata;

ModuleMetadata module_metadata(CueValue about);
/* Fills in what the release is called; *metadata is what transformers are told of it. */
bool release_metadata(CueArena *a, const ModuleMetadata *m, const ReleaseInput *in, Release *out, CueValue *metadata);
CueValue environment_metadata(CueArena *a, const ReleaseEnvironment *e); /* bottom for none */
/* What a context is made of; lower_context says what that is. */
CueValue context_input(CueArena *a, const Release *r, CueValue metadata, CueValue environment, CueStr component,
                       CueValue component_metadata);
bool release_is_name(CueStr s); /* as core.#NameType has it, and Kubernetes for namespaces */

/* ---- normal.c ---- */
CueValue release_normalized(CueArena *a, CueValue object); /* maps to the lists Kubernetes wants */

/* ---- order.c ---- */
int release_weight(CueStr kind);

/* What decides where an object comes. */
typedef struct {
  int weight;
  CueStr api_version, group, kind, namespace, name, component;
  uint32_t number; /* in which order it was made */
} ObjectRank;

ObjectRank object_rank(const ReleaseObject *o);
void object_ranks_sort(ObjectRank *at, uint32_t n);
bool object_ranks_alike(const ObjectRank *x, const ObjectRank *y); /* two that a cluster would take for one */
/* "KIND NAMESPACE/NAME is rendered twice, ..." */
CueStr object_ranks_warning(CueArena *a, const ObjectRank *x, const ObjectRank *y);
/* Whether Kubernetes has objects of that name, and what to say otherwise: "KIND NAMESPACE/NAME: ..." */
bool object_rank_is_named(const ObjectRank *x);
CueStr object_rank_unnamed(CueArena *a, const ObjectRank *x);

/* As YAML writers of Kubernetes tools sort keys: letters after other characters, runs of digits by their number. */
int release_natural_cmp(CueStr x, CueStr y);

#endif
