/* export_value.c - evaluated values as syntax.
**
** A struct is written field by field, in the order of toposort.c; a list by its elements; what
** is known only in part (an incomplete error, an optional field in conflict) falls back to the
** conjuncts as they were written.
*/
#include "compiler/export.h"
#include "compiler/literal.h"

/* ---- scalars ---- */

typedef struct {
  const Ast *lit;
} FindLiteral;

static void find_literal(void *arg, const Conjunct *c) {
  FindLiteral *f = arg;
  if (!f->lit && c->x->src && c->x->src->kind == AST_BASIC) f->lit = c->x->src;
}

static Ast *bytes_or_string(Exporter *x, CueStr s, bool bytes) {
  bool lines = false;
  for (size_t i = 0; i < s.n; i++) lines |= s.s[i] == '\n';
  CueQuoteForm form = bytes   ? (lines ? CUE_QUOTE_MULTILINE_BYTES : CUE_QUOTE_BYTES)
                      : lines ? CUE_QUOTE_MULTILINE_STRING
                              : CUE_QUOTE_STRING;
  return tree_lit(x->a, TOK_STRING, cue_literal_quote(x->a, s, form, (int)x->stack.n));
}

static Ast *number(Exporter *x, CueValue v) {
  CueStr s = cue_num_text(x->a, cue_value_num(x->a, v));
  if (v.kind == CUE_INT) return tree_lit(x->a, TOK_INT, s);
  bool plain = true;
  for (size_t i = 0; i < s.n; i++)
    if (s.s[i] == '.' || s.s[i] == 'e' || s.s[i] == 'E') plain = false;
  return tree_lit(x->a, TOK_FLOAT, plain ? cue_str_cat(x->a, s, CUE_STR(".")) : s);
}

static Ast *scalar(Exporter *x, CueValue v, const Conjunct *from, uint32_t n) {
  if (v.kind == CUE_NULL) return tree_lit(x->a, TOK_NULL, CUE_STR("null"));
  if (v.kind == CUE_BOOL)
    return v.as.b ? tree_lit(x->a, TOK_TRUE, CUE_STR("true")) : tree_lit(x->a, TOK_FALSE, CUE_STR("false"));
  FindLiteral f = {0};
  conjuncts_each(from, n, find_literal, &f);
  if (f.lit) return tree_lit(x->a, (Tok)f.lit->op, f.lit->u.text); /* 0x10 stays 0x10 */
  if (v.kind == CUE_STRING || v.kind == CUE_BYTES) return bytes_or_string(x, cue_value_str(v), v.kind == CUE_BYTES);
  return number(x, v);
}

/* ---- errors ---- */

static Ast *bottom(Exporter *x, const Bottom *b) {
  Ast *n = tree_node(x->a, AST_BOTTOM);
  if (!b->nerrs) return n;
  CueBuf text = cue_buf(x->a);
  cue_buf_z(&text, "// ");
  if (b->joined && b->nerrs == 1) {
    Err own = *b->errs[0];
    own.wrapped = NULL;
    cue_buf_str(&text, err_message(x->e, x->a, &own));
  } else {
    err_text_each(x->e, &text, b->errs[0]);
  }
  if (b->nerrs > 1) cue_buf_f(&text, " (and %u more errors)", b->nerrs - 1);
  CommentGroup *g = cue_new(x->a, CommentGroup);
  g->line = true;
  g->position = 2;
  g->n = 1;
  g->at = cue_alloc(x->a, sizeof *g->at);
  g->at[0].text = cue_buf_done(&text);
  n->comments = g;
  return n;
}

/* ---- builtins ---- */

static Ast *builtin(Exporter *x, const IrBuiltin *b) {
  Ast *name = tree_ident(x->a, cue_str(b->name));
  if (!b->package) return name;
  CueStr path = cue_str(b->package);
  Ast *package = tree_ident(x->a, import_qualifier(path));
  package->u.ident.node = tree_import(x->a, CUE_STR(""), path);
  return tree_selector(x->a, package, name);
}

static Ast *validator(Exporter *x, const IrValidator *v) {
  Ast *call = tree_node(x->a, AST_CALL);
  call->u.call.fun = builtin(x, v->builtin);
  for (uint32_t i = 0; i < v->n; i++) ast_list_add(x->a, &call->u.call.args, export_value(x, v->args[i], NULL, 0));
  return call;
}

static Ast *disjunction(Exporter *x, const IrDisjunction *d) {
  Ast *out = NULL;
  for (uint32_t i = 0; i < d->n; i++) {
    Ir *v = d->at[i];
    Ast *n = v->kind == IR_VERTEX ? export_vertex(x, IR_AS(Vertex, v)) : export_value(x, v, NULL, 0);
    out = tree_binary(x->a, TOK_OR, out, i < d->ndefaults ? tree_unary(x->a, TOK_MUL, n) : n);
  }
  return out;
}

