/* dump.c - plans as text, in the words of CUE where it has some. */
#include "compiler/emit/emit_impl.h"

typedef struct {
  CueBuf *out;
  unsigned indent;
} Dump;

static const char *const op_texts[] = {
    [PLAN_EQ] = "==",    [PLAN_NE] = "!=",    [PLAN_LT] = "<",     [PLAN_LE] = "<=",    [PLAN_GT] = ">",
    [PLAN_GE] = ">=",    [PLAN_AND] = "&&",   [PLAN_OR] = "||",    [PLAN_NOT] = "!",    [PLAN_ADD] = "+",
    [PLAN_SUB] = "-",    [PLAN_MUL] = "*",    [PLAN_DIV] = "/",    [PLAN_NEG] = "-",    [PLAN_IDIV] = "div",
    [PLAN_IMOD] = "mod", [PLAN_IQUO] = "quo", [PLAN_IREM] = "rem", [PLAN_MATCH] = "=~", [PLAN_NO_MATCH] = "!~",
};

static void put(Dump *d, const Plan *p);

static void new_line(Dump *d) {
  cue_buf_ch(d->out, '\n');
  cue_buf_repeat(d->out, ' ', 2 * d->indent);
}

static void put_label(Dump *d, CueStr key) {
  bool plain = key.n > 0;
  for (size_t i = 0; i < key.n; i++)
    plain &= (key.s[i] >= 'a' && key.s[i] <= 'z') || (key.s[i] >= 'A' && key.s[i] <= 'Z') || key.s[i] == '_' ||
             key.s[i] == '#' || (i && key.s[i] >= '0' && key.s[i] <= '9');
  if (plain)
    cue_buf_str(d->out, key);
  else
    cue_emit_json_string(d->out, key, false);
}

static void put_variable(Dump *d, uint32_t slot) {
  if (slot == PLAN_NO_SLOT)
    cue_buf_ch(d->out, '_');
  else
    cue_buf_f(d->out, "v%u", slot);
}

static void put_items(Dump *d, const PlanItem *items, uint32_t n);

/* "SOURCE {ITEMS}" of a condition or a loop. */
static void put_block(Dump *d, const PlanItem *it) {
  put(d, it->value);
  cue_buf_z(d->out, " {");
  put_items(d, it->items, it->n);
  new_line(d);
  cue_buf_ch(d->out, '}');
}

static void put_items(Dump *d, const PlanItem *items, uint32_t n) {
  d->indent++;
  for (uint32_t i = 0; i < n; i++) {
    const PlanItem *it = &items[i];
    new_line(d);
    switch ((PlanItemKind)it->kind) {
    case PLAN_FIELD:
      put_label(d, it->key);
      cue_buf_z(d->out, ": ");
      put(d, it->value);
      break;
    case PLAN_DYNAMIC:
      cue_buf_ch(d->out, '(');
      put(d, it->name);
      cue_buf_z(d->out, "): ");
      put(d, it->value);
      break;
    case PLAN_ELEMENT: put(d, it->value); break;
    case PLAN_SPREAD:
      put(d, it->value);
      cue_buf_z(d->out, "...");
      break;
    case PLAN_WHEN:
      cue_buf_z(d->out, "if ");
      put_block(d, it);
      break;
    case PLAN_FOR:
      cue_buf_z(d->out, "for ");
      put_variable(d, it->key_slot);
      cue_buf_z(d->out, ", ");
      put_variable(d, it->value_slot);
      cue_buf_z(d->out, " in ");
      put_block(d, it);
      break;
    }
  }
  d->indent--;
}

/* What data must satisfy, without what is below it. */
static void put_schema(Dump *d, const PlanSchema *s) {
  static const char *const names[] = {
      [SCHEMA_ANY] = "_",        [SCHEMA_SCALAR] = "scalar", [SCHEMA_ENUM] = "enum",
      [SCHEMA_STRUCT] = "{...}", [SCHEMA_LIST] = "[...]",    [SCHEMA_ONE] = "one of",
  };
  CueArena *a = d->out->a;
  if (s->kind == SCHEMA_SCALAR) {
    cue_buf_str(d->out, cue_kinds_text(a, s->kinds));
    for (uint32_t i = 0; i < s->n; i++) {
      cue_buf_z(d->out, " & ");
      if (s->tests[i].builtin)
        cue_buf_f(d->out, "%s.%s(...)", s->tests[i].package, s->tests[i].builtin->name);
      else {
        cue_buf_z(d->out, op_texts[s->tests[i].op]);
        cue_emit_json(d->out, s->tests[i].value, (CueJsonStyle){0});
      }
    }
    return;
  }
  if (s->kind == SCHEMA_ENUM) {
    for (uint32_t i = 0; i < s->n; i++) {
      if (i) cue_buf_z(d->out, " | ");
      cue_emit_json(d->out, s->values[i], (CueJsonStyle){0});
    }
    return;
  }
  if (s->kind == SCHEMA_STRUCT) {
    cue_buf_ch(d->out, '{');
    for (uint32_t i = 0; i < s->n; i++) {
      if (i) cue_buf_z(d->out, ", ");
      put_label(d, s->fields[i].key);
      cue_buf_z(d->out, s->fields[i].presence == SCHEMA_OPTIONAL   ? "?: "
                        : s->fields[i].presence == SCHEMA_REQUIRED ? "!: "
                                                                   : ": ");
      put_schema(d, s->fields[i].schema);
    }
    for (uint32_t i = 0; i < s->npatterns; i++) {
      cue_buf_z(d->out, s->n || i ? ", [" : "[");
      if (s->patterns[i].pattern.n) {
        cue_buf_z(d->out, "=~");
        cue_emit_json_string(d->out, s->patterns[i].pattern, false);
      } else {
        cue_buf_z(d->out, "string");
      }
      cue_buf_z(d->out, "]: ");
      put_schema(d, s->patterns[i].schema);
    }
    if (s->open) cue_buf_z(d->out, s->n || s->npatterns ? ", ..." : "...");
    cue_buf_ch(d->out, '}');
    return;
  }
  if (s->kind == SCHEMA_LIST || s->kind == SCHEMA_ONE) {
    cue_buf_z(d->out, s->kind == SCHEMA_LIST ? "[" : "(");
    for (uint32_t i = 0; i < s->n; i++) {
      if (i) cue_buf_z(d->out, s->kind == SCHEMA_LIST ? ", " : " | ");
      put_schema(d, s->of[i]);
    }
    if (s->kind == SCHEMA_LIST && s->open) {
      cue_buf_z(d->out, s->n ? ", ..." : "...");
      if (s->rest) put_schema(d, s->rest);
    }
    cue_buf_z(d->out, s->kind == SCHEMA_LIST ? "]" : ")");
    return;
  }
  cue_buf_z(d->out, names[s->kind]);
}

