/* data_xml.c - XML files as syntax trees, in the form cue calls koala.
**
** An element is a struct: attributes are fields "$name", its text is the field "$$", elements in it are fields with
** their names, and several of one name a list. Text beside elements has no place in this form and is an error, if it
** is more than white space. What follows the first element is not looked at. Open elements are kept on a stack of
** their own, so depth costs no C stack.
*/
#include <string.h>

#include "compiler/data.h"
#include "compiler/literal.h"
#include "runtime/unicode.h"

typedef struct {
  CueStr name, value;
} Attribute;

typedef struct {
  CueStr name; /* as written */
  Ast *st;
  CUE_VEC(uint32_t) hashes; /* of the names of its fields: many differ, and most are told apart by them */
  CUE_VEC(Attribute) attributes;
  CueBuf text;
  size_t text_at;
  bool has_text, has_elements;
} Element;

typedef struct {
  CueArena *a;
  CueSource *src;
  CueStr s;
  size_t at;
  CUE_VEC(Element) open;
  Ast *root;
  CueDiags *d;
} Xml;

static bool fails(Xml *x, CueStr why) {
  uint32_t line = 1;
  for (size_t i = 0; i < x->at && i < x->s.n; i++) line += x->s.s[i] == '\n';
  return cue_report(x->d, 0, "XML syntax error on line %u: %.*s", line, CUE_FMT(why));
}

static bool ends(Xml *x) {
  x->at = x->s.n;
  return fails(x, CUE_STR("unexpected EOF"));
}

static bool looks_at(const Xml *x, const char *text) {
  return cue_str_has_prefix(cue_str_sub(x->s, x->at, x->s.n), cue_str(text));
}

static void skip_space(Xml *x) {
  while (x->at < x->s.n && strchr(" \t\r\n", x->s.s[x->at])) x->at++;
}

/* Moves behind the next `end`. */
static bool skip_past(Xml *x, const char *end) {
  while (x->at < x->s.n && !looks_at(x, end)) x->at++;
  if (x->at >= x->s.n) return ends(x);
  x->at += strlen(end);
  return true;
}

/* ---- names ---- */

static bool in_name(unsigned char c) {
  return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         (c && strchr("_:.-", c));
}

/* False without a report if there is no name here; `bad` says there was a report. */
static bool take_name(Xml *x, CueStr *out, bool *bad) {
  size_t from = x->at;
  *bad = false;
  while (x->at < x->s.n && in_name((unsigned char)x->s.s[x->at])) x->at++;
  *out = cue_str_sub(x->s, from, x->at);
  if (!out->n) {
    *bad = x->at >= x->s.n;
    return *bad ? ends(x) : false;
  }
  size_t i = 0;
  uint32_t first = cue_utf8_next(*out, &i);
  if (cue_utf8_valid(*out) && (first == '_' || first == ':' || cue_uni_is_letter(first))) return true;
  *bad = true;
  return fails(x, cue_strf(x->a, "invalid XML name: %.*s", CUE_FMT(*out)));
}

static bool split_name(CueStr name, CueStr *prefix, CueStr *local) {
  ptrdiff_t colon = cue_str_find(name, CUE_STR(":"));
  if (colon <= 0 || (size_t)colon + 1 == name.n) return false;
  *prefix = cue_str_sub(name, 0, (size_t)colon);
  *local = cue_str_sub(name, (size_t)colon + 1, name.n);
  return true;
}

static CueStr local_name(CueStr name) {
  CueStr prefix, local;
  return split_name(name, &prefix, &local) ? local : name;
}

/* What the nearest attribute of this name says. */
static bool find_attribute(const Xml *x, CueStr name, CueStr *value) {
  for (uint32_t i = x->open.n; i-- > 0;) {
    const Element *e = &x->open.at[i];
    for (uint32_t k = 0; k < e->attributes.n; k++) {
      if (!cue_str_eq(e->attributes.at[k].name, name)) continue;
      *value = e->attributes.at[k].value;
      return true;
    }
  }
  return false;
}

