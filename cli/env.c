/* env.c - opm env: the environments of a module, what its values are in one, and how two differ.
**
** A leaf of the values is a scalar or a list: an environment replaces lists whole. An empty struct
** is a leaf, too.
*/
#include "cli/address.h"
#include "cli/diff.h"
#include "cli/log.h"
#include "cli/steps.h"
#include "cli/style.h"
#include "compiler/render/program.h"

static ExitCode wrong_use(Run *r, CueStr message) {
  return run_fail(r, &(Problem){.code = EXIT_GENERAL,
                                .type = "usage",
                                .message = message,
                                .hint = cue_strf(r->a, "%.*s --help", CUE_FMT(r->path))});
}

/* The arguments before the module's folder, taken off; false if there are too few, or the output format is none. */
static bool take_args(Run *r, CueStr *names, uint32_t n, const char *what, ExitCode *code) {
  static const char *const all[] = {"table", "wide", "yaml", "json"};
  CueStr form = flag_text(&r->flags, FLAG_OUTPUT);
  bool known = false, diff = r->command->run == run_env_diff;
  for (size_t i = 0; i < 4; i++) known |= cue_str_is(form, all[i]) && !(diff && i == 1);
  *code = EXIT_OK;
  if (!known)
    *code = wrong_use(r, cue_strf(r->a, "invalid output format \"%.*s\" (valid: table, %syaml, json)", CUE_FMT(form),
                                  diff ? "" : "wide, "));
  else if (r->flags.args.n < n)
    *code = wrong_use(r, cue_strf(r->a, "%.*s needs %s", CUE_FMT(r->path), what));
  if (*code != EXIT_OK) return false;
  for (uint32_t i = 0; i < n; i++) names[i] = r->flags.args.at[i];
  if (n) { /* none given is no array, and nothing is added to that */
    r->flags.args.at += n;
    r->flags.args.n -= n;
  }
  return true;
}

static bool is_data(CueStr form) { return cue_str_is(form, "yaml") || cue_str_is(form, "json"); }
static bool is_none(CueStr name) { return cue_str_is(name, "-"); }

static ExitCode failed(Run *r, const RenderModule *m, RenderFailure *why) {
  program_hide(r->c, &why->details);
  return render_failed(r, m->name, why);
}

/* ---- leaves ---- */

typedef CUE_VEC(TraceKey) KeyPath;
typedef struct {
  CueStr text; /* of the path */
  KeyPath path;
  CueValue value;
} Leaf;
typedef CUE_VEC(Leaf) Leaves;

static void leaves_below(CueArena *a, CueValue v, CueStr text, const KeyPath *path, Leaves *out) {
  KeyPath p = {0};
  for (uint32_t i = 0; i < path->n; i++) cue_push(a, &p, path->at[i]);
  if (v.kind != CUE_STRUCT || !v.as.fields->n) {
    if (p.n) cue_push(a, out, (Leaf){text, p, v});
    return;
  }
  for (uint32_t i = 0; i < v.as.fields->n; i++) {
    const CueField *f = &v.as.fields->at[i];
    cue_push(a, &p, (TraceKey){.name = f->key});
    leaves_below(a, f->value, address_below(a, text, f->key), &p, out);
    p.n--;
  }
}

static Leaves leaves_of(CueArena *a, CueValue v) {
  Leaves out = {0};
  leaves_below(a, v, CUE_STR(""), &(KeyPath){0}, &out);
  return out;
}

/* ---- list ---- */

static CueStr text_at(CueContext *c, Vertex *v, const char *x, const char *y) {
  return program_string(c, v, (const char *const[]){x, y, NULL});
}

static CueStr labels_text(CueArena *a, CueValue labels) {
  CueBuf b = cue_buf(a);
  for (uint32_t i = 0; labels.kind == CUE_STRUCT && i < labels.as.fields->n; i++) {
    CueValue v = labels.as.fields->at[i].value;
    cue_buf_f(&b, "%s%.*s=%.*s", i ? "," : "", CUE_FMT(labels.as.fields->at[i].key),
              CUE_FMT(v.kind == CUE_STRING ? cue_value_str(v) : value_text(a, v)));
  }
  return cue_buf_done(&b);
}

static CueStr or_dash(CueStr s) { return s.n ? s : CUE_STR("-"); }

