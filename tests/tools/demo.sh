#!/bin/sh
# demo.sh OPM - the main job on an example: a module of three components, rendered for two environments.
set -eu
opm=$(realpath "$1")
archive=$(realpath "$(dirname "$0")/../modules/shop_in_two_environments.txtar")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p shop/cue.mod
awk '/^-- .* --$/ { file = "shop/" $2; on = file ~ /\.cue$/; next } on { print > file }' "$archive"

echo "\$ cat shop/environments.cue"
sed 1,4d shop/environments.cue
for env in staging production; do
  "$opm" mod build shop --environment $env >$env.yaml 2>log || { cat log; exit 1; }
done

echo
echo "\$ opm mod build shop --environment production      # a line for each object"
awk '/^kind:/ { kind = $2 } /^  name:/ { name = $2 } /^  namespace:/ { printf "  %-22s %s/%s\n", kind, $2, name }' production.yaml

echo
echo "\$ opm mod build shop --environment staging, and what is different in production"
echo "  (namespace, identity and labels of the environment differ in every object and are left out)"
for env in staging production; do
  grep -vE '^  namespace:|release.opmodel.dev/(uuid|environment):|environment.opmodel.dev/name:' $env.yaml >$env
done
diff -U1 -F '^kind:' staging production | sed -n '1,2!p' | sed 's/^/  /' || true