/* A name space is shown by the first prefix that was made for it, which need not be the one that is written. */
static CueStr shown_name(const Xml *x, CueStr name, bool is_element) {
  CueStr prefix = CUE_STR(""), local = name, space;
  bool has = split_name(name, &prefix, &local);
  if (has ? cue_str_is(prefix, "xmlns") : !is_element) return name;
  if (!find_attribute(x, has ? cue_strf(x->a, "xmlns:%.*s", CUE_FMT(prefix)) : CUE_STR("xmlns"), &space)) return name;
  for (uint32_t i = x->open.n; i-- > 0;) {
    const Element *e = &x->open.at[i];
    for (uint32_t k = 0; k < e->attributes.n; k++) {
      if (!cue_str_eq(e->attributes.at[k].value, space)) continue;
      CueStr by = local_name(e->attributes.at[k].name);
      if (is_element && cue_str_is(by, "xmlns")) return local;
      return cue_strf(x->a, "%.*s:%.*s", CUE_FMT(by), CUE_FMT(local));
    }
  }
  return name;
}

/* ---- text ---- */

static bool is_char(uint32_t r) {
  return r == '\t' || r == '\n' || r == '\r' || (r >= 0x20 && r <= 0xd7ff) || (r >= 0xe000 && r <= 0xfffd) ||
         (r >= 0x10000 && r <= 0x10ffff);
}

enum { NO_DIGIT = 16 };

static uint32_t digit(char c, bool hex) {
  if (c >= '0' && c <= '9') return (uint32_t)(c - '0');
  if (hex && c >= 'a' && c <= 'f') return (uint32_t)(c - 'a') + 10;
  return hex && c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10 : NO_DIGIT;
}

static bool number_entity(CueStr s, uint32_t *rune) {
  bool hex = s.n && s.s[0] == 'x';
  *rune = 0;
  for (size_t i = hex; i < s.n; i++) {
    *rune = *rune * (hex ? 16 : 10) + digit(s.s[i], hex);
    if (*rune > 0x10ffff) return false;
  }
  return s.n > hex;
}

