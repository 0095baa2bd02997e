/* export_tree.c - building syntax trees without positions, and the tables the exporter needs.
**
** A made node has no position; where layout matters, tree_set_rel asks for white space. The
** random numbers serve names that must differ from all others: the sequence is fixed, so that
** a value is always written alike.
*/
#include <string.h>

#include "compiler/export.h"
#include "compiler/literal.h"

/* ---- tables ---- */

static uint32_t key_hash(uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdull;
  x ^= x >> 33;
  return (uint32_t)x;
}

/* Key 0 is not used: neither a label nor an address is 0. */
void **table_slot(CueArena *a, Table *t, uint64_t key) {
  if (t->n * 2 >= t->mask) {
    Table old = *t;
    t->mask = old.mask ? old.mask * 2 + 1 : 7;
    t->keys = cue_array(a, uint64_t, t->mask + 1);
    t->values = cue_array(a, void *, t->mask + 1);
    for (uint32_t i = 0; old.keys && i <= old.mask; i++) {
      if (!old.keys[i]) continue;
      uint32_t h = key_hash(old.keys[i]) & t->mask;
      while (t->keys[h]) h = (h + 1) & t->mask;
      t->keys[h] = old.keys[i];
      t->values[h] = old.values[i];
    }
  }
  uint32_t h = key_hash(key) & t->mask;
  while (t->keys[h] && t->keys[h] != key) h = (h + 1) & t->mask;
  if (!t->keys[h]) t->n++;
  t->keys[h] = key;
  return &t->values[h];
}

static const void *const *table_find(const Table *t, uint64_t key) {
  if (!t->keys) return NULL;
  uint32_t h = key_hash(key) & t->mask;
  while (t->keys[h] && t->keys[h] != key) h = (h + 1) & t->mask;
  return t->keys[h] ? (const void *const *)&t->values[h] : NULL;
}

void *table_get(const Table *t, uint64_t key) {
  void *const *slot = (void *const *)table_find(t, key);
  return slot ? *slot : NULL;
}

bool table_has(const Table *t, uint64_t key) { return table_find(t, key) != NULL; }

/* ---- random numbers: PCG with the DXSM output ---- */

Random random_new(void) { return (Random){123, 456}; }

static uint64_t mul_high(uint64_t x, uint64_t y, uint64_t *low) {
  unsigned __int128 p = (unsigned __int128)x * y;
  *low = (uint64_t)p;
  return (uint64_t)(p >> 64);
}

static uint64_t random_next(Random *r) {
  const uint64_t mul_hi = 2549297995355413924u, mul_lo = 4865540595714422341u;
  const uint64_t inc_hi = 6364136223846793005u, inc_lo = 1442695040888963407u;
  uint64_t lo, hi = mul_high(r->lo, mul_lo, &lo);
  hi += r->hi * mul_lo + r->lo * mul_hi;
  lo += inc_lo;
  hi += inc_hi + (lo < inc_lo);
  *r = (Random){hi, lo};
  hi ^= hi >> 32;
  hi *= 0xda942042e4dd58b5u;
  hi ^= hi >> 48;
  return hi * (lo | 1);
}

uint64_t random_below(Random *r, uint64_t n) {
  if ((n & (n - 1)) == 0) return random_next(r) & (n - 1);
  uint64_t low, high = mul_high(random_next(r), n, &low);
  for (uint64_t thresh = -n % n; low < thresh;) high = mul_high(random_next(r), n, &low);
  return high;
}

/* ---- nodes ---- */

Ast *tree_node(CueArena *a, AstKind kind) { return ast_new(a, kind, 0, 0); }

Ast *tree_ident(CueArena *a, CueStr name) {
  Ast *n = tree_node(a, AST_IDENT);
  n->u.text = name;
  return n;
}

Ast *tree_lit(CueArena *a, Tok kind, CueStr text) {
  Ast *n = tree_node(a, AST_BASIC);
  n->op = (uint8_t)kind;
  n->u.text = text;
  return n;
}

Ast *tree_string_label(CueArena *a, CueStr name) {
  if (!cue_label_needs_quotes(name)) return tree_ident(a, name);
  return tree_lit(a, TOK_STRING, cue_literal_quote(a, name, CUE_QUOTE_STRING, 0));
}

Ast *tree_binary(CueArena *a, Tok op, Ast *x, Ast *y) {
  if (!x) return y;
  if (!y) return x;
  Ast *n = tree_node(a, AST_BINARY);
  n->op = (uint8_t)op;
  n->u.binary.x = x;
  n->u.binary.y = y;
  return n;
}

