#!/usr/bin/env bash
# Builds dist/bgrun: one stripped binary with the runtimes of Swift and C++, SQLite and libyaml inside
# and glibc outside. SwiftPM finds both C libraries through pkg-config, so it is pointed at
# descriptions that name a folder in which only the archives are.
#   build-static.sh [PROGRAM…]     the named programs of this package, in .build/static/release
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=$PWD/.build/static
archives=$scratch/archives
mkdir -p "$archives" dist

link_archive() { # LIBRARY
  local archive
  archive=$(gcc -print-file-name="lib$1.a" 2>/dev/null || clang -print-file-name="lib$1.a")
  if [ ! -f "$archive" ]; then
    printf 'build-static: lib%s.a is missing; it comes with the -dev package\n' "$1" >&2
    exit 1
  fi
  ln -sf "$archive" "$archives/lib$1.a"
}
describe_archive() { # PKG-CONFIG-NAME LIBRARY
  link_archive "$2"
  cat >"$archives/$1.pc" <<END
Name: $1
Description: $1, linked from its archive
Version: $(pkg-config --modversion "$1")
Cflags: $(pkg-config --cflags "$1")
Libs: -L$archives -l$2
END
}
# The descriptions of an earlier build must not describe themselves.
unset PKG_CONFIG_PATH
describe_archive yaml-0.1 yaml
describe_archive sqlite3 sqlite3
# Swift's runtime needs it, and loading it would cost every command time.
link_archive stdc++

# What a start has to read and write, and a runner then keeps for days (decision 24): relocations take a
# hundredth of the room, and no name is offered to libraries that would look for none.
small_start=(-Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs
  -Xlinker --no-export-dynamic)

build() { # PROGRAM
  PKG_CONFIG_PATH=$archives swift build --configuration release --product "$1" \
    --static-swift-stdlib --scratch-path "$scratch" -Xlinker -s "${small_start[@]}"
}
check() { # FILE: only glibc and the compiler's own library may be left outside
  local outside
  outside=$(ldd "$1" | awk '{print $1}' |
    grep -vE '^(linux-vdso|/lib.*/ld-linux|lib(c|m|dl|rt|pthread|gcc_s)\.so)' || true)
  if [ -n "$outside" ]; then
    printf 'build-static: %s is still linked dynamically:\n%s\n' "$1" "$outside" >&2
    exit 1
  fi
  printf '%s: %s bytes, linked to %s\n' "$1" "$(stat -c %s "$1")" \
    "$(ldd "$1" | awk '{n = split($1, part, "/"); printf "%s ", part[n]}')"
}
if [ $# -gt 0 ]; then
  for program in "$@"; do
    build "$program"
    check ".build/static/release/$program"
  done
else
  build bgrun
  install -m 755 "$scratch/release/bgrun" dist/bgrun
  check dist/bgrun
fi
