/* export_deps.h - the references that a value depends on. */
#ifndef CUE_EXPORT_DEPS_H
#define CUE_EXPORT_DEPS_H

#include "compiler/export.h"

/* Told of a reference and the vertex it leads to; import is the package it was found in or through.
** Returns whether to go on with the references of that vertex. */
typedef bool DepVisit(void *arg, Vertex *v, Ir *ref, const IrImport *import);
void deps_visit(Exporter *x, Vertex *v, DepVisit *found, void *arg);

#endif
