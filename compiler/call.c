/* call.c - calling functions: those of the standard packages, through runtime/builtin.h, and
** functions used as validators. The language's own functions are in core.c.
*/
#include "compiler/call.h"
#include "compiler/hole.h"
#include "compiler/data.h"

#include <string.h>

/* Where the optional arguments begin: those before must be given. */
static uint32_t required_args(const IrBuiltin *b) {
  const char *opt = b->fn ? strchr(b->fn->params, '?') : NULL;
  return opt ? (uint32_t)(opt - b->fn->params) : b->nparams;
}

/* Given all arguments but the first, a function that tells true from false is a validator. */
static bool is_validator(const IrBuiltin *b, uint32_t nargs) {
  return nargs + 1 == b->nparams && (b->result & ~(unsigned)CUE_BOOL) == 0 && nargs < required_args(b);
}

IrValidator *builtin_bare_validator(Eval *e, IrBuiltin *b) {
  if (b->nparams != 1 || (b->result & ~(unsigned)CUE_BOOL) != 0) return NULL;
  IrValidator *v = cue_new(e->a, IrValidator);
  v->kind = IR_VALIDATOR;
  v->builtin = b;
  return v;
}

bool validator_same(Eval *e, IrValidator *x, IrValidator *y) {
  if (x == y) return true;
  bool same_fn = x->builtin->fn == y->builtin->fn && x->builtin->core == y->builtin->core;
  if (!same_fn || x->n != y->n) return false;
  for (uint32_t i = 0; i < x->n; i++) {
    if (x->args[i]->kind == IR_VERTEX) cue_finalize(e, IR_AS(Vertex, x->args[i]));
    if (y->args[i]->kind == IR_VERTEX) cue_finalize(e, IR_AS(Vertex, y->args[i]));
    if (!cue_equal(e, x->args[i], y->args[i], EQUAL_STRUCTURAL)) return false;
  }
  return true;
}

CueStr builtin_name(CueArena *a, const IrBuiltin *b) {
  return b->package ? cue_strf(a, "%s.%s", b->package, b->name) : cue_str(b->name);
}

/* ---- arguments of package functions ---- */

static CueValue lend(Ir *x) {
  if (x->kind == IR_SCALAR) return IR_AS(IrScalar, x)->v;
  return (CueValue){.kind = (uint16_t)ir_kinds(x), .form = CUE_LENT, .as.lent = x};
}

static Ir *borrowed(Eval *e, CueValue v) {
  return v.form == CUE_LENT                           ? v.as.lent
         : v.kind == CUE_LIST || v.kind == CUE_STRUCT ? (Ir *)cue_from_data(e, v)
                                                      : ir_scalar(e, v);
}

static Eval *eval_of(CueCall *c) { return c->eval; }

static CueValue fail_with(CueCall *c, Bottom *b) {
  EvalCall *ec = (EvalCall *)(void *)c;
  ec->why = b;
  c->incomplete = bottom_incomplete(b);
  Eval *e = c->eval;
  c->error = cue_error(cue_str_copy(c->a, b->nerrs ? err_message(e, c->a, b->errs[0]) : CUE_STR("failed")));
  ec->told = c->error.as.s;
  return c->error;
}

static CueValue op_data(CueCall *c, CueValue v, bool written) {
  if (v.form != CUE_LENT) return v;
  Eval *e = eval_of(c);
  Vertex *x = cue_vertex_of(e, v.as.lent);
  cue_finalize(e, x);
  Bottom *why;
  CueValue r = cue_vertex_data(e, c->a, x, written, &why);
  return why ? fail_with(c, why) : r;
}

static CueList *op_elements(CueCall *c, CueValue list) {
  if (list.form != CUE_LENT) {
    CueList *copy = cue_list_new(c->a, list.as.list->n);
    memcpy(copy->at, list.as.list->at, copy->n * sizeof *copy->at);
    return copy;
  }
  Eval *e = eval_of(c);
  Vertex *v = vertex_deref(cue_vertex_of(e, list.as.lent));
  cue_finalize(e, v);
  v = vertex_deref(v);
  uint32_t n = 0;
  for (uint32_t i = 0; i < v->arcs.n; i++) n += label_is_int(v->arcs.at[i]->label);
  CueList *l = cue_list_new(c->a, n);
  n = 0;
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    if (!label_is_int(v->arcs.at[i]->label)) continue;
    l->at[n++] = lend((Ir *)v->arcs.at[i]); /* also a scalar: it has its place and its conjuncts */
  }
  return l;
}

