/* cache_cmd.c - opm cache: what was compiled, whether it is whole, and what of it can go. */
#include <errno.h>
#include <time.h>

#include "cli/cache.h"
#include "cli/compiled.h"
#include "cli/log.h"
#include "cli/steps.h"
#include "cli/style.h"
#include "compiler/load_fs.h"

/* ---- numbers for people ---- */

static CueStr shown_size(CueArena *a, uint64_t bytes) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
  double x = (double)bytes;
  size_t i = 0;
  for (; x >= 1024 && i < 3; i++) x /= 1024;
  return cue_strf(a, i ? "%.1f %s" : "%.0f %s", x, units[i]);
}

static CueStr shown_age(CueArena *a, int64_t seconds) {
  static const struct {
    int64_t length;
    char unit;
  } steps[] = {{86400, 'd'}, {3600, 'h'}, {60, 'm'}, {1, 's'}};
  size_t i = 0;
  while (i < 3 && seconds < steps[i].length) i++;
  return cue_strf(a, "%lld%c", (long long)((seconds < 0 ? 0 : seconds) / steps[i].length), steps[i].unit);
}

/* A number and a unit: "30d", "500M". False if it is none of those. */
static bool parse_amount(CueStr text, const char *units, const uint64_t *factors, uint64_t *out) {
  uint64_t n = 0;
  size_t i = 0;
  for (; i < text.n && text.s[i] >= '0' && text.s[i] <= '9'; i++)
    if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, (uint64_t)(text.s[i] - '0'), &n)) return false;
  if (!i) return false;
  for (size_t u = 0; i + 1 == text.n && units[u]; u++)
    if (units[u] == text.s[i]) return !__builtin_mul_overflow(n, factors[u], out);
  *out = n;
  return i == text.n && n == 0; /* without a unit only nothing is clear */
}

static const char *kind_name(CompiledKind k) { return k == COMPILED_PROVIDER ? "provider" : "module"; }

/* ---- ls ---- */

typedef struct {
  const CacheEntry *entry;
  ArtefactFile file;
  CueStr why; /* why it is refused; "" if it is not */
} Looked;

static Looked look(CueArena *a, const CacheEntry *e) {
  Looked l = {.entry = e, .why = CUE_STR("")};
  if (artefact_open(a, e->path, &l.file, &l.why)) l.why = CUE_STR("");
  return l;
}

/* The name of an object without folder and suffix: a digest, of which people need the beginning. */
static CueStr key_of(const CacheEntry *e) {
  size_t slash = 0;
  for (size_t i = 0; i < e->name.n; i++)
    if (e->name.s[i] == '/') slash = i + 1;
  CueStr key = cue_str_sub(e->name, slash, e->name.n);
  return cue_str_has_suffix(key, CUE_STR(".so")) ? cue_str_sub(key, 0, key.n - 3) : key;
}

static CueValue listed_data(Run *r, const Looked *l, int64_t age) {
  FieldList f = {0};
  fields_text(r->a, &f, "key", key_of(l->entry));
  if (!l->why.n) {
    fields_text(r->a, &f, "kind", cue_str(kind_name(l->file.seal.kind)));
    fields_text(r->a, &f, "name", l->file.seal.name);
    fields_add(r->a, &f, "tier", cue_int(l->file.seal.tier));
  }
  fields_add(r->a, &f, "size", cue_int((int64_t)l->entry->size));
  fields_add(r->a, &f, "secondsSinceUse", cue_int(age));
  fields_text(r->a, &f, "path", l->entry->path);
  fields_text(r->a, &f, "refused", l->why);
  return fields_struct(r->a, &f);
}

static ExitCode wrong_use(Run *r, const char *what) {
  return run_usage(r, "%.*s %s, but got \"%.*s\"", CUE_FMT(r->path), what, CUE_FMT(r->flags.args.at[0]));
}

/* What is in the cache; false if there is none, or it cannot be looked into. */
static bool list_cache(Run *r, Cache *c, CacheEntries *all, ExitCode *code) {
  CueStr why;
  *c = cli_cache(r->a);
  errno = 0;
  if (cache_list(r->a, c, all, &why)) return true;
  *code = run_fail(r, &(Problem){.code = exit_of_errno(),
                                 .type = "no cache",
                                 .message = why,
                                 .hint = CUE_STR("XDG_CACHE_HOME names the folder that the cache is in.")});
  return false;
}

