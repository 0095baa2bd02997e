/* lex_fuzz.c - any bytes through the scanner. */
#include "compiler/lex.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  CueArena *a = cue_arena_new();
  CueSources ss;
  CueDiags d = {.a = a};
  cue_sources_init(&ss, a);
  CueSource *src = cue_source_add(&ss, CUE_STR("in.cue"), (CueStr){(const char *)data, size});
  for (int comments = 0; comments < 2; comments++) {
    Lexer lx;
    Token t;
    lex_init(&lx, a, src, comments, &d);
    do {
      lex_next(&lx, &t);
      /* Where the parser would: at the parenthesis that ends an interpolated expression. */
      while (t.tok == TOK_RPAREN && lx.quotes.n) {
        if (!lex_resume(&lx, &t)) break;
        lex_next(&lx, &t);
      }
    } while (t.tok != TOK_EOF);
  }
  cue_arena_free(a);
  return 0;
}
