/* export_docs.c - comments and attributes that follow a value into its syntax.
**
** A field has the doc comments of all its declarations, equal ones once. In a: b: c: 1 the
** comment stands before a in the source and belongs to c: it is looked for among the parents.
** Groups are copied: a tree must not share them with the source.
*/
#include <string.h>

#include "compiler/export.h"

typedef CUE_VEC(const Ast *) Fields;

typedef struct {
  CueArena *a;
  CommentGroup *first, **last;
  Fields fields; /* declarations whose comments count */
} Docs;

static CommentGroup *group_copy(CueArena *a, const CommentGroup *g) {
  CommentGroup *c = cue_new(a, CommentGroup);
  *c = *g;
  c->next = NULL;
  c->at = cue_alloc_array(a, sizeof *c->at, g->n ? g->n : 1);
  if (g->n) memcpy(c->at, g->at, g->n * sizeof *c->at);
  return c;
}

static void docs_init(Docs *d, CueArena *a) {
  *d = (Docs){.a = a};
  d->last = &d->first;
}

static void docs_add(Docs *d, const CommentGroup *g) {
  *d->last = group_copy(d->a, g);
  d->last = &(*d->last)->next;
}

static bool same_text(const CommentGroup *x, const CommentGroup *y) {
  if (x->n != y->n) return false;
  for (uint32_t i = 0; i < x->n; i++)
    if (!cue_str_eq(x->at[i].text, y->at[i].text)) return false;
  return true;
}

static void docs_of_field(Docs *d, const Ast *field) {
  for (const CommentGroup *g = field->comments; g; g = g->next) {
    bool known = !g->doc;
    for (const CommentGroup *o = d->first; o && !known; o = o->next) known = same_text(o, g);
    if (!known) docs_add(d, g);
  }
}

/* b in a: b: c */
static const Ast *nested_field(const Ast *f) {
  const Ast *s = f->u.field.value;
  if (!s || s->kind != AST_STRUCT || !s->synthetic || s->u.list.n != 1) return NULL;
  return s->u.list.at[0]->kind == AST_FIELD ? s->u.list.at[0] : NULL;
}

static bool is_shorthand(CueArena *a, const Ast *f) {
  f = nested_field(f);
  CueStr name;
  bool is_ident;
  return f && ast_label_name(a, f->u.field.label, &name, &is_ident);
}

void docs_of_file(CueArena *a, const Ast *file, CommentGroup **docs, CommentGroup **rest) {
  Docs d, r;
  docs_init(&d, a);
  docs_init(&r, a);
  bool package = false;
  for (uint32_t i = 0; i < file->u.list.n; i++) {
    const Ast *n = file->u.list.at[i];
    if (n->kind != AST_PACKAGE) continue;
    package = true;
    for (const CommentGroup *g = n->comments; g; g = g->next) docs_add(&d, g);
  }
  for (const CommentGroup *g = file->comments; g; g = g->next) docs_add(g->doc ? &d : &r, g);
  if (!package && !d.first && r.first) { /* without a package clause the first comment is about the file */
    d.first = r.first;
    r.first = r.first->next;
    d.first->next = NULL;
    d.first->doc = true;
  }
  *docs = d.first;
  *rest = r.first;
}

static void docs_of_all(Docs *d, const Conjunct *at, uint32_t n);

static void docs_of_conjunct(void *arg, const Conjunct *c) {
  Docs *d = arg;
  const Ir *x = conjunct_field(c);
  if (x->kind == IR_VERTEX) {
    for (const CommentGroup *g = docs_of_vertex(d->a, IR_AS(Vertex, c->x)); g; g = g->next) docs_add(d, g);
    return;
  }
  const Ast *src = x->src;
  if (!src) return;
  if (src->kind == AST_FIELD && !is_shorthand(d->a, src)) {
    cue_push(d->a, &d->fields, src);
    docs_of_field(d, src);
  } else if (src->kind == AST_FILE) {
    CommentGroup *docs, *rest;
    docs_of_file(d->a, src, &docs, &rest);
    for (; docs; docs = docs->next) docs_add(d, docs);
  }
}

static void docs_of_all(Docs *d, const Conjunct *at, uint32_t n) { conjuncts_each(at, n, docs_of_conjunct, d); }

