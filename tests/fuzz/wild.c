/* wild.c - random CUE programs without regard for types.
**
** Where gen.c declares fresh names and uses them as they are meant, this one has few labels and
** puts everything everywhere: the same field gets many conjuncts, definitions are embedded in
** each other, disjunctions hold structs, conditions ask for fields that other conditions make. Most
** programs have errors somewhere, so they are compared by `eval -i`, which goes on after one.
** The only care taken is that every identifier resolves: the labels of a struct are chosen before
** their values, so that references may point forward.
*/
#include <string.h>

#include "tests/fuzz/gen.h"

typedef enum { X_ANY, X_INT, X_STR, X_BOOL, X_STRUCT, X_LIST } Want;

enum { MAX_NAMES = 16, MAX_SCOPES = 24 };
typedef struct {
  const char *names[MAX_NAMES];
  int n;
} Scope;

typedef struct {
  CueBuf out;
  uint64_t rng;
  Scope scopes[MAX_SCOPES];
  int depth, indent, budget, aliases;
  bool strings, list, math, strukt, strconv;
} Wild;

static uint64_t rnd(Wild *g) { /* xorshift64* */
  g->rng ^= g->rng >> 12, g->rng ^= g->rng << 25, g->rng ^= g->rng >> 27;
  return g->rng * 0x2545f4914f6cdd1dULL;
}
static int below(Wild *g, int n) { return (int)((rnd(g) >> 33) % (uint64_t)n); }
static bool chance(Wild *g, int percent) { return below(g, 100) < percent; }
#define PICK(g, ...) \
  pick((g), (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))
static const char *pick(Wild *g, const char *const *from, size_t n) { return from[below(g, (int)n)]; }

static void put(Wild *g, const char *fmt, ...) CUE_PRINTF(2, 3);
static void put(Wild *g, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  CueStr s = cue_strvf(g->out.a, fmt, ap);
  va_end(ap);
  cue_buf_str(&g->out, s);
}
static void line(Wild *g) {
  put(g, "\n");
  for (int i = 0; i < g->indent; i++) put(g, "\t");
}

static void expr(Wild *g, Want w, int depth);
static void fields(Wild *g, int n, int depth);

/* ---- names -------------------------------------------------------------------------------------- */

static void add_name(Scope *s, const char *name) {
  for (int i = 0; i < s->n; i++)
    if (strcmp(s->names[i], name) == 0) return;
  if (s->n < MAX_NAMES) s->names[s->n++] = name;
}

static Scope *push(Wild *g) {
  if (g->depth >= MAX_SCOPES) return NULL;
  Scope *s = &g->scopes[g->depth++];
  s->n = 0;
  return s;
}

static const char *any_name(Wild *g) {
  /* Inner scopes are likelier. */
  for (int i = g->depth - 1; i >= 0; i--)
    if (g->scopes[i].n && (i == 0 || chance(g, 55))) return g->scopes[i].names[below(g, g->scopes[i].n)];
  return NULL;
}

static void reference(Wild *g) {
  const char *name = any_name(g);
  if (!name) {
    put(g, "%d", below(g, 4));
    return;
  }
  put(g, "%s", name);
  for (int k = 0; k < 3 && chance(g, 28); k++) {
    if (chance(g, 10))
      put(g, "[%s]", PICK(g, "0", "1", "\"a\"", "\"b\""));
    else
      put(g, ".%s", PICK(g, "a", "b", "c", "d", "a", "b", "#D", "#E"));
  }
}

static const char *fresh_alias(Wild *g) {
  char *s = cue_alloc(g->out.a, 8);
  CueStr t = cue_strf(g->out.a, "X%d", g->aliases++);
  memcpy(s, t.s, t.n + 1);
  return s;
}

/* ---- expressions -------------------------------------------------------------------------------- */

static void leaf(Wild *g, Want w) {
  switch (w) {
  case X_INT: put(g, "%d", below(g, 4)); break;
  case X_STR: put(g, "%s", PICK(g, "\"a\"", "\"b\"", "\"c\"", "\"xy\"")); break;
  case X_BOOL: put(g, "%s", PICK(g, "true", "false")); break;
  case X_STRUCT:
    put(g, "%s",
        PICK(g, "{}", "{a: 1}", "{b: 2}", "{a: 1, c: 3}", "{a: int}", "{...}", "{b?: int}", "{a!: int}",
             "{[string]: int}", "{#D: 1}"));
    break;
  case X_LIST:
    put(g, "%s", PICK(g, "[]", "[1]", "[1, 2]", "[...]", "[...int]", "[int, ...]", "[\"a\", \"b\"]", "[{a: 1}]"));
    break;
  default:
    put(g, "%s",
        PICK(g, "1", "2", "\"a\"", "int", "string", "_", ">1", "<3", "!=2", "null", "true", "1.5", ">=1 & <=3",
             "number", "=~\"^a\"", "bool", "{}", "[]", "*1 | int", "1 | 2", "_|_"));
  }
}

