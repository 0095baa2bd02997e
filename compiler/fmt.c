/* fmt.c - prints the nodes of a syntax tree.
**
** For each node: its comments that come first, its tokens with the white space it would
** like around them, its children, its other comments. A comment group says between which
** parts of its node it stands; so the printer counts parts (Frame.slot) in the way the
** parser did: a token is a part, and so is a child. What white space is written in the end
** is decided by fmt_pen.c, what is aligned with what by fmt_align.c.
**
** Braces of a struct with at most one element that is on one line in the source stay on one
** line, and everything inside then is separated by blanks (Frame.sep).
**
** The C stack bounds the nesting (FMT_MAX_DEPTH); chains of binary operators, which lean
** left and can be very long, are printed in a loop.
*/
#include "compiler/fmt.h"

#include <string.h>

#include "compiler/fmt_literal.h"
#include "compiler/fmt_pen.h"
#include "compiler/fmt_simplify.h"
#include "compiler/literal.h"
#include "compiler/parse.h"

/* Precedences beyond those of binary operators. */
enum { PREC_NONE = 0, PREC_UNARY = 8, PREC_PRIMARY = 9 };
/* Strings nested deeper than this keep their indentation. */
enum { MAX_STRING_INDENT = 6 };

/* The node being printed. */
typedef struct {
  const CommentGroup *comments; /* those still to be printed, by position */
  int slot;                     /* parts printed so far */
  Gap sep, outer_sep;           /* between elements of this node and of the one around it: GAP_BLANK or GAP_LINE */
} Frame;

typedef struct {
  CueArena *a;
  Pen pen;
  Frame cur;
  CueFmtOptions opt;
  FmtLabels labels;             /* empty unless simplifying */
  int depth;
  bool failed;
} Printer;

static void put_expr(Printer *f, const Ast *n, int prec, int depth);
static void put_expr_bare(Printer *f, const Ast *n, int prec, int depth);
static void put_decl(Printer *f, const Ast *n);

/* ---- positions ---- */

static const Ast *label_of(const Printer *f, const Ast *field) { return fmt_label(&f->labels, field->u.field.label); }

/* The brace of a struct; 0 if it has none. */
static CuePos brace_of(const Ast *n) { return n->synthetic ? 0 : n->open ? n->open : n->pos; }
static CuePos bracket_of(const Ast *n) { return n->open ? n->open : n->pos; }

static CuePos start_of(const Printer *f, const Ast *n) {
  while (n) switch ((AstKind)n->kind) {
    case AST_FIELD: n = label_of(f, n); break;
    case AST_EMBED: n = n->u.x; break;
    case AST_IMPORT: n = n->u.import.name ? n->u.import.name : n->u.import.path; break;
    case AST_COMPREHENSION: n = n->u.comp.clauses.n ? n->u.comp.clauses.at[0] : NULL; break;
    case AST_COMMENTS: return n->comments && n->comments->n ? n->comments->at[0].pos : 0;
    case AST_INTERPOLATION:
    case AST_FILE: n = n->u.list.n ? n->u.list.at[0] : NULL; break;
    case AST_STRUCT:
      if (brace_of(n) || !n->u.list.n) return brace_of(n);
      n = n->u.list.at[0];
      break;
    case AST_LIST:
    case AST_PAREN: return bracket_of(n);
    case AST_SELECTOR: n = n->u.sel.x; break;
    case AST_INDEX:
    case AST_BINARY: n = n->u.binary.x; break;
    case AST_SLICE: n = n->u.slice.x; break;
    case AST_CALL: n = n->u.call.fun; break;
    case AST_POSTFIX: n = n->u.unary.x; break;
    case AST_ALIAS: n = n->u.alias.ident; break;
    case AST_LET:
    case AST_ELLIPSIS:
    case AST_ATTRIBUTE:
    case AST_PACKAGE:
    case AST_IMPORTS:
    case AST_BAD_DECL:
    case AST_IDENT:
    case AST_BASIC:
    case AST_BOTTOM:
    case AST_UNARY:
    case AST_FUNC:
    case AST_BAD_EXPR:
    case AST_FOR:
    case AST_IF:
    case AST_TRY:
    case AST_FALLBACK: return n->pos;
    }
  return 0;
}

/* Where n ends. Without a position, that of its last token, which may still have CueRel
** bits: whether it is 0 is all that matters then. */
static CuePos end_of(const Ast *n) {
  while (n) {
    if (cue_pos_known(n->end)) return n->end;
    switch ((AstKind)n->kind) {
    case AST_FIELD: n = n->u.field.attrs.n ? n->u.field.attrs.at[n->u.field.attrs.n - 1] : n->u.field.value; break;
    case AST_EMBED:
    case AST_IF:
    case AST_FALLBACK: n = n->u.x; break;
    case AST_ELLIPSIS:
      if (!n->u.x) return n->pos;
      n = n->u.x;
      break;
    case AST_IMPORT: n = n->u.import.path; break;
    case AST_COMPREHENSION: n = n->u.comp.fallback ? n->u.comp.fallback : n->u.comp.value; break;
    case AST_COMMENTS: return n->comments && n->comments->n ? n->comments->at[n->comments->n - 1].pos : 0;
    case AST_INTERPOLATION:
    case AST_FILE: n = n->u.list.n ? n->u.list.at[n->u.list.n - 1] : NULL; break;
    case AST_STRUCT:
      if (n->close || !n->u.list.n) return n->close;
      n = n->u.list.at[n->u.list.n - 1];
      break;
    case AST_LIST:
    case AST_PAREN:
    case AST_INDEX:
    case AST_SLICE:
    case AST_CALL:
    case AST_IMPORTS: return n->close;
    case AST_SELECTOR: n = n->u.sel.sel; break;
    case AST_BINARY: n = n->u.binary.y; break;
    case AST_UNARY: n = n->u.unary.x; break;
    case AST_POSTFIX: return n->open;
    case AST_ALIAS: n = n->u.alias.x; break;
    case AST_LET: n = n->u.let.value; break;
    case AST_TRY:
      if (!n->u.let.value) return n->pos;
      n = n->u.let.value;
      break;
    case AST_FOR: n = n->u.loop.source; break;
    case AST_FUNC: n = n->u.func.ret; break;
    case AST_ATTRIBUTE:
    case AST_IDENT:
    case AST_BASIC:
    case AST_BOTTOM:
    case AST_PACKAGE:
    case AST_BAD_DECL:
    case AST_BAD_EXPR: return n->pos;
    }
  }
  return 0;
}

