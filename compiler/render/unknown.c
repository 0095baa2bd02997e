/* unknown.c - values that #config does not have.
**
** Where one field of a struct is wrong, the evaluator says nothing of others that should not be there.
** People want to hear of all at once, so these are looked for.
*/
#include "compiler/render/environment.h"

static bool is_told(const CueDiags *d, CueStr path) {
  for (const CueDiag *x = d->first; x; x = x->next)
    if (cue_str_has_prefix(x->path, path) && (x->path.n == path.n || x->path.s[path.n] == '.')) return true;
  return false;
}

static void tell(CueContext *c, const Vertex *v, CueStr path, CueDiags *d) {
  CueDiag *x = cue_diag_add(d, path, CUE_STR("field not allowed"));
  for (uint32_t i = 0; i < v->conjuncts.n; i++) {
    const Ir *said = v->conjuncts.at[i].x;
    if (said->kind == IR_FIELD && said->src) cue_push(c->a, &x->at, said->src->pos);
  }
}

void unknown_values(CueContext *c, Vertex *values, Vertex *config, CueStr path, CueDiags *d) {
  Vertex *v = vertex_deref(values), *k = vertex_deref(config);
  if (vertex_is_list(v) || vertex_is_list(k) || vertex_value(k) != (Ir *)k) return;
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    Vertex *arc = v->arcs.at[i], *known = vertex_arc(k, arc->label);
    if (!label_is_string(arc->label) || arc->arc_type != ARC_MEMBER) continue;
    CueStr name = label_selector(c->labels, c->a, arc->label);
    CueStr below = cue_strf(c->a, "%.*s.%.*s", CUE_FMT(path), CUE_FMT(name));
    if (known)
      unknown_values(c, arc, known, below, d);
    else if (!vertex_accepts(c->eval, k, arc->label) && !is_told(d, below))
      tell(c, arc, below, d);
  }
}
