#!/usr/bin/env bash
# Builds release and runs the jobs of jobs/ once, on a sandbox folder that it makes anew.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --configuration release --product bgrun
bash Scripts/make-sandbox.sh
# The jobs' scripts call bgrun too.
PATH=$PWD/.build/release:$PATH
export BGRUN_STATE=$PWD/.sandbox/state

show() { # prints a command as a person would type it, then runs it
  printf '\n$ %s\n' "$*"
  "$@"
}
show bgrun validate jobs
show bgrun run jobs --once
show bgrun run jobs --once --now local.developer.archive
show bgrun history
show bgrun logs local.developer.repositories.maintain
show bgrun logs local.developer.caches.trim
show bgrun logs local.developer.archive
show bgrun status
