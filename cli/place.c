/* place.c - data files merged into an instance.
**
** Without flags the fields of each document become fields of the package. -l puts a document
** at a path whose components are expressions, evaluated with the document's fields in scope;
** --list gathers the documents that come to the same path in a list.
*/
#include "cli/plan.h"

#include "compiler/fmt.h"
#include "compiler/literal.h"
#include "compiler/parse.h"

/* ---- the path as written ---- */

static bool is_plain_label(const Ast *x) { return x->kind == AST_IDENT || x->kind == AST_BASIC; }

static Ast *paren(CueArena *a, Ast *x) {
  Ast *p = ast_new(a, AST_PAREN, 0, 0);
  p->u.x = x;
  return p;
}

/* The labels of "a: \"b\": (c):"; those that are expressions come in parentheses. */
static bool parse_labels(Plan *p, CueStr text, CueDiags *d) {
  CueArena *a = p->r->a;
  CueDiags wrong = {.a = a};
  CueSource *src = cue_source_add(p->r->c->sources, CUE_STR("--path"), cue_strf(a, "%.*s_", CUE_FMT(text)));
  const char *intro =
      "labels must be expressions (-l foo -l 'strings.ToLower(bar)') or full paths (-l '\"foo\": \"\\(strings.ToLower(bar))\":) :";
  if (!src) return cue_report(d, 0, "--path is too long");
  AstFile *f = cue_parse_file(a, src, (ParseOptions){0}, &wrong);
  if (wrong.n)
    return cue_report(d, 0, "%s parser error in path \"%.*s\": %.*s", intro, CUE_FMT(text),
                      CUE_FMT(wrong.first->message));
  const AstList *decls = &f->root->u.list;
  if (decls->n != 1) return cue_report(d, 0, "%s path flag must be a space-separated sequence of labels", intro);
  for (;;) {
    const Ast *field = decls->at[0];
    if (field->kind != AST_FIELD) return cue_report(d, 0, "%s \"%.*s\" is no sequence of labels", intro, CUE_FMT(text));
    Ast *label = field->u.field.label;
    if (label->kind == AST_ALIAS) return cue_report(d, 0, "%s unsupported label type", intro);
    cue_push(a, &p->path, is_plain_label(label) ? label : paren(a, label));
    const Ast *value = field->u.field.value;
    if (value->kind != AST_STRUCT) return true;
    decls = &value->u.list;
    if (decls->n != 1) return cue_report(d, 0, "%s path value may not contain a struct", intro);
  }
}

bool place_flags(Plan *p, CueDiags *d) {
  const Flags *f = &p->r->flags;
  p->use_list = flag_on(f, FLAG_LIST);
  p->use_context = flag_on(f, FLAG_WITH_CONTEXT);
  for (uint32_t i = 0; i < f->at[FLAG_PATH].texts.n; i++) {
    CueStr text = f->at[FLAG_PATH].texts.at[i];
    CueDiags wrong = run_diags(p->r);
    CueSource *src = cue_source_add(p->r->c->sources, CUE_STR("--path"), text);
    Ast *x = src ? cue_parse_expr(p->r->a, src, (ParseOptions){0}, &wrong) : NULL;
    if (x)
      cue_push(p->r->a, &p->path, paren(p->r->a, x));
    else if (!parse_labels(p, text, d))
      return false;
  }
  if (!p->use_list && !p->path.n) {
    if (p->use_context)
      return cue_report(
          d, 0, "flag \"with-context\" must be used with at least one of flag \"path\", \"list\", or \"files\"");
  } else if (p->schema_expr) {
    return cue_report(d, 0, "cannot combine --schema flag with flag \"path\", \"list\", or \"files\"");
  }
  return true;
}

/* ---- an expression without white space, as messages show it ---- */

static void dense(CueBuf *out, const Ast *x);

static void dense_list(CueBuf *out, const AstList *l) {
  for (uint32_t i = 0; i < l->n; i++) {
    if (i) cue_buf_z(out, ", ");
    dense(out, l->at[i]);
  }
}