ExitCode run_cache_ls(Run *r) {
  if (r->flags.args.n) return wrong_use(r, "takes no arguments");
  CueStr form = flag_text(&r->flags, FLAG_OUTPUT);
  Cache c;
  CacheEntries all;
  ExitCode code;
  if (!list_cache(r, &c, &all, &code)) return code;
  CUE_VEC(CueStr) cells = {0};
  CUE_VEC(CueValue) data = {0};
  static const char *const heads[] = {"KIND", "NAME", "TIER", "SIZE", "USED", "KEY"};
  enum { COLUMNS = sizeof heads / sizeof *heads };
  for (int i = 0; i < COLUMNS; i++) cue_push(r->a, &cells, cue_str(heads[i]));
  uint64_t total = 0;
  for (uint32_t i = 0; i < all.n; i++) {
    const CacheEntry *e = &all.at[i];
    if (e->kind != CACHE_OBJECT) continue;
    Looked l = look(r->a, e);
    int64_t age = time(NULL) - e->used;
    total += e->size;
    cue_push(r->a, &data, listed_data(r, &l, age));
    cue_push(r->a, &cells, l.why.n ? CUE_STR("refused") : cue_str(kind_name(l.file.seal.kind)));
    cue_push(r->a, &cells, l.why.n ? CUE_STR("-") : l.file.seal.name);
    cue_push(r->a, &cells, l.why.n ? CUE_STR("-") : cue_int_text(r->a, l.file.seal.tier));
    cue_push(r->a, &cells, shown_size(r->a, e->size));
    cue_push(r->a, &cells, shown_age(r->a, age));
    cue_push(r->a, &cells, cue_str_sub(key_of(e), 0, 12));
  }
  if (cue_str_is(form, "json")) {
    CueList *l = cue_list_new(r->a, data.n);
    for (uint32_t i = 0; i < data.n; i++) l->at[i] = data.at[i];
    steps_put(r, cue_list(l), true);
    return EXIT_OK;
  }
  if (!cue_str_is(form, "table"))
    return run_usage(r, "unknown output format \"%.*s\": must be table or json", CUE_FMT(form));
  if (!data.n) {
    log_f(r, LOG_INFO, "nothing is compiled yet in %.*s", CUE_FMT(c.dir));
    return EXIT_OK;
  }
  style_table(pen_out(r), cells.at, NULL, COLUMNS, cells.n / COLUMNS);
  log_f(r, LOG_INFO, "%u compiled, %.*s in %.*s", data.n, CUE_FMT(shown_size(r->a, total)), CUE_FMT(c.dir));
  return EXIT_OK;
}

/* ---- verify ---- */

static void put_line(Run *r, const char *key, CueStr value) { cue_buf_f(r->out, "  %-10s%.*s\n", key, CUE_FMT(value)); }

/* All that a file says of itself. */
static void describe(Run *r, CueStr shown, const ArtefactFile *f) {
  const ArtefactSeal *s = &f->seal;
  CueStr ours = cli_seal(s->kind, s->name, s->tier).compiler;
  cue_buf_f(r->out, "%.*s: intact\n", CUE_FMT(shown));
  put_line(r, "kind", cue_str(kind_name(s->kind)));
  put_line(r, "name", s->name);
  put_line(r, "abi", cue_int_text(r->a, s->abi));
  put_line(r, "tier", cue_int_text(r->a, s->tier));
  put_line(r, "language", s->language);
  put_line(
      r, "compiler",
      cue_strf(r->a, "%.*s%s", CUE_FMT(s->compiler), cue_str_eq(ours, s->compiler) ? " (this opm)" : " (another opm)"));
  put_line(r, "inputs", cache_key(r->a, s));
  for (uint32_t i = 0; i < s->inputs.n; i++)
    cue_buf_f(r->out, "    %-7.*s %.*s %.*s\n", CUE_FMT(s->inputs.at[i].kind), CUE_FMT(s->inputs.at[i].digest),
              CUE_FMT(s->inputs.at[i].name));
}

