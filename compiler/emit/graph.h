/* graph.h - plans with equal parts made one, the form in which they are written as C.
**
** Lowering shares what CUE shares; two places that say the same make two plans. Here equal plans become
** one node, over all functions of a file, so that what is needed twice is computed once and code that is needed
** twice is written once. Variables of loops are renamed after the depth of their loop, so that equal loops are equal
** wherever they stand.
*/
#ifndef OPM_EMIT_GRAPH_H
#define OPM_EMIT_GRAPH_H

#include "runtime/compiled.h"

/* Bytes to numbers from 0, in order of being added. */
typedef struct {
  CueArena *a;
  CueStr *keys;
  uint32_t n, cap;
  uint32_t *slots; /* number + 1 */
  uint32_t nslots;
} Numbers;
uint32_t number_of(Numbers *t, CueStr key, bool *fresh);

typedef struct Node Node;
typedef struct NodeItem NodeItem;

struct NodeItem { /* as PlanItem */
  uint8_t kind;
  uint32_t n;
  uint32_t pos;                /* of its value, where it was first written so */
  uint32_t key_var, value_var; /* PLAN_NO_SLOT if not asked for */
  CueStr key;
  Node *name, *value;
  NodeItem *items;
};

struct Node { /* as Plan */
  uint8_t kind, op;
  uint32_t id; /* children have smaller ones */
  uint32_t n;
  uint32_t slot; /* input or variable */
  uint32_t pos;
  uint32_t weight; /* how much there is to write, about a line each */
  uint32_t uses;   /* by how many nodes and functions */
  uint64_t free;   /* variables it depends on */
  uint32_t inside; /* depth of the loops in it */
  CueStr key;
  CueValue value;
  Node *x, *y;
  Node **at;
  NodeItem *items;
  const PlanSchema *schema;
  const CueBuiltin *builtin;
  const char *package;
};

enum { GRAPH_MAX_LOOPS = 32 }; /* one within the other */

typedef struct {
  CueArena *a;
  Numbers nodes, schemas, schema_keys; /* schemas by address, and by what they say */
  CUE_VEC(uint32_t) schema_numbers;    /* by the first, the second */
  CUE_VEC(Node *) at;                  /* by id */
  uint32_t depth;                      /* of loops */
  bool too_deep;
} Graph;

/* NULL if loops are nested deeper than can be named. */
Node *graph_add(Graph *g, const Plan *p, uint32_t slots);

/* Bytes that are equal for equal data and for equal schemas. */
void graph_value_key(CueBuf *b, CueValue v);
void graph_schema_key(CueBuf *b, const PlanSchema *s);

/* Whether it may be absent. */
bool node_optional(const Node *n);

#endif
