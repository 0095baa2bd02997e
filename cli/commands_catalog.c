/* commands_catalog.c - the commands of `opm catalog`. */
#include "cli/table.h"

const Command catalog_commands[] = {
    {
        .name = "list",
        .use = "[flags]",
        .summary = "list the modules built into opm",
        .examples = "opm catalog list\n",
        .flags = FLAGS(opm_flags),
        .run = run_catalog_list,
    },
    {
        .name = "extract",
        .use = "DIR [flags]",
        .arg = "DIR",
        .summary = "write the modules built into opm as a CUE module cache",
        .text = "Writes every module to DIR/mod/extract, in the layout in which cue keeps fetched modules. With\n"
                "CUE_CACHE_DIR=DIR, cue and editors see what opm sees. Existing files are replaced.\n",
        .examples = "opm catalog extract ~/.cache/opm-catalog\n"
                    "CUE_CACHE_DIR=~/.cache/opm-catalog CUE_REGISTRY=none cue vet ./...\n",
        .flags = FLAGS(opm_flags),
        .run = run_catalog_extract,
    },
    {0},
};
