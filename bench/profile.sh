#!/bin/sh
# profile.sh OPM FILE... - where the instructions of `opm cue export FILE` go, phase by phase, counted by callgrind.
#
# The share of a phase is that of all it calls. Optimizing across files would hide the functions that bound
# the phases, so this is for the ordinary build; `make profile` runs it on the inputs of the bench.
set -eu
opm=$1
shift
command -v valgrind >/dev/null || { echo "profile: needs valgrind"; exit 1; }
out=$(mktemp)
trap 'rm -f "$out"' EXIT
for file in "$@"; do
  valgrind -q --tool=callgrind --callgrind-out-file="$out" "$opm" cue export "$file" >/dev/null 2>&1 || true
  echo "$(basename "$file" .cue):"
  callgrind_annotate --inclusive=yes --threshold=100 "$out" | awk '
    /PROGRAM TOTALS/ { gsub(",", "", $1); total = $1 }
    function phase(pattern, name) {
      if ($0 ~ pattern && !(name in seen)) { n = $1; gsub(",", "", n); seen[name] = n; order[++k] = name }
    }
    / \(/ && !/PROGRAM/ {
      phase(":cue_parse_file \\[", "parse")
      phase(":cue_build \\[", "resolve names")
      phase(":cue_validate \\[", "validate")
      phase(":cue_export_json \\[", "validate and write")
      phase(":cue_field_order \\[", "... order of fields")
      phase(":cue_finalize \\[", "evaluate")
    }
    END {
      printf "  %-22s %8.2f M\n", "instructions", total / 1e6
      for (i = 1; i <= k; i++) printf "  %-22s %7.1f %%\n", order[i], seen[order[i]] * 100 / total
    }'
done
