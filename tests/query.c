/* query.c - asks the engine itself: a whole command, or the properties of the value at a path.
**
** A value is found as cue's own tests find it: the package is evaluated once and the path is
** walked through the result, so that an error in a sibling does not hide it.
*/
#include "tests/query.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "compiler/load.h"
#include "stdlib/cue/stdlib.h"

int query_command(int argc, const char **argv) {
  CueArena *a = cue_arena_new();
  CueBuf out = cue_buf(a), err = cue_buf(a);
  CueBuf in = cue_buf(a);
  for (ssize_t n; (n = read(0, cue_buf_room(&in, 65536), 65536)) > 0;) in.n += (size_t)n;
  int code = cli_cue(argc, (char **)(uintptr_t)argv, cue_buf_done(&in), &out, &err);
  fwrite(out.s, 1, out.n, stdout);
  fwrite(err.s, 1, err.n, stderr);
  return code; /* the process ends here: the arena need not be freed */
}

static const char *code_name(BottomCode code) {
  switch (code) {
  case BOTTOM_EVAL: return "eval";
  case BOTTOM_USER:
  case BOTTOM_LEGACY_USER: return "user";
  case BOTTOM_STRUCTURAL_CYCLE: return "structural_cycle";
  case BOTTOM_INCOMPLETE: return "incomplete";
  case BOTTOM_CYCLE: return "cycle";
  }
  return "?";
}

/* The field a part of a path names: digits an index, "..." a plain name, otherwise an identifier of any package (a
** hidden one may have its package behind a $). */
static bool names(const LabelTable *t, Label l, CueStr part) {
  ptrdiff_t package = label_is_hidden(l) ? cue_str_find(part, CUE_STR("$")) : -1;
  if (package >= 0) part = cue_str_sub(part, 0, (size_t)package);
  if (label_is_int(l))
    return isdigit((unsigned char)part.s[0]) && label_index(l) == (uint32_t)strtoul(part.s, NULL, 10);
  if (label_is_let(l)) return false;
  if (part.s[0] != '"')
    return cue_str_eq(label_name(t, l), part) && (label_is_string(l) == !strchr("#_", part.s[0]) || part.n == 1);
  return label_is_string(l) && cue_str_eq(label_name(t, l), cue_str_sub(part, 1, part.n - 1));
}

static Vertex *walk(CueContext *c, Vertex *v, CueStr path) {
  for (size_t i = 0, from = 0; v && path.n && i <= path.n; i++) {
    if (i < path.n && path.s[i] == '"')
      for (i++; i < path.n && path.s[i] != '"';) i++;
    if (i < path.n && path.s[i] == '(')
      for (i++; i < path.n && path.s[i] != ')';) i++;
    if (i < path.n && path.s[i] != '.') continue;
    CueStr part = cue_str_sub(path, from, i);
    Vertex *found = NULL, *d = vertex_deref(v);
    for (uint32_t k = 0; k < d->arcs.n && part.n; k++)
      if (d->arcs.at[k]->arc_type == ARC_MEMBER && names(c->labels, d->arcs.at[k]->label, part)) found = d->arcs.at[k];
    v = found;
    from = i + 1;
  }
  return v;
}

static void put_errors(CueContext *c, const char *key, const Bottom *b, bool all) {
  CueDiags d = {.a = c->a};
  CueBuf text = cue_buf(c->a);
  cue_bottom_report(c->eval, b, &d);
  for (CueDiag *x = d.first; x; x = x->next) cue_buf_f(&text, "%.*s ", CUE_FMT(x->message));
  for (size_t i = 0; i < text.n; i++)
    if (text.s[i] == '\n') text.s[i] = ' ';
  CueStr s = cue_buf_done(&text);
  if (all)
    printf("%s %s %.*s\n", key, code_name(b->code), CUE_FMT(s));
  else
    printf("%s %.*s\n", key, CUE_FMT(s));
}

