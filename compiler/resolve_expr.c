/* resolve_expr.c - expressions, declarations and comprehensions to core language.
**
** The order in which parts are compiled matters only for lets (resolve_ref.c); errors are
** sorted when printed. Long chains of a left-associative operator are walked by a loop, all
** other nesting by recursion under a limit.
*/
#include <assert.h>
#include <string.h>

#include "compiler/fmt.h"
#include "compiler/literal.h"
#include "compiler/nfc.h"
#include "compiler/parse.h"
#include "compiler/resolve.h"

enum { MAX_DEPTH = 10000 };

typedef CUE_VEC(Ir *) IrVec;

void *ir_node(CueArena *a, size_t size, IrKind kind, const Ast *src) {
  Ir *x = cue_alloc(a, size);
  x->kind = (uint8_t)kind;
  x->src = src;
  x->pos = src ? src->pos : 0;
  return x;
}

Bottom *resolve_bottom(Resolver *r, const Ast *src, BottomCode code, CueStr message) {
  Bottom *b = IR_NEW(r->a, Bottom, IR_BOTTOM, src);
  b->code = code;
  Err *err = cue_new(r->a, Err);
  err->fmt = "%s";
  err->args = cue_new(r->a, ErrArg);
  err->args[0] = (ErrArg){.kind = ERR_ARG_STR, .u.str = message};
  err->nargs = 1;
  err->pos = src->pos;
  Err **errs = cue_array(r->a, Err *, 1);
  errs[0] = err;
  b->errs = errs;
  b->nerrs = 1;
  return b;
}

static Ir *fail(Bottom *b) { return (Ir *)b; }

/* ---- labels and literals ---- */

static Label int_label(Resolver *r, const Ast *n) {
  CueValue v = cue_literal_number(r->a, n->u.text);
  if (v.kind == CUE_BOTTOM) {
    CueStr m = cue_value_str(v);
    resolve_errorf(r, n, "invalid int label: %.*s", CUE_FMT(m));
    return 0;
  }
  if (v.kind != CUE_INT || v.form != CUE_PLAIN || v.as.i < 0 || v.as.i >= (int64_t)LABEL_MAX_INT) {
    resolve_errorf(r, n, "invalid int label: int label out of range (%.*s not >=0 and <= %u)", CUE_FMT(n->u.text),
                   LABEL_MAX_INT - 1);
    return 0;
  }
  return label_int((uint32_t)v.as.i);
}

/* 0 for "_" and for what is no label. */
Label resolve_label(Resolver *r, const Ast *n) {
  if (n->kind == AST_IDENT) return cue_str_is(n->u.text, "_") ? 0 : label_ident(r->c->labels, n->u.text, r->pkg);
  if (n->kind != AST_BASIC) {
    resolve_errorf(r, n, "unsupported label node type");
    return 0;
  }
  if (n->op == TOK_INT) return int_label(r, n);
  if (n->op == TOK_FLOAT) {
    resolve_errorf(r, n, "float %.*s cannot be used as label", CUE_FMT(n->u.text));
    return 0;
  }
  if (n->op != TOK_STRING) return label_string(r->c->labels, n->u.text); /* a keyword */
  CueValue v = cue_literal_string(r->a, n->u.text);
  if (v.kind == CUE_BOTTOM) {
    CueStr m = cue_value_str(v);
    resolve_errorf(r, n, "invalid string label: %.*s", CUE_FMT(m));
    return 0;
  }
  return label_string(r->c->labels, nfc_normalize(r->a, cue_value_str(v)));
}

static Ir *scalar(Resolver *r, const Ast *n, CueValue v) {
  IrScalar *x = IR_NEW(r->a, IrScalar, IR_SCALAR, n);
  x->v = v;
  return (Ir *)x;
}

static Ir *literal(Resolver *r, const Ast *n) {
  CueValue v;
  switch (n->op) {
  case TOK_TRUE: return scalar(r, n, cue_bool(true));
  case TOK_FALSE: return scalar(r, n, cue_bool(false));
  case TOK_NULL: return scalar(r, n, cue_null());
  case TOK_STRING:
    v = cue_literal_token(r->a, n->u.text);
    if (v.kind != CUE_BOTTOM) return scalar(r, n, v);
    return fail(resolve_errorf(r, n, "%.*s", CUE_FMT(cue_value_str(v))));
  case TOK_INT:
  case TOK_FLOAT:
    v = cue_literal_number(r->a, n->u.text);
    if (v.kind != CUE_BOTTOM) return scalar(r, n, v);
    return fail(resolve_errorf(r, n, "parse error: %.*s", CUE_FMT(cue_value_str(v))));
  default: return fail(resolve_errorf(r, n, "unknown literal type"));
  }
}

