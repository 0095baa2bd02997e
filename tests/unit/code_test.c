/* code_test.c - plans written as C, compiled and run: they do what plan_run does, and give up where it does.
**
** All plans of the suite become one file, which the compiler that built the tests compiles once. Besides one plan of
** each kind there are plans made at random, over data made at random: what matters is that nothing is done
** earlier or later than in plan_run, and such cases are found by trying.
*/
#include <greatest.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/emit/emit.h"
#include "stdlib/cue/stdlib.h"

SUITE(code_suite);

enum { RANDOM_PLANS = 150, RANDOM_INPUTS = 25, SLOTS = 64, DEEP = 4 };

static CueArena *arena;
static CueRegexCache *regexes;
static CUE_VEC(CompiledFunction) functions;
static Compiled linked;

/* ---- making plans ---- */

static CueValue json(const char *text) {
  size_t at = 0;
  return cue_read_json(arena, cue_str(text), &at);
}

static Plan *plan(PlanKind kind, const Plan *x, const Plan *y) {
  Plan *p = cue_new(arena, Plan);
  *p = (Plan){.kind = (uint8_t)kind, .x = x, .y = y};
  return p;
}
static const Plan *konst(CueValue v) {
  Plan *p = plan(PLAN_CONST, NULL, NULL);
  p->value = v;
  return p;
}
static const Plan *slot(PlanKind kind, uint32_t n) {
  Plan *p = plan(kind, NULL, NULL);
  p->slot = n;
  return p;
}
static const Plan *get(const Plan *x, const char *key) {
  Plan *p = plan(PLAN_GET, x, NULL);
  p->key = cue_str(key);
  return p;
}
static const Plan *op(PlanOp o, const Plan *x, const Plan *y) {
  Plan *p = plan(PLAN_OP, x, y);
  p->op = (uint8_t)o;
  return p;
}
static const Plan *of_schema(PlanKind kind, const Plan *x, const PlanSchema *s) {
  Plan *p = plan(kind, x, NULL);
  p->schema = s;
  return p;
}
static const PlanItem *items_copy(const PlanItem *items, uint32_t n) {
  PlanItem *own = cue_array(arena, PlanItem, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    own[i] = items[i];
    if (own[i].items) own[i].items = items_copy(own[i].items, own[i].n);
  }
  return own;
}
static const Plan *of_items(PlanKind kind, const PlanItem *items, uint32_t n) {
  Plan *p = plan(kind, NULL, NULL);
  p->items = items_copy(items, n);
  p->n = n;
  return p;
}
static const Plan *of_all(PlanKind kind, const Plan *const *at, uint32_t n) {
  Plan *p = plan(kind, NULL, NULL);
  const Plan **own = cue_array(arena, const Plan *, n + 1);
  for (uint32_t i = 0; i < n; i++) own[i] = at[i];
  p->at = own;
  p->n = n;
  return p;
}
static const Plan *call(const char *package, const char *name, const Plan *const *at, uint32_t n) {
  Plan *p = (Plan *)(uintptr_t)of_all(PLAN_CALL, at, n);
  const CueBuiltinPackage *found = cue_stdlib_find(cue_str(package));
  for (uint32_t i = 0; i < found->n; i++)
    if (!strcmp(found->functions[i].name, name)) p->builtin = &found->functions[i];
  p->package = package;
  return p;
}

static void add(const char *name, const Plan *p) {
  cue_push(arena, &functions, (CompiledFunction){.name = cue_str(name), .plan = p, .slots = SLOTS, .why = CUE_STR("")});
}

/* ---- one of each kind ---- */

static const PlanSchema any_text = {.kind = SCHEMA_SCALAR, .kinds = CUE_STRING};

