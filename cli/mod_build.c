/* mod_build.c - opm mod build: manifests on stdout, or one file for each object. */
#include "cli/compiled.h"
#include "cli/log.h"
#include "cli/native.h"
#include "cli/render.h"
#include "cli/style.h"
#include "compiler/load_fs.h"

/* ---- files ---- */

static ExitCode put_files(Run *r, const Release *rel, bool json) {
  CueStr dir = flag_text(&r->flags, FLAG_OUT_DIR), error;
  bool ok = make_dirs(r->a, dir, 0755, &error);
  for (uint32_t i = 0; ok && i < rel->nobjects; i++) {
    CueBuf text = cue_buf(r->a);
    (json ? release_put_json : release_put_yaml)(&text, rel->objects[i].object, NULL);
    CueStr path = cue_strf(r->a, "%.*s/%.*s.%s", CUE_FMT(dir), CUE_FMT(release_object_file(r->a, rel, i)),
                           json ? "json" : "yaml");
    ok = write_file(r->a, path, cue_buf_done(&text), true, &error);
  }
  if (!ok) return run_fail(r, &(Problem){.code = exit_of_errno(), .message = error});
  log_line(r, LOG_INFO, rel->name, cue_strf(r->a, "wrote %u resources to %.*s", rel->nobjects, CUE_FMT(dir)), NULL, 0);
  return EXIT_OK;
}

static void put_verbose(Run *r, const RenderResult *res) {
  for (uint32_t i = 0; i < res->objects.n; i++) {
    const RenderObject *o = &res->objects.at[i];
    CueBuf b = cue_buf(r->a);
    style_resource(pen_on(&b, r), o->kind, o->namespace, o->name, RESOURCE_VALID);
    log_line(r, LOG_INFO, res->release.name, cue_buf_done(&b), NULL, 0);
  }
}

/* What was tried and did not go is not tried again, so that nobody would know. */
static void tell_why_evaluated(Run *r, const RenderOptions *o) {
  ArtefactSeal seal;
  Compiled found;
  CueStr why;
  CompiledPlace at = {o->dir, o->load.cache_dir, o->name};
  if (compiled_module(r->a, &at, &seal, &found, &why) == CACHE_NONE)
    log_f(r, LOG_DEBUG, "the module is evaluated, because it cannot be compiled: %.*s", CUE_FMT(why));
  if (o->provider.why_evaluated.n)
    log_f(r, LOG_DEBUG, "the provider is evaluated, because it cannot be compiled: %.*s",
          CUE_FMT(o->provider.why_evaluated));
}

ExitCode run_mod_build(Run *r) {
  CueStr form = flag_text(&r->flags, FLAG_OUTPUT);
  bool json = cue_str_is(form, "json");
  RenderOptions o;
  Release rel;
  ExitCode code;
  if (!json && !cue_str_is(form, "yaml") && !cue_str_is(form, "text")) /* what people read is YAML */
    return run_fail(
        r, &(Problem){.code = EXIT_GENERAL,
                      .type = "usage",
                      .message = cue_strf(r->a, "invalid output format \"%.*s\" (valid: yaml, json)", CUE_FMT(form))});
  if (!render_options(r, &o, &code)) return code;
  if (native_is_file(o.dir)) {
    code = native_render_file(r, &o, &rel);
    if (code != EXIT_OK) return code;
  } else if (!native_render(r, &o, &rel)) {
    RenderResult res;
    if (o.plans == PLANS_CODE) return run_usage(r, "no compiled code renders this");
    if (r->verbose) tell_why_evaluated(r, &o);
    code = render_run(r, &o, &res);
    if (code != EXIT_OK) return code;
    if (r->verbose) put_verbose(r, &res);
    rel = render_released(r->a, &res);
  }
  /* Whoever names a folder wants files in it. */
  if (flag_on(&r->flags, FLAG_SPLIT) || r->flags.at[FLAG_OUT_DIR].given) return put_files(r, &rel, json);
  release_put_stream(r->out, &rel, json, r->drain, r);
  return EXIT_OK;
}

ExitCode run_mod_vet(Run *r) {
  RenderOptions o;
  RenderResult res;
  ExitCode code;
  if (!render_options(r, &o, &code)) return code;
  code = render_run(r, &o, &res);
  if (code != EXIT_OK) return code;
  CueBuf b = cue_buf(r->a);
  style_check(pen_on(&b, r), CUE_STR("Values satisfy #config"), res.module.values_text);
  log_line(r, LOG_INFO, res.release.name, cue_buf_done(&b), NULL, 0);
  put_verbose(r, &res);
  b = cue_buf(r->a);
  style_done(pen_on(&b, r), cue_strf(r->a, "Module valid (%u resources)", res.objects.n));
  log_line(r, LOG_INFO, res.release.name, cue_buf_done(&b), NULL, 0);
  return EXIT_OK;
}
