/* outline.c - which nodes become functions of their own.
**
** What several places need is written once, as a function, unless it is little; what would make a function too long to read, or to compile
** quickly, is cut out of it. A function that depends on no loop and is called from several places keeps what it made,
** so that it is made once in a run.
*/
#include "compiler/emit/emit_impl.h"

enum {
  SHARED_FROM = 5, /* lines that are worth a function if they are needed twice */
  LONGEST = 60,    /* lines of a function */
};

typedef struct {
  Emit *e;
  uint32_t lines;
  bool count; /* uses, and not lines */
} Walk;

static void look(Walk *w, Node *n) {
  if (!n) return;
  if (w->count)
    n->uses++;
  else
    w->lines += w->e->outlined[n->id] ? 1 : w->e->own[n->id];
}

static void look_items(Walk *w, const NodeItem *items, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    w->lines++;
    look(w, items[i].name);
    look(w, items[i].value);
    if (items[i].items) look_items(w, items[i].items, items[i].n);
  }
}

static void look_into(Walk *w, const Node *n) {
  look(w, n->x);
  look(w, n->y);
  for (uint32_t i = 0; n->at && i < n->n; i++) look(w, n->at[i]);
  if (n->items) look_items(w, n->items, n->n);
}

static bool is_leaf(const Node *n) { return n->kind == PLAN_CONST || n->kind == PLAN_INPUT || n->kind == PLAN_VAR; }

/* Short to write, but not to do. */
static bool takes_long(const Node *n) {
  bool whole = n->schema && (n->schema->kind == SCHEMA_STRUCT || n->schema->kind == SCHEMA_LIST);
  return n->kind == PLAN_CALL || ((n->kind == PLAN_CHECK || n->kind == PLAN_TEST) && whole) || n->inside;
}

void emit_outline(Emit *e) {
  Graph *g = &e->graph;
  Walk uses = {.e = e, .count = true};
  for (uint32_t i = 0; i < g->at.n; i++) look_into(&uses, g->at.at[i]);
  for (uint32_t i = 0; i < g->at.n; i++) {
    Node *n = g->at.at[i];
    Walk w = {.e = e, .lines = is_leaf(n) ? 0 : 1};
    look_into(&w, n);
    e->own[i] = w.lines;
    if (is_leaf(n) || n->kind == PLAN_GET) continue;
    e->outlined[i] = (n->uses > 1 && (w.lines >= SHARED_FROM || takes_long(n))) || w.lines > LONGEST;
    if (e->outlined[i] && n->uses > 1 && !n->free) e->cells[i] = ++e->ncells;
  }
}
