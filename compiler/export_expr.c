/* export_expr.c - expressions as syntax, with their references named anew.
**
** Struct literals go through export_merge.c, which joins them with what stands beside; all other
** expressions are written as they are, except that operands of & are sorted and top is dropped.
*/
#include <string.h>

#include "compiler/export.h"
#include "compiler/literal.h"

/* ---- evaluation on the side ---- */

Ir *export_eval(Exporter *x, Env *env, Ir *v) {
  Eval *e = x->e;
  Env *saved = e->env;
  Bottom *errs = e->errs;
  e->env = env ? env : &e->empty_env;
  e->errs = NULL;
  Ir *r = eval_expr(e, v, (Flags){.status = VERTEX_FINALIZED, .mode = RUN_FINALIZE, .cond = COND_ALL});
  if (e->errs) r = NULL;
  e->env = saved;
  e->errs = errs;
  return r;
}

Vertex *export_resolve(Exporter *x, Env *env, Ir *ref) {
  Eval *e = x->e;
  Env *saved = e->env;
  Bottom *errs = e->errs;
  e->env = env ? env : &e->empty_env;
  e->errs = NULL;
  Vertex *v = eval_resolve(e, ref, (Flags){.status = VERTEX_FINALIZED, .mode = RUN_FINALIZE, .cond = COND_ALL});
  if (e->errs || (v && v->more->child_errors && v->more->child_errors->code == BOTTOM_STRUCTURAL_CYCLE)) v = NULL;
  e->env = saved;
  e->errs = errs;
  return v;
}

static Env *env_empty(Exporter *x, Env *up) { return env_new(x->e, up, &x->e->empty_node); }

/* ---- references ---- */

static Ast *optional(Exporter *x, Ast *n, bool yes) { return yes ? tree_postfix(x->a, n, TOK_OPTION) : n; }

/* The identifier for a label of the frame `up` environments away; a label that is no identifier gets an alias. */
static Ast *ident_for_field(Exporter *x, const Ast *src, Label l, uint32_t up) {
  Frame *f = frame_at(x, up);
  Entry *entry = frame_entry(x, f, l);
  CueStr name = name_of_label(x, l);
  if (entry->alias.n) {
    name = entry->alias;
  } else if (!cue_is_valid_ident(name)) {
    name = name_alias(x, src && src->kind == AST_IDENT ? src->u.text : CUE_STR("X"));
    entry->alias = name;
  }
  Ast *ident = tree_ident(x->a, name);
  cue_push(x->a, &entry->references, ident);
  return ident;
}

/* The aliased field that a reference by another name than its label means. */
static const FieldAlias *aliased(Exporter *x, const IrRef *r) {
  if (!r->src || r->src->kind != AST_IDENT) return NULL;
  CueStr name = r->src->u.text, label = name_of_label(x, r->label);
  if (cue_str_eq(name, label)) return NULL;
  const FieldAlias *best = NULL;
  for (uint32_t i = 0; i < x->field_aliases.n; i++) {
    const FieldAlias *fa = &x->field_aliases.at[i];
    const Ast *alias = fa->field->u.field.label;
    CueStr declared;
    bool is_ident;
    if (alias->kind != AST_ALIAS || !cue_str_eq(alias->u.alias.ident->u.text, name) || !scope_holds(fa->scope, r->src))
      continue;
    if (!ast_label_name(x->a, alias->u.alias.x, &declared, &is_ident) || !cue_str_eq(declared, label)) continue;
    if (!best || best->scope->kind == AST_FILE || scope_holds(best->scope, fa->scope)) best = fa; /* the innermost */
  }
  return best;
}

static Ast *field_reference(Exporter *x, Env *env, IrRef *r) {
  const FieldAlias *fa = aliased(x, r);
  if (fa) {
    Ast *ident = tree_ident(x->a, r->src->u.text);
    ident->u.ident.node = fa->field;
    return optional(x, ident, r->flag);
  }
  Ast *ident = ident_for_field(x, r->src, r->label, r->up);
  for (uint32_t i = 0; env && i < r->up; i++) env = env->up;
  /* Variables of comprehensions and inlined structs have one source: nothing to link. */
  if (env && env->vertex && !env->vertex->is_dynamic) {
    Vertex *v = vertex_arc(env->vertex, r->label);
    if (v) link_ident(x, vertex_deref(v), ident);
  }
  return optional(x, ident, r->flag);
}

