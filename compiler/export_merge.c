/* export_merge.c - the conjuncts of one vertex as one expression.
**
** Struct literals are merged field by field; values that refer to nothing are unified; all else
** is kept as it is: embedded if it was, otherwise joined by &. Literals with patterns, computed
** fields or comprehensions are not taken apart, but embedded as they are.
**
** Fields come in the order of their literals, interleaved where literals share fields. This is an
** older order than that of toposort.c; cue still uses it for schemas.
*/
#include "compiler/export.h"

typedef struct {
  Label label;
  uint8_t arc_type;
  Vertex *arc;
  CUE_VEC(MergeConjunct) conjuncts;
  int32_t rank; /* order: see rank_fields */
} MergeField;

typedef struct {
  Exporter *x;
  Frame *frame;
  Vertex *values; /* collects what is not a struct */
  AstVec embed, conjuncts;
  CUE_VEC(const IrStruct *) structs;
  CUE_VEC(MergeField *) fields;
  Table by_label;
  AstList attrs;
  bool has_ellipsis, is_data;
} Merge;

static MergeField *merge_field(Merge *m, Label l) {
  MergeField **slot = (MergeField **)(void *)table_slot(m->x->a, &m->by_label, l);
  if (!*slot) {
    *slot = cue_new(m->x->a, MergeField);
    (*slot)->label = l;
    (*slot)->arc_type = ARC_NOT_PRESENT;
    cue_push(m->x->a, &m->fields, *slot);
  }
  return *slot;
}

static void add_field(Merge *m, Label l, uint8_t arc_type, Env *env, Ir *d) {
  MergeField *f = merge_field(m, l);
  if (arc_type < f->arc_type) f->arc_type = arc_type;
  cue_push(m->x->a, &f->conjuncts, (MergeConjunct){conjunct_make(m->x->e, env, d, (CloseInfo){0}), m->frame->up});
}

/* ---- taking conjuncts apart ---- */

static bool is_top(const Ir *x) {
  return x && (x->kind == IR_TOP || (x->kind == IR_TYPE && IR_AS(const IrType, x)->kinds == CUE_TOP));
}

static void add_value(Merge *m, Vertex *src, Env *env, Ir *v) {
  if (src && is_top(v) && !is_top(src->base)) return;
  Eval *e = m->x->e;
  if (!m->values) m->values = vertex_new(e, NULL, 0);
  vertex_add_conjunct(e, m->values, conjunct_make(e, env ? env : &e->empty_env, v, (CloseInfo){0}));
}

static bool is_complex(const IrStruct *s) {
  for (uint32_t i = 0; i < s->n; i++) {
    const Ir *d = s->decls[i];
    switch (d->kind) {
    case IR_FIELD:
      if (d->src && d->src->kind == AST_FIELD && d->src->u.field.label->kind == AST_ALIAS) return true;
      break;
    case IR_LET: break;
    case IR_ELLIPSIS:
      if (IR_AS(const IrUnary, d)->x) return true;
      break;
    case IR_PATTERN:
    case IR_DYNAMIC:
    case IR_COMPREHENSION: return true;
    default: break;
    }
  }
  return false;
}

/* Refers to nothing: unifying it needs no other value. */
static bool is_self_contained(const Ir *x) {
  switch (x->kind) {
  case IR_BINARY:
    return is_self_contained(IR_AS(const IrBinary, x)->x) && is_self_contained(IR_AS(const IrBinary, x)->y);
  case IR_UNARY:
  case IR_BOUND_EXPR: return is_self_contained(IR_AS(const IrUnary, x)->x);
  default: return ir_is_value(x);
  }
}

static void add_expr(Merge *m, Env *env, Vertex *src, Ir *v, bool embedded);

