/* fleet_put.c - what was rendered, in the order of the fleet: one stream on stdout, or files in a folder.
**
** Files go to NAMESPACE/RELEASE/ of the folder, one for each object. A file that has the right text
** already is left alone, any other is replaced at once. The folder also has a list of the files that
** were written to it; those of the list that are not rendered any more are stale. Only these are ever
** removed, and only if nothing failed: else it is not known what a release would have had.
*/
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "cli/fleet.h"
#include "cli/log.h"
#include "cli/print.h"
#include "cli/style.h"
#include "compiler/load_fs.h"

#define LIST_NAME ".opm-fleet"

/* Hashes of 64 bits, open addressing; 0 is no hash. What is kept of a release is a few bytes. */
typedef struct {
  uint64_t *at;
  size_t n, mask;
} Seen;

struct FleetPutter {
  const FleetOptions *o;
  FleetCount count;
  FleetWarnings *warnings;
  Seen releases, places, files;
  CueStr list, list_new; /* paths of the list of files, and of the one that is to take its place */
  FILE *list_out;
  ExitCode failed;
  bool begun;     /* something was put into the stream */
  double shown;   /* when progress was shown last */
  CueArena *a;    /* emptied after each block */
  CueArena *keep; /* what was seen */
};

/* ---- sets ---- */

static uint64_t *slot(const Seen *s, uint64_t h) {
  size_t i = (size_t)(h ^ h >> 32) & s->mask;
  while (s->at[i] && s->at[i] != h) i = (i + 1) & s->mask;
  return &s->at[i];
}

/* False if it was there already. */
static bool seen_add(CueArena *a, Seen *s, uint64_t h) {
  if (!h) h = 1;
  if (s->n * 4 >= s->mask * 3) {
    Seen more = {.mask = s->mask ? s->mask * 2 + 1 : 1023, .n = s->n};
    more.at = cue_array(a, uint64_t, more.mask + 1);
    for (size_t i = 0; s->at && i <= s->mask; i++)
      if (s->at[i]) *slot(&more, s->at[i]) = s->at[i];
    *s = more;
  }
  uint64_t *at = slot(s, h);
  if (*at) return false;
  *at = h;
  s->n++;
  return true;
}

/* ---- beginning and end ---- */

static bool output_failed(FleetPutter *p, CueStr error) {
  ExitCode code = exit_of_errno();
  p->failed = run_fail(p->o->r, &(Problem){.code = code, .type = "cannot write", .message = error});
  return false;
}

static void flush_log(Run *r) {
  print_all(2, (CueStr){r->err->s, r->err->n});
  r->err->n = 0;
}

FleetPutter *fleet_putter_new(const FleetOptions *o, ExitCode *code) {
  FleetPutter *p = cue_new(o->r->a, FleetPutter);
  *p = (FleetPutter){.o = o, .a = cue_arena_new(), .keep = cue_arena_new()};
  p->warnings = fleet_warnings_new(o, p->keep);
  if (!o->out_dir.n) return p;
  CueStr error, part = CUE_STR("");
  if (o->shards > 1)
    part = cue_strf(o->r->a, "-%llu-of-%llu", (unsigned long long)o->shard, (unsigned long long)o->shards);
  p->list = cue_strf(o->r->a, "%.*s/" LIST_NAME "%.*s", CUE_FMT(o->out_dir), CUE_FMT(part));
  p->list_new = cue_strf(o->r->a, "%.*s.%ld.tmp", CUE_FMT(p->list), (long)getpid());
  bool ok = make_dirs(o->r->a, o->out_dir, 0777, &error);
  if (ok && !(p->list_out = fopen(p->list_new.s, "we"))) {
    error = cue_strf(o->r->a, "open %.*s: %s", CUE_FMT(p->list_new), strerror(errno));
    ok = false;
  }
  if (ok) return p;
  output_failed(p, error);
  *code = p->failed;
  fleet_putter_free(p);
  return NULL;
}

void fleet_putter_free(FleetPutter *p) {
  if (p->list_out) {
    fclose(p->list_out);
    unlink(p->list_new.s);
  }
  cue_arena_free(p->keep);
  cue_arena_free(p->a);
}

const FleetCount *fleet_count(const FleetPutter *p) { return &p->count; }
ExitCode fleet_put_failed(const FleetPutter *p) { return p->failed; }

/* ---- progress ---- */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void clear_progress(FleetPutter *p) {
  if (p->o->progress && p->shown > 0) print_all(2, CUE_STR("\r\033[K"));
}

