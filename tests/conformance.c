/* conformance.c - runs the cases of ../shared/conformance and counts, per folder and level, what agrees.
**
**   conformance [--only TEXT] [--list] [--timeout S] [--check FILE | --write FILE] [--engine "CMD"] CASES
**
** CASES is the folder with cases.txt. Questions are put to the engine in this program, each in
** a forked child, so that a crash or an endless loop costs one question. Assertions look at the
** value at a path, wrong siblings or not, so they need the evaluator itself; --engine puts all
** other questions to a program with cue's command line, for example the real cue, to learn what
** the reference scores. --list prints what differs. --write puts the tables between the
** markers in FILE; --check fails when a number is lower than the one FILE has.
**
** What a case asks is told in CASES/README.md. Expectations of `closed`, `allows` and `kind`
** stand in the source only, in the attribute at the line that case.json names; attributes
** marked `todo` are not counted, nor are assertions that the recorded answers of the reference
** contradict (they were written for a later cue).
*/
#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <yyjson.h>

#include "runtime/num.h"
#include "runtime/regex.h"
#include "compiler/eval.h"
#include "tests/proc.h"
#include "tests/query.h"
#include "tests/scores.h"

/* A run of one case; results go to `out` as lines: level, ok, and for --list what was asked, wanted, got. */
typedef struct {
  CueArena *a;
  const char **engine; /* words of --engine, or NULL */
  uint32_t nengine;
  unsigned timeout; /* seconds a question */
  const char *dir, *in, *id;
  yyjson_val *root;
  FILE *out;
  regex_t *incomplete;
  CueRegexCache *regexes;
} Case;

typedef CUE_VEC(const char *) Words;

static CueStr first_line(CueStr s) {
  while (s.n && isspace((unsigned char)*s.s)) s.s++, s.n--;
  const char *end = memchr(s.s, '\n', s.n);
  CueStr line = end ? cue_str_sub(s, 0, (size_t)(end - s.s)) : s;
  while (line.n && isspace((unsigned char)line.s[line.n - 1])) line.n--;
  return line;
}

static CueStr val_str(yyjson_val *v) {
  return yyjson_is_str(v) ? (CueStr){yyjson_get_str(v), yyjson_get_len(v)} : (CueStr){0};
}

/* ---- reporting ------------------------------------------------------------------------------- */

static void result(Case *c, Level level, bool ok, CueStr what, CueStr want, CueStr got) {
  fprintf(c->out, "%d %d", (int)level, ok);
  if (!ok) {
    CueStr parts[] = {what, want, got};
    for (int i = 0; i < 3; i++) {
      fputc(i ? '\t' : ' ', c->out);
      for (size_t k = 0; k < parts[i].n && k < 400; k++)
        fputc(strchr("\n\t", parts[i].s[k]) ? ' ' : parts[i].s[k], c->out);
    }
  }
  fputc('\n', c->out);
}

/* ---- asking ---------------------------------------------------------------------------------- */

typedef struct {
  const char **argv; /* NULL-terminated, from the command word on */
  int argc;
} Question;

static int ask_self(void *arg) {
  Question *q = arg;
  return query_command(q->argc, q->argv);
}

static ProcResult ask(Case *c, const char *dir, Words words, CueStr in) {
  ProcOptions opt = {.cwd = dir, .in = in, .timeout = c->timeout};
  ProcResult r;
  if (c->engine) {
    Words full = {0};
    for (uint32_t i = 0; i < c->nengine; i++) cue_push(c->a, &full, c->engine[i]);
    for (uint32_t i = 0; i < words.n; i++) cue_push(c->a, &full, words.at[i]);
    cue_push(c->a, &full, NULL);
    r = proc_run(c->a, full.at, opt);
  } else {
    cue_push(c->a, &words, NULL);
    Question q = {words.at, (int)words.n - 1};
    r = proc_call(c->a, ask_self, &q, opt);
  }
  result(c, LEVEL_ALIVE, r.exit <= 2, words.n ? cue_str(words.at[words.n > 1 ? words.n - 2 : 0]) : CUE_STR(""),
         CUE_STR("an answer"), r.timeout ? CUE_STR("timeout") : CUE_STR("crash"));
  return r;
}