static void put_all(Dump *d, const Plan *p, const char *between) {
  for (uint32_t i = 0; i < p->n; i++) {
    if (i) cue_buf_z(d->out, between);
    put(d, p->at[i]);
  }
}

static void put_call(Dump *d, const char *name, const Plan *x, const Plan *y) {
  cue_buf_f(d->out, "%s(", name);
  put(d, x);
  if (y) cue_buf_z(d->out, ", ");
  if (y) put(d, y);
  cue_buf_ch(d->out, ')');
}

static void put(Dump *d, const Plan *p) {
  switch ((PlanKind)p->kind) {
  case PLAN_CONST: cue_emit_json(d->out, p->value, (CueJsonStyle){0}); break;
  case PLAN_INPUT: cue_buf_f(d->out, "in%u", p->slot); break;
  case PLAN_VAR: put_variable(d, p->slot); break;
  case PLAN_GET:
    put(d, p->x);
    cue_buf_ch(d->out, '.');
    put_label(d, p->key);
    break;
  case PLAN_INDEX:
    put(d, p->x);
    cue_buf_ch(d->out, '[');
    put(d, p->y);
    cue_buf_ch(d->out, ']');
    break;
  case PLAN_PRESENT: put_call(d, "present", p->x, NULL); break;
  case PLAN_IF: put_call(d, "if", p->x, p->y); break;
  case PLAN_BOTH: put_call(d, "both", p->x, p->y); break;
  case PLAN_ELSE: put_call(d, "else", p->x, p->y); break;
  case PLAN_MUST: put_call(d, "must", p->x, NULL); break;
  case PLAN_LEN: put_call(d, "len", p->x, NULL); break;
  case PLAN_STRUCT:
  case PLAN_LIST:
    cue_buf_ch(d->out, p->kind == PLAN_STRUCT ? '{' : '[');
    put_items(d, p->items, p->n);
    if (p->n) new_line(d);
    cue_buf_ch(d->out, p->kind == PLAN_STRUCT ? '}' : ']');
    break;
  case PLAN_UNIFY:
    cue_buf_ch(d->out, '(');
    put_all(d, p, " & ");
    cue_buf_ch(d->out, ')');
    break;
  case PLAN_TEST:
  case PLAN_CHECK:
    cue_buf_z(d->out, p->kind == PLAN_TEST ? "test(" : "check(");
    put(d, p->x);
    cue_buf_z(d->out, ", ");
    put_schema(d, p->schema);
    cue_buf_ch(d->out, ')');
    break;
  case PLAN_OP:
    cue_buf_ch(d->out, '(');
    if (p->y) put(d, p->x);
    cue_buf_f(d->out, p->y ? " %s " : "%s", op_texts[p->op]);
    put(d, p->y ? p->y : p->x);
    cue_buf_ch(d->out, ')');
    break;
  case PLAN_TEXT:
    cue_buf_z(d->out, "text(");
    put_all(d, p, ", ");
    cue_buf_ch(d->out, ')');
    break;
  case PLAN_CALL:
    cue_buf_f(d->out, "%s.%s(", p->package, p->builtin->name);
    put_all(d, p, ", ");
    cue_buf_ch(d->out, ')');
    break;
  }
}

void emit_dump_plans(CueBuf *out, const Compiled *c) {
  for (uint32_t i = 0; i < c->n; i++) {
    Dump d = {.out = out};
    cue_buf_f(out, "%s%.*s = ", i ? "\n" : "", CUE_FMT(c->functions[i].name));
    if (c->functions[i].plan)
      put(&d, c->functions[i].plan);
    else
      cue_buf_f(out, "left to the evaluator: %.*s", CUE_FMT(c->functions[i].why));
    cue_buf_ch(out, '\n');
  }
}
