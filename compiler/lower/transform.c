/* transform.c - transformers and their context, as functions of data. */
#include "compiler/lower/sym.h"

static const Plan *input(Lower *l, uint32_t slot) {
  Plan *p = plan_begin(l);
  p->kind = PLAN_INPUT;
  p->slot = slot;
  return p;
}

static Label ident(CueContext *c, const char *name) { return label_ident(c->labels, cue_str(name), CUE_STR("")); }

/* A node of all that is said about a vertex. */
static SymNode *open_vertex(Lower *l, Vertex *v) {
  v = vertex_known(l, v);
  SymNode *n = sym_node_new(l);
  for (uint32_t i = 0; i < v->conjuncts.n; i++)
    if (!sym_add(l, n, env_of(l, v->conjuncts.at[i].env), conjunct_elem(v->conjuncts.at[i].x), NULL)) return NULL;
  return n;
}

/* The field is what it is given, whatever is said of it; there if `guard` holds. */
static void set_input(Lower *l, SymNode *n, Label label, const Plan *value, const Plan *guard,
                      const PlanSchema *schema) {
  SymNode *in = sym_node_new(l);
  cue_push(l->a, &in->data, (SymData){NULL, value});
  if (schema) cue_push(l->a, &in->schemas, schema);
  SymField f = {.label = label, .child = in};
  cue_push(l->a, &f.parts, (SymPart){guard, NULL, (Ir *)&l->e->top, ARC_MEMBER});
  for (uint32_t i = 0; i < n->fields.n; i++)
    if (n->fields.at[i].label == label) {
      n->fields.at[i] = f;
      return;
    }
  cue_push(l->a, &n->fields, f);
}

static Lowered done(const Lower *l, const Plan *p) {
  return (Lowered){.plan = l->why.n ? NULL : p, .slots = l->slots, .why = l->why, .at = l->at};
}

/* The vertex a field of a program refers to, evaluated no more than needed. NULL if there is none. */
static Vertex *referred(Lower *l, const Instance *program, const char *field) {
  Vertex *root = program->root;
  IrStruct *file = IR_AS(IrStruct, root->conjuncts.at[0].x);
  ir_struct_read(file);
  for (uint32_t i = 0; i < file->n; i++) {
    Ir *d = file->decls[i];
    if (d->kind != IR_FIELD || IR_AS(IrField, d)->label != ident(l->c, field)) continue;
    Sym s = sym_eval(l, sym_env(l, NULL, sym_node_of(l, root)), IR_AS(IrField, d)->value);
    return s.kind == SYM_VERTEX ? s.vertex : NULL;
  }
  return NULL;
}

/* Whatever stands beside the output and may be used by it must come to something, used or not. */
static const Plan *with_helpers(Lower *l, SymNode *n, Label output, const Plan *p) {
  for (uint32_t i = n->fields.n; p && i-- > 0;) {
    const SymField *f = &n->fields.at[i];
    if (f->label == output || !f->child || (f->child->data.n == 1 && f->child->data.at[0].plan->kind == PLAN_INPUT))
      continue;
    const Plan *helper = sym_node_plan(l, f->child);
    if (!helper || helper->kind == PLAN_CONST) continue;
    p = plan_new(l, PLAN_IF, plan_new(l, PLAN_PRESENT, plan_must(l, helper), NULL), p);
  }
  return p;
}

Lowered lower_transform(CueContext *c, const Instance *program, const char *field) {
  Lower l = {.c = c, .e = c->eval, .a = c->a};
  Vertex *transform = referred(&l, program, field);
  SymNode *n = transform ? open_vertex(&l, transform) : NULL;
  if (!n) {
    lower_fail(&l, 0, "no function");
    return done(&l, NULL);
  }
  set_input(&l, n, ident(c, "#component"), input(&l, 0), NULL, NULL);
  set_input(&l, n, ident(c, "#context"), input(&l, 1), NULL, NULL);
  Label output = label_string(c->labels, CUE_STR("output"));
  const Plan *p = sym_plan(&l, sym_field(&l, n, output), transform->pos);
  return done(&l, with_helpers(&l, n, output, p));
}

Lowered lower_context(CueContext *c, const Instance *program, const char *field) {
  static const struct {
    const char *name;
    bool optional;
  } given[] = {{"name", false},
               {"namespace", false},
               {"#moduleReleaseMetadata", false},
               {"#componentMetadata", false},
               {"#environmentMetadata", true}};
  Lower l = {.c = c, .e = c->eval, .a = c->a};
  Vertex *context = referred(&l, program, field);
  SymNode *n = context ? open_vertex(&l, context) : NULL;
  Vertex *v = context ? vertex_known(&l, context) : NULL;
  if (!context) lower_fail(&l, 0, "no context");
  for (size_t i = 0; n && i < sizeof given / sizeof *given; i++) {
    Label label = ident(c, given[i].name);
    Vertex *arc = vertex_arc(v, label);
    const Plan *value = plan_new_get(&l, input(&l, 0), cue_str(given[i].name));
    const Plan *there = given[i].optional ? plan_new(&l, PLAN_PRESENT, value, NULL) : NULL;
    const PlanSchema *schema = NULL;
    if (arc) {
      cue_finalize(c->eval, arc);
      schema = lower_schema(c, arc);
      if (!schema) lower_fail(&l, arc->conjuncts.n ? arc->conjuncts.at[0].x->pos : 0, "metadata of no simple kind");
    }
    set_input(&l, n, label, value, there, schema);
  }
  return done(&l, n && !l.why.n ? sym_node_plan(&l, n) : NULL);
}
