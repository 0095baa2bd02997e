/* commands_config.c - the commands of `opm config`. */
#include "cli/table.h"

static const Flag init_flags[] = {
    SWITCH(FLAG_FORCE, 'f', "force", "overwrite an existing configuration"),
    {0},
};

const Command config_commands[] = {
    {
        .name = "init",
        .use = "[flags]",
        .summary = "write a configuration file with its defaults",
        .text = "Writes a configuration file and the module file beside it, readable for you alone. The file\n"
                "has the Kubernetes provider that is inside opm, and a comment above every setting. opm works\n"
                "without a configuration as well, with the values that stand in this file.\n",
        .examples = "# ~/.opm/config.cue\n"
                    "opm config init\n"
                    "# somewhere else\n"
                    "opm config init --config ./ci/config.cue\n"
                    "# in place of the one that is there\n"
                    "opm config init --force\n",
        .flags = FLAGS(init_flags, opm_flags),
        .run = run_config_init,
    },
    {
        .name = "vet",
        .use = "[flags]",
        .summary = "check the configuration file",
        .text = "Checks that the file and its module file are there, that the CUE evaluates, and that it says\n"
                "only what opm understands. Each check that passes is told, so that the one that fails can be\n"
                "told from those behind it.\n",
        .examples = "opm config vet\n"
                    "opm config vet --config ./ci/config.cue\n",
        .flags = FLAGS(opm_flags),
        .run = run_config_vet,
    },
    {0},
};
