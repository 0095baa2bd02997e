/* log.c - lines of the log, and errors. */
#include "cli/log.h"

#include <time.h>

#include "cli/style.h"
#include "compiler/load_fs.h"

static const struct {
  const char *name;
  Style style;
} levels[] = {
    [LOG_DEBUG] = {"DEBU", STYLE_DEBUG},
    [LOG_INFO] = {"INFO", STYLE_INFO},
    [LOG_WARN] = {"WARN", STYLE_WARN},
    [LOG_ERROR] = {"ERRO", STYLE_ERROR},
};

static bool needs_quotes(CueStr s) {
  for (size_t i = 0; i < s.n; i++) {
    unsigned char c = (unsigned char)s.s[i];
    if (c <= ' ' || c == '"' || c == '=' || c == 0x7f) return true;
  }
  return s.n == 0;
}

static void put_quoted(CueBuf *b, CueStr s) {
  cue_buf_ch(b, '"');
  for (size_t i = 0; i < s.n; i++) {
    unsigned char c = (unsigned char)s.s[i];
    if (c == '"' || c == '\\')
      cue_buf_f(b, "\\%c", c);
    else if (c == '\t')
      cue_buf_z(b, "\\t");
    else if (c < ' ' || c == 0x7f)
      cue_buf_f(b, "\\x%02x", c);
    else
      cue_buf_ch(b, (char)c);
  }
  cue_buf_ch(b, '"');
}

/* Text line by line, each behind `lead`. An empty line has no blanks. */
static void put_lines(CueBuf *b, const char *lead, CueStr text) {
  while (text.n && text.s[text.n - 1] == '\n') text.n--;
  for (size_t i = 0, end; i <= text.n; i = end + 1) {
    end = i;
    while (end < text.n && text.s[end] != '\n') end++;
    cue_buf_f(b, "%s%.*s\n", end > i ? lead : "", (int)(end - i), text.s + i);
  }
}

static void put_field(Pen p, const LogField *f) {
  cue_buf_ch(p.to, ' ');
  style_f(p, STYLE_FAINT, "%s=", f->key);
  if (cue_str_find(f->value, CUE_STR("\n")) >= 0) {
    cue_buf_ch(p.to, '\n');
    put_lines(p.to, "  │ ", f->value);
    p.to->n--; /* the newline is that of the log's line */
  } else if (needs_quotes(f->value)) {
    put_quoted(p.to, f->value);
  } else {
    cue_buf_str(p.to, f->value);
  }
}

void log_line(Run *r, LogLevel level, CueStr name, CueStr message, const LogField *fields, size_t n) {
  if (level == LOG_DEBUG && !r->verbose) return;
  Pen p = pen_err(r);
  if (r->timestamps) {
    char text[16];
    time_t now = time(NULL);
    struct tm tm;
    strftime(text, sizeof text, "%H:%M:%S", localtime_r(&now, &tm));
    cue_buf_f(p.to, "%s ", text);
  }
  style_put(p, levels[level].style, cue_str(levels[level].name));
  cue_buf_ch(p.to, ' ');
  if (name.n) {
    style_put(p, STYLE_FAINT, CUE_STR("m:"));
    style_put(p, STYLE_NOUN, name);
    cue_buf_z(p.to, ": ");
  }
  cue_buf_str(p.to, message);
  for (size_t i = 0; i < n; i++) put_field(p, &fields[i]);
  cue_buf_ch(p.to, '\n');
}

void log_f(Run *r, LogLevel level, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  CueStr message = cue_strvf(r->a, fmt, ap);
  va_end(ap);
  log_line(r, level, CUE_STR(""), message, NULL, 0);
}

CueStr log_replaced_text(CueArena *a, CueStr module, CueStr version, CueStr used) {
  return cue_strf(a, "%.*s: %.*s is not in the module cache, using %.*s, which is built into opm", CUE_FMT(module),
                  CUE_FMT(version), CUE_FMT(used));
}

void log_replaced(void *run, CueStr module, CueStr version, CueStr used) {
  Run *r = run;
  for (uint32_t i = 0; i < r->replaced.n; i++)
    if (cue_str_eq(r->replaced.at[i], module)) return;
  cue_push(r->a, &r->replaced, cue_str_copy(r->a, module));
  log_line(r, LOG_WARN, CUE_STR(""), log_replaced_text(r->a, module, version, used), NULL, 0);
}

/* ---- errors ---- */

static const char *type_of(ExitCode code) {
  static const char *const names[] = {
      [EXIT_OK] = "",
      [EXIT_GENERAL] = "failed",
      [EXIT_INVALID] = "validation failed",
      [EXIT_UNREACHABLE] = "connectivity failed",
      [EXIT_DENIED] = "permission denied",
      [EXIT_MISSING] = "not found",
  };
  return names[code];
}

static void put_fact(Pen p, const char *key, CueStr value) {
  if (!value.n) return;
  cue_buf_z(p.to, "  ");
  style_f(p, STYLE_FAINT, "%s:", key);
  cue_buf_f(p.to, " %.*s\n", CUE_FMT(value));
}

ExitCode run_usage(Run *r, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  CueStr message = cue_strvf(r->a, fmt, ap);
  va_end(ap);
  cue_buf_f(r->err, "%.*s\nHint: see '%.*s --help'.\n", CUE_FMT(message), CUE_FMT(r->path));
  return EXIT_GENERAL;
}

CueStr run_shown(Run *r, CueStr path) {
  CueStr shown = path_shown(r->a, r->cwd, path);
  return cue_str_has_prefix(shown, CUE_STR("../")) ? path : shown;
}

ExitCode run_fail(Run *r, const Problem *problem) {
  Pen p = pen_err(r);
  r->failed = true;
  style_put(p, STYLE_BAD, CUE_STR("Error:"));
  cue_buf_f(p.to, " %s\n", problem->type ? problem->type : type_of(problem->code));
  put_fact(p, "Location", problem->location);
  put_fact(p, "Field", problem->field);
  if (problem->message.n) {
    cue_buf_ch(p.to, '\n');
    put_lines(p.to, "  ", problem->message);
  }
  if (problem->hint.n) {
    cue_buf_ch(p.to, '\n');
    style_put(p, STYLE_NOTICE, CUE_STR("Hint:"));
    cue_buf_f(p.to, " %.*s\n", CUE_FMT(problem->hint));
  }
  return problem->code;
}

ExitCode run_fail_diags(Run *r, Problem p, const CueDiags *d) {
  CueBuf text = cue_buf(r->a);
  cue_diags_print(&text, d, r->c->sources, r->cwd);
  p.message = cue_buf_done(&text);
  return run_fail(r, &p);
}