static void dense(CueBuf *out, const Ast *x) {
  switch (x->kind) {
  case AST_IDENT:
  case AST_BASIC: cue_buf_str(out, x->u.text); break;
  case AST_PAREN:
    cue_buf_ch(out, '(');
    dense(out, x->u.x);
    cue_buf_ch(out, ')');
    break;
  case AST_UNARY:
    cue_buf_z(out, tok_text((Tok)x->op));
    dense(out, x->u.unary.x);
    break;
  case AST_BINARY:
    dense(out, x->u.binary.x);
    cue_buf_z(out, tok_text((Tok)x->op));
    dense(out, x->u.binary.y);
    break;
  case AST_SELECTOR:
    dense(out, x->u.sel.x);
    cue_buf_ch(out, '.');
    dense(out, x->u.sel.sel);
    break;
  case AST_INDEX:
    dense(out, x->u.binary.x);
    cue_buf_ch(out, '[');
    dense(out, x->u.binary.y);
    cue_buf_ch(out, ']');
    break;
  case AST_CALL:
    dense(out, x->u.call.fun);
    cue_buf_ch(out, '(');
    dense_list(out, &x->u.call.args);
    cue_buf_ch(out, ')');
    break;
  default: cue_format_node(out, x, (CueFmtOptions){0}); break;
  }
}

static CueStr dense_text(CueArena *a, const Ast *x) {
  CueBuf out = cue_buf(a);
  dense(&out, x);
  return cue_buf_done(&out);
}

/* ---- trees ---- */

static Ast *literal(CueArena *a, Tok kind, CueStr text) {
  Ast *x = ast_new(a, AST_BASIC, 0, 0);
  x->op = (uint8_t)kind;
  x->u.text = text;
  return x;
}

static Ast *string_literal(CueArena *a, CueStr s) {
  return literal(a, TOK_STRING, cue_literal_quote(a, s, CUE_QUOTE_STRING, 0));
}

static Ast *field(CueArena *a, Ast *label, Ast *value) {
  Ast *f = ast_new(a, AST_FIELD, 0, 0);
  f->u.field.label = label;
  f->u.field.value = value;
  return f;
}

static void add_context(CueArena *a, Ast *st, const char *name, Ast *value) {
  Ast *label = ast_new(a, AST_IDENT, 0, 0);
  label->u.text = cue_str(name);
  ast_list_add(a, &st->u.list, field(a, label, value));
}

/* The value a document is: what data_file made a file of. */
static Ast *document_value(CueArena *a, const AstFile *f) {
  const AstList *l = &f->root->u.list;
  if (l->n == 1 && l->at[0]->kind == AST_EMBED) return l->at[0]->u.x;
  Ast *st = ast_new(a, AST_STRUCT, f->root->pos, f->root->end);
  st->u.list = *l;
  return st;
}

static AstFile *file_of(CueArena *a, const AstFile *like, Ast *x) {
  AstFile *f = cue_new(a, AstFile);
  *f = (AstFile){.root = ast_new(a, AST_FILE, 0, 0), .source = like->source, .package = CUE_STR("")};
  if (!x) return f;
  if (x->kind == AST_STRUCT) {
    f->root->u.list = x->u.list;
    return f;
  }
  Ast *embed = ast_new(a, AST_EMBED, 0, 0);
  embed->u.x = x;
  ast_list_add(a, &f->root->u.list, embed);
  return f;
}

static void set_package(CueArena *a, AstFile *f, CueStr name) {
  if (!name.n || f->package.n) return;
  f->package_clause = ast_new(a, AST_PACKAGE, 0, 0);
  f->package_clause->u.text = name;
  f->package = name;
  AstList decls = {0};
  ast_list_add(a, &decls, f->package_clause);
  for (uint32_t i = 0; i < f->root->u.list.n; i++) ast_list_add(a, &decls, f->root->u.list.at[i]);
  f->root->u.list = decls;
}

/* ---- where a document goes ---- */

typedef struct {
  Plan *p;
  CueStr filename;
  uint32_t index, count; /* of the document in its file */
} Place;

