/* encode.c - see encode.h. */
#include "cli/encode.h"

#include "compiler/fmt.h"
#include "stdlib/cue/toml_read.h"

bool value_check(Run *r, Vertex *v, ValidateOptions opt, CueDiags *d) {
  Bottom *why = cue_validate(r->c->eval, v, opt);
  if (why) cue_value_report(r->c->eval, v, why, d);
  return !why;
}

bool encoder_open(Encoder *e, Plan *p, CueDiags *d) {
  *e = (Encoder){.r = p->r, .p = p, .file = cue_buf(p->r->a)};
  e->to = cue_str_is(p->out.path, "-") ? p->r->out : &e->file;
  switch (p->out.encoding) {
  case CUE_ENC_CUE: e->concrete = p->mode == MODE_EXPORT; return true;
  case CUE_ENC_JSON:
  case CUE_ENC_JSONL:
  case CUE_ENC_YAML:
  case CUE_ENC_TOML:
  case CUE_ENC_TEXT:
  case CUE_ENC_BINARY: e->concrete = true; return true;
  default: return cue_report(d, 0, "unsupported encoding \"%s\"", cue_encoding_name(p->out.encoding));
  }
}

static bool put_json(Encoder *e, Vertex *v, CueDiags *d) {
  CueJsonStyle style = {.indent = "    ", .escape_html = flag_on(&e->r->flags, FLAG_ESCAPE)};
  CueDrain *drain = e->to == e->r->out ? e->r->drain : NULL;
  if (!cue_export_json(e->r->c->eval, e->r->a, v, e->to, style, drain, e->r, d)) return false;
  cue_buf_ch(e->to, '\n');
  return true;
}

static bool put_yaml(Encoder *e, Vertex *v, CueDiags *d) {
  CueValue data = cue_export_written(e->r->c->eval, e->r->a, v, d);
  if (d->n) return false;
  if (e->begun) cue_buf_z(e->to, "---\n");
  cue_emit_yaml(e->to, data);
  return true;
}

static bool put_toml(Encoder *e, Vertex *v, CueDiags *d) {
  CueValue data = cue_export_data(e->r->c->eval, e->r->a, v, d);
  CueStr error;
  if (d->n) return false;
  return cue_emit_toml(e->to, data, &error) || cue_report(d, 0, "%.*s", CUE_FMT(error));
}

static bool put_raw(Encoder *e, Vertex *v, bool binary, CueDiags *d) {
  CueStr text;
  if (!cue_export_raw(e->r->c->eval, e->r->a, v, binary, &text, d)) return false;
  cue_buf_str(e->to, text);
  if (!binary) cue_buf_ch(e->to, '\n');
  return true;
}

static bool put_cue(Encoder *e, const PlanValue *v, CueDiags *d) {
  Run *r = e->r;
  bool schema = e->p->mode == MODE_DEF;
  ExportOptions opt = {
      .take_defaults = !schema,
      .show_optional = schema,
      .show_definitions = schema || e->p->mode == MODE_EVAL,
      .show_hidden = schema,
      .show_docs = true,
      .show_attributes = schema,
      .inline_imports = flag_on(&r->flags, FLAG_INLINE_IMPORTS),
      .expand_references = e->concrete,
      .package = v->is_root ? v->id : CUE_STR(""),
  };
  Ast *file = schema ? cue_export_definition(r->c->eval, r->a, v->value, &opt)
                     : cue_export_value(r->c->eval, r->a, v->value, &opt);
  return encoder_syntax(e, file, CUE_STR(""), true, d);
}

bool encoder_value(Encoder *e, const PlanValue *v, CueDiags *d) {
  if (!v->value) {
    *d = v->errors;
    return false;
  }
  CueStr other = e->p->out.interpretation;
  if (other.n)
    return value_check(e->r, v->value, (ValidateOptions){.all_errors = true}, d) &&
           cue_report(d, 0, "unsupported interpretation \"%.*s\"", CUE_FMT(other));
  bool ok;
  switch (e->p->out.encoding) {
  case CUE_ENC_CUE:
    return value_check(e->r, v->value,
                       (ValidateOptions){.concrete = e->concrete, .final = e->concrete, .all_errors = true}, d) &&
           put_cue(e, v, d);
  case CUE_ENC_YAML: ok = put_yaml(e, v->value, d); break;
  case CUE_ENC_TOML: ok = put_toml(e, v->value, d); break;
  case CUE_ENC_TEXT: ok = put_raw(e, v->value, false, d); break;
  case CUE_ENC_BINARY: ok = put_raw(e, v->value, true, d); break;
  default: ok = put_json(e, v->value, d); break;
  }
  e->begun |= ok;
  return ok;
}

/* What is said of a file is, once it has a package, said of the package. */
static void move_docs(Ast *file, Ast *clause) {
  CommentGroup *rest = NULL, **last = &rest, **doc = &clause->comments;
  for (CommentGroup *g = file->comments; g; g = g->next) {
    CommentGroup ***to = g->doc ? &doc : &last;
    **to = g;
    *to = &g->next;
  }
  *last = *doc = NULL;
  file->comments = rest;
}

/* -p names the package of what has none. */
static void add_package(Encoder *e, Ast *file) {
  CueStr name = flag_text(&e->r->flags, FLAG_PACKAGE);
  for (uint32_t i = 0; i < file->u.list.n; i++)
    if (file->u.list.at[i]->kind == AST_PACKAGE) return;
  if (!name.n) return;
  Ast *clause = ast_new(e->r->a, AST_PACKAGE, 0, 0);
  clause->u.text = name;
  move_docs(file, clause);
  AstList decls = {0};
  ast_list_add(e->r->a, &decls, clause);
  for (uint32_t i = 0; i < file->u.list.n; i++) ast_list_add(e->r->a, &decls, file->u.list.at[i]);
  file->u.list = decls;
}

static CueStr base_name(CueStr path) {
  size_t from = path.n;
  while (from && path.s[from - 1] != '/') from--;
  return cue_str_sub(path, from, path.n);
}

bool encoder_syntax(Encoder *e, Ast *file, CueStr name, bool simplify, CueDiags *d) {
  if (name.n && e->p->expressions.n > 1) {
    CueStr base = base_name(name);
    cue_buf_f(e->to, "// %.*s\n", CUE_FMT(base));
  } else if (e->begun) {
    cue_buf_z(e->r->out, "// ---\n");
  }
  e->begun = true;
  add_package(e, file);
  CueFmtOptions opt = {.simplify = simplify, .use_spaces = e->spaces};
  return cue_format_file(e->to, file, opt) || cue_report(d, 0, "cannot be written as CUE");
}

bool encoder_close(Encoder *e, CueDiags *d) {
  if (e->to != &e->file) return true;
  CueStr error;
  if (write_file(e->r->a, e->p->out.path, cue_buf_done(&e->file), flag_on(&e->r->flags, FLAG_FORCE), &error))
    return true;
  return cue_report(d, 0, "%.*s", CUE_FMT(error));
}