/* Told from the first line alone, as run.py does: the same for every engine. */
static const char *class_of(Case *c, const ProcResult *r) {
  if (r->timeout) return "timeout";
  if (r->exit > 2) return "crash";
  if (r->exit == 0) return "value";
  CueStr line = cue_str_copy(c->a, first_line(r->err));
  return regexec(c->incomplete, line.s, 0, NULL, 0) == 0 ? "incomplete" : "error";
}

/* ---- comparing JSON ---------------------------------------------------------------------------- */

static yyjson_val *parse_json(CueStr text, yyjson_doc **doc) {
  *doc = yyjson_read_opts((char *)(uintptr_t)text.s, text.n, YYJSON_READ_NUMBER_AS_RAW, NULL, NULL);
  return yyjson_doc_get_root(*doc);
}

static bool same_json(CueArena *a, yyjson_val *x, yyjson_val *y);

static const CueNum *number_of(CueArena *a, yyjson_val *v) {
  if (yyjson_is_obj(v) && yyjson_obj_size(v) == 1) {
    yyjson_val *num = yyjson_obj_get(v, "$num");
    v = num ? num : yyjson_obj_get(v, "$float");
  } else if (!yyjson_is_raw(v))
    return NULL;
  CueStr text = yyjson_is_raw(v) ? (CueStr){yyjson_get_raw(v), yyjson_get_len(v)} : val_str(v);
  return text.n ? cue_num_parse(a, text) : NULL;
}

static bool same_object(CueArena *a, yyjson_val *x, yyjson_val *y) {
  size_t i, n;
  yyjson_val *key, *val;
  if (yyjson_obj_size(x) != yyjson_obj_size(y)) return false;
  yyjson_obj_foreach(x, i, n, key, val) {
    yyjson_val *other = yyjson_obj_getn(y, yyjson_get_str(key), yyjson_get_len(key));
    if (!other || !same_json(a, val, other)) return false;
  }
  return true;
}

static bool same_json(CueArena *a, yyjson_val *x, yyjson_val *y) {
  if (!x || !y) return x == y;
  const CueNum *p = number_of(a, x), *q = number_of(a, y);
  if (p || q) return p && q && cue_num_cmp(p, q) == 0;
  if (yyjson_get_type(x) != yyjson_get_type(y)) return false;
  if (yyjson_is_obj(x)) return same_object(a, x, y);
  if (yyjson_is_str(x)) return cue_str_eq(val_str(x), val_str(y));
  if (!yyjson_is_arr(x)) return yyjson_get_subtype(x) == yyjson_get_subtype(y);
  if (yyjson_arr_size(x) != yyjson_arr_size(y)) return false;
  yyjson_arr_iter i, k;
  yyjson_arr_iter_init(x, &i), yyjson_arr_iter_init(y, &k);
  for (yyjson_val *v; (v = yyjson_arr_iter_next(&i));)
    if (!same_json(a, v, yyjson_arr_iter_next(&k))) return false;
  return true;
}

static bool json_matches(Case *c, yyjson_val *want, CueStr text) {
  yyjson_doc *doc;
  yyjson_val *got = parse_json(text, &doc);
  bool same = got && same_json(c->a, want, got);
  yyjson_doc_free(doc);
  return same;
}

static CueStr json_text(Case *c, yyjson_val *v) {
  size_t n = 0;
  char *s = yyjson_val_write(v, 0, &n);
  CueStr copy = s ? cue_str_copy(c->a, (CueStr){s, n}) : CUE_STR("?");
  free(s); /* yyjson's writer allocates it */
  return copy;
}

/* ---- whole and fields --------------------------------------------------------------------------- */

static void add_args(Case *c, Words *w) {
  size_t i, n;
  yyjson_val *v;
  yyjson_arr_foreach(yyjson_obj_get(c->root, "args"), i, n, v) cue_push(c->a, w, yyjson_get_str(v));
}

static Words export_words(Case *c, const char *expr) {
  Words w = {0};
  cue_push(c->a, &w, "export");
  cue_push(c->a, &w, "--out");
  cue_push(c->a, &w, "json");
  if (expr) {
    cue_push(c->a, &w, "-e");
    cue_push(c->a, &w, expr);
  }
  add_args(c, &w);
  return w;
}

