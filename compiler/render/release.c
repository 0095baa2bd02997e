/* release.c - values into #config: a release, its metadata, its components.
**
** This is what core.#ModuleRelease says, evaluated in steps: values are checked against #config
** before anything depends on them, so that a wrong one is reported once and in the user's file, and
** the module is evaluated once, with its values.
*/
#include <stdlib.h>

#include "compiler/lower/lower.h"
#include "compiler/parse.h"
#include "compiler/render/environment.h"
#include "runtime/release/match.h"
#include "runtime/release/impl.h"

#define METADATA_HINT "apiVersion is like example.com/modules@v0, name like my-app, version like 1.2.3"
#define METADATA_FIELDS_HINT \
  "metadata has apiVersion, name and version, and may have defaultNamespace, description, labels and annotations"
#define DEFINITION_HINT \
  "the package that is imported has no such definition; opm catalog extract DIR writes those of the catalog"
#define VALUE_HINT "each field named here must get a value, in the module, in values.cue or with -f/--values"
#define FIELD_HINT "compare the fields with the definitions a component embeds"
#define NAME_HINT "a name has lower-case letters, digits and \"-\", at most 63 of them"

static const char *const METADATA[] = {"release", "metadata", NULL};

/* ---- checks ---- */

static bool check(CueContext *c, Vertex *v, bool concrete, RenderFailure *why) {
  Bottom *b = cue_validate(c->eval, v, (ValidateOptions){.concrete = concrete, .final = concrete, .all_errors = true});
  if (b) cue_value_report(c->eval, v, b, &why->details);
  return !b;
}

static bool all_begin(const CueDiags *d, const char *path, const char *message) {
  for (const CueDiag *x = d->first; x; x = x->next)
    if (!cue_str_has_prefix(x->path, cue_str(path)) || !cue_str_has_prefix(x->message, cue_str(message))) return false;
  return d->n > 0;
}

/* ---- places ---- */

static bool is_own(const CueContext *c, const RenderModule *m, CuePos pos) {
  const CueSource *src = cue_source_of(c->sources, pos);
  return src && cue_str_has_prefix(src->name, m->root);
}

/* Where the module says something of the field at `wanted`, or of the nearest one around it; 0 if nowhere. */
static CuePos nearest(CueContext *c, const RenderModule *m, Vertex *v, CueStr path, CueStr wanted) {
  CuePos found = 0;
  for (uint32_t i = 0; !found && i < v->conjuncts.n; i++) {
    const Ir *x = v->conjuncts.at[i].x;
    CuePos pos = x->src ? x->src->pos : x->pos;
    if (is_own(c, m, pos)) found = pos;
  }
  Vertex *d = vertex_deref(v);
  for (uint32_t i = 0; i < d->arcs.n; i++) {
    CueStr name = label_selector(c->labels, c->a, d->arcs.at[i]->label);
    CueStr below = path.n ? cue_strf(c->a, "%.*s.%.*s", CUE_FMT(path), CUE_FMT(name)) : name;
    if (!cue_str_has_prefix(wanted, below) || (wanted.n > below.n && wanted.s[below.n] != '.')) continue;
    CuePos deeper = nearest(c, m, d->arcs.at[i], below, wanted);
    return deeper ? deeper : found;
  }
  return found;
}

/* An error that the catalog alone has places for is about something that stands in the module, or should. */
static void own_places(CueContext *c, const RenderModule *m, Vertex *release, CueDiags *d) {
  CueStr path = CUE_STR(""); /* an error without one may be one of several, whose head has it */
  for (CueDiag *x = d->first; x && release; x = x->next) {
    if (x->path.n) path = x->path;
    bool own = !x->at.n || !path.n || cue_str_has_suffix(x->message, CUE_STR(":"));
    for (uint32_t i = 0; i < x->at.n; i++) own |= is_own(c, m, x->at.at[i]);
    CuePos pos = own ? 0 : nearest(c, m, release, CUE_STR(""), path);
    if (!pos) continue;
    cue_push(c->a, &x->at, pos);
    for (uint32_t i = x->at.n - 1; i; i--) x->at.at[i] = x->at.at[i - 1];
    x->at.at[0] = pos;
  }
}

/* ---- values ---- */

