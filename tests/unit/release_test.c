/* release_test.c - releases from compiled parts: matching, merging, metadata, and when they give up. */
#include <greatest.h>

#include "runtime/release/impl.h"
#include "runtime/release/match.h"

SUITE(release_suite);

static CueValue json(CueArena *a, const char *text) {
  size_t at = 0;
  return cue_read_json(a, cue_str(text), &at);
}

static const char *text(CueArena *a, CueValue v) {
  CueBuf b = cue_buf(a);
  cue_emit_json(&b, v, (CueJsonStyle){0});
  return cue_buf_done(&b).s;
}

/* ---- matching ---- */

static CueStr shown(CueArena *a, Matches m) {
  CueBuf b = cue_buf(a);
  for (uint32_t i = 0; i < m.n; i++) cue_buf_f(&b, "%u ", m.at[i]);
  for (uint32_t i = 0; i < m.nunhandled; i++) cue_buf_f(&b, "!%.*s ", CUE_FMT(m.unhandled[i]));
  return cue_buf_done(&b);
}

TEST a_component_gets_the_transformers_whose_needs_it_meets(void) {
  CueArena *a = cue_arena_new();
  MatchTable *t = match_table_new(
      a,
      json(a, "[{\"labels\":{},\"resources\":[],\"traits\":[],\"optionalTraits\":[]},"
              "{\"labels\":{\"type\":\"x\",\"n\":1},\"resources\":[\"R\"],\"traits\":[],\"optionalTraits\":[\"Odd\"]},"
              "{\"labels\":{},\"resources\":[\"R\"],\"traits\":[\"T\"],\"optionalTraits\":[]},"
              "{\"labels\":{},\"resources\":[\"T\"],\"traits\":[],\"optionalTraits\":[\"Far\"]}]"));
  CueValue r = json(a, "[\"R\"]"), none = json(a, "[]"), traits = json(a, "[\"Odd\",\"T\",\"Far\",\"New\"]");
  ASSERT_STR_EQ("0 ", shown(a, match_component(t, a, (CueValue){0}, none, none)).s);
  /* Labels are compared as text; a trait is no resource of the same name. */
  ASSERT_STR_EQ("0 1 2 !Far !New ",
                shown(a, match_component(t, a, json(a, "{\"n\":\"1\",\"type\":\"x\",\"more\":true}"), r, traits)).s);
  ASSERT_STR_EQ("0 2 !Odd !Far !New ",
                shown(a, match_component(t, a, json(a, "{\"n\":2,\"type\":\"x\"}"), r, traits)).s);
  cue_arena_free(a);
  PASS();
}

TEST what_is_no_description_is_no_table(void) {
  CueArena *a = cue_arena_new();
  ASSERT_EQ(NULL, match_table_new(a, json(a, "{}")));
  ASSERT_EQ(NULL, match_table_new(a, json(a, "[{\"labels\":{},\"resources\":[],\"traits\":[]}]")));
  ASSERT_EQ(NULL, match_table_new(a, json(a, "[{\"resources\":[],\"traits\":[],\"optionalTraits\":[]}]")));
  ASSERT_EQ(NULL,
            match_table_new(a, json(a, "[{\"labels\":{},\"resources\":[1],\"traits\":[],\"optionalTraits\":[]}]")));
  cue_arena_free(a);
  PASS();
}

static uint32_t next(uint32_t *seed) { return (*seed = *seed * 1664525u + 1013904223u) >> 16; }

static CueValue some_names(CueArena *a, uint32_t *seed, uint32_t most, uint32_t of) {
  CueList *l = cue_list_new(a, next(seed) % (most + 1));
  for (uint32_t i = 0; i < l->n; i++) l->at[i] = cue_string(cue_strf(a, "name-%u", next(seed) % of));
  return cue_list(l);
}

static bool has_name(CueValue l, CueStr name) {
  for (uint32_t i = 0; i < l.as.list->n; i++)
    if (cue_str_eq(cue_value_str(l.as.list->at[i]), name)) return true;
  return false;
}

static bool has_all(CueValue l, CueValue wanted) {
  for (uint32_t i = 0; i < wanted.as.list->n; i++)
    if (!has_name(l, cue_value_str(wanted.as.list->at[i]))) return false;
  return true;
}

