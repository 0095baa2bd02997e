/* template_exec.c - running a Go template.
**
** The tree is walked with the current value, dot. `at` is the node that was looked at last:
** a message shows it with its place. Functions return false once x->error is set; break and
** continue are results of a walk.
*/
#include "stdlib/cue/gotext.h"
#include "stdlib/cue/template.h"

#include <string.h>

/* Walks inside walks, through templates that call templates; the limit guards the stack. Go's
** is that of its own stack, and is what the message names. */
#define MAX_DEPTH 2500
#define GO_MAX_DEPTH 100000
#define MAX_OUTPUT ((size_t)1 << 30)

typedef struct {
  CueStr name;
  GoValue value;
} Variable;

typedef struct {
  CueArena *a;
  const TemplateSet *set;
  CueStr name; /* of the template running */
  const Node *at;
  CUE_VEC(Variable) vars;
  CueBuf *out;
  int depth;
  CueStr error;
} Exec;

typedef enum { WALK_ON, WALK_BREAK, WALK_CONTINUE, WALK_FAILED } Walk;

static bool fail(Exec *x, const char *fmt, ...) CUE_PRINTF(2, 3);
static bool fail(Exec *x, const char *fmt, ...) {
  if (x->error.n) return false;
  va_list ap;
  va_start(ap, fmt);
  CueStr message = cue_strvf(x->a, fmt, ap);
  va_end(ap);
  size_t line = 1, start = 0;
  for (size_t i = 0; i < x->at->pos; i++)
    if (x->set->text.s[i] == '\n') line++, start = i + 1;
  CueStr node = template_node_text(x->a, x->at);
  x->error = cue_strf(x->a, "template: :%zu:%zu: executing %s at <%.*s>: %.*s", line, x->at->pos - start,
                      cue_go_quoted(x->a, x->name).s, CUE_FMT(node), CUE_FMT(message));
  return false;
}

static CueStr show(Exec *x, GoValue v) {
  CueBuf out = cue_buf(x->a);
  go_print(&out, &v, 1);
  return cue_buf_done(&out);
}

/* ---- variables --------------------------------------------------------------------------- */

static void push_var(Exec *x, CueStr name, GoValue v) { cue_push(x->a, &x->vars, (Variable){name, v}); }

static Variable *find_var(Exec *x, CueStr name) {
  for (uint32_t i = x->vars.n; i-- > 0;)
    if (cue_str_eq(x->vars.at[i].name, name)) return &x->vars.at[i];
  return NULL;
}

static bool set_var(Exec *x, CueStr name, GoValue v) {
  Variable *var = find_var(x, name);
  if (!var) return fail(x, "undefined variable: %.*s", CUE_FMT(name));
  var->value = v;
  return true;
}

/* ---- expressions ------------------------------------------------------------------------- */

/* The words of a command, and the value piped into it. */
typedef struct {
  Node *const *words;
  uint32_t n;
  const GoValue *final; /* NULL if there is none */
} Words;

static bool eval_pipeline(Exec *x, GoValue dot, const Node *pipe, GoValue *out);

static bool not_a_function(Exec *x, Words w) {
  if (w.n <= 1 && !w.final) return true;
  return fail(x, "can't give argument to non-function %.*s", CUE_FMT(template_node_text(x->a, w.words[0])));
}

static bool eval_field(Exec *x, CueStr name, Words w, GoValue receiver, GoValue *out) {
  if (receiver.type == GO_NONE) {
    *out = go_none();
    return true;
  }
  if (receiver.type == GO_NIL) return fail(x, "nil pointer evaluating interface {}.%.*s", CUE_FMT(name));
  if (receiver.type != GO_MAP)
    return fail(x, "can't evaluate field %.*s in type %s", CUE_FMT(name), go_type_name(receiver));
  if (w.n > 1 || w.final) return fail(x, "%.*s is not a method but has arguments", CUE_FMT(name));
  const CueValue *found = cue_struct_get(receiver.v.as.fields, name);
  *out = found ? go_value(*found, true) : go_none();
  return true;
}

