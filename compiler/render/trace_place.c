/* trace_place.c - what a place in a file is: whose it is, the path of its declaration, its text. */
#include "compiler/label.h"
#include "compiler/literal.h"
#include "compiler/load_fs.h"
#include "compiler/render/trace_impl.h"

enum { TEXT_WIDTH = 110 };

/* ---- packages ---- */

static void add_package(TracePlaces *p, const Instance *inst) {
  if (!inst) return;
  for (uint32_t i = 0; i < p->packages.n; i++)
    if (p->packages.at[i] == inst) return;
  cue_push(p->c->a, &p->packages, inst);
  for (uint32_t i = 0; i < inst->imports.n; i++) add_package(p, inst->imports.at[i].instance);
}

void trace_places(TracePlaces *p, const RenderTransformers *provider) {
  const Instance *of = provider ? provider->from.package : NULL;
  p->provider = of && of->files.n ? path_dir(p->c->a, of->files.at[0]->source->name) : CUE_STR("");
  add_package(p, p->module->package);
  add_package(p, p->release->env ? p->release->env->package : NULL);
  add_package(p, of);
}

static const AstFile *file_in(const Instance *inst, const CueSource *src) {
  for (uint32_t i = 0; i < inst->files.n; i++)
    if (inst->files.at[i]->source == src) return inst->files.at[i];
  return NULL;
}

static bool lies_in(CueStr file, CueStr dir) {
  return dir.n && cue_str_has_prefix(file, dir) && file.n > dir.n && file.s[dir.n] == '/';
}

/* ---- paths ---- */

static CueStr slice(const CueSource *src, const Ast *n) {
  size_t from = cue_pos_offset(n->pos) - src->base, to = cue_pos_offset(n->end) - src->base;
  while (to > from && (src->text.s[to - 1] == '\n' || src->text.s[to - 1] == ' ')) to--;
  return cue_str_sub(src->text, from, to);
}

typedef struct {
  CueBuf text;
  TraceRole role;
  bool known; /* a label said whose part of the module it is */
} Path;

/* A name as CUE would have it, whatever the file is; computed ones as written. */
static CueStr label_text(CueArena *a, const CueSource *src, const Ast *label) {
  CueStr name;
  bool is_ident;
  if (!ast_label_name(a, label, &name, &is_ident)) return slice(src, label);
  return is_ident || !cue_label_needs_quotes(name) ? name : cue_literal_quote(a, name, CUE_QUOTE_STRING, 0);
}

static void add_label(Path *p, CueStr label) {
  static const struct {
    const char *label;
    TraceRole role;
  } parts[] = {
      {"values", TRACE_VALUES},
      {"#config", TRACE_CONFIG},
      {"#components", TRACE_COMPONENT},
      {"#environments", TRACE_ENVIRONMENT},
      {"#environment", TRACE_ENVIRONMENT},
  };
  if (p->text.n) cue_buf_ch(&p->text, '.');
  cue_buf_str(&p->text, label);
  for (size_t i = 0; i < sizeof parts / sizeof *parts && !p->known; i++) {
    p->known = cue_str_is(label, parts[i].label);
    if (p->known) p->role = parts[i].role;
  }
}

static void enclosing(Path *p, const CueSource *src, const Ast *n, uint32_t at);

static void enclosing_all(Path *p, const CueSource *src, const AstList *l, uint32_t at) {
  for (uint32_t i = 0; i < l->n; i++)
    if (program_covers(l->at[i], at)) enclosing(p, src, l->at[i], at);
}

static void enclosing_one(Path *p, const CueSource *src, const Ast *n, uint32_t at) {
  if (program_covers(n, at)) enclosing(p, src, n, at);
}

