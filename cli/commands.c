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
    {0},
};

static const Command opm_commands[] = {
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
        .name = "version",
        .use = "[flags]",
        .summary = "print the version of opm and of the CUE language",
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
    .text = "opm evaluates CUE natively.\n",
    .examples = "opm cue export app.cue\n"
                "opm help cue vet\n",
    .flags = FLAGS(opm_flags),
    .commands = opm_commands,
};

const Command *command_find(const Command *in, CueStr name) {
  for (const Command *c = in->commands; c && c->name; c++)
    if (cue_str_is(name, c->name)) return c;
  return NULL;
}
