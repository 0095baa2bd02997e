/* gen.c - random CUE programs.
**
** A program is a list of top-level declarations. The generator remembers the type of every name
** it has declared, so that references mostly fit where they are used; now and then it picks
** at random instead, which makes programs that are incomplete or contradictory. Every shape of the
** language that evaluation cares about has a function here: defaults, bounds, disjunctions,
** definitions and closedness, embedding, patterns, comprehensions, aliases, let, cycles.
*/
#include "tests/fuzz/gen.h"

#include <string.h>

typedef enum { T_INT, T_NUM, T_STR, T_BOOL, T_INTS, T_STRS, T_STRUCT, T_COUNT } Type;

typedef struct {
  char name[24];
  Type type;
} Name;

typedef struct {
  CueBuf out;
  uint64_t rng;
  int indent, next;
  Name names[200];
  int n;
  Name defs[40];
  int ndefs;
  bool uses_strings, uses_list, uses_math, uses_struct, uses_regexp, uses_strconv, uses_json;
} Gen;

static uint64_t rnd(Gen *g) { /* xorshift64* */
  g->rng ^= g->rng >> 12, g->rng ^= g->rng << 25, g->rng ^= g->rng >> 27;
  return g->rng * 0x2545f4914f6cdd1dULL;
}
static int below(Gen *g, int n) { return (int)((rnd(g) >> 33) % (uint64_t)n); }
static bool chance(Gen *g, int percent) { return below(g, 100) < percent; }
#define PICK(g, ...) \
  pick((g), (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))
static const char *pick(Gen *g, const char *const *from, size_t n) { return from[below(g, (int)n)]; }

static void put(Gen *g, const char *fmt, ...) CUE_PRINTF(2, 3);
static void put(Gen *g, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  CueStr s = cue_strvf(g->out.a, fmt, ap);
  va_end(ap);
  cue_buf_str(&g->out, s);
}
static void line(Gen *g) {
  put(g, "\n");
  for (int i = 0; i < g->indent; i++) put(g, "\t");
}

static Name *declare(Gen *g, const char *prefix, Type t) {
  Name *x = &g->names[g->n < 199 ? g->n++ : 199];
  CueStr s = cue_strf(g->out.a, "%s%d", prefix, g->next++);
  memcpy(x->name, s.s, s.n + 1);
  x->type = t;
  return x;
}

/* A declared name of the type, or NULL; now and then of another type. */
static Name *known(Gen *g, Type t) {
  int start = g->n ? below(g, g->n) : 0;
  bool any = chance(g, 2);
  for (int i = 0; i < g->n; i++) {
    Name *x = &g->names[(start + i) % g->n];
    if (x->type == t || any) return x;
  }
  return NULL;
}

static const char *const field_names[] = {"a", "b", "c", "d"};

/* ---- expressions ------------------------------------------------------------------------------ */

static void expr(Gen *g, Type t, int depth);

static void literal(Gen *g, Type t) {
  switch (t) {
  case T_INT: put(g, "%d", below(g, 12) - 2); break;
  case T_NUM: put(g, "%s", PICK(g, "1.5", "2.0", "0.25", "-3.75", "1e3", "100", "7", "0.1")); break;
  case T_STR: put(g, "%s", PICK(g, "\"x\"", "\"foo\"", "\"bar\"", "\"a-b\"", "\"\"", "\"Hello\"")); break;
  case T_BOOL: put(g, "%s", PICK(g, "true", "false")); break;
  case T_INTS: put(g, "%s", PICK(g, "[1, 2, 3]", "[]", "[5]", "[3, 1, 2, 3]")); break;
  case T_STRS: put(g, "%s", PICK(g, "[\"a\", \"b\"]", "[\"z\"]", "[\"q\", \"p\", \"q\"]")); break;
  default: put(g, "{a: %d, b: \"%s\"}", below(g, 9), PICK(g, "s", "t")); break;
  }
}

static void type_name(Gen *g, Type t) {
  static const char *const names[] = {"int", "number", "string", "bool", "[...int]", "[...string]", "{...}"};
  put(g, "%s", names[t]);
}

