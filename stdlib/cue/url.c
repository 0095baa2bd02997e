/* url.c - checking URLs and (un)escaping parts of them, as Go's net/url does.
**
** Nobody asks for the parts of a URL, so parsing only checks. What it says of a bad one is
** Go's text, since cue shows it.
*/
#include "stdlib/cue/url.h"

#include <string.h>

#include "stdlib/cue/gotext.h"
#include "stdlib/cue/ip.h"

static bool is_alnum(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }
static bool is_one_of(char c, const char *set) { return c != '\0' && strchr(set, c) != NULL; }

static bool needs_escape(char c, UrlPart part) {
  if (is_alnum(c) || is_one_of(c, "-_.~")) return false;
  switch (part) {
  case URL_HOST:
  case URL_ZONE: return !is_one_of(c, "!$&'()*+,;=:[]<>\"");
  case URL_PATH_SEGMENT: return !is_one_of(c, "$&+:=@");
  default: return true;
  }
}

CueStr url_escape(CueArena *a, CueStr s, UrlPart part) {
  CueBuf b = cue_buf(a);
  for (size_t i = 0; i < s.n; i++) {
    char c = s.s[i];
    if (c == ' ' && part == URL_QUERY)
      cue_buf_ch(&b, '+');
    else if (needs_escape(c, part))
      cue_buf_f(&b, "%%%02X", (unsigned char)c);
    else
      cue_buf_ch(&b, c);
  }
  return cue_buf_done(&b);
}

static int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool fail(CueArena *a, CueStr *why, const char *before, CueStr quoted, const char *after) {
  CueBuf b = cue_buf(a);
  cue_buf_z(&b, before);
  cue_go_quote(&b, quoted, CUE_GO_PRINT);
  cue_buf_z(&b, after);
  *why = cue_buf_done(&b);
  return false;
}

static bool fail_plain(CueStr *why, const char *text) {
  *why = cue_str(text);
  return false;
}

bool url_unescape(CueArena *a, CueStr s, UrlPart part, CueStr *out, CueStr *why) {
  CueBuf b = cue_buf(a);
  for (size_t i = 0; i < s.n; i++) {
    char c = s.s[i];
    if (c != '%') {
      if ((part == URL_HOST || part == URL_ZONE) && !(c & 0x80) && needs_escape(c, part))
        return fail(a, why, "invalid character ", cue_str_sub(s, i, i + 1), " in host name");
      cue_buf_ch(&b, c == '+' && part == URL_QUERY ? ' ' : c);
      continue;
    }
    CueStr escape = cue_str_sub(s, i, s.n - i > 3 ? i + 3 : s.n);
    int hi = escape.n == 3 ? hex_value(escape.s[1]) : -1, lo = escape.n == 3 ? hex_value(escape.s[2]) : -1;
    if (hi < 0 || lo < 0) return fail(a, why, "invalid URL escape ", escape, "");
    char byte = (char)(hi << 4 | lo);
    /* A host may escape what is not ASCII, and a zone what a host may hold. */
    bool percent = cue_str_is(escape, "%25");
    if (part == URL_HOST && hi < 8 && !percent) return fail(a, why, "invalid URL escape ", escape, "");
    if (part == URL_ZONE && !percent && byte != ' ' && needs_escape(byte, URL_HOST))
      return fail(a, why, "invalid URL escape ", escape, "");
    cue_buf_ch(&b, byte);
    i += 2;
  }
  *out = cue_buf_done(&b);
  return true;
}

/* ---- parsing ---- */

static ptrdiff_t last_index(CueStr s, char c) {
  for (size_t i = s.n; i-- > 0;)
    if (s.s[i] == c) return (ptrdiff_t)i;
  return -1;
}

static ptrdiff_t first_index(CueStr s, char c) {
  const char *at = s.n ? memchr(s.s, c, s.n) : NULL;
  return at ? at - s.s : -1;
}

/* Empty, or a colon and digits. */
static bool check_port(CueArena *a, CueStr port, CueStr *why) {
  bool ok = port.n == 0 || port.s[0] == ':';
  for (size_t i = 1; i < port.n; i++) ok = ok && port.s[i] >= '0' && port.s[i] <= '9';
  return ok || fail(a, why, "invalid port ", port, " after host");
}

/* [address%25zone]:port */
static bool check_ip_literal(CueArena *a, CueStr host, CueStr *why) {
  ptrdiff_t close = last_index(host, ']');
  if (close < 0) return fail_plain(why, "missing ']' in host");
  CueStr name = cue_str_sub(host, 1, (size_t)close), plain, zone = {"", 0};
  if (!check_port(a, cue_str_sub(host, (size_t)close + 1, host.n), why)) return false;
  ptrdiff_t percent = cue_str_find(name, CUE_STR("%25"));
  if (percent >= 0 && !url_unescape(a, cue_str_sub(name, 0, (size_t)percent), URL_HOST, &plain, why)) return false;
  if (percent >= 0 && !url_unescape(a, cue_str_sub(name, (size_t)percent, name.n), URL_ZONE, &zone, why)) return false;
  if (percent < 0 && !url_unescape(a, name, URL_HOST, &plain, why)) return false;
  Ip ip;
  CueStr reason;
  if (!ip_parse(a, cue_str_cat(a, plain, zone), &ip, &reason)) {
    *why = cue_strf(a, "invalid host: %.*s", CUE_FMT(reason));
    return false;
  }
  return ip.bits != 32 || fail_plain(why, "invalid IP-literal");
}

