/* hole_eval.c - what the evaluator does with a hole in place of looking at its value. See hole.h. */
#include <string.h>

#include "compiler/hole.h"

/* ---- a scalar joins a node ---- */

static void set_scalar(NodeState *n, Ir *v, CloseInfo id) {
  n->scalar = v;
  n->scalar_id = id.def;
  sched_signal(n, COND_SCALAR);
}

/* A disjunct that is tried may be dropped again: what is assumed for it would be assumed for all. */
static bool in_disjunct(Eval *e, const NodeState *n) {
  if (!e->overlays.n) return false;
  if (!n->node->is_disjunct) hole_fail(e, 0, "a disjunction that is decided by a value");
  return true;
}

static Ir *cell_make(NodeState *n, Ir *v) {
  Eval *e = n->e;
  Holes *h = e->holes;
  HoleCell *c = cue_new(h->a, HoleCell);
  c->vertex = n->node;
  c->plan = cue_new(h->a, Plan);
  cue_push(h->a, &h->cells, c);
  Ir *scalar = hole_make(e, c->plan, ir_kinds(v), NULL);
  c->hole = hole_of(e, scalar);
  return scalar;
}

static bool is_hole(const Ir *v) { return v && v->kind == IR_SCALAR && value_is_hole(IR_AS(const IrScalar, v)->v); }

bool node_is_bare(NodeState *n) { /* or a disjunct of it */
  const Holes *h = n->e->holes;
  return h->bare && n->underlying == h->bare;
}

/* A hole that does not count. What a node has is had by its alternatives, too; any other hole is one of these. */
void hole_drop(NodeState *n, const Hole *x) {
  Holes *h = n->e->holes;
  if (n->node != h->bare && h->dropped.at[0] == x) h->chosen = true;
  for (uint32_t i = 0; i < h->dropped.n; i++)
    if (h->dropped.at[i] == x) return;
  if (n->node == h->bare)
    cue_push(h->a, &h->dropped, x);
  else
    h->decides = true;
}

bool hole_drops(NodeState *n, Vertex *v) {
  Holes *h = n->e->holes;
  const Hole *x = node_is_bare(n) ? hole_find(n->e, (Ir *)v) : NULL;
  if (!x) return false;
  const HoleCell *c = n->node == h->bare ? hole_cell(h, vertex_deref(v)) : NULL;
  if (c && c->hole == x) {
    node_unshare(n);
    return false;
  }
  hole_drop(n, x);
  return true;
}

bool hole_insert(NodeState *n, Ir *v, CloseInfo id) {
  Eval *e = n->e;
  Holes *h = e->holes;
  if (node_is_bare(n)) {
    if (is_hole(v)) hole_drop(n, hole_of(e, v));
    return is_hole(v) || (id.context && v->kind == IR_SCALAR && !context_implies(h, h->within, id.context));
  }
  if (v->kind != IR_SCALAR) return false;
  if (!is_hole(v) && !id.context && !is_hole(n->scalar)) return false;
  bool tried = in_disjunct(e, n);
  if (!n->scalar) {
    if (!tried) cue_push(h->a, &h->vertices, n->node);
    if (!id.context) {
      set_scalar(n, v, id);
      return true;
    }
    Ir *cell = cell_make(n, v);
    cue_push(h->a, &h->cells.at[h->cells.n - 1]->choices, (HoleChoice){id.context, v});
    set_scalar(n, cell, id);
    return true;
  }
  HoleCell *c = hole_cell(h, n->node);
  if (c && n->scalar == c->hole->scalar) {
    if (v == n->scalar) return true;
    cue_push(h->a, &c->choices, (HoleChoice){id.context, v});
    return true;
  }
  if (v == n->scalar) return true;
  const Plan *same =
      hole_plan(h, (Plan){.kind = PLAN_OP, .op = PLAN_EQ, .x = hole_plan_of(e, n->scalar), .y = hole_plan_of(e, v)});
  hole_assume(e, id.context, same);
  if (is_hole(n->scalar) && !is_hole(v) && !id.context && !tried) set_scalar(n, v, id); /* it is known after all */
  return true;
}

/* ---- lists ---- */

typedef struct {
  HoleLater *list;
  Ir *value;
  uint16_t context;
  bool unknown;
} Elements;

