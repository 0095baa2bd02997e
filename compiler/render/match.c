/* match.c - which transformers a component gets.
**
** A transformer matches if the component has all its required labels with equal values, all its
** required resources and all its required traits. Any number may match; a component that none
** matches is an error, and a trait that none of the matching ones knows is worth a warning.
*/
#include "compiler/render/render.h"

static bool has(const RenderNames *all, CueStr name) {
  for (uint32_t i = 0; i < all->n; i++)
    if (cue_str_eq(all->at[i], name)) return true;
  return false;
}

/* Labels may be numbers or truth values: they are compared as the text they become. */
static CueStr label_text(CueArena *a, CueValue v) {
  if (v.kind == CUE_STRING) return cue_value_str(v);
  CueBuf b = cue_buf(a);
  cue_emit_json(&b, v, (CueJsonStyle){0});
  return cue_buf_done(&b);
}

static void list(CueBuf *b, const char *head, const char *tail, CueStr items, const char *between) {
  if (!items.n) return;
  cue_buf_f(b, "%s%s%.*s%s", b->n ? between : "", head, CUE_FMT(items), tail);
}

static CueStr missing(CueArena *a, const RenderNames *wanted, const RenderNames *there) {
  CueBuf b = cue_buf(a);
  for (uint32_t i = 0; i < wanted->n; i++)
    if (!there || !has(there, wanted->at[i])) cue_buf_f(&b, "%s%.*s", b.n ? ", " : "", CUE_FMT(wanted->at[i]));
  return cue_buf_done(&b);
}

static void labels(CueArena *a, const RenderTransformer *t, const RenderComponent *k, CueBuf *met, CueBuf *unmet) {
  const CueStruct *want = t->labels.kind == CUE_STRUCT ? t->labels.as.fields : NULL;
  const CueStruct *got = k->labels.kind == CUE_STRUCT ? k->labels.as.fields : NULL;
  for (uint32_t i = 0; want && i < want->n; i++) {
    const CueField *f = &want->at[i];
    const CueValue *v = got ? cue_struct_get(got, f->key) : NULL;
    CueStr wanted = label_text(a, f->value);
    if (v && cue_str_eq(label_text(a, *v), wanted)) {
      cue_buf_f(met, "%s%.*s=%.*s", met->n ? ", " : "", CUE_FMT(f->key), CUE_FMT(wanted));
      continue;
    }
    cue_buf_f(unmet, "%s%.*s", unmet->n ? ", " : "", CUE_FMT(f->key));
    if (v) cue_buf_f(unmet, " (expected \"%.*s\", got \"%.*s\")", CUE_FMT(wanted), CUE_FMT(label_text(a, *v)));
  }
}

static RenderMatch match(CueArena *a, const RenderComponent *k, const RenderTransformer *t) {
  CueBuf met = cue_buf(a), unmet = cue_buf(a), why = cue_buf(a);
  labels(a, t, k, &met, &unmet);
  CueStr resources = missing(a, &t->resources, &k->resources), traits = missing(a, &t->traits, &k->traits);
  RenderMatch m = {.component = k, .transformer = t, .matched = !unmet.n && !resources.n && !traits.n};
  if (m.matched) {
    list(&why, "requiredLabels[", "]", cue_buf_done(&met), ", ");
    list(&why, "requiredResources[", "]", missing(a, &t->resources, NULL), ", ");
    list(&why, "requiredTraits[", "]", missing(a, &t->traits, NULL), ", ");
    CueStr all = why.n ? cue_buf_done(&why) : CUE_STR("no requirements");
    m.reason = cue_strf(a, "Matched: %.*s", CUE_FMT(all));
  } else {
    list(&why, "missing labels: ", "", cue_buf_done(&unmet), "; ");
    list(&why, "missing resources: ", "", resources, "; ");
    list(&why, "missing traits: ", "", traits, "; ");
    m.reason = cue_strf(a, "Not matched: %.*s", CUE_FMT(cue_buf_done(&why)));
  }
  return m;
}

static bool handled(const RenderResult *r, const RenderComponent *k, CueStr trait) {
  for (uint32_t i = 0; i < r->matches.n; i++) {
    const RenderMatch *m = &r->matches.at[i];
    if (m->component == k && m->matched &&
        (has(&m->transformer->traits, trait) || has(&m->transformer->optional_traits, trait)))
      return true;
  }
  return false;
}

void render_match(CueArena *a, RenderResult *r) {
  for (uint32_t i = 0; i < r->release.components.n; i++) {
    const RenderComponent *k = &r->release.components.at[i];
    bool any = false;
    for (uint32_t j = 0; j < r->provider.transformers.n; j++) {
      RenderMatch m = match(a, k, &r->provider.transformers.at[j]);
      any |= m.matched;
      cue_push(a, &r->matches, m);
    }
    if (!any) cue_push(a, &r->unmatched, k);
    for (uint32_t j = 0; any && j < k->traits.n; j++)
      if (!handled(r, k, k->traits.at[j]))
        cue_push(a, &r->warnings,
                 cue_strf(a, "component %.*s: unhandled trait %.*s", CUE_FMT(k->name), CUE_FMT(k->traits.at[j])));
  }
}
