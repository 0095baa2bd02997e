/* commands_mod.c - the commands of `opm mod`. */
#include "cli/table.h"

static const Flag init_flags[] = {
    {FLAG_TEMPLATE, FLAG_TEXT, 't', "template", "simple|standard|advanced", "standard", NULL, "template to start from"},
    OPTION(FLAG_DIR, 'd', "dir", "DIR", "folder to create, instead of one named NAME"),
    {0},
};
static const Flag tidy_flags[] = {
    SWITCH(FLAG_CHECK, 0, "check", "change nothing, and exit with 1 if something would change"),
    {0},
};

const Flag release_flags[] = {
    OPTIONS(FLAG_VALUES, 'f', "values", "FILE",
            "values instead of values.cue: CUE, YAML or JSON, - for stdin; may be repeated"),
    OPTION(FLAG_NAMESPACE, 'n', "namespace", "NAME", "namespace of the release"),
    OPTION(FLAG_NAME, 0, "name", "NAME", "name of the release (default: the name of the module)"),
    ALIAS(FLAG_NAME, "release-name", "NAME"),
    OPTION(FLAG_PROVIDER, 0, "provider", "NAME", "provider whose transformers are used"),
    OPTION(FLAG_ENVIRONMENTS, 0, "environments", "PATH", "folder or file with environments, instead of the module's"),
    {0},
};
const Flag environment_flags[] = {
    OPTION(FLAG_ENVIRONMENT, 0, "environment", "NAME", "environment to render for: its namespace and values are used"),
    {0},
};

static const Flag compile_flags[] = {
    OPTION(FLAG_OUTFILE, 'o', "output", "FILE", "write the compiled module to a file instead of the cache"),
    SWITCH(FLAG_RELEASE, 0, "release", "optimize: takes longer, runs faster"),
    OPTION(FLAG_EMIT_C, 0, "emit-c", "DIR", "write the C, and the header it includes, to a folder"),
    {FLAG_BACKGROUND, FLAG_BOOL, 0, "background", NULL, NULL, NULL, NULL},
    ALIAS(FLAG_PROVIDER, "provider", "NAME"),
    OPTION(FLAG_NAME, 0, "name", "NAME", "the release to compile, of a package that has several written out"),
    {0},
};

static const Flag build_flags[] = {
    {FLAG_OUTPUT, FLAG_TEXT, 'o', "output", "yaml|json", "yaml", NULL, "yaml or json"},
    ALIAS(FLAG_OUTPUT, "output-format", "yaml|json"),
    {FLAG_COMPILE, FLAG_TEXT, 0, "compile", "never|background|wait", "background", "OPM_COMPILE",
     "if the module is not compiled: evaluate it; evaluate it, and compile it for the next run; or compile it first"},
    SWITCH(FLAG_SPLIT, 0, "split", "write one file for each object"),
    {FLAG_OUT_DIR, FLAG_TEXT, 0, "out-dir", "DIR", "./manifests", NULL, "folder for the files; implies --split"},
    {0},
};

