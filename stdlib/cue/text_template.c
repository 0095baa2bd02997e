/* text_template.c - CUE's package "text/template". */
#include "stdlib/cue/htmltext.h"
#include "stdlib/cue/stdlib.h"
#include "stdlib/cue/template.h"

static CueValue fn_execute(CueCall *c) {
  TemplateSet set = {0};
  CueStr why;
  if (!template_parse(c->a, cue_arg_str(c, 0), &set, &why)) return cue_fail(c, "%.*s", CUE_FMT(why));
  CueValue data;
  if (!cue_lent_data_or(c, c->args[1], "cannot convert non-concrete value", &data)) return c->error;
  CueBuf out = cue_buf(c->a);
  if (!template_execute(c->a, &set, data, &out, &why)) return cue_fail(c, "%.*s", CUE_FMT(why));
  return cue_result_string(c->a, cue_buf_done(&out));
}

static CueValue fn_html_escape(CueCall *c) {
  CueBuf out = cue_buf(c->a);
  cue_html_escape(&out, cue_arg_str(c, 0), true);
  return cue_string(cue_buf_done(&out));
}

static CueValue fn_js_escape(CueCall *c) {
  CueBuf out = cue_buf(c->a);
  cue_js_escape(&out, cue_arg_str(c, 0));
  return cue_result_string(c->a, cue_buf_done(&out));
}

static const CueBuiltin functions[] = {
    {"Execute", "sv", 's', fn_execute},
    {"HTMLEscape", "s", 's', fn_html_escape},
    {"JSEscape", "s", 's', fn_js_escape},
};

const CueBuiltinPackage cue_pkg_text_template = {"text/template", functions, CUE_COUNT(functions), NULL, false};
