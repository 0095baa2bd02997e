/* explain.c - opm explain: the chain of declarations that made a field of a rendered object.
**
** The newest step comes first; what a step refers to stands below it, indented. Of what only limits
** a value just #config is shown, and of what passes it on within a provider or a definition
** nothing, unless --verbose.
*/
#include "cli/address.h"
#include "cli/log.h"
#include "cli/steps.h"
#include "cli/style.h"

enum { ROLE_COLUMN = 13 };

/* ---- text ---- */

typedef struct {
  Run *r;
  Pen pen;
  bool all;
  TraceSteps outer; /* conditions of steps that are not shown, for the next one that is */
} Printer;

static void put_line(Printer *p, size_t indent, CueStr role, Style style) {
  cue_buf_repeat(p->pen.to, ' ', indent);
  style_put(p->pen, style, role);
  cue_buf_repeat(p->pen.to, ' ', role.n < ROLE_COLUMN ? ROLE_COLUMN - role.n : 1);
}

static void put_place(Printer *p, size_t indent, const TraceStep *s) {
  if (!cue_pos_known(s->pos)) return;
  put_line(p, indent, CUE_STR(""), STYLE_PLAIN);
  style_put(p->pen, STYLE_FAINT, CUE_STR("→ "));
  style_put(p->pen, STYLE_NOTICE, render_place(p->r, s->pos));
  if (s->path.n && p->all) style_f(p->pen, STYLE_FAINT, "  %.*s", CUE_FMT(s->path));
  cue_buf_ch(p->pen.to, '\n');
}

static CueStr note(const Printer *p, const TraceStep *s, CueValue above) {
  CueArena *a = p->r->a;
  bool literal = !s->from.n && s->role != TRACE_RELEASE;
  switch (s->kind) {
  case TRACE_DEFAULT: return CUE_STR("default");
  case TRACE_OVERRIDDEN:
    return s->is_default ? CUE_STR("default, overridden")
           : literal     ? CUE_STR("overridden")
                         : cue_strf(a, "%.*s, overridden", CUE_FMT(value_cut(a, s->value)));
  case TRACE_LIMITS: return s->role == TRACE_CONFIG ? CUE_STR("") : CUE_STR("constraint");
  case TRACE_PASSES: return CUE_STR("");
  case TRACE_GIVES: break;
  }
  if (literal || !value_known(s->value) || (value_known(above) && cue_value_eq(above, s->value))) return CUE_STR("");
  return value_cut(a, s->value);
}

static void put_steps(Printer *p, const TraceSteps *steps, CueValue above, size_t indent);

static void put_conditions(Printer *p, const TraceStep *s, size_t indent) {
  TraceSteps all = p->outer;
  p->outer = (TraceSteps){0};
  for (uint32_t i = 0; i < s->conditions.n; i++) cue_push(p->r->a, &all, s->conditions.at[i]);
  for (uint32_t i = 0; i < all.n; i++) {
    const TraceStep *c = all.at[i];
    put_line(p, indent, CUE_STR(""), STYLE_PLAIN);
    style_put(p->pen, STYLE_PLAIN, c->text);
    cue_buf_ch(p->pen.to, '\n');
    put_place(p, indent, c);
    put_steps(p, &c->from, cue_null(), indent + ROLE_COLUMN + 2);
  }
}

static bool is_foreign(const TraceStep *s) { return s->role == TRACE_TRANSFORMER || s->role == TRACE_DEFINITION; }

/* Limits and lost defaults of the catalog are for those who ask for everything. */
static bool is_shown(const Printer *p, const TraceStep *s) {
  s = trace_behind(s);
  return p->all || (s->kind == TRACE_LIMITS ? s->role == TRACE_CONFIG : s->kind != TRACE_OVERRIDDEN || !is_foreign(s));
}

/* How a provider or a definition passes a value on among its own parts. */
static bool is_internal(const TraceStep *s) {
  if (s->parameter) return true;
  if (s->kind != TRACE_PASSES || !is_foreign(s)) return false;
  for (uint32_t i = 0; i < s->from.n; i++) {
    const TraceStep *next = s->from.at[i];
    while (next->parameter) next = next->from.at[0];
    if (next->role != s->role) return false;
  }
  return true;
}