static CueStruct *op_fields(CueCall *c, CueValue st) {
  Eval *e = eval_of(c);
  Vertex *v = cue_vertex_of(e, borrowed(e, st));
  cue_finalize(e, v);
  v = vertex_deref(v);
  Vertex **arcs;
  uint32_t count, n = 0;
  cue_field_order(e, c->a, v, &arcs, &count);
  CueStruct *s = cue_struct_new(c->a, count);
  for (uint32_t i = 0; i < count; i++) {
    Vertex *a = arcs[i];
    if (!label_is_string(a->label) || !vertex_defined(e, a)) continue;
    Ir *x = ir_unwrap((Ir *)a);
    s->at[n++] = (CueField){label_name(e->labels, a->label), lend(x && x->kind == IR_SCALAR ? x : (Ir *)a)};
  }
  s->n = n;
  return s;
}

static bool op_equal(CueCall *c, CueValue x, CueValue y, bool regular) {
  Eval *e = eval_of(c);
  Ir *a = borrowed(e, x), *b = borrowed(e, y);
  if (a->kind == IR_VERTEX) cue_finalize(e, IR_AS(Vertex, a));
  if (b->kind == IR_VERTEX) cue_finalize(e, IR_AS(Vertex, b));
  Ir *ua = ir_unwrap(value_default(e, a)), *ub = ir_unwrap(value_default(e, b));
  return cue_equal(e, ua, ub, regular ? EQUAL_REGULAR_ONLY : 0);
}

static CueValue op_unify(CueCall *c, CueValue x, CueValue y) {
  Eval *e = eval_of(c);
  Vertex *v = eval_unify(e, borrowed(e, x), borrowed(e, y));
  Bottom *b = vertex_bottom(v);
  return b ? fail_with(c, b) : lend((Ir *)v);
}

static bool op_subsumes(CueCall *c, CueValue schema, CueValue v) {
  Eval *e = eval_of(c);
  return cue_subsumes(e, cue_vertex_of(e, borrowed(e, schema)), cue_vertex_of(e, borrowed(e, v)));
}

static CueValue op_validate(CueCall *c, CueValue schema, CueValue data, CueValidate how) {
  Eval *e = eval_of(c);
  Vertex *v = eval_unify(e, borrowed(e, data), borrowed(e, schema));
  ValidateOptions opt = {.all_errors = true};
  if (how == CUE_VALIDATE_CONCRETE) opt.concrete = opt.final = true;
  if (how == CUE_VALIDATE_FINAL) opt.final = opt.report_incomplete = true;
  Bottom *b = vertex_bottom(v);
  if (!b) b = cue_validate(e, v, opt);
  if (!b) return cue_bool(true);
  c->wrapped = true;
  CueValue failed = fail_with(c, b);
  if (how == CUE_VALIDATE_CONCRETE) c->incomplete = false; /* what is missing from a text will not be added to it */
  return failed;
}

static CueValue op_concrete(CueCall *c, CueValue v) {
  Eval *e = eval_of(c);
  Bottom *b = cue_validate(e, cue_vertex_of(e, borrowed(e, v)),
                           (ValidateOptions){.concrete = true, .final = true, .all_errors = true});
  if (!b) return cue_bool(true);
  c->wrapped = true;
  return fail_with(c, b);
}

/* The comparer again, with x and y added to it. */
static Vertex *compare_whole(Eval *e, Ir *comparer, Ir *const xy[2]) {
  Vertex *v = vertex_inline(e, NULL);
  cue_push(e->a, &v->conjuncts, conjunct_make(e, NULL, comparer, (CloseInfo){0}));
  IrStruct *st = cue_new(e->a, IrStruct);
  st->kind = IR_STRUCT;
  st->decls = cue_array(e->a, Ir *, 2);
  for (int i = 0; i < 2; i++) {
    IrField *f = cue_new(e->a, IrField);
    f->kind = IR_FIELD;
    f->label = label_string(e->labels, i ? CUE_STR("y") : CUE_STR("x"));
    f->value = xy[i];
    st->decls[st->n++] = (Ir *)f;
  }
  cue_push(e->a, &v->conjuncts, conjunct_make(e, NULL, (Ir *)st, (CloseInfo){0}));
  cue_finalize(e, v);
  Vertex *less = vertex_arc(vertex_deref(v), label_string(e->labels, CUE_STR("less")));
  return less && (vertex_bottom(less) || !vertex_bottom(v)) ? less : v;
}

