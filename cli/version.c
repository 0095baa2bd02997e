/* version.c - what this program is. */
#include "cli/run.h"

#ifndef OPM_VERSION
#define OPM_VERSION "0.1.0-dev"
#endif
#define CUE_LANGUAGE_VERSION "v0.16.1"

ExitCode run_version(Run *r) {
  CueStr form = flag_text(&r->flags, FLAG_OUTPUT);
  if (cue_str_is(form, "json")) {
    cue_buf_z(r->out, "{\n"
                      "    \"name\": \"opm\",\n"
                      "    \"version\": \"" OPM_VERSION "\",\n"
                      "    \"cueLanguageVersion\": \"" CUE_LANGUAGE_VERSION "\"\n"
                      "}\n");
    return EXIT_OK;
  }
  if (!cue_str_is(form, "text")) {
    cue_buf_f(r->err, "unknown output format \"%.*s\": must be text or json\n", CUE_FMT(form));
    return EXIT_GENERAL;
  }
  cue_buf_z(r->out, "opm version " OPM_VERSION "\n\nCUE language version " CUE_LANGUAGE_VERSION "\n");
  return EXIT_OK;
}
