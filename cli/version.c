/* version.c - what this program is. */
#include "cli/build.h" /* written by make: the commit, and when it was made */
#include "cli/log.h"
#include "cli/version.h"

#ifndef OPM_VERSION
#define OPM_VERSION "0.1.0-dev"
#endif

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#if defined(__clang__)
#define COMPILER "clang " TEXT(__clang_major__) "." TEXT(__clang_minor__) "." TEXT(__clang_patchlevel__)
#else
#define COMPILER "gcc " TEXT(__GNUC__) "." TEXT(__GNUC_MINOR__) "." TEXT(__GNUC_PATCHLEVEL__)
#endif

ExitCode run_version(Run *r) {
  CueStr form = flag_text(&r->flags, FLAG_OUTPUT);
  if (cue_str_is(form, "json")) {
    cue_buf_z(r->out, "{\n"
                      "    \"name\": \"opm\",\n"
                      "    \"version\": \"" OPM_VERSION "\",\n"
                      "    \"commit\": \"" OPM_COMMIT "\",\n"
                      "    \"built\": \"" OPM_BUILT "\",\n"
                      "    \"compiler\": \"" COMPILER "\",\n"
                      "    \"cueLanguageVersion\": \"" CUE_LANGUAGE_VERSION "\"\n"
                      "}\n");
    return EXIT_OK;
  }
  if (!cue_str_is(form, "text"))
    return run_usage(r, "unknown output format \"%.*s\": must be text or json", CUE_FMT(form));
  cue_buf_z(r->out, "opm version " OPM_VERSION "\n"
                    "  Commit:    " OPM_COMMIT "\n"
                    "  Built:     " OPM_BUILT "\n"
                    "  Compiler:  " COMPILER "\n"
                    "  CUE SDK:   " CUE_LANGUAGE_VERSION " (native)\n");
  return EXIT_OK;
}
