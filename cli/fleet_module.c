/* fleet_module.c - modules of a fleet that are compiled, once for all of their releases.
**
** A module that comes again is compiled, with the provider, to functions on data (compiler/render/compile.h); every
** worker then renders its releases without the evaluator. What is compiled stays for as long as workers use it, and
** only so many modules at a time: of the others, the one that was not asked for the longest makes room.
**
** Compiled and evaluated releases are the same to the byte. So a module is left to the evaluator where it is not
** certain that values given in place of values.cue are all that changes.
*/
#include <string.h>

#include "cli/fleet.h"
#include "compiler/module.h"
#include "compiler/render/compile.h"
#include "compiler/render/environment.h"
#include "stdlib/cue/stdlib.h"
#include "stdlib/cue/toml_read.h"

enum { ENOUGH = 3, MOST = 16 }; /* releases that pay for compiling a module; modules that are kept compiled */

typedef enum { UNSEEN, AT_WORK, READY, HOPELESS } State;

typedef struct {
  CueStr dir;
  State state;
  uint64_t releases, asked; /* how many it had; when it was asked for last */
  unsigned users;
  FleetModule *compiled;
} Known;

struct FleetModules {
  const FleetOptions *o;
  pthread_mutex_t lock;
  CueArena *a;
  CUE_VEC(Known *) known;
  uint64_t clock;
  unsigned ready;
};

FleetModules *fleet_modules_new(const FleetOptions *o) {
  CueArena *a = cue_arena_new();
  FleetModules *ms = cue_new(a, FleetModules);
  *ms = (FleetModules){.o = o, .a = a};
  pthread_mutex_init(&ms->lock, NULL);
  return ms;
}

static void module_free(FleetModule *m) {
  cue_context_free(m->c);
  cue_arena_free(m->c->a);
}

void fleet_modules_free(FleetModules *ms) {
  for (uint32_t i = 0; i < ms->known.n; i++)
    if (ms->known.at[i]->compiled) module_free(ms->known.at[i]->compiled);
  pthread_mutex_destroy(&ms->lock);
  cue_arena_free(ms->a);
}

/* ---- compiling ---- */

static bool is_config(const Ast *x) { return x->kind == AST_IDENT && cue_str_is(x->u.ident.name, "#config"); }

/* Values that are given take the place of values.cue. That is all they do if this file has nothing else, and if the rest
** of the module says nothing of values but that they are as #config has it. */
static bool values_stand_alone(const Instance *inst) {
  for (uint32_t i = 0; i < inst->files.n; i++) {
    const AstFile *f = inst->files.at[i];
    bool own = cue_str_is(path_base(f->source->name), "values.cue");
    for (uint32_t k = 0; k < f->root->u.list.n; k++) {
      const Ast *d = f->root->u.list.at[k];
      bool values = program_is_field(d, "values");
      if (own && d->kind == AST_FIELD && !values) return false;
      if (own && d->kind != AST_FIELD && d->kind != AST_PACKAGE && d->kind != AST_IMPORT) return false;
      if (!own && values && !is_config(d->u.field.value)) return false;
    }
  }
  return true;
}

static CueValue data_at(CueContext *c, Vertex *v, const char *x, const char *y) {
  Vertex *at = program_path(c, v, (const char *const[]){x, y, NULL});
  return at ? lower_data(c, at) : (CueValue){0};
}

/* The environments that are as they should be, with data for values. */
static void take_environments(CueContext *c, const RenderOptions *o, const RenderModule *m, FleetModule *out) {
  RenderEnvironments all = {0};
  RenderFailure why = {.details = {.a = c->a}};
  ReleaseRenderer *r = release_renderer_new(&out->module, &out->provider);
  bool ok = r && render_environments(c, o, m, &all, &why);
  for (uint32_t i = 0; ok && i < all.n; i++) {
    const RenderEnvironment *e = &all.at[i];
    FleetEnvironment x = {.about = {.name = e->name}};
    if (!render_environment_valid(c, e, &why)) continue;
    x.about.labels = data_at(c, e->vertex, "metadata", "labels");
    x.about.annotations = data_at(c, e->vertex, "metadata", "annotations");
    x.namespace = program_string(c, e->vertex, (const char *const[]){"namespace", NULL});
    Vertex *values = program_field(c, e->vertex, "values");
    if (values) x.values = lower_data(c, values);
    if (values && (x.values.kind != CUE_STRUCT || !release_partial(r, c->a, x.values))) continue;
    cue_push(c->a, &out->environments, x);
  }
  release_renderer_free(r);
}

