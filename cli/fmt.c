/* fmt.c - the fmt command: files in the standard layout.
**
** Arguments are packages or files as for the other commands; with --files they are files and
** folders, which are searched.
*/
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/diff.h"
#include "cli/run.h"
#include "compiler/fmt.h"
#include "compiler/load_fs.h"
#include "compiler/parse.h"

typedef struct {
  Run *r;
  bool found; /* a file that is not formatted */
} Fmt;

/* Formats one file. `name` is how messages show it, `shown` how --check and --diff do. */
static bool format_text(Fmt *f, CueStr path, CueStr name, CueStr shown, CueStr text, CueDiags *d) {
  Run *r = f->r;
  const Flags *flags = &r->flags;
  bool diff = flag_on(flags, FLAG_DIFF), check = flag_on(flags, FLAG_CHECK), is_stdin = cue_str_is(path, "-");
  CueSource *src = cue_source_add(r->c->sources, name, text);
  if (!src) return cue_report(d, 0, "%.*s: sources are larger than 512 MiB together", CUE_FMT(name));
  AstFile *file = cue_parse_file(r->a, src, (ParseOptions){.comments = true}, d);
  cue_check_names(r->c, file, d);
  if (d->n) return false;
  CueBuf out = cue_buf(r->a);
  if (!cue_format_file(&out, file->root, (CueFmtOptions){.simplify = flag_on(flags, FLAG_SIMPLIFY), .source = src}))
    return cue_report(d, file->root->pos, "cannot format: nested too deeply");
  CueStr formatted = cue_buf_done(&out);
  if (is_stdin && !diff && !check) cue_buf_str(r->out, formatted);
  if (cue_str_eq(formatted, text)) return true;
  f->found = true;
  if (diff) {
    CueBuf patch = cue_buf(r->a);
    diff_text(&patch, cue_strf(r->a, "%.*s.orig", CUE_FMT(shown)), text, shown, formatted);
    CueStr lines = cue_buf_done(&patch);
    cue_buf_f(r->out, "%.*s\n", CUE_FMT(lines));
  } else if (check) {
    cue_buf_f(r->out, "%.*s\n", CUE_FMT(shown));
  } else if (!is_stdin) {
    CueStr error;
    if (!write_file(r->a, path, formatted, true, &error)) return cue_report(d, 0, "%.*s", CUE_FMT(error));
  }
  return true;
}

static bool format_path(Fmt *f, CueStr path, CueStr name, CueStr shown, CueDiags *d) {
  CueStr text, error;
  LoadFs fs = {.a = f->r->a};
  bool ok = true;
  if (!cue_str_is(path, "-"))
    ok = fs_read(&fs, path, &text, &error);
  else if (f->r->has_input)
    text = f->r->input;
  else
    ok = fs_read_stdin(f->r->a, &text, &error);
  if (!ok) return cue_report(d, 0, "%.*s", CUE_FMT(error));
  return format_text(f, path, name, shown, text, d);
}

/* ---- packages ---- */

static bool format_package(Fmt *f, const Loaded *l, CueDiags *d) {
  CueArena *a = f->r->a;
  CueStr dir = path_join(a, f->r->cwd, l->instance->dir);
  if (l->instance->errors->n) {
    *d = *l->instance->errors;
    return false;
  }
  for (uint32_t i = 0; i < l->instance->files.n; i++) {
    const CueSource *src = l->instance->files.at[i]->source;
    if (cue_str_is(src->name, "-")) {
      if (!format_text(f, src->name, src->name, src->name, src->text, d)) return false;
      continue;
    }
    CueStr path = src->name;                                  /* absolute: the loader named it */
    bool own = l->user || cue_str_eq(path_dir(a, path), dir); /* files of folders above belong to other packages too */
    if (own && !format_text(f, path, src->name, path_rel(a, f->r->cwd, path), src->text, d)) return false;
  }
  return true;
}

static bool format_packages(Fmt *f, CueDiags *d) {
  Run *r = f->r;
  LoadConfig cfg = {.cwd = r->cwd,
                    .package = CUE_STR("*"),
                    .tools = true,
                    .tests = true,
                    .syntax_only = true,
                    .cache_dir = CUE_STR(""),
                    .input = r->input,
                    .has_input = r->has_input};
  LoadedList all = load_args(r->c, &cfg, r->flags.args.at, r->flags.args.n);
  for (uint32_t i = 0; i < all.n; i++)
    if (!format_package(f, all.at[i], d)) return false;
  return true;
}

/* ---- files and folders ---- */

static bool is_skipped(CueStr name) { return cue_str_is(name, "cue.mod") || name.s[0] == '.' || name.s[0] == '_'; }

enum { FOLDER_DEPTH = 1000 }; /* links may lead back up */

static bool format_folder(Fmt *f, CueStr path, int depth, CueDiags *d) {
  CueArena *a = f->r->a;
  LoadFs fs = {.a = a};
  DirEntries entries = {0};
  if (depth > FOLDER_DEPTH) return cue_report(d, 0, "%.*s: folders nested deeper than %d", CUE_FMT(path), FOLDER_DEPTH);
  if (!fs_list(&fs, path, &entries)) return cue_report(d, 0, "open %.*s: cannot be read", CUE_FMT(path));
  for (uint32_t i = 0; i < entries.n; i++) {
    CueStr name = entries.at[i].name, full = path_join(a, path, name);
    struct stat st;
    bool is_dir = lstat(full.s, &st) == 0 && S_ISDIR(st.st_mode);
    if (is_dir && !is_skipped(name) && !format_folder(f, full, depth + 1, d)) return false;
    if (!is_dir && cue_str_has_suffix(name, CUE_STR(".cue")) && !format_path(f, full, full, full, d)) return false;
  }
  return true;
}

static bool format_files(Fmt *f, CueDiags *d) {
  static const CueStr here = {".", 1};
  const CueStr *args = f->r->flags.args.n ? f->r->flags.args.at : &here;
  uint32_t n = f->r->flags.args.n ? f->r->flags.args.n : 1;
  for (uint32_t i = 0; i < n; i++)
    if (cue_str_find(args[i], CUE_STR("...")) >= 0) return cue_report(d, 0, "cannot use \"...\" in --files mode");
  for (uint32_t i = 0; i < n; i++) {
    CueStr path = path_clean(f->r->a, args[i]);
    struct stat st;
    if (cue_str_is(path, "-")) {
      if (!format_path(f, path, path, path, d)) return false;
    } else if (lstat(path.s, &st) < 0) {
      return cue_report(d, 0, "lstat %.*s: no such file or directory", CUE_FMT(path));
    } else if (S_ISDIR(st.st_mode)) {
      if (!format_folder(f, path, 0, d)) return false;
    } else if (cue_str_has_suffix(path, CUE_STR(".cue")) && !format_path(f, path, path, path, d)) {
      return false;
    }
  }
  return true;
}

ExitCode run_fmt(Run *r) {
  Fmt f = {.r = r};
  CueDiags d = run_diags(r);
  bool ok = flag_on(&r->flags, FLAG_FILES) ? format_files(&f, &d) : format_packages(&f, &d);
  if (!ok) return run_exit(run_report(r, &d));
  return run_exit(!(flag_on(&r->flags, FLAG_CHECK) && f.found));
}
