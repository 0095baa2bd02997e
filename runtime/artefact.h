/* artefact.h - compiled code in a file: a shared object with a seal behind it, and its way into memory.
**
** The file is an ordinary ELF shared object. Behind it stand the seal, which is text,
**
**   abi 1
**   kind module
**   name web v0.1.0
**   tier 1
**   language v0.16.1
**   compiler 5f2c...            who made the code: changes when what is compiled may change
**   input 9b1d... file m.cue    one line each: what it was made of, by content
**
** its length, the SHA-256 of all that comes before, and a magic word. Nothing in it depends on when, where or by
** whom it was made.
**
** A file is read once, and those bytes are checked and then made executable: who may write to the file, the seal,
** every offset in the object, every symbol and relocation. There is no moment at which code is mapped and not yet
** checked, and none at which a page is writable and executable. Whoever cannot be sure of a file is told why.
*/
#ifndef CUE_ARTEFACT_H
#define CUE_ARTEFACT_H

#include "runtime/compiled.h"

typedef struct {
  CueStr kind;   /* "file", "folder", ...: who seals knows them */
  CueStr digest; /* in hex */
  CueStr name;
} ArtefactInput;

typedef struct {
  uint32_t abi;
  CompiledKind kind;
  uint32_t tier; /* 0: compiled fast; 1: optimized */
  CueStr name, language, compiler;
  CUE_VEC(ArtefactInput) inputs;
} ArtefactSeal;

/* ---- the seal ---- */

/* Object and seal. Texts must be without newlines, those before another word without blanks. */
CueStr artefact_sealed(CueArena *a, CueStr object, const ArtefactSeal *s);
/* The object and what its seal says. False with *why; nothing is asked of the object itself but whether it is whole. */
bool artefact_unseal(CueArena *a, CueStr bytes, CueStr *object, ArtefactSeal *out, CueStr *why);

/* ---- the object ---- */

typedef struct {
  uint64_t at, size, file, filled; /* address, size in memory; offset and size in the file */
  bool writes, runs;
} ArtefactSegment;

enum { ARTEFACT_SEGMENTS = 8 };
typedef struct {
  CueStr bytes;
  ArtefactSegment segments[ARTEFACT_SEGMENTS];
  uint32_t n;
  uint64_t span;               /* of addresses */
  uint64_t fixed, fixed_size;  /* read-only once relocated */
  const char *symbols, *names; /* in bytes */
  uint64_t nsymbols, names_size;
  const char *relocations[2];
  uint64_t nrelocations[2];
  uint64_t entry; /* address of ARTEFACT_ENTRY */
} ArtefactObject;

/* The one symbol of an artefact: a constant Compiled. So no code runs when one is loaded. */
#define ARTEFACT_ENTRY "opm_compiled"

/* Whether an object can be mapped as it is. False with *why. */
bool artefact_object(CueArena *a, CueStr bytes, ArtefactObject *out, CueStr *why);
/* Maps a checked object; NULL if there is no memory for it. Its bytes may be gone then: an object is mapped once. */
char *artefact_map(const ArtefactObject *o);
void artefact_unmap(const ArtefactObject *o, char *base);

/* ---- files ---- */

/* The bytes of a file that nobody but this user and root can write. False with *why. */
bool artefact_read(CueArena *a, CueStr path, CueStr *bytes, CueStr *why);

typedef struct {
  CueStr bytes;
  ArtefactSeal seal;
  ArtefactObject object;
} ArtefactFile;
/* Reads a file and checks all there is to check. *why does not name the file. */
bool artefact_open(CueArena *a, CueStr path, ArtefactFile *out, CueStr *why);
/* Maps it, for as long as the process runs, and links it: functions that can be called. `find` knows builtin packages. */
bool artefact_enter(CueArena *a, const ArtefactFile *f, CompiledFind *find, Compiled *out, CueStr *why);

#endif
