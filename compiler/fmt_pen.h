/* fmt_pen.h - tokens and wishes for white space in, aligned lines out (internal to fmt*.c). */
#ifndef CUE_FMT_PEN_H
#define CUE_FMT_PEN_H

#include "compiler/ast.h"
#include "compiler/fmt_align.h"

/* What may stand between the last token and the next: wishes add up, and the strongest is
** written when the next token comes. ORDER of strength: see pen_space. */
typedef unsigned Gap;
enum {
  GAP_BLANK = 1 << 0,
  GAP_COLUMN = 1 << 1, /* next token starts a column */
  GAP_TIGHT = 1 << 2,  /* no blank, whoever asked for one */
  GAP_FIXED = 1 << 3,  /* the source has no say */
  GAP_COMMA = 1 << 4,
  GAP_LAST_COMMA = 1 << 5, /* the comma was after the last element: only before a line break */
  GAP_DECL_COMMA = 1 << 6, /* ", " unless there is a line break */
  GAP_LINE = 1 << 7,
  GAP_BREAK = 1 << 8,     /* line break that ends all columns */
  GAP_SECTION = 1 << 9,   /* empty line */
  GAP_INDENT = 1 << 10,   /* opens a level: one more tab from its first line break on */
  GAP_UNINDENT = 1 << 11, /* closes the innermost level */
  GAP_BREAKS = GAP_LINE | GAP_BREAK | GAP_SECTION,
};

typedef struct {
  Align align;
  Gap gap;              /* wishes so far */
  int base, indent;     /* tabs before a line: of the caller, of the levels */
  CUE_VEC(bool) levels; /* open levels: has a line break indented it? */
  uint32_t line;        /* line breaks written */
  ptrdiff_t column;     /* of the next byte, from 1; indentation counts a column a tab, and can be negative */
  Tok last;             /* last token; TOK_BAD at the start */
  bool spaced;          /* white space was the last thing written */
  bool wrote;           /* anything yet? */
  bool brace_on_line;   /* a "{" was written on this line */
  bool after_comment;   /* only a line break may follow */
} Pen;

Pen pen_new(CueArena *a, CueBuf *out, int base, bool spaces);
void pen_gap(Pen *p, Gap g);
void pen_at(Pen *p, CuePos pos); /* the next token is at pos: the white space there counts */
void pen_tok(Pen *p, Tok t);
void pen_text(Pen *p, CueStr s, Tok kind);           /* a name, literal, attribute: written as it is */
void pen_comment_gap(Pen *p, const CommentGroup *g); /* white space between code and a comment group */
void pen_comment(Pen *p, CueStr text);
void pen_end_level(Pen *p); /* closes the innermost level now */
void pen_end_file(Pen *p);  /* ends the last line of a file */

#endif