static void take_values(CueContext *c, const RenderModule *m, FleetModule *out) {
  CueDiags none = {.a = c->a};
  ProgramImport imports[] = {{"module", m->package}};
  Instance *p = m->has_values ? program_make(c, CUE_STR("it: module.values\n"), imports, 1, &none) : NULL;
  Vertex *v = p ? program_field(c, p->root, "it") : NULL;
  if (v) out->values = lower_data(c, v);
}

static bool compile(FleetModule *out, const FleetOptions *o, CueStr dir) {
  CueContext *c = out->c;
  RenderOptions x = o->render;
  RenderFailure why = {.details = {.a = c->a}};
  RenderModule *m = cue_new(c->a, RenderModule);
  RenderTransformers *p = cue_new(c->a, RenderTransformers);
  x.dir = dir;
  x.no_values_needed = true;
  if (!render_module(c, &x, m, &why) || m->release || !values_stand_alone(m->package) ||
      !render_provider(c, &x, m, p, &why))
    return false;
  out->module = compile_module(c, m);
  out->provider = compile_provider(c, p);
  ReleaseRenderer *r = release_renderer_new(&out->module, &out->provider);
  if (!r) return false;
  release_renderer_free(r);
  take_values(c, m, out);
  take_environments(c, &x, m, out);
  return true;
}

static FleetModule *compile_new(const FleetOptions *o, CueStr dir) {
  CueArena *a = cue_arena_new();
  FleetModule *m = cue_new(a, FleetModule);
  m->c = cue_context_new(a, cue_stdlib_find);
  m->c->visit_toml = cue_visit_toml;
  if (compile(m, o, dir)) return m;
  module_free(m);
  return NULL;
}

/* ---- asking ---- */

static Known *find(FleetModules *ms, CueStr dir) {
  for (uint32_t i = 0; i < ms->known.n; i++)
    if (cue_str_eq(ms->known.at[i]->dir, dir)) return ms->known.at[i];
  Known *k = cue_new(ms->a, Known);
  k->dir = cue_str_copy(ms->a, dir);
  cue_push(ms->a, &ms->known, k);
  return k;
}

/* The compiled module that can best be missed; NULL if all are in use. */
static Known *oldest(FleetModules *ms) {
  Known *found = NULL;
  for (uint32_t i = 0; i < ms->known.n; i++) {
    Known *k = ms->known.at[i];
    if (k->state == READY && !k->users && (!found || k->asked < found->asked)) found = k;
  }
  return found;
}

/* Room for one more. */
static bool make_room(FleetModules *ms) {
  if (ms->ready < MOST) return true;
  Known *old = oldest(ms);
  if (!old) return false;
  module_free(old->compiled);
  old->compiled = NULL;
  old->state = UNSEEN;
  old->releases = 0;
  ms->ready--;
  return true;
}

FleetModule *fleet_module_take(FleetModules *ms, CueStr dir) {
  const FleetOptions *o = ms->o;
  if (o->render.plans == PLANS_NONE || o->provider_reloaded) return NULL;
  pthread_mutex_lock(&ms->lock);
  Known *k = find(ms, dir);
  k->asked = ++ms->clock;
  if (k->state == UNSEEN && ++k->releases >= (o->render.plans == PLANS_CHECK ? 1 : ENOUGH) && make_room(ms)) {
    k->state = AT_WORK;
    ms->ready++;
    pthread_mutex_unlock(&ms->lock);
    FleetModule *m = compile_new(o, k->dir);
    pthread_mutex_lock(&ms->lock);
    k->compiled = m;
    k->state = m ? READY : HOPELESS;
    ms->ready -= !m;
    if (m) m->known = k;
  }
  bool ready = k->state == READY;
  k->users += ready;
  pthread_mutex_unlock(&ms->lock);
  return ready ? k->compiled : NULL;
}

void fleet_module_drop(FleetModules *ms, FleetModule *m) {
  pthread_mutex_lock(&ms->lock);
  ((Known *)m->known)->users--;
  pthread_mutex_unlock(&ms->lock);
}