static void add_element(Eval *e, Elements *l, Env *env, Ir *x, uint16_t context) {
  Conjunct c = conjunct_make(e, env, x, (CloseInfo){.context = context});
  Vertex *v = vertex_inline(e, &c);
  cue_push(e->a, &l->list->elements, (HoleElement){context, (Ir *)v});
  l->unknown |= context != l->context;
}

static void yield_element(Eval *e, Env *env, void *arg) {
  Elements *l = arg;
  add_element(e, l, env, l->value, context_and(e->holes, l->context, e->ci.context));
}

/* The elements of a list literal, if which there are depends on what is not known, or it is one of several: such a list
** is a value of its own, and no field of the node. */
bool hole_insert_list(NodeState *n, Task *t) {
  Eval *e = n->e;
  Holes *h = e->holes;
  IrList *l = IR_AS(IrList, t->x);
  Elements all = {.list = cue_new(h->a, HoleLater), .context = eval_context(e)};
  bool open = false, comprehensions = false;
  for (uint32_t i = 0; i < l->n; i++) {
    open |= l->elems[i]->kind == IR_ELLIPSIS;
    comprehensions |= l->elems[i]->kind == IR_COMPREHENSION;
  }
  if (!comprehensions && (!t->id.context || open)) return false;
  for (uint32_t i = 0; i < l->n; i++) {
    Ir *x = l->elems[i];
    if (x->kind == IR_ELLIPSIS) continue;
    if (x->kind != IR_COMPREHENSION) {
      add_element(e, &all, t->env, x, all.context);
      continue;
    }
    IrComprehension *comp = IR_AS(IrComprehension, x);
    all.value = comp->value;
    if (comp->fallback) hole_fail(e, x->pos, "a comprehension with else");
    if (eval_yield_comprehension(e, NULL, t->env, comp, VERTEX_PARTIAL, yield_element, &all))
      return false; /* told when it is evaluated as usual */
  }
  if (!all.unknown && !t->id.context) return false;
  if (open) hole_fail(e, t->x->pos, "an open list of which some is not known");
  all.list->plan = cue_new(h->a, Plan);
  all.list->pos = t->x->pos;
  all.list->context = all.context;
  cue_push(h->a, &h->later, all.list);
  if (node_update_type(n, CUE_LIST, t->x, t->id)) hole_insert(n, hole_make(e, all.list->plan, CUE_LIST, NULL), t->id);
  return true;
}

/* ---- operators ---- */

int hole_op(uint8_t tok) {
  switch (tok) {
  case TOK_EQL: return PLAN_EQ;
  case TOK_NEQ: return PLAN_NE;
  case TOK_LSS: return PLAN_LT;
  case TOK_LEQ: return PLAN_LE;
  case TOK_GTR: return PLAN_GT;
  case TOK_GEQ: return PLAN_GE;
  case TOK_LAND: return PLAN_AND;
  case TOK_LOR: return PLAN_OR;
  case TOK_ADD: return PLAN_ADD;
  case TOK_SUB: return PLAN_SUB;
  case TOK_MUL: return PLAN_MUL;
  case TOK_QUO: return PLAN_DIV;
  case TOK_IDIV: return PLAN_IDIV;
  case TOK_IMOD: return PLAN_IMOD;
  case TOK_IQUO: return PLAN_IQUO;
  case TOK_IREM: return PLAN_IREM;
  case TOK_MAT: return PLAN_MATCH;
  case TOK_NMAT: return PLAN_NO_MATCH;
  default: return -1;
  }
}

static uint32_t op_kinds(int op, uint32_t x, uint32_t y) {
  switch (op) {
  case PLAN_ADD: return (x & y & CUE_STRING) | ((x & y & CUE_INT)) | ((x | y) & CUE_FLOAT ? (unsigned)CUE_FLOAT : 0);
  case PLAN_SUB:
  case PLAN_MUL: return (x & y & CUE_INT) | ((x | y) & CUE_FLOAT ? (unsigned)CUE_FLOAT : 0);
  case PLAN_DIV: return CUE_FLOAT;
  case PLAN_IDIV:
  case PLAN_IMOD:
  case PLAN_IQUO:
  case PLAN_IREM: return CUE_INT;
  default: return CUE_BOOL;
  }
}

