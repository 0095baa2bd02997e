#!/bin/sh
# terminal.sh OPM - colours are for people who look at a terminal: they are there on one that script(1) makes, and nowhere
# else.
set -u
opm=$(realpath "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0
cd "$dir" || exit 2
export HOME="$dir" TERM=xterm
unset NO_COLOR
"$opm" mod init app -t simple >/dev/null || exit 2
esc=$(printf '\033')

check() { # SENTENCE yes|no COMMAND: whether what it prints on a terminal has escapes
  TERM=${term:-xterm} script -qec "$3" /dev/null </dev/null >out 2>&1
  [ -s out ] || echo "(nothing)" >out
  if grep -q "$esc\[" out; then got=yes; else got=no; fi
  if [ $got = "$2" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "terminal: not true: $1"
    cat -v out
  fi
}

if command -v script >/dev/null; then
  check 'the log has colours' yes "$opm mod vet app"
  check 'errors have colours' yes "$opm config vet"
  check 'a tree of files has colours' yes "$opm mod init app2"
  check 'none with NO_COLOR' no "NO_COLOR=1 $opm mod vet app"
  check 'an empty NO_COLOR means nothing' yes "NO_COLOR= $opm mod vet app"
  term=dumb check 'none on a dumb terminal' no "$opm mod vet app"
  check 'none on stderr when that is no terminal' no "$opm mod vet app 2>file; cat file"
  check 'stderr has its own, when only stdout goes elsewhere' yes "$opm mod build app >/dev/null"
  check 'manifests have none' no "$opm mod build app 2>/dev/null"
fi
# Without a terminal there are none, whatever TERM is.
if "$opm" mod vet app 2>&1 | grep -q "$esc"; then
  failed=$((failed + 1))
  echo 'terminal: colours in a pipe'
else
  passed=$((passed + 1))
fi
echo "terminal: $passed passed, $failed failed"
[ $failed = 0 ]
