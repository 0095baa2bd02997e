/* mod_tidy.c - opm mod tidy. */
#include "cli/config.h"
#include "cli/tidy.h"
#include "compiler/load_fs.h"
#include "stdlib/opm/catalog.h"

static ExitCode no_module(Run *r, CueStr dir) {
  LoadFs fs = {.a = r->a};
  bool exists = fs_is_dir(&fs, dir);
  return run_fail(
      r, &(Problem){.code = exists ? EXIT_INVALID : EXIT_MISSING,
                    .location = run_shown(r, dir),
                    .message = exists ? CUE_STR("not a CUE module: there is no cue.mod/module.cue here or above")
                                      : CUE_STR("module directory not found"),
                    .hint = CUE_STR("opm mod init creates a new module.")});
}

ExitCode run_mod_tidy(Run *r) {
  CueDiags d = run_diags(r);
  Config config;
  Tidy tidy;
  CueStr error;
  if (r->flags.args.n > 1) return run_usage(r, "opm mod tidy takes one module, but got %u arguments", r->flags.args.n);
  CueStr dir = r->flags.args.n ? r->flags.args.at[0] : r->cwd;
  dir = dir.n && dir.s[0] == '/' ? path_clean(r->a, dir) : path_join(r->a, r->cwd, dir);
  LoadFs fs = {.a = r->a};
  if (!fs_is_dir(&fs, dir)) return no_module(r, dir);
  ExitCode code = config_load(r, &config);
  if (code != EXIT_OK) return code;
  LoadConfig cfg = {.cwd = dir,
                    .package = CUE_STR(""),
                    .cache_dir = config.cache_dir.value,
                    .embedded = catalog_modules,
                    .nembedded = catalog_count,
                    .replaced = log_replaced,
                    .replaced_user = r};
  bool ok = tidy_module(r, &cfg, &tidy, &d);
  r->c->cwd = r->cwd;
  if (!ok)
    return run_fail_diags(
        r,
        (Problem){.code = EXIT_INVALID,
                  .location = run_shown(r, dir),
                  .hint = tidy.whole_disk
                              ? CUE_STR("Create the module in a folder of its own: opm mod init NAME.")
                              : CUE_STR("opm looks for modules among those built in and in the module cache; "
                                        "see 'opm catalog list'.")},
        &d);
  if (!tidy.path.n) return no_module(r, dir);
  bool check = flag_on(&r->flags, FLAG_CHECK);
  for (uint32_t i = 0; i < tidy.changes.n; i++)
    log_f(r, LOG_INFO, "%s%.*s", check ? "would " : "", CUE_FMT(tidy.changes.at[i]));
  if (check) return tidy.changes.n ? EXIT_GENERAL : EXIT_OK;
  if (!tidy.changes.n || write_file(r->a, tidy.path, tidy.after, true, &error)) return EXIT_OK;
  return run_fail(r, &(Problem){.code = exit_of_errno(),
                                .location = run_shown(r, tidy.path),
                                .message = error,
                                .hint = CUE_STR("The module file was not changed.")});
}
