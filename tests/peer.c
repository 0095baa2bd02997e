/* peer.c - see peer.h. */
#include "tests/peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/proc.h"
#include "tests/script.h"

#define MODULES "stdlib/opm/modules.txt"
#define PLACEHOLDER "example.com/module@v0:main"

/* ---- data ---- */

CueValue peer_json(CueArena *a, CueStr text) {
  size_t offset = 0;
  return cue_read_json(a, text, &offset);
}

const CueValue *peer_at(const CueValue *v, const char *key) {
  return v && v->kind == CUE_STRUCT ? cue_struct_get(v->as.fields, cue_str(key)) : NULL;
}

CueValue peer_with(CueArena *a, CueValue v, const char *key, CueValue x) {
  uint32_t n = v.kind == CUE_STRUCT ? v.as.fields->n : 0;
  CueStruct *s = cue_struct_new(a, n + 1);
  for (uint32_t i = 0; i < n; i++) s->at[i] = v.as.fields->at[i];
  s->at[n] = (CueField){cue_str(key), x};
  return cue_struct(s);
}

CueValue peer_merge(CueArena *a, CueValue under, CueValue over) {
  if (under.kind != CUE_STRUCT || over.kind != CUE_STRUCT) return over;
  const CueStruct *u = under.as.fields, *o = over.as.fields;
  CueStruct *s = cue_struct_new(a, u->n + o->n);
  uint32_t n = 0;
  for (uint32_t i = 0; i < u->n; i++) {
    const CueValue *x = cue_struct_get(o, u->at[i].key);
    s->at[n++] = (CueField){u->at[i].key, x ? peer_merge(a, u->at[i].value, *x) : u->at[i].value};
  }
  for (uint32_t i = 0; i < o->n; i++)
    if (!cue_struct_get(u, o->at[i].key)) s->at[n++] = o->at[i];
  s->n = n;
  return cue_struct(s);
}

/* ---- the driver ---- */

/* The text between quotes, or the word, behind the first line that begins with `head`. */
static CueStr after(CueStr text, const char *head) {
  CueStr line;
  for (size_t at = 0; script_next(text, &at, &line);) {
    if (!cue_str_has_prefix(line, cue_str(head))) continue;
    line = cue_str_sub(line, strlen(head), line.n);
    size_t from = 0, to;
    while (from < line.n && strchr(" \t\"", line.s[from])) from++;
    for (to = from; to < line.n && !strchr(" \t\"", line.s[to]);) to++;
    return cue_str_sub(line, from, to);
  }
  return CUE_STR("");
}

/* The folder with cue.mod, for one in a module; NULL if there is none. */
static const char *root_of(CueArena *a, const char *dir) {
  for (CueStr d = cue_str(dir);;) {
    d = cue_str_copy(a, d);
    if (dir_exists(cue_strf(a, "%s/cue.mod", d.s).s)) return d.s;
    size_t n = d.n;
    while (n && d.s[n - 1] != '/') n--;
    if (n < 2) return NULL;
    d = cue_str_sub(d, 0, n - 1);
  }
}

static CueStr module_path(CueArena *a, const char *root) {
  CueStr text;
  return root && file_read(a, cue_strf(a, "%s/cue.mod/module.cue", root).s, &text) ? after(text, "module:")
                                                                                   : CUE_STR("");
}

/* Everything that is inside opm, whatever the module asks for. */
bool peer_deps(CueArena *a, const char *dir) {
  CueBuf b = cue_buf(a);
  CueStr text, line, path = module_path(a, root_of(a, dir));
  if (!path.n) return false;
  if (!file_read(a, MODULES, &text)) proc_die("read " MODULES);
  cue_buf_f(&b, "module: \"%.*s\"\nlanguage: version: \"v0.15.0\"\n", CUE_FMT(path));
  for (size_t at = 0; script_next(text, &at, &line);) {
    Words w = script_words(a, line);
    if (w.n == 3 && w.at[0][0] != '#') cue_buf_f(&b, "deps: \"%s\": v: \"%s\"\n", w.at[1], w.at[2]);
  }
  file_write(cue_strf(a, "%s/cue.mod/module.cue", root_of(a, dir)).s, cue_buf_done(&b));
  return true;
}

