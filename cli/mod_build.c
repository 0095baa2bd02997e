/* mod_build.c - opm mod build: manifests on stdout, or one file for each object. */
#include <string.h>

#include "cli/log.h"
#include "cli/render.h"
#include "cli/style.h"
#include "compiler/load_fs.h"

static void put_object(CueBuf *out, CueArena *a, CueValue v, bool json) {
  if (json) {
    cue_emit_json(out, render_sorted(a, v, false), (CueJsonStyle){.indent = "  ", .escape_html = true});
    cue_buf_ch(out, '\n');
  } else {
    cue_emit_yaml(out, render_sorted(a, v, true));
  }
}

static void put_stream(Run *r, const RenderResult *res, bool json) {
  if (json) {
    CueList *l = cue_list_new(r->a, res->objects.n);
    for (uint32_t i = 0; i < l->n; i++) l->at[i] = res->objects.at[i].object;
    if (l->n) put_object(r->out, r->a, cue_list(l), true);
    return;
  }
  for (uint32_t i = 0; i < res->objects.n; i++) {
    if (i) cue_buf_z(r->out, "---\n");
    put_object(r->out, r->a, res->objects.at[i].object, false);
  }
}

/* ---- files ---- */

static CueStr file_base(CueArena *a, const RenderObject *o) {
  CueBuf b = cue_buf(a);
  for (size_t i = 0; i < o->kind.n; i++) {
    char c = o->kind.s[i];
    cue_buf_ch(&b, c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c);
  }
  cue_buf_ch(&b, '-');
  cue_buf_str(&b, o->name);
  size_t n = 0;
  for (size_t i = 0; i < b.n; i++) { /* what a file system may not take */
    char c = b.s[i];
    if (!strchr("\"<>", c)) b.s[n++] = strchr("/\\:*?|", c) ? '-' : c;
  }
  b.n = n;
  return cue_buf_done(&b);
}

/* The second of a name gets -2, the third -3. */
static CueStr file_name(CueArena *a, const RenderResult *res, uint32_t i) {
  CueStr base = file_base(a, &res->objects.at[i]);
  unsigned before = 0;
  for (uint32_t k = 0; k < i; k++) before += cue_str_eq(base, file_base(a, &res->objects.at[k]));
  return before ? cue_strf(a, "%.*s-%u", CUE_FMT(base), before + 1) : base;
}

static ExitCode put_files(Run *r, const RenderResult *res, bool json) {
  CueStr dir = flag_text(&r->flags, FLAG_OUT_DIR), error;
  bool ok = make_dirs(r->a, dir, 0755, &error);
  for (uint32_t i = 0; ok && i < res->objects.n; i++) {
    CueBuf text = cue_buf(r->a);
    put_object(&text, r->a, res->objects.at[i].object, json);
    CueStr path =
        cue_strf(r->a, "%.*s/%.*s.%s", CUE_FMT(dir), CUE_FMT(file_name(r->a, res, i)), json ? "json" : "yaml");
    ok = write_file(r->a, path, cue_buf_done(&text), true, &error);
  }
  if (!ok) return run_fail(r, &(Problem){.code = exit_of_errno(), .message = error});
  log_line(r, LOG_INFO, res->release.name, cue_strf(r->a, "wrote %u resources to %.*s", res->objects.n, CUE_FMT(dir)),
           NULL, 0);
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

ExitCode run_mod_build(Run *r) {
  CueStr form = flag_text(&r->flags, FLAG_OUTPUT);
  bool json = cue_str_is(form, "json");
  RenderOptions o;
  RenderResult res;
  ExitCode code;
  if (!json && !cue_str_is(form, "yaml") && !cue_str_is(form, "text")) /* what people read is YAML */
    return run_fail(
        r, &(Problem){.code = EXIT_GENERAL,
                      .type = "usage",
                      .message = cue_strf(r->a, "invalid output format \"%.*s\" (valid: yaml, json)", CUE_FMT(form))});
  if (!render_options(r, &o, &code)) return code;
  code = render_run(r, &o, &res);
  if (code != EXIT_OK) return code;
  if (r->verbose) put_verbose(r, &res);
  if (flag_on(&r->flags, FLAG_SPLIT)) return put_files(r, &res, json);
  put_stream(r, &res, json);
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
