/* lex.re - the scanner: see lex.h.
**
** re2c finds the tokens; white space, strings and numbers are scanned by hand, because
** what they need is counted (line ends, quotes and hashes) or is an error at a place
** inside the token. Identifiers are matched as ASCII and then extended by other letters,
** so that the automaton stays small and Unicode's classes live in one table.
**
** An error never stops the scanner: it reports, and returns the token that was probably
** meant or TOK_BAD.
*/
#include "compiler/lex.h"

#include <string.h>

#include "runtime/unicode.h"

static uint32_t offset(const Lexer *lx, const char *p) {
  return lx->base + (uint32_t)(p - lx->text);
}

static CuePos here(const Lexer *lx, const char *p) {
  return cue_pos(offset(lx, p), CUE_REL_NONE);
}

static uint32_t rune_at(const Lexer *lx, const char *p, size_t *width) {
  CueStr rest = {p, (size_t)(lx->limit - p)};
  size_t i = 0;
  uint32_t r = cue_utf8_next(rest, &i);
  *width = i;
  return r;
}

/* Where the character after the one at p begins: the scanner is said to have read a
** character when it stands before it, so bad bytes count one character early. */
static void check_bytes(Lexer *lx) {
  const char *to = lx->at;
  if (to < lx->limit) {
    size_t w;
    rune_at(lx, to, &w);
    to += w;
  }
  while (lx->checked < to) {
    size_t w;
    const char *p = lx->checked;
    uint32_t r = rune_at(lx, p, &w);
    if (r == 0) cue_report(lx->d, here(lx, p), "illegal character NUL");
    else if (r == CUE_RUNE_ERROR && w == 1) cue_report(lx->d, here(lx, p), "illegal UTF-8 encoding");
    else if (r == 0xFEFF && p > lx->text) cue_report(lx->d, here(lx, p), "illegal byte order mark");
    lx->checked += w;
  }
}

void lex_init(Lexer *lx, CueArena *a, const CueSource *src, bool comments, CueDiags *d) {
  *lx = (Lexer){.a = a, .d = d, .base = src->base, .comments = comments};
  lx->text = lx->at = lx->checked = src->text.s;
  lx->limit = lx->text + src->text.n;
  if (src->stubs) return; /* known to be right */
  bool bom = cue_str_has_prefix(src->text, CUE_STR("\xEF\xBB\xBF"));
  if (bom) lx->at += 3;
  CueStr rest = {lx->at, (size_t)(lx->limit - lx->at)};
  lx->suspect = memchr(rest.s, 0, rest.n) || !cue_utf8_valid(rest) ||
                (memchr(rest.s, 0xEF, rest.n) && cue_str_find(rest, CUE_STR("\xEF\xBB\xBF")) >= 0);
}

static CueStr slice(const char *from, const char *to) {
  return (CueStr){from, (size_t)(to - from)};
}

static CueStr without_cr(Lexer *lx, CueStr s) {
  CueBuf b = cue_buf(lx->a);
  for (size_t i = 0; i < s.n; i++)
    if (s.s[i] != '\r') cue_buf_ch(&b, s.s[i]);
  return cue_buf_done(&b);
}

static void skip_blank(Lexer *lx) {
  for (;; lx->at++) {
    switch (*lx->at) {
    case ' ':
    case '\t':
      lx->blanks++;
      break;
    case '\n':
      lx->lines++;
      if (lx->insert_comma) return;
      break;
    case '\r':
      break;
    default:
      return;
    }
  }
}

/* "U+0025 '%'", as messages show a character. */
static CueStr show_rune(CueArena *a, uint32_t r) {
  CueBuf b = cue_buf(a);
  cue_buf_f(&b, "U+%04X", r);
  if (cue_uni_is_print(r)) {
    cue_buf_z(&b, " '");
    cue_buf_rune(&b, r);
    cue_buf_ch(&b, '\'');
  }
  return cue_buf_done(&b);
}

static unsigned digit_value(char c) {
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  if (c == '_') return 0;
  if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return (unsigned)(c - 'A' + 10);
  return 16;
}

static void scan_digits(Lexer *lx, unsigned base) {
  char last = 0;
  for (; digit_value(*lx->at) < base; lx->at++) {
    if (last == '_' && *lx->at == '_') cue_report(lx->d, here(lx, lx->at), "illegal '_' in number");
    last = *lx->at;
  }
  if (last == '_') cue_report(lx->d, here(lx, lx->at - 1), "illegal '_' in number");
}

