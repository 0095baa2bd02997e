/* comment.c - gives every comment to a node of the tree.
**
** Which node a comment belongs to, and between which of its tokens, is defined by what
** cue's parser, a recursive descent, is doing when it meets the comment. So the same
** descent is done here over the finished tree: for every node the walk takes the tokens
** that the node was made of, in order, from the list the parser has kept. It decides
** nothing about syntax, so it can be plain about comments.
**
** A frame is opened for most nodes and collects the comments met while it is innermost;
** when it is closed they go to its node. frame.pos counts the tokens and children of the
** node so far: that is the position a comment gets. A list frame belongs to no node: a
** comment in it goes to the child before it, or if there is none to what comes next. A
** comment that ends on the line before a token is that token's lead: the next frame to
** be opened takes it.
*/
#include "compiler/parser.h"

typedef CUE_VEC(CommentGroup *) Groups;

typedef struct Frame {
  struct Frame *parent;
  int8_t pos;
  int lists;  /* > 0: a list frame, opened that many times */
  Ast *child; /* closed last in this frame, and how far it had come */
  int8_t child_pos;
  Groups groups;
} Frame;

typedef struct {
  CueArena *a;
  CueSource *src;
  const Token *tokens;
  uint32_t n, i;
  Token t; /* the token we stand before */
  CommentGroup *lead;
  Frame *frame;
  Frame *spare; /* closed frames to use again */
} Walk;

/* ---- frames ---- */

static Frame *new_frame(Walk *w) {
  Frame *f = w->spare;
  if (f) {
    w->spare = f->parent;
    *f = (Frame){.groups = {.at = f->groups.at, .cap = f->groups.cap}};
  } else {
    f = cue_new(w->a, Frame);
  }
  f->parent = w->frame;
  return w->frame = f;
}

static void drop_frame(Walk *w, Frame *f) {
  w->frame = f->parent;
  f->parent = w->spare;
  w->spare = f;
}

static void frame_add(Walk *w, Frame *f, CommentGroup *g) {
  g->position = f->pos;
  cue_push(w->a, &f->groups, g);
}

/* Sets the comments of the last child of a list: those before it, its own, those after. */
static void give_to_child(Frame *f) {
  CommentGroup *own = f->child->comments, *first = NULL, **end = &first;
  for (uint32_t i = 0; i < f->groups.n; i++)
    if (f->groups.at[i]->position == 0) *end = f->groups.at[i], end = &(*end)->next;
  for (; own; own = own->next) *end = own, end = &own->next;
  for (uint32_t i = 0; i < f->groups.n; i++) {
    CommentGroup *g = f->groups.at[i];
    if (g->position == 0) continue;
    g->position = f->child_pos;
    *end = g;
    end = &g->next;
  }
  *end = NULL;
  f->child->comments = first;
}

static Frame *open_node(Walk *w) {
  Frame *outer = w->frame;
  Frame *f = new_frame(w);
  if (outer->lists > 0) {
    if (outer->child) {
      give_to_child(outer);
    } else {
      for (uint32_t i = 0; i < outer->groups.n; i++) {
        outer->groups.at[i]->position = 0;
        cue_push(w->a, &f->groups, outer->groups.at[i]);
      }
    }
    outer->groups.n = 0;
  }
  if (w->lead) cue_push(w->a, &f->groups, w->lead);
  w->lead = NULL;
  return f;
}

/* n may be NULL: then the comments are lost, as they are in cue. */
static void close_node(Walk *w, Frame *f, Ast *n) {
  if (f->parent) {
    f->parent->child = n;
    f->parent->child_pos = f->pos;
    f->parent->pos++;
  }
  for (uint32_t i = 0; n && i < f->groups.n; i++) ast_comment_add(n, f->groups.at[i]);
  drop_frame(w, f);
}

static void open_list(Walk *w) {
  if (w->frame->lists > 0)
    w->frame->lists++;
  else
    new_frame(w)->lists = 1;
}

