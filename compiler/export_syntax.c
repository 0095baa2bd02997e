/* export_syntax.c - results as CUE: entry points, and the exporter's scopes and names.
**
** While a tree is written, a stack of frames mirrors the environments of the expressions in
** it, so that a reference that goes up so many environments finds the frame of its target, and
** with it the field as it is written now. Fields may be referred to before they are written:
** the identifier then is kept with the label and linked when the frame is left.
*/
#include <string.h>

#include "compiler/export.h"
#include "compiler/literal.h"
#include "runtime/digest.h"

/* ---- conjuncts ---- */

void conjuncts_each(const Conjunct *at, uint32_t n, ConjunctVisit *f, void *arg) {
  for (uint32_t i = 0; i < n; i++) {
    if (at[i].x->kind == IR_GROUP) {
      const IrGroup *g = IR_AS(IrGroup, at[i].x);
      conjuncts_each(g->at.at, g->at.n, f, arg);
    } else {
      f(arg, &at[i]);
    }
  }
}

const Ir *conjunct_field(const Conjunct *c) {
  return c->x->kind == IR_COMPREHENSION ? IR_AS(IrComprehension, c->x)->value : c->x;
}

bool comprehension_resolved(const IrComprehension *c) { return c->run && c->run->done && c->run->envs.n; }

uint32_t comprehension_nest(const IrComprehension *c) {
  uint32_t n = 0;
  for (; c->parent; c = c->parent) n++;
  return n;
}

/* ---- frames ---- */

Frame *frame_enter(Exporter *x, Vertex *v) {
  Frame *f = cue_new(x->a, Frame);
  f->node = v;
  f->scope = tree_node(x->a, AST_STRUCT);
  cue_push(x->a, &x->stack, f);
  return f;
}

void frame_leave(Exporter *x) {
  Frame *f = x->stack.at[--x->stack.n];
  for (uint32_t i = 0; f->fields.keys && i <= f->fields.mask; i++) {
    Entry *entry = f->fields.values[i];
    if (!f->fields.keys[i] || !entry) continue;
    Ast *node = entry->node;
    if (entry->alias.n && entry->field) {
      field_set_alias(x, entry->field, entry->alias);
      node = entry->field;
    }
    for (uint32_t k = 0; node && k < entry->references.n; k++) entry->references.at[k]->u.ident.node = node;
  }
}

Frame *frame_top(Exporter *x) { return x->stack.n ? x->stack.at[x->stack.n - 1] : &x->nowhere; }

Frame *frame_at(Exporter *x, uint32_t up) {
  int64_t left = up;
  for (uint32_t i = x->stack.n; i-- > 0;) {
    Frame *f = x->stack.at[i];
    if (left <= f->up - 1) return f;
    left -= f->up;
  }
  x->nowhere = (Frame){0};
  return &x->nowhere;
}

Entry *frame_entry(Exporter *x, Frame *f, Label l) {
  Entry **slot = (Entry **)(void *)table_slot(x->a, &f->fields, l);
  if (!*slot) *slot = cue_new(x->a, Entry);
  return *slot;
}

void frame_add_field(Exporter *x, Label l, Ast *field, Ast *node) {
  if (!l) return;
  Entry *e = frame_entry(x, frame_top(x), l);
  e->field = field;
  e->node = node;
}

Vertex *frame_node(Exporter *x) {
  Vertex *v = frame_top(x)->node;
  return v ? v : &x->e->empty_node;
}

/* ---- links ---- */

static Link *link_get(Exporter *x, Vertex *v, bool *is_new) {
  Link **slot = (Link **)(void *)table_slot(x->a, &x->links, KEY(v));
  *is_new = !*slot;
  if (!*slot) *slot = cue_new(x->a, Link);
  return *slot;
}

