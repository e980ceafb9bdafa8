#!/usr/bin/env bash
# The inner loop, cheapest first: format, source rules, layering, unit tests. Stops at the first
# that fails and says how long each took.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { # NAME COMMAND…
  local name=$1 began=$SECONDS
  shift
  if ! "$@"; then
    printf 'check: %s failed\n' "$name" >&2
    exit 1
  fi
  printf 'check: %s passed (%s s)\n' "$name" $((SECONDS - began))
}

step format swift format lint --strict --parallel --recursive Sources Tests Benchmarks Examples Package.swift
step 'source rules' python3 Scripts/check_source.py
step layering python3 Scripts/check_layers.py
step 'unit tests' bash Scripts/test.sh --unit
