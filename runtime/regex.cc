/* regex.cc - regular expressions over RE2, the only C++ file.
**
** RE2 and Go's regexp come from one parser, so patterns mean the same. Two things are put
** right before RE2 sees a pattern: Go reads (?<name>...) as a named group, and does not know
** \C. Errors are worded as Go's regexp/syntax words them.
** Exceptions and type information are off; nothing of C++ is seen outside this file.
*/
extern "C" {
#include "runtime/regex.h"
}

#include <re2/re2.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

struct CueRegex {
  std::unique_ptr<RE2> re;
  int groups;
  std::vector<std::string> names;           /* by group number */
  bool (*test)(const char *text, size_t n); /* of a known pattern; re is NULL until it is needed */
  std::string pattern;                      /* likewise */
};

struct CueRegexCache {
  std::unordered_map<std::string, std::unique_ptr<CueRegex>> patterns;
  const CueKnownPattern *known;
  size_t nknown;
};

namespace {

const char *go_words(RE2::ErrorCode code) {
  switch (code) {
  case RE2::ErrorBadEscape: return "invalid escape sequence";
  case RE2::ErrorBadCharClass: return "invalid character class";
  case RE2::ErrorBadCharRange: return "invalid character class range";
  case RE2::ErrorMissingBracket: return "missing closing ]";
  case RE2::ErrorMissingParen: return "missing closing )";
  case RE2::ErrorUnexpectedParen: return "unexpected )";
  case RE2::ErrorTrailingBackslash: return "trailing backslash at end of expression";
  case RE2::ErrorRepeatArgument: return "missing argument to repetition operator";
  case RE2::ErrorRepeatSize: return "invalid repeat count";
  case RE2::ErrorRepeatOp: return "invalid nested repetition operator";
  case RE2::ErrorBadPerlOp: return "invalid or unsupported Perl syntax";
  case RE2::ErrorBadUTF8: return "invalid UTF-8";
  case RE2::ErrorBadNamedCapture: return "invalid named capture";
  case RE2::ErrorPatternTooLarge: return "expression too large";
  default: return "regexp/syntax: internal error";
  }
}

CueStr go_error(CueArena *a, const char *words, const std::string &part) {
  return cue_strf(a, "error parsing regexp: %s: `%.*s`", words, (int)part.size(), part.data());
}

/* The index behind the character class that opens at i, or the end of the pattern. */
size_t class_end(const std::string &p, size_t i) {
  i++;
  if (i < p.size() && p[i] == '^') i++;
  for (bool first = true; i < p.size() && (first || p[i] != ']'); first = false) {
    if (p[i] == '\\') {
      if (i + 1 < p.size() && p[i + 1] == 'C') return i; /* let the caller meet it */
      i += 2;
    } else if (p[i] == '[' && i + 1 < p.size() && p[i + 1] == ':') {
      size_t close = p.find(":]", i + 2);
      i = close == std::string::npos ? i + 1 : close + 2;
    } else {
      i++;
    }
  }
  return i < p.size() ? i + 1 : p.size();
}

bool is_name(const std::string &s) {
  for (char c : s)
    if (!(c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) return false;
  return !s.empty();
}

/* Whether a count between braces at i is one that Go reads and refuses for its size, while
** RE2 would take the braces literally. *end is then the index behind them. */
bool is_huge_count(const std::string &p, size_t i, size_t *end) {
  size_t k = i + 1, digits = 0, longest = 0;
  for (bool comma = false; k < p.size() && p[k] != '}'; k++) {
    if (p[k] == ',' && !comma && digits > 0) {
      comma = true;
      digits = 0;
    } else if (p[k] >= '0' && p[k] <= '9') {
      if (++digits > longest) longest = digits;
    } else {
      return false;
    }
  }
  *end = k + 1;
  return k < p.size() && longest > 8;
}

struct Refusal {
  const char *words;
  std::string part;
};

/* Turns a Go pattern into one for RE2, up to where Go would refuse it for a reason RE2 does
** not have; false then. */
bool translate(const std::string &p, std::string *out, Refusal *no) {
  size_t i = 0, depth = 0;
  while (i < p.size()) {
    size_t start = i, end;
    if (p[i] == '\\' && i + 1 < p.size()) {
      if (p[i + 1] == 'C') {
        *no = {go_words(RE2::ErrorBadEscape), "\\C"};
        return false;
      }
      i += 2;
      if (p[start + 1] == 'Q') {
        size_t close = p.find("\\E", i);
        i = close == std::string::npos ? p.size() : close + 2;
      }
    } else if (p[i] == '[') {
      i = class_end(p, i);
    } else if (p[i] == '{' && is_huge_count(p, i, &end)) {
      *no = {go_words(RE2::ErrorRepeatSize), p.substr(i, end - i)};
      return false;
    } else if (p[i] == '(') {
      if (++depth >= 1000) {
        *no = {"expression nests too deeply", p};
        return false;
      }
      bool p_form = p.compare(i, 4, "(?P<") == 0;
      if (p_form || (p.compare(i, 3, "(?<") == 0 && p.size() > i + 3)) {
        size_t name = i + (p_form ? 4 : 3), close = p.find('>', i);
        if (close == std::string::npos || !is_name(p.substr(name, close - name))) {
          size_t to = close == std::string::npos ? p.size() : close + 1;
          *no = {go_words(RE2::ErrorBadNamedCapture), p.substr(i, to - i)};
          return false;
        }
        out->append("(?P<");
        start = name;
        i = close + 1;
      } else {
        i++;
      }
    } else {
      if (p[i] == ')' && depth > 0) depth--;
      i++;
    }
    out->append(p, start, i - start);
  }
  return true;
}

/* Groups are known if the pattern is right. */
void compile(CueRegex *r, const std::string &text) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(64 << 20);
  r->re.reset(new RE2(text, options));
  if (!r->re->ok()) return;
  r->groups = r->re->NumberOfCapturingGroups();
  r->names.resize((size_t)r->groups + 1);
  for (const auto &group : r->re->CapturingGroupNames()) r->names[(size_t)group.first] = group.second;
}

/* For what only RE2 can answer. What others see of the pattern stays as it is. */
const CueRegex *whole(const CueRegex *re) {
  if (!re->re) {
    std::string text;
    Refusal no;
    translate(re->pattern, &text, &no);
    compile(const_cast<CueRegex *>(re), text);
  }
  return re;
}

const CueKnownPattern *find_known(const CueRegexCache *c, CueStr pattern) {
  size_t from = 0, to = c->nknown;
  while (from < to) {
    size_t middle = (from + to) / 2;
    int order = cue_str_cmp(c->known[middle].pattern, pattern);
    if (order == 0) return &c->known[middle];
    if (order < 0)
      from = middle + 1;
    else
      to = middle;
  }
  return nullptr;
}

} // namespace

