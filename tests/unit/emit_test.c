/* emit_test.c - JSON and YAML out of values, as cue export writes them (its output was the model). */
#include <greatest.h>

#include "runtime/value.h"

SUITE(emit_suite);

static const char *json(CueArena *a, CueValue v, const char *indent, bool html) {
  CueBuf b = cue_buf(a);
  cue_emit_json(&b, v, (CueJsonStyle){.indent = indent, .escape_html = html});
  return cue_buf_done(&b).s;
}
static const char *yaml(CueArena *a, CueValue v) {
  CueBuf b = cue_buf(a);
  cue_emit_yaml(&b, v);
  return cue_buf_done(&b).s;
}
static CueValue read(CueArena *a, const char *text) {
  size_t offset;
  return cue_read_json(a, cue_str(text), &offset);
}

TEST json_is_indented_by_four(void) {
  CueArena *a = cue_arena_new();
  CueValue v = read(a, "{\"a\":[1,2.50,true,null],\"b\":{},\"c\":[],\"d\":1e3}");
  ASSERT_STR_EQ(
      "{\n    \"a\": [\n        1,\n        2.50,\n        true,\n        null\n    ],\n    \"b\": {},\n    \"c\": [],\n    \"d\": 1E+3\n}",
      json(a, v, "    ", false));
  ASSERT_STR_EQ("{\"a\":[1,2.50,true,null],\"b\":{},\"c\":[],\"d\":1E+3}", json(a, v, NULL, false));
  cue_arena_free(a);
  PASS();
}

TEST json_strings_are_escaped_as_go_does(void) {
  CueArena *a = cue_arena_new();
  CueValue v = cue_string(CUE_STR("\"\\/\b\f\n\r\t\x01\x7f<&>\xe2\x80\xa8\xe2\x80\xa9\xff\xc3\xa9"));
  ASSERT_STR_EQ("\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\x7f<&>\\u2028\\u2029\\ufffd\xc3\xa9\"", json(a, v, NULL, false));
  ASSERT_STR_EQ("\"\\u003c\\u0026\\u003e\"", json(a, cue_string(CUE_STR("<&>")), NULL, true));
  ASSERT_STR_EQ("\"AP8=\"", json(a, cue_bytes((CueStr){"\0\xff", 2}), NULL, false));
  cue_arena_free(a);
  PASS();
}

TEST yaml_nests_in_block_style(void) {
  CueArena *a = cue_arena_new();
  CueValue v = read(a, "{\"a\":[[1,2],{\"x\":1,\"y\":[3]}],\"b\":{},\"c\":[]}");
  ASSERT_STR_EQ("a:\n  - - 1\n    - 2\n  - x: 1\n    \"y\":\n      - 3\nb: {}\nc: []\n", yaml(a, v));
  ASSERT_STR_EQ("- 1\n", yaml(a, read(a, "[1]")));
  ASSERT_STR_EQ("{}\n", yaml(a, read(a, "{}")));
  cue_arena_free(a);
  PASS();
}

TEST yaml_chooses_the_style_of_strings(void) {
  static const char *rows[][2] = {
      {"x", "x\n"},
      {"", "\"\"\n"},
      {"a: b", "'a: b'\n"},
      {"true", "\"true\"\n"},
      {"yes", "\"yes\"\n"},
      {"1.5", "\"1.5\"\n"},
      {"2020-01-01", "\"2020-01-01\"\n"},
      {"12:30", "\"12:30\"\n"},
      {"- x", "'- x'\n"},
      {"-x", "-x\n"},
      {"it's", "it's\n"},
      {"'q'", "'''q'''\n"},
      {" x", "' x'\n"},
      {"a\tb", "\"a\\tb\"\n"},
      {"a\nb", "|-\n  a\n  b\n"},
      {"a\nb\n", "|\n  a\n  b\n"},
      {"a\n\n", "|+\n  a\n\n"},
      {"\n", "|2+\n\n"},
      {" a\nb", "|2-\n   a\n  b\n"},
      {"a \nb", "\"a \\nb\"\n"},
      {"0x1F", "\"0x1F\"\n"},
      {"1e999", "1e999\n"},
      {"0o17", "\"0o17\"\n"},
      {"<<", "<<\n"},
      {"~", "\"~\"\n"},
      {"\xf0\x9f\x98\x80", "\"\\U0001F600\"\n"},
      {"a #b", "'a #b'\n"},
      {"a#b", "a#b\n"},
      {"---", "\"---\"\n"},
      {"--- x", "'--- x'\n"},
  };
  CueArena *a = cue_arena_new();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    ASSERT_STR_EQ(rows[i][1], yaml(a, cue_string(cue_str(rows[i][0]))));
  cue_arena_free(a);
  PASS();
}

