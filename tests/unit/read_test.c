/* read_test.c - JSON and YAML into values: what is accepted, how it is typed, what errors say. */
#include <greatest.h>
#include <string.h>

#include "runtime/read.h"

SUITE(read_suite);

static const char *show(CueArena *a, CueValue v) {
  if (v.kind == CUE_BOTTOM) return cue_str_copy(a, cue_value_str(v)).s;
  CueBuf b = cue_buf(a);
  cue_emit_json(&b, v, (CueJsonStyle){0});
  return cue_buf_done(&b).s;
}
static const char *json(CueArena *a, const char *text) {
  size_t offset;
  return show(a, cue_read_json(a, cue_str(text), &offset));
}
static const char *yaml(CueArena *a, const char *text) {
  size_t offset = 0;
  bool done;
  return show(a, cue_read_yaml(a, cue_str(text), &offset, &done));
}

TEST json_values(void) {
  static const char *rows[][2] = {
      {"{\"a\": [1, -2.50, 1e3, \"\\u00e9\\n\", null, true]}", "{\"a\":[1,-2.50,1E+3,\"\xc3\xa9\\n\",null,true]}"},
      {"123456789012345678901234567890", "123456789012345678901234567890"},
      {"-0.0", "0.0"},
      {"{\"a\":{\"b\":1},\"a\":{\"c\":2}}", "{\"a\":{\"b\":1,\"c\":2}}"},
      {"{\"a\":1,\"a\":2}", "conflicting values 2 and 1"},
      {"{\"a\":}", "invalid character '}' looking for beginning of value"},
      {"[1,", "unexpected end of JSON input"},
      {"tru", "invalid character ' ' in literal true (expecting 'e')"},
      {"{a:1}", "invalid character 'a' looking for beginning of object key string"},
      {"1 2", "invalid character '2' after top-level value"},
      {"\"\t\"", "invalid character '\\t' in string literal"},
  };
  CueArena *a = cue_arena_new();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) ASSERT_STR_EQ(rows[i][1], json(a, rows[i][0]));
  cue_arena_free(a);
  PASS();
}

/* What it reads is the same; what it does not is for the other reader. */
TEST quick_json(void) {
  static const char *rows[][2] = {
      {"{\"a\": [1, -2.50, 1e3, \"\\u00e9\\n\", null, true]}", "{\"a\":[1,-2.50,1E+3,\"\xc3\xa9\\n\",null,true]}"},
      {"123456789012345678901234567890", "123456789012345678901234567890"},
      {" {\"b\":{},\"a\":[[]]} ", "{\"b\":{},\"a\":[[]]}"},
      {"{\"a\":{\"b\":1},\"a\":{\"c\":2}}", NULL},
      {"{\"a\":}", NULL},
      {"{} {}", NULL},
      {"\"\\ud800\"", NULL},
      {"", NULL},
  };
  CueArena *a = cue_arena_new();
  CueValue v;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    ASSERT_EQ(rows[i][1] != NULL, cue_read_json_quick(a, cue_str(rows[i][0]), &v));
    if (rows[i][1]) ASSERT_STR_EQ(rows[i][1], show(a, v));
  }
  CueBuf deep = cue_buf(a);
  cue_buf_repeat(&deep, '[', 100);
  cue_buf_repeat(&deep, ']', 100);
  ASSERT_FALSE(cue_read_json_quick(a, cue_buf_done(&deep), &v));
  cue_arena_free(a);
  PASS();
}

TEST deep_json_is_refused(void) {
  CueArena *a = cue_arena_new();
  CueBuf b = cue_buf(a);
  cue_buf_repeat(&b, '[', 100000);
  cue_buf_repeat(&b, ']', 100000);
  ASSERT_STR_EQ("exceeded max depth", json(a, cue_buf_done(&b).s));
  cue_arena_free(a);
  PASS();
}

