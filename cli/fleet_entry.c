/* fleet_entry.c - what an entry asks for, and what is wrong with one.
**
** Entries are understood as data, quickly. One that is not right is read once more as syntax, which knows
** where each field was written.
*/
#include <string.h>

#include "cli/fleet.h"
#include "compiler/data.h"
#include "compiler/literal.h"
#include "compiler/load_fs.h"

static const char *const fields[] = {"module", "name", "namespace", "environment", "values"};
enum { NFIELDS = sizeof fields / sizeof *fields };

/* ---- data ---- */

static bool is_path(CueValue v) { return v.kind == CUE_STRING && v.len > 0; }

/* Values are data, a file, or files. */
static bool take_values(CueArena *a, CueValue v, FleetEntry *out) {
  if (v.kind == CUE_STRUCT) {
    out->values = v;
    return true;
  }
  const CueValue *at = v.kind == CUE_LIST ? v.as.list->at : &v;
  uint32_t n = v.kind == CUE_LIST ? v.as.list->n : 1;
  CueStr *files = cue_array(a, CueStr, n);
  for (uint32_t i = 0; i < n; i++) {
    if (!is_path(at[i])) return false;
    files[i] = cue_value_str(at[i]);
  }
  out->files = files;
  out->nfiles = n;
  return n > 0;
}

bool fleet_entry(CueArena *a, const FleetItem *i, CueValue v, FleetEntry *out) {
  *out = (FleetEntry){.module = CUE_STR(""), .name = i->key, .namespace = CUE_STR(""), .environment = CUE_STR("")};
  if (v.kind != CUE_STRUCT) return false;
  CueStr *texts[] = {&out->module, &out->name, &out->namespace, &out->environment};
  for (uint32_t k = 0; k < v.as.fields->n; k++) {
    const CueField *f = &v.as.fields->at[k];
    size_t which = 0;
    while (which < NFIELDS && !cue_str_is(f->key, fields[which])) which++;
    if (which == NFIELDS) return false;
    if (which == NFIELDS - 1) {
      if (!take_values(a, f->value, out)) return false;
    } else {
      if (!is_path(f->value)) return false;
      *texts[which] = cue_value_str(f->value);
    }
  }
  return out->module.n > 0;
}

uint64_t fleet_hash(uint64_t h, CueStr s) {
  for (size_t i = 0; i < s.n; i++) h = (h ^ (unsigned char)s.s[i]) * 0x100000001b3u; /* FNV-1a */
  h = (h ^ 0xff) * 0x100000001b3u;                                                   /* no byte of UTF-8: the end */
  return h ^ h >> 29;
}

/* By what the entry is called, so that one that comes or goes moves no other to another shard, and one that is there
** twice is seen to be. */
bool fleet_is_ours(const FleetOptions *o, const FleetItem *i, const FleetEntry *e) {
  if (o->shards <= 1) return true;
  if (!e) return i->number % o->shards == o->shard;
  uint64_t h = fleet_hash(0xcbf29ce484222325u, e->module);
  h = fleet_hash(h, e->name);
  h = fleet_hash(h, e->namespace);
  h = fleet_hash(h, e->environment);
  return (h ^ h >> 32) % o->shards == o->shard;
}

CueStr fleet_place(CueArena *a, const FleetOptions *o, const FleetItem *i) {
  CueSources ss;
  CueBuf b = cue_buf(a);
  if (!i->loaded) return cue_strf(a, "%.*s:%u", CUE_FMT(o->shown), i->line + 1);
  if (!cue_pos_known(i->loaded->pos)) return o->shown;
  cue_sources_init(&ss, a);
  cue_sources_share(&ss, i->sources);
  cue_place_print(&b, i->loaded->pos, &ss, o->r->cwd);
  return cue_buf_done(&b);
}

/* ---- syntax ---- */

