/* config.h - what a command goes by: flags, variables, the configuration file, and defaults, in this order.
**
** Only commands that need it load it, so that a broken file stops no other. Each setting knows where its
** value came from and what it hides; --verbose tells.
*/
#ifndef OPM_CONFIG_H
#define OPM_CONFIG_H

#include "cli/log.h"

typedef enum {
  FROM_NOWHERE,
  FROM_FLAG,
  FROM_RELEASE,     /* a #ModuleRelease */
  FROM_ENVIRONMENT, /* an #Environment */
  FROM_ENV,
  FROM_MODULE,
  FROM_CONFIG,
  FROM_ONLY, /* the only one configured */
  FROM_KUBECONFIG,
  FROM_DEFAULT,
} Origin;

typedef struct {
  const char *name;
  CueStr value; /* "" if nothing sets it */
  Origin origin;
  struct {
    CueStr value;
    Origin origin;
  } hidden[6]; /* what would have counted otherwise, the strongest first */
  size_t nhidden;
} Setting;

/* Sources are tried in order: the first that is not "" counts, later ones are hidden by it. */
void setting_try(Setting *s, Origin o, CueStr value);
/* What a source said, whether it counts or not; "" if it said nothing. */
CueStr setting_from(const Setting *s, Origin o);

typedef struct {
  CueStr path;   /* of the file, absolute */
  bool named;    /* by flag or variable: it must exist */
  bool homeless; /* it would be in the home folder, and there is none */
  bool exists;
  CueStr text;        /* of the file */
  CueStr unreadable;  /* why it could not be read; "" if it was */
  bool registry_read; /* config.registry was known before evaluation */
  Setting registry, cache_dir, kubeconfig, context, provider;
  Setting namespace;         /* without what a module says: see config_namespace */
  Setting compile;           /* "never", "background" or "wait" */
  CueStr api_warnings;       /* "warn", "debug" or "suppress" */
  Instance *package;         /* that the file belongs to; NULL if there is none */
  CUE_VEC(CueStr) providers; /* names of config.providers */
} Config;

/* Flags, variables, file and defaults. Reports what is wrong, and returns EXIT_OK or what to exit with. */
ExitCode config_load(Run *r, Config *out);

/* The provider that --provider names, or the only one there is. One that is configured is config.providers[name] in
** *package; *package is NULL for the one inside the program. */
ExitCode config_provider(Run *r, const Config *c, CueStr *name, Instance **package);

/* What config.providers[name].compiled says. */
typedef struct {
  CueStr file;  /* absolute; "" for none */
  bool alone;   /* nothing else is said of that provider */
  bool unclear; /* it is there, and not a path written as one string */
} ConfigCompiled;
ConfigCompiled config_compiled(Run *r, const Config *c, CueStr name);

/* Logs where a setting came from, under --verbose. */
void config_explain(Run *r, const Setting *s);

/* ---- steps of config_load, for commands about the file itself ---- */
/* Where the file is, and its text. */
void config_find(Run *r, Config *out);
/* What is known before the file is evaluated: flags, variables, and the file's registry. */
void config_settings(Run *r, Config *c);
/* Evaluates the package the file belongs to, providers and all. False with d filled. */
bool config_evaluate(Run *r, Config *c, CueDiags *d);
/* Checks what was evaluated against the schema. False with d filled. */
bool config_check(Run *r, Config *c, CueDiags *d);

#endif
