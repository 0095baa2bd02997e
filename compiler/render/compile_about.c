/* compile_about.c - what a compiled module says of itself beside its functions, so that it can be rendered without its
** CUE: what its files say of values, which environments it has, whose provider it uses; or what a release that is written
** out says of itself.
**
** Only what is certain is said. An environment that is not data, or not valid, is left out: who asks for it gets
** the evaluator, and its words.
*/
#include <sys/stat.h>

#include "compiler/load_fs.h"
#include "compiler/plain.h"
#include "compiler/render/compile.h"
#include "compiler/render/environment.h"
#include "runtime/release/impl.h"

static void put(CueStruct *s, CueStr key, CueValue v) {
  if (v.kind != CUE_BOTTOM) s->at[s->n++] = (CueField){key, v};
}

static CueStruct *room_for(CueArena *a, uint32_t n) {
  CueStruct *s = cue_struct_new(a, n);
  s->n = 0;
  return s;
}

/* ---- values ---- */

static bool is_config(const Ast *x) { return x && x->kind == AST_IDENT && cue_str_is(x->u.ident.name, "#config"); }

/* "none" if no file of the package says what values are, "config" if they are said to be #config, the data if they are
** said to be that, too; bottom if more is said. */
static CueValue values_said(CueArena *a, const Instance *p) {
  CueValue said = cue_string(CUE_STR("none")), data = {0}, one, none = {0};
  for (uint32_t i = 0; i < p->files.n; i++) {
    const AstList *l = &p->files.at[i]->root->u.list;
    for (uint32_t k = 0; k < l->n; k++) {
      if (!program_is_field(l->at[k], "values")) continue;
      const Ast *x = l->at[k]->u.field.value;
      if (l->at[k]->constraint || l->at[k]->u.field.attrs.n) return none;
      said = cue_string(CUE_STR("config"));
      if (is_config(x)) continue;
      if (!plain_data(a, x, &one) || one.kind != CUE_STRUCT) return none;
      if (data.kind == CUE_BOTTOM)
        data = one;
      else if (!plan_unify(a, data, one, &data))
        return none;
    }
  }
  return data.kind == CUE_STRUCT ? data : said;
}

/* ---- environments ---- */

/* Data in the order in which environment_values would write it; false if there is more to it. */
static bool data_of(CueContext *c, Vertex *v, CueValue *out) {
  Vertex *d = vertex_deref(v), **arcs;
  uint32_t n, kept = 0;
  if (vertex_bottom(d) || vertex_deref(vertex_default(c->eval, v)) != d) return false;
  bool list = vertex_is_list(d);
  if (!list && vertex_value(d) != (Ir *)d) {
    *out = program_data(c, v);
    return out->kind != CUE_BOTTOM;
  }
  cue_field_order(c->eval, c->a, d, &arcs, &n);
  CueList *l = cue_list_new(c->a, n);
  CueStruct *s = cue_struct_new(c->a, n);
  for (uint32_t i = 0; i < n; i++) {
    if (list ? !label_is_int(arcs[i]->label) : !label_is_string(arcs[i]->label) || !vertex_defined(c->eval, arcs[i]))
      continue;
    if (!list) s->at[kept].key = label_name(c->labels, arcs[i]->label);
    if (!data_of(c, arcs[i], list ? &l->at[kept] : &s->at[kept].value)) return false;
    kept++;
  }
  l->n = s->n = kept;
  *out = list ? cue_list(l) : cue_struct(s);
  return true;
}

static void put_environment(CueStruct *s, const ReleaseEnvironmentKnown *e) {
  if (e->namespace.n) put(s, CUE_STR("namespace"), cue_string(e->namespace));
  put(s, CUE_STR("labels"), e->is.labels);
  put(s, CUE_STR("annotations"), e->is.annotations);
}

static CueValue environment(CueContext *c, const RenderModule *m, const RenderEnvironment *e) {
  RenderFailure why = {.details = {.a = c->a}};
  CueStruct *s = room_for(c->a, 4);
  CueValue none = {0}, values = none;
  ReleaseEnvironmentKnown known;
  if (!render_environment_valid(c, e, &why) || !release_environment_fits(c, m, e)) return none;
  if (!evaluated_environment(c, e, &known)) return none;
  Vertex *said = program_field(c, e->vertex, "values");
  if (said && !data_of(c, said, &values)) return none;
  put_environment(s, &known);
  put(s, CUE_STR("values"), values);
  return cue_struct(s);
}

