/* render.h - a module and its values in, Kubernetes objects out.
**
** The stages are the files of this folder, in this order:
**
**   module.c       a folder to the package of a module; values files; what its metadata says
**   given.c        ... or to a release written out in CUE, core.#ModuleRelease
**   environment.c  the environments a module knows; the merge of their values
**   release.c      values into #config: components, checked to be concrete
**   provider.c     the transformers of a provider and what each asks for
**   match.c        which transformers a component gets, and why
**   compile_provider.c  a provider as functions on data
**   planned.c      transformers run as plans, where it pays
**   execute.c      transformers run by the evaluator; objects of either, in the order a cluster wants
**   check.c        for tests: the same from compiled parts
**
** runtime/release does the same from compiled parts; what both need is there.
**
** What is evaluated is CUE: a stage writes a small package that imports the module (program.c),
** so that what is rendered is what cue would make of the same text, and every value knows the
** files it came from.
*/
#ifndef OPM_RENDER_H
#define OPM_RENDER_H

#include "compiler/load.h"
#include "runtime/compiled.h"
#include "runtime/release/match.h"
#include "runtime/release/release.h"

/* What kind of failure it was: the command makes an exit code of it. */
typedef enum { RENDER_OK, RENDER_INVALID, RENDER_NOT_FOUND, RENDER_DENIED } RenderVerdict;

typedef struct {
  RenderVerdict verdict;
  CueStr summary;   /* one line: "values do not satisfy #config schema" */
  CueDiags details; /* may be empty */
  CueStr hint;      /* what to do, or empty */
} RenderFailure;

/* How transformers are run. Plans give the same objects, and pay off where there are several components. */
typedef enum {
  PLANS_MANY,     /* as the program's own code, if it has it; as plans, if there are enough components for one */
  PLANS_NONE,     /* by the evaluator, so that each object has a vertex */
  PLANS_ALL,      /* as plans, however few there are: for tests */
  PLANS_CHECK,    /* both ways, and it is an error if the two are not the same: for tests */
  PLANS_COMPILED, /* everything compiled, in this run: for tests */
  PLANS_CODE,     /* by code that was compiled, and it is an error if there is none or it gives up: for tests */
} RenderPlans;

/* A provider: an expression in a package. */
typedef struct {
  Instance *package;        /* NULL for the Kubernetes provider of the catalog */
  CueStr expr;              /* with "package" for the package: package.config.providers["x"] */
  CueStr name;              /* "kubernetes" */
  const Compiled *compiled; /* what was compiled of it; or NULL */
  CueStr why_evaluated;     /* why it cannot be compiled, if that was tried; or "" */
  bool no_cue;              /* that is all there is: there is no package */
} RenderProvider;

typedef struct {
  CueStr dir;           /* of the module, absolute */
  const CueStr *values; /* files that take the place of values.cue; absolute, "-" for stdin */
  uint32_t nvalues;
  AstFile *values_file;  /* ... or that has been read already: its field "values" counts; NULL for none */
  bool no_values_needed; /* only what the module says of itself is asked for */
  bool without_values;   /* ... and values.cue is left out, too: the module is to be compiled */
  CueStr name;           /* of the release; "" for the module's */
  CueStr namespace;      /* asked for on the command line; must agree with that of the environment */
  CueStr preferred;      /* namespace before the module's default: $OPM_NAMESPACE */
  CueStr fallback;       /* namespace after it: of the config; "" for "default" */
  CueStr environment;    /* "" for none */
  CueStr environments;   /* folder or file where environments are, "" for those of the module */
  RenderProvider provider;
  RenderPlans plans;
  const Compiled *builtin; /* the Kubernetes provider inside the program, compiled; NULL if it is not */
  LoadConfig load;         /* embedded modules, cache, stdin; cwd is set by the pipeline */
} RenderOptions;

typedef CUE_VEC(CueStr) RenderNames;

/* ---- module.c ---- */
typedef struct {
  CueStr dir;
  CueStr root;          /* the folder that holds cue.mod: dir, or one above */
  CueStr name, version; /* as far as they are written out; "" where computed */
  Loaded *loaded;
  Instance *package;    /* values files are part of it */
  uint32_t nown;        /* of its files, the first so many are in the module's folder */
  bool has_values;      /* some file says what values are */
  CueStr values_text;   /* names of the files values come from, for people */
  Instance *core;       /* opmodel.dev/core@v0 as the module sees it */
  Instance *kubernetes; /* the provider of the catalog, likewise; NULL if another is used or it is not loaded yet */
  bool inside;          /* the latter: it would be made of modules inside the program */
  CueStr expr;          /* the module in a program that imports the package as "module" */
  CueStr given;         /* the release, if the package is not a module but has one: "module.myapp"; otherwise empty */
  Vertex *release;      /* likewise */
  LoadConfig load;
} RenderModule;

