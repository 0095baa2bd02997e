/* load_pkg.c - folders to packages.
**
** A package is all files of one package clause in a folder, with those of the same clause in
** the folders above it up to the module's root. Files may be left out: by their name, by
** build attributes, because they are of another package. What was left out is kept, with the
** reason, for the message that says that nothing was left.
*/
#include <stdlib.h>
#include <string.h>

#include "compiler/data.h"
#include "compiler/literal.h"
#include "compiler/load_impl.h"

enum { MAX_IMPORT_DEPTH = 1000 }; /* packages that import each other in a row */

/* ---- instances and their errors ---- */

Pkg *pkg_new(Loader *l, CueStr dir) {
  Pkg *p = cue_new(l->a, Pkg);
  Instance *inst = cue_new(l->a, Instance);
  inst->errors = cue_new(l->a, CueDiags);
  inst->errors->a = l->a;
  inst->path = inst->package = inst->module = CUE_STR("");
  inst->dir = path_shown(l->a, l->cfg->cwd, dir);
  p->out.instance = inst;
  p->out.display = CUE_STR("");
  p->pkg_name = CUE_STR("");
  p->dir = dir;
  p->root = CUE_STR("");
  return p;
}

CueDiags *pkg_errors(Pkg *p) { return p->out.instance->errors; }

void pkg_report(Loader *l, Pkg *p, CuePos at, CueStr message) {
  CueDiag *d = cue_diag_add(pkg_errors(p), CUE_STR(""), message);
  if (cue_pos_known(at)) cue_push(l->a, &d->at, at);
}

/* An error of finding a package shows by which imports it was reached. */
static void pkg_report_stack(Loader *l, Pkg *p, CuePos at, CueStr message) {
  CueBuf path = cue_buf(l->a);
  for (uint32_t i = 0; i < l->stack.n; i++) {
    if (i) cue_buf_ch(&path, '.');
    cue_buf_str(&path, l->stack.at[i]);
  }
  CueDiag *d = cue_diag_add(pkg_errors(p), cue_buf_done(&path), message);
  if (cue_pos_known(at)) cue_push(l->a, &d->at, at);
}

/* ---- files of a folder ---- */

typedef struct {
  Loader *l;
  Pkg *p;            /* takes files that belong to no other */
  PkgList all;       /* p, and with all_packages the others found */
  bool ignore_other; /* the package is known: skip files of another */
  bool all_packages;
  bool given;        /* files were named one by one */
  CueStr first_file; /* the one that decided the package */
  CueDiags err;
} Sorter;

static bool bad_file(Sorter *s, Pkg *p, CueStr message) {
  cue_diag_add(&s->err, CUE_STR(""), message);
  p->invalid++;
  return false;
}

static void ignore(Sorter *s, Pkg *p, LoadFile f, CueStr why) {
  f.excluded = why;
  cue_push(s->l->a, &p->out.ignored, f);
}

static Pkg *pkg_named(Sorter *s, CueStr name, bool same_dir) {
  for (uint32_t i = 0; i < s->all.n; i++)
    if (i && cue_str_eq(s->all.at[i]->pkg_name, name)) return s->all.at[i];
  if (!same_dir) return NULL;
  Loader *l = s->l;
  Pkg *q = pkg_new(l, s->p->dir);
  q->pkg_name = name;
  q->out.display = s->p->out.display;
  q->root = s->p->root;
  q->modfile = s->p->modfile;
  Instance *inst = q->out.instance;
  inst->module = s->p->out.instance->module;
  inst->path = cue_strf(l->a, "%.*s:%.*s", CUE_FMT(s->p->out.instance->path), CUE_FMT(name));
  cue_push(l->a, &s->all, q);
  return q;
}

/* Whose file it is; NULL if it is skipped. */
static Pkg *owner_of(Sorter *s, const LoadFile *f, CueStr name, bool same_dir) {
  Pkg *p = s->p;
  if (cue_str_eq(name, p->pkg_name) && (same_dir || !cue_str_is(name, "_"))) return p;
  if (s->given && same_dir) return p;
  if (s->all_packages && !cue_str_is(name, "_")) return pkg_named(s, name, same_dir);
  if (!cue_str_is(name, "_")) return p;
  if (same_dir) ignore(s, p, *f, CUE_STR("no package name"));
  return NULL;
}