static bool check_host(CueArena *a, CueStr host, CueStr *why) {
  ptrdiff_t open = last_index(host, '[');
  if (open > 0) return fail_plain(why, "invalid IP-literal");
  if (open == 0) return check_ip_literal(a, host, why);
  ptrdiff_t colon = last_index(host, ':');
  if (colon >= 0 && !check_port(a, cue_str_sub(host, (size_t)colon, host.n), why)) return false;
  CueStr plain;
  return url_unescape(a, host, URL_HOST, &plain, why);
}

static bool check_authority(CueArena *a, CueStr authority, CueStr *why) {
  ptrdiff_t at = last_index(authority, '@');
  if (!check_host(a, cue_str_sub(authority, (size_t)(at + 1), authority.n), why)) return false;
  if (at < 0) return true;
  CueStr user = cue_str_sub(authority, 0, (size_t)at), plain;
  for (size_t i = 0; i < user.n; i++)
    if (!is_alnum(user.s[i]) && !is_one_of(user.s[i], "-._:~!$&'()*+,;=%@"))
      return fail_plain(why, "net/url: invalid userinfo");
  ptrdiff_t colon = first_index(user, ':');
  if (colon < 0) return url_unescape(a, user, URL_OTHER, &plain, why);
  return url_unescape(a, cue_str_sub(user, 0, (size_t)colon), URL_OTHER, &plain, why) &&
         url_unescape(a, cue_str_sub(user, (size_t)colon + 1, user.n), URL_OTHER, &plain, why);
}

/* The length of the scheme before its colon, 0 if there is none, -1 if only its name is missing. */
static ptrdiff_t scheme_length(CueStr s) {
  for (size_t i = 0; i < s.n; i++) {
    char c = s.s[i];
    if (c == ':') return i ? (ptrdiff_t)i : -1;
    if (!is_alnum(c) && !is_one_of(c, "+-.")) return 0;
    if (i == 0 && !((c | 0x20) >= 'a' && (c | 0x20) <= 'z')) return 0;
  }
  return 0;
}

/* All but the fragment. */
static bool check_url(CueArena *a, CueStr s, bool *absolute, CueStr *why) {
  for (size_t i = 0; i < s.n; i++)
    if ((unsigned char)s.s[i] < ' ' || s.s[i] == 0x7F)
      return fail_plain(why, "net/url: invalid control character in URL");
  if (cue_str_is(s, "*")) return true;
  ptrdiff_t length = scheme_length(s);
  if (length < 0) return fail_plain(why, "missing protocol scheme");
  *absolute = length > 0;
  CueStr rest = length > 0 ? cue_str_sub(s, (size_t)length + 1, s.n) : s;
  ptrdiff_t query = first_index(rest, '?');
  if (query >= 0) rest = cue_str_sub(rest, 0, (size_t)query);
  if (!cue_str_has_prefix(rest, CUE_STR("/"))) {
    if (*absolute) return true; /* opaque, as in mailto:x */
    ptrdiff_t slash = first_index(rest, '/');
    CueStr segment = slash < 0 ? rest : cue_str_sub(rest, 0, (size_t)slash);
    if (first_index(segment, ':') >= 0) return fail_plain(why, "first path segment in URL cannot contain colon");
  }
  if ((*absolute || !cue_str_has_prefix(rest, CUE_STR("///"))) && cue_str_has_prefix(rest, CUE_STR("//"))) {
    CueStr authority = cue_str_sub(rest, 2, rest.n);
    ptrdiff_t slash = first_index(authority, '/');
    rest = slash < 0 ? (CueStr){"", 0} : cue_str_sub(authority, (size_t)slash, authority.n);
    if (slash >= 0) authority = cue_str_sub(authority, 0, (size_t)slash);
    if (!check_authority(a, authority, why)) return false;
  }
  CueStr plain;
  return url_unescape(a, rest, URL_OTHER, &plain, why);
}

bool url_parse(CueArena *a, CueStr s, bool *absolute, CueStr *why) {
  *absolute = false;
  ptrdiff_t hash = first_index(s, '#');
  CueStr main = hash < 0 ? s : cue_str_sub(s, 0, (size_t)hash), plain, reason;
  if (!check_url(a, main, absolute, &reason)) {
    CueStr quoted = cue_go_quoted(a, main);
    *why = cue_strf(a, "parse %.*s: %.*s", CUE_FMT(quoted), CUE_FMT(reason));
    return false;
  }
  if (hash < 0 || url_unescape(a, cue_str_sub(s, (size_t)hash + 1, s.n), URL_OTHER, &plain, &reason)) return true;
  CueStr quoted = cue_go_quoted(a, s);
  *why = cue_strf(a, "parse %.*s: %.*s", CUE_FMT(quoted), CUE_FMT(reason));
  return false;
}
