/* templates.h - what opm renders, as inputs of other tools that make the same.
**
** A module is rendered with values that cannot be mistaken for anything else, its holes. The objects
** with these holes in them are written down as a template of helm, of Jsonnet and of Pkl, and filled from
** the values; kustomize has no holes but overlays, so it sets tags of images and numbers of replicas.
** The tools get the easiest form of the task: no loops, no checks, literal text around a few holes.
*/
#ifndef BENCH_TEMPLATES_H
#define BENCH_TEMPLATES_H

#include "runtime/value.h"

typedef struct {
  CueStr hole; /* as it stands in the objects */
  const char *name;
  CueStr value; /* what takes its place */
} Hole;

typedef struct {
  const char *dir;   /* where everything goes */
  CueValue objects;  /* a list, with holes */
  const Hole *holes; /* strings; the one named "replicas" is a number */
  uint32_t n;
} Template;

void template_helm(CueArena *a, const Template *t);      /* dir/helm, a chart */
void template_kustomize(CueArena *a, const Template *t); /* dir/kustomize */
/* dir/jsonnet/objects.jsonnet and dir/pkl/objects.pkl. With `many` they make the objects of all releases in
** releases.json beside them, an array of structs with the names of the holes; otherwise of one. */
void template_jsonnet(CueArena *a, const Template *t, bool many);
void template_pkl(CueArena *a, const Template *t, bool many);

/* Documents of YAML as a list. Bottom if it is none. */
CueValue template_read_yaml(CueArena *a, CueStr text);

#endif
