/* artefact.c - artefacts read from files: only from those that nobody else can have written.
**
** The digest in a file says that it is whole, not who made it; that is said by its owner. So the file is opened
** once, without following a link, and what is asked about it is asked of what was opened.
*/
#include "runtime/artefact.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_SIZE = 1 << 28 };

static bool refuse(CueStr *why, CueStr text) {
  *why = text;
  return false;
}

/* Whether only this user and root can write to it. */
static bool is_ours(CueArena *a, const struct stat *st, const char *what, CueStr *why) {
  if (st->st_uid != geteuid() && st->st_uid != 0)
    return refuse(
        why, cue_strf(a, "%s belongs to another user (uid %lu), who can write to it", what, (unsigned long)st->st_uid));
  if (st->st_mode & (S_IWGRP | S_IWOTH))
    return refuse(why, cue_strf(a, "%s can be written by others (mode %04o): remove that permission with chmod go-w",
                                what, (unsigned)st->st_mode & 07777));
  return true;
}

/* To the start of a page, if it is large: artefact_map can then take pages over. */
static bool read_whole(CueArena *a, int fd, size_t size, CueStr *bytes, CueStr *why) {
  enum { PAGE = 4096, MUCH = 64 << 10 };
  char *p = cue_alloc(a, size + 1 + (size > MUCH ? PAGE : 0));
  size_t n = 0;
  if (size > MUCH) p += -(uintptr_t)p & (PAGE - 1);
  while (n <= size) { /* one byte more than there should be: the file must end */
    ssize_t got = read(fd, p + n, size + 1 - n);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return refuse(why, cue_strf(a, "it cannot be read: %s", strerror(errno)));
    if (!got) break;
    n += (size_t)got;
  }
  if (n != size) return refuse(why, CUE_STR("it changed while it was read"));
  *bytes = (CueStr){p, n};
  return true;
}

static bool read_open(CueArena *a, int fd, CueStr *bytes, CueStr *why) {
  struct stat st;
  if (fstat(fd, &st) < 0) return refuse(why, cue_strf(a, "it cannot be read: %s", strerror(errno)));
  if (!S_ISREG(st.st_mode)) return refuse(why, CUE_STR("it is not a regular file"));
  if (!is_ours(a, &st, "the file", why)) return false;
  if (st.st_size > MAX_SIZE) return refuse(why, CUE_STR("it is too large"));
  return read_whole(a, fd, (size_t)st.st_size, bytes, why);
}

/* A folder that others can write to is a place where a file can be exchanged for another. */
static bool check_folder(CueArena *a, int dir, CueStr *why) {
  struct stat st;
  if (fstat(dir, &st) < 0) return refuse(why, cue_strf(a, "its folder cannot be read: %s", strerror(errno)));
  return is_ours(a, &st, "its folder", why);
}

bool artefact_read(CueArena *a, CueStr path, CueStr *bytes, CueStr *why) {
  size_t slash = path.n;
  while (slash && path.s[slash - 1] != '/') slash--;
  CueStr folder = slash > 1 ? cue_str_copy(a, cue_str_sub(path, 0, slash)) : cue_str(slash ? "/" : ".");
  CueStr name = cue_str_copy(a, cue_str_sub(path, slash, path.n));
  int dir = open(folder.s, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (dir < 0) return refuse(why, cue_strf(a, "its folder cannot be opened: %s", strerror(errno)));
  bool ok = check_folder(a, dir, why);
  /* A pipe must not make us wait for somebody to write to it. */
  int fd = ok ? openat(dir, name.s, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) : -1;
  if (ok && fd < 0)
    ok = refuse(why, errno == ELOOP ? CUE_STR("it is a symbolic link: name the file itself")
                                    : cue_strf(a, "it cannot be opened: %s", strerror(errno)));
  ok = ok && read_open(a, fd, bytes, why);
  if (fd >= 0) close(fd);
  close(dir);
  return ok;
}

bool artefact_open(CueArena *a, CueStr path, ArtefactFile *out, CueStr *why) {
  CueStr object;
  return artefact_read(a, path, &out->bytes, why) && artefact_unseal(a, out->bytes, &object, &out->seal, why) &&
         artefact_object(a, object, &out->object, why);
}

bool artefact_enter(CueArena *a, const ArtefactFile *f, CompiledFind *find, Compiled *out, CueStr *why) {
  Compiled code;
  CueStr missing;
  char *base = artefact_map(&f->object);
  if (!base) return refuse(why, CUE_STR("there is not enough memory to map it"));
  memcpy(&code, base + f->object.entry, sizeof code);
  bool right = code.kind == f->seal.kind && code.abi == f->seal.abi;
  if (right && compiled_link(a, &code, find, out, &missing)) return true;
  artefact_unmap(&f->object, base);
  return refuse(why, right ? cue_strf(a, "it needs something that this opm does not have: %.*s", CUE_FMT(missing))
                           : CUE_STR("its contents are not what its seal says"));
}
