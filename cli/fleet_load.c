/* fleet_load.c - fleets that are one value: a list of entries, or `releases`, a list or a struct of them.
**
** In a struct of entries the key is the name of the release, unless the entry says another. JSON is cut
** into the texts of its entries. Entries of CUE and of YAML, whose text means nothing alone, are kept as
** data and as syntax, whose positions are those of where each value was written.
*/
#include <string.h>
#include <sys/stat.h>

#include "cli/fleet.h"
#include "cli/log.h"
#include "compiler/data.h"
#include "compiler/literal.h"
#include "compiler/load_fs.h"
#include "compiler/render/program.h"
#include "runtime/read.h"

#define FORM_HINT                                                                                                 \
  CUE_STR("a fleet is a list of entries, or has the form releases: [...]; an entry has module, name, namespace, " \
          "environment and values")

static bool not_a_fleet(const FleetOptions *o, ExitCode *code, CueStr location, CueStr message) {
  *code = run_fail(o->r, &(Problem){.code = EXIT_INVALID, .location = location, .message = message, .hint = FORM_HINT});
  return false;
}

/* ---- JSON ---- */

typedef struct {
  const FleetOptions *o;
  FleetItems *out;
  CueStr text;
  unsigned depth;
  CueKind root;
  bool in_releases, has_releases, stray;
  CueStr key;
  size_t stray_at;
  size_t from;           /* of the entry at hand */
  size_t at, line_start; /* positions are asked for in order */
  uint32_t line;
} Cut;

static void move_to(Cut *c, size_t at) {
  for (; c->at < at; c->at++)
    if (c->text.s[c->at] == '\n') {
      c->line++;
      c->line_start = c->at + 1;
    }
}

static bool is_entry(const Cut *c) {
  return (c->root == CUE_LIST && c->depth == 1) || (c->in_releases && c->depth == 2);
}

static void add(Cut *c, size_t from, size_t to, CueStr key) {
  move_to(c, from);
  FleetItem item = {.text = cue_str_sub(c->text, from, to), .line = c->line, .key = key};
  item.col = (uint32_t)(from - c->line_start);
  cue_push(c->o->r->a, c->out, item);
}

static bool on_begin(void *ctx, CueKind kind, size_t at) {
  Cut *c = ctx;
  if (!c->depth) c->root = kind;
  if (!c->depth || is_entry(c)) c->from = at;
  c->depth++;
  return true;
}

static bool on_key(void *ctx, CueStr key, size_t from, size_t to) {
  (void)to;
  Cut *c = ctx;
  if (c->depth == 1) {
    c->in_releases = cue_str_is(key, "releases");
    c->has_releases |= c->in_releases;
    if (!c->in_releases && !c->stray) {
      c->stray = true;
      c->stray_at = from;
    }
  } else if (c->depth == 2 && c->in_releases) {
    c->key = key;
  }
  return true;
}

static bool on_scalar(void *ctx, const CueScalar *s) {
  Cut *c = ctx;
  if (is_entry(c)) add(c, s->from, s->to, c->key);
  return true;
}

static bool on_end(void *ctx, CueKind kind, size_t at) {
  (void)kind;
  Cut *c = ctx;
  c->depth--;
  if (is_entry(c)) {
    add(c, c->from, at, c->key);
    c->key = CUE_STR("");
  } else if (!c->depth && c->root == CUE_STRUCT && !c->has_releases) {
    add(c, c->from, at, CUE_STR(""));
  }
  return true;
}

static CueStr place(const Cut *c, size_t at) {
  Cut p = {.text = c->text};
  move_to(&p, at);
  return cue_strf(c->o->r->a, "%.*s:%u:%zu", CUE_FMT(c->o->shown), p.line + 1, at - p.line_start + 1);
}

bool fleet_load_json(const FleetOptions *o, CueStr text, FleetItems *out, ExitCode *code) {
  Cut c = {.o = o, .out = out, .text = text, .key = CUE_STR("")};
  CueVisitor v = {&c, on_begin, on_key, on_scalar, on_end};
  CueReadError err;
  if (!cue_visit_json(o->r->a, text, &v, &err))
    return not_a_fleet(o, code, place(&c, err.offset), cue_strf(o->r->a, "invalid JSON: %.*s", CUE_FMT(err.message)));
  if (!c.root) return not_a_fleet(o, code, place(&c, 0), CUE_STR("this is not a fleet"));
  if (c.has_releases && c.stray)
    return not_a_fleet(o, code, place(&c, c.stray_at), CUE_STR("a fleet has no other field besides releases"));
  return true;
}

