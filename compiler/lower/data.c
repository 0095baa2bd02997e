/* data.c - results of the evaluator as inputs of plans. */
#include "compiler/lower/lower.h"

/* Several alternatives are left, of which one is the default. */
static bool is_default(Vertex *v) {
  v = vertex_deref(v);
  return v->base && v->base->kind == IR_DISJUNCTION;
}

static bool data_of(CueContext *c, Vertex *v, bool given, CueValue *out) {
  v = vertex_deref(vertex_default(c->eval, v));
  bool list = vertex_is_list(v);
  if (!list && !(v->base && v->base->kind == IR_STRUCT_MARK)) {
    Bottom *why = NULL;
    *out = cue_vertex_data(c->eval, c->a, v, false, &why);
    return !why;
  }
  CueList *l = list ? cue_list_new(c->a, v->arcs.n) : NULL;
  CueStruct *s = list ? NULL : cue_struct_new(c->a, v->arcs.n);
  uint32_t n = 0;
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    Vertex *arc = v->arcs.at[i];
    if (!label_is_regular(arc->label) || !vertex_defined(c->eval, arc)) continue;
    if (s && given && is_default(arc)) continue;
    if (s) s->at[n].key = label_name(c->labels, arc->label);
    if (!data_of(c, arc, given, list ? &l->at[n] : &s->at[n].value)) return false;
    n++;
  }
  if (list)
    l->n = n;
  else
    s->n = n;
  *out = list ? cue_list(l) : cue_struct(s);
  return true;
}

CueValue lower_data(CueContext *c, Vertex *v) {
  CueValue out;
  return data_of(c, v, false, &out) ? out : cue_error(CUE_STR("not concrete"));
}

CueValue lower_given(CueContext *c, Vertex *v) {
  CueValue out;
  return data_of(c, v, true, &out) ? out : cue_error(CUE_STR("not concrete"));
}