typedef struct {
  ProgramImport imports[2];
  uint32_t n;
  CueStr module; /* how a program refers to the module, and to what values it has */
  CueStr values;
  Instance *rendered; /* the module, or the same without the values that an environment overrides */
  const RenderEnvironment *env;
  bool has_config, env_has_values;
} Sources;

static Instance *make(CueContext *c, CueBuf *text, const ProgramImport *imports, uint32_t n, RenderFailure *why) {
  Instance *p = program_make(c, cue_buf_done(text), imports, n, &why->details);
  if (!p) program_load_failed(why, CUE_STR("module does not load"));
  return p;
}

/* What an environment says must fit #config by itself, before it is merged: RFC-0001's _envValuesTypeCheck. */
static bool check_environment(CueContext *c, const Sources *s, RenderFailure *why) {
  if (!s->has_config || !s->env_has_values) return true;
  CueBuf t = cue_buf(c->a);
  cue_buf_f(&t, "values: %.*s.#config & ", CUE_FMT(s->module));
  environment_values(c, &t, cue_strf(c->a, "%.*s.values", CUE_FMT(s->env->expr)),
                     program_field(c, s->env->vertex, "values"));
  cue_buf_ch(&t, '\n');
  Instance *p = make(c, &t, s->imports, s->n, why);
  if (!p) return false;
  if (check(c, program_field(c, p->root, "values"), false, why)) return true;
  environment_places(c, s->env, &why->details);
  return program_failed(
      why, RENDER_INVALID,
      cue_strf(c->a, "values of environment \"%.*s\" do not satisfy #config schema", CUE_FMT(s->env->name)),
      CUE_STR("an environment may set what #config declares, with values of its types"));
}

bool release_environment_fits(CueContext *c, const RenderModule *m, const RenderEnvironment *e) {
  Sources s = {.imports = {{"module", m->package}, {"environments", e->package}}, .n = 2, .module = m->expr, .env = e};
  RenderFailure why = {.details = {.a = c->a}};
  s.has_config = program_declares(m->package, "#config");
  s.env_has_values = program_field(c, e->vertex, "values") != NULL;
  return check_environment(c, &s, &why);
}

/* Whether a place is in what the module or a values file says of values. */
static bool is_said_value(const Instance *module, CuePos pos) {
  uint32_t at = cue_pos_offset(pos);
  for (uint32_t i = 0; i < module->files.n; i++) {
    const AstList *l = &module->files.at[i]->root->u.list;
    for (uint32_t k = 0; k < l->n; k++) /* values: #config only refers to what they can be. */
      if (program_is_field(l->at[k], "values") && l->at[k]->u.field.value->kind == AST_STRUCT &&
          program_covers(l->at[k], at))
        return true;
  }
  return false;
}

/* Only values are in conflict, and no #config with them. */
static bool say_twice(const CueContext *c, const Instance *module, const CueDiags *d) {
  for (const CueDiag *x = d->first; x; x = x->next) {
    uint32_t n = 0, own = 0;
    for (uint32_t i = 0; i < x->at.n; i++) {
      n += is_said_value(module, x->at.at[i]);
      own += program_place(c, x->at.at[i]);
    }
    if (n > 1 && n + own == x->at.n && cue_str_has_prefix(x->message, CUE_STR("conflicting values"))) return true;
  }
  return false;
}

static bool wrong_values(const CueContext *c, const Instance *module, RenderFailure *why) {
  return program_failed(
      why, RENDER_INVALID, CUE_STR("values do not satisfy #config schema"),
      say_twice(c, module, &why->details)
          ? CUE_STR("values are unified, so none wins over another: set a field in one place; -f replaces "
                    "values*.cue only, and an environment overrides")
          : CUE_STR("compare values with #config of the module"));
}

/* How a program refers to the values of the release. */
static bool effective(CueContext *c, const Sources *s, CueStr *out, RenderFailure *why) {
  *out = s->values;
  if (!s->env_has_values) return true;
  CueBuf t = cue_buf(c->a);
  cue_buf_f(&t, "values: %.*s\n", CUE_FMT(s->values));
  Instance *p = make(c, &t, s->imports, 1, why);
  if (!p) return false;
  Vertex *base = program_field(c, p->root, "values");
  if (base && !check(c, base, false, why)) return wrong_values(c, s->imports[0].package, why);
  CueBuf b = cue_buf(c->a);
  CueStr env = cue_strf(c->a, "%.*s.values", CUE_FMT(s->env->expr));
  environment_merge(c, &b, *out, base, env, program_field(c, s->env->vertex, "values"));
  *out = cue_buf_done(&b);
  return true;
}

