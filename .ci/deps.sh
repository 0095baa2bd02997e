#!/bin/sh
# deps.sh - finds or fetches what the build needs, and writes DIR/deps.mk for the Makefile.
#
#   sh .ci/deps.sh DIR          what `make` needs: compilers, re2c, Bison, the libraries
#   sh .ci/deps.sh DIR dev      also what lint, sanitizers, fuzzing and the bench need
#
# Routes, in this order: what is installed; the distribution's packages (apt-get, as root or
# through sudo); Debian 13's pool through a private apt source kept under DIR (for what
# Debian 12 does not have); upstream's release. Whatever is downloaded outside the machine's
# own apt is checked against a SHA-256 below. One line per dependency says what was taken
# from where. docs/adr/0003-dependencies.md tells why each route exists.
set -eu
DIR=${1:-build/deps}
WANT=${2:-build}
CC=${CC:-cc}
command -v "$CC" >/dev/null 2>&1 || CC=cc # clang may be what is to be installed
mkdir -p "$DIR/include" "$DIR/lib" "$DIR/tmp"
DIR=$(cd "$DIR" && pwd)

say() { printf 'deps: %-14s %s\n' "$1" "$2"; }
die() { printf 'deps: %s\n' "$*" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

has_header() { # LANGUAGE HEADER
  echo "#include <$2>" | "$CC" -x "$1" -E - >/dev/null 2>&1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif has sudo; then sudo "$@"
  else die "needs root or sudo for: $*"
  fi
}

# ---- 1. tools and libraries of the distribution -----------------------------------------

missing=
need() { # NAME PACKAGE TEST...: notes the package when the test fails
  name=$1 package=$2
  shift 2
  if "$@"; then say "$name" "installed"
  else missing="$missing $package"; fetched="${fetched-} $name"
  fi
}

distribution() {
  has "$CC" || die "no C compiler: install gcc or clang first"
  need g++ g++ has g++
  need pkg-config pkg-config has pkg-config
  need re2c re2c has re2c
  need bison bison has bison
  need re2 libre2-dev has_header c++ re2/re2.h
  need libyaml libyaml-dev has_header c yaml.h
  need openssl libssl-dev has_header c openssl/evp.h
  need libcurl libcurl4-openssl-dev has_header c curl/curl.h
  need xz xz-utils has xz
  if [ "$WANT" = dev ]; then
    need clang clang has clang
    need clang-format clang-format has clang-format
    need sanitizers libclang-rt-dev sanitizer_runtime
    need valgrind valgrind has valgrind
    need tcc tcc has tcc
  fi
  [ -n "$missing" ] || return 0
  has apt-get || die "install these with your package manager, then try again:$missing"
  # A machine whose lists were never fetched knows no package at all.
  # shellcheck disable=SC2086
  if ! install $missing; then
    as_root apt-get update -qq >"$DIR/tmp/apt.log" 2>&1 || true
    # shellcheck disable=SC2086
    install $missing || { tail -5 "$DIR/tmp/apt.log" >&2; die "apt-get could not install:$missing"; }
  fi
  for name in $fetched; do say "$name" "apt-get install"; done
}

install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >"$DIR/tmp/apt.log" 2>&1
}

sanitizer_runtime() {
  has clang || return 1
  echo 'int main(void) { return 0; }' | clang -x c -fsanitize=address - -o "$DIR/tmp/probe" 2>/dev/null
}

# ---- 2. Debian 13's pool, through an apt source of our own ---------------------------------

private_apt() { # apt-get's arguments
  apt-get -o Dir::Etc::sourcelist="$DIR/apt/sources.list" -o Dir::Etc::sourceparts=- \
    -o Dir::State::lists="$DIR/apt/lists" -o Dir::Cache="$DIR/apt/cache" -o APT::Sandbox::User=root \
    -o Acquire::Languages=none -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false -qq "$@"
}

# Sets up the source on first use; fails where apt has no Debian address to offer.
private_source() {
  [ -z "${private_ready-}" ] || return "$private_ready"
  private_ready=1
  has apt-get && has dpkg || return 1
  site=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -E '/debian/?$' | head -n 1)
  [ -n "$site" ] || return 1
  mkdir -p "$DIR/apt/lists/partial" "$DIR/apt/cache/archives/partial"
  keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  signed=
  [ -f "$keyring" ] && signed="[signed-by=$keyring] "
  printf 'deb %s%s trixie main\ndeb-src %s%s trixie main\n' "$signed" "$site" "$signed" "$site" >"$DIR/apt/sources.list"
  private_apt update >"$DIR/tmp/apt.log" 2>&1 || return 1
  private_ready=0
}