TEST yaml_keys_and_numbers(void) {
  CueArena *a = cue_arena_new();
  ASSERT_STR_EQ("? |-\n  a\n  b\n: 1\n\"1\": {}\n", yaml(a, read(a, "{\"a\\nb\":1,\"1\":{}}")));
  ASSERT_STR_EQ("? |-\n  a\n  b\n: - 1\n", yaml(a, read(a, "{\"a\\nb\":[1]}")));
  const CueNum *fifty;
  ASSERT_EQ(CUE_NUM_OK, cue_num_quo(a, cue_num_from_int(a, 100), cue_num_from_int(a, 2), &fifty));
  ASSERT_STR_EQ("50.\n", yaml(a, cue_float_num(fifty)));
  ASSERT_STR_EQ("0x10\n", yaml(a, cue_yaml_written(a, cue_int(16), CUE_STR("0x10"))));
  ASSERT_STR_EQ("1000\n", yaml(a, cue_yaml_written(a, cue_int(1000), CUE_STR("1K"))));
  ASSERT_STR_EQ("!!binary AA==\n", yaml(a, cue_bytes((CueStr){"\0", 1})));
  cue_arena_free(a);
  PASS();
}

/* A string alone is always written the careful way. */
TEST words_are_written_as_all_strings_are(void) {
  static const char letters[] = "aefgimnostuxyzNOTYF0123789:-+._/#~=<>&\\\"'@ {}[],|*!%`?\x7f\xc3\xa9";
  static const char *const known[] = {
      "y",    "n",    "yes",  "No",    "ON",  "off",        "true",        "FALSE", "null", "~",
      "0x1",  "0o7",  "1e3",  "12:30", "1Gi", "100m",       "1t",          "1z",    "0b1",  "1_0",
      "name", "type", "tier", "a:",    "a:b", "2024-01-01", "2024-01-01t", ".5",    "-",    "Nan"};
  enum { KNOWN = sizeof known / sizeof *known, RANDOM = 20000 };
  CueArena *a = cue_arena_new();
  CueMark mark = cue_arena_mark(a);
  uint32_t seed = 7;
  for (uint32_t i = 0; i < KNOWN + RANDOM; i++) {
    char text[40];
    CueStr s = i < KNOWN ? cue_str(known[i]) : (CueStr){text, 0};
    if (i >= KNOWN) {
      seed = seed * 1664525u + 1013904223u;
      s.n = 1 + (seed >> 8) % (i % 3 ? 6 : 38);
      for (size_t k = 0; k < s.n; k++) {
        seed = seed * 1664525u + 1013904223u;
        text[k] = letters[(seed >> 8) % (sizeof letters - 1)];
      }
    }
    CueStruct *st = cue_struct_new(a, 1);
    st->at[0] = (CueField){CUE_STR("k"), cue_string(s)};
    ASSERT_STR_EQ(cue_strf(a, "k: %s", yaml(a, cue_string(s))).s, yaml(a, cue_struct(st)));
    st->at[0] = (CueField){s, cue_int(1)};
    CueStr alone = cue_str(yaml(a, cue_string(s)));
    ASSERT_STR_EQ(cue_strf(a, "%.*s: 1\n", (int)alone.n - 1, alone.s).s, yaml(a, cue_struct(st)));
    size_t offset;
    if (cue_utf8_valid(s)) {
      CueStr text_json = cue_str(json(a, cue_struct(st), NULL, true));
      CueValue back = cue_read_json(a, text_json, &offset);
      ASSERT(back.kind == CUE_STRUCT && cue_str_eq(s, back.as.fields->at[0].key));
    }
    cue_arena_reset(a, mark);
  }
  cue_arena_free(a);
  PASS();
}

