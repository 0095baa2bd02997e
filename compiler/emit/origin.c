/* origin.c - the CUE that code came from: its place, as #line has it, and its text, as a comment.
**
** Places must not depend on the machine: files are named from the folder of the module, and those of other modules
** by the name and version of the module.
*/
#include "compiler/emit/emit_impl.h"

#include <string.h>

static CueStr portable(const EmitOptions *o, CueStr name) {
  static const char cache[] = "/mod/extract/";
  if (!name.n || name.s[0] != '/') return name;
  if (o->root.n && cue_str_has_prefix(name, o->root) && name.n > o->root.n && name.s[o->root.n] == '/')
    return cue_str_sub(name, o->root.n + 1, name.n);
  ptrdiff_t at = cue_str_find(name, cue_str(cache));
  if (at >= 0) return cue_str_sub(name, (size_t)at + sizeof cache - 1, name.n);
  size_t base = name.n;
  while (base > 0 && name.s[base - 1] != '/') base--;
  return cue_str_sub(name, base, name.n);
}

/* The end of what begins in this line: where all brackets are closed again. Strings are not looked into, so this may
** be wrong about their brackets, which makes the comment longer or shorter and nothing else. */
static size_t end_of(CueStr text, size_t from, bool *cut) {
  enum { MOST = 14 }; /* lines */
  int depth = 0, lines = 0;
  for (size_t i = from; i < text.n; i++) {
    char c = text.s[i];
    if (c == '{' || c == '[' || c == '(') depth++;
    if (c == '}' || c == ']' || c == ')') depth--;
    if (c != '\n') continue;
    *cut = depth > 0 && ++lines == MOST;
    if (depth <= 0 || *cut) return i;
  }
  return text.n;
}

static size_t indent_of(CueStr text, size_t at) {
  size_t n = 0;
  while (at + n < text.n && (text.s[at + n] == '\t' || text.s[at + n] == ' ')) n++;
  return n;
}

bool emit_origin(const Emit *e, uint32_t pos, Origin *out) {
  const CueSource *src = e->o->sources && cue_pos_known(pos) ? cue_source_of(e->o->sources, pos) : NULL;
  if (!src || cue_str_find(src->name, CUE_STR("/")) < 0) return false; /* written by the compiler itself */
  CueLineCol at = cue_source_line(e->o->sources, pos);
  *out = (Origin){.file = portable(e->o, at.file), .line = at.line, .source = src};
  size_t from = cue_pos_offset(pos) - src->base;
  while (from > 0 && src->text.s[from - 1] != '\n') from--;
  out->from = from;
  return true;
}

void emit_origin_comment(CueBuf *out, const Origin *o) {
  CueStr text = o->source->text;
  bool cut = false;
  size_t end = end_of(text, o->from, &cut), margin = indent_of(text, o->from);
  cue_buf_f(out, "/* %.*s:%u\n**\n", CUE_FMT(o->file), o->line);
  for (size_t i = o->from; i < end; i++) {
    size_t stop = i, skip = indent_of(text, i);
    while (stop < end && text.s[stop] != '\n') stop++;
    i += skip < margin ? skip : margin;
    cue_buf_z(out, i < stop ? "**   " : "**");
    put_comment(out, cue_str_sub(text, i, stop));
    i = stop;
    cue_buf_ch(out, '\n');
  }
  if (cut) cue_buf_z(out, "**   ...\n");
  cue_buf_z(out, "*/\n");
}