pool_deb() { # PACKAGE: leaves it unpacked in tmp/PACKAGE
  private_source || return 1
  (cd "$DIR/tmp" && rm -f "$1"_*.deb && private_apt download "$1" >apt.log 2>&1) || return 1
  rm -rf "$DIR/tmp/$1"
  dpkg -x "$DIR/tmp/$1"_*.deb "$DIR/tmp/$1"
}

pool_source() { # PACKAGE: leaves its upstream tarball unpacked in tmp/PACKAGE-src
  private_source || return 1
  (cd "$DIR/tmp" && rm -f "$1"_*.orig.tar.* && private_apt source --download-only --tar-only "$1" >apt.log 2>&1) || return 1
  unpack "$1-src" "$DIR/tmp/$1"_*.orig.tar.*
}

unpack() { # NAME TARBALL
  rm -rf "$DIR/tmp/$1"
  mkdir -p "$DIR/tmp/$1"
  tar -xf "$2" -C "$DIR/tmp/$1" --strip-components=1
}

fetch() { # URL FILE
  if has curl; then curl -fsSL --max-time 120 -o "$2" "$1"
  elif has wget; then wget -q -T 120 -O "$2" "$1"
  else return 1
  fi
}

check() { # SHA256 FILE
  got=$(sha256sum "$2" | cut -d' ' -f1)
  [ "$got" = "$1" ] || die "$2: SHA-256 is $got, expected $1"
}

# ---- 3. what Debian 12 has not ---------------------------------------------------------------

# What is installed: a static library is copied, so that the program can be linked statically; of another, pkg-config
# tells the flags.
found_cflags= found_libs=
installed() { # LIBRARY HEADER PKG-CONFIG-NAME VERSION
  static=$("$CC" -print-file-name="lib$1.a")
  if [ -f "$static" ] && has_header c "$2"; then
    cp "$static" "$DIR/lib/"
  elif has pkg-config && pkg-config --atleast-version="$4" "$3"; then
    found_cflags="$found_cflags $(pkg-config --cflags "$3")"
    found_libs="$found_libs $(pkg-config --libs "$3")"
  else
    return 1
  fi
}

# yyjson's static library is in no package; two files and one call of the compiler make it.
yyjson() {
  from=
  if [ -f "$DIR/lib/libyyjson.a" ] && [ -f "$DIR/include/yyjson.h" ]; then
    say yyjson "0.10.0, build/deps (kept)"
    return
  elif installed yyjson yyjson.h yyjson 0.10.0; then
    say yyjson "installed"
    return
  elif pool_source yyjson; then
    src="$DIR/tmp/yyjson-src/src" from="Debian 13 source package"
  else
    src="$DIR/tmp/yyjson" from="upstream 0.10.0"
    mkdir -p "$src"
    for f in yyjson.c yyjson.h; do
      fetch "https://raw.githubusercontent.com/ibireme/yyjson/0.10.0/src/$f" "$src/$f" || die "yyjson: no route worked"
    done
  fi
  check 98489c068ab65298320710e5be4c1090af1b5676e41301a3525b2e732641aace "$src/yyjson.c"
  check adce02aef5dfd868f7c0b632bd23bc0e79fa710b70d93bfe334c2bd15b21a41d "$src/yyjson.h"
  "$CC" -O2 -w -fPIC -c -o "$DIR/tmp/yyjson.o" "$src/yyjson.c"
  rm -f "$DIR/lib/libyyjson.a"
  ar rcs "$DIR/lib/libyyjson.a" "$DIR/tmp/yyjson.o"
  cp "$src/yyjson.h" "$DIR/include/"
  say yyjson "0.10.0, $from"
}

