/* parser.h - what the parts of the parser share: parse.c drives, parse.y has the grammar,
** parse_node.c makes nodes, comment.c attaches comments.
**
** The grammar is an LALR(1) parser that never sees an error. It asks the driver for the next
** token, and the driver asks lr_accepts first; if the answer is no, it reports, and repairs
** the input by replacing, skipping or inserting a token. So messages and recovery are in
** one place, and the grammar is only a grammar.
*/
#ifndef CUE_PARSER_H
#define CUE_PARSER_H

#include "compiler/lex.h"
#include "compiler/parse.h"

/* Terminals of the grammar that are not tokens of the text. They continue Tok. */
enum {
  LR_NEWLINE = TOK_COUNT, /* comma that a line end stands for */
  LR_KEYNAME,             /* keyword used as a name */
  LR_BADEXPR,             /* stands where an expression was expected and not found */
  LR_PIECE,               /* string between two interpolated expressions */
  LR_LASTPIECE,           /* end of an interpolated string */
  LR_OPTIONAL,            /* "?" that marks a field, not a reference */
  LR_PACKAGE,
  LR_IMPORT,
  LR_START_EXPR, /* comes first when one expression is parsed */
  LR_COUNT,
};

typedef struct {
  CuePos pos, end;
} Span;

/* What stands behind the ":" of a field. */
typedef struct {
  Ast *value;
  AstList attrs;
} FieldRest;

/* A bracket that is open, or the file itself. */
typedef enum {
  LEVEL_FILE,
  LEVEL_STRUCT,
  LEVEL_LIST,
  LEVEL_INDEX,
  LEVEL_PAREN,
  LEVEL_CALL,
  LEVEL_IMPORTS,
  LEVEL_ALIAS,
  LEVEL_STRING
} LevelKind;
typedef struct {
  uint8_t kind; /* LevelKind */
  bool colon;   /* this declaration has had its first ":" */
  CuePos alias; /* if this declaration has begun with "X =": of the X */
} Level;

/* How far into a file: attributes, package clause, imports, declarations. */
typedef enum { STAGE_START, STAGE_PACKAGE, STAGE_IMPORTS, STAGE_BODY } Stage;

typedef struct Parser {
  CueArena *a;
  CueSource *src;
  ParseOptions opt;
  int language; /* minor version, never 0 */
  CueDiags d;   /* of this file: the rules for dropping errors look at them */
  Lexer lx;
  const CueStub *skip, *made; /* the next stub to scan over, and to make a node of; NULL if there are none */
  const char *end;            /* of the stub being read, or NULL */
  const void *states;         /* of the automaton, the topmost */
  AstExperiments exp;
  Token queue[4]; /* tokens scanned but not yet taken */
  uint32_t nqueue;
  int sym;               /* what parse_next hands out, or -1 */
  int open;              /* the LevelKind it opens, or -1 */
  Span at;               /* its extent */
  CueStr text;           /* and text */
  const int *insert;     /* what comes behind it whatever the text has, up to a negative one; or NULL */
  CUE_VEC(Level) levels; /* innermost last; never empty */
  Stage stage;
  bool header;        /* the declaration begun last is a package or import clause */
  CueBuf experiments; /* names in @experiment attributes, each behind a comma */
  int last[2];        /* the terminals pushed last, newest first */
  CuePos last_pos;
  bool label_only;  /* the last one was a "let" that is a label */
  bool func_name;   /* the last one was a "func" that begins a declaration */
  bool bad_decl;    /* the declaration being ended was reported as wrong */
  bool first_label; /* the ":" being pushed is the first of its declaration */
  bool single;      /* one expression, not a file */
  bool stop;        /* give up: too many errors, or nested too deeply */
  bool too_deep;
  AstList decls; /* result of parsing a file */
  Ast *expr;     /* result of parsing an expression */
  AstList imports;
  Ast *package;
  CUE_VEC(Token) tokens; /* with comments only: every token and comment as scanned */
} Parser;

#define OLD_ALIAS "pre-v0.2 alias; use \"let X = expr\" instead"

/* Reports as cue's parser does: nothing if the last error was on the same line, and stops
** the parser when there are too many. */
void parse_error(Parser *p, CuePos at, const char *fmt, ...) CUE_PRINTF(3, 4);

/* The automaton (parse.y). Symbols are Tok or LR_*. */
void lr_run(Parser *p);                    /* takes what parse_next hands out, to the end */
bool lr_accepts(const Parser *p, int sym); /* would this symbol be legal here? */
/* The driver (parse.c): the next symbol, its extent and text. Negative: there is no going on. */
int parse_next(Parser *p, Span *at, CueStr *text);

/* Nodes (parse_node.c). */
Ast *node_new(Parser *p, AstKind kind, Span at);
Ast *node_text(Parser *p, AstKind kind, Span at, CueStr text);
Ast *node_literal(Parser *p, Tok kind, Span at, CueStr text);
Ast *node_wrap(Parser *p, AstKind kind, Span at, Ast *x);                     /* u.x */
Ast *node_list(Parser *p, AstKind kind, Span open, Span close, AstList list); /* brackets */
Ast *node_struct(Parser *p, Span open, Span close, AstList decls);
Ast *node_unary(Parser *p, AstKind kind, Span at, int op, CuePos op_pos, Ast *x);
Ast *node_binary(Parser *p, int op, CuePos op_pos, Ast *x, Ast *y);
Ast *node_index(Parser *p, Ast *x, Ast *y, Span open, Span close);
Ast *node_slice(Parser *p, Ast *x, Ast *lo, Ast *hi, Span open, Span close);
Ast *node_selector(Parser *p, Ast *x, CuePos period, Ast *sel);
Ast *node_call(Parser *p, Ast *fun, Span open, AstList args, Span close);
Ast *node_alias(Parser *p, Ast *ident, CuePos equal, Ast *x);
Ast *node_bind(Parser *p, AstKind kind, Span keyword, Ast *name, CuePos equal, Ast *value); /* let, try */
Ast *node_for(Parser *p, Span keyword, Ast *key, CuePos comma, Ast *value, CuePos in, Ast *source);
Ast *node_comprehension(Parser *p, AstList clauses, Ast *value, Ast *fallback);
Ast *node_fallback(Parser *p, Tok tok, Span keyword, Ast *body);
Ast *node_package(Parser *p, Span at, Ast *name);
Ast *node_import(Parser *p, Ast *name, Ast *path);
Ast *node_imports(Parser *p, Span keyword, Span open, AstList specs, Span close);
Ast *node_head(Parser *p, Ast *label, Ast *tail, CuePos colon); /* a field without value */
Ast *node_field(Parser *p, Ast *head, FieldRest rest);
Ast *node_chain(Parser *p, Ast *field);                          /* the struct of `b: c` in `a: b: c` */
Ast *node_old_alias(Parser *p, Ast *name, CuePos equal, Ast *x); /* X = expr as a declaration: an error */
AstList node_list1(Parser *p, Ast *x);
AstList node_list_add(Parser *p, AstList l, Ast *x);

/* Comments (comment.c): replays the tokens over the tree. */
void comments_attach(Parser *p, Ast *root);

#endif
