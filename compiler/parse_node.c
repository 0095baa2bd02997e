/* parse_node.c - makes the nodes of the tree for the grammar's actions.
**
** Each function sets what the node is about, its extent from those of its parts, and its
** depth. A tree deeper than AST_DEPTH_LIMIT stops the parser: everybody after it may
** recurse over trees.
*/
#include "compiler/parser.h"

#include <string.h>

#include "compiler/literal.h"
#include "runtime/unicode.h"

typedef struct {
  uint16_t levels, chain;
} Depth;

static Depth below(const Ast *n) { return n ? (Depth){n->depth, n->chain} : (Depth){0, 0}; }

static Depth max(Depth x, Depth y) {
  return (Depth){x.levels > y.levels ? x.levels : y.levels, x.chain > y.chain ? x.chain : y.chain};
}

static Depth deepest(AstList l) {
  Depth d = {0, 0};
  for (uint32_t i = 0; i < l.n; i++) d = max(d, below(l.at[i]));
  return d;
}

static void set_depth(Parser *p, Ast *n, Depth under) {
  n->depth = (uint16_t)(under.levels + 1);
  n->chain = under.chain;
  if ((n->depth <= AST_DEPTH_LIMIT && n->chain <= AST_CHAIN_LIMIT) || p->too_deep) return;
  p->too_deep = p->stop = true;
  if (n->depth > AST_DEPTH_LIMIT)
    cue_report(&p->d, n->pos, "nested too deeply: more than %d levels", AST_DEPTH_LIMIT);
  else
    cue_report(&p->d, n->pos, "too many operators in a row: more than %d", AST_CHAIN_LIMIT);
}

Ast *node_new(Parser *p, AstKind kind, Span at) {
  Ast *n = ast_new(p->a, kind, at.pos, at.end);
  n->depth = 1;
  return n;
}

Ast *node_text(Parser *p, AstKind kind, Span at, CueStr text) {
  Ast *n = node_new(p, kind, at);
  n->u.text = text;
  return n;
}

Ast *node_literal(Parser *p, Tok kind, Span at, CueStr text) {
  Ast *n = node_text(p, AST_BASIC, at, text);
  n->op = (uint8_t)kind;
  return n;
}

Ast *node_wrap(Parser *p, AstKind kind, Span at, Ast *x) {
  Ast *n = node_new(p, kind, at);
  n->u.x = x;
  set_depth(p, n, below(x));
  return n;
}

Ast *node_list(Parser *p, AstKind kind, Span open, Span close, AstList list) {
  bool brackets = cue_pos_known(close.end);
  Ast *n = node_new(p, kind, (Span){open.pos, brackets ? close.end : open.end});
  n->open = brackets ? open.pos : 0;
  n->close = close.pos;
  n->u.list = list;
  set_depth(p, n, deepest(list));
  return n;
}

Ast *node_struct(Parser *p, Span open, Span close, AstList decls) {
  Ast *n = node_list(p, AST_STRUCT, open, close, decls);
  if (p->made && p->made->open == cue_pos_offset(open.pos) - p->src->base) {
    n->unread = true;
    n->u.stub = p->made++;
  }
  return n;
}

Ast *node_unary(Parser *p, AstKind kind, Span at, int op, CuePos op_pos, Ast *x) {
  Ast *n = node_new(p, kind, at);
  n->op = (uint8_t)op;
  n->open = op_pos;
  n->u.unary.x = x;
  set_depth(p, n, below(x));
  return n;
}

Ast *node_binary(Parser *p, int op, CuePos op_pos, Ast *x, Ast *y) {
  Ast *n = node_new(p, AST_BINARY, (Span){x->pos, y->end});
  n->op = (uint8_t)op;
  n->open = op_pos;
  n->u.binary.x = x;
  n->u.binary.y = y;
  Depth left = below(x);
  if (x->kind == AST_BINARY) left.levels--;
  Depth d = max(left, below(y));
  d.chain++;
  set_depth(p, n, d);
  return n;
}

Ast *node_index(Parser *p, Ast *x, Ast *y, Span open, Span close) {
  Ast *n = node_new(p, AST_INDEX, (Span){x->pos, close.end});
  n->open = open.pos;
  n->close = close.pos;
  n->u.binary.x = x;
  n->u.binary.y = y;
  set_depth(p, n, max(below(x), below(y)));
  return n;
}

