/* command.h - commands and their flags, as data.
**
** Every command is a row of one table (commands.c for the program and its groups, commands_GROUP.c
** for the commands of a group): its name, what it is for, its flags, its examples. Parsing
** (flags.c) and help (help.c) read the table and know no command by name.
*/
#ifndef OPM_COMMAND_H
#define OPM_COMMAND_H

#include "runtime/str.h"

/* What opm exits with. `opm cue` has cue's codes: 0, or 1 for anything that went wrong. */
typedef enum {
  EXIT_OK = 0,
  EXIT_GENERAL = 1,       /* wrong usage, or anything the others do not name */
  EXIT_INVALID = 2,       /* the user's CUE, values or configuration are wrong */
  EXIT_UNREACHABLE = 3,   /* a registry or cluster cannot be reached */
  EXIT_DENIED = 4,        /* not allowed to read, write or ask */
  EXIT_MISSING = 5,       /* a module, file or release does not exist */
  EXIT_INTERRUPTED = 130, /* the user stopped it, and it ended in order */
} ExitCode;

typedef enum {
  FLAG_ALL,
  FLAG_ALL_ERRORS,
  FLAG_ATTRIBUTES,
  FLAG_BACKGROUND,
  FLAG_CHECK,
  FLAG_COMPILE,
  FLAG_CONCRETE,
  FLAG_CONFIG,
  FLAG_CONTEXT,
  FLAG_CPU,
  FLAG_DIFF,
  FLAG_DIR,
  FLAG_DRY_RUN,
  FLAG_DUMP,
  FLAG_EMIT_C,
  FLAG_ENVIRONMENT,
  FLAG_ENVIRONMENTS,
  FLAG_ESCAPE,
  FLAG_EXIT_CODE,
  FLAG_EXPLAIN,
  FLAG_EXPRESSION,
  FLAG_FAIL_FAST,
  FLAG_FILES,
  FLAG_FLEET_FROM,
  FLAG_FORCE,
  FLAG_HELP,
  FLAG_HIDDEN,
  FLAG_IGNORE,
  FLAG_IMAGE,
  FLAG_INJECT,
  FLAG_INJECT_VARS,
  FLAG_INLINE_IMPORTS,
  FLAG_INPUT,
  FLAG_JOBS,
  FLAG_KUBECONFIG,
  FLAG_LIST,
  FLAG_MANIFESTS,
  FLAG_MEMORY,
  FLAG_MAX_SIZE,
  FLAG_MERGE,
  FLAG_MODULES_FROM,
  FLAG_NAME,
  FLAG_NAMESPACE,
  FLAG_OLDER_THAN,
  FLAG_OPTIONAL,
  FLAG_OUT,
  FLAG_OUT_DIR,
  FLAG_OUT_TO,
  FLAG_OUTFILE,
  FLAG_OUTPUT,
  FLAG_PACKAGE,
  FLAG_PARALLELISM,
  FLAG_PATH,
  FLAG_PROGRESS,
  FLAG_PROTO_ENUM,
  FLAG_PROTO_PATH,
  FLAG_PROVIDER,
  FLAG_PRUNE,
  FLAG_REGISTRY,
  FLAG_RELEASE,
  FLAG_RETRIES,
  FLAG_SCHEMA,
  FLAG_SERVICE_ACCOUNT,
  FLAG_SHARD,
  FLAG_SHARDS,
  FLAG_SIMPLIFY,
  FLAG_SPLIT,
  FLAG_STRICT,
  FLAG_TEMPLATE,
  FLAG_TIMESTAMPS,
  FLAG_VALUES,
  FLAG_VERBOSE,
  FLAG_WITH_CONTEXT,
  FLAG_COUNT
} FlagId;

typedef enum { FLAG_BOOL, FLAG_TEXT, FLAG_TEXTS /* may be repeated */ } FlagType;

typedef struct {
  FlagId id;
  FlagType type;
  char letter; /* 0 if it has only a name */
  const char *name;
  const char *value;  /* what stands for its value: "FILE", "DIR", any word, or choices "yaml|json"; NULL for a bool */
  const char *preset; /* value if not given: "true" for a bool that is on; NULL for none */
  const char *env;    /* variable that counts when the flag is not given; NULL for none */
  const char *help;   /* NULL: a second name, which is not listed */
} Flag;

typedef struct {
  bool given, on;
  CueStr text; /* the last one given, or the preset; never NULL */
  CUE_VEC(CueStr) texts;
} FlagValue;

typedef struct {
  FlagValue at[FLAG_COUNT];
  CUE_VEC(CueStr) args; /* what is no flag */
  CueStr unknown;       /* the name of a flag there is none of; "" otherwise */
} Flags;

typedef struct Run Run;
typedef struct Command Command;
struct Command {
  const char *name, *use, *summary;
  const char *text; /* paragraphs above the usage line; NULL for none */
  const char *examples;
  const char *notes;        /* paragraphs at the end; NULL for none */
  const char *arg;          /* what its arguments are, as the value of a flag; NULL for none */
  bool hidden;              /* listed nowhere */
  const Flag *const *flags; /* groups, ended by NULL; each group is ended by a flag without name */
  const Command *commands;  /* subcommands, ended by one without name; NULL if it runs itself */
  ExitCode (*run)(Run *r);
};

extern const Command cli_commands; /* the program: the root of the table */

const Command *command_find(const Command *in, CueStr name); /* NULL if there is none */

/* Calls fn for a command and all below it that are not hidden; path is how it is called: "opm cue export". */
typedef void CommandFn(void *user, const Command *c, CueStr path);
void command_each(CueArena *a, const Command *c, CueStr path, CommandFn *fn, void *user);

/* suggest.c: the name nearest to a word that is none; NULL if none is near. */
const char *suggest_command(const Command *in, CueStr word);
const char *suggest_flag(const Command *c, CueStr word);
const char *suggest_word(const char *const *words, size_t n, CueStr word);

#define EACH_FLAG(f, c)                                                 \
  for (const Flag *const *group = (c)->flags; group && *group; group++) \
    for (const Flag *f = *group; f->name; f++)

/* What a shell can offer for the value of a flag or an argument. */
typedef enum { VALUE_ANY, VALUE_FILE, VALUE_DIR, VALUE_WORDS } ValueKind;
ValueKind value_kind(const char *value);

/* The flag of a command with that name or letter; NULL if it has none. */
const Flag *flag_named(const Command *c, CueStr name);
const Flag *flag_lettered(const Command *c, char letter);
bool flag_allows(const Flag *f, CueStr value); /* whether it is one of the flag's choices */
/* Sorts the arguments after a command's name. False with *error set. */
bool flags_parse(CueArena *a, const Command *c, int argc, char **argv, Flags *out, CueStr *error);
static inline bool flag_on(const Flags *f, FlagId id) { return f->at[id].on; }
static inline CueStr flag_text(const Flags *f, FlagId id) { return f->at[id].text; }

/* `path` is how the command is called: "opm cue export". */
void help_text(CueBuf *out, const Command *c, CueStr path);
/* Its list of flags alone: those of the command, or those that every command has. */
void help_flags(CueBuf *out, const Command *c, bool global);

#endif