/* What was said of values is kept where it says nothing: it may be all that an import is for. */
static Ast *unsaid(CueContext *c, const Ast *field, uint32_t i) {
  Ast *copy = ast_copy(c->a, field), *label = ast_new(c->a, AST_IDENT, field->pos, field->end);
  label->u.ident.name = cue_strf(c->a, "_said%u", i);
  copy->u.field.label = label;
  copy->constraint = TOK_OPTION;
  return copy;
}

Instance *release_without_values(CueContext *c, const Instance *module, RenderFailure *why) {
  Instance *copy = cue_new(c->a, Instance);
  *copy = *module;
  copy->files.at = NULL;
  copy->files.n = copy->files.cap = 0;
  copy->root = NULL;
  copy->state = 0;
  uint32_t n = 0;
  CueStr package = module->package.n ? cue_strf(c->a, "package %.*s\n", CUE_FMT(module->package)) : CUE_STR("");
  CueStr text = cue_strf(c->a, "%.*svalues: #config\n", CUE_FMT(package));
  CueSource *src = cue_source_keep(c->sources, CUE_STR(""), text);
  cue_push(c->a, &copy->files, cue_parse_file(c->a, src, (ParseOptions){0}, &why->details));
  for (uint32_t i = 0; i < module->files.n; i++) {
    AstFile *f = cue_new(c->a, AstFile);
    *f = *module->files.at[i];
    Ast *root = ast_copy(c->a, f->root);
    root->u.list = (AstList){0};
    for (uint32_t k = 0; k < f->root->u.list.n; k++) {
      Ast *d = f->root->u.list.at[k];
      ast_list_add(c->a, &root->u.list, program_is_field(d, "values") ? unsaid(c, d, n++) : d);
    }
    f->root = root;
    cue_push(c->a, &copy->files, f);
  }
  if (cue_build(c, copy, &why->details)) return copy;
  program_load_failed(why, CUE_STR("module does not load"));
  return NULL;
}

/* ---- metadata ---- */

static bool same_namespace(CueArena *a, CueStr asked, CueStr said, const char *by, CueStr name, RenderFailure *why) {
  if (!asked.n || !said.n || cue_str_eq(asked, said)) return true;
  return program_failed(why, RENDER_INVALID,
                        cue_strf(a, "namespace \"%.*s\" conflicts with \"%.*s\" of %s \"%.*s\"", CUE_FMT(asked),
                                 CUE_FMT(said), by, CUE_FMT(name)),
                        CUE_STR("leave --namespace out, or take an environment without a namespace"));
}

/* A name that may be said in several places. */
typedef struct {
  CueStr text;
  const char *from; /* for people */
  CueStr expr;      /* how the program of the release refers to the place; "" if that is not in CUE */
} Choice;

static Choice first_of(const Choice *at, size_t n) {
  size_t i = 0;
  while (i + 1 < n && !at[i].text.n) i++;
  return at[i];
}

static void put_choice(CueBuf *t, const char *field, Choice x) {
  cue_buf_f(t, "\t%s: ", field);
  if (x.expr.n)
    cue_buf_str(t, x.expr);
  else
    program_quote(t, x.text);
  cue_buf_ch(t, '\n');
}

static void label_line(CueBuf *t, const char *key, const char *expr) {
  cue_buf_f(t, "\t\t\"" RELEASE_LABEL "%s\": \"\\(%s)\"\n", key, expr);
}

/* What a release that is written out says itself, without what is computed: an environment may change that. */
static bool given_lines(CueContext *c, CueBuf *t, const RenderModule *m, const char *field) {
  if (!program_path(c, m->release, (const char *const[]){"metadata", field, NULL})) return false;
  cue_buf_f(t, "\t%s: {for k, v in %.*s.metadata.%s if !strings.HasPrefix(k, \"" RELEASE_LABEL "\") {(k): v}}\n", field,
            CUE_FMT(m->given), field);
  return true;
}

