/* read_json.c - JSON text to events, over yyjson.
**
** yyjson reads the text in place, in a padded copy that belongs to the caller's arena, so
** strings need no further copy; its nodes live in a scratch arena and lie in document order,
** so one loop visits them. The nodes have no positions: a cursor moves through the original
** text in step with them. Numbers stay text and become int64 or decimals here.
** What yyjson refuses is scanned once more by a small automaton that words the error as Go's
** encoding/json does.
*/
#include "runtime/read.h"

#include <string.h>
#include <yyjson.h>

/* -- Go's words for what is wrong -------------------------------------------------------- */

typedef struct {
  CueArena *a;
  CueStr text;
  size_t i;
  CueReadError *err;
  CUE_VEC(char) open; /* '{' or '[' of each level */
} Scan;

static bool bad_end(Scan *s) {
  s->err->message = CUE_STR("unexpected end of JSON input");
  s->err->offset = s->text.n ? s->text.n - 1 : 0;
  return false;
}

static bool bad(Scan *s, const char *where) {
  /* Go tries a blank at the end: inside a number, word or escape that is what it blames. */
  bool end = s->i >= s->text.n;
  if (end && strncmp(where, "in ", 3) != 0 && strncmp(where, "after decimal", 13) != 0) return bad_end(s);
  unsigned char c = end ? ' ' : (unsigned char)s->text.s[s->i];
  char shown[8] = {0};
  const char *escapes = "a\ab\bf\fn\nr\rt\tv\v";
  if (c == '\'' || c == '\\') {
    shown[0] = '\\';
    shown[1] = (char)c;
  } else if (c < 0x20 || c == 0x7F) {
    const char *e = NULL;
    for (const char *p = escapes; *p; p += 2)
      if (p[1] == (char)c) e = p;
    if (e && c) {
      shown[0] = '\\';
      shown[1] = *e;
    } else {
      memcpy(shown, "\\x", 2);
      shown[2] = "0123456789abcdef"[c >> 4];
      shown[3] = "0123456789abcdef"[c & 15];
    }
  } else if (c >= 0x80 && (c < 0xA1 || c == 0xAD)) {
    memcpy(shown, "\\u00", 4);
    shown[4] = "0123456789abcdef"[c >> 4];
    shown[5] = "0123456789abcdef"[c & 15];
  } else {
    cue_utf8_encode(shown, c);
  }
  s->err->message = cue_strf(s->a, "invalid character '%s' %s", shown, where);
  s->err->offset = end && s->i ? s->text.n - 1 : s->i;
  return false;
}

static int peek(const Scan *s) { return s->i < s->text.n ? (unsigned char)s->text.s[s->i] : -1; }
static bool at_digit(const Scan *s) { return peek(s) >= '0' && peek(s) <= '9'; }

static void skip_space(Scan *s) {
  while (peek(s) == ' ' || peek(s) == '\t' || peek(s) == '\r' || peek(s) == '\n') s->i++;
}

static bool scan_string(Scan *s) {
  for (s->i++;; s->i++) {
    int c = peek(s);
    if (c < 0) return bad_end(s);
    if (c == '"') break;
    if (c < 0x20) return bad(s, "in string literal");
    if (c != '\\') continue;
    s->i++;
    if (peek(s) == 'u') {
      for (int k = 0; k < 4; k++) {
        s->i++;
        int h = peek(s);
        if (!((h >= '0' && h <= '9') || (h >= 'a' && h <= 'f') || (h >= 'A' && h <= 'F')))
          return bad(s, "in \\u hexadecimal character escape");
      }
    } else if (peek(s) <= 0 || !strchr("bfnrt\\/\"", peek(s))) {
      return bad(s, "in string escape code");
    }
  }
  s->i++;
  return true;
}

static bool scan_number(Scan *s) {
  if (peek(s) == '-') s->i++;
  if (!at_digit(s)) return bad(s, "in numeric literal");
  if (peek(s) == '0')
    s->i++;
  else
    while (at_digit(s)) s->i++;
  if (peek(s) == '.') {
    s->i++;
    if (!at_digit(s)) return bad(s, "after decimal point in numeric literal");
    while (at_digit(s)) s->i++;
  }
  if (peek(s) == 'e' || peek(s) == 'E') {
    s->i++;
    if (peek(s) == '+' || peek(s) == '-') s->i++;
    if (!at_digit(s)) return bad(s, "in exponent of numeric literal");
    while (at_digit(s)) s->i++;
  }
  return true;
}

static bool scan_word(Scan *s, const char *word) {
  for (size_t k = 0; word[k]; k++, s->i++)
    if (peek(s) != word[k]) return bad(s, cue_strf(s->a, "in literal %s (expecting '%c')", word, word[k]).s);
  return true;
}

/* A key and its colon. */
static bool scan_key(Scan *s) {
  skip_space(s);
  if (peek(s) != '"') return bad(s, "looking for beginning of object key string");
  if (!scan_string(s)) return false;
  skip_space(s);
  if (peek(s) != ':') return bad(s, "after object key");
  s->i++;
  return true;
}

