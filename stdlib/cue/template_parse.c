/* template_parse.c - the grammar of Go templates.
**
** A recursive descent with up to three items of look-ahead, since blanks are items: after
** "$x" it must be known whether ":=" follows. Line numbers in messages are those of the
** newest item read, as in Go. Nesting is bounded, so that no text can exhaust the stack.
*/
#include <math.h>
#include <string.h>

#include "stdlib/cue/gotext.h"
#include "stdlib/cue/template.h"

#define MAX_NESTING 500 /* of control structures and of parentheses */

typedef struct {
  CueArena *a;
  TemplateLexer lex;
  Item token[3]; /* token[0] is the newest item read; the last npeek of them wait to be read again */
  int npeek;
  CUE_VEC(CueStr) vars;
  TemplateSet *set;
  uint32_t action_line; /* of the action being read, 0 outside */
  int range_depth, depth;
  CueStr error;
} Parser;

/* ---- items ------------------------------------------------------------------------------- */

static Item next(Parser *p) {
  if (p->npeek > 0)
    p->npeek--;
  else
    p->token[0] = template_next(&p->lex);
  return p->token[p->npeek];
}

static void backup(Parser *p) { p->npeek++; }

static void backup2(Parser *p, Item t1) {
  p->token[1] = t1;
  p->npeek = 2;
}

static void backup3(Parser *p, Item t2, Item t1) {
  p->token[1] = t1;
  p->token[2] = t2;
  p->npeek = 3;
}

static Item peek(Parser *p) {
  Item i = next(p);
  backup(p);
  return i;
}

static Item next_non_space(Parser *p) {
  Item i;
  do i = next(p);
  while (i.type == ITEM_SPACE);
  return i;
}

static Item peek_non_space(Parser *p) {
  Item i = next_non_space(p);
  backup(p);
  return i;
}

/* ---- errors ------------------------------------------------------------------------------ */

/* Returns NULL, so that callers can return it. The first error stands. */
static Node *fail(Parser *p, const char *fmt, ...) CUE_PRINTF(2, 3);
static Node *fail(Parser *p, const char *fmt, ...) {
  if (p->error.n) return NULL;
  va_list ap;
  va_start(ap, fmt);
  CueStr message = cue_strvf(p->a, fmt, ap);
  va_end(ap);
  p->error = cue_strf(p->a, "template: :%u: %.*s", p->token[0].line, CUE_FMT(message));
  return NULL;
}

static CueStr show_item(Parser *p, Item i) {
  if (i.type == ITEM_EOF) return CUE_STR("EOF");
  if (i.type == ITEM_ERROR) return i.val;
  if (i.type > ITEM_KEYWORD) return cue_strf(p->a, "<%.*s>", CUE_FMT(i.val));
  if (i.val.n <= 10) return cue_go_quoted(p->a, i.val);
  size_t end = 0;
  for (int n = 0; n < 10 && end < i.val.n; n++) cue_utf8_next(i.val, &end);
  return cue_strf(p->a, "%s...", cue_go_quoted(p->a, cue_str_sub(i.val, 0, end)).s);
}

static Node *unexpected(Parser *p, Item i, const char *context) {
  CueStr shown = show_item(p, i);
  if (i.type != ITEM_ERROR) return fail(p, "unexpected %.*s in %s", CUE_FMT(shown), context);
  if (!p->action_line || p->action_line == i.line) return fail(p, "%.*s", CUE_FMT(shown));
  bool about_action = cue_str_has_suffix(i.val, CUE_STR(" action")); /* not "action in action" */
  return fail(p, "%.*s%s started at :%u", CUE_FMT(shown), about_action ? "" : " in action", p->action_line);
}

static bool expect(Parser *p, ItemType type, const char *context) {
  Item i = next_non_space(p);
  if (i.type == type) return true;
  unexpected(p, i, context);
  return false;
}

/* ---- words ------------------------------------------------------------------------------- */

static Node *new_node(Parser *p, NodeType type, size_t pos) {
  Node *n = cue_new(p->a, Node);
  n->type = type;
  n->pos = pos;
  return n;
}

/* ".a.b" or "$x.a.b", taken apart at the dots. */
static Node *new_names(Parser *p, NodeType type, size_t pos, CueStr text) {
  Node *n = new_node(p, type, pos);
  size_t start = type == NODE_FIELD ? 1 : 0;
  for (size_t i = start; i <= text.n; i++) {
    if (i < text.n && text.s[i] != '.') continue;
    cue_push(p->a, &n->names, cue_str_sub(text, start, i));
    start = i + 1;
  }
  return n;
}

