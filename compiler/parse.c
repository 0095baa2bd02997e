/* parse.c - drives the grammar: which terminal a token is, and what to do when none fits.
**
** A token means different things in different places: "if" may be a keyword or a name,
** "?" may mark a field or a reference, "div" may be an operator. classify() decides by
** asking the automaton what it would accept and by looking at most two tokens ahead.
**
** When the automaton accepts nothing that the token could be, repair() reports and makes
** one change to the input: it takes the token for the one that was expected, or skips to
** the end and puts a bad expression, or puts a comma in front. These are the three ways
** cue's parser goes on after an error, so later errors come out the same.
*/
#include "compiler/parse.h"

#include <assert.h>
#include <string.h>

#include "compiler/parser.h"

enum {
  MAX_LEVELS = AST_DEPTH_LIMIT, /* brackets open at once */
  MAX_ERRORS = 10,
  LATEST = 16, /* minor of the language version when none is given */
};

static bool accepts(const Parser *p, int sym) { return lr_accepts(p, sym); }

/* Whether a whole expression stands before this place: "/" is only ever infix. */
static bool after_expr(const Parser *p) { return accepts(p, TOK_QUO); }

static Level *level(Parser *p) { return &p->levels.at[p->levels.n - 1]; }

/* ---- errors ---- */

static uint32_t line_of(Parser *p, CuePos at) { return cue_source_line_of(p->a, p->src, at); }

void parse_error(Parser *p, CuePos at, const char *fmt, ...) {
  if (p->stop) return;
  if (p->d.n > 0) {
    CueDiag *last = p->d.last;
    if (last->at.n > 0 && line_of(p, last->at.at[0]) == line_of(p, at)) return; /* likely a consequence */
    if (p->d.n > MAX_ERRORS) {
      p->stop = true;
      return;
    }
  }
  va_list ap;
  va_start(ap, fmt);
  CueStr message = cue_strvf(p->a, fmt, ap);
  va_end(ap);
  CueDiag *g = cue_diag_add(&p->d, (CueStr){0}, message);
  cue_push(p->a, &g->at, at);
}

static void expected(Parser *p, const Token *t, const char *what) {
  if (t->tok == TOK_COMMA && t->newline) {
    parse_error(p, t->pos, "expected %s, found newline", what);
  } else if (t->tok >= TOK_IDENT && t->tok <= TOK_BOTTOM) {
    parse_error(p, t->pos, "expected %s, found '%s' %.*s", what, tok_text(t->tok), CUE_FMT(t->text));
  } else {
    parse_error(p, t->pos, "expected %s, found '%s'", what, tok_text(t->tok));
  }
}

/* ---- tokens ---- */

static void scan(Parser *p, Token *t) {
  if (p->end && p->lx.at == p->end) {
    *t = (Token){.tok = TOK_EOF, .pos = p->last_pos, .end = p->last_pos};
    return;
  }
  lex_next(&p->lx, t);
  if (p->skip && t->tok == TOK_LBRACE && p->skip->open == cue_pos_offset(t->pos) - p->src->base)
    p->lx.at = p->lx.text + p->skip++->close;
}

static void fill(Parser *p, uint32_t i) {
  while (p->nqueue <= i) {
    Token *t = &p->queue[p->nqueue];
    do {
      scan(p, t);
      if (p->opt.comments) cue_push(p->a, &p->tokens, *t);
    } while (t->tok == TOK_COMMENT);
    p->nqueue++;
  }
}

/* The i-th token from here. Comments are only recorded: comment.c knows where they belong. */
static inline const Token *peek(Parser *p, uint32_t i) {
  if (p->nqueue <= i) fill(p, i);
  return &p->queue[i];
}

static void advance(Parser *p) {
  if (peek(p, 0)->tok == TOK_EOF) return;
  if (--p->nqueue > 0) memmove(p->queue, p->queue + 1, p->nqueue * sizeof *p->queue);
}

/* ---- experiments ---- */

static void note_experiments(Parser *p, CueStr attribute) {
  CueStr open = CUE_STR("@experiment(");
  if (!cue_str_has_prefix(attribute, open) || !cue_str_has_suffix(attribute, CUE_STR(")"))) return;
  CueStr body = cue_str_sub(attribute, open.n, attribute.n - 1);
  if (body.n == 0) return;
  cue_buf_ch(&p->experiments, ',');
  cue_buf_str(&p->experiments, body);
}

