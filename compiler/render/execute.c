/* execute.c - transformers run on the components they match.
**
** One program runs them all; each run is a field of its own, in which the transformer's function
** is unified with a component and a context. What a run yields is one object, a list of objects,
** or a struct of objects whose keys do not count.
*/
#include "compiler/render/program.h"

#include <string.h>

/* ---- the program ---- */

static void context(CueContext *c, CueBuf *t, const RenderResult *r, const RenderComponent *k) {
  Vertex *meta = program_field(c, k->vertex, "metadata");
  cue_buf_z(t, "\t#context: {\n\t\tname: release.metadata.name\n\t\tnamespace: release.metadata.namespace\n"
               "\t\t#moduleReleaseMetadata: release.metadata\n\t\t#componentMetadata: {name: ");
  if (program_field(c, meta, "name"))
    cue_buf_f(t, "%.*s.metadata.name", CUE_FMT(k->expr));
  else
    program_quote(t, k->name);
  static const char *const copied[] = {"labels", "annotations"};
  for (size_t i = 0; i < sizeof copied / sizeof *copied; i++)
    if (program_field(c, meta, copied[i]))
      cue_buf_f(t, ", %s: %.*s.metadata.%s", copied[i], CUE_FMT(k->expr), copied[i]);
  cue_buf_z(t, "}\n");
  if (r->release.env) cue_buf_z(t, "\t\t#environmentMetadata: release.environment\n");
  cue_buf_z(t, "\t}\n");
}

static CueStr program_text(CueContext *c, RenderPlans how, const RenderResult *r) {
  CueBuf t = cue_buf(c->a);
  for (uint32_t i = 0; i < r->matches.n; i++) {
    const RenderMatch *m = &r->matches.at[i];
    if (!m->matched || (m->planned && how != PLANS_CHECK)) continue;
    cue_buf_f(&t, "run%u: %.*s.transformers", i, CUE_FMT(r->provider.from.expr));
    program_index(&t, m->transformer->key);
    cue_buf_f(&t, ".#transform & {\n\t#component: %.*s\n", CUE_FMT(m->component->expr));
    context(c, &t, r, m->component);
    cue_buf_z(&t, "}\n");
  }
  return cue_buf_done(&t);
}

/* ---- what came out ---- */

static void failed(CueContext *c, RenderResult *r, const RenderMatch *m, Vertex *v, Bottom *b, CueStr run) {
  RenderError e = {.from = m, .details = {.a = c->a}};
  cue_value_report(c->eval, v, b, &e.details);
  for (CueDiag *d = e.details.first; d; d = d->next) { /* the name of the run means nothing to people */
    CueStr prefix = cue_strf(c->a, "%.*s.", CUE_FMT(run));
    if (cue_str_has_prefix(d->path, prefix)) d->path = cue_str_sub(d->path, prefix.n, d->path.n);
    if (cue_str_eq(d->path, run)) d->path = m->transformer->key;
  }
  program_hide(c, &e.details);
  cue_push(c->a, &r->errors, e);
}

static CueStr text_at(CueValue v, const char *key) {
  const CueValue *f = v.kind == CUE_STRUCT ? cue_struct_get(v.as.fields, cue_str(key)) : NULL;
  return f && f->kind == CUE_STRING ? cue_value_str(*f) : CUE_STR("");
}

static bool no_object(CueContext *c, RenderResult *r, const RenderMatch *m, const char *what) {
  RenderError e = {.from = m, .details = {.a = c->a}};
  cue_report(&e.details, 0, "%s", what);
  cue_push(c->a, &r->errors, e);
  return false;
}

static bool object(CueContext *c, RenderResult *r, const RenderMatch *m, CueValue data, Vertex *v, CueStr expr) {
  RenderObject o = {.from = m, .vertex = v, .expr = expr};
  o.object = render_normalized(c->a, data);
  o.api_version = text_at(o.object, "apiVersion");
  o.kind = text_at(o.object, "kind");
  const CueValue *meta = o.object.kind == CUE_STRUCT ? cue_struct_get(o.object.as.fields, CUE_STR("metadata")) : NULL;
  if (meta) {
    o.name = text_at(*meta, "name");
    o.namespace = text_at(*meta, "namespace");
  }
  if (!o.api_version.n || !o.kind.n || !o.name.n)
    return no_object(c, r, m, "output is no Kubernetes object: it needs apiVersion, kind and metadata.name");
  cue_push(c->a, &r->objects, o);
  return true;
}

static void collect(CueContext *c, RenderResult *r, const RenderMatch *m, Vertex *output, CueStr expr) {
  Vertex *d = vertex_deref(vertex_default(c->eval, output));
  if (!vertex_is_list(d) && vertex_value(d) != (Ir *)d) {
    no_object(c, r, m, "output is neither an object nor a list or struct of objects");
    return;
  }
  if (!vertex_is_list(d) && program_field(c, d, "apiVersion")) {
    object(c, r, m, program_data(c, output), output, expr);
    return;
  }
  for (uint32_t i = 0; i < d->arcs.n; i++) {
    Vertex *arc = d->arcs.at[i];
    CueBuf x = cue_buf(c->a);
    if (!label_is_regular(arc->label) || !vertex_defined(c->eval, arc)) continue;
    cue_buf_str(&x, expr);
    if (label_is_int(arc->label))
      cue_buf_f(&x, "[%u]", label_index(arc->label));
    else
      program_index(&x, label_name(c->labels, arc->label));
    if (!object(c, r, m, program_data(c, arc), arc, cue_buf_done(&x))) return; /* nor would the next be one */
  }
}

