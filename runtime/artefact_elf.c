/* artefact_elf.c - the shared object of an artefact: checked, mapped, relocated.
**
** We link statically, so there is no dynamic linker to ask, and what it would do is little: the C that opm writes has
** no constructors, no thread-local data, and asks for nothing by name but what compilers themselves bring in (the mem
** functions). Everything else is refused rather than supported, which keeps this file as small as it is. All numbers
** in the object may be anything: each is compared with the room there is before it is used.
*/
#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/artefact.h"

#if defined(__x86_64__)
enum {
  MACHINE = EM_X86_64,
  RELATIVE = R_X86_64_RELATIVE,
  ABSOLUTE = R_X86_64_64,
  GLOBAL = R_X86_64_GLOB_DAT,
  JUMP = R_X86_64_JUMP_SLOT
};
#elif defined(__aarch64__)
enum {
  MACHINE = EM_AARCH64,
  RELATIVE = R_AARCH64_RELATIVE,
  ABSOLUTE = R_AARCH64_ABS64,
  GLOBAL = R_AARCH64_GLOB_DAT,
  JUMP = R_AARCH64_JUMP_SLOT
};
#else
enum { MACHINE = EM_NONE, RELATIVE = -1, ABSOLUTE = -2, GLOBAL = -3, JUMP = -4 };
#endif

enum { MAX_HEADERS = 64, MAX_SPAN = 1 << 28 };

typedef struct {
  CueArena *a;
  ArtefactObject *o;
  uint64_t page;
  CueStr *why;
} Check;

static bool refuse(Check *c, const char *fmt, ...) CUE_PRINTF(2, 3);
static bool refuse(Check *c, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  *c->why = cue_strvf(c->a, fmt, ap);
  va_end(ap);
  return false;
}

static bool damaged(Check *c) { return refuse(c, "its tables are damaged"); }

/* ---- what the C compiler may ask for by name ---- */

static uint64_t address_of(const char *name) {
  static const char *const names[] = {"memcpy", "memmove", "memset", "memcmp"};
  void *const at[] = {(void *)memcpy, (void *)memmove, (void *)memset, (void *)memcmp};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return (uint64_t)(uintptr_t)at[i];
  return 0;
}

/* ---- headers ---- */

static bool read_header(Check *c, Elf64_Ehdr *h) {
  CueStr b = c->o->bytes;
  if (b.n < sizeof *h || memcmp(b.s, ELFMAG, SELFMAG) != 0) return refuse(c, "it is not a shared object");
  memcpy(h, b.s, sizeof *h);
  if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB || h->e_machine != MACHINE)
    return refuse(c, "it is for another kind of machine (ELF class %u, machine %u)", h->e_ident[EI_CLASS],
                  h->e_machine);
  if (h->e_type != ET_DYN) return refuse(c, "it is an ELF file, but not a shared object");
  if (h->e_phentsize != sizeof(Elf64_Phdr) || h->e_phnum > MAX_HEADERS || h->e_phoff > b.n ||
      h->e_phnum * sizeof(Elf64_Phdr) > b.n - h->e_phoff)
    return damaged(c);
  return true;
}

static uint64_t round_down(const Check *c, uint64_t x) { return x & ~(c->page - 1); }
static uint64_t round_up(const Check *c, uint64_t x) { return round_down(c, x + c->page - 1); }

/* Segments come in order and share no page, so that each page has the rights of one of them. */
static bool add_segment(Check *c, const Elf64_Phdr *p) {
  ArtefactObject *o = c->o;
  if (p->p_filesz > p->p_memsz || p->p_offset > o->bytes.n || p->p_filesz > o->bytes.n - p->p_offset ||
      p->p_vaddr > MAX_SPAN || p->p_memsz > MAX_SPAN || round_down(c, p->p_vaddr) < o->span)
    return damaged(c);
  if (o->n == ARTEFACT_SEGMENTS) return refuse(c, "it has more than %d segments", ARTEFACT_SEGMENTS);
  if ((p->p_flags & PF_W) && (p->p_flags & PF_X))
    return refuse(c, "it needs memory that is both writable and executable");
  o->segments[o->n++] = (ArtefactSegment){.at = p->p_vaddr,
                                          .size = p->p_memsz,
                                          .file = p->p_offset,
                                          .filled = p->p_filesz,
                                          .writes = p->p_flags & PF_W,
                                          .runs = p->p_flags & PF_X};
  o->span = round_up(c, p->p_vaddr + p->p_memsz);
  return true;
}

