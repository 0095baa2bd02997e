/* toposort.c - the order in which the fields of a struct are shown.
**
** Each struct literal that contributed to a vertex orders its own fields. Literals come one
** after the other when they are embedded or declared in turn, and side by side when unified
** by &. Drawn as a graph of labels, the order is its topological order; where there is a
** choice the smaller name goes first, and labels that form a circle stand together, sorted.
**
** The place of a literal among others is where it was asked for: the reference that led to
** it, not the literal itself. That is known from the conjuncts of the fields.
**
** Nearly every vertex has one literal and its arcs are in order already: that is checked
** first. Otherwise the cost is that of sorting, plus the edges. No recursion.
*/
#include <stdlib.h>
#include <string.h>

#include "compiler/node.h"

/* One literal that contributed. */
typedef struct {
  const StructInfo *info;
  CuePos pos;
  const CueSource *file; /* of pos */
  uint32_t place;        /* in Vertex.structs: breaks ties */
  bool is_explicit;      /* an operand of & */
  bool is_dynamic;       /* has a computed field that came to be */
} Meta;

typedef struct { /* an IR node speaks of a meta; it may speak of others */
  const void *key;
  uint32_t meta;
  uint32_t next; /* owner of the same key + 1 */
} Owner;

typedef struct {
  uint32_t to;
  uint32_t next; /* edge from the same node + 1 */
} Edge;

typedef struct {
  Label label;
  const Meta *meta;    /* the literal that placed it last */
  uint32_t out, nout;  /* the newest edge + 1, and how many there are */
  uint32_t index, low; /* Tarjan's numbers, from 1; 0 is not seen */
  uint32_t component;
  bool on_stack;
} Node; /* those of arcs come first, in their order */

typedef struct {
  uint32_t first, n; /* nodes, in Sort.members */
  uint32_t waiting;  /* edges into it that are not walked yet */
} Component;

typedef CUE_VEC(uint32_t) Indices;
typedef CUE_VEC(Label) Labels;

typedef struct {
  const Ir *field;
  Labels labels;
  uint32_t used;
} DynamicLabels;

typedef struct {
  Eval *e;
  CueArena *a;
  Vertex *v;
  Meta *metas;
  uint32_t nmetas;
  CUE_VEC(Node) nodes;
  uint32_t *node_of; /* hash of labels: index + 1 */
  uint32_t node_mask;
  CUE_VEC(Owner) owners;
  uint32_t *owner_of; /* hash of pointers: index of the first + 1 */
  uint32_t owner_mask;
  CUE_VEC(DynamicLabels) dynamic;
  CUE_VEC(Edge) edges;
  uint64_t *edge_set; /* hash set of (from, to), as from << 32 | to, plus one */
  uint32_t nedges, edge_mask;
  Indices members;
  CUE_VEC(Component) components;
} Sort;

static uint32_t hash64(uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdull;
  x ^= x >> 33;
  return (uint32_t)x;
}

/* ---- tables ---- */

/* Most structs are small: up to FEW entries are looked for one by one, and only then hashed. */
enum { FEW = 12 };

static uint32_t node_get(Sort *s, Label l) {
  if (s->nodes.n < FEW) {
    for (uint32_t i = 0; i < s->nodes.n; i++)
      if (s->nodes.at[i].label == l) return i;
    cue_push(s->a, &s->nodes, (Node){.label = l});
    return s->nodes.n - 1;
  }
  if (s->nodes.n * 2 >= s->node_mask) {
    uint32_t mask = s->node_mask ? s->node_mask * 2 + 1 : 63;
    uint32_t *table = cue_array(s->a, uint32_t, mask + 1);
    for (uint32_t i = 0; i < s->nodes.n; i++) {
      uint32_t h = hash64(s->nodes.at[i].label) & mask;
      while (table[h]) h = (h + 1) & mask;
      table[h] = i + 1;
    }
    s->node_of = table;
    s->node_mask = mask;
  }
  uint32_t h = hash64(l) & s->node_mask;
  for (; s->node_of[h]; h = (h + 1) & s->node_mask)
    if (s->nodes.at[s->node_of[h] - 1].label == l) return s->node_of[h] - 1;
  cue_push(s->a, &s->nodes, (Node){.label = l});
  s->node_of[h] = s->nodes.n;
  return s->nodes.n - 1;
}

