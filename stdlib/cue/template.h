/* template.h - Go templates: lexical items, syntax trees, execution.
**
** A template text is parsed into one tree per name: "" is the text itself, the others are
** made by define and block. Nodes know the byte where they start, because messages of the
** execution name line, column and the node's own text.
*/
#ifndef CUE_STDLIB_TEMPLATE_H
#define CUE_STDLIB_TEMPLATE_H

#include "stdlib/cue/gofmt.h"

/* ---- template_lex.c ---- */

typedef enum {
  ITEM_ERROR, /* val is the message */
  ITEM_BOOL,
  ITEM_CHAR, /* a printable ASCII character with no other meaning: a comma */
  ITEM_CHAR_CONSTANT,
  ITEM_ASSIGN,
  ITEM_DECLARE,
  ITEM_EOF,
  ITEM_FIELD, /* .name */
  ITEM_IDENTIFIER,
  ITEM_LEFT_DELIM,
  ITEM_LEFT_PAREN,
  ITEM_NUMBER,
  ITEM_PIPE,
  ITEM_RAW_STRING,
  ITEM_RIGHT_DELIM,
  ITEM_RIGHT_PAREN,
  ITEM_SPACE,
  ITEM_STRING,
  ITEM_TEXT,
  ITEM_VARIABLE,
  ITEM_KEYWORD, /* all after this are keywords */
  ITEM_BLOCK,
  ITEM_BREAK,
  ITEM_CONTINUE,
  ITEM_DOT,
  ITEM_DEFINE,
  ITEM_ELSE,
  ITEM_END,
  ITEM_IF,
  ITEM_NIL,
  ITEM_RANGE,
  ITEM_TEMPLATE,
  ITEM_WITH,
} ItemType;

typedef struct {
  ItemType type;
  size_t pos;
  CueStr val;
  uint32_t line;
} Item;

typedef struct {
  CueArena *a;
  CueStr input;
  size_t pos, start; /* the item being read is input[start..pos) */
  uint32_t line, start_line;
  int paren_depth;
  bool inside_action;
} TemplateLexer;

TemplateLexer template_lexer(CueArena *a, CueStr text);
Item template_next(TemplateLexer *l);

/* ---- template_parse.c ---- */

typedef enum {
  NODE_TEXT,
  NODE_ACTION,
  NODE_BREAK,
  NODE_CONTINUE,
  NODE_IF,
  NODE_RANGE,
  NODE_WITH,
  NODE_LIST,
  NODE_TEMPLATE,
  NODE_PIPE,
  NODE_COMMAND,
  NODE_BOOL,
  NODE_DOT,
  NODE_NIL,
  NODE_NUMBER,
  NODE_STRING,
  NODE_FIELD,
  NODE_VARIABLE,
  NODE_IDENTIFIER,
  NODE_CHAIN,
  NODE_END,  /* only while parsing */
  NODE_ELSE, /* only while parsing */
} NodeType;

typedef struct Node Node;
struct Node {
  NodeType type;
  size_t pos;
  CueStr text;           /* of text, number, identifier, template name; of a string, as it was written */
  CueStr value;          /* of a string */
  CUE_VEC(CueStr) names; /* of field and chain; of a variable with the variable first */
  CUE_VEC(Node *) kids;  /* of list, command (its words), pipe (its commands) */
  CUE_VEC(Node *) decls; /* variables that a pipe sets */
  bool assign;           /* with = and not := */
  bool truth;            /* of a bool */
  bool is_int, is_float; /* of a number: both if it can be either */
  int64_t i;
  double f;
  Node *pipe;         /* of action, if, range, with, template (NULL if none) */
  Node *list, *other; /* of if, range, with; other is the else part or NULL */
  Node *base;         /* of a chain */
};

typedef struct {
  CueStr name;
  Node *root;
} TemplateTree;

typedef struct {
  CueStr text;
  CUE_VEC(TemplateTree) trees;
} TemplateSet;

/* False if malformed: *error then is Go's message. */
bool template_parse(CueArena *a, CueStr text, TemplateSet *set, CueStr *error);
const Node *template_lookup(const TemplateSet *set, CueStr name); /* NULL if not defined */
CueStr template_node_text(CueArena *a, const Node *n);

/* ---- template_exec.c ---- */

bool template_execute(CueArena *a, const TemplateSet *set, CueValue data, CueBuf *out, CueStr *error);

/* ---- template_funcs.c ---- */

typedef struct {
  const char *name;
  uint8_t nparams; /* with the last one, which a variadic function takes any number of */
  bool variadic;
  bool any;    /* parameters are interface {}: a missing value becomes nil. Else they are taken as they come */
  bool format; /* the first parameter is a string */
  bool (*fn)(CueArena *a, const GoValue *args, size_t n, GoValue *out, CueStr *error); /* NULL: the execution does it */
} TemplateFunction;

const TemplateFunction *template_function(CueStr name); /* NULL if there is none */
bool template_is_true(GoValue v);

#endif
