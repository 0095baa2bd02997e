/* load.c - arguments to instances.
**
** The order of things is cue's, since it decides which error is seen: file arguments are
** understood and found first, then the module file is read, then packages are named, then
** loaded; values for tags are put in last.
*/
#include "compiler/load.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/literal.h"
#include "compiler/load_impl.h"
#include "compiler/parse.h"

int modfile_language(const ModFile *m) { return m && m->language.n ? semver_minor(m->language) : 0; }

Pkg *pkg_error(Loader *l, CueStr message) {
  Pkg *p = pkg_new(l, l->cfg->cwd);
  if (message.n) pkg_report(l, p, 0, message);
  return p;
}

static bool read_input(Loader *l, CueStr *text, CueStr *error) {
  if (!l->input_read) {
    if (l->cfg->has_input)
      l->input = cue_str_copy(l->a, l->cfg->input); /* with a NUL behind it */
    else if (!fs_read_stdin(l->a, &l->input, error))
      return false;
    l->input_read = true;
  }
  *text = l->input;
  return true;
}

ParsedFile *loader_parse(Loader *l, CueStr path, int language) {
  ParsedFile **bucket = &l->files[cue_str_hash(path) % (sizeof l->files / sizeof *l->files)];
  for (ParsedFile *f = *bucket; f; f = f->next)
    if (cue_str_eq(f->path, path)) return f;
  ParsedFile *f = cue_new(l->a, ParsedFile);
  f->next = *bucket;
  *bucket = f;
  f->path = path;
  f->errors.a = l->a;
  CueStr text, error;
  /* Comments belong to nodes that stubs do not have. */
  const CueStub *stubs = l->cfg->comments || l->cfg->syntax_only ? NULL : fs_stubs(&l->fs, path);
  bool ok = cue_str_is(path, "-") ? read_input(l, &text, &error) : fs_read(&l->fs, path, &text, &error);
  if (!ok) {
    cue_diag_add(&f->errors, CUE_STR(""), error);
    return f;
  }
  if (!stubs) text = text_decode(l->a, text);
  CueSource *src = cue_source_keep(l->c->sources, path_source_name(l->a, path), text);
  if (!src) {
    cue_diag_add(&f->errors, CUE_STR(""),
                 cue_strf(l->a, "%.*s: sources are larger than 512 MiB together", CUE_FMT(path)));
    return f;
  }
  src->stubs = stubs;
  f->ast = cue_parse_file(l->a, src, (ParseOptions){.language = language, .comments = l->cfg->comments}, &f->errors);
  if (f->errors.n || l->cfg->syntax_only) cue_check_names(l->c, f->ast, &f->errors);
  return f;
}

/* ---- file arguments ---- */

/* Splits "scope:file"; a path from the root has no scope. */
static bool cut_scope(CueStr arg, CueStr *scope, CueStr *file) {
  ptrdiff_t colon = arg.n && arg.s[0] == '/' ? -1 : cue_str_find(arg, CUE_STR(":"));
  *scope = colon < 0 ? CUE_STR("") : cue_str_sub(arg, 0, (size_t)colon);
  *file = colon < 0 ? arg : cue_str_sub(arg, (size_t)colon + 1, arg.n);
  return colon >= 0;
}

static bool parse_files(Loader *l, const CueStr *args, uint32_t n, LoadFiles *out, CueStr *error) {
  CueStr scope = CUE_STR("");
  bool has_files = false;
  for (uint32_t i = 0; i < n; i++) {
    CueStr s, file;
    if (cut_scope(args[i], &s, &file)) {
      if (!s.n)
        *error = cue_strf(l->a, "empty filetype prefix in \"%.*s\"", CUE_FMT(args[i]));
      else if (file.n)
        *error = CUE_STR("cannot combine scope with file");
      else if (i == n - 1)
        *error = cue_strf(l->a, "scoped qualifier \"%.*s:\" without file", CUE_FMT(s));
      else if (scope.n && !has_files)
        *error = cue_strf(l->a, "scoped qualifier \"%.*s:\" without file", CUE_FMT(scope));
      if (error->n) return false;
      if (!load_scope_check(l->a, s, error)) return false;
      scope = s;
      has_files = false;
      continue;
    }
    if (!file.n) {
      *error = CUE_STR("empty file name");
      return false;
    }
    LoadFile f;
    if (!load_file_type(l->a, scope, file, &f, error)) return false;
    cue_push(l->a, out, f);
    has_files = true;
  }
  return true;
}

