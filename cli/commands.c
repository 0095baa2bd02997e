/* commands.c - every command of opm, with its flags, its help and its examples.
**
** A flag that several commands share stands in one group. What a flag does is in the code that
** asks for it by its FlagId.
*/
#include "cli/run.h"

/* ---- flags ---- */

static const Flag help_flag[] = {
    {FLAG_HELP, FLAG_BOOL, 'h', "help", NULL, "show this text"},
    {0},
};
static const Flag global_flags[] = {
    {FLAG_SIMPLIFY, FLAG_BOOL, 's', "simplify", NULL, "simplify output"},
    {FLAG_IGNORE, FLAG_BOOL, 'i', "ignore", NULL, "proceed in the presence of errors"},
    {FLAG_ALL_ERRORS, FLAG_BOOL, 'E', "all-errors", NULL, "print all available errors (all are always printed)"},
    {FLAG_HELP, FLAG_BOOL, 'h', "help", NULL, "show this text"},
    {0},
};
static const Flag output_flags[] = {
    {FLAG_OUT, FLAG_TEXT, 0, "out", NULL, "output format: json, yaml, toml, cue, text or binary"},
    {FLAG_OUTFILE, FLAG_TEXT, 'o', "outfile", NULL, "file to write, or - for stdout; \"yaml:name\" names its format"},
    {FLAG_FORCE, FLAG_BOOL, 'f', "force", NULL, "overwrite an existing file"},
    {0},
};
static const Flag data_flags[] = {
    {FLAG_PACKAGE, FLAG_TEXT, 'p', "package", NULL, "package name for non-CUE files"},
    {FLAG_SCHEMA, FLAG_TEXT, 'd', "schema", NULL, "expression that selects the schema for values in non-CUE files"},
    {FLAG_PATH, FLAG_TEXTS, 'l', "path", NULL, "CUE expression for one component of the path where data is placed"},
    {FLAG_LIST, FLAG_BOOL, 0, "list", NULL, "concatenate the values of a file into a list"},
    {FLAG_WITH_CONTEXT, FLAG_BOOL, 0, "with-context", NULL, "-l sees data, filename, index and recordCount"},
    {FLAG_NAME, FLAG_TEXT, 'n', "name", NULL, "accepted for cue; data files are only read where they are named"},
    {FLAG_MERGE, FLAG_BOOL, 0, "merge", "true", "merge non-CUE files"},
    {FLAG_STRICT, FLAG_BOOL, 0, "strict", NULL, "report errors for lossy mappings (no format read here has any)"},
    {FLAG_PROTO_PATH, FLAG_TEXTS, 'I', "proto_path", NULL, "accepted for cue; protobuf is not read"},
    {FLAG_PROTO_ENUM, FLAG_TEXT, 0, "proto_enum", "int", "accepted for cue; protobuf is not read"},
    {0},
};
static const Flag inject_flags[] = {
    {FLAG_INJECT, FLAG_TEXTS, 't', "inject", NULL, "set the value of a tagged field: name=value"},
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
    {FLAG_ATTRIBUTES, FLAG_BOOL, 'A', "show-attributes", NULL, "display field attributes (always displayed)"},
    {FLAG_INLINE_IMPORTS, FLAG_BOOL, 0, "inline-imports", NULL, "expand references to non-core imports"},
    {0},
};
static const Flag vet_flags[] = {
    {FLAG_CONCRETE, FLAG_BOOL, 'c', "concrete", NULL, "require concrete values; -c=false allows incomplete ones"},
    {0},
};
static const Flag fmt_flags[] = {
    {FLAG_CHECK, FLAG_BOOL, 0, "check", NULL, "exit with non-zero status if any files are not formatted"},
    {FLAG_DIFF, FLAG_BOOL, 'd', "diff", NULL, "display diffs instead of rewriting files"},
    {FLAG_FILES, FLAG_BOOL, 0, "files", NULL, "arguments are files, or folders to search for files"},
    {0},
};
static const Flag version_flags[] = {
    {FLAG_OUTPUT, FLAG_TEXT, 'o', "output", "text", "text or json"},
    {0},
};

#define FLAGS(...) ((const Flag *const[]){__VA_ARGS__, NULL})

/* ---- commands ---- */