static bool read_segments(Check *c, const Elf64_Ehdr *h, Elf64_Phdr *dynamic) {
  *dynamic = (Elf64_Phdr){0};
  for (unsigned i = 0; i < h->e_phnum; i++) {
    Elf64_Phdr p;
    memcpy(&p, c->o->bytes.s + h->e_phoff + i * sizeof p, sizeof p);
    if (p.p_type == PT_LOAD && p.p_memsz && !add_segment(c, &p)) return false;
    if (p.p_type == PT_DYNAMIC) *dynamic = p;
    if (p.p_type == PT_GNU_RELRO) c->o->fixed = p.p_vaddr, c->o->fixed_size = p.p_memsz;
    if (p.p_type == PT_TLS) return refuse(c, "it has thread-local data");
    if (p.p_type == PT_INTERP) return refuse(c, "it is a program, not a shared object");
  }
  return dynamic->p_type == PT_DYNAMIC || damaged(c);
}

/* ---- tables ---- */

/* What is in the file for an address; NULL if not all of it is. */
static const char *bytes_at(const ArtefactObject *o, uint64_t at, uint64_t size) {
  for (uint32_t i = 0; i < o->n; i++) {
    const ArtefactSegment *s = &o->segments[i];
    if (at >= s->at && at - s->at <= s->filled && size <= s->filled - (at - s->at))
      return o->bytes.s + s->file + (at - s->at);
  }
  return NULL;
}

static const ArtefactSegment *segment_at(const ArtefactObject *o, uint64_t at, uint64_t size) {
  for (uint32_t i = 0; i < o->n; i++) {
    const ArtefactSegment *s = &o->segments[i];
    if (at >= s->at && at - s->at <= s->size && size <= s->size - (at - s->at)) return s;
  }
  return NULL;
}

typedef struct {
  uint64_t symbols, names, names_size, hash, rela, rela_size, jump, jump_size;
} Tables;

static bool read_dynamic(Check *c, const Elf64_Phdr *dynamic, Tables *t) {
  *t = (Tables){0};
  const char *at = bytes_at(c->o, dynamic->p_vaddr, dynamic->p_filesz);
  if (!at) return damaged(c);
  for (uint64_t i = 0; i + sizeof(Elf64_Dyn) <= dynamic->p_filesz; i += sizeof(Elf64_Dyn)) {
    Elf64_Dyn d;
    memcpy(&d, at + i, sizeof d);
    uint64_t v = d.d_un.d_val;
    switch (d.d_tag) {
    case DT_NULL: return true;
    case DT_SYMTAB: t->symbols = v; break;
    case DT_STRTAB: t->names = v; break;
    case DT_STRSZ: t->names_size = v; break;
    case DT_HASH: t->hash = v; break;
    case DT_RELA: t->rela = v; break;
    case DT_RELASZ: t->rela_size = v; break;
    case DT_JMPREL: t->jump = v; break;
    case DT_PLTRELSZ: t->jump_size = v; break;
    case DT_SYMENT:
      if (v != sizeof(Elf64_Sym)) return damaged(c);
      break;
    case DT_RELAENT:
      if (v != sizeof(Elf64_Rela)) return damaged(c);
      break;
    case DT_PLTREL:
      if (v != DT_RELA) return refuse(c, "it has relocations of an unknown form");
      break;
    case DT_FLAGS:
      if (v & DF_TEXTREL) return refuse(c, "it needs its code to be writable");
      break;
    case DT_TEXTREL: return refuse(c, "it needs its code to be writable");
    case DT_NEEDED: return refuse(c, "it needs other libraries");
    case DT_INIT:
    case DT_FINI:
    case DT_INIT_ARRAY:
    case DT_FINI_ARRAY:
    case DT_PREINIT_ARRAY: return refuse(c, "it has code that would run when it is loaded");
    case DT_REL:
    case 36: /* DT_RELR, which older headers lack */ return refuse(c, "it has relocations of an unknown form");
    default: break;
    }
  }
  return damaged(c);
}

