/* trace_via.c - what brought a declaration to the field it is a conjunct of.
**
** Of `labels: #context.labels` each field below has the conjuncts of #context.labels, and none that
** tells of the reference. So it is searched: some conjunct of each vertex above either has the
** declaration in its text, perhaps in a comprehension, whose clauses then are conditions, or refers
** to a vertex that has.
*/
#include "compiler/render/trace_impl.h"

enum { VIA_DEPTH = 8 }; /* references within references from one struct to another */

typedef struct {
  IrComprehension *comp;
  uint32_t levels; /* environments from its value to the declaration */
} Around;

typedef struct {
  const Tracer *t;
  const Ir *target;
  CUE_VEC(Around) comps; /* innermost first */
} Search;

static bool binds(const Ir *clause) {
  return clause->kind == IR_FOR || clause->kind == IR_LET_CLAUSE ||
         (clause->kind == IR_TRY && IR_AS(const IrField, clause)->value);
}

static uint32_t bindings_from(const IrComprehension *c, uint32_t i) {
  uint32_t n = 0;
  for (; i < c->n; i++) n += binds(c->clauses[i]);
  return n;
}

static bool may_hold(const Ir *x, const Ir *target) {
  if (!x->src || !target->src || !cue_pos_known(x->src->end)) return true;
  uint32_t at = cue_pos_offset(target->src->pos);
  return cue_pos_offset(x->src->pos) <= at && at < cue_pos_offset(x->src->end);
}

static bool search(Search *s, Ir *x, uint32_t *levels);

static bool search_all(Search *s, Ir **at, uint32_t n, uint32_t *levels) {
  for (uint32_t i = 0; i < n; i++)
    if (search(s, at[i], levels)) return true;
  return false;
}

/* Whether x holds the target; *levels then is how many environments the target's is below that of x. */
static bool search(Search *s, Ir *x, uint32_t *levels) {
  *levels = 0;
  if (x == s->target) return true;
  if (!may_hold(x, s->target)) return false;
  switch (x->kind) {
  case IR_FIELD:
  case IR_LET:
  case IR_DYNAMIC:
  case IR_PATTERN: return search(s, conjunct_elem(x), levels);
  case IR_ELLIPSIS: return IR_AS(IrUnary, x)->x && search(s, IR_AS(IrUnary, x)->x, levels);
  case IR_OPEN:
  case IR_UNARY: return search(s, IR_AS(IrUnary, x)->x, levels);
  case IR_BINARY: return search(s, IR_AS(IrBinary, x)->x, levels) || search(s, IR_AS(IrBinary, x)->y, levels);
  case IR_CALL: return search_all(s, IR_AS(IrCall, x)->args, IR_AS(IrCall, x)->n, levels);
  case IR_DISJUNCTION_EXPR:
    for (uint32_t i = 0; i < IR_AS(IrDisjunctionExpr, x)->n; i++)
      if (search(s, IR_AS(IrDisjunctionExpr, x)->at[i].x, levels)) return true;
    return false;
  case IR_STRUCT:
    /* What has not been read made nothing. */
    if ((x->flag & IR_STRUCT_UNREAD) || !search_all(s, IR_AS(IrStruct, x)->decls, IR_AS(IrStruct, x)->n, levels))
      return false;
    ++*levels;
    return true;
  case IR_LIST:
    if (!search_all(s, IR_AS(IrList, x)->elems, IR_AS(IrList, x)->n, levels)) return false;
    ++*levels;
    return true;
  case IR_COMPREHENSION: {
    IrComprehension *c = IR_AS(IrComprehension, x);
    if (c->fallback && search(s, c->fallback, levels)) return true;
    if (!search(s, c->value, levels)) return false;
    cue_push(s->t->a, &s->comps, (Around){c, *levels});
    *levels += bindings_from(c, 0);
    return true;
  }
  default: return false;
  }
}

static Env *up(Env *env, uint32_t n) {
  while (n-- && env->up) env = env->up;
  return env;
}

