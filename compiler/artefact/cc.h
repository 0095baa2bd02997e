/* cc.h - the C compiler of this machine: found, and run on what opm wrote.
**
** It is run without a shell, in a folder of its own that nobody else can enter and that is gone afterwards, also when
** the user interrupts. The same text and the same compiler give the same bytes wherever and whenever that is.
*/
#ifndef OPM_ARTEFACT_CC_H
#define OPM_ARTEFACT_CC_H

#include "runtime/str.h"

typedef struct {
  CUE_VEC(CueStr) words; /* $CC may have arguments; the first word is a path */
  bool tiny;             /* tcc: has its own flags, and does not optimize */
  unsigned limit;        /* seconds that it may take; 0 for CC_LIMIT */
} CCompiler;

enum { CC_LIMIT = 300 }; /* many times what the largest takes: who needs longer hangs */

typedef struct {
  CueStr name, text;
} CFile;

/* The compilers of a tier, the best first: $CC, or else cc, gcc, clang and tcc as far as they are there; for tier 0
** the fastest first. `nth` from 0. False with *why if there are not so many. */
bool cc_find(CueArena *a, unsigned tier, unsigned nth, CCompiler *out, CueStr *why);
/* All of them, of both tiers, with what tells one program from another: where that is the same, the same is compiled. */
CueStr cc_identity(CueArena *a);

typedef enum {
  CC_DONE,
  CC_REFUSED, /* the compiler ended by itself, or not at all, and made nothing of use: it would do so again */
  CC_FAILED,  /* something went wrong around it: a disk is full, a folder cannot be made */
  CC_MISSING, /* there is none; not an answer of cc_run */
} CcAnswer;
/* Compiles the first file, which may include the others, to a shared object that can be loaded. Below `scratch` a folder is made for that.
** Unless done, *why is what the compiler said, if it ran. */
CcAnswer cc_run(CueArena *a, const CCompiler *cc, unsigned tier, CueStr scratch, const CFile *files, uint32_t n,
                CueStr *object, CueStr *why);

#endif