static CueStr trim(CueStr s) {
  while (s.n > 0 && strchr(" \t\r\n", s.s[0])) s = cue_str_sub(s, 1, s.n);
  while (s.n > 0 && strchr(" \t\r\n", s.s[s.n - 1])) s.n--;
  return s;
}

/* After the attributes at the head of a file: what its experiments switch on. */
static void set_experiments(Parser *p, CuePos at) {
  const struct {
    const char *name;
    int preview, stable; /* minor versions; stable 0: not yet */
    bool *flag;
  } known[] = {
      {"testing", 13, 0, &p->exp.testing},      {"accepted_", 13, 15, NULL},
      {"structcmp", 14, 15, &p->exp.structcmp}, {"explicitopen", 15, 0, &p->exp.explicitopen},
      {"aliasv2", 15, 0, &p->exp.aliasv2},      {"try", 16, 0, &p->exp.try_clause},
  };
  CueStr rest = cue_buf_done(&p->experiments);
  CueBuf problems = cue_buf(p->a), unknown = cue_buf(p->a);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].flag && known[i].stable && p->language >= known[i].stable) *known[i].flag = true;
  while (rest.n > 0) {
    ptrdiff_t comma = cue_str_find(cue_str_sub(rest, 1, rest.n), CUE_STR(","));
    size_t end = comma < 0 ? rest.n : (size_t)comma + 1;
    CueStr name = trim(cue_str_sub(rest, 1, end));
    rest = cue_str_sub(rest, end, rest.n);
    size_t i = 0;
    while (i < sizeof known / sizeof *known && !cue_str_is(name, known[i].name)) i++;
    if (i == sizeof known / sizeof *known)
      cue_buf_f(&unknown, "%sunknown experiment \"%.*s\"", unknown.n ? "\n" : "", CUE_FMT(name));
    else if (p->language < known[i].preview)
      cue_buf_f(&problems, "%scannot set experiment \"%s\" before version v0.%d.0", problems.n ? "\n" : "",
                known[i].name, known[i].preview);
    else if (known[i].flag)
      *known[i].flag = true;
  }
  if (problems.n == 0 && unknown.n == 0) return;
  if (problems.n && unknown.n) cue_buf_ch(&problems, '\n');
  cue_buf_str(&problems, cue_buf_done(&unknown));
  cue_report(&p->d, at, "parsing experiments for version \"v0.%d.%d\": %s", p->language, p->opt.language ? 0 : 1,
             cue_buf_done(&problems).s);
  p->stop = true;
}

/* ---- from token to terminal ---- */

static bool at_declaration(const Parser *p) { return accepts(p, LR_BADEXPR) && accepts(p, TOK_LET); }

/* Whether a keyword that could begin a comprehension or let is a name after all. */
static bool keyword_is_name(Parser *p, Tok tok) {
  Tok next = peek(p, 1)->tok;
  switch (tok) {
  case TOK_LET: return next != TOK_IDENT;
  case TOK_TRY: return false;
  case TOK_IF:
    if (next == TOK_NOT) return peek(p, 2)->tok == TOK_COLON;
    break;
  default:
    if (next == TOK_NOT) return true;
    break;
  }
  return next == TOK_COLON || next == TOK_BIND || next == TOK_OPTION || next == TOK_COMMA || next == TOK_EOF;
}

static int keyword(Parser *p, Tok tok) {
  if (tok == TOK_LET && p->last[0] == TOK_COLON && level(p)->kind <= LEVEL_STRUCT)
    p->label_only = keyword_is_name(p, tok);
  if (!accepts(p, (int)tok)) return LR_KEYNAME;
  p->label_only = tok == TOK_LET && accepts(p, LR_BADEXPR) && keyword_is_name(p, tok);
  bool starts = tok == TOK_FOR || tok == TOK_IF || tok == TOK_LET || tok == TOK_TRY;
  return starts && accepts(p, LR_BADEXPR) && keyword_is_name(p, tok) ? LR_KEYNAME : (int)tok;
}

