/* fmt_simplify.c - which quoted labels can lose their quotes.
**
** "a": 1 may become a: 1 if a is an identifier and nothing in the scope of the struct
** refers to a: such a reference would be caught by the new label. Any identifier counts
** as a reference, also one that declares something; that errs on the safe side.
** The tree is not changed: the printer asks for the label to print.
*/
#include "compiler/fmt_simplify.h"

#include "compiler/fmt_literal.h"
#include "compiler/literal.h"

/* The labels of one struct by name, and whether they may stand unquoted. */
typedef struct {
  CueStr name;
  bool plain;
} Mark;
typedef struct Scope {
  struct Scope *parent;
  Mark *at;
  uint32_t n, cap; /* cap is a power of two */
} Scope;

typedef struct {
  CueArena *a;
  FmtLabels labels;
  Scope *scope;
  int depth;
} Simplifier;

static Mark *scope_find(const Scope *s, CueStr name) {
  uint32_t i = cue_str_hash(name) & (s->cap - 1);
  while (s->at[i].name.s && !cue_str_eq(s->at[i].name, name)) i = (i + 1) & (s->cap - 1);
  return &s->at[i];
}

static void scope_add(CueArena *a, Scope *s, CueStr name) {
  if (2 * s->n >= s->cap) {
    Scope old = *s;
    s->cap = old.cap ? 2 * old.cap : 8;
    s->at = cue_array(a, Mark, s->cap);
    for (uint32_t i = 0; i < old.cap; i++)
      if (old.at[i].name.s) *scope_find(s, old.at[i].name) = old.at[i];
  }
  Mark *m = scope_find(s, name);
  if (!m->name.s) s->n++;
  *m = (Mark){name, true};
}

static uint32_t label_slot(const FmtLabels *l, const Ast *label) {
  uint32_t i = (uint32_t)(((uintptr_t)label >> 4) * 2654435761u) & (l->cap - 1);
  while (l->from[i] && l->from[i] != label) i = (i + 1) & (l->cap - 1);
  return i;
}

static void label_replace(CueArena *a, FmtLabels *l, const Ast *label, Ast *ident) {
  if (2 * l->n >= l->cap) {
    FmtLabels old = *l;
    l->cap = old.cap ? 2 * old.cap : 16;
    l->from = cue_array(a, const Ast *, l->cap);
    l->to = cue_array(a, Ast *, l->cap);
    for (uint32_t i = 0; i < old.cap; i++) {
      if (!old.from[i]) continue;
      uint32_t at = label_slot(l, old.from[i]);
      l->from[at] = old.from[i];
      l->to[at] = old.to[i];
    }
  }
  uint32_t at = label_slot(l, label);
  if (!l->from[at]) l->n++;
  l->from[at] = label;
  l->to[at] = ident;
}

const Ast *fmt_plain_label(const FmtLabels *l, const Ast *label) {
  if (!l->cap) return label;
  uint32_t at = label_slot(l, label);
  return l->from[at] ? l->to[at] : label;
}

static void declare(Simplifier *s, const Ast *label) {
  CueStr name;
  while (label) switch (label->kind) {
    case AST_IDENT: scope_add(s->a, s->scope, label->u.text); return;
    case AST_BASIC:
      if (fmt_label_unquote(s->a, label->u.text, &name) && !cue_label_needs_quotes(name))
        scope_add(s->a, s->scope, name);
      return;
    case AST_ALIAS:
      declare(s, label->u.alias.ident);
      label = label->u.alias.x;
      break;
    case AST_PAREN: label = label->u.x; break;
    default: return;
    }
}

static void refer(Simplifier *s, const Ast *n);

static void refer_list(Simplifier *s, const AstList *l) {
  for (uint32_t i = 0; i < l->n; i++) refer(s, l->at[i]);
}

