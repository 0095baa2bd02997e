#!/bin/sh
# fmt.sh OPM CUE CASES - formats every CUE file below CASES with opm and with the real cue: both must print the same and
# exit alike, and opm must not change what it has formatted. What cannot be formatted counts as well.
opm=$(realpath "$1") cue=$(realpath "$2") cases=$3
[ -d "$cases" ] || { echo "fmt: skipped, there is no $cases"; exit 0; }
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0

find "$cases" -name '*.cue' | LC_ALL=C sort >"$dir/files"
while read -r file; do
  "$opm" cue fmt - <"$file" >"$dir/ours" 2>/dev/null
  ours=$?
  "$cue" fmt - <"$file" >"$dir/theirs" 2>/dev/null
  theirs=$?
  if [ $ours = $theirs ] && cmp -s "$dir/ours" "$dir/theirs" &&
    { [ $ours != 0 ] || "$opm" cue fmt - <"$dir/ours" | cmp -s - "$dir/ours"; }; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "fmt: $file differs"
  fi
done <"$dir/files"
echo "fmt: $passed passed, $failed failed"
[ $failed = 0 ]