/* The first owner with that key, + 1; 0 if there is none. */
static uint32_t owner_get(Sort *s, const void *key) {
  if (s->owners.n < FEW) {
    for (uint32_t i = 0; i < s->owners.n; i++)
      if (s->owners.at[i].key == key) return i + 1;
    return 0;
  }
  if (s->owners.n * 2 >= s->owner_mask) {
    uint32_t mask = s->owner_mask ? s->owner_mask * 2 + 1 : 63;
    while (s->owners.cap * 2 >= mask) mask = mask * 2 + 1;
    uint32_t *table = cue_array(s->a, uint32_t, mask + 1);
    for (uint32_t i = 0; i < s->owners.n; i++) {
      uint32_t h = hash64((uintptr_t)s->owners.at[i].key) & mask;
      while (table[h] && s->owners.at[table[h] - 1].key != s->owners.at[i].key) h = (h + 1) & mask;
      if (!table[h]) table[h] = i + 1;
    }
    s->owner_of = table;
    s->owner_mask = mask;
  }
  uint32_t h = hash64((uintptr_t)key) & s->owner_mask;
  while (s->owner_of[h] && s->owners.at[s->owner_of[h] - 1].key != key) h = (h + 1) & s->owner_mask;
  return s->owner_of[h];
}

static void owner_add(Sort *s, const void *key, uint32_t meta) {
  uint32_t last = 0;
  for (uint32_t o = owner_get(s, key); o; o = s->owners.at[o - 1].next) {
    if (s->owners.at[o - 1].meta == meta) return;
    last = o;
  }
  cue_push(s->a, &s->owners, (Owner){.key = key, .meta = meta});
  if (last) {
    s->owners.at[last - 1].next = s->owners.n;
  } else if (s->owner_mask) {
    uint32_t h = hash64((uintptr_t)key) & s->owner_mask;
    while (s->owner_of[h]) h = (h + 1) & s->owner_mask;
    s->owner_of[h] = s->owners.n;
  }
}

static bool edge_new(Sort *s, uint32_t from, uint32_t to) {
  if (s->nedges * 2 >= s->edge_mask) {
    uint32_t mask = s->edge_mask ? s->edge_mask * 2 + 1 : 127;
    uint64_t *table = cue_array(s->a, uint64_t, mask + 1);
    for (uint32_t i = 0; s->edge_set && i <= s->edge_mask; i++) {
      if (!s->edge_set[i]) continue;
      uint32_t h = hash64(s->edge_set[i]) & mask;
      while (table[h]) h = (h + 1) & mask;
      table[h] = s->edge_set[i];
    }
    s->edge_set = table;
    s->edge_mask = mask;
  }
  uint64_t key = ((uint64_t)from << 32 | to) + 1;
  uint32_t h = hash64(key) & s->edge_mask;
  for (; s->edge_set[h]; h = (h + 1) & s->edge_mask)
    if (s->edge_set[h] == key) return false;
  s->edge_set[h] = key;
  s->nedges++;
  return true;
}

static void edge_add(Sort *s, uint32_t from, uint32_t to) {
  Node *n = &s->nodes.at[from];
  if (n->nout < FEW) {
    for (uint32_t i = n->out; i; i = s->edges.at[i - 1].next)
      if (s->edges.at[i - 1].to == to) return;
  } else {
    if (n->nout == FEW)
      for (uint32_t i = n->out; i; i = s->edges.at[i - 1].next) edge_new(s, from, s->edges.at[i - 1].to);
    if (!edge_new(s, from, to)) return;
  }
  cue_push(s->a, &s->edges, (Edge){to, n->out});
  n->out = s->edges.n;
  n->nout++;
}

/* ---- where literals stand ---- */

/* For all metas of an owner. */
static void owner_set_pos(Sort *s, uint32_t owner, CuePos pos) {
  for (uint32_t o = owner; o; o = s->owners.at[o - 1].next) s->metas[s->owners.at[o - 1].meta].pos = pos;
}

