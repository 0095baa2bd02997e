/* golden.c - runs txtar archives: tests/golden/AREA/NAME.txtar, tests/cli/NAME.txtar, tests/modules/NAME.txtar, ...
**
**   golden [--accept] [--cue PATH] [-t SUBSTRING] OPM ARCHIVE...
**
** The files of an archive are laid out in a scratch folder and commands are run there. What
** is checked:
**
**   out/export out/yaml out/cue   stdout of `opm cue export [--out ...] INPUT`
**   out/eval out/def out/fmt      stdout of that command
**   out/vet                       stdout and stderr of `opm cue vet INPUT`
**   out/errors                    stderr of `opm cue export INPUT`
**   cmd                           a script, see run_script
**
** INPUT is in.cue, or nothing (the package of the folder) when the archive has no in.cue.
** An archive that checks nothing fails. --accept writes what came out into the archive: it
** is the same comparison, so check and update cannot differ. --cue PATH asks that program
** instead of `opm cue`, to learn whether our expectations are true of the reference; an
** archive whose comment has a line "# differs from cue: REASON" is left out then.
*/
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/proc.h"
#include "tests/script.h"
#include "tests/txtar.h"

typedef struct {
  const char *opm, *cue; /* absolute; cue is NULL unless --cue */
  bool accept;
} Options;

typedef struct {
  const Options *opt;
  CueArena *a;
  const char *name, *dir;
  Txtar t;
  unsigned checks, failures;
  bool changed;
} Archive;

static CueStr with_newline(CueArena *a, CueStr s) {
  return s.n && s.s[s.n - 1] != '\n' ? cue_str_cat(a, s, CUE_STR("\n")) : s;
}

static size_t line_end(CueStr s, size_t i) {
  while (i < s.n && s.s[i] != '\n') i++;
  return i < s.n ? i + 1 : i;
}

/* Shows the lines that differ, without what the texts have in common before and after. */
static void show_difference(CueStr want, CueStr got) {
  size_t from = 0;
  for (size_t next; from < want.n && from < got.n; from = next) {
    next = line_end(want, from);
    if (next != line_end(got, from) || memcmp(want.s + from, got.s + from, next - from) != 0) break;
  }
  size_t w = want.n, g = got.n;
  while (w > from && g > from && want.s[w - 1] == got.s[g - 1]) w--, g--;
  w = line_end(want, w), g = line_end(got, g);
  for (size_t i = from; i < w; i = line_end(want, i)) printf("    -%.*s", (int)(line_end(want, i) - i), want.s + i);
  for (size_t i = from; i < g; i = line_end(got, i)) printf("    +%.*s", (int)(line_end(got, i) - i), got.s + i);
}

static void failed(Archive *ar, const char *fmt, ...) CUE_PRINTF(2, 3);
static void failed(Archive *ar, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  printf("%s: ", ar->name);
  vprintf(fmt, ap);
  printf("\n");
  va_end(ap);
  ar->failures++;
}

/* The scratch folder has another name every time: it is written as $WORK. */
static CueStr without_scratch(Archive *ar, CueStr s) {
  CueBuf b = cue_buf(ar->a);
  CueStr dir = cue_str(ar->dir);
  for (ptrdiff_t at; (at = cue_str_find(s, dir)) >= 0; s = cue_str_sub(s, (size_t)at + dir.n, s.n)) {
    cue_buf_str(&b, cue_str_sub(s, 0, (size_t)at));
    cue_buf_z(&b, "$WORK");
  }
  cue_buf_str(&b, s);
  return cue_buf_done(&b);
}

static void compare(Archive *ar, Section *s, CueStr got, CueStr err) {
  got = with_newline(ar->a, without_scratch(ar, got));
  ar->checks++;
  if (cue_str_eq(with_newline(ar->a, s->text), got)) return;
  if (ar->opt->accept) {
    s->text = cue_str_copy(ar->a, got);
    ar->changed = true;
    return;
  }
  failed(ar, "%.*s differs (- expected, + got)", CUE_FMT(s->name));
  show_difference(with_newline(ar->a, s->text), got);
  if (err.n) printf("  stderr:\n%.*s", CUE_FMT(with_newline(ar->a, err)));
}

