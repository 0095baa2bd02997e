/* text.c - values and expressions as error messages show them.
**
** One line, no spaces but around binary operators: {a:1,b?:int}, [1,2], =~"^x". References
** are shown by name, not by what they resolve to. The text is for people: it is close to
** CUE, but a value that contains itself is cut where it recurs ("value at path 'a.b'").
** The chain of vertices being shown is kept on the C stack. It goes through errors: a value
** may hold an error whose message shows the value.
*/
#include "compiler/eval.h"
#include "compiler/literal.h"

typedef struct Shown { /* the vertices under way, innermost first */
  const struct Shown *outer;
  const Vertex *v;
} Shown;

typedef struct {
  CueBuf *out;
  CueContext *c;
  const Shown *shown;
} Text;

static void text_node(Text *t, Ir *x);

static void text_label(Text *t, Label l) {
  CueBuf *out = t->out;
  switch (label_kind(l)) {
  case LABEL_HIDDEN:
  case LABEL_HIDDEN_DEF: {
    CueStr pkg = label_package(t->c->labels, l);
    cue_buf_str(out, label_name(t->c->labels, l));
    if (pkg.n && !cue_str_is(pkg, "_")) cue_buf_f(out, "(%.*s)", CUE_FMT(pkg));
    return;
  }
  case LABEL_LET:
    cue_buf_str(out, label_name(t->c->labels, l));
    cue_buf_f(out, "#%X", label_let_id(t->c->labels, l));
    return;
  case LABEL_NONE: cue_buf_ch(out, '_'); return;
  case LABEL_STRING:
  case LABEL_INT:
  case LABEL_DEF: break;
  }
  cue_buf_str(out, label_selector(t->c->labels, out->a, l));
}

static void text_name(Text *t, Label l) { cue_buf_str(t->out, l ? label_name(t->c->labels, l) : CUE_STR("_")); }

static void text_arc_suffix(Text *t, uint8_t arc_type) {
  if (arc_type == ARC_OPTIONAL) cue_buf_ch(t->out, '?');
  if (arc_type == ARC_REQUIRED) cue_buf_ch(t->out, '!');
  if (arc_type == ARC_PENDING) cue_buf_ch(t->out, '*'); /* shown while evaluation is under way */
  if (arc_type == ARC_NOT_PRESENT) cue_buf_ch(t->out, '-');
}

static void text_path(Text *t, const Vertex *v) {
  if (v->parent && v->parent->label) {
    text_path(t, v->parent);
    cue_buf_ch(t->out, '.');
  }
  text_label(t, v->label);
}

static void text_shared(Text *t, const Vertex *v) {
  cue_buf_z(t->out, "~(");
  text_path(t, v);
  cue_buf_ch(t->out, ')');
}

/* Whether v is being shown already; says so in place of it. */
static bool text_recurs(Text *t, const Vertex *v) {
  for (const Shown *s = t->shown; s; s = s->outer) {
    if (s->v != v) continue;
    cue_buf_z(t->out, "value at path '");
    text_path(t, v);
    cue_buf_ch(t->out, '\'');
    return true;
  }
  return false;
}

static Ir *conjunct_shown(Ir *x) {
  switch (x->kind) {
  case IR_FIELD:
  case IR_LET: return IR_AS(IrField, x)->value;
  case IR_DYNAMIC: return IR_AS(IrDynamic, x)->value;
  case IR_PATTERN: return IR_AS(IrPattern, x)->value;
  default: return x;
  }
}

static void text_conjuncts(Text *t, const Conjunct *at, uint32_t n, bool *first) {
  for (uint32_t i = 0; i < n; i++) {
    if (at[i].x->kind == IR_GROUP) {
      IrGroup *g = IR_AS(IrGroup, at[i].x);
      text_conjuncts(t, g->at.at, g->at.n, first);
      continue;
    }
    if (!*first) cue_buf_z(t->out, " & ");
    *first = false;
    text_node(t, conjunct_shown(at[i].x));
  }
}

static void text_arcs(Text *t, Vertex *v) {
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    Vertex *arc = v->arcs.at[i];
    if (i) cue_buf_ch(t->out, ',');
    if (!label_is_let(arc->label)) {
      text_label(t, arc->label);
      text_arc_suffix(t, arc->arc_type);
      cue_buf_ch(t->out, ':');
      text_node(t, (Ir *)arc);
      continue;
    }
    cue_buf_z(t->out, "let ");
    text_label(t, arc->label);
    if (arc->multi_let) cue_buf_ch(t->out, 'm');
    cue_buf_ch(t->out, '=');
    if (arc->multi_let && arc->conjuncts.n) {
      Ir *x = arc->conjuncts.at[0].x;
      while (x->kind == IR_COMPREHENSION) x = IR_AS(IrComprehension, x)->value; /* the value, not what decides on it */
      text_node(t, conjunct_shown(x));
    } else
      text_node(t, (Ir *)arc);
  }
}

