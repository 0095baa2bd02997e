/* json_scan.h - a JSON syntax checker fed byte by byte, with the error texts of Go's encoding/json.
**
** It says for every byte what the byte is for, which is all that compacting, indenting
** and splitting a stream need; values are read elsewhere.
*/
#ifndef CUE_STDLIB_JSON_SCAN_H
#define CUE_STDLIB_JSON_SCAN_H

#include "runtime/str.h"

/* What a byte was. */
typedef enum {
  JSON_PART,      /* goes on with a token, or begins a scalar */
  JSON_OPEN,      /* { or [ */
  JSON_CLOSE,     /* } or ] */
  JSON_SEPARATOR, /* , or : */
  JSON_SPACE,     /* insignificant */
  JSON_END,       /* comes after the top value */
  JSON_ERROR,
} JsonByte;

typedef enum {
  JSON_IN_VALUE, /* before a value */
  JSON_IN_FIRST_ELEMENT,
  JSON_IN_FIRST_KEY,
  JSON_IN_KEY,
  JSON_IN_STRING,
  JSON_IN_ESCAPE,
  JSON_IN_UNICODE,
  JSON_IN_MINUS,
  JSON_IN_ZERO,
  JSON_IN_DIGITS,
  JSON_IN_POINT,
  JSON_IN_FRACTION,
  JSON_IN_EXPONENT,
  JSON_IN_EXPONENT_SIGN,
  JSON_IN_EXPONENT_DIGITS,
  JSON_IN_LITERAL,
  JSON_AFTER_VALUE,
  JSON_AFTER_TOP,
  JSON_FAILED,
} JsonState;

typedef struct {
  CueArena *a;
  JsonState state;
  uint8_t unicode;     /* hex digits of \u seen */
  const char *literal; /* true, false or null, and how much of it was seen */
  uint8_t matched;
  CUE_VEC(char) nest; /* k: before the colon of an object, v: after it, a: in an array */
  bool complete;      /* a whole top value was seen */
  CueStr error;
} JsonScan;

JsonScan json_scan(CueArena *a);
JsonByte json_step(JsonScan *s, char c);
/* Whether the bytes so far are one whole value; if not, s->error says why. */
bool json_finish(JsonScan *s);
/* Checks a whole text. */
bool json_valid(CueArena *a, CueStr text, CueStr *error);

#endif