static bool has_any(CueStr s, const char *set) {
  for (size_t i = 0; i < s.n; i++)
    if (s.s[i] && strchr(set, s.s[i])) return true;
  return false;
}

static Node *new_char(Parser *p, Item i) {
  Node *n = new_node(p, NODE_NUMBER, i.pos);
  uint32_t r = 0;
  size_t used;
  n->text = i.val;
  if (!cue_go_unquote_rune(i.val, &r, &used)) return fail(p, "invalid syntax");
  if (used + 1 != i.val.n || i.val.s[used] != '\'')
    return fail(p, "malformed character constant: %.*s", CUE_FMT(i.val));
  n->is_int = true;
  n->i = (int64_t)r;
  return n;
}

static Node *new_number(Parser *p, Item i) {
  Node *n = new_node(p, NODE_NUMBER, i.pos);
  n->text = i.val;
  const CueNum *integer = cue_go_parse_int(p->a, i.val, 0);
  if (integer && cue_num_to_int64(integer, &n->i)) {
    n->is_int = true;
    n->f = (double)n->i;
    return n;
  }
  uint64_t u;
  if (integer && cue_num_to_uint64(integer, &u)) return n; /* told when it is used: it overflows int */
  if (cue_go_parse_float(p->a, i.val, 64, &n->f) != CUE_GO_FLOAT_OK)
    return fail(p, "illegal number syntax: %s", cue_go_quoted(p->a, i.val).s);
  if (!has_any(i.val, ".eEpP")) return fail(p, "integer overflow: %s", cue_go_quoted(p->a, i.val).s);
  n->is_float = true;
  return n;
}

static Node *use_variable(Parser *p, Item i) {
  Node *n = new_names(p, NODE_VARIABLE, i.pos, i.val);
  for (uint32_t v = 0; v < p->vars.n; v++)
    if (cue_str_eq(p->vars.at[v], n->names.at[0])) return n;
  return fail(p, "undefined variable %s", cue_go_quoted(p->a, n->names.at[0]).s);
}

static Node *new_string(Parser *p, Item i) {
  Node *n = new_node(p, NODE_STRING, i.pos);
  n->text = i.val;
  return cue_go_unquote(p->a, i.val, &n->value) ? n : fail(p, "invalid syntax");
}

static Node *pipeline(Parser *p, const char *context, ItemType end);

/* A word, or NULL: then it is either none (*none) or an error. */
static Node *term(Parser *p, bool *none) {
  Item i = next_non_space(p);
  Node *n;
  *none = false;
  switch (i.type) {
  case ITEM_IDENTIFIER:
    if (!template_function(i.val)) return fail(p, "function %s not defined", cue_go_quoted(p->a, i.val).s);
    n = new_node(p, NODE_IDENTIFIER, i.pos);
    n->text = i.val;
    return n;
  case ITEM_DOT: return new_node(p, NODE_DOT, i.pos);
  case ITEM_NIL: return new_node(p, NODE_NIL, i.pos);
  case ITEM_VARIABLE: return use_variable(p, i);
  case ITEM_FIELD: return new_names(p, NODE_FIELD, i.pos, i.val);
  case ITEM_BOOL:
    n = new_node(p, NODE_BOOL, i.pos);
    n->truth = i.val.s[0] == 't';
    return n;
  case ITEM_CHAR_CONSTANT: return new_char(p, i);
  case ITEM_NUMBER: return new_number(p, i);
  case ITEM_LEFT_PAREN:
    if (p->depth >= MAX_NESTING) return fail(p, "max expression depth exceeded");
    p->depth++;
    n = pipeline(p, "parenthesized pipeline", ITEM_RIGHT_PAREN);
    p->depth--;
    return n;
  case ITEM_STRING:
  case ITEM_RAW_STRING: return new_string(p, i);
  default: break;
  }
  backup(p);
  *none = true;
  return NULL;
}

