#!/bin/sh
# docs.sh OPM MAKE - what is made of the table of commands: docs/commands.md is current, man pages have no mistakes,
# every command has examples, and `make install` puts all of it in place.
set -u
opm=$1 make=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0
check() { # SENTENCE COMMAND...
  sentence=$1
  shift
  if "$@" >"$dir/log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "docs: not true: $sentence"
    cat "$dir/log"
  fi
}

"$opm" docs commands >"$dir/commands.md"
check 'docs/commands.md is what `make docs` writes' diff docs/commands.md "$dir/commands.md"

"$opm" docs man "$dir/man"
has_page() { [ -s "$dir/man/opm.1" ] && [ -s "$dir/man/opm-mod-build.1" ] && [ ! -e "$dir/man/opm-docs.1" ]; }
check 'each command has a man page' has_page
if command -v groff >/dev/null; then
  clean() { [ -z "$(for f in "$dir"/man/*.1; do groff -man -ww -z "$f" 2>&1; done)" ] ||
    for f in "$dir"/man/*.1; do groff -man -ww -z "$f"; done; }
  check 'groff finds nothing wrong with man pages' clean
fi

# Every command that runs shows examples, and says what it is for.
helpful() {
  bad=0
  for page in "$dir"/man/*.1; do
    path=$(basename "$page" .1 | tr - ' ')
    # shellcheck disable=SC2086
    set -- $path
    shift
    "$opm" "$@" --help >"$dir/help"
    grep -q '^Examples:' "$dir/help" || { echo "$path: no examples"; bad=1; }
    grep -q '^Usage:' "$dir/help" || { echo "$path: no usage"; bad=1; }
  done
  return $bad
}
check 'every command has --help with examples' helpful

installed() {
  "$make" -s install DESTDIR="$dir/a root" PREFIX=/usr >/dev/null 2>&1 || return 1
  for f in bin/opm share/man/man1/opm.1 share/bash-completion/completions/opm share/zsh/site-functions/_opm \
    share/fish/vendor_completions.d/opm.fish; do
    [ -s "$dir/a root/usr/$f" ] || { echo "$f is missing"; return 1; }
  done
  "$dir/a root/usr/bin/opm" version
  "$make" -s uninstall DESTDIR="$dir/a root" PREFIX=/usr
  left=$(find "$dir/a root" -type f)
  [ -z "$left" ] || { echo "left behind: $left"; return 1; }
}
check 'make install puts everything in place, and make uninstall takes it away' installed

echo "docs: $passed passed, $failed failed"
[ $failed = 0 ]
