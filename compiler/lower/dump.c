/* dump.c - plans as text, for people. */
#include "compiler/lower/lower.h"

static const char *const ops[] = {
    [PLAN_EQ] = "==",    [PLAN_NE] = "!=",    [PLAN_LT] = "<",     [PLAN_LE] = "<=",    [PLAN_GT] = ">",
    [PLAN_GE] = ">=",    [PLAN_AND] = "&&",   [PLAN_OR] = "||",    [PLAN_NOT] = "!",    [PLAN_ADD] = "+",
    [PLAN_SUB] = "-",    [PLAN_MUL] = "*",    [PLAN_DIV] = "/",    [PLAN_NEG] = "-",    [PLAN_IDIV] = "div",
    [PLAN_IMOD] = "mod", [PLAN_IQUO] = "quo", [PLAN_IREM] = "rem", [PLAN_MATCH] = "=~", [PLAN_NO_MATCH] = "!~",
};

static void dump(CueBuf *b, const Plan *p, int indent);

static void line(CueBuf *b, int indent) {
  cue_buf_ch(b, '\n');
  cue_buf_repeat(b, '\t', (size_t)indent);
}

static void dump_items(CueBuf *b, const PlanItem *items, uint32_t n, int indent) {
  for (uint32_t i = 0; i < n; i++) {
    const PlanItem *it = &items[i];
    line(b, indent);
    switch ((PlanItemKind)it->kind) {
    case PLAN_FIELD:
      cue_emit_json_string(b, it->key, false);
      cue_buf_z(b, ": ");
      dump(b, it->value, indent);
      break;
    case PLAN_DYNAMIC:
      cue_buf_ch(b, '(');
      dump(b, it->name, indent);
      cue_buf_z(b, "): ");
      dump(b, it->value, indent);
      break;
    case PLAN_ELEMENT: dump(b, it->value, indent); break;
    case PLAN_SPREAD:
      cue_buf_z(b, "...");
      dump(b, it->value, indent);
      break;
    case PLAN_WHEN:
    case PLAN_FOR:
      if (it->kind == PLAN_WHEN) {
        cue_buf_z(b, "if ");
      } else {
        cue_buf_z(b, "for ");
        if (it->key_slot != PLAN_NO_SLOT) cue_buf_f(b, "v%u, ", it->key_slot);
        if (it->value_slot != PLAN_NO_SLOT)
          cue_buf_f(b, "v%u in ", it->value_slot);
        else
          cue_buf_z(b, "_ in ");
      }
      dump(b, it->value, indent);
      cue_buf_z(b, " {");
      dump_items(b, it->items, it->n, indent + 1);
      line(b, indent);
      cue_buf_ch(b, '}');
      break;
    }
  }
}

static void dump_list(CueBuf *b, const char *name, const Plan *p, int indent) {
  cue_buf_f(b, "%s(", name);
  for (uint32_t i = 0; i < p->n; i++) {
    if (i) cue_buf_z(b, ", ");
    dump(b, p->at[i], indent);
  }
  cue_buf_ch(b, ')');
}

static void dump_call(CueBuf *b, const char *name, const Plan *p, int indent) {
  cue_buf_f(b, "%s(", name);
  dump(b, p->x, indent);
  if (p->y) {
    cue_buf_z(b, ", ");
    dump(b, p->y, indent);
  }
  cue_buf_ch(b, ')');
}

static void dump(CueBuf *b, const Plan *p, int indent) {
  switch ((PlanKind)p->kind) {
  case PLAN_CONST:
    if (plan_absent(p->value))
      cue_buf_z(b, "absent");
    else
      cue_emit_json(b, p->value, (CueJsonStyle){0});
    break;
  case PLAN_INPUT: cue_buf_f(b, "input%u", p->slot); break;
  case PLAN_VAR: cue_buf_f(b, "v%u", p->slot); break;
  case PLAN_GET:
    dump(b, p->x, indent);
    cue_buf_f(b, ".%.*s", CUE_FMT(p->key));
    break;
  case PLAN_INDEX:
    dump(b, p->x, indent);
    cue_buf_ch(b, '[');
    dump(b, p->y, indent);
    cue_buf_ch(b, ']');
    break;
  case PLAN_PRESENT: dump_call(b, "present", p, indent); break;
  case PLAN_IF: dump_call(b, "if", p, indent); break;
  case PLAN_BOTH: dump_call(b, "both", p, indent); break;
  case PLAN_LET:
    cue_buf_f(b, "let v%u = ", p->slot);
    dump(b, p->x, indent);
    cue_buf_z(b, " in ");
    dump(b, p->y, indent);
    break;
  case PLAN_STRUCT:
  case PLAN_LIST:
    cue_buf_ch(b, p->kind == PLAN_STRUCT ? '{' : '[');
    dump_items(b, p->items, p->n, indent + 1);
    if (p->n) line(b, indent);
    cue_buf_ch(b, p->kind == PLAN_STRUCT ? '}' : ']');
    break;
  case PLAN_UNIFY: dump_list(b, "unify", p, indent); break;
  case PLAN_TEST: dump_call(b, "test", p, indent); break;
  case PLAN_CHECK: dump_call(b, "check", p, indent); break;
  case PLAN_OP:
    cue_buf_ch(b, '(');
    if (!p->y) cue_buf_z(b, ops[p->op]);
    dump(b, p->x, indent);
    if (p->y) {
      cue_buf_f(b, " %s ", ops[p->op]);
      dump(b, p->y, indent);
    }
    cue_buf_ch(b, ')');
    break;
  case PLAN_TEXT: dump_list(b, "text", p, indent); break;
  case PLAN_CALL: dump_list(b, p->builtin->name, p, indent); break;
  case PLAN_LEN: dump_call(b, "len", p, indent); break;
  }
}

void lower_dump(CueBuf *out, const Plan *p) {
  dump(out, p, 0);
  cue_buf_ch(out, '\n');
}
