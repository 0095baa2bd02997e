/* artefact_fuzz.c - any bytes as an artefact, and as the object within one whose seal is right: all of it is read and
** checked, and mapped if it passes, but nothing of it runs. */
#include "runtime/artefact.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  CueArena *a = cue_arena_new();
  CueStr bytes = {(const char *)data, size}, object, why;
  ArtefactSeal about = {.abi = CUE_ABI,
                        .kind = COMPILED_MODULE,
                        .name = CUE_STR("x"),
                        .language = CUE_STR("x"),
                        .compiler = CUE_STR("x")};
  ArtefactSeal seal;
  ArtefactObject o;
  artefact_unseal(a, bytes, &object, &seal, &why);
  if (!artefact_unseal(a, artefact_sealed(a, bytes, &about), &object, &seal, &why)) __builtin_trap();
  if (artefact_object(a, object, &o, &why)) {
    char *base = artefact_map(&o);
    if (base) artefact_unmap(&o, base);
  }
  cue_arena_free(a);
  return 0;
}
