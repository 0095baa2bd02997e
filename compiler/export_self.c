/* export_self.c - a value on its own, away from the tree it stood in.
**
** A value that is not the root of its configuration may refer to what lies outside. Such a
** target is written in place of the reference if it is a scalar or is used once; otherwise it
** becomes a let at the end of the file, a copy of the outermost vertex that is referred to, and
** references go through it. A definition is wrapped in a struct, let X = {#x: {...}}, so that it
** stays closed.
*/
#include "compiler/export_deps.h"

typedef struct Dep {
  struct Dep *parent; /* the outermost vertex referred to that holds this one */
  Vertex *node;
  const IrImport *import;
  Label path[2]; /* the let, and #x for definitions */
  uint32_t npath;
  uint32_t uses;
  bool included; /* part of what is exported */
  bool needed, written;
} Dep;

struct Pivot {
  Table by_node;       /* Vertex to Dep */
  Table by_ref;        /* Ir to Dep */
  CUE_VEC(Dep *) deps; /* in the order found */
  Table inlining;      /* vertices being written in place */
  Dep *writing;
  AstVec lets;
};

/* ---- finding out ---- */

static Dep *dep_get(Exporter *x, Vertex *v, bool *is_new) {
  Dep **slot = (Dep **)(void *)table_slot(x->a, &x->pivot->by_node, KEY(v));
  *is_new = !*slot;
  if (!*slot) {
    *slot = cue_new(x->a, Dep);
    (*slot)->node = v;
  }
  return *slot;
}

static bool has_dot(CueStr s) { return cue_str_find(s, CUE_STR(".")) >= 0; }

static bool found(void *arg, Vertex *v, Ir *ref, const IrImport *import) {
  Exporter *x = arg;
  Pivot *p = x->pivot;
  if (table_has(&p->by_ref, KEY(ref))) return false;
  /* Packages of the language itself are never written out. */
  if (import && (!x->opt->inline_imports || !has_dot(import->path))) return false;
  if (!import && v->status == VERTEX_UNPROCESSED) return false;
  bool is_new;
  Dep *d = dep_get(x, v, &is_new);
  if (is_new) {
    d->import = import;
    cue_push(x->a, &p->deps, d);
  }
  d->uses++;
  *table_slot(x->a, &p->by_ref, KEY(ref)) = d;
  return is_new;
}

static void include(Exporter *x, Vertex *v) {
  bool is_new;
  dep_get(x, v, &is_new)->included = true;
  for (uint32_t i = 0; i < v->arcs.n; i++) include(x, v->arcs.at[i]);
}

static Dep *outermost(Dep *d) {
  while (d->parent) d = d->parent;
  return d;
}

static Label last_of_path(const Vertex *v) {
  for (; v->parent; v = v->parent)
    if (v->label && v->parent->base != (const Ir *)v) return v->label;
  return 0;
}

static void name_let(Exporter *x, Dep *d) {
  if (d->included || d->npath) return;
  Label l = last_of_path(d->node);
  if (!l && d->import) l = d->import->label;
  if (!l) return; /* scopes of comprehensions have no name */
  CueStr name;
  if (label_is_int(l)) {
    name = cue_strf(x->a, "Index%u", label_index(l));
  } else {
    CueStr own = label_name(x->e->labels, l);
    CueBuf b = cue_buf(x->a);
    size_t i = 0;
    while (i < own.n && (own.s[i] == '_' || own.s[i] == '#')) i++;
    for (; i < own.n; i++) cue_buf_ch(&b, own.s[i] >= 'a' && own.s[i] <= 'z' ? (char)(own.s[i] - 'a' + 'A') : own.s[i]);
    name = cue_buf_done(&b);
  }
  d->path[d->npath++] = name_unique(x, name, &name);
  if (d->node->closed_recursive) d->path[d->npath++] = label_ident(x->e->labels, CUE_STR("#x"), CUE_STR(""));
}

#define EACH_DEP(p, d)                                                      \
  for (uint32_t i_ = 0; (p)->by_node.keys && i_ <= (p)->by_node.mask; i_++) \
    for (Dep *d = (p)->by_node.keys[i_] ? (p)->by_node.values[i_] : NULL; d; d = NULL)

void pivot_start(Exporter *x, Vertex *v) {
  Pivot *p = x->pivot = cue_new(x->a, Pivot);
  deps_visit(x, v, found, x);
  include(x, v);
  EACH_DEP(p, d) {
    for (Vertex *n = d->node->parent; n; n = n->parent) {
      Dep *outer = table_get(&p->by_node, KEY(n));
      if (outer) d->parent = outer;
    }
  }
  EACH_DEP(p, d) {
    if (!d->parent) continue;
    d->parent = outermost(d);
    d->parent->uses++;
  }
  for (uint32_t i = 0; i < p->deps.n; i++) names_mark(x, (Ir *)p->deps.at[i]->node);
  for (uint32_t i = 0; i < p->deps.n; i++)
    if (!p->deps.at[i]->parent) name_let(x, p->deps.at[i]);
}

/* ---- references ---- */