/* After a value: closes what ends and stands behind the comma of what goes on. */
static bool scan_after(Scan *s, bool *done) {
  for (;;) {
    skip_space(s);
    int c = peek(s);
    if (s->open.n == 0) {
      *done = true;
      return c < 0 || bad(s, "after top-level value");
    }
    bool object = s->open.at[s->open.n - 1] == '{';
    if (c == (object ? '}' : ']')) {
      s->i++;
      s->open.n--;
      continue;
    }
    if (c != ',') return bad(s, object ? "after object key:value pair" : "after array element");
    s->i++;
    return !object || scan_key(s);
  }
}

/* False, with the error filled in, unless Go would take the text for JSON. */
static bool scan_json(Scan *s) {
  for (bool done = false; !done;) {
    skip_space(s);
    int c = peek(s);
    if (c == '{' || c == '[') {
      if (s->open.n >= CUE_MAX_DEPTH) {
        s->err->message = CUE_STR("exceeded max depth");
        s->err->offset = s->i;
        return false;
      }
      cue_push(s->a, &s->open, (char)c);
      s->i++;
      skip_space(s);
      if (peek(s) != (c == '{' ? '}' : ']')) {
        if (c == '{' && !scan_key(s)) return false;
        continue;
      }
      s->i++;
      s->open.n--;
    } else if (c == '"') {
      if (!scan_string(s)) return false;
    } else if (c == '-' || at_digit(s)) {
      if (!scan_number(s)) return false;
    } else if (c == 't' || c == 'f' || c == 'n') {
      if (!scan_word(s, c == 't' ? "true" : c == 'f' ? "false" : "null")) return false;
    } else {
      return bad(s, "looking for beginning of value");
    }
    if (!scan_after(s, &done)) return false;
  }
  return true;
}

/* -- the walk ---------------------------------------------------------------------------- */

static void *alc_malloc(void *ctx, size_t size) { return cue_alloc(ctx, size); }
static void *alc_realloc(void *ctx, void *p, size_t old, size_t size) { return cue_regrow(ctx, p, old, size); }
static void alc_free(void *ctx, void *p) { (void)ctx, (void)p; }

static size_t skip_to_value(CueStr t, size_t i) {
  while (i < t.n &&
         (t.s[i] == ' ' || t.s[i] == '\t' || t.s[i] == '\r' || t.s[i] == '\n' || t.s[i] == ',' || t.s[i] == ':'))
    i++;
  return i;
}

static size_t string_end(CueStr t, size_t i) {
  for (i++; i < t.n && t.s[i] != '"'; i++)
    if (t.s[i] == '\\') i++;
  return i < t.n ? i + 1 : t.n;
}

static size_t number_end(CueStr t, size_t i) {
  while (i < t.n && ((t.s[i] >= '0' && t.s[i] <= '9') || t.s[i] == '-' || t.s[i] == '+' || t.s[i] == '.' ||
                     (t.s[i] | 0x20) == 'e'))
    i++;
  return i;
}

static CueValue number(CueArena *a, CueStr text) {
  bool negative = text.s[0] == '-', whole = true;
  int64_t i = 0;
  bool fits = true;
  for (size_t k = negative; k < text.n; k++) {
    if (text.s[k] < '0' || text.s[k] > '9') {
      whole = false;
      break;
    }
    if (fits) fits = cue_int_mul(i, 10, &i) && cue_int_sub(i, text.s[k] - '0', &i); /* downwards: INT64_MIN fits */
  }
  if (whole && fits && (negative || i != INT64_MIN)) return cue_int(negative ? i : -i);
  /* A sign is an operator in CUE, and minus zero is zero. */
  const CueNum *x = cue_num_parse(a, negative ? cue_str_sub(text, 1, text.n) : text);
  if (!x) return cue_error(CUE_STR("exponent out of range"));
  if (negative) x = cue_num_neg(a, x);
  return whole ? cue_int_num(x) : cue_float_num(x);
}

typedef struct {
  size_t left; /* values to come, keys included */
  bool object;
} Level;

static CueStr yy_str(yyjson_val *v) { return (CueStr){unsafe_yyjson_get_str(v), unsafe_yyjson_get_len(v)}; }