/* The scope of the path's expressions. */
static Vertex *path_scope(const Place *at, const AstFile *doc, CueDiags *d) {
  CueArena *a = at->p->r->a;
  Ast *x = document_value(a, doc);
  if (at->p->use_context) {
    Ast *st = ast_new(a, AST_STRUCT, 0, 0);
    add_context(a, st, "data", x);
    add_context(a, st, "filename", string_literal(a, at->filename));
    add_context(a, st, "index", literal(a, TOK_INT, cue_strf(a, "%u", at->index)));
    add_context(a, st, "recordCount", literal(a, TOK_INT, cue_strf(a, "%u", at->count)));
    x = st;
  }
  Instance *inst = cue_new(a, Instance);
  *inst = (Instance){.path = CUE_STR(""), .package = CUE_STR(""), .dir = CUE_STR(""), .module = CUE_STR("")};
  cue_push(a, &inst->files, file_of(a, doc, x));
  CueContext *c = at->p->r->c;
  if (!cue_build(c, inst, d)) return NULL;
  cue_finalize(c->eval, inst->root);
  Bottom *why = vertex_bottom(vertex_deref(inst->root));
  if (why) cue_bottom_report(c->eval, why, d);
  return why ? NULL : inst->root;
}

static bool bad_label(const Place *at, const Ast *x, CueStr why, CueDiags *d) {
  CueStr text = dense_text(at->p->r->a, x);
  return cue_report(d, 0, "error evaluating label %.*s: %.*s", CUE_FMT(text), CUE_FMT(why));
}

static bool bad_label_diags(const Place *at, const Ast *x, const CueDiags *wrong, CueDiags *d) {
  const CueDiag *g = wrong->first;
  CueStr why = g->path.n ? cue_strf(at->p->r->a, "%.*s: %.*s", CUE_FMT(g->path), CUE_FMT(g->message)) : g->message;
  return bad_label(at, x, why, d);
}

/* A conjunction or disjunction stays one, whatever it comes to. */
static bool is_junction(const Ast *x) {
  while (x->kind == AST_PAREN) x = x->u.x;
  return x->kind == AST_BINARY && (x->op == TOK_AND || x->op == TOK_OR);
}

static CueStr value_text(Run *r, Vertex *v) {
  ExportOptions opt = {.take_defaults = true, .package = CUE_STR("")};
  Ast *file = cue_export_value(r->c->eval, r->a, v, &opt), *x = file;
  if (file->u.list.n == 1 && file->u.list.at[0]->kind == AST_EMBED) {
    x = file->u.list.at[0]->u.x;
  } else {
    x = ast_new(r->a, AST_STRUCT, 0, 0);
    x->open = x->close = cue_pos(0, CUE_REL_NEWLINE);
    x->u.list = file->u.list;
  }
  CueBuf text = cue_buf(r->a);
  cue_format_node(&text, x, (CueFmtOptions){0});
  return cue_buf_done(&text);
}

static Ast *evaluated_label(const Place *at, Vertex *scope, Ast *x, CueDiags *d) {
  Run *r = at->p->r;
  Instance in = {.path = CUE_STR(""), .package = CUE_STR(""), .dir = CUE_STR(""), .module = CUE_STR(""), .root = scope};
  CueDiags wrong = run_diags(r);
  Ir *ir = cue_build_expr(r->c, &in, x, &wrong);
  Vertex *v = ir ? vertex_deref(cue_eval_expr(r->c->eval, scope, ir)) : NULL;
  Bottom *why = v ? vertex_bottom(v) : NULL;
  if (why) cue_bottom_report(r->c->eval, why, &wrong);
  if (wrong.n) {
    bad_label_diags(at, x, &wrong, d);
    return NULL;
  }
  Ir *value = vertex_value(vertex_deref(vertex_default(r->c->eval, v)));
  CueValue data = value->kind == IR_SCALAR ? IR_AS(IrScalar, value)->v : cue_null();
  if (data.kind != CUE_STRING) {
    bad_label(at, x, value_text(r, v), d);
  } else if (vertex_value(v)->kind != IR_SCALAR || is_junction(x)) {
    CueStr text = dense_text(r->a, x);
    cue_report(d, 0, "expression is not a valid label: %.*s", CUE_FMT(text));
  } else {
    return string_literal(r->a, cue_value_str(data));
  }
  return NULL;
}