static void int_expr(Gen *g, int depth) {
  switch (below(g, 8)) {
  case 0: put(g, "len("), expr(g, chance(g, 50) ? T_STR : T_INTS, depth - 1), put(g, ")"); break;
  case 1:
    put(g, "%s(", PICK(g, "div", "mod", "quo", "rem")), expr(g, T_INT, depth - 1), put(g, ", %d)", 1 + below(g, 4));
    break;
  case 2:
    g->uses_list = true, put(g, "list.%s(list.Concat([[1], ", PICK(g, "Sum", "Max", "Min")), expr(g, T_INTS, 0),
    put(g, "]))");
    break;
  case 3: put(g, "("), expr(g, T_INT, depth - 1), put(g, ")"); break;
  case 4: put(g, "-"), literal(g, T_INT); break;
  default:
    put(g, "("), expr(g, T_INT, depth - 1), put(g, " %s ", PICK(g, "+", "-", "*")), expr(g, T_INT, depth - 1),
        put(g, ")");
  }
}

static void string_expr(Gen *g, int depth) {
  switch (below(g, 7)) {
  case 0: put(g, "\"<\\("), expr(g, chance(g, 50) ? T_INT : T_STR, 0), put(g, ")>\""); break;
  case 1:
    g->uses_strings = true, put(g, "strings.%s(", PICK(g, "ToUpper", "ToLower", "TrimSpace")),
    expr(g, T_STR, depth - 1), put(g, ")");
    break;
  case 2: g->uses_strings = true, put(g, "strings.Join("), expr(g, T_STRS, depth - 1), put(g, ", \"-\")"); break;
  case 3: put(g, "("), expr(g, T_STR, depth - 1), put(g, " * %d)", below(g, 3)); break;
  case 4: g->uses_strconv = true, put(g, "strconv.FormatInt("), expr(g, T_INT, 0), put(g, ", 10)"); break;
  default: put(g, "("), expr(g, T_STR, depth - 1), put(g, " + "), expr(g, T_STR, depth - 1), put(g, ")");
  }
}

static void bool_expr(Gen *g, int depth) {
  Type t = chance(g, 50) ? T_INT : T_STR;
  switch (below(g, 7)) {
  case 0: put(g, "!"), put(g, "("), expr(g, T_BOOL, depth - 1), put(g, ")"); break;
  case 1:
    put(g, "("), expr(g, T_BOOL, depth - 1), put(g, " %s ", PICK(g, "&&", "||")), expr(g, T_BOOL, depth - 1),
        put(g, ")");
    break;
  case 2: put(g, "("), expr(g, T_STR, 0), put(g, " %s \"^[a-f]\")", PICK(g, "=~", "!~")); break;
  case 3: {
    Name *x = known(g, (Type)below(g, T_COUNT));
    if (x)
      put(g, "(%s %s _|_)", x->name, PICK(g, "!=", "=="));
    else
      literal(g, T_BOOL);
    break;
  }
  case 4: put(g, "("), expr(g, T_INTS, 0), put(g, " %s ", PICK(g, "==", "!=")), expr(g, T_INTS, 0), put(g, ")"); break;
  default:
    put(g, "("), expr(g, t, depth - 1), put(g, " %s ", PICK(g, "<", "<=", ">", ">=", "==", "!=")),
        expr(g, t, depth - 1), put(g, ")");
  }
}

static void list_expr(Gen *g, Type t, int depth) {
  Type element = t == T_INTS ? T_INT : T_STR;
  switch (below(g, 6)) {
  case 0:
    put(g, "[for i, x in "), expr(g, t, 0), put(g, " if i %s %d {x}]", PICK(g, ">=", "<", "!="), below(g, 3));
    break;
  case 1: put(g, "[for x in "), expr(g, t, 0), put(g, " {x %s x}]", t == T_INTS ? PICK(g, "+", "*") : "+"); break;
  case 2:
    g->uses_list = true, put(g, "list.%s(", t == T_INTS ? "SortStable" : "SortStrings"), expr(g, t, 0),
    put(g, t == T_INTS ? ", list.Descending)" : ")");
    break;
  case 3: g->uses_list = true, put(g, "list.Concat(["), expr(g, t, 0), put(g, ", "), expr(g, t, 0), put(g, "])"); break;
  default:
    put(g, "[");
    for (int i = 0, n = below(g, 4); i < n; i++) {
      if (i) put(g, ", ");
      expr(g, element, depth - 1);
    }
    put(g, "]");
  }
}