static bool take_entity(Xml *x, CueBuf *out) {
  static const struct {
    const char *name;
    char c;
  } known[] = {{"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"apos", '\''}, {"quot", '"'}};
  size_t from = x->at++;
  bool number = looks_at(x, "#"), hex = looks_at(x, "#x");
  x->at += (size_t)number + hex;
  while (x->at < x->s.n && (number ? digit(x->s.s[x->at], hex) < NO_DIGIT : in_name((unsigned char)x->s.s[x->at])))
    x->at++;
  CueStr name = cue_str_sub(x->s, from + 1, x->at);
  if (!looks_at(x, ";"))
    return fails(x, cue_strf(x->a, "invalid character entity &%.*s (no semicolon)", CUE_FMT(name)));
  x->at++;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (!cue_str_is(name, known[i].name)) continue;
    cue_buf_ch(out, known[i].c);
    return true;
  }
  uint32_t rune;
  if (!name.n || name.s[0] != '#' || !number_entity(cue_str_sub(name, 1, name.n), &rune))
    return fails(x, cue_strf(x->a, "invalid character entity &%.*s;", CUE_FMT(name)));
  if (!is_char(rune)) return fails(x, cue_strf(x->a, "illegal character code U+%04X", rune));
  char utf8[4];
  cue_buf_str(out, (CueStr){utf8, cue_utf8_encode(utf8, rune)});
  return true;
}

/* One character of text; ends of lines become \n. */
static bool take_char(Xml *x, CueBuf *out) {
  size_t from = x->at;
  uint32_t r = cue_utf8_next(x->s, &x->at);
  if (r == CUE_RUNE_ERROR && x->at - from == 1) return fails(x, CUE_STR("invalid UTF-8"));
  if (!is_char(r)) return fails(x, cue_strf(x->a, "illegal character code U+%04X", r));
  if (r != '\r')
    cue_buf_str(out, cue_str_sub(x->s, from, x->at));
  else if (!looks_at(x, "\n"))
    cue_buf_ch(out, '\n');
  return true;
}

static bool is_space(CueStr s) {
  for (size_t i = 0; i < s.n;)
    if (!cue_uni_is_space(cue_utf8_next(s, &i))) return false;
  return true;
}

/* Text up to the next tag, or a CDATA section. */
static bool take_text(Xml *x, bool cdata) {
  CueBuf outside = cue_buf(x->a);
  Element *e = x->open.n ? &x->open.at[x->open.n - 1] : NULL;
  CueBuf *out = e ? &e->text : &outside;
  if (e && !e->has_text) e->text_at = x->at;
  if (cdata) x->at += strlen("<![CDATA[");
  for (;;) {
    if (cdata && looks_at(x, "]]>")) break;
    if (x->at >= x->s.n) {
      if (cdata) return fails(x, CUE_STR("unexpected EOF in CDATA section"));
      break;
    }
    if (!cdata && x->s.s[x->at] == '<') break;
    if (looks_at(x, "]]>")) return fails(x, CUE_STR("unescaped ]]> not in CDATA section"));
    if (!cdata && x->s.s[x->at] == '&' ? !take_entity(x, out) : !take_char(x, out)) return false;
  }
  if (cdata) x->at += 3;
  if (e) {
    e->has_text = true;
    return true;
  }
  if (is_space(cue_buf_done(&outside))) return true;
  return cue_report(x->d, 0, "text content outside of an XML element is not supported");
}

/* ---- elements ---- */

static CuePos pos_of(const Xml *x, size_t at) { return cue_pos(x->src->base + (uint32_t)at, CUE_REL_NONE); }

static Ast *string_at(Xml *x, CueStr s, CuePos pos) {
  Ast *n = ast_new(x->a, AST_BASIC, pos, pos);
  n->op = TOK_STRING;
  n->u.text = cue_literal_quote(x->a, s, CUE_QUOTE_STRING, 0);
  return n;
}

static Ast *field_at(Xml *x, CueStr name, Ast *value, CuePos pos) {
  Ast *f = ast_new(x->a, AST_FIELD, pos, pos);
  f->u.field.label = string_at(x, name, pos);
  f->u.field.value = value;
  return f;
}

static void add_field(Xml *x, Element *e, CueStr name, Ast *value, CuePos pos) {
  Ast *f = field_at(x, name, value, pos);
  ast_list_add(x->a, &e->st->u.list, f);
  cue_push(x->a, &e->hashes, cue_str_hash(f->u.field.label->u.text));
}

/* Adds an element to the one it is in. */
static void add_element(Xml *x, Element *into, CueStr name, Ast *st, CuePos pos) {
  CueStr label = cue_literal_quote(x->a, name, CUE_QUOTE_STRING, 0);
  uint32_t hash = cue_str_hash(label);
  for (uint32_t i = 0; i < into->hashes.n; i++) {
    if (into->hashes.at[i] != hash) continue;
    Ast *f = into->st->u.list.at[i], **v = &f->u.field.value;
    if (!cue_str_eq(f->u.field.label->u.text, label)) continue;
    if ((*v)->kind == AST_STRUCT) {
      Ast *list = ast_new(x->a, AST_LIST, 0, 0);
      ast_list_add(x->a, &list->u.list, *v);
      *v = list;
    }
    ast_list_add(x->a, &(*v)->u.list, st);
    return;
  }
  add_field(x, into, name, st, pos);
}

static bool take_attribute(Xml *x, Element *e) {
  Attribute t;
  bool bad;
  if (!take_name(x, &t.name, &bad)) return bad ? false : fails(x, CUE_STR("expected attribute name in element"));
  skip_space(x);
  if (!looks_at(x, "=")) return x->at < x->s.n ? fails(x, CUE_STR("attribute name without = in element")) : ends(x);
  x->at++;
  skip_space(x);
  if (x->at >= x->s.n) return ends(x);
  char quote = x->s.s[x->at];
  if (quote != '"' && quote != '\'') return fails(x, CUE_STR("unquoted or missing attribute value in element"));
  x->at++;
  CueBuf value = cue_buf(x->a);
  while (x->at < x->s.n && x->s.s[x->at] != quote) {
    char c = x->s.s[x->at];
    if (c == '<') return fails(x, CUE_STR("unescaped < inside quoted string"));
    if (c == '&' ? !take_entity(x, &value) : !take_char(x, &value)) return false;
  }
  if (x->at >= x->s.n) return ends(x);
  x->at++;
  t.value = cue_buf_done(&value);
  cue_push(x->a, &e->attributes, t);
  return true;
}

static bool mixed(Xml *x) {
  return cue_report(x->d, 0, "text content within an XML element that has sub-elements is not supported");
}

/* Ends the innermost element. */
static bool close_element(Xml *x) {
  Element *e = &x->open.at[x->open.n - 1];
  CueStr text = cue_buf_done(&e->text);
  if (e->has_elements && !is_space(text)) return mixed(x);
  if (e->has_text && !e->has_elements) {
    CuePos pos = pos_of(x, e->text_at);
    add_field(x, e, CUE_STR("$$"), string_at(x, text, pos), pos);
  }
  x->open.n--;
  return true;
}

static bool open_element(Xml *x) {
  size_t from = x->at++;
  CuePos pos = pos_of(x, from);
  Element e = {.st = ast_new(x->a, AST_STRUCT, 0, 0), .text = cue_buf(x->a)};
  bool bad, empty = false;
  if (!take_name(x, &e.name, &bad)) return bad ? false : fails(x, CUE_STR("expected element name after <"));
  for (;;) {
    skip_space(x);
    if (x->at >= x->s.n) return ends(x);
    char c = x->s.s[x->at];
    if (c == '/' || c == '>') {
      x->at++;
      empty = c == '/';
      if (empty && !looks_at(x, ">")) return x->at < x->s.n ? fails(x, CUE_STR("expected /> in element")) : ends(x);
      x->at += empty;
      break;
    }
    if (!take_attribute(x, &e)) return false;
  }
  if (x->open.n >= AST_DEPTH_LIMIT / 2) /* an element may be in a list, too */
    return cue_report(x->d, 0, "elements nested deeper than %d", AST_DEPTH_LIMIT / 2);
  if (x->open.n) {
    Element *parent = &x->open.at[x->open.n - 1];
    if (!is_space(cue_buf_done(&parent->text))) return mixed(x);
    parent->text = cue_buf(x->a);
    parent->has_elements = true;
  }
  cue_push(x->a, &x->open, e);
  Element *own = &x->open.at[x->open.n - 1];
  for (uint32_t i = 0; i < e.attributes.n; i++) {
    CueStr shown = shown_name(x, e.attributes.at[i].name, false);
    add_field(x, own, cue_strf(x->a, "$%.*s", CUE_FMT(shown)), string_at(x, e.attributes.at[i].value, pos), pos);
  }
  CueStr name = shown_name(x, e.name, true);
  if (x->open.n > 1) {
    add_element(x, own - 1, name, e.st, pos);
  } else {
    x->root = ast_new(x->a, AST_STRUCT, pos_of(x, 0), pos_of(x, 0));
    ast_list_add(x->a, &x->root->u.list, field_at(x, name, e.st, pos));
  }
  return !empty || close_element(x);
}

static bool end_tag(Xml *x) {
  CueStr name;
  bool bad;
  x->at += 2;
  if (!take_name(x, &name, &bad)) return bad ? false : fails(x, CUE_STR("expected element name after </"));
  skip_space(x);
  if (!looks_at(x, ">"))
    return x->at < x->s.n ? fails(x, cue_strf(x->a, "invalid characters between </%.*s and >", CUE_FMT(name)))
                          : ends(x);
  x->at++;
  if (!x->open.n) return fails(x, cue_strf(x->a, "unexpected end element </%.*s>", CUE_FMT(name)));
  CueStr open = x->open.at[x->open.n - 1].name;
  if (!cue_str_eq(open, name))
    return fails(x, cue_strf(x->a, "element <%.*s> closed by </%.*s>", CUE_FMT(open), CUE_FMT(name)));
  return close_element(x);
}

/* ---- the rest ---- */

static bool comment(Xml *x) {
  x->at += strlen("<!--");
  while (x->at < x->s.n && !looks_at(x, "--")) x->at++;
  if (x->at >= x->s.n) return ends(x);
  x->at += 2;
  if (!looks_at(x, ">"))
    return x->at < x->s.n ? fails(x, CUE_STR("invalid sequence \"--\" not allowed in comments")) : ends(x);
  x->at++;
  return true;
}

/* <!DOCTYPE ...>, which may hold others and quotes. */
static bool directive(Xml *x) {
  int depth = 0;
  char quote = 0;
  while (x->at < x->s.n) {
    if (!quote && depth && looks_at(x, "<!--")) {
      if (!comment(x)) return false;
      continue;
    }
    char c = x->s.s[x->at++];
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '<')
      depth++;
    else if (c == '>' && !--depth)
      return true;
  }
  return ends(x);
}

