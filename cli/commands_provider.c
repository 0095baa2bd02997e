/* commands_provider.c - the commands of `opm provider`. */
#include "cli/table.h"

static const Flag compile_flags[] = {
    OPTION(FLAG_PROVIDER, 0, "provider", "NAME", "provider to compile"),
    OPTION(FLAG_EMIT_C, 0, "emit-c", "DIR", "write the C, and the header it includes, to a folder"),
    {FLAG_DUMP, FLAG_TEXT, 0, "dump", "keys|plans|c", NULL, NULL, "print what a pass of the compiler makes"},
    SWITCH(FLAG_EXPLAIN, 0, "explain", "list what is compiled, what is left to the evaluator, and why"),
    {0},
};

const Command provider_commands[] = {
    {
        .name = "compile",
        .use = "[TRANSFORMER...] [flags]",
        .summary = "compile the transformers of a provider",
        .text = "Compiles the provider of the configuration, or the Kubernetes provider inside opm. With\n"
                "arguments only the transformers whose key ends in one of them take part. The passes:\n"
                "\n"
                "  keys    what each transformer asks of a component, evaluated\n"
                "  plans   each transformer as expressions that build data of data\n"
                "  c       the same as C\n",
        .examples = "# is everything compiled?\n"
                    "opm provider compile --explain\n"
                    "# from CUE to C, step by step\n"
                    "opm provider compile --dump plans PdbTransformer\n"
                    "opm provider compile --dump c PdbTransformer\n"
                    "# as a C compiler gets it\n"
                    "opm provider compile --emit-c generated\n"
                    "cc -O2 -shared -fPIC -o kubernetes.so generated/kubernetes.c\n",
        .flags = FLAGS(compile_flags, opm_flags),
        .run = run_provider_compile,
    },
    {0},
};
