/* export.h - what the files that turn results into data and syntax share.
**
** Syntax is made from two sides. Value mode (export_value.c) writes what a vertex evaluated to.
** Expression mode (export_expr.c, export_merge.c) writes the conjuncts of a vertex, with the
** literal ones merged; it serves cue def, and value mode where a value is not known yet.
** References are written by name. What a name is meant to refer to is noted in the identifier
** (u.ident.node), and export_sanitize.c repairs those that would be caught by another
** declaration, and adds imports. If the value exported is not the root of its tree,
** export_self.c finds the references that lead outside and brings their targets along.
*/
#ifndef CUE_EXPORT_H
#define CUE_EXPORT_H

#include "compiler/node.h"

/* ---- subsume.c ---- */
/* The label that stands for every index of a list. */
#define LABEL_ANY_INDEX ((Label)((LABEL_MAX_INT << 3) | LABEL_INT))
/* What patterns and ellipses of v say about a field that is not there, finalized; its conjuncts are none if nothing. */
Vertex *vertex_implied(Eval *e, Vertex *v, Label l);

/* ---- export_tree.c: tables and tree building ---- */
typedef struct { /* from 64-bit keys (labels, addresses) to pointers */
  uint64_t *keys;
  void **values;
  uint32_t n, mask;
} Table;
void **table_slot(CueArena *a, Table *t, uint64_t key); /* made if absent */
void *table_get(const Table *t, uint64_t key);          /* NULL if absent */
bool table_has(const Table *t, uint64_t key);
#define KEY(p) ((uint64_t)(uintptr_t)(p))

typedef struct {
  uint64_t hi, lo;
} Random; /* PCG, seeded as cue does: names made unique come out alike */
Random random_new(void);
uint64_t random_below(Random *r, uint64_t n);

typedef CUE_VEC(Ast *) AstVec;

Ast *tree_node(CueArena *a, AstKind kind);
Ast *tree_ident(CueArena *a, CueStr name);
Ast *tree_lit(CueArena *a, Tok kind, CueStr text);
Ast *tree_string_label(CueArena *a, CueStr name);
Ast *tree_binary(CueArena *a, Tok op, Ast *x, Ast *y);       /* either may be NULL: the other then */
Ast *tree_joined(CueArena *a, Tok op, Ast **at, uint32_t n); /* NULL if n is 0 */
Ast *tree_unary(CueArena *a, Tok op, Ast *x);
Ast *tree_postfix(CueArena *a, Ast *x, Tok op);
Ast *tree_selector(CueArena *a, Ast *x, Ast *sel);
Ast *tree_index(CueArena *a, Ast *x, Ast *index);
Ast *tree_field(CueArena *a, Ast *label, Ast *value);
Ast *tree_embed(CueArena *a, Ast *x);
Ast *tree_alias(CueArena *a, CueStr name, Ast *x);
Ast *tree_import(CueArena *a, CueStr name, CueStr path); /* name may be empty */
CueStr tree_import_name(CueArena *a, const Ast *spec);   /* by which it is referred to */
void tree_set_rel(Ast *n, CueRel rel);                   /* white space before the first token */
static inline void tree_add(CueArena *a, Ast *list, Ast *n) { ast_list_add(a, &list->u.list, n); }
CueStr import_qualifier(CueStr path); /* name of the package an import path leads to */

/* ---- export_syntax.c: the exporter's state, scopes and names ---- */
typedef struct { /* how a label of a frame is referred to */
  CueStr alias;
  Ast *field;
  Ast *node;
  AstVec references;
} Entry;

typedef struct Frame { /* a struct being written */
  Vertex *node;        /* may be NULL */
  bool is_value;       /* of value mode */
  Ast *scope;
  Ast *field, *label_expr;  /* pattern field under way */
  CUE_VEC(Entry *) dynamic; /* fields with computed labels and an alias */
  int32_t up;               /* environments it stands for */
  Table fields;             /* Label to Entry */
} Frame;

typedef struct {
  const Ast *source, *scope;
  Ast *field;
} FieldAlias; /* scope: the literal in which the alias is known */
typedef struct {
  const Ast *scope;
  Ast *alias;
} ValueAlias; /* scope: the field as written */
typedef struct {
  Ast *field;
  AstVec idents;
} Link; /* a field and the identifiers that mean it */

typedef struct Pivot Pivot;

