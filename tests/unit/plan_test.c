/* plan_test.c - plans run on data: what they yield, and when they give up. */
#include <greatest.h>

#include "runtime/plan.h"

SUITE(plan_suite);

static CueArena *arena;
static CueRegexCache *regexes;

static CueValue json(const char *text) {
  size_t at = 0;
  return cue_read_json(arena, cue_str(text), &at);
}

static Plan konst(const char *text) { return (Plan){.kind = PLAN_CONST, .value = json(text)}; }
static Plan input(uint32_t slot) { return (Plan){.kind = PLAN_INPUT, .slot = slot}; }
static Plan get(const Plan *x, const char *key) { return (Plan){.kind = PLAN_GET, .x = x, .key = cue_str(key)}; }
static Plan op(PlanOp o, const Plan *x, const Plan *y) {
  return (Plan){.kind = PLAN_OP, .op = (uint8_t)o, .x = x, .y = y};
}

/* What a plan gives for one input, as JSON; "absent", or "gave up". */
static const char *ran(const Plan *p, const char *in) {
  CueValue inputs[1] = {json(in)}, vars[4] = {0}, out;
  PlanRun r = {.a = arena, .regexes = regexes, .inputs = inputs, .vars = vars};
  if (!plan_run(&r, p, &out)) return "gave up";
  if (plan_absent(out)) return "absent";
  CueBuf b = cue_buf(arena);
  cue_emit_json(&b, out, (CueJsonStyle){0});
  return cue_buf_done(&b).s;
}

TEST a_field_that_is_not_there_is_absent_and_no_error(void) {
  Plan in = input(0), a = get(&in, "a"), b = get(&a, "b"), there = {.kind = PLAN_PRESENT, .x = &b};
  ASSERT_STR_EQ("1", ran(&b, "{\"a\":{\"b\":1}}"));
  ASSERT_STR_EQ("absent", ran(&b, "{}"));
  ASSERT_STR_EQ("false", ran(&there, "{\"a\":{}}"));
  ASSERT_STR_EQ("gave up", ran(&b, "{\"a\":1}")); /* what has no fields is not asked for one */
  PASS();
}

TEST whatever_needs_a_value_gives_up_without_one(void) {
  Plan in = input(0), a = get(&in, "a"), one = konst("1"), sum = op(PLAN_ADD, &a, &one),
       n = {.kind = PLAN_LEN, .x = &a};
  ASSERT_STR_EQ("3", ran(&sum, "{\"a\":2}"));
  ASSERT_STR_EQ("gave up", ran(&sum, "{}"));
  ASSERT_STR_EQ("gave up", ran(&n, "{}"));
  PASS();
}

TEST what_must_be_there_and_what_takes_its_place(void) {
  Plan in = input(0), a = get(&in, "a"), one = konst("1");
  Plan must = {.kind = PLAN_MUST, .x = &a}, other = {.kind = PLAN_ELSE, .x = &a, .y = &one};
  ASSERT_STR_EQ("2", ran(&must, "{\"a\":2}"));
  ASSERT_STR_EQ("gave up", ran(&must, "{}"));
  ASSERT_STR_EQ("2", ran(&other, "{\"a\":2}"));
  ASSERT_STR_EQ("1", ran(&other, "{}"));
  PASS();
}

TEST unlike_kinds_are_not_compared(void) {
  Plan in = input(0), a = get(&in, "a"), s = konst("\"x\""), n = konst("null"), one = konst("1.0");
  Plan same = op(PLAN_EQ, &a, &s), null = op(PLAN_NE, &a, &n), number = op(PLAN_EQ, &a, &one);
  ASSERT_STR_EQ("true", ran(&same, "{\"a\":\"x\"}"));
  ASSERT_STR_EQ("gave up", ran(&same, "{\"a\":1}"));
  ASSERT_STR_EQ("true", ran(&null, "{\"a\":1}"));
  ASSERT_STR_EQ("true", ran(&number, "{\"a\":1}"));
  PASS();
}

TEST data_unifies_if_it_agrees(void) {
  Plan in = input(0), a = get(&in, "a"), b = get(&in, "b");
  const Plan *both[] = {&a, &b};
  Plan u = {.kind = PLAN_UNIFY, .at = both, .n = 2};
  ASSERT_STR_EQ("{\"x\":1,\"y\":2}", ran(&u, "{\"a\":{\"x\":1},\"b\":{\"x\":1,\"y\":2}}"));
  ASSERT_STR_EQ("gave up", ran(&u, "{\"a\":{\"x\":1},\"b\":{\"x\":2}}"));
  ASSERT_STR_EQ("gave up", ran(&u, "{\"a\":1,\"b\":1.0}"));
  ASSERT_STR_EQ("[1,{\"x\":1}]", ran(&u, "{\"a\":[1,{}],\"b\":[1,{\"x\":1}]}"));
  ASSERT_STR_EQ("gave up", ran(&u, "{\"a\":[1],\"b\":[1,2]}"));
  ASSERT_STR_EQ("5", ran(&u, "{\"b\":5}"));
  PASS();
}

