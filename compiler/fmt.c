/* fmt.c - prints a syntax tree: declarations, and the entry points.
**
** For each node: its comments that come first, its tokens with the white space it would
** like around them, its children, its other comments. What white space is written in the
** end is decided by fmt_pen.c, what is aligned with what by fmt_align.c.
**
** Braces of a struct with at most one element that is on one line in the source stay on one
** line, and everything inside then is separated by blanks (Frame.sep).
*/
#include "compiler/fmt.h"

#include "compiler/fmt_frame.h"

/* Wishes before the declaration after prev: columns go on only between rows of equally
** many labels, and a documented declaration stands apart from one that is not a field. */
static void gap_between(Printer *f, const Ast *prev, const Ast *n, int prev_labels) {
  fmt_gap(f, GAP_DECL_COMMA);
  if (f->cur.outer_sep == GAP_LINE && (prev_labels == 0 || fmt_labels_in_row(n) != prev_labels))
    fmt_gap(f, fmt_break_gap(f));
  if (fmt_has_comments(&f->tree, n) && (prev->kind != AST_FIELD || fmt_is_definition(&f->tree, prev)))
    fmt_gap(f, GAP_SECTION);
}

/* Wishes after a declaration, given the one that follows (NULL if none). */
static Gap gap_after(const Printer *f, const Ast *next) {
  const Ast *v = next && next->kind == AST_FIELD ? next->u.field.value : NULL;
  bool own_lines = v && (v->kind == AST_LIST || (v->kind == AST_STRUCT && (fmt_brace_of(v) || v->u.list.n != 1)));
  return own_lines ? fmt_break_gap(f) : f->cur.outer_sep;
}

void fmt_decls(Printer *f, const AstList *list) {
  Frame outer = fmt_enter(f, NULL);
  int labels = 0;
  const Ast *open = NULL;
  for (uint32_t i = 0; i < list->n; i++) {
    const Ast *n = list->at[i];
    if (i > 0) gap_between(f, list->at[i - 1], n, labels);
    if (f->tree.simplify && fmt_says_open(n)) { /* goes to the end */
      open = n;
      continue;
    }
    fmt_decl(f, n);
    labels = fmt_labels_in_row(n);
    fmt_gap(f, gap_after(f, i + 1 < list->n ? list->at[i + 1] : NULL));
  }
  if (open) {
    Ast ellipsis = {.kind = AST_ELLIPSIS, .comments = open->comments};
    fmt_decl(f, &ellipsis);
    fmt_gap(f, f->cur.outer_sep);
  }
  fmt_leave(f, outer);
}

static void put_field(Printer *f, const Ast *n) {
  fmt_name(f, fmt_label_of(&f->tree, n));
  if (n->u.field.alias_field) {
    fmt_tok(f, n->u.field.tilde, TOK_TILDE);
    fmt_gap(f, GAP_TIGHT);
    if (n->u.field.alias_label) {
      fmt_tok(f, 0, TOK_LPAREN);
      fmt_gap(f, GAP_TIGHT);
      fmt_expr(f, n->u.field.alias_label, PREC_NONE, 1);
      fmt_tok(f, 0, TOK_COMMA);
      fmt_gap(f, GAP_TIGHT);
    }
    fmt_expr(f, n->u.field.alias_field, PREC_NONE, 1);
    if (n->u.field.alias_label) {
      fmt_tok(f, 0, TOK_RPAREN);
      fmt_gap(f, GAP_TIGHT);
    }
  }
  if (n->constraint) fmt_tok(f, 0, (Tok)n->constraint);
  fmt_gap(f, GAP_TIGHT | GAP_FIXED);
  fmt_tok(f, n->open, TOK_COLON);
  fmt_comments(f, f->cur.slot);

  const Ast *m = fmt_inline_field(&f->tree, n);
  if (m) {
    bool own_line = !f->tree.simplify && fmt_starts_line(fmt_start_of(&f->tree, fmt_label_of(&f->tree, m)));
    fmt_gap(f, own_line ? GAP_INDENT | GAP_BREAK : GAP_BLANK | GAP_FIXED);
    fmt_decl(f, m);
    if (own_line) f->pen.indent--;
    return;
  }

  const Ast *v = n->u.field.value;
  bool bulky = fmt_is_bulky(v);
  Gap before = bulky || f->pen.brace_on_line ? GAP_BLANK : GAP_COLUMN;
  fmt_gap(f, before);
  if (!v) {
    fmt_skip(f);
  } else if (v->kind == AST_LIST || v->kind == AST_STRUCT) {
    fmt_expr(f, v, PREC_NONE, 1);
  } else {
    fmt_gap(f, GAP_INDENT);
    fmt_expr(f, v, PREC_NONE, 1);
    pen_end_level(&f->pen);
  }
  for (uint32_t i = 0; i < n->u.field.attrs.n; i++) {
    const Ast *at = n->u.field.attrs.at[i];
    Frame outer = fmt_enter(f, at);
    fmt_gap(f, i ? (Gap)GAP_BLANK : before);
    pen_at(&f->pen, at->pos);
    pen_text(&f->pen, at->u.text, TOK_ATTRIBUTE);
    fmt_leave(f, outer);
  }
  if (bulky) fmt_gap(f, GAP_BREAK);
}

/* Comments before an import or its name need parentheses to stand in. */
static bool has_leading_comments(const Ast *n) {
  for (const CommentGroup *g = n->comments; g; g = g->next)
    if (g->position <= 1) return true;
  return false;
}