/* Positions that are but a CueRel are all on one line. */
static bool on_one_line(const Printer *f, const Ast *n) {
  CuePos from = start_of(f, n), to = end_of(n);
  if (!from || !to || cue_pos_known(from) != cue_pos_known(to)) return false;
  if (!cue_pos_known(from)) return true;
  const CueSource *src = f->opt.source;
  uint32_t i = cue_pos_offset(from), j = cue_pos_offset(to);
  if (!src || i < src->base || i > j || j - src->base > src->text.n) return false;
  return !memchr(src->text.s + (i - src->base), '\n', j - i);
}

static bool starts_line(CuePos p) { return cue_pos_rel(p) >= CUE_REL_NEWLINE; }
/* Would n begin a line, for all the source says? */
static bool may_start_line(const Printer *f, const Ast *n) {
  CuePos p = start_of(f, n);
  return cue_pos_rel(p) == CUE_REL_NONE || starts_line(p);
}

/* Does x come before the comments of g? */
static bool comes_before(CuePos x, const CommentGroup *g) {
  CuePos y = g->n ? g->at[0].pos : 0;
  if (!x || x == y) return false;
  if (!y) return true;
  return cue_pos_offset(x) < cue_pos_offset(y);
}

/* ---- tokens, comments, frames ---- */

static void gap(Printer *f, Gap g) { pen_gap(&f->pen, g); }

static void put_tok(Printer *f, CuePos at, Tok t) {
  pen_at(&f->pen, at);
  pen_tok(&f->pen, t);
  f->cur.slot++;
}

static void put_word(Printer *f, CuePos at, CueStr word) {
  pen_at(&f->pen, at);
  pen_text(&f->pen, word, TOK_STRING);
  f->cur.slot++;
}

static void put_group(Printer *f, const CommentGroup *g) {
  pen_comment_gap(&f->pen, g);
  if (g->doc && f->pen.wrote) gap(f, GAP_LINE);
  for (uint32_t i = 0; i < g->n; i++) {
    if (f->pen.column > 1) gap(f, GAP_COLUMN);
    pen_at(&f->pen, g->at[i].pos);
    pen_comment(&f->pen, g->at[i].text);
    gap(f, g->doc ? GAP_LINE | GAP_FIXED : GAP_LINE);
  }
}

/* Prints the comments that stand before the next part of the node. */
static void put_comments(Printer *f, int slot) {
  for (bool first = true; f->cur.comments && f->cur.comments->position <= slot; first = false) {
    const CommentGroup *g = f->cur.comments;
    f->cur.comments = g->next;
    if (!first) gap(f, GAP_SECTION);
    put_group(f, g);
  }
}

/* A part that this node could have and has not. */
static void skip_slot(Printer *f) {
  f->cur.slot++;
  put_comments(f, f->cur.slot);
}

/* Begins a node, or with NULL a list of nodes that counts as one part of the node around it. */
static Frame enter(Printer *f, const Ast *n) {
  Frame outer = f->cur;
  f->cur = (Frame){.sep = outer.sep, .outer_sep = outer.sep};
  if (n) {
    if (n->kind == AST_STRUCT && n->u.list.n <= 1 && outer.sep != GAP_BLANK && on_one_line(f, n)) f->cur.sep = GAP_BLANK;
    f->cur.comments = n->kind == AST_COMMENTS ? NULL : n->comments;
    put_comments(f, 0);
  }
  return outer;
}

static void leave(Printer *f, Frame outer) {
  put_comments(f, INT8_MAX);
  f->cur = outer;
  skip_slot(f);
}

/* The line break between elements, if there is one; columns end there. */
static Gap break_gap(const Printer *f) { return f->cur.sep == GAP_BLANK ? GAP_BLANK : GAP_BREAK; }

static bool too_deep(Printer *f) {
  if (f->depth >= FMT_MAX_DEPTH) f->failed = true;
  return f->depth >= FMT_MAX_DEPTH;
}

/* ---- questions about nodes ---- */

static bool is_name(const Ast *n, const char *name) { return n && n->kind == AST_IDENT && cue_str_is(n->u.text, name); }
static bool is_top(const Ast *n) { return is_name(n, "_"); }

