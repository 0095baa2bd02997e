/* share.c - structure sharing: a vertex whose only conjunct is a reference points to the target
** in place of evaluating it again; and following such pointers.
*/
#include "compiler/node.h"

#include <assert.h>

bool vertex_rooted(const Vertex *v) { return !v->non_rooted && !label_is_let(v->label) && !v->is_dynamic; }

static bool is_detached(const Vertex *v) {
  for (; v; v = v->state && v->state->parent ? v->state->parent : v->parent)
    if (vertex_rooted(v)) return false;
  return true;
}

static void share(NodeState *n, Conjunct c, Vertex *arc, CloseInfo id) {
  Vertex *v = n->node;
  n->orig_base = v->base;
  v->base = (Ir *)arc;
  v->is_shared = true;
  n->is_shared = true;
  n->shared = c;
  node_add_shared(n, id);
  v->opened_shared = id.opened;
  /* An inline vertex gets its place in the tree from where it is shared, once that is final. */
  if (is_detached(arc) && !label_is_let(arc->label) && !arc->anonymous) {
    NodeState *s = vertex_state(n->e, arc);
    if (s) s->parent = v;
  }
}

void node_add_shared(NodeState *n, CloseInfo id) {
  if (n->shared_ids.n == 0 || n->share_cycle < id.cycle) n->share_cycle = id.cycle;
  cue_push(n->e->a, &n->shared_ids, id);
}

static void count_shared(NodeState *n) {
  if (n->share_decremented) return;
  n->share_decremented = true;
  if (!n->shared_ids.n) return;
  uint32_t k = ir_kinds((Ir *)n->node);
  for (uint32_t i = 0; i < n->shared_ids.n; i++) node_conjunct_info(n, k, n->shared_ids.at[i], 0);
}

void node_unshare(NodeState *n) {
  n->no_sharing = true;
  if (!n->is_shared) return;
  n->is_shared = false;
  n->node->is_shared = false;
  n->node->opened_shared = false;
  if (n->node->base && n->node->base->kind == IR_VERTEX) { /* otherwise an error has taken its place and stays */
    Vertex *v = IR_AS(Vertex, n->node->base);
    n->node->base = n->orig_base;
    for (uint32_t i = 0; i < n->shared_ids.n; i++) node_schedule_vertex(n, n->shared, v, n->shared_ids.at[i]);
  }
  count_shared(n);
}

void node_finalize_sharing(NodeState *n) {
  count_shared(n);
  if (!n->is_shared || !n->node->base || n->node->base->kind != IR_VERTEX) return; /* an error outdoes sharing */
  Vertex *v = IR_AS(Vertex, n->node->base);
  if (n->share_cycle == CYCLE_NONE) cue_finalize(n->e, v);
  if (v->state && v->state->parent) v->parent = v->state->parent;
}

bool node_share_if_possible(NodeState *n, Conjunct c, Vertex *arc, CloseInfo id) {
  Vertex *v = n->node;
  if (v->arcs.n > 0 || arc->non_rooted || arc->is_dynamic) return false;
  if (id.cycle == CYCLE_IS && (v->non_rooted || v->is_dynamic)) return false;
  if (n->no_sharing || n->is_shared || n->e->errs) return false;
  /* Inside a definition an open target must be closed, so it cannot be shared. */
  if (v->closed_recursive && !arc->closed_recursive) return false;
  if (label_is_let(arc->label)) return false;
  share(n, c, arc, id);
  return true;
}

Vertex *vertex_wrap(Eval *e, Vertex *v, CloseInfo id) {
  Vertex *w = vertex_inline(e, NULL);
  for (uint32_t i = 0; i < v->conjuncts.n; i++) cue_push(e->a, &w->conjuncts, v->conjuncts.at[i]);
  NodeState *n = vertex_state(e, w);
  if (!n->is_shared) share(n, conjunct_make(e, NULL, (Ir *)v, (CloseInfo){0}), v, id);
  return w;
}

/* ---- following base values ---- */

static Vertex *next_vertex(Vertex *v) { return v->base && v->base->kind == IR_VERTEX ? IR_AS(Vertex, v->base) : NULL; }

Vertex *vertex_deref_disjunct(Vertex *v) {
  for (Vertex *w; (w = next_vertex(v)) && w->is_disjunct;) v = w;
  return v;
}

Vertex *vertex_deref_non_disjunct(Vertex *v) {
  for (Vertex *w; (w = next_vertex(v)) && !w->is_disjunct;) v = w;
  return v;
}

Vertex *vertex_deref_non_rooted(Vertex *v) {
  for (Vertex *w; (w = next_vertex(v)) && !w->is_disjunct && !(v->is_shared && !label_is_let(w->label));) v = w;
  return v;
}

Vertex *vertex_deref_non_shared(Vertex *v) { return v->state && v->state->is_shared ? v : vertex_deref(v); }

Vertex *vertex_identity(Vertex *v) {
  v = vertex_deref(v);
  return v->state ? v->state->underlying : v;
}