/* `opm cue ARGS` or, when asking the reference, `cue ARGS`. */
static ProcResult engine(Archive *ar, const char *const *args, ProcOptions opt) {
  Words w = {0};
  if (ar->opt->cue)
    cue_push(ar->a, &w, ar->opt->cue);
  else {
    cue_push(ar->a, &w, ar->opt->opm);
    cue_push(ar->a, &w, "cue");
  }
  for (; *args; args++) cue_push(ar->a, &w, *args);
  cue_push(ar->a, &w, NULL);
  ProcResult r = proc_run(ar->a, w.at, opt);
  if (r.exit > 2) failed(ar, "%s of `cue %s`", r.timeout ? "timeout" : "crash", w.at[ar->opt->cue ? 1 : 2]);
  return r;
}

static bool run_phase(Archive *ar, Section *s) {
  static const struct {
    const char *section;
    const char *args[4];
    enum { OUT, ERR, BOTH, FROM_STDIN } kind;
  } phases[] = {
      {"out/export", {"export"}, OUT},
      {"out/yaml", {"export", "--out", "yaml"}, OUT},
      {"out/cue", {"export", "--out", "cue"}, OUT},
      {"out/eval", {"eval"}, OUT},
      {"out/def", {"def"}, OUT},
      {"out/vet", {"vet"}, BOTH},
      {"out/errors", {"export"}, ERR},
      {"out/fmt", {"fmt", "-"}, FROM_STDIN},
  };
  for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
    if (!cue_str_is(s->name, phases[i].section)) continue;
    Section *in = txtar_find(&ar->t, CUE_STR("in.cue"));
    ProcOptions opt = {.cwd = ar->dir};
    const char *args[6] = {0};
    size_t n = 0;
    for (; n < 4 && phases[i].args[n]; n++) args[n] = phases[i].args[n];
    if (phases[i].kind == FROM_STDIN)
      opt.in = in ? in->text : (CueStr){0};
    else if (in)
      args[n] = "in.cue";
    ProcResult r = engine(ar, args, opt);
    CueStr got = phases[i].kind == ERR ? r.err : r.out;
    if (phases[i].kind == BOTH) got = cue_str_cat(ar->a, r.out, r.err);
    compare(ar, s, got, got.n ? (CueStr){0} : r.err);
    if (phases[i].kind == OUT && s->text.n && r.exit != 0) failed(ar, "%.*s: exit code %d", CUE_FMT(s->name), r.exit);
    return true;
  }
  return false;
}

typedef struct {
  ProcResult last;
  ProcOptions opt;
  CUE_VEC(const char *) env;
} Script;

static const char *in_dir(Archive *ar, const Script *s, const char *path) {
  return cue_strf(ar->a, "%s/%s", s->opt.cwd ? s->opt.cwd : ar->dir, path).s;
}

static void script_exec(Archive *ar, Script *s, const Words *w, char mode) {
  if (w->n < 2 || strcmp(w->at[1], "opm") != 0) {
    failed(ar, "cmd: only opm can be run");
    return;
  }
  Words full = *w;
  cue_push(ar->a, &full, NULL);
  s->opt.env = s->env.at;
  if (w->n > 2 && strcmp(w->at[2], "cue") == 0)
    s->last = engine(ar, full.at + 3, s->opt);
  else {
    full.at[1] = ar->opt->opm;
    s->last = proc_run(ar->a, full.at + 1, s->opt);
  }
  s->opt.in = (CueStr){0};
  ar->checks += mode != '?';
  if (mode == '?' || (s->last.exit != 0) == (mode == '!')) return;
  failed(ar, "cmd: exit code %d of `%s %s ...`", s->last.exit, w->at[1], w->n > 2 ? w->at[2] : "");
  printf("%.*s", CUE_FMT(s->last.err));
}

