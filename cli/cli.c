/* cli.c - from the words of a command line to a command that runs.
**
** The words lead down the table of commands; what is left are flags and arguments. Memory and
** context belong to one run, so commands may be run one after the other in a process.
*/
#include "cli/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/print.h"
#include "cli/table.h"
#include "stdlib/cue/stdlib.h"
#include "stdlib/cue/toml_read.h"
#include "stdlib/opm/catalog.h"

bool run_report(Run *r, const CueDiags *d) {
  r->failed = true;
  cue_diags_print(r->err, d, r->c->sources, r->cwd);
  return false;
}

static bool working_directory(CueArena *a, CueStr *out) {
  for (size_t size = 4096; size <= 1 << 20; size *= 2) {
    char *buf = cue_alloc(a, size);
    if (!getcwd(buf, size)) continue;
    *out = cue_str(buf);
    return true;
  }
  return false;
}

static int run_job(void *arg) {
  Run *r = arg;
  r->c = cue_context_new(r->a, cue_stdlib_find);
  r->c->visit_toml = cue_visit_toml;
  cue_regex_cache_know(r->c->regexes, catalog_patterns, catalog_npatterns);
  ExitCode code = r->command->run(r);
  cue_context_free(r->c);
  return (int)(code == EXIT_OK && r->failed ? EXIT_GENERAL : code);
}

/* The commands of cue say what cue says, and no more. */
static bool is_of_cue(const Command *c) {
  for (const Flag *const *group = c->flags; group && *group; group++)
    if (*group == cue_flags) return true;
  return false;
}

/* What may have been meant, and where to read on. */
static void hint(Run *r, const char *dashes, const char *meant) {
  if (is_of_cue(r->command)) return;
  if (meant)
    cue_buf_f(r->err, "Hint: did you mean %s%s? See '%.*s --help'.\n", dashes, meant, CUE_FMT(r->path));
  else
    cue_buf_f(r->err, "Hint: see '%.*s --help'.\n", CUE_FMT(r->path));
}

static int run_command(Run *r, int argc, char **argv) {
  CueStr error;
  if (!flags_parse(r->a, r->command, argc, argv, &r->flags, &error)) {
    cue_buf_f(r->err, "%.*s\n", CUE_FMT(error));
    CueStr unknown = r->flags.unknown;
    hint(r, "--", unknown.n ? suggest_flag(r->command, unknown) : NULL);
    return EXIT_GENERAL;
  }
  r->verbose = flag_on(&r->flags, FLAG_VERBOSE);
  r->timestamps = flag_on(&r->flags, FLAG_TIMESTAMPS);
  if (flag_on(&r->flags, FLAG_HELP) || !r->command->run) {
    help_text(r->out, r->command, r->path);
    return EXIT_OK;
  }
  if (!working_directory(r->a, &r->cwd)) {
    cue_buf_z(r->err, "cannot get current directory\n");
    return EXIT_GENERAL;
  }
  return cue_run_on_big_stack(run_job, r);
}

/* ---- finding the command ---- */

/* Whether the value of a flag is the word behind it: "--config x", but not "--config=x" or "-ox". */
static bool takes_next_word(const Command *c, CueStr word) {
  const Flag *f = NULL;
  if (word.n > 2 && word.s[1] == '-')
    f = flag_named(c, cue_str_sub(word, 2, word.n));
  else if (word.n == 2)
    f = flag_lettered(c, word.s[1]);
  return f && f->type != FLAG_BOOL;
}

/* The first word that is no flag nor the value of one; argc if there is none. */
static int first_word(const Command *c, int argc, char **argv) {
  int i = 0;
  while (i < argc && argv[i][0] == '-') i += 1 + takes_next_word(c, cue_str(argv[i]));
  return i < argc ? i : argc;
}

/* Goes down from r->command as long as words name commands, and takes these words out. Flags
** before a command count as if they came after it. */
static bool find_command(Run *r, int *argc, char **argv) {
  bool help = false;
  while (r->command->commands || help) {
    int i = first_word(r->command, *argc, argv);
    if (i == *argc) break;
    CueStr word = cue_str(argv[i]);
    const Command *sub = command_find(r->command, word);
    if (!sub && !help && cue_str_is(word, "help")) {
      help = true;
    } else if (!sub) {
      if (help)
        cue_buf_f(r->err, "unknown help topic \"%.*s\"\n", CUE_FMT(word));
      else
        cue_buf_f(r->err, "unknown command \"%.*s\" for \"%.*s\"\n", CUE_FMT(word), CUE_FMT(r->path));
      hint(r, "", suggest_command(r->command, word));
      return false;
    } else {
      r->command = sub;
      r->path = cue_strf(r->a, "%.*s %s", CUE_FMT(r->path), sub->name);
    }
    for (int k = i; k + 1 < *argc; k++) argv[k] = argv[k + 1];
    --*argc;
  }
  if (help) help_text(r->out, r->command, r->path);
  return !help;
}

int run_words(Run *r, int argc, char **argv) {
  char **words = cue_array(r->a, char *, (size_t)argc + 1);
  for (int i = 0; i < argc; i++) words[i] = argv[i];
  size_t said = r->err->n;
  if (!find_command(r, &argc, words)) return r->err->n > said;
  return run_command(r, argc, words);
}

int cli_cue(int argc, char **argv, CueStr input, CueBuf *out, CueBuf *err) {
  CueArena *a = cue_arena_new();
  Run r = {.a = a,
           .command = command_find(&cli_commands, CUE_STR("cue")),
           .path = CUE_STR("opm cue"),
           .input = input,
           .has_input = input.s != NULL,
           .out = out,
           .err = err};
  int code = run_words(&r, argc, argv);
  cue_arena_free(a);
  return code;
}

/* Colours are for people who look at a terminal and have not asked for none (no-color.org). */
static bool wants_color(int fd) {
  const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
  return !(no && *no) && !(term && strcmp(term, "dumb") == 0) && isatty(fd);
}

/* Says once that stdout cannot be written to. */
static void print_out(Run *r, CueStr text) {
  if (print_all(1, text) || r->unprinted) return;
  r->unprinted = true;
  cue_buf_f(r->err, "write stdout: %s\n", strerror(errno));
}

static void to_stdout(void *arg, CueBuf *out) {
  print_out(arg, (CueStr){out->s, out->n});
  out->n = 0;
}

int cli_run(int argc, char **argv) {
  CueArena *a = cue_arena_new();
  CueBuf out = cue_buf(a), err = cue_buf(a);
  Run r = {.a = a,
           .command = &cli_commands,
           .path = CUE_STR("opm"),
           .out = &out,
           .err = &err,
           .drain = to_stdout,
           .color_out = wants_color(1),
           .color_err = wants_color(2)};
  signal(SIGXFSZ, SIG_IGN); /* a file that must not grow (ulimit -f) is an error like a full disk */
  int code = run_words(&r, argc > 0 ? argc - 1 : 0, argv + 1);
  print_out(&r, cue_buf_done(&out));
  print_all(2, cue_buf_done(&err));
  if (r.later) r.later(&r);
  cue_arena_free(a);
  return r.unprinted ? 1 : code;
}
