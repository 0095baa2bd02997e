/* abi.h - what code that opm generates shares with opm itself: the layouts of data, and the table of functions through
** which it reaches the runtime.
**
** Generated C includes this header and nothing else, and opm carries its text, so that compiling needs only a C
** compiler. Generated code has no undefined symbols but memcpy, memset, memmove and memcmp, keeps nothing that can
** change, and gets all it works on in a PlanRun. CUE_ABI goes up with every change of what is laid out here or of what
** a function of the table does.
*/
#ifndef CUE_ABI_H
#define CUE_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CUE_ABI 3

typedef struct CueArena CueArena;
typedef struct CueRegexCache CueRegexCache;
typedef struct CueBuiltin CueBuiltin;

/* ---- data: value.h says what it means ---- */

typedef struct {
  const char *s;
  size_t n;
} CueStr;
#define CUE_STR(lit) ((CueStr){(lit), sizeof(lit) - 1})

#ifndef __cplusplus /* the one file of C++ needs no more */

/* Kinds are a set: number is int|float, and x & y has the intersection. Bottom is empty. */
typedef enum {
  CUE_BOTTOM = 0,
  CUE_NULL = 1 << 0,
  CUE_BOOL = 1 << 1,
  CUE_INT = 1 << 2,
  CUE_FLOAT = 1 << 3,
  CUE_STRING = 1 << 4,
  CUE_BYTES = 1 << 5,
  CUE_FUNC = 1 << 6,
  CUE_LIST = 1 << 7,
  CUE_STRUCT = 1 << 8,
  CUE_NUMBER = CUE_INT | CUE_FLOAT,
  CUE_TOP = (1 << 9) - 1,
} CueKind;

typedef enum {
  CUE_PLAIN, /* the union member of its kind; ints are as.i */
  CUE_BIG,   /* an int held in as.num */
  CUE_MULTI, /* a string written as a multi-line literal (only from cue_yaml_written) */
  CUE_LENT,  /* as.lent: a value of the evaluator lent to a builtin, maybe not concrete; kind is its kind set */
  CUE_HOLE,  /* a value of the evaluator that is not known yet: compiler/hole.h */
} CueForm;

typedef struct CueNum CueNum;
typedef struct CueList CueList;
typedef struct CueStruct CueStruct;

typedef struct {
  uint16_t kind; /* one CueKind bit; CUE_BOTTOM for an error */
  uint16_t form; /* CueForm */
  uint32_t len;  /* string, bytes, bottom: length of as.s */
  union {
    bool b;
    int64_t i;
    const CueNum *num;
    const char *s; /* string and bytes; for bottom the message */
    const CueList *list;
    const CueStruct *fields;
    void *lent; /* see builtin.h */
  } as;
} CueValue;

struct CueList {
  uint32_t n;
  CueValue at[];
};
typedef struct {
  CueStr key;
  CueValue value;
} CueField;
struct CueStruct { /* regular fields in output order */
  uint32_t n;
  CueField at[];
};

/* How a CueNum lies in memory, for those that are written down as constants: libmpdec's decimal, and its words. Only
** num.c looks at one otherwise. */
typedef struct {
  uint8_t flags;
  int64_t exp, digits, len, alloc;
  const uint64_t *data; /* least significant first, to the base 10^19 */
  const char *written;  /* how the source wrote it, where YAML repeats that; or NULL */
} CueNumLayout;

static inline CueValue cue_null(void) { return (CueValue){.kind = CUE_NULL}; }
static inline CueValue cue_bool(bool b) { return (CueValue){.kind = CUE_BOOL, .as.b = b}; }
static inline CueValue cue_int(int64_t i) { return (CueValue){.kind = CUE_INT, .as.i = i}; }
static inline CueValue cue_list(const CueList *l) { return (CueValue){.kind = CUE_LIST, .as.list = l}; }
static inline CueValue cue_struct(const CueStruct *s) { return (CueValue){.kind = CUE_STRUCT, .as.fields = s}; }

/* Structs and lists under construction: fields.h. */
typedef struct {
  CueStruct *s;    /* NULL for none yet */
  uint32_t *index; /* where names are found, once there are many: 1 + the place of a field */
  uint32_t cap, mask, indexed;
} CueFields;
typedef struct {
  CueList *l;
  uint32_t cap;
} CueElements;

/* ---- names ---- */

static inline uint64_t cue_load8(const char *s) {
  uint64_t w;
  __builtin_memcpy(&w, s, sizeof w);
  return w;
}
static inline uint32_t cue_load4(const char *s) {
  uint32_t w;
  __builtin_memcpy(&w, s, sizeof w);
  return w;
}