static void close_list(Walk *w) {
  Frame *f = w->frame;
  if (f->child) {
    for (uint32_t i = 0; i < f->groups.n; i++) {
      f->groups.at[i]->position = f->child_pos;
      ast_comment_add(f->child, f->groups.at[i]);
    }
    f->groups.n = 0;
  }
  if (--f->lists > 0) return;
  Frame *parent = f->parent;
  for (uint32_t i = 0; i < f->groups.n; i++) cue_push(w->a, &parent->groups, f->groups.at[i]);
  parent->pos++;
  drop_frame(w, f);
}

/* ---- tokens ---- */

static uint32_t line(const Walk *w, CuePos p) { return cue_pos_known(p) ? cue_source_line_of(w->a, w->src, p) : 0; }

static void step(Walk *w) {
  if (w->i < w->n) w->t = w->tokens[w->i++];
}

/* Comments here that are at most `gap` lines apart. */
static CommentGroup *take_group(Walk *w, uint32_t prev_line, uint32_t gap, uint32_t *end_line) {
  uint32_t end = line(w, w->t.pos), first = w->i - 1;
  CueRel rel = end == prev_line ? CUE_REL_BLANK : end == prev_line + 1 ? CUE_REL_NEWLINE : CUE_REL_SECTION;
  CommentGroup *g = cue_new(w->a, CommentGroup);
  while (w->t.tok == TOK_COMMENT && line(w, w->t.pos) <= end + gap) {
    end = line(w, w->t.pos);
    g->n++;
    step(w);
  }
  g->at = cue_alloc_array(w->a, sizeof *g->at, g->n);
  for (uint32_t i = 0; i < g->n; i++) {
    g->at[i].pos = w->tokens[first + i].pos;
    g->at[i].text = w->tokens[first + i].text;
  }
  g->at[0].pos = cue_pos_with_rel(g->at[0].pos, rel);
  *end_line = end;
  return g;
}

/* Takes the token; comments behind it are collected, up to the next token. */
static void next(Walk *w) {
  if (w->lead) frame_add(w, w->frame, w->lead); /* it led a token that opened no frame */
  w->lead = NULL;
  CuePos prev = w->t.pos;
  step(w);
  w->frame->pos++;
  if (w->t.tok != TOK_COMMENT) return;

  CommentGroup *g = NULL;
  uint32_t end = 0, this_line = line(w, w->t.pos), prev_line = line(w, prev);
  if (prev_line == this_line) {
    g = take_group(w, prev_line, 0, &end);
    g->line = line(w, w->t.pos) != end;
  }
  end = UINT32_MAX - 1; /* no group so far that could lead */
  while (w->t.tok == TOK_COMMENT) {
    if (g) frame_add(w, w->frame, g);
    g = take_group(w, prev_line, 1, &end);
    prev_line = this_line;
    this_line = line(w, w->t.pos);
  }
  if (end + 1 == line(w, w->t.pos) && w->t.tok != TOK_EOF) {
    g->doc = true;
    w->lead = g;
  } else {
    frame_add(w, w->frame, g);
  }
}

static void next_if(Walk *w, Tok tok) {
  if (w->t.tok == tok) next(w);
}

/* ---- expressions ---- */

static void walk_expr(Walk *w, Ast *n);
static void walk_operators(Walk *w, Ast *n);
static void walk_decls(Walk *w, AstList l, uint32_t from);

/* A node of one token. */
static void walk_leaf(Walk *w, Ast *n) {
  Frame *f = open_node(w);
  next(w);
  close_node(w, f, n);
}

static void walk_struct(Walk *w, Ast *n) {
  next(w);
  if (w->t.tok != TOK_RBRACE) walk_decls(w, n->u.list, 0);
  next(w);
}

