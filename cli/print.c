/* print.c - the only place that writes to stdout and stderr, and that reads the arguments of the process. */
#include <errno.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/print.h"

bool print_all(int fd, CueStr s) {
  while (s.n) {
    ssize_t n = write(fd, s.s, s.n);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    s = cue_str_sub(s, (size_t)n, s.n);
  }
  return true;
}
