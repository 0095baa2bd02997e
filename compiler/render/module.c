/* module.c - from a folder to the package of a module, with the values that belong to it.
**
** Values come from values.cue, or from the files the user names, which then take the place of
** every values*.cue in the module's folder. Each values file becomes one more file of the package,
** so that its positions are seen in messages.
*/
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/load_fs.h"
#include "compiler/module.h"
#include "compiler/literal.h"
#include "compiler/render/environment.h"

#define CORE "opmodel.dev/core@v0"
#define KUBERNETES "opmodel.dev/providers/kubernetes@v0"

/* ---- which files ---- */

typedef struct {
  CueStr dir;
  bool all; /* values.cue, too */
} LeaveOut;

static bool is_left_out(void *user, CueStr path) {
  const LeaveOut *o = user;
  if (path.n < o->dir.n + 1 || !cue_str_has_prefix(path, o->dir) || path.s[o->dir.n] != '/') return false;
  CueStr name = cue_str_sub(path, o->dir.n + 1, path.n);
  if (!cue_str_has_prefix(name, CUE_STR("values")) || !cue_str_has_suffix(name, CUE_STR(".cue"))) return false;
  return o->all || !cue_str_is(name, "values.cue");
}

/* ---- what is written ---- */

/* A string literal at metadata.NAME; "" if it is not written out. */
static CueStr written(CueContext *c, const Instance *inst, const char *name) {
  for (uint32_t i = 0; i < inst->files.n; i++) {
    const Ast *meta = program_declared(inst->files.at[i], "metadata");
    if (!meta || meta->kind != AST_STRUCT) continue;
    const Ast *x = program_declared_in(&meta->u.list, name);
    if (!x || x->kind != AST_BASIC) continue;
    CueValue v = cue_literal_string(c->a, x->u.text);
    if (v.kind == CUE_STRING) return cue_value_str(v);
  }
  return CUE_STR("");
}

/* ---- values files ---- */

void values_unwrap(CueArena *a, AstFile *f) {
  Ast *root = ast_copy(a, f->root);
  root->u.list = (AstList){0};
  for (uint32_t i = 0; i < f->root->u.list.n; i++) {
    Ast *d = f->root->u.list.at[i];
    if (d->kind != AST_EMBED || d->u.x->kind != AST_STRUCT) {
      ast_list_add(a, &root->u.list, d);
      continue;
    }
    for (uint32_t k = 0; k < d->u.x->u.list.n; k++) ast_list_add(a, &root->u.list, d->u.x->u.list.at[k]);
  }
  f->root = root;
}

