/* resolve.h - the inside of the resolver: scopes of names, and what its files share.
**
** One walk over the syntax does two jobs that cue does in two: it binds identifiers to what
** declares them, and writes the core language. A Frame is pushed for everything that opens a
** scope or an environment; frames are linked outwards, so a let can be compiled in the frame
** where it stands whenever it is first needed. The number of environments between a reference
** and its declaration is the sum of `up` of the frames in between.
**
** Errors are of two ranks. Those of naming (clashes of aliases and fields) belong to a file and
** hide all others; the rest belong to the package.
*/
#ifndef CUE_RESOLVE_H
#define CUE_RESOLVE_H

#include "compiler/eval.h"

typedef enum {
  NAME_FIELD,         /* a in a: x */
  NAME_FIELD_ALIAS,   /* X in X=a: x, a~X: x; in the scope of the field */
  NAME_PATTERN_ALIAS, /* X in X=[p]: x; in the scope of the value */
  NAME_KEY,           /* X in [X=p]: x, K in a~(K,V): x */
  NAME_VALUE_ALIAS,   /* X in a: X=x */
  NAME_LET,
  NAME_CLAUSE, /* of for, let and try in comprehensions */
  NAME_IMPORT,
} NameKind;

/* Finds items of an array by name. Items begin with a NameKey; few of them are searched one by one. */
typedef struct {
  CueStr name;
  uint32_t hash;
} NameKey;
typedef struct {
  uint32_t *slots; /* place + 1 */
  uint32_t mask;
} NameIndex;

typedef struct {
  NameKey key;
  NameKind kind;
  const Ast *node;  /* what declares it: field, let, ident */
  const Ast *field; /* NAME_KEY: the field */
} Name;

/* An alias or let of a struct. */
typedef struct {
  NameKey key;
  const Ast *source; /* where it is declared */
  const Ast *let;    /* AST_LET, or NULL */
  Ir *expr;          /* value of a let, label of a dynamic field; NULL until compiled */
  Label label;       /* of lets */
  bool used, busy;
  bool multi;  /* depends on a variable of a comprehension, maybe through other lets */
  bool direct; /* names such a variable itself */
} Alias;

typedef struct Frame {
  struct Frame *outer;
  const Ast *node;   /* file, struct, list, clause; the field for scopes of pattern and value aliases */
  uint32_t up;       /* environments it pushes */
  bool comp_var;     /* a clause of a comprehension in a struct, or depending on one */
  bool in_field;     /* the value of a field of it is being compiled */
  const Ast *field;  /* field or let being compiled */
  const Ast *hidden; /* the let being compiled does not see its own name */
  const Ast *label;  /* what it adds to the path of errors: field, let, clause, or NULL */
  CUE_VEC(Name) names;
  CUE_VEC(Alias) aliases;
  NameIndex name_index, alias_index;
} Frame;

typedef struct {
  const Ast *spec;
  CueStr path, name;           /* name: of the package */
  const struct Import *import; /* NULL if not loaded */
  bool used;
} FileImport;

typedef struct Resolver {
  CueContext *c;
  CueArena *a;
  Instance *inst;       /* NULL for builtin packages */
  const AstFile *stubs; /* the file being compiled, if it has stubs: the resolver is kept for them */
  CueStr pkg;           /* scope of hidden names */
  CueDiags naming, errors;
  Frame *top, *spare;
  Frame *file;                   /* outermost frame */
  CUE_VEC(FileImport) imports;   /* of the file being compiled */
  CUE_VEC(Label) package_fields; /* fields of all files of a package; sorted */
  Vertex *scope;                 /* names of an expression given apart, or NULL */
  bool infer_builtins;
  bool refers_comp_var; /* the expression being compiled uses a variable of a comprehension ... */
  bool names_comp_var;  /* ... and names it itself, not through a let */
  uint32_t try_depth;
  uint32_t depth;
  AstExperiments exp; /* of the file */
} Resolver;

/* What it takes to compile a struct when it is read. */
struct Unread {
  Resolver *r;
  const Ast *field; /* of the file, whose value it is or stands in */
  uint32_t lets;    /* how many let names there were when it was met, ... */
  uint32_t nlets;   /* ... and how many it has */
};

/* resolve_scope.c */
Frame *frame_push(Resolver *r, const Ast *node, uint32_t up);
void frame_pop(Resolver *r); /* reports unused aliases */
void frame_pop_to(Resolver *r, const Frame *outer);
void name_insert(Resolver *r, Frame *f, CueStr name, NameKind kind, const Ast *node, const Ast *field);
void names_declare(Resolver *r, Frame *f, const AstList *decls);
const Name *name_find(const Frame *from, CueStr name, const Frame **where);
Bottom *alias_add(Resolver *r, Frame *f, const Ast *ident, Alias alias);
Alias *alias_get(const Frame *f, CueStr name);
void postfix_aliases(Resolver *r, Frame *f, const Ast *field, const Ast *key, bool pattern);
void pattern_check(Resolver *r, const Ast *x);
Bottom *resolve_errorf(Resolver *r, const Ast *n, const char *fmt, ...) CUE_PRINTF(3, 4);
void naming_errorf(Resolver *r, CuePos at, const char *fmt, ...) CUE_PRINTF(3, 4);
CueStr resolve_pos_text(Resolver *r, CuePos p);

/* resolve_ref.c */
Ir *resolve_ident(Resolver *r, const Ast *n);
void let_compile(Resolver *r, Frame *f, Alias *alias);
void file_imports(Resolver *r, const AstFile *f);
void file_imports_check(Resolver *r, const AstFile *f);

/* resolve_expr.c */
Ir *resolve_expr(Resolver *r, const Ast *x);
Ir *resolve_labeled(Resolver *r, const Ast *field, const Ast *x); /* x as the value of a field or let of r->top */
void resolve_decls(Resolver *r, IrStruct *st, const AstList *decls);
Label resolve_label(Resolver *r, const Ast *n);
Bottom *resolve_bottom(Resolver *r, const Ast *src, BottomCode code, CueStr message);
void *ir_node(CueArena *a, size_t size, IrKind kind, const Ast *src);
#define IR_NEW(a, T, kind, src) ((T *)ir_node((a), sizeof(T), (kind), (src)))

/* resolve_pre.c */
Ir *predeclared(Resolver *r, const Ast *n);       /* NULL if the name is none */
CueStr builtin_path_of(Resolver *r, CueStr name); /* import path of a builtin package by its short name */

/* resolve.c */
void resolver_init(Resolver *r, CueContext *c, Instance *inst, CueStr pkg);

#endif