/* What is too long or no text at all is made by the test and not kept in an archive. */
static void script_append(Archive *ar, const Script *s, const Words *w) {
  CueBuf b = cue_buf(ar->a), unit = cue_buf(ar->a);
  CueStr old;
  const char *path = in_dir(ar, s, w->at[1]);
  for (const char *p = w->at[3]; *p; p++) {
    if (p[0] == '\\' && p[1] == 'n') {
      cue_buf_ch(&unit, '\n');
      p++;
    } else if (p[0] == '\\' && p[1] == 'x' && p[2] && p[3]) {
      cue_buf_ch(&unit, (char)strtoul((char[]){p[2], p[3], 0}, NULL, 16));
      p += 3;
    } else {
      cue_buf_ch(&unit, *p);
    }
  }
  if (file_read(ar->a, path, &old)) cue_buf_str(&b, old);
  CueStr text = cue_buf_done(&unit);
  for (long n = strtol(w->at[2], NULL, 10); n > 0; n--) cue_buf_str(&b, text);
  file_write(path, cue_buf_done(&b));
}

static int by_text(const void *x, const void *y) { return cue_str_cmp(*(const CueStr *)x, *(const CueStr *)y); }

/* The lines that do not begin with a blank. Where the places of errors are files of the catalog, they depend on where
** that is; and so does the order of the errors. */
static CueStr messages(CueArena *a, CueStr text) {
  CUE_VEC(CueStr) lines = {0};
  CueBuf b = cue_buf(a);
  for (size_t i = 0, next; i < text.n; i = next) {
    next = line_end(text, i);
    if (text.s[i] != ' ') cue_push(a, &lines, cue_str_sub(text, i, next));
  }
  if (lines.n) qsort(lines.at, lines.n, sizeof *lines.at, by_text);
  for (uint32_t i = 0; i < lines.n; i++) cue_buf_str(&b, lines.at[i]);
  return cue_buf_done(&b);
}