static Ir *interpolation(Resolver *r, const Ast *n) {
  const AstList *l = &n->u.list;
  if (!l->n || l->at[0]->kind != AST_BASIC || l->at[l->n - 1]->kind != AST_BASIC)
    return fail(resolve_errorf(r, n, "invalid interpolation"));
  if (l->n == 1) return resolve_expr(r, l->at[0]);
  IrInterpolation *x = IR_NEW(r->a, IrInterpolation, IR_INTERPOLATION, n);
  CueStr first = l->at[0]->u.text, last = l->at[l->n - 1]->u.text;
  x->parts = cue_array(r->a, Ir *, l->n);
  x->n = l->n;
  for (uint32_t i = 0; i < l->n; i++) {
    const Ast *part = l->at[i];
    if (i % 2) {
      x->parts[i] = resolve_expr(r, part);
      continue;
    }
    if (part->kind != AST_BASIC) return fail(resolve_errorf(r, n, "invalid interpolation"));
    CueValue v = cue_literal_piece(r->a, first, last, part->u.text);
    if (v.kind == CUE_BOTTOM) return fail(resolve_errorf(r, part, "%.*s", CUE_FMT(cue_value_str(v))));
    x->parts[i] = scalar(r, part, v);
    x->bytes = v.kind == CUE_BYTES;
  }
  return (Ir *)x;
}

/* ---- operators ---- */

static CueStr source_text(Resolver *r, const Ast *x) {
  CueBuf b = cue_buf(r->a);
  cue_format_node(&b, x, (CueFmtOptions){0});
  return cue_buf_done(&b);
}

/* Operands of arithmetic and comparison that can never be concrete are refused at once. */
static void check_operand(Resolver *r, const Ast *src, Tok op, const Ir *x) {
  switch (x->kind) {
  case IR_BOUND_EXPR:
  case IR_BOUND:
  case IR_TOP:
  case IR_TYPE:
  case IR_CONJUNCTION: {
    CueStr text = source_text(r, src);
    resolve_errorf(r, src, "invalid operand %.*s ('%s' requires concrete value)", CUE_FMT(text), tok_text(op));
    return;
  }
  default: return;
  }
}

/* x == _|_ and x != _|_ ask whether there is an x and not what is wrong with it: the references of x are told so, and no
** error is made of what they do not find. */
static void ask_existence(Ir *x, uint8_t op) {
  for (;;) {
    switch (x->kind) {
    case IR_FIELD_REF: x->op = op; return;
    case IR_SELECTOR:
      x->op = op;
      x = IR_AS(IrSelector, x)->x;
      break;
    case IR_INDEX:
      x->op = op;
      x = IR_AS(IrIndex, x)->x;
      break;
    default: return;
    }
  }
}

static Ir *binary(Resolver *r, const Ast *n) {
  CUE_VEC(const Ast *) spine = {0};
  const Ast *left = n;
  for (; left->kind == AST_BINARY && left->op != TOK_OR; left = left->u.binary.x) cue_push(r->a, &spine, left);
  Ir *x = resolve_expr(r, left);
  while (spine.n) {
    const Ast *b = spine.at[--spine.n];
    IrBinary *made = IR_NEW(r->a, IrBinary, IR_BINARY, b);
    made->op = b->op;
    made->x = x;
    made->y = resolve_expr(r, b->u.binary.y);
    if (b->op != TOK_AND) {
      check_operand(r, b->u.binary.x, (Tok)b->op, made->x);
      check_operand(r, b->u.binary.y, (Tok)b->op, made->y);
    }
    if (b->op == TOK_EQL || b->op == TOK_NEQ) {
      if (ir_is_literal_bottom(made->y))
        ask_existence(made->x, b->op);
      else if (ir_is_literal_bottom(made->x))
        ask_existence(made->y, b->op);
    }
    x = (Ir *)made;
  }
  return x;
}

typedef CUE_VEC(IrDisjunct) DisjunctVec;