/* The identifier that is or is aliased in a label; NULL for other labels. */
static const Ast *label_ident(const Ast *label) {
  if (label->kind == AST_ALIAS) label = label->u.alias.x;
  return label && label->kind == AST_IDENT ? label : NULL;
}

static bool is_definition(const Printer *f, const Ast *field) {
  const Ast *id = label_ident(label_of(f, field));
  return id && (cue_str_has_prefix(id->u.text, CUE_STR("#")) || cue_str_has_prefix(id->u.text, CUE_STR("_#")));
}

static bool is_regular(const Printer *f, const Ast *field) {
  const Ast *id = label_ident(label_of(f, field));
  return !id || !(cue_str_has_prefix(id->u.text, CUE_STR("#")) || cue_str_has_prefix(id->u.text, CUE_STR("_")));
}

/* How many labels `a: b: c: value` has; 0 if the innermost value is a struct of none or many fields. */
static int labels_in_row(const Ast *n) {
  int d = 0;
  while (n->kind == AST_FIELD) {
    const Ast *v = n->u.field.value;
    if (!v || v->kind != AST_STRUCT) return d + 1;
    if (v->u.list.n != 1) return d;
    d++;
    n = v->u.list.at[0];
  }
  return d;
}

static bool has_comments(const Printer *f, const Ast *n) {
  if (n->kind == AST_COMMENTS) return false;
  if (n->comments) return true;
  switch (n->kind) {
  case AST_FIELD: return label_of(f, n)->comments;
  case AST_ALIAS: return n->u.alias.ident->comments;
  case AST_LET: return n->u.let.name->comments;
  default: return false;
  }
}

/* `...`, or a pattern that says the same. */
static bool says_open(const Ast *n) {
  if (n->kind == AST_ELLIPSIS) return true;
  if (n->kind != AST_FIELD || !is_top(n->u.field.value)) return false;
  const Ast *l = n->u.field.label;
  return l->kind == AST_LIST && l->u.list.n == 1 && (is_name(l->u.list.at[0], "string") || is_top(l->u.list.at[0]));
}

/* Does the value span lines, so that it is in no column with its neighbours? */
static bool is_bulky(const Ast *n) {
  while (n) switch (n->kind) {
    case AST_STRUCT:
    case AST_LIST: return true;
    case AST_BASIC: return n->u.text.n && memchr(n->u.text.s, '\n', n->u.text.n);
    case AST_PAREN: n = n->u.x; break;
    case AST_UNARY:
    case AST_POSTFIX: n = n->u.unary.x; break;
    case AST_BINARY:
      if (is_bulky(n->u.binary.y)) return true;
      n = n->u.binary.x;
      break;
    case AST_INDEX: n = n->u.binary.x; break;
    case AST_SELECTOR: n = n->u.sel.x; break;
    case AST_CALL:
      for (uint32_t i = 0; i < n->u.call.args.n; i++)
        if (is_bulky(n->u.call.args.at[i])) return true;
      return false;
    default: return false;
    }
  return false;
}

/* ---- labels, lists, structs ---- */

static void put_label(Printer *f, const Ast *n) {
  Frame outer = enter(f, n);
  switch (n->kind) {
  case AST_IDENT:
    put_word(f, n->pos, cue_is_valid_ident(n->u.text) ? n->u.text : cue_literal_quote(f->a, n->u.text, CUE_QUOTE_LABEL, 0));
    break;
  case AST_BASIC: put_word(f, n->pos, fmt_label_literal(f->a, n->u.text)); break;
  default: put_expr(f, n, PREC_NONE, 1); break;
  }
  leave(f, outer);
}

static void put_clause(Printer *f, const Ast *n) {
  switch (n->kind) {
  case AST_FOR:
    put_word(f, n->pos, CUE_STR("for"));
    gap(f, GAP_BLANK | GAP_INDENT);
    if (n->u.loop.key) {
      put_label(f, n->u.loop.key);
      put_tok(f, n->u.loop.comma, TOK_COMMA);
      gap(f, GAP_BLANK);
    } else {
      skip_slot(f);
    }
    put_label(f, n->u.loop.value);
    gap(f, GAP_BLANK);
    put_word(f, n->u.loop.in, CUE_STR("in"));
    gap(f, GAP_BLANK);
    put_expr(f, n->u.loop.source, PREC_NONE, 1);
    pen_end_level(&f->pen);
    return;
  case AST_IF:
    put_word(f, n->pos, CUE_STR("if"));
    gap(f, GAP_BLANK | GAP_INDENT);
    put_expr(f, n->u.x, PREC_NONE, 1);
    pen_end_level(&f->pen);
    return;
  default: /* AST_LET, AST_TRY */
    put_tok(f, n->pos, n->kind == AST_LET ? TOK_LET : TOK_TRY);
    if (!n->u.let.name) return;
    gap(f, GAP_BLANK | GAP_FIXED | GAP_INDENT);
    put_expr(f, n->u.let.name, PREC_NONE, 1);
    gap(f, GAP_BLANK | GAP_FIXED);
    put_tok(f, n->u.let.equal, TOK_BIND);
    gap(f, GAP_BLANK);
    put_expr(f, n->u.let.value, PREC_NONE, 1);
    pen_end_level(&f->pen);
    return;
  }
}