/* As cue compares: x and y are put into fields that the comparer spells out, and only `less` is evaluated; what is wrong
** with x and y counts as far as it needs them. NULL if not all three are spelled out, where cue has no answer. */
static Vertex *compare_fields(Eval *e, Vertex *comparer, Ir *const xy[2]) {
  Vertex *v = vertex_new(e, comparer->parent, comparer->label);
  for (uint32_t i = 0; i < comparer->conjuncts.n; i++) cue_push(e->a, &v->conjuncts, comparer->conjuncts.at[i]);
  vertex_state(e, v);
  Vertex *less = vertex_arc(v, label_string(e->labels, CUE_STR("less")));
  Vertex *at[] = {vertex_arc(v, label_string(e->labels, CUE_STR("x"))),
                  vertex_arc(v, label_string(e->labels, CUE_STR("y")))};
  if (!less || !at[0] || !at[1]) return NULL;
  for (int i = 0; i < 2; i++) {
    const Vertex *w = cue_vertex_of(e, xy[i]);
    for (uint32_t k = 0; k < w->conjuncts.n; k++) cue_push(e->a, &at[i]->conjuncts, w->conjuncts.at[k]);
    if (!w->conjuncts.n) cue_push(e->a, &at[i]->conjuncts, conjunct_make(e, NULL, xy[i], (CloseInfo){0}));
  }
  cue_finalize(e, less);
  return less;
}

static bool op_less(CueCall *c, CueValue comparer, CueValue x, CueValue y) {
  Eval *e = eval_of(c);
  Ir *by = borrowed(e, comparer), *xy[] = {borrowed(e, x), borrowed(e, y)};
  Vertex *less = by->kind == IR_VERTEX ? compare_fields(e, vertex_deref(IR_AS(Vertex, by)), xy) : NULL;
  if (!less) less = compare_whole(e, by, xy);
  Bottom *b = vertex_bottom(less);
  Ir *r = ir_unwrap(value_default(e, (Ir *)less));
  if (!b && r->kind == IR_SCALAR && IR_AS(IrScalar, r)->v.kind == CUE_BOOL) return IR_AS(IrScalar, r)->v.as.b;
  if (b) fail_with(c, b); /* what is no bool is not less, as cue has it */
  return false;
}

static CueStr op_text(CueCall *c, CueValue v) {
  Eval *e = eval_of(c);
  CueBuf b = cue_buf(c->a);
  ir_text(&b, e->ctx, borrowed(e, v));
  return cue_buf_done(&b);
}

static CueValue op_pick(CueCall *c, CueValue v) {
  if (v.form != CUE_LENT) return v;
  Eval *e = eval_of(c);
  Ir *x = v.as.lent;
  if (x->kind == IR_VERTEX) cue_finalize(e, IR_AS(Vertex, x));
  x = value_default(e, x);
  Ir *u = ir_unwrap(x);
  return lend(u && u->kind == IR_SCALAR ? u : x);
}

static bool op_is_list(CueCall *c, CueValue v) {
  if (v.form != CUE_LENT) return v.kind == CUE_LIST;
  return vertex_is_list(vertex_deref(cue_vertex_of(eval_of(c), v.as.lent)));
}

static bool op_is_open(CueCall *c, CueValue v) {
  if (v.form != CUE_LENT) return false;
  Eval *e = eval_of(c);
  Vertex *x = vertex_deref(cue_vertex_of(e, v.as.lent));
  if (vertex_is_list(x)) return vertex_is_open_list(x);
  return !vertex_is_closed_struct(e, x) || x->has_ellipsis || (x->more->patterns && x->more->patterns->at.n);
}

static bool value_is_final(Ir *x, bool closed) {
  if (!x) return false;
  if (x->kind == IR_BOTTOM) return IR_AS(Bottom, x)->code <= BOTTOM_STRUCTURAL_CYCLE;
  if (x->kind != IR_VERTEX) return ir_concreteness(x) <= 1;
  Vertex *v = IR_AS(Vertex, x);
  closed = closed || v->closed_once || v->closed_recursive;
  if (v->base && v->base->kind != IR_STRUCT_MARK && v->base->kind != IR_LIST_MARK)
    return value_is_final(v->base, closed);
  if (!closed) return false;
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    Vertex *a = v->arcs.at[i];
    if (!label_is_regular(a->label)) continue;
    if ((a->arc_type > ARC_MEMBER && !vertex_bottom(a)) || !value_is_final((Ir *)a, false)) return false;
  }
  return true;
}

static bool op_is_final(CueCall *c, CueValue v) {
  return v.form != CUE_LENT || value_is_final(borrowed(eval_of(c), v), false);
}

