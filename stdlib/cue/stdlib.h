/* stdlib.h - the table of CUE's builtin packages, and what their functions share.
**
** Each package is one `const CueBuiltinPackage` in a file of its own; packages.def has a
** row for it. Whoever links the evaluator passes cue_stdlib_find to it, so the compiler
** and the runtime know nothing of the packages.
*/
#ifndef CUE_STDLIB_H
#define CUE_STDLIB_H

#include "runtime/builtin.h"

#define PACKAGE(name, path) extern const CueBuiltinPackage cue_pkg_##name;
#include "stdlib/cue/packages.def"
#undef PACKAGE

/* NULL if there is no such package. */
const CueBuiltinPackage *cue_stdlib_find(CueStr path);

/* The number of rows of a function table. */
#define CUE_COUNT(table) ((uint32_t)(sizeof(table) / sizeof *(table)))

/* A string result. Text made from bytes may not be UTF-8: each run of bytes that are not
** becomes one U+FFFD, which is how cue takes strings from Go. */
CueValue cue_result_string(CueArena *a, CueStr s);
CueValue cue_result_strings(CueArena *a, const CueStr *at, size_t n);
/* The data of a lent value. False if it is not all data: c->error then is what json.Marshal says. */
bool cue_lent_data(CueCall *c, CueValue v, CueValue *out);
/* As cue_lent_data, but a failure is told as "error in call to ...: <what> <text of the value that is not concrete>". */
bool cue_lent_data_or(CueCall *c, CueValue v, const char *what, CueValue *out);
/* As cue_lent_data, but a failure tells everything that is missing. */
bool cue_lent_data_valid(CueCall *c, CueValue v, CueValue *out);
/* ... for YAML, whose numbers may be written as in their source. */
bool cue_lent_written(CueCall *c, CueValue v, CueValue *out);
/* The elements of argument i, or of one of its elements (1 + its index), which should be a list; if it is
** none, fails the call as cue does and returns NULL. */
const CueList *cue_arg_elements(CueCall *c, uint32_t i);
const CueList *cue_element_elements(CueCall *c, uint32_t i, uint32_t element, CueValue v);
/* The value of a number literal of CUE that may have a sign; bottom with cue's message. */
CueValue cue_signed_literal(CueCall *c, CueStr text);
/* The int argument i as a Go byte or rune; on overflow sets c->error and returns false. */
bool cue_arg_byte(CueCall *c, uint32_t i, uint8_t *out);
bool cue_arg_rune(CueCall *c, uint32_t i, int32_t *out);
/* Fails with a message that gets no "error in call to" before it. */
bool cue_bad_call(CueCall *c, const char *fmt, ...) CUE_PRINTF(2, 3);
/* A validator's "no". Called as a function it is plain false; as a validator the message tells why,
** and `incomplete` that more data may turn it into a yes. */
CueValue cue_invalid(CueCall *c, bool incomplete, const char *fmt, ...) CUE_PRINTF(3, 4);

#endif