Ir *hole_binop(Eval *e, Ir *node, uint8_t tok, Ir *x, Ir *y) {
  Holes *h = e->holes;
  int op = hole_op(tok);
  uint32_t kinds = op < 0 ? 0 : op_kinds(op, ir_kinds(x), ir_kinds(y));
  if (!kinds) {
    hole_fail(e, node ? node->pos : 0, "an operator on values of unknown kinds");
    return &e->top;
  }
  Plan p = {.kind = PLAN_OP, .op = (uint8_t)op, .x = hole_plan_of(e, x), .y = hole_plan_of(e, y)};
  p.pos = node ? node->pos : 0;
  return hole_make(e, hole_plan(h, p), kinds, NULL);
}

Ir *hole_unary(Eval *e, uint8_t op, Ir *x) {
  Hole *h = hole_of(e, x);
  static const PlanSchema number = {.kind = SCHEMA_SCALAR, .kinds = CUE_NUMBER};
  if (op == TOK_ADD && !(h->kinds & ~(unsigned)CUE_NUMBER)) return x;
  if (op == TOK_ADD) {
    const Plan *is_number = hole_plan(e->holes, (Plan){.kind = PLAN_CHECK, .x = h->plan, .schema = &number});
    return hole_make(e, is_number, CUE_NUMBER, NULL);
  }
  Plan p = {.kind = PLAN_OP, .op = op == TOK_NOT ? PLAN_NOT : PLAN_NEG, .x = h->plan};
  return hole_make(e, hole_plan(e->holes, p), op == TOK_NOT ? (unsigned)CUE_BOOL : h->kinds & CUE_NUMBER, NULL);
}

Ir *hole_text(Eval *e, Ir **parts, uint32_t n, bool bytes, CuePos pos) {
  Holes *h = e->holes;
  if (bytes) hole_fail(e, pos, "an interpolation of bytes");
  const Plan **at = cue_array(h->a, const Plan *, n + 1);
  uint32_t k = 0;
  for (uint32_t i = 0; i < n; i++) {
    const Plan *p = hole_plan_of(e, parts[i]);
    if (p->kind == PLAN_CONST && p->value.kind == CUE_STRING && !p->value.len) continue;
    at[k++] = p;
  }
  return hole_make(e, hole_plan(h, (Plan){.kind = PLAN_TEXT, .at = at, .n = k, .pos = pos}), CUE_STRING, NULL);
}

/* ---- calls ---- */

/* Whether data of x depends on what is not known. */
static bool is_unknown(Eval *e, Ir *x) {
  if (hole_of(e, x)) return true;
  uint16_t here = eval_context(e);
  if (!x || x->kind != IR_VERTEX) return false;
  Vertex *v = IR_AS(Vertex, x);
  cue_finalize(e, v);
  v = vertex_deref(v);
  if (hole_of(e, (Ir *)v)) return true;
  for (uint32_t i = 0; i < v->arcs.n; i++) {
    Vertex *a = v->arcs.at[i];
    if (!label_is_regular(a->label)) continue;
    HoleContexts cs = {0};
    vertex_contexts(e, a, &cs);
    if (label_hole(e, a->label) || !cs.n || !context_implies(e->holes, here, cs.at[0]) || is_unknown(e, (Ir *)a))
      return true;
  }
  return false;
}

/* What says of data that its fields are in the order in which CUE writes them: that of their declaration, if they were
** given in that order, or any if none is declared. NULL if that cannot be said. */
static const PlanSchema *in_order(CueArena *a, const PlanSchema *s) {
  if (!s || s->kind == SCHEMA_ANY) return NULL;
  if (s->kind == SCHEMA_SCALAR) return s->kinds & (CUE_LIST | CUE_STRUCT) ? NULL : s;
  if (s->kind == SCHEMA_ENUM) return s;
  if (s->kind == SCHEMA_ONE) {
    PlanSchema *one = cue_new(a, PlanSchema);
    const PlanSchema **of = cue_array(a, const PlanSchema *, s->n + 1);
    for (uint32_t i = 0; i < s->n; i++)
      if (!(of[i] = in_order(a, s->of[i]))) return NULL;
    *one = (PlanSchema){.kind = SCHEMA_ONE, .n = s->n, .of = of};
    return one;
  }
  if (s->kind == SCHEMA_LIST && !s->n && s->rest) {
    PlanSchema *p = cue_new(a, PlanSchema);
    *p = (PlanSchema){.kind = SCHEMA_LIST, .open = true, .rest = in_order(a, s->rest)};
    return p->rest ? p : NULL;
  }
  if (s->kind != SCHEMA_STRUCT || s->open || (s->n && s->npatterns) || s->npatterns > 1) return NULL;
  PlanSchema *p = cue_new(a, PlanSchema);
  *p = (PlanSchema){.kind = SCHEMA_STRUCT, .n = s->n, .npatterns = s->npatterns, .ordered = s->n > 0, .late = s->late};
  SchemaField *fields = cue_array(a, SchemaField, s->n + 1);
  for (uint32_t i = 0; i < s->n; i++) {
    fields[i] = s->fields[i];
    if (fields[i].place < s->n - s->late) fields[i].presence = SCHEMA_OPTIONAL; /* it has its place, given or not */
    fields[i].schema = in_order(a, s->fields[i].schema);
    if (!fields[i].schema) return NULL;
  }
  p->fields = fields;
  SchemaPattern *pattern = cue_new(a, SchemaPattern);
  if (s->npatterns) *pattern = s->patterns[0];
  if (s->npatterns) pattern->schema = in_order(a, s->patterns[0].schema);
  p->patterns = pattern;
  return !s->npatterns || pattern->schema ? p : NULL;
}

