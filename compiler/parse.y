/* parse.y - the grammar of CUE.
**
** Where a declaration begins, a name may turn out to be a label or an expression. Both
** readings share their tokens until ":", "?", "!", "~" or "=" decides, which LALR(1) can
** tell apart as long as label and operand are reduced separately; so there is no
** conflict and no guessing. Commas that stand for line ends are a terminal of their own,
** because in lists they count for less.
**
** A reduction costs as much as a token, so what there is most of (names and strings as labels and
** operands, fields without attributes, declarations on lines of their own) has rules without
** intermediate symbols, at the price of saying a few things twice.
**
** This parser does no error handling: the driver asks lr_accepts before it hands out a token.
*/
%define api.pure full
%define api.prefix {lr}
%define api.token.prefix {T_}
%define api.location.type {Span}
%define parse.error custom
%param {Parser *p}
%locations
%expect 0

%code requires {
#include "compiler/parser.h"
}

%code {
#include <assert.h>

#define YYLLOC_DEFAULT(cur, rhs, n)                                                               \
  ((n) ? (void)((cur).pos = YYRHSLOC(rhs, 1).pos, (cur).end = YYRHSLOC(rhs, n).end)               \
       : (void)((cur).pos = (cur).end = YYRHSLOC(rhs, 0).end))
/* The stack of the automaton lives in the arena of the parse; its size is bounded by the driver. */
#define YYMAXDEPTH 2000000
#define YYINITDEPTH 48 /* most nest little */
#define YYSTACK_ALLOC(n) cue_alloc(p->a, (size_t)(n))
/* Where the automaton asks for a token, it tells where it stands. */
#define lrlex(value, at, p) next_terminal(p, (at), &(value)->text, yyssp)
static int next_terminal(Parser *p, Span *at, CueStr *text, const void *states);
static void lrerror(Span *at, Parser *p, const char *message);
}

%union {
  CueStr text;
  Ast *node;
  AstList list;
  FieldRest rest;
}

%token EOF 0
%token BAD COMMENT ARROW SEMICOLON TILDE COLON PERIOD ELLIPSIS BIND NOT OPTION OPTIONAL
%token COMMA NEWLINE LPAREN RPAREN LBRACK RBRACK LBRACE RBRACE
%token IF FOR IN LET TRY ELSE OTHERWISE FALLBACK FUNC PACKAGE IMPORT START_EXPR BADEXPR BOTTOM
%token <text> ATTRIBUTE IDENT KEYNAME INT FLOAT STRING INTERPOLATION PIECE LASTPIECE TRUE FALSE NULL

%left OR
%left AND
%left LOR
%left LAND
%left EQL NEQ LSS LEQ GTR GEQ MAT NMAT
%left ADD SUB
%left MUL QUO IDIV IMOD IQUO IREM
%precedence UNARY

%type <node> decl head label plain_label other_label tail mark postfix_alias comp_decl comp_item first_clause first_decl_clause
%type <node> clause for_clause if_clause let_clause try_clause fallback struct list paren interpolation interpolation_open
%type <node> expr expr_opt primary selectable name ident selector elem import_spec last_item rest attribute string
%type <rest> value
%type <list> decls decl_seq attrs clauses decl_clauses list_items items args arg_seq specs spec_seq

%%

start:
    decls                         { p->decls = $1; }
  | START_EXPR expr               { p->expr = $2; }
  | START_EXPR expr NEWLINE       { p->expr = $2; }
  ;

/* ---- declarations ---- */

sep: COMMA | NEWLINE ;

decls:
    %empty                        { $$ = (AstList){0}; }
  | decl_seq
  | decl_seq COMMA
  | decl_seq NEWLINE
  ;
decl_seq:
    decl                          { $$ = node_list1(p, $1); }
  | decl_seq COMMA decl           { $$ = node_list_add(p, $1, $3); }
  | decl_seq NEWLINE decl         { $$ = node_list_add(p, $1, $3); }
  ;

decl:
    head value                    { $$ = node_field(p, $1, $2); }
  | expr                          { $$ = node_wrap(p, AST_EMBED, @1, $1); }
  | label tail                    { $$ = node_wrap(p, AST_EMBED, @1, $1); } /* as cue has it: the mark means nothing */
  | name BIND expr                { $$ = node_old_alias(p, $1, @2.pos, $3); }
  | comp_decl
  | let_clause
  | ELLIPSIS                      { $$ = node_new(p, AST_ELLIPSIS, @1); }
  | attribute
  | PACKAGE ident                 { $$ = node_package(p, @$, $2); }
  | IMPORT import_spec            { $$ = node_imports(p, @1, (Span){0}, node_list1(p, $2), (Span){0}); }
  | IMPORT LPAREN specs RPAREN    { $$ = node_imports(p, @1, @2, $3, @4); }
  ;

