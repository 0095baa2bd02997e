/* put.c - objects as text: what opm mod build prints, and what its files are called. */
#include "runtime/release/impl.h"

#include <string.h>

void release_put_yaml(CueBuf *out, CueValue object, CueSeen *seen) {
  cue_emit_yaml_ordered(out, object, release_natural_cmp, seen);
}

static CueJsonStyle json_style(const char *indent, CueSeen *seen) {
  return (CueJsonStyle){.indent = indent, .escape_html = true, .order = cue_str_cmp, .seen = seen};
}

void release_put_json(CueBuf *out, CueValue object, CueSeen *seen) {
  cue_emit_json(out, object, json_style("  ", seen));
  cue_buf_ch(out, '\n');
}

void release_put_line(CueBuf *out, CueValue object, CueSeen *seen) {
  cue_emit_json(out, object, json_style(NULL, seen));
  cue_buf_ch(out, '\n');
}

/* Large output is passed on as it grows: what is written and not read again is memory for nothing. */
static bool is_full(const CueBuf *out, CueDrain *drain, CueSeen *seen) {
  enum { FULL = 64 << 10 };
  if (!drain || out->n < FULL) return false;
  *seen = (CueSeen){0};
  return true;
}

void release_put_stream(CueBuf *out, const Release *r, bool json, CueDrain *drain, void *arg) {
  CueSeen seen = {0};
  if (!json) {
    for (uint32_t i = 0; i < r->nobjects; i++) {
      if (i) cue_buf_add(out, "---\n", 4);
      release_put_yaml(out, r->objects[i].object, &seen);
      if (is_full(out, drain, &seen)) drain(arg, out);
    }
    return;
  }
  if (!r->nobjects) return;
  CueJson j = cue_json(out, json_style("  ", &seen));
  cue_json_begin(&j, CUE_LIST);
  for (uint32_t i = 0; i < r->nobjects; i++) {
    cue_json_item(&j);
    cue_json_value(&j, r->objects[i].object);
    if (is_full(out, drain, &seen)) drain(arg, out);
  }
  cue_json_end(&j, CUE_LIST);
  cue_buf_ch(out, '\n');
}

CueStr release_file_name(CueArena *a, CueStr kind, CueStr name) {
  CueBuf b = cue_buf(a);
  for (size_t i = 0; i < kind.n; i++) {
    char c = kind.s[i];
    cue_buf_ch(&b, c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c);
  }
  cue_buf_ch(&b, '-');
  cue_buf_str(&b, name);
  size_t n = 0;
  for (size_t i = 0; i < b.n; i++) { /* what a file system may not take */
    char c = b.s[i];
    if (!strchr("\"<>", c)) b.s[n++] = strchr("/\\:*?|", c) ? '-' : c;
  }
  b.n = n;
  return cue_buf_done(&b);
}

CueStr release_object_file(CueArena *a, const Release *r, uint32_t i) {
  CueStr base = release_file_name(a, r->objects[i].kind, r->objects[i].name);
  unsigned before = 0;
  for (uint32_t k = 0; k < i; k++)
    before += cue_str_eq(base, release_file_name(a, r->objects[k].kind, r->objects[k].name));
  return before ? cue_strf(a, "%.*s-%u", CUE_FMT(base), before + 1) : base;
}
