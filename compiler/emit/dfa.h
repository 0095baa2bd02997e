/* dfa.h - constant regular expressions become tables.
**
** dfa_syntax.c reads Go's syntax into a tree, dfa.c makes a nondeterministic automaton over bytes of it and then a
** deterministic one, dfa_minimize.c the smallest one and its table. The table says for every text, also one that is not
** UTF-8, what RE2 says of the same pattern (runtime/regex.h). What is malformed or not supported, and what would become too
** large, is left to RE2: only a pattern that RE2 takes has a table.
*/
#ifndef CUE_EMIT_DFA_H
#define CUE_EMIT_DFA_H

#include "runtime/dfa.h"
#include "runtime/str.h"

#define DFA_STATES 4096       /* before states that mean the same are merged */
#define DFA_TABLE (64 * 1024) /* bytes of `next` */

/* The same pattern gives the same table. NULL: there is none, and *why is the reason, in a few words. */
const CueDfa *dfa_compile(CueArena *a, CueStr pattern, const char **why);

#endif
