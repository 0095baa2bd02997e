/* resolve_ref.c - identifiers to references, and the imports of a file.
**
** What an identifier means is decided by what declares it (NameKind); the distance to it is
** counted in environments. A name no scope declares may be a field of another file of the
** package, an import whose package is named unlike its path, a field of the scope an
** expression was given, or predeclared.
*/
#include <stdlib.h>
#include <string.h>

#include "compiler/literal.h"
#include "compiler/module.h"
#include "compiler/resolve.h"

/* Lets that use each other nest calls that no nesting of the source bounds, and deeper ones than expressions. */
enum { LET_DEPTH = 4 };

static Ir *new_ref(Resolver *r, IrKind kind, const Ast *n, uint32_t up, Label label) {
  IrRef *x = IR_NEW(r->a, IrRef, kind, n);
  x->up = up;
  x->label = label;
  return (Ir *)x;
}

static uint32_t ups_to(const Resolver *r, const Frame *target) {
  uint32_t up = 0;
  for (const Frame *f = r->top; f && f != target; f = f->outer) up += f->up;
  return up;
}

/* The frame in which the value of field x is being compiled, or NULL outside of it. */
static const Frame *frame_of_field(const Resolver *r, const Ast *x) {
  const Frame *f = r->top;
  while (f && f->field != x) f = f->outer;
  return f;
}

static Alias *alias_use(const Frame *f, CueStr name) {
  for (; f; f = f->outer) {
    Alias *al = alias_get(f, name);
    if (!al) continue;
    al->used = true;
    return al;
  }
  return NULL;
}

/* Compiles a let in its own frame f, wherever the walk is just now. What the let depends on does not
** count for the expression being compiled: the callers see to that. */
void let_compile(Resolver *r, Frame *f, Alias *alias) {
  Frame *top = r->top;
  const Ast *hidden = f->hidden;
  const Ast *let = alias->let;
  CueStr name = alias->key.name;
  bool refers = r->refers_comp_var, names = r->names_comp_var;
  r->top = f;
  f->hidden = let;
  r->refers_comp_var = r->names_comp_var = false;
  r->depth += LET_DEPTH;
  Ir *x = resolve_labeled(r, let, let->u.let.value);
  r->depth -= LET_DEPTH;
  f->hidden = hidden;
  r->top = top;
  alias = alias_get(f, name); /* the walk may have moved the array */
  alias->expr = x;
  alias->multi = r->refers_comp_var;
  alias->direct = r->names_comp_var;
  r->refers_comp_var = refers;
  r->names_comp_var = names;
}

static Ir *let_ref(Resolver *r, const Ast *n, Frame *f, const Name *name) {
  CueStr text = name->key.name;
  Alias *al = alias_get(f, text);
  if (!al)
    return (Ir *)resolve_errorf(r, n, "could not find let or alias associated with identifier \"%.*s\"", CUE_FMT(text));
  Ir *value = al->expr;
  if (al->busy) {
    value = (Ir *)resolve_errorf(r, n, "cyclic references in let clause or alias");
  } else if (!value) {
    al->busy = true;
    let_compile(r, f, al);
    al = alias_get(f, text);
    al->busy = false;
    value = al->expr;
    r->refers_comp_var |= al->multi;
  } else if (!al->used) {
    r->refers_comp_var |= al->direct; /* only the first use makes its user depend on the variable, as in cue */
  }
  al->used = true;
  IrRef *x = (IrRef *)new_ref(r, IR_LET_REF, n, ups_to(r, f), al->label);
  x->x = value;
  return (Ir *)x;
}

static Ir *field_alias_ref(Resolver *r, const Ast *n, const Frame *f, const Name *name) {
  const Ast *field = name->node, *label = field->u.field.label;
  if (label->kind == AST_ALIAS) label = label->u.alias.x;
  const Alias *al = alias_use(f, name->key.name);
  if (label->kind == AST_IDENT || (label->kind == AST_BASIC && label->op != TOK_INT && label->op != TOK_FLOAT))
    return new_ref(r, IR_FIELD_REF, n, ups_to(r, f), resolve_label(r, label));
  if (label->kind == AST_LIST)
    return (Ir *)resolve_errorf(
        r, n, "invalid label: cannot reference fields with square brackets labels outside the field value");
  if (!al || !al->expr) return (Ir *)resolve_errorf(r, n, "cyclic reference in field alias");
  IrDynamicRef *x = IR_NEW(r->a, IrDynamicRef, IR_DYNAMIC_REF, n);
  x->up = ups_to(r, f);
  x->label = al->expr;
  x->alias = label_ident(r->c->labels, name->key.name, r->pkg);
  return (Ir *)x;
}

