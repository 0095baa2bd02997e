/* load_embed.c - @embed: data files as values of fields.
**
** In a file that says @extern(embed) before its package clause, a field marked with
** @embed(file=...) or @embed(glob=...) is unified with what the files hold. The syntax of the
** data is put into the tree of the package before it is resolved. What goes wrong here counts
** as an error of building, not of loading.
*/
#include <string.h>

#include "compiler/attr.h"
#include "compiler/data.h"
#include "compiler/fmt.h"
#include "compiler/load_impl.h"
#include "compiler/literal.h"

typedef struct {
  Loader *l;
  Pkg *p;
  CueStr dir; /* of the file that embeds */
  CueDiags *d;
  CUE_VEC(Ast *) fields; /* enclosing ones */
  CUE_VEC(Ast *) marked; /* fields that have been given a value */
} Embedder;

static Ast *failed(Embedder *e, const Ast *attr, CueStr message) {
  cue_report(e->d, attr->pos, "@embed: %.*s", CUE_FMT(message));
  return NULL;
}

static Ast *failed_with(Embedder *e, const Ast *attr, const CueDiags *why) {
  for (const CueDiag *x = why->first; x; x = x->next) {
    const char *note = x->at.n ? "" : "failed to decode file: ";
    CueDiag *y = cue_diag_add(e->d, CUE_STR(""), cue_strf(e->l->a, "@embed: %s%.*s", note, CUE_FMT(x->message)));
    cue_push(e->l->a, &y->at, attr->pos);
    for (uint32_t i = 0; i < x->at.n; i++) cue_push(e->l->a, &y->at, x->at.at[i]);
  }
  return NULL;
}

/* ---- patterns ---- */

/* One character class at *p; false if it is malformed. */
static bool class_match(const char **p, const char *end, char c, bool *hit) {
  const char *s = *p + 1;
  bool negated = s < end && *s == '^';
  if (negated) s++;
  *hit = false;
  for (bool first = true; first || (s < end && *s != ']'); first = false) {
    if (s < end && *s == '\\') s++;
    if (s >= end || (first && *s == ']')) return false;
    char lo = *s++, hi = lo;
    if (s + 1 < end && *s == '-' && s[1] != ']') {
      s++;
      if (*s == '\\') s++;
      if (s >= end) return false;
      hi = *s++;
    }
    if (lo <= c && c <= hi) *hit = true;
  }
  if (s >= end) return false;
  *p = s + 1;
  *hit ^= negated;
  return true;
}

static bool element_match(const char *p, const char *pend, const char *s, const char *send) {
  const char *star = NULL, *back = NULL;
  while (s < send || p < pend) {
    const char *next = p;
    bool hit = false;
    if (p < pend && *p == '*') {
      star = ++p;
      back = s;
      continue;
    }
    if (p < pend && s < send) {
      if (*p == '?')
        hit = true, next = p + 1;
      else if (*p == '[')
        hit = class_match(&next, pend, *s, &hit) && hit;
      else {
        if (*p == '\\' && p + 1 < pend) p++;
        hit = *p == *s;
        next = p + 1;
      }
    }
    if (hit) {
      p = next;
      s++;
    } else if (star && back < send) {
      p = star;
      s = ++back;
    } else {
      return false;
    }
  }
  return true;
}

static bool has_magic(CueStr s) {
  for (size_t i = 0; i < s.n; i++)
    if (strchr("*?[\\", s.s[i])) return true;
  return false;
}

/* What is wrong with a pattern, or empty. */
static CueStr pattern_fault(CueStr g) {
  const char *end = g.s + g.n;
  for (const char *p = g.s; p < end;) {
    bool hit;
    if (*p == '[') {
      if (!class_match(&p, end, 'a', &hit)) return CUE_STR("syntax error in pattern");
      continue;
    }
    if (*p == '\\' && p + 1 == end) return CUE_STR("syntax error in pattern");
    if (*p == '*' && p + 1 < end && p[1] == '*') return CUE_STR("'**' is not supported in patterns as of yet");
    p += *p == '\\' ? 2 : 1;
  }
  return CUE_STR("");
}

typedef CUE_VEC(CueStr) Names;