static void put_comprehension(Printer *f, const Ast *n) {
  const AstList *clauses = &n->u.comp.clauses;
  Frame list = enter(f, NULL);
  for (uint32_t i = 0; i < clauses->n; i++) {
    Frame outer = enter(f, clauses->at[i]);
    if (i > 0) gap(f, GAP_BLANK);
    put_clause(f, clauses->at[i]);
    leave(f, outer);
  }
  leave(f, list);
  gap(f, GAP_BLANK | GAP_FIXED);
  put_expr(f, n->u.comp.value, PREC_NONE, 1);
  const Ast *fallback = n->u.comp.fallback;
  if (!fallback) return;
  bool single_guard = clauses->n == 1 && clauses->at[0]->kind != AST_FOR;
  gap(f, GAP_BLANK);
  put_tok(f, fallback->pos, single_guard ? TOK_ELSE : TOK_OTHERWISE);
  gap(f, GAP_BLANK);
  put_expr(f, fallback->u.x, PREC_NONE, 1);
}

static void put_ellipsis(Printer *f, const Ast *n) {
  put_tok(f, n->pos, TOK_ELLIPSIS);
  if (n->u.x && !is_top(n->u.x)) put_expr(f, n->u.x, PREC_NONE, 1);
}

/* Copies to *tail the comment groups of n that come after its start. */
static const CommentGroup **late_comments(Printer *f, const Ast *n, const CommentGroup **tail) {
  CuePos at = start_of(f, n);
  for (const CommentGroup *g = n->comments; g; g = g->next) {
    if (!comes_before(at, g)) continue;
    CommentGroup *copy = cue_new(f->a, CommentGroup);
    *copy = *g;
    copy->next = NULL;
    *tail = copy;
    tail = (const CommentGroup **)&copy->next;
  }
  return tail;
}

/* The comments of an element that come after its start are printed after its comma. */
static void put_elements(Printer *f, const AstList *list) {
  Frame whole = enter(f, NULL);
  for (uint32_t i = 0; i < list->n; i++) {
    const Ast *n = list->at[i];
    Frame outer = enter(f, n);
    const CommentGroup *late = NULL, **tail = &late;
    bool placed = start_of(f, n) != 0;
    if (placed) {
      tail = late_comments(f, n, tail);
      f->cur.comments = NULL;
    }
    switch (n->kind) {
    case AST_COMPREHENSION: put_comprehension(f, n); break;
    case AST_ELLIPSIS:
      put_tok(f, n->pos, TOK_ELLIPSIS);
      if (n->u.x && !is_top(n->u.x)) {
        late_comments(f, n->u.x, tail);
        put_expr_bare(f, n->u.x, PREC_NONE, 1);
      }
      break;
    case AST_ALIAS:
      put_expr(f, n->u.alias.ident, PREC_NONE, 1);
      put_tok(f, n->u.alias.equal, TOK_BIND);
      put_expr(f, n->u.alias.x, PREC_NONE, 1);
      break;
    default: put_expr_bare(f, n, PREC_NONE, 1); break;
    }
    gap(f, GAP_COMMA | GAP_BLANK);
    if (placed) f->cur.comments = late;
    leave(f, outer);
  }
  leave(f, whole);
}

static void put_arguments(Printer *f, const AstList *list, int depth) {
  Frame whole = enter(f, NULL);
  for (uint32_t i = 0; i < list->n; i++) {
    Frame outer = enter(f, list->at[i]);
    put_expr_bare(f, list->at[i], PREC_NONE, depth);
    gap(f, GAP_COMMA | GAP_BLANK);
    leave(f, outer);
  }
  leave(f, whole);
}

/* Wishes before the declaration after prev: columns go on only between rows of equally
** many labels, and a documented declaration stands apart from one that is not a field. */
static void gap_between(Printer *f, const Ast *prev, const Ast *n, int prev_labels) {
  gap(f, GAP_DECL_COMMA);
  if (f->cur.outer_sep == GAP_LINE && (prev_labels == 0 || labels_in_row(n) != prev_labels)) gap(f, break_gap(f));
  if (has_comments(f, n) && (prev->kind != AST_FIELD || is_definition(f, prev))) gap(f, GAP_SECTION);
}

/* Wishes after a declaration, given the one that follows (NULL if none). */
static Gap gap_after(const Printer *f, const Ast *next) {
  const Ast *v = next && next->kind == AST_FIELD ? next->u.field.value : NULL;
  bool own_lines = v && (v->kind == AST_LIST || (v->kind == AST_STRUCT && (brace_of(v) || v->u.list.n != 1)));
  return own_lines ? break_gap(f) : f->cur.outer_sep;
}

static void put_decls(Printer *f, const AstList *list) {
  Frame outer = enter(f, NULL);
  int labels = 0;
  const Ast *open = NULL;
  for (uint32_t i = 0; i < list->n; i++) {
    const Ast *n = list->at[i];
    if (i > 0) gap_between(f, list->at[i - 1], n, labels);
    if (f->opt.simplify && says_open(n)) { /* goes to the end */
      open = n;
      continue;
    }
    put_decl(f, n);
    labels = labels_in_row(n);
    gap(f, gap_after(f, i + 1 < list->n ? list->at[i + 1] : NULL));
  }
  if (open) {
    Ast ellipsis = {.kind = AST_ELLIPSIS, .comments = open->comments};
    put_decl(f, &ellipsis);
    gap(f, f->cur.outer_sep);
  }
  leave(f, outer);
}

static bool has_comment_inside(const Ast *n) {
  for (const CommentGroup *g = n->comments; g; g = g->next)
    if (g->position == 1) return true;
  return false;
}

