/* catalog.c - opm catalog: the modules inside the program, listed and laid out for cue. */
#include <string.h>

#include "cli/log.h"
#include "compiler/load_fs.h"
#include "stdlib/opm/catalog.h"

ExitCode run_catalog_list(Run *r) {
  for (size_t i = 0; i < catalog_count; i++)
    cue_buf_f(r->out, "%s %s\n", catalog_modules[i].path, catalog_modules[i].version);
  return EXIT_OK;
}

static bool extract(Run *r, const LoadEmbedded *m, CueStr dir, CueStr *error) {
  size_t base = strcspn(m->path, "@");
  for (size_t i = 0; i < m->n; i++) {
    const LoadEmbeddedFile *f = &m->files[i];
    CueStr path = cue_strf(r->a, "%.*s/mod/extract/%.*s@%s/%s", CUE_FMT(dir), (int)base, m->path, m->version, f->name);
    if (make_dirs(r->a, path_dir(r->a, path), 0777, error) &&
        write_file(r->a, path, (CueStr){f->text, f->len}, true, error))
      continue;
    return false;
  }
  return true;
}

ExitCode run_catalog_extract(Run *r) {
  if (r->flags.args.n != 1 || !r->flags.args.at[0].n)
    return run_usage(r, "opm catalog extract takes exactly one argument, the folder to write to");
  CueStr error;
  for (size_t i = 0; i < catalog_count; i++)
    if (!extract(r, &catalog_modules[i], r->flags.args.at[0], &error))
      return run_fail(r, &(Problem){.code = exit_of_errno(),
                                    .type = "cannot write",
                                    .message = error,
                                    .hint = CUE_STR("Name a folder that can be written to.")});
  return EXIT_OK;
}
