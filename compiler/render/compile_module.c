/* compile_module.c - a module as functions on data. */
#include "compiler/render/compile.h"

typedef struct {
  Instance *package; /* the module without its values; or of a release that is written out */
  CueStr module;     /* in a program that imports it */
  bool has_config;
} Source;

static Instance *program(CueContext *c, const Source *s, const char *before, const char *after, bool evaluated) {
  CueDiags d = {.a = c->a};
  CueStr text = cue_strf(c->a, "%s: %.*s%s\n", before, CUE_FMT(s->module), after);
  return (evaluated ? program_make : program_build)(c, text, (ProgramImport[]){{"module", s->package}}, 1, &d);
}

static Instance *release_program(CueContext *c, void *arg) {
  const Source *s = arg;
  return program(c, s, "release", s->has_config ? " & {#config: 0}" : "", false);
}

static Instance *config_program(CueContext *c, void *arg) { return program(c, arg, "release", ".#config & 0", false); }

static Vertex *evaluated(CueContext *c, const Source *s, const char *field) {
  Instance *p = program(c, s, "it", field, true);
  return p ? program_field(c, p->root, "it") : NULL;
}

static Lowered checked(CueContext *c, const PlanSchema *schema) {
  Plan *in = cue_new(c->a, Plan), *p = cue_new(c->a, Plan);
  in->kind = PLAN_INPUT;
  *p = (Plan){.kind = PLAN_CHECK, .x = in, .schema = schema};
  return (Lowered){.plan = p, .why = CUE_STR("")};
}

/* The value of a scalar that need not be given; NULL if it must be, or is none. */
static Ir *default_of(CueContext *c, Vertex *v) {
  v = vertex_deref(vertex_default(c->eval, v));
  return v->base && v->base->kind == IR_SCALAR ? v->base : NULL;
}

/* Whether all scalars have the same defaults in both, which have the same fields; if not, *where is one. */
static bool same_defaults(CueContext *c, Vertex *x, Vertex *y, Vertex **where) {
  cue_finalize(c->eval, x);
  cue_finalize(c->eval, y);
  const Ir *one = default_of(c, x), *other = default_of(c, y);
  *where = x;
  if (!one != !other || (one && !cue_value_eq(IR_AS(const IrScalar, one)->v, IR_AS(const IrScalar, other)->v)))
    return false;
  x = vertex_deref(x);
  y = vertex_deref(y);
  for (uint32_t i = 0; i < x->arcs.n; i++) {
    Vertex *arc = x->arcs.at[i], *twin = label_is_string(arc->label) ? vertex_arc(y, arc->label) : NULL;
    if (twin && !same_defaults(c, arc, twin, where)) return false;
  }
  return true;
}

/* Values are #config with what is given, and a release gives them to #config: so all that it says is said twice. Of
** several disjunctions in one field another default may be left then, or none, which plans do not know. */
static bool keeps_defaults(CueContext *c, const Source *s, Vertex *config, CuePos *at) {
  Source twice = *s;
  twice.module = cue_strf(c->a, "(%.*s & {#config: %.*s.#config})", CUE_FMT(s->module), CUE_FMT(s->module));
  Vertex *v = evaluated(c, &twice, ".#config"), *where = config;
  if (v && same_defaults(c, config, v, &where)) return true;
  *at = where->conjuncts.n ? where->conjuncts.at[0].x->pos : 0;
  return false;
}

/* #config is a schema, or fields in it depend on each other. */
static Lowered config_of(CueContext *c, Source *s, const PlanSchema **schema) {
  Vertex *v = evaluated(c, s, ".#config");
  if (!v) return (Lowered){.why = CUE_STR("its CUE does not load")};
  *schema = lower_values_schema(c, v);
  Lowered config = *schema ? checked(c, *schema) : lower_config(c, config_program, s, schema);
  CuePos at;
  if (!config.plan || keeps_defaults(c, s, v, &at)) return config;
  return (Lowered){.why = CUE_STR("a default that is another when it is said twice"), .at = at};
}

static CompiledFunction function(CueContext *c, const char *name, const Lowered *l) {
  return (CompiledFunction){
      .name = cue_str(name), .plan = l->plan, .slots = l->slots, .why = l->plan ? CUE_STR("") : compile_why(c, l)};
}

/* Whether no file but values.cue says anything of values. If one says that they are #config, then what an environment is
** merged with has defaults that depend on other values than those of the environment. */
static bool has_no_values(const CueField *about, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (cue_str_is(about[i].key, "values"))
      return about[i].value.kind == CUE_STRING && cue_str_is(cue_value_str(about[i].value), "none");
  return false;
}

