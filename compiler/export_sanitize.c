/* export_sanitize.c - makes the names of a built tree mean what the exporter meant.
**
** An identifier may carry its target: the value of a field, an aliased field, a let, an import.
** The tree is walked with the scopes CUE has. An import that is missing is added. An identifier
** that would be caught by another declaration is given a name of its own: the field gets an
** alias, or a let beside the target repeats it. Identifiers without a target are left alone.
**
** Scopes are kept as one table from names to their bindings, innermost first.
*/
#include "compiler/export.h"
#include "compiler/literal.h"

typedef struct Scope {
  struct Scope *outer;
  Ast *node; /* file, struct, field or clause; NULL for the one of imports */
  struct Binding *bindings;
} Scope;

typedef struct Binding {
  struct Name *name;
  struct Binding *outer;   /* of the same name */
  struct Binding *sibling; /* of the same scope */
  Scope *scope;
  Ast *node;   /* what a reference means */
  Ast *link;   /* what declares it: field, let, alias, import */
  bool hidden; /* a let does not see itself */
} Binding;

typedef struct Name {
  struct Name *next; /* of the same hash */
  CueStr text;
  Binding *top;
} Name;

typedef struct {
  CueArena *a;
  Ast *file;
  Scope imports; /* names of added imports: outermost */
  Scope *scope;
  Table names;       /* hash of the text to Name */
  Table renamed;     /* Ast to Name: how a declaration can be reached */
  Table own_imports; /* import paths (as Name) that needed another name */
  Random random;
  bool counting; /* first walk: only learns all names */
} Sanitizer;

static Name *name_get(Sanitizer *z, CueStr text, bool make) {
  uint64_t key = (uint64_t)cue_str_hash(text) + 1;
  for (Name *n = table_get(&z->names, key); n; n = n->next)
    if (cue_str_eq(n->text, text)) return n;
  if (!make) return NULL;
  Name **slot = (Name **)(void *)table_slot(z->a, &z->names, key);
  Name *n = cue_new(z->a, Name);
  n->next = *slot;
  n->text = text;
  return *slot = n;
}

/* ---- scopes ---- */

static void scope_push(Sanitizer *z, Scope *s, Ast *node) {
  *s = (Scope){.outer = z->scope, .node = node};
  z->scope = s;
}

static void scope_pop(Sanitizer *z) {
  for (Binding *b = z->scope->bindings; b; b = b->sibling) {
    Binding **at = &b->name->top;
    while (*at && *at != b) at = &(*at)->outer;
    if (*at) *at = b->outer;
  }
  z->scope = z->scope->outer;
}

static bool is_unique_kind(const Ast *n) {
  return n && (n->kind == AST_IMPORT || n->kind == AST_LET || n->kind == AST_TRY || n->kind == AST_ALIAS ||
               n->kind == AST_FIELD);
}

static void bind(Sanitizer *z, Scope *s, CueStr text, Ast *node, Ast *link) {
  if (!text.n) return;
  Name *name = name_get(z, text, true);
  if (z->counting) return;
  if (name->top && name->top->scope == s) {
    if (is_unique_kind(node) || is_unique_kind(name->top->node)) return;
    name->top->node = node;
    name->top->link = link;
    return;
  }
  Binding *b = cue_new(z->a, Binding);
  *b = (Binding){.name = name, .sibling = s->bindings, .scope = s, .node = node, .link = link};
  s->bindings = b;
  if (s == &z->imports) { /* added while inner scopes are open: goes last */
    Binding **at = &name->top;
    while (*at) at = &(*at)->outer;
    *at = b;
  } else {
    b->outer = name->top;
    name->top = b;
  }
}

static Binding *lookup(Sanitizer *z, CueStr text) {
  if (cue_str_is(text, "_")) return NULL;
  Name *n = name_get(z, text, false);
  Binding *b = n ? n->top : NULL;
  while (b && b->hidden) b = b->outer;
  return b;
}

static Ast *unaliased(Ast *label) { return label->kind == AST_ALIAS ? label->u.alias.x : label; }

