/* load_mod.c - import paths to folders.
**
** A package may come from cue.mod/{gen,usr,pkg}, from the module itself, or from a module it
** depends on: any prefix of the import path may be that module. Versions come from the module
** file; if no module named there has the package, the dependencies' dependencies are tried,
** each at the highest version anyone asks for.
*/
#include <string.h>

#include "compiler/load_impl.h"

CueStr module_find_root(const Loader *l, CueStr dir) {
  for (;;) {
    if (dir_is_module_root(l, dir)) return dir;
    CueStr up = path_dir(l->a, dir);
    if (cue_str_is(path_base(up), "cue.mod") || up.n >= dir.n) return CUE_STR("");
    dir = up;
  }
}

bool dir_has_cue(const Loader *l, CueStr dir) {
  DirEntries entries = {0};
  if (!fs_list(&l->fs, dir, &entries)) return false;
  for (uint32_t i = 0; i < entries.n; i++)
    if (!entries.at[i].is_dir && cue_str_has_suffix(entries.at[i].name, CUE_STR(".cue"))) return true;
  return false;
}

/* ---- modules ---- */

CueStr module_escaped(CueArena *a, CueStr s) {
  CueBuf b = cue_buf(a);
  for (size_t i = 0; i < s.n; i++) {
    if (s.s[i] >= 'A' && s.s[i] <= 'Z') {
      cue_buf_ch(&b, '!');
      cue_buf_ch(&b, (char)(s.s[i] + 32));
    } else {
      cue_buf_ch(&b, s.s[i]);
    }
  }
  return cue_buf_done(&b);
}

static CueStr cached_dir(const Loader *l, CueStr base, CueStr version) {
  return cue_strf(l->a, "%.*s/mod/extract/%.*s@%.*s", CUE_FMT(l->cache_dir), CUE_FMT(module_escaped(l->a, base)),
                  CUE_FMT(module_escaped(l->a, version)));
}

static bool is_below(CueStr path, CueStr base) {
  return cue_str_has_prefix(path, base) && (path.n == base.n || path.s[base.n] == '/');
}

/* Whether both modules could have the same package. */
static bool overlap(CueStr x, CueStr y) { return is_below(x, y) || is_below(y, x); }

/* A dependency that is the module inside the program, and is not in the cache, which would win. */
static bool is_inside(const Loader *l, const ModDep *dep) {
  CueStr path = cue_strf(l->a, "%.*s@%.*s", CUE_FMT(dep->base), CUE_FMT(dep->major));
  return fs_embedded_root(&l->fs, path, dep->version).n &&
         !(l->has_cache && fs_is_dir(&l->fs, cached_dir(l, dep->base, dep->version)));
}

bool modules_are_inside(const Loader *l) {
  if (!l->mod || l->has_local[0] || l->has_local[1] || l->has_local[2]) return false;
  for (size_t i = 0; i < l->fs.n; i++) {
    CueStr path = import_path_parse(cue_str(l->fs.embedded[i].path)).path;
    if (overlap(path, l->mod->base)) return false;
    for (uint32_t k = 0; k < l->mod->deps.n; k++)
      if (overlap(path, l->mod->deps.at[k].base) && !is_inside(l, &l->mod->deps.at[k])) return false;
  }
  return true;
}

CueStr module_dir(Loader *l, CueStr base, CueStr major, CueStr version, CueStr *why) {
  CueStr path = cue_strf(l->a, "%.*s@%.*s", CUE_FMT(base), CUE_FMT(major));
  CueStr dir = cached_dir(l, base, version);
  if (l->has_cache && fs_is_dir(&l->fs, dir)) return dir;
  CueStr inside = fs_embedded_root(&l->fs, path, version);
  if (inside.n) return inside;
  *why = CUE_STR("module not found");
  if (l->cfg->fetch && l->cfg->fetch(l->cfg->fetch_user, l->a, path, version, l->cache_dir, why) &&
      fs_is_dir(&l->fs, dir)) {
    l->has_cache = true;
    return dir;
  }
  /* Better the module inside the program than none: within a major version what worked goes on working. */
  const LoadEmbedded *m = fs_embedded_module(&l->fs, base, major);
  if (m && l->cfg->replaced) l->cfg->replaced(l->cfg->replaced_user, path, version, cue_str(m->version));
  if (m) return fs_embedded_root(&l->fs, path, CUE_STR(""));
  m = fs_embedded_module(&l->fs, base, CUE_STR(""));
  if (m) *why = cue_strf(l->a, "%.*s; inside opm is %s %s", CUE_FMT(*why), m->path, m->version);
  return CUE_STR("");
}

