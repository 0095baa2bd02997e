/* commands_fleet.c - the commands of `opm fleet`. */
#include "cli/table.h"

static const Flag build_flags[] = {
    {FLAG_OUTPUT, FLAG_TEXT, 'o', "output", "yaml|json", "yaml", NULL,
     "yaml documents, or json: one object per line, indented in files"},
    OPTION(FLAG_OUT_DIR, 0, "out-dir", "DIR", "write files below DIR instead of one stream"),
    SWITCH(FLAG_PRUNE, 0, "prune", "remove files of earlier runs that are no longer rendered"),
    OPTION(FLAG_INPUT, 0, "input", "cue|yaml|json|jsonl", "format of the fleet, if its name does not tell"),
    OPTION(FLAG_JOBS, 'j', "jobs", "N", "releases to render at a time (default: the number of processors)"),
    OPTION(FLAG_SHARD, 0, "shard", "I/N", "render only part I of N, counted from 0"),
    SWITCH(FLAG_FAIL_FAST, 0, "fail-fast", "stop at the first release that cannot be rendered"),
    SWITCH(FLAG_PROGRESS, 0, "progress", "show a progress bar on a terminal"),
    OPTION(FLAG_PROVIDER, 0, "provider", "NAME", "provider whose transformers are used"),
    OPTION(FLAG_ENVIRONMENTS, 0, "environments", "PATH", "folder or file with environments, instead of the modules'"),
    {0},
};

static const Flag job_flags[] = {
    OPTION(FLAG_IMAGE, 0, "image", "IMAGE", "image for the pods; it must contain opm"),
    {FLAG_SHARDS, FLAG_TEXT, 0, "shards", "N", "8", NULL, "number of parts of the fleet, one pod each"},
    OPTION(FLAG_PARALLELISM, 0, "parallelism", "N", "pods at a time (default: all of them)"),
    OPTION(FLAG_FLEET_FROM, 0, "fleet-from", "SOURCE", "volume that holds the fleet, mounted at /fleet"),
    OPTION(FLAG_MODULES_FROM, 0, "modules-from", "SOURCE", "volume that holds the modules, mounted at /modules"),
    OPTION(FLAG_OUT_TO, 0, "out-to", "claim:NAME", "claim that files are written to (default: the log)"),
    {FLAG_CPU, FLAG_TEXT, 0, "cpu", "CPU", "1", NULL, "processors a pod requests, and uses"},
    {FLAG_MEMORY, FLAG_TEXT, 0, "memory", "SIZE", "256Mi", NULL, "memory a pod requests, and its limit"},
    {FLAG_RETRIES, FLAG_TEXT, 0, "retries", "N", "2", NULL, "how often a failed part is tried again"},
    {FLAG_NAME, FLAG_TEXT, 0, "name", "NAME", "opm-fleet", NULL, "name of the job"},
    OPTION(FLAG_NAMESPACE, 'n', "namespace", "NAME", "namespace of the job"),
    OPTION(FLAG_SERVICE_ACCOUNT, 0, "service-account", "NAME", "account that the pods run as"),
    {FLAG_OUTPUT, FLAG_TEXT, 'o', "output", "yaml|json", "yaml", NULL, "yaml or json, of the job and of its pods"},
    {0},
};

