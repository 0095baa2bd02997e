/* print.c - the only place that writes to stdout and stderr. Commands fill buffers; the program prints them at its end,
** so a command may fail late and its output is still whole. Only large JSON leaves earlier, once it cannot fail. */
#include "cli/print.h"

#include <errno.h>
#include <unistd.h>

bool print_all(int fd, CueStr s) {
  while (s.n) {
    ssize_t n = write(fd, s.s, s.n);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    s = cue_str_sub(s, (size_t)n, s.n);
  }
  return true;
}
