/* tutorial.c - runs the commands of a Markdown document, so that what it shows is what happens.
**
**   tutorial [--accept] OPM DOCUMENT...
**
** Blocks are run from top to bottom, in a folder of their own that is also $HOME:
**
**   ```console          "$ command" lines with what they print below them, stdout before stderr
**   ```cue a/file.cue   a file to write, relative to the folder the commands have gone to
**
** Other blocks are for reading only. A command may go on over several lines: those that begin with
** "> ". A line "..." among what is printed stands for any number of lines. $HOME is shown as
** "/home/you" and times of the log as 10:30:00, as they are different every time. --accept writes
** what came out into the document, except where it has "...".
*/
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/proc.h"

#define SHOWN_HOME "/home/you"
#define SHOWN_TIME "10:30:00"

typedef struct {
  CueArena *a;
  const char *opm; /* folder of the program */
  const char *name, *home;
  CueStr cwd;
  CueStr text;
  size_t at; /* in text */
  CueBuf out;
  bool accept;
  unsigned passed, failed;
} Document;

/* The next line, with its newline; false at the end. */
static bool next_line(Document *d, CueStr *line) {
  if (d->at >= d->text.n) return false;
  size_t end = d->at;
  while (end < d->text.n && d->text.s[end] != '\n') end++;
  if (end < d->text.n) end++;
  *line = cue_str_sub(d->text, d->at, end);
  d->at = end;
  return true;
}

static bool peek_prefix(const Document *d, const char *prefix) {
  return cue_str_has_prefix(cue_str_sub(d->text, d->at, d->text.n), cue_str(prefix));
}

static CueStr trimmed(CueStr s) {
  while (s.n && (s.s[s.n - 1] == '\n' || s.s[s.n - 1] == ' ')) s.n--;
  return s;
}

/* ---- what came out, as the document shows it ---- */

static bool is_time(const char *s, size_t n) {
  for (size_t i = 0; i < 8; i++)
    if (i >= n || (i % 3 == 2 ? s[i] != ':' : s[i] < '0' || s[i] > '9')) return false;
  return n > 8 && s[8] == ' ';
}

static CueStr shown(Document *d, CueStr s) {
  CueBuf b = cue_buf(d->a);
  CueStr home = cue_str(d->home);
  for (size_t i = 0; i < s.n;) {
    CueStr rest = cue_str_sub(s, i, s.n);
    if (cue_str_has_prefix(rest, home)) {
      cue_buf_z(&b, SHOWN_HOME);
      i += home.n;
    } else if ((i == 0 || s.s[i - 1] == '\n') && is_time(rest.s, rest.n)) {
      cue_buf_z(&b, SHOWN_TIME);
      i += 8;
    } else {
      cue_buf_ch(&b, s.s[i++]);
    }
  }
  if (b.n && b.s[b.n - 1] != '\n') cue_buf_ch(&b, '\n');
  return cue_buf_done(&b);
}

static size_t line_length(CueStr s) {
  size_t n = 0;
  while (n < s.n && s.s[n] != '\n') n++;
  return n < s.n ? n + 1 : n;
}

/* Whether text is what a pattern with lines "..." shows. */
static bool matches(CueStr pattern, CueStr text) {
  size_t n = line_length(pattern);
  CueStr line = cue_str_sub(pattern, 0, n), rest = cue_str_sub(pattern, n, pattern.n);
  if (!pattern.n) return !text.n;
  if (cue_str_is(trimmed(line), "...")) {
    for (size_t i = 0;; i += line_length(cue_str_sub(text, i, text.n))) {
      if (matches(rest, cue_str_sub(text, i, text.n))) return true;
      if (i >= text.n) return false;
    }
  }
  size_t m = line_length(text);
  return m && cue_str_eq(line, cue_str_sub(text, 0, m)) && matches(rest, cue_str_sub(text, m, text.n));
}

/* ---- blocks ---- */

