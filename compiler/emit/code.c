/* code.c - a node as C statements.
**
** A value is made where it is first needed and has a name from there to the end of its block; whoever needs it
** within that block uses the name. So nothing is made before it is needed: what a condition guards stays behind it,
** and gives up only where plan_run would.
*/
#include "compiler/emit/emit_impl.h"

#include <string.h>

typedef enum { OF_VALUES, OF_CONDS, OF_PRESENT } Table;

typedef struct {
  uint32_t id;
  Table of;
  CueStr before;
} Undo;

typedef struct {
  Emit *e;
  CueBuf body;
  unsigned indent;
  Names names;
  CueStr of; /* which of the compiled functions it was first needed by */
  CueStr *known
      [3]; /* by Table and id: C expressions of type CueValue and bool; not empty if a value is known to be there */
  CUE_VEC(Undo) undo;
  Origin at; /* of the last #line */
  CueStr vars[2 * GRAPH_MAX_LOOPS];
} Fn;

static CueStr value(Fn *f, const Node *n, CueStr wish);
static CueStr cond(Fn *f, const Node *n, CueStr wish);

/* ---- text ---- */

static void begin(Fn *f) { cue_buf_repeat(&f->body, ' ', 2 * f->indent); }

static void line(Fn *f, const char *fmt, ...) CUE_PRINTF(2, 3);
static void line(Fn *f, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  begin(f);
  cue_buf_str(&f->body, cue_strvf(f->e->a, fmt, ap));
  cue_buf_ch(&f->body, '\n');
  va_end(ap);
}

static void put_line(Fn *f, CueStr file, uint32_t number) {
  cue_buf_f(&f->body, "#line %u ", number);
  put_c_string(&f->body, file);
  cue_buf_ch(&f->body, '\n');
}

/* What follows came from there. Lines go on counting behind a directive, so each place has its own. */
static void from(Fn *f, uint32_t pos) {
  Origin o;
  if (!f->e->o->lines || !emit_origin(f->e, pos, &o)) return;
  if (f->at.source == o.source && f->at.line == o.line) return;
  f->at = o;
  put_line(f, o.file, o.line);
}

static CueStr key_text(Fn *f, CueStr key) {
  CueBuf b = cue_buf(f->e->a);
  cue_buf_z(&b, "CUE_STR(");
  put_c_string(&b, key);
  cue_buf_ch(&b, ')');
  return cue_buf_done(&b);
}

/* ---- scopes ---- */

static void set(Fn *f, Table t, const Node *n, CueStr expr) {
  cue_push(f->e->a, &f->undo, (Undo){n->id, t, f->known[t][n->id]});
  f->known[t][n->id] = expr;
}

static bool is_made(const Fn *f, const Node *n) { return f->known[OF_VALUES][n->id].n > 0; }
/* It has no name yet, and no function of its own: it can be written right where it is needed. */
static bool is_inline(const Fn *f, const Node *n) { return !is_made(f, n) && !f->e->outlined[n->id]; }

static uint32_t open_block(Fn *f) {
  f->indent++;
  return f->undo.n;
}
static void close_block(Fn *f, uint32_t mark) {
  f->indent--;
  while (f->undo.n > mark) {
    Undo u = f->undo.at[--f->undo.n];
    f->known[u.of][u.id] = u.before;
  }
}

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Whether a variable is used: its name may also be that of a member, or be in a string. */
static bool mentions(CueStr text, CueStr name) {
  bool quoted = false;
  for (size_t at = 0; at < text.n; at++) {
    char before = at ? text.s[at - 1] : ' ';
    if (text.s[at] == '"' && before != '\\' && before != '\'') quoted = !quoted;
    if (quoted || is_word(before) || before == '.' || before == '>' || at + name.n > text.n) continue;
    bool ends = at + name.n == text.n || !is_word(text.s[at + name.n]);
    if (ends && !memcmp(text.s + at, name.s, name.n)) return true;
  }
  return false;
}

static CueStr local(Fn *f, CueStr wish) { return name_new(&f->names, "", wish); }

/* ---- what may be absent ---- */

