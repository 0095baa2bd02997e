/* fmt_tree.c - what the layout of a node depends on: where it stood, what it looks like. */
#include "compiler/fmt_tree.h"

#include <string.h>

const Ast *fmt_label_of(const FmtTree *t, const Ast *field) {
  return fmt_plain_label(&t->labels, field->u.field.label);
}

/* The brace of a struct; 0 if it has none. */
CuePos fmt_brace_of(const Ast *n) { return n->synthetic ? 0 : n->open ? n->open : n->pos; }
CuePos fmt_bracket_of(const Ast *n) { return n->open ? n->open : n->pos; }

CuePos fmt_start_of(const FmtTree *t, const Ast *n) {
  while (n) switch ((AstKind)n->kind) {
    case AST_FIELD: n = fmt_label_of(t, n); break;
    case AST_EMBED: n = n->u.x; break;
    case AST_IMPORT: n = n->u.import.name ? n->u.import.name : n->u.import.path; break;
    case AST_COMPREHENSION: n = n->u.comp.clauses.n ? n->u.comp.clauses.at[0] : NULL; break;
    case AST_COMMENTS: return n->comments && n->comments->n ? n->comments->at[0].pos : 0;
    case AST_INTERPOLATION:
    case AST_FILE: n = n->u.list.n ? n->u.list.at[0] : NULL; break;
    case AST_STRUCT:
      if (fmt_brace_of(n) || !n->u.list.n) return fmt_brace_of(n);
      n = n->u.list.at[0];
      break;
    case AST_LIST:
    case AST_PAREN: return fmt_bracket_of(n);
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

/* Positions that are but a CueRel are all on one line. Without the source, a bracket that
** closes on the line of what is before it has to do. */
bool fmt_on_one_line(const FmtTree *t, const Ast *n) {
  CuePos from = fmt_start_of(t, n), to = end_of(n);
  if (!from || !to || cue_pos_known(from) != cue_pos_known(to)) return false;
  if (!cue_pos_known(from)) return true;
  const CueSource *src = t->source;
  uint32_t i = cue_pos_offset(from), j = cue_pos_offset(to);
  if (!src || i < src->base || i > j || j - src->base > src->text.n) return !fmt_starts_line(n->close);
  return !memchr(src->text.s + (i - src->base), '\n', j - i);
}

bool fmt_starts_line(CuePos p) { return cue_pos_rel(p) >= CUE_REL_NEWLINE; }
/* Would n begin a line, for all the source says? */
bool fmt_may_start_line(const FmtTree *t, const Ast *n) {
  CuePos p = fmt_start_of(t, n);
  return cue_pos_rel(p) == CUE_REL_NONE || fmt_starts_line(p);
}

/* Does x come before the comments of g? */
bool fmt_comes_before(CuePos x, const CommentGroup *g) {
  CuePos y = g->n ? g->at[0].pos : 0;
  if (!x || x == y) return false;
  if (!y) return true;
  return cue_pos_offset(x) < cue_pos_offset(y);
}

static bool is_name(const Ast *n, const char *name) { return n && n->kind == AST_IDENT && cue_str_is(n->u.text, name); }
bool fmt_is_top(const Ast *n) { return is_name(n, "_"); }

/* The identifier that is or is aliased in a label; NULL for other labels. */
static const Ast *label_ident(const Ast *label) {
  if (label->kind == AST_ALIAS) label = label->u.alias.x;
  return label && label->kind == AST_IDENT ? label : NULL;
}

bool fmt_is_definition(const FmtTree *t, const Ast *field) {
  const Ast *id = label_ident(fmt_label_of(t, field));
  return id && (cue_str_has_prefix(id->u.text, CUE_STR("#")) || cue_str_has_prefix(id->u.text, CUE_STR("_#")));
}

static bool is_regular(const FmtTree *t, const Ast *field) {
  const Ast *id = label_ident(fmt_label_of(t, field));
  return !id || !(cue_str_has_prefix(id->u.text, CUE_STR("#")) || cue_str_has_prefix(id->u.text, CUE_STR("_")));
}

/* How many labels `a: b: c: value` has; 0 if the innermost value is a struct of none or many fields. */
int fmt_labels_in_row(const Ast *n) {
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

bool fmt_has_comments(const FmtTree *t, const Ast *n) {
  if (n->kind == AST_COMMENTS) return false;
  if (n->comments) return true;
  switch (n->kind) {
  case AST_FIELD: return fmt_label_of(t, n)->comments;
  case AST_ALIAS: return n->u.alias.ident->comments;
  case AST_LET: return n->u.let.name->comments;
  default: return false;
  }
}

/* `...`, or a pattern that says the same. */
bool fmt_says_open(const Ast *n) {
  if (n->kind == AST_ELLIPSIS) return true;
  if (n->kind != AST_FIELD || !fmt_is_top(n->u.field.value)) return false;
  const Ast *l = n->u.field.label;
  return l->kind == AST_LIST && l->u.list.n == 1 && (is_name(l->u.list.at[0], "string") || fmt_is_top(l->u.list.at[0]));
}

/* Does the value span lines, so that it is in no column with its neighbours? */
bool fmt_is_bulky(const Ast *n) {
  while (n) switch (n->kind) {
    case AST_STRUCT:
    case AST_LIST: return true;
    case AST_BASIC: return n->u.text.n && memchr(n->u.text.s, '\n', n->u.text.n);
    case AST_PAREN: n = n->u.x; break;
    case AST_UNARY:
    case AST_POSTFIX: n = n->u.unary.x; break;
    case AST_BINARY:
      if (fmt_is_bulky(n->u.binary.y)) return true;
      n = n->u.binary.x;
      break;
    case AST_INDEX: n = n->u.binary.x; break;
    case AST_SELECTOR: n = n->u.sel.x; break;
    case AST_CALL:
      for (uint32_t i = 0; i < n->u.call.args.n; i++)
        if (fmt_is_bulky(n->u.call.args.at[i])) return true;
      return false;
    default: return false;
    }
  return false;
}

/* The field m if `a: {m}` is to be printed as `a: m`. */
const Ast *fmt_inline_field(const FmtTree *t, const Ast *n) {
  /* A label with a position and a value without braces: someone meant them to be in a row. */
  if (!fmt_start_of(t, fmt_label_of(t, n)) && !(t->simplify && is_regular(t, n))) return NULL;
  const Ast *v = n->u.field.value;
  if (!v || v->kind != AST_STRUCT || v->u.list.n != 1 || n->u.field.attrs.n) return NULL;
  if (fmt_brace_of(v) && (!t->simplify || fmt_has_comments(t, n))) return NULL;
  const Ast *m = v->u.list.at[0];
  return m->kind == AST_FIELD && !m->u.field.attrs.n && !fmt_has_comments(t, m) ? m : NULL;
}