static ProcResult check_export(Case *c, const char *expr, yyjson_val *want) {
  ProcResult r = ask(c, c->in, export_words(c, expr), (CueStr){0});
  CueStr what = cue_str(expr ? expr : "(whole)");
  const char *got = class_of(c, &r), *class = yyjson_get_str(yyjson_obj_get(want, "class"));
  bool right = strcmp(got, class) == 0;
  CueStr line = first_line(r.err);
  result(c, LEVEL_VERDICT, right, what, cue_str(class), cue_strf(c->a, "%s %.*s", got, CUE_FMT(line)));
  if (strcmp(class, "value") == 0) {
    yyjson_val *json = yyjson_obj_get(want, "json");
    bool same = r.exit == 0 && json_matches(c, json, r.out);
    result(c, LEVEL_VALUE, same, what, same ? (CueStr){0} : json_text(c, json), r.exit ? line : r.out);
  } else if (right) {
    CueStr message = val_str(yyjson_obj_get(want, "message"));
    result(c, LEVEL_MESSAGE, cue_str_eq(line, message), what, message, line);
  }
  return r;
}

static void run_fields(Case *c) {
  yyjson_val *whole = yyjson_obj_get(c->root, "whole"), *ordered = yyjson_obj_get(c->root, "ordered"), *key, *val;
  size_t i, n;
  if (whole) {
    ProcResult r = check_export(c, NULL, whole);
    if (ordered)
      result(c, LEVEL_ORDER, cue_str_eq(r.out, val_str(ordered)), CUE_STR("(whole)"), val_str(ordered),
             r.exit ? r.err : r.out);
  }
  yyjson_obj_foreach(yyjson_obj_get(c->root, "fields"), i, n, key, val) check_export(c, yyjson_get_str(key), val);
}

/* ---- assertions ---------------------------------------------------------------------------------- */

/* The end of an attribute's body that begins at s.s[i]: the place of its closing parenthesis. */
static size_t body_end(CueStr s, size_t i) {
  for (int depth = 1; i < s.n; i++) {
    char ch = s.s[i];
    if (ch == '"' || ch == '\'') {
      for (i++; i < s.n && s.s[i] != ch && s.s[i] != '\n';) i += s.s[i] == '\\' ? 2 : 1;
    } else if (strchr("([{", ch))
      depth++;
    else if (strchr(")]}", ch) && --depth == 0)
      return i;
  }
  return s.n;
}

/* Finds the nth attribute @test(DIRECTIVE...) that begins on the line; *head is "closed=false", "allows:todo=false", ... */
static bool find_attribute(CueStr src, int64_t line, CueStr directive, int nth, CueStr *head) {
  int64_t at = 1;
  for (size_t i = 0; i < src.n && at <= line; i++) {
    if (src.s[i] == '\n') at++;
    if (at != line || !cue_str_has_prefix(cue_str_sub(src, i, src.n), CUE_STR("@test("))) continue;
    size_t from = i + 6, end = body_end(src, from), stop = from;
    while (stop < end && src.s[stop] != ',') stop++;
    *head = cue_str_sub(src, from, stop);
    bool mine = cue_str_has_prefix(*head, directive) && (head->n == directive.n || strchr(":=", head->s[directive.n]));
    if (mine && nth-- == 0) return true;
  }
  return false;
}

static CueStr after(CueStr s, char mark) {
  const char *p = memchr(s.s, mark, s.n);
  return p ? cue_str_sub(s, (size_t)(p - s.s) + 1, s.n) : (CueStr){0};
}

/* Whether text has in it the words of a format: %s, %v and the like stand for anything. */
static bool contains_format(CueStr text, CueStr format) {
  size_t at = 0;
  for (size_t i = 0, from = 0; i <= format.n; i++) {
    if (i < format.n && !(format.s[i] == '%' && i + 1 < format.n && isalpha((unsigned char)format.s[i + 1]))) continue;
    CueStr part = cue_str_sub(format, from, i);
    ptrdiff_t found = cue_str_find(cue_str_sub(text, at, text.n), part);
    if (found < 0) return false;
    at += (size_t)found + part.n;
    from = i + 2;
    i++;
  }
  return true;
}

/* The next of the codes in "eval" or "(cycle|incomplete)"; false at the end. */
static bool next_code(CueStr *rest, CueStr *code) {
  while (rest->n && strchr("(|)", rest->s[0])) *rest = cue_str_sub(*rest, 1, rest->n);
  size_t n = 0;
  while (n < rest->n && !strchr("(|)", rest->s[n])) n++;
  *code = cue_str_sub(*rest, 0, n);
  *rest = cue_str_sub(*rest, n, rest->n);
  return n > 0;
}

