/* peer_modules.c - what the real cue makes of the modules in tests/modules.
**
**   peer-modules [-t SUBSTRING] OPM CUE ARCHIVE...
**
** Each `exec opm mod build ...` of an archive that is to succeed is a case: evaluated and compiled it gives the
** same bytes, as YAML and as JSON, and its objects must be those
** that cue gives for the same module, values and environment (see peer.h). The effective values are
** computed here, from what cue exports of the values files and of the environment, so that nothing of
** the pipeline under test takes part. cue finds the modules of the catalog in $CUE_CACHE_DIR.
**
** An archive whose comment has a line "# differs from cue: REASON" is left out. What it builds must be built by compiled
** code, unless there is a line "# not compiled: REASON". With KEEP=1 in the environment what cue was given stays, to
** be looked at.
*/
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/build_line.h"
#include "tests/peer.h"
#include "tests/proc.h"
#include "tests/script.h"
#include "tests/txtar.h"

typedef struct {
  CueArena *a;
  const char *opm, *cue;
} Peers;

typedef struct {
  Peers *p;
  const char *archive, *cwd, *root; /* root: the scratch folder */
  Words env;
  CueStr input, input_file; /* its name tells cue what it is */
  bool evaluated;           /* compiled code need not do it */
} Case;

/* ---- what cue says ---- */

static CueStr path_in(Case *c, const char *base, const char *path) {
  if (strcmp(path, ".") == 0 || strcmp(path, "./") == 0) return cue_str(base);
  return path[0] == '/' ? cue_str(path) : cue_strf(c->p->a, "%s/%s", base, path);
}

/* `cue export ARG -e EXPR` in a folder; false if cue cannot. EXPR may be NULL. */
static bool exported(Case *c, const char *dir, const char *arg, const char *expr, CueValue *out) {
  const char *argv[] = {c->p->cue, "export", arg, "--out", "json", expr ? "-e" : NULL, expr, NULL};
  ProcResult r = proc_run(c->p->a, argv, (ProcOptions){.cwd = dir, .timeout = 60});
  if (r.exit == 0) *out = peer_json(c->p->a, r.out);
  return r.exit == 0;
}

static bool is_file(CueArena *a, const char *path) {
  CueStr text;
  return file_read(a, path, &text);
}

/* The values of a release, before any environment. Files are read one by one: none of them may contradict another, so
** merging them is unifying them. */
static CueValue base_values(Case *c, const BuildLine *b, const char *dir) {
  CueArena *a = c->p->a;
  CueValue all = cue_struct(cue_struct_new(a, 0)), one;
  Words files = b->values;
  CueStr own = path_in(c, dir, "values.cue");
  if (!files.n && is_file(a, own.s)) cue_push(a, &files, own.s);
  for (uint32_t i = 0; i < files.n; i++) {
    CueStr file = path_in(c, c->cwd, files.at[i]);
    if (strcmp(files.at[i], "-") == 0) file = c->input_file;
    if (exported(c, dir, file.s, "values", &one))
      all = peer_merge(a, all, one);
    else if (!b->values.n && exported(c, dir, ".", "values", &one))
      all = one; /* it refers to the rest of the package */
    else
      printf("%s: cue cannot read %s\n", c->archive, files.at[i]);
  }
  if (!files.n && exported(c, dir, ".", "values", &one)) return one;
  return all;
}

/* The environment a build names: in the place it names, or in the module's folder, or in the module. */
static bool environment(Case *c, const BuildLine *b, const char *dir, CueValue *env) {
  CueArena *a = c->p->a;
  const char *name = b->environment;
  CueStr place = b->environments ? path_in(c, c->cwd, b->environments) : path_in(c, dir, "environments");
  bool is_dir = dir_exists(place.s);
  CueValue all = cue_null();
  const CueValue *found = NULL;
  if (b->environments) peer_deps(a, place.s); /* it may be a module of its own */
  if ((is_dir && exported(c, place.s, ".", NULL, &all)) ||
      (is_file(a, place.s) && exported(c, dir, place.s, NULL, &all))) {
    found = peer_at(peer_at(&all, "environments"), name);
    if (!found) found = peer_at(&all, name);
  }
  if (!found && exported(c, dir, ".", "#environments", &all)) found = peer_at(&all, name);
  if (!found) return false;
  const CueValue *meta = peer_at(found, "metadata");
  CueValue named = peer_with(a, cue_struct(cue_struct_new(a, 0)), "name", cue_string(cue_str(name)));
  *env = *found;
  if (!peer_at(meta, "name"))
    *env = peer_merge(a, *env, peer_with(a, cue_struct(cue_struct_new(a, 0)), "metadata", named));
  return true;
}

