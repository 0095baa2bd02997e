/* table.h - what the files of the table of commands share. */
#ifndef OPM_TABLE_H
#define OPM_TABLE_H

#include "cli/run.h"

/* Rows of flags: on or off; with a value; with values, as it may be repeated; another name of a flag with a value. */
#define SWITCH(id, letter, name, help) \
  { id, FLAG_BOOL, letter, name, NULL, NULL, NULL, help }
#define OPTION(id, letter, name, value, help) \
  { id, FLAG_TEXT, letter, name, value, NULL, NULL, help }
#define OPTIONS(id, letter, name, value, help) \
  { id, FLAG_TEXTS, letter, name, value, NULL, NULL, help }
#define ALIAS(id, name, value) \
  { id, FLAG_TEXT, 0, name, value, NULL, NULL, NULL }

#define FLAGS(...) ((const Flag *const[]){__VA_ARGS__, NULL})

extern const Flag opm_flags[];         /* of every command but those of cue */
extern const Flag cue_flags[];         /* of every command of cue */
extern const Flag release_flags[];     /* of commands that render a module */
extern const Flag environment_flags[]; /* of those among them that have the environment as a flag */

extern const Command cache_commands[];
extern const Command catalog_commands[];
extern const Command config_commands[];
extern const Command cue_commands[];
extern const Command env_commands[];
extern const Command fleet_commands[];
extern const Command mod_commands[];
extern const Command provider_commands[];

#endif
