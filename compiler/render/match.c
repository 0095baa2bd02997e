/* match.c - which transformers a component gets, and how to say why.
**
** Any number may match; a component that none matches is an error, and a trait that none of the
** matching ones knows is worth a warning, as is a label that only others require.
*/
#include "compiler/render/compile.h"
#include "runtime/release/match.h"

static bool has(const RenderNames *all, CueStr name) {
  for (uint32_t i = 0; i < all->n; i++)
    if (cue_str_eq(all->at[i], name)) return true;
  return false;
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
    CueStr wanted = match_label_text(a, f->value);
    if (v && cue_str_eq(match_label_text(a, *v), wanted)) {
      cue_buf_f(met, "%s%.*s=%.*s", met->n ? ", " : "", CUE_FMT(f->key), CUE_FMT(wanted));
      continue;
    }
    cue_buf_f(unmet, "%s%.*s", unmet->n ? ", " : "", CUE_FMT(f->key));
    if (v) cue_buf_f(unmet, " (expected \"%.*s\", got \"%.*s\")", CUE_FMT(wanted), CUE_FMT(match_label_text(a, *v)));
  }
}

CueStr render_reason(CueArena *a, const RenderMatch *m) {
  const RenderTransformer *t = m->transformer;
  const RenderComponent *k = m->component;
  CueBuf met = cue_buf(a), unmet = cue_buf(a), why = cue_buf(a);
  labels(a, t, k, &met, &unmet);
  if (m->matched) {
    list(&why, "requiredLabels[", "]", cue_buf_done(&met), ", ");
    list(&why, "requiredResources[", "]", missing(a, &t->resources, NULL), ", ");
    list(&why, "requiredTraits[", "]", missing(a, &t->traits, NULL), ", ");
    CueStr all = why.n ? cue_buf_done(&why) : CUE_STR("no requirements");
    return cue_strf(a, "Matched: %.*s", CUE_FMT(all));
  }
  list(&why, "missing labels: ", "", cue_buf_done(&unmet), "; ");
  list(&why, "missing resources: ", "", missing(a, &t->resources, &k->resources), "; ");
  list(&why, "missing traits: ", "", missing(a, &t->traits, &k->traits), "; ");
  return cue_strf(a, "Not matched: %.*s", CUE_FMT(cue_buf_done(&why)));
}

void render_match(CueArena *a, RenderResult *r) {
  r->table = match_table_new(a, render_described(a, &r->provider));
  if (!r->release.components.n) cue_push(a, &r->warnings, CUE_STR(MATCH_NO_COMPONENTS));
  for (uint32_t i = 0; i < r->release.components.n; i++) {
    const RenderComponent *k = &r->release.components.at[i];
    Matches m =
        match_component(r->table, a, k->labels, render_strings(a, &k->resources), render_strings(a, &k->traits));
    uint32_t next = 0;
    for (uint32_t j = 0; j < r->provider.transformers.n; j++) {
      bool matched = next < m.n && m.at[next] == j;
      next += matched;
      cue_push(a, &r->matches,
               (RenderMatch){.component = k, .transformer = &r->provider.transformers.at[j], .matched = matched});
    }
    if (!m.n) cue_push(a, &r->unmatched, k);
    for (uint32_t j = 0; m.n && j < m.nunhandled; j++)
      cue_push(a, &r->warnings, match_unhandled(a, k->name, m.unhandled[j]));
    for (uint32_t j = 0; j < m.nlabels; j++)
      cue_push(a, &r->warnings,
               match_idle_label(a, k->name, &m.labels[j], r->provider.transformers.at[m.labels[j].transformer].key));
    for (uint32_t j = 0; m.n && j < k->unknown.n; j++) cue_push(a, &r->warnings, k->unknown.at[j]);
  }
}