/* Not by memcmp: a library that might be called is one more thing to load. */
static inline bool cue_same_bytes(const char *x, const char *y, size_t n) {
  if (n >= 8) {
    for (size_t i = 0; i + 8 < n; i += 8)
      if (cue_load8(x + i) != cue_load8(y + i)) return false;
    return cue_load8(x + n - 8) == cue_load8(y + n - 8);
  }
  if (n >= 4) return cue_load4(x) == cue_load4(y) && cue_load4(x + n - 4) == cue_load4(y + n - 4);
  return !n || (x[0] == y[0] && x[n / 2] == y[n / 2] && x[n - 1] == y[n - 1]);
}

/* The field of that name, or NULL. Names mostly differ in their length, or else in their last bytes. */
static inline const CueField *cue_field(const CueStruct *s, CueStr name) {
  const CueField *f = s->at, *const end = f + s->n;
  const size_t n = name.n;
  if (n >= 8) {
    const uint64_t last = cue_load8(name.s + n - 8);
    for (; f < end; f++)
      if (f->key.n == n && cue_load8(f->key.s + n - 8) == last && cue_same_bytes(f->key.s, name.s, n)) return f;
    return NULL;
  }
  if (n >= 4) {
    const uint32_t first = cue_load4(name.s), last = cue_load4(name.s + n - 4);
    for (; f < end; f++)
      if (f->key.n == n && cue_load4(f->key.s) == first && cue_load4(f->key.s + n - 4) == last) return f;
    return NULL;
  }
  for (; f < end; f++)
    if (f->key.n == n && cue_same_bytes(f->key.s, name.s, n)) return f;
  return NULL;
}

/* Where a name is looked for in a table of 2^(64 - shift) places: names known beforehand get a seed for which each has a
** place of its own (a perfect hash), unless they differ only in the middle. */
static inline uint32_t cue_name_slot(CueStr name, uint64_t seed, unsigned shift) {
  const size_t n = name.n;
  uint64_t first = 0, last = 0;
  if (n >= 8) {
    first = cue_load8(name.s), last = cue_load8(name.s + n - 8);
  } else if (n >= 4) {
    first = cue_load4(name.s), last = cue_load4(name.s + n - 4);
  } else if (n) {
    first = (uint8_t)name.s[0], last = (uint64_t)(uint8_t)name.s[n / 2] << 8 | (uint8_t)name.s[n - 1];
  }
  return (uint32_t)(((first ^ (last << 29 | last >> 35) ^ n) * seed) >> shift);
}

/* ---- regular expressions as tables: dfa.h ---- */

typedef struct {
  uint16_t width;     /* entries of a row: the number of classes of bytes; also where row 1 is */
  uint16_t start;     /* the first state */
  uint16_t accepting; /* texts that end in this state or a later one match */
  uint16_t rows;
  const uint16_t *next;   /* rows * width: states, by state and class */
  const uint8_t *classes; /* by byte */
} CueDfa;

static inline bool cue_dfa_test(const CueDfa *d, const char *text, size_t n) {
  uint32_t at = d->start;
  for (size_t i = 0; i < n && at > d->width; i++) at = d->next[at + d->classes[(uint8_t)text[i]]];
  return at == d->width || at >= d->accepting;
}

/* ---- what plans do: plan.h ---- */

typedef enum {
  PLAN_EQ,
  PLAN_NE,
  PLAN_LT,
  PLAN_LE,
  PLAN_GT,
  PLAN_GE,
  PLAN_AND, /* both sides are always run, as CUE does */
  PLAN_OR,
  PLAN_NOT,
  PLAN_ADD,
  PLAN_SUB,
  PLAN_MUL,
  PLAN_DIV,
  PLAN_NEG,
  PLAN_IDIV, /* of ints, as CUE's functions div, mod, quo and rem */
  PLAN_IMOD,
  PLAN_IQUO,
  PLAN_IREM,
  PLAN_MATCH, /* =~ */
  PLAN_NO_MATCH,
} PlanOp;

typedef struct PlanSchema PlanSchema;

typedef enum {
  SCHEMA_ANY,
  SCHEMA_SCALAR, /* kinds, and all of tests */
  SCHEMA_ENUM,   /* one of values */
  SCHEMA_STRUCT,
  SCHEMA_LIST,
  SCHEMA_ONE, /* scalars only: any one of of */
} SchemaKind;

typedef struct {
  uint8_t op; /* PLAN_LT ... PLAN_GE, PLAN_NE, PLAN_MATCH, PLAN_NO_MATCH */
  CueValue value;
  const CueBuiltin *builtin; /* instead: a validator, with the arguments after the first in value, a list */
  const char *package;
  uint32_t use;      /* or this: 1 + its index in PlanRun.uses */
  const CueDfa *dfa; /* of the value, a pattern; or NULL */
} SchemaTest;