static void struct_expr(Gen *g, int depth) {
  put(g, "{");
  for (int i = 0, n = 1 + below(g, 3); i < n; i++) {
    put(g, "%s%s: ", i ? ", " : "", field_names[i]);
    if (i && chance(g, 15))
      put(g, "%s", field_names[i - 1]);
    else
      expr(g, i == 1 ? T_STR : T_INT, depth - 1);
  }
  put(g, "}");
}

static void expr(Gen *g, Type t, int depth) {
  Name *x = chance(g, 45) ? known(g, t) : NULL;
  Name *s = !x && (t == T_INT || t == T_STR) && chance(g, 12) ? known(g, T_STRUCT) : NULL;
  if (chance(g, 1)) t = (Type)below(g, T_COUNT);
  if (x)
    put(g, "%s", x->name);
  else if (s)
    put(g, chance(g, 20) ? "%s[\"%s\"]" : "%s.%s", s->name, t == T_INT ? "a" : "b");
  else if (depth <= 0 || chance(g, 35))
    literal(g, t);
  else if (t == T_INT)
    int_expr(g, depth);
  else if (t == T_STR)
    string_expr(g, depth);
  else if (t == T_BOOL)
    bool_expr(g, depth);
  else if (t == T_INTS || t == T_STRS)
    list_expr(g, t, depth);
  else if (t == T_STRUCT)
    struct_expr(g, depth);
  else
    put(g, "("), expr(g, T_NUM, depth - 1), put(g, " %s ", PICK(g, "+", "-", "*", "/")), literal(g, T_NUM), put(g, ")");
}

static Type any_type(Gen *g) { return (Type)below(g, T_COUNT); }

/* A constraint that usually admits values of the type. */
static void constraint(Gen *g, Type t) {
  switch (t) {
  case T_INT:
    put(g, "%s",
        PICK(g, "int", "int", "int", ">=-50", ">=-9 & <1000", "int & !=70", "<500", "int16", "number", "int & >-10",
             "!=0"));
    break;
  case T_NUM: put(g, "%s", PICK(g, "number", "number", "float | int", ">-10000")); break;
  case T_STR:
    put(g, "%s", PICK(g, "string", "=~\"^[a-zA-Z<>0-9-]*$\"", "!=\"no\"", "string & !~\"zzz\"", "<\"zzzz\"", "string"));
    break;
  default: type_name(g, t);
  }
}

/* ---- declarations ------------------------------------------------------------------------------- */

static void d_plain(Gen *g) {
  Type t = any_type(g);
  Name *x = declare(g, chance(g, 10) ? "_h" : "v", t);
  g->n--; /* not in scope of its own value */
  put(g, "%s: ", x->name), expr(g, t, 3);
  g->n++;
}

static void d_two_conjuncts(Gen *g) {
  Type t = any_type(g);
  Name *x = declare(g, "v", t);
  bool value_first = chance(g, 50);
  for (int i = 0; i < 2; i++) {
    if (i) line(g);
    put(g, "%s: ", x->name);
    if (value_first == (i == 0)) {
      g->n--;
      expr(g, chance(g, 96) ? t : any_type(g), 2);
      g->n++;
    } else
      constraint(g, t);
  }
}

static void d_default(Gen *g) {
  Type t = chance(g, 50) ? T_INT : T_STR;
  Name *x = declare(g, "v", t);
  put(g, "%s: ", x->name);
  switch (below(g, 4)) {
  case 0: put(g, "*"), literal(g, t), put(g, " | "), type_name(g, t); break;
  case 1: type_name(g, t), put(g, " | *"), literal(g, t); break;
  case 2: literal(g, t), put(g, " | *"), literal(g, t), put(g, " | "), literal(g, t); break;
  default: put(g, "*"), literal(g, t), put(g, " | *"), literal(g, t), put(g, " | "), type_name(g, t);
  }
  if (chance(g, 30)) line(g), put(g, "%s: ", x->name), constraint(g, t);
  if (chance(g, 25)) line(g), put(g, "%s: *", x->name), literal(g, t), put(g, " | "), type_name(g, t);
  if (chance(g, 25)) line(g), put(g, "%s: ", x->name), literal(g, t);
}