static const Ir *declaration_of(const Conjunct *c) {
  return c->x->kind == IR_COMPREHENSION ? IR_AS(IrComprehension, c->x)->value : c->x;
}

static DynamicLabels *dynamic_get(Sort *s, const Ir *field) {
  for (uint32_t i = 0; i < s->dynamic.n; i++)
    if (s->dynamic.at[i].field == field) return &s->dynamic.at[i];
  return NULL;
}

static void note_arc_conjuncts(Sort *s, Label label, const Conjunct *at, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    if (at[i].x->kind == IR_GROUP) {
      IrGroup *g = IR_AS(IrGroup, at[i].x);
      note_arc_conjuncts(s, label, g->at.at, g->at.n);
      continue;
    }
    const Ir *field = declaration_of(&at[i]);
    if (field->kind == IR_DYNAMIC) {
      DynamicLabels *d = dynamic_get(s, field);
      if (!d) {
        cue_push(s->a, &s->dynamic, (DynamicLabels){.field = field});
        d = &s->dynamic.at[s->dynamic.n - 1];
      }
      cue_push(s->a, &d->labels, label);
    }
    uint32_t owner = owner_get(s, field);
    if (!owner) continue;
    if (field->src) owner_set_pos(s, owner, ir_pos(field));
    const CycleRef *r = at[i].ci.refs;
    if (!r) continue;
    while (r->next) r = r->next;
    for (uint32_t o = owner; o; o = s->owners.at[o - 1].next) owner_add(s, r->ref, s->owners.at[o - 1].meta);
    CuePos pos = ir_pos(r->ref);
    if (pos) owner_set_pos(s, owner_get(s, r->ref), pos);
  }
}

static bool is_conjunction(const Ir *x) { return x->kind == IR_BINARY && x->op == TOK_AND; }

static void mark_explicit(Sort *s, Ir *x) {
  CUE_VEC(Ir *) todo = {0};
  if (is_conjunction(x)) cue_push(s->a, &todo, x);
  while (todo.n) {
    x = todo.at[--todo.n];
    Ir *sides[] = {IR_AS(IrBinary, x)->x, IR_AS(IrBinary, x)->y};
    for (int i = 0; i < 2; i++) {
      for (uint32_t o = owner_get(s, sides[i]); o; o = s->owners.at[o - 1].next)
        s->metas[s->owners.at[o - 1].meta].is_explicit = true;
      if (is_conjunction(sides[i])) cue_push(s->a, &todo, sides[i]);
    }
  }
}

static void mark_own_conjuncts(Sort *s, const Conjunct *at, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    if (at[i].x->kind == IR_GROUP) {
      IrGroup *g = IR_AS(IrGroup, at[i].x);
      mark_own_conjuncts(s, g->at.at, g->at.n);
    } else {
      mark_explicit(s, conjunct_expr(at[i].x));
    }
  }
}

static CuePos literal_pos(const IrStruct *lit) {
  const Ast *src = lit->src;
  if (src && src->kind == AST_FILE && src->u.list.n) return src->u.list.at[0]->pos;
  return ir_pos((const Ir *)lit);
}

static void find_places(Sort *s) {
  Vertex *v = s->v;
  s->nmetas = v->more->structs.n;
  uint32_t decls = 2 * s->nmetas; /* and the literals, and what refers to them */
  for (uint32_t i = 0; i < s->nmetas; i++) decls += v->more->structs.at[i].lit->n;
  cue_reserve(s->a, &s->owners, decls);
  cue_reserve(s->a, &s->edges, decls);
  s->metas = cue_array(s->a, Meta, s->nmetas);
  for (uint32_t i = 0; i < s->nmetas; i++) {
    const IrStruct *lit = v->more->structs.at[i].lit;
    Meta *m = &s->metas[i];
    *m = (Meta){.info = &v->more->structs.at[i], .place = i, .pos = literal_pos(lit)};
    owner_add(s, lit, i);
    for (uint32_t k = 0; k < lit->n; k++) owner_add(s, lit->decls[k], i);
  }
  cue_reserve(s->a, &s->nodes, v->arcs.n);
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    Vertex *arc = v->arcs.at[i];
    node_get(s, arc->label);
    note_arc_conjuncts(s, arc->label, arc->conjuncts.at, arc->conjuncts.n);
  }
  mark_own_conjuncts(s, v->conjuncts.at, v->conjuncts.n);
  for (uint32_t i = 0; i < s->nmetas; i++) {
    s->metas[i].file = cue_source_of(s->e->ctx->sources, s->metas[i].pos);
    const IrStruct *lit = s->metas[i].info->lit;
    for (uint32_t k = 0; k < lit->n; k++) {
      if (lit->decls[k]->kind == IR_BINARY) mark_explicit(s, lit->decls[k]);
      if (lit->decls[k]->kind == IR_DYNAMIC && dynamic_get(s, lit->decls[k])) s->metas[i].is_dynamic = true;
    }
  }
}

