/* flags.c - arguments to flags.
**
** Flags and other arguments may come in any order; "--" ends the flags. A flag is written as
** --name, --name=value, --name value, -n, -n=value, -nvalue, -n value; letters of flags
** without a value may be joined. Messages are those that users of cue know.
*/
#include <string.h>

#include "cli/command.h"

typedef struct {
  CueArena *a;
  const Command *c;
  int argc;
  char **argv;
  int at; /* next argument */
  Flags *out;
  CueStr *error;
} Parser;

const Flag *flag_named(const Command *c, CueStr name) {
  EACH_FLAG (f, c)
    if (cue_str_is(name, f->name)) return f;
  return NULL;
}

const Flag *flag_lettered(const Command *c, char letter) {
  EACH_FLAG (f, c)
    if (f->letter && f->letter == letter) return f;
  return NULL;
}

ValueKind value_kind(const char *value) {
  if (!value) return VALUE_ANY;
  if (strchr(value, '|')) return VALUE_WORDS;
  if (strcmp(value, "FILE") == 0 || strcmp(value, "PATH") == 0) return VALUE_FILE;
  return strcmp(value, "DIR") == 0 ? VALUE_DIR : VALUE_ANY;
}

bool flag_allows(const Flag *f, CueStr value) {
  for (const char *word = f->value; *word;) {
    size_t n = strcspn(word, "|");
    if (cue_str_eq(value, (CueStr){word, n})) return true;
    word += n + (word[n] == '|');
  }
  return false;
}

static bool fail(Parser *p, const char *fmt, ...) CUE_PRINTF(2, 3);
static bool fail(Parser *p, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  *p->error = cue_strvf(p->a, fmt, ap);
  va_end(ap);
  return false;
}

/* The words Go takes for truth values. */
static bool parse_bool(CueStr s, bool *on) {
  static const char *const yes[] = {"1", "t", "T", "TRUE", "true", "True"}, *const no[] = {"0",     "f",     "F",
                                                                                           "FALSE", "false", "False"};
  for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
    *on = cue_str_is(s, yes[i]);
    if (*on || cue_str_is(s, no[i])) return true;
  }
  return false;
}

static bool set(Parser *p, const Flag *f, CueStr value) {
  FlagValue *v = &p->out->at[f->id];
  v->given = true;
  if (f->type == FLAG_BOOL) {
    if (parse_bool(value, &v->on)) return true;
    CueStr shown = f->letter ? cue_strf(p->a, "-%c, --%s", f->letter, f->name) : cue_strf(p->a, "--%s", f->name);
    return fail(p, "invalid argument \"%.*s\" for \"%.*s\" flag: strconv.ParseBool: parsing \"%.*s\": invalid syntax",
                CUE_FMT(value), CUE_FMT(shown), CUE_FMT(value));
  }
  v->text = value;
  if (f->type == FLAG_TEXTS) cue_push(p->a, &v->texts, value);
  return true;
}

static bool parse_long(Parser *p, CueStr arg) {
  CueStr name = cue_str_sub(arg, 2, arg.n);
  if (!name.n || name.s[0] == '-' || name.s[0] == '=') return fail(p, "bad flag syntax: %.*s", CUE_FMT(arg));
  ptrdiff_t equal = cue_str_find(name, CUE_STR("="));
  CueStr value = CUE_STR("true");
  if (equal >= 0) {
    value = cue_str_sub(name, (size_t)equal + 1, name.n);
    name = cue_str_sub(name, 0, (size_t)equal);
  }
  const Flag *f = flag_named(p->c, name);
  if (!f) {
    p->out->unknown = name;
    return fail(p, "unknown flag: --%.*s", CUE_FMT(name));
  }
  if (equal < 0 && f->type != FLAG_BOOL) {
    if (p->at == p->argc) return fail(p, "flag needs an argument: %.*s", CUE_FMT(arg));
    value = cue_str(p->argv[p->at++]);
  }
  return set(p, f, value);
}

static bool parse_letters(Parser *p, CueStr arg) {
  for (size_t i = 1; i < arg.n; i++) {
    CueStr rest = cue_str_sub(arg, i + 1, arg.n);
    const Flag *f = flag_lettered(p->c, arg.s[i]);
    if (!f) return fail(p, "unknown shorthand flag: '%c' in -%.*s", arg.s[i], CUE_FMT(cue_str_sub(arg, i, arg.n)));
    if (rest.n > 1 && rest.s[0] == '=') return set(p, f, cue_str_sub(rest, 1, rest.n));
    if (f->type == FLAG_BOOL) {
      if (!set(p, f, CUE_STR("true"))) return false;
      continue;
    }
    if (rest.n) return set(p, f, rest);
    if (p->at == p->argc)
      return fail(p, "flag needs an argument: '%c' in -%.*s", arg.s[i], CUE_FMT(cue_str_sub(arg, i, arg.n)));
    return set(p, f, cue_str(p->argv[p->at++]));
  }
  return true;
}

static void presets(Parser *p) {
  for (size_t i = 0; i < FLAG_COUNT; i++) p->out->at[i].text = CUE_STR("");
  EACH_FLAG (f, p->c) {
    if (!f->preset) continue;
    p->out->at[f->id].on = f->type == FLAG_BOOL && !strcmp(f->preset, "true");
    p->out->at[f->id].text = cue_str(f->preset);
  }
}

/* One empty value is as good as none, as it is for cue: a script may pass a variable that is not set. */
static void drop_lone_empty(Flags *out) {
  for (size_t i = 0; i < FLAG_COUNT; i++) {
    FlagValue *v = &out->at[i];
    if (v->texts.n == 1 && !v->texts.at[0].n) v->texts.n = 0;
  }
}

bool flags_parse(CueArena *a, const Command *c, int argc, char **argv, Flags *out, CueStr *error) {
  Parser p = {a, c, argc, argv, 0, out, error};
  presets(&p);
  bool flags_ended = false;
  while (p.at < argc) {
    CueStr arg = cue_str(argv[p.at++]);
    if (flags_ended || arg.n < 2 || arg.s[0] != '-') {
      cue_push(a, &out->args, arg);
    } else if (cue_str_is(arg, "--")) {
      flags_ended = true;
    } else if (!(arg.s[1] == '-' ? parse_long(&p, arg) : parse_letters(&p, arg))) {
      return false;
    }
  }
  drop_lone_empty(out);
  return true;
}
