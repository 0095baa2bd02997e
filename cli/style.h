/* style.h - how things look: colours, and the blocks that several commands print.
**
** A pen is a buffer and whether its reader sees colours. Every piece has the same characters with
** and without them, so columns can be counted and tests compare plain text.
*/
#ifndef OPM_STYLE_H
#define OPM_STYLE_H

#include "cli/run.h"

typedef struct {
  CueBuf *to;
  bool color;
} Pen;

static inline Pen pen_out(Run *r) { return (Pen){r->out, r->color_out}; }
static inline Pen pen_err(Run *r) { return (Pen){r->err, r->color_err}; }
/* For a message that will go to the log: a buffer of its own. */
static inline Pen pen_on(CueBuf *b, const Run *r) { return (Pen){b, r->color_err}; }

typedef enum {
  STYLE_PLAIN,
  STYLE_NOUN,   /* names of things */
  STYLE_GOOD,   /* created, valid */
  STYLE_NOTICE, /* configured, places in files */
  STYLE_GONE,   /* deleted */
  STYLE_BAD,    /* failed */
  STYLE_MARK,   /* check marks */
  STYLE_FAINT,
  STYLE_BOLD,
  STYLE_DEBUG,
  STYLE_INFO,
  STYLE_WARN,
  STYLE_ERROR,
  STYLE_HEADER, /* of a table */
} Style;

void style_put(Pen p, Style s, CueStr text);
void style_f(Pen p, Style s, const char *fmt, ...) CUE_PRINTF(3, 4);

/* Lines, without the newline: they are data on stdout, or messages of the log. */
void style_done(Pen p, CueStr text); /* check mark and text */
void style_check(Pen p, CueStr label,
                 CueStr detail); /* check mark, label, detail at a column of its own; "" for none */
/* "component <- provider - transformer". An empty transformer says that none matches. */
void style_match(Pen p, CueStr component, CueStr provider, CueStr transformer);

typedef enum {
  RESOURCE_CREATED,
  RESOURCE_CONFIGURED,
  RESOURCE_UNCHANGED,
  RESOURCE_DELETED,
  RESOURCE_VALID,
  RESOURCE_FAILED,
} ResourceStatus;
/* "r:Kind/namespace/name" and its status at a column of its own; namespace may be "". */
void style_resource(Pen p, CueStr kind, CueStr namespace, CueStr name, ResourceStatus status);

/* One row of a tree of files, with its newline: description at column 30. */
void style_file(Pen p, int depth, CueStr path, CueStr description);

/* A table as kubectl's: no lines, three blanks between columns. Cells are row after row; the first row is the header.
** Each cell has a style, or styles is NULL for plain ones. */
void style_table(Pen p, const CueStr *cells, const Style *styles, uint32_t columns, uint32_t rows);

#endif
