/* data.c - what is known when code is written: constants, schemas, tables of regular expressions.
**
** Each is written once, however often it is needed, and before what points to it.
*/
#include <inttypes.h>
#include "compiler/emit/dfa.h"
#include "compiler/emit/emit_impl.h"

#include <string.h>

/* ---- names and literals ---- */

static bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

static bool is_keyword(CueStr s) {
  static const char *const words[] = {
      "auto",     "break",  "case",     "char",   "const",  "continue", "default", "do",     "double",  "else",
      "enum",     "extern", "float",    "for",    "goto",   "if",       "inline",  "int",    "long",    "register",
      "restrict", "return", "short",    "signed", "sizeof", "static",   "struct",  "switch", "typedef", "union",
      "unsigned", "void",   "volatile", "while",  "bool",   "true",     "false",   "asm",    "typeof",  "nullptr",
      "NULL",     "r",      "out",      "linux",  "unix",   "i386",     "index",
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (cue_str_is(s, words[i])) return true;
  return false;
}

CueStr name_new(Names *t, const char *prefix, CueStr wish) {
  enum { LONGEST = 60 };
  CueBuf b = cue_buf(t->a);
  cue_buf_z(&b, prefix);
  bool gap = false;
  for (size_t i = 0; i < wish.n && b.n < LONGEST; i++) {
    if (!is_word(wish.s[i])) {
      gap = b.n > 0;
      continue;
    }
    if (gap && b.s[b.n - 1] != '_') cue_buf_ch(&b, '_');
    gap = false;
    if (!b.n && wish.s[i] >= '0' && wish.s[i] <= '9') cue_buf_z(&b, "n");
    cue_buf_ch(&b, wish.s[i]);
  }
  if (!b.n) cue_buf_z(&b, "value");
  if (b.s[b.n - 1] == '_') b.n--;
  CueStr base = cue_buf_done(&b), name = base;
  for (unsigned i = 2;; i++) {
    bool fresh;
    if (!is_keyword(name)) {
      number_of(&t->taken, name, &fresh);
      if (fresh) return name;
    }
    name = cue_strf(t->a, "%.*s_%u", CUE_FMT(base), i);
  }
}

void put_c_string(CueBuf *out, CueStr s) {
  enum { LINE = 100 };
  cue_buf_ch(out, '"');
  size_t width = 0;
  for (size_t i = 0; i < s.n; i++) {
    unsigned char c = (unsigned char)s.s[i];
    if (width >= LINE) {
      cue_buf_z(out, "\"\n\"");
      width = 0;
    }
    width++;
    if (c == '\n')
      cue_buf_z(out, "\\n");
    else if (c == '"' || c == '\\')
      cue_buf_f(out, "\\%c", c);
    else if (c == '?')
      cue_buf_z(out, "\\?"); /* no trigraphs */
    else if (c < 32 || c > 126)
      cue_buf_f(out, "\\%03o", c);
    else
      cue_buf_ch(out, (char)c);
  }
  cue_buf_ch(out, '"');
}

void put_comment(CueBuf *out, CueStr s) {
  for (size_t i = 0; i < s.n; i++) {
    char before = i ? s.s[i - 1] : ' ';
    if ((before == '*' && s.s[i] == '/') || (before == '/' && s.s[i] == '*')) cue_buf_ch(out, ' ');
    cue_buf_ch(out, s.s[i] == '\n' ? ' ' : s.s[i]);
  }
}

static CueStr quoted(Emit *e, CueStr s) {
  CueBuf b = cue_buf(e->a);
  put_c_string(&b, s);
  return cue_buf_done(&b);
}

/* ---- constants ---- */

static CueStr value_init(Emit *e, CueValue v, CueStr wish);

static CueStr element_wish(Emit *e, CueStr wish) { return cue_strf(e->a, "%.*s_element", CUE_FMT(wish)); }

static CueStr list_data(Emit *e, const CueList *l, CueStr wish) {
  CueBuf b = cue_buf(e->a);
  for (uint32_t i = 0; i < l->n; i++)
    cue_buf_f(&b, "    %.*s,\n", CUE_FMT(value_init(e, l->at[i], element_wish(e, wish))));
  CueStr name = name_new(&e->names, "data_", wish);
  if (l->n)
    cue_buf_f(&e->data, "static const CueList %.*s = {%u, {\n%s}};\n", CUE_FMT(name), l->n, cue_buf_done(&b).s);
  else
    cue_buf_f(&e->data, "static const CueList %.*s = {0};\n", CUE_FMT(name));
  return name;
}

static CueStr struct_data(Emit *e, const CueStruct *s, CueStr wish) {
  CueBuf b = cue_buf(e->a);
  for (uint32_t i = 0; i < s->n; i++) {
    CueStr value = value_init(e, s->at[i].value, s->at[i].key);
    cue_buf_f(&b, "    {{%.*s, %zu}, %.*s},\n", CUE_FMT(quoted(e, s->at[i].key)), s->at[i].key.n, CUE_FMT(value));
  }
  CueStr name = name_new(&e->names, "data_", wish);
  if (s->n)
    cue_buf_f(&e->data, "static const CueStruct %.*s = {%u, {\n%s}};\n", CUE_FMT(name), s->n, cue_buf_done(&b).s);
  else
    cue_buf_f(&e->data, "static const CueStruct %.*s = {0};\n", CUE_FMT(name));
  return name;
}

static CueStr number_data(Emit *e, const CueNum *x, CueStr wish) {
  CueNumLayout l;
  memcpy(&l, x, sizeof l);
  CueStr name = name_new(&e->names, "number_", wish);
  CueBuf b = cue_buf(e->a);
  for (int64_t i = 0; i < l.len; i++) cue_buf_f(&b, "%s%lluu", i ? ", " : "", (unsigned long long)l.data[i]);
  cue_buf_f(&e->data, "static const uint64_t %.*s_words[] = {%s}; /* %s */\n", CUE_FMT(name), cue_buf_done(&b).s,
            cue_num_text(e->a, x).s);
  cue_buf_f(&e->data, "static const CueNumLayout %.*s = {%u, %lld, %lld, %lld, %lld, %.*s_words, ", CUE_FMT(name),
            l.flags, (long long)l.exp, (long long)l.digits, (long long)l.len, (long long)l.len, CUE_FMT(name));
  if (l.written)
    put_c_string(&e->data, cue_str(l.written));
  else
    cue_buf_z(&e->data, "NULL");
  cue_buf_z(&e->data, "};\n");
  return name;
}

/* The name of what a value points to: written on first use. */
static CueStr pointed(Emit *e, CueValue v, CueStr wish) {
  CueBuf key = cue_buf(e->a);
  bool fresh;
  graph_value_key(&key, v);
  uint32_t number = number_of(&e->values, cue_buf_done(&key), &fresh);
  if (!fresh) return e->value_names.at[number];
  cue_push(e->a, &e->value_names, CUE_STR(""));
  CueStr name = v.kind == CUE_LIST     ? list_data(e, v.as.list, wish)
                : v.kind == CUE_STRUCT ? struct_data(e, v.as.fields, wish)
                                       : number_data(e, v.as.num, wish);
  e->value_names.at[number] = name;
  return name;
}

static CueStr int_text(Emit *e, int64_t i) {
  return i == INT64_MIN ? CUE_STR("INT64_MIN") : cue_strf(e->a, "%lld", (long long)i);
}

static CueStr value_init(Emit *e, CueValue v, CueStr wish) {
  switch (v.kind) {
  case CUE_NULL: return CUE_STR("{.kind = CUE_NULL}");
  case CUE_BOOL: return v.as.b ? CUE_STR("{.kind = CUE_BOOL, .as.b = true}") : CUE_STR("{.kind = CUE_BOOL}");
  case CUE_STRING:
  case CUE_BYTES:
    return cue_strf(e->a, "{.kind = %s, .len = %u, .as.s = %.*s}", v.kind == CUE_STRING ? "CUE_STRING" : "CUE_BYTES",
                    v.len, CUE_FMT(quoted(e, cue_value_str(v))));
  case CUE_INT:
    if (v.form == CUE_PLAIN) return cue_strf(e->a, "{.kind = CUE_INT, .as.i = %s}", int_text(e, v.as.i).s);
    return cue_strf(e->a, "{.kind = CUE_INT, .form = CUE_BIG, .as.num = (const CueNum *)&%.*s}",
                    CUE_FMT(pointed(e, v, wish)));
  case CUE_FLOAT:
    return cue_strf(e->a, "{.kind = CUE_FLOAT, .as.num = (const CueNum *)&%.*s}", CUE_FMT(pointed(e, v, wish)));
  case CUE_LIST: return cue_strf(e->a, "{.kind = CUE_LIST, .as.list = &%.*s}", CUE_FMT(pointed(e, v, wish)));
  case CUE_STRUCT: return cue_strf(e->a, "{.kind = CUE_STRUCT, .as.fields = &%.*s}", CUE_FMT(pointed(e, v, wish)));
  default: return CUE_STR("{0}");
  }
}

CueStr emit_value(Emit *e, CueValue v, CueStr wish) { return value_init(e, v, wish); }

CueStr emit_const(Emit *e, CueValue v, CueStr wish) {
  switch (v.kind) {
  case CUE_NULL: return CUE_STR("cue_null()");
  case CUE_BOOL: return v.as.b ? CUE_STR("cue_bool(true)") : CUE_STR("cue_bool(false)");
  case CUE_STRING: return cue_strf(e->a, "CODE_TEXT(%.*s)", CUE_FMT(quoted(e, cue_value_str(v))));
  case CUE_INT:
    if (v.form == CUE_PLAIN) return cue_strf(e->a, "cue_int(%s)", int_text(e, v.as.i).s);
    break;
  case CUE_LIST: return cue_strf(e->a, "cue_list(&%.*s)", CUE_FMT(pointed(e, v, wish)));
  case CUE_STRUCT: return cue_strf(e->a, "cue_struct(&%.*s)", CUE_FMT(pointed(e, v, wish)));
  default: break;
  }
  return cue_strf(e->a, "(CueValue)%.*s", CUE_FMT(value_init(e, v, wish)));
}

/* ---- regular expressions ---- */

static void put_table(Emit *e, const char *type, CueStr name, const char *what, const uint16_t *wide,
                      const uint8_t *narrow, uint32_t n) {
  cue_buf_f(&e->data, "static const %s %.*s_%s[] = {", type, CUE_FMT(name), what);
  for (uint32_t i = 0; i < n; i++)
    cue_buf_f(&e->data, "%s%u,", i % 32 ? " " : "\n    ", wide ? (unsigned)wide[i] : (unsigned)narrow[i]);
  cue_buf_z(&e->data, "\n};\n");
}

CueStr emit_pattern(Emit *e, CueStr pattern) {
  bool fresh;
  uint32_t number = number_of(&e->patterns, pattern, &fresh);
  if (!fresh) return e->pattern_names.at[number];
  const char *why;
  const CueDfa *d = dfa_compile(e->a, pattern, &why);
  CueStr name = d ? name_new(&e->names, "pattern_", pattern) : CUE_STR("");
  cue_push(e->a, &e->pattern_names, name);
  if (!d) return name;
  CueBuf shown = cue_buf(e->a);
  put_c_string(&shown, pattern);
  cue_buf_z(&e->data, "/* ");
  put_comment(&e->data, cue_buf_done(&shown));
  cue_buf_z(&e->data, " */\n");
  put_table(e, "uint8_t", name, "classes", NULL, d->classes, 256);
  put_table(e, "uint16_t", name, "next", d->next, NULL, (uint32_t)d->rows * d->width);
  cue_buf_f(&e->data, "static const CueDfa %.*s = {%u, %u, %u, %u, %.*s_next, %.*s_classes};\n", CUE_FMT(name),
            d->width, d->start, d->accepting, d->rows, CUE_FMT(name), CUE_FMT(name));
  return name;
}

/* ---- functions of packages ---- */

CueStr emit_use(Emit *e, const CueBuiltin *f, const char *package) {
  bool fresh;
  uint32_t number = number_of(&e->uses, cue_strf(e->a, "%s.%s", package, f->name), &fresh);
  if (!fresh) return e->use_names.at[number];
  CueStr name = name_new(&e->names, "USE_", cue_strf(e->a, "%s %s", package, f->name));
  cue_push(e->a, &e->use_names, name);
  cue_push(e->a, &e->use_list, (CueUseName){package, f->name});
  return name;
}

/* ---- schemas ---- */

static const char *const schema_kinds[] = {
    [SCHEMA_ANY] = "SCHEMA_ANY",       [SCHEMA_SCALAR] = "SCHEMA_SCALAR", [SCHEMA_ENUM] = "SCHEMA_ENUM",
    [SCHEMA_STRUCT] = "SCHEMA_STRUCT", [SCHEMA_LIST] = "SCHEMA_LIST",     [SCHEMA_ONE] = "SCHEMA_ONE",
};
static const char *const presences[] = {
    [SCHEMA_REGULAR] = "SCHEMA_REGULAR", [SCHEMA_REQUIRED] = "SCHEMA_REQUIRED", [SCHEMA_OPTIONAL] = "SCHEMA_OPTIONAL"};
static const char *const test_ops[] = {
    [PLAN_EQ] = "PLAN_EQ", [PLAN_NE] = "PLAN_NE", [PLAN_LT] = "PLAN_LT",       [PLAN_LE] = "PLAN_LE",
    [PLAN_GT] = "PLAN_GT", [PLAN_GE] = "PLAN_GE", [PLAN_MATCH] = "PLAN_MATCH", [PLAN_NO_MATCH] = "PLAN_NO_MATCH",
};

CueStr emit_kinds(Emit *e, unsigned kinds) {
  static const struct {
    unsigned kind;
    const char *name;
  } all[] = {{CUE_TOP, "CUE_TOP"},   {CUE_NUMBER, "CUE_NUMBER"}, {CUE_NULL, "CUE_NULL"},     {CUE_BOOL, "CUE_BOOL"},
             {CUE_INT, "CUE_INT"},   {CUE_FLOAT, "CUE_FLOAT"},   {CUE_STRING, "CUE_STRING"}, {CUE_BYTES, "CUE_BYTES"},
             {CUE_FUNC, "CUE_FUNC"}, {CUE_LIST, "CUE_LIST"},     {CUE_STRUCT, "CUE_STRUCT"}};
  CueBuf b = cue_buf(e->a);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if ((kinds & all[i].kind) != all[i].kind) continue;
    cue_buf_f(&b, "%s%s", b.n ? " | " : "", all[i].name);
    kinds &= ~all[i].kind;
  }
  return b.n ? cue_buf_done(&b) : CUE_STR("0");
}