static int meta_cmp(const void *x, const void *y) {
  const Meta *m = x, *o = y;
  if (m->pos != o->pos) {
    if (!m->pos) return 1; /* what has no place comes last */
    if (!o->pos) return -1;
    if (m->file != o->file) {
      CueStr f = m->file ? m->file->name : CUE_STR(""), g = o->file ? o->file->name : CUE_STR("");
      bool fabs = f.n && f.s[0] == '/', gabs = g.n && g.s[0] == '/';
      int c = fabs != gabs ? (fabs ? -1 : 1) : cue_str_cmp(f, g);
      if (c) return c;
    }
    uint32_t p = cue_pos_offset(m->pos), q = cue_pos_offset(o->pos);
    if (p != q) return p < q ? -1 : 1;
  }
  if (m->is_dynamic != o->is_dynamic) return m->is_dynamic ? 1 : -1;
  return m->place < o->place ? -1 : m->place > o->place;
}

/* ---- edges ---- */

/* The labels of one literal, chained behind those in *front; *front becomes the end of the chain. */
static void chain_literal(Sort *s, Meta *m, Indices *front) {
  const IrStruct *lit = m->info->lit;
  uint32_t last = 0; /* node + 1 */
  for (uint32_t i = 0; i < lit->n; i++) {
    const Ir *d = lit->decls[i];
    Label label = 0;
    if (d->kind == IR_FIELD) {
      label = IR_AS(const IrField, d)->label;
    } else if (d->kind == IR_DYNAMIC) {
      DynamicLabels *dl = dynamic_get(s, d);
      if (dl && dl->used < dl->labels.n) label = dl->labels.at[dl->used++];
    }
    if (!label) continue;
    uint32_t at = node_get(s, label);
    const Meta *by = s->nodes.at[at].meta;
    if (by == m) continue;
    /* A field declared again in the same file stays where it was first. */
    if (by && !m->is_explicit && m->pos && by->file == m->file) continue;
    s->nodes.at[at].meta = m;
    if (last) edge_add(s, last - 1, at);
    for (uint32_t k = 0; !last && k < front->n; k++) edge_add(s, front->at[k], at);
    last = at + 1;
  }
  if (!last) return;
  *front = (Indices){0};
  cue_push(s->a, front, last - 1);
}

typedef struct {
  Indices metas;
} Batch; /* literals that stand side by side, as often as they were added */

static bool batch_explicit(const Sort *s, const Batch *b) {
  return b->metas.n > 1 || (b->metas.n == 1 && s->metas[b->metas.at[0]].is_explicit);
}

typedef CUE_VEC(Batch) Batches;

static void batches_add(Sort *s, Batches *bs, Batch b) {
  if (!b.metas.n) return;
  Batch *prev = bs->n ? &bs->at[bs->n - 1] : NULL;
  if (prev && batch_explicit(s, &b) && batch_explicit(s, prev) &&
      s->metas[b.metas.at[0]].file == s->metas[prev->metas.at[0]].file) {
    for (uint32_t i = 0; i < b.metas.n; i++) cue_push(s->a, &prev->metas, b.metas.at[i]);
    return;
  }
  cue_push(s->a, bs, b);
}