TEST loops_go_over_fields_in_their_order(void) {
  Plan in = input(0), key = {.kind = PLAN_VAR, .slot = 0}, value = {.kind = PLAN_VAR, .slot = 1},
       on = get(&value, "on");
  PlanItem field[] = {{.kind = PLAN_DYNAMIC, .name = &key, .value = &value}};
  PlanItem when[] = {{.kind = PLAN_WHEN, .value = &on, .items = field, .n = 1}};
  PlanItem loop[] = {{.kind = PLAN_FOR, .value = &in, .key_slot = 0, .value_slot = 1, .items = when, .n = 1}};
  Plan p = {.kind = PLAN_STRUCT, .items = loop, .n = 1};
  ASSERT_STR_EQ("{\"z\":{\"on\":true},\"a\":{\"on\":true}}",
                ran(&p, "{\"z\":{\"on\":true},\"m\":{\"on\":false},\"a\":{\"on\":true}}"));
  ASSERT_STR_EQ("gave up", ran(&p, "{\"z\":{\"on\":1}}"));
  ASSERT_STR_EQ("gave up", ran(&p, "5"));
  PASS();
}

TEST the_second_condition_is_asked_only_if_the_first_holds(void) {
  Plan in = input(0), a = get(&in, "a"), there = {.kind = PLAN_PRESENT, .x = &a}, n = {.kind = PLAN_LEN, .x = &a};
  Plan zero = konst("0"), more = op(PLAN_GT, &n, &zero), both = {.kind = PLAN_BOTH, .x = &there, .y = &more};
  ASSERT_STR_EQ("false", ran(&both, "{}"));
  ASSERT_STR_EQ("true", ran(&both, "{\"a\":[1]}"));
  PASS();
}

TEST numbers_are_as_exact_as_cue(void) {
  Plan in = input(0), a = get(&in, "a"), k = konst("1000"), product = op(PLAN_MUL, &a, &k), mod = op(PLAN_IMOD, &a, &k);
  const Plan *parts[] = {&a};
  Plan text = {.kind = PLAN_TEXT, .at = parts, .n = 1};
  ASSERT_STR_EQ("100.0", ran(&product, "{\"a\":0.1}"));
  ASSERT_STR_EQ("9223372036854775807000", ran(&product, "{\"a\":9223372036854775807}"));
  ASSERT_STR_EQ("999", ran(&mod, "{\"a\":-1}"));
  ASSERT_STR_EQ("gave up", ran(&mod, "{\"a\":1.5}"));
  ASSERT_STR_EQ("\"1.50\"", ran(&text, "{\"a\":1.50}"));
  ASSERT_STR_EQ("gave up", ran(&text, "{\"a\":null}"));
  PASS();
}

/* ---- schemas ---- */

static const PlanSchema text_schema = {.kind = SCHEMA_SCALAR, .kinds = CUE_STRING};

static const char *checked(const PlanSchema *s, const char *in) {
  Plan x = input(0), p = {.kind = PLAN_CHECK, .x = &x, .schema = s};
  return ran(&p, in);
}

TEST structs_are_closed_and_get_their_defaults(void) {
  const CueValue preset = cue_int(1);
  const PlanSchema count = {.kind = SCHEMA_SCALAR, .kinds = CUE_INT, .has_default = true, .value = preset};
  const SchemaField fields[] = {{CUE_STR("count"), SCHEMA_REGULAR, 0, &count},
                                {CUE_STR("name"), SCHEMA_REQUIRED, 1, &text_schema},
                                {CUE_STR("note"), SCHEMA_OPTIONAL, 2, &text_schema}};
  PlanSchema s = {.kind = SCHEMA_STRUCT, .fields = fields, .n = 3};
  ASSERT_STR_EQ("{\"count\":1,\"name\":\"a\"}", checked(&s, "{\"name\":\"a\"}")); /* in the order of declaration */
  ASSERT_STR_EQ("{\"count\":2,\"name\":\"a\",\"note\":\"x\"}",
                checked(&s, "{\"note\":\"x\",\"name\":\"a\",\"count\":2}"));
  ASSERT_STR_EQ("gave up", checked(&s, "{\"count\":1}"));
  ASSERT_STR_EQ("gave up", checked(&s, "{\"name\":\"a\",\"nmae\":\"b\"}"));
  ASSERT_STR_EQ("gave up", checked(&s, "{\"name\":1}"));
  s.open = true;
  ASSERT_STR_EQ("{\"count\":1,\"name\":\"a\",\"more\":1}", checked(&s, "{\"name\":\"a\",\"more\":1}"));
  PASS();
}