/* Only the last field of a chain sees the arguments. */
static bool eval_fields(Exec *x, const CueStr *names, uint32_t n, Words w, GoValue receiver, GoValue *out) {
  for (uint32_t i = 0; i < n; i++)
    if (!eval_field(x, names[i], i + 1 == n ? w : (Words){0}, receiver, &receiver)) return false;
  *out = receiver;
  return true;
}

static bool eval_number(Exec *x, const Node *n, GoValue *out) {
  x->at = n;
  if (n->is_float) {
    *out = (GoValue){GO_FLOAT64, false, cue_float_num(cue_num_from_double(x->a, n->f))};
    return true;
  }
  if (!n->is_int) return fail(x, "%.*s overflows int", CUE_FMT(n->text));
  *out = go_int(n->i);
  return true;
}

static bool eval_call(Exec *x, GoValue dot, const TemplateFunction *f, const Node *node, Words w, GoValue *out);

static bool eval_function(Exec *x, GoValue dot, const Node *name, const Node *node, Words w, GoValue *out) {
  x->at = name;
  return eval_call(x, dot, template_function(name->text), node, w, out);
}

static bool eval_variable(Exec *x, const Node *n, Words w, GoValue *out) {
  x->at = n;
  Variable *var = find_var(x, n->names.at[0]);
  if (!var) return fail(x, "undefined variable: %.*s", CUE_FMT(n->names.at[0]));
  if (n->names.n > 1) return eval_fields(x, n->names.at + 1, n->names.n - 1, w, var->value, out);
  *out = var->value;
  return not_a_function(x, w);
}

/* A word that is not a literal, as an argument; *literal if it is one. */
static bool eval_word(Exec *x, GoValue dot, const Node *n, GoValue *out, bool *literal) {
  Words none = {0};
  *literal = false;
  x->at = n;
  switch (n->type) {
  case NODE_DOT: *out = dot; return true;
  case NODE_FIELD: return eval_fields(x, n->names.at, n->names.n, none, dot, out);
  case NODE_VARIABLE: return eval_variable(x, n, none, out);
  case NODE_PIPE: return eval_pipeline(x, dot, n, out);
  case NODE_IDENTIFIER: return eval_function(x, dot, n, n, none, out);
  case NODE_CHAIN: {
    bool inner;
    if (n->base->type == NODE_NIL)
      return fail(x, "indirection through explicit nil in %.*s", CUE_FMT(template_node_text(x->a, n)));
    return eval_word(x, dot, n->base, out, &inner) && eval_fields(x, n->names.at, n->names.n, none, *out, out);
  }
  default: *literal = true; return true;
  }
}

static bool eval_literal(Exec *x, const Node *n, GoValue *out) {
  switch (n->type) {
  case NODE_BOOL: *out = go_bool(n->truth); return true;
  case NODE_STRING: *out = go_string(n->value); return true;
  case NODE_NUMBER: return eval_number(x, n, out);
  case NODE_NIL: *out = go_none(); return true;
  default: return fail(x, "can't handle %.*s", CUE_FMT(template_node_text(x->a, n)));
  }
}

/* A value as what a parameter takes. */
static bool as_parameter(Exec *x, const TemplateFunction *f, size_t index, GoValue v, GoValue *out) {
  *out = v;
  if (f->format && index == 0) {
    if (v.type == GO_NONE) return fail(x, "invalid value; expected string");
    if (v.type == GO_STRING)
      *out = go_unbox(v);
    else
      return fail(x, "wrong type for value; expected string; got %s",
                  v.type == GO_NIL ? "interface {}" : go_type_name(go_unbox(v)));
    return true;
  }
  if (f->any) out->boxed = false;
  if (f->any && v.type == GO_NONE) out->type = GO_NIL;
  return true;
}