Compiled compile_module(CueContext *c, const RenderModule *m) {
  RenderFailure why = {.details = {.a = c->a}};
  Source s = {.package = m->package, .module = m->expr};
  s.has_config = m->release || program_declares(m->package, "#config");
  if (s.has_config && !m->release) s.package = release_without_values(c, m->package, &why);
  CompiledFunction *functions = cue_array(c->a, CompiledFunction, 3);
  Lowered config = {.why = CUE_STR("its CUE does not load")}, components = config, partial = config;
  bool is_schema = false;
  CueValue metadata = cue_error(CUE_STR(""));
  if (s.package) {
    const PlanSchema *schema = NULL;
    metadata = program_data(c, evaluated(c, &s, ".metadata"));
    if (s.has_config) config = config_of(c, &s, &schema);
    is_schema = config.plan && config.plan->kind == PLAN_CHECK;
    if (is_schema) partial = checked(c, lower_partial(c->a, schema));
    if (schema || !s.has_config) components = lower_components(c, release_program, &s, schema);
  }
  functions[0] = function(c, "config", &config);
  functions[1] = function(c, "components", &components);
  functions[2] = function(c, "partial", &partial);
  CueField about[4 + COMPILE_ABOUT];
  uint32_t n = 0;
  if (m->release && metadata.kind == CUE_STRUCT) metadata = compile_given_metadata(c, m, metadata);
  if (metadata.kind == CUE_STRUCT) about[n++] = (CueField){CUE_STR("metadata"), metadata};
  if (s.has_config) about[n++] = (CueField){CUE_STR("config"), cue_int(0)};
  about[n++] = (CueField){CUE_STR("components"), cue_int(1)};
  if (is_schema) about[n++] = (CueField){CUE_STR("partial"), cue_int(2)};
  if (s.package) n += compile_about(c, m, about + n);
  if (config.plan && !is_schema && has_no_values(about, n)) about[n++] = (CueField){CUE_STR("partial"), cue_int(0)};
  CueStruct *st = cue_struct_new(c->a, n);
  for (uint32_t i = 0; i < n; i++) st->at[i] = about[i];
  return (Compiled){.kind = COMPILED_MODULE, .about = cue_struct(st), .functions = functions, .n = is_schema ? 3u : 2u};
}

/* ---- for tests ---- */

static CueStr json_of(CueArena *a, CueValue v) {
  CueBuf b = cue_buf(a);
  cue_emit_json(&b, v, (CueJsonStyle){0});
  return cue_buf_done(&b);
}

CueStr compile_check_module(CueContext *c, const RenderModule *m, const RenderRelease *r) {
  Compiled k = compile_module(c, m);
  for (uint32_t i = 0; i < k.n; i++)
    if (!k.functions[i].plan && (i || program_declares(m->package, "#config")))
      return cue_strf(c->a, "not compiled: %.*s: %.*s", CUE_FMT(k.functions[i].name), CUE_FMT(k.functions[i].why));
  CueValue config = cue_null(), list, values = lower_data(c, r->values);
  if (program_declares(m->package, "#config") && !compiled_run(&k, 0, c->a, c->regexes, &values, &config))
    return CUE_STR("compiled: config gives up");
  CueValue inputs[] = {config, lower_given(c, r->values)};
  if (!compiled_run(&k, 1, c->a, c->regexes, inputs, &list)) return CUE_STR("compiled: components gives up");
  if (list.kind != CUE_LIST || list.as.list->n != r->components.n) return CUE_STR("compiled: not as many components");
  for (uint32_t i = 0; i < r->components.n; i++) {
    const RenderComponent *x = &r->components.at[i];
    const CueStruct *got = NULL;
    for (uint32_t j = 0; j < list.as.list->n; j++) {
      const CueValue *key = cue_struct_get(list.as.list->at[j].as.fields, CUE_STR("key"));
      if (key && cue_str_eq(cue_value_str(*key), x->key)) got = list.as.list->at[j].as.fields;
    }
    if (!got) return cue_strf(c->a, "compiled: no component %.*s", CUE_FMT(x->key));
    CueStr want = json_of(c->a, lower_data(c, x->vertex));
    CueStr have = json_of(c->a, *cue_struct_get(got, CUE_STR("component")));
    if (!cue_str_eq(want, have))
      return cue_strf(c->a, "compiled component %.*s differs:\n%.*s\n%.*s", CUE_FMT(x->key), CUE_FMT(have),
                      CUE_FMT(want));
  }
  return CUE_STR("");
}
