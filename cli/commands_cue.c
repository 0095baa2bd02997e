/* commands_cue.c - the commands of `opm cue`: names, flags and letters are cue's. */
#include "cli/table.h"

const Flag cue_flags[] = {
    SWITCH(FLAG_SIMPLIFY, 's', "simplify", "simplify output"),
    SWITCH(FLAG_IGNORE, 'i', "ignore", "proceed in the presence of errors"),
    SWITCH(FLAG_ALL_ERRORS, 'E', "all-errors", "print all available errors (all are always printed)"),
    SWITCH(FLAG_HELP, 'h', "help", "show this text"),
    {0},
};
static const Flag output_flags[] = {
    OPTION(FLAG_OUT, 0, "out", "FORMAT", "output format: json, yaml, toml, cue, text or binary"),
    OPTION(FLAG_OUTFILE, 'o', "outfile", "FILE", "file to write, or - for stdout; \"yaml:name\" names its format"),
    SWITCH(FLAG_FORCE, 'f', "force", "overwrite an existing file"),
    {0},
};
static const Flag data_flags[] = {
    OPTION(FLAG_PACKAGE, 'p', "package", "NAME", "package name for non-CUE files"),
    OPTION(FLAG_SCHEMA, 'd', "schema", "EXPR", "expression that selects the schema for values in non-CUE files"),
    OPTIONS(FLAG_PATH, 'l', "path", "EXPR", "CUE expression for one component of the path where data is placed"),
    SWITCH(FLAG_LIST, 0, "list", "concatenate the values of a file into a list"),
    SWITCH(FLAG_WITH_CONTEXT, 0, "with-context", "-l sees data, filename, index and recordCount"),
    OPTION(FLAG_NAME, 'n', "name", "GLOB", "accepted as in cue; data files are read only if they are named"),
    {FLAG_MERGE, FLAG_BOOL, 0, "merge", NULL, "true", NULL, "merge non-CUE files"},
    SWITCH(FLAG_STRICT, 0, "strict", "report errors for lossy mappings (no format read here has any)"),
    OPTIONS(FLAG_PROTO_PATH, 'I', "proto_path", "DIR", "accepted as in cue; protobuf is not read"),
    {FLAG_PROTO_ENUM, FLAG_TEXT, 0, "proto_enum", "FORM", "int", NULL, "accepted as in cue; protobuf is not read"},
    {0},
};
static const Flag inject_flags[] = {
    OPTIONS(FLAG_INJECT, 't', "inject", "NAME=VALUE", "set the value of a tagged field: name=value"),
    SWITCH(FLAG_INJECT_VARS, 'T', "inject-vars", "inject system variables in tags"),
    {0},
};
static const Flag export_flags[] = {
    OPTIONS(FLAG_EXPRESSION, 'e', "expression", "EXPR", "export this expression only; may be repeated"),
    SWITCH(FLAG_ESCAPE, 0, "escape", "use HTML escaping"),
    {0},
};
static const Flag eval_flags[] = {
    OPTIONS(FLAG_EXPRESSION, 'e', "expression", "EXPR", "evaluate this expression only; may be repeated"),
    SWITCH(FLAG_CONCRETE, 'c', "concrete", "require the evaluation to be concrete"),
    SWITCH(FLAG_HIDDEN, 'H', "show-hidden", "display hidden fields"),
    SWITCH(FLAG_OPTIONAL, 'O', "show-optional", "display optional fields"),
    SWITCH(FLAG_ATTRIBUTES, 'A', "show-attributes", "display field attributes"),
    SWITCH(FLAG_ALL, 'a', "all", "show optional and hidden fields"),
    {0},
};
static const Flag def_flags[] = {
    OPTIONS(FLAG_EXPRESSION, 'e', "expression", "EXPR", "show this expression only; may be repeated"),
    SWITCH(FLAG_ATTRIBUTES, 'A', "show-attributes", "display field attributes (always displayed)"),
    SWITCH(FLAG_INLINE_IMPORTS, 0, "inline-imports", "expand references to non-core imports"),
    {0},
};
static const Flag vet_flags[] = {
    SWITCH(FLAG_CONCRETE, 'c', "concrete", "require concrete values; -c=false allows incomplete ones"),
    {0},
};
static const Flag fmt_flags[] = {
    SWITCH(FLAG_CHECK, 0, "check", "exit with non-zero status if any files are not formatted"),
    SWITCH(FLAG_DIFF, 'd', "diff", "display diffs instead of rewriting files"),
    SWITCH(FLAG_FILES, 0, "files", "arguments are files, or folders to search for files"),
    {0},
};

