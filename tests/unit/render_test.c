/* render_test.c - what the render pipeline does with data: order, keys, normal form. */
#include <greatest.h>

#include "compiler/render/render.h"
#include "runtime/release/impl.h"

SUITE(render_suite);

static CueValue json(CueArena *a, const char *text) {
  size_t at = 0;
  return cue_read_json(a, cue_str(text), &at);
}

static CueStr ordered(CueArena *a, CueValue v, CueKeyOrder *order) {
  CueBuf b = cue_buf(a);
  cue_emit_json(&b, v, (CueJsonStyle){.order = order});
  return cue_buf_done(&b);
}

static CueStr text(CueArena *a, CueValue v) { return ordered(a, v, NULL); }

TEST weights_follow_what_depends_on_what(void) {
  static const char *const order[] = {"CustomResourceDefinition",
                                      "Namespace",
                                      "LimitRange",
                                      "ServiceAccount",
                                      "Secret",
                                      "PersistentVolumeClaim",
                                      "Service",
                                      "Deployment",
                                      "Job",
                                      "Ingress",
                                      "PodDisruptionBudget",
                                      "ValidatingWebhookConfiguration"};
  for (size_t i = 1; i < sizeof order / sizeof *order; i++)
    ASSERT(release_weight(cue_str(order[i - 1])) < release_weight(cue_str(order[i])));
  ASSERT_EQ(1000, release_weight(CUE_STR("HTTPRoute")));
  ASSERT_EQ(-100, release_weight(CUE_STR("CustomResourceDefinition")));
  PASS();
}

TEST objects_are_ordered_by_weight_group_kind_namespace_name(void) {
  static const ReleaseObject objects[] = {
      {.api_version = {"batch/v1", 8}, .kind = {"Job", 3}, .name = {"a", 1}},
      {.api_version = {"v1", 2}, .kind = {"Secret", 6}, .name = {"b", 1}},
      {.api_version = {"v1", 2}, .kind = {"Secret", 6}, .namespace = {"x", 1}, .name = {"a", 1}},
      {.api_version = {"v1", 2}, .kind = {"Secret", 6}, .name = {"a", 1}},
      {.api_version = {"v1", 2}, .kind = {"ConfigMap", 9}, .name = {"z", 1}},
      {.api_version = {"batch/v1", 8}, .kind = {"CronJob", 7}, .name = {"z", 1}},
  };
  enum { N = sizeof objects / sizeof *objects };
  CueArena *a = cue_arena_new();
  for (uint32_t n = 6; n <= 60; n += 54) { /* few, and many */
    ObjectRank ranks[60];
    CueBuf b = cue_buf(a);
    for (uint32_t i = 0; i < n; i++) {
      ReleaseObject o = objects[i % N];
      o.number = i;
      ranks[i] = object_rank(&o);
    }
    object_ranks_sort(ranks, n);
    for (uint32_t i = 0; i < n; i += n / N) {
      cue_buf_f(&b, "%.*s/%.*s/%.*s ", CUE_FMT(ranks[i].kind), CUE_FMT(ranks[i].namespace), CUE_FMT(ranks[i].name));
      for (uint32_t k = i + 1; k < i + n / N; k++) {
        ASSERT(object_ranks_alike(&ranks[k - 1], &ranks[k]));
        ASSERT(ranks[k - 1].number < ranks[k].number);
      }
    }
    ASSERT_STR_EQ("ConfigMap//z Secret//a Secret//b Secret/x/a CronJob//z Job//a ", cue_buf_done(&b).s);
  }
  cue_arena_free(a);
  PASS();
}

TEST keys_are_sorted_as_yaml_writers_do(void) {
  CueArena *a = cue_arena_new();
  CueValue v = json(
      a,
      "{\"b\":1,\"a10\":2,\"a2\":3,\"B\":4,\"a-b\":5,\"ab\":6,\"a1b\":7,\"a1-\":8,\"01\":9,\"1\":[{\"y\":1,\"x\":2}]}");
  ASSERT_STR_EQ(
      "{\"1\":[{\"x\":2,\"y\":1}],\"01\":9,\"B\":4,\"a-b\":5,\"a1b\":7,\"a1-\":8,\"a2\":3,\"a10\":2,\"ab\":6,\"b\":1}",
      ordered(a, v, release_natural_cmp).s);
  ASSERT_STR_EQ(
      "{\"01\":9,\"1\":[{\"x\":2,\"y\":1}],\"B\":4,\"a-b\":5,\"a1-\":8,\"a10\":2,\"a1b\":7,\"a2\":3,\"ab\":6,\"b\":1}",
      ordered(a, v, cue_str_cmp).s);
  cue_arena_free(a);
  PASS();
}