/* ---- YAML ---- */

static const CueValue *field(CueValue v, const char *name) {
  return v.kind == CUE_STRUCT ? cue_struct_get(v.as.fields, cue_str(name)) : NULL;
}

static void pair(CueArena *a, const CueSources *sources, const Ast *x, CueValue v, FleetItems *out) {
  if (v.kind == CUE_LIST && x->kind == AST_LIST) {
    for (uint32_t i = 0; i < v.as.list->n && i < x->u.list.n; i++)
      cue_push(
          a, out,
          (FleetItem){.loaded = x->u.list.at[i], .value = v.as.list->at[i], .sources = sources, .key = CUE_STR("")});
    return;
  }
  for (uint32_t i = 0; v.kind == CUE_STRUCT && i < v.as.fields->n; i++) {
    const CueField *f = &v.as.fields->at[i];
    CuePos at;
    cue_push(a, out,
             (FleetItem){.loaded = fleet_field(a, x, cue_str_copy(a, f->key).s, &at),
                         .value = f->value,
                         .sources = sources,
                         .key = f->key});
  }
}

bool fleet_load_yaml(CueArena *a, const FleetOptions *o, const FleetItem *document, FleetItems *out) {
  CueSources *sources = cue_new(a, CueSources);
  cue_sources_init(sources, a);
  CueSource *src = cue_source_add(sources, o->fleet, document->text);
  if (!src) return false;
  src->line0 = document->line;
  CueContext c = {.a = a, .sources = sources};
  DataExprs docs = {0};
  CueDiags d = {.a = a};
  size_t offset = 0;
  bool done = false;
  if (!data_read(&c, src, CUE_ENC_YAML, o->shown, &docs, &d) || !docs.n) return false;
  CueValue v = cue_read_yaml(a, src->text, &offset, &done);
  const Ast *x = docs.at[0];
  const CueValue *releases = field(v, "releases");
  CuePos at;
  if (releases && v.as.fields->n == 1 && (releases->kind == CUE_LIST || releases->kind == CUE_STRUCT)) {
    x = fleet_field(a, x, "releases", &at);
    v = *releases;
  } else if (v.kind != CUE_LIST) {
    return false;
  }
  pair(a, sources, x, v, out);
  return true;
}

/* ---- CUE ---- */

static CuePos written_at(const Vertex *v, CuePos otherwise) {
  return v && v->conjuncts.n && cue_pos_known(v->conjuncts.at[0].x->pos) ? v->conjuncts.at[0].x->pos : otherwise;
}

static Ast *basic(CueArena *a, Tok op, CueStr text, CuePos pos) {
  Ast *x = ast_new(a, AST_BASIC, pos, pos);
  x->op = (uint8_t)op;
  x->u.text = text;
  return x;
}

static Ast *number(CueArena *a, CueValue v, CuePos pos) {
  CueBuf b = cue_buf(a);
  cue_emit_json(&b, v, (CueJsonStyle){0});
  CueStr text = cue_buf_done(&b);
  bool negative = text.s[0] == '-';
  Ast *x = basic(a, v.kind == CUE_INT ? TOK_INT : TOK_FLOAT, negative ? cue_str_sub(text, 1, text.n) : text, pos);
  if (!negative) return x;
  Ast *minus = ast_new(a, AST_UNARY, pos, pos);
  minus->op = TOK_SUB;
  minus->u.unary.x = x;
  return minus;
}