head:
    label COLON                   { $$ = node_head(p, $1, NULL, @2.pos); }
  | label tail COLON              { $$ = node_head(p, $1, $2, @3.pos); }
  ;
label:
    IDENT                         { $$ = node_text(p, AST_IDENT, @1, $1); }
  | KEYNAME                       { $$ = node_text(p, AST_IDENT, @1, $1); }
  | STRING                        { $$ = node_literal(p, TOK_STRING, @1, $1); }
  | other_label
  | name BIND plain_label         { $$ = node_alias(p, $1, @2.pos, $3); }
  ;
plain_label: name | string | other_label ;
other_label:
    interpolation | paren | list
  | TRUE                          { $$ = node_literal(p, TOK_TRUE, @1, $1); }
  | FALSE                         { $$ = node_literal(p, TOK_FALSE, @1, $1); }
  | NULL                          { $$ = node_literal(p, TOK_NULL, @1, $1); }
  ;
/* What may stand between a label and its colon, as a field to be filled. */
tail:
    mark
  | postfix_alias
  | postfix_alias mark            { $$ = $1; $$->constraint = $2->constraint; }
  ;
mark:
    NOT                           { $$ = node_new(p, AST_FIELD, @1); $$->constraint = TOK_NOT; }
  | OPTIONAL                      { $$ = node_new(p, AST_FIELD, @1); $$->constraint = TOK_OPTION; }
  ;
postfix_alias:
    TILDE ident                   { $$ = node_new(p, AST_FIELD, @$); $$->u.field.alias_field = $2; $$->u.field.tilde = @1.pos; }
  | TILDE LPAREN ident sep ident RPAREN
                                  { $$ = node_new(p, AST_FIELD, @$); $$->u.field.alias_label = $3; $$->u.field.alias_field = $5;
                                    $$->u.field.tilde = @1.pos; }
  ;
value:
    expr                          { $$ = (FieldRest){$1, {0}}; }
  | expr attrs                    { $$ = (FieldRest){$1, $2}; }
  | name BIND expr                { $$ = (FieldRest){node_alias(p, $1, @2.pos, $3), {0}}; }
  | name BIND expr attrs          { $$ = (FieldRest){node_alias(p, $1, @2.pos, $3), $4}; }
  | head value                    { $$ = (FieldRest){node_chain(p, node_field(p, $1, $2)), {0}}; }
  ;
attrs:
    attribute                     { $$ = node_list1(p, $1); }
  | attrs attribute               { $$ = node_list_add(p, $1, $2); }
  ;
attribute: ATTRIBUTE              { $$ = node_text(p, AST_ATTRIBUTE, @1, $1); } ;

specs: %empty                     { $$ = (AstList){0}; } | spec_seq | spec_seq sep ;
spec_seq:
    import_spec                   { $$ = node_list1(p, $1); }
  | spec_seq sep import_spec      { $$ = node_list_add(p, $1, $3); }
  ;
import_spec:
    string                        { $$ = node_import(p, NULL, $1); }
  | ident string                  { $$ = node_import(p, $1, $2); }
  ;

/* ---- comprehensions ---- */

comp_decl:
    decl_clauses struct fallback      { $$ = node_comprehension(p, $1, $2, $3); }
  | decl_clauses sep struct fallback  { $$ = node_comprehension(p, $1, $3, $4); }
  ;
comp_item:
    clauses struct fallback       { $$ = node_comprehension(p, $1, $2, $3); }
  | clauses sep struct fallback   { $$ = node_comprehension(p, $1, $3, $4); }
  ;
decl_clauses:
    first_decl_clause             { $$ = node_list1(p, $1); }
  | decl_clauses clause           { $$ = node_list_add(p, $1, $2); }
  | decl_clauses sep clause       { $$ = node_list_add(p, $1, $3); }
  ;
clauses:
    first_clause                  { $$ = node_list1(p, $1); }
  | clauses clause                { $$ = node_list_add(p, $1, $2); }
  | clauses sep clause            { $$ = node_list_add(p, $1, $3); }
  ;