/* Imports are written as Go's strings are: neither of several lines nor with other quotes. */
const Ast *load_odd_import(const AstFile *f) {
  for (uint32_t i = 0; i < f->imports.n; i++) {
    const Ast *path = f->imports.at[i]->u.import.path;
    if (path->u.text.s[0] != '"' || cue_str_has_prefix(path->u.text, CUE_STR("\"\"\""))) return path;
  }
  return NULL;
}

static bool refuse_import(Sorter *s, CueStr file, const Ast *path) {
  cue_report(&s->err, path->pos, "%.*s: parser returned invalid quoted string: <%.*s>", CUE_FMT(file),
             CUE_FMT(path->u.text));
  s->p->invalid++;
  return false;
}

/* True if the file was taken, or left out by a build attribute only. */
static bool sort_cue(Sorter *s, LoadFile f, bool same_dir) {
  Loader *l = s->l;
  Pkg *p = s->p;
  CueStr base = path_base(f.path);
  if (!s->given && (base.s[0] == '.' || base.s[0] == '_')) {
    if (same_dir) ignore(s, p, f, cue_strf(l->a, "filename starts with a '%c'", base.s[0]));
    return false;
  }
  ParsedFile *pf = loader_parse(l, f.path, modfile_language(p->modfile));
  if (pf->errors.n) {
    cue_diags_append(&s->err, &pf->errors);
    p->invalid++;
    return false;
  }
  if (cue_str_is(f.form, "data") || cue_str_is(f.form, "graph") || cue_str_is(f.form, "dag")) {
    uint32_t before = s->err.n;
    data_check(&s->err, pf->ast, f.form.s, "");
    if (s->err.n > before) {
      p->invalid++;
      return false;
    }
  }
  CueStr name = pf->ast->package.n ? pf->ast->package : CUE_STR("_");
  p = owner_of(s, &f, name, same_dir);
  if (!p) return false;
  const Ast *odd = load_odd_import(pf->ast);
  if (odd) return refuse_import(s, f.path, odd);
  CueStr why;
  CueStr module = p->out.instance->module;
  bool own = !module.n || !l->mod || cue_str_eq(module, l->mod->module);
  switch (l->cfg->syntax_only ? FILE_BUILD : file_verdict(l, pf->ast, own, &why, &s->err)) {
  case FILE_BUILD: break;
  case FILE_EXCLUDED:
  case FILE_BROKEN: ignore(s, p, f, why); return true;
  }
  if (!cue_str_is(name, "_")) {
    if (!p->pkg_name.n) {
      p->pkg_name = name;
      s->first_file = base;
    } else if (!cue_str_eq(name, p->pkg_name)) {
      if (s->ignore_other) {
        ignore(s, p, f, cue_strf(l->a, "package is %.*s, want %.*s", CUE_FMT(name), CUE_FMT(p->pkg_name)));
        return false;
      }
      if (!s->all_packages)
        return bad_file(
            s, p,
            multiple_packages_text(l, path_shown(l->a, l->cfg->cwd, p->dir), p->pkg_name, s->first_file, name, base));
    }
  }
  if (cue_str_has_suffix(base, CUE_STR("_test.cue")) && !l->cfg->tests)
    ignore(s, p, f, CUE_STR("_test.cue files excluded in non-test mode"));
  else if (cue_str_has_suffix(base, CUE_STR("_tool.cue")) && !l->cfg->tools)
    ignore(s, p, f, CUE_STR("_tool.cue files excluded in non-cmd mode"));
  else
    cue_push(l->a, &p->build, f);
  return true;
}

static bool sort_file(Sorter *s, LoadFile f, CueStr dir) {
  bool same_dir = s->given || cue_str_eq(dir, s->p->dir);
  if (f.encoding == CUE_ENC_CUE) return sort_cue(s, f, same_dir);
  if (same_dir) cue_push(s->l->a, &s->p->out.orphans, f);
  return false;
}

/* ---- what a package is made of ---- */

static uint32_t depth_of(CueStr path) {
  uint32_t n = 0;
  for (size_t i = 0; i < path.n; i++) n += path.s[i] == '/';
  return n;
}

/* Files nearer to the root come first. */
static int file_cmp(const void *x, const void *y) {
  CueStr p = ((const LoadFile *)x)->path, q = ((const LoadFile *)y)->path;
  uint32_t dp = depth_of(p), dq = depth_of(q);
  return dp != dq ? (dp < dq ? -1 : 1) : cue_str_cmp(p, q);
}