Ast *node_slice(Parser *p, Ast *x, Ast *lo, Ast *hi, Span open, Span close) {
  Ast *n = node_new(p, AST_SLICE, (Span){x->pos, close.end});
  n->open = open.pos;
  n->close = close.pos;
  n->u.slice.x = x;
  n->u.slice.lo = lo;
  n->u.slice.hi = hi;
  set_depth(p, n, max(below(x), max(below(lo), below(hi))));
  return n;
}

Ast *node_selector(Parser *p, Ast *x, CuePos period, Ast *sel) {
  Ast *n = node_new(p, AST_SELECTOR, (Span){x->pos, sel->end});
  n->open = period;
  n->u.sel.x = x;
  n->u.sel.sel = sel;
  set_depth(p, n, below(x));
  return n;
}

Ast *node_call(Parser *p, Ast *fun, Span open, AstList args, Span close) {
  Ast *n = node_new(p, AST_CALL, (Span){fun->pos, close.end});
  n->open = open.pos;
  n->close = close.pos;
  n->u.call.fun = fun;
  n->u.call.args = args;
  set_depth(p, n, max(below(fun), deepest(args)));
  return n;
}

/* Names that begin with two underscores may be used but not declared. */
static void check_declared(Parser *p, const Ast *ident) {
  CueStr name = ident->u.text;
  if (name.n >= 2 && name.s[0] == '_' && name.s[1] == '_')
    parse_error(p, ident->pos, "identifiers starting with '__' are reserved");
}

Ast *node_alias(Parser *p, Ast *ident, CuePos equal, Ast *x) {
  if (p->exp.aliasv2) return x; /* reported by the driver */
  check_declared(p, ident);
  Ast *n = node_new(p, AST_ALIAS, (Span){ident->pos, x->end});
  n->u.alias.ident = ident;
  n->u.alias.x = x;
  n->u.alias.equal = equal;
  set_depth(p, n, below(x));
  return n;
}

Ast *node_old_alias(Parser *p, Ast *name, CuePos equal, Ast *x) {
  Ast *n = node_alias(p, name, equal, x);
  if (n->kind == AST_ALIAS && !p->bad_decl) parse_error(p, n->pos, OLD_ALIAS);
  return node_wrap(p, AST_EMBED, (Span){n->pos, n->end}, n);
}

Ast *node_bind(Parser *p, AstKind kind, Span keyword, Ast *name, CuePos equal, Ast *value) {
  if (name && kind == AST_LET) check_declared(p, name);
  Ast *n = node_new(p, kind, (Span){keyword.pos, value ? value->end : keyword.end});
  n->u.let.name = name;
  n->u.let.value = value;
  n->u.let.equal = equal;
  set_depth(p, n, below(value));
  return n;
}

Ast *node_for(Parser *p, Span keyword, Ast *key, CuePos comma, Ast *value, CuePos in, Ast *source) {
  if (key) check_declared(p, key);
  check_declared(p, value);
  Ast *n = node_new(p, AST_FOR, (Span){keyword.pos, source->end});
  n->u.loop.key = key;
  n->u.loop.value = value;
  n->u.loop.source = source;
  n->u.loop.in = in;
  n->u.loop.comma = comma;
  set_depth(p, n, below(source));
  return n;
}

Ast *node_comprehension(Parser *p, AstList clauses, Ast *value, Ast *fallback) {
  Ast *n = node_new(p, AST_COMPREHENSION, (Span){clauses.at[0]->pos, fallback ? fallback->end : value->end});
  n->u.comp.clauses = clauses;
  n->u.comp.value = value;
  n->u.comp.fallback = fallback;
  set_depth(p, n, max(deepest(clauses), max(below(value), below(fallback))));
  if (fallback) {
    bool guard = clauses.n == 1 && (clauses.at[0]->kind == AST_IF || clauses.at[0]->kind == AST_TRY);
    if (guard && fallback->op != TOK_ELSE) parse_error(p, fallback->pos, "use 'else' with single 'if' or 'try' clause");
    if (!guard && fallback->op == TOK_ELSE)
      parse_error(p, fallback->pos, "use 'otherwise' for comprehensions with multiple clauses or 'for' clauses");
  }
  return n;
}