static bool code_matches(CueStr want, CueStr got) {
  for (CueStr code; next_code(&want, &code);)
    if (cue_str_eq(code, got)) return true;
  return false;
}

static bool code_is_incomplete(CueStr code) { return cue_str_is(code, "incomplete") || cue_str_is(code, "cycle"); }

static bool class_matches(CueStr want, CueStr got) {
  for (CueStr code; next_code(&want, &code);)
    if (code_is_incomplete(code) == code_is_incomplete(got)) return true;
  return false;
}

static CueStr answer(CueArena *a, CueStr text, const char *key) {
  CueStr line, start = cue_strf(a, "%s ", key);
  while (next_line(&text, &line))
    if (cue_str_has_prefix(line, start)) return cue_str_copy(a, cue_str_sub(line, start.n, line.n));
  return (CueStr){0};
}

static void check_eq(Case *c, yyjson_val *as, CueStr path, CueStr text) {
  yyjson_val *json = yyjson_obj_get(as, "json");
  CueStr got = answer(c->a, text, "json");
  bool same = json_matches(c, json, got);
  result(c, LEVEL_EQ, same, path, same ? (CueStr){0} : json_text(c, json), got.n ? got : answer(c->a, text, "message"));
}

/* Of all errors at or below the value ("below CODE MESSAGE"), one that is wanted, if there is one. */
static void find_below(CueArena *a, CueStr text, CueStr code, CueStr contains, CueStr *got, CueStr *message) {
  CueStr line;
  while (next_line(&text, &line)) {
    if (!cue_str_has_prefix(line, CUE_STR("below "))) continue;
    CueStr what = after(cue_str_sub(line, 6, line.n), ' ');
    CueStr its_code = cue_str_sub(line, 6, line.n - what.n - (what.n ? 1 : 0));
    if ((code.n && !code_matches(code, its_code)) || !contains_format(what, contains)) continue;
    *got = cue_str_copy(a, its_code), *message = cue_str_copy(a, what);
    return;
  }
}

static void check_err(Case *c, yyjson_val *as, CueStr path, CueStr text) {
  yyjson_val *err = yyjson_obj_get(as, "err");
  CueStr code = val_str(yyjson_obj_get(err, "code")), contains = val_str(yyjson_obj_get(err, "contains"));
  CueStr got = answer(c->a, text, "code"), message = answer(c->a, text, "message");
  if (yyjson_get_bool(yyjson_obj_get(err, "any"))) find_below(c->a, text, code, contains, &got, &message);
  bool right = got.n && (!code.n || class_matches(code, got));
  result(c, LEVEL_ERR, right, path, code.n ? code : CUE_STR("an error"), got);
  if (code.n) result(c, LEVEL_CODE, code_matches(code, got), path, code, got);
  if (contains.n) result(c, LEVEL_CONTAINS, contains_format(message, contains), path, contains, message);
}

static void check_property(Case *c, yyjson_val *as, CueStr path, CueStr head, CueStr text) {
  CueStr directive = val_str(yyjson_obj_get(as, "directive")), want = after(head, '=');
  CueStr got = answer(c->a, text, cue_str_copy(c->a, directive).s);
  if (cue_str_is(directive, "kind")) {
    result(c, LEVEL_ERR, cue_str_eq(want, got), path, want, got);
    return;
  }
  if (!want.n) want = CUE_STR("true");
  CueStr selector = val_str(yyjson_arr_get_first(yyjson_obj_get(as, "args")));
  CueStr what = cue_strf(c->a, "%.*s %.*s %.*s", CUE_FMT(path), CUE_FMT(directive), CUE_FMT(selector));
  result(c, LEVEL_CLOSED, cue_str_eq(want, got), what, want, got);
}

/* How many assertions before index i have the same place and directive. */
static int same_before(yyjson_val *all, size_t i, yyjson_val *as) {
  int n = 0;
  size_t k, len;
  yyjson_val *v;
  static const char *const keys[] = {"file", "line", "directive"};
  yyjson_arr_foreach(all, k, len, v) {
    if (k >= i) break;
    bool same = true;
    for (int j = 0; j < 3; j++) same = same && yyjson_equals(yyjson_obj_get(v, keys[j]), yyjson_obj_get(as, keys[j]));
    n += same;
  }
  return n;
}