const ModFile *module_file(Loader *l, CueStr dir, CueStr *why) {
  for (ModuleRoot *m = l->modules; m; m = m->next) {
    if (!cue_str_eq(m->dir, dir)) continue;
    *why = m->error;
    return m->error.n ? NULL : &m->file;
  }
  ModuleRoot *m = cue_new(l->a, ModuleRoot);
  m->next = l->modules;
  l->modules = m;
  m->dir = dir;
  CueStr path = cue_strf(l->a, "%.*s/cue.mod/module.cue", CUE_FMT(dir)), text;
  if (fs_read(&l->fs, path, &text, &m->error)) {
    CueDiags d = {.a = l->a};
    CueSource *src = cue_source_add(l->c->sources, path_source_name(l->a, path), text_decode(l->a, text));
    if (!src)
      m->error = CUE_STR("sources too large");
    else if (!modfile_parse(l->c, src, path, true, &m->file, &d))
      m->error = d.first->message;
  }
  *why = m->error;
  return m->error.n ? NULL : &m->file;
}

/* ---- the module graph ---- */

typedef struct {
  CueStr base, major, version;
} Selected;
typedef CUE_VEC(Selected) Graph;

static bool graph_add(Loader *l, Graph *g, const ModFile *m) {
  bool grew = false;
  for (uint32_t i = 0; i < m->deps.n; i++) {
    const ModDep *dep = &m->deps.at[i];
    Selected *s = NULL;
    for (uint32_t k = 0; k < g->n; k++)
      if (cue_str_eq(g->at[k].base, dep->base) && cue_str_eq(g->at[k].major, dep->major)) s = &g->at[k];
    if (s && semver_cmp(s->version, dep->version) >= 0) continue;
    if (s)
      s->version = dep->version;
    else
      cue_push(l->a, g, (Selected){dep->base, dep->major, dep->version});
    grew = true;
  }
  return grew;
}

/* Every module reachable from the main one. Versions only rise, so a pass without change is the last. */
static bool graph_build(Loader *l, Graph *g, CueStr *error) {
  graph_add(l, g, l->mod);
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < g->n; i++) {
      CueStr why = CUE_STR("");
      Selected s = g->at[i];
      CueStr dir = module_dir(l, s.base, s.major, s.version, &why);
      const ModFile *m = dir.n ? module_file(l, dir, &why) : NULL;
      if (!m) {
        *error = cue_strf(l->a, "cannot expand module graph: %.*s@%.*s: %.*s", CUE_FMT(s.base), CUE_FMT(s.version),
                          CUE_FMT(why));
        return false;
      }
      again |= graph_add(l, g, m);
    }
  }
  return true;
}

/* ---- packages ---- */

typedef struct {
  CueStr module, version, root, dir; /* version empty for the main module */
} Place;
typedef CUE_VEC(Place) Places;

static bool fail(Loader *l, CueStr *error, const char *fmt, CueStr x, CueStr y) {
  *error = cue_strf(l->a, fmt, CUE_FMT(x), CUE_FMT(y));
  return false;
}

static CueStr version_in(const Loader *l, const Graph *g, CueStr base, CueStr major) {
  if (g) {
    for (uint32_t i = 0; i < g->n; i++)
      if (cue_str_eq(g->at[i].base, base) && cue_str_eq(g->at[i].major, major)) return g->at[i].version;
    return CUE_STR("");
  }
  const ModDep *dep = modfile_dep(l->mod, base, major);
  return dep ? dep->version : CUE_STR("");
}

static bool nested_module(const Loader *l, CueStr dir) {
  for (CueStr d = dir; d.n > l->root.n; d = path_dir(l->a, d))
    if (fs_exists(&l->fs, cue_strf(l->a, "%.*s/cue.mod/module.cue", CUE_FMT(d)))) return true;
  return false;
}