static void put_imports(Printer *f, const Ast *n) {
  const AstList *list = &n->u.list;
  fmt_word(f, n->pos, CUE_STR("import"));
  fmt_gap(f, GAP_BLANK);
  bool bare = list->n == 1 && !has_leading_comments(list->at[0]) && !n->open;
  if (!bare) fmt_tok(f, n->open, TOK_LPAREN);
  if (!list->n) {
    fmt_tok(f, n->close, TOK_RPAREN);
    fmt_gap(f, GAP_LINE);
    return;
  }
  if (!bare) fmt_gap(f, GAP_LINE | GAP_INDENT);
  Frame whole = fmt_enter(f, NULL);
  for (uint32_t i = 0; i < list->n; i++) {
    const Ast *s = list->at[i];
    Frame outer = fmt_enter(f, s);
    if (s->u.import.name) {
      fmt_name(f, s->u.import.name);
      fmt_gap(f, GAP_BLANK);
    } else {
      fmt_skip(f);
    }
    fmt_expr(f, s->u.import.path, PREC_NONE, 1);
    fmt_gap(f, GAP_LINE);
    fmt_leave(f, outer);
  }
  fmt_leave(f, whole);
  if (!bare) {
    fmt_gap(f, GAP_UNINDENT | GAP_LINE);
    fmt_tok(f, n->close, TOK_RPAREN);
    fmt_gap(f, GAP_LINE);
  }
  fmt_gap(f, GAP_SECTION | GAP_FIXED);
}

static void put_decl_bare(Printer *f, const Ast *n) {
  switch ((AstKind)n->kind) {
  case AST_FIELD: put_field(f, n); return;
  case AST_BAD_DECL:
    fmt_word(f, n->pos, CUE_STR("*bad decl*"));
    fmt_gap(f, GAP_DECL_COMMA);
    return;
  case AST_PACKAGE:
    fmt_word(f, n->pos, CUE_STR("package"));
    fmt_gap(f, GAP_BLANK);
    pen_text(&f->pen, n->u.text, TOK_IDENT);
    fmt_gap(f, GAP_SECTION | GAP_FIXED);
    return;
  case AST_IMPORTS: put_imports(f, n); return;
  case AST_LET:
    if (fmt_may_start_line(&f->tree, n)) fmt_gap(f, GAP_BREAK);
    fmt_tok(f, n->pos, TOK_LET);
    fmt_gap(f, GAP_BLANK | GAP_FIXED);
    fmt_expr(f, n->u.let.name, PREC_NONE, 1);
    fmt_gap(f, GAP_BLANK | GAP_FIXED);
    fmt_tok(f, n->u.let.equal, TOK_BIND);
    fmt_gap(f, GAP_BLANK);
    fmt_expr(f, n->u.let.value, PREC_NONE, 1);
    fmt_gap(f, GAP_DECL_COMMA);
    return;
  case AST_EMBED:
    if (fmt_may_start_line(&f->tree, n)) fmt_gap(f, GAP_BREAK);
    fmt_expr(f, n->u.x, PREC_NONE, 1);
    fmt_gap(f, GAP_LINE);
    return;
  case AST_ATTRIBUTE:
    pen_at(&f->pen, n->pos);
    pen_text(&f->pen, n->u.text, TOK_ATTRIBUTE);
    return;
  case AST_COMMENTS:
    for (const CommentGroup *g = n->comments; g; g = g->next) {
      fmt_group(f, g);
      fmt_gap(f, GAP_SECTION);
    }
    return;
  case AST_COMPREHENSION:
    if (fmt_may_start_line(&f->tree, n)) fmt_gap(f, GAP_BREAK);
    fmt_comprehension(f, n);
    return;
  case AST_ELLIPSIS: fmt_ellipsis(f, n); return;
  case AST_ALIAS:
    if (fmt_may_start_line(&f->tree, n)) fmt_gap(f, GAP_BREAK);
    fmt_expr(f, n->u.alias.ident, PREC_NONE, 1);
    fmt_gap(f, GAP_BLANK);
    fmt_tok(f, n->u.alias.equal, TOK_BIND);
    fmt_gap(f, GAP_BLANK);
    fmt_expr(f, n->u.alias.x, PREC_NONE, 1);
    fmt_gap(f, GAP_DECL_COMMA);
    return;
  case AST_FOR:
  case AST_IF:
  case AST_TRY: fmt_clause(f, n); return;
  case AST_FALLBACK: fmt_expr(f, n->u.x, PREC_NONE, 1); return;
  case AST_FILE: fmt_decls(f, &n->u.list); return;
  case AST_IMPORT: fmt_expr(f, n->u.import.path, PREC_NONE, 1); return;
  default: fmt_expr_bare(f, n, PREC_NONE, 1); return;
  }
}

void fmt_decl(Printer *f, const Ast *n) {
  if (!fmt_descend(f)) return;
  Frame outer = fmt_enter(f, n);
  put_decl_bare(f, n);
  fmt_leave(f, outer);
  f->depth--;
}

static bool format(CueBuf *out, const Ast *n, CueFmtOptions opt) {
  CueArena *a = cue_arena_new();
  Printer f = {.a = a,
               .pen = pen_new(a, out, opt.indent, opt.use_spaces),
               .cur = {.sep = GAP_LINE, .outer_sep = GAP_LINE},
               .tree = {.simplify = opt.simplify, .source = opt.source}};
  if (opt.simplify) f.tree.labels = fmt_simplify(a, n);
  if (n->kind == AST_ALIAS)
    fmt_expr(&f, n, PREC_NONE, 1);
  else
    fmt_decl(&f, n);
  if (n->kind == AST_FILE) pen_end_file(&f.pen);
  align_finish(&f.pen.align);
  cue_arena_free(a);
  return !f.failed;
}

bool cue_format_file(CueBuf *out, const Ast *file, CueFmtOptions opt) { return format(out, file, opt); }
bool cue_format_node(CueBuf *out, const Ast *n, CueFmtOptions opt) { return format(out, n, opt); }