static void add_struct(Merge *m, Env *env, Vertex *src, IrStruct *s) {
  Exporter *x = m->x;
  ir_struct_read(s);
  Frame *f = frame_top(x);
  f->up++;
  if (x->opt->show_attributes) attrs_of_decls(x->a, &m->attrs, s->src);
  if (is_complex(s)) {
    frame_enter(x, src);
    cue_push(x->a, &m->embed, export_syntax(x, env, (Ir *)s));
    /* cue counts down in the inner frame: the outer one stays one up. */
    frame_leave(x);
    return;
  }
  cue_push(x->a, &m->structs, s);
  env = env_new(x->e, env, frame_node(x));
  for (uint32_t i = 0; i < s->n; i++) {
    Ir *d = s->decls[i];
    if (d->kind == IR_FIELD)
      add_field(m, IR_AS(IrField, d)->label, d->arc_type, env, d);
    else if (d->kind == IR_ELLIPSIS)
      m->has_ellipsis = true;
    else if (d->kind != IR_LET)
      add_expr(m, env, NULL, d, true);
  }
  f->up--;
}

typedef struct {
  Merge *m;
  Vertex *v;
} AddAll;

static void add_conjunct(void *arg, const Conjunct *c) {
  AddAll *a = arg;
  add_expr(a->m, c->env, a->v, conjunct_elem(c->x), false);
}

static void add_vertex(Merge *m, Env *env, Vertex *src, Vertex *v) {
  Exporter *x = m->x;
  Bottom *b = vertex_bottom(v);
  if (b && !bottom_incomplete(b)) {
    add_expr(m, env, v, (Ir *)b, false);
    return;
  }
  if (!vertex_is_data(v)) {
    conjuncts_each(v->conjuncts.at, v->conjuncts.n, add_conjunct, &(AddAll){m, v});
    return;
  }
  for (uint32_t i = 0; i < v->more->structs.n; i++) cue_push(x->a, &m->structs, v->more->structs.at[i].lit);
  m->is_data = true;
  if (v->base && v->base->kind != IR_STRUCT_MARK && v->base->kind != IR_LIST_MARK) add_value(m, src, env, v->base);
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    Vertex *arc = v->arcs.at[i];
    cue_finalize(x->e, arc);
    if (vertex_defined(x->e, arc)) add_field(m, arc->label, arc->arc_type, env, (Ir *)arc);
  }
}

static void add_expr(Merge *m, Env *env, Vertex *src, Ir *v, bool embedded) {
  Exporter *x = m->x;
  if (v->kind == IR_STRUCT) {
    add_struct(m, env, src, IR_AS(IrStruct, v));
  } else if (v->kind == IR_VERTEX) {
    add_vertex(m, env, src, IR_AS(Vertex, v));
  } else if (ir_is_value(v)) {
    add_value(m, src, env, v);
  } else if (v->kind == IR_BINARY && v->op == TOK_AND && !embedded) {
    add_expr(m, env, src, IR_AS(IrBinary, v)->x, false);
    add_expr(m, env, src, IR_AS(IrBinary, v)->y, false);
  } else if (is_self_contained(v)) {
    add_value(m, src, env, v);
  } else {
    Ast *n = export_expr(x, env, v);
    if (embedded)
      cue_push(x->a, &m->embed, n);
    else if (n != x->dummy_top || v->kind == IR_BINARY)
      cue_push(x->a, &m->conjuncts, n);
  }
}

/* ---- order of fields ---- */

typedef struct {
  uint32_t *at, n, pos;
} Front; /* fields of one literal, those not ranked yet from pos */

