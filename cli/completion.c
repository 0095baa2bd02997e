/* completion.c - scripts that complete commands in a shell, made of the table of commands.
**
** Each script first finds the command that the words so far lead to, past flags and their values,
** and then offers what that command has. Nothing is asked of opm while completing.
*/
#include <string.h>

#include "cli/log.h"

static bool takes_value(const Flag *f) { return f->type != FLAG_BOOL; }

/* The words of "a|b|c", each behind `before`. */
static void put_words(CueBuf *out, const char *choices, const char *between) {
  for (const char *p = choices; *p; p++) {
    if (*p == '|')
      cue_buf_z(out, between);
    else
      cue_buf_ch(out, *p);
  }
}

/* Text between single quotes of a shell. */
static void put_quoted(CueBuf *out, const char *text) {
  cue_buf_ch(out, '\'');
  for (; *text; text++) {
    if (*text == '\'')
      cue_buf_z(out, "'\\''");
    else
      cue_buf_ch(out, *text);
  }
  cue_buf_ch(out, '\'');
}

/* ---- bash ---- */

static void bash_offer(CueBuf *out, const char *value) {
  switch (value_kind(value)) {
  case VALUE_FILE: cue_buf_z(out, "_opm_files -f"); break;
  case VALUE_DIR: cue_buf_z(out, "_opm_files -d"); break;
  case VALUE_WORDS:
    cue_buf_z(out, "_opm_words '");
    put_words(out, value, " ");
    cue_buf_z(out, "'");
    break;
  case VALUE_ANY: cue_buf_z(out, ":"); break;
  }
}

/* `'opm mod build --output' | 'opm mod build -o'`, for a case. */
static void bash_pattern(CueBuf *out, CueStr path, const Flag *f) {
  cue_buf_f(out, "'%.*s --%s'", CUE_FMT(path), f->name);
  if (f->letter) cue_buf_f(out, " | '%.*s -%c'", CUE_FMT(path), f->letter);
}

static void bash_steps(void *user, const Command *c, CueStr path) {
  CueBuf *out = user;
  for (const Command *sub = c->commands; sub && sub->name; sub++)
    if (!sub->hidden)
      cue_buf_f(out, "    '%.*s %s') path='%.*s %s' ;;\n", CUE_FMT(path), sub->name, CUE_FMT(path), sub->name);
}

static void bash_skips(void *user, const Command *c, CueStr path) {
  CueBuf *out = user;
  EACH_FLAG (f, c) {
    if (!takes_value(f)) continue;
    cue_buf_z(out, "    ");
    bash_pattern(out, path, f);
    cue_buf_z(out, ") i=$((i + 1)) ;;\n");
  }
}

static void bash_values(void *user, const Command *c, CueStr path) {
  CueBuf *out = user;
  EACH_FLAG (f, c) {
    if (!takes_value(f)) continue;
    cue_buf_z(out, "  ");
    bash_pattern(out, path, f);
    cue_buf_z(out, ") ");
    bash_offer(out, f->value);
    cue_buf_z(out, "; return ;;\n");
  }
}

static void bash_flags(void *user, const Command *c, CueStr path) {
  CueBuf *out = user;
  cue_buf_f(out, "    '%.*s') _opm_words '", CUE_FMT(path));
  const char *between = "";
  EACH_FLAG (f, c) {
    if (!f->help) continue;
    cue_buf_f(out, "%s--%s", between, f->name);
    between = " ";
    if (f->letter) cue_buf_f(out, " -%c", f->letter);
  }
  cue_buf_z(out, "' ;;\n");
}

static void bash_args(void *user, const Command *c, CueStr path) {
  CueBuf *out = user;
  if (!c->commands && value_kind(c->arg) == VALUE_ANY) return;
  cue_buf_f(out, "  '%.*s') ", CUE_FMT(path));
  if (c->commands) {
    cue_buf_z(out, "_opm_words '");
    const char *between = "";
    for (const Command *sub = c->commands; sub->name; sub++) {
      if (sub->hidden) continue;
      cue_buf_f(out, "%s%s", between, sub->name);
      between = " ";
    }
    cue_buf_z(out, "'");
  } else {
    bash_offer(out, c->arg);
  }
  cue_buf_z(out, " ;;\n");
}

