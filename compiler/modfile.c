/* modfile.c - cue.mod/module.cue: a CUE file that holds only data.
**
** The file is read from its syntax tree: nothing in it needs evaluation once expressions,
** references and definitions are refused. A field may be written in parts (deps: a: ...,
** then deps: b: ...); the parts are read in order.
*/
#include <stdlib.h>
#include <string.h>

#include "compiler/data.h"
#include "compiler/literal.h"
#include "compiler/module.h"
#include "compiler/parse.h"

enum { NEWEST_MINOR = 16 };
/* Modules of the v0.17 line are read with its forms (see parse.h), though behaviour is that of cue v0.16.1. */
#define NEWEST_LANGUAGE "v0.17.1"

typedef struct {
  CueArena *a;
  CueDiags *d;
  ModFile *out;
  CuePos source_pos;
  const char *advice;
} Reader;

/* ---- fields ---- */

static bool not_allowed(Reader *r, const Ast *field, CueStr path) {
  CueDiag *x = cue_diag_add(r->d, path, CUE_STR("field not allowed"));
  cue_push(r->a, &x->at, field->pos);
  x->no_main = true;
  return false;
}

static bool string_value(Reader *r, const Ast *v, CueStr path, CueStr *out) {
  if (v->kind == AST_BASIC && v->op == TOK_STRING) {
    CueValue s = cue_literal_string(r->a, v->u.text);
    if (s.kind == CUE_STRING) {
      *out = cue_value_str(s);
      return true;
    }
  }
  CueDiag *x = cue_diag_add(r->d, path, CUE_STR("must be a string"));
  cue_push(r->a, &x->at, v->pos);
  return false;
}

static CueStr label_of(Reader *r, const Ast *field) {
  CueStr name = CUE_STR("");
  bool ident;
  ast_label_name(r->a, field->u.field.label, &name, &ident);
  return name;
}

static CueStr sub_path(Reader *r, CueStr path, CueStr name) {
  CueStr last = cue_label_needs_quotes(name) ? cue_literal_quote(r->a, name, CUE_QUOTE_LABEL, 0) : name;
  return path.n ? cue_strf(r->a, "%.*s.%.*s", CUE_FMT(path), CUE_FMT(last)) : last;
}

typedef bool FieldFn(Reader *r, CueStr name, CueStr path, const Ast *field, void *user);

static bool each_field(Reader *r, const Ast *n, CueStr path, FieldFn *fn, void *user) {
  if (n->kind != AST_STRUCT && n->kind != AST_FILE) {
    CueDiag *x = cue_diag_add(r->d, path, CUE_STR("must be a struct"));
    cue_push(r->a, &x->at, n->pos);
    return false;
  }
  bool ok = true;
  for (uint32_t i = 0; i < n->u.list.n; i++) {
    const Ast *f = n->u.list.at[i];
    if (f->kind != AST_FIELD) continue;
    CueStr name = label_of(r, f);
    if (!fn(r, name, sub_path(r, path, name), f, user)) ok = false;
  }
  return ok;
}

static bool dep_field(Reader *r, CueStr name, CueStr path, const Ast *field, void *user) {
  ModDep *dep = user;
  const Ast *v = field->u.field.value;
  if (cue_str_is(name, "default")) {
    dep->is_default = v->kind == AST_BASIC && v->op == TOK_TRUE;
    return true;
  }
  if (!cue_str_is(name, "v")) return not_allowed(r, field, path);
  if (v->kind == AST_BASIC && v->op == TOK_NULL) return true;
  return string_value(r, v, path, &dep->version);
}

static bool deps_field(Reader *r, CueStr name, CueStr path, const Ast *field, void *user) {
  (void)user;
  ModDep *dep = NULL;
  for (uint32_t i = 0; i < r->out->deps.n; i++)
    if (cue_str_eq(r->out->deps.at[i].path, name)) dep = &r->out->deps.at[i];
  if (!dep) {
    cue_push(r->a, &r->out->deps, (ModDep){.path = name, .version = CUE_STR("")});
    dep = &r->out->deps.at[r->out->deps.n - 1];
  }
  return each_field(r, field->u.field.value, path, dep_field, dep);
}

