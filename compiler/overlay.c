/* overlay.c - copies of a vertex, to try a disjunct without changing the original.
**
** A copy holds the whole tree below the vertex with its pending tasks. Environments are not
** copied: while a disjunct is evaluated, its map from originals to copies is on the overlay stack,
** and whoever asks an environment for its vertex is given the copy (env_vertex).
*/
#include "compiler/node.h"

#include <stddef.h>
#include <string.h>

struct PtrMap {
  Vertex **keys; /* open addressing; NULL is free */
  Vertex **values;
  uint32_t cap, n;
  Vertex **order; /* keys as they came */
  uint32_t order_cap;
  PtrMap *next_free;
};

static uint32_t ptr_slot(const Vertex *v, uint32_t cap) {
  return (uint32_t)(((uintptr_t)v >> 4) * 0x9e3779b97f4a7c15ull >> 33) & (cap - 1);
}

Vertex *ptrmap_get(const PtrMap *m, Vertex *v) {
  for (uint32_t i = ptr_slot(v, m->cap);; i = (i + 1) & (m->cap - 1)) {
    if (m->keys[i] == v) return m->values[i];
    if (!m->keys[i]) return NULL;
  }
}

static void ptrmap_grow(CueArena *a, PtrMap *m) {
  PtrMap old = *m;
  m->cap = old.cap ? old.cap * 2 : 4;
  m->keys = cue_array(a, Vertex *, m->cap);
  m->values = cue_array(a, Vertex *, m->cap);
  for (uint32_t k = 0; k < old.cap; k++) {
    if (!old.keys[k]) continue;
    uint32_t i = ptr_slot(old.keys[k], m->cap);
    while (m->keys[i]) i = (i + 1) & (m->cap - 1);
    m->keys[i] = old.keys[k];
    m->values[i] = old.values[k];
  }
}

static void ptrmap_put(CueArena *a, PtrMap *m, Vertex *k, Vertex *v) {
  if (m->n * 2 >= m->cap) ptrmap_grow(a, m);
  uint32_t i = ptr_slot(k, m->cap);
  while (m->keys[i]) i = (i + 1) & (m->cap - 1);
  m->keys[i] = k;
  m->values[i] = v;
  if (m->n == m->order_cap) m->order = cue_vec_grow(a, m->order, &m->order_cap, sizeof *m->order);
  m->order[m->n++] = k;
}

Vertex *eval_deref(Eval *e, Vertex *v) {
  for (uint32_t i = e->overlays.n; i-- > 0;) {
    OverlayFrame f = e->overlays.at[i];
    if (f.root == v) continue;
    Vertex *x = ptrmap_get(f.map, v);
    if (x) return x;
  }
  return v;
}

Vertex *eval_deref_root(Eval *e, Vertex *v) {
  for (uint32_t i = e->overlays.n; i-- > 0;) {
    Vertex *x = ptrmap_get(e->overlays.at[i].map, v);
    if (x) return x;
  }
  return v;
}

typedef struct {
  Eval *e;
  PtrMap *map;
  Vertex *root;
  CUE_VEC(CompRun *) comps; /* copied */
} Cloner;

/* Gives v an array of its own, so that growing it does not write into the original's. */
#define OWN_VEC(e, vec)                                             \
  do {                                                              \
    void *own = cue_alloc_array((e)->a, sizeof *(vec).at, (vec).n); \
    if ((vec).n) memcpy(own, (vec).at, (vec).n * sizeof *(vec).at); \
    (vec).at = own;                                                 \
    (vec).cap = (vec).n;                                            \
  } while (0)

/* Copies src into dst, which keeps the memory it has. */
#define COPY_VEC(e, dst, src)                                                                            \
  do {                                                                                                   \
    while ((dst).cap < (src).n) (dst).at = cue_vec_grow((e)->a, (dst).at, &(dst).cap, sizeof *(dst).at); \
    if ((src).n) memcpy((dst).at, (src).at, (src).n * sizeof *(src).at);                                 \
    (dst).n = (src).n;                                                                                   \
  } while (0)

static Task *clone_task(Cloner *c, Task *t, NodeState *dst) {
  Task *d = task_copy(c->e, t);
  d->defunct = false;
  d->waited = false;
  d->node = dst;
  d->by = NULL;
  t->defunct = true; /* the copy runs in its place */
  return d;
}