static void d_definition(Gen *g) {
  Name *d = &g->defs[g->ndefs < 39 ? g->ndefs++ : 39];
  CueStr s = cue_strf(g->out.a, "#D%d", g->next++);
  memcpy(d->name, s.s, s.n + 1);
  put(g, "%s: {", d->name);
  g->indent++;
  line(g), put(g, "a%s: ", PICK(g, "", "", "?", "!")), chance(g, 30) ? put(g, "*3 | int") : constraint(g, T_INT);
  line(g), put(g, "b%s: ", PICK(g, "", "", "", "?", "!")),
      chance(g, 30) ? put(g, "string | *\"dflt\"") : constraint(g, T_STR);
  if (chance(g, 30)) line(g), put(g, "c: \"\\(b)!\"");
  if (chance(g, 25)) line(g), put(g, "d: {e: int | *1, f?: string}");
  if (chance(g, 20)) line(g), put(g, "[=~\"^x\"]: "), constraint(g, T_INT);
  if (chance(g, 15)) line(g), put(g, "...");
  if (chance(g, 15)) line(g), put(g, "if a > 2 {big: true}");
  if (chance(g, 15)) line(g), put(g, "let L = a"), line(g), put(g, "twice: L * 2");
  g->indent--;
  line(g), put(g, "}");
}

static void d_instance(Gen *g) {
  if (!g->ndefs) {
    d_definition(g);
    line(g);
  }
  Name *d = &g->defs[below(g, g->ndefs)], *x = declare(g, "s", T_STRUCT);
  g->n--;
  switch (below(g, 4)) {
  case 0: put(g, "%s: %s", x->name, d->name), line(g), put(g, "%s: {", x->name); break;
  case 1: put(g, "%s: {%s", x->name, d->name), line(g); break;
  case 2: put(g, "%s: close({...}) & %s & {", x->name, d->name); break;
  default: put(g, "%s: %s & {", x->name, d->name);
  }
  g->indent++;
  if (chance(g, 90)) line(g), put(g, "a: "), expr(g, T_INT, 1);
  if (chance(g, 90)) line(g), put(g, "b: "), expr(g, T_STR, 1);
  if (chance(g, 10)) line(g), put(g, "extra: 1");
  if (chance(g, 10)) line(g), put(g, "x1: 2");
  if (chance(g, 10)) line(g), put(g, "d: %s", PICK(g, "e: 5", "f: \"q\"", "g: 1", "{}"));
  g->indent--;
  line(g), put(g, "}");
  g->n++;
}

static void d_struct(Gen *g) {
  Name *x = declare(g, "s", T_STRUCT);
  int outer = g->n;
  const char *alias = chance(g, 20) ? "X=" : "";
  g->n--;
  put(g, "%s: %s{", x->name, alias);
  g->indent++;
  line(g), put(g, "a: "), expr(g, T_INT, 2);
  line(g), put(g, "b: "), expr(g, T_STR, 2);
  if (*alias) line(g), put(g, "c: X.a + 1");
  if (chance(g, 20)) line(g), put(g, "let Q = a"), line(g), put(g, "d: Q + Q");
  if (chance(g, 20)) line(g), put(g, "\"\\(b)-k\": a");
  if (chance(g, 20)) line(g), put(g, "(\"dyn\" + b): "), expr(g, T_INT, 1);
  if (chance(g, 20)) line(g), put(g, "if "), expr(g, T_BOOL, 2), put(g, " {when: "), expr(g, T_INT, 1), put(g, "}");
  if (chance(g, 15)) line(g), put(g, "opt?: int"), line(g), put(g, "if opt != _|_ {has: true}");
  if (chance(g, 15)) line(g), put(g, "_hid: a"), line(g), put(g, "vis: _hid + 1");
  if (chance(g, 15)) line(g), put(g, "n: {m: a, k: n.m, deep: {up: b}}");
  if (chance(g, 15)) line(g), put(g, "[string]: _");
  g->indent--;
  line(g), put(g, "}");
  g->n = outer;
}