static void struct_labels(Simplifier *s, const AstList *decls) {
  Scope scope = {.parent = s->scope};
  s->scope = &scope;
  for (uint32_t i = 0; i < decls->n; i++)
    if (decls->at[i]->kind == AST_FIELD) declare(s, decls->at[i]->u.field.label);
  for (uint32_t i = 0; i < decls->n; i++)
    refer(s, decls->at[i]->kind == AST_FIELD ? decls->at[i]->u.field.value : decls->at[i]);
  for (uint32_t i = 0; i < decls->n && scope.n; i++) {
    const Ast *label = decls->at[i]->kind == AST_FIELD ? decls->at[i]->u.field.label : NULL;
    CueStr name;
    if (!label || label->kind != AST_BASIC || !fmt_label_unquote(s->a, label->u.text, &name)) continue;
    Mark *m = scope_find(&scope, name);
    if (!m->name.s || !m->plain) continue;
    Ast *ident = ast_new(s->a, AST_IDENT, 0, 0);
    ident->u.text = name;
    label_replace(s->a, &s->labels, label, ident);
  }
  s->scope = scope.parent;
}

/* The innermost struct with a label of this name would catch the reference. */
static void refer_name(Simplifier *s, CueStr name) {
  for (Scope *sc = s->scope; sc; sc = sc->parent) {
    Mark *m = sc->n ? scope_find(sc, name) : NULL;
    if (!m || !m->name.s) continue;
    m->plain = false;
    return;
  }
}

/* Marks every name that n refers to. Goes down the leftmost branch in a loop: long chains
** of operators and selectors lean that way. */
static void refer(Simplifier *s, const Ast *n) {
  if (s->depth >= AST_DEPTH_LIMIT) return;
  s->depth++;
  while (n) {
    const Ast *next = NULL;
    switch ((AstKind)n->kind) {
    case AST_IDENT:
    case AST_PACKAGE: refer_name(s, n->u.text); break;
    case AST_STRUCT:
    case AST_FILE: struct_labels(s, &n->u.list); break;
    case AST_LIST:
    case AST_INTERPOLATION:
    case AST_IMPORTS: refer_list(s, &n->u.list); break;
    case AST_SELECTOR: next = n->u.sel.x; break;
    case AST_INDEX:
    case AST_BINARY:
      refer(s, n->u.binary.y);
      next = n->u.binary.x;
      break;
    case AST_SLICE:
      refer(s, n->u.slice.lo);
      refer(s, n->u.slice.hi);
      next = n->u.slice.x;
      break;
    case AST_CALL:
      refer_list(s, &n->u.call.args);
      next = n->u.call.fun;
      break;
    case AST_UNARY:
    case AST_POSTFIX: next = n->u.unary.x; break;
    case AST_EMBED:
    case AST_ELLIPSIS:
    case AST_PAREN:
    case AST_IF:
    case AST_FALLBACK: next = n->u.x; break;
    case AST_LET:
    case AST_TRY:
      refer(s, n->u.let.name);
      next = n->u.let.value;
      break;
    case AST_ALIAS:
      refer(s, n->u.alias.ident);
      next = n->u.alias.x;
      break;
    case AST_FOR:
      refer(s, n->u.loop.key);
      refer(s, n->u.loop.value);
      next = n->u.loop.source;
      break;
    case AST_COMPREHENSION:
      refer_list(s, &n->u.comp.clauses);
      refer(s, n->u.comp.fallback);
      next = n->u.comp.value;
      break;
    case AST_FUNC:
      refer_list(s, &n->u.func.args);
      next = n->u.func.ret;
      break;
    case AST_IMPORT: next = n->u.import.name; break;
    case AST_FIELD: next = n->u.field.value; break;
    case AST_ATTRIBUTE:
    case AST_COMMENTS:
    case AST_BASIC:
    case AST_BOTTOM:
    case AST_BAD_DECL:
    case AST_BAD_EXPR: break;
    }
    n = next;
  }
  s->depth--;
}

FmtLabels fmt_simplify(CueArena *a, const Ast *root) {
  Simplifier s = {.a = a};
  refer(&s, root);
  return s.labels;
}
