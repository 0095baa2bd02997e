/* encoding_base64.c - CUE's package "encoding/base64": the standard alphabet, with padding.
**
** The first argument of every function chooses an encoding; only null, the standard one,
** exists.
*/
#include "stdlib/cue/stdlib.h"

static bool standard(CueCall *c) {
  CueValue v = c->args[0];
  if (v.kind == CUE_NULL) return true;
  CueStr text = c->ops->text(c, v);
  c->error = cue_fail(c, "base64: unsupported encoding: cannot use value %.*s (type %.*s) as null", CUE_FMT(text),
                      CUE_FMT(cue_kinds_text(c->a, v.kind)));
  c->blame = 1;
  return false;
}

static CueValue fn_encoded_len(CueCall *c) {
  int64_t n;
  if (!cue_arg_int64(c, 1, &n) || !standard(c)) return c->error;
  /* Wraps on overflow and divides towards zero, as Go's ints do. */
  return cue_int((int64_t)((uint64_t)((int64_t)((uint64_t)n + 2) / 3) * 4));
}

static CueValue fn_decoded_len(CueCall *c) {
  int64_t n;
  if (!cue_arg_int64(c, 1, &n) || !standard(c)) return c->error;
  return cue_int((int64_t)((uint64_t)(n / 4) * 3));
}

static CueValue fn_encode(CueCall *c) {
  if (!standard(c)) return c->error;
  CueBuf out = cue_buf(c->a);
  cue_buf_base64(&out, cue_arg_str(c, 1));
  return cue_string(cue_buf_done(&out));
}

static int value_of(char ch) {
  if (ch >= 'A' && ch <= 'Z') return ch - 'A';
  if (ch >= 'a' && ch <= 'z') return ch - 'a' + 26;
  if (ch >= '0' && ch <= '9') return ch - '0' + 52;
  return ch == '+' ? 62 : ch == '/' ? 63 : -1;
}

static size_t skip_newlines(CueStr s, size_t i) {
  while (i < s.n && (s.s[i] == '\n' || s.s[i] == '\r')) i++;
  return i;
}

static CueValue bad_input(CueCall *c, size_t at) { return cue_fail(c, "illegal base64 data at input byte %zu", at); }

/* Line ends may stand anywhere and are skipped. An error names the byte Go names: for a
** text that ends early, the first byte of what was read since the last full group. */
static CueValue fn_decode(CueCall *c) {
  if (!standard(c)) return c->error;
  CueStr s = cue_arg_str(c, 1);
  CueBuf out = cue_buf(c->a);
  for (size_t i = 0; i < s.n;) {
    uint32_t bits = 0;
    size_t have = 0, group = 0;
    while (group < 4) {
      if (i == s.n) {
        if (group == 0) return cue_bytes(cue_buf_done(&out));
        return bad_input(c, i - group);
      }
      char ch = s.s[i++];
      int v = value_of(ch);
      if (v >= 0) {
        bits = bits << 6 | (uint32_t)v;
        have = ++group;
        continue;
      }
      if (ch == '\n' || ch == '\r') continue;
      if (ch != '=' || group < 2) return bad_input(c, i - 1);
      if (group == 2) {
        i = skip_newlines(s, i);
        if (i == s.n) return bad_input(c, s.n);
        if (s.s[i] != '=') return bad_input(c, i - 1);
        i++;
      }
      i = skip_newlines(s, i);
      if (i < s.n) return bad_input(c, i);
      bits <<= 6 * (4 - group);
      group = 4;
    }
    for (size_t j = 0; j + 1 < have; j++) cue_buf_ch(&out, (char)(unsigned char)(bits >> (16 - 8 * j) & 255));
  }
  return cue_bytes(cue_buf_done(&out));
}

static const CueBuiltin functions[] = {
    {"EncodedLen", "vi", 'i', fn_encoded_len},
    {"DecodedLen", "vi", 'i', fn_decoded_len},
    {"Encode", "vS", 's', fn_encode},
    {"Decode", "vs", 'S', fn_decode},
};

const CueBuiltinPackage cue_pkg_encoding_base64 = {"encoding/base64", functions, CUE_COUNT(functions), NULL, false};