static bool find_files(Loader *l, LoadFiles *files, CueStr *error) {
  for (uint32_t i = 0; i < files->n; i++) {
    LoadFile *f = &files->at[i];
    if (cue_str_is(f->path, "-")) continue;
    if (f->path.s[0] != '/')
      f->path = path_join(l->a, l->cfg->cwd, f->path);
    else
      f->path = path_clean(l->a, f->path);
    f->name = path_shown(l->a, l->cfg->cwd, f->path);
    if (fs_stat_error(&l->fs, f->path, error)) return false;
  }
  return true;
}

/* Within a module the packages that files import are looked for before anything is loaded, so what is wrong with a file's
** head ends it all. One error is told with the file's name, several are not. */
static bool check_heads(Loader *l, const LoadFiles *files, CueDiags *d) {
  if (!l->mod || l->cfg->syntax_only) return true;
  int language = modfile_language(l->mod);
  for (uint32_t i = 0; i < files->n; i++) {
    if (files->at[i].encoding != CUE_ENC_CUE) continue;
    const ParsedFile *f = loader_parse(l, files->at[i].path, language);
    if (!f->ast) continue;
    CueDiags head = {.a = l->a};
    if (f->errors.n)
      cue_parse_file(l->a, f->ast->source, (ParseOptions){.language = language, .imports_only = true}, &head);
    if (head.n == 1)
      head.first->message =
          cue_strf(l->a, "cannot get syntax for \"%.*s\": %.*s", CUE_FMT(f->path), CUE_FMT(head.first->message));
    cue_diags_append(d, &head);
    if (head.n) return false;
    const Ast *odd = load_odd_import(f->ast);
    if (!odd) continue;
    CueStr path = cue_literal_quote(l->a, odd->u.text, CUE_QUOTE_STRING, 0);
    return cue_report(d, 0, "invalid import path %.*s in %.*s", CUE_FMT(path), CUE_FMT(f->path));
  }
  return true;
}

/* ---- the module ---- */

static bool inside_cue_mod(CueStr dir) {
  CueStr last = CUE_STR("");
  for (CueStr d = dir; d.n > 1;) {
    CueStr base = path_base(d);
    if (cue_str_is(base, "cue.mod"))
      return !cue_str_is(last, "pkg") && !cue_str_is(last, "usr") && !cue_str_is(last, "gen");
    last = base;
    d = cue_str_sub(d, 0, d.n - base.n - 1);
  }
  return false;
}

CueStr load_cache_dir(CueArena *a) {
  const char *dir = getenv("CUE_CACHE_DIR");
  if (dir && *dir) return cue_str_copy(a, cue_str(dir));
  dir = getenv("XDG_CACHE_HOME");
  if (dir && *dir == '/') return cue_strf(a, "%s/cue", dir);
  dir = getenv("HOME");
  return dir && *dir ? cue_strf(a, "%s/.cache/cue", dir) : CUE_STR("");
}

bool load_module(Loader *l, CueDiags *d) {
  if (inside_cue_mod(l->cfg->cwd)) return cue_report(d, 0, "cannot load packages inside the cue.mod directory");
  CueStr root = module_find_root(l, l->cfg->cwd);
  l->root = root.n ? root : l->cfg->cwd;
  module_places(l);
  CueStr dir = path_join(l->a, l->root, CUE_STR("cue.mod")), path = path_join(l->a, dir, CUE_STR("module.cue")), text,
         error;
  if (!fs_exists(&l->fs, dir)) return true;
  if (!fs_is_dir(&l->fs, dir)) return cue_report(d, 0, "cue.mod files are no longer supported; use cue.mod/module.cue");
  if (!fs_exists(&l->fs, path)) return true;
  if (!fs_read(&l->fs, path, &text, &error)) return cue_report(d, 0, "%.*s", CUE_FMT(error));
  CueSource *src = cue_source_add(l->c->sources, path_source_name(l->a, path), text_decode(l->a, text));
  if (!src) return cue_report(d, 0, "module file too large");
  ModFile *m = cue_new(l->a, ModFile);
  if (!modfile_parse(l->c, src, path, !l->cfg->syntax_only, m, d)) return false;
  l->mod = m;
  return true;
}

/* ---- all together ---- */

static LoadedList finish(Loader *l, const PkgList *pkgs) {
  LoadedList out = {0};
  for (uint32_t i = 0; i < pkgs->n; i++) cue_push(l->a, &out, &pkgs->at[i]->out);
  return out;
}

