/* ast.c - making nodes, naming labels, and printing trees for tests. */
#include "compiler/ast.h"

#include <stddef.h>
#include <string.h>

#include "compiler/literal.h"

/* Few kinds need the whole union, and a file has many nodes. */
static size_t size_of(AstKind kind) {
  if (kind == AST_FIELD || kind == AST_COMPREHENSION || kind == AST_FOR) return sizeof(Ast);
  return offsetof(Ast, u) + 24;
}
_Static_assert(sizeof(((Ast *)0)->u.ident) <= 24 && sizeof(((Ast *)0)->u.call) <= 24 &&
                   sizeof(((Ast *)0)->u.slice) <= 24 && sizeof(((Ast *)0)->u.let) <= 24 &&
                   sizeof(((Ast *)0)->u.alias) <= 24 && sizeof(((Ast *)0)->u.func) <= 24,
               "size_of knows the large ones");

Ast *ast_new(CueArena *a, AstKind kind, CuePos pos, CuePos end) {
  Ast *n = cue_alloc(a, size_of(kind));
  n->kind = (uint8_t)kind;
  n->depth = 1;
  n->pos = pos;
  n->end = end;
  return n;
}

Ast *ast_copy(CueArena *a, const Ast *n) {
  size_t size = size_of((AstKind)n->kind);
  Ast *copy = cue_alloc(a, size);
  memcpy(copy, n, size);
  return copy;
}

void ast_list_add(CueArena *a, AstList *l, Ast *n) {
  if (l->n == l->cap) {
    /* Most lists are short: a struct of a few fields, one element of a pattern. */
    uint32_t cap = l->cap ? l->cap * 2 : 4;
    l->at = cue_regrow(a, l->at, l->cap * sizeof *l->at, cap * sizeof *l->at);
    l->cap = cap;
  }
  l->at[l->n++] = n;
}

void ast_comment_add(Ast *n, CommentGroup *g) {
  CommentGroup **at = &n->comments; /* behind the last one that is not later */
  for (CommentGroup *c = n->comments; c; c = c->next)
    if (c->position <= g->position) at = &c->next;
  g->next = *at;
  *at = g;
}

bool ast_label_name(CueArena *a, const Ast *label, CueStr *name, bool *is_ident) {
  if (label->kind == AST_ALIAS) label = label->u.alias.x;
  switch (label->kind) {
  case AST_IDENT:
    *name = label->u.text;
    *is_ident = true;
    return true;
  case AST_BASIC:
    *is_ident = label->op != TOK_STRING;
    if (*is_ident) {
      *name = label->u.text;
      return label->op == TOK_NULL || label->op == TOK_TRUE || label->op == TOK_FALSE;
    }
    CueValue v = cue_literal_string(a, label->u.text);
    if (v.kind != CUE_STRING) return false;
    *name = cue_value_str(v);
    return true;
  default: return false;
  }
}

static void dump(CueBuf *out, const Ast *n);

static void dump_list(CueBuf *out, AstList l) {
  for (uint32_t i = 0; i < l.n; i++) {
    cue_buf_ch(out, ' ');
    dump(out, l.at[i]);
  }
}

static void dump_child(CueBuf *out, const Ast *n) {
  cue_buf_ch(out, ' ');
  if (n)
    dump(out, n);
  else
    cue_buf_ch(out, '-');
}

static void dump_comments(CueBuf *out, const Ast *n) {
  for (const CommentGroup *g = n->comments; g; g = g->next) {
    cue_buf_f(out, "<%s%d", g->doc ? "d" : g->line ? "l" : "", g->position);
    for (uint32_t i = 0; i < g->n; i++) {
      cue_buf_z(out, i ? "|" : "");
      cue_buf_str(out, g->at[i].text);
    }
    cue_buf_ch(out, '>');
  }
}

static void dump_named(CueBuf *out, const char *name, const Ast *x, const Ast *y, const Ast *z) {
  cue_buf_f(out, "(%s", name);
  dump_child(out, x);
  if (y) dump_child(out, y);
  if (z) dump_child(out, z);
  cue_buf_ch(out, ')');
}