static void glob(Embedder *e, CueStr done, CueStr rest, Names *out) {
  CueArena *a = e->l->a;
  size_t cut = 0;
  while (cut < rest.n && rest.s[cut] != '/') cut++;
  CueStr elem = cue_str_sub(rest, 0, cut);
  bool last = cut == rest.n;
  CueStr dir = path_join(a, e->dir, done);
  DirEntries entries = {0};
  if (!has_magic(elem)) {
    CueStr name = path_join(a, done, elem);
    if (!last)
      glob(e, name, cue_str_sub(rest, cut + 1, rest.n), out);
    else if (fs_exists(&e->l->fs, path_join(a, e->dir, name)))
      cue_push(a, out, name);
    return;
  }
  fs_list_all(&e->l->fs, dir, &entries);
  for (uint32_t i = 0; i < entries.n; i++) {
    CueStr n = entries.at[i].name;
    if (n.s[0] == '.' && elem.s[0] != '.') continue;
    if (!element_match(elem.s, elem.s + elem.n, n.s, n.s + n.n)) continue;
    CueStr name = path_join(a, done, n);
    if (last)
      cue_push(a, out, name);
    else if (fs_is_dir(&e->l->fs, path_join(a, e->dir, name)))
      glob(e, name, cue_str_sub(rest, cut + 1, rest.n), out);
  }
}

/* ---- values ---- */

static Ast *decode(Embedder *e, const Ast *attr, CueStr file, CueStr type) {
  CueArena *a = e->l->a;
  LoadFile f;
  CueStr error, text;
  if (!load_file_type(a, type, file, &f, &error)) return failed(e, attr, error);
  CueStr path = path_join(a, e->dir, file);
  if (fs_is_dir(&e->l->fs, path)) return failed(e, attr, CUE_STR("cannot embed directories"));
  if (!fs_read(&e->l->fs, path, &text, &error))
    return failed(e, attr, cue_strf(a, "open %.*s: no such file or directory", CUE_FMT(file)));
  if (f.encoding == CUE_ENC_CUE) return failed(e, attr, CUE_STR("encoding \"cue\" not (yet) supported"));
  CueSource *src = cue_source_add(e->l->c->sources, file, f.encoding == CUE_ENC_BINARY ? text : text_decode(a, text));
  if (!src) return failed(e, attr, CUE_STR("sources are larger than 512 MiB together"));
  if (f.encoding == CUE_ENC_TEXTPROTO || f.encoding == CUE_ENC_BINARYPB)
    return failed(e, attr,
                  cue_strf(a, "encoding \"%s\" not (yet) supported: requires support for schema-guided decoding",
                           cue_encoding_name(f.encoding)));
  if (f.interpretation.n && !cue_str_is(f.interpretation, "auto"))
    return failed(e, attr, cue_strf(a, "unsupported interpretation \"%.*s\"", CUE_FMT(f.interpretation)));
  DataExprs docs = {0};
  CueDiags d = {.a = a};
  if (!data_read_file(e->l->c, src, &f, file, &docs, &d)) return failed_with(e, attr, &d);
  if (docs.n != 1) return failed(e, attr, CUE_STR("streaming not implemented: found more than one value in file"));
  if (f.encoding == CUE_ENC_JSONL)
    return failed(e, attr, CUE_STR("encoding \"jsonl\" not (yet) supported: requires support for streaming"));
  return docs.at[0];
}

static bool in_other_module(Embedder *e, CueStr file) {
  CueArena *a = e->l->a;
  for (CueStr d = path_dir(a, file); !cue_str_is(d, "."); d = path_dir(a, d))
    if (fs_exists(&e->l->fs, path_join(a, e->dir, path_join(a, d, CUE_STR("cue.mod"))))) return true;
  return false;
}

static Ast *embed_file(Embedder *e, const Ast *attr, CueStr file, CueStr type) {
  if (in_other_module(e, file))
    return failed(e, attr, cue_strf(e->l->a, "cannot embed file \"%.*s\": in different module", CUE_FMT(file)));
  return decode(e, attr, file, type);
}