static const PlanSchema *schema_of_all(void) {
  static const PlanSchema number = {.kind = SCHEMA_SCALAR, .kinds = CUE_NUMBER};
  CueValue *words = cue_array(arena, CueValue, 2);
  words[0] = cue_string(CUE_STR("x"));
  words[1] = cue_string(CUE_STR("y\"\\?\n"));
  PlanSchema *one_of = cue_new(arena, PlanSchema), *list = cue_new(arena, PlanSchema), *s = cue_new(arena, PlanSchema);
  *one_of = (PlanSchema){.kind = SCHEMA_ENUM, .n = 2, .values = words, .has_default = true, .value = words[0]};
  *list = (PlanSchema){.kind = SCHEMA_LIST, .open = true, .rest = one_of};
  SchemaField *fields = cue_array(arena, SchemaField, 3);
  fields[0] = (SchemaField){CUE_STR("a"), SCHEMA_OPTIONAL, 2, &number};
  fields[1] = (SchemaField){CUE_STR("b"), SCHEMA_REGULAR, 0, one_of};
  fields[2] = (SchemaField){CUE_STR("l"), SCHEMA_OPTIONAL, 1, list};
  SchemaPattern *patterns = cue_array(arena, SchemaPattern, 1);
  patterns[0] = (SchemaPattern){.pattern = CUE_STR("^n[0-9]$"), .schema = &any_text};
  *s = (PlanSchema){.kind = SCHEMA_STRUCT, .n = 3, .fields = fields, .npatterns = 1, .patterns = patterns};
  return s;
}

static const PlanSchema *bounded(void) {
  SchemaTest *tests = cue_array(arena, SchemaTest, 3);
  const CueBuiltinPackage *strings = cue_stdlib_find(CUE_STR("strings"));
  tests[0] = (SchemaTest){.op = PLAN_MATCH, .value = cue_string(CUE_STR("^[a-z]+$"))};
  tests[1] = (SchemaTest){.op = PLAN_NE, .value = cue_string(CUE_STR("no"))};
  tests[2] = (SchemaTest){.value = json("[3]"), .package = "strings"};
  for (uint32_t i = 0; i < strings->n; i++)
    if (!strcmp(strings->functions[i].name, "MaxRunes")) tests[2].builtin = &strings->functions[i];
  PlanSchema *s = cue_new(arena, PlanSchema);
  *s = (PlanSchema){.kind = SCHEMA_SCALAR, .kinds = CUE_STRING, .n = 3, .tests = tests};
  return s;
}

static void add_kinds(void) {
  const Plan *in = slot(PLAN_INPUT, 0), *a = get(in, "a"), *b = get(in, "b"), *c = get(in, "c");
  const Plan *has_a = plan(PLAN_PRESENT, a, NULL), *zero = konst(cue_int(0)), *x = konst(cue_string(CUE_STR("x")));
  add("constant", konst(json("{\"x\":[1,2.50,{}],\"big\":123456789012345678901234567890,\"n\":null,\"f\":-0.5e10}")));
  add("input", in);
  add("get", get(a, "b"));
  add("index", plan(PLAN_INDEX, a, b));
  add("present", has_a);
  add("if", plan(PLAN_IF, has_a, get(a, "b")));
  add("condition that is data", plan(PLAN_IF, a, b));
  add("both", plan(PLAN_BOTH, has_a, op(PLAN_GT, plan(PLAN_LEN, a, NULL), zero)));
  add("len", plan(PLAN_LEN, a, NULL));
  add("must", plan(PLAN_MUST, a, NULL));
  add("else", plan(PLAN_ELSE, a, b));
  add("test", of_schema(PLAN_TEST, a, schema_of_all()));
  add("check", of_schema(PLAN_CHECK, a, schema_of_all()));
  add("check of text", of_schema(PLAN_CHECK, a, &any_text));
  add("check with tests", of_schema(PLAN_CHECK, a, bounded()));
  add("test with tests", of_schema(PLAN_TEST, a, bounded()));
  add("unify", of_all(PLAN_UNIFY, (const Plan *[]){a, b, plan(PLAN_IF, has_a, c)}, 3));
  add("text", of_all(PLAN_TEXT, (const Plan *[]){konst(cue_string(CUE_STR("<"))), a, x, b}, 4));
  add("text of one", of_all(PLAN_TEXT, (const Plan *[]){konst(cue_string(CUE_STR(""))), a}, 2));
  add("call", call("strings", "ToUpper", (const Plan *[]){a}, 1));
  add("match", op(PLAN_MATCH, a, konst(cue_string(CUE_STR("^[a-z]*$")))));
  add("match of a pattern that is data", op(PLAN_NO_MATCH, a, b));
  add("equal to text", op(PLAN_EQ, a, x));
  add("not equal to text", op(PLAN_NE, a, x));
  for (PlanOp o = PLAN_EQ; o <= PLAN_NO_MATCH; o++)
    if (o != PLAN_NOT && o != PLAN_NEG) add("operator", op(o, a, b));
  add("not", op(PLAN_NOT, a, NULL));
  add("negative", op(PLAN_NEG, a, NULL));
  PlanItem fixed[] = {
      {.kind = PLAN_FIELD, .key = CUE_STR("x"), .value = a},
      {.kind = PLAN_FIELD, .key = CUE_STR("y"), .value = plan(PLAN_IF, has_a, x)},
      {.kind = PLAN_WHEN,
       .value = has_a,
       .n = 1,
       .items = &(PlanItem){.kind = PLAN_FIELD, .key = CUE_STR("z"), .value = b}},
  };
  add("struct", of_items(PLAN_STRUCT, fixed, 3));
  const Plan *key = slot(PLAN_VAR, 0), *value = slot(PLAN_VAR, 1);
  PlanItem dynamic[] = {{.kind = PLAN_DYNAMIC, .name = key, .value = value},
                        {.kind = PLAN_FIELD, .key = CUE_STR("k"), .value = x}};
  PlanItem loop[] = {
      {.kind = PLAN_FIELD, .key = CUE_STR("k"), .value = x},
      {.kind = PLAN_FOR, .value = a, .key_slot = 0, .value_slot = 1, .n = 2, .items = dynamic},
      {.kind = PLAN_SPREAD, .value = b},
  };
  add("struct of a loop", of_items(PLAN_STRUCT, loop, 3));
  PlanItem elements[] = {{.kind = PLAN_ELEMENT, .value = x}, {.kind = PLAN_ELEMENT, .value = a}};
  add("list", of_items(PLAN_LIST, elements, 2));
  PlanItem each[] = {{.kind = PLAN_ELEMENT, .value = value}};
  PlanItem more[] = {
      {.kind = PLAN_FOR, .value = a, .key_slot = PLAN_NO_SLOT, .value_slot = 1, .n = 1, .items = each},
      {.kind = PLAN_SPREAD, .value = b},
      {.kind = PLAN_SPREAD, .value = of_items(PLAN_LIST, elements, 2)},
  };
  add("list of a loop", of_items(PLAN_LIST, more, 3));
}