static void add_disjuncts(Resolver *r, IrDisjunctionExpr *d, DisjunctVec *out, const Ast *n, bool mark) {
  CUE_VEC(const Ast *) spine = {0};
  for (; n->kind == AST_BINARY && n->op == TOK_OR; n = n->u.binary.x) cue_push(r->a, &spine, n);
  for (;;) {
    bool marked = mark;
    while (n->kind == AST_UNARY && n->op == TOK_MUL) {
      d->has_defaults = marked = true;
      n = n->u.unary.x;
    }
    if (n->kind == AST_BINARY && n->op == TOK_OR)
      add_disjuncts(r, d, out, n, marked);
    else
      cue_push(r->a, out, (IrDisjunct){resolve_expr(r, n), marked});
    if (!spine.n) return;
    n = spine.at[--spine.n]->u.binary.y;
  }
}

static Ir *disjunction(Resolver *r, const Ast *n) {
  IrDisjunctionExpr *d = IR_NEW(r->a, IrDisjunctionExpr, IR_DISJUNCTION_EXPR, n);
  DisjunctVec out = {0};
  add_disjuncts(r, d, &out, n, false);
  d->at = out.at;
  d->n = out.n;
  return (Ir *)d;
}

static Ir *unary(Resolver *r, const Ast *n) {
  IrKind kind = IR_BOUND_EXPR;
  switch (n->op) {
  case TOK_NOT:
  case TOK_ADD:
  case TOK_SUB: kind = IR_UNARY; break;
  case TOK_EQL:
    if (!r->exp.structcmp) return fail(resolve_errorf(r, n, "unsupported unary operator \"==\""));
    break;
  case TOK_GEQ:
  case TOK_GTR:
  case TOK_LSS:
  case TOK_LEQ:
  case TOK_NEQ:
  case TOK_MAT:
  case TOK_NMAT: break;
  case TOK_MUL: return fail(resolve_errorf(r, n, "preference mark not allowed at this position"));
  default: return fail(resolve_errorf(r, n, "unsupported unary operator \"%s\"", tok_text((Tok)n->op)));
  }
  IrUnary *x = IR_NEW(r->a, IrUnary, kind, n);
  x->op = n->op;
  x->x = resolve_expr(r, n->u.unary.x);
  return (Ir *)x;
}

static Ir *postfix(Resolver *r, const Ast *n) {
  if (n->op == TOK_ELLIPSIS) {
    if (!r->exp.explicitopen)
      return fail(resolve_errorf(r, n, "postfix ... operator requires @experiment(explicitopen)"));
    IrUnary *x = IR_NEW(r->a, IrUnary, IR_OPEN, n);
    x->x = resolve_expr(r, n->u.unary.x);
    return (Ir *)x;
  }
  if (!r->exp.try_clause)
    resolve_errorf(r, n, "optional marker (?) requires the try experiment (language version v0.16.0 or later)");
  else if (!r->try_depth)
    resolve_errorf(r, n, "optional marker (?) is only valid within a try clause");
  Ir *x = resolve_expr(r, n->u.unary.x);
  switch (x->kind) {
  case IR_FIELD_REF:
  case IR_SELECTOR:
  case IR_INDEX: x->flag = 1; return x;
  case IR_BOTTOM: return x;
  default: return fail(resolve_errorf(r, n, "optional marker (?) can only be used on references"));
  }
}

static Ir *call(Resolver *r, const Ast *n) {
  IrCall *x = IR_NEW(r->a, IrCall, IR_CALL, n);
  x->fun = resolve_expr(r, n->u.call.fun);
  x->n = n->u.call.args.n;
  x->args = cue_array(r->a, Ir *, x->n);
  for (uint32_t i = 0; i < x->n; i++) x->args[i] = resolve_expr(r, n->u.call.args.at[i]);
  return (Ir *)x;
}

/* ---- structs ---- */

Ir *resolve_labeled(Resolver *r, const Ast *field, const Ast *x) {
  Frame *f = r->top;
  const Ast *old_label = f->label, *old_field = f->field;
  bool old_in = f->in_field;
  f->label = field;
  f->field = field;
  f->in_field = true;
  Ir *value = resolve_expr(r, x);
  f->label = old_label;
  f->field = old_field;
  f->in_field = old_in;
  return value;
}

static uint8_t arc_type(const Ast *field) {
  switch (field->u.field.label->kind == AST_LIST ? 0 : field->constraint) {
  case TOK_OPTION: return ARC_OPTIONAL;
  case TOK_NOT: return ARC_REQUIRED;
  default: return ARC_MEMBER;
  }
}