TEST yaml_values(void) {
  static const char *rows[][2] = {
      {"a: 1\nb: [x, 'y', \"z\\n\"]\n", "{\"a\":1,\"b\":[\"x\",\"y\",\"z\\n\"]}"},
      {"[017, 0o17, 0x1F, 0b11, 1_000, +5, -017]", "[15,15,31,3,1000,5,-15]"},
      {"[089, on, yes, y, True, ~, Null, 2020-01-01]", "[\"089\",\"on\",\"yes\",\"y\",true,null,null,\"2020-01-01\"]"},
      {"[1.5, .5, 1e3, -.5]", "[1.5,0.5,1E+3,-0.5]"},
      {"a: !!binary aGk=", "{\"a\":\"aGk=\"}"},
      {"a: !!str 1", "{\"a\":\"1\"}"},
      {"a: &x {b: 1}\nc: *x", "{\"a\":{\"b\":1},\"c\":{\"b\":1}}"},
      {"x: &x {b: 1, c: 2}\ny: {<<: *x, b: 3}", "{\"x\":{\"b\":1,\"c\":2},\"y\":{\"b\":3,\"c\":2}}"},
      {"<<: [{a: 1}, {a: 2, b: 3}]", "{\"a\":1,\"b\":3}"},
      {"a: |\n  x\n  y\nb: >\n  x\n  y\n", "{\"a\":\"x\\ny\\n\",\"b\":\"x y\\n\"}"},
      {"1: a\ntrue: b\n~: c\n017: d", "{\"1\":\"a\",\"true\":\"b\",\"null\":\"c\",\"0o17\":\"d\"}"},
      {"", "null"},
      {"x: 1\na: b: c", ":2: mapping values are not allowed in this context"},
      {"a: *x", ": unknown anchor 'x' referenced"},
      {"a: &b [*b]", ":1: anchor \"b\" value contains itself"},
      {"? [a]\n: 1", ":1: invalid map key: !!seq"},
      {"a: !foo bar", ":1: cannot unmarshal tag \"!foo\""},
      {"a: [1, 2", ":1: did not find expected ',' or ']'"},
      {"a: 1_", ":1: cannot decode \"1_\" as !!int: illegal '_' in number"},
      {"<<: 1", ":1: map merge requires map or sequence of maps as the value"},
      {"a: !!binary a", ":1: !!binary value contains invalid base64 data"},
  };
  CueArena *a = cue_arena_new();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) ASSERT_STR_EQ(rows[i][1], yaml(a, rows[i][0]));
  cue_arena_free(a);
  PASS();
}

TEST yaml_documents_follow_each_other(void) {
  CueArena *a = cue_arena_new();
  CueStr text = CUE_STR("a: 1\n---\n# c\nb: 2\n...\n--- 3\n");
  static const char *want[] = {"{\"a\":1}", "{\"b\":2}", "3"};
  size_t offset = 0;
  bool done = false;
  for (int i = 0; i < 3; i++) {
    CueValue v = cue_read_yaml(a, text, &offset, &done);
    ASSERT_FALSE(done);
    ASSERT_STR_EQ(want[i], show(a, v));
  }
  cue_read_yaml(a, text, &offset, &done);
  ASSERT(done);
  offset = 0;
  cue_read_yaml(a, CUE_STR(""), &offset, &done);
  ASSERT_FALSE(done);
  cue_read_yaml(a, CUE_STR(""), &offset, &done);
  ASSERT(done);
  cue_arena_free(a);
  PASS();
}

TEST alias_bombs_end(void) {
  CueArena *a = cue_arena_new();
  CueBuf b = cue_buf(a);
  cue_buf_z(&b, "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
  for (int i = 1; i < 12; i++) {
    cue_buf_f(&b, "a%d: &a%d [", i, i);
    for (int k = 0; k < 10; k++) cue_buf_f(&b, "%s*a%d", k ? ", " : "", i - 1);
    cue_buf_z(&b, "]\n");
  }
  CueStr text = cue_buf_done(&b);
  static const char want[] = "document contains excessive aliasing";
  const char *got = yaml(a, text.s);
  ASSERT(strstr(got, want));
  cue_arena_free(a);
  PASS();
}

/* Positions: every event is written down with its offsets. */
static bool saw_begin(void *b, CueKind kind, size_t at) {
  cue_buf_f(b, "%c%zu ", kind == CUE_LIST ? '[' : '{', at);
  return true;
}
static bool saw_key(void *b, CueStr key, size_t from, size_t to) {
  cue_buf_f(b, "%.*s:%zu-%zu ", CUE_FMT(key), from, to);
  return true;
}
static bool saw_scalar(void *b, const CueScalar *s) {
  cue_buf_f(b, "%zu-%zu ", s->from, s->to);
  return true;
}
static bool saw_end(void *b, CueKind kind, size_t at) {
  cue_buf_f(b, "%c%zu ", kind == CUE_LIST ? ']' : '}', at);
  return true;
}

TEST events_carry_byte_offsets(void) {
  CueArena *a = cue_arena_new();
  CueBuf b = cue_buf(a);
  CueVisitor v = {&b, saw_begin, saw_key, saw_scalar, saw_end};
  CueReadError err;
  ASSERT(cue_visit_json(a, CUE_STR(" {\"a\" : [1, \"\\\"x\"], \"b\":{ } }"), &v, &err));
  ASSERT_STR_EQ("{1 a:2-5 [8 9-10 12-17 ]18 b:20-23 {24 }27 }29 ", cue_buf_done(&b).s);
  b.n = 0;
  size_t offset = 0;
  bool done;
  ASSERT(cue_visit_yaml(a, CUE_STR("\xc3\xa9: \xc3\xa9\nb: [1]\n"), &offset, &done, &v, &err));
  ASSERT_STR_EQ("{0 \xc3\xa9:0-2 4-6 b:7-8 [10 11-12 ]13 }14 ", cue_buf_done(&b).s);
  cue_arena_free(a);
  PASS();
}

SUITE(read_suite) {
  RUN_TEST(json_values);
  RUN_TEST(quick_json);
  RUN_TEST(deep_json_is_refused);
  RUN_TEST(yaml_values);
  RUN_TEST(yaml_documents_follow_each_other);
  RUN_TEST(alias_bombs_end);
  RUN_TEST(events_carry_byte_offsets);
}