typedef struct {
  Docs *d;
  Fields outer;
} Outer;

static void docs_of_parent(void *arg, const Conjunct *c) {
  Outer *o = arg;
  const Ast *f = c->x->src;
  if (!f || f->kind != AST_FIELD || !is_shorthand(o->d->a, f)) return;
  const Ast *nested = nested_field(f);
  for (uint32_t i = 0; i < o->d->fields.n; i++) {
    if (o->d->fields.at[i] != nested) continue;
    cue_push(o->d->a, &o->outer, f);
    docs_of_field(o->d, f);
  }
}

CommentGroup *docs_of_vertex(CueArena *a, Vertex *v) {
  Docs d;
  docs_init(&d, a);
  docs_of_all(&d, v->conjuncts.at, v->conjuncts.n);
  for (Vertex *p = v->parent; p && d.fields.n; p = p->parent) {
    Outer o = {.d = &d};
    conjuncts_each(p->conjuncts.at, p->conjuncts.n, docs_of_parent, &o);
    d.fields = o.outer;
  }
  return d.first;
}

CommentGroup *docs_of_conjuncts(CueArena *a, const MergeConjunct *at, uint32_t n) {
  Docs d;
  docs_init(&d, a);
  for (uint32_t i = 0; i < n; i++) docs_of_all(&d, &at[i].c, 1);
  return d.first;
}

CommentGroup *docs_only(CueArena *a, const Ast *n) {
  Docs d;
  docs_init(&d, a);
  for (const CommentGroup *g = n->kind == AST_COMMENTS ? NULL : n->comments; g; g = g->next)
    if (g->doc) docs_add(&d, g);
  return d.first;
}

/* ---- attributes ---- */

static void attr_add(CueArena *a, AstList *out, const Ast *attr) {
  for (uint32_t i = 0; i < out->n; i++)
    if (cue_str_eq(out->at[i]->u.text, attr->u.text)) return;
  Ast *n = tree_node(a, AST_ATTRIBUTE);
  n->u.text = attr->u.text;
  n->pos = attr->pos;
  CommentGroup **last = &n->comments;
  for (const CommentGroup *g = attr->comments; g; g = g->next) {
    *last = group_copy(a, g);
    last = &(*last)->next;
  }
  ast_list_add(a, out, n);
}

void attrs_of_field(CueArena *a, AstList *out, const Ir *field) {
  const Ast *src = field->src;
  if (!src || src->kind != AST_FIELD) return;
  for (uint32_t i = 0; i < src->u.field.attrs.n; i++) attr_add(a, out, src->u.field.attrs.at[i]);
}

typedef struct {
  CueArena *a;
  AstList *out;
} Attrs;

static void attrs_of_conjunct(void *arg, const Conjunct *c) {
  Attrs *t = arg;
  attrs_of_field(t->a, t->out, conjunct_field(c));
}

void attrs_of_vertex_field(CueArena *a, AstList *out, Vertex *v) {
  conjuncts_each(v->conjuncts.at, v->conjuncts.n, attrs_of_conjunct, &(Attrs){a, out});
}

/* Attributes before the imports are about the file, not about the value. */
static uint32_t preamble_len(const Ast *file) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < file->u.list.n; i++) {
    uint8_t kind = file->u.list.at[i]->kind;
    if (kind == AST_PACKAGE || kind == AST_IMPORTS)
      n = i + 1;
    else if (kind != AST_COMMENTS && kind != AST_ATTRIBUTE)
      break;
  }
  return n;
}

void attrs_of_decls(CueArena *a, AstList *out, const Ast *lit) {
  if (!lit || (lit->kind != AST_FILE && lit->kind != AST_STRUCT)) return;
  for (uint32_t i = lit->kind == AST_FILE ? preamble_len(lit) : 0; i < lit->u.list.n; i++)
    if (lit->u.list.at[i]->kind == AST_ATTRIBUTE) attr_add(a, out, lit->u.list.at[i]);
}

void attrs_of_vertex(CueArena *a, AstList *out, Vertex *v) {
  for (uint32_t i = 0; i < v->more->structs.n; i++) attrs_of_decls(a, out, v->more->structs.at[i].lit->src);
}