static void add_edges(Sort *s) {
  Batches batches = {0};
  Batch batch = {0};
  for (uint32_t i = 0; i < s->nmetas; i++) {
    const Meta *m = &s->metas[i];
    for (uint32_t k = 0; k <= m->info->repeats; k++) {
      if (batch.metas.n && (s->metas[batch.metas.at[0]].pos != m->pos || m->is_dynamic)) {
        batches_add(s, &batches, batch);
        batch = (Batch){0};
      }
      cue_push(s->a, &batch.metas, i);
    }
  }
  batches_add(s, &batches, batch);

  Indices front = {0};
  uint32_t *seen = NULL; /* batch in which a node was last put in the front, plus one */
  uint32_t nseen = 0;
  for (uint32_t i = 0; i < batches.n; i++) {
    Batch *b = &batches.at[i];
    bool is_explicit = batch_explicit(s, b);
    if (i && s->metas[batches.at[i - 1].metas.at[0]].file != s->metas[b->metas.at[0]].file) front = (Indices){0};
    Indices next = {0};
    for (uint32_t k = 0; k < b->metas.n; k++) {
      Meta *m = &s->metas[b->metas.at[k]];
      m->is_explicit = is_explicit;
      Indices end = front;
      end.cap = end.n; /* shared: growing must copy */
      chain_literal(s, m, &end);
      if (b->metas.n == 1) {
        next = end;
        break;
      }
      if (nseen < s->nodes.n) {
        seen = cue_regrow(s->a, seen, nseen * sizeof *seen, s->nodes.n * 2 * sizeof *seen);
        memset(seen + nseen, 0, (s->nodes.n * 2 - nseen) * sizeof *seen);
        nseen = s->nodes.n * 2;
      }
      for (uint32_t j = 0; j < end.n; j++) {
        if (seen[end.at[j]] == i + 1) continue;
        seen[end.at[j]] = i + 1;
        cue_push(s->a, &next, end.at[j]);
      }
    }
    front = next;
  }
}

/* ---- components and their order ---- */

static int node_cmp(const Sort *s, const Node *x, const Node *y) {
  bool xi = label_is_int(x->label), yi = label_is_int(y->label);
  if (xi != yi) return xi ? -1 : 1;
  if (xi) return label_index(x->label) < label_index(y->label) ? -1 : label_index(x->label) > label_index(y->label);
  const LabelTable *t = s->e->labels;
  int c = cue_str_cmp(label_name(t, x->label), label_name(t, y->label));
  if (!c) c = cue_str_cmp(label_package(t, x->label), label_package(t, y->label));
  return c ? c : x->label < y->label ? -1 : x->label > y->label;
}

static void sort_members(Sort *s, uint32_t *at, uint32_t n) { /* heap sort: qsort has no context argument */
  for (uint32_t end = n, start = n / 2; end > 1;) {
    if (start > 0) {
      start--;
    } else {
      end--;
      uint32_t t = at[0];
      at[0] = at[end];
      at[end] = t;
    }
    uint32_t root = start;
    for (uint32_t child; (child = 2 * root + 1) < end; root = child) {
      if (child + 1 < end && node_cmp(s, &s->nodes.at[at[child]], &s->nodes.at[at[child + 1]]) < 0) child++;
      if (node_cmp(s, &s->nodes.at[at[root]], &s->nodes.at[at[child]]) >= 0) break;
      uint32_t t = at[root];
      at[root] = at[child];
      at[child] = t;
    }
  }
}

/* Each node a component of its own, as they are if there is no circle. */
static void take_alone(Sort *s) {
  cue_reserve(s->a, &s->members, s->nodes.n);
  cue_reserve(s->a, &s->components, s->nodes.n);
  for (uint32_t i = 0; i < s->nodes.n; i++) {
    s->nodes.at[i].component = i;
    cue_push(s->a, &s->members, i);
    cue_push(s->a, &s->components, (Component){.first = i, .n = 1});
  }
}

