/* catalog.h - the modules inside the program: OPM's catalog and the Kubernetes provider.
**
** The tables are made by stdlib/opm/embed.c from the folders that stdlib/opm/modules.txt lists.
*/
#ifndef OPM_CATALOG_H
#define OPM_CATALOG_H

#include "compiler/load.h"
#include "runtime/regex.h"

extern const LoadEmbedded catalog_modules[];
extern const size_t catalog_count;
/* Their regular expressions. */
extern const CueKnownPattern catalog_patterns[];
extern const size_t catalog_npatterns;

#endif