static Ir *field_value(Resolver *r, const Ast *n) {
  const Ast *v = n->u.field.value;
  if (!v || v->kind != AST_ALIAS) return resolve_labeled(r, n, v);
  Frame *f = frame_push(r, n, 0);
  const Ast *ident = v->u.alias.ident;
  name_insert(r, f, ident->u.text, NAME_VALUE_ALIAS, v, NULL);
  alias_add(r, f, ident, (Alias){.source = v});
  Ir *value = resolve_labeled(r, n, v->u.alias.x);
  frame_pop(r);
  return value;
}

static Ir *pattern_field(Resolver *r, const Ast *n, const Ast *label) {
  if (label->u.list.n != 1) {
    field_value(r, n);
    return fail(resolve_errorf(r, n, "list label must have one element"));
  }
  IrPattern *p = IR_NEW(r->a, IrPattern, IR_PATTERN, n);
  Frame *f = frame_push(r, n, 0);
  const Ast *elem = label->u.list.at[0], *outer = n->u.field.label;
  if (outer->kind == AST_ALIAS) name_insert(r, f, outer->u.alias.ident->u.text, NAME_PATTERN_ALIAS, n, NULL);
  if (elem->kind == AST_ALIAS) {
    if (n->u.field.alias_field) naming_errorf(r, n->pos, "pattern constraint has both label alias and postfix alias");
    const Ast *ident = elem->u.alias.ident;
    elem = elem->u.alias.x;
    p->label = resolve_label(r, ident);
    name_insert(r, f, ident->u.text, NAME_KEY, elem, n);
  } else {
    postfix_aliases(r, f, n, elem, true);
  }
  const Ast *key = n->u.field.alias_label;
  if (key && !cue_str_is(key->u.text, "_")) p->label = resolve_label(r, key);
  pattern_check(r, elem);
  p->value = field_value(r, n);
  p->filter = resolve_expr(r, elem);
  frame_pop(r);
  return (Ir *)p;
}

static Ir *field_decl(Resolver *r, const Ast *n) {
  const Ast *label = n->u.field.label;
  if (label->kind == AST_ALIAS) label = label->u.alias.x;
  if (label->kind == AST_LIST) return pattern_field(r, n, label);
  Ir *value = field_value(r, n);
  if (label->kind == AST_IDENT || label->kind == AST_BASIC) {
    Label l = resolve_label(r, label);
    if (!l) return fail(resolve_errorf(r, n, "cannot use _ as label"));
    IrField *f = IR_NEW(r->a, IrField, IR_FIELD, n);
    f->arc_type = arc_type(n);
    f->label = l;
    f->value = value;
    return (Ir *)f;
  }
  if (label->kind != AST_PAREN && label->kind != AST_INTERPOLATION)
    return fail(resolve_errorf(r, n, "alias expression is not a valid label"));
  IrDynamic *d = IR_NEW(r->a, IrDynamic, IR_DYNAMIC, n);
  d->arc_type = arc_type(n);
  d->value = value;
  d->key = resolve_expr(r, label);
  d->has_label_alias = n->u.field.alias_label != NULL;
  return (Ir *)d;
}

static Ir *let_decl(Resolver *r, const Ast *n) {
  Alias *al = alias_get(r->top, n->u.let.name->u.text);
  if (!al || al->let != n) { /* a redeclaration: reported; its value still is checked */
    resolve_labeled(r, n, n->u.let.value);
    return NULL;
  }
  bool multi = al->direct; /* a let used before its declaration counts only what it names itself, as in cue */
  if (!al->expr) {
    let_compile(r, r->top, al);
    al = alias_get(r->top, n->u.let.name->u.text);
    multi = al->multi;
  }
  r->refers_comp_var |= multi;
  r->names_comp_var |= al->direct;
  IrField *f = IR_NEW(r->a, IrField, IR_LET, n);
  f->label = al->label;
  f->value = al->expr;
  f->flag = multi;
  return (Ir *)f;
}

/* ---- comprehensions ---- */