static bool walk(CueArena *a, CueArena *scratch, yyjson_doc *doc, CueStr text, const CueVisitor *visit,
                 CueReadError *err) {
  CUE_VEC(Level) levels = {0};
  size_t at = 0;
  yyjson_val *v = yyjson_doc_get_root(doc);
  for (;; v++) {
    at = skip_to_value(text, at);
    err->offset = at;
    Level *in = levels.n ? &levels.at[levels.n - 1] : NULL;
    if (in && in->object && in->left % 2 == 0) {
      size_t to = string_end(text, at);
      if (!visit->key(visit->ctx, yy_str(v), at, to)) return false;
      at = to;
      in->left--;
      continue;
    }
    if (in) in->left--;
    yyjson_type type = unsafe_yyjson_get_type(v);
    if (type == YYJSON_TYPE_OBJ || type == YYJSON_TYPE_ARR) {
      bool object = type == YYJSON_TYPE_OBJ;
      size_t n = unsafe_yyjson_get_len(v);
      if (!visit->begin(visit->ctx, object ? CUE_STRUCT : CUE_LIST, at)) return false;
      cue_push(scratch, &levels, (Level){object ? n * 2 : n, object});
      at++;
    } else {
      CueScalar s = {.from = at, .to = at + 4};
      if (type == YYJSON_TYPE_STR) {
        s.value = cue_string(yy_str(v));
        s.to = string_end(text, at);
      } else if (type == YYJSON_TYPE_RAW) {
        s.to = number_end(text, at);
        s.literal = cue_str_sub(text, at, s.to);
        s.value = number(a, s.literal);
        if (s.value.kind == CUE_BOTTOM) {
          err->message = cue_value_str(s.value);
          return false;
        }
      } else if (type == YYJSON_TYPE_BOOL) {
        s.value = cue_bool(unsafe_yyjson_get_bool(v));
        if (!s.value.as.b) s.to++;
      } else {
        s.value = cue_null();
      }
      if (!visit->scalar(visit->ctx, &s)) return false;
      at = s.to;
    }
    while (levels.n && levels.at[levels.n - 1].left == 0) {
      while (at < text.n && text.s[at] != '}' && text.s[at] != ']') at++;
      at++;
      levels.n--;
      if (!visit->end(visit->ctx, levels.at[levels.n].object ? CUE_STRUCT : CUE_LIST, at)) return false;
    }
    if (levels.n == 0) return true;
  }
}

static yyjson_doc *parse(CueArena *a, CueStr text, yyjson_alc *alc, yyjson_read_flag more, yyjson_read_err *e) {
  char *copy = cue_alloc(a, text.n + YYJSON_PADDING_SIZE);
  if (text.n) memcpy(copy, text.s, text.n);
  return yyjson_read_opts(copy, text.n, YYJSON_READ_INSITU | YYJSON_READ_NUMBER_AS_RAW | more, alc, e);
}

/* -- small texts ------------------------------------------------------------------------- */

enum { QUICK_DEPTH = 64, QUICK_FIELDS = 16 };

/* False for what the visitors had better see: an error, a name that comes twice, very deep or wide structs. */
static bool build(CueArena *a, yyjson_val *v, unsigned depth, CueValue *out) {
  if (depth > QUICK_DEPTH) return false;
  size_t i, n = unsafe_yyjson_get_len(v);
  yyjson_val *key, *item;
  switch (unsafe_yyjson_get_type(v)) {
  case YYJSON_TYPE_STR: *out = cue_string(yy_str(v)); return true;
  case YYJSON_TYPE_RAW: *out = number(a, yy_str(v)); return out->kind != CUE_BOTTOM;
  case YYJSON_TYPE_BOOL: *out = cue_bool(unsafe_yyjson_get_bool(v)); return true;
  case YYJSON_TYPE_NULL: *out = cue_null(); return true;
  case YYJSON_TYPE_ARR: {
    CueList *l = cue_list_new(a, (uint32_t)n);
    yyjson_arr_foreach(v, i, n, item) {
      if (!build(a, item, depth + 1, &l->at[i])) return false;
    }
    *out = cue_list(l);
    return true;
  }
  default: {
    if (n > QUICK_FIELDS) return false;
    CueStruct *s = cue_struct_new(a, (uint32_t)n);
    yyjson_obj_foreach(v, i, n, key, item) {
      CueStr name = yy_str(key);
      for (size_t k = 0; k < i; k++)
        if (cue_str_eq(s->at[k].key, name)) return false;
      s->at[i].key = name;
      if (!build(a, item, depth + 1, &s->at[i].value)) return false;
    }
    *out = cue_struct(s);
    return true;
  }
  }
}

bool cue_read_json_quick(CueArena *a, CueStr text, CueValue *out) {
  yyjson_alc alc = {alc_malloc, alc_realloc, alc_free, a};
  yyjson_read_err e;
  yyjson_doc *doc = parse(a, text, &alc, 0, &e);
  return doc && build(a, yyjson_doc_get_root(doc), 0, out);
}

bool cue_visit_json(CueArena *a, CueStr text, const CueVisitor *v, CueReadError *err) {
  *err = (CueReadError){0};
  CueArena *scratch = cue_arena_new();
  yyjson_alc alc = {alc_malloc, alc_realloc, alc_free, scratch};
  yyjson_read_err e = {0};
  bool ok = false;
  yyjson_doc *doc = parse(a, text, &alc, 0, &e);
  if (!doc) {
    Scan s = {.a = a, .text = text, .err = err};
    if (scan_json(&s)) {
      /* Go is content: bytes that are not UTF-8 pass, half a surrogate pair does not pass CUE. */
      doc = parse(a, text, &alc, YYJSON_READ_ALLOW_INVALID_UNICODE, &e);
      err->offset = e.pos;
      if (!doc) err->message = CUE_STR("invalid string: unmatched surrogate pair");
    }
  }
  if (doc) ok = walk(a, scratch, doc, text, v, err);
  cue_arena_free(scratch);
  return ok;
}