static void show_progress(FleetPutter *p, double part) {
  enum { WIDTH = 30 };
  double t = now();
  if (!p->o->progress || t - p->shown < 0.1) return;
  p->shown = t;
  CueBuf b = cue_buf(p->a);
  cue_buf_z(&b, "\r\033[K");
  if (part >= 0) {
    size_t n = (size_t)(part * WIDTH + 0.5);
    cue_buf_ch(&b, '[');
    cue_buf_repeat(&b, '#', n < WIDTH ? n : WIDTH);
    cue_buf_repeat(&b, '.', n < WIDTH ? WIDTH - n : 0);
    cue_buf_f(&b, "] %3d%%  ", (int)(part * 100));
  }
  cue_buf_f(&b, "%llu release%s", (unsigned long long)p->count.releases, p->count.releases == 1 ? "" : "s");
  if (p->count.failed) cue_buf_f(&b, ", %llu failed", (unsigned long long)p->count.failed);
  print_all(2, cue_buf_done(&b));
}

/* Of a buffer that may have no memory yet. */
static CueStr part(const CueBuf *b, size_t from, size_t to) {
  return to > from ? (CueStr){b->s + from, to - from} : CUE_STR("");
}

/* ---- the stream ---- */

static bool write_stream(FleetPutter *p, CueStr text) {
  if (!p->begun && !p->o->json && text.n) text = cue_str_sub(text, 4, text.n); /* a separator only between documents */
  p->begun |= text.n > 0;
  if (print_all(1, text)) return true;
  return output_failed(p, cue_strf(p->o->r->a, "write stdout: %s", strerror(errno)));
}

/* ---- files ---- */

/* Files are on the list before they are there: whoever is killed then leaves none that nobody knows. */
static void list_files(FleetPutter *p, const FleetBlock *b, uint32_t from, uint32_t to) {
  bool all_same = true;
  for (uint32_t i = from; i < to; i++) {
    const FleetFile *f = &b->files.at[i];
    all_same &= f->same;
    seen_add(p->keep, &p->files, fleet_hash(0, f->path));
    fprintf(p->list_out, "%.*s\n", CUE_FMT(f->path));
  }
  if (!all_same) fflush(p->list_out);
}

static bool write_files(FleetPutter *p, const FleetBlock *b, uint32_t from, uint32_t to) {
  bool ok = true, made = false;
  list_files(p, b, from, to);
  for (uint32_t i = from; ok && i < to; i++) {
    const FleetFile *f = &b->files.at[i];
    CueStr path = path_join(p->a, p->o->out_dir, f->path), error;
    if (f->same) {
      p->count.unchanged++;
      continue;
    }
    ok = made || make_dirs(p->a, path_dir(p->a, path), 0777, &error);
    ok = ok && write_file(p->a, path, part(&b->out, f->from, f->to), true, &error);
    made = true;
    p->count.written += ok;
    if (!ok) output_failed(p, error);
  }
  return ok;
}

/* ---- blocks ---- */

/* Whether the release is the first of its name; the second is told to be one, and not put out. */
static bool is_first(FleetPutter *p, const FleetItem *i, const FleetDone *d) {
  const char *why = NULL;
  if (!seen_add(p->keep, &p->releases, d->release))
    why = "is already in the fleet, with the same module and namespace";
  else if (p->o->out_dir.n && !seen_add(p->keep, &p->places, d->place))
    why = "is already in the fleet, with another module: their files would be the same";
  if (!why) return true;
  LogField fields[] = {{"entry", fleet_place(p->a, p->o, i)}, {"namespace", d->namespace}};
  log_line(p->o->r, LOG_ERROR, d->name, cue_strf(p->a, "not rendered: the release %s", why), fields, 2);
  return false;
}

static bool put_block(FleetPutter *p, const FleetBlock *b) {
  Run *r = p->o->r;
  size_t out = 0, err = 0, pending = 0;
  uint32_t files = 0, warnings = 0;
  bool ok = true;
  for (uint32_t i = 0; ok && i < b->done.n; i++) {
    const FleetDone *d = &b->done.at[i];
    bool failed = d->failed || (!d->elsewhere && !is_first(p, &b->items.at[i], d));
    cue_buf_str(r->err, part(&b->err, err, d->err));
    for (; warnings < d->warnings; warnings++)
      if (!failed) fleet_warn(p->warnings, d->name, &b->warnings.at[warnings]);
    p->count.releases += !d->elsewhere;
    p->count.failed += failed;
    p->count.compiled += d->compiled;
    if (failed) { /* what is before it goes out, what is of it does not */
      if (!p->o->out_dir.n) ok = write_stream(p, part(&b->out, pending, out));
      pending = d->out;
      if (p->o->fail_fast) ok = false;
    } else {
      p->count.objects += d->objects;
      if (p->o->out_dir.n) ok = write_files(p, b, files, d->files);
    }
    out = d->out, err = d->err, files = d->files;
  }
  if (ok && !p->o->out_dir.n && out > pending) ok = write_stream(p, part(&b->out, pending, out));
  return ok;
}

