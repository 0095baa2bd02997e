/* artefact_test.c - what is loaded, and all that is refused. */
#include "runtime/artefact.h"

#include <elf.h>
#include <fcntl.h>
#include <greatest.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/artefact/cc.h"
#include "compiler/artefact/files.h"

SUITE(artefact_suite);

static CueArena *arena;
static CueStr dir, object; /* scratch; what the C compiler made of `source` */

/* The shape of what opm writes: constants that point to each other and to code. */
#define HEAD "#include \"runtime/abi.h\"\n"
#define FUNCTION "static bool copy(PlanRun *r, CueValue *out) "
#define TAIL                                                                                            \
  "static const CompiledFunction functions[] = {{.name = {\"copy\", 4}, .code = copy}};\n"              \
  "static const CueUseName uses[] = {{\"strings\", \"ToLower\"}};\n"                                    \
  "extern __attribute__((visibility(\"default\"))) const Compiled opm_compiled;\n"                      \
  "const Compiled opm_compiled = {.kind = COMPILED_PROVIDER, .abi = CUE_ABI, .functions = functions,\n" \
  "  .n = 1, .use_names = uses, .nuses = 1};\n"
static const char source[] = HEAD FUNCTION "{\n"
                                           "  size_t n = (size_t)r->inputs[0].as.i;\n"
                                           "  __builtin_memcpy(out, r->inputs, n);\n"
                                           "  return out->as.i == (long long)sizeof *out;\n"
                                           "}\n" TAIL;

/* Stands for the packages there are; with `none` there are none. */
static const CueBuiltin to_lower[] = {{.name = "ToLower"}};
static const CueBuiltinPackage strings = {.path = "strings", .functions = to_lower, .n = 1};
static const CueBuiltinPackage *find(CueStr path) { return cue_str_is(path, "strings") ? &strings : NULL; }
static const CueBuiltinPackage *none(CueStr path) { return path.n ? NULL : &strings; }

static bool compiled(const char *text, unsigned tier, CueStr *out, CueStr *why) {
  CCompiler cc;
  CFile files[] = {{CUE_STR("a.c"), cue_str(text)}, {CUE_STR("runtime/abi.h"), CUE_STR("")}};
  return file_take(arena, CUE_STR("runtime/abi.h"), &files[1].text, why) && cc_find(arena, tier, 0, &cc, why) &&
         cc_run(arena, &cc, tier, dir, files, 2, out, why) == CC_DONE;
}

static ArtefactSeal seal_of(void) {
  ArtefactSeal s = {.abi = CUE_ABI,
                    .kind = COMPILED_PROVIDER,
                    .name = CUE_STR("test v1"),
                    .language = CUE_STR("v0"),
                    .compiler = CUE_STR("id")};
  cue_push(arena, &s.inputs, (ArtefactInput){CUE_STR("file"), CUE_STR("00ff"), CUE_STR("a b.cue")});
  return s;
}

static CueStr sealed(CueStr of) {
  ArtefactSeal s = seal_of();
  return artefact_sealed(arena, of, &s);
}

static CueStr path_of(const char *name) { return cue_strf(arena, "%.*s/%s", CUE_FMT(dir), name); }

static CueStr written(const char *name, CueStr bytes) {
  CueStr why, path = path_of(name);
  unlink(path.s);
  file_put(arena, path, bytes, &why);
  return path;
}

/* Why a file is refused; "" if it is not. */
static const char *refusal(CueStr path) {
  ArtefactFile f;
  CueStr why;
  return artefact_open(arena, path, &f, &why) ? "" : cue_str_copy(arena, why).s;
}

static const char *refusal_of(CueStr bytes) { return refusal(written("x.so", bytes)); }

static bool has(const char *text, const char *part) { return strstr(text, part) != NULL; }

