#!/bin/sh
# layers.sh - checks who includes whom. docs/ARCHITECTURE.md draws the same arrows.
#
#   runtime -> runtime        compiler -> compiler runtime        stdlib/cue -> stdlib/cue runtime
#   stdlib/opm -> stdlib/opm compiler runtime (the catalog's tables)
#   providers -> providers runtime        cli -> all of these     nothing -> tests
bad=0
rule() { # FOLDER ALLOWED-FIRST-WORDS
  found=$(grep -rnE '^ *# *include "' "$1" --include='*.[ch]' --include='*.cc' --include='*.re' --include='*.y' --include='*.def' 2>/dev/null |
    grep -vE "#? *include \"($2)/")
  [ -z "$found" ] && return
  echo "layers: $1 may include only: $2"
  echo "$found"
  bad=1
}
rule runtime 'runtime'
rule compiler 'compiler|runtime'
rule stdlib/cue 'stdlib/cue|runtime'
rule stdlib/opm 'stdlib/opm|compiler|runtime'
rule providers 'providers|runtime'
rule cli 'cli|compiler|stdlib/cue|stdlib/opm|providers|runtime'

owner() { # HEADER FILE...: third-party headers belong to one file each
  header=$1
  shift
  users=$(grep -rlE "# *include <$header" runtime compiler stdlib providers cli 2>/dev/null)
  for user in $users; do
    case " $* " in *" $user "*) ;; *)
      echo "layers: <$header> is for $* only, found in $user"
      bad=1 ;;
    esac
  done
}
owner mpdecimal.h runtime/num.c runtime/num_math.c runtime/num_bits.c
owner re2/ runtime/regex.cc
owner yyjson.h runtime/read_json.c
owner yaml.h runtime/read_yaml.c
owner openssl/ runtime/digest.c
owner curl/ providers/http.c
exit $bad