/* Tarjan's algorithm with a stack of its own: a chain of fields is as long as the struct. */
static void find_components(Sort *s) {
  typedef struct {
    uint32_t node, next; /* and the edge to follow, + 1 */
  } Frame;
  CUE_VEC(Frame) frames = {0};
  Indices stack = {0};
  uint32_t counter = 0;
  s->members.n = s->components.n = 0;
  for (uint32_t i = 0; i < s->nodes.n; i++) {
    if (s->nodes.at[i].index) continue;
    cue_push(s->a, &frames, (Frame){i, s->nodes.at[i].out});
    while (frames.n) {
      Frame *f = &frames.at[frames.n - 1];
      Node *n = &s->nodes.at[f->node];
      if (!n->index) {
        n->index = n->low = ++counter;
        n->on_stack = true;
        cue_push(s->a, &stack, f->node);
      }
      if (f->next) {
        Edge edge = s->edges.at[f->next - 1];
        f->next = edge.next;
        Node *t = &s->nodes.at[edge.to];
        if (!t->index)
          cue_push(s->a, &frames, (Frame){edge.to, t->out});
        else if (t->on_stack && t->index < n->low)
          n->low = t->index;
        continue;
      }
      if (n->low == n->index) {
        Component c = {.first = s->members.n};
        uint32_t m;
        do {
          m = stack.at[--stack.n];
          s->nodes.at[m].on_stack = false;
          s->nodes.at[m].component = s->components.n;
          cue_push(s->a, &s->members, m);
          c.n++;
        } while (m != f->node);
        if (c.n > 1) sort_members(s, s->members.at + c.first, c.n);
        cue_push(s->a, &s->components, c);
      }
      uint32_t low = n->low;
      frames.n--;
      if (frames.n) {
        Node *p = &s->nodes.at[frames.at[frames.n - 1].node];
        if (low < p->low) p->low = low;
      }
    }
  }
}

typedef struct {
  Sort *s;
  Indices at;
} Ready; /* a heap of components, least first */

static bool ready_less(const Ready *r, uint32_t x, uint32_t y) {
  const Sort *s = r->s;
  const Node *n = &s->nodes.at[s->members.at[s->components.at[x].first]];
  return node_cmp(s, n, &s->nodes.at[s->members.at[s->components.at[y].first]]) < 0;
}

static void ready_push(Ready *r, uint32_t c) {
  cue_push(r->s->a, &r->at, c);
  uint32_t i = r->at.n - 1;
  for (; i && ready_less(r, c, r->at.at[(i - 1) / 2]); i = (i - 1) / 2) r->at.at[i] = r->at.at[(i - 1) / 2];
  r->at.at[i] = c;
}

static uint32_t ready_pop(Ready *r) {
  uint32_t top = r->at.at[0], last = r->at.at[--r->at.n], n = r->at.n, i = 0;
  for (uint32_t child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && ready_less(r, r->at.at[child + 1], r->at.at[child])) child++;
    if (!ready_less(r, r->at.at[child], last)) break;
    r->at.at[i] = r->at.at[child];
  }
  if (n) r->at.at[i] = last;
  return top;
}

/* False if there is a circle among the components. */
static bool emit(Sort *s, Vertex **out, uint32_t *nout) {
  Ready ready = {.s = s};
  for (uint32_t i = 0; i < s->nodes.n; i++) {
    const Node *n = &s->nodes.at[i];
    for (uint32_t k = n->out; k; k = s->edges.at[k - 1].next) {
      uint32_t to = s->nodes.at[s->edges.at[k - 1].to].component;
      if (to != n->component) s->components.at[to].waiting++;
    }
  }
  for (uint32_t i = 0; i < s->components.n; i++)
    if (!s->components.at[i].waiting) ready_push(&ready, i);
  uint32_t done = 0;
  *nout = 0;
  for (; ready.at.n; done++) {
    uint32_t current = ready_pop(&ready);
    const Component *c = &s->components.at[current];
    for (uint32_t i = 0; i < c->n; i++) {
      uint32_t at = s->members.at[c->first + i];
      if (at < s->v->arcs.n) out[(*nout)++] = s->v->arcs.at[at];
    }
    for (uint32_t i = 0; i < c->n; i++) {
      const Node *n = &s->nodes.at[s->members.at[c->first + i]];
      for (uint32_t k = n->out; k; k = s->edges.at[k - 1].next) {
        uint32_t to = s->nodes.at[s->edges.at[k - 1].to].component;
        if (to != current && !--s->components.at[to].waiting) ready_push(&ready, to);
      }
    }
  }
  return done == s->components.n;
}