static Ast *value_reference(Exporter *x, const IrRef *r) {
  if (!r->src || r->src->kind != AST_IDENT) return tree_ident(x->a, name_of_label(x, r->label));
  CueStr name = r->src->u.text;
  for (uint32_t i = x->value_aliases.n; i-- > 0;) {
    const ValueAlias *va = &x->value_aliases.at[i];
    if (!cue_str_eq(va->scope->u.field.value->u.alias.ident->u.text, name) || !scope_holds(va->scope, r->src)) continue;
    return tree_ident(x->a, va->alias->u.alias.ident->u.text);
  }
  return tree_ident(x->a, name);
}

static Ast *dynamic_reference(Exporter *x, const IrDynamicRef *r) {
  CueStr name = r->src && r->src->kind == AST_IDENT ? r->src->u.text : CUE_STR("X");
  Ast *f = NULL;
  for (uint32_t i = x->stack.n; i-- > 0;) {
    Frame *frame = x->stack.at[i];
    for (uint32_t k = 0; k < frame->dynamic.n; k++)
      if (cue_str_eq(frame->dynamic.at[k]->alias, name)) f = frame->dynamic.at[k]->field;
  }
  if (f) {
    if (f->u.field.label->kind != AST_ALIAS) f->u.field.label = tree_alias(x->a, name_alias(x, name), f->u.field.label);
    name = f->u.field.label->u.alias.ident->u.text;
  }
  Ast *ident = tree_ident(x->a, name);
  ident->u.ident.node = f;
  return ident;
}

static Ast *import_reference(Exporter *x, const IrImport *r) {
  CueStr name = import_qualifier(r->path), alias = CUE_STR("");
  if (r->label) {
    CueStr own = name_of_label(x, r->label);
    if (!cue_str_eq(own, name)) alias = own;
    name = own;
  }
  Ast *ident = tree_ident(x->a, name);
  ident->u.ident.node = tree_import(x->a, alias, r->path);
  return ident;
}

static Ast *let_reference(Exporter *x, Env *env, IrRef *r) {
  Ast *let = table_get(&x->lets, r->label);
  if (!let) { /* declared outside of what is written: its value takes its place */
    Vertex *v = export_resolve(x, env, (Ir *)r);
    if (!v || !v->conjuncts.n) return r->x ? export_expr(x, env, r->x) : tree_ident(x->a, name_of_label(x, r->label));
    const Conjunct *c = &v->conjuncts.at[0];
    while (c->x->kind == IR_GROUP && IR_AS(IrGroup, c->x)->at.n) c = &IR_AS(IrGroup, c->x)->at.at[0];
    return export_expr(x, c->env, conjunct_elem(c->x));
  }
  if (!let->u.let.value) {
    CueStr name = name_of_label(x, r->label);
    if (!r->x || table_get(&x->used, r->label) != r->x) {
      Label l = name_unique(x, name, &name);
      *table_slot(x->a, &x->used, l) = r->x;
    }
    let->u.let.name = tree_ident(x->a, name);
    let->u.let.value = x->dummy_top; /* counts as used while its value is written */
    let->u.let.value = r->x ? export_expr(x, env, r->x) : x->dummy_top;
  }
  Ast *ident = tree_ident(x->a, let->u.let.name->u.text);
  ident->u.ident.node = let;
  return ident;
}

static Ast *label_reference(Exporter *x, Env *env, IrRef *r) {
  Ir *v = export_eval(x, env, (Ir *)r);
  Frame *f = frame_at(x, r->up);
  if (v && (ir_is_concrete(v) || !f->field)) return export_value(x, v, NULL, 0);
  if (!f->field || f->field->u.field.label->kind != AST_LIST) return tree_ident(x->a, CUE_STR("string"));
  AstList *pattern = &f->field->u.field.label->u.list;
  CueStr name = r->src && r->src->kind == AST_IDENT ? r->src->u.text : CUE_STR("");
  if (pattern->at[0]->kind == AST_ALIAS) {
    name = pattern->at[0]->u.alias.ident->u.text;
  } else {
    name = name_alias(x, name);
    pattern->at[0] = tree_alias(x->a, name, pattern->at[0]);
  }
  Ast *ident = tree_ident(x->a, name);
  ident->u.ident.node = f->label_expr;
  return ident;
}

