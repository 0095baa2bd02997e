/* template.c - templates filled in.
**
** A template is a module that could be used as it is, under a name that is replaced. It names no
** dependencies: they are found as `opm mod tidy` finds them, so they are those of this program.
*/
#include "cli/template.h"

#include <string.h>

#include "cli/tidy.h"
#include "compiler/load_fs.h"
#include "stdlib/opm/catalog.h"

#define TEMPLATE_NAME "my-module"

const LoadEmbedded *template_find(CueStr name) {
  for (size_t i = 0; i < template_count; i++)
    if (cue_str_is(name, template_modules[i].path)) return &template_modules[i];
  return NULL;
}

static CueStr named(CueArena *a, CueStr text, CueStr name) {
  CueBuf b = cue_buf(a);
  CueStr old = CUE_STR(TEMPLATE_NAME);
  for (ptrdiff_t at; (at = cue_str_find(text, old)) >= 0; text = cue_str_sub(text, (size_t)at + old.n, text.n)) {
    cue_buf_str(&b, cue_str_sub(text, 0, (size_t)at));
    cue_buf_str(&b, name);
  }
  cue_buf_str(&b, text);
  return cue_buf_done(&b);
}

bool template_files(Run *r, const LoadEmbedded *t, CueStr name, TemplateFiles *out, CueDiags *d) {
  LoadEmbedded *all = cue_array(r->a, LoadEmbedded, catalog_count + 1);
  memcpy(all, catalog_modules, catalog_count * sizeof *all);
  all[catalog_count] = *t;
  LoadFs fs = {.a = r->a, .embedded = all, .n = catalog_count + 1};
  LoadConfig cfg = {.cwd = fs_embedded_root(&fs, cue_str(t->path), cue_str(t->version)),
                    .package = CUE_STR(""),
                    .embedded = all,
                    .nembedded = catalog_count + 1};
  Tidy tidy;
  bool ok = tidy_module(r, &cfg, &tidy, d);
  r->c->cwd = r->cwd;
  if (!ok) return false;
  for (size_t i = 0; i < t->n; i++) {
    CueStr text = {t->files[i].text, t->files[i].len};
    if (strcmp(t->files[i].name, "cue.mod/module.cue") == 0) text = tidy.after;
    cue_push(r->a, out, (TemplateFile){cue_str(t->files[i].name), named(r->a, text, name)});
  }
  return true;
}