static bool language_field(Reader *r, CueStr name, CueStr path, const Ast *field, void *user) {
  (void)user;
  if (!cue_str_is(name, "version")) return not_allowed(r, field, path);
  const Ast *v = field->u.field.value;
  if (v->kind != AST_BASIC || v->op == TOK_STRING) return string_value(r, v, path, &r->out->language);
  const char *type = v->op == TOK_INT ? "int" : v->op == TOK_FLOAT ? "float" : v->op == TOK_NULL ? "null" : "bool";
  CueDiag *x =
      cue_diag_add(r->d, path,
                   cue_strf(r->a, "cannot determine language version: cannot use value %.*s (type %s) as string",
                            CUE_FMT(v->u.text), type));
  cue_push(r->a, &x->at, v->pos);
  return false;
}

static bool source_field(Reader *r, CueStr name, CueStr path, const Ast *field, void *user) {
  (void)user;
  if (!cue_str_is(name, "kind")) return not_allowed(r, field, path);
  if (!string_value(r, field->u.field.value, path, &r->out->source)) return false;
  if (cue_str_is(r->out->source, "self") || cue_str_is(r->out->source, "git")) return true;
  CueDiag *x =
      cue_diag_add(r->d, path, cue_strf(r->a, "must be \"self\" or \"git\", not \"%.*s\"", CUE_FMT(r->out->source)));
  cue_push(r->a, &x->at, field->u.field.value->pos);
  return false;
}

static bool top_field(Reader *r, CueStr name, CueStr path, const Ast *field, void *user) {
  (void)user;
  const Ast *v = field->u.field.value;
  CueStr ignored;
  if (cue_str_is(name, "module")) return string_value(r, v, path, &r->out->module);
  if (cue_str_is(name, "language")) return each_field(r, v, path, language_field, NULL);
  if (cue_str_is(name, "deps")) return each_field(r, v, path, deps_field, NULL);
  if (cue_str_is(name, "source")) {
    r->source_pos = field->pos;
    return each_field(r, v, path, source_field, NULL);
  }
  if (cue_str_is(name, "description")) return string_value(r, v, path, &ignored);
  if (cue_str_is(name, "custom")) return true;
  return not_allowed(r, field, path);
}

/* ---- what must hold ---- */

static bool check_language(Reader *r) {
  CueStr v = r->out->language;
  if (!v.n) return cue_report(r->d, 0, "no language version declared in module.cue%s", r->advice);
  if (!semver_valid(v))
    return cue_report(r->d, 0, "language version \"%.*s\" in module.cue is not valid semantic version", CUE_FMT(v));
  if (semver_cmp(v, CUE_STR(NEWEST_LANGUAGE)) > 0)
    return cue_report(
        r->d, 0,
        "language version \"%.*s\" declared in module.cue is too new for current language version \"" NEWEST_LANGUAGE
        "\"",
        CUE_FMT(v));
  if (semver_cmp(v, CUE_STR("v0.8.0-alpha.0")) < 0)
    return cue_report(r->d, 0, "cannot find schema suitable for reading module file with language version \"%.*s\"",
                      CUE_FMT(v));
  if (r->source_pos && semver_cmp(v, CUE_STR("v0.9.0-alpha.0")) < 0)
    return cue_report(
        r->d, 0,
        "invalid module file: source field is not allowed at this language version; need at least v0.9.0-alpha.0");
  return true;
}

static void split_version(CueStr path, CueStr *base, CueStr *major) {
  ptrdiff_t at = cue_str_find(path, CUE_STR("@"));
  bool has = at >= 0 && (size_t)at + 1 < path.n;
  *base = has ? cue_str_sub(path, 0, (size_t)at) : path;
  *major = has ? cue_str_sub(path, (size_t)at + 1, path.n) : CUE_STR("");
}

static bool module_char(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c && strchr("-._", c)); }

/* Names of devices, which Windows has in every folder, whatever comes after a dot. */
static bool is_device(CueStr element) {
  static const char *const names[] = {"con", "prn", "aux", "nul"};
  ptrdiff_t dot = cue_str_find(element, CUE_STR("."));
  CueStr e = dot < 0 ? element : cue_str_sub(element, 0, (size_t)dot);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (cue_str_is(e, names[i])) return true;
  bool port = cue_str_has_prefix(e, CUE_STR("com")) || cue_str_has_prefix(e, CUE_STR("lpt"));
  return port && e.n == 4 && e.s[3] >= '1' && e.s[3] <= '9';
}

