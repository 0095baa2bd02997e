/* environment.c - the environments a module knows, and the values they override.
**
** Environments stand in the module's own package, as #environments, or in the package of its
** folder environments/, or in a folder or file the user names. In a package of their own, each
** field that is an Environment counts, and each entry of a field `environments`.
**
** The values of an environment win over those of the release: structs are merged, everything else
** is replaced. The result is written as CUE that refers to both, so that each leaf still knows
** where it was said.
*/
#include <stdlib.h>
#include <sys/stat.h>

#include "compiler/load_fs.h"
#include "compiler/render/environment.h"

#define HINT_ENVIRONMENT "an environment has metadata, cluster, namespace and values"

static bool is_struct(Vertex *v) {
  Vertex *d = vertex_deref(v);
  return !vertex_bottom(d) && vertex_value(d) == (Ir *)d && !vertex_is_list(d);
}

/* ---- where they are ---- */

typedef struct {
  CueContext *c;
  RenderEnvironments *out;
  Instance *package;
} Collector;

static CueStr selected(CueContext *c, CueStr expr, Label l) {
  CueBuf b = cue_buf(c->a);
  cue_buf_str(&b, expr);
  if (label_is_string(l))
    program_index(&b, label_name(c->labels, l));
  else
    cue_buf_f(&b, ".%.*s", CUE_FMT(label_name(c->labels, l)));
  return cue_buf_done(&b);
}

static void add(void *arg, Vertex *v, CueStr expr) {
  Collector *k = arg;
  CueContext *c = k->c;
  RenderEnvironment e = {.expr = expr, .package = k->package, .said = v};
  e.name = program_string(c, v, (const char *const[]){"metadata", "name", NULL});
  if (!e.name.n && label_is_string(v->label)) e.name = label_name(c->labels, v->label);
  e.pos = v->conjuncts.n ? v->conjuncts.at[0].x->pos : 0;
  cue_push(c->a, k->out, e);
}

/* all: every struct of the map is meant to be one. */
static void each(CueContext *c, Vertex *v, CueStr expr, const char *kind, const char *map, bool all, int depth,
                 KindVisit *visit, void *arg) {
  Vertex *d = vertex_deref(v);
  for (uint32_t i = 0; i < d->arcs.n; i++) {
    Vertex *arc = d->arcs.at[i];
    Label l = arc->label;
    bool broken = all && vertex_bottom(vertex_deref(arc)); /* what is wrong with it is told when it is used */
    if (!(label_is_string(l) || label_kind(l) == LABEL_DEF) || !vertex_defined(c->eval, arc)) continue;
    if (!is_struct(arc) && !broken) continue;
    CueStr said = program_string(c, arc, (const char *const[]){"kind", NULL}), name = label_name(c->labels, l);
    if (label_kind(l) == LABEL_DEF) name = cue_str_sub(name, 1, name.n);
    if (label_is_string(l) && (all || cue_str_is(said, kind)))
      visit(arg, arc, selected(c, expr, l));
    else if (!said.n && depth == 0)
      each(c, arc, selected(c, expr, l), kind, map, cue_str_is(name, map), 1, visit, arg);
  }
}

void kind_each(CueContext *c, Vertex *root, CueStr expr, const char *kind, const char *map, KindVisit *visit,
               void *arg) {
  each(c, root, expr, kind, map, false, 0, visit, arg);
}

static bool build(CueContext *c, Instance *inst, RenderFailure *why) {
  if (inst->errors) cue_diags_append(&why->details, inst->errors);
  if (why->details.n || !cue_build(c, inst, &why->details))
    return program_load_failed(why, CUE_STR("environments do not load"));
  cue_finalize(c->eval, inst->root);
  Bottom *wrong = cue_validate(c->eval, inst->root, (ValidateOptions){.all_errors = true});
  if (!wrong) return true;
  cue_value_report(c->eval, inst->root, wrong, &why->details);
  return program_failed(why, RENDER_INVALID, CUE_STR("environments are not valid"), CUE_STR(HINT_ENVIRONMENT));
}