static void put_struct(Printer *f, const Ast *n) {
  Gap inside = GAP_TIGHT | GAP_INDENT | break_gap(f);
  if (!n->u.list.n) {
    if (!has_comment_inside(n)) inside = GAP_TIGHT | GAP_INDENT | GAP_BLANK | GAP_FIXED;
  } else if (cue_pos_rel(n->close) == CUE_REL_NONE || cue_pos_rel(start_of(f, n->u.list.at[0])) == CUE_REL_NONE) {
    inside |= GAP_LINE | GAP_FIXED;
  }
  put_tok(f, brace_of(n), TOK_LBRACE);
  uint32_t line = f->pen.line;
  f->pen.brace_on_line = true;
  gap(f, inside);
  put_decls(f, &n->u.list);
  gap(f, GAP_UNINDENT | GAP_TIGHT);
  if (f->pen.line != line) gap(f, f->pen.last == TOK_RBRACE || f->pen.last == TOK_RBRACK ? GAP_LINE : GAP_LINE | GAP_FIXED);
  put_tok(f, n->close, TOK_RBRACE);
}

static void put_list(Printer *f, const Ast *n) {
  put_tok(f, bracket_of(n), TOK_LBRACK);
  gap(f, GAP_TIGHT | GAP_INDENT);
  if (!n->u.list.n && !has_comment_inside(n)) gap(f, GAP_BLANK | GAP_FIXED);
  put_elements(f, &n->u.list);
  gap(f, GAP_LAST_COMMA | GAP_TIGHT);
  put_comments(f, f->cur.slot);
  gap(f, GAP_UNINDENT | GAP_TIGHT);
  put_tok(f, n->close, TOK_RBRACK);
}

/* ---- expressions ---- */

/* Operators + and * take blanks around them or not, so that what binds tighter looks so:
** a*b + c. Only `tight` and `loose` operators matter, and a sign that would merge with the
** operator before it. */
typedef struct {
  bool loose, tight;   /* has a + or -; has a * or / */
  int clash;           /* operators of this precedence and below need blanks */
} Operators;

static Operators operators_of(const Ast *n);

/* The operators of n and of its right operand. */
static Operators operators_here(const Ast *n) {
  int prec = tok_precedence((Tok)n->op);
  const Ast *y = n->u.binary.y;
  Operators o = {0};
  if (y->kind == AST_BINARY && tok_precedence((Tok)y->op) > prec) o = operators_of(y);
  if (y->kind == AST_UNARY) {
    if (n->op == TOK_QUO && y->op == TOK_MUL) o.clash = 8;
    if (n->op == y->op && (n->op == TOK_ADD || n->op == TOK_SUB)) o.clash = 6;
  }
  o.loose |= prec == 6;
  o.tight |= prec == 7;
  return o;
}

static Operators operators_join(Operators x, Operators y) {
  return (Operators){x.loose || y.loose, x.tight || y.tight, x.clash > y.clash ? x.clash : y.clash};
}

/* The left operand of n, if it is a binary expression that needs no parentheses there. */
static const Ast *left_chain(const Ast *n) {
  const Ast *x = n->u.binary.x;
  return x->kind == AST_BINARY && tok_precedence((Tok)x->op) >= tok_precedence((Tok)n->op) ? x : NULL;
}

static Operators operators_of(const Ast *n) {
  Operators o = {0};
  for (; n; n = left_chain(n)) o = operators_join(o, operators_here(n));
  return o;
}

/* Operators of a precedence below this have blanks around them. */
static int blank_limit(Operators o, int depth) {
  if (o.clash) return o.clash + 1;
  if (depth > 1) return 6;
  return o.loose && o.tight ? 7 : 8;
}

static int left_depth(const Ast *n, int depth) {
  const Ast *x = n->u.binary.x;
  return x->kind == AST_BINARY && tok_precedence((Tok)x->op) == tok_precedence((Tok)n->op) ? depth : depth + 1;
}
static int less_deep(int depth) { return depth > 1 ? depth - 1 : 1; }

/* The rest of a binary expression whose left operand is printed. */
static void put_operation(Printer *f, const Ast *n, Operators o, int depth) {
  int prec = tok_precedence((Tok)n->op);
  Gap around = prec < blank_limit(o, depth) ? GAP_BLANK : 0;
  gap(f, GAP_FIXED | around);
  put_tok(f, n->open, (Tok)n->op);
  gap(f, starts_line(start_of(f, n->u.binary.y)) ? GAP_BREAK : GAP_FIXED | around);
  put_expr(f, n->u.binary.y, prec + 1, depth + 1);
}

static void put_binary(Printer *f, const Ast *n, int prec1, int depth) {
  int prec = tok_precedence((Tok)n->op);
  if (prec < prec1) { /* the parser keeps parentheses; a made tree may lack them */
    put_tok(f, 0, TOK_LPAREN);
    gap(f, GAP_FIXED);
    put_expr(f, n, PREC_NONE, less_deep(depth));
    put_tok(f, 0, TOK_RPAREN);
    return;
  }
  /* Down the left operands, then up again. */
  typedef struct {
    const Ast *n;
    int depth;
    Frame outer;
    Operators ops;
  } Step;
  CUE_VEC(Step) steps = {0};
  cue_push(f->a, &steps, (Step){.n = n, .depth = depth});
  for (const Ast *x; (x = left_chain(n)); n = x) {
    depth = left_depth(n, depth);
    cue_push(f->a, &steps, (Step){.n = x, .depth = depth, .outer = enter(f, x)});
  }
  put_expr(f, n->u.binary.x, tok_precedence((Tok)n->op), left_depth(n, depth));
  Operators ops = {0};
  for (uint32_t i = steps.n; i-- > 0;) {
    Step s = steps.at[i];
    ops = operators_join(ops, operators_here(s.n));
    put_operation(f, s.n, ops, s.depth);
    if (i > 0) leave(f, s.outer);
  }
}