static uint32_t op_constraints(CueCall *c, CueValue st) {
  if (st.form != CUE_LENT) return 0;
  Vertex *v = vertex_deref(cue_vertex_of(eval_of(c), st.as.lent));
  uint32_t n = 0;
  for (uint32_t i = 0; i < v->arcs.n; i++)
    n += v->arcs.at[i]->arc_type == ARC_OPTIONAL || v->arcs.at[i]->arc_type == ARC_REQUIRED;
  return n;
}

static CueValue op_literal(CueCall *c, CueStr lit) {
  bool text = lit.n && (lit.s[0] == '"' || lit.s[0] == '\'' || lit.s[0] == '#');
  return text ? cue_literal_string(c->a, lit) : cue_literal_number(c->a, lit);
}

/* The value of an expression, or NULL if it cannot be built. */
static Vertex *evaluated(Eval *e, Ast *x, CueDiags *d) {
  Ir *ir = x ? cue_build_expr(e->ctx, NULL, x, d) : NULL;
  if (!ir) return NULL;
  Conjunct conj = conjunct_make(e, NULL, ir, (CloseInfo){0});
  Vertex *v = vertex_inline(e, &conj);
  cue_finalize(e, v);
  return v;
}

/* A file that embeds x and has nothing else. */
static Ast *file_of(CueArena *a, Ast *x) {
  Ast *embed = ast_new(a, AST_EMBED, x->pos, x->end), *file = ast_new(a, AST_STRUCT, 0, 0);
  embed->u.x = x;
  ast_list_add(a, &file->u.list, embed);
  return file;
}

static CueValue op_eval_text(CueCall *c, CueStr name, CueStr text) {
  Eval *e = eval_of(c);
  CueDiags d = {.a = c->a};
  CueSource *src = cue_source_add(e->ctx->sources, name, text);
  Ast *x = src ? cue_parse_expr(e->a, src, (ParseOptions){0}, &d) : NULL;
  if (d.first) x = NULL;
  Vertex *v = x ? evaluated(e, name.n ? file_of(e->a, x) : x, &d) : NULL;
  if (!v) return cue_fail(c, "%.*s", CUE_FMT(d.first ? d.first->message : CUE_STR("invalid expression")));
  Bottom *b = vertex_bottom(v);
  Ir *u = ir_unwrap((Ir *)v);
  return b ? fail_with(c, b) : lend(!name.n && u && u->kind == IR_SCALAR ? u : (Ir *)v);
}

/* Documents stay vertices, also those with errors: where they are put, the errors get their paths and positions. */
static CueList *op_documents(CueCall *c, CueStr name, CueStr text, bool yaml) {
  Eval *e = eval_of(c);
  CueDiags d = {.a = c->a};
  CueSource *src = cue_source_add(e->ctx->sources, name, text);
  DataExprs docs = {0};
  bool ok = src && data_read(e->ctx, src, yaml ? CUE_ENC_YAML : CUE_ENC_JSON, name, &docs, &d);
  CueList *l = cue_list_new(c->a, docs.n);
  for (uint32_t k = 0; ok && k < docs.n; k++) {
    Vertex *v = evaluated(e, docs.at[k], &d);
    ok = v != NULL;
    if (ok) l->at[k] = lend((Ir *)v);
  }
  if (ok) return l;
  cue_fail(c, "%.*s", CUE_FMT(d.first ? d.first->message : CUE_STR("text is too long")));
  return NULL;
}

static const CueCallOps call_ops = {
    .data = op_data,
    .elements = op_elements,
    .fields = op_fields,
    .equal = op_equal,
    .unify = op_unify,
    .subsumes = op_subsumes,
    .validate = op_validate,
    .concrete = op_concrete,
    .less = op_less,
    .eval_text = op_eval_text,
    .documents = op_documents,
    .text = op_text,
    .pick = op_pick,
    .is_list = op_is_list,
    .is_open = op_is_open,
    .is_final = op_is_final,
    .constraints = op_constraints,
    .literal = op_literal,
};

/* A message of its own for an argument, instead of the general one. */
static Bottom *arg_incomplete(Eval *e, const IrBuiltin *b, Ir *x) {
  Bottom *why = bottom_f(e, BOTTOM_INCOMPLETE, "non-concrete value %k", ir_kinds(x));
  err_add_ir(e, why->errs[0], x);
  return bottom_wrap(e, why, err_new(e, eval_pos(e), "error in call to %S", builtin_name(e->a, b)));
}

