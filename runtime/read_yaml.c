/* read_yaml.c - YAML text to events, over libyaml, with the rules cue has for YAML.
**
** A document becomes a tree of nodes in a scratch arena first: aliases stand for whole nodes
** and merge keys rearrange fields, so nothing can be told to the visitor before the tree is
** known. The tree is then walked with aliases expanded.
**
** libyaml counts characters where we want bytes; a cursor converts, cheaply because marks
** come in rising order. Error texts and their line numbers, odd as the latter are, follow
** Go's YAML package as cue shows them.
** Bounds: nesting CUE_MAX_DEPTH, and MAX_COPIES nodes told to the visitor by way of aliases,
** since a few aliases of aliases can stand for billions of nodes.
*/
#include "runtime/read.h"

#include <string.h>
#include <yaml.h>

#include "runtime/yaml_scalar.h"

#define MAX_COPIES 2000000u

typedef enum { SCALAR, SEQUENCE, MAPPING, ALIAS } NodeKind;

typedef struct Node Node;
struct Node {
  NodeKind kind;
  bool explicit_tag, busy;
  CueStr tag;   /* short: !!str, !foo; empty for an alias */
  CueStr value; /* scalar text, or the name of the alias */
  size_t from, to;
  uint32_t line;
  Node *target;         /* of an alias */
  CUE_VEC(Node *) kids; /* of a mapping: key, value, key, value, ... */
};

typedef struct {
  CueStr name;
  Node *node;
} Anchor;

typedef struct {
  CueArena *a;       /* for what outlives the call */
  CueArena *scratch; /* for the tree */
  CueStr text;
  size_t base; /* where the parser began */
  uint32_t base_line;
  size_t cursor_char, cursor_byte; /* relative to base */
  CUE_VEC(Anchor) anchors;
  const CueVisitor *visit;
  CueReadError *err;
  uint32_t inside; /* how many aliases are being expanded */
  uint32_t copies; /* nodes visited inside them */
} Reader;

static bool fail_at(Reader *r, uint32_t line, size_t offset, CueStr message) {
  *r->err = (CueReadError){message, offset, line};
  return false;
}

static bool fail(Reader *r, const Node *n, CueStr message) { return fail_at(r, n->line, n->from, message); }

/* -- from libyaml to the tree ------------------------------------------------------------- */

static size_t byte_offset(Reader *r, yaml_mark_t mark) {
  if (mark.index < r->cursor_char) r->cursor_char = r->cursor_byte = 0;
  size_t i = r->base + r->cursor_byte;
  if (r->cursor_char == 0 && i == r->base && r->text.n - i >= 3 && memcmp(r->text.s + i, "\xEF\xBB\xBF", 3) == 0)
    i += 3;
  for (; r->cursor_char < mark.index && i < r->text.n; r->cursor_char++) {
    i++;
    while (i < r->text.n && ((unsigned char)r->text.s[i] & 0xC0) == 0x80) i++;
  }
  r->cursor_byte = i - r->base;
  return i;
}

/* Go's YAML names the line of the context, else of the problem, counted from 0 in parser
** errors and from 1 in scanner errors, and none at all where that count is 0. */
static bool parser_failed(Reader *r, const yaml_parser_t *p) {
  if (p->error == YAML_MEMORY_ERROR) cue_out_of_memory();
  size_t line = p->context_mark.line ? p->context_mark.line : p->problem_mark.line;
  if (p->context_mark.line == 0 && p->problem_mark.line == 0) line = 0;
  line += r->base_line;
  if (line && p->error == YAML_SCANNER_ERROR) line++;
  if (p->error == YAML_READER_ERROR) line = 0;
  size_t offset = p->error == YAML_READER_ERROR ? r->base + p->problem_offset : byte_offset(r, p->problem_mark);
  const char *problem = p->problem ? p->problem : "unknown problem parsing YAML content";
  return fail_at(r, (uint32_t)line, offset, cue_strf(r->a, "%s", problem));
}

