/* lex_test.c - tokens, the commas line ends stand for, and what is wrong with text. */
#include <greatest.h>

#include "compiler/lex.h"

SUITE(lex_suite);

/* The tokens of a text as "kind:text" with a space between; then its errors, each behind "!". */
static CueStr scan(CueArena *a, CueStr text, bool comments) {
  CueSources ss;
  cue_sources_init(&ss, a);
  CueSource *src = cue_source_add(&ss, CUE_STR("x.cue"), text);
  CueDiags d = {.a = a};
  Lexer lx;
  lex_init(&lx, a, src, comments, &d);
  CueBuf b = cue_buf(a);
  Token t;
  do {
    lex_next(&lx, &t);
    if (b.n) cue_buf_ch(&b, ' ');
    if (t.newline)
      cue_buf_z(&b, "nl");
    else if (t.tok >= TOK_COMMENT && t.tok <= TOK_INTERPOLATION)
      cue_buf_f(&b, "%s:%.*s", tok_text(t.tok), CUE_FMT(t.text));
    else
      cue_buf_z(&b, tok_text(t.tok));
  } while (t.tok != TOK_EOF);
  for (const CueDiag *g = d.first; g; g = g->next) cue_buf_f(&b, " !%.*s", CUE_FMT(g->message));
  return cue_buf_done(&b);
}

#define SCANS(text, want)                                 \
  do {                                                    \
    CueArena *a_ = cue_arena_new();                       \
    ASSERT_STR_EQ(want, scan(a_, CUE_STR(text), true).s); \
    cue_arena_free(a_);                                   \
  } while (0)

TEST operators_are_the_longest_match(void) {
  SCANS("== =~ != !~ <= <- <", "== =~ != !~ <= <- < EOF");
  SCANS("&& & || | ...", "&& & || | ... nl EOF");
  SCANS("_|_ _", "_|_ IDENT:_ nl EOF");
  SCANS("_|x", "ILLEGAL IDENT:x nl EOF !illegal token '_|'; expected '_'");
  SCANS("..", "ILLEGAL EOF !illegal token '..'; expected '.'");
  PASS();
}

TEST identifiers_may_have_hashes_dollars_and_letters_of_any_script(void) {
  SCANS("#a _#b __c $d", "IDENT:#a IDENT:_#b IDENT:__c IDENT:$d nl EOF");
  SCANS("a#b", "IDENT:a IDENT:#b nl EOF");
  SCANS("#1", "IDENT:# INT:1 nl EOF");
  SCANS("\xc3\xa9t\xc3\xa9 for\xc3\xa9", "IDENT:\xc3\xa9t\xc3\xa9 IDENT:for\xc3\xa9 nl EOF");
  SCANS("if ifx", "if IDENT:ifx nl EOF");
  PASS();
}

TEST numbers_take_what_belongs_to_them(void) {
  SCANS("1 1.5 .5 1. 1e3 0x1F 0b1 0o7", "INT:1 FLOAT:1.5 FLOAT:.5 FLOAT:1. FLOAT:1e3 INT:0x1F INT:0b1 INT:0o7 nl EOF");
  SCANS("1_000 1.5Ki 2M", "INT:1_000 INT:1.5Ki INT:2M nl EOF");
  SCANS("1...", "INT:1 ... nl EOF");
  SCANS("01", "INT:01 nl EOF !illegal integer number");
  SCANS("0x", "INT:0x nl EOF !illegal hexadecimal number");
  SCANS("1__0", "INT:1__0 nl EOF !illegal '_' in number");
  SCANS("1_", "INT:1_ nl EOF !illegal '_' in number");
  PASS();
}

TEST a_line_end_is_a_comma_after_what_can_end_an_expression(void) {
  SCANS("a\nb", "IDENT:a nl IDENT:b nl EOF");
  SCANS("a:\nb", "IDENT:a : IDENT:b nl EOF");
  SCANS("a // x\nb", "IDENT:a nl COMMENT:// x IDENT:b nl EOF");
  SCANS("a\n, b", "IDENT:a , IDENT:b nl EOF");
  SCANS("\"a\"\n: 1", "STRING:\"a\" : INT:1 nl EOF");
  SCANS("{\n}\n", "{ } nl EOF");
  PASS();
}

TEST strings_end_at_their_own_quotes(void) {
  SCANS("\"a\" 'b' \"\"", "STRING:\"a\" STRING:'b' STRING:\"\" nl EOF");
  SCANS("#\"a\"b\\n\"#", "STRING:#\"a\"b\\n\"# nl EOF");
  SCANS("#\"\"a\"\"#", "STRING:#\"\"a\"\"# nl EOF");
  SCANS("\"\"\"\n  a\n  \"\"\"", "STRING:\"\"\"\n  a\n  \"\"\" nl EOF");
  SCANS("\"a", "STRING:\"a nl EOF !string literal not terminated");
  SCANS("\"\\q\"", "STRING:\"\\q\" nl EOF !unknown escape sequence");
  SCANS("\"\\u12g4\"", "STRING:\"\\u12g4\" nl EOF !illegal character U+0067 'g' in escape sequence");
  SCANS(
      "\"\"\"a\"\"\"",
      "STRING:\"\"\" IDENT:a STRING:\"\"\" nl EOF !expected newline after multiline quote \"\"\" !expected newline after multiline quote \"\"\"");
  PASS();
}

