/* read.h - JSON and YAML text as events with positions.
**
** A reader walks the text once and tells a visitor what it meets; offsets are bytes of the
** text. cue_read_json and cue_read_yaml (value.h) are visitors that build a CueValue; the
** compiler has one that builds syntax. A visitor's functions return false to stop.
** Aliases of YAML are expanded and merge keys (<<) are resolved before the visitor sees them.
** Fields may come twice: cue unifies them, so visitors must expect it.
*/
#ifndef CUE_READ_H
#define CUE_READ_H

#include "runtime/value.h"

typedef struct {
  CueValue value;
  CueStr literal; /* of a number: as CUE writes it, sign included (017 of YAML is 0o17); else empty */
  size_t from, to;
} CueScalar;

typedef struct {
  void *ctx;
  bool (*begin)(void *ctx, CueKind kind, size_t at); /* kind: CUE_STRUCT or CUE_LIST; at: its first byte */
  bool (*key)(void *ctx, CueStr key, size_t from, size_t to);
  bool (*scalar)(void *ctx, const CueScalar *s);
  bool (*end)(void *ctx, CueKind kind, size_t at); /* at: past its last byte */
} CueVisitor;

typedef struct {
  CueStr message; /* without file and line */
  size_t offset;
  uint32_t line; /* the line cue names for this error, from 1; 0 if it names none */
} CueReadError;

/* True if all went well and no function of the visitor said stop. A visitor that stops leaves err->message empty. */
bool cue_visit_json(CueArena *a, CueStr text, const CueVisitor *v, CueReadError *err);

/* Reads the YAML document at *offset and moves it behind it. At the end of the text nothing
** is visited and *done is set. Go's reader sees an empty text as one null; so does cue. */
bool cue_visit_yaml(CueArena *a, CueStr text, size_t *offset, bool *done, const CueVisitor *v, CueReadError *err);

/* How a reader of TOML looks, which is not part of the runtime. */
typedef bool CueVisitText(CueArena *a, CueStr text, const CueVisitor *v, CueReadError *err);

/* The visitor that builds a value: begin with cue_builder(a), visit, take cue_built(). */
typedef struct CueBuilder CueBuilder;
CueBuilder *cue_builder(CueArena *a);
CueVisitor cue_builder_visitor(CueBuilder *b);
CueValue cue_built(CueBuilder *b);

#endif
