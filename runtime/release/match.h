/* match.h - which transformers a component gets, decided with sets of bits.
**
** A transformer matches if the component has all its required labels with equal values, all its
** required resources and all its required traits. Every label, resource and trait that some transformer
** names has a number; what a transformer needs and what a component has are sets of them, and one
** contains the other or not.
*/
#ifndef CUE_RELEASE_MATCH_H
#define CUE_RELEASE_MATCH_H

#include "runtime/value.h"

typedef struct MatchTable MatchTable;

/* Of `transformers` in a provider's description (runtime/compiled.h), which the table refers to. NULL if that is not what
** it is. */
MatchTable *match_table_new(CueArena *a, CueValue transformers);

/* A label that says what a component is to become, and does not make it so: transformers require it, none of which matches. */
typedef struct {
  CueStr label, value;
  uint32_t transformer; /* the first of those */
  CueStr lacks;         /* what the component would need for it, for people */
} IdleLabel;

typedef struct {
  const uint32_t *at; /* transformers that match, in their order */
  uint32_t n;
  const CueStr *unhandled; /* traits of the component that none of these knows, in their order */
  uint32_t nunhandled;
  const IdleLabel *labels; /* none if nothing matches */
  uint32_t nlabels;
} Matches;

/* labels may be bottom, for none; resources and traits are lists of names. */
Matches match_component(const MatchTable *t, CueArena *a, CueValue labels, CueValue resources, CueValue traits);

/* Traits of a component that have no effect: of the transformers that match, those that require one made nothing of it, and no
** other has a use for it. */
typedef struct {
  CueStr trait;
  uint32_t transformer; /* the last of those that made nothing */
} IdleTrait;
typedef struct {
  const IdleTrait *at;
  uint32_t n;
} MatchIdle;
/* made: by the places in m->at, whether that transformer made an object. */
MatchIdle match_idle(const MatchTable *t, CueArena *a, const Matches *m, const bool *made, CueValue traits);

/* Labels may be numbers or truth values: they are compared as the text they become. */
CueStr match_label_text(CueArena *a, CueValue label);
/* "component NAME: unhandled trait TRAIT" */
CueStr match_unhandled(CueArena *a, CueStr component, CueStr trait);
/* "component NAME: label LABEL=VALUE has no effect: KEY needs ..." */
CueStr match_idle_label(CueArena *a, CueStr component, const IdleLabel *l, CueStr key);
/* "component NAME: nothing is rendered of trait TRAIT by KEY" */
CueStr match_idle_text(CueArena *a, CueStr component, CueStr trait, CueStr key);
/* What a component of core has, or its metadata; CUE takes others beside the definitions that it embeds. */
bool match_is_component_field(CueStr key, bool of_metadata);
/* "component NAME: [metadata.]KEY is no field of a component ..." */
CueStr match_unknown_field(CueArena *a, CueStr component, CueStr key, bool of_metadata);
/* For a release without components. */
#define MATCH_NO_COMPONENTS "no components in #components: nothing is rendered"

#endif
