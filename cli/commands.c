/* commands.c - the program and its groups of commands, with their flags, help and examples.
**
** The commands of a group are in commands_GROUP.c. A flag that several commands share stands in
** one group of flags. What a flag does is in the code that asks for it by its FlagId.
*/
#include "cli/table.h"

const Flag opm_flags[] = {
    {FLAG_CONFIG, FLAG_TEXT, 0, "config", "FILE", "~/.opm/config.cue", "OPM_CONFIG", "configuration file"},
    {FLAG_REGISTRY, FLAG_TEXT, 0, "registry", "MAPPING", NULL, "OPM_REGISTRY", "registries that modules come from"},
    SWITCH(FLAG_VERBOSE, 'v', "verbose", "tell more on stderr"),
    {FLAG_TIMESTAMPS, FLAG_BOOL, 0, "timestamps", NULL, "true", NULL, "begin lines of the log with the time"},
    SWITCH(FLAG_HELP, 'h', "help", "show this text"),
    {0},
};
static const Flag version_flags[] = {
    {FLAG_OUTPUT, FLAG_TEXT, 'o', "output", "text|json", "text", NULL, "text or json"},
    ALIAS(FLAG_OUTPUT, "output-format", "text|json"),
    {0},
};

static const Command docs_commands[] = {
    {
        .name = "man",
        .use = "DIR [flags]",
        .summary = "write a man page for each command",
        .examples = "opm docs man share/man/man1\n",
        .arg = "DIR",
        .flags = FLAGS(opm_flags),
        .run = run_docs_man,
    },
    {
        .name = "commands",
        .use = "[flags]",
        .summary = "print the commands as Markdown",
        .examples = "opm docs commands > docs/commands.md\n",
        .flags = FLAGS(opm_flags),
        .run = run_docs_commands,
    },
    {0},
};

static const Flag explain_flags[] = {
    {FLAG_OUTPUT, FLAG_TEXT, 'o', "output", "text|yaml|json", "text", NULL, "text, yaml or json"},
    {0},
};

static const Command opm_commands[] = {
    {
        .name = "cache",
        .use = "[command]",
        .summary = "compiled code that is kept for later runs",
        .text = "Modules and providers are compiled once and kept in $XDG_CACHE_HOME/opm, or ~/.cache/opm. An entry\n"
                "counts only as long as everything it was made of is the same.\n",
        .examples = "opm cache ls\n"
                    "opm cache verify kubernetes.so\n"
                    "opm cache gc --older-than 2w\n",
        .flags = FLAGS(opm_flags),
        .commands = cache_commands,
    },
    {
        .name = "catalog",
        .use = "[command]",
        .summary = "the OPM catalog inside the program",
        .examples = "opm catalog list\n"
                    "opm catalog extract DIR\n",
        .flags = FLAGS(opm_flags),
        .commands = catalog_commands,
    },
    {
        .name = "completion",
        .use = "bash|zsh|fish [flags]",
        .summary = "print a script that completes commands in a shell",
        .text = "Prints a script that makes a shell complete commands, flags and their values. It is made of\n"
                "the same table as this help, and needs nothing but the shell.\n",
        .examples = "# bash, for this session\n"
                    "source <(opm completion bash)\n"
                    "# zsh, for all sessions: a folder of $fpath\n"
                    "opm completion zsh > ~/.zfunc/_opm\n"
                    "# fish, for all sessions\n"
                    "opm completion fish > ~/.config/fish/completions/opm.fish\n",
        .arg = "bash|zsh|fish",
        .flags = FLAGS(opm_flags),
        .run = run_completion,
    },
    {
        .name = "config",
        .use = "[command]",
        .summary = "make and check the configuration file",
        .text = "The configuration is CUE: which providers there are, and defaults for flags. Flags count\n"
                "before variables, variables before the file, the file before what is built in. Commands\n"
                "that need no configuration do not read it.\n",
        .examples = "opm config init\n"
                    "opm config vet\n",
        .flags = FLAGS(opm_flags),
        .commands = config_commands,
    },
    {
        .name = "cue",
        .use = "[command]",
        .summary = "evaluate, check and format CUE",
        .text = "The commands of cue, with its flags, its output and its exit codes.\n",
        .examples = "opm cue export app.cue --out yaml\n"
                    "opm cue vet schema.cue data.json\n",
        .flags = FLAGS(cue_flags),
        .commands = cue_commands,
    },
    {
        .name = "docs",
        .use = "[command]",
        .summary = "write the documentation of the commands",
        .hidden = true,
        .flags = FLAGS(opm_flags),
        .commands = docs_commands,
    },
    {
        .name = "env",
        .use = "[command]",
        .summary = "the environments of a module, and their values",
        .examples = "opm env list\n"
                    "opm env show production\n"
                    "opm env diff staging production --manifests\n",
        .flags = FLAGS(opm_flags),
        .commands = env_commands,
    },
    {
        .name = "explain",
        .use = "FIELD [PATH] [flags]",
        .arg = "DIR",
        .summary = "tell what made a field of a rendered object",
        .text = "Renders the module in PATH (this folder if none is named) and prints the chain of declarations that\n"
                "made a field, the newest first: the transformer's expression, the component's field, #config, and\n"
                "the values, the environment or the default that it came from. Each has its text and its place, and\n"
                "what was overridden is shown as well.\n"
                "\n"
                "FIELD is KIND/NAME.PATH, or NAMESPACE/KIND/NAME.PATH. The kind may be plural or short (deploy, svc);\n"
                "the kind or the name alone will do if only one object has it. Elements of lists are named by index\n"
                "or by their name. Without a path, or where it ends in a struct, the fields below are listed with\n"
                "their origins.\n",
        .examples = "# what decides about the replicas in production\n"
                    "opm explain deployment/web.spec.replicas --environment production\n"
                    "# of a module elsewhere; elements of lists by name\n"
                    "opm explain deploy/web.spec.template.spec.containers[web].image ./shop\n"
                    "# a key with dots\n"
                    "opm explain svc/web.metadata.labels.app.kubernetes.io/name\n"
                    "# every field, and where it came from\n"
                    "opm explain deployment/web\n",
        .flags = FLAGS(explain_flags, render_flags, opm_flags),
        .run = run_explain,
    },
    {
        .name = "fleet",
        .use = "[command]",
        .summary = "render many releases in one go",
        .text = "A fleet is a list of releases: which module, under which name, where, with which values.\n",
        .examples = "opm fleet build fleet.jsonl\n"
                    "opm fleet build fleet.yaml --out-dir manifests --prune\n",
        .flags = FLAGS(opm_flags),
        .commands = fleet_commands,
    },
    {
        .name = "mod",
        .use = "[command]",
        .summary = "make, render and check modules",
        .text = "A module is a folder of CUE: components, a schema for what can be set, and values.\n",
        .examples = "opm mod init my-app\n"
                    "opm mod build ./my-app --environment production\n"
                    "opm mod vet\n",
        .flags = FLAGS(opm_flags),
        .commands = mod_commands,
    },
    {
        .name = "provider",
        .use = "[command]",
        .summary = "compile providers",
        .examples = "opm provider compile --explain\n"
                    "opm provider compile --emit-c generated\n",
        .flags = FLAGS(opm_flags),
        .commands = provider_commands,
    },
    {
        .name = "version",
        .use = "[flags]",
        .summary = "print the version of opm and of the CUE language",
        .text = "Prints the version of opm, the commit it was built of and when that was made, the compiler it\n"
                "was built with, and the version of the CUE language it implements.\n",
        .examples = "opm version\n"
                    "opm version -o json\n",
        .flags = FLAGS(version_flags, opm_flags),
        .run = run_version,
    },
    {0},
};