static bool eval_arg(Exec *x, GoValue dot, const TemplateFunction *f, size_t index, const Node *n, GoValue *out) {
  bool literal;
  GoValue v;
  if (!eval_word(x, dot, n, &v, &literal)) return false;
  if (!literal) return as_parameter(x, f, index, v, out);
  if (f->format && index == 0 && n->type != NODE_STRING) {
    if (n->type == NODE_NIL) return fail(x, "cannot assign nil to string");
    return fail(x, "expected string; found %.*s", CUE_FMT(template_node_text(x->a, n)));
  }
  return eval_literal(x, n, &v) && as_parameter(x, f, index, v, out);
}

/* and, or: stop at the first argument that decides. */
static bool eval_logic(Exec *x, GoValue dot, const TemplateFunction *f, Words w, GoValue *out) {
  bool stop_at = f->name[0] == 'o';
  for (uint32_t i = 1; i < w.n; i++) {
    if (!eval_arg(x, dot, f, i - 1, w.words[i], out)) return false;
    if (template_is_true(*out) == stop_at) return true;
  }
  if (w.final) *out = *w.final;
  return true;
}

static bool eval_call(Exec *x, GoValue dot, const TemplateFunction *f, const Node *node, Words w, GoValue *out) {
  uint32_t nargs = w.n ? w.n - 1 : 0, n = nargs + (w.final ? 1 : 0);
  if (f->variadic ? n < (uint32_t)f->nparams - 1 : n != f->nparams)
    return f->variadic ? fail(x, "wrong number of args for %s: want at least %d got %u", f->name, f->nparams - 1, nargs)
                       : fail(x, "wrong number of args for %s: want %d got %u", f->name, f->nparams, n);
  bool is_call = strcmp(f->name, "call") == 0;
  if (!f->fn && !is_call) return eval_logic(x, dot, f, w, out);
  GoValue *args = cue_array(x->a, GoValue, n ? n : 1);
  for (uint32_t i = 0; i < nargs; i++)
    if (!eval_arg(x, dot, f, i, w.words[i + 1], &args[i])) return false;
  if (w.final && !as_parameter(x, f, nargs, *w.final, &args[nargs])) return false;
  CueStr why = {0};
  if (is_call) {
    GoValue fn = go_unbox(args[0]);
    CueStr callee = nargs ? template_node_text(x->a, w.words[1]) : show(x, fn);
    why = fn.type == GO_NONE ? CUE_STR("call of nil")
                             : cue_strf(x->a, "non-function %.*s of type %s", CUE_FMT(callee), go_type_name(fn));
  } else if (f->fn(x->a, args, n, out, &why)) {
    return true;
  }
  x->at = node;
  return fail(x, "error calling %s: %.*s", f->name, CUE_FMT(why));
}

static bool eval_command(Exec *x, GoValue dot, const Node *cmd, const GoValue *final, GoValue *out) {
  Words w = {cmd->kids.at, cmd->kids.n, final};
  const Node *first = cmd->kids.at[0];
  bool literal;
  switch (first->type) {
  case NODE_FIELD: x->at = first; return eval_fields(x, first->names.at, first->names.n, w, dot, out);
  case NODE_CHAIN:
    x->at = first;
    return eval_word(x, dot, first->base, out, &literal) &&
           eval_fields(x, first->names.at, first->names.n, w, *out, out);
  case NODE_IDENTIFIER: return eval_function(x, dot, first, cmd, w, out);
  case NODE_PIPE: return not_a_function(x, w) && eval_pipeline(x, dot, first, out);
  case NODE_VARIABLE: return eval_variable(x, first, w, out);
  default: break;
  }
  x->at = first;
  if (!not_a_function(x, w)) return false;
  if (first->type == NODE_NIL) return fail(x, "nil is not a command");
  if (first->type != NODE_DOT) return eval_literal(x, first, out);
  *out = dot;
  return true;
}

