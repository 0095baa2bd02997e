/* embed.c - writes the modules of a list as C: run by make, no part of the program.
**
** usage: embed modules.txt > catalog.c
**
** A line of the list is a folder, a module path and a version. Every .cue file below the folder
** becomes a string; the tables are what compiler/load.h calls LoadEmbedded. Files are in order of
** their names, so that the same sources give the same text.
*/
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_FILES = 1024, MAX_PATH = 512 };

static char names[MAX_FILES][MAX_PATH]; /* of the module under way, relative to its folder */
static int nnames;

static void die(const char *what, const char *path) {
  fprintf(stderr, "embed: %s %s: %s\n", what, path, strerror(errno));
  exit(1);
}

static void collect(const char *root, const char *below) {
  char dir[2 * MAX_PATH];
  snprintf(dir, sizeof dir, "%s/%s", root, below);
  DIR *d = opendir(dir);
  if (!d) die("open", dir);
  for (struct dirent *e; (e = readdir(d));) {
    char name[MAX_PATH], full[3 * MAX_PATH];
    struct stat st;
    if (e->d_name[0] == '.') continue;
    int n = snprintf(name, sizeof name, "%s%s%s", below, *below ? "/" : "", e->d_name);
    if (n >= (int)sizeof name) die("name too long", name);
    snprintf(full, sizeof full, "%s/%s", root, name);
    if (stat(full, &st)) die("stat", full);
    size_t len = strlen(name);
    if (S_ISDIR(st.st_mode))
      collect(root, name);
    else if (len > 4 && !strcmp(name + len - 4, ".cue")) {
      if (nnames == MAX_FILES) die("too many files", root);
      memcpy(names[nnames++], name, sizeof name);
    }
  }
  closedir(d);
}

static int by_name(const void *x, const void *y) { return strcmp(x, y); }

static void write_string(const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f) die("open", path);
  printf("\"");
  for (int c; (c = getc(f)) != EOF;) {
    if (c == '\n')
      printf("\\n\"\n\"");
    else if (c == '"' || c == '\\')
      printf("\\%c", c);
    else if (c == '?')
      printf("\\?"); /* no trigraphs */
    else if (c < 32 || c > 126)
      printf("\\%03o", (unsigned)c);
    else
      putchar(c);
  }
  printf("\"");
  if (ferror(f)) die("read", path);
  fclose(f);
}

static void write_module(int k, const char *root) {
  nnames = 0;
  collect(root, "");
  qsort(names, (size_t)nnames, sizeof names[0], by_name);
  for (int i = 0; i < nnames; i++) {
    char full[2 * MAX_PATH];
    snprintf(full, sizeof full, "%s/%s", root, names[i]);
    printf("static const char text_%d_%d[] =\n", k, i);
    write_string(full);
    printf(";\n");
  }
  printf("static const LoadEmbeddedFile files_%d[] = {\n", k);
  for (int i = 0; i < nnames; i++) printf("    {\"%s\", text_%d_%d, sizeof text_%d_%d - 1},\n", names[i], k, i, k, i);
  printf("};\n");
}

int main(int argc, char **argv) {
  FILE *list = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (!list) die("usage: embed", "modules.txt");
  char line[3 * MAX_PATH], folder[MAX_PATH], path[64][MAX_PATH], version[64][32];
  int count[64], n = 0;
  printf("/* Made by stdlib/opm/embed.c. */\n#include \"stdlib/opm/catalog.h\"\n\n");
  while (fgets(line, sizeof line, list) && n < 64) {
    if (line[0] == '#' || sscanf(line, "%511s %511s %31s", folder, path[n], version[n]) != 3) continue;
    write_module(n, folder);
    count[n++] = nnames;
  }
  fclose(list);
  printf("const LoadEmbedded catalog_modules[] = {\n");
  for (int i = 0; i < n; i++) printf("    {\"%s\", \"%s\", files_%d, %d},\n", path[i], version[i], i, count[i]);
  printf("    {0},\n};\nconst size_t catalog_count = %d;\n", n);
  return fflush(stdout) || ferror(stdout);
}
