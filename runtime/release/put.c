/* put.c - objects as text: what opm mod build prints, and what its files are called. */
#include "runtime/release/impl.h"

#include <string.h>

static const CueJsonStyle json_style = {.indent = "  ", .escape_html = true, .order = cue_str_cmp};

void release_put_yaml(CueBuf *out, CueValue object) { cue_emit_yaml_ordered(out, object, release_natural_cmp); }

void release_put_json(CueBuf *out, CueValue object) {
  cue_emit_json(out, object, json_style);
  cue_buf_ch(out, '\n');
}

void release_put_line(CueBuf *out, CueValue object) {
  cue_emit_json(out, object, (CueJsonStyle){.escape_html = true, .order = cue_str_cmp});
  cue_buf_ch(out, '\n');
}

void release_put_stream(CueBuf *out, const Release *r, bool json) {
  if (!json) {
    for (uint32_t i = 0; i < r->nobjects; i++) {
      if (i) cue_buf_add(out, "---\n", 4);
      release_put_yaml(out, r->objects[i].object);
    }
    return;
  }
  if (!r->nobjects) return;
  CueJson j = cue_json(out, json_style);
  cue_json_begin(&j, CUE_LIST);
  for (uint32_t i = 0; i < r->nobjects; i++) {
    cue_json_item(&j);
    cue_json_value(&j, r->objects[i].object);
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