static void bash_script(Run *r) {
  CueBuf *out = r->out;
  CueStr root = CUE_STR("opm");
  cue_buf_z(out, "# bash completion of opm, made by `opm completion bash`.\n"
                 "\n"
                 "_opm_words() {\n"
                 "  local IFS=$' \\t\\n'\n"
                 "  COMPREPLY=($(compgen -W \"$1\" -- \"$cur\"))\n"
                 "}\n"
                 "\n"
                 "# $1: -f for files, -d for folders\n"
                 "_opm_files() {\n"
                 "  local IFS=$'\\n'\n"
                 "  COMPREPLY=($(compgen \"$1\" -- \"$cur\"))\n"
                 "  compopt -o filenames 2>/dev/null\n"
                 "}\n"
                 "\n"
                 "_opm() {\n"
                 "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} path=opm i\n"
                 "  COMPREPLY=()\n"
                 "  # --flag=value is three words\n"
                 "  if [[ $cur == = ]]; then\n"
                 "    cur=\n"
                 "  elif [[ $prev == = ]]; then\n"
                 "    prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
                 "  fi\n"
                 "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
                 "    [[ ${COMP_WORDS[i + 1]} == = ]] && i=$((i + 2)) && continue\n"
                 "    case \"$path ${COMP_WORDS[i]}\" in\n");
  command_each(r->a, &cli_commands, root, bash_steps, out);
  command_each(r->a, &cli_commands, root, bash_skips, out);
  cue_buf_z(out, "    esac\n"
                 "  done\n"
                 "  case \"$path $prev\" in\n");
  command_each(r->a, &cli_commands, root, bash_values, out);
  cue_buf_z(out, "  esac\n"
                 "  if [[ $cur == -* ]]; then\n"
                 "    case $path in\n");
  command_each(r->a, &cli_commands, root, bash_flags, out);
  cue_buf_z(out, "    esac\n"
                 "    return\n"
                 "  fi\n"
                 "  case $path in\n");
  command_each(r->a, &cli_commands, root, bash_args, out);
  cue_buf_z(out, "  esac\n"
                 "}\n"
                 "\n"
                 "complete -F _opm opm\n");
}

/* ---- zsh ---- */

/* Text in the specification of an option: brackets and colons mean something there. */
static void zsh_text(CueBuf *out, const char *text) {
  for (; *text; text++) {
    if (strchr("[]:\\", *text)) cue_buf_ch(out, '\\');
    if (*text == '\'')
      cue_buf_z(out, "'\\''");
    else
      cue_buf_ch(out, *text);
  }
}

static void zsh_action(CueBuf *out, const char *value) {
  switch (value_kind(value)) {
  case VALUE_FILE: cue_buf_z(out, "_files"); break;
  case VALUE_DIR: cue_buf_z(out, "_files -/"); break;
  case VALUE_WORDS:
    cue_buf_ch(out, '(');
    put_words(out, value, " ");
    cue_buf_ch(out, ')');
    break;
  case VALUE_ANY: break;
  }
}

/* One option in its specification: a flag with a letter is two that exclude each other. */
static void zsh_option(CueBuf *out, const Flag *f, bool letter) {
  cue_buf_z(out, "    '");
  if (f->type == FLAG_TEXTS)
    cue_buf_ch(out, '*');
  else if (f->letter)
    cue_buf_f(out, "(-%c --%s)", f->letter, f->name);
  if (letter)
    cue_buf_f(out, "-%c%s", f->letter, takes_value(f) ? "+" : "");
  else
    cue_buf_f(out, "--%s%s", f->name, takes_value(f) ? "=" : "");
  cue_buf_ch(out, '[');
  zsh_text(out, f->help);
  cue_buf_ch(out, ']');
  if (takes_value(f)) {
    cue_buf_ch(out, ':');
    zsh_text(out, value_kind(f->value) == VALUE_WORDS ? f->name : f->value);
    cue_buf_ch(out, ':');
    zsh_action(out, f->value);
  }
  cue_buf_z(out, "' \\\n");
}

