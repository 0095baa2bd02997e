/* ir.h - the core language: what the resolver makes of syntax and the evaluator works on.
**
** Everything is an Ir: values, expressions, declarations and clauses, told apart by kind.
** A value is an expression that evaluates to itself. References are resolved: `up` counts
** environments (one per struct literal, list literal, comprehension clause that binds) from
** where the reference stands to where its name is declared. Nodes made by the resolver are
** never changed by evaluation, except the two run-time fields of IrStruct and what a Vertex
** holds. `src` is the syntax a node came from (NULL if made by the evaluator); its position
** is what error messages show.
*/
#ifndef CUE_IR_H
#define CUE_IR_H

#include "compiler/ast.h"
#include "compiler/diag.h"
#include "compiler/label.h"
#include "runtime/builtin.h"
#include "runtime/value.h"

typedef enum {
  /* values */
  IR_BOTTOM,      /* Bottom */
  IR_SCALAR,      /* IrScalar: null, bool, int, float, string, bytes */
  IR_TOP,         /* Ir */
  IR_TYPE,        /* IrType: string, int, number, (int|string) */
  IR_BOUND,       /* IrBound: >5, !=null, =~"x" */
  IR_BUILTIN,     /* IrBuiltin */
  IR_VALIDATOR,   /* IrValidator: strings.MinRunes(3) */
  IR_CONJUNCTION, /* IrJunction: values that only hold together (bounds, validators, types) */
  IR_DISJUNCTION, /* IrDisjunction: evaluated alternatives, defaults first */
  IR_VERTEX,      /* Vertex */
  IR_STRUCT_MARK, /* Ir: the base value of a vertex that is a struct */
  IR_LIST_MARK,   /* IrListMark: ... a list */
  IR_LAST_VALUE = IR_LIST_MARK,
  /* expressions: resolvers (yield a vertex) */
  IR_FIELD_REF,   /* IrRef: label */
  IR_VALUE_REF,   /* IrRef: the value in which it stands (alias X={...}); up 0 is the node itself */
  IR_LABEL_REF,   /* IrRef: the name matched by an enclosing pattern (evaluates, does not resolve) */
  IR_DYNAMIC_REF, /* IrDynamicRef: alias of a dynamic field */
  IR_LET_REF,     /* IrRef */
  IR_IMPORT_REF,  /* IrImport */
  IR_SELECTOR,    /* IrSelector */
  IR_INDEX,       /* IrIndex */
  IR_NODE_LINK,   /* IrNodeLink */
  /* expressions: evaluators */
  IR_STRUCT,           /* IrStruct */
  IR_LIST,             /* IrList */
  IR_BOUND_EXPR,       /* IrUnary: op is a comparison */
  IR_SLICE,            /* IrSlice */
  IR_INTERPOLATION,    /* IrInterpolation */
  IR_UNARY,            /* IrUnary */
  IR_BINARY,           /* IrBinary; & is one of them */
  IR_OPEN,             /* IrUnary: x... */
  IR_CALL,             /* IrCall */
  IR_DISJUNCTION_EXPR, /* IrDisjunctionExpr */
  /* declarations */
  IR_FIELD, /* IrField: static label */
  IR_LET, /* IrField: let clause of a struct; label is LABEL_LET; flag 1: depends on a variable of a comprehension around it */
  IR_DYNAMIC,       /* IrDynamic: (expr): value, "\(x)": value */
  IR_PATTERN,       /* IrPattern: [filter]: value */
  IR_ELLIPSIS,      /* IrUnary: x NULL for bare ... */
  IR_COMPREHENSION, /* IrComprehension */
  /* clauses */
  IR_FOR,        /* IrFor */
  IR_IF,         /* IrUnary */
  IR_LET_CLAUSE, /* IrField */
  IR_TRY,        /* IrField: label 0 and value NULL in the struct form */
  IR_GROUP,      /* IrGroup: several conjuncts that act as one */
} IrKind;

typedef enum {
  ARC_MEMBER,
  ARC_REQUIRED,
  ARC_OPTIONAL,
  ARC_PENDING,
  ARC_NOT_PRESENT
} ArcType; /* ORDER: restrictive first */

typedef enum { /* ORDER as precedence of codes when errors combine: lower wins */
               BOTTOM_EVAL,
               BOTTOM_USER,
               BOTTOM_LEGACY_USER /* a literal _|_ */,
               BOTTOM_STRUCTURAL_CYCLE,
               BOTTOM_INCOMPLETE,
               BOTTOM_CYCLE
} BottomCode;

