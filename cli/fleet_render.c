/* fleet_render.c - the releases of a block, one by one. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/fleet.h"
#include "cli/log.h"
#include "cli/native.h"
#include "compiler/load_fs.h"
#include "runtime/release/release.h"
#include "stdlib/cue/stdlib.h"
#include "stdlib/cue/toml_read.h"
#include "stdlib/opm/catalog.h"

enum { RENDERERS = 8 }; /* modules that a worker has at hand */

typedef struct {
  CueArena *a;
  CueStr module; /* as entries name it */
  CueStr dir;
  FleetModule *of;
  bool asked, has_own; /* own: values of the module itself */
  CueValue own;
  ReleaseRenderer *renderer;
  uint64_t used;
} AtHand;

struct FleetWorker {
  const FleetOptions *o;
  FleetModules *modules;
  CueArena *keep;
  CueArena *a; /* of the release at hand, except what goes into its block */
  CueBuf file; /* text of a file that is there already */
  AtHand at_hand[RENDERERS], *last;
  uint64_t clock;
};

FleetWorker *fleet_worker_new(const FleetOptions *o, FleetModules *modules) {
  CueArena *keep = cue_arena_new();
  FleetWorker *w = cue_new(keep, FleetWorker);
  *w = (FleetWorker){.o = o, .modules = modules, .a = cue_arena_new(), .keep = keep, .file = cue_buf(keep)};
  return w;
}

static void put_away(FleetWorker *w, AtHand *h) {
  if (!h->of) return;
  release_renderer_free(h->renderer);
  fleet_module_drop(w->modules, h->of);
  cue_arena_free(h->a);
  h->of = NULL;
}

void fleet_worker_free(FleetWorker *w) {
  for (size_t i = 0; i < RENDERERS; i++) put_away(w, &w->at_hand[i]);
  cue_arena_free(w->a);
  cue_arena_free(w->keep);
}

/* ---- what came out ---- */

static bool is_same(FleetWorker *w, CueStr path, CueStr text) {
  int fd = open(path.s, O_RDONLY | O_CLOEXEC);
  struct stat st;
  bool same = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_size == text.n;
  w->file.n = 0;
  while (same && w->file.n < text.n) {
    ssize_t n = read(fd, cue_buf_room(&w->file, text.n), text.n - w->file.n);
    if (n <= 0) break;
    w->file.n += (size_t)n;
  }
  if (fd >= 0) close(fd);
  return same && w->file.n == text.n && !memcmp(w->file.s, text.s, text.n);
}

/* The objects of a release into its block: to the end of the stream, or as files. */
static void put(FleetWorker *w, FleetBlock *b, CueArena *a, const Release *rel) {
  const FleetOptions *o = w->o;
  CueSeen seen = {0};
  for (uint32_t i = 0; i < rel->nobjects; i++) {
    size_t from = b->out.n;
    CueValue object = rel->objects[i].object;
    if (!o->out_dir.n) {
      if (!o->json) cue_buf_add(&b->out, "---\n", 4);
      (o->json ? release_put_line : release_put_yaml)(&b->out, object, &seen);
      continue;
    }
    (o->json ? release_put_json : release_put_yaml)(&b->out, object, &seen);
    CueStr base = release_object_file(a, rel, i);
    CueStr path = cue_strf(b->a, "%.*s/%.*s/%.*s.%s", CUE_FMT(rel->namespace), CUE_FMT(rel->name), CUE_FMT(base),
                           o->json ? "json" : "yaml");
    FleetFile f = {.path = path, .from = from, .to = b->out.n};
    f.same = is_same(w, path_join(a, o->out_dir, path), (CueStr){b->out.s + from, b->out.n - from});
    cue_push(b->a, &b->files, f);
  }
}

static void done(FleetBlock *b, FleetDone d) {
  d.out = b->out.n;
  d.err = b->err.n;
  d.files = b->files.n;
  d.warnings = b->warnings.n;
  cue_push(b->a, &b->done, d);
}