Ast *tree_joined(CueArena *a, Tok op, Ast **at, uint32_t n) {
  Ast *x = NULL;
  for (uint32_t i = 0; i < n; i++) x = tree_binary(a, op, x, at[i]);
  return x;
}

Ast *tree_unary(CueArena *a, Tok op, Ast *x) {
  Ast *n = tree_node(a, AST_UNARY);
  n->op = (uint8_t)op;
  n->u.unary.x = x;
  return n;
}

Ast *tree_postfix(CueArena *a, Ast *x, Tok op) {
  Ast *n = tree_node(a, AST_POSTFIX);
  n->op = (uint8_t)op;
  n->u.unary.x = x;
  return n;
}

Ast *tree_selector(CueArena *a, Ast *x, Ast *sel) {
  Ast *n = tree_node(a, AST_SELECTOR);
  n->u.sel.x = x;
  n->u.sel.sel = sel;
  return n;
}

Ast *tree_index(CueArena *a, Ast *x, Ast *index) {
  Ast *n = tree_node(a, AST_INDEX);
  n->u.binary.x = x;
  n->u.binary.y = index;
  return n;
}

Ast *tree_field(CueArena *a, Ast *label, Ast *value) {
  Ast *n = tree_node(a, AST_FIELD);
  n->u.field.label = label;
  n->u.field.value = value;
  return n;
}

Ast *tree_embed(CueArena *a, Ast *x) {
  Ast *n = tree_node(a, AST_EMBED);
  n->u.x = x;
  return n;
}

Ast *tree_alias(CueArena *a, CueStr name, Ast *x) {
  Ast *n = tree_node(a, AST_ALIAS);
  n->u.alias.ident = tree_ident(a, name);
  n->u.alias.x = x;
  return n;
}

Ast *tree_import(CueArena *a, CueStr name, CueStr path) {
  Ast *n = tree_node(a, AST_IMPORT);
  if (name.n) n->u.import.name = tree_ident(a, name);
  n->u.import.path = tree_lit(a, TOK_STRING, cue_literal_quote(a, path, CUE_QUOTE_STRING, 0));
  return n;
}

CueStr tree_import_name(CueArena *a, const Ast *spec) {
  if (spec->u.import.name) return spec->u.import.name->u.text;
  CueValue path = cue_literal_string(a, spec->u.import.path->u.text);
  return path.kind == CUE_STRING ? import_qualifier(cue_value_str(path)) : CUE_STR("");
}

CueStr import_qualifier(CueStr path) {
  size_t from = 0, to = path.n;
  for (size_t i = 0; i < path.n; i++)
    if (path.s[i] == ':') return cue_str_sub(path, i + 1, path.n);
  for (size_t i = 0; i < path.n; i++) {
    if (path.s[i] == '/') from = i + 1;
    if (path.s[i] == '@') {
      to = i;
      break;
    }
  }
  return cue_str_sub(path, from < to ? from : to, to);
}

/* Sets the white space before the token that n begins with. */
void tree_set_rel(Ast *n, CueRel rel) {
  for (;;) {
    switch ((AstKind)n->kind) {
    case AST_FIELD: n = n->u.field.label; continue;
    case AST_EMBED: n = n->u.x; continue;
    case AST_BINARY:
    case AST_INDEX: n = n->u.binary.x; continue;
    case AST_SELECTOR: n = n->u.sel.x; continue;
    case AST_SLICE: n = n->u.slice.x; continue;
    case AST_CALL: n = n->u.call.fun; continue;
    case AST_POSTFIX: n = n->u.unary.x; continue;
    case AST_ALIAS: n = n->u.alias.ident; continue;
    case AST_INTERPOLATION:
      if (!n->u.list.n) return;
      n = n->u.list.at[0];
      continue;
    case AST_COMPREHENSION:
      if (!n->u.comp.clauses.n) return;
      n = n->u.comp.clauses.at[0];
      continue;
    case AST_STRUCT:
      if (!n->open && n->u.list.n) { /* without a brace it begins with its first declaration */
        n = n->u.list.at[0];
        continue;
      }
      n->open = cue_pos_with_rel(n->open, rel);
      return;
    case AST_LIST:
    case AST_PAREN: n->open = cue_pos_with_rel(n->open, rel); return;
    default: n->pos = cue_pos_with_rel(n->pos, rel); return;
    }
  }
}