void link_field(Exporter *x, Vertex *v, Ast *field) {
  if (!v) return;
  bool is_new;
  Link *l = link_get(x, v, &is_new);
  if (is_new) l->field = field;
  for (uint32_t i = 0; i < l->idents.n; i++) l->idents.at[i]->u.ident.node = field->u.field.value;
  l->idents.n = 0;
}

void link_ident(Exporter *x, Vertex *v, Ast *ident) {
  bool is_new;
  Link *l = link_get(x, v, &is_new);
  if (l->field)
    ident->u.ident.node = l->field->u.field.value;
  else
    cue_push(x->a, &l->idents, ident);
}

/* ---- lets and aliases ---- */

bool scope_holds(const Ast *scope, const Ast *n) {
  if (scope->kind == AST_FILE) return true;
  return cue_pos_offset(scope->pos) <= cue_pos_offset(n->pos) && cue_pos_offset(n->pos) < cue_pos_offset(scope->end);
}

static void mark_alias(Exporter *x, const Ast *scope, const Ir *d) {
  const Ast *src = d->src;
  if (!scope || !src || src->kind != AST_FIELD || src->u.field.label->kind != AST_ALIAS) return;
  for (uint32_t i = 0; i < x->field_aliases.n; i++)
    if (x->field_aliases.at[i].source == src) return;
  /* Made before the fields are written, so that those that come earlier can refer to it. */
  const Ast *alias = src->u.field.label;
  Ast *label = tree_alias(x->a, alias->u.alias.ident->u.text, alias->u.alias.x);
  cue_push(x->a, &x->field_aliases, (FieldAlias){src, scope, tree_field(x->a, label, NULL)});
}

static void mark_lets(Exporter *x, Ir *v) {
  if (!v) return;
  switch (v->kind) {
  case IR_STRUCT: {
    IrStruct *s = IR_AS(IrStruct, v);
    ir_struct_read(s);
    for (uint32_t i = 0; i < s->n; i++) {
      Ir *d = s->decls[i];
      if (d->kind == IR_FIELD || d->kind == IR_PATTERN || d->kind == IR_DYNAMIC) mark_alias(x, s->src, d);
      if (d->kind != IR_LET) continue;
      /* Filled in when first referred to, dropped if never. */
      Ast *let = tree_node(x->a, AST_LET);
      *table_slot(x->a, &x->lets, IR_AS(IrField, d)->label) = let;
      tree_add(x->a, frame_top(x)->scope, let);
    }
    for (uint32_t i = 0; i < s->n; i++) mark_lets(x, s->decls[i]);
    return;
  }
  case IR_LIST:
    for (uint32_t i = 0; i < IR_AS(IrList, v)->n; i++) mark_lets(x, IR_AS(IrList, v)->elems[i]);
    return;
  case IR_BINARY:
    mark_lets(x, IR_AS(IrBinary, v)->x);
    mark_lets(x, IR_AS(IrBinary, v)->y);
    return;
  case IR_DISJUNCTION_EXPR:
    for (uint32_t i = 0; i < IR_AS(IrDisjunctionExpr, v)->n; i++) mark_lets(x, IR_AS(IrDisjunctionExpr, v)->at[i].x);
    return;
  case IR_CALL:
    for (uint32_t i = 0; i < IR_AS(IrCall, v)->n; i++) mark_lets(x, IR_AS(IrCall, v)->args[i]);
    return;
  case IR_SELECTOR: mark_lets(x, IR_AS(IrSelector, v)->x); return;
  case IR_INDEX: mark_lets(x, IR_AS(IrIndex, v)->x); return;
  case IR_OPEN:
  case IR_UNARY:
  case IR_ELLIPSIS: mark_lets(x, IR_AS(IrUnary, v)->x); return;
  default: return;
  }
}

void frame_mark_lets(Exporter *x, Ir *expr) { mark_lets(x, expr); }

void frame_drop_unused_lets(Ast *scope) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < scope->u.list.n; i++) {
    Ast *d = scope->u.list.at[i];
    if (d->kind == AST_LET && !d->u.let.value) continue;
    scope->u.list.at[n++] = d;
  }
  scope->u.list.n = n;
}

