/* ast.h - the syntax tree: what the parser makes, the formatter prints, the resolver reads.
**
** One node type, tagged by kind; which members of the union a kind uses is said beside it.
** Names and literal texts are slices of the source. Nodes are never changed after parsing,
** except when a stub is read, and by the exporter, which builds trees of its own (positions 0).
** A node is no larger than its kind needs: it keeps its kind, and only ast_copy copies it.
*/
#ifndef CUE_AST_H
#define CUE_AST_H

#include "compiler/source.h"
#include "compiler/token.h"

typedef enum {
  /* declarations */
  AST_FIELD,         /* field */
  AST_LET,           /* let: also a clause */
  AST_EMBED,         /* x */
  AST_ELLIPSIS,      /* x (may be NULL): also a list element */
  AST_ATTRIBUTE,     /* text: "@name(body)" */
  AST_PACKAGE,       /* name */
  AST_IMPORTS,       /* list: import specs of one declaration */
  AST_IMPORT,        /* import */
  AST_COMPREHENSION, /* comp: also a list element */
  AST_COMMENTS,      /* free-standing comment group: comments only */
  AST_BAD_DECL,      /* nothing: a place where the parser recovered */
  /* expressions; those marked L are labels too */
  AST_IDENT,         /* name   L */
  AST_BASIC,         /* lit    L */
  AST_INTERPOLATION, /* list: AST_BASIC string pieces (with their quotes and "\(" ")" ) and expressions, interleaved   L */
  AST_BOTTOM,        /* _|_ */
  AST_STRUCT,        /* list: declarations; open = "{", close = "}"; stub while unread */
  AST_LIST,          /* list: elements    L (a pattern, one element) */
  AST_PAREN,         /* x                 L */
  AST_SELECTOR,      /* sel */
  AST_INDEX,         /* binary: x[y]; open, close */
  AST_SLICE,         /* slice: x[lo:hi] */
  AST_CALL,          /* call */
  AST_UNARY,         /* unary */
  AST_BINARY,        /* binary */
  AST_POSTFIX,       /* unary: op is TOK_ELLIPSIS or TOK_OPTION, after x */
  AST_ALIAS,         /* alias: X=expr     L */
  AST_FUNC,          /* func */
  AST_BAD_EXPR,
  /* clauses */
  AST_FOR,      /* loop */
  AST_IF,       /* x */
  AST_TRY,      /* let: name NULL in the struct form */
  AST_FALLBACK, /* x: the struct of else/otherwise */
  AST_FILE,     /* list: declarations */
} AstKind;

enum { /* code that walks trees may recurse */
       AST_DEPTH_LIMIT = 10000,
       AST_CHAIN_LIMIT = 50000 /* operators in a row, as in x + y + z: little stack may be taken for each */
};

typedef struct Ast Ast;
typedef struct {
  Ast **at;
  uint32_t n, cap;
} AstList;

/* A comment group attached to a node. `position` says between which of the node's tokens
** it stands (0 before the node); doc and line as in cue's formatter. */
typedef struct CommentGroup {
  struct CommentGroup *next;
  bool doc, line;
  int8_t position;
  uint32_t n;
  struct {
    CuePos pos;
    CueStr text;
  } * at; /* text from the slashes, without the newline */
} CommentGroup;

struct Ast {
  uint8_t kind;       /* AstKind */
  uint8_t op;         /* Tok of unary, binary, postfix, literal kind of AST_BASIC */
  uint8_t constraint; /* AST_FIELD: 0, TOK_OPTION or TOK_NOT */
  bool synthetic : 1; /* AST_STRUCT made by the parser for the rest of `a: b: c` */
  bool unread : 1;    /* AST_STRUCT whose declarations cue_parse_stub is to read */
  uint16_t depth;     /* of the tree below and with this node, operators in a row as one level: up to AST_DEPTH_LIMIT */
  uint16_t chain;     /* binary operators within each other in it: up to AST_CHAIN_LIMIT */
  CuePos pos, end;    /* first byte; one past the last byte */
  CuePos open, close; /* brackets; for selector, unary, binary, postfix `open` is the operator; for fields the ":" */
  CommentGroup *comments;
  union {
    CueStr text; /* name of ident, package; text of literal, attribute */
    struct {
      CueStr name;
      Ast *node;
    } ident; /* name is text; node: what the exporter means by it, NULL in parsed trees */
    Ast *x;
    AstList list;
    const CueStub *stub; /* beside it list.n is 0: who does not know stubs sees an empty struct */
    struct {
      Ast *label, *value;
      AstList attrs;
      Ast *alias_label, *alias_field;
      CuePos tilde;
    } field; /* alias_*: postfix ~(K,V) or ~V */
    struct {
      Ast *name, *value;
      CuePos equal;
    } let; /* name: AST_IDENT */
    struct {
      Ast *name, *path;
    } import; /* name may be NULL; path: AST_BASIC */
    struct {
      AstList clauses;
      Ast *value, *fallback;
    } comp;
    struct {
      Ast *x, *sel;
    } sel; /* sel: AST_IDENT or AST_BASIC */
    struct {
      Ast *x, *y;
    } binary;
    struct {
      Ast *x;
    } unary;
    struct {
      Ast *x, *lo, *hi;
    } slice;
    struct {
      Ast *fun;
      AstList args;
    } call;
    struct {
      Ast *ident, *x;
      CuePos equal;
    } alias;
    struct {
      Ast *key, *value, *source;
      CuePos in, comma;
    } loop; /* key may be NULL */
    struct {
      AstList args;
      Ast *ret;
    } func;
  } u;
};

/* Experiments in force in a file: @experiment attributes and what its language version has made stable. */
typedef struct {
  bool structcmp, explicitopen, aliasv2, try_clause, testing;
} AstExperiments;

typedef struct {
  Ast *root; /* AST_FILE; never NULL */
  CueSource *source;
  CueStr package;      /* empty if none (or "_") */
  Ast *package_clause; /* NULL if none */
  AstList imports;     /* every AST_IMPORT of the file */
  AstExperiments experiments;
} AstFile;

Ast *ast_new(CueArena *a, AstKind kind, CuePos pos, CuePos end);
Ast *ast_copy(CueArena *a, const Ast *n); /* the node alone; what is below it is shared */
void ast_list_add(CueArena *a, AstList *l, Ast *n);
void ast_comment_add(Ast *n, CommentGroup *g); /* keeps groups sorted by position */
/* The name a field declares: identifier or simple string label. False for dynamic and pattern labels. */
bool ast_label_name(CueArena *a, const Ast *label, CueStr *name, bool *is_ident);
void ast_dump(CueBuf *out, const Ast *n); /* s-expression, for tests */

#endif