static void walk_interpolation(Walk *w, Ast *n) {
  Frame *f = open_node(w);
  open_list(w);
  Frame *piece = open_node(w);
  next(w);
  for (uint32_t i = 0; i + 2 < n->u.list.n; i += 2) {
    f->pos = 1;
    next(w); /* "(" */
    close_node(w, piece, n->u.list.at[i]);
    walk_expr(w, n->u.list.at[i + 1]);
    piece = open_node(w);
    next(w); /* ")" */
  }
  close_node(w, piece, n->u.list.at[n->u.list.n - 1]);
  close_list(w);
  close_node(w, f, n);
}

static void walk_clauses(Walk *w, AstList l) {
  for (uint32_t i = 0; i < l.n; i++) {
    Ast *n = l.at[i];
    Frame *f = open_node(w);
    next(w);
    switch (n->kind) {
    case AST_FOR:
      if (n->u.loop.key) {
        walk_leaf(w, n->u.loop.key);
        next(w);
      }
      walk_leaf(w, n->u.loop.value);
      f->pos = 4;
      next(w);
      walk_expr(w, n->u.loop.source);
      break;
    case AST_IF: walk_expr(w, n->u.x); break;
    default: /* let, try */
      if (!n->u.let.name) break;
      walk_leaf(w, n->u.let.name);
      next(w);
      walk_expr(w, n->u.let.value);
      break;
    }
    close_node(w, f, n);
    next_if(w, TOK_COMMA);
  }
}

static void walk_comprehension(Walk *w, Ast *n) {
  walk_clauses(w, n->u.comp.clauses);
  Frame *f = open_node(w);
  walk_struct(w, n->u.comp.value);
  close_node(w, f, n->u.comp.value);
  if (n->u.comp.fallback) {
    f = open_node(w);
    next(w);
    walk_struct(w, n->u.comp.fallback->u.x);
    close_node(w, f, n->u.comp.fallback);
  }
  next_if(w, TOK_COMMA);
}

static void walk_list(Walk *w, Ast *n) {
  next(w);
  open_list(w);
  AstList l = n->u.list;
  uint32_t i = 0;
  for (; i < l.n && l.at[i]->kind != AST_ELLIPSIS; i++) {
    Frame *f = open_node(w);
    if (l.at[i]->kind == AST_COMPREHENSION) {
      walk_comprehension(w, l.at[i]);
    } else if (l.at[i]->kind == AST_ALIAS) {
      walk_operators(w, l.at[i]->u.alias.ident);
      next(w);
      walk_expr(w, l.at[i]->u.alias.x);
      next_if(w, TOK_COMMA);
    } else {
      walk_operators(w, l.at[i]);
      next_if(w, TOK_COMMA);
    }
    close_node(w, f, l.at[i]);
  }
  close_list(w);
  if (i < l.n) {
    next(w);
    if (l.at[i]->u.x) walk_expr(w, l.at[i]->u.x);
    next_if(w, TOK_COMMA);
  }
  next(w);
}