static CueStr element_fault(CueArena *a, CueStr e) {
  if (!e.n) return CUE_STR("empty path element");
  if (strchr("._-", e.s[0])) return cue_strf(a, "leading '%c' in path element", e.s[0]);
  for (size_t i = 0; i < e.n; i++) {
    char c = e.s[i];
    if (i + 1 == e.n && strchr("._-", c)) return cue_strf(a, "trailing '%c' in path element", c);
    if (module_char(c)) continue;
    size_t end = i;
    cue_utf8_next(e, &end);
    return cue_strf(a, "invalid char '%.*s'", (int)(end - i), e.s + i);
  }
  if (!is_device(e)) return CUE_STR("");
  ptrdiff_t dot = cue_str_find(e, CUE_STR("."));
  return cue_strf(a, "\"%.*s\" disallowed as path element component on Windows", (int)(dot < 0 ? (ptrdiff_t)e.n : dot),
                  e.s);
}

/* Between letters and digits registries take one dot, one or two underscores, or dashes. */
static bool registry_takes(CueStr p) {
  for (size_t i = 0; i < p.n;) {
    size_t end = i;
    while (end < p.n && strchr("._-", p.s[end])) end++;
    CueStr between = cue_str_sub(p, i, end);
    bool dashes = true;
    for (size_t k = 0; k < between.n; k++) dashes &= between.s[k] == '-';
    if (!dashes && !cue_str_is(between, ".") && !cue_str_is(between, "_") && !cue_str_is(between, "__")) return false;
    i = end + 1;
  }
  return true;
}

/* What is wrong with a module path that has no version; empty if nothing. */
static CueStr module_path_fault(CueArena *a, CueStr p) {
  if (!p.n) return CUE_STR("empty string");
  if (p.s[0] == '-') return CUE_STR("leading dash");
  if (cue_str_find(p, CUE_STR("//")) >= 0) return CUE_STR("double slash");
  if (p.s[p.n - 1] == '/') return CUE_STR("trailing slash");
  CueStr first = p;
  for (size_t from = 0, to; from <= p.n; from = to + 1) {
    for (to = from; to < p.n && p.s[to] != '/';) to++;
    CueStr e = cue_str_sub(p, from, to), why = element_fault(a, e);
    if (why.n) return why;
    if (!from) first = e;
  }
  if (cue_str_find(first, CUE_STR(".")) < 0) return CUE_STR("missing dot in first path element");
  if (cue_str_find(first, CUE_STR("_")) >= 0) return CUE_STR("invalid char '_' in first path element");
  if (registry_takes(p)) return CUE_STR("");
  return CUE_STR("path does not conform to OCI repository name restrictions; see "
                 "https://github.com/opencontainers/distribution-spec/blob/HEAD/spec.md#pulling-manifests");
}

static bool invalid(Reader *r, CueStr file, CueStr why) {
  return cue_report(r->d, 0, "invalid module file %.*s: %.*s", CUE_FMT(file), CUE_FMT(why));
}

static bool init_module(Reader *r, CueStr file) {
  ModFile *m = r->out;
  if (!m->module.n) return invalid(r, file, CUE_STR("empty module path"));
  split_version(m->module, &m->base, &m->major);
  if (m->major.n) {
    if (!cue_str_eq(semver_major(m->major), m->major))
      return invalid(r, file,
                     cue_strf(r->a, "module path %.*s should contain the major version only", CUE_FMT(m->module)));
    CueStr why = module_path_fault(r->a, m->base);
    if (why.n)
      return invalid(r, file, cue_strf(r->a, "malformed module path \"%.*s\": %.*s", CUE_FMT(m->module), CUE_FMT(why)));
  } else {
    CueStr why = module_path_fault(r->a, m->base);
    if (why.n)
      return invalid(r, file,
                     cue_strf(r->a, "module path \"%.*s\" is not valid: %.*s", CUE_FMT(m->base), CUE_FMT(why)));
    m->major = CUE_STR("v0");
    m->module = cue_strf(r->a, "%.*s@v0", CUE_FMT(m->base));
  }
  if (!semver_canonical(m->language))
    return invalid(r, file, cue_strf(r->a, "language version %.*s is not canonical", CUE_FMT(m->language)));
  return true;
}

static CueStr dep_path_fault(Reader *r, const ModDep *dep) {
  CueStr why = module_path_fault(r->a, dep->base), major = semver_major(dep->version);
  if (!why.n) return why;
  return cue_strf(r->a, "malformed module path \"%.*s@%.*s\": %.*s", CUE_FMT(dep->base), CUE_FMT(major), CUE_FMT(why));
}