static CueStr copy(CueArena *a, const yaml_char_t *s, size_t n) {
  return cue_str_copy(a, (CueStr){(const char *)s, n});
}

static CueStr short_tag(CueArena *a, const yaml_char_t *tag) {
  CueStr s = cue_str((const char *)tag), prefix = CUE_STR("tag:yaml.org,2002:");
  if (!cue_str_has_prefix(s, prefix)) return cue_str_copy(a, s);
  return cue_str_cat(a, CUE_STR("!!"), cue_str_sub(s, prefix.n, s.n));
}

static CueStr scalar_tag(const Node *n, bool plain) {
  if (!plain) return CUE_STR("!!str");
  if (cue_str_is(n->value, "<<")) return CUE_STR("!!merge");
  switch (cue_yaml_resolve(n->value)) {
  case CUE_YAML_NULL: return CUE_STR("!!null");
  case CUE_YAML_BOOL: return CUE_STR("!!bool");
  case CUE_YAML_INT: return CUE_STR("!!int");
  case CUE_YAML_FLOAT: return CUE_STR("!!float");
  case CUE_YAML_STR: break;
  }
  return CUE_STR("!!str");
}

static void set_tag(Reader *r, Node *n, const yaml_char_t *tag, CueStr otherwise) {
  n->explicit_tag = tag && strcmp((const char *)tag, "") != 0 && strcmp((const char *)tag, "!") != 0;
  n->tag = n->explicit_tag ? short_tag(r->scratch, tag) : otherwise;
}

static void set_anchor(Reader *r, Node *n, const yaml_char_t *name) {
  if (!name) return;
  cue_push(r->scratch, &r->anchors, (Anchor){copy(r->scratch, name, strlen((const char *)name)), n});
}

/* The node that an event begins; NULL, with the error set, for an unknown alias. */
static Node *make_node(Reader *r, const yaml_event_t *e) {
  Node *n = cue_new(r->scratch, Node);
  n->from = byte_offset(r, e->start_mark);
  n->to = byte_offset(r, e->end_mark);
  n->line = (uint32_t)e->start_mark.line + 1 + r->base_line;
  switch (e->type) {
  case YAML_SCALAR_EVENT: {
    n->kind = SCALAR;
    n->value = copy(r->a, e->data.scalar.value, e->data.scalar.length);
    set_tag(r, n, e->data.scalar.tag, scalar_tag(n, e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE));
    set_anchor(r, n, e->data.scalar.anchor);
    return n;
  }
  case YAML_SEQUENCE_START_EVENT:
    n->kind = SEQUENCE;
    set_tag(r, n, e->data.sequence_start.tag, CUE_STR("!!seq"));
    set_anchor(r, n, e->data.sequence_start.anchor);
    return n;
  case YAML_MAPPING_START_EVENT:
    n->kind = MAPPING;
    set_tag(r, n, e->data.mapping_start.tag, CUE_STR("!!map"));
    set_anchor(r, n, e->data.mapping_start.anchor);
    return n;
  default: break;
  }
  n->kind = ALIAS;
  n->value = copy(r->a, e->data.alias.anchor, strlen((const char *)e->data.alias.anchor));
  for (uint32_t i = r->anchors.n; i > 0; i--) {
    if (cue_str_eq(r->anchors.at[i - 1].name, n->value)) {
      n->target = r->anchors.at[i - 1].node;
      return n;
    }
  }
  fail_at(r, 0, n->from, cue_strf(r->a, "unknown anchor '%.*s' referenced", CUE_FMT(n->value)));
  return NULL;
}

