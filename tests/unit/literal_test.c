/* literal_test.c - the values of literals, and values written as literals. */
#include <greatest.h>

#include "compiler/literal.h"

SUITE(literal_suite);

/* A value as text: strings and bytes in quotes, numbers plain, errors behind "!". */
static const char *show(CueArena *a, CueValue v) {
  switch (v.kind) {
  case CUE_STRING: return cue_strf(a, "\"%.*s\"", CUE_FMT(cue_value_str(v))).s;
  case CUE_BYTES: return cue_strf(a, "'%.*s'", CUE_FMT(cue_value_str(v))).s;
  case CUE_INT: return cue_num_text_plain(a, cue_value_num(a, v)).s;
  case CUE_FLOAT: return cue_strf(a, "float %s", cue_num_text(a, cue_value_num(a, v)).s).s;
  default: return cue_strf(a, "!%.*s", CUE_FMT(cue_value_str(v))).s;
  }
}

#define MEANS(call, want)               \
  do {                                  \
    CueArena *a = cue_arena_new();      \
    ASSERT_STR_EQ(want, show(a, call)); \
    cue_arena_free(a);                  \
  } while (0)
#define STRING(lit, want) MEANS(cue_literal_token(a, CUE_STR(lit)), want)
#define NUMBER(lit, want) MEANS(cue_literal_number(a, CUE_STR(lit)), want)

TEST escapes_depend_on_the_kind_of_string(void) {
  STRING("\"a\\tb\\/\\u00e9\"", "\"a\tb/\xc3\xa9\"");
  STRING("'\\x41\\102'", "'AB'");
  STRING("\"\\x41\"", "!invalid string: invalid syntax");
  STRING("\"\\101\"", "!invalid string: invalid syntax");
  STRING("'\\''", "'''");
  STRING("\"\\'\"", "!invalid string: invalid syntax");
  STRING("\"\\U0010FFFF\"", "\"\xf4\x8f\xbf\xbf\"");
  STRING("\"\\U00110000\"", "!invalid string: invalid syntax");
  PASS();
}

TEST surrogates_come_in_pairs(void) {
  STRING("\"\\ud834\\udd1e\"", "\"\xf0\x9d\x84\x9e\"");
  STRING("\"\\ud834\"", "!invalid string: unmatched surrogate pair");
  STRING("\"\\udd1e\"", "!invalid string: unmatched surrogate pair");
  PASS();
}

TEST hashes_change_what_an_escape_is(void) {
  STRING("#\"a\\n\\#n\"b\"#", "\"a\\n\n\"b\"");
  STRING("##\"\"##", "\"\"");
  STRING("#\"\"\"#", "\"\"\"");
  STRING("#\"a\"", "!invalid string: unmatched quote");
  PASS();
}

TEST multiline_strings_lose_their_indent_and_outer_newlines(void) {
  STRING("\"\"\"\n\ta\n\t  b\n\n\tc\n\t\"\"\"", "\"a\n  b\n\nc\"");
  STRING("\"\"\"\r\n  a\r\n  b\r\n  \"\"\"", "\"a\nb\"");
  STRING("\"\"\"\n  \"\"\"", "\"\"");
  STRING("\"\"\"\n  a\\\n  b\n  \"\"\"", "\"ab\"");
  STRING("\"\"\"\n  a\\\n  \"\"\"", "!invalid string: last newline of multiline string cannot be escaped");
  STRING("\"\"\"\n  a\n b\n  \"\"\"", "!invalid string: invalid string: invalid whitespace");
  STRING("\"\"\"\n  a\"\"\"", "!invalid string: closing quote of multiline string must follow a newline");
  STRING("\"\"\"a\"\"\"", "!invalid string: opening quote of multiline string must be followed by newline");
  PASS();
}

TEST pieces_share_the_quotes_of_the_first_and_the_indent_of_the_last(void) {
  CueStr first = CUE_STR("\"\"\"\n  a\n  b\\("), mid = CUE_STR(")\n  c\\("), last = CUE_STR(")\n  \"\"\"");
  MEANS(cue_literal_piece(a, first, last, first), "\"a\nb\"");
  MEANS(cue_literal_piece(a, first, last, mid), "\"\nc\"");
  MEANS(cue_literal_piece(a, first, last, last), "\"\"");
  PASS();
}

