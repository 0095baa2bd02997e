/* export_data.c - results as plain data, what JSON and YAML can say.
**
** Data is the value with its choices made: defaults are taken; definitions, hidden and optional
** fields and lets are left out; fields come in the order of toposort.c. What is not concrete has
** no data. What commands ask for is validated as a whole before, so that all errors are told at
** once; cue_vertex_data alone stops at the first. Depth is that of the value, which the evaluator
** bounds; commands run on its large stack.
*/
#include "compiler/export.h"

typedef struct {
  Eval *e;
  CueArena *a;
  Bottom *why;    /* the first failure */
  CueStr refused; /* ... if the notation has no word for a value: what is to be said, without a place */
  CueJson *json;  /* if set, data is written there at once and what is returned does not matter */
  bool written;   /* numbers and strings remember how they were written: see cue_yaml_written */
  bool dry;       /* only to see whether it fails */
  CueDrain *drain;
  void *arg;  /* of drain */
  bool sure;  /* nothing will fail: it was tried */
  Vertex *of; /* all of it is the data of this */
} Data;

enum { MUCH = 64 << 10 }; /* bytes to be drained at once */

static CueValue data_fail(Data *d, Bottom *b) {
  if (!d->why) d->why = b;
  return cue_error(CUE_STR("not concrete"));
}

/* A value as cue's marshaller names it in messages: kinds of atoms are told. */
static void describe(CueBuf *out, Data *d, Ir *x) {
  if (x->kind == IR_DISJUNCTION) {
    IrDisjunction *j = IR_AS(IrDisjunction, x);
    cue_buf_z(out, "|(");
    for (uint32_t i = 0; i < j->n; i++) {
      if (i) cue_buf_z(out, ", ");
      if (i < j->ndefaults) cue_buf_ch(out, '*');
      Ir *v = ir_unwrap(j->at[i]);
      cue_buf_f(out, "(%.*s){ ", CUE_FMT(cue_kinds_text(out->a, ir_kinds(v))));
      ir_text(out, d->e->ctx, v);
      cue_buf_z(out, " }");
    }
    cue_buf_ch(out, ')');
    return;
  }
  ir_text(out, d->e->ctx, x);
}

static CueValue data_incomplete(Data *d, Ir *x) {
  CueBuf text = cue_buf(d->a), quoted = cue_buf(d->a);
  describe(&text, d, x);
  cue_emit_json_string(&quoted, cue_buf_done(&text), false);
  Err *err = err_new(d->e, ir_pos(x), "cannot convert incomplete value %S to JSON", cue_buf_done(&quoted));
  err->node = NULL;
  return data_fail(d, bottom_new(d->e, BOTTOM_INCOMPLETE, err));
}

/* A function is complete and yet no data; what names it is what cue has for it. */
static CueValue data_function(Data *d, Vertex *v, Ir *x) {
  CueBuf text = cue_buf(d->a), quoted = cue_buf(d->a);
  ir_text(&text, d->e->ctx, x);
  cue_emit_json_string(&quoted, cue_buf_done(&text), false);
  Err *err = err_new(d->e, 0, "cannot convert value %S of type *adt.Builtin to JSON", cue_buf_done(&quoted));
  err->node = v;
  return data_fail(d, bottom_new(d->e, BOTTOM_EVAL, err));
}

typedef struct {
  Eval *e;
  Err *err;
} Required;

static void add_required(void *arg, const Conjunct *c) {
  Required *r = arg;
  if (c->x->kind == IR_FIELD && c->x->arc_type == ARC_REQUIRED) err_add_ir(r->e, r->err, c->x);
}

static CueValue data_required(Data *d, Vertex *arc) {
  Err *err = err_new(d->e, 0, "field is required but not present");
  conjuncts_each(arc->conjuncts.at, arc->conjuncts.n, add_required, &(Required){d->e, err});
  err->node = arc;
  return data_fail(d, bottom_new(d->e, BOTTOM_INCOMPLETE, err));
}

static CueValue data_vertex(Data *d, Vertex *v);

/* Between two parts of the value. Validation has found all that is wrong, or so it should. */
static void drain_much(Data *d) {
  if (!d->drain || d->json->out->n < MUCH) return;
  if (!d->sure) {
    Data try = {.e = d->e, .a = d->a, .dry = true};
    data_vertex(&try, d->of);
    if (try.why) d->drain = NULL;
    d->sure = true;
  }
  if (d->drain) d->drain(d->arg, d->json->out);
}