static void put_rows(Run *r, const RenderEnvironments *all, bool wide) {
  static const char *const header[] = {"NAME", "NAMESPACE", "CONTEXT", "OVERRIDES", "LABELS", "FILE"};
  uint32_t columns = wide ? 6 : 4;
  CUE_VEC(CueStr) cells = {0};
  for (uint32_t i = 0; i < columns; i++) cue_push(r->a, &cells, cue_str(header[i]));
  for (uint32_t i = 0; i < all->n; i++) {
    const RenderEnvironment *e = &all->at[i];
    Vertex *meta = program_field(r->c, e->vertex, "metadata");
    const CueStr row[] = {
        e->name,
        or_dash(text_at(r->c, e->vertex, "namespace", NULL)),
        or_dash(text_at(r->c, e->vertex, "cluster", "kubeContext")),
        cue_int_text(r->a, leaves_of(r->a, program_data(r->c, program_field(r->c, e->vertex, "values"))).n),
        or_dash(labels_text(r->a, program_data(r->c, program_field(r->c, meta, "labels")))),
        render_place(r, e->pos),
    };
    for (uint32_t k = 0; k < columns; k++) cue_push(r->a, &cells, row[k]);
  }
  style_table(pen_out(r), cells.at, NULL, columns, all->n + 1);
}

static void add_if_there(Run *r, FieldList *f, const char *key, Vertex *v) {
  CueValue data = program_data(r->c, v);
  if (value_known(data)) fields_add(r->a, f, key, data);
}

static CueValue environment_data(Run *r, const RenderEnvironment *e) {
  FieldList f = {0};
  CueStr place = render_place(r, e->pos);
  fields_text(r->a, &f, "name", e->name);
  add_if_there(r, &f, "namespace", program_field(r->c, e->vertex, "namespace"));
  add_if_there(r, &f, "cluster", program_field(r->c, e->vertex, "cluster"));
  Vertex *meta = program_field(r->c, e->vertex, "metadata");
  add_if_there(r, &f, "labels", program_field(r->c, meta, "labels"));
  add_if_there(r, &f, "annotations", program_field(r->c, meta, "annotations"));
  add_if_there(r, &f, "values", program_field(r->c, e->vertex, "values"));
  fields_text(r->a, &f, "place", place);
  return fields_struct(r->a, &f);
}

ExitCode run_env_list(Run *r) {
  CueStr form = flag_text(&r->flags, FLAG_OUTPUT);
  RenderOptions o;
  RenderModule m;
  RenderEnvironments all = {0};
  RenderFailure why = {0};
  ExitCode code;
  if (!take_args(r, NULL, 0, "", &code) || !render_options(r, &o, &code)) return code;
  o.no_values_needed = true;
  if (!render_module(r->c, &o, &m, &why) || !render_environments(r->c, &o, &m, &all, &why)) return failed(r, &m, &why);
  for (uint32_t i = 0; i < all.n; i++)
    if (!render_environment_valid(r->c, &all.at[i], &why)) return failed(r, &m, &why);
  if (is_data(form)) {
    CueList *l = cue_list_new(r->a, all.n);
    for (uint32_t i = 0; i < all.n; i++) l->at[i] = environment_data(r, &all.at[i]);
    steps_put(r, cue_list(l), cue_str_is(form, "json"));
  } else if (all.n) {
    put_rows(r, &all, cue_str_is(form, "wide"));
  } else {
    log_line(r, LOG_INFO, m.name, CUE_STR("no environments"), NULL, 0);
  }
  return EXIT_OK;
}

/* ---- a module in an environment ---- */

typedef struct {
  CueStr name; /* "-" for none */
  RenderOptions options;
  RenderRelease release;
  Tracer *tracer;
  CueValue values;
  Leaves leaves;
} InEnvironment;

static bool enter(Run *r, const RenderOptions *o, const RenderModule *m, CueStr name, InEnvironment *e,
                  RenderFailure *why) {
  *e = (InEnvironment){.name = name, .options = *o};
  e->options.environment = is_none(name) ? CUE_STR("") : name;
  if (!render_release(r->c, &e->options, m, &e->release, why)) return false;
  e->tracer = trace_new(r->c, m, &e->release, NULL);
  e->values = program_data(r->c, e->release.values);
  e->leaves = leaves_of(r->a, e->values);
  return true;
}

static TraceSteps steps_of(const InEnvironment *e, const Leaf *l) {
  uint32_t found;
  return trace_path(e->tracer, e->release.values, l->path.at, l->path.n, &found);
}

static CueStr from_text(Run *r, const InEnvironment *e, const Leaf *l) {
  TraceSteps steps = steps_of(e, l);
  return step_origin(r, trace_winner(&steps));
}