/* The order is that of the values as they were given. */
static bool writes_in_order(Eval *e, const Hole *x) {
  Holes *h = e->holes;
  const PlanSchema *s = in_order(h->a, x->schema);
  const Plan *given = s ? hole_raw(h, x->plan) : NULL;
  if (!given) return false;
  const Plan *ok = hole_plan(h, (Plan){.kind = PLAN_CHECK, .x = given, .schema = s});
  const Plan *there = hole_plan(h, (Plan){.kind = PLAN_PRESENT, .x = ok}); /* gives up, or is one or the other */
  const Plan *no = hole_plan(h, (Plan){.kind = PLAN_OP, .op = PLAN_NOT, .x = there});
  hole_assume(e, eval_context(e), hole_or(h, there, no));
  return true;
}

enum { MAX_WRITTEN = 32 };

/* Whether nothing is said of x beside its hole: that would have an order of its own. What #config itself says is the
** schema of its hole. */
static bool is_alone(Eval *e, Ir *x) {
  if (x->kind != IR_VERTEX) return true;
  Vertex *v = vertex_deref(IR_AS(Vertex, x));
  const Hole *hole = hole_of(e, (Ir *)v);
  if (hole && hole->plan->kind == PLAN_INPUT && v->label == label_ident(e->labels, CUE_STR("#config"), CUE_STR("")))
    return true;
  for (uint32_t i = 0; i < v->arcs.n; i++)
    if (label_is_regular(v->arcs.at[i]->label)) return false;
  return !v->more->structs.n && !(v->more->patterns && v->more->patterns->at.n);
}

static bool is_in_order(Eval *e, Ir *x, int depth);

/* ... of a hole that is a list made here, or one of several. False if it is neither. */
static bool is_made_in_order(Eval *e, const Hole *x, int depth, bool *ok) {
  const Holes *h = e->holes;
  *ok = true;
  for (uint32_t i = 0; i < h->later.n; i++) {
    const HoleLater *l = h->later.at[i];
    if (l->plan != x->plan || l->vertex) continue;
    for (uint32_t k = 0; k < l->elements.n; k++) *ok = *ok && is_in_order(e, l->elements.at[k].element, depth + 1);
    return true;
  }
  for (uint32_t i = 0; i < h->cells.n; i++) {
    const HoleCell *c = h->cells.at[i];
    if (c->hole != x) continue;
    for (uint32_t k = 0; k < c->choices.n; k++) *ok = *ok && is_in_order(e, c->choices.at[k].value, depth + 1);
    return true;
  }
  return false;
}

/* Whether data of x has its fields in the order in which CUE writes them: what is not known, as it was given, and what is
** written here by one literal, as it is written. */
static bool is_in_order(Eval *e, Ir *x, int depth) {
  if (!x || depth > MAX_WRITTEN) return false;
  if (x->kind == IR_VERTEX) cue_finalize(e, IR_AS(Vertex, x));
  const Hole *hole = hole_of(e, x);
  if (hole && !(hole->kinds & (CUE_LIST | CUE_STRUCT))) return true;
  if (hole) {
    bool ok;
    if (!is_alone(e, x)) return false;
    return is_made_in_order(e, hole, depth, &ok) ? ok : writes_in_order(e, hole);
  }
  if (x->kind != IR_VERTEX) return !(ir_kinds(x) & (CUE_LIST | CUE_STRUCT));
  Vertex *v = vertex_deref(vertex_default(e, IR_AS(Vertex, x)));
  if (!v->base || !cue_fields_as_written(v)) return false;
  for (uint32_t i = 0; i < v->arcs.n; i++)
    if (label_is_regular(v->arcs.at[i]->label) && !is_in_order(e, (Ir *)v->arcs.at[i], depth + 1)) return false;
  return true;
}

