#!/bin/sh
# layout.sh OPM INPUTS CASES - writes bench/layout.ld: the order of the program in memory.
#
# The kernel maps a file in windows of 64 KiB, one fault each, and all of a window counts as memory in use. What a run
# needs is an eighth of the program, strewn over all of it. So the linker puts that in front: our functions as callgrind
# sees them used, start-up first, and what we know the C library to need. OPM is the release build. A name that is gone
# or new costs nothing but its place; `make layout` brings the list up to date.
set -eu
opm=$(realpath "$1") inputs=$(realpath "$2") cases=$(realpath "$3")
command -v valgrind >/dev/null || { echo "layout: needs valgrind"; exit 1; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

used() { # DIR ARGUMENT...: the functions of a run; those of libraries will match nothing
  cd "$1"
  shift
  valgrind -q --tool=callgrind --callgrind-out-file="$tmp/out" "$opm" "$@" >/dev/null 2>&1 || true
  sed -nE "s/^c?fn=\([0-9]+\) ([a-z_][A-Za-z0-9_.]*)('.*)?$/\1/p" "$tmp/out" | sort -u
}
# Compiled code is the shortest run, so what it needs comes before what only the evaluator does.
export HOME="$tmp" XDG_CACHE_HOME="$tmp/cache"
"$opm" mod init demo --dir "$tmp/demo" >/dev/null 2>&1
"$opm" mod compile "$tmp/demo" >/dev/null 2>&1
echo '{"module": "demo", "name": "one"}' >"$tmp/fleet.jsonl"
{
  used "$inputs" version
  used "$tmp/demo" mod build .
  used "$tmp" fleet build fleet.jsonl
  used "$inputs" cue export start-up.cue
  for file in "$inputs"/*_items.cue "$inputs"/schema*.cue; do used "$inputs" cue export "$(basename "$file")"; done
  for dir in "$cases"/eval/benchmarks/*/in; do used "$dir" cue export $(cd "$dir" && ls ./*.cue); done
  OPM_PLANS=none used "$tmp/demo" mod build .
} >"$tmp/used"
# Functions that are alike are one, and its section may have any of their names.
nm "$opm" | awk 'NR == FNR { if ($2 ~ /[tT]/) { at[$3] = $1; names[$1] = names[$1] " " $3 } next }
  !($1 in at) { next }
  { n = split(names[at[$1]], all, " "); for (i = 1; i <= n; i++) if (!seen[all[i]]++) print all[i] }' - "$tmp/used" >"$tmp/names"

cat <<'END'
/* layout.ld - what a run needs comes first. Written by bench/layout.sh, which says why. */
SECTIONS
{
  .text.first :
  {
    *crt1.o(.text) *crti.o(.text) *crtbeginT.o(.text)
    *libc.a:libc-start.o(.text) *libc.a:libc-tls.o(.text) *libc.a:libc_early_init.o(.text) *libc.a:init-first.o(.text)
    *libc.a:init-misc.o(.text) *libc.a:dl-support.o(.text) *libc.a:dl-tunables.o(.text) *libc.a:dl-tls.o(.text)
    *libc.a:dl-tls_init_tp.o(.text) *libc.a:dl-reloc.o(.text) *libc.a:dl-find_object.o(.text) *libc.a:dl-debug.o(.text)
    *libc.a:dl-early_allocate.o(.text) *libc.a:dl-origin.o(.text) *libc.a:dl-object.o(.text) *libc.a:dl-load.o(.text)
    *libc.a:dl-minimal-malloc.o(.text) *libc.a:dl-setup_hash.o(.text) *libc.a:cacheinfo.o(.text)
    *libc.a:elision-conf.o(.text) *libc.a:pthread_mutex_conf.o(.text) *libc.a:pthread_mutex_lock.o(.text)
    *libc.a:pthread_mutex_unlock.o(.text) *libc.a:pthread_once.o(.text) *libc.a:ctype-info.o(.text)
    *libc.a:cxa_atexit.o(.text) *libc.a:exit.o(.text) *libc.a:_exit.o(.text) *libc.a:getenv.o(.text)
    *libc.a:getrandom.o(.text) *libc.a:getcontext.o(.text) *libc.a:makecontext.o(.text) *libc.a:setcontext.o(.text)
    *libc.a:swapcontext.o(.text) *libc.a:__start_context.o(.text) *libc.a:bsd-_setjmp.o(.text) *libc.a:setjmp.o(.text)
    *libc.a:sigjmp.o(.text)
    *libc.a:memchr.o(.text) *libc.a:memcmp.o(.text) *libc.a:memcpy.o(.text) *libc.a:memmem.o(.text)
    *libc.a:memmove.o(.text) *libc.a:mempcpy.o(.text) *libc.a:memset.o(.text) *libc.a:rawmemchr.o(.text)
    *libc.a:stpcpy.o(.text) *libc.a:stpncpy.o(.text) *libc.a:strcasecmp.o(.text) *libc.a:strcasecmp_l.o(.text)
    *libc.a:strcat.o(.text) *libc.a:strchr.o(.text) *libc.a:strchrnul.o(.text) *libc.a:strcmp.o(.text)
    *libc.a:strcpy.o(.text) *libc.a:strcspn.o(.text) *libc.a:strdup.o(.text) *libc.a:strlen.o(.text)
    *libc.a:strncase.o(.text) *libc.a:strncase_l.o(.text) *libc.a:strncmp.o(.text) *libc.a:strncpy.o(.text)
    *libc.a:strnlen.o(.text) *libc.a:strpbrk.o(.text) *libc.a:strrchr.o(.text) *libc.a:strsep.o(.text)
    *libc.a:strspn.o(.text) *libc.a:strstr.o(.text) *libc.a:wcschr.o(.text) *libc.a:wcscmp.o(.text)
    *libc.a:wcslen.o(.text) *libc.a:wcsnlen.o(.text) *libc.a:wmemchr.o(.text) *libc.a:wmemset.o(.text)
    *libc.a:stat64.o(.text) *libc.a:fstat64.o(.text) *libc.a:fstatat64.o(.text) *libc.a:open64.o(.text)
    *libc.a:read.o(.text) *libc.a:write.o(.text) *libc.a:close.o(.text) *libc.a:getcwd.o(.text) *libc.a:isatty.o(.text)
    *libc.a:tcgetattr.o(.text) *libc.a:getrlimit64.o(.text) *libc.a:brk.o(.text) *libc.a:sbrk.o(.text)
    *libc.a:mmap64.o(.text) *libc.a:munmap.o(.text) *libc.a:mremap.o(.text) *libc.a:madvise.o(.text)
    *libc.a:mprotect.o(.text) *libc.a:vsnprintf.o(.text) *libc.a:genops.o(.text) *libc.a:strops.o(.text)
    *libc.a:libc-cleanup.o(.text) *libc.a:msort.o(.text) *libc.a:malloc.o(.text) *libc.a:vfprintf-internal.o(.text)
    *libc.a:memchr-avx2.o(.text.*) *libc.a:memchr-evex.o(.text.*) *libc.a:memcmp-avx2-movbe.o(.text.*)
    *libc.a:memcmp-evex-movbe.o(.text.*) *libc.a:memmove-avx-unaligned-erms.o(.text.*)
    *libc.a:memmove-evex-unaligned-erms.o(.text.*) *libc.a:memset-avx2-unaligned-erms.o(.text.*)
    *libc.a:memset-evex-unaligned-erms.o(.text.*) *libc.a:strchr-avx2.o(.text.*) *libc.a:strchr-evex.o(.text.*)
    *libc.a:strchrnul-avx2.o(.text.*) *libc.a:strchrnul-evex.o(.text.*) *libc.a:strcmp-avx2.o(.text.*)
    *libc.a:strcmp-evex.o(.text.*) *libc.a:strlen-avx2.o(.text.*) *libc.a:strlen-evex.o(.text.*)
    *libc.a:strncmp-avx2.o(.text.*) *libc.a:strncmp-evex.o(.text.*) *libc.a:strnlen-avx2.o(.text.*)
    *libc.a:strnlen-evex.o(.text.*) *libc.a:strrchr-avx2.o(.text.*) *libc.a:strrchr-evex.o(.text.*)
    *libc.a:memmove-avx512-unaligned-erms.o(.text.*) *libc.a:memset-avx512-unaligned-erms.o(.text.*)
    *libc.a:strstr*.o(.text .text.*) *libc.a:_itoa.o(.text) *libc.a:geteuid.o(.text) *libc.a:openat64.o(.text)
    *libc.a:getdents64.o(.text) *libc.a:opendir.o(.text) *libc.a:readdir64.o(.text) *libc.a:closedir.o(.text) *libc.a:sysconf.o(.text) *libc.a:get-cpuid-feature-leaf.o(.text)
    *libc.a:iofopen.o(.text) *libc.a:fileops.o(.text) *libc.a:iofclose.o(.text) *libc.a:iofread*.o(.text) *libc.a:fileno.o(.text)
    *libc.a:filedoalloc.o(.text) *libc.a:fseek.o(.text) *libc.a:ftello*.o(.text) *libc.a:open64_nocancel.o(.text) *libc.a:getpagesize.o(.text) *libc.a:tzset.o(.text) *libc.a:tzfile.o(.text)
    *libc.a:time*.o(.text) *libc.a:localtime*.o(.text) *libc.a:gmtime*.o(.text) *libc.a:offtime.o(.text) *libc.a:strftime*.o(.text)
    *libcrypto.a:*-lib-sha256.o(.text .text.*) *libcrypto.a:*-lib-sha256-x86_64.o(.text .text.*) *libcrypto.a:*-lib-sha1dgst.o(.text .text.*)
    *libcrypto.a:*-lib-sha1-x86_64.o(.text .text.*) *libcrypto.a:*-lib-x86_64cpuid.o(.text .text.*)
    *libc.a:dl-lookup.o(.text) *libm*.a:s_trunc*.o(.text) *libm*.a:s_floor*.o(.text) *libm*.a:s_ceil*.o(.text)
    *libm*.a:e_log.o(.text) *libm*.a:e_exp.o(.text) *libm*.a:e_pow.o(.text) *libm*.a:s_rint.o(.text) *libm*.a:s_fma.o(.text)
    *libstdc++.a:eh_alloc.o(.text .text.*) *libstdc++.a:new_op.o(.text .text.*) *libstdc++.a:del_op*.o(.text .text.*)
    *libstdc++.a:*(.text.startup .text.startup.*) *libstdc++.a:system_error.o(.text.*) *libgcc_eh.a:unwind-dw2-fde-dip.o(.text)
END
sed 's/.*/    *(.text.& .text.hot.&)/' "$tmp/names"
cat <<'END'
    *libmpdec.a:*(.text .text.*) *libre2.a:*(.text .text.*) *libstdc++.a:string-inst.o(.text.*) *libstdc++.a:tree.o(.text.*)
    *libstdc++.a:hash*.o(.text.*) *libstdc++.a:mutex.o(.text.*) *libstdc++.a:new_*.o(.text.*) *libstdc++.a:del_*.o(.text.*)
  }
}
INSERT BEFORE .text;
SECTIONS
{
  .rodata.last : { *(.rodata.text_* .rodata.stubs_* .rodata.html_* .rodata.nfc_* .rodata.idna_* .rodata.uni_*) }
}
INSERT AFTER .rodata;
SECTIONS
{
  .rodata.first :
  {
    *.ltrans.o(.rodata .rodata.*) *libc.a:*(.rodata.str1.1 .rodata.str1.8) *libc.a:dl-*.o(.rodata .rodata.*)
    *libc.a:libc-start.o(.rodata) *libc.a:cacheinfo.o(.rodata) *libc.a:vfprintf-internal.o(.rodata)
    *libc.a:_itoa.o(.rodata*) *libc.a:itoa-*digits.o(.rodata*) *libc.a:sysconf.o(.rodata*) *libc.a:C-*.o(.rodata*)
    *libcrypto.a:*-lib-sha1dgst.o(.rodata*) *libcrypto.a:*-lib-sha256.o(.rodata*) *libcrypto.a:*-lib-sha256-x86_64.o(.rodata*)
  }
}
INSERT BEFORE .rodata;
SECTIONS
{
  .data.first : { *libc.a:dl-*.o(.data.rel.ro .data .data.*) *libc.a:*(.data .data.*) *.ltrans.o(.data .data.*) }
}
INSERT AFTER .data;
SECTIONS
{
  .bss.first : { *libc.a:*(.bss .bss.* COMMON) }
}
INSERT BEFORE .bss;
END