/* The reference's own answer for the field that a path begins with; the rest of the path is left in *rest. */
static yyjson_val *recorded(Case *c, CueStr path, CueStr *rest) {
  *rest = (CueStr){0};
  if (!path.n) return yyjson_obj_get(c->root, "whole");
  ptrdiff_t dot = cue_str_find(path, CUE_STR("."));
  CueStr top = dot < 0 ? path : cue_str_sub(path, 0, (size_t)dot);
  if (dot >= 0) *rest = cue_str_sub(path, (size_t)dot + 1, path.n);
  return yyjson_obj_getn(yyjson_obj_get(c->root, "fields"), top.s, top.n);
}

static yyjson_val *json_at(yyjson_val *v, CueStr path) {
  while (v && path.n) {
    ptrdiff_t dot = cue_str_find(path, CUE_STR("."));
    CueStr part = dot < 0 ? path : cue_str_sub(path, 0, (size_t)dot);
    v = yyjson_is_arr(v) ? yyjson_arr_get(v, strtoul(part.s, NULL, 10)) : yyjson_obj_getn(v, part.s, part.n);
    path = dot < 0 ? (CueStr){0} : cue_str_sub(path, (size_t)dot + 1, path.n);
  }
  return v;
}

/* The assertions were written for a later cue than the reference. One that the answers recorded of the reference itself
** contradict cannot be asked of us. */
static bool contradicted(Case *c, CueStr path, yyjson_val *json) {
  CueStr rest;
  yyjson_val *ref = recorded(c, path, &rest);
  if (!ref) return false;
  CueStr message = val_str(yyjson_obj_get(ref, "message"));
  if (yyjson_obj_get(ref, "json")) {
    yyjson_val *at = json_at(yyjson_obj_get(ref, "json"), rest);
    return at && (!json || !same_json(c->a, json, at));
  }
  if (!json) return false;
  CueStr after_path = cue_str_has_prefix(message, path) ? cue_str_sub(message, path.n, message.n) : (CueStr){0};
  return !rest.n || cue_str_has_prefix(after_path, CUE_STR(".")) || cue_str_has_prefix(after_path, CUE_STR(":"));
}

typedef struct {
  yyjson_val *as;
  CueStr head; /* of the attribute, for properties */
} Assertion;
typedef struct {
  CUE_VEC(Assertion) at;
  CUE_VEC(Query) queries;
} Assertions;

static void collect(Case *c, Assertions *out) {
  yyjson_val *all = yyjson_obj_get(c->root, "asserts"), *as;
  size_t i, n;
  yyjson_arr_foreach(all, i, n, as) {
    CueStr directive = val_str(yyjson_obj_get(as, "directive")), src;
    yyjson_val *where = yyjson_obj_get(as, "path"), *json = yyjson_obj_get(as, "json");
    if (!yyjson_is_str(where)) continue; /* no path could be found for it */
    CueStr path = val_str(where);
    Assertion x = {.as = as};
    Query q = {.path = path};
    if (cue_str_is(directive, "eq")) {
      if (!json || contradicted(c, path, json)) continue;
    } else if (cue_str_is(directive, "err")) {
      CueStr at = val_str(yyjson_obj_get(yyjson_obj_get(as, "err"), "at"));
      if (at.n > 1 && at.s[0] == '"') at = cue_str_sub(at, 1, at.n - 1); /* the attribute's quotes, not the path's */
      if (at.n) q.path = path.n ? cue_strf(c->a, "%.*s.%.*s", CUE_FMT(path), CUE_FMT(at)) : at;
      if (contradicted(c, q.path, NULL)) continue;
    } else {
      CueStr name = val_str(yyjson_obj_get(as, "file"));
      const char *file = cue_strf(c->a, "%s/%.*s", c->in, CUE_FMT(name)).s;
      int64_t line = strtoll(yyjson_get_raw(yyjson_obj_get(as, "line")), NULL, 10);
      bool found =
          file_read(c->a, file, &src) && find_attribute(src, line, directive, same_before(all, i, as), &x.head);
      if (!found || cue_str_find(x.head, CUE_STR(":todo")) >= 0) continue;
      if (cue_str_is(directive, "allows")) q.selector = val_str(yyjson_arr_get_first(yyjson_obj_get(as, "args")));
    }
    cue_push(c->a, &out->at, x);
    cue_push(c->a, &out->queries, q);
  }
}

