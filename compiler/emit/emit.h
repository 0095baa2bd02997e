/* emit.h - compiled functions written as C.
**
** The text depends on nothing but what is written: the same functions give the same bytes. It includes runtime/abi.h
** and nothing else. Passes, a file each:
**
**   graph.c    equal parts of plans become one node
**   outline.c  which nodes become functions of their own
**   origin.c   the CUE that code came from
**   code.c     a node as statements
**   data.c     constants, schemas and tables of regular expressions
**   slots.c    tables by which fields are found
**   emit.c     the file: head, data, functions, and the table of them
*/
#ifndef OPM_EMIT_H
#define OPM_EMIT_H

#include "compiler/source.h"
#include "runtime/compiled.h"

typedef struct {
  const char *symbol;        /* of the Compiled: opm_compiled */
  CueStr file;               /* what #line calls the file itself: "kubernetes.c" */
  const CueSources *sources; /* where plans came from; NULL for no origins */
  CueStr root;               /* folder that names of sources are relative to; "" for none */
  bool lines;                /* with #line */
} EmitOptions;

CueStr emit_c(CueArena *a, const Compiled *c, const EmitOptions *o);

extern const char emit_header[]; /* the text of runtime/abi.h, which generated code includes as "abi.h" */

/* Plans as text, for people. */
void emit_dump_plans(CueBuf *out, const Compiled *c);

#endif