static bool labels_of(const Place *at, const AstFile *doc, AstNodes *out, CueDiags *d) {
  const AstNodes *path = &at->p->path;
  if (!path->n) return true;
  Vertex *scope = path_scope(at, doc, d);
  for (uint32_t i = 0; scope && i < path->n; i++) {
    Ast *label = path->at[i];
    if (label->kind == AST_PAREN) label = evaluated_label(at, scope, label->u.x, d);
    if (!label) return false;
    Ast *copy = ast_new(at->p->r->a, label->kind, 0, 0);
    copy->op = label->op;
    copy->u.text = label->u.text;
    cue_push(at->p->r->a, out, copy);
  }
  return scope != NULL;
}

/* The list at the end of a path in a tree of structs, made if absent. */
static Ast *list_at(CueArena *a, Ast **root, const AstNodes *labels) {
  Ast **at = root;
  for (uint32_t i = 0; i < labels->n; i++) {
    if (!*at) *at = ast_new(a, AST_STRUCT, 0, 0);
    AstList *l = &(*at)->u.list;
    Ast *f = NULL;
    for (uint32_t k = 0; !f && k < l->n; k++)
      if (cue_str_eq(l->at[k]->u.field.label->u.text, labels->at[i]->u.text)) f = l->at[k];
    if (!f) {
      f = field(a, labels->at[i], NULL);
      ast_list_add(a, l, f);
    }
    at = &f->u.field.value;
  }
  if (!*at) *at = ast_new(a, AST_LIST, 0, 0);
  return *at;
}

static void place_at(CueArena *a, AstFile *into, const AstNodes *labels, Ast *x) {
  for (uint32_t i = labels->n; i-- > 1;) {
    Ast *st = ast_new(a, AST_STRUCT, 0, 0);
    ast_list_add(a, &st->u.list, field(a, labels->at[i], x));
    x = st;
  }
  ast_list_add(a, &into->root->u.list, field(a, labels->at[0], x));
}

/* All documents of a file as one file. */
static AstFile *place_documents(Plan *p, CueStr filename, const DataFiles *docs, CueDiags *d) {
  CueArena *a = p->r->a;
  AstFile *out = file_of(a, docs->n ? docs->at[0] : &(AstFile){0}, NULL);
  Ast *gathered = NULL;
  for (uint32_t i = 0; i < docs->n; i++) {
    Place at = {p, filename, i, docs->n};
    AstNodes labels = {0};
    if (!labels_of(&at, docs->at[i], &labels, d)) return NULL;
    Ast *x = document_value(a, docs->at[i]);
    if (p->use_list)
      ast_list_add(a, &list_at(a, &gathered, &labels)->u.list, x);
    else
      place_at(a, out, &labels, x);
  }
  if (!p->use_list) return out;
  if (!gathered) gathered = ast_new(a, AST_LIST, 0, 0);
  out->root->u.list = file_of(a, out, gathered)->root->u.list;
  return out;
}

bool place_files(Plan *p, Loaded *into, const LoadFiles *files, CueDiags *d) {
  CueArena *a = p->r->a;
  CueStr package = flag_text(&p->r->flags, FLAG_PACKAGE), own = into->instance->package;
  if (package.n && own.n && !cue_str_eq(package, own) && !flag_on(&p->r->flags, FLAG_FORCE))
    return cue_report(d, 0, "\"package\" flag clashes with existing package name (%.*s vs %.*s)", CUE_FMT(package),
                      CUE_FMT(own));
  bool placed = p->use_list || p->path.n;
  for (uint32_t i = 0; i < files->n; i++) {
    DataFiles docs = load_data(p->r->c, &p->load, &files->at[i], d);
    if (d->n) return false;
    if (placed) {
      AstFile *one = place_documents(p, files->at[i].path, &docs, d);
      if (!one) return false;
      docs.n = 0;
      cue_push(a, &docs, one);
    }
    for (uint32_t k = 0; k < docs.n; k++) {
      set_package(a, docs.at[k], placed && !package.n ? own : package);
      load_add_file(p->r->c, into, docs.at[k]);
    }
  }
  if (package.n && !own.n && files->n) into->instance->package = package;
  return true;
}
