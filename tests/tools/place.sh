# place.sh - what cache.sh and machine.sh begin with, after `suite=NAME`: a folder and a home of its own for the program $1,
# a module "app" and what it renders to (want), and the counting of checks.
opm=$(realpath "$1")
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
export HOME="$dir/home" OPM_COMPILE=never
unset XDG_CACHE_HOME OPM_CONFIG OPM_CACHE_DIR CUE_CACHE_DIR CC
mkdir -p "$HOME"
cache=$HOME/.cache/opm
cd "$dir" || exit 2
passed=0 failed=0
ok() { # WHAT STATUS
  if [ "$2" = 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "$suite: $1"
  fi
}
until_true() { # COMMAND...: waits for it
  for _ in $(seq 300); do
    "$@" && return 0
    sleep 0.1
  done
  return 1
}
finish() { # the last line, and whether all passed
  echo "$suite: $passed passed, $failed failed"
  [ $failed = 0 ]
}

"$opm" mod init app -t simple >/dev/null
OPM_PLANS=none "$opm" mod build app >want 2>/dev/null
