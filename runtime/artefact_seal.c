/* artefact_seal.c - what stands behind the object in an artefact: what it is and what it was made of.
**
** The tail has a fixed size and is looked for at the end of the file, so that the digest is compared before anything
** else of the file is believed.
*/
#include <elf.h>
#include <string.h>

#include "runtime/artefact.h"
#include "runtime/digest.h"

#define MAGIC "OPMSEAL1"
enum { LENGTH = 8, DIGEST = 32, WORD = sizeof MAGIC - 1, TAIL = LENGTH + DIGEST + WORD };

static const char *const kinds[] = {[COMPILED_PROVIDER] = "provider", [COMPILED_MODULE] = "module"};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- writing ---- */

CueStr artefact_sealed(CueArena *a, CueStr object, const ArtefactSeal *s) {
  CueBuf b = cue_buf(a);
  CueStr digest;
  cue_buf_str(&b, object);
  cue_buf_f(&b, "abi %u\nkind %s\nname %.*s\ntier %u\nlanguage %.*s\ncompiler %.*s\n", s->abi, kinds[s->kind],
            CUE_FMT(s->name), s->tier, CUE_FMT(s->language), CUE_FMT(s->compiler));
  for (uint32_t i = 0; i < s->inputs.n; i++)
    cue_buf_f(&b, "input %.*s %.*s %.*s\n", CUE_FMT(s->inputs.at[i].digest), CUE_FMT(s->inputs.at[i].kind),
              CUE_FMT(s->inputs.at[i].name));
  uint64_t length = b.n - object.n;
  for (int i = 0; i < LENGTH; i++) cue_buf_ch(&b, (char)(length >> 8 * i));
  cue_digest(a, "sha256", (CueStr){b.s, b.n}, &digest);
  cue_buf_str(&b, digest);
  cue_buf_z(&b, MAGIC);
  return cue_buf_done(&b);
}

/* ---- reading ---- */

static bool refuse(CueStr *why, CueStr text) {
  *why = text;
  return false;
}

/* The size an ELF file has by its own account; 0 if that is more than can be. */
static uint64_t elf_size(CueStr bytes) {
  Elf64_Ehdr h;
  if (bytes.n < sizeof h) return UINT64_MAX;
  memcpy(&h, bytes.s, sizeof h);
  uint64_t end = 0, table;
  if (__builtin_add_overflow(h.e_shoff, (uint64_t)h.e_shentsize * h.e_shnum, &end)) return 0;
  for (unsigned i = 0; i < h.e_phnum; i++) {
    Elf64_Phdr p;
    if (__builtin_add_overflow(h.e_phoff, (uint64_t)i * sizeof p, &table) || table > bytes.n ||
        bytes.n - table < sizeof p)
      return UINT64_MAX;
    memcpy(&p, bytes.s + table, sizeof p);
    uint64_t last;
    if (p.p_type == PT_LOAD && !__builtin_add_overflow(p.p_offset, p.p_filesz, &last) && last > end) end = last;
  }
  return end;
}

/* A file without seal: which of the reasons for that is it? */
static bool no_seal(CueStr bytes, CueStr *why) {
  if (!bytes.n) return refuse(why, CUE_STR("the file is empty"));
  size_t n = bytes.n < SELFMAG ? bytes.n : SELFMAG;
  if (memcmp(bytes.s, ELFMAG, n) != 0)
    return refuse(why, CUE_STR("it is not compiled code: it does not begin like a shared object"));
  uint64_t size = elf_size(bytes);
  if (bytes.n < SELFMAG || size > bytes.n || (size && size < bytes.n))
    return refuse(why, CUE_STR("it does not end with a seal: it was truncated, or something was appended"));
  return refuse(why, CUE_STR("it is an ELF file, but not one that opm made: it has no seal"));
}

static CueStr next_line(CueStr *text) {
  const char *end = memchr(text->s, '\n', text->n);
  size_t n = end ? (size_t)(end - text->s) : text->n;
  CueStr line = cue_str_sub(*text, 0, n);
  *text = cue_str_sub(*text, end ? n + 1 : n, text->n);
  return line;
}

static bool take_word(CueStr *line, CueStr *out) {
  const char *end = memchr(line->s, ' ', line->n);
  if (!end) return false;
  size_t n = (size_t)(end - line->s);
  *out = cue_str_sub(*line, 0, n);
  *line = cue_str_sub(*line, n + 1, line->n);
  return true;
}

static bool take(CueStr *text, const char *key, CueStr *out) {
  CueStr word;
  *out = next_line(text);
  return take_word(out, &word) && cue_str_is(word, key);
}

static bool take_number(CueStr *text, const char *key, uint32_t *out) {
  CueStr s;
  if (!take(text, key, &s) || !s.n || s.n > 9) return false;
  *out = 0;
  for (size_t i = 0; i < s.n; i++) {
    if (s.s[i] < '0' || s.s[i] > '9') return false;
    *out = *out * 10 + (uint32_t)(s.s[i] - '0');
  }
  return true;
}

static bool read_inputs(CueArena *a, CueStr text, ArtefactSeal *out) {
  while (text.n) {
    ArtefactInput in;
    CueStr line;
    if (!take(&text, "input", &line) || !take_word(&line, &in.digest) || !take_word(&line, &in.kind)) return false;
    in.name = line;
    cue_push(a, &out->inputs, in);
  }
  return true;
}

static bool read_text(CueArena *a, CueStr text, ArtefactSeal *out, CueStr *why) {
  CueStr kind;
  *out = (ArtefactSeal){0};
  if (!take_number(&text, "abi", &out->abi)) return refuse(why, CUE_STR("its seal cannot be read"));
  if (out->abi != CUE_ABI)
    return refuse(why, cue_strf(a, "it was made for version %u of the binary interface, but this opm has version %u",
                                out->abi, CUE_ABI));
  bool ok = take(&text, "kind", &kind);
  for (int i = 1; i < KINDS; i++)
    if (ok && cue_str_is(kind, kinds[i])) out->kind = (CompiledKind)i;
  ok = ok && out->kind && take(&text, "name", &out->name) && take_number(&text, "tier", &out->tier) &&
       take(&text, "language", &out->language) && take(&text, "compiler", &out->compiler) && read_inputs(a, text, out);
  return ok || refuse(why, CUE_STR("its seal cannot be read"));
}

bool artefact_unseal(CueArena *a, CueStr bytes, CueStr *object, ArtefactSeal *out, CueStr *why) {
  if (bytes.n < TAIL || memcmp(bytes.s + bytes.n - WORD, MAGIC, WORD) != 0) return no_seal(bytes, why);
  const char *tail = bytes.s + bytes.n - TAIL;
  CueStr digest;
  CueMark mark = cue_arena_mark(a);
  cue_digest(a, "sha256", cue_str_sub(bytes, 0, bytes.n - WORD - DIGEST), &digest);
  bool same = memcmp(digest.s, tail + LENGTH, DIGEST) == 0;
  cue_arena_reset(a, mark);
  if (!same) return refuse(why, CUE_STR("its bytes are not those that were sealed: the digest differs"));
  uint64_t length = 0;
  for (int i = 0; i < LENGTH; i++) length |= (uint64_t)(unsigned char)tail[i] << 8 * i;
  if (length > bytes.n - TAIL) return refuse(why, CUE_STR("its seal cannot be read"));
  *object = cue_str_sub(bytes, 0, bytes.n - TAIL - length);
  return read_text(a, cue_str_sub(bytes, object->n, bytes.n - TAIL), out, why);
}
