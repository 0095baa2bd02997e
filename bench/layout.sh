#!/bin/sh
# layout.sh OPM MAP INPUTS CASES - writes bench/layout.ld: the order of the program in memory.
#
# The kernel maps a file in windows of 64 KiB, one fault each, and all of a window counts as memory in use. What a run
# needs is a small part of the program, strewn over all of it. So the linker puts that in front, in the order in which short
# runs first touch it, functions as well as data. OPM is the release build, MAP what its linker said of it. A name that is
# gone or new costs nothing but its place; `make layout` brings the list up to date.
set -eu
opm=$(realpath "$1") map=$(realpath "$2") inputs=$(realpath "$3") cases=$(realpath "$4")
command -v valgrind >/dev/null || { echo "layout: needs valgrind"; exit 1; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

touched() { # DIR ARGUMENT...: every address of the program that a run executes, reads or writes
  cd "$1"
  shift
  valgrind --tool=lackey --trace-mem=yes --log-fd=9 "$opm" "$@" 9>&1 >/dev/null 2>&1 |
    awk '/^(I | L| S| M)/ { if ($2 ~ /^00......,/ && !seen[$2]++) print substr($2, 1, 8) }'
}
called() { # DIR ARGUMENT...: the functions of a longer run
  cd "$1"
  shift
  valgrind -q --tool=callgrind --callgrind-out-file="$tmp/out" "$opm" "$@" >/dev/null 2>&1 || true
  sed -nE "s/^c?fn=\([0-9]+\) ([A-Za-z_][A-Za-z0-9_.]*)('.*)?$/\1/p" "$tmp/out" | sort -u >"$tmp/names"
  nm "$opm" | awk 'NR == FNR { used[$1]; next } $2 ~ /[tT]/ && $3 in used { print substr($1, 9) }' "$tmp/names" -
}

# Compiled code is the shortest run, so what it needs comes before what only the evaluator does.
export HOME="$tmp" XDG_CACHE_HOME="$tmp/cache"
"$opm" mod init demo --dir "$tmp/demo" >/dev/null 2>&1
"$opm" mod compile "$tmp/demo" >/dev/null 2>&1
echo '{"module": "demo", "name": "one"}' >"$tmp/fleet.jsonl"
cat >"$tmp/values.json" <<'END'
{"values": {
  "web": {"image": "nginx:1.27", "replicas": 1, "port": 8080},
  "api": {"image": "node:22-alpine", "replicas": 1, "port": 3000, "logLevel": "info"}}}
END
cp "$tmp/values.json" "$tmp/values.yaml" # which it is, too
{
  touched "$inputs" version
  touched "$tmp/demo" mod build . -f "$tmp/values.json" -o json
  touched "$tmp/demo" mod build .
  touched "$tmp/demo" mod build . -f "$tmp/values.yaml"
  touched "$tmp" fleet build fleet.jsonl
  touched "$inputs" cue export start-up.cue
  touched "$inputs" cue export 100_items.cue
  OPM_PLANS=none touched "$tmp/demo" mod build .
  for file in "$inputs"/*_items.cue "$inputs"/schema*.cue; do called "$inputs" cue export "$(basename "$file")"; done
  for dir in "$cases"/eval/benchmarks/*/in; do called "$dir" cue export $(cd "$dir" && ls ./*.cue); done
} >"$tmp/touched"

# Sections of the map: address, size, name, file. A long name has a line of its own.
awk '
  /^Linker script and memory map/ { on = 1 }
  on && NF == 1 && /^ [.C]/ { name = $1; next }
  on && NF == 4 && /^ [.C]/ && $2 ~ /^0x/ { print $2, $3, $1, $4 }
  on && NF == 3 && name && $1 ~ /^0x/ { print $1, $2, name, $3 }
  { name = "" }' "$map" | grep -v ' 0x0 ' | sed 's/^0x00000000//' | sort >"$tmp/sections"

# Which section each address is in; a section is put where it was first touched. Ours are known by name, wherever
# link-time optimization leaves them; of a library it is the whole object. valgrind has no AVX-512, so the C library picks
# other variants of its functions than on newer processors: all of a kind come along.
awk '
  function number(hex,  i, n) { for (i = 1; i <= length(hex); i++) n = n * 16 + index("123456789abcdef", substr(hex, i, 1)); return n }
  function put(kind, what) { if (!done[kind, what]++) { if (large) last[++lasts] = kind " " what; else print kind, what } }
  NR == FNR { at[++count] = $1; end[count] = number($1) + number(substr($2, 3)); name[count] = $3; file[count] = $4; next }
  {
    low = 1; high = count
    while (low < high) { middle = int((low + high + 1) / 2); if (at[middle] "" <= $1 "") low = middle; else high = middle - 1 }
    if (at[low] "" > $1 "" || number($1) >= end[low] || seen[low]++) next
    section = name[low]
    large = end[low] - number(at[low]) > 65536 # more than a window: not between others
    if (section == "COMMON") kind = "bss"
    else if (!match(section, /^\.(text|rodata|data|bss)/)) next
    else kind = substr(section, 2, RLENGTH - 1)
    if (file[low] ~ /ltrans\.o$/) {
      plain = section
      sub(/^\.text\.(hot|unlikely|startup)\./, ".text.", plain)
      put(kind, "*.ltrans.o(" section (kind == "text" ? " " plain " .text.hot" substr(plain, 6) : "") ")")
    } else if (split(file[low], part, /[()]/) > 1) {
      library = part[1]; member = part[2]
      sub(/.*\//, "*", library)
      put(kind, library ":" member "(" section ")")
      if (sub(/-avx2?/, "-evex", member)) {
        put(kind, library ":" member "(.text.*)")
        sub(/-evex/, "-avx512", member)
        put(kind, library ":" member "(.text.*)")
      }
    } else {
      sub(/.*\//, "*", file[low])
      put(kind, file[low] "(" section ")")
    }
  }
  END { for (i = 1; i <= lasts; i++) print last[i] }' "$tmp/sections" "$tmp/touched" >"$tmp/order"

first() { # KIND PLACE [MORE]: the output section of what is touched of a kind
  printf 'SECTIONS\n{\n  .%s.first :\n  {\n' "$1"
  echo "    ${3-}"
  sed -n "s/^$1 /    /p" "$tmp/order"
  printf '  }\n}\nINSERT %s;\n' "$2"
}
echo '/* layout.ld - what a run needs comes first. Written by bench/layout.sh, which says why. */'
# valgrind hides the functions that the kernel gives to programs; to find them, the C library does this.
first text 'BEFORE .text' '*libc.a:dl-*.o(.text) *libc.a:strstr-*.o(.text .text.*)'
cat <<'END'
SECTIONS
{
  .rodata.last : { *(.rodata.text_* .rodata.stubs_* .rodata.html_* .rodata.nfc_* .rodata.idna_* .rodata.uni_*) }
}
INSERT AFTER .rodata;
END
# Strings that are equal are one, and the map does not tell where.
first rodata 'BEFORE .rodata' '*.ltrans.o(.rodata.*.str* .rodata.str*) *libc.a:*(.rodata.str*)'
first data 'AFTER .data'
first bss 'BEFORE .bss'
