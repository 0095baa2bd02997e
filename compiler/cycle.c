/* cycle.c - reference cycles and structural cycles.
**
** A reference cycle (a: a) says nothing: the conjunct is dropped. A structural cycle (a: b: a)
** would build an infinite value. It is found per conjunct: each carries the list of references
** it came through (CloseInfo.refs). A node is in a structural cycle only if all its conjuncts are
** cyclic; a cyclic conjunct is held back (NodeState.cyclic) until another one shows substance.
** Conjuncts from optional fields, patterns and disjunctions may still end, so they get one more
** round (CYCLE_OPTIONAL, then CYCLE_MAYBE) before they count.
*/
#include "compiler/node.h"

/* A vertex under evaluation at a lesser depth is an ancestor, also across inline structs. */
bool eval_has_depth_cycle(Eval *e, Vertex *v) {
  NodeState *s = v->state;
  return s && v->status != VERTEX_FINALIZED && s->eval_depth > 0 && s->eval_depth < e->eval_depth;
}

enum { ANCESTORS_FAR = 256 };

bool node_has_ancestor(NodeState *n, Vertex *arc) {
  Eval *e = n->e;
  if (eval_has_depth_cycle(e, arc)) return true;
  Vertex *id = vertex_identity(arc);
  /* A value without end asks the same at each level: what was found from far up is remembered. */
  NotAncestor *known = &e->not_ancestors[((uintptr_t)id >> 4) % EVAL_NOT_ANCESTORS];
  uint32_t far = 0;
  for (Vertex *p = n->node->parent; p; p = p->parent, far++) {
    if (known->id == id && known->of == p) break;
    if (p == id) return true;
    if (p->base && p->base->kind == IR_VERTEX ? vertex_identity(p) == id : p->state && p->state->underlying == id)
      return true;
  }
  if (far > ANCESTORS_FAR) *known = (NotAncestor){n->node->parent, id};
  return false;
}

static CloseInfo hold_back(NodeState *n, Vertex *arc, Env *env, Ir *ref, CloseInfo ci, bool hold, bool *skip) {
  ci.cycle = CYCLE_IS;
  n->has_cyclic_conjunct = true;
  *skip = hold && env;
  if (*skip) cue_push(n->e->a, &n->cyclic, (CyclicConjunct){{env, ref, ci}, arc});
  return ci;
}

static CloseInfo mark_cyclic(NodeState *n, Vertex *arc, Env *env, Ir *ref, CloseInfo ci, bool *skip) {
  n->has_ancestor_cycle = true;
  return hold_back(n, arc, env, ref, ci, !n->has_non_cycle, skip);
}

static CloseInfo mark_cyclic_path(NodeState *n, Vertex *arc, Env *env, Ir *ref, CloseInfo ci, bool *skip) {
  return hold_back(n, arc, env, ref, ci, !n->has_non_cyclic && !n->has_non_cycle, skip);
}

/* The reference `ref`, a conjunct of n, leads to arc: returns ci with the reference recorded. *skip
** says that the conjunct is not to be added (now). env NULL: only for a value, nothing is held. */
CloseInfo node_detect_cycle(NodeState *n, Vertex *arc, Env *env, Ir *ref, CloseInfo ci, bool *skip) {
  *skip = false;
  if (node_has_ancestor(n, arc)) return mark_cyclic(n, arc, env, ref, ci, skip);
  if (n->has_non_cyclic && ci.cycle == CYCLE_MAYBE) return ci;
  Vertex *arc_id = vertex_identity(arc), *node_id = vertex_identity(n->node);
  for (CycleRef *r = ci.refs; r; r = r->next) {
    if (vertex_identity(r->arc) == arc_id) {
      if (vertex_identity(r->node) == node_id) { /* a reference cycle */
        *skip = true;
        return ci;
      }
      if (ci.cycle == CYCLE_OPTIONAL && n->has_non_cyclic) {
        ci.cycle = CYCLE_MAYBE;
        if (r->depth == n->depth) { /* a pattern that unifies with itself */
          *skip = true;
          return ci;
        }
        ci.refs = NULL;
        return ci;
      }
      if (n->has_non_cycle && n->has_non_cyclic && r->depth != n->depth) return ci;
      return mark_cyclic_path(n, arc, env, ref, ci, skip);
    }
    if (r->ref == ref && arc->non_rooted) {
      if (vertex_identity(r->node) == node_id) return mark_cyclic_path(n, arc, env, ref, ci, skip);
      /* {a}.b makes a fresh vertex each time, so identity does not tell. */
      Vertex *p = arc->parent;
      if (r->arc->non_rooted && p && p->is_dynamic && !p->parent && p->state && p->state->has_ancestor_cycle)
        return mark_cyclic(n, arc, env, ref, ci, skip);
    }
  }
  CycleRef *r = cue_new(n->e->a, CycleRef);
  *r = (CycleRef){ref, arc_id, node_id, ci.refs, n->depth};
  ci.refs = r;
  return ci;
}

void node_mark_non_cyclic(NodeState *n, CloseInfo id) {
  if (id.cycle == CYCLE_NONE || id.cycle == CYCLE_OPTIONAL) n->has_non_cyclic = true;
}

void close_set_optional(CloseInfo *c) {
  if (c->cycle == CYCLE_NONE) c->cycle = CYCLE_OPTIONAL;
}

/* A conjunct with substance arrived: what was held back may go on. */
void node_update_cyclic(NodeState *n, CloseInfo c) {
  n->has_field_value = true;
  if (c.cycle == CYCLE_IS) return;
  n->has_non_cycle = true;
  uint32_t count = n->cyclic.n;
  CyclicConjunct *held = n->cyclic.at;
  n->cyclic = (__typeof__(n->cyclic)){0};
  for (uint32_t i = 0; i < count; i++) {
    CyclicConjunct h = held[i];
    if (h.arc)
      node_schedule_vertex(n, h.c, h.arc, h.c.ci);
    else
      node_schedule_conjunct(n, h.c, h.c.ci);
  }
}

bool node_assert_structural_cycle(NodeState *n) {
  n->cyclic.n = 0;
  if (!((n->has_ancestor_cycle && !n->has_non_cycle) || (n->has_cyclic_conjunct && !n->has_non_cyclic))) return false;
  node_report_cycle(n);
  return true;
}

void node_report_cycle(NodeState *n) {
  Eval *e = n->e;
  Vertex *v = n->node;
  Bottom *b = bottom_new(e, BOTTOM_STRUCTURAL_CYCLE, err_new(e, eval_pos(e), "structural cycle"));
  b->value = vertex_value(v);
  b->node = v;
  v->base = (Ir *)bottom_combine(e, vertex_value(v), (Ir *)b);
  vertex_clear_arcs(v);
}