static bool init_dep(Reader *r, CueStr file, ModDep *dep) {
  split_version(dep->path, &dep->base, &dep->major);
  CueStr why = CUE_STR("");
  if (!semver_valid(dep->version))
    why = cue_strf(r->a, "version \"%.*s\" (of module \"%.*s\") is not well formed", CUE_FMT(dep->version),
                   CUE_FMT(dep->path));
  else if (!semver_canonical(dep->version))
    why = cue_strf(r->a, "version \"%.*s\" (of module \"%.*s\") is not canonical", CUE_FMT(dep->version),
                   CUE_FMT(dep->path));
  else if (dep->major.n && !cue_str_eq(dep->major, semver_major(dep->version)))
    why = cue_strf(r->a, "mismatched major version suffix in \"%.*s\" (version %.*s)", CUE_FMT(dep->path),
                   CUE_FMT(dep->version));
  else
    why = dep_path_fault(r, dep);
  if (why.n)
    return invalid(r, file,
                   cue_strf(r->a, "cannot make version from module \"%.*s\", version \"%.*s\": %.*s",
                            CUE_FMT(dep->path), CUE_FMT(dep->version), CUE_FMT(why)));
  if (!dep->major.n) {
    dep->major = semver_major(dep->version);
    dep->path = cue_strf(r->a, "%.*s@%.*s", CUE_FMT(dep->base), CUE_FMT(dep->major));
  }
  return true;
}

static bool mentions_language(const CueDiags *d) {
  for (const CueDiag *x = d->first; x; x = x->next)
    if (cue_str_has_prefix(x->path, CUE_STR("language"))) return true;
  return false;
}

static int dep_cmp(const void *x, const void *y) {
  return cue_str_cmp(((const ModDep *)x)->path, ((const ModDep *)y)->path);
}

bool modfile_parse(CueContext *c, CueSource *src, CueStr path, bool advise, ModFile *out, CueDiags *d) {
  Reader r = {.a = c->a, .d = d, .out = out, .advice = advise ? "; run 'cue mod fix'" : ""};
  *out = (ModFile){.module = CUE_STR(""), .language = CUE_STR(""), .source = CUE_STR("")};
  CueDiags syntax = {.a = c->a};
  AstFile *f = cue_parse_file(c->a, src, (ParseOptions){.language = NEWEST_MINOR}, &syntax);
  for (CueDiag *x = syntax.first; x; x = x->next) {
    CueDiag *y = cue_diag_add(d, x->path, cue_strf(c->a, "invalid module file syntax: %.*s", CUE_FMT(x->message)));
    for (uint32_t i = 0; i < x->at.n; i++) cue_push(c->a, &y->at, x->at.at[i]);
  }
  if (syntax.n) return false;
  data_check(d, f, "data", "invalid module file syntax: ");
  if (d->n) return false;
  CueDiags fields = {.a = c->a};
  r.d = &fields;
  each_field(&r, f->root, CUE_STR(""), top_field, NULL);
  r.d = d;
  /* What else is wrong matters only if the language is one we know. */
  if (!mentions_language(&fields) && !check_language(&r)) return false;
  if (fields.n) {
    cue_diags_append(d, &fields);
    return false;
  }
  if (!init_module(&r, path)) return false;
  for (uint32_t i = 0; i < out->deps.n; i++)
    if (!init_dep(&r, path, &out->deps.at[i])) return false;
  if (out->deps.n) qsort(out->deps.at, out->deps.n, sizeof *out->deps.at, dep_cmp);
  return true;
}

const ModDep *modfile_dep(const ModFile *m, CueStr base, CueStr major) {
  for (uint32_t i = 0; i < m->deps.n; i++)
    if (cue_str_eq(m->deps.at[i].base, base) && cue_str_eq(m->deps.at[i].major, major)) return &m->deps.at[i];
  return NULL;
}

CueStr modfile_default_major(const ModFile *m, CueStr base) {
  if (cue_str_eq(m->base, base)) return m->major;
  CueStr only = CUE_STR("");
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->deps.n; i++) {
    const ModDep *dep = &m->deps.at[i];
    if (!cue_str_eq(dep->base, base)) continue;
    if (dep->is_default) return dep->major;
    only = dep->major;
    n++;
  }
  return n == 1 ? only : CUE_STR("");
}
