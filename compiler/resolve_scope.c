/* resolve_scope.c - scopes: which names are declared where, and which clash.
**
** A frame lists the names it declares; looking one up goes outwards. Names of a struct are all
** declared before any of its values is compiled, since order does not matter in CUE. Inserting
** a name looks outwards too: an alias must not share its name with a field it can see.
*/
#include <string.h>

#include "compiler/literal.h"
#include "compiler/load_fs.h"
#include "compiler/resolve.h"

/* Up to this many names a frame is searched one by one. */
enum { FEW_NAMES = 8 };

Frame *frame_push(Resolver *r, const Ast *node, uint32_t up) {
  Frame *f = r->spare;
  if (f) {
    r->spare = f->outer;
    *f = (Frame){
        .names.at = f->names.at, .names.cap = f->names.cap, .aliases.at = f->aliases.at, .aliases.cap = f->aliases.cap};
  } else {
    f = cue_new(r->a, Frame);
  }
  f->outer = r->top;
  f->node = node;
  f->up = up;
  r->top = f;
  return f;
}

void frame_pop(Resolver *r) {
  Frame *f = r->top;
  for (uint32_t i = 0; i < f->aliases.n; i++) {
    const Alias *al = &f->aliases.at[i];
    if (!al->used) resolve_errorf(r, al->source, "unreferenced alias or let clause %.*s", CUE_FMT(al->key.name));
  }
  r->top = f->outer;
  f->outer = r->spare;
  r->spare = f;
}

void frame_pop_to(Resolver *r, const Frame *outer) {
  while (r->top != outer) frame_pop(r);
}

/* ---- names to places in an array ---- */

static const NameKey *key_at(const void *items, size_t size, uint32_t i) {
  return (const NameKey *)(const void *)((const char *)items + size * i);
}

static void index_put(NameIndex *x, const NameKey *key, uint32_t place) {
  uint32_t at = key->hash & x->mask;
  while (x->slots[at]) at = (at + 1) & x->mask;
  x->slots[at] = place + 1;
}

/* Takes note of the last of n items. */
static void index_added(CueArena *a, NameIndex *x, const void *items, size_t size, uint32_t n) {
  if (n <= FEW_NAMES) return;
  if (x->slots && n * 2 <= x->mask) {
    index_put(x, key_at(items, size, n - 1), n - 1);
    return;
  }
  x->mask = 31;
  while (x->mask < n * 2) x->mask = x->mask * 2 + 1;
  x->slots = cue_array(a, uint32_t, (size_t)x->mask + 1);
  for (uint32_t i = 0; i < n; i++) index_put(x, key_at(items, size, i), i);
}

/* The place of an item + 1, or 0. */
static uint32_t index_find(const NameIndex *x, const void *items, size_t size, uint32_t n, NameKey key) {
  if (x->slots) {
    for (uint32_t at = key.hash & x->mask; x->slots[at]; at = (at + 1) & x->mask) {
      const NameKey *k = key_at(items, size, x->slots[at] - 1);
      if (k->hash == key.hash && cue_str_eq(k->name, key.name)) return x->slots[at];
    }
    return 0;
  }
  for (uint32_t i = 0; i < n; i++) {
    const NameKey *k = key_at(items, size, i);
    if (k->hash == key.hash && cue_str_eq(k->name, key.name)) return i + 1;
  }
  return 0;
}

static NameKey key_of(CueStr name) { return (NameKey){name, cue_str_hash(name)}; }

/* ---- names ---- */

static Name *names_search(const Frame *f, NameKey key) {
  uint32_t i = index_find(&f->name_index, f->names.at, sizeof(Name), f->names.n, key);
  return i ? &f->names.at[i - 1] : NULL;
}

static bool name_visible(const Frame *f, const Name *n) {
  return !f->hidden || n->kind != NAME_LET || !cue_str_eq(n->key.name, f->hidden->u.let.name->u.text);
}