TEST patterns_and_tests_hold(void) {
  const SchemaTest small[] = {{.op = PLAN_LE, .value = cue_int(9)}, {.op = PLAN_NE, .value = cue_int(5)}};
  const PlanSchema digit = {.kind = SCHEMA_SCALAR, .kinds = CUE_INT, .tests = small, .n = 2};
  const SchemaPattern patterns[] = {{.pattern = CUE_STR("^n"), .schema = &digit}};
  const PlanSchema s = {.kind = SCHEMA_STRUCT, .patterns = patterns, .npatterns = 1};
  ASSERT_STR_EQ("{\"n1\":3}", checked(&s, "{\"n1\":3}"));
  ASSERT_STR_EQ("gave up", checked(&s, "{\"n1\":10}"));
  ASSERT_STR_EQ("gave up", checked(&s, "{\"n1\":5}"));
  ASSERT_STR_EQ("gave up", checked(&s, "{\"m1\":3}"));
  PASS();
}

TEST lists_have_the_length_and_elements_they_must(void) {
  const PlanSchema *first[] = {&text_schema};
  PlanSchema s = {.kind = SCHEMA_LIST, .of = first, .n = 1};
  ASSERT_STR_EQ("[\"a\"]", checked(&s, "[\"a\"]"));
  ASSERT_STR_EQ("gave up", checked(&s, "[\"a\",\"b\"]"));
  ASSERT_STR_EQ("gave up", checked(&s, "[]"));
  s.open = true;
  s.rest = &text_schema;
  ASSERT_STR_EQ("[\"a\",\"b\"]", checked(&s, "[\"a\",\"b\"]"));
  ASSERT_STR_EQ("gave up", checked(&s, "[\"a\",1]"));
  PASS();
}

/* What is computed in a word is what is computed with as many digits as it takes. */
TEST words_and_long_numbers_agree(void) {
  static const int64_t some[] = {0,  1,    -1,    2,          -2,        3,         -3,           7,
                                 -7, 1000, -1000, 4294967296, INT64_MAX, INT64_MIN, INT64_MAX - 1};
  static const PlanOp ops[] = {PLAN_ADD, PLAN_SUB, PLAN_MUL, PLAN_IDIV, PLAN_IMOD, PLAN_IQUO, PLAN_IREM,
                               PLAN_EQ,  PLAN_NE,  PLAN_LT,  PLAN_LE,   PLAN_GT,   PLAN_GE};
  enum { SOME = sizeof some / sizeof *some };
  PlanRun r = {.a = arena, .regexes = regexes};
  for (size_t i = 0; i < SOME * SOME * sizeof ops / sizeof *ops; i++) {
    PlanOp o = ops[i / SOME / SOME];
    CueValue x = cue_int(some[i / SOME % SOME]), y = cue_int(some[i % SOME]), quick = {0}, slow = {0};
    CueValue big = x;
    big.as.num = cue_value_num(arena, x);
    big.form = CUE_BIG;
    bool ok = cue_runtime.op(&r, o, x, y, &quick);
    ASSERT_EQ(ok, cue_runtime.op(&r, o, big, y, &slow));
    if (!ok) continue;
    CueBuf p = cue_buf(arena), q = cue_buf(arena);
    cue_emit_json(&p, quick, (CueJsonStyle){0});
    cue_emit_json(&q, slow, (CueJsonStyle){0});
    ASSERT_STR_EQ(cue_buf_done(&q).s, cue_buf_done(&p).s);
    ASSERT_EQ(quick.kind, slow.kind);
  }
  PASS();
}

SUITE(plan_suite) {
  arena = cue_arena_new();
  regexes = cue_regex_cache_new();
  RUN_TEST(words_and_long_numbers_agree);
  RUN_TEST(a_field_that_is_not_there_is_absent_and_no_error);
  RUN_TEST(whatever_needs_a_value_gives_up_without_one);
  RUN_TEST(what_must_be_there_and_what_takes_its_place);
  RUN_TEST(unlike_kinds_are_not_compared);
  RUN_TEST(data_unifies_if_it_agrees);
  RUN_TEST(loops_go_over_fields_in_their_order);
  RUN_TEST(the_second_condition_is_asked_only_if_the_first_holds);
  RUN_TEST(numbers_are_as_exact_as_cue);
  RUN_TEST(structs_are_closed_and_get_their_defaults);
  RUN_TEST(patterns_and_tests_hold);
  RUN_TEST(lists_have_the_length_and_elements_they_must);
  cue_regex_cache_free(regexes);
  cue_arena_free(arena);
}