const Command fleet_commands[] = {
    {
        .name = "build",
        .use = "FLEET [flags]",
        .arg = "FILE",
        .summary = "render many releases in one run",
        .text =
            "Renders every release of FLEET, as opm mod build would, and prints their objects in the order of\n"
            "the fleet, whatever --jobs is. A release that cannot be rendered is reported and left out; the\n"
            "others are still rendered, and the exit code is 2.\n"
            "\n"
            "An entry of a fleet is\n"
            "\n"
            "  {\"module\": \"./shop\", \"name\": \"shop-1\", \"namespace\": \"eu\", \"environment\": \"production\",\n"
            "   \"values\": {\"replicas\": 3}}\n"
            "\n"
            "module is a folder, relative to that of the fleet. Everything else is optional; name defaults to\n"
            "that of the module. values replace values.cue, as -f of opm mod build does; they are data, the\n"
            "path of a file, or a list of paths. FLEET is one of\n"
            "\n"
            "  .jsonl        one entry per line\n"
            "  .yaml         documents: one entry each, a list of entries, or releases: with a list or a struct\n"
            "  .json, .cue   a list of entries, or releases: with a list or a struct; CUE may be a folder\n"
            "  -             standard input: JSON lines, or what --input says\n"
            "\n"
            "The keys of a struct are the names of the releases. JSON lines and YAML documents are rendered while\n"
            "they are read, in memory that does not grow with the fleet, except for a few bytes per release to\n"
            "find duplicates.\n"
            "\n"
            "With --out-dir every object gets a file DIR/NAMESPACE/RELEASE/KIND-NAME.yaml. A file that is already\n"
            "up to date is not touched, others are replaced atomically. DIR/.opm-fleet lists the files; those of\n"
            "earlier runs that are no longer rendered are reported, and removed with --prune.\n"
            "\n"
            "A warning that applies to many releases of a module is shown once, with a count of the others at the\n"
            "end; with --verbose it is shown for each of them.\n"
            "\n"
            "--shard divides a fleet by module, name, namespace and environment: each release belongs to one of\n"
            "the N parts, and stays there when others come and go. opm fleet job runs all parts on a cluster.\n",
        .examples = "# one stream, for kubectl\n"
                    "opm fleet build fleet.jsonl | kubectl apply -f -\n"
                    "# files; those of releases that are gone are removed\n"
                    "opm fleet build fleet.yaml --out-dir manifests --prune\n"
                    "# entries from a program, objects as JSON\n"
                    "list-customers | opm fleet build - -o json\n"
                    "# the first of four parts\n"
                    "opm fleet build fleet.cue --shard 0/4 --out-dir manifests\n",
        .notes = "Exit codes:\n"
                 "  0    every release was rendered\n"
                 "  2    some were not, or the fleet is not valid\n"
                 "  1, 4, 5   wrong usage or a full disk; permission denied; no such fleet\n"
                 "  130  interrupted; the output up to then is whole\n",
        .flags = FLAGS(build_flags, opm_flags),
        .run = run_fleet_build,
    },
    {
        .name = "job",
        .use = "FLEET [flags]",
        .summary = "print a Kubernetes Job that renders a fleet in parts",
        .text =
            "Prints an Indexed Job, each pod of which renders one shard of FLEET with opm fleet build, so that the\n"
            "cluster renders a fleet that is too large for one machine. Nothing is sent to the cluster: apply\n"
            "the Job with kubectl.\n"
            "\n"
            "FLEET is a path in the pods: relative to /fleet, or absolute. It comes from one of:\n"
            "\n"
            "  claim:NAME        a PersistentVolumeClaim\n"
            "  configmap:NAME    a ConfigMap, for a fleet without modules beside it\n"
            "  image:REFERENCE   an image or artefact of a registry, mounted as a volume\n"
            "\n"
            "Modules are beside the fleet, in a volume of their own (entries then say ../modules/NAME), or in the\n"
            "image. A part that fails because the fleet is not valid is not tried again; one whose pod was lost\n"
            "is.\n",
        .examples = "# fleet and modules on one claim, files on another\n"
                    "opm fleet job fleet.jsonl --image registry.example.com/opm:1 --shards 16 \\\n"
                    "  --fleet-from claim:fleet --out-to claim:manifests | kubectl apply -f -\n"
                    "# a small fleet in a ConfigMap, modules from a registry, four pods at a time\n"
                    "opm fleet job fleet.yaml --image registry.example.com/opm:1 --parallelism 4 \\\n"
                    "  --fleet-from configmap:fleet --modules-from image:registry.example.com/modules:1\n",
        .flags = FLAGS(job_flags, opm_flags),
        .run = run_fleet_job,
    },
    {0},
};