static NodeState *clone_state(Cloner *c, NodeState *n, Vertex *v) {
  Eval *e = c->e;
  vertex_state(e, n->node);
  NodeState *d = node_state_new(e, v);
  memcpy(d, n, offsetof(NodeState, tasks));
  d->node = v;
  d->parent = NULL;
  d->next_free = NULL;
  d->retained = 0;
  d->is_disjunct = true;
  d->has_disjunction = false;
  d->frozen = 0;
  d->is_frozen = false;
  d->computed_close = false;
  d->task_pos = 0;
  COPY_VEC(e, d->arc_map, n->arc_map);
  COPY_VEC(e, d->arc_contexts, n->arc_contexts);
  COPY_VEC(e, d->checks, n->checks);
  COPY_VEC(e, d->shared_ids, n->shared_ids);
  COPY_VEC(e, d->refs, n->refs);
  COPY_VEC(e, d->replacements, n->replacements);
  COPY_VEC(e, d->flat, n->flat);
  COPY_VEC(e, d->infos, n->infos);
  COPY_VEC(e, d->disjunctions, n->disjunctions);
  COPY_VEC(e, d->decided, n->decided);
  n->blocking.n = 0;
  for (uint32_t i = 0; i < n->tasks.n; i++) {
    Task *t = n->tasks.at[i];
    if (t->state != TASK_WAITING && t->state != TASK_READY && t->state != TASK_RUNNING) continue;
    if (t->state == TASK_RUNNING && t->run == RUN_DISJUNCTIONS) continue; /* the one that makes this copy */
    Task *copy = clone_task(c, t, d);
    if (copy->state == TASK_RUNNING) copy->state = TASK_READY;
    cue_push(e->a, &d->tasks, copy);
  }
  return d;
}

static Vertex *clone_vertex(Cloner *c, Vertex *x) {
  Vertex *v = ptrmap_get(c->map, x);
  if (v) return v;
  Eval *e = c->e;
  v = cue_new(e->a, Vertex);
  *v = *x;
  ptrmap_put(e->a, c->map, x, v);
  v->conjuncts.cap = v->conjuncts.n; /* shared, never changed: growing copies */
  v->more = &vertex_no_more;
  const VertexMore *from = x->more;
  if (from->structs.n || from->child_errors) {
    VertexMore *more = vertex_more(e, v);
    more->child_errors = from->child_errors;
    more->structs = from->structs;
    OWN_VEC(e, more->structs);
  }
  v->arcs = (__typeof__(v->arcs)){0};
  cue_reserve(e->a, &v->arcs, x->arcs.n);
  for (uint32_t i = 0; i < x->arcs.n; i++) {
    Vertex *arc = clone_vertex(c, x->arcs.at[i]);
    vertex_add_arc(e, v, arc);
    arc->parent = v;
  }
  if (from->patterns) {
    Patterns *ps = vertex_more(e, v)->patterns = cue_new(e->a, Patterns);
    cue_reserve(e->a, &ps->at, from->patterns->at.n);
    for (uint32_t i = 0; i < from->patterns->at.n; i++) {
      Pattern p = from->patterns->at.at[i];
      cue_push(e->a, &ps->at, (Pattern){p.pattern, clone_vertex(c, p.constraint)});
    }
  }
  if (x->state) v->state = clone_state(c, x->state, v);
  return v;
}

static CompRun *map_run(Cloner *c, CompRun *r) {
  if (!r) return NULL;
  for (uint32_t i = 0; i < c->comps.n; i++)
    if (c->comps.at[i] == r) return r; /* as in cue only the first one gets the copy */
  Vertex *v = ptrmap_get(c->map, r->vertex);
  CompRun *x = cue_new(c->e->a, CompRun);
  x->comp = r->comp;
  x->structs = r->structs;
  x->structs.cap = x->structs.n; /* shared: grows into a copy */
  x->vertex = v ? v : c->root;   /* errors stay within the disjunct */
  cue_push(c->e->a, &c->comps, r);
  return x;
}

static IrComprehension *map_comprehension(Cloner *c, IrComprehension *x) {
  if (!x) return NULL;
  IrComprehension *y = cue_new(c->e->a, IrComprehension);
  *y = *x;
  y->run = map_run(c, x->run);
  if (x->arc) y->arc = eval_deref(c->e, x->arc);
  y->parent = map_comprehension(c, x->parent);
  return y;
}

static PtrMap *ptrmap_new(Eval *e) {
  PtrMap *m = e->free_maps;
  if (!m) {
    m = cue_new(e->a, PtrMap);
    ptrmap_grow(e->a, m);
    return m;
  }
  e->free_maps = m->next_free;
  memset(m->keys, 0, m->cap * sizeof *m->keys);
  m->n = 0;
  return m;
}

void overlay_done(Eval *e, PtrMap *m) {
  m->next_free = e->free_maps;
  e->free_maps = m;
}

NodeState *overlay_clone(Eval *e, NodeState *root, PtrMap **map) {
  Cloner c = {.e = e, .map = ptrmap_new(e)};
  Vertex *v = clone_vertex(&c, root->node);
  v->is_disjunct = true;
  c.root = v;
  for (uint32_t i = 0; i < c.map->n; i++) {
    NodeState *n = ptrmap_get(c.map, c.map->order[i])->state;
    for (uint32_t k = 0; n && k < n->tasks.n; k++) {
      Task *t = n->tasks.at[k];
      t->comp = map_run(&c, t->comp);
      t->leaf = map_comprehension(&c, t->leaf);
      if (!t->blocked_on) continue;
      Vertex *after = ptrmap_get(c.map, t->blocked_on->node);
      if (!after) continue; /* blocked on something outside */
      t->blocked_on = after->state;
      t->waited = true;
      cue_push(e->a, &after->state->blocking, t);
      cue_push(e->a, &e->blocking, t);
      after->state->needs |= t->block_cond;
    }
  }
  *map = c.map;
  return v->state;
}