static bool load_place(CueContext *c, const RenderModule *m, CueStr path, Instance **out, RenderFailure *why) {
  struct stat st;
  LoadConfig load = m->load;
  CueStr arg = CUE_STR(".");
  if (stat(cue_str_copy(c->a, path).s, &st) != 0)
    return program_failed(why, RENDER_NOT_FOUND, cue_strf(c->a, "no environments at %.*s", CUE_FMT(path)),
                          CUE_STR("name a folder or file that holds them with --environments"));
  load.cwd = path;
  if (!S_ISDIR(st.st_mode)) {
    load.cwd = path_dir(c->a, path);
    arg = path;
  }
  *out = load_args(c, &load, &arg, 1).at[0]->instance;
  return build(c, *out, why);
}

/* Each must be an Environment of core; what is wrong with one matters when it is used. One that is not written as such
** is copied: in a definition it would be closed, and so not become one. */
static bool check_kind(CueContext *c, const RenderModule *m, RenderEnvironment *e, RenderFailure *why) {
  CueBuf t = cue_buf(c->a);
  cue_buf_z(&t, "environment: core.#Environment & {metadata: name: string | *");
  program_quote(&t, e->name);
  cue_buf_z(&t, "} & ");
  if (e->said && !program_field(c, e->said, "kind"))
    environment_values(c, &t, e->expr, e->said);
  else
    cue_buf_str(&t, e->expr);
  cue_buf_ch(&t, '\n');
  e->program = program_make(c, cue_buf_done(&t), (ProgramImport[]){{"core", m->core}, {"environments", e->package}}, 2,
                            &why->details);
  if (!e->program) return program_load_failed(why, CUE_STR("environments do not load"));
  e->vertex = program_field(c, e->program->root, "environment");
  return true;
}

static int by_name(const void *x, const void *y) {
  const RenderEnvironment *p = x, *q = y;
  return cue_str_cmp(p->name, q->name);
}

static bool is_twice(CueContext *c, const RenderEnvironment *x, const RenderEnvironment *y, RenderFailure *why) {
  CueDiag *d = cue_diag_add(&why->details, CUE_STR(""), cue_strf(c->a, "two have the name \"%.*s\"", CUE_FMT(x->name)));
  cue_push(c->a, &d->at, x->pos);
  cue_push(c->a, &d->at, y->pos);
  return program_failed(why, RENDER_INVALID, CUE_STR("environments are not valid"),
                        CUE_STR("the name is metadata.name, or the key of one that does not say it"));
}

bool render_environments(CueContext *c, const RenderOptions *o, const RenderModule *m, RenderEnvironments *out,
                         RenderFailure *why) {
  Collector k = {c, out, m->package};
  CueStr folder = path_join(c->a, m->dir, CUE_STR("environments")), expr = CUE_STR("environments");
  struct stat st;
  why->details.a = c->a;
  if (o->environments.n || stat(folder.s, &st) == 0) {
    if (!load_place(c, m, o->environments.n ? o->environments : folder, &k.package, why)) return false;
    kind_each(c, k.package->root, expr, "Environment", "environments", add, &k);
  }
  if (!o->environments.n && program_declares(m->package, "#environments")) {
    /* The module itself is not evaluated for this: it may want values first. */
    Instance *p = program_make(c, CUE_STR("own: module.#environments\n"), (ProgramImport[]){{"module", m->package}}, 1,
                               &why->details);
    if (!p) return program_load_failed(why, CUE_STR("environments do not load"));
    k.package = m->package;
    each(c, program_field(c, p->root, "own"), CUE_STR("environments.#environments"), "Environment", "", true, 1, add,
         &k);
  }
  for (uint32_t i = 0; i < out->n; i++)
    if (!check_kind(c, m, &out->at[i], why)) return false;
  if (out->n) qsort(out->at, out->n, sizeof *out->at, by_name);
  for (uint32_t i = 1; i < out->n; i++)
    if (cue_str_eq(out->at[i - 1].name, out->at[i].name)) return is_twice(c, &out->at[i - 1], &out->at[i], why);
  return true;
}

