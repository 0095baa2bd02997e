/* typo.c - closedness: which fields a closed struct allows.
**
** Each reference to a definition (or a close()d struct) gets an id. All conjuncts it brings, at
** any depth below, carry that id (CloseInfo.def), so every field knows which references speak of
** it (NodeState.infos). When a vertex is complete, each of its fields must have evidence for every
** id that closes the vertex (its ReqSets); a field without is "not allowed".
**
** Embeddings allow fields for their enclosing struct and close nothing themselves; but a struct
** that embeds a definition is closed after all its embeddings are unified, and within an embedding
** (#A & #B) both sides are checked against each other. Hence the extra ids: `embed` for the
** embedding and `outer` for the struct literal around it. Ids form a forest (containments): an id
** was introduced within another. Where one vertex is reached through several ids, replacements
** say which id stands for which.
**
** Below a bare `_`, an ellipsis, or a validator like matchN nothing is checked.
*/
#include "compiler/node.h"

#include <stdlib.h>

static uint32_t next_def(Eval *e, Ir *p) {
  __typeof__(e->containments) *c = &e->containments;
  if (c->n == c->cap) { /* one for each reference there is: nobody else holds them, so they move */
    c->at = cue_regrow_own(e->a, c->at, c->cap * sizeof *c->at, c->cap * 2 * sizeof *c->at);
    c->cap *= 2;
  }
  cue_push(e->a, c, (Containment){.pos = p ? ir_pos(p) : 0}); /* entry 0 is made with the Eval */
  return e->containments.n - 1;
}

void node_add_replacement(NodeState *n, uint32_t from, uint32_t to) {
  if (from == 0 || from == to) return;
  Containment *c = n->e->containments.at;
  if (from < to && c[to].parent == 0) {
    c[to].parent = from;
    return;
  }
  n->computed_close = false;
  n->reqs.n = 0;
  cue_push(n->e->a, &n->replacements, (Replacement){from, to});
}

void node_conjunct_info(NodeState *n, uint32_t kinds, CloseInfo id, uint8_t flags) {
  for (uint32_t i = 0; i < n->infos.n; i++) {
    ConjunctInfo *c = &n->infos.at[i];
    if (c->id == id.def) {
      c->kinds &= (uint16_t)kinds;
      c->flags |= flags;
      return;
    }
  }
  cue_push(n->e->a, &n->infos, (ConjunctInfo){id.def, id.embed, (uint16_t)kinds, flags});
}

CloseInfo node_add_resolver(NodeState *n, Ir *p, Vertex *v, CloseInfo id, bool force_ignore) {
  Eval *e = n->e;
  if (id.from_def && id.from_embed && !id.opened && !force_ignore) {
    /* An embedded definition closes the structs around it. */
    uint32_t outer = id.outer;
    for (uint32_t i = n->refs.n; i-- > 0;) {
      RefInfo *x = &n->refs.at[i];
      if (x->id != outer || outer == 0) continue;
      x->ignore = false;
      if (v->closed_recursive) x->recursive = true;
      outer = x->parent;
    }
  }
  bool ignore;
  if (force_ignore || id.opened)
    ignore = true;
  else if (id.embed != 0 || id.outer == 0)
    ignore = !(id.from_def || v->closed_once || v->closed_recursive);
  else
    ignore = id.from_embed;

  uint32_t dst = 0;
  for (uint32_t i = 0; i < n->refs.n; i++) {
    RefInfo *x = &n->refs.at[i];
    if (x->v != v) continue;
    dst = x->id;
    if (x->ignore && !ignore) {
      x->ignore = false;
      x->parent = id.outer;
      x->embed = id.embed;
    }
    break;
  }
  if (dst == 0 || id.embed != 0) {
    uint32_t next = next_def(e, p);
    if (dst != 0) node_add_replacement(n, next, dst);
    dst = next;
    cue_push(e->a, &n->refs, (RefInfo){v, dst, id.outer, id.embed, ignore, v->closed_recursive, DEF_REFERENCE});
  }
  uint32_t src = id.def;
  id.def = dst;
  node_add_replacement(n, src, dst);
  return id;
}