/* One line of a script. Words:
**   exec opm ...   must succeed; `! exec` must fail; `? exec` may do either
**   exit N         the last command's exit code
**   stdin FILE     what the next command reads
**   cmp stdout|stderr|FILE SECTION   exact text, kept in the archive
**   messages SECTION                 the messages on stderr without their places, sorted
**   stdout TEXT, stderr TEXT         has TEXT in it; `!` before: has not
**   exists FILE, env K=V, cd DIR
**   mode FILE OCTAL                  who may read and write it
**   link FILE TARGET                 makes a symbolic link
**   gen FILE N TEXT...               makes a file: the first text N times, then the next N times, ...
**   append FILE N TEXT               adds to a file; in the text \n is a newline, \xNN a byte
*/
static void script_line(Archive *ar, Script *s, CueStr line) {
  Words w = script_words(ar->a, line);
  if (!w.n || w.at[0][0] == '#') return;
  char mode = 0;
  if (strcmp(w.at[0], "!") == 0 || strcmp(w.at[0], "?") == 0) {
    mode = w.at[0][0];
    memmove(w.at, w.at + 1, --w.n * sizeof *w.at);
  }
  const char *verb = w.n ? w.at[0] : "";
  const char *arg = w.n > 1 ? w.at[1] : "";
  CueStr text;
  if (strcmp(verb, "exec") == 0)
    script_exec(ar, s, &w, mode);
  else if (strcmp(verb, "exit") == 0) {
    ar->checks++;
    if (s->last.exit != (int)strtol(arg, NULL, 10)) failed(ar, "cmd: exit code %d, expected %s", s->last.exit, arg);
  } else if (strcmp(verb, "stdin") == 0) {
    if (!file_read(ar->a, in_dir(ar, s, arg), &s->opt.in)) failed(ar, "cmd: no file %s", arg);
  } else if (strcmp(verb, "cmp") == 0 && w.n == 3) {
    Section *want = txtar_find(&ar->t, cue_str(w.at[2]));
    bool out = strcmp(arg, "stdout") == 0, err = strcmp(arg, "stderr") == 0;
    if (out)
      text = s->last.out;
    else if (err)
      text = s->last.err;
    else if (!file_read(ar->a, in_dir(ar, s, arg), &text)) {
      failed(ar, "cmd: no file %s", arg);
      return;
    }
    if (!want)
      failed(ar, "cmd: the archive has no section %s", w.at[2]);
    else
      compare(ar, want, text, out ? s->last.err : (CueStr){0});
  } else if (strcmp(verb, "messages") == 0) {
    Section *want = txtar_find(&ar->t, cue_str(arg));
    if (!want)
      failed(ar, "cmd: the archive has no section %s", arg);
    else
      compare(ar, want, messages(ar->a, s->last.err), (CueStr){0});
  } else if (strcmp(verb, "stdout") == 0 || strcmp(verb, "stderr") == 0) {
    text = without_scratch(ar, verb[3] == 'o' ? s->last.out : s->last.err);
    ar->checks++;
    if ((cue_str_find(text, cue_str(arg)) >= 0) == (mode == '!')) {
      failed(ar, "cmd: %s has%s: %s", verb, mode == '!' ? "" : " not", arg);
      printf("%.*s", CUE_FMT(with_newline(ar->a, text)));
    }
  } else if (strcmp(verb, "exists") == 0) {
    ar->checks++;
    if ((access(in_dir(ar, s, arg), F_OK) == 0) == (mode == '!'))
      failed(ar, "cmd: %s %s", arg, mode == '!' ? "exists" : "does not exist");
  } else if (strcmp(verb, "mode") == 0 && w.n == 3) {
    struct stat st;
    ar->checks++;
    if (stat(in_dir(ar, s, arg), &st) < 0)
      failed(ar, "cmd: no file %s", arg);
    else if ((st.st_mode & 0777) != strtoul(w.at[2], NULL, 8))
      failed(ar, "cmd: mode of %s is %o", arg, st.st_mode & 0777);
  } else if (strcmp(verb, "env") == 0) {
    if (s->env.n) s->env.n--; /* the NULL at the end */
    cue_push(ar->a, &s->env, arg);
    cue_push(ar->a, &s->env, NULL);
  } else if (strcmp(verb, "gen") == 0 && w.n > 3) {
    CueBuf b = cue_buf(ar->a);
    for (uint32_t i = 3; i < w.n; i++)
      for (long k = strtol(w.at[2], NULL, 10); k > 0; k--) cue_buf_z(&b, w.at[i]);
    file_write(in_dir(ar, s, arg), cue_buf_done(&b));
  } else if (strcmp(verb, "link") == 0 && w.n == 3) {
    if (symlink(w.at[2], in_dir(ar, s, arg)) < 0) failed(ar, "cmd: cannot link %s", arg);
  } else if (strcmp(verb, "append") == 0 && w.n == 4) {
    script_append(ar, s, &w);
  } else if (strcmp(verb, "cd") == 0)
    s->opt.cwd = in_dir(ar, s, arg);
  else
    failed(ar, "cmd: not understood: %.*s", CUE_FMT(line));
}

static void run_script(Archive *ar, Section *cmd) {
  Script s = {.opt = {.cwd = ar->dir}};
  CueStr line;
  for (size_t at = 0; script_next(cmd->text, &at, &line);) script_line(ar, &s, line);
}

static bool is_input(CueStr name) {
  return !cue_str_has_prefix(name, CUE_STR("out/")) && !cue_str_has_prefix(name, CUE_STR("expect/")) &&
         !cue_str_is(name, "cmd");
}

