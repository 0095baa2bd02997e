/* commands_cache.c - the commands of `opm cache`. */
#include "cli/table.h"

static const Flag ls_flags[] = {
    {FLAG_OUTPUT, FLAG_TEXT, 'o', "output", "table|json", "table", NULL, "table or json"},
    {0},
};
static const Flag gc_flags[] = {
    {FLAG_OLDER_THAN, FLAG_TEXT, 0, "older-than", "AGE", "30d", NULL,
     "remove what has not been used for this long: 90m, 12h, 30d, 2w"},
    {FLAG_MAX_SIZE, FLAG_TEXT, 0, "max-size", "SIZE", "1G", NULL,
     "then remove the least recently used beyond this total size: 500K, 200M, 1G"},
    SWITCH(FLAG_DRY_RUN, 0, "dry-run", "remove nothing, only print what would be removed"),
    {0},
};

const Command cache_commands[] = {
    {
        .name = "ls",
        .use = "[flags]",
        .summary = "list the compiled modules and providers",
        .text = "Lists each module and provider in the cache: its tier (0 is compiled fast, 1 is optimized), its\n"
                "size, when it was last used, and the beginning of its key.\n",
        .examples = "opm cache ls\n"
                    "# for scripts: full keys, paths, sizes in bytes\n"
                    "opm cache ls -o json\n",
        .flags = FLAGS(ls_flags, opm_flags),
        .run = run_cache_ls,
    },
    {
        .name = "verify",
        .use = "[FILE...] [flags]",
        .arg = "FILE",
        .summary = "check compiled code, and show what it was made from",
        .text = "Checks each file as opm does before it runs one: who may write to it, its digest, the binary\n"
                "interface, the machine. Prints what its seal says: the digest of all its inputs, and each input\n"
                "with its own digest. Without a file, everything in the cache is checked.\n",
        .examples = "opm cache verify\n"
                    "opm cache verify kubernetes.so\n",
        .flags = FLAGS(opm_flags),
        .run = run_cache_verify,
    },
    {
        .name = "gc",
        .use = "[flags]",
        .summary = "remove compiled code that is no longer used",
        .text =
            "Removes entries that have not been used for a while, the least recently used ones if the cache is too\n"
            "large, and what killed runs left behind. Nothing is lost: what is needed again is compiled again.\n"
            "Modules that the C compiler failed on are tried again.\n",
        .examples = "opm cache gc\n"
                    "opm cache gc --older-than 2w --max-size 200M\n"
                    "# everything\n"
                    "opm cache gc --max-size 0\n"
                    "# what would go\n"
                    "opm cache gc --dry-run --older-than 12h\n",
        .flags = FLAGS(gc_flags, opm_flags),
        .run = run_cache_gc,
    },
    {0},
};