static void d_union(Gen *g) {
  Name *x = declare(g, "u", T_COUNT);
  put(g, "#U%s: {k: \"one\", a: int} | {k: \"two\", b: string} | %s{k: \"three\"}", x->name, PICK(g, "", "*"));
  line(g);
  put(g, "%s: #U%s", x->name, x->name);
  switch (below(g, 5)) {
  case 0: line(g), put(g, "%s: {k: \"one\", a: %d}", x->name, below(g, 5)); break;
  case 1: line(g), put(g, "%s: b: \"z\"", x->name); break;
  case 2: line(g), put(g, "%s: {k: \"two\", b: ", x->name), expr(g, T_STR, 1), put(g, "}"); break;
  case 3: line(g), put(g, "%s: k: \"three\"", x->name); break;
  default: break;
  }
}

static void d_comprehension(Gen *g) {
  Name *x = declare(g, "m", T_COUNT);
  Name *s = known(g, T_STRUCT);
  g->n--;
  put(g, "%s: {for k, v in ", x->name);
  if (s && chance(g, 60))
    put(g, "%s", s->name);
  else
    put(g, "{p: 1, q: 2, r: 3}");
  if (chance(g, 40)) put(g, " if k %s \"%s\"", PICK(g, "!=", "<", ">="), PICK(g, "a", "b", "q"));
  if (chance(g, 30))
    put(g, " let w = \"\\(k)\"");
  else
    put(g, " let w = k");
  put(g, " {%s: ", PICK(g, "\"\\(k)_\"", "(w)", "\"x-\\(w)\""));
  put(g, "%s", PICK(g, "v", "{val: v, key: k}", "\"\\(k)\"", "len(k)", "[v, v]"));
  put(g, "}}");
  g->n++;
}

static void d_pattern(Gen *g) {
  Name *x = declare(g, "p", T_COUNT);
  put(g, "%s: %s: ", x->name, PICK(g, "[string]", "[=~\"^a\"]", "[N=string]", "[!=\"b\"]"));
  bool is_struct = chance(g, 50);
  if (is_struct)
    put(g, "{v: *%d | int, w?: string}", below(g, 9));
  else
    constraint(g, T_INT);
  if (chance(g, 3)) is_struct = !is_struct;
  line(g);
  put(g, "%s: {", x->name);
  for (int i = 0, n = 1 + below(g, 3); i < n; i++) {
    put(g, "%s%s: ", i ? ", " : "", PICK(g, "a", "ab", "b", "c1"));
    if (is_struct)
      put(g, "{%s}", PICK(g, "", "v: 4", "w: \"s\""));
    else
      expr(g, T_INT, 1);
  }
  put(g, "}");
}

static void d_cycle(Gen *g) {
  int i = g->next++;
  switch (below(g, 6)) {
  case 0: put(g, "y%d: z%d", i, i), line(g), put(g, "z%d: y%d", i, i); break;
  case 1: put(g, "y%d: z%d + 1", i, i), line(g), put(g, "z%d: y%d - 1", i, i); break;
  case 2: put(g, "y%d: z%d", i, i), line(g), put(g, "z%d: y%d & %d", i, i, below(g, 5)); break;
  case 3: put(g, "y%d: {a: z%d.a, b: 1}", i, i), line(g), put(g, "z%d: {a: 2, b: y%d.b}", i, i); break;
  case 4: put(g, "#L%d: {v: int, next?: #L%d}", i, i), line(g), put(g, "y%d: #L%d & {v: 1, next: v: 2}", i, i); break;
  default: put(g, "y%d: {n: %s}", i, PICK(g, "m + 1, m: 3", "m, m: n", "m - 1, m: n + 1, n: 4", "{o: y, y: 1}")); break;
  }
}

