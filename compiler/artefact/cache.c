/* cache.c - see cache.h: finding and adding. */
#include "compiler/artefact/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/artefact/cc.h"
#include "compiler/artefact/files.h"
#include "runtime/digest.h"

Cache cache_open(CueArena *a, CueStr compiler, CueStr language) {
  Cache c = {CUE_STR(""), compiler, language};
  const char *dir = getenv("XDG_CACHE_HOME");
  if (dir && *dir == '/')
    c.dir = cue_strf(a, "%s/opm", dir);
  else if ((dir = getenv("HOME")) && *dir == '/')
    c.dir = cue_strf(a, "%s/.cache/opm", dir);
  return c;
}

static CueStr hex_digest(CueArena *a, CueStr text) {
  CueStr raw;
  cue_digest(a, "sha256", text, &raw);
  return cue_hex(a, raw);
}

CueStr cache_slot(CueArena *a, CompiledKind kind, const InputPlaces *at, CueStr what) {
  CueBuf b = cue_buf(a);
  const CueStr parts[] = {at->dir, at->modules, what};
  cue_buf_f(&b, "%d%c", (int)kind, 0);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    cue_buf_str(&b, parts[i]);
    cue_buf_ch(&b, 0);
  }
  return hex_digest(a, cue_buf_done(&b));
}

CueStr cache_key(CueArena *a, const ArtefactSeal *s) {
  CueBuf b = cue_buf(a);
  cue_buf_f(&b, "%u %d %.*s\n%.*s\n%.*s\n", s->abi, (int)s->kind, CUE_FMT(s->name), CUE_FMT(s->language),
            CUE_FMT(s->compiler));
  for (uint32_t i = 0; i < s->inputs.n; i++)
    cue_buf_f(&b, "%.*s %.*s %.*s\n", CUE_FMT(s->inputs.at[i].kind), CUE_FMT(s->inputs.at[i].digest),
              CUE_FMT(s->inputs.at[i].name));
  return hex_digest(a, cue_buf_done(&b));
}

static CueStr object_path(CueArena *a, const Cache *c, CueStr key) {
  return cue_strf(a, "%.*s/objects/%.*s.so", CUE_FMT(c->dir), CUE_FMT(key));
}
static CueStr index_path(CueArena *a, const Cache *c, CueStr slot) {
  return cue_strf(a, "%.*s/index/%.*s", CUE_FMT(c->dir), CUE_FMT(slot));
}
CueStr cache_scratch(CueArena *a, const Cache *c) { return cue_strf(a, "%.*s/tmp", CUE_FMT(c->dir)); }

/* ---- finding ---- */

/* An index entry is "object KEY\n"; or "none REASON\n" or "failed COMPILER REASON\n", COMPILER the digest of what there is
** of C compilers, and behind it a seal without object, which has the inputs. */
static bool take(CueStr *text, const char *word, CueStr *rest_of_line) {
  CueStr w = cue_str(word);
  if (!cue_str_has_prefix(*text, w)) return false;
  ptrdiff_t end = cue_str_find(*text, CUE_STR("\n"));
  if (end < 0) return false;
  *rest_of_line = cue_str_sub(*text, w.n, (size_t)end);
  *text = cue_str_sub(*text, (size_t)end + 1, text->n);
  return true;
}

static bool is_key(CueStr s) {
  for (size_t i = 0; i < s.n; i++)
    if (!((s.s[i] >= '0' && s.s[i] <= '9') || (s.s[i] >= 'a' && s.s[i] <= 'f'))) return false;
  return s.n == 64;
}

static bool of_today(CueArena *a, const Cache *c, const ArtefactSeal *seal, const InputPlaces *at, CueStr *why) {
  CueStr changed;
  if (!cue_str_eq(seal->compiler, c->compiler) || !cue_str_eq(seal->language, c->language)) {
    *why = CUE_STR("another version of opm compiled it");
    return false;
  }
  if (inputs_hold(a, seal, at, &changed)) return true;
  *why = cue_strf(a, "%.*s has changed", CUE_FMT(changed));
  return false;
}

static CacheAnswer find_none(CueArena *a, const Cache *c, CueStr bytes, CueStr reason, const InputPlaces *at,
                             CueStr *why) {
  CueStr object, unread;
  ArtefactSeal seal;
  if (!artefact_unseal(a, bytes, &object, &seal, &unread) || !of_today(a, c, &seal, at, why)) return CACHE_MISSING;
  *why = reason;
  return CACHE_NONE;
}

/* "COMPILER REASON": false if there is another now. */
static bool same_cc(CueArena *a, CueStr *reason) {
  CueStr now = hex_digest(a, cc_identity(a));
  if (!cue_str_has_prefix(*reason, now) || reason->n == now.n) return false;
  *reason = cue_str_sub(*reason, now.n + 1, reason->n);
  return true;
}