typedef struct {
  CueStr name; /* in import declarations: "example.com/shop/web@v0:main" */
  bool module, config;
} Package;

/* Removes the values files of the folder and looks at the others. */
static Package package_in(CueArena *a, const char *dir) {
  Package p = {0};
  CueStr text, package = CUE_STR("");
  const char *root = root_of(a, dir);
  for (const char **f = dir_list(a, dir, ".cue"); *f; f++) {
    const char *base = strrchr(*f, '/') + 1;
    if ((size_t)(base - *f) != strlen(dir) + 1) continue; /* of a folder below */
    if (strncmp(base, "values", 6) == 0) {
      unlink(*f);
    } else if (file_read(a, *f, &text)) {
      if (!package.n) package = after(text, "package ");
      p.module |= cue_str_find(text, CUE_STR("\n#components:")) >= 0;
      p.config |= cue_str_find(text, CUE_STR("\n#config:")) >= 0;
    }
  }
  CueStr path = module_path(a, root);
  ptrdiff_t at = cue_str_find(path, CUE_STR("@"));
  if (at >= 0 && package.n) {
    CueStr major = cue_str_sub(path, (size_t)at, path.n), below = cue_str_sub(cue_str(dir), strlen(root), strlen(dir));
    p.name = cue_strf(a, "%.*s%.*s%.*s:%.*s", (int)at, path.s, CUE_FMT(below), CUE_FMT(major), CUE_FMT(package));
  }
  return p;
}

static void put_file(CueArena *a, const char *dir, const char *name, CueStr text) {
  file_write(cue_strf(a, "%s/" PEER_FOLDER "/%s", dir, name).s, text);
}

bool peer_install(CueArena *a, const char *dir, CueValue input) {
  CueStr driver, release;
  if (!file_read(a, "tests/peer/driver.cue", &driver) || !file_read(a, "tests/peer/release.cue", &release))
    proc_die("read tests/peer");
  Package p = package_in(a, dir);
  const CueValue *name = peer_at(&input, "name");
  if (!p.name.n) return false;
  put_file(a, dir, "driver.cue", driver);
  if (!p.module) { /* it has releases of its own */
    put_file(a, dir, "release.cue",
             cue_strf(a, "package driver\n\nimport module \"%.*s\"\n\n_release: module.%.*s\n", CUE_FMT(p.name),
                      CUE_FMT(name ? cue_value_str(*name) : CUE_STR("release"))));
    return true;
  }
  if (!p.config) input = peer_with(a, input, "configless", cue_bool(true));
  ptrdiff_t at = cue_str_find(release, CUE_STR(PLACEHOLDER));
  if (at < 0) proc_die("tests/peer/release.cue does not import " PLACEHOLDER);
  CueStr behind = cue_str_sub(release, (size_t)at + sizeof PLACEHOLDER - 1, release.n);
  put_file(a, dir, "release.cue", cue_strf(a, "%.*s%.*s%.*s", (int)at, release.s, CUE_FMT(p.name), CUE_FMT(behind)));
  CueBuf b = cue_buf(a);
  cue_buf_z(&b, "package driver\n\ninput: ");
  cue_emit_json(&b, input, (CueJsonStyle){.indent = "\t"});
  cue_buf_ch(&b, '\n');
  put_file(a, dir, "input.cue", cue_buf_done(&b));
  return true;
}

/* ---- comparison ---- */

static CueStr text_of(CueArena *a, const CueValue *v) {
  CueBuf b = cue_buf(a);
  if (!v) return CUE_STR("nothing");
  cue_emit_json(&b, *v, (CueJsonStyle){0});
  return cue_buf_done(&b);
}

