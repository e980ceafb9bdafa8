#!/usr/bin/env bash
# Runs git's own maintenance on every repository right under a folder and says what it gained.
#   maintain-repositories.sh FOLDER
set -euo pipefail

loose_objects() { git -C "$1" count-objects | sed 's/ .*//'; }

for repository in "$1"/*/; do
  [ -e "$repository/.git" ] || continue
  before=$(loose_objects "$repository")
  git -C "$repository" maintenance run --quiet --task=gc --task=commit-graph
  printf '%s: %s loose objects before, %s after\n' \
    "$(basename "$repository")" "$before" "$(loose_objects "$repository")"
done