/* The same of what a plan gave. */
static void collect_planned(CueContext *c, RenderResult *r, const RenderMatch *m) {
  CueValue v = m->output;
  if (v.kind != CUE_STRUCT && v.kind != CUE_LIST) {
    no_object(c, r, m, "output is neither an object nor a list or struct of objects");
    return;
  }
  if (v.kind == CUE_STRUCT && cue_struct_get(v.as.fields, CUE_STR("apiVersion"))) {
    object(c, r, m, v, NULL, CUE_STR(""));
    return;
  }
  uint32_t n = v.kind == CUE_STRUCT ? v.as.fields->n : v.as.list->n;
  bool ok = true;
  for (uint32_t i = 0; ok && i < n; i++)
    ok = object(c, r, m, v.kind == CUE_LIST ? v.as.list->at[i] : v.as.fields->at[i].value, NULL,
                cue_strf(c->a, "%08u", i)); /* keeps the order of those that are alike */
}

/* For tests: the plan's output must be that of the evaluator, byte for byte. All transformers of our own must have a
** plan; those of others may be beyond it. */
static void check_planned(CueContext *c, RenderResult *r, const RenderMatch *m, Vertex *output) {
  if (!m->planned && r->provider.from.package != r->module.kubernetes) return;
  CueValue want = output ? program_data(c, output) : (CueValue){0};
  CueBuf x = cue_buf(c->a), y = cue_buf(c->a);
  if (output) cue_emit_json(&x, render_sorted(c->a, want, false), (CueJsonStyle){0});
  if (m->planned) cue_emit_json(&y, render_sorted(c->a, m->output, false), (CueJsonStyle){0});
  if (m->planned && cue_str_eq(cue_buf_done(&x), cue_buf_done(&y))) return;
  RenderError e = {.from = m, .details = {.a = c->a}};
  cue_report(&e.details, 0, "%s: evaluated %s, planned %s", m->planned ? "plan and evaluator differ" : "no plan",
             cue_buf_done(&x).s,
             m->planned                     ? cue_buf_done(&y).s
             : m->output.kind == CUE_BOTTOM ? m->output.as.s
                                            : "");
  cue_push(c->a, &r->errors, e);
}

static void run_result(CueContext *c, RenderPlans how, RenderResult *r, uint32_t i) {
  const RenderMatch *m = &r->matches.at[i];
  if (m->planned && how != PLANS_CHECK) {
    collect_planned(c, r, m);
    return;
  }
  CueStr name = cue_strf(c->a, "run%u", i);
  Vertex *run = program_field(c, r->program->root, name.s);
  Bottom *b = run ? vertex_bottom(vertex_deref(run)) : NULL;
  Vertex *output = b ? NULL : program_field(c, run, "output");
  if (b || (output && (b = cue_validate(c->eval, output,
                                        (ValidateOptions){.concrete = true, .final = true, .all_errors = true})))) {
    failed(c, r, m, output ? output : run, b, name);
    return;
  }
  if (how == PLANS_CHECK) check_planned(c, r, m, output);
  if (output)
    collect(c, r, m, output, cue_strf(c->a, "objects.%.*s.output", CUE_FMT(name)));
  else
    no_object(c, r, m, "the transformer has no output");
}

static bool same_object(const RenderObject *x, const RenderObject *y) {
  return cue_str_eq(x->kind, y->kind) && cue_str_eq(x->name, y->name) && cue_str_eq(x->namespace, y->namespace) &&
         cue_str_eq(x->api_version, y->api_version);
}

static void warn_of_doubles(CueArena *a, RenderResult *r) {
  for (uint32_t i = 1; i < r->objects.n; i++) { /* in order: equal ones are neighbours */
    const RenderObject *x = &r->objects.at[i - 1], *y = &r->objects.at[i];
    if (same_object(x, y))
      cue_push(a, &r->warnings,
               cue_strf(a, "%.*s %.*s/%.*s is rendered twice, by components %.*s and %.*s: the last one applied wins",
                        CUE_FMT(y->kind), CUE_FMT(y->namespace), CUE_FMT(y->name), CUE_FMT(x->from->component->name),
                        CUE_FMT(y->from->component->name)));
  }
}

bool render_execute(CueContext *c, RenderPlans how, RenderResult *r, RenderFailure *why) {
  why->details.a = c->a;
  bool any = false;
  if (how != PLANS_NONE) render_planned(c, how, r);
  for (uint32_t i = 0; i < r->matches.n; i++)
    any |= r->matches.at[i].matched && (!r->matches.at[i].planned || how == PLANS_CHECK);
  ProgramImport imports[] = {{"package", r->provider.from.package}, {"release", r->release.program}};
  if (any) r->program = program_make(c, program_text(c, how, r), imports, 2, &why->details);
  if (any && !r->program) return program_failed(why, RENDER_INVALID, CUE_STR("transformers do not load"), CUE_STR(""));
  for (uint32_t i = 0; i < r->matches.n; i++)
    if (r->matches.at[i].matched) run_result(c, how, r, i);
  render_order(r);
  warn_of_doubles(c->a, r);
  return true;
}

static bool stages(CueContext *c, const RenderOptions *o, RenderResult *r, RenderFailure *why) {
  if (!render_module(c, o, &r->module, why) || !render_release(c, o, &r->module, &r->release, why) ||
      !render_provider(c, o, &r->module, &r->provider, why))
    return false;
  render_match(c->a, r);
  return render_execute(c, o->plans, r, why);
}

bool render(CueContext *c, const RenderOptions *o, RenderResult *r, RenderFailure *why) {
  *r = (RenderResult){0};
  bool ok = stages(c, o, r, why);
  program_hide(c, &why->details);
  return ok;
}