static Ast *embed_glob(Embedder *e, const Ast *attr, CueStr pattern, CueStr type, bool allow_empty) {
  CueArena *a = e->l->a;
  Names names = {0};
  glob(e, CUE_STR(""), pattern, &names);
  CueStr shown = cue_literal_quote(a, pattern, CUE_QUOTE_STRING, 0);
  if (!names.n && !allow_empty) return failed(e, attr, cue_strf(a, "no matches for glob pattern %.*s", CUE_FMT(shown)));
  Ast *st = ast_new(a, AST_STRUCT, attr->pos, attr->end);
  for (uint32_t i = 0; i < names.n; i++) {
    CueStr name = names.at[i];
    if (fs_is_dir(&e->l->fs, path_join(a, e->dir, name))) continue;
    Ast *value = embed_file(e, attr, name, type);
    if (!value) return NULL;
    Ast *label = ast_new(a, AST_BASIC, attr->pos, attr->end), *field = ast_new(a, AST_FIELD, attr->pos, attr->end);
    label->op = TOK_STRING;
    label->u.text = cue_literal_quote(a, name, CUE_QUOTE_STRING, 0);
    field->u.field.label = label;
    field->u.field.value = value;
    ast_list_add(a, &st->u.list, field);
  }
  return st;
}

/* Why a path may not be embedded, or empty. */
static CueStr path_fault(Embedder *e, CueStr path) {
  CueStr clean = path_clean(e->l->a, path);
  if (!cue_str_eq(clean, path)) return cue_strf(e->l->a, "path not normalized, use \"%.*s\" instead", CUE_FMT(clean));
  if (path.s[0] == '/') return CUE_STR("only relative files are allowed");
  if (cue_str_is(path, "..") || cue_str_has_prefix(path, CUE_STR("../")))
    return CUE_STR("cannot refer to parent directory");
  return CUE_STR("");
}

static Ast *embed_value(Embedder *e, const Ast *attr) {
  Attr at = attr_parse(e->l->a, attr);
  CueStr file, pattern, type;
  attr_lookup(&at, 0, "file", &file);
  attr_lookup(&at, 0, "glob", &pattern);
  attr_lookup(&at, 0, "type", &type);
  bool allow_empty = attr_flag(&at, 0, "allowEmptyGlob");
  if (!file.n && !pattern.n) return failed(e, attr, CUE_STR("attribute must have file or glob field"));
  if (file.n && pattern.n) return failed(e, attr, CUE_STR("attribute cannot have both file and glob field"));
  if (allow_empty && !pattern.n) return failed(e, attr, CUE_STR("allowEmptyGlob must be specified with a glob field"));
  CueStr fault = path_fault(e, file.n ? file : pattern);
  if (fault.n) return failed(e, attr, fault);
  if (file.n) return embed_file(e, attr, file, type);
  fault = pattern_fault(pattern);
  if (fault.n)
    return failed(e, attr, cue_strf(e->l->a, "invalid glob pattern \"%.*s\": %.*s", CUE_FMT(pattern), CUE_FMT(fault)));
  CueStr ext = path_ext(pattern);
  if (!type.n && (!ext.n || has_magic(ext)))
    return failed(e, attr, CUE_STR("extension not fully specified; type argument required"));
  return embed_glob(e, attr, pattern, type, allow_empty);
}

/* ---- fields ---- */

static bool has_plain_label(const Ast *field) {
  const Ast *label = field->u.field.label;
  if (label->kind == AST_ALIAS) label = label->u.alias.x;
  return label->kind == AST_IDENT || (label->kind == AST_BASIC && label->op != TOK_INT && label->op != TOK_FLOAT);
}

static void mark(Embedder *e, const Ast *attr) {
  CueStr name = attr_name(attr);
  CueArena *a = e->l->a;
  if (!cue_str_is(name, "extern") && !cue_str_is(name, "embed")) return;
  if (!e->fields.n) {
    cue_report(e->d, attr->pos, "@embed attribute not associated with field");
    return;
  }
  Ast *field = e->fields.at[e->fields.n - 1];
  for (uint32_t i = 0; i < e->marked.n; i++)
    if (e->marked.at[i] == field) {
      cue_report(e->d, attr->pos, "duplicate @embed attributes");
      return;
    }
  if (!has_plain_label(field)) {
    CueBuf b = cue_buf(a);
    cue_format_node(&b, field->u.field.label, (CueFmtOptions){0});
    cue_report(e->d, attr->pos, "external attribute has non-concrete label %.*s", CUE_FMT(cue_buf_done(&b)));
    return;
  }
  cue_push(a, &e->marked, field);
  Ast *value = embed_value(e, attr);
  if (!value) return;
  Ast *old = field->u.field.value;
  Ast *both = ast_new(a, AST_BINARY, old->pos, old->end);
  both->op = TOK_AND;
  both->u.binary.x = old;
  both->u.binary.y = value;
  field->u.field.value = both;
}

static void walk(Embedder *e, Ast *n);