void field_set_alias(Exporter *x, Ast *field, CueStr name) {
  Ast *label = field->u.field.label;
  if (label->kind == AST_ALIAS) return;
  Ast *alias = tree_alias(x->a, name, label);
  alias->comments = label->comments;
  label->comments = NULL;
  field->u.field.label = alias;
}

/* ---- names ---- */

static void mark_label(Exporter *x, Label l, Ir *let) {
  if (!l) return;
  bool had = table_has(&x->used, l);
  void **slot = table_slot(x->a, &x->used, l);
  if (!let)
    *slot = NULL;
  else if (!had)
    *slot = let;
}

typedef struct {
  Exporter *x;
} MarkConjuncts;

static void mark_conjunct(void *arg, const Conjunct *c) { names_mark(((MarkConjuncts *)arg)->x, conjunct_elem(c->x)); }

static void mark_all(Exporter *x, Ir **at, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) names_mark(x, at[i]);
}

void names_mark(Exporter *x, Ir *v) {
  if (!v) return;
  switch (v->kind) {
  case IR_VERTEX:
    if (!vertex_is_data(IR_AS(Vertex, v)))
      conjuncts_each(IR_AS(Vertex, v)->conjuncts.at, IR_AS(Vertex, v)->conjuncts.n, mark_conjunct, &(MarkConjuncts){x});
    return;
  case IR_GROUP:
    conjuncts_each(IR_AS(IrGroup, v)->at.at, IR_AS(IrGroup, v)->at.n, mark_conjunct, &(MarkConjuncts){x});
    return;
  case IR_LIST: mark_all(x, IR_AS(IrList, v)->elems, IR_AS(IrList, v)->n); return;
  case IR_STRUCT:
    ir_struct_read(IR_AS(IrStruct, v));
    mark_all(x, IR_AS(IrStruct, v)->decls, IR_AS(IrStruct, v)->n);
    return;
  case IR_FIELD_REF:
  case IR_VALUE_REF: mark_label(x, IR_AS(IrRef, v)->label, NULL); return;
  case IR_LET_REF: mark_label(x, IR_AS(IrRef, v)->label, IR_AS(IrRef, v)->x); return;
  case IR_IMPORT_REF: mark_label(x, IR_AS(IrImport, v)->label, NULL); return;
  case IR_SELECTOR:
    names_mark(x, IR_AS(IrSelector, v)->x);
    mark_label(x, IR_AS(IrSelector, v)->sel, NULL);
    return;
  case IR_INDEX:
    names_mark(x, IR_AS(IrIndex, v)->x);
    names_mark(x, IR_AS(IrIndex, v)->index);
    return;
  case IR_SLICE:
    names_mark(x, IR_AS(IrSlice, v)->x);
    names_mark(x, IR_AS(IrSlice, v)->lo);
    names_mark(x, IR_AS(IrSlice, v)->hi);
    return;
  case IR_INTERPOLATION: mark_all(x, IR_AS(IrInterpolation, v)->parts, IR_AS(IrInterpolation, v)->n); return;
  case IR_BOUND_EXPR:
  case IR_UNARY:
  case IR_OPEN:
  case IR_ELLIPSIS:
  case IR_IF: names_mark(x, IR_AS(IrUnary, v)->x); return;
  case IR_BINARY:
    names_mark(x, IR_AS(IrBinary, v)->x);
    names_mark(x, IR_AS(IrBinary, v)->y);
    return;
  case IR_CALL:
    names_mark(x, IR_AS(IrCall, v)->fun);
    mark_all(x, IR_AS(IrCall, v)->args, IR_AS(IrCall, v)->n);
    return;
  case IR_DISJUNCTION_EXPR:
    for (uint32_t i = 0; i < IR_AS(IrDisjunctionExpr, v)->n; i++) names_mark(x, IR_AS(IrDisjunctionExpr, v)->at[i].x);
    return;
  case IR_FIELD:
  case IR_LET:
  case IR_LET_CLAUSE:
  case IR_TRY:
    mark_label(x, IR_AS(IrField, v)->label, NULL);
    names_mark(x, IR_AS(IrField, v)->value);
    return;
  case IR_PATTERN:
    names_mark(x, IR_AS(IrPattern, v)->filter);
    names_mark(x, IR_AS(IrPattern, v)->value);
    return;
  case IR_DYNAMIC:
    names_mark(x, IR_AS(IrDynamic, v)->key);
    names_mark(x, IR_AS(IrDynamic, v)->value);
    return;
  case IR_FOR: /* its source is not walked, as in cue */
    mark_label(x, IR_AS(IrFor, v)->key, NULL);
    mark_label(x, IR_AS(IrFor, v)->value, NULL);
    return;
  case IR_COMPREHENSION: {
    IrComprehension *c = IR_AS(IrComprehension, v);
    mark_all(x, c->clauses, c->n);
    names_mark(x, conjunct_expr(c->value));
    names_mark(x, c->fallback);
    return;
  }
  default: return;
  }
}

