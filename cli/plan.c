/* plan.c - see plan.h.
**
** The order of steps is cue's, since it decides which of several errors is seen: flags, then
** loading, then placement flags, then data files, then building. Packages are validated before
** the first of them is used; files given one by one are not, since what uses them will.
*/
#include "cli/plan.h"

#include "cli/log.h"
#include "compiler/parse.h"
#include "compiler/load_fs.h"
#include "stdlib/opm/catalog.h"

/* ---- flags ---- */

static bool parse_expression(Plan *p, const char *flag, CueStr text, Ast **out, CueDiags *d) {
  CueSource *src = cue_source_add(p->r->c->sources, cue_str(flag), text);
  if (!src) return cue_report(d, 0, "%s is too long", flag);
  *out = cue_parse_expr(p->r->a, src, (ParseOptions){0}, d);
  return *out != NULL;
}

/* Splits "type:file" as --outfile takes it; a path from the root has no type. */
static bool split_type(CueStr s, CueStr *type, CueStr *file) {
  ptrdiff_t colon = s.n && s.s[0] == '/' ? -1 : cue_str_find(s, CUE_STR(":"));
  *type = colon < 0 ? CUE_STR("") : cue_str_sub(s, 0, (size_t)colon);
  *file = colon < 0 ? s : cue_str_sub(s, (size_t)colon + 1, s.n);
  return colon >= 0;
}

static bool has_tag(CueStr type, const char *tag) {
  for (size_t from = 0, to; from <= type.n; from = to + 1) {
    for (to = from; to < type.n && type.s[to] != '+';) to++;
    if (cue_str_is(cue_str_sub(type, from, to), tag)) return true;
  }
  return false;
}

static bool output_flags(Plan *p, CueDiags *d) {
  CueArena *a = p->r->a;
  CueStr out = flag_text(&p->r->flags, FLAG_OUT), file = flag_text(&p->r->flags, FLAG_OUTFILE);
  bool both = cue_str_find(out, CUE_STR(":")) >= 0 && cue_str_find(file, CUE_STR(":")) >= 0;
  if (both) return cue_report(d, 0, "cannot specify qualifier in both --out and --outfile");
  if (!file.n) file = CUE_STR("-");
  if (out.n) file = cue_strf(a, "%.*s:%.*s", CUE_FMT(out), CUE_FMT(file));
  CueStr type, name, error;
  if (split_type(file, &type, &name) && !type.n)
    return cue_report(d, 0, "empty filetype prefix in \"%.*s\"", CUE_FMT(file));
  if (!name.n) return cue_report(d, 0, "empty file name in \"%.*s\"", CUE_FMT(file));
  /* Where no type is given, stdout is JSON for export and CUE otherwise. */
  bool is_stdout = cue_str_is(name, "-");
  if (!load_file_type(a, type, is_stdout && p->mode == MODE_EXPORT ? CUE_STR("-.json") : name, &p->out, &error))
    return cue_report(d, 0, "%.*s", CUE_FMT(error));
  p->out.path = p->out.name = name;
  /* Only input is looked at to find out what it means. */
  if (cue_str_is(p->out.interpretation, "auto") && !has_tag(type, "auto")) p->out.interpretation = CUE_STR("");
  return true;
}

static bool parse_flags(Plan *p, CueDiags *d) {
  const Flags *f = &p->r->flags;
  if (p->mode != MODE_VET) {
    if (!output_flags(p, d)) return false;
    for (uint32_t i = 0; i < f->at[FLAG_EXPRESSION].texts.n; i++) {
      Ast *x;
      if (!parse_expression(p, "--expression", f->at[FLAG_EXPRESSION].texts.at[i], &x, d)) return false;
      cue_push(p->r->a, &p->expressions, x);
    }
  }
  CueStr schema = flag_text(f, FLAG_SCHEMA), error;
  if (schema.n && !parse_expression(p, "--schema", schema, &p->schema_expr, d)) return false;
  CueStr name = flag_text(f, FLAG_NAME);
  bool ok = !name.n || cue_regex_get(p->r->c->regexes, p->r->a, name, &error) != NULL;
  return ok || cue_report(d, 0, "%.*s", CUE_FMT(error));
}