static void scan_radix(Lexer *lx, const char *start, unsigned base, const char *name) {
  lx->at++;
  scan_digits(lx, base);
  if (lx->at - start <= 2) cue_report(lx->d, here(lx, start), "illegal %s number", name);
}

/* The rest of a number: lx->at is at its first character. */
static Tok scan_number(Lexer *lx) {
  const char *start = lx->at;
  Tok tok = TOK_INT;
  bool only_zero = false; /* "0": no multiplier may follow */
  if (*start == '0') {
    lx->at++;
    switch (*lx->at) {
    case 'x':
    case 'X': scan_radix(lx, start, 16, "hexadecimal"); return TOK_INT;
    case 'b': scan_radix(lx, start, 2, "binary"); return TOK_INT;
    case 'o': scan_radix(lx, start, 8, "octal"); return TOK_INT;
    default: break;
    }
    bool digits = *lx->at >= '0' && *lx->at <= '9';
    if (digits) scan_digits(lx, 10);
    bool multiplier = lx->zero_multiplier && !digits && *lx->at && strchr("KMGTP", *lx->at);
    if (*lx->at != '.' && *lx->at != 'e' && *lx->at != 'E' && !multiplier) {
      if (digits) cue_report(lx->d, here(lx, start), "illegal integer number");
      only_zero = true;
    }
  } else if (*start != '.') {
    scan_digits(lx, 10);
  }
  if (only_zero) return TOK_INT;
  if (*lx->at == '.') {
    if (lx->at != start && lx->at[1] == '.') return TOK_INT; /* "1..": an ellipsis follows */
    tok = TOK_FLOAT;
    lx->at++;
    scan_digits(lx, 10);
  }
  switch (*lx->at) {
  case 'K':
  case 'M':
  case 'G':
  case 'T':
  case 'P':
    lx->at++;
    if (*lx->at == 'i') lx->at++;
    return TOK_INT;
  case 'e':
  case 'E':
    tok = TOK_FLOAT;
    lx->at++;
    if (*lx->at == '-' || *lx->at == '+') lx->at++;
    scan_digits(lx, 10);
    break;
  default:
    break;
  }
  return tok;
}

static bool at_end(const Lexer *lx) {
  return lx->at >= lx->limit;
}

/* After a backslash. True if it opens an interpolation; then lx->at is at the "(". */
static bool scan_escape(Lexer *lx, LexQuote q) {
  for (uint32_t i = 0; i < q.nhash; i++) {
    if (*lx->at != '#') return false;
    lx->at++;
  }
  const char *start = lx->at;
  unsigned n, base, max;
  char c = *lx->at;
  if (c == q.ch) {
    lx->at++;
    return false;
  }
  switch (c) {
  case '(': return true;
  case 'a': case 'b': case 'f': case 'n': case 'r': case 't': case 'v': case '\\': case '/':
    lx->at++;
    return false;
  case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7':
    n = 3, base = 8, max = 255;
    break;
  case 'x': lx->at++, n = 2, base = 16, max = 255; break;
  case 'u': lx->at++, n = 4, base = 16, max = 0x10FFFF; break;
  case 'U': lx->at++, n = 8, base = 16, max = 0x10FFFF; break;
  default:
    cue_report(lx->d, here(lx, start), at_end(lx) ? "escape sequence not terminated" : "unknown escape sequence");
    return false;
  }
  uint32_t value = 0;
  for (; n > 0; n--, lx->at++) {
    unsigned d = digit_value(*lx->at);
    if (at_end(lx)) {
      cue_report(lx->d, here(lx, lx->at), "escape sequence not terminated");
      return false;
    }
    if (d >= base) {
      size_t w;
      uint32_t r = rune_at(lx, lx->at, &w);
      cue_report(lx->d, here(lx, lx->at), "illegal character %s in escape sequence", show_rune(lx->a, r).s);
      return false;
    }
    value = value * base + d;
  }
  if (value > max) cue_report(lx->d, here(lx, start), "escape sequence is invalid Unicode code point");
  return false;
}

/* After the first closing character: whether the rest of the closing sequence stands here.
** What matched in part is consumed: no quote in it can begin the real end. */
static bool scan_close(Lexer *lx, LexQuote q) {
  uint32_t n = q.nch + q.nhash;
  for (uint32_t i = 1; i < n; i++) {
    char want = i < q.nch ? q.ch : '#';
    if (*lx->at != want) return false;
    lx->at++;
  }
  return true;
}