static void declare_field(Sanitizer *z, Ast *f) {
  Ast *label = f->u.field.label, *plain = unaliased(label);
  if (label->kind == AST_ALIAS && plain->kind != AST_LIST) bind(z, z->scope, label->u.alias.ident->u.text, f, label);
  if (plain->kind != AST_IDENT) return;
  Ast *v = f->u.field.value;
  if (v && v->kind == AST_ALIAS) v = v->u.alias.x;
  bind(z, z->scope, plain->u.text, v, f);
}

static void declare(Sanitizer *z, const AstList *decls) {
  for (uint32_t i = 0; i < decls->n; i++) {
    Ast *d = decls->at[i];
    if (d->kind == AST_FIELD) declare_field(z, d);
    if (d->kind == AST_LET) bind(z, z->scope, d->u.let.name->u.text, d, d);
    if (d->kind == AST_ALIAS) bind(z, z->scope, d->u.alias.ident->u.text, d, d);
  }
}

/* ---- repairs ---- */

static CueStr unique_name(Sanitizer *z, CueStr base) {
  const uint64_t mask = 0xffffffffffffffu;
  for (uint64_t n = 0x10;; n = (mask & ((n << 4) - 1)) + 1) {
    unsigned long long num = random_below(&z->random, n);
    CueStr name = cue_strf(z->a, "%.*s_%01llX", CUE_FMT(base), num);
    if (name_get(z, name, false)) continue;
    name_get(z, name, true);
    return name;
  }
}

static void list_insert(CueArena *a, AstList *l, uint32_t at, Ast *n) {
  AstList out = {0}; /* a new array: the old one may be being walked */
  for (uint32_t i = 0; i < at; i++) ast_list_add(a, &out, l->at[i]);
  ast_list_add(a, &out, n);
  for (uint32_t i = at; i < l->n; i++) ast_list_add(a, &out, l->at[i]);
  *l = out;
}

/* Adds an import, or finds it; its place is behind package clause and other imports. */
static Ast *import_add(Sanitizer *z, Ast *spec) {
  AstList *decls = &z->file->u.list;
  Ast *group = NULL;
  uint32_t at = 0;
  for (uint32_t i = 0; i < decls->n; i++) {
    Ast *d = decls->at[i];
    if (d->kind == AST_ATTRIBUTE) continue;
    if (d->kind != AST_PACKAGE && d->kind != AST_COMMENTS && d->kind != AST_IMPORTS) break;
    at = i + 1;
    if (d->kind == AST_IMPORTS) group = d;
  }
  for (uint32_t i = 0; group && i < group->u.list.n; i++) {
    Ast *s = group->u.list.at[i];
    if (cue_str_eq(s->u.import.path->u.text, spec->u.import.path->u.text) &&
        cue_str_eq(tree_import_name(z->a, s), tree_import_name(z->a, spec)))
      return s;
  }
  if (!group) {
    group = tree_node(z->a, AST_IMPORTS);
    group->pos = cue_pos(0, CUE_REL_SECTION);
    list_insert(z->a, decls, at, group);
  }
  tree_add(z->a, group, spec);
  return spec;
}

static void fix_import(Sanitizer *z, Ast *ident, Ast *spec, const Binding *found) {
  if (!found) {
    import_add(z, spec);
    bind(z, &z->imports, tree_import_name(z->a, spec), spec, spec);
    return;
  }
  CueStr path = spec->u.import.path->u.text;
  if (found->node && found->node->kind == AST_IMPORT && cue_str_eq(found->node->u.import.path->u.text, path)) return;
  Name *key = name_get(z, path, true); /* with its quotes it is no identifier */
  Ast *own = table_get(&z->own_imports, KEY(key));
  if (!own) {
    CueStr name = unique_name(z, tree_import_name(z->a, spec));
    own = tree_node(z->a, AST_IMPORT);
    own->u.import.name = tree_ident(z->a, name);
    own->u.import.path = spec->u.import.path;
    own = import_add(z, own);
    *table_slot(z->a, &z->own_imports, KEY(key)) = own;
    bind(z, &z->imports, name, own, own);
  }
  ident->u.text = tree_import_name(z->a, own);
  ident->u.ident.node = own;
}

