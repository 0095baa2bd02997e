/* resolve_pre.c - predeclared names and builtin packages.
**
** A predeclared name is a type, a range of numbers (a conjunction of bounds), or one of the
** language's functions. All may be written with two underscores in front, so that exported
** CUE can name them where a field hides them.
*/
#include <string.h>

#include "compiler/module.h"
#include "compiler/node.h"
#include "compiler/parse.h"
#include "compiler/resolve.h"

static Ir *type_of(Resolver *r, const Ast *src, uint32_t kinds) {
  IrType *t = IR_NEW(r->a, IrType, IR_TYPE, src);
  t->kinds = kinds;
  return (Ir *)t;
}

static Ir *bound_of(Resolver *r, Tok op, const char *number, bool is_float) {
  IrScalar *v = IR_NEW(r->a, IrScalar, IR_SCALAR, NULL);
  const CueNum *num = cue_num_parse(r->a, cue_str(number));
  v->v = is_float ? cue_float_num(num) : cue_int_num(num);
  IrBound *b = IR_NEW(r->a, IrBound, IR_BOUND, NULL);
  b->op = (uint8_t)op;
  b->value = (Ir *)v;
  return (Ir *)b;
}

typedef struct {
  const char *name, *low, *high;
  bool is_float;
} Range;

static const Range ranges[] = {
    {"rune", "0", "1114111", false},
    {"int8", "-128", "127", false},
    {"int16", "-32768", "32767", false},
    {"int32", "-2147483648", "2147483647", false},
    {"int64", "-9223372036854775808", "9223372036854775807", false},
    {"int128", "-170141183460469231731687303715884105728", "170141183460469231731687303715884105727", false},
    {"uint", "0", NULL, false},
    {"uint8", "0", "255", false},
    {"uint16", "0", "65535", false},
    {"uint32", "0", "4294967295", false},
    {"uint64", "0", "18446744073709551615", false},
    {"uint128", "0", "340282366920938463463374607431768211455", false},
    {"float32", "-3.40282346638528859811704183484516925440e+38", "3.40282346638528859811704183484516925440e+38", true},
    {"float64", "-1.797693134862315708145274237317043567981e+308", "1.797693134862315708145274237317043567981e+308",
     true},
};

static Ir *range_of(Resolver *r, const Range *x) {
  IrJunction *j = IR_NEW(r->a, IrJunction, IR_CONJUNCTION, NULL);
  j->at = cue_array(r->a, Ir *, 3);
  if (!x->is_float) j->at[j->n++] = type_of(r, NULL, CUE_INT);
  j->at[j->n++] = bound_of(r, TOK_GEQ, x->low, x->is_float);
  if (x->high) j->at[j->n++] = bound_of(r, TOK_LEQ, x->high, x->is_float);
  return (Ir *)j;
}

static const struct {
  const char *name;
  uint32_t kinds;
} types[] = {
    {"string", CUE_STRING}, {"bytes", CUE_BYTES}, {"bool", CUE_BOOL},
    {"int", CUE_INT},       {"float", CUE_FLOAT}, {"number", CUE_NUMBER},
};

Ir *predeclared(Resolver *r, const Ast *n) {
  CueStr name = n->u.text;
  bool plain = !cue_str_has_prefix(name, CUE_STR("__"));
  CueStr base = plain ? name : cue_str_sub(name, 2, name.n);
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (cue_str_is(base, types[i].name)) return type_of(r, n, types[i].kinds);
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (cue_str_is(base, ranges[i].name)) return range_of(r, &ranges[i]);
  if (cue_str_is(base, "self")) {
    if (!r->exp.aliasv2)
      return (Ir *)resolve_errorf(r, n, "predeclared identifier \"%.*s\" requires @experiment(aliasv2)", CUE_FMT(name));
    IrRef *x = IR_NEW(r->a, IrRef, IR_VALUE_REF, n);
    x->up = 1;
    x->label = label_string(r->c->labels, name);
    return (Ir *)x;
  }
  if (cue_str_is(name, "__no_sharing"))
    return r->c->eval ? (Ir *)&r->c->eval->no_share : (Ir *)IR_NEW(r->a, Ir, IR_TOP, n);
  if (cue_str_is(name, "__test_experiment")) {
    IrBuiltin *test = eval_core_builtin(r->c, r->exp.testing ? CUE_STR("is testing") : CUE_STR("not testing"));
    test->name = "testExperiment";
    return (Ir *)test;
  }
  /* closeAll and reclose exist with underscores only. */
  bool internal = cue_str_is(base, "closeAll") || cue_str_is(base, "reclose");
  if (internal && plain) return NULL;
  IrBuiltin *b = eval_core_builtin(r->c, internal ? name : base);
  if (b && cue_str_is(base, "error") && r->inst && r->inst->language && r->inst->language < 14)
    return (Ir *)resolve_errorf(
        r, n, "builtin \"error\" is not available in version v0.%d.0; it was added in version \"v0.14.0\"",
        r->inst->language);
  return (Ir *)b;
}

/* ---- builtin packages ---- */