/* The rest of a string behind its opening quotes or behind an interpolation. */
static Tok scan_string(Lexer *lx, const char *start, LexQuote q, CueStr *text) {
  Tok tok = TOK_STRING;
  bool cr = false;
  size_t extra = 0;
  for (;;) {
    char c = *lx->at;
    if (at_end(lx) || (q.nch != 3 && c == '\n')) {
      cue_report(lx->d, here(lx, start), "string literal not terminated");
      break;
    }
    lx->at++;
    if (c == q.ch && scan_close(lx, q)) break;
    if (c == '\r' && q.nch == 3) cr = true;
    if (c == '\\' && scan_escape(lx, q)) {
      tok = TOK_INTERPOLATION;
      extra = 1;
      cue_push(lx->a, &lx->quotes, q);
      break;
    }
  }
  *text = slice(start, lx->at + extra);
  if (cr) *text = without_cr(lx, *text);
  return tok;
}

/* A whole string: lx->at is behind the hashes and the first quote. */
static Tok scan_quoted(Lexer *lx, const char *start, uint32_t nhash, CueStr *text) {
  LexQuote q = {.ch = lx->at[-1], .nch = 1, .nhash = nhash};
  if (*lx->at != q.ch) return scan_string(lx, start, q, text);
  lx->at++;
  if (*lx->at != q.ch) { /* two quotes: empty, or with hashes a string that begins with a quote */
    uint32_t n = 0;
    while (n < nhash && *lx->at == '#') n++, lx->at++;
    if (n < nhash) return scan_string(lx, start, q, text);
    *text = slice(start, lx->at);
    return TOK_STRING;
  }
  lx->at++;
  q.nch = 3;
  const char *quotes_end = lx->at;
  if (*lx->at == '\r') {
    lx->at++;
    quotes_end++;
  }
  if (*lx->at != '\n') {
    cue_report(lx->d, here(lx, start), "expected newline after multiline quote %.*s", (int)(quotes_end - start), start);
    *text = slice(start, lx->at);
    return TOK_STRING;
  }
  lx->at++;
  return scan_string(lx, start, q, text);
}

bool lex_resume(Lexer *lx, Token *piece) {
  LexQuote q = lx->quotes.at[--lx->quotes.n];
  const char *start = lx->at - 1;
  piece->pos = here(lx, start);
  Tok tok = scan_string(lx, start, q, &piece->text);
  piece->tok = TOK_STRING;
  piece->newline = false;
  piece->end = here(lx, lx->at + (tok == TOK_INTERPOLATION));
  if (lx->suspect) check_bytes(lx);
  return tok == TOK_INTERPOLATION;
}

/* Letters beyond ASCII go on with an identifier. True if there were any. */
static bool extend_ident(Lexer *lx, const char *start) {
  const char *from = lx->at;
  bool after_hash = lx->at > start && lx->at[-1] == '#';
  for (;;) {
    unsigned char c = (unsigned char)*lx->at;
    size_t w = 1;
    if (c >= 0x80) {
      uint32_t r = rune_at(lx, lx->at, &w);
      bool digit = cue_uni_is_digit(r);
      if (!digit && !cue_uni_is_letter(r)) break;
      if (digit && after_hash) break;
    } else if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$') ||
               (after_hash && c >= '0' && c <= '9')) {
      break;
    }
    after_hash = false;
    lx->at += w;
  }
  return lx->at > from;
}

/* A broken attribute: goes to the parenthesis that may end it, or the line end. */
static void skip_parens(Lexer *lx) {
  for (int open = 1; !at_end(lx) && *lx->at != '\n'; lx->at++) {
    if (*lx->at == '(') open++;
    if (*lx->at == ')' && --open == 0) return;
  }
}