static void sort_list(LoadFiles *l) {
  if (l->n) qsort(l->at, l->n, sizeof *l->at, file_cmp);
}

static void sort_lists(Pkg *p) {
  sort_list(&p->build);
  sort_list(&p->out.ignored);
  sort_list(&p->out.orphans);
  sort_list(&p->out.unknown);
}

static uint32_t count_cue(const Loader *l, const Pkg *p) {
  uint32_t n = p->build.n;
  for (uint32_t i = 0; i < p->out.ignored.n; i++) {
    CueStr path = p->out.ignored.at[i].path;
    n += l->cfg->tools && cue_str_has_suffix(path, CUE_STR("_tool.cue"));
    n += l->cfg->tests && cue_str_has_suffix(path, CUE_STR("_test.cue"));
  }
  return n;
}

static CueStr no_files_text(Loader *l, const Pkg *p) {
  const LoadFiles *ignored = &p->out.ignored;
  uint32_t dummy = 0;
  for (uint32_t i = 0; i < ignored->n; i++) dummy += path_base(ignored->at[i].path).s[0] == '_';
  CueStr display = p->out.display;
  if (ignored->n <= dummy) return cue_strf(l->a, "no CUE files in %.*s", CUE_FMT(display));
  CueBuf b = cue_buf(l->a);
  CueStr shown = path_shown(l->a, l->cfg->cwd, display);
  cue_buf_f(&b, "build constraints exclude all CUE files in %.*s:", CUE_FMT(shown));
  for (uint32_t i = 0; i < ignored->n; i++) {
    const LoadFile *f = &ignored->at[i];
    cue_buf_f(&b, "\n    %.*s", CUE_FMT(f->name));
    if (f->excluded.n) cue_buf_f(&b, ": %.*s", CUE_FMT(f->excluded));
  }
  return cue_buf_done(&b);
}

/* False if the package cannot be built. */
static bool sorter_finish(Sorter *s, Pkg *p) {
  Loader *l = s->l;
  if (s->err.n) {
    cue_diags_append(pkg_errors(p), &s->err);
    return false;
  }
  if (count_cue(l, p) || l->cfg->data_files || (cue_str_is(p->pkg_name, "_") && s->all_packages)) return true;
  cue_diag_add(&s->err, CUE_STR(""), no_files_text(l, p));
  p->no_files = true;
  if (s->given && p->out.orphans.n) return true; /* data files alone will do */
  cue_diags_append(pkg_errors(p), &s->err);
  return false;
}

static void add_files(Loader *l, Pkg *p) {
  Instance *inst = p->out.instance;
  inst->language = modfile_language(p->modfile);
  for (uint32_t i = 0; i < p->build.n; i++) {
    ParsedFile *pf = loader_parse(l, p->build.at[i].path, inst->language);
    if (!pf->ast) continue;
    cue_push(l->a, &inst->files, pf->ast);
  }
  inst->package = cue_str_is(p->pkg_name, "_") ? CUE_STR("") : p->pkg_name;
}

/* ---- imports ---- */

typedef struct {
  CueStr path;
  CuePos pos;
} Wanted;

static int wanted_cmp(const void *x, const void *y) {
  return cue_str_cmp(((const Wanted *)x)->path, ((const Wanted *)y)->path);
}

static void wrap_import_errors(Loader *l, Pkg *p, CuePos pos, const CueDiags *from) {
  for (const CueDiag *x = from->first; x; x = x->next) {
    CueDiag *d = cue_diag_add(pkg_errors(p), x->path, cue_strf(l->a, "import failed: %.*s", CUE_FMT(x->message)));
    cue_push(l->a, &d->at, pos);
    for (uint32_t i = 0; i < x->at.n; i++) {
      bool known = false;
      for (uint32_t k = 0; k < d->at.n; k++) known |= cue_pos_offset(d->at.at[k]) == cue_pos_offset(x->at.at[i]);
      if (!known) cue_push(l->a, &d->at, x->at.at[i]);
    }
  }
}

static const struct Import *import_known(const Loader *l, CueStr path) {
  for (uint32_t i = 0; i < l->imports.n; i++)
    if (cue_str_eq(l->imports.at[i].path, path)) return &l->imports.at[i];
  return NULL;
}