/* An operand and what is written behind it. `wrap` is the node to which the comments of n
** go: n itself, or n with "?". */
static void walk_primary(Walk *w, Ast *n, Ast *wrap) {
  Frame *f;
  switch (n->kind) {
  case AST_SELECTOR:
    walk_primary(w, n->u.sel.x, n->u.sel.x);
    f = open_node(w);
    f->pos = 1;
    next(w);
    if (n->u.sel.sel->kind == AST_IDENT)
      walk_leaf(w, n->u.sel.sel);
    else
      next(w);
    if (wrap != n) next(w);
    close_node(w, f, wrap);
    break;
  case AST_INDEX:
    walk_primary(w, n->u.binary.x, n->u.binary.x);
    f = open_node(w);
    f->pos = 1;
    next(w);
    walk_expr(w, n->u.binary.y);
    next_if(w, TOK_COMMA); /* since language version v0.17 */
    next(w);
    if (wrap != n) next(w);
    close_node(w, f, wrap);
    break;
  case AST_SLICE:
    walk_primary(w, n->u.slice.x, n->u.slice.x);
    f = open_node(w);
    f->pos = 1;
    next(w);
    if (n->u.slice.lo) walk_expr(w, n->u.slice.lo);
    next(w);
    if (n->u.slice.hi) walk_expr(w, n->u.slice.hi);
    next_if(w, TOK_COMMA);
    next(w);
    close_node(w, f, n);
    break;
  case AST_CALL:
    walk_primary(w, n->u.call.fun, n->u.call.fun);
    f = open_node(w);
    open_list(w);
    next(w);
    for (uint32_t i = 0; i < n->u.call.args.n; i++) {
      walk_expr(w, n->u.call.args.at[i]);
      next_if(w, TOK_COMMA);
    }
    next(w);
    close_list(w);
    close_node(w, f, n);
    break;
  case AST_POSTFIX:
    if (n->op == TOK_OPTION) {
      walk_primary(w, n->u.unary.x, n);
      if (n->u.unary.x->kind == AST_IDENT) next(w);
    } else {
      walk_primary(w, n->u.unary.x, n->u.unary.x);
      walk_leaf(w, n);
    }
    break;
  case AST_PAREN:
    f = open_node(w);
    next(w);
    open_list(w);
    walk_expr(w, n->u.x);
    close_list(w);
    next(w);
    close_node(w, f, n);
    break;
  case AST_STRUCT: walk_struct(w, n); break;
  case AST_LIST: walk_list(w, n); break;
  case AST_INTERPOLATION: walk_interpolation(w, n); break;
  default: walk_leaf(w, n); break;
  }
}

static void walk_operators(Walk *w, Ast *n) {
  Frame *f;
  if (n->kind == AST_BINARY) {
    walk_operators(w, n->u.binary.x);
    f = open_node(w);
    f->pos = 1;
    next(w);
    open_list(w);
    walk_operators(w, n->u.binary.y);
    close_list(w);
    close_node(w, f, n);
  } else if (n->kind == AST_UNARY) {
    f = open_node(w);
    next(w);
    walk_operators(w, n->u.unary.x);
    close_node(w, f, n);
  } else {
    walk_primary(w, n, n);
  }
}

static void walk_expr(Walk *w, Ast *n) {
  Frame *f = open_node(w);
  open_list(w);
  walk_operators(w, n);
  close_list(w);
  close_node(w, f, n);
}

/* An expression that may have an alias: a label or a field value. */
static void walk_aliased(Walk *w, Ast *n) {
  if (n->kind != AST_ALIAS) {
    walk_expr(w, n);
    return;
  }
  walk_expr(w, n->u.alias.ident);
  next(w);
  walk_expr(w, n->u.alias.x);
}

/* ---- declarations ---- */

/* A keyword that begins a declaration and turns out to be a name has been taken for a
** clause up to then; comments behind it are lost. */
static bool walk_keyword_name(Walk *w, Ast *n) {
  if (n->kind != AST_IDENT || (w->t.tok != TOK_FOR && w->t.tok != TOK_IF && w->t.tok != TOK_LET)) return false;
  Frame *outer = open_node(w), *inner = w->t.tok == TOK_LET ? NULL : open_node(w);
  next(w);
  if (inner) close_node(w, inner, n);
  close_node(w, outer, NULL);
  return true;
}

static void walk_label(Walk *w, Ast *n, bool first) {
  Ast *name = n->kind == AST_ALIAS ? n->u.alias.ident : n;
  if (!first || !walk_keyword_name(w, name)) {
    walk_aliased(w, n);
  } else if (name != n) {
    next(w);
    walk_expr(w, n->u.alias.x);
  }
}

static void walk_attribute(Walk *w, Ast *n) { walk_leaf(w, n); }