static void d_list(Gen *g) {
  Name *x = declare(g, "l", T_COUNT);
  switch (below(g, 6)) {
  case 0: put(g, "%s: [...int] & [%d, %d]", x->name, below(g, 9), below(g, 9)); break;
  case 1: put(g, "%s: [int, string, ...] & [1, \"a\", %s]", x->name, PICK(g, "true", "{}", "null")); break;
  case 2: put(g, "%s: [for n in [1, 2, 3] {{id: n, sq: n * n}}]", x->name); break;
  case 3:
    put(g, "%s: [...{n: int, s: *\"d\" | string}]", x->name), line(g),
        put(g, "%s: [{n: 1}, {n: 2, s: \"t\"}]", x->name);
    break;
  case 4:
    g->uses_list = true, put(g, "%s: list.%s & [%s]", x->name, PICK(g, "MaxItems(3)", "MinItems(1)", "UniqueItems()"),
                             PICK(g, "1, 2", "1, 1", ""));
    break;
  default: put(g, "%s: [1, 2, 3, 4][%d%s]", x->name, below(g, 4), PICK(g, "", ":", ":3")); break;
  }
}

static void d_builtin(Gen *g) {
  Name *x = declare(g, "f", T_COUNT);
  g->n--;
  put(g, "%s: ", x->name);
  switch (below(g, 9)) {
  case 0: put(g, "and([%s])", PICK(g, "int, >2, 5", "string, \"a\"", "1, 2", "{a: 1}, {b: 2}")); break;
  case 1: put(g, "or([%s])", PICK(g, "1, 1", "\"a\"", "1, 2")); break;
  case 2:
    g->uses_json = true, put(g, "json.Marshal("), expr(g, chance(g, 50) ? T_STRUCT : T_INTS, 1), put(g, ")");
    break;
  case 3:
    g->uses_strings = true, put(g, "strings.Split("), expr(g, T_STR, 1), put(g, ", \"%s\")", PICK(g, "", "-", "o"));
    break;
  case 4:
    g->uses_math = true, put(g, "math.%s(", PICK(g, "Floor", "Ceil", "Round", "Abs")), expr(g, T_NUM, 1), put(g, ")");
    break;
  case 5:
    g->uses_strings = true, put(g, "strings.%s & ", PICK(g, "MinRunes(1)", "MaxRunes(5)")), expr(g, T_STR, 1);
    break;
  case 6:
    g->uses_struct = true, put(g, "struct.%s & {a: 1, b: 2}", PICK(g, "MinFields(1)", "MaxFields(2)", "MaxFields(1)"));
    break;
  case 7:
    put(g, "matchN(%d, [%s]) & ", below(g, 3), PICK(g, "int, >3", "string, int", "number")), literal(g, T_INT);
    break;
  default:
    g->uses_regexp = true, put(g, "regexp.ReplaceAll(\"%s\", ", PICK(g, "o+", "[a-c]", "^")), expr(g, T_STR, 1),
    put(g, ", \"_\")");
    break;
  }
  g->n++;
}

/* Definitions that extend each other, in each of the ways there are, and an instance. */
static void d_chain(Gen *g) {
  int i = g->next++;
  put(g, "#A%d: {a: int, b?: string, n: {p: *1 | int, q?: int}%s}", i, PICK(g, "", "", ", ...", ", [=~\"^z\"]: int"));
  line(g);
  put(g, "#B%d: ", i);
  switch (below(g, 5)) {
  case 0: put(g, "#A%d & {c: *true | bool}", i); break;
  case 1: put(g, "{#A%d, c: *true | bool}", i); break;
  case 2: put(g, "{#A%d, n: r: 5}", i); break;
  case 3: put(g, "#A%d & {b: *\"x\" | \"y\"}", i); break;
  default: put(g, "{#A%d | {c: string}}", i);
  }
  line(g);
  put(g, "i%d: #B%d & {%s%s%s%s}", i, i, PICK(g, "a: 1", "a: 1", "a: 2, b: \"y\""),
      PICK(g, "", "", ", c: false", ", n: p: 3"), PICK(g, "", "", ", n: q: 1", ", z1: 4"),
      PICK(g, "", "", "", "", "", "", "", ", n: w: 1", ", other: 2"));
  if (chance(g, 30)) line(g), put(g, "j%d: i%d & {%s}", i, i, PICK(g, "a: 1", "n: q: 1", "y: 1", "b: string"));
  if (chance(g, 30)) line(g), put(g, "k%d: i%d.n.%s", i, i, PICK(g, "p", "q", "zz"));
}

