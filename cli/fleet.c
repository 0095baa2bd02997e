/* fleet.c - opm fleet build: the releases of a fleet, and what came of them. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/fleet.h"
#include "cli/log.h"
#include "compiler/load_fs.h"

enum { MOST_JOBS = 256 };

/* ---- flags ---- */

static ExitCode usage(Run *r, CueStr message) {
  return run_fail(r, &(Problem){.code = EXIT_GENERAL,
                                .type = "usage",
                                .message = message,
                                .hint = cue_strf(r->a, "%.*s --help", CUE_FMT(r->path))});
}

/* Digits only. */
static bool number(CueStr s, uint64_t most, uint64_t *out) {
  uint64_t n = 0;
  if (!s.n || s.n > 18) return false;
  for (size_t i = 0; i < s.n; i++) {
    if (s.s[i] < '0' || s.s[i] > '9') return false;
    n = n * 10 + (uint64_t)(s.s[i] - '0');
  }
  *out = n;
  return n <= most;
}

/* What this process may use of the machine. */
static unsigned processors(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) < 0) return 1;
  int n = CPU_COUNT(&set);
  return n < 1 ? 1 : n > MOST_JOBS ? MOST_JOBS : (unsigned)n;
}

static bool take_jobs(Run *r, FleetOptions *o, ExitCode *code) {
  CueStr text = flag_text(&r->flags, FLAG_JOBS);
  uint64_t n;
  o->jobs = processors();
  if (!r->flags.at[FLAG_JOBS].given) return true;
  if (number(text, MOST_JOBS, &n) && n) {
    o->jobs = (unsigned)n;
    return true;
  }
  *code = usage(r, cue_strf(r->a, "--jobs is a number from 1 to %d, not \"%.*s\"", MOST_JOBS, CUE_FMT(text)));
  return false;
}

static bool take_shard(Run *r, FleetOptions *o, ExitCode *code) {
  CueStr text = flag_text(&r->flags, FLAG_SHARD);
  o->shards = 1;
  if (!r->flags.at[FLAG_SHARD].given) return true;
  ptrdiff_t slash = cue_str_find(text, CUE_STR("/"));
  if (slash > 0 && number(cue_str_sub(text, 0, (size_t)slash), UINT32_MAX, &o->shard) &&
      number(cue_str_sub(text, (size_t)slash + 1, text.n), UINT32_MAX, &o->shards) && o->shard < o->shards)
    return true;
  *code = usage(r, cue_strf(r->a, "--shard is I/N with I from 0 to N-1, not \"%.*s\"", CUE_FMT(text)));
  return false;
}

static bool take_format(Run *r, FleetOptions *o, ExitCode *code) {
  static const struct {
    const char *name;
    FleetForm form;
  } forms[] = {{"cue", FLEET_CUE},      {"json", FLEET_JSON}, {"jsonl", FLEET_JSONL}, {"ndjson", FLEET_JSONL},
               {"ldjson", FLEET_JSONL}, {"yaml", FLEET_YAML}, {"yml", FLEET_YAML}};
  CueStr name = flag_text(&r->flags, FLAG_INPUT), ext = path_ext(o->fleet);
  struct stat st;
  if (!name.n && cue_str_is(o->fleet, "-")) name = CUE_STR("jsonl");
  if (!name.n && stat(o->fleet.s, &st) == 0 && S_ISDIR(st.st_mode)) name = CUE_STR("cue");
  if (!name.n && ext.n) name = cue_str_sub(ext, 1, ext.n);
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (!cue_str_is(name, forms[i].name)) continue;
    o->form = forms[i].form;
    return true;
  }
  *code = usage(r, cue_strf(r->a, "cannot tell the format of %.*s", CUE_FMT(o->shown)));
  cue_buf_z(r->err, "Hint: name it .cue, .yaml, .json or .jsonl, or give its format with --input\n");
  return false;
}