static Ir *key_ref(Resolver *r, const Ast *n, const Name *name) {
  const Ast *field = name->field;
  if (field->u.field.alias_label == name->node) {
    const Ast *label = field->u.field.label;
    if (label->kind == AST_IDENT) {
      CueStr s = label->u.text;
      if (s.n && (s.s[0] == '#' || s.s[0] == '_'))
        return (Ir *)resolve_errorf(r, name->node, "label alias cannot reference definition or hidden field");
      IrScalar *v = IR_NEW(r->a, IrScalar, IR_SCALAR, NULL);
      v->v = cue_string(s);
      return (Ir *)v;
    }
    if (label->kind == AST_BASIC) return resolve_expr(r, label);
  }
  return new_ref(r, IR_LABEL_REF, n, ups_to(r, frame_of_field(r, field)),
                 label_ident(r->c->labels, name->key.name, r->pkg));
}

static Ir *pattern_alias_ref(Resolver *r, const Ast *n, const Name *name) {
  const Frame *f = frame_of_field(r, name->node);
  alias_use(f, name->key.name);
  IrDynamicRef *x = IR_NEW(r->a, IrDynamicRef, IR_DYNAMIC_REF, n);
  x->up = ups_to(r, f);
  x->alias = label_ident(r->c->labels, name->key.name, r->pkg);
  /* The label is looked up in the environment the reference itself goes to, hence 0. */
  x->label = new_ref(r, IR_LABEL_REF, n, 0, x->alias);
  return (Ir *)x;
}

static Ir *import_ref(Resolver *r, const Ast *n, FileImport *imp) {
  imp->used = true;
  IrImport *x = IR_NEW(r->a, IrImport, IR_IMPORT_REF, n);
  x->path = imp->path;
  x->label = resolve_label(r, n);
  if (imp->import) {
    x->instance = imp->import->instance;
    x->builtin = imp->import->builtin;
  }
  return (Ir *)x;
}

static int label_cmp(const void *x, const void *y) {
  Label a = *(const Label *)x, b = *(const Label *)y;
  return a < b ? -1 : a > b;
}

static Ir *unresolved(Resolver *r, const Ast *n) {
  CueStr name = n->u.text;
  Label label = label_ident(r->c->labels, name, r->pkg);
  if (r->package_fields.n && bsearch(&label, r->package_fields.at, r->package_fields.n, sizeof label, label_cmp))
    return new_ref(r, IR_FIELD_REF, n, ups_to(r, NULL), label);
  for (uint32_t i = 0; i < r->imports.n; i++) {
    FileImport *imp = &r->imports.at[i];
    if (!imp->spec->u.import.name && cue_str_eq(imp->name, name)) return import_ref(r, n, imp);
  }
  if (r->scope && vertex_arc(r->scope, label)) return new_ref(r, IR_FIELD_REF, n, ups_to(r, NULL), label);
  if (r->infer_builtins) {
    CueStr path = builtin_path_of(r, name);
    if (path.n) {
      IrImport *x = IR_NEW(r->a, IrImport, IR_IMPORT_REF, n);
      x->path = path;
      x->label = label;
      x->builtin = r->c->find_builtin(path);
      return (Ir *)x;
    }
  }
  Ir *x = predeclared(r, n);
  if (x) return x;
  return (Ir *)resolve_errorf(r, n, "reference \"%.*s\" not found", CUE_FMT(name));
}

Ir *resolve_ident(Resolver *r, const Ast *n) {
  CueStr text = n->u.text;
  if (cue_str_is(text, "_")) return (Ir *)IR_NEW(r->a, Ir, IR_TOP, n);
  const Frame *f = NULL;
  const Name *name = name_find(r->top, text, &f);
  if (!name) return unresolved(r, n);
  switch (name->kind) {
  case NAME_FIELD: return new_ref(r, IR_FIELD_REF, n, ups_to(r, f), resolve_label(r, n));
  case NAME_CLAUSE:
    if (f->comp_var) r->refers_comp_var = r->names_comp_var = true;
    return new_ref(r, IR_FIELD_REF, n, ups_to(r, f), resolve_label(r, n));
  case NAME_FIELD_ALIAS: return field_alias_ref(r, n, f, name);
  case NAME_PATTERN_ALIAS: return pattern_alias_ref(r, n, name);
  case NAME_KEY: return key_ref(r, n, name);
  case NAME_VALUE_ALIAS:
    alias_use(f, text);
    return new_ref(r, IR_VALUE_REF, n, ups_to(r, f), label_ident(r->c->labels, text, r->pkg));
  case NAME_LET: {
    Frame *owner = r->top;
    while (owner != f) owner = owner->outer;
    return let_ref(r, n, owner, name);
  }
  case NAME_IMPORT:
    for (uint32_t i = 0; i < r->imports.n; i++)
      if (r->imports.at[i].spec == name->node) return import_ref(r, n, &r->imports.at[i]);
    break;
  }
  return (Ir *)resolve_errorf(r, n, "unresolved identifier %.*s", CUE_FMT(text));
}