bool node_optional(const Node *n) {
  switch ((PlanKind)n->kind) {
  case PLAN_INPUT:
  case PLAN_GET:
  case PLAN_INDEX:
  case PLAN_IF: return true;
  case PLAN_UNIFY:
    for (uint32_t i = 0; i < n->n; i++)
      if (!node_optional(n->at[i])) return false;
    return true;
  case PLAN_CHECK: return node_optional(n->x);
  case PLAN_ELSE: return node_optional(n->y);
  case PLAN_CONST: return n->value.kind == CUE_BOTTOM;
  case PLAN_VAR:
  case PLAN_PRESENT:
  case PLAN_BOTH:
  case PLAN_STRUCT:
  case PLAN_LIST:
  case PLAN_TEST:
  case PLAN_OP:
  case PLAN_TEXT:
  case PLAN_CALL:
  case PLAN_LEN:
  case PLAN_MUST: return false;
  }
  return true;
}

static bool may_be_absent(const Fn *f, const Node *n) {
  if (!node_optional(n) || f->known[OF_PRESENT][n->id].n) return false;
  return n->kind != PLAN_CHECK || may_be_absent(f, n->x);
}

static void is_present(Fn *f, const Node *n) {
  set(f, OF_PRESENT, n, CUE_STR("yes"));
  if (n->kind == PLAN_CHECK) is_present(f, n->x);
}

/* What a condition that holds says about what is there. */
static void holds(Fn *f, const Node *n) {
  if (n->kind == PLAN_PRESENT || n->kind == PLAN_TEST) is_present(f, n->x);
  if (n->kind != PLAN_BOTH && !(n->kind == PLAN_OP && n->op == PLAN_AND)) return;
  holds(f, n->x);
  holds(f, n->y);
}

/* The value, which must be there. */
static CueStr needed(Fn *f, const Node *n, CueStr wish) {
  CueStr v = value(f, n, wish);
  if (may_be_absent(f, n)) {
    line(f, "if (code_absent(%s)) return false;", v.s);
    is_present(f, n);
  }
  return v;
}

/* What it is called where it comes from. */
static CueStr name_of(const Node *n) {
  for (;; n = n->kind == PLAN_IF ? n->y : n->x) {
    if (n->kind == PLAN_GET) return n->key;
    if (n->kind != PLAN_CHECK && n->kind != PLAN_MUST && n->kind != PLAN_IF && n->kind != PLAN_ELSE)
      return CUE_STR("value");
  }
}

/* ---- schemas ---- */

/* Whether a value satisfies a schema that changes nothing, as an expression; empty where that takes the runtime. */
static CueStr fits(Fn *f, const PlanSchema *s, CueStr v) {
  Emit *e = f->e;
  CueBuf b = cue_buf(e->a);
  enum { MANY = 6 };
  if (s->kind == SCHEMA_ANY) return CUE_STR("true");
  if (s->kind == SCHEMA_SCALAR && !s->n) {
    bool one = s->kinds && !(s->kinds & (s->kinds - 1));
    cue_buf_f(&b, one ? "%s.kind == %s" : "(%s.kind & (%s)) != 0", v.s, emit_kinds(e, s->kinds).s);
    return cue_buf_done(&b);
  }
  if (s->kind == SCHEMA_ONE) {
    unsigned kinds = 0;
    for (uint32_t i = 0; i < s->n; i++) {
      if (s->of[i]->kind != SCHEMA_SCALAR || s->of[i]->n) return CUE_STR("");
      kinds |= s->of[i]->kinds;
    }
    return cue_strf(e->a, "(%s.kind & (%s)) != 0", v.s, emit_kinds(e, kinds).s);
  }
  if (s->kind != SCHEMA_ENUM || s->n > MANY) return CUE_STR("");
  for (uint32_t i = 0; i < s->n; i++) {
    CueValue one = s->values[i];
    if (one.kind != CUE_STRING) return CUE_STR("");
    cue_buf_f(&b, "%scode_is(%s, %s)", i ? " || " : "", v.s, key_text(f, cue_value_str(one)).s);
  }
  return s->n > 1 ? cue_strf(e->a, "(%s)", cue_buf_done(&b).s) : cue_buf_done(&b);
}

static CueStr check(Fn *f, const Node *n, CueStr wish) {
  CueStr x = value(f, n->x, wish), expr = fits(f, n->schema, x);
  const char *guard = may_be_absent(f, n->x) ? cue_strf(f->e->a, "!code_absent(%s) && ", x.s).s : "";
  if (expr.n) {
    line(f, "if (%s!(%s)) return false;", guard, expr.s);
    return x;
  }
  CueStr schema = emit_schema(f->e, n->schema, wish), out = local(f, wish);
  line(f, "CueValue %s = %s;", out.s, x.s);
  line(f, "if (%s!r->rt->check(r, &%s, %s, &%s)) return false;", guard, schema.s, x.s, out.s);
  return out;
}

