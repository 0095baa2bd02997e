/* execute.c - transformers run on the components they match.
**
** One program runs them all; each run is a field of its own, in which the transformer's function
** is unified with a component and a context. What a run yields is one object, a list of objects,
** or a struct of objects whose keys do not count.
*/
#include "compiler/render/compile.h"
#include "runtime/release/impl.h"

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

static bool no_object(CueContext *c, RenderResult *r, const RenderMatch *m, const char *what) {
  RenderError e = {.from = m, .details = {.a = c->a}};
  cue_report(&e.details, 0, "%s", what);
  cue_push(c->a, &r->errors, e);
  return false;
}

static bool object(CueContext *c, RenderResult *r, const RenderMatch *m, CueValue data, Vertex *v, CueStr expr) {
  ReleaseObject o;
  if (!release_object(c->a, data, &o))
    return no_object(c, r, m, "output is not a Kubernetes object: it needs apiVersion, kind and metadata.name");
  cue_push(c->a, &r->objects,
           (RenderObject){.object = o.object,
                          .api_version = o.api_version,
                          .kind = o.kind,
                          .namespace = o.namespace,
                          .name = o.name,
                          .from = m,
                          .vertex = v,
                          .expr = expr});
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
    ok = object(c, r, m, v.kind == CUE_LIST ? v.as.list->at[i] : v.as.fields->at[i].value, NULL, CUE_STR(""));
}

/* For tests: the plan's output must be that of the evaluator, byte for byte. All transformers of our own must have a
** plan; those of others may be beyond it. */
static void check_planned(CueContext *c, RenderResult *r, const RenderMatch *m, Vertex *output) {
  if (!m->planned && r->provider.from.package != r->module.kubernetes) return;
  CueValue want = output ? program_data(c, output) : (CueValue){0};
  CueBuf x = cue_buf(c->a), y = cue_buf(c->a);
  if (output) cue_emit_json(&x, want, (CueJsonStyle){.order = cue_str_cmp});
  if (m->planned) cue_emit_json(&y, m->output, (CueJsonStyle){.order = cue_str_cmp});
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
  if (!m->planned && r->provider.from.no_cue) {
    no_object(c, r, m,
              "the compiled transformer gave up: something in this component does not fit, and the provider's CUE, "
              "which would tell what, is not here");
    return;
  }
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

static ReleaseObject released(const RenderResult *r, uint32_t i) {
  const RenderObject *o = &r->objects.at[i];
  return (ReleaseObject){
      .object = o->object,
      .api_version = o->api_version,
      .kind = o->kind,
      .namespace = o->namespace,
      .name = o->name,
      .component = o->from->component->name,
      .transformer = (uint32_t)(o->from->transformer - r->provider.transformers.at),
      .number = i,
  };
}

static void put_in_order(CueArena *a, RenderResult *r) {
  uint32_t n = r->objects.n;
  ObjectRank *ranks = cue_array(a, ObjectRank, n + 1);
  RenderObject *sorted = cue_array(a, RenderObject, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    ReleaseObject o = released(r, i);
    ranks[i] = object_rank(&o);
  }
  object_ranks_sort(ranks, n);
  for (uint32_t i = 0; i < n; i++) {
    sorted[i] = r->objects.at[ranks[i].number];
    if (i && object_ranks_alike(&ranks[i - 1], &ranks[i]))
      cue_push(a, &r->warnings, object_ranks_warning(a, &ranks[i - 1], &ranks[i]));
    if (!object_rank_is_named(&ranks[i])) cue_push(a, &r->warnings, object_rank_unnamed(a, &ranks[i]));
  }
  r->objects.at = sorted;
  r->objects.cap = n;
}

Release render_released(CueArena *a, const RenderResult *r) {
  ReleaseObject *objects = cue_array(a, ReleaseObject, r->objects.n + 1);
  for (uint32_t i = 0; i < r->objects.n; i++) objects[i] = released(r, i);
  return (Release){.name = r->release.name,
                   .namespace = r->release.namespace,
                   .fqn = r->release.fqn,
                   .version = r->release.version,
                   .identity = r->release.identity,
                   .objects = objects,
                   .warnings = r->warnings.at,
                   .nobjects = r->objects.n,
                   .nwarnings = r->warnings.n};
}

/* Traits that have no effect: what requires them made nothing. */
static void warn_of_idle(CueArena *a, RenderResult *r) {
  uint32_t n = r->provider.transformers.n, *at = cue_array(a, uint32_t, n + 1);
  bool *made = cue_array(a, bool, r->matches.n + 1), *some = cue_array(a, bool, n + 1);
  for (uint32_t i = 0; i < r->objects.n; i++) made[r->objects.at[i].from - r->matches.at] = true;
  for (uint32_t i = 0; i < r->errors.n; i++) made[r->errors.at[i].from - r->matches.at] = true;
  for (uint32_t i = 0; i < r->release.components.n; i++) {
    const RenderComponent *k = &r->release.components.at[i];
    Matches m = {.at = at};
    for (uint32_t j = 0; j < n; j++)
      if (r->matches.at[i * n + j].matched) {
        some[m.n] = made[i * n + j];
        at[m.n++] = j;
      }
    MatchIdle idle = match_idle(r->table, a, &m, some, render_strings(a, &k->traits));
    for (uint32_t j = 0; j < idle.n; j++)
      cue_push(a, &r->warnings,
               match_idle_text(a, k->name, idle.at[j].trait, r->provider.transformers.at[idle.at[j].transformer].key));
  }
}

bool render_execute(CueContext *c, RenderPlans how, RenderResult *r, RenderFailure *why) {
  why->details.a = c->a;
  bool any = false;
  if (how != PLANS_NONE) render_planned(c, how, r);
  for (uint32_t i = 0; i < r->matches.n; i++)
    any |= r->matches.at[i].matched && (!r->matches.at[i].planned || how == PLANS_CHECK);
  if (any && !r->provider.from.package && !r->provider.from.no_cue)
    r->provider.from.package = render_kubernetes(c, &r->module);
  ProgramImport imports[] = {{"package", r->provider.from.package}, {"release", r->release.program}};
  any = any && !r->provider.from.no_cue;
  if (any) r->program = program_make(c, program_text(c, how, r), imports, 2, &why->details);
  if (any && !r->program) return program_failed(why, RENDER_INVALID, CUE_STR("transformers do not load"), CUE_STR(""));
  for (uint32_t i = 0; i < r->matches.n; i++)
    if (r->matches.at[i].matched) run_result(c, how, r, i);
  warn_of_idle(c->a, r);
  put_in_order(c->a, r);
  return true;
}

static bool stages(CueContext *c, const RenderOptions *o, RenderResult *r, RenderFailure *why) {
  if (!render_module(c, o, &r->module, why) || !render_release(c, o, &r->module, &r->release, why) ||
      !render_provider(c, o, &r->module, &r->provider, why))
    return false;
  render_match(c->a, r);
  if (o->plans == PLANS_CHECK && !r->module.release) {
    CueStr differs = compile_check_module(c, &r->module, &r->release);
    if (differs.n) return program_failed(why, RENDER_INVALID, differs, CUE_STR(""));
  }
  RenderPlans how = o->provider.no_cue ? PLANS_ALL : o->plans; /* there is nothing to evaluate */
  return render_execute(c, how, r, why) && (how != PLANS_CHECK || render_check(c, r, why));
}

bool render(CueContext *c, const RenderOptions *o, RenderResult *r, RenderFailure *why) {
  *r = (RenderResult){0};
  bool ok = stages(c, o, r, why);
  program_hide(c, &why->details);
  return ok;
}