/* The same as metadata of core.#ModuleRelease; a module need not be made with core for it. */
static Instance *metadata_program(CueContext *c, const RenderRelease *r, const RenderModule *m, Choice name,
                                  Choice namespace, Instance *release, RenderFailure *why) {
  CueBuf t = cue_buf(c->a);
  Vertex *meta = program_path(c, release->root, METADATA);
  bool has_fqn = program_field(c, meta, "fqn"), has_version = program_field(c, meta, "version");
  cue_buf_z(&t, "metadata: {\n");
  put_choice(&t, "name", name);
  put_choice(&t, "namespace", namespace);
  cue_buf_f(&t, "\tfqn: %s\n\tversion: %s\n", has_fqn ? "release.release.metadata.fqn" : "name",
            has_version ? "release.release.metadata.version" : "\"0.0.0\"");
  cue_buf_z(&t, "\tidentity: uuid.SHA1(\"" RELEASE_IDENTITY "\", \"\\(fqn):\\(name):\\(namespace)");
  if (r->environment.n) cue_buf_f(&t, ":%.*s", CUE_FMT(r->environment));
  cue_buf_z(&t, "\")\n\tlabels: {\n");
  if (program_field(c, meta, "labels")) cue_buf_z(&t, "\t\tfor k, v in release.release.metadata.labels {(k): v}\n");
  label_line(&t, "name", "name");
  label_line(&t, "version", "strings.Replace(version, \"+\", \"_\", -1)");
  label_line(&t, "uuid", "identity");
  if (r->env) label_line(&t, "environment", "chosen.environment.metadata.name");
  cue_buf_z(&t, "\t}\n");
  if (program_field(c, meta, "annotations"))
    cue_buf_z(&t, "\tannotations: {for k, v in release.release.metadata.annotations {(k): v}}\n");
  bool labels = given_lines(c, &t, m, "labels"), annotations = given_lines(c, &t, m, "annotations");
  cue_buf_z(&t, "}\n");
  if (r->env)
    cue_buf_f(&t, "environment: {name: chosen.environment.metadata.name%s%s}\n",
              program_path(c, r->env->vertex, (const char *const[]){"metadata", "labels", NULL})
                  ? ", labels: chosen.environment.metadata.labels"
                  : "",
              program_path(c, r->env->vertex, (const char *const[]){"metadata", "annotations", NULL})
                  ? ", annotations: chosen.environment.metadata.annotations"
                  : "");
  /* Components are referred to through this program, too. */
  cue_buf_z(&t, "components: release.release.#components\n");
  ProgramImport imports[5] = {{"uuid", NULL}, {"strings", NULL}, {"release", release}};
  uint32_t n = 3;
  if (r->env) imports[n++] = (ProgramImport){"chosen", r->env->program};
  CueStr given = CUE_STR("module");
  if (labels || annotations || cue_str_has_prefix(name.expr, given) || cue_str_has_prefix(namespace.expr, given))
    imports[n++] = (ProgramImport){"module", m->package};
  return make(c, &t, imports, n, why);
}

/* ---- components ---- */

static void keys_of(CueContext *c, Vertex *v, RenderNames *out) {
  Vertex *d = v ? vertex_deref(v) : NULL;
  for (uint32_t i = 0; d && i < d->arcs.n; i++)
    if (label_is_string(d->arcs.at[i]->label) && vertex_defined(c->eval, d->arcs.at[i]))
      cue_push(c->a, out, label_name(c->labels, d->arcs.at[i]->label));
}

static int by_name(const void *x, const void *y) {
  const RenderComponent *p = x, *q = y;
  return cue_str_cmp(p->name, q->name);
}

/* A key that is no name is not taken for one, and then there is none: that is what is wrong, not that it is missing. */
static bool named(const RenderComponent *k, RenderFailure *why) {
  if (k->name.n || release_is_name(k->key)) return true;
  CuePos pos = k->vertex->conjuncts.n ? k->vertex->conjuncts.at[0].x->pos : 0;
  cue_report(&why->details, pos, "component \"%.*s\" has no metadata.name, and its key cannot serve as one",
             CUE_FMT(k->key));
  return false;
}

static void unknown_fields(CueContext *c, RenderComponent *k, Vertex *v, bool of_metadata) {
  Vertex **arcs;
  uint32_t n;
  if (!v) return;
  cue_field_order(c->eval, c->a, vertex_deref(v), &arcs, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (!label_is_string(arcs[i]->label) || !vertex_defined(c->eval, arcs[i])) continue;
    CueStr key = label_name(c->labels, arcs[i]->label);
    if (match_is_component_field(key, of_metadata)) continue;
    cue_push(c->a, &k->unknown, match_unknown_field(c->a, k->name, key, of_metadata));
  }
}

