/* evaluated.c - values and environments that are more than data, for modules that were compiled.
**
** They may refer to the module, need an import or come from a folder that was not there when the module was compiled.
** Then they alone are evaluated, and what comes of it goes into compiled code. That must be all they
** do: a file of values is a part of the module's package, and could say more of it.
*/
#include "compiler/load_fs.h"
#include "compiler/render/compile.h"

/* ---- what the files say ---- */

static bool is_values_file(const CueContext *c, const RenderModule *m, uint32_t i) {
  return i >= m->nown ||
         cue_str_eq(m->package->files.at[i]->source->name, path_join(c->a, m->dir, CUE_STR("values.cue")));
}

/* A hidden field by a name that no file of the module itself has: as the module was compiled, none refers to it. */
static bool is_private(const CueContext *c, const RenderModule *m, const Ast *d) {
  const Ast *label = d->kind == AST_FIELD ? d->u.field.label : NULL;
  if (!label || label->kind != AST_IDENT || label->u.ident.name.s[0] != '_') return false;
  const char *name = cue_str_copy(c->a, label->u.ident.name).s;
  for (uint32_t i = 0; i < m->package->files.n; i++)
    if (!is_values_file(c, m, i) && program_declared(m->package->files.at[i], name)) return false;
  return true;
}

static bool says_values_alone(const CueContext *c, const RenderModule *m, const AstFile *f) {
  for (uint32_t i = 0; i < f->root->u.list.n; i++) {
    const Ast *d = f->root->u.list.at[i];
    bool neutral = d->kind == AST_PACKAGE || d->kind == AST_IMPORTS || d->kind == AST_COMMENTS || d->kind == AST_LET;
    if (!neutral && !program_is_field(d, "values") && !is_private(c, m, d)) return false;
  }
  return true;
}

/* ---- what they mean ---- */

static bool is_counted(CueContext *c, Vertex *v) { return label_is_regular(v->label) && vertex_defined(c->eval, v); }

/* Loops see fields in the order in which they came to be, and text has them in one that keeps that of each file. Only
** where the two are the same, data can stand for the struct. */
static bool in_order(CueContext *c, Vertex *v) {
  Vertex *d = vertex_deref(vertex_default(c->eval, v)), **written;
  uint32_t n, next = 0;
  cue_field_order(c->eval, c->a, d, &written, &n);
  for (uint32_t i = 0; i < d->arcs.n; i++) {
    if (!is_counted(c, d->arcs.at[i])) continue;
    while (next < n && !is_counted(c, written[next])) next++;
    if (next == n || written[next++]->label != d->arcs.at[i]->label || !in_order(c, d->arcs.at[i])) return false;
  }
  return true;
}

CueValue evaluated_at(CueContext *c, Vertex *v, const char *x, const char *y) {
  Vertex *f = program_path(c, v, (const char *const[]){x, y, NULL});
  return f ? lower_data(c, f) : (CueValue){0};
}

bool evaluated_environment(CueContext *c, const RenderEnvironment *e, ReleaseEnvironmentKnown *out) {
  CueStr name = program_string(c, e->vertex, (const char *const[]){"metadata", "name", NULL});
  *out = (ReleaseEnvironmentKnown){.is = {.name = name,
                                          .labels = evaluated_at(c, e->vertex, "metadata", "labels"),
                                          .annotations = evaluated_at(c, e->vertex, "metadata", "annotations")},
                                   .namespace = program_string(c, e->vertex, (const char *const[]){"namespace", NULL})};
  return cue_str_eq(name, e->name);
}

static bool values_of(CueContext *c, const RenderOptions *o, const RenderModule *m, EvaluatedValues *out) {
  RenderRelease r;
  RenderFailure why = {.details = {.a = c->a}};
  if (!render_values(c, o, m, &r, &why) || (r.values && !in_order(c, r.values))) return false;
  *out = (EvaluatedValues){.values = r.values ? lower_data(c, r.values) : (CueValue){0}};
  if (r.values) out->given = lower_given(c, r.values);
  out->has_environment = r.env != NULL;
  if (r.env && !evaluated_environment(c, r.env, &out->environment)) return false;
  return !r.values || out->values.kind == CUE_STRUCT;
}

bool evaluated_values(CueContext *c, const RenderOptions *o, EvaluatedValues *out) {
  RenderModule *m = cue_new(c->a, RenderModule);
  RenderFailure why = {.details = {.a = c->a}};
  if (!render_module(c, o, m, &why) || m->release) return false;
  for (uint32_t i = 0; i < m->package->files.n; i++)
    if (is_values_file(c, m, i) && !says_values_alone(c, m, m->package->files.at[i])) return false;
  return values_of(c, o, m, out);
}

bool evaluated_given(CueContext *c, const RenderModule *m, EvaluatedValues *out) {
  RenderOptions o = {.environment = CUE_STR(""), .environments = CUE_STR("")};
  return values_of(c, &o, m, out);
}