/* Behind "@name": the balanced tokens in parentheses. Attributes may be inside attributes;
** each bracket is an entry of lx->closers, so depth costs no C stack. The entry TOK_AT is
** an attribute whose parenthesis has not come yet; any other token ends it, be it a whole
** attribute. */
static void scan_attribute(Lexer *lx) {
  enum { TOK_AT = TOK_ATTRIBUTE };
  Token t;
  lx->in_attribute = true;
  lx->closers.n = 0;
  cue_push(lx->a, &lx->closers, TOK_AT);
  while (lx->closers.n > 0) {
    uint8_t *top = &lx->closers.at[lx->closers.n - 1];
    lex_next(lx, &t);
    bool done = t.tok == (Tok)*top && *top != TOK_AT;
    if (t.tok == TOK_ATTRIBUTE) { /* only "@name" in here */
      cue_push(lx->a, &lx->closers, TOK_AT);
    } else if (*top == TOK_AT) {
      if (t.tok == TOK_LPAREN) *top = TOK_RPAREN;
      else lx->closers.n++; /* as if another attribute had ended on top of it */
      done = t.tok != TOK_LPAREN;
    } else if (!done) {
      switch (t.tok) {
      case TOK_EOF:
        cue_report(lx->d, here(lx, lx->at), "attribute missing '%s'", tok_text((Tok)*top));
        done = true;
        break;
      case TOK_INTERPOLATION:
        cue_report(lx->d, here(lx, lx->at), "interpolation not allowed in attribute");
        lx->quotes.n--;
        skip_parens(lx);
        break;
      case TOK_LPAREN: cue_push(lx->a, &lx->closers, TOK_RPAREN); break;
      case TOK_LBRACE: cue_push(lx->a, &lx->closers, TOK_RBRACE); break;
      case TOK_LBRACK: cue_push(lx->a, &lx->closers, TOK_RBRACK); break;
      case TOK_RPAREN:
      case TOK_RBRACK:
      case TOK_RBRACE: cue_report(lx->d, here(lx, lx->at), "unexpected '%s'", tok_text(t.tok)); break;
      default: break;
      }
    }
    if (!done) continue;
    lx->closers.n--;
    while (lx->closers.n > 0 && lx->closers.at[lx->closers.n - 1] == TOK_AT) {
      cue_report(lx->d, here(lx, lx->at), "invalid attribute: expected '('");
      lx->insert_comma = true;
      lx->closers.n--;
    }
  }
  lx->in_attribute = false;
}

static void elided_comma(Lexer *lx, Token *t, const char *p) {
  lx->insert_comma = false;
  t->tok = TOK_COMMA;
  t->newline = true;
  t->pos = cue_pos(offset(lx, p), CUE_REL_ELIDED);
  t->end = t->pos;
  t->text = CUE_STR("\n");
  if (lx->suspect) check_bytes(lx);
}

