/* attr.h - what is written inside an attribute: @name(a,b=c,d="e"). */
#ifndef CUE_ATTR_H
#define CUE_ATTR_H

#include "compiler/ast.h"

typedef struct {
  CueStr key;   /* empty if there is no "=" */
  CueStr value; /* trimmed and unquoted */
  CueStr text;  /* as written */
} AttrField;

typedef struct {
  CueStr name, body;
  CUE_VEC(AttrField) fields; /* at least one, maybe empty */
} Attr;

CueStr attr_name(const Ast *attribute);
Attr attr_parse(CueArena *a, const Ast *attribute); /* AST_ATTRIBUTE */
CueStr attr_string(const Attr *at, uint32_t i); /* field i: its value, or its text if it has a key; empty if absent */
bool attr_lookup(const Attr *at, uint32_t from, const char *key, CueStr *value); /* *value empty if absent */
bool attr_flag(const Attr *at, uint32_t from, const char *name);

#endif
