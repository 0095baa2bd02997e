/* module.h - names of modules and packages: import paths, versions, and cue.mod/module.cue. */
#ifndef CUE_MODULE_H
#define CUE_MODULE_H

#include "compiler/eval.h"

/* "example.com/x/y@v1:name". */
typedef struct {
  CueStr path;      /* without version and qualifier */
  CueStr version;   /* "v1", or empty */
  CueStr qualifier; /* package name: given, or implied by the last element; empty if that is no identifier */
  bool explicit_qualifier;
} ImportPath;

ImportPath import_path_parse(CueStr p);
ImportPath import_path_canonical(ImportPath p); /* the qualifier is explicit only if it is not implied */
CueStr import_path_text(CueArena *a, ImportPath p);
CueStr implied_qualifier(CueStr path);
CueStr path_base(CueStr path);      /* after the last slash */
bool import_is_stdlib(CueStr path); /* no dot in its first element */
/* Empty if the path may be imported; otherwise what is wrong with it. */
CueStr import_path_check(CueArena *a, CueStr path);

/* ---- versions: "v1.2.3-pre.1+build"; "v1" and "v1.2" count as valid ---- */
bool semver_valid(CueStr v);
CueStr semver_major(CueStr v);      /* "v1"; empty if invalid */
int semver_cmp(CueStr x, CueStr y); /* invalid ones sort first */
bool semver_canonical(CueStr v);    /* has all three numbers and no build part */
int semver_minor(CueStr v);         /* of a valid version */

/* ---- cue.mod/module.cue ---- */
typedef struct {
  CueStr path;        /* with major version: "example.com/m@v0" */
  CueStr base, major; /* "example.com/m", "v0" */
  CueStr version;
  bool is_default;
} ModDep;

typedef struct {
  CueStr module; /* with major version; empty if none is declared */
  CueStr base, major;
  CueStr language;      /* "v0.15.0" */
  CueStr source;        /* source.kind, or empty */
  CUE_VEC(ModDep) deps; /* in order of path */
} ModFile;

/* Reads a module file as data. False with d filled if it is not valid. `path` is for messages that name the file;
** `advise` has them say how to declare a language version. */
bool modfile_parse(CueContext *c, CueSource *src, CueStr path, bool advise, ModFile *out, CueDiags *d);
const ModDep *modfile_dep(const ModFile *m, CueStr base, CueStr major);
/* The major version meant by an import without one: the module's own, the one marked default, or the only one. */
CueStr modfile_default_major(const ModFile *m, CueStr base);

#endif
