/* load_arg.c - which packages an argument means: a folder, an import path, or a pattern with "...".
*/
#include <string.h>

#include "compiler/load_impl.h"

CueStr multiple_packages_text(Loader *l, CueStr dir, CueStr p, CueStr pf, CueStr q, CueStr qf) {
  return cue_strf(l->a, "found packages \"%.*s\" (%.*s) and \"%.*s\" (%.*s) in \"%.*s\"", CUE_FMT(p), CUE_FMT(pf),
                  CUE_FMT(q), CUE_FMT(qf), CUE_FMT(dir));
}

bool import_path_of_dir(const Loader *l, CueStr abs, CueStr orig, CueStr *out, CueStr *error) {
  if (!cue_str_has_prefix(abs, l->root)) {
    *error = cue_strf(l->a, "cannot determine import path for \"%.*s\" (dir outside of root)", CUE_FMT(orig));
    return false;
  }
  CueStr pkg = cue_str_sub(abs, l->root.n, abs.n);
  if (pkg.n && pkg.s[0] != '/') pkg = cue_strf(l->a, "/%.*s", CUE_FMT(pkg));
  CueStr inside = CUE_STR("/cue.mod/");
  if (cue_str_has_prefix(pkg, inside)) {
    *out = cue_str_sub(pkg, inside.n, pkg.n);
    return true;
  }
  if (!l->mod) {
    *error = cue_strf(l->a, "cannot determine import path for \"%.*s\" (no module)", CUE_FMT(orig));
    return false;
  }
  *out = cue_strf(l->a, "%.*s%.*s@%.*s", CUE_FMT(l->mod->base), CUE_FMT(pkg), CUE_FMT(l->mod->major));
  return true;
}

/* ---- checks that come before anything is loaded ---- */

typedef struct {
  CueStr file, package; /* base name and package of a file that may be built */
} Seen;
typedef CUE_VEC(Seen) SeenList;

static void seen_in(Loader *l, CueStr dir, const SeenList *only, SeenList *out) {
  DirEntries entries = {0};
  fs_list(&l->fs, dir, &entries);
  for (uint32_t i = 0; i < entries.n; i++) {
    CueStr name = entries.at[i].name;
    if (entries.at[i].is_dir || !cue_str_has_suffix(name, CUE_STR(".cue")) || name.s[0] == '.' || name.s[0] == '_')
      continue;
    ParsedFile *f = loader_parse(l, path_join(l->a, dir, name), modfile_language(l->mod));
    CueStr why;
    CueDiags ignored = {.a = l->a};
    if (!f->ast || file_verdict(l, f->ast, true, &why, &ignored) != FILE_BUILD) continue;
    bool wanted = !only;
    for (uint32_t k = 0; only && k < only->n; k++)
      wanted |= f->ast->package.n && cue_str_eq(only->at[k].package, f->ast->package);
    if (wanted) cue_push(l->a, out, (Seen){name, f->ast->package});
  }
}

/* Files with a package clause in dir, and of the same packages in the folders above. */
static SeenList seen_files(Loader *l, CueStr dir) {
  SeenList out = {0};
  seen_in(l, dir, NULL, &out);
  SeenList first = out;
  while (first.n && dir.n > l->root.n && !dir_is_module_root(l, dir)) {
    dir = path_dir(l->a, dir);
    SeenList above = {0};
    seen_in(l, dir, &first, &above);
    for (uint32_t i = 0; i < above.n; i++) cue_push(l->a, &out, above.at[i]);
  }
  return out;
}

/* A folder given without a package name must hold one package, or the one named as the folder. */
static bool check_folder(Loader *l, ImportPath ip, CueStr orig, CueStr *error) {
  CueStr dir = path_join(l->a, l->cfg->cwd, ip.path);
  if (!fs_exists(&l->fs, dir)) return true;
  if (!fs_is_dir(&l->fs, dir)) {
    *error = cue_strf(l->a, "%.*s is a file and not a package directory", CUE_FMT(orig));
    return false;
  }
  CueStr qual = l->cfg->package;
  if (cue_str_is(qual, "*")) return true;
  CueStr implied = import_path_parse(orig).qualifier; /* "." implies none, whatever the folder's name */
  SeenList files = seen_files(l, dir);
  const Seen *first = NULL;
  for (uint32_t i = 0; i < files.n; i++) {
    CueStr name = files.at[i].package;
    if ((name.n && cue_str_eq(name, implied)) || (cue_str_is(qual, "_") && !name.n)) return true;
  }
  CueStr rel = path_rel(l->a, l->mod ? l->root : l->cfg->cwd, dir);
  for (uint32_t i = 0; i < files.n; i++) {
    if (!files.at[i].package.n) continue;
    if (!first) first = &files.at[i];
    if (cue_str_eq(first->package, files.at[i].package)) continue;
    *error = multiple_packages_text(l, rel, first->package, first->file, files.at[i].package, files.at[i].file);
    return false;
  }
  return true;
}