static void put_step(Printer *p, const TraceStep *s, CueValue above, size_t indent) {
  if (!is_shown(p, s)) return;
  bool hidden = is_internal(s) && !p->all;
  CueStr said = note(p, s, above);
  if (hidden) {
    for (uint32_t i = 0; i < s->conditions.n; i++) cue_push(p->r->a, &p->outer, s->conditions.at[i]);
  } else {
    put_line(p, indent, cue_str(step_role(s)), s->kind == TRACE_OVERRIDDEN ? STYLE_FAINT : STYLE_NOUN);
    style_put(p->pen, s->kind == TRACE_OVERRIDDEN ? STYLE_FAINT : STYLE_PLAIN, s->text);
    if (said.n) style_f(p->pen, STYLE_FAINT, "  (%.*s)", CUE_FMT(said));
    cue_buf_ch(p->pen.to, '\n');
    put_place(p, indent, s);
    put_conditions(p, s, indent);
  }
  put_steps(p, &s->from, value_known(s->value) ? s->value : above, hidden ? indent : indent + 2);
}

/* A definition that says what the user has said as well. */
static bool is_echo(const TraceStep *s, const TraceStep *winner) {
  s = trace_behind(s);
  return winner && s != winner && is_foreign(s) && !is_foreign(winner) && s->kind <= TRACE_DEFAULT &&
         value_known(s->value) && cue_value_eq(s->value, winner->value);
}

static void put_steps(Printer *p, const TraceSteps *steps, CueValue above, size_t indent) {
  const TraceStep *winner = trace_winner(steps);
  for (uint32_t i = 0; i < steps->n; i++)
    if (p->all || (!is_echo(steps->at[i], winner) && (indent || steps->at[i]->kind != TRACE_LIMITS)))
      put_step(p, steps->at[i], above, indent);
}

static CueValue object_data(CueArena *a, const RenderObject *o) {
  FieldList f = {0};
  fields_text(a, &f, "apiVersion", o->api_version);
  fields_text(a, &f, "kind", o->kind);
  fields_text(a, &f, "namespace", o->namespace);
  fields_text(a, &f, "name", o->name);
  fields_text(a, &f, "component", o->from->component->name);
  fields_text(a, &f, "transformer", o->from->transformer->key);
  return fields_struct(a, &f);
}

/* ---- one field ---- */

static ExitCode explain_field(Run *r, Tracer *t, const Address *at, CueStr form) {
  uint32_t found;
  TraceSteps steps = trace_path(t, at->object->vertex, at->path.at, at->path.n, &found);
  if (!cue_str_is(form, "text")) {
    FieldList f = {0};
    fields_add(r->a, &f, "object", object_data(r->a, at->object));
    fields_add(r->a, &f, "path", cue_string(at->text));
    fields_add(r->a, &f, "value", at->value);
    fields_add(r->a, &f, "steps", steps_data(r, &steps));
    steps_put(r, fields_struct(r->a, &f), cue_str_is(form, "json"));
    return EXIT_OK;
  }
  Printer p = {.r = r, .pen = pen_out(r), .all = r->verbose};
  style_put(p.pen, STYLE_NOUN, address_name(r->a, at->object));
  cue_buf_f(r->out, "\n%.*s: %.*s\n\n", CUE_FMT(at->text), CUE_FMT(value_text(r->a, at->value)));
  put_steps(&p, &steps, at->value, 0);
  return EXIT_OK;
}

/* ---- all fields below one ---- */

typedef struct {
  Run *r;
  Tracer *t;
  const Address *at;
  CUE_VEC(TraceKey) path;
  CUE_VEC(CueStr) cells;
  CUE_VEC(CueValue) rows;
  bool data;
} Lister;

static void list_leaf(Lister *l, CueStr text, CueValue v) {
  uint32_t found;
  TraceSteps steps = trace_path(l->t, l->at->object->vertex, l->path.at, l->path.n, &found);
  const TraceStep *from = trace_origin(&steps);
  CueArena *a = l->r->a;
  if (l->data) {
    FieldList f = {0};
    fields_add(a, &f, "path", cue_string(text));
    fields_add(a, &f, "value", v);
    if (from) fields_add(a, &f, "origin", step_data(l->r, from, true));
    cue_push(a, &l->rows, fields_struct(a, &f));
    return;
  }
  cue_push(a, &l->cells, text);
  cue_push(a, &l->cells, value_cut(a, v));
  cue_push(a, &l->cells, step_origin(l->r, from));
}