/* ---- show ---- */

/* Values first: a default would have lost to them, too. */
static CueStr overridden_text(Run *r, const TraceSteps *steps) {
  CueBuf b = cue_buf(r->a);
  for (uint32_t i = 0; i < steps->n * 2; i++) {
    const TraceStep *s = trace_behind(steps->at[i % steps->n]);
    bool told = false; /* the same may have come by two ways */
    for (uint32_t k = 0; k < i % steps->n; k++) told |= trace_behind(steps->at[k])->pos == s->pos;
    if (told || s->kind != TRACE_OVERRIDDEN || s->is_default != (i >= steps->n)) continue;
    CueStr shown = value_known(s->value) ? value_cut(r->a, s->value) : s->text;
    cue_buf_f(&b, "%s%.*s (%.*s)", b.n ? ", " : "", CUE_FMT(shown), CUE_FMT(step_origin(r, s)));
  }
  return or_dash(cue_buf_done(&b));
}

static void put_head(Run *r, const char *name, CueStr text, CueStr note) {
  if (!text.n) return;
  style_put(pen_out(r), STYLE_BOLD, cue_str(name));
  cue_buf_repeat(r->out, ' ', 13 - cue_str(name).n);
  cue_buf_str(r->out, text);
  if (note.n) style_f(pen_out(r), STYLE_FAINT, "  (%.*s)", CUE_FMT(note));
  cue_buf_ch(r->out, '\n');
}

static void put_release(Run *r, const InEnvironment *e) {
  const RenderRelease *rel = &e->release;
  put_head(r, "Release", rel->name, rel->name_from);
  put_head(r, "Environment", rel->environment, rel->env ? render_place(r, rel->env->pos) : CUE_STR(""));
  put_head(r, "Namespace", rel->namespace, rel->namespace_from);
  put_head(r, "Context", rel->kube_context, rel->kube_config);
  put_head(r, "Identity", rel->identity, CUE_STR(""));
  Vertex *meta = rel->env ? program_field(r->c, rel->env->vertex, "metadata") : NULL;
  put_head(r, "Labels", labels_text(r->a, program_data(r->c, program_field(r->c, meta, "labels"))), CUE_STR(""));
}

static void put_values(Run *r, const InEnvironment *e, bool wide) {
  static const char *const header[] = {"FIELD", "VALUE", "FROM", "OVERRIDES"};
  uint32_t columns = wide ? 4 : 3;
  CUE_VEC(CueStr) cells = {0};
  for (uint32_t i = 0; i < columns; i++) cue_push(r->a, &cells, cue_str(header[i]));
  for (uint32_t i = 0; i < e->leaves.n; i++) {
    const Leaf *l = &e->leaves.at[i];
    TraceSteps steps = steps_of(e, l);
    cue_push(r->a, &cells, l->text);
    cue_push(r->a, &cells, value_cut(r->a, l->value));
    cue_push(r->a, &cells, step_origin(r, trace_winner(&steps)));
    if (wide) cue_push(r->a, &cells, overridden_text(r, &steps));
  }
  style_table(pen_out(r), cells.at, NULL, columns, e->leaves.n + 1);
}

ExitCode run_env_show(Run *r) {
  CueStr name, form = flag_text(&r->flags, FLAG_OUTPUT);
  RenderOptions o;
  RenderModule m;
  RenderFailure why = {0};
  InEnvironment e;
  ExitCode code;
  if (!take_args(r, &name, 1, "the name of an environment", &code) || !render_options(r, &o, &code)) return code;
  if (!render_module(r->c, &o, &m, &why) || !enter(r, &o, &m, name, &e, &why)) return failed(r, &m, &why);
  if (is_data(form)) {
    steps_put(r, e.values, cue_str_is(form, "json"));
    return EXIT_OK;
  }
  put_release(r, &e);
  if (e.leaves.n) {
    cue_buf_ch(r->out, '\n');
    put_values(r, &e, cue_str_is(form, "wide"));
  }
  return EXIT_OK;
}

/* ---- diff ---- */

typedef struct {
  const Leaf *a, *b; /* either may be NULL */
} Change;
typedef CUE_VEC(Change) Changes;

static const Leaf *leaf_named(const Leaves *l, CueStr text) {
  for (uint32_t i = 0; i < l->n; i++)
    if (cue_str_eq(l->at[i].text, text)) return &l->at[i];
  return NULL;
}