TEST an_interpolation_stops_before_its_expression(void) {
  CueArena *a = cue_arena_new();
  CueSources ss;
  cue_sources_init(&ss, a);
  CueDiags d = {.a = a};
  Lexer lx;
  Token t, piece;
  lex_init(&lx, a, cue_source_add(&ss, CUE_STR("x"), CUE_STR("#\"a\\#(b)c\\#(d)\"# e")), false, &d);
  lex_next(&lx, &t);
  ASSERT_EQ(TOK_INTERPOLATION, t.tok);
  ASSERT(cue_str_is(t.text, "#\"a\\#("));
  for (int i = 0; i < 3; i++) lex_next(&lx, &t);
  ASSERT_EQ(TOK_RPAREN, t.tok);
  ASSERT(lex_resume(&lx, &piece));
  ASSERT(cue_str_is(piece.text, ")c\\#("));
  for (int i = 0; i < 3; i++) lex_next(&lx, &t);
  ASSERT_FALSE(lex_resume(&lx, &piece));
  ASSERT(cue_str_is(piece.text, ")\"#"));
  lex_next(&lx, &t);
  ASSERT(cue_str_is(t.text, "e"));
  ASSERT_EQ(0, d.n);
  cue_arena_free(a);
  PASS();
}

TEST an_attribute_is_one_token_with_balanced_brackets(void) {
  SCANS("@a(b, [c], {d: \"(\"}) e", "ATTRIBUTE:@a(b, [c], {d: \"(\"}) IDENT:e nl EOF");
  SCANS("@a(@b(c)) d", "ATTRIBUTE:@a(@b(c)) IDENT:d nl EOF");
  SCANS("@a(", "ATTRIBUTE:@a( nl EOF !attribute missing ')'");
  SCANS("@a b", "ATTRIBUTE:@a b nl EOF !invalid attribute: expected '('");
  SCANS("@a(])", "ATTRIBUTE:@a(]) nl EOF !unexpected ']'");
  PASS();
}

TEST bytes_that_are_no_text_are_reported_where_they_are(void) {
  SCANS("a\xff", "IDENT:a ILLEGAL nl EOF !illegal UTF-8 encoding !illegal character U+FFFD '\xef\xbf\xbd'");
  SCANS("\"\xff\"", "STRING:\"\xff\" nl EOF !illegal UTF-8 encoding");
  SCANS("a\0", "IDENT:a ILLEGAL nl EOF !illegal character NUL !illegal character U+0000");
  SCANS("\xef\xbb\xbf"
        "a",
        "IDENT:a nl EOF");
  SCANS("a \xef\xbb\xbf", "IDENT:a ILLEGAL nl EOF !illegal byte order mark");
  SCANS("%", "ILLEGAL EOF !illegal character U+0025 '%'");
  PASS();
}

TEST positions_carry_the_white_space_before(void) {
  CueArena *a = cue_arena_new();
  CueSources ss;
  cue_sources_init(&ss, a);
  CueDiags d = {.a = a};
  Lexer lx;
  Token t;
  const CueRel want[] = {CUE_REL_NOSPACE, CUE_REL_NOSPACE, CUE_REL_BLANK,  CUE_REL_ELIDED,
                         CUE_REL_NEWLINE, CUE_REL_ELIDED,  CUE_REL_SECTION};
  lex_init(&lx, a, cue_source_add(&ss, CUE_STR("x"), CUE_STR("a: b\nc\n\n\nd")), false, &d);
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    lex_next(&lx, &t);
    ASSERT_EQ(want[i], cue_pos_rel(t.pos));
  }
  ASSERT_EQ(4, cue_source_line(&ss, t.pos).line + cue_source_line(&ss, t.pos).col - 2);
  cue_arena_free(a);
  PASS();
}

SUITE(lex_suite) {
  RUN_TEST(operators_are_the_longest_match);
  RUN_TEST(identifiers_may_have_hashes_dollars_and_letters_of_any_script);
  RUN_TEST(numbers_take_what_belongs_to_them);
  RUN_TEST(a_line_end_is_a_comma_after_what_can_end_an_expression);
  RUN_TEST(strings_end_at_their_own_quotes);
  RUN_TEST(an_interpolation_stops_before_its_expression);
  RUN_TEST(an_attribute_is_one_token_with_balanced_brackets);
  RUN_TEST(bytes_that_are_no_text_are_reported_where_they_are);
  RUN_TEST(positions_carry_the_white_space_before);
}