typedef enum { SCHEMA_REGULAR, SCHEMA_REQUIRED, SCHEMA_OPTIONAL } SchemaPresence;

typedef struct {
  CueStr key;
  uint8_t presence;
  uint32_t place; /* in the order in which they are declared, which is that of the fields of what is checked */
  const PlanSchema *schema;
} SchemaField;

typedef struct {
  CueStr pattern; /* a regular expression for keys; "" for every key */
  const PlanSchema *schema;
  const CueDfa *dfa; /* of the pattern, or NULL */
} SchemaPattern;

struct PlanSchema {
  uint8_t kind;
  bool open;        /* struct: further fields; list: further elements, of rest */
  bool has_default; /* value is what it is if nothing is said */
  bool ordered;     /* struct: fields must come as they are declared, and there are no others */
  uint16_t kinds;   /* CueKind set */
  uint8_t shift;    /* struct: of its slots */
  uint32_t n, npatterns;
  uint32_t late;  /* struct: so many of its fields, the last of them, come as they are given, before those not given */
  CueValue value; /* default */
  const SchemaTest *tests;   /* n, of scalars */
  const CueValue *values;    /* n, of enums */
  const SchemaField *fields; /* n, of structs, by key */
  const SchemaPattern *patterns;
  const PlanSchema *const *of; /* n: elements of a list, parts of ONE */
  const PlanSchema *rest;
  const uint8_t *slots; /* struct: 1 + the field of a name, by cue_name_slot; NULL if there is no such table */
  uint64_t seed;
};

/* A function of a builtin package that code calls, found by its name when the code is linked (compiled_link). */
typedef struct {
  const char *package, *name; /* "strings", "ToLower" */
} CueUseName;
typedef struct {
  const CueBuiltin *builtin;
  const char *package;
} CueUse;

typedef struct CueRuntime CueRuntime;
typedef struct {
  CueArena *a;
  CueRegexCache *regexes;
  const CueValue *inputs;
  CueValue *vars; /* as many as the plan has slots */
  const CueRuntime *rt;
  const CueUse *uses;
} PlanRun;

/* ---- the runtime ---- */

/* Functions that return bool give up with false, as plan_run does. Each does to values what the plan of that name does
** with what its operands yield. */
struct CueRuntime {
  uint32_t abi;                             /* CUE_ABI */
  uint32_t size;                            /* of this table */
  void *(*alloc)(CueArena *a, size_t size); /* zeroed; never NULL */
  bool (*unify)(CueArena *a, CueValue x, CueValue y, CueValue *out);
  bool (*check)(PlanRun *r, const PlanSchema *s, CueValue v, CueValue *out);
  bool (*op)(PlanRun *r, PlanOp op, CueValue x, CueValue y, CueValue *out);  /* y is bottom for one operand */
  bool (*compare)(PlanRun *r, PlanOp op, CueValue x, CueValue y, bool *yes); /* the operators that yield bool */
  bool (*index)(CueValue x, CueValue y, CueValue *out);
  bool (*text)(PlanRun *r, const CueValue *parts, uint32_t n, CueValue *out);
  bool (*call)(PlanRun *r, uint32_t use, CueValue *args, uint32_t n, CueValue *out);
  bool (*add_field)(CueArena *a, CueFields *f, CueStr key, CueValue v); /* unified with what the key has already */
  bool (*add_fields)(CueArena *a, CueFields *f, CueValue from);         /* all of a struct */
  void (*add_element)(CueArena *a, CueElements *l, CueValue v);
  bool (*add_elements)(CueArena *a, CueElements *l, CueValue from); /* all of a list */
};

/* ---- compiled functions: compiled.h ---- */

typedef bool CompiledCode(PlanRun *r, CueValue *out); /* as plan_run */

typedef struct {
  CueStr name;             /* "transform of deployment-transformer": for people, and to name C functions after */
  const struct Plan *plan; /* NULL in what a C compiler made */
  CompiledCode *code;      /* NULL where there is only a plan */
  uint32_t slots;          /* variables it needs */
  CueStr why;              /* neither: why it could not be lowered, and where */
} CompiledFunction;

typedef enum { COMPILED_PROVIDER = 1, COMPILED_MODULE } CompiledKind;

typedef struct {
  CompiledKind kind;
  uint32_t abi; /* CUE_ABI of the header that code was compiled with */
  CueValue about;
  const CompiledFunction *functions;
  uint32_t n, nuses;
  const CueUseName *use_names; /* nuses */
  const CueUse *uses;          /* the same, once linked */
} Compiled;

