/* fmt_expr.c - prints expressions, labels and comprehensions.
**
** Chains of binary operators lean left and can be very long, so they are printed in a
** loop; all other nesting is bounded by FMT_MAX_DEPTH.
*/
#include "compiler/fmt_frame.h"
#include "compiler/fmt_literal.h"
#include "compiler/literal.h"

/* Strings nested deeper than this keep their indentation. */
enum { MAX_STRING_INDENT = 6 };

void fmt_name(Printer *f, const Ast *n) {
  Frame outer = fmt_enter(f, n);
  switch (n->kind) {
  case AST_IDENT:
    fmt_word(f, n->pos,
             cue_is_valid_ident(n->u.text) ? n->u.text : cue_literal_quote(f->a, n->u.text, CUE_QUOTE_LABEL, 0));
    break;
  case AST_BASIC: fmt_word(f, n->pos, fmt_label_literal(f->a, n->u.text)); break;
  default: fmt_expr(f, n, PREC_NONE, 1); break;
  }
  fmt_leave(f, outer);
}

void fmt_clause(Printer *f, const Ast *n) {
  switch (n->kind) {
  case AST_FOR:
    fmt_word(f, n->pos, CUE_STR("for"));
    fmt_gap(f, GAP_BLANK | GAP_INDENT);
    if (n->u.loop.key) {
      fmt_name(f, n->u.loop.key);
      fmt_tok(f, n->u.loop.comma, TOK_COMMA);
      fmt_gap(f, GAP_BLANK);
    } else {
      fmt_skip(f);
    }
    fmt_name(f, n->u.loop.value);
    fmt_gap(f, GAP_BLANK);
    fmt_word(f, n->u.loop.in, CUE_STR("in"));
    fmt_gap(f, GAP_BLANK);
    fmt_expr(f, n->u.loop.source, PREC_NONE, 1);
    pen_end_level(&f->pen);
    return;
  case AST_IF:
    fmt_word(f, n->pos, CUE_STR("if"));
    fmt_gap(f, GAP_BLANK | GAP_INDENT);
    fmt_expr(f, n->u.x, PREC_NONE, 1);
    pen_end_level(&f->pen);
    return;
  default: /* AST_LET, AST_TRY */
    fmt_tok(f, n->pos, n->kind == AST_LET ? TOK_LET : TOK_TRY);
    if (!n->u.let.name) return;
    fmt_gap(f, GAP_BLANK | GAP_FIXED | GAP_INDENT);
    fmt_expr(f, n->u.let.name, PREC_NONE, 1);
    fmt_gap(f, GAP_BLANK | GAP_FIXED);
    fmt_tok(f, n->u.let.equal, TOK_BIND);
    fmt_gap(f, GAP_BLANK);
    fmt_expr(f, n->u.let.value, PREC_NONE, 1);
    pen_end_level(&f->pen);
    return;
  }
}

void fmt_comprehension(Printer *f, const Ast *n) {
  const AstList *clauses = &n->u.comp.clauses;
  Frame list = fmt_enter(f, NULL);
  for (uint32_t i = 0; i < clauses->n; i++) {
    Frame outer = fmt_enter(f, clauses->at[i]);
    if (i > 0) fmt_gap(f, GAP_BLANK);
    fmt_clause(f, clauses->at[i]);
    fmt_leave(f, outer);
  }
  fmt_leave(f, list);
  fmt_gap(f, GAP_BLANK | GAP_FIXED);
  fmt_expr(f, n->u.comp.value, PREC_NONE, 1);
  const Ast *fallback = n->u.comp.fallback;
  if (!fallback) return;
  bool single_guard = clauses->n == 1 && clauses->at[0]->kind != AST_FOR;
  fmt_gap(f, GAP_BLANK);
  fmt_tok(f, fallback->pos, single_guard ? TOK_ELSE : TOK_OTHERWISE);
  fmt_gap(f, GAP_BLANK);
  fmt_expr(f, fallback->u.x, PREC_NONE, 1);
}

void fmt_ellipsis(Printer *f, const Ast *n) {
  fmt_tok(f, n->pos, TOK_ELLIPSIS);
  if (n->u.x && !fmt_is_top(n->u.x)) fmt_expr(f, n->u.x, PREC_NONE, 1);
}