static bool name_take(Exporter *x, CueStr name, Label *l) {
  *l = label_ident(x->e->labels, name, CUE_STR(""));
  if (table_has(&x->used, *l)) return false;
  *table_slot(x->a, &x->used, *l) = NULL;
  return true;
}

/* base, base_1 .. base_4, then base_ and random digits, more of them each time. */
Label name_unique(Exporter *x, CueStr base, CueStr *name) {
  Label l;
  *name = base;
  if (name_take(x, base, &l)) return l;
  for (int i = 1; i < 5; i++) {
    *name = cue_strf(x->a, "%.*s_%X", CUE_FMT(base), (unsigned)i);
    if (name_take(x, *name, &l)) return l;
  }
  const uint64_t mask = 0xffffffffffffffu;
  int digits = 1;
  for (uint64_t n = 0x10;; n = (mask & ((n << 4) - 1)) + 1) {
    unsigned long long num = random_below(&x->random, n - 1) + 1;
    *name = cue_strf(x->a, "%.*s_%0*llX", CUE_FMT(base), digits, num);
    if (name_take(x, *name, &l)) return l;
    digits++;
  }
}

CueStr name_alias(Exporter *x, CueStr name) {
  Label l;
  if (!name_take(x, name, &l)) name_unique(x, name, &name);
  return name;
}

/* A hidden name of another package is made to differ from our own: by a hash of the package, so
** that it stays the same wherever the package is written out. */
static CueStr mangled(Exporter *x, CueStr name, CueStr package) {
  CueStr digest, hex;
  if (!package.n || cue_str_is(package, "_") || cue_str_eq(package, x->package) ||
      !cue_digest(x->a, "md5", package, &digest))
    return name;
  hex = cue_hex(x->a, cue_str_sub(digest, 0, 4));
  CueBuf b = cue_buf(x->a);
  cue_buf_str(&b, name);
  cue_buf_ch(&b, '_');
  for (size_t i = 0; i < hex.n; i++) cue_buf_ch(&b, hex.s[i] >= 'a' ? (char)(hex.s[i] - 'a' + 'A') : hex.s[i]);
  return cue_buf_done(&b);
}

CueStr name_of_label(Exporter *x, Label l) {
  if (label_is_int(l)) return cue_strf(x->a, "%u", label_index(l));
  CueStr name = label_name(x->e->labels, l);
  return x->opt->inline_imports && label_is_hidden(l) ? mangled(x, name, label_package(x->e->labels, l)) : name;
}

