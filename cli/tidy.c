/* tidy.c - a module file edited.
**
** The file is changed as syntax: entries of deps are taken out, added in order, or given another
** version; everything else, comments too, stays as it was. The result is laid out as `cue fmt` does.
** A file whose entries are right is not touched.
*/
#include "cli/tidy.h"

#include "compiler/fmt.h"
#include "compiler/literal.h"
#include "compiler/load_fs.h"
#include "compiler/parse.h"

typedef struct {
  CueArena *a;
  Tidy *out;
} Edit;

static bool label_is(CueArena *a, const Ast *field, const char *name) {
  CueStr label;
  bool ident;
  return field->kind == AST_FIELD && ast_label_name(a, field->u.field.label, &label, &ident) && cue_str_is(label, name);
}

static CueStr label_of(CueArena *a, const Ast *field) {
  CueStr label = CUE_STR("");
  bool ident;
  if (field->kind == AST_FIELD) ast_label_name(a, field->u.field.label, &label, &ident);
  return label;
}

static Ast *text_node(Edit *e, CueStr text, CueRel rel) {
  Ast *n = ast_new(e->a, AST_BASIC, cue_pos(0, rel), 0);
  n->op = TOK_STRING;
  n->u.text = cue_literal_quote(e->a, text, CUE_QUOTE_STRING, 0);
  return n;
}

static Ast *field_node(Edit *e, Ast *label, Ast *value) {
  Ast *f = ast_new(e->a, AST_FIELD, label->pos, 0);
  f->u.field.label = label;
  f->u.field.value = value;
  return f;
}

static Ast *struct_node(Edit *e) {
  Ast *s = ast_new(e->a, AST_STRUCT, cue_pos(0, CUE_REL_BLANK), 0);
  s->open = cue_pos(0, CUE_REL_BLANK);
  s->close = cue_pos(0, CUE_REL_NEWLINE);
  return s;
}

static Ast *name_node(Edit *e, const char *name) {
  Ast *n = ast_new(e->a, AST_IDENT, cue_pos(0, CUE_REL_NEWLINE), 0);
  n->u.text = cue_str(name);
  return n;
}

static void change(Edit *e, const char *what, CueStr module, CueStr version) {
  cue_push(e->a, &e->out->changes, cue_strf(e->a, "%s %.*s %.*s", what, CUE_FMT(module), CUE_FMT(version)));
}

/* The node that holds the version of an entry; NULL if there is none. */
static Ast *version_of(Edit *e, const Ast *entry) {
  const Ast *v = entry->u.field.value;
  for (uint32_t i = 0; v->kind == AST_STRUCT && i < v->u.list.n; i++)
    if (label_is(e->a, v->u.list.at[i], "v")) return v->u.list.at[i]->u.field.value;
  return NULL;
}

static CueStr version_text(Edit *e, const Ast *version) {
  CueValue v = version && version->kind == AST_BASIC ? cue_literal_string(e->a, version->u.text) : cue_null();
  return v.kind == CUE_STRING ? cue_value_str(v) : CUE_STR("");
}

static const LoadDep *need_of(const LoadDeps *deps, CueStr module) {
  for (uint32_t i = 0; i < deps->needs.n; i++)
    if (cue_str_eq(deps->needs.at[i].module, module)) return &deps->needs.at[i];
  return NULL;
}

static Ast *entry_node(Edit *e, const LoadDep *need) {
  Ast *s = struct_node(e), *v = field_node(e, name_node(e, "v"), text_node(e, need->version, CUE_REL_BLANK));
  ast_list_add(e->a, &s->u.list, v);
  return field_node(e, text_node(e, need->module, CUE_REL_NEWLINE), s);
}

/* Takes out of a deps struct what is not needed, and corrects versions. */
static void keep_needed(Edit *e, Ast *s, const LoadDeps *deps, AstList *kept) {
  AstList left = {0};
  for (uint32_t i = 0; i < s->u.list.n; i++) {
    Ast *entry = s->u.list.at[i];
    CueStr module = label_of(e->a, entry);
    const LoadDep *need = need_of(deps, module);
    if (entry->kind == AST_FIELD && !need) {
      change(e, "drop", module, version_text(e, version_of(e, entry)));
      continue;
    }
    ast_list_add(e->a, &left, entry);
    if (!need) continue;
    ast_list_add(e->a, kept, entry);
    Ast *version = version_of(e, entry);
    if (!version || cue_str_eq(version_text(e, version), need->version)) continue;
    version->u.text = cue_literal_quote(e->a, need->version, CUE_QUOTE_STRING, 0);
    change(e, "raise", module, need->version);
  }
  s->u.list = left;
}