/* Returns whether the selector is on a line of its own, indented. */
static bool put_selector(Printer *f, const Ast *n, int depth) {
  put_expr(f, n->u.sel.x, PREC_PRIMARY, depth);
  put_tok(f, 0, TOK_PERIOD);
  bool own_line = starts_line(start_of(f, n->u.sel.sel));
  gap(f, own_line ? GAP_INDENT | GAP_BREAK : GAP_TIGHT);
  put_expr(f, n->u.sel.sel, PREC_NONE, 1);
  if (own_line) gap(f, GAP_UNINDENT);
  return own_line;
}

static void put_slice(Printer *f, const Ast *n, int depth) {
  const Ast *lo = n->u.slice.lo, *hi = n->u.slice.hi;
  put_expr(f, n->u.slice.x, PREC_PRIMARY, 1);
  put_tok(f, n->open, TOK_LBRACK);
  if (lo) put_expr(f, lo, PREC_NONE, depth + 1);
  bool apart = depth <= 1 && lo && hi && (lo->kind == AST_BINARY || hi->kind == AST_BINARY);
  if (apart) gap(f, GAP_BLANK);
  put_tok(f, 0, TOK_COLON);
  if (apart) gap(f, GAP_BLANK);
  if (hi) put_expr(f, hi, PREC_NONE, depth + 1);
  put_tok(f, n->close, TOK_RBRACK);
}

static void put_call(Printer *f, const Ast *n, int depth) {
  if (n->u.call.args.n > 1) depth++;
  bool indented = false;
  if (n->u.call.fun->kind == AST_SELECTOR)
    indented = put_selector(f, n->u.call.fun, depth);
  else
    put_expr(f, n->u.call.fun, PREC_PRIMARY, depth);
  put_tok(f, n->open, TOK_LPAREN);
  put_arguments(f, &n->u.call.args, depth);
  gap(f, GAP_LAST_COMMA | GAP_TIGHT);
  put_tok(f, n->close, TOK_RPAREN);
  if (indented) gap(f, GAP_UNINDENT);
}

static void put_func(Printer *f, const Ast *n) {
  put_word(f, n->pos, CUE_STR("func"));
  put_tok(f, 0, TOK_LPAREN);
  put_arguments(f, &n->u.func.args, 1);
  gap(f, GAP_LAST_COMMA | GAP_TIGHT);
  put_tok(f, 0, TOK_RPAREN);
  put_tok(f, 0, TOK_COLON);
  gap(f, GAP_BLANK);
  put_expr(f, n->u.func.ret, PREC_NONE, 1);
}

static void put_ident(Printer *f, const Ast *n) {
  bool valid = cue_is_valid_ident(n->u.text);
  pen_at(&f->pen, n->pos);
  pen_text(&f->pen, valid ? n->u.text : CUE_STR("*bad identifier*"), TOK_IDENT);
  f->failed |= !valid;
}

static void put_expr(Printer *f, const Ast *n, int prec, int depth) {
  if (too_deep(f)) return;
  f->depth++;
  Frame outer = enter(f, n);
  put_expr_bare(f, n, prec, depth);
  leave(f, outer);
  f->depth--;
}

/* An expression whose frame the caller has entered. */
static void put_expr_bare(Printer *f, const Ast *n, int prec, int depth) {
  switch ((AstKind)n->kind) {
  case AST_BAD_EXPR: put_word(f, n->pos, CUE_STR("_|_")); return;
  case AST_BOTTOM: put_tok(f, n->pos, TOK_BOTTOM); return;
  case AST_ALIAS:
    put_label(f, n->u.alias.ident);
    put_tok(f, n->u.alias.equal, TOK_BIND);
    put_expr(f, n->u.alias.x, PREC_NONE, 1);
    return;
  case AST_IDENT: put_ident(f, n); return;
  case AST_BASIC:
    pen_at(&f->pen, n->pos);
    pen_text(&f->pen, fmt_literal(f->a, n, f->pen.indent < MAX_STRING_INDENT ? f->opt.indent + f->pen.indent + 1 : -1), (Tok)n->op);
    return;
  case AST_BINARY: put_binary(f, n, prec, depth); return;
  case AST_UNARY:
    if (prec > PREC_UNARY) {
      put_tok(f, 0, TOK_LPAREN);
      gap(f, GAP_FIXED);
      put_expr(f, n, PREC_NONE, 1);
      put_tok(f, 0, TOK_RPAREN);
    } else {
      put_tok(f, n->pos, (Tok)n->op);
      gap(f, GAP_FIXED);
      put_expr(f, n->u.unary.x, PREC_UNARY, depth);
    }
    return;
  case AST_POSTFIX:
    put_expr(f, n->u.unary.x, PREC_PRIMARY, depth);
    put_tok(f, 0, (Tok)n->op);
    return;
  case AST_INTERPOLATION: {
    Frame outer = enter(f, NULL);
    for (uint32_t i = 0; i < n->u.list.n; i++) put_expr(f, n->u.list.at[i], PREC_NONE, depth + 1);
    leave(f, outer);
    return;
  }
  case AST_PAREN:
    if (n->u.x->kind == AST_PAREN) { /* ((x)) is (x) */
      put_expr(f, n->u.x, PREC_NONE, depth);
      return;
    }
    put_tok(f, bracket_of(n), TOK_LPAREN);
    put_expr(f, n->u.x, PREC_NONE, less_deep(depth));
    put_tok(f, n->close, TOK_RPAREN);
    return;
  case AST_SELECTOR: put_selector(f, n, depth); return;
  case AST_INDEX:
    put_expr(f, n->u.binary.x, PREC_PRIMARY, 1);
    put_tok(f, n->open, TOK_LBRACK);
    put_expr(f, n->u.binary.y, PREC_NONE, depth + 1);
    put_tok(f, n->close, TOK_RBRACK);
    return;
  case AST_SLICE: put_slice(f, n, depth); return;
  case AST_CALL: put_call(f, n, depth); return;
  case AST_STRUCT: put_struct(f, n); return;
  case AST_LIST: put_list(f, n); return;
  case AST_ELLIPSIS: put_ellipsis(f, n); return;
  case AST_FUNC: put_func(f, n); return;
  case AST_COMPREHENSION: put_comprehension(f, n); return;
  default: put_decl(f, n); return;
  }
}