Ast *node_fallback(Parser *p, Tok tok, Span keyword, Ast *body) {
  Ast *n = node_wrap(p, AST_FALLBACK, (Span){keyword.pos, body->end}, body);
  n->op = (uint8_t)tok;
  return n;
}

static bool is_definition(CueStr name) {
  return cue_str_has_prefix(name, CUE_STR("#")) || cue_str_has_prefix(name, CUE_STR("_#"));
}

Ast *node_package(Parser *p, Span at, Ast *name) {
  Ast *n = node_text(p, AST_PACKAGE, at, name->u.text);
  n->open = name->pos;
  if (is_definition(name->u.text)) parse_error(p, name->end, "invalid package name %.*s", CUE_FMT(name->u.text));
  return p->package = n;
}

static bool valid_import(Parser *p, CueStr lit) {
  CueStr path = cue_value_str(cue_literal_string(p->a, lit));
  for (size_t i = path.n; i-- > 0;) {
    if (path.s[i] != ':') continue;
    path.n = i;
    break;
  }
  for (size_t i = 0; i < path.n;) {
    uint32_t r = cue_utf8_next(path, &i);
    if (r == CUE_RUNE_ERROR || !cue_uni_is_graphic(r) || cue_uni_is_space(r)) return false;
    if (r < 0x80 && strchr("!\"#$%&'()*,:;<=>?[\\]^{|}`", (int)r)) return false;
  }
  return path.n > 0;
}

Ast *node_import(Parser *p, Ast *name, Ast *path) {
  Ast *n = node_new(p, AST_IMPORT, (Span){name ? name->pos : path->pos, path->end});
  n->u.import.name = name;
  n->u.import.path = path;
  ast_list_add(p->a, &p->imports, n);
  if (name) {
    check_declared(p, name);
    if (is_definition(name->u.text)) parse_error(p, path->pos, "cannot import package as definition identifier");
  }
  bool missing = path->u.text.s[0] == '_'; /* put in by the driver */
  if (!missing && !valid_import(p, path->u.text))
    parse_error(p, path->pos, "invalid import path: %.*s", CUE_FMT(path->u.text));
  return n;
}

Ast *node_imports(Parser *p, Span keyword, Span open, AstList specs, Span close) {
  CuePos end = cue_pos_known(close.end) ? close.end : specs.n ? specs.at[0]->end : keyword.end;
  Ast *n = node_new(p, AST_IMPORTS, (Span){keyword.pos, end});
  n->open = open.pos;
  n->close = close.pos;
  n->u.list = specs;
  set_depth(p, n, deepest(specs));
  return n;
}

Ast *node_head(Parser *p, Ast *label, Ast *tail, CuePos colon) {
  Ast *n = tail ? tail : node_new(p, AST_FIELD, (Span){label->pos, colon});
  n->pos = label->pos;
  n->u.field.label = label;
  n->open = colon;
  set_depth(p, n, below(label));
  if (p->first_label && label->kind == AST_IDENT) check_declared(p, label);
  if (label->kind == AST_LIST && label->u.list.n != 1)
    parse_error(p, label->pos, "square bracket must have exactly one element");
  return n;
}

Ast *node_field(Parser *p, Ast *head, FieldRest rest) {
  head->u.field.value = rest.value;
  head->u.field.attrs = rest.attrs;
  head->end = rest.attrs.n ? rest.attrs.at[rest.attrs.n - 1]->end : rest.value->end;
  set_depth(p, head, max(below(head->u.field.label), below(rest.value)));
  return head;
}

Ast *node_chain(Parser *p, Ast *field) {
  Ast *n = node_list(p, AST_STRUCT, (Span){field->pos, field->end}, (Span){0}, node_list1(p, field));
  n->synthetic = true;
  return n;
}

AstList node_list1(Parser *p, Ast *x) {
  AstList l = {0};
  ast_list_add(p->a, &l, x);
  return l;
}

AstList node_list_add(Parser *p, AstList l, Ast *x) {
  ast_list_add(p->a, &l, x);
  return l;
}