Ast *export_value(Exporter *x, Ir *v, const Conjunct *from, uint32_t n) {
  if (x->opt->take_defaults) v = value_default(x->e, v);
  switch (v->kind) {
  case IR_BOTTOM: return bottom(x, IR_AS(Bottom, v));
  case IR_SCALAR: return scalar(x, IR_AS(IrScalar, v)->v, from, n);
  case IR_TOP: return tree_ident(x->a, CUE_STR("_"));
  case IR_TYPE: return tree_ident(x->a, cue_kinds_text(x->a, IR_AS(IrType, v)->kinds));
  case IR_BOUND: return tree_unary(x->a, (Tok)v->op, export_value(x, IR_AS(IrBound, v)->value, NULL, 0));
  case IR_BUILTIN: return builtin(x, IR_AS(IrBuiltin, v));
  case IR_VALIDATOR: return validator(x, IR_AS(IrValidator, v));
  case IR_CONJUNCTION: return export_conjunction(x, IR_AS(IrJunction, v));
  case IR_DISJUNCTION: return disjunction(x, IR_AS(IrDisjunction, v));
  case IR_NODE_LINK: return export_value(x, (Ir *)IR_AS(IrNodeLink, v)->node, from, n);
  case IR_VERTEX: return export_vertex(x, IR_AS(Vertex, v));
  default: return tree_ident(x->a, CUE_STR("_"));
  }
}

/* ---- lists and structs ---- */

static Ast *list_syntax(Exporter *x, Vertex *v) {
  Ast *l = tree_node(x->a, AST_LIST);
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    if (!label_is_int(v->arcs.at[i]->label)) continue;
    Ast *elem = export_vertex(x, v->arcs.at[i]);
    if (x->opt->show_docs) elem->comments = docs_of_vertex(x->a, v->arcs.at[i]);
    tree_add(x->a, l, elem);
  }
  if (!x->opt->take_defaults && v->base && v->base->kind == IR_LIST_MARK && vertex_is_open_list(v)) {
    Ast *more = tree_node(x->a, AST_ELLIPSIS);
    Vertex *type = vertex_implied(x->e, v, LABEL_ANY_INDEX);
    if (ir_kinds((Ir *)type) != CUE_TOP) more->u.x = export_value(x, (Ir *)type, NULL, 0);
    tree_add(x->a, l, more);
  }
  return l;
}

/* Are there definitions or hidden fields to show beside a scalar or list? */
static bool has_hidden_arcs(const Exporter *x, const Vertex *v) {
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    Label l = v->arcs.at[i]->label;
    if (label_is_def(l) && x->opt->show_definitions) return true;
    if (label_is_hidden(l) && x->opt->show_hidden) return true;
  }
  return false;
}

static bool label_shown(Exporter *x, Label l, bool regular) {
  switch (label_kind(l)) {
  case LABEL_STRING: return regular;
  case LABEL_DEF: return x->opt->show_definitions;
  case LABEL_HIDDEN:
  case LABEL_HIDDEN_DEF: return x->opt->show_hidden && cue_str_eq(label_package(x->e->labels, l), x->package);
  default: return false;
  }
}

static Tok arc_token(const Vertex *arc) {
  return arc->arc_type == ARC_OPTIONAL ? TOK_OPTION : arc->arc_type == ARC_REQUIRED ? TOK_NOT : 0;
}

static void field_syntax(Exporter *x, Ast *s, Vertex *arc) {
  Label l = arc->label;
  Ast *f = tree_field(x->a, label_syntax(x, l), NULL);
  frame_add_field(x, l, f, NULL);
  x->in_definition += label_is_def(l);
  f->constraint = (uint8_t)arc_token(arc);
  f->u.field.value = export_vertex(x, vertex_deref(arc));
  x->in_definition -= label_is_def(l);
  if (x->opt->show_attributes) attrs_of_vertex_field(x->a, &f->u.field.attrs, arc);
  if (x->opt->show_docs) f->comments = docs_of_vertex(x->a, arc);
  tree_add(x->a, s, f);
}

