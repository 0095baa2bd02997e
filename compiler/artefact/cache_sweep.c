/* cache_sweep.c - what is in the cache, and what of it can go. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/artefact/cache.h"
#include "compiler/artefact/files.h"

/* A file being written has the number of its process in its name: KEY.so.123.tmp. */
static bool is_left_over_file(CueArena *a, CueStr name) {
  CueStr end = CUE_STR(".tmp");
  if (!cue_str_has_suffix(name, end)) return false;
  size_t at = name.n - end.n;
  while (at && name.s[at - 1] != '.') at--;
  return folder_is_left_over(a, cue_strf(a, "%.*s-", CUE_FMT(cue_str_sub(name, at, name.n - end.n))));
}

static int64_t newest(const struct stat *st) {
  return st->st_atim.tv_sec > st->st_mtim.tv_sec ? st->st_atim.tv_sec : st->st_mtim.tv_sec;
}

/* False if there may be something that cannot be seen. */
static bool list_folder(CueArena *a, const Cache *c, const char *folder, CacheKind kind, CacheEntries *out,
                        CueStr *why) {
  CueStr dir = cue_strf(a, "%.*s/%s", CUE_FMT(c->dir), folder);
  DIR *d = opendir(dir.s);
  if (!d && errno != ENOENT) {
    *why = cue_strf(a, "cannot read the folder %.*s: %s", CUE_FMT(dir), strerror(errno));
    return false;
  }
  for (struct dirent *e; d && (e = readdir(d));) {
    CacheEntry one = {.kind = kind, .path = cue_strf(a, "%.*s/%s", CUE_FMT(dir), e->d_name)};
    struct stat st;
    if (e->d_name[0] == '.' || fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) continue;
    CueStr name = cue_str(e->d_name);
    bool temporary = cue_str_has_suffix(name, CUE_STR(".tmp"));
    bool left = kind == CACHE_LEFT_OVER ? folder_is_left_over(a, one.path) : is_left_over_file(a, name);
    if ((kind == CACHE_LEFT_OVER || temporary) && !left) continue; /* somebody is at work on it */
    if (left) one.kind = CACHE_LEFT_OVER;
    one.name = cue_strf(a, "%s/%s", folder, e->d_name);
    one.size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
    one.used = newest(&st);
    cue_push(a, out, one);
  }
  if (d) closedir(d);
  return true;
}

static int by_name(const void *x, const void *y) {
  return cue_str_cmp(((const CacheEntry *)x)->name, ((const CacheEntry *)y)->name);
}

bool cache_list(CueArena *a, const Cache *c, CacheEntries *out, CueStr *why) {
  *out = (CacheEntries){0};
  bool ok = cache_is_there(c, why) && list_folder(a, c, "objects", CACHE_OBJECT, out, why) &&
            list_folder(a, c, "index", CACHE_INDEX, out, why) && list_folder(a, c, "tmp", CACHE_LEFT_OVER, out, why);
  if (out->n) qsort(out->at, out->n, sizeof *out->at, by_name);
  return ok;
}

/* ---- choosing ---- */

static bool is_kept_object(const CacheEntries *all, CueStr key) {
  for (uint32_t i = 0; i < all->n; i++)
    if (all->at[i].kind == CACHE_OBJECT && !all->at[i].doomed && cue_str_find(all->at[i].name, key) >= 0) return true;
  return false;
}

/* An index entry that leads nowhere, or that a C compiler failed, which is worth another try. */
static bool is_dangling(CueArena *a, const CacheEntries *all, const CacheEntry *e) {
  CueStr text, why, prefix = CUE_STR("object ");
  if (!file_take(a, e->path, &text, &why)) return true;
  if (!cue_str_has_prefix(text, prefix)) return cue_str_has_prefix(text, CUE_STR("failed "));
  size_t end = text.n;
  while (end && text.s[end - 1] == '\n') end--;
  return end <= prefix.n || !is_kept_object(all, cue_str_sub(text, prefix.n, end));
}

static CacheEntry *oldest_object(CacheEntries *all) {
  CacheEntry *found = NULL;
  for (uint32_t i = 0; i < all->n; i++) {
    CacheEntry *e = &all->at[i];
    if (e->kind == CACHE_OBJECT && !e->doomed && (!found || e->used < found->used)) found = e;
  }
  return found;
}

void cache_choose(CueArena *a, CacheEntries *all, int64_t oldest, uint64_t size) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < all->n; i++) {
    CacheEntry *e = &all->at[i];
    e->doomed = e->kind == CACHE_LEFT_OVER || e->used < oldest;
    if (!e->doomed && e->kind == CACHE_OBJECT) total += e->size;
  }
  for (CacheEntry *e; total > size && (e = oldest_object(all)); total -= e->size) e->doomed = true;
  for (uint32_t i = 0; i < all->n; i++)
    if (all->at[i].kind == CACHE_INDEX && !all->at[i].doomed) all->at[i].doomed = is_dangling(a, all, &all->at[i]);
}

bool cache_remove(CueArena *a, const CacheEntry *e) {
  CueStr path = cue_str_copy(a, e->path);
  if (unlink(path.s) < 0) folder_remove(a, path);
  struct stat st;
  return lstat(path.s, &st) != 0;
}