/* "package" and "import" have a meaning only at the head of a file. */
static int preamble(Parser *p, const Token *t) {
  if (p->stage == STAGE_BODY || p->levels.n > 1 || !at_declaration(p)) return (int)t->tok;
  if (p->stage == STAGE_START && t->tok == TOK_ATTRIBUTE) {
    note_experiments(p, t->text);
    return (int)t->tok;
  }
  if (t->tok == TOK_EOF || (p->stage == STAGE_PACKAGE && t->tok == TOK_ATTRIBUTE)) return (int)t->tok;
  if (p->stage == STAGE_START) set_experiments(p, t->pos);
  p->header = t->tok == TOK_IDENT;
  if (p->header && p->stage == STAGE_START && cue_str_is(t->text, "package")) {
    p->stage = STAGE_PACKAGE;
    return LR_PACKAGE;
  }
  if (p->header && cue_str_is(t->text, "import")) {
    p->stage = STAGE_IMPORTS;
    return LR_IMPORT;
  }
  p->header = false;
  p->stage = STAGE_BODY;
  return (int)t->tok;
}

/* The operators that are words, up to language version v0.16. */
static int word_operator(const Parser *p, const Token *t) {
  if (p->language >= 17 || t->text.n != 3 || !accepts(p, TOK_IDIV)) return (int)t->tok;
  for (Tok op = TOK_IDIV; op <= TOK_IREM; op++)
    if (cue_str_is(t->text, tok_text(op))) return (int)op;
  return (int)t->tok;
}

/* The terminal a token is in this place; it may still be one that does not fit. */
static int classify(Parser *p, const Token *t) {
  if (p->label_only) { /* behind "let" used as a name: no expression goes on from it */
    p->label_only = false;
    switch (t->tok) {
    case TOK_COLON:
    case TOK_BIND:
    case TOK_OPTION:
    case TOK_NOT:
    case TOK_TILDE:
    case TOK_COMMA:
    case TOK_RBRACE:
    case TOK_EOF: break;
    default: return TOK_BAD;
    }
  }
  int sym = p->stage < STAGE_BODY ? preamble(p, t) : (int)t->tok;
  switch (sym) {
  case TOK_IDENT: return word_operator(p, t);
  case TOK_COMMA: return t->newline && !(p->language >= 17 && level(p)->kind == LEVEL_LIST) ? LR_NEWLINE : TOK_COMMA;
  case TOK_IF:
  case TOK_FOR:
  case TOK_IN:
  case TOK_LET:
  case TOK_TRY:
  case TOK_ELSE:
  case TOK_OTHERWISE:
  case TOK_FALLBACK: return keyword(p, t->tok);
  case TOK_FUNC: return LR_KEYNAME;
  case TOK_OPTION: { /* behind a plain name, "?:" is never part of the name; behind a.b it is */
    if (!accepts(p, TOK_OPTION) && !accepts(p, LR_OPTIONAL)) return TOK_BAD;
    bool name = p->last[0] == TOK_IDENT && p->last[1] != TOK_PERIOD;
    return (peek(p, 1)->tok == TOK_COLON && (name || accepts(p, LR_OPTIONAL))) || !accepts(p, TOK_OPTION) ? LR_OPTIONAL
                                                                                                          : TOK_OPTION;
  }
  case TOK_EQL: return !p->exp.structcmp && accepts(p, LR_BADEXPR) ? TOK_BAD : TOK_EQL;
  case TOK_STRING: /* only simple strings are selectors */
    if (!accepts(p, LR_BADEXPR) && accepts(p, TOK_TRUE) &&
        (t->text.s[0] != '"' || (t->text.n > 1 && t->text.s[1] == '"')))
      return TOK_BAD;
    return sym;
  default: return sym;
  }
}

/* ---- shifting ---- */

static void open_level(Parser *p, LevelKind kind, CuePos at) {
  cue_push(p->a, &p->levels, (Level){.kind = (uint8_t)kind});
  if (p->levels.n <= MAX_LEVELS || p->too_deep) return;
  p->too_deep = p->stop = true;
  cue_report(&p->d, at, "nested too deeply: more than %d levels", MAX_LEVELS);
}

