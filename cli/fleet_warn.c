/* fleet_warn.c - warnings of releases, each told once for each module.
**
** What is to be said of a module is mostly true of all its releases, and nobody reads it a hundred thousand times. So the
** first release that it is said of is told, and at the end how many others there are. Warnings come in the order of the
** fleet, so this depends on nothing else. With --verbose all are told.
*/
#include "cli/fleet.h"
#include "cli/log.h"

static void note(void *user, CueStr module, CueStr version, CueStr used) {
  FleetNotes *n = user;
  CueStr text = log_replaced_text(n->a, module, version, used);
  for (uint32_t i = 0; i < n->told->replaced.n; i++)
    if (cue_str_eq(n->told->replaced.at[i], module)) return;
  for (uint32_t i = 0; i < n->texts.n; i++)
    if (cue_str_eq(n->texts.at[i], text)) return;
  cue_push(n->a, &n->texts, text);
}

void fleet_note_replaced(FleetNotes *notes, LoadConfig *load) {
  load->replaced = note;
  load->replaced_user = notes;
}

/* Texts that have names of releases in them are all different: what is beyond this is told as it comes. */
enum { MOST = 1000, SLOTS = 4096 };

typedef struct {
  CueStr module, text;
  uint64_t more;
} Told;

struct FleetWarnings {
  const FleetOptions *o;
  CueArena *keep;
  Told told[MOST];
  uint16_t slots[SLOTS]; /* of told, from 1; open addressing */
  uint32_t n;
};

FleetWarnings *fleet_warnings_new(const FleetOptions *o, CueArena *keep) {
  FleetWarnings *w = cue_new(keep, FleetWarnings);
  w->o = o;
  w->keep = keep;
  return w;
}

static uint16_t *slot(FleetWarnings *w, const FleetWarning *of) {
  uint64_t h = fleet_hash(fleet_hash(0, of->module), of->text);
  size_t i = (size_t)(h ^ h >> 32) % SLOTS;
  for (; w->slots[i]; i = (i + 1) % SLOTS) {
    const Told *t = &w->told[w->slots[i] - 1];
    if (cue_str_eq(t->text, of->text) && cue_str_eq(t->module, of->module)) break;
  }
  return &w->slots[i];
}

void fleet_warn(FleetWarnings *w, CueStr release, const FleetWarning *of) {
  uint16_t *at = slot(w, of);
  if (*at && !w->o->r->verbose) {
    w->told[*at - 1].more++;
    return;
  }
  log_line(w->o->r, LOG_WARN, release, of->text, NULL, 0);
  if (*at || w->n == MOST) return;
  w->told[w->n] = (Told){cue_str_copy(w->keep, of->module), cue_str_copy(w->keep, of->text), 0};
  *at = (uint16_t)++w->n;
}

void fleet_warnings_end(const FleetWarnings *w) {
  for (uint32_t i = 0; i < w->n; i++) {
    const Told *t = &w->told[i];
    if (t->more)
      log_f(w->o->r, LOG_WARN, "%.*s (and in %llu more release%s of %.*s)", CUE_FMT(t->text),
            (unsigned long long)t->more, t->more == 1 ? "" : "s", CUE_FMT(run_shown(w->o->r, t->module)));
  }
}
