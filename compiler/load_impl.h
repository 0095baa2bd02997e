/* load_impl.h - what the files of the loader share.
**
** load.c       arguments to instances
** load_arg.c   which packages an argument means
** load_pkg.c   a folder to an instance, its imports with it
** load_mod.c   an import path to a folder
** load_deps.c  the modules a module needs
** load_tag.c   @if, @ignore, @tag
** load_embed.c @embed
** data.c       JSON and YAML to syntax trees
*/
#ifndef CUE_LOAD_IMPL_H
#define CUE_LOAD_IMPL_H

#include "compiler/load.h"
#include "compiler/load_fs.h"
#include "compiler/module.h"

typedef struct ParsedFile {
  struct ParsedFile *next; /* in its bucket */
  CueStr path;
  AstFile *ast; /* NULL if it could not be read */
  CueDiags errors;
} ParsedFile;

/* Where the package of an import path is. */
typedef struct PackageLoc {
  struct PackageLoc *next;
  CueStr path;  /* canonical import path */
  CueStr error; /* empty if it was found */
  CueStr dir;
  CueStr module, root; /* module that has it ("local" for cue.mod/gen and its like), and that module's folder */
  const ModFile *modfile;
} PackageLoc;

typedef struct ModuleRoot {
  struct ModuleRoot *next;
  CueStr dir;
  ModFile file;
  CueStr error;
} ModuleRoot;

typedef struct Tag Tag;

typedef struct Loader {
  CueContext *c;
  CueArena *a;
  const LoadConfig *cfg;
  LoadFs fs;
  CueStr root;        /* of the module, or cwd */
  const ModFile *mod; /* NULL if there is no module file */
  CueStr cache_dir;
  bool has_cache;    /* the folder of modules is there */
  bool has_local[3]; /* so are cue.mod/gen, usr and pkg: asked once, not for every import */
  ParsedFile *files[256];
  PackageLoc *packages;
  ModuleRoot *modules;
  CUE_VEC(CueStr) stack;          /* import paths being loaded */
  CUE_VEC(struct Import) imports; /* loaded packages, by path as written */
  CUE_VEC(CueStr) used_tags;      /* asked for by @if */
  Tag *tags;
  CueStr input;
  bool input_read;
} Loader;

/* An instance being loaded: what the public part does not show. */
typedef struct {
  Loaded out;
  CueStr pkg_name; /* "" until known, "_" for files without package */
  CueStr dir, root;
  LoadFiles build;  /* CUE files of the instance */
  uint32_t invalid; /* files with errors */
  bool no_files;    /* its error is that there are none */
  const ModFile *modfile;
} Pkg;
typedef CUE_VEC(Pkg *) PkgList;

Pkg *pkg_new(Loader *l, CueStr dir);
CueDiags *pkg_errors(Pkg *p);
void pkg_report(Loader *l, Pkg *p, CuePos at, CueStr message); /* without import stack */

/* load.c */
Loader *loader_new(CueContext *c, const LoadConfig *cfg); /* without its module */
bool load_module(Loader *l, CueDiags *d);                 /* finds it, and reads its module file if there is one */
ParsedFile *loader_parse(Loader *l, CueStr path, int language);
int modfile_language(const ModFile *m);    /* minor of the language version, 0 if unknown */
Pkg *pkg_error(Loader *l, CueStr message); /* an instance that only has an error */

/* load_pkg.c */
PkgList load_folder(Loader *l, Pkg *p);               /* fills p, and more if all packages of a folder are wanted */
Pkg *load_import(Loader *l, CuePos pos, CueStr path); /* by import path; p's errors say what failed */
Pkg *pkg_import(Loader *l, CuePos pos, CueStr path);  /* before its folder is read */
Pkg *pkg_relative(Loader *l, CueStr path, CueStr name);
const Ast *load_odd_import(const AstFile *f); /* the path of an import that is no string of Go; NULL if none */
Pkg *load_given_files(Loader *l, const LoadFiles *files);
bool dir_is_module_root(const Loader *l, CueStr dir);

/* load_arg.c */
bool args_check(Loader *l, const CueStr *args, uint32_t n, CueStr *error);
void args_load(Loader *l, const CueStr *args, uint32_t n, PkgList *out);
/* The import path of a folder in the module; false with *error set. */
bool import_path_of_dir(const Loader *l, CueStr abs, CueStr orig, CueStr *out, CueStr *error);
CueStr multiple_packages_text(Loader *l, CueStr dir, CueStr p, CueStr pf, CueStr q, CueStr qf);

/* load_mod.c */
void module_places(Loader *l); /* looks where modules may be, once their root is known */
const PackageLoc *package_find(Loader *l, CueStr canonical);
CueStr module_find_root(const Loader *l, CueStr dir); /* "" if there is none */
/* Whether imports of the modules inside the program mean those: nothing on disk takes the place of any. */
bool modules_are_inside(const Loader *l);
/* The folder of a module version; empty, with *why set, if it is not to be had. */
CueStr module_dir(Loader *l, CueStr base, CueStr major, CueStr version, CueStr *why);
/* The module file of the module in dir, read once. NULL, with *why set, if it is not valid. */
const ModFile *module_file(Loader *l, CueStr dir, CueStr *why);
/* As the cache writes a path or version: capitals as !x, so that they differ on any file system. */
CueStr module_escaped(CueArena *a, CueStr s);
bool dir_has_cue(const Loader *l, CueStr dir);
/* An argument with a full version: its module becomes the main one, and the argument a path in it. False if there is none. */
bool module_absolute(Loader *l, CueStr *arg);

/* load_tag.c */
typedef enum { FILE_BUILD, FILE_EXCLUDED, FILE_BROKEN } FileVerdict;
/* Whether build attributes let a file take part. why: text of the exclusion. use_tags: tags of -t count. */
FileVerdict file_verdict(Loader *l, const AstFile *f, bool use_tags, CueStr *why, CueDiags *d);
void tags_find(Loader *l, Pkg *p);
bool tags_inject(Loader *l, CueDiags *d);

/* load_embed.c */
void embed_files(Loader *l, Pkg *p);

#endif