/* The default of an open list is a copy of it: its elements must be there by then. */
static Ir *default_arg(Eval *e, Ir *x) {
  Vertex *v = x->kind == IR_VERTEX ? vertex_deref(IR_AS(Vertex, x)) : NULL;
  if (v && vertex_is_open_list(v)) cue_finalize(e, v);
  return value_default(e, x);
}

static Bottom *list_arg(Eval *e, const IrBuiltin *b, Ir *x, uint32_t i, Vertex **out) {
  if (b->non_concrete) x = default_arg(e, x);
  Vertex *v = x->kind == IR_VERTEX ? vertex_deref(IR_AS(Vertex, x)) : NULL;
  if (v && vertex_is_list(v)) {
    cue_finalize(e, v);
    *out = v = vertex_deref(v);
    return vertex_bottom(v);
  }
  Ir *u = v ? vertex_value(v) : x;
  if (ir_bottom(u)) return ir_bottom(u);
  return bottom_f(e, BOTTOM_INCOMPLETE, "non-concrete list for argument %d", (int64_t)i);
}

/* A list as its elements. What is missing in it is the call's failure, what is wrong in it is not. */
static Bottom *value_list_arg(Eval *e, const IrBuiltin *fn, Ir *x, CueValue *out) {
  Ir *d = default_arg(e, x);
  Vertex *v = d->kind == IR_VERTEX ? vertex_deref(IR_AS(Vertex, d)) : NULL;
  if (v) {
    cue_finalize(e, v);
    v = vertex_deref(v);
  }
  Ir *u = v ? vertex_value(v) : d;
  Bottom *why = ir_bottom(u);
  if (!why && !(v && vertex_is_list(v))) return arg_incomplete(e, fn, u ? u : d);
  if (!why) {
    *out = lend((Ir *)v);
    return NULL;
  }
  if (!bottom_incomplete(why)) return why;
  Bottom *outer = bottom_new(e, why->code, NULL);
  outer->errs = why->errs;
  outer->nerrs = why->nerrs;
  outer->joined = why->nerrs > 1;
  return bottom_wrap(e, outer, err_new(e, eval_pos(e), "error in call to %S", builtin_name(e->a, fn)));
}

/* The elements of a list of strings or numbers. */
static Bottom *scalar_list_arg(Eval *e, const IrBuiltin *fn, Ir *x, uint32_t i, unsigned kinds, CueValue *out) {
  Vertex *v;
  Bottom *b = list_arg(e, fn, x, i, &v);
  if (b) return b;
  const char *what = kinds == CUE_STRING ? "string" : "number";
  CueList *l = cue_list_new(e->a, v->arcs.n);
  uint32_t n = 0;
  int64_t j = 0;
  for (uint32_t k = 0; k < v->arcs.n; k++) {
    Vertex *w = v->arcs.at[k];
    if (!label_is_int(w->label)) continue;
    cue_finalize(e, w);
    Ir *u = ir_unwrap(value_default(e, (Ir *)w));
    if (u && u->kind == IR_SCALAR && (IR_AS(IrScalar, u)->v.kind & kinds)) {
      l->at[n++] = IR_AS(IrScalar, u)->v;
    } else if (ir_bottom(u)) {
      if (bottom_incomplete(ir_bottom(u))) return ir_bottom(u);
    } else if (!(ir_kinds((Ir *)w) & kinds)) {
      return bottom_f(e, BOTTOM_EVAL, "invalid list element %d in argument %d to call: cannot use value %v (%k) as %s",
                      j, (int64_t)i, (Ir *)w, ir_kinds((Ir *)w), what);
    } else {
      return bottom_f(e, BOTTOM_INCOMPLETE, "non-concrete value %v for element %d of %s list argument %d", (Ir *)w, j,
                      what, (int64_t)i);
    }
    j++;
  }
  l->n = n;
  *out = cue_list(l);
  return NULL;
}