static void keep_warnings(FleetBlock *b, CueStr dir, const FleetNotes *notes, const Release *rel) {
  if (!notes->texts.n && !rel->nwarnings) return;
  CueStr module = cue_str_copy(b->a, dir);
  for (uint32_t i = 0; i < notes->texts.n; i++)
    cue_push(b->a, &b->warnings, (FleetWarning){module, cue_str_copy(b->a, notes->texts.at[i])});
  for (uint32_t i = 0; i < rel->nwarnings; i++)
    cue_push(b->a, &b->warnings, (FleetWarning){module, cue_str_copy(b->a, rel->warnings[i])});
}

/* A release that was rendered, of the module in a folder. */
static void rendered(FleetWorker *w, FleetBlock *b, CueArena *a, CueStr dir, const Release *rel, FleetDone *d) {
  d->name = cue_str_copy(b->a, rel->name);
  d->namespace = cue_str_copy(b->a, rel->namespace);
  d->objects = rel->nobjects;
  d->place = fleet_hash(fleet_hash(0, rel->name), rel->namespace);
  d->release = fleet_hash(d->place, dir);
  put(w, b, a, rel);
}

/* ---- by the evaluator ---- */

static CueStr from_base(CueArena *a, const FleetOptions *o, CueStr path) {
  return path.s[0] == '/' ? path_clean(a, path) : path_join(a, o->base, path);
}

/* A file whose only field is the `values` of the entry. */
static AstFile *values_file(CueContext *c, const Ast *entry) {
  CuePos at;
  const Ast *values = fleet_field(c->a, entry, "values", &at);
  Ast *f = ast_new(c->a, AST_FIELD, at, values->end);
  f->u.field.label = ast_new(c->a, AST_IDENT, at, at);
  f->u.field.label->u.ident.name = CUE_STR("values");
  f->u.field.value = (Ast *)(uintptr_t)values; /* the entry is this context's own */
  AstFile *file = cue_new(c->a, AstFile);
  file->package = CUE_STR("");
  file->source = cue_source_of(c->sources, at);
  file->root = ast_new(c->a, AST_FILE, at, values->end);
  ast_list_add(c->a, &file->root->u.list, f);
  return file;
}

static RenderOptions options_for(CueContext *c, const FleetOptions *o, const RenderOptions *common, const FleetEntry *e,
                                 const Ast *entry) {
  RenderOptions x = *common;
  CueStr *files = cue_array(c->a, CueStr, e->nfiles + 1);
  for (uint32_t i = 0; i < e->nfiles; i++) files[i] = from_base(c->a, o, e->files[i]);
  x.dir = from_base(c->a, o, e->module);
  x.name = e->name;
  x.namespace = e->namespace;
  x.environment = e->environment;
  x.values = files;
  x.nvalues = e->nfiles;
  if (e->values.kind == CUE_STRUCT) x.values_file = values_file(c, entry);
  return x;
}

static void tell_failure(Run *r, const FleetOptions *o, const FleetItem *i, CueStr name, CueStr module) {
  LogField fields[2] = {{"entry", fleet_place(r->a, o, i)}, {"module", module}};
  log_line(r, LOG_ERROR, name, CUE_STR("not rendered"), fields, module.n ? 2 : 1);
}

