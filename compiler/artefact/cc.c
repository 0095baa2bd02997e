/* cc.c - see cc.h.
**
** While the compiler runs, signals that would end us are held back and waited for together with its end, so that the
** folder is removed whatever comes first; then the signal takes its course. The compiler and what it runs are a process
** group, which ends as a whole. What a kill -9 leaves behind, `opm cache gc` takes away: folders are named after the
** process that made them.
*/
#include "compiler/artefact/cc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compiler/artefact/files.h"
#include "runtime/artefact.h"

extern char **environ;

static bool fail(CueStr *why, CueStr text) {
  *why = text;
  return false;
}

/* ---- finding it ---- */

static bool is_program(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* A word that is the path of a file, made absolute: it is not run where we are. */
static CueStr absolute(CueArena *a, CueStr word) {
  struct stat st;
  char here[PATH_MAX];
  bool relative = *word.s != '/' && *word.s != '-' && memchr(word.s, '/', word.n);
  if (!relative || stat(cue_str_copy(a, word).s, &st) != 0 || !getcwd(here, sizeof here)) return word;
  return cue_strf(a, "%s/%.*s", here, CUE_FMT(word));
}

/* As a shell would; an empty folder in PATH is not the current one, which could hold anything. */
static CueStr in_path(CueArena *a, CueStr name) {
  if (memchr(name.s, '/', name.n)) return is_program(cue_str_copy(a, name).s) ? name : CUE_STR("");
  const char *path = getenv("PATH");
  for (const char *end; path && *path; path = *end ? end + 1 : end) {
    end = strchrnul(path, ':');
    CueStr file = cue_strf(a, "%.*s/%.*s", (int)(end - path), path, CUE_FMT(name));
    if (*path == '/' && is_program(file.s)) return file;
  }
  return CUE_STR("");
}

static bool is_tiny(CueStr path) { return cue_str_is(path, "tcc") || cue_str_has_suffix(path, CUE_STR("/tcc")); }

static bool from_variable(CueArena *a, const char *text, CCompiler *out, CueStr *why) {
  for (const char *p = text; *p;) {
    size_t blank = strspn(p, " \t"), n = strcspn(p + blank, " \t");
    if (n) cue_push(a, &out->words, absolute(a, (CueStr){p + blank, n}));
    p += blank + n;
  }
  CueStr path = out->words.n ? in_path(a, out->words.at[0]) : CUE_STR("");
  if (!path.n) return fail(why, cue_strf(a, "the C compiler named by $CC was not found: %s", text));
  out->words.at[0] = path;
  out->tiny = is_tiny(path);
  return true;
}

bool cc_find(CueArena *a, unsigned tier, unsigned nth, CCompiler *out, CueStr *why) {
  static const char *const fast[] = {"tcc", "clang", "cc", "gcc"}, *const good[] = {"cc", "gcc", "clang", "tcc"};
  *out = (CCompiler){0};
  const char *chosen = getenv("CC");
  if (chosen && *chosen && !nth) return from_variable(a, chosen, out, why);
  for (size_t i = 0; i < sizeof fast / sizeof *fast && !(chosen && *chosen); i++) {
    CueStr path = in_path(a, cue_str(tier ? good[i] : fast[i]));
    if (!path.n || nth--) continue;
    cue_push(a, &out->words, path);
    out->tiny = is_tiny(path);
    return true;
  }
  return fail(why, CUE_STR("there is no C compiler: none of cc, gcc, clang, tcc is in PATH, and CC is not set"));
}

/* A word of $CC may be a script that is run. */
static void put_word(CueArena *a, CueBuf *out, CueStr word) {
  struct stat st;
  cue_buf_f(out, "%.*s%c", CUE_FMT(word), 0);
  if (!memchr(word.s, '/', word.n) || stat(cue_str_copy(a, word).s, &st) != 0) return;
  cue_buf_f(out, "%lld %lld.%09ld%c", (long long)st.st_size, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, 0);
}

CueStr cc_identity(CueArena *a) {
  CueBuf b = cue_buf(a);
  CCompiler cc;
  CueStr none;
  for (unsigned tier = 0; tier < 2; tier++)
    for (unsigned nth = 0; cc_find(a, tier, nth, &cc, &none); nth++) {
      cue_buf_f(&b, "%u%c", tier, 0);
      for (uint32_t i = 0; i < cc.words.n; i++) put_word(a, &b, cc.words.at[i]);
    }
  return cue_buf_done(&b);
}

/* ---- running it ---- */

#define OBJECT "artefact.so"
#define SAID "messages"

static void add(CueArena *a, CCompiler *c, const char *word) { cue_push(a, &c->words, cue_str(word)); }

/* Half the pages to read, check and map. Not every linker knows it. */
#define FEW_PAGES "-Wl,-z,noseparate-code"

static char **command(CueArena *a, const CCompiler *cc, unsigned tier, CueStr dir, CueStr source, bool few_pages) {
  /* Nothing in the object may tell where or when it was made; nothing from outside is linked in. */
  static const char *const usual[] = {"-fPIC",
                                      "-Wl,-Bsymbolic",
                                      "-fno-stack-protector",
                                      "-fno-asynchronous-unwind-tables",
                                      "-fno-ident",
                                      "-fno-math-errno",
                                      "-Wl,--hash-style=sysv",
                                      "-Wl,--build-id=none",
                                      "-Wl,-z,noexecstack",
                                      "-Wl,-s",
                                      "-w"};
  CCompiler c = {0};
  for (uint32_t i = 0; i < cc->words.n; i++) cue_push(a, &c.words, cc->words.at[i]);
  add(a, &c, "-shared");
  add(a, &c, "-nostdlib");
  if (!cc->tiny) {
    add(a, &c, tier ? "-O2" : "-O0");
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) add(a, &c, usual[i]);
    if (few_pages) add(a, &c, FEW_PAGES);
    add(a, &c, cue_strf(a, "-ffile-prefix-map=%.*s=.", CUE_FMT(dir)).s);
  }
  add(a, &c, "-I.");
  add(a, &c, "-o");
  add(a, &c, OBJECT);
  cue_push(a, &c.words, source);
  char **argv = cue_array(a, char *, c.words.n + 1);
  for (uint32_t i = 0; i < c.words.n; i++) argv[i] = (char *)cue_str_copy(a, c.words.at[i]).s;
  return argv;
}

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/* Whoever started us may have had a signal ignored, as nohup does: it is not waited for. */
static void held_back(sigset_t *set) {
  struct sigaction now;
  sigemptyset(set);
  for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
    if (sigaction(ending[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN) sigaddset(set, ending[i]);
  sigaddset(set, SIGCHLD);
}

/* Without a shell, in `dir`, with what it says in a file; its signals are as ours were. */
static int start(char **argv, CueStr dir, const sigset_t *before, pid_t *pid) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&how);
  posix_spawnattr_setsigmask(&how, before);
  posix_spawnattr_setpgroup(&how, 0);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  posix_spawn_file_actions_addchdir_np(&files, dir.s);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, SAID, O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  int error = posix_spawn(pid, argv[0], &files, &how, argv, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  return error;
}

static time_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec;
}