/* A word and the fields taken of it. */
static Node *operand(Parser *p, bool *none) {
  Node *n = term(p, none);
  if (!n || peek(p).type != ITEM_FIELD) return n;
  Node *chain = new_node(p, NODE_CHAIN, peek(p).pos);
  chain->base = n;
  while (peek(p).type == ITEM_FIELD) {
    CueStr field = next(p).val;
    cue_push(p->a, &chain->names, cue_str_sub(field, 1, field.n));
  }
  switch (n->type) {
  case NODE_FIELD:
  case NODE_VARIABLE: /* the longer name is one node, placed where its second part starts */
    n->pos = chain->pos;
    for (uint32_t i = 0; i < chain->names.n; i++) cue_push(p->a, &n->names, chain->names.at[i]);
    return n;
  case NODE_BOOL:
  case NODE_STRING:
  case NODE_NUMBER:
  case NODE_NIL:
  case NODE_DOT: return fail(p, "unexpected . after term %s", cue_go_quoted(p->a, template_node_text(p->a, n)).s);
  default: return chain;
  }
}

static Node *command(Parser *p) {
  Node *cmd = new_node(p, NODE_COMMAND, peek_non_space(p).pos);
  for (;;) {
    bool none;
    peek_non_space(p);
    Node *word = operand(p, &none);
    if (!word && !none) return NULL;
    if (word) cue_push(p->a, &cmd->kids, word);
    Item i = next(p);
    if (i.type == ITEM_SPACE) continue;
    if (i.type == ITEM_RIGHT_DELIM || i.type == ITEM_RIGHT_PAREN)
      backup(p);
    else if (i.type != ITEM_PIPE)
      return unexpected(p, i, "operand");
    break;
  }
  return cmd->kids.n ? cmd : fail(p, "empty command");
}

/* $x := or $x, $y := at the start of a pipeline. False on error. */
static bool declarations(Parser *p, Node *pipe, const char *context) {
  for (;;) {
    Item v = peek_non_space(p);
    if (v.type != ITEM_VARIABLE) return true;
    next(p);
    Item after = peek(p), sign = peek_non_space(p);
    bool comma = sign.type == ITEM_CHAR && cue_str_is(sign.val, ",");
    if (sign.type != ITEM_ASSIGN && sign.type != ITEM_DECLARE && !comma) {
      if (after.type == ITEM_SPACE)
        backup3(p, v, after);
      else
        backup2(p, v);
      return true;
    }
    next_non_space(p);
    Node *variable = new_names(p, NODE_VARIABLE, v.pos, v.val);
    cue_push(p->a, &pipe->decls, variable);
    cue_push(p->a, &p->vars, v.val);
    if (!comma) {
      pipe->assign = sign.type == ITEM_ASSIGN;
      return true;
    }
    if (strcmp(context, "range") != 0 || pipe->decls.n >= 2) {
      fail(p, "too many declarations in %s", context);
      return false;
    }
    ItemType follows = peek_non_space(p).type;
    if (follows != ITEM_VARIABLE && follows != ITEM_RIGHT_DELIM && follows != ITEM_RIGHT_PAREN) {
      fail(p, "range can only initialize variables");
      return false;
    }
  }
}

static Node *check_pipeline(Parser *p, Node *pipe, const char *context) {
  if (pipe->kids.n == 0) return fail(p, "missing value for %s", context);
  for (uint32_t i = 1; i < pipe->kids.n; i++) {
    switch (pipe->kids.at[i]->kids.at[0]->type) {
    case NODE_BOOL:
    case NODE_DOT:
    case NODE_NIL:
    case NODE_NUMBER:
    case NODE_STRING: return fail(p, "non executable command in pipeline stage %u", i + 1);
    default: break;
    }
  }
  return pipe;
}

static Node *pipeline(Parser *p, const char *context, ItemType end) {
  Node *pipe = new_node(p, NODE_PIPE, peek_non_space(p).pos);
  if (!declarations(p, pipe, context)) return NULL;
  for (;;) {
    Item i = next_non_space(p);
    if (i.type == end) return check_pipeline(p, pipe, context);
    switch (i.type) {
    case ITEM_BOOL:
    case ITEM_CHAR_CONSTANT:
    case ITEM_DOT:
    case ITEM_FIELD:
    case ITEM_IDENTIFIER:
    case ITEM_NUMBER:
    case ITEM_NIL:
    case ITEM_RAW_STRING:
    case ITEM_STRING:
    case ITEM_VARIABLE:
    case ITEM_LEFT_PAREN: break;
    default: return unexpected(p, i, context);
    }
    backup(p);
    Node *cmd = command(p);
    if (!cmd) return NULL;
    cue_push(p->a, &pipe->kids, cmd);
  }
}

/* ---- actions ----------------------------------------------------------------------------- */