TEST numbers_keep_their_precision_and_multiply_exactly(void) {
  NUMBER("1_000", "1000");
  NUMBER("1.50", "float 1.50");
  NUMBER(".5", "float 0.5");
  NUMBER("1e3", "float 1E+3");
  NUMBER("0xFF", "255");
  NUMBER("0b101", "5");
  NUMBER("0o17", "15");
  NUMBER("1.5Ki", "1536");
  NUMBER("2M", "2000000");
  NUMBER("5Pi", "5629499534213120");
  NUMBER("123456789012345678901234567890", "123456789012345678901234567890");
  PASS();
}

TEST malformed_numbers_are_errors(void) {
  NUMBER("1.0005K", "!number cannot be represented as int");
  NUMBER("0x", "!illegal hexadecimal number \"0x\"");
  NUMBER("1e", "!illegal exponent \"1e\"");
  NUMBER("1_", "!illegal '_' in number");
  NUMBER("08", "!illegal integer number \"08\"");
  PASS();
}

#define QUOTES(text, form, want)                                                     \
  do {                                                                               \
    CueArena *a = cue_arena_new();                                                   \
    ASSERT_STR_EQ(want, cue_literal_quote(a, CUE_STR(text), CUE_QUOTE_##form, 1).s); \
    cue_arena_free(a);                                                               \
  } while (0)

TEST quoting_escapes_what_does_not_print(void) {
  QUOTES("a\"b\\\n", STRING, "\"a\\\"b\\\\\\n\"");
  QUOTES("\xc3\xa9\x01\x7f", STRING, "\"\xc3\xa9\\u0001\\u007f\"");
  QUOTES("a'\xff\x01", BYTES, "'a\\'\\xff\\x01'");
  QUOTES("\xe2\x80\x8b\xf0\x9f\x98\x80", STRING, "\"\\u200b\xf0\x9f\x98\x80\"");
  PASS();
}

TEST multiline_quoting_indents_lines_that_are_not_empty(void) {
  QUOTES("a\n\nb", MULTILINE_STRING, "\"\"\"\n\ta\n\n\tb\n\t\"\"\"");
  QUOTES("", MULTILINE_STRING, "\"\"\"\n\t\"\"\"");
  QUOTES("a\"\"\"\\", MULTILINE_STRING, "#\"\"\"\n\ta\"\"\"\\#\\\n\t\"\"\"#");
  PASS();
}

TEST labels_need_quotes_unless_they_are_plain_names(void) {
  ASSERT_FALSE(cue_label_needs_quotes(CUE_STR("a1$_")));
  ASSERT_FALSE(cue_label_needs_quotes(CUE_STR("\xc3\xa9")));
  ASSERT(cue_label_needs_quotes(CUE_STR("")));
  ASSERT(cue_label_needs_quotes(CUE_STR("1a")));
  ASSERT(cue_label_needs_quotes(CUE_STR("a-b")));
  ASSERT(cue_label_needs_quotes(CUE_STR("_a")));
  ASSERT(cue_label_needs_quotes(CUE_STR("#a")));
  ASSERT(cue_is_valid_ident(CUE_STR("_#a")));
  ASSERT(cue_is_valid_ident(CUE_STR("_0")));
  ASSERT_FALSE(cue_is_valid_ident(CUE_STR("#0")));
  PASS();
}

SUITE(literal_suite) {
  RUN_TEST(escapes_depend_on_the_kind_of_string);
  RUN_TEST(surrogates_come_in_pairs);
  RUN_TEST(hashes_change_what_an_escape_is);
  RUN_TEST(multiline_strings_lose_their_indent_and_outer_newlines);
  RUN_TEST(pieces_share_the_quotes_of_the_first_and_the_indent_of_the_last);
  RUN_TEST(numbers_keep_their_precision_and_multiply_exactly);
  RUN_TEST(malformed_numbers_are_errors);
  RUN_TEST(quoting_escapes_what_does_not_print);
  RUN_TEST(multiline_quoting_indents_lines_that_are_not_empty);
  RUN_TEST(labels_need_quotes_unless_they_are_plain_names);
}
