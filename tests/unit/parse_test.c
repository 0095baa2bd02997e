/* parse_test.c - trees, comments, errors and recovery of the parser. */
#include <greatest.h>
#include <string.h>

#include "compiler/parse.h"

SUITE(parse_suite);

/* The tree of a text, or its errors as "line:col: message" lines. */
static const char *parse(CueArena *a, CueStr text, ParseOptions opt) {
  CueSources ss;
  cue_sources_init(&ss, a);
  CueDiags d = {.a = a};
  AstFile *f = cue_parse_file(a, cue_source_add(&ss, CUE_STR("x.cue"), text), opt, &d);
  CueBuf b = cue_buf(a);
  for (const CueDiag *g = d.first; g; g = g->next) {
    CueLineCol at = cue_source_line(&ss, g->at.at[0]);
    cue_buf_f(&b, "%u:%u: %.*s\n", at.line, at.col, CUE_FMT(g->message));
  }
  for (uint32_t i = 0; d.n == 0 && i < f->root->u.list.n; i++) {
    if (i) cue_buf_ch(&b, ' ');
    ast_dump(&b, f->root->u.list.at[i]);
  }
  return cue_buf_done(&b).s;
}

#define PARSES_WITH(text, want, ...)                                           \
  do {                                                                         \
    CueArena *a = cue_arena_new();                                             \
    ASSERT_STR_EQ(want, parse(a, CUE_STR(text), (ParseOptions){__VA_ARGS__})); \
    cue_arena_free(a);                                                         \
  } while (0)
#define PARSES(text, want) PARSES_WITH(text, want, .language = 16)
#define FAILS(text, want) PARSES_WITH(text, want, .language = 16)

TEST operators_bind_by_precedence_and_to_the_left(void) {
  PARSES("1 + 2 * 3 - 4", "(embed (- (+ 1 (* 2 3)) 4))");
  PARSES("a & b | c && d || e", "(embed (| (& a b) (|| (&& c d) e)))");
  PARSES("!a == -b", "(embed (== (! a) (- b)))");
  PARSES(">=1 & <5 & !~\"x\"", "(embed (& (& (>= 1) (< 5)) (!~ \"x\")))");
  PARSES("a.b[c](d, e)[1:2].\"f\"", "(embed (. (slice (call (index (. a b) c) d e) 1 2) \"f\"))");
  PASS();
}

TEST a_label_is_told_from_an_expression_by_what_follows(void) {
  PARSES("a: b: c", "(field a {: (field b c) })");
  PARSES("a\nb", "(embed a) (embed b)");
  PARSES("a?: 1, \"b\"!: 2", "(field? a 1) (field! \"b\" 2)");
  PARSES("[string]: 1, (x): 2, \"\\(y)\": 3",
         "(field [ string ] 1) (field (paren x) 2) (field (interpolation \"\\( y )\") 3)");
  PARSES("X=a: Y={b}", "(field (alias X a) (alias Y { (embed b) }))");
  PARSES("a: b? : c", "(field a {: (field? b c) })");
  PARSES("a: 1 @x(y) @z()", "(field a 1 @x(y) @z())");
  PASS();
}

TEST keywords_are_names_where_no_keyword_can_be(void) {
  PARSES("if: 1, for?: 2, let: 3, in: 4, null: 5",
         "(field if 1) (field? for 2) (field let 3) (field in 4) (field null 5)");
  PARSES("a: b.if.true", "(field a (. (. b if) true))");
  PARSES("if!: 1", "(field! if 1)");
  PARSES("if !x {a}", "(comp (if (! x)) { (embed a) })");
  PARSES("x: for", "(field x for)");
  PARSES("a: div, b: 7 div 2", "(field a div) (field b (div 7 2))");
  PASS();
}

TEST clauses_may_follow_each_other_with_or_without_commas(void) {
  PARSES("for k, v in x if v > 1 {a}", "(comp (for v x k) (if (> v 1)) { (embed a) })");
  PARSES("for v in x, let y = v {y}", "(comp (for v x) (let y v) { (embed y) })");
  PARSES("[for v in x {v}\nif y {z}, 1]", "(embed [ (comp (for v x) { (embed v) }) (comp (if y) { (embed z) }) 1 ])");
  PARSES("@experiment(try)\nif x {a} else {b}", "@experiment(try) (comp (if x) { (embed a) } (else { (embed b) }))");
  PARSES("@experiment(try)\ntry x = y? {x}", "@experiment(try) (comp (try x (postfix? y)) { (embed x) })");
  PASS();
}