TEST code_that_was_sealed_runs(void) {
  for (unsigned tier = 0; tier < 2; tier++) {
    CueStr so, why = CUE_STR("");
    ASSERTm(why.s, compiled(source, tier, &so, &why));
    ArtefactFile f;
    Compiled c;
    CueStr path = written("good.so", sealed(so));
    ASSERTm(why.s, artefact_open(arena, path, &f, &why) && artefact_enter(arena, &f, find, &c, &why));
    ASSERT_EQ(COMPILED_PROVIDER, c.kind);
    ASSERT_EQ(1, c.n);
    ASSERT_STR_EQ("copy", c.functions[0].name.s);
    CueValue in = cue_int(sizeof in), out;
    ASSERT(compiled_run(&c, 0, arena, NULL, &in, &out));
    ASSERT_EQ(sizeof in, (size_t)out.as.i);
    ASSERT(!artefact_enter(arena, &f, none, &c, &why));
    ASSERT_STR_EQ("it needs something that this opm does not have: strings.ToLower", why.s);
  }
  PASS();
}

/* One whose pages are moved into place: data that points to itself all over, and what lies around it. */
TEST a_large_object_is_mapped_whole(void) {
  static const char large[] =
      HEAD "#define A(x) x x x x x x x x\n"
           "#define P {&ring[7], \"text\"},\n"
           "static const struct { const void *next; const char *text; } ring[] = { A(A(A(A(A(P))))) };\n" FUNCTION "{\n"
           "  size_t bad = sizeof ring / sizeof *ring != 8 * 8 * 8 * 8 * 8;\n"
           "  for (size_t i = 0; i < sizeof ring / sizeof *ring; i++)\n"
           "    bad += ring[i].next != &ring[7] || ring[i].text[0] != 't' || ring[i].text[4];\n"
           "  out->as.i = (long long)bad;\n"
           "  return r->a != NULL;\n"
           "}\n" TAIL;
  for (unsigned tier = 0; tier < 2; tier++) {
    CueStr so, why = CUE_STR("");
    ASSERTm(why.s, compiled(large, tier, &so, &why));
    ASSERT(so.n > 500000);
    ArtefactFile f;
    Compiled c;
    CueValue in = cue_null(), out;
    CueStr path = written("large.so", sealed(so));
    ASSERTm(why.s, artefact_open(arena, path, &f, &why) && artefact_enter(arena, &f, find, &c, &why));
    ASSERT(compiled_run(&c, 0, arena, NULL, &in, &out));
    ASSERT_EQ(0, out.as.i);
    ASSERT(cue_str_is(f.seal.name, "test v1"));
  }
  PASS();
}

TEST the_seal_says_what_was_sealed(void) {
  CueStr got, why;
  ArtefactSeal s;
  ASSERT(artefact_unseal(arena, sealed(object), &got, &s, &why));
  ASSERT(cue_str_eq(object, got));
  ASSERT_EQ(COMPILED_PROVIDER, s.kind);
  ASSERT(cue_str_is(s.name, "test v1"));
  ASSERT_EQ(1, s.inputs.n);
  ASSERT(cue_str_is(s.inputs.at[0].name, "a b.cue"));
  ASSERT(cue_str_is(s.inputs.at[0].digest, "00ff"));
  PASS();
}

TEST any_byte_that_differs_is_noticed(void) {
  CueStr good = sealed(object);
  char *bytes = cue_alloc(arena, good.n);
  size_t step = good.n / 2000 + 1;
  for (size_t i = 0; i < good.n; i += i + 200 < good.n ? step : 1) {
    CueStr got, why;
    ArtefactSeal s;
    memcpy(bytes, good.s, good.n);
    bytes[i] = (char)(bytes[i] ^ (1 << i % 8));
    CueMark m = cue_arena_mark(arena);
    ASSERT(!artefact_unseal(arena, (CueStr){bytes, good.n}, &got, &s, &why));
    ASSERT(has(why.s, "the digest differs") || (i + 8 >= good.n && has(why.s, "seal")));
    cue_arena_reset(arena, m);
  }
  PASS();
}

