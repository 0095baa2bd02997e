/* load_fs.c - paths, and files on disk or inside the program.
*/
#define _DEFAULT_SOURCE
#include "compiler/load_fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/digest.h"

/* ---- paths ---- */

CueStr path_clean(CueArena *a, CueStr p) {
  if (!p.n) return CUE_STR(".");
  char *out = cue_alloc(a, p.n + 2);
  size_t n = 0, floor = 0; /* below floor nothing is taken back by ".." */
  bool rooted = p.s[0] == '/';
  if (rooted) out[n++] = '/', floor = 1;
  for (size_t i = 0; i < p.n;) {
    size_t end = i;
    while (end < p.n && p.s[end] != '/') end++;
    size_t len = end - i;
    bool dot = len == 1 && p.s[i] == '.', up = len == 2 && p.s[i] == '.' && p.s[i + 1] == '.';
    if (len && !dot && !up) {
      if (n > (rooted ? 1u : 0u)) out[n++] = '/';
      memcpy(out + n, p.s + i, len);
      n += len;
    } else if (up && n > floor) {
      while (n > floor && out[n - 1] != '/') n--;
      if (n > floor) n--;
    } else if (up && !rooted) {
      if (n) out[n++] = '/';
      out[n++] = '.';
      out[n++] = '.';
      floor = n;
    }
    i = end + 1;
  }
  if (!n) out[n++] = '.';
  return (CueStr){out, n};
}

CueStr path_join(CueArena *a, CueStr x, CueStr y) {
  if (!x.n) return y.n ? path_clean(a, y) : CUE_STR("");
  if (!y.n) return path_clean(a, x);
  CueBuf b = cue_buf(a);
  cue_buf_str(&b, x);
  cue_buf_ch(&b, '/');
  cue_buf_str(&b, y);
  return path_clean(a, cue_buf_done(&b));
}

CueStr path_dir(CueArena *a, CueStr p) {
  size_t i = p.n;
  while (i && p.s[i - 1] != '/') i--;
  return path_clean(a, cue_str_sub(p, 0, i));
}

CueStr path_ext(CueStr p) {
  for (size_t i = p.n; i && p.s[i - 1] != '/'; i--)
    if (p.s[i - 1] == '.') return cue_str_sub(p, i - 1, p.n);
  return CUE_STR("");
}

bool path_is_local(CueStr p) {
  return cue_str_is(p, ".") || cue_str_is(p, "..") || cue_str_has_prefix(p, CUE_STR("./")) ||
         cue_str_has_prefix(p, CUE_STR("../"));
}

CueStr path_rel(CueArena *a, CueStr base, CueStr target) {
  if (cue_str_eq(base, target)) return CUE_STR(".");
  if (cue_str_is(base, "/")) return cue_str_sub(target, 1, target.n);
  size_t common = 0, i = 0;
  while (i < base.n && i < target.n && base.s[i] == target.s[i]) {
    if (base.s[i] == '/') common = i;
    i++;
  }
  bool base_done = i == base.n, target_done = i == target.n;
  if (base_done && !target_done && target.s[i] == '/') return cue_str_sub(target, i + 1, target.n);
  if (target_done && !base_done && base.s[i] == '/') common = i;
  CueBuf b = cue_buf(a);
  for (size_t k = common; k < base.n; k++)
    if (base.s[k] == '/') cue_buf_z(&b, b.n ? "/.." : "..");
  if (common + 1 < target.n) {
    cue_buf_ch(&b, '/');
    cue_buf_str(&b, cue_str_sub(target, common + 1, target.n));
  }
  return cue_buf_done(&b);
}

CueStr path_shown(CueArena *a, CueStr cwd, CueStr path) {
  if (!path.n || path.s[0] != '/' || cue_str_has_prefix(path, CUE_STR(EMBED_ROOT))) return path;
  CueStr rel = path_rel(a, cwd, path);
  return rel.s[0] == '.' ? rel : cue_strf(a, "./%.*s", CUE_FMT(rel));
}

CueStr path_source_name(CueArena *a, CueStr path) {
  CueStr prefix = CUE_STR(EMBED_ROOT);
  if (!cue_str_has_prefix(path, prefix)) return path;
  CueBuf b = cue_buf(a); /* "m.example@v0 v0.1.0/x.cue" becomes "m.example@v0.1.0/x.cue" */
  CueStr rest = cue_str_sub(path, prefix.n, path.n);
  ptrdiff_t at = cue_str_find(rest, CUE_STR("@")), blank = cue_str_find(rest, CUE_STR(" "));
  cue_buf_str(&b, cue_str_sub(rest, 0, (size_t)at + 1));
  cue_buf_str(&b, cue_str_sub(rest, (size_t)blank + 1, rest.n));
  return cue_buf_done(&b);
}