static const char *const inputs[] = {
    "{}",
    "null",
    "{\"a\":1,\"b\":2}",
    "{\"a\":\"x\",\"b\":\"x\"}",
    "{\"a\":\"no\",\"b\":\"^n\"}",
    "{\"a\":\"abcd\",\"b\":1.5}",
    "{\"a\":\"Ab\\u00e9\",\"b\":\"[\"}",
    "{\"a\":null,\"b\":null}",
    "{\"a\":true,\"b\":false}",
    "{\"a\":-7,\"b\":2.0,\"c\":1}",
    "{\"a\":9223372036854775807,\"b\":9223372036854775807}",
    "{\"a\":5,\"b\":0}",
    "{\"a\":[],\"b\":[\"x\"]}",
    "{\"a\":[\"x\",\"y\"],\"b\":1}",
    "{\"a\":[1,[2]],\"b\":[3]}",
    "{\"a\":{\"b\":\"x\"},\"b\":\"b\"}",
    "{\"a\":{\"b\":\"x\",\"a\":1.0,\"n1\":\"t\",\"l\":[\"x\"]},\"b\":{\"q\":1},\"c\":{\"b\":\"x\"}}",
    "{\"a\":{\"k\":\"x\",\"z\":2},\"b\":{\"k\":\"x\"},\"c\":{\"z\":3}}",
    "{\"a\":{\"n12\":1},\"b\":{\"k\":1}}",
    "{\"a\":{},\"b\":{}}",
};

/* ---- at random ---- */

static uint64_t state = 88172645463325252u;
static uint32_t below(uint32_t n) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)((state >> 16) % n);
}

static const char *const keys[] = {"a", "b", "c"};

static void random_data(CueBuf *out, unsigned depth) {
  static const char *const scalars[] = {"1", "0", "-2.5", "\"x\"", "\"\"", "\"a\"", "true", "false", "null"};
  uint32_t kind = depth ? below(4) : 3, n = below(3);
  if (kind == 3) {
    cue_buf_z(out, scalars[below(sizeof scalars / sizeof *scalars)]);
    return;
  }
  cue_buf_ch(out, kind == 2 ? '[' : '{');
  uint32_t from = below(3);
  for (uint32_t i = 0; i < n; i++) {
    if (i) cue_buf_ch(out, ',');
    if (kind != 2) cue_buf_f(out, "\"%s\":", keys[(from + i) % 3]);
    random_data(out, depth - 1);
  }
  cue_buf_ch(out, kind == 2 ? ']' : '}');
}