/* Hands the terminal to the automaton, as soon as parse_next returns. */
static void push(Parser *p, int sym, const Token *t, CueStr text) {
  int open = -1;
  bool operand = false;
  switch (sym) {
  case TOK_LBRACE: open = LEVEL_STRUCT; break;
  case TOK_INTERPOLATION: open = LEVEL_STRING; break;
  case TOK_LBRACK: open = accepts(p, LR_BADEXPR) ? LEVEL_LIST : LEVEL_INDEX; break;
  case TOK_LPAREN:
    operand = accepts(p, LR_BADEXPR);
    open = operand ? LEVEL_PAREN : after_expr(p) ? LEVEL_CALL : accepts(p, TOK_STRING) ? LEVEL_IMPORTS : LEVEL_ALIAS;
    break;
  case TOK_COLON:
    p->first_label = !level(p)->colon;
    level(p)->colon = true;
    level(p)->alias = 0;
    break;
  case TOK_COMMA:
  case LR_NEWLINE:
    level(p)->colon = false;
    level(p)->alias = 0;
    break;
  case TOK_BIND:
    if (level(p)->kind <= LEVEL_STRUCT && !level(p)->colon && after_expr(p) && !p->exp.aliasv2)
      level(p)->alias = p->last_pos;
    break;
  case TOK_RBRACE:
  case TOK_RBRACK:
  case TOK_RPAREN:
  case LR_LASTPIECE: p->levels.n--; break;
  default: break;
  }
  p->sym = sym;
  p->open = open;
  p->at = (Span){t->pos, t->end};
  p->text = text;
}

/* The automaton has done with the terminal what it could. */
static void pushed(Parser *p) {
  p->bad_decl = false;
  p->last[1] = p->last[0];
  p->last[0] = p->sym;
  p->last_pos = p->at.pos;
  if (p->open >= 0) open_level(p, (LevelKind)p->open, p->at.pos);
  p->sym = -1;
}

/* The string goes on behind an interpolated expression. */
static void resume_string(Parser *p, const Token *t) {
  Token piece;
  p->nqueue = 0;
  bool more = lex_resume(&p->lx, &piece);
  piece.pos = t->pos;
  peek(p, 0);
  push(p, more ? LR_PIECE : LR_LASTPIECE, &piece, piece.text);
  if (more) advance(p); /* its "(" */
}

/* The token behind is always scanned first: what the scanner reports comes before what the
** grammar's actions do. */
static void shift(Parser *p, int sym, const Token *t) {
  advance(p);
  peek(p, 0);
  push(p, sym, t, t->text);
  if (sym == TOK_INTERPOLATION) advance(p);
}

/* Takes the token for another one. If a repair fits no better than the token, give up. */
static void replace(Parser *p, int sym, const Token *t) {
  advance(p);
  peek(p, 0);
  if (accepts(p, sym))
    push(p, sym, t, CUE_STR("_"));
  else
    p->stop = true;
}

/* ---- repair ---- */

/* Where cue's parser finds no operand it means to go on at the next comma, but runs to
** the end of the file; only the scanner has more to say about what is skipped. */
static void skip_rest(Parser *p) {
  while (peek(p, 0)->tok != TOK_EOF) advance(p);
}

static void repair_operand(Parser *p, const Token *t) {
  expected(p, t, "operand");
  skip_rest(p);
  Token bad = *t;
  bad.end = peek(p, 0)->pos;
  push(p, LR_BADEXPR, &bad, (CueStr){0});
}

/* After a whole element of a list, or its line end. */
static void repair_list(Parser *p, const Token *t) {
  bool after_comma = !accepts(p, TOK_COMMA), element = after_expr(p) || p->last[0] == LR_NEWLINE;
  if (after_comma && t->newline) {
    parse_error(p, t->pos, "missing ',' before newline in list literal");
    advance(p);
  } else if (after_comma || (element && (t->tok == TOK_FOR || t->tok == TOK_IF))) {
    expected(p, t, "']'");
    replace(p, TOK_RBRACK, t);
  } else if (accepts(p, LR_NEWLINE)) {
    parse_error(p, t->pos, "missing ',' in list literal");
    replace(p, TOK_COMMA, t);
  } else {
    parse_error(p, t->pos, "missing ',' before newline in list literal");
    replace(p, TOK_COMMA, t);
  }
}

