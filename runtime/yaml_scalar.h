/* yaml_scalar.h - how YAML types a plain scalar; shared by its reader and its emitter. */
#ifndef CUE_YAML_SCALAR_H
#define CUE_YAML_SCALAR_H

#include "runtime/str.h"

/* Timestamps count as strings: cue reads them so, and the emitter quotes them for YAML 1.1. */
typedef enum { CUE_YAML_STR, CUE_YAML_NULL, CUE_YAML_BOOL, CUE_YAML_INT, CUE_YAML_FLOAT } CueYamlTag;

CueYamlTag cue_yaml_resolve(CueStr s);
bool cue_one_of(CueStr s, const char *words); /* words are separated by one space */

#endif
