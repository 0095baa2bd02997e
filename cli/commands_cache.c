/* commands_cache.c - the commands of `opm cache`. */
#include "cli/table.h"

static const Flag ls_flags[] = {
    {FLAG_OUTPUT, FLAG_TEXT, 'o', "output", "table|json", "table", NULL, "table or json"},
    {0},
};
static const Flag gc_flags[] = {
    {FLAG_OLDER_THAN, FLAG_TEXT, 0, "older-than", "AGE", "30d", NULL,
     "remove what was not used for that long: 90m, 12h, 30d, 2w"},
    {FLAG_MAX_SIZE, FLAG_TEXT, 0, "max-size", "SIZE", "1G", NULL,
     "of the rest, remove the least used beyond this size: 500K, 200M, 1G"},
    SWITCH(FLAG_DRY_RUN, 0, "dry-run", "remove nothing; print what would be removed"),
    {0},
};

const Command cache_commands[] = {
    {
        .name = "ls",
        .use = "[flags]",
        .summary = "list what is compiled",
        .text = "Prints each module and provider in the cache: how well it is compiled (tier 0 fast, tier 1\n"
                "optimized), its size, when it was last used, and the beginning of its key.\n",
        .examples = "opm cache ls\n"
                    "# for scripts: whole keys, paths, sizes in bytes\n"
                    "opm cache ls -o json\n",
        .flags = FLAGS(ls_flags, opm_flags),
        .run = run_cache_ls,
    },
    {
        .name = "verify",
        .use = "[FILE...] [flags]",
        .arg = "FILE",
        .summary = "check compiled code, and tell what it was made of",
        .text = "Checks each file as opm does before it runs one: who may write to it, its digest, the binary\n"
                "interface, the machine. Prints what its seal says: the digest of everything it was made of, and\n"
                "each input with its own. Without a file, everything in the cache is checked.\n",
        .examples = "opm cache verify\n"
                    "opm cache verify kubernetes.so\n",
        .flags = FLAGS(opm_flags),
        .run = run_cache_verify,
    },
    {
        .name = "gc",
        .use = "[flags]",
        .summary = "remove compiled code that is not used",
        .text = "Removes what was not used for a while, the least used of what is too much, and what runs that were\n"
                "killed left behind. Nothing is lost: what is needed again is compiled again. That a C compiler\n"
                "failed is forgotten, so that it is asked once more.\n",
        .examples = "opm cache gc\n"
                    "opm cache gc --older-than 2w --max-size 200M\n"
                    "# all of it\n"
                    "opm cache gc --max-size 0\n"
                    "# what would go\n"
                    "opm cache gc --dry-run --older-than 12h\n",
        .flags = FLAGS(gc_flags, opm_flags),
        .run = run_cache_gc,
    },
    {0},
};
