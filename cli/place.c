/* place.c - data files merged into an instance. */
#include "cli/plan.h"

bool place_flags(Plan *p, CueDiags *d) {
  (void)d;
  p->use_list = flag_on(&p->r->flags, FLAG_LIST);
  p->use_context = flag_on(&p->r->flags, FLAG_WITH_CONTEXT);
  return true;
}

bool place_files(Plan *p, Loaded *into, const LoadFiles *files, CueDiags *d) {
  for (uint32_t i = 0; i < files->n; i++) {
    DataFiles docs = load_data(p->r->c, &p->load, &files->at[i], d);
    if (d->n) return false;
    for (uint32_t k = 0; k < docs.n; k++) load_add_file(p->r->c, into, docs.at[k]);
  }
  return true;
}