first_decl_clause: first_clause | try_clause ;
first_clause: for_clause | if_clause ;
clause: for_clause | if_clause | let_clause | try_clause ;
for_clause:
    FOR ident IN expr             { $$ = node_for(p, @1, NULL, 0, $2, @3.pos, $4); }
  | FOR ident sep ident IN expr   { $$ = node_for(p, @1, $2, @3.pos, $4, @5.pos, $6); }
  ;
if_clause: IF expr                { $$ = node_wrap(p, AST_IF, @$, $2); } ;
let_clause: LET ident BIND expr   { $$ = node_bind(p, AST_LET, @1, $2, @3.pos, $4); } ;
try_clause:
    TRY                           { $$ = node_bind(p, AST_TRY, @1, NULL, 0, NULL); }
  | TRY ident BIND expr           { $$ = node_bind(p, AST_TRY, @1, $2, @3.pos, $4); }
  ;
fallback:
    %empty                        { $$ = NULL; }
  | ELSE struct                   { $$ = node_fallback(p, TOK_ELSE, @1, $2); }
  | OTHERWISE struct              { $$ = node_fallback(p, TOK_OTHERWISE, @1, $2); }
  | FALLBACK struct               { $$ = node_fallback(p, TOK_FALLBACK, @1, $2); }
  ;

/* ---- expressions ---- */

expr:
    primary
  | expr OR expr                  { $$ = node_binary(p, TOK_OR, @2.pos, $1, $3); }
  | expr AND expr                 { $$ = node_binary(p, TOK_AND, @2.pos, $1, $3); }
  | expr LOR expr                 { $$ = node_binary(p, TOK_LOR, @2.pos, $1, $3); }
  | expr LAND expr                { $$ = node_binary(p, TOK_LAND, @2.pos, $1, $3); }
  | expr EQL expr                 { $$ = node_binary(p, TOK_EQL, @2.pos, $1, $3); }
  | expr NEQ expr                 { $$ = node_binary(p, TOK_NEQ, @2.pos, $1, $3); }
  | expr LSS expr                 { $$ = node_binary(p, TOK_LSS, @2.pos, $1, $3); }
  | expr LEQ expr                 { $$ = node_binary(p, TOK_LEQ, @2.pos, $1, $3); }
  | expr GTR expr                 { $$ = node_binary(p, TOK_GTR, @2.pos, $1, $3); }
  | expr GEQ expr                 { $$ = node_binary(p, TOK_GEQ, @2.pos, $1, $3); }
  | expr MAT expr                 { $$ = node_binary(p, TOK_MAT, @2.pos, $1, $3); }
  | expr NMAT expr                { $$ = node_binary(p, TOK_NMAT, @2.pos, $1, $3); }
  | expr ADD expr                 { $$ = node_binary(p, TOK_ADD, @2.pos, $1, $3); }
  | expr SUB expr                 { $$ = node_binary(p, TOK_SUB, @2.pos, $1, $3); }
  | expr MUL expr                 { $$ = node_binary(p, TOK_MUL, @2.pos, $1, $3); }
  | expr QUO expr                 { $$ = node_binary(p, TOK_QUO, @2.pos, $1, $3); }
  | expr IDIV expr                { $$ = node_binary(p, TOK_IDIV, @2.pos, $1, $3); }
  | expr IMOD expr                { $$ = node_binary(p, TOK_IMOD, @2.pos, $1, $3); }
  | expr IQUO expr                { $$ = node_binary(p, TOK_IQUO, @2.pos, $1, $3); }
  | expr IREM expr                { $$ = node_binary(p, TOK_IREM, @2.pos, $1, $3); }
  | ADD expr %prec UNARY          { $$ = node_unary(p, AST_UNARY, @$, TOK_ADD, @1.pos, $2); }
  | SUB expr %prec UNARY          { $$ = node_unary(p, AST_UNARY, @$, TOK_SUB, @1.pos, $2); }
  | NOT expr %prec UNARY          { $$ = node_unary(p, AST_UNARY, @$, TOK_NOT, @1.pos, $2); }
  | MUL expr %prec UNARY          { $$ = node_unary(p, AST_UNARY, @$, TOK_MUL, @1.pos, $2); }
  | LSS expr %prec UNARY          { $$ = node_unary(p, AST_UNARY, @$, TOK_LSS, @1.pos, $2); }
  | LEQ expr %prec UNARY          { $$ = node_unary(p, AST_UNARY, @$, TOK_LEQ, @1.pos, $2); }
  | GTR expr %prec UNARY          { $$ = node_unary(p, AST_UNARY, @$, TOK_GTR, @1.pos, $2); }
  | GEQ expr %prec UNARY          { $$ = node_unary(p, AST_UNARY, @$, TOK_GEQ, @1.pos, $2); }
  | EQL expr %prec UNARY          { $$ = node_unary(p, AST_UNARY, @$, TOK_EQL, @1.pos, $2); }
  | NEQ expr %prec UNARY          { $$ = node_unary(p, AST_UNARY, @$, TOK_NEQ, @1.pos, $2); }
  | MAT expr %prec UNARY          { $$ = node_unary(p, AST_UNARY, @$, TOK_MAT, @1.pos, $2); }
  | NMAT expr %prec UNARY         { $$ = node_unary(p, AST_UNARY, @$, TOK_NMAT, @1.pos, $2); }
  ;
