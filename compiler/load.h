/* load.h - from the arguments of a command to packages ready to build.
**
** Arguments are packages (".", "./x", "./...", "mod.example/x@v0:name") followed by files
** (.cue, .json, ..., "-" for stdin, after a qualifier such as "json:"). Packages become one
** Instance each, with all they import; files become one Instance together. Files that are
** not CUE are listed beside an instance as orphans: the command decides what to do with them
** (load_data reads one).
**
** Loading never stops at the first fault: each instance carries its errors.
*/
#ifndef CUE_LOAD_H
#define CUE_LOAD_H

#include "compiler/eval.h"

typedef enum {
  CUE_ENC_NONE,
  CUE_ENC_CUE,
  CUE_ENC_JSON,
  CUE_ENC_JSONL,
  CUE_ENC_YAML,
  CUE_ENC_TOML,
  CUE_ENC_XML,
  CUE_ENC_TEXT,
  CUE_ENC_BINARY,
  CUE_ENC_PROTO,
  CUE_ENC_TEXTPROTO,
  CUE_ENC_BINARYPB,
  CUE_ENC_CODE,
} CueEncoding;

const char *cue_encoding_name(CueEncoding e);

/* A file as named by an argument or found in a folder. */
typedef struct {
  CueStr path; /* absolute; "-" for stdin */
  CueStr name; /* as shown in messages */
  CueEncoding encoding;
  CueStr interpretation; /* "", "auto", "jsonschema", "openapi", "pb" */
  bool koala;            /* of XML: how elements become fields */
  CueStr form;           /* "", "schema", "data", "graph", ... */
  CueStr excluded;       /* why it is no part of a build, for the message that lists such files */
} LoadFile;
typedef CUE_VEC(LoadFile) LoadFiles;

/* A module inside the program. */
typedef struct {
  const char *name, *text; /* name is relative to the module's root; text of len bytes, with a NUL behind it */
  size_t len;
  const CueStub *stubs; /* what of it is read when used; NULL: all is read at once, and may be wrong */
} LoadEmbeddedFile;
typedef struct {
  const char *path;    /* "example.com/m@v0" */
  const char *version; /* "v0.1.0" */
  const LoadEmbeddedFile *files;
  size_t n;
} LoadEmbedded;

/* Brings a module into the cache. Returns true if it then is at cache_dir/mod/extract/<path>@<version>; otherwise
** *why is the text to show, e.g. "module not found". */
typedef bool LoadFetch(void *user, CueArena *a, CueStr module, CueStr version, CueStr cache_dir, CueStr *why);

/* Told when a version is nowhere and the one inside the program, of the same major version, takes its place. */
typedef void LoadReplaced(void *user, CueStr module, CueStr version, CueStr used);
typedef struct FsWatch FsWatch; /* load_fs.h */

typedef struct {
  CueStr cwd;         /* absolute */
  CueStr package;     /* -p: "" for any single one, "*" for all, "_" for files without a clause */
  const CueStr *tags; /* -t: "name" or "name=value" */
  uint32_t ntags;
  bool tag_vars;     /* -T: fill @tag(x,var=y) */
  bool tools, tests; /* take _tool.cue, _test.cue */
  bool data_files;   /* a folder may hold data files only (import) */
  bool syntax_only;  /* for fmt: files are taken whatever their build attributes say; no imports, embeddings, tags */
  bool comments;     /* keep comments in syntax trees */
  bool (*leave_out)(void *user, CueStr path); /* files of folders that count as absent; may be NULL */
  void *leave_out_user;
  CueStr cache_dir; /* "" for the default: $CUE_CACHE_DIR, or cue/ in the user's cache folder */
  const LoadEmbedded *embedded;
  size_t nembedded;
  bool skip_inside; /* leave out the last argument if all modules inside the program are what it would be made of */
  LoadFetch *fetch; /* NULL: modules that are not there are not found */
  void *fetch_user;
  LoadReplaced *replaced; /* NULL: nobody is told */
  void *replaced_user;
  CueStr input; /* what stdin held, if has_input; otherwise it is read when needed */
  bool has_input;
  FsWatch *watch; /* notes what is read and looked for; NULL if nobody wants to know */
} LoadConfig;

typedef struct {
  Instance *instance;
  CueStr display;    /* as named by the user */
  bool user;         /* made of files given one by one */
  LoadFiles orphans; /* data files: all that were given, or those beside the package */
  LoadFiles ignored;
  LoadFiles unknown; /* of no known type */
} Loaded;
typedef CUE_VEC(Loaded *) LoadedList;

/* Where downloaded modules are if nobody says otherwise: $CUE_CACHE_DIR, or cue/ in the user's cache folder. */
CueStr load_cache_dir(CueArena *a);

/* At least one element; those with errors have instance->errors->n > 0. */
LoadedList load_args(CueContext *c, const LoadConfig *cfg, const CueStr *args, uint32_t nargs);

/* What `file:type` of an --out or --outfile flag means. False with *error set if it means nothing. */
bool load_scope_check(CueArena *a, CueStr scope, CueStr *error); /* a qualifier alone, whatever the file */
bool load_file_type(CueArena *a, CueStr scope, CueStr filename, LoadFile *out, CueStr *error);
bool load_is_package(CueStr arg);

/* The documents of a data file, each as a file of its own (fields of a struct, or one embedding). On error d is
** filled, and those before it are returned. */
typedef CUE_VEC(AstFile *) DataFiles;
DataFiles load_data(CueContext *c, const LoadConfig *cfg, const LoadFile *f, CueDiags *d);
/* Adds a syntax tree to an instance as one more file, as if it had been given among its files. */
void load_add_file(CueContext *c, Loaded *l, AstFile *f);

/* What a module needs: every module that has a package it imports, directly or through others, with the version that
** is to be used. */
typedef struct {
  CueStr module; /* with major version */
  CueStr version;
} LoadDep;
typedef struct {
  CueStr root;            /* folder of the module that cfg->cwd is in; "" if it is in none */
  CUE_VEC(LoadDep) needs; /* in order of module */
} LoadDeps;
/* A version the module file names counts, unless a module that is needed asks for a higher one; for a module it does
** not name, the one inside the program, or the highest in the cache. False with d filled. */
bool load_deps(CueContext *c, const LoadConfig *cfg, LoadDeps *out, CueDiags *d);

#endif
