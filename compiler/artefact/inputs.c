/* inputs.c - see inputs.h. */
#include "compiler/artefact/inputs.h"

#include <stdlib.h>

#define MODULES "$modules"
#define CATALOG "catalog"

static const char *const questions[] = {
    [FS_FILE] = "file", [FS_FOLDER] = "folder", [FS_NAMES] = "names", [FS_STAT] = "stat"};
enum { QUESTIONS = sizeof questions / sizeof *questions };

InputPlaces inputs_places(CueArena *a, CueStr dir, CueStr modules, CueStr catalog) {
  return (InputPlaces){dir, modules.n ? modules : load_cache_dir(a), catalog};
}

/* ---- names ---- */

static bool is_below(CueStr path, CueStr dir) {
  return dir.n && cue_str_has_prefix(path, dir) && path.n > dir.n && path.s[dir.n] == '/';
}

static CueStr name_of(CueArena *a, const InputPlaces *at, CueStr path) {
  if (is_below(path, at->modules))
    return cue_strf(a, MODULES "%.*s", CUE_FMT(cue_str_sub(path, at->modules.n, path.n)));
  return path_rel(a, at->dir, path);
}

static CueStr path_of(CueArena *a, const InputPlaces *at, CueStr name) {
  CueStr prefix = CUE_STR(MODULES "/");
  if (cue_str_has_prefix(name, prefix)) return path_join(a, at->modules, cue_str_sub(name, prefix.n, name.n));
  return path_join(a, at->dir, name);
}

/* ---- sealing ---- */

/* By name, so that the order does not tell where they are. */
static int by_name(const void *x, const void *y) {
  const FsNote *p = x, *q = y;
  int order = cue_str_cmp(p->path, q->path);
  if (!order) order = (int)p->question - (int)q->question;
  return order ? order : cue_str_cmp(p->answer, q->answer);
}

/* Who has read a file need not ask whether it is there. Two answers to one question, of a file that changed meanwhile,
** are both kept: they never hold again. */
static bool is_told_by(const FsNote *n, const FsNote *before) {
  if (!cue_str_eq(n->path, before->path)) return false;
  if (n->question == before->question) return cue_str_eq(n->answer, before->answer);
  return n->question == FS_STAT && !cue_str_is(before->answer, "absent");
}

void inputs_seal(CueArena *a, const FsWatch *watch, const InputPlaces *at, ArtefactSeal *out) {
  uint32_t n = watch->notes.n;
  FsNote *notes = cue_array(a, FsNote, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    notes[i] = watch->notes.at[i];
    notes[i].path = name_of(a, at, notes[i].path);
  }
  qsort(notes, n, sizeof *notes, by_name);
  out->inputs.n = 0;
  cue_push(a, &out->inputs, (ArtefactInput){CUE_STR(CATALOG), at->catalog, CUE_STR("opm")});
  const FsNote *last = NULL;
  for (uint32_t i = 0; i < n; i++) {
    if (last && is_told_by(&notes[i], last)) continue;
    last = &notes[i];
    cue_push(a, &out->inputs, (ArtefactInput){cue_str(questions[last->question]), last->answer, last->path});
  }
}

void inputs_forget_lookups(ArtefactSeal *s) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->inputs.n; i++) {
    ArtefactInput in = s->inputs.at[i];
    bool lookup = cue_str_is(in.kind, questions[FS_STAT]) && cue_str_has_prefix(in.name, CUE_STR(MODULES "/"));
    if (!lookup) s->inputs.at[n++] = in;
  }
  s->inputs.n = n;
}

/* ---- checking ---- */

static bool holds(CueArena *a, const ArtefactInput *in, const InputPlaces *at) {
  if (cue_str_is(in->kind, CATALOG)) return cue_str_eq(in->digest, at->catalog);
  for (int i = 0; i < QUESTIONS; i++)
    if (cue_str_is(in->kind, questions[i]))
      return cue_str_eq(in->digest, fs_answer(a, (FsQuestion)i, path_of(a, at, in->name)));
  return false;
}

bool inputs_hold(CueArena *a, const ArtefactSeal *s, const InputPlaces *at, CueStr *changed) {
  for (uint32_t i = 0; i < s->inputs.n; i++) {
    CueMark mark = cue_arena_mark(a);
    bool same = holds(a, &s->inputs.at[i], at);
    cue_arena_reset(a, mark);
    *changed = s->inputs.at[i].name;
    if (!same) return false;
  }
  return true;
}
