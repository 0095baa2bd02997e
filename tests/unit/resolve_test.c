/* resolve_test.c - how many environments lie between a reference and its name.
**
** One for each struct, list and binding clause; none for files, aliases and patterns.
*/
#include <greatest.h>

#include "compiler/ir_dump.h"
#include "compiler/parse.h"
#include "compiler/eval.h"
#include "stdlib/cue/stdlib.h"

SUITE(resolve_suite);

/* The dump of a file without package, or its first error. */
static const char *dump(CueArena *a, const char *text) {
  CueContext *c = cue_context_new(a, cue_stdlib_find);
  CueDiags d = {.a = a};
  CueSource *src = cue_source_add(c->sources, CUE_STR("in.cue"), cue_str(text));
  Instance inst = {.path = CUE_STR(""), .package = CUE_STR(""), .module = CUE_STR("")};
  cue_push(a, &inst.files, cue_parse_file(a, src, (ParseOptions){0}, &d));
  CueBuf out = cue_buf(a);
  if (d.n || !cue_build(c, &inst, &d))
    cue_buf_str(&out, d.first->message);
  else
    ir_dump(&out, c->labels, inst.root->conjuncts.at[0].x);
  cue_context_free(c);
  return cue_buf_done(&out).s;
}

#define SAYS(want, text)                   \
  do {                                     \
    CueArena *a_ = cue_arena_new();        \
    ASSERT_STR_EQ((want), dump(a_, text)); \
    cue_arena_free(a_);                    \
  } while (0)

TEST structs_and_lists_count(void) {
  SAYS("(file (field a 1) (field b (ref a 0)) (field c (struct (field d (ref a 1)) (field e (list (ref a 2))))))",
       "a: 1, b: a, c: {d: a, e: [a]}");
  PASS();
}

TEST clauses_count(void) {
  SAYS(
      "(file (field a (list)) (comprehension (for - x (ref a 0)) (if (ref x 0)) (let y (ref x 0)) (struct (field b (ref x 2)) (field c (ref y 1)) (field d (ref a 3)))))",
      "a: []\nfor x in a if x let y = x {b: x, c: y, d: a}");
  PASS();
}

TEST patterns_and_aliases_do_not_count(void) {
  SAYS("(file (field a 1) (pattern (type string) (struct (field b (ref a 1)) (field c (label-ref X 1)))))",
       "a: 1, [X=string]: {b: a, c: X}");
  SAYS("(file (field a (struct (field b (value-ref X 1)))))", "a: X={b: X}");
  SAYS("(file (field k \"x\") (dynamic (ref k 0) 1) (field b (struct (field c (dynamic-ref 1 (ref k 0))))))",
       "k: \"x\", X=(k): 1, b: {c: X}");
  PASS();
}

TEST lets_are_compiled_once_and_may_come_later(void) {
  SAYS("(file (field a (struct (field b (let-ref x 1)))) (let x (ref a 0)))", "a: {b: x}, let x = a");
  SAYS("cyclic references in let clause or alias", "let x = y, let y = x, a: x");
  PASS();
}

TEST default_marks_go_through_the_chain(void) {
  SAYS("(file (field a (| *1 2 (type int))))", "a: *1 | 2 | int");
  SAYS("preference mark not allowed at this position", "a: *1");
  PASS();
}

SUITE(resolve_suite) {
  RUN_TEST(structs_and_lists_count);
  RUN_TEST(clauses_count);
  RUN_TEST(patterns_and_aliases_do_not_count);
  RUN_TEST(lets_are_compiled_once_and_may_come_later);
  RUN_TEST(default_marks_go_through_the_chain);
}
