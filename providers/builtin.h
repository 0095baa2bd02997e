/* builtin.h - the Kubernetes provider inside the program, compiled into it.
**
** Its C is written at build time by a program that has everything else (see the Makefile). Programs that are linked
** without it, as that first one, have NULL here, and the evaluator does its work.
*/
#ifndef OPM_BUILTIN_H
#define OPM_BUILTIN_H

#include "runtime/compiled.h"

extern const Compiled opm_compiled __attribute__((weak));

static inline const Compiled *builtin_kubernetes(void) { return &opm_compiled; }

#endif