/* ---- imports ---- */

static const struct Import *import_get(const Instance *inst, CueStr path) {
  for (uint32_t i = 0; inst && i < inst->imports.n; i++)
    if (cue_str_eq(inst->imports.at[i].path, path)) return &inst->imports.at[i];
  return NULL;
}

void file_imports(Resolver *r, const AstFile *f) {
  r->imports.n = 0;
  for (uint32_t i = 0; i < f->imports.n; i++) {
    const Ast *spec = f->imports.at[i];
    CueValue v = cue_literal_string(r->a, spec->u.import.path->u.text);
    if (v.kind != CUE_STRING) continue; /* the loader has said so */
    FileImport imp = {.spec = spec, .path = cue_value_str(v)};
    imp.import = import_get(r->inst, imp.path);
    ImportPath parts = import_path_parse(imp.path);
    if (imp.import && imp.import->instance)
      imp.name = imp.import->instance->package;
    else
      imp.name = path_base(imp.path);
    if (!imp.import) {
      const CueBuiltinPackage *b = r->c->find_builtin ? r->c->find_builtin(imp.path) : NULL;
      if (b) {
        struct Import *made = cue_new(r->a, struct Import);
        *made = (struct Import){.path = imp.path, .builtin = b};
        imp.import = made;
      } else if (cue_str_find(imp.path, CUE_STR(".")) >= 0) {
        CueStr own = r->inst ? r->inst->path : CUE_STR("");
        cue_report(&r->errors, spec->pos, "package \"%.*s\" imported but not defined in %.*s", CUE_FMT(imp.path),
                   CUE_FMT(own));
      } else {
        cue_report(&r->errors, spec->pos, "builtin package \"%.*s\" undefined", CUE_FMT(imp.path));
      }
    }
    cue_push(r->a, &r->imports, imp);
    const Ast *name = spec->u.import.name;
    name_insert(r, r->top, name ? name->u.text : parts.qualifier, NAME_IMPORT, spec, NULL);
  }
}

static const Ast *field_named(const AstFile *f, CueStr name) {
  const AstList *decls = &f->root->u.list;
  const Ast *found = NULL;
  for (uint32_t i = 0; i < decls->n; i++) {
    const Ast *d = decls->at[i];
    if (d->kind == AST_FIELD && d->u.field.label->kind == AST_IDENT && cue_str_eq(d->u.field.label->u.text, name))
      found = d;
  }
  return found;
}

/* After the file was compiled: imports must be used and must not clash with fields or each other. */
void file_imports_check(Resolver *r, const AstFile *f) {
  for (uint32_t i = 0; i < r->imports.n; i++) {
    const FileImport *imp = &r->imports.at[i];
    const Ast *given = imp->spec->u.import.name;
    CueStr name = given ? given->u.text : imp->name;
    const Ast *old = field_named(f, name);
    for (uint32_t k = 0; k < i; k++) {
      const Ast *g = r->imports.at[k].spec->u.import.name;
      if (cue_str_eq(g ? g->u.text : r->imports.at[k].name, name)) old = r->imports.at[k].spec;
    }
    if (old) {
      CueStr at = resolve_pos_text(r, old->pos);
      cue_report(&r->errors, imp->spec->pos, "%.*s redeclared as imported package name\n\tprevious declaration at %.*s",
                 CUE_FMT(name), CUE_FMT(at));
    } else if (!imp->used) {
      CueStr path = imp->spec->u.import.path->u.text;
      if (given)
        cue_report(&r->errors, imp->spec->pos, "imported and not used: %.*s as %.*s", CUE_FMT(path),
                   CUE_FMT(given->u.text));
      else
        cue_report(&r->errors, imp->spec->pos, "imported and not used: %.*s", CUE_FMT(path));
    }
  }
}