static void repair_struct(Parser *p, const Token *t) {
  if (cue_pos_known(level(p)->alias) && !accepts(p, TOK_COLON)) {
    parse_error(p, level(p)->alias, OLD_ALIAS);
    p->bad_decl = true;
  }
  if (level(p)->kind == LEVEL_FILE && (p->single || (t->tok == TOK_RBRACE && accepts(p, TOK_EOF)))) {
    expected(p, t, "'EOF'");
    advance(p);
    peek(p, 0); /* the scanner may have something to say about one more token */
    p->stop = true;
  } else if (p->header && level(p)->kind == LEVEL_FILE) { /* after a package or import clause */
    if (t->tok != TOK_RPAREN) {
      expected(p, t, "','");
      skip_rest(p);
    }
    push(p, TOK_COMMA, t, (CueStr){0});
  } else if (!accepts(p, TOK_COMMA)) { /* a label with its mark, not the first one */
    expected(p, t, "':'");
    replace(p, TOK_COLON, t);
  } else if (level(p)->kind == LEVEL_STRUCT && t->tok == TOK_EOF) {
    expected(p, t, "'}'");
    replace(p, TOK_RBRACE, t);
  } else if (accepts(p, TOK_COLON) && !level(p)->colon) {
    expected(p, t, "label or ':'");
    p->bad_decl = true;
    push(p, TOK_COMMA, t, (CueStr){0});
  } else {
    parse_error(p, t->pos, "missing ',' in struct literal");
    replace(p, TOK_COMMA, t);
  }
}

/* Where no expression can begin: what must come next depends on the bracket we are in. */
static void repair_in_level(Parser *p, const Token *t) {
  switch ((LevelKind)level(p)->kind) {
  case LEVEL_LIST: repair_list(p, t); break;
  case LEVEL_INDEX:
    expected(p, t, "']'");
    replace(p, TOK_RBRACK, t);
    break;
  case LEVEL_PAREN:
    expected(p, t, "')'");
    replace(p, TOK_RPAREN, t);
    break;
  case LEVEL_CALL:
    if (t->tok == TOK_EOF && !after_expr(p)) {
      expected(p, t, "')'");
      replace(p, TOK_RPAREN, t);
    } else {
      parse_error(p, t->pos, "missing ',' in argument list");
      replace(p, TOK_COMMA, t);
    }
    break;
  case LEVEL_IMPORTS:
    if (t->tok == TOK_EOF || !accepts(p, TOK_COMMA)) {
      expected(p, t, "')'");
      replace(p, TOK_RPAREN, t);
    } else {
      expected(p, t, "','");
      skip_rest(p);
      push(p, TOK_COMMA, t, (CueStr){0});
    }
    break;
  case LEVEL_ALIAS:
    if (accepts(p, TOK_RPAREN)) {
      expected(p, t, "')'");
      replace(p, TOK_RPAREN, t);
    } else {
      expected(p, t, "','");
      replace(p, TOK_COMMA, t);
    }
    break;
  case LEVEL_STRING:
    expected(p, t, "')' for string interpolation");
    resume_string(p, t);
    break;
  case LEVEL_FILE:
  case LEVEL_STRUCT: repair_struct(p, t); break;
  }
}

static int closer(LevelKind kind) {
  switch (kind) {
  case LEVEL_STRUCT: return TOK_RBRACE;
  case LEVEL_LIST:
  case LEVEL_INDEX: return TOK_RBRACK;
  case LEVEL_CALL:
  case LEVEL_IMPORTS: return TOK_RPAREN;
  default: return TOK_BAD;
  }
}

/* A postfix alias "~(K,V)" that lacks a name is taken for whole; the declaration goes on at t. */
static void repair_alias(Parser *p, const Token *t) {
  static const int rest[] = {TOK_IDENT, TOK_COMMA, TOK_IDENT, TOK_RPAREN, -1};
  bool key = p->last[0] == TOK_LPAREN;
  expected(p, t, key ? "identifier for label alias" : "identifier for field alias");
  p->insert = key ? rest : rest + 2;
  p->at = (Span){t->pos, t->end};
}