static bool components(CueContext *c, RenderRelease *r, Vertex *release, RenderFailure *why) {
  Vertex *map = program_field(c, release, "#components");
  if (!map)
    return program_failed(why, RENDER_INVALID, CUE_STR("module missing '#components' field"),
                          CUE_STR("a module has the form: #components: NAME: {...}"));
  Vertex *d = vertex_deref(map);
  Bottom *b = vertex_bottom(d);
  if (b) {
    cue_value_report(c->eval, map, b, &why->details);
    return program_failed(
        why, RENDER_INVALID, CUE_STR("components are not valid"),
        CUE_STR("compare them with the definitions they embed; opm catalog extract DIR writes those of opm"));
  }
  uint32_t abstract = 0;
  bool wrong = false, nameless = false;
  for (uint32_t i = 0; i < d->arcs.n; i++) {
    Vertex *arc = d->arcs.at[i];
    if (!label_is_string(arc->label) || !vertex_defined(c->eval, arc)) continue;
    RenderComponent k = {.vertex = arc};
    CueBuf expr = cue_buf(c->a);
    cue_buf_z(&expr, "release.components");
    program_index(&expr, label_name(c->labels, arc->label));
    k.expr = cue_buf_done(&expr);
    k.key = label_name(c->labels, arc->label);
    k.name = program_string(c, arc, (const char *const[]){"metadata", "name", NULL});
    CueDiags before = why->details;
    why->details = (CueDiags){.a = c->a};
    if (!named(&k, why))
      nameless = true;
    else if (!check(c, arc, false, why))
      wrong = true;
    else if (!check(c, arc, true, why))
      abstract++;
    cue_diags_append(&before, &why->details);
    why->details = before;
    if (!k.name.n) k.name = k.key;
    k.labels = program_data(c, program_path(c, arc, (const char *const[]){"metadata", "labels", NULL}));
    keys_of(c, program_field(c, arc, "#resources"), &k.resources);
    keys_of(c, program_field(c, arc, "#traits"), &k.traits);
    if (cue_str_is(program_string(c, arc, (const char *const[]){"kind", NULL}), "Component")) {
      unknown_fields(c, &k, arc, false);
      unknown_fields(c, &k, program_field(c, arc, "metadata"), true);
    }
    cue_push(c->a, &r->components, k);
  }
  if (r->components.n) qsort(r->components.at, r->components.n, sizeof *r->components.at, by_name);
  if (wrong || nameless)
    return program_failed(why, RENDER_INVALID, CUE_STR("components are not valid"),
                          nameless ? CUE_STR(NAME_HINT) : CUE_STR(FIELD_HINT));
  if (!abstract) return true;
  bool choice = false;
  for (const CueDiag *x = why->details.first; x; x = x->next)
    choice |=
        cue_str_has_prefix(x->message, CUE_STR("incomplete value")) && cue_str_find(x->message, CUE_STR(" | ")) > 0;
  return program_failed(
      why, RENDER_INVALID,
      cue_strf(c->a, "%u component(s) have non-concrete values - check that all required values are provided",
               abstract),
      all_begin(&why->details, "", "undefined field: #") ? CUE_STR(DEFINITION_HINT)
      : choice                                           ? CUE_STR(VALUE_HINT "; defaults that differ leave none")
                                                         : CUE_STR(VALUE_HINT));
}

/* ---- the release ---- */

static CueStr text_at(CueContext *c, Vertex *v, const char *x, const char *y) {
  return program_string(c, v, (const char *const[]){x, y, NULL});
}

/* The environment the user names, or the one a release was written with. */
static bool find_environment(CueContext *c, const RenderOptions *o, const RenderModule *m, Sources *s,
                             RenderFailure *why) {
  Vertex *own = program_field(c, m->release, "#environment");
  if (own) {
    RenderEnvironment *e = cue_new(c->a, RenderEnvironment);
    /* The release is in the package that a program knows as "environments" here. */
    CueStr expr = cue_strf(c->a, "environments%.*s.#environment", (int)(m->given.n - 6), m->given.s + 6);
    CueStr name = text_at(c, own, "metadata", "name");
    if (o->environment.n && !cue_str_eq(o->environment, name))
      return program_failed(why, RENDER_INVALID,
                            cue_strf(c->a, "the release is for environment \"%.*s\", not \"%.*s\"", CUE_FMT(name),
                                     CUE_FMT(o->environment)),
                            CUE_STR("leave --environment out, or choose another release with --name"));
    s->env = e;
    return environment_at(c, m, m->package, expr, name, e, why);
  }
  if (!o->environment.n) return true;
  RenderEnvironments *all = cue_new(c->a, RenderEnvironments);
  return render_environments(c, o, m, all, why) && environment_find(c, all, o->environment, &s->env, why);
}

