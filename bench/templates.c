/* templates.c - see templates.h. */
#include "bench/templates.h"

#include <string.h>

#include "tests/peer.h"
#include "tests/proc.h"

/* ---- holes ---- */

/* A hole stands at i; digits alone are one only if they are a number. */
static bool is_hole(const Hole *h, CueStr text, size_t i) {
  if (!cue_str_has_prefix(cue_str_sub(text, i, text.n), h->hole)) return false;
  if (h->hole.s[0] < '0' || h->hole.s[0] > '9' || h->hole.n > 4) return true;
  return (i == 0 || strchr(" :", text.s[i - 1])) && (i + h->hole.n == text.n || strchr(",\n}", text.s[i + h->hole.n]));
}

/* Text with each hole replaced by before, its name, and after. */
static CueStr fill(CueArena *a, const Template *t, CueStr text, const char *before, const char *after) {
  CueBuf b = cue_buf(a);
  for (size_t i = 0; i < text.n;) {
    uint32_t k = 0;
    while (k < t->n && !is_hole(&t->holes[k], text, i)) k++;
    if (k == t->n) {
      cue_buf_ch(&b, text.s[i++]);
      continue;
    }
    cue_buf_f(&b, "%s%s%s", before, t->holes[k].name, after);
    i += t->holes[k].hole.n;
  }
  return cue_buf_done(&b);
}

/* The same with the values themselves. */
static CueStr filled(CueArena *a, const Template *t, CueStr text) {
  for (uint32_t k = 0; k < t->n; k++) {
    Template one = {.holes = &(Hole){t->holes[k].hole, t->holes[k].value.s, CUE_STR("")}, .n = 1};
    text = fill(a, &one, text, "", "");
  }
  return text;
}

static bool is_number(const Hole *h) { return strcmp(h->name, "replicas") == 0; }

static CueStr values_json(CueArena *a, const Template *t) {
  CueBuf b = cue_buf(a);
  cue_buf_ch(&b, '{');
  for (uint32_t k = 0; k < t->n; k++) {
    const char *quote = is_number(&t->holes[k]) ? "" : "\"";
    cue_buf_f(&b, "%s\"%s\": %s%.*s%s", k ? ", " : "", t->holes[k].name, quote, CUE_FMT(t->holes[k].value), quote);
  }
  cue_buf_z(&b, "}\n");
  return cue_buf_done(&b);
}

static CueStr file_in(CueArena *a, const Template *t, const char *name) { return cue_strf(a, "%s/%s", t->dir, name); }

/* ---- helm ---- */

static CueStr documents(CueArena *a, CueValue objects) {
  CueBuf b = cue_buf(a);
  for (uint32_t i = 0; i < objects.as.list->n; i++) {
    if (i) cue_buf_z(&b, "---\n");
    cue_emit_yaml(&b, objects.as.list->at[i]);
  }
  return cue_buf_done(&b);
}

void template_helm(CueArena *a, const Template *t) {
  file_write(file_in(a, t, "helm/Chart.yaml").s, CUE_STR("apiVersion: v2\nname: bench\nversion: 1.0.0\n"));
  file_write(file_in(a, t, "helm/values.yaml").s, values_json(a, t)); /* JSON is YAML */
  file_write(file_in(a, t, "helm/templates/objects.yaml").s,
             fill(a, t, documents(a, t->objects), "{{ .Values.", " }}"));
}

/* ---- kustomize ---- */

static void put_images(CueBuf *b, CueArena *a, const Template *t, CueValue v) {
  if (v.kind == CUE_LIST)
    for (uint32_t i = 0; i < v.as.list->n; i++) put_images(b, a, t, v.as.list->at[i]);
  if (v.kind != CUE_STRUCT) return;
  for (uint32_t i = 0; i < v.as.fields->n; i++) {
    const CueField *f = &v.as.fields->at[i];
    if (!cue_str_is(f->key, "image") || f->value.kind != CUE_STRING) {
      put_images(b, a, t, f->value);
      continue;
    }
    CueStr image = filled(a, t, cue_value_str(f->value));
    size_t colon = image.n;
    while (colon && image.s[colon - 1] != ':') colon--;
    if (colon)
      cue_buf_f(b, "  - {name: \"%.*s\", newTag: \"%.*s\"}\n", (int)colon - 1, image.s, (int)(image.n - colon),
                image.s + colon);
  }
}

void template_kustomize(CueArena *a, const Template *t) {
  CueBuf b = cue_buf(a), images = cue_buf(a);
  cue_buf_z(&b,
            "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [objects.yaml]\nreplicas:\n");
  const Hole *replicas = NULL, *tag = NULL;
  for (uint32_t k = 0; k < t->n; k++) {
    if (is_number(&t->holes[k])) replicas = &t->holes[k];
    if (strcmp(t->holes[k].name, "tag") == 0) tag = &t->holes[k];
  }
  for (uint32_t i = 0; replicas && i < t->objects.as.list->n; i++) {
    const CueValue *o = &t->objects.as.list->at[i], *kind = peer_at(o, "kind"),
                   *name = peer_at(peer_at(o, "metadata"), "name");
    if (kind && name && cue_str_is(cue_value_str(*kind), "Deployment"))
      cue_buf_f(&b, "  - {name: \"%.*s\", count: %.*s}\n", CUE_FMT(cue_value_str(*name)), CUE_FMT(replicas->value));
  }
  put_images(&images, a, t, t->objects);
  cue_buf_f(&b, "images:\n%.*s", CUE_FMT(cue_buf_done(&images)));
  file_write(file_in(a, t, "kustomize/kustomization.yaml").s, cue_buf_done(&b));
  /* The base has another tag and another number. */
  CueStr text = documents(a, t->objects);
  for (uint32_t k = 0; k < t->n; k++) {
    const Hole *h = &t->holes[k];
    const char *to = h == replicas ? "1" : h == tag ? "0" : h->value.s;
    Template one = {.holes = &(Hole){h->hole, to, CUE_STR("")}, .n = 1};
    text = fill(a, &one, text, "", "");
  }
  file_write(file_in(a, t, "kustomize/objects.yaml").s, text);
}

