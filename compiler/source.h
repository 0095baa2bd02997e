/* source.h - source text held in memory, and positions in it.
**
** A CuePos is 32 bits: the offset in the set of all sources of a run, and the white space
** that stood before the token (CueRel), which only the formatter cares about. 0 is "no
** position". Lines and columns are computed when an error is printed.
*/
#ifndef CUE_SOURCE_H
#define CUE_SOURCE_H

#include "runtime/str.h"

typedef uint32_t CuePos;

/* White space before a token: ORDER as cue's formatter compares them. */
typedef enum { CUE_REL_NONE, CUE_REL_ELIDED, CUE_REL_NOSPACE, CUE_REL_BLANK, CUE_REL_NEWLINE, CUE_REL_SECTION } CueRel;

/* A struct literal that is read when it is first used: most of a large catalog never is. Only sources inside the
** program have such, for they are known to be right; the build finds them (stdlib/opm/embed.c). */
typedef struct {
  uint32_t open, close; /* offsets of its braces in the text; UINT32_MAX ends a list */
  uint32_t lets;        /* let clauses in it: each has a number that messages show */
} CueStub;

typedef struct {
  CueStr name;     /* as shown to people: path as found by the loader */
  CueStr text;     /* NUL at text.s[text.n]: the scanner needs it */
  uint32_t base;   /* first offset of this file in the set */
  uint32_t *lines; /* offsets of line starts, made on first use */
  uint32_t nlines;
  uint32_t line0, col0; /* a piece of a file: lines before it, and bytes before it in its first line */
  const CueStub *stubs; /* in order; NULL for sources that may be wrong anywhere */
  bool explicit_open;   /* @experiment(explicitopen): embedding a definition closes nothing */
  bool old_compare;     /* language before v0.15: structs and unlike kinds do not compare */
} CueSource;

typedef struct {
  CueArena *a;
  CUE_VEC(CueSource *) files;
  uint32_t next; /* base of the next file */
  bool any_explicit_open, any_old_compare;
} CueSources;

typedef struct {
  CueStr file;
  uint32_t line, col; /* from 1; col counts bytes */
} CueLineCol;

void cue_sources_init(CueSources *ss, CueArena *a);
/* Adds a file; NULL if the set would pass its limit of 512 MiB. The text is copied. */
CueSource *cue_source_add(CueSources *ss, CueStr name, CueStr text);
CueSource *cue_source_keep(CueSources *ss, CueStr name, CueStr text); /* text stays, and a NUL stands behind it */
/* A set without sources gets those of another, at the same positions; the texts are shared, and stay with the other. */
void cue_sources_share(CueSources *ss, const CueSources *from);
CueSource *cue_source_of(const CueSources *ss, CuePos p); /* NULL for no position */
CueLineCol cue_source_line(const CueSources *ss, CuePos p);
uint32_t cue_source_line_of(CueArena *a, CueSource *s,
                            CuePos p); /* line from 1, of a position known to be in s; a must outlive s */

static inline CuePos cue_pos(uint32_t offset_in_set, CueRel rel) { return (offset_in_set << 3) | (CuePos)rel; }
static inline uint32_t cue_pos_offset(CuePos p) { return p >> 3; }
static inline CueRel cue_pos_rel(CuePos p) { return (CueRel)(p & 7); }
static inline CuePos cue_pos_with_rel(CuePos p, CueRel r) { return (p & ~7u) | (CuePos)r; }
static inline bool cue_pos_known(CuePos p) { return (p >> 3) != 0; }

#endif