/* Bounded like the evaluator's own recursion; a test does not need more. */
static void put_below(CueContext *c, Vertex *v, int depth) {
  Bottom *b = vertex_bottom(v);
  if (b) put_errors(c, "below", b, true);
  Vertex *d = vertex_deref(v);
  for (uint32_t i = 0; i < d->arcs.n && depth < 100; i++)
    if (d->arcs.at[i]->arc_type == ARC_MEMBER && !label_is_let(d->arcs.at[i]->label))
      put_below(c, d->arcs.at[i], depth + 1);
}

static bool is_closed(const Vertex *v) {
  for (; v; v = v->base && v->base->kind == IR_VERTEX ? IR_AS(const Vertex, v->base) : NULL)
    if (v->closed_once || v->closed_recursive) return true;
  return false;
}

static bool allows(CueContext *c, Vertex *v, CueStr selector) {
  Label l;
  if (v->has_ellipsis || vertex_deref(v)->has_ellipsis) return true;
  if (cue_str_is(selector, "string"))
    l = LABEL_ANY_STRING;
  else if (cue_str_is(selector, "int"))
    l = label_int(LABEL_MAX_INT);
  else if (selector.s[0] == '"')
    l = label_string(c->labels, cue_str_sub(selector, 1, selector.n - 1));
  else
    l = label_ident(c->labels, selector, CUE_STR(""));
  return vertex_accepts(c->eval, v, l);
}

static void put_kinds(CueContext *c, Vertex *v) {
  CueBuf b = cue_buf(c->a);
  unsigned kinds = ir_kinds(vertex_value(vertex_deref(v)));
  for (unsigned bit = 1; bit < CUE_TOP; bit <<= 1)
    if (kinds & bit) cue_buf_f(&b, "%s%s", b.n ? "|" : "", cue_kind_name(bit));
  CueStr text = cue_buf_done(&b);
  printf("kind %.*s\n", CUE_FMT(text));
}

static void put_json(CueContext *c, Vertex *v) {
  CueDiags d = {.a = c->a};
  CueBuf b = cue_buf(c->a);
  CueValue data = cue_export_data(c->eval, c->a, v, &d);
  if (data.kind == CUE_BOTTOM || d.n) return;
  cue_emit_json(&b, data, (CueJsonStyle){0});
  CueStr text = cue_buf_done(&b);
  printf("json %.*s\n", CUE_FMT(text));
}

static void put_value(CueContext *c, Vertex *v, const Query *q) {
  Bottom *b = vertex_bottom(v);
  if (b) {
    printf("code %s\n", code_name(b->code));
    put_errors(c, "message", b, false);
  }
  printf("closed %s\n", is_closed(v) ? "true" : "false");
  if (q->selector.n) printf("allows %s\n", allows(c, v, q->selector) ? "true" : "false");
  put_kinds(c, v);
  put_json(c, v);
  put_below(c, v, 0);
}

int query_values(const Queries *qs) {
  CueArena *a = cue_arena_new();
  CueContext *c = cue_context_new(a, cue_stdlib_find);
  CUE_VEC(CueStr) args = {0};
  char cwd[4096];
  CueDiags d = {.a = a};
  if (!getcwd(cwd, sizeof cwd)) return 2;
  for (const char **p = qs->args; *p; p++) cue_push(a, &args, cue_str(*p));
  LoadConfig cfg = {.cwd = cue_str(cwd)};
  LoadedList list = load_args(c, &cfg, args.at, args.n);
  if (!list.n || (list.at[0]->instance->errors && list.at[0]->instance->errors->n)) return 1;
  if (!cue_build(c, list.at[0]->instance, &d)) return 1;
  Vertex *root = list.at[0]->instance->root;
  cue_finalize(c->eval, root);
  for (uint32_t i = 0; i < qs->n; i++) {
    printf("query %u\n", i);
    fflush(stdout); /* so that a crash is known to be this one's */
    Vertex *v = walk(c, root, qs->at[i].path);
    if (v) put_value(c, v, &qs->at[i]);
  }
  return 0;
}