static void disjunction(Wild *g, Want w, int depth) {
  put(g, "(");
  for (int i = 0, n = 2 + below(g, 2), d = below(g, 4); i < n; i++) {
    if (i) put(g, " | ");
    if (i == d || (d == 3 && chance(g, 30))) put(g, "*");
    expr(g, w, depth - 1);
  }
  put(g, ")");
}

static void condition(Wild *g, int depth) {
  switch (below(g, 9)) {
  case 0: put(g, "true"); break;
  case 1:
  case 2: reference(g), put(g, " %s _|_", PICK(g, "!=", "==")); break;
  case 3:
  case 4: reference(g), put(g, " %s %d", PICK(g, "==", "!=", "<", ">="), below(g, 4)); break;
  case 5: reference(g), put(g, " == %s", PICK(g, "\"a\"", "\"b\"")); break;
  case 6: reference(g), put(g, " =~ \"^[ab]\""); break;
  default: expr(g, X_BOOL, depth - 1);
  }
}

static void braces(Wild *g, int depth) {
  Scope *s = push(g);
  if (!s) {
    leaf(g, X_STRUCT);
    return;
  }
  put(g, "{");
  g->indent++;
  fields(g, 1 + below(g, 3), depth);
  g->indent--;
  line(g);
  put(g, "}");
  g->depth--;
}

/* clauses, with the names they bind in scope; returns how many scopes were opened */
static int clauses(Wild *g, int depth) {
  int opened = 0;
  bool first = true;
  do {
    switch (first ? below(g, 2) : below(g, 3)) {
    case 0: put(g, "if "), condition(g, depth); break;
    case 1: {
      put(g, "for ");
      const char *k = chance(g, 60) ? "k" : NULL;
      if (k) put(g, "k, ");
      put(g, "v in ");
      if (chance(g, 50))
        reference(g);
      else
        expr(g, chance(g, 60) ? X_STRUCT : X_LIST, depth - 1);
      Scope *s = push(g);
      if (!s) break;
      opened++;
      if (k) add_name(s, "k");
      add_name(s, "v");
      break;
    }
    default: {
      put(g, "let w = "), expr(g, X_ANY, depth - 1);
      Scope *s = push(g);
      if (!s) break;
      opened++;
      add_name(s, "w");
    }
    }
    put(g, " ");
    first = false;
  } while (chance(g, 25));
  return opened;
}

static void call(Wild *g, Want w, int depth) {
  switch (w) {
  case X_INT:
    switch (below(g, 5)) {
    case 0: put(g, "len("), expr(g, PICK(g, "", "x")[0] ? X_LIST : X_STR, depth - 1), put(g, ")"); break;
    case 1:
      put(g, "%s(", PICK(g, "div", "mod", "quo", "rem")), expr(g, X_INT, depth - 1), put(g, ", "), expr(g, X_INT, 0),
          put(g, ")");
      break;
    case 2:
      g->list = true, put(g, "list.%s(", PICK(g, "Sum", "Max", "Min")), expr(g, X_LIST, depth - 1), put(g, ")");
      break;
    case 3: g->math = true, put(g, "math.%s(", PICK(g, "Abs", "Floor")), expr(g, X_INT, depth - 1), put(g, ")"); break;
    default: g->strconv = true, put(g, "strconv.Atoi("), expr(g, X_STR, depth - 1), put(g, ")");
    }
    break;
  case X_STR:
    switch (below(g, 3)) {
    case 0:
      g->strings = true, put(g, "strings.%s(", PICK(g, "ToUpper", "ToLower", "TrimSpace")), expr(g, X_STR, depth - 1),
      put(g, ")");
      break;
    case 1: g->strings = true, put(g, "strings.Join("), expr(g, X_LIST, depth - 1), put(g, ", \"-\")"); break;
    default: g->strconv = true, put(g, "strconv.FormatInt("), expr(g, X_INT, depth - 1), put(g, ", 10)");
    }
    break;
  case X_STRUCT:
    switch (below(g, 5)) {
    case 0:
    case 1: put(g, "close("), expr(g, X_STRUCT, depth - 1), put(g, ")"); break;
    case 2:
      put(g, "and(["), expr(g, X_STRUCT, depth - 1), put(g, ", "), expr(g, X_STRUCT, depth - 1), put(g, "])");
      break;
    case 3:
      put(g, "or(["), expr(g, X_STRUCT, depth - 1), put(g, ", "), expr(g, X_STRUCT, depth - 1), put(g, "])");
      break;
    default: g->strukt = true, put(g, "struct.%s", PICK(g, "MinFields(1)", "MaxFields(2)", "MinFields(2)"));
    }
    break;
  case X_LIST:
    g->list = true;
    switch (below(g, 4)) {
    case 0:
      put(g, "list.Concat(["), expr(g, X_LIST, depth - 1), put(g, ", "), expr(g, X_LIST, depth - 1), put(g, "])");
      break;
    case 1: put(g, "list.%s(", PICK(g, "MaxItems", "MinItems")), put(g, "%d)", below(g, 3)); break;
    case 2: put(g, "list.UniqueItems"); break;
    default: put(g, "list.Slice("), expr(g, X_LIST, depth - 1), put(g, ", 0, %d)", below(g, 3));
    }
    break;
  default:
    switch (below(g, 3)) {
    case 0:
      put(g, "matchN(%s, [", PICK(g, "1", "0", ">=1", "2")), expr(g, X_ANY, depth - 1), put(g, ", "),
          expr(g, X_ANY, depth - 1), put(g, "])");
      break;
    case 1:
      put(g, "matchIf("), expr(g, X_ANY, depth - 1), put(g, ", "), expr(g, X_ANY, depth - 1), put(g, ", "),
          expr(g, X_ANY, depth - 1), put(g, ")");
      break;
    default: put(g, "error(\"oops\")");
    }
  }
}