TEST the_preamble_comes_first_and_its_words_are_free_after_it(void) {
  PARSES("package p\nimport \"a\"\nimport (b \"c\"\n\"d:e\")\nx: import",
         "(package p) (import (spec \"a\")) (import (spec \"c\" b) (spec \"d:e\")) (field x import)");
  PARSES("a: 1, package: 2", "(field a 1) (field package 2)");
  PARSES_WITH("package p\nimport \"a\"\nx: }", "(package p) (import (spec \"a\"))", .imports_only = true);
  FAILS("import \"a b\"", "1:8: invalid import path: \"a b\"\n");
  PASS();
}

TEST lists_want_written_commas_until_v0_17(void) {
  PARSES("[1, 2\n]", "(embed [ 1 2 ])");
  PARSES("[1, ...int,\n]", "(embed [ 1 (... int) ])");
  FAILS("[1\n2]", "2:1: missing ',' before newline in list literal\n");
  PARSES_WITH("[1\n2\n]", "(embed [ 1 2 ])", .language = 17);
  PARSES_WITH("a: 1\nb: a[0\n]", "(field a 1) (field b (index a 0))", .language = 17);
  PARSES_WITH("0M", "(embed 0M)", .language = 17);
  PASS();
}

TEST experiments_switch_syntax_on(void) {
  FAILS("a: #b...", "1:6: postfix ... operator requires @experiment(explicitopen)\n");
  PARSES("@experiment(explicitopen)\na: #b...", "@experiment(explicitopen) (field a (postfix... #b))");
  FAILS("a~X: 1", "1:2: postfix alias syntax requires @experiment(aliasv2)\n");
  PARSES("@experiment(aliasv2)\na~(K,V): 1", "@experiment(aliasv2) (field a ~(K V) 1)");
  FAILS("@experiment(nope)\na: 1", "2:1: parsing experiments for version \"v0.16.0\": unknown experiment \"nope\"\n");
  FAILS("if x {} else {}", "1:9: else requires @experiment(try)\n");
  PASS();
}

TEST errors_say_what_was_expected(void) {
  FAILS("a: }", "1:4: expected operand, found '}'\n");
  FAILS("a: {b: 1 c: 2}", "1:10: missing ',' in struct literal\n");
  FAILS("a b", "1:3: expected label or ':', found 'IDENT' b\n");
  FAILS("a: f(1 2)", "1:8: missing ',' in argument list\n");
  FAILS("a: (1\n)", "1:6: expected ')', found newline\n2:1: missing ',' in struct literal\n");
  FAILS("a: b.+", "1:6: expected selector, found '+'\n");
  FAILS("for x on y {}", "1:7: expected 'in', found 'IDENT' on\n");
  FAILS("let x 1", "1:7: expected '=', found 'INT' 1\n");
  FAILS("a: \"\\(x y)\"", "1:9: expected ')' for string interpolation, found 'IDENT' y\n");
  FAILS("X={}", "1:1: pre-v0.2 alias; use \"let X = expr\" instead\n");
  FAILS("__a: 1", "1:1: identifiers starting with '__' are reserved\n");
  FAILS("[a, b]: 1", "1:1: square bracket must have exactly one element\n");
  PASS();
}

TEST later_errors_are_found_but_one_a_line(void) {
  FAILS("a: 1 2 3\nb: 1\nc d e\n", "1:6: missing ',' in struct literal\n3:3: expected label or ':', found 'IDENT' d\n");
  FAILS("a: {\nb: 1\n", "2:6: expected '}', found 'EOF'\n");
  FAILS("a: 1\n}\n", "2:1: expected 'EOF', found '}'\n");
  PASS();
}

TEST a_file_that_begins_broken_is_not_parsed(void) {
  FAILS("% a b c\nd e f", "1:1: illegal character U+0025 '%'\n");
  PASS();
}