static Node *text_or_action(Parser *p);

/* Nodes up to {{end}} or {{else}}, which is *stop. */
static Node *item_list(Parser *p, Node **stop) {
  Node *list = new_node(p, NODE_LIST, peek_non_space(p).pos);
  while (peek_non_space(p).type != ITEM_EOF) {
    Node *n = text_or_action(p);
    if (!n) return NULL;
    if (n->type == NODE_END || n->type == NODE_ELSE) {
      *stop = n;
      return list;
    }
    cue_push(p->a, &list->kids, n);
  }
  return fail(p, "unexpected EOF");
}

static Node *control(Parser *p, NodeType type, const char *context);

/* What follows {{else}}: another if or with that shares our {{end}}, or a list of nodes. */
static Node *else_part(Parser *p, NodeType type, const char *context, const Node *at) {
  ItemType again = type == NODE_IF ? ITEM_IF : type == NODE_WITH ? ITEM_WITH : ITEM_ERROR;
  if (peek(p).type == again && again != ITEM_ERROR) {
    next(p);
    Node *list = new_node(p, NODE_LIST, at->pos);
    Node *inner = control(p, type, context);
    if (!inner) return NULL;
    cue_push(p->a, &list->kids, inner);
    return list;
  }
  Node *stop = NULL, *list = item_list(p, &stop);
  if (list && stop->type != NODE_END) return fail(p, "expected end; found {{else}}");
  return list;
}

static Node *control_body(Parser *p, Node *n, const char *context) {
  n->pipe = pipeline(p, context, ITEM_RIGHT_DELIM);
  if (!n->pipe) return NULL;
  n->pos = n->pipe->pos;
  Node *stop = NULL;
  if (n->type == NODE_RANGE) p->range_depth++;
  n->list = item_list(p, &stop);
  if (n->type == NODE_RANGE) p->range_depth--;
  if (!n->list) return NULL;
  if (stop->type == NODE_ELSE) {
    n->other = else_part(p, n->type, context, stop);
    if (!n->other) return NULL;
  }
  return n;
}

static Node *control(Parser *p, NodeType type, const char *context) {
  if (p->depth >= MAX_NESTING) return fail(p, "max nesting depth exceeded");
  p->depth++;
  uint32_t vars = p->vars.n;
  Node *n = control_body(p, new_node(p, type, 0), context);
  p->vars.n = vars;
  p->depth--;
  return n;
}

static Node *jump(Parser *p, NodeType type, size_t pos, const char *name) {
  Item i = next_non_space(p);
  if (i.type != ITEM_RIGHT_DELIM) return unexpected(p, i, name);
  if (!p->range_depth) return fail(p, "%s outside {{range}}", name);
  return new_node(p, type, pos);
}

static Node *else_control(Parser *p) {
  Item i = peek_non_space(p);
  if (i.type == ITEM_IF || i.type == ITEM_WITH) return new_node(p, NODE_ELSE, i.pos);
  if (!expect(p, ITEM_RIGHT_DELIM, "else")) return NULL;
  return new_node(p, NODE_ELSE, i.pos);
}

static bool template_name(Parser *p, Item i, const char *context, CueStr *name) {
  if (i.type != ITEM_STRING && i.type != ITEM_RAW_STRING) {
    unexpected(p, i, context);
    return false;
  }
  if (cue_go_unquote(p->a, i.val, name)) return true;
  fail(p, "invalid syntax");
  return false;
}

static bool is_blank(const Node *n) {
  if (n->type == NODE_LIST) {
    for (uint32_t i = 0; i < n->kids.n; i++)
      if (!is_blank(n->kids.at[i])) return false;
    return true;
  }
  if (n->type != NODE_TEXT) return false;
  for (size_t i = 0; i < n->text.n; i++)
    if (!strchr(" \t\n\v\f\r", n->text.s[i]) || !n->text.s[i]) return false;
  return true;
}

/* A tree of blanks does not replace another, and is replaced by any. */
static bool add_tree(Parser *p, CueStr name, Node *root) {
  for (uint32_t i = 0; i < p->set->trees.n; i++) {
    TemplateTree *t = &p->set->trees.at[i];
    if (!cue_str_eq(t->name, name)) continue;
    if (is_blank(t->root)) {
      t->root = root;
    } else if (!is_blank(root)) {
      fail(p, "template: multiple definition of template %s", cue_go_quoted(p->a, name).s);
      return false;
    }
    return true;
  }
  cue_push(p->a, &p->set->trees, (TemplateTree){name, root});
  return true;
}

