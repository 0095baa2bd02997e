/* txtar.c - reading and writing txtar archives. */
#include "tests/txtar.h"

/* The name in a line of the form "-- name --", or an empty string. */
static CueStr marker(CueStr line) {
  CueStr open = CUE_STR("-- "), close = CUE_STR(" --");
  if (line.n < 7 || !cue_str_has_prefix(line, open) || !cue_str_has_suffix(line, close)) return (CueStr){0};
  return cue_str_sub(line, 3, line.n - 3);
}

Txtar txtar_parse(CueArena *a, CueStr text) {
  Txtar t = {0};
  size_t from = 0; /* where the text of the current section begins */
  for (size_t i = 0; i < text.n;) {
    size_t end = i;
    while (end < text.n && text.s[end] != '\n') end++;
    CueStr name = marker(cue_str_sub(text, i, end));
    size_t next = end < text.n ? end + 1 : end;
    if (name.n) {
      CueStr before = cue_str_sub(text, from, i);
      if (t.sections.n)
        t.sections.at[t.sections.n - 1].text = before;
      else
        t.comment = before;
      cue_push(a, &t.sections, (Section){.name = name});
      from = next;
    }
    i = next;
  }
  CueStr rest = cue_str_sub(text, from, text.n);
  if (t.sections.n)
    t.sections.at[t.sections.n - 1].text = rest;
  else
    t.comment = rest;
  return t;
}

CueStr txtar_format(CueArena *a, const Txtar *t) {
  CueBuf b = cue_buf(a);
  cue_buf_str(&b, t->comment);
  for (uint32_t i = 0; i < t->sections.n; i++) {
    Section *s = &t->sections.at[i];
    cue_buf_f(&b, "-- %.*s --\n", CUE_FMT(s->name));
    cue_buf_str(&b, s->text);
    if (s->text.n && s->text.s[s->text.n - 1] != '\n') cue_buf_ch(&b, '\n');
  }
  return cue_buf_done(&b);
}

Section *txtar_find(const Txtar *t, CueStr name) {
  for (uint32_t i = 0; i < t->sections.n; i++)
    if (cue_str_eq(t->sections.at[i].name, name)) return &t->sections.at[i];
  return NULL;
}