static Ir *for_clause(Resolver *r, const Ast *n, bool in_list) {
  IrFor *x = IR_NEW(r->a, IrFor, IR_FOR, n);
  const Ast *key = n->u.loop.key, *value = n->u.loop.value;
  if (key) x->key = resolve_label(r, key);
  x->value = resolve_label(r, value);
  x->source = resolve_expr(r, n->u.loop.source);
  Frame *f = frame_push(r, n, 1);
  f->label = n;
  f->comp_var = !in_list;
  if (key) name_insert(r, f, key->u.text, NAME_CLAUSE, key, NULL);
  name_insert(r, f, value->u.text, NAME_CLAUSE, value, NULL);
  return (Ir *)x;
}

/* let x = y, try x = y: a new environment that holds x. */
static Ir *binding_clause(Resolver *r, const Ast *n, IrKind kind, bool in_list) {
  IrField *x = IR_NEW(r->a, IrField, kind, n);
  const Ast *name = n->u.let.name;
  bool saved = r->refers_comp_var;
  r->refers_comp_var = false;
  x->value = resolve_expr(r, n->u.let.value);
  bool refers = r->refers_comp_var;
  r->refers_comp_var = saved || refers;
  x->label = resolve_label(r, name);
  Frame *f = frame_push(r, n, 1);
  f->label = n;
  f->comp_var = !in_list && refers;
  name_insert(r, f, name->u.text, NAME_CLAUSE, name, NULL);
  return (Ir *)x;
}

static bool is_struct_try(const Ast *clause) { return clause->kind == AST_TRY && !clause->u.let.name; }

static Ir *clause(Resolver *r, const Ast *n, bool in_list) {
  switch (n->kind) {
  case AST_FOR: return for_clause(r, n, in_list);
  case AST_LET: return binding_clause(r, n, IR_LET_CLAUSE, in_list);
  case AST_TRY: {
    if (!n->u.let.name) return (Ir *)IR_NEW(r->a, IrField, IR_TRY, n);
    r->try_depth++;
    Ir *x = binding_clause(r, n, IR_TRY, in_list);
    r->try_depth--;
    return x;
  }
  default: {
    IrUnary *x = IR_NEW(r->a, IrUnary, IR_IF, n);
    x->x = resolve_expr(r, n->u.x);
    return (Ir *)x;
  }
  }
}

static Bottom *check_clauses(Resolver *r, const Ast *n) {
  const AstList *l = &n->u.comp.clauses;
  if (!l->n) return resolve_errorf(r, n, "comprehension value without clauses");
  if (l->at[0]->kind == AST_LET) return resolve_errorf(r, n, "first comprehension clause must be 'if' or 'for'");
  for (uint32_t i = 0; i < l->n; i++) {
    if (l->at[i]->kind == AST_TRY && !r->exp.try_clause)
      return resolve_errorf(r, l->at[i], "try clause requires the try experiment (language version v0.16.0 or later)");
    if (i + 1 < l->n && is_struct_try(l->at[i]))
      return resolve_errorf(r, l->at[i], "struct-form try clause must be the last clause in a comprehension");
  }
  return NULL;
}

static Ir *comprehension(Resolver *r, const Ast *n, bool in_list) {
  Bottom *bad = check_clauses(r, n);
  if (bad) return fail(bad);
  Frame *outer = r->top;
  IrComprehension *x = IR_NEW(r->a, IrComprehension, IR_COMPREHENSION, n);
  const AstList *l = &n->u.comp.clauses;
  x->n = l->n;
  x->clauses = cue_array(r->a, Ir *, l->n);
  for (uint32_t i = 0; i < l->n; i++) x->clauses[i] = clause(r, l->at[i], in_list);
  const Ast *value = n->u.comp.value;
  if (!value || value->kind != AST_STRUCT) {
    bad = resolve_errorf(r, value ? value : n, "comprehension value must be struct, found *ast.StructLit");
    frame_pop_to(r, outer);
    return fail(bad);
  }
  bool tries = is_struct_try(l->at[l->n - 1]);
  r->try_depth += tries;
  x->value = resolve_expr(r, value);
  r->try_depth -= tries;
  frame_pop_to(r, outer);
  const Ast *fallback = n->u.comp.fallback;
  if (!fallback) return (Ir *)x;
  if (!r->exp.try_clause) {
    bool is_else = l->n == 1 && l->at[0]->kind != AST_FOR;
    return fail(resolve_errorf(r, fallback, "%s clause requires the try experiment (language version v0.16.0 or later)",
                               is_else ? "else" : "fallback"));
  }
  x->fallback = resolve_expr(r, fallback->kind == AST_FALLBACK ? fallback->u.x : fallback);
  return (Ir *)x;
}