static bool take_options(Run *r, FleetOptions *o, ExitCode *code) {
  const Flags *f = &r->flags;
  CueStr form = flag_text(f, FLAG_OUTPUT);
  *o = (FleetOptions){.r = r, .out_dir = CUE_STR("")};
  if (f->args.n != 1 || !f->args.at[0].n) {
    *code = usage(r, cue_strf(r->a, "%.*s takes one fleet, got %u arguments", CUE_FMT(r->path), f->args.n));
    return false;
  }
  CueStr arg = f->args.at[0];
  bool input = cue_str_is(arg, "-");
  o->json = cue_str_is(form, "json");
  if (!o->json && !cue_str_is(form, "yaml")) {
    *code = usage(r, cue_strf(r->a, "invalid output format \"%.*s\" (valid: yaml, json)", CUE_FMT(form)));
    return false;
  }
  o->fleet = input ? arg : arg.s[0] == '/' ? path_clean(r->a, arg) : path_join(r->a, r->cwd, arg);
  o->shown = input ? CUE_STR("stdin") : run_shown(r, o->fleet);
  if (!take_format(r, o, code) || !take_jobs(r, o, code) || !take_shard(r, o, code)) return false;
  struct stat st;
  bool is_dir = !input && stat(o->fleet.s, &st) == 0 && S_ISDIR(st.st_mode);
  o->base = input ? r->cwd : is_dir ? o->fleet : path_dir(r->a, o->fleet);
  if (f->at[FLAG_OUT_DIR].given) {
    CueStr dir = flag_text(f, FLAG_OUT_DIR);
    if (!dir.n) {
      *code = usage(r, CUE_STR("the value of --out-dir is empty"));
      return false;
    }
    o->out_dir = dir.s[0] == '/' ? path_clean(r->a, dir) : path_join(r->a, r->cwd, dir);
  }
  o->prune = flag_on(f, FLAG_PRUNE);
  o->fail_fast = flag_on(f, FLAG_FAIL_FAST);
  o->progress = flag_on(f, FLAG_PROGRESS) && isatty(2);
  if (o->prune && !o->out_dir.n) {
    *code = usage(r, CUE_STR("--prune needs --out-dir: there is nothing to remove from a stream"));
    return false;
  }
  /* The argument is the fleet, not a module. */
  r->flags.args.n = 0;
  if (!render_options(r, &o->render, code)) return false;
  o->provider_reloaded = o->render.provider.package != NULL;
  return true;
}

/* ---- the summary ---- */

static CueStr counted(CueArena *a, uint64_t n, const char *what) {
  return cue_strf(a, "%llu %s%s", (unsigned long long)n, what, n == 1 ? "" : "s");
}

static void tell_summary(Run *r, const FleetOptions *o, const FleetCount *n, FleetEnd end) {
  CueArena *a = r->a;
  CueBuf b = cue_buf(a);
  cue_buf_f(&b, "%.*s rendered, %llu failed, %.*s", CUE_FMT(counted(a, n->releases - n->failed, "release")),
            (unsigned long long)n->failed, CUE_FMT(counted(a, n->objects, "object")));
  if (o->out_dir.n) {
    cue_buf_f(&b, "; %.*s written, %llu unchanged", CUE_FMT(counted(a, n->written, "file")),
              (unsigned long long)n->unchanged);
    if (n->pruned)
      cue_buf_f(&b, ", %llu removed", (unsigned long long)n->pruned);
    else if (n->stale)
      cue_buf_f(&b, ", %llu stale", (unsigned long long)n->stale);
  }
  if (r->verbose)
    log_f(r, LOG_INFO, "%.*s from compiled modules, %llu by the evaluator", CUE_FMT(counted(a, n->compiled, "release")),
          (unsigned long long)(n->releases - n->compiled));
  bool well = !n->failed && end == FLEET_DONE;
  log_line(r, well ? LOG_INFO : LOG_ERROR, CUE_STR(""), cue_buf_done(&b), NULL, 0);
  if (n->stale && !o->prune)
    log_f(r, LOG_WARN, "%.*s of earlier runs in %.*s: --prune removes them",
          CUE_FMT(counted(a, n->stale, "stale file")), CUE_FMT(run_shown(r, o->out_dir)));
  if (o->prune && (n->failed || end != FLEET_DONE))
    log_line(r, LOG_WARN, CUE_STR(""), CUE_STR("nothing was removed, as not all releases were rendered"), NULL, 0);
  if (end == FLEET_INTERRUPTED) log_line(r, LOG_ERROR, CUE_STR(""), CUE_STR("interrupted"), NULL, 0);
}

/* ---- the command ---- */

static ExitCode build(Run *r, const FleetOptions *o) {
  ExitCode code = EXIT_OK;
  FleetReader *in = fleet_open(o, &code);
  if (!in) return code;
  FleetPutter *out = fleet_putter_new(o, &code);
  if (!out) {
    fleet_close(in);
    return code;
  }
  FleetEnd end = fleet_work(o, in, out);
  CueStr error = cue_str_copy(r->a, fleet_read_error(in));
  fleet_finish(out, end == FLEET_DONE && !error.n);
  fleet_close(in);
  code = fleet_put_failed(out);
  if (error.n) code = run_fail(r, &(Problem){.code = EXIT_GENERAL, .type = "cannot read", .message = error});
  const FleetCount *n = fleet_count(out);
  tell_summary(r, o, n, end);
  fleet_putter_free(out);
  if (code != EXIT_OK) return code;
  if (end == FLEET_INTERRUPTED) return EXIT_INTERRUPTED;
  return n->failed ? EXIT_INVALID : EXIT_OK;
}

/* Signals that ask to stop are held back, and looked for between releases: files are whole, and the summary is told. */
ExitCode run_fleet_build(Run *r) {
  FleetOptions o;
  ExitCode code;
  sigset_t held, before;
  if (!take_options(r, &o, &code)) return code;
  Run apart = *r;
  o.apart = &apart;
  sigemptyset(&held);
  sigaddset(&held, SIGINT);
  sigaddset(&held, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &held, &before);
  code = build(r, &o);
  while (sigtimedwait(&held, NULL, &(struct timespec){0}) > 0) {}
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return code;
}