TEST sets_of_bits_agree_with_names(void) {
  CueArena *a = cue_arena_new();
  uint32_t seed = 1;
  for (int round = 0; round < 50; round++) {
    uint32_t n = 1 + next(&seed) % 150, of = 2 + next(&seed) % 200;
    CueList *all = cue_list_new(a, n);
    for (uint32_t i = 0; i < n; i++) {
      CueStruct *s = cue_struct_new(a, 4);
      s->at[0] = (CueField){CUE_STR("labels"), json(a, "{}")};
      s->at[1] = (CueField){CUE_STR("resources"), some_names(a, &seed, 3, of)};
      s->at[2] = (CueField){CUE_STR("traits"), some_names(a, &seed, 3, of)};
      s->at[3] = (CueField){CUE_STR("optionalTraits"), some_names(a, &seed, 3, of)};
      all->at[i] = cue_struct(s);
    }
    MatchTable *t = match_table_new(a, cue_list(all));
    CueValue resources = some_names(a, &seed, 40, of), traits = some_names(a, &seed, 40, of);
    CueBuf want = cue_buf(a);
    for (uint32_t i = 0; i < n; i++)
      if (has_all(resources, release_at(all->at[i], CUE_STR("resources"))) &&
          has_all(traits, release_at(all->at[i], CUE_STR("traits"))))
        cue_buf_f(&want, "%u ", i);
    Matches m = match_component(t, a, (CueValue){0}, resources, traits);
    m.nunhandled = 0;
    ASSERT_STR_EQ(cue_buf_done(&want).s, shown(a, m).s);
  }
  cue_arena_free(a);
  PASS();
}

/* Required by 0 and 1, of which one may make something of it; optional for 2; required by 3 alone. */
TEST a_trait_is_idle_if_nothing_is_made_of_it(void) {
  static const bool made[][4] = {{true, true, true, true}, {false, true, true, false}, {false, false, false, false}};
  static const char *want[] = {"", "Alone 3 ", "Shared 1 Alone 3 "};
  CueArena *a = cue_arena_new();
  MatchTable *t = match_table_new(
      a, json(a, "[{\"labels\":{},\"resources\":[],\"traits\":[\"Shared\"],\"optionalTraits\":[]},"
                 "{\"labels\":{},\"resources\":[],\"traits\":[\"Shared\"],\"optionalTraits\":[]},"
                 "{\"labels\":{},\"resources\":[],\"traits\":[],\"optionalTraits\":[\"Used\"]},"
                 "{\"labels\":{},\"resources\":[],\"traits\":[\"Alone\",\"Used\"],\"optionalTraits\":[]}]"));
  CueValue traits = json(a, "[\"Unknown\",\"Shared\",\"Used\",\"Alone\"]");
  Matches m = match_component(t, a, (CueValue){0}, json(a, "[]"), traits);
  ASSERT_EQ(4, m.n);
  for (size_t i = 0; i < 3; i++) {
    MatchIdle idle = match_idle(t, a, &m, made[i], traits);
    CueBuf b = cue_buf(a);
    for (uint32_t k = 0; k < idle.n; k++) cue_buf_f(&b, "%.*s %u ", CUE_FMT(idle.at[k].trait), idle.at[k].transformer);
    ASSERT_STR_EQ(want[i], cue_buf_done(&b).s);
  }
  cue_arena_free(a);
  PASS();
}

/* ---- values ---- */

TEST values_of_an_environment_win(void) {
  CueArena *a = cue_arena_new();
  CueValue base = json(a, "{\"a\":{\"x\":1,\"y\":[1,2]},\"b\":2,\"c\":{\"z\":1}}");
  CueValue over = json(a, "{\"d\":4,\"a\":{\"y\":[3],\"w\":null},\"c\":5}");
  ASSERT_STR_EQ("{\"a\":{\"x\":1,\"y\":[3],\"w\":null},\"b\":2,\"c\":5,\"d\":4}",
                text(a, release_merge(a, base, over)));
  ASSERT_STR_EQ(text(a, base), text(a, release_merge(a, base, (CueValue){0})));
  ASSERT_STR_EQ(text(a, over), text(a, release_merge(a, (CueValue){0}, over)));
  cue_arena_free(a);
  PASS();
}

