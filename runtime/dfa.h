/* dfa.h - a regular expression as a table: whether a text contains a match, one step a byte.
**
** compiler/emit/dfa.h makes tables; compiled code has them as constants. Two rows have fixed meanings, and scanning ends
** when it gets there: row 0 is where no match can follow, row 1 where a match was found whatever follows. States are written
** as the index of their row in `next`, so that a step is one addition and two loads.
** CueDfa and cue_dfa_test are in abi.h, for generated code.
*/
#ifndef CUE_DFA_H
#define CUE_DFA_H

#include "runtime/abi.h"

#endif
