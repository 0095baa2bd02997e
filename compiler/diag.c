/* diag.c - collecting messages, and printing them in the order and form of cue.
**
** Printed messages are sorted by place (those without one first, files given by absolute
** path before others), then by path and text; of several at one place and path only the
** first is printed. Under a message come its main place and then the others, sorted.
*/
#include "compiler/diag.h"

#include <string.h>

CueDiag *cue_diag_add(CueDiags *d, CueStr path, CueStr message) {
  CueDiag *g = cue_new(d->a, CueDiag);
  g->path = path;
  g->message = message;
  if (d->last)
    d->last->next = g;
  else
    d->first = g;
  d->last = g;
  d->n++;
  return g;
}

bool cue_report(CueDiags *d, CuePos at, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  CueStr message = cue_strvf(d->a, fmt, ap);
  va_end(ap);
  CueDiag *g = cue_diag_add(d, (CueStr){0}, message);
  if (cue_pos_known(at)) cue_push(d->a, &g->at, at);
  return false;
}

/* ---- order ---- */

static bool same_place(CuePos x, CuePos y) { return cue_pos_offset(x) == cue_pos_offset(y); }

static bool is_absolute(CueStr name) { return name.n > 0 && name.s[0] == '/'; }

/* Files were found by path; what else there is was given by a flag or read from stdin. */
static bool is_path(CueStr name) {
  return is_absolute(name) || cue_str_has_prefix(name, CUE_STR("./")) || cue_str_has_prefix(name, CUE_STR("../"));
}

int cue_pos_compare(const CueSources *ss, CuePos x, CuePos y) {
  if (same_place(x, y)) return 0;
  if (!cue_pos_known(x)) return -1;
  if (!cue_pos_known(y)) return 1;
  const CueSource *f = cue_source_of(ss, x), *g = cue_source_of(ss, y);
  if (f != g && f && g) {
    if (is_path(f->name) != is_path(g->name)) return is_path(f->name) ? -1 : 1;
    int c = cue_str_cmp(f->name, g->name);
    if (c) return c;
    uint32_t i = cue_pos_offset(x) - f->base, j = cue_pos_offset(y) - g->base;
    return i < j ? -1 : i > j;
  }
  return cue_pos_offset(x) < cue_pos_offset(y) ? -1 : 1;
}

/* Path by path element: the dot sorts before everything. */
static int compare_paths(CueStr x, CueStr y) {
  for (size_t i = 0; i < x.n && i < y.n; i++) {
    if (x.s[i] == y.s[i]) continue;
    if (x.s[i] == '.') return -1;
    if (y.s[i] == '.') return 1;
    return (unsigned char)x.s[i] < (unsigned char)y.s[i] ? -1 : 1;
  }
  return x.n < y.n ? -1 : x.n > y.n;
}

static CuePos main_place(const CueDiag *g) { return g->at.n && !g->no_main ? g->at.at[0] : 0; }

static int compare(const CueSources *ss, const CueDiag *x, const CueDiag *y) {
  int c = cue_pos_compare(ss, main_place(x), main_place(y));
  if (!c) c = compare_paths(x->path, y->path);
  return c ? c : cue_str_cmp(x->message, y->message);
}

/* Merge sort: stable, and the comparison needs the sources. */
static void sort(const CueSources *ss, const CueDiag **v, const CueDiag **tmp, size_t n) {
  if (n < 2) return;
  size_t half = n / 2, i = 0, j = half, k = 0;
  sort(ss, v, tmp, half);
  sort(ss, v + half, tmp, n - half);
  while (i < half && j < n) tmp[k++] = compare(ss, v[j], v[i]) < 0 ? v[j++] : v[i++];
  while (i < half) tmp[k++] = v[i++];
  memcpy(v, tmp, k * sizeof *v);
}

static bool repeats(const CueDiag *x, const CueDiag *y) {
  if (!cue_pos_known(main_place(x)) || !cue_pos_known(main_place(y)))
    return cue_str_eq(x->path, y->path) && cue_str_eq(x->message, y->message);
  return same_place(main_place(x), main_place(y)) && cue_str_eq(x->path, y->path);
}

