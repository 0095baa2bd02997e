/* json_scan.c - the JSON grammar as a state machine with a stack of what is open.
**
** An error after the top value is noted when its byte comes but reported with the next
** one, so that a stream of values can stop at a value's end without having consumed the
** byte after it.
*/
#include "stdlib/cue/json_scan.h"

#include "stdlib/cue/gotext.h"

#define MAX_NESTING 10000

JsonScan json_scan(CueArena *a) { return (JsonScan){.a = a}; }

/* The byte in single quotes, escaped like a Go string. */
static CueStr show_byte(CueArena *a, char c) {
  if (c == '\'') return CUE_STR("'\\''");
  if (c == '"') return CUE_STR("'\"'");
  char utf8[4];
  size_t n = cue_utf8_encode(utf8, (unsigned char)c);
  CueStr quoted = cue_go_quoted(a, (CueStr){utf8, n});
  return cue_strf(a, "'%.*s'", CUE_FMT(cue_str_sub(quoted, 1, quoted.n - 1)));
}

static JsonByte fail(JsonScan *s, char c, const char *where) {
  CueStr byte = show_byte(s->a, c);
  s->error = cue_strf(s->a, "invalid character %.*s %s", CUE_FMT(byte), where);
  s->state = JSON_FAILED;
  return JSON_ERROR;
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static JsonByte go(JsonScan *s, JsonState next, JsonByte was) {
  s->state = next;
  return was;
}

static JsonByte push(JsonScan *s, char what, JsonState next) {
  if (s->nest.n >= MAX_NESTING) {
    s->error = CUE_STR("exceeded max depth");
    return go(s, JSON_FAILED, JSON_ERROR);
  }
  cue_push(s->a, &s->nest, what);
  return go(s, next, JSON_OPEN);
}

static JsonByte pop(JsonScan *s) {
  s->nest.n--;
  s->complete = s->nest.n == 0;
  return go(s, s->complete ? JSON_AFTER_TOP : JSON_AFTER_VALUE, JSON_CLOSE);
}

static JsonByte begin_literal(JsonScan *s, const char *word) {
  s->literal = word;
  s->matched = 1;
  return go(s, JSON_IN_LITERAL, JSON_PART);
}

static JsonByte begin_value(JsonScan *s, char c) {
  switch (c) {
  case '{': return push(s, 'k', JSON_IN_FIRST_KEY);
  case '[': return push(s, 'a', JSON_IN_FIRST_ELEMENT);
  case '"': return go(s, JSON_IN_STRING, JSON_PART);
  case '-': return go(s, JSON_IN_MINUS, JSON_PART);
  case '0': return go(s, JSON_IN_ZERO, JSON_PART);
  case 't': return begin_literal(s, "true");
  case 'f': return begin_literal(s, "false");
  case 'n': return begin_literal(s, "null");
  default: break;
  }
  if (is_digit(c)) return go(s, JSON_IN_DIGITS, JSON_PART);
  return fail(s, c, "looking for beginning of value");
}

static JsonByte after_top(JsonScan *s, char c) {
  if (!is_space(c)) fail(s, c, "after top-level value");
  return JSON_END;
}

/* c follows a complete value. */
static JsonByte after_value(JsonScan *s, char c) {
  if (s->nest.n == 0) {
    s->complete = true;
    s->state = JSON_AFTER_TOP;
    return after_top(s, c);
  }
  if (is_space(c)) return go(s, JSON_AFTER_VALUE, JSON_SPACE);
  char *top = &s->nest.at[s->nest.n - 1];
  if (*top == 'k') {
    if (c != ':') return fail(s, c, "after object key");
    *top = 'v';
    return go(s, JSON_IN_VALUE, JSON_SEPARATOR);
  }
  if (*top == 'v') {
    if (c == '}') return pop(s);
    if (c != ',') return fail(s, c, "after object key:value pair");
    *top = 'k';
    return go(s, JSON_IN_KEY, JSON_SEPARATOR);
  }
  if (c == ']') return pop(s);
  if (c != ',') return fail(s, c, "after array element");
  return go(s, JSON_IN_VALUE, JSON_SEPARATOR);
}

static JsonByte in_escape(JsonScan *s, char c) {
  switch (c) {
  case 'b':
  case 'f':
  case 'n':
  case 'r':
  case 't':
  case '\\':
  case '/':
  case '"': return go(s, JSON_IN_STRING, JSON_PART);
  case 'u': s->unicode = 0; return go(s, JSON_IN_UNICODE, JSON_PART);
  default: return fail(s, c, "in string escape code");
  }
}

static JsonByte in_unicode(JsonScan *s, char c) {
  if (!is_digit(c) && !((c | 0x20) >= 'a' && (c | 0x20) <= 'f'))
    return fail(s, c, "in \\u hexadecimal character escape");
  return go(s, ++s->unicode == 4 ? JSON_IN_STRING : JSON_IN_UNICODE, JSON_PART);
}

static JsonByte in_literal(JsonScan *s, char c) {
  char want = s->literal[s->matched];
  if (c != want) return fail(s, c, cue_strf(s->a, "in literal %s (expecting '%c')", s->literal, want).s);
  return go(s, s->literal[++s->matched] ? JSON_IN_LITERAL : JSON_AFTER_VALUE, JSON_PART);
}

static JsonByte in_key(JsonScan *s, char c) {
  if (is_space(c)) return JSON_SPACE;
  return c == '"' ? go(s, JSON_IN_STRING, JSON_PART) : fail(s, c, "looking for beginning of object key string");
}

static JsonByte in_string(JsonScan *s, char c) {
  if (c == '"') return go(s, JSON_AFTER_VALUE, JSON_PART);
  if (c == '\\') return go(s, JSON_IN_ESCAPE, JSON_PART);
  return (unsigned char)c < 0x20 ? fail(s, c, "in string literal") : JSON_PART;
}

/* After the digits before the point, or after those behind it. */
static JsonByte after_digits(JsonScan *s, char c, bool fraction) {
  if (c == '.' && !fraction) return go(s, JSON_IN_POINT, JSON_PART);
  return (c | 0x20) == 'e' ? go(s, JSON_IN_EXPONENT, JSON_PART) : after_value(s, c);
}

/* A digit is wanted. */
static JsonByte want_digit(JsonScan *s, char c, JsonState next, const char *where) {
  return is_digit(c) ? go(s, next, JSON_PART) : fail(s, c, where);
}

JsonByte json_step(JsonScan *s, char c) {
  switch (s->state) {
  case JSON_IN_VALUE: return is_space(c) ? JSON_SPACE : begin_value(s, c);
  case JSON_IN_FIRST_ELEMENT:
    if (is_space(c)) return JSON_SPACE;
    return c == ']' ? pop(s) : begin_value(s, c);
  case JSON_IN_FIRST_KEY: return c == '}' ? pop(s) : in_key(s, c);
  case JSON_IN_KEY: return in_key(s, c);
  case JSON_IN_STRING: return in_string(s, c);
  case JSON_IN_ESCAPE: return in_escape(s, c);
  case JSON_IN_UNICODE: return in_unicode(s, c);
  case JSON_IN_MINUS: return want_digit(s, c, c == '0' ? JSON_IN_ZERO : JSON_IN_DIGITS, "in numeric literal");
  case JSON_IN_ZERO: return after_digits(s, c, false);
  case JSON_IN_DIGITS: return is_digit(c) ? JSON_PART : after_digits(s, c, false);
  case JSON_IN_POINT: return want_digit(s, c, JSON_IN_FRACTION, "after decimal point in numeric literal");
  case JSON_IN_FRACTION: return is_digit(c) ? JSON_PART : after_digits(s, c, true);
  case JSON_IN_EXPONENT:
    if (c == '+' || c == '-') return go(s, JSON_IN_EXPONENT_SIGN, JSON_PART);
    return want_digit(s, c, JSON_IN_EXPONENT_DIGITS, "in exponent of numeric literal");
  case JSON_IN_EXPONENT_SIGN: return want_digit(s, c, JSON_IN_EXPONENT_DIGITS, "in exponent of numeric literal");
  case JSON_IN_EXPONENT_DIGITS: return is_digit(c) ? JSON_PART : after_value(s, c);
  case JSON_IN_LITERAL: return in_literal(s, c);
  case JSON_AFTER_VALUE: return after_value(s, c);
  case JSON_AFTER_TOP: return after_top(s, c);
  case JSON_FAILED: break;
  }
  return JSON_ERROR;
}

bool json_finish(JsonScan *s) {
  if (s->error.n) return false;
  if (!s->complete) json_step(s, ' ');
  if (s->complete) return true;
  if (!s->error.n) s->error = CUE_STR("unexpected end of JSON input");
  return false;
}

bool json_valid(CueArena *a, CueStr text, CueStr *error) {
  JsonScan s = json_scan(a);
  for (size_t i = 0; i < text.n && json_step(&s, text.s[i]) != JSON_ERROR; i++) continue;
  bool ok = json_finish(&s);
  *error = s.error;
  return ok;
}