/* No terminal for t fits. Reports, and changes the input so that the parser gets on. */
static void repair(Parser *p, const Token *t) {
  int close = closer((LevelKind)level(p)->kind);
  if (accepts(p, LR_BADEXPR)) {
    bool empty = close != TOK_BAD && accepts(p, close);
    if (t->tok == TOK_EOF && empty) {
      expected(p, t, level(p)->kind == LEVEL_STRUCT ? "'}'" : close == TOK_RPAREN ? "')'" : "']'");
      replace(p, close, t);
    } else if (level(p)->kind == LEVEL_FILE && t->tok == TOK_RBRACE && accepts(p, TOK_EOF)) {
      repair_struct(p, t);
    } else {
      repair_operand(p, t);
    }
  } else if (accepts(p, TOK_TRUE)) {
    expected(p, t, "selector");
    replace(p, TOK_IDENT, t);
  } else if (accepts(p, TOK_LBRACE)) {
    expected(p, t, "'{'");
    replace(p, TOK_LBRACE, t);
  } else if (accepts(p, TOK_BIND) && !after_expr(p)) {
    expected(p, t, "'='");
    replace(p, TOK_BIND, t);
  } else if (accepts(p, TOK_IN)) {
    expected(p, t, "'in'");
    replace(p, TOK_IN, t);
  } else if (accepts(p, TOK_STRING) && !(t->tok == TOK_EOF && close != TOK_BAD && accepts(p, close))) {
    expected(p, t, "'STRING'");
    replace(p, TOK_STRING, t);
  } else if (accepts(p, TOK_IDENT) && level(p)->kind == LEVEL_ALIAS) {
    repair_alias(p, t);
  } else if (accepts(p, TOK_IDENT) && level(p)->kind != LEVEL_IMPORTS) {
    expected(p, t, accepts(p, TOK_LPAREN) ? "identifier or '('" : "'IDENT'");
    replace(p, TOK_IDENT, t);
  } else if (p->opt.imports_only && p->stage == STAGE_BODY) {
    p->stop = true;
  } else {
    repair_in_level(p, t);
  }
}

/* ---- the parser ---- */

/* Reports what the grammar takes but the language version or an experiment does not. */
static void check_permitted(Parser *p, int sym, const Token *t) {
  switch (sym) {
  case TOK_COMMA: /* the grammar has it there for repair_list; only a comment can part a comma from its line end */
    if (level(p)->kind == LEVEL_LIST && p->last[0] == LR_NEWLINE)
      parse_error(p, t->pos, "missing ',' before newline in list literal");
    break;
  case TOK_ELLIPSIS:
    if (!p->exp.explicitopen && after_expr(p))
      cue_report(&p->d, t->pos, "postfix ... operator requires @experiment(explicitopen)");
    break;
  case TOK_BIND:
    if (p->exp.aliasv2 && after_expr(p))
      parse_error(
          p, t->pos,
          "old-style alias syntax (=) is not allowed with @experiment(aliasv2); use postfix syntax (~X or ~(K,V))");
    break;
  case TOK_TILDE:
    if (!p->exp.aliasv2) parse_error(p, t->pos, "postfix alias syntax requires @experiment(aliasv2)");
    break;
  case TOK_ELSE:
  case TOK_OTHERWISE:
  case TOK_FALLBACK:
    if (!p->exp.try_clause) parse_error(p, t->pos, "%s requires @experiment(try)", tok_text(t->tok));
    break;
  default: break;
  }
}

/* Of all names, "func" alone cannot be a declaration by itself. */
static void check_func(Parser *p, int sym) {
  if (!p->func_name) return;
  bool alone = sym == TOK_COMMA || sym == LR_NEWLINE || sym == TOK_RBRACE || sym == TOK_EOF;
  if (alone && accepts(p, TOK_COLON)) expected(p, peek(p, sym == TOK_COMMA || sym == LR_NEWLINE), "label or ':'");
  p->func_name = false;
}

