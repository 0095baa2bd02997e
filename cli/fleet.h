/* fleet.h - many releases rendered in one process.
**
** A fleet is a stream of entries, each of which asks for one release. fleet_read.c cuts it into blocks of
** items; a worker takes a block, renders the releases of it into the block's own memory
** (fleet_entry.c, fleet_render.c) and hands it back; fleet_put.c puts the blocks out in the order in
** which they were read. So the output is the same for any number of workers, and memory depends on the
** number of blocks, not on that of releases. fleet_work.c has the workers, fleet.c the command.
**
** What workers share does not change while they run, or is behind a lock.
*/
#ifndef OPM_FLEET_H
#define OPM_FLEET_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "cli/render.h"
#include "runtime/release/release.h"

typedef enum { FLEET_CUE, FLEET_JSON, FLEET_JSONL, FLEET_YAML } FleetForm;

/* ---- what is asked for ---- */

typedef struct {
  Run *r;           /* of who puts out, and of nobody else once there are workers */
  const Run *apart; /* what it was before that, for all to copy: fleet_run */
  CueStr fleet;     /* absolute path; "-" for stdin */
  CueStr shown;     /* as messages name it */
  CueStr base;      /* folder that modules and values files are relative to */
  FleetForm form;
  bool json;
  CueStr out_dir; /* absolute; "" for one stream */
  bool prune, fail_fast, progress;
  unsigned jobs;
  uint64_t shard, shards;
  RenderOptions render;   /* what all releases have in common */
  bool provider_reloaded; /* the provider is in the configuration: each context needs it anew */
} FleetOptions;

/* One entry, not yet understood. */
typedef struct {
  CueStr text;               /* of JSON or YAML, unless it is loaded */
  uint32_t line, col;        /* lines before the text, bytes before it in its first line */
  uint64_t number;           /* in the fleet, from 0 */
  CueStr key;                /* the name it has by its place in a struct; "" for none */
  const Ast *loaded;         /* the entry as syntax with positions in sources */
  CueValue value;            /* and as data */
  const CueSources *sources; /* NULL if it is not loaded */
  CueStr error;              /* printed instead: why there is no data; "" for none */
} FleetItem;

/* One entry, understood. */
typedef struct {
  CueStr module, name, namespace, environment; /* "" where it says nothing */
  CueValue values;                             /* a struct; bottom if there is none */
  const CueStr *files;                         /* ... or files */
  uint32_t nfiles;
} FleetEntry;

/* ---- what came of it ---- */

typedef struct {
  CueStr path; /* below the folder for output */
  size_t from, to;
  bool same; /* the file has this text already */
} FleetFile;

/* What is worth telling of a release that was rendered. */
typedef struct {
  CueStr module; /* folder of it */
  CueStr text;
} FleetWarning;

typedef struct {
  uint64_t number;
  bool failed, elsewhere;  /* elsewhere: it belongs to another shard */
  bool compiled;           /* rendered without the evaluator */
  uint64_t release, place; /* hashes: of module, name and namespace; of name and namespace */
  size_t out, err;         /* ends in the texts of the block */
  uint32_t objects, files; /* how many; end in the files of the block */
  uint32_t warnings;       /* end in those of the block */
  CueStr name, namespace;  /* for what is said later: in the memory of the block */
} FleetDone;

typedef struct FleetBlock {
  struct FleetBlock *next;
  uint64_t number;
  CueArena *keep; /* of the buffers, which keep their room */
  CueArena *a;    /* of everything else; emptied when the block is used again */
  CueMark empty;
  CueBuf text, out, err;
  CUE_VEC(FleetItem) items;
  CUE_VEC(FleetDone) done;
  CUE_VEC(FleetFile) files;
  CUE_VEC(FleetWarning) warnings;
  double read; /* part of the fleet that is read with this block, from 0 to 1; below 0 if that cannot be told */
} FleetBlock;

/* ---- fleet_read.c, fleet_load.c: entries ---- */
typedef struct FleetReader FleetReader;
/* NULL with *code set, and the reason told. */
FleetReader *fleet_open(const FleetOptions *o, ExitCode *code);
void fleet_close(FleetReader *r);
/* Up to `most` items; false at the end, or if reading failed. Only one at a time may call it. */
bool fleet_next(FleetReader *r, FleetBlock *b, uint32_t most);
CueStr fleet_read_error(const FleetReader *r); /* "" if there was none */

