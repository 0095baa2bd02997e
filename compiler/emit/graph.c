/* graph.c - see graph.h. */
#include "compiler/emit/graph.h"

#include <string.h>

/* ---- numbers ---- */

static void rehash(Numbers *t) {
  t->nslots = t->nslots ? 2 * t->nslots : 64;
  t->slots = cue_array(t->a, uint32_t, t->nslots);
  for (uint32_t i = 0; i < t->n; i++) {
    uint32_t at = cue_str_hash(t->keys[i]) & (t->nslots - 1);
    while (t->slots[at]) at = (at + 1) & (t->nslots - 1);
    t->slots[at] = i + 1;
  }
}

uint32_t number_of(Numbers *t, CueStr key, bool *fresh) {
  if (2 * t->n >= t->nslots) rehash(t);
  uint32_t at = cue_str_hash(key) & (t->nslots - 1);
  *fresh = false;
  for (; t->slots[at]; at = (at + 1) & (t->nslots - 1))
    if (cue_str_eq(t->keys[t->slots[at] - 1], key)) return t->slots[at] - 1;
  *fresh = true;
  if (t->n == t->cap) t->keys = cue_vec_grow(t->a, t->keys, &t->cap, sizeof *t->keys);
  t->keys[t->n] = cue_str_copy(t->a, key);
  t->slots[at] = t->n + 1;
  return t->n++;
}

/* ---- keys ---- */

static void put_u32(CueBuf *b, uint32_t x) { cue_buf_add(b, &x, sizeof x); }
static void put_str(CueBuf *b, CueStr s) {
  put_u32(b, (uint32_t)s.n);
  cue_buf_str(b, s);
}

void graph_value_key(CueBuf *b, CueValue v) {
  put_u32(b, (uint32_t)v.kind | (uint32_t)v.form << 16);
  switch (v.kind) {
  case CUE_BOOL: put_u32(b, v.as.b); break;
  case CUE_INT:
    if (v.form == CUE_PLAIN)
      cue_buf_add(b, &v.as.i, sizeof v.as.i);
    else
      put_str(b, cue_num_text(b->a, v.as.num));
    break;
  case CUE_FLOAT: put_str(b, cue_num_text(b->a, v.as.num)); break;
  case CUE_STRING:
  case CUE_BYTES: put_str(b, cue_value_str(v)); break;
  case CUE_LIST:
    put_u32(b, v.as.list->n);
    for (uint32_t i = 0; i < v.as.list->n; i++) graph_value_key(b, v.as.list->at[i]);
    break;
  case CUE_STRUCT:
    put_u32(b, v.as.fields->n);
    for (uint32_t i = 0; i < v.as.fields->n; i++) {
      put_str(b, v.as.fields->at[i].key);
      graph_value_key(b, v.as.fields->at[i].value);
    }
    break;
  default: break;
  }
}

static void put_builtin(CueBuf *b, const CueBuiltin *f, const char *package) {
  put_str(b, f ? cue_str(package) : CUE_STR(""));
  put_str(b, f ? cue_str(f->name) : CUE_STR(""));
}

void graph_schema_key(CueBuf *b, const PlanSchema *s) {
  if (!s) {
    put_u32(b, UINT32_MAX);
    return;
  }
  put_u32(b, (uint32_t)s->kind | (uint32_t)s->open << 8 | (uint32_t)s->has_default << 9 | (uint32_t)s->ordered << 10 |
                 (uint32_t)s->kinds << 16);
  put_u32(b, s->n);
  put_u32(b, s->npatterns);
  put_u32(b, s->late);
  graph_value_key(b, s->has_default ? s->value : (CueValue){0});
  for (uint32_t i = 0; i < s->n; i++) {
    switch ((SchemaKind)s->kind) {
    case SCHEMA_ANY: break;
    case SCHEMA_SCALAR:
      put_u32(b, s->tests[i].op);
      graph_value_key(b, s->tests[i].value);
      put_builtin(b, s->tests[i].builtin, s->tests[i].package);
      break;
    case SCHEMA_ENUM: graph_value_key(b, s->values[i]); break;
    case SCHEMA_STRUCT:
      put_str(b, s->fields[i].key);
      put_u32(b, s->fields[i].presence | s->fields[i].place << 8);
      graph_schema_key(b, s->fields[i].schema);
      break;
    case SCHEMA_LIST:
    case SCHEMA_ONE: graph_schema_key(b, s->of[i]); break;
    }
  }
  for (uint32_t i = 0; i < s->npatterns; i++) {
    put_str(b, s->patterns[i].pattern);
    graph_schema_key(b, s->patterns[i].schema);
  }
  graph_schema_key(b, s->rest);
}