_Static_assert(sizeof(void *) == 8, "layouts are those of 64-bit machines");
_Static_assert(sizeof(CueValue) == 16 && offsetof(CueValue, len) == 4 && offsetof(CueValue, as) == 8, "CueValue");
_Static_assert(sizeof(CueField) == 32 && offsetof(CueField, value) == 16, "CueField");
_Static_assert(offsetof(CueList, at) == 8 && offsetof(CueStruct, at) == 8, "CueList, CueStruct");
_Static_assert(sizeof(CueNumLayout) == 56, "CueNumLayout");
_Static_assert(sizeof(SchemaTest) == 56 && sizeof(SchemaField) == 32 && sizeof(SchemaPattern) == 32, "schemas");
_Static_assert(sizeof(PlanSchema) == 104, "PlanSchema");
_Static_assert(sizeof(PlanRun) == 48, "PlanRun");
_Static_assert(sizeof(CueRuntime) == 104, "CueRuntime");
_Static_assert(sizeof(CompiledFunction) == 56 && sizeof(Compiled) == 56, "Compiled");

/* ---- for generated code alone ---- */

static inline bool code_absent(CueValue v) { return v.kind == CUE_BOTTOM; }

static inline CueStruct *code_struct(PlanRun *r, uint32_t n) {
  return (CueStruct *)r->rt->alloc(r->a, sizeof(CueStruct) + n * sizeof(CueField));
}
static inline CueList *code_list(PlanRun *r, uint32_t n) {
  return (CueList *)r->rt->alloc(r->a, sizeof(CueList) + n * sizeof(CueValue));
}

/* What is called from many places is called: written out each time it would take longer to compile than it saves. */
#define CODE_SHARED __attribute__((noinline, unused)) static

CODE_SHARED void code_put(CueStruct *s, CueStr key, CueValue v) { s->at[s->n++] = (CueField){key, v}; }

/* x.key: absent if x is, or has no such field. */
CODE_SHARED bool code_get(CueValue x, CueStr key, CueValue *out) {
  *out = (CueValue){0};
  if (x.kind != CUE_STRUCT) return x.kind == CUE_BOTTOM;
  const CueField *f = cue_field(x.as.fields, key);
  if (f) *out = f->value;
  return true;
}

/* Text known to the code. */
#define CODE_TEXT(lit) ((CueValue){.kind = CUE_STRING, .len = sizeof(lit) - 1, .as.s = (lit)})

CODE_SHARED bool code_is(CueValue v, CueStr s) {
  return v.kind == CUE_STRING && v.len == s.n && cue_same_bytes(v.as.s, s.s, s.n);
}
/* x == s; gives up on kinds that are not compared. */
CODE_SHARED bool code_equal_text(CueValue x, CueStr s, bool *same) {
  *same = code_is(x, s);
  return x.kind == CUE_STRING || x.kind == CUE_NULL;
}

static inline uint32_t code_count(CueValue v) { return v.kind == CUE_STRUCT ? v.as.fields->n : v.as.list->n; }
static inline CueValue code_key_at(CueValue v, uint32_t i) {
  if (v.kind != CUE_STRUCT) return cue_int(i);
  const CueStr key = v.as.fields->at[i].key;
  return (CueValue){.kind = CUE_STRING, .len = (uint32_t)key.n, .as.s = key.s};
}
static inline CueValue code_value_at(CueValue v, uint32_t i) {
  return v.kind == CUE_STRUCT ? v.as.fields->at[i].value : v.as.list->at[i];
}
static inline bool code_length(CueValue v, CueValue *out) {
  if (v.kind & (CUE_STRUCT | CUE_LIST))
    *out = cue_int(code_count(v));
  else
    *out = cue_int(v.len);
  return (v.kind & (CUE_STRUCT | CUE_LIST | CUE_STRING | CUE_BYTES)) != 0;
}

static inline CueValue code_fields(PlanRun *r, CueFields f) { return cue_struct(f.s ? f.s : code_struct(r, 0)); }
static inline CueValue code_elements(PlanRun *r, CueElements e) { return cue_list(e.l ? e.l : code_list(r, 0)); }

/* Absent ones do not count. */
CODE_SHARED bool code_unify(PlanRun *r, CueValue *all, CueValue v) {
  if (code_absent(v)) return true;
  if (!code_absent(*all)) return r->rt->unify(r->a, *all, v, all);
  *all = v;
  return true;
}

static inline bool code_fits(PlanRun *r, const PlanSchema *s, CueValue v) { return r->rt->check(r, s, v, &v); }

/* What several places need is kept once made. A cell that is empty is zero, so what is absent gets a mark. */
static inline bool code_kept(const PlanRun *r, uint32_t cell, CueValue *out) {
  *out = r->vars[cell];
  return out->kind != CUE_BOTTOM || out->form != CUE_PLAIN;
}
static inline void code_keep(PlanRun *r, uint32_t cell, CueValue v) {
  r->vars[cell] = v;
  if (code_absent(v)) r->vars[cell].form = CUE_LENT;
}

#endif
#endif