/* What <?xml ...?> says of itself, between quotes. */
static CueStr declared(CueStr s, const char *name) {
  ptrdiff_t at = cue_str_find(s, cue_str(name));
  if (at < 0) return CUE_STR("");
  size_t i = (size_t)at + strlen(name);
  if (i >= s.n || (s.s[i] != '"' && s.s[i] != '\'')) return CUE_STR("");
  const char *end = memchr(s.s + i + 1, s.s[i], s.n - i - 1);
  return end ? cue_str_sub(s, i + 1, (size_t)(end - s.s)) : CUE_STR("");
}

static bool is_utf8_name(CueStr s) {
  static const char want[] = "utf-8";
  if (s.n != sizeof want - 1) return !s.n;
  for (size_t i = 0; i < s.n; i++) {
    char c = s.s[i];
    if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
    if (c != want[i]) return false;
  }
  return true;
}

static bool instruction(Xml *x) {
  size_t from = x->at;
  if (!skip_past(x, "?>")) return false;
  CueStr s = cue_str_sub(x->s, from, x->at);
  if (!cue_str_has_prefix(s, CUE_STR("<?xml ")) && !cue_str_has_prefix(s, CUE_STR("<?xml\n"))) return true;
  CueStr version = declared(s, "version="), encoding = declared(s, "encoding=");
  if (version.n && !cue_str_is(version, "1.0"))
    return cue_report(x->d, 0, "xml: unsupported version \"%.*s\"; only version 1.0 is supported", CUE_FMT(version));
  if (is_utf8_name(encoding)) return true;
  return cue_report(x->d, 0, "xml: encoding \"%.*s\" declared but Decoder.CharsetReader is nil", CUE_FMT(encoding));
}

static bool take_token(Xml *x) {
  if (looks_at(x, "<![CDATA[")) return take_text(x, true);
  if (looks_at(x, "</")) return end_tag(x);
  if (looks_at(x, "<!--")) return comment(x);
  if (looks_at(x, "<!")) return directive(x);
  if (looks_at(x, "<?")) return instruction(x);
  return looks_at(x, "<") ? open_element(x) : take_text(x, false);
}

Ast *data_read_xml(CueArena *a, CueSource *src, CueDiags *d) {
  Xml x = {.a = a, .src = src, .s = src->text, .d = d};
  while (!x.root || x.open.n) {
    if (x.at >= x.s.n) {
      if (x.open.n)
        ends(&x);
      else
        cue_report(d, 0, "no XML element");
      return NULL;
    }
    if (!take_token(&x)) return NULL;
  }
  return x.root;
}