static Ast *reference(Exporter *x, Env *env, Ir *v) {
  Ast *other = x->pivot ? pivot_reference(x, v) : NULL;
  if (other) return other;
  switch (v->kind) {
  case IR_FIELD_REF: return field_reference(x, env, IR_AS(IrRef, v));
  case IR_VALUE_REF: return value_reference(x, IR_AS(IrRef, v));
  case IR_DYNAMIC_REF: return dynamic_reference(x, IR_AS(IrDynamicRef, v));
  case IR_IMPORT_REF: return import_reference(x, IR_AS(IrImport, v));
  case IR_LET_REF: return let_reference(x, env, IR_AS(IrRef, v));
  case IR_SELECTOR: {
    IrSelector *s = IR_AS(IrSelector, v);
    Ast *of = export_inner(x, env, s->x);
    return optional(x, tree_selector(x->a, of, label_syntax(x, s->sel)), v->flag);
  }
  case IR_INDEX: {
    IrIndex *s = IR_AS(IrIndex, v);
    Ast *of = export_inner(x, env, s->x);
    return optional(x, tree_index(x->a, of, export_inner(x, env, s->index)), v->flag);
  }
  default: return export_value(x, (Ir *)IR_AS(IrNodeLink, v)->node, NULL, 0);
  }
}

/* ---- operators ---- */

static CueStr part_text(const Ir *p) {
  return p->kind == IR_SCALAR ? cue_value_str(IR_AS(const IrScalar, p)->v) : CUE_STR("");
}

/* The text of a literal between its quotes, as the form escapes it. */
static CueStr escaped(Exporter *x, CueStr s, bool bytes, bool lines, int tabs) {
  if (!lines) {
    CueStr q = cue_literal_quote(x->a, s, bytes ? CUE_QUOTE_BYTES : CUE_QUOTE_STRING, 0);
    return cue_str_sub(q, 1, q.n - 1);
  }
  CueStr q = cue_literal_quote(x->a, s, bytes ? CUE_QUOTE_MULTILINE_BYTES : CUE_QUOTE_MULTILINE_STRING, tabs);
  size_t head = 4 + (s.n && s.s[0] != '\n' ? (size_t)tabs : 0), tail = 4 + (size_t)tabs;
  return s.n && head + tail <= q.n ? cue_str_sub(q, head, q.n - tail) : CUE_STR("");
}

static Ast *interpolation(Exporter *x, Env *env, const IrInterpolation *v) {
  bool lines = false;
  for (uint32_t i = 0; i < v->n; i += 2)
    lines |= memchr(part_text(v->parts[i]).s, '\n', part_text(v->parts[i]).n) != NULL;
  int tabs = (int)x->stack.n;
  const char *quote = lines ? (v->bytes ? "'''" : "\"\"\"") : v->bytes ? "'" : "\"";
  Ast *out = tree_node(x->a, AST_INTERPOLATION);
  for (uint32_t i = 0; i < v->n; i++) {
    if (i % 2) {
      tree_add(x->a, out, export_inner(x, env, v->parts[i]));
      continue;
    }
    CueBuf b = cue_buf(x->a);
    cue_buf_z(&b, i ? ")" : quote);
    if (!i && lines) {
      cue_buf_ch(&b, '\n');
      cue_buf_repeat(&b, '\t', (size_t)tabs);
    }
    cue_buf_str(&b, escaped(x, part_text(v->parts[i]), v->bytes, lines, tabs));
    if (i + 1 < v->n) {
      if (b.n && b.s[b.n - 1] == '\n') cue_buf_repeat(&b, '\t', (size_t)tabs);
      cue_buf_z(&b, "\\(");
    } else {
      if (lines) {
        cue_buf_ch(&b, '\n');
        cue_buf_repeat(&b, '\t', (size_t)tabs);
      }
      cue_buf_z(&b, quote);
    }
    tree_add(x->a, out, tree_lit(x->a, TOK_STRING, cue_buf_done(&b)));
  }
  return out;
}