/* A let beside the declaration `link`, in the struct or file `parent`, that is not shadowed. */
static CueStr add_let(Sanitizer *z, Ast *parent, CueStr base, Ast *link) {
  Name *known = table_get(&z->renamed, KEY(link));
  if (known) return known->text;
  CueStr name = unique_name(z, base);
  *table_slot(z->a, &z->renamed, KEY(link)) = name_get(z, name, true);
  Ast *let = tree_node(z->a, AST_LET);
  let->u.let.name = tree_ident(z->a, name);
  let->u.let.value = tree_ident(z->a, base);
  AstList *decls = &parent->u.list;
  uint32_t at = 0;
  for (; at < decls->n; at++)
    if (decls->at[at] == link || (decls->at[at]->kind == AST_FIELD && decls->at[at]->u.field.label == link)) break;
  if (at) let->pos = cue_pos(0, CUE_REL_SECTION);
  list_insert(z->a, decls, at, let);
  return name;
}

static Ast *scope_parent(Sanitizer *z, const Binding *b) {
  Ast *n = b->scope->node;
  return n && (n->kind == AST_FILE || n->kind == AST_STRUCT) ? n : z->file;
}

static CueStr alias_field(Sanitizer *z, Ast *f, Ast *parent) {
  Name *known = table_get(&z->renamed, KEY(f));
  if (known) return known->text;
  Ast *label = f->u.field.label;
  if (label->kind == AST_ALIAS) return add_let(z, parent, label->u.alias.ident->u.text, label);
  if (label->kind != AST_IDENT) return CUE_STR("");
  CueStr name = unique_name(z, label->u.text);
  *table_slot(z->a, &z->renamed, KEY(f)) = name_get(z, name, true);
  Ast *alias = tree_alias(z->a, name, label);
  alias->u.alias.ident->pos = label->pos;
  alias->u.alias.ident->comments = label->comments;
  label->pos = 0;
  label->comments = NULL;
  f->u.field.label = alias;
  return name;
}

static void fix_ident(Sanitizer *z, Ast *ident) {
  Ast *target = ident->u.ident.node;
  if (z->counting || !target) return;
  Binding *found = lookup(z, ident->u.text);
  if (target->kind == AST_IMPORT) {
    fix_import(z, ident, target, found);
    return;
  }
  if (!found || found->node == target) return;
  Binding *meant = found;
  while (meant && (meant->hidden || meant->node != target)) meant = meant->outer;
  CueStr name;
  if (!meant) {
    name = add_let(z, z->file, ident->u.text, ident); /* perhaps declared in another file */
  } else if (meant->link->kind == AST_FIELD) {
    name = alias_field(z, meant->link, scope_parent(z, meant));
  } else if (meant->link->kind == AST_LET) {
    name = add_let(z, scope_parent(z, meant), meant->link->u.let.name->u.text, meant->link);
  } else if (meant->link->kind == AST_ALIAS) {
    name = add_let(z, scope_parent(z, meant), meant->link->u.alias.ident->u.text, meant->link);
  } else {
    return; /* variables of comprehensions cannot be reached by another name */
  }
  if (!name.n) return;
  ident->u.text = name;
  ident->u.ident.node = NULL;
}

/* ---- the walk ---- */

static void walk(Sanitizer *z, Ast *n);

static void walk_list(Sanitizer *z, AstList l) { /* by value: repairs may replace the list */
  for (uint32_t i = 0; i < l.n; i++) walk(z, l.at[i]);
}

static void walk_scope(Sanitizer *z, Ast *n) {
  Scope s;
  scope_push(z, &s, n);
  declare(z, &n->u.list);
  walk_list(z, n->u.list);
  scope_pop(z);
}