static bool eval_pipeline(Exec *x, GoValue dot, const Node *pipe, GoValue *out) {
  *out = go_none();
  if (!pipe) return true;
  x->at = pipe;
  GoValue value = go_none();
  for (uint32_t i = 0; i < pipe->kids.n; i++) {
    GoValue before = value;
    if (!eval_command(x, dot, pipe->kids.at[i], i ? &before : NULL, &value)) return false;
    value = go_unbox(value);
  }
  for (uint32_t i = 0; i < pipe->decls.n; i++) {
    CueStr name = pipe->decls.at[i]->names.at[0];
    if (!pipe->assign)
      push_var(x, name, value);
    else if (!set_var(x, name, value))
      return false;
  }
  *out = value;
  return true;
}

/* ---- statements -------------------------------------------------------------------------- */

static Walk walk(Exec *x, GoValue dot, const Node *n);

static Walk walk_if_or_with(Exec *x, GoValue dot, const Node *n) {
  uint32_t mark = x->vars.n;
  GoValue v;
  Walk w = WALK_FAILED;
  if (eval_pipeline(x, dot, n->pipe, &v)) {
    if (template_is_true(v))
      w = walk(x, n->type == NODE_WITH ? v : dot, n->list);
    else
      w = n->other ? walk(x, dot, n->other) : WALK_ON;
  }
  x->vars.n = mark;
  return w;
}

/* One turn of a range. */
static Walk walk_once(Exec *x, const Node *n, uint32_t mark, GoValue index, GoValue element) {
  uint32_t decls = n->pipe->decls.n;
  if (decls && n->pipe->assign) {
    if (!set_var(x, n->pipe->decls.at[0]->names.at[0], decls > 1 ? index : element)) return WALK_FAILED;
    if (decls > 1 && !set_var(x, n->pipe->decls.at[1]->names.at[0], element)) return WALK_FAILED;
  } else if (decls) {
    x->vars.at[x->vars.n - 1].value = element;
    if (decls > 1) x->vars.at[x->vars.n - 2].value = index;
  }
  Walk w = walk(x, element, n->list);
  x->vars.n = mark;
  return w == WALK_CONTINUE ? WALK_ON : w;
}

/* *ran tells whether there was anything to range over. */
static Walk walk_elements(Exec *x, const Node *n, GoValue v, bool *ran) {
  uint32_t mark = x->vars.n;
  Walk w = WALK_ON;
  *ran = true;
  if (v.type == GO_INT || v.type == GO_INT64 || v.type == GO_UINT8) {
    if (n->pipe->decls.n > 1)
      return fail(x, "can't use %.*s to iterate over more than one variable", CUE_FMT(show(x, v))) ? WALK_ON
                                                                                                   : WALK_FAILED;
    *ran = v.v.as.i > 0;
    for (int64_t i = 0; i < v.v.as.i && w == WALK_ON; i++)
      w = walk_once(x, n, mark, go_none(), (GoValue){v.type, false, cue_int(i)});
  } else if (v.type == GO_LIST) {
    const CueList *l = v.v.as.list;
    *ran = l->n > 0;
    for (uint32_t i = 0; i < l->n && w == WALK_ON; i++) w = walk_once(x, n, mark, go_int(i), go_value(l->at[i], true));
  } else if (v.type == GO_BYTES) {
    CueStr s = cue_value_str(v.v);
    *ran = s.n > 0;
    for (size_t i = 0; i < s.n && w == WALK_ON; i++)
      w = walk_once(x, n, mark, go_int((int64_t)i), (GoValue){GO_UINT8, false, cue_int((unsigned char)s.s[i])});
  } else if (v.type == GO_MAP) {
    const CueField *f = go_sorted_fields(x->a, v.v.as.fields);
    *ran = v.v.as.fields->n > 0;
    for (uint32_t i = 0; i < v.v.as.fields->n && w == WALK_ON; i++)
      w = walk_once(x, n, mark, go_string(f[i].key), go_value(f[i].value, true));
  } else if (v.type == GO_NONE) {
    *ran = false;
  } else {
    fail(x, "range can't iterate over %.*s", CUE_FMT(show(x, v)));
    return WALK_FAILED;
  }
  return w == WALK_BREAK ? WALK_ON : w;
}

