/* commands_mod.c - the commands of `opm mod`. */
#include "cli/table.h"

static const Flag init_flags[] = {
    {FLAG_TEMPLATE, FLAG_TEXT, 't', "template", "simple|standard|advanced", "standard", NULL,
     "what the module starts as"},
    OPTION(FLAG_DIR, 'd', "dir", "DIR", "folder to make, in place of one named NAME"),
    {0},
};
static const Flag tidy_flags[] = {
    SWITCH(FLAG_CHECK, 0, "check", "change nothing; exit with 1 if something would change"),
    {0},
};

const Flag render_flags[] = {
    OPTIONS(FLAG_VALUES, 'f', "values", "FILE",
            "values in place of values.cue: CUE, YAML or JSON, - for stdin; may be repeated"),
    OPTION(FLAG_NAMESPACE, 'n', "namespace", "NAME", "namespace of the release"),
    OPTION(FLAG_NAME, 0, "name", "NAME", "name of the release, if not that of the module"),
    ALIAS(FLAG_NAME, "release-name", "NAME"),
    OPTION(FLAG_PROVIDER, 0, "provider", "NAME", "provider whose transformers are used"),
    OPTION(FLAG_ENVIRONMENT, 0, "environment", "NAME", "environment whose namespace and values count"),
    OPTION(FLAG_ENVIRONMENTS, 0, "environments", "PATH", "folder or file with environments, in place of the module's"),
    {0},
};

static const Flag compile_flags[] = {
    OPTION(FLAG_OUTFILE, 'o', "output", "FILE", "write the compiled module to a file, and not to the cache"),
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
    {FLAG_COMPILE, FLAG_TEXT, 0, "compile", "never|background|wait", NULL, "OPM_COMPILE",
     "what to do if the module is not compiled: evaluate it, have it compiled for the next time as well (the default), or "
     "compile it first"},
    SWITCH(FLAG_SPLIT, 0, "split", "write one file for each object"),
    {FLAG_OUT_DIR, FLAG_TEXT, 0, "out-dir", "DIR", "./manifests", NULL, "folder for these files; implies --split"},
    {0},
};

const Command mod_commands[] = {
    {
        .name = "init",
        .use = "NAME [flags]",
        .summary = "make a new module",
        .text = "Makes a folder with a module that can be built at once. NAME consists of lower-case letters,\n"
                "digits and hyphens, a letter first. The templates:\n"
                "\n"
                "  simple     one component, all in a few files\n"
                "  standard   a web server and an API, with a staging and a production environment\n"
                "  advanced   web server, API, worker and database, components in a package of their own,\n"
                "             environments\n",
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
        .text = "Evaluates the module in PATH (this folder if none is named) with its values, gives each\n"
                "component to the transformers of the provider that match it, and prints the objects in\n"
                "the order in which they are to be applied. With -f, the files named take the place of\n"
                "values.cue. With --environment, its namespace counts and its values win over the module's.\n"
                "\n"
                "The namespace is that of --namespace, the environment, $OPM_NAMESPACE, the module's\n"
                "metadata.defaultNamespace, the configuration, or \"default\": the first that is set. Where\n"
                "--namespace and the environment name different ones, that is an error.\n"
                "\n"
                "A module that is compiled is rendered by that code, and otherwise evaluated; what is printed is the\n"
                "same. With --compile, $OPM_COMPILE or config.compile it is never compiled, or in the background once\n"
                "its manifests are printed, or before.\n",
        .examples = "# the module of this folder\n"
                    "opm mod build\n"
                    "# for an environment, as files\n"
                    "opm mod build ./shop --environment production --out-dir manifests/production\n"
                    "# with other values, and why each object is made\n"
                    "opm mod build -f values.yaml -f secrets.json --verbose\n",
        .flags = FLAGS(render_flags, build_flags, opm_flags),
        .run = run_mod_build,
    },
    {
        .name = "compile",
        .use = "[PATH] [flags]",
        .arg = "DIR",
        .summary = "compile a module, so that it renders without being evaluated",
        .text =
            "Compiles #config and #components of the module in PATH (this folder if none is named) by way of C to\n"
            "a shared object, which needs a C compiler: $CC, cc, gcc, clang or tcc. It goes to the cache, where\n"
            "opm mod build finds it as long as nothing the module is made of has changed. Values are no part of\n"
            "it. A file can be named in place of a folder, on a machine without compiler and sources, for example.\n"
            "\n"
            "There is no need for this command: opm mod build has modules compiled that are not, see its flag\n"
            "--compile.\n",
        .examples = "opm mod compile\n"
                    "opm mod compile ./shop --release\n"
                    "# a file that renders without CUE\n"
                    "opm mod compile ./shop --release -o shop.so\n"
                    "opm mod build shop.so -f values.yaml\n"
                    "# as a C compiler gets it\n"
                    "opm mod compile ./shop --emit-c generated\n",
        .flags = FLAGS(compile_flags, opm_flags),
        .run = run_mod_compile,
    },
    {
        .name = "vet",
        .use = "[PATH] [flags]",
        .arg = "DIR",
        .summary = "check that a module renders, and report everything that is wrong",
        .text = "Does what build does, and prints no manifests: values are checked against #config, components\n"
                "must be concrete, each must match a transformer, and what comes out must be valid.\n",
        .examples = "opm mod vet\n"
                    "opm mod vet ./shop --environment production\n"
                    "opm mod vet -f values-test.cue\n",
        .flags = FLAGS(render_flags, opm_flags),
        .run = run_mod_vet,
    },
    {
        .name = "tidy",
        .use = "[PATH] [flags]",
        .summary = "bring the dependencies of a module in line with its imports",
        .text = "Adds to cue.mod/module.cue the modules that the imports need, directly or through others, and\n"
                "takes out those that nothing needs. A version that is named stays, unless a module that is\n"
                "needed asks for a higher one. Modules come from inside opm, or from the module cache\n"
                "($OPM_CACHE_DIR, config.cacheDir, or that of cue); nothing is downloaded. Comments and all\n"
                "other fields of the file are kept.\n",
        .examples = "# the module of this folder\n"
                    "opm mod tidy\n"
                    "# fail if it is not tidy, as in CI\n"
                    "opm mod tidy --check ./apps/my-app\n",
        .arg = "DIR",
        .flags = FLAGS(tidy_flags, opm_flags),
        .run = run_mod_tidy,
    },
    {0},
};