/* ---- the common case ---- */

static bool has_labels(const IrStruct *lit) {
  for (uint32_t k = 0; k < lit->n; k++)
    if (lit->decls[k]->kind == IR_FIELD || lit->decls[k]->kind == IR_DYNAMIC) return true;
  return false;
}

/* Whether the arcs stand as one literal wrote them, all others having no fields of their own; or need no order. */
bool cue_fields_as_written(const Vertex *v) {
  uint32_t i = 0;
  while (i < v->arcs.n && label_is_int(v->arcs.at[i]->label) && label_index(v->arcs.at[i]->label) == i) i++;
  if (i == v->arcs.n) return true; /* a list */
  if (i) return false;
  if (v->more->structs.n == 0) return true; /* made by a function: as made */
  const IrStruct *lit = NULL;
  for (uint32_t k = 0; k < v->more->structs.n; k++) {
    if (!has_labels(v->more->structs.at[k].lit)) continue;
    if (lit) return false;
    lit = v->more->structs.at[k].lit;
  }
  for (uint32_t k = 0; lit && k < lit->n; k++) {
    const Ir *d = lit->decls[k];
    if (d->kind == IR_DYNAMIC) return false;
    if (d->kind != IR_FIELD) continue;
    while (i < v->arcs.n && label_is_let(v->arcs.at[i]->label)) i++;
    Label l = IR_AS(const IrField, d)->label;
    if (i < v->arcs.n && v->arcs.at[i]->label == l)
      i++;
    else if (vertex_arc(v, l))
      return false;
  }
  while (i < v->arcs.n && label_is_let(v->arcs.at[i]->label)) i++;
  return i == v->arcs.n;
}

/* Whether all fields were made by one computed label, each by its own turn of a comprehension:
** then they stand as they were made. */
static bool one_by_one(const Vertex *v) {
  const Ir *made_by = NULL;
  for (uint32_t i = 0; i < v->conjuncts.n; i++)
    if (conjunct_expr(v->conjuncts.at[i].x)->kind != IR_STRUCT) return false;
  for (uint32_t i = 0; i < v->more->structs.n; i++) {
    const StructInfo *info = &v->more->structs.at[i];
    for (uint32_t k = 0; k < info->lit->n; k++) {
      const Ir *d = info->lit->decls[k];
      if (d->kind == IR_LET || d->kind == IR_COMPREHENSION) continue;
      if (d->kind != IR_DYNAMIC || made_by || info->repeats + 1 < v->arcs.n) return false;
      made_by = d;
    }
  }
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    const Vertex *arc = v->arcs.at[i];
    if (label_is_let(arc->label)) continue;
    if (arc->conjuncts.n != 1 || declaration_of(&arc->conjuncts.at[0]) != made_by || arc->conjuncts.at[0].ci.refs)
      return false;
  }
  return made_by != NULL;
}

/* ---- orders found before ---- */

/* The order is decided by the literals of the vertex and by where the conjuncts of its fields were
** declared: these words. Many vertices are made by the same text, so orders are kept; as many are
** made by text of their own, so only those that are asked for a second time. */
enum { MAX_KEY = 256, MAX_CACHED_ARCS = 48, MAX_ORDERS = 1024, MAX_SEEN = 1024 };
typedef struct {
  uint64_t at[MAX_KEY];
  uint32_t n;
} OrderKey;
typedef struct {
  uint64_t *key;
  uint32_t nkey, n;
  uint8_t *places; /* of the arcs, in order */
} Order;
typedef struct OrderCache OrderCache;
struct OrderCache {
  Order *at[MAX_ORDERS * 2];
  uint32_t n;
  uint32_t seen[MAX_SEEN]; /* hashes of keys; a newer one takes the place of an older one */
};

static bool key_add(OrderKey *k, const void *p) {
  if (k->n == MAX_KEY) return false;
  k->at[k->n++] = (uint64_t)(uintptr_t)p;
  return true;
}

