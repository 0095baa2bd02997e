/* bottom.c - errors as values.
**
** A Bottom has a code, which steers evaluation, and a list of Errs, which are for people. An Err
** keeps its format and arguments apart and is put into words only when shown, since most errors
** are dropped: a failing disjunct, a guard that does not hold. Formats:
**   %v Ir   %k kinds   %l label   %q label, quoted   %s C string   %S CueStr   %d int64   %a syntax
**   %o operator   %e the errors of a Bottom   %% percent
*/
#include "compiler/node.h"

#include "compiler/fmt.h"

#include <string.h>

enum { CYCLE_PLACEHOLDER = 1 }; /* Bottom.flag of Eval.cycle */

CuePos ir_pos(const Ir *x) {
  while (x && x->kind == IR_VERTEX) x = IR_AS(const Vertex, x)->base;
  return x ? x->pos : 0;
}

CuePos eval_pos(const Eval *e) { return e->src ? e->src->pos : 0; }

bool is_cycle_placeholder(Eval *e, Ir *x) {
  (void)e;
  if (x && x->kind == IR_VERTEX) x = vertex_deref(IR_AS(Vertex, x))->base;
  return x && x->kind == IR_BOTTOM && x->flag == CYCLE_PLACEHOLDER;
}

void bottom_init_cycle(Bottom *b) {
  b->kind = IR_BOTTOM;
  b->flag = CYCLE_PLACEHOLDER;
  b->code = BOTTOM_CYCLE;
}

/* ---- making errors ---- */

void err_add_pos(Eval *e, Err *err, CuePos p) {
  if (!cue_pos_known(p)) return;
  for (uint32_t i = 0; i < err->aux.n; i++)
    if (cue_pos_offset(err->aux.at[i]) == cue_pos_offset(p)) return;
  cue_push(e->a, &err->aux, p);
}

/* All places a value comes from: its own and those of its conjuncts. */
static void add_node_positions(Eval *e, Err *err, Ir *x, int depth) {
  if (!x || depth > 20) return;
  CuePos p = ir_pos(x);
  if (cue_pos_known(p)) cue_push(e->a, &err->aux, p);
  if (x->kind != IR_VERTEX) return;
  Vertex *v = IR_AS(Vertex, x);
  for (uint32_t i = 0; i < v->conjuncts.n; i++)
    add_node_positions(e, err, conjunct_elem(v->conjuncts.at[i].x), depth + 1);
}

void err_add_ir(Eval *e, Err *err, Ir *x) { err_add_pos(e, err, ir_pos(x)); }

void err_add_closed(Eval *e, Err *err, uint32_t def) {
  for (; def; def = e->containments.at[def].parent) err_add_pos(e, err, e->containments.at[def].pos);
}

static CueStr alt_path(Eval *e) {
  if (e->alt_path.n == 0) return (CueStr){0};
  CueBuf b = cue_buf(e->a);
  cue_buf_str(&b, vertex_path(e, e->a, e->alt_path.at[0]));
  for (uint32_t i = 1; i < e->alt_path.n; i++) {
    Label l = e->alt_path.at[i]->label;
    if (!l) continue;
    if (b.n) cue_buf_ch(&b, '.');
    cue_buf_str(&b, label_selector(e->labels, e->a, l));
  }
  return cue_buf_done(&b);
}

static uint32_t args_of(const char *fmt) {
  uint32_t n = 0;
  for (const char *p = fmt; *p; p++)
    if (*p == '%' && *++p != '%') n++;
  return n;
}