static void put_items(CueBuf *b, const NodeItem *items, uint32_t n) {
  put_u32(b, n);
  for (uint32_t i = 0; i < n; i++) {
    put_u32(b, items[i].kind);
    put_str(b, items[i].kind == PLAN_FIELD ? items[i].key : CUE_STR(""));
    put_u32(b, items[i].name ? items[i].name->id : UINT32_MAX);
    put_u32(b, items[i].value ? items[i].value->id : UINT32_MAX);
    put_u32(b, items[i].key_var);
    put_u32(b, items[i].value_var);
    put_items(b, items[i].items, items[i].n);
  }
}

static uint32_t schema_number(Graph *g, const PlanSchema *s) {
  bool fresh;
  uint32_t address = number_of(&g->schemas, (CueStr){(const char *)&s, sizeof s}, &fresh);
  if (!fresh) return g->schema_numbers.at[address];
  CueBuf b = cue_buf(g->a);
  graph_schema_key(&b, s);
  cue_push(g->a, &g->schema_numbers, number_of(&g->schema_keys, cue_buf_done(&b), &fresh));
  return g->schema_numbers.at[address];
}

static CueStr node_key(Graph *g, const Node *n) {
  CueBuf b = cue_buf(g->a);
  put_u32(&b, (uint32_t)n->kind | (uint32_t)n->op << 8);
  put_u32(&b, n->slot);
  put_str(&b, n->kind == PLAN_GET ? n->key : CUE_STR(""));
  if (n->kind == PLAN_CONST) graph_value_key(&b, n->value);
  put_u32(&b, n->x ? n->x->id : UINT32_MAX);
  put_u32(&b, n->y ? n->y->id : UINT32_MAX);
  put_u32(&b, n->n);
  for (uint32_t i = 0; n->at && i < n->n; i++) put_u32(&b, n->at[i]->id);
  put_items(&b, n->items, n->items ? n->n : 0);
  put_u32(&b, n->schema ? schema_number(g, n->schema) : UINT32_MAX);
  if (n->builtin) put_builtin(&b, n->builtin, n->package);
  return cue_buf_done(&b);
}

/* ---- what a plan depends on ---- */

/* By plan, since what is shared must be looked at once. */
typedef struct {
  bool loops;
  uint64_t *free; /* slots of loops around it that it asks for */
} Facts;

typedef struct {
  Graph *g;
  uint32_t *var_of; /* by slot: the variable of the loop around */
  uint32_t slots, words;
  Numbers plans, placed;
  CUE_VEC(Facts) facts; /* by number of plan */
  CUE_VEC(Node *) made; /* by number of placed */
} Add;

static const Facts *facts_of(Add *to, const Plan *p);

static void facts_take(Add *to, Facts *f, const Facts *from) {
  f->loops |= from->loops;
  for (uint32_t i = 0; i < to->words; i++) f->free[i] |= from->free[i];
}

static Facts facts_new(Add *to) { return (Facts){.free = cue_array(to->g->a, uint64_t, to->words)}; }

