/* load_tag.c - build attributes and injected values.
**
** @if(expr) and @ignore() before the package clause decide whether a file takes part. A tag
** of -t is set for @if by its name alone; name=value gives a value to the fields marked
** @tag(name), by unifying it with what the field says.
*/
#define _DEFAULT_SOURCE
#include <pwd.h>
#include <string.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "compiler/attr.h"
#include "compiler/literal.h"
#include "compiler/load_impl.h"
#include "compiler/parse.h"

struct Tag {
  Tag *next;
  CueStr key, var;
  CueStr shorthands; /* joined by "|" */
  unsigned kind;     /* CueKind set */
  bool injected;
  Ast *field;
};

/* ---- which files ---- */

static bool tag_is_set(Loader *l, CueStr name, bool use_tags) {
  if (!use_tags) return false;
  cue_push(l->a, &l->used_tags, name);
  for (uint32_t i = 0; i < l->cfg->ntags; i++)
    if (cue_str_eq(l->cfg->tags[i], name)) return true;
  return false;
}

static bool condition(Loader *l, const Ast *x, bool use_tags, bool *out, CueDiags *d) {
  switch (x->kind) {
  case AST_IDENT: *out = tag_is_set(l, x->u.text, use_tags); return true;
  case AST_PAREN: return condition(l, x->u.x, use_tags, out, d);
  case AST_UNARY:
    if (x->op != TOK_NOT) return cue_report(d, 0, "invalid operator %s in build attribute", tok_text((Tok)x->op));
    if (!condition(l, x->u.unary.x, use_tags, out, d)) return false;
    *out = !*out;
    return true;
  case AST_BINARY: {
    if (x->op != TOK_LAND && x->op != TOK_LOR)
      return cue_report(d, 0, "invalid operator %s in build attribute", tok_text((Tok)x->op));
    bool p, q;
    if (!condition(l, x->u.binary.x, use_tags, &p, d) || !condition(l, x->u.binary.y, use_tags, &q, d)) return false;
    *out = x->op == TOK_LAND ? p && q : p || q;
    return true;
  }
  default:
    return cue_report(d, 0, "invalid type %s in build attribute", x->kind == AST_BASIC ? "*ast.BasicLit" : "ast.Expr");
  }
}

FileVerdict file_verdict(Loader *l, const AstFile *f, bool use_tags, CueStr *why, CueDiags *d) {
  const Ast *attr = NULL;
  *why = CUE_STR("");
  for (uint32_t i = 0; i < f->root->u.list.n; i++) {
    const Ast *n = f->root->u.list.at[i];
    if (n->kind == AST_COMMENTS) continue;
    if (n->kind != AST_ATTRIBUTE) break;
    CueStr name = attr_name(n);
    if (cue_str_is(name, "ignore")) {
      *why = CUE_STR("@ignore() attribute found");
      return FILE_EXCLUDED;
    }
    if (!cue_str_is(name, "if")) continue;
    if (attr) {
      cue_report(d, n->pos, "multiple @if attributes");
      cue_report(d, attr->pos, "previous declaration here");
      return FILE_BROKEN;
    }
    attr = n;
  }
  if (!attr) return FILE_BUILD;
  Attr parsed = attr_parse(l->a, attr);
  CueSource *src = cue_source_add(l->c->sources, CUE_STR(""), parsed.body);
  CueDiags syntax = {.a = l->a};
  Ast *x = src ? cue_parse_expr(l->a, src, (ParseOptions){0}, &syntax) : NULL;
  if (!x) {
    for (const CueDiag *e = syntax.first; e; e = e->next) cue_diag_add(d, CUE_STR(""), e->message);
    return FILE_BROKEN;
  }
  bool build;
  if (!condition(l, x, use_tags, &build, d)) return FILE_BROKEN;
  if (build) return FILE_BUILD;
  *why = cue_strf(l->a, "@if(%.*s) did not match", CUE_FMT(parsed.body));
  return FILE_EXCLUDED;
}

/* ---- which fields ---- */

typedef struct {
  Loader *l;
  CueDiags *d;
  const char *refused; /* why no tag may stand here, or NULL */
} Finder;

static void find(Finder *f, Ast *n);