typedef struct Ir Ir;
typedef struct Vertex Vertex;
typedef struct Bottom Bottom;
typedef struct NodeState NodeState;
typedef struct Env Env;
typedef struct ArcIndex ArcIndex;
typedef struct CompShape CompShape;
typedef struct Holes Holes;

#define IR_HEAD                                                               \
  uint8_t kind;                                                               \
  uint8_t op;       /* Tok of unary, binary, bounds; AND/OR are TOK_AND...; \
                    ** of a reference the comparison with _|_ it is for */ \
  uint8_t arc_type; /* ArcType of fields; of a vertex */                      \
  uint8_t flag;     /* kind-specific, see the node */                         \
  CuePos pos;                                                                 \
  const Ast *src

struct Ir {
  IR_HEAD;
};

typedef struct {
  IR_HEAD;
  CueValue v;
} IrScalar;
typedef struct {
  IR_HEAD;
  uint32_t kinds;
} IrType; /* CueKind set */
typedef struct {
  IR_HEAD;
  Ir *value;
} IrBound; /* value: scalar, or struct/list vertex for == and != */
typedef struct {
  IR_HEAD;
  Ir **at;
  uint32_t n;
} IrJunction;
typedef struct {
  IR_HEAD;
  Ir **at;
  uint32_t n, ndefaults;
  bool has_defaults;
} IrDisjunction; /* defaults come first */
typedef struct {
  IR_HEAD;
  bool open;
} IrListMark;

/* A builtin function: from a stdlib table, or one of the language's own (core). */
typedef struct EvalCore EvalCore; /* how a core builtin is run: eval's business */
typedef struct {
  IR_HEAD;
  const CueBuiltin *fn; /* NULL for core builtins */
  const char *package;  /* import path, NULL for core */
  const EvalCore *core;
  const char *name; /* "Join", "len" */
  uint32_t nparams;
  bool non_concrete;  /* arguments are passed unevaluated (matchN, list.MatchN, yaml.Validate ...) */
  uint16_t params[8]; /* kinds accepted */
  uint16_t result;    /* kinds of the result */
} IrBuiltin;
typedef struct {
  IR_HEAD;
  struct IrCall *call;
  IrBuiltin *builtin;
  Ir **args;
  uint32_t n;
} IrValidator;

typedef struct {
  IR_HEAD;
  uint32_t up;
  Label label;
  struct Ir *x;
} IrRef; /* flag: 1 if written with ? ; x: value of a let, for printing */
typedef struct {
  IR_HEAD;
  uint32_t up;
  Ir *label;
  Label alias;
} IrDynamicRef;
typedef struct {
  IR_HEAD;
  CueStr path;
  Label label;
  struct Instance *instance;
  const CueBuiltinPackage *builtin;
} IrImport;
typedef struct {
  IR_HEAD;
  Ir *x;
  Label sel;
  CuePos sel_pos;
} IrSelector; /* flag: 1 if written with ? */
typedef struct {
  IR_HEAD;
  Ir *x, *index;
} IrIndex;
typedef struct {
  IR_HEAD;
  Vertex *node;
} IrNodeLink;

typedef struct IrStruct {
  IR_HEAD; /* flag: IR_STRUCT_* */
  Ir **decls;
  uint32_t n;
  union {
    CompShape *shape;      /* as the value of a comprehension, once evaluated */
    struct Unread *unread; /* where IR_STRUCT_UNREAD: what it takes to read it */
  };
} IrStruct;
enum {
  IR_STRUCT_FILE = 1,
  IR_STRUCT_COMPREHENSION = 2 /* made by the evaluator for a part of a comprehension */,
  IR_STRUCT_INIT = 4 /* took part in a result */,
  IR_STRUCT_ELLIPSIS = 8,
  IR_STRUCT_UNREAD = 16 /* decls are not there yet: ir_struct_read */
};
void resolve_unread(IrStruct *s);
/* Whoever looks at the declarations of a struct sees to it that they are there. */
static inline void ir_struct_read(IrStruct *s) {
  if (s->flag & IR_STRUCT_UNREAD) resolve_unread(s);
}