static void text_vertex(Text *t, Vertex *v) {
  if (!v->base) {
    bool first = true;
    text_conjuncts(t, v->conjuncts.at, v->conjuncts.n, &first);
    return;
  }
  const Shown *outer = t->shown;
  switch (v->base->kind) {
  case IR_STRUCT_MARK:
  case IR_LIST_MARK: {
    bool is_list = v->base->kind == IR_LIST_MARK;
    if (text_recurs(t, v)) return;
    t->shown = &(Shown){outer, v};
    cue_buf_ch(t->out, is_list ? '[' : '{');
    if (is_list) {
      for (uint32_t i = 0; i < v->arcs.n; i++) {
        if (i) cue_buf_ch(t->out, ',');
        text_node(t, (Ir *)v->arcs.at[i]);
      }
    } else {
      text_arcs(t, v);
    }
    cue_buf_ch(t->out, is_list ? ']' : '}');
    break;
  }
  case IR_VERTEX: { /* a disjunct or the vertex of another path */
    while (v->base->kind == IR_VERTEX && IR_AS(Vertex, v->base)->is_disjunct) v = IR_AS(Vertex, v->base);
    Vertex *shared = v->base && v->base->kind == IR_VERTEX ? IR_AS(Vertex, v->base) : NULL;
    Vertex *target = vertex_deref(v);
    bool internal = target->non_rooted || target->anonymous || target->is_dynamic;
    if (v->is_shared && !internal && shared && target->arcs.n) {
      text_shared(t, target);
      return;
    }
    if (text_recurs(t, target)) {
      if (shared) {
        text_shared(t, shared);
        cue_buf_z(t->out, " =>");
      }
      text_shared(t, target);
      return;
    }
    /* A struct here counts as recurring: cue shows the path of a chosen disjunct, not its fields. */
    t->shown = &(Shown){outer, target};
    text_node(t, (Ir *)target);
    break;
  }
  default: text_node(t, v->base);
  }
  t->shown = outer;
}

static void text_scalar(Text *t, CueValue v) {
  CueBuf *out = t->out;
  if (v.form == CUE_HOLE) { /* of any kind */
    cue_buf_ch(out, '_');
    return;
  }
  switch (v.kind) {
  case CUE_NULL: cue_buf_z(out, "null"); return;
  case CUE_BOOL: cue_buf_z(out, v.as.b ? "true" : "false"); return;
  case CUE_STRING: cue_buf_str(out, cue_literal_quote(out->a, cue_value_str(v), CUE_QUOTE_STRING, 0)); return;
  case CUE_BYTES: cue_buf_str(out, cue_literal_quote(out->a, cue_value_str(v), CUE_QUOTE_BYTES, 0)); return;
  default: cue_buf_str(out, cue_num_text(out->a, cue_value_num(out->a, v)));
  }
}

static void text_err_path(Text *t, const Err *err) {
  CueStr path = err->alt_path;
  for (; !path.n && err; err = err->wrapped) /* what only wraps has the path of what it wraps */
    path = err->node ? vertex_path(t->c->eval, t->out->a, err->node) : err->alt_path;
  if (path.n) cue_buf_f(t->out, "%.*s: ", CUE_FMT(path));
}

static void text_bottom(Text *t, const Bottom *b) {
  cue_buf_z(t->out, "_|_");
  if (!b->nerrs) return;
  const Err *err = b->errs[0];
  cue_buf_ch(t->out, '(');
  text_err_path(t, err);
  const Shown *outer = t->c->shown;
  t->c->shown = t->shown;
  Err own = *err;
  if (b->joined && b->nerrs == 1) own.wrapped = NULL;
  t->c->in_values++;
  cue_buf_str(t->out, err_message(t->c->eval, t->out->a, &own));
  t->c->in_values--;
  t->c->shown = outer;
  if (b->nerrs > 1) cue_buf_f(t->out, " (and %u more errors)", b->nerrs - 1);
  cue_buf_ch(t->out, ')');
}

static void text_builtin(Text *t, const IrBuiltin *b) {
  if (b->package) {
    text_label(t, label_string(t->c->labels, cue_str(b->package)));
    cue_buf_ch(t->out, '.');
  }
  cue_buf_z(t->out, b->name);
}