/* Modules that could have the package: one for each prefix of its path. g NULL: only those the module file names. */
static bool search_modules(Loader *l, ImportPath ip, const Graph *g, Places *out, CueStr *error) {
  for (CueStr prefix = ip.path;;) {
    CueStr major = ip.version.n ? ip.version : modfile_default_major(l->mod, prefix);
    bool own = major.n && cue_str_eq(prefix, l->mod->base) && cue_str_eq(major, l->mod->major);
    CueStr version = major.n && !own ? version_in(l, g, prefix, major) : CUE_STR("");
    if (own || version.n) {
      CueStr root = l->root;
      if (!own) {
        CueStr why = CUE_STR("");
        root = module_dir(l, prefix, major, version, &why);
        if (!root.n)
          return fail(l, error, "cannot fetch %.*s: %.*s",
                      cue_strf(l->a, "%.*s@%.*s", CUE_FMT(prefix), CUE_FMT(version)), why);
      }
      CueStr rest = cue_str_sub(ip.path, prefix.n, ip.path.n);
      CueStr dir = path_clean(l->a, cue_strf(l->a, "%.*s%.*s", CUE_FMT(root), CUE_FMT(rest)));
      if (!(own && nested_module(l, dir)) && dir_has_cue(l, dir))
        cue_push(l->a, out, (Place){cue_strf(l->a, "%.*s@%.*s", CUE_FMT(prefix), CUE_FMT(major)), version, root, dir});
    }
    CueStr up = path_dir(l->a, prefix);
    if (cue_str_is(up, ".") || cue_str_eq(up, prefix)) return true;
    prefix = up;
  }
}

/* Modules inside the program need no entry in the module file. */
static void search_embedded(Loader *l, ImportPath ip, Places *out) {
  for (size_t i = 0; i < l->fs.n && !out->n; i++) {
    const LoadEmbedded *m = &l->fs.embedded[i];
    ImportPath own = import_path_parse(cue_str(m->path));
    if (ip.version.n && !cue_str_eq(ip.version, own.version)) continue;
    if (!cue_str_has_prefix(ip.path, own.path) || (ip.path.n > own.path.n && ip.path.s[own.path.n] != '/')) continue;
    CueStr root = fs_embedded_root(&l->fs, cue_str(m->path), cue_str(m->version));
    CueStr dir = path_clean(
        l->a, cue_strf(l->a, "%.*s%.*s", CUE_FMT(root), CUE_FMT(cue_str_sub(ip.path, own.path.n, ip.path.n))));
    if (dir_has_cue(l, dir)) cue_push(l->a, out, (Place){cue_str(m->path), cue_str(m->version), root, dir});
  }
}

static const char *const local_dirs[] = {"gen", "usr", "pkg"};

void module_places(Loader *l) {
  l->has_cache = l->cache_dir.n && fs_is_dir(&l->fs, cue_strf(l->a, "%.*s/mod/extract", CUE_FMT(l->cache_dir)));
  for (size_t i = 0; i < sizeof local_dirs / sizeof *local_dirs; i++)
    l->has_local[i] = fs_is_dir(&l->fs, cue_strf(l->a, "%.*s/cue.mod/%s", CUE_FMT(l->root), local_dirs[i]));
}

static void search_local(Loader *l, ImportPath ip, Places *out) {
  for (size_t i = 0; i < sizeof local_dirs / sizeof *local_dirs; i++) {
    if (!l->has_local[i]) continue;
    CueStr dir = cue_strf(l->a, "%.*s/cue.mod/%s/%.*s", CUE_FMT(l->root), local_dirs[i], CUE_FMT(ip.path));
    if (!dir_has_cue(l, dir)) continue;
    /* All three are read together; load_folder starts from gen, whether it exists or not. */
    CueStr gen = cue_strf(l->a, "%.*s/cue.mod/gen/%.*s", CUE_FMT(l->root), CUE_FMT(ip.path));
    cue_push(l->a, out, (Place){CUE_STR("local"), CUE_STR(""), l->root, gen});
    return;
  }
}

static bool ambiguous(Loader *l, CueStr path, const Places *places, CueStr *error) {
  CueBuf b = cue_buf(l->a);
  cue_buf_f(&b, "ambiguous import: found package %.*s in multiple locations:", CUE_FMT(path));
  for (uint32_t i = places->n; i--;) {
    const Place *p = &places->at[i];
    cue_buf_f(&b, "\n\t%.*s", CUE_FMT(p->module));
    if (p->version.n) cue_buf_f(&b, " %.*s", CUE_FMT(p->version));
    CueStr rel = path_rel(l->a, p->root, p->dir);
    cue_buf_f(&b, " (%.*s)", CUE_FMT(rel));
  }
  *error = cue_buf_done(&b);
  return false;
}

static bool locate(Loader *l, CueStr path, Place *out, CueStr *error) {
  ImportPath ip = import_path_parse(path);
  *error = import_path_check(l->a, path);
  if (error->n) return false;
  Places places = {0};
  search_local(l, ip, &places);
  if (!search_modules(l, ip, NULL, &places, error)) return false;
  if (!places.n) search_embedded(l, ip, &places);
  if (!places.n) {
    Graph g = {0};
    if (!graph_build(l, &g, error) || !search_modules(l, ip, &g, &places, error)) return false;
  }
  if (places.n > 1) return ambiguous(l, path, &places, error);
  if (!places.n) return fail(l, error, "cannot find module providing package %.*s%.*s", path, CUE_STR(""));
  *out = places.at[0];
  return true;
}