static Err *err_vnew(Eval *e, CuePos pos, const char *fmt, va_list ap) {
  Err *err = cue_new(e->a, Err);
  err->args = cue_array(e->a, ErrArg, args_of(fmt));
  err->fmt = fmt;
  err->pos = pos;
  err->node = e->vertex;
  err->alt_path = alt_path(e);
  for (uint32_t i = 0; i < e->positions.n; i++) add_node_positions(e, err, e->positions.at[i], 0);
  for (const char *p = fmt; *p; p++) {
    if (*p != '%') continue;
    p++;
    if (*p == '%') continue;
    ErrArg *arg = &err->args[err->nargs++];
    switch (*p) {
    case 'v': {
      Ir *x = va_arg(ap, Ir *);
      arg->kind = ERR_ARG_IR;
      arg->u.ir = x;
      add_node_positions(e, err, x, 0);
      if (x && x->kind == IR_VERTEX) { /* as it is now: evaluation goes on */
        Vertex *copy = cue_new(e->a, Vertex);
        *copy = *IR_AS(Vertex, x);
        arg->u.ir = (Ir *)copy;
      }
      break;
    }
    case 'k':
      arg->kind = ERR_ARG_KINDS;
      arg->u.kinds = va_arg(ap, unsigned);
      break;
    case 'q':
    case 'l':
      arg->kind = ERR_ARG_LABEL;
      arg->u.label = va_arg(ap, Label);
      break;
    case 's':
      arg->kind = ERR_ARG_STR;
      arg->u.str = cue_str(va_arg(ap, const char *));
      break;
    case 'S':
      arg->kind = ERR_ARG_STR;
      arg->u.str = va_arg(ap, CueStr);
      break;
    case 'd':
      arg->kind = ERR_ARG_INT;
      arg->u.i = va_arg(ap, int64_t);
      break;
    case 'a': {
      arg->kind = ERR_ARG_AST;
      arg->u.ast = va_arg(ap, const Ast *);
      if (arg->u.ast && cue_pos_known(arg->u.ast->pos)) cue_push(e->a, &err->aux, arg->u.ast->pos);
      break;
    }
    case 'o':
      arg->kind = ERR_ARG_STR;
      arg->u.str = cue_str(tok_text((Tok)va_arg(ap, int)));
      break;
    case 'e':
      arg->kind = ERR_ARG_ERRS;
      arg->u.errs = va_arg(ap, const Bottom *);
      break;
    default: break;
    }
  }
  return err;
}

Err *err_new(Eval *e, CuePos pos, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  Err *err = err_vnew(e, pos, fmt, ap);
  va_end(ap);
  return err;
}

Bottom *bottom_new(Eval *e, BottomCode code, Err *err) {
  Bottom *b = cue_new(e->a, Bottom);
  b->kind = IR_BOTTOM;
  b->code = code;
  if (err) {
    Err **one = cue_new(e->a, Err *);
    *one = err;
    b->errs = one;
    b->nerrs = 1;
  }
  return b;
}

Bottom *bottom_f(Eval *e, BottomCode code, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  Bottom *b = bottom_new(e, code, err_vnew(e, eval_pos(e), fmt, ap));
  va_end(ap);
  b->src = e->src;
  b->pos = eval_pos(e);
  b->node = e->vertex;
  return b;
}

void eval_error(Eval *e, BottomCode code, CuePos pos, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  Bottom *b = bottom_new(e, code, err_vnew(e, pos, fmt, ap));
  va_end(ap);
  b->node = e->vertex;
  eval_add_bottom(e, b);
}

void eval_add_bottom(Eval *e, Bottom *b) { e->errs = bottom_combine(e, (Ir *)e->errs, (Ir *)b); }

Bottom *eval_take_err(Eval *e) {
  Bottom *b = e->errs;
  e->errs = NULL;
  return b;
}

Bottom *bottom_wrap(Eval *e, Bottom *b, Err *outer) {
  Err **at = cue_array(e->a, Err *, b->nerrs ? b->nerrs : 1);
  for (uint32_t i = 0; i < b->nerrs; i++) {
    Err *w = cue_new(e->a, Err);
    *w = *outer;
    w->aux.at = NULL;
    w->aux.n = w->aux.cap = 0;
    for (uint32_t k = 0; k < outer->aux.n; k++) cue_push(e->a, &w->aux, outer->aux.at[k]);
    w->wrapped = b->errs[i];
    at[i] = w;
  }
  if (b->nerrs) b->errs = at;
  b->cap = b->nerrs;
  return b;
}

/* Beyond this nobody reads them, and to look for repetitions would take too long; a run that was given up has few that
** say something. */
enum { MAX_ERRS = 10000, MAX_ERRS_GIVEN_UP = 1000 };