/* ---- modules inside the program ---- */

static CueStr embed_root(CueArena *a, const LoadEmbedded *m) {
  return cue_strf(a, EMBED_ROOT "%s %s", m->path, m->version);
}

CueStr fs_embedded_root(const LoadFs *fs, CueStr module, CueStr version) {
  for (size_t i = 0; i < fs->n; i++) {
    const LoadEmbedded *m = &fs->embedded[i];
    if (cue_str_is(module, m->path) && (!version.n || cue_str_is(version, m->version))) return embed_root(fs->a, m);
  }
  return CUE_STR("");
}

const LoadEmbedded *fs_embedded_module(const LoadFs *fs, CueStr base, CueStr major) {
  for (size_t i = 0; i < fs->n; i++) {
    CueStr path = cue_str(fs->embedded[i].path);
    if (path.n <= base.n || path.s[base.n] != '@' || !cue_str_has_prefix(path, base)) continue;
    if (!major.n || cue_str_eq(cue_str_sub(path, base.n + 1, path.n), major)) return &fs->embedded[i];
  }
  return NULL;
}

static bool take(CueStr *path, CueStr prefix) {
  if (!cue_str_has_prefix(*path, prefix)) return false;
  *path = cue_str_sub(*path, prefix.n, path->n);
  return true;
}

/* The module path lies in, and the rest of path; NULL if it is on disk. Asked for every file, so no root is written out
** to compare with. */
static const LoadEmbedded *embedded_at(const LoadFs *fs, CueStr path, CueStr *rest) {
  if (!take(&path, CUE_STR(EMBED_ROOT))) return NULL;
  for (size_t i = 0; i < fs->n; i++) {
    const LoadEmbedded *m = &fs->embedded[i];
    *rest = path;
    if (!take(rest, cue_str(m->path)) || !take(rest, CUE_STR(" ")) || !take(rest, cue_str(m->version))) continue;
    if (!rest->n || take(rest, CUE_STR("/"))) return m;
  }
  return NULL;
}

static const LoadEmbeddedFile *embedded_file(const LoadEmbedded *m, CueStr rest) {
  for (size_t i = 0; i < m->n; i++)
    if (cue_str_is(rest, m->files[i].name)) return &m->files[i];
  return NULL;
}

/* The part of a file's name below folder dir, or empty. */
static CueStr below(CueStr dir, const char *name) {
  CueStr s = cue_str(name);
  if (!dir.n) return s;
  if (!cue_str_has_prefix(s, dir) || s.n <= dir.n || s.s[dir.n] != '/') return CUE_STR("");
  return cue_str_sub(s, dir.n + 1, s.n);
}

static bool embedded_dir(const LoadEmbedded *m, CueStr dir) {
  for (size_t i = 0; i < m->n; i++)
    if (below(dir, m->files[i].name).n) return true;
  return false;
}

static void embedded_list(CueArena *a, const LoadEmbedded *m, CueStr dir, DirEntries *out) {
  for (size_t i = 0; i < m->n; i++) {
    CueStr rest = below(dir, m->files[i].name);
    if (!rest.n) continue;
    ptrdiff_t slash = cue_str_find(rest, CUE_STR("/"));
    CueStr name = slash < 0 ? rest : cue_str_sub(rest, 0, (size_t)slash);
    bool known = false;
    for (uint32_t k = 0; k < out->n; k++) known |= cue_str_eq(out->at[k].name, name);
    if (!known) cue_push(a, out, (DirEntry){name, slash >= 0});
  }
}

/* ---- files ---- */

static const char *path_z(const LoadFs *fs, CueStr path) { return cue_str_copy(fs->a, path).s; }

/* Go writes system errors with a small first letter. */
static CueStr system_error(CueArena *a, const char *what, CueStr path, int err) {
  CueStr text = cue_str_copy(a, cue_str(strerror(err)));
  if (text.n && text.s[0] >= 'A' && text.s[0] <= 'Z') text = cue_strf(a, "%c%s", text.s[0] + 32, text.s + 1);
  return cue_strf(a, "%s %.*s: %.*s", what, CUE_FMT(path), CUE_FMT(text));
}

typedef enum { ABSENT, FILE_THERE, FOLDER } Presence;

static Presence presence(const char *path) {
  struct stat st;
  return stat(path, &st) != 0 ? ABSENT : S_ISDIR(st.st_mode) ? FOLDER : FILE_THERE;
}