bool fleet_put(FleetPutter *p, FleetBlock *b) {
  CueMark mark = cue_arena_mark(p->a);
  bool ok = put_block(p, b);
  if (p->o->r->err->n) {
    clear_progress(p);
    flush_log(p->o->r);
  }
  show_progress(p, b->read);
  cue_arena_reset(p->a, mark);
  return ok;
}

/* ---- the list of files ---- */

static bool same_files(CueStr x, CueStr y) {
  FILE *f = fopen(x.s, "re"), *g = fopen(y.s, "re");
  bool same = f && g;
  for (int c = 0; same && c != EOF;) {
    c = getc(f);
    same = c == getc(g);
  }
  if (f) fclose(f);
  if (g) fclose(g);
  return same;
}

/* A path of the list leads to a file below the folder, whoever wrote it. */
static bool is_below(CueStr path) {
  return path.n && path.s[0] != '/' && !cue_str_has_prefix(path, CUE_STR("../")) &&
         cue_str_find(path, CUE_STR("/../")) < 0 && !cue_str_has_suffix(path, CUE_STR("/.."));
}

static void remove_file(FleetPutter *p, CueStr path) {
  CueStr full = path_join(p->a, p->o->out_dir, path);
  if (unlink(full.s) < 0) return;
  p->count.pruned++;
  CueStr dir = path_dir(p->a, full); /* of the release, then of the namespace, as long as nothing else is there */
  for (int i = 0; i < 2 && dir.n > p->o->out_dir.n && rmdir(dir.s) == 0; i++) dir = path_dir(p->a, dir);
}

static void look_for_stale(FleetPutter *p, CueStr list, bool whole) {
  FILE *old = fopen(list.s, "re");
  char line[PATH_MAX + 2]; /* no file has a longer path */
  bool prune = p->o->prune && whole && !p->count.failed;
  while (old && fgets(line, sizeof line, old)) {
    CueStr path = {line, strcspn(line, "\n")};
    CueMark mark = cue_arena_mark(p->a);
    CueStr full = path_join(p->a, p->o->out_dir, path);
    if (is_below(path) && seen_add(p->keep, &p->files, fleet_hash(0, path)) && access(full.s, F_OK) == 0) {
      bool stale = whole && !p->count.failed;
      p->count.stale += stale;
      if (stale && p->o->r->verbose) log_f(p->o->r, LOG_INFO, "stale: %.*s", CUE_FMT(run_shown(p->o->r, full)));
      if (prune)
        remove_file(p, path);
      else
        fprintf(p->list_out, "%.*s\n", CUE_FMT(path));
    }
    cue_arena_reset(p->a, mark);
  }
  if (old) fclose(old);
}

/* The list of a run that was killed: LIST.PID.tmp. */
static bool is_left_over(const FleetPutter *p, const char *name) {
  const char *list = p->list.s + p->list.n;
  while (list > p->list.s && list[-1] != '/') list--;
  size_t n = strlen(list);
  char *end;
  if (strncmp(name, list, n) != 0 || name[n] != '.') return false;
  long pid = strtol(name + n + 1, &end, 10);
  return pid > 0 && strcmp(end, ".tmp") == 0 && kill((pid_t)pid, 0) < 0 && errno == ESRCH;
}

typedef CUE_VEC(CueStr) Lists;

static Lists left_over_lists(FleetPutter *p) {
  Lists out = {0};
  DIR *d = opendir(p->o->out_dir.s);
  for (struct dirent *e; d && (e = readdir(d));)
    if (is_left_over(p, e->d_name))
      cue_push(p->keep, &out, path_join(p->keep, p->o->out_dir, cue_str_copy(p->keep, cue_str(e->d_name))));
  if (d) closedir(d);
  return out;
}

/* Puts the new list in place of the old one. */
static bool keep_list(FleetPutter *p) {
  bool ok = !ferror(p->list_out);
  ok = fclose(p->list_out) == 0 && ok;
  p->list_out = NULL;
  if (ok && same_files(p->list, p->list_new)) {
    unlink(p->list_new.s);
    return true;
  }
  if (ok && rename(p->list_new.s, p->list.s) == 0) return true;
  if (p->failed == EXIT_OK) output_failed(p, cue_strf(p->o->r->a, "write %.*s: %s", CUE_FMT(p->list), strerror(errno)));
  unlink(p->list_new.s);
  return false;
}

void fleet_finish(FleetPutter *p, bool whole) {
  clear_progress(p);
  fleet_warnings_end(p->warnings);
  if (!p->list_out) return;
  Lists left = left_over_lists(p);
  look_for_stale(p, p->list, whole);
  for (uint32_t i = 0; i < left.n; i++) look_for_stale(p, left.at[i], whole);
  bool kept = keep_list(p);
  for (uint32_t i = 0; kept && i < left.n; i++) unlink(left.at[i].s);
}