static bool hidden(CueStr name) { return name.s[0] == '.' || name.s[0] == '_'; }

/* The first folder below dir with files of two packages. */
static bool check_tree(Loader *l, CueStr dir, bool top, CueStr *error) {
  DirEntries entries = {0};
  fs_list(&l->fs, dir, &entries);
  if (!top && dir_is_module_root(l, dir)) return true;
  SeenList files = {0};
  seen_in(l, dir, NULL, &files);
  const Seen *last = NULL;
  for (uint32_t i = 0; i < files.n; i++) {
    if (!files.at[i].package.n) continue;
    if (last && !cue_str_eq(last->package, files.at[i].package)) {
      CueStr rel = path_rel(l->a, l->mod ? l->root : l->cfg->cwd, dir);
      *error = multiple_packages_text(l, rel, last->package, last->file, files.at[i].package, files.at[i].file);
      return false;
    }
    last = &files.at[i];
  }
  for (uint32_t i = 0; i < entries.n; i++) {
    CueStr name = entries.at[i].name;
    if (!entries.at[i].is_dir || hidden(name) || cue_str_is(name, "cue.mod")) continue;
    if (!check_tree(l, path_join(l->a, dir, name), false, error)) return false;
  }
  return true;
}

/* The folder above the first element with "..." in it. */
static CueStr pattern_dir(Loader *l, CueStr path) {
  ptrdiff_t dots = cue_str_find(path, CUE_STR("..."));
  size_t end = (size_t)dots;
  while (end && path.s[end - 1] != '/') end--;
  return end ? path_clean(l->a, cue_str_sub(path, 0, end)) : CUE_STR(".");
}

static bool check_arg(Loader *l, CueStr arg, CueStr *error) {
  if (arg.n && arg.s[0] == '/') {
    *error = cue_strf(l->a, "cannot use absolute directory \"%.*s\" as package path", CUE_FMT(arg));
    return false;
  }
  ImportPath ip = import_path_parse(arg);
  if (cue_str_is(ip.qualifier, "_")) {
    *error = cue_strf(l->a, "invalid import path qualifier _ in \"%.*s\"", CUE_FMT(arg));
    return false;
  }
  bool relative = cue_str_has_prefix(ip.path, CUE_STR("./"));
  ip.path = path_clean(l->a, ip.path);
  if (relative && !cue_str_is(ip.path, ".")) ip.path = cue_strf(l->a, "./%.*s", CUE_FMT(ip.path));
  bool local = path_is_local(ip.path), pattern = cue_str_find(ip.path, CUE_STR("...")) >= 0;
  CueStr ignored;
  if (local && l->mod && !import_path_of_dir(l, path_join(l->a, l->cfg->cwd, ip.path), arg, &ignored, error))
    return false;
  if (!pattern) return !local || ip.explicit_qualifier || check_folder(l, ip, arg, error);
  bool own =
      local || !l->mod ||
      (cue_str_has_prefix(ip.path, l->mod->base) && (ip.path.n == l->mod->base.n || ip.path.s[l->mod->base.n] == '/'));
  if (!own) {
    *error = cue_strf(l->a, "pattern not allowed in external package path \"%.*s\"", CUE_FMT(arg));
    return false;
  }
  if (ip.explicit_qualifier || l->cfg->package.n || !local) return true;
  return check_tree(l, path_join(l->a, l->cfg->cwd, pattern_dir(l, ip.path)), true, error);
}

bool args_check(Loader *l, const CueStr *args, uint32_t n, CueStr *error) {
  for (uint32_t i = 0; i < n; i++)
    if (!check_arg(l, args[i], error)) return false;
  return true;
}

/* ---- loading ---- */