/* Disjunctions of structs with defaults inside and outside, narrowed in several steps. */
static void d_choices(Gen *g) {
  int i = g->next++;
  static const char *const arms[] = {"{a: 1}",
                                     "{a: *1 | 2}",
                                     "{b: 1}",
                                     "{a: int, b: *3 | int}",
                                     "{a: >0, c?: int}",
                                     "{a: {x: 1} | {y: 2}}",
                                     "close({a: int})",
                                     "{a: 1, d: e: 2}",
                                     "int",
                                     "null",
                                     "[...int]"};
  put(g, "c%d: ", i);
  for (int k = 0, n = 2 + below(g, 3); k < n; k++)
    put(g, "%s%s%s", k ? " | " : "", chance(g, 30) ? "*" : "", arms[below(g, (int)(sizeof arms / sizeof *arms))]);
  for (int k = 0, n = below(g, 3); k < n; k++) {
    line(g);
    put(g, "c%d: %s", i,
        PICK(g, "{a: _}", "{a: 1}", "{b: _}", "{...}", "{a: <5}", "_", "{d: _}", "{a: 1} | {b: 1}",
             "*{a: 2} | {a: 1}"));
  }
  if (chance(g, 40)) line(g), put(g, "r%d: c%d.%s", i, i, PICK(g, "a", "b", "d.e"));
}

/* Fields added to structs from several places, by comprehensions and by name. */
static void d_merge(Gen *g) {
  int i = g->next++;
  put(g, "o%d: {x: 1, y: {z: 2}}", i);
  line(g);
  put(g, "o%d: %s", i,
      PICK(g, "y: w: x", "y: {z: int, v: z + 1}", "{if x == 1 {t: y.z}}", "{for k, v in y {\"\\(k)_\": v}}",
           "{let L = y, u: L.z}"));
  line(g);
  put(g, "o%d: {%s}", i,
      PICK(g, "[string]: _", "y: [string]: int", "s?: string", "\"\\(\"dyn\")\": x", "{e: 1}", "y: z: <5"));
  if (chance(g, 50)) line(g), put(g, "m%d: {for k, v in o%d if (v & int) != _|_ {(k): v * 2}}", i, i);
  if (chance(g, 30)) line(g), put(g, "n%d: [for k, v in o%d {k}]", i, i);
  if (chance(g, 20)) line(g), put(g, "q%d: len(o%d)", i, i);
}

static void d_incomplete(Gen *g) {
  Name *x = declare(g, "w", T_COUNT);
  put(g, "%s: %s", x->name,
      PICK(g, "int", "string | int", "{a: int, b: a + 1}", ">5", "1 | 2", "[...string]", "\"\\(w0)\"", "{r!: int}"));
}

CueStr gen_program(CueArena *a, uint64_t seed) {
  static void (*const forms[])(Gen *) = {
      d_plain,    d_plain,    d_plain,  d_two_conjuncts, d_two_conjuncts, d_default,       d_default, d_definition,
      d_instance, d_instance, d_struct, d_struct,        d_union,         d_comprehension, d_pattern, d_cycle,
      d_list,     d_builtin,  d_chain,  d_chain,         d_choices,       d_choices,       d_merge,   d_merge};
  Gen g = {.out = cue_buf(a), .rng = (seed + 1) * 0x9e3779b97f4a7c15ULL};
  for (int i = 0; i < 4; i++) rnd(&g);
  for (int i = 0, n = 1 + below(&g, 5); i < n; i++) {
    if (chance(&g, 3))
      d_incomplete(&g);
    else
      forms[below(&g, (int)(sizeof forms / sizeof *forms))](&g);
    put(&g, "\n");
  }
  CueBuf head = cue_buf(a);
  struct {
    bool used;
    const char *path;
  } imports[] = {{g.uses_strings, "strings"},   {g.uses_list, "list"},     {g.uses_math, "math"},
                 {g.uses_struct, "struct"},     {g.uses_regexp, "regexp"}, {g.uses_strconv, "strconv"},
                 {g.uses_json, "encoding/json"}};
  for (size_t i = 0; i < sizeof imports / sizeof *imports; i++)
    if (imports[i].used) cue_buf_f(&head, "import \"%s\"\n", imports[i].path);
  cue_buf_str(&head, cue_buf_done(&g.out));
  return cue_buf_done(&head);
}
