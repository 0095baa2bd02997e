/* emit_impl.h - what the files of emit/ share. */
#ifndef OPM_EMIT_IMPL_H
#define OPM_EMIT_IMPL_H

#include "compiler/emit/emit.h"
#include "compiler/emit/graph.h"

/* ---- names: unique within a function or the file ---- */

typedef struct {
  CueArena *a;
  Numbers taken;
} Names;
/* "run-as user" becomes run_as_user; with a number behind it if that is taken. */
CueStr name_new(Names *t, const char *prefix, CueStr wish);

void put_c_string(CueBuf *out, CueStr s); /* a literal, with quotes */

void put_comment(CueBuf *out, CueStr s); /* in one line, and without what would end the comment */

/* ---- the file under way ---- */

typedef struct {
  CueArena *a;
  const EmitOptions *o;
  Graph graph;
  Names names; /* of the file */
  CueBuf data, functions;
  Numbers values, schemas, patterns, uses;
  CUE_VEC(CueStr) value_names, schema_names, pattern_names, use_names;
  CUE_VEC(CueUseName) use_list;
  bool *outlined;  /* by id of node */
  uint32_t *own;   /* by id: weight with what is outlined counted as a call */
  CueStr *made;    /* by id: name of the function that makes it, once written */
  uint32_t *cells; /* by id: 1 + the cell it is kept in */
  uint32_t ncells;
  CUE_VEC(CueStr *) spare; /* tables of functions that are done, empty again */
  Numbers schema_seen;     /* by address */
  CUE_VEC(CueStr) seen_names;
} Emit;

/* ---- data.c ---- */
CueStr emit_value(Emit *e, CueValue v, CueStr wish); /* an initializer, or a constant expression */
CueStr emit_const(Emit *e, CueValue v, CueStr wish); /* an expression */
/* slots.c */
typedef struct {
  const uint8_t *slots; /* 2^bits */
  uint64_t seed;
  unsigned bits;
} NameSlots;
bool emit_slots(CueArena *a, const SchemaField *fields, uint32_t n,
                NameSlots *out); /* false if there is no such table */

CueStr emit_schema(Emit *e, const PlanSchema *s, CueStr wish);      /* its name */
CueStr emit_kinds(Emit *e, unsigned kinds);                         /* "CUE_INT | CUE_NULL" */
CueStr emit_pattern(Emit *e, CueStr pattern);                       /* the name of its table; "" if it has none */
CueStr emit_use(Emit *e, const CueBuiltin *f, const char *package); /* the name of its number */

/* ---- origin.c ---- */
typedef struct {
  CueStr file;
  uint32_t line;
  const CueSource *source;
  size_t from; /* in its text: the beginning of the line */
} Origin;
bool emit_origin(const Emit *e, uint32_t pos, Origin *out); /* false if it has none */
void emit_origin_comment(CueBuf *out, const Origin *o);

/* ---- outline.c ---- */
void emit_outline(Emit *e);

/* ---- code.c ---- */
#define EMIT_HERE "#line 0\n" /* back to the file itself, once it is known which line this is */
CueStr emit_function(Emit *e, const Node *n, CueStr wish, CueStr of); /* name of the function that makes it */

#endif