static void text_args(Text *t, Ir **args, uint32_t n) {
  cue_buf_ch(t->out, '(');
  for (uint32_t i = 0; i < n; i++) {
    if (i) cue_buf_z(t->out, ", ");
    if (args[i]->kind == IR_VERTEX && IR_AS(Vertex, args[i])->label)
      text_path(t, IR_AS(Vertex, args[i]));
    else
      text_node(t, args[i]);
  }
  cue_buf_ch(t->out, ')');
}

static void text_list(Text *t, Ir **at, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    if (i) cue_buf_ch(t->out, ',');
    text_node(t, at[i]);
  }
}

static void text_between(Text *t, const char *open, Ir *x, const char *close) {
  cue_buf_z(t->out, open);
  if (x) text_node(t, x);
  cue_buf_z(t->out, close);
}

static void text_interpolation(Text *t, const IrInterpolation *x) {
  const char quote = x->bytes ? '\'' : '"';
  cue_buf_ch(t->out, quote);
  for (uint32_t i = 0; i < x->n; i++) {
    if (i % 2)
      text_between(t, "\\(", x->parts[i], ")");
    else if (x->parts[i]->kind == IR_SCALAR) /* as it is, not escaped */
      cue_buf_str(t->out, cue_value_str(IR_AS(IrScalar, x->parts[i])->v));
  }
  cue_buf_ch(t->out, quote);
}

static void text_let(Text *t, const char *word, Label name, Ir *value) {
  cue_buf_z(t->out, word);
  text_name(t, name);
  text_between(t, " = ", value, " ");
}