static CueValue data_list(Data *d, Vertex *v) {
  uint32_t n = 0, at = 0;
  if (d->dry) {
    for (uint32_t i = 0; i < v->arcs.n && !d->why; i++)
      if (label_is_int(v->arcs.at[i]->label)) data_vertex(d, v->arcs.at[i]);
    return (CueValue){0};
  }
  for (uint32_t i = 0; i < v->arcs.n; i++) n += label_is_int(v->arcs.at[i]->label);
  if (d->json) {
    cue_json_begin(d->json, CUE_LIST);
    for (uint32_t i = 0; i < v->arcs.n && !d->why; i++) {
      if (!label_is_int(v->arcs.at[i]->label)) continue;
      cue_json_item(d->json);
      data_vertex(d, v->arcs.at[i]);
      drain_much(d);
    }
    cue_json_end(d->json, CUE_LIST);
    return (CueValue){0};
  }
  CueList *l = cue_list_new(d->a, n);
  for (uint32_t i = 0; i < v->arcs.n && !d->why; i++)
    if (label_is_int(v->arcs.at[i]->label)) l->at[at++] = data_vertex(d, v->arcs.at[i]);
  return cue_list(l);
}

static bool is_shown(const Vertex *arc) { return label_is_string(arc->label) && arc->arc_type <= ARC_REQUIRED; }

static CueValue data_field(Data *d, Vertex *arc) {
  return arc->arc_type == ARC_REQUIRED ? data_required(d, arc) : data_vertex(d, arc);
}

static void write_struct(Data *d, Vertex *v) {
  Vertex **arcs;
  uint32_t n;
  CueMark mark = cue_arena_mark(d->e->scratch);
  cue_field_order(d->e, d->e->scratch, v, &arcs, &n);
  cue_json_begin(d->json, CUE_STRUCT);
  for (uint32_t i = 0; i < n && !d->why; i++) {
    if (!is_shown(arcs[i])) continue;
    cue_json_key(d->json, label_name(d->e->labels, arcs[i]->label));
    data_field(d, arcs[i]);
    drain_much(d);
  }
  cue_json_end(d->json, CUE_STRUCT);
  cue_arena_reset(d->e->scratch, mark);
}

static CueValue data_struct(Data *d, Vertex *v) {
  if (d->dry) {
    for (uint32_t i = 0; i < v->arcs.n && !d->why; i++)
      if (is_shown(v->arcs.at[i])) data_field(d, v->arcs.at[i]);
    return (CueValue){0};
  }
  if (d->json) {
    write_struct(d, v);
    return (CueValue){0};
  }
  Vertex **arcs;
  uint32_t n, shown = 0, at = 0;
  cue_field_order(d->e, d->a, v, &arcs, &n);
  for (uint32_t i = 0; i < n; i++) shown += is_shown(arcs[i]);
  CueStruct *s = cue_struct_new(d->a, shown);
  for (uint32_t i = 0; i < n && !d->why; i++) {
    if (!is_shown(arcs[i])) continue;
    CueField *f = &s->at[at++];
    f->key = label_name(d->e->labels, arcs[i]->label);
    f->value = data_field(d, arcs[i]);
  }
  return cue_struct(s);
}

static void find_written(void *arg, const Conjunct *c) {
  CueStr *literal = arg;
  if (!literal->n && c->x->src && c->x->src->kind == AST_BASIC) *literal = c->x->src->u.text;
}

/* Infinities and NaN, which functions of math yield, are values of CUE and no data. What is said of them is what the
** reader of the notation says, to whom cue shows what it has written. */
static CueValue data_not_finite(Data *d, CueValue value) {
  CueBuf text = cue_buf(d->a);
  cue_emit_yaml(&text, value);
  if (text.n && text.s[text.n - 1] == '\n') text.n--;
  CueStr s = cue_buf_done(&text);
  bool minus = s.s[0] == '-';
  d->refused = d->written ? cue_strf(d->a, "illegal number start \"%.*s\"", CUE_FMT(s))
                          : cue_strf(d->a, "invalid character '%c' %s", s.s[minus],
                                     minus ? "in numeric literal" : "looking for beginning of value");
  return data_fail(d, bottom_new(d->e, BOTTOM_EVAL, err_new(d->e, 0, "%S", d->refused)));
}

/* v: the vertex that has the value. A field says only what it is declared with; elements of lists are the literals. */
static CueValue data_scalar(Data *d, const Vertex *v, CueValue value) {
  CueStr literal = CUE_STR("");
  bool small = value.kind == CUE_INT && value.form == CUE_PLAIN, text = d->json || d->written || d->dry;
  if ((value.kind & CUE_NUMBER) && !small && text && !cue_num_is_finite(value.as.num)) return data_not_finite(d, value);
  if (d->dry) return value;
  if (d->json) cue_json_value(d->json, value);
  if (d->written) conjuncts_each(v->conjuncts.at, v->conjuncts.n, find_written, &literal);
  return literal.n ? cue_yaml_written(d->a, value, literal) : value;
}

/* What v is, or has for its default: for most it is known without making a vertex of the default. */
static const IrScalar *scalar_of(const Data *d, const Vertex *v) {
  if (v->base && v->base->kind == IR_SCALAR) return IR_AS(const IrScalar, v->base);
  if (!v->base || v->base->kind != IR_DISJUNCTION) return NULL;
  if (d->written && IR_AS(IrDisjunction, v->base)->at[0]->kind == IR_VERTEX) return NULL; /* which has the literal */
  return ir_default_scalar(v->base);
}

