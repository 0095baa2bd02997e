/* help.c - help made of the table of commands. */
#include <string.h>

#include "cli/table.h"

/* Columns of a flag's name and of what stands for its value. */
static size_t flag_width(const Flag *f) { return strlen(f->name) + (f->value ? 1 + strlen(f->value) : 0); }

void help_flags(CueBuf *out, const Command *c, bool global) {
  size_t width = 0;
  EACH_FLAG (f, c)
    if (f->help && flag_width(f) > width) width = flag_width(f);
  EACH_FLAG (f, c) {
    if (!f->help || (*group == opm_flags) != global) continue;
    if (f->letter)
      cue_buf_f(out, "  -%c, ", f->letter);
    else
      cue_buf_z(out, "      ");
    cue_buf_f(out, "--%s%s%s", f->name, f->value ? " " : "", f->value ? f->value : "");
    cue_buf_repeat(out, ' ', width - flag_width(f) + 3);
    cue_buf_z(out, f->help);
    if (f->preset && f->env)
      cue_buf_f(out, " (default $%s, or %s)", f->env, f->preset);
    else if (f->preset || f->env)
      cue_buf_f(out, " (default %s%s)", f->env ? "$" : "", f->env ? f->env : f->preset);
    cue_buf_ch(out, '\n');
  }
}

static void put_flags(CueBuf *out, const Command *c, const char *title, bool global) {
  CueBuf list = cue_buf(out->a);
  help_flags(&list, c, global);
  CueStr text = cue_buf_done(&list);
  if (text.n) cue_buf_f(out, "\n%s:\n%.*s", title, CUE_FMT(text));
}

static void put_commands(CueBuf *out, const Command *c) {
  size_t width = 0;
  for (const Command *sub = c->commands; sub->name; sub++)
    if (!sub->hidden && strlen(sub->name) > width) width = strlen(sub->name);
  cue_buf_z(out, "\nCommands:\n");
  for (const Command *sub = c->commands; sub->name; sub++) {
    if (sub->hidden) continue;
    cue_buf_f(out, "  %s", sub->name);
    cue_buf_repeat(out, ' ', width - strlen(sub->name) + 3);
    cue_buf_f(out, "%s\n", sub->summary);
  }
}

static void put_indented(CueBuf *out, const char *lines) {
  for (const char *end; *lines; lines = *end ? end + 1 : end) {
    end = strchr(lines, '\n');
    if (!end) end = lines + strlen(lines);
    cue_buf_f(out, "  %.*s\n", (int)(end - lines), lines);
  }
}

void help_text(CueBuf *out, const Command *c, CueStr path) {
  if (c->text)
    cue_buf_z(out, c->text);
  else
    cue_buf_f(out, "%s: %s\n", c->name, c->summary);
  cue_buf_f(out, "\nUsage:\n  %.*s %s\n", CUE_FMT(path), c->use);
  if (c->commands) put_commands(out, c);
  put_flags(out, c, "Flags", false);
  put_flags(out, c, "Global flags", true);
  if (c->examples) {
    cue_buf_z(out, "\nExamples:\n");
    put_indented(out, c->examples);
  }
  if (c->notes) cue_buf_f(out, "\n%s", c->notes);
  if (c->commands) cue_buf_f(out, "\nUse \"%.*s [command] --help\" for more about a command.\n", CUE_FMT(path));
}