/* #config of the module that is rendered. */
static Vertex *config_of(CueContext *c, const Sources *s) {
  CueBuf t = cue_buf(c->a);
  cue_buf_f(&t, "config: %.*s.#config\n", CUE_FMT(s->module));
  CueDiags none = {.a = c->a};
  ProgramImport module = {"module", s->rendered};
  Instance *p = program_make(c, cue_buf_done(&t), &module, 1, &none);
  return p ? program_field(c, p->root, "config") : NULL;
}

/* Values as the release has them, checked against #config: a program whose field "values" they are. */
static Instance *make_values(CueContext *c, const Sources *s, RenderRelease *r, RenderFailure *why) {
  CueStr expr;
  CueBuf t = cue_buf(c->a);
  if (!effective(c, s, &expr, why)) return NULL;
  /* By reference, as values without an environment are: what is written here would come before what #config refers to. */
  bool merged = s->has_config && s->env_has_values;
  if (merged) cue_buf_f(&t, "given: %.*s\n", CUE_FMT(expr));
  cue_buf_z(&t, "values: ");
  /* With #config of the very module that is rendered: fields of one that says the same elsewhere are put in no order. */
  if (s->has_config) cue_buf_f(&t, "rendered%.*s.#config & ", CUE_FMT(cue_str_sub(s->module, 6, s->module.n)));
  cue_buf_f(&t, "%.*s\n", CUE_FMT(merged ? CUE_STR("given") : expr));
  ProgramImport imports[3] = {{"rendered", s->rendered}, s->imports[0], s->imports[1]};
  uint32_t n = (s->has_config ? 1u : 0u) + (s->env_has_values ? 2u : 1u);
  Instance *values = make(c, &t, s->has_config ? imports : imports + 1, n, why);
  if (!values) return NULL;
  r->values = program_field(c, values->root, "values");
  if (check(c, r->values ? r->values : values->root, false, why)) return values;
  Vertex *config = s->has_config && r->values ? config_of(c, s) : NULL;
  if (config) unknown_values(c, r->values, config, CUE_STR("values"), &why->details);
  if (s->env) environment_places(c, s->env, &why->details);
  wrong_values(c, s->imports[0].package, why);
  return NULL;
}

/* Messages name fields of the module, not those of the program around it. */
static void strip_paths(CueDiags *d) {
  CueStr prefix = CUE_STR("release.");
  for (CueDiag *x = d->first; x; x = x->next) {
    if (cue_str_has_prefix(x->path, prefix)) x->path = cue_str_sub(x->path, prefix.n, x->path.n);
    if (cue_str_is(x->path, "release")) x->path = CUE_STR("");
  }
}

/* Much is computed from these: when one is wrong, what is wrong with the rest says nothing. */
static bool check_names(CueContext *c, Vertex *meta, RenderFailure *why) {
  static const char *const fields[] = {"apiVersion", "name", "version"};
  bool ok = true;
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    Vertex *v = program_field(c, meta, fields[i]);
    if (v) ok &= check(c, v, false, why);
  }
  return ok;
}

static Instance *combined(CueContext *c, const Sources *s, ProgramImport module, CueStr expr, Instance *values,
                          RenderFailure *why) {
  CueBuf t = cue_buf(c->a);
  cue_buf_f(&t, "release: %.*s%s\n", CUE_FMT(expr), s->has_config ? " & {#config: values.values}" : "");
  ProgramImport imports[] = {module, {"values", values}};
  return make(c, &t, imports, s->has_config ? 2 : 1, why);
}

/* Whether there may be structs among the alternatives of a field of #config: not if it is a schema. */
static bool has_alternatives(CueContext *c, const Sources *s) {
  Vertex *config = s->has_config ? config_of(c, s) : NULL;
  return config && !lower_values_schema(c, config);
}

