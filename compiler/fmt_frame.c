/* fmt_frame.c - prints tokens, and the comments between them.
**
** A comment group says between which parts of its node it stands; so parts are counted
** (Frame.slot) in the way the parser did: a token is a part, and so is a child.
*/
#include "compiler/fmt_frame.h"

void fmt_gap(Printer *f, Gap g) { pen_gap(&f->pen, g); }

void fmt_tok(Printer *f, CuePos at, Tok t) {
  pen_at(&f->pen, at);
  pen_tok(&f->pen, t);
  f->cur.slot++;
}

void fmt_word(Printer *f, CuePos at, CueStr word) {
  pen_at(&f->pen, at);
  pen_text(&f->pen, word, TOK_STRING);
  f->cur.slot++;
}

void fmt_group(Printer *f, const CommentGroup *g) {
  pen_comment_gap(&f->pen, g);
  if (g->doc && f->pen.wrote) fmt_gap(f, GAP_LINE);
  for (uint32_t i = 0; i < g->n; i++) {
    if (f->pen.column > 1) fmt_gap(f, GAP_COLUMN);
    pen_at(&f->pen, g->at[i].pos);
    pen_comment(&f->pen, g->at[i].text);
    fmt_gap(f, g->doc ? GAP_LINE | GAP_FIXED : GAP_LINE);
  }
}

void fmt_comments(Printer *f, int slot) {
  for (bool first = true; f->cur.comments && f->cur.comments->position <= slot; first = false) {
    const CommentGroup *g = f->cur.comments;
    f->cur.comments = g->next;
    if (!first) fmt_gap(f, GAP_SECTION);
    fmt_group(f, g);
  }
}

void fmt_skip(Printer *f) {
  f->cur.slot++;
  fmt_comments(f, f->cur.slot);
}

Frame fmt_enter(Printer *f, const Ast *n) {
  Frame outer = f->cur;
  f->cur = (Frame){.sep = outer.sep, .outer_sep = outer.sep};
  if (n) {
    if (n->kind == AST_STRUCT && n->u.list.n <= 1 && outer.sep != GAP_BLANK && fmt_on_one_line(&f->tree, n))
      f->cur.sep = GAP_BLANK;
    f->cur.comments = n->kind == AST_COMMENTS ? NULL : n->comments;
    fmt_comments(f, 0);
  }
  return outer;
}

void fmt_leave(Printer *f, Frame outer) {
  fmt_comments(f, INT8_MAX);
  f->cur = outer;
  fmt_skip(f);
}

Gap fmt_break_gap(const Printer *f) { return f->cur.sep == GAP_BLANK ? GAP_BLANK : GAP_BREAK; }

bool fmt_descend(Printer *f) {
  if (f->depth >= FMT_MAX_DEPTH) {
    f->failed = true;
    return false;
  }
  f->depth++;
  return true;
}