/* The body of a define or block, which sees no variables but $. */
static bool definition(Parser *p, CueStr name, const char *context) {
  if (p->depth >= MAX_NESTING) {
    fail(p, "max nesting depth exceeded");
    return false;
  }
  CueStr *outer = p->vars.at;
  uint32_t n = p->vars.n, cap = p->vars.cap;
  int ranges = p->range_depth;
  memset(&p->vars, 0, sizeof p->vars);
  cue_push(p->a, &p->vars, CUE_STR("$"));
  p->range_depth = 0;
  p->depth++;
  Node *stop = NULL, *root = item_list(p, &stop);
  p->depth--;
  p->range_depth = ranges;
  p->vars.at = outer;
  p->vars.n = n;
  p->vars.cap = cap;
  if (!root) return false;
  if (stop->type != NODE_END) {
    fail(p, "unexpected {{else}} in %s", context);
    return false;
  }
  return add_tree(p, name, root);
}

static Node *template_control(Parser *p, bool block) {
  const char *context = block ? "block clause" : "template clause";
  Item i = next_non_space(p);
  Node *n = new_node(p, NODE_TEMPLATE, i.pos);
  if (!template_name(p, i, context, &n->text)) return NULL;
  bool bare = !block && next_non_space(p).type == ITEM_RIGHT_DELIM;
  if (!bare) {
    if (!block) backup(p);
    n->pipe = pipeline(p, context, ITEM_RIGHT_DELIM);
    if (!n->pipe) return NULL;
  }
  return !block || definition(p, n->text, context) ? n : NULL;
}

static Node *action(Parser *p) {
  Item i = next_non_space(p);
  switch (i.type) {
  case ITEM_BLOCK: return template_control(p, true);
  case ITEM_BREAK: return jump(p, NODE_BREAK, i.pos, "{{break}}");
  case ITEM_CONTINUE: return jump(p, NODE_CONTINUE, i.pos, "{{continue}}");
  case ITEM_ELSE: return else_control(p);
  case ITEM_END: return expect(p, ITEM_RIGHT_DELIM, "end") ? new_node(p, NODE_END, i.pos) : NULL;
  case ITEM_IF: return control(p, NODE_IF, "if");
  case ITEM_RANGE: return control(p, NODE_RANGE, "range");
  case ITEM_TEMPLATE: return template_control(p, false);
  case ITEM_WITH: return control(p, NODE_WITH, "with");
  default: break;
  }
  backup(p);
  Node *n = new_node(p, NODE_ACTION, peek(p).pos);
  n->pipe = pipeline(p, "command", ITEM_RIGHT_DELIM);
  return n->pipe ? n : NULL;
}

static Node *text_or_action(Parser *p) {
  Item i = next_non_space(p);
  if (i.type == ITEM_TEXT) {
    Node *n = new_node(p, NODE_TEXT, i.pos);
    n->text = i.val;
    return n;
  }
  if (i.type != ITEM_LEFT_DELIM) return unexpected(p, i, "input");
  p->action_line = i.line;
  Node *n = action(p);
  p->action_line = 0;
  return n;
}

/* {{define}} is allowed only here, at the top. */
static Node *whole(Parser *p) {
  Node *root = new_node(p, NODE_LIST, peek(p).pos);
  while (peek(p).type != ITEM_EOF) {
    if (peek(p).type == ITEM_LEFT_DELIM) {
      Item delim = next(p);
      if (next_non_space(p).type == ITEM_DEFINE) {
        CueStr name;
        if (!template_name(p, next_non_space(p), "define clause", &name)) return NULL;
        if (!expect(p, ITEM_RIGHT_DELIM, "define clause") || !definition(p, name, "define clause")) return NULL;
        continue;
      }
      backup2(p, delim);
    }
    Node *n = text_or_action(p);
    if (!n) return NULL;
    if (n->type == NODE_END || n->type == NODE_ELSE)
      return fail(p, "unexpected %s", n->type == NODE_END ? "{{end}}" : "{{else}}");
    cue_push(p->a, &root->kids, n);
  }
  return root;
}