/* Copies to *tail the comment groups of n that come after its start. */
static const CommentGroup **late_comments(Printer *f, const Ast *n, const CommentGroup **tail) {
  CuePos at = fmt_start_of(&f->tree, n);
  for (const CommentGroup *g = n->comments; g; g = g->next) {
    if (!fmt_comes_before(at, g)) continue;
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
  Frame whole = fmt_enter(f, NULL);
  for (uint32_t i = 0; i < list->n; i++) {
    const Ast *n = list->at[i];
    Frame outer = fmt_enter(f, n);
    const CommentGroup *late = NULL, **tail = &late;
    bool placed = fmt_start_of(&f->tree, n) != 0;
    if (placed) {
      tail = late_comments(f, n, tail);
      f->cur.comments = NULL;
    }
    switch (n->kind) {
    case AST_COMPREHENSION: fmt_comprehension(f, n); break;
    case AST_ELLIPSIS:
      fmt_tok(f, n->pos, TOK_ELLIPSIS);
      if (n->u.x && !fmt_is_top(n->u.x)) {
        late_comments(f, n->u.x, tail);
        fmt_expr_bare(f, n->u.x, PREC_NONE, 1);
      }
      break;
    case AST_ALIAS:
      fmt_expr(f, n->u.alias.ident, PREC_NONE, 1);
      fmt_tok(f, n->u.alias.equal, TOK_BIND);
      fmt_expr(f, n->u.alias.x, PREC_NONE, 1);
      break;
    default: fmt_expr_bare(f, n, PREC_NONE, 1); break;
    }
    fmt_gap(f, GAP_COMMA | GAP_BLANK);
    if (placed) f->cur.comments = late;
    fmt_leave(f, outer);
  }
  fmt_leave(f, whole);
}

static void put_arguments(Printer *f, const AstList *list, int depth) {
  Frame whole = fmt_enter(f, NULL);
  for (uint32_t i = 0; i < list->n; i++) {
    Frame outer = fmt_enter(f, list->at[i]);
    fmt_expr_bare(f, list->at[i], PREC_NONE, depth);
    fmt_gap(f, GAP_COMMA | GAP_BLANK);
    fmt_leave(f, outer);
  }
  fmt_leave(f, whole);
}

static bool has_comment_inside(const Ast *n) {
  for (const CommentGroup *g = n->comments; g; g = g->next)
    if (g->position == 1) return true;
  return false;
}

static void put_struct(Printer *f, const Ast *n) {
  Gap inside = GAP_TIGHT | GAP_INDENT | fmt_break_gap(f);
  if (!n->u.list.n) {
    if (!has_comment_inside(n)) inside = GAP_TIGHT | GAP_INDENT | GAP_BLANK | GAP_FIXED;
  } else if (cue_pos_rel(n->close) == CUE_REL_NONE ||
             cue_pos_rel(fmt_start_of(&f->tree, n->u.list.at[0])) == CUE_REL_NONE) {
    inside |= GAP_LINE | GAP_FIXED;
  }
  fmt_tok(f, fmt_brace_of(n), TOK_LBRACE);
  uint32_t line = f->pen.line;
  f->pen.brace_on_line = true;
  fmt_gap(f, inside);
  fmt_decls(f, &n->u.list);
  fmt_gap(f, GAP_UNINDENT | GAP_TIGHT);
  if (f->pen.line != line)
    fmt_gap(f, f->pen.last == TOK_RBRACE || f->pen.last == TOK_RBRACK ? GAP_LINE : GAP_LINE | GAP_FIXED);
  fmt_tok(f, n->close, TOK_RBRACE);
}

static void put_list(Printer *f, const Ast *n) {
  fmt_tok(f, fmt_bracket_of(n), TOK_LBRACK);
  fmt_gap(f, GAP_TIGHT | GAP_INDENT);
  if (!n->u.list.n && !has_comment_inside(n)) fmt_gap(f, GAP_BLANK | GAP_FIXED);
  put_elements(f, &n->u.list);
  fmt_gap(f, GAP_LAST_COMMA | GAP_TIGHT);
  fmt_comments(f, f->cur.slot);
  fmt_gap(f, GAP_UNINDENT | GAP_TIGHT);
  fmt_tok(f, n->close, TOK_RBRACK);
}

/* Operators + and * take blanks around them or not, so that what binds tighter looks so:
** a*b + c. Only `tight` and `loose` operators matter, and a sign that would merge with the
** operator before it. */
typedef struct {
  bool loose, tight; /* has a + or -; has a * or / */
  int clash;         /* operators of this precedence and below need blanks */
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
  fmt_gap(f, GAP_FIXED | around);
  fmt_tok(f, n->open, (Tok)n->op);
  fmt_gap(f, fmt_starts_line(fmt_start_of(&f->tree, n->u.binary.y)) ? GAP_BREAK : GAP_FIXED | around);
  fmt_expr(f, n->u.binary.y, prec + 1, depth + 1);
}

static void put_binary(Printer *f, const Ast *n, int prec1, int depth) {
  int prec = tok_precedence((Tok)n->op);
  if (prec < prec1) { /* the parser keeps parentheses; a made tree may lack them */
    fmt_tok(f, 0, TOK_LPAREN);
    fmt_gap(f, GAP_FIXED);
    fmt_expr(f, n, PREC_NONE, less_deep(depth));
    fmt_tok(f, 0, TOK_RPAREN);
    return;
  }
  /* Down the left operands, then up again. */
  typedef struct {
    const Ast *n;
    int depth;
    Frame outer;
  } Step;
  CUE_VEC(Step) steps = {0};
  cue_push(f->a, &steps, (Step){.n = n, .depth = depth});
  for (const Ast *x; (x = left_chain(n)); n = x) {
    depth = left_depth(n, depth);
    cue_push(f->a, &steps, (Step){.n = x, .depth = depth, .outer = fmt_enter(f, x)});
  }
  fmt_expr(f, n->u.binary.x, tok_precedence((Tok)n->op), left_depth(n, depth));
  Operators ops = {0};
  for (uint32_t i = steps.n; i-- > 0;) {
    Step s = steps.at[i];
    ops = operators_join(ops, operators_here(s.n));
    put_operation(f, s.n, ops, s.depth);
    if (i > 0) fmt_leave(f, s.outer);
  }
}

/* Returns whether the selector is on a line of its own, indented. */
static bool put_selector(Printer *f, const Ast *n, int depth) {
  fmt_expr(f, n->u.sel.x, PREC_PRIMARY, depth);
  fmt_tok(f, 0, TOK_PERIOD);
  bool own_line = fmt_starts_line(fmt_start_of(&f->tree, n->u.sel.sel));
  fmt_gap(f, own_line ? GAP_INDENT | GAP_BREAK : GAP_TIGHT);
  fmt_expr(f, n->u.sel.sel, PREC_NONE, 1);
  if (own_line) fmt_gap(f, GAP_UNINDENT);
  return own_line;
}

static void put_slice(Printer *f, const Ast *n, int depth) {
  const Ast *lo = n->u.slice.lo, *hi = n->u.slice.hi;
  fmt_expr(f, n->u.slice.x, PREC_PRIMARY, 1);
  fmt_tok(f, n->open, TOK_LBRACK);
  if (lo) fmt_expr(f, lo, PREC_NONE, depth + 1);
  bool apart = depth <= 1 && lo && hi && (lo->kind == AST_BINARY || hi->kind == AST_BINARY);
  if (apart) fmt_gap(f, GAP_BLANK);
  fmt_tok(f, 0, TOK_COLON);
  if (apart) fmt_gap(f, GAP_BLANK);
  if (hi) fmt_expr(f, hi, PREC_NONE, depth + 1);
  fmt_tok(f, n->close, TOK_RBRACK);
}

static void put_call(Printer *f, const Ast *n, int depth) {
  if (n->u.call.args.n > 1) depth++;
  bool indented = false;
  if (n->u.call.fun->kind == AST_SELECTOR)
    indented = put_selector(f, n->u.call.fun, depth);
  else
    fmt_expr(f, n->u.call.fun, PREC_PRIMARY, depth);
  fmt_tok(f, n->open, TOK_LPAREN);
  put_arguments(f, &n->u.call.args, depth);
  fmt_gap(f, GAP_LAST_COMMA | GAP_TIGHT);
  fmt_tok(f, n->close, TOK_RPAREN);
  if (indented) fmt_gap(f, GAP_UNINDENT);
}

static void put_func(Printer *f, const Ast *n) {
  fmt_word(f, n->pos, CUE_STR("func"));
  fmt_tok(f, 0, TOK_LPAREN);
  put_arguments(f, &n->u.func.args, 1);
  fmt_gap(f, GAP_LAST_COMMA | GAP_TIGHT);
  fmt_tok(f, 0, TOK_RPAREN);
  fmt_tok(f, 0, TOK_COLON);
  fmt_gap(f, GAP_BLANK);
  fmt_expr(f, n->u.func.ret, PREC_NONE, 1);
}

static void put_ident(Printer *f, const Ast *n) {
  bool valid = cue_is_valid_ident(n->u.text);
  pen_at(&f->pen, n->pos);
  pen_text(&f->pen, valid ? n->u.text : CUE_STR("*bad identifier*"), TOK_IDENT);
  f->failed |= !valid;
}

static void put_any(Printer *f, const Ast *n, int prec, int depth) {
  switch ((AstKind)n->kind) {
  case AST_BAD_EXPR: fmt_word(f, n->pos, CUE_STR("_|_")); return;
  case AST_BOTTOM: fmt_tok(f, n->pos, TOK_BOTTOM); return;
  case AST_ALIAS:
    fmt_name(f, n->u.alias.ident);
    fmt_tok(f, n->u.alias.equal, TOK_BIND);
    fmt_expr(f, n->u.alias.x, PREC_NONE, 1);
    return;
  case AST_IDENT: put_ident(f, n); return;
  case AST_BASIC:
    pen_at(&f->pen, n->pos);
    pen_text(&f->pen, fmt_literal(f->a, n, f->pen.indent < MAX_STRING_INDENT ? f->pen.base + f->pen.indent + 1 : -1),
             (Tok)n->op);
    return;
  case AST_BINARY: put_binary(f, n, prec, depth); return;
  case AST_UNARY:
    if (prec > PREC_UNARY) {
      fmt_tok(f, 0, TOK_LPAREN);
      fmt_gap(f, GAP_FIXED);
      fmt_expr(f, n, PREC_NONE, 1);
      fmt_tok(f, 0, TOK_RPAREN);
    } else {
      fmt_tok(f, n->pos, (Tok)n->op);
      fmt_gap(f, GAP_FIXED);
      fmt_expr(f, n->u.unary.x, PREC_UNARY, depth);
    }
    return;
  case AST_POSTFIX:
    fmt_expr(f, n->u.unary.x, PREC_PRIMARY, depth);
    fmt_tok(f, 0, (Tok)n->op);
    return;
  case AST_INTERPOLATION: {
    Frame outer = fmt_enter(f, NULL);
    for (uint32_t i = 0; i < n->u.list.n; i++) fmt_expr(f, n->u.list.at[i], PREC_NONE, depth + 1);
    fmt_leave(f, outer);
    return;
  }
  case AST_PAREN:
    if (n->u.x->kind == AST_PAREN) { /* ((x)) is (x) */
      fmt_expr(f, n->u.x, PREC_NONE, depth);
      return;
    }
    fmt_tok(f, fmt_bracket_of(n), TOK_LPAREN);
    fmt_expr(f, n->u.x, PREC_NONE, less_deep(depth));
    fmt_tok(f, n->close, TOK_RPAREN);
    return;
  case AST_SELECTOR: put_selector(f, n, depth); return;
  case AST_INDEX:
    fmt_expr(f, n->u.binary.x, PREC_PRIMARY, 1);
    fmt_tok(f, n->open, TOK_LBRACK);
    fmt_expr(f, n->u.binary.y, PREC_NONE, depth + 1);
    fmt_tok(f, n->close, TOK_RBRACK);
    return;
  case AST_SLICE: put_slice(f, n, depth); return;
  case AST_CALL: put_call(f, n, depth); return;
  case AST_STRUCT: put_struct(f, n); return;
  case AST_LIST: put_list(f, n); return;
  case AST_ELLIPSIS: fmt_ellipsis(f, n); return;
  case AST_FUNC: put_func(f, n); return;
  case AST_COMPREHENSION: fmt_comprehension(f, n); return;
  default: fmt_decl(f, n); return;
  }
}

void fmt_expr_bare(Printer *f, const Ast *n, int prec, int depth) {
  if (!fmt_descend(f)) return;
  put_any(f, n, prec, depth);
  f->depth--;
}

void fmt_expr(Printer *f, const Ast *n, int prec, int depth) {
  Frame outer = fmt_enter(f, n);
  fmt_expr_bare(f, n, prec, depth);
  fmt_leave(f, outer);
}