/* An error in one environment of a package is one in all of them: who reads it must not look in the wrong place. */
static bool is_other(CueContext *c, const RenderEnvironment *e, const CueDiags *d) {
  CueBuf dotted = cue_buf(c->a), quoted = cue_buf(c->a);
  cue_buf_f(&dotted, "#environments.%.*s", CUE_FMT(e->name));
  cue_buf_z(&quoted, "#environments.");
  program_quote(&quoted, e->name);
  CueStr plain = cue_buf_done(&dotted), odd = cue_buf_done(&quoted);
  for (const CueDiag *x = d->first; x; x = x->next)
    if (!cue_str_has_prefix(x->path, CUE_STR("#environments.")) || cue_str_has_prefix(x->path, plain) ||
        cue_str_has_prefix(x->path, odd))
      return false;
  return true;
}

bool render_environment_valid(CueContext *c, const RenderEnvironment *e, RenderFailure *why) {
  Bottom *wrong = cue_validate(c->eval, e->vertex, (ValidateOptions){.concrete = true, .all_errors = true});
  if (!wrong) return true;
  cue_value_report(c->eval, e->vertex, wrong, &why->details);
  environment_places(c, e, &why->details);
  /* In the module's own package, what is wrong may be its values. */
  bool values = true;
  for (CueDiag *d = why->details.first; d; d = d->next) values &= cue_str_has_prefix(d->path, CUE_STR("values"));
  if (values)
    return program_failed(why, RENDER_INVALID, CUE_STR("values do not satisfy #config schema"),
                          CUE_STR("compare values with #config of the module"));
  return program_failed(why, RENDER_INVALID,
                        is_other(c, e, &why->details)
                            ? CUE_STR("environments are not valid")
                            : cue_strf(c->a, "environment \"%.*s\" is not valid", CUE_FMT(e->name)),
                        CUE_STR(HINT_ENVIRONMENT));
}

bool environment_find(CueContext *c, const RenderEnvironments *all, CueStr name, const RenderEnvironment **out,
                      RenderFailure *why) {
  CueBuf names = cue_buf(c->a);
  for (uint32_t i = 0; i < all->n; i++) {
    *out = &all->at[i];
    if (cue_str_eq(all->at[i].name, name)) break;
    cue_buf_f(&names, "%s%.*s", names.n ? ", " : "", CUE_FMT(all->at[i].name));
    *out = NULL;
  }
  if (!all->n || !*out) {
    CueStr known = cue_buf_done(&names);
    CueStr hint = known.n ? CUE_STR("opm env list shows them")
                          : CUE_STR("declare it in the module as #environments: NAME: {...}, or in its folder "
                                    "environments/, or name another place with --environments");
    return program_failed(why, RENDER_NOT_FOUND,
                          cue_strf(c->a, "environment \"%.*s\" not found (available: %.*s)", CUE_FMT(name),
                                   CUE_FMT(known.n ? known : CUE_STR("none"))),
                          hint);
  }
  return render_environment_valid(c, *out, why);
}

bool environment_at(CueContext *c, const RenderModule *m, Instance *package, CueStr expr, CueStr name,
                    RenderEnvironment *out, RenderFailure *why) {
  *out = (RenderEnvironment){.name = name, .expr = expr, .package = package};
  return check_kind(c, m, out, why) && render_environment_valid(c, out, why);
}

/* ---- values ---- */

static bool is_field(CueContext *c, Vertex *v) { return v && label_is_string(v->label) && vertex_defined(c->eval, v); }

static void entry(CueContext *c, CueBuf *out, Label l) {
  program_quote(out, label_name(c->labels, l));
  cue_buf_z(out, ": ");
}

