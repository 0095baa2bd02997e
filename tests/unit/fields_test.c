/* fields_test.c - fields found by name: among few and many, by search and by tables made beforehand. */
#include <greatest.h>

#include "compiler/emit/emit_impl.h"
#include "runtime/fields.h"

SUITE(fields_suite);

static CueArena *a;

TEST every_field_is_found_however_many_there_are(void) {
  CueFields f = {0};
  for (uint32_t i = 0; i < 5000; i++) {
    CueStr key = cue_strf(a, "key-%u", i * 7 % 5000);
    ASSERT(!cue_fields_find(a, &f, key));
    cue_fields_push(a, &f, key, cue_int(i));
    if (i % 3 == 0) cue_fields_push(a, &f, cue_strf(a, "unasked-%u", i), cue_int(-1)); /* not looked for before */
  }
  for (uint32_t i = 0; i < 5000; i++) {
    const CueValue *v = cue_fields_find(a, &f, cue_strf(a, "key-%u", i * 7 % 5000));
    ASSERT(v && v->as.i == i);
    if (i % 3 == 0) ASSERT(cue_fields_find(a, &f, cue_strf(a, "unasked-%u", i)));
  }
  ASSERT(!cue_fields_find(a, &f, CUE_STR("key-5000")));
  const CueStruct *s = cue_fields_done(a, &f).as.fields;
  ASSERT_EQ(5000 + 1667, s->n);
  ASSERT(cue_str_is(s->at[0].key, "key-0") && cue_str_is(s->at[1].key, "unasked-0"));
  PASS();
}

/* Names of each length, which differ in one byte from others, at any place. */
TEST a_field_has_one_name(void) {
  for (size_t n = 0; n < 40; n++) {
    CueStruct *s = cue_struct_new(a, 1);
    char *name = cue_alloc(a, n + 1), *other = cue_alloc(a, n + 1);
    memset(name, 'x', n);
    s->at[0] = (CueField){{name, n}, cue_null()};
    memcpy(other, name, n);
    ASSERT_EQ(&s->at[0], cue_field(s, (CueStr){other, n}));
    for (size_t i = 0; i < n; i++) {
      other[i] = 'y';
      ASSERT(!cue_field(s, (CueStr){other, n}));
      other[i] = 'x';
      ASSERT(!cue_field(s, (CueStr){other, i}));
    }
  }
  PASS();
}

static SchemaField *named(uint32_t n, const char *fmt) {
  SchemaField *fields = cue_array(a, SchemaField, n);
  for (uint32_t i = 0; i < n; i++) {
    char text[80];
    snprintf(text, sizeof text, fmt, i);
    fields[i].key = cue_str_copy(a, cue_str(text));
  }
  return fields;
}

TEST every_name_has_a_place_of_its_own(void) {
  NameSlots t;
  for (uint32_t n = 1; n < 120; n++) {
    const SchemaField *fields = named(n, "field%u");
    ASSERT(emit_slots(a, fields, n, &t));
    for (uint32_t i = 0; i < n; i++) ASSERT_EQ(i + 1, t.slots[cue_name_slot(fields[i].key, t.seed, 64 - t.bits)]);
  }
  PASS();
}

TEST names_that_differ_in_the_middle_have_no_table(void) {
  NameSlots t;
  ASSERT(!emit_slots(a, named(2, "beginning%uof a name"), 2, &t));
  ASSERT(!emit_slots(a, named(300, "field%u"), 300, &t)); /* a place has a byte */
  ASSERT(!emit_slots(a, NULL, 0, &t));
  PASS();
}

SUITE(fields_suite) {
  a = cue_arena_new();
  RUN_TEST(every_field_is_found_however_many_there_are);
  RUN_TEST(a_field_has_one_name);
  RUN_TEST(every_name_has_a_place_of_its_own);
  RUN_TEST(names_that_differ_in_the_middle_have_no_table);
  cue_arena_free(a);
}