const Command cli_commands = {
    .name = "opm",
    .use = "[command]",
    .summary = "render OPM modules as Kubernetes manifests, and evaluate CUE",
    .text = "opm makes Kubernetes manifests of modules of the Open Platform Model, and evaluates CUE.\n"
            "It needs no network, no registry and no configuration for the catalog that is inside it.\n",
    .examples = "opm mod init my-app\n"
                "opm mod build my-app\n"
                "opm mod build my-app --environment production\n"
                "opm cue export app.cue\n"
                "opm help mod build\n",
    .notes = "Exit codes:\n"
             "  0   all went well\n"
             "  1   wrong usage, or anything that no other code names\n"
             "  2   the CUE, the values or the configuration are not valid\n"
             "  3   a registry or a cluster cannot be reached\n"
             "  4   permission denied\n"
             "  5   a module, file or release was not found\n"
             "The commands of opm cue have those of cue: 0, or 1 when something is wrong.\n"
             "\n"
             "Environment:\n"
             "  OPM_CONFIG       configuration file\n"
             "  OPM_REGISTRY     registries that modules come from\n"
             "  OPM_CACHE_DIR    folder of downloaded modules, in place of CUE_CACHE_DIR\n"
             "  OPM_COMPILE      what opm mod build does with a module that is not compiled\n"
             "  XDG_CACHE_HOME   folder whose subfolder opm has compiled code\n"
             "  OPM_NAMESPACE    namespace of releases\n"
             "  OPM_KUBECONFIG   kubeconfig file\n"
             "  OPM_CONTEXT      context in it\n"
             "  NO_COLOR         if set, nothing is coloured\n",
    .flags = FLAGS(opm_flags),
    .commands = opm_commands,
};

void command_each(CueArena *a, const Command *c, CueStr path, CommandFn *fn, void *user) {
  if (c->hidden) return;
  fn(user, c, path);
  for (const Command *sub = c->commands; sub && sub->name; sub++)
    command_each(a, sub, cue_strf(a, "%.*s %s", CUE_FMT(path), sub->name), fn, user);
}

const Command *command_find(const Command *in, CueStr name) {
  for (const Command *c = in->commands; c && c->name; c++)
    if (cue_str_is(name, c->name)) return c;
  return NULL;
}