/* ---- items ---- */

typedef struct {
  const Node *node;
  CueStr into; /* the struct or list under construction */
  bool fixed;  /* its place is known beforehand */
  bool is_list;
} Target;

/* What is spread and made for that alone is written as part of what it is spread into. */
static const Node *spliced(const Fn *f, const NodeItem *it, PlanKind kind, const Node **guard) {
  const Node *n = it->value;
  *guard = NULL;
  if (it->kind != PLAN_SPREAD || !is_inline(f, n)) return NULL;
  if (n->kind == PLAN_IF) {
    *guard = n->x;
    n = n->y;
  }
  return n->kind == kind && is_inline(f, n) ? n : NULL;
}

static bool keys_differ(const Fn *f, const NodeItem *items, uint32_t n, Numbers *seen, uint32_t *count) {
  for (uint32_t i = 0; i < n; i++) {
    bool fresh = true;
    const Node *guard, *inner = spliced(f, &items[i], PLAN_STRUCT, &guard);
    if (inner) {
      if (!keys_differ(f, inner->items, inner->n, seen, count)) return false;
      continue;
    }
    if (items[i].kind == PLAN_WHEN) {
      if (!keys_differ(f, items[i].items, items[i].n, seen, count)) return false;
      continue;
    }
    if (items[i].kind != PLAN_FIELD) return false;
    number_of(seen, items[i].key, &fresh);
    if (!fresh) return false;
    ++*count;
  }
  return true;
}

static bool only_elements(const NodeItem *items, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (items[i].kind != PLAN_ELEMENT) return false;
  return true;
}

static void items(Fn *f, const Target *t, const NodeItem *at, uint32_t n);

static void put_field(Fn *f, const Target *t, CueStr key, CueStr v) {
  if (t->fixed)
    line(f, "code_put(%s, %s, %s);", t->into.s, key.s, v.s);
  else
    line(f, "if (!r->rt->add_field(r->a, &%s, %s, %s)) return false;", t->into.s, key.s, v.s);
}

static uint32_t open_if(Fn *f, const Node *condition, CueStr wish) {
  CueStr c = cond(f, condition, wish);
  line(f, "if (%s) {", c.s);
  uint32_t mark = open_block(f);
  holds(f, condition);
  return mark;
}
static void close_if(Fn *f, uint32_t mark) {
  close_block(f, mark);
  line(f, "}");
}

static void field(Fn *f, const Target *t, const NodeItem *it) {
  const Node *n = it->value;
  CueStr key = key_text(f, it->key);
  from(f, it->pos);
  if (n->kind == PLAN_IF && is_inline(f, n)) {
    uint32_t mark = open_if(f, n->x, it->key);
    NodeItem inner = *it;
    inner.value = n->y;
    field(f, t, &inner);
    close_if(f, mark);
    return;
  }
  CueStr v = value(f, n, it->key);
  if (!may_be_absent(f, n)) {
    put_field(f, t, key, v);
    return;
  }
  line(f, "if (!code_absent(%s)) {", v.s);
  f->indent++;
  put_field(f, t, key, v);
  f->indent--;
  line(f, "}");
}

static void loop(Fn *f, const Target *t, const NodeItem *it) {
  CueStr src = value(f, it->value, name_of(it->value));
  line(f, "if (!(%s.kind & (CUE_STRUCT | CUE_LIST))) return false;", src.s);
  CueStr i = local(f, CUE_STR("i")), n = local(f, CUE_STR("n"));
  line(f, "for (uint32_t %s = 0, %s = code_count(%s); %s < %s; %s++) {", i.s, n.s, src.s, i.s, n.s, i.s);
  uint32_t mark = open_block(f);
  CueStr key = {0}, of = {0};
  if (it->key_var != PLAN_NO_SLOT) {
    key = f->vars[it->key_var] = local(f, CUE_STR("key"));
    line(f, "const CueValue %s = code_key_at(%s, %s);", key.s, src.s, i.s);
  }
  if (it->value_var != PLAN_NO_SLOT) {
    of = f->vars[it->value_var] = local(f, CUE_STR("item"));
    line(f, "const CueValue %s = code_value_at(%s, %s);", of.s, src.s, i.s);
  }
  size_t before = f->body.n;
  items(f, t, it->items, it->n);
  CueStr body = cue_str_sub((CueStr){f->body.s, f->body.n}, before, f->body.n);
  if (key.n && !mentions(body, key)) line(f, "(void)%s;", key.s);
  if (of.n && !mentions(body, of)) line(f, "(void)%s;", of.s);
  close_block(f, mark);
  line(f, "}");
}