/* ---- declarations ---- */

static void declare_alias(Resolver *r, const Ast *d) {
  if (d->kind == AST_LET) {
    CueStr name = d->u.let.name->u.text;
    Label label = label_let(r->c->labels, name, ++r->c->lets);
    alias_add(r, r->top, d->u.let.name, (Alias){.source = d, .let = d, .label = label});
    return;
  }
  if (d->kind != AST_FIELD) return;
  const Ast *label = d->u.field.label, *v = d->u.field.alias_field;
  if (label->kind == AST_ALIAS) alias_add(r, r->top, label->u.alias.ident, (Alias){.source = label});
  if (v && !cue_str_is(v->u.text, "_"))
    alias_add(r, r->top, v, (Alias){.source = ast_new(r->a, AST_IDENT, d->u.field.tilde, v->end)});
}

/* The label of a dynamic field with an alias is what references to the alias evaluate. */
static void dynamic_alias(Resolver *r, const Ast *d) {
  if (d->kind != AST_FIELD) return;
  const Ast *label = d->u.field.label, *ident = d->u.field.alias_field;
  if (label->kind == AST_ALIAS) {
    if (ident) {
      resolve_errorf(r, d, "field has both label alias and postfix alias");
      return;
    }
    ident = label->u.alias.ident;
    label = label->u.alias.x;
  } else if (!ident || cue_str_is(ident->u.text, "_")) {
    return;
  }
  if (label->kind == AST_IDENT || label->kind == AST_BASIC || label->kind == AST_LIST) return;
  Ir *x = resolve_expr(r, label);
  Alias *al = alias_get(r->top, ident->u.text);
  if (al) al->expr = x;
}

static Ir *decl(Resolver *r, const Ast *d) {
  switch (d->kind) {
  case AST_FIELD: return field_decl(r, d);
  case AST_LET: return let_decl(r, d);
  case AST_COMPREHENSION: return comprehension(r, d, false);
  case AST_EMBED:
    if (d->u.x->kind == AST_ALIAS)
      return fail(resolve_errorf(r, d, "old-style alias no longer supported: use let clause; use cue fix to update."));
    return d->u.x->kind == AST_COMPREHENSION ? comprehension(r, d->u.x, false) : resolve_expr(r, d->u.x);
  case AST_ELLIPSIS: {
    IrUnary *x = IR_NEW(r->a, IrUnary, IR_ELLIPSIS, d);
    if (d->u.x) x->x = resolve_expr(r, d->u.x);
    return (Ir *)x;
  }
  default: return NULL; /* attributes, comments, package and imports */
  }
}

void resolve_decls(Resolver *r, IrStruct *st, const AstList *decls) {
  IrVec out = {0};
  for (uint32_t i = 0; i < decls->n; i++) declare_alias(r, decls->at[i]);
  for (uint32_t i = 0; i < decls->n; i++) dynamic_alias(r, decls->at[i]);
  for (uint32_t i = 0; i < decls->n; i++) {
    Ir *x = decl(r, decls->at[i]);
    if (!x) continue;
    if (x->kind == IR_ELLIPSIS) st->flag |= IR_STRUCT_ELLIPSIS;
    cue_push(r->a, &out, x);
  }
  st->decls = out.at;
  st->n = out.n;
}

static void struct_decls(Resolver *r, IrStruct *st, const Ast *n) {
  Frame *f = frame_push(r, n, 1);
  names_declare(r, f, &n->u.list);
  resolve_decls(r, st, &n->u.list);
  frame_pop(r);
}

static Ir *struct_lit(Resolver *r, const Ast *n) {
  IrStruct *st = IR_NEW(r->a, IrStruct, IR_STRUCT, n);
  if (n->unread) {
    st->flag = IR_STRUCT_UNREAD;
    st->unread = cue_new(r->a, struct Unread);
    *st->unread = (struct Unread){r, r->top->field, r->c->lets, n->u.stub->lets};
    r->c->lets += n->u.stub->lets;
  } else {
    struct_decls(r, st, n);
  }
  return (Ir *)st;
}

