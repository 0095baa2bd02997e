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
# Objects to begin with for the target that reads such: a program of no use, small enough to be changed all over.
mkdir -p "$out/seeds-artefact"
printf '%s\n' 'extern const long opm_compiled[16]; static int f(void) { return 1; }' \
  'const long opm_compiled[16] = {1, (long)f, (long)&opm_compiled};' >"$out/seed.c"
for flags in '' '-O2 -Wl,-z,noseparate-code'; do
  # shellcheck disable=SC2086
  ${CC:-cc} -shared -nostdlib -fPIC -Wl,--hash-style=sysv -Wl,-s $flags -o "$out/seeds-artefact/seed$(echo "$flags" | cksum | cut -d' ' -f1).so" "$out/seed.c"
done
# Values of the module that is fuzzed, as JSON behind a byte that says so.
mkdir -p "$out/seeds-values"
printf '\000%s' '{"image": "app:1", "scale": {"max": 3}}' >"$out/seeds-values/few"
printf '\000%s' '{"image": "a", "mode": 7, "ratio": 1, "ingress": {"host": "h"}, "args": ["x"], "ports": {"p": {"port": 1}}, "limits": [{"name": "n", "max": 4}], "scale": {"max": 1}}' >"$out/seeds-values/more"
printf '\002' >"$out/seeds-values/right"
bad=0
for t in "$@"; do
  mkdir -p "$out/corpus/$t"
  dict=tests/fuzz/cue.dict seeds=$out/seeds longest=2048
  [ -f "tests/fuzz/$t.dict" ] && dict=tests/fuzz/$t.dict
  [ "$t" != artefact ] || seeds=$out/seeds-artefact longest=16384
  [ "$t" != values ] || seeds=$out/seeds-values longest=512
  echo "fuzz: $t, $seconds s"
  # Aliases of YAML up to their limit take a second, and many with sanitizers: no hang.
  if ! "$out/${t}_fuzz" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=3000 -max_len="$longest" -dict="$dict" \
    -print_final_stats=1 -verbosity=0 -close_fd_mask=1 -artifact_prefix="$out/$t-" "$out/corpus/$t" "$seeds" >"$out/$t.log" 2>&1; then
    tail -40 "$out/$t.log"
    bad=1
  fi
  grep 'stat::number_of_executed_units' "$out/$t.log" | sed "s|^stat::number_of_executed_units:|fuzz: $t ran|" || true
  grep "^${t}_fuzz: " "$out/$t.log" || true # what the target has to say
done
[ $bad = 0 ] && echo "fuzz: clean"
exit $bad