/* ---- declarations ---- */

/* The field m if `a: {m}` is to be printed as `a: m`. */
static const Ast *inline_field(const Printer *f, const Ast *n) {
  /* A label with a position and a value without braces: someone meant them to be in a row. */
  if (!start_of(f, label_of(f, n)) && !(f->opt.simplify && is_regular(f, n))) return NULL;
  const Ast *v = n->u.field.value;
  if (!v || v->kind != AST_STRUCT || v->u.list.n != 1 || n->u.field.attrs.n) return NULL;
  if (brace_of(v) && (!f->opt.simplify || has_comments(f, n))) return NULL;
  const Ast *m = v->u.list.at[0];
  return m->kind == AST_FIELD && !m->u.field.attrs.n && !has_comments(f, m) ? m : NULL;
}

static void put_field(Printer *f, const Ast *n) {
  put_label(f, label_of(f, n));
  if (n->u.field.alias_field) {
    put_tok(f, n->u.field.tilde, TOK_TILDE);
    gap(f, GAP_TIGHT);
    if (n->u.field.alias_label) {
      put_tok(f, 0, TOK_LPAREN);
      gap(f, GAP_TIGHT);
      put_expr(f, n->u.field.alias_label, PREC_NONE, 1);
      put_tok(f, 0, TOK_COMMA);
      gap(f, GAP_TIGHT);
    }
    put_expr(f, n->u.field.alias_field, PREC_NONE, 1);
    if (n->u.field.alias_label) {
      put_tok(f, 0, TOK_RPAREN);
      gap(f, GAP_TIGHT);
    }
  }
  if (n->constraint) put_tok(f, 0, (Tok)n->constraint);
  gap(f, GAP_TIGHT | GAP_FIXED);
  put_tok(f, n->open, TOK_COLON);
  put_comments(f, f->cur.slot);

  const Ast *m = inline_field(f, n);
  if (m) {
    bool own_line = !f->opt.simplify && starts_line(start_of(f, label_of(f, m)));
    gap(f, own_line ? GAP_INDENT | GAP_BREAK : GAP_BLANK | GAP_FIXED);
    put_decl(f, m);
    if (own_line) f->pen.indent--;
    return;
  }

  const Ast *v = n->u.field.value;
  bool bulky = is_bulky(v);
  Gap before = bulky || f->pen.brace_on_line ? GAP_BLANK : GAP_COLUMN;
  gap(f, before);
  if (!v) {
    skip_slot(f);
  } else if (v->kind == AST_LIST || v->kind == AST_STRUCT) {
    put_expr(f, v, PREC_NONE, 1);
  } else {
    gap(f, GAP_INDENT);
    put_expr(f, v, PREC_NONE, 1);
    pen_end_level(&f->pen);
  }
  for (uint32_t i = 0; i < n->u.field.attrs.n; i++) {
    const Ast *at = n->u.field.attrs.at[i];
    Frame outer = enter(f, at);
    gap(f, i ? (Gap)GAP_BLANK : before);
    pen_at(&f->pen, at->pos);
    pen_text(&f->pen, at->u.text, TOK_ATTRIBUTE);
    leave(f, outer);
  }
  if (bulky) gap(f, GAP_BREAK);
}

/* Comments before an import or its name need parentheses to stand in. */
static bool has_leading_comments(const Ast *n) {
  for (const CommentGroup *g = n->comments; g; g = g->next)
    if (g->position <= 1) return true;
  return false;
}