typedef CUE_VEC(Ir *) IrVec;

/* The operands of a chain of one operator, left to right. */
static void flatten(Exporter *x, IrVec *out, Ir *v, uint8_t op) {
  IrVec todo = {0};
  cue_push(x->a, &todo, v);
  while (todo.n) {
    v = todo.at[--todo.n];
    if (v->kind == IR_BINARY && v->op == op) {
      cue_push(x->a, &todo, IR_AS(IrBinary, v)->y);
      cue_push(x->a, &todo, IR_AS(IrBinary, v)->x);
    } else {
      cue_push(x->a, out, v);
    }
  }
}

static Ast *sorted_chain(Exporter *x, Env *env, IrBinary *v) {
  IrVec all = {0};
  flatten(x, &all, (Ir *)v, v->op);
  leaf_sort(x->e, x->a, all.at, all.n);
  Ast *out = NULL;
  for (uint32_t i = 0; i < all.n; i++) {
    Ir *y = all.at[i];
    if (y->kind == IR_TOP || (y->kind == IR_TYPE && IR_AS(IrType, y)->kinds == CUE_TOP)) continue;
    out = tree_binary(x->a, (Tok)v->op, out, y->kind == IR_TYPE ? export_expr(x, env, y) : export_inner(x, env, y));
  }
  return out ? out : tree_ident(x->a, CUE_STR("_"));
}

/* Long chains lean left: a loop goes down, so that only right operands recurse. */
static Ast *operation(Exporter *x, Env *env, IrBinary *v) {
  CUE_VEC(IrBinary *) spine = {0};
  Ir *left = (Ir *)v;
  for (; left->kind == IR_BINARY && left->op != TOK_AND && left->op != TOK_OR; left = IR_AS(IrBinary, left)->x)
    cue_push(x->a, &spine, IR_AS(IrBinary, left));
  Ast *out = export_inner(x, env, left);
  while (spine.n) {
    IrBinary *b = spine.at[--spine.n];
    out = tree_binary(x->a, (Tok)b->op, out, export_inner(x, env, b->y));
  }
  return out;
}

static Ast *call(Exporter *x, Env *env, const IrCall *v) {
  Ast *out = tree_node(x->a, AST_CALL);
  for (uint32_t i = 0; i < v->n; i++) ast_list_add(x->a, &out->u.call.args, export_inner(x, env, v->args[i]));
  out->u.call.fun = export_inner(x, env, v->fun);
  return out;
}

static Ast *disjunction(Exporter *x, Env *env, const IrDisjunctionExpr *v) {
  Ast *out = NULL;
  for (uint32_t i = 0; i < v->n; i++) {
    Ast *n = export_expr(x, env, v->at[i].x);
    out = tree_binary(x->a, TOK_OR, out, v->at[i].is_default ? tree_unary(x->a, TOK_MUL, n) : n);
  }
  return out;
}

static Ast *slice(Exporter *x, Env *env, const IrSlice *v) {
  Ast *out = tree_node(x->a, AST_SLICE);
  if (v->lo) out->u.slice.lo = export_inner(x, env, v->lo);
  if (v->hi) out->u.slice.hi = export_inner(x, env, v->hi);
  out->u.slice.x = export_inner(x, env, v->x);
  return out;
}

/* ---- comprehensions ---- */

static void copy_meta(Exporter *x, Ast *to, const Ast *from) {
  if (!from) return;
  if (x->opt->show_docs) to->comments = docs_only(x->a, from);
  to->pos = from->pos; /* known: comments of the source must stay before it */
}

static Ast *comp_ident(Exporter *x, Label l) { return tree_ident(x->a, l ? name_of_label(x, l) : CUE_STR("_")); }

