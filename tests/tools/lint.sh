#!/bin/sh
# lint.sh - formatting, banned calls, and leftovers in the sources. Run from the root by `make lint`.
bad=0
sources=$(git ls-files --cached --others --exclude-standard -- '*.c' '*.h' '*.cc' | grep -v '_tables\.h$')

ban() { # REASON PATTERN FILES: comments are blanked first, so they may name what they warn of
  for f in $3; do
    found=$(sed -e 's|/\*.*\*/||g' -e 's|//.*||' -e '/^ *\*\*/d' "$f" | grep -nE "$2") || continue
    echo "$found" | sed "s|^|$f:|"
    echo "lint: $1"
    bad=1
  done
}
product=$(echo "$sources" | grep -E '^(runtime|compiler|stdlib|providers|cli)/')
ban "these calls know no length or no failure" '\b(strcpy|strcat|sprintf|vsprintf|strtok|atoi|atol|atof|gets)\(' "$sources"
ban "memory comes from arenas" '\b(malloc|calloc|realloc|free|strdup)\(' \
  "$(echo "$product" | grep -vE '^(runtime/arena\.c|runtime/num\.c|runtime/regex\.cc)$')"
# What make runs to write sources is no part of the program.
ban "only cli/ writes to the terminal" '\b(printf|puts|putchar|fprintf)\(' "$(echo "$product" | grep -vE '^(cli/|runtime/arena\.c|stdlib/opm/(embed|k8s_schemas)\.c)')"
ban "unfinished work" '\b(TODO|FIXME|XXX)\b' "$product"

if command -v clang-format >/dev/null; then
  # shellcheck disable=SC2086
  clang-format --dry-run -Werror $sources || { echo "lint: run 'make format'"; bad=1; }
else
  echo "lint: clang-format is missing"
  bad=1
fi
[ $bad = 0 ] && echo "lint: clean"
exit $bad