/* The first import that fails is the only one reported. */
static void load_imports(Loader *l, Pkg *p) {
  Instance *inst = p->out.instance;
  CUE_VEC(Wanted) wanted = {0};
  for (uint32_t i = 0; i < inst->files.n; i++) {
    const AstList *specs = &inst->files.at[i]->imports;
    for (uint32_t k = 0; k < specs->n; k++) {
      CueValue v = cue_literal_string(l->a, specs->at[k]->u.import.path->u.text);
      if (v.kind != CUE_STRING) continue;
      CueStr path = cue_value_str(v);
      bool known = false;
      for (uint32_t w = 0; w < wanted.n; w++) known |= cue_str_eq(wanted.at[w].path, path);
      if (!known) cue_push(l->a, &wanted, (Wanted){path, specs->at[k]->pos});
    }
  }
  if (wanted.n) qsort(wanted.at, wanted.n, sizeof *wanted.at, wanted_cmp);
  for (uint32_t i = 0; i < wanted.n; i++) {
    CueStr path = wanted.at[i].path;
    const struct Import *done = import_known(l, path);
    struct Import made = {.path = path};
    if (done) {
      made = *done;
    } else if (path_is_local(path)) {
      CueDiags d = {.a = l->a};
      cue_report(&d, wanted.at[i].pos, "relative import paths not allowed (\"%.*s\")", CUE_FMT(path));
      wrap_import_errors(l, p, wanted.at[i].pos, &d);
      return;
    } else if (import_is_stdlib(path)) {
      made.builtin = l->c->find_builtin ? l->c->find_builtin(path) : NULL;
      if (!made.builtin) continue; /* the resolver says so */
    } else {
      Pkg *q = load_import(l, wanted.at[i].pos, path);
      if (pkg_errors(q)->n) {
        wrap_import_errors(l, p, wanted.at[i].pos, pkg_errors(q));
        return;
      }
      made.instance = q->out.instance;
      made.instance->path = path;
      cue_push(l->a, &l->imports, made);
    }
    cue_push(l->a, &inst->imports, made);
  }
}

/* What a package needs beyond its own files. */
static void complete(Loader *l, Pkg *p) {
  if (l->cfg->syntax_only) return;
  load_imports(l, p);
  embed_files(l, p);
}

/* ---- folders ---- */

bool dir_is_module_root(const Loader *l, CueStr dir) {
  return fs_exists(&l->fs, path_join(l->a, dir, CUE_STR("cue.mod")));
}

static bool sort_dir(Sorter *s, CueStr dir, bool *readable) {
  DirEntries entries = {0};
  Loader *l = s->l;
  *readable = fs_list(&l->fs, dir, &entries);
  bool added = false;
  for (uint32_t i = 0; *readable && i < entries.n; i++) {
    if (entries.at[i].is_dir) continue;
    LoadFile f;
    CueStr error;
    CueStr path = path_join(l->a, dir, entries.at[i].name);
    if (l->cfg->leave_out && l->cfg->leave_out(l->cfg->leave_out_user, path)) continue;
    /* A file named "-" is not stdin. */
    CueStr name = cue_str_is(entries.at[i].name, "-") ? CUE_STR("./-") : entries.at[i].name;
    if (!load_file_type(l->a, CUE_STR(""), name, &f, &error)) {
      cue_push(l->a, &s->p->out.unknown,
               (LoadFile){
                   .path = path, .name = path_shown(l->a, l->cfg->cwd, path), .excluded = CUE_STR("unknown filetype")});
      continue;
    }
    f.path = path;
    f.name = path_shown(l->a, l->cfg->cwd, path);
    if (sort_file(s, f, dir)) added = true;
  }
  return added;
}

static void sort_dirs(Sorter *s, CueStr base, CueStr dir, bool in_module) {
  Loader *l = s->l;
  dir = path_clean(l->a, dir);
  for (bool first = true;; first = false) {
    bool readable;
    bool added = sort_dir(s, dir, &readable);
    if (!readable) return;
    if (!s->p->pkg_name.n || !in_module || dir_is_module_root(l, dir) || cue_str_eq(dir, base) || (first && !added))
      return;
    s->ignore_other = true;
    CueStr up = path_dir(l->a, dir);
    if (cue_str_eq(up, dir) || up.n < base.n) return;
    dir = up;
  }
}