TEST fields_are_written_in_the_order_asked_for(void) {
  CueArena *a = cue_arena_new();
  CueStruct *many = cue_struct_new(a, 500);
  for (uint32_t i = 0; i < many->n; i++)
    many->at[i] = (CueField){cue_strf(a, "key-%03u", i * 7919 % 500), cue_int(i * 7919 % 500)};
  CueBuf b = cue_buf(a), want = cue_buf(a);
  cue_emit_yaml_ordered(&b, cue_struct(many), cue_str_cmp, NULL);
  for (uint32_t i = 0; i < many->n; i++) cue_buf_f(&want, "key-%03u: %u\n", i, i);
  ASSERT_STR_EQ(cue_buf_done(&want).s, cue_buf_done(&b).s);
  b = cue_buf(a);
  cue_emit_json(&b, read(a, "{\"b\":{\"z\":1,\"y\":2},\"a\":3,\"B\":4}"), (CueJsonStyle){.order = cue_str_cmp});
  ASSERT_STR_EQ("{\"B\":4,\"a\":3,\"b\":{\"y\":2,\"z\":1}}", cue_buf_done(&b).s);
  cue_arena_free(a);
  PASS();
}

/* The same struct at two depths and in two values, with text that ends its own line and text that does not. */
TEST what_was_written_is_written_again(void) {
  CueArena *a = cue_arena_new();
  CueValue shared = read(a, "{\"a\":\"1\",\"b\":{\"k\":[1,{\"z\":\"x\"}]},\"c\":true,\"d\":\"line\\nline\\n\"}");
  CueStruct *inner = cue_struct_new(a, 2), *outer = cue_struct_new(a, 4);
  inner->at[0] = (CueField){CUE_STR("labels"), shared};
  inner->at[1] = (CueField){CUE_STR("name"), cue_string(CUE_STR("x"))};
  CueList *l = cue_list_new(a, 2);
  l->at[0] = l->at[1] = shared;
  outer->at[0] = (CueField){CUE_STR("labels"), shared};
  outer->at[1] = (CueField){CUE_STR("inner"), cue_struct(inner)};
  outer->at[2] = (CueField){CUE_STR("list"), cue_list(l)};
  outer->at[3] = (CueField){CUE_STR("same"), shared};
  for (int form = 0; form < 3; form++) {
    CueSeen seen = {0};
    CueBuf x = cue_buf(a), y = cue_buf(a);
    for (int i = 0; i < 3; i++) {
      CueJsonStyle style = {.indent = form == 1 ? "  " : NULL, .order = cue_str_cmp};
      if (form < 2) cue_emit_json(&x, cue_struct(outer), style);
      style.seen = &seen;
      if (form < 2) cue_emit_json(&y, cue_struct(outer), style);
      if (form == 2) cue_emit_yaml_ordered(&x, cue_struct(outer), cue_str_cmp, NULL);
      if (form == 2) cue_emit_yaml_ordered(&y, cue_struct(outer), cue_str_cmp, &seen);
    }
    ASSERT_STR_EQ(cue_buf_done(&x).s, cue_buf_done(&y).s);
    ASSERT(seen.next > 0);
  }
  cue_arena_free(a);
  PASS();
}

SUITE(emit_suite) {
  RUN_TEST(json_is_indented_by_four);
  RUN_TEST(json_strings_are_escaped_as_go_does);
  RUN_TEST(yaml_nests_in_block_style);
  RUN_TEST(yaml_chooses_the_style_of_strings);
  RUN_TEST(yaml_keys_and_numbers);
  RUN_TEST(words_are_written_as_all_strings_are);
  RUN_TEST(fields_are_written_in_the_order_asked_for);
  RUN_TEST(what_was_written_is_written_again);
}