/* Ranks fields from 1. Repeatedly takes the first literal whose next field waits for no other. */
static void rank_fields(Merge *m) {
  CueArena *a = m->x->a;
  int32_t *waits = cue_array(a, int32_t, m->fields.n + 1), rank = 0; /* < 0: ranked */
  Table index = {0};
  for (uint32_t i = 0; i < m->fields.n; i++)
    *table_slot(a, &index, m->fields.at[i]->label) = (void *)(uintptr_t)(i + 1);
  Front *fronts = cue_array(a, Front, m->structs.n + 1);
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->structs.n; i++) {
    const IrStruct *s = m->structs.at[i];
    Front f = {.at = cue_array(a, uint32_t, s->n + 1)};
    for (uint32_t k = 0; k < s->n; k++) {
      if (s->decls[k]->kind != IR_FIELD) continue;
      uintptr_t at = (uintptr_t)table_get(&index, IR_AS(const IrField, s->decls[k])->label);
      if (at) f.at[f.n++] = (uint32_t)(at - 1);
    }
    if (!f.n) continue;
    for (uint32_t k = 1; k < f.n; k++) waits[f.at[k]]++;
    fronts[n++] = f;
  }
  for (uint32_t first = 0; first < n;) {
    if (fronts[first].pos == fronts[first].n) {
      first++;
      continue;
    }
    uint32_t i = first;
    while (i < n && (fronts[i].pos == fronts[i].n || waits[fronts[i].at[fronts[i].pos]] > 0)) i++;
    if (i == n) { /* a circle: the first literal has its way */
      waits[fronts[first].at[fronts[first].pos]] = 0;
      continue;
    }
    Front *f = &fronts[i];
    uint32_t at = f->at[f->pos++];
    /* The last field of a literal is not released: it is ranked once nothing else can be. */
    if (f->n - f->pos > 1 && waits[f->at[f->pos]] > 0) waits[f->at[f->pos]]--;
    if (waits[at] == 0) {
      m->fields.at[at]->rank = ++rank;
      waits[at] = -1;
    }
  }
}

static void sort_fields(Merge *m) {
  rank_fields(m);
  MergeField **sorted = cue_array(m->x->a, MergeField *, m->fields.n);
  uint32_t n = 0, unranked = 0;
  for (uint32_t i = 0; i < m->fields.n; i++) unranked += !m->fields.at[i]->rank;
  for (uint32_t i = 0; i < m->fields.n; i++) {
    MergeField *f = m->fields.at[i];
    if (f->rank)
      sorted[f->rank - 1] = f;
    else
      sorted[m->fields.n - unranked + n++] = f;
  }
  m->fields.at = sorted;
}

/* ---- writing ---- */

static Ast *close_if_needed(Merge *m, Ast *s, const Vertex *v) {
  if (m->has_ellipsis || !v || !v->closed_once) return s;
  Ast *call = tree_node(m->x->a, AST_CALL);
  call->u.call.fun = tree_ident(m->x->a, CUE_STR("close"));
  ast_list_add(m->x->a, &call->u.call.args, s);
  return call;
}

static void write_field(Merge *m, Ast *s, MergeField *f) {
  Exporter *x = m->x;
  Ast *d = tree_field(x->a, label_syntax(x, f->label), NULL);
  x->in_definition += label_is_def(f->label);
  Frame *top = frame_at(x, 0);
  Entry *entry = table_get(&top->fields, f->label);
  if (entry && entry->alias.n) {
    field_set_alias(x, d, entry->alias);
    entry->node = d;
  }
  d->u.field.value = export_merged(x, f->arc, f->conjuncts.at, f->conjuncts.n);
  link_field(x, f->arc, d);
  x->in_definition -= label_is_def(f->label);
  d->constraint = f->arc_type == ARC_OPTIONAL ? TOK_OPTION : f->arc_type == ARC_REQUIRED ? TOK_NOT : 0;
  if (x->opt->show_docs) d->comments = docs_of_conjuncts(x->a, f->conjuncts.at, f->conjuncts.n);
  for (uint32_t i = 0; x->opt->show_attributes && i < f->conjuncts.n; i++)
    attrs_of_field(x->a, &d->u.field.attrs, conjunct_field(&f->conjuncts.at[i].c));
  tree_add(x->a, s, d);
}