static Bottom *convert_arg(Eval *e, const IrBuiltin *b, char letter, uint32_t i, Ir *x, CueValue *out) {
  switch (letter) {
  case '*': *out = lend(x); return NULL;
  case 'L': return scalar_list_arg(e, b, x, i, CUE_STRING, out);
  case 'I': return scalar_list_arg(e, b, x, i, CUE_NUMBER, out);
  case 'l': return value_list_arg(e, b, x, out);
  case 'w': {
    Vertex *v = NULL;
    Bottom *err = list_arg(e, b, x, i, &v);
    if (!err) *out = lend((Ir *)v);
    return err;
  }
  case 't': {
    Ir *d = b->non_concrete ? value_default(e, x) : x;
    Vertex *v = d->kind == IR_VERTEX ? vertex_deref(IR_AS(Vertex, d)) : NULL;
    if (!v || vertex_is_list(v) || !(ir_kinds((Ir *)v) & CUE_STRUCT) || (v->base && v->base->kind != IR_STRUCT_MARK))
      return bottom_f(e, BOTTOM_INCOMPLETE, "non-concrete struct for argument %d", (int64_t)i);
    vertex_complete_arcs(e, v);
    *out = lend((Ir *)v);
    return NULL;
  }
  case '_':
  case 'v': {
    Ir *d = default_arg(e, x);
    if (!ir_is_concrete(d)) return bottom_f(e, BOTTOM_INCOMPLETE, "non-concrete argument %d", (int64_t)i);
    if (letter == 'v') {
      Ir *u = ir_unwrap(d);
      *out = lend(u && u->kind == IR_SCALAR ? u : d);
      return NULL;
    }
    Vertex *v = cue_vertex_of(e, d);
    cue_finalize(e, v);
    Bottom *why;
    *out = cue_vertex_data(e, e->a, v, false, &why);
    return why;
  }
  default: {
    Ir *u = ir_unwrap(value_default(e, x));
    if (ir_bottom(u)) return ir_bottom(u);
    if (!u || u->kind != IR_SCALAR) return arg_incomplete(e, b, u ? u : x);
    *out = IR_AS(IrScalar, u)->v;
    return NULL;
  }
  }
}

/* Adds the place of what the function says is at fault. */
static void blame(Eval *e, const CueCall *c, const Call *call, Bottom *b) {
  if (c->blame == 0 || c->blame > call->n || b->nerrs == 0) return;
  Ir *x = call->args[c->blame - 1];
  Vertex *v = x->kind == IR_VERTEX ? vertex_deref(IR_AS(Vertex, x)) : NULL;
  for (uint32_t i = 0; c->blame_element && v && i < v->arcs.n; i++) {
    Label l = v->arcs.at[i]->label;
    if (label_is_int(l) && label_index(l) == c->blame_element - 1) x = (Ir *)v->arcs.at[i];
  }
  Ir *u = ir_unwrap(x);
  if (u && u->kind == IR_SCALAR) x = u;
  if (c->blame_byte) {
    CueSource *src = cue_source_add(e->ctx->sources, CUE_STR(""), cue_arg_str(c, c->blame - 1));
    if (src) err_add_pos(e, b->errs[0], cue_pos(src->base + (uint32_t)c->blame_byte - 1, 0));
    return;
  }
  if (c->blame_alone)
    b->errs[0]->pos = ir_pos(x);
  else
    err_add_ir(e, b->errs[0], x);
}

static Ir *package_call(Eval *e, Call *call) {
  IrBuiltin *b = call->builtin;
  EvalCall ec = {.c = {.a = e->a,
                       .builtin = b->fn,
                       .package = b->package,
                       .nargs = call->n,
                       .regexes = e->ctx->regexes,
                       .ops = &call_ops,
                       .eval = e,
                       .validator = call->is_validator}};
  CueCall *c = &ec.c;
  c->args = cue_array(e->a, CueValue, call->n);
  const char *letter = b->fn->params;
  for (uint32_t i = 0; i < call->n; i++, letter++) {
    if (*letter == '?') letter++;
    Ir *x = call->args[i];
    /* A schema is evaluated anew, here: so its references count in the detection of cycles. */
    if (*letter == '*' && call->call && !(call->is_validator && i == 0))
      x = eval_keep_state(e, call->call->args[i - call->is_validator]);
    Bottom *err = x ? convert_arg(e, b, *letter, i, x, &c->args[i]) : eval_take_err(e);
    if (err) return (Ir *)err;
  }
  CueValue r = b->fn->fn(c);
  if (ec.why && r.kind == CUE_BOTTOM && r.form != CUE_LENT && r.as.s == ec.told) {
    if (!c->wrapped) return (Ir *)ec.why;
    Bottom *why = bottom_new(e, c->incomplete ? BOTTOM_INCOMPLETE : BOTTOM_EVAL, NULL);
    why->errs = ec.why->errs;
    why->nerrs = ec.why->nerrs;
    why->joined = why->nerrs > 1;
    return (Ir *)bottom_wrap(e, why, err_new(e, eval_pos(e), "error in call to %S", builtin_name(e->a, b)));
  }
  if (r.kind == CUE_BOTTOM && r.form != CUE_LENT) {
    BottomCode code = c->incomplete ? BOTTOM_INCOMPLETE : BOTTOM_EVAL;
    bool bare =
        c->error.kind == CUE_BOTTOM && c->error.as.s == r.as.s && r.len == c->error.len && c->error.as.s != NULL;
    CueStr text = cue_value_str(r), name = builtin_name(e->a, b),
           intro = cue_strf(e->a, "error in call to %.*s: ", CUE_FMT(name));
    if (bare && cue_str_has_prefix(text, intro)) {
      text = cue_str_sub(text, intro.n, text.n);
      bare = false;
    }
    Bottom *why = bottom_f(e, code, "%S", text);
    if (!bare || c->verdict) why->errs[0]->node = NULL; /* the path is told by what it is wrapped in */
    blame(e, c, call, why);
    return (Ir *)(bare ? why : bottom_wrap(e, why, err_new(e, eval_pos(e), "error in call to %S", name)));
  }
  /* Errors that an earlier validator of the same value left are told with the verdict of this one, as in cue. */
  if (r.kind == CUE_BOOL && e->errs) return (Ir *)eval_take_err(e);
  return borrowed(e, r);
}