static void find_list(Finder *f, const AstList *l) {
  for (uint32_t i = 0; i < l->n; i++) find(f, l->at[i]);
}

static void find_refused(Finder *f, Ast *n, const char *why) {
  Finder g = *f;
  g.refused = why;
  find(&g, n);
}

static bool tag_parse(Finder *f, const Ast *attr, Ast *field) {
  CueArena *a = f->l->a;
  Attr at = attr_parse(a, attr);
  Tag *t = cue_new(a, Tag);
  CueStr type;
  t->key = attr_string(&at, 0);
  t->kind = CUE_STRING;
  t->field = field;
  if (!cue_is_valid_ident(t->key)) return cue_report(f->d, attr->pos, "invalid identifier \"%.*s\"", CUE_FMT(t->key));
  if (attr_lookup(&at, 1, "type", &type)) {
    if (cue_str_is(type, "int"))
      t->kind = CUE_INT;
    else if (cue_str_is(type, "number"))
      t->kind = CUE_NUMBER;
    else if (cue_str_is(type, "bool"))
      t->kind = CUE_BOOL;
    else if (!cue_str_is(type, "string"))
      return cue_report(f->d, attr->pos, "invalid type \"%.*s\"", CUE_FMT(type));
  }
  attr_lookup(&at, 1, "short", &t->shorthands);
  attr_lookup(&at, 1, "var", &t->var);
  Tag **end = &f->l->tags;
  while (*end) end = &(*end)->next;
  *end = t;
  return true;
}

static bool has_plain_label(const Ast *field) {
  const Ast *label = field->u.field.label;
  if (label->kind == AST_ALIAS) label = label->u.alias.x;
  return label->kind == AST_IDENT || (label->kind == AST_BASIC && label->op != TOK_INT && label->op != TOK_FLOAT);
}

static void find_field(Finder *f, Ast *n) {
  if (!f->refused && (n->constraint || !has_plain_label(n))) {
    find_refused(f, n, "@tag not allowed within field constraint");
    return;
  }
  const AstList *attrs = &n->u.field.attrs;
  for (uint32_t i = 0; i < attrs->n; i++) {
    if (!cue_str_is(attr_name(attrs->at[i]), "tag")) continue;
    if (f->refused)
      cue_report(f->d, attrs->at[i]->pos, "%s", f->refused);
    else
      tag_parse(f, attrs->at[i], n);
  }
  find(f, n->u.field.label);
  find(f, n->u.field.value);
}

/* Depth is bounded by the parser. */
static void find(Finder *f, Ast *n) {
  if (!n) return;
  switch (n->kind) {
  case AST_FIELD: find_field(f, n); return;
  case AST_LIST:
    if (f->refused)
      find_list(f, &n->u.list);
    else
      find_refused(f, n, "@tag not allowed within lists");
    return;
  case AST_COMPREHENSION:
    if (!f->refused) {
      find_refused(f, n, "@tag not allowed within comprehension");
      return;
    }
    find_list(f, &n->u.comp.clauses);
    find(f, n->u.comp.value);
    find(f, n->u.comp.fallback);
    return;
  case AST_FILE:
  case AST_STRUCT:
  case AST_INTERPOLATION: find_list(f, &n->u.list); return;
  case AST_LET: find(f, n->u.let.value); return;
  case AST_EMBED:
  case AST_PAREN:
  case AST_ELLIPSIS:
  case AST_IF:
  case AST_FALLBACK: find(f, n->u.x); return;
  case AST_FOR: find(f, n->u.loop.source); return;
  case AST_SELECTOR: find(f, n->u.sel.x); return;
  case AST_INDEX:
  case AST_BINARY:
    find(f, n->u.binary.x);
    find(f, n->u.binary.y);
    return;
  case AST_SLICE:
    find(f, n->u.slice.x);
    find(f, n->u.slice.lo);
    find(f, n->u.slice.hi);
    return;
  case AST_CALL:
    find(f, n->u.call.fun);
    find_list(f, &n->u.call.args);
    return;
  case AST_UNARY:
  case AST_POSTFIX: find(f, n->u.unary.x); return;
  case AST_ALIAS: find(f, n->u.alias.x); return;
  default: return;
  }
}

