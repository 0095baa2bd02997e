/* fmt_pen.c - decides what white space to write between two tokens.
**
** The printer of nodes (fmt.c) says what it would like between tokens; the source, where
** there is one, says what stood there. The pen holds the wishes until the next token, lets
** the source override them unless GAP_FIXED is among them, and writes the strongest one.
**
** Indentation is by levels: GAP_INDENT opens one, but a tab is added only when a line
** break follows inside it, so `a: {b: {` ... `}}` indents once.
*/
#include "compiler/fmt_pen.h"

Pen pen_new(CueArena *a, CueBuf *out, int base, bool spaces) {
  /* Nothing is written before the first token, whatever the source had there. */
  return (Pen){.align = align_new(a, out, spaces), .gap = GAP_FIXED, .base = base, .column = 1, .last = TOK_BAD};
}

void pen_gap(Pen *p, Gap g) { p->gap |= g; }

void pen_end_level(Pen *p) {
  if (!p->levels.n) return;
  if (p->levels.at[--p->levels.n]) p->indent--;
}

static void pen_break(Pen *p, Gap g, int lines, bool end_of_columns) {
  if (!(g & GAP_UNINDENT) && p->levels.n && !p->levels.at[p->levels.n - 1]) {
    p->levels.at[p->levels.n - 1] = true;
    p->indent++;
  }
  for (int i = 0; i < lines; i++) align_line(&p->align, end_of_columns);
  int tabs = p->base + p->indent;
  for (int i = 0; i < tabs; i++) align_cell(&p->align, true);
  p->column = 1 + tabs;
  p->line += (uint32_t)lines;
  p->brace_on_line = false;
  p->spaced = p->wrote = true;
}

static void pen_raw(Pen *p, const char *z) {
  CueStr s = cue_str(z);
  align_text(&p->align, s);
  p->column += (ptrdiff_t)s.n;
  p->wrote = true;
}

static void pen_space(Pen *p, Gap g) {
  if (g & GAP_COMMA && (g & GAP_BREAKS || !(g & GAP_LAST_COMMA))) pen_raw(p, ",");
  if (g & GAP_INDENT) cue_push(p->align.a, &p->levels, false);
  if (g & GAP_UNINDENT) pen_end_level(p);
  if (g & GAP_SECTION) {
    pen_break(p, g, 2, true);
  } else if (g & GAP_BREAK) {
    pen_break(p, g, 1, true);
  } else if (g & GAP_LINE) {
    pen_break(p, g, 1, false);
  } else if (g & GAP_DECL_COMMA) {
    pen_raw(p, ", ");
    p->spaced = true;
  } else if (g & GAP_TIGHT) {
    return;
  } else if (g & GAP_COLUMN) {
    align_cell(&p->align, false);
    p->column++;
    p->spaced = p->wrote = true;
  } else if (g & GAP_BLANK) {
    pen_raw(p, " ");
    p->spaced = true;
  }
}

void pen_at(Pen *p, CuePos pos) {
  if (cue_pos_rel(pos) == CUE_REL_NONE || p->gap & GAP_FIXED) return;
  Gap g = p->gap;
  switch (cue_pos_rel(pos)) {
  case CUE_REL_NOSPACE: g &= ~(Gap)GAP_BREAKS; break;
  case CUE_REL_BLANK: g = (g & ~(Gap)GAP_BREAKS) | GAP_BLANK; break;
  case CUE_REL_NEWLINE: g |= GAP_LINE; break;
  case CUE_REL_SECTION: g |= GAP_SECTION; break;
  case CUE_REL_NONE:
  case CUE_REL_ELIDED: break;
  }
  if (p->after_comment) g |= GAP_LINE;
  pen_space(p, g);
  p->gap = 0;
}

/* The end of every token: what goes before it, then itself. */
static void pen_put(Pen *p, CueStr s, Tok t) {
  pen_space(p, p->gap);
  p->gap = 0;
  p->after_comment = false;
  p->last = t;
  if (!s.n) return;
  p->spaced = false;
  p->wrote = true;
  align_text(&p->align, s);
  const char *newline = NULL;
  for (size_t i = s.n; i > 0 && !newline; i--)
    if (s.s[i - 1] == '\n') newline = s.s + i - 1;
  p->column = newline ? s.s + s.n - newline : p->column + (ptrdiff_t)s.n;
}

void pen_text(Pen *p, CueStr s, Tok kind) { pen_put(p, s, kind); }

void pen_tok(Pen *p, Tok t) {
  CueStr s = cue_str(tok_text(t));
  bool word = s.s[0] >= 'a' && s.s[0] <= 'z', apart = false;
  if (word) {
    apart = p->last != TOK_BAD;
  } else {
    switch (p->last) { /* tokens that would read as another one */
    case TOK_INT: apart = t == TOK_PERIOD; break;
    case TOK_ADD: apart = s.s[0] == '+'; break;
    case TOK_SUB: apart = s.s[0] == '-'; break;
    case TOK_QUO: apart = s.s[0] == '*'; break;
    default: break;
    }
  }
  if (apart && !p->spaced) pen_gap(p, GAP_BLANK);
  pen_put(p, s, t);
  if (word) pen_gap(p, GAP_BLANK);
}

void pen_comment_gap(Pen *p, const CommentGroup *g) {
  CueRel rel = g->line ? CUE_REL_BLANK : g->n ? cue_pos_rel(g->at[0].pos) : CUE_REL_NONE;
  if (rel == CUE_REL_BLANK || rel == CUE_REL_ELIDED) p->gap |= GAP_BLANK;
  if (rel == CUE_REL_BLANK || rel == CUE_REL_ELIDED || rel == CUE_REL_NOSPACE)
    p->gap &= ~(Gap)(GAP_BREAKS | GAP_DECL_COMMA);
}

void pen_comment(Pen *p, CueStr text) {
  pen_put(p, text, TOK_COMMENT);
  p->after_comment = true;
}

void pen_end_file(Pen *p) {
  p->gap = GAP_LINE;
  pen_put(p, CUE_STR(""), TOK_EOF);
}