static const Command cue_commands[] = {
    {
        .name = "export",
        .use = "[packages and files] [flags]",
        .summary = "print a configuration as data",
        .text = "Evaluates a configuration and prints it as data: JSON, or another format named by\n"
                "--out or by the name of --outfile. Everything printed must be concrete.\n"
                "\n"
                "Arguments are packages (., ./x, ./..., .:name, example.com/x), CUE files, and data files\n"
                "(.json .jsonl .yaml .yml .toml .txt), which are merged with the CUE. \"-\" is stdin;\n"
                "\"yaml:\" before a file names its format. Without arguments it is the package of this folder.\n",
        .examples = "# the package of this folder as JSON\n"
                    "opm cue export\n"
                    "# two expressions of a file as YAML documents\n"
                    "opm cue export app.cue -e service -e deployment --out yaml\n"
                    "# data merged with a package, written to a file\n"
                    "opm cue export .:app values.yaml -o app.json --force\n"
                    "# each document of a file at a path of its own\n"
                    "opm cue export -l kind -l metadata.name objects.yaml\n",
        .flags = FLAGS(export_flags, output_flags, data_flags, inject_flags, global_flags),
        .run = run_export,
    },
    {
        .name = "eval",
        .use = "[packages and files] [flags]",
        .summary = "evaluate a configuration and print it as CUE",
        .text = "Evaluates a configuration and prints the result as CUE. Values need not be concrete.\n"
                "Nothing is printed for what has errors, unless -i is given.\n",
        .examples = "# the package of this folder\n"
                    "opm cue eval\n"
                    "# what an expression comes to\n"
                    "opm cue eval app.cue -e 'len(ports)'\n"
                    "# with optional and hidden fields\n"
                    "opm cue eval -a app.cue\n"
                    "# only if all is concrete\n"
                    "opm cue eval -c app.cue\n",
        .flags = FLAGS(eval_flags, output_flags, data_flags, inject_flags, global_flags),
        .run = run_eval,
    },
    {
        .name = "vet",
        .use = "[packages and files] [flags]",
        .summary = "check a configuration, or data against it",
        .text = "Reports what is wrong and prints nothing otherwise. With data files, each of their\n"
                "documents is checked against the CUE given with them, or against the schema in it\n"
                "that -d selects.\n",
        .examples = "# all packages below this folder; incomplete values are fine\n"
                    "opm cue vet -c=false ./...\n"
                    "# data against a file\n"
                    "opm cue vet schema.cue data.yaml\n"
                    "# data against a definition of a package\n"
                    "opm cue vet -d '#Service' . service.json\n",
        .flags = FLAGS(vet_flags, data_flags, inject_flags, global_flags),
        .run = run_vet,
    },
    {
        .name = "def",
        .use = "[packages and files] [flags]",
        .summary = "print a configuration as one CUE file",
        .text = "Merges the files of a package into one, with definitions, references and comments.\n",
        .examples = "# the package of this folder as one file\n"
                    "opm cue def\n"
                    "# one definition, with what it refers to\n"
                    "opm cue def -e '#Service'\n"
                    "# nothing imported but core packages\n"
                    "opm cue def --inline-imports\n",
        .flags = FLAGS(def_flags, output_flags, data_flags, inject_flags, global_flags),
        .run = run_def,
    },
    {
        .name = "fmt",
        .use = "[packages or files] [flags]",
        .summary = "lay out CUE files in the standard form",
        .text = "Rewrites the CUE files of packages, also those that build attributes leave out.\n"
                "\"-\" formats stdin to stdout.\n",
        .examples = "# the package of this folder\n"
                    "opm cue fmt\n"
                    "# every CUE file below this folder\n"
                    "opm cue fmt --files .\n"
                    "# fail, and name what is not formatted\n"
                    "opm cue fmt --check ./...\n"
                    "# show what would change\n"
                    "opm cue fmt --diff app.cue\n",
        .flags = FLAGS(fmt_flags, global_flags),
        .run = run_fmt,
    },
    {0},
};

static const Command catalog_commands[] = {
    {
        .name = "list",
        .use = "[flags]",
        .summary = "name the modules inside the program",
        .examples = "opm catalog list\n",
        .flags = FLAGS(help_flag),
        .run = run_catalog_list,
    },
    {
        .name = "extract",
        .use = "DIR [flags]",
        .summary = "write the modules inside the program as a CUE module cache",
        .text = "Writes every module to DIR/mod/extract, as cue keeps modules it has fetched. With\n"
                "CUE_CACHE_DIR=DIR, cue and editors see what opm sees. Files that are there are replaced.\n",
        .examples = "opm catalog extract ~/.cache/opm-catalog\n"
                    "CUE_CACHE_DIR=~/.cache/opm-catalog CUE_REGISTRY=none cue vet ./...\n",
        .flags = FLAGS(help_flag),
        .run = run_catalog_extract,
    },
    {0},
};

static const Command opm_commands[] = {
    {
        .name = "catalog",
        .use = "[command]",
        .summary = "the OPM catalog inside the program",
        .examples = "opm catalog list\n"
                    "opm catalog extract DIR\n",
        .flags = FLAGS(help_flag),
        .commands = catalog_commands,
    },
    {
        .name = "cue",
        .use = "[command]",
        .summary = "evaluate, check and format CUE",
        .text = "The commands of cue, with its flags, its output and its exit codes.\n",
        .examples = "opm cue export app.cue --out yaml\n"
                    "opm cue vet schema.cue data.json\n",
        .flags = FLAGS(global_flags),
        .commands = cue_commands,
    },
    {
        .name = "version",
        .use = "[flags]",
        .summary = "print the version of opm and of the CUE language",
        .examples = "opm version\n"
                    "opm version -o json\n",
        .flags = FLAGS(version_flags, help_flag),
        .run = run_version,
    },
    {0},
};

const Command cli_commands = {
    .name = "opm",
    .use = "[command]",
    .text = "opm evaluates CUE natively.\n",
    .examples = "opm cue export app.cue\n"
                "opm help cue vet\n",
    .flags = FLAGS(help_flag),
    .commands = opm_commands,
};

const Command *command_find(const Command *in, CueStr name) {
  for (const Command *c = in->commands; c && c->name; c++)
    if (cue_str_is(name, c->name)) return c;
  return NULL;
}