primary:
    selectable
  | interpolation | paren | list | struct
  | IDENT                         { $$ = node_text(p, AST_IDENT, @1, $1); }
  | KEYNAME                       { $$ = node_text(p, AST_IDENT, @1, $1); }
  | STRING                        { $$ = node_literal(p, TOK_STRING, @1, $1); }
  | INT                           { $$ = node_literal(p, TOK_INT, @1, $1); }
  | FLOAT                         { $$ = node_literal(p, TOK_FLOAT, @1, $1); }
  | TRUE                          { $$ = node_literal(p, TOK_TRUE, @1, $1); }
  | FALSE                         { $$ = node_literal(p, TOK_FALSE, @1, $1); }
  | NULL                          { $$ = node_literal(p, TOK_NULL, @1, $1); }
  | BOTTOM                        { $$ = node_new(p, AST_BOTTOM, @1); }
  | BADEXPR                       { $$ = node_new(p, AST_BAD_EXPR, @1); }
  | IDENT OPTION                  { $$ = node_unary(p, AST_POSTFIX, @$, TOK_OPTION, @2.pos, node_text(p, AST_IDENT, @1, $1)); }
  | selectable OPTION             { $$ = node_unary(p, AST_POSTFIX, @$, TOK_OPTION, @2.pos, $1); }
  | primary LBRACK expr_opt COLON expr_opt RBRACK
                                  { $$ = node_slice(p, $1, $3, $5, @2, @6); }
  | primary LPAREN args RPAREN    { $$ = node_call(p, $1, @2, $3, @4); }
  | primary ELLIPSIS              { $$ = node_unary(p, AST_POSTFIX, @$, TOK_ELLIPSIS, @2.pos, $1); }
  ;
selectable: /* what "?" may follow */
    primary PERIOD selector       { $$ = node_selector(p, $1, @2.pos, $3); }
  | primary LBRACK expr RBRACK    { $$ = node_index(p, $1, $3, @2, @4); }
  ;
selector:
    name | string
  | TRUE                          { $$ = node_text(p, AST_IDENT, @1, $1); }
  | FALSE                         { $$ = node_text(p, AST_IDENT, @1, $1); }
  | NULL                          { $$ = node_text(p, AST_IDENT, @1, $1); }
  ;
expr_opt: %empty                  { $$ = NULL; } | expr ;
args: %empty                      { $$ = (AstList){0}; } | arg_seq | arg_seq sep ;
arg_seq:
    expr                          { $$ = node_list1(p, $1); }
  | arg_seq sep expr              { $$ = node_list_add(p, $1, $3); }
  ;

ident: IDENT                      { $$ = node_text(p, AST_IDENT, @1, $1); } ;
name:
    IDENT                         { $$ = node_text(p, AST_IDENT, @1, $1); }
  | KEYNAME                       { $$ = node_text(p, AST_IDENT, @1, $1); }
  ;
string: STRING                    { $$ = node_literal(p, TOK_STRING, @1, $1); } ;
paren: LPAREN expr RPAREN         { $$ = node_wrap(p, AST_PAREN, @$, $2); $$->open = @1.pos; $$->close = @3.pos; } ;
struct: LBRACE decls RBRACE       { $$ = node_struct(p, @1, @3, $2); } ;

interpolation:
    interpolation_open LASTPIECE  { $$ = $1; $$->u.list = node_list_add(p, $$->u.list, node_literal(p, TOK_STRING, @2, $2));
                                    $$->end = @2.end; }
  ;