static void items(Fn *f, const Target *t, const NodeItem *at, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const NodeItem *it = &at[i];
    switch ((PlanItemKind)it->kind) {
    case PLAN_FIELD: field(f, t, it); break;
    case PLAN_DYNAMIC: {
      CueStr name = value(f, it->name, CUE_STR("name"));
      line(f, "if (%s.kind != CUE_STRING) return false;", name.s);
      CueStr v = needed(f, it->value, CUE_STR("item"));
      put_field(f, t, cue_strf(f->e->a, "(CueStr){%s.as.s, %s.len}", name.s, name.s), v);
      break;
    }
    case PLAN_ELEMENT: {
      CueStr v = needed(f, it->value, CUE_STR("element"));
      if (t->fixed)
        line(f, "%s->at[%s->n++] = %s;", t->into.s, t->into.s, v.s);
      else
        line(f, "r->rt->add_element(r->a, &%s, %s);", t->into.s, v.s);
      break;
    }
    case PLAN_SPREAD: {
      const Node *guard_node, *inner = spliced(f, it, t->is_list ? PLAN_LIST : PLAN_STRUCT, &guard_node);
      if (inner) {
        uint32_t mark = guard_node ? open_if(f, guard_node, CUE_STR("these")) : 0;
        items(f, t, inner->items, inner->n);
        if (guard_node) close_if(f, mark);
        break;
      }
      CueStr v = value(f, it->value, CUE_STR("all"));
      const char *guard = may_be_absent(f, it->value) ? cue_strf(f->e->a, "!code_absent(%s) && ", v.s).s : "";
      line(f, "if (%s!r->rt->%s(r->a, &%s, %s)) return false;", guard, t->is_list ? "add_elements" : "add_fields",
           t->into.s, v.s);
      break;
    }
    case PLAN_WHEN: {
      uint32_t mark = open_if(f, it->value, it->n && it->items->kind == PLAN_FIELD ? it->items->key : CUE_STR("these"));
      items(f, t, it->items, it->n);
      close_if(f, mark);
      break;
    }
    case PLAN_FOR: loop(f, t, it); break;
    }
  }
}

static CueStr make_struct(Fn *f, const Node *n, CueStr wish) {
  Numbers seen = {.a = f->e->a};
  uint32_t count = 0;
  Target t = {.node = n, .fixed = keys_differ(f, n->items, n->n, &seen, &count)};
  t.into = local(f, wish);
  if (t.fixed)
    line(f, "CueStruct *const %s = code_struct(r, %u);", t.into.s, count);
  else
    line(f, "CueFields %s = {0};", t.into.s);
  items(f, &t, n->items, n->n);
  if (t.fixed) return cue_strf(f->e->a, "cue_struct(%s)", t.into.s);
  return cue_strf(f->e->a, "code_fields(r, %s)", t.into.s);
}

static CueStr make_list(Fn *f, const Node *n, CueStr wish) {
  Target t = {.node = n, .is_list = true, .fixed = only_elements(n->items, n->n)};
  t.into = local(f, wish);
  if (t.fixed)
    line(f, "CueList *const %s = code_list(r, %u);", t.into.s, n->n);
  else
    line(f, "CueElements %s = {0};", t.into.s);
  items(f, &t, n->items, n->n);
  if (t.fixed) return cue_strf(f->e->a, "cue_list(%s)", t.into.s);
  return cue_strf(f->e->a, "code_elements(r, %s)", t.into.s);
}

/* ---- operators ---- */