/* How many steps r makes from where it starts; *import: from the root of a package. */
static uint32_t ref_len(const Ir *r, bool *import) {
  uint32_t n = 0;
  *import = false;
  for (;;) {
    switch (r->kind) {
    case IR_IMPORT_REF: *import = true; return n;
    case IR_SELECTOR: r = IR_AS(const IrSelector, r)->x; break;
    case IR_INDEX: r = IR_AS(const IrIndex, r)->x; break;
    case IR_FIELD_REF:
    case IR_DYNAMIC_REF:
    case IR_LET_REF:
    case IR_VALUE_REF: return n + 1;
    default: return n;
    }
    n++;
  }
}

/* What a reference begins with. An element of the list that is shown alone has no name: cue writes a blank. */
static Ast *first_step(Exporter *x, Label l) {
  return tree_ident(x->a, label_is_int(l) ? CUE_STR("_") : name_of_label(x, l));
}

static Ast *step_syntax(Exporter *x, Ast *of, Label l) {
  if (!of) return first_step(x, l);
  if (label_is_int(l)) return tree_index(x->a, of, label_syntax(x, l));
  return tree_selector(x->a, of, label_syntax(x, l));
}

/* The reference by way of a let or from the new root; NULL if the one written will do. */
static Ast *other_reference(Exporter *x, Dep *d, const Ir *r) {
  if (d == x->pivot->writing && !d->parent && d->npath > 1) return first_step(x, d->path[1]);
  CUE_VEC(Label) steps = {0};
  const Dep *root = d->parent ? d->parent : d;
  if (d->parent) {
    for (const Vertex *n = d->node; n && n != d->parent->node; n = n->parent) cue_push(x->a, &steps, n->label);
    bool import;
    uint32_t len = ref_len(r, &import);
    if (d->included ? steps.n > len : !import && steps.n >= len) return NULL;
  }
  Ast *out = NULL;
  for (uint32_t i = 0; i < root->npath; i++) out = step_syntax(x, out, root->path[i]);
  for (uint32_t i = steps.n; i-- > 0;)
    if (steps.at[i]) out = step_syntax(x, out, steps.at[i]);
  return out ? out : tree_ident(x->a, CUE_STR("ROOT"));
}

static bool may_inline(Exporter *x, const Dep *d) {
  Vertex *v = d->node;
  uint32_t uses = outermost((Dep *)(uintptr_t)d)->uses;
  if (d->included) return false;
  if (x->in_definition == 0 && v->closed_recursive) return false; /* must stay in a definition */
  if (!uses || vertex_bottom(v)) return false;
  if (!ir_is_concrete((Ir *)v) && x->in_expression > 0) return false;
  if (table_get(&x->pivot->inlining, KEY(v))) return false;
  return (uses == 1 && x->in_expression == 0) || (ir_is_concrete((Ir *)v) && !v->arcs.n);
}

Ast *pivot_reference(Exporter *x, Ir *r) {
  Dep *d = table_get(&x->pivot->by_ref, KEY(r));
  if (!d) return NULL;
  if (may_inline(x, d)) {
    *table_slot(x->a, &x->pivot->inlining, KEY(d->node)) = d;
    Ast *out = export_expr(x, NULL, (Ir *)d->node);
    *table_slot(x->a, &x->pivot->inlining, KEY(d->node)) = NULL;
    return out;
  }
  Ast *out = other_reference(x, d, r);
  if (out) d->needed = true;
  return out;
}

/* ---- lets ---- */

static void write_let(Exporter *x, Dep *d) {
  Dep *saved = x->pivot->writing;
  x->pivot->writing = d;
  Ast *value = export_expr(x, NULL, (Ir *)d->node);
  x->pivot->writing = saved;
  if (d->npath > 1) {
    Ast *s = tree_node(x->a, AST_STRUCT);
    s->open = cue_pos(0, CUE_REL_NOSPACE);
    tree_add(x->a, s, tree_field(x->a, label_syntax(x, d->path[1]), value));
    value = s;
  }
  Ast *let = tree_node(x->a, AST_LET);
  let->pos = cue_pos(0, CUE_REL_SECTION);
  let->u.let.name = tree_ident(x->a, name_of_label(x, d->path[0]));
  let->u.let.value = value;

  CueStr path = vertex_path(x->e, x->a, d->node);
  CueBuf text = cue_buf(x->a);
  cue_buf_z(&text, "//cue:path: ");
  if (d->import) {
    cue_buf_str(&text, label_selector(x->e->labels, x->a, label_string(x->e->labels, d->import->path)));
    if (path.n) cue_buf_ch(&text, '.');
  }
  cue_buf_str(&text, path);
  CommentGroup *g = cue_new(x->a, CommentGroup);
  g->doc = true;
  g->n = 1;
  g->at = cue_alloc(x->a, sizeof *g->at);
  g->at[0].pos = cue_pos(0, CUE_REL_SECTION);
  g->at[0].text = cue_buf_done(&text);
  let->comments = g;
  cue_push(x->a, &x->pivot->lets, let);
}

void pivot_finish(Exporter *x, Ast *file) {
  Pivot *p = x->pivot;
  if (!p) return;
  /* Writing one may show that another is needed. */
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < p->deps.n; i++) {
      Dep *d = p->deps.at[i];
      if (d->written || !d->npath || !d->needed) continue;
      d->written = more = true;
      write_let(x, d);
    }
  }
  for (uint32_t i = 0; i < p->lets.n; i++) tree_add(x->a, file, p->lets.at[i]);
}