/* That something exists is told by the text of the condition: not where it all came from. */
static void condition_refs(Tracer *t, Env *env, Ir *x, TraceSteps *out) {
  if (x->kind == IR_BINARY) {
    IrBinary *b = IR_AS(IrBinary, x);
    if (b->x->kind == IR_BOTTOM || b->y->kind == IR_BOTTOM) return;
    if (x->op == TOK_LAND || x->op == TOK_LOR) {
      condition_refs(t, env, b->x, out);
      condition_refs(t, env, b->y, out);
      return;
    }
  }
  steps_of_refs(t, env, x, out);
}

/* Adds the clauses of a comprehension before the conditions a step has; env is that of the comprehension's value. */
static void add_conditions(Tracer *t, TraceStep *s, const IrComprehension *c, Env *env) {
  TraceSteps all = {0};
  if (said_in_program(t, (const Ir *)c)) return;
  for (uint32_t i = 0; i < c->n; i++) {
    TraceStep *k = step_new(t, c->clauses[i]);
    if (c->clauses[i]->kind == IR_IF)
      condition_refs(t, up(env, bindings_from(c, i)), IR_AS(IrUnary, c->clauses[i])->x, &k->from);
    cue_push(t->a, &all, k);
  }
  for (uint32_t i = 0; i < s->conditions.n; i++) cue_push(t->a, &all, s->conditions.at[i]);
  s->conditions = all;
}

typedef struct {
  Env *env;
  Ir *ref;
  bool embedded; /* in a struct, beside others */
} Via;
typedef CUE_VEC(Via) Vias;
typedef struct {
  Tracer *t;
  Vertex *node;
  IrComprehension *comp;
  Vias *out;
} ViaVisit;

static void vias_of(Tracer *t, Env *env, Ir *x, Vertex *node, bool embedded, Vias *out);

static void via_yield(Eval *e, Env *env, void *arg) {
  (void)e;
  ViaVisit *v = arg;
  vias_of(v->t, env, v->comp->value, v->node, true, v->out);
}

/* References whose fields become those of the node. */
static void vias_of(Tracer *t, Env *env, Ir *x, Vertex *node, bool embedded, Vias *out) {
  if (ir_is_resolver(x)) {
    cue_push(t->a, out, (Via){env, x, embedded});
    return;
  }
  switch (x->kind) {
  case IR_OPEN: vias_of(t, env, IR_AS(IrUnary, x)->x, node, embedded, out); break;
  case IR_BINARY:
    if (x->op != TOK_AND) break;
    vias_of(t, env, IR_AS(IrBinary, x)->x, node, embedded, out);
    vias_of(t, env, IR_AS(IrBinary, x)->y, node, embedded, out);
    break;
  case IR_CALL: /* close(x) */
    for (uint32_t i = 0; i < IR_AS(IrCall, x)->n; i++) vias_of(t, env, IR_AS(IrCall, x)->args[i], node, embedded, out);
    break;
  case IR_DISJUNCTION_EXPR:
    for (uint32_t i = 0; i < IR_AS(IrDisjunctionExpr, x)->n; i++)
      vias_of(t, env, IR_AS(IrDisjunctionExpr, x)->at[i].x, node, embedded, out);
    break;
  case IR_STRUCT: {
    IrStruct *s = IR_AS(IrStruct, x);
    Env *inner = env_new(t->e, env, node);
    if (x->flag & IR_STRUCT_UNREAD) break;
    for (uint32_t i = 0; i < s->n; i++) {
      Ir *d = s->decls[i];
      if (d->kind < IR_FIELD) {
        vias_of(t, inner, d, node, true, out);
      } else if (d->kind == IR_COMPREHENSION) {
        IrComprehension *c = IR_AS(IrComprehension, d);
        bool embeds = false;
        IrStruct *value = c->value->kind == IR_STRUCT ? IR_AS(IrStruct, c->value) : NULL;
        for (uint32_t k = 0; value && k < value->n; k++) embeds |= value->decls[k]->kind < IR_FIELD;
        if (embeds)
          eval_yield_comprehension(t->e, node, inner, c, VERTEX_PARTIAL, via_yield, &(ViaVisit){t, node, c, out});
      }
    }
    break;
  }
  default: break;
  }
}

