/* load_deps.c - the modules a module needs.
**
** Imports are followed from the files of the module, through the packages they name, to their end.
** A module that is reached may ask for a higher version of another than was used so far; then all is
** followed again, as other versions may import other packages. Versions only rise, so this ends.
*/
#include <stdlib.h>
#include <string.h>

#include "compiler/literal.h"
#include "compiler/load_impl.h"

typedef struct {
  CueStr base, major, version;
  bool needed;
} Known; /* a module somebody names */

typedef struct {
  CueStr dir, package;
} Seen;

typedef struct {
  Loader *l;
  CUE_VEC(Known) known;
  CUE_VEC(Seen) seen;
  CueDiags *d;
  bool rose; /* a version that was in use is too low */
} Walk;

/* The files whose imports are followed. */
typedef struct {
  CueStr root;
  const ModFile *mod;
} Owner;

static bool is_main(const Walk *w, const Owner *o) { return o->mod == w->l->mod; }

static Known *known(Walk *w, CueStr base, CueStr major) {
  for (uint32_t i = 0; i < w->known.n; i++)
    if (cue_str_eq(w->known.at[i].base, base) && cue_str_eq(w->known.at[i].major, major)) return &w->known.at[i];
  return NULL;
}

static Known *know(Walk *w, CueStr base, CueStr major, CueStr version) {
  Known *k = known(w, base, major);
  if (!k) {
    cue_push(w->l->a, &w->known, (Known){base, major, version, false});
    return &w->known.at[w->known.n - 1];
  }
  if (semver_cmp(k->version, version) < 0) {
    k->version = version;
    w->rose |= k->needed;
  }
  return k;
}

/* ---- modules that nobody names yet ---- */

static Known *know_embedded(Walk *w, CueStr base, CueStr major) {
  const LoadEmbedded *m = fs_embedded_module(&w->l->fs, base, major);
  return m ? know(w, base, import_path_parse(cue_str(m->path)).version, cue_str(m->version)) : NULL;
}

/* The highest version in the cache. */
static Known *know_cached(Walk *w, CueStr base, CueStr major) {
  Loader *l = w->l;
  CueStr path = cue_strf(l->a, "%.*s/mod/extract/%.*s@", CUE_FMT(l->cache_dir), CUE_FMT(module_escaped(l->a, base)));
  CueStr best = CUE_STR(""), start = path_base(path);
  DirEntries entries = {0};
  if (!l->cache_dir.n || !fs_list(&l->fs, path_dir(l->a, path), &entries)) return NULL;
  for (uint32_t i = 0; i < entries.n; i++) {
    CueStr name = entries.at[i].name;
    if (!entries.at[i].is_dir || !cue_str_has_prefix(name, start)) continue;
    CueStr version = cue_str_sub(name, start.n, name.n);
    if (!semver_canonical(version) || (major.n && !cue_str_eq(semver_major(version), major))) continue;
    if (!best.n || semver_cmp(best, version) < 0) best = version;
  }
  return best.n ? know(w, base, semver_major(best), best) : NULL;
}

/* ---- following imports ---- */

static void follow_package(Walk *w, const Owner *o, CueStr dir, CueStr package);

/* The package of an import, if the module `base` has it. */
static bool follow_in(Walk *w, const Owner *from, ImportPath ip, CueStr base) {
  Loader *l = w->l;
  CueStr major = ip.version.n ? ip.version : modfile_default_major(from->mod, base);
  CueStr rest = cue_str_sub(ip.path, base.n, ip.path.n), why;
  if (cue_str_eq(base, from->mod->base) && (!major.n || cue_str_eq(major, from->mod->major))) {
    CueStr dir = path_clean(l->a, cue_str_cat(l->a, from->root, rest));
    if (!dir_has_cue(l, dir)) return false;
    if (!is_main(w, from)) follow_package(w, from, dir, ip.qualifier); /* files of the main one are all followed */
    return true;
  }
  Known *k = major.n ? known(w, base, major) : NULL;
  if (!k) k = know_embedded(w, base, major);
  if (!k) k = know_cached(w, base, major);
  if (!k) return false;
  Owner to = {.root = module_dir(l, base, k->major, k->version, &why)};
  CueStr dir = to.root.n ? path_clean(l->a, cue_str_cat(l->a, to.root, rest)) : CUE_STR("");
  if (!dir.n || !dir_has_cue(l, dir)) return false;
  to.mod = module_file(l, to.root, &why);
  if (!to.mod) return false;
  k->needed = true;
  for (uint32_t i = 0; i < to.mod->deps.n; i++) {
    const ModDep *dep = &to.mod->deps.at[i];
    know(w, dep->base, dep->major, dep->version);
  }
  follow_package(w, &to, dir, ip.qualifier);
  return true;
}

/* Packages in cue.mod belong to no module. */
static bool is_local(const Walk *w, ImportPath ip) {
  static const char *const dirs[] = {"gen", "usr", "pkg"};
  for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++)
    if (dir_has_cue(w->l, cue_strf(w->l->a, "%.*s/cue.mod/%s/%.*s", CUE_FMT(w->l->root), dirs[i], CUE_FMT(ip.path))))
      return true;
  return false;
}

