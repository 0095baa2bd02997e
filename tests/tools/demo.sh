#!/bin/sh
# demo.sh OPM - the main job on an example: a schema with defaults, an instance of it, and what comes out.
set -eu
opm=$(realpath "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat >"$dir/web.cue" <<'CUE'
package web

#Service: {
	name:      string & =~"^[a-z]+$"
	replicas:  *2 | >0 & <=10
	port:      int | *8080
	url:       "http://\(name):\(port)"
	labels: [string]: string
	labels: app: name
}

services: [Name=string]: #Service & {name: Name}

services: {
	shop: replicas: 3
	blog: {}
}
CUE
echo "\$ cat web.cue"
cat "$dir/web.cue"
echo
echo "\$ opm cue export web.cue --out yaml"
"$opm" cue export "$dir/web.cue" --out yaml
echo
echo "\$ opm cue vet bad.cue web.cue     # replicas: 30 in bad.cue"
printf 'package web\n\nservices: blog: replicas: 30\n' >"$dir/bad.cue"
(cd "$dir" && "$opm" cue vet bad.cue web.cue) || echo "(exit code $?)"