static void check(Case *c, const Assertion *x, CueStr path, CueStr text) {
  CueStr directive = val_str(yyjson_obj_get(x->as, "directive"));
  if (cue_str_is(directive, "eq"))
    check_eq(c, x->as, path, text);
  else if (cue_str_is(directive, "err"))
    check_err(c, x->as, path, text);
  else
    check_property(c, x->as, path, x->head, text);
}

static int answer_queries(void *arg) { return query_values(arg); }
static int ask_queries(void *arg) { return cue_run_on_big_stack(answer_queries, arg); }

/* All assertions in one child; after a crash another child goes on behind the one that crashed. */
static void run_asserts(Case *c) {
  Assertions all = {0};
  Words args = {0};
  collect(c, &all);
  add_args(c, &args);
  cue_push(c->a, &args, NULL);
  for (uint32_t from = 0; from < all.at.n;) {
    Queries qs = {.args = args.at, .at = all.queries.at + from, .n = all.queries.n - from};
    ProcResult r = proc_call(c->a, ask_queries, &qs, (ProcOptions){.cwd = c->in, .timeout = c->timeout});
    CueStr text = r.out;
    uint32_t done = 0;
    while (cue_str_has_prefix(text, CUE_STR("query "))) {
      CueStr mark = cue_strf(c->a, "\nquery %u\n", done + 1);
      ptrdiff_t end = cue_str_find(text, mark);
      bool lost = end < 0 && r.exit > 2;
      CueStr path = all.queries.at[from + done].path;
      result(c, LEVEL_ALIVE, !lost, path, CUE_STR("an answer"), r.timeout ? CUE_STR("timeout") : CUE_STR("crash"));
      check(c, &all.at.at[from + done], path,
            lost      ? (CueStr){0}
            : end < 0 ? text
                      : cue_str_sub(text, 0, (size_t)end + 1));
      text = end < 0 ? (CueStr){0} : cue_str_sub(text, (size_t)end + 1, text.n);
      done++;
    }
    from += done;
    if (done) continue;
    /* Not even begun. If the reference cannot build the package either, nothing can be asked of it. */
    result(c, LEVEL_ALIVE, r.exit <= 2, CUE_STR("(build)"), CUE_STR("an answer"),
           r.timeout ? CUE_STR("timeout") : CUE_STR("crash"));
    yyjson_val *whole = yyjson_obj_get(c->root, "whole");
    bool same = r.exit == 1 && cue_str_is(val_str(yyjson_obj_get(whole, "class")), "error");
    for (; !same && from < all.at.n; from++) check(c, &all.at.at[from], all.queries.at[from].path, (CueStr){0});
    break;
  }
}

/* ---- scripts -------------------------------------------------------------------------------------- */

static CueStr without_newlines(CueStr s) {
  while (s.n && s.s[s.n - 1] == '\n') s.n--;
  return s;
}

/* A pattern, or a list of patterns; a pattern may be [false, text]: must not match. */
static bool matches_one(Case *c, yyjson_val *pattern, CueStr got) {
  bool negate = yyjson_is_arr(pattern) && yyjson_is_false(yyjson_arr_get_first(pattern));
  CueStr text = yyjson_is_arr(pattern) ? val_str(yyjson_arr_get_last(pattern)) : val_str(pattern), err = {0};
  const CueRegex *re = cue_regex_get(c->regexes, c->a, cue_str_cat(c->a, CUE_STR("(?m)"), text), &err);
  return !re || cue_regex_test(re, got) != negate;
}

static bool matches(Case *c, yyjson_val *patterns, CueStr got) {
  size_t i, n;
  yyjson_val *v;
  if (!patterns) return true;
  if (yyjson_is_str(patterns)) return matches_one(c, patterns, got);
  yyjson_arr_foreach(patterns, i, n, v) if (!matches_one(c, v, got)) return false;
  return true;
}

static bool exact(yyjson_val *want, CueStr got) {
  return !yyjson_is_str(want) || cue_str_eq(without_newlines(val_str(want)), without_newlines(got));
}

