/* fleet_render.c - the releases of a block, one by one. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/fleet.h"
#include "cli/log.h"
#include "compiler/load_fs.h"
#include "runtime/release/release.h"
#include "stdlib/cue/stdlib.h"
#include "stdlib/cue/toml_read.h"
#include "stdlib/opm/catalog.h"

struct FleetWorker {
  const FleetOptions *o;
  CueArena *a; /* of the release at hand, except what goes into its block */
  CueBuf file; /* text of a file that is there already */
  CueArena *keep;
};

FleetWorker *fleet_worker_new(const FleetOptions *o) {
  CueArena *keep = cue_arena_new();
  FleetWorker *w = cue_new(keep, FleetWorker);
  *w = (FleetWorker){.o = o, .a = cue_arena_new(), .keep = keep, .file = cue_buf(keep)};
  return w;
}

void fleet_worker_free(FleetWorker *w) {
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
  for (uint32_t i = 0; i < rel->nobjects; i++) {
    size_t from = b->out.n;
    CueValue object = rel->objects[i].object;
    if (!o->out_dir.n) {
      if (!o->json) cue_buf_add(&b->out, "---\n", 4);
      (o->json ? release_put_line : release_put_yaml)(&b->out, object);
      continue;
    }
    (o->json ? release_put_json : release_put_yaml)(&b->out, object);
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
  cue_push(b->a, &b->done, d);
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
  CueStr at = cue_strf(r->a, "%.*s:%u", CUE_FMT(o->shown), i->line + 1);
  if (i->loaded) {
    CueSources ss;
    cue_sources_init(&ss, r->a);
    cue_sources_share(&ss, i->sources);
    CueBuf b = cue_buf(r->a);
    if (cue_pos_known(i->loaded->pos)) cue_place_print(&b, i->loaded->pos, &ss, r->cwd);
    at = cue_buf_done(&b);
  }
  LogField fields[2] = {{"entry", at}, {"module", module}};
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
  RenderResult *res = cue_new(r->a, RenderResult);
  size_t said = r->err->n;
  bool ok = render(c, &x, res, &why);
  if (!ok)
    render_failed(r, name.n ? name : res->module.name, &why);
  else if (render_errors(r, res) != EXIT_OK)
    ok = false;
  if (!ok) {
    /* What fails is told first, then why. */
    CueStr text = cue_str_copy(r->a, (CueStr){r->err->s + said, r->err->n - said});
    r->err->n = said;
    tell_failure(r, o, item, name.n ? name : res->module.name, e->module);
    cue_buf_str(r->err, text);
    return false;
  }
  for (uint32_t i = 0; i < res->warnings.n; i++) log_line(r, LOG_WARN, res->release.name, res->warnings.at[i], NULL, 0);
  Release rel = render_released(r->a, res);
  rendered(w, b, r->a, x.dir, &rel, d);
  return true;
}

static void evaluate_alone(FleetWorker *w, FleetBlock *b, const FleetItem *item, const FleetEntry *e, FleetDone *d) {
  Run r = *w->o->r;
  r.a = cue_arena_new();
  r.c = cue_context_new(r.a, cue_stdlib_find);
  r.c->visit_toml = cue_visit_toml;
  cue_regex_cache_know(r.c->regexes, catalog_patterns, catalog_npatterns);
  r.err = &b->err;
  r.out = NULL;
  d->failed = !evaluate(w, b, item, e, &r, d);
  cue_context_free(r.c);
  cue_arena_free(r.a);
}

/* ---- a block ---- */

/* True if it took long. */
static bool render_item(FleetWorker *w, FleetBlock *b, const FleetItem *item) {
  FleetDone d = {.number = item->number};
  FleetEntry e;
  CueValue v = item->value;
  size_t offset = 0;
  bool over = false, yaml = w->o->form == FLEET_YAML;
  if (!item->loaded && !item->error.n)
    v = yaml ? cue_read_yaml(w->a, item->text, &offset, &over) : cue_read_json(w->a, item->text, &offset);
  bool ok = fleet_entry(w->a, item, v, &e);
  d.elsewhere = !fleet_is_ours(w->o, item, ok ? &e : NULL);
  d.at = cue_strf(b->a, "%.*s:%u", CUE_FMT(w->o->shown), item->line + 1);
  if (!d.elsewhere) evaluate_alone(w, b, item, ok ? &e : NULL, &d);
  done(b, d);
  return !d.elsewhere;
}

void fleet_render(FleetWorker *w, FleetBlock *b, atomic_bool *stop) {
  for (uint32_t i = 0; i < b->items.n && !atomic_load_explicit(stop, memory_order_relaxed); i++) {
    CueMark mark = cue_arena_mark(w->a);
    if (render_item(w, b, &b->items.at[i]) && fleet_interrupted()) atomic_store(stop, true);
    cue_arena_reset(w->a, mark);
  }
}
