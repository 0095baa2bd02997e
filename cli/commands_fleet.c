/* commands_fleet.c - the commands of `opm fleet`. */
#include "cli/table.h"

static const Flag build_flags[] = {
    {FLAG_OUTPUT, FLAG_TEXT, 'o', "output", "yaml|json", "yaml", NULL,
     "yaml: documents; json: one object on each line, or indented in files"},
    OPTION(FLAG_OUT_DIR, 0, "out-dir", "DIR", "write files below DIR, in place of one stream"),
    SWITCH(FLAG_PRUNE, 0, "prune", "remove files of earlier runs that are not rendered any more"),
    OPTION(FLAG_INPUT, 0, "input", "cue|yaml|json|jsonl", "what the fleet is written in, if its name does not tell"),
    OPTION(FLAG_JOBS, 'j', "jobs", "N", "releases to render at a time; as many as there are processors if not given"),
    OPTION(FLAG_SHARD, 0, "shard", "I/N", "render only part I of N, counted from 0"),
    SWITCH(FLAG_FAIL_FAST, 0, "fail-fast", "stop at the first release that cannot be rendered"),
    SWITCH(FLAG_PROGRESS, 0, "progress", "show how far it is, on a terminal"),
    OPTION(FLAG_PROVIDER, 0, "provider", "NAME", "provider whose transformers are used"),
    OPTION(FLAG_ENVIRONMENTS, 0, "environments", "PATH", "folder or file with environments, in place of the modules'"),
    {0},
};

static const Flag job_flags[] = {
    OPTION(FLAG_IMAGE, 0, "image", "IMAGE", "image of the pods; it has opm"),
    {FLAG_SHARDS, FLAG_TEXT, 0, "shards", "N", "8", NULL, "parts that the fleet is divided into, a pod each"},
    OPTION(FLAG_PARALLELISM, 0, "parallelism", "N", "pods at a time; all of them if not given"),
    OPTION(FLAG_FLEET_FROM, 0, "fleet-from", "SOURCE", "volume that holds the fleet, mounted at /fleet"),
    OPTION(FLAG_MODULES_FROM, 0, "modules-from", "SOURCE", "volume that holds the modules, mounted at /modules"),
    OPTION(FLAG_OUT_TO, 0, "out-to", "claim:NAME", "claim that files are written to; to the log if not given"),
    {FLAG_CPU, FLAG_TEXT, 0, "cpu", "CPU", "1", NULL, "processors that a pod asks for, and uses"},
    {FLAG_MEMORY, FLAG_TEXT, 0, "memory", "SIZE", "256Mi", NULL, "memory that a pod asks for, and gets at most"},
    {FLAG_RETRIES, FLAG_TEXT, 0, "retries", "N", "2", NULL, "how often a part is tried again"},
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
        .summary = "render many releases in one go",
        .text =
            "Renders every release of FLEET, as opm mod build would, and prints their objects in the order of\n"
            "the fleet, whatever --jobs is. A release that cannot be rendered is reported and left out; the\n"
            "others are rendered all the same, and the exit code is 2.\n"
            "\n"
            "An entry of a fleet is\n"
            "\n"
            "  {\"module\": \"./shop\", \"name\": \"shop-1\", \"namespace\": \"eu\", \"environment\": \"production\",\n"
            "   \"values\": {\"replicas\": 3}}\n"
            "\n"
            "module is a folder, relative to that of the fleet. The rest may be left out: name is then that of\n"
            "the module. values take the place of values.cue, as -f of opm mod build does; they are data, the\n"
            "path of a file, or a list of paths. FLEET is\n"
            "\n"
            "  .jsonl        one entry on each line\n"
            "  .yaml         documents: an entry each, a list of entries, or releases: with a list or a struct\n"
            "  .json, .cue   a list of entries, or releases: with a list or a struct; CUE may be a folder\n"
            "  -             standard input: JSON lines, or what --input says\n"
            "\n"
            "Keys of a struct are names of releases. JSON lines and documents of YAML are rendered while they\n"
            "are read, in memory that does not grow with the fleet; a few bytes are kept of each release, to\n"
            "find those that are in the fleet twice.\n"
            "\n"
            "With --out-dir every object has a file DIR/NAMESPACE/RELEASE/KIND-NAME.yaml. A file whose text is\n"
            "right already is not touched, others are replaced at once. DIR/.opm-fleet lists the files; those of\n"
            "earlier runs that are not rendered any more are reported, and removed with --prune.\n"
            "\n"
            "A warning that many releases of a module have is told once, and at the end of how many others it is true;\n"
            "with --verbose for each of them.\n"
            "\n"
            "--shard divides a fleet by what releases are called: each is in one of the N parts, and stays\n"
            "there when others come and go. opm fleet job runs all parts on a cluster.\n",
        .examples = "# one stream, for kubectl\n"
                    "opm fleet build fleet.jsonl | kubectl apply -f -\n"
                    "# files, without those of releases that are gone\n"
                    "opm fleet build fleet.yaml --out-dir manifests --prune\n"
                    "# made by a program, objects as JSON\n"
                    "list-customers | opm fleet build - -o json\n"
                    "# the first of four parts\n"
                    "opm fleet build fleet.cue --shard 0/4 --out-dir manifests\n",
        .notes = "Exit codes:\n"
                 "  0    every release was rendered\n"
                 "  2    some were not, or the fleet is not valid\n"
                 "  1, 4, 5   wrong usage or a full disk, no permission, no such fleet\n"
                 "  130  interrupted: what was put out until then is whole\n",
        .flags = FLAGS(build_flags, opm_flags),
        .run = run_fleet_build,
    },
    {
        .name = "job",
        .use = "FLEET [flags]",
        .summary = "print a Kubernetes job that renders a fleet in parts",
        .text = "Prints an Indexed Job: each of its pods renders one shard of FLEET with opm fleet build, so that a\n"
                "fleet that is too large for one machine is rendered by the cluster. Nothing is sent anywhere:\n"
                "kubectl applies it.\n"
                "\n"
                "FLEET is a path in the pods: below /fleet, or from the root. Where it comes from:\n"
                "\n"
                "  claim:NAME        a PersistentVolumeClaim\n"
                "  configmap:NAME    a ConfigMap; for a fleet without modules beside it\n"
                "  image:REFERENCE   an image or artefact of a registry, as a volume\n"
                "\n"
                "Modules are beside the fleet, or in a volume of their own: its entries then say ../modules/NAME.\n"
                "Without either, the image has them. A part whose fleet is not valid is not tried again; one whose\n"
                "pod was lost is.\n",
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
