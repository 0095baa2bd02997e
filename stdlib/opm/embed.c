/* embed.c - writes the modules of a list as C: run by make, no part of the program.
**
** usage: embed LIST NAME HEADER > NAME.c
**
** defines NAME_modules and NAME_count, which HEADER declares, and if there are any, NAME_patterns and NAME_npatterns.
** A line of the list is a folder, a module path and a version. Every .cue file below the folder
** becomes a string; the tables are what compiler/load.h calls LoadEmbedded. Files are in order of
** their names, so that the same sources give the same text.
**
** Patterns are the regular expressions written out behind =~, as tables (compiler/emit/dfa.h). With each file goes a list of its stubs: struct literals in values of its fields, which the program
** reads when they are used. They are found by parsing the file, so a file that is wrong ends the build.
*/
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compiler/emit/dfa.h"
#include "compiler/literal.h"
#include "compiler/parse.h"

enum {
  MAX_FILES = 1024,
  MAX_PATH = 512,
  MIN_STUB = 40 /* bytes: less is read at once */
};

static char names[MAX_FILES][MAX_PATH]; /* of the module under way, relative to its folder */
static int nnames;

static void die(const char *what, const char *path) {
  fprintf(stderr, "embed: %s %s: %s\n", what, path, strerror(errno));
  exit(1);
}

static void collect(const char *root, const char *below) {
  char dir[2 * MAX_PATH];
  snprintf(dir, sizeof dir, "%s/%s", root, below);
  DIR *d = opendir(dir);
  if (!d) die("open", dir);
  for (struct dirent *e; (e = readdir(d));) {
    char name[MAX_PATH], full[3 * MAX_PATH];
    struct stat st;
    if (e->d_name[0] == '.') continue;
    int n = snprintf(name, sizeof name, "%s%s%s", below, *below ? "/" : "", e->d_name);
    if (n >= (int)sizeof name) die("name too long", name);
    snprintf(full, sizeof full, "%s/%s", root, name);
    if (stat(full, &st)) die("stat", full);
    size_t len = strlen(name);
    if (S_ISDIR(st.st_mode))
      collect(root, name);
    else if (len > 4 && !strcmp(name + len - 4, ".cue")) {
      if (nnames == MAX_FILES) die("too many files", root);
      memcpy(names[nnames++], name, sizeof name);
    }
  }
  closedir(d);
}

static int by_name(const void *x, const void *y) { return strcmp(x, y); }

static CueStr read_file(CueArena *a, const char *path) {
  CueBuf b = cue_buf(a);
  FILE *f = fopen(path, "rb");
  if (!f) die("open", path);
  char chunk[4096];
  for (size_t n; (n = fread(chunk, 1, sizeof chunk, f)) > 0;) cue_buf_add(&b, chunk, n);
  if (ferror(f)) die("read", path);
  fclose(f);
  return cue_buf_done(&b);
}

static void write_string(CueStr text) {
  printf("\"");
  for (size_t i = 0; i < text.n; i++) {
    int c = (unsigned char)text.s[i];
    if (c == '\n')
      printf("\\n\"\n\"");
    else if (c == '"' || c == '\\')
      printf("\\%c", c);
    else if (c == '?')
      printf("\\?"); /* no trigraphs */
    else if (c < 32 || c > 126)
      printf("\\%03o", (unsigned)c);
    else
      putchar(c);
  }
  printf("\"");
}

/* ---- stubs ---- */

typedef struct {
  uint32_t lets;   /* let clauses of structs, not of comprehensions */
  bool attributes; /* the loader looks for some */
  CueArena *a;     /* of patterns; NULL if nobody asks for them */
  CUE_VEC(CueStr) patterns;
} Contents;

static void look(Contents *c, const Ast *n);

static void look_all(Contents *c, const AstList *l) {
  for (uint32_t i = 0; i < l->n; i++) look(c, l->at[i]);
}

static void look_at_pattern(Contents *c, Tok op, const Ast *x) {
  if (!c->a || (op != TOK_MAT && op != TOK_NMAT) || x->kind != AST_BASIC || x->op != TOK_STRING) return;
  cue_push(c->a, &c->patterns, cue_str_copy(c->a, cue_value_str(cue_literal_string(c->a, x->u.text))));
}