static void facts_items(Add *to, Facts *f, const PlanItem *items, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const PlanItem *it = &items[i];
    if (it->name) facts_take(to, f, facts_of(to, it->name));
    if (it->value) facts_take(to, f, facts_of(to, it->value));
    if (!it->items) continue;
    Facts body = facts_new(to);
    facts_items(to, &body, it->items, it->n);
    if (it->kind == PLAN_FOR) {
      body.loops = true;
      if (it->key_slot != PLAN_NO_SLOT) body.free[it->key_slot / 64] &= ~((uint64_t)1 << it->key_slot % 64);
      if (it->value_slot != PLAN_NO_SLOT) body.free[it->value_slot / 64] &= ~((uint64_t)1 << it->value_slot % 64);
    }
    facts_take(to, f, &body);
  }
}

static const Facts *facts_of(Add *to, const Plan *p) {
  bool fresh;
  uint32_t number = number_of(&to->plans, (CueStr){(const char *)&p, sizeof p}, &fresh);
  if (!fresh) return &to->facts.at[number];
  Facts f = facts_new(to);
  cue_push(to->g->a, &to->facts, f);
  if (p->kind == PLAN_VAR) f.free[p->slot / 64] |= (uint64_t)1 << p->slot % 64;
  if (p->x) facts_take(to, &f, facts_of(to, p->x));
  if (p->y) facts_take(to, &f, facts_of(to, p->y));
  for (uint32_t i = 0; p->at && i < p->n; i++) facts_take(to, &f, facts_of(to, p->at[i]));
  if (p->items) facts_items(to, &f, p->items, p->n);
  to->facts.at[number] = f;
  return &to->facts.at[number];
}

/* What tells the places of a plan apart: one without loops and variables is the same everywhere. */
static CueStr place_key(Add *to, const Plan *p) {
  const Facts *f = facts_of(to, p);
  CueBuf b = cue_buf(to->g->a);
  cue_buf_add(&b, &p, sizeof p);
  if (f->loops) put_u32(&b, to->g->depth);
  for (uint32_t i = 0; i < to->slots; i++)
    if (f->free[i / 64] >> i % 64 & 1) put_u32(&b, to->var_of[i]);
  return cue_buf_done(&b);
}

static uint32_t set_var(Add *to, uint32_t slot, uint32_t var) { /* what it was */
  if (slot == PLAN_NO_SLOT) return var;
  uint32_t was = to->var_of[slot];
  to->var_of[slot] = var;
  return was;
}

/* ---- nodes ---- */

static Node *add(Add *to, const Plan *p);

static uint64_t bit(uint32_t var) { return var == PLAN_NO_SLOT ? 0 : (uint64_t)1 << var; }

static void take(Node *n, const Node *from) {
  if (!from) return;
  n->free |= from->free;
  if (from->inside > n->inside) n->inside = from->inside;
  n->weight = n->weight + from->weight > 100000 ? 100000 : n->weight + from->weight;
}

static NodeItem *add_items(Add *to, Node *n, const PlanItem *items, uint32_t count) {
  Graph *g = to->g;
  NodeItem *out = cue_array(g->a, NodeItem, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    const PlanItem *it = &items[i];
    NodeItem *o = &out[i];
    *o = (NodeItem){.kind = it->kind, .n = it->n, .key_var = PLAN_NO_SLOT, .value_var = PLAN_NO_SLOT, .key = it->key};
    o->name = it->name ? add(to, it->name) : NULL;
    o->value = it->value ? add(to, it->value) : NULL;
    o->pos = it->value ? it->value->pos : 0;
    take(n, o->name);
    take(n, o->value);
    n->weight++;
    if (it->kind != PLAN_FOR) {
      if (it->n) o->items = add_items(to, n, it->items, it->n);
      continue;
    }
    uint32_t key = it->key_slot, value = it->value_slot, var = 2 * g->depth;
    if (g->depth == GRAPH_MAX_LOOPS) {
      g->too_deep = true;
      return out;
    }
    Node body = {0};
    if (key != PLAN_NO_SLOT) o->key_var = var;
    if (value != PLAN_NO_SLOT) o->value_var = var + 1;
    uint32_t outer_key = set_var(to, key, var), outer_value = set_var(to, value, var + 1); /* see run_for of plan.c */
    g->depth++;
    o->items = add_items(to, &body, it->items, it->n);
    g->depth--;
    set_var(to, key, outer_key);
    set_var(to, value, outer_value);
    body.free &= ~(bit(o->key_var) | bit(o->value_var));
    body.inside++;
    take(n, &body);
  }
  return out;
}

