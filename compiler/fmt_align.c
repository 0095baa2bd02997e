/* fmt_align.c - the elastic columns of formatted CUE.
**
** A line is cells; every cell but the last stands in a column. Cells of one column in
** neighbouring lines make a block, which is as wide as its widest cell plus one blank.
** Indentation is cells too: empty ones, ended hard, padded by tabs. So a block may hold an
** indentation cell and a text cell of a less indented line, and the indentation then grows
** with the text; that is what `cue fmt` shows, and why indentation is not written directly.
**
** Lines are held back while a line below may still widen a column: until a line without
** columns, or until the caller says so.
*/
#include "compiler/fmt_align.h"

Align align_new(CueArena *a, CueBuf *out, bool spaces) {
  return (Align){.a = a, .out = out, .tab = spaces ? 4 : 8, .spaces = spaces, .text = cue_buf(a)};
}

static void align_emit(Align *w, CueStr s) {
  if (!w->spaces) {
    cue_buf_str(w->out, s);
    return;
  }
  for (size_t i = 0; i < s.n; i++)
    if (s.s[i] == '\t')
      cue_buf_repeat(w->out, ' ', w->tab);
    else
      cue_buf_ch(w->out, s.s[i]);
}

/* Cells [from, to) of a line held back; the last of them is in no column. */
typedef struct {
  uint32_t from, columns;
} AlignLine;

static AlignLine align_line_at(const Align *w, uint32_t i) {
  uint32_t from = i ? w->ends.at[i - 1] : 0, n = w->ends.at[i] - from;
  return (AlignLine){from, n ? n - 1 : 0};
}

/* A block of a column is a run of lines that have it. Lines that have a column have all to
** its left, so each column can be done by itself, from the first line of each run. */
static void align_widths(Align *w) {
  uint32_t above = 0;
  for (uint32_t i = 0; i < w->ends.n; i++) {
    AlignLine line = align_line_at(w, i);
    for (uint32_t j = above; j < line.columns; j++) {
      uint32_t width = 0;
      uint32_t last = i;
      for (; last < w->ends.n; last++) {
        AlignLine l = align_line_at(w, last);
        if (l.columns <= j) break;
        const AlignCell *c = &w->cells.at[l.from + j];
        if ((c->width || c->hard) && c->width + 1 > width) width = c->width + 1;
      }
      for (uint32_t k = i; k < last; k++) w->cells.at[align_line_at(w, k).from + j].column = width;
    }
    above = line.columns;
  }
}

static void align_flush(Align *w) {
  align_widths(w);
  size_t at = 0;
  for (uint32_t i = 0; i < w->ends.n; i++) {
    AlignLine line = align_line_at(w, i);
    bool leading = true;
    for (uint32_t j = line.from; j < w->ends.at[i]; j++) {
      const AlignCell *c = &w->cells.at[j];
      if (c->size) {
        leading = false;
        align_emit(w, (CueStr){w->text.s + at, c->size});
        at += c->size;
      }
      if (j == line.from + line.columns) break;
      if (leading)
        for (uint32_t n = (c->column + w->tab - 1) / w->tab; n > 0; n--) align_emit(w, CUE_STR("\t"));
      else
        cue_buf_repeat(w->out, ' ', c->column - c->width);
    }
    cue_buf_ch(w->out, '\n');
  }
  w->cells.n = w->ends.n = 0;
  w->text.n = 0;
}

void align_text(Align *w, CueStr s) {
  cue_buf_str(&w->text, s);
  w->cell.size += (uint32_t)s.n; /* sources are far below 4 GiB */
  w->cell.width += (uint32_t)cue_utf8_count(s);
}

void align_cell(Align *w, bool hard) {
  w->cell.hard = hard;
  cue_push(w->a, &w->cells, w->cell);
  w->cell = (AlignCell){0};
}

void align_line(Align *w, bool end_of_columns) {
  align_cell(w, false);
  uint32_t first = w->ends.n ? w->ends.at[w->ends.n - 1] : 0;
  bool plain = w->cells.n - first == 1;
  cue_push(w->a, &w->ends, w->cells.n);
  if (end_of_columns || plain) align_flush(w);
}

/* The text may end without a newline, and then an empty last cell does not count. */
void align_finish(Align *w) {
  uint32_t first = w->ends.n ? w->ends.at[w->ends.n - 1] : 0;
  if (w->cell.size) align_cell(w, false);
  if (w->cells.n > first) {
    cue_push(w->a, &w->ends, w->cells.n);
    align_flush(w);
    w->out->n--;
  } else {
    align_flush(w);
  }
}