/* ---- a module and a provider by hand ---- */

typedef struct {
  CueArena *a;
  Plan plans[8];
  CompiledFunction module_functions[3], provider_functions[2];
  PlanSchema config;
  PlanItem items[4];
  Compiled module, provider;
} Parts;

/* config is its input, a struct; components is the field "components" of that; an object is that of the component. */
static void parts_make(Parts *p, CueArena *a) {
  *p = (Parts){.a = a};
  p->config = (PlanSchema){.kind = SCHEMA_STRUCT, .open = true};
  p->plans[0] = (Plan){.kind = PLAN_INPUT};
  p->plans[1] = (Plan){.kind = PLAN_CHECK, .x = &p->plans[0], .schema = &p->config};
  p->plans[2] = (Plan){.kind = PLAN_GET, .x = &p->plans[0], .key = CUE_STR("components")};
  p->plans[3] = (Plan){.kind = PLAN_GET, .x = &p->plans[0], .key = CUE_STR("output")};
  p->module_functions[0].plan = &p->plans[1];
  p->module_functions[1].plan = &p->plans[2];
  p->module_functions[2].plan = &p->plans[1];
  p->provider_functions[0].plan = &p->plans[3];
  p->provider_functions[1].plan = &p->plans[0];
  p->module =
      (Compiled){.kind = COMPILED_MODULE,
                 .about = json(a, "{\"metadata\":{\"name\":\"web\",\"version\":\"1.0.0\",\"fqn\":\"example.com/web\","
                                  "\"defaultNamespace\":\"own\"},\"config\":0,\"components\":1,\"partial\":2}"),
                 .functions = p->module_functions,
                 .n = 3};
  p->provider = (Compiled){.kind = COMPILED_PROVIDER,
                           .about = json(a, "{\"name\":\"k\",\"transformers\":[{\"key\":\"T\",\"labels\":{},"
                                            "\"resources\":[\"R\"],\"traits\":[],\"optionalTraits\":[],"
                                            "\"transform\":0,\"context\":1}]}"),
                           .functions = p->provider_functions,
                           .n = 2};
}

static bool render_values(Parts *p, const char *values, Release *out) {
  ReleaseRenderer *r = release_renderer_new(&p->module, &p->provider);
  ReleaseInput in = {.namespace = CUE_STR("own"), .name = CUE_STR(""), .values = json(p->a, values)};
  bool ok = r && release_render(r, p->a, &in, out);
  release_renderer_free(r);
  return ok;
}

#define COMPONENT(name, output)            \
  "{\"key\":\"" name "\",\"name\":\"" name \
  "\",\"resources\":[\"R\"],\"traits\":[\"Odd\"],\"component\":{\"output\":" output "}}"
#define OBJECT(kind, name) "{\"kind\":\"" kind "\",\"metadata\":{\"name\":\"" name "\"},\"apiVersion\":\"v1\"}"
#define TWO \
  "{\"components\":[" COMPONENT("b", OBJECT("Service", "b")) "," COMPONENT("a", "[" OBJECT("Secret", "s") "]") "]}"

TEST objects_come_in_order_with_warnings(void) {
  CueArena *a = cue_arena_new();
  Parts p;
  Release out;
  parts_make(&p, a);
  ASSERT(render_values(&p, TWO, &out));
  CueBuf b = cue_buf(a);
  release_put_stream(&b, &out, false, NULL, NULL);
  ASSERT_STR_EQ("apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n"
                "---\napiVersion: v1\nkind: Service\nmetadata:\n  name: b\n",
                cue_buf_done(&b).s);
  b = cue_buf(a);
  release_put_stream(&b, &(Release){.objects = out.objects, .nobjects = 1}, true, NULL, NULL);
  ASSERT_STR_EQ("[\n  {\n    \"apiVersion\": \"v1\",\n    \"kind\": \"Secret\",\n"
                "    \"metadata\": {\n      \"name\": \"s\"\n    }\n  }\n]\n",
                cue_buf_done(&b).s);
  ASSERT_EQ(2, out.nwarnings);
  ASSERT_STR_EQ("component a: unhandled trait Odd", out.warnings[0].s);
  ASSERT_EQ(2, out.nmatches);
  ASSERT_STR_EQ("web", out.name.s);
  cue_arena_free(a);
  PASS();
}