static void put_tests(Emit *e, const PlanSchema *s, CueStr name) {
  CueBuf b = cue_buf(e->a);
  for (uint32_t i = 0; i < s->n; i++) {
    const SchemaTest *t = &s->tests[i];
    cue_buf_f(&b, "    {.op = %s", t->builtin ? "0" : test_ops[t->op]);
    if (t->value.kind != CUE_BOTTOM) cue_buf_f(&b, ", .value = %s", value_init(e, t->value, name).s);
    if (t->builtin) cue_buf_f(&b, ", .use = 1 + %s", emit_use(e, t->builtin, t->package).s);
    bool pattern = !t->builtin && (t->op == PLAN_MATCH || t->op == PLAN_NO_MATCH) && t->value.kind == CUE_STRING;
    CueStr dfa = pattern ? emit_pattern(e, cue_value_str(t->value)) : CUE_STR("");
    if (dfa.n) cue_buf_f(&b, ", .dfa = &%s", dfa.s);
    cue_buf_z(&b, "},\n");
  }
  cue_buf_f(&e->data, "static const SchemaTest %.*s_tests[] = {\n%s};\n", CUE_FMT(name), cue_buf_done(&b).s);
}

static void put_values(Emit *e, const PlanSchema *s, CueStr name) {
  CueBuf b = cue_buf(e->a);
  for (uint32_t i = 0; i < s->n; i++) cue_buf_f(&b, "    %s,\n", value_init(e, s->values[i], name).s);
  cue_buf_f(&e->data, "static const CueValue %.*s_values[] = {\n%s};\n", CUE_FMT(name), cue_buf_done(&b).s);
}

