#!/bin/sh
# warnings.sh OPM ARCHIVE... - the C of modules and of the provider has no warnings, for any C compiler that is there.
# Closes with "warnings: N passed, N failed".
opm=$(realpath "$1")
shift
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
export HOME="$dir" OPM_COMPILE=never
unset XDG_CACHE_HOME OPM_CONFIG OPM_CACHE_DIR CUE_CACHE_DIR CC
passed=0 failed=0
check() { # NAME FILE
  for cc in gcc clang; do
    command -v $cc >/dev/null || continue
    if $cc -std=c11 -Wall -Wextra -Werror -fsyntax-only "$2" 2>"$dir/said"; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "warnings: $1: $cc: $(grep -m 1 -E 'error|warning' "$dir/said")"
    fi
  done
}
"$opm" provider compile --emit-c "$dir/provider"
check provider "$dir/provider/kubernetes.c"
for archive in "$@"; do
  to=$dir/$(basename "$archive" .txtar)
  mkdir -p "$to"
  awk -v to="$to" '/^-- .+ --$/ {
    close(file); file = to "/" substr($0, 4, length($0) - 6); folder = file
    sub("/[^/]*$", "", folder); system("mkdir -p \"" folder "\""); next
  } file { print > file }' "$archive"
  "$opm" mod compile "$to" --emit-c "$to/generated" 2>/dev/null || continue
  check "$(basename "$archive")" "$(find "$to/generated" -name '*.c')"
done
echo "warnings: $passed passed, $failed failed"
[ $failed = 0 ]
