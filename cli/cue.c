/* cue.c - export, eval, vet and def: a loop over the values of a plan each. */
#include "cli/encode.h"

#include "compiler/fmt.h"

/* Export and def: every value must be right, the first that is not ends it. */
static bool print_values(Run *r, Mode mode) {
  CueDiags d = run_diags(r);
  Plan p;
  Encoder e;
  PlanValue v;
  if (!plan_make(r, mode, &p, &d) || !encoder_open(&e, &p, &d)) return run_report(r, &d);
  while (plan_next(&p, &v, &d))
    if (!encoder_value(&e, &v, &d)) break;
  if (d.n || !encoder_close(&e, &d)) return run_report(r, &d);
  return true;
}

ExitCode run_export(Run *r) { return run_exit(print_values(r, MODE_EXPORT)); }
ExitCode run_def(Run *r) { return run_exit(print_values(r, MODE_DEF)); }

/* ---- eval ---- */

static CueStr expression_text(Run *r, const Ast *x) {
  CueBuf text = cue_buf(r->a);
  cue_format_node(&text, x, (CueFmtOptions){.source = cue_source_of(r->c->sources, x->pos)});
  return cue_buf_done(&text);
}

/* Reports under the name of its package what is wrong with one value; the others are still shown. */
static void report_value(Run *r, CueStr id, const CueDiags *d) {
  if (id.n) cue_buf_f(r->err, "// %.*s\n", CUE_FMT(id));
  run_report(r, d);
}

typedef enum { EVAL_SHOWN, EVAL_SKIPPED, EVAL_ENDS } EvalResult;

static EvalResult eval_check(Run *r, Encoder *e, const PlanValue *v, CueDiags *d) {
  bool concrete = flag_on(&r->flags, FLAG_CONCRETE);
  if (flag_on(&r->flags, FLAG_IGNORE)) return EVAL_SHOWN;
  if (!v->value) {
    *d = v->errors;
    return EVAL_ENDS;
  }
  if (vertex_bottom(vertex_deref(v->value)) &&
      !value_check(r, v->value, (ValidateOptions){.concrete = concrete, .final = true, .all_errors = true}, d))
    return EVAL_ENDS;
  if ((e->concrete || concrete) &&
      !value_check(r, v->value, (ValidateOptions){.concrete = true, .final = true, .all_errors = true}, d))
    return EVAL_SKIPPED;
  return EVAL_SHOWN;
}

/* A bottom with what is wrong beside it. */
static Ast *error_syntax(Run *r, const CueDiags *d) {
  Ast *file = ast_new(r->a, AST_FILE, 0, 0), *embed = ast_new(r->a, AST_EMBED, 0, 0),
      *bottom = ast_new(r->a, AST_BOTTOM, cue_pos(0, CUE_REL_NOSPACE), 0);
  CueLineCol at = d->first->at.n ? cue_source_line(r->c->sources, d->first->at.at[0]) : (CueLineCol){0};
  CueStr place = at.line ? cue_strf(r->a, "%.*s:%u:%u: ", CUE_FMT(at.file), at.line, at.col) : CUE_STR("");
  CommentGroup *g = cue_new(r->a, CommentGroup);
  g->line = true;
  g->position = 2;
  g->n = 1;
  g->at = cue_alloc(r->a, sizeof *g->at);
  g->at[0].text = cue_strf(r->a, "// %.*s%.*s", CUE_FMT(place), CUE_FMT(d->first->message));
  ast_comment_add(bottom, g);
  embed->u.x = bottom;
  ast_list_add(r->a, &file->u.list, embed);
  return file;
}

