/* load_fs.h - paths, and files on disk or inside the program.
**
** Modules inside the program live under paths that begin with EMBED_ROOT and name module and
** version; the functions below read them as if they were folders.
*/
#ifndef CUE_LOAD_FS_H
#define CUE_LOAD_FS_H

#include "compiler/load.h"

#define EMBED_ROOT "/\001embedded/"

CueStr path_clean(CueArena *a, CueStr p);                 /* as Go's path.Clean */
CueStr path_join(CueArena *a, CueStr x, CueStr y);        /* cleaned */
CueStr path_dir(CueArena *a, CueStr p);                   /* as Go's path.Dir */
CueStr path_ext(CueStr p);                                /* from the last dot of the last element */
CueStr path_rel(CueArena *a, CueStr base, CueStr target); /* both absolute and clean */
/* A path as messages show it: relative to cwd, with "./" in front unless it goes up. "-" stays. */
CueStr path_shown(CueArena *a, CueStr cwd, CueStr path);
CueStr path_source_name(CueArena *a,
                        CueStr path); /* the name of a source: the path; of an embedded file, module and version */
bool path_is_local(CueStr p);         /* ".", "..", "./x", "../x" */

typedef struct {
  CueArena *a;
  const LoadEmbedded *embedded;
  size_t n;
} LoadFs;

typedef struct {
  CueStr name;
  bool is_dir;
} DirEntry;
typedef CUE_VEC(DirEntry) DirEntries;

bool fs_exists(const LoadFs *fs, CueStr path);
bool fs_is_dir(const LoadFs *fs, CueStr path);                /* follows links */
bool fs_list(const LoadFs *fs, CueStr path, DirEntries *out); /* sorted by name; false if it cannot be read */
/* The text of a file, NUL after it. On failure *error is as Go words it: "open PATH: no such file or directory". */
bool fs_read(const LoadFs *fs, CueStr path, CueStr *text, CueStr *error);
const CueStub *fs_stubs(const LoadFs *fs, CueStr path); /* of a file inside the program; NULL if it has none */
bool fs_stat_error(const LoadFs *fs, CueStr path,
                   CueStr *error); /* true, with "stat PATH: ...", if there is no such file */
bool fs_read_stdin(CueArena *a, CueStr *text, CueStr *error);
/* Bytes of a file as UTF-8: without a byte order mark, from UTF-16 where the mark says so, U+FFFD for what is invalid. */
CueStr text_decode(CueArena *a, CueStr bytes);
CueStr fs_embedded_root(const LoadFs *fs, CueStr module, CueStr version); /* "" if there is no such module */
/* What of a module is inside the program: of that major version, "" for any. NULL if nothing. */
const LoadEmbedded *fs_embedded_module(const LoadFs *fs, CueStr base, CueStr major);

#endif
