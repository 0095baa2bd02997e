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

/* What was asked about the disk, and the answer: enough to tell later whether the same questions would be answered the
** same. Files inside the program are not noted. */
typedef enum {
  FS_FILE,   /* read: the digest of its bytes */
  FS_FOLDER, /* looked into for CUE files: the digest of their names */
  FS_NAMES,  /* looked into for files of any kind */
  FS_STAT,   /* asked whether it is there: "absent", "file", "folder" */
} FsQuestion;
typedef struct {
  FsQuestion question;
  CueStr path, answer;
} FsNote;
struct FsWatch {
  CueArena *a;
  CUE_VEC(FsNote) notes; /* the same may be there more than once */
};
/* The answer as it is now. */
CueStr fs_answer(CueArena *a, FsQuestion q, CueStr path);

typedef struct {
  CueArena *a;
  const LoadEmbedded *embedded;
  size_t n;
  FsWatch *watch; /* or NULL */
} LoadFs;

typedef struct {
  CueStr name;
  bool is_dir;
} DirEntry;
typedef CUE_VEC(DirEntry) DirEntries;

bool fs_exists(const LoadFs *fs, CueStr path);
bool fs_is_dir(const LoadFs *fs, CueStr path);                    /* follows links */
bool fs_list(const LoadFs *fs, CueStr path, DirEntries *out);     /* sorted by name; false if it cannot be read */
bool fs_list_all(const LoadFs *fs, CueStr path, DirEntries *out); /* the same, by who cares for more than CUE files */
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
