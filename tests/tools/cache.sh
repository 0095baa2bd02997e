#!/bin/sh
# cache.sh OPM - what an archive cannot show of compiled code and its cache: processes in the background, many at once,
# killed at any moment. Closes with "cache: N passed, N failed". Nothing here depends on how long something takes, but
# for the patience of waiting for it.
suite=cache
. "$(dirname "$0")/place.sh"
uses_code() { OPM_PLANS=code "$opm" mod build app >/dev/null 2>&1; }
same() { "$opm" mod build app 2>/dev/null | cmp -s - want; }
objects() { find "$cache/objects" -name '*.so' 2>/dev/null | wc -l; }
left() { find "$cache/tmp" -mindepth 1 2>/dev/null | wc -l; }
some_left() { [ "$(left)" -gt 0 ]; }

# A C compiler that counts how often it runs, and waits while it is told to.
cat >cc.sh <<'X'
echo run >>"$CC_LOG"
while [ -e "$CC_LOG.wait" ]; do sleep 0.05; done
exec cc "$@"
X
export CC_LOG="$dir/log" CC="sh $dir/cc.sh"

# In the background: what is printed is printed at once, and no pipe stays open that the compiler would hold.
touch log.wait
text=$(OPM_COMPILE=background "$opm" mod build app 3>&1 2>err)
ok "a build does not wait for the compiler in the background" "$([ "$text" = "$(cat want)" ]; echo $?)"
ok "the compiler runs in the background" "$(until_true test -s log; echo $?)"
! uses_code
ok "nothing is used before it is there" $?
before=$(wc -l <log)
OPM_COMPILE=background "$opm" mod build app >got 2>&1
sleep 0.3
ok "what is being compiled is not compiled twice" "$([ "$(wc -l <log)" = "$before" ]; echo $?)"
rm log.wait
ok "what was compiled in the background is used" "$(until_true uses_code; echo $?)"
tier1() { "$opm" cache ls 2>/dev/null | grep -q 'app 0.1.0 *1 '; }
ok "and then optimized" "$(until_true tier1; echo $?)"
same
ok "compiled and evaluated are the same" $?

# Many at once: one compiles, the others wait for it.
rm -rf "$cache" log
for i in $(seq 20); do
  OPM_COMPILE=wait "$opm" mod build app >"got$i" 2>/dev/null &
done
wait
bad=0
for i in $(seq 20); do cmp -s "got$i" want || bad=1; done
ok "20 builds at once print the same" $bad
ok "20 builds at once compile once" "$([ "$(wc -l <log)" = 1 ]; echo $?)"
"$opm" cache verify 2>/dev/null
ok "what they left is whole" $?

# Killed at any moment: whatever is found then is right.
unset CC
bad=0
for i in $(seq 30); do
  rm -rf "$cache/objects" "$cache/index"
  "$opm" mod compile app 2>/dev/null &
  pid=$!
  sleep "0.0$((i % 10))$((i * 7 % 10))"
  kill -9 $pid 2>/dev/null
  wait $pid 2>/dev/null
  same || bad=1
  [ "$(objects)" = 0 ] || "$opm" cache verify 2>/dev/null || bad=1
done
ok "whoever is killed leaves nothing that is wrong" $bad
"$opm" mod compile app 2>/dev/null
uses_code
ok "and nothing that is in the way" $?

# What the killed leave behind, gc takes away; what somebody works on stays. That is so once the compiler runs: what is
# left before is of those who were killed above.
touch log.wait
rm -f log
CC="sh $dir/cc.sh" "$opm" mod compile app 2>/dev/null &
pid=$!
until_true test -s log
"$opm" cache gc 2>/dev/null
ok "gc leaves alone what is in use" "$(some_left; echo $?)"
kill -9 $pid
wait $pid 2>/dev/null
rm log.wait
ok "a kill -9 leaves something behind" "$(some_left; echo $?)"
"$opm" cache gc 2>/dev/null
ok "gc takes it away" "$([ "$(left)" = 0 ]; echo $?)"

# A C compiler that fails is not asked again about the same, until it, the module or the user's mind has changed.
cat >no.sh <<'X'
echo run >>"$CC_LOG"
echo 'no.c:1: that is not C' >&2
exit 3
X
failing() { CC="sh $dir/no.sh" OPM_COMPILE=$1 "$opm" mod build app ${2:+"$2"} 2>err | cmp -s - want; }
runs() { wc -l <log; }
remembered() { grep -qs '^failed' "$cache/index/"*; }
rm -rf "$cache/objects" "$cache/index"
: >log
failing background && until_true remembered
ok "that the compiler fails is remembered" $?
before=$(runs)
failing background && failing wait && sleep 0.3 && [ "$(runs)" = "$before" ]
ok "and it is not asked again" $?
failing wait -v && grep -q 'DEBU the module is evaluated, because it cannot be compiled: the C compiler .* failed with exit code 3: no.c:1: that is not C' err
ok "which is told to those who ask" $?
! CC="sh $dir/no.sh" "$opm" mod compile app 2>err && grep -q 'failed with exit code 3' err && [ "$(runs)" -gt "$before" ]
ok "who has it compiled has it tried" $?
before=$(runs)
echo '// changed' >>app/module.cue
failing wait && [ "$(runs)" -gt "$before" ]
ok "a module that has changed is tried again" $?
before=$(runs)
failing wait && "$opm" cache gc 2>/dev/null && ! remembered && failing wait && [ "$(runs)" -gt "$before" ]
ok "gc forgets what failed" $?
before=$(runs)
echo '# changed' >>no.sh
failing wait && [ "$(runs)" -gt "$before" ]
ok "a compiler that has changed is tried again" $?
OPM_COMPILE=wait "$opm" mod build app 2>/dev/null | cmp -s - want && uses_code
ok "and another compiler, too" $?
# What was compiled fast, but not well, is used.
cat >half.sh <<'X'
case " $* " in *" -O2 "*) echo run >>"$CC_LOG"; exit 3 ;; esac
exec cc "$@"
X
rm -rf "$cache/objects" "$cache/index"
: >log
CC="sh $dir/half.sh" OPM_COMPILE=background "$opm" mod build app >/dev/null 2>&1
until_true test -s log
ok "what is not optimized is used" "$(uses_code; echo $?)"