static void walk_field(Sanitizer *z, Ast *f) {
  Ast *label = f->u.field.label, *plain = unaliased(label), *v = f->u.field.value;
  Scope pattern, value;
  bool is_pattern = plain->kind == AST_LIST && plain->u.list.n == 1;
  if (is_pattern) {
    scope_push(z, &pattern, f);
    if (label->kind == AST_ALIAS) bind(z, z->scope, label->u.alias.ident->u.text, f, label);
    Ast *elem = plain->u.list.at[0];
    if (elem->kind == AST_ALIAS) {
      bind(z, z->scope, elem->u.alias.ident->u.text, elem->u.alias.x, elem);
      elem = elem->u.alias.x;
    }
    walk(z, elem);
  } else if (plain->kind == AST_PAREN || plain->kind == AST_INTERPOLATION) {
    walk(z, plain);
  }
  if (v) {
    bool has_alias = v->kind == AST_ALIAS;
    if (has_alias) {
      scope_push(z, &value, f);
      bind(z, z->scope, v->u.alias.ident->u.text, v, f);
      v = v->u.alias.x;
    }
    walk(z, v);
    if (has_alias) scope_pop(z);
  }
  if (is_pattern) scope_pop(z);
}

/* Without its own name, if that is bound in this very scope. */
static void walk_without(Sanitizer *z, Ast *name, Ast *x) {
  Binding *b = lookup(z, name->u.text);
  bool hide = b && b->scope == z->scope && !z->counting;
  if (hide) b->hidden = true;
  walk(z, x);
  if (hide) b->hidden = false;
}

static void walk_clauses(Sanitizer *z, Ast *n, uint32_t i) {
  AstList *clauses = &n->u.comp.clauses;
  if (i == clauses->n) {
    walk(z, n->u.comp.value);
    return;
  }
  Ast *c = clauses->at[i];
  Scope s;
  switch (c->kind) {
  case AST_FOR:
    walk(z, c->u.loop.source);
    scope_push(z, &s, c);
    if (c->u.loop.key) bind(z, &s, c->u.loop.key->u.text, c->u.loop.key, c);
    bind(z, &s, c->u.loop.value->u.text, c->u.loop.value, c);
    break;
  case AST_LET:
  case AST_TRY:
    if (c->u.let.value) walk(z, c->u.let.value);
    scope_push(z, &s, c);
    if (c->u.let.name) bind(z, &s, c->u.let.name->u.text, c->u.let.name, c);
    break;
  default:
    walk(z, c->u.x);
    walk_clauses(z, n, i + 1);
    return;
  }
  walk_clauses(z, n, i + 1);
  scope_pop(z);
}

static void walk(Sanitizer *z, Ast *n) {
  if (!n) return;
  switch ((AstKind)n->kind) {
  case AST_IDENT: fix_ident(z, n); return;
  case AST_FILE:
  case AST_STRUCT: walk_scope(z, n); return;
  case AST_FIELD: walk_field(z, n); return;
  case AST_LET: walk_without(z, n->u.let.name, n->u.let.value); return;
  case AST_ALIAS: walk_without(z, n->u.alias.ident, n->u.alias.x); return;
  case AST_COMPREHENSION:
    walk_clauses(z, n, 0);
    if (n->u.comp.fallback) walk(z, n->u.comp.fallback->u.x);
    return;
  case AST_LIST:
  case AST_INTERPOLATION: walk_list(z, n->u.list); return;
  case AST_SELECTOR: walk(z, n->u.sel.x); return;
  case AST_BINARY:
  case AST_INDEX:
    walk(z, n->u.binary.x);
    walk(z, n->u.binary.y);
    return;
  case AST_SLICE:
    walk(z, n->u.slice.x);
    walk(z, n->u.slice.lo);
    walk(z, n->u.slice.hi);
    return;
  case AST_CALL:
    walk(z, n->u.call.fun);
    walk_list(z, n->u.call.args);
    return;
  case AST_UNARY:
  case AST_POSTFIX: walk(z, n->u.unary.x); return;
  case AST_EMBED:
  case AST_ELLIPSIS:
  case AST_PAREN: walk(z, n->u.x); return;
  default: return;
  }
}

void tree_sanitize(CueArena *a, Ast *file) {
  Sanitizer z = {.a = a, .file = file, .random = random_new(), .counting = true};
  z.scope = &z.imports;
  walk(&z, file);
  z.counting = false;
  walk(&z, file);
}