static void run_step(Case *c, const char *work, yyjson_val *step, size_t number) {
  CueStr dir = val_str(yyjson_obj_get(step, "dir"));
  const char *cwd = cue_strf(c->a, "%s/%.*s", work, CUE_FMT(dir.n ? dir : CUE_STR("."))).s;
  Words words = {0};
  CueBuf shown = cue_buf(c->a);
  cue_buf_f(&shown, "step %zu:", number);
  yyjson_arr_iter it = yyjson_arr_iter_with(yyjson_obj_get(step, "argv"));
  yyjson_arr_iter_next(&it);
  for (yyjson_val *v; (v = yyjson_arr_iter_next(&it));) {
    cue_push(c->a, &words, yyjson_get_str(v));
    cue_buf_f(&shown, " %s", yyjson_get_str(v));
  }
  CueStr what = cue_buf_done(&shown);
  bool counted = !yyjson_get_bool(yyjson_obj_get(step, "unchecked"));
  if (!dir_exists(cwd)) {
    if (counted) result(c, LEVEL_SCRIPT, false, what, dir, CUE_STR("no such folder"));
    return;
  }
  ProcResult r = ask(c, cwd, words, val_str(yyjson_obj_get(step, "stdin")));
  if (!counted) return;
  yyjson_val *out = yyjson_obj_get(step, "stdout"), *err = yyjson_obj_get(step, "stderr");
  bool ok = (r.exit != 0) == yyjson_get_bool(yyjson_obj_get(step, "fails")) && exact(out, r.out) && exact(err, r.err) &&
            matches(c, yyjson_obj_get(step, "stdout_match"), r.out) &&
            matches(c, yyjson_obj_get(step, "stderr_match"), r.err);
  bool out_differs = !exact(out, r.out) || !yyjson_is_str(err);
  CueStr want = out_differs ? val_str(out) : val_str(err), got = out_differs && r.out.n ? r.out : r.err;
  result(c, LEVEL_SCRIPT, ok, what, want, got);
  const char *verb = words.n ? words.at[0] : "";
  bool evaluates = strcmp(verb, "export") == 0 || strcmp(verb, "eval") == 0 || strcmp(verb, "vet") == 0;
  if (evaluates && yyjson_is_str(out)) result(c, LEVEL_STDOUT, ok, what, want, got);
}

static void run_script(Case *c) {
  char *work = scratch_dir(c->a);
  size_t i, n;
  yyjson_val *step;
  if (dir_exists(c->in)) dir_copy(c->in, work);
  yyjson_arr_foreach(yyjson_obj_get(c->root, "steps"), i, n, step) run_step(c, work, step, i);
  dir_remove(work);
}

/* ---- workers ---------------------------------------------------------------------------------------- */

typedef struct {
  const char *cases, *only, *file;
  bool list, check, write;
  const char **engine;
  uint32_t nengine;
  unsigned timeout;
  CUE_VEC(const char *) ids;
} Options;

static void run_case(const Options *opt, const char *id, FILE *out) {
  static const char incomplete[] =
      "incomplete value|non-concrete|undefined field|unresolved disjunction|cannot reference optional|field is required|"
      "cycle with field|incomplete|not present|reference .* in .* not exist|some instances are incomplete|field not found";
  Case c = {.a = cue_arena_new(),
            .engine = opt->engine,
            .nengine = opt->nengine,
            .timeout = opt->timeout,
            .id = id,
            .out = out};
  regex_t re;
  CueStr text;
  c.incomplete = &re;
  c.regexes = cue_regex_cache_new();
  c.dir = cue_strf(c.a, "%s/%s", opt->cases, id).s;
  c.in = cue_strf(c.a, "%s/in", c.dir).s;
  fprintf(out, "case %s\n", id);
  if (regcomp(&re, incomplete, REG_EXTENDED | REG_NOSUB)) proc_die("regcomp");
  if (!file_read(c.a, cue_strf(c.a, "%s/case.json", c.dir).s, &text)) proc_die("%s/case.json", c.dir);
  yyjson_doc *doc;
  c.root = parse_json(text, &doc);
  if (!c.root) proc_die("%s/case.json", c.dir);
  if (cue_str_is(val_str(yyjson_obj_get(c.root, "suite")), "script"))
    run_script(&c);
  else {
    run_fields(&c);
    if (!c.engine) run_asserts(&c);
  }
  yyjson_doc_free(doc);
  regfree(&re);
  cue_regex_cache_free(c.regexes);
  cue_arena_free(c.a);
}

