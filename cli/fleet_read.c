/* fleet_read.c - a fleet cut into blocks of items.
**
** JSON lines and documents of YAML are read as they come: only the lines of a block are looked for here,
** what they say is the worker's business. CUE, and JSON that is one value, are read whole before the
** first block; so is a document of YAML that holds many entries.
*/
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/fleet.h"
#include "cli/log.h"
#include "compiler/load_fs.h"

enum { READ_SIZE = 256 << 10, BLOCK_SIZE = 64 << 10 };

struct FleetReader {
  const FleetOptions *o;
  CueArena *a;
  int fd, signals; /* signals: readable when one that is held back has come; -1 if it cannot be told */
  CueBuf raw;
  size_t at; /* what of raw is not yet taken begins here */
  bool eof, begun;
  uint32_t line;   /* lines before it */
  uint64_t number; /* entries before it */
  uint64_t taken, size;
  FleetItems items; /* that are loaded */
  uint32_t next;
  CueStr error;
  /* YAML: how far the document at hand was looked at. */
  size_t looked;
  bool marked, filled; /* it has its marker; it has more than comments and directives */
};

/* ---- opening ---- */

static FleetReader *cannot_read(FleetReader *r, ExitCode *code, const char *call) {
  const FleetOptions *o = r->o;
  ExitCode exit = exit_of_errno();
  *code =
      run_fail(o->r, &(Problem){.code = exit,
                                .message = cue_strf(o->r->a, "%s %.*s: %s", call, CUE_FMT(o->shown), strerror(errno)),
                                .hint = CUE_STR("name a fleet: CUE, YAML, JSON or JSON lines, - for stdin")});
  fleet_close(r);
  return NULL;
}

static bool fill(FleetReader *r);

static bool load_json(FleetReader *r, ExitCode *code) {
  while (!r->eof)
    if (!fill(r)) break;
  if (r->error.n) return true; /* told when blocks are asked for */
  CueStr text = cue_str_sub(cue_buf_done(&r->raw), r->at, r->raw.n);
  return fleet_load_json(r->o, text, &r->items, code);
}

FleetReader *fleet_open(const FleetOptions *o, ExitCode *code) {
  CueArena *a = cue_arena_new(); /* who reads is not always who puts out */
  FleetReader *r = cue_new(a, FleetReader);
  *r = (FleetReader){.o = o, .a = a, .fd = -1, .signals = -1, .error = CUE_STR("")};
  if (o->form == FLEET_CUE) {
    r->eof = true;
    if (fleet_load_cue(o, &r->items, code)) return r;
    fleet_close(r);
    return NULL;
  }
  struct stat st;
  r->fd = cue_str_is(o->fleet, "-") ? STDIN_FILENO : open(o->fleet.s, O_RDONLY | O_CLOEXEC);
  if (r->fd < 0) return cannot_read(r, code, "open");
  if (fstat(r->fd, &st) < 0) return cannot_read(r, code, "read");
  if (S_ISDIR(st.st_mode)) {
    errno = EISDIR;
    return cannot_read(r, code, "read");
  }
  if (S_ISREG(st.st_mode)) r->size = (uint64_t)st.st_size;
  sigset_t held;
  sigemptyset(&held);
  sigaddset(&held, SIGINT);
  sigaddset(&held, SIGTERM);
  r->signals = signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK);
  r->raw = cue_buf(r->a);
  if (o->form == FLEET_JSON && !load_json(r, code)) {
    fleet_close(r);
    return NULL;
  }
  return r;
}

void fleet_close(FleetReader *r) {
  if (r->fd > STDIN_FILENO) close(r->fd);
  if (r->signals >= 0) close(r->signals);
  cue_arena_free(r->a);
}

CueStr fleet_read_error(const FleetReader *r) { return r->error; }

/* ---- bytes ---- */