static void list_literal(Wild *g, Want element, int depth) {
  put(g, "[");
  int n = below(g, 4);
  for (int i = 0; i < n; i++) {
    if (i) put(g, ", ");
    if (chance(g, 25)) {
      int opened = clauses(g, depth - 1);
      put(g, "{"), expr(g, element, depth - 1), put(g, "}");
      g->depth -= opened;
    } else
      expr(g, element, depth - 1);
  }
  if (chance(g, 15)) put(g, n ? ", ..." : "..."), chance(g, 50) ? leaf(g, X_ANY) : (void)0;
  put(g, "]");
}

static void expr(Wild *g, Want w, int depth) {
  if (--g->budget < 0) depth = 0;
  if (w == X_ANY && chance(g, 70)) w = (Want)(1 + below(g, 5));
  if (chance(g, depth <= 0 ? 25 : 30)) {
    reference(g);
    return;
  }
  if (depth <= 0) {
    leaf(g, chance(g, 90) ? w : X_ANY);
    return;
  }
  if (chance(g, 12)) {
    disjunction(g, w, depth);
    return;
  }
  if (chance(g, 9)) {
    put(g, "("), expr(g, w, depth - 1), put(g, " & "), expr(g, chance(g, 80) ? w : X_ANY, depth - 1), put(g, ")");
    return;
  }
  if (chance(g, w == X_INT || w == X_STR || w == X_BOOL ? 35 : 15)) {
    leaf(g, chance(g, 85) ? w : X_ANY);
    return;
  }
  if (chance(g, 20)) {
    call(g, w, depth);
    return;
  }
  switch (w) {
  case X_INT:
    put(g, "("), expr(g, X_INT, depth - 1), put(g, " %s ", PICK(g, "+", "-", "*")), expr(g, X_INT, depth - 1),
        put(g, ")");
    break;
  case X_STR:
    if (chance(g, 50))
      put(g, "\"\\("), expr(g, chance(g, 50) ? X_INT : X_STR, depth - 1), put(g, ")%s\"", PICK(g, "", "a", "-"));
    else
      put(g, "("), expr(g, X_STR, depth - 1), put(g, " + "), expr(g, X_STR, depth - 1), put(g, ")");
    break;
  case X_BOOL:
    put(g, "("), expr(g, X_INT, depth - 1), put(g, " %s ", PICK(g, "==", "<", ">", "!=")), expr(g, X_INT, depth - 1),
        put(g, ")");
    break;
  case X_LIST: list_literal(g, chance(g, 50) ? X_INT : X_ANY, depth); break;
  case X_STRUCT: braces(g, depth); break;
  default: leaf(g, X_ANY);
  }
}

/* ---- declarations ------------------------------------------------------------------------------- */

typedef enum {
  D_FIELD,
  D_DEF,
  D_HIDDEN,
  D_LET,
  D_PATTERN,
  D_DYNAMIC,
  D_EMBED,
  D_COMPREHENSION,
  D_ELLIPSIS,
  D_KINDS
} Decl;