static void append_err(Eval *e, Bottom *b, Err *err) {
  for (uint32_t i = 0; err->listed && i < b->nerrs; i++)
    if (b->errs[i] == err) return;
  if (b->nerrs >= (e->over_limit ? MAX_ERRS_GIVEN_UP : MAX_ERRS)) return;
  if (b->nerrs == MAX_ERRS - 1) err = err_new(e, 0, "too many errors: the first %d are shown", (int64_t)b->nerrs);
  err->listed = true;
  if (b->nerrs >= b->cap) {
    Err **grown = cue_array(e->a, Err *, b->cap ? b->cap * 2 : 1);
    if (b->nerrs) memcpy(grown, b->errs, b->nerrs * sizeof *grown);
    b->errs = grown;
    b->cap = b->cap ? b->cap * 2 : 1;
  }
  b->errs[b->nerrs++] = err;
}

/* Adds the errors of b to those of into. Lists are shared and have room to grow, as in cue: of two
** lists that go on from the same one, the later takes the place of the earlier's addition. */
void bottom_append(Eval *e, Bottom *into, const Bottom *b) {
  if (into->nerrs == 0) {
    into->errs = b->errs;
    into->nerrs = b->nerrs;
    into->cap = b->cap;
    into->joined = b->joined;
    return;
  }
  if (!into->joined) {
    Err *first = into->errs[0];
    into->nerrs = into->cap = 0;
    append_err(e, into, first);
    into->joined = true;
  }
  for (uint32_t i = 0; i < b->nerrs; i++) append_err(e, into, b->errs[i]);
}

Bottom *bottom_combine_any(Eval *e, Ir *x, Ir *y) {
  Bottom *a = ir_bottom(ir_unwrap(x)), *b = ir_bottom(ir_unwrap(y));
  if (!a) return b;
  if (!b) return a;
  if (a == b && (a->flag == CYCLE_PLACEHOLDER || !a->nerrs)) return a;
  if (a == b) {
    Bottom *c = bottom_new(e, a->code, NULL);
    c->src = e->src;
    bottom_append(e, c, a);
    return c;
  }
  if (a->code != b->code) {
    if (a->code > b->code) {
      Bottom *t = a;
      a = b;
      b = t;
    }
    if (b->code >= BOTTOM_INCOMPLETE) return a;
  }
  Bottom *c = bottom_new(e, a->code, NULL);
  c->close_check = a->close_check || b->close_check;
  bottom_append(e, c, a);
  bottom_append(e, c, b);
  return c;
}

/* ---- errors of nodes ---- */

void node_add_bottom(NodeState *n, Bottom *b) { n->errs = bottom_combine(n->e, (Ir *)n->errs, (Ir *)b); }

void node_add_err(NodeState *n, Err *err) {
  Bottom *b = bottom_new(n->e, BOTTOM_EVAL, err);
  b->node = n->node;
  node_add_bottom(n, b);
}

void node_add_child_error(NodeState *n, Bottom *r) {
  Eval *e = n->e;
  Vertex *v = n->node;
  vertex_more(e, v)->child_errors = bottom_combine(e, (Ir *)v->more->child_errors, (Ir *)r);
  if (bottom_incomplete(r)) return;
  Bottom *b = ir_bottom(v->base);
  if (!b || b->close_check) {
    Bottom *c = bottom_new(e, r->code, NULL);
    c->value = (Ir *)v;
    c->has_recursive = c->child_error = true;
    c->close_check = r->close_check;
    bottom_append(e, c, r);
    c->node = v;
    v->base = (Ir *)c;
    return;
  }
  b->has_recursive = true;
  if (b->code > r->code) b->code = r->code;
}

void node_report_conflict(NodeState *n, Ir *x, Ir *y, uint32_t kx, uint32_t ky, uint32_t def_x, uint32_t def_y) {
  Eval *e = n->e;
  Err *err = kx == ky ? err_new(e, 0, "conflicting values %v and %v", x, y)
                      : err_new(e, 0, "conflicting values %v and %v (mismatched types %k and %k)", x, y, kx, ky);
  err_add_closed(e, err, def_x);
  err_add_closed(e, err, def_y);
  node_add_err(n, err);
}

