/* proc.c - running commands and handling files for the test programs. */
#include "tests/proc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void proc_die(const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vfprintf(stderr, fmt, ap);
  va_end(ap);
  fprintf(stderr, ": %s\n", strerror(errno));
  exit(2);
}

double now_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static CueStr read_fd(CueArena *a, int fd) {
  CueBuf b = cue_buf(a);
  for (;;) {
    ssize_t n = read(fd, cue_buf_room(&b, 65536), 65536);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    b.n += (size_t)n;
  }
  return cue_buf_done(&b);
}

bool file_read(CueArena *a, const char *path, CueStr *out) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  *out = read_fd(a, fd);
  close(fd);
  return true;
}

static void make_parents(const char *path) {
  char *p = strdup(path);
  if (!p) proc_die("out of memory");
  for (char *s = p + 1; *s; s++)
    if (*s == '/') {
      *s = 0;
      if (mkdir(p, 0777) < 0 && errno != EEXIST) proc_die("mkdir %s", p);
      *s = '/';
    }
  free(p);
}

void file_write(const char *path, CueStr text) {
  make_parents(path);
  FILE *f = fopen(path, "wb");
  if (!f) proc_die("open %s", path);
  if (fwrite(text.s, 1, text.n, f) != text.n || fclose(f)) proc_die("write %s", path);
}

const char *program_copy(CueArena *a, const char *program, const char *dir) {
  const char *slash = strrchr(program, '/'), *to = cue_strf(a, "%s/bin/%s", dir, slash ? slash + 1 : program).s;
  make_parents(to);
  ProcResult p = proc_run(a, (const char *const[]){"install", "-m", "755", program, to, NULL}, (ProcOptions){0});
  if (p.exit) proc_die("install %s: %.*s", program, CUE_FMT(p.err));
  return to;
}

bool file_marked(CueArena *a, const char *path, const char *name, CueStr *before, CueStr *inside, CueStr *behind) {
  CueStr text, begin = cue_strf(a, "<!-- %s: begin -->\n", name), end = cue_strf(a, "<!-- %s: end -->\n", name);
  if (!file_read(a, path, &text)) return false;
  ptrdiff_t from = cue_str_find(text, begin), to = cue_str_find(text, end);
  if (from < 0 || to < from) return false;
  size_t start = (size_t)from + begin.n;
  *before = cue_str_sub(text, 0, start);
  *inside = cue_str_sub(text, start, (size_t)to);
  *behind = cue_str_sub(text, (size_t)to, text.n);
  return true;
}

bool dir_exists(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Calls fn for each entry of dir, in no order. */
static void each_entry(CueArena *a, const char *dir, void (*fn)(CueArena *, const char *, const char *, void *),
                       void *arg) {
  DIR *d = opendir(dir);
  if (!d) return;
  for (struct dirent *e; (e = readdir(d));)
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
      fn(a, cue_strf(a, "%s/%s", dir, e->d_name).s, e->d_name, arg);
  closedir(d);
}

static void copy_entry(CueArena *a, const char *path, const char *name, void *arg) {
  const char *to = cue_strf(a, "%s/%s", (const char *)arg, name).s;
  struct stat st;
  CueStr text;
  char link[4096];
  if (lstat(path, &st) < 0) proc_die("stat %s", path);
  if (S_ISLNK(st.st_mode)) {
    ssize_t n = readlink(path, link, sizeof link - 1);
    if (n < 0) proc_die("readlink %s", path);
    link[n] = 0;
    if (symlink(link, to) < 0) proc_die("symlink %s", to);
  } else if (S_ISDIR(st.st_mode))
    dir_copy(path, to);
  else if (file_read(a, path, &text))
    file_write(to, text);
}

void dir_copy(const char *from, const char *to) {
  CueArena *a = cue_arena_new();
  make_parents(cue_strf(a, "%s/", to).s);
  each_entry(a, from, copy_entry, (void *)(uintptr_t)to);
  cue_arena_free(a);
}

static void remove_entry(CueArena *a, const char *path, const char *name, void *arg) {
  (void)name, (void)arg;
  struct stat st;
  if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
    chmod(path, 0777);
    each_entry(a, path, remove_entry, NULL);
    rmdir(path);
  } else
    unlink(path);
}