static bool eval_show(Run *r, Encoder *e, const PlanValue *v, CueStr name, CueDiags *d) {
  const Flags *f = &r->flags;
  bool all = flag_on(f, FLAG_ALL), concrete = flag_on(f, FLAG_CONCRETE);
  ExportOptions opt = {
      .take_defaults = true,
      .show_optional = (all || flag_on(f, FLAG_OPTIONAL)) && !concrete,
      .show_definitions = !concrete,
      .show_hidden = (all || flag_on(f, FLAG_HIDDEN)) && !concrete,
      .show_attributes = flag_on(f, FLAG_ATTRIBUTES),
      .show_errors = flag_on(f, FLAG_IGNORE),
      .expand_references = concrete,
      .package = v->is_root ? v->id : CUE_STR(""),
  };
  Ast *file = v->value ? cue_export_value(r->c->eval, r->a, v->value, &opt) : error_syntax(r, &v->errors);
  return encoder_syntax(e, file, name, flag_on(f, FLAG_SIMPLIFY), d);
}

static bool eval_values(Run *r) {
  CueDiags d = run_diags(r);
  Plan p;
  Encoder e;
  PlanValue v;
  if (!plan_make(r, MODE_EVAL, &p, &d) || !encoder_open(&e, &p, &d)) return run_report(r, &d);
  e.spaces = true;
  while (plan_next(&p, &v, &d)) {
    CueDiags wrong = run_diags(r);
    CueStr id = p.packages.n > 1 ? v.id : CUE_STR("");
    if (p.out.encoding != CUE_ENC_CUE) {
      if (!encoder_value(&e, &v, &wrong)) report_value(r, id, &wrong);
      continue;
    }
    if (p.expressions.n > 1) id = expression_text(r, v.expression);
    EvalResult result = eval_check(r, &e, &v, &wrong);
    if (result == EVAL_SHOWN && !eval_show(r, &e, &v, id, &wrong)) result = EVAL_SKIPPED;
    if (result != EVAL_SHOWN) report_value(r, id, &wrong);
    if (result == EVAL_ENDS) return false;
  }
  if (d.n || !encoder_close(&e, &d)) return run_report(r, &d);
  return !r->failed;
}

ExitCode run_eval(Run *r) { return run_exit(eval_values(r)); }

/* ---- vet ---- */

static void vet_document(Run *r, const PlanValue *v) {
  CueDiags wrong = run_diags(r);
  if (!value_check(r, v->value, (ValidateOptions){.concrete = true, .final = true, .all_errors = true}, &wrong))
    run_report(r, &wrong);
}

/* Without -c incomplete values are only mentioned, once. */
static void vet_package(Run *r, const PlanValue *v, bool *mentioned) {
  CueDiags wrong = run_diags(r);
  bool given = r->flags.at[FLAG_CONCRETE].given;
  bool concrete = !given || flag_on(&r->flags, FLAG_CONCRETE);
  if (value_check(r, v->value, (ValidateOptions){.concrete = concrete, .final = concrete, .all_errors = true}, &wrong))
    return;
  if (!given) {
    wrong = run_diags(r);
    if (value_check(r, v->value, (ValidateOptions){.all_errors = true}, &wrong)) {
      if (!*mentioned)
        cue_buf_z(
            r->err,
            "some instances are incomplete; use the -c flag to show errors or -c=false to allow incomplete instances\n");
      *mentioned = true;
      r->failed = true;
      return;
    }
  }
  run_report(r, &wrong);
}

static bool vet_values(Run *r) {
  CueDiags d = run_diags(r);
  Plan p;
  PlanValue v;
  bool mentioned = false;
  if (!plan_make(r, MODE_VET, &p, &d)) return run_report(r, &d);
  if (p.documents.n && !p.schema) {
    cue_report(&d, 0, "data files specified without a schema");
    return run_report(r, &d);
  }
  while (plan_next(&p, &v, &d)) {
    if (p.documents.n)
      vet_document(r, &v);
    else
      vet_package(r, &v, &mentioned);
  }
  return d.n ? run_report(r, &d) : !r->failed;
}

ExitCode run_vet(Run *r) { return run_exit(vet_values(r)); }