extern "C" {

CueRegexCache *cue_regex_cache_new(void) { return new CueRegexCache(); }

void cue_regex_cache_know(CueRegexCache *c, const CueKnownPattern *patterns, size_t n) {
  c->known = patterns;
  c->nknown = n;
}

void cue_regex_cache_free(CueRegexCache *c) { delete c; }

const CueRegex *cue_regex_get(CueRegexCache *c, CueArena *a, CueStr pattern, CueStr *err) {
  std::string key(pattern.n ? pattern.s : "", pattern.n);
  auto old = c->patterns.find(key);
  if (old != c->patterns.end()) return old->second.get();

  std::unique_ptr<CueRegex> r(new CueRegex());
  const CueKnownPattern *known = find_known(c, pattern);
  if (known) {
    r->test = known->test;
    r->pattern = key;
    return (c->patterns[key] = std::move(r)).get();
  }
  std::string text;
  Refusal no;
  bool translated = translate(key, &text, &no);
  compile(r.get(), text);
  RE2::ErrorCode code = r->re->error_code();
  if (!translated && (code == RE2::NoError || code == RE2::ErrorMissingParen || code == RE2::ErrorMissingBracket)) {
    *err = go_error(a, no.words, no.part);
    return nullptr;
  }
  if (code != RE2::NoError) {
    std::string part = r->re->error_arg();
    /* A whole-pattern complaint shows the pattern as it was written. */
    if (code == RE2::ErrorMissingParen || code == RE2::ErrorUnexpectedParen) part = key;
    *err = go_error(a, go_words(code), part);
    return nullptr;
  }
  return (c->patterns[key] = std::move(r)).get();
}

bool cue_regex_test(const CueRegex *re, CueStr text) {
  const char *s = text.n ? text.s : "";
  if (re->test) return re->test(s, text.n);
  return re->re->Match(re2::StringPiece(s, text.n), 0, text.n, RE2::UNANCHORED, nullptr, 0);
}

int cue_regex_groups(const CueRegex *re) { return whole(re)->groups; }

CueStr cue_regex_group_name(const CueRegex *re, int group) {
  CueStr name = {"", 0};
  whole(re);
  if (group >= 0 && group <= re->groups) {
    name.s = re->names[(size_t)group].c_str();
    name.n = re->names[(size_t)group].size();
  }
  return name;
}

bool cue_regex_find(const CueRegex *re, CueStr text, size_t from, CueMatch *m) {
  if (from > text.n) return false;
  whole(re);
  const char *base = text.n ? text.s : "";
  re2::StringPiece piece(base, text.n);
  int n = re->groups + 1;
  std::vector<re2::StringPiece> parts((size_t)n);
  if (!re->re->Match(piece, from, text.n, RE2::UNANCHORED, parts.data(), n)) return false;
  for (int i = 0; i < n; i++) {
    const re2::StringPiece &part = parts[(size_t)i];
    if (part.data()) {
      m[i].from = part.data() - base;
      m[i].to = m[i].from + (ptrdiff_t)part.size();
    } else {
      m[i].from = m[i].to = -1;
    }
  }
  return true;
}

} // extern "C"