static const char *const op_names[] = {
    [PLAN_EQ] = "PLAN_EQ",       [PLAN_NE] = "PLAN_NE",
    [PLAN_LT] = "PLAN_LT",       [PLAN_LE] = "PLAN_LE",
    [PLAN_GT] = "PLAN_GT",       [PLAN_GE] = "PLAN_GE",
    [PLAN_AND] = "PLAN_AND",     [PLAN_OR] = "PLAN_OR",
    [PLAN_NOT] = "PLAN_NOT",     [PLAN_ADD] = "PLAN_ADD",
    [PLAN_SUB] = "PLAN_SUB",     [PLAN_MUL] = "PLAN_MUL",
    [PLAN_DIV] = "PLAN_DIV",     [PLAN_NEG] = "PLAN_NEG",
    [PLAN_IDIV] = "PLAN_IDIV",   [PLAN_IMOD] = "PLAN_IMOD",
    [PLAN_IQUO] = "PLAN_IQUO",   [PLAN_IREM] = "PLAN_IREM",
    [PLAN_MATCH] = "PLAN_MATCH", [PLAN_NO_MATCH] = "PLAN_NO_MATCH",
};

static bool op_is_bool(const Node *n) { return n->op <= PLAN_NOT || n->op == PLAN_MATCH || n->op == PLAN_NO_MATCH; }
static bool is_bool(const Node *n) {
  return n->kind == PLAN_PRESENT || n->kind == PLAN_BOTH || n->kind == PLAN_TEST ||
         (n->kind == PLAN_OP && op_is_bool(n)) || (n->kind == PLAN_CONST && n->value.kind == CUE_BOOL);
}

static bool is_text(const Node *n) { return n->kind == PLAN_CONST && n->value.kind == CUE_STRING; }

/* x == "text", the most frequent comparison. */
static CueStr equals_text(Fn *f, const Node *n) {
  CueStr x = needed(f, n->x, CUE_STR("text")), yes = local(f, CUE_STR("same"));
  line(f, "bool %s;", yes.s);
  line(f, "if (!code_equal_text(%s, %s, &%s)) return false;", x.s, key_text(f, cue_value_str(n->y->value)).s, yes.s);
  return n->op == PLAN_NE ? cue_strf(f->e->a, "!%s", yes.s) : yes;
}

static CueStr match(Fn *f, const Node *n, CueStr table) {
  CueStr x = value(f, n->x, CUE_STR("text"));
  line(f, "if (%s.kind != CUE_STRING) return false;", x.s);
  CueStr hit = local(f, CUE_STR("matches"));
  line(f, "const bool %s = cue_dfa_test(&%s, %s.as.s, %s.len);", hit.s, table.s, x.s, x.s);
  return n->op == PLAN_NO_MATCH ? cue_strf(f->e->a, "!%s", hit.s) : hit;
}

static CueStr operate_bool(Fn *f, const Node *n, CueStr wish) {
  Emit *e = f->e;
  if (n->op == PLAN_NOT) return cue_strf(e->a, "!(%s)", cond(f, n->x, wish).s);
  if (n->op == PLAN_AND || n->op == PLAN_OR) { /* both are always asked */
    CueStr x = cond(f, n->x, wish), y = cond(f, n->y, wish);
    return cue_strf(e->a, "(%s %s %s)", x.s, n->op == PLAN_AND ? "&&" : "||", y.s);
  }
  if ((n->op == PLAN_EQ || n->op == PLAN_NE) && is_text(n->y)) return equals_text(f, n);
  if ((n->op == PLAN_MATCH || n->op == PLAN_NO_MATCH) && is_text(n->y)) {
    CueStr table = emit_pattern(e, cue_value_str(n->y->value));
    if (table.n) return match(f, n, table);
  }
  static const char *const order[] = {[PLAN_LT] = "<", [PLAN_LE] = "<=", [PLAN_GT] = ">", [PLAN_GE] = ">="};
  bool is_order = n->op >= PLAN_LT && n->op <= PLAN_GE;
  if (n->x->kind == PLAN_LEN && is_order && n->y->kind == PLAN_CONST && n->y->value.kind == CUE_INT &&
      n->y->value.form == CUE_PLAIN && n->y->value.as.i >= 0)
    return cue_strf(e->a, "%s.as.i %s %lld", value(f, n->x, CUE_STR("length")).s, order[n->op],
                    (long long)n->y->value.as.i);
  CueStr x = needed(f, n->x, CUE_STR("left")), y = needed(f, n->y, CUE_STR("right")), yes = local(f, CUE_STR("holds"));
  line(f, "bool %s;", yes.s);
  line(f, "if (!r->rt->compare(r, %s, %s, %s, &%s)) return false;", op_names[n->op], x.s, y.s, yes.s);
  return yes;
}