Ast *label_syntax(Exporter *x, Label l) {
  switch (label_kind(l)) {
  case LABEL_INT: return tree_lit(x->a, TOK_INT, name_of_label(x, l));
  case LABEL_DEF:
  case LABEL_HIDDEN:
  case LABEL_HIDDEN_DEF: return tree_ident(x->a, name_of_label(x, l));
  default: return tree_string_label(x->a, label_name(x->e->labels, l));
  }
}

/* ---- files ---- */

/* All doc comments become one group, set apart by an empty line. */
static CommentGroup *merge_docs(CueArena *a, CommentGroup *list) {
  CommentGroup *doc = NULL, *others = NULL, **last = &others;
  for (CommentGroup *g = list, *next; g; g = next) {
    next = g->next;
    if (!g->doc) {
      g->next = NULL;
      *last = g;
      last = &g->next;
    } else if (!doc) {
      doc = g;
    } else {
      uint32_t n = doc->n + 1 + g->n;
      void *old = doc->at;
      doc->at = cue_alloc_array(a, sizeof *doc->at, n);
      memcpy(doc->at, old, doc->n * sizeof *doc->at);
      doc->at[doc->n].text = CUE_STR("//");
      memcpy(doc->at + doc->n + 1, g->at, g->n * sizeof *g->at);
      doc->n = n;
    }
  }
  if (!doc) return others;
  doc->next = others;
  return doc;
}

typedef struct {
  CueArena *a;
  bool docs;
  CueStr package;
  CommentGroup *of_package, *of_file;
} FileParts;

static void append_groups(CommentGroup **list, CommentGroup *g) {
  while (*list) list = &(*list)->next;
  *list = g;
}

static void file_part(void *arg, const Conjunct *c) {
  FileParts *p = arg;
  const Ast *src = c->x->src;
  if (!src || src->kind != AST_FILE) return;
  for (uint32_t i = 0; i < src->u.list.n; i++)
    if (src->u.list.at[i]->kind == AST_PACKAGE && !cue_str_is(src->u.list.at[i]->u.text, "_"))
      p->package = src->u.list.at[i]->u.text;
  if (!p->docs) return;
  CommentGroup *docs, *rest;
  docs_of_file(p->a, src, &docs, &rest);
  for (CommentGroup *g = docs; g; g = g->next)
    if (g->n) g->at[0].pos = cue_pos_with_rel(g->at[0].pos, CUE_REL_SECTION);
  append_groups(&p->of_package, docs);
  append_groups(&p->of_file, rest);
}

static Ast *file_of(Exporter *x, Vertex *v, Ast *expr, bool package) {
  Ast *file = tree_node(x->a, AST_FILE);
  if (package) {
    FileParts p = {.a = x->a, .docs = x->opt->show_docs};
    conjuncts_each(v->conjuncts.at, v->conjuncts.n, file_part, &p);
    if (p.package.n) {
      Ast *clause = tree_node(x->a, AST_PACKAGE);
      clause->pos = cue_pos(0, CUE_REL_SECTION);
      clause->u.text = p.package;
      clause->comments = merge_docs(x->a, p.of_package);
      file->comments = p.of_file;
      tree_add(x->a, file, clause);
    } else {
      append_groups(&p.of_package, p.of_file);
      file->comments = merge_docs(x->a, p.of_package);
    }
  }
  if (expr->kind == AST_STRUCT)
    for (uint32_t i = 0; i < expr->u.list.n; i++) tree_add(x->a, file, expr->u.list.at[i]);
  else
    tree_add(x->a, file, tree_embed(x->a, expr));
  return file;
}

static bool has_preamble(const Ast *file) {
  for (uint32_t i = 0; i < file->u.list.n; i++) {
    uint8_t kind = file->u.list.at[i]->kind;
    if (kind == AST_PACKAGE || kind == AST_IMPORTS) return true;
    if (kind != AST_COMMENTS && kind != AST_ATTRIBUTE) return false;
  }
  return false;
}