static void put_fields(Emit *e, const PlanSchema *s, CueStr name) {
  CueBuf b = cue_buf(e->a);
  for (uint32_t i = 0; i < s->n; i++) {
    const SchemaField *f = &s->fields[i];
    CueStr of = emit_schema(e, f->schema, f->key);
    cue_buf_f(&b, "    {{%.*s, %zu}, %s, %u, &%.*s},\n", CUE_FMT(quoted(e, f->key)), f->key.n, presences[f->presence],
              f->place, CUE_FMT(of));
  }
  cue_buf_f(&e->data, "static const SchemaField %.*s_fields[] = {\n%s};\n", CUE_FMT(name), cue_buf_done(&b).s);
}

/* The table by which fields are found, and what goes into the schema for it. */
static CueStr put_slots(Emit *e, const PlanSchema *s, CueStr name) {
  NameSlots t;
  if (!emit_slots(e->a, s->fields, s->n, &t)) return CUE_STR("");
  put_table(e, "uint8_t", name, "slots", NULL, t.slots, 1u << t.bits);
  return cue_strf(e->a, ", .slots = %.*s_slots, .seed = 0x%016" PRIx64 ", .shift = %u", CUE_FMT(name), t.seed,
                  64 - t.bits);
}

static void put_of(Emit *e, const PlanSchema *s, CueStr name) {
  CueBuf b = cue_buf(e->a);
  for (uint32_t i = 0; i < s->n; i++) cue_buf_f(&b, "%s&%s", i ? ", " : "", emit_schema(e, s->of[i], name).s);
  cue_buf_f(&e->data, "static const PlanSchema *const %.*s_of[] = {%s};\n", CUE_FMT(name), cue_buf_done(&b).s);
}

