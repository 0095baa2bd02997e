/* output.c - files written whole or not at all. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/print.h"
#include "cli/run.h"

ExitCode exit_of_errno(void) {
  if (errno == EACCES || errno == EPERM || errno == EROFS) return EXIT_DENIED;
  return errno == ENOENT ? EXIT_MISSING : EXIT_GENERAL;
}

/* strerror as Go words it. */
static bool failed(CueArena *a, const char *call, CueStr path, CueStr *error) {
  int why_failed = errno;
  CueBuf text = cue_buf(a);
  cue_buf_z(&text, strerror(why_failed));
  if (text.n && text.s[0] >= 'A' && text.s[0] <= 'Z') text.s[0] = (char)(text.s[0] + 'a' - 'A');
  CueStr why = cue_buf_done(&text);
  *error = cue_strf(a, "%s %.*s: %.*s", call, CUE_FMT(path), CUE_FMT(why));
  errno = why_failed;
  return false;
}

static bool write_to(CueArena *a, int fd, CueStr path, CueStr text, CueStr *error) {
  bool ok = print_all(fd, text) || failed(a, "write", path, error);
  if (close(fd) < 0 && ok) ok = failed(a, "close", path, error);
  return ok;
}

bool write_file(CueArena *a, CueStr path, CueStr text, bool replace, CueStr *error) {
  return write_file_mode(a, path, text, replace, 0666, error);
}

bool write_file_mode(CueArena *a, CueStr path, CueStr text, bool replace, unsigned mode, CueStr *error) {
  path = cue_str_copy(a, path);
  struct stat st;
  bool exists = stat(path.s, &st) == 0;
  if (exists && !S_ISREG(st.st_mode)) { /* a device or pipe is written to, not replaced */
    int fd = open(path.s, O_WRONLY | O_CLOEXEC);
    return fd < 0 ? failed(a, "open", path, error) : write_to(a, fd, path, text, error);
  }
  if (exists && !replace) {
    *error = cue_strf(a, "error writing \"%.*s\": file already exists", CUE_FMT(path));
    return false;
  }
  /* A link is followed, so that it stays one. */
  char target[4096];
  ssize_t n = exists ? readlink(path.s, target, sizeof target) : -1;
  CueStr real = path;
  if (n > 0 && (size_t)n < sizeof target) {
    size_t dir = path.n;
    while (dir && path.s[dir - 1] != '/') dir--;
    real = cue_strf(a, "%.*s%.*s", target[0] == '/' ? 0 : (int)dir, path.s, (int)n, target);
  }
  CueStr temp = cue_strf(a, "%.*s.%ld.tmp", CUE_FMT(real), (long)getpid());
  int fd = open(temp.s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (mode_t)mode);
  if (fd < 0) return failed(a, "open", path, error);
  if (exists) (void)fchmod(fd, st.st_mode & 07777); /* a file system without modes is no reason to fail */
  if (write_to(a, fd, path, text, error)) {
    if (rename(temp.s, real.s) == 0) return true;
    failed(a, "rename", path, error);
  }
  int why = errno;
  unlink(temp.s);
  errno = why;
  return false;
}

bool make_dirs(CueArena *a, CueStr path, unsigned mode, CueStr *error) {
  char *p = cue_array(a, char, path.n + 1);
  memcpy(p, path.s, path.n);
  for (size_t i = 1; i <= path.n; i++) {
    if (i < path.n && p[i] != '/') continue;
    p[i] = 0;
    struct stat st;
    if (mkdir(p, (mode_t)mode) < 0 && (errno != EEXIST || stat(p, &st) < 0 || !S_ISDIR(st.st_mode)))
      return failed(a, "mkdir", cue_str(p), error);
    if (i < path.n) p[i] = '/';
  }
  return true;
}