/* A condition; gives up where it is no truth value. */
static CueStr cond_new(Fn *f, const Node *n, CueStr wish) {
  Emit *e = f->e;
  if (n->kind == PLAN_CONST && n->value.kind == CUE_BOOL) return n->value.as.b ? CUE_STR("true") : CUE_STR("false");
  if (n->kind == PLAN_PRESENT) {
    CueStr x = value(f, n->x, name_of(n->x));
    if (may_be_absent(f, n->x)) return cue_strf(e->a, "!code_absent(%s)", x.s);
    line(f, "(void)%s;", x.s); /* made all the same: it may give up */
    return CUE_STR("true");
  }
  if (n->kind == PLAN_OP && op_is_bool(n)) return operate_bool(f, n, wish);
  if (n->kind == PLAN_TEST) {
    CueStr x = value(f, n->x, name_of(n->x)), expr = fits(f, n->schema, x);
    const char *guard = may_be_absent(f, n->x) ? cue_strf(e->a, "!code_absent(%s) && ", x.s).s : "";
    CueStr yes = local(f, CUE_STR("fits"));
    if (expr.n)
      line(f, "const bool %s = %s%s;", yes.s, guard, expr.s);
    else
      line(f, "const bool %s = %scode_fits(r, &%s, %s);", yes.s, guard, emit_schema(e, n->schema, CUE_STR("tested")).s,
           x.s);
    return yes;
  }
  if (n->kind == PLAN_BOTH) {
    CueStr x = cond(f, n->x, wish);
    CueBuf kept = f->body;
    f->body = cue_buf(e->a);
    uint32_t mark = open_block(f);
    holds(f, n->x);
    CueStr y = cond(f, n->y, wish);
    close_block(f, mark);
    CueStr inner = cue_buf_done(&f->body);
    f->body = kept;
    if (!inner.n) return cue_strf(e->a, "(%s && %s)", x.s, y.s);
    CueStr both = local(f, CUE_STR("both"));
    line(f, "bool %s = %s;", both.s, x.s);
    line(f, "if (%s) {", both.s);
    cue_buf_str(&f->body, inner);
    f->indent++;
    line(f, "%s = %s;", both.s, y.s);
    f->indent--;
    line(f, "}");
    return both;
  }
  CueStr v = value(f, n, wish);
  line(f, "if (%s.kind != CUE_BOOL) return false;", v.s);
  return cue_strf(e->a, "%s.as.b", v.s);
}

static CueStr cond(Fn *f, const Node *n, CueStr wish) {
  if (f->known[OF_CONDS][n->id].n) return f->known[OF_CONDS][n->id];
  CueStr c = CUE_STR("");
  if (is_inline(f, n)) {
    c = cond_new(f, n, wish);
  } else {
    CueStr v = value(f, n, cue_strf(f->e->a, "has %.*s", CUE_FMT(wish)));
    if (!is_bool(n)) line(f, "if (%s.kind != CUE_BOOL) return false;", v.s);
    c = cue_strf(f->e->a, "%s.as.b", v.s);
  }
  set(f, OF_CONDS, n, c);
  return c;
}

/* ---- values ---- */

static CueStr arguments(Fn *f, const Node *n, bool needs, CueStr wish, uint32_t *count) {
  CueBuf b = cue_buf(f->e->a);
  for (uint32_t i = 0; i < n->n; i++) {
    if (n->kind == PLAN_TEXT && is_text(n->at[i]) && !n->at[i]->value.len) continue;
    CueStr v = needs ? needed(f, n->at[i], CUE_STR("argument")) : value(f, n->at[i], CUE_STR("part"));
    cue_buf_f(&b, "%s%s", b.n ? ", " : "", v.s);
    ++*count;
  }
  CueStr at = local(f, wish);
  if (b.n) line(f, "CueValue %s[%u] = {%s};", at.s, *count, cue_buf_done(&b).s);
  return b.n ? at : CUE_STR("NULL");
}

