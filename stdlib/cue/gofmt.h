/* gofmt.h - values as Go's templates see them, and Go's fmt package for them.
**
** Data reaches a template as Go values: an int is an int64, or a *big.Int if it is larger;
** a list is a []interface {}; and so on. What matters beyond the value itself is whether it
** sits in an interface (elements of lists and maps do): messages name that type, and a nil
** there is not the same as no value at all.
*/
#ifndef CUE_STDLIB_GOFMT_H
#define CUE_STDLIB_GOFMT_H

#include "runtime/value.h"

typedef enum {
  GO_NONE, /* no value: a missing key, or what is left of a nil when it is taken out of its interface */
  GO_NIL,  /* an interface that holds nothing */
  GO_BOOL,
  GO_INT, /* constants and lengths of the template itself */
  GO_INT64,
  GO_UINT8, /* an element of bytes or of a string */
  GO_BIG_INT,
  GO_FLOAT64,
  GO_BIG_FLOAT,
  GO_STRING,
  GO_BYTES,
  GO_LIST,
  GO_MAP,
} GoType;

typedef struct {
  GoType type;
  bool boxed; /* inside an interface */
  CueValue v;
} GoValue;

GoValue go_value(CueValue v, bool boxed); /* of data; null is GO_NIL if boxed, else GO_NONE */
static inline GoValue go_int(int64_t i) { return (GoValue){GO_INT, false, cue_int(i)}; }
static inline GoValue go_string(CueStr s) { return (GoValue){GO_STRING, false, cue_string(s)}; }
static inline GoValue go_bool(bool b) { return (GoValue){GO_BOOL, false, cue_bool(b)}; }
static inline GoValue go_none(void) { return (GoValue){.type = GO_NONE}; }
GoValue go_unbox(GoValue v);         /* what the interface holds; GO_NONE for a nil */
const char *go_type_name(GoValue v); /* "interface {}" if boxed */
/* The fields of a map, by key. */
const CueField *go_sorted_fields(CueArena *a, const CueStruct *s);

/* fmt.Sprint, Sprintln and Sprintf. GO_NONE prints as <no value> at the top, as templates do. */
void go_print(CueBuf *out, const GoValue *args, size_t n);
void go_println(CueBuf *out, const GoValue *args, size_t n);
void go_printf(CueBuf *out, CueStr format, const GoValue *args, size_t n);

#endif
