/* txtar.h - archives of text files: a comment, then "-- name --" lines each followed by a file. */
#ifndef TESTS_TXTAR_H
#define TESTS_TXTAR_H

#include "runtime/str.h"

typedef struct {
  CueStr name, text;
} Section;

typedef struct {
  CueStr comment;
  CUE_VEC(Section) sections;
} Txtar;

Txtar txtar_parse(CueArena *a, CueStr text);
CueStr txtar_format(CueArena *a, const Txtar *t);
Section *txtar_find(const Txtar *t, CueStr name); /* NULL if absent */

#endif
