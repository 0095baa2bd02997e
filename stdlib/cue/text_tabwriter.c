/* text_tabwriter.c - CUE's package "text/tabwriter": text with tabs as aligned columns.
**
** A cell is text ended by a tab. The cells of one column in adjoining lines form a block
** and get the width of the widest plus one blank; a line without a cell in that column
** ends the block. The text after the last tab of a line is not part of any column. Since a
** line with a cell in column k has cells in all columns before, one pass over the lines
** finds every block, without the recursion over columns that defines them.
*/
#include "stdlib/cue/stdlib.h"

typedef struct {
  CueStr text;
  size_t width; /* in runes */
  uint32_t block;
} Cell;

typedef struct {
  uint32_t first, n; /* its cells */
  bool apart;        /* a form feed came before: no block goes on into this line */
  bool ended;        /* by a line end, not by the end of the text */
} Line;

#define ESCAPE '\xff' /* text between two of these may hold tabs and line ends */

typedef struct {
  CueArena *a;
  CUE_VEC(Cell) cells;
  CUE_VEC(Line) lines;
  CUE_VEC(size_t) blocks; /* widths */
} Table;

static void table_read(Table *t, CueStr s) {
  size_t start = 0, escapes = 0;
  bool escaped = false, apart = false;
  Line line = {0};
  for (size_t i = 0; i <= s.n; i++) {
    bool at_end = i == s.n;
    char ch = at_end ? '\0' : s.s[i];
    if (!at_end && ch == ESCAPE) {
      if (escaped) escapes++;
      escaped = !escaped;
      continue;
    }
    bool stops = !escaped && (ch == '\t' || ch == '\v' || ch == '\n' || ch == '\f');
    if (!at_end && !stops) continue;
    if (!at_end || i > start) {
      CueStr text = cue_str_sub(s, start, i);
      cue_push(t->a, &t->cells, (Cell){.text = text, .width = cue_utf8_count(text) - 2 * escapes});
    }
    start = i + 1;
    escapes = 0;
    if (!at_end && (ch == '\t' || ch == '\v')) continue;
    line.n = t->cells.n - line.first;
    line.ended = !at_end;
    line.apart = apart;
    cue_push(t->a, &t->lines, line);
    line.first = t->cells.n;
    apart = ch == '\f';
  }
}

static uint32_t columns(const Line *l) { return l->n ? l->n - 1 : 0; }

static void table_measure(Table *t) {
  const Line none = {0};
  for (uint32_t i = 0; i < t->lines.n; i++) {
    const Line *line = &t->lines.at[i], *above = i && !line->apart ? line - 1 : &none;
    for (uint32_t j = 0; j < columns(line); j++) {
      Cell *cell = &t->cells.at[line->first + j];
      if (j < columns(above)) {
        cell->block = t->cells.at[above->first + j].block;
      } else {
        cell->block = t->blocks.n;
        cue_push(t->a, &t->blocks, 0);
      }
      size_t *width = &t->blocks.at[cell->block];
      if (cell->width + 1 > *width) *width = cell->width + 1;
    }
  }
}

static CueStr table_text(const Table *t) {
  CueBuf out = cue_buf(t->a);
  for (uint32_t i = 0; i < t->lines.n; i++) {
    const Line *line = &t->lines.at[i];
    for (uint32_t j = 0; j < line->n; j++) {
      const Cell *cell = &t->cells.at[line->first + j];
      cue_buf_str(&out, cell->text);
      if (j < columns(line)) cue_buf_repeat(&out, ' ', t->blocks.at[cell->block] - cell->width);
    }
    if (line->ended) cue_buf_ch(&out, '\n');
  }
  return cue_buf_done(&out);
}

/* The lines of the list that argument 0 is, as one text. On failure sets c->error. */
static bool join_lines(CueCall *c, CueStr *out) {
  const CueList *l = cue_arg_elements(c, 0);
  if (!l) return false;
  CueBuf text = cue_buf(c->a);
  for (uint32_t i = 0; i < l->n; i++) {
    CueValue v = l->at[i];
    if (v.form == CUE_LENT) v = c->ops->pick(c, v);
    if (v.form == CUE_LENT && (v.kind & (CUE_STRING | CUE_BYTES))) {
      cue_fail_incomplete(c, "non-concrete value %.*s", CUE_FMT(c->ops->text(c, v)));
      c->blame = 1;
      c->blame_element = i + 1;
      return false;
    }
    if (v.kind != CUE_STRING && v.kind != CUE_BYTES) {
      CueStr shown = c->ops->text(c, v);
      cue_fail(c, "cannot use value %.*s (type %.*s) as (string|bytes)", CUE_FMT(shown),
               CUE_FMT(cue_kinds_text(c->a, v.kind)));
      c->blame = 1;
      c->blame_element = i + 1;
      return false;
    }
    cue_buf_str(&text, cue_value_str(v));
    cue_buf_ch(&text, '\n');
  }
  *out = cue_buf_done(&text);
  return true;
}

static CueValue fn_write(CueCall *c) {
  CueValue v = c->args[0];
  CueStr text;
  if (v.kind == CUE_STRING || v.kind == CUE_BYTES)
    text = cue_value_str(v);
  else if (v.kind != CUE_LIST)
    return cue_fail(c, "tabwriter.Write: unsupported type %.*s", CUE_FMT(cue_kinds_text(c->a, v.kind)));
  else if (!join_lines(c, &text))
    return c->error;
  Table t = {.a = c->a};
  table_read(&t, text);
  table_measure(&t);
  return cue_result_string(c->a, table_text(&t));
}

static const CueBuiltin functions[] = {
    {"Write", "v", 's', fn_write},
};

const CueBuiltinPackage cue_pkg_text_tabwriter = {"text/tabwriter", functions, CUE_COUNT(functions), NULL, false};