static void note(const LoadFs *fs, FsQuestion q, CueStr path, CueStr answer) {
  if (fs->watch) cue_push(fs->watch->a, &fs->watch->notes, (FsNote){q, cue_str_copy(fs->watch->a, path), answer});
}

static CueStr presence_name(Presence p) {
  return p == ABSENT ? CUE_STR("absent") : p == FOLDER ? CUE_STR("folder") : CUE_STR("file");
}

static Presence look(const LoadFs *fs, CueStr path) {
  Presence p = presence(path_z(fs, path));
  note(fs, FS_STAT, path, presence_name(p));
  return p;
}

bool fs_exists(const LoadFs *fs, CueStr path) {
  CueStr rest;
  const LoadEmbedded *m = embedded_at(fs, path, &rest);
  if (m) return embedded_file(m, rest) || embedded_dir(m, rest);
  return look(fs, path) != ABSENT;
}

bool fs_is_dir(const LoadFs *fs, CueStr path) {
  CueStr rest;
  const LoadEmbedded *m = embedded_at(fs, path, &rest);
  if (m) return embedded_dir(m, rest);
  return look(fs, path) == FOLDER;
}

bool fs_stat_error(const LoadFs *fs, CueStr path, CueStr *error) {
  if (cue_str_has_prefix(path, CUE_STR(EMBED_ROOT))) return false;
  struct stat st;
  if (stat(path_z(fs, path), &st) == 0) return false;
  *error = system_error(fs->a, "stat", path, errno);
  return true;
}

static int entry_cmp(const void *x, const void *y) {
  return cue_str_cmp(((const DirEntry *)x)->name, ((const DirEntry *)y)->name);
}

