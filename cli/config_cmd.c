/* config_cmd.c - opm config: the configuration file made and checked. */
#include <errno.h>
#include <sys/stat.h>

#include "cli/config.h"
#include "cli/style.h"
#include "cli/template.h"
#include "compiler/load_fs.h"

/* ---- init ---- */

enum { DIR_MODE = 0700, FILE_MODE = 0600 }; /* what is configured is nobody else's business */

static ExitCode cannot_write(Run *r, CueStr path, CueStr error) {
  ExitCode code = exit_of_errno();
  if (code == EXIT_MISSING) code = EXIT_GENERAL;
  return run_fail(r, &(Problem){.code = code,
                                .type = code == EXIT_GENERAL ? "cannot write" : NULL,
                                .location = run_shown(r, path),
                                .message = error,
                                .hint = CUE_STR("Make the folder writable, or name another file with --config.")});
}

static CueStr place_of(Run *r, const Config *c, const TemplateFile *f) {
  if (cue_str_is(f->path, "config.cue")) return c->path;
  return path_join(r->a, path_dir(r->a, c->path), f->path);
}

static ExitCode no_arguments(Run *r) {
  if (!r->flags.args.n) return EXIT_OK;
  return run_usage(r, "%.*s takes no arguments, but got \"%.*s\"", CUE_FMT(r->path), CUE_FMT(r->flags.args.at[0]));
}

ExitCode run_config_init(Run *r) {
  Config c;
  CueDiags d = run_diags(r);
  TemplateFiles files = {0};
  CueStr error;
  if (no_arguments(r)) return EXIT_GENERAL;
  config_find(r, &c);
  if (c.homeless)
    return run_fail(r, &(Problem){.code = EXIT_GENERAL,
                                  .type = "cannot write",
                                  .location = c.path,
                                  .message = CUE_STR("there is no home folder: HOME is not set"),
                                  .hint = CUE_STR("Set it, or name a file with --config.")});
  if (c.exists && !flag_on(&r->flags, FLAG_FORCE))
    return run_fail(r, &(Problem){.code = EXIT_INVALID,
                                  .location = run_shown(r, c.path),
                                  .message = CUE_STR("configuration already exists"),
                                  .hint = CUE_STR("Use --force to overwrite it; its contents are lost.")});
  if (!template_files(r, template_find(CUE_STR("config")), CUE_STR(""), &files, &d)) {
    run_report(r, &d);
    return EXIT_GENERAL;
  }
  for (uint32_t i = 0; i < files.n; i++) {
    CueStr path = place_of(r, &c, &files.at[i]);
    if (!make_dirs(r->a, path_dir(r->a, path), DIR_MODE, &error) ||
        !write_file_mode(r->a, path, files.at[i].text, true, FILE_MODE, &error))
      return cannot_write(r, path, error);
  }
  Pen out = pen_out(r);
  style_done(out, cue_strf(r->a, "Configuration initialized at %.*s", CUE_FMT(path_dir(r->a, c.path))));
  cue_buf_z(out.to, "\n\nCreated files:\n");
  for (uint32_t i = 0; i < files.n; i++) {
    CueStr path = place_of(r, &c, &files.at[i]);
    cue_buf_f(out.to, "  %.*s\n", CUE_FMT(path));
  }
  cue_buf_z(out.to, "\nValidate with: opm config vet");
  if (r->flags.at[FLAG_CONFIG].given) cue_buf_f(out.to, " --config '%.*s'", CUE_FMT(flag_text(&r->flags, FLAG_CONFIG)));
  cue_buf_ch(out.to, '\n');
  return EXIT_OK;
}

/* ---- vet ---- */

static void passed(Run *r, const char *label, CueStr detail) {
  style_check(pen_out(r), cue_str(label), detail);
  cue_buf_ch(r->out, '\n');
}

static ExitCode not_found(Run *r, CueStr path, const char *what) {
  return run_fail(
      r, &(Problem){.code = EXIT_MISSING,
                    .location = run_shown(r, path),
                    .message = cue_strf(r->a, "%s not found", what),
                    .hint = CUE_STR("Run 'opm config init' to create it; without a file opm uses its defaults.")});
}

static ExitCode invalid(Run *r, const Config *c, const char *type, const CueDiags *d) {
  return run_fail_diags(r,
                        (Problem){.code = EXIT_INVALID,
                                  .type = type,
                                  .location = run_shown(r, c->path),
                                  .field = d->n == 1 && cue_str_has_prefix(d->first->path, CUE_STR("config"))
                                               ? d->first->path
                                               : CUE_STR(""),
                                  .hint = CUE_STR("Correct the file; 'opm config init --force' writes a new one.")},
                        d);
}

ExitCode run_config_vet(Run *r) {
  Config c;
  CueDiags d = run_diags(r);
  LoadFs fs = {.a = r->a};
  if (no_arguments(r)) return EXIT_GENERAL;
  config_find(r, &c);
  if (!c.exists) return not_found(r, c.path, "configuration file");
  passed(r, "Config file found", c.path);
  CueStr metadata = path_join(r->a, path_dir(r->a, c.path), CUE_STR("cue.mod/module.cue"));
  if (!fs_exists(&fs, metadata)) return not_found(r, metadata, "module metadata");
  passed(r, "Module metadata found", metadata);
  config_settings(r, &c);
  if (!config_evaluate(r, &c, &d)) return invalid(r, &c, "configuration error", &d);
  passed(r, "CUE syntax and evaluation passed", CUE_STR(""));
  if (!config_check(r, &c, &d)) return invalid(r, &c, "schema validation failed", &d);
  passed(r, "Schema validation passed", CUE_STR(""));
  return EXIT_OK;
}