static const char *random_input(void) {
  CueBuf b = cue_buf(arena);
  random_data(&b, DEEP);
  return cue_buf_done(&b).s;
}

typedef struct {
  uint32_t slots;
  CUE_VEC(uint32_t) vars;     /* of the loops around */
  CUE_VEC(const Plan *) made; /* outside of loops, to be shared */
} Random;

static const Plan *random_plan(Random *r, unsigned depth);

static PlanItem random_item(Random *r, unsigned depth, bool list) {
  PlanItem it = {.value = NULL, .key_slot = PLAN_NO_SLOT, .value_slot = PLAN_NO_SLOT, .key = cue_str(keys[below(3)])};
  uint32_t kind = below(6);
  it.kind = (uint8_t)(kind == 0   ? PLAN_SPREAD
                      : kind == 1 ? PLAN_WHEN
                      : kind == 2 ? PLAN_FOR
                      : list      ? PLAN_ELEMENT
                      : kind == 3 ? PLAN_DYNAMIC
                                  : PLAN_FIELD);
  it.value = random_plan(r, depth);
  if (it.kind == PLAN_DYNAMIC) it.name = random_plan(r, 0);
  if (it.kind != PLAN_WHEN && it.kind != PLAN_FOR) return it;
  PlanItem *inner = cue_array(arena, PlanItem, 2);
  uint32_t before = r->vars.n;
  if (it.kind == PLAN_FOR && r->slots + 2 <= SLOTS) {
    it.key_slot = r->slots++;
    it.value_slot = r->slots++;
    cue_push(arena, &r->vars, it.key_slot);
    cue_push(arena, &r->vars, it.value_slot);
  }
  it.n = 1 + below(2);
  for (uint32_t i = 0; i < it.n; i++) inner[i] = random_item(r, depth ? depth - 1 : 0, list);
  r->vars.n = before;
  it.items = inner;
  return it;
}

static const Plan *random_new(Random *r, unsigned depth) {
  const Plan *x = random_plan(r, depth - 1), *y = NULL;
  switch (below(13)) {
  case 0: return plan(PLAN_PRESENT, x, NULL);
  case 1: return plan(PLAN_IF, random_plan(r, depth - 1), x);
  case 2: return plan(PLAN_BOTH, x, random_plan(r, depth - 1));
  case 3: return plan(PLAN_ELSE, x, random_plan(r, depth - 1));
  case 4: return plan(PLAN_MUST, x, NULL);
  case 5: return of_schema(PLAN_CHECK, x, below(2) ? &any_text : schema_of_all());
  case 6: return of_schema(PLAN_TEST, x, below(2) ? &any_text : schema_of_all());
  case 7: y = random_plan(r, depth - 1); return op((PlanOp)below(PLAN_NOT), x, y);
  case 8: return op(PLAN_NOT, x, NULL);
  case 9: return of_all(PLAN_UNIFY, (const Plan *[]){x, random_plan(r, depth - 1)}, 2);
  case 10: return of_all(PLAN_TEXT, (const Plan *[]){x, konst(cue_string(CUE_STR("-")))}, 2);
  default: {
    PlanItem items[3];
    bool list = below(3) == 0;
    uint32_t n = 1 + below(3);
    for (uint32_t i = 0; i < n; i++) items[i] = random_item(r, depth - 1, list);
    return of_items(list ? PLAN_LIST : PLAN_STRUCT, items, n);
  }
  }
}

static const Plan *random_plan(Random *r, unsigned depth) {
  if (r->made.n && below(4) == 0) return r->made.at[below(r->made.n)];
  if (depth && below(3)) {
    const Plan *p = random_new(r, depth);
    if (!r->vars.n) cue_push(arena, &r->made, p);
    return p;
  }
  const Plan *base = r->vars.n && below(2) ? slot(PLAN_VAR, r->vars.at[below(r->vars.n)]) : slot(PLAN_INPUT, 0);
  if (below(6) == 0) return konst(json(random_input()));
  for (uint32_t i = below(3); i; i--) base = get(base, keys[below(3)]);
  return base;
}

/* ---- compiling ---- */

static bool write_text(const char *path, CueStr text) {
  FILE *f = fopen(path, "wb");
  bool ok = f && fwrite(text.s, 1, text.n, f) == text.n;
  return f && !fclose(f) && ok;
}