/* All entries of a text that is one value, or of CUE. False with *code set. */
typedef CUE_VEC(FleetItem) FleetItems;
bool fleet_load_cue(const FleetOptions *o, FleetItems *out, ExitCode *code);
bool fleet_load_json(const FleetOptions *o, CueStr text, FleetItems *out, ExitCode *code);
/* The entries of a YAML document that is a list or has `releases`; false if it is one entry, or wrong. */
bool fleet_load_yaml(CueArena *a, const FleetOptions *o, const FleetItem *document, FleetItems *out);

/* ---- fleet_entry.c ---- */
/* False if it is not what an entry may be: fleet_explain says why. */
bool fleet_entry(CueArena *a, const FleetItem *i, CueValue v, FleetEntry *out);
CueStr fleet_place(CueArena *a, const FleetOptions *o, const FleetItem *i); /* "./fleet.jsonl:3" */
bool fleet_is_ours(const FleetOptions *o, const FleetItem *i, const FleetEntry *e);
/* The entry as syntax, with the sources of c; NULL with why filled. */
Ast *fleet_syntax(CueContext *c, const FleetOptions *o, const FleetItem *i, RenderFailure *why);
void fleet_explain(CueContext *c, const Ast *entry, RenderFailure *why);
const Ast *fleet_field(CueArena *a, const Ast *entry, const char *name, CuePos *at); /* its value; NULL if none */

/* ---- fleet_warn.c ---- */
/* Modules whose version was another than a module asks for, as they are loaded. */
typedef struct {
  CueArena *a;
  const Run *told; /* what it knows of is told */
  CUE_VEC(CueStr) texts;
} FleetNotes;
/* The same, but noted. */
void fleet_note_replaced(FleetNotes *notes, LoadConfig *load);

typedef struct FleetWarnings FleetWarnings; /* that were told */
FleetWarnings *fleet_warnings_new(const FleetOptions *o, CueArena *keep);
void fleet_warn(FleetWarnings *w, CueStr release, const FleetWarning *of);
void fleet_warnings_end(const FleetWarnings *w); /* tells how many there were more of each */

/* ---- fleet_module.c ---- */
/* What is compiled of a module, and of the provider for it. */
typedef struct {
  CueContext *c; /* in whose memory all is */
  Compiled module, provider;
  FleetNotes notes;  /* of how it was loaded */
  bool environments; /* those that were compiled are all there are */
  void *known;
} FleetModule;

typedef struct FleetModules FleetModules; /* of all workers */
FleetModules *fleet_modules_new(const FleetOptions *o);
void fleet_modules_free(FleetModules *ms); /* when no worker is left */
/* A module for as long as the caller wants it; NULL if the evaluator is to render its releases, for now or always. */
FleetModule *fleet_module_take(FleetModules *ms, CueStr dir);
void fleet_module_drop(FleetModules *ms, FleetModule *m);

/* ---- fleet_render.c ---- */
typedef struct FleetWorker FleetWorker; /* what one thread keeps from release to release */
FleetWorker *fleet_worker_new(const FleetOptions *o, FleetModules *modules);
void fleet_worker_free(FleetWorker *w);
/* Renders the items of a block one by one, until stop. */
void fleet_render(FleetWorker *w, FleetBlock *b, atomic_bool *stop);

/* ---- fleet_put.c ---- */
typedef struct {
  uint64_t releases, failed, compiled, objects;
  uint64_t written, unchanged, stale, pruned;
} FleetCount;
typedef struct FleetPutter FleetPutter;
FleetPutter *fleet_putter_new(const FleetOptions *o, ExitCode *code); /* NULL with *code set */
/* Blocks in order. False if nothing more is to come: output failed, or --fail-fast. */
bool fleet_put(FleetPutter *p, FleetBlock *b);
/* Tells of stale files, removes them if asked to; `whole` if all of the fleet was put. */
void fleet_finish(FleetPutter *p, bool whole);
const FleetCount *fleet_count(const FleetPutter *p);
ExitCode fleet_put_failed(const FleetPutter *p); /* EXIT_OK if output went well */
void fleet_putter_free(FleetPutter *p);

/* ---- fleet_work.c ---- */
/* A run for a worker, with memory, context and log of its own. */
Run fleet_run(const FleetOptions *o, CueContext *c, CueBuf *err);
typedef enum { FLEET_DONE, FLEET_STOPPED, FLEET_INTERRUPTED } FleetEnd;
FleetEnd fleet_work(const FleetOptions *o, FleetReader *in, FleetPutter *out);
/* Whether the user has asked to stop (SIGINT, SIGTERM), while these signals are held back. */
bool fleet_interrupted(void);

uint64_t fleet_hash(uint64_t h, CueStr s);

#endif
