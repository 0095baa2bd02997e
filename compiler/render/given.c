/* given.c - releases written out in CUE: core.#ModuleRelease.
**
** A package that is no module may hold releases, each with its module, its values and maybe an
** environment. One of them is rendered as if the same had been said with flags.
*/
#include "compiler/render/environment.h"

typedef struct {
  CueContext *c;
  RenderModule *m;
  CueStr wanted;
  CueBuf names;
  uint32_t n;
} Search;

static void consider(void *arg, Vertex *v, CueStr expr) {
  Search *s = arg;
  CueStr name = program_string(s->c, v, (const char *const[]){"metadata", "name", NULL});
  CueStr label = label_is_string(v->label) ? label_name(s->c->labels, v->label) : CUE_STR("");
  cue_buf_f(&s->names, "%s%.*s", s->names.n ? ", " : "", CUE_FMT(label.n ? label : name));
  if (s->wanted.n && !cue_str_eq(s->wanted, name) && !cue_str_eq(s->wanted, label)) return;
  /* The name of a field is the better answer: two environments may have a release of one name each. */
  if (s->n++ && !cue_str_eq(s->wanted, label)) return;
  if (s->wanted.n && cue_str_eq(s->wanted, label)) s->n = 1;
  s->m->given = expr;
  s->m->release = v;
}

bool given_find(CueContext *c, RenderModule *m, CueStr name, RenderFailure *why) {
  Search s = {c, m, name, cue_buf(c->a), 0};
  cue_finalize(c->eval, m->package->root);
  CueStr kind = program_string(c, m->package->root, (const char *const[]){"kind", NULL});
  if (cue_str_is(kind, "ModuleRelease"))
    consider(&s, m->package->root, CUE_STR("module"));
  else
    kind_each(c, m->package->root, CUE_STR("module"), "ModuleRelease", "releases", consider, &s);
  CueStr names = cue_buf_done(&s.names);
  if (!names.n) {
    /* A release that conflicts is not seen as one: what is wrong says more. */
    Bottom *b = cue_validate(c->eval, m->package->root, (ValidateOptions){.all_errors = true});
    if (b) {
      cue_value_report(c->eval, m->package->root, b, &why->details);
      return program_failed(why, RENDER_INVALID, CUE_STR("the package is not valid"), CUE_STR(""));
    }
  }
  if (!names.n)
    return program_failed(
        why, RENDER_INVALID, CUE_STR("the package is not a module, and has no release"),
        CUE_STR("a module embeds core.#Module and has #components; a release is core.#ModuleRelease"));
  if (s.n != 1)
    return program_failed(why, s.n ? RENDER_INVALID : RENDER_NOT_FOUND,
                          name.n ? cue_strf(c->a, "release \"%.*s\" %s (available: %.*s)", CUE_FMT(name),
                                            s.n ? "is not the only one of that name" : "not found", CUE_FMT(names))
                                 : cue_strf(c->a, "the package has several releases: %.*s", CUE_FMT(names)),
                          CUE_STR("choose one with --name"));
  m->expr = cue_strf(c->a, "%.*s.#module", CUE_FMT(m->given));
  m->name = program_string(c, m->release, (const char *const[]){"metadata", "name", NULL});
  return true;
}