static Changes changes_of(CueArena *a, const Leaves *x, const Leaves *y) {
  Changes out = {0};
  for (uint32_t i = 0; i < x->n; i++) {
    const Leaf *p = &x->at[i], *q = leaf_named(y, p->text);
    if (!q || !cue_value_eq(p->value, q->value)) cue_push(a, &out, (Change){p, q});
  }
  for (uint32_t i = 0; i < y->n; i++)
    if (!leaf_named(x, y->at[i].text)) cue_push(a, &out, (Change){NULL, &y->at[i]});
  return out;
}

static CueStr shown_name(const InEnvironment *e) { return is_none(e->name) ? CUE_STR("(no environment)") : e->name; }

static void put_side(Run *r, const InEnvironment *e, const Leaf *l, CueStr *cells) {
  cells[0] = l ? value_cut(r->a, l->value) : CUE_STR("-");
  cells[1] = l ? from_text(r, e, l) : CUE_STR("-");
}

typedef CUE_VEC(CueStr) Cells;
static void put_row(Run *r, Cells *cells, const char *mark, CueStr field, const CueStr side[4]) {
  cue_push(r->a, cells, cue_strf(r->a, "%s %.*s", mark, CUE_FMT(field)));
  for (uint32_t i = 0; i < 4; i++) cue_push(r->a, cells, side[i]);
}

static void put_about(Run *r, Cells *cells, const char *what, CueStr a, CueStr from_a, CueStr b, CueStr from_b) {
  if (cue_str_eq(a, b)) return;
  const CueStr side[] = {or_dash(a), a.n ? from_a : CUE_STR("-"), or_dash(b), b.n ? from_b : CUE_STR("-")};
  put_row(r, cells, a.n && b.n ? "~" : a.n ? "-" : "+", cue_str(what), side);
}

static void put_changes(Run *r, const InEnvironment *a, const InEnvironment *b, const Changes *changes) {
  Cells cells = {0};
  CueStr by = CUE_STR("environment");
  put_row(r, &cells, " ", CUE_STR("FIELD"), (CueStr[]){shown_name(a), CUE_STR("FROM"), shown_name(b), CUE_STR("FROM")});
  const RenderRelease *p = &a->release, *q = &b->release;
  put_about(r, &cells, "(namespace)", p->namespace, p->namespace_from, q->namespace, q->namespace_from);
  put_about(r, &cells, "(context)", p->kube_context, by, q->kube_context, by);
  for (uint32_t i = 0; i < changes->n; i++) {
    const Change *c = &changes->at[i];
    CueStr side[4];
    put_side(r, a, c->a, side);
    put_side(r, b, c->b, side + 2);
    put_row(r, &cells, c->a && c->b ? "~" : c->a ? "-" : "+", c->a ? c->a->text : c->b->text, side);
  }
  if (cells.n > 5)
    style_table(pen_out(r), cells.at, NULL, 5, cells.n / 5);
  else
    log_line(r, LOG_INFO, p->name, CUE_STR("no differences"), NULL, 0);
}

static CueValue side_data(Run *r, const InEnvironment *e, const Leaf *l) {
  FieldList f = {0};
  TraceSteps steps = steps_of(e, l);
  const TraceStep *from = trace_winner(&steps);
  fields_add(r->a, &f, "value", l->value);
  if (from) fields_add(r->a, &f, "origin", step_data(r, from, true));
  return fields_struct(r->a, &f);
}

static CueValue release_data(Run *r, const InEnvironment *e) {
  FieldList f = {0};
  const RenderRelease *rel = &e->release;
  fields_text(r->a, &f, "environment", rel->environment);
  fields_text(r->a, &f, "namespace", rel->namespace);
  fields_text(r->a, &f, "context", rel->kube_context);
  fields_text(r->a, &f, "identity", rel->identity);
  return fields_struct(r->a, &f);
}

static void put_changes_data(Run *r, const InEnvironment *a, const InEnvironment *b, const Changes *changes,
                             bool json) {
  FieldList all = {0};
  CueList *l = cue_list_new(r->a, changes->n);
  for (uint32_t i = 0; i < changes->n; i++) {
    const Change *c = &changes->at[i];
    FieldList f = {0};
    fields_text(r->a, &f, "path", c->a ? c->a->text : c->b->text);
    fields_text(r->a, &f, "change", c->a && c->b ? CUE_STR("changed") : c->a ? CUE_STR("removed") : CUE_STR("added"));
    if (c->a) fields_add(r->a, &f, "a", side_data(r, a, c->a));
    if (c->b) fields_add(r->a, &f, "b", side_data(r, b, c->b));
    l->at[i] = fields_struct(r->a, &f);
  }
  fields_add(r->a, &all, "a", release_data(r, a));
  fields_add(r->a, &all, "b", release_data(r, b));
  fields_add(r->a, &all, "values", cue_list(l));
  steps_put(r, fields_struct(r->a, &all), json);
}

