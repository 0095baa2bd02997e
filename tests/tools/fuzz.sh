#!/bin/sh
# fuzz.sh OUT SECONDS TARGET... - runs libFuzzer targets one after the other, two jobs each.
#
# Seeds are the inputs of all archives. What was found stays in OUT/corpus, so that a later run goes
# on from there; an input that crashes is left in OUT/TARGET-crash-* and makes this fail.
set -eu
out=$1 seconds=$2
shift 2
mkdir -p "$out/seeds"
for f in tests/golden/*/*.txtar tests/cli/*.txtar; do
  [ -f "$f" ] || continue
  # One file a section, named after the archive; expected output is no seed.
  awk -v base="$out/seeds/$(basename "$f" .txtar)" '
    /^-- .* --$/ { n++; keep = $2 ~ /\.cue$/; next }
    keep { print > (base "-" n ".cue") }' "$f"
done
bad=0
for t in "$@"; do
  mkdir -p "$out/corpus/$t"
  dict=tests/fuzz/cue.dict
  [ -f "tests/fuzz/$t.dict" ] && dict=tests/fuzz/$t.dict
  echo "fuzz: $t, $seconds s"
  if ! "$out/${t}_fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=3000 -max_len=2048 -dict="$dict" \
    -print_final_stats=1 -verbosity=0 -close_fd_mask=1 -artifact_prefix="$out/$t-" "$out/corpus/$t" "$out/seeds" >"$out/$t.log" 2>&1; then
    tail -40 "$out/$t.log"
    bad=1
  fi
  grep 'stat::number_of_executed_units' "$out/$t.log" | sed "s|^stat::number_of_executed_units:|fuzz: $t ran|" || true
done
[ $bad = 0 ] && echo "fuzz: clean"
exit $bad
