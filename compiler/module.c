/* module.c - import paths taken apart.
*/
#include "compiler/module.h"

#include <string.h>

#include "compiler/literal.h"

CueStr path_base(CueStr path) {
  size_t i = path.n;
  while (i && path.s[i - 1] != '/') i--;
  return cue_str_sub(path, i, path.n);
}

CueStr implied_qualifier(CueStr path) {
  CueStr q = path_base(path);
  if (!cue_is_valid_ident(q) || q.s[0] == '#' || cue_str_is(q, "_")) return CUE_STR("");
  return q;
}

ImportPath import_path_parse(CueStr p) {
  ImportPath parts = {.path = p};
  size_t i = p.n;
  while (i && p.s[i - 1] != '/' && p.s[i - 1] != ':') i--;
  if (i && p.s[i - 1] == ':') {
    parts.path = i == 1 ? CUE_STR(".") : cue_str_sub(p, 0, i - 1);
    parts.qualifier = cue_str_sub(p, i, p.n);
    parts.explicit_qualifier = true;
  }
  ptrdiff_t at = cue_str_find(parts.path, CUE_STR("@"));
  if (at >= 0 && (size_t)at + 1 < parts.path.n) {
    parts.version = cue_str_sub(parts.path, (size_t)at + 1, parts.path.n);
    parts.path = cue_str_sub(parts.path, 0, (size_t)at);
  }
  if (!parts.explicit_qualifier) parts.qualifier = implied_qualifier(parts.path);
  return parts;
}

CueStr import_path_text(CueArena *a, ImportPath p) {
  bool qualified = p.explicit_qualifier || (p.qualifier.n && !cue_str_eq(implied_qualifier(p.path), p.qualifier));
  CueBuf b = cue_buf(a);
  cue_buf_str(&b, p.path);
  if (p.version.n) {
    cue_buf_ch(&b, '@');
    cue_buf_str(&b, p.version);
  }
  if (qualified) {
    cue_buf_ch(&b, ':');
    cue_buf_str(&b, p.qualifier);
  }
  return cue_buf_done(&b);
}