# Locks go when nobody holds them, and two never hold the same.
locks() { find "$cache/locks" -type f | wc -l; }
"$opm" cache gc 2>/dev/null
ok "gc takes away locks" "$([ "$(locks)" = 0 ]; echo $?)"
rm -rf "$cache/objects" "$cache/index"
touch log.wait
: >log
CC="sh $dir/cc.sh" "$opm" mod compile app 2>/dev/null &
pid=$!
until_true test -s log
"$opm" cache gc 2>/dev/null
ok "but none that is held" "$([ "$(locks)" = 1 ]; echo $?)"
rm log.wait
wait $pid
"$opm" cache gc --max-size 0 2>/dev/null
: >log
for i in $(seq 8); do
  CC="sh $dir/cc.sh" OPM_COMPILE=wait "$opm" mod build app >"got$i" 2>/dev/null &
  pids="$pids $!"
done
touch sweeping
while [ -e sweeping ]; do "$opm" cache gc 2>/dev/null; done &
sweeper=$!
# shellcheck disable=SC2086
wait $pids
rm sweeping
wait $sweeper
ok "sweeping while many compile has one compile" "$([ "$(runs)" = 1 ]; echo $?)"

# A signal that can be caught leaves nothing behind.
touch log.wait
rm -f log
CC="sh $dir/cc.sh" "$opm" mod compile app 2>/dev/null &
pid=$!
until_true test -s log
kill -TERM $pid
wait $pid 2>/dev/null
rm log.wait
ok "whoever is told to stop cleans up" "$([ "$(left)" = 0 ]; echo $?)"

# An entry that is damaged, or that others may write to, is not used, and replaced.
object=$(find "$cache/objects" -name '*.so' | head -n 1)
printf x | dd of="$object" bs=1 seek=2000 conv=notrunc 2>/dev/null
! uses_code && same
ok "a damaged entry is not used" $?
! "$opm" cache verify >/dev/null 2>&1
ok "a damaged entry is told" $?
OPM_COMPILE=wait "$opm" mod build app >/dev/null 2>&1 && uses_code
ok "a damaged entry is replaced" $?
object=$(find "$cache/objects" -name '*.so' | head -n 1)
chmod 666 "$object"
! uses_code && same
ok "an entry that others may write to is not used" $?
chmod 600 "$object"
chmod 777 "$cache/objects"
! uses_code
ok "nor one in a folder that others may write to" $?
chmod 700 "$cache/objects"

# Files that come and go.
uses_code
ok "all is as it was" $?
printf 'package main\n\n#components: app: metadata: annotations: x: "1"\n' >app/more.cue
! uses_code
ok "a new file is noticed" $?
rm app/more.cue
uses_code
ok "a file that is gone again, too" $?
mkdir -p app/cue.mod/gen
! uses_code
ok "a folder that would be looked into is noticed" $?
rmdir app/cue.mod/gen
cp -r app copy
"$opm" mod compile copy 2>/dev/null
ok "the same content is the same entry" "$([ "$(objects)" = 1 ]; echo $?)"

# A provider of the configuration is compiled as well.
"$opm" config init >/dev/null
! uses_code
ok "a provider that is configured is not the one inside" $?
echo 'exec cc "$@" -O0' >quick.sh
CC="sh $dir/quick.sh" OPM_COMPILE=background "$opm" mod build app 2>/dev/null | cmp -s - want
ok "it renders the same" $?
ok "it is compiled in the background" "$(until_true uses_code; echo $?)"
same
ok "compiled it renders the same" $?
provider_tier1() { "$opm" cache ls 2>/dev/null | grep -q 'kubernetes .* 1  '; }
ok "and is optimized, too" "$(until_true provider_tier1; echo $?)"
rm -r "$HOME/.opm"

# The same inputs and compiler give the same bytes.
"$opm" mod compile app --release -o one.so 2>/dev/null
mkdir -p else/where
cp -r app else/where/app
(cd else/where && TMPDIR=$dir HOME="$dir/else" "$opm" mod compile app --release -o two.so 2>/dev/null)
cmp -s one.so else/where/two.so
ok "a module compiled in another folder has the same bytes" $?
mkdir -p else/.cache/cue/mod/extract/example.com/other@v1.0.0
HOME="$dir/else" "$opm" mod compile app --release -o three.so 2>/dev/null && HOME='' "$opm" mod compile app --release -o four.so 2>/dev/null
cmp -s one.so three.so && cmp -s one.so four.so
ok "also where other modules were downloaded, or none can be" $?

finish