/* One clause; *env is the environment after it. A clause that binds names opens a frame. */
static Ast *clause(Exporter *x, Env **env, Ir *c, uint32_t *frames) {
  Ast *out;
  switch (c->kind) {
  case IR_FOR: {
    IrFor *v = IR_AS(IrFor, c);
    *env = env_empty(x, *env);
    out = tree_node(x->a, AST_FOR);
    out->u.loop.value = comp_ident(x, v->value);
    out->u.loop.source = export_inner(x, *env, v->source);
    frame_enter(x, &x->e->empty_node);
    ++*frames;
    if (v->key || (c->src && c->src->u.loop.key)) {
      out->u.loop.key = comp_ident(x, v->key);
      frame_add_field(x, v->key, NULL, out);
    }
    frame_add_field(x, v->value, NULL, out);
    break;
  }
  case IR_IF:
    out = tree_node(x->a, AST_IF);
    out->u.x = export_inner(x, *env, IR_AS(IrUnary, c)->x);
    break;
  default: { /* let, try */
    IrField *v = IR_AS(IrField, c);
    out = tree_node(x->a, c->kind == IR_TRY ? AST_TRY : AST_LET);
    if (!v->label) break;
    *env = env_empty(x, *env);
    out->u.let.value = export_inner(x, *env, v->value);
    out->u.let.name = comp_ident(x, v->label);
    frame_enter(x, &x->e->empty_node);
    ++*frames;
    frame_add_field(x, v->label, NULL, out);
  }
  }
  copy_meta(x, out, c->src);
  return out;
}

static Ast *comprehension(Exporter *x, Env *env, IrComprehension *c) {
  Ast *out = tree_node(x->a, AST_COMPREHENSION);
  Env *outer = env;
  uint32_t frames = 0;
  for (uint32_t i = 0; i < c->n; i++) ast_list_add(x->a, &out->u.comp.clauses, clause(x, &env, c->clauses[i], &frames));
  if (x->opt->show_docs && c->src) out->comments = docs_only(x->a, c->src);
  if (comprehension_nest(c)) env = env_empty(x, env); /* the braces that a part of a comprehension has lost */
  Ast *value = export_expr(x, env, conjunct_expr(c->value));
  if (value->kind != AST_STRUCT) {
    Ast *s = tree_node(x->a, AST_STRUCT);
    s->open = cue_pos(0, CUE_REL_NOSPACE);
    tree_add(x->a, s, tree_embed(x->a, value));
    value = s;
  }
  out->u.comp.value = value;
  if (c->fallback) {
    Ast *body = export_expr(x, outer, c->fallback);
    if (body->kind == AST_STRUCT) {
      out->u.comp.fallback = tree_node(x->a, AST_FALLBACK);
      out->u.comp.fallback->u.x = body;
    }
  }
  while (frames--) frame_leave(x);
  return out;
}

/* What a comprehension contributes to the vertex it was pushed to. */
static Ast *comprehension_value(Exporter *x, Env *env, IrComprehension *c) {
  if (!comprehension_resolved(c)) return x->dummy_top;
  for (uint32_t i = 0; i < c->n; i++)
    if (c->clauses[i]->kind != IR_IF && !(c->clauses[i]->kind == IR_TRY && !IR_AS(IrField, c->clauses[i])->label))
      env = env_empty(x, env);
  if (comprehension_nest(c)) env = env_empty(x, env);
  return export_syntax(x, env, conjunct_expr(c->value));
}

/* ---- declarations ---- */

static Ast *element(Exporter *x, Env *env, Ir *v) {
  if (v->kind == IR_COMPREHENSION) return comprehension(x, env, IR_AS(IrComprehension, v));
  if (v->kind != IR_ELLIPSIS) return export_expr(x, env, v);
  Ast *out = tree_node(x->a, AST_ELLIPSIS);
  if (IR_AS(IrUnary, v)->x) out->u.x = export_expr(x, env, IR_AS(IrUnary, v)->x);
  return out;
}

static uint8_t constraint_of(const Ir *d) {
  return d->arc_type == ARC_OPTIONAL ? TOK_OPTION : d->arc_type == ARC_REQUIRED ? TOK_NOT : 0;
}

static CueStr label_alias(const Ast *src) {
  if (!src || src->kind != AST_FIELD || src->u.field.label->kind != AST_ALIAS) return CUE_STR("");
  return src->u.field.label->u.alias.ident->u.text;
}

