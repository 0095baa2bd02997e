/* toml_scan.h - the strings and blanks of TOML.
**
** A scanner walks over a text held in memory. Functions that return bool fail the call
** (the message is in c->error) and return false.
*/
#ifndef CUE_STDLIB_TOML_SCAN_H
#define CUE_STDLIB_TOML_SCAN_H

#include "runtime/builtin.h"

typedef struct {
  CueCall *c;
  CueStr text;
  size_t pos;
} TomlScan;

/* The byte n ahead; NUL past the end (which no valid text has). */
static inline char toml_peek(const TomlScan *t, size_t n) {
  return t->pos + n < t->text.n ? t->text.s[t->pos + n] : '\0';
}
static inline bool toml_at_end(const TomlScan *t) { return t->pos >= t->text.n; }
bool toml_follows(const TomlScan *t, const char *word);
bool toml_fail(TomlScan *t, const char *fmt, ...) CUE_PRINTF(2, 3);                  /* at the current place */
bool toml_fail_at(TomlScan *t, size_t place, const char *fmt, ...) CUE_PRINTF(3, 4); /* a byte of the text */
bool toml_expect(TomlScan *t, char want);
void toml_skip_blanks(TomlScan *t);             /* spaces and tabs */
bool toml_newline(TomlScan *t);                 /* one line end, which must be here */
bool toml_comment(TomlScan *t);                 /* from # to the end of the line */
bool toml_skip_lines(TomlScan *t);              /* blanks, comments and line ends */
bool toml_string(TomlScan *t, CueStr *out);     /* any of the four kinds, at its quote */
bool toml_simple_key(TomlScan *t, CueStr *out); /* bare or quoted on one line */

#endif