/* Reads events up to the end of the document into *root. */
static bool read_document(Reader *r, yaml_parser_t *p, Node **root, size_t *end) {
  CUE_VEC(Node *) open = {0};
  for (;;) {
    yaml_event_t e;
    if (!yaml_parser_parse(p, &e)) return parser_failed(r, p);
    bool ok = true;
    if (e.type == YAML_DOCUMENT_END_EVENT || e.type == YAML_NO_EVENT) {
      *end = byte_offset(r, e.end_mark);
      yaml_event_delete(&e);
      return true;
    }
    if (e.type == YAML_SEQUENCE_END_EVENT || e.type == YAML_MAPPING_END_EVENT) {
      open.at[open.n - 1]->to = byte_offset(r, e.end_mark);
      open.n--;
    } else {
      Node *n = make_node(r, &e);
      ok = n != NULL;
      if (n && open.n)
        cue_push(r->scratch, &open.at[open.n - 1]->kids, n);
      else if (n)
        *root = n;
      if (n && (n->kind == SEQUENCE || n->kind == MAPPING)) cue_push(r->scratch, &open, n);
      if (open.n > CUE_MAX_DEPTH) /* a scanner error there: see parser_failed */
        ok = fail_at(r, n->line > 1 ? n->line : 0, n->from, CUE_STR("exceeded max depth of 10000"));
    }
    yaml_event_delete(&e);
    if (!ok) return false;
  }
}

/* -- scalars ------------------------------------------------------------------------------ */

/* A number literal taken apart as CUE does: its digits, base and kind. */
typedef struct {
  CueBuf digits;
  unsigned base;
  bool is_float, negative;
  CueStr text;
  size_t i;
  const char *wrong; /* why it is no number, or NULL; the text belongs after a final space */
} Num;

static char num_peek(const Num *n) { return n->i < n->text.n ? n->text.s[n->i] : '\0'; }

static bool scan_digits(Num *n, unsigned base) {
  bool any = false;
  char last = 0;
  for (;; n->i++) {
    char c = num_peek(n);
    unsigned v = c >= '0' && c <= '9'                     ? (unsigned)(c - '0')
                 : c == '_'                               ? 0u
                 : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (unsigned)((c | 0x20) - 'a') + 10
                                                          : 16u;
    if (v >= base) break;
    if (c != '_') {
      cue_buf_ch(&n->digits, c);
      any = true;
    }
    last = c;
  }
  if (last == '_' && !n->wrong) n->wrong = "illegal '_' in number";
  return any;
}

static void scan_exponent(Num *n) {
  if ((num_peek(n) | 0x20) != 'e') return;
  n->is_float = true;
  n->i++;
  cue_buf_ch(&n->digits, 'e');
  if (num_peek(n) == '-' || num_peek(n) == '+') cue_buf_ch(&n->digits, n->text.s[n->i++]);
  if (!scan_digits(n, 10) && !n->wrong) n->wrong = "illegal exponent ";
}

static void scan_fraction(Num *n) {
  if (num_peek(n) == '.') {
    n->is_float = true;
    n->i++;
    if (n->digits.n == 0) cue_buf_ch(&n->digits, '0');
    cue_buf_ch(&n->digits, '.');
    scan_digits(n, 10);
  }
  scan_exponent(n);
}

static void scan_num(Num *n) {
  char c = num_peek(n);
  if (n->text.n == 0) n->wrong = "invalid number ";
  if (n->wrong) return;
  if (c == '-' || c == '+') {
    n->negative = c == '-';
    n->i++;
    c = num_peek(n);
  }
  n->base = 10;
  if (c == '.') {
    n->is_float = true;
    n->i++;
    cue_buf_z(&n->digits, "0.");
    if (!scan_digits(n, 10)) n->wrong = "illegal fraction ";
    scan_exponent(n);
  } else if (c != '0') {
    if (!scan_digits(n, 10)) {
      n->wrong = "illegal number start ";
      return;
    }
    scan_fraction(n);
  } else {
    n->i++;
    c = num_peek(n);
    if (c == 'x' || c == 'X' || c == 'b' || c == 'o') {
      n->i++;
      n->base = c == 'b' ? 2 : c == 'o' ? 8 : 16;
      if (!scan_digits(n, n->base))
        n->wrong = c == 'b'   ? "illegal binary number "
                   : c == 'o' ? "illegal octal number "
                              : "illegal hexadecimal number ";
    } else {
      scan_digits(n, 8);
      if (num_peek(n) == '8' || num_peek(n) == '9') {
        scan_digits(n, 10);
        if (num_peek(n) != '.' && (num_peek(n) | 0x20) != 'e') n->wrong = "illegal integer number ";
      }
      if (num_peek(n) == '.' || (num_peek(n) | 0x20) == 'e') {
        if (n->digits.n == 0) cue_buf_ch(&n->digits, '0');
        scan_fraction(n);
      } else if (n->digits.n) {
        n->base = 8;
      }
    }
  }
  if (!n->wrong && n->i < n->text.n) n->wrong = "invalid number ";
  if (n->digits.n == 0) cue_buf_ch(&n->digits, '0');
}

