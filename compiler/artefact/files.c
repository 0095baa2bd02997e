/* files.c - see files.h. */
#include "compiler/artefact/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(CueArena *a, const char *what, CueStr path, CueStr *why) {
  *why = cue_strf(a, "%s %.*s: %s", what, CUE_FMT(path), strerror(errno));
  return false;
}

/* ---- folders ---- */

bool folder_make(CueArena *a, CueStr path, CueStr *why) {
  char *p = (char *)cue_str_copy(a, path).s;
  for (size_t i = 1; i <= path.n; i++) {
    if (i < path.n && p[i] != '/') continue;
    p[i] = 0;
    struct stat st;
    if (mkdir(p, 0700) < 0 && (errno != EEXIST || stat(p, &st) < 0 || !S_ISDIR(st.st_mode)))
      return fail(a, "cannot create the folder", cue_str(p), why);
    if (i < path.n) p[i] = '/';
  }
  return true;
}

bool folder_private(CueArena *a, CueStr below, CueStr *dir, CueStr *why) {
  if (!folder_make(a, below, why)) return false;
  CueStr name = cue_strf(a, "%.*s/%ld-XXXXXX", CUE_FMT(below), (long)getpid());
  if (!mkdtemp((char *)name.s)) return fail(a, "cannot create the folder", name, why);
  *dir = name;
  return true;
}

bool folder_is_left_over(CueArena *a, CueStr path) {
  size_t slash = path.n;
  while (slash && path.s[slash - 1] != '/') slash--;
  char *end;
  const char *name = cue_str_copy(a, cue_str_sub(path, slash, path.n)).s;
  long pid = strtol(name, &end, 10);
  return pid > 0 && *end == '-' && kill((pid_t)pid, 0) < 0 && errno == ESRCH;
}

static void remove_in(int parent, const char *name) {
  int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
  for (struct dirent *e; d && (e = readdir(d));)
    if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..") && unlinkat(fd, e->d_name, 0) < 0) remove_in(fd, e->d_name);
  if (d)
    closedir(d);
  else if (fd >= 0)
    close(fd);
  unlinkat(parent, name, AT_REMOVEDIR);
}

void folder_remove(CueArena *a, CueStr path) { remove_in(AT_FDCWD, cue_str_copy(a, path).s); }

/* ---- files ---- */

static bool write_all(int fd, CueStr bytes) {
  while (bytes.n) {
    ssize_t n = write(fd, bytes.s, bytes.n);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes = cue_str_sub(bytes, (size_t)n, bytes.n);
  }
  return true;
}

/* `shown` is what it is called in a message. */
static bool put(CueArena *a, CueStr path, CueStr shown, CueStr bytes, unsigned mode, bool lasting, CueStr *why) {
  path = cue_str_copy(a, path);
  int fd = open(path.s, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, (mode_t)mode);
  if (fd < 0) return fail(a, "cannot make", shown, why);
  bool ok = fchmod(fd, (mode_t)mode) == 0 && write_all(fd, bytes) && (!lasting || fsync(fd) == 0);
  if (!ok) fail(a, "cannot write", shown, why);
  if (close(fd) < 0 && ok) ok = fail(a, "cannot write", shown, why);
  if (!ok) unlink(path.s);
  return ok;
}

bool file_put(CueArena *a, CueStr path, CueStr bytes, CueStr *why) {
  return put(a, path, path, bytes, 0600, false, why);
}

/* The name of a file is on disk when its folder is. A file system that knows no such thing is no reason to fail. */
static void sync_folder(CueArena *a, CueStr path) {
  size_t slash = path.n;
  while (slash && path.s[slash - 1] != '/') slash--;
  int fd = open(slash ? cue_str_copy(a, cue_str_sub(path, 0, slash)).s : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  (void)fsync(fd);
  close(fd);
}

bool file_replace(CueArena *a, CueStr path, CueStr bytes, unsigned mode, CueStr *why) {
  CueStr temp = cue_strf(a, "%.*s.%ld.tmp", CUE_FMT(path), (long)getpid());
  path = cue_str_copy(a, path);
  unlink(temp.s); /* of a process that was killed and had our number */
  if (!put(a, temp, path, bytes, mode, true, why)) return false;
  if (rename(temp.s, path.s) < 0) {
    fail(a, "cannot write", path, why);
    unlink(temp.s);
    return false;
  }
  sync_folder(a, path);
  return true;
}

bool file_take(CueArena *a, CueStr path, CueStr *bytes, CueStr *why) {
  path = cue_str_copy(a, path);
  int fd = open(path.s, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat st;
  if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
    if (fd >= 0) close(fd);
    return fail(a, "cannot read", path, why);
  }
  CueBuf b = cue_buf(a);
  ssize_t n;
  do {
    char *room = cue_buf_room(&b, (size_t)st.st_size + 1);
    n = read(fd, room, (size_t)st.st_size + 1);
    if (n > 0) b.n += (size_t)n;
  } while (n > 0 || (n < 0 && errno == EINTR));
  int error = errno;
  close(fd);
  errno = error;
  if (n < 0) return fail(a, "cannot read", path, why);
  *bytes = cue_buf_done(&b);
  return true;
}