static const char *compile(void) {
  char dir[] = "/tmp/opm-code-XXXXXX";
  const char *cc = getenv("OPM_TEST_CC");
  CueStr missing;
  if (!mkdtemp(dir)) return "no folder";
  Compiled c = {.kind = COMPILED_MODULE, .about = json("{\"name\":\"a */ b\"}"), .functions = functions.at};
  c.n = functions.n;
  CueStr text =
      emit_c(arena, &c, &(EmitOptions){.symbol = "test_compiled", .file = CUE_STR("code.c"), .root = CUE_STR("")});
  if (!cue_str_eq(text, emit_c(arena, &c, &(EmitOptions){.symbol = "test_compiled", .file = CUE_STR("code.c")})))
    return "emitted twice, the text differs";
  if (!write_text(cue_strf(arena, "%s/code.c", dir).s, text) ||
      !write_text(cue_strf(arena, "%s/abi.h", dir).s, cue_str(emit_header)))
    return "cannot write";
  CueStr command = cue_strf(
      arena, "%s -std=c11 -O1 -Wall -Wextra -Wshadow -Wconversion -Werror -fPIC -shared -o %s/code.so %s/code.c",
      cc ? cc : "cc", dir, dir);
  if (system(command.s)) return "does not compile";
  void *lib = dlopen(cue_strf(arena, "%s/code.so", dir).s, RTLD_NOW | RTLD_LOCAL);
  const Compiled *code = lib ? dlsym(lib, "test_compiled") : NULL;
  if (!code) return "does not load";
  if (!compiled_link(arena, code, cue_stdlib_find, &linked, &missing)) return "does not link";
  static const char *const files[] = {"code.c", "abi.h", "code.so"};
  for (size_t i = 0; i < 3; i++) unlink(cue_strf(arena, "%s/%s", dir, files[i]).s);
  rmdir(dir);
  return NULL;
}

/* ---- running ---- */

static CueStr said(bool ok, CueValue v) {
  if (!ok) return CUE_STR("gave up");
  if (plan_absent(v)) return CUE_STR("absent");
  CueBuf b = cue_buf(arena);
  cue_emit_json(&b, v, (CueJsonStyle){0});
  return cue_buf_done(&b);
}

static bool same(uint32_t i, const char *text, uint32_t *answers) {
  CueValue in = json(text), x, y;
  Compiled plans = {.functions = functions.at, .n = functions.n};
  CueStr want = said(compiled_run(&plans, i, arena, regexes, &in, &x), x);
  CueStr got = said(compiled_run(&linked, i, arena, regexes, &in, &y), y);
  *answers += !cue_str_is(want, "gave up");
  if (cue_str_eq(want, got)) return true;
  printf("%.*s on %s: plan %.*s, code %.*s\n", CUE_FMT(functions.at[i].name), text, CUE_FMT(want), CUE_FMT(got));
  return false;
}

TEST code_compiles_without_warnings(void) {
  const char *wrong = compile();
  ASSERT_STR_EQ("", wrong ? wrong : "");
  PASS();
}

TEST code_does_what_plans_do(void) {
  uint32_t answers = 0;
  ASSERT_EQ(functions.n, linked.n);
  for (uint32_t i = 0; i < functions.n - RANDOM_PLANS; i++)
    for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++) ASSERT(same(i, inputs[k], &answers));
  ASSERT(answers > 200); /* and not only because both gave up */
  PASS();
}

TEST code_of_random_plans_does_what_they_do(void) {
  uint32_t answers = 0;
  ASSERT_EQ(functions.n, linked.n);
  for (uint32_t i = functions.n - RANDOM_PLANS; i < functions.n; i++)
    for (int k = 0; k < RANDOM_INPUTS; k++) ASSERT(same(i, random_input(), &answers));
  ASSERT(answers > RANDOM_PLANS);
  PASS();
}

SUITE(code_suite) {
  arena = cue_arena_new();
  regexes = cue_regex_cache_new();
  memset(&functions, 0, sizeof functions);
  add_kinds();
  for (int i = 0; i < RANDOM_PLANS; i++) {
    Random r = {0};
    add(cue_strf(arena, "random %d", i).s, random_plan(&r, 5));
  }
  RUN_TEST(code_compiles_without_warnings);
  RUN_TEST(code_does_what_plans_do);
  RUN_TEST(code_of_random_plans_does_what_they_do);
  cue_regex_cache_free(regexes);
  cue_arena_free(arena);
}
