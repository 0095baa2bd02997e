/* ir_dump.c - prints the core language.
**
** References show as (ref LABEL UP); lets carry a number that is unique in a run, which is not
** shown. The dump never looks through a reference, so it ends on cyclic programs.
*/
#include "compiler/ir_dump.h"

#include "compiler/literal.h"

typedef struct {
  CueBuf *out;
  LabelTable *labels;
} Dump;

static void dump(Dump *d, const Ir *x);

static void text(Dump *d, const char *z) { cue_buf_z(d->out, z); }

static void label(Dump *d, Label l) {
  cue_buf_ch(d->out, ' ');
  if (l)
    cue_buf_str(d->out, label_selector(d->labels, d->out->a, l));
  else
    text(d, "-");
}

static void child(Dump *d, const Ir *x) {
  cue_buf_ch(d->out, ' ');
  if (x)
    dump(d, x);
  else
    text(d, "-");
}

static void children(Dump *d, Ir *const *at, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) child(d, at[i]);
}

static void scalar(Dump *d, CueValue v) {
  if (v.kind == CUE_STRING)
    cue_buf_str(d->out, cue_literal_quote(d->out->a, cue_value_str(v), CUE_QUOTE_STRING, 0));
  else if (v.kind == CUE_BYTES)
    cue_buf_str(d->out, cue_literal_quote(d->out->a, cue_value_str(v), CUE_QUOTE_BYTES, 0));
  else if (v.kind == CUE_BOOL)
    text(d, v.as.b ? "true" : "false");
  else if (v.kind == CUE_NULL)
    text(d, "null");
  else
    cue_buf_str(d->out, cue_num_text(d->out->a, cue_value_num(d->out->a, v)));
}

static void reference(Dump *d, const char *name, const IrRef *x) {
  text(d, name);
  label(d, x->label);
  cue_buf_f(d->out, " %u%s", x->up, x->flag ? " ?" : "");
}

static void field(Dump *d, const char *name, const IrField *x) {
  static const char *const marks[] = {"", "!", "?", "", ""};
  text(d, name);
  if (x->flag && x->kind == IR_LET) text(d, "-multi");
  label(d, x->label);
  if (x->kind == IR_FIELD) text(d, marks[x->arc_type]);
  child(d, x->value);
}

static void unary(Dump *d, const char *name, const IrUnary *x) {
  text(d, name);
  child(d, x->x);
}

static void disjunction(Dump *d, const IrDisjunctionExpr *x) {
  text(d, "|");
  for (uint32_t i = 0; i < x->n; i++) {
    text(d, x->at[i].is_default ? " *" : " ");
    dump(d, x->at[i].x);
  }
}

static void bottom(Dump *d, const Bottom *b) {
  text(d, "_|_");
  for (uint32_t i = 0; i < b->nerrs; i++)
    if (b->errs[i]->nargs == 1 && b->errs[i]->args[0].kind == ERR_ARG_STR) {
      cue_buf_ch(d->out, ' ');
      cue_buf_str(d->out, cue_literal_quote(d->out->a, b->errs[i]->args[0].u.str, CUE_QUOTE_STRING, 0));
    }
}

static void dump_value(Dump *d, const Ir *x) {
  switch ((IrKind)x->kind) {
  case IR_BOTTOM: bottom(d, IR_AS(const Bottom, x)); break;
  case IR_TYPE:
    cue_buf_f(d->out, "type %.*s", CUE_FMT(cue_kinds_text(d->out->a, IR_AS(const IrType, x)->kinds)));
    break;
  case IR_BOUND:
    cue_buf_f(d->out, "bound %s", tok_text((Tok)x->op));
    child(d, IR_AS(const IrBound, x)->value);
    break;
  case IR_BUILTIN: cue_buf_f(d->out, "builtin %s", IR_AS(const IrBuiltin, x)->name); break;
  case IR_CONJUNCTION:
    text(d, "and");
    children(d, IR_AS(const IrJunction, x)->at, IR_AS(const IrJunction, x)->n);
    break;
  case IR_VERTEX: {
    const Vertex *v = IR_AS(const Vertex, x);
    text(d, "vertex");
    for (uint32_t i = 0; i < v->conjuncts.n; i++) child(d, v->conjuncts.at[i].x);
    break;
  }
  default: text(d, "value"); break;
  }
}