static void put_patterns(Emit *e, const PlanSchema *s, CueStr name) {
  CueBuf b = cue_buf(e->a);
  for (uint32_t i = 0; i < s->npatterns; i++) {
    const SchemaPattern *p = &s->patterns[i];
    CueStr dfa = p->pattern.n ? emit_pattern(e, p->pattern) : CUE_STR("");
    CueStr of = emit_schema(e, p->schema, cue_strf(e->a, "%.*s_any", CUE_FMT(name)));
    cue_buf_f(&b, "    {{%.*s, %zu}, &%.*s, %s%.*s},\n", CUE_FMT(quoted(e, p->pattern)), p->pattern.n, CUE_FMT(of),
              dfa.n ? "&" : "NULL", CUE_FMT(dfa));
  }
  cue_buf_f(&e->data, "static const SchemaPattern %.*s_patterns[] = {\n%s};\n", CUE_FMT(name), cue_buf_done(&b).s);
}

static CueStr schema_data(Emit *e, const PlanSchema *s, CueStr wish);

/* What is shared need not be compared again. */
CueStr emit_schema(Emit *e, const PlanSchema *s, CueStr wish) {
  bool fresh;
  uint32_t number = number_of(&e->schema_seen, (CueStr){(const char *)&s, sizeof s}, &fresh);
  if (fresh) {
    cue_push(e->a, &e->seen_names, CUE_STR(""));
    CueStr name = schema_data(e, s, wish);
    e->seen_names.at[number] = name;
  }
  return e->seen_names.at[number];
}