/* ---- calls ---- */

bool call_check_args(Eval *e, const IrBuiltin *b, CuePos pos, uint32_t n) {
  if (n > b->nparams) {
    eval_error(e, BOTTOM_EVAL, pos, "too many arguments in call to %v (have %d, want %d)", (Ir *)(uintptr_t)b,
               (int64_t)n, (int64_t)b->nparams);
    return false;
  }
  if (n < required_args(b)) {
    eval_error(e, BOTTOM_EVAL, pos, "not enough arguments in call to %v (have %d, want %d)", (Ir *)(uintptr_t)b,
               (int64_t)n, (int64_t)b->nparams);
    return false;
  }
  return true;
}

static Ir *call_builtin(Eval *e, Call *call) {
  IrBuiltin *b = call->builtin;
  if (!call_check_args(e, b, call->call ? call->call->pos : 0, call->n)) return NULL;
  for (uint32_t i = 0; i < call->n; i++) {
    Ir *a = call->args[i];
    if (b->params[i] == 0) continue;
    Bottom *err = a->kind == IR_VERTEX ? ir_bottom(vertex_value(IR_AS(Vertex, a))) : ir_bottom(a);
    if (err) return (Ir *)err;
    unsigned k = ir_kinds(a);
    if (!(b->params[i] & k)) {
      eval_error(e, BOTTOM_EVAL, ir_pos(a), "cannot use %v (type %k) as %k in argument %d to %v", a, k,
                 (unsigned)b->params[i], (int64_t)i + 1, (Ir *)b);
      return NULL;
    }
  }
  bool saved = e->is_validator;
  CloseInfo ci = e->ci;
  e->is_validator = call->is_validator;
  e->ci.from_embed = e->ci.from_def = false;
  Ir *r;
  if (++e->call_depth > EVAL_DEEP_CALL && ++e->deep_calls > EVAL_DEEP_CALL_LIMIT)
    e->over_limit = "validators call each other without end";
  if (e->call_depth > EVAL_CALL_LIMIT || e->over_limit)
    r = (Ir *)bottom_f(e, BOTTOM_EVAL, "calls are nested too deeply in call to %S", builtin_name(e->a, b));
  else
    r = b->core ? b->core->fn(e, call) : package_call(e, call);
  e->call_depth--;
  e->ci.from_def = ci.from_def;
  e->ci.from_embed = ci.from_embed;
  e->is_validator = saved;
  return r;
}

