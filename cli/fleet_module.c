/* fleet_module.c - modules of a fleet that are compiled, once for all of their releases.
**
** A module that is in the cache is used as it is. One that comes again is compiled, with the provider, to functions on
** data (compiler/render/compile.h). Every worker then renders its releases without the evaluator. What is compiled
** stays for as long as workers use it, and only so many modules at a time: of the others, the one that was not asked
** for the longest makes room.
*/
#include <string.h>

#include "cli/compiled.h"
#include "cli/fleet.h"
#include "cli/native.h"
#include "compiler/render/compile.h"
#include "runtime/release/impl.h"
#include "stdlib/cue/stdlib.h"
#include "stdlib/cue/toml_read.h"

enum { ENOUGH = 3, MOST = 16 }; /* releases that pay for compiling a module; modules that are kept compiled */

typedef enum { UNSEEN, AT_WORK, READY, HOPELESS } State;

typedef struct {
  CueStr dir;
  State state;
  bool looked;              /* for it in the cache */
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

/* The code of the provider, if there is any for this module. */
static bool take_code(FleetModule *out, const RenderOptions *x) {
  CueStr missing;
  CueValue inside = release_at(out->module.about, CUE_STR("builtinProvider"));
  if (x->provider.compiled) {
    out->provider = *x->provider.compiled;
    return true;
  }
  return !x->provider.package && x->builtin && inside.kind == CUE_BOOL && inside.as.b &&
         compiled_link(out->c->a, x->builtin, cue_stdlib_find, &out->provider, &missing);
}

static bool is_whole(FleetModule *out, const RenderOptions *x, CueStr dir) {
  ReleaseRenderer *renderer = release_renderer_new(&out->module, &out->provider);
  release_renderer_free(renderer);
  out->environments = !x->environments.n && native_environments(out->c->a, &out->module, dir);
  return renderer != NULL;
}

/* What an earlier run left in the cache. */
static bool look_up(FleetModule *out, const FleetOptions *o, CueStr dir) {
  ArtefactSeal seal;
  CueStr why;
  const RenderOptions *x = &o->render;
  return (x->plans == PLANS_MANY || x->plans == PLANS_CODE) && !o->provider_reloaded &&
         compiled_module(out->c->a, &(CompiledPlace){.dir = dir, .modules = x->load.cache_dir}, &seal, &out->module,
                         &why) == CACHE_FOUND &&
         release_at(out->module.about, CUE_STR("release")).kind == CUE_BOTTOM && take_code(out, x) &&
         is_whole(out, x, dir);
}

static bool compile(FleetModule *out, const FleetOptions *o, CueStr dir) {
  CueContext *c = out->c;
  RenderOptions x = o->render;
  RenderFailure why = {.details = {.a = c->a}};
  RenderModule *m = cue_new(c->a, RenderModule);
  CueBuf unheard = cue_buf(c->a);
  Run r = fleet_run(o, c, &unheard);
  ExitCode code;
  if (o->provider_reloaded && !render_options(&r, &x, &code)) return false;
  x.dir = dir;
  x.without_values = true;
  out->notes = (FleetNotes){.a = c->a, .told = o->apart};
  fleet_note_replaced(&out->notes, &x.load);
  if (!render_module(c, &x, m, &why) || m->release) return false;
  out->module = compile_module(c, m);
  bool has_code = take_code(out, &x);
  /* With code the CUE of the provider is needed only to note the same as who evaluates. */
  if (has_code && !out->notes.texts.n) return is_whole(out, &x, dir);
  RenderTransformers *p = cue_new(c->a, RenderTransformers);
  if (!render_provider(c, &x, m, p, &why)) return false;
  if (!has_code) out->provider = p->code ? *p->code : compile_provider(c, p);
  return is_whole(out, &x, dir);
}

static FleetModule *module_new(const FleetOptions *o, CueStr dir, bool may_compile) {
  CueArena *a = cue_arena_new();
  FleetModule *m = cue_new(a, FleetModule);
  m->c = cue_context_new(a, cue_stdlib_find);
  m->c->visit_toml = cue_visit_toml;
  if (may_compile ? compile(m, o, dir) : look_up(m, o, dir)) return m;
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
  old->looked = false;
  old->releases = 0;
  ms->ready--;
  return true;
}

/* Looks for what is compiled, or compiles: without the lock, while others go on with the evaluator. */
static void make(FleetModules *ms, Known *k, bool may_compile) {
  k->state = AT_WORK;
  ms->ready++;
  pthread_mutex_unlock(&ms->lock);
  FleetModule *m = module_new(ms->o, k->dir, may_compile);
  pthread_mutex_lock(&ms->lock);
  k->looked = true;
  k->compiled = m;
  k->state = m ? READY : may_compile ? HOPELESS : UNSEEN;
  ms->ready -= !m;
  if (m) m->known = k;
}

FleetModule *fleet_module_take(FleetModules *ms, CueStr dir) {
  RenderPlans plans = ms->o->render.plans;
  uint64_t enough = plans == PLANS_MANY ? ENOUGH : 1;
  if (plans == PLANS_NONE) return NULL;
  pthread_mutex_lock(&ms->lock);
  Known *k = find(ms, dir);
  k->asked = ++ms->clock;
  k->releases++;
  if (k->state == UNSEEN && !k->looked && make_room(ms)) make(ms, k, false);
  if (k->state == UNSEEN && k->releases >= enough && make_room(ms)) make(ms, k, true);
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
