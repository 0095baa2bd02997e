/* time.c - package time: moments are strings in the form of RFC 3339, durations ints of nanoseconds. */
#include "stdlib/cue/gotext.h"
#include "stdlib/cue/go_time.h"
#include "stdlib/cue/stdlib.h"

static CueValue rfc3339(CueCall *c, GoTime t) {
  t.offset = 0;
  return cue_string(go_time_format(c->a, t, CUE_STR(GO_RFC3339_NANO)));
}

/* ---- durations ---- */

static CueValue time_duration(CueCall *c) {
  int64_t nanos;
  CueStr why;
  if (!go_duration_parse(c->a, cue_arg_str(c, 0), &nanos, &why)) return cue_fail(c, "%.*s", CUE_FMT(why));
  return cue_bool(true);
}

static CueValue time_parse_duration(CueCall *c) {
  int64_t nanos;
  CueStr why;
  if (!go_duration_parse(c->a, cue_arg_str(c, 0), &nanos, &why)) return cue_fail(c, "%.*s", CUE_FMT(why));
  return cue_int(nanos);
}

static CueValue time_format_duration(CueCall *c) {
  int64_t nanos;
  if (!cue_arg_int64(c, 0, &nanos)) return c->error;
  return cue_string(go_duration_text(c->a, nanos));
}

/* ---- moments ---- */

static CueValue has_layout(CueCall *c, CueStr layout) {
  GoTime t;
  CueStr why;
  if (go_time_parse(c->a, layout, cue_arg_str(c, 0), &t, &why)) return cue_bool(true);
  CueStr quoted = cue_go_quoted(c->a, cue_arg_str(c, 0));
  return cue_fail(c, "invalid time %.*s", CUE_FMT(quoted));
}

static CueValue time_time(CueCall *c) { return has_layout(c, CUE_STR(GO_RFC3339_NANO)); }
static CueValue time_format(CueCall *c) { return has_layout(c, cue_arg_str(c, 1)); }

static CueValue time_format_string(CueCall *c) {
  GoTime t;
  CueStr why;
  if (!go_time_parse(c->a, CUE_STR(GO_RFC3339_NANO), cue_arg_str(c, 1), &t, &why))
    return cue_fail(c, "%.*s", CUE_FMT(why));
  return cue_result_string(c->a, go_time_format(c->a, t, cue_arg_str(c, 0)));
}

static CueValue time_parse(CueCall *c) {
  GoTime t;
  CueStr why;
  if (!go_time_parse(c->a, cue_arg_str(c, 0), cue_arg_str(c, 1), &t, &why)) return cue_fail(c, "%.*s", CUE_FMT(why));
  return rfc3339(c, t);
}

static CueValue time_unix(CueCall *c) {
  int64_t seconds, nanos;
  if (!cue_arg_int64(c, 0, &seconds) || !cue_arg_int64(c, 1, &nanos)) return c->error;
  return rfc3339(c, go_time_unix(seconds, nanos));
}

static CueValue time_split(CueCall *c) {
  GoTime t;
  CueStr why;
  if (!go_time_parse(c->a, CUE_STR(GO_RFC3339_NANO), cue_arg_str(c, 0), &t, &why))
    return cue_fail(c, "%.*s", CUE_FMT(why));
  GoCivil d = go_time_civil(t);
  const CueField parts[] = {
      {CUE_STR("year"), cue_int(d.year)},        {CUE_STR("month"), cue_int(d.month)},
      {CUE_STR("day"), cue_int(d.day)},          {CUE_STR("hour"), cue_int(d.hour)},
      {CUE_STR("minute"), cue_int(d.minute)},    {CUE_STR("second"), cue_int(d.second)},
      {CUE_STR("nanosecond"), cue_int(t.nanos)},
  };
  CueStruct *s = cue_struct_new(c->a, CUE_COUNT(parts));
  for (uint32_t i = 0; i < CUE_COUNT(parts); i++) s->at[i] = parts[i];
  return cue_struct(s);
}

/* ---- the package ---- */

static const char constants[] = "Nanosecond: 1\n"
                                "Microsecond: 1000\n"
                                "Millisecond: 1000000\n"
                                "Second: 1000000000\n"
                                "Minute: 60000000000\n"
                                "Hour: 3600000000000\n"
                                "ANSIC: \"Mon Jan _2 15:04:05 2006\"\n"
                                "UnixDate: \"Mon Jan _2 15:04:05 MST 2006\"\n"
                                "RubyDate: \"Mon Jan 02 15:04:05 -0700 2006\"\n"
                                "RFC822: \"02 Jan 06 15:04 MST\"\n"
                                "RFC822Z: \"02 Jan 06 15:04 -0700\"\n"
                                "RFC850: \"Monday, 02-Jan-06 15:04:05 MST\"\n"
                                "RFC1123: \"Mon, 02 Jan 2006 15:04:05 MST\"\n"
                                "RFC1123Z: \"Mon, 02 Jan 2006 15:04:05 -0700\"\n"
                                "RFC3339: \"2006-01-02T15:04:05Z07:00\"\n"
                                "RFC3339Nano: \"2006-01-02T15:04:05.999999999Z07:00\"\n"
                                "RFC3339Date: \"2006-01-02\"\n"
                                "Kitchen: \"3:04PM\"\n"
                                "Kitchen24: \"15:04\"\n"
                                "January: 1\n"
                                "February: 2\n"
                                "March: 3\n"
                                "April: 4\n"
                                "May: 5\n"
                                "June: 6\n"
                                "July: 7\n"
                                "August: 8\n"
                                "September: 9\n"
                                "October: 10\n"
                                "November: 11\n"
                                "December: 12\n"
                                "Sunday: 0\n"
                                "Monday: 1\n"
                                "Tuesday: 2\n"
                                "Wednesday: 3\n"
                                "Thursday: 4\n"
                                "Friday: 5\n"
                                "Saturday: 6\n";

static const CueBuiltin functions[] = {
    {"Duration", "s", 'b', time_duration},
    {"FormatDuration", "i", 's', time_format_duration},
    {"ParseDuration", "s", 'i', time_parse_duration},
    {"Time", "s", 'b', time_time},
    {"Format", "ss", 'b', time_format},
    {"FormatString", "ss", 's', time_format_string},
    {"Parse", "ss", 's', time_parse},
    {"Unix", "ii", 's', time_unix},
    {"Split", "s", 't', time_split},
};

const CueBuiltinPackage cue_pkg_time = {"time", functions, CUE_COUNT(functions), constants, true};