interpolation_open:
    INTERPOLATION expr            { $$ = node_list(p, AST_INTERPOLATION, @$, (Span){0},
                                         node_list_add(p, node_list1(p, node_literal(p, TOK_STRING, @1, $1)), $2)); }
  | interpolation_open PIECE expr { AstList l = node_list_add(p, $1->u.list, node_literal(p, TOK_STRING, @2, $2));
                                    $$ = node_list(p, AST_INTERPOLATION, @$, (Span){0}, node_list_add(p, l, $3)); }
  ;

/* ---- lists: a line end is a comma after a comprehension, and before the bracket ---- */

list: LBRACK list_items RBRACK    { $$ = node_list(p, AST_LIST, @1, @3, $2); } ;
list_items:
    %empty                        { $$ = (AstList){0}; }
  | items
  | last_item                     { $$ = node_list1(p, $1); }
  | items last_item               { $$ = node_list_add(p, $1, $2); }
  ;
items:
    elem COMMA                    { $$ = node_list1(p, $1); }
  | elem NEWLINE COMMA            { $$ = node_list1(p, $1); } /* a repair by the driver */
  | comp_item sep                 { $$ = node_list1(p, $1); }
  | items elem COMMA              { $$ = node_list_add(p, $1, $2); }
  | items elem NEWLINE COMMA      { $$ = node_list_add(p, $1, $2); }
  | items comp_item sep           { $$ = node_list_add(p, $1, $2); }
  ;
last_item: elem | elem NEWLINE | comp_item | rest | rest sep ;
rest:
    ELLIPSIS                      { $$ = node_new(p, AST_ELLIPSIS, @1); }
  | ELLIPSIS expr                 { $$ = node_wrap(p, AST_ELLIPSIS, @$, $2); }
  ;
elem:
    expr
  | name BIND expr                { $$ = node_alias(p, $1, @2.pos, $3); }
  ;

%%

/* From Tok and LR_* to the symbols of the automaton. */
static const int terminals[LR_COUNT] = {
#define TOK(name, text, prec) [TOK_##name] = T_##name,
#include "compiler/token.def"
#undef TOK
  [LR_NEWLINE] = T_NEWLINE, [LR_KEYNAME] = T_KEYNAME, [LR_BADEXPR] = T_BADEXPR, [LR_PIECE] = T_PIECE,
  [LR_LASTPIECE] = T_LASTPIECE, [LR_OPTIONAL] = T_OPTIONAL, [LR_PACKAGE] = T_PACKAGE, [LR_IMPORT] = T_IMPORT,
  [LR_START_EXPR] = T_START_EXPR,
};

static void lrerror(Span *at, Parser *p, const char *message) {
  (void)message;
  parse_error(p, at->pos, "nested too deeply");
  p->stop = true;
}

static int yyreport_syntax_error(const yypcontext_t *ctx, Parser *p) {
  (void)ctx, (void)p;
  assert(!"the driver pushes only what lr_accepts");
  return 0;
}

static int next_terminal(Parser *p, Span *at, CueStr *text, const void *states) {
  p->states = states;
  int sym = parse_next(p, at, text);
  return sym < 0 ? T_LRerror : terminals[sym]; /* no rule has "error": the automaton ends */
}

/* Runs the reductions that the symbol would cause, on states alone: those of the stack
** below `top` are real, those above it are in `over`. */
bool lr_accepts(const Parser *p, int sym) {
  enum { OVER = 64 }; /* reductions before a shift never grow the stack by more than the grammar is high */
  yy_state_t over[OVER];
  const yy_state_t *top = p->states;
  int n = 0;
  int state = *top;
  const int token = YYTRANSLATE(terminals[sym]);
  for (;;) {
    int rule = yypact[state];
    if (yypact_value_is_default(rule)) {
      rule = yydefact[state];
      if (rule == 0) return false;
    } else {
      rule += token;
      if (rule < 0 || YYLAST < rule || yycheck[rule] != token) {
        rule = yydefact[state];
        if (rule == 0) return false;
      } else {
        rule = yytable[rule];
        if (yytable_value_is_error(rule)) return false;
        if (rule > 0) return true; /* shift */
        rule = -rule;
      }
    }
    int len = yyr2[rule];
    int gone = len < n ? len : n;
    n -= gone;
    top -= len - gone;
    state = n > 0 ? over[n - 1] : *top;
    const int lhs = yyr1[rule] - YYNTOKENS;
    const int to = yypgoto[lhs] + state;
    state = 0 <= to && to <= YYLAST && yycheck[to] == state ? yytable[to] : yydefgoto[lhs];
    if (n == OVER) return false;
    over[n++] = (yy_state_t)state;
  }
}

void lr_run(Parser *p) { (void)lrparse(p); }