static void dump_body(Dump *d, const Ir *x) {
  switch ((IrKind)x->kind) {
  case IR_FIELD_REF: reference(d, "ref", IR_AS(const IrRef, x)); break;
  case IR_VALUE_REF: reference(d, "value-ref", IR_AS(const IrRef, x)); break;
  case IR_LABEL_REF: reference(d, "label-ref", IR_AS(const IrRef, x)); break;
  case IR_LET_REF: reference(d, "let-ref", IR_AS(const IrRef, x)); break;
  case IR_DYNAMIC_REF: {
    const IrDynamicRef *r = IR_AS(const IrDynamicRef, x);
    cue_buf_f(d->out, "dynamic-ref %u", r->up);
    child(d, r->label);
    break;
  }
  case IR_IMPORT_REF: cue_buf_f(d->out, "import %.*s", CUE_FMT(IR_AS(const IrImport, x)->path)); break;
  case IR_SELECTOR:
    text(d, ".");
    child(d, IR_AS(const IrSelector, x)->x);
    label(d, IR_AS(const IrSelector, x)->sel);
    break;
  case IR_INDEX:
    text(d, "index");
    child(d, IR_AS(const IrIndex, x)->x);
    child(d, IR_AS(const IrIndex, x)->index);
    break;
  case IR_STRUCT:
    text(d, x->flag & IR_STRUCT_FILE ? "file" : "struct");
    ir_struct_read(IR_AS(IrStruct, x));
    children(d, IR_AS(const IrStruct, x)->decls, IR_AS(const IrStruct, x)->n);
    break;
  case IR_LIST:
    text(d, "list");
    children(d, IR_AS(const IrList, x)->elems, IR_AS(const IrList, x)->n);
    break;
  case IR_SLICE:
    text(d, "slice");
    child(d, IR_AS(const IrSlice, x)->x);
    child(d, IR_AS(const IrSlice, x)->lo);
    child(d, IR_AS(const IrSlice, x)->hi);
    break;
  case IR_INTERPOLATION:
    text(d, IR_AS(const IrInterpolation, x)->bytes ? "bytes" : "string");
    children(d, IR_AS(const IrInterpolation, x)->parts, IR_AS(const IrInterpolation, x)->n);
    break;
  case IR_BOUND_EXPR:
  case IR_UNARY: unary(d, tok_text((Tok)x->op), IR_AS(const IrUnary, x)); break;
  case IR_OPEN: unary(d, "open", IR_AS(const IrUnary, x)); break;
  case IR_ELLIPSIS: unary(d, "...", IR_AS(const IrUnary, x)); break;
  case IR_IF: unary(d, "if", IR_AS(const IrUnary, x)); break;
  case IR_BINARY:
    text(d, tok_text((Tok)x->op));
    child(d, IR_AS(const IrBinary, x)->x);
    child(d, IR_AS(const IrBinary, x)->y);
    break;
  case IR_CALL:
    text(d, "call");
    child(d, IR_AS(const IrCall, x)->fun);
    children(d, IR_AS(const IrCall, x)->args, IR_AS(const IrCall, x)->n);
    break;
  case IR_DISJUNCTION_EXPR: disjunction(d, IR_AS(const IrDisjunctionExpr, x)); break;
  case IR_FIELD: field(d, "field", IR_AS(const IrField, x)); break;
  case IR_LET: field(d, "let", IR_AS(const IrField, x)); break;
  case IR_LET_CLAUSE: field(d, "let", IR_AS(const IrField, x)); break;
  case IR_TRY: field(d, "try", IR_AS(const IrField, x)); break;
  case IR_DYNAMIC:
    text(d, "dynamic");
    child(d, IR_AS(const IrDynamic, x)->key);
    child(d, IR_AS(const IrDynamic, x)->value);
    break;
  case IR_PATTERN:
    text(d, "pattern");
    child(d, IR_AS(const IrPattern, x)->filter);
    child(d, IR_AS(const IrPattern, x)->value);
    break;
  case IR_FOR: {
    const IrFor *f = IR_AS(const IrFor, x);
    text(d, "for");
    label(d, f->key);
    label(d, f->value);
    child(d, f->source);
    break;
  }
  case IR_COMPREHENSION: {
    const IrComprehension *c = IR_AS(const IrComprehension, x);
    text(d, "comprehension");
    children(d, c->clauses, c->n);
    child(d, c->value);
    if (c->fallback) child(d, c->fallback);
    break;
  }
  default: dump_value(d, x); break;
  }
}

static void dump(Dump *d, const Ir *x) {
  if (x->kind == IR_SCALAR) {
    scalar(d, IR_AS(const IrScalar, x)->v);
    return;
  }
  if (x->kind == IR_TOP) {
    text(d, "_");
    return;
  }
  cue_buf_ch(d->out, '(');
  dump_body(d, x);
  cue_buf_ch(d->out, ')');
}

void ir_dump(CueBuf *out, LabelTable *labels, const Ir *x) {
  Dump d = {out, labels};
  dump(&d, x);
}