TEST a_file_cut_at_any_length_is_refused(void) {
  CueStr good = sealed(object), got, why;
  ArtefactSeal s;
  size_t step = good.n / 2000 + 1;
  for (size_t n = 0; n < good.n; n += n + 300 < good.n ? step : 1) {
    CueMark m = cue_arena_mark(arena);
    ASSERT(!artefact_unseal(arena, cue_str_sub(good, 0, n), &got, &s, &why));
    ASSERT(has(why.s, n ? "truncated" : "empty") || n == object.n);
    cue_arena_reset(arena, m);
  }
  PASS();
}

TEST what_opm_did_not_make_is_refused(void) {
  ASSERT(has(refusal_of(object), "not one that opm made"));
  ASSERT(has(refusal_of(CUE_STR("#!/bin/sh\necho hello, this is a script and no code at all, mind you\n")),
             "does not begin like a shared object"));
  ASSERT(has(refusal_of(CUE_STR("")), "empty"));
  ASSERT(has(refusal_of(sealed(CUE_STR("text"))), "not a shared object"));
  PASS();
}

/* The object with some bytes of its ELF header replaced, sealed anew: whoever seals may be wrong, too. */
static CueStr with_header(size_t at, uint16_t value) {
  char *bytes = cue_alloc(arena, object.n);
  memcpy(bytes, object.s, object.n);
  memcpy(bytes + at, &value, sizeof value);
  return sealed((CueStr){bytes, object.n});
}

TEST other_machines_and_interfaces_are_refused(void) {
  ASSERT(has(refusal_of(with_header(offsetof(Elf64_Ehdr, e_machine), EM_MIPS)), "another kind of machine"));
  ASSERT(has(refusal_of(with_header(offsetof(Elf64_Ehdr, e_type), ET_EXEC)), "not a shared object"));
  ASSERT(has(refusal_of(with_header(offsetof(Elf64_Ehdr, e_phnum), 65)), "damaged"));
  ArtefactSeal s = seal_of();
  s.abi = CUE_ABI + 1;
  ASSERT(has(refusal_of(artefact_sealed(arena, object, &s)), "binary interface"));
  PASS();
}

static const char *refusal_of_c(const char *text) {
  CueStr so, why;
  return compiled(text, 1, &so, &why) ? refusal_of(sealed(so)) : why.s;
}

TEST code_that_asks_for_more_is_refused(void) {
  ASSERT(has(refusal_of_c(HEAD "int system(const char *);\n" FUNCTION
                               "{ out->as.i = (long long)r; return system(\"true\"); }\n" TAIL),
             "from outside: \"system\""));
  ASSERT(has(
      refusal_of_c(HEAD "static _Thread_local int n;\n" FUNCTION "{ n += r == 0; out->as.i = n; return n; }\n" TAIL),
      "thread-local"));
  ASSERT(has(refusal_of_c(HEAD "static int n; __attribute__((constructor)) static void up(void) { n++; }\n" FUNCTION
                               "{ out->as.i = r->inputs[0].as.i + n; return n; }\n" TAIL),
             "run when it is loaded"));
  ASSERT(has(refusal_of_c("int opm_other = 1;\n"), "no symbol opm_compiled"));
  PASS();
}

TEST unknown_relocations_are_refused(void) {
  ArtefactObject o;
  CueStr why;
  char *bytes = cue_alloc(arena, object.n);
  ASSERT(artefact_object(arena, object, &o, &why));
  ASSERT(o.nrelocations[0]);
  memcpy(bytes, object.s, object.n);
  bytes[o.relocations[0] - object.s + (ptrdiff_t)offsetof(Elf64_Rela, r_info)] = 99;
  ASSERT(has(refusal_of(sealed((CueStr){bytes, object.n})), "relocation of an unknown type: "));
  PASS();
}

/* Pages as the kernel has them: none may be written and run. */
static bool any_page_writes_and_runs(void) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[512];
  bool found = false;
  while (maps && fgets(line, sizeof line, maps)) found |= strstr(line, " rwxp ") != NULL;
  if (maps) fclose(maps);
  return found;
}