/* One terminal further, or one repair. */
static void step(Parser *p) {
  Token t = *peek(p, 0); /* the one behind it will take its place */
  int sym = classify(p, &t);
  if (p->stop) return;
  if (p->opt.imports_only && p->stage == STAGE_BODY) {
    t.end = t.pos;
    push(p, TOK_EOF, &t, (CueStr){0});
  } else if (sym == TOK_RPAREN && level(p)->kind == LEVEL_STRING && accepts(p, LR_LASTPIECE)) {
    resume_string(p, &t);
  } else if (p->language >= 17 && level(p)->kind == LEVEL_INDEX && t.tok == TOK_COMMA &&
             peek(p, 1)->tok == TOK_RBRACK && accepts(p, TOK_RBRACK)) {
    advance(p);
  } else if (!p->src->stubs && !accepts(p, sym)) { /* text inside the program is known to be right */
    repair(p, &t);
  } else {
    check_func(p, sym);
    check_permitted(p, sym, &t);
    p->func_name = t.tok == TOK_FUNC && !level(p)->colon && at_declaration(p);
    shift(p, sym, &t);
  }
}

static void push_inserted(Parser *p) {
  Token t = {.pos = p->at.pos, .end = p->at.end};
  push(p, *p->insert++, &t, CUE_STR("_"));
  if (*p->insert < 0) p->insert = NULL;
}

int parse_next(Parser *p, Span *at, CueStr *text) {
  if (p->sym >= 0) pushed(p);
  while (p->sym < 0 && !p->stop) {
    if (p->insert)
      push_inserted(p);
    else
      step(p);
  }
  *at = p->at;
  *text = p->text;
  return p->sym;
}

static void init(Parser *p, CueArena *a, CueSource *src, ParseOptions opt) {
  *p = (Parser){
      .a = a, .src = src, .opt = opt, .language = opt.language ? opt.language : LATEST, .d = {.a = a}, .sym = -1};
  p->experiments = cue_buf(a);
  lex_init(&p->lx, a, src, opt.comments, &p->d);
  p->lx.zero_multiplier = p->language >= 17;
  cue_push(a, &p->levels, (Level){.kind = LEVEL_FILE});
}

static void hand_over(const Parser *p, CueDiags *to) {
  for (const CueDiag *g = p->d.first; g; g = g->next) {
    CueDiag *copy = cue_diag_add(to, g->path, g->message);
    for (uint32_t i = 0; i < g->at.n; i++) cue_push(to->a, &copy->at, g->at.at[i]);
  }
}

AstFile *cue_parse_file(CueArena *a, CueSource *src, ParseOptions opt, CueDiags *d) {
  Parser space, *p = &space;
  init(p, a, src, opt);
  p->skip = p->made = src->stubs;
  peek(p, 0);
  /* A file whose first token is broken is probably not CUE at all. */
  if (p->d.n == 0) lr_run(p);
  AstFile *f = cue_new(a, AstFile);
  CuePos start = cue_pos(src->base, CUE_REL_NONE);
  f->root = ast_new(a, AST_FILE, p->decls.n ? p->decls.at[0]->pos : start,
                    p->decls.n ? p->decls.at[p->decls.n - 1]->end : start);
  f->root->u.list = p->decls;
  f->source = src;
  f->package_clause = p->package;
  if (p->package && !cue_str_is(p->package->u.text, "_")) f->package = p->package->u.text;
  f->imports = p->imports;
  f->experiments = p->exp;
  hand_over(p, d);
  if (opt.comments && p->d.n == 0) comments_attach(p, f->root);
  return f;
}

/* Of one expression, which the grammar must be told. */
static void run_expr(Parser *p) {
  static const int start[] = {LR_START_EXPR, -1};
  p->insert = start;
  lr_run(p);
}

void cue_parse_stub(CueArena *a, const AstFile *f, Ast *st, int language) {
  Parser space, *p = &space;
  init(p, a, f->source, (ParseOptions){.language = language});
  p->exp = f->experiments;
  p->stage = STAGE_BODY;
  p->lx.at += st->u.stub->open;
  p->end = p->lx.text + st->u.stub->close + 1;
  run_expr(p);
  assert(p->d.n == 0 && p->expr && p->expr->kind == AST_STRUCT);
  st->unread = false;
  st->u.list = p->expr->u.list;
}

Ast *cue_parse_expr(CueArena *a, CueSource *src, ParseOptions opt, CueDiags *d) {
  Parser space, *p = &space;
  init(p, a, src, opt);
  p->stage = STAGE_BODY;
  p->single = true;
  set_experiments(p, 0);
  run_expr(p);
  hand_over(p, d);
  if (p->d.n > 0 || !p->expr) return NULL;
  if (opt.comments) comments_attach(p, p->expr);
  return p->expr;
}