/* ---- one build ---- */

/* What opm prints: by the evaluator alone, or by code that is compiled first, and nothing else. */
static ProcResult build(Case *c, const BuildLine *b, const char *form, bool compiled) {
  CueArena *a = c->p->a;
  Words argv = {0}, env = {0};
  cue_push(a, &argv, c->p->opm);
  cue_push(a, &argv, "mod");
  cue_push(a, &argv, "build");
  for (uint32_t i = 0; i < b->args.n; i++) cue_push(a, &argv, b->args.at[i]);
  cue_push(a, &argv, "-o");
  cue_push(a, &argv, form);
  cue_push(a, &argv, NULL);
  for (uint32_t i = 0; i < c->env.n && c->env.at[i]; i++) cue_push(a, &env, c->env.at[i]);
  cue_push(a, &env, compiled ? "OPM_COMPILE=wait" : "OPM_COMPILE=never");
  cue_push(a, &env, !compiled ? "OPM_PLANS=none" : c->evaluated ? "OPM_PLANS=many" : "OPM_PLANS=code");
  cue_push(a, &env, cue_strf(a, "XDG_CACHE_HOME=%s/.cache", c->root).s);
  cue_push(a, &env, NULL);
  return proc_run(a, argv.at, (ProcOptions){.cwd = c->cwd, .in = c->input, .env = env.at, .timeout = 60});
}

/* Both ways give the same bytes in both forms; *json is what that is as JSON. */
static bool build_both_ways(Case *c, const BuildLine *b, CueStr *json) {
  static const char *const forms[] = {"yaml", "json"};
  for (int f = 0; f < 2; f++) {
    ProcResult evaluated = build(c, b, forms[f], false), compiled = build(c, b, forms[f], true);
    if (evaluated.exit || compiled.exit || !cue_str_eq(evaluated.out, compiled.out)) {
      printf("  as %s, evaluated (%d):\n%.*s%.*s\n  compiled (%d):\n%.*s%.*s\n", forms[f], evaluated.exit,
             CUE_FMT(evaluated.err), CUE_FMT(evaluated.out), compiled.exit, CUE_FMT(compiled.err),
             CUE_FMT(compiled.out));
      return false;
    }
    *json = compiled.out;
  }
  return true;
}

static bool run_case(Case *c, const Words *w) {
  CueArena *a = c->p->a;
  BuildLine b;
  if (!build_line_parse(a, w, &b)) return false;
  CueStr ours;
  if (!build_both_ways(c, &b, &ours)) return false;

  /* What follows changes the module, so it happens in a copy. */
  const char *copy = scratch_dir(a);
  dir_copy(c->root, copy);
  Case in = *c;
  in.root = copy;
  in.cwd = cue_strf(a, "%s%s", copy, c->cwd + strlen(c->root)).s;
  const char *dir = path_in(&in, in.cwd, b.dir).s;
  CueValue input = cue_struct(cue_struct_new(a, 0)), env;
  bool ok = peer_deps(a, dir);
  CueValue values = base_values(&in, &b, dir);
  const char *ns = b.namespace;
  if (ok && b.environment) {
    ok = environment(&in, &b, dir, &env);
    if (!ok) printf("  cue does not find environment %s\n", b.environment);
    const CueValue *over = ok ? peer_at(&env, "values") : NULL;
    if (over) values = peer_merge(a, values, *over);
    if (ok) input = peer_with(a, input, "environment", env);
  }
  for (uint32_t i = 0; i < c->env.n && c->env.at[i]; i++)
    if (!ns && strncmp(c->env.at[i], "OPM_NAMESPACE=", 14) == 0 && !(b.environment && ok && peer_at(&env, "namespace")))
      ns = c->env.at[i] + 14;
  if (b.name) input = peer_with(a, input, "name", cue_string(cue_str(b.name)));
  if (ns) input = peer_with(a, input, "namespace", cue_string(cue_str(ns)));
  input = peer_with(a, input, "values", values);
  if (ok && !(ok = peer_install(a, dir, input))) printf("  %s does not look like a module\n", b.dir);
  if (ok) {
    const char *cue[] = {c->p->cue, "export", "./" PEER_FOLDER, "-e", "objects", NULL};
    ProcResult theirs = proc_run(a, cue, (ProcOptions){.cwd = dir, .timeout = 120});
    ok = theirs.exit == 0 && peer_same(a, ours, theirs.out);
    if (theirs.exit != 0) printf("  cue fails:\n%.*s", CUE_FMT(theirs.err));
  }
  if (!getenv("KEEP"))
    dir_remove(copy);
  else
    printf("  kept in %s\n", dir);
  return ok;
}