static CueStr key_of(CueArena *a, CueValue v) {
  const CueValue *meta = peer_at(&v, "metadata");
  CueStr group = text_of(a, peer_at(&v, "apiVersion")), kind = text_of(a, peer_at(&v, "kind"));
  CueStr ns = text_of(a, peer_at(meta, "namespace")), name = text_of(a, peer_at(meta, "name"));
  return cue_strf(a, "%.*s %.*s %.*s/%.*s", CUE_FMT(group), CUE_FMT(kind), CUE_FMT(ns), CUE_FMT(name));
}

typedef struct {
  CueStr key, text;
  CueValue v;
} Object;

static int by_key(const void *x, const void *y) {
  const Object *p = x, *q = y;
  int c = cue_str_cmp(p->key, q->key);
  return c ? c : cue_str_cmp(p->text, q->text);
}

/* Sorted by what identifies an object, then, for those of one name, by all they say. */
static Object *objects(CueArena *a, CueValue list, uint32_t *n) {
  *n = list.kind == CUE_LIST ? list.as.list->n : 0;
  Object *all = cue_array(a, Object, *n + 1);
  for (uint32_t i = 0; i < *n; i++)
    all[i] = (Object){key_of(a, list.as.list->at[i]), text_of(a, &list.as.list->at[i]), list.as.list->at[i]};
  qsort(all, *n, sizeof *all, by_key);
  return all;
}

static void explain(CueArena *a, CueStr object, CueStr path, const CueValue *x, const CueValue *y) {
  if (x && y && cue_value_eq(*x, *y)) return;
  if (x && y && x->kind == CUE_STRUCT && y->kind == CUE_STRUCT) {
    const CueStruct *p = x->as.fields, *q = y->as.fields;
    for (uint32_t i = 0; i < p->n; i++)
      explain(a, object, cue_strf(a, "%.*s.%.*s", CUE_FMT(path), CUE_FMT(p->at[i].key)), &p->at[i].value,
              cue_struct_get(q, p->at[i].key));
    for (uint32_t i = 0; i < q->n; i++)
      if (!cue_struct_get(p, q->at[i].key))
        explain(a, object, cue_strf(a, "%.*s.%.*s", CUE_FMT(path), CUE_FMT(q->at[i].key)), NULL, &q->at[i].value);
    return;
  }
  if (x && y && x->kind == CUE_LIST && y->kind == CUE_LIST && x->as.list->n == y->as.list->n) {
    for (uint32_t i = 0; i < x->as.list->n; i++)
      explain(a, object, cue_strf(a, "%.*s[%u]", CUE_FMT(path), i), &x->as.list->at[i], &y->as.list->at[i]);
    return;
  }
  CueStr ours = text_of(a, x), theirs = text_of(a, y);
  printf("  %.*s%.*s: opm has %.*s, cue has %.*s\n", CUE_FMT(object), CUE_FMT(path), CUE_FMT(ours), CUE_FMT(theirs));
}

bool peer_same(CueArena *a, CueStr ours, CueStr theirs) {
  uint32_t n[2], i = 0, k = 0;
  bool same = true;
  Object *x = objects(a, ours.n ? peer_json(a, ours) : cue_list(cue_list_new(a, 0)), &n[0]);
  Object *y = objects(a, peer_json(a, theirs), &n[1]);
  while (i < n[0] || k < n[1]) {
    int c = i == n[0] ? 1 : k == n[1] ? -1 : cue_str_cmp(x[i].key, y[k].key);
    if (c == 0) {
      if (!cue_value_eq(x[i].v, y[k].v)) {
        explain(a, x[i].key, CUE_STR(" "), &x[i].v, &y[k].v);
        same = false;
      }
      i++, k++;
      continue;
    }
    same = false;
    CueStr key = c < 0 ? x[i++].key : y[k++].key;
    printf("  %.*s: only %s has it\n", CUE_FMT(key), c < 0 ? "opm" : "cue");
  }
  return same;
}
