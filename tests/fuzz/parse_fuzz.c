/* parse_fuzz.c - any bytes through the parser, with and without comments, and back to text. */
#include "compiler/fmt.h"
#include "compiler/parse.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  CueArena *a = cue_arena_new();
  CueSources ss;
  CueDiags d = {.a = a}, again = {.a = a};
  CueBuf out = cue_buf(a);
  cue_sources_init(&ss, a);
  CueSource *src = cue_source_add(&ss, CUE_STR("in.cue"), (CueStr){(const char *)data, size});
  cue_parse_file(a, src, (ParseOptions){.comments = false}, &d);
  cue_diags_print(&out, &d, &ss, CUE_STR("/"));
  AstFile *f = cue_parse_file(a, src, (ParseOptions){.comments = true}, &again);
  if (!again.n) cue_format_file(&out, f->root, (CueFmtOptions){.simplify = size % 2, .source = src});
  cue_arena_free(a);
  return 0;
}