/* ---- text ---- */

/* The next element of a path that begins at *i, without slashes and dots that mean nothing. */
static bool next_element(CueStr path, size_t *i, CueStr *element) {
  while (*i < path.n) {
    size_t from = *i;
    while (*i < path.n && path.s[*i] != '/') ++*i;
    *element = cue_str_sub(path, from, *i);
    if (*i < path.n) ++*i;
    if (element->n > 0 && !cue_str_is(*element, ".")) return true;
  }
  return false;
}

/* The file as seen from cwd: "./x.cue", "../y/x.cue". Other names than absolute ones stay. */
static void put_file(CueBuf *out, CueStr file, CueStr cwd) {
  if (!is_absolute(file) || !is_absolute(cwd)) {
    cue_buf_str(out, file);
    return;
  }
  size_t i = 0, j = 0, rest = 0;
  CueStr x, y;
  bool more_cwd, more_file;
  do {
    rest = i;
    more_file = next_element(file, &i, &x);
    more_cwd = next_element(cwd, &j, &y);
  } while (more_file && more_cwd && cue_str_eq(x, y));
  size_t from = out->n;
  for (; more_cwd; more_cwd = next_element(cwd, &j, &y)) cue_buf_z(out, out->n > from ? "/.." : "..");
  for (bool more = next_element(file, &rest, &x); more; more = next_element(file, &rest, &x)) {
    if (out->n > from)
      cue_buf_ch(out, '/');
    else if (x.s[0] != '.')
      cue_buf_z(out, "./");
    cue_buf_str(out, x);
  }
  if (out->n == from) cue_buf_ch(out, '.');
}

void cue_place_print(CueBuf *out, CuePos at, const CueSources *ss, CueStr cwd) {
  CueLineCol lc = cue_source_line(ss, at);
  if (lc.file.n) {
    put_file(out, lc.file, cwd);
    cue_buf_ch(out, ':');
  }
  cue_buf_f(out, "%u:%u", lc.line, lc.col);
}

static void put_place(CueBuf *out, const CueSources *ss, CuePos at, CueStr cwd) {
  cue_buf_z(out, "    ");
  cue_place_print(out, at, ss, cwd);
  cue_buf_ch(out, '\n');
}

static void put_diag(CueBuf *out, const CueDiag *g, const CueSources *ss, CueStr cwd) {
  if (g->path.n) {
    cue_buf_str(out, g->path);
    cue_buf_z(out, ": ");
  }
  cue_buf_str(out, g->message);
  CUE_VEC(CuePos) at = {0};
  for (uint32_t i = 0; i < g->at.n; i++) {
    CuePos p = g->at.at[i];
    if (!cue_source_of(ss, p) || (i > 0 && !g->no_main && same_place(p, g->at.at[0]))) continue;
    cue_push(out->a, &at, p);
    /* Few places: insertion sort behind the main one. */
    uint32_t first = !g->no_main && cue_source_of(ss, g->at.at[0]) ? 1 : 0;
    for (uint32_t k = at.n - 1; k > first && cue_pos_compare(ss, at.at[k], at.at[k - 1]) < 0; k--) {
      CuePos t = at.at[k];
      at.at[k] = at.at[k - 1];
      at.at[k - 1] = t;
    }
  }
  cue_buf_z(out, at.n ? ":\n" : "\n");
  for (uint32_t i = 0; i < at.n; i++)
    if (i == 0 || !same_place(at.at[i], at.at[i - 1])) put_place(out, ss, at.at[i], cwd);
}

void cue_diags_print(CueBuf *out, const CueDiags *d, const CueSources *ss, CueStr cwd) {
  const CueDiag **v = cue_array(out->a, const CueDiag *, d->n + 1),
                **tmp = cue_array(out->a, const CueDiag *, d->n + 1);
  size_t n = 0;
  for (const CueDiag *g = d->first; g; g = g->next) v[n++] = g;
  sort(ss, v, tmp, n);
  for (size_t i = 0; i < n; i++)
    if (i == 0 || !repeats(v[i - 1], v[i])) put_diag(out, v[i], ss, cwd);
}