static Ast *fixed_field(Exporter *x, const IrField *d) {
  for (uint32_t i = 0; i < x->field_aliases.n; i++)
    if (d->src && x->field_aliases.at[i].source == d->src) return x->field_aliases.at[i].field;
  return tree_field(x->a, label_syntax(x, d->label), NULL);
}

static Ast *field(Exporter *x, Env *env, IrField *d) {
  Ast *f = fixed_field(x, d);
  f->constraint = constraint_of((Ir *)d);
  Frame *top = frame_at(x, 0);
  Entry *entry = frame_entry(x, top, d->label);
  entry->field = f;
  entry->node = f->u.field.value;
  f->u.field.attrs = (AstList){0};
  attrs_of_field(x->a, &f->u.field.attrs, (Ir *)d);
  if (d->value->kind != IR_STRUCT) {
    f->u.field.value = export_expr(x, env, d->value);
    return f;
  }
  Vertex *arc = top->node ? vertex_arc(top->node, d->label) : NULL;
  if (arc) arc = vertex_deref(arc);
  f->u.field.value = export_merged_one(x, arc, env, d->value);
  link_field(x, arc, f);
  return f;
}

static void remember_dynamic(Exporter *x, Frame *frame, const Ast *src, Ast *f) {
  Entry *entry = cue_new(x->a, Entry);
  entry->alias = label_alias(src);
  entry->field = f;
  cue_push(x->a, &frame->dynamic, entry);
}

static Ast *pattern(Exporter *x, Env *env, IrPattern *d) {
  Frame *frame = frame_at(x, 0);
  Ast *expr = export_inner(x, env, d->filter), *list = tree_node(x->a, AST_LIST);
  frame->label_expr = expr;
  if (d->label) {
    /* The names in the value count: the alias must not be caught by one of them. */
    names_mark(x, d->value);
    expr = tree_alias(x->a, name_alias(x, name_of_label(x, d->label)), expr);
  }
  tree_add(x->a, list, expr);
  Ast *f = tree_field(x->a, list, NULL);
  frame->field = f;
  if (label_alias(d->src).n) remember_dynamic(x, frame, d->src, f);
  f->u.field.value = export_expr(x, env, d->value);
  attrs_of_field(x->a, &f->u.field.attrs, (Ir *)d);
  return f;
}

static Ast *dynamic(Exporter *x, Env *env, IrDynamic *d) {
  Ir *key = d->key, *v = export_eval(x, env, key);
  if (v && v->kind == IR_SCALAR && IR_AS(IrScalar, v)->v.kind == CUE_STRING) key = v;
  Ast *label = export_inner(x, env, key);
  if (label->kind != AST_INTERPOLATION && label->kind != AST_BASIC) {
    Ast *paren = tree_node(x->a, AST_PAREN);
    paren->u.x = label;
    label = paren;
  }
  Ast *f = tree_field(x->a, label, NULL);
  f->constraint = constraint_of((Ir *)d);
  remember_dynamic(x, frame_at(x, 0), d->src, f);
  f->u.field.value = export_expr(x, env, d->value);
  attrs_of_field(x->a, &f->u.field.attrs, (Ir *)d);
  return f;
}

Ast *export_decl(Exporter *x, Env *env, Ir *d) {
  switch (d->kind) {
  case IR_FIELD: return field(x, env, IR_AS(IrField, d));
  case IR_LET: return NULL; /* written where it is declared, once it is referred to */
  case IR_PATTERN: return pattern(x, env, IR_AS(IrPattern, d));
  case IR_DYNAMIC: return dynamic(x, env, IR_AS(IrDynamic, d));
  default: return element(x, env, d);
  }
}