static Walk walk_range(Exec *x, GoValue dot, const Node *n) {
  uint32_t mark = x->vars.n;
  GoValue v;
  bool ran;
  if (!eval_pipeline(x, dot, n->pipe, &v)) return WALK_FAILED;
  Walk w = walk_elements(x, n, v, &ran);
  if (w == WALK_ON && !ran && n->other) w = walk(x, dot, n->other);
  x->vars.n = mark;
  return w;
}

/* A template inherits no variables. */
static Walk walk_template(Exec *x, GoValue dot, const Node *n) {
  const Node *root = template_lookup(x->set, n->text);
  if (!root) {
    fail(x, "template %s not defined", cue_go_quoted(x->a, n->text).s);
    return WALK_FAILED;
  }
  if (x->depth + 3 >= MAX_DEPTH) { /* told here, not by some node of the template that is called */
    fail(x, "exceeded maximum template depth (%d)", GO_MAX_DEPTH);
    return WALK_FAILED;
  }
  GoValue arg;
  if (!eval_pipeline(x, dot, n->pipe, &arg)) return WALK_FAILED;
  Exec inner = *x;
  memset(&inner.vars, 0, sizeof inner.vars);
  inner.name = n->text;
  push_var(&inner, CUE_STR("$"), arg);
  Walk w = walk(&inner, arg, root);
  x->error = inner.error;
  return w;
}

static Walk walk_list(Exec *x, GoValue dot, const Node *n) {
  Walk w = WALK_ON;
  for (uint32_t i = 0; i < n->kids.n && w == WALK_ON; i++) w = walk(x, dot, n->kids.at[i]);
  return w;
}

static Walk walk_node(Exec *x, GoValue dot, const Node *n) {
  GoValue v;
  switch (n->type) {
  case NODE_ACTION:
    if (!eval_pipeline(x, dot, n->pipe, &v)) return WALK_FAILED;
    x->at = n;
    if (n->pipe->decls.n) return WALK_ON;
    if (v.type == GO_NONE)
      cue_buf_z(x->out, "<no value>");
    else
      go_print(x->out, &v, 1);
    return WALK_ON;
  case NODE_TEXT: cue_buf_str(x->out, n->text); return WALK_ON;
  case NODE_BREAK: return WALK_BREAK;
  case NODE_CONTINUE: return WALK_CONTINUE;
  case NODE_IF:
  case NODE_WITH: return walk_if_or_with(x, dot, n);
  case NODE_RANGE: return walk_range(x, dot, n);
  case NODE_TEMPLATE: return walk_template(x, dot, n);
  default: return walk_list(x, dot, n);
  }
}

static Walk walk(Exec *x, GoValue dot, const Node *n) {
  x->at = n;
  if (x->depth >= MAX_DEPTH) {
    fail(x, "exceeded maximum template depth (%d)", GO_MAX_DEPTH);
    return WALK_FAILED;
  }
  if (x->out->n > MAX_OUTPUT) {
    fail(x, "output is too long");
    return WALK_FAILED;
  }
  x->depth++;
  Walk w = walk_node(x, dot, n);
  x->depth--;
  return w;
}

bool template_execute(CueArena *a, const TemplateSet *set, CueValue data, CueBuf *out, CueStr *error) {
  Exec x = {.a = a, .set = set, .out = out};
  GoValue dot = go_value(data, false);
  push_var(&x, CUE_STR("$"), dot);
  const Node *root = template_lookup(set, CUE_STR(""));
  bool ok = walk(&x, dot, root) != WALK_FAILED;
  *error = x.error;
  return ok;
}