/* Links to folders count as files, as in Go. */
static bool entry_is_dir(const LoadFs *fs, CueStr dir, const struct dirent *e) {
  if (e->d_type != DT_UNKNOWN) return e->d_type == DT_DIR;
  struct stat st;
  CueStr path = cue_strf(fs->a, "%.*s/%s", CUE_FMT(dir), e->d_name);
  return lstat(path.s, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool list_disk(const LoadFs *fs, CueStr path, DirEntries *out) {
  DIR *d = opendir(path_z(fs, path));
  if (!d) return false;
  for (struct dirent *e; (e = readdir(d)) != NULL;) {
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    cue_push(fs->a, out, (DirEntry){cue_str_copy(fs->a, cue_str(e->d_name)), entry_is_dir(fs, path, e)});
  }
  closedir(d);
  if (out->n) qsort(out->at, out->n, sizeof *out->at, entry_cmp);
  return true;
}

static CueStr hex_digest(CueArena *a, CueStr bytes) {
  CueStr raw;
  cue_digest(a, "sha256", bytes, &raw);
  return cue_hex(a, raw);
}

static CueStr names_digest(CueArena *a, FsQuestion q, bool readable, const DirEntries *entries) {
  if (!readable) return CUE_STR("absent");
  CueBuf b = cue_buf(a);
  for (uint32_t i = 0; i < entries->n; i++) {
    const DirEntry *e = &entries->at[i];
    bool counts = q == FS_NAMES || (!e->is_dir && cue_str_has_suffix(e->name, CUE_STR(".cue")));
    if (counts) cue_buf_f(&b, "%.*s%c", CUE_FMT(e->name), 0);
  }
  return hex_digest(a, cue_buf_done(&b));
}

static bool list(const LoadFs *fs, FsQuestion q, CueStr path, DirEntries *out) {
  CueStr rest;
  const LoadEmbedded *m = embedded_at(fs, path, &rest);
  if (m) {
    embedded_list(fs->a, m, rest, out);
    if (out->n) qsort(out->at, out->n, sizeof *out->at, entry_cmp);
    return true;
  }
  bool ok = list_disk(fs, path, out);
  if (fs->watch) note(fs, q, path, names_digest(fs->watch->a, q, ok, out));
  return ok;
}

bool fs_list(const LoadFs *fs, CueStr path, DirEntries *out) { return list(fs, FS_FOLDER, path, out); }
bool fs_list_all(const LoadFs *fs, CueStr path, DirEntries *out) { return list(fs, FS_NAMES, path, out); }

static bool read_all(CueArena *a, int fd, size_t hint, CueStr *text) {
  CueBuf b = cue_buf(a);
  if (hint) {
    char *room = cue_alloc(a, hint + 1);
    size_t n = 0;
    while (n < hint) {
      ssize_t got = read(fd, room + n, hint - n);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return false;
      if (got == 0) break;
      n += (size_t)got;
    }
    char rest[64]; /* there is none, unless the file has just grown */
    ssize_t more = n == hint ? read(fd, rest, sizeof rest) : 0;
    if (more <= 0) {
      *text = (CueStr){room, n};
      return more == 0;
    }
    cue_buf_add(&b, room, n);
    cue_buf_add(&b, rest, (size_t)more);
  }
  for (;;) {
    enum { CHUNK = 65536 };
    ssize_t got = read(fd, cue_buf_room(&b, CHUNK), CHUNK);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) break;
    b.n += (size_t)got;
  }
  *text = cue_buf_done(&b);
  return true;
}

const CueStub *fs_stubs(const LoadFs *fs, CueStr path) {
  CueStr rest;
  const LoadEmbedded *m = embedded_at(fs, path, &rest);
  const LoadEmbeddedFile *f = m ? embedded_file(m, rest) : NULL;
  return f ? f->stubs : NULL;
}

static bool read_disk(const LoadFs *fs, CueStr path, CueStr *text, CueStr *error) {
  int fd = open(path_z(fs, path), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    *error = system_error(fs->a, "open", path, errno);
    return false;
  }
  struct stat st;
  size_t hint = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 ? (size_t)st.st_size : 0;
  bool ok = read_all(fs->a, fd, hint, text);
  if (!ok) *error = system_error(fs->a, "read", path, errno);
  close(fd);
  return ok;
}

bool fs_read(const LoadFs *fs, CueStr path, CueStr *text, CueStr *error) {
  CueStr rest;
  const LoadEmbedded *m = embedded_at(fs, path, &rest);
  if (m) {
    const LoadEmbeddedFile *f = embedded_file(m, rest);
    if (f)
      *text = (CueStr){f->text, f->len};
    else
      *error = cue_strf(fs->a, "open %.*s: no such file or directory", CUE_FMT(path));
    return f != NULL;
  }
  bool ok = read_disk(fs, path, text, error);
  if (fs->watch) note(fs, FS_FILE, path, ok ? hex_digest(fs->watch->a, *text) : CUE_STR("absent"));
  return ok;
}

CueStr fs_answer(CueArena *a, FsQuestion q, CueStr path) {
  LoadFs fs = {.a = a};
  CueStr text, error;
  DirEntries entries = {0};
  switch (q) {
  case FS_FILE: return read_disk(&fs, path, &text, &error) ? hex_digest(a, text) : CUE_STR("absent");
  case FS_FOLDER:
  case FS_NAMES: {
    bool readable = list_disk(&fs, path, &entries);
    return names_digest(a, q, readable, &entries);
  }
  case FS_STAT: break;
  }
  return presence_name(presence(path_z(&fs, path)));
}

bool fs_read_stdin(CueArena *a, CueStr *text, CueStr *error) {
  if (read_all(a, STDIN_FILENO, 0, text)) return true;
  *error = cue_strf(a, "read stdin: %s", strerror(errno));
  return false;
}

/* ---- encodings ---- */

static uint32_t unit16(CueStr s, size_t i, bool big) {
  uint32_t first = (unsigned char)s.s[i], second = (unsigned char)s.s[i + 1];
  return big ? first << 8 | second : second << 8 | first;
}

static CueStr from_utf16(CueArena *a, CueStr s, bool big) {
  CueBuf b = cue_buf(a);
  for (size_t i = 0; i + 1 < s.n; i += 2) {
    uint32_t u = unit16(s, i, big);
    if (u >= 0xD800 && u < 0xE000) {
      uint32_t low = u < 0xDC00 && i + 3 < s.n ? unit16(s, i + 2, big) : 0;
      bool pair = low >= 0xDC00 && low < 0xE000;
      u = pair ? 0x10000 + ((u - 0xD800) << 10) + (low - 0xDC00) : CUE_RUNE_ERROR;
      if (pair) i += 2;
    }
    cue_buf_rune(&b, u);
  }
  return cue_buf_done(&b);
}

CueStr text_decode(CueArena *a, CueStr s) {
  if (cue_str_has_prefix(s, CUE_STR("\xfe\xff"))) return from_utf16(a, cue_str_sub(s, 2, s.n), true);
  if (cue_str_has_prefix(s, CUE_STR("\xff\xfe"))) return from_utf16(a, cue_str_sub(s, 2, s.n), false);
  if (cue_str_has_prefix(s, CUE_STR("\xef\xbb\xbf"))) s = cue_str_sub(s, 3, s.n);
  if (cue_utf8_valid(s)) return s;
  CueBuf b = cue_buf(a);
  for (size_t i = 0; i < s.n;) cue_buf_rune(&b, cue_utf8_next(s, &i));
  return cue_buf_done(&b);
}
