#!/bin/sh
# completion.sh OPM - loads the scripts of `opm completion` into their shells and asks what they complete.
#
# bash is always asked; zsh and fish where they are installed.
set -u
opm=$(realpath "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0
for shell in bash zsh fish; do "$opm" completion $shell >"$dir/$shell" || exit 2; done
mkdir "$dir/work" "$dir/work/a folder" "$dir/work/sub"
touch "$dir/work/values.yaml" "$dir/work/a file.cue"

expect() { # SHELL WORDS EXPECTED GOT
  if [ "$3" = "$4" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'completion: %s completes "%s" with:\n%s\nand not with:\n%s\n' "$1" "$2" "$4" "$3"
  fi
}

# What bash offers for the last word of a line, one a line. "=" is a word of its own, as it is for readline.
ask_bash() {
  (cd "$dir/work" && bash --norc -c '
    source "$1"
    words=${2//=/ = }
    [[ $words == *" " ]] && last=" " || last=
    read -ra COMP_WORDS <<<"$words"
    [[ $last && $2 != *= ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    $(complete -p opm | sed "s/.*-F \([^ ]*\).*/\1/")
    [[ ${#COMPREPLY[@]} = 0 ]] || printf "%s\n" "${COMPREPLY[@]}"' bash "$dir/bash" "$1" | LC_ALL=C sort)
}
ask_fish() { (cd "$dir/work" && HOME=$dir fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$dir/fish" "$1" | cut -f1 | LC_ALL=C sort); }

# zsh completes on a terminal only: one is made for it, where all lines are asked about, as it is slow to start. What it
# would add to a line is written to a file, under the line.
cat >"$dir/ask.zsh" <<'ZSH'
script=$1 hits=$2
shift 2
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PROMPT=; autoload -Uz compinit; compinit -D -u; source $script; LISTMAX=0"
zpty -w z "compadd() {
  if [[ \${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
    local -a found
    builtin compadd -A found \"\$@\"
    (( \$#found )) && print -rl -- \$found >>$hits
  fi
  builtin compadd \"\$@\"
}"
for line; do
  zpty -w z "echo 'LINE:$line' >>$hits; echo RE''ADY"
  while zpty -r z text; do [[ $text == *READY* ]] && break; done
  zpty -w -n z "$line"$'\t\C-k\C-a\C-k'
done
zpty -w z "echo RE''ADY"
while zpty -r z text; do [[ $text == *READY* ]] && break; done
zpty -d z
ZSH
ask_zsh() {
  if [ ! -f "$dir/hits" ]; then
    (cd "$dir/work" && timeout 30 zsh -f "$dir/ask.zsh" "$dir/zsh" "$dir/hits" 'opm m' 'opm c' 'opm mod b' \
      'opm --config x mod b' 'opm completion ' 'opm mod build --output ' 'opm mod build -o j' 'opm mod init --templ' \
      'opm mod init x --template ' 'opm mod build --release-name x --spl' 'opm mod build -f val' >/dev/null 2>&1)
  fi
  awk -v line="LINE:$1" '/^LINE:/ { here = $0 == line; next } here' "$dir/hits" | LC_ALL=C sort -u
}

lines() { printf '%s\n' "$@"; }

for shell in bash zsh fish; do
  command -v $shell >/dev/null || continue
  ask=ask_$shell
  expect $shell 'opm m' mod "$($ask 'opm m')"
  expect $shell 'opm c' "$(lines cache catalog completion config cue)" "$($ask 'opm c')"
  expect $shell 'opm mod b' build "$($ask 'opm mod b')"
  expect $shell 'opm --config x mod b' build "$($ask 'opm --config x mod b')"
  expect $shell 'opm completion ' "$(lines bash fish zsh)" "$($ask 'opm completion ')"
  expect $shell 'opm mod build --output ' "$(lines json yaml)" "$($ask 'opm mod build --output ')"
  expect $shell 'opm mod build -o j' json "$($ask 'opm mod build -o j')"
  expect $shell 'opm mod init --templ' --template "$($ask 'opm mod init --templ' | sed 's/=$//')"
  expect $shell 'opm mod init x --template ' "$(lines advanced simple standard)" "$($ask 'opm mod init x --template ')"
  expect $shell 'opm mod build --release-name x --spl' --split "$($ask 'opm mod build --release-name x --spl')"
  expect $shell 'opm mod build -f val' values.yaml "$($ask 'opm mod build -f val')"
done
expect bash 'opm mod build --output=' "$(lines json yaml)" "$(ask_bash 'opm mod build --output=')"
expect bash 'opm mod build --output=y' yaml "$(ask_bash 'opm mod build --output=y')"
expect bash 'opm mod build ' "$(lines 'a folder' sub)" "$(ask_bash 'opm mod build ')"
expect bash 'opm cue fmt --name x' '' "$(ask_bash 'opm cue vet --name x')"
expect bash 'opm docs' '' "$(ask_bash 'opm docs')"

echo "completion: $passed passed, $failed failed"
[ $failed = 0 ]