/* Returns whether the archive passed. */
static bool run_archive(const Options *opt, const char *path, bool *skipped) {
  CueArena *a = cue_arena_new();
  Archive ar = {.opt = opt, .a = a, .name = path};
  CueStr text;
  if (!file_read(a, path, &text)) proc_die("read %s", path);
  ar.t = txtar_parse(a, text);
  *skipped = opt->cue && cue_str_find(ar.t.comment, CUE_STR("# differs from cue:")) >= 0;
  if (*skipped) goto done;
  ar.dir = scratch_dir(a);
  setenv("HOME", ar.dir, 1); /* what the user has configured must not matter */
  for (uint32_t i = 0; i < ar.t.sections.n; i++) {
    Section *s = &ar.t.sections.at[i];
    if (is_input(s->name)) file_write(cue_strf(a, "%s/%.*s", ar.dir, CUE_FMT(s->name)).s, s->text);
  }
  for (uint32_t i = 0; i < ar.t.sections.n; i++) {
    Section *s = &ar.t.sections.at[i];
    if (cue_str_is(s->name, "cmd"))
      run_script(&ar, s);
    else if (cue_str_has_prefix(s->name, CUE_STR("out/")) && !run_phase(&ar, s))
      failed(&ar, "no phase %.*s", CUE_FMT(s->name));
  }
  if (!ar.checks) failed(&ar, "checks nothing");
  if (ar.changed) {
    file_write(path, txtar_format(a, &ar.t));
    printf("%s: accepted\n", path);
  }
  dir_remove(ar.dir);
done:
  cue_arena_free(a);
  return ar.failures == 0;
}

static const char *absolute(CueArena *a, const char *path) {
  char full[PATH_MAX];
  if (!realpath(path, full)) proc_die("%s", path);
  return cue_str_copy(a, cue_str(full)).s;
}

/* A module file above the scratch folders makes them part of that module, and many archives fail for no other reason. */
static void warn_of_module(void) {
  static const char *const above[] = {"/tmp/cue.mod", "/cue.mod"};
  for (size_t i = 0; i < sizeof above / sizeof *above; i++)
    if (access(above[i], F_OK) == 0) printf("golden: %s stands above the scratch folders: remove it\n", above[i]);
}

int main(int argc, char **argv) {
  CueArena *a = cue_arena_new();
  Options opt = {0};
  const char *filter = "";
  unsigned passed = 0, lost = 0, skips = 0;
  int i = 1;
  for (; i < argc && argv[i][0] == '-'; i++) {
    if (strcmp(argv[i], "--accept") == 0)
      opt.accept = true;
    else if (strcmp(argv[i], "--cue") == 0 && i + 1 < argc)
      opt.cue = absolute(a, argv[++i]);
    else if (strcmp(argv[i], "-t") == 0 && i + 1 < argc)
      filter = argv[++i];
    else {
      fprintf(stderr, "usage: golden [--accept] [--cue PATH] [-t SUBSTRING] OPM ARCHIVE...\n");
      return 2;
    }
  }
  if (i < argc) opt.opm = absolute(a, argv[i++]);
  setenv("LC_ALL", "C", 1);
  setenv("OPM_COMPILE", "never", 0); /* archives about it say otherwise */
  static const char *const ours[] = {"OPM_CONFIG",  "OPM_REGISTRY", "OPM_NAMESPACE", "OPM_KUBECONFIG",
                                     "OPM_CONTEXT", "KUBECONFIG",   "XDG_CACHE_HOME"};
  for (size_t k = 0; k < sizeof ours / sizeof *ours; k++) unsetenv(ours[k]);
  if (!opt.cue) unsetenv("CUE_CACHE_DIR"); /* the reference finds our catalog there */
  for (; i < argc; i++) {
    bool skipped = false;
    if (!strstr(argv[i], filter)) continue;
    bool ok = run_archive(&opt, argv[i], &skipped);
    /* The reference walks Go maps and says some errors in another order or number from run to run: it is asked again. */
    for (int again = 0; opt.cue && !ok && again < 4; again++) ok = run_archive(&opt, argv[i], &skipped);
    if (skipped)
      skips++;
    else if (ok)
      passed++;
    else
      lost++;
  }
  if (lost) warn_of_module();
  printf("golden: %u passed, %u failed", passed, lost);
  if (skips) printf(", %u skipped", skips);
  printf("\n");
  cue_arena_free(a);
  return lost != 0;
}