/* Multipliers can only come with an explicit tag (!!int 1K). */
static size_t multiplier(CueStr s, int64_t *factor) {
  *factor = 1;
  size_t n = s.n && s.s[s.n - 1] == 'i' ? 2 : 1;
  if (s.n <= n) return 0;
  const char *letters = "KMGTP", *p = strchr(letters, s.s[s.n - n]);
  if (!p || !*p) return 0;
  for (int k = 0; k <= p - letters; k++) *factor *= n == 2 ? 1024 : 1000;
  return n;
}

static bool read_number(Reader *r, const Node *n, CueStr text, CueScalar *out, bool *is_int) {
  int64_t factor;
  size_t cut = multiplier(text, &factor);
  Num num = {.digits = cue_buf(r->a), .text = cue_str_sub(text, 0, text.n - cut)};
  scan_num(&num);
  if (num.wrong) {
    CueBuf shown = cue_buf(r->a), why = cue_buf(r->a);
    cue_emit_json_string(&shown, text, false);
    cue_buf_z(&why, num.wrong);
    if (num.wrong[strlen(num.wrong) - 1] == ' ') cue_buf_add(&why, shown.s, shown.n);
    CueStr what = cue_buf_done(&shown), reason = cue_buf_done(&why);
    return fail(r, n,
                cue_strf(r->a, "cannot decode %.*s as %.*s: %.*s", CUE_FMT(what), CUE_FMT(n->tag), CUE_FMT(reason)));
  }
  CueStr digits = cue_buf_done(&num.digits);
  const CueNum *x = num.base == 10 ? cue_num_parse(r->a, digits) : cue_num_parse_radix(r->a, digits, num.base);
  if (x && cut && cue_num_mul(r->a, x, cue_num_from_int(r->a, factor), true, &x) != CUE_NUM_OK) x = NULL;
  if (!x)
    return fail(
        r, n, cue_strf(r->a, "cannot decode \"%.*s\" as %.*s: exponent out of range", CUE_FMT(text), CUE_FMT(n->tag)));
  *is_int = !num.is_float || (cut && cue_num_is_int(x));
  if (num.negative) x = cue_num_neg(r->a, x);
  out->literal = text;
  out->value = *is_int ? cue_int_num(x) : cue_float_num(x);
  return true;
}

static bool read_binary(Reader *r, const Node *n, CueValue *out) {
  CueBuf b = cue_buf(r->a);
  uint32_t bits = 0, count = 0, pads = 0;
  bool ok = true;
  for (size_t i = 0; i < n->value.n && ok; i++) {
    char c = n->value.s[i];
    if (c == '\n' || c == '\r') continue;
    if (c == '=') {
      pads++;
      ok = count % 4 >= 2 && pads <= 4 - count % 4;
      continue;
    }
    int v = c >= 'A' && c <= 'Z'   ? c - 'A'
            : c >= 'a' && c <= 'z' ? c - 'a' + 26
            : c >= '0' && c <= '9' ? c - '0' + 52
            : c == '+'             ? 62
            : c == '/'             ? 63
                                   : -1;
    if (v < 0 || pads) ok = false;
    bits = bits << 6 | (uint32_t)(v & 63);
    if (++count % 4 == 0) {
      char three[3] = {(char)(bits >> 16), (char)(bits >> 8), (char)bits};
      cue_buf_add(&b, three, 3);
      bits = 0;
    }
  }
  uint32_t rest = count % 4;
  if (!ok || (rest ? pads != 4 - rest : pads != 0))
    return fail(r, n, CUE_STR("!!binary value contains invalid base64 data"));
  if (rest == 3) cue_buf_add(&b, (char[]){(char)(bits >> 10), (char)(bits >> 2)}, 2);
  if (rest == 2) cue_buf_ch(&b, (char)(bits >> 4));
  *out = cue_bytes(cue_buf_done(&b));
  return true;
}