void tags_find(Loader *l, Pkg *p) {
  Finder f = {.l = l, .d = pkg_errors(p)};
  Instance *inst = p->out.instance;
  for (uint32_t i = 0; i < inst->files.n; i++) {
    const AstFile *file = inst->files.at[i];
    if (cue_str_find(file->source->text, CUE_STR("@")) >= 0) find(&f, file->root);
  }
}

/* ---- values ---- */

static Ast *literal(CueArena *a, Tok op, CueStr text) {
  Ast *n = ast_new(a, AST_BASIC, 0, 0);
  n->op = (uint8_t)op;
  n->u.text = text;
  return n;
}

static Ast *string_literal(CueArena *a, CueStr s) {
  return literal(a, TOK_STRING, cue_literal_quote(a, s, CUE_QUOTE_STRING, 0));
}

static bool bool_value(CueStr s, bool *out) {
  static const char *const yes[] = {"1", "t", "T", "true", "TRUE", "True"}, *const no[] = {"0",     "f",     "F",
                                                                                           "false", "FALSE", "False"};
  while (s.n && strchr(" \t\r\n", s.s[0])) s.s++, s.n--;
  while (s.n && strchr(" \t\r\n", s.s[s.n - 1])) s.n--;
  for (size_t i = 0; i < 6; i++) {
    if (cue_str_is(s, yes[i])) return *out = true;
    if (cue_str_is(s, no[i])) return *out = false, true;
  }
  return false;
}

static Ast *number_literal(Loader *l, const Tag *t, CueStr s, CueDiags *d) {
  bool negative = s.n > 1 && s.s[0] == '-', positive = s.n > 1 && s.s[0] == '+';
  CueStr digits = cue_str_sub(s, negative || positive ? 1 : 0, s.n);
  CueValue v = cue_literal_number(l->a, digits);
  if (v.kind == CUE_BOTTOM) {
    cue_report(d, 0, "invalid number for injection tag \"%.*s\": %.*s", CUE_FMT(t->key), CUE_FMT(cue_value_str(v)));
    return NULL;
  }
  if (v.kind == CUE_FLOAT && t->kind == CUE_INT) {
    cue_report(d, 0, "invalid int \"%.*s\" for injection tag \"%.*s\"", CUE_FMT(s), CUE_FMT(t->key));
    return NULL;
  }
  Ast *n = literal(l->a, v.kind == CUE_INT ? TOK_INT : TOK_FLOAT, digits);
  if (!negative) return n;
  Ast *minus = ast_new(l->a, AST_UNARY, 0, 0);
  minus->op = TOK_SUB;
  minus->u.unary.x = n;
  return minus;
}

static Ast *tag_value(Loader *l, const Tag *t, CueStr s, CueDiags *d) {
  if (t->kind & CUE_NUMBER) return number_literal(l, t, s, d);
  if (t->kind != CUE_BOOL) return string_literal(l->a, s);
  bool b;
  if (bool_value(s, &b)) return literal(l->a, b ? TOK_TRUE : TOK_FALSE, b ? CUE_STR("true") : CUE_STR("false"));
  cue_report(d, 0, "invalid boolean \"%.*s\" for injection tag \"%.*s\"", CUE_FMT(s), CUE_FMT(t->key));
  return NULL;
}

static bool inject(Loader *l, Tag *t, Ast *x) {
  if (!x) return false;
  Ast *old = t->field->u.field.value;
  Ast *both = ast_new(l->a, AST_BINARY, old->pos, old->end);
  both->op = TOK_AND;
  both->u.binary.x = old;
  both->u.binary.y = x;
  t->field->u.field.value = both;
  t->injected = true;
  return true;
}

static bool has_shorthand(const Tag *t, CueStr name) {
  for (size_t from = 0; from < t->shorthands.n;) {
    size_t to = from;
    while (to < t->shorthands.n && t->shorthands.s[to] != '|') to++;
    if (cue_str_eq(cue_str_sub(t->shorthands, from, to), name)) return true;
    from = to + 1;
  }
  return false;
}