/* "opm mod build" as the name of a function. */
static void zsh_name(CueBuf *out, CueStr path) {
  cue_buf_ch(out, '_');
  for (size_t i = 0; i < path.n; i++) cue_buf_ch(out, path.s[i] == ' ' ? '_' : path.s[i]);
}

static void zsh_function(void *user, const Command *c, CueStr path) {
  CueBuf *out = user;
  zsh_name(out, path);
  cue_buf_z(out, "() {\n");
  if (c->commands) cue_buf_z(out, "  local state line\n");
  cue_buf_f(out, "  _arguments -s%s \\\n", c->commands ? " -C" : "");
  EACH_FLAG (f, c) {
    if (!f->help) continue;
    zsh_option(out, f, false);
    if (f->letter) zsh_option(out, f, true);
  }
  if (!c->commands) {
    if (c->arg) {
      cue_buf_z(out, "    '*:");
      zsh_text(out, value_kind(c->arg) == VALUE_WORDS ? "word" : c->arg);
      cue_buf_ch(out, ':');
      zsh_action(out, c->arg);
      cue_buf_z(out, "' \\\n");
    }
    cue_buf_z(out, "    && return\n}\n\n");
    return;
  }
  cue_buf_z(out, "    '1: :->command' \\\n"
                 "    '*:: :->rest' && return\n"
                 "  case $state in\n"
                 "  command)\n"
                 "    local -a commands=(\n");
  for (const Command *sub = c->commands; sub->name; sub++) {
    if (sub->hidden) continue;
    CueBuf text = cue_buf(out->a);
    cue_buf_f(&text, "%s:%s", sub->name, sub->summary);
    cue_buf_z(out, "      ");
    put_quoted(out, cue_buf_done(&text).s);
    cue_buf_ch(out, '\n');
  }
  cue_buf_z(out, "    )\n"
                 "    _describe command commands\n"
                 "    ;;\n"
                 "  rest)\n"
                 "    case $line[1] in\n");
  for (const Command *sub = c->commands; sub->name; sub++) {
    if (sub->hidden) continue;
    cue_buf_f(out, "    %s) ", sub->name);
    zsh_name(out, path);
    cue_buf_f(out, "_%s ;;\n", sub->name);
  }
  cue_buf_z(out, "    esac\n"
                 "    ;;\n"
                 "  esac\n"
                 "}\n\n");
}

static void zsh_script(Run *r) {
  cue_buf_z(r->out, "#compdef opm\n"
                    "# zsh completion of opm, made by `opm completion zsh`.\n\n");
  command_each(r->a, &cli_commands, CUE_STR("opm"), zsh_function, r->out);
  cue_buf_z(r->out, "if [[ $funcstack[1] == _opm ]]; then\n"
                    "  _opm \"$@\"\n"
                    "else\n"
                    "  compdef _opm opm\n"
                    "fi\n");
}

/* ---- fish ---- */

static void fish_steps(void *user, const Command *c, CueStr path) {
  CueBuf *out = user;
  for (const Command *sub = c->commands; sub && sub->name; sub++)
    if (!sub->hidden)
      cue_buf_f(out, "            case '%.*s %s'\n                set path '%.*s %s'\n", CUE_FMT(path), sub->name,
                CUE_FMT(path), sub->name);
}

static void fish_skips(void *user, const Command *c, CueStr path) {
  CueBuf *out = user;
  EACH_FLAG (f, c) {
    if (!takes_value(f)) continue;
    cue_buf_f(out, "            case '%.*s --%s'", CUE_FMT(path), f->name);
    if (f->letter) cue_buf_f(out, " '%.*s -%c'", CUE_FMT(path), f->letter);
    cue_buf_z(out, "\n                set skip 1\n");
  }
}