static void look(Contents *c, const Ast *n) {
  if (!n) return;
  switch ((AstKind)n->kind) {
  case AST_ATTRIBUTE: c->attributes = true; return;
  case AST_FIELD:
    look(c, n->u.field.label);
    look(c, n->u.field.value);
    look_all(c, &n->u.field.attrs);
    return;
  case AST_LET:
    c->lets++;
    look(c, n->u.let.value);
    return;
  case AST_COMPREHENSION:
    for (uint32_t i = 0; i < n->u.comp.clauses.n; i++) {
      const Ast *clause = n->u.comp.clauses.at[i];
      look(c, clause->kind == AST_LET ? clause->u.let.value : clause);
    }
    look(c, n->u.comp.value);
    look(c, n->u.comp.fallback);
    return;
  case AST_TRY: look(c, n->u.let.value); return;
  case AST_FOR: look(c, n->u.loop.source); return;
  case AST_STRUCT:
  case AST_LIST:
  case AST_INTERPOLATION: look_all(c, &n->u.list); return;
  case AST_EMBED:
  case AST_ELLIPSIS:
  case AST_PAREN:
  case AST_IF:
  case AST_FALLBACK: look(c, n->u.x); return;
  case AST_SELECTOR: look(c, n->u.sel.x); return;
  case AST_SLICE:
    look(c, n->u.slice.x);
    look(c, n->u.slice.lo);
    look(c, n->u.slice.hi);
    return;
  case AST_CALL:
    look(c, n->u.call.fun);
    look_all(c, &n->u.call.args);
    return;
  case AST_UNARY:
  case AST_POSTFIX:
    look_at_pattern(c, (Tok)n->op, n->u.unary.x);
    look(c, n->u.unary.x);
    return;
  case AST_INDEX:
  case AST_BINARY:
    look_at_pattern(c, (Tok)n->op, n->u.binary.y);
    look(c, n->u.binary.x);
    look(c, n->u.binary.y);
    return;
  case AST_ALIAS: look(c, n->u.alias.x); return;
  default: return;
  }
}

/* Writes the structs of an expression that stand in no other scope. */
static void write_stubs(const CueSource *src, const Ast *n) {
  switch ((AstKind)n->kind) {
  case AST_PAREN: write_stubs(src, n->u.x); return;
  case AST_UNARY: write_stubs(src, n->u.unary.x); return;
  case AST_CALL:
    for (uint32_t i = 0; i < n->u.call.args.n; i++) write_stubs(src, n->u.call.args.at[i]);
    return;
  case AST_BINARY:
    write_stubs(src, n->u.binary.x);
    write_stubs(src, n->u.binary.y);
    return;
  case AST_STRUCT: {
    Contents c = {0};
    look(&c, n);
    uint32_t open = cue_pos_offset(n->open) - src->base, close = cue_pos_offset(n->close) - src->base;
    if (!n->synthetic && !c.attributes && close - open >= MIN_STUB) printf("    {%u, %u, %u},\n", open, close, c.lets);
    return;
  }
  default: return;
  }
}

static void write_file_stubs(CueArena *a, Contents *all, const char *path, CueStr text) {
  CueSources ss;
  cue_sources_init(&ss, a);
  CueDiags d = {.a = a};
  const AstFile *f = cue_parse_file(a, cue_source_keep(&ss, cue_str(path), text), (ParseOptions){0}, &d);
  if (d.n) {
    CueBuf b = cue_buf(a);
    cue_diags_print(&b, &d, &ss, CUE_STR(""));
    fputs(cue_buf_done(&b).s, stderr);
    exit(1);
  }
  look_all(all, &f->root->u.list);
  const AstList *decls = &f->root->u.list;
  for (uint32_t i = 0; i < decls->n; i++) {
    const Ast *n = decls->at[i];
    if (n->kind != AST_FIELD || n->u.field.alias_field) continue;
    if (n->u.field.label->kind == AST_IDENT || n->u.field.label->kind == AST_BASIC)
      write_stubs(f->source, n->u.field.value);
  }
}