void lex_next(Lexer *lx, Token *t) {
again:
  skip_blank(lx);
  CueRel rel = lx->lines > 1 ? CUE_REL_SECTION : lx->lines == 1 ? CUE_REL_NEWLINE : lx->blanks ? CUE_REL_BLANK : CUE_REL_NOSPACE;
  const char *start = lx->at;
  const char *YYCURSOR = start, *YYLIMIT = lx->limit;
  Tok tok = TOK_BAD;
  bool comma = false; /* a line end after this token is a comma */
  CueStr text = {0};

/*!re2c
  re2c:define:YYCTYPE = "unsigned char";
  re2c:yyfill:enable = 0;
  re2c:eof = 0;

  letter = [a-zA-Z];
  part   = [a-zA-Z0-9_$];
  lead   = [a-zA-Z_$];

  *            { lx->at = YYCURSOR; goto other; }
  $            {
                 lx->at = lx->limit;
                 if (lx->insert_comma) { elided_comma(lx, t, start); return; }
                 tok = TOK_EOF;
                 goto done;
               }
  "\n"         {
                 lx->at = YYCURSOR;
                 lx->insert_comma = false;
                 skip_blank(lx);
                 /* JSON may have its commas and colons on the next line. */
                 if (*lx->at == ',' || *lx->at == ':') goto again;
                 elided_comma(lx, t, start);
                 return;
               }
  "//"         {
                 if (lx->insert_comma) { elided_comma(lx, t, start); return; }
                 const char *nl = memchr(start, '\n', (size_t)(lx->limit - start));
                 lx->at = nl ? nl : lx->limit;
                 if (!lx->comments) { /* it still is what the white space after it is counted from */
                   lx->insert_comma = false;
                   lx->lines = lx->blanks = 0;
                   goto again;
                 }
                 text = slice(start, lx->at);
                 if (memchr(text.s, '\r', text.n)) text = without_cr(lx, text);
                 tok = TOK_COMMENT;
                 goto done;
               }

  "if"         { tok = TOK_IF; goto ident; }
  "for"        { tok = TOK_FOR; goto ident; }
  "in"         { tok = TOK_IN; goto ident; }
  "let"        { tok = TOK_LET; goto ident; }
  "try"        { tok = TOK_TRY; goto ident; }
  "else"       { tok = TOK_ELSE; goto ident; }
  "otherwise"  { tok = TOK_OTHERWISE; goto ident; }
  "fallback"   { tok = TOK_FALLBACK; goto ident; }
  "func"       { tok = TOK_FUNC; goto ident; }
  "true"       { tok = TOK_TRUE; goto ident; }
  "false"      { tok = TOK_FALSE; goto ident; }
  "null"       { tok = TOK_NULL; goto ident; }
  (letter | "$") part*               { tok = TOK_IDENT; goto ident; }
  "_" part*                          { tok = TOK_IDENT; goto ident; }
  "_"? "_"? "#" (lead part*)?        { tok = TOK_IDENT; goto ident; }
  "_|_"        { tok = TOK_BOTTOM; comma = true; goto taken; }
  "_|"         {
                 lx->at = YYCURSOR;
                 cue_report(lx->d, here(lx, start), "illegal token '_|'; expected '_'");
                 comma = lx->insert_comma;
                 goto done;
               }

  [0-9] | "." [0-9] { tok = scan_number(lx); comma = true; goto done; }

  "#"* ["']    { lx->at = YYCURSOR; tok = scan_quoted(lx, start, (uint32_t)(YYCURSOR - start - 1), &text); comma = true; goto done; }
  "##" "#"*    { goto taken; }

  "@"          {
                 lx->at = YYCURSOR;
                 extend_ident(lx, start);
                 tok = TOK_ATTRIBUTE;
                 comma = true;
                 if (!lx->in_attribute) scan_attribute(lx);
                 goto done;
               }

  ":"          { tok = TOK_COLON; goto taken; }
  ";"          { tok = TOK_SEMICOLON; comma = true; goto taken; }
  "?"          { tok = TOK_OPTION; comma = true; goto taken; }
  "~"          { tok = TOK_TILDE; goto taken; }
  "."          { tok = TOK_PERIOD; goto taken; }
  "..."        { tok = TOK_ELLIPSIS; comma = true; goto taken; }
  ".."         { cue_report(lx->d, here(lx, start), "illegal token '..'; expected '.'"); goto taken; }
  ","          { tok = TOK_COMMA; goto taken; }
  "("          { tok = TOK_LPAREN; goto taken; }
  ")"          { tok = TOK_RPAREN; comma = true; goto taken; }
  "["          { tok = TOK_LBRACK; goto taken; }
  "]"          { tok = TOK_RBRACK; comma = true; goto taken; }
  "{"          { tok = TOK_LBRACE; goto taken; }
  "}"          { tok = TOK_RBRACE; comma = true; goto taken; }
  "+"          { tok = TOK_ADD; goto taken; }
  "-"          { tok = TOK_SUB; goto taken; }
  "*"          { tok = TOK_MUL; goto taken; }
  "/"          { tok = TOK_QUO; goto taken; }
  "<"          { tok = TOK_LSS; goto taken; }
  "<-"         { tok = TOK_ARROW; goto taken; }
  "<="         { tok = TOK_LEQ; goto taken; }
  ">"          { tok = TOK_GTR; goto taken; }
  ">="         { tok = TOK_GEQ; goto taken; }
  "="          { tok = TOK_BIND; goto taken; }
  "=="         { tok = TOK_EQL; goto taken; }
  "=~"         { tok = TOK_MAT; goto taken; }
  "!"          { tok = TOK_NOT; goto taken; }
  "!="         { tok = TOK_NEQ; goto taken; }
  "!~"         { tok = TOK_NMAT; goto taken; }
  "&"          { tok = TOK_AND; goto taken; }
  "&&"         { tok = TOK_LAND; goto taken; }
  "|"          { tok = TOK_OR; goto taken; }
  "||"         { tok = TOK_LOR; goto taken; }
*/

other: { /* a letter beyond ASCII, or nothing known */
    size_t w;
    uint32_t r = rune_at(lx, start, &w);
    lx->at = start + w;
    if (r >= 0x80 && !(r == CUE_RUNE_ERROR && w == 1) && cue_uni_is_letter(r)) {
      extend_ident(lx, start);
      tok = TOK_IDENT;
      comma = true;
      goto done;
    }
    if (r != 0xFEFF) cue_report(lx->d, here(lx, start), "illegal character %s", show_rune(lx->a, r).s);
    comma = lx->insert_comma;
    goto done;
  }

ident:
  lx->at = YYCURSOR;
  if ((unsigned char)*lx->at >= 0x80 && extend_ident(lx, start)) tok = TOK_IDENT;
  comma = true;
  goto done;

taken:
  lx->at = YYCURSOR;
done:
  lx->insert_comma = comma;
  lx->lines = lx->blanks = 0;
  t->tok = tok;
  t->newline = false;
  t->pos = cue_pos(offset(lx, start), rel);
  t->text = text.s ? text : slice(start, lx->at);
  t->end = here(lx, lx->at + (tok == TOK_INTERPOLATION));
  if (lx->suspect) check_bytes(lx);
}