const Command cue_commands[] = {
    {
        .name = "export",
        .use = "[packages and files] [flags]",
        .summary = "print a configuration as data",
        .text =
            "Evaluates a configuration and prints it as data: JSON, or another format named by\n"
            "--out or by the name of --outfile. Everything printed must be concrete.\n"
            "\n"
            "Arguments are packages (., ./x, ./..., .:name, example.com/x), CUE files, and data files\n"
            "(.json .jsonl .yaml .yml .toml .txt), which are merged with the CUE. \"-\" is stdin;\n"
            "\"yaml:\" before a file names its format. Without arguments it is the package in the current folder.\n",
        .examples = "# the package in the current folder as JSON\n"
                    "opm cue export\n"
                    "# two expressions of a file as YAML documents\n"
                    "opm cue export app.cue -e service -e deployment --out yaml\n"
                    "# data merged with a package, written to a file\n"
                    "opm cue export .:app values.yaml -o app.json --force\n"
                    "# each document of a file at a path of its own\n"
                    "opm cue export -l kind -l metadata.name objects.yaml\n",
        .flags = FLAGS(export_flags, output_flags, data_flags, inject_flags, cue_flags),
        .run = run_export,
    },
    {
        .name = "eval",
        .use = "[packages and files] [flags]",
        .summary = "evaluate a configuration and print it as CUE",
        .text = "Evaluates a configuration and prints the result as CUE. Values need not be concrete.\n"
                "Nothing is printed for what has errors, unless -i is given.\n",
        .examples = "# the package in the current folder\n"
                    "opm cue eval\n"
                    "# what an expression comes to\n"
                    "opm cue eval app.cue -e 'len(ports)'\n"
                    "# with optional and hidden fields\n"
                    "opm cue eval -a app.cue\n"
                    "# only if all is concrete\n"
                    "opm cue eval -c app.cue\n",
        .flags = FLAGS(eval_flags, output_flags, data_flags, inject_flags, cue_flags),
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
        .flags = FLAGS(vet_flags, data_flags, inject_flags, cue_flags),
        .run = run_vet,
    },
    {
        .name = "def",
        .use = "[packages and files] [flags]",
        .summary = "print a configuration as one CUE file",
        .text = "Merges the files of a package into one, with definitions, references and comments.\n",
        .examples = "# the package in the current folder as one file\n"
                    "opm cue def\n"
                    "# one definition, with what it refers to\n"
                    "opm cue def -e '#Service'\n"
                    "# nothing imported but core packages\n"
                    "opm cue def --inline-imports\n",
        .flags = FLAGS(def_flags, output_flags, data_flags, inject_flags, cue_flags),
        .run = run_def,
    },
    {
        .name = "fmt",
        .use = "[packages or files] [flags]",
        .summary = "lay out CUE files in the standard form",
        .text = "Rewrites the CUE files of packages, also those that build attributes leave out.\n"
                "\"-\" formats stdin to stdout.\n",
        .examples = "# the package in the current folder\n"
                    "opm cue fmt\n"
                    "# every CUE file below this folder\n"
                    "opm cue fmt --files .\n"
                    "# fail, and name what is not formatted\n"
                    "opm cue fmt --check ./...\n"
                    "# show what would change\n"
                    "opm cue fmt --diff app.cue\n",
        .flags = FLAGS(fmt_flags, cue_flags),
        .run = run_fmt,
    },
    {0},
};