/* ---- Jsonnet ---- */

void template_jsonnet(CueArena *a, const Template *t, bool many) {
  CueBuf json = cue_buf(a), b = cue_buf(a);
  cue_emit_json(&json, t->objects, (CueJsonStyle){.indent = "  "});
  CueStr text = cue_buf_done(&json);
  for (uint32_t k = 0; k < t->n; k++) { /* in a string, the string ends before the hole */
    Template one = {.holes = &t->holes[k], .n = 1};
    text = is_number(&t->holes[k]) ? fill(a, &one, text, "v.", "") : fill(a, &one, text, "\" + v.", " + \"");
  }
  cue_buf_f(&b, "local objects(v) = %.*s;\n", CUE_FMT(text));
  cue_buf_z(&b, many ? "std.flattenArrays([objects(v) for v in import 'releases.json'])\n"
                     : "objects(import 'values.json')\n");
  file_write(file_in(a, t, "jsonnet/objects.jsonnet").s, cue_buf_done(&b));
  if (!many) file_write(file_in(a, t, "jsonnet/values.json").s, values_json(a, t));
}

/* ---- Pkl ---- */

static void put_pkl(CueBuf *b, CueArena *a, const Template *t, CueValue v, unsigned depth) {
  if (v.kind != CUE_STRUCT && v.kind != CUE_LIST) {
    CueBuf json = cue_buf(a);
    cue_emit_json(&json, v, (CueJsonStyle){0});
    CueStr text = cue_buf_done(&json);
    cue_buf_str(b, v.kind == CUE_STRING ? fill(a, t, text, "\\(v.", ")") : fill(a, t, text, "v.", ""));
    return;
  }
  bool list = v.kind == CUE_LIST;
  uint32_t n = list ? v.as.list->n : v.as.fields->n;
  cue_buf_z(b, list ? "new Listing {\n" : "new Mapping {\n");
  for (uint32_t i = 0; i < n; i++) {
    cue_buf_repeat(b, ' ', 2 * depth + 2);
    if (!list) {
      cue_buf_ch(b, '[');
      cue_emit_json_string(b, v.as.fields->at[i].key, false);
      cue_buf_z(b, "] = ");
    }
    put_pkl(b, a, t, list ? v.as.list->at[i] : v.as.fields->at[i].value, depth + 1);
    cue_buf_ch(b, '\n');
  }
  cue_buf_repeat(b, ' ', 2 * depth);
  cue_buf_ch(b, '}');
}

void template_pkl(CueArena *a, const Template *t, bool many) {
  CueBuf b = cue_buf(a);
  if (many)
    cue_buf_z(&b, "import \"pkl:json\"\n\nlocal releases = new json.Parser {}.parse(read(\"releases.json\"))\n\n");
  else
    cue_buf_z(&b, "local v = new Dynamic {\n");
  for (uint32_t k = 0; k < t->n && !many; k++) {
    const char *quote = is_number(&t->holes[k]) ? "" : "\"";
    cue_buf_f(&b, "  %s = %s%.*s%s\n", t->holes[k].name, quote, CUE_FMT(t->holes[k].value), quote);
  }
  if (!many) cue_buf_z(&b, "}\n\n");
  cue_buf_z(&b, many ? "local objects = (v) -> " : "local objects = ");
  put_pkl(&b, a, t, t->objects, 0);
  cue_buf_z(&b, "\n\noutput {\n  renderer = new JsonRenderer {}\n");
  if (many)
    cue_buf_z(
        &b,
        "  value = new Listing {\n    for (r in releases) {\n      for (o in objects.apply(r)) { o }\n    }\n  }\n}\n");
  else
    cue_buf_z(&b, "  value = objects\n}\n");
  file_write(file_in(a, t, "pkl/objects.pkl").s, cue_buf_done(&b));
}

/* ---- reading ---- */

CueValue template_read_yaml(CueArena *a, CueStr text) {
  CUE_VEC(CueValue) all = {0};
  size_t offset = 0;
  for (bool done = false;;) {
    CueValue v = cue_read_yaml(a, text, &offset, &done);
    if (done) break;
    if (v.kind == CUE_BOTTOM) return v;
    if (v.kind != CUE_NULL) cue_push(a, &all, v);
  }
  CueList *l = cue_list_new(a, all.n);
  for (uint32_t i = 0; i < all.n; i++) l->at[i] = all.at[i];
  return cue_list(l);
}