CloseInfo close_sub_field(CloseInfo ci) {
  ci.from_embed = false;
  return ci;
}

CloseInfo close_clear(CloseInfo ci) {
  ci.def = ci.embed = ci.outer = 0;
  return ci;
}

static CloseInfo new_requirement(NodeState *n, Ir *p, CloseInfo id, DefKind kind) {
  uint32_t dst = next_def(n->e, p);
  node_add_replacement(n, id.def, dst);
  uint32_t parent = id.def;
  id.def = dst;
  if (kind == DEF_EMBEDDING)
    id.embed = dst;
  else
    id.outer = dst;
  cue_push(n->e->a, &n->refs, (RefInfo){&n->e->empty_node, dst, parent, id.embed, true, id.from_def, (uint8_t)kind});
  return id;
}

bool eval_explicit_open(Eval *e, const Ir *x) {
  CueSources *ss = e->ctx->sources;
  if (!ss->any_explicit_open || !cue_pos_known(x->pos)) return false;
  CueSource *src = cue_source_of(ss, x->pos);
  return src && src->explicit_open;
}

CloseInfo node_embed(NodeState *n, Ir *x, CloseInfo id) {
  if (eval_explicit_open(n->e, x)) return id;
  id.from_embed = true;
  if (x->kind == IR_BINARY && x->op != TOK_AND) return id;
  return new_requirement(n, x, id, DEF_EMBEDDING);
}

CloseInfo node_split_struct(NodeState *n, IrStruct *s, CloseInfo id) {
  if (id.outer != 0 || id.from_embed || (s->flag & IR_STRUCT_FILE) || eval_explicit_open(n->e, (Ir *)s)) return id;
  return node_split_scope(n, (Ir *)s, id);
}

CloseInfo node_split_scope(NodeState *n, Ir *p, CloseInfo id) { return new_requirement(n, p, id, DEF_STRUCT); }

/* ---- checking ---- */

static int by_to_descending(const void *x, const void *y) {
  uint32_t a = ((const Replacement *)x)->to, b = ((const Replacement *)y)->to;
  return a < b ? 1 : a > b ? -1 : 0;
}

