/* data.h - JSON, YAML and text files as syntax trees.
**
** The trees hold only literals, with the positions they have in the file, so that errors of
** evaluation point into the data.
*/
#ifndef CUE_DATA_H
#define CUE_DATA_H

#include "compiler/load.h"

typedef CUE_VEC(Ast *) DataExprs;

/* The documents of a text, one expression each: one for JSON and text, any number for YAML and JSONL. `path` is how
** messages name the file. False with d filled on error; what was read before it is in out. */
bool data_read(CueContext *c, CueSource *src, CueEncoding encoding, CueStr path, DataExprs *out, CueDiags *d);
/* The same for a file of any kind, which may ask for a reading of its own. */
bool data_read_file(CueContext *c, CueSource *src, const LoadFile *f, CueStr path, DataExprs *out, CueDiags *d);
/* The first element of an XML text (data_xml.c); NULL with d filled on error. */
Ast *data_read_xml(CueArena *a, CueSource *src, CueDiags *d);
/* An expression as a file: the fields of a struct, or one embedding. */
AstFile *data_file(CueArena *a, CueSource *src, Ast *x);

/* Reports what a CUE file may not have when it is said to be of a form: "data", "graph" or "dag". prefix stands before
** each message. */
void data_check(CueDiags *d, const AstFile *f, const char *form, const char *prefix);

#endif