static void put_imports(Printer *f, const Ast *n) {
  const AstList *list = &n->u.list;
  put_word(f, n->pos, CUE_STR("import"));
  gap(f, GAP_BLANK);
  bool bare = list->n == 1 && !has_leading_comments(list->at[0]) && !n->open;
  if (!bare) put_tok(f, n->open, TOK_LPAREN);
  if (!list->n) {
    put_tok(f, n->close, TOK_RPAREN);
    gap(f, GAP_LINE);
    return;
  }
  if (!bare) gap(f, GAP_LINE | GAP_INDENT);
  Frame whole = enter(f, NULL);
  for (uint32_t i = 0; i < list->n; i++) {
    const Ast *s = list->at[i];
    Frame outer = enter(f, s);
    if (s->u.import.name) {
      put_label(f, s->u.import.name);
      gap(f, GAP_BLANK);
    } else {
      skip_slot(f);
    }
    put_expr(f, s->u.import.path, PREC_NONE, 1);
    gap(f, GAP_LINE);
    leave(f, outer);
  }
  leave(f, whole);
  if (!bare) {
    gap(f, GAP_UNINDENT | GAP_LINE);
    put_tok(f, n->close, TOK_RPAREN);
    gap(f, GAP_LINE);
  }
  gap(f, GAP_SECTION | GAP_FIXED);
}

static void put_decl_bare(Printer *f, const Ast *n) {
  switch ((AstKind)n->kind) {
  case AST_FIELD: put_field(f, n); return;
  case AST_BAD_DECL:
    put_word(f, n->pos, CUE_STR("*bad decl*"));
    gap(f, GAP_DECL_COMMA);
    return;
  case AST_PACKAGE:
    put_word(f, n->pos, CUE_STR("package"));
    gap(f, GAP_BLANK);
    pen_text(&f->pen, n->u.text, TOK_IDENT);
    gap(f, GAP_SECTION | GAP_FIXED);
    return;
  case AST_IMPORTS: put_imports(f, n); return;
  case AST_LET:
    if (may_start_line(f, n)) gap(f, GAP_BREAK);
    put_tok(f, n->pos, TOK_LET);
    gap(f, GAP_BLANK | GAP_FIXED);
    put_expr(f, n->u.let.name, PREC_NONE, 1);
    gap(f, GAP_BLANK | GAP_FIXED);
    put_tok(f, n->u.let.equal, TOK_BIND);
    gap(f, GAP_BLANK);
    put_expr(f, n->u.let.value, PREC_NONE, 1);
    gap(f, GAP_DECL_COMMA);
    return;
  case AST_EMBED:
    if (may_start_line(f, n)) gap(f, GAP_BREAK);
    put_expr(f, n->u.x, PREC_NONE, 1);
    gap(f, GAP_LINE);
    return;
  case AST_ATTRIBUTE:
    pen_at(&f->pen, n->pos);
    pen_text(&f->pen, n->u.text, TOK_ATTRIBUTE);
    return;
  case AST_COMMENTS:
    for (const CommentGroup *g = n->comments; g; g = g->next) {
      put_group(f, g);
      gap(f, GAP_SECTION);
    }
    return;
  case AST_COMPREHENSION:
    if (may_start_line(f, n)) gap(f, GAP_BREAK);
    put_comprehension(f, n);
    return;
  case AST_ELLIPSIS: put_ellipsis(f, n); return;
  case AST_ALIAS:
    if (may_start_line(f, n)) gap(f, GAP_BREAK);
    put_expr(f, n->u.alias.ident, PREC_NONE, 1);
    gap(f, GAP_BLANK);
    put_tok(f, n->u.alias.equal, TOK_BIND);
    gap(f, GAP_BLANK);
    put_expr(f, n->u.alias.x, PREC_NONE, 1);
    gap(f, GAP_DECL_COMMA);
    return;
  case AST_FOR:
  case AST_IF:
  case AST_TRY: put_clause(f, n); return;
  case AST_FALLBACK: put_expr(f, n->u.x, PREC_NONE, 1); return;
  case AST_FILE: put_decls(f, &n->u.list); return;
  case AST_IMPORT: put_expr(f, n->u.import.path, PREC_NONE, 1); return;
  default: put_expr_bare(f, n, PREC_NONE, 1); return;
  }
}

static void put_decl(Printer *f, const Ast *n) {
  if (too_deep(f)) return;
  f->depth++;
  Frame outer = enter(f, n);
  put_decl_bare(f, n);
  leave(f, outer);
  f->depth--;
}

/* ---- entry points ---- */

static bool format(CueBuf *out, const Ast *n, CueFmtOptions opt) {
  CueArena *a = cue_arena_new();
  Printer f = {.a = a, .pen = pen_new(a, out, opt.indent, opt.use_spaces), .cur = {.sep = GAP_LINE, .outer_sep = GAP_LINE}, .opt = opt};
  if (opt.simplify) f.labels = fmt_simplify(a, n);
  if (n->kind == AST_ALIAS)
    put_expr(&f, n, PREC_NONE, 1);
  else
    put_decl(&f, n);
  if (n->kind == AST_FILE) pen_end_file(&f.pen);
  align_finish(&f.pen.align);
  cue_arena_free(a);
  return !f.failed;
}

bool cue_format_file(CueBuf *out, const Ast *file, CueFmtOptions opt) { return format(out, file, opt); }
bool cue_format_node(CueBuf *out, const Ast *n, CueFmtOptions opt) { return format(out, n, opt); }

bool cue_fmt_source(CueArena *a, CueSource *src, CueFmtOptions opt, CueBuf *out, CueDiags *d) {
  uint32_t errors = d->n;
  AstFile *file = cue_parse_file(a, src, (ParseOptions){.comments = true}, d);
  if (d->n > errors) return false;
  opt.source = src;
  size_t start = out->n;
  if (cue_format_file(out, file->root, opt)) return true;
  out->n = start;
  return cue_report(d, file->root->pos, "cannot format: nested too deeply");
}