static Decl any_decl(Wild *g) {
  static const int weights[D_KINDS] = {50, 9, 4, 4, 6, 5, 10, 10, 2};
  int at = below(g, 100);
  for (int i = 0; i < D_KINDS; i++)
    if ((at -= weights[i]) < 0) return (Decl)i;
  return D_FIELD;
}

static void field_value(Wild *g, int depth) {
  if (chance(g, 6)) {
    const char *x = fresh_alias(g);
    Scope *s = push(g);
    if (s) {
      add_name(s, x);
      /* A value alias must be used: by the struct it names. */
      put(g, "%s={", x);
      g->indent++;
      line(g), put(g, "%s: %s%s", PICK(g, "a", "b", "c"), x, PICK(g, ".a", ".b", ".c"));
      fields(g, 1 + below(g, 2), depth - 1);
      g->indent--;
      line(g), put(g, "}");
      g->depth--;
      return;
    }
  }
  expr(g, chance(g, 35) ? X_STRUCT : X_ANY, depth);
}

/* Declarations of the struct whose scope is innermost. */
static void fields(Wild *g, int n, int depth) {
  Decl kinds[8];
  const char *labels[8];
  Scope *s = &g->scopes[g->depth - 1];
  int lets = 0;
  if (n > 8) n = 8;
  for (int i = 0; i < n; i++) {
    kinds[i] = any_decl(g);
    labels[i] = NULL;
    switch (kinds[i]) {
    case D_FIELD: add_name(s, labels[i] = PICK(g, "a", "b", "c", "d", "a", "b")); break;
    case D_DEF: add_name(s, labels[i] = PICK(g, "#D", "#E")); break;
    case D_HIDDEN: add_name(s, labels[i] = "_h"); break;
    case D_LET:
      /* One of a name per struct, and none that a field has. */
      if (lets++)
        kinds[i] = D_FIELD, add_name(s, labels[i] = "e");
      else
        add_name(s, labels[i] = fresh_alias(g));
      break;
    default: break;
    }
  }
  for (int i = 0; i < n; i++) {
    line(g);
    switch (kinds[i]) {
    case D_FIELD:
    case D_DEF:
    case D_HIDDEN:
      put(g, "%s%s: ", labels[i], chance(g, 12) ? PICK(g, "?", "?", "!") : "");
      field_value(g, depth - 1);
      break;
    case D_LET:
      put(g, "let %s = ", labels[i]), expr(g, X_ANY, depth - 1);
      line(g), put(g, "e: %s", labels[i]);
      break;
    case D_PATTERN:
      put(g, "[%s]: ", PICK(g, "string", "=~\"^[ab]\"", "\"a\" | \"c\"", "!=\"b\"", ">\"a\"", "\"a\"")),
          expr(g, X_ANY, depth - 1);
      break;
    case D_DYNAMIC:
      if (chance(g, 50))
        put(g, "("), expr(g, X_STR, 1), put(g, "): ");
      else
        put(g, "\"\\("), expr(g, X_STR, 1), put(g, ")\": ");
      expr(g, X_ANY, depth - 1);
      break;
    case D_EMBED:
      if (chance(g, 60))
        reference(g);
      else
        expr(g, X_STRUCT, depth - 1);
      break;
    case D_COMPREHENSION: {
      int opened = clauses(g, depth - 1);
      braces(g, depth - 1);
      g->depth -= opened;
      break;
    }
    default:
      put(g, "..."); /* must come last */
      return;
    }
  }
}

CueStr gen_wild(CueArena *a, uint64_t seed) {
  Wild g = {.out = cue_buf(a), .rng = (seed + 1) * 0x9e3779b97f4a7c15ULL};
  for (int i = 0; i < 4; i++) rnd(&g);
  g.budget = 20 + below(&g, 60);
  push(&g);
  fields(&g, 2 + below(&g, 6), 2 + below(&g, 3));
  put(&g, "\n");
  CueBuf head = cue_buf(a);
  struct {
    bool used;
    const char *path;
  } imports[] = {
      {g.strings, "strings"}, {g.list, "list"}, {g.math, "math"}, {g.strukt, "struct"}, {g.strconv, "strconv"}};
  for (size_t i = 0; i < sizeof imports / sizeof *imports; i++)
    if (imports[i].used) cue_buf_f(&head, "import \"%s\"\n", imports[i].path);
  cue_buf_str(&head, cue_buf_done(&g.out));
  return cue_buf_done(&head);
}