static bool is_values_name(CueStr path) {
  static const char *const known[] = {".cue", ".json", ".yaml", ".yml", ".toml"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (cue_str_has_suffix(path, cue_str(known[i]))) return true;
  return false;
}

/* Standard input has no name to tell what it is: CUE, or JSON, which is CUE. "values:" with nothing behind it on its
** line is YAML; as CUE it would be legal and mean something else, the next line's field alone. */
bool values_are_block_yaml(CueStr text) {
  for (size_t i = 0, end; i < text.n; i = end + 1) {
    for (end = i; end < text.n && text.s[end] != '\n';) end++;
    CueStr line = cue_str_sub(text, i, end), key = CUE_STR("values:");
    if (!cue_str_has_prefix(line, key)) continue;
    size_t k = key.n;
    while (k < line.n && (line.s[k] == ' ' || line.s[k] == '\t' || line.s[k] == '\r')) k++;
    if (k == line.n || line.s[k] == '#') return true;
  }
  return false;
}

/* Asks by opening: what root may do is not in the file's mode. A pipe is not opened, for that would take from it. */
static bool is_denied(CueArena *a, CueStr path) {
  const char *file = cue_str_copy(a, path).s;
  struct stat st;
  if (stat(file, &st) == 0 && !S_ISREG(st.st_mode)) return access(file, R_OK) != 0 && errno == EACCES;
  int fd = open(file, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno == EACCES || errno == EPERM;
  close(fd);
  return false;
}

static bool add_values(CueContext *c, RenderModule *m, CueStr path, RenderFailure *why) {
  CueStr shown = cue_str_is(path, "-") ? CUE_STR("stdin") : path_base(path);
  struct stat st;
  if (!cue_str_is(path, "-") && stat(cue_str_copy(c->a, path).s, &st) != 0)
    return program_failed(why, RENDER_NOT_FOUND, cue_strf(c->a, "values file not found: %.*s", CUE_FMT(path)),
                          CUE_STR("check the path given with -f/--values"));
  if (!cue_str_is(path, "-") && S_ISDIR(st.st_mode))
    return program_failed(why, RENDER_INVALID, cue_strf(c->a, "values file is a folder: %.*s", CUE_FMT(path)),
                          CUE_STR("name a CUE, YAML or JSON file with -f/--values"));
  if (!cue_str_is(path, "-") && is_denied(c->a, path))
    return program_failed(why, RENDER_DENIED, cue_strf(c->a, "values file is not readable: %.*s", CUE_FMT(path)),
                          CUE_STR("check that it can be read by the user who runs opm"));
  /* A file of another name, as a pipe that a shell made, is read as YAML, and at once: it may not be there again. */
  LoadConfig load = m->load;
  CueStr args[] = {CUE_STR("yaml:"), CUE_STR("-")}, error;
  bool input = cue_str_is(path, "-"), odd = !input && !is_values_name(path);
  bool yaml = odd || (input && load.has_input && values_are_block_yaml(load.input));
  if (odd && !fs_read(&(LoadFs){.a = c->a}, path, &load.input, &error)) {
    cue_report(&why->details, 0, "%.*s", CUE_FMT(error));
    return program_failed(why, RENDER_INVALID, cue_strf(c->a, "cannot read values file %.*s", CUE_FMT(shown)),
                          CUE_STR("check that it can be read by the user who runs opm"));
  }
  load.has_input |= odd;
  LoadedList got = yaml ? load_args(c, &load, args, 2) : load_args(c, &load, &path, 1);
  Instance *inst = got.at[0]->instance;
  CueStr summary = cue_strf(c->a, "cannot read values file %.*s", CUE_FMT(shown));
  cue_diags_append(&why->details, inst->errors);
  DataFiles files = {0};
  for (uint32_t i = 0; !why->details.n && i < got.at[0]->orphans.n; i++) {
    files = load_data(c, &load, &got.at[0]->orphans.at[i], &why->details);
    if (files.n > 1) cue_report(&why->details, 0, "%.*s has more than one document", CUE_FMT(shown));
  }
  if (why->details.n)
    return program_failed(why, RENDER_INVALID, summary,
                          CUE_STR("a values file is CUE, YAML or JSON, one document: values: { ... }"));
  for (uint32_t i = 0; i < inst->files.n; i++) cue_push(c->a, &files, inst->files.at[i]);
  bool found = false;
  for (uint32_t i = 0; i < files.n; i++) {
    values_unwrap(c->a, files.at[i]);
    found |= program_declared(files.at[i], "values") != NULL;
    load_add_file(c, m->loaded, files.at[i]);
  }
  for (uint32_t i = 0; i < inst->imports.n; i++) cue_push(c->a, &m->package->imports, inst->imports.at[i]);
  if (!found)
    return program_failed(why, RENDER_INVALID, cue_strf(c->a, "%.*s: no top-level 'values' field", CUE_FMT(shown)),
                          CUE_STR("a values file has the form: values: { ... }"));
  CueStr before = m->values_text;
  m->values_text = cue_strf(c->a, "%.*s%s%.*s", CUE_FMT(before), before.n ? ", " : "", CUE_FMT(shown));
  m->has_values = true;
  return true;
}

/* ---- the module ---- */

static bool is_dir(CueArena *a, CueStr path) {
  struct stat st;
  return stat(cue_str_copy(a, path).s, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool may_enter(CueArena *a, CueStr dir) { return access(cue_str_copy(a, dir).s, R_OK | X_OK) == 0; }

static bool folder_denied(CueArena *a, CueStr dir, RenderFailure *why) {
  return program_failed(why, RENDER_DENIED, cue_strf(a, "folder may not be read: %.*s", CUE_FMT(dir)),
                        CUE_STR("check that it can be read by the user who runs opm"));
}

static bool has_cue_files(CueArena *a, CueStr path) {
  DIR *dir = opendir(cue_str_copy(a, path).s);
  bool found = false;
  for (struct dirent *e; dir && !found && (e = readdir(dir));)
    found = cue_str_has_suffix(cue_str(e->d_name), CUE_STR(".cue"));
  if (dir) closedir(dir);
  return found;
}

/* A package may lie in a folder below the one that holds cue.mod. */
static bool in_module(CueArena *a, CueStr dir, CueStr *root) {
  for (CueStr up;; dir = up) {
    *root = dir;
    if (is_dir(a, path_join(a, dir, CUE_STR("cue.mod")))) return true;
    up = path_dir(a, dir);
    if (cue_str_eq(up, dir)) return false;
  }
}

/* The module, core, and the provider unless it is another or compiled into the program: in one go, so that what they
** share is read and evaluated once. */
static void load_all(CueContext *c, const RenderOptions *o, RenderModule *m) {
  const CueStr args[] = {CUE_STR("."), CUE_STR(CORE), CUE_STR(KUBERNETES)};
  bool another = o->provider.package || o->provider.no_cue;
  m->load.skip_inside = !another && o->builtin && (o->plans == PLANS_MANY || o->plans == PLANS_COMPILED);
  LoadedList all = load_args(c, &m->load, args, another ? 2 : 3);
  m->load.skip_inside = false;
  m->loaded = all.at[0];
  m->package = m->loaded->instance;
  if (all.n < 2) return; /* nothing was loaded: the first says why */
  m->core = all.at[1]->instance;
  if (all.n > 2) m->kubernetes = all.at[2]->instance;
  m->inside = !another && all.n == 2;
}

Instance *render_kubernetes(CueContext *c, RenderModule *m) {
  CueStr arg = CUE_STR(KUBERNETES);
  if (!m->kubernetes) m->kubernetes = load_args(c, &m->load, &arg, 1).at[0]->instance;
  return m->kubernetes;
}

/* The files of a module that say what its values are: values.cue, or others where it has none. */
static CueStr said_in(CueArena *a, const Instance *module) {
  CueBuf names = cue_buf(a);
  for (uint32_t i = 0; i < module->files.n; i++) {
    CueStr name = path_base(module->files.at[i]->source->name);
    if (cue_str_is(name, "values.cue")) return name;
    if (program_declared(module->files.at[i], "values"))
      cue_buf_f(&names, "%s%.*s", names.n ? ", " : "", CUE_FMT(name));
  }
  return cue_buf_done(&names);
}

bool render_module(CueContext *c, const RenderOptions *o, RenderModule *m, RenderFailure *why) {
  CueArena *a = c->a;
  *m = (RenderModule){.dir = o->dir, .load = o->load, .values_text = CUE_STR("")};
  why->details.a = a;
  c->yaml_places = true;
  struct stat st;
  if (!is_dir(a, o->dir)) {
    bool there = stat(cue_str_copy(a, o->dir).s, &st) == 0;
    return program_failed(
        why, RENDER_NOT_FOUND,
        cue_strf(a, there ? "not a module directory: %.*s" : "module directory not found: %.*s", CUE_FMT(o->dir)),
        there ? CUE_STR("name the folder that the file is in") : CUE_STR("opm mod init NAME creates a module"));
  }
  CueStr root;
  if (!may_enter(a, o->dir)) return folder_denied(a, o->dir, why);
  if (!in_module(a, o->dir, &root))
    return program_failed(why, RENDER_INVALID,
                          cue_strf(a, "not a CUE module: missing cue.mod/ directory in %.*s", CUE_FMT(o->dir)),
                          CUE_STR("name the folder that holds cue.mod, or create a module with opm mod init NAME"));
  if (!may_enter(a, path_join(a, root, CUE_STR("cue.mod"))))
    return folder_denied(a, path_join(a, root, CUE_STR("cue.mod")), why);
  if (stat(path_join(a, root, CUE_STR("cue.mod/module.cue")).s, &st) != 0)
    return program_failed(
        why, RENDER_INVALID, cue_strf(a, "not a CUE module: missing cue.mod/module.cue in %.*s", CUE_FMT(root)),
        CUE_STR("it needs at least: module: \"example.com/name@v0\" and language: version: \"v0.15.0\""));
  m->root = root;
  LeaveOut out = {o->dir, o->nvalues > 0 || o->values_file || o->without_values};
  m->load.cwd = o->dir;
  m->load.leave_out = is_left_out;
  m->load.leave_out_user = &out;
  load_all(c, o, m);
  m->load.leave_out = NULL;
  m->load.leave_out_user = NULL;
  if (m->package->errors && m->package->errors->n) {
    cue_diags_append(&why->details, m->package->errors);
    if (has_cue_files(a, o->dir)) return program_load_failed(why, CUE_STR("module does not load"));
    return program_failed(why, RENDER_INVALID, CUE_STR("module does not load"),
                          CUE_STR("name the folder of a module, or create one with opm mod init NAME"));
  }
  m->nown = m->package->files.n;
  m->name = written(c, m->package, "name");
  m->version = written(c, m->package, "version");
  m->has_values = program_declares(m->package, "values");
  if (!o->nvalues) m->values_text = o->values_file ? path_base(o->values_file->source->name) : said_in(a, m->package);
  for (uint32_t i = 0; i < o->nvalues; i++)
    if (!add_values(c, m, o->values[i], why)) return false;
  if (o->values_file) {
    load_add_file(c, m->loaded, o->values_file);
    m->has_values = true;
  }
  bool is_module = program_declares(m->package, "#components") || program_declares(m->package, "metadata");
  if (is_module && !m->has_values && !o->no_values_needed && !o->without_values &&
      program_declares(m->package, "#config"))
    return program_failed(why, RENDER_INVALID, cue_strf(a, "values.cue not found in %.*s", CUE_FMT(o->dir)),
                          CUE_STR("provide values in values.cue or with -f/--values"));
  if (!cue_build(c, m->package, &why->details)) return program_load_failed(why, CUE_STR("module does not load"));
  m->expr = CUE_STR("module");
  m->given = CUE_STR("");
  return is_module || given_find(c, m, o->name, why);
}