CacheAnswer cache_find(CueArena *a, const Cache *c, CueStr slot, const InputPlaces *at, CompiledFind *find,
                       ArtefactSeal *seal, Compiled *out, CueStr *why) {
  CueStr text, key;
  *why = CUE_STR("it was not compiled yet");
  if (!c->dir.n || !artefact_read(a, index_path(a, c, slot), &text, why)) return CACHE_MISSING;
  CueStr rest = text;
  if (take(&rest, "none ", &key)) return find_none(a, c, text, key, at, why);
  if (take(&rest, "failed ", &key)) {
    *why = CUE_STR("it was tried with another C compiler");
    return same_cc(a, &key) ? find_none(a, c, text, key, at, why) : CACHE_MISSING;
  }
  if (!take(&rest, "object ", &key) || !is_key(key)) {
    *why = CUE_STR("its place in the cache is damaged");
    return CACHE_MISSING;
  }
  ArtefactFile f;
  if (!artefact_open(a, object_path(a, c, key), &f, why)) return CACHE_MISSING;
  if (!cue_str_eq(cache_key(a, &f.seal), key)) {
    *why = CUE_STR("the cache has something else in its place");
    return CACHE_MISSING;
  }
  if (!of_today(a, c, &f.seal, at, why) || !artefact_enter(a, &f, find, out, why)) return CACHE_MISSING;
  *seal = f.seal;
  return CACHE_FOUND;
}

/* ---- adding ---- */

static bool put(CueArena *a, const Cache *c, const char *folder, CueStr path, CueStr bytes, CueStr *why) {
  return folder_make(a, cue_strf(a, "%.*s/%s", CUE_FMT(c->dir), folder), why) &&
         file_replace(a, path, bytes, 0600, why);
}

bool cache_is_there(const Cache *c, CueStr *why) {
  *why = CUE_STR("there is no cache: neither XDG_CACHE_HOME nor HOME is an absolute path");
  return c->dir.n > 0;
}

bool cache_add(CueArena *a, const Cache *c, CueStr slot, const ArtefactSeal *seal, CueStr bytes, CueStr *why) {
  if (!cache_is_there(c, why)) return false;
  CueStr key = cache_key(a, seal);
  return put(a, c, "objects", object_path(a, c, key), bytes, why) &&
         put(a, c, "index", index_path(a, c, slot), cue_strf(a, "object %.*s\n", CUE_FMT(key)), why);
}

static bool put_reason(CueArena *a, const Cache *c, CueStr slot, const ArtefactSeal *inputs, CueStr word, CueStr reason,
                       CueStr *why) {
  if (!cache_is_there(c, why)) return false;
  CueBuf b = cue_buf(a);
  cue_buf_f(&b, "%.*s ", CUE_FMT(word));
  for (size_t i = 0; i < reason.n; i++) cue_buf_ch(&b, reason.s[i] == '\n' ? ' ' : reason.s[i]);
  cue_buf_ch(&b, '\n');
  return put(a, c, "index", index_path(a, c, slot), artefact_sealed(a, cue_buf_done(&b), inputs), why);
}

bool cache_add_none(CueArena *a, const Cache *c, CueStr slot, const ArtefactSeal *inputs, CueStr reason, CueStr *why) {
  return put_reason(a, c, slot, inputs, CUE_STR("none"), reason, why);
}

bool cache_add_failed(CueArena *a, const Cache *c, CueStr slot, const ArtefactSeal *inputs, CueStr reason,
                      CueStr *why) {
  CueStr word = cue_strf(a, "failed %.*s", CUE_FMT(hex_digest(a, cc_identity(a))));
  return put_reason(a, c, slot, inputs, word, reason, why);
}

/* ---- locks ---- */

/* Whether a lock is still the one of its name: who sweeps takes it first and removes its file then. */
static bool is_still(int fd, const char *path) {
  struct stat held, now;
  return fstat(fd, &held) == 0 && lstat(path, &now) == 0 && held.st_ino == now.st_ino && held.st_dev == now.st_dev;
}

int cache_lock(CueArena *a, const Cache *c, CueStr slot, bool wait) {
  CueStr dir = cue_strf(a, "%.*s/locks", CUE_FMT(c->dir)), why;
  if (!c->dir.n || !folder_make(a, dir, &why)) return -1;
  const char *path = cue_strf(a, "%.*s/%.*s", CUE_FMT(dir), CUE_FMT(slot)).s;
  for (;;) {
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return -1;
    bool held = flock(fd, LOCK_EX | (wait ? 0 : LOCK_NB)) == 0;
    if (held && is_still(fd, path)) return fd;
    close(fd);
    if (!held) return -1;
  }
}

void cache_sweep_locks(CueArena *a, const Cache *c) {
  CueStr dir = cue_strf(a, "%.*s/locks", CUE_FMT(c->dir));
  DIR *d = c->dir.n ? opendir(dir.s) : NULL;
  for (struct dirent *e; d && (e = readdir(d));) {
    const char *path = cue_strf(a, "%.*s/%s", CUE_FMT(dir), e->d_name).s;
    int fd = e->d_name[0] == '.' ? -1 : open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) continue;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && is_still(fd, path)) unlink(path);
    close(fd);
  }
  if (d) closedir(d);
}