TEST no_page_is_writable_and_executable(void) {
  ArtefactFile f;
  CueStr why;
  ASSERT(artefact_open(arena, written("good.so", sealed(object)), &f, &why));
  char *base = artefact_map(&f.object);
  ASSERT(base);
  ASSERT(!any_page_writes_and_runs());
  artefact_unmap(&f.object, base);
  PASS();
}

TEST files_that_others_may_write_are_refused(void) {
  CueStr path = written("x.so", sealed(object));
  ASSERT_STR_EQ("", refusal(path));
  chmod(path.s, 0664);
  ASSERT(has(refusal(path), "the file can be written by others (mode 0664)"));
  chmod(path.s, 0602);
  ASSERT(has(refusal(path), "the file can be written by others"));
  chmod(path.s, 0644);
  ASSERT_STR_EQ("", refusal(path));
  chmod(dir.s, 0777);
  const char *why = refusal(path);
  chmod(dir.s, 0700);
  ASSERT(has(why, "its folder can be written by others (mode 0777)"));
  if (geteuid() == 0) { /* only root can give files away */
    ASSERT_EQ(0, chown(path.s, 12345, 12345));
    ASSERT(has(refusal(path), "belongs to another user (uid 12345)"));
  }
  PASS();
}

TEST only_regular_files_are_read(void) {
  CueStr path = written("x.so", sealed(object)), link = path_of("link.so"), pipe = path_of("pipe.so");
  unlink(link.s);
  ASSERT_EQ(0, symlink(path.s, link.s));
  ASSERT(has(refusal(link), "symbolic link"));
  unlink(pipe.s);
  ASSERT_EQ(0, mkfifo(pipe.s, 0600));
  ASSERT(has(refusal(pipe), "not a regular file"));
  mkdir(path_of("folder.so").s, 0700);
  ASSERT(has(refusal(path_of("folder.so")), "not a regular file"));
  ASSERT(has(refusal(path_of("none.so")), "No such file"));
  ASSERT(has(refusal(path_of("none/none.so")), "folder cannot be opened"));
  PASS();
}

/* Numbers of the object at random, sealed so that only the checks of the object stand in the way. */
TEST a_damaged_object_is_refused_or_maps(void) {
  char *bytes = cue_alloc(arena, object.n);
  uint64_t x = 88172645463325252u;
  for (int round = 0; round < 20000; round++) {
    memcpy(bytes, object.s, object.n);
    for (int k = 0; k < 1 + round % 4; k++) {
      x ^= x << 13, x ^= x >> 7, x ^= x << 17;
      bytes[(x >> 16) % (round % 2 ? object.n : 1024)] = (char)(x & 0xff);
    }
    CueMark m = cue_arena_mark(arena);
    ArtefactObject o;
    CueStr why = CUE_STR("");
    if (artefact_object(arena, (CueStr){bytes, object.n}, &o, &why)) {
      char *base = artefact_map(&o);
      if (base) artefact_unmap(&o, base);
    } else {
      ASSERT(why.n);
    }
    cue_arena_reset(arena, m);
  }
  PASS();
}

/* ---- the C compiler ---- */

TEST the_same_text_gives_the_same_bytes_anywhere(void) {
  CCompiler cc;
  CFile files[] = {{CUE_STR("a.c"), cue_str(source)}, {CUE_STR("runtime/abi.h"), CUE_STR("")}};
  CueStr error;
  ASSERT(file_take(arena, CUE_STR("runtime/abi.h"), &files[1].text, &error));
  for (unsigned tier = 0; tier < 2; tier++) {
    CueStr one, two, why;
    ASSERT(cc_find(arena, tier, 0, &cc, &why));
    ASSERT_EQ(CC_DONE, cc_run(arena, &cc, tier, path_of("one"), files, 2, &one, &why));
    ASSERT_EQ(CC_DONE, cc_run(arena, &cc, tier, path_of("a/longer path/two"), files, 2, &two, &why));
    ASSERT(cue_str_eq(one, two));
    ASSERT(cue_str_eq(sealed(one), sealed(two)));
  }
  PASS();
}

