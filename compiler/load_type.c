/* load_type.c - what kind of file an argument names: by its qualifier ("json:") or its extension.
**
** A qualifier is a list of tags joined by "+". Some name an encoding, some an interpretation,
** some a form; together they must name one of each at most.
*/
#include "compiler/load_fs.h"
#include "compiler/literal.h"
#include "compiler/module.h"

static const char *const encoding_names[] = {
    [CUE_ENC_NONE] = "",
    [CUE_ENC_CUE] = "cue",
    [CUE_ENC_JSON] = "json",
    [CUE_ENC_JSONL] = "jsonl",
    [CUE_ENC_YAML] = "yaml",
    [CUE_ENC_TOML] = "toml",
    [CUE_ENC_XML] = "xml",
    [CUE_ENC_TEXT] = "text",
    [CUE_ENC_BINARY] = "binary",
    [CUE_ENC_PROTO] = "proto",
    [CUE_ENC_TEXTPROTO] = "textproto",
    [CUE_ENC_BINARYPB] = "binarypb",
    [CUE_ENC_CODE] = "code",
};

const char *cue_encoding_name(CueEncoding e) { return encoding_names[e]; }

static const struct {
  const char *ext;
  CueEncoding encoding;
  bool auto_detect; /* data that may turn out to be a schema */
} extensions[] = {
    {".cue", CUE_ENC_CUE, false},          {".json", CUE_ENC_JSON, true},
    {".jsonl", CUE_ENC_JSONL, false},      {".ldjson", CUE_ENC_JSONL, false},
    {".ndjson", CUE_ENC_JSONL, false},     {".yaml", CUE_ENC_YAML, true},
    {".yml", CUE_ENC_YAML, true},          {".toml", CUE_ENC_TOML, true},
    {".xml", CUE_ENC_XML, true},           {".txt", CUE_ENC_TEXT, false},
    {".go", CUE_ENC_CODE, false},          {".wasm", CUE_ENC_BINARY, false},
    {".proto", CUE_ENC_PROTO, false},      {".textproto", CUE_ENC_TEXTPROTO, false},
    {".textpb", CUE_ENC_TEXTPROTO, false},
};

static const struct {
  const char *tag;
  CueEncoding encoding;
  const char *interpretation, *form;
} tags[] = {
    {"schema", CUE_ENC_NONE, NULL, "schema"},
    {"graph", CUE_ENC_NONE, NULL, "graph"},
    {"dag", CUE_ENC_NONE, NULL, "dag"},
    {"data", CUE_ENC_NONE, NULL, "data"},
    {"cue", CUE_ENC_CUE, NULL, NULL},
    {"json", CUE_ENC_JSON, NULL, NULL},
    {"jsonl", CUE_ENC_JSONL, NULL, NULL},
    {"yaml", CUE_ENC_YAML, NULL, NULL},
    {"toml", CUE_ENC_TOML, NULL, NULL},
    {"xml", CUE_ENC_XML, NULL, NULL},
    {"proto", CUE_ENC_PROTO, NULL, NULL},
    {"textproto", CUE_ENC_TEXTPROTO, NULL, NULL},
    {"pb", CUE_ENC_BINARYPB, NULL, NULL},
    {"text", CUE_ENC_TEXT, NULL, "data"},
    {"binary", CUE_ENC_BINARY, NULL, "data"},
    {"go", CUE_ENC_CODE, NULL, NULL},
    {"code", CUE_ENC_CODE, NULL, NULL},
    {"auto", CUE_ENC_NONE, "auto", NULL},
    {"jsonschema", CUE_ENC_NONE, "jsonschema", "schema"},
    {"openapi", CUE_ENC_NONE, "openapi", "schema"},
};

static CueStr file_ext(CueStr f) {
  if (cue_str_is(f, "-")) return f;
  CueStr e = path_ext(f);
  return cue_str_eq(e, path_base(f)) ? CUE_STR("") : e;
}

bool load_is_package(CueStr s) {
  if (cue_str_is(s, ".") || cue_str_is(s, "..")) return true;
  if (!s.n || cue_str_is(s, "-")) return false;
  ImportPath ip = import_path_parse(s);
  if (ip.explicit_qualifier)
    return cue_is_valid_ident(ip.qualifier) && cue_str_find(ip.path, CUE_STR(":")) < 0 && !cue_str_is(ip.path, "-");
  if (ip.version.n) return cue_str_find(ip.version, CUE_STR("/")) < 0;
  CueStr ext = file_ext(s);
  for (size_t i = 0; i < ext.n; i++)
    if (ext.s[i] != '.') return false;
  return true;
}

