#!/bin/sh
# sum.sh COMMAND... - runs each command (one argument each), shows what it prints, and closes with the
# sum of their "NAME: N passed, N failed" lines as `N passed, N failed`.
#
# A command that fails without such a line counts as one failure. Nothing run is a failure
# too: a filter that matches no test must not look like success. What failed is said once more at the end,
# where it is looked for.
log=$(mktemp) again=$(mktemp) || exit 2
trap 'rm -f "$log" "$again"' EXIT
for command in "$@"; do
  part=$(mktemp)
  { sh -c "$command"; echo $? >"$part.rc"; } 2>&1 | tee "$part"
  if [ "$(cat "$part.rc")" != 0 ] && ! grep -q '^[a-z-]*: [0-9]* passed, [1-9][0-9]* failed' "$part"; then
    echo "$command: failed"
    echo "x: 0 passed, 1 failed" >>"$log"
  fi
  if [ "$(cat "$part.rc")" != 0 ]; then
    { printf '== failed: %.160s\n' "$command"; tail -60 "$part"; } >>"$again"
  fi
  cat "$part" >>"$log"
  rm -f "$part" "$part.rc"
done
cat "$again"
awk '/^[a-z-]+: [0-9]+ passed, [0-9]+ failed/ { passed += $2; failed += $4 }
  END {
    if (passed + failed == 0) { print "no test was run"; failed = 1 }
    printf "%d passed, %d failed\n", passed, failed
    exit failed != 0
  }' "$log"