Ir *eval_call(Eval *e, IrCall *x, Flags f) {
  Call call = {.call = x};
  Ir *fun = eval_value(e, x->fun, (Flags){.status = VERTEX_PARTIAL, .cond = COND_SCALAR, .mode = RUN_YIELD});
  if (fun && fun->kind == IR_BUILTIN) {
    call.builtin = IR_AS(IrBuiltin, fun);
    if (call.builtin->core && call.builtin->core->raw) {
      if (!call_check_args(e, call.builtin, x->pos, x->n)) return NULL;
      return call.builtin->core->fn(e, &call);
    }
  } else if (fun && fun->kind == IR_VALIDATOR) {
    IrValidator *v = IR_AS(IrValidator, fun);
    if (v->call) {
      eval_error(e, BOTTOM_EVAL, eval_pos(e), "cannot call previously called validator %v", x->fun);
      return NULL;
    }
    if (is_validator(v->builtin, x->n)) {
      IrValidator *w = cue_new(e->a, IrValidator);
      *w = *v;
      w->call = x;
      w->src = x->src;
      w->pos = x->pos;
      return (Ir *)w;
    }
    call.builtin = v->builtin;
  } else {
    unsigned kinds = ir_is_error(fun) ? 0 : ir_kinds(fun);
    if (kinds & CUE_FUNC && !ir_is_concrete(fun))
      eval_error(e, BOTTOM_INCOMPLETE, ir_pos(x->fun), "cannot call non-concrete value %v (type %k)", x->fun, kinds);
    else
      eval_error(e, BOTTOM_EVAL, eval_pos(e), "cannot call non-function %v (type %k)", x->fun, kinds);
    return NULL;
  }

  CloseInfo saved = e->ci;
  e->ci.from_def = e->ci.from_embed = false;
  call.args = cue_array(e->a, Ir *, x->n + 1);
  for (uint32_t i = 0; i < x->n; i++) {
    Bottom *errs = e->errs;
    e->errs = NULL;
    Ir *v;
    if (call.builtin->non_concrete) {
      v = eval_expr(e, x->args[i], f);
    } else {
      f.cond |= COND_FIELD_SET | COND_SCALAR;
      if (f.mode == RUN_FINALIZE) f.cond |= COND_DISJUNCTION;
      v = eval_value(e, x->args[i], f);
    }
    if (ir_bottom(v))
      e->errs = bottom_combine(e, (Ir *)e->errs, v);
    else if (v)
      call.args[call.n++] = v;
    else if (!e->errs)
      eval_error(e, BOTTOM_EVAL, ir_pos(x->fun), "argument %d to function %v is incomplete", (int64_t)i, x->fun);
    e->errs = bottom_combine(e, (Ir *)errs, (Ir *)e->errs);
  }
  Ir *result = e->holes && !e->errs ? hole_call(e, call.builtin, x, call.args, call.n) : NULL;
  if (!e->errs && !result) {
    if (is_validator(call.builtin, call.n)) {
      IrValidator *v = cue_new(e->a, IrValidator);
      v->kind = IR_VALIDATOR;
      v->src = x->src;
      v->pos = x->pos;
      v->call = x;
      v->builtin = call.builtin;
      v->args = call.args;
      v->n = call.n;
      result = (Ir *)v;
    } else {
      result = call_builtin(e, &call);
      if (result) {
        CloseInfo ci;
        result = eval_expr_ci(e, result, (Flags){.status = VERTEX_PARTIAL, .cond = f.cond, .mode = f.mode}, &ci);
        e->ci = ci;
      }
    }
  }
  e->ci.from_def = saved.from_def;
  e->ci.from_embed = saved.from_embed;
  return result;
}

Bottom *validator_run(Eval *e, IrValidator *x, Ir *value) {
  IrBuiltin *b = x->builtin;
  Call call = {.call = x->call, .builtin = b, .n = x->n + 1, .is_validator = true};
  call.args = cue_array(e->a, Ir *, call.n);
  call.args[0] = value;
  for (uint32_t i = 0; i < x->n; i++) call.args[i + 1] = x->args[i];
  Ir *r = call_builtin(e, &call);
  if (!r) return NULL; /* the error is in e->errs */
  Bottom *why = ir_bottom(r);
  if (!why && r->kind == IR_SCALAR && IR_AS(IrScalar, r)->v.kind == CUE_BOOL) {
    if (IR_AS(IrScalar, r)->v.as.b) return NULL;
  } else if (!why) {
    return bottom_f(e, BOTTOM_EVAL, "invalid validator %S", builtin_name(e->a, b));
  }
  if (ir_bottom(ir_unwrap(value))) return ir_bottom(ir_unwrap(value));

  CueBuf name = cue_buf(e->a);
  cue_buf_str(&name, builtin_name(e->a, b));
  if (!b->non_concrete && call.n > 1) {
    cue_buf_ch(&name, '(');
    for (uint32_t i = 1; i < call.n; i++) {
      if (i > 1) cue_buf_z(&name, ", ");
      ir_text(&name, e->ctx, call.args[i]);
    }
    cue_buf_ch(&name, ')');
  }
  Err *err =
      err_new(e, x->call ? x->call->pos : 0, "invalid value %v (does not satisfy %S)", value, cue_buf_done(&name));
  for (uint32_t i = 0; i < call.n; i++) err_add_ir(e, err, call.args[i]);
  Bottom *out = bottom_new(e, why ? why->code : BOTTOM_EVAL, err);
  out->node = e->vertex;
  if (why && why->nerrs) {
    out->errs = why->errs;
    out->nerrs = why->nerrs;
    out->joined = why->joined;
    bottom_wrap(e, out, err);
  }
  return out;
}