/* The value of an argument says no more what is beside it: that is where the argument refers to. */
static bool stands_alone(Eval *e, Ir *x, Ir *value) {
  if (!(ir_kinds(value) & (CUE_LIST | CUE_STRUCT)) || value->kind == IR_VERTEX || x->kind == IR_LIST) return true;
  if (!ir_is_resolver(x)) return false;
  Bottom *errs = e->errs;
  e->errs = NULL;
  Vertex *v = eval_resolve(e, x, (Flags){.status = VERTEX_PARTIAL, .cond = COND_SCALAR, .mode = RUN_ATTEMPT});
  e->errs = errs;
  return v && is_alone(e, (Ir *)v);
}

/* Functions that write structs out need to know the order of fields. */
static bool can_take(Eval *e, const CueBuiltin *f, const IrCall *call, Ir **args, uint32_t n) {
  const char *letter = f->params;
  for (uint32_t i = 0; i < n && *letter; i++, letter++) {
    if (*letter == '?') letter++;
    if (strchr("sySinbLI_lw", *letter)) continue;
    if (*letter != 'v' || !is_in_order(e, args[i], 0) || !stands_alone(e, call->args[i], args[i])) return false;
  }
  return true;
}

Ir *hole_call(Eval *e, const IrBuiltin *b, const IrCall *call, Ir **args, uint32_t n) {
  Holes *h = e->holes;
  CuePos pos = call->pos;
  bool any = false;
  for (uint32_t i = 0; i < n && !any; i++) any = is_unknown(e, args[i]);
  if (!any) return NULL;
  if (b->core) {
    static const char *const divisions[] = {"div", "mod", "quo", "rem"};
    if (!strcmp(b->name, "close") && !hole_of(e, args[0])) return NULL;
    if (!strcmp(b->name, "close")) return args[0];
    if (!strcmp(b->name, "len"))
      return hole_make(e, hole_plan(h, (Plan){.kind = PLAN_LEN, .x = hole_plan_of(e, args[0]), .pos = pos}), CUE_INT,
                       NULL);
    for (int i = 0; i < 4; i++)
      if (!strcmp(b->name, divisions[i])) return hole_binop(e, NULL, (uint8_t)(TOK_IDIV + i), args[0], args[1]);
    hole_fail(e, pos, "a function of what is not known");
    return &e->top;
  }
  if (n > 8 || !can_take(e, b->fn, call, args, n)) {
    hole_fail(e, pos, "a function of what is not known");
    return &e->top;
  }
  const Plan **at = cue_array(h->a, const Plan *, n + 1);
  for (uint32_t i = 0; i < n; i++) at[i] = hole_plan_of(e, args[i]);
  Plan p = {.kind = PLAN_CALL, .builtin = b->fn, .package = b->package, .at = at, .n = n, .pos = pos};
  return hole_make(e, hole_plan(h, p), b->result, NULL);
}

/* ---- parts of a hole ---- */

static const Plan *must(Holes *h, const Plan *p) { return hole_plan(h, (Plan){.kind = PLAN_MUST, .x = p}); }

Vertex *hole_select(Eval *e, Hole *x, Label l, CuePos pos) {
  Holes *h = e->holes;
  if (!label_is_string(l) || !(x->kinds & CUE_STRUCT)) {
    hole_fail(e, pos, "a definition within a value");
    return x->vertex;
  }
  CueStr key = label_name(e->labels, l);
  bool there;
  const PlanSchema *s = hole_schema_field(x->schema, key, &there);
  const Plan *p = hole_get(h, x->plan, key);
  return hole_of(e, hole_make(e, there ? p : must(h, p), hole_schema_kinds(s), s))->vertex;
}

Vertex *hole_index(Eval *e, Ir *x, Ir *index) {
  Holes *h = e->holes;
  const Hole *of = hole_of(e, x);
  const PlanSchema *s = of ? hole_schema_element(of->schema) : NULL;
  const Plan *p = hole_plan(h, (Plan){.kind = PLAN_INDEX, .x = hole_plan_of(e, x), .y = hole_plan_of(e, index)});
  return hole_of(e, hole_make(e, must(h, p), hole_schema_kinds(s), s))->vertex;
}