/* The first replacement of id `to` or, when it has none, of a smaller one. */
static uint32_t flat_find(const NodeState *n, uint32_t to) {
  uint32_t lo = 0, hi = n->flat.n;
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (n->flat.at[mid].to > to)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

/* The replacements that hold at n: its own and those of the vertices around it. */
static void flatten(NodeState *n) {
  if (n->computed_flat) return;
  n->flat.n = 0;
  for (NodeState *p = n; p; p = p->node->parent ? p->node->parent->state : NULL)
    for (uint32_t i = 0; i < p->replacements.n; i++) cue_push(n->e->a, &n->flat, p->replacements.at[i]);
  if (n->flat.n) {
    qsort(n->flat.at, n->flat.n, sizeof *n->flat.at, by_to_descending);
    n->min_flat_to = n->flat.at[n->flat.n - 1].to;
  }
  n->computed_flat = true;
}

/* Ids with their parents and replacements are a graph. The two functions below look at every id of it once: those of a
** component with many embeddings are reached on very many paths. */
enum { FAR = 1000 };

static bool contains_rec(NodeState *n, uint32_t node, uint32_t child, uint32_t walk, int depth) {
  Containment *c = n->e->containments.at;
  for (uint32_t p = child; p != 0 && c[p].walk != walk; p = c[p].parent) {
    if (p == node) return true;
    if (!n->flat.n || p < n->min_flat_to) { /* only parents from here on, and their ids are smaller */
      if (p < node) return false;
      continue;
    }
    c[p].walk = walk;
    if (depth >= FAR) continue;
    for (uint32_t i = flat_find(n, p); i < n->flat.n && n->flat.at[i].to == p; i++)
      if (contains_rec(n, node, n->flat.at[i].from, walk, depth + 1)) return true;
  }
  return false;
}

/* Whether id `child` was introduced by, or stands for, id `node`. */
static bool contains_def(NodeState *n, uint32_t node, uint32_t child) {
  flatten(n);
  return contains_rec(n, node, child, ++n->e->walks, 0);
}

/* Marks with `walk` all ids that contain id `child`. */
static void mark_rec(NodeState *n, uint32_t child, uint32_t walk, int depth) {
  Containment *c = n->e->containments.at;
  for (uint32_t p = child; p != 0 && c[p].mark != walk; p = c[p].parent) {
    c[p].mark = walk;
    if (!n->flat.n || p < n->min_flat_to || depth >= FAR) continue;
    for (uint32_t i = flat_find(n, p); i < n->flat.n && n->flat.at[i].to == p; i++)
      mark_rec(n, n->flat.at[i].from, walk, depth + 1);
  }
}

/* Marks all ids that contain id `child`, mark_any those that contain one of the conjuncts of n with all the
** flags. The marks are there until the next ones. */
static uint32_t mark_def(NodeState *n, uint32_t child) {
  flatten(n);
  mark_rec(n, child, ++n->e->walks, 0);
  return n->e->walks;
}

static uint32_t mark_any(NodeState *n, uint8_t flags) {
  flatten(n);
  uint32_t walk = ++n->e->walks;
  for (uint32_t i = 0; i < n->infos.n; i++)
    if ((n->infos.at[i].flags & flags) == flags) mark_rec(n, n->infos.at[i].id, walk, 0);
  return walk;
}

static bool is_marked(const Eval *e, uint32_t walk, uint32_t id) { return e->containments.at[id].mark == walk; }

/* The id of an ellipsis among infos that speaks for requirement id, or 0. */
static uint32_t ellipsis_for(NodeState *n, uint32_t id, const ConjunctInfo *infos, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if ((infos[i].flags & CONJUNCT_ELLIPSIS) && contains_def(n, id, infos[i].id)) return infos[i].id;
  return 0;
}

static bool allowed_in_closed(Label l) { return label_is_hidden(l) || label_is_def(l) || label_is_let(l); }

/* For each requirement, what the conjuncts within it are. */
static void gather_flags(NodeState *n, ReqSets *all) {
  for (uint32_t k = 0; k < all->n; k++) all->at[k].any = false, all->at[k].flags = 0;
  for (uint32_t i = 0; i < n->infos.n && all->n; i++) {
    ConjunctInfo c = n->infos.at[i];
    uint32_t walk = mark_def(n, c.id);
    for (uint32_t k = 0; k < all->n; k++) {
      ReqSet *a = &all->at[k];
      if (!is_marked(n->e, walk, a->id)) continue;
      a->any = true;
      a->flags |= c.id < a->id ? c.flags & (uint8_t)~CONJUNCT_STRUCT : c.flags;
    }
  }
}

/* A bare top or an open validator makes a requirement moot; so does an ellipsis in the parent for
** fields it does not name. Returns false if the set is to be dropped. */
static bool keep_set(NodeState *n, ReqSet *a, const ConjunctInfo *parent, uint32_t nparent) {
  uint8_t f = a->flags;
  if (((f & CONJUNCT_TOP) && !(f & CONJUNCT_STRUCT)) || (f & CONJUNCT_OPEN_VALIDATOR)) return false;
  if (a->any && a->kind != DEF_STRUCT) return true;
  uint32_t id = ellipsis_for(n, a->id, parent, nparent);
  if (id == 0) return true;
  if (!a->any)
    a->removed = true;
  else if (a->kind == DEF_STRUCT && !is_marked(n->e, mark_any(n, 0), id))
    a->removed = true;
  return true;
}

static ReqSets *req_sets(NodeState *n) {
  if (n->computed_close) return &n->reqs;
  Eval *e = n->e;
  Vertex *v = n->node;
  ReqSets a = n->reqs; /* its memory is used again */
  a.n = 0;
  NodeState *p = v->parent ? v->parent->state : NULL;
  if (p && !n->drop_parent_reqs) {
    ReqSets *up = req_sets(p);
    for (uint32_t i = 0; i < up->n; i++) cue_push(e->a, &a, up->at[i]);
  }
  for (uint32_t i = 0; i < a.n; i++)
    if (a.at[i].once) a.at[i].ignored = true;
  uint32_t inherited = a.n;
  for (uint32_t i = 0; i < n->refs.n; i++) {
    RefInfo y = n->refs.at[i];
    if (y.ignore && y.kind == DEF_REFERENCE) continue;
    bool there = false;
    for (uint32_t k = 0; k < a.n && !there; k++) there = a.at[k].id == y.id;
    if (there) continue;
    bool once = false;
    if (y.v && y.kind != DEF_EMBEDDING) once = y.v->closed_once || (!y.ignore && !y.recursive);
    cue_push(
        e->a, &a,
        (ReqSet){.id = y.id, .parent = y.parent, .embed = y.embed, .kind = y.kind, .once = once, .ignored = y.ignore});
    if (y.parent == 0 || y.ignore) continue;
    uint32_t outer = y.parent;
    for (uint32_t k = inherited; k-- > 0 && outer != 0;) {
      ReqSet *x = &a.at[k];
      if (x->id != outer) continue;
      x->once = x->ignored ? !y.recursive : x->once && !y.recursive;
      x->ignored = false;
      outer = x->parent;
    }
  }
  uint32_t keep = 0;
  if (allowed_in_closed(v->label)) {
    uint32_t walk = mark_any(n, 0);
    for (uint32_t i = 0; i < a.n; i++)
      if (is_marked(e, walk, a.at[i].id)) a.at[keep++] = a.at[i];
    a.n = keep;
  }
  gather_flags(n, &a);
  keep = 0;
  for (uint32_t i = 0; i < a.n; i++)
    if (keep_set(n, &a.at[i], p ? p->infos.at : NULL, p ? p->infos.n : 0)) a.at[keep++] = a.at[i];
  a.n = keep;
  n->computed_close = true;
  n->reqs = a;
  return &n->reqs;
}

enum { MAY_CLOSE_DEPTH = 256 };

/* Whether any requirement may apply to the fields of n: cheap, so it looks only so far up; never false when there is
** one. */
bool node_may_close(NodeState *n) {
  uint32_t far = 0;
  for (NodeState *p = n; p; p = p->node->parent ? p->node->parent->state : NULL) {
    if (++far > MAY_CLOSE_DEPTH) return true;
    for (uint32_t i = 0; i < p->refs.n; i++)
      if (!p->refs.at[i].ignore) return true;
    if (p->drop_parent_reqs) break;
  }
  return false;
}

static const ReqSet *find_set(const ReqSets *all, uint32_t id) {
  for (uint32_t i = 0; id != 0 && i < all->n; i++)
    if (all->at[i].id == id) return &all->at[i];
  return NULL;
}

/* `walk` is that of mark_any(n, 0). */
static bool evidence_for(NodeState *n, uint32_t walk, const ReqSets *all, const ReqSet *a) {
  if (is_marked(n->e, walk, a->id)) return true;
  const ReqSet *embed = find_set(all, a->embed);
  if (!embed) return false;
  const ReqSet *outer = find_set(all, a->parent);
  if (outer && outer->removed) outer = NULL;
  if (outer && !is_marked(n->e, walk, outer->id)) return false;
  uint32_t within = ++n->e->walks, beside = ++n->e->walks; /* a search that fails need not be repeated */
  for (uint32_t i = 0; i < n->infos.n; i++) {
    ConjunctInfo c = n->infos.at[i];
    if (contains_rec(n, embed->id, c.embed, within, 0)) { /* within the embedding */
      within = ++n->e->walks;
      continue;
    }
    if (!outer) return true;
    if (contains_rec(n, outer->id, c.id, beside, 0)) return true; /* beside it: added by the struct around */
  }
  return false;
}

static Bottom *not_allowed(Eval *e, Vertex *arc) {
  if (arc->arc_type == ARC_PENDING || e->errs) return NULL;
  Vertex *saved = e->vertex;
  e->vertex = arc;
  uint32_t mark = e->positions.n;
  for (uint32_t i = 0; i < arc->conjuncts.n; i++) {
    Ir *x = arc->conjuncts.at[i].x;
    cue_push(e->a, &e->positions, x->kind == IR_COMPREHENSION ? IR_AS(IrComprehension, x)->value : x);
  }
  Bottom *b = bottom_f(e, BOTTOM_EVAL, "field not allowed");
  b->close_check = true;
  e->positions.n = mark;
  e->vertex = saved;
  arc->base = (Ir *)b;
  arc->status = VERTEX_FINALIZED;
  if (arc->state) arc->state->kinds = 0;
  return b;
}

void node_check_typos(NodeState *n) {
  Eval *e = n->e;
  Vertex *v = vertex_deref(n->node);
  if (v->arcs.n == 0) return;
  if (v->base && v->base->kind == IR_BOTTOM && !IR_AS(Bottom, v->base)->close_check) return;
  ReqSets *base = req_sets(n);
  if (base->n == 0) return;
  uint32_t open = mark_any(n, CONJUNCT_ELLIPSIS);
  for (uint32_t k = 0; k < base->n; k++) base->at[k].open = is_marked(e, open, base->at[k].id);

  Bottom *err = NULL;
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    Vertex *a = vertex_deref_disjunct(v->arcs.at[i]);
    Label l = v->arcs.at[i]->label;
    NodeState *na = a->state;
    if (!na) continue;
    /* A validator finalizes what it validates: it was the first to look, and errors are told by what it found. Not so for
    ** a field that was itself under evaluation then. */
    if (v->status == VERTEX_FINALIZED && na->typos_checked) continue;
    na->typos_checked = na->retained == 0;
    ReqSets required = *base;
    if (na->replacements.n > 0) {
      required = (ReqSets){0};
      for (uint32_t k = 0; k < base->n; k++) cue_push(e->a, &required, base->at[k]);
    }
    for (uint32_t k = 0; k < required.n; k++)
      if (required.at[k].open) required.at[k].removed = true;
    if (a->base && a->base->kind == IR_BOTTOM && !IR_AS(Bottom, a->base)->close_check) continue;
    if (allowed_in_closed(l)) continue;
    bool ok = true;
    uint32_t walk = mark_any(na, 0);
    for (uint32_t k = 0; k < required.n && ok; k++)
      if (!required.at[k].ignored && !required.at[k].removed) ok = evidence_for(na, walk, &required, &required.at[k]);
    if (ok) continue;
    Bottom *b = not_allowed(e, a);
    if (b && a->arc_type <= ARC_REQUIRED) err = bottom_combine(e, (Ir *)err, (Ir *)b);
  }
  if (err) node_add_child_error(n, err);
}

/* Adds to nv what nw knows of closedness: equal disjuncts become one. */
void node_merge_close_info(NodeState *nv, NodeState *nw) {
  if (!nv || !nw || !nw->node) return;
  CueArena *a = nv->e->a;
  for (uint32_t i = 0; i < nw->infos.n; i++) {
    bool there = false;
    for (uint32_t k = 0; k < nv->infos.n && !there; k++) there = nv->infos.at[k].id == nw->infos.at[i].id;
    if (!there) cue_push(a, &nv->infos, nw->infos.at[i]);
  }
  for (uint32_t i = 0; i < nw->replacements.n; i++) {
    Replacement d = nw->replacements.at[i];
    bool there = false;
    for (uint32_t k = 0; k < nv->replacements.n && !there; k++)
      there = nv->replacements.at[k].from == d.from && nv->replacements.at[k].to == d.to;
    if (!there) cue_push(a, &nv->replacements, d);
  }
  for (uint32_t i = 0; i < nw->node->arcs.n; i++) {
    Vertex *wa = nw->node->arcs.at[i];
    Vertex *va = vertex_arc(nv->node, wa->label);
    if (va) node_merge_close_info(va->state, wa->state);
  }
}