/* The release of an entry; e is NULL if it is not right. False if there is none, and the reason is told. */
static bool evaluate(FleetWorker *w, FleetBlock *b, const FleetItem *item, const FleetEntry *e, Run *r, FleetDone *d) {
  const FleetOptions *o = w->o;
  CueContext *c = r->c;
  RenderFailure why = {.details = {.a = r->a}, .summary = CUE_STR("entry of the fleet is not valid")};
  why.hint = CUE_STR("");
  if (item->error.n) {
    log_line(r, LOG_ERROR, item->key, why.summary, NULL, 0);
    cue_buf_str(r->err, item->error);
    return false;
  }
  CueStr name = e ? e->name : item->key;
  Ast *entry = fleet_syntax(c, o, item, &why);
  if (entry && !e) fleet_explain(c, entry, &why);
  if (!entry || !e) {
    render_failed(r, name, &why);
    return false;
  }
  RenderOptions common = o->render;
  ExitCode code;
  if (o->provider_reloaded && !render_options(r, &common, &code)) return false;
  RenderOptions x = options_for(c, o, &common, e, entry);
  FleetNotes notes = {.a = r->a, .told = o->apart};
  fleet_note_replaced(&notes, &x.load);
  RenderResult *res = cue_new(r->a, RenderResult);
  size_t said = r->err->n;
  bool ok = render(c, &x, res, &why);
  if (!ok)
    render_failed(r, name.n ? name : res->module.name, &why);
  else if (render_errors(r, res) != EXIT_OK)
    ok = false;
  if (!ok) {
    /* What fails is told first, then why, and what may have to do with it. */
    CueStr text = r->err->n > said ? cue_str_copy(r->a, (CueStr){r->err->s + said, r->err->n - said}) : CUE_STR("");
    r->err->n = said;
    tell_failure(r, o, item, name.n ? name : res->module.name, e->module);
    cue_buf_str(r->err, text);
    for (uint32_t i = 0; i < notes.texts.n; i++) log_line(r, LOG_WARN, CUE_STR(""), notes.texts.at[i], NULL, 0);
    return false;
  }
  Release rel = render_released(r->a, res);
  keep_warnings(b, x.dir, &notes, &rel);
  rendered(w, b, r->a, x.dir, &rel, d);
  return true;
}

static void evaluate_alone(FleetWorker *w, FleetBlock *b, const FleetItem *item, const FleetEntry *e, FleetDone *d) {
  CueArena *a = cue_arena_new();
  CueContext *c = cue_context_new(a, cue_stdlib_find);
  c->visit_toml = cue_visit_toml;
  cue_regex_cache_know(c->regexes, catalog_patterns, catalog_npatterns);
  Run r = fleet_run(w->o, c, &b->err);
  d->failed = !evaluate(w, b, item, e, &r, d);
  cue_context_free(c);
  cue_arena_free(a);
}

/* ---- from compiled parts ---- */

/* What renders releases of a module; NULL if it is not compiled. */
static AtHand *renderer_for(FleetWorker *w, CueStr module) {
  if (w->last && cue_str_eq(w->last->module, module)) return w->last;
  AtHand *room = &w->at_hand[0];
  for (size_t i = 0; i < RENDERERS; i++) {
    AtHand *h = &w->at_hand[i];
    if (h->of && cue_str_eq(h->module, module)) {
      h->used = ++w->clock;
      return w->last = h;
    }
    if (room->of && (!h->of || h->used < room->used)) room = h;
  }
  CueStr dir = from_base(w->a, w->o, module);
  FleetModule *m = fleet_module_take(w->modules, dir);
  if (!m) return NULL;
  put_away(w, room);
  *room = (AtHand){.a = cue_arena_new(), .of = m};
  room->module = cue_str_copy(room->a, module);
  room->dir = cue_str_copy(room->a, dir);
  room->renderer = release_renderer_new(&m->module, &m->provider);
  room->used = ++w->clock;
  return w->last = room;
}

/* The values of an entry, as they go into #config. Those that all entries without values have are looked for once. */
static bool values_of(FleetWorker *w, AtHand *h, const FleetEntry *e, CueValue *out) {
  CueStr *files = cue_array(w->a, CueStr, e->nfiles + 1);
  for (uint32_t i = 0; i < e->nfiles; i++) files[i] = from_base(w->a, w->o, e->files[i]);
  NativeValues given = {.data = e->values, .files = files, .nfiles = e->nfiles};
  if (e->nfiles || e->values.kind == CUE_STRUCT) return native_values(w->a, &h->of->module, h->dir, &given, out);
  if (!h->asked) h->has_own = native_values(h->a, &h->of->module, h->dir, &given, &h->own);
  h->asked = true;
  *out = h->own;
  return h->has_own;
}

