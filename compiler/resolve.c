/* resolve.c - packages and expressions to core language: the entry points of the resolver.
**
** A package becomes one vertex with one conjunct per file. Names declared at the top of any
** file with a package clause are seen by all files of the instance. Packages it imports are
** built before it is called built; a cycle of imports was refused by the loader.
*/
#include "compiler/resolve.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/literal.h"

/* Instance.state; not begun is 0. Broken: an error that cue would have found while loading. */
enum { BUILD_UNDER_WAY = 1, BUILD_DONE = 2, BUILD_BROKEN = 3 };

void resolver_init(Resolver *r, CueContext *c, Instance *inst, CueStr pkg) {
  *r = (Resolver){
      .c = c, .a = c->a, .inst = inst, .pkg = pkg, .naming.a = c->a, .errors.a = c->a, .exp.structcmp = true};
}

/* The scope of hidden names: the import path, or module and package for files given one by one. */
static CueStr scope_of(CueArena *a, const Instance *inst) {
  if (inst->path.n) return inst->path;
  if (!inst->package.n) return CUE_STR("_");
  return cue_strf(a, "%.*s:%.*s", CUE_FMT(inst->module), CUE_FMT(inst->package));
}

static int label_cmp(const void *x, const void *y) {
  Label a = *(const Label *)x, b = *(const Label *)y;
  return a < b ? -1 : a > b;
}

static void package_fields(Resolver *r) {
  for (uint32_t i = 0; i < r->inst->files.n; i++) {
    const AstFile *f = r->inst->files.at[i];
    if (!f->package.n) continue;
    const AstList *decls = &f->root->u.list;
    for (uint32_t k = 0; k < decls->n; k++) {
      const Ast *d = decls->at[k];
      if (d->kind == AST_FIELD && d->u.field.label->kind == AST_IDENT)
        cue_push(r->a, &r->package_fields, resolve_label(r, d->u.field.label));
    }
  }
  if (r->package_fields.n) qsort(r->package_fields.at, r->package_fields.n, sizeof(Label), label_cmp);
}

static Ir *build_file(Resolver *r, AstFile *f) {
  r->exp = f->experiments;
  Frame *top = frame_push(r, f->root, 0);
  file_imports(r, f);
  names_declare(r, top, &f->root->u.list);
  IrStruct *st = IR_NEW(r->a, IrStruct, IR_STRUCT, f->root);
  st->flag = IR_STRUCT_FILE;
  resolve_decls(r, st, &f->root->u.list);
  if (r->stubs) return (Ir *)st; /* what they use counts, too, and they use this frame */
  frame_pop(r);
  file_imports_check(r, f);
  return (Ir *)st;
}

/* The resolver of a file with stubs stays for them. */
static Ir *build_stubs(Resolver *from, AstFile *f) {
  Resolver *r = cue_new(from->a, Resolver);
  resolver_init(r, from->c, from->inst, from->pkg);
  r->package_fields.at = from->package_fields.at;
  r->package_fields.n = from->package_fields.n;
  r->stubs = f;
  Ir *x = build_file(r, f);
  cue_diags_append(&from->naming, &r->naming);
  cue_diags_append(&from->errors, &r->errors);
  return x;
}

static bool has_stubs(const AstFile *f) {
  return f->source && f->source->stubs && f->source->stubs->open != UINT32_MAX;
}

/* Where inst imports path first. */
static CuePos import_pos(CueContext *c, const Instance *inst, CueStr path) {
  for (uint32_t i = 0; i < inst->files.n; i++) {
    const AstList *specs = &inst->files.at[i]->imports;
    for (uint32_t k = 0; k < specs->n; k++) {
      CueValue v = cue_literal_string(c->a, specs->at[k]->u.import.path->u.text);
      if (v.kind == CUE_STRING && cue_str_eq(cue_value_str(v), path)) return specs->at[k]->pos;
    }
  }
  return 0;
}

/* Naming errors of an imported package hide all others of the package that imports it. */
static void wrap_errors(CueContext *c, Instance *inst, const struct Import *import) {
  CuePos at = import_pos(c, inst, import->path);
  for (const CueDiag *x = import->instance->errors->first; x; x = x->next) {
    CueDiag *d = cue_diag_add(inst->errors, x->path, cue_strf(c->a, "import failed: %.*s", CUE_FMT(x->message)));
    cue_push(c->a, &d->at, at);
    for (uint32_t i = 0; i < x->at.n; i++) cue_push(c->a, &d->at, x->at.at[i]);
  }
}