static bool was_used(const Loader *l, CueStr name) {
  for (uint32_t i = 0; i < l->used_tags.n; i++)
    if (cue_str_eq(l->used_tags.at[i], name)) return true;
  return false;
}

static bool inject_one(Loader *l, CueStr given, CueDiags *d) {
  ptrdiff_t eq = cue_str_find(given, CUE_STR("="));
  bool found = was_used(l, given);
  CueStr name = eq < 0 ? given : cue_str_sub(given, 0, (size_t)eq);
  CueStr value = eq < 0 ? given : cue_str_sub(given, (size_t)eq + 1, given.n);
  for (Tag *t = l->tags; t; t = t->next) {
    if (eq < 0 ? !has_shorthand(t, given) : !cue_str_eq(t->key, name)) continue;
    found = true;
    if (!inject(l, t, tag_value(l, t, value, d))) return false;
  }
  if (found) return true;
  if (eq < 0) return cue_report(d, 0, "tag \"%.*s\" not used in any file", CUE_FMT(given));
  return cue_report(d, 0, "no tag for \"%.*s\"", CUE_FMT(name));
}

/* ---- variables ---- */

static CueStr now_text(CueArena *a) {
  struct timespec ts;
  struct tm tm;
  clock_gettime(CLOCK_REALTIME, &ts);
  gmtime_r(&ts.tv_sec, &tm);
  char date[32];
  strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &tm);
  CueStr frac = cue_strf(a, ".%09ld", ts.tv_nsec);
  while (frac.n && frac.s[frac.n - 1] == '0') frac.n--;
  if (frac.n == 1) frac.n = 0;
  return cue_strf(a, "%s%.*sZ", date, CUE_FMT(frac));
}

static CueStr arch_text(CueArena *a) {
  struct utsname u;
  if (uname(&u) != 0) return CUE_STR("");
  if (strcmp(u.machine, "x86_64") == 0) return CUE_STR("amd64");
  if (strcmp(u.machine, "aarch64") == 0) return CUE_STR("arm64");
  return cue_str_copy(a, cue_str(u.machine));
}

static Ast *random_literal(CueArena *a) {
  unsigned char bytes[16] = {0};
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return NULL;
  CueBuf b = cue_buf(a);
  cue_buf_z(&b, "0x");
  for (size_t i = 0; i < sizeof bytes; i++) cue_buf_f(&b, "%02x", bytes[i]);
  return literal(a, TOK_INT, cue_buf_done(&b));
}

static Ast *variable(Loader *l, CueStr name) {
  CueArena *a = l->a;
  if (cue_str_is(name, "now")) return string_literal(a, now_text(a));
  if (cue_str_is(name, "os")) return string_literal(a, CUE_STR("linux"));
  if (cue_str_is(name, "arch")) return string_literal(a, arch_text(a));
  if (cue_str_is(name, "cwd")) return string_literal(a, l->cfg->cwd);
  if (cue_str_is(name, "rand")) return random_literal(a);
  if (cue_str_is(name, "hostname")) {
    struct utsname u;
    return string_literal(a, uname(&u) == 0 ? cue_str_copy(a, cue_str(u.nodename)) : CUE_STR(""));
  }
  if (cue_str_is(name, "username")) {
    struct passwd *pw = getpwuid(getuid());
    return string_literal(a, pw ? cue_str_copy(a, cue_str(pw->pw_name)) : CUE_STR(""));
  }
  return NULL;
}

bool tags_inject(Loader *l, CueDiags *d) {
  for (uint32_t i = 0; i < l->cfg->ntags; i++)
    if (!inject_one(l, l->cfg->tags[i], d)) return false;
  if (!l->cfg->tag_vars) return true;
  for (Tag *t = l->tags; t; t = t->next) {
    if (t->injected || !t->var.n) continue;
    Ast *x = variable(l, t->var);
    /* Fields that ask for the same variable see the same value. */
    for (Tag *u = l->tags; u != t; u = u->next)
      if (x && u->injected && cue_str_eq(u->var, t->var)) {
        x = u->field->u.field.value->u.binary.y;
        break;
      }
    if (!x) return cue_report(d, 0, "tag variable '%.*s' not found", CUE_FMT(t->var));
    inject(l, t, x);
  }
  return true;
}