TEST comments_go_to_the_node_they_are_about(void) {
  PARSES_WITH("// doc\na: 1 // line\nb: 2", "<d0// doc><l5// line>(field a 1) (field b 2)", .comments = true);
  PARSES_WITH("{\n\t// in\n}", "(embed <d1// in>{ })", .comments = true);
  PARSES_WITH("a: [\n\t1, // one\n\t2,\n]", "(field a [ <l2// one>1 2 ])", .comments = true);
  PARSES_WITH("a: 1\n\n// end\n", "<5// end>(field a 1)", .comments = true);
  PASS();
}

static const char *repeat(CueArena *a, const char *head, const char *mid, const char *tail, int n) {
  CueBuf b = cue_buf(a);
  cue_buf_z(&b, head);
  for (int i = 0; i < n; i++) cue_buf_z(&b, mid);
  cue_buf_z(&b, "1");
  for (int i = 0; i < n; i++) cue_buf_z(&b, tail);
  return parse(a, cue_buf_done(&b), (ParseOptions){.comments = true});
}

TEST depth_is_bounded(void) {
  const char *const cases[][3] = {{"a: ", "[", "]"}, {"a: ", "{a: ", "}"},    {"", "a: ", ""},   {"a: ", "!", ""},
                                  {"a: ", "(", ")"}, {"a: ", "\"\\(", ")\""}, {"a: x", ".y", ""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CueArena *a = cue_arena_new();
    bool operators = !strcmp(cases[i][1], "1+"); /* in a row they nest less than brackets */
    ASSERT(strstr(repeat(a, cases[i][0], cases[i][1], cases[i][2], 100000),
                  operators ? "too many operators in a row: more than 50000"
                            : "nested too deeply: more than 10000 levels"));
    ASSERT_FALSE(strstr(repeat(a, cases[i][0], cases[i][1], cases[i][2], 2000), "nested too deeply"));
    cue_arena_free(a);
  }
  CueArena *a = cue_arena_new();
  ASSERT(strstr(repeat(a, "a: ", "1+", "", 100000), "too many operators in a row: more than 50000"));
  ASSERT_FALSE(strstr(repeat(a, "a: ", "1+", "", 40000), "too many operators"));
  cue_arena_free(a);
  PASS();
}

TEST an_expression_is_parsed_alone(void) {
  CueArena *a = cue_arena_new();
  CueSources ss;
  cue_sources_init(&ss, a);
  CueDiags d = {.a = a};
  CueBuf b = cue_buf(a);
  ast_dump(&b, cue_parse_expr(a, cue_source_add(&ss, CUE_STR("-e"), CUE_STR("a.b + 1\n")), (ParseOptions){0}, &d));
  ASSERT_STR_EQ("(+ (. a b) 1)", cue_buf_done(&b).s);
  ASSERT_EQ(NULL, cue_parse_expr(a, cue_source_add(&ss, CUE_STR("-e"), CUE_STR("a b")), (ParseOptions){0}, &d));
  ASSERT_EQ(1, d.n);
  ASSERT(cue_str_is(d.first->message, "expected 'EOF', found 'IDENT' b"));
  cue_arena_free(a);
  PASS();
}

SUITE(parse_suite) {
  RUN_TEST(operators_bind_by_precedence_and_to_the_left);
  RUN_TEST(a_label_is_told_from_an_expression_by_what_follows);
  RUN_TEST(keywords_are_names_where_no_keyword_can_be);
  RUN_TEST(clauses_may_follow_each_other_with_or_without_commas);
  RUN_TEST(the_preamble_comes_first_and_its_words_are_free_after_it);
  RUN_TEST(lists_want_written_commas_until_v0_17);
  RUN_TEST(experiments_switch_syntax_on);
  RUN_TEST(errors_say_what_was_expected);
  RUN_TEST(later_errors_are_found_but_one_a_line);
  RUN_TEST(a_file_that_begins_broken_is_not_parsed);
  RUN_TEST(comments_go_to_the_node_they_are_about);
  RUN_TEST(depth_is_bounded);
  RUN_TEST(an_expression_is_parsed_alone);
}