static Elf64_Sym symbol_at(const ArtefactObject *o, uint64_t i) {
  Elf64_Sym s;
  memcpy(&s, o->symbols + i * sizeof s, sizeof s);
  return s;
}

static const char *name_of(const ArtefactObject *o, const Elf64_Sym *s) {
  return s->st_name < o->names_size ? o->names + s->st_name : "";
}

static bool read_symbols(Check *c, const Tables *t) {
  ArtefactObject *o = c->o;
  const char *hash = bytes_at(o, t->hash, 8);
  uint32_t count = 0;
  if (hash) memcpy(&count, hash + 4, sizeof count);
  o->nsymbols = count;
  o->symbols = bytes_at(o, t->symbols, (uint64_t)count * sizeof(Elf64_Sym));
  o->names = bytes_at(o, t->names, t->names_size);
  o->names_size = t->names_size;
  if (!t->hash || !hash || !o->symbols || !o->names || !o->names_size || o->names[o->names_size - 1]) return damaged(c);
  for (uint64_t i = 1; i < count; i++) {
    Elf64_Sym s = symbol_at(o, i);
    const char *name = name_of(o, &s);
    if (s.st_shndx == SHN_UNDEF && !address_of(name))
      return refuse(c, "it needs a function or variable from outside: \"%.100s\"", name);
    if (s.st_shndx != SHN_UNDEF && strcmp(name, ARTEFACT_ENTRY) == 0) o->entry = s.st_value;
  }
  if (!o->entry || !segment_at(o, o->entry, sizeof(Compiled))) return refuse(c, "it has no symbol " ARTEFACT_ENTRY);
  return true;
}

/* ---- relocations ---- */

static Elf64_Rela relocation_at(const char *table, uint64_t i) {
  Elf64_Rela r;
  memcpy(&r, table + i * sizeof r, sizeof r);
  return r;
}

static bool check_relocation(Check *c, const Elf64_Rela *r) {
  const ArtefactSegment *s = segment_at(c->o, r->r_offset, 8);
  if (!s) return damaged(c);
  if (!s->writes) return refuse(c, "it needs its code to be writable");
  long type = (long)ELF64_R_TYPE(r->r_info);
  if (type == RELATIVE) return (uint64_t)r->r_addend <= c->o->span || damaged(c);
  if (type != GLOBAL && type != JUMP && type != ABSOLUTE)
    return refuse(c, "it has a relocation of an unknown type: %ld", type);
  if (ELF64_R_SYM(r->r_info) >= c->o->nsymbols || r->r_addend) return damaged(c);
  Elf64_Sym symbol = symbol_at(c->o, ELF64_R_SYM(r->r_info));
  return address_of(name_of(c->o, &symbol)) || symbol.st_value <= c->o->span || damaged(c);
}

static bool read_relocations(Check *c, const Tables *t) {
  const uint64_t at[] = {t->rela, t->jump}, size[] = {t->rela_size, t->jump_size};
  for (int i = 0; i < 2; i++) {
    if (!size[i]) continue;
    c->o->relocations[i] = bytes_at(c->o, at[i], size[i]);
    c->o->nrelocations[i] = size[i] / sizeof(Elf64_Rela);
    if (!c->o->relocations[i]) return damaged(c);
    for (uint64_t k = 0; k < c->o->nrelocations[i]; k++) {
      Elf64_Rela r = relocation_at(c->o->relocations[i], k);
      if (!check_relocation(c, &r)) return false;
    }
  }
  return true;
}

/* A part of one segment; the linker may count the rest of its last page as well. */
static bool check_fixed(Check *c) {
  ArtefactObject *o = c->o;
  if (!o->fixed_size) return true;
  const ArtefactSegment *s = segment_at(o, o->fixed, 1);
  return (s && s->writes && o->fixed_size <= round_up(c, s->at + s->size) - o->fixed) || damaged(c);
}