static CueValue environments(CueContext *c, const RenderModule *m) {
  RenderOptions o = {.environments = CUE_STR("")};
  RenderEnvironments all = {0};
  RenderFailure why = {.details = {.a = c->a}};
  if (!render_environments(c, &o, m, &all, &why)) return (CueValue){0};
  CueStruct *s = room_for(c->a, all.n);
  for (uint32_t i = 0; i < all.n; i++) {
    /* Of two by one name, the evaluator takes the first. */
    if (i && cue_str_eq(all.at[i - 1].name, all.at[i].name)) continue;
    put(s, all.at[i].name, environment(c, m, &all.at[i]));
  }
  return cue_struct(s);
}

/* ---- releases that are written out ---- */

/* What flags would say of a module: name, namespace, environment, and values, which are merged. */
static CueValue given_release(CueContext *c, const RenderModule *m, CueStruct *about) {
  EvaluatedValues v;
  CueStruct *s = room_for(c->a, 5), *e = room_for(c->a, 3), *all = room_for(c->a, 1);
  CueValue name = evaluated_at(c, m->release, "metadata", "name");
  if (!evaluated_given(c, m, &v) || name.kind != CUE_STRING) return (CueValue){0};
  put(s, CUE_STR("name"), name);
  put(s, CUE_STR("namespace"), evaluated_at(c, m->release, "metadata", "namespace"));
  put(s, CUE_STR("values"), v.values);
  put(s, CUE_STR("given"), v.given);
  if (!v.has_environment) return cue_struct(s);
  put(s, CUE_STR("environment"), cue_string(v.environment.is.name));
  put_environment(e, &v.environment);
  put(all, v.environment.is.name, cue_struct(e));
  put(about, CUE_STR("environments"), cue_struct(all));
  return cue_struct(s);
}

/* What the release adds to a map of the module; what is computed of it is left out, for an environment changes that. */
static CueValue with_given(CueContext *c, const RenderModule *m, const char *field, CueValue own) {
  CueValue given = evaluated_at(c, m->release, "metadata", field);
  if (given.kind != CUE_STRUCT) return own;
  uint32_t n = own.kind == CUE_STRUCT ? own.as.fields->n : 0;
  CueStruct *s = room_for(c->a, n + given.as.fields->n);
  for (uint32_t i = 0; i < n; i++) s->at[s->n++] = own.as.fields->at[i];
  for (uint32_t i = 0; i < given.as.fields->n; i++) {
    CueField f = given.as.fields->at[i];
    if (!cue_str_has_prefix(f.key, CUE_STR(RELEASE_LABEL)) && !(n && cue_struct_get(own.as.fields, f.key)))
      put(s, f.key, f.value);
  }
  return cue_struct(s);
}

CueValue compile_given_metadata(CueContext *c, const RenderModule *m, CueValue metadata) {
  const char *const fields[] = {"labels", "annotations"};
  CueStruct *s = room_for(c->a, metadata.as.fields->n + 2);
  for (uint32_t i = 0; i < metadata.as.fields->n; i++) {
    CueField f = metadata.as.fields->at[i];
    if (!cue_str_is(f.key, fields[0]) && !cue_str_is(f.key, fields[1])) put(s, f.key, f.value);
  }
  for (int i = 0; i < 2; i++)
    put(s, cue_str(fields[i]), with_given(c, m, fields[i], release_at(metadata, cue_str(fields[i]))));
  return cue_struct(s);
}

/* ---- all of it ---- */

uint32_t compile_about(CueContext *c, const RenderModule *m, CueField out[COMPILE_ABOUT]) {
  struct stat st;
  CueStruct *s = room_for(c->a, COMPILE_ABOUT);
  if (m->release) {
    put(s, CUE_STR("release"), given_release(c, m, s));
  } else {
    put(s, CUE_STR("package"), cue_string(m->package->package));
    put(s, CUE_STR("values"), values_said(c->a, m->package));
    put(s, CUE_STR("environments"), environments(c, m));
    put(s, CUE_STR("environmentsFolder"), cue_bool(stat(path_join(c->a, m->dir, CUE_STR("environments")).s, &st) == 0));
  }
  put(s, CUE_STR("builtinProvider"), cue_bool(m->inside || (m->kubernetes && provider_is_inside(m->kubernetes))));
  for (uint32_t i = 0; i < s->n; i++) out[i] = s->at[i];
  return s->n;
}
