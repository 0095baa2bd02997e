/* data_check.c - CUE files that may hold only data.
**
** No definitions, no expressions, no constraints; references only where the form is a graph.
*/
#include "compiler/data.h"

enum { MAX_FAULTS = 10 };

typedef struct {
  CueDiags *d;
  const char *form, *prefix;
  bool references; /* may stand */
  uint32_t faults;
} Check;

static void refuse(Check *c, const Ast *n, const char *what) {
  cue_report(c->d, n->pos, "%s%s not allowed in %s mode", c->prefix, what, c->form);
  c->faults++;
}

static void check(Check *c, const Ast *n);

static void check_list(Check *c, const AstList *l) {
  for (uint32_t i = 0; i < l->n; i++) check(c, l->at[i]);
}

static void check_field(Check *c, const Ast *n) {
  const Ast *label = n->u.field.label;
  if (label->kind == AST_ALIAS) label = label->u.alias.x;
  CueStr name = label->kind == AST_IDENT ? label->u.text : CUE_STR("");
  if (cue_str_has_prefix(name, CUE_STR("#")) || cue_str_has_prefix(name, CUE_STR("_#")))
    refuse(c, n, "definitions");
  else if (label->kind != AST_IDENT && label->kind != AST_BASIC)
    refuse(c, n, "optional fields");
  check(c, n->u.field.value);
}

static void check_unary(Check *c, const Ast *n) {
  if (n->op == TOK_MUL)
    refuse(c, n, "default values");
  else if (n->op != TOK_SUB && n->op != TOK_ADD)
    refuse(c, n, n->op == TOK_NOT ? "expressions" : "constraints");
  else if (n->u.unary.x->kind != AST_BASIC)
    refuse(c, n, "expressions");
}

static void check(Check *c, const Ast *n) {
  if (!n || c->faults > MAX_FAULTS) return;
  switch (n->kind) {
  case AST_FIELD: check_field(c, n); return;
  case AST_EMBED: check(c, n->u.x); return;
  case AST_STRUCT:
  case AST_LIST:
  case AST_FILE: check_list(c, &n->u.list); return;
  case AST_UNARY: check_unary(c, n); return;
  case AST_IMPORTS: refuse(c, n, "imports"); return;
  case AST_ELLIPSIS: refuse(c, n, "ellipsis"); return;
  case AST_IDENT:
  case AST_SELECTOR:
  case AST_ALIAS:
  case AST_LET:
    if (!c->references) refuse(c, n, "references");
    return;
  case AST_BINARY:
  case AST_PAREN:
  case AST_INDEX:
  case AST_SLICE:
  case AST_CALL:
  case AST_COMPREHENSION:
  case AST_INTERPOLATION: refuse(c, n, "expressions"); return;
  default: return;
  }
}

void data_check(CueDiags *d, const AstFile *f, const char *form, const char *prefix) {
  Check c = {.d = d, .form = form, .prefix = prefix, .references = !cue_str_is(cue_str(form), "data")};
  const Ast *clause = f->package_clause;
  if (clause && !c.references) { /* the name of the package counts as one */
    Ast name = {.pos = clause->end - ((CuePos)clause->u.text.n << 3)};
    refuse(&c, &name, "references");
  }
  check_list(&c, &f->root->u.list);
}
