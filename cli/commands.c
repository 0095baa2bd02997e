/* commands.c - the program and its groups of commands, with their flags, help and examples.
**
** The commands of a group are in commands_GROUP.c. A flag that several commands share stands in
** one group of flags. What a flag does is in the code that asks for it by its FlagId.
*/
#include "cli/table.h"

const Flag opm_flags[] = {
    {FLAG_CONFIG, FLAG_TEXT, 0, "config", "FILE", "~/.opm/config.cue", "OPM_CONFIG", "configuration file"},
    {FLAG_REGISTRY, FLAG_TEXT, 0, "registry", "MAPPING", NULL, "OPM_REGISTRY", "registries that modules come from"},
    SWITCH(FLAG_VERBOSE, 'v', "verbose", "log more details to stderr"),
    {FLAG_TIMESTAMPS, FLAG_BOOL, 0, "timestamps", NULL, "true", NULL, "start each log line with the time"},
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
        .summary = "manage the cache of compiled code",
        .text = "Modules and providers are compiled once and kept in $XDG_CACHE_HOME/opm, or ~/.cache/opm. An entry\n"
                "is used only as long as nothing it was made from has changed.\n",
        .examples = "opm cache ls\n"
                    "opm cache verify kubernetes.so\n"
                    "opm cache gc --older-than 2w\n",
        .flags = FLAGS(opm_flags),
        .commands = cache_commands,
    },
    {
        .name = "catalog",
        .use = "[command]",
        .summary = "list or extract the OPM catalog built into opm",
        .examples = "opm catalog list\n"
                    "opm catalog extract DIR\n",
        .flags = FLAGS(opm_flags),
        .commands = catalog_commands,
    },
    {
        .name = "completion",
        .use = "bash|zsh|fish [flags]",
        .summary = "print a script that completes commands in a shell",
        .text = "Prints a script that makes a shell complete commands, flags and their values. It needs\n"
                "nothing but the shell.\n",
        .examples = "# bash, for this session\n"
                    "source <(opm completion bash)\n"
                    "# zsh, for all sessions: into a folder of $fpath\n"
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
        .summary = "create and check the configuration file",
        .text = "The configuration is a CUE file: it lists the providers and sets defaults. Flags take precedence\n"
                "over environment variables, these over the file, and the file over the built-in defaults.\n"
                "Commands that need no configuration do not read it.\n",
        .examples = "opm config init\n"
                    "opm config vet\n",
        .flags = FLAGS(opm_flags),
        .commands = config_commands,
    },
    {
        .name = "cue",
        .use = "[command]",
        .summary = "evaluate, check and format CUE",
        .text = "The commands of cue, with the same flags, output and exit codes.\n",
        .examples = "opm cue export app.cue --out yaml\n"
                    "opm cue vet schema.cue data.json\n",
        .flags = FLAGS(cue_flags),
        .commands = cue_commands,
    },
    {
        .name = "docs",
        .use = "[command]",
        .summary = "write the documentation of the commands",
        .examples = "opm docs man share/man/man1\n"
                    "opm docs commands > docs/commands.md\n",
        .hidden = true,
        .flags = FLAGS(opm_flags),
        .commands = docs_commands,
    },
    {
        .name = "env",
        .use = "[command]",
        .summary = "list, show and compare the environments of a module",
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
        .summary = "show where a field of a rendered object comes from",
        .text = "Renders the module in PATH (default: the current folder) and prints the chain of declarations behind\n"
                "a field, starting at the object: the transformer's expression, the component's field, #config, and\n"
                "the values file, environment or default that set it. Each is shown with its text and its place,\n"
                "and so is what was overridden.\n"
                "\n"
                "FIELD is KIND/NAME.PATH, or NAMESPACE/KIND/NAME.PATH. The kind may be plural or short (deploy, svc);\n"
                "the kind or the name alone is enough if only one object has it. List elements are given by index or\n"
                "by name. Without a path, or if it ends at a struct, all fields below it are listed with their\n"
                "origins.\n",
        .examples = "# what sets the replicas in production\n"
                    "opm explain deployment/web.spec.replicas --environment production\n"
                    "# of a module in another folder; a list element by name\n"
                    "opm explain deploy/web.spec.template.spec.containers[web].image ./shop\n"
                    "# a key with dots\n"
                    "opm explain svc/web.metadata.labels.app.kubernetes.io/name\n"
                    "# every field, and where it comes from\n"
                    "opm explain deployment/web\n",
        .flags = FLAGS(explain_flags, release_flags, environment_flags, opm_flags),
        .run = run_explain,
    },
    {
        .name = "fleet",
        .use = "[command]",
        .summary = "render many releases in one run",
        .text = "A fleet is a list of releases: for each a module, a name, a namespace and values.\n",
        .examples = "opm fleet build fleet.jsonl\n"
                    "opm fleet build fleet.yaml --out-dir manifests --prune\n",
        .flags = FLAGS(opm_flags),
        .commands = fleet_commands,
    },
    {
        .name = "mod",
        .use = "[command]",
        .summary = "create, render and check modules",
        .text = "A module is a folder of CUE files: components, a schema of what can be set, and values.\n",
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
        .text = "Prints the version of opm, the commit it was built from and its date, the compiler it was built\n"
                "with, and the version of the CUE language it implements.\n",
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
    .text = "opm renders modules of the Open Platform Model (OPM) as Kubernetes manifests, and evaluates CUE.\n"
            "The OPM catalog is built in: it needs no network, no registry and no configuration.\n",
    .examples = "opm mod init my-app\n"
                "opm mod build my-app\n"
                "opm mod build my-app --environment production\n"
                "opm cue export app.cue\n"
                "opm help mod build\n",
    .notes = "Exit codes:\n"
             "  0   success\n"
             "  1   wrong usage, or an error that has no code of its own\n"
             "  2   the CUE, the values or the configuration are not valid\n"
             "  3   a registry or a cluster cannot be reached\n"
             "  4   permission denied\n"
             "  5   a module, file or release was not found\n"
             "The commands of opm cue exit as cue does: with 0, or with 1 on any error.\n"
             "\n"
             "Environment:\n"
             "  OPM_CONFIG       configuration file\n"
             "  OPM_REGISTRY     registries that modules come from\n"
             "  OPM_CACHE_DIR    module cache, instead of CUE_CACHE_DIR\n"
             "  OPM_COMPILE      what opm mod build does with a module that is not compiled: see --compile\n"
             "  XDG_CACHE_HOME   compiled code is kept in its folder opm (default ~/.cache)\n"
             "  OPM_NAMESPACE    namespace of releases\n"
             "  OPM_KUBECONFIG   kubeconfig file\n"
             "  OPM_CONTEXT      context of that file\n"
             "  NO_COLOR         if set, output has no colours\n",
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
