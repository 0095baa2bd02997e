/* program.c - see program.h.
**
** A program is a package without a folder. Its text names what it imports; the packages are those
** the caller has loaded, so that they are the same objects everywhere and evaluated once.
*/
#include "compiler/render/program.h"

#include <string.h>

#include "compiler/literal.h"
#include "compiler/parse.h"

#define PROGRAM "opm.program"

static void add_import(CueContext *c, CueBuf *text, Instance *inst, const char *name, Instance *package,
                       const CueBuiltinPackage *builtin) {
  /* A path no user can have: it only joins the text with the packages given. */
  CueStr path = builtin ? cue_str(name) : cue_strf(c->a, "opm.program/%s", name);
  cue_buf_f(text, "import %s \"%.*s\"\n", name, CUE_FMT(path));
  cue_push(c->a, &inst->imports, (struct Import){path, package, builtin});
}

static bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '#';
}

/* Whether the text needs an import: one that is made may turn out not to, and an unused import is an error. A label is
** followed by a colon, and what is selected follows a dot. */
static bool refers_to(CueStr text, CueStr name) {
  for (size_t at = 0; at + name.n <= text.n; at++) {
    if (memcmp(text.s + at, name.s, name.n)) continue;
    char before = at ? text.s[at - 1] : ' ', after = at + name.n < text.n ? text.s[at + name.n] : ' ';
    if (!is_name(before) && before != '.' && before != '"' && !is_name(after) && after != ':' && after != '"')
      return true;
  }
  return false;
}

Instance *program_build(CueContext *c, CueStr text, const ProgramImport *imports, uint32_t n, CueDiags *d) {
  Instance *inst = cue_new(c->a, Instance);
  inst->path = inst->package = inst->dir = inst->module = CUE_STR("");
  CueBuf whole = cue_buf(c->a);
  for (uint32_t i = 0; i < n; i++)
    if (refers_to(text, cue_str(imports[i].name)))
      add_import(c, &whole, inst, imports[i].name, imports[i].package,
                 imports[i].package ? NULL : c->find_builtin(cue_str(imports[i].name)));
  cue_buf_str(&whole, text);
  CueSource *src = cue_source_keep(c->sources, CUE_STR(PROGRAM), cue_buf_done(&whole));
  if (!src) {
    cue_report(d, 0, "sources are larger than 512 MiB together");
    return NULL;
  }
  AstFile *f = cue_parse_file(c->a, src, (ParseOptions){0}, d);
  if (d->n) return NULL;
  cue_push(c->a, &inst->files, f);
  return cue_build(c, inst, d) ? inst : NULL;
}

Instance *program_make(CueContext *c, CueStr text, const ProgramImport *imports, uint32_t n, CueDiags *d) {
  Instance *inst = program_build(c, text, imports, n, d);
  if (inst) cue_finalize(c->eval, inst->root);
  return inst;
}

Vertex *program_field(CueContext *c, Vertex *v, const char *name) {
  if (!v) return NULL;
  Vertex *arc = vertex_arc(vertex_deref(v), label_ident(c->labels, cue_str(name), CUE_STR("")));
  return arc && vertex_defined(c->eval, arc) ? arc : NULL;
}

Vertex *program_path(CueContext *c, Vertex *v, const char *const *names) {
  for (; v && *names; names++) v = program_field(c, v, *names);
  return v;
}

CueValue program_data(CueContext *c, Vertex *v) {
  Bottom *why = NULL;
  if (!v) return cue_error(CUE_STR("not there"));
  CueValue data = cue_vertex_data(c->eval, c->a, v, false, &why);
  return why ? cue_error(CUE_STR("not concrete")) : data;
}

CueStr program_string(CueContext *c, Vertex *v, const char *const *path) {
  CueValue s = program_data(c, program_path(c, v, path));
  return s.kind == CUE_STRING ? cue_value_str(s) : CUE_STR("");
}

bool program_place(const CueContext *c, CuePos pos) {
  const CueSource *src = cue_source_of(c->sources, pos);
  return src && cue_str_is(src->name, PROGRAM);
}

void program_hide(CueContext *c, CueDiags *d) {
  for (CueDiag *x = d->first; x; x = x->next) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->at.n; i++)
      if (!program_place(c, x->at.at[i])) x->at.at[n++] = x->at.at[i];
    x->at.n = n;
  }
}

void program_quote(CueBuf *out, CueStr s) { cue_buf_str(out, cue_literal_quote(out->a, s, CUE_QUOTE_STRING, 0)); }

void program_index(CueBuf *out, CueStr name) {
  cue_buf_ch(out, '[');
  program_quote(out, name);
  cue_buf_ch(out, ']');
}

bool program_failed(RenderFailure *why, RenderVerdict verdict, CueStr summary, CueStr hint) {
  why->verdict = verdict;
  why->summary = summary;
  why->hint = hint;
  return false;
}

static bool is_denied(const CueDiag *x) { return cue_str_has_suffix(x->message, CUE_STR(": permission denied")); }

static CueStr load_hint(const CueDiags *d) {
  for (const CueDiag *x = d->first; x; x = x->next) {
    if (is_denied(x)) return CUE_STR("check that it can be read by the user who runs opm");
    if (cue_str_find(x->message, CUE_STR("there is no cue.mod/module.cue")) >= 0)
      return CUE_STR("imports need a cue.mod/module.cue in the folder or above it; it needs at least: "
                     "module: \"example.com/name@v0\" and language: version: \"v0.15.0\"");
    if (cue_str_find(x->message, CUE_STR("no language version declared")) >= 0)
      return CUE_STR("cue.mod/module.cue says which CUE it is written in: language: version: \"v0.15.0\"");
    if (cue_str_find(x->message, CUE_STR("import failed")) >= 0)
      return CUE_STR("opm catalog list shows the modules built into opm; others must be in the module cache");
  }
  return CUE_STR("opm cue vet -c=false in the folder checks its CUE alone");
}

bool program_load_failed(RenderFailure *why, CueStr summary) {
  RenderVerdict verdict = RENDER_INVALID;
  for (const CueDiag *x = why->details.first; x; x = x->next)
    if (is_denied(x)) verdict = RENDER_DENIED;
  return program_failed(why, verdict, summary, load_hint(&why->details));
}

/* ---- what is written ---- */

bool program_is_field(const Ast *d, const char *name) {
  if (d->kind != AST_FIELD) return false;
  const Ast *l = d->u.field.label;
  CueStr text = l->kind == AST_IDENT ? l->u.ident.name : l->kind == AST_BASIC ? l->u.text : CUE_STR("");
  return cue_str_is(text, name) ||
         (text.n > 2 && text.s[0] == '"' && cue_str_is(cue_str_sub(text, 1, text.n - 1), name));
}

bool program_covers(const Ast *n, uint32_t at) {
  if (!n || !cue_pos_known(n->pos) || cue_pos_offset(n->pos) > at) return false;
  /* In data, a field was made before its value came to its end. */
  return at < cue_pos_offset(n->end) || (n->kind == AST_FIELD && program_covers(n->u.field.value, at));
}

const Ast *program_declared_in(const AstList *decls, const char *name) {
  for (uint32_t i = 0; i < decls->n; i++)
    if (program_is_field(decls->at[i], name)) return decls->at[i]->u.field.value;
  return NULL;
}

const Ast *program_declared(const AstFile *f, const char *name) { return program_declared_in(&f->root->u.list, name); }

bool program_declares(const Instance *inst, const char *name) {
  for (uint32_t i = 0; i < inst->files.n; i++)
    if (program_declared(inst->files.at[i], name)) return true;
  return false;
}