bool template_parse(CueArena *a, CueStr text, TemplateSet *set, CueStr *error) {
  Parser p = {.a = a, .lex = template_lexer(a, text), .set = set};
  set->text = text;
  cue_push(a, &p.vars, CUE_STR("$"));
  Node *root = whole(&p);
  if (root) add_tree(&p, CUE_STR(""), root);
  *error = p.error;
  return p.error.n == 0;
}

const Node *template_lookup(const TemplateSet *set, CueStr name) {
  for (uint32_t i = 0; i < set->trees.n; i++)
    if (cue_str_eq(set->trees.at[i].name, name)) return set->trees.at[i].root;
  return NULL;
}

/* ---- nodes as text ----------------------------------------------------------------------- */

static void put_node(CueBuf *out, const Node *n);

static void put_word(CueBuf *out, const Node *n) {
  bool paren = n->type == NODE_PIPE;
  if (paren) cue_buf_ch(out, '(');
  put_node(out, n);
  if (paren) cue_buf_ch(out, ')');
}

static void put_pipe(CueBuf *out, const Node *n) {
  for (uint32_t i = 0; i < n->decls.n; i++) {
    if (i) cue_buf_z(out, ", ");
    put_node(out, n->decls.at[i]);
  }
  if (n->decls.n) cue_buf_z(out, n->assign ? " = " : " := ");
  for (uint32_t i = 0; i < n->kids.n; i++) {
    if (i) cue_buf_z(out, " | ");
    put_node(out, n->kids.at[i]);
  }
}

static void put_control(CueBuf *out, const Node *n, const char *name) {
  cue_buf_f(out, "{{%s ", name);
  put_node(out, n->pipe);
  cue_buf_z(out, "}}");
  put_node(out, n->list);
  if (n->other) {
    cue_buf_z(out, "{{else}}");
    put_node(out, n->other);
  }
  cue_buf_z(out, "{{end}}");
}

static void put_node(CueBuf *out, const Node *n) {
  switch (n->type) {
  case NODE_TEXT:
  case NODE_NUMBER:
  case NODE_STRING:
  case NODE_IDENTIFIER: cue_buf_str(out, n->text); break;
  case NODE_ACTION:
    cue_buf_z(out, "{{");
    put_node(out, n->pipe);
    cue_buf_z(out, "}}");
    break;
  case NODE_BREAK: cue_buf_z(out, "{{break}}"); break;
  case NODE_CONTINUE: cue_buf_z(out, "{{continue}}"); break;
  case NODE_END: cue_buf_z(out, "{{end}}"); break;
  case NODE_ELSE: cue_buf_z(out, "{{else}}"); break;
  case NODE_IF: put_control(out, n, "if"); break;
  case NODE_RANGE: put_control(out, n, "range"); break;
  case NODE_WITH: put_control(out, n, "with"); break;
  case NODE_LIST:
    for (uint32_t i = 0; i < n->kids.n; i++) put_node(out, n->kids.at[i]);
    break;
  case NODE_TEMPLATE:
    cue_buf_z(out, "{{template ");
    cue_go_quote(out, n->text, CUE_GO_PRINT);
    if (n->pipe) {
      cue_buf_ch(out, ' ');
      put_node(out, n->pipe);
    }
    cue_buf_z(out, "}}");
    break;
  case NODE_PIPE: put_pipe(out, n); break;
  case NODE_COMMAND:
    for (uint32_t i = 0; i < n->kids.n; i++) {
      if (i) cue_buf_ch(out, ' ');
      put_word(out, n->kids.at[i]);
    }
    break;
  case NODE_BOOL: cue_buf_z(out, n->truth ? "true" : "false"); break;
  case NODE_DOT: cue_buf_ch(out, '.'); break;
  case NODE_NIL: cue_buf_z(out, "nil"); break;
  case NODE_CHAIN:
    put_word(out, n->base);
    for (uint32_t i = 0; i < n->names.n; i++) cue_buf_f(out, ".%.*s", CUE_FMT(n->names.at[i]));
    break;
  case NODE_FIELD:
    for (uint32_t i = 0; i < n->names.n; i++) cue_buf_f(out, ".%.*s", CUE_FMT(n->names.at[i]));
    break;
  case NODE_VARIABLE:
    for (uint32_t i = 0; i < n->names.n; i++) cue_buf_f(out, "%s%.*s", i ? "." : "", CUE_FMT(n->names.at[i]));
    break;
  }
}

CueStr template_node_text(CueArena *a, const Node *n) {
  CueBuf out = cue_buf(a);
  put_node(&out, n);
  return cue_buf_done(&out);
}