static LoadConfig load_config(Run *r, const Plan *p) {
  const Flags *f = &r->flags;
  return (LoadConfig){
      .cwd = r->cwd,
      .package = CUE_STR(""),
      .tags = f->at[FLAG_INJECT].texts.at,
      .ntags = f->at[FLAG_INJECT].texts.n,
      .tag_vars = flag_on(f, FLAG_INJECT_VARS),
      .comments = p->mode == MODE_DEF || (p->mode == MODE_EXPORT && p->out.encoding == CUE_ENC_CUE) ||
                  flag_on(f, FLAG_ATTRIBUTES),
      .cache_dir = CUE_STR(""),
      .embedded = catalog_modules,
      .nembedded = catalog_count,
      .replaced = log_replaced,
      .replaced_user = r,
      .input = r->input,
      .has_input = r->has_input,
  };
}

/* ---- data files ---- */

/* The data files of an instance that the command is to read. */
static bool data_files(Plan *p, const Loaded *l, LoadFiles *out, CueDiags *d) {
  for (uint32_t i = 0; i < l->orphans.n; i++) {
    const LoadFile *f = &l->orphans.at[i];
    switch (f->encoding) {
    case CUE_ENC_JSON:
    case CUE_ENC_JSONL:
    case CUE_ENC_YAML:
    case CUE_ENC_TOML:
    case CUE_ENC_XML:
    case CUE_ENC_TEXT:
    case CUE_ENC_BINARY:
    case CUE_ENC_PROTO:
    case CUE_ENC_TEXTPROTO: cue_push(p->r->a, out, *f); break;
    default: return cue_report(d, 0, "unsupported encoding \"%s\"", cue_encoding_name(f->encoding));
    }
  }
  return true;
}

/* Builds the CUE that data is checked against, or merged with. */
static bool build_base(Plan *p, Instance *inst, CueDiags *d) {
  CueContext *c = p->r->c;
  if (!cue_build(c, inst, d)) return false;
  cue_finalize(c->eval, inst->root);
  p->base = inst;
  p->schema = inst->root;
  if (!p->schema_expr) return true;
  Ir *x = cue_build_expr(c, inst, p->schema_expr, d);
  if (!x) return false;
  p->schema = cue_eval_expr(c->eval, inst->root, x);
  Bottom *why = cue_validate(c->eval, p->schema, (ValidateOptions){.all_errors = true});
  if (why) cue_value_report(c->eval, p->schema, why, d);
  return !why;
}

/* Files given one by one: CUE files make the base, data files are merged with it or checked. */
static bool take_files(Plan *p, Loaded *files, CueDiags *d) {
  LoadFiles data = {0};
  if (!data_files(p, files, &data, d)) return false;
  if (p->packages.n > 1 && p->schema_expr)
    return cue_report(d, 0, "cannot use --schema/-d with flag more than one schema");
  if (p->packages.n > 1)
    return cue_report(d, 0, "too many packages defined (%u) in combination with files", p->packages.n);
  Instance *base = files->instance;
  if (p->packages.n) {
    base = p->packages.at[0]->instance;
    p->packages.n = 0;
  } else {
    Instance *empty = cue_new(p->r->a, Instance);
    *empty = *base;
    empty->files.n = empty->files.cap = 0;
    files->instance = empty;
  }
  if (base->files.n) {
    if (!build_base(p, base, d)) return false;
  } else if (p->schema_expr) {
    return cue_report(d, 0, "-d/--schema flag specified without a schema");
  }
  bool merge = p->mode != MODE_VET && flag_on(&p->r->flags, FLAG_MERGE);
  bool place = merge || p->use_list || p->path.n;
  if (p->schema_expr || !place)
    p->documents = data;
  else if (!place_files(p, files, &data, d))
    return false;
  if (files->instance->files.n) cue_push(p->r->a, &p->packages, files);
  return true;
}

bool plan_make(Run *r, Mode mode, Plan *p, CueDiags *d) {
  *p = (Plan){.r = r, .mode = mode};
  if (!parse_flags(p, d)) return false;
  p->load = load_config(r, p);
  LoadedList all = load_args(r->c, &p->load, r->flags.args.at, r->flags.args.n);
  if (!place_flags(p, d)) return false;
  Loaded *files = NULL;
  for (uint32_t i = 0; i < all.n; i++) {
    Loaded *l = all.at[i];
    if (l->instance->errors->n) {
      *d = *l->instance->errors;
      return false;
    }
    if (!l->user)
      cue_push(r->a, &p->packages, l);
    else if (files)
      return cue_report(d, 0, "builds contain two file packages");
    else
      files = l;
  }
  if (!p->packages.n && flag_text(&r->flags, FLAG_NAME).n)
    return cue_report(d, 0, "use of -n/--name flag without a directory");
  return !files || take_files(p, files, d);
}