/* Ends the compiler and all that it runs: kindly, so that it can clean up, but not for long. */
static void stop(pid_t pid, int *status) {
  enum { TRIES = 100 };
  kill(-pid, SIGTERM);
  for (int i = 0; i < TRIES; i++) {
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid) break;
    nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
  }
  kill(-pid, SIGKILL);
  waitpid(pid, status, 0);
}

/* The signal that came instead of the end, SIGALRM if it took too long; 0 if it ended by itself. */
static int wait_for(pid_t pid, unsigned limit, const sigset_t *held, int *status) {
  for (time_t end = now() + limit;;) {
    pid_t got = waitpid(pid, status, WNOHANG);
    if (got == pid || (got < 0 && errno != EINTR)) return 0;
    siginfo_t info;
    /* Another's wait may have taken the news of a child, so it is asked for now and then. */
    int sig = now() > end ? SIGALRM : sigtimedwait(held, &info, &(struct timespec){.tv_nsec = 200 * 1000 * 1000});
    if (sig <= 0 || sig == SIGCHLD) continue;
    stop(pid, status);
    return sig;
  }
}

/* ---- what went wrong ---- */

static CueStr said(CueArena *a, CueStr dir) {
  enum { ENOUGH = 4000 };
  CueStr text = CUE_STR(""), error;
  file_take(a, cue_strf(a, "%.*s/" SAID, CUE_FMT(dir)), &text, &error);
  text = cue_str_sub(text, 0, text.n < ENOUGH ? text.n : ENOUGH);
  while (text.n && text.s[text.n - 1] == '\n') text.n--;
  return text;
}

static CueStr said_no(CueArena *a, CueStr dir, const char *name, int status) {
  CueStr text = said(a, dir);
  CueStr end = WIFSIGNALED(status) ? cue_strf(a, "was ended by signal %d", WTERMSIG(status))
                                   : cue_strf(a, "failed with exit code %d", WEXITSTATUS(status));
  return cue_strf(a, "the C compiler %s %.*s%s%.*s", name, CUE_FMT(end), text.n ? ":\n" : "", CUE_FMT(text));
}

static bool is_full(const char *folder) {
  enum { LITTLE = 1 << 20 };
  struct statvfs s;
  if (statvfs(folder, &s) != 0) return false;
  return (uint64_t)s.f_bavail * s.f_frsize < LITTLE || (s.f_files && !s.f_favail);
}