static void walk_field(Walk *w, Ast *n) {
  bool first = true;
  for (;; first = false) {
    walk_label(w, n->u.field.label, first);
    if (n->u.field.alias_field) {
      next(w);
      if (n->u.field.alias_label) {
        next(w);
        walk_leaf(w, n->u.field.alias_label);
        next(w);
      }
      walk_leaf(w, n->u.field.alias_field);
      if (n->u.field.alias_label) next(w);
    }
    if (n->constraint) next(w);
    next(w); /* ":" */
    if (!n->u.field.value->synthetic) break;
    n = n->u.field.value->u.list.at[0];
  }
  walk_aliased(w, n->u.field.value);
  open_list(w);
  for (uint32_t i = 0; i < n->u.field.attrs.n; i++) walk_attribute(w, n->u.field.attrs.at[i]);
  close_list(w);
  next_if(w, TOK_COMMA);
}

static void walk_embed(Walk *w, Ast *x) {
  if (!walk_keyword_name(w, x)) walk_aliased(w, x);
  while (w->t.tok == TOK_OPTION || w->t.tok == TOK_NOT) next(w); /* marks that mean nothing */
  next_if(w, TOK_COMMA);
}

static void walk_decl(Walk *w, Ast *n) {
  if (n->kind == AST_ATTRIBUTE || n->kind == AST_ELLIPSIS) {
    walk_leaf(w, n);
    next_if(w, TOK_COMMA);
    return;
  }
  Frame *f = open_node(w), *inner;
  switch (n->kind) {
  case AST_FIELD: walk_field(w, n); break;
  case AST_COMPREHENSION:
    inner = open_node(w);
    walk_comprehension(w, n);
    close_node(w, inner, n);
    break;
  case AST_LET:
    inner = open_node(w);
    next(w);
    walk_leaf(w, n->u.let.name);
    next(w);
    walk_expr(w, n->u.let.value);
    next_if(w, TOK_COMMA);
    close_node(w, inner, n);
    break;
  default: walk_embed(w, n->u.x); break;
  }
  close_node(w, f, n);
}

static void walk_decls(Walk *w, AstList l, uint32_t from) {
  open_list(w);
  for (uint32_t i = from; i < l.n; i++) walk_decl(w, l.at[i]);
  close_list(w);
}

static void walk_import(Walk *w, Ast *n) {
  Frame *f = open_node(w);
  if (n->u.import.name) walk_leaf(w, n->u.import.name);
  next(w);
  next_if(w, TOK_COMMA);
  close_node(w, f, n);
}

static void walk_imports(Walk *w, Ast *n) {
  Frame *f = open_node(w), *keyword = open_node(w);
  next(w);
  close_node(w, keyword, NULL);
  bool parens = w->t.tok == TOK_LPAREN;
  if (parens) {
    next(w);
    open_list(w);
  }
  for (uint32_t i = 0; i < n->u.list.n; i++) walk_import(w, n->u.list.at[i]);
  if (parens) {
    close_list(w);
    next(w);
    next_if(w, TOK_COMMA);
  }
  close_node(w, f, n);
}

static void walk_file(Walk *w, Ast *file) {
  Frame *root = w->frame;
  open_list(w);
  uint32_t i = 0;
  bool imports = false;
  for (AstList l = file->u.list; i < l.n; i++) {
    Ast *n = l.at[i];
    if (n->kind == AST_PACKAGE) {
      Frame *f = open_node(w);
      next(w);
      walk_leaf(w, n); /* its name is no node of its own */
      next_if(w, TOK_COMMA);
      close_node(w, f, n);
    } else if (n->kind == AST_IMPORTS) {
      imports = true;
      walk_imports(w, n);
    } else if (n->kind == AST_ATTRIBUTE && !imports) {
      walk_decl(w, n);
    } else {
      break;
    }
  }
  walk_decls(w, file->u.list, i);
  next(w);
  close_list(w);
  close_node(w, root, file);
}

void comments_attach(Parser *p, Ast *root) {
  Walk w = {.a = p->a, .src = p->src, .tokens = p->tokens.at, .n = p->tokens.n};
  Frame bottom = {.pos = -1};
  w.frame = &bottom;
  next(&w);
  if (root->kind == AST_FILE)
    walk_file(&w, root);
  else
    walk_expr(&w, root);
}
