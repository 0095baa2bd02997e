/* address.h - rendered objects and their fields by name, as people write them.
**
**   [NAMESPACE/]KIND/NAME.FIELD.FIELD   deployment/web.spec.replicas
**
** The kind may be in any case, plural or short (deploy, svc); the kind or the name alone will do if
** there is only one. Elements of lists are named by index or by their name: containers[0],
** containers[web], containers.web. A key with dots may be quoted, and need not be.
*/
#ifndef OPM_ADDRESS_H
#define OPM_ADDRESS_H

#include "cli/run.h"
#include "compiler/render/trace.h"

typedef struct {
  const RenderObject *object;
  CUE_VEC(TraceKey) path; /* in the object's data */
  CueStr text;            /* the path again, for people: spec.template.spec.containers[0].image */
  CueValue value;
} Address;

/* False with *message and *hint set, which name what comes near. */
bool address_find(CueArena *a, const RenderResult *res, CueStr text, Address *out, CueStr *message, CueStr *hint);
/* Kind/namespace/name */
CueStr address_name(CueArena *a, const RenderObject *o);
/* A path and one more key. */
CueStr address_below(CueArena *a, CueStr path, CueStr key);
CueStr address_element(CueArena *a, CueStr path, uint32_t index);

#endif