static LoadedList failed(Loader *l, CueStr message, const CueDiags *d) {
  PkgList pkgs = {0};
  Pkg *p = pkg_error(l, message);
  if (d) cue_diags_append(pkg_errors(p), d);
  cue_push(l->a, &pkgs, p);
  return finish(l, &pkgs);
}

/* "mod.example/x@v1.2.3" names a module of the registry, not one the module file knows. */
static bool is_absolute(CueStr arg) {
  CueStr v = import_path_parse(arg).version;
  return v.n && !cue_str_eq(semver_major(v), v);
}

static CueStr check_versions(Loader *l, CueStr *args, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    CueStr v = import_path_parse(args[i]).version;
    if (is_absolute(args[i])) {
      if (i) return CUE_STR("only a single package with absolute version may be specified");
      if (!module_absolute(l, &args[i]))
        return cue_strf(l->a, "cannot find module providing package %.*s", CUE_FMT(args[i]));
    } else if (!l->mod && v.n) {
      return cue_strf(l->a,
                      "package %.*s: %.*s is not a valid version to use as an argument; use a fully qualified version "
                      "like %.*s.0.0, %.*s.latest, or @latest",
                      CUE_FMT(args[i]), CUE_FMT(v), CUE_FMT(v), CUE_FMT(v));
    }
  }
  return CUE_STR("");
}

static bool named_package(const LoadConfig *cfg) {
  return cfg->package.n && !cue_str_is(cfg->package, "_") && !cue_str_is(cfg->package, "*");
}

/* With -p, arguments that name no package mean that one. */
static CueStr *qualified_args(Loader *l, const CueStr *args, uint32_t n) {
  CueStr *out = cue_array(l->a, CueStr, n ? n : 1);
  for (uint32_t i = 0; i < n; i++) {
    out[i] = args[i];
    ImportPath ip = import_path_parse(args[i]);
    if (!named_package(l->cfg) || ip.explicit_qualifier) continue;
    ip.qualifier = l->cfg->package;
    out[i] = import_path_text(l->a, ip);
  }
  return out;
}

Loader *loader_new(CueContext *c, const LoadConfig *cfg) {
  Loader *l = cue_new(c->a, Loader);
  *l = (Loader){
      .c = c, .a = c->a, .cfg = cfg, .fs = {c->a, cfg->embedded, cfg->nembedded, cfg->watch}, .root = cfg->cwd};
  c->cwd = cfg->cwd;
  l->cache_dir = cfg->cache_dir.n ? cfg->cache_dir : load_cache_dir(c->a);
  return l;
}

LoadedList load_args(CueContext *c, const LoadConfig *cfg, const CueStr *args, uint32_t nargs) {
  static const CueStr here = {".", 1};
  Loader *l = loader_new(c, cfg);
  if (!nargs) {
    args = &here;
    nargs = 1;
  }
  uint32_t npkgs = 0;
  while (npkgs < nargs && load_is_package(args[npkgs])) npkgs++;
  CueStr error = CUE_STR("");
  CueDiags d = {.a = c->a};
  LoadFiles files = {0};
  if (!parse_files(l, args + npkgs, nargs - npkgs, &files, &error)) return failed(l, error, NULL);
  if (!load_module(l, &d)) return failed(l, CUE_STR(""), &d);
  if (!find_files(l, &files, &error)) return failed(l, error, NULL);
  if (cfg->skip_inside && npkgs == nargs && npkgs > 1 && modules_are_inside(l)) npkgs--;
  CueStr *names = qualified_args(l, args, npkgs);
  error = check_versions(l, names, npkgs);
  if (error.n || !args_check(l, names, npkgs, &error)) return failed(l, error, NULL);

  if (!check_heads(l, &files, &d)) return failed(l, CUE_STR(""), &d);
  PkgList pkgs = {0};
  args_load(l, names, npkgs, &pkgs);
  if (files.n) cue_push(l->a, &pkgs, load_given_files(l, &files));
  for (uint32_t i = 0; i < pkgs.n; i++) tags_find(l, pkgs.at[i]);
  if (!tags_inject(l, &d))
    for (uint32_t i = 0; i < pkgs.n; i++) cue_diags_append(pkg_errors(pkgs.at[i]), &d);
  return finish(l, &pkgs);
}

void load_add_file(CueContext *c, Loaded *l, AstFile *f) { cue_push(c->a, &l->instance->files, f); }