static CueStr unify(Fn *f, const Node *n, CueStr wish) {
  if (!n->n) return CUE_STR("(CueValue){0}");
  CueStr first = value(f, n->at[0], wish), all = local(f, wish);
  line(f, "CueValue %s = %s;", all.s, first.s);
  for (uint32_t i = 1; i < n->n; i++) {
    const Node *part = n->at[i];
    if (part->kind == PLAN_IF && is_inline(f, part)) {
      uint32_t mark = open_if(f, part->x, wish);
      CueStr v = value(f, part->y, wish);
      line(f, "if (!code_unify(r, &%s, %s)) return false;", all.s, v.s);
      close_if(f, mark);
      continue;
    }
    CueStr v = value(f, part, wish);
    line(f, "if (!code_unify(r, &%s, %s)) return false;", all.s, v.s);
  }
  return all;
}

static CueStr call(Fn *f, const Node *n, CueStr wish) {
  Emit *e = f->e;
  CueStr name = emit_function(e, n, wish, f->of), out = local(f, wish);
  CueBuf b = cue_buf(e->a);
  for (uint32_t i = 0; i < 2 * GRAPH_MAX_LOOPS; i++)
    if (n->free >> i & 1) cue_buf_f(&b, "%s, ", f->vars[i].s);
  line(f, "CueValue %s;", out.s);
  line(f, "if (!%s(r, %s&%s)) return false;", name.s, cue_buf_done(&b).s, out.s);
  return out;
}

static CueStr value_new(Fn *f, const Node *n, CueStr wish) {
  Emit *e = f->e;
  switch ((PlanKind)n->kind) {
  case PLAN_CONST: return emit_const(e, n->value, wish);
  case PLAN_INPUT: return cue_strf(e->a, "r->inputs[%u]", n->slot);
  case PLAN_VAR: return f->vars[n->slot];
  case PLAN_GET: {
    CueStr x = value(f, n->x, name_of(n->x)), out = local(f, n->key);
    line(f, "CueValue %s;", out.s);
    line(f, "if (!code_get(%s, %s, &%s)) return false;", x.s, key_text(f, n->key).s, out.s);
    return out;
  }
  case PLAN_INDEX: {
    CueStr x = value(f, n->x, name_of(n->x)), y = value(f, n->y, CUE_STR("at")), out = local(f, CUE_STR("element"));
    line(f, "CueValue %s;", out.s);
    line(f, "if (!r->rt->index(%s, %s, &%s)) return false;", x.s, y.s, out.s);
    return out;
  }
  case PLAN_IF: {
    CueStr out = local(f, wish);
    line(f, "CueValue %s = {0};", out.s);
    uint32_t mark = open_if(f, n->x, wish);
    CueStr v = value(f, n->y, wish);
    line(f, "%s = %s;", out.s, v.s);
    close_if(f, mark);
    return out;
  }
  case PLAN_ELSE: {
    CueStr x = value(f, n->x, wish);
    if (!may_be_absent(f, n->x)) return x;
    CueStr out = local(f, wish);
    line(f, "CueValue %s = %s;", out.s, x.s);
    line(f, "if (code_absent(%s)) {", out.s);
    uint32_t mark = open_block(f);
    CueStr y = value(f, n->y, wish);
    line(f, "%s = %s;", out.s, y.s);
    close_if(f, mark);
    return out;
  }
  case PLAN_MUST: return needed(f, n->x, wish);
  case PLAN_STRUCT: return make_struct(f, n, wish);
  case PLAN_LIST: return make_list(f, n, wish);
  case PLAN_UNIFY: return unify(f, n, wish);
  case PLAN_CHECK: return check(f, n, wish);
  case PLAN_PRESENT:
  case PLAN_BOTH:
  case PLAN_TEST: return cue_strf(e->a, "cue_bool(%s)", cond_new(f, n, wish).s);
  case PLAN_OP: {
    if (op_is_bool(n)) return cue_strf(e->a, "cue_bool(%s)", cond_new(f, n, wish).s);
    CueStr x = needed(f, n->x, CUE_STR("left")),
           y = n->y ? needed(f, n->y, CUE_STR("right")) : CUE_STR("(CueValue){0}");
    CueStr out = local(f, wish);
    line(f, "CueValue %s;", out.s);
    line(f, "if (!r->rt->op(r, %s, %s, %s, &%s)) return false;", op_names[n->op], x.s, y.s, out.s);
    return out;
  }
  case PLAN_TEXT: {
    uint32_t count = 0;
    CueStr parts = arguments(f, n, false, CUE_STR("parts"), &count), out = local(f, wish);
    line(f, "CueValue %s;", out.s);
    line(f, "if (!r->rt->text(r, %s, %u, &%s)) return false;", parts.s, count, out.s);
    return out;
  }
  case PLAN_CALL: {
    uint32_t count = 0;
    CueStr args = arguments(f, n, true, CUE_STR("arguments"), &count), out = local(f, wish);
    line(f, "CueValue %s;", out.s);
    line(f, "if (!r->rt->call(r, %s, %s, %u, &%s)) return false;", emit_use(e, n->builtin, n->package).s, args.s, count,
         out.s);
    return out;
  }
  case PLAN_LEN: {
    CueStr x = value(f, n->x, name_of(n->x)), out = local(f, CUE_STR("length"));
    line(f, "CueValue %s;", out.s);
    line(f, "if (!code_length(%s, &%s)) return false;", x.s, out.s);
    return out;
  }
  }
  return CUE_STR("");
}

