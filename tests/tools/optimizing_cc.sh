#!/bin/sh
# optimizing_cc.sh ARGUMENT... - a C compiler for $CC that optimizes where opm asks it to be fast, so that tests of what is compiled
# on first use are also about optimized code, without compiling twice.
for word; do
  shift
  [ "$word" = -O0 ] && word=-O2
  set -- "$@" "$word"
done
exec cc "$@"