static bool key_conjuncts(OrderKey *k, const Vertex *v) {
  for (uint32_t i = 0; i < v->conjuncts.n; i++) {
    const Conjunct *c = &v->conjuncts.at[i];
    if (c->x->kind == IR_GROUP) return false;
    const CycleRef *r = c->ci.refs;
    while (r && r->next) r = r->next;
    if (!key_add(k, declaration_of(c)) || !key_add(k, r ? r->ref : NULL)) return false;
  }
  return true;
}

static bool key_of(OrderKey *k, const Vertex *v) {
  k->n = 0;
  if (v->arcs.n > MAX_CACHED_ARCS) return false;
  for (uint32_t i = 0; i < v->more->structs.n; i++)
    if (!key_add(k, v->more->structs.at[i].lit) || !key_add(k, (void *)(uintptr_t)v->more->structs.at[i].repeats))
      return false;
  if (!key_add(k, NULL) || !key_conjuncts(k, v)) return false;
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    const Vertex *arc = v->arcs.at[i];
    uintptr_t word = (uintptr_t)arc->label << 8 | arc->arc_type;
    if (!key_add(k, (void *)word) || !key_conjuncts(k, arc)) return false;
  }
  return true;
}

/* NULL if the key is seen for the first time, or was forgotten. */
static Order **order_slot(Eval *e, const OrderKey *k) {
  if (!e->orders) e->orders = cue_new(e->a, OrderCache);
  uint64_t h = 0;
  for (uint32_t i = 0; i < k->n; i++) h = (h ^ k->at[i]) * 0x9e3779b97f4a7c15ull, h ^= h >> 29;
  uint32_t *seen = &e->orders->seen[h >> 32 & (MAX_SEEN - 1)];
  if (*seen != (uint32_t)h) {
    *seen = (uint32_t)h;
    return NULL;
  }
  uint32_t i = (uint32_t)h % (MAX_ORDERS * 2);
  for (Order *o; (o = e->orders->at[i]); i = (i + 1) % (MAX_ORDERS * 2))
    if (o->nkey == k->n && memcmp(o->key, k->at, k->n * sizeof *k->at) == 0) break;
  return &e->orders->at[i];
}

static void order_keep(Eval *e, const OrderKey *k, Order **slot, const Vertex *v, Vertex *const *arcs, uint32_t n) {
  if (e->orders->n >= MAX_ORDERS) return;
  e->orders->n++;
  Order *o = *slot = cue_new(e->a, Order);
  o->key = cue_array(e->a, uint64_t, k->n);
  memcpy(o->key, k->at, k->n * sizeof *k->at);
  o->nkey = k->n;
  o->n = n;
  o->places = cue_array(e->a, uint8_t, n);
  for (uint32_t i = 0; i < n; i++) {
    uint8_t place = 0;
    while (v->arcs.at[place] != arcs[i]) place++;
    o->places[i] = place;
  }
}

static uint32_t find_order(Eval *e, Vertex *v, Vertex **out) {
  /* Not in the caller's arena: an index that is made meanwhile stays with its vertex, and may be in that one. */
  CueArena *a = e->scratch;
  CueMark scratch = cue_arena_mark(a);
  Sort s = {.e = e, .a = a, .v = v};
  find_places(&s);
  qsort(s.metas, s.nmetas, sizeof *s.metas, meta_cmp);
  add_edges(&s);
  uint32_t n;
  take_alone(&s);
  if (!emit(&s, out, &n)) {
    find_components(&s);
    emit(&s, out, &n);
  }
  cue_arena_reset(a, scratch);
  return n;
}

void cue_field_order(Eval *e, CueArena *a, Vertex *v, Vertex ***arcs, uint32_t *n) {
  v = vertex_deref(v);
  *n = v->arcs.n;
  *arcs = v->arcs.at;
  if (cue_fields_as_written(v) || one_by_one(v)) return;
  Vertex **out = cue_array(a, Vertex *, v->arcs.n);
  OrderKey k;
  Order **slot = key_of(&k, v) ? order_slot(e, &k) : NULL;
  if (slot && *slot) {
    *n = (*slot)->n;
    for (uint32_t i = 0; i < *n; i++) out[i] = v->arcs.at[(*slot)->places[i]];
  } else {
    *n = find_order(e, v, out);
    if (slot) order_keep(e, &k, slot, v, out, *n);
  }
  *arcs = out;
}