/* A compiler that had no room to write to may do better another time. Some do not notice, and make half a file. */
static CcAnswer refused(CueArena *a, CueStr dir, CueStr *why) {
  const char *tmp = getenv("TMPDIR");
  struct rlimit most;
  bool limited = getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY;
  if (!tmp || !*tmp) tmp = "/tmp";
  const char *full = is_full(dir.s)                                       ? "the disk of the cache is full"
                     : is_full(tmp)                                       ? "the disk of temporary files is full"
                     : cue_str_find(*why, cue_str(strerror(ENOSPC))) >= 0 ? "a disk is full"
                     : limited                                            ? "the size of files is limited (ulimit -f)"
                                                                          : NULL;
  if (!full) return CC_REFUSED;
  *why = cue_strf(a, "%s: %.*s", full, CUE_FMT(*why));
  return CC_FAILED;
}

/* What it made, if that can be loaded. */
static bool take_object(CueArena *a, CueStr dir, const char *name, CueStr *object, CueStr *why) {
  ArtefactObject checked;
  CueStr error;
  if (!file_take(a, cue_strf(a, "%.*s/" OBJECT, CUE_FMT(dir)), object, &error))
    return fail(why, cue_strf(a, "the C compiler %s said that all is well, but made no file", name));
  if (artefact_object(a, *object, &checked, &error)) return true;
  return fail(why, cue_strf(a, "the C compiler made something that opm does not load: %.*s", CUE_FMT(error)));
}

/* ---- both ---- */

/* A header may lie in a folder. */
static bool put_source(CueArena *a, CueStr dir, const CFile *f, CueStr *why) {
  size_t slash = f->name.n;
  while (slash && f->name.s[slash - 1] != '/') slash--;
  CueStr folder = cue_strf(a, "%.*s/%.*s", CUE_FMT(dir), CUE_FMT(cue_str_sub(f->name, 0, slash)));
  return (!slash || folder_make(a, folder, why)) &&
         file_put(a, cue_strf(a, "%.*s/%.*s", CUE_FMT(dir), CUE_FMT(f->name)), f->text, why);
}

typedef struct {
  CueArena *a;
  const CCompiler *cc;
  unsigned tier;
  CueStr dir, source;
  sigset_t held, before;
  int sig; /* that came while it ran */
} Job;

static CcAnswer compile_as(Job *j, bool few_pages, CueStr *object, CueStr *why) {
  CueArena *a = j->a;
  char **argv = command(a, j->cc, j->tier, j->dir, j->source, few_pages);
  pid_t pid;
  int status = 0, error = start(argv, j->dir, &j->before, &pid);
  if (error) {
    *why = cue_strf(a, "the C compiler %s cannot be run: %s", argv[0], strerror(error));
    return CC_FAILED;
  }
  unsigned limit = j->cc->limit ? j->cc->limit : CC_LIMIT;
  j->sig = wait_for(pid, limit, &j->held, &status);
  if (j->sig == SIGALRM) {
    j->sig = 0;
    *why = cue_strf(a, "the C compiler %s did not end within %u seconds", argv[0], limit);
    return CC_REFUSED;
  }
  if (j->sig) {
    *why = CUE_STR("interrupted");
    return CC_FAILED;
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return take_object(a, j->dir, argv[0], object, why) ? CC_DONE : refused(a, j->dir, why);
  *why = said_no(a, j->dir, argv[0], status);
  return WIFEXITED(status) ? refused(a, j->dir, why) : CC_FAILED;
}

static CcAnswer compile_in(Job *j, const CFile *files, uint32_t n, CueStr *object, CueStr *why) {
  for (uint32_t i = 0; i < n; i++)
    if (!put_source(j->a, j->dir, &files[i], why)) return CC_FAILED;
  j->source = files[0].name;
  CcAnswer answer = compile_as(j, true, object, why);
  if (answer != CC_REFUSED || cue_str_find(*why, CUE_STR("noseparate-code")) < 0) return answer;
  unlink(cue_strf(j->a, "%.*s/" SAID, CUE_FMT(j->dir)).s);
  return compile_as(j, false, object, why);
}

CcAnswer cc_run(CueArena *a, const CCompiler *cc, unsigned tier, CueStr scratch, const CFile *files, uint32_t n,
                CueStr *object, CueStr *why) {
  Job j = {.a = a, .cc = cc, .tier = tier};
  held_back(&j.held);
  pthread_sigmask(SIG_BLOCK, &j.held, &j.before);
  CcAnswer answer = CC_FAILED;
  if (folder_private(a, scratch, &j.dir, why)) {
    answer = compile_in(&j, files, n, object, why);
    folder_remove(a, j.dir);
  }
  pthread_sigmask(SIG_SETMASK, &j.before, NULL);
  if (j.sig) raise(j.sig);
  return answer;
}