static CueStr run_command(Document *d, CueStr command) {
  CueStr place = cue_strf(d->a, "%s/.cwd", d->home), where;
  CueStr script = cue_strf(d->a, "cd '%.*s' || exit 1\n{\n%.*s\n}\ncode=$?\npwd >'%.*s'\nexit $code\n", CUE_FMT(d->cwd),
                           CUE_FMT(command), CUE_FMT(place));
  const char *env[] = {cue_strf(d->a, "HOME=%s", d->home).s, cue_strf(d->a, "PATH=%s:%s", d->opm, getenv("PATH")).s,
                       "LC_ALL=C.UTF-8", NULL};
  ProcResult r =
      proc_run(d->a, (const char *const[]){"/bin/sh", "-c", script.s, NULL}, (ProcOptions){.cwd = d->home, .env = env});
  if (file_read(d->a, place.s, &where)) d->cwd = trimmed(where);
  remove(place.s);
  return shown(d, cue_str_cat(d->a, r.out, r.err));
}

static void check(Document *d, CueStr command, CueStr want) {
  CueStr got = run_command(d, command);
  bool ok = matches(want, got);
  if (ok || !d->accept || cue_str_find(want, CUE_STR("...\n")) >= 0)
    cue_buf_str(&d->out, want);
  else
    cue_buf_str(&d->out, got);
  if (ok || d->accept) {
    d->passed++;
    return;
  }
  d->failed++;
  printf("%s: $ %.*s\n  shows:\n%.*s  but prints:\n%.*s", d->name, CUE_FMT(command), CUE_FMT(want), CUE_FMT(got));
}

static void console(Document *d) {
  CueStr line;
  while (!peek_prefix(d, "```") && next_line(d, &line)) {
    cue_buf_str(&d->out, line);
    if (!cue_str_has_prefix(line, CUE_STR("$ "))) continue;
    CueBuf command = cue_buf(d->a), want = cue_buf(d->a);
    cue_buf_str(&command, trimmed(cue_str_sub(line, 2, line.n)));
    while (peek_prefix(d, "> ") && next_line(d, &line)) {
      cue_buf_str(&d->out, line);
      cue_buf_ch(&command, '\n');
      cue_buf_str(&command, trimmed(cue_str_sub(line, 2, line.n)));
    }
    while (!peek_prefix(d, "```") && !peek_prefix(d, "$ ") && next_line(d, &line)) cue_buf_str(&want, line);
    check(d, cue_buf_done(&command), cue_buf_done(&want));
  }
}

static void write_block(Document *d, CueStr file) {
  CueBuf text = cue_buf(d->a);
  CueStr line;
  while (!peek_prefix(d, "```") && next_line(d, &line)) {
    cue_buf_str(&d->out, line);
    cue_buf_str(&text, line);
  }
  file_write(cue_strf(d->a, "%.*s/%.*s", CUE_FMT(d->cwd), CUE_FMT(file)).s, cue_buf_done(&text));
}

static void run_document(Document *d) {
  CueStr line;
  bool inside = false;
  while (next_line(d, &line)) {
    cue_buf_str(&d->out, line);
    if (!cue_str_has_prefix(line, CUE_STR("```"))) continue;
    inside = !inside;
    CueStr info = trimmed(cue_str_sub(line, 3, line.n));
    ptrdiff_t space = cue_str_find(info, CUE_STR(" "));
    if (inside && cue_str_is(info, "console"))
      console(d);
    else if (inside && space > 0)
      write_block(d, cue_str_sub(info, (size_t)space + 1, info.n));
  }
  if (!d->passed && !d->failed) {
    printf("%s: runs nothing\n", d->name);
    d->failed++;
  }
}

int main(int argc, char **argv) {
  bool accept = argc > 1 && strcmp(argv[1], "--accept") == 0;
  int first = 1 + accept;
  char opm[PATH_MAX];
  unsigned passed = 0, failed = 0;
  if (argc < first + 2 || !realpath(argv[first], opm)) {
    fprintf(stderr, "usage: tutorial [--accept] OPM DOCUMENT...\n");
    return 2;
  }
  *strrchr(opm, '/') = 0;
  for (int i = first + 1; i < argc; i++) {
    CueArena *a = cue_arena_new();
    Document d = {.a = a, .opm = opm, .name = argv[i], .home = scratch_dir(a), .out = cue_buf(a), .accept = accept};
    d.cwd = cue_str(d.home);
    if (!file_read(a, argv[i], &d.text)) proc_die("read %s", argv[i]);
    run_document(&d);
    if (accept) file_write(argv[i], cue_buf_done(&d.out));
    dir_remove(d.home);
    passed += d.passed, failed += d.failed;
    cue_arena_free(a);
  }
  printf("tutorial: %u passed, %u failed\n", passed, failed);
  return failed != 0;
}
