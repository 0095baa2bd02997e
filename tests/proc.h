/* proc.h - what the test programs share: running a command, files, scratch folders.
**
** Everything returned lives in the arena that was passed. A failure of the machine (no
** disk, no processes) prints one line and exits: a test cannot go on without it.
*/
#ifndef TESTS_PROC_H
#define TESTS_PROC_H

#include "runtime/str.h"

typedef struct {
  int exit;       /* exit code; 128 + signal if it died of one */
  bool timeout;   /* killed for taking longer than it may */
  double seconds; /* wall clock */
  long max_rss_kb;
  CueStr out, err;
} ProcResult;

typedef struct {
  const char *cwd;        /* NULL: ours */
  CueStr in;              /* standard input */
  const char *const *env; /* "K=V" additions, NULL-terminated; may be NULL */
  unsigned timeout;       /* seconds; 0 means 20 */
} ProcOptions;

ProcResult proc_run(CueArena *a, const char *const *argv, ProcOptions opt);
/* The same for a function of ours, called in a forked child: what it returns is the exit code. A crash or an endless
** loop in it costs only this call. */
typedef int ProcFn(void *arg);
ProcResult proc_call(CueArena *a, ProcFn *fn, void *arg, ProcOptions opt);

bool file_read(CueArena *a, const char *path, CueStr *out); /* false if it cannot be read */
void file_write(const char *path, CueStr text);             /* makes the folders above it */
/* A file in three parts, the inner one between the lines "<!-- NAME: begin -->" and "<!-- NAME: end -->". False if it
** has no such lines. */
bool file_marked(CueArena *a, const char *path, const char *name, CueStr *before, CueStr *inside, CueStr *behind);
/* Installs a program in dir/bin, as `make install` would. What a linker has just written lies in the memory of the kernel in
** single pages, and starts slower than what was written from its beginning to its end. */
const char *program_copy(CueArena *a, const char *program, const char *dir);
void dir_copy(const char *from, const char *to); /* files and folders, recursively */
void dir_remove(const char *path);
bool dir_exists(const char *path);
/* All files below dir whose name ends in suffix, sorted; NULL-terminated. */
const char **dir_list(CueArena *a, const char *dir, const char *suffix);
char *scratch_dir(CueArena *a); /* a new empty folder for the caller to remove */
double now_seconds(void);
_Noreturn void proc_die(const char *fmt, ...) CUE_PRINTF(1, 2);

#endif
