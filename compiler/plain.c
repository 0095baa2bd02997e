/* plain.c - see plain.h. */
#include "compiler/plain.h"

#include "compiler/literal.h"
#include "runtime/read.h"

static bool is_ascii(CueStr s) {
  for (size_t i = 0; i < s.n; i++)
    if (s.s[i] & 0x80) return false;
  return true;
}

static bool basic(CueArena *a, const Ast *x, CueValue *out) {
  switch (x->op) {
  case TOK_TRUE: *out = cue_bool(true); return true;
  case TOK_FALSE: *out = cue_bool(false); return true;
  case TOK_NULL: *out = cue_null(); return true;
  case TOK_STRING: *out = cue_literal_token(a, x->u.text); break;
  case TOK_INT:
  case TOK_FLOAT: *out = cue_literal_number(a, x->u.text); break;
  default: return false;
  }
  return out->kind != CUE_BOTTOM;
}

/* Of a number with a sign; what is no small int is arithmetic. */
static bool signed_int(CueArena *a, const Ast *x, CueValue *out) {
  const Ast *of = x->u.unary.x;
  if ((x->op != TOK_SUB && x->op != TOK_ADD) || of->kind != AST_BASIC || of->op != TOK_INT || !basic(a, of, out))
    return false;
  if (out->form != CUE_PLAIN || out->as.i == 0) return false;
  if (x->op == TOK_SUB) out->as.i = -out->as.i;
  return true;
}

/* The name of a regular field. Others than ASCII would have to be put into normal form. */
static bool field_name(CueArena *a, const Ast *f, CueStr *out) {
  const Ast *l = f->u.field.label;
  if (f->kind != AST_FIELD || f->constraint || f->u.field.attrs.n || f->u.field.alias_label || f->u.field.alias_field)
    return false;
  if (l->kind == AST_IDENT) {
    *out = l->u.text;
    return out->n && out->s[0] != '_' && out->s[0] != '#' && is_ascii(*out);
  }
  if (l->kind != AST_BASIC || l->op == TOK_INT || l->op == TOK_FLOAT) return false;
  *out = l->u.text; /* a keyword */
  if (l->op != TOK_STRING) return true;
  CueValue v = cue_literal_string(a, l->u.text);
  if (v.kind != CUE_STRING) return false;
  *out = cue_value_str(v);
  return is_ascii(*out);
}

static bool visit(CueArena *a, const Ast *x, const CueVisitor *to);

static bool visit_field(CueArena *a, const Ast *f, const CueVisitor *to) {
  CueStr name;
  return field_name(a, f, &name) && to->key(to->ctx, name, 0, 0) && visit(a, f->u.field.value, to);
}

static bool visit_struct(CueArena *a, const AstList *l, const CueVisitor *to) {
  if (!to->begin(to->ctx, CUE_STRUCT, 0)) return false;
  for (uint32_t i = 0; i < l->n; i++)
    if (l->at[i]->kind != AST_COMMENTS && !visit_field(a, l->at[i], to)) return false;
  return to->end(to->ctx, CUE_STRUCT, 0);
}

static bool visit_list(CueArena *a, const AstList *l, const CueVisitor *to) {
  if (!to->begin(to->ctx, CUE_LIST, 0)) return false;
  for (uint32_t i = 0; i < l->n; i++)
    if (!visit(a, l->at[i], to)) return false;
  return to->end(to->ctx, CUE_LIST, 0);
}

static bool visit(CueArena *a, const Ast *x, const CueVisitor *to) {
  CueScalar s = {0};
  switch (x->kind) {
  case AST_BASIC: return basic(a, x, &s.value) && to->scalar(to->ctx, &s);
  case AST_UNARY: return signed_int(a, x, &s.value) && to->scalar(to->ctx, &s);
  case AST_PAREN: return visit(a, x->u.x, to);
  case AST_STRUCT: return !x->unread && visit_struct(a, &x->u.list, to);
  case AST_LIST: return visit_list(a, &x->u.list, to);
  default: return false;
  }
}

bool plain_data(CueArena *a, const Ast *x, CueValue *out) {
  CueBuilder *b = cue_builder(a);
  CueVisitor to = cue_builder_visitor(b);
  if (!visit(a, x, &to)) return false;
  *out = cue_built(b);
  return true;
}

bool plain_values(CueArena *a, const AstFile *f, CueValue *out) {
  CueBuilder *b = cue_builder(a);
  CueVisitor to = cue_builder_visitor(b);
  AstList fields = {0};
  for (uint32_t i = 0; i < f->root->u.list.n; i++)
    if (f->root->u.list.at[i]->kind != AST_PACKAGE) ast_list_add(a, &fields, f->root->u.list.at[i]);
  /* The file is a struct whose fields may all be one. */
  if (!visit_struct(a, &fields, &to)) return false;
  CueValue all = cue_built(b);
  if (all.kind != CUE_STRUCT || all.as.fields->n > 1) return false;
  *out = (CueValue){0};
  if (!all.as.fields->n) return true;
  *out = all.as.fields->at[0].value;
  return cue_str_is(all.as.fields->at[0].key, "values");
}
