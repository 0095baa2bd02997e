/* main.c - runs the unit tests: every suite of tests/unit/NAME_test.c, which is called NAME_suite.
**
** The Makefile writes tests/suites.def, one SUITE_NAMED(NAME) a file, so a new file needs no
** line here. Ends with the line that `make test` adds up.
*/
#include <greatest.h>

#define SUITE_NAMED(name) SUITE_EXTERN(name##_suite);
#include "tests/suites.def"
#undef SUITE_NAMED

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough" /* in greatest's own reading of flags */
GREATEST_MAIN_DEFS();
#pragma GCC diagnostic pop

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
#define SUITE_NAMED(name) RUN_SUITE(name##_suite);
#include "tests/suites.def"
#undef SUITE_NAMED
  struct greatest_report_t report;
  GREATEST_PRINT_REPORT(); /* also adds the last suite to the totals */
  greatest_get_report(&report);
  printf("unit: %u passed, %u failed\n", report.passed, report.failed);
  return report.failed != 0;
}