static void dump(CueBuf *out, const Ast *n) {
  dump_comments(out, n);
  switch ((AstKind)n->kind) {
  case AST_FIELD:
    cue_buf_z(out, "(field");
    cue_buf_z(out, n->constraint == TOK_OPTION ? "?" : n->constraint == TOK_NOT ? "!" : "");
    dump_child(out, n->u.field.label);
    if (n->u.field.alias_field) {
      cue_buf_z(out, " ~(");
      if (n->u.field.alias_label) dump(out, n->u.field.alias_label), cue_buf_ch(out, ' ');
      dump(out, n->u.field.alias_field);
      cue_buf_ch(out, ')');
    }
    dump_child(out, n->u.field.value);
    dump_list(out, n->u.field.attrs);
    cue_buf_ch(out, ')');
    break;
  case AST_LET: dump_named(out, "let", n->u.let.name, n->u.let.value, NULL); break;
  case AST_TRY: dump_named(out, "try", n->u.let.name, n->u.let.value, NULL); break;
  case AST_EMBED: dump_named(out, "embed", n->u.x, NULL, NULL); break;
  case AST_ELLIPSIS: dump_named(out, "...", n->u.x, NULL, NULL); break;
  case AST_IF: dump_named(out, "if", n->u.x, NULL, NULL); break;
  case AST_FALLBACK: dump_named(out, "else", n->u.x, NULL, NULL); break;
  case AST_PAREN: dump_named(out, "paren", n->u.x, NULL, NULL); break;
  case AST_ATTRIBUTE:
  case AST_IDENT:
  case AST_BASIC: cue_buf_str(out, n->u.text); break;
  case AST_PACKAGE: cue_buf_f(out, "(package %.*s)", CUE_FMT(n->u.text)); break;
  case AST_IMPORT: dump_named(out, "spec", n->u.import.path, n->u.import.name, NULL); break;
  case AST_COMMENTS: cue_buf_z(out, "(comments)"); break;
  case AST_BAD_DECL: cue_buf_z(out, "(bad-decl)"); break;
  case AST_BAD_EXPR: cue_buf_z(out, "(bad)"); break;
  case AST_BOTTOM: cue_buf_z(out, "_|_"); break;
  case AST_SELECTOR: dump_named(out, ".", n->u.sel.x, n->u.sel.sel, NULL); break;
  case AST_INDEX: dump_named(out, "index", n->u.binary.x, n->u.binary.y, NULL); break;
  case AST_SLICE:
    cue_buf_z(out, "(slice");
    dump_child(out, n->u.slice.x);
    dump_child(out, n->u.slice.lo);
    dump_child(out, n->u.slice.hi);
    cue_buf_ch(out, ')');
    break;
  case AST_UNARY: dump_named(out, tok_text((Tok)n->op), n->u.unary.x, NULL, NULL); break;
  case AST_POSTFIX:
    cue_buf_f(out, "(postfix%s", tok_text((Tok)n->op));
    dump_child(out, n->u.unary.x);
    cue_buf_ch(out, ')');
    break;
  case AST_BINARY: dump_named(out, tok_text((Tok)n->op), n->u.binary.x, n->u.binary.y, NULL); break;
  case AST_ALIAS: dump_named(out, "alias", n->u.alias.ident, n->u.alias.x, NULL); break;
  case AST_FOR: dump_named(out, "for", n->u.loop.value, n->u.loop.source, n->u.loop.key); break;
  case AST_CALL:
    cue_buf_z(out, "(call");
    dump_child(out, n->u.call.fun);
    dump_list(out, n->u.call.args);
    cue_buf_ch(out, ')');
    break;
  case AST_FUNC:
    cue_buf_z(out, "(func");
    dump_list(out, n->u.func.args);
    dump_child(out, n->u.func.ret);
    cue_buf_ch(out, ')');
    break;
  case AST_COMPREHENSION:
    cue_buf_z(out, "(comp");
    dump_list(out, n->u.comp.clauses);
    dump_child(out, n->u.comp.value);
    if (n->u.comp.fallback) dump_child(out, n->u.comp.fallback);
    cue_buf_ch(out, ')');
    break;
  case AST_IMPORTS:
  case AST_INTERPOLATION:
  case AST_FILE:
    cue_buf_z(out, n->kind == AST_IMPORTS ? "(import" : n->kind == AST_FILE ? "(file" : "(interpolation");
    dump_list(out, n->u.list);
    cue_buf_ch(out, ')');
    break;
  case AST_STRUCT:
  case AST_LIST:
    cue_buf_z(out, n->kind == AST_LIST ? "[" : n->synthetic ? "{:" : "{");
    dump_list(out, n->u.list);
    cue_buf_z(out, n->kind == AST_LIST ? " ]" : " }");
    break;
  }
}

void ast_dump(CueBuf *out, const Ast *n) { dump(out, n); }