/* Objects are the same if kind and name are: namespaces differ between environments. */
static const RenderObject *object_like(const RenderResult *res, const RenderObject *o) {
  for (uint32_t i = 0; i < res->objects.n; i++) {
    const RenderObject *p = &res->objects.at[i];
    if (cue_str_eq(p->kind, o->kind) && cue_str_eq(p->name, o->name) && cue_str_eq(p->api_version, o->api_version))
      return p;
  }
  return NULL;
}

static void diff_objects(Run *r, const InEnvironment *a, const RenderObject *x, const InEnvironment *b,
                         const RenderObject *y) {
  CueBuf old = cue_buf(r->a), new = cue_buf(r->a);
  const RenderObject *o = x ? x : y;
  if (x) release_put_yaml(&old, x->object, NULL);
  if (y) release_put_yaml(&new, y->object, NULL);
  CueStr what = cue_strf(r->a, "%.*s/%.*s", CUE_FMT(o->kind), CUE_FMT(o->name));
  CueStr from = x ? cue_strf(r->a, "%.*s/%.*s", CUE_FMT(shown_name(a)), CUE_FMT(what)) : CUE_STR("/dev/null");
  CueStr to = y ? cue_strf(r->a, "%.*s/%.*s", CUE_FMT(shown_name(b)), CUE_FMT(what)) : CUE_STR("/dev/null");
  diff_text(r->out, from, cue_buf_done(&old), to, cue_buf_done(&new));
}

static ExitCode diff_manifests(Run *r, const InEnvironment *a, const InEnvironment *b, bool *differ) {
  RenderResult x, y;
  RenderFailure why = {0};
  ExitCode code;
  size_t before = r->out->n;
  if (!render(r->c, &a->options, &x, &why)) return render_failed(r, x.module.name, &why);
  if (!render(r->c, &b->options, &y, &why)) return render_failed(r, y.module.name, &why);
  if ((code = render_errors(r, &x)) != EXIT_OK || (code = render_errors(r, &y)) != EXIT_OK) return code;
  for (uint32_t i = 0; i < x.objects.n; i++) diff_objects(r, a, &x.objects.at[i], b, object_like(&y, &x.objects.at[i]));
  for (uint32_t i = 0; i < y.objects.n; i++)
    if (!object_like(&x, &y.objects.at[i])) diff_objects(r, a, NULL, b, &y.objects.at[i]);
  *differ = r->out->n > before;
  if (!*differ) log_line(r, LOG_INFO, x.release.name, CUE_STR("no differences"), NULL, 0);
  return EXIT_OK;
}

ExitCode run_env_diff(Run *r) {
  CueStr names[2], form = flag_text(&r->flags, FLAG_OUTPUT);
  RenderOptions o;
  RenderModule m;
  RenderFailure why = {0};
  InEnvironment a, b;
  ExitCode code;
  bool differ = false;
  if (!take_args(r, names, 2, "the names of two environments", &code)) return code;
  if (is_data(form) && flag_on(&r->flags, FLAG_MANIFESTS))
    return run_usage(r, "--manifests prints a unified diff; --output %.*s is for values", CUE_FMT(form));
  if (!render_options(r, &o, &code)) return code;
  if (!render_module(r->c, &o, &m, &why) || !enter(r, &o, &m, names[0], &a, &why) ||
      !enter(r, &o, &m, names[1], &b, &why))
    return failed(r, &m, &why);
  if (flag_on(&r->flags, FLAG_MANIFESTS)) {
    code = diff_manifests(r, &a, &b, &differ);
    if (code != EXIT_OK) return code;
  } else {
    Changes changes = changes_of(r->a, &a.leaves, &b.leaves);
    differ = changes.n || !cue_str_eq(a.release.namespace, b.release.namespace) ||
             !cue_str_eq(a.release.kube_context, b.release.kube_context);
    if (is_data(form))
      put_changes_data(r, &a, &b, &changes, cue_str_is(form, "json"));
    else
      put_changes(r, &a, &b, &changes);
  }
  return differ && flag_on(&r->flags, FLAG_EXIT_CODE) ? EXIT_GENERAL : EXIT_OK;
}
