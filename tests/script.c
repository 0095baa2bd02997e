/* script.c - see script.h. */
#include "tests/script.h"

Words script_words(CueArena *a, CueStr line) {
  Words w = {0};
  for (size_t i = 0; i < line.n;) {
    if (line.s[i] == ' ' || line.s[i] == '\t') {
      i++;
      continue;
    }
    CueBuf b = cue_buf(a);
    char quote = 0;
    for (; i < line.n; i++) {
      char c = line.s[i];
      if (quote && c == quote)
        quote = 0;
      else if (!quote && (c == '\'' || c == '"'))
        quote = c;
      else if (!quote && (c == ' ' || c == '\t'))
        break;
      else
        cue_buf_ch(&b, c);
    }
    cue_push(a, &w, cue_buf_done(&b).s);
  }
  return w;
}

bool script_next(CueStr text, size_t *at, CueStr *line) {
  if (*at >= text.n) return false;
  size_t end = *at;
  while (end < text.n && text.s[end] != '\n') end++;
  *line = cue_str_sub(text, *at, end);
  *at = end + 1;
  return true;
}