/* Evaluation may write notes into syntax, and that of a loaded fleet is shared. */
static Ast *copy(CueArena *a, const Ast *x) {
  Ast *y = ast_copy(a, x);
  if (x->kind == AST_STRUCT || x->kind == AST_LIST) {
    y->u.list = (AstList){0};
    for (uint32_t i = 0; i < x->u.list.n; i++) ast_list_add(a, &y->u.list, copy(a, x->u.list.at[i]));
  } else if (x->kind == AST_FIELD) {
    y->u.field.label = ast_copy(a, x->u.field.label);
    y->u.field.value = copy(a, x->u.field.value);
  } else if (x->kind == AST_UNARY) {
    y->u.unary.x = copy(a, x->u.unary.x);
  }
  return y;
}

Ast *fleet_syntax(CueContext *c, const FleetOptions *o, const FleetItem *i, RenderFailure *why) {
  if (i->loaded) {
    cue_sources_share(c->sources, i->sources);
    return copy(c->a, i->loaded);
  }
  CueSource *src = cue_source_add(c->sources, o->fleet, i->text);
  DataExprs docs = {0};
  if (!src) {
    cue_report(&why->details, 0, "sources are larger than 512 MiB together");
    return NULL;
  }
  src->line0 = i->line;
  src->col0 = i->col;
  bool yaml = o->form == FLEET_YAML;
  if (!data_read(c, src, yaml ? CUE_ENC_YAML : CUE_ENC_JSON, o->shown, &docs, &why->details)) return NULL;
  return docs.at[0];
}

static CueStr name_of(CueArena *a, const Ast *field) {
  CueValue key = cue_literal_string(a, field->u.field.label->u.text);
  return key.kind == CUE_STRING ? cue_value_str(key) : field->u.field.label->u.text;
}

const Ast *fleet_field(CueArena *a, const Ast *entry, const char *name, CuePos *at) {
  for (uint32_t i = 0; entry->kind == AST_STRUCT && i < entry->u.list.n; i++) {
    const Ast *f = entry->u.list.at[i];
    if (f->kind != AST_FIELD || !cue_str_is(name_of(a, f), name)) continue;
    *at = f->u.field.label->pos;
    return f->u.field.value;
  }
  return NULL;
}

static bool is_text(CueArena *a, const Ast *x) {
  if (x->kind != AST_BASIC || x->op != TOK_STRING) return false;
  CueValue v = cue_literal_string(a, x->u.text);
  return v.kind == CUE_STRING && v.len;
}

static void explain_values(CueArena *a, const Ast *x, CueDiags *d) {
  bool ok = x->kind == AST_STRUCT || is_text(a, x) || (x->kind == AST_LIST && x->u.list.n);
  for (uint32_t i = 0; x->kind == AST_LIST && i < x->u.list.n; i++) ok &= is_text(a, x->u.list.at[i]);
  if (!ok) cue_report(d, x->pos, "values are data, the path of a file, or a list of paths");
}

void fleet_explain(CueContext *c, const Ast *entry, RenderFailure *why) {
  CueDiags *d = &why->details;
  bool has_module = false;
  why->verdict = RENDER_INVALID;
  why->summary = CUE_STR("entry of the fleet is not valid");
  why->hint = CUE_STR("an entry has module, and may have name, namespace, environment and values");
  if (entry->kind != AST_STRUCT) {
    cue_report(d, entry->pos, "an entry is a struct");
    return;
  }
  for (uint32_t i = 0; i < entry->u.list.n; i++) {
    const Ast *f = entry->u.list.at[i];
    CueStr name = name_of(c->a, f);
    size_t which = 0;
    while (which < NFIELDS && !cue_str_is(name, fields[which])) which++;
    has_module |= which == 0;
    if (which == NFIELDS) {
      const char *meant = suggest_word(fields, NFIELDS, name);
      cue_report(d, f->u.field.label->pos, "unknown field \"%.*s\"", CUE_FMT(name));
      if (meant) why->hint = cue_strf(c->a, "did you mean %s?", meant);
    } else if (which == NFIELDS - 1) {
      explain_values(c->a, f->u.field.value, d);
    } else if (!is_text(c->a, f->u.field.value)) {
      cue_report(d, f->u.field.value->pos, "%s must be a string that is not empty", fields[which]);
    }
  }
  if (!has_module && !d->n) cue_report(d, entry->pos, "an entry needs a module");
  /* Only what merges fields of one name can refuse what is right field by field. */
  if (!d->n) cue_report(d, entry->pos, "a field is given twice, with different values");
}