static void text_node(Text *t, Ir *x) {
  CueBuf *out = t->out;
  switch ((IrKind)x->kind) {
  /* values */
  case IR_BOTTOM: text_bottom(t, IR_AS(Bottom, x)); return;
  case IR_SCALAR: text_scalar(t, IR_AS(IrScalar, x)->v); return;
  case IR_TOP: cue_buf_ch(out, '_'); return;
  case IR_TYPE: cue_buf_str(out, cue_kinds_text(out->a, IR_AS(IrType, x)->kinds)); return;
  case IR_BOUND: text_between(t, tok_text(x->op), IR_AS(IrBound, x)->value, ""); return;
  case IR_BUILTIN: text_builtin(t, IR_AS(IrBuiltin, x)); return;
  case IR_VALIDATOR:
    text_builtin(t, IR_AS(IrValidator, x)->builtin);
    text_args(t, IR_AS(IrValidator, x)->args, IR_AS(IrValidator, x)->n);
    return;
  case IR_CONJUNCTION: {
    IrJunction *j = IR_AS(IrJunction, x);
    for (uint32_t i = 0; i < j->n; i++) text_between(t, i ? " & " : "", j->at[i], "");
    return;
  }
  case IR_DISJUNCTION: {
    IrDisjunction *d = IR_AS(IrDisjunction, x);
    for (uint32_t i = 0; i < d->n; i++) {
      if (i) cue_buf_z(out, " | ");
      text_between(t, i < d->ndefaults ? "*" : "", d->at[i], "");
    }
    return;
  }
  case IR_VERTEX: text_vertex(t, IR_AS(Vertex, x)); return;
  case IR_STRUCT_MARK: cue_buf_z(out, "struct"); return;
  case IR_LIST_MARK: cue_buf_z(out, "list"); return;
  /* references */
  case IR_FIELD_REF:
    text_label(t, IR_AS(IrRef, x)->label);
    if (x->flag) cue_buf_ch(out, '?');
    return;
  case IR_VALUE_REF: text_label(t, IR_AS(IrRef, x)->label); return;
  case IR_LABEL_REF: cue_buf_str(out, x->src && x->src->kind == AST_IDENT ? x->src->u.text : CUE_STR("LABEL")); return;
  case IR_DYNAMIC_REF: text_node(t, IR_AS(IrDynamicRef, x)->label); return;
  case IR_LET_REF: text_name(t, IR_AS(IrRef, x)->label); return;
  case IR_IMPORT_REF: text_label(t, label_string(t->c->labels, IR_AS(IrImport, x)->path)); return;
  case IR_SELECTOR:
    text_between(t, "", IR_AS(IrSelector, x)->x, ".");
    text_label(t, IR_AS(IrSelector, x)->sel);
    if (x->flag) cue_buf_ch(out, '?');
    return;
  case IR_INDEX:
    text_node(t, IR_AS(IrIndex, x)->x);
    text_between(t, "[", IR_AS(IrIndex, x)->index, x->flag ? "]?" : "]");
    return;
  case IR_NODE_LINK:
    cue_buf_z(out, "\u3008");
    cue_buf_str(out, vertex_path(t->c->eval, out->a, IR_AS(IrNodeLink, x)->node));
    cue_buf_z(out, "\u3009");
    return;
  /* expressions */
  case IR_STRUCT:
    cue_buf_ch(out, '{');
    ir_struct_read(IR_AS(IrStruct, x));
    text_list(t, IR_AS(IrStruct, x)->decls, IR_AS(IrStruct, x)->n);
    cue_buf_ch(out, '}');
    return;
  case IR_LIST:
    cue_buf_ch(out, '[');
    text_list(t, IR_AS(IrList, x)->elems, IR_AS(IrList, x)->n);
    cue_buf_ch(out, ']');
    return;
  case IR_BOUND_EXPR:
  case IR_UNARY: text_between(t, tok_text(x->op), IR_AS(IrUnary, x)->x, ""); return;
  case IR_SLICE:
    text_node(t, IR_AS(IrSlice, x)->x);
    text_between(t, "[", IR_AS(IrSlice, x)->lo, ":");
    text_between(t, "", IR_AS(IrSlice, x)->hi, "]");
    return;
  case IR_INTERPOLATION: text_interpolation(t, IR_AS(IrInterpolation, x)); return;
  case IR_BINARY:
    text_between(t, "(", IR_AS(IrBinary, x)->x, " ");
    text_between(t, tok_text(x->op), NULL, " ");
    text_between(t, "", IR_AS(IrBinary, x)->y, ")");
    return;
  case IR_OPEN: text_between(t, "", IR_AS(IrUnary, x)->x, "..."); return;
  case IR_CALL:
    text_node(t, IR_AS(IrCall, x)->fun);
    text_args(t, IR_AS(IrCall, x)->args, IR_AS(IrCall, x)->n);
    return;
  case IR_DISJUNCTION_EXPR: {
    IrDisjunctionExpr *d = IR_AS(IrDisjunctionExpr, x);
    cue_buf_ch(out, '(');
    for (uint32_t i = 0; i < d->n; i++) {
      if (i) cue_buf_ch(out, '|');
      text_between(t, d->at[i].is_default ? "*" : "", d->at[i].x, "");
    }
    cue_buf_ch(out, ')');
    return;
  }
  /* declarations */
  case IR_FIELD:
    text_label(t, IR_AS(IrField, x)->label);
    text_arc_suffix(t, x->arc_type);
    text_between(t, ":", IR_AS(IrField, x)->value, "");
    return;
  case IR_LET:
    cue_buf_z(out, "let ");
    text_label(t, IR_AS(IrField, x)->label);
    text_between(t, x->flag ? "m=" : "=", IR_AS(IrField, x)->value, "");
    return;
  case IR_DYNAMIC:
    text_node(t, IR_AS(IrDynamic, x)->key);
    text_arc_suffix(t, x->arc_type);
    text_between(t, ":", IR_AS(IrDynamic, x)->value, "");
    return;
  case IR_PATTERN:
    text_between(t, "[", IR_AS(IrPattern, x)->filter, "]:");
    text_node(t, IR_AS(IrPattern, x)->value);
    return;
  case IR_ELLIPSIS: text_between(t, "...", IR_AS(IrUnary, x)->x, ""); return;
  case IR_COMPREHENSION: {
    IrComprehension *c = IR_AS(IrComprehension, x);
    for (uint32_t i = 0; i < c->n; i++) text_node(t, c->clauses[i]);
    text_node(t, conjunct_shown(c->value));
    if (c->fallback) text_between(t, " else ", c->fallback, "");
    return;
  }
  /* clauses */
  case IR_FOR:
    cue_buf_z(out, "for ");
    text_name(t, IR_AS(IrFor, x)->key);
    cue_buf_z(out, ", ");
    text_name(t, IR_AS(IrFor, x)->value);
    text_between(t, " in ", IR_AS(IrFor, x)->source, " ");
    return;
  case IR_IF: text_between(t, "if ", IR_AS(IrUnary, x)->x, " "); return;
  case IR_LET_CLAUSE: text_let(t, "let ", IR_AS(IrField, x)->label, IR_AS(IrField, x)->value); return;
  case IR_TRY:
    if (IR_AS(IrField, x)->label)
      text_let(t, "try ", IR_AS(IrField, x)->label, IR_AS(IrField, x)->value);
    else
      cue_buf_z(out, "try ");
    return;
  case IR_GROUP: {
    bool first = true;
    text_conjuncts(t, IR_AS(IrGroup, x)->at.at, IR_AS(IrGroup, x)->at.n, &first);
    return;
  }
  }
}

void ir_text(CueBuf *out, CueContext *c, Ir *x) { text_node(&(Text){.out = out, .c = c, .shown = c->shown}, x); }