/* Those whose last element is not shared with another: the names an expression may use without import. */
static const char *const packages[] = {
    "crypto/ed25519",
    "crypto/hmac",
    "crypto/md5",
    "crypto/sha1",
    "crypto/sha256",
    "crypto/sha512",
    "encoding/base64",
    "encoding/csv",
    "encoding/hex",
    "encoding/json",
    "encoding/openapi",
    "encoding/toml",
    "encoding/yaml",
    "html",
    "list",
    "math",
    "math/bits",
    "net",
    "path",
    "regexp",
    "strconv",
    "strings",
    "struct",
    "text/tabwriter",
    "text/template",
    "time",
    "tool",
    "tool/cli",
    "tool/exec",
    "tool/file",
    "tool/http",
    "tool/os",
    "uuid",
};

CueStr builtin_path_of(Resolver *r, CueStr name) {
  for (size_t i = 0; i < sizeof packages / sizeof *packages; i++) {
    CueStr path = cue_str(packages[i]);
    if (cue_str_eq(path_base(path), name)) return r->c->find_builtin && r->c->find_builtin(path) ? path : CUE_STR("");
  }
  return CUE_STR("");
}

typedef struct BuiltinVertex {
  struct BuiltinVertex *next;
  const CueBuiltinPackage *package;
  Vertex *vertex;
} BuiltinVertex;

static uint16_t kinds_of(char letter) {
  switch (letter) {
  case 's': return CUE_STRING;
  case 'y': return CUE_BYTES;
  case 'S': return CUE_STRING | CUE_BYTES;
  case 'i': return CUE_INT;
  case 'n': return CUE_NUMBER;
  case 'b': return CUE_BOOL;
  case 'l':
  case 'w':
  case 'L':
  case 'I': return CUE_LIST;
  case 't': return CUE_STRUCT;
  default: return CUE_TOP;
  }
}

static Ir *function_of(CueArena *a, const CueBuiltinPackage *p, const CueBuiltin *f) {
  IrBuiltin *b = IR_NEW(a, IrBuiltin, IR_BUILTIN, NULL);
  b->fn = f;
  b->package = p->path;
  b->name = f->name;
  b->result = kinds_of(f->result);
  for (const char *s = f->params; *s; s++) {
    if (*s == '?') continue;
    if (*s == '*') b->non_concrete = true;
    if (b->nparams < sizeof b->params / sizeof *b->params) b->params[b->nparams++] = kinds_of(*s);
  }
  return (Ir *)b;
}

static void add_conjunct(CueArena *a, Vertex *v, Ir *x) {
  cue_push(a, &v->conjuncts, (Conjunct){.env = cue_new(a, Env), .x = x});
}

/* A constant is a text of its own: that is how messages name its place. */
static void name_constants(CueContext *c, const IrStruct *st) {
  for (uint32_t i = 0; i < st->n; i++) {
    IrField *f = IR_AS(IrField, st->decls[i]);
    CueStr name = label_name(c->labels, f->label);
    CueSource *s = cue_source_add(c->sources, cue_strf(c->a, "<builtin:%.*s>", CUE_FMT(name)), CUE_STR(""));
    if (s) f->value->pos = cue_pos(s->base, CUE_REL_NONE);
  }
}

/* The text of a package is compiled as one file, in a scope of its own for hidden names. */
static void add_text(CueContext *c, Vertex *v, const CueBuiltinPackage *p) {
  CueSource *src = cue_source_add(c->sources, cue_str(p->path), cue_str(p->cue));
  if (!src) return;
  Resolver r;
  resolver_init(&r, c, NULL, cue_str(p->path));
  AstFile *f = cue_parse_file(c->a, src, (ParseOptions){0}, &r.errors);
  Frame *top = frame_push(&r, f->root, 0);
  file_imports(&r, f);
  names_declare(&r, top, &f->root->u.list);
  IrStruct *st = IR_NEW(c->a, IrStruct, IR_STRUCT, f->root);
  st->flag = IR_STRUCT_FILE;
  resolve_decls(&r, st, &f->root->u.list);
  frame_pop(&r);
  if (p->constants) name_constants(c, st);
  add_conjunct(c->a, v, (Ir *)st);
}

Vertex *cue_builtin_vertex(CueContext *c, const CueBuiltinPackage *p) {
  for (BuiltinVertex *b = c->builtins; b; b = b->next)
    if (b->package == p) return b->vertex;
  BuiltinVertex *made = cue_new(c->a, BuiltinVertex);
  Vertex *v = IR_NEW(c->a, Vertex, IR_VERTEX, NULL);
  v->more = &vertex_no_more;
  *made = (BuiltinVertex){c->builtins, p, v};
  c->builtins = made;
  if (p->n) {
    IrStruct *st = IR_NEW(c->a, IrStruct, IR_STRUCT, NULL);
    st->decls = cue_array(c->a, Ir *, p->n);
    for (uint32_t i = 0; i < p->n; i++) {
      IrField *f = IR_NEW(c->a, IrField, IR_FIELD, NULL);
      f->label = label_string(c->labels, cue_str(p->functions[i].name));
      f->value = function_of(c->a, p, &p->functions[i]);
      st->decls[st->n++] = (Ir *)f;
    }
    add_conjunct(c->a, v, (Ir *)st);
  }
  if (p->cue) add_text(c, v, p);
  return v;
}
