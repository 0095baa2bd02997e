/* limit.c - writes the bytes of a file to standard output, over and over: what is left of a renderer that has nothing to
** do but to write.
**
**   limit FILE TIMES
*/
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROOM = 1 << 18 };

static int flush(const char *at, size_t n) {
  for (ssize_t done; n; at += done, n -= (size_t)done)
    if ((done = write(1, at, n)) <= 0) return 1;
  return 0;
}

int main(int argc, char **argv) {
  static char room[ROOM];
  struct stat st;
  int fd = argc == 3 ? open(argv[1], O_RDONLY) : -1;
  if (fd < 0 || fstat(fd, &st) != 0 || st.st_size <= 0) return 2;
  size_t size = (size_t)st.st_size, used = 0;
  const char *text = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (text == MAP_FAILED) return 2;
  for (unsigned long n = strtoul(argv[2], NULL, 10); n; n--)
    for (size_t at = 0, piece; at < size; at += piece) {
      piece = size - at < ROOM - used ? size - at : ROOM - used;
      memcpy(room + used, text + at, piece);
      used += piece;
      if (used == ROOM && flush(room, used)) return 1;
      if (used == ROOM) used = 0;
    }
  return flush(room, used);
}