/* Digits after a leading zero, 8 and 9 among them: not an octal number, so a string. */
static bool is_bad_octal(CueStr s) {
  size_t i = s.n && (s.s[0] == '-' || s.s[0] == '+');
  if (s.n - i < 2 || s.s[i] != '0') return false;
  for (i++; i < s.n; i++)
    if (s.s[i] != '_' && (s.s[i] < '0' || s.s[i] > '9')) return false;
  return true;
}

static bool read_int(Reader *r, const Node *n, CueScalar *out) {
  CueStr text = n->value;
  if (text.n > 1 && text.s[0] == '0' && text.s[1] <= '9')
    text = cue_str_cat(r->a, CUE_STR("0o"), cue_str_sub(text, 1, text.n));
  bool is_int;
  if (!read_number(r, n, text, out, &is_int)) return false;
  if (is_int) return true;
  return fail(r, n, cue_strf(r->a, "cannot decode \"%.*s\" as !!int: not a literal number", CUE_FMT(text)));
}

static bool read_float(Reader *r, const Node *n, CueScalar *out) {
  CueStr text = n->value;
  bool is_int;
  if (cue_one_of(text, ".inf .Inf .INF +.inf +.Inf +.INF"))
    text = CUE_STR("+Inf");
  else if (cue_one_of(text, "-.inf -.Inf -.INF"))
    text = CUE_STR("Inf");
  else if (cue_one_of(text, ".nan .NaN .NAN"))
    text = CUE_STR("NaN");
  else if (!read_number(r, n, text, out, &is_int))
    return false;
  else if (!is_int)
    return true;
  else
    text = cue_str_cat(r->a, CUE_STR("number & "), text);
  /* CUE has no such numbers, nor has cue a better word for an integer that YAML calls a float. */
  return fail(r, n, cue_strf(r->a, "parse error: illegal number start \"%.*s\"", CUE_FMT(text)));
}

static bool read_scalar(Reader *r, const Node *n, CueScalar *out) {
  *out = (CueScalar){.from = n->from, .to = n->to};
  CueStr tag = n->tag;
  if (!n->explicit_tag && cue_str_is(tag, "!!float") && is_bad_octal(n->value)) tag = CUE_STR("!!str");
  if (cue_str_is(tag, "!!str") || cue_str_is(tag, "!!timestamp"))
    out->value = cue_string(n->value);
  else if (cue_str_is(tag, "!!null"))
    out->value = cue_null();
  else if (cue_str_is(tag, "!!bool"))
    out->value = cue_bool(cue_one_of(n->value, "true True TRUE"));
  else if (cue_str_is(tag, "!!int"))
    return read_int(r, n, out);
  else if (cue_str_is(tag, "!!float"))
    return read_float(r, n, out);
  else if (cue_str_is(tag, "!!binary"))
    return read_binary(r, n, &out->value);
  else
    return fail(r, n, cue_strf(r->a, "cannot unmarshal tag \"%.*s\"", CUE_FMT(tag)));
  return true;
}

/* -- the walk ----------------------------------------------------------------------------- */