/* More of the fleet behind what there is. False at its end, if it cannot be read, or if the user wants to stop. */
static bool fill(FleetReader *r) {
  if (r->at) {
    memmove(r->raw.s, r->raw.s + r->at, r->raw.n - r->at);
    r->raw.n -= r->at;
    r->at = 0;
  }
  struct pollfd wait[] = {{.fd = r->fd, .events = POLLIN}, {.fd = r->signals, .events = POLLIN}};
  ssize_t n;
  do {
    n = -1;
    if (r->signals >= 0 && !r->size && poll(wait, 2, -1) > 0 && wait[1].revents) {
      r->eof = true;
      return false;
    }
    n = read(r->fd, cue_buf_room(&r->raw, READ_SIZE), READ_SIZE);
  } while (n < 0 && errno == EINTR);
  if (n <= 0) {
    r->eof = true;
    if (n < 0) r->error = cue_strf(r->a, "read %.*s: %s", CUE_FMT(r->o->shown), strerror(errno));
    return false;
  }
  r->raw.n += (size_t)n;
  if (!r->begun && r->raw.n >= 3) {
    r->begun = true;
    if (!memcmp(r->raw.s, "\xEF\xBB\xBF", 3)) r->at = 3;
  }
  return true;
}

/* ---- lines ---- */

/* Where the lines of a block end: as many as there are, up to `most` and BLOCK_SIZE bytes, but at least one. */
static size_t lines_end(FleetReader *r, uint32_t most) {
  size_t end = r->at, from = r->at;
  uint32_t n = 0;
  while (n < most && end - r->at < BLOCK_SIZE) {
    const char *found = r->raw.n > from ? memchr(r->raw.s + from, '\n', r->raw.n - from) : NULL;
    if (found) {
      end = from = (size_t)(found - r->raw.s) + 1;
      n++;
      continue;
    }
    if (n || r->eof) break;
    size_t known = r->raw.n - r->at;
    fill(r);
    end = r->at;
    from = r->at + known;
  }
  return n ? end : r->raw.n;
}

static bool is_blank(CueStr s) {
  for (size_t i = 0; i < s.n; i++)
    if (!cue_char_is(s.s[i], " \t\r\n")) return false;
  return true;
}

static void split_lines(FleetReader *r, FleetBlock *b) {
  for (size_t i = 0, end; i < b->text.n; i = end) {
    const char *found = memchr(b->text.s + i, '\n', b->text.n - i);
    end = found ? (size_t)(found - b->text.s) + 1 : b->text.n;
    CueStr line = {b->text.s + i, end - i - (found != NULL)};
    uint32_t at = r->line;
    r->line += found != NULL;
    if (line.n && (line.s[0] == '{' || !is_blank(line)))
      cue_push(b->a, &b->items, (FleetItem){.text = line, .line = at, .number = r->number++});
  }
}

/* ---- documents ---- */

static bool begins(CueStr line, const char *mark) {
  return line.n >= 3 && !memcmp(line.s, mark, 3) && (line.n == 3 || cue_char_is(line.s[3], " \t\r\n"));
}

static bool is_comment(CueStr line) {
  size_t i = 0;
  while (i < line.n && cue_char_is(line.s[i], " \t")) i++;
  return i == line.n || line.s[i] == '#' || is_blank(line);
}

/* Where the document at r->at ends. A marker in the first column ends one, whatever it is in. */
static size_t document_end(FleetReader *r) {
  for (;;) {
    size_t from = r->at + r->looked;
    const char *found = r->raw.n > from ? memchr(r->raw.s + from, '\n', r->raw.n - from) : NULL;
    if (!found && !r->eof) {
      fill(r);
      continue;
    }
    size_t end = found ? (size_t)(found - r->raw.s) + 1 : r->raw.n;
    CueStr line = {r->raw.s + from, end - from};
    if (!line.n || (begins(line, "---") && (r->marked || r->filled))) return from;
    if (begins(line, "---")) {
      r->marked = true;
      r->filled = !is_comment(cue_str_sub(line, 3, line.n));
    } else if (begins(line, "...")) {
      return end;
    } else if (!is_comment(line) && (r->marked || line.s[0] != '%')) {
      r->filled = true;
    }
    r->looked = end - r->at;
  }
}

