/* commands_env.c - the commands of `opm env`. */
#include "cli/table.h"

static const Flag list_flags[] = {
    {FLAG_OUTPUT, FLAG_TEXT, 'o', "output", "table|wide|yaml|json", "table", NULL, "table, wide, yaml or json"},
    OPTION(FLAG_ENVIRONMENTS, 0, "environments", "PATH", "folder or file with environments, instead of the module's"),
    {0},
};
static const Flag show_flags[] = {
    {FLAG_OUTPUT, FLAG_TEXT, 'o', "output", "table|wide|yaml|json", "table", NULL,
     "table; wide also shows what was overridden; yaml and json are the values alone"},
    {0},
};
static const Flag diff_flags[] = {
    {FLAG_OUTPUT, FLAG_TEXT, 'o', "output", "table|yaml|json", "table", NULL, "table, yaml or json"},
    SWITCH(FLAG_MANIFESTS, 0, "manifests", "compare the rendered objects, as a unified diff"),
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
                "shows where each is set. A or B may be \"-\": the module without an environment.\n"
                "\n"
                "With --manifests, the rendered objects are compared.\n",
        .examples = "opm env diff staging production\n"
                    "# everything that an environment changes\n"
                    "opm env diff - production ./shop\n"
                    "opm env diff staging production --manifests\n"
                    "# in a script\n"
                    "opm env diff staging production --manifests --exit-code\n",
        .flags = FLAGS(diff_flags, release_flags, opm_flags),
        .run = run_env_diff,
    },
    {
        .name = "list",
        .use = "[PATH] [flags]",
        .arg = "DIR",
        .summary = "list the environments of a module",
        .text = "Lists the environments of the module in PATH (default: the current folder): those of its field\n"
                "#environments and of its folder environments/, or those of --environments. OVERRIDES is the number\n"
                "of values an environment sets.\n",
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
        .summary = "show the values of a module in an environment, and where each is set",
        .text = "Shows the release of the module in PATH for the environment NAME, and its values. Those of the\n"
                "environment override those of values.cue or -f files, which override the defaults of #config.\n"
                "NAME may be \"-\": the module without an environment.\n",
        .examples = "opm env show production\n"
                    "# also what the environment overrides\n"
                    "opm env show production ./shop -o wide\n"
                    "# the values alone\n"
                    "opm env show production -o yaml\n",
        .flags = FLAGS(show_flags, release_flags, opm_flags),
        .run = run_env_show,
    },
    {0},
};
