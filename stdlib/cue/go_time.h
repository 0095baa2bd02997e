/* go_time.h - moments, layouts and durations, as Go's time package reads and writes them.
**
** The only local time zone is UTC, so that results do not depend on the machine.
*/
#ifndef CUE_STDLIB_GO_TIME_H
#define CUE_STDLIB_GO_TIME_H

#include "runtime/str.h"

#define GO_RFC3339_NANO "2006-01-02T15:04:05.999999999Z07:00"

typedef struct {
  int64_t seconds; /* since 1970, UTC */
  int32_t nanos;   /* 0 .. 999999999 */
  int32_t offset;  /* seconds east of UTC of the zone it is shown in */
} GoTime;

typedef struct {
  int64_t year;
  int month, day, year_day; /* from 1 */
  int weekday;              /* from 0, Sunday */
  int hour, minute, second;
} GoCivil;

/* On failure *why is Go's text. */
bool go_time_parse(CueArena *a, CueStr layout, CueStr value, GoTime *out, CueStr *why);
CueStr go_time_format(CueArena *a, GoTime t, CueStr layout);
GoCivil go_time_civil(GoTime t); /* in its own zone */
GoTime go_time_unix(int64_t seconds, int64_t nanos);

bool go_duration_parse(CueArena *a, CueStr s, int64_t *nanos, CueStr *why);
CueStr go_duration_text(CueArena *a, int64_t nanos);

#endif