/* Data as syntax, at the positions where the fields of the vertex it came from were written. */
static Ast *syntax(CueContext *c, Vertex *v, CueValue data, CuePos above) {
  CueArena *a = c->a;
  CuePos pos = written_at(v, above);
  Vertex *in = v ? vertex_deref(v) : NULL;
  Ast *x;
  switch ((CueKind)data.kind) {
  case CUE_BOOL: return basic(a, data.as.b ? TOK_TRUE : TOK_FALSE, data.as.b ? CUE_STR("true") : CUE_STR("false"), pos);
  case CUE_INT:
  case CUE_FLOAT: return number(a, data, pos);
  case CUE_STRING: return basic(a, TOK_STRING, cue_literal_quote(a, cue_value_str(data), CUE_QUOTE_STRING, 0), pos);
  case CUE_BYTES: return basic(a, TOK_STRING, cue_literal_quote(a, cue_value_str(data), CUE_QUOTE_BYTES, 0), pos);
  case CUE_LIST:
    x = ast_new(a, AST_LIST, pos, pos);
    for (uint32_t i = 0; i < data.as.list->n; i++)
      ast_list_add(a, &x->u.list, syntax(c, in && i < in->arcs.n ? in->arcs.at[i] : NULL, data.as.list->at[i], pos));
    return x;
  case CUE_STRUCT:
    x = ast_new(a, AST_STRUCT, pos, pos);
    for (uint32_t i = 0; i < data.as.fields->n; i++) {
      const CueField *f = &data.as.fields->at[i];
      Vertex *arc = in ? vertex_arc(in, label_string(c->labels, f->key)) : NULL;
      CuePos at = written_at(arc, pos);
      Ast *decl = ast_new(a, AST_FIELD, at, at);
      decl->u.field.label = basic(a, TOK_STRING, cue_literal_quote(a, f->key, CUE_QUOTE_STRING, 0), at);
      decl->u.field.value = syntax(c, arc, f->value, pos);
      ast_list_add(a, &x->u.list, decl);
    }
    return x;
  default: return basic(a, TOK_NULL, CUE_STR("null"), pos);
  }
}

static void add_cue(const FleetOptions *o, Vertex *v, CueStr key, FleetItems *out) {
  Run *r = o->r;
  CueContext *c = r->c;
  FleetItem item = {.key = key, .sources = c->sources};
  Bottom *why = cue_validate(c->eval, v, (ValidateOptions){.concrete = true, .final = true, .all_errors = true});
  if (!why) item.value = cue_vertex_data(c->eval, c->a, v, false, &why);
  if (why) {
    CueDiags d = {.a = c->a};
    CueBuf text = cue_buf(c->a);
    cue_value_report(c->eval, v, why, &d);
    cue_diags_print(&text, &d, c->sources, r->cwd);
    item.error = cue_buf_done(&text);
  } else {
    item.loaded = syntax(c, v, item.value, 0);
  }
  cue_push(c->a, out, item);
}

static bool cue_fails(const FleetOptions *o, const CueDiags *d, ExitCode *code) {
  Problem p = {.code = EXIT_INVALID, .type = "fleet does not load", .location = o->shown, .hint = FORM_HINT};
  *code = run_fail_diags(o->r, p, d);
  return false;
}

bool fleet_load_cue(const FleetOptions *o, FleetItems *out, ExitCode *code) {
  Run *r = o->r;
  CueContext *c = r->c;
  struct stat st;
  LoadConfig load = o->render.load;
  bool is_dir = stat(o->fleet.s, &st) == 0 && S_ISDIR(st.st_mode);
  bool input = cue_str_is(o->fleet, "-");
  CueStr arg = is_dir ? CUE_STR(".") : o->fleet;
  load.cwd = is_dir ? o->fleet : input ? r->cwd : path_dir(r->a, o->fleet);
  Instance *inst = load_args(c, &load, &arg, 1).at[0]->instance;
  CueDiags d = {.a = r->a};
  if (inst->errors) cue_diags_append(&d, inst->errors);
  if (d.n || !cue_build(c, inst, &d)) return cue_fails(o, &d, code);
  cue_finalize(c->eval, inst->root);
  Vertex *root = inst->root, *releases = program_field(c, root, "releases");
  Bottom *why = vertex_bottom(vertex_deref(releases ? releases : root));
  if (why) {
    cue_value_report(c->eval, releases ? releases : root, why, &d);
    return cue_fails(o, &d, code);
  }
  Vertex *list = vertex_deref(releases ? releases : root);
  bool is_list = vertex_is_list(list), is_struct = !is_list && vertex_value(list) == (Ir *)list;
  if (!releases && !is_list && program_field(c, root, "module")) {
    add_cue(o, root, CUE_STR(""), out);
    return true;
  }
  if ((!releases && !is_list) || (!is_list && !is_struct))
    return not_a_fleet(o, code, o->shown, CUE_STR("this is not a fleet: it has no list or struct releases"));
  Vertex **arcs;
  uint32_t n;
  cue_field_order(c->eval, c->a, list, &arcs, &n);
  for (uint32_t i = 0; i < n; i++) {
    Label l = arcs[i]->label;
    if (!label_is_regular(l) || !vertex_defined(c->eval, arcs[i])) continue;
    add_cue(o, arcs[i], label_is_string(l) ? label_name(c->labels, l) : CUE_STR(""), out);
  }
  return true;
}