typedef struct Exporter {
  Eval *e;
  CueArena *a;
  const ExportOptions *opt;
  CueStr package; /* whose hidden fields are shown */
  CUE_VEC(Frame *) stack;
  Frame nowhere; /* scope of references that lead out of what is written */
  int32_t in_definition, in_expression;
  Table used;  /* Label to the let expression it names, or NULL */
  Table lets;  /* Label of a let to the clause written for it */
  Table links; /* Vertex to Link */
  CUE_VEC(FieldAlias) field_aliases;
  CUE_VEC(ValueAlias) value_aliases;
  Random random;
  Ast *dummy_top; /* a conjunct that says nothing */
  Pivot *pivot;   /* or NULL */
} Exporter;

Frame *frame_enter(Exporter *x, Vertex *v);
void frame_leave(Exporter *x);
Frame *frame_top(Exporter *x);
Frame *frame_at(Exporter *x, uint32_t up);
Entry *frame_entry(Exporter *x, Frame *f, Label l);
void frame_add_field(Exporter *x, Label l, Ast *field, Ast *node);
Vertex *frame_node(Exporter *x);
void frame_mark_lets(Exporter *x, Ir *expr); /* lets and aliased fields that the literals of expr declare */
void frame_drop_unused_lets(Ast *scope);
void link_field(Exporter *x, Vertex *v, Ast *field);
void link_ident(Exporter *x, Vertex *v, Ast *ident);
void names_mark(Exporter *x, Ir *expr); /* every label in expr counts as used */
Label name_unique(Exporter *x, CueStr base, CueStr *name);
CueStr name_alias(Exporter *x, CueStr name);
CueStr name_of_label(Exporter *x, Label l);
Ast *label_syntax(Exporter *x, Label l);
void field_set_alias(Exporter *x, Ast *field, CueStr name);
bool scope_holds(const Ast *scope, const Ast *n); /* n was written within scope */
typedef void ConjunctVisit(void *arg, const Conjunct *c);
void conjuncts_each(const Conjunct *at, uint32_t n, ConjunctVisit *f, void *arg); /* through groups */
const Ir *conjunct_field(const Conjunct *c); /* the declaration, also of a comprehension's part */
bool comprehension_resolved(const IrComprehension *c);
uint32_t comprehension_nest(const IrComprehension *c);

/* ---- export_value.c ---- */
Ast *export_value(Exporter *x, Ir *v, const Conjunct *from, uint32_t n); /* from: may hold the literal as written */
Ast *export_vertex(Exporter *x, Vertex *v);

/* ---- export_bounds.c ---- */
Ast *export_conjunction(Exporter *x, const IrJunction *j);
int leaf_cmp(Eval *e, const Ir *x, const Ir *y);           /* order of conjuncts in a schema */
void leaf_sort(Eval *e, CueArena *a, Ir **at, uint32_t n); /* stable */

/* ---- export_expr.c ---- */
Ast *export_expr(Exporter *x, Env *env, Ir *v);
Ast *export_inner(Exporter *x, Env *env, Ir *v);      /* as an operand: not replaced by its value */
Ast *export_syntax(Exporter *x, Env *env, Ir *v);     /* literals as they are, not merged */
Ast *export_decl(Exporter *x, Env *env, Ir *d);       /* NULL for lets */
Ir *export_eval(Exporter *x, Env *env, Ir *v);        /* NULL on error; references yield the vertex */
Vertex *export_resolve(Exporter *x, Env *env, Ir *r); /* NULL on error */

/* ---- export_merge.c ---- */
typedef struct {
  Conjunct c;
  int32_t up;
} MergeConjunct;
Ast *export_merged(Exporter *x, Vertex *v, const MergeConjunct *at, uint32_t n);
Ast *export_merged_one(Exporter *x, Vertex *v, Env *env, Ir *lit);

/* ---- export_docs.c ---- */
CommentGroup *docs_of_vertex(CueArena *a, Vertex *v);
CommentGroup *docs_of_conjuncts(CueArena *a, const MergeConjunct *at, uint32_t n);
CommentGroup *docs_only(CueArena *a, const Ast *n); /* a copy of its doc comments */
void docs_of_file(CueArena *a, const Ast *file, CommentGroup **docs, CommentGroup **rest);
void attrs_of_field(CueArena *a, AstList *out, const Ir *field);
void attrs_of_vertex_field(CueArena *a, AstList *out, Vertex *v);
void attrs_of_decls(CueArena *a, AstList *out, const Ast *lit);
void attrs_of_vertex(CueArena *a, AstList *out, Vertex *v);

/* ---- export_self.c ---- */
void pivot_start(Exporter *x, Vertex *v);
Ast *pivot_reference(Exporter *x, Ir *r); /* NULL: as written */
void pivot_finish(Exporter *x, Ast *file);

/* ---- export_sanitize.c ---- */
void tree_sanitize(CueArena *a, Ast *file);

#endif