static CueStr schema_data(Emit *e, const PlanSchema *s, CueStr wish) {
  CueBuf key = cue_buf(e->a), b = cue_buf(e->a);
  bool fresh;
  graph_schema_key(&key, s);
  uint32_t number = number_of(&e->schemas, cue_buf_done(&key), &fresh);
  if (!fresh) return e->schema_names.at[number];
  if (cue_str_has_prefix(wish, CUE_STR("schema_"))) wish = cue_str_sub(wish, 7, wish.n);
  CueStr name = name_new(&e->names, "schema_", wish);
  cue_push(e->a, &e->schema_names, name);
  cue_buf_f(&b, ".kind = %s", schema_kinds[s->kind]);
  if (s->open) cue_buf_z(&b, ", .open = true");
  if (s->ordered) cue_buf_z(&b, ", .ordered = true");
  if (s->late) cue_buf_f(&b, ", .late = %u", s->late);
  if (s->kinds) cue_buf_f(&b, ", .kinds = %s", emit_kinds(e, s->kinds).s);
  if (s->has_default) cue_buf_f(&b, ", .has_default = true, .value = %s", value_init(e, s->value, wish).s);
  if (s->n) cue_buf_f(&b, ",\n    .n = %u", s->n);
  switch (s->n ? (SchemaKind)s->kind : SCHEMA_ANY) {
  case SCHEMA_ANY: break;
  case SCHEMA_SCALAR:
    put_tests(e, s, name);
    cue_buf_f(&b, ", .tests = %s_tests", name.s);
    break;
  case SCHEMA_ENUM:
    put_values(e, s, name);
    cue_buf_f(&b, ", .values = %s_values", name.s);
    break;
  case SCHEMA_STRUCT:
    put_fields(e, s, name);
    cue_buf_f(&b, ", .fields = %s_fields", name.s);
    cue_buf_str(&b, put_slots(e, s, name));
    break;
  case SCHEMA_LIST:
  case SCHEMA_ONE:
    put_of(e, s, name);
    cue_buf_f(&b, ", .of = %s_of", name.s);
    break;
  }
  if (s->npatterns) {
    put_patterns(e, s, name);
    cue_buf_f(&b, ",\n    .npatterns = %u, .patterns = %s_patterns", s->npatterns, name.s);
  }
  if (s->rest) cue_buf_f(&b, ",\n    .rest = &%s", emit_schema(e, s->rest, element_wish(e, wish)).s);
  cue_buf_f(&e->data, "static const PlanSchema %.*s = {%s};\n", CUE_FMT(name), cue_buf_done(&b).s);
  return name;
}