static const Name *frame_name(const Frame *f, CueStr name) {
  const Name *n = names_search(f, key_of(name));
  return n && name_visible(f, n) ? n : NULL;
}

static const Name *key_find(const Frame *from, NameKey key, const Frame **where) {
  if (key.name.n == 1 && key.name.s[0] == '_') return NULL;
  for (const Frame *f = from; f; f = f->outer) {
    const Name *n = names_search(f, key);
    if (!n || !name_visible(f, n)) continue;
    *where = f;
    return n;
  }
  return NULL;
}

const Name *name_find(const Frame *from, CueStr name, const Frame **where) {
  return key_find(from, key_of(name), where);
}

static bool counts_as_alias(const Frame *f, NameKind kind) {
  if (f->node && f->node->kind == AST_FIELD) return true;
  return kind == NAME_LET || kind == NAME_FIELD_ALIAS || kind == NAME_PATTERN_ALIAS || kind == NAME_VALUE_ALIAS;
}

void name_insert(Resolver *r, Frame *f, CueStr name, NameKind kind, const Ast *node, const Ast *field) {
  if (!name.n) return;
  const Frame *where = NULL;
  NameKey key = key_of(name);
  const Name *old = key_find(f, key, &where);
  bool alias = counts_as_alias(f, kind);
  if (old) {
    bool old_alias = counts_as_alias(where, old->kind);
    if (alias != old_alias) {
      naming_errorf(r, node->pos, "cannot have both alias and field with name \"%.*s\" in same scope", CUE_FMT(name));
      return;
    }
    if (where == f && (alias || kind == NAME_IMPORT || old->kind == NAME_IMPORT)) {
      /* A clash with an import is reported when imports are checked. */
      if (old->kind != NAME_IMPORT)
        naming_errorf(r, node->pos, "alias \"%.*s\" redeclared in same scope", CUE_FMT(name));
      return;
    }
  }
  Name *same = names_search(f, key);
  if (same) {
    *same = (Name){key, kind, node, field};
    return;
  }
  cue_push(r->a, &f->names, (Name){key, kind, node, field});
  index_added(r->a, &f->name_index, f->names.at, sizeof(Name), f->names.n);
}

static bool is_blank(const Ast *ident) { return !ident || cue_str_is(ident->u.text, "_"); }

void postfix_aliases(Resolver *r, Frame *f, const Ast *field, const Ast *key, bool pattern) {
  const Ast *k = field->u.field.alias_label, *v = field->u.field.alias_field;
  if (!k && !v) return;
  NameKind kind = pattern ? NAME_PATTERN_ALIAS : NAME_FIELD_ALIAS;
  if (!k) {
    if (is_blank(v))
      naming_errorf(r, field->u.field.tilde, "single postfix alias \"%.*s\" field cannot be the blank identifier",
                    CUE_FMT(v->u.text));
    else
      name_insert(r, f, v->u.text, kind, field, NULL);
    return;
  }
  if (is_blank(k) && is_blank(v)) {
    naming_errorf(r, field->u.field.tilde, "both label and field in postfix alias cannot be the blank identifier");
    return;
  }
  if (!is_blank(k)) name_insert(r, f, k->u.text, NAME_KEY, key, field);
  if (!is_blank(v)) name_insert(r, f, v->u.text, kind, field, NULL);
}

static void field_names(Resolver *r, Frame *f, const Ast *x) {
  const Ast *label = x->u.field.label;
  if (label->kind == AST_ALIAS) {
    if (label->u.alias.x->kind != AST_LIST) name_insert(r, f, label->u.alias.ident->u.text, NAME_FIELD_ALIAS, x, NULL);
    if (x->u.field.alias_field) naming_errorf(r, x->pos, "field has both label alias and postfix alias");
  }
  if (label->kind != AST_LIST) postfix_aliases(r, f, x, x->u.field.alias_label, false);
  const Ast *name = label->kind == AST_ALIAS ? label->u.alias.x : label;
  if (name->kind != AST_IDENT) return;
  const Ast *value = x->u.field.value;
  if (value && value->kind == AST_ALIAS) value = value->u.alias.x;
  name_insert(r, f, name->u.text, NAME_FIELD, value ? value : x, NULL);
}