/* ---- environment.c ---- */
typedef struct {
  CueStr name;
  CueStr expr;       /* in a program that imports the package as "environments" */
  Instance *package; /* the module's own or another */
  Vertex *said;      /* as it is written, if it was found by looking */
  Vertex *vertex;    /* unified with core.#Environment */
  Instance *program; /* in which it is the field "environment" */
  CuePos pos;
} RenderEnvironment;
typedef CUE_VEC(RenderEnvironment) RenderEnvironments;

/* ---- release.c ---- */
typedef struct {
  CueStr key, name; /* in #components; metadata.name */
  Vertex *vertex;
  CueStr expr; /* in a program that imports the release as "release" */
  CueValue labels;
  RenderNames resources, traits; /* FQNs */
  RenderNames unknown;           /* warnings: fields that a component of core does not have */
} RenderComponent;

typedef struct {
  CueStr name, namespace, fqn, version, identity, module_identity, module_name, environment;
  CueStr by_release, by_environment, by_module; /* namespaces these ask for, or empty */
  CueStr name_from, namespace_from;             /* who said them: "module", "--namespace", ... */
  CueStr kube_context, kube_config;             /* of the environment, or empty */
  CUE_VEC(RenderComponent) components;          /* by name */
  Vertex *values;                               /* effective */
  Vertex *metadata;                             /* of the module; NULL if it has none */
  const RenderEnvironment *env;                 /* or NULL */
  Instance *program;                            /* fields metadata, environment, components */
} RenderRelease;

/* ---- provider.c ---- */
typedef struct {
  CueStr key;                    /* in provider.transformers: an FQN */
  CueStr id;                     /* "kubernetes#" and the key */
  CueValue labels;               /* required; a struct, maybe empty */
  RenderNames resources, traits; /* required */
  RenderNames optional_traits;
} RenderTransformer;

typedef struct {
  CueStr name, version;
  CUE_VEC(RenderTransformer) transformers; /* by key */
  RenderProvider from;
  const Compiled *code; /* compiled, with the transformers in the same order; NULL if it is not */
} RenderTransformers;

/* ---- match.c ---- */
typedef struct {
  const RenderComponent *component;
  const RenderTransformer *transformer;
  bool matched;
  bool planned;    /* a plan gave output */
  CueValue output; /* of the plan; bottom for none */
} RenderMatch;

/* ---- execute.c ---- */
typedef struct {
  CueValue object;
  CueStr api_version, kind, namespace, name;
  const RenderMatch *from;
  Vertex *vertex; /* whose data the object is; NULL if a plan made it */
  CueStr expr;    /* in a program that imports the objects' program as "objects" */
} RenderObject;

typedef struct {
  const RenderMatch *from;
  CueDiags details;
} RenderError;

typedef struct {
  RenderModule module;
  RenderRelease release;
  RenderTransformers provider;
  const MatchTable *table;       /* of the provider */
  CUE_VEC(RenderMatch) matches;  /* every pair, components outside */
  CUE_VEC(RenderObject) objects; /* in the order a cluster wants them */
  RenderNames warnings;
  CUE_VEC(const RenderComponent *) unmatched;
  CUE_VEC(RenderError) errors; /* of transformers */
  Instance *program;           /* of the objects */
} RenderResult;

/* ---- the stages ---- */
bool render_module(CueContext *c, const RenderOptions *o, RenderModule *m, RenderFailure *why);
bool values_are_block_yaml(CueStr text); /* values that come without the name of a file are YAML, not CUE or JSON */
/* JSON read as CUE, as that of stdin is, is a struct within the file: its fields become those of the file. */
void values_unwrap(CueArena *a, AstFile *f);
bool render_environments(CueContext *c, const RenderOptions *o, const RenderModule *m, RenderEnvironments *out,
                         RenderFailure *why);
bool render_environment_valid(CueContext *c, const RenderEnvironment *e, RenderFailure *why);
bool render_release(CueContext *c, const RenderOptions *o, const RenderModule *m, RenderRelease *r, RenderFailure *why);
/* The first part of it: fills in values, checked against #config, and the environment. */
bool render_values(CueContext *c, const RenderOptions *o, const RenderModule *m, RenderRelease *r, RenderFailure *why);
bool render_provider(CueContext *c, const RenderOptions *o, RenderModule *m, RenderTransformers *p, RenderFailure *why);
Instance *render_kubernetes(CueContext *c, RenderModule *m); /* loads the provider of the catalog if it is not */
void render_match(CueArena *a, RenderResult *r);
void render_planned(CueContext *c, RenderPlans how, RenderResult *r);
bool render_execute(CueContext *c, RenderPlans how, RenderResult *r, RenderFailure *why);
/* All of them. True also if components are unmatched or transformers failed: r says so. */
bool render(CueContext *c, const RenderOptions *o, RenderResult *r, RenderFailure *why);

/* "Matched: requiredLabels[...], ..." or "Not matched: missing ..." */
CueStr render_reason(CueArena *a, const RenderMatch *m);

/* For tests: renders once more from compiled parts. False if that is not the same. */
bool render_check(CueContext *c, const RenderResult *r, RenderFailure *why);

/* What the evaluator rendered as what it would have been if compiled. */
Release render_released(CueArena *a, const RenderResult *r);

#endif