/* ---- what is there ---- */

void hole_refer(Eval *e, Vertex *v) {
  if (!e->holes || e->holes->bare || e->in_validator || !v || v == &e->empty_node) return;
  uint16_t here = eval_context(e);
  const Plan *p = vertex_presence(e, v, here);
  if (p) hole_assume(e, here, p);
}

/* The plan of a path into a hole, absent where any part of it is; NULL if it does not lead into one. *schema: of its
** value; *sure: it is there in any case. */
static const Plan *path_plan(Eval *e, Ir *x, const PlanSchema **schema, bool *sure) {
  Holes *h = e->holes;
  *sure = false;
  if (x->kind == IR_SELECTOR) {
    IrSelector *s = IR_AS(IrSelector, x);
    if (!label_is_string(s->sel)) return NULL;
    bool there = true, field;
    const PlanSchema *of;
    const Plan *p = path_plan(e, s->x, &of, &there);
    if (!p) return NULL;
    CueStr key = label_name(e->labels, s->sel);
    *schema = hole_schema_field(of, key, &field);
    *sure = there && field;
    return hole_get(h, p, key);
  }
  Bottom *errs = e->errs;
  e->errs = NULL;
  Ir *v = ir_is_resolver(x) || x->kind == IR_INDEX
              ? eval_unify_node(e, x, (Flags){.status = VERTEX_PARTIAL, .cond = COND_SCALAR, .mode = RUN_ATTEMPT})
              : NULL;
  e->errs = errs;
  const Hole *hole = hole_of(e, v);
  if (!hole) return NULL;
  *schema = hole->schema;
  *sure = hole->plan->kind == PLAN_INPUT || hole->plan->kind == PLAN_VAR;
  return hole->plan->kind == PLAN_MUST ? hole->plan->x : hole->plan;
}

Ir *hole_exists(Eval *e, Ir *x, bool found, bool wanted) {
  Holes *h = e->holes;
  const PlanSchema *schema;
  bool sure;
  const Plan *p = path_plan(e, x, &schema, &sure), *there = NULL;
  if (p && !sure) there = hole_plan(h, (Plan){.kind = PLAN_PRESENT, .x = p});
  if (!p && !found) return NULL;
  if (ir_is_resolver(x)) {
    Bottom *errs = e->errs;
    e->errs = NULL;
    Ir *node = x;
    while (p && node->kind == IR_SELECTOR) node = IR_AS(IrSelector, node)->x; /* the path begins there */
    Vertex *v = eval_resolve(e, node, (Flags){.status = VERTEX_PARTIAL, .cond = COND_SCALAR, .mode = RUN_ATTEMPT});
    e->errs = errs;
    if (v && v != &e->empty_node) there = hole_and(h, vertex_presence(e, v, eval_context(e)), there);
  }
  if (!there) return ir_bool(e, wanted);
  if (!wanted) there = hole_plan(h, (Plan){.kind = PLAN_OP, .op = PLAN_NOT, .x = there});
  return hole_make(e, there, CUE_BOOL, NULL);
}

void hole_closes(NodeState *n, CloseInfo ci) {
  Holes *h = n->e->holes;
  if (h->bare) {
    if (node_is_bare(n) && !context_implies(h, h->within, ci.context)) h->mixed = true;
    return;
  }
  cue_push(h->a, &h->closed, (HoleClosed){n->node, ci.context});
}

bool hole_skips(NodeState *n, const Ir *x, CloseInfo id) {
  Holes *h = n->e->holes;
  if (!node_is_bare(n) || context_implies(h, h->within, id.context)) return false;
  if (x->kind == IR_SCALAR) return true;
  if (x->kind == IR_STRUCT || x->kind == IR_TYPE || x->kind == IR_BOUND || x->kind == IR_VALIDATOR ||
      x->kind == IR_BOUND_EXPR || x->kind == IR_DISJUNCTION_EXPR)
    h->mixed = true;
  return false;
}

bool hole_has_joined(NodeState *n, uint16_t context, uint16_t again) {
  Holes *h = n->e->holes;
  return context == again || context_implies(h, context_and(h, vertex_context(n->e, n->node), again), context);
}