static Ast *struct_literal(Exporter *x, Env *env, IrStruct *lit) {
  Ast *s = tree_node(x->a, AST_STRUCT);
  ir_struct_read(lit);
  env = env_new(x->e, env, frame_node(x));
  for (uint32_t i = 0; i < lit->n; i++) {
    Ir *d = lit->decls[i];
    Ast *alias = NULL;
    if (d->src && d->src->kind == AST_FIELD && d->src->u.field.value && d->src->u.field.value->kind == AST_ALIAS) {
      alias = tree_alias(x->a, d->src->u.field.value->u.alias.ident->u.text, NULL);
      cue_push(x->a, &x->value_aliases, (ValueAlias){d->src, alias});
    }
    Ast *decl = export_decl(x, env, d);
    if (!decl) continue;
    if (x->opt->show_docs && d->src) decl->comments = docs_only(x->a, d->src);
    if (alias && decl->kind == AST_FIELD) {
      alias->u.alias.x = decl->u.field.value;
      decl->u.field.value = alias;
    }
    tree_add(x->a, s, decl);
  }
  return s;
}

/* ---- expressions ---- */

Ast *export_syntax(Exporter *x, Env *env, Ir *v) {
  if (v->kind == IR_VERTEX) return export_expr(x, env, v);
  switch ((IrKind)v->kind) {
  case IR_LIST: {
    Ast *l = tree_node(x->a, AST_LIST);
    Env *inner = env_new(x->e, env, frame_node(x));
    for (uint32_t i = 0; i < IR_AS(IrList, v)->n; i++) tree_add(x->a, l, element(x, inner, IR_AS(IrList, v)->elems[i]));
    return l;
  }
  case IR_STRUCT: return struct_literal(x, env, IR_AS(IrStruct, v));
  case IR_LABEL_REF: return label_reference(x, env, IR_AS(IrRef, v));
  case IR_SLICE: return slice(x, env, IR_AS(IrSlice, v));
  case IR_INTERPOLATION: return interpolation(x, env, IR_AS(IrInterpolation, v));
  case IR_BOUND_EXPR:
  case IR_UNARY: return tree_unary(x->a, (Tok)v->op, export_inner(x, env, IR_AS(IrUnary, v)->x));
  case IR_OPEN: return tree_postfix(x->a, export_inner(x, env, IR_AS(IrUnary, v)->x), TOK_ELLIPSIS);
  case IR_BINARY:
    if (v->op == TOK_AND || v->op == TOK_OR) return sorted_chain(x, env, IR_AS(IrBinary, v));
    return operation(x, env, IR_AS(IrBinary, v));
  case IR_CALL: return call(x, env, IR_AS(IrCall, v));
  case IR_DISJUNCTION_EXPR: return disjunction(x, env, IR_AS(IrDisjunctionExpr, v));
  case IR_GROUP: {
    Ast *out = NULL;
    IrGroup *g = IR_AS(IrGroup, v);
    for (uint32_t i = 0; i < g->at.n; i++)
      out = tree_binary(x->a, TOK_AND, out, export_expr(x, g->at.at[i].env, conjunct_elem(g->at.at[i].x)));
    return out ? out : tree_ident(x->a, CUE_STR("_"));
  }
  case IR_COMPREHENSION: return comprehension_value(x, env, IR_AS(IrComprehension, v));
  default: return ir_is_resolver(v) ? reference(x, env, v) : export_value(x, v, NULL, 0);
  }
}

typedef struct {
  Exporter *x;
  CUE_VEC(MergeConjunct) at;
} Gather;

static void gather(void *arg, const Conjunct *c) {
  Gather *g = arg;
  if (c->x->kind == IR_COMPREHENSION && !comprehension_resolved(IR_AS(IrComprehension, c->x))) return;
  cue_push(g->x->a, &g->at, (MergeConjunct){*c, 0});
}

Ast *export_expr(Exporter *x, Env *env, Ir *v) {
  if (v->kind == IR_VERTEX) {
    Vertex *n = IR_AS(Vertex, v);
    if (vertex_is_data(n)) return export_value(x, v, NULL, 0);
    Gather g = {.x = x};
    conjuncts_each(n->conjuncts.at, n->conjuncts.n, gather, &g);
    return export_merged(x, n, g.at.at, g.at.n);
  }
  if (v->kind == IR_STRUCT) return export_merged_one(x, NULL, env, v);
  if (ir_is_value(v)) return export_value(x, v, NULL, 0);
  return export_syntax(x, env, v);
}

Ast *export_inner(Exporter *x, Env *env, Ir *v) {
  x->in_expression++;
  Ast *out = export_expr(x, env, v);
  x->in_expression--;
  return out;
}