static CueValue data_vertex(Data *d, Vertex *v) {
  v = vertex_deref(v);
  if (v->status != VERTEX_FINALIZED) { /* came too late for its parent */
    cue_finalize(d->e, v);
    v = vertex_deref(v);
  }
  const IrScalar *s = scalar_of(d, v);
  if (s) return data_scalar(d, v, s->v);
  v = vertex_deref(vertex_default(d->e, v));
  Bottom *b = vertex_bottom(v);
  if (b) return data_fail(d, b);
  Ir *x = vertex_value(v);
  if (!x) x = &d->e->top;
  switch (x->kind) {
  case IR_SCALAR: return data_scalar(d, v, IR_AS(IrScalar, x)->v);
  case IR_VERTEX:
    if (IR_AS(Vertex, x)->base->kind == IR_LIST_MARK) return data_list(d, IR_AS(Vertex, x));
    if (IR_AS(Vertex, x)->base->kind == IR_STRUCT_MARK) return data_struct(d, IR_AS(Vertex, x));
    return data_incomplete(d, x);
  case IR_BUILTIN: return data_function(d, v, x);
  default: return data_incomplete(d, x);
  }
}

CueValue cue_vertex_data(Eval *e, CueArena *a, Vertex *v, bool written, Bottom **why) {
  Data d = {.e = e, .a = a, .written = written};
  cue_finalize(e, v);
  CueValue data = data_vertex(&d, v);
  *why = d.why;
  return d.why ? cue_error(CUE_STR("not concrete")) : data;
}

/* An error that validation did not see, since it is that of a field which a cycle keeps from being looked at: the writer
** meets it, and tells of several the first, and how many there are. */
static void refuse_error(Data *x) {
  const Bottom *b = x->why;
  if (!b->nerrs || !b->child_error) return;
  Err *err = err_new(x->e, 0, "%e", b);
  CueStr text = err_message(x->e, x->a, err);
  if (x->written) {
    x->refused = cue_strf(x->a, "yaml: unsupported node <[l2// %.*s] _|_> (*ast.BottomLit)", CUE_FMT(text));
  } else if (b->nerrs > 1) {
    err->node = b->errs[0]->node;
    x->why = bottom_new(x->e, b->code, err);
  }
}

static CueValue export_data(Data *x, Vertex *v, CueDiags *d) {
  cue_finalize(x->e, v);
  x->why = cue_validate(x->e, v, (ValidateOptions){.concrete = true, .final = true, .all_errors = true});
  bool valid = !x->why;
  CueValue data = valid ? data_vertex(x, v) : (CueValue){0};
  if (!x->why) return data;
  if (valid && !x->refused.n) refuse_error(x);
  if (x->refused.n)
    cue_report(d, 0, "%.*s", CUE_FMT(x->refused));
  else
    cue_value_report(x->e, v, x->why, d);
  return cue_error(CUE_STR("not concrete"));
}

CueValue cue_export_data(Eval *e, CueArena *a, Vertex *v, CueDiags *d) {
  return export_data(&(Data){.e = e, .a = a}, v, d);
}

CueValue cue_export_written(Eval *e, CueArena *a, Vertex *v, CueDiags *d) {
  return export_data(&(Data){.e = e, .a = a, .written = true}, v, d);
}

bool cue_export_json(Eval *e, CueArena *a, Vertex *v, CueBuf *out, CueJsonStyle style, CueDrain *drain, void *arg,
                     CueDiags *d) {
  CueJson json = cue_json(out, style);
  size_t before = out->n;
  export_data(&(Data){.e = e, .a = a, .json = &json, .drain = drain, .arg = arg, .of = v}, v, d);
  if (d->n) out->n = before;
  return !d->n;
}

bool cue_export_raw(Eval *e, CueArena *a, Vertex *v, bool bytes, CueStr *out, CueDiags *d) {
  CueValue data = cue_export_data(e, a, v, d);
  if (d->n) return false;
  if (data.kind == CUE_STRING || (bytes && data.kind == CUE_BYTES)) {
    *out = cue_value_str(data);
    return true;
  }
  v = vertex_deref(v);
  Ir *x = vertex_value(vertex_deref(vertex_default(e, v)));
  CueBuf text = cue_buf(a); /* and not the value itself, whose place would be told, too */
  ir_text(&text, e->ctx, x);
  Err *err = err_new(e, x->kind == IR_SCALAR ? ir_pos(x) : 0, "cannot use value %S (type %k) as %s",
                     cue_buf_done(&text), ir_kinds(x), bytes ? "(string|bytes)" : "string");
  err->node = v;
  cue_bottom_report(e, bottom_new(e, BOTTOM_EVAL, err), d);
  return false;
}
