/* eval.h - the evaluator as others see it: exporter, validator, commands, conformance runner.
**
** An Eval holds all state of a run. Vertices are evaluated on demand: cue_finalize brings
** one, with all below it, to its final state; after that base, arcs and child_errors may be
** read. Nothing here reports to the user: failure is a Bottom.
*/
#ifndef CUE_EVAL_H
#define CUE_EVAL_H

#include "compiler/ir.h"
#include "runtime/read.h"

typedef struct Eval Eval;

typedef const CueBuiltinPackage *CueFindPackage(CueStr path);

struct CueContext { /* shared by loader, resolver, evaluator, exporter */
  CueArena *a;
  CueSources *sources;
  LabelTable *labels;
  CueFindPackage *find_builtin; /* given by the program: stdlib's table */
  CueVisitText *visit_toml;     /* likewise; may be NULL */
  bool yaml_places;             /* errors in YAML have a place: cue names at most their line */
  CueRegexCache *regexes;
  Eval *eval;
  CueStr cwd;                     /* set by the loader: messages name files relative to it */
  uint32_t lets;                  /* how many let names were made: each is unique */
  struct BuiltinVertex *builtins; /* packages made by cue_builtin_vertex */
  const struct Shown *shown;      /* vertices whose text is under way: text.c */
  uint32_t in_values;             /* how many messages under way are part of a value's text */
};
typedef struct CueContext CueContext;

CueContext *cue_context_new(CueArena *a, CueFindPackage *find);
void cue_context_free(CueContext *c); /* what the arena does not own */
/* Runs fn on a stack deep enough for any value the limits allow. The context must be made inside. */
int cue_run_on_big_stack(int (*fn)(void *), void *arg);

/* ---- resolve.c: syntax to core language ---- */
/* Builds inst->root (and its imports') from the files. Errors (unresolved references, unused imports, ...) go to d. */
bool cue_build(CueContext *c, Instance *inst, CueDiags *d);
/* Names that clash in a file alone, which may have errors of syntax: what cue's parser tells beside them. */
void cue_check_names(CueContext *c, AstFile *f, CueDiags *d);
/* An expression in the scope of a built instance (cue -e): names resolve to its fields, then imports, then builtin
** packages by name. NULL on error. */
Ir *cue_build_expr(CueContext *c, Instance *scope, Ast *x, CueDiags *d);
/* The vertex of a builtin package (functions and constants), made once. */
Vertex *cue_builtin_vertex(CueContext *c, const CueBuiltinPackage *p);
/* One of the language's own functions by name (len, close, and, ...), NULL if there is none. */
IrBuiltin *eval_core_builtin(CueContext *c, CueStr name);

/* ---- evaluation ---- */
void cue_finalize(Eval *e, Vertex *v);
Vertex *cue_eval_expr(Eval *e, Vertex *scope, Ir *x); /* a fresh vertex holding x evaluated in scope */
Vertex *cue_unify_vertices(Eval *e, Vertex *x, Vertex *y);
Vertex *cue_vertex_of(Eval *e, Ir *value);  /* wraps a plain value */
Vertex *cue_from_data(Eval *e, CueValue v); /* concrete data as a vertex */

/* ---- reading results ---- */
static inline Vertex *vertex_deref(Vertex *v) { /* through shared nodes and chosen disjuncts */
  while (v->base && v->base->kind == IR_VERTEX) v = IR_AS(Vertex, v->base);
  return v;
}
Ir *vertex_value(Vertex *v);      /* of a dereferenced vertex: scalar, bound, ... or v itself for struct and list */
Bottom *vertex_bottom(Vertex *v); /* NULL if it is no error */
Vertex *vertex_default(Eval *e, Vertex *v); /* default chosen; v itself if none */
Ir *value_default(Eval *e, Ir *x);
IrScalar *
ir_default_scalar(const Ir *base); /* the only default of a disjunction, if it is nothing but a scalar; or NULL */
Vertex *vertex_arc(const Vertex *v, Label l); /* as it is, or NULL */
unsigned ir_kinds(Ir *x);                     /* CueKind set of a value */
bool ir_is_concrete(Ir *x);
bool vertex_is_list(const Vertex *v);
bool vertex_is_open_list(const Vertex *v);
bool vertex_is_closed_struct(Eval *e, Vertex *v);
bool vertex_accepts(Eval *e, Vertex *v, Label l); /* may a field l be added? (`allows`) */
bool vertex_defined(Eval *e, Vertex *v);          /* arc is a regular member */