/* The node that is the same, or this one from now on. */
static Node *intern(Graph *g, Node *n) {
  bool fresh;
  n->id = number_of(&g->nodes, node_key(g, n), &fresh);
  if (fresh) {
    Node *kept = cue_new(g->a, Node);
    *kept = *n;
    cue_push(g->a, &g->at, kept);
  }
  return g->at.at[n->id];
}

/* A list of many components would be a function of thousands of lines, and a C compiler takes more than twice as long for
** twice as many. So it becomes a list of lists, each of them worth a function. */
static void group_elements(Graph *g, Node *n) {
  enum { GROUP = 4, HEAVY = 400 };
  if (n->kind != PLAN_LIST || n->n <= 2 * GROUP || n->weight < HEAVY) return;
  for (uint32_t i = 0; i < n->n; i++)
    if (n->items[i].kind != PLAN_ELEMENT) return;
  NodeItem *groups = cue_array(g->a, NodeItem, n->n / GROUP + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < n->n; i += GROUP) {
    Node part = {.kind = PLAN_LIST, .pos = n->pos, .items = n->items + i, .weight = 1};
    part.n = n->n - i < GROUP ? n->n - i : GROUP;
    for (uint32_t k = 0; k < part.n; k++) take(&part, part.items[k].value);
    groups[count++] = (NodeItem){.kind = PLAN_SPREAD,
                                 .pos = n->pos,
                                 .key_var = PLAN_NO_SLOT,
                                 .value_var = PLAN_NO_SLOT,
                                 .value = intern(g, &part)};
  }
  n->items = groups;
  n->n = count;
}

static Node *add(Add *to, const Plan *p) {
  Graph *g = to->g;
  bool fresh;
  uint32_t place = number_of(&to->placed, place_key(to, p), &fresh);
  if (!fresh) return to->made.at[place];
  cue_push(g->a, &to->made, NULL);
  Node n = {.kind = p->kind, .op = p->op, .n = p->n, .pos = p->pos, .key = p->key, .value = p->value};
  n.schema = p->schema;
  n.builtin = p->builtin;
  n.package = p->package;
  n.weight = p->kind == PLAN_CONST || p->kind == PLAN_INPUT || p->kind == PLAN_VAR ? 0 : 1;
  if (p->kind == PLAN_INPUT) n.slot = p->slot;
  if (p->kind == PLAN_VAR) {
    n.slot = to->var_of[p->slot];
    n.free = bit(n.slot);
  }
  n.x = p->x ? add(to, p->x) : NULL;
  n.y = p->y ? add(to, p->y) : NULL;
  take(&n, n.x);
  take(&n, n.y);
  if (p->at) {
    n.at = cue_array(g->a, Node *, p->n + 1);
    for (uint32_t i = 0; i < p->n; i++) take(&n, n.at[i] = add(to, p->at[i]));
  }
  if (p->items) n.items = add_items(to, &n, p->items, p->n);
  group_elements(g, &n);
  return to->made.at[place] = intern(g, &n);
}

Node *graph_add(Graph *g, const Plan *p, uint32_t slots) {
  Add to = {.g = g, .slots = slots, .words = slots / 64 + 1};
  to.plans.a = to.placed.a = g->a;
  to.var_of = cue_array(g->a, uint32_t, slots + 1);
  g->nodes.a = g->schemas.a = g->schema_keys.a = g->a;
  g->depth = 0;
  g->too_deep = false;
  Node *n = add(&to, p);
  return g->too_deep ? NULL : n;
}
