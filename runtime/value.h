/* value.h - what a concrete CUE value is at run time.
**
** A CueValue is sixteen bytes, passed by value. Scalars that fit are held in it; anything
** larger is a pointer into an arena or to a constant. Values do not change once made, so
** sharing one is always safe. The evaluator's lattice (types, bounds, disjunctions,
** unevaluated structs) is not here: a CueValue is data, what JSON and YAML can say plus
** bytes; a function that fails yields CUE_BOTTOM with a message. Layouts are in abi.h.
*/
#ifndef CUE_VALUE_H
#define CUE_VALUE_H

#include "runtime/num.h"
#include "runtime/seen.h"

/* Readers, the evaluator and comparisons refuse values nested deeper than this. */
#define CUE_MAX_DEPTH 10000

CueValue cue_int_num(const CueNum *x); /* x integral; stored as int64 when it fits */
CueValue cue_float_num(const CueNum *x);
CueValue cue_decimal(CueArena *a, const CueNum *x); /* what a builtin's decimal becomes: an int if integral */
CueValue cue_string(CueStr s);                      /* borrows s */
CueValue cue_bytes(CueStr s);
CueValue cue_error(CueStr message);
CueList *cue_list_new(CueArena *a, uint32_t n); /* n bottoms to be filled */
CueStruct *cue_struct_new(CueArena *a, uint32_t n);

CueStr cue_value_str(CueValue v);                               /* of string, bytes, bottom */
const CueNum *cue_value_num(CueArena *a, CueValue v);           /* of int and float */
int cue_value_num_cmp(CueValue x, CueValue y);                  /* both numbers; allocates nothing lasting */
bool cue_value_eq(CueValue x, CueValue y);                      /* deep; 1 == 1.0; structs ignore order */
const CueValue *cue_struct_get(const CueStruct *s, CueStr key); /* NULL if absent */
const char *cue_kind_name(unsigned kind);                       /* "int", "string", ...: one bit */
CueStr cue_kinds_text(CueArena *a, unsigned kinds); /* "(int|string)" as cue's error texts; "number", "_", "_|_" */

/* The fields of a struct in another order than they have (order.c). Keys of letters alone are in the order of their bytes in every order. */
typedef int CueKeyOrder(CueStr x, CueStr y);
#define CUE_ORDER_FEW 32
typedef struct {
  const uint32_t *at; /* places in the struct; NULL if it is in order as it is */
  CueArena *own;
  uint32_t few[CUE_ORDER_FEW];
} CueOrder;
void cue_order(CueOrder *o, const CueStruct *s, CueKeyOrder *order); /* NULL: as they are */
void cue_order_done(CueOrder *o);
static inline const CueField *cue_order_field(const CueOrder *o, const CueStruct *s, uint32_t i) {
  return &s->at[o->at ? o->at[i] : i];
}

/* Emission (emit_json.c, emit_yaml.c), byte-identical to cue export. */
typedef struct {
  const char *indent; /* spaces: "    "; NULL for one line */
  bool escape_html;   /* <, >, & and U+2028/9 as \u003c ... (--escape) */
  CueKeyOrder *order; /* of fields; NULL: as they are */
  CueSeen *seen;      /* or NULL */
} CueJsonStyle;
void cue_emit_json(CueBuf *out, CueValue v, CueJsonStyle style); /* no final newline */
void cue_emit_json_string(CueBuf *out, CueStr s, bool escape_html);
/* The same piece by piece, for values that are never whole in memory: each value is preceded by the item or key that
** holds it; lists and structs (kind) begin and end. */
typedef struct {
  CueBuf *out;
  CueJsonStyle style;
  size_t width; /* of the indent */
  unsigned depth;
  bool empty; /* nothing was put into the list or struct at hand */
} CueJson;
CueJson cue_json(CueBuf *out, CueJsonStyle style);
void cue_json_begin(CueJson *j, CueKind kind);
void cue_json_item(CueJson *j);
void cue_json_key(CueJson *j, CueStr key);
void cue_json_value(CueJson *j, CueValue v);
void cue_json_end(CueJson *j, CueKind kind);
void cue_emit_yaml(CueBuf *out, CueValue v); /* with final newline */
void cue_emit_yaml_ordered(CueBuf *out, CueValue v, CueKeyOrder *order, CueSeen *seen /* or NULL */);
/* cue's YAML repeats the source text of a list element that is a basic literal: [1e3, 0x10].
** v as it is to be emitted when an element's first literal conjunct was `literal`. */
CueValue cue_yaml_written(CueArena *a, CueValue v, CueStr literal);

/* Reading (read_json.c over yyjson, read_yaml.c over libyaml). On failure returns bottom
** whose message has no file name; *offset is the byte where it went wrong. Numbers keep
** their written precision. A YAML stream may hold many documents: each call reads the one
** at *offset and moves it on; *done says there was none left. */
CueValue cue_read_json(CueArena *a, CueStr text, size_t *offset);
/* The same for a small text of which nothing is kept but the arena; false if cue_read_json had better read it. */
bool cue_read_json_quick(CueArena *a, CueStr text, CueValue *out);
CueValue cue_read_yaml(CueArena *a, CueStr text, size_t *offset, bool *done);

#endif