typedef struct {
  IR_HEAD;
  Ir **elems;
  uint32_t n;
} IrList; /* expressions, comprehensions, last may be IR_ELLIPSIS */
typedef struct {
  IR_HEAD;
  Ir *x;
  Ir *known; /* the bound, once evaluated, if x is a literal */
} IrUnary;
typedef struct {
  IR_HEAD;
  Ir *x, *y;
} IrBinary;
typedef struct {
  IR_HEAD;
  Ir *x, *lo, *hi;
} IrSlice;
typedef struct {
  IR_HEAD;
  Ir **parts;
  uint32_t n;
  bool bytes;
} IrInterpolation; /* strings at even places */
typedef struct IrCall {
  IR_HEAD;
  Ir *fun;
  Ir **args;
  uint32_t n;
} IrCall;
typedef struct {
  Ir *x;
  bool is_default;
} IrDisjunct;
typedef struct {
  IR_HEAD;
  IrDisjunct *at;
  uint32_t n;
  bool has_defaults;
  struct DisjunctTry *tries; /* how it is evaluated, once it was */
  IrDisjunction *alone;      /* its value where nothing else is said, once known: disjunct_scalar.c */
} IrDisjunctionExpr;

typedef struct {
  IR_HEAD;
  Label label;
  Ir *value;
} IrField;
typedef struct {
  IR_HEAD;
  Ir *key, *value;
  bool has_label_alias;
} IrDynamic;
typedef struct {
  IR_HEAD;
  Ir *filter, *value;
  Label label;
} IrPattern; /* label: name of the alias, for printing */
typedef struct {
  IR_HEAD;
  Label key, value;
  Ir *source;
} IrFor; /* labels 0 if unnamed */
typedef struct IrComprehension {
  IR_HEAD; /* arc_type: of the field a partial one stands for */
  Ir **clauses;
  uint32_t n;
  uint32_t kinds; /* of partial ones, see below */
  Ir *value;      /* IR_STRUCT; in a partial comprehension the field */
  Ir *fallback;   /* struct of else/otherwise, or NULL */
  /* of partial comprehensions, made by the evaluator: */
  struct CompRun *run;
  struct IrComprehension *parent;
  Vertex *arc;
} IrComprehension;

/* ---- what the evaluator makes ---- */

/* How a conjunct came to be, for closedness and cycles; see typo.c and cycle.c. */
typedef struct CycleRef CycleRef;
typedef enum { CYCLE_NONE, CYCLE_OPTIONAL, CYCLE_MAYBE, CYCLE_IS } CycleType;
typedef struct {
  uint32_t def;   /* id of the reference or struct that brought it */
  uint32_t embed; /* id of the enclosing embedding */
  uint32_t outer; /* id of the struct literal closed after unifying its embeddings */
  bool from_embed : 1, from_def : 1, top_def : 1, opened : 1;
  uint8_t cycle;    /* CycleType */
  uint16_t context; /* in which it was said: hole.h; 0 for always */
  CycleRef *refs;
} CloseInfo;

struct Env {
  Env *up;
  Vertex *vertex;
  Label dynamic_label;
  uint32_t lets; /* values of lets, where they depend on the environment: place + 1 in the evaluator's let_values */
};

typedef struct {
  Env *env;
  Ir *x; /* an expression, a declaration (its value counts), a Vertex, or IR_GROUP */
  CloseInfo ci;
} Conjunct;
typedef struct {
  IR_HEAD;
  CUE_VEC(Conjunct) at;
} IrGroup;

typedef struct {
  IrStruct *lit;
  uint32_t repeats;
} StructInfo;
typedef struct {
  Ir *pattern;
  Vertex *constraint;
} Pattern;
typedef struct {
  CUE_VEC(Pattern) at;
} Patterns;

typedef enum { VERTEX_UNPROCESSED, VERTEX_EVALUATING, VERTEX_PARTIAL, VERTEX_CONJUNCTS, VERTEX_FINALIZED } VertexStatus;

/* What few vertices have: most are scalars and right. */
typedef struct {
  ArcIndex *index; /* of many arcs */
  Patterns *patterns;
  Bottom *child_errors;
  CUE_VEC(StructInfo) structs; /* literals that contributed: decides the order of fields */
} VertexMore;
extern const VertexMore vertex_no_more;