typedef struct {
  Loader *l;
  CueStr name; /* of the package, or empty */
  PkgList pkgs;
  CueDiags errors;
} Walk;

static void walk_package(Walk *w, CueStr dir) {
  Loader *l = w->l;
  CueStr rel = cue_strf(l->a, "./%.*s", CUE_FMT(path_rel(l->a, l->cfg->cwd, dir)));
  Pkg *p = pkg_relative(l, rel, w->name);
  PkgList found = load_folder(l, p);
  for (uint32_t i = 0; i < found.n; i++) {
    Pkg *q = found.at[i];
    if (!pkg_errors(q)->n || q->invalid) continue;
    if (!q->no_files)
      cue_diags_append(&w->errors, pkg_errors(q));
    else if (!l->cfg->data_files || !q->out.orphans.n)
      return;
  }
  for (uint32_t i = 0; i < found.n; i++) cue_push(l->a, &w->pkgs, found.at[i]);
}

static void walk(Walk *w, CueStr dir, bool top) {
  Loader *l = w->l;
  CueStr name = path_base(dir);
  if (!top &&
      (hidden(name) || cue_str_is(name, "cue.mod") || cue_str_is(name, "testdata") || dir_is_module_root(l, dir)))
    return;
  if (top && name.n && hidden(name)) return;
  walk_package(w, dir);
  DirEntries entries = {0};
  fs_list(&l->fs, dir, &entries);
  for (uint32_t i = 0; i < entries.n; i++)
    if (entries.at[i].is_dir) walk(w, path_join(l->a, dir, entries.at[i].name), false);
}

static void unmatched(Loader *l, CueStr pattern, PkgList *out) {
  cue_push(l->a, out, pkg_error(l, cue_strf(l->a, "cue: \"%.*s\" matched no packages", CUE_FMT(pattern))));
}

static void load_pattern(Loader *l, CueStr pattern, CueStr name, PkgList *out) {
  Walk w = {.l = l, .name = name, .errors.a = l->a};
  CueStr dir = path_join(l->a, l->cfg->cwd, pattern_dir(l, pattern));
  bool inside =
      cue_str_has_prefix(dir, l->root) && (dir.n == l->root.n || cue_str_is(l->root, "/") || dir.s[l->root.n] == '/');
  if (path_is_local(pattern) && inside && fs_is_dir(&l->fs, dir)) walk(&w, dir, true);
  if (!w.pkgs.n) {
    unmatched(l, pattern, out);
  } else if (w.errors.n) {
    Pkg *p = pkg_error(l, CUE_STR(""));
    *pkg_errors(p) = w.errors;
    cue_push(l->a, out, p);
  } else {
    for (uint32_t i = 0; i < w.pkgs.n; i++) cue_push(l->a, out, w.pkgs.at[i]);
  }
}

static CueStr clean_arg(Loader *l, CueStr arg) {
  if (!cue_str_has_prefix(arg, CUE_STR("./"))) return path_clean(l->a, arg);
  CueStr clean = path_clean(l->a, arg);
  return cue_str_is(clean, ".") ? clean : cue_strf(l->a, "./%.*s", CUE_FMT(clean));
}

static void load_arg(Loader *l, CueStr arg, PkgList *out) {
  CueStr given = clean_arg(l, arg);
  if (cue_str_is(given, "all") || cue_str_is(given, "std") ||
      cue_str_is(given, "cmd")) { /* names kept for sets of packages */
    unmatched(l, given, out);
    return;
  }
  ImportPath ip = import_path_parse(given);
  CueStr name = ip.explicit_qualifier ? ip.qualifier : l->cfg->package;
  if (cue_str_is(name, "*")) name = CUE_STR("");
  ip.qualifier = CUE_STR("");
  ip.explicit_qualifier = false;
  CueStr path = import_path_text(l->a, ip);
  if (cue_str_find(path, CUE_STR("...")) >= 0) {
    load_pattern(l, path, name, out);
    return;
  }
  PkgList found = load_folder(l, path_is_local(path) ? pkg_relative(l, path, name) : pkg_import(l, 0, given));
  if (!found.n) unmatched(l, path, out);
  for (uint32_t i = 0; i < found.n; i++) cue_push(l->a, out, found.at[i]);
}

void args_load(Loader *l, const CueStr *args, uint32_t n, PkgList *out) {
  for (uint32_t i = 0; i < n; i++) load_arg(l, args[i], out);
}