mpdec() {
  if [ -f "$DIR/lib/libmpdec.a" ] && [ -f "$DIR/include/mpdecimal.h" ]; then
    say libmpdec "4.0.1, build/deps (kept)"
    return
  fi
  if installed mpdec mpdecimal.h libmpdec 4.0.0; then
    say libmpdec "installed"
    return
  fi
  if has dpkg && [ "$(dpkg --print-architecture)" = amd64 ] && pool_deb libmpdec-dev; then
    lib=$(find "$DIR/tmp/libmpdec-dev" -name libmpdec.a)
    header=$(find "$DIR/tmp/libmpdec-dev" -name mpdecimal.h)
    check 187c56c87702a283219ae7b1568480a4e41610f9b8b5b2e2f6d35c12ffedcd3c "$lib"
    check 8bdece4a031730af35d26a9ec4fa3089e59ff3d983f40942f9483d0f4b7d93c8 "$header"
    cp "$lib" "$DIR/lib/"
    cp "$header" "$DIR/include/"
    say libmpdec "4.0.1, Debian 13 package"
    return
  fi
  tarball="$DIR/tmp/mpdecimal_4.0.1.orig.tar.gz" from="Debian 13 source package"
  if ! pool_source mpdecimal; then
    from="upstream 4.0.1"
    fetch https://www.bytereef.org/software/mpdecimal/releases/mpdecimal-4.0.1.tar.gz "$tarball" || die "libmpdec: no route worked"
    unpack mpdecimal-src "$tarball"
  fi
  check 96d33abb4bb0070c7be0fed4246cd38416188325f820468214471938545b1ac8 "$tarball"
  (cd "$DIR/tmp/mpdecimal-src" && ./configure -q --disable-cxx --disable-shared --disable-doc CC="$CC" && make -s) >"$DIR/tmp/mpdec.log" 2>&1 ||
    die "libmpdec: build failed, see $DIR/tmp/mpdec.log"
  cp "$DIR/tmp/mpdecimal-src/libmpdec/libmpdec.a" "$DIR/lib/"
  cp "$DIR/tmp/mpdecimal-src/libmpdec/mpdecimal.h" "$DIR/include/"
  say libmpdec "4.0.1, $from, built"
}

greatest() {
  if [ -f "$DIR/include/greatest.h" ]; then
    say greatest "build/deps (kept)"
  elif has_header c greatest.h; then
    say greatest "installed"
  elif pool_source fzy && [ -f "$DIR/tmp/fzy-src/deps/greatest/greatest.h" ]; then
    check 4ecd1c1c1b1d2cd7f0c8b0c9d87f92030b9ef7910da3a8197076b17d13076940 "$DIR/tmp/fzy-src/deps/greatest/greatest.h"
    cp "$DIR/tmp/fzy-src/deps/greatest/greatest.h" "$DIR/include/"
    say greatest "1.3.1, Debian source package fzy"
  else
    fetch https://raw.githubusercontent.com/silentbicycle/greatest/v1.3.1/greatest.h "$DIR/tmp/greatest.h" || die "greatest: no route worked"
    check 4ecd1c1c1b1d2cd7f0c8b0c9d87f92030b9ef7910da3a8197076b17d13076940 "$DIR/tmp/greatest.h"
    cp "$DIR/tmp/greatest.h" "$DIR/include/"
    say greatest "1.3.1, upstream"
  fi
}

# ---- 4. flags for the Makefile ----------------------------------------------------------------

# Static where a static library exists: the program then starts without loading any of them.
lib() { # NAME FALLBACK
  if [ -f "$("$CC" -print-file-name=lib"$1".a)" ]; then echo "-l:lib$1.a"; else echo "$2"; fi
}

# The flags that make a program without any shared library, where that works. The linker warns of what in libcrypto would
# look for shared libraries at run time; we call none of it. It is tried with warnings, for without them GNU ld does not
# fail when a library is missing.
static_link() { # LIBRARIES
  echo 'int main() { return 0; }' >"$DIR/probe.cc"
  # shellcheck disable=SC2086
  if g++ -static "$DIR/probe.cc" -o "$DIR/probe" $1 2>/dev/null; then echo "-static -Wl,--no-warnings"; fi
  rm -f "$DIR/probe" "$DIR/probe.cc"
}

flags() {
  re2=$(lib re2 -lre2)
  # Newer RE2 needs Abseil's many libraries; its shared library brings them along.
  if pkg-config --print-requires re2 2>/dev/null | grep -q absl; then re2=-lre2; fi
  {
    echo "# Written by .ci/deps.sh."
    echo "DEPS_CFLAGS := -isystem build/deps/include$found_cflags"
    own=
    for name in yyjson mpdec; do
      [ ! -f "$DIR/lib/lib$name.a" ] || own="$own build/deps/lib/lib$name.a"
    done
    libs="$found_libs $re2 $(lib yaml -lyaml) $(lib crypto -lcrypto) -lm -lpthread -ldl"
    echo "DEPS_LIBS :=$own$libs"
    echo "DEPS_STATIC := $(static_link "$libs")"
  } >"$DIR/deps.mk.new"
  mv "$DIR/deps.mk.new" "$DIR/deps.mk"
}

distribution
yyjson
mpdec
greatest
rm -rf "$DIR/tmp" "$DIR/apt"
flags
[ "$WANT" != dev ] || : >"$DIR/dev.ok"