/* A node of the result: a field with all that was said about it. */
struct Vertex {
  IR_HEAD; /* arc_type: ArcType */
  Label label;
  uint8_t status;            /* VertexStatus */
  bool is_data : 1;          /* patterns and optional fields do not count */
  bool closed_recursive : 1; /* in a definition */
  bool closed_once : 1;      /* by close() */
  bool opened_shared : 1;
  bool has_ellipsis : 1;
  bool multi_let : 1;  /* let with an environment-dependent value */
  bool is_dynamic : 1; /* computed inside an expression */
  bool is_pattern : 1; /* holds the constraint of a pattern */
  bool non_rooted : 1; /* below a dynamic one */
  bool anonymous : 1;  /* not addressable by a path */
  bool is_disjunct : 1;
  bool visited : 1;    /* by a walk that is under way and may come back */
  bool non_cyclic : 1; /* a conjunct collected before it had a state was in no cycle */
  bool is_shared : 1;  /* base is the vertex of another path */
  bool is_placed : 1;  /* closedness of its parent was taken over */
  Vertex *parent;
  NodeState *state;       /* while under evaluation */
  Ir *base;               /* NULL, a value, a mark, or another Vertex (disjunct or shared) */
  CUE_VEC(Vertex *) arcs; /* all kinds of labels, in order of insertion */
  CUE_VEC(Conjunct) conjuncts;
  const VertexMore *more; /* never NULL; changed through vertex_more */
};

_Static_assert(sizeof(Vertex) <= 88 && sizeof(Conjunct) <= 40 && sizeof(Env) <= 24,
               "there are many: docs/PERFORMANCE.md");

/* An error message in parts, so that nothing is formatted unless it is shown. */
typedef enum {
  ERR_ARG_NONE,
  ERR_ARG_IR,
  ERR_ARG_KINDS,
  ERR_ARG_LABEL,
  ERR_ARG_STR,
  ERR_ARG_INT,
  ERR_ARG_AST,
  ERR_ARG_ERRS
} ErrArgKind;
typedef struct {
  ErrArgKind kind;
  union {
    Ir *ir;
    uint32_t kinds;
    Label label;
    CueStr str;
    int64_t i;
    const Ast *ast;
    const struct Bottom *errs;
  } u;
} ErrArg;
typedef struct Err {
  const char *fmt; /* %x marks, one letter each, take the arguments in order; see bottom.c */
  ErrArg *args;    /* never changed: copies of the error share them */
  uint8_t nargs;
  bool listed; /* is in a list of errors */
  CuePos pos;
  Vertex *node;        /* whose path is shown */
  CueStr alt_path;     /* shown in its place if not empty */
  struct Err *wrapped; /* printed after ": " */
  CUE_VEC(CuePos) aux;
} Err;

struct Bottom {
  IR_HEAD;
  BottomCode code;
  bool permanent : 1, has_recursive : 1, child_error : 1, not_exists : 1, close_check : 1;
  bool joined : 1; /* a list, put together of several, perhaps equal ones: if of one, told without a path */
  Err **errs;      /* what is said about it, in order; shared, see bottom_append */
  uint32_t nerrs, cap;
  Ir *value;
  Vertex *node;
};

static inline bool ir_is_value(const Ir *x) { return x->kind <= IR_LAST_VALUE; }
static inline bool ir_is_resolver(const Ir *x) {
  return x->kind >= IR_FIELD_REF && x->kind <= IR_NODE_LINK && x->kind != IR_LABEL_REF;
}
#define IR_AS(T, x) ((T *)(void *)(x))
static inline bool ir_is_literal_bottom(const Ir *x) {
  return x->kind == IR_BOTTOM && ((const Bottom *)(const void *)x)->code == BOTTOM_LEGACY_USER;
}

/* A package ready for evaluation: what the loader makes of files. */
typedef struct Instance {
  CueStr path;    /* import path, "" for files given on the command line */
  CueStr package; /* package name, "" or "_" if none */
  CueStr dir;     /* shown in messages */
  CueStr module;  /* module path with major version, "" if none */
  int language;   /* minor of language.version; 0 if none */
  CUE_VEC(AstFile *) files;
  CUE_VEC(struct Import) imports; /* resolved, by path as written */
  CueDiags *errors;               /* of loading and parsing */
  CueDiags *late;                 /* of @embed: reported with those of building; may be NULL */
  Vertex *root;                   /* set by cue_build: one conjunct (an IR_STRUCT with IR_STRUCT_FILE) per file */
  uint8_t state;                  /* of building, see resolve.c; 0 not begun */
} Instance;
struct Import {
  CueStr path;
  Instance *instance;
  const CueBuiltinPackage *builtin;
};

#endif