enum { EQUAL_IGNORE_OPTIONAL = 1, EQUAL_STRUCTURAL = 2, EQUAL_REGULAR_ONLY = 4 };
bool cue_equal(Eval *e, Ir *x, Ir *y, unsigned flags);

/* within: part of an evaluation, whose messages tell the definitions a field came by. */
typedef struct {
  bool concrete, final, disallow_cycles, report_incomplete, all_errors, within;
} ValidateOptions;
Bottom *cue_validate(Eval *e, Vertex *v, ValidateOptions opt); /* NULL if all is well */

/* ---- errors ---- */
/* Turns the errors of a bottom into diagnostics (path, message, positions). */
void cue_bottom_report(Eval *e, const Bottom *b, CueDiags *d);
void cue_value_report(Eval *e, Vertex *v, const Bottom *b,
                      CueDiags *d); /* the same; errors without a path get that of v */
CueStr err_message(Eval *e, CueArena *a, const Err *err);
void err_text_each(Eval *e, CueBuf *out, const Err *err); /* each of the errors wrapped in another with its own path */
CueStr vertex_path(Eval *e, CueArena *a, Vertex *v);

/* ---- text.c: values as error messages show them, compactly ---- */
void ir_text(CueBuf *out, CueContext *c,
             Ir *x); /* `{a:1}`, `[1,2]`, `=~"^x"`, `"b" | "a" | string`, references as written */

/* ---- export.c: results as data and as syntax ---- */
/* Deep concrete data: defaults taken, definitions, hidden and optional fields dropped, fields in cue's order.
** Returns bottom-kind CueValue and reports to d if something is not concrete or wrong. */
CueValue cue_export_data(Eval *e, CueArena *a, Vertex *v, CueDiags *d);
/* ... written to out, without a value in between. False with d filled, and nothing written. Where there is a drain, it
** takes away what is in out when that is much, which is not before the rest is known to be right. */
bool cue_export_json(Eval *e, CueArena *a, Vertex *v, CueBuf *out, CueJsonStyle style, CueDrain *drain, void *arg,
                     CueDiags *d);
/* The same for YAML, where an element of a list is written as in its source: [0x10, 1e3]. */
CueValue cue_export_written(Eval *e, CueArena *a, Vertex *v, CueDiags *d);
/* Either, without validating first; *why is the first failure, or NULL. */
CueValue cue_vertex_data(Eval *e, CueArena *a, Vertex *v, bool written, Bottom **why);
/* The text of a string, or also of bytes; false with d filled for other values. */
bool cue_export_raw(Eval *e, CueArena *a, Vertex *v, bool bytes, CueStr *out, CueDiags *d);

typedef struct {      /* how a value is written as CUE: see cue eval, def, export --out cue */
  bool take_defaults; /* defaults in place of disjunctions */
  bool show_optional, show_definitions, show_hidden, show_docs, show_attributes;
  bool show_errors;       /* errors below stay where they are (cue eval -i) */
  bool inline_imports;    /* cue def --inline-imports */
  bool expand_references; /* concrete output: nothing outside is referred to */
  CueStr
      package; /* scope of hidden names of the instance, "_" if it has no package: these are shown. "" for the result of -e */
} ExportOptions;
/* Both return an AST_FILE, for fmt.c. Evaluated values, for cue eval and export: */
Ast *cue_export_value(Eval *e, CueArena *a, Vertex *v, const ExportOptions *opt);
/* ... and schemas with references, for cue def; with a package clause if its files have one. */
Ast *cue_export_definition(Eval *e, CueArena *a, Vertex *v, const ExportOptions *opt);

/* ---- toposort.c: the order in which fields are shown ---- */
void cue_field_order(Eval *e, CueArena *a, Vertex *v, Vertex ***arcs,
                     uint32_t *n);           /* arcs of v in cue's order, all label kinds */
bool cue_fields_as_written(const Vertex *v); /* the arcs stand as one literal wrote them, or need no order */

/* ---- subsume.c ---- */
bool cue_subsumes(Eval *e, Vertex *schema, Vertex *v); /* v is an instance of schema, finalized values */

#endif