static void enclosing(Path *p, const CueSource *src, const Ast *n, uint32_t at) {
  switch (n->kind) {
  case AST_FIELD:
    add_label(p, label_text(p->text.a, src, n->u.field.label));
    enclosing_one(p, src, n->u.field.value, at);
    break;
  case AST_LET:
    add_label(p, slice(src, n->u.let.name));
    enclosing_one(p, src, n->u.let.value, at);
    break;
  case AST_STRUCT:
    if (n->unread) break;
    enclosing_all(p, src, &n->u.list, at);
    break;
  case AST_LIST:
  case AST_FILE:
  case AST_INTERPOLATION: enclosing_all(p, src, &n->u.list, at); break;
  case AST_EMBED:
  case AST_PAREN:
  case AST_IF: enclosing_one(p, src, n->u.x, at); break;
  case AST_COMPREHENSION:
    enclosing_all(p, src, &n->u.comp.clauses, at);
    enclosing_one(p, src, n->u.comp.value, at);
    enclosing_one(p, src, n->u.comp.fallback, at);
    break;
  case AST_BINARY:
    enclosing_one(p, src, n->u.binary.x, at);
    enclosing_one(p, src, n->u.binary.y, at);
    break;
  case AST_UNARY: enclosing_one(p, src, n->u.unary.x, at); break;
  case AST_SELECTOR: enclosing_one(p, src, n->u.sel.x, at); break;
  case AST_CALL: enclosing_all(p, src, &n->u.call.args, at); break;
  default: break;
  }
}

TracePlace trace_place(const TracePlaces *p, CuePos pos) {
  const CueSource *src = cue_source_of(p->c->sources, pos);
  if (!src) return (TracePlace){TRACE_RELEASE, CUE_STR("")};
  const Instance *in = NULL;
  const AstFile *f = NULL;
  for (uint32_t i = 0; i < p->packages.n && !f; i++) {
    in = p->packages.at[i];
    f = file_in(in, src);
  }
  Path path = {.text = cue_buf(p->c->a), .role = TRACE_MODULE};
  if (f) enclosing(&path, src, f->root, cue_pos_offset(pos));
  CueStr vendored = path_join(p->c->a, p->module->dir, CUE_STR("cue.mod"));
  bool own = f && in == p->module->package;
  if (!own && lies_in(src->name, p->provider))
    path.role = TRACE_TRANSFORMER;
  else if (!own && f && p->release->env && in == p->release->env->package)
    path.role = TRACE_ENVIRONMENT;
  else if (!own && (!lies_in(src->name, p->module->dir) || lies_in(src->name, vendored)))
    path.role = TRACE_DEFINITION;
  for (uint32_t i = 0; i < p->environment.n; i++)
    if (program_covers(p->environment.at[i], cue_pos_offset(pos))) path.role = TRACE_ENVIRONMENT;
  return (TracePlace){path.role, cue_buf_done(&path.text)};
}

/* ---- text ---- */

CueStr trace_text(const TracePlaces *p, const Ast *n) {
  const CueSource *src = n ? cue_source_of(p->c->sources, n->pos) : NULL;
  if (!src || !cue_pos_known(n->end)) return CUE_STR("");
  CueStr s = slice(src, n);
  const Ast *value = n->kind == AST_FIELD ? n->u.field.value : NULL;
  if (value && cue_pos_known(value->pos)) { /* values are aligned with their neighbours', which are not here */
    CueStr head = label_text(p->c->a, src, n->u.field.label);
    if (cue_pos_known(n->open)) head = cue_str_sub(s, 0, cue_pos_offset(n->open) - cue_pos_offset(n->pos));
    s = cue_strf(p->c->a, "%.*s: %.*s", CUE_FMT(head), CUE_FMT(slice(src, value)));
  }
  size_t end = 0;
  while (end < s.n && s.s[end] != '\n' && end < TEXT_WIDTH) end++;
  while (end > 0 && end < s.n && (s.s[end] & 0xC0) == 0x80) end--; /* no half of a character */
  if (end == s.n) return s;
  while (end > 0 && (s.s[end - 1] == ' ' || s.s[end - 1] == '\t' || s.s[end - 1] == '\r')) end--;
  char open = end ? s.s[end - 1] : 0;
  const char *close = open == '{' ? "…}" : open == '[' ? "…]" : open == '(' ? "…)" : " …";
  return cue_strf(p->c->a, "%.*s%s", (int)end, s.s, close);
}