/* Tags that only modify another: known, so that they are told from mistakes. */
static bool is_subsidiary(CueStr tag) {
  static const char *const names[] = {"strict", "strictKeywords", "strictFeatures", "openOnlyWhenExplicit", "lang"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (cue_str_is(tag, names[i])) return true;
  return false;
}

/* How XML is read; *said: there was a word on it, which is wrong for anything else. */
static bool take_koala(CueStr value, LoadFile *out, bool *said, CueStr *error) {
  *said = true;
  out->koala = !value.n || cue_str_is(value, "=1") || cue_str_is(value, "=true");
  if (out->koala || cue_str_is(value, "=0") || cue_str_is(value, "=false")) return true;
  *error = CUE_STR("invalid boolean value for tag \"koala\"");
  return false;
}

static bool take_tag(CueArena *a, CueStr tag, LoadFile *out, bool *koala, CueStr *error) {
  ptrdiff_t eq = cue_str_find(tag, CUE_STR("="));
  CueStr name = eq < 0 ? tag : cue_str_sub(tag, 0, (size_t)eq);
  if (cue_str_is(name, "koala")) return take_koala(cue_str_sub(tag, name.n, tag.n), out, koala, error);
  for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
    if (!cue_str_is(name, tags[i].tag)) continue;
    if (eq >= 0) {
      *error = cue_strf(a, "cannot specify value for tag \"%.*s\"", CUE_FMT(name));
      return false;
    }
    bool clash = (tags[i].encoding && out->encoding && out->encoding != tags[i].encoding) ||
                 (tags[i].interpretation && out->interpretation.n);
    if (clash) {
      *error = CUE_STR("invalid tag combination");
      return false;
    }
    if (tags[i].encoding) out->encoding = tags[i].encoding;
    if (tags[i].interpretation) out->interpretation = cue_str(tags[i].interpretation);
    if (tags[i].form) out->form = cue_str(tags[i].form);
    return true;
  }
  if (is_subsidiary(name))
    *error = cue_strf(a, "tag %.*s is not allowed in this context", CUE_FMT(name));
  else
    *error = cue_strf(a, "unknown filetype %.*s", CUE_FMT(name));
  return false;
}

static bool take_tags(CueArena *a, CueStr scope, LoadFile *out, bool *koala, CueStr *error) {
  for (size_t from = 0; from < scope.n;) {
    size_t to = from;
    while (to < scope.n && scope.s[to] != '+') to++;
    if (!take_tag(a, cue_str_sub(scope, from, to), out, koala, error)) return false;
    from = to + 1;
  }
  return true;
}

static bool koala_fits(const LoadFile *f, bool koala, CueStr *error) {
  if (!koala || f->encoding == CUE_ENC_XML) return true;
  *error = CUE_STR("tag koala is not allowed in this context");
  return false;
}

bool load_scope_check(CueArena *a, CueStr scope, CueStr *error) {
  LoadFile f = {.interpretation = CUE_STR(""), .form = CUE_STR("")};
  bool koala;
  return take_tags(a, scope, &f, &koala, error);
}

bool load_file_type(CueArena *a, CueStr scope, CueStr filename, LoadFile *out, CueStr *error) {
  *out = (LoadFile){.path = filename, .name = filename, .interpretation = CUE_STR(""), .form = CUE_STR("")};
  bool koala = false;
  if (!take_tags(a, scope, out, &koala, error)) return false;
  CueStr ext = file_ext(filename);
  if (out->encoding == CUE_ENC_NONE &&
      (cue_str_is(out->interpretation, "jsonschema") || cue_str_is(out->interpretation, "openapi")) &&
      cue_str_is(ext, "-"))
    out->encoding = CUE_ENC_JSON;
  if (out->encoding != CUE_ENC_NONE) return koala_fits(out, koala, error);
  if (!ext.n) {
    *error = cue_strf(a, "no encoding specified for file \"%.*s\"", CUE_FMT(filename));
    return false;
  }
  if (cue_str_is(ext, "-")) {
    out->encoding = CUE_ENC_CUE;
    return koala_fits(out, koala, error);
  }
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
    if (!cue_str_is(ext, extensions[i].ext)) continue;
    out->encoding = extensions[i].encoding;
    if (!out->interpretation.n && extensions[i].auto_detect && !cue_str_is(out->form, "data") &&
        !cue_str_is(out->form, "graph"))
      out->interpretation = CUE_STR("auto");
    return koala_fits(out, koala, error);
  }
  *error = cue_strf(a, "unknown file extension %.*s", CUE_FMT(ext));
  return false;
}
