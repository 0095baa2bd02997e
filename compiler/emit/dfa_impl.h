/* dfa_impl.h - what the files of dfa.h share. */
#ifndef CUE_EMIT_DFA_IMPL_H
#define CUE_EMIT_DFA_IMPL_H

#include "compiler/emit/dfa.h"

/* Conditions on a place between two bytes. */
typedef enum {
  AT_TEXT_BEGIN = 1,
  AT_TEXT_END = 2,
  AT_LINE_BEGIN = 4,
  AT_LINE_END = 8,
  AT_WORD_EDGE = 16,
  AT_NO_WORD_EDGE = 32,
} DfaPlace;

typedef struct {
  uint32_t lo, hi; /* code points, both included */
} DfaRange;

typedef enum {
  RE_EMPTY,
  RE_CLASS,  /* one code point of ranges, which are in order and apart */
  RE_PLACE,  /* place holds here */
  RE_CAT,    /* all of at */
  RE_ALT,    /* one of at */
  RE_REPEAT, /* at[0], from min to max times; max -1: without end */
} ReKind;

typedef struct Re Re;
struct Re {
  uint8_t kind;
  uint8_t place;
  int min, max;
  int copies; /* how often the innermost repetition is written out */
  uint32_t n;
  const DfaRange *ranges;
  const Re *const *at;
};

/* The tree of a pattern, or NULL with *why. */
const Re *dfa_parse(CueArena *a, CueStr pattern, const char **why);

/* A deterministic automaton over classes of bytes; state 0 is the first. */
typedef struct {
  uint32_t n, width;
  CUE_VEC(uint32_t) next;  /* n rows of width */
  CUE_VEC(bool) accepting; /* whether a text that ends here matches */
  uint8_t classes[256];
} DfaDraft;

/* The smallest automaton for the same language as a table in a; NULL if that is larger than DFA_TABLE. */
const CueDfa *dfa_minimize(CueArena *a, CueArena *scratch, const DfaDraft *d);

#endif
