/* encoding_hex.c - CUE's package "encoding/hex". */
#include "stdlib/cue/gotext.h"
#include "stdlib/cue/stdlib.h"

static const char hex[] = "0123456789abcdef";

static CueValue fn_encoded_len(CueCall *c) {
  int64_t n;
  if (!cue_arg_int64(c, 0, &n)) return c->error;
  return cue_int((int64_t)((uint64_t)n * 2));
}

static CueValue fn_decoded_len(CueCall *c) {
  int64_t n;
  if (!cue_arg_int64(c, 0, &n)) return c->error;
  return cue_int(n / 2);
}

static int value_of(char ch) {
  if (ch >= '0' && ch <= '9') return ch - '0';
  if ((ch | 0x20) >= 'a' && (ch | 0x20) <= 'f') return (ch | 0x20) - 'a' + 10;
  return -1;
}

static CueValue bad_byte(CueCall *c, char ch) {
  CueBuf shown = cue_buf(c->a);
  cue_go_code_point(&shown, (unsigned char)ch);
  return cue_fail(c, "encoding/hex: invalid byte: %s", cue_buf_done(&shown).s);
}

static CueValue fn_decode(CueCall *c) {
  CueStr s = cue_arg_str(c, 0);
  CueBuf out = cue_buf(c->a);
  for (size_t i = 0; i + 1 < s.n; i += 2) {
    int high = value_of(s.s[i]), low = value_of(s.s[i + 1]);
    if (high < 0) return bad_byte(c, s.s[i]);
    if (low < 0) return bad_byte(c, s.s[i + 1]);
    cue_buf_ch(&out, (char)(unsigned char)(high << 4 | low));
  }
  if (s.n % 2)
    return value_of(s.s[s.n - 1]) < 0 ? bad_byte(c, s.s[s.n - 1]) : cue_fail(c, "encoding/hex: odd length hex string");
  return cue_bytes(cue_buf_done(&out));
}

static CueValue fn_encode(CueCall *c) {
  CueStr s = cue_arg_str(c, 0);
  CueBuf out = cue_buf(c->a);
  for (size_t i = 0; i < s.n; i++) {
    cue_buf_ch(&out, hex[(unsigned char)s.s[i] >> 4]);
    cue_buf_ch(&out, hex[(unsigned char)s.s[i] & 15]);
  }
  return cue_string(cue_buf_done(&out));
}

/* As `hexdump -C`: offset, sixteen bytes in two columns, the bytes as ASCII. */
static CueValue fn_dump(CueCall *c) {
  CueStr s = cue_arg_str(c, 0);
  CueBuf out = cue_buf(c->a);
  for (size_t line = 0; line < s.n; line += 16) {
    size_t n = s.n - line < 16 ? s.n - line : 16;
    cue_buf_f(&out, "%08x  ", (unsigned)line);
    for (size_t i = 0; i < 16; i++) {
      if (i < n)
        cue_buf_f(&out, "%02x ", (unsigned char)s.s[line + i]);
      else
        cue_buf_z(&out, "   ");
      if (i == 7 || i == 15) cue_buf_ch(&out, ' ');
    }
    cue_buf_ch(&out, '|');
    for (size_t i = 0; i < n; i++) {
      unsigned char ch = (unsigned char)s.s[line + i];
      cue_buf_ch(&out, ch < 32 || ch > 126 ? '.' : (char)ch);
    }
    cue_buf_z(&out, "|\n");
  }
  return cue_string(cue_buf_done(&out));
}

static const CueBuiltin functions[] = {
    {"EncodedLen", "i", 'i', fn_encoded_len}, {"DecodedLen", "i", 'i', fn_decoded_len},
    {"Decode", "s", 'S', fn_decode},          {"Dump", "S", 's', fn_dump},
    {"Encode", "S", 's', fn_encode},
};

const CueBuiltinPackage cue_pkg_encoding_hex = {"encoding/hex", functions, CUE_COUNT(functions), NULL, false};