/* A file that is but one expression: the comments move to it, and a struct loses its braces. */
static Ast *unwrap_file(CueArena *a, Ast *file) {
  if (has_preamble(file) || file->u.list.n != 1 || file->u.list.at[0]->kind != AST_EMBED) return file;
  Ast *embed = file->u.list.at[0], *expr = embed->u.x, *out = tree_node(a, AST_FILE);
  append_groups(&file->comments, embed->comments);
  append_groups(&file->comments, expr->comments);
  if (expr->kind == AST_STRUCT) {
    out->comments = file->comments;
    out->u.list = expr->u.list;
    return out;
  }
  expr->comments = file->comments;
  tree_set_rel(expr, CUE_REL_NOSPACE);
  tree_add(a, out, tree_embed(a, expr));
  return out;
}

static Ast *finish(Exporter *x, Vertex *v, Ast *expr, bool package) {
  Ast *file = file_of(x, v, expr, package);
  pivot_finish(x, file);
  tree_sanitize(x->a, file);
  return unwrap_file(x->a, file);
}

/* ---- entry points ---- */

static Exporter exporter_new(Eval *e, CueArena *a, Vertex *v, const ExportOptions *opt) {
  Exporter x = {.e = e, .a = a, .opt = opt, .random = random_new()};
  if (!v->parent) x.package = opt->package; /* what is not the root of an instance belongs to none */
  x.dummy_top = tree_ident(a, CUE_STR("_"));
  names_mark(&x, (Ir *)v);
  return x;
}

static void start_pivot(Exporter *x, Vertex *v) {
  if (x->opt->inline_imports || (v->parent && !x->opt->expand_references)) pivot_start(x, v);
}

Ast *cue_export_value(Eval *e, CueArena *a, Vertex *v, const ExportOptions *opt) {
  cue_finalize(e, v);
  Exporter x = exporter_new(e, a, v, opt);
  start_pivot(&x, v);
  Ast *expr = export_value(&x, (Ir *)v, v->conjuncts.at, v->conjuncts.n);
  return finish(&x, v, expr, false);
}

static bool is_def_name(const Ast *n) {
  return n->kind == AST_IDENT &&
         (cue_str_has_prefix(n->u.text, CUE_STR("#")) || cue_str_has_prefix(n->u.text, CUE_STR("_#")));
}

static bool refers_to_definition(const Ast *n) {
  for (;;) {
    if (n->kind == AST_SELECTOR) {
      if (is_def_name(n->u.sel.sel)) return true;
      n = n->u.sel.x;
    } else if (n->kind == AST_INDEX) {
      n = n->u.binary.x;
    } else {
      return is_def_name(n);
    }
  }
}

static bool embeds_definition(const Ast *expr) {
  if (expr->kind != AST_STRUCT) return false;
  for (uint32_t i = 0; i < expr->u.list.n; i++) {
    const Ast *d = expr->u.list.at[i];
    if (d->kind == AST_EMBED && refers_to_definition(d->u.x)) return true;
  }
  return false;
}

Ast *cue_export_definition(Eval *e, CueArena *a, Vertex *v, const ExportOptions *opt) {
  cue_finalize(e, v);
  Exporter x = exporter_new(e, a, v, opt);
  start_pivot(&x, v);
  bool is_def = v->closed_recursive;
  x.in_definition += is_def;
  Ast *expr = export_expr(&x, NULL, (Ir *)v);
  x.in_definition -= is_def;
  /* Written at the top level it would be open: a definition keeps it closed. */
  if (is_def && !embeds_definition(expr) && ir_kinds((Ir *)v) == CUE_STRUCT) {
    Ast *s = tree_node(a, AST_STRUCT);
    s->open = cue_pos(0, CUE_REL_NOSPACE);
    tree_add(a, s, tree_embed(a, tree_ident(a, CUE_STR("_#def"))));
    tree_add(a, s, tree_field(a, tree_ident(a, CUE_STR("_#def")), expr));
    expr = s;
  }
  return finish(&x, v, expr, true);
}