enum { WORKERS = 2 };

/* Case i goes to worker i % WORKERS; each writes to a file of its own, read when all are done. */
static void run_all(const Options *opt, FILE *files[WORKERS]) {
  pid_t pids[WORKERS];
  for (int w = 0; w < WORKERS; w++) {
    files[w] = tmpfile();
    if (!files[w]) proc_die("tmpfile");
    fflush(NULL);
    pids[w] = fork();
    if (pids[w] < 0) proc_die("fork");
    if (pids[w]) continue;
    for (uint32_t i = (uint32_t)w; i < opt->ids.n; i += WORKERS) run_case(opt, opt->ids.at[i], files[w]);
    fflush(files[w]);
    _exit(0);
  }
  for (int w = 0; w < WORKERS; w++) {
    int status;
    if (waitpid(pids[w], &status, 0) < 0 || status != 0) {
      fprintf(stderr, "conformance: a worker failed\n");
      exit(2);
    }
    rewind(files[w]);
  }
}

static int report(const Options *opt, CueArena *a, CueStr text) {
  CueStr before, inside, behind;
  printf("%.*s", CUE_FMT(text));
  if (!opt->check && !opt->write) return 0;
  if (!file_marked(a, opt->file, "conformance", &before, &inside, &behind)) {
    fprintf(stderr, "conformance: %s has no markers\n", opt->file);
    return 2;
  }
  if (opt->write) file_write(opt->file, cue_str_cat(a, cue_str_cat(a, before, text), behind));
  if (!opt->check) return 0;
  unsigned bad = table_fallen(inside, text);
  printf("conformance: %d passed, %u failed\n", bad == 0, bad);
  return bad != 0;
}

/* ---- main ----------------------------------------------------------------------------------------------- */

static bool parse_options(CueArena *a, int argc, char **argv, Options *opt) {
  CUE_VEC(const char *) words = {0};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--list") == 0)
      opt->list = true;
    else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
      opt->only = argv[++i];
    else if (strcmp(argv[i], "--timeout") == 0 && i + 1 < argc)
      opt->timeout = (unsigned)strtoul(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--check") == 0 && i + 1 < argc)
      opt->check = true, opt->file = argv[++i];
    else if (strcmp(argv[i], "--write") == 0 && i + 1 < argc)
      opt->write = true, opt->file = argv[++i];
    else if (strcmp(argv[i], "--engine") == 0 && i + 1 < argc) {
      char *save = NULL;
      for (char *w = strtok_r(argv[++i], " ", &save); w; w = strtok_r(NULL, " ", &save)) cue_push(a, &words, w);
      opt->engine = words.at, opt->nengine = words.n;
    } else if (argv[i][0] != '-' && !opt->cases)
      opt->cases = argv[i];
    else
      return false;
  }
  return opt->cases != NULL;
}

static bool read_ids(CueArena *a, Options *opt) {
  CueStr text, line;
  if (!file_read(a, cue_strf(a, "%s/cases.txt", opt->cases).s, &text)) return false;
  while (next_line(&text, &line))
    if (line.n && cue_str_find(line, cue_str(opt->only)) >= 0) cue_push(a, &opt->ids, cue_str_copy(a, line).s);
  return true;
}

int main(int argc, char **argv) {
  CueArena *a = cue_arena_new();
  Options opt = {.only = "", .timeout = 10};
  Table t = {.a = a};
  FILE *files[WORKERS];
  if (!parse_options(a, argc, argv, &opt)) {
    fprintf(
        stderr,
        "usage: conformance [--only TEXT] [--list] [--timeout S] [--check FILE | --write FILE] [--engine CMD] CASES\n");
    return 2;
  }
  if (!read_ids(a, &opt)) {
    printf("conformance: skipped, there is no %s\n", opt.cases);
    return 0;
  }
  if (!opt.ids.n) {
    fprintf(stderr, "conformance: no case has %s in its name\n", opt.only);
    return 2;
  }
  run_all(&opt, files);
  for (int w = 0; w < WORKERS; w++) {
    table_count(&t, files[w], opt.list);
    fclose(files[w]);
  }
  int code = report(&opt, a, table_text(&t));
  cue_arena_free(a);
  return code;
}
