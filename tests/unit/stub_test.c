/* stub_test.c - structs that are read when used: nothing can be told from reading them at once but the time. */
#include <greatest.h>

#include <string.h>

#include "compiler/eval.h"
#include "compiler/ir_dump.h"
#include "compiler/parse.h"
#include "stdlib/cue/stdlib.h"

SUITE(stub_suite);

static const char text[] = "package p\n"
                           "import \"strings\"\n"
                           "#A: {\n"
                           "  a: int, let up = strings.ToUpper(#B.n), b: up + \"}\"\n"
                           "}\n"
                           "#B: {\n"
                           "  n: \"x\", if n == \"x\" let m = n {o: \"\\(m)}\"} // }\n"
                           "} & {\n"
                           "  n: string\n"
                           "}\n"
                           "#Unused: {\n"
                           "  x: [for k, v in #A {\"\\(k)\"}]\n"
                           "}\n"
                           "let one = 1\n"
                           "v: #A & {a: one}\n"
                           "w: {\n"
                           "  let late = 3, b: late + \"\"\n"
                           "}\n";

/* The braces of text that begin and end lines, with the lets of each. */
static const CueStub *stubs(CueArena *a) {
  static const uint32_t lets[] = {1, 0, 0, 0, 1};
  CUE_VEC(CueStub) out = {0};
  for (const char *open = text; (open = strstr(open, "{\n")); open++) {
    const char *close = strstr(open, "\n}") + 1;
    uint32_t nlets = lets[out.n];
    cue_push(a, &out, (CueStub){(uint32_t)(open - text), (uint32_t)(close - text), nlets});
  }
  cue_push(a, &out, (CueStub){.open = UINT32_MAX});
  return out.at;
}

static Instance *build(CueArena *a, CueContext *c, const CueStub *with) {
  CueDiags d = {.a = a};
  CueSource *src = cue_source_add(c->sources, CUE_STR("in.cue"), cue_str(text));
  src->stubs = with;
  Instance *inst = cue_new(a, Instance);
  *inst = (Instance){.path = CUE_STR("p.example/p"), .package = CUE_STR("p"), .module = CUE_STR("p.example")};
  cue_push(a, &inst->files, cue_parse_file(a, src, (ParseOptions){0}, &d));
  bool ok = cue_build(c, inst, &d);
  return ok && !d.n ? inst : NULL;
}

static const IrStruct *value_of(const Instance *inst, uint32_t decl) {
  const IrStruct *file = IR_AS(const IrStruct, inst->root->conjuncts.at[0].x);
  return IR_AS(const IrStruct, IR_AS(const IrField, file->decls[decl])->value);
}

TEST the_core_language_is_the_same(void) {
  CueArena *a = cue_arena_new();
  CueStr says[2];
  uint32_t nlets[2];
  for (int i = 0; i < 2; i++) {
    CueContext *c = cue_context_new(a, cue_stdlib_find);
    const Instance *inst = build(a, c, i ? stubs(a) : NULL);
    ASSERT(inst);
    ASSERT_EQ(i, (value_of(inst, 0)->flag & IR_STRUCT_UNREAD) != 0);
    CueBuf out = cue_buf(a);
    ir_dump(&out, c->labels, inst->root->conjuncts.at[0].x);
    ASSERT_FALSE(value_of(inst, 0)->flag & IR_STRUCT_UNREAD);
    says[i] = cue_buf_done(&out);
    nlets[i] = c->lets;
    cue_context_free(c);
  }
  ASSERT_STR_EQ(says[0].s, says[1].s);
  ASSERT_EQ(nlets[0], nlets[1]);
  cue_arena_free(a);
  PASS();
}

/* Values, and the error of w with its place and the number of its let. */
TEST values_and_errors_are_the_same(void) {
  CueArena *a = cue_arena_new();
  CueStr says[2];
  for (int i = 0; i < 2; i++) {
    CueContext *c = cue_context_new(a, cue_stdlib_find);
    const Instance *inst = build(a, c, i ? stubs(a) : NULL);
    ASSERT(inst);
    CueDiags d = {.a = a};
    CueBuf out = cue_buf(a);
    Vertex *v = vertex_arc(inst->root, label_ident(c->labels, CUE_STR("v"), CUE_STR("p.example/p")));
    ASSERT_FALSE(v); /* nothing is evaluated yet */
    cue_finalize(c->eval, inst->root);
    v = vertex_arc(inst->root, label_ident(c->labels, CUE_STR("v"), CUE_STR("p.example/p")));
    ASSERT(v);
    cue_emit_json(&out, cue_export_data(c->eval, a, v, &d), (CueJsonStyle){0});
    cue_export_data(c->eval, a, inst->root, &d);
    cue_diags_print(&out, &d, c->sources, CUE_STR("/"));
    says[i] = cue_buf_done(&out);
    cue_context_free(c);
  }
  ASSERT_STR_EQ(says[0].s, says[1].s);
  ASSERT(cue_str_has_prefix(says[0], CUE_STR("{\"a\":1,\"b\":\"X}\"}w.b: invalid operands")));
  cue_arena_free(a);
  PASS();
}

TEST what_is_not_used_is_not_read(void) {
  CueArena *a = cue_arena_new();
  CueContext *c = cue_context_new(a, cue_stdlib_find);
  Instance *inst = build(a, c, stubs(a));
  ASSERT(inst);
  CueDiags d = {.a = a};
  CueSource *src = cue_source_add(c->sources, CUE_STR("use.cue"), CUE_STR("import \"p.example/p\"\nx: p.#A.b"));
  Instance use = {.path = CUE_STR(""), .package = CUE_STR(""), .module = CUE_STR("")};
  cue_push(a, &use.files, cue_parse_file(a, src, (ParseOptions){0}, &d));
  cue_push(a, &use.imports, ((struct Import){.path = inst->path, .instance = inst}));
  ASSERT(cue_build(c, &use, &d));
  CueBuf out = cue_buf(a);
  cue_emit_json(&out, cue_export_data(c->eval, a, use.root, &d), (CueJsonStyle){0});
  ASSERT_STR_EQ("{\"x\":\"X}\"}", cue_buf_done(&out).s);
  ASSERT_FALSE(value_of(inst, 0)->flag & IR_STRUCT_UNREAD);
  ASSERT(value_of(inst, 2)->flag & IR_STRUCT_UNREAD);
  cue_context_free(c);
  cue_arena_free(a);
  PASS();
}

SUITE(stub_suite) {
  RUN_TEST(the_core_language_is_the_same);
  RUN_TEST(values_and_errors_are_the_same);
  RUN_TEST(what_is_not_used_is_not_read);
}
