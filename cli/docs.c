/* docs.c - man pages and docs/commands.md, made of the table of commands. */
#include <string.h>

#include "cli/log.h"
#include "compiler/load_fs.h"

/* ---- Markdown ---- */

/* Paragraphs; those that are set off by blanks keep their lines. */
static void markdown_text(CueBuf *out, const char *text) {
  while (*text) {
    const char *end = strstr(text, "\n\n");
    size_t n = end ? (size_t)(end - text) + 1 : strlen(text);
    const char *fence = *text == ' ' ? "```text\n" : "", *close = *text == ' ' ? "```\n" : "";
    cue_buf_f(out, "\n%s%.*s%s", fence, (int)n, text, close);
    text += n + (end != NULL);
  }
}

/* A summary as a sentence. */
static void markdown_sentence(CueBuf *out, const char *text) {
  char c = *text;
  cue_buf_ch(out, c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c);
  cue_buf_f(out, "%s.\n", text + 1);
}

static void markdown_command(void *user, const Command *c, CueStr path) {
  CueBuf *out = user, flags = cue_buf(out->a);
  bool global = c == &cli_commands;
  cue_buf_f(out, "\n## %.*s\n\n", CUE_FMT(path));
  markdown_sentence(out, c->summary);
  cue_buf_f(out, "\n```\n%.*s %s\n```\n", CUE_FMT(path), c->use);
  if (c->text) markdown_text(out, c->text);
  help_flags(&flags, c, global);
  CueStr list = cue_buf_done(&flags);
  if (list.n) cue_buf_f(out, "\n%s:\n\n```text\n%.*s```\n", global ? "Global flags" : "Flags", CUE_FMT(list));
  if (c->examples) cue_buf_f(out, "\nExamples:\n\n```sh\n%s```\n", c->examples);
  if (c->notes) cue_buf_f(out, "\n```text\n%s```\n", c->notes);
}

static void markdown_contents(void *user, const Command *c, CueStr path) {
  CueBuf *out = user;
  if (c->commands) return;
  cue_buf_f(out, "| [%.*s](#", CUE_FMT(path));
  for (size_t i = 0; i < path.n; i++) cue_buf_ch(out, path.s[i] == ' ' ? '-' : path.s[i]);
  cue_buf_f(out, ") | %s |\n", c->summary);
}

ExitCode run_docs_commands(Run *r) {
  CueStr root = CUE_STR("opm");
  cue_buf_z(r->out, "# Commands\n"
                    "\n"
                    "Made by `make docs` of the table that `--help`, man pages and completions are made of.\n"
                    "\n"
                    "| command | what it does |\n"
                    "|---|---|\n");
  command_each(r->a, &cli_commands, root, markdown_contents, r->out);
  command_each(r->a, &cli_commands, root, markdown_command, r->out);
  return EXIT_OK;
}

/* ---- man pages ---- */

/* Text in which nothing is a request or an escape of troff. */
static void man_text(CueBuf *out, CueStr text) {
  for (size_t i = 0; i < text.n; i++) {
    char c = text.s[i];
    bool start = i == 0 || text.s[i - 1] == '\n';
    if (start && (c == '.' || c == '\'')) cue_buf_z(out, "\\&");
    if (c == '\\')
      cue_buf_z(out, "\\e");
    else if (c == '-')
      cue_buf_z(out, "\\-");
    else
      cue_buf_ch(out, c);
  }
}

static void man_z(CueBuf *out, const char *text) { man_text(out, cue_str(text)); }

/* Lines as they are. */
static void man_block(CueBuf *out, const char *text) {
  cue_buf_z(out, ".PP\n.nf\n");
  man_z(out, text);
  cue_buf_z(out, ".fi\n");
}