TEST the_same_object_twice_is_worth_a_warning(void) {
  CueArena *a = cue_arena_new();
  Parts p;
  Release out;
  parts_make(&p, a);
  ASSERT(render_values(
      &p, "{\"components\":[" COMPONENT("b", OBJECT("Secret", "s")) "," COMPONENT("a", OBJECT("Secret", "s")) "]}",
      &out));
  ASSERT_EQ(3, out.nwarnings);
  ASSERT_STR_EQ("Secret /s is rendered twice, by components a and b: the last one applied wins", out.warnings[2].s);
  cue_arena_free(a);
  PASS();
}

TEST what_does_not_go_well_is_given_up(void) {
  CueArena *a = cue_arena_new();
  Parts p;
  Release out;
  parts_make(&p, a);
  ASSERT_FALSE(render_values(&p, "[]", &out)); /* no #config */
  ASSERT_FALSE(render_values(&p, "{}", &out)); /* no components */
  ASSERT_FALSE(render_values(&p, "{\"components\":[" COMPONENT("a", "1") "]}", &out));
  ASSERT_FALSE(render_values(&p, "{\"components\":[" COMPONENT("a", "{\"apiVersion\":\"v1\"}") "]}", &out));
  ASSERT_FALSE(render_values(&p, "{\"components\":[{\"name\":\"a\",\"resources\":[],\"traits\":[],\"component\":{}}]}",
                             &out)); /* nothing matches */
  p.module.about = json(a, "{\"metadata\":{\"name\":\"No Name\"},\"config\":0,\"components\":1}");
  ASSERT_FALSE(render_values(&p, TWO, &out));
  p.module.about = json(a, "{\"metadata\":{\"name\":\"web\",\"labels\":{\"module-release.opmodel.dev/name\":\"x\"}},"
                           "\"config\":0,\"components\":1}");
  ASSERT_FALSE(render_values(&p, TWO, &out));
  p.module.about = json(a, "{\"metadata\":{\"name\":\"web\"},\"config\":0,\"components\":7}");
  ASSERT_EQ(NULL, release_renderer_new(&p.module, &p.provider));
  ASSERT_EQ(NULL, release_renderer_new(&p.provider, &p.provider));
  cue_arena_free(a);
  PASS();
}

TEST the_namespace_is_the_first_that_is_said(void) {
  CueArena *a = cue_arena_new();
  Parts p;
  parts_make(&p, a);
  ReleaseRenderer *r = release_renderer_new(&p.module, &p.provider);
  CueStr none = CUE_STR(""), x = CUE_STR("x"), y = CUE_STR("y"), z = CUE_STR("z"), got;
  ASSERT(release_namespace(r, x, x, y, z, &got));
  ASSERT_STR_EQ("x", got.s);
  ASSERT(release_namespace(r, none, y, x, z, &got));
  ASSERT_STR_EQ("y", got.s);
  ASSERT(release_namespace(r, none, none, none, z, &got));
  ASSERT_STR_EQ("own", got.s);
  ASSERT_FALSE(release_namespace(r, x, y, none, none, &got));
  ASSERT(release_partial(r, a, json(a, "{}")));
  ASSERT_FALSE(release_partial(r, a, json(a, "[]")));
  release_renderer_free(r);
  cue_arena_free(a);
  PASS();
}

SUITE(release_suite) {
  RUN_TEST(a_component_gets_the_transformers_whose_needs_it_meets);
  RUN_TEST(what_is_no_description_is_no_table);
  RUN_TEST(sets_of_bits_agree_with_names);
  RUN_TEST(a_trait_is_idle_if_nothing_is_made_of_it);
  RUN_TEST(values_of_an_environment_win);
  RUN_TEST(objects_come_in_order_with_warnings);
  RUN_TEST(the_same_object_twice_is_worth_a_warning);
  RUN_TEST(what_does_not_go_well_is_given_up);
  RUN_TEST(the_namespace_is_the_first_that_is_said);
}