/* Whether a document holds many entries, by its first line that says something. */
static bool holds_many(CueStr text) {
  for (size_t i = 0, end; i < text.n; i = end) {
    const char *found = memchr(text.s + i, '\n', text.n - i);
    end = found ? (size_t)(found - text.s) + 1 : text.n;
    CueStr line = cue_str_sub(text, i, end);
    if (begins(line, "---")) line = cue_str_sub(line, 3, line.n);
    if (is_comment(line) || line.s[0] == '%') continue;
    while (line.n && cue_char_is(line.s[0], " \t")) line = cue_str_sub(line, 1, line.n);
    return line.s[0] == '[' || (line.s[0] == '-' && (line.n == 1 || cue_char_is(line.s[1], " \t\r\n"))) ||
           cue_str_has_prefix(line, CUE_STR("releases:"));
  }
  return false;
}

static uint32_t count_lines(CueStr s) {
  uint32_t n = 0;
  for (const char *p = s.s, *end = s.s + s.n; p < end && (p = memchr(p, '\n', (size_t)(end - p))); p++) n++;
  return n;
}

/* The next document as an item, or its entries as items that are loaded. False at the end. */
static bool next_document(FleetReader *r, FleetBlock *b) {
  for (;;) {
    size_t end = document_end(r);
    CueStr text = {r->raw.s + r->at, end - r->at};
    bool filled = r->filled, over = !text.n && r->eof;
    r->looked = 0;
    r->marked = r->filled = false;
    if (over) return false;
    FleetItem item = {.text = text, .line = r->line};
    if (filled && holds_many(text)) {
      if (b->items.n) return true; /* those before it first */
      r->items = (FleetItems){0};
      r->next = 0;
      filled = !fleet_load_yaml(r->a, r->o, &item, &r->items);
    }
    r->taken += text.n;
    r->line += count_lines(text);
    r->at = end;
    if (filled) {
      item.text = cue_str_copy(b->a, text);
      item.number = r->number++;
      cue_push(b->a, &b->items, item);
    }
    if (filled || r->items.n) return true;
  }
}

/* ---- blocks ---- */

static bool take_loaded(FleetReader *r, FleetBlock *b, uint32_t most) {
  for (; b->items.n < most && r->next < r->items.n; r->next++) {
    FleetItem item = r->items.at[r->next];
    item.number = r->number++;
    cue_push(b->a, &b->items, item);
  }
  if (r->o->form != FLEET_YAML) b->read = (double)r->next / (double)(r->items.n ? r->items.n : 1);
  return b->items.n > 0;
}

bool fleet_next(FleetReader *r, FleetBlock *b, uint32_t most) {
  b->items.n = 0;
  b->read = -1;
  if (r->o->form == FLEET_JSON || r->o->form == FLEET_CUE) return take_loaded(r, b, most);
  while (!b->items.n) {
    if (r->next < r->items.n) return take_loaded(r, b, most);
    if (r->eof && r->at == r->raw.n) return false;
    if (r->o->form == FLEET_YAML) {
      uint32_t before;
      do {
        before = b->items.n;
        if (!next_document(r, b)) break;
      } while (b->items.n > before && b->items.n < most && r->raw.n - r->at > 0);
    } else {
      size_t end = lines_end(r, most);
      b->text.n = 0;
      cue_buf_add(&b->text, r->raw.s + r->at, end - r->at);
      r->taken += end - r->at;
      r->at = end;
      split_lines(r, b);
    }
  }
  if (r->size) b->read = (double)r->taken / (double)r->size;
  return true;
}
