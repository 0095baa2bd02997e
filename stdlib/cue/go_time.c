/* go_time.c - the calendar, and formatting and parsing by example layouts.
**
** A layout is text in which certain words stand for parts of a moment: those of the
** reference time, Mon Jan 2 15:04:05 MST 2006. next_element finds the next such word; the
** formatter and the parser are loops over it. The calendar is the proleptic Gregorian one
** with arithmetic that wraps at 64 bits as Go's does, so that any int64 gives Go's answer.
*/
#include "stdlib/cue/go_time.h"

#include <string.h>

#define DAY_SECONDS 86400
#define BILLION 1000000000

/* ---- the calendar ---- */

/* Days are counted from 1 March of a year far back that begins a cycle of 400, so a year's
** leap day is its last day and no count is negative. */
#define FIRST_YEAR 292277022400ull
#define MARCH_TO_DECEMBER 306
#define DAYS_TO_YEAR_1 (FIRST_YEAR / 400 * 146097 + MARCH_TO_DECEMBER)
#define YEAR_1_TO_1970 (719162ull * DAY_SECONDS)
#define EPOCH (DAYS_TO_YEAR_1 * DAY_SECONDS + YEAR_1_TO_1970)

static bool is_leap(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static int days_in(int month, int64_t year) {
  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

static int days_before(int month, int64_t year) {
  int days = 0;
  for (int m = 1; m < month; m++) days += days_in(m, year);
  return days;
}

GoCivil go_time_civil(GoTime t) {
  uint64_t since = (uint64_t)t.seconds + (uint64_t)(int64_t)t.offset + EPOCH;
  uint64_t days = since / DAY_SECONDS, in_day = since % DAY_SECONDS;
  uint64_t quarters = 4 * days + 3; /* of days: a century has 36524.25 */
  uint64_t century = quarters / 146097, rest = quarters % 146097 | 3;
  uint64_t year = rest / 1461, year_day = rest % 1461 / 4;
  uint64_t month_part = 5 * year_day + 461;
  bool next_year = year_day >= MARCH_TO_DECEMBER;
  GoCivil c;
  c.year = (int64_t)(century * 100 - FIRST_YEAR + year + next_year);
  c.month = (int)(month_part / 153) - (next_year ? 12 : 0);
  c.day = 1 + (int)(month_part % 153 / 5);
  c.year_day = days_before(c.month, c.year) + c.day;
  c.weekday = (int)((days + 3) % 7); /* day 0 is a Wednesday */
  c.hour = (int)(in_day / 3600);
  c.minute = (int)(in_day / 60 % 60);
  c.second = (int)(in_day % 60);
  return c;
}

/* The moment of a civil time in UTC, for years a layout can give. */
static int64_t civil_seconds(int64_t year, int month, int day, int hour, int minute, int second) {
  bool early = month <= 2;
  int64_t y = year - early + 400; /* years 0 and -1 must not go negative */
  int64_t days = y * 365 + y / 4 - y / 100 + y / 400 - 146097 - 719468;
  int m = early ? month + 9 : month - 3;
  days += (153 * m + 2) / 5 + day - 1;
  return days * DAY_SECONDS + hour * 3600 + minute * 60 + second;
}

GoTime go_time_unix(int64_t seconds, int64_t nanos) {
  uint64_t s = (uint64_t)seconds + (uint64_t)(nanos / BILLION);
  nanos %= BILLION;
  if (nanos < 0) {
    nanos += BILLION;
    s--;
  }
  return (GoTime){(int64_t)s, (int32_t)nanos, 0};
}

/* ---- layouts ---- */

typedef enum {
  NONE,
  MONTH_LONG,
  MONTH_SHORT,
  MONTH_NUM,
  MONTH_ZERO,
  WEEKDAY_LONG,
  WEEKDAY_SHORT,
  DAY,
  DAY_UNDER,
  DAY_ZERO,
  YEAR_DAY_UNDER,
  YEAR_DAY_ZERO,
  HOUR,
  HOUR12,
  HOUR12_ZERO,
  MINUTE,
  MINUTE_ZERO,
  SECOND,
  SECOND_ZERO,
  YEAR_LONG,
  YEAR,
  PM_UPPER,
  PM_LOWER,
  ZONE_NAME,
  ZONE,
  FRACTION_FIXED,
  FRACTION_TRIMMED,
} Element;

typedef struct {
  Element is;
  size_t from, to;  /* where it stands in the layout */
  bool zulu, colon; /* ZONE: Z for UTC, colons between parts */
  int parts;        /* ZONE: hours; minutes too; seconds too */
  size_t digits;    /* fractions */
  char point;       /* fractions: '.' or ',' */
} LayoutPart;

static bool starts(CueStr s, size_t at, const char *word) {
  size_t n = strlen(word);
  return s.n - at >= n && memcmp(s.s + at, word, n) == 0;
}

static bool is_digit(CueStr s, size_t at) { return at < s.n && s.s[at] >= '0' && s.s[at] <= '9'; }
static bool is_lower(CueStr s, size_t at) { return at < s.n && s.s[at] >= 'a' && s.s[at] <= 'z'; }
static CueStr tail(CueStr s, size_t from) { return cue_str_sub(s, from, s.n); }

/* Words in the order in which they are tried; a short name must not run on in lower case. */
static const struct {
  const char *word;
  Element is;
  bool whole;
} words[] = {
    {"January", MONTH_LONG, false},
    {"Jan", MONTH_SHORT, true},
    {"Monday", WEEKDAY_LONG, false},
    {"Mon", WEEKDAY_SHORT, true},
    {"MST", ZONE_NAME, false},
    {"01", MONTH_ZERO, false},
    {"02", DAY_ZERO, false},
    {"03", HOUR12_ZERO, false},
    {"04", MINUTE_ZERO, false},
    {"05", SECOND_ZERO, false},
    {"06", YEAR, false},
    {"002", YEAR_DAY_ZERO, false},
    {"15", HOUR, false},
    {"1", MONTH_NUM, false},
    {"2006", YEAR_LONG, false},
    {"2", DAY, false},
    {"_2", DAY_UNDER, false},
    {"__2", YEAR_DAY_UNDER, false},
    {"3", HOUR12, false},
    {"4", MINUTE, false},
    {"5", SECOND, false},
    {"PM", PM_UPPER, false},
    {"pm", PM_LOWER, false},
};

/* Zones are written with "-" or "Z" before these. */
static const struct {
  const char *word;
  bool colon;
  int parts;
} zones[] = {{"070000", false, 3}, {"07:00:00", true, 3}, {"0700", false, 2}, {"07:00", true, 2}, {"07", false, 1}};

static bool fraction_at(CueStr s, size_t at, LayoutPart *p) {
  if ((s.s[at] != '.' && s.s[at] != ',') || at + 1 >= s.n || (s.s[at + 1] != '0' && s.s[at + 1] != '9')) return false;
  size_t end = at + 1;
  while (end < s.n && s.s[end] == s.s[at + 1]) end++;
  if (is_digit(s, end)) return false;
  Element is = s.s[at + 1] == '9' ? FRACTION_TRIMMED : FRACTION_FIXED;
  *p = (LayoutPart){.is = is, .from = at, .to = end, .digits = (end - at - 1) & 0xFFF, .point = s.s[at]};
  return true;
}

/* The first element of the layout at or after `at`; NONE, at its end, if there is no more. */
static LayoutPart next_element(CueStr s, size_t at) {
  LayoutPart p;
  for (; at < s.n; at++) {
    if (s.s[at] == '_' && starts(s, at, "_2006")) continue; /* an underscore, then the year */
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
      if (s.s[at] != words[i].word[0] || !starts(s, at, words[i].word)) continue;
      size_t end = at + strlen(words[i].word);
      if (words[i].whole && is_lower(s, end)) continue;
      return (LayoutPart){.is = words[i].is, .from = at, .to = end};
    }
    for (size_t i = 0; (s.s[at] == '-' || s.s[at] == 'Z') && i < sizeof zones / sizeof *zones; i++)
      if (starts(s, at + 1, zones[i].word))
        return (LayoutPart){.is = ZONE,
                            .from = at,
                            .to = at + 1 + strlen(zones[i].word),
                            .zulu = s.s[at] == 'Z',
                            .colon = zones[i].colon,
                            .parts = zones[i].parts};
    if (fraction_at(s, at, &p)) return p;
  }
  return (LayoutPart){.is = NONE, .from = s.n, .to = s.n};
}

static const char *const month_names[] = {"January", "February", "March",     "April",   "May",      "June",
                                          "July",    "August",   "September", "October", "November", "December"};
static const char *const day_names[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};

/* ---- formatting ---- */

static void add_int(CueBuf *b, int64_t x, int width) {
  if (x < 0) {
    cue_buf_ch(b, '-');
    x = -x;
  }
  cue_buf_f(b, "%0*lld", width, (long long)x);
}

static void add_fraction(CueBuf *b, int32_t nanos, const LayoutPart *p) {
  bool trimmed = p->is == FRACTION_TRIMMED;
  if (trimmed && (p->digits == 0 || nanos == 0)) return;
  char text[16];
  size_t n = p->digits < 9 ? p->digits : 9;
  for (int i = 8; i >= 0; i--, nanos /= 10) text[i] = (char)('0' + nanos % 10);
  while (trimmed && n > 0 && text[n - 1] == '0') n--;
  if (trimmed && n == 0) return;
  cue_buf_ch(b, p->point);
  cue_buf_add(b, text, n);
}

static void add_zone(CueBuf *b, int32_t offset, const LayoutPart *p) {
  if (offset == 0 && p->zulu) {
    cue_buf_ch(b, 'Z');
    return;
  }
  int minutes = offset / 60;
  int seconds = minutes < 0 ? -offset : offset;
  cue_buf_ch(b, minutes < 0 ? '-' : '+');
  if (minutes < 0) minutes = -minutes;
  add_int(b, minutes / 60, 2);
  if (p->colon) cue_buf_ch(b, ':');
  if (p->parts > 1) add_int(b, minutes % 60, 2);
  if (p->parts < 3) return;
  if (p->colon) cue_buf_ch(b, ':');
  add_int(b, seconds % 60, 2);
}

static void add_element(CueBuf *b, GoTime t, const GoCivil *c, const LayoutPart *p) {
  int hour12 = c->hour % 12 ? c->hour % 12 : 12;
  switch (p->is) {
  case NONE: break;
  case YEAR: add_int(b, (c->year < 0 ? -c->year : c->year) % 100, 2); break;
  case YEAR_LONG: add_int(b, c->year, 4); break;
  case MONTH_SHORT: cue_buf_add(b, month_names[c->month - 1], 3); break;
  case MONTH_LONG: cue_buf_z(b, month_names[c->month - 1]); break;
  case MONTH_NUM: add_int(b, c->month, 0); break;
  case MONTH_ZERO: add_int(b, c->month, 2); break;
  case WEEKDAY_SHORT: cue_buf_add(b, day_names[c->weekday], 3); break;
  case WEEKDAY_LONG: cue_buf_z(b, day_names[c->weekday]); break;
  case DAY: add_int(b, c->day, 0); break;
  case DAY_UNDER: cue_buf_f(b, "%2d", c->day); break;
  case DAY_ZERO: add_int(b, c->day, 2); break;
  case YEAR_DAY_UNDER: cue_buf_f(b, "%3d", c->year_day); break;
  case YEAR_DAY_ZERO: add_int(b, c->year_day, 3); break;
  case HOUR: add_int(b, c->hour, 2); break;
  case HOUR12: add_int(b, hour12, 0); break;
  case HOUR12_ZERO: add_int(b, hour12, 2); break;
  case MINUTE: add_int(b, c->minute, 0); break;
  case MINUTE_ZERO: add_int(b, c->minute, 2); break;
  case SECOND: add_int(b, c->second, 0); break;
  case SECOND_ZERO: add_int(b, c->second, 2); break;
  case PM_UPPER: cue_buf_z(b, c->hour >= 12 ? "PM" : "AM"); break;
  case PM_LOWER: cue_buf_z(b, c->hour >= 12 ? "pm" : "am"); break;
  case ZONE_NAME: /* only UTC has a name */
    if (t.offset == 0)
      cue_buf_z(b, "UTC");
    else
      add_zone(b, t.offset, &(LayoutPart){.parts = 2});
    break;
  case ZONE: add_zone(b, t.offset, p); break;
  case FRACTION_FIXED:
  case FRACTION_TRIMMED: add_fraction(b, t.nanos, p); break;
  }
}

CueStr go_time_format(CueArena *a, GoTime t, CueStr layout) {
  GoCivil c = go_time_civil(t);
  CueBuf b = cue_buf(a);
  for (size_t at = 0; at < layout.n;) {
    LayoutPart p = next_element(layout, at);
    cue_buf_add(&b, layout.s + at, p.from - at);
    add_element(&b, t, &c, &p);
    at = p.to;
  }
  return cue_buf_done(&b);
}

/* ---- parsing ---- */

/* Quotes as Go's time package does: bytes beyond ASCII in hexadecimal. */
static void add_quoted(CueBuf *b, CueStr s) {
  cue_buf_ch(b, '"');
  for (size_t i = 0; i < s.n; i++) {
    unsigned char c = (unsigned char)s.s[i];
    if (c >= 0x80 || c < ' ')
      cue_buf_f(b, "\\x%02x", c);
    else if (c == '"' || c == '\\')
      cue_buf_f(b, "\\%c", c);
    else
      cue_buf_ch(b, (char)c);
  }
  cue_buf_ch(b, '"');
}

/* What has been read so far; -1 for what has not. */
typedef struct {
  int year, month, day, year_day, hour, minute, second, nanos;
  bool am, pm, utc, has_offset;
  int32_t offset;
  const char *range; /* what is out of range, if anything is */
} Parsed;

/* One digit or two; exactly two if fixed. */
static bool read_number(CueStr *s, bool fixed, int *out) {
  if (!is_digit(*s, 0)) return false;
  size_t n = is_digit(*s, 1) ? 2 : 1;
  if (fixed && n == 1) return false;
  *out = s->s[0] - '0';
  if (n == 2) *out = *out * 10 + s->s[1] - '0';
  *s = tail(*s, n);
  return true;
}

static bool read_year_day(CueStr *s, bool fixed, int *out) {
  size_t n = 0;
  *out = 0;
  for (; n < 3 && is_digit(*s, n); n++) *out = *out * 10 + s->s[n] - '0';
  *s = tail(*s, n);
  return n > 0 && (!fixed || n == 3);
}

/* All of s as a number of few digits, maybe signed. */
static bool read_signed(CueStr s, int *out) {
  bool negative = s.n && s.s[0] == '-';
  if (s.n && (s.s[0] == '-' || s.s[0] == '+')) s = tail(s, 1);
  *out = 0;
  for (size_t i = 0; i < s.n; i++) {
    if (!is_digit(s, i)) return false;
    *out = *out * 10 + s.s[i] - '0';
  }
  if (negative) *out = -*out;
  return true;
}

/* A point and n - 1 digits, of which nine count. */
static bool read_fraction(CueStr *s, size_t n, Parsed *p) {
  CueStr value = cue_str_sub(*s, 0, n > 10 ? 10 : n);
  *s = tail(*s, n);
  if (value.s[0] != '.' && value.s[0] != ',') return false;
  if (!read_signed(tail(value, 1), &p->nanos)) return false;
  if (p->nanos < 0) p->range = "fractional second";
  for (size_t i = value.n; i < 10 && p->nanos > 0; i++) p->nanos *= 10;
  return true;
}

static size_t digits_from(CueStr s, size_t at) {
  while (is_digit(s, at)) at++;
  return at;
}

/* Names are matched in any case; *out is the index. Short names are the first three letters. */
static bool read_name(CueStr *s, const char *const *names, int n, bool brief, int *out) {
  for (int i = 0; i < n; i++) {
    size_t len = brief ? 3 : strlen(names[i]), k = 0;
    if (s->n < len) continue;
    for (; k < len; k++) {
      char x = s->s[k], y = names[i][k];
      if (x != y && ((x | 0x20) != (y | 0x20) || (x | 0x20) < 'a' || (x | 0x20) > 'z')) break;
    }
    if (k < len) continue;
    *s = tail(*s, len);
    *out = i;
    return true;
  }
  return false;
}

static bool read_zone(CueStr *s, const LayoutPart *e, Parsed *p) {
  if (e->zulu && s->n && s->s[0] == 'Z') {
    *s = tail(*s, 1);
    p->utc = true;
    return true;
  }
  size_t step = e->colon ? 3 : 2, n = 1 + 2 + (size_t)(e->parts - 1) * step;
  if (s->n < n) return false;
  CueStr value = cue_str_sub(*s, 0, n);
  *s = tail(*s, n);
  for (size_t i = step; e->colon && i < n; i += step)
    if (value.s[i] != ':') return false;
  int part[3] = {0};
  bool ok = true;
  for (int i = 0; i < e->parts && ok; i++) {
    CueStr digits = cue_str_sub(value, 1 + (size_t)i * step, 3 + (size_t)i * step);
    ok = read_number(&digits, true, &part[i]);
  }
  /* What could be read is looked at even if the rest could not. */
  if (part[0] > 24) p->range = "time zone offset hour";
  if (part[1] > 60) p->range = "time zone offset minute";
  if (part[2] > 60) p->range = "time zone offset second";
  p->offset = (part[0] * 60 + part[1]) * 60 + part[2];
  if (value.s[0] == '-') p->offset = -p->offset;
  p->has_offset = p->offset != -1; /* Go's mark for "none" */
  return ok && (value.s[0] == '+' || value.s[0] == '-');
}

/* The length of +h or -hh up to 23, or 0. */
static size_t signed_hours(CueStr s) {
  if (s.n == 0 || (s.s[0] != '+' && s.s[0] != '-')) return 0;
  size_t end = digits_from(s, 1), k = 1;
  while (k < end && s.s[k] == '0') k++;
  if (end == 1 || end - k > 2) return 0;
  return end - k == 2 && (s.s[k] - '0') * 10 + s.s[k + 1] - '0' > 23 ? 0 : end;
}

/* The length of what looks like an abbreviation of a zone, or 0. */
static size_t zone_name_length(CueStr s) {
  if (s.n < 3) return 0;
  if (starts(s, 0, "ChST") || starts(s, 0, "MeST")) return 4;
  if (starts(s, 0, "GMT")) return 3 + signed_hours(tail(s, 3));
  if (s.s[0] == '+' || s.s[0] == '-') return signed_hours(s);
  size_t n = 0;
  while (n < 6 && n < s.n && s.s[n] >= 'A' && s.s[n] <= 'Z') n++;
  if (n == 3) return 3;
  if (n == 4) return s.s[3] == 'T' || starts(s, 0, "WITA") ? 4 : 0;
  return n == 5 && s.s[4] == 'T' ? 5 : 0;
}

static bool read_zone_name(CueStr *s, Parsed *p) {
  bool utc = starts(*s, 0, "UTC");
  if (utc) p->utc = true;
  size_t n = utc ? 3 : zone_name_length(*s);
  *s = tail(*s, n);
  return n > 0; /* other names say nothing of the offset */
}

static bool read_half_day(CueStr *s, bool upper, Parsed *p) {
  if (s->n < 2) return false;
  p->pm = p->pm || starts(*s, 0, upper ? "PM" : "pm");
  p->am = p->am || starts(*s, 0, upper ? "AM" : "am");
  bool ok = starts(*s, 0, upper ? "PM" : "pm") || starts(*s, 0, upper ? "AM" : "am");
  *s = tail(*s, 2);
  return ok;
}

/* Seconds, and a fraction even where the layout has none. */
static bool read_seconds(CueStr *s, const LayoutPart *e, CueStr layout, Parsed *p) {
  if (!read_number(s, e->is == SECOND_ZERO, &p->second)) return false;
  if (p->second >= 60) {
    p->range = "second";
    return true;
  }
  if (s->n < 2 || (s->s[0] != '.' && s->s[0] != ',') || !is_digit(*s, 1)) return true;
  Element next = next_element(layout, e->to).is;
  if (next == FRACTION_FIXED || next == FRACTION_TRIMMED) return true;
  return read_fraction(s, digits_from(*s, 1), p);
}

static bool read_in_range(CueStr *s, bool fixed, int *out, int below, const char *what, Parsed *p) {
  if (!read_number(s, fixed, out)) return false;
  if (*out >= below) p->range = what;
  return true;
}

static bool read_element(CueStr *s, const LayoutPart *e, CueStr layout, Parsed *p) {
  int ignored;
  switch (e->is) {
  case NONE: return true;
  case YEAR:
    if (s->n < 2) return false;
    if (!read_signed(cue_str_sub(*s, 0, 2), &p->year)) return false;
    *s = tail(*s, 2);
    p->year += p->year >= 69 ? 1900 : 2000;
    return true;
  case YEAR_LONG:
    if (s->n < 4 || !is_digit(*s, 0) || !read_signed(cue_str_sub(*s, 0, 4), &p->year)) return false;
    *s = tail(*s, 4);
    return true;
  case MONTH_SHORT:
  case MONTH_LONG:
    if (!read_name(s, month_names, 12, e->is == MONTH_SHORT, &p->month)) return false;
    p->month++;
    return true;
  case MONTH_NUM:
  case MONTH_ZERO:
    if (!read_in_range(s, e->is == MONTH_ZERO, &p->month, 13, "month", p)) return false;
    if (p->month == 0) p->range = "month";
    return true;
  case WEEKDAY_SHORT:
  case WEEKDAY_LONG: return read_name(s, day_names, 7, e->is == WEEKDAY_SHORT, &ignored);
  case DAY:
  case DAY_UNDER:
  case DAY_ZERO:
    if (e->is == DAY_UNDER && s->n && s->s[0] == ' ') *s = tail(*s, 1);
    return read_number(s, e->is == DAY_ZERO, &p->day);
  case YEAR_DAY_UNDER:
  case YEAR_DAY_ZERO:
    for (int i = 0; i < 2 && e->is == YEAR_DAY_UNDER && s->n && s->s[0] == ' '; i++) *s = tail(*s, 1);
    return read_year_day(s, e->is == YEAR_DAY_ZERO, &p->year_day);
  case HOUR: return read_in_range(s, false, &p->hour, 24, "hour", p);
  case HOUR12:
  case HOUR12_ZERO: return read_in_range(s, e->is == HOUR12_ZERO, &p->hour, 13, "hour", p);
  case MINUTE:
  case MINUTE_ZERO: return read_in_range(s, e->is == MINUTE_ZERO, &p->minute, 60, "minute", p);
  case SECOND:
  case SECOND_ZERO: return read_seconds(s, e, layout, p);
  case PM_UPPER:
  case PM_LOWER: return read_half_day(s, e->is == PM_UPPER, p);
  case ZONE_NAME: return read_zone_name(s, p);
  case ZONE: return read_zone(s, e, p);
  case FRACTION_FIXED: return s->n >= e->digits + 1 && read_fraction(s, e->digits + 1, p);
  case FRACTION_TRIMMED: {
    bool there = s->n >= 2 && (s->s[0] == '.' || s->s[0] == ',') && is_digit(*s, 1);
    return !there || read_fraction(s, digits_from(*s, 1), p);
  }
  }
  return false;
}

/* Moves past literal text; a run of spaces matches any number of them, even none at the end. */
static bool skip(CueStr *value, CueStr prefix) {
  while (prefix.n) {
    if (prefix.s[0] == ' ') {
      if (value->n && value->s[0] != ' ') return false;
      while (prefix.n && prefix.s[0] == ' ') prefix = tail(prefix, 1);
      while (value->n && value->s[0] == ' ') *value = tail(*value, 1);
      continue;
    }
    if (value->n == 0 || value->s[0] != prefix.s[0]) return false;
    prefix = tail(prefix, 1);
    *value = tail(*value, 1);
  }
  return true;
}

static bool fail_element(CueArena *a, CueStr layout, CueStr value, CueStr wanted, CueStr found, CueStr *why) {
  CueBuf b = cue_buf(a);
  cue_buf_z(&b, "parsing time ");
  add_quoted(&b, value);
  cue_buf_z(&b, " as ");
  add_quoted(&b, layout);
  cue_buf_z(&b, ": cannot parse ");
  add_quoted(&b, found);
  cue_buf_z(&b, " as ");
  add_quoted(&b, wanted);
  *why = cue_buf_done(&b);
  return false;
}

static bool fail_value(CueArena *a, CueStr value, const char *what, const char *how, CueStr *why) {
  CueBuf b = cue_buf(a);
  cue_buf_z(&b, "parsing time ");
  add_quoted(&b, value);
  cue_buf_f(&b, ": %s%s", what, how);
  *why = cue_buf_done(&b);
  return false;
}

/* Makes month and day out of a day of the year, or checks them against it. NULL if all is well. */
static const char *settle_date(Parsed *p) {
  if (p->year_day >= 0) {
    if (p->year_day < 1 || p->year_day > 365 + is_leap(p->year)) return "day-of-year out of range";
    int month = 1, day = p->year_day;
    for (; day > days_in(month, p->year); month++) day -= days_in(month, p->year);
    if (p->month >= 0 && p->month != month) return "day-of-year does not match month";
    if (p->day >= 0 && p->day != day) return "day-of-year does not match day";
    p->month = month;
    p->day = day;
  }
  if (p->month < 0) p->month = 1;
  if (p->day < 0) p->day = 1;
  return p->day < 1 || p->day > days_in(p->month, p->year) ? "day out of range" : NULL;
}

bool go_time_parse(CueArena *a, CueStr layout, CueStr whole, GoTime *out, CueStr *why) {
  Parsed p = {.month = -1, .day = -1, .year_day = -1};
  CueStr value = whole;
  for (size_t at = 0;;) {
    LayoutPart e = next_element(layout, at);
    CueStr prefix = cue_str_sub(layout, at, e.from);
    if (!skip(&value, prefix)) return fail_element(a, layout, whole, prefix, value, why);
    if (e.is == NONE) break;
    CueStr before = value;
    bool ok = read_element(&value, &e, layout, &p);
    if (p.range) return fail_value(a, whole, p.range, " out of range", why);
    if (!ok) return fail_element(a, layout, whole, cue_str_sub(layout, e.from, e.to), before, why);
    at = e.to;
  }
  if (value.n) {
    CueBuf b = cue_buf(a);
    add_quoted(&b, value);
    return fail_value(a, whole, "extra text: ", cue_buf_done(&b).s, why);
  }
  if (p.pm && p.hour < 12)
    p.hour += 12;
  else if (p.am && p.hour == 12)
    p.hour = 0;
  const char *wrong = settle_date(&p);
  if (wrong) return fail_value(a, whole, wrong, "", why);
  int32_t offset = p.utc || !p.has_offset ? 0 : p.offset;
  *out = (GoTime){civil_seconds(p.year, p.month, p.day, p.hour, p.minute, p.second) - offset, p.nanos, offset};
  return true;
}

/* ---- durations ---- */

static const struct {
  const char *name;
  uint64_t nanos;
} units[] = {
    {"ns", 1},       {"us", 1000},   {"\xC2\xB5s", 1000},    {"\xCE\xBCs", 1000},
    {"ms", 1000000}, {"s", BILLION}, {"m", 60ull * BILLION}, {"h", 3600ull * BILLION},
};

#define TOO_LARGE (1ull << 63)

static bool fail_duration(CueArena *a, const char *what, CueStr s, CueStr *why) {
  CueBuf b = cue_buf(a);
  cue_buf_f(&b, "time: %s ", what);
  add_quoted(&b, s);
  *why = cue_buf_done(&b);
  return false;
}

static bool fail_unit(CueArena *a, CueStr unit, CueStr s, CueStr *why) {
  CueBuf b = cue_buf(a);
  cue_buf_z(&b, "unknown unit ");
  add_quoted(&b, unit);
  cue_buf_z(&b, " in duration");
  return fail_duration(a, cue_buf_done(&b).s, s, why);
}

/* Digits of s as an integer; false if there are too many. */
static bool whole_part(CueStr *s, uint64_t *out) {
  size_t n = 0;
  for (*out = 0; is_digit(*s, n); n++) {
    if (*out > TOO_LARGE / 10) return false;
    *out = *out * 10 + (uint64_t)(s->s[n] - '0');
    if (*out > TOO_LARGE) return false;
  }
  *s = tail(*s, n);
  return true;
}

/* Digits of s as out / *scale; those beyond an int64 are dropped. */
static void fraction_part(CueStr *s, uint64_t *out, double *scale) {
  size_t n = 0;
  bool full = false;
  for (; is_digit(*s, n); n++) {
    uint64_t next = *out * 10 + (uint64_t)(s->s[n] - '0');
    full = full || *out > (TOO_LARGE - 1) / 10 || next > TOO_LARGE;
    if (full) continue;
    *out = next;
    *scale *= 10;
  }
  *s = tail(*s, n);
}

bool go_duration_parse(CueArena *a, CueStr text, int64_t *nanos, CueStr *why) {
  const char *invalid = "invalid duration";
  CueStr s = text;
  bool negative = s.n && s.s[0] == '-';
  if (s.n && (s.s[0] == '-' || s.s[0] == '+')) s = tail(s, 1);
  *nanos = 0;
  if (cue_str_is(s, "0")) return true;
  if (s.n == 0) return fail_duration(a, invalid, text, why);
  uint64_t sum = 0;
  while (s.n) {
    uint64_t value, fraction = 0;
    double scale = 1;
    size_t left = s.n, digits;
    if (!whole_part(&s, &value)) return fail_duration(a, invalid, text, why);
    digits = left - s.n;
    if (s.n && s.s[0] == '.') {
      s = tail(s, 1);
      left = s.n;
      fraction_part(&s, &fraction, &scale);
      digits += left - s.n;
    }
    if (digits == 0) return fail_duration(a, invalid, text, why);
    size_t n = 0, u = 0;
    while (n < s.n && s.s[n] != '.' && !is_digit(s, n)) n++;
    if (n == 0) return fail_duration(a, "missing unit in duration", text, why);
    CueStr name = cue_str_sub(s, 0, n);
    while (u < sizeof units / sizeof *units && !cue_str_is(name, units[u].name)) u++;
    if (u == sizeof units / sizeof *units) return fail_unit(a, name, text, why);
    s = tail(s, n);
    if (value > TOO_LARGE / units[u].nanos) return fail_duration(a, invalid, text, why);
    value *= units[u].nanos;
    if (fraction) value += (uint64_t)((double)fraction * ((double)units[u].nanos / scale));
    if (value > TOO_LARGE) return fail_duration(a, invalid, text, why);
    sum += value;
    if (sum > TOO_LARGE) return fail_duration(a, invalid, text, why);
  }
  if (!negative && sum == TOO_LARGE) return fail_duration(a, invalid, text, why);
  *nanos = (int64_t)(negative ? -sum : sum);
  return true;
}

/* u / 10**places, without trailing zeros. */
static void add_decimal(CueBuf *b, uint64_t u, int places) {
  uint64_t scale = 1;
  for (int i = 0; i < places; i++) scale *= 10;
  cue_buf_f(b, "%llu", (unsigned long long)(u / scale));
  u %= scale;
  if (u == 0) return;
  while (u % 10 == 0) {
    u /= 10;
    places--;
  }
  cue_buf_f(b, ".%0*llu", places, (unsigned long long)u);
}

CueStr go_duration_text(CueArena *a, int64_t nanos) {
  CueBuf b = cue_buf(a);
  uint64_t u = nanos < 0 ? -(uint64_t)nanos : (uint64_t)nanos;
  if (nanos < 0) cue_buf_ch(&b, '-');
  if (u == 0) {
    cue_buf_z(&b, "0s");
  } else if (u < BILLION) {
    int places = u < 1000 ? 0 : u < 1000000 ? 3 : 6;
    add_decimal(&b, u, places);
    cue_buf_z(&b, places == 0 ? "ns" : places == 3 ? "\xC2\xB5s" : "ms");
  } else {
    uint64_t minutes = u / (60ull * BILLION), hours = minutes / 60;
    if (hours) cue_buf_f(&b, "%lluh", (unsigned long long)hours);
    if (minutes) cue_buf_f(&b, "%llum", (unsigned long long)(minutes % 60));
    add_decimal(&b, u % (60ull * BILLION), 9);
    cue_buf_ch(&b, 's');
  }
  return cue_buf_done(&b);
}