void names_declare(Resolver *r, Frame *f, const AstList *decls) {
  for (uint32_t i = 0; i < decls->n; i++) {
    const Ast *d = decls->at[i];
    if (d->kind == AST_FIELD)
      field_names(r, f, d);
    else if (d->kind == AST_LET)
      name_insert(r, f, d->u.let.name->u.text, NAME_LET, d, NULL);
  }
}

Alias *alias_get(const Frame *f, CueStr name) {
  uint32_t i = index_find(&f->alias_index, f->aliases.at, sizeof(Alias), f->aliases.n, key_of(name));
  return i ? &f->aliases.at[i - 1] : NULL;
}

Bottom *alias_add(Resolver *r, Frame *f, const Ast *ident, Alias alias) {
  if (!cue_is_valid_ident(ident->u.text)) return resolve_errorf(r, alias.source, "invalid identifier name");
  const Alias *old = alias_get(f, ident->u.text);
  if (old) {
    CueStr at = resolve_pos_text(r, old->source->pos);
    return resolve_errorf(r, alias.source, "alias \"%.*s\" already declared; previous declaration at %.*s",
                          CUE_FMT(ident->u.text), CUE_FMT(at));
  }
  if (is_blank(ident)) return resolve_errorf(r, ident, "cannot use _ as alias or let clause");
  alias.key = key_of(ident->u.text);
  cue_push(r->a, &f->aliases, alias);
  index_added(r->a, &f->alias_index, f->aliases.at, sizeof(Alias), f->aliases.n);
  return NULL;
}

/* ---- references in pattern labels ---- */

static void pattern_ident(Resolver *r, const Ast *n) {
  for (const Frame *f = r->top; f && !f->in_field; f = f->outer)
    if (frame_name(f, n->u.text))
      naming_errorf(r, n->pos,
                    "reference \"%.*s\" in label expression refers to field against which it would be matched",
                    CUE_FMT(n->u.text));
}

static void pattern_list(Resolver *r, const AstList *l) {
  for (uint32_t i = 0; i < l->n; i++) pattern_check(r, l->at[i]);
}

/* Every identifier below x, in whatever role. The nesting of x is bounded by the parser. */
void pattern_check(Resolver *r, const Ast *x) {
  if (!x) return;
  switch ((AstKind)x->kind) {
  case AST_IDENT: pattern_ident(r, x); return;
  case AST_STRUCT:
  case AST_LIST:
  case AST_INTERPOLATION: pattern_list(r, &x->u.list); return;
  case AST_FIELD:
    pattern_check(r, x->u.field.label);
    pattern_check(r, x->u.field.value);
    return;
  case AST_TRY:
  case AST_LET:
    pattern_check(r, x->u.let.name);
    pattern_check(r, x->u.let.value);
    return;
  case AST_EMBED:
  case AST_ELLIPSIS:
  case AST_PAREN:
  case AST_IF:
  case AST_FALLBACK: pattern_check(r, x->u.x); return;
  case AST_COMPREHENSION:
    pattern_list(r, &x->u.comp.clauses);
    pattern_check(r, x->u.comp.value);
    pattern_check(r, x->u.comp.fallback);
    return;
  case AST_FOR:
    pattern_check(r, x->u.loop.key);
    pattern_check(r, x->u.loop.value);
    pattern_check(r, x->u.loop.source);
    return;
  case AST_SELECTOR:
    pattern_check(r, x->u.sel.x);
    pattern_check(r, x->u.sel.sel);
    return;
  case AST_INDEX:
    pattern_check(r, x->u.binary.x);
    pattern_check(r, x->u.binary.y);
    return;
  case AST_BINARY:
    for (; x->kind == AST_BINARY; x = x->u.binary.x) pattern_check(r, x->u.binary.y);
    pattern_check(r, x);
    return;
  case AST_SLICE:
    pattern_check(r, x->u.slice.x);
    pattern_check(r, x->u.slice.lo);
    pattern_check(r, x->u.slice.hi);
    return;
  case AST_CALL:
    pattern_check(r, x->u.call.fun);
    pattern_list(r, &x->u.call.args);
    return;
  case AST_UNARY:
  case AST_POSTFIX: pattern_check(r, x->u.unary.x); return;
  case AST_ALIAS:
    pattern_check(r, x->u.alias.ident);
    pattern_check(r, x->u.alias.x);
    return;
  case AST_BASIC:
  case AST_BOTTOM:
  case AST_FUNC:
  case AST_ATTRIBUTE:
  case AST_PACKAGE:
  case AST_IMPORTS:
  case AST_IMPORT:
  case AST_COMMENTS:
  case AST_BAD_DECL:
  case AST_BAD_EXPR:
  case AST_FILE: return;
  }
}