const Command mod_commands[] = {
    {
        .name = "init",
        .use = "NAME [flags]",
        .summary = "create a new module",
        .text = "Creates a folder with a module that builds at once. NAME consists of lower-case letters, digits\n"
                "and hyphens, and starts with a letter. The templates:\n"
                "\n"
                "  simple     one component, all in a few files\n"
                "  standard   a web server and an API, with a staging and a production environment\n"
                "  advanced   web server, API, worker and database, components in a package of their own,\n"
                "             two environments\n",
        .examples = "opm mod init my-app\n"
                    "opm mod init my-app --template simple\n"
                    "opm mod init my-app --template advanced --dir apps/my-app\n",
        .arg = "NAME",
        .flags = FLAGS(init_flags, opm_flags),
        .run = run_mod_init,
    },
    {
        .name = "build",
        .use = "[PATH] [flags]",
        .arg = "DIR",
        .summary = "render a module as Kubernetes manifests",
        .text =
            "Evaluates the module in PATH (default: the current folder) with its values, passes each\n"
            "component to the transformers of the provider that match it, and prints the objects in\n"
            "the order in which they should be applied. Files given with -f replace values.cue. With\n"
            "--environment, the environment's values override the module's, and its namespace is used.\n"
            "\n"
            "The namespace is the first that is set of: --namespace, the environment, $OPM_NAMESPACE, the\n"
            "module's metadata.defaultNamespace, the configuration, \"default\". It is an error if --namespace\n"
            "and the environment name different ones.\n"
            "\n"
            "A module that is compiled is rendered by its compiled code; otherwise it is evaluated. The output is\n"
            "the same. --compile, $OPM_COMPILE or config.compile choose whether a module is never compiled, in the\n"
            "background after its manifests are printed, or before.\n",
        .examples = "# the module in the current folder\n"
                    "opm mod build\n"
                    "# for an environment, as files\n"
                    "opm mod build ./shop --environment production --out-dir manifests/production\n"
                    "# with other values, showing why each object is made\n"
                    "opm mod build -f values.yaml -f secrets.json --verbose\n",
        .flags = FLAGS(release_flags, environment_flags, build_flags, opm_flags),
        .run = run_mod_build,
    },
    {
        .name = "compile",
        .use = "[PATH] [flags]",
        .arg = "DIR",
        .summary = "compile a module, so that it renders without evaluation",
        .text =
            "Compiles #config and #components of the module in PATH (default: the current folder) to C, and that\n"
            "to a shared object with a C compiler: $CC, cc, gcc, clang or tcc. It goes to the cache, where opm mod\n"
            "build finds it as long as nothing the module is made from has changed. Values are not part of it. A\n"
            "file written with -o can be given to opm mod build in place of a folder, for instance on a machine\n"
            "that has neither compiler nor sources.\n"
            "\n"
            "This command is seldom needed: opm mod build compiles modules by itself, see its flag --compile.\n",
        .examples = "opm mod compile\n"
                    "opm mod compile ./shop --release\n"
                    "# a file that can be rendered without the CUE sources\n"
                    "opm mod compile ./shop --release -o shop.so\n"
                    "opm mod build shop.so -f values.yaml\n"
                    "# the C, as the C compiler gets it\n"
                    "opm mod compile ./shop --emit-c generated\n",
        .flags = FLAGS(compile_flags, opm_flags),
        .run = run_mod_compile,
    },
    {
        .name = "vet",
        .use = "[PATH] [flags]",
        .arg = "DIR",
        .summary = "check that a module renders, and report everything that is wrong",
        .text = "Does what build does, but prints no manifests: values are checked against #config, components must\n"
                "be concrete, each must match a transformer, and the resulting objects must be valid.\n",
        .examples = "opm mod vet\n"
                    "opm mod vet ./shop --environment production\n"
                    "opm mod vet -f values-test.cue\n",
        .flags = FLAGS(release_flags, environment_flags, opm_flags),
        .run = run_mod_vet,
    },
    {
        .name = "tidy",
        .use = "[PATH] [flags]",
        .summary = "bring the dependencies of a module in line with its imports",
        .text = "Adds to cue.mod/module.cue the modules that the imports need, directly or through others, and\n"
                "removes those that are not needed. A version in the file stays, unless a needed module asks\n"
                "for a higher one. Modules are those built into opm and those of the module cache\n"
                "($OPM_CACHE_DIR, config.cacheDir, or that of cue); nothing is downloaded. Comments and all\n"
                "other fields of the file are kept.\n",
        .examples = "# the module in the current folder\n"
                    "opm mod tidy\n"
                    "# fail if it is not tidy, for CI\n"
                    "opm mod tidy --check ./apps/my-app\n",
        .arg = "DIR",
        .flags = FLAGS(tidy_flags, opm_flags),
        .run = run_mod_tidy,
    },
    {0},
};
