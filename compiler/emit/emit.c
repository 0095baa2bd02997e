/* emit.c - the file: head, data, functions, and the table of them. */
#include "compiler/emit/emit_impl.h"

static void put_function_row(Emit *e, CueBuf *b, const CompiledFunction *f, CueStr code) {
  cue_buf_z(b, "    {.name = {");
  put_c_string(b, f->name);
  cue_buf_f(b, ", %zu}, .code = %s", f->name.n, code.n ? code.s : "NULL");
  if (code.n) {
    cue_buf_f(b, ", .slots = %u},\n", e->ncells);
    return;
  }
  CueStr why = f->plan ? CUE_STR("loops are nested too deeply") : f->why;
  cue_buf_z(b, ", .why = {");
  put_c_string(b, why);
  cue_buf_f(b, ", %zu}},\n", why.n);
}

static void put_uses(Emit *e, CueBuf *out) {
  if (!e->use_list.n) return;
  cue_buf_z(out, "/* Functions of packages, by name. */\nenum {");
  for (uint32_t i = 0; i < e->use_list.n; i++) cue_buf_f(out, "%s%s", i ? ", " : " ", e->use_names.at[i].s);
  cue_buf_z(out, " };\nstatic const CueUseName use_names[] = {\n");
  for (uint32_t i = 0; i < e->use_list.n; i++) {
    cue_buf_z(out, "    {");
    put_c_string(out, cue_str(e->use_list.at[i].package));
    cue_buf_z(out, ", ");
    put_c_string(out, cue_str(e->use_list.at[i].name));
    cue_buf_z(out, "},\n");
  }
  cue_buf_z(out, "};\n\n");
}

/* The text with its own lines numbered where they follow those of CUE. */
static CueStr numbered(CueArena *a, CueStr text, CueStr file) {
  CueBuf out = cue_buf(a);
  uint32_t number = 1;
  for (size_t i = 0, end; i < text.n; i = end, number++) {
    for (end = i; end < text.n && text.s[end] != '\n';) end++;
    end += end < text.n;
    CueStr line = cue_str_sub(text, i, end);
    if (!cue_str_is(line, EMIT_HERE)) {
      cue_buf_str(&out, line);
      continue;
    }
    cue_buf_f(&out, "#line %u ", number + 1);
    put_c_string(&out, file);
    cue_buf_ch(&out, '\n');
  }
  return cue_buf_done(&out);
}

static CueStr text_at(CueValue x, const char *key) {
  const CueValue *v = x.kind == CUE_STRUCT ? cue_struct_get(x.as.fields, cue_str(key)) : NULL;
  return v && v->kind == CUE_STRING ? cue_value_str(*v) : CUE_STR("");
}

/* The first line says what the file is. A module is told by its metadata, a provider by itself. */
static void put_title(CueArena *a, CueBuf *out, const Compiled *c) {
  const CueValue *metadata =
      c->about.kind == CUE_STRUCT ? cue_struct_get(c->about.as.fields, CUE_STR("metadata")) : NULL;
  CueValue who = metadata ? *metadata : c->about;
  CueStr name = text_at(who, "name"), version = text_at(who, "version");
  cue_buf_f(out, "/* %s ", c->kind == COMPILED_MODULE ? "module" : "provider");
  put_comment(out, cue_strf(a, "%.*s %.*s", CUE_FMT(name), CUE_FMT(version)));
  cue_buf_z(out, ", compiled by opm. Do not edit. */\n#include \"abi.h\"\n\n");
}

CueStr emit_c(CueArena *a, const Compiled *c, const EmitOptions *o) {
  Emit e = {.a = a, .o = o, .graph.a = a};
  e.names.a = e.names.taken.a = e.values.a = e.schemas.a = e.patterns.a = e.uses.a = e.schema_seen.a = a;
  e.data = cue_buf(a);
  e.functions = cue_buf(a);
  Node **roots = cue_array(a, Node *, c->n + 1);
  for (uint32_t i = 0; i < c->n; i++)
    if (c->functions[i].plan) roots[i] = graph_add(&e.graph, c->functions[i].plan, c->functions[i].slots);
  uint32_t n = e.graph.at.n;
  e.outlined = cue_array(a, bool, n + 1);
  e.own = cue_array(a, uint32_t, n + 1);
  e.cells = cue_array(a, uint32_t, n + 1);
  e.made = cue_array(a, CueStr, n + 1);
  emit_outline(&e);
  CueBuf rows = cue_buf(a), out = cue_buf(a);
  CueStr about = emit_value(&e, c->about, CUE_STR("about"));
  for (uint32_t i = 0; i < c->n; i++) {
    const CompiledFunction *f = &c->functions[i];
    CueStr code = roots[i] ? emit_function(&e, roots[i], f->name, f->name) : CUE_STR("");
    put_function_row(&e, &rows, f, code);
  }
  put_title(a, &out, c);
  cue_buf_f(
      &out,
      "#if CUE_ABI != %d\n#error \"this was written for version %d of abi.h; compile it again with opm\"\n#endif\n\n",
      CUE_ABI, CUE_ABI);
  put_uses(&e, &out);
  cue_buf_str(&out, cue_buf_done(&e.data));
  cue_buf_ch(&out, '\n');
  cue_buf_str(&out, cue_buf_done(&e.functions));
  cue_buf_f(&out, "static const CompiledFunction functions[] = {\n%s};\n\n", cue_buf_done(&rows).s);
  cue_buf_f(&out, "extern const Compiled %s;\nconst Compiled %s = {\n    .kind = %s,\n    .abi = CUE_ABI,\n", o->symbol,
            o->symbol, c->kind == COMPILED_PROVIDER ? "COMPILED_PROVIDER" : "COMPILED_MODULE");
  cue_buf_f(&out, "    .about = %s,\n    .functions = functions,\n    .n = %u,\n", about.s, c->n);
  if (e.use_list.n) cue_buf_f(&out, "    .nuses = %u,\n    .use_names = use_names,\n", e.use_list.n);
  cue_buf_z(&out, "};\n");
  return o->lines ? numbered(a, cue_buf_done(&out), o->file) : cue_buf_done(&out);
}