static BottomCode field_error_code(Eval *e, Vertex *v, Label l) {
  Bottom *b = vertex_bottom(v);
  if (b && !is_cycle_placeholder(e, (Ir *)b)) return b->code;
  return vertex_accepts(e, v, l) ? BOTTOM_INCOMPLETE : BOTTOM_EVAL;
}

void vertex_report_absence(Eval *e, Vertex *v, CuePos pos, Label l) {
  switch (field_error_code(e, v, l)) {
  case BOTTOM_INCOMPLETE: eval_add_bottom(e, &e->missing); break;
  case BOTTOM_EVAL: eval_add_bottom(e, &e->forbidden); break;
  default: vertex_report_field_error(e, v, pos, l, false); break;
  }
}

Bottom *vertex_report_field_error(Eval *e, Vertex *v, CuePos pos, Label l, bool cycle) {
  BottomCode code = field_error_code(e, v, l);
  Err *err;
  if (cycle) {
    err = err_new(e, pos, "cyclic reference to field %l", l);
  } else if (label_is_int(l)) {
    int64_t len = 0;
    for (uint32_t i = 0; i < v->arcs.n; i++) len += label_is_int(v->arcs.at[i]->label);
    err = err_new(e, pos, "index out of range [%d] with length %d", (int64_t)label_index(l), len);
  } else {
    err = err_new(e, pos, "undefined field: %l", l);
  }
  Bottom *b = bottom_new(e, code, err);
  b->node = v;
  eval_add_bottom(e, b);
  return b;
}

/* ---- showing ---- */

enum { PATH_LIMIT = 1000, PATH_ENDS = 8 }; /* labels of a path; of a longer one those at both ends are shown */

static void path_into(Eval *e, CueBuf *b, Vertex *v, uint32_t depth, uint32_t from, uint32_t to) {
  if (!v->parent) return;
  path_into(e, b, v->parent, depth - 1, from, to);
  if (depth > from && depth <= to) {
    if (depth == to) cue_buf_z(b, ".(...)");
    return;
  }
  if (v->label && v->parent->base != (Ir *)v) {
    if (b->n) cue_buf_ch(b, '.');
    cue_buf_str(b, label_selector(e->labels, b->a, v->label));
  }
}

CueStr vertex_path(Eval *e, CueArena *a, Vertex *v) {
  CueBuf b = cue_buf(a);
  uint32_t depth = 0;
  for (Vertex *p = v; p && p->parent; p = p->parent) depth++;
  bool all = depth <= PATH_LIMIT;
  if (v) path_into(e, &b, v, depth, all ? depth : PATH_ENDS, all ? 0 : depth - PATH_ENDS);
  return cue_buf_done(&b);
}

static void err_own_message(Eval *e, CueBuf *out, const Err *err) {
  const ErrArg *arg = err->args;
  for (const char *p = err->fmt; *p; p++) {
    if (*p != '%') {
      cue_buf_ch(out, *p);
      continue;
    }
    p++;
    if (*p == '%') {
      cue_buf_ch(out, '%');
      continue;
    }
    switch (arg->kind) {
    case ERR_ARG_IR:
      if (arg->u.ir)
        ir_text(out, e->ctx, arg->u.ir);
      else
        cue_buf_z(out, "<nil>");
      break;
    case ERR_ARG_KINDS: cue_buf_str(out, cue_kinds_text(out->a, arg->u.kinds)); break;
    case ERR_ARG_LABEL: {
      CueStr s = label_selector(e->labels, out->a, arg->u.label);
      if (*p == 'q')
        cue_emit_json_string(out, s, false);
      else
        cue_buf_str(out, s);
      break;
    }
    case ERR_ARG_STR: cue_buf_str(out, arg->u.str); break;
    case ERR_ARG_INT: cue_buf_f(out, "%lld", (long long)arg->u.i); break;
    case ERR_ARG_AST:
      if (arg->u.ast) cue_format_node(out, arg->u.ast, (CueFmtOptions){0});
      break;
    case ERR_ARG_ERRS: {
      const Bottom *b = arg->u.errs;
      if (b->nerrs == 0) break;
      Err own = *b->errs[0];
      if (b->joined && b->nerrs == 1) { /* told without path and without what it wraps */
        own.wrapped = NULL;
        cue_buf_str(out, err_message(e, out->a, &own));
      } else if (e->ctx->in_values) {
        CueStr path = err_path(e, out->a, &own);
        if (path.n) cue_buf_f(out, "%.*s: ", CUE_FMT(path));
        cue_buf_str(out, err_message(e, out->a, &own));
      } else {
        err_text_each(e, out, &own);
      }
      if (b->nerrs > 1) cue_buf_f(out, " (and %u more errors)", b->nerrs - 1);
      break;
    }
    case ERR_ARG_NONE: break;
    }
    arg++;
  }
}