/* What is there if there are no fields, or NULL if that must be written out. */
static Ast *write_simple(Merge *m, Ast *s, Vertex *v, bool has_alias) {
  switch (m->embed.n + m->conjuncts.n) {
  case 0:
    if (m->attrs.n) return NULL;
    return m->structs.n || m->is_data ? close_if_needed(m, s, v) : tree_ident(m->x->a, CUE_STR("_"));
  case 1: {
    Ast *n = m->conjuncts.n ? m->conjuncts.at[0] : m->embed.at[0];
    if (!m->attrs.n && !has_alias) return n;
    if (n->kind != AST_STRUCT) return NULL;
    for (uint32_t i = 0; i < n->u.list.n; i++) tree_add(m->x->a, s, n->u.list.at[i]);
    return close_if_needed(m, s, v);
  }
  default: return NULL;
  }
}

static Ast *write_all(Merge *m, Ast *s, Vertex *v, bool has_alias) {
  Exporter *x = m->x;
  for (uint32_t i = 0; i < m->attrs.n; i++) tree_add(x->a, s, m->attrs.at[i]);
  if (m->values) {
    cue_finalize(x->e, m->values);
    cue_push(x->a, &m->embed, export_value(x, (Ir *)m->values, m->values->conjuncts.at, m->values->conjuncts.n));
  }
  if (!m->fields.n && !m->has_ellipsis) {
    Ast *n = write_simple(m, s, v, has_alias);
    if (n) return n;
  }
  sort_fields(m);
  for (uint32_t i = 0; i < m->embed.n; i++) tree_add(x->a, s, tree_embed(x->a, m->embed.at[i]));
  for (uint32_t i = 0; i < m->fields.n; i++)
    if (!label_is_let(m->fields.at[i]->label)) write_field(m, s, m->fields.at[i]);
  if (m->has_ellipsis) tree_add(x->a, s, tree_node(x->a, AST_ELLIPSIS));
  Ast *closed = close_if_needed(m, s, v);
  if (!m->conjuncts.n) return closed;
  if (m->structs.n || s->u.list.n) cue_push(x->a, &m->conjuncts, closed);
  return tree_joined(x->a, TOK_AND, m->conjuncts.at, m->conjuncts.n);
}

Ast *export_merged(Exporter *x, Vertex *v, const MergeConjunct *at, uint32_t n) {
  Merge m = {.x = x, .frame = frame_enter(x, v)};
  Ast *s = m.frame->scope, *alias = NULL;
  for (uint32_t i = 0; i < n; i++) {
    const Ast *src = conjunct_field(&at[i].c)->src;
    if (src && src->kind == AST_FIELD && src->u.field.value && src->u.field.value->kind == AST_ALIAS) {
      if (!alias) alias = tree_alias(x->a, name_alias(x, src->u.field.value->u.alias.ident->u.text), NULL);
      cue_push(x->a, &x->value_aliases, (ValueAlias){src, alias});
    }
    frame_mark_lets(x, conjunct_expr(at[i].c.x));
  }
  bool has_alias = s->u.list.n > 0;
  for (uint32_t i = 0; i < n; i++) {
    m.frame->up = at[i].up;
    add_expr(&m, at[i].c.env, v, conjunct_elem(at[i].c.x), false);
  }
  for (uint32_t i = 0; v && i < v->arcs.n; i++) {
    MergeField *f = table_get(&m.by_label, v->arcs.at[i]->label);
    if (!f) continue;
    f->arc = v->arcs.at[i];
    f->arc_type = f->arc->arc_type;
  }
  Ast *out = write_all(&m, s, v, has_alias);
  if (alias) {
    alias->u.alias.x = out;
    out = alias;
  }
  frame_drop_unused_lets(s);
  frame_leave(x);
  return out;
}

Ast *export_merged_one(Exporter *x, Vertex *v, Env *env, Ir *lit) {
  MergeConjunct c = {conjunct_make(x->e, env, lit, (CloseInfo){0}), 0};
  return export_merged(x, v, &c, 1);
}
