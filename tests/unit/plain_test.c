/* plain_test.c - data written as CUE: what is read off its syntax, and what is left to the evaluator. */
#include <greatest.h>

#include "compiler/parse.h"
#include "compiler/plain.h"

SUITE(plain_suite);

/* "refused", "none", or the values as JSON. */
static const char *values_of(CueArena *a, const char *text) {
  CueSources ss;
  CueDiags d = {.a = a};
  CueValue v;
  CueBuf b = cue_buf(a);
  cue_sources_init(&ss, a);
  AstFile *f = cue_parse_file(a, cue_source_add(&ss, CUE_STR("values.cue"), cue_str(text)), (ParseOptions){0}, &d);
  if (d.n || !plain_values(a, f, &v)) return "refused";
  if (v.kind == CUE_BOTTOM) return "none";
  cue_emit_json(&b, v, (CueJsonStyle){0});
  return cue_buf_done(&b).s;
}

TEST data_is_read(void) {
  CueArena *a = cue_arena_new();
  ASSERT_STR_EQ(
      "{\"a\":1,\"b\":[true,null,\"x\\ny\"],\"c d\":{\"e\":{}},\"for\":-3}",
      values_of(a, "package main\n// said\nvalues: {a: 1, b: [true, (null), \"x\\ny\"], \"c d\": e: {}, for: -3}\n"));
  ASSERT_STR_EQ("{\"n\":1000,\"h\":16,\"f\":1.50,\"m\":1536}",
                values_of(a, "values: {n: 1_000, h: 0x10, f: 1.50, m: 1.5Ki}"));
  ASSERT_STR_EQ("none", values_of(a, "package main\n"));
  cue_arena_free(a);
  PASS();
}

TEST fields_said_twice_are_one(void) {
  CueArena *a = cue_arena_new();
  ASSERT_STR_EQ("{\"a\":{\"x\":1,\"y\":2},\"b\":3}",
                values_of(a, "values: a: x: 1\nvalues: b: 3\nvalues: a: {x: 1, y: 2}"));
  ASSERT_STR_EQ("refused", values_of(a, "values: a: 1\nvalues: a: 2"));
  cue_arena_free(a);
  PASS();
}

TEST what_says_more_is_refused(void) {
  static const char *const more[] = {
      "values: a: int",
      "values: a: 1 | *2",
      "values: {a: 1, b: a}",
      "values: {a?: 1}",
      "values: {a!: 1}",
      "values: {_a: 1}",
      "values: {#a: 1}",
      "values: {[string]: 1}",
      "values: {...}",
      "values: [...]",
      "values: {if true {a: 1}}",
      "values: {let x = 1, a: 1}",
      "values: \"\\(1)\"",
      "values: {\"\\(1)\": 1}",
      "values: {(\"a\"): 1}",
      "values: {a: 1} @tag(x)",
      "values: X={a: 1}",
      "values: {a: 1}\nother: 2",
      "import \"strings\"\nvalues: a: 1",
      "values: a: 1 + 1",
      "values: a: -1.5",
      "values: {\"\xc3\xa9\": 1}",
      "#config: a: 1",
      "@if(prod)\npackage main\nvalues: a: 1",
      "values: a: close({})",
      "values: a: _|_",
      "values: {{a: 1}}",
      "values: a: \"\xff",
  };
  CueArena *a = cue_arena_new();
  for (size_t i = 0; i < sizeof more / sizeof *more; i++) ASSERT_STR_EQm(more[i], "refused", values_of(a, more[i]));
  cue_arena_free(a);
  PASS();
}

SUITE(plain_suite) {
  RUN_TEST(data_is_read);
  RUN_TEST(fields_said_twice_are_one);
  RUN_TEST(what_says_more_is_refused);
}
