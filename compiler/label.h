/* label.h - field names as 32-bit numbers.
**
** A label is an index shifted left by three plus a kind. Strings are interned once a run,
** so equal names are equal labels. Hidden names are interned together with the package
** they belong to: two packages' _x never meet. List indices are labels too, their index
** is the number itself.
*/
#ifndef CUE_LABEL_H
#define CUE_LABEL_H

#include "runtime/str.h"

typedef uint32_t Label;

typedef enum {
  LABEL_NONE, /* 0 is no label */
  LABEL_STRING,
  LABEL_INT,
  LABEL_DEF,        /* #x */
  LABEL_HIDDEN,     /* _x */
  LABEL_HIDDEN_DEF, /* _#x */
  LABEL_LET,
} LabelKind;

#define LABEL_MAX_INT 0x1fffffffu
/* The label of patterns that match any string: `[string]: ...` seen as a field. */
#define LABEL_ANY_STRING ((Label)((LABEL_MAX_INT << 3) | LABEL_STRING))

typedef struct LabelTable LabelTable;

LabelTable *label_table_new(CueArena *a);
Label label_string(LabelTable *t, CueStr name);
Label label_int(uint32_t i);
/* An identifier as declared in package `pkg` ("" or an import path; ":main"-like suffixes are the loader's business):
** decides the kind from its prefix (#, _#, _). */
Label label_ident(LabelTable *t, CueStr name, CueStr pkg);
/* A let name made unique by a number, so that equal names in different scopes differ. */
Label label_let(LabelTable *t, CueStr name, uint32_t id);
/* A string for a name that is not known, made unique by a number above 0: no label_string, whatever its name, is equal. */
Label label_stand_in(LabelTable *t, CueStr name, uint32_t id);

static inline LabelKind label_kind(Label l) { return (LabelKind)(l & 7); }
static inline uint32_t label_index(Label l) { return l >> 3; }
static inline bool label_is_string(Label l) { return label_kind(l) == LABEL_STRING; }
static inline bool label_is_int(Label l) { return label_kind(l) == LABEL_INT; }
static inline bool label_is_regular(Label l) { return label_kind(l) == LABEL_STRING || label_kind(l) == LABEL_INT; }
static inline bool label_is_def(Label l) { return label_kind(l) == LABEL_DEF || label_kind(l) == LABEL_HIDDEN_DEF; }
static inline bool label_is_hidden(Label l) {
  return label_kind(l) == LABEL_HIDDEN || label_kind(l) == LABEL_HIDDEN_DEF;
}
static inline bool label_is_let(Label l) { return label_kind(l) == LABEL_LET; }

CueStr label_name(const LabelTable *t, Label l);     /* "x", "#x", "_x": without package or number */
CueStr label_package(const LabelTable *t, Label l);  /* of hidden labels */
uint32_t label_let_id(const LabelTable *t, Label l); /* the number of a let label */
/* As a selector in paths and messages: quoted when it is not an identifier; ints as digits. */
CueStr label_selector(LabelTable *t, CueArena *a, Label l);

#endif