/* -r wants a value; -f offers no files for it. */
static void fish_offer(CueBuf *out, const char *value) {
  switch (value_kind(value)) {
  case VALUE_FILE: cue_buf_z(out, " -r -F"); break;
  case VALUE_DIR: cue_buf_z(out, " -r -f -a '(__fish_complete_directories)'"); break;
  case VALUE_WORDS:
    cue_buf_z(out, " -r -f -a '");
    put_words(out, value, " ");
    cue_buf_z(out, "'");
    break;
  case VALUE_ANY: cue_buf_z(out, " -r -f"); break;
  }
}

static void fish_command(void *user, const Command *c, CueStr path) {
  CueBuf *out = user;
  CueStr at = cue_strf(out->a, "complete -c opm -n '__opm_at \"%.*s\"'", CUE_FMT(path));
  for (const Command *sub = c->commands; sub && sub->name; sub++) {
    if (sub->hidden) continue;
    cue_buf_f(out, "%.*s -f -a %s -d ", CUE_FMT(at), sub->name);
    put_quoted(out, sub->summary);
    cue_buf_ch(out, '\n');
  }
  if (!c->commands && value_kind(c->arg) == VALUE_FILE) cue_buf_f(out, "%.*s -F\n", CUE_FMT(at));
  if (!c->commands && value_kind(c->arg) == VALUE_DIR)
    cue_buf_f(out, "%.*s -f -a '(__fish_complete_directories)'\n", CUE_FMT(at));
  if (!c->commands && value_kind(c->arg) == VALUE_WORDS) {
    cue_buf_f(out, "%.*s -f -a '", CUE_FMT(at));
    put_words(out, c->arg, " ");
    cue_buf_z(out, "'\n");
  }
  EACH_FLAG (f, c) {
    if (!f->help) continue;
    cue_buf_f(out, "%.*s -l %s", CUE_FMT(at), f->name);
    if (f->letter) cue_buf_f(out, " -s %c", f->letter);
    if (takes_value(f)) fish_offer(out, f->value);
    cue_buf_z(out, " -d ");
    put_quoted(out, f->help);
    cue_buf_ch(out, '\n');
  }
}

static void fish_script(Run *r) {
  CueBuf *out = r->out;
  CueStr root = CUE_STR("opm");
  cue_buf_z(out, "# fish completion of opm, made by `opm completion fish`.\n"
                 "\n"
                 "# Whether the words so far lead to a command.\n"
                 "function __opm_at\n"
                 "    set -l path opm\n"
                 "    set -l skip 0\n"
                 "    for word in (commandline -opc)[2..-1]\n"
                 "        if test $skip = 1\n"
                 "            set skip 0\n"
                 "            continue\n"
                 "        end\n"
                 "        switch \"$path $word\"\n");
  command_each(r->a, &cli_commands, root, fish_steps, out);
  command_each(r->a, &cli_commands, root, fish_skips, out);
  cue_buf_z(out, "        end\n"
                 "    end\n"
                 "    test \"$path\" = \"$argv[1]\"\n"
                 "end\n"
                 "\n"
                 "complete -c opm -f\n");
  command_each(r->a, &cli_commands, root, fish_command, out);
}

ExitCode run_completion(Run *r) {
  static const struct {
    const char *shell;
    void (*script)(Run *r);
  } shells[] = {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};
  CueStr shell = r->flags.args.n == 1 ? r->flags.args.at[0] : CUE_STR("");
  for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
    if (!cue_str_is(shell, shells[i].shell)) continue;
    shells[i].script(r);
    return EXIT_OK;
  }
  if (shell.n) return run_usage(r, "opm completion knows bash, zsh and fish, not \"%.*s\"", CUE_FMT(shell));
  return run_usage(r, "opm completion needs the name of a shell: bash, zsh or fish");
}