void err_text_each(Eval *e, CueBuf *out, const Err *err) {
  bool alone = !err->wrapped; /* then its path is told whatever it says */
  for (; err; err = err->wrapped) {
    Err own = *err;
    own.wrapped = NULL;
    CueStr path = err->alt_path, message = err_message(e, out->a, &own);
    if (!path.n && err->node) path = vertex_path(e, out->a, err->node);
    if (message.n || alone) cue_buf_f(out, "%.*s%s%.*s", CUE_FMT(path), path.n ? ": " : "", CUE_FMT(message));
    if (message.n && err->wrapped) cue_buf_z(out, ": ");
  }
}

CueStr err_message(Eval *e, CueArena *a, const Err *err) {
  /* A value in a message may hold the error whose message it is. */
  if (e->text_depth >= 8) return CUE_STR("...");
  e->text_depth++;
  CueBuf b = cue_buf(a);
  for (; err; err = err->wrapped) {
    size_t before = b.n;
    err_own_message(e, &b, err);
    if (err->wrapped && b.n > before) cue_buf_z(&b, ": ");
  }
  e->text_depth--;
  return cue_buf_done(&b);
}

CueStr err_path(Eval *e, CueArena *a, const Err *err) {
  for (; err; err = err->wrapped) {
    if (err->alt_path.n) return err->alt_path;
    CueStr p = vertex_path(e, a, err->node);
    if (p.n) return p;
  }
  return (CueStr){0};
}

CuePos err_main_pos(const Err *err) {
  for (; err; err = err->wrapped)
    if (cue_pos_known(err->pos)) return err->pos;
  return 0;
}

/* The further places of an error and of all it wraps. */
static void add_places(CueDiags *d, CueDiag *g, const Err *err) {
  for (; err; err = err->wrapped) {
    if (cue_pos_known(err->pos)) cue_push(d->a, &g->at, err->pos);
    for (uint32_t i = 0; i < err->aux.n; i++) cue_push(d->a, &g->at, err->aux.at[i]);
  }
}

/* Paths compare element by element; the dot is no part of an element. */
static int path_cmp(CueStr x, CueStr y) {
  size_t n = x.n < y.n ? x.n : y.n;
  for (size_t i = 0; i < n; i++)
    if (x.s[i] != y.s[i]) {
      if (x.s[i] == '.') return -1;
      if (y.s[i] == '.') return 1;
      return (unsigned char)x.s[i] < (unsigned char)y.s[i] ? -1 : 1;
    }
  return x.n < y.n ? -1 : x.n > y.n;
}

/* What errors are sorted by. Most differ in place: path and text are made only where they do not. */
typedef struct {
  Err *err;
  CuePos pos;
  CueStr path, text;
  bool has_path, has_text;
} SortKey;

static CueStr key_path(Eval *e, SortKey *k) {
  if (!k->has_path) k->path = err_path(e, e->scratch, k->err);
  k->has_path = true;
  return k->path;
}

static CueStr key_text(Eval *e, SortKey *k) {
  if (!k->has_text) k->text = err_message(e, e->scratch, k->err);
  k->has_text = true;
  return k->text;
}