static void count_files(Loader *l, const PackageLoc *p, CueStr dir, CueStr name, uint32_t *found, uint32_t *excluded) {
  DirEntries entries = {0};
  if (!fs_list(&l->fs, dir, &entries)) return;
  bool own = l->mod && cue_str_eq(p->module, l->mod->module);
  for (uint32_t i = 0; i < entries.n; i++) {
    CueStr file = entries.at[i].name;
    if (entries.at[i].is_dir || !cue_str_has_suffix(file, CUE_STR(".cue")) || file.s[0] == '.' || file.s[0] == '_')
      continue;
    ParsedFile *f = loader_parse(l, path_join(l->a, dir, file), modfile_language(p->modfile));
    if (!f->ast || !cue_str_eq(f->ast->package, name)) continue;
    bool test = cue_str_has_suffix(file, CUE_STR("_test.cue")), tool = cue_str_has_suffix(file, CUE_STR("_tool.cue"));
    CueStr why;
    CueDiags ignored = {.a = l->a};
    bool out = (tool && !l->cfg->tools) || (test && !(own && l->cfg->tests)) ||
               file_verdict(l, f->ast, own, &why, &ignored) != FILE_BUILD;
    ++*(out ? excluded : found);
  }
}

static void check_name(Loader *l, PackageLoc *p) {
  ImportPath ip = import_path_parse(p->path);
  if (!ip.qualifier.n) return;
  uint32_t found = 0, excluded = 0;
  count_files(l, p, p->dir, ip.qualifier, &found, &excluded);
  if (cue_str_is(p->module, "local")) {
    CueStr gen = cue_strf(l->a, "%.*s/cue.mod/gen", CUE_FMT(l->root)), rest = cue_str_sub(p->dir, gen.n, p->dir.n);
    count_files(l, p, cue_strf(l->a, "%.*s/cue.mod/usr%.*s", CUE_FMT(l->root), CUE_FMT(rest)), ip.qualifier, &found,
                &excluded);
    count_files(l, p, cue_strf(l->a, "%.*s/cue.mod/pkg%.*s", CUE_FMT(l->root), CUE_FMT(rest)), ip.qualifier, &found,
                &excluded);
  }
  if (found) return;
  CueStr more = excluded ? cue_strf(l->a, " (%u files were excluded)", excluded) : CUE_STR("");
  p->error = cue_strf(l->a, "no files in package directory with package name \"%.*s\"%.*s", CUE_FMT(ip.qualifier),
                      CUE_FMT(more));
}

const PackageLoc *package_find(Loader *l, CueStr canonical) {
  for (PackageLoc *p = l->packages; p; p = p->next)
    if (cue_str_eq(p->path, canonical)) return p;
  PackageLoc *p = cue_new(l->a, PackageLoc);
  p->next = l->packages;
  l->packages = p;
  p->path = canonical;
  p->error = CUE_STR("");
  Place place;
  if (!locate(l, canonical, &place, &p->error)) return p;
  p->dir = place.dir;
  p->module = place.module;
  p->root = place.root;
  p->modfile = l->mod;
  if (place.version.n) {
    CueStr why;
    p->modfile = module_file(l, place.root, &why);
    if (!p->modfile) {
      p->error = why;
      return p;
    }
  }
  check_name(l, p);
  return p;
}

bool module_absolute(Loader *l, CueStr *arg) {
  ImportPath ip = import_path_parse(*arg);
  if (!semver_canonical(ip.version)) return false;
  CueStr major = semver_major(ip.version);
  for (CueStr prefix = ip.path;;) {
    CueStr why;
    CueStr root = module_dir(l, prefix, major, ip.version, &why);
    CueStr dir = path_clean(l->a, cue_str_cat(l->a, root, cue_str_sub(ip.path, prefix.n, ip.path.n)));
    const ModFile *m = root.n && dir_has_cue(l, dir) ? module_file(l, root, &why) : NULL;
    if (m) {
      l->mod = m;
      l->root = root;
      module_places(l);
      ip.version = major;
      *arg = import_path_text(l->a, ip);
      return true;
    }
    CueStr up = path_dir(l->a, prefix);
    if (cue_str_is(up, ".") || cue_str_eq(up, prefix)) return false;
    prefix = up;
  }
}