static Ast *struct_syntax(Exporter *x, Vertex *v, const AstList *attrs) {
  Ast *s = frame_top(x)->scope, *list = NULL;
  bool regular = true;
  switch (v->base->kind) {
  case IR_STRUCT_MARK: break;
  case IR_LIST_MARK: /* lists may be long: they come last */
    regular = false;
    list = list_syntax(x, v);
    break;
  case IR_BOTTOM:
    for (uint32_t i = 0; i < v->arcs.n && !list; i++)
      if (label_is_int(v->arcs.at[i]->label)) list = list_syntax(x, v);
    break;
  default: regular = false; tree_add(x->a, s, export_value(x, v->base, NULL, 0));
  }
  for (uint32_t i = 0; i < attrs->n; i++) tree_add(x->a, s, attrs->at[i]);
  Vertex **arcs;
  uint32_t n;
  cue_field_order(x->e, x->a, v, &arcs, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (!label_shown(x, arcs[i]->label, regular) || arcs[i]->arc_type > ARC_OPTIONAL) continue;
    if (arcs[i]->arc_type == ARC_OPTIONAL && !x->opt->show_optional) continue;
    field_syntax(x, s, arcs[i]);
  }
  if (list) tree_add(x->a, s, list);
  return s;
}

/* ---- vertices ---- */

typedef struct {
  CueArena *a;
  CUE_VEC(Conjunct) at;
} Leaves;

static void mark_leaf_lets(void *arg, const Conjunct *c) { frame_mark_lets(arg, conjunct_expr(c->x)); }

static void add_leaf(void *arg, const Conjunct *c) {
  Leaves *l = arg;
  cue_push(l->a, &l->at, *c);
}

/* The conjuncts of v as they were written. */
static Ast *as_written(Exporter *x, Vertex *v) {
  Leaves l = {.a = x->a};
  conjuncts_each(v->conjuncts.at, v->conjuncts.n, add_leaf, &l);
  /* Insertion sort: such vertices have few conjuncts, and it is stable. */
  for (uint32_t i = 1; i < l.at.n; i++) {
    Conjunct c = l.at.at[i];
    uint32_t k = i;
    for (; k && leaf_cmp(x->e, conjunct_expr(c.x), conjunct_expr(l.at.at[k - 1].x)) < 0; k--)
      l.at.at[k] = l.at.at[k - 1];
    l.at.at[k] = c;
  }
  Ast *out = NULL;
  for (uint32_t i = 0; i < l.at.n; i++) {
    Ast *n = export_expr(x, l.at.at[i].env, conjunct_elem(l.at.at[i].x));
    if (n != x->dummy_top) out = tree_binary(x->a, TOK_AND, out, n);
  }
  return out ? out : tree_ident(x->a, CUE_STR("_"));
}

static Ast *vertex_syntax(Exporter *x, Vertex *v, const AstList *attrs) {
  if (!v->base) return NULL;
  bool composite = attrs->n || has_hidden_arcs(x, v);
  switch (v->base->kind) {
  case IR_STRUCT_MARK: return struct_syntax(x, v, attrs);
  case IR_LIST_MARK: return composite ? struct_syntax(x, v, attrs) : list_syntax(x, v);
  case IR_BOTTOM: {
    const Bottom *b = IR_AS(Bottom, v->base);
    if (v->arc_type == ARC_OPTIONAL) return NULL;
    if (x->opt->show_errors && b->child_error)
      return v->arcs.n && label_is_int(v->arcs.at[0]->label) && !composite ? list_syntax(x, v)
                                                                           : struct_syntax(x, v, attrs);
    return !bottom_incomplete(b) || !v->conjuncts.n ? bottom(x, b) : NULL;
  }
  default: return composite ? struct_syntax(x, v, attrs) : export_value(x, v->base, v->conjuncts.at, v->conjuncts.n);
  }
}

/* An argument of a validator may be the very struct that the validator stands in. */
static bool is_under_way(const Exporter *x, const Vertex *v) {
  for (uint32_t i = x->stack.n; i-- > 0;)
    if (x->stack.at[i]->is_value && x->stack.at[i]->node == v) return true;
  return false;
}

Ast *export_vertex(Exporter *x, Vertex *v) {
  AstList attrs = {0};
  if (is_under_way(x, v)) return as_written(x, v);
  if (x->opt->show_attributes) attrs_of_vertex(x->a, &attrs, v);
  Frame *f = frame_enter(x, v);
  f->is_value = true;
  f->up++;
  conjuncts_each(v->conjuncts.at, v->conjuncts.n, mark_leaf_lets, x);
  Ast *s = f->scope, *out = vertex_syntax(x, v, &attrs);
  if (!out) out = as_written(x, v);
  frame_drop_unused_lets(s);
  /* Lets that are used have no place beside what is not a struct. */
  if (out != s && s->u.list.n) out = export_expr(x, NULL, (Ir *)v);
  f->up--;
  frame_leave(x);
  return out;
}
