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
        .summary = "write a configuration file with the defaults",
        .text = "Writes a configuration file and the module file beside it, readable only by you. It names the\n"
                "Kubernetes provider built into opm and has a comment above every setting. Without a\n"
                "configuration, opm uses the same defaults.\n",
        .examples = "# ~/.opm/config.cue\n"
                    "opm config init\n"
                    "# somewhere else\n"
                    "opm config init --config ./ci/config.cue\n"
                    "# replace an existing one\n"
                    "opm config init --force\n",
        .flags = FLAGS(init_flags, opm_flags),
        .run = run_config_init,
    },
    {
        .name = "vet",
        .use = "[flags]",
        .summary = "check the configuration file",
        .text = "Checks that the file and its module file are there, that the CUE evaluates, and that it sets\n"
                "only what opm knows. Each check that passes is listed, up to the first one that fails.\n",
        .examples = "opm config vet\n"
                    "opm config vet --config ./ci/config.cue\n",
        .flags = FLAGS(opm_flags),
        .run = run_config_vet,
    },
    {0},
};