/* False if it is for the evaluator. */
static bool render_compiled(FleetWorker *w, FleetBlock *b, const FleetEntry *e, FleetDone *d) {
  AtHand *h = renderer_for(w, e->module);
  if (!h) return false;
  const RenderOptions *o = &w->o->render;
  ReleaseEnvironmentKnown env = {.namespace = CUE_STR("")};
  ReleaseInput in = {.name = e->name};
  Release rel;
  if (!values_of(w, h, e, &in.values)) return false;
  if (e->environment.n) {
    if (!h->of->environments || !release_environment(h->renderer, e->environment, &env)) return false;
    in.environment = &env.is;
    if (in.values.kind == CUE_STRUCT && !release_partial(h->renderer, w->a, in.values)) return false;
    in.values = release_merge(w->a, in.values, env.values);
  }
  if (!release_namespace(h->renderer, e->namespace, env.namespace, o->preferred, o->fallback, &in.namespace) ||
      !release_render(h->renderer, w->a, &in, &rel))
    return false;
  keep_warnings(b, h->dir, &h->of->notes, &rel);
  rendered(w, b, w->a, h->dir, &rel, d);
  return true;
}

/* ---- a block ---- */

static CueValue read_entry(FleetWorker *w, const FleetItem *item) {
  CueValue v = item->value;
  size_t offset = 0;
  bool over = false;
  if (item->loaded || item->error.n) return v;
  if (w->o->form == FLEET_YAML) return cue_read_yaml(w->a, item->text, &offset, &over);
  return cue_read_json_quick(w->a, item->text, &v) ? v : cue_read_json(w->a, item->text, &offset);
}

/* For tests: the evaluator must say the same. */
static void check(FleetWorker *w, FleetBlock *b, const FleetItem *item, const FleetEntry *e, FleetDone *d) {
  size_t from = b->done.n ? b->done.at[b->done.n - 1].out : 0, to = b->out.n;
  uint32_t files = b->files.n, warnings = b->warnings.n;
  FleetDone other = {.number = item->number};
  evaluate_alone(w, b, item, e, &other);
  bool same = !other.failed && b->out.n - to == to - from &&
              (to == from || !memcmp(b->out.s + from, b->out.s + to, to - from)) && other.release == d->release &&
              b->files.n - files == files - (b->done.n ? b->done.at[b->done.n - 1].files : 0);
  if (!same) cue_buf_f(&b->err, "compiled and evaluated differ: %.*s\n", CUE_FMT(e->name));
  d->failed = !same;
  b->out.n = to;
  b->files.n = files;
  b->warnings.n = warnings;
}

/* True if it took long. */
static bool render_item(FleetWorker *w, FleetBlock *b, const FleetItem *item) {
  FleetDone d = {.number = item->number};
  FleetEntry e;
  bool ok = fleet_entry(w->a, item, read_entry(w, item), &e), quick = false;
  d.elsewhere = !fleet_is_ours(w->o, item, ok ? &e : NULL);
  if (!d.elsewhere) {
    quick = ok && render_compiled(w, b, &e, &d);
    if (quick && w->o->render.plans == PLANS_CHECK) check(w, b, item, &e, &d);
    d.compiled = quick;
    if (!quick) evaluate_alone(w, b, item, ok ? &e : NULL, &d);
  }
  done(b, d);
  return !d.elsewhere && !quick;
}

void fleet_render(FleetWorker *w, FleetBlock *b, atomic_bool *stop) {
  for (uint32_t i = 0; i < b->items.n && !atomic_load_explicit(stop, memory_order_relaxed); i++) {
    CueMark mark = cue_arena_mark(w->a);
    if (render_item(w, b, &b->items.at[i]) && fleet_interrupted()) atomic_store(stop, true);
    cue_arena_reset(w->a, mark);
  }
}