static void walk_list(Embedder *e, const AstList *l) {
  for (uint32_t i = 0; i < l->n; i++) walk(e, l->at[i]);
}

/* Structs with fields and attributes may stand anywhere in an expression, also where one of their fields is selected. */
static void walk(Embedder *e, Ast *n) {
  if (!n) return;
  switch (n->kind) {
  case AST_FIELD: {
    cue_push(e->l->a, &e->fields, n);
    AstList attrs = n->u.field.attrs;
    walk(e, n->u.field.value);
    for (uint32_t i = 0; i < attrs.n; i++) mark(e, attrs.at[i]);
    e->fields.n--;
    return;
  }
  case AST_ATTRIBUTE: mark(e, n); return;
  case AST_STRUCT:
  case AST_LIST: walk_list(e, &n->u.list); return;
  case AST_EMBED:
  case AST_PAREN:
  case AST_ELLIPSIS: walk(e, n->u.x); return;
  case AST_LET: walk(e, n->u.let.value); return;
  case AST_COMPREHENSION:
    walk_list(e, &n->u.comp.clauses);
    walk(e, n->u.comp.value);
    return;
  case AST_FOR: walk(e, n->u.loop.source); return;
  case AST_IF: walk(e, n->u.x); return;
  case AST_INTERPOLATION: walk_list(e, &n->u.list); return;
  case AST_SELECTOR: walk(e, n->u.sel.x); return;
  case AST_SLICE:
    walk(e, n->u.slice.x);
    walk(e, n->u.slice.lo);
    walk(e, n->u.slice.hi);
    return;
  case AST_UNARY:
  case AST_POSTFIX: walk(e, n->u.unary.x); return;
  case AST_INDEX:
  case AST_BINARY:
    walk(e, n->u.binary.x);
    walk(e, n->u.binary.y);
    return;
  case AST_CALL:
    walk(e, n->u.call.fun);
    walk_list(e, &n->u.call.args);
    return;
  default: return;
  }
}

/* ---- files ---- */

/* Where the declarations after the package clause begin, if the file embeds; 0 if it does not. */
static uint32_t embeds_from(const AstFile *f, CueDiags *d) {
  const AstList *decls = &f->root->u.list;
  const Ast *extern_attr = NULL;
  CueStr interpreter = {0};
  uint32_t i = 0;
  CueArena *a = d->a;
  for (; i < decls->n && decls->at[i]->kind != AST_PACKAGE; i++) {
    const Ast *n = decls->at[i];
    if (n->kind != AST_ATTRIBUTE || !cue_str_is(attr_name(n), "extern")) continue;
    Attr at = attr_parse(a, n);
    CueStr kind = attr_string(&at, 0);
    if (!kind.n) return cue_report(d, n->pos, "interpreter name must be non-empty");
    if (extern_attr) return cue_report(d, n->pos, "only one file-level extern attribute allowed per file");
    extern_attr = n;
    interpreter = kind;
  }
  bool has_package = i < decls->n;
  if (extern_attr && !has_package) return cue_report(d, extern_attr->pos, "extern attribute without package clause");
  if (extern_attr && !cue_str_is(interpreter, "embed")) {
    CueStr name = cue_literal_quote(a, interpreter, CUE_QUOTE_STRING, 0);
    return cue_report(d, extern_attr->pos, "no interpreter defined for %.*s", CUE_FMT(name));
  }
  if (extern_attr) return i;
  for (; has_package && i < decls->n; i++) {
    const Ast *n = decls->at[i];
    if (n->kind == AST_ATTRIBUTE && cue_str_is(attr_name(n), "extern"))
      cue_report(d, n->pos, "extern attribute must appear before package clause");
  }
  return 0;
}

void embed_files(Loader *l, Pkg *p) {
  Instance *inst = p->out.instance;
  inst->late = cue_new(l->a, CueDiags);
  inst->late->a = l->a;
  for (uint32_t i = 0; i < inst->files.n; i++) {
    AstFile *f = inst->files.at[i];
    uint32_t from = embeds_from(f, inst->late);
    if (!from) continue;
    if (!inst->module.n) {
      cue_report(inst->late, 0, "cannot embed files when not in a module");
      continue;
    }
    Embedder e = {.l = l, .p = p, .d = inst->late, .dir = path_dir(l->a, p->build.at[i].path)};
    for (uint32_t k = from; k < f->root->u.list.n; k++) walk(&e, f->root->u.list.at[k]);
  }
}