/* ---- archives ---- */

static void run_archive(Peers *p, const char *path, unsigned *passed, unsigned *failed) {
  CueStr text, line;
  if (!file_read(p->a, path, &text)) proc_die("read %s", path);
  Txtar t = txtar_parse(p->a, text);
  Section *cmd = txtar_find(&t, CUE_STR("cmd"));
  if (!cmd || cue_str_find(t.comment, CUE_STR("# differs from cue:")) >= 0) return;
  Case c = {.p = p, .archive = path, .root = scratch_dir(p->a)};
  c.evaluated = cue_str_find(t.comment, CUE_STR("# not compiled:")) >= 0;
  c.cwd = c.root;
  for (uint32_t i = 0; i < t.sections.n; i++) {
    Section *s = &t.sections.at[i];
    if (!cue_str_is(s->name, "cmd") && !cue_str_has_prefix(s->name, CUE_STR("expect/")))
      file_write(cue_strf(p->a, "%s/%.*s", c.root, CUE_FMT(s->name)).s, s->text);
  }
  for (size_t at = 0; script_next(cmd->text, &at, &line);) {
    Words w = script_words(p->a, line);
    if (w.n == 2 && strcmp(w.at[0], "cd") == 0) c.cwd = path_in(&c, c.cwd, w.at[1]).s;
    if (w.n == 2 && strcmp(w.at[0], "stdin") == 0) {
      c.input_file = path_in(&c, c.cwd, w.at[1]);
      file_read(p->a, c.input_file.s, &c.input);
    }
    if (w.n == 2 && strcmp(w.at[0], "env") == 0) {
      if (c.env.n) c.env.n--;
      cue_push(p->a, &c.env, w.at[1]);
      cue_push(p->a, &c.env, NULL);
    }
    if (!build_line_is(&w)) continue;
    if (run_case(&c, &w)) {
      ++*passed;
    } else {
      printf("%s: %.*s\n", path, CUE_FMT(line));
      ++*failed;
    }
    c.input = (CueStr){0};
  }
  dir_remove(c.root);
}

static const char *absolute(CueArena *a, const char *path) {
  char full[PATH_MAX];
  if (!realpath(path, full)) proc_die("%s", path);
  return cue_str_copy(a, cue_str(full)).s;
}

int main(int argc, char **argv) {
  Peers p = {.a = cue_arena_new()};
  const char *filter = "";
  unsigned passed = 0, failed = 0;
  int i = 1;
  if (i + 1 < argc && strcmp(argv[i], "-t") == 0) {
    filter = argv[i + 1];
    i += 2;
  }
  if (argc - i < 2) {
    fprintf(stderr, "usage: peer-modules [-t SUBSTRING] OPM CUE ARCHIVE...\n");
    return 2;
  }
  p.opm = absolute(p.a, argv[i++]);
  p.cue = absolute(p.a, argv[i++]);
  for (; i < argc; i++)
    if (strstr(argv[i], filter)) run_archive(&p, argv[i], &passed, &failed);
  printf("peer-modules: %u passed, %u failed\n", passed, failed);
  cue_arena_free(p.a);
  return failed != 0;
}