/* ---- iteration ---- */

static bool build_packages(Plan *p, CueDiags *d) {
  CueContext *c = p->r->c;
  bool ok = true;
  for (uint32_t i = 0; i < p->packages.n; i++) ok &= cue_build(c, p->packages.at[i]->instance, d);
  for (uint32_t i = 0; ok && !flag_on(&p->r->flags, FLAG_IGNORE) && i < p->packages.n; i++) {
    Vertex *root = p->packages.at[i]->instance->root;
    cue_finalize(c->eval, root);
    Bottom *why = cue_validate(c->eval, root, (ValidateOptions){.all_errors = true});
    if (!why) continue;
    cue_bottom_report(c->eval, why, d);
    return false;
  }
  return ok;
}

static CueStr instance_id(CueArena *a, const Instance *inst) {
  if (inst->path.n) return inst->path;
  if (!inst->package.n) return CUE_STR("_");
  return cue_strf(a, "%.*s:%.*s", CUE_FMT(inst->module), CUE_FMT(inst->package));
}

static bool next_package(Plan *p, PlanValue *out) {
  if (p->next == p->packages.n) return false;
  Instance *inst = p->packages.at[p->next++]->instance;
  out->id = instance_id(p->r->a, inst);
  out->value = inst->root;
  out->is_root = !p->base;
  if (p->base) out->value = cue_unify_vertices(p->r->c->eval, inst->root, p->base->root);
  return true;
}

static bool next_document(Plan *p, PlanValue *out, CueDiags *d) {
  CueContext *c = p->r->c;
  while (p->next_document == p->open.n) {
    if (p->broken.n) {
      *d = p->broken;
      return false;
    }
    if (p->next == p->documents.n) return false;
    p->broken = run_diags(p->r);
    p->open = load_data(c, &p->load, &p->documents.at[p->next++], &p->broken);
    p->next_document = 0;
  }
  AstFile *f = p->open.at[p->next_document++];
  Instance *inst = cue_new(p->r->a, Instance);
  *inst = (Instance){.path = CUE_STR(""), .package = CUE_STR(""), .dir = CUE_STR(""), .module = CUE_STR("")};
  cue_push(p->r->a, &inst->files, f);
  if (!cue_build(c, inst, d)) return false;
  out->id = CUE_STR("");
  out->value = inst->root;
  if (p->schema) out->value = cue_unify_vertices(c->eval, inst->root, p->schema);
  cue_finalize(c->eval, out->value);
  Bottom *why = vertex_bottom(vertex_deref(out->value));
  if (!why) return true;
  Bottom *deep = p->schema ? cue_validate(c->eval, out->value, (ValidateOptions){.all_errors = true}) : NULL;
  cue_bottom_report(c->eval, deep ? deep : why, d);
  return false;
}

static bool next_value(Plan *p, PlanValue *out, CueDiags *d) {
  *out = (PlanValue){.errors.a = p->r->a};
  if (p->documents.n) return next_document(p, out, d);
  if (p->packages.n) return next_package(p, out);
  if (!p->base || p->next) return false;
  p->next = 1;
  out->id = instance_id(p->r->a, p->base);
  out->value = p->base->root;
  out->is_root = true;
  return true;
}

static void evaluate(Plan *p, const Ast *x, PlanValue *v) {
  CueContext *c = p->r->c;
  Instance scope = {.path = v->id, .package = CUE_STR(""), .dir = CUE_STR(""), .module = CUE_STR(""), .root = v->value};
  Ir *ir = cue_build_expr(c, &scope, (Ast *)(uintptr_t)x, &v->errors);
  v->value = ir ? cue_eval_expr(c->eval, v->value, ir) : NULL;
  v->expression = x;
  v->is_root = false;
}

bool plan_next(Plan *p, PlanValue *out, CueDiags *d) {
  if (!p->begun) {
    p->begun = true;
    p->next_expression = p->expressions.n;
    p->current = cue_new(p->r->a, PlanValue);
    if (!p->documents.n && !build_packages(p, d)) return false;
  }
  if (!p->expressions.n) {
    if (!next_value(p, out, d)) return false;
  } else {
    if (p->next_expression == p->expressions.n) {
      if (!next_value(p, p->current, d)) return false;
      p->next_expression = 0;
    }
    *out = *p->current;
    evaluate(p, p->expressions.at[p->next_expression++], out);
  }
  if (out->value) cue_finalize(p->r->c->eval, out->value);
  return true;
}
