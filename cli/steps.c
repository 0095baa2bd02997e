/* steps.c - see steps.h. */
#include "cli/steps.h"

enum { VALUE_WIDTH = 48 };

static const char *const role_names[] = {
    [TRACE_TRANSFORMER] = "transformer", [TRACE_DEFINITION] = "definition", [TRACE_COMPONENT] = "component",
    [TRACE_CONFIG] = "#config",          [TRACE_VALUES] = "values",         [TRACE_ENVIRONMENT] = "environment",
    [TRACE_MODULE] = "module",           [TRACE_RELEASE] = "release",
};
static const char *const kind_names[] = {
    [TRACE_GIVES] = "value",       [TRACE_DEFAULT] = "default", [TRACE_OVERRIDDEN] = "overridden",
    [TRACE_LIMITS] = "constraint", [TRACE_PASSES] = "passed",
};

CueStr value_text(CueArena *a, CueValue v) {
  CueBuf b = cue_buf(a);
  if (v.kind == CUE_BYTES)
    cue_buf_z(&b, "bytes");
  else
    cue_emit_json(&b, v, (CueJsonStyle){0});
  return cue_buf_done(&b);
}

CueStr value_cut(CueArena *a, CueValue v) {
  CueStr s = value_text(a, v);
  if (s.n <= VALUE_WIDTH) return s;
  size_t end = VALUE_WIDTH;
  while (end > 0 && (s.s[end] & 0xC0) == 0x80) end--;
  return cue_strf(a, "%.*s…", (int)end, s.s);
}

const char *step_role(const TraceStep *s) { return role_names[s->role]; }

CueStr step_origin(Run *r, const TraceStep *s) {
  if (!s) return CUE_STR("");
  CueStr place = cue_pos_known(s->pos) ? render_place(r, s->pos) : s->text;
  return cue_strf(r->a, "%s%s%s%.*s", role_names[s->role], s->is_default ? " default" : "", place.n ? " " : "",
                  CUE_FMT(place));
}

/* ---- data ---- */

void fields_add(CueArena *a, FieldList *l, const char *key, CueValue v) { cue_push(a, l, (CueField){cue_str(key), v}); }

void fields_text(CueArena *a, FieldList *l, const char *key, CueStr text) {
  if (text.n) fields_add(a, l, key, cue_string(text));
}

CueValue fields_struct(CueArena *a, const FieldList *l) {
  CueStruct *s = cue_struct_new(a, l->n);
  for (uint32_t i = 0; i < l->n; i++) s->at[i] = l->at[i];
  return cue_struct(s);
}

CueValue step_data(Run *r, const TraceStep *s, bool alone) {
  FieldList f = {0};
  CueArena *a = r->a;
  fields_add(a, &f, "role", cue_string(cue_str(role_names[s->role])));
  fields_add(a, &f, "kind", cue_string(cue_str(kind_names[s->kind])));
  fields_text(a, &f, "text", s->text);
  if (cue_pos_known(s->pos)) {
    CueLineCol at = cue_source_line(r->c->sources, s->pos);
    CueStr place = render_place(r, s->pos), tail = cue_strf(a, ":%u:%u", at.line, at.col);
    fields_add(a, &f, "file", cue_string(cue_str_sub(place, 0, place.n - tail.n)));
    fields_add(a, &f, "line", cue_int(at.line));
    fields_add(a, &f, "column", cue_int(at.col));
  }
  fields_text(a, &f, "path", s->path);
  if (value_known(s->value)) fields_add(a, &f, "value", s->value);
  if (!alone && s->conditions.n) fields_add(a, &f, "conditions", steps_data(r, &s->conditions));
  if (!alone && s->from.n) fields_add(a, &f, "from", steps_data(r, &s->from));
  return fields_struct(a, &f);
}

CueValue steps_data(Run *r, const TraceSteps *steps) {
  CueList *l = cue_list_new(r->a, steps->n);
  for (uint32_t i = 0; i < steps->n; i++) l->at[i] = step_data(r, steps->at[i], false);
  return cue_list(l);
}

void steps_put(Run *r, CueValue v, bool json) {
  if (json) {
    cue_emit_json(r->out, v, (CueJsonStyle){.indent = "  "});
    cue_buf_ch(r->out, '\n');
  } else {
    cue_emit_yaml(r->out, v);
  }
}