static void write_module(int k, const char *root, Contents *all) {
  nnames = 0;
  collect(root, "");
  qsort(names, (size_t)nnames, sizeof names[0], by_name);
  for (int i = 0; i < nnames; i++) {
    char full[2 * MAX_PATH];
    snprintf(full, sizeof full, "%s/%s", root, names[i]);
    CueArena *a = cue_arena_new();
    CueStr text = read_file(a, full);
    printf("static const char text_%d_%d[] =\n", k, i);
    write_string(text);
    printf(";\nstatic const CueStub stubs_%d_%d[] = {\n", k, i);
    write_file_stubs(a, all, full, text);
    printf("    {UINT32_MAX, 0, 0},\n};\n");
    cue_arena_free(a);
  }
  printf("static const LoadEmbeddedFile files_%d[] = {\n", k);
  for (int i = 0; i < nnames; i++)
    printf("    {\"%s\", text_%d_%d, sizeof text_%d_%d - 1, stubs_%d_%d},\n", names[i], k, i, k, i, k, i);
  printf("};\n");
}

/* ---- patterns ---- */

static int by_text(const void *x, const void *y) { return cue_str_cmp(*(const CueStr *)x, *(const CueStr *)y); }

static void write_table(uint32_t k, const CueDfa *d) {
  printf("static const uint8_t classes_%u[] = {", k);
  for (int i = 0; i < 256; i++) printf("%s%u,", i % 32 ? " " : "\n    ", d->classes[i]);
  printf("\n};\nstatic const uint16_t next_%u[] = {", k);
  for (unsigned i = 0; i < (unsigned)d->rows * d->width; i++)
    printf("%s%u,", i % d->width ? " " : "\n    ", d->next[i]);
  printf("\n};\nstatic const CueDfa dfa_%u = {%u, %u, %u, %u, next_%u, classes_%u};\n", k, d->width, d->start,
         d->accepting, d->rows, k, k);
  printf("static bool test_%u(const char *s, size_t n) { return cue_dfa_test(&dfa_%u, s, n); }\n", k, k);
}

static void write_patterns(Contents *all, const char *name) {
  if (!all->patterns.n) return;
  qsort(all->patterns.at, all->patterns.n, sizeof *all->patterns.at, by_text);
  printf("\n#include \"runtime/dfa.h\"\n#include \"runtime/regex.h\"\n\n");
  CueArena *a = cue_arena_new();
  CUE_VEC(CueStr) known = {0};
  for (uint32_t i = 0; i < all->patterns.n; i++) {
    CueStr p = all->patterns.at[i];
    const char *why;
    if (i && cue_str_eq(p, all->patterns.at[i - 1])) continue;
    const CueDfa *d = dfa_compile(a, p, &why);
    if (!d) continue; /* left to RE2 */
    write_table(known.n, d);
    cue_push(a, &known, p);
  }
  printf("const CueKnownPattern %s_patterns[] = {\n", name);
  for (uint32_t i = 0; i < known.n; i++) {
    printf("    {{");
    write_string(known.at[i]);
    printf(", %zu}, test_%u},\n", known.at[i].n, i);
  }
  printf("};\nconst size_t %s_npatterns = %u;\n", name, known.n);
  cue_arena_free(a);
}

int main(int argc, char **argv) {
  FILE *list = argc == 4 ? fopen(argv[1], "r") : NULL;
  if (!list) die("usage: embed", "LIST NAME HEADER");
  char line[3 * MAX_PATH], folder[MAX_PATH], path[64][MAX_PATH], version[64][32];
  int count[64], n = 0;
  Contents all = {.a = cue_arena_new()};
  printf("/* Made by stdlib/opm/embed.c. */\n#include \"%s\"\n\n", argv[3]);
  while (fgets(line, sizeof line, list) && n < 64) {
    if (line[0] == '#' || sscanf(line, "%511s %511s %31s", folder, path[n], version[n]) != 3) continue;
    write_module(n, folder, &all);
    count[n++] = nnames;
  }
  fclose(list);
  printf("const LoadEmbedded %s_modules[] = {\n", argv[2]);
  for (int i = 0; i < n; i++) printf("    {\"%s\", \"%s\", files_%d, %d},\n", path[i], version[i], i, count[i]);
  printf("    {0},\n};\nconst size_t %s_count = %d;\n", argv[2], n);
  write_patterns(&all, argv[2]);
  cue_arena_free(all.a);
  return fflush(stdout) || ferror(stdout);
}
