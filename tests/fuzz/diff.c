/* diff.c - random programs through our engine and the real cue: do verdict and JSON agree?
**
**   fuzz-diff [--seed S] [-n COUNT] [--wild] [--keep DIR] [--show] OPM CUE
**
** Each program is exported by both; the verdict is value, incomplete or error, told from the
** first line of the error as the conformance suite does. Wild programs (wild.c) are also shown by
** `eval -i`, which goes on after an error: that text must be the same too. Where the reference
** crashes, does not end or says now this, now that, it has no answer to compare with; ours must have one, and soon. What
** differs is made as small as deleting lines allows, and printed. A seed names its program for good:
** to look at one again, run it with that seed and -n 1.
*/
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fuzz/gen.h"
#include "tests/proc.h"

typedef struct {
  const char *opm, *cue, *dir, *keep;
  regex_t incomplete;
  bool show, wild;
} Diff;

typedef enum { VERDICT_VALUE, VERDICT_INCOMPLETE, VERDICT_ERROR, VERDICT_CRASH } Verdict;
static const char *const verdict_names[] = {"value", "incomplete", "error", "crash"};

typedef struct {
  Verdict verdict;
  CueStr out, message, eval;
  double seconds;
  bool broken; /* its own failure is part of what it says */
} Answer;

/* A panic that the reference recovers from ends up in its messages. */
static bool tells_panic(CueStr s) {
  static const char *const texts[] = {"runtime error: ", "(PANIC="};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (memmem(s.s, s.n, texts[i], strlen(texts[i]))) return true;
  return false;
}

static ProcResult run(Diff *d, CueArena *a, bool ours, const char *command, const char *flag, const char *file) {
  const char *argv[6] = {ours ? d->opm : d->cue}, **p = argv + 1;
  if (ours) *p++ = "cue";
  *p++ = command;
  if (flag) *p++ = flag;
  *p++ = file, *p = NULL;
  return proc_run(a, argv, (ProcOptions){.cwd = d->dir, .timeout = 10});
}

static Answer ask(Diff *d, CueArena *a, bool ours, const char *file) {
  ProcResult r = run(d, a, ours, "export", NULL, file);
  Answer x = {.out = r.out, .seconds = r.seconds, .broken = r.exit > 1 || tells_panic(r.err)};
  if (d->wild && !x.broken) {
    ProcResult shown = run(d, a, ours, "eval", "-i", file);
    x.eval = shown.exit > 1 ? cue_strf(a, "exit code %d\n", shown.exit) : shown.out;
    x.seconds += shown.seconds;
    x.broken = shown.exit > 1 || tells_panic(shown.out);
  }
  const char *end = memchr(r.err.s, '\n', r.err.n);
  x.message = cue_str_copy(a, end ? cue_str_sub(r.err, 0, (size_t)(end - r.err.s)) : r.err);
  if (r.exit > 1)
    x.verdict = VERDICT_CRASH;
  else if (r.exit == 0)
    x.verdict = VERDICT_VALUE;
  else
    x.verdict = regexec(&d->incomplete, x.message.s, 0, NULL, 0) == 0 ? VERDICT_INCOMPLETE : VERDICT_ERROR;
  return x;
}

typedef struct {
  Answer ours, theirs;
  bool differ;
} Outcome;

static bool same_answer(const Answer *x, const Answer *y) {
  return x->verdict == y->verdict && (x->verdict != VERDICT_VALUE || cue_str_eq(x->out, y->out)) &&
         cue_str_eq(x->eval, y->eval);
}

static Outcome compare(Diff *d, CueArena *a, CueStr program) {
  enum { RETRIES = 6 };
  CueStr name = cue_strf(a, "p%d.cue", (int)getpid());
  file_write(cue_strf(a, "%s/%s", d->dir, name.s).s, program);
  Outcome o = {.ours = ask(d, a, true, name.s), .theirs = ask(d, a, false, name.s)};
  o.differ = !same_answer(&o.ours, &o.theirs);
  for (int i = 0; o.differ && !o.theirs.broken && i < RETRIES; i++) {
    Answer again = ask(d, a, false, name.s);
    o.theirs.broken = !same_answer(&again, &o.theirs);
  }
  if (o.theirs.broken)
    o.differ = o.ours.broken;
  else if (o.ours.seconds > 4 * o.theirs.seconds + 1)
    o.differ = true;
  return o;
}

/* Deletes runs of lines, long ones first, as long as the same kind of difference stays. */
static CueStr minimise(Diff *d, CueArena *a, CueStr program, const Outcome *first) {
  CUE_VEC(CueStr) lines = {0};
  for (size_t i = 0, from = 0; i < program.n; i++)
    if (program.s[i] == '\n') {
      cue_push(a, &lines, cue_str_sub(program, from, i + 1));
      from = i + 1;
    }
  for (uint32_t size = lines.n / 2 ? lines.n / 2 : 1; size; size /= 2)
    for (uint32_t at = 0; at + size <= lines.n;) {
      CueArena *scratch = cue_arena_new();
      CueBuf b = cue_buf(scratch);
      for (uint32_t i = 0; i < lines.n; i++)
        if (i < at || i >= at + size) cue_buf_str(&b, lines.at[i]);
      Outcome o = compare(d, scratch, cue_buf_done(&b));
      bool same_kind = o.differ && o.ours.verdict == first->ours.verdict && o.theirs.verdict == first->theirs.verdict;
      cue_arena_free(scratch);
      if (!same_kind) {
        at++;
        continue;
      }
      memmove(lines.at + at, lines.at + at + size, (lines.n - at - size) * sizeof *lines.at);
      lines.n -= size;
    }
  CueBuf b = cue_buf(a);
  for (uint32_t i = 0; i < lines.n; i++) cue_buf_str(&b, lines.at[i]);
  return cue_buf_done(&b);
}