/* With the module a definition, as it is in core.#ModuleRelease: alternatives within #config are closed then, and a field
** that only one of them has decides between them. This takes longer. */
static Instance *combined_closed(CueContext *c, const Sources *s, Instance *values, RenderFailure *why) {
  CueBuf t = cue_buf(c->a);
  ProgramImport module = {"module", s->rendered};
  cue_buf_f(&t, "#module: %.*s\n", CUE_FMT(s->module));
  Instance *closed = make(c, &t, &module, 1, why);
  if (!closed) return NULL;
  return combined(c, s, (ProgramImport){"closed", closed}, CUE_STR("closed.#module"), values, why);
}

static Vertex *release_in(CueContext *c, const Instance *p) { return p ? program_field(c, p->root, "release") : NULL; }

static bool is_valid(Vertex *release) { return release && !vertex_bottom(release); }

/* The module with its values: a program whose field "release" it is. */
static Instance *make_release(CueContext *c, const RenderModule *m, const Sources *s, Instance *values,
                              RenderFailure *why) {
  bool close = has_alternatives(c, s);
  Instance *closed = close ? combined_closed(c, s, values, why) : NULL;
  if (is_valid(release_in(c, closed)) || (close && !closed)) return closed;
  /* A definition must be valid without values, and does not tell all that is wrong with it. */
  Instance *p = combined(c, s, (ProgramImport){"module", s->rendered}, s->module, values, why);
  Vertex *root = release_in(c, p);
  if (!p || is_valid(root)) return p;
  bool plain = check_names(c, program_field(c, root, "metadata"), why);
  if (plain) check(c, root ? root : p->root, false, why);
  strip_paths(&why->details);
  own_places(c, m, root, &why->details);
  bool about = all_begin(&why->details, "metadata.", "");
  program_failed(why, RENDER_INVALID,
                 about ? CUE_STR("metadata of the module is not valid") : CUE_STR("module is not valid"),
                 !plain  ? CUE_STR(METADATA_HINT)
                 : about ? CUE_STR(METADATA_FIELDS_HINT)
                         : CUE_STR(FIELD_HINT));
  return NULL;
}

/* Most of it is computed: where something is missing, that is all there is to say. */
static void only_missing(CueDiags *d) {
  CueDiags missing = {.a = d->a};
  for (const CueDiag *x = d->first; x; x = x->next)
    if (cue_str_is(x->message, "field is required but not present"))
      cue_diag_add(&missing, x->path, x->message)->at = x->at;
  if (missing.n) *d = missing;
}