static void follow_import(Walk *w, const Owner *o, CueStr path, CuePos at) {
  ImportPath ip = import_path_parse(path);
  if (import_is_stdlib(ip.path) || (is_main(w, o) && is_local(w, ip))) return;
  for (CueStr base = ip.path;;) {
    if (follow_in(w, o, ip, base)) return;
    CueStr up = path_dir(w->l->a, base);
    if (cue_str_is(up, ".") || cue_str_eq(up, base)) break;
    base = up;
  }
  cue_report(w->d, at, "cannot find module providing package %.*s", CUE_FMT(path));
}

/* `package` is "" for any. */
static void follow_file(Walk *w, const Owner *o, CueStr path, CueStr package) {
  Loader *l = w->l;
  ParsedFile *f = loader_parse(l, path, modfile_language(o->mod));
  if (f->errors.n) cue_diags_append(w->d, &f->errors);
  if (!f->ast || f->errors.n || (package.n && !cue_str_eq(f->ast->package, package))) return;
  for (uint32_t i = 0; i < f->ast->imports.n; i++) {
    const Ast *x = f->ast->imports.at[i]->u.import.path;
    CueValue v = cue_literal_string(l->a, x->u.text);
    if (v.kind == CUE_STRING) follow_import(w, o, cue_value_str(v), x->pos);
  }
}

static bool is_cue(CueStr name) {
  return cue_str_has_suffix(name, CUE_STR(".cue")) && name.s[0] != '.' && name.s[0] != '_';
}

static void follow_package(Walk *w, const Owner *o, CueStr dir, CueStr package) {
  Loader *l = w->l;
  DirEntries entries = {0};
  for (uint32_t i = 0; i < w->seen.n; i++)
    if (cue_str_eq(w->seen.at[i].dir, dir) && cue_str_eq(w->seen.at[i].package, package)) return;
  cue_push(l->a, &w->seen, (Seen){dir, package});
  if (!fs_list(&l->fs, dir, &entries)) return;
  for (uint32_t i = 0; i < entries.n; i++) {
    CueStr name = entries.at[i].name;
    bool own_use = cue_str_has_suffix(name, CUE_STR("_test.cue")) || cue_str_has_suffix(name, CUE_STR("_tool.cue"));
    if (!entries.at[i].is_dir && is_cue(name) && !own_use) follow_file(w, o, path_join(l->a, dir, name), package);
  }
}

enum { FOLDER_DEPTH = 1000 }; /* links may lead back up */

/* All files of the main module, whatever their package or build attributes: each may be built some day. */
static void follow_folder(Walk *w, const Owner *o, CueStr dir, int depth) {
  Loader *l = w->l;
  DirEntries entries = {0};
  if (depth > FOLDER_DEPTH || !fs_list(&l->fs, dir, &entries)) return;
  for (uint32_t i = 0; i < entries.n; i++) {
    CueStr name = entries.at[i].name, path = path_join(l->a, dir, name);
    bool is_dir = fs_is_dir(&l->fs, path);
    if (!is_dir && is_cue(name))
      follow_file(w, o, path, CUE_STR(""));
    else if (is_dir && name.s[0] != '.' && name.s[0] != '_' && !cue_str_is(name, "cue.mod") &&
             !dir_is_module_root(l, path))
      follow_folder(w, o, path, depth + 1);
  }
}

static int by_module(const void *x, const void *y) {
  return cue_str_cmp(((const LoadDep *)x)->module, ((const LoadDep *)y)->module);
}

bool load_deps(CueContext *c, const LoadConfig *cfg, LoadDeps *out, CueDiags *d) {
  Loader *l = loader_new(c, cfg);
  Walk w = {.l = l, .d = d};
  *out = (LoadDeps){.root = CUE_STR("")};
  if (!load_module(l, d)) return !d->n;
  out->root = l->mod || cue_str_is(l->root, "/") ? l->root : CUE_STR("");
  /* Every file there is would be followed. */
  if (cue_str_is(l->root, "/")) return cue_report(d, 0, "the root of the file system cannot be a module");
  if (!l->mod) return !d->n;
  for (uint32_t i = 0; i < l->mod->deps.n; i++) {
    const ModDep *dep = &l->mod->deps.at[i];
    know(&w, dep->base, dep->major, dep->version);
  }
  do {
    w.rose = false;
    w.seen.n = 0;
    for (uint32_t i = 0; i < w.known.n; i++) w.known.at[i].needed = false;
    follow_folder(&w, &(Owner){l->root, l->mod}, l->root, 0);
  } while (w.rose && !d->n);
  for (uint32_t i = 0; i < w.known.n; i++) {
    const Known *k = &w.known.at[i];
    if (k->needed)
      cue_push(l->a, &out->needs,
               (LoadDep){cue_strf(l->a, "%.*s@%.*s", CUE_FMT(k->base), CUE_FMT(k->major)), k->version});
  }
  if (out->needs.n) qsort(out->needs.at, out->needs.n, sizeof *out->needs.at, by_module);
  return !d->n;
}