TEST a_compiler_that_fails_says_so_and_leaves_nothing(void) {
  CueStr so, why = CUE_STR("");
  ASSERT(!compiled("int x = ;\n", 1, &so, &why));
  ASSERT(has(why.s, "failed with exit code"));
  ASSERT(has(why.s, "a.c:1"));
  ASSERT_EQ(0, system(cue_strf(arena, "test -z \"$(ls -d '%.*s'/[0-9]*-* 2>/dev/null)\"", CUE_FMT(dir)).s));
  PASS();
}

TEST a_compiler_that_does_not_end_is_ended(void) {
  CueStr script = cue_strf(arena, "%.*s/hangs", CUE_FMT(dir)), so, why = CUE_STR("");
  ASSERT_EQ(
      0,
      system(cue_strf(arena, "printf '#!/bin/sh\\nexec sleep 600\\n' > '%s' && chmod +x '%s'", script.s, script.s).s));
  CCompiler cc = {.limit = 1};
  cue_push(arena, &cc.words, script);
  CFile file = {CUE_STR("a.c"), CUE_STR("")};
  ASSERT_EQ(CC_REFUSED, cc_run(arena, &cc, 0, dir, &file, 1, &so, &why));
  ASSERT(has(why.s, "did not end within 1 seconds"));
  ASSERT_EQ(0, system(cue_strf(arena, "test -z \"$(ls -d '%.*s'/[0-9]*-* 2>/dev/null)\"", CUE_FMT(dir)).s));
  PASS();
}

TEST without_a_compiler_that_is_said(void) {
  CCompiler cc;
  CueStr why, path = cue_str_copy(arena, cue_str(getenv("PATH")));
  setenv("PATH", "", 1);
  bool found = cc_find(arena, 0, 0, &cc, &why);
  setenv("PATH", path.s, 1);
  ASSERT(!found);
  ASSERT(has(why.s, "there is no C compiler"));
  const char *chosen = getenv("CC");
  CueStr before = chosen ? cue_str_copy(arena, cue_str(chosen)) : CUE_STR("");
  setenv("CC", "no-such-compiler -O3", 1);
  found = cc_find(arena, 0, 0, &cc, &why);
  if (before.n)
    setenv("CC", before.s, 1);
  else
    unsetenv("CC");
  ASSERT(!found);
  ASSERT(has(why.s, "named by $CC was not found: no-such-compiler -O3"));
  PASS();
}

SUITE(artefact_suite) {
  CueStr why = CUE_STR("");
  arena = cue_arena_new();
  char name[] = "/tmp/opm-artefact-XXXXXX";
  if (!mkdtemp(name)) return;
  dir = cue_str(name);
  if (!compiled(source, 1, &object, &why)) printf("%.*s\n", CUE_FMT(why));
  RUN_TEST(code_that_was_sealed_runs);
  RUN_TEST(a_large_object_is_mapped_whole);
  RUN_TEST(the_seal_says_what_was_sealed);
  RUN_TEST(any_byte_that_differs_is_noticed);
  RUN_TEST(a_file_cut_at_any_length_is_refused);
  RUN_TEST(what_opm_did_not_make_is_refused);
  RUN_TEST(other_machines_and_interfaces_are_refused);
  RUN_TEST(code_that_asks_for_more_is_refused);
  RUN_TEST(unknown_relocations_are_refused);
  RUN_TEST(no_page_is_writable_and_executable);
  RUN_TEST(files_that_others_may_write_are_refused);
  RUN_TEST(only_regular_files_are_read);
  RUN_TEST(a_damaged_object_is_refused_or_maps);
  RUN_TEST(the_same_text_gives_the_same_bytes_anywhere);
  RUN_TEST(a_compiler_that_fails_says_so_and_leaves_nothing);
  RUN_TEST(a_compiler_that_does_not_end_is_ended);
  RUN_TEST(without_a_compiler_that_is_said);
  folder_remove(arena, dir);
  cue_arena_free(arena);
}