TEST maps_become_lists_and_lists_stay(void) {
  CueArena *a = cue_arena_new();
  CueValue v =
      json(a, "{\"metadata\":{\"annotations\":{\"a\":true,\"b\":1,\"c\":\"x\"}},"
              "\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\","
              "\"ports\":{\"b\":{\"targetPort\":2,\"exposedPort\":9},\"a\":{\"targetPort\":1,\"protocol\":\"UDP\"}},"
              "\"env\":{\"Z\":{\"name\":\"Z\",\"value\":\"1\"},\"Y\":{\"name\":\"YY\",\"value\":\"2\"}},"
              "\"volumeMounts\":{\"d\":{\"mountPath\":\"/d\"}}}],"
              "\"volumes\":{\"d\":{\"emptyDir\":{}}}}}}}");
  const char *want =
      "{\"metadata\":{\"annotations\":{\"a\":\"true\",\"b\":\"1\",\"c\":\"x\"}},"
      "\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\","
      "\"ports\":[{\"name\":\"a\",\"containerPort\":1,\"protocol\":\"UDP\"},{\"name\":\"b\",\"containerPort\":2}],"
      "\"env\":[{\"name\":\"YY\",\"value\":\"2\"},{\"name\":\"Z\",\"value\":\"1\"}],"
      "\"volumeMounts\":[{\"name\":\"d\",\"mountPath\":\"/d\"}]}],"
      "\"volumes\":[{\"name\":\"d\",\"emptyDir\":{}}]}}}}";
  CueStr before = text(a, v);
  CueValue old = v;
  v = release_normalized(a, v);
  ASSERT_STR_EQ(want, text(a, v).s);
  ASSERT_STR_EQ(before.s, text(a, old).s);                  /* it may be a constant of compiled code */
  ASSERT_STR_EQ(want, text(a, release_normalized(a, v)).s); /* again changes nothing */
  cue_arena_free(a);
  PASS();
}

TEST matching_tells_what_is_missing(void) {
  CueArena *a = cue_arena_new();
  RenderResult r = {0};
  RenderComponent k = {.name = CUE_STR("web"), .labels = json(a, "{\"type\":\"stateless\",\"tier\":2}")};
  cue_push(a, &k.resources, CUE_STR("r#Container"));
  cue_push(a, &k.traits, CUE_STR("t#Odd"));
  cue_push(a, &r.release.components, k);
  RenderTransformer yes = {.key = CUE_STR("a"), .labels = json(a, "{\"tier\":\"2\"}")}, no = {.key = CUE_STR("b")};
  cue_push(a, &yes.resources, CUE_STR("r#Container"));
  no.labels = json(a, "{\"type\":\"daemon\",\"zone\":\"x\"}");
  cue_push(a, &no.traits, CUE_STR("t#Scaling"));
  cue_push(a, &r.provider.transformers, yes);
  cue_push(a, &r.provider.transformers, no);
  render_match(a, &r);
  ASSERT_EQ(2, r.matches.n);
  ASSERT(r.matches.at[0].matched && !r.matches.at[1].matched);
  ASSERT_STR_EQ("Matched: requiredLabels[tier=2], requiredResources[r#Container]",
                render_reason(a, &r.matches.at[0]).s);
  ASSERT_STR_EQ(
      "Not matched: missing labels: type (expected \"daemon\", got \"stateless\"), zone; missing traits: t#Scaling",
      render_reason(a, &r.matches.at[1]).s);
  ASSERT_EQ(1, r.warnings.n);
  ASSERT_STR_EQ("component web: unhandled trait t#Odd", r.warnings.at[0].s);
  ASSERT_EQ(0, r.unmatched.n);
  cue_arena_free(a);
  PASS();
}

SUITE(render_suite) {
  RUN_TEST(weights_follow_what_depends_on_what);
  RUN_TEST(objects_are_ordered_by_weight_group_kind_namespace_name);
  RUN_TEST(keys_are_sorted_as_yaml_writers_do);
  RUN_TEST(maps_become_lists_and_lists_stay);
  RUN_TEST(matching_tells_what_is_missing);
}