static void man_flag(CueBuf *out, const Flag *f) {
  cue_buf_z(out, ".TP\n\\fB");
  if (f->letter) cue_buf_f(out, "\\-%c\\fR, \\fB", f->letter);
  cue_buf_z(out, "\\-\\-");
  man_z(out, f->name);
  cue_buf_z(out, "\\fR");
  if (f->value) {
    cue_buf_z(out, " \\fI");
    man_z(out, f->value);
    cue_buf_z(out, "\\fR");
  }
  cue_buf_ch(out, '\n');
  man_z(out, f->help);
  if (f->env) cue_buf_f(out, " (variable %s)", f->env);
  if (f->preset) {
    cue_buf_z(out, " (default ");
    man_z(out, f->preset);
    cue_buf_ch(out, ')');
  }
  cue_buf_ch(out, '\n');
}

static CueStr man_name(CueArena *a, CueStr path) {
  CueBuf b = cue_buf(a);
  for (size_t i = 0; i < path.n; i++) cue_buf_ch(&b, path.s[i] == ' ' ? '-' : path.s[i]);
  return cue_buf_done(&b);
}

static CueStr man_page(CueArena *a, const Command *c, CueStr path) {
  CueBuf b = cue_buf(a), *out = &b;
  CueStr name = man_name(a, path);
  cue_buf_z(out, ".TH \"");
  for (size_t i = 0; i < name.n; i++)
    cue_buf_ch(out, name.s[i] >= 'a' && name.s[i] <= 'z' ? (char)(name.s[i] - 32) : name.s[i]);
  cue_buf_z(out, "\" 1 \"\" opm \"Commands of opm\"\n.SH NAME\n");
  man_text(out, name);
  cue_buf_z(out, " \\- ");
  man_z(out, c->summary);
  cue_buf_z(out, "\n.SH SYNOPSIS\n\\fB");
  man_text(out, path);
  cue_buf_z(out, "\\fR ");
  man_z(out, c->use);
  cue_buf_ch(out, '\n');
  if (c->text) {
    cue_buf_z(out, ".SH DESCRIPTION\n");
    man_block(out, c->text);
  }
  if (c->commands) {
    cue_buf_z(out, ".SH COMMANDS\n");
    for (const Command *sub = c->commands; sub->name; sub++) {
      if (sub->hidden) continue;
      cue_buf_z(out, ".TP\n\\fB");
      man_text(out, cue_strf(a, "%.*s-%s", CUE_FMT(name), sub->name));
      cue_buf_z(out, "\\fR(1)\n");
      man_z(out, sub->summary);
      cue_buf_ch(out, '\n');
    }
  }
  cue_buf_z(out, ".SH OPTIONS\n");
  EACH_FLAG (f, c)
    if (f->help) man_flag(out, f);
  if (c->examples) {
    cue_buf_z(out, ".SH EXAMPLES\n");
    man_block(out, c->examples);
  }
  if (c->notes) {
    cue_buf_z(out, ".SH NOTES\n");
    man_block(out, c->notes);
  }
  return cue_buf_done(out);
}

typedef struct {
  Run *r;
  CueStr dir;
  ExitCode code;
} ManPages;

static void write_page(void *user, const Command *c, CueStr path) {
  ManPages *m = user;
  CueArena *a = m->r->a;
  CueStr error, file = cue_strf(a, "%.*s/%.*s.1", CUE_FMT(m->dir), CUE_FMT(man_name(a, path)));
  if (m->code != EXIT_OK || write_file(a, file, man_page(a, c, path), true, &error)) return;
  m->code = exit_of_errno();
  cue_buf_f(m->r->err, "%.*s\n", CUE_FMT(error));
}

ExitCode run_docs_man(Run *r) {
  CueStr error;
  if (r->flags.args.n != 1 || !r->flags.args.at[0].n)
    return run_usage(r, "opm docs man takes exactly one argument, the folder to write to");
  ManPages m = {r, r->flags.args.at[0], EXIT_OK};
  if (!make_dirs(r->a, m.dir, 0777, &error)) {
    m.code = exit_of_errno();
    cue_buf_f(r->err, "%.*s\n", CUE_FMT(error));
    return m.code;
  }
  command_each(r->a, &cli_commands, CUE_STR("opm"), write_page, &m);
  return m.code;
}