bool artefact_object(CueArena *a, CueStr bytes, ArtefactObject *out, CueStr *why) {
  Check c = {a, out, (uint64_t)sysconf(_SC_PAGESIZE), why};
  Elf64_Ehdr h;
  Elf64_Phdr dynamic;
  Tables t;
  *out = (ArtefactObject){.bytes = bytes};
  return read_header(&c, &h) && read_segments(&c, &h, &dynamic) && check_fixed(&c) && read_dynamic(&c, &dynamic, &t) &&
         read_symbols(&c, &t) && read_relocations(&c, &t);
}

/* ---- memory ---- */

/* A file that was read to the start of a page has whole pages of large segments where they can be taken over as they are:
** they are moved, and zeroes are where they were. False if that cannot be done here. */
static bool move_pages(char *to, const char *from, uint64_t n) {
#ifdef MREMAP_DONTUNMAP
  return mremap((void *)(uintptr_t)from, n, n, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, to) == to;
#else
  (void)to, (void)from, (void)n;
  return false;
#endif
}

/* Copies a segment, but for pages that can be moved. */
static void place(const Check *c, const ArtefactObject *o, const ArtefactSegment *s, char *base) {
  enum { MUCH = 64 << 10 };
  const char *from = o->bytes.s + s->file;
  char *to = base + s->at;
  uint64_t head = -(uint64_t)(uintptr_t)from & (c->page - 1);
  if (((uintptr_t)to - (uintptr_t)from) % c->page == 0 && s->filled > MUCH) {
    uint64_t whole = round_down(c, s->filled - head);
    if (move_pages(to + head, from + head, whole)) {
      memcpy(to, from, head);
      memcpy(to + head + whole, from + head + whole, s->filled - head - whole);
      return;
    }
  }
  memcpy(to, from, s->filled);
}

/* Where a table is once its segment is in place. */
static const char *placed(const ArtefactObject *o, const char *base, const char *table) {
  uint64_t file = table ? (uint64_t)(table - o->bytes.s) : 0;
  for (uint32_t i = 0; table && i < o->n; i++)
    if (file >= o->segments[i].file && file - o->segments[i].file < o->segments[i].filled)
      return base + o->segments[i].at + (file - o->segments[i].file);
  return table;
}

static void relocate(const ArtefactObject *o, char *base, const Elf64_Rela *r) {
  uint64_t value = (uint64_t)(uintptr_t)base;
  if ((long)ELF64_R_TYPE(r->r_info) == RELATIVE) {
    value += (uint64_t)r->r_addend;
  } else {
    Elf64_Sym s = symbol_at(o, ELF64_R_SYM(r->r_info));
    value = s.st_shndx == SHN_UNDEF ? address_of(name_of(o, &s)) : value + s.st_value;
  }
  memcpy(base + r->r_offset, &value, sizeof value);
}

static bool protect(char *base, uint64_t from, uint64_t to, int rights) {
  return to <= from || mprotect(base + from, to - from, rights) == 0;
}

char *artefact_map(const ArtefactObject *o) {
  const Check c = {.page = (uint64_t)sysconf(_SC_PAGESIZE)};
  char *base = mmap(NULL, o->span, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) return NULL;
  for (uint32_t i = 0; i < o->n; i++) place(&c, o, &o->segments[i], base);
  ArtefactObject there = *o;
  there.symbols = placed(o, base, o->symbols);
  there.names = placed(o, base, o->names);
  for (int i = 0; i < 2; i++) {
    const char *table = placed(o, base, o->relocations[i]);
    for (uint64_t k = 0; k < o->nrelocations[i]; k++) {
      Elf64_Rela r = relocation_at(table, k);
      relocate(&there, base, &r);
    }
  }
  bool ok = true;
  for (uint32_t i = 0; i < o->n; i++) {
    const ArtefactSegment *s = &o->segments[i];
    if (s->runs) __builtin___clear_cache(base + s->at, base + s->at + s->size);
    if (!s->writes)
      ok = ok && protect(base, round_down(&c, s->at), round_up(&c, s->at + s->size),
                         s->runs ? PROT_READ | PROT_EXEC : PROT_READ);
  }
  ok = ok && protect(base, round_down(&c, o->fixed), round_down(&c, o->fixed + o->fixed_size), PROT_READ);
  if (ok) return base;
  artefact_unmap(o, base);
  return NULL;
}

void artefact_unmap(const ArtefactObject *o, char *base) { munmap(base, o->span); }