static bool has_entry(Edit *e, const AstList *kept, CueStr module) {
  for (uint32_t i = 0; i < kept->n; i++)
    if (cue_str_eq(label_of(e->a, kept->at[i]), module)) return true;
  return false;
}

/* Entries of `deps: {x: ...}`, which may have stood on one line. */
static void on_own_line(Ast *decl) {
  if (decl->kind != AST_FIELD || cue_pos_rel(decl->pos) >= CUE_REL_NEWLINE) return;
  decl->pos = cue_pos_with_rel(decl->pos, CUE_REL_NEWLINE);
  decl->u.field.label->pos = cue_pos_with_rel(decl->u.field.label->pos, CUE_REL_NEWLINE);
}

/* Before the first entry that sorts behind it. */
static void insert(Edit *e, Ast *s, Ast *entry) {
  AstList list = {0};
  CueStr module = label_of(e->a, entry);
  bool done = false;
  for (uint32_t i = 0; i < s->u.list.n; i++) {
    CueStr other = label_of(e->a, s->u.list.at[i]);
    if (!done && other.n && cue_str_cmp(module, other) < 0) {
      ast_list_add(e->a, &list, entry);
      done = true;
    }
    on_own_line(s->u.list.at[i]);
    ast_list_add(e->a, &list, s->u.list.at[i]);
  }
  if (!done) ast_list_add(e->a, &list, entry);
  s->u.list = list;
  s->synthetic = false; /* `deps: x: v: ...` gets its braces */
  s->open = cue_pos_with_rel(s->open, CUE_REL_BLANK);
  s->close = cue_pos_with_rel(s->close, CUE_REL_NEWLINE);
}

static void edit_deps(Edit *e, Ast *file, const LoadDeps *deps) {
  AstList kept = {0}, decls = {0};
  Ast *first = NULL;
  for (uint32_t i = 0; i < file->u.list.n; i++) {
    Ast *f = file->u.list.at[i];
    bool is_deps = label_is(e->a, f, "deps") && f->u.field.value->kind == AST_STRUCT;
    if (is_deps) {
      keep_needed(e, f->u.field.value, deps, &kept);
      if (!f->u.field.value->u.list.n && (first || !deps->needs.n)) continue;
      if (!first) first = f->u.field.value;
    }
    ast_list_add(e->a, &decls, f);
  }
  for (uint32_t i = 0; i < deps->needs.n; i++) {
    const LoadDep *need = &deps->needs.at[i];
    if (has_entry(e, &kept, need->module)) continue;
    if (!first) {
      first = struct_node(e);
      ast_list_add(e->a, &decls, field_node(e, name_node(e, "deps"), first));
    }
    insert(e, first, entry_node(e, need));
    change(e, "add", need->module, need->version);
  }
  file->u.list = decls;
}

bool tidy_module(Run *r, const LoadConfig *cfg, Tidy *out, CueDiags *d) {
  LoadFs fs = {r->a, cfg->embedded, cfg->nembedded, cfg->watch};
  LoadDeps deps;
  CueStr error;
  *out = (Tidy){.path = CUE_STR("")};
  if (!load_deps(r->c, cfg, &deps, d)) {
    out->whole_disk = cue_str_is(deps.root, "/");
    return false;
  }
  if (!deps.root.n) return true;
  out->path = path_join(r->a, deps.root, CUE_STR("cue.mod/module.cue"));
  if (!fs_read(&fs, out->path, &out->before, &error)) return cue_report(d, 0, "%.*s", CUE_FMT(error));
  CueSource *src = cue_source_add(r->c->sources, out->path, text_decode(r->a, out->before));
  if (!src) return cue_report(d, 0, "module file too large");
  AstFile *f = cue_parse_file(r->a, src, (ParseOptions){.comments = true}, d);
  if (d->n) return false;
  Edit e = {r->a, out};
  edit_deps(&e, f->root, &deps);
  out->after = out->before;
  if (!out->changes.n) return true;
  CueBuf text = cue_buf(r->a);
  cue_format_file(&text, f->root, (CueFmtOptions){.source = src});
  out->after = cue_buf_done(&text);
  return true;
}