/* The field name a key node stands for. */
static bool read_key(Reader *r, const Node *n, CueStr *key) {
  const Node *k = n->kind == ALIAS ? n->target : n;
  if (k->kind != SCALAR) return fail(r, n, cue_strf(r->a, "invalid map key: %.*s", CUE_FMT(k->tag)));
  CueScalar s;
  if (!read_scalar(r, k, &s)) return false;
  *key = k->value;
  if (s.literal.n) {
    if (s.literal.s[0] == '-') return fail(r, n, cue_strf(r->a, "invalid label %.*s", CUE_FMT(k->value)));
    *key = s.literal;
  } else if (s.value.kind == CUE_NULL) {
    *key = CUE_STR("null");
  } else if (s.value.kind == CUE_BOOL) {
    *key = s.value.as.b ? CUE_STR("true") : CUE_STR("false");
  }
  return true;
}

typedef struct {
  CueStr key;
  const Node *at; /* the key node */
  Node *value;
} Pair;
typedef CUE_VEC(Pair) Pairs;

static bool is_merge(const Node *n) {
  return n->kind == SCALAR && cue_str_is(n->value, "<<") && cue_str_is(n->tag, "!!merge");
}

static bool collect(Reader *r, const Node *map, Pairs *out, bool replace, unsigned depth);

static bool merge(Reader *r, const Node *n, Pairs *out, unsigned depth) {
  if (depth > 1000) return fail(r, n, cue_strf(r->a, "anchor \"%.*s\" value contains itself", CUE_FMT(n->value)));
  const Node *map = n->kind == ALIAS ? n->target : n;
  if (map->kind == MAPPING) return collect(r, map, out, true, depth + 1);
  if (n->kind != SEQUENCE) return fail(r, n, CUE_STR("map merge requires map or sequence of maps as the value"));
  for (uint32_t i = n->kids.n; i > 0; i--) /* earlier ones win, so they come last */
    if (!merge(r, n->kids.at[i - 1], out, depth + 1)) return false;
  return true;
}

/* The fields of a mapping in order. From the first merge key on, a key that is known already
** takes the new value in its old place. */
static bool collect(Reader *r, const Node *map, Pairs *out, bool replace, unsigned depth) {
  for (uint32_t i = 0; i + 1 < map->kids.n; i += 2) {
    Node *k = map->kids.at[i], *v = map->kids.at[i + 1];
    if ((depth || r->inside) && ++r->copies > MAX_COPIES)
      return fail(r, k, CUE_STR("document contains excessive aliasing"));
    if (is_merge(k)) {
      replace = true;
      if (!merge(r, v, out, depth)) return false;
      continue;
    }
    CueStr key;
    if (!read_key(r, k, &key)) return false;
    Pair *old = NULL;
    for (uint32_t j = 0; replace && j < out->n && !old; j++)
      if (cue_str_eq(out->at[j].key, key)) old = &out->at[j];
    if (old)
      old->value = v;
    else
      cue_push(r->scratch, out, (Pair){key, k, v});
  }
  return true;
}

static bool walk(Reader *r, Node *n, unsigned depth);

static bool walk_mapping(Reader *r, const Node *n, const Node *site, unsigned depth) {
  const CueVisitor *v = r->visit;
  Pairs pairs = {0};
  if (!v->begin(v->ctx, CUE_STRUCT, site->from) || !collect(r, n, &pairs, false, 0)) return false;
  for (uint32_t i = 0; i < pairs.n; i++) {
    const Pair *p = &pairs.at[i];
    if (!v->key(v->ctx, p->key, p->at->from, p->at->to) || !walk(r, p->value, depth + 1)) return false;
  }
  return v->end(v->ctx, CUE_STRUCT, site->to);
}

