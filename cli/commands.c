/* commands.c - every command of opm. */
#include "cli/run.h"

static const Flag global_flags[] = {
    {FLAG_SIMPLIFY, FLAG_BOOL, 's', "simplify", NULL, "simplify output"},
    {FLAG_IGNORE, FLAG_BOOL, 'i', "ignore", NULL, "proceed in the presence of errors"},
    {FLAG_ALL_ERRORS, FLAG_BOOL, 'E', "all-errors", NULL, "print all available errors"},
    {FLAG_HELP, FLAG_BOOL, 'h', "help", NULL, NULL},
    {0},
};
static const Flag output_flags[] = {
    {FLAG_OUT, FLAG_TEXT, 0, "out", NULL, "output format: json, yaml, toml, cue, text or binary"},
    {FLAG_OUTFILE, FLAG_TEXT, 'o', "outfile", NULL, "file to write, or - for stdout; a format and a colon may stand before it"},
    {FLAG_FORCE, FLAG_BOOL, 'f', "force", NULL, "overwrite existing files"},
    {0},
};
static const Flag data_flags[] = {
    {FLAG_PACKAGE, FLAG_TEXT, 'p', "package", NULL, "package name for non-CUE files"},
    {FLAG_SCHEMA, FLAG_TEXT, 'd', "schema", NULL, "expression that selects the schema for values in non-CUE files"},
    {FLAG_PATH, FLAG_TEXTS, 'l', "path", NULL, "CUE expression for one component of the path where data is placed"},
    {FLAG_LIST, FLAG_BOOL, 0, "list", NULL, "concatenate the values of a file into a list"},
    {FLAG_WITH_CONTEXT, FLAG_BOOL, 0, "with-context", NULL, "-l sees data, filename, index and recordCount in place of the data's fields"},
    {FLAG_NAME, FLAG_TEXT, 'n', "name", NULL, "regexp that names of non-CUE files in folders must match"},
    {FLAG_MERGE, FLAG_BOOL, 0, "merge", "true", "merge non-CUE files with each other and with CUE"},
    {FLAG_PROTO_PATH, FLAG_TEXTS, 'I', "proto_path", NULL, "paths in which to search for imports"},
    {FLAG_PROTO_ENUM, FLAG_TEXT, 0, "proto_enum", "int", "mode for rendering enums (int|json)"},
    {FLAG_STRICT, FLAG_BOOL, 0, "strict", NULL, "report errors for lossy mappings"},
    {0},
};
static const Flag inject_flags[] = {
    {FLAG_INJECT, FLAG_TEXTS, 't', "inject", NULL, "set the value of a tagged field"},
    {FLAG_INJECT_VARS, FLAG_BOOL, 'T', "inject-vars", NULL, "inject system variables in tags"},
    {0},
};
static const Flag export_flags[] = {
    {FLAG_EXPRESSION, FLAG_TEXTS, 'e', "expression", NULL, "export this expression only; may be repeated"},
    {FLAG_ESCAPE, FLAG_BOOL, 0, "escape", NULL, "use HTML escaping"},
    {0},
};
static const Flag eval_flags[] = {
    {FLAG_EXPRESSION, FLAG_TEXTS, 'e', "expression", NULL, "evaluate this expression only; may be repeated"},
    {FLAG_CONCRETE, FLAG_BOOL, 'c', "concrete", NULL, "require the evaluation to be concrete"},
    {FLAG_HIDDEN, FLAG_BOOL, 'H', "show-hidden", NULL, "display hidden fields"},
    {FLAG_OPTIONAL, FLAG_BOOL, 'O', "show-optional", NULL, "display optional fields"},
    {FLAG_ATTRIBUTES, FLAG_BOOL, 'A', "show-attributes", NULL, "display field attributes"},
    {FLAG_ALL, FLAG_BOOL, 'a', "all", NULL, "show optional and hidden fields"},
    {0},
};
static const Flag def_flags[] = {
    {FLAG_EXPRESSION, FLAG_TEXTS, 'e', "expression", NULL, "show this expression only; may be repeated"},
    {FLAG_ATTRIBUTES, FLAG_BOOL, 'A', "show-attributes", NULL, "display field attributes"},
    {FLAG_INLINE_IMPORTS, FLAG_BOOL, 0, "inline-imports", NULL, "expand references to non-core imports"},
    {0},
};
static const Flag vet_flags[] = {
    {FLAG_CONCRETE, FLAG_BOOL, 'c', "concrete", NULL, "require the evaluation to be concrete; -c=false allows incomplete values"},
    {0},
};
static const Flag fmt_flags[] = {
    {FLAG_CHECK, FLAG_BOOL, 0, "check", NULL, "exit with non-zero status if any files are not formatted"},
    {FLAG_DIFF, FLAG_BOOL, 'd', "diff", NULL, "display diffs instead of rewriting files"},
    {FLAG_FILES, FLAG_BOOL, 0, "files", NULL, "treat arguments as paths to files or directories to recursively format"},
    {0},
};

static const Command cue_commands[] = {
    {.name = "export", .run = run_export, .flags = (const Flag *const[]){output_flags, data_flags, inject_flags, export_flags, global_flags, NULL}},
    {.name = "eval", .run = run_eval, .flags = (const Flag *const[]){output_flags, data_flags, inject_flags, eval_flags, global_flags, NULL}},
    {.name = "def", .run = run_def, .flags = (const Flag *const[]){output_flags, data_flags, inject_flags, def_flags, global_flags, NULL}},
    {.name = "vet", .run = run_vet, .flags = (const Flag *const[]){data_flags, inject_flags, vet_flags, global_flags, NULL}},
    {.name = "fmt", .run = run_fmt, .flags = (const Flag *const[]){fmt_flags, global_flags, NULL}},
    {0},
};
static const Command opm_commands[] = {
    {.name = "cue", .commands = cue_commands},
    {0},
};
const Command cli_commands = {.name = "opm", .commands = opm_commands};

const Command *command_find(const Command *in, CueStr name) {
  for (const Command *c = in->commands; c && c->name; c++)
    if (cue_str_is(name, c->name)) return c;
  return NULL;
}
void help_text(CueBuf *out, const Command *c, CueStr path) { cue_buf_f(out, "%s %.*s\n", c->name, CUE_FMT(path)); }