static ExitCode verify_file(Run *r, CueStr arg) {
  CueStr path = arg.s[0] == '/' ? arg : path_join(r->a, r->cwd, arg), why;
  ArtefactFile f;
  ExitCode code;
  if (compiled_open(r->a, path, &f, &why, &code)) {
    describe(r, arg, &f);
    return EXIT_OK;
  }
  log_f(r, LOG_ERROR, "%.*s is refused: %.*s", CUE_FMT(arg), CUE_FMT(why));
  return code;
}

/* An object must also be where it belongs. */
static bool verify_entry(Run *r, const CacheEntry *e) {
  Looked l = look(r->a, e);
  if (!l.why.n && !cue_str_eq(cache_key(r->a, &l.file.seal), key_of(e)))
    l.why = CUE_STR("it is not what its name says");
  if (l.why.n) log_f(r, LOG_ERROR, "%.*s is refused: %.*s", CUE_FMT(e->name), CUE_FMT(l.why));
  return !l.why.n;
}

static ExitCode verify_all(Run *r) {
  uint32_t bad = 0, n = 0;
  Cache c;
  CacheEntries all;
  ExitCode code;
  if (!list_cache(r, &c, &all, &code)) return code;
  for (uint32_t i = 0; i < all.n; i++) {
    if (all.at[i].kind != CACHE_OBJECT) continue;
    n++;
    bad += !verify_entry(r, &all.at[i]);
  }
  log_f(r, LOG_INFO, "%u of %u are intact", n - bad, n);
  return bad ? EXIT_INVALID : EXIT_OK;
}

/* The exit code is that of the first file that is refused. */
ExitCode run_cache_verify(Run *r) {
  ExitCode code = r->flags.args.n ? EXIT_OK : verify_all(r);
  for (uint32_t i = 0; i < r->flags.args.n; i++) {
    if (!r->flags.args.at[i].n) return run_usage(r, "the name of a file is empty");
    ExitCode one = verify_file(r, r->flags.args.at[i]);
    if (code == EXIT_OK) code = one;
  }
  r->failed |= code != EXIT_OK;
  return code;
}

/* ---- gc ---- */

static const uint64_t seconds_of[] = {1, 60, 3600, 86400, 604800};
static const uint64_t bytes_of[] = {1, 1 << 10, 1 << 20, 1 << 30};

ExitCode run_cache_gc(Run *r) {
  if (r->flags.args.n) return wrong_use(r, "takes no arguments");
  CueStr age = flag_text(&r->flags, FLAG_OLDER_THAN), size = flag_text(&r->flags, FLAG_MAX_SIZE);
  uint64_t seconds, bytes;
  if (!parse_amount(age, "smhdw", seconds_of, &seconds))
    return run_usage(r, "invalid age \"%.*s\": a number and one of s, m, h, d, w", CUE_FMT(age));
  if (!parse_amount(size, "BKMG", bytes_of, &bytes))
    return run_usage(r, "invalid size \"%.*s\": a number and one of B, K, M, G", CUE_FMT(size));
  bool dry = flag_on(&r->flags, FLAG_DRY_RUN);
  Cache c;
  CacheEntries all;
  ExitCode code;
  if (!list_cache(r, &c, &all, &code)) return code;
  cache_choose(r->a, &all, time(NULL) - (int64_t)seconds, bytes);
  uint32_t n = 0;
  uint64_t freed = 0;
  for (uint32_t i = 0; i < all.n; i++) {
    const CacheEntry *e = &all.at[i];
    if (!e->doomed) continue;
    if (!dry && !cache_remove(r->a, e)) {
      log_f(r, LOG_ERROR, "cannot remove %.*s", CUE_FMT(e->path));
      r->failed = true;
      continue;
    }
    n++;
    freed += e->size;
    if (dry || r->verbose) cue_buf_f(r->out, "%.*s\n", CUE_FMT(e->name));
  }
  if (!dry) cache_sweep_locks(r->a, &c);
  log_f(r, LOG_INFO, "%s %u files, %.*s", dry ? "would remove" : "removed", n, CUE_FMT(shown_size(r->a, freed)));
  return r->failed ? EXIT_GENERAL : EXIT_OK;
}