/* Stubs stand in values of a file's fields and in no other scope, so the frame of the file is all there was. A file may
** belong to several instances: its text is read once. */
void resolve_unread(IrStruct *st) {
  const struct Unread *u = st->unread;
  Resolver *r = u->r;
  Ast *n = (Ast *)st->src;
  uint32_t before = r->c->lets;
  if (n->unread) cue_parse_stub(r->a, r->stubs, n, r->inst->language);
  st->flag &= (uint8_t)~IR_STRUCT_UNREAD;
  st->unread = NULL;
  r->top->label = r->top->field = u->field;
  r->top->in_field = true;
  r->c->lets = u->lets;
  struct_decls(r, st, n);
  assert(r->c->lets == u->lets + u->nlets && !r->naming.n && !r->errors.n);
  r->c->lets = before;
}

static Ir *list_lit(Resolver *r, const Ast *n) {
  frame_push(r, n, 1);
  IrList *x = IR_NEW(r->a, IrList, IR_LIST, n);
  x->n = n->u.list.n;
  x->elems = cue_array(r->a, Ir *, x->n);
  for (uint32_t i = 0; i < x->n; i++) {
    const Ast *e = n->u.list.at[i];
    if (e->kind == AST_EMBED) e = e->u.x;
    if (e->kind == AST_COMPREHENSION)
      x->elems[i] = comprehension(r, e, true);
    else if (e->kind == AST_ELLIPSIS)
      x->elems[i] = decl(r, e);
    else
      x->elems[i] = resolve_expr(r, e);
  }
  frame_pop(r);
  return (Ir *)x;
}

static Ir *selector(Resolver *r, const Ast *n) {
  IrSelector *s = IR_NEW(r->a, IrSelector, IR_SELECTOR, n);
  s->x = resolve_expr(r, n->u.sel.x);
  s->sel = resolve_label(r, n->u.sel.sel);
  s->sel_pos = n->u.sel.sel->pos;
  return (Ir *)s;
}

static Ir *index_or_slice(Resolver *r, const Ast *n) {
  if (n->kind == AST_INDEX) {
    IrIndex *x = IR_NEW(r->a, IrIndex, IR_INDEX, n);
    x->x = resolve_expr(r, n->u.binary.x);
    x->index = resolve_expr(r, n->u.binary.y);
    return (Ir *)x;
  }
  IrSlice *x = IR_NEW(r->a, IrSlice, IR_SLICE, n);
  x->x = resolve_expr(r, n->u.slice.x);
  if (n->u.slice.lo) x->lo = resolve_expr(r, n->u.slice.lo);
  if (n->u.slice.hi) x->hi = resolve_expr(r, n->u.slice.hi);
  return (Ir *)x;
}

static Ir *expr(Resolver *r, const Ast *n) {
  switch ((AstKind)n->kind) {
  case AST_IDENT: return resolve_ident(r, n);
  case AST_BASIC: return literal(r, n);
  case AST_INTERPOLATION: return interpolation(r, n);
  case AST_BOTTOM:
    return fail(resolve_bottom(r, n, BOTTOM_LEGACY_USER, CUE_STR("explicit error (_|_ literal) in source")));
  case AST_STRUCT: return struct_lit(r, n);
  case AST_LIST: return list_lit(r, n);
  case AST_PAREN: return resolve_expr(r, n->u.x);
  case AST_SELECTOR: return selector(r, n);
  case AST_INDEX:
  case AST_SLICE: return index_or_slice(r, n);
  case AST_CALL: return call(r, n);
  case AST_UNARY: return unary(r, n);
  case AST_BINARY: return n->op == TOK_OR ? disjunction(r, n) : binary(r, n);
  case AST_POSTFIX: return postfix(r, n);
  case AST_FUNC: return (Ir *)IR_NEW(r->a, Ir, IR_TOP, n);
  case AST_EMBED: return resolve_expr(r, n->u.x);
  case AST_COMPREHENSION: return fail(resolve_errorf(r, n, "comprehension values not allowed in this position"));
  case AST_ALIAS: return fail(resolve_errorf(r, n, "alias values not allowed in this position"));
  case AST_ELLIPSIS: return fail(resolve_errorf(r, n, "ellipsis values not allowed in this position"));
  default: return fail(resolve_errorf(r, n, "invalid expression"));
  }
}

Ir *resolve_expr(Resolver *r, const Ast *n) {
  if (!n) return (Ir *)IR_NEW(r->a, Ir, IR_TOP, NULL);
  if (r->depth >= MAX_DEPTH) return fail(resolve_errorf(r, n, "expression nested too deeply (limit %d)", MAX_DEPTH));
  r->depth++;
  Ir *x = expr(r, n);
  r->depth--;
  return x;
}