static CueStr value(Fn *f, const Node *n, CueStr wish) {
  if (is_made(f, n)) return f->known[OF_VALUES][n->id];
  CueStr v = f->e->outlined[n->id] ? call(f, n, wish) : value_new(f, n, wish);
  /* What is more than a name is made once, too. */
  if (!f->e->outlined[n->id] && (n->kind == PLAN_STRUCT || n->kind == PLAN_LIST) && n->uses > 1) {
    CueStr out = local(f, wish);
    line(f, "const CueValue %s = %s;", out.s, v.s);
    v = out;
  }
  set(f, OF_VALUES, n, v);
  return v;
}

/* ---- functions ---- */

static CueStr *table_new(Emit *e) {
  return e->spare.n ? e->spare.at[--e->spare.n] : cue_array(e->a, CueStr, e->graph.at.n + 1);
}

static CueStr parameters(Fn *f, const Node *n) {
  CueBuf b = cue_buf(f->e->a);
  for (uint32_t i = 0; i < 2 * GRAPH_MAX_LOOPS; i++)
    if (n->free >> i & 1) {
      f->vars[i] = local(f, i % 2 ? CUE_STR("item") : CUE_STR("key"));
      cue_buf_f(&b, "CueValue %s, ", f->vars[i].s);
    }
  return cue_buf_done(&b);
}

/* What is not used is said to be so. */
static void put_unused(Fn *f, const Node *n, CueStr body, bool kept, CueBuf *out) {
  if (!kept && !mentions(body, CUE_STR("r"))) cue_buf_z(out, "  (void)r;\n");
  for (uint32_t i = 0; i < 2 * GRAPH_MAX_LOOPS; i++)
    if (n->free >> i & 1 && !mentions(body, f->vars[i])) cue_buf_f(out, "  (void)%s;\n", f->vars[i].s);
}

CueStr emit_function(Emit *e, const Node *n, CueStr wish, CueStr of) {
  if (e->made[n->id].n) return e->made[n->id];
  Fn f = {.e = e, .of = of, .indent = 1};
  f.body = cue_buf(e->a);
  f.names.a = f.names.taken.a = e->a;
  for (size_t i = 0; i < 3; i++) f.known[i] = table_new(e);
  CueStr head = parameters(&f, n);
  from(&f, n->pos);
  CueStr v = value_new(&f, n, cue_str_eq(wish, of) ? CUE_STR("output") : wish);
  CueStr name = name_new(&e->names, "make_", wish);
  line(&f, "*out = %s;", v.s);
  CueStr body = cue_buf_done(&f.body);
  uint32_t cell = e->cells[n->id];
  CueBuf *out = &e->functions;
  Origin o;
  if (emit_origin(e, n->pos, &o)) emit_origin_comment(out, &o);
  cue_buf_f(out, "static bool %s(PlanRun *r, %sCueValue *out) {\n", name.s, head.s);
  put_unused(&f, n, body, cell > 0, out);
  if (cell) cue_buf_f(out, "  if (code_kept(r, %u, out)) return true;\n", cell - 1);
  cue_buf_str(out, body);
  if (f.at.source) cue_buf_z(out, EMIT_HERE);
  if (cell) cue_buf_f(out, "  code_keep(r, %u, *out);\n", cell - 1);
  cue_buf_z(out, "  return true;\n}\n\n");
  f.indent++;
  close_block(&f, 0);
  for (size_t i = 0; i < 3; i++) cue_push(e->a, &e->spare, f.known[i]);
  return e->made[n->id] = name;
}