static int pkg_cmp(const void *x, const void *y) {
  const Pkg *p = *(Pkg *const *)x, *q = *(Pkg *const *)y;
  int c = cue_str_cmp(p->dir, q->dir);
  return c ? c : cue_str_cmp(p->pkg_name, q->pkg_name);
}

/* Adds the package name to the import path where the path does not imply it. */
static void qualify(Loader *l, Pkg *p) {
  if (!p->pkg_name.n) return;
  Instance *inst = p->out.instance;
  ImportPath ip = import_path_parse(inst->path);
  if (ip.explicit_qualifier && !cue_str_eq(ip.qualifier, p->pkg_name))
    pkg_report(
        l, p, 0,
        cue_strf(l->a, "non-matching package names (%.*s != %.*s)", CUE_FMT(ip.qualifier), CUE_FMT(p->pkg_name)));
  ip.qualifier = p->pkg_name;
  inst->path = import_path_text(l->a, ip);
}

static bool is_empty(const Pkg *p) {
  return !p->build.n && !p->out.ignored.n && !p->out.orphans.n && !p->invalid && !p->out.unknown.n;
}

static PkgList only(Loader *l, Pkg *p) {
  PkgList out = {0};
  cue_push(l->a, &out, p);
  return out;
}

typedef struct {
  CueStr base, dir;
} DirPair;

PkgList load_folder(Loader *l, Pkg *p) {
  Instance *inst = p->out.instance;
  for (uint32_t i = 0; i < l->stack.n; i++)
    if (cue_str_eq(l->stack.at[i], inst->path)) {
      pkg_report(l, p, 0, CUE_STR("package import cycle not allowed"));
      return only(l, p);
    }
  if (pkg_errors(p)->n) return only(l, p);
  if (l->stack.n >= MAX_IMPORT_DEPTH) {
    pkg_report(l, p, 0, cue_strf(l->a, "imports nested deeper than %d", MAX_IMPORT_DEPTH));
    return only(l, p);
  }
  Sorter s = {.l = l, .p = p, .err.a = l->a};
  cue_push(l->a, &s.all, p);
  if (!p->pkg_name.n) {
    s.all_packages = cue_str_is(l->cfg->package, "*");
    p->pkg_name = s.all_packages ? CUE_STR("_") : l->cfg->package;
  }
  s.ignore_other = p->pkg_name.n > 0;

  DirPair dirs[3] = {{l->root, p->dir}};
  uint32_t ndirs = 1;
  CueStr gen = cue_strf(l->a, "%.*s/cue.mod/gen", CUE_FMT(l->root));
  if (cue_str_has_prefix(p->dir, gen)) {
    static const char *const subs[] = {"pkg", "usr"};
    dirs[0].base = gen;
    for (size_t i = 0; i < 2; i++) {
      CueStr base = cue_strf(l->a, "%.*s/cue.mod/%s", CUE_FMT(l->root), subs[i]);
      dirs[ndirs++] = (DirPair){base, path_join(l->a, base, path_rel(l->a, gen, p->dir))};
    }
  } else if (p->root.n) {
    dirs[0].base = p->root;
  }
  bool found = false, in_module = false;
  for (uint32_t i = 0; i < ndirs; i++) found |= fs_is_dir(&l->fs, dirs[i].dir);
  if (!found) {
    pkg_report(l, p, 0, cue_strf(l->a, "cannot find package \"%.*s\"", CUE_FMT(p->out.display)));
    return only(l, p);
  }
  for (uint32_t i = 0; i < ndirs; i++) in_module |= module_find_root(l, dirs[i].dir).n > 0;
  cue_push(l->a, &l->stack, inst->path);
  for (uint32_t i = 0; i < ndirs; i++) sort_dirs(&s, dirs[i].base, dirs[i].dir, in_module);

  PkgList out = {0};
  for (uint32_t i = 0; i < s.all.n; i++) {
    Pkg *q = s.all.at[i];
    qualify(l, q);
    if (is_empty(q)) continue;
    cue_push(l->a, &out, q);
    sort_lists(q);
    if (!sorter_finish(&s, q)) break;
    add_files(l, q);
    complete(l, q);
  }
  l->stack.n--;
  if (out.n) qsort(out.at, out.n, sizeof *out.at, pkg_cmp);
  return out;
}

