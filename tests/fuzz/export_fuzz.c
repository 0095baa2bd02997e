/* export_fuzz.c - any bytes as the input of `opm cue export -`. */
#include "cli/cli.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  CueArena *a = cue_arena_new();
  CueBuf out = cue_buf(a), err = cue_buf(a);
  char export[] = "export", dash[] = "-";
  char *argv[] = {export, dash, NULL};
  cli_cue(2, argv, (CueStr){(const char *)data, size}, &out, &err);
  cue_arena_free(a);
  return 0;
}
