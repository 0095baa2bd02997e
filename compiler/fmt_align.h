/* fmt_align.h - lines of cells in, text with the cells of neighbouring lines aligned out. */
#ifndef CUE_FMT_ALIGN_H
#define CUE_FMT_ALIGN_H

#include "runtime/str.h"

typedef struct {
  uint32_t size;   /* bytes of text */
  uint32_t width;  /* runes of text */
  uint32_t column; /* width of the block of its column, once known */
  bool hard;       /* ended by a tab, so that an empty column of such cells still takes room */
} AlignCell;

typedef struct {
  CueArena *a;
  CueBuf *out;
  uint32_t tab;             /* columns of a tab */
  bool spaces;              /* write spaces in place of every tab */
  CueBuf text;              /* text of the lines held back */
  AlignCell cell;           /* the cell being written */
  CUE_VEC(AlignCell) cells; /* of the lines held back */
  CUE_VEC(uint32_t) ends;   /* for each full line, one past its last cell */
} Align;

Align align_new(CueArena *a, CueBuf *out, bool spaces);
void align_text(Align *w, CueStr s);            /* may hold tabs and newlines: they are kept as they are */
void align_cell(Align *w, bool hard);           /* ends a cell: what follows is the next column */
void align_line(Align *w, bool end_of_columns); /* ends a line; with end_of_columns no column goes on below it */
void align_finish(Align *w);                    /* writes what is held back */

#endif