Pkg *load_given_files(Loader *l, const LoadFiles *files) {
  Pkg *p = pkg_new(l, l->cfg->cwd);
  Sorter s = {.l = l, .p = p, .given = true, .err.a = l->a};
  cue_push(l->a, &s.all, p);
  if (cue_str_is(l->cfg->package, "*")) {
    s.all_packages = true;
    p->pkg_name = CUE_STR("_");
  }
  p->modfile = l->mod;
  p->root = l->root;
  p->out.user = true;
  for (uint32_t i = 0; i < files->n; i++) sort_file(&s, files->at[i], l->cfg->cwd);
  sort_lists(p);
  p->out.display = CUE_STR("command-line-arguments");
  sorter_finish(&s, p);
  add_files(l, p);
  complete(l, p);
  return p;
}

/* ---- packages by name ---- */

Pkg *pkg_relative(Loader *l, CueStr path, CueStr name) {
  Pkg *p = pkg_new(l, path_join(l->a, l->cfg->cwd, path));
  p->pkg_name = name;
  p->out.display = path;
  p->root = l->root;
  p->modfile = l->mod;
  Instance *inst = p->out.instance;
  if (l->mod) inst->module = l->mod->module;
  CueStr clean = path_clean(l->a, path);
  bool goes_up = cue_str_is(clean, "..") || cue_str_has_prefix(clean, CUE_STR("../"));
  CueStr canonical =
      cue_str_has_prefix(path, CUE_STR("./")) && !goes_up ? cue_strf(l->a, "./%.*s", CUE_FMT(clean)) : clean;
  if (!cue_str_eq(path, canonical))
    pkg_report_stack(
        l, p, 0,
        cue_strf(l->a, "non-canonical import path: \"%.*s\" should be \"%.*s\"", CUE_FMT(path), CUE_FMT(clean)));
  CueStr ignored;
  if (!import_path_of_dir(l, p->dir, path, &inst->path, &ignored)) inst->path = CUE_STR("");
  CueStr wanted = l->cfg->package;
  if (inst->path.n && wanted.n && !cue_str_is(wanted, "_") && !cue_str_is(wanted, "*")) {
    ImportPath ip = import_path_parse(inst->path);
    ip.qualifier = wanted;
    inst->path = import_path_text(l->a, ip);
  }
  return p;
}

/* Where the package is, or why it cannot be found. */
static CueStr find_dir(Loader *l, Pkg *p, CueStr path) {
  if (!path.n) return CUE_STR("empty import path");
  if (import_is_stdlib(path))
    return cue_strf(l->a, "standard library import path \"%.*s\" cannot be imported as a CUE package", CUE_FMT(path));
  if (!l->mod) return CUE_STR("imports are unavailable because there is no cue.mod/module.cue file");
  ImportPath ip = import_path_parse(path);
  const PackageLoc *loc = package_find(l, import_path_text(l->a, import_path_canonical(ip)));
  if (loc->error.n) {
    ip.qualifier = CUE_STR("");
    ip.explicit_qualifier = false;
    CueStr unqualified = import_path_text(l->a, ip);
    return cue_strf(l->a, "cannot find package \"%.*s\": %.*s", CUE_FMT(unqualified), CUE_FMT(loc->error));
  }
  p->dir = loc->dir;
  p->root = loc->root;
  p->modfile = loc->modfile;
  p->out.instance->module = loc->module;
  p->out.instance->dir = path_shown(l->a, l->cfg->cwd, loc->dir);
  return CUE_STR("");
}

Pkg *pkg_import(Loader *l, CuePos pos, CueStr path) {
  Pkg *p = pkg_new(l, CUE_STR(""));
  CueStr error = find_dir(l, p, path);
  if (error.n) pkg_report_stack(l, p, pos, error);
  ImportPath ip = import_path_parse(path);
  p->pkg_name = ip.qualifier;
  if (!ip.qualifier.n)
    pkg_report_stack(
        l, p, pos,
        cue_strf(l->a, "cannot determine package name for \"%.*s\"; set it explicitly with ':'", CUE_FMT(path)));
  else if (cue_str_is(ip.qualifier, "_"))
    pkg_report_stack(l, p, pos, cue_strf(l->a, "_ is not a valid import path qualifier in \"%.*s\"", CUE_FMT(path)));
  p->out.display = path;
  p->out.instance->path = path;
  return p;
}

Pkg *load_import(Loader *l, CuePos pos, CueStr path) {
  Pkg *p = pkg_import(l, pos, path);
  load_folder(l, p);
  return p;
}
