/* commands_env.c - the commands of `opm env`. */
#include "cli/table.h"

/* Those of commands that render, but for --environment, which is an argument here. */
static const Flag env_flags[] = {
    OPTIONS(FLAG_VALUES, 'f', "values", "FILE",
            "values in place of values.cue: CUE, YAML or JSON, - for stdin; may be repeated"),
    OPTION(FLAG_NAMESPACE, 'n', "namespace", "NAME", "namespace of the release"),
    OPTION(FLAG_NAME, 0, "name", "NAME", "name of the release, if not that of the module"),
    ALIAS(FLAG_NAME, "release-name", "NAME"),
    OPTION(FLAG_PROVIDER, 0, "provider", "NAME", "provider whose transformers are used"),
    OPTION(FLAG_ENVIRONMENTS, 0, "environments", "PATH", "folder or file with environments, in place of the module's"),
    {0},
};
static const Flag list_flags[] = {
    {FLAG_OUTPUT, FLAG_TEXT, 'o', "output", "table|wide|yaml|json", "table", NULL, "table, wide, yaml or json"},
    OPTION(FLAG_ENVIRONMENTS, 0, "environments", "PATH", "folder or file with environments, in place of the module's"),
    {0},
};
static const Flag show_flags[] = {
    {FLAG_OUTPUT, FLAG_TEXT, 'o', "output", "table|wide|yaml|json", "table", NULL,
     "table; wide, with what was overridden; yaml or json, the values alone"},
    {0},
};
static const Flag diff_flags[] = {
    {FLAG_OUTPUT, FLAG_TEXT, 'o', "output", "table|yaml|json", "table", NULL, "table, yaml or json"},
    SWITCH(FLAG_MANIFESTS, 0, "manifests", "compare what is rendered, as a unified diff"),
    SWITCH(FLAG_EXIT_CODE, 0, "exit-code", "exit with 1 if there are differences"),
    {0},
};

const Command env_commands[] = {
    {
        .name = "diff",
        .use = "A B [PATH] [flags]",
        .arg = "DIR",
        .summary = "compare a module in two environments",
        .text = "Compares the values that the module in PATH has in the environments A and B, field by field, and\n"
                "tells where each was said. A or B may be \"-\": the module without an environment.\n"
                "\n"
                "With --manifests, what is rendered is compared, object by object.\n",
        .examples = "opm env diff staging production\n"
                    "# what an environment changes at all\n"
                    "opm env diff - production ./shop\n"
                    "opm env diff staging production --manifests\n"
                    "# in a script\n"
                    "opm env diff staging production --manifests --exit-code\n",
        .flags = FLAGS(diff_flags, env_flags, opm_flags),
        .run = run_env_diff,
    },
    {
        .name = "list",
        .use = "[PATH] [flags]",
        .arg = "DIR",
        .summary = "list the environments of a module",
        .text = "Lists the environments that the module in PATH (this folder if none is named) knows: those of its\n"
                "field #environments and of its folder environments/, or those of --environments. OVERRIDES is the\n"
                "number of values that one sets.\n",
        .examples = "opm env list\n"
                    "opm env list ./shop -o wide\n"
                    "opm env list --environments ../environments -o json\n",
        .flags = FLAGS(list_flags, opm_flags),
        .run = run_env_list,
    },
    {
        .name = "show",
        .use = "NAME [PATH] [flags]",
        .arg = "DIR",
        .summary = "show the values of a module in an environment, and where each was said",
        .text = "Shows the release of the module in PATH in the environment NAME, and its values: those of the\n"
                "environment win over those of values.cue or -f files, which win over the defaults of #config.\n"
                "NAME may be \"-\": the module without an environment.\n",
        .examples = "opm env show production\n"
                    "# with what the environment has changed\n"
                    "opm env show production ./shop -o wide\n"
                    "# the values alone\n"
                    "opm env show production -o yaml\n",
        .flags = FLAGS(show_flags, env_flags, opm_flags),
        .run = run_env_show,
    },
    {0},
};