/* Lists and structs that come by an alias are placed where the alias stands. */
static bool walk(Reader *r, Node *n, unsigned depth) {
  const CueVisitor *v = r->visit;
  Node *site = n;
  if (depth > CUE_MAX_DEPTH) return fail(r, n, CUE_STR("exceeded max depth of 10000"));
  if (r->inside && ++r->copies > MAX_COPIES) return fail(r, n, CUE_STR("document contains excessive aliasing"));
  if (n->kind == ALIAS) {
    if (n->busy) return fail(r, n, cue_strf(r->a, "anchor \"%.*s\" value contains itself", CUE_FMT(n->value)));
    n->busy = true;
    r->inside++;
    n = n->target;
  }
  bool ok = true;
  if (n->kind == SCALAR) {
    CueScalar s;
    ok = read_scalar(r, n, &s) && v->scalar(v->ctx, &s);
  } else if (n->kind == MAPPING) {
    ok = walk_mapping(r, n, site, depth);
  } else {
    ok = v->begin(v->ctx, CUE_LIST, site->from);
    for (uint32_t i = 0; ok && i < n->kids.n; i++) ok = walk(r, n->kids.at[i], depth + 1);
    ok = ok && v->end(v->ctx, CUE_LIST, site->to);
  }
  if (site->kind == ALIAS) r->inside--;
  site->busy = false;
  return ok;
}

/* -- documents ---------------------------------------------------------------------------- */

/* The first byte at or after i that is no blank, comment or "..." line. */
static size_t skip_idle(CueStr t, size_t i) {
  while (i < t.n) {
    if (t.s[i] == ' ' || t.s[i] == '\t' || t.s[i] == '\r' || t.s[i] == '\n') {
      i++;
    } else if (t.s[i] == '#') {
      while (i < t.n && t.s[i] != '\n') i++;
    } else if (t.n - i >= 3 && memcmp(t.s + i, "...", 3) == 0 && (i == 0 || t.s[i - 1] == '\n')) {
      i += 3;
    } else {
      break;
    }
  }
  return i;
}

static uint32_t count_lines(CueStr t, size_t to) {
  uint32_t n = 0;
  for (const char *p = t.s, *end = t.s + to; p < end && (p = memchr(p, '\n', (size_t)(end - p))); p++) n++;
  return n;
}

static bool parse_one(Reader *r, yaml_parser_t *p, Node **root, size_t *end) {
  yaml_event_t e;
  bool begun = false;
  while (!begun) {
    if (!yaml_parser_parse(p, &e)) return parser_failed(r, p);
    bool none = e.type == YAML_STREAM_END_EVENT;
    begun = e.type == YAML_DOCUMENT_START_EVENT;
    yaml_event_delete(&e);
    if (none) {
      *end = r->text.n + 1;
      return true;
    }
  }
  return read_document(r, p, root, end);
}

bool cue_visit_yaml(CueArena *a, CueStr text, size_t *offset, bool *done, const CueVisitor *v, CueReadError *err) {
  *err = (CueReadError){0};
  *done = false;
  bool first = *offset == 0;
  size_t from = *offset;
  if (!first) {
    /* After a document only a new one may follow, with its "---" or directives. */
    if (from < text.n) from = skip_idle(text, from);
    if (from >= text.n) {
      *done = true;
      return true;
    }
    if (text.s[from] != '%' && (text.n - from < 3 || memcmp(text.s + from, "---", 3) != 0)) {
      *err = (CueReadError){CUE_STR("did not find expected <document start>"), from, count_lines(text, from)};
      return false;
    }
  }
  Reader r = {.a = a, .scratch = cue_arena_new(), .text = text, .base = from, .visit = v, .err = err};
  r.base_line = count_lines(text, from);
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser)) cue_out_of_memory();
  yaml_parser_set_input_string(&parser, (const unsigned char *)(text.n ? text.s + from : ""), text.n - from);
  Node *root = NULL;
  size_t end = text.n + 1;
  bool ok = parse_one(&r, &parser, &root, &end);
  yaml_parser_delete(&parser);
  if (ok && root) {
    ok = walk(&r, root, 0);
  } else if (ok && first) {
    CueScalar none = {.value = cue_null()};
    ok = v->scalar(v->ctx, &none);
  } else if (ok) {
    *done = true;
  }
  cue_arena_free(r.scratch);
  if (ok) *offset = end > 0 ? end : text.n + 1;
  return ok;
}
