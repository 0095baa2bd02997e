/* style.c - colours and blocks of output. */
#include "cli/style.h"

enum { CHECK_COLUMN = 34, RESOURCE_COLUMN = 48, FILE_COLUMN = 30, TABLE_GAP = 3 };

/* Colours are those of the 256-colour palette. */
static const char *const codes[] = {
    [STYLE_PLAIN] = "",           [STYLE_NOUN] = "38;5;14",     [STYLE_GOOD] = "38;5;82",   [STYLE_NOTICE] = "38;5;220",
    [STYLE_GONE] = "38;5;196",    [STYLE_BAD] = "1;38;5;204",   [STYLE_MARK] = "38;5;10",   [STYLE_FAINT] = "2",
    [STYLE_BOLD] = "1",           [STYLE_DEBUG] = "1;38;5;63",  [STYLE_INFO] = "1;38;5;86", [STYLE_WARN] = "1;38;5;192",
    [STYLE_ERROR] = "1;38;5;204", [STYLE_HEADER] = "1;38;5;14",
};

void style_put(Pen p, Style s, CueStr text) {
  bool color = p.color && *codes[s] && text.n;
  if (color) cue_buf_f(p.to, "\033[%sm", codes[s]);
  cue_buf_str(p.to, text);
  if (color) cue_buf_z(p.to, "\033[0m");
}

void style_f(Pen p, Style s, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  style_put(p, s, cue_strvf(p.to->a, fmt, ap));
  va_end(ap);
}

/* Blanks up to a column, at least `least`. */
static void pad(Pen p, size_t have, size_t column, size_t least) {
  cue_buf_repeat(p.to, ' ', have + least < column ? column - have : least);
}

void style_done(Pen p, CueStr text) {
  style_put(p, STYLE_MARK, CUE_STR("✔"));
  cue_buf_f(p.to, " %.*s", CUE_FMT(text));
}

void style_check(Pen p, CueStr label, CueStr detail) {
  style_done(p, label);
  if (!detail.n) return;
  pad(p, cue_utf8_count(label), CHECK_COLUMN, 2);
  style_put(p, STYLE_FAINT, detail);
}

void style_match(Pen p, CueStr component, CueStr provider, CueStr transformer) {
  style_put(p, transformer.n ? STYLE_FAINT : STYLE_NOTICE, CUE_STR("▸"));
  cue_buf_ch(p.to, ' ');
  style_put(p, STYLE_NOUN, component);
  if (!transformer.n) {
    cue_buf_z(p.to, " (no matching transformer)");
    return;
  }
  style_put(p, STYLE_FAINT, CUE_STR(" ← "));
  style_put(p, STYLE_NOUN, provider);
  style_put(p, STYLE_FAINT, CUE_STR(" - "));
  cue_buf_str(p.to, transformer);
}

void style_resource(Pen p, CueStr kind, CueStr namespace, CueStr name, ResourceStatus status) {
  static const struct {
    const char *icon, *word;
    Style style;
  } as[] = {
      [RESOURCE_CREATED] = {"+", "created", STYLE_GOOD},      [RESOURCE_CONFIGURED] = {"~", "configured", STYLE_NOTICE},
      [RESOURCE_UNCHANGED] = {"=", "unchanged", STYLE_FAINT}, [RESOURCE_DELETED] = {"-", "deleted", STYLE_GONE},
      [RESOURCE_VALID] = {"✓", "valid", STYLE_GOOD},          [RESOURCE_FAILED] = {"!", "failed", STYLE_BAD},
  };
  CueStr path =
      cue_strf(p.to->a, "%.*s/%.*s%s%.*s", CUE_FMT(kind), CUE_FMT(namespace), namespace.n ? "/" : "", CUE_FMT(name));
  style_put(p, STYLE_FAINT, CUE_STR("r:"));
  style_put(p, STYLE_NOUN, path);
  pad(p, 2 + cue_utf8_count(path), RESOURCE_COLUMN, 2);
  style_f(p, as[status].style, "%s %s", as[status].icon, as[status].word);
}

void style_file(Pen p, int depth, CueStr path, CueStr description) {
  size_t indent = 2 * (size_t)depth;
  cue_buf_repeat(p.to, ' ', indent);
  style_put(p, STYLE_NOUN, path);
  if (description.n) {
    pad(p, indent + cue_utf8_count(path), FILE_COLUMN, 2);
    style_put(p, STYLE_FAINT, description);
  }
  cue_buf_ch(p.to, '\n');
}

void style_table(Pen p, const CueStr *cells, const Style *styles, uint32_t columns, uint32_t rows) {
  for (uint32_t row = 0; row < rows; row++)
    for (uint32_t col = 0; col < columns; col++) {
      CueStr cell = cells[row * columns + col];
      style_put(p, row == 0 ? STYLE_HEADER : styles ? styles[row * columns + col] : STYLE_PLAIN, cell);
      if (col + 1 == columns) {
        cue_buf_ch(p.to, '\n');
        continue;
      }
      size_t width = 0;
      for (uint32_t i = 0; i < rows; i++) {
        size_t n = cue_utf8_count(cells[i * columns + col]);
        if (n > width) width = n;
      }
      pad(p, cue_utf8_count(cell), width + TABLE_GAP, TABLE_GAP);
    }
}
