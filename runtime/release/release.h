/* release.h - releases rendered from compiled parts, without the evaluator.
**
** A module and a provider that were compiled (runtime/compiled.h) and the values of a release go in,
** Kubernetes objects come out, the very ones that the evaluator makes of the same. Whatever does not go
** well, be it a value that does not fit or a component that nothing matches, makes it give up: then the
** caller has the evaluator render the release, which knows what to say. So there are no errors here.
**
** Steps, and the files of this folder that do them:
**
**   release.c    config(values), components(config), each match run, objects collected
**   metadata.c   what a release is called, its identity, its labels; the context of transformers
**   match.c      which transformers a component gets: sets of bits
**   normal.c     objects as Kubernetes wants them
**   order.c      objects in the order in which a cluster wants them, keys in that of their writers
**   merge.c      values of an environment over those of a release
**   put.c        objects as text
*/
#ifndef CUE_RELEASE_H
#define CUE_RELEASE_H

#include "runtime/compiled.h"

/* ---- what a release is made of ---- */

typedef struct {
  CueStr name;
  CueValue labels, annotations; /* structs; bottom where it has none */
} ReleaseEnvironment;

typedef struct {
  CueStr name;                           /* "" for that of the module */
  CueStr namespace;                      /* as release_namespace chose it */
  CueValue values;                       /* merged; in the arena of the render, or there as long as the renderer */
  CueValue given;                        /* ... without what is in them by default; bottom: all was given */
  const ReleaseEnvironment *environment; /* or NULL */
} ReleaseInput;

/* ---- what comes out ---- */

typedef struct {
  CueValue object; /* in normal form; keys in no order */
  CueStr api_version, kind, namespace, name;
  CueStr component;     /* metadata.name of it */
  uint32_t transformer; /* by its place in the provider's description */
  uint32_t number;      /* in which order it was made: decides between objects that are alike */
} ReleaseObject;

typedef struct {
  CueStr component;
  uint32_t transformer;
} ReleaseMatch;

typedef struct {
  CueStr name, namespace, fqn, version, identity;
  const ReleaseObject *objects; /* in the order a cluster wants them */
  const ReleaseMatch *matches;  /* components by name, transformers by key */
  const CueStr *warnings;
  uint32_t nobjects, nmatches, nwarnings;
} Release;

/* ---- rendering ---- */

/* What is kept between renders: tables for matching, compiled regular expressions. One thread uses one. */
typedef struct ReleaseRenderer ReleaseRenderer;

/* NULL if they are not a module and a provider that were compiled whole. Both must outlive the renderer. */
ReleaseRenderer *release_renderer_new(const Compiled *module, const Compiled *provider);
void release_renderer_free(ReleaseRenderer *r);

/* False: given up. Everything made is in `a`; who renders many resets it to a mark after each. */
bool release_render(ReleaseRenderer *r, CueArena *a, const ReleaseInput *in, Release *out);

/* Whether values that say only part of #config are of its types, as those of an environment must be. False also if that
** cannot be told. */
bool release_partial(ReleaseRenderer *r, CueArena *a, CueValue values);

/* What was compiled of an environment of the module. False if nothing was. */
typedef struct {
  ReleaseEnvironment is;
  CueStr namespace; /* "" if it has none */
  CueValue values;  /* bottom likewise; they are of the types of #config */
} ReleaseEnvironmentKnown;
bool release_environment(const ReleaseRenderer *r, CueStr name, ReleaseEnvironmentKnown *out);

/* The namespace of a release: the first that is said of those asked for, of the environment, preferred, the module's own,
** the fallback; "default" if none. False if one is asked for and the environment has another. */
bool release_namespace(const ReleaseRenderer *r, CueStr asked, CueStr environment, CueStr preferred, CueStr fallback,
                       CueStr *out);

/* Values of a release with those of an environment over them: structs are merged, all else is replaced. Either may be
** bottom, for none. */
CueValue release_merge(CueArena *a, CueValue base, CueValue over);

CueStr release_transformer_key(const ReleaseRenderer *r, uint32_t transformer); /* "opmodel.dev/...#Deployment" */

/* ---- text, as opm mod build prints it ---- */

/* seen: of this release and buffer, or NULL. */
void release_put_yaml(CueBuf *out, CueValue object, CueSeen *seen);
void release_put_json(CueBuf *out, CueValue object, CueSeen *seen); /* indented, with a line feed behind it */
void release_put_line(CueBuf *out, CueValue object, CueSeen *seen); /* JSON on one line */
/* Documents, or one list. A drain, which may be NULL, takes what is in the buffer whenever that is much. */
void release_put_stream(CueBuf *out, const Release *r, bool json, CueDrain *drain, void *arg);
CueStr release_file_name(CueArena *a, CueStr kind, CueStr name); /* of an object's file, without its suffix */
/* ... of the i-th object of a release: the second of a name gets -2, the third -3. */
CueStr release_object_file(CueArena *a, const Release *r, uint32_t i);

#endif