void dir_remove(const char *path) {
  CueArena *a = cue_arena_new();
  remove_entry(a, path, path, NULL);
  cue_arena_free(a);
}

typedef struct {
  CUE_VEC(const char *) found;
  const char *suffix;
} Listing;

static void list_entry(CueArena *a, const char *path, const char *name, void *arg) {
  Listing *l = arg;
  (void)name;
  if (dir_exists(path))
    each_entry(a, path, list_entry, l);
  else if (cue_str_has_suffix(cue_str(path), cue_str(l->suffix)))
    cue_push(a, &l->found, path);
}

static int by_name(const void *x, const void *y) { return strcmp(*(const char *const *)x, *(const char *const *)y); }

const char **dir_list(CueArena *a, const char *dir, const char *suffix) {
  Listing l = {.suffix = suffix};
  each_entry(a, dir, list_entry, &l);
  if (l.found.n) qsort(l.found.at, l.found.n, sizeof *l.found.at, by_name);
  cue_push(a, &l.found, NULL);
  return l.found.at;
}

char *scratch_dir(CueArena *a) {
  const char *base = getenv("TMPDIR");
  CueStr s = cue_strf(a, "%s/opm-test-XXXXXX", base && *base ? base : "/tmp");
  char *p = cue_alloc(a, s.n + 1);
  memcpy(p, s.s, s.n);
  if (!mkdtemp(p)) proc_die("mkdtemp %s", p);
  return p;
}

/* A file in memory: unlike a pipe it takes any amount without a reader. */
static int spool(void) {
  int fd = memfd_create("spool", MFD_CLOEXEC);
  if (fd < 0) proc_die("memfd_create");
  return fd;
}

/* An alarm in the child would be simpler, but Go programs ignore it. */
static bool ends_within(pid_t pid, unsigned seconds) {
  int fd = (int)syscall(SYS_pidfd_open, pid, 0);
  if (fd < 0) proc_die("pidfd_open");
  struct pollfd p = {.fd = fd, .events = POLLIN};
  int n;
  while ((n = poll(&p, 1, (int)seconds * 1000)) < 0 && errno == EINTR) continue;
  close(fd);
  return n > 0;
}

ProcResult proc_call(CueArena *a, ProcFn *fn, void *arg, ProcOptions opt) {
  int in = spool(), out = spool(), err = spool();
  if (opt.in.n && write(in, opt.in.s, opt.in.n) != (ssize_t)opt.in.n) proc_die("write");
  lseek(in, 0, SEEK_SET);
  fflush(NULL);
  double start = now_seconds();
  pid_t pid = fork();
  if (pid < 0) proc_die("fork");
  if (pid == 0) {
    dup2(in, 0), dup2(out, 1), dup2(err, 2);
    if (opt.cwd && chdir(opt.cwd) < 0) _exit(127);
    for (const char *const *e = opt.env; e && *e; e++) putenv((char *)(uintptr_t)*e);
    int code = fn(arg);
    fflush(NULL);
    _exit(code);
  }
  bool timeout = !ends_within(pid, opt.timeout ? opt.timeout : 20);
  if (timeout) kill(pid, SIGKILL);
  int status;
  struct rusage use;
  while (wait4(pid, &status, 0, &use) < 0)
    if (errno != EINTR) proc_die("wait4");
  ProcResult r = {.timeout = timeout, .seconds = now_seconds() - start, .max_rss_kb = use.ru_maxrss};
  r.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  lseek(out, 0, SEEK_SET), lseek(err, 0, SEEK_SET);
  r.out = read_fd(a, out), r.err = read_fd(a, err);
  close(in), close(out), close(err);
  return r;
}

static int become(void *arg) {
  char *const *argv = arg;
  execvp(argv[0], argv);
  dprintf(2, "%s: %s\n", argv[0], strerror(errno));
  return 127;
}

ProcResult proc_run(CueArena *a, const char *const *argv, ProcOptions opt) {
  return proc_call(a, become, (void *)(uintptr_t)argv, opt);
}
