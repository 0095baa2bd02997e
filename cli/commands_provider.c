/* commands_provider.c - the commands of `opm provider`. */
#include "cli/table.h"

static const Flag compile_flags[] = {
    OPTION(FLAG_PROVIDER, 0, "provider", "NAME", "provider to compile"),
    OPTION(FLAG_OUTFILE, 'o', "output", "FILE", "write the compiled provider to a file instead of the cache"),
    SWITCH(FLAG_RELEASE, 0, "release", "optimize: takes longer, runs faster"),
    OPTION(FLAG_EMIT_C, 0, "emit-c", "DIR", "write the C, and the header it includes, to a folder"),
    {FLAG_DUMP, FLAG_TEXT, 0, "dump", "keys|plans|c", NULL, NULL, "print the result of a pass of the compiler"},
    SWITCH(FLAG_EXPLAIN, 0, "explain", "list what is compiled, what is left to the evaluator, and why"),
    {0},
};

const Command provider_commands[] = {
    {
        .name = "compile",
        .use = "[TRANSFORMER...] [flags]",
        .summary = "compile the transformers of a provider",
        .text =
            "Compiles the provider of the configuration, or the Kubernetes provider built into opm, to C, and that\n"
            "to a shared object with a C compiler: $CC, cc, gcc, clang or tcc. Arguments restrict this to the\n"
            "transformers whose key ends in one of them.\n"
            "\n"
            "The file can be copied to a machine that has no C compiler, no CUE sources of the provider and no\n"
            "registry. Name it in the configuration there:\n"
            "\n"
            "  config: providers: kubernetes: compiled: \"/path/kubernetes.so\"\n"
            "\n"
            "The passes of the compiler:\n"
            "\n"
            "  keys    what each transformer requires of a component\n"
            "  plans   each transformer as expressions that build data from data\n"
            "  c       the same as C\n",
        .examples = "# for a machine without a compiler and a network\n"
                    "opm provider compile --release -o kubernetes.so\n"
                    "opm cache verify kubernetes.so\n"
                    "# is everything compiled?\n"
                    "opm provider compile --explain\n"
                    "# from CUE to C, step by step\n"
                    "opm provider compile --dump plans PdbTransformer\n"
                    "opm provider compile --dump c PdbTransformer\n"
                    "# the C, as the C compiler gets it\n"
                    "opm provider compile --emit-c generated\n",
        .flags = FLAGS(compile_flags, opm_flags),
        .run = run_provider_compile,
    },
    {0},
};