static void show(const char *who, const Answer *x) {
  CueStr text = x->verdict == VERDICT_VALUE ? x->out : x->message;
  printf("  %s: %s, %.2f s\n%.*s\n", who, verdict_names[x->verdict], x->seconds, CUE_FMT(text));
  if (x->eval.n) printf("  %s eval -i:\n%.*s\n", who, CUE_FMT(x->eval));
}

/* Counts by verdict of the reference, and what differs. */
typedef struct {
  unsigned verdicts[4], broken, messages, differ;
} Tally;

static void one(Diff *d, uint64_t seed, Tally *t) {
  CueArena *a = cue_arena_new();
  CueStr program = d->wild ? gen_wild(a, seed) : gen_program(a, seed);
  if (d->show) printf("%.*s", CUE_FMT(program));
  Outcome o = compare(d, a, program);
  if (o.theirs.broken)
    t->broken++;
  else
    t->verdicts[o.theirs.verdict]++;
  if (!o.differ)
    t->messages += !o.theirs.broken && !cue_str_eq(o.ours.message, o.theirs.message);
  else {
    t->differ++;
    CueStr small = minimise(d, a, program, &o);
    o = compare(d, a, small);
    printf("seed %llu differs:\n%.*s", (unsigned long long)seed, CUE_FMT(small));
    show("opm", &o.ours);
    show("cue", &o.theirs);
    if (d->keep) file_write(cue_strf(a, "%s/seed-%llu.cue", d->keep, (unsigned long long)seed).s, small);
    fflush(stdout);
  }
  cue_arena_free(a);
}

int main(int argc, char **argv) {
  enum { WORKERS = 2 };
  Diff d = {0};
  uint64_t seed = 1, n = 100;
  CueArena *a = cue_arena_new();
  char full[2][4096];
  int nargs = 0, fds[2];
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
      seed = strtoull(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "-n") == 0 && i + 1 < argc)
      n = strtoull(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--keep") == 0 && i + 1 < argc)
      d.keep = argv[++i];
    else if (strcmp(argv[i], "--show") == 0)
      d.show = true;
    else if (strcmp(argv[i], "--wild") == 0)
      d.wild = true;
    else if (nargs < 2 && argv[i][0] != '-' && realpath(argv[i], full[nargs]))
      nargs++;
    else
      nargs = 9;
  }
  if (nargs != 2) {
    fprintf(stderr, "usage: fuzz-diff [--seed S] [-n COUNT] [--wild] [--keep DIR] [--show] OPM CUE\n");
    return 2;
  }
  d.opm = full[0], d.cue = full[1];
  d.dir = scratch_dir(a);
  if (regcomp(
          &d.incomplete,
          "incomplete value|non-concrete|undefined field|unresolved disjunction|cannot reference optional|field is required|"
          "cycle with field|incomplete|not present|reference .* in .* not exist|some instances are incomplete|field not found",
          REG_EXTENDED | REG_NOSUB))
    proc_die("regcomp");
  if (pipe(fds) < 0) proc_die("pipe");
  fflush(NULL);
  for (unsigned w = 0; w < WORKERS; w++) {
    pid_t pid = fork();
    if (pid < 0) proc_die("fork");
    if (pid) continue;
    Tally t = {0};
    for (uint64_t i = w; i < n; i += WORKERS) one(&d, seed + i, &t);
    fflush(stdout);
    if (write(fds[1], &t, sizeof t) != sizeof t) _exit(1);
    _exit(0);
  }
  Tally all = {0};
  bool lost = false;
  for (unsigned w = 0; w < WORKERS; w++) {
    Tally t = {0};
    int status;
    if (wait(&status) < 0 || status != 0 || read(fds[0], &t, sizeof t) != sizeof t) lost = true;
    for (int v = 0; v < 4; v++) all.verdicts[v] += t.verdicts[v];
    all.broken += t.broken, all.messages += t.messages, all.differ += t.differ;
  }
  dir_remove(d.dir);
  printf(
      "seeds %llu to %llu, by the reference's verdict: %u values, %u incomplete, %u errors, %u crashes; first lines of errors that differ: %u\n",
      (unsigned long long)seed, (unsigned long long)(seed + n - 1), all.verdicts[0], all.verdicts[1], all.verdicts[2],
      all.broken, all.messages);
  printf("fuzz-diff: %llu passed, %u failed\n", (unsigned long long)n - all.differ, all.differ);
  cue_arena_free(a);
  return lost || all.differ;
}