/* Values are written out down to their leaves: that an environment stands in a definition must not close them, and the
** order of fields is to be that of one text. */
void environment_values(CueContext *c, CueBuf *out, CueStr expr, Vertex *v) {
  Vertex *d = vertex_deref(v), **arcs;
  uint32_t n;
  bool list = !vertex_bottom(d) && vertex_is_list(d) && d->arcs.n;
  if (!list && !is_struct(v)) {
    cue_buf_str(out, expr);
    return;
  }
  cue_field_order(c->eval, c->a, d, &arcs, &n);
  cue_buf_z(out, list ? "[\n" : "{\n");
  for (uint32_t i = 0; i < n; i++) {
    if (list && label_is_int(arcs[i]->label)) {
      environment_values(c, out, cue_strf(c->a, "%.*s[%u]", CUE_FMT(expr), label_index(arcs[i]->label)), arcs[i]);
      cue_buf_z(out, ",\n");
    } else if (!list && is_field(c, arcs[i])) {
      entry(c, out, arcs[i]->label);
      environment_values(c, out, selected(c, expr, arcs[i]->label), arcs[i]);
      cue_buf_ch(out, '\n');
    }
  }
  cue_buf_ch(out, list ? ']' : '}');
}

void environment_merge(CueContext *c, CueBuf *out, CueStr base_expr, Vertex *base, CueStr env_expr, Vertex *env) {
  if (!base || !is_struct(base) || !is_struct(env)) {
    environment_values(c, out, env_expr, env);
    return;
  }
  Vertex *b = vertex_deref(base), *e = vertex_deref(env), **arcs;
  uint32_t n;
  cue_field_order(c->eval, c->a, b, &arcs, &n);
  cue_buf_z(out, "{\n");
  for (uint32_t i = 0; i < n; i++) {
    Vertex *over = vertex_arc(e, arcs[i]->label);
    CueStr expr = selected(c, base_expr, arcs[i]->label);
    if (!is_field(c, arcs[i])) continue;
    entry(c, out, arcs[i]->label);
    if (is_field(c, over))
      environment_merge(c, out, expr, arcs[i], selected(c, env_expr, arcs[i]->label), over);
    else
      environment_values(c, out, expr, arcs[i]);
    cue_buf_ch(out, '\n');
  }
  cue_field_order(c->eval, c->a, e, &arcs, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (!is_field(c, arcs[i]) || is_field(c, vertex_arc(b, arcs[i]->label))) continue;
    entry(c, out, arcs[i]->label);
    environment_values(c, out, selected(c, env_expr, arcs[i]->label), arcs[i]);
    cue_buf_ch(out, '\n');
  }
  cue_buf_ch(out, '}');
}

static void place(CueContext *c, Vertex *v, CueStr path, CueDiag *d) {
  if (!v) return;
  if (cue_str_eq(path, d->path)) {
    const Ir *x = v->conjuncts.n ? v->conjuncts.at[0].x : NULL;
    const Ast *field = x ? x->src : NULL;
    if (x) cue_push(c->a, &d->at, field ? field->pos : x->pos);
    return;
  }
  Vertex *s = vertex_deref(v);
  for (uint32_t i = 0; i < s->arcs.n; i++) {
    CueStr below = label_selector(c->labels, c->a, s->arcs.at[i]->label);
    place(c, s->arcs.at[i], cue_strf(c->a, "%.*s.%.*s", CUE_FMT(path), CUE_FMT(below)), d);
  }
}

void fields_places(CueContext *c, Vertex *v, CueStr path, CueDiags *d) {
  for (CueDiag *x = d->first; x; x = x->next)
    if (!x->at.n && !cue_str_has_suffix(x->message, CUE_STR(":"))) place(c, v, path, x);
}

void environment_places(CueContext *c, const RenderEnvironment *e, CueDiags *d) {
  program_hide(c, d);
  for (CueDiag *x = d->first; x; x = x->next) {
    if (cue_str_has_suffix(x->message, CUE_STR(":"))) continue; /* a head: those that follow have places */
    /* As it was said, first: vertex may be a copy, whose fields stand in a program. */
    if (!x->at.n && e->said) place(c, program_field(c, e->said, "values"), CUE_STR("values"), x);
    if (!x->at.n && e->said) place(c, e->said, CUE_STR("environment"), x);
    if (!x->at.n) place(c, program_field(c, e->vertex, "values"), CUE_STR("values"), x);
  }
}
