/* html.c - CUE's package "html", and the escaping that text/template shares with it. */
#include "stdlib/cue/html_entities.h"
#include "stdlib/cue/htmltext.h"
#include "stdlib/cue/stdlib.h"
#include "runtime/unicode.h"

#include <string.h>

void cue_html_escape(CueBuf *out, CueStr s, bool nul) {
  for (size_t i = 0; i < s.n; i++) {
    switch (s.s[i]) {
    case '&': cue_buf_z(out, "&amp;"); break;
    case '\'': cue_buf_z(out, "&#39;"); break;
    case '<': cue_buf_z(out, "&lt;"); break;
    case '>': cue_buf_z(out, "&gt;"); break;
    case '"': cue_buf_z(out, "&#34;"); break;
    case '\0':
      if (nul) {
        cue_buf_rune(out, CUE_RUNE_ERROR);
        break;
      }
      cue_buf_ch(out, '\0');
      break;
    default: cue_buf_ch(out, s.s[i]);
    }
  }
}

void cue_js_escape(CueBuf *out, CueStr s) {
  for (size_t i = 0; i < s.n;) {
    size_t from = i;
    uint32_t r = cue_utf8_next(s, &i);
    if (r == '\\' || r == '\'' || r == '"')
      cue_buf_f(out, "\\%c", (char)r);
    else if (r < 0x20 || r == '<' || r == '>' || r == '&' || r == '=')
      cue_buf_f(out, "\\u%04X", r);
    else if (r < 0x80 || cue_uni_is_print(r))
      cue_buf_add(out, s.s + from, i - from);
    else
      cue_buf_f(out, "\\u%04X", r);
  }
}

void cue_url_query_escape(CueBuf *out, CueStr s) {
  for (size_t i = 0; i < s.n; i++) {
    unsigned char ch = (unsigned char)s.s[i];
    bool plain = (ch >= '0' && ch <= '9') || ((ch | 0x20) >= 'a' && (ch | 0x20) <= 'z') || (ch && strchr("-_.~", ch));
    if (plain)
      cue_buf_ch(out, (char)ch);
    else if (ch == ' ')
      cue_buf_ch(out, '+');
    else
      cue_buf_f(out, "%%%02X", ch);
  }
}

/* ---- unescaping -------------------------------------------------------------------------- */

/* What browsers take &#128; to &#159; for: the characters of Windows-1252. */
static const uint16_t windows_1252[32] = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
};

#define LONGEST_UNFINISHED 6 /* of the names without ";" */

static const char *find_entity(CueStr name) {
  size_t lo = 0, hi = sizeof html_entities / sizeof *html_entities;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    int order = cue_str_cmp(name, cue_str(html_entities[mid].name));
    if (order == 0) return html_entities[mid].text;
    if (order < 0)
      hi = mid;
    else
      lo = mid + 1;
  }
  return NULL;
}

/* A numeric reference at the start of s. Returns its length, 0 if it is none. */
static size_t take_number(CueBuf *out, CueStr s) {
  if (s.n <= 3) return 0;
  size_t i = 2;
  bool hex = (s.s[i] | 0x20) == 'x';
  if (hex) i++;
  uint32_t x = 0; /* wraps as it does in Go; most of what wraps is not a character */
  for (; i < s.n; i++) {
    char ch = s.s[i];
    uint32_t digit;
    if (ch >= '0' && ch <= '9')
      digit = (uint32_t)(ch - '0');
    else if (hex && (ch | 0x20) >= 'a' && (ch | 0x20) <= 'f')
      digit = (uint32_t)((ch | 0x20) - 'a') + 10;
    else
      break;
    x = x * (hex ? 16 : 10) + digit;
  }
  if (i < s.n && s.s[i] == ';') i++;
  if (i <= 3) return 0; /* one digit without ";" is left alone, as Go does */
  if (x >= 0x80 && x <= 0x9F) x = windows_1252[x - 0x80];
  bool valid = x && x <= 0x10FFFF && !(x >= 0xD800 && x < 0xE000);
  cue_buf_rune(out, valid ? x : CUE_RUNE_ERROR);
  return i;
}

static bool is_alnum(char ch) { return (ch >= '0' && ch <= '9') || ((ch | 0x20) >= 'a' && (ch | 0x20) <= 'z'); }

/* A named reference at the start of s; text that names nothing is copied. Returns how much was taken. */
static size_t take_name(CueBuf *out, CueStr s) {
  size_t i = 1;
  while (i < s.n && is_alnum(s.s[i])) i++;
  if (i < s.n && s.s[i] == ';') i++;
  const char *text = find_entity(cue_str_sub(s, 1, i));
  size_t taken = i;
  for (size_t n = i - 1 <= LONGEST_UNFINISHED + 1 ? i - 1 : LONGEST_UNFINISHED + 1; !text && n-- > 2;) {
    text = find_entity(cue_str_sub(s, 1, n + 1));
    taken = n + 1;
  }
  if (text) {
    cue_buf_z(out, text);
    return taken;
  }
  cue_buf_add(out, s.s, i);
  return i;
}

static CueValue fn_unescape(CueCall *c) {
  CueStr s = cue_arg_str(c, 0);
  CueBuf out = cue_buf(c->a);
  for (size_t i = 0; i < s.n;) {
    if (s.s[i] != '&') {
      cue_buf_ch(&out, s.s[i++]);
      continue;
    }
    CueStr rest = cue_str_sub(s, i, s.n);
    size_t n;
    if (rest.n > 1 && rest.s[1] == '#') {
      n = take_number(&out, rest);
      if (!n) cue_buf_ch(&out, '&');
    } else {
      n = take_name(&out, rest);
    }
    i += n ? n : 1;
  }
  return cue_result_string(c->a, cue_buf_done(&out));
}

static CueValue fn_escape(CueCall *c) {
  CueBuf out = cue_buf(c->a);
  cue_html_escape(&out, cue_arg_str(c, 0), false);
  return cue_string(cue_buf_done(&out));
}

static const CueBuiltin functions[] = {
    {"Escape", "s", 's', fn_escape},
    {"Unescape", "s", 's', fn_unescape},
};

const CueBuiltinPackage cue_pkg_html = {"html", functions, CUE_COUNT(functions), NULL, false};