static bool metadata(CueContext *c, const RenderOptions *o, const RenderModule *m, Instance *release, RenderRelease *r,
                     RenderFailure *why) {
  Vertex *root = program_field(c, release->root, "release"), *meta = program_field(c, root, "metadata");
  if (meta && !check(c, meta, true, why)) {
    strip_paths(&why->details);
    only_missing(&why->details);
    own_places(c, m, root, &why->details);
    return program_failed(why, RENDER_INVALID, CUE_STR("metadata of the module is not valid"), CUE_STR(METADATA_HINT));
  }
  r->metadata = meta;
  r->module_name = text_at(c, meta, "name", NULL);
  r->module_identity = text_at(c, meta, "identity", NULL);
  Choice names[] = {
      {text_at(c, m->release, "metadata", "name"), "release", cue_strf(c->a, "%.*s.metadata.name", CUE_FMT(m->given))},
      {o->name, "--name", CUE_STR("")},
      {r->module_name, "module", CUE_STR("release.release.metadata.name")},
  };
  Choice name = first_of(names, 3);
  r->name = name.text;
  r->name_from = cue_str(name.from);
  if (!r->name.n)
    return program_failed(why, RENDER_INVALID, CUE_STR("the release has no name"),
                          CUE_STR("set metadata.name in the module, or use --name"));
  CueStr by_env = r->env ? text_at(c, r->env->vertex, "namespace", NULL) : CUE_STR("");
  CueStr by_release = text_at(c, m->release, "metadata", "namespace");
  if (!same_namespace(c->a, o->namespace, by_env, "environment", r->environment, why) ||
      !same_namespace(c->a, o->namespace, by_release, "release", r->name, why))
    return false;
  CueStr by_module = text_at(c, meta, "defaultNamespace", NULL);
  r->by_release = by_release, r->by_environment = by_env, r->by_module = by_module;
  Choice namespaces[] = {
      {o->namespace, "--namespace", CUE_STR("")},
      {by_release, "release", cue_strf(c->a, "%.*s.metadata.namespace", CUE_FMT(m->given))},
      {by_env, "environment", CUE_STR("chosen.environment.namespace")},
      {o->preferred, "$OPM_NAMESPACE", CUE_STR("")},
      {by_module, "module", CUE_STR("release.release.metadata.defaultNamespace")},
      {o->fallback, "configuration", CUE_STR("")},
      {CUE_STR("default"), "default", CUE_STR("")},
  };
  Choice namespace = first_of(namespaces, 7);
  r->namespace = namespace.text;
  r->namespace_from = cue_str(namespace.from);
  if (!release_is_name(r->name))
    return program_failed(why, RENDER_INVALID, cue_strf(c->a, "the release cannot be named \"%.*s\"", CUE_FMT(r->name)),
                          CUE_STR(NAME_HINT));
  if (!release_is_name(r->namespace))
    return program_failed(why, RENDER_INVALID,
                          cue_strf(c->a, "the namespace cannot be named \"%.*s\"", CUE_FMT(r->namespace)),
                          CUE_STR(NAME_HINT));
  r->program = metadata_program(c, r, m, name, namespace, release, why);
  if (!r->program) return false;
  Vertex *made = program_field(c, r->program->root, "metadata");
  if (!check(c, made, true, why))
    return program_failed(why, RENDER_INVALID, CUE_STR("metadata of the release is not valid"), CUE_STR(METADATA_HINT));
  r->fqn = text_at(c, made, "fqn", NULL);
  r->version = text_at(c, made, "version", NULL);
  r->identity = text_at(c, made, "identity", NULL);
  return true;
}

/* Values and environment; NULL if something is wrong with them. */
static Instance *values_of(CueContext *c, const RenderOptions *o, const RenderModule *m, Sources *s, RenderRelease *r,
                           RenderFailure *why) {
  *s = (Sources){.imports = {{"module", m->package}}, .n = 1, .module = m->expr};
  s->values = cue_strf(c->a, "%.*s.values", CUE_FMT(m->release ? m->given : m->expr));
  s->has_config = m->release || program_declares(m->package, "#config");
  *r = (RenderRelease){.environment = CUE_STR("")};
  why->details.a = c->a;
  if (!find_environment(c, o, m, s, why)) return NULL;
  if (s->env) {
    r->env = s->env;
    r->environment = s->env->name;
    r->kube_context = text_at(c, s->env->vertex, "cluster", "kubeContext");
    r->kube_config = text_at(c, s->env->vertex, "cluster", "kubeConfig");
    s->env_has_values = program_field(c, s->env->vertex, "values") != NULL;
    s->imports[1] = (ProgramImport){"environments", s->env->package};
    s->n = 2;
    if (!check_environment(c, s, why)) return NULL;
  }
  s->rendered = m->package;
  if (s->env_has_values && s->has_config && !m->release) s->rendered = release_without_values(c, m->package, why);
  return s->rendered ? make_values(c, s, r, why) : NULL;
}

bool render_values(CueContext *c, const RenderOptions *o, const RenderModule *m, RenderRelease *r, RenderFailure *why) {
  Sources s;
  return values_of(c, o, m, &s, r, why) != NULL;
}

bool render_release(CueContext *c, const RenderOptions *o, const RenderModule *m, RenderRelease *r,
                    RenderFailure *why) {
  Sources s;
  Instance *values = values_of(c, o, m, &s, r, why);
  Instance *release = values ? make_release(c, m, &s, values, why) : NULL;
  if (!release) return false;
  if (!components(c, r, program_field(c, release->root, "release"), why)) {
    strip_paths(&why->details);
    Vertex *made = program_field(c, program_field(c, release->root, "release"), "#components");
    fields_places(c, made, CUE_STR("#components"), &why->details);
    own_places(c, m, program_field(c, release->root, "release"), &why->details);
    if (s.has_config) check(c, r->values, true, why); /* what is missing is best said in the words of #config */
    fields_places(c, r->values, CUE_STR("values"), &why->details);
    return false;
  }
  return metadata(c, o, m, release, r, why);
}