/* Lets are numbered as they are met, and messages show the numbers: what a package imports comes before it, in the
** order of its files. The errors are told by build_imports. */
static void build_imports_first(CueContext *c, Instance *inst) {
  CueDiags told_later = {.a = c->a};
  for (uint32_t i = 0; i < inst->files.n; i++) {
    const AstList *specs = &inst->files.at[i]->imports;
    for (uint32_t k = 0; k < specs->n; k++) {
      CueValue v = cue_literal_string(c->a, specs->at[k]->u.import.path->u.text);
      if (v.kind != CUE_STRING) continue;
      for (uint32_t m = 0; m < inst->imports.n; m++)
        if (inst->imports.at[m].instance && cue_str_eq(inst->imports.at[m].path, cue_value_str(v)))
          cue_build(c, inst->imports.at[m].instance, &told_later);
    }
  }
}

/* False if a package it imports has naming errors. */
static bool build_imports(CueContext *c, Instance *inst) {
  CueDiags errors = {.a = c->a};
  for (uint32_t i = 0; i < inst->imports.n; i++) {
    Instance *dep = inst->imports.at[i].instance;
    if (!dep || cue_build(c, dep, &errors) || dep->state != BUILD_BROKEN) continue;
    wrap_errors(c, inst, &inst->imports.at[i]);
    return false;
  }
  cue_diags_append(inst->errors, &errors);
  return true;
}

/* What the evaluator asks of the file a node stands in. */
static void note_semantics(CueSources *ss, const AstFile *f) {
  if (!f->source) return;
  f->source->explicit_open = f->experiments.explicitopen;
  f->source->old_compare = !f->experiments.structcmp;
  ss->any_explicit_open |= f->source->explicit_open;
  ss->any_old_compare |= f->source->old_compare;
}

bool cue_build(CueContext *c, Instance *inst, CueDiags *d) {
  if (inst->state) {
    if (inst->errors) cue_diags_append(d, inst->errors);
    return !inst->errors || !inst->errors->n;
  }
  inst->state = BUILD_UNDER_WAY;
  if (!inst->errors) {
    inst->errors = cue_new(c->a, CueDiags);
    inst->errors->a = c->a;
  }
  build_imports_first(c, inst);
  Resolver r;
  resolver_init(&r, c, inst, scope_of(c->a, inst));
  package_fields(&r);
  Vertex *root = IR_NEW(c->a, Vertex, IR_VERTEX, NULL);
  root->more = &vertex_no_more;
  Env *env = cue_new(c->a, Env);
  for (uint32_t i = 0; i < inst->files.n; i++) {
    AstFile *f = inst->files.at[i];
    Ir *x = has_stubs(f) ? build_stubs(&r, f) : build_file(&r, f);
    note_semantics(c->sources, f);
    cue_push(c->a, &root->conjuncts, (Conjunct){.env = env, .x = x});
  }
  inst->root = root;
  bool broken = inst->errors->n || r.naming.n;
  cue_diags_append(inst->errors, &r.naming);
  broken = broken || !build_imports(c, inst);
  if (!broken) {
    cue_diags_append(inst->errors, &r.errors);
    if (inst->late) cue_diags_append(inst->errors, inst->late);
  }
  cue_diags_append(d, inst->errors);
  inst->state = broken ? BUILD_BROKEN : BUILD_DONE;
  return !inst->errors->n;
}

void cue_check_names(CueContext *c, AstFile *f, CueDiags *d) {
  Instance alone = {0};
  Resolver r;
  resolver_init(&r, c, &alone, CUE_STR("_"));
  build_file(&r, f);
  cue_diags_append(d, &r.naming);
}

Ir *cue_build_expr(CueContext *c, Instance *scope, Ast *x, CueDiags *d) {
  Resolver r;
  resolver_init(&r, c, scope, scope ? scope_of(c->a, scope) : CUE_STR("_"));
  if (scope && scope->root) {
    cue_finalize(c->eval, scope->root);
    r.scope = vertex_deref(scope->root);
  }
  r.infer_builtins = true;
  Ir *made = resolve_expr(&r, x);
  cue_diags_append(d, &r.naming);
  if (!r.naming.n) cue_diags_append(d, &r.errors);
  return r.naming.n || r.errors.n ? NULL : made;
}