static bool holds(Tracer *t, Vertex *v, const Ir *decl, int depth);

/* The conjunct of v whose text has the declaration. */
static bool find_text(Tracer *t, Vertex *v, const Ir *decl, Said *out, Search *s, uint32_t *levels) {
  SaidList all = said_of(t, v);
  for (uint32_t i = 0; i < all.n; i++) {
    *s = (Search){.t = t, .target = decl};
    *out = all.at[i];
    if (search(s, conjunct_elem(out->decl), levels)) return true;
  }
  return false;
}

/* The conjunct of v that refers to where the declaration is, and where that is. */
static bool find_via(Tracer *t, Vertex *v, const Ir *decl, int depth, Said *out, Via *via, Trail *to) {
  SaidList all = said_of(t, v);
  for (uint32_t i = 0; i < all.n; i++) {
    Vias vias = {0};
    *out = all.at[i];
    vias_of(t, out->env, conjunct_elem(out->decl), v, false, &vias);
    for (uint32_t k = 0; k < vias.n; k++) {
      *via = vias.at[k];
      if (trail_resolve(t, via->env, via->ref, to) && trail_end(*to) != v && holds(t, trail_end(*to), decl, depth + 1))
        return true;
    }
  }
  return false;
}

static bool holds(Tracer *t, Vertex *v, const Ir *decl, int depth) {
  Said said;
  Search s;
  uint32_t levels;
  Trail to;
  Via via;
  return depth < VIA_DEPTH &&
         (find_text(t, v, decl, &said, &s, &levels) || find_via(t, v, decl, depth, &said, &via, &to));
}

static bool is_parameter(const TraceStep *s, const Ir *decl) {
  if (decl->kind != IR_FIELD || (s->role != TRACE_TRANSFORMER && s->role != TRACE_DEFINITION)) return false;
  return !label_is_regular(IR_AS(const IrField, decl)->label);
}

TraceStep *steps_brought(Tracer *t, Trail trail, uint32_t k, Said said, TraceStep *s, int depth, bool quiet) {
  while (k > 0 && depth < VIA_DEPTH) {
    const Ir *decl = said.decl;
    if (said.part) {
      add_conditions(t, s, said.part, up(said.env, comprehension_nest(said.part)));
      uint32_t nest = comprehension_nest(said.part);
      decl = (const Ir *)said.part->run->comp;
      said = (Said){said.outer, (Ir *)decl, NULL, NULL};
      if (nest >= k + 1) break;
      k -= nest ? nest - 1 : 0;
      if (!k) break;
    }
    Said by;
    Search found;
    uint32_t levels;
    Trail to;
    Via via;
    Vertex *v = trail.at[k - 1];
    if (find_text(t, v, decl, &by, &found, &levels)) {
      for (uint32_t i = 0; i < found.comps.n; i++)
        add_conditions(t, s, found.comps.at[i].comp, up(said.env, found.comps.at[i].levels));
    } else if (find_via(t, v, decl, 0, &by, &via, &to)) {
      bool program = said_in_program(t, by.decl);
      /* A field at the top of a program runs a transformer: that its provider lists it is no news. */
      s = steps_brought(t, to, to.n, said, s, depth + 1, quiet || (program && k == 2));
      if (program) break;
      TraceStep *around = step_new(t, via.embedded ? via.ref : by.decl);
      around->kind = TRACE_PASSES;
      around->parameter = quiet || is_parameter(around, by.decl);
      if (!step_same(around, s)) {
        cue_push(t->a, &around->from, s);
        s = around;
      }
      if (around->parameter) break; /* it stands where the reference to it does */
    } else {
      break;
    }
    said = by;
    k--;
  }
  return s;
}