static void list_below(Lister *l, CueStr text, CueValue v) {
  CueArena *a = l->r->a;
  if (v.kind == CUE_STRUCT && v.as.fields->n) {
    for (uint32_t i = 0; i < v.as.fields->n; i++) {
      cue_push(a, &l->path, (TraceKey){.name = v.as.fields->at[i].key});
      list_below(l, address_below(a, text, v.as.fields->at[i].key), v.as.fields->at[i].value);
      l->path.n--;
    }
  } else if (v.kind == CUE_LIST && v.as.list->n) {
    for (uint32_t i = 0; i < v.as.list->n; i++) {
      cue_push(a, &l->path, (TraceKey){.index = i});
      list_below(l, address_element(a, text, i), v.as.list->at[i]);
      l->path.n--;
    }
  } else {
    list_leaf(l, text, v);
  }
}

static ExitCode explain_below(Run *r, Tracer *t, const Address *at, CueStr form) {
  Lister l = {.r = r, .t = t, .at = at, .data = !cue_str_is(form, "text")};
  static const char *const header[] = {"FIELD", "VALUE", "FROM"};
  for (size_t i = 0; i < 3; i++) cue_push(r->a, &l.cells, cue_str(header[i]));
  for (uint32_t i = 0; i < at->path.n; i++) cue_push(r->a, &l.path, at->path.at[i]);
  list_below(&l, at->text, at->value);
  if (l.data) {
    FieldList f = {0};
    CueList *rows = cue_list_new(r->a, l.rows.n);
    for (uint32_t i = 0; i < l.rows.n; i++) rows->at[i] = l.rows.at[i];
    fields_add(r->a, &f, "object", object_data(r->a, at->object));
    fields_text(r->a, &f, "path", at->text);
    fields_add(r->a, &f, "fields", cue_list(rows));
    steps_put(r, fields_struct(r->a, &f), cue_str_is(form, "json"));
    return EXIT_OK;
  }
  style_put(pen_out(r), STYLE_NOUN, address_name(r->a, at->object));
  cue_buf_z(r->out, "\n\n");
  style_table(pen_out(r), l.cells.at, NULL, 3, l.cells.n / 3);
  return EXIT_OK;
}

static ExitCode wrong_use(Run *r, CueStr message, CueStr hint) {
  return run_fail(r, &(Problem){.code = EXIT_GENERAL, .type = "usage", .message = message, .hint = hint});
}

ExitCode run_explain(Run *r) {
  CueStr form = flag_text(&r->flags, FLAG_OUTPUT), message, hint;
  if (!cue_str_is(form, "text") && !cue_str_is(form, "yaml") && !cue_str_is(form, "json"))
    return wrong_use(r, cue_strf(r->a, "invalid output format \"%.*s\" (valid: text, yaml, json)", CUE_FMT(form)),
                     CUE_STR(""));
  if (!r->flags.args.n)
    return wrong_use(r, CUE_STR("opm explain needs the field to explain"),
                     CUE_STR("for instance: opm explain deployment/web.spec.replicas"));
  CueStr text = r->flags.args.at[0];
  r->flags.args.at++;
  r->flags.args.n--;
  RenderOptions o;
  RenderResult res;
  RenderFailure why = {0};
  ExitCode code;
  if (!render_options(r, &o, &code)) return code;
  o.plans = PLANS_NONE; /* the chain is read off the vertices */
  if (!render(r->c, &o, &res, &why)) return render_failed(r, res.module.name, &why);
  Address at;
  if (!address_find(r->a, &res, text, &at, &message, &hint)) {
    /* What was not rendered cannot be found: that comes first. */
    code = render_errors(r, &res);
    if (code != EXIT_OK) return code;
    return run_fail(r, &(Problem){.code = EXIT_MISSING, .message = message, .hint = hint});
  }
  Tracer *t = trace_new(r->c, &res.module, &res.release, &res.provider);
  bool whole =
      (at.value.kind == CUE_STRUCT && at.value.as.fields->n) || (at.value.kind == CUE_LIST && at.value.as.list->n);
  return whole ? explain_below(r, t, &at, form) : explain_field(r, t, &at, form);
}
