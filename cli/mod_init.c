/* mod_init.c - opm mod init: a new module made of a template.
**
** The module is written to a folder beside its place and moved there when it is whole, so that a
** failure leaves nothing behind.
*/
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/log.h"
#include "cli/style.h"
#include "cli/template.h"
#include "compiler/load_fs.h"

static bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

/* A label of RFC 1123, which is what core.#NameType asks for, with a letter first, which core.#FQNType asks for. */
static bool is_name(CueStr s) {
  if (!s.n || !is_letter(s.s[0])) return false;
  for (size_t i = 0; i < s.n; i++) {
    bool plain = is_letter(s.s[i]) || (s.s[i] >= '0' && s.s[i] <= '9');
    if (!plain && (s.s[i] != '-' || i + 1 == s.n)) return false;
  }
  return s.n <= 63;
}

/* The nearest name to what was asked for; "" if nothing is left of it. */
static CueStr name_like(CueArena *a, CueStr s) {
  CueBuf b = cue_buf(a);
  for (size_t i = 0; i < s.n && b.n < 63; i++) {
    char c = s.s[i];
    bool upper = c >= 'A' && c <= 'Z';
    if (upper && i && s.s[i - 1] >= 'a' && s.s[i - 1] <= 'z') cue_buf_ch(&b, '-');
    if (upper) c = (char)(c - 'A' + 'a');
    if (is_letter(c) || (b.n && c >= '0' && c <= '9'))
      cue_buf_ch(&b, c);
    else if (b.n && b.s[b.n - 1] != '-')
      cue_buf_ch(&b, '-');
  }
  while (b.n && b.s[b.n - 1] == '-') b.n--;
  return cue_buf_done(&b);
}

static ExitCode bad_name(Run *r, CueStr name) {
  CueStr other = name_like(r->a, name);
  return run_fail(
      r, &(Problem){.code = EXIT_INVALID,
                    .message = cue_strf(r->a,
                                        "\"%.*s\" is not a valid module name: use up to 63 lower-case letters,\n"
                                        "digits and hyphens, starting with a letter and not ending with a hyphen",
                                        CUE_FMT(name)),
                    .hint = other.n ? cue_strf(r->a, "try 'opm mod init %.*s'", CUE_FMT(other))
                                    : CUE_STR("try 'opm mod init my-app'")});
}

/* ---- writing ---- */

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *at) {
  (void)st, (void)type, (void)at;
  return remove(path);
}

static void remove_tree(CueStr dir) {
  int why = errno;
  nftw(dir.s, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  errno = why;
}

static bool write_all(Run *r, CueStr dir, const TemplateFiles *files, CueStr *error) {
  for (uint32_t i = 0; i < files->n; i++) {
    CueStr path = path_join(r->a, dir, files->at[i].path);
    if (!make_dirs(r->a, path_dir(r->a, path), 0777, error) || !write_file(r->a, path, files->at[i].text, false, error))
      return false;
  }
  return true;
}

static bool write_module(Run *r, CueStr dir, const TemplateFiles *files, CueStr *error) {
  CueStr temp = cue_strf(r->a, "%.*s.%ld.tmp", CUE_FMT(dir), (long)getpid());
  if (!make_dirs(r->a, path_dir(r->a, dir), 0777, error)) return false;
  if (write_all(r, temp, files, error)) {
    if (rename(temp.s, dir.s) == 0) return true;
    *error = cue_strf(r->a, "rename %.*s: %s", CUE_FMT(dir), strerror(errno));
  }
  remove_tree(temp);
  return false;
}

/* ---- what was made ---- */

/* As a walk of the folders shows them: what is in a folder stands before a file whose name goes on. */
static int by_walk(const void *x, const void *y) {
  CueStr p = ((const TemplateFile *)x)->path, q = ((const TemplateFile *)y)->path;
  size_t i = 0;
  while (i < p.n && i < q.n && p.s[i] == q.s[i]) i++;
  if (i < p.n && i < q.n && (p.s[i] == '/') != (q.s[i] == '/')) return p.s[i] == '/' ? -1 : 1;
  return cue_str_cmp(p, q);
}

static CueStr description(CueStr path) {
  static const char *const known[][2] = {
      {"cue.mod/module.cue", "CUE module metadata"},
      {"module.cue", "Module definition"},
      {"values.cue", "Default values"},
      {"components.cue", "Component definitions"},
      {"components/", "Component template"},
      {"environments.cue", "Environments"},
      {"environments/", "Environment"},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    size_t n = strlen(known[i][0]);
    bool is_dir = known[i][0][n - 1] == '/';
    if (is_dir ? cue_str_has_prefix(path, cue_str(known[i][0])) : cue_str_is(path, known[i][0]))
      return cue_str(known[i][1]);
  }
  return CUE_STR("");
}

ExitCode run_mod_init(Run *r) {
  if (r->flags.args.n != 1)
    return run_usage(r, "opm mod init takes exactly one argument, the name of the module: got %u arguments",
                     r->flags.args.n);
  CueStr name = r->flags.args.at[0], kind = flag_text(&r->flags, FLAG_TEMPLATE), error;
  CueDiags d = run_diags(r);
  TemplateFiles files = {0};
  if (!is_name(name)) return bad_name(r, name);
  const Flag *templates = flag_named(r->command, CUE_STR("template"));
  if (!flag_allows(templates, kind))
    return run_fail(r, &(Problem){.code = EXIT_INVALID,
                                  .field = CUE_STR("--template"),
                                  .message = cue_strf(r->a, "unknown template \"%.*s\"", CUE_FMT(kind)),
                                  .hint = CUE_STR("Valid templates: simple, standard, advanced")});
  CueStr given = flag_text(&r->flags, FLAG_DIR), dir = given.n ? given : name;
  dir = dir.s[0] == '/' ? path_clean(r->a, dir) : path_join(r->a, r->cwd, dir);
  struct stat st;
  if (lstat(dir.s, &st) == 0)
    return run_fail(r, &(Problem){.code = EXIT_INVALID,
                                  .location = run_shown(r, dir),
                                  .message = CUE_STR("the folder already exists"),
                                  .hint = CUE_STR("Choose another with --dir DIR, or remove it.")});
  if (!template_files(r, template_find(kind), name, &files, &d)) {
    run_report(r, &d);
    return EXIT_GENERAL;
  }
  if (!write_module(r, dir, &files, &error)) {
    ExitCode code = exit_of_errno();
    if (code == EXIT_MISSING) code = EXIT_GENERAL;
    return run_fail(r, &(Problem){.code = code,
                                  .type = code == EXIT_GENERAL ? "cannot write" : NULL,
                                  .location = run_shown(r, dir),
                                  .message = error,
                                  .hint = CUE_STR("Nothing was created. Choose another folder with --dir DIR.")});
  }
  qsort(files.at, files.n, sizeof *files.at, by_walk);
  cue_buf_f(r->out, "Created module '%.*s' in %.*s\n\n", CUE_FMT(name), CUE_FMT(dir));
  CueStr shown = given.n ? given : name;
  shown = cue_strf(r->a, "%.*s%s", CUE_FMT(shown), shown.s[shown.n - 1] == '/' ? "" : "/");
  style_file(pen_out(r), 0, shown, CUE_STR("Module directory"));
  for (uint32_t i = 0; i < files.n; i++) style_file(pen_out(r), 1, files.at[i].path, description(files.at[i].path));
  return EXIT_OK;
}