/* ---- errors ---- */

static CueStr label_text(Resolver *r, const Ast *node) {
  switch (node->kind) {
  case AST_FOR: return CUE_STR("for[]");
  case AST_LET: return CUE_STR("let[]");
  case AST_TRY: return CUE_STR("try[]");
  default: break;
  }
  const Ast *label = node->u.field.label;
  if (label->kind == AST_ALIAS) label = label->u.alias.x;
  switch (label->kind) {
  case AST_IDENT: return label->u.text;
  case AST_LIST: return CUE_STR("[]");
  case AST_INTERPOLATION: return CUE_STR("?");
  case AST_BASIC:
    if (label->op == TOK_STRING) {
      CueValue v = cue_literal_string(r->a, label->u.text);
      if (v.kind == CUE_STRING && !cue_label_needs_quotes(cue_value_str(v))) return cue_value_str(v);
    }
    return label->u.text;
  default: return CUE_STR("<unknown>");
  }
}

static void path_text(Resolver *r, const Frame *f, CueBuf *out) {
  enum { MAX_SHOWN = 512 }; /* deeper paths are cut at their root */
  const Ast *labels[MAX_SHOWN];
  uint32_t n = 0;
  for (; f && n < MAX_SHOWN; f = f->outer)
    if (f->label) labels[n++] = f->label;
  while (n) {
    if (out->n) cue_buf_ch(out, '.');
    cue_buf_str(out, label_text(r, labels[--n]));
  }
}

Bottom *resolve_errorf(Resolver *r, const Ast *n, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  CueStr message = cue_strvf(r->a, fmt, ap);
  va_end(ap);
  CueBuf path = cue_buf(r->a);
  path_text(r, r->top, &path);
  CueDiag *d = cue_diag_add(&r->errors, cue_buf_done(&path), message);
  if (cue_pos_known(n->pos)) cue_push(r->a, &d->at, n->pos);
  return resolve_bottom(r, n, BOTTOM_EVAL, message);
}

void naming_errorf(Resolver *r, CuePos at, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  CueStr message = cue_strvf(r->a, fmt, ap);
  va_end(ap);
  CueDiag *d = cue_diag_add(&r->naming, CUE_STR(""), message);
  if (cue_pos_known(at)) cue_push(r->a, &d->at, at);
}

CueStr resolve_pos_text(Resolver *r, CuePos p) {
  if (!cue_pos_known(p)) return CUE_STR("-");
  CueLineCol at = cue_source_line(r->c->sources, p);
  CueStr file = r->c->cwd.n ? path_shown(r->a, r->c->cwd, at.file) : at.file;
  return cue_strf(r->a, "%.*s:%u:%u", CUE_FMT(file), at.line, at.col);
}