/* Copies of a vertex have the same path: up to where they meet, the same labels. True only if sure. */
static bool same_place(const Err *x, const Err *y) {
  if (x->alt_path.n || y->alt_path.n || !x->node || !y->node) return false;
  const Vertex *a = x->node, *b = y->node;
  while (a != b) {
    if (!a || !b || a->label != b->label || a->is_dynamic != b->is_dynamic || a->anonymous != b->anonymous)
      return false;
    a = a->parent;
    b = b->parent;
  }
  return true;
}

/* Whether two errors say the same, by what they are made of. True only if sure. */
static bool same_words(const Err *x, const Err *y) {
  if (x->fmt != y->fmt || x->nargs != y->nargs || x->wrapped || y->wrapped) return false;
  for (uint8_t i = 0; i < x->nargs; i++) {
    const ErrArg *a = &x->args[i], *b = &y->args[i];
    if (a->kind != b->kind) return false;
    bool same = a->kind == ERR_ARG_STR ? cue_str_eq(a->u.str, b->u.str) : a->u.i == b->u.i;
    if (!same) return false;
  }
  return true;
}

static int compare_keys(Eval *e, SortKey *a, SortKey *b) {
  int c = a->err == b->err ? 0 : cue_pos_compare(e->ctx->sources, a->pos, b->pos);
  if (c || a->err == b->err) return c;
  c = same_place(a->err, b->err) ? 0 : path_cmp(key_path(e, a), key_path(e, b));
  return c || same_words(a->err, b->err) ? c : cue_str_cmp(key_text(e, a), key_text(e, b));
}

static bool same_key(Eval *e, SortKey *p, SortKey *q) {
  bool known = cue_pos_known(p->pos) && cue_pos_known(q->pos);
  if (known && cue_pos_offset(p->pos) != cue_pos_offset(q->pos)) return false;
  if (p->err == q->err) return true;
  if (!same_place(p->err, q->err) && !cue_str_eq(key_path(e, p), key_path(e, q))) return false;
  return known || same_words(p->err, q->err) || cue_str_eq(key_text(e, p), key_text(e, q));
}

uint32_t err_sanitize(Eval *e, Err **at, uint32_t n) {
  if (n < 2) return n;
  CueMark mark = cue_arena_mark(e->scratch);
  SortKey *keys = cue_array(e->scratch, SortKey, n);
  for (uint32_t i = 0; i < n; i++) {
    SortKey key = {.err = at[i], .pos = err_main_pos(at[i])};
    uint32_t k = i;
    for (; k > 0 && compare_keys(e, &key, &keys[k - 1]) < 0; k--) keys[k] = keys[k - 1];
    keys[k] = key;
  }
  uint32_t keep = 0;
  for (uint32_t i = 0; i < n; i++)
    if (!keep || !same_key(e, &keys[keep - 1], &keys[i])) keys[keep++] = keys[i];
  for (uint32_t i = 0; i < keep; i++) at[i] = keys[i].err;
  cue_arena_reset(e->scratch, mark);
  return keep;
}

static void report(Eval *e, CueStr where, const Bottom *b, CueDiags *d) {
  for (uint32_t i = 0; i < b->nerrs; i++) { /* printing sorts them */
    Err *err = b->errs[i], own = *err;
    CueStr path = err_path(e, d->a, err);
    /* Of a single error put together of equal ones, what it wraps is not told. */
    if (b->joined && b->nerrs == 1) own.wrapped = NULL;
    CueDiag *g = cue_diag_add(d, path.n ? path : where, err_message(e, d->a, &own));
    CuePos pos = err_main_pos(err);
    g->no_main = !cue_pos_known(pos);
    if (!g->no_main) cue_push(d->a, &g->at, pos);
    add_places(d, g, err);
  }
}

void cue_bottom_report(Eval *e, const Bottom *b, CueDiags *d) { report(e, (CueStr){0}, b, d); }

void cue_value_report(Eval *e, Vertex *v, const Bottom *b, CueDiags *d) { report(e, vertex_path(e, d->a, v), b, d); }
