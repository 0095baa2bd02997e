/* source.c - the set of source texts of a run, and where in them a position is.
**
** Every file gets a range of offsets [base, base + length], one longer than its text so
** that the end of a file is a position of its own. Bases grow, so a position is found by
** binary search over the files, and a line by binary search over the line starts. Offset
** 0 belongs to no file: it is "no position".
*/
#include "compiler/source.h"

#include <string.h>

enum { OFFSET_LIMIT = 1 << 29 }; /* a CuePos keeps 29 bits of offset */

void cue_sources_init(CueSources *ss, CueArena *a) { *ss = (CueSources){.a = a, .next = 1}; }

static bool has_room(const CueSources *ss, CueStr text) {
  return text.n < OFFSET_LIMIT && ss->next + text.n + 1 < OFFSET_LIMIT;
}

/* Reading text.s[text.n] is only allowed when it is known to exist, which a slice cannot say. */
CueSource *cue_source_add(CueSources *ss, CueStr name, CueStr text) {
  return has_room(ss, text) ? cue_source_keep(ss, name, cue_str_copy(ss->a, text)) : NULL;
}

CueSource *cue_source_keep(CueSources *ss, CueStr name, CueStr text) {
  if (!has_room(ss, text)) return NULL;
  CueSource *s = cue_new(ss->a, CueSource);
  s->name = cue_str_copy(ss->a, name);
  s->text = text;
  s->base = ss->next;
  ss->next += (uint32_t)text.n + 1;
  cue_push(ss->a, &ss->files, s);
  return s;
}

void cue_sources_share(CueSources *ss, const CueSources *from) {
  ss->files.n = 0;
  for (uint32_t i = 0; i < from->files.n; i++) {
    CueSource *s = cue_new(ss->a, CueSource);
    *s = *from->files.at[i];
    s->lines = NULL;
    cue_push(ss->a, &ss->files, s);
  }
  ss->next = from->next;
  ss->any_explicit_open = from->any_explicit_open;
  ss->any_old_compare = from->any_old_compare;
}

CueSource *cue_source_of(const CueSources *ss, CuePos p) {
  uint32_t at = cue_pos_offset(p);
  if (at == 0 || ss->files.n == 0) return NULL;
  uint32_t lo = 0, hi = ss->files.n; /* files.at[lo].base <= at */
  while (hi - lo > 1) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (ss->files.at[mid]->base <= at)
      lo = mid;
    else
      hi = mid;
  }
  CueSource *s = ss->files.at[lo];
  return at >= s->base && at - s->base <= s->text.n ? s : NULL;
}

/* A line end that is the last byte begins no line: as cue counts, the end of the file is
** then on the last line, behind its line end. */
static void index_lines(CueArena *a, CueSource *s) {
  const char *text = s->text.s, *end = text + (s->text.n ? s->text.n - 1 : 0);
  uint32_t n = 1;
  for (const char *p = text; p < end && (p = memchr(p, '\n', (size_t)(end - p))); p++) n++;
  s->lines = cue_array(a, uint32_t, n);
  s->nlines = 1;
  for (const char *p = text; p < end && (p = memchr(p, '\n', (size_t)(end - p))); p++)
    s->lines[s->nlines++] = (uint32_t)(p - text) + 1;
}

uint32_t cue_source_line_of(CueArena *a, CueSource *s, CuePos p) {
  if (!s->lines) index_lines(a, s);
  uint32_t at = cue_pos_offset(p) - s->base;
  uint32_t lo = 0, hi = s->nlines;
  while (hi - lo > 1) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (s->lines[mid] <= at)
      lo = mid;
    else
      hi = mid;
  }
  return lo + 1;
}

CueLineCol cue_source_line(const CueSources *ss, CuePos p) {
  CueSource *s = cue_source_of(ss, p);
  if (!s) return (CueLineCol){0};
  uint32_t line = cue_source_line_of(ss->a, s, p);
  uint32_t col = cue_pos_offset(p) - s->base - s->lines[line - 1] + 1;
  return (CueLineCol){.file = s->name, .line = line + s->line0, .col = line == 1 ? col + s->col0 : col};
}
