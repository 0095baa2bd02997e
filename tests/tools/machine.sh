#!/bin/sh
# machine.sh OPM - what the machine does to opm: disks that are full, files that must not grow, signals, odd C compilers,
# places to write to that are no files. Closes with "machine: N passed, N failed".
suite=machine
. "$(dirname "$0")/place.sh"
says() { grep -qF -- "$1" err; }
remembered() { grep -qs '^failed' "$cache/index/"*; }
program() { # NAME: a program of stdin
  { echo '#!/bin/sh'; cat; } >"$1"
  chmod +x "$1"
}

# Output that has no room.
"$opm" mod build app >/dev/full 2>err
ok "a full disk is told" "$([ $? = 1 ] && says 'write stdout: No space left on device'; echo $?)"
(ulimit -f 1 && "$opm" mod build app >big 2>/dev/null; echo $? >code)
ok "a file that must not grow is an error, not the end" "$([ "$(cat code)" = 1 ]; echo $?)"
(ulimit -f 1 && OPM_COMPILE=wait "$opm" mod build app 2>/dev/null | cmp -s - want; echo $? >code)
ok "nor does it stop a build that compiles" "$(cat code)"
! remembered
ok "and what it did to the C compiler is not remembered" $?

# Places for compiled code that are no files, or lead to one.
"$opm" mod compile app -o app.so 2>/dev/null
mkfifo pipe
timeout 20 cat pipe >through &
"$opm" mod compile app -o pipe 2>/dev/null
wait
cmp -s through app.so && [ -p pipe ]
ok "a pipe is written to, not replaced" $?
echo old >real.so
ln -s real.so link.so
"$opm" mod compile app -o link.so 2>/dev/null && [ -L link.so ] && cmp -s real.so app.so
ok "a link stays one" $?
"$opm" mod compile app -o no/app.so 2>err
ok "a folder that is not there is told" "$([ $? = 5 ] && says "cannot make $dir/no/app.so: No such file"; echo $?)"

# C compilers.
program cc.sh <<'X2'
exec cc "$@"
X2
CC=./cc.sh "$opm" mod compile app 2>/dev/null && (cd app && CC='sh ../cc.sh' "$opm" mod compile 2>/dev/null)
ok "a compiler is found from where we are" $?
program gold.sh <<'X2'
case " $* " in *noseparate-code*) echo 'ld.gold: noseparate-code: unknown -z option' >&2; exit 1 ;; esac
exec cc "$@"
X2
CC=./gold.sh "$opm" mod compile app 2>/dev/null
ok "a linker need not know how to save pages" $?
! CC=true "$opm" mod compile app 2>err && says 'said that all is well, but made no file' && says 'Name another C compiler'
ok "a compiler that makes nothing is told" $?
! HOME='' "$opm" mod compile app 2>err && says 'neither XDG_CACHE_HOME nor HOME is an absolute path'
ok "that there is no place for a cache is told" $?
! HOME='' "$opm" cache ls 2>err && says 'neither XDG_CACHE_HOME nor HOME is an absolute path'
ok "also to who asks what is in it" $?
touch file
! XDG_CACHE_HOME="$dir/file" "$opm" cache ls 2>err && says "cannot read the folder $dir/file/opm/objects: Not a directory"
ok "and that it cannot be read" $?
! XDG_CACHE_HOME="$dir/file" "$opm" mod compile app 2>err && says 'XDG_CACHE_HOME names another one'
ok "or written to" $?
XDG_CACHE_HOME="$dir/file" "$opm" mod compile app -o elsewhere.so 2>/dev/null && cmp -s elsewhere.so app.so
ok "a file that goes elsewhere needs no cache" $?

# Signals.
program stubborn.sh <<'X2'
trap '' TERM INT HUP
sleep 60 &
echo $! >"$CC_CHILD"
wait
sleep 60
X2
export CC_CHILD="$dir/child"
CC=./stubborn.sh "$opm" mod compile app 2>/dev/null &
pid=$!
until_true test -s child
kill -TERM $pid
(sleep 20 && kill -9 $pid) 2>/dev/null &
watch=$!
wait $pid 2>/dev/null
ok "a compiler that does not want to end does not keep us" "$([ $? = 143 ]; echo $?)"
kill $watch
gone() { ! kill -0 "$1" 2>/dev/null; }
ok "and ends, with all that it runs" "$(until_true gone "$(cat child)"; echo $?)"
program slow.sh <<'X2'
touch "$CC_CHILD.runs"
while [ ! -e "$CC_CHILD.go" ]; do sleep 0.05; done
exec cc "$@"
X2
(trap '' HUP && CC=./slow.sh exec "$opm" mod compile app 2>/dev/null) &
pid=$!
until_true test -e child.runs
kill -HUP $pid
sleep 0.3
touch child.go
wait $pid
ok "a signal that is ignored is ignored" $?

# A disk that is full, where we may make one.
cat >full.sh <<'X2'
mount -t tmpfs -o size=40k tmpfs "$1" || exit 77
cd "$1/.." || exit 2
export XDG_CACHE_HOME="$1"
OPM_COMPILE=wait "$2" mod build app 2>/dev/null | cmp -s - want || exit 1
grep -qs '^failed' "$1"/opm/index/* && exit 2
"$2" mod compile app 2>err && exit 3
grep -qF 'the disk of the cache is full' err || exit 4
rm -rf "$1"/*
for i in $(seq 20); do echo "{\"module\": \"$PWD/app\", \"name\": \"a$i\"}"; done |
  "$2" fleet build - --out-dir "$1/out" 2>err && exit 5
[ -z "$(find "$1" -name '*.tmp')" ] || exit 6
rm -rf "$1"/*
mount -o remount,size=1m "$1" && "$2" mod compile app 2>/dev/null && mount -o remount,ro "$1" || exit 7
"$2" mod build app 2>/dev/null | cmp -s - want || exit 8
"$2" cache gc --max-size 0 2>err && exit 9
grep -qF 'cannot remove' err || exit 10
X2
mkdir disk
unshare -rm sh full.sh "$dir/disk" "$opm" 2>/dev/null
code=$?
[ $code = 1 ] && ! unshare -rm true 2>/dev/null && code=77
[ $code = 77 ] || ok "a full disk ($code)" $code

finish
